"""The games as an OpenEnv server: its own server on loopback, its own client."""

import threading
import time

import pytest

from banquet_envs import make_game
from banquet_envs.words import rules_text
from tests.words.stand_in import reader

pytest.importorskip("openenv.core")
uvicorn = pytest.importorskip("uvicorn")


@pytest.fixture(scope="module")
def url():
    import os

    from banquet_agents.words.openenv_server import app

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "BANQUET_GAME", "great_evening_banquet")
        patch.setitem(os.environ, "BANQUET_OPPONENT", "random")
        server = uvicorn.Server(uvicorn.Config(app(), port=0, log_level="error"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        server.should_exit = True
        thread.join()


def test_a_game_is_played_through_openenvs_own_client(url):
    from openenv.core import GenericEnvClient

    rules = rules_text(make_game("great_evening_banquet", 2))
    with GenericEnvClient(base_url=url).sync() as env:
        result = env.reset(seed=3, seat=1)
        assert rules in result.observation["prompt"]
        assert result.observation["seat"] == 1
        steps, told = 0, 0
        while not result.done:
            result = env.step({"text": reader(result.observation["prompt"])})
            told += rules in result.observation["prompt"]
            steps += 1
        assert result.observation["prompt"] == ""
        assert result.reward in (0.0, 0.5, 1.0)
        assert told == 0
        assert env.state()["step_count"] == steps > 10


def test_refused_answers_lose_the_game(url):
    from openenv.core import GenericEnvClient

    with GenericEnvClient(base_url=url).sync() as env:
        env.reset(seed=3)
        result = env.step({"text": "I dance."})
        assert not result.done
        assert result.observation["answer_was"] == "unreadable"
        assert "# Second chance" in result.observation["prompt"]
        result = env.step({"text": '{"move": "dance"}'})
        assert result.done
        assert result.reward == 0.0
