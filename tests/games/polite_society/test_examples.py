"""The worked examples and the plain sentences of the rulebook, in its order; values by hand."""

import numpy as np
import pytest

from banquet_envs.games.polite_society.state import Action, Phase, Where
from tests.games.polite_society.build import (
    bank,
    buy,
    game,
    hand,
    item,
    legal,
    letters,
    main_phase,
    partner,
    play,
    rolled,
    seat,
    until,
)


@pytest.mark.parametrize(("players", "cards"), [(2, 4), (3, 6), (4, 8)])
def test_example_of_setup_two_cards_per_player_face_up(players, cards):
    g = game(players)
    s = g.reset(1, 1)[0]
    assert (s.draft >= 0).sum() == cards
    assert s.phase == Phase.DRAFT
    assert (s.where[:60] == Where.PILE).sum() == 60 - cards


def test_setup_draft_goes_there_and_back_then_one_of_each_asset_and_four_on_the_list():
    g = game(3)
    states = g.reset(1, 5)
    order = [int(p) for p in states[0].draft_order[:3]]
    seen = []
    while states[0].turns == 0:
        s = states[0]
        seen.append((int(s.player), int(s.phase)))
        g.step(states, [min(legal(g, states))])
    pickers = [p for p, phase in seen if phase != Phase.DRAFT]  # every guest gets a seat of the picker's choice
    assert pickers == order + order[::-1]
    s = states[0]
    assert (s.table[:3] >= 0).sum(axis=1).tolist() == [2, 2, 2]
    assert s.active == order[0]
    assert (s.list >= 0).sum() == 4
    assert s.phase == Phase.KEEP
    # one of each asset, then what the first roll paid or took
    assert s.bank.sum() + s.hand.sum() == 96
    assert abs(int(s.hand.sum()) - 12) <= 9


def test_example_of_a_bank_trade_four_wit_for_one_beauty():
    g = game(2)
    states = main_phase(g, hands=["TTTTT", ""], kept="Wild asset")
    assert bank("T", "B") in legal(g, states)
    s = play(g, states, bank("T", "B"))
    assert letters(s.hand[0]) == "BT"
    assert s.bank.tolist() == [24, 24, 23, 23]


def test_bank_trade_needs_four_of_one_type():
    g = game(2)
    assert bank("T", "B") not in legal(g, main_phase(g, hands=["TTTW", ""], kept="Wild asset"))


def test_example_of_a_trade_between_players_two_beauty_for_one_heart():
    g = game(4)
    states = main_phase(g, hands=["BBW", "", "", "HT"], kept="Wild asset")
    s = play(g, states, partner(3), item("BB", "H"))
    assert s.player == 3
    s = play(g, states, Action.ACCEPT)
    assert letters(s.hand[0]) == "WH"
    assert letters(s.hand[3]) == "BBT"
    assert (s.player, s.phase) == (0, Phase.MAIN)


def test_two_players_who_are_not_active_do_not_trade():
    g = game(3)
    states = main_phase(g, hands=["W", "H", "B"], kept="Wild asset")
    s = play(g, states, partner(1), item("W", "H"))
    assert s.player == 1
    assert legal(g, states) == {Action.ACCEPT, Action.DECLINE}


def test_cost_is_paid_to_the_bank_and_the_guest_sits_at_any_blank_seat():
    g = game(2)
    states = main_phase(
        g, hands=["WBBT", ""], tables=[{6: "Mr. Elton"}, {}], shown=["Miss Lydia Bennet"], kept="Wild asset"
    )
    play(g, states, buy(states, "Miss Lydia Bennet"))  # 1 wealth, 2 beauty
    assert legal(g, states) == {Action.SEAT + k for k in range(8)} - {seat(6)}
    s = play(g, states, seat(11))
    assert letters(s.hand[0]) == "T"
    assert s.bank.tolist() == [24, 24, 24, 23]
    assert s.points[0] == 2


@pytest.mark.parametrize("total", range(2, 13))
def test_seat_chances_every_total_pays_its_seat_and_7_none(total):
    """Mr. Darcy brings 2 wealth and 1 heart; a combined seat pays on either number, once."""
    g = game(2)
    number = {2: 2, 3: 2, 11: 11, 12: 11, 7: 6}.get(total, total)
    states = main_phase(g, hands=["", ""], tables=[{number: "Mr. Fitzwilliam Darcy"}, {}])
    after = until(g, states, Action.END, rolled(total))[0]
    assert letters(after.hand[0]) == ("" if total == 7 else "WWH")


def test_seat_chances_in_36():
    assert game(2).rules[0].chance.tolist() == [3, 3, 4, 5, 5, 4, 3, 3]


def test_dice_are_fair():
    """Chi-square of 7,200 rolls against 1 to 6 in 36; 10 degrees of freedom, 0.1 % point 29.6."""
    g = game(2)
    states = main_phase(g, hands=["", ""])
    many = np.repeat(states, 7200)
    many["rng"] = np.arange(1, 7201) * 104729
    many = many.view(np.recarray)
    g.step(many, np.full(7200, Action.END))
    counts = np.bincount(many.dice.sum(axis=1), minlength=13)[2:]
    expected = 200.0 * np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    assert ((counts - expected) ** 2 / expected).sum() < 29.6


def test_it_does_not_matter_who_rolls():
    g = game(3)
    states = main_phase(g, tables=[{8: "Mr. Bennet"}, {8: "Miss Eleanor Tilney"}, {8: "Admiral Croft"}])
    after = until(g, states, Action.END, rolled(8))[0]
    assert [letters(after.hand[p]) for p in range(3)] == ["T", "T", "W"]


def test_the_first_table_of_eight_wins_even_with_indisposed_guests():
    g = game(2)
    full = dict(zip((2, 4, 5, 6, 8, 9, 10), (
        "Mr. Elton", "Mr. Bennet", "Mrs. Bennet", "Miss Bates", "Mr. Woodhouse", "Mrs. Norris", "Lady Bertram",
    ), strict=True))  # fmt: skip
    states = main_phase(
        g, hands=["WWB", ""], tables=[full, {}], tokens=[(0, 6)], shown=["Sir James Martin"], kept="Wild asset"
    )
    s = play(g, states, buy(states, "Sir James Martin"))  # the only free seat is taken without asking
    assert s.over
    assert not s.capped
    assert s.place[:2].tolist() == [0, 1]
    assert s.points[:2].tolist() == [8, 0]


def test_hand_letters_helper():
    assert hand("WWT") == [2, 0, 0, 1]
