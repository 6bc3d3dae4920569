"""Running the server until Ctrl-C."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn

from banquet_agents.serve.app import Server


def run(server: Server, host: str, port: int) -> None:
    """Serve at an address until Ctrl-C or SIGTERM."""
    config = uvicorn.Config(server.app(), host, port, log_level="warning", timeout_graceful_shutdown=1)
    _Ending(config, server).run()


class _Ending(uvicorn.Server):
    """Answers the pages that wait for news before it ends, or their requests would end as errors."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._served = server
        self._farewell: asyncio.Future[None] | None = None

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Called by the signal's handler, while the loop runs."""
        super().handle_exit(sig, frame)
        self._farewell = asyncio.ensure_future(self._served.answer_all())
