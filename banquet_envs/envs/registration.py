"""Ids of the environments: Gymnasium's `banquet/<Game>-v0` (one seat against named opponents) and `banquet/<Game>Solo-v0`, and
PettingZoo's `banquet/<Game>-v0` (AEC), where it has a registry (from 1.27 on).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import gymnasium
import pettingzoo

from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, list_games

_NAMESPACE = "banquet"


def environment_id(game: str, version: str, solo: bool = False) -> str:
    """The id of a game, such as "banquet/GreatEveningBanquetSolo-v0"."""
    words = "".join(word.capitalize() for word in game.split("_"))
    return f"{_NAMESPACE}/{words}{'Solo' if solo else ''}-{version}"


def register_all() -> None:
    """Register every game with Gymnasium and PettingZoo. `import banquet_envs` does it; call it again after `register_game`."""
    for name in list_games():
        spec = game_spec(name)
        id_ = environment_id(name, spec.version)
        _register(id_, {"game": name})
        if spec.min_players == 1:
            _register(environment_id(name, spec.version, solo=True), {"game": name, "players": 1})
        if _HAS_REGISTRY and id_ not in pettingzoo.aec_registry:
            pettingzoo.register("aec", id_, "banquet_envs.envs.aec:BanquetAEC", kwargs={"game": name})


_HAS_REGISTRY = hasattr(pettingzoo, "aec_registry")  # from 1.27 on


def pettingzoo_spec(game: Game, illegal: str, render_mode: str | None) -> Any:
    """PettingZoo's EnvSpec of an environment, whose `make()` makes it again; None where PettingZoo has no registry or does not
    know the game.
    """
    id_ = environment_id(game.name, game.spec.version)
    if not _HAS_REGISTRY or id_ not in pettingzoo.aec_registry:
        return None
    given = {
        "players": game.num_players,
        "reward": game.reward,
        "illegal": illegal,
        "render_mode": render_mode,
        **game.options,
    }
    if game.components != game.spec.components:
        given["components"] = str(game.components)
    return dataclasses.replace(pettingzoo.aec_registry[id_], kwargs={"game": game.name, **given})


def _register(id_: str, kwargs: dict[str, object]) -> None:
    if id_ not in gymnasium.registry:
        gymnasium.register(
            id_,
            "banquet_envs.envs.single:BanquetSingle",
            order_enforce=False,  # the environment checks its callers itself: a wrapper would cost more than a move
            disable_env_checker=True,
            vector_entry_point="banquet_envs.envs.vector:BanquetVector",
            kwargs=kwargs,
        )
