"""The benchmark's tasks and protocol, read from suite.toml or from a file of the same form."""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, MinLen

from banquet_agents.forms import read_table
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import make_game

SUITE = Path(__file__).with_name("suite.toml")


@dataclass(frozen=True)
class Task:
    """A game with a number of players and a variant.

    Attributes:
        name: unique in the suite.
        game: the game's id.
        players: seats P; with 1 the agent plays alone.
        options: the options that differ from the game's defaults, as pairs.
        seed: of the deals and of the agents' chance.
        components: a file of component data in place of the shipped one.
    """

    name: str
    game: str
    players: int
    options: tuple[tuple[str, Any], ...]
    seed: int
    components: str | None = None

    @property
    def solo(self) -> bool:
        """Whether the agent plays alone."""
        return self.players == 1

    def make(self) -> Game:
        """The Game."""
        return _made(self)


@functools.lru_cache(maxsize=64)
def _made(task: Task) -> Game:
    return make_game(task.game, task.players, components=task.components, **dict(task.options))


@dataclass(frozen=True)
class Suite:
    """Tasks and how they are played.

    Attributes:
        name, version: of the suite; results of different versions are not comparable.
        seed: from which every task's own follows.
        own_seed: the file's.
        games: against each opponent, in every task.
        opponents: the reference agents, weakest first.
        tasks: the tasks.
        hash: of the file's entries.
    """

    name: str
    version: str
    seed: int
    own_seed: int
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


@dataclass(frozen=True)
class TaskTold:
    """A `[[task]]` of the file."""

    name: str
    game: str
    players: Annotated[int, Ge(1)]
    options: dict[str, str | int | bool | float] = field(default_factory=dict)
    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 (pydantic's way)


@dataclass(frozen=True)
class SuiteTold:
    """The file."""

    name: str
    version: str
    seed: Annotated[int, Ge(0)]
    games: Annotated[int, Ge(1)]
    opponents: Annotated[tuple[str, ...], MinLen(1)]
    task: Annotated[list[TaskTold], MinLen(1)]
    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012


def with_components(suite: Suite, names: Sequence[str], components: Path) -> Suite:
    """The suite's tasks called `names` with own component data.

    Raises:
        OptionError: no tasks named, or tasks of several games: a file of components is one game's.
    """
    tasks = suite.chosen(names)
    games = sorted({task.game for task in tasks})
    if not names or len(games) != 1:
        raise OptionError(
            f"components {components}: name tasks of the one game that they belong to, not of {', '.join(games)}"
        )
    return replace(suite, tasks=tuple(replace(task, components=str(components)) for task in tasks))


def with_seed(suite: Suite, seed: int) -> Suite:
    """The suite's tasks on other deals."""
    return replace(suite, seed=seed, tasks=tuple(replace(t, seed=task_seed(seed, t.name)) for t in suite.tasks))


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
    told = read_table(SuiteTold, data, file.name)
    tasks = tuple(
        Task(t.name, t.game, t.players, tuple(sorted(t.options.items())), task_seed(told.seed, t.name))
        for t in told.task
    )
    names = [t.name for t in tasks]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"{file.name}: two tasks are named {name!r}")
    return Suite(
        told.name, told.version, told.seed, told.seed, told.games, told.opponents, tasks,
        hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16],
    )  # fmt: skip


def task_seed(seed: int, name: str) -> int:
    """The seed of a task: the first 4 bytes of SHA-256 of "SEED NAME", so that it stays when tasks are added."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:4], "big")
