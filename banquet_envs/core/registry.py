"""Registered games, and where the agents of a game are looked up.

Agents live above this package: they hand in a resolver (`set_agent_resolver`), or an installed distribution names one
under the entry point group `banquet_envs.agents`, so nothing here imports them.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.spec import GameSpec


class Agent(Protocol):
    """A player: batch first."""

    def act(self, states: np.ndarray) -> np.ndarray:
        """Choose for records in which this agent's seat is to move.

        Args:
            states: records of shape (n,), already determinised for the mover: what it cannot know has been resampled.

        Returns:
            int64 (n,), legal actions.
        """
        ...


AgentResolver = Callable[[Game, str], Agent]

_SPECS: dict[str, GameSpec | str] = {}
_RESOLVER: list[AgentResolver] = []


def register_game(spec: GameSpec | str, name: str | None = None, replace: bool = False) -> None:
    """Make a game known to `make_game`, the conformance suite, the command line and the benchmarks.

    Args:
        spec: the game, or "package.module:ATTRIBUTE" to import it when first needed (`name` is then required).
        name: the id; a GameSpec's own name when not given.
        replace: allow an id that is already taken.

    Raises:
        OptionError: the id is taken, or missing for a text.
    """
    key = name or (spec.name if isinstance(spec, GameSpec) else "")
    if not key:
        raise OptionError(f"register_game({spec!r}): a name is needed")
    if key in _SPECS and not replace:
        raise OptionError(f"a game named {key!r} is already registered; pass replace=True to replace it")
    _SPECS[key] = spec


def list_games() -> list[str]:
    """The ids of all registered games, sorted."""
    return sorted(_SPECS)


def game_spec(name: str) -> GameSpec:
    """The GameSpec registered under `name`.

    Raises:
        OptionError: no such game; the message offers the nearest ids.
    """
    if name not in _SPECS:
        near = difflib.get_close_matches(str(name), list_games(), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise OptionError(f"no game named {name!r}{hint} Registered: {', '.join(list_games())}")
    found = _SPECS[name]
    if isinstance(found, str):
        module, _, attribute = found.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        _SPECS[name] = found
    assert isinstance(found, GameSpec)
    return found


def make_game(
    name: str,
    players: int | None = None,
    reward: str = "win",
    components: Any = None,
    threads: int = 1,
    **options: Any,
) -> Game:
    """A game with its options: the batch interface to one rule set.

    Args:
        name: a registered id, see `list_games()`.
        players: number of seats; the most the game allows when not given.
        reward: "win", "place" or "points" (core/rewards.py).
        components: path of a TOML file with other component data than the shipped one.
        threads: Python threads over which batches are spread; results never depend on it.
        **options: the game's own switches, see `banquet info GAME`.

    Returns:
        The Game.

    Raises:
        OptionError: an unknown name, option or value.
        ComponentsError: a components file that cannot be used.
    """
    spec = game_spec(name)
    return Game(spec, spec.max_players if players is None else players, reward, components, threads, **options)


def set_agent_resolver(resolver: AgentResolver) -> None:
    """Say who turns an agent's name, such as "greedy", into an agent for a game."""
    _RESOLVER[:] = [resolver]


def make_agent(game: Game, name: str) -> Agent:
    """The agent called `name` for `game`.

    Raises:
        OptionError: no agents are installed, or none has this name.
    """
    if not _RESOLVER:
        for entry in importlib.metadata.entry_points(group="banquet_envs.agents"):
            set_agent_resolver(entry.load())
    if not _RESOLVER:
        raise OptionError(f"agent {name!r}: no agents are installed beside banquet_envs")
    return _RESOLVER[0](game, name)
