"""Bounds and invariants of records: what play keeps, and what a record from outside is refused for."""

import os
import subprocess
import sys

import numpy as np
import pytest

from banquet_envs import SaveError
from banquet_envs.core import state as records
from banquet_envs.games.great_evening_banquet.state import Phase
from banquet_envs.testing.play import play, walk
from tests.games.great_evening_banquet.build import ONE_OF_EACH, compiled_only, game

SHARED = ("rng", "seed", "ply", "player", "over", "capped", "points", "place", "_pad")


@pytest.mark.parametrize("configuration", ONE_OF_EACH, ids=str)
def test_play_keeps_them_and_every_field_has_bounds(configuration):
    g = configuration.make()
    bounds = g.spec.bounds(g.rules[0])
    assert set(bounds) == set(g.spec.state.names) - set(SHARED)
    for states, _, _ in walk(g, 31):
        g.check_records(states)
    assert states[0].over
    g.check_records(states)


def test_the_bounds_of_unused_seats_and_spaces_hold_nothing():
    g = game(2, expert=True)
    bounds = g.spec.bounds(g.rules[0])
    low, high = (np.broadcast_to(x, (4, 24)) for x in bounds["chamber"])
    assert (high[:2, :18] == 39).all()
    assert (high[2:] == -1).all()
    assert (high[:, 18:] == -1).all()
    assert (low == -1).all()
    assert list(bounds["planned"][1]) == [3, 3, 0, 0]  # Expert Rules have no card of 4
    assert bounds["box"][1].max() == 0
    assert (bounds["card"], bounds["round_number"]) == ((2, 3), (1, 7))


def position(phase, players=3, seat=None, seed=0, least_round=3, **options):
    """A position of random play in a phase; in phase 3 with something placed and not yet shown."""
    g = game(players, **options)
    for k in range(seed, seed + 50):
        for states, _, _ in walk(g, k):
            s = states[0]
            waiting = phase != Phase.PLACE_GUEST or (s.planned[s.player] > 0 and s.turn < players)
            if s.phase == phase and s.round_number >= least_round and waiting and not s.final:
                return g, records.copy(states)
    raise AssertionError("no such position")


def ended():
    g = game(3)
    return g, play(g, 1, 5)


def swap(array, a, b):
    array[a], array[b] = int(array[b]), int(array[a])


def first_kinds(s, where):
    """Indices of two different kinds that stand side by side in a kept list."""
    return next(k for k in range(len(where) - 1) if 0 <= where[k] < where[k + 1])


def unsort_salon(s):
    swap(s.salon, first_kinds(s, s.salon), first_kinds(s, s.salon) + 1)


def unsort_carriage(s):
    row = next(row for row in s.carriage if any(0 <= row[k] < row[k + 1] for k in range(3)))
    swap(row, first_kinds(s, row), first_kinds(s, row) + 1)


def unsort_chamber(s):
    """Two guests of one VIP out of order."""
    for seat in range(3):
        for t in range(6):
            k = 4 * t
            if 0 <= s.chamber[seat, k] < s.chamber[seat, k + 1]:
                swap(s.chamber[seat], k, k + 1)
                return


def gap_in_a_tile(s):
    """A blank before a guest."""
    for t in range(6):
        if s.chamber[0, 4 * t] >= 0 and s.chamber[0, 4 * t + 3] < 0:
            swap(s.chamber[0], 4 * t, 4 * t + 3)
            return


def guest_to_another_seat(s):
    """The same pieces, but one chamber holds a guest too many and another one too few."""
    a = next(k for k in range(23, -1, -1) if s.chamber[0, k] >= 0 and (k % 4 == 3 or s.chamber[0, k + 1] < 0))
    b = next(k for k in range(24) if s.chamber[1, k] < 0)
    s.chamber[1, b], s.chamber[0, a] = s.chamber[0, a], -1


def a_token_into_the_bag(s):
    """Carriage 0 has one guest less, the bag one more."""
    last = int(s.card) - 1
    s.bag[s.carriage[0, last]] += 1
    s.bag_size += 1
    s.carriage[0, last] = -1


def both(*changes):
    def change(s):
        for one in changes:
            one(s)

    return change


def put(field, value, at=None):
    def change(s):
        now = s[field] if at is None else s[field][at]
        new = value(now) if callable(value) else value
        assert new != now
        if at is None:
            s[field] = new
        else:
            s[field][at] = new

    return change


def fill_class(s):
    """The mover has placed its guests in a VIP that is full."""
    seat = int(s.player)
    full = next(t for t in range(6) if s.scored[seat, t])
    s.plan[seat, 0] = full


FAULTS = {
    "salon out of order": (Phase.CHOOSE_CARRIAGE, unsort_salon, "Grand Salon"),
    "carriage out of order": (Phase.CHOOSE_CARRIAGE, unsort_carriage, "ascending"),
    "chamber out of order": (Phase.CHOOSE_CARRIAGE, unsort_chamber, "ascending"),
    "a gap in a chamber": (Phase.CHOOSE_CARRIAGE, gap_in_a_tile, "blanks"),
    "a guest at another seat": (Phase.CHOOSE_CARRIAGE, guest_to_another_seat, "guests"),
    "a token missing on a carriage": (Phase.CHOOSE_CARRIAGE, a_token_into_the_bag, "carriage 0"),
    "bag size": (Phase.CHOOSE_CARRIAGE, put("bag_size", lambda n: n - 1), "size"),
    "round": (Phase.CHOOSE_CARRIAGE, both(put("round_number", lambda n: n + 1)), "cards"),
    "card": (Phase.CHOOSE_CARRIAGE, put("card", lambda n: n + 1 if n < 4 else 3), "card|carriage|guests"),
    "final too early": (Phase.CHOOSE_CARRIAGE, put("final", 1), "final"),
    "turn": (Phase.CHOOSE_CARRIAGE, put("turn", lambda k: (k + 1) % 3), "turn|decide"),
    "nobody's turn": (Phase.CHOOSE_CARRIAGE, put("turn", 3), "turn|decide"),
    "player": (Phase.CHOOSE_CARRIAGE, put("player", lambda p: (p + 1) % 3), "decide"),
    "order twice": (Phase.CHOOSE_CARRIAGE, put("order", lambda p: (p + 1) % 3, 2), "order"),
    "order not clockwise": (Phase.CHOOSE_CARRIAGE, lambda s: swap(s.order, 1, 2), "clockwise"),
    "over too early": (Phase.CHOOSE_CARRIAGE, both(put("over", True), lambda s: s.place.__setitem__(slice(0, 3), 0)), "over"),
    "a carriage taken by nobody who took it": (Phase.PLACE_GUEST, put("taken_by", -1, 0), "took"),
    "one carriage for two": (Phase.PLACE_GUEST, lambda s: s.taken.__setitem__(slice(0, 3), 0), "took"),
    "a carriage taken too early": (
        Phase.CHOOSE_CARRIAGE,
        lambda s: (put("taken", int(np.flatnonzero(s.taken_by < 0)[0]), int(s.player))(s),
                   put("taken_by", int(s.player), int(np.flatnonzero(s.taken_by < 0)[0]))(s)),
        "turn",
    ),
    "a letter twice": (Phase.CHOOSE_CARRIAGE, put("letter", lambda x: (x + 1) % 6, (1, 0)), "letter|VIP"),
    "scored, but not full": (Phase.CHOOSE_CARRIAGE, lambda s: s.scored.__setitem__((0, np.flatnonzero(s.scored[0] == 0)[0]), 1), "full"),
    "full, but not scored": (Phase.SALON_GIVE, lambda s: s.scored.__setitem__((s.player, np.flatnonzero(s.scored[s.player])[0]), 0), "full"),
    "points of an unscored tile": (
        Phase.CHOOSE_CARRIAGE,
        lambda s: (s.tile_points.__setitem__((0, np.flatnonzero(s.scored[0] == 0)[0]), 1), put("points", lambda x: x + 1, 0)(s)),
        "unscored",
    ),
    "points that no tile gave": (Phase.CHOOSE_CARRIAGE, put("points", lambda x: x + 1, 2), "points"),
    "photos before the end": (
        Phase.CHOOSE_CARRIAGE,
        both(put("photo_points", 2, (1, 0)), put("points", lambda x: x + 2, 1)),
        "photos",
    ),
    "planned without a class": (Phase.PLACE_GUEST, lambda s: s.plan.__setitem__((s.player, 0), -1), "placed"),
    "a class without being planned": (Phase.CHOOSE_CARRIAGE, put("plan", 2, (1, 0)), "placed"),
    "planned in a full tile": (Phase.PLACE_GUEST, fill_class, "room"),
    "placed out of turn": (
        Phase.PLACE_GUEST,
        lambda s: (put("planned", 0, int(s.player))(s), s.plan[s.player].fill(-1),
                   put("planned", 1, int(s.order[2]))(s), put("plan", int(np.flatnonzero(s.scored[s.order[2]] == 0)[0]),
                                                            (int(s.order[2]), 0))(s)),
        "out of turn",
    ),
    "all placed and still on the move": (
        Phase.PLACE_GUEST,
        lambda s: (put("planned", int(s.card), int(s.player))(s),
                   s.plan.__setitem__((s.player, slice(0, s.card)), np.flatnonzero(s.scored[s.player] == 0)[0])),
        "still to place|room",
    ),
    "salon pick in another phase": (Phase.CHOOSE_CARRIAGE, put("salon_pick", 0), "chosen"),
    "no salon pick": (Phase.SALON_GIVE, put("salon_pick", -1), "chosen"),
    "the second of equals picked": (
        Phase.SALON_GIVE,
        lambda s: (s.salon.__setitem__(slice(0, 2), s.salon[0]), s.salon.sort(), put("salon_pick", 1)(s)),
        "pieces|first",
    ),
    "salon used below its score": (
        Phase.CHOOSE_CARRIAGE,
        lambda s: s.salon_used.__setitem__(np.flatnonzero(s.salon_used[:3] == 0)[0], 1),
        "Grand Salon",
    ),
    "salon not used": (Phase.SALON_GIVE, put("phase", Phase.CHOOSE_CARRIAGE), "chosen|carriage|turn"),
    "a second visit": (Phase.SALON_TAKE, lambda s: s.salon_used.__setitem__(s.player, 1), "without having to"),
    "arrivals": (Phase.CHOOSE_CARRIAGE, put("arrivals", lambda x: x + 1), "arrived"),
    "two markers at once": (Phase.CHOOSE_CARRIAGE, lambda s: s.arrival.__setitem__(0, int(s.arrival[1])), "arrived"),
    "a marker that has not moved lies on one that has": (
        Phase.CHOOSE_CARRIAGE,
        lambda s: (put("arrival", 3, 0)(s), put("arrival", int(s.arrivals), 1)(s), put("arrival", 2, 2)(s)),
        "arrived",
    ),
    "a rank before the end": (Phase.CHOOSE_CARRIAGE, put("rank_key", 6, 0), "place"),
    "phase": (Phase.CHOOSE_CARRIAGE, put("phase", Phase.PLACE_GUEST), "taken by"),
    "more carriages": (Phase.CHOOSE_CARRIAGE, put("carriages", 4), "carriages"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_record_with_one_fault_is_refused(fault):
    phase, change, words = FAULTS[fault]
    g, states = position(phase, least_round=5)
    g.check_records(states)
    change(states[0])
    with pytest.raises(SaveError, match=words):
        g.check_records(states)


def test_the_order_of_the_final_round_must_be_that_of_the_scores():
    g = game(3)
    states = next(records.copy(states) for states, _, _ in walk(g, 3) if states[0].final)
    g.check_records(states)
    swap(states[0].order, 1, 2)
    with pytest.raises(SaveError, match="final round's order"):
        g.check_records(states)


@pytest.mark.parametrize("field", ["rank_key", "tile_points", "photo_points", "points"])
def test_the_end_must_add_up(field):
    g, states = ended()
    s = states[0]
    if s[field].ndim == 2:
        at = tuple(np.argwhere(s[field] > 0)[0])
        s[field][at] -= 1
    else:
        s[field][0] += 1
    with pytest.raises(SaveError, match=r"points|rank|unscored|paid|place"):
        g.check_records(states)


def test_an_ended_game_is_in_the_phase_of_its_end():
    g, states = ended()
    states[0].phase = Phase.CHOOSE_CARRIAGE
    with pytest.raises(SaveError, match="over too early"):
        g.check_records(states)


def test_with_random_placement_the_letters_are_alike_for_all_and_without_it_those_of_the_file():
    g = game(2, random_vip=True)
    states = g.reset(1, 3)
    swap(states[0].letter[1], 0, 1)
    with pytest.raises(SaveError, match="VIP"):
        g.check_records(states)
    g = game(2)
    states = g.reset(1, 3)
    for seat in range(2):
        swap(states[0].letter[seat], 0, 1)
    with pytest.raises(SaveError, match="letter"):
        g.check_records(states)


def move_to_box(s, k):
    """`k` tokens from the bag to the box."""
    for _ in range(k):
        kind = int(np.flatnonzero(s.bag)[0])
        s.bag[kind] -= 1
        s.bag_size -= 1
        s.box[kind] += 1


@pytest.mark.parametrize("tokens", [-1, 1, 30])
def test_alone_the_box_holds_what_carriages_and_redraws_have_cost(tokens):
    """Otherwise the bag could run out: a draw from an empty bag would never end."""
    g = game(1)
    for states, _, _ in walk(g, 2):
        s = states[0]
        if s.round_number == 2 and s.phase == Phase.CHOOSE_CARRIAGE and s.redraws == 0:
            break
    g.check_records(states)
    assert s.box.sum() == (g.rules[0].cards - s.cards_left) @ np.arange(5) - s.card
    if tokens > 0:
        move_to_box(s, tokens)
    else:
        kind = int(np.flatnonzero(s.box)[0])
        s.box[kind] -= 1
        s.bag[kind] += 1
        s.bag_size += 1
    with pytest.raises(SaveError, match="left the game"):
        g.check_records(states)


def test_alone_the_number_of_carriages_is_that_of_the_round():
    g = game(1)
    states = g.reset(1, 2)
    s = states[0]
    for kind in s.carriage[1]:
        if kind >= 0:
            s.bag[kind] += 1
            s.bag_size += 1
    s.carriage[1], s.carriages = -1, 1
    with pytest.raises(SaveError, match="carriages"):
        g.check_records(states)


# ---------------------------------------------------------------- what passes


def strict(*arguments):
    """Run the module of that name as plain Python; returns how many records were tried and passed."""
    command = [sys.executable, "-m", "tests.games.great_evening_banquet.strict", *map(str, arguments)]
    done = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return map(int, done.stdout.split())


@compiled_only
def test_no_record_that_passes_leads_a_rule_outside_its_arrays():
    tried, passed = strict(1, 16, 5)
    assert tried > passed > tried / 3


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
def test_no_record_that_passes_leads_a_rule_outside_its_arrays_in_any_variant(seed):
    tried, passed = strict(seed, 300, 1)
    assert tried > passed > tried / 3
