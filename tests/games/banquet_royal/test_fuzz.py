"""Every combination of variants on both boards: thousands of games, every decision checked."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.core.state import copy
from banquet_envs.games.banquet_royal.components import DIAMOND
from banquet_envs.games.banquet_royal.rules import ALL_VARIANTS
from tests.games.banquet_royal.helpers import play_out
from tests.sizes import many

COMBINATIONS = list(itertools.product((False, True), (0, 6, 8), ("off", "add", "replace"), (False, True)))


def fuzz(players: int, components: Path | None, games: int, seed: int, **options: Any) -> None:
    game = make_game("banquet_royal", players=players, components=components, **options)
    rules = game.rules[0]
    box = {k: v.copy() for k, v in game.spec.pieces(rules, game.reset(1, 0)[0]).items()}

    def look(before: Any, actions: np.ndarray, after: Any) -> None:
        masks = game.legal_actions(before)
        assert masks.any(axis=1).all()
        assert masks[np.arange(len(actions)), actions].all()
        views = game.observe(before)
        assert np.isfinite(views).all()
        sample = copy(before)
        game.determinize(sample, None, seed=int(before.ply[0]))
        assert (game.observe(sample) == views).all()
        assert (game.legal_actions(sample) == masks).all()
        now = game.spec.pieces(rules, after[-1])
        assert all((now[k] == box[k]).all() for k in box)
        assert (after.points[:, :players] >= 0).all()
        assert after.ply.max() <= game.facts.longest_game

    final = play_out(game, games, seed, look)
    assert final.points.max() <= game.facts.points_max
    assert (final.place[:, :players].min(axis=1) == 0).all()
    assert not final.capped.any()


def fuzz_combinations(players: int | None, components: Path | None, games: int) -> None:
    """All combinations of the variants, the other options in turn; the player count too where it is not given."""
    for k, (gourmet, etiquette, eat, hell) in enumerate(COMBINATIONS):
        fuzz(
            players or 2 + k % 3, components, games, k,
            gourmet=gourmet, etiquette=etiquette, all_you_can_eat=eat, hells_kitchen=hell,
            recall=("memory", "perfect")[k % 2], toque=("toque", "joker")[k // 2 % 2],
            scoring=("optional", "forced")[k // 4 % 2], exhausted_order=("free", "closed")[k // 8 % 2],
        )  # fmt: skip


BOARDS = pytest.mark.parametrize("components", [None, DIAMOND], ids=["hexagon", "diamond"])


@BOARDS
def test_every_combination_of_variants(components: Path | None) -> None:
    fuzz_combinations(None, components, 2)


@pytest.mark.long
@BOARDS
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_combination_of_variants_at_every_player_count(players: int, components: Path | None) -> None:
    fuzz_combinations(players, components, 48)


@BOARDS
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_variants_together(players: int, components: Path | None) -> None:
    fuzz(players, components, many(80, 1), 98, **ALL_VARIANTS)


@pytest.mark.long
@BOARDS
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_variants_together_ten_thousand_games(players: int, components: Path | None) -> None:
    fuzz(players, components, 1700, 99, **ALL_VARIANTS)
