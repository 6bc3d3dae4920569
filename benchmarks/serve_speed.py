"""How soon a page shows what an agent has decided, at many tables at once with a searching agent each.

    python -m benchmarks.serve_speed [--tables N] [--moves N] [--agent NAME] [--game NAME] [--out benchmarks/results/serve_speed.md]

The server runs as under `banquet serve`, over HTTP. Every table has a person, a thread here that chooses as soon as it may and
otherwise waits for news as a page does, and an agent. Two times of every answer to a person's move are taken: from the move to
the agent's end, which is thought and waiting for a free process, and from there until the page with the next choice has
arrived whole. The agent's end is when its answer arrives from the worker process, before the server has looked at it.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
import uvicorn

from banquet_agents.arena.processes import cores
from banquet_agents.replays import PERSON
from banquet_agents.serve.app import Server
from banquet_agents.serve.tables import ServedTable
from banquet_agents.serve.thinking import Question, Thinkers
from banquet_agents.thoughts import Thought
from benchmarks.throughput import machine

PORT = 8123
TOLD = 0.1
"""Seconds within which a page should show what an agent has decided."""


class NotingThinkers(Thinkers):
    """Notes when each question is answered, by its word of chance."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.ends: dict[int, float] = {}

    def submitted(self, pool: ProcessPoolExecutor, question: Question) -> Future[tuple[int, Thought | None]]:
        """As of any thinkers; the end is noted by the pool's own thread."""
        future = super().submitted(pool, question)
        future.add_done_callback(lambda done: self.ends.__setitem__(question.word, time.perf_counter()))
        return future


class NotingServer(Server):
    """Notes the last question asked at each table."""

    def __init__(self, folder: Path, workers: int) -> None:
        super().__init__(folder, workers)
        self.thinkers: NotingThinkers = NotingThinkers(workers)
        self.words: dict[str, int] = {}

    async def _asked(self, table: ServedTable, question: Question) -> tuple[int, Thought | None]:
        self.words[table.name] = question.word
        return await super()._asked(table, question)

    def last_end(self, token: str) -> float:
        """When the last question at the table of this token was answered."""
        return self.thinkers.ends[self.words[token.partition(".")[0]]]


def asked(path: str, sent: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the server answers."""
    body = None if sent is None else json.dumps(sent).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def person(server: NotingServer, token: str, moves: int) -> list[tuple[float, float]]:
    """Play at a table; for each move that an agent answered, seconds until the agent's end and from there to the page."""
    found = []
    shown = asked(f"/api/table/{token}")
    while len(found) < moves and not shown["over"]:
        before = shown["last"]
        if shown["legal"]:
            moved = time.perf_counter()
            asked(f"/api/table/{token}/play", {"ply": shown["ply"], "action": shown["legal"][0]["action"]})
        while True:
            shown = asked(f"/api/table/{token}?since={shown['version']}")
            arrived = time.perf_counter()
            if shown["over"] or (shown["legal"] and shown["last"] > before):
                break
        answered = shown["log"][-1][0] != shown["holder"]  # else the same person chooses again
        if answered and before > 0:
            end = server.last_end(token)
            found.append((end - moved, arrived - end))
    return found


def measured(game: str, agent: str, tables: int, moves: int) -> np.ndarray:
    """float64 (k, 2): seconds of all answers, see `person`."""
    with tempfile.TemporaryDirectory() as folder:
        server = NotingServer(Path(folder), cores())
        runner = uvicorn.Server(uvicorn.Config(server.app(), port=PORT, log_level="warning"))
        thread = threading.Thread(target=runner.run)
        thread.start()
        try:
            while not runner.started:
                time.sleep(0.05)
            wanted = {"game": game, "options": {}, "seats": [PERSON, agent]}
            person(server, asked("/api/tables", wanted)["seats"][0], 1)  # starts the workers, compiles
            tokens = [asked("/api/tables", wanted)["seats"][0] for _ in range(tables)]
            with ThreadPoolExecutor(tables) as people:
                found = list(people.map(lambda token: person(server, token, moves), tokens))
        finally:
            runner.should_exit = True
            thread.join()
    return np.array([one for each in found for one in each])


def page(seconds: np.ndarray, head: str) -> str:
    """The Markdown page."""
    rows = []
    for words, values in zip(("move to agent's end", "agent's end to page"), 1000 * seconds.T, strict=True):
        middle, high, most = np.quantile(values, [0.5, 0.95, 1])
        rows.append(f"| {words} | {middle:,.0f} | {high:,.0f} | {most:,.0f} |")
    within = float((seconds[:, 1] <= TOLD).mean())
    return "\n".join([
        "# How soon a page shows what an agent has decided", "", f"Machine: {machine()}.", "",
        f"Command: `python -m benchmarks.serve_speed {' '.join(sys.argv[1:])}`. {head}. What is timed stands in the script's head.",
        "", "| milliseconds | median | 95 % | most |", "| --- | ---: | ---: | ---: |", *rows, "",
        f"{within:.1%} of {len(seconds)} answers were shown within {1000 * TOLD:.0f} ms of the agent's end.",
    ]) + "\n"  # fmt: skip


def main(
    tables: Annotated[int, typer.Option(min=1, help="At once.")] = 10,
    moves: Annotated[int, typer.Option(min=1, help="Answers of the agent at each table.")] = 10,
    agent: Annotated[str, typer.Option(help="Who answers.")] = "search:1000",
    game: Annotated[str, typer.Option(help="What is played, by two.")] = "great_evening_banquet",
    out: Annotated[Path | None, typer.Option(help="Write the page here too.")] = None,
) -> None:
    """Measure and print the table."""
    head = f"{game}, {tables} tables at once, each a person against `{agent}`; {cores()} processes for the agents"
    told = page(measured(game, agent, tables, moves), head)
    print(told)
    if out is not None:
        out.write_text(told)


if __name__ == "__main__":
    typer.run(main)
