"""Which sources and files a game's course depends on, as hashes for results to name."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import banquet_agents
from banquet_agents.arena import deals
from banquet_agents.policy import CARD, REFERENCE, WEIGHTS, find_policy, policy_of
from banquet_agents.reference import reference_policies
from banquet_agents.registry import users_module
from banquet_envs import __version__
from banquet_envs.core.compile import source_files
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec


def versions() -> dict[str, str]:
    """Versions of what a game's course may depend on."""
    return {
        "banquet_envs": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": importlib.metadata.version("numba"),
    }


def code_hash(game: Game) -> str:
    """A short hash of the sources that decide how a game goes: rules, agents, the playing of deals."""
    spec = game_spec(game.name)
    home = Path(banquet_agents.__file__).parent
    scripts, arena = home / "scripted", home / "arena"
    places = [Path(deals.__file__), spec.folder, *spec.extra_sources, *home.glob("*.toml")]
    players = [f for f in source_files([home]) if not f.is_relative_to(arena)]
    places += [f for f in players if f.parent != scripts or f.stem == game.name]
    places.append(Path(importlib.import_module("banquet_envs.core").__path__[0]))
    return _hash(source_files(places))


def file_hashes(names: Iterable[str]) -> dict[str, str]:
    """Short hashes of policies and of users' own modules, by agent."""
    found = {}
    for name in names:
        policy, module = policy_of(name), users_module(name)
        if policy:
            shipped = policy == REFERENCE  # which of them depends on the game
            places = reference_policies() if shipped else [find_policy(Path(policy))]
            found[name] = _hash(place / file for place in places for file in (CARD, WEIGHTS))
        elif module:
            spec = importlib.util.find_spec(module)
            if spec is not None and spec.origin is not None and Path(spec.origin).is_file():
                found[name] = _hash([Path(spec.origin)])
    return found


def _hash(places: Iterable[Path]) -> str:
    """Of the files' names and contents, wherever they lie: installations differ from machine to machine."""
    held = sorted((file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in places)
    return hashlib.sha256(repr(held).encode()).hexdigest()[:16]
