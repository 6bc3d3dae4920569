"""Each ability kind, worked out by hand: in the shipped deck, and with other numbers in a small second deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from banquet_envs.games.dinner_party.state import Action, Phase, Where

from .positions import LEFT, NONE, RIGHT, STOP, WATER, WINE, Position

SMALL = Path(__file__).with_name("small_deck.toml")


def small(tables: list[list[str]], lobby: list[str] = (), **more: Any) -> Position:  # type: ignore[assignment]
    return Position(tables, lobby, components=SMALL, **more)


def invite_needs(p: Position, name: str) -> tuple[int, int]:
    return p.do(p.invite(name)).needs()


def keep_needs(p: Position, name: str) -> int:
    p.do(p.charm(name))
    assert p.r.entertaining
    return p.needs()[0]


# ---------------------------------------------------------------- result_mod: the fifteen cards, then the small deck


@pytest.mark.parametrize(
    ("tables", "guest", "needs"),
    [
        ([["darwin"], ["freud", "dante"]], "lincoln", (6, 6)),  # another player has more guests: 8 - 2
        ([["darwin", "dante"], ["freud", "fugger"]], "lincoln", (8, 8)),  # nobody has
        ([["cleopatra"], []], "gandhi", (8, 8)),  # Demand 12 or more: 12 - 4
        ([["cleopatra"], []], "henry_ford", (11, 11)),
        ([["freud"], []], "mozart", (10, 10)),  # not from a Table
        ([["einstein"], []], "mozart", (7, 7)),  # + 1, and Einstein's green arrows
        ([["galileo"], []], "buddha", (9, 9)),  # - 2 for a Religion guest, + 3 of his own: 10 + 2 - 3
        ([["galileo"], []], "dante", (9, 9)),  # Art and Religion: 7 + 2
        ([["galileo"], []], "freud", (10, 10)),
        ([["dante", "fugger", "darwin"], []], "sartre", (9, 9)),  # - 1 for each of three guests: 6 + 3
        ([["walt_disney"], []], "dante", (5, 5)),  # other Art guests: 7 - 2
        ([["walt_disney"], []], "freud", (10, 10)),
        ([["joan_of_arc"], []], "lincoln", (6, 6)),  # other Politics guests: 8 - 2
        ([["joan_of_arc"], []], "freud", (10, 10)),
        ([["frida_kahlo"], []], "freud", (10, 10)),  # hers is for entertaining
        ([["confucius"], []], "freud", (10, 10)),
        ([["torquemada"], []], "freud", (12, 12)),  # his red arrows only
        ([["genghis_khan"], []], "freud", (12, 12)),
        ([["rasputin"], []], "freud", (12, 12)),
        ([["hypatia"], []], "freud", (8, 8)),
    ],
)
def test_result_mod_when_inviting(tables: list[list[str]], guest: str, needs: tuple[int, int]) -> None:
    assert invite_needs(Position(tables, [guest]), guest) == needs


def test_result_mod_buddha_needs_an_empty_stash() -> None:
    assert invite_needs(Position([["dante"], []], ["buddha"], stash={0: (1, 0)}), "buddha") == (10, 10)
    assert invite_needs(Position([["dante"], []], ["buddha"], stash={1: (1, 0)}), "buddha") == (7, 7)


def test_result_mod_freud_helps_with_guests_of_other_tables() -> None:
    p = Position([["freud"], ["fugger"]])
    p.do(p.charm("fugger")).stop_with(1, 1, 1)
    assert p.needs() == (5, 5)


@pytest.mark.parametrize(
    ("owner", "guest", "need"),
    [
        (["frida_kahlo", "dante", "freud"], "dante", 5),  # + 2 for her neighbours
        (["frida_kahlo", "dante", "freud"], "freud", 10),  # he is none
        (["frida_kahlo", "dante"], "frida_kahlo", 8),
        (["einstein", "mozart", "dante"], "dante", 6),  # + 1 on rolls for others
        (["dante", "einstein"], "einstein", 12),  # not for himself
        (["hypatia"], "hypatia", 9),  # - 2 to entertain her
        (["rasputin"], "rasputin", 3),  # + 4 to entertain him
        (["confucius", "dante"], "dante", 6),  # + 1 on all entertaining
        (["confucius"], "confucius", 8),  # himself included
        (["torquemada", "fugger", "dante"], "dante", 8),  # - 1 for the other guests
        (["torquemada"], "torquemada", 5),  # not himself
        (["walt_disney", "dante"], "dante", 7),  # his is for inviting
        (["galileo", "dante"], "dante", 7),
        (["lincoln"], "lincoln", 8),
        (["buddha"], "buddha", 10),
    ],
)
def test_result_mod_when_entertaining(owner: list[str], guest: str, need: int) -> None:
    assert keep_needs(Position([[], owner]), guest) == need


def test_result_mod_genghis_khan_weakens_charmed_opponents() -> None:
    assert keep_needs(Position([["genghis_khan"], ["dante"]]), "dante") == 9


def test_result_mod_small_deck() -> None:
    assert invite_needs(small([["a5"], []], ["p1"], stash={0: (0, 0)}), "p1") == (1, 1)  # himself, Stash empty: 4 - 3
    assert keep_needs(small([["a5"], ["p1"]], stash={1: (0, 0)}), "p1") == 1  # "any" roll
    assert keep_needs(small([["a5"], ["p1"]], stash={1: (1, 0)}), "p1") == 4
    assert invite_needs(small([["p2", "a5"], []], ["s1"]), "s1") == (2, 5)  # beside P2 only
    assert keep_needs(small([["a5"], ["s1", "p2"]]), "s1") == 2
    assert keep_needs(small([["p3"], ["a2", "a6"]]), "a6") == 9 - 1 + 3  # an Art guest of a charmed opponent
    assert keep_needs(small([["p3"], ["s1", "a6"]]), "s1") == 5 - 1  # no Art guest
    # R6: + 1 per guest at the Table for guests of Demand 5 or more from the Lobby
    assert invite_needs(small([["r6", "a5", "p5"], []], ["s1"]), "s1") == (2, 2)
    assert invite_needs(small([["r6", "a5", "p5"], []], ["s2"]), "s2") == (4, 4)
    p = small([["r6", "a5", "p5"], ["s1"]])
    p.do(p.charm("s1")).stop_with(0, 0, 1)
    assert p.needs() == (5, 5)  # from a Table


# ---------------------------------------------------------------- the roll


def test_roll_count() -> None:
    p = Position([["da_vinci"], []], ["freud"])
    p.do(p.invite("freud"))
    assert p.r.rolls_left == 3  # four rolls when inviting
    p = Position([["napoleon"], ["freud"]])
    p.do(p.charm("freud"))
    assert p.r.rolls_left == 1  # two rolls instead of three
    p = small([["a1"], ["p4"]])
    p.do(p.charm("p4"))
    assert p.r.rolls_left == 3  # 2 + 2 rolls to entertain
    p = small([["a1", "r5"], ["a6", "p4"]])
    p.do(p.charm("a6"))
    assert p.r.rolls_left == 1  # 2 + 2 - 2
    p = small([["a1", "r5"], ["a6"]])
    p.do(p.charm("a6"))
    assert p.r.phase == Phase.ROLL or p.r.player == 0  # 2 - 2, raised to one roll: no choice for the owner
    assert p.r.player == 0


def test_reroll_after_last() -> None:
    p = Position([["mozart"], []], ["freud"]).invites("freud", 0, 4, 4)
    assert p.legal() == {0b110, 0b011, 0b111}  # the icon or one of the alike fours, or nothing
    p.r.dice[:] = 0, 4, 4
    p.do(0b110)  # one die is rolled once more
    assert p.r.phase != Phase.REROLL
    p = small([["a2"], []], ["p5"]).invites("p5", 1, 3, 5)
    assert p.legal() == set(range(1, 8))  # up to two dice
    p = small([[], ["a2"]], ["p5"])
    p.do(p.charm("a2")).stop_with(1, 3, 1)
    assert p.r.player == 0  # this one is for inviting only


def test_icon_value() -> None:
    p = Position([["tesla"], []], ["dante"]).invites("dante", 0, 3, 3)
    assert p.table(0) == ["tesla", "dante"]  # 1 + 3 + 3 = 7
    assert p.r.phase == Phase.BAR  # and the icon still counts as one
    p = Position([["fugger"], []], ["dante"]).invites("dante", 0, 3, 3)
    assert p.r.failed
    p = Position([[], ["tesla", "dante"]], ["freud"])
    p.do(p.charm("dante")).stop_with(0, 3, 3)
    assert p.r.phase == Phase.CHOOSE  # entertained
    p = small([["a3"], []], ["s3"]).invites("s3", 0, 0, 1)
    assert p.r.failed  # 2 + 2 + 1 = 5 against 6
    p = small([["a3"], []], ["s1"]).invites("s1", 0, 0, 1)
    assert p.table(0) == ["a3", "s1"]


def test_ignore_arrows() -> None:
    assert keep_needs(Position([[], ["capone", "beethoven", "newton"]]), "beethoven") == 9
    assert invite_needs(Position([["capone", "lincoln"], []], ["beethoven"]), "beethoven") == (9, 9)
    assert invite_needs(Position([["beethoven", "lincoln"], []], ["freud"]), "freud") == (10, 8)  # for himself only
    # A1: no arrow changes any roll of its Table, but not yet its own invitation
    assert invite_needs(small([["a2", "a1", "s5"], []], ["p5"]), "p5") == (7, 7)
    assert keep_needs(small([["p5"], ["a2", "s1", "a1"]]), "s1") == 5
    assert invite_needs(small([["a2", "s5"], []], ["a1"]), "a1") == (3, 5)


# ---------------------------------------------------------------- Drinks


def test_drink_value() -> None:
    p = Position([["churchill"], []], ["freud"], stash={0: (0, 1)}).invites("freud", 1, 4, 0)
    assert p.legal() == {p.put(RIGHT, WINE), Action.FAIL}  # 5 + 5
    p = Position([["jesus"], []], ["freud"], stash={0: (1, 0)}).invites("freud", 1, 3, 0)
    assert p.legal() == {p.put(RIGHT, WATER), Action.FAIL}  # 4 + 4, and his arrows: 10
    assert keep_needs(Position([[], ["churchill", "dante"]], drinks={"dante": WINE}), "dante") == 2
    assert keep_needs(Position([[], ["churchill"]], drinks={"churchill": WINE}), "churchill") == 2
    assert keep_needs(Position([["churchill"], ["dante"]], drinks={"dante": WINE}), "dante") == 3  # not the charmer's
    assert keep_needs(small([[], ["a4", "r1", "s1"]], drinks={"s1": WATER}), "s1") == 5 - 3 - 3


def test_gift_drink() -> None:
    p = Position([["eva_peron"], [], []], ["freud"], stash={0: (0, 1)}).invites("freud", 3, 3, 0)
    assert p.legal() == {p.put(RIGHT, WINE), p.put(RIGHT, NONE, WINE), Action.FAIL}
    p.do(p.put(RIGHT, NONE, WINE), Action.GIVE_TO)
    assert p.stash(0) == (0, 0)
    assert p.stash(1) == (0, 1)
    assert p.drink_on("freud") == NONE
    p = small([["a5"], []], ["p5"], stash={0: (2, 0), 1: (0, 0)}).invites("p5", 1, 0, 0)
    assert p.legal() == {p.put(RIGHT, WATER, WATER), Action.FAIL}  # 1 + 3 + 3


def test_fail_without_drink() -> None:
    p = Position([[], ["marie_antoinette", "confucius"]])
    p.do(p.charm("marie_antoinette"))
    assert (p.r.player, p.r.phase, p.r.entertaining) == (0, Phase.ROLL, 0)
    p = small([[], ["s2"]])
    p.do(p.charm("s2"))
    assert (p.r.player, p.r.phase, p.r.entertaining) == (0, Phase.ROLL, 0)
    assert keep_needs(small([[], ["s2"]], drinks={"s2": WATER}), "s2") == 1


# ---------------------------------------------------------------- charming, the Bar


def test_entertain_twice() -> None:
    for charmer in (["henry_ford"], ["mother_teresa"], ["henry_ford", "mother_teresa"]):
        p = Position([charmer, ["dante"]], ["lincoln"])
        p.do(p.charm("dante")).stop_with(4, 4, 4)
        assert (p.r.player, p.r.attempts) == (1, 1)
        p.stop_with(4, 4, 4)
        assert (p.r.player, p.r.phase) == (0, Phase.CHOOSE)
    p = Position([["dante"], ["henry_ford"]])  # at the owner's Table it does nothing
    p.do(p.charm("henry_ford"))
    assert p.r.attempts == 1
    p = small([["s1"], ["a6"]])
    p.do(p.charm("a6"))
    assert p.r.attempts == 2


def test_charm_cost() -> None:
    p = Position([[], ["gandhi", "dante"]])
    p.do(p.charm("dante"))
    assert p.r.envelopes[0] == 1
    p = small([[], ["p5"]], envelopes={0: 4})
    p.do(p.charm("p5"))
    assert p.r.envelopes[0] == 1
    assert (
        small([[], ["p5"]], ["a1"], envelopes={0: 2}).charm("p5")
        not in small([[], ["p5"]], ["a1"], envelopes={0: 2}).legal()
    )


def test_bar_bonus() -> None:
    p = Position([["adam_smith"], []], ["freud"]).invites("freud", 0, 0, 0)  # failed: 4 icons
    assert p.legal() == {Action.TAKE, Action.TAKE + 1, Action.TAKE + 2, Action.TAKE + 3}
    p.do(Action.TAKE + 3)
    assert p.stash(0) == (0, 2)
    p = Position([["adam_smith"], []], ["freud"]).invites("freud", 1, 1, 1)
    assert p.legal() == {Action.TAKE, Action.TAKE + 1}  # one icon without any on the dice
    p = Position([["adam_smith"], []], ["dante"]).invites("dante", 3, 3, 3)
    assert p.r.player == 1  # the invitation succeeded: no icon
    p = small([["s3"], []], ["a5"], stash={0: (0, 0)}).invites("a5", 5, 5, 3)
    assert p.legal() == {Action.TAKE, Action.TAKE + 1}  # always two icons, here Water and Wine
    p.do(Action.TAKE + 1)
    assert p.stash(0) == (1, 1)
    p = small([["s3"], []], ["p5"], stash={0: (0, 0)}).invites("p5", 0, 0, 0)
    assert p.legal() == {Action.TAKE + k for k in range(4)}  # five icons count as the last line, three


# ---------------------------------------------------------------- arrivals


@pytest.mark.parametrize(
    ("guest", "water", "wine", "envelopes"),
    [
        ("capone", 0, 2, 0),
        ("fugger", 0, 0, 1),
        ("mansa_musa", 2, 0, 0),
        ("martin_luther", 0, 0, 1),
        ("hildegard", 1, 0, 0),
    ],
)
def test_arrival_gain(guest: str, water: int, wine: int, envelopes: int) -> None:
    p = Position([["dante"], []], [guest]).invites(guest, 4, 4, 4)
    assert p.table(0) == ["dante", guest]
    assert p.stash(0) == (water, wine)
    assert p.r.envelopes[0] == 3 + envelopes


def test_arrival_gain_small_deck() -> None:
    p = small([["a5"], []], ["s4"], stash={0: (0, 0)}, envelopes={0: 1}).invites("s4", 5, 5, 5)
    assert p.stash(0) == (1, 2)
    assert p.r.envelopes[0] == 3


def test_arrival_discard() -> None:
    p = Position([["dante"], [], []], ["marx"], stash={0: (0, 0), 1: (2, 1), 2: (0, 0)}).invites("marx", 4, 4, 4)
    assert [p.stash(s) for s in range(3)] == [(0, 0), (1, 1), (0, 0)]
    # A4 makes Water worth 6, more than Wine's 5: Wine goes first; two Drinks each, or what there is
    p = small([["a5"], ["a4"], []], ["s5"], stash={0: (0, 0), 1: (2, 1), 2: (1, 0)}).invites("s5", 5, 5, 5)
    assert [p.stash(s) for s in range(3)] == [(0, 0), (1, 0), (0, 0)]


def test_arrival_hitler_pass_on() -> None:
    p = Position([["dante"], ["freud", "darwin"]], ["lincoln"]).invites("hitler", 4, 4, 4)
    assert p.legal() == {p.hitler_to(1, LEFT), p.hitler_to(1, RIGHT), Action.LEAVE}
    p.do(Action.LEAVE)
    assert p.table(0) == ["dante", "hitler"]
    p = small([["a5"], ["a6", "p5"]], ["p1"], stash={0: (0, 0)}).invites("hitler", 5, 5, 5)
    assert p.legal() == {p.hitler_to(1, LEFT), p.hitler_to(1, RIGHT)}  # not optional in this deck


def test_arrival_hitler_remove() -> None:
    p = Position([["dante"], ["freud", "hitler", "fugger"]], ["wu_zetian"], drinks={"hitler": WATER})
    p.invites("wu_zetian", 4, 4, 4)
    assert p.where("hitler") == Where.GONE
    assert p.table(1) == ["freud", "fugger"]
    p = small([["a6"], ["p5", "hitler"]], ["e2"]).invites("e2", 5, 5, 5)
    assert p.legal() == {Action.DO, Action.LEAVE}
    p.do(Action.LEAVE)
    assert p.table(1) == ["p5", "hitler"]
    p = small([["a6"], ["p5", "hitler"]], ["e2"]).invites("e2", 5, 5, 5).do(Action.DO)
    assert p.table(1) == ["p5"]
    p = small([["a6"], ["p5"]], ["e2"], hitler="gone", stash={0: (0, 0)}).invites("e2", 5, 5, 5)
    assert p.r.player == 1  # nothing to remove, nothing to ask


def test_arrival_hitler_place() -> None:
    p = Position([["dante"], ["freud", "fugger"], ["lincoln"], []], ["riefenstahl"]).invites("riefenstahl", 4, 4, 4)
    assert p.legal() == {p.hitler_to(1, LEFT), p.hitler_to(1, RIGHT), p.hitler_to(2, RIGHT)}
    p.do(p.hitler_to(2, RIGHT))
    assert p.table(2) == ["lincoln", "hitler"]
    p = small([["a6"], ["p5"]], ["e1"], stash={0: (0, 0)}).invites("e1", 5, 5, 5)
    assert p.legal() == {p.hitler_to(1, RIGHT), Action.LEAVE}  # "may" in this deck


def test_arrival_hitler_to_lobby() -> None:
    p = Position([["dante", "hitler"], []], ["chaplin"]).invites("chaplin", 4, 4, 4).do(Position.put(LEFT))
    assert p.table(0) == ["chaplin", "dante"]
    assert p.where("hitler") == Where.LOBBY
    p = Position([["dante"], ["freud", "hitler"]], ["chaplin"]).invites("chaplin", 4, 4, 4)
    assert p.table(1) == ["freud", "hitler"]  # from the own Table only
    p = small([["a6", "hitler"], []], ["e3"], stash={0: (0, 0)}).invites("e3", 5, 5, 5).do(Position.put(LEFT))
    assert p.legal() == {Action.DO, Action.LEAVE}
    p.do(Action.DO)
    assert p.where("hitler") == Where.LOBBY


def test_arrival_clear_stack() -> None:
    p = Position([["dante"], []], ["rockefeller"]).invites("rockefeller", 4, 4, 4).do(Action.DO)
    assert p.r.height[3] == 0
    assert p.r.face_up[3] == -1
    p = small([["a6"], []], ["e4"], stash={0: (0, 0)}, heights=[2] * 5).invites("e4", 5, 5, 5)
    assert p.r.height[3] == 0  # without a question in this deck
    assert p.r.player == 1


def test_arrival_reseat() -> None:
    p = Position([["dante", "freud"], []], ["shakespeare"]).invites("shakespeare", 4, 4, 4).do(Position.put(RIGHT))
    p.do(p.reseat("freud", RIGHT))
    assert p.table(0) == ["dante", "shakespeare", "freud"]
    assert p.r.player == 1  # one move only
    p = small([["a6", "p5"], []], ["e5"], stash={0: (0, 0)}).invites("e5", 5, 5, 5).do(Position.put(LEFT))
    assert p.table(0) == ["e5", "a6", "p5"]
    assert Action.LEAVE not in p.legal()
    p.do(p.reseat("a6", LEFT))
    assert p.table(0) == ["a6", "e5", "p5"]
    p.do(p.reseat("a6", RIGHT))
    assert p.table(0) == ["e5", "p5", "a6"]
    assert p.r.player == 1


# ---------------------------------------------------------------- scoring


@pytest.mark.parametrize(
    ("table", "points"),
    [
        (["dante", "freud", "lincoln", "fugger"], 4 + 8 + 2),  # all five occupations
        (["dante", "freud", "lincoln"], 3 + 5),  # four of them
        (["van_gogh"], 1 + 1 - 1),
        (["marie_curie", "freud"], 2 + 1 + 2),  # beside a Science guest
        (["freud", "marie_curie"], 2 + 1 + 2),  # on either side
        (["freud", "lincoln", "marie_curie"], 3 + 2),  # not beside
        (["marie_curie", "lincoln", "freud"], 3 + 2),
        (["marie_curie", "lincoln"], 2 + 2),
        (["darwin"], 1 + 1 + 2),  # nobody has more guests
        (["fugger", "newton", "lincoln"], 3 + 3),  # not at an end
        (["fugger", "lincoln", "newton"], 3 + 3 + 2),
        (["coco_chanel"], 1 + 2),
        (["hitler"], 0),
    ],
)
def test_score(table: list[str], points: int) -> None:
    p = Position([["capone"], table], ["mozart"]).invites("mozart", 1, 1, 1)
    assert p.points()[1] == points


def test_score_darwin_does_not_count_hitler() -> None:
    p = Position([["capone", "hitler"], ["darwin"]], ["mozart"]).invites("mozart", 1, 1, 1)
    assert p.points()[1] == 1 + 1 + 2
    p = Position([["capone", "fugger"], ["darwin", "hitler"]], ["mozart"]).invites("mozart", 1, 1, 1)
    assert p.points()[1] == 1 + 1


def test_score_chanel_with_a_drink() -> None:
    p = Position([["capone"], ["coco_chanel"]], ["mozart"], drinks={"coco_chanel": WINE}).invites("mozart", 1, 1, 1)
    assert p.points()[1] == 1 + 2 + 1


def test_score_small_deck() -> None:
    def points(table: list[str], **more: Any) -> int:
        p = small([["a6", "p5"], table], ["s3"], stash={0: (0, 0)}, **more).invites("s3", 0, 0, 1)
        return p.points()[1]

    assert points(["r1", "e1"]) == 4 + 3 + 3  # two points each, two occupations 3, nobody has more
    assert points(["r1"]) == 2 + 1
    assert points(["r2", "e1"]) == 4 + 3 - 2  # at an end: - 2
    assert points(["e1", "r2", "e2"]) == 6 + 3
    assert points(["r3", "e1"]) == 4 + 3 + 4  # beside Economy
    assert points(["r4"], drinks={"r4": WATER}) == 2 + 3 + 2  # two occupations 3, a Drink 2
    assert points(["hitler", "e1"]) == 2 + 1 - 1  # here Hitler costs a point


def test_a_declined_reroll_is_over() -> None:
    p = Position([["mozart"], []], ["freud"]).invites("freud", 4, 4, 4)
    p.do(STOP)
    assert p.table(0) == ["mozart", "freud"]
