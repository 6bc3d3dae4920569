"""The benchmark's tasks and protocol, read from suite.toml or from a file of the same form."""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banquet_agents.arena.matches import seat_assignments
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import make_game

SUITE = Path(__file__).with_name("suite.toml")
LEAST_DEALS = 2
"""Below two deals there is no interval."""


@dataclass(frozen=True)
class Task:
    """A game with a number of players and a variant.

    Attributes:
        name: unique in the suite.
        game: the game's id.
        players: seats P; with 1 the agent plays alone.
        options: the options that differ from the game's defaults, as pairs.
        seed: of the deals and of the agents' chance.
    """

    name: str
    game: str
    players: int
    options: tuple[tuple[str, Any], ...]
    seed: int

    @property
    def solo(self) -> bool:
        """Whether the agent plays alone."""
        return self.players == 1

    @property
    def assignments(self) -> list[tuple[int, ...]]:
        """Who sits where: 0 is the agent, 1 the opponent in all other seats; the agent has every seat once."""
        return seat_assignments([0] + [1] * (self.players - 1))

    def deals(self, games: int) -> int:
        """How many deals make about `games` games."""
        return max(LEAST_DEALS, -(-games // self.players))

    def make(self) -> Game:
        """The Game."""
        return _made(self)


@functools.lru_cache(maxsize=64)
def _made(task: Task) -> Game:
    return make_game(task.game, task.players, **dict(task.options))


@dataclass(frozen=True)
class Suite:
    """Tasks and how they are played.

    Attributes:
        name, version: of the suite; results of different versions are not comparable.
        seed: from which every task's own follows.
        games: against each opponent, in every task.
        opponents: the reference agents, weakest first.
        tasks: the tasks.
        hash: of the file's entries.
    """

    name: str
    version: str
    seed: int
    games: int
    opponents: tuple[str, ...]
    tasks: tuple[Task, ...]
    hash: str

    def chosen(self, names: Sequence[str]) -> tuple[Task, ...]:
        """The tasks called `names`, in the suite's order; all when none is given.

        Raises:
            OptionError: no such task; offers the nearest.
        """
        known = [t.name for t in self.tasks]
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
                raise OptionError(f"no task named {name!r}; {hint}")
        return tuple(t for t in self.tasks if not names or t.name in names)


def load_suite(file: Path | None = None) -> Suite:
    """The suite in `file`; the shipped one when none is given.

    Raises:
        OptionError: the file cannot be read, or an entry is missing, unknown or of the wrong kind.
    """
    file = file or SUITE
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"{file}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{file}: is not a TOML file: {error}") from error
    kinds = {"name": str, "version": str, "seed": int, "games": int, "opponents": list, "task": list}
    _checked(data, kinds, {}, file.name)
    tasks = tuple(_task(data, entry, f"{file.name}: task {k + 1}") for k, entry in enumerate(data["task"]))
    names = [t.name for t in tasks]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{file.name}: two tasks are named {name!r}")
    if not tasks or not data["opponents"] or data["games"] < 1 or data["seed"] < 0:
        raise OptionError(f"{file.name}: needs tasks, opponents, games of 1 or more and a seed of 0 or more")
    return Suite(
        data["name"], data["version"], data["seed"], data["games"], tuple(data["opponents"]), tasks,
        hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16],
    )  # fmt: skip


def _task(data: dict[str, Any], entry: Any, where: str) -> Task:
    if not isinstance(entry, dict):
        raise OptionError(f"{where}: expected a table, found {entry!r}")
    _checked(entry, {"name": str, "game": str, "players": int}, {"options": dict}, where)
    options = tuple(sorted(entry.get("options", {}).items()))
    return Task(entry["name"], entry["game"], entry["players"], options, task_seed(data["seed"], entry["name"]))


def task_seed(seed: int, name: str) -> int:
    """The seed of a task: the first 4 bytes of SHA-256 of "SEED NAME", so that it stays when tasks are added."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:4], "big")


def _checked(data: dict[str, Any], needed: dict[str, type], allowed: dict[str, type], where: str) -> None:
    """Refuse missing and unknown entries and those of another kind."""
    known = needed | allowed
    for key in data:
        if key not in known:
            raise OptionError(f"{where}: unknown entry {key!r}; known: {', '.join(known)}")
    for key, kind in known.items():
        if key not in data and key in needed:
            raise OptionError(f"{where}: entry {key!r} is missing")
        if key in data and type(data[key]) is not kind:
            raise OptionError(f"{where}: entry {key!r}: expected {kind.__name__}, found {data[key]!r}")
