"""The worked examples of the rulebook, with the numbers it prints."""

from __future__ import annotations

from banquet_envs.games.banquet_royal.scoring import toque_value
from banquet_envs.games.banquet_royal.state import EMPTY, Action, Phase
from tests.games.banquet_royal.helpers import Table


def finish_with(t: Table) -> None:
    """Seat 0 fills the last free space, D3, and validates nothing."""
    t.state.order[:] = -1
    t.fill_all_but("D3")
    t.act(
        t.place("D3", next(p for p in ("salad", "fruit_salad", "pudding", "burger") if t.place("D3", p) in t.legal()))
    )
    if not t.state.over:
        t.act(Action.NO_SCORE)
    assert t.state.over


def collect(t: Table, seat: int, *dishes: int) -> None:
    for dish in dishes:
        t.state.collected[seat, dish] += 1
        t.state.points[seat] += 1


def test_example_scoring_orange_13() -> None:
    """Three menus of 3, one of 1, three orders; the example gives this player no Gourmet points."""
    t = Table(players=3)
    t.validated(0, 3, 3, 3, 1)
    collect(t, 0, 0, 1, 2)
    finish_with(t)
    assert t.state.points[0] == 9 + 1 + 3 == 13


def test_example_scoring_pink_15() -> None:
    """Gourmet: three menus of 1 (the most), two of 2, one of 3, two orders, no toque on the board."""
    t = Table(players=3, gourmet=True)
    t.validated(0, 3, 3, 3, 1)
    t.validated(1, 1, 1, 1, 2, 2, 3)
    t.validated(2, 2, 2, 2, 1)
    collect(t, 1, 0, 1)
    finish_with(t)
    assert t.state.points[1] == 3 + 4 + 3 + 2 + 3 == 15


def test_example_scoring_blue_14() -> None:
    """Gourmet: three menus of 2 (the most), one of 1, toques worth 3 (three burgers) and 2 (two and two)."""
    t = Table(players=3, gourmet=True)
    t.validated(0, 3, 3, 3, 1)
    t.validated(1, 1, 1, 1, 2, 2, 3)
    t.validated(2, 2, 2, 2, 1)
    lay_example_toques(t, 2)
    finish_with(t)
    assert t.state.points[2] == 6 + 1 + 5 + 2 == 14


def lay_example_toques(t: Table, seat: int) -> None:
    """A toque on C2 with three burgers around it, one on F4 with two puddings and two fruit salads."""
    t.put("C2", "toque", seat)
    for name, dish in zip(
        ("B1", "B2", "C1", "C3", "D2"), ("burger", "burger", "burger", "salad", "salad"), strict=True
    ):
        t.put(name, dish)
    t.put("F4", "toque", seat)
    around = ("E4", "E5", "F3", "F5", "G3", "G4")
    t.state.order[t.space("G4")] = -1
    for name, dish in zip(around, ("pudding", "pudding", "fruit_salad", "fruit_salad", "salad", "burger"), strict=True):
        t.put(name, dish)


def test_example_a_toque_with_three_burgers_is_worth_3() -> None:
    t = Table(gourmet=True)
    lay_example_toques(t, 0)
    assert toque_value(t.state, t.rules, t.space("C2")) == 3


def test_example_a_toque_with_two_puddings_and_two_fruit_salads_is_worth_2() -> None:
    t = Table(gourmet=True)
    lay_example_toques(t, 0)
    assert toque_value(t.state, t.rules, t.space("F4")) == 2


def test_example_burger_pudding_salad_is_not_burger_salad_pudding() -> None:
    for card, fits in (("salad pudding burger", True), ("pudding salad burger", False)):
        t = Table()
        t.put("D1", "burger")
        t.put("D2", "pudding")
        slot = t.deal(0, card)  # burger, pudding, salad from its other end; and burger, salad, pudding
        t.act(t.place("D3", "salad"))
        assert t.scorable() == ([slot] if fits else [])


def test_example_daphne_announces_a_pudding() -> None:
    """A dish lies beside the order, so she may; it is a pudding: one from the kitchen takes its place, she keeps it."""
    t = Table()
    t.order("D1", "pudding")
    t.put("D2", "burger")
    kitchen = t.state.kitchen.copy()
    t.act(t.announce("D1", "pudding"))
    assert t.state.board[t.space("D1")] == 2
    assert t.state.order[t.space("D1")] == EMPTY
    assert (kitchen - t.state.kitchen).tolist() == [0, 0, 1, 0]
    assert t.state.collected[0].tolist() == [0, 0, 1, 0]
    assert t.state.points[0] == 1
    assert t.state.phase in (Phase.SCORE, Phase.DISCARD)


def test_example_gaetan_completes_burger_fruit_salad_pudding() -> None:
    t = Table()
    t.put("D3", "pudding")
    t.put("D2", "fruit_salad")
    t.state.order[t.space("D1")] = -1
    slot = t.deal(0, "pudding fruit_salad burger")
    t.act(t.place("D1", "burger"))
    assert t.scorable() == [slot]
    t.act(Action.SCORE + slot)
    assert t.state.points[0] == 1
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
