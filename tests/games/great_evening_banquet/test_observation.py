"""A decoder driven by the layout reads position and derived features back from the vector, for every seat."""

import numpy as np
import pytest

from banquet_envs.games.great_evening_banquet.components import LETTERS, SPACES
from banquet_envs.games.great_evening_banquet.state import Phase
from banquet_envs.testing import configurations
from banquet_envs.testing.play import walk
from tests.games.great_evening_banquet.build import EVERY, NAME, ONE_OF_EACH, game, place, play, seated
from tests.games.great_evening_banquet.recount import (
    guest,
    guests_at,
    guests_by_class,
    own_need,
    own_photo,
    own_tile,
    photo_tiles,
)


def tokens(block):
    """(k, 10) one-hots -> kinds, -1 for none."""
    return [int((one[:5].argmax() * 4 + one[5:9].argmax()) * 2 + one[9]) if one[:5].any() else -1 for one in block]


def hot(block):
    """A one-hot -> its index, -1 for none."""
    assert sorted(set(block.tolist())) in ([0.0], [0.0, 1.0], [1.0])
    assert block.sum() <= 1
    return int(block.argmax()) if block.any() else -1


def kinds(block):
    return [int(x) - 1 for x in np.rint(block * 40)]


def one(record):
    """A record as a batch of one."""
    return np.frombuffer(bytearray(record.tobytes()), record.dtype).view(np.recarray)


def whole_game(game, seed):
    """The positions of a random game, its end too."""
    for states, _, _ in walk(game, seed):
        yield states[0]
    yield states[0]


@pytest.mark.parametrize("configuration", EVERY, ids=str)
def test_the_public_position_can_be_read_back(configuration):
    game = configuration.make()
    n = game.num_players
    for s in whole_game(game, 21):
        for seat in range(n):
            see = game.layout.split(game.observe(one(s), seat)[0])
            turn = [(seat + k) % n for k in range(n)]
            assert hot(see["phase"]) == (-1 if s.over else s.phase)
            assert round(float(see["clock"][0]) * game.rules[0].rounds) == s.round_number
            assert see["clock"][1] == s.final
            assert see["clock"][2] * 4 == s.card
            assert list(see["cards_left"] * 4) == list(s.cards_left[1:])
            mover = hot(see["seat_to_move"])
            assert (-1 if s.over else s.player) == (turn[mover] if mover >= 0 else -1)
            assert hot(see["own_colour"]) == seat
            order = [int(s.order[round(float(x) * n)]) for x in see["turn_order"]]
            assert order == turn
            for c in range(max(n, 2)):
                assert tokens(see["carriage"][c]) == list(s.carriage[c])
                taker = hot(see["carriage_taken"][c])
                assert (turn[taker] if taker >= 0 else -1) == s.taken_by[c]
            assert tokens(see["salon"]) == list(s.salon)
            assert hot(see["salon_pick"]) == s.salon_pick
            assert list(see["bag"] * 4) == list(s.bag)
            assert [round(float(x) * 50) for x in see["points"]] == [s.points[p] for p in turn]
            assert list(see["salon_used"]) == [s.salon_used[p] for p in turn]
            assert see["redraws"][0] * 2 == s.redraws
            assert [round(float(x) * max(n - 1, 1)) for x in see["on_top"]] == [under(s, p, n) for p in turn]
            for k, p in enumerate(turn[1:]):
                filled = [(s.chamber[p, game.rules[0].tile_space[p, t]] >= 0).sum() for t in range(6)]
                assert list(see["other_tile"][k, :, 0] * 4) == filled
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


def under(record, seat, n):
    """Markers under the seat's one on its space; none at the end."""
    if record.over:
        return 0
    lower = [p for p in range(n) if record.arrival[p] < record.arrival[seat]]
    return sum(record.points[p] == record.points[seat] for p in lower)


def own_spaces(game, record, seat):
    """The own chamber with the placements of a running phase 3 behind the guests of their class."""
    start = game.rules[0].class_start[seat]
    spaces = np.full(SPACES, -1)
    for c, group in enumerate(guests_by_class(game, record, seat)):
        spaces[start[c] : start[c] + len(group)] = group
    return list(spaces)


def check_own_features(game, record, seat, see):
    """own_tile, own_need, own_photo, own_photo_colours, own_photo_want and own_space against the recount."""
    groups = guests_by_class(game, record, seat)
    for t in range(6):
        expected = own_tile(record, seat, t, guests_at(game, groups, seat, [t]))
        assert np.allclose(see["own_tile"][t], expected), (seat, t)
        assert list(see["own_need"][t]) == own_need(LETTERS[record.letter[seat, t]], seat)
    for number in range(1, 6):
        tiles = photo_tiles(game, seat, number)
        area = {k for t in tiles for k in game.rules[0].tile_space[seat, t]}
        numbers, colours, want = own_photo(seat, number, guests_at(game, groups, seat, tiles), len(area))
        assert np.allclose(see["own_photo"][number - 1], numbers), (seat, number)
        assert list(see["own_photo_colours"][number - 1]) == colours
        assert list(see["own_photo_want"][number - 1]) == want
    assert kinds(see["own_space"]) == own_spaces(game, record, seat)


@pytest.mark.parametrize("configuration", ONE_OF_EACH, ids=str)
def test_every_derived_feature_equals_a_recount(configuration):
    """For every seat, on the move or not: at the end, and wherever somebody has placed guests not yet shown."""
    game = configuration.make()
    looked = mid_phase = waiting = 0
    for states, _, _ in walk(game, 22):
        s = states[0]
        if s.ply % 4 and not s.planned.any():
            continue
        for seat in range(game.num_players):
            mid_phase += s.planned[seat] > 0
            waiting += s.planned[seat] > 0 and seat != s.player
            check_own_features(game, s, seat, game.layout.split(game.observe(states, seat)[0]))
            looked += 1
    for seat in range(game.num_players):
        check_own_features(game, states[0], seat, game.layout.split(game.observe(states, seat)[0]))
    assert looked > mid_phase > 4
    assert waiting > 4 or game.num_players == 1


def test_what_a_seat_that_has_placed_sees_of_its_own_while_the_next_one_places():
    # red: A+D is the area of photo 1, A+B+C of photo 4 (peach), D+E+F of photo 5
    g = game(2)
    hands = [["peach SL*", "blue G"], ["brown L", "brown SL"]]
    states = seated(g, chambers=[{"A": ["peach L*", "green L"]}, {}], hands=hands)
    play(g, states, place("D"), place("A"), place("F"))  # in the order of kinds: the blue Gentleman comes first
    assert (states[0].phase, states[0].player) == (Phase.PLACE_GUEST, 1)
    see = g.layout.split(g.observe(states, 0)[0])
    assert [round(float(x) * 12) for x in see["own_photo"][:, 0]] == [3, 0, 0, 2, 1]  # colours, -, -, peach, colours
    assert [round(float(x) * 6) for x in see["own_photo"][:, 2]] == [2, 0, 0, 1, 0]
    a = see["own_tile"][0]
    assert list(a[:5] * 4) == [0, 1, 0, 0, 2]
    assert a[9] * 4 == 2
    assert a[10] * 4 == 1
    assert a[13] == 1
    assert see["own_tile"][3][15] == 1  # red's D wants no Gentleman: it can no longer be met
    other = g.layout.split(g.observe(states, 1)[0])["other_tile"][0]
    assert list(other[:, 0] * 4) == [2, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("kind", [0, 1, 2, 7, 8, 38, 39])
def test_every_kind_of_guest_is_seen_as_it_is(kind):
    """The first and the last of all, of a colour, of a type, with and without toast: in hand, chamber and salon."""
    g = game(2)
    states = seated(g, chambers=[{}, {}], hands=[["blue G"], ["blue G"]])
    s = states[0]
    s.carriage[0, 0], s.chamber[0, 0], s.chamber[1, 23], s.salon[:] = kind, kind, kind, kind
    see = g.layout.split(g.observe(states, 0)[0])
    for where in ("hand", "salon"):
        assert tokens(see[where])[0] == kind
        one = see[where][0]
        colour, guest_type, toast = guest(kind)
        assert one[["blue", "green", "yellow", "brown", "peach"].index(colour)] == 1
        assert one[5 + ["gentleman", "lady", "senior_gentleman", "senior_lady"].index(guest_type)] == 1
        assert one[9] == toast
        assert one.sum() == 2 + toast
    assert kinds(see["own_space"])[0] == kinds(see["other_space"][0])[23] == kind
    assert see["bag"][kind] * 4 == s.bag[kind]


def test_markers_on_one_space_show_how_many_lie_under_each():
    g = game(4)
    states = seated(g, chambers=[{}] * 4, points=[7, 7, 3, 7])
    states[0].arrival[:] = [5, 9, 8, 7]
    see = g.layout.split(g.observe(states, 1)[0])
    # own first: seat 1 lies on two others, seat 2 alone, seat 3 on one, seat 0 at the bottom
    assert [round(float(x) * 3) for x in see["on_top"]] == [2, 0, 1, 0]
    words = g.describe(states, 1).splitlines()
    assert any("Seat 1 (blue, you): 7 points (marker on top of red and tan)" in line for line in words)
    assert any("Seat 3 (tan): 7 points (marker on top of red)," in line for line in words)
    assert "marker on top of red and tan" in g.draw(states, 1)


def test_nothing_is_on_top_once_the_photos_are_scored():
    g = game(3)
    states = seated(g, chambers=[{}] * 3, points=[7, 7, 7])
    states[0].over = True
    assert not g.layout.split(g.observe(states, 0)[0])["on_top"].any()
    assert "on top of" not in g.describe(states, 0)


def test_private_features_are_marked():
    game = configurations(NAME)[-1].make()
    private = {s.name for s in game.layout if not s.public}
    assert private == {"own_tile", "own_photo", "own_photo_colours", "own_space"}
