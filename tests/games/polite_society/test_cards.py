"""Each of the eleven types of action cards, with the rulings on them (12, 13, 15-20, 33); expected values by hand."""

import itertools

import numpy as np
import pytest

from banquet_envs.games.polite_society.state import Action, Phase, Where
from tests.games.polite_society.build import (
    NUMBERS,
    asset,
    bank,
    card,
    game,
    guest,
    legal,
    letters,
    main_phase,
    partner,
    play,
    player,
    seat,
    until,
)


@pytest.mark.parametrize(("name", "got"), [("wealth", "WW"), ("heart", "HH"), ("beauty", "BB"), ("wit", "TT")])
def test_ruling_21_two_of_the_one_type_named(name, got):
    g = game(2)
    states = main_phase(g, hands=["", ""], kept=f"Two {name}")
    assert letters(play(g, states, Action.PLAY).hand[0]) == got
    assert states[0].discard[card(f"Two {name}")] == 1


def test_wild_asset_is_one_of_choice():
    g = game(2)
    states = main_phase(g, hands=["W", "H"], kept="Wild asset")
    play(g, states, Action.PLAY)
    assert legal(g, states) == {asset(letter) for letter in "WHBT"}
    s = play(g, states, asset("B"))
    assert letters(s.hand[0]) == "WB"
    assert (s.phase, s.player) == (Phase.MAIN, 0)


def test_wild_asset_only_from_piles_that_are_there():
    g = game(2)
    states = main_phase(g, hands=["W", "H"], kept="Wild asset")
    states[0].bank[:] = [0, 1, 0, 1]
    play(g, states, Action.PLAY)
    assert legal(g, states) == {asset("H"), asset("T")}
    states = main_phase(g, hands=["W", "H"], kept="Wild asset")
    states[0].bank[:] = [0, 0, 0, 1]
    assert letters(play(g, states, Action.PLAY).hand[0]) == "WT"  # everybody can see that wit it is
    states = main_phase(g, hands=["W", "H"], kept="Wild asset")
    states[0].bank[:] = 0
    assert Action.PLAY not in legal(g, states)


def adding(g, total, tables, hands=("WH", "H"), improvements=()):
    """The position after Add a guest with this roll."""
    states = main_phase(
        g, hands=hands, tables=tables, shown=["Miss Bates"], kept="Add a guest", improvements=improvements
    )
    return until(g, states, Action.PLAY, lambda s: s.add_dice.sum() == total)


def test_ruling_12_add_a_guest_seats_the_top_card_for_nothing():
    g = game(2)
    states = adding(g, 8, [{6: "Mr. Bennet"}, {8: "Admiral Croft"}])
    s = states[0]
    assert s.table[0, NUMBERS[8]] >= 0
    assert s.table[0, NUMBERS[8]] != guest("Miss Bates")  # the list is not touched
    assert letters(s.hand[0]) == "WH"
    assert letters(s.hand[1]) == "H"  # the roll pays nobody
    assert s.list[0] == guest("Miss Bates")


def test_ruling_12_an_occupied_seat_or_a_seven_does_nothing():
    g = game(2)
    for total, tables in ((6, [{6: "Mr. Bennet"}, {}]), (7, [{6: "Mr. Bennet"}, {}])):
        s = adding(g, total, tables, improvements=[(0, "Improvement: wit on a 7")])[0]
        assert s.points[0] == 1
        assert letters(s.hand[0]) == "WH"
        assert s.list[0] == guest("Miss Bates")


def test_ruling_12_switch_a_seven_pays_improvements():
    g = game(2, seven_on_add=True)
    s = adding(g, 7, [{6: "Mr. Bennet"}, {}], improvements=[(0, "Improvement: wit on a 7")])[0]
    assert letters(s.hand[0]) == "WHT"
    assert s.list[0] == guest("Miss Bates")


def test_ruling_12_add_a_guest_may_win():
    g = game(2)
    full = dict(zip((2, 4, 5, 8, 9, 10, 11), (
        "Mr. Elton", "Mr. Bennet", "Mrs. Bennet", "Mr. Woodhouse", "Mrs. Norris", "Lady Bertram", "Mrs. Weston",
    ), strict=True))  # fmt: skip
    s = adding(g, 6, [full, {}])[0]
    assert s.over
    assert s.place[:2].tolist() == [0, 1]


def test_add_a_guest_needs_an_empty_seat():
    g = game(2, missions="janeite")
    states = main_phase(g, hands=["W", "W"], kept="Add a guest", missions=(1, 2))
    s = states[0]
    s.table[0], s.points[0] = range(8), 8
    assert Action.PLAY not in legal(g, states)


def test_ruling_13_the_chosen_player_removes_a_guest_of_their_choice():
    g = game(3)
    states = main_phase(
        g,
        hands=["W", "W", "W"],
        tables=[{6: "Mr. Bennet"}, {8: "Mr. Elton", 9: "Miss Bates"}, {}],
        tokens=[(1, 9)],
        kept="Remove a guest",
    )
    play(g, states, Action.PLAY)
    assert legal(g, states) == {player(0), player(1)}  # oneself included, those without guests not
    s = play(g, states, player(1))
    assert (s.player, s.phase) == (1, Phase.REMOVE_GUEST)
    assert legal(g, states) == {seat(8), seat(9)}
    s = play(g, states, seat(9))
    assert s.where[guest("Miss Bates")] == Where.DISCARDED
    assert s.supply == 8  # its token is in the supply again
    assert not s.token.any()
    assert (s.player, s.phase) == (0, Phase.MAIN)
    assert s.points[:3].tolist() == [1, 1, 0]


def test_ruling_14_steal_only_from_opponents_with_cards():
    g = game(4)
    states = main_phase(g, hands=["W", "", "T", "H"], kept="Steal an asset")
    play(g, states, Action.PLAY)
    assert legal(g, states) == {player(2), player(3)}
    s = play(g, states, player(2))
    assert [letters(s.hand[p]) for p in range(4)] == ["WT", "", "", "H"]


def test_ruling_15_hand_limit_all_from_the_active_player_one_at_a_time():
    g = game(3)
    states = main_phase(g, hands=["WWWHHH", "TT", "BBBBHHHH"], kept="Hand limit", active=0)
    s = play(g, states, Action.PLAY)
    assert s.player == 0
    s = play(g, states, asset("W"))
    assert s.player == 2  # seat 1 holds no more than five
    s = play(g, states, asset("B"), asset("H"), asset("H"))
    assert (s.player, s.phase) == (0, Phase.MAIN)
    assert [letters(s.hand[p]) for p in range(3)] == ["WWHHH", "TT", "HHBBB"]
    assert s.bank.tolist() == [22, 19, 21, 22]


def test_ruling_15_there_is_no_standing_limit():
    g = game(2)
    states = main_phase(g, hands=["WWWHHH", "T"], kept="Two wit")
    assert letters(play(g, states, Action.PLAY).hand[0]) == "WWWHHHTT"


def test_hand_limit_is_dead_when_nobody_holds_more_than_five():
    g = game(2)
    assert Action.PLAY not in legal(g, main_phase(g, hands=["WWWHH", "T"], kept="Hand limit"))
    assert Action.PLAY in legal(g, main_phase(g, hands=["WWWHH", "TTTTTT"], kept="Hand limit"))


def test_ruling_16_a_token_from_the_supply():
    g = game(2)
    states = main_phase(
        g, hands=["W", "W"], tables=[{6: "Mr. Bennet"}, {8: "Mr. Elton", 9: "Miss Bates"}], kept="Indisposed"
    )
    play(g, states, Action.PLAY)  # no token in play: the supply is not asked about
    assert legal(g, states) == {player(0), player(1)}
    play(g, states, player(1))
    assert legal(g, states) == {seat(8), seat(9)}
    s = play(g, states, seat(8))
    assert (s.token[1, NUMBERS[8]], s.supply) == (1, 7)


def test_ruling_16_a_token_moved_and_not_back_to_the_guest_it_left():
    g = game(2)
    states = main_phase(
        g,
        hands=["W", "W"],
        tables=[{6: "Mr. Bennet"}, {8: "Mr. Elton", 9: "Miss Bates"}],
        tokens=[(1, 8), (0, 6)],
        kept="Indisposed",
    )
    play(g, states, Action.PLAY)
    assert legal(g, states) == {player(0), player(1), Action.SUPPLY}
    # seat 0's only token is taken off; the only guests without one are not that guest: Miss Bates it is, unasked
    s = play(g, states, player(0))
    assert s.token[0, NUMBERS[6]] == 0
    assert s.token[1, [NUMBERS[8], NUMBERS[9]]].tolist() == [1, 1]
    assert s.supply == 6


def test_ruling_16_with_an_empty_supply_tokens_only_move():
    g = game(2)
    tables = [
        dict(zip((2, 4, 5, 6), ("Mr. Elton", "Mr. Bennet", "Mrs. Bennet", "Miss Bates"), strict=True)),
        dict(zip((2, 4, 5, 6, 8), ("Mr. Woodhouse", "Mrs. Norris", "Lady Bertram", "Mrs. Weston", "Miss Jane Bennet"),
                 strict=True)),
    ]  # fmt: skip
    tokens = [(p, n) for p, n in itertools.product((0, 1), (2, 4, 5, 6))]
    states = main_phase(g, hands=["W", "W"], tables=tables, tokens=tokens, kept="Indisposed")
    assert states[0].supply == 0
    play(g, states, Action.PLAY)
    assert legal(g, states) == {player(0), player(1)}


def test_ruling_16_a_token_stops_gains_and_losses():
    g = game(2)
    states = main_phase(
        g, hands=["", "HH"], tables=[{6: "Mr. Bennet"}, {6: "Mrs. Norris"}], tokens=[(0, 6), (1, 6)], kept=None
    )
    s = until(g, states, 109, lambda s: s.dice.sum() == 6)[0]
    assert [letters(s.hand[p]) for p in (0, 1)] == ["", "HH"]


def test_indisposed_is_dead_without_a_guest_who_is_well():
    g = game(2)
    states = main_phase(g, hands=["W", "W"], tables=[{6: "Mr. Bennet"}, {}], tokens=[(0, 6)], kept="Indisposed")
    assert Action.PLAY not in legal(g, states)


def test_ruling_17_improvements_pay_from_the_next_seven_and_add_up():
    g = game(2)
    states = main_phase(
        g, hands=["", "W"], kept="Improvement: wit on a 7", improvements=[(0, "Improvement: heart on a 7")]
    )
    s = play(g, states, Action.PLAY)
    assert s.improvement[0].tolist() == [0, 1, 0, 1, 0]
    assert s.discard.sum() <= 1  # an improvement does not go to the discard pile
    states = main_phase(g, hands=["", "W"], improvements=[(0, "Improvement: wit on a 7")])
    states[0].improvement[0, 3] = 2  # as with a components file that has two
    assert letters(until(g, states, 109, lambda s: s.dice.sum() == 7)[0].hand[0]) == "TT"


def test_ruling_18_three_for_one_on_own_turns():
    g = game(2)
    states = main_phase(g, hands=["WWW", "HHHH"], kept="Improvement: three for one")
    assert bank("W", "T") not in legal(g, states)
    play(g, states, Action.PLAY)
    assert bank("W", "T") in legal(g, states)
    assert letters(play(g, states, bank("W", "T")).hand[0]) == "T"
    states = main_phase(g, hands=["HHH", "WWW"], improvements=[(1, "Improvement: three for one")], kept="Wild asset")
    assert bank("H", "T") not in legal(g, states)  # it is the other's
    states = main_phase(g, hands=["WWW", ""], kept="Wild asset")
    states[0].improvement[0, 4] = 2
    assert letters(play(g, states, bank("W", "T")).hand[0]) == "T"  # a second copy adds nothing


def test_ruling_19_steal_an_improvement_and_use_it_at_once():
    g = game(3)
    states = main_phase(
        g,
        hands=["WWW", "W", "W"],
        improvements=[(1, "Improvement: three for one"), (1, "Improvement: wit on a 7")],
        kept="Steal an improvement",
    )
    play(g, states, Action.PLAY)  # one owner: not asked whom
    assert legal(g, states) == {asset("T"), Action.THREE_FOR_ONE}
    s = play(g, states, Action.THREE_FOR_ONE)
    assert s.improvement[0].tolist() == [0, 0, 0, 0, 1]
    assert s.improvement[1].tolist() == [0, 0, 0, 1, 0]
    assert bank("W", "T") in legal(g, states)


def test_ruling_19_without_a_target_the_card_is_dead():
    g = game(2)
    states = main_phase(g, hands=["W", "W"], improvements=[(0, "Improvement: wit on a 7")], kept="Steal an improvement")
    assert Action.PLAY not in legal(g, states)


def test_ruling_20_rearranging_reaches_every_arrangement_once_and_tokens_travel():
    g = game(2)
    start = main_phase(
        g, hands=["W", "W"], tables=[{2: "Mr. Bennet", 6: "Mr. Elton"}, {}], tokens=[(0, 6)], kept="Rearrange guests"
    )
    play(g, start, Action.PLAY)
    seen = set()
    for first in sorted(legal(g, start)):
        one = start.copy().view(np.recarray)
        g.step(one, [first])
        assert one[0].table[0, first - Action.SEAT] == guest("Mr. Bennet")  # in the order of the old seats
        for second in sorted(legal(g, one)):
            two = one.copy().view(np.recarray)
            g.step(two, [second])
            s = two[0]
            assert s.phase == Phase.MAIN
            assert s.token[0, second - Action.SEAT] == 1
            assert s.token.sum() == 1
            seen.add(tuple(s.table[0].tolist()))
    assert len(seen) == 8 * 7  # any injection into eight seats


def test_ruling_20_the_last_of_eight_is_not_asked():
    g = game(2, missions="janeite")
    states = main_phase(g, hands=["W", "W"], kept="Rearrange guests", missions=(1, 2))
    s = states[0]
    s.table[0], s.points[0] = range(8), 8
    play(g, states, Action.PLAY)
    for asked in range(7):
        assert len(legal(g, states)) == 8 - asked
        play(g, states, max(legal(g, states)))
    assert states[0].phase == Phase.MAIN
    assert states[0].table[0].tolist() == list(range(7, -1, -1))
    assert not states[0].over


@pytest.mark.parametrize("name", ["Rearrange guests", "Remove a guest", "Steal an asset"])
def test_ruling_33_dead_cards_are_kept_but_not_played(name):
    g = game(2)
    states = main_phase(g, hands=["W", ""], kept=name)
    assert Action.PLAY not in legal(g, states)
    assert 109 in legal(g, states)


def test_offers_are_closed_to_a_player_without_cards():
    g = game(2)
    assert partner(1) not in legal(g, main_phase(g, hands=["W", ""], kept="Wild asset"))
