"""One test or more for every ruling of the game's README; the test's name begins with its number."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import chisquare

from banquet_envs import make_game
from banquet_envs.games.banquet_royal.components import CELLS, DISH_NAMES
from banquet_envs.games.banquet_royal.display import space_name
from banquet_envs.games.banquet_royal.scoring import toque_value
from banquet_envs.games.banquet_royal.state import (
    CLOSED,
    COVER,
    DISCARD,
    DRAW,
    EMPTY,
    GIVE_UP,
    HIDDEN,
    MEMORISE,
    ON_PILE,
    SCORE,
    TAKE,
)
from tests.games.banquet_royal.helpers import (
    COVER_SPACE,
    DISCARD_SLOT,
    DRAW_FROM,
    GIVE_UP_MENU,
    NO_DISCARD,
    NO_SCORE,
    SCORE_SLOT,
    SEEN_ORDERS,
    Table,
)

# Rows A-G hold 4, 5, 6, 7, 6, 5, 4 spaces; D4 is the bouquet. C3, C4, D3, D5, E3, E4 touch it.
LINES = {"row": ("D1", "D2", "D3"), "falling": ("A1", "B2", "C3"), "rising": ("C1", "B1", "A1")}


@pytest.mark.parametrize("axis", LINES)
@pytest.mark.parametrize("backwards", [False, True])
def test_ruling_01_a_menu_reads_in_both_directions_along_three_axes(axis: str, backwards: bool) -> None:
    t = Table(etiquette=0)
    for name in ("A1", "A4", "D1", "D7", "G1", "G4"):
        t.state.order[t.space(name)] = -1
    t.put("B3", "burger")  # so that no line is far from a piece
    t.put("D6", "burger")
    names = LINES[axis][::-1] if backwards else LINES[axis]
    t.put(names[0], "salad")
    t.put(names[1], "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place(names[2], "pudding"))
    assert t.scorable() == [slot]


def test_ruling_02_no_gap_no_bouquet_and_no_cloche_within_a_line() -> None:
    over_bouquet = Table()
    over_bouquet.put("D2", "salad")
    over_bouquet.put("D3", "fruit_salad")
    over_bouquet.deal(0, "salad fruit_salad pudding")
    over_bouquet.act(over_bouquet.place("D5", "pudding"))
    assert over_bouquet.state.phase == DISCARD

    with_cloche = Table(recall="perfect")
    with_cloche.put("B2", "salad")
    with_cloche.state.order[with_cloche.space("B3")] = 1  # a fruit salad under a cloche is not on the table
    with_cloche.deal(0, "salad fruit_salad pudding")
    with_cloche.put("C4", "burger")
    with_cloche.act(with_cloche.place("B4", "pudding"))
    assert with_cloche.state.phase == DISCARD

    gap = Table()
    gap.put("E1", "salad")
    gap.put("E2", "fruit_salad")
    gap.deal(0, "salad fruit_salad pudding")
    gap.act(gap.place("E4", "pudding"))
    assert gap.state.phase == DISCARD


def test_ruling_03_the_line_must_hold_the_piece_just_played() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.put("D3", "pudding")
    t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("E4", "burger"))
    assert t.state.phase == DISCARD


def test_ruling_03_the_other_two_may_be_anyones() -> None:
    t = Table()
    t.put("D1", "toque", seat=2)
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "toque fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert t.scorable() == [slot]


def test_ruling_04_a_toque_stands_for_no_dish() -> None:
    t = Table()
    t.put("D1", "toque")
    t.put("D2", "fruit_salad")
    t.deal(0, "salad fruit_salad pudding")
    t.deal(0, "toque salad burger")
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {NO_SCORE}


def test_ruling_04_option_joker() -> None:
    t = Table(toque="joker")
    t.put("D1", "toque")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.deal(0, "toque salad burger")
    t.act(t.place("D3", "pudding"))
    assert slot in t.scorable()
    assert 2 not in t.scorable()  # a dish is no toque


def test_ruling_05_any_toque_supports_and_serves_but_scores_for_its_owner() -> None:
    t = Table(gourmet=True)
    t.put("D2", "toque", seat=1)
    assert t.can_place("D1") is False  # the cloche
    assert t.can_place("C1")
    t.put("C1", "burger")
    t.fill_all_but("D3")
    before = t.state.points.copy()
    t.act(t.place("D3", "salad"))
    if not t.state.over:
        t.act(NO_SCORE)
    around = [int(t.state.board[t.space(n)]) for n in ("D1", "D3", "C1", "C2", "E1", "E2")]
    most = max(around.count(d) for d in range(4))
    assert (t.state.points[:3] - before[:3]).tolist() == [0, most, 0]


def test_ruling_06_nothing_is_placed_on_a_cloche() -> None:
    t = Table()
    t.put("A2", "burger")
    assert not t.can_place("A1")
    assert t.can_announce("A1")


def test_ruling_07_a_cloche_does_not_support_a_placement() -> None:
    t = Table()
    assert not t.can_place("A2")  # beside the cloche on A1
    assert {n for n in names_of(t) if t.can_place(n)} == {"C3", "C4", "D3", "D5", "E3", "E4"}


def names_of(t: Table) -> list[str]:
    return [space_name(t.rules, x) for x in range(CELLS)]


def test_ruling_08_an_order_needs_a_dish_or_toque_beside_it_the_bouquet_is_not_enough() -> None:
    t = Table()
    t.state.order[t.space("D3")] = 0
    assert not t.can_announce("D3")
    t.put("D2", "toque")
    assert t.can_announce("D3")
    assert t.can_announce("D1")
    assert not t.can_announce("A1")


def test_ruling_09_any_dish_may_be_announced_even_an_exhausted_one() -> None:
    t = Table()
    t.put("D2", "salad")
    t.run_out("burger")
    assert t.can_announce("D1")


def test_ruling_10_an_exhausted_order_leaves_a_free_space() -> None:
    t = Table()
    t.put("D2", "burger")
    t.order("D1", "burger")
    t.run_out("burger")
    t.deal(0, "burger burger salad")
    free = int(t.state.free)
    t.act(t.announce("D1", "burger"))
    assert t.state.board[t.space("D1")] == EMPTY
    assert t.state.collected[0].tolist() == [0, 0, 0, 1]
    assert t.state.points[0] == 1
    assert t.state.free == free
    assert t.state.phase == DISCARD  # nothing was played, so nothing is scored
    t.act(NO_DISCARD)
    assert t.can_place("D1")


def test_ruling_10_option_closed_leaves_the_spot_unused() -> None:
    t = Table(exhausted_order="closed")
    t.put("D2", "burger")
    t.order("D1", "burger")
    t.run_out("burger")
    free = int(t.state.free)
    t.act(t.announce("D1", "salad"))
    assert t.state.board[t.space("D1")] == CLOSED
    assert t.state.free == free - 1
    assert t.state.lost.tolist() == [0, 0, 0, 1]
    t.act(NO_DISCARD)
    assert not t.can_place("D1")
    assert not t.can_announce("D1")


def test_ruling_10_option_closed_ends_the_game_when_the_last_spot_stays_empty() -> None:
    t = Table(exhausted_order="closed")
    t.order("D1", "burger")
    t.fill_all_but("D1")
    t.run_out("burger")
    t.act(t.announce("D1", "burger"))
    assert t.state.over
    assert t.state.points[0] == 1


def test_ruling_11_a_wrong_call_loses_the_token_but_the_dish_counts() -> None:
    t = Table()
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.put("D3", "fruit_salad")
    slot = t.deal(0, "fruit_salad salad burger")
    t.act(t.announce("D1", "pudding"))
    assert t.state.lost.tolist() == [0, 0, 0, 1]
    assert t.state.collected[0].sum() == 0
    assert t.state.board[t.space("D1")] == 3
    assert t.scorable() == [slot]
    t.act(SCORE_SLOT + slot)
    assert t.state.points[0] == 1


def test_ruling_12_there_is_always_a_main_action() -> None:
    rng = np.random.default_rng(5)
    for players, etiquette in itertools.product((2, 4), (0, 8)):
        game = make_game("banquet_royal", players=players, etiquette=etiquette)
        states = game.reset(60, 7)
        while not states.over.all():
            live = np.flatnonzero(~states.over)
            masks = game.legal_actions(states)
            assert masks[live].any(axis=1).all()
            assert not masks[live][states.phase[live] == TAKE][:, NO_SCORE:].any()
            for i in live:
                game.step(states[i : i + 1], [rng.choice(np.flatnonzero(masks[i]))])


def test_ruling_12_option_closed_ends_the_game_when_no_space_can_be_reached() -> None:
    t = Table(exhausted_order="closed")
    for name in ("A2", "B1", "B2"):  # all neighbours of A1
        t.close(name)
    t.fill_all_but("A1", "D3")
    t.state.order[t.space("A1")] = -1
    t.state.reach[t.space("A1")] = 0
    t.act(t.place("D3", "salad"))
    if t.state.phase == SCORE:
        t.act(NO_SCORE)
    t.act(NO_DISCARD)
    assert t.state.over
    assert t.state.free == 1


def test_ruling_13_scoring_is_optional_and_declining_allows_a_discard() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {SCORE_SLOT + slot, NO_SCORE}
    t.act(NO_SCORE)
    assert t.state.phase == DISCARD
    assert DISCARD_SLOT + slot in t.legal()


def test_ruling_13_option_forced() -> None:
    t = Table(scoring="forced")
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {SCORE_SLOT + slot}


def test_ruling_13_one_menu_a_turn_of_the_players_choice() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.put("C3", "pudding")
    t.put("B3", "burger")  # D3, C3, B3 lie on one line
    one = t.deal(0, "salad fruit_salad pudding")
    two = t.deal(0, "pudding pudding burger")
    t.act(t.place("D3", "pudding"))
    assert t.scorable() == [one, two]
    t.act(SCORE_SLOT + one)
    assert t.state.points[0] == 1
    assert (t.state.phase, t.state.player) == (TAKE, 1)  # the other one has to wait


def test_ruling_14_no_discard_after_scoring_and_at_most_one() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    t.act(SCORE_SLOT + slot)
    assert (t.state.phase, t.state.player) == (TAKE, 1)
    t.act(t.place("E4", "salad"))
    assert t.legal() == {DISCARD_SLOT, DISCARD_SLOT + 1, DISCARD_SLOT + 2, NO_DISCARD}
    t.act(DISCARD_SLOT + 1)
    assert (t.state.phase, t.state.player) == (TAKE, 2)
    assert len(t.pile(2)) == 1


def test_ruling_14_no_discard_of_an_exhausted_value() -> None:
    t = Table()
    t.empty_deck(2)
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {DISCARD_SLOT, DISCARD_SLOT + 2, NO_DISCARD}


def test_ruling_15_the_new_card_has_the_same_value_and_waits() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.deal(0, "salad burger pudding")
    wanted = t.card("salad fruit_salad pudding")
    for cards in (t.state.deck, t.state.hand):  # it comes to lie on top of its deck
        for at in np.argwhere(cards == wanted):
            top = (0, int(t.state.deck_size[0]) - 1)
            cards[tuple(at)], t.state.deck[top] = t.state.deck[top], wanted
    t.act(t.place("D3", "pudding"))
    if t.state.phase == SCORE:
        assert t.legal() == {NO_SCORE}
        t.act(NO_SCORE)
    t.act(DISCARD_SLOT)
    assert t.state.hand[0, 0] == wanted
    assert (t.state.phase, t.state.player) == (TAKE, 1)  # it could have been validated, but not this turn


def test_ruling_16_an_emptied_deck_is_renewed_at_once() -> None:
    t = Table()
    t.empty_deck(1, keep=1)
    last = int(t.state.deck[0, 0])
    thrown = int(t.state.hand[0, 0])
    t.act(t.place("D3", "pudding"))
    t.act(DISCARD_SLOT)
    assert t.state.hand[0, 0] == last
    assert t.state.deck_size[0] == 1
    assert t.state.deck[0, 0] == thrown
    assert t.state.seen[thrown] == HIDDEN
    assert t.state.epoch[thrown] == 1


def score_row_d(t: Table) -> int:
    """Seat 0 validates salad, fruit salad, pudding on D1-D3; returns the slot."""
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    t.act(SCORE_SLOT + slot)
    return slot


def empty_but(t: Table, card: str, value: int) -> None:
    """Empty a deck, the named card kept out of it (in the hand of seat 0)."""
    t.deal(0, card)
    t.empty_deck(value)


def test_ruling_17_a_value_without_cards_another_deck_of_the_players_choice() -> None:
    t = Table()
    empty_but(t, "salad fruit_salad pudding", 1)
    slot = score_row_d(t)
    assert t.state.phase == DRAW
    assert t.legal() == {DRAW_FROM + 1, DRAW_FROM + 2}
    t.act(DRAW_FROM + 2)
    assert t.rules.value[t.state.hand[0, slot]] == 3
    assert (t.state.phase, t.state.player) == (TAKE, 1)


def test_ruling_17_a_single_other_deck_is_drawn_from_unasked() -> None:
    t = Table()
    empty_but(t, "salad fruit_salad pudding", 1)
    t.empty_deck(3)
    slot = score_row_d(t)
    assert t.rules.value[t.state.hand[0, slot]] == 2
    assert (t.state.phase, t.state.player) == (TAKE, 1)


def test_ruling_17_without_any_cards_nothing_is_drawn() -> None:
    t = Table()
    empty_but(t, "salad fruit_salad pudding", 1)
    t.empty_deck(2)
    t.empty_deck(3)
    slot = score_row_d(t)
    assert t.state.hand[0, slot] == EMPTY
    assert (t.state.phase, t.state.player) == (TAKE, 1)
    t.act(t.place("E4", "salad"))
    assert t.state.phase == TAKE  # and nothing may be discarded, so nobody is asked
    assert t.state.player == 2


def test_ruling_18_and_28_a_short_hand_is_filled_when_hells_kitchen_brings_a_card_back() -> None:
    t = Table(hells_kitchen=True)
    given = t.validated(1, 2)[0]
    empty_but(t, "salad fruit_salad pudding", 1)
    t.empty_deck(2, seat=2)
    t.empty_deck(3, seat=2)
    slot = score_row_d(t)
    assert t.state.hand[0, slot] == EMPTY
    t.order("G1", "salad")
    t.put("F1", "burger")
    t.turn(1)
    mine = [c for c in range(36) if t.state.seen[c] == 3]  # validated by seat 1
    t.act(t.announce("G1", "burger"))
    assert t.state.phase == GIVE_UP
    assert t.legal() == {GIVE_UP_MENU + c for c in mine}
    points = int(t.state.points[1])
    t.act(GIVE_UP_MENU + given)
    assert t.state.points[1] == points - 2
    # ruling 28: the empty deck of 2-point menus is that card now
    assert t.state.deck_size.tolist() == [0, 1, 0]
    assert t.state.seen[given] == HIDDEN
    if t.state.phase == SCORE:
        t.act(NO_SCORE)
    t.act(NO_DISCARD)
    t.turn(0)
    t.act(t.place("E4", "salad"))
    while t.state.player == 0:
        t.act(NO_SCORE if t.state.phase == SCORE else NO_DISCARD)
    assert t.state.hand[0, slot] == given  # ruling 18


def test_ruling_19_the_game_ends_with_the_turn_that_fills_the_last_space() -> None:
    t = Table()
    t.state.order[:] = -1
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.fill_all_but("D3")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert not t.state.over
    t.act(SCORE_SLOT + slot)
    assert t.state.over  # though seats 1 and 2 have not played this round
    assert t.state.points.tolist()[:3] == [1, 0, 0]


def test_ruling_19_no_discard_after_the_last_space() -> None:
    t = Table()
    t.state.order[:] = -1
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.fill_all_but("D3")
    t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    t.act(NO_SCORE)
    assert t.state.over


def last_turn(t: Table) -> None:
    """Seat 0 fills the last space and validates nothing."""
    t.state.order[:] = -1
    t.fill_all_but("D3")
    t.act(t.place("D3", "salad"))
    if t.state.phase == SCORE and not t.state.over:
        t.act(NO_SCORE)
    assert t.state.over


def test_ruling_20_ties_go_to_the_most_royal_orders() -> None:
    t = Table()
    t.state.points[:3] = [6, 7, 7]
    t.state.collected[1, 0] = 1
    t.state.collected[2, 0] = t.state.collected[2, 1] = 1
    last_turn(t)
    assert t.state.place[:3].tolist() == [2, 1, 0]


def test_ruling_20_then_the_victory_is_shared() -> None:
    t = Table()
    t.state.points[:3] = [6, 7, 7]
    t.state.collected[1, 0] = t.state.collected[2, 1] = 1
    last_turn(t)
    assert t.state.place[:3].tolist() == [2, 0, 0]


def test_ruling_21_nobody_gains_a_majority_of_nothing() -> None:
    t = Table(gourmet=True)
    t.validated(1, 2, 2)
    t.validated(2, 3)
    last_turn(t)
    # nobody has a 1-point menu; seat 1 has the most 2-point menus (+2); most 3-point menus bring nothing
    assert t.state.points[:3].tolist() == [0, 4 + 2, 3]


def test_ruling_21_all_tied_players_gain_the_majority() -> None:
    t = Table(gourmet=True)
    t.validated(0, 1, 2)
    t.validated(1, 1, 2, 2)
    last_turn(t)
    assert t.state.points[:3].tolist() == [3 + 3, 5 + 3 + 2, 0]


@pytest.mark.parametrize(
    ("around", "value"),
    [
        (["burger"] * 6, 6),
        (["toque", "toque", "salad"], 1),  # other toques do not count
        ([], 0),
        (["salad", "salad", "burger", "burger", "burger", "pudding"], 3),
    ],
)
def test_ruling_22_a_toque_is_worth_its_most_frequent_neighbour(around: list[str], value: int) -> None:
    t = Table(players=4, gourmet=True)
    t.put("C2", "toque", seat=1)  # its neighbours are B1, B2, C1, C3, D2, D3
    for name, piece in zip(("B1", "B2", "C1", "C3", "D2", "D3"), around, strict=False):
        t.put(name, piece, seat=2)
    assert toque_value(t.state, t.rules, t.space("C2")) == value


def clear(t: Table) -> None:
    """An empty board, a full kitchen, the turn of seat 0."""
    t.state.board[:], t.state.order[:], t.state.reach[:] = EMPTY, -1, 0
    t.state.kitchen[:], t.state.free = 10, CELLS
    t.turn(0)


@pytest.mark.parametrize(
    ("collected", "extra"), [([2, 0, 0, 0], 1), ([1, 1, 0, 0], 3), ([1, 0, 2, 1], 5), ([1] * 4, 8)]
)
def test_ruling_23_all_you_can_eat_comes_on_top_of_a_point_per_order(collected: list[int], extra: int) -> None:
    for option in ("off", "add", "replace"):
        t = Table(all_you_can_eat=option)
        for dish, count in enumerate(collected):
            for _ in range(count):
                clear(t)
                t.put("D2", "burger")
                t.state.order[t.space("D1")] = dish
                t.act(t.announce("D1", DISH_NAMES[dish]))
        clear(t)
        last_turn(t)
        flat = sum(collected)
        assert t.state.points[0] == {"off": flat, "add": flat + extra, "replace": extra}[option]


def test_ruling_24_hells_kitchen_takes_a_menu_before_the_scoring_step() -> None:
    t = Table(hells_kitchen=True)
    cheap, dear = t.validated(0, 1, 3)
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.put("D3", "fruit_salad")
    slot = t.deal(0, "fruit_salad salad burger")
    t.act(t.announce("D1", "pudding"))
    assert t.state.phase == GIVE_UP
    assert t.legal() == {GIVE_UP_MENU + cheap, GIVE_UP_MENU + dear}  # the owner chooses
    t.act(GIVE_UP_MENU + dear)
    assert t.state.points[0] == 1
    assert t.pile(3) == [dear]
    assert t.state.phase == SCORE
    t.act(SCORE_SLOT + slot)
    assert t.state.points[0] == 2


def test_ruling_24_the_only_menu_goes_unasked_and_without_menus_nothing_happens() -> None:
    t = Table(hells_kitchen=True)
    (only,) = t.validated(0, 2)
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.act(t.announce("D1", "pudding"))
    assert t.state.phase == DISCARD
    assert t.pile(2) == [only]
    assert t.state.points[0] == 0

    t = Table(hells_kitchen=True)
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.act(t.announce("D1", "pudding"))
    assert t.state.phase == DISCARD
    assert t.state.points[0] == 0


def test_ruling_24_a_correct_call_costs_nothing_and_the_base_game_knows_no_penalty() -> None:
    for option, call in ((True, "burger"), (False, "salad")):
        t = Table(hells_kitchen=option)
        t.validated(0, 1, 3)
        t.order("D1", "burger")
        t.put("D2", "salad")
        t.act(t.announce("D1", call))
        assert t.state.phase == DISCARD
        assert t.state.points[0] == 4 + (call == "burger")


@pytest.mark.parametrize("orders", [6, 8])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_25_players_in_turn_place_the_orders_never_around_the_bouquet(orders: int, players: int) -> None:
    t = Table(players=players, etiquette=orders, seed=4)
    t.state.phase = COVER
    first = t.state.player = t.state.first = 1
    allowed = set(names_of(t)) - {"C3", "C4", "D3", "D5", "E3", "E4"}
    rng = np.random.default_rng(orders)
    for k in range(orders):
        assert t.state.phase == COVER
        assert t.state.player == (first + k) % players
        assert t.legal() == {COVER_SPACE + t.space(n) for n in allowed}
        name = str(rng.choice(sorted(allowed)))
        allowed.remove(name)
        t.act(COVER_SPACE + t.space(name))
    for k in range(players):
        assert t.state.phase == MEMORISE
        assert t.state.player == (first + k) % players
        assert t.legal() == {SEEN_ORDERS}
        t.act(SEEN_ORDERS)
    assert (t.state.phase, t.state.player) == (TAKE, first)
    assert (t.state.order >= 0).sum() == orders
    assert t.state.tokens.sum() == 8 - orders


def test_ruling_26_the_first_player_is_random() -> None:
    firsts = make_game("banquet_royal", players=4).reset(2000, 11).first
    assert chisquare(np.bincount(firsts, minlength=4)).pvalue > 0.001


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_27_two_toques_for_each_player_and_no_other_change(players: int) -> None:
    state = make_game("banquet_royal", players=players).reset(1, 3)[0]
    assert state.toques.tolist() == [2] * players + [0] * (4 - players)
    assert state.kitchen.tolist() == [10] * 4
    assert state.deck_size.tolist() == [12 - players] * 3
    assert (state.order >= 0).sum() == 6


def test_ruling_28_never_happens_without_hells_kitchen_the_discard_is_barred() -> None:
    t = Table()
    t.empty_deck(1)
    t.act(t.place("D3", "pudding"))
    assert DISCARD_SLOT not in t.legal()
    assert not any(t.state.seen == ON_PILE)
