"""The numbered rulings of the game's README, one test (or more) each. Scoring rulings are in test_scoring.py."""

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.games.great_evening_banquet.components import LETTERS
from banquet_envs.games.great_evening_banquet.rules import draw_token, flip_arrival_card, rank_players
from banquet_envs.games.great_evening_banquet.state import Action, Phase
from banquet_envs.testing.play import walk
from tests.games.great_evening_banquet.build import (
    chi_square,
    game,
    give,
    place,
    play,
    seated,
    take_from_salon,
    token,
)
from tests.sizes import many


@pytest.mark.parametrize(
    ("options", "rounds", "values"), [({}, 9, [2] * 4 + [3] * 4 + [4]), ({"expert": True}, 7, [2] * 3 + [3] * 4)]
)
def test_ruling_1_the_last_arrival_card_gives_the_final_rounds_value(options, rounds, values):
    g = game(2, **options)
    shown = {}
    for states, _, _ in walk(g, 3):
        s = states[0]
        shown[int(s.round_number)] = int(s.card)
        assert s.final == (s.round_number == rounds)
        assert s.final == (s.cards_left.sum() == 0)
    assert sorted(shown) == list(range(1, rounds + 1))
    assert sorted(shown.values()) == values


def test_ruling_2_the_order_of_the_cards_is_unknown_but_their_values_are():
    g = game(2)
    states = g.reset(1, 5)
    states[0].cards_left[:] = [0, 0, 4, 3, 1]
    copies = records.take(states, np.zeros(4000, int))
    g.determinize(copies, 0, 1)
    for record in copies:
        flip_arrival_card(record)
    assert ((copies.card[:, None] == np.arange(5)) + copies.cards_left == states[0].cards_left).all()
    counts = np.bincount(copies.card, minlength=5)
    assert counts[:2].sum() == 0
    assert chi_square(counts[2:], [2000, 1500, 500]) < 20  # 99.99 % quantile for 2 degrees of freedom is 18.4


def test_ruling_3_the_first_player_is_uniform_and_the_bag_passes_left():
    g = game(3)
    n = many(3000)
    first = np.bincount(g.reset(n, 1).order[:, 0], minlength=3)
    assert chi_square(first, [n / 3] * 3) < 19
    starts = {}
    for states, _, _ in walk(g, 2):
        starts[int(states[0].round_number)] = [int(k) for k in states[0].order[:3]]
    for r in range(2, 9):
        assert starts[r][0] == (starts[r - 1][0] + 1) % 3
        assert starts[r][1] == (starts[r][0] + 1) % 3


def test_tokens_are_drawn_by_their_numbers_in_the_bag_the_first_and_the_last_kind_too():
    states = game(2).reset(1, 5)
    s = states[0]
    s.bag[:] = 0
    s.bag[[0, 20, 39]], s.bag_size = [2, 5, 1], 8
    copies = records.take(states, np.zeros(4000, int))
    copies.rng[:] = np.arange(4000)
    drawn = np.array([draw_token(record) for record in copies])
    assert (copies.bag.sum(axis=1) == 7).all()
    assert (copies.bag_size == 7).all()
    assert (copies.bag[np.arange(4000), drawn] == s.bag[drawn] - 1).all()
    assert chi_square(np.bincount(drawn, minlength=40)[[0, 20, 39]], [1000, 2500, 500]) < 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_4_as_many_carriages_as_players_each_with_the_cards_number(players):
    g = game(players)
    for states, _, _ in walk(g, 4):
        s = states[0]
        if s.phase == Phase.CHOOSE_CARRIAGE:
            assert s.carriages == players
            assert ((s.carriage[:players] >= 0).sum(axis=1) == s.card).all()
        if s.phase == Phase.PLACE_GUEST:
            assert sorted(s.taken_by[:players]) == list(range(players))


def test_ruling_5_placements_are_hidden_until_all_have_placed():
    g = game(2)
    hands = [["blue G", "green L"], ["brown SL", "peach SG"]]
    states = seated(g, chambers=[{}, {}], hands=hands)
    seen = g.observe(states, 1)[0].copy()
    play(g, states, place("A"))
    assert np.array_equal(g.observe(states, 1)[0], seen)
    play(g, states, place("B"))
    assert states[0].player == 1
    after = g.layout.split(g.observe(states, 1)[0])
    assert not after["other_space"].any()
    play(g, states, place("A"))
    assert not g.layout.split(g.observe(states, 1)[0])["other_space"].any()
    play(g, states, place("A"))
    assert (g.layout.split(g.observe(states, 1)[0])["other_space"] > 0).sum() == 2


def test_ruling_5_determinize_samples_the_others_placements_uniformly():
    g = game(2)
    states = seated(g, chambers=[{}, {}], hands=[["blue G"], ["green L"]])
    play(g, states, place("C"))
    n = many(6000)
    copies = records.take(states, np.zeros(n, int))
    g.determinize(copies, 1, 3)
    counts = np.bincount(copies.plan[:, 0, 0], minlength=6)
    assert chi_square(counts, [n / 6] * 6) < 28  # 99.99 % quantile for 5 degrees of freedom is 25.7
    own = records.take(states, np.zeros(50, int))
    g.determinize(own, 0, 3)
    assert (own.plan[:, 0, 0] == 2).all()


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0]])
def test_ruling_5_every_seat_that_has_placed_is_sampled_for_every_other_the_first_and_the_last_too(order):
    g = game(4)
    states = seated(g, chambers=[{}] * 4, hands=[["blue G"]] * 4, order=order)
    play(g, states, place("C"), place("C"), place("C"))  # the last of the order is still to place
    for looking in range(4):
        copies = records.take(states, np.zeros(60, int))
        g.determinize(copies, looking, 5)
        for seat in order[:3]:
            seen = set(copies.plan[:, seat, 0].tolist())
            assert seen == ({2} if seat == looking else set(range(6)))


def test_ruling_6_an_action_is_the_next_token_to_a_tile_and_every_token_is_placed():
    g = game(2)
    full = {"A": ["blue G"] * 4, "B": ["brown G"] * 3}
    states = seated(g, chambers=[full, {}])
    assert [LETTERS[a - Action.PLACE] for a in np.flatnonzero(g.legal_actions(states)[0])] == ["B", "C", "D", "E", "F"]


# ---------------------------------------------------------------- asked, though forced; not asked, though free


def final_round(chambers, hands, **options):
    """The final round, everybody about to place their last guests."""
    g = game(len(hands), **options)
    states = seated(g, chambers=chambers, hands=hands, round_number=9)
    states[0].final, states[0].cards_left[:], states[0].salon_used[: len(hands)] = 1, 0, 1
    return g, states


def legal_places(g, states):
    return [LETTERS[a - Action.PLACE] for a in np.flatnonzero(g.legal_actions(states)[0])]


@pytest.mark.parametrize("at", LETTERS)
def test_the_last_guest_of_the_final_round_is_seated_unasked_wherever_the_space_is(at):
    rest = [x for x in LETTERS if x != at]
    open_at = {x: ["yellow L"] * (3 if x in (at, rest[0], rest[-1]) else 4) for x in LETTERS}
    g, states = final_round([open_at] * 2, [["green L", "peach SL", "peach SL*"]] * 2)
    for seat in range(2):
        assert states[0].player == seat
        assert legal_places(g, states) == sorted([at, rest[0], rest[-1]])  # the first: free
        play(g, states, place(rest[0]))
        assert legal_places(g, states) == sorted([at, rest[-1]])  # the second: still free
        play(g, states, place(rest[-1]))  # the third has one space, and everybody can see that there is only one
    assert states[0].over
    for seat in range(2):
        assert token("peach SL*") in states[0].chamber[seat, g.rules[0].tile_space[seat, LETTERS.index(at)]]


def test_two_guests_for_two_spaces_of_one_vip_in_the_final_round_are_seated_unasked():
    two = {x: ["yellow L"] * 4 for x in "ABCDE"} | {"F": ["yellow L"] * 2}
    free = {x: ["yellow L"] * 4 for x in "ABCD"} | {"E": ["yellow L"] * 3, "F": ["yellow L"] * 3}
    g, states = final_round([two, free, two], [["green L", "peach SL"]] * 3)
    states[0].phase, states[0].taken[:], states[0].taken_by[:] = Phase.CHOOSE_CARRIAGE, -1, -1
    play(g, states, 0, 1)
    assert (states[0].phase, states[0].player, states[0].planned[1]) == (Phase.PLACE_GUEST, 1, 0)
    play(g, states, place("E"))
    assert states[0].over


def test_before_the_final_round_a_guest_is_asked_for_when_only_the_own_secret_leaves_one_space():
    # Two VIPs are open to all eyes. The first guest fills one of them, which the others cannot know: the second is asked.
    full = {x: ["yellow L"] * 4 for x in "ABCD"}
    g = game(2)
    states = seated(g, chambers=[full | {"E": ["yellow L"] * 3, "F": []}, {}], hands=[["green L", "peach SL"]] * 2)
    play(g, states, place("E"))
    assert states[0].player == 0
    assert legal_places(g, states) == ["F"]


def test_alone_the_own_placements_are_no_secret():
    full = {x: ["yellow L"] * 4 for x in "ABCD"}
    g = game(1)
    states = seated(g, chambers=[full | {"E": ["yellow L"] * 3, "F": []}], hands=[["green L", "peach SL"]])
    play(g, states, place("E"))
    assert states[0].phase != Phase.PLACE_GUEST


@pytest.mark.parametrize("kind", [0, 1, 20, 38, 39])
@pytest.mark.parametrize(
    ("salon", "offered"),
    [
        ((0, 0, 0, 0), []),
        ((0, 1, 1, 1), [0, 1]),
        ((0, 0, 0, 1), [0, 3]),
        ((0, 0, 1, 1), [0, 2]),
        ((0, 1, 1, 2), [0, 1, 3]),
    ],
)
def test_of_equal_salon_guests_the_first_is_offered_and_four_equal_ones_are_not_asked_for(salon, offered, kind):
    g, states = visit({"C": ["brown G*", "blue L", "blue L", "green L"]}, stop=False)
    s = states[0]
    s.salon[:] = sorted((kind + 3 * x) % 40 for x in salon)
    if kind >= 38 and len(set(salon)) > 1:
        offered = sorted({list(s.salon).index(k) for k in s.salon})
    play(g, states, place("A"))
    if offered:
        assert s.phase == Phase.SALON_TAKE
        assert list(np.flatnonzero(g.legal_actions(states)[0]) - Action.SALON) == offered
    else:
        assert (s.phase, s.salon_pick) == (Phase.SALON_GIVE, 0)


def test_own_guests_that_are_all_alike_and_together_are_given_unasked():
    g = game(2)
    states = seated(g, chambers=[{"A": ["blue G"] * 3}, {}], points=[10, 0], salon=("green L",) * 4)
    play(g, states, place("A"), place("A"))
    s = states[0]
    assert (s.salon_used[0], s.phase) == (1, Phase.CHOOSE_CARRIAGE)
    assert [int(k) for k in s.chamber[0, :4]] == sorted([token("blue G")] * 3 + [token("green L")])


@pytest.mark.parametrize("second", ["blue G", "blue L", "blue SG"])
def test_own_guests_of_two_kinds_or_at_two_vips_are_asked_for(second):
    g = game(2)
    at_a = second != "blue G"
    chambers = [{"A": ["blue G"] * 2 + [second]} if at_a else {"A": ["blue G"] * 3, "B": ["blue G"]}, {}]
    states = seated(g, chambers=chambers, points=[10, 0], salon=("green L",) * 4)
    play(g, states, place("A"), place("A"))
    assert states[0].phase == Phase.SALON_GIVE
    expected = [0, 3] if at_a else [0, 4]
    assert list(np.flatnonzero(g.legal_actions(states)[0]) - Action.GIVE) == expected


@pytest.mark.parametrize("players", [2, 4])
def test_the_last_two_carriages_are_a_choice_the_last_one_is_none(players):
    g = game(players)
    states = g.reset(1, 3)
    for left in range(players, 1, -1):
        assert g.legal_actions(states)[0, :4].sum() == left
        play(g, states, int(np.flatnonzero(g.legal_actions(states)[0])[-1]))
    s = states[0]
    assert (s.phase, s.turn) == (Phase.PLACE_GUEST, 0)
    assert s.taken_by[0] == s.order[players - 1]  # the first carriage was left for the last seat


def test_ruling_6_expert_rules_have_nine_space_classes():
    g = game(2, expert=True)
    sizes = np.diff(g.rules[0].class_start[0, :10])
    assert sorted(sizes) == [1, 1, 1, 1, 2, 3, 3, 3, 3]
    assert g.num_actions == 34 + 9
    assert game(2).num_actions == 34 + 6


def test_ruling_10_the_salon_opens_after_all_of_phase_4_in_turn_order():
    g = game(2)
    tile = ["peach G*", "peach L*", "peach SG*"]
    states = seated(
        g, chambers=[{"A": tile}, {"A": tile}], hands=[["peach SL*"], ["peach SL*"]], order=[1, 0], points=[0, 0]
    )
    play(g, states, place("A"), place("A"))
    s = states[0]
    assert [int(p) for p in s.points[:2]] == [12, 12]  # both have scored before anybody visits the salon
    assert (s.phase, s.player) == (Phase.SALON_TAKE, 1)
    before = np.flatnonzero(g.legal_actions(states)[0])
    assert set(before) <= set(range(Action.SALON, Action.SALON + 4))  # mandatory: there is nothing else to do
    play(g, states, int(before[0]))
    assert (states[0].phase, states[0].player) == (Phase.SALON_GIVE, 1)
    play(g, states, int(np.flatnonzero(g.legal_actions(states)[0])[0]))
    assert (states[0].phase, states[0].player) == (Phase.SALON_TAKE, 0)


def test_ruling_10_once_per_game():
    g = game(2)
    uses = np.zeros(2, int)
    for states, _, action in walk(g, 8):
        if Action.GIVE <= action < Action.PLACE:
            uses[states[0].player] += 1
    assert (uses <= 1).all()


def visit(own, points=10, salon=("blue SL", "green G", "yellow G", "brown L"), stop=True):
    """The red player at the Grand Salon with these tiles; the other player has nothing to do.

    With `stop=False` the other player is still to place, at VIP A.
    """
    g = game(2)
    states = seated(g, chambers=[own, {}], hands=[["green SG"], ["green SG"]], points=[points, 0], salon=salon)
    free = next(x for x in "FEDCBA" if len(own.get(x, [])) < 3)
    play(g, states, place(free))
    if stop:
        play(g, states, place("A"))
        assert states[0].phase == Phase.SALON_TAKE
    return g, states


def test_ruling_11_the_exchange_is_two_way_and_the_toast_travels():
    g, states = visit({"C": ["brown G*", "blue L", "blue L", "green L"]})
    play(g, states, take_from_salon(states, "blue SL"))
    play(g, states, give(g, states, "C", "brown G*"))
    s = states[0]
    assert sorted(s.salon) == sorted(token(w) for w in ("brown G*", "green G", "yellow G", "brown L"))
    spaces = g.rules[0].tile_space[0, 2]
    assert sorted(s.chamber[0, spaces]) == sorted(token(w) for w in ("blue SL", "blue L", "blue L", "green L"))


@pytest.mark.parametrize("given", ["blue G", "green SG*", "peach SL*"])
@pytest.mark.parametrize("slot", range(4))
def test_ruling_11_salon_and_chamber_stay_in_order_whatever_is_exchanged(slot, given):
    """The own guest is the lowest kind, one in the middle or the highest; the next visitor is offered all four."""
    g, states = visit({"C": ["blue L", given, "yellow SG", "peach SG"]})
    s = states[0]
    taken = int(s.salon[slot])
    play(g, states, Action.SALON + slot)
    assert (s.phase, s.salon_pick) == (Phase.SALON_GIVE, slot)
    before = sorted([*(int(k) for k in s.salon), *(int(k) for k in s.chamber[0, 8:12])])
    play(g, states, give(g, states, "C", given))
    assert list(s.salon) == sorted(s.salon)
    assert list(s.chamber[0, 8:12]) == sorted(s.chamber[0, 8:12])
    assert token(given) in s.salon
    assert taken in s.chamber[0, 8:12]
    assert sorted([*(int(k) for k in s.salon), *(int(k) for k in s.chamber[0, 8:12])]) == before
    assert s.salon_pick == -1


def test_ruling_11_a_later_visitor_finds_the_guest_that_was_given():
    """Red gives the lowest kind, blue comes after it: the salon is sorted, so three equal ones are one choice."""
    g = game(2)
    own = {"C": ["blue G", "yellow L", "yellow SG", "peach SG"]}
    states = seated(g, chambers=[own, own], points=[10, 10], salon=("green G", "green G", "green G", "brown L"))
    play(g, states, place("A"), place("A"))
    play(g, states, take_from_salon(states, "brown L"), give(g, states, "C", "blue G"))
    s = states[0]
    assert (s.player, s.phase) == (1, Phase.SALON_TAKE)
    assert list(s.salon) == [token("blue G")] + [token("green G")] * 3
    assert list(np.flatnonzero(g.legal_actions(states)[0]) - Action.SALON) == [0, 1]


def test_ruling_11_an_identical_token_may_be_exchanged():
    g, states = visit({"C": ["brown L", "blue L", "blue L", "green L"]})
    play(g, states, take_from_salon(states, "brown L"))
    assert g.legal_actions(states)[0, give(g, states, "C", "brown L")]


def test_ruling_12_a_swap_on_a_scored_tile_keeps_its_points():
    g, states = visit({"C": ["brown G", "blue SL", "blue SL", "green L"]})
    states[0].tile_points[0, 2] = 3
    play(g, states, take_from_salon(states, "blue SL"))
    play(g, states, give(g, states, "C", "brown G"))
    assert states[0].tile_points[0, 2] == 3
    assert states[0].points[0] == 10


def test_ruling_12_a_swap_on_an_unscored_tile_counts_there():
    g, states = visit({"C": ["blue G", "blue L", "green SG"]})
    play(g, states, take_from_salon(states, "blue SL"))
    play(g, states, give(g, states, "C", "blue G"))
    s = states[0]
    s.phase, s.turn, s.player, s.card = Phase.PLACE_GUEST, 0, int(s.order[0]), 1
    s.carriage[:], s.plan[:], s.planned[:], s.taken[:2], s.taken_by[:2] = -1, -1, 0, [0, 1], [0, 1]
    s.carriage[0, 0], s.carriage[1, 0] = token("green SL"), token("blue G")
    while states[0].phase == Phase.PLACE_GUEST and states[0].planned[:2].sum() < 2:
        mine = states[0].player == 0
        play(g, states, place("C" if mine else "A"))
    # blue L, blue SL, green SG, green SL: a pair 1 + two colours 2, and two Senior Ladies meet red's C
    assert states[0].tile_points[0, 2] == 3


def test_ruling_13_a_swap_on_a_shared_space_counts_for_the_unscored_tile_and_the_photos():
    g = game(2, expert=True)
    states = g.reset(1, 1)
    s = states[0]
    rules = g.rules[0]
    shared = next(c for c in range(9) if set(rules.class_tile[0, c]) == {0, 1})
    space = int(rules.class_start[0, shared])
    s.chamber[:], s.scored[:] = -1, 0
    for k in rules.tile_space[0, 0]:
        s.chamber[0, k] = token("blue G")
    s.scored[0, 0], s.tile_points[0, 0], s.points[0] = 1, 7, 10
    s.phase, s.turn, s.player, s.order[:2], s.salon_used[1] = Phase.SALON_TAKE, 0, 0, [0, 1], 1
    s.salon[:] = sorted(token(w) for w in ("brown SL", "green G", "green L", "yellow G"))
    play(g, states, take_from_salon(states, "brown SL"))
    play(g, states, Action.GIVE + space)
    assert states[0].tile_points[0, 0] == 7
    seen = g.layout.split(g.observe(states, 0)[0])["own_tile"]
    assert seen[1, 3] == 0.25  # one brown guest beside the neighbour
    assert seen[1, 0] == 0


def last_guest(chamber, guest, points):
    """The final round alone, one space left: after it has been filled."""
    g = game(1)
    states = seated(g, chambers=[chamber], hands=[[guest]], points=[points], round_number=9)
    s = states[0]
    s.final, s.cards_left[:], s.phase, s.taken[:], s.taken_by[:] = 1, 0, Phase.CHOOSE_CARRIAGE, -1, -1
    play(g, states, 0)
    return g, states


def test_ruling_14_the_salon_is_used_in_the_last_round_before_the_photos():
    # A: complete set 5 + one colour 3 + four toasts 4 = 12; the photos of the rest score for yellow Ladies: nothing for red
    full = {x: ["yellow L"] * 4 for x in "BCDEF"} | {"A": ["peach G*", "peach L*", "peach SG*"]}
    g, states = last_guest(full, "peach SL*", 0)
    s = states[0]
    assert (s.phase, s.points[0], s.over) == (Phase.SALON_TAKE, 12, False)
    assert not s.photo_points[0].any()
    play(g, states, int(np.flatnonzero(g.legal_actions(states)[0])[0]))
    assert not states[0].over
    play(g, states, give(g, states, "F", "yellow L"))
    assert states[0].over


def test_ruling_14_reaching_10_through_photos_opens_no_salon():
    # Four brown Senior Ladies at F make 4 + 3 = 7, halved (red's F wants green): 3. Photo 3 (C+F): 8 Senior Ladies, 4 points;
    # photos 1, 2, 4 and 5 see brown and green: photo 2 (B+E) 4 brown = 2.
    full = {
        "A": ["brown G"] * 4,
        "B": ["brown G"] * 4,
        "C": ["brown SL"] * 4,
        "D": ["brown G"] * 4,
        "E": ["green G"] * 4,
    }
    _, states = last_guest(full | {"F": ["brown SL"] * 3}, "brown SL", 5)
    s = states[0]
    assert [int(x) for x in s.photo_points[0]] == [0, 2, 4, 0, 0]
    assert (s.over, s.points[0], s.salon_used[0]) == (True, 5 + 3 + 6, 0)


def final_order(points, arrival):
    """The order of the final round for these scores when the last round but one ends."""
    n = len(points)
    g = game(n)
    states = seated(g, chambers=[{}] * n, points=points, round_number=8)
    s = states[0]
    s.cards_left[:], s.cards_left[2] = 0, 1
    s.salon_used[:n] = 1
    s.arrival[:n] = arrival
    play(g, states, *[place("A")] * n)
    assert states[0].final
    return [int(k) for k in states[0].order[:n]]


def test_ruling_15_the_final_round_goes_from_the_lowest_to_the_highest_score():
    assert final_order([20, 5, 12, 9], [1, 2, 3, 4]) == [1, 3, 2, 0]


def test_ruling_15_the_order_stays_when_scores_change_in_phase_4():
    g = game(2)
    tile = ["peach G*", "peach L*", "peach SG*"]
    chambers = [{x: ["blue G"] * 4 for x in "BCDEF"} | {"A": tile}] * 2
    states = seated(g, chambers=chambers, hands=[["peach SL*"]] * 2, order=[1, 0], points=[9, 8], round_number=9)
    s = states[0]
    s.final, s.cards_left[:], s.phase = 1, 0, Phase.CHOOSE_CARRIAGE
    s.taken[:], s.taken_by[:] = -1, -1
    play(g, states, 0)  # the rest is forced: the other carriage, both placements
    assert (states[0].phase, states[0].player) == (Phase.SALON_TAKE, 1)
    assert [int(k) for k in states[0].order[:2]] == [1, 0]


def test_ruling_16_on_a_tie_the_marker_on_top_is_the_lower():
    assert final_order([7, 7, 7], [4, 9, 6]) == [1, 2, 0]


def test_ruling_16_a_tile_of_0_points_does_not_move_the_marker():
    g = game(2)
    # one pair 1 + three colours 0 = 1, A unmet: 0 points
    states = seated(g, chambers=[{"A": ["blue G", "blue G", "green L"]}, {}], hands=[["brown SL"], ["blue G"]])
    before = states[0].arrival.copy()
    play(g, states, place("A"), place("B"))
    assert states[0].scored[0, 0] == 1
    assert np.array_equal(states[0].arrival, before)


def test_ruling_17_markers_start_stacked_in_turn_order_the_last_player_on_top():
    g = game(4)
    s = g.reset(1, 9)[0]
    arrivals = [int(s.arrival[k]) for k in s.order]
    assert arrivals == sorted(arrivals)
    assert len(set(arrivals)) == 4


def test_ruling_19_a_photo_tile_is_flipped_only_if_it_scored_and_breaks_ties():
    # Equal points: seat 1 has them from more photo tiles.
    g = game(2)
    flat = {x: ["blue G"] * 4 for x in "ABCDEF"}
    one = flat | {"F": ["blue G"] * 3}
    states = seated(g, chambers=[one, one], hands=[["blue G"], ["blue G"]], round_number=9)
    s = states[0]
    s.final, s.cards_left[:], s.salon_used[:2] = 1, 0, 1
    s.phase, s.taken[:], s.taken_by[:] = Phase.CHOOSE_CARRIAGE, -1, -1
    play(g, states, 0)
    assert states[0].over
    photos = [[int(x) for x in states[0].photo_points[p]] for p in range(2)]
    # red: nothing blue wanted. blue player: photo 3 counts Gentlemen (8 = 4 points), photo 4 blue (12 = 6 points)
    assert photos == [[0, 0, 0, 0, 0], [0, 0, 4, 6, 0]]


def ranks(points, flipped):
    g = game(len(points))
    full = {x: ["yellow L"] * 4 for x in "ABCDEF"} | {"F": ["yellow L"] * 3}
    states = seated(g, chambers=[full] * len(points), hands=[["yellow L"]] * len(points), round_number=9)
    s = states[0]
    s.points[: len(points)] = points
    for seat, n in enumerate(flipped):
        s.photo_points[seat, :n] = 1
    rank_players(s, g.rules[0])
    return [int(p) for p in s.place[: len(points)]]


def test_ruling_20_points_then_flipped_photos_then_shared():
    assert ranks([30, 31, 29], [5, 0, 5]) == [1, 0, 2]
    assert ranks([30, 30, 29], [1, 2, 5]) == [1, 0, 2]
    assert ranks([30, 30, 29], [2, 2, 5]) == [0, 0, 2]


def test_ruling_21_random_vip_is_one_assignment_for_all_and_photos_stay():
    g = game(4, random_vip=True)
    n = many(500, 60)
    states = g.reset(n, 3)
    position = g.rules[0].position
    seen = set()
    for s in states:
        by_place = [[int(s.letter[p, list(position[p]).index(k)]) for k in range(6)] for p in range(4)]
        assert all(row == by_place[0] for row in by_place)
        assert sorted(by_place[0]) == list(range(6))
        seen.add(tuple(by_place[0]))
    assert len(seen) > 0.6 * n  # of 720
    for at in (0, 5):
        assert chi_square(np.bincount(states.letter[:, 0, at], minlength=6), [n / 6] * 6) < 28


def test_ruling_22_in_expert_rules_one_guest_may_complete_two_tiles():
    g = game(2, expert=True)
    rules = g.rules[0]
    states = seated(game(2), chambers=[{}, {}], hands=[["green SG"], ["green SG"]])
    s = states[0]
    shared = next(c for c in range(9) if set(rules.class_tile[0, c]) == {0, 1})
    for t in (0, 1):
        s.chamber[0, rules.tile_space[0, t]] = token("green L")
    s.chamber[0, rules.class_start[0, shared]] = -1
    s.scored[:] = 0
    play(g, states, Action.PLACE + shared)
    play(g, states, Action.PLACE + 0)
    assert [int(x) for x in states[0].scored[0, :2]] == [1, 1]


def test_expert_layout_areas_are_8_6_8_10_10_and_18_spaces():
    rules = game(4, expert=True).rules[0]
    assert rules.num_spaces == 18
    for seat in range(4):
        sizes = [int(rules.line_size[seat, line]) for line in rules.photo_line[seat]]
        assert sizes == [8, 6, 8, 10, 10]
    assert [int(x) for x in game(4).rules[0].line_size[0]] == [8, 8, 8, 12, 12]


def test_ruling_23_expert_thresholds_are_the_same():
    rules = game(1, expert=True).rules[0]
    assert (rules.salon_trigger, rules.solo_threshold) == (10, 20)


@pytest.mark.parametrize("expert", [False, True])
def test_every_letter_position_of_the_default_placement_mirrors_one_grid(expert):
    rules = game(4, expert=expert).rules[0]
    assert (rules.letter == np.arange(6)).all()
    assert (rules.photo_line == [0, 1, 2, 3, 4]).all()
    assert (rules.class_tile == rules.class_tile[0]).all()


# ---------------------------------------------------------------- Solo Mode


def test_ruling_s1_carriages_alternate_two_and_one():
    g = game(1)
    for states, _, _ in walk(g, 3):
        s = states[0]
        if s.phase == Phase.CHOOSE_CARRIAGE and not s.final:
            assert s.carriages == (2 if s.round_number % 2 else 1)


def test_ruling_s3_the_carriage_not_chosen_leaves_the_game_and_exactly_24_guests_are_seated():
    g = game(1)
    s = None
    for states, _, action in walk(g, 5):
        s = states[0]
        if s.phase == Phase.CHOOSE_CARRIAGE and action < Action.REDRAW and s.carriages == 2:
            gone = int(s.box.sum()) + int(s.card)
            after = records.copy(states)
            g.step(after, [action])
            while after[0].phase == Phase.PLACE_GUEST and after[0].round_number == s.round_number:
                g.step(after, [int(np.flatnonzero(g.legal_actions(after)[0])[0])])
            assert after[0].box.sum() == gone
    assert (states[0].chamber[0] >= 0).sum() == 24


def test_ruling_s4_a_redraw_replaces_all_guests_of_one_carriage():
    g = game(1)
    states = g.reset(1, 7)
    old, kept = states[0].carriage[0].copy(), states[0].carriage[1].copy()
    play(g, states, Action.REDRAW + 0)
    s = states[0]
    assert np.array_equal(s.carriage[1], kept)
    assert s.box.sum() == s.card
    assert all(s.box[k] >= 1 for k in old if k >= 0)
    assert (s.carriage[0] >= 0).sum() == s.card


def test_ruling_s5_two_redraws_per_game_both_may_fall_in_one_round():
    g = game(1)
    states = g.reset(1, 7)
    play(g, states, Action.REDRAW + 0, Action.REDRAW + 0)
    assert states[0].redraws == 2
    assert not g.legal_actions(states)[0, Action.REDRAW : Action.REDRAW + 2].any()


def test_ruling_s6_redraws_in_even_rounds_too_unless_the_option_says_odd():
    for option, expected in (("all", True), ("odd", False)):
        g = game(1, solo_redraw=option)
        even = False
        for states, mask, action in walk(g, 11):
            even |= bool(states[0].round_number % 2 == 0 and mask[Action.REDRAW : Action.REDRAW + 2].any())
            assert option == "all" or states[0].round_number % 2 or not Action.REDRAW <= action < Action.SALON
        assert even == expected


def solo_end(redraws):
    g = game(1)
    full = {x: ["yellow L"] * 4 for x in "ABCDEF"} | {"F": ["yellow L"] * 3}
    states = seated(g, chambers=[full], hands=[["yellow L"]], points=[30], round_number=9)
    s = states[0]
    s.final, s.cards_left[:], s.salon_used[0], s.redraws = 1, 0, 1, redraws
    s.phase, s.taken[:], s.taken_by[:] = Phase.CHOOSE_CARRIAGE, -1, -1
    if redraws < 2:
        play(g, states, 0)
    else:  # with one carriage and no redraw left nothing has to be asked: start one decision earlier
        s.redraws = 1
        play(g, states, Action.REDRAW)
        assert states[0].over
    return int(states[0].points[0])


def test_ruling_s7_penalties_0_1_2_come_after_the_photos():
    # F: four of a kind 4 + one colour 3 = 7, red's F wants two green: 3. No photo scores.
    assert [solo_end(0), solo_end(1)] == [33, 32]


@pytest.mark.parametrize(("points", "carriages"), [(19, 2), (20, 1)])
def test_ruling_s8_twenty_points_leave_one_carriage_in_the_final_round(points, carriages):
    g = game(1)
    states = seated(g, chambers=[{}], points=[points], round_number=8)
    s = states[0]
    s.cards_left[:], s.cards_left[2], s.salon_used[0] = 0, 1, 1
    play(g, states, place("A"))
    assert states[0].final
    assert states[0].carriages == carriages


@pytest.mark.parametrize(
    ("expert", "points", "title"),
    [
        (False, 45, "Legendary Diplomat"),
        (False, 44, "Best Diplomat in the Country"),
        (False, 33, "Promising Diplomat"),
        (False, 32, "Apprentice Diplomat"),
        (True, 42, "Legendary Diplomat"),
        (True, 36, "Outstanding Diplomat Candidate"),
        (True, 33, "Veteran Diplomat"),
        (True, -2, "Apprentice Diplomat"),
    ],
)
def test_ruling_s9_ranking_titles_standard_and_expert(expert, points, title):
    from banquet_envs.games.great_evening_banquet.display import rank_title

    assert rank_title(game(1, expert=expert).rules[0], points) == title
