"""A decoder driven by the layout reads the public position back from the vector."""

import numpy as np
import pytest

from banquet_envs.testing import configurations
from banquet_envs.testing.play import walk
from tests.games.great_evening_banquet.build import NAME


def tokens(block):
    """(k, 10) one-hots -> kinds, -1 for none."""
    return [int((one[:5].argmax() * 4 + one[5:9].argmax()) * 2 + one[9]) if one[:5].any() else -1 for one in block]


def kinds(block):
    return [int(x) - 1 for x in np.rint(block * 40)]


@pytest.mark.parametrize("configuration", configurations(NAME), ids=str)
def test_the_public_position_can_be_read_back(configuration):
    game = configuration.make()
    n = game.num_players
    for states, _, _ in walk(game, 21):
        s = states[0]
        for seat in range(n):
            see = game.layout.split(game.observe(states, seat)[0])
            turn = [(seat + k) % n for k in range(n)]
            assert see["phase"].argmax() == s.phase
            assert round(float(see["clock"][0]) * game.rules[0].rounds) == s.round_number
            assert see["clock"][1] == s.final
            assert see["clock"][2] * 4 == s.card
            assert list(see["cards_left"] * 4) == list(s.cards_left[1:])
            assert turn[see["seat_to_move"].argmax()] == s.player
            assert see["own_colour"].argmax() == seat
            order = [int(s.order[round(float(x) * n)]) for x in see["turn_order"]]
            assert order == turn
            for c in range(max(n, 2)):
                assert tokens(see["carriage"][c]) == list(s.carriage[c])
                taker = see["carriage_taken"][c]
                assert (turn[taker.argmax()] if taker.any() else -1) == s.taken_by[c]
            assert tokens(see["salon"]) == list(s.salon)
            assert (see["salon_pick"].argmax() if see["salon_pick"].any() else -1) == s.salon_pick
            assert list(see["bag"] * 4) == list(s.bag)
            assert [round(float(x) * 50) for x in see["points"]] == [s.points[p] for p in turn]
            assert list(see["salon_used"]) == [s.salon_used[p] for p in turn]
            assert see["redraws"][0] * 2 == s.redraws
            for k, p in enumerate(turn[1:]):
                assert kinds(see["other_space"][k]) == list(s.chamber[p])
                assert list(see["other_tile"][k, :, 1]) == list(s.scored[p])
                assert [round(float(x) * 12) for x in see["other_tile"][k, :, 2]] == list(s.tile_points[p])
                assert [round(float(x) * 6) - 1 for x in see["other_tile"][k, :, 3]] == list(s.letter[p])
            assert [round(float(x) * 6) - 1 for x in see["letter"]] == list(s.letter[seat])
            own = sorted(k for k in kinds(see["own_space"]) if k >= 0)
            placed = [int(s.carriage[s.taken[seat], k]) for k in range(s.planned[seat])]
            assert own == sorted([*(int(k) for k in s.chamber[seat] if k >= 0), *placed])
            if s.taken[seat] >= 0:
                hand = [int(k) for k in s.carriage[s.taken[seat], s.planned[seat] :]]
                assert tokens(see["hand"]) == hand + [-1] * (4 - len(hand))
            else:
                assert not see["hand"].any()


def test_private_features_are_marked():
    game = configurations(NAME)[-1].make()
    private = {s.name for s in game.layout if not s.public}
    assert private == {"hand", "own_tile", "own_photo", "own_photo_colours", "own_space"}
