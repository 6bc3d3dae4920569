"""Points and places recomputed from the final position alone, by slow plain Python that reads the components itself."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from banquet_envs import make_game
from banquet_envs.games.banquet_royal.components import DIAMOND
from banquet_envs.games.banquet_royal.rules import SPEC
from tests.games.banquet_royal.helpers import play_out

GAMES = 1000
DISHES = ("salad", "fruit_salad", "pudding", "burger")


class Recount:
    """The box as the file gives it."""

    def __init__(self, file: Path, options: dict[str, Any], players: int) -> None:
        data = tomllib.loads(file.read_text())
        board = data["board"]
        places = {tuple(c["at"]): k for k, c in enumerate(board["cells"])}
        steps = [(s * a, s * b) for a, b in board["steps"] for s in (1, -1)]
        self.near = [[places[q + a, r + b] for a, b in steps if (q + a, r + b) in places] for q, r in places]
        self.menu_points = [c["points"] for c in data["menus"]["cards"]]
        self.options, self.players = options, players

    def __call__(self, final: Any) -> list[tuple[int, int]]:
        """(points, collected orders) by seat."""
        seen, board, owner = final["seen"].tolist(), final["board"].tolist(), final["owner"].tolist()
        collected = final["collected"].tolist()
        menus = [
            [p for s, p in zip(seen, self.menu_points, strict=True) if s == 2 + seat] for seat in range(self.players)
        ]
        result = []
        for seat in range(self.players):
            orders = collected[seat]
            points = sum(menus[seat])
            if self.options.get("all_you_can_eat", "off") != "replace":
                points += sum(orders)
            if self.options.get("all_you_can_eat", "off") != "off":
                points += (0, 1, 3, 5, 8)[len([n for n in orders if n > 0])]
            if self.options.get("gourmet"):
                for value, bonus in ((1, 3), (2, 2)):
                    counts = [m.count(value) for m in menus]
                    points += bonus * (counts[seat] == max(counts) > 0)
                for x, who in enumerate(owner):
                    if who == seat:
                        around = [board[y] for y in self.near[x]]
                        points += max(around.count(dish) for dish in range(4))
            result.append((points, sum(orders)))
        return result


CONFIGURATIONS = [(n, dict(v), None) for n in (2, 3, 4) for v in SPEC.variants]
CONFIGURATIONS += [(n, dict(SPEC.variants[-2]), DIAMOND) for n in (2, 3, 4)]


@pytest.mark.parametrize(("players", "options", "components"), CONFIGURATIONS)
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
