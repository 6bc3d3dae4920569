"""Gymnasium ids: `banquet/<Game>-v0` (one seat against named opponents) and `banquet/<Game>Solo-v0`."""

from __future__ import annotations

import gymnasium

from banquet_envs.core.registry import game_spec, list_games

_NAMESPACE = "banquet"


def environment_id(game: str, version: str, solo: bool = False) -> str:
    """The Gymnasium id of a game, such as "banquet/GreatEveningBanquetSolo-v0"."""
    words = "".join(word.capitalize() for word in game.split("_"))
    return f"{_NAMESPACE}/{words}{'Solo' if solo else ''}-{version}"


def register_all() -> None:
    """Register every game with Gymnasium. `import banquet_envs` does it; call it again after `register_game`."""
    for name in list_games():
        spec = game_spec(name)
        _register(environment_id(name, spec.version), {"game": name})
        if spec.min_players == 1:
            _register(environment_id(name, spec.version, solo=True), {"game": name, "players": 1})


def _register(id_: str, kwargs: dict[str, object]) -> None:
    if id_ not in gymnasium.registry:
        gymnasium.register(
            id_,
            "banquet_envs.envs.single:BanquetSingle",
            vector_entry_point="banquet_envs.envs.vector:BanquetVector",
            kwargs=kwargs,
        )
