"""Points counted again from the final position alone, in slow plain Python that shares nothing with the rules."""

import numpy as np
import pytest

from banquet_envs.testing import configurations
from banquet_envs.testing.play import play
from tests.games.great_evening_banquet.build import EVERY, NAME
from tests.games.great_evening_banquet.recount import recount
from tests.sizes import many


@pytest.mark.parametrize("configuration", EVERY, ids=str)
def test_points_equal_an_independent_recount(configuration):
    game = configuration.make()
    n = many(1000)
    ended = play(game, n, 17)
    swapped = 0
    for record in ended:
        for seat in range(game.num_players):
            tiles, photos = recount(game, record, seat)
            assert photos == [int(x) for x in record.photo_points[seat]]
            scored = {"ABCDEF"[record.letter[seat, t]]: int(record.tile_points[seat, t]) for t in range(6)}
            differing = [x for x in tiles if tiles[x] != scored[x]]
            # A swap on a scored tile keeps its points: at most the one or two tiles of one space may differ.
            assert len(differing) <= (2 if game.options["expert"] else 1), (tiles, scored)
            assert not differing or record.salon_used[seat]
            swapped += bool(differing)
            penalty = int(record.redraws) if game.num_players == 1 else 0
            assert record.points[seat] == sum(scored.values()) + sum(photos) - penalty
        expected = sorted(
            range(game.num_players), key=lambda p: (record.points[p], (record.photo_points[p] > 0).sum()), reverse=True
        )
        assert record.place[expected[0]] == 0
        keys = [(int(record.points[p]), int((record.photo_points[p] > 0).sum())) for p in range(game.num_players)]
        assert [int(x) for x in record.place[: game.num_players]] == [sum(k > mine for k in keys) for mine in keys]
    assert swapped or n < 100, "no game swapped on a scored tile"


def test_carriages_and_salon_account_for_every_token():
    game = configurations(NAME)[-1].make()
    for record in play(game, many(50), 3):
        pieces = game.spec.pieces(game.rules[0], record)["tokens"]
        assert pieces.sum() == 100
        assert np.array_equal(pieces[0::2], [4] * 20)
        assert np.array_equal(pieces[1::2], [1] * 20)
