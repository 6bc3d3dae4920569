"""The rulebook's worked examples and every line of its FAQ."""

from __future__ import annotations

from banquet_envs.games.dinner_party.state import Action, Where

from .positions import LEFT, NONE, RIGHT, WATER, WINE, Position


def scored(p: Position) -> list[int]:
    """Points after an invitation that fails and changes nothing."""
    p.invites("hitler", 0, 0, 1)
    return p.points()


def test_example_freud_sits_down_beside_lincoln_and_not_beside_capone() -> None:
    p = Position([["capone", "lincoln"], []], ["freud"]).invites("freud", 3, 3, 3)
    assert p.needs() == (12, 8)  # 9 - 2 = 7 falls short of 10, 9 + 2 = 11 reaches it
    assert p.legal() == {p.put(RIGHT), Action.FAIL}
    p.do(p.put(RIGHT))
    assert p.table(0) == ["capone", "lincoln", "freud"]


def test_example_wu_zetian_comes_for_7_and_a_water() -> None:
    p = Position([["beethoven"], []], ["wu_zetian"], stash={0: (1, 0)}).invites("wu_zetian", 3, 4, 0)
    assert p.legal() == {p.put(RIGHT, WATER), Action.FAIL}  # 7 + 2 = 9 against 8
    p.do(p.put(RIGHT, WATER))
    assert p.drink_on("wu_zetian") == WATER
    assert p.table(0) == ["beethoven", "wu_zetian"]


def test_example_lincoln_with_water_beside_hitler_is_not_entertained_with_7() -> None:
    p = Position([[], ["hitler", "lincoln"]], ["freud"], drinks={"lincoln": WATER})
    p.do(p.charm("lincoln"))
    assert p.r.player == 1  # the dice were passed to the owner
    assert p.needs() == (8, 8)  # 8 - 2 for the Water + 2 for Hitler's red arrows
    p.stop_with(3, 4, 0)
    assert p.r.player == 0  # 7 + 2 - 2 = 7: the charmer rolls for Lincoln
    assert p.r.target == p.id("lincoln")
    assert not p.r.entertaining


def test_example_seven_guests_five_occupations_and_curie_are_17_points() -> None:
    table = ["lincoln", "marie_curie", "freud", "beethoven", "capone", "buddha", "fugger"]
    assert scored(Position([[], table]))[1] == 7 + 8 + 2


def test_example_clear_stack_must_be_decided_at_once() -> None:
    p = Position([["beethoven"], []], ["rockefeller"]).invites("rockefeller", 3, 3, 3)
    assert p.legal() == {Action.DO, Action.LEAVE}
    p.do(Action.LEAVE)
    assert p.r.height[3] == 3  # not used: the next card of his stack has been revealed
    assert p.r.face_up[3] >= 0


def test_example_bonus_to_invite_demand_12_or_more() -> None:
    p = Position([["cleopatra"], []], ["einstein", "capone"])
    assert p.do(p.invite("einstein")).needs() == (8, 8)  # 12 - 4
    p = Position([["cleopatra"], []], ["einstein", "capone"])
    assert p.do(p.invite("capone")).needs() == (8, 8)  # Demand 8 as it is


def test_example_charmed_opponent_rolls_one_fewer_time_but_once_at_least() -> None:
    p = Position([["napoleon"], ["freud"]])
    p.do(p.charm("freud"))
    assert p.r.rolls_left == 1  # two rolls in all, the first is made


# ---------------------------------------------------------------- FAQ


def test_faq_a_result_may_go_below_zero() -> None:
    # Sartre: -1 per guest, six of them, and Hitler's arrows at the right end: dice of 1, 0, 0 give 1 - 6 - 2 = -7.
    p = Position([["capone", "newton", "genghis_khan", "rasputin", "fugger", "hitler"], []], ["sartre"])
    p.do(p.invite("sartre"))
    assert p.needs()[RIGHT] == 6 + 6 + 2
    p.stop_with(0, 0, 1)
    assert p.r.failed


def test_faq_only_an_ability_that_says_so_applies_to_the_guest_itself() -> None:
    # Einstein's +1 "on all your rolls" does not help to invite Einstein; Buddha's own ability does.
    p = Position([[], []], ["einstein"])
    assert p.do(p.invite("einstein")).needs() == (12, 12)
    p = Position([[], []], ["buddha"])
    assert p.do(p.invite("buddha")).needs() == (7, 7)


def test_faq_hitler_is_a_guest_but_no_stack() -> None:
    # One stack is empty and Hitler sits at a Table: the Lobby lacks him and one stack, and the game goes on.
    p = Position([["hitler"], ["dante"]], ["freud", "capone", "buddha", "lincoln"], heights=[3, 0, 3, 3, 3])
    p.invites("freud", 4, 4, 4)
    assert p.r.ending == 0
    assert p.table(0) == ["hitler", "freud"]


def test_faq_a_drink_on_hitler_goes_to_the_bar_when_he_is_passed_on() -> None:
    p = Position([["dante"], ["freud"]], ["lincoln"], stash={0: (0, 1), 1: (0, 0)}).invites("hitler", 2, 2, 0)
    p.do(p.put(RIGHT, WINE), p.hitler_to(1, RIGHT))
    assert p.table(1) == ["freud", "hitler"]
    assert p.drink_on("hitler") == NONE
    assert p.stash(0) == (0, 0)
    assert p.stash(1) == (0, 0)


def test_faq_hitler_leaves_a_table_through_an_ability_and_the_gap_closes() -> None:
    p = Position([["dante", "hitler", "freud"], []], ["chaplin"], drinks={"hitler": WATER})
    p.invites("chaplin", 3, 3, 4).do(p.put(RIGHT))
    assert p.table(0) == ["dante", "freud", "chaplin"]
    assert p.where("hitler") == Where.LOBBY
    assert p.drink_on("hitler") == NONE


def test_faq_riefenstahl_after_hitler_left_the_game_does_nothing() -> None:
    p = Position([["dante"], ["freud", "darwin"]], ["riefenstahl"], hitler="gone").invites("riefenstahl", 3, 3, 3)
    assert p.table(0) == ["dante", "riefenstahl"]
    assert p.table(1) == ["freud", "darwin"]
    assert p.r.player == 1  # and the turn went on


def test_faq_ford_and_teresa_ask_for_two_successes_and_do_not_stack() -> None:
    p = Position([["henry_ford", "mother_teresa"], ["freud"]])
    p.do(p.charm("freud"))
    assert p.r.attempts == 2
    p.stop_with(4, 4, 4)
    assert p.r.player == 1  # the first success does not save him yet
    assert p.r.attempts == 1
    p.stop_with(3, 3, 3)
    assert p.r.player == 0
    assert p.r.target == p.id("freud")


def test_faq_perons_gift_stacks_with_the_guests_own_drink() -> None:
    p = Position([["eva_peron"], []], ["freud"], stash={0: (2, 0)}).invites("freud", 2, 4, 0)
    assert p.legal() == {p.put(RIGHT, WATER, WATER), Action.FAIL}  # 6 + 2 + 2 = 10
    p.do(p.put(RIGHT, WATER, WATER))
    assert p.table(0) == ["eva_peron", "freud"]
    assert p.stash(0) == (0, 0)
    assert p.stash(1) == (1, 0)
    assert p.drink_on("freud") == WATER


def test_faq_drinks_and_envelopes_are_unlimited() -> None:
    p = Position([["dante"], []], ["capone"], stash={0: (0, 900)}).invites("capone", 3, 3, 3)
    p.do(p.put(RIGHT))
    assert p.stash(0) == (0, 902)
    p = Position([["dante"], []], ["fugger"], envelopes={0: 900}).invites("fugger", 3, 3, 3)
    assert p.r.envelopes[0] == 901  # one spot and no Drink: nothing was asked


def test_faq_a_guest_overrides_the_rules_beethoven_ignores_arrows() -> None:
    p = Position([["lincoln", "capone"], []], ["beethoven"])
    assert p.do(p.invite("beethoven")).needs() == (9, 9)


def test_lobby_is_left_and_right_ends_only() -> None:
    p = Position([["dante", "freud", "capone"], []], ["fugger"]).invites("fugger", 4, 4, 4)
    assert {a for a in p.legal() if a < Action.FAIL} == {p.put(LEFT), p.put(RIGHT)}
    p.do(p.put(LEFT))
    assert p.table(0) == ["fugger", "dante", "freud", "capone"]
