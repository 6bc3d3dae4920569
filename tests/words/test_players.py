"""Players behind a server of our own on loopback, and a tiny model on disk."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from banquet_agents.words.players import make_player
from banquet_envs import AgentError, OptionError, make_game


@pytest.fixture(scope="module")
def game():
    return make_game("great_evening_banquet", 2)


def completion(text):
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message}], "usage": usage}


class Server:
    """Answers every post with the next of `answers`: (status, headers, body)."""

    def __init__(self):
        self.answers, self.seen = [], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.seen.append((self.path, self.headers.get("Authorization"), body))
                status, headers, content = outer.answers.pop(0)
                content = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.http = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


@pytest.fixture
def server():
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, daemon=True)
    thread.start()
    yield made
    made.http.shutdown()
    made.http.server_close()
    thread.join()


def test_a_chat_server_is_asked(game, server, monkeypatch):
    monkeypatch.setenv("BANQUET_CHAT_KEY", "secret")
    player = make_player(game, f"chat:org/tiny@{server.url}/")
    server.answers = [(200, {}, completion("Hello")), (200, {}, {"choices": [{"message": {"content": None}}]})]
    reply = player("Your move?")
    assert reply == "Hello"
    assert reply.tokens == {"prompt": 7, "completion": 3}
    assert server.seen == [
        (
            "/v1/chat/completions",
            "Bearer secret",
            {"model": "org/tiny", "messages": [{"role": "user", "content": "Your move?"}]},
        )
    ]
    silent = player("And now?")
    assert silent == ""
    assert silent.tokens == {}


def test_a_busy_server_is_asked_again(game, server, monkeypatch):
    waits = []
    monkeypatch.setattr("banquet_agents.words.chat.time.sleep", waits.append)
    server.answers = [(429, {"Retry-After": "7"}, b""), (503, {}, b""), (200, {}, completion("at last"))]
    assert make_player(game, f"chat:m@{server.url}")("?") == "at last"
    assert waits == [7.0, 2.0]
    assert server.seen[0][1] is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((401, {}, b"no such key"), "HTTP 401: no such key"),
        ((200, {}, b"<html>"), "something else than JSON"),
        ((200, {}, {"error": "x"}), "something else than a chat completion"),
        ((200, {}, []), "something else than a chat completion"),
    ],
)
def test_what_a_server_may_do_wrong_is_told(game, server, answer, words):
    server.answers = [answer]
    with pytest.raises(AgentError, match=words):
        make_player(game, f"chat:m@{server.url}")("?")


def test_a_server_that_is_not_there_is_told(game, server, monkeypatch):
    waits = []
    monkeypatch.setattr("banquet_agents.words.chat.time.sleep", waits.append)
    with pytest.raises(AgentError, match="cannot be reached"):
        make_player(game, "chat:m@http://127.0.0.1:1/v1")("?")
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_missing_packages_are_named(game, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "httpx", None)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(OptionError, match=r"banquet-envs\[words\]"):
        make_player(game, "chat:m@http://127.0.0.1:1/v1")
    with pytest.raises(OptionError, match=r"banquet-envs\[local\]"):
        make_player(game, "local:somewhere")


def test_a_model_on_disk_is_asked(game, tmp_path):
    """A tiny model with random weights: what it says is noise, but it is read, asked and counted like any other."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    letters = tokenizers.Tokenizer(
        tokenizers.models.BPE({chr(c): c - 31 for c in range(32, 127)} | {"?": 0}, [], unk_token="?")
    )
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=letters, unk_token="?")
    config = transformers.GPT2Config(vocab_size=96, n_positions=2048, n_embd=8, n_layer=1, n_head=1)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    wrapped.save_pretrained(tmp_path)
    player = make_player(game, f"local:{tmp_path}")
    player._longest = 5
    reply = player("Your move?")
    assert reply.tokens["prompt"] == len("Your move?")
    assert 1 <= reply.tokens["completion"] <= 5
    assert player("Your move?") == reply
    with pytest.raises(OptionError, match="local:"):
        make_player(game, f"local:{tmp_path / 'nothing'}")
