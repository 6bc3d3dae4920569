"""`search:N` against OpenSpiel's own MCTS at equal time, two players, through the bridge of `adapters/openspiel.py`.

    pip install -e ".[openspiel,render]"
    python -m benchmarks.search_peers [--games NAME ...] [--simulations 100] [--deals 20] [--out benchmarks/results/search_peers.md]

OpenSpiel's MCTSBot (uct_c 2, one random rollout a leaf) searches a determinised copy, in which nothing is hidden, as every agent
at a table does. `connect_four` is OpenSpiel's own game with OpenSpiel's own search, both in C++; in the other games its search in
Python walks over our rules. Its simulations are as many as take the time of `search:N` in positions of mid-game; what both took
in the match itself is told beside the result. Seconds are the processor's.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pyspiel
import typer
from open_spiel.python.algorithms import mcts

from banquet_agents import make_agent
from banquet_agents.arena.matches import MatchResult, play_match
from banquet_envs import list_games, make_game
from banquet_envs.adapters.openspiel import openspiel_game
from banquet_envs.core import state as records
from banquet_envs.core.game import Game
from benchmarks.contestants import our_game
from benchmarks.search_speed import positions
from benchmarks.throughput import machine

EXPLORE = 2.0
POSITIONS, PROBE, PROBE_SECONDS = 8, 50, 0.5  # simulations


class Timed:
    """An agent that is asked game by game, with a clock."""

    def __init__(self) -> None:
        self.seconds, self.decisions = 0.0, 0

    def act(self, states: np.recarray) -> np.ndarray:
        """int64 (n,) actions for records in which its seat is to move."""
        return np.array([self._one(records.take(states, np.array([k]))) for k in range(len(states))], np.int64)

    def _one(self, record: np.recarray) -> int:
        asked = self.given(record)
        start = time.process_time()
        action = self.choose(asked)
        self.seconds += time.process_time() - start
        self.decisions += 1
        return int(action)

    def given(self, record: np.recarray) -> Any:
        """What is handed to the agent; making it is not timed."""
        return record

    def choose(self, asked: Any) -> int:
        """The action that is timed."""
        raise NotImplementedError

    @property
    def pace(self) -> float:
        """Seconds a decision."""
        return self.seconds / self.decisions


class Ours(Timed):
    """`search:N`."""

    def __init__(self, game: Game, simulations: int) -> None:
        super().__init__()
        self._agent = make_agent(game, f"search:{simulations}")

    def choose(self, asked: Any) -> int:
        return int(self._agent.act(asked)[0])


class Bridged(Timed):
    """OpenSpiel's MCTS over our rules."""

    def __init__(self, name: str, simulations: int) -> None:
        super().__init__()
        self._game = openspiel_game(name, 2, seed=1)
        rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        self._bot = mcts.MCTSBot(self._game, EXPLORE, simulations, rollouts, random_state=np.random.RandomState(2))

    def given(self, record: np.recarray) -> Any:
        return self._game.state_of(record)

    def choose(self, asked: Any) -> int:
        return self._bot.step(asked)


class Native(Timed):
    """OpenSpiel's Connect Four and its MCTS, in C++; positions are carried over as OpenSpiel's JSON."""

    def __init__(self, simulations: int) -> None:
        super().__init__()
        self._game = pyspiel.load_game("connect_four")
        rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
        self._bot = pyspiel.MCTSBot(self._game, rollouts, EXPLORE, simulations, 1000, False, 2, False)

    def given(self, record: np.recarray) -> Any:
        mover, cells = int(record.player[0]), np.full(42, ".")
        for seat, disc in enumerate("xo"):
            cells[[int(record.discs[0, seat]) >> cell & 1 == 1 for cell in range(42)]] = disc
        position = {"board": cells.reshape(6, 7).tolist(), "current_player": "xo"[mover], "is_terminal": False}
        return self._game.new_initial_state(json.dumps(position | {"winner": ""}))

    def choose(self, asked: Any) -> int:
        return self._bot.step(asked)


@dataclass
class Row:
    """A game's result: how many simulations OpenSpiel had, and the match."""

    simulations: int
    ours: Timed
    theirs: Timed
    result: MatchResult


def peer(name: str, simulations: int) -> Timed:
    """OpenSpiel's search in a game."""
    return Native(simulations) if name == "connect_four" else Bridged(name, simulations)


def compared(name: str, simulations: int, deals: int) -> Row:
    """A match at equal time."""
    game = our_game(1) if name == "connect_four" else make_game(name, 2)
    states = positions(game)[:POSITIONS]
    probes = Ours(game, simulations), peer(name, PROBE)
    for probe in probes:
        probe.act(states[:1])  # compiles
        probe.seconds, probe.decisions = 0.0, 0
        while probe.seconds < PROBE_SECONDS:
            probe.act(states)
    budget = max(2, round(PROBE * probes[0].pace / probes[1].pace))
    ours, theirs = Ours(game, simulations), peer(name, budget)
    result = play_match(game, [(f"search:{simulations}", ours), ("OpenSpiel", theirs)], games=2 * deals, seed=1)
    return Row(budget, ours, theirs, result)


def table(rows: dict[str, Row], simulations: int) -> str:
    """The Markdown page."""
    lines = [
        "# Search at equal time", "", f"Machine: {machine()}.", "",
        f"Command: `python -m benchmarks.search_peers {' '.join(sys.argv[1:])}`. `search:{simulations}` against OpenSpiel"
        f" {metadata.version('open_spiel')}'s MCTS with as many simulations as take the same"
        " time; how, stands in the script's head. Milliseconds are CPU time a decision in the match.", "",
        f"| game | OpenSpiel's simulations | ms, search:{simulations} | ms, OpenSpiel | games | win share of search:{simulations} % |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]  # fmt: skip
    for name, row in rows.items():
        share = row.result.estimate("share", 0).text(percent=True)
        paces = f"{row.ours.pace * 1e3:.2f} | {row.theirs.pace * 1e3:.2f}"
        lines.append(f"| {name} | {row.simulations} | {paces} | {row.result.games} | {share} |")
    return "\n".join(lines) + "\n"


def main(
    games: Annotated[list[str] | None, typer.Option(help="Which games; all and connect_four when not given.")] = None,
    simulations: Annotated[int, typer.Option(help="Of our search, a decision.")] = 100,
    deals: Annotated[int, typer.Option(help="Each is played from both seats.")] = 20,
    out: Annotated[Path | None, typer.Option(help="Write the page here too.")] = None,
) -> None:
    """Measure and print the table."""
    rows: dict[str, Row] = {}
    for name in games or ["connect_four", *list_games()]:
        rows[name] = compared(name, simulations, deals)
        print(table({name: rows[name]}, simulations).splitlines()[-1], flush=True)
    page = table(rows, simulations)
    print(page)
    if out is not None:
        out.write_text(page)


if __name__ == "__main__":
    typer.run(main)
