"""One test or more for every ruling of the game's README; the test's name begins with its number."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import chisquare

from banquet_envs import make_game
from banquet_envs.core.state import take
from banquet_envs.games.banquet_royal.components import CELLS, DISH_NAMES, ITEM_NAMES, TOQUE
from banquet_envs.games.banquet_royal.display import space_name
from banquet_envs.games.banquet_royal.scoring import toque_value
from banquet_envs.games.banquet_royal.state import CLOSED, EMPTY, Action, Phase, Seen
from tests.games.banquet_royal.helpers import Table
from tests.sizes import many

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


@pytest.mark.parametrize("card", range(36))
def test_ruling_01_every_menu_is_completed_by_each_of_its_items_in_both_directions(card: int) -> None:
    t = Table(players=2)
    start = t.states.copy()
    for last, backwards in itertools.product(range(3), (False, True)):
        t.states[:] = start
        slot = t.deal(0, " ".join(ITEM_NAMES[k] for k in t.rules.symbol[card]))
        t.act(t.lay_all_but_one(card, last, backwards))
        assert t.legal() == {Action.SCORE + slot, Action.NO_SCORE}
        t.act(Action.SCORE + slot)
        assert t.state.points.tolist() == [slot + 1, 0, 0, 0]
        assert np.flatnonzero(t.state.seen).tolist() == [card]
        assert t.state.seen[card] == Seen.VALIDATED
        assert t.rules.value[t.state.hand[0, slot]] == slot + 1  # a new one of the same value


def test_ruling_02_no_gap_no_bouquet_and_no_cloche_within_a_line() -> None:
    over_bouquet = Table()
    over_bouquet.put("D2", "salad")
    over_bouquet.put("D3", "fruit_salad")
    over_bouquet.deal(0, "salad fruit_salad pudding")
    over_bouquet.act(over_bouquet.place("D5", "pudding"))
    assert over_bouquet.state.phase == Phase.DISCARD

    with_cloche = Table(recall="perfect")
    with_cloche.put("B2", "salad")
    with_cloche.state.order[with_cloche.space("B3")] = 1  # a fruit salad under a cloche is not on the table
    with_cloche.deal(0, "salad fruit_salad pudding")
    with_cloche.put("C4", "burger")
    with_cloche.act(with_cloche.place("B4", "pudding"))
    assert with_cloche.state.phase == Phase.DISCARD

    gap = Table()
    gap.put("E1", "salad")
    gap.put("E2", "fruit_salad")
    gap.deal(0, "salad fruit_salad pudding")
    gap.act(gap.place("E4", "pudding"))
    assert gap.state.phase == Phase.DISCARD


def test_ruling_03_the_line_must_hold_the_piece_just_played() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.put("D3", "pudding")
    t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("E4", "burger"))
    assert t.state.phase == Phase.DISCARD


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
    assert t.legal() == {Action.NO_SCORE}


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
        t.act(Action.NO_SCORE)
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


@pytest.mark.parametrize("dish", range(4))
@pytest.mark.parametrize("name", ["A1", "A4", "D1", "D7", "G1", "G4"])
def test_ruling_08_every_order_on_every_space_can_be_called_right_and_wrong(name: str, dish: int) -> None:
    for call in (dish, (dish + 1) % 4):
        t = Table()
        t.order(name, DISH_NAMES[dish])
        near = space_name(t.rules, int(t.rules.near[t.space(name), 0]))
        t.put(near, "burger")
        kitchen = t.state.kitchen.copy()
        t.turn(2)
        t.act(t.announce(name, DISH_NAMES[call]))
        assert t.state.board[t.space(name)] == dish
        assert t.state.order[t.space(name)] == -1
        assert (kitchen - t.state.kitchen).tolist() == [int(k == dish) for k in range(4)]
        assert t.state.collected.tolist() == [[0] * 4, [0] * 4, [int(k == dish == call) for k in range(4)], [0] * 4]
        assert t.state.lost.tolist() == [int(k == dish != call) for k in range(4)]
        assert t.state.points.tolist() == [0, 0, int(call == dish), 0]
        assert t.state.placed == t.space(name)


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
    assert t.state.phase == Phase.DISCARD  # nothing was played, so nothing is scored
    t.act(Action.NO_DISCARD)
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
    t.act(Action.NO_DISCARD)
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
    t.act(Action.SCORE + slot)
    assert t.state.points[0] == 1


@pytest.mark.parametrize("etiquette", [0, 8])
@pytest.mark.parametrize("players", [2, 4])
def test_ruling_12_there_is_always_a_main_action(players: int, etiquette: int) -> None:
    rng = np.random.default_rng(5)
    game = make_game("banquet_royal", players=players, etiquette=etiquette)
    states = game.reset(many(4, 1), 7)
    while not states.over.all():
        states = take(states, ~states.over)
        masks = game.legal_actions(states)
        assert masks.any(axis=1).all()
        assert not masks[states.phase == Phase.TAKE][:, Action.NO_SCORE :].any()
        game.step(states, [rng.choice(np.flatnonzero(mask)) for mask in masks])


def cut_off(t: Table, name: str = "A1") -> None:
    """A corner whose neighbours stay empty for good: nobody can reach it."""
    for near in {"A1": ("A2", "B1", "B2"), "G4": ("F5", "F4", "G3")}[name]:
        t.close(near)
    t.state.reach[t.space(name)] = 0


def test_ruling_12_option_closed_ends_the_game_when_no_space_can_be_reached() -> None:
    t = Table(exhausted_order="closed")
    cut_off(t)
    t.fill_all_but("A1", "D3")
    t.state.order[t.space("A1")] = -1
    t.deal(0, "burger burger salad")
    t.state.board[t.space("D2")] = TOQUE  # so that no line of D3 shows a menu without a toque
    t.state.board[t.space("C3")] = t.state.board[t.space("E3")] = TOQUE
    t.act(t.place("D3", "salad"))
    if t.state.phase == Phase.SCORE:
        t.act(Action.NO_SCORE)
    assert t.state.over  # no discard is asked for: nobody will play any more
    assert t.state.free == 1


def test_ruling_12_option_closed_a_cloche_that_nobody_can_reach_ends_the_game_too() -> None:
    t = Table(exhausted_order="closed")
    cut_off(t, "G4")
    t.fill_all_but("G4", "D3")
    t.state.order[t.space("G4")] = 2
    t.act(t.place("D3", "salad"))
    if t.state.phase == Phase.SCORE:
        t.act(Action.NO_SCORE)
    assert t.state.over
    assert t.state.free == 1


@pytest.mark.parametrize("option", ["free", "closed"])
@pytest.mark.parametrize("left", ["space", "order"])
def test_ruling_12_the_game_goes_on_while_something_can_be_reached(option: str, left: str) -> None:
    t = Table(exhausted_order=option)
    t.fill_all_but("G4", "D3")
    t.state.order[t.space("G4")] = 2 if left == "order" else -1
    t.act(t.place("D3", "salad"))
    if t.state.phase == Phase.SCORE:
        t.act(Action.NO_SCORE)
    assert t.state.phase == Phase.DISCARD
    assert not t.state.over


def test_ruling_12_option_closed_the_menu_of_the_last_reachable_space_is_scored_before_the_end() -> None:
    t = Table(exhausted_order="closed")
    cut_off(t, "G4")
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.fill_all_but("G4", "D3")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert (t.state.phase, bool(t.state.over)) == (Phase.SCORE, False)
    t.act(Action.SCORE + slot)
    assert t.state.over
    assert t.state.points.tolist()[:3] == [1, 0, 0]


def test_rulings_10_12_24_the_last_order_closes_its_spot_the_menu_is_lost_and_the_game_ends() -> None:
    """A wrong call of an exhausted dish with two menus: one is given up, nothing can be scored, a space is cut off."""
    t = Table(exhausted_order="closed", hells_kitchen=True)
    cut_off(t, "G4")
    t.order("D1", "burger")
    t.fill_all_but("G4", "D1")
    t.state.order[t.space("G4")] = -1
    t.run_out("burger")
    one, three = t.validated(0, 1, 3)
    t.act(t.announce("D1", "salad"))
    assert t.legal() == {Action.GIVE_UP + one, Action.GIVE_UP + three}
    t.act(Action.GIVE_UP + one)
    assert t.state.over
    assert t.state.board[t.space("D1")] == CLOSED
    assert t.state.points.tolist()[:3] == [3, 0, 0]
    assert t.state.lost.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("name", ["A1", "D3", "G4"])
@pytest.mark.parametrize("kind", range(4))
def test_step_1_is_played_unasked_when_one_piece_fits_one_space(kind: int, name: str) -> None:
    """Seat 1 is the last and finds one kind of dish, no toque of its own: no question, whatever seat 0 has."""
    for toques in ((0, 0, 0), (2, 0, 1)):
        t = Table()
        t.state.order[:] = -1
        t.fill_all_but("B3", name)
        t.state.kitchen[:] = [2 * (k == kind) for k in range(4)]
        t.state.toques[:3] = toques
        t.state.hand[:2] = EMPTY
        t.state.deck_size[:] = 0  # nobody may discard
        t.act(t.place("B3", DISH_NAMES[kind]))
        assert t.state.over
        assert t.state.board[t.space(name)] == kind
        assert t.state.kitchen.sum() == 0


@pytest.mark.parametrize("other", range(5))
def test_step_1_is_asked_when_two_pieces_fit_or_two_spaces_are_left(other: int) -> None:
    """A second kind of dish (0 to 3; burger is there) or an own toque (4) leaves a choice."""
    t = Table()
    t.state.order[:] = -1
    t.fill_all_but("A2", "D3")
    t.state.kitchen[:] = [int(k == other) for k in range(4)]
    t.state.kitchen[3] = 2
    t.state.toques[:3] = [0, int(other == 4), 0]
    t.state.hand[:2] = EMPTY
    t.state.deck_size[:] = 0
    if other == 3:  # one kind, two spaces: that is the question to seat 0 itself
        assert t.legal() == {t.place("A2", "burger"), t.place("D3", "burger")}
        return
    t.act(t.place("A2", "burger"))
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
    assert t.legal() == {t.place("D3", "burger"), t.place("D3", ITEM_NAMES[other])}


def test_step_1_is_asked_when_one_order_is_all_that_is_left() -> None:
    t = Table()
    t.fill_all_but("A2", "A1")
    t.state.order[t.space("A1")] = 1
    t.state.kitchen[:] = [2, 0, 0, 0]
    t.state.toques[:] = 0
    t.state.hand[:2] = EMPTY
    t.state.deck_size[:] = 0
    t.act(t.place("A2", "salad"))
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
    assert t.legal() == {t.announce("A1", dish) for dish in DISH_NAMES}


@pytest.mark.parametrize("dish", DISH_NAMES)
def test_a_dish_that_has_run_out_cannot_be_placed_nor_a_toque_that_is_on_the_table(dish: str) -> None:
    t = Table()
    t.run_out(dish)
    t.state.toques[:3] = [0, 2, 2]
    pieces = [name for name in ITEM_NAMES if t.place("C3", name) in t.legal()]
    assert pieces == [name for name in DISH_NAMES if name != dish]
    t.turn(1)
    assert t.place("C3", "toque") in t.legal()


@pytest.mark.parametrize("seat", range(4))
def test_a_toque_leaves_the_supply_of_its_owner(seat: int) -> None:
    t = Table(players=4)
    t.turn(seat)
    t.act(t.place("E4", "toque"))
    assert t.state.owner[t.space("E4")] == seat
    assert t.state.toques.tolist() == [2 - (k == seat) for k in range(4)]
    assert t.state.kitchen.tolist() == [10] * 4
    assert (t.state.free, t.state.placed) == (CELLS - 1, t.space("E4"))


def test_ruling_13_scoring_is_optional_and_declining_allows_a_discard() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {Action.SCORE + slot, Action.NO_SCORE}
    t.act(Action.NO_SCORE)
    assert t.state.phase == Phase.DISCARD
    assert Action.DISCARD + slot in t.legal()


def test_ruling_13_option_forced() -> None:
    t = Table(scoring="forced")
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {Action.SCORE + slot}


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
    t.act(Action.SCORE + one)
    assert t.state.points[0] == 1
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)  # the other one has to wait


def test_ruling_14_no_discard_after_scoring_and_at_most_one() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    t.act(Action.SCORE + slot)
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
    t.act(t.place("E4", "salad"))
    assert t.legal() == {Action.DISCARD, Action.DISCARD + 1, Action.DISCARD + 2, Action.NO_DISCARD}
    t.act(Action.DISCARD + 1)
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 2)
    assert len(t.pile(2)) == 1


def test_ruling_14_no_discard_of_an_exhausted_value() -> None:
    t = Table()
    t.empty_deck(2)
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {Action.DISCARD, Action.DISCARD + 2, Action.NO_DISCARD}


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("slot", range(3))
def test_ruling_14_every_card_of_every_seat_can_go(seat: int, slot: int) -> None:
    t = Table()
    t.turn(seat)
    old, top = int(t.state.hand[seat, slot]), int(t.state.deck[slot, t.state.deck_size[slot] - 1])
    others = [int(c) for k, c in enumerate(t.state.hand[:3].ravel()) if k != 3 * seat + slot]
    t.act(t.place("D3", "pudding"))
    t.act(Action.DISCARD + slot)
    assert np.flatnonzero(t.state.seen == Seen.ON_PILE).tolist() == [old]
    assert t.state.hand[seat, slot] == top
    assert [int(c) for k, c in enumerate(t.state.hand[:3].ravel()) if k != 3 * seat + slot] == others
    assert t.state.deck_size.tolist() == [9 - (v == slot) for v in range(3)]
    assert (t.state.phase, t.state.player) == (Phase.TAKE, (seat + 1) % 3)


@pytest.mark.parametrize("slot", range(3))
def test_ruling_14_an_empty_slot_is_not_discarded(slot: int) -> None:
    t = Table()
    t.state.hand[0, slot] = EMPTY
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {Action.NO_DISCARD, *(Action.DISCARD + s for s in range(3) if s != slot)}


@pytest.mark.parametrize("slot", range(3))
def test_ruling_14_a_value_with_cards_on_its_pile_alone_may_be_discarded(slot: int) -> None:
    """Cannot come about, for the pile of an empty deck becomes the deck at once (16); the text is followed all the same."""
    t = Table()
    t.empty_deck(slot + 1)
    t.state.seen[int(np.flatnonzero(t.state.seen >= Seen.VALIDATED)[0])] = Seen.ON_PILE
    t.act(t.place("D3", "pudding"))
    assert Action.DISCARD + slot in t.legal()


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
    if t.state.phase == Phase.SCORE:
        assert t.legal() == {Action.NO_SCORE}
        t.act(Action.NO_SCORE)
    t.act(Action.DISCARD)
    assert t.state.hand[0, 0] == wanted
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)  # it could have been validated, but not this turn


def test_ruling_16_an_emptied_deck_is_renewed_at_once() -> None:
    t = Table()
    t.empty_deck(1, keep=1)
    last = int(t.state.deck[0, 0])
    thrown = int(t.state.hand[0, 0])
    t.act(t.place("D3", "pudding"))
    t.act(Action.DISCARD)
    assert t.state.hand[0, 0] == last
    assert t.state.deck_size[0] == 1
    assert t.state.deck[0, 0] == thrown
    assert t.state.seen[thrown] == Seen.HIDDEN
    assert t.state.epoch[thrown] == 1


def score_row_d(t: Table) -> int:
    """Seat 0 validates salad, fruit salad, pudding on D1-D3; returns the slot."""
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    t.act(Action.SCORE + slot)
    return slot


def empty_but(t: Table, card: str, value: int) -> None:
    """Empty a deck, the named card kept out of it (in the hand of seat 0)."""
    t.deal(0, card)
    t.empty_deck(value)


def test_ruling_17_a_value_without_cards_another_deck_of_the_players_choice() -> None:
    t = Table()
    empty_but(t, "salad fruit_salad pudding", 1)
    slot = score_row_d(t)
    assert t.state.phase == Phase.DRAW
    assert t.legal() == {Action.DRAW + 1, Action.DRAW + 2}
    t.act(Action.DRAW + 2)
    assert t.rules.value[t.state.hand[0, slot]] == 3
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)


@pytest.mark.parametrize("chosen", range(3))
@pytest.mark.parametrize("empty", range(3))
def test_ruling_17_from_each_value_to_each_other(empty: int, chosen: int) -> None:
    """The chosen deck gives its top card; where it was its last, it is renewed from its pile (16)."""
    if empty == chosen:
        return
    for last in (False, True):
        t = Table()
        names = {0: "salad fruit_salad pudding", 1: "salad salad fruit_salad", 2: "toque salad fruit_salad"}
        card = t.card(names[empty])
        slot = t.deal(0, names[empty])
        t.empty_deck(empty + 1)
        thrown = -1
        if last:
            t.empty_deck(chosen + 1, keep=1)
            thrown = int(np.flatnonzero((t.state.seen >= Seen.VALIDATED) & (t.rules.value == chosen + 1))[-1])
            t.state.seen[thrown] = Seen.ON_PILE
        top = int(t.state.deck[chosen, t.state.deck_size[chosen] - 1])
        t.act(t.lay_all_but_one(card))
        t.act(Action.SCORE + slot)
        assert t.state.phase == Phase.DRAW
        assert t.legal() == {Action.DRAW + v for v in range(3) if v != empty}
        t.act(Action.DRAW + chosen)
        assert t.state.hand[0, slot] == top
        assert t.state.slot_value[0, slot] == chosen
        assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
        if last:
            assert t.state.deck[chosen].tolist() == [thrown] + [-1] * 35
            assert (t.state.seen[thrown], t.state.epoch[thrown], t.state.epochs[chosen]) == (Seen.HIDDEN, 1, 1)
        t.turn(0)
        t.act(t.place("C4", "burger"))
        if t.state.phase == Phase.SCORE:
            t.act(Action.NO_SCORE)
        assert Action.DISCARD + slot in t.legal()  # now a card of the other value


def test_ruling_18_two_empty_slots_are_filled_one_after_the_other() -> None:
    """Slot 0 has lost a 1-point menu, of which there are none: asked; then slot 2 from its own deck, unasked."""
    t = Table(hells_kitchen=True)
    t.empty_deck(1)
    t.state.seen[t.state.hand[0, [0, 2]]] = Seen.VALIDATED + 1
    t.state.hand[0, [0, 2]] = EMPTY
    t.act(t.place("D3", "pudding"))
    t.act(Action.NO_DISCARD)
    assert t.state.phase == Phase.DRAW
    assert t.legal() == {Action.DRAW + 1, Action.DRAW + 2}
    t.act(Action.DRAW + 1)
    assert t.rules.value[t.state.hand[0, :3]].tolist() == [2, 2, 3]
    assert t.state.deck_size.tolist() == [0, 8, 8]
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)


def test_ruling_17_a_single_other_deck_is_drawn_from_unasked() -> None:
    t = Table()
    empty_but(t, "salad fruit_salad pudding", 1)
    t.empty_deck(3)
    slot = score_row_d(t)
    assert t.rules.value[t.state.hand[0, slot]] == 2
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)


def test_ruling_17_without_any_cards_nothing_is_drawn() -> None:
    t = Table()
    empty_but(t, "salad fruit_salad pudding", 1)
    t.empty_deck(2)
    t.empty_deck(3)
    slot = score_row_d(t)
    assert t.state.hand[0, slot] == EMPTY
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
    t.act(t.place("E4", "salad"))
    assert t.state.phase == Phase.TAKE  # and nothing may be discarded, so nobody is asked
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
    assert t.state.phase == Phase.GIVE_UP
    assert t.legal() == {Action.GIVE_UP + c for c in mine}
    points = int(t.state.points[1])
    t.act(Action.GIVE_UP + given)
    assert t.state.points[1] == points - 2
    # ruling 28: the empty deck of 2-point menus is that card now
    assert t.state.deck_size.tolist() == [0, 1, 0]
    assert t.state.seen[given] == Seen.HIDDEN
    if t.state.phase == Phase.SCORE:
        t.act(Action.NO_SCORE)
    t.act(Action.NO_DISCARD)
    t.turn(0)
    t.act(t.place("E4", "salad"))
    while t.state.player == 0:
        t.act(Action.NO_SCORE if t.state.phase == Phase.SCORE else Action.NO_DISCARD)
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
    t.act(Action.SCORE + slot)
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
    t.act(Action.NO_SCORE)
    assert t.state.over


def last_turn(t: Table) -> None:
    """Seat 0 fills the last space and validates nothing."""
    t.state.order[:] = -1
    t.fill_all_but("D3")
    t.act(t.place("D3", "salad"))
    if t.state.phase == Phase.SCORE and not t.state.over:
        t.act(Action.NO_SCORE)
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


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("value", "bonus"), [(1, 3), (2, 2), (3, 0)])
def test_ruling_21_every_seat_can_have_the_majority(seat: int, value: int, bonus: int) -> None:
    t = Table(players=4, gourmet=True)
    t.validated(seat, value, value)
    t.validated((seat + 1) % 4, value)
    last_turn(t)
    assert t.state.points.tolist() == [{0: 2 * value + bonus, 1: value}.get((k - seat) % 4, 0) for k in range(4)]


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
    assert t.state.phase == Phase.GIVE_UP
    assert t.legal() == {Action.GIVE_UP + cheap, Action.GIVE_UP + dear}  # the owner chooses
    t.act(Action.GIVE_UP + dear)
    assert t.state.points[0] == 1
    assert t.pile(3) == [dear]
    assert t.state.phase == Phase.SCORE
    t.act(Action.SCORE + slot)
    assert t.state.points[0] == 2


@pytest.mark.parametrize("seat", range(3))
def test_ruling_24_the_first_and_the_last_menu_of_the_box_can_be_given_up_but_not_those_of_others(seat: int) -> None:
    for given in (0, 35):
        t = Table(hells_kitchen=True)
        for card, owner in ((0, seat), (35, seat), (1, (seat + 1) % 3), (34, (seat + 2) % 3)):
            t.deal(owner, " ".join(ITEM_NAMES[k] for k in t.rules.symbol[card]))
            t.state.hand[owner][t.state.hand[owner] == card] = EMPTY
            t.state.seen[card] = Seen.VALIDATED + owner
            t.state.points[owner] += t.rules.value[card]
        t.order("D1", "burger")
        t.put("D2", "salad")
        t.turn(seat)
        before = t.state.points.copy()
        t.act(t.announce("D1", "pudding"))
        assert t.legal() == {Action.GIVE_UP, Action.GIVE_UP + 35}
        t.act(Action.GIVE_UP + given)
        assert (before - t.state.points).tolist() == [int(t.rules.value[given]) * (k == seat) for k in range(4)]
        assert t.state.seen[given] == Seen.ON_PILE


def test_rulings_24_and_28_the_menu_given_up_becomes_the_deck_before_the_turn_goes_on() -> None:
    """The only 2-point menu goes unasked, is the whole deck then, and may be drawn in exchange at once."""
    t = Table(hells_kitchen=True)
    t.empty_deck(2)
    mine = int(np.flatnonzero((t.state.seen == Seen.VALIDATED + 1) & (t.rules.value == 2))[0])
    t.state.seen[mine] = Seen.VALIDATED
    t.state.points[0] = 2
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.act(t.announce("D1", "pudding"))
    assert t.state.phase == Phase.DISCARD
    assert t.state.points[0] == 0
    assert (t.state.deck_size[1], t.state.deck[1, 0], t.state.epochs[1], t.state.epoch[mine]) == (1, mine, 1, 1)
    thrown = int(t.state.hand[0, 1])
    t.act(Action.DISCARD + 1)
    assert t.state.hand[0, 1] == mine
    assert (t.state.deck_size[1], t.state.deck[1, 0], t.state.epochs[1]) == (1, thrown, 2)


def test_ruling_24_the_only_menu_goes_unasked_and_without_menus_nothing_happens() -> None:
    t = Table(hells_kitchen=True)
    (only,) = t.validated(0, 2)
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.act(t.announce("D1", "pudding"))
    assert t.state.phase == Phase.DISCARD
    assert t.pile(2) == [only]
    assert t.state.points[0] == 0

    t = Table(hells_kitchen=True)
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.act(t.announce("D1", "pudding"))
    assert t.state.phase == Phase.DISCARD
    assert t.state.points[0] == 0


def test_ruling_24_a_correct_call_costs_nothing_and_the_base_game_knows_no_penalty() -> None:
    for option, call in ((True, "burger"), (False, "salad")):
        t = Table(hells_kitchen=option)
        t.validated(0, 1, 3)
        t.order("D1", "burger")
        t.put("D2", "salad")
        t.act(t.announce("D1", call))
        assert t.state.phase == Phase.DISCARD
        assert t.state.points[0] == 4 + (call == "burger")


@pytest.mark.parametrize("orders", [6, 8])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_ruling_25_players_in_turn_place_the_orders_never_around_the_bouquet(orders: int, players: int) -> None:
    t = Table(players=players, etiquette=orders, seed=4)
    t.state.phase = Phase.COVER
    first = t.state.player = t.state.first = 1
    allowed = set(names_of(t)) - {"C3", "C4", "D3", "D5", "E3", "E4"}
    rng = np.random.default_rng(orders)
    for k in range(orders):
        assert t.state.phase == Phase.COVER
        assert t.state.player == (first + k) % players
        assert t.legal() == {Action.COVER + t.space(n) for n in allowed}
        name = str(rng.choice(sorted(allowed)))
        allowed.remove(name)
        t.act(Action.COVER + t.space(name))
    for k in range(players):
        assert t.state.phase == Phase.MEMORISE
        assert t.state.player == (first + k) % players
        assert t.legal() == {Action.MEMORISE}
        t.act(Action.MEMORISE)
    assert (t.state.phase, t.state.player) == (Phase.TAKE, first)
    assert (t.state.order >= 0).sum() == orders
    assert t.state.tokens.sum() == 8 - orders


def test_ruling_26_the_first_player_is_random() -> None:
    firsts = make_game("banquet_royal", players=4).reset(many(2000), 11).first
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
    assert Action.DISCARD not in t.legal()
    assert not any(t.state.seen == Seen.ON_PILE)
