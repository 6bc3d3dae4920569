"""A player that really reads: the first listed move of the last question, put after some prose."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LISTED = "The legal moves:\n\n- "


def reader(asked):
    """The first legal move of a prompt, or of the last one in a dialogue."""
    move = asked.rpartition(LISTED)[2].split("\n")[0]
    return f"Let me see. {json.dumps({'move': move})}"


@contextmanager
def chat_server(reply=reader):
    """A chat-completions server on loopback whose model is `reply`: gives its URL and the list of what was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            content = request["messages"][-1]["content"]
            text = content if isinstance(content, str) else "".join(part["text"] for part in content)
            asked.append(text)
            streams = bool(request.get("stream"))
            message = {"role": "assistant", "content": reply(text)}
            choice = {"index": 0, "delta" if streams else "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            kind = "chat.completion.chunk" if streams else "chat.completion"
            answer = {"id": "x", "object": kind, "created": 0, "model": "stand-in", "choices": [choice], "usage": usage}
            body = json.dumps(answer).encode()
            if streams:
                body = b"data: " + body + b"\n\ndata: [DONE]\n\n"
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
