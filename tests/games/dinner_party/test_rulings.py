"""Every numbered ruling of the game's README, at least one test each."""

from __future__ import annotations

import numpy as np
import pytest

from banquet_envs.games.dinner_party.state import Action, Phase, Where
from tests.sizes import many

from .positions import LEFT, NONE, RIGHT, STOP, WATER, WINE, Position, game_of

A_WATER, A_WINE = Action.TAKE + 1, Action.TAKE + 2


def kept(p: Position) -> set[int]:
    """Keep-masks that are legal now."""
    return {a for a in p.legal() if a < Action.PUT}


def test_q1_phases_come_in_a_fixed_order() -> None:
    p = Position([["dante"], ["freud"]], ["capone", "lincoln"], stash={0: (1, 0)})
    seen = [int(p.r.phase)]
    p.do(p.charm("freud"))
    seen.append(int(p.r.phase))  # the owner rolls
    p.stop_with(4, 4, 4)
    seen.append(int(p.r.phase))  # entertained: back to the Lobby
    p.do(p.invite("capone"))
    seen.append(int(p.r.phase))
    p.stop_with(4, 4, 0)
    seen.append(int(p.r.phase))  # spot and Drink: 8 suffices, a Water may be added
    p.do(p.put(RIGHT))
    seen.append(int(p.r.phase))
    p.do(A_WATER)
    seen.append(int(p.r.phase))
    assert seen == [Phase.CHOOSE, Phase.ROLL, Phase.CHOOSE, Phase.ROLL, Phase.PLACE, Phase.BAR, Phase.HOST]
    p.do(Action.DONE)
    assert p.r.player == 1


def test_q2_nobody_charms_in_the_first_round() -> None:
    tables = [["dante"], ["freud"], ["darwin"]]
    p = Position(tables, ["capone", "lincoln"], round_number=1, turns=2)
    assert p.charm("freud") not in p.legal()
    assert p.charm("freud") in Position(tables, ["capone", "lincoln"], round_number=2).legal()


def test_q2_option_only_the_start_players_first_turn_is_barred() -> None:
    tables = [["dante"], ["freud"], ["darwin"]]
    p = Position(tables, ["capone", "lincoln"], round_number=1, turns=0, first_charm="start_player_waits")
    assert p.charm("freud") not in p.legal()
    p = Position(tables, ["capone", "lincoln"], round_number=1, turns=1, first_charm="start_player_waits")
    assert p.charm("freud") in p.legal()


def test_q3_an_invitation_cannot_be_declined_and_may_be_hopeless() -> None:
    p = Position([["genghis_khan"], []], ["jesus"])  # 13 + 2 against at most 12
    assert p.legal() == {p.invite("jesus"), p.invite("hitler")}
    p.invites("jesus", 4, 4, 4)
    assert p.table(0) == ["genghis_khan"]  # nothing reaches it: no question
    assert p.r.player == 1


def test_q3_without_an_open_guest_there_is_no_roll_and_no_bar() -> None:
    p = Position(
        [["adam_smith"], ["dante"]], hitler="gone", heights=[0] * 5, ending=1, stash={0: (1, 0)}, turns=1, active=1
    )
    p.r.phase, p.r.active, p.r.player, p.r.turns = Phase.HOST, 0, 0, 0
    assert p.legal() == {Action.DONE, p.host("adam_smith", WATER)}
    p.do(Action.DONE)  # seat 1: empty Lobby, empty Stash: its turn passes without a question, and the round is over
    assert p.r.over


def test_q4_every_die_may_be_rolled_again_even_a_kept_one() -> None:
    p = Position([[], []], ["freud"]).do(Position([[], []], ["freud"]).invite("freud"))
    assert p.r.rolls_left == 2
    p.r.dice[:] = 1, 2, 3
    assert kept(p) == set(range(8))
    p.do(0b100)
    assert p.r.rolls_left == 1
    assert 3 in p.r.dice
    p.r.dice[:] = 1, 2, 3
    assert kept(p) == set(range(8))  # the die kept before is free again
    p.do(0b011)
    assert p.r.phase != Phase.ROLL or p.r.player == 1  # three rolls are made


def test_q4_equal_dice_give_one_choice_only() -> None:
    p = Position([[], []], ["freud"])
    p.do(p.invite("freud"))
    p.r.dice[:] = 2, 2, 2
    assert kept(p) == {0b000, 0b001, 0b011, 0b111}


def test_q5_the_window_after_the_last_roll_comes_before_the_result() -> None:
    p = Position([["mozart"], []], ["freud"]).invites("freud", 2, 3, 4)
    assert p.r.phase == Phase.REROLL
    assert kept(p) == {0b111, 0b110, 0b101, 0b011}
    p.do(STOP)
    assert p.table(0) == ["mozart"]  # 9 against 10, no reroll taken
    assert p.r.player == 1


def test_q5_it_is_there_for_entertaining_too() -> None:
    p = Position([[], ["mozart", "freud"]], ["lincoln"])
    p.do(p.charm("freud")).stop_with(2, 3, 4)
    assert p.r.phase == Phase.REROLL
    assert p.r.player == 1


def test_q6_the_spot_is_chosen_after_the_last_roll() -> None:
    p = Position([["lincoln", "dante"], []], ["fugger"]).invites("fugger", 2, 3, 4)
    assert p.r.phase == Phase.PLACE
    assert p.legal() == {p.put(LEFT), p.put(RIGHT)}


def test_q6_the_first_guest_has_no_choice_of_spot() -> None:
    p = Position([[], []], ["fugger"]).invites("fugger", 2, 3, 4)
    assert p.table(0) == ["fugger"]


def test_q7_only_drinks_that_succeed_are_offered() -> None:
    p = Position([["dante"], []], ["freud"], stash={0: (1, 1)}).invites("freud", 3, 4, 0)
    assert p.legal() == {p.put(RIGHT, WINE), Action.FAIL}  # 7 + 2 falls short, 7 + 4 does not
    p = Position([["dante"], []], ["freud"], stash={0: (1, 1)}).invites("freud", 4, 4, 0)
    assert p.legal() == {p.put(RIGHT, WATER), p.put(RIGHT, WINE), Action.FAIL}
    p = Position([["dante"], []], ["freud"], stash={0: (1, 1)}).invites("freud", 4, 4, 2)
    assert p.legal() == {p.put(RIGHT), p.put(RIGHT, WATER), p.put(RIGHT, WINE)}  # although not needed


def test_q7_drinks_of_this_turns_bar_come_too_late() -> None:
    p = Position([["dante"], []], ["freud"]).invites("freud", 4, 4, 0)
    assert p.r.failed
    assert p.r.phase == Phase.BAR
    assert p.stash(0) == (0, 0)


def test_q8_modifiers_add_up_without_a_cap() -> None:
    # Entertaining Dante between two red neighbours: 7 + 4; between a red and a green one: 7.
    p = Position([["darwin"], ["capone", "dante", "newton"]], ["freud"])
    assert p.do(p.charm("dante")).needs() == (11, 11)
    p = Position([["darwin"], ["capone", "dante", "lincoln"]], ["freud"])
    assert p.do(p.charm("dante")).needs() == (7, 7)


def test_q9_the_owners_arrows_and_drinks_do_nothing_while_its_guest_is_invited() -> None:
    p = Position([[], ["lincoln", "marie_antoinette", "buddha"]], ["freud"])
    p.do(p.charm("marie_antoinette"))  # without a Drink she is lost at once
    assert p.needs() == (6, 6)
    assert p.r.player == 0


def test_q9_the_charmed_guests_own_standing_ability_counts_when_entertaining() -> None:
    p = Position([[], ["rasputin"]], ["freud"])
    assert p.do(p.charm("rasputin")).needs() == (3, 3)


def test_q10_placed_then_arrival_then_refill() -> None:
    p = Position([["dante"], []], ["rockefeller"]).invites("rockefeller", 3, 3, 3)
    assert p.r.phase == Phase.MAY
    assert p.r.face_up[3] == -1  # he is placed and his stack not yet refilled
    p.do(Action.DO)
    assert p.r.face_up[3] == -1
    assert p.r.height[3] == 0


def test_q10_failure_changes_nothing() -> None:
    p = Position([["dante"], []], ["freud"])
    heights = p.r.height.copy()
    p.invites("freud", 3, 3, 3)
    assert p.r.face_up[2] == p.id("freud")
    assert (p.r.height == heights).all()


def test_q10_a_cleared_stack_loses_its_open_card_too() -> None:
    p = Position([["darwin"], ["rockefeller"]], ["capone"])
    p.do(p.charm("rockefeller")).stop_with(0, 0, 1).stop_with(3, 3, 3)
    p.do(Action.DO)
    assert p.where("capone") == Where.GONE
    assert p.r.face_up[3] == -1


@pytest.mark.parametrize(
    ("dice", "choices"),
    [((0, 4, 4), [(0, 0), (1, 0)]), ((0, 0, 4), [(0, 0), (2, 0), (0, 1)]), ((0, 0, 0), [(0, 0), (3, 0), (1, 1)])],
)
def test_q11_the_bar_pays_for_icons_won_or_lost_or_nothing(
    dice: tuple[int, ...], choices: list[tuple[int, int]]
) -> None:
    for k, got in enumerate(choices):
        p = Position([["dante"], []], ["freud"]).invites("freud", *dice)
        assert p.r.phase == Phase.BAR
        assert p.legal() == {Action.TAKE + c for c in range(len(choices))}
        p.do(Action.TAKE + k)
        assert p.stash(0) == got


def test_q11_a_won_invitation_is_paid_too() -> None:
    p = Position([["dante"], []], ["fugger"]).invites("fugger", 0, 4, 4).do(A_WINE - 1)
    assert p.table(0) == ["dante", "fugger"]
    assert p.stash(0) == (1, 0)


def test_q11_entertaining_rolls_never_pay() -> None:
    p = Position([[], ["dante"]], ["freud"])
    p.do(p.charm("dante")).stop_with(0, 0, 0)  # fails
    p.stop_with(3, 3, 3)  # the charmer's roll has no icon
    assert p.stash(0) == (0, 0)
    assert p.stash(1) == (0, 0)
    assert p.r.player == 1


def test_q12_host_places_drinks_and_changes_water_for_wine() -> None:
    p = Position(
        [["dante", "hitler", "freud"], []], ["lincoln"], stash={0: (2, 1)}, drinks={"dante": WATER, "freud": WINE}
    )
    p.invites("lincoln", 1, 1, 1)
    assert p.legal() == {Action.DONE, p.host("dante", WINE), p.host("hitler", WATER), p.host("hitler", WINE)}
    p.do(p.host("dante", WINE))
    assert p.drink_on("dante") == WINE
    assert p.stash(0) == (2, 0)  # the Water that was on him went to the Bar
    assert p.legal() == {Action.DONE, p.host("hitler", WATER)}
    p.do(p.host("hitler", WATER))
    assert p.r.player == 1  # nobody is left without a Drink


def test_q13_charm_again_after_a_success_but_not_the_same_guest() -> None:
    p = Position([["dante"], ["freud", "galileo"], ["capone"]], ["lincoln"])
    p.do(p.charm("freud")).stop_with(4, 4, 4)
    assert p.r.player == 0
    assert p.r.envelopes[0] == 2
    assert p.legal() == {p.charm("galileo"), p.charm("capone"), p.invite("lincoln"), p.invite("hitler")}


def test_q13_after_a_failure_the_charmer_must_roll_for_that_guest() -> None:
    p = Position([["dante"], ["freud"], []], ["lincoln"])
    p.do(p.charm("freud")).stop_with(1, 1, 1)
    assert p.r.phase == Phase.ROLL
    assert p.r.target == p.id("freud")
    p.stop_with(1, 1, 1)
    assert p.r.player == 1  # one invitation per turn: no roll for the Lobby
    assert p.table(1) == ["freud"]


def test_q14_hitler_can_be_charmed_by_default_and_not_with_the_option() -> None:
    tables = [["dante"], ["freud", "hitler"]]
    assert Position(tables, ["lincoln"]).charm("hitler") in Position(tables, ["lincoln"]).legal()
    p = Position(tables, ["lincoln"], charm_hitler=False)
    assert p.charm("hitler") not in p.legal()


def test_q14_with_two_players_he_stays_or_goes_back_to_an_end() -> None:
    p = Position([["dante"], ["freud", "hitler"]], ["lincoln"])
    p.do(p.charm("hitler")).stop_with(1, 1, 1).stop_with(4, 4, 2)
    assert p.legal() == {p.hitler_to(1, RIGHT), Action.LEAVE}  # with Freud alone the ends are mirror images
    p.do(Action.LEAVE)
    assert p.table(0) == ["dante", "hitler"]


def test_q15_hitler_from_the_lobby_is_seated_and_then_passed_on() -> None:
    p = Position([["lincoln"], ["freud", "dante"], []], ["capone", "gandhi", "mozart", "darwin", "buddha"])
    p.do(p.invite("hitler"))
    assert p.needs() == (6, 6)  # 8 with three players, and Lincoln's green arrows help
    p.stop_with(2, 2, 2)
    assert p.table(0) == ["lincoln", "hitler"]
    assert p.legal() == {p.hitler_to(1, LEFT), p.hitler_to(1, RIGHT), Action.LEAVE}  # the empty Table is no choice
    heights = p.r.height.copy()
    p.do(p.hitler_to(1, LEFT))
    assert p.table(1) == ["hitler", "freud", "dante"]
    assert p.table(0) == ["lincoln"]
    assert (p.r.height == heights).all()
    assert p.r.player == 1  # he used up the invitation; the receiver cannot pass him on


def test_q15_without_another_table_he_stays() -> None:
    p = Position([["lincoln"], [], []], ["capone"]).invites("hitler", 2, 2, 2)
    assert p.table(0) == ["lincoln", "hitler"]


def test_q15_his_demand_is_six_with_four_players() -> None:
    p = Position([[], [], [], []], ["capone"])
    assert p.do(p.invite("hitler")).needs() == (6, 6)


def test_q16_hitler_counts_as_a_guest() -> None:
    # For Sartre two guests are at the Table; for Lincoln seat 1 with Hitler has more.
    p = Position([["dante", "hitler"], []], ["sartre"])
    assert p.do(p.invite("sartre")).needs()[LEFT] == 6 + 2
    p = Position([["dante"], ["freud", "hitler"]], ["lincoln"])
    assert p.do(p.invite("lincoln")).needs() == (6, 6)
    p = Position([["dante"], ["freud"]], ["lincoln"])
    assert p.do(p.invite("lincoln")).needs() == (8, 8)


def test_q16_newcomers_may_sit_outside_him() -> None:
    p = Position([["dante", "hitler"], []], ["fugger"]).invites("fugger", 4, 4, 4).do(Position.put(RIGHT))
    assert p.table(0) == ["dante", "hitler", "fugger"]


def test_q17_one_roll_fewer_hits_both_attempts_and_the_first_failure_ends_it() -> None:
    p = Position([["henry_ford", "napoleon"], ["freud"]], ["lincoln"])
    p.do(p.charm("freud"))
    assert (p.r.attempts, p.r.rolls_left) == (2, 1)
    p.stop_with(4, 4, 4)
    assert (p.r.attempts, p.r.rolls_left) == (1, 1)
    p = Position([["henry_ford"], ["freud"]], ["lincoln"])
    p.do(p.charm("freud")).stop_with(1, 1, 1)
    assert p.r.player == 0


def test_q18_marie_antoinette_without_a_drink_is_lost_without_a_roll() -> None:
    p = Position([["dante"], ["marie_antoinette"]], ["lincoln"])
    p.do(p.charm("marie_antoinette"))
    assert p.r.player == 0
    assert p.r.entertaining == 0
    p = Position([["dante"], ["marie_antoinette"]], ["lincoln"], drinks={"marie_antoinette": WATER})
    p.do(p.charm("marie_antoinette"))
    assert p.r.player == 1
    assert p.needs() == (4, 4)


def test_q19_a_guest_is_taken_its_drink_returns_and_it_arrives_again() -> None:
    p = Position([["darwin"], ["dante", "capone", "freud"]], ["lincoln"], drinks={"capone": WINE}, stash={0: (1, 0)})
    p.do(p.charm("capone")).stop_with(0, 0, 1).stop_with(2, 4, 2)
    p.do(p.put(RIGHT, WATER))
    assert p.table(1) == ["dante", "freud"]
    assert p.stash(1) == (0, 1)  # the former owner has its Wine back
    assert p.drink_on("capone") == WATER  # the Drink he was treated to sits on him
    assert p.stash(0) == (0, 2)  # and he brought two Wine once more


def test_q20_no_charming_from_the_moment_two_stacks_are_empty() -> None:
    p = Position([["darwin"], ["dante"], []], ["fugger", "lincoln"], heights=[4, 0, 4, 0, 4])
    p.invites("fugger", 4, 4, 4)  # no Art guest is open: with this second stack the end is triggered
    assert p.r.ending == 1
    assert p.r.player == 1
    assert p.charm("darwin") not in p.legal()


def test_q20_the_last_players_turn_still_has_its_bar_and_host() -> None:
    p = Position([["darwin"], ["dante"]], ["fugger", "lincoln"], heights=[4, 0, 4, 0, 4], turns=1)
    p.invites("fugger", 4, 4, 0)
    assert p.r.ending == 1
    assert p.r.phase == Phase.BAR
    p.do(A_WATER)
    assert p.r.phase == Phase.HOST
    p.do(p.host("darwin", WATER))
    assert p.r.over
    assert not p.r.capped


def test_q20_otherwise_the_round_is_finished() -> None:
    p = Position([["darwin"], ["dante"]], ["fugger", "lincoln"], heights=[4, 0, 4, 0, 4], turns=0)
    p.invites("fugger", 4, 4, 4)
    assert p.r.ending
    assert not p.r.over
    assert p.r.player == 1
    p.invites("lincoln", 1, 1, 1)
    assert p.r.over


def test_q21_after_sixty_rounds_the_game_is_cut_off_and_scored() -> None:
    p = Position([["darwin"], []], ["freud"], round_number=60, turns=1).invites("freud", 1, 1, 1)
    assert p.r.over
    assert p.r.capped
    assert list(p.r.place[:2]) == [0, 1]
    p = Position([["darwin"], []], ["freud"], round_number=59, turns=1).invites("freud", 1, 1, 1)
    assert not p.r.over


def final(tables: list[list[str]], **options: object) -> list[int]:
    """Places after a last turn in which nothing happens."""
    p = Position(tables, ["mozart"], ending=1, turns=len(tables) - 1, **options)  # type: ignore[arg-type]
    p.invites("mozart", 1, 1, 1)
    assert p.r.over
    return [int(x) for x in p.r.place[: len(tables)]]


def test_q22_ties_go_to_the_highest_total_demand_then_are_shared() -> None:
    assert final([["freud"], ["lincoln"]]) == [0, 1]  # both 2 points, Demand 10 against 8
    assert final([["lincoln"], ["wu_zetian"], ["fugger"]]) == [1, 0, 2]  # two occupations: 3 points
    assert final([["lincoln"], ["cleopatra"], ["fugger"]]) == [0, 0, 2]  # 2 points and Demand 8 each


def test_q22_hitlers_demand_counts_unless_the_option_leaves_him_out() -> None:
    assert final([["lincoln"], ["fugger", "hitler"]]) == [1, 0]  # 7 + 8 against 8
    assert final([["lincoln"], ["fugger", "hitler"]], hitler_in_ties=False) == [0, 1]


def test_q23_what_is_not_may_is_forced_and_the_impossible_is_skipped() -> None:
    p = Position([["dante"], []], ["wu_zetian"]).invites("wu_zetian", 4, 4, 2)
    assert p.where("hitler") == Where.GONE  # removed without a question
    p = Position([["dante"], []], ["chaplin"]).invites("chaplin", 4, 4, 2)
    assert p.where("hitler") == Where.LOBBY  # he was there already


def test_q24_all_seats_share_one_view_and_only_stacks_and_box_are_resampled() -> None:
    game = game_of(3)
    states = game.reset(many(200), seed=3)
    before = states.copy()
    game.determinize(states, 0, seed=1)
    changed = {name for name in states.dtype.names if (states[name] != before[name]).any()}
    assert changed == {"rng", "seed", "hidden"}
    for back in range(5):
        assert (np.sort(states.hidden[:, back]) == np.sort(before.hidden[:, back])).all()


def test_q25_the_owner_makes_every_choice_of_its_rolls() -> None:
    p = Position([["dante"], ["freud"], []], ["lincoln"])
    p.do(p.charm("freud"))
    assert p.r.active == 0
    movers = []
    while p.r.phase == Phase.ROLL and p.r.entertaining:
        movers.append(int(p.r.player))
        p.do(0)
    assert movers == [1, 1]
    assert p.r.player == 0


def test_q26_the_gifts_receiver_is_asked_last_and_only_with_several_opponents() -> None:
    p = Position([["eva_peron"], [], []], ["freud"], stash={0: (1, 1)}).invites("freud", 2, 2, 0)
    assert p.legal() == {p.put(RIGHT, WATER, WINE), p.put(RIGHT, WINE, WATER), Action.FAIL}
    p.do(p.put(RIGHT, WATER, WINE))
    assert p.legal() == {Action.GIVE_TO, Action.GIVE_TO + 1}
    p.do(Action.GIVE_TO + 1)
    assert p.stash(2) == (0, 1)
    assert p.stash(0) == (0, 0)
    assert p.drink_on("freud") == WATER


def test_q26_two_of_a_sort_need_two_tokens_and_churchills_bonus_counts_for_the_gift() -> None:
    p = Position([["eva_peron", "churchill"], []], ["freud"], stash={0: (0, 1)}).invites("freud", 1, 4, 0)
    # 5 + 5 with one Wine, given away or served
    assert p.legal() == {p.put(e, *d) for e in (LEFT, RIGHT) for d in ((WINE, NONE), (NONE, WINE))} | {Action.FAIL}


def test_q26_perons_gift_does_not_help_to_entertain() -> None:
    p = Position([["dante"], ["eva_peron"]], ["lincoln"], stash={1: (3, 3)})
    assert p.do(p.charm("eva_peron")).needs() == (9, 9)


def test_q27_the_start_player_is_drawn_and_play_goes_clockwise() -> None:
    n = many(4000)
    states = game_of(4).reset(n, seed=5)
    counts = np.bincount(states.active, minlength=4)
    assert ((counts - n / 4) ** 2 / (n / 4)).sum() < 16.3  # chi-square, 3 degrees of freedom, 0.1 %
    p = Position([[], [], [], []], ["freud"], active=3, turns=1).invites("freud", 1, 1, 1)
    assert p.r.player == 0


def test_q28_failing_on_purpose_needs_a_bare_spot_that_falls_short() -> None:
    p = Position([["capone", "dante"], []], ["darwin"]).invites("darwin", 2, 3, 4)
    assert p.legal() == {p.put(RIGHT), Action.FAIL}  # 9 - 2 beside Capone falls short
    p = Position([["dante", "freud"], []], ["darwin"]).invites("darwin", 2, 3, 4)
    assert p.legal() == {p.put(LEFT), p.put(RIGHT)}  # success is forced
    p = Position([["dante"], []], ["darwin"]).invites("darwin", 2, 3, 4)
    assert p.table(0) == ["dante", "darwin"]  # one spot and no Drink: no question at all


def test_q28_a_drink_may_be_withheld() -> None:
    p = Position([["dante"], []], ["van_gogh"], stash={0: (1, 0)}).invites("van_gogh", 4, 0, 0)
    assert p.legal() == {p.put(RIGHT, WATER), Action.FAIL}
    p.do(Action.FAIL)
    assert p.r.failed
    assert p.stash(0) == (1, 0)
    assert p.r.phase == Phase.BAR


def test_q29_a_table_with_one_guest_has_one_spot() -> None:
    p = Position([["dante"], []], ["fugger"], stash={0: (1, 0)}).invites("fugger", 4, 4, 2)
    assert p.legal() == {p.put(RIGHT), p.put(RIGHT, WATER)}


def test_q29_reseating_needs_three_guests() -> None:
    p = Position([["dante"], []], ["shakespeare"]).invites("shakespeare", 4, 4, 2)
    assert p.r.player == 1  # two guests: not asked


def test_q30_conditions_are_read_before_a_drink_leaves_the_stash() -> None:
    p = Position([["dante"], []], ["buddha"], stash={0: (1, 0)}).invites("buddha", 4, 3, 0)
    assert p.r.failed  # 7 + 2: the last Water does not make the Stash empty for his + 3
    p = Position([["dante"], []], ["buddha"], drinks={"dante": WATER}).invites("buddha", 4, 3, 0)
    assert p.table(0) == ["dante", "buddha"]  # placed Drinks never count


def test_q30_a_guest_taken_from_a_table_still_counts_there() -> None:
    # Lincoln sits at the only larger Table: while he is invited it still is larger.
    p = Position([["dante"], ["lincoln", "hitler"]], ["freud"])
    p.do(p.charm("lincoln")).stop_with(0, 0, 1)
    assert p.needs() == (6, 6)


def test_q30_either_of_two_occupations_fits() -> None:
    p = Position([["walt_disney"], []], ["sartre"])  # Science and Art: + 2, and - 1 for one guest
    assert p.do(p.invite("sartre")).needs() == (5, 5)


def test_q31_an_ability_counts_from_being_placed() -> None:
    p = Position([["dante"], []], ["coco_chanel"], stash={0: (1, 0)}).invites("coco_chanel", 4, 4, 4)
    p.do(p.put(RIGHT), p.host("coco_chanel", WATER))
    assert p.points()[0] == 2 + 3 + 1  # guests, occupations, Chanel's Drink


def test_q32_abilities_of_one_kind_add_up() -> None:
    p = Position([["walt_disney", "freud", "einstein"], ["shakespeare"]], ["lincoln"])
    p.do(p.charm("shakespeare")).stop_with(1, 1, 1)
    # at the left end Disney + 2 (Art), Freud + 2 (from a Table), Einstein + 1; at the right Einstein's arrows as well
    assert p.needs() == (10 - 5, 10 - 5 - 2)


def test_q32_fewer_and_extra_rolls_are_summed_then_raised_to_one() -> None:
    p = Position([["napoleon"], ["da_vinci", "freud"]], ["lincoln"])
    p.do(p.charm("freud"))
    assert p.r.rolls_left == 1  # da Vinci's extra roll is for inviting


def test_q32_the_reroll_remains_in_each_of_two_attempts() -> None:
    p = Position([["henry_ford"], ["mozart", "freud"]], ["lincoln"])
    p.do(p.charm("freud")).stop_with(4, 4, 4)
    assert p.r.phase == Phase.REROLL
    p.do(STOP)
    assert (p.r.phase, p.r.attempts) == (Phase.ROLL, 1)
    p.stop_with(4, 4, 4)
    assert p.r.phase == Phase.REROLL


def test_q33_hitler_is_lifted_first() -> None:
    # Seat 1 has only Hitler: no Table qualifies, and Riefenstahl leaves him where he is.
    p = Position([["dante"], ["hitler"], []], ["riefenstahl"]).invites("riefenstahl", 4, 4, 4)
    assert p.table(1) == ["hitler"]
    # With two players he goes back to an end of the same Table, even the same end, and loses his Drink.
    p = Position([["dante"], ["freud", "darwin", "hitler"]], ["riefenstahl"], drinks={"hitler": WATER})
    p.invites("riefenstahl", 4, 4, 4)
    assert p.legal() == {p.hitler_to(1, LEFT), p.hitler_to(1, RIGHT)}
    p.do(p.hitler_to(1, RIGHT))
    assert p.table(1) == ["freud", "darwin", "hitler"]
    assert p.drink_on("hitler") == NONE


def test_q33_he_may_come_from_the_lobby_or_from_the_own_table() -> None:
    p = Position([["dante"], ["freud"]], ["riefenstahl"]).invites("riefenstahl", 4, 4, 4)
    assert p.table(1) == ["freud", "hitler"]  # the only choice
    p = Position([["hitler", "dante"], ["freud"]], ["riefenstahl"]).invites("riefenstahl", 4, 4, 4)
    p.do(p.put(RIGHT))
    assert p.table(0) == ["dante", "riefenstahl"]
    assert p.table(1) == ["freud", "hitler"]


def test_q34_shakespeare_moves_anyone_and_the_drink_goes_along() -> None:
    p = Position([["dante", "hitler", "freud"], []], ["shakespeare"], drinks={"hitler": WATER})
    p.invites("shakespeare", 4, 4, 2).do(p.put(RIGHT))
    every = {p.reseat(g, e) for g in ("dante", "hitler", "freud", "shakespeare") for e in (LEFT, RIGHT)}
    assert p.legal() == every - {p.reseat("dante", LEFT), p.reseat("shakespeare", RIGHT)} | {Action.LEAVE}
    p.do(p.reseat("hitler", LEFT))
    assert p.table(0) == ["hitler", "dante", "freud", "shakespeare"]
    assert p.drink_on("hitler") == WATER


def test_q35_marx_takes_the_sort_that_is_worth_less_to_its_owner() -> None:
    stash = {0: (1, 1), 1: (1, 1), 2: (1, 1), 3: (0, 1)}
    p = Position([["dante"], ["jesus", "confucius"], ["freud"], []], ["marx"], stash=stash).invites("marx", 4, 4, 2)
    p.do(p.put(RIGHT))
    # for seat 1 Water is worth 2 + 2, as much as Wine: Water, being equal; seat 3 has no Water
    assert [p.stash(s) for s in range(4)] == [(1, 1), (0, 1), (0, 1), (0, 0)]


def test_q36_gandhis_surcharge_covers_himself_and_must_be_affordable() -> None:
    tables = [["dante"], ["gandhi", "freud"], ["capone"]]
    p = Position(tables, ["lincoln"], envelopes={0: 1})
    assert p.charm("gandhi") not in p.legal()
    assert p.charm("freud") not in p.legal()
    assert p.charm("capone") in p.legal()
    p = Position(tables, ["lincoln"], envelopes={0: 2})
    p.do(p.charm("gandhi"))
    assert p.r.envelopes[0] == 0


def test_q37_cleared_cards_stay_unseen_and_an_open_one_is_known_to_be_gone() -> None:
    p = Position([["darwin"], ["rockefeller"]], ["capone"])
    unseen = int(p.r.unseen[3])
    p.do(p.charm("rockefeller")).stop_with(0, 0, 1).stop_with(3, 3, 3)
    p.do(Action.DO)
    assert p.r.unseen[3] == unseen
    assert p.r.height[3] == 0
    assert p.where("capone") == Where.GONE
    assert p.where("fugger") == Where.UNSEEN


def test_q37_an_empty_stack_gives_nothing_to_clear() -> None:
    p = Position([["dante"], []], ["rockefeller", "freud", "lincoln", "buddha", "mozart"], heights=[3, 3, 3, 0, 3])
    p.invites("rockefeller", 3, 3, 3)
    assert p.r.player == 1  # not asked


def test_q38_a_scoring_ability_pays_once_and_hitler_takes_the_end() -> None:
    p = Position([[], ["freud", "marie_curie", "darwin"]], ["lincoln"]).invites("lincoln", 1, 1, 1)
    assert p.points()[1] == 3 + 1 + 2 + 2  # Curie once, Darwin has most guests
    p = Position([[], ["newton"]], ["lincoln"]).invites("lincoln", 1, 1, 1)
    assert p.points()[1] == 1 + 2 + 2  # a lone guest is at an end
    p = Position([[], ["fugger", "newton", "hitler"]], ["lincoln"]).invites("lincoln", 1, 1, 1)
    assert p.points()[1] == 2 + 2 + 0
