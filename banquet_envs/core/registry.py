"""Registered games, and where the agents of a game are looked up.

Agents live above this package: they hand in a resolver (`set_agent_resolver`), or an installed distribution names one
under the entry point group `banquet_envs.agents`, so nothing here imports them.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.metadata
import os
import sys
from collections.abc import Callable
from pathlib import Path
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
_HOMES: dict[str, str] = {}
"""Which module registered a game: importing it makes the game known in another process, too."""
_RESOLVER: list[AgentResolver] = []
_GAMES = "banquet_envs.games"
"""The entry point group of installed games, `name = "module:SPEC"`, and the module that registers the shipped ones."""


def register_game(spec: GameSpec | str, name: str | None = None, replace: bool = False) -> None:
    """Make a game known to `make_game`, the conformance suite, the command line and the benchmarks.

    Other processes (workers, Ray, unpickling) import the module that calls this, so call it where importing the module runs it.
    An installed distribution need not call it: it names its games under the entry point group `banquet_envs.games`.

    Args:
        spec: the game, or "package.module:ATTRIBUTE" to import it when first needed (`name` is then required).
        name: the id; a GameSpec's own name when not given.
        replace: allow an id that is already taken; the same game from the same folder may always come again.

    Raises:
        OptionError: the id is taken, or missing for a text.
    """
    key = name or (spec.name if isinstance(spec, GameSpec) else "")
    if not key:
        raise OptionError(f"register_game({spec!r}): a name is needed")
    if key in _SPECS and not replace and not _same(_SPECS[key], spec):
        raise OptionError(f"a game named {key!r} is already registered; pass replace=True to replace it")
    _SPECS[key] = spec
    _HOMES[key] = _importable(sys._getframe(1).f_globals.get("__name__", ""))


def _same(known: GameSpec | str, spec: GameSpec | str) -> bool:
    """Whether a game comes again: a script that is run, and then imported under its own name."""
    if isinstance(known, GameSpec) and isinstance(spec, GameSpec):
        return known.folder == spec.folder and known.components == spec.components
    return known == spec


def _importable(module: str) -> str:
    """The name under which another process can import what is running here as `__main__`."""
    main = sys.modules.get("__main__")
    if module != "__main__" or main is None:
        return module
    if main.__spec__ is not None:
        return main.__spec__.name.removesuffix(".__main__")
    file = getattr(main, "__file__", None)
    return Path(file).stem if file else ""


def reference(name: str) -> str:
    """How another process can ask for a registered game: its name, with "module:" before it unless the game is shipped."""
    home = _HOMES.get(name, "")
    return f"{home}:{name}" if home and home != _GAMES else name


def homes() -> list[str]:
    """The modules that registered the games that are not shipped, for worker processes to import."""
    return sorted({home for home in _HOMES.values() if home and home != _GAMES})


def import_module_here(name: str) -> Any:
    """Import a user's module, from the current folder too, where a console script does not look by itself."""
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.append(os.getcwd())
    return importlib.import_module(name)


@functools.cache
def _look_up_installed() -> None:
    """Register what installed distributions name under the group `banquet_envs.games`, once."""
    for entry in importlib.metadata.entry_points(group=_GAMES):
        if entry.name not in _SPECS:
            _SPECS[entry.name] = entry.value


def list_games() -> list[str]:
    """The ids of all registered and installed games, sorted."""
    _look_up_installed()
    return sorted(_SPECS)


def game_spec(name: str) -> GameSpec:
    """The GameSpec registered under `name`; "module:name" imports the module that registers it first.

    Raises:
        OptionError: no such game; the message offers the nearest ids. Or its module cannot be imported.
    """
    home, _, name = str(name).rpartition(":")
    if home and name not in _SPECS:
        try:
            import_module_here(home)
        except ImportError as error:
            raise OptionError(f"game {home}:{name}: its module cannot be imported ({error})") from error
    if name not in _SPECS and name not in list_games():
        near = difflib.get_close_matches(name, list_games(), 1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
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
        name: a registered id, see `list_games()`; or "module:id", to import the module that registers it first.
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
