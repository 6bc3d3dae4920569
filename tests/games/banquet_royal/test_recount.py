"""Points and places recomputed from the final position alone, by slow plain Python (recount.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from banquet_envs import make_game
from banquet_envs.core.compile import JIT
from banquet_envs.games.banquet_royal.components import DIAMOND
from banquet_envs.games.banquet_royal.rules import SPEC
from tests.games.banquet_royal.helpers import play_out
from tests.games.banquet_royal.recount import Recount
from tests.sizes import many

GAMES = many(300, 1)

CONFIGURATIONS = [(n, dict(v), None) for n in (2, 3, 4) for v in SPEC.variants]
CONFIGURATIONS += [(n, dict(SPEC.variants[-2]), DIAMOND) for n in (2, 3, 4)]


@pytest.mark.parametrize(("players", "options", "components"), CONFIGURATIONS[:: 1 if JIT else 5])
def test_points_and_places_recomputed_from_the_final_position(
    players: int, options: dict[str, Any], components: Path | None
) -> None:
    game = make_game("banquet_royal", players=players, components=components, **options)
    recount = Recount(game.components, options, players)
    for final in play_out(game, GAMES, seed=players):
        expected = recount(final)
        assert final["points"][:players].tolist() == [points for points, _ in expected]
        assert final["place"][:players].tolist() == [sum(b > a for b in expected) for a in expected]
        assert final["points"][players:].tolist() == [0] * (4 - players)
