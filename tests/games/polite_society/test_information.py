"""What a seat can know: the tracker of hands, determinize, ruling 25; expected values by hand."""

from collections import Counter

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.games.polite_society.state import Action
from banquet_envs.testing.play import walk
from tests.games.polite_society.build import (
    LETTERS,
    bank,
    bounds_of,
    buy,
    card,
    game,
    item,
    known,
    legal,
    main_phase,
    partner,
    play,
    player,
    seat,
    until,
)


def after_theft(hands=("", "WWHT", "BBBB"), stolen="W", players=3):
    """Seat 0 has stolen from seat 1; seat 2 only saw that a card moved. Seat 0 is in its main phase."""
    g = game(players)
    states = main_phase(g, hands=hands, kept="Steal an asset", shown=["Mrs. Fanny Dashwood", "Mr. Tom Bertram"])
    play(g, states, Action.PLAY)
    a = LETTERS.index(stolen)
    states = until(g, states, player(1), lambda s: s.loot[0] == a and s.thefts == 1)
    return g, states


def test_ruling_25_everything_but_thefts_is_followed_exactly():
    g = game(3)
    states = main_phase(g, hands=["WWWWH", "T", "B"], kept="Two beauty")
    play(g, states, Action.PLAY, bank("W", "T"), partner(1), item("H", "T"), Action.ACCEPT)
    assert known(g, states, 2, 0) == "B2 T2"
    assert known(g, states, 2, 1) == "H1"


def test_ruling_25_a_theft_is_seen_by_thief_and_victim_only():
    g, states = after_theft()
    assert known(g, states, 0, 1) == "W1 H1 T1"
    assert known(g, states, 1, 0) == "W1"
    assert known(g, states, 2, 0) == "W0-1 H0-1 T0-1"
    assert known(g, states, 2, 1) == "W1-2 H0-1 T0-1"


def test_ruling_25_a_theft_from_a_hand_of_one_type_is_no_secret():
    g = game(3)
    states = main_phase(g, hands=["", "WWW", "B"], kept="Steal an asset")
    s = play(g, states, Action.PLAY, player(1))
    assert s.thefts == 0
    assert known(g, states, 2, 0) == "W1"


def test_ruling_25_spending_tells_what_was_stolen():
    """Seat 0 pays 2 wealth, having had one: the stolen card was wealth."""
    g, states = after_theft(hands=("W", "WWHT", "BBBB"))
    assert known(g, states, 2, 0) == "W1-2 H0-1 T0-1"
    play(g, states, buy(states, "Mrs. Fanny Dashwood"), seat(4))
    assert states[0].thefts == 0
    assert known(g, states, 2, 0) == ""
    assert known(g, states, 2, 1) == "W1 H1 T1"


def test_ruling_25_an_offer_shows_what_the_proposer_holds():
    g, states = after_theft(hands=("W", "WWHT", "BBBB"))
    play(g, states, partner(2), item("WW", "B"))
    assert known(g, states, 2, 0) == "W2"
    play(g, states, Action.DECLINE)
    assert known(g, states, 2, 0) == "W2"


def test_ruling_25_a_loss_not_paid_shows_that_there_is_none():
    g = game(3)
    states = main_phase(
        g, hands=["", "WWHT", "BBBB"], tables=[{6: "Miss Lydia Bennet"}, {}, {}], kept="Steal an asset"
    )  # she takes 1 heart
    play(g, states, Action.PLAY)
    states = until(g, states, player(1), lambda s: s.loot[0] == 0)
    states = until(g, states, Action.END, lambda s: s.dice.sum() == 6)
    assert known(g, states, 2, 0) == "W0-1 T0-1"
    assert known(g, states, 2, 1) == "W1-2 H1 T0-1"


def test_a_hand_that_is_empty_again_settles_it_from_the_other_side():
    """The victim discards down to nothing in public: what it did not have was stolen."""
    g, states = after_theft(hands=("", "WH", "BBBB"), stolen="H")
    assert known(g, states, 2, 0) == "W0-1 H0-1"
    s = play(g, states, Action.END)
    while s.active != 1 or s.phase != 3:
        s = play(g, states, min(legal(g, states)))
    before = s.hand[1].copy()
    assert before[1] == 0
    play(g, states, partner(1), item("W", "B"), Action.ACCEPT)
    assert known(g, states, 2, 0) == "H1"


def test_determinize_weighs_the_types_by_the_victims_cards():
    """Stolen from WWHT: wealth half the time; 4,000 samples, 2 degrees of freedom, 0.1 % point 13.8."""
    g, states = after_theft(stolen="T")
    many = np.repeat(states, 4000).view(np.recarray)
    g.determinize(many, 2, 11)
    counts = many.hand[:, 0].sum(axis=0)
    expected = np.array([2000, 1000, 1000])
    assert counts[2] == 0
    assert ((counts[[0, 1, 3]] - expected) ** 2 / expected).sum() < 13.8
    assert (many.hand[:, :3].sum(axis=1) == states[0].hand[:3].sum(axis=0)).all()
    assert (many.hand[:, :3].sum(axis=2) == states[0].hand[:3].sum(axis=1)).all()
    assert (many.hand[:, 2] == states[0].hand[2]).all()


def test_determinize_of_two_thefts_in_a_row_is_the_exact_posterior():
    """Seat 1 (W H) loses a card to seat 0, then seat 2 steals from seat 0, which holds that card and a B.

    First W or H, each 1/2; then the stolen card or B, each 1/2. Seat 3 sees neither:
    (first, second) = WW, WB, HH, HB, a quarter each.
    """
    g = game(4)
    states = main_phase(g, hands=["B", "WH", "", "TTTT"], kept="Steal an asset")
    play(g, states, Action.PLAY)
    states = until(g, states, player(1), lambda s: s.loot[0] == 0)
    s = states[0]
    s.phase, s.active, s.player, s.kept = 3, 2, 2, card("Steal an asset")
    s.deck[card("Steal an asset")] -= 1
    play(g, states, Action.PLAY)
    states = until(g, states, player(2), lambda s: s.loot[1] == 2)
    many = np.repeat(states, 4000).view(np.recarray)
    g.determinize(many, 3, 5)
    counts = Counter(zip(many.loot[:, 0].tolist(), many.loot[:, 1].tolist(), strict=True))
    assert set(counts) == {(0, 0), (0, 2), (1, 1), (1, 2)}
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 16.3  # 3 degrees of freedom
    # seat 2 saw the second theft, of B: it tells nothing of the first
    many = np.repeat(states, 4000).view(np.recarray)
    g.determinize(many, 2, 6)
    assert (many.hand[:, 2] == states[0].hand[2]).all()
    assert (many.loot[:, 1] == 2).all()
    assert abs(int((many.loot[:, 0] == 0).sum()) - 2000) < 105  # 3.3 standard deviations


def test_determinize_hides_the_kept_card():
    """Kept: any of the cards not seen, by their number. 47 cards, of these 6 (with the kept one) steal an asset."""
    g = game(3)
    states = main_phase(g, hands=["W", "W", "W"], kept="Steal an asset")
    many = np.repeat(states, 5000).view(np.recarray)
    g.determinize(many, 1, 7)
    counts = np.bincount(many.kept, minlength=17)
    expected = 5000 * g.rules[0].cards / 50
    assert ((counts - expected) ** 2 / expected).sum() < 39.3  # 16 degrees of freedom
    cards = many.deck.astype(int)
    cards[np.arange(5000), many.kept] += 1
    assert (cards == g.rules[0].cards).all()
    g.determinize(many, 0, 8)
    kept = many.kept.copy()
    g.determinize(many, 0, 9)
    assert (many.kept == kept).all()  # its owner knows it


def test_determinize_of_a_card_that_all_know_was_drawn():
    """The pile held one Wild asset; the other card is any of the rest. Discarded: the Wild asset, so the kept card is
    any unseen one; a second Wild asset counts twice, for two equal cards leave no choice.
    """
    g = game(3)
    states = main_phase(g, hands=["W", "W", "W"], kept="Steal an asset")
    s = states[0]
    s.sure = s.dropped = card("Wild asset")
    s.deck[:] = 0
    s.deck[card("Wild asset")], s.deck[card("Add a guest")] = 2, 3
    many = np.repeat(states, 4000).view(np.recarray)
    g.determinize(many, 1, 7)
    counts = np.bincount(many.kept, minlength=17)[[card("Wild asset"), card("Add a guest"), card("Steal an asset")]]
    expected = 4000 * np.array([4, 3, 1]) / 8
    assert ((counts - expected) ** 2 / expected).sum() < 13.8
    s.dropped = card("Two wit")  # then the Wild asset was kept
    s.kept = card("Wild asset")
    many = np.repeat(states, 100).view(np.recarray)
    g.determinize(many, 1, 7)
    assert (many.kept == card("Wild asset")).all()


def test_determinize_hides_the_drawn_cards_and_the_missions():
    g = game(3, missions="social_butterfly")
    states = main_phase(g, hands=["W", "W", "W"], missions=(1, 2, 3))
    states = until(g, states, Action.END, lambda s: True)
    many = np.repeat(states, 6000).view(np.recarray)
    g.determinize(many, 2, 1)
    assert len(set(map(tuple, many.drawn.tolist()))) > 80
    assert (many.mission[:, 2] == 2).all()
    pairs = Counter(map(tuple, many.mission[:, :2].tolist()))
    assert len(pairs) == 9 * 8
    assert all(2 not in pair and pair[0] != pair[1] for pair in pairs)
    expected = 6000 / 72
    assert sum((n - expected) ** 2 / expected for n in pairs.values()) < 112.3  # 71 degrees of freedom, 0.1 %


def test_determinize_counts_the_deals_of_missions_where_few_are_left():
    """Of seats 1 to 6 all but the last two can hold one mission only: three deals fit, and none is found by chance."""
    g = game(7, missions="janeite")
    states = main_phase(g, missions=(5, 1, 2, 3, 4, 8, 10))
    allowed = [(), (0,), (1,), (2,), (3,), (7, 8), (8, 9)]
    for p, missions in enumerate(allowed[1:], 1):
        states[0].excluded[p] = sum(1 << m for m in range(10) if m not in missions)
    many = np.repeat(states, 60).view(np.recarray)
    g.determinize(many, 0, 4)
    assert {tuple(deal) for deal in many.mission.tolist()} == {
        (4, 0, 1, 2, 3, *last) for last in ((7, 8), (7, 9), (8, 9))
    }
    assert not many.guess.any()


def test_determinize_replaces_the_dice():
    g = game(2)
    states = main_phase(g, hands=["W", "W"])
    many = np.repeat(states, 200).view(np.recarray)
    g.determinize(many, 0, 1)
    g.step(many, np.full(200, Action.END))
    assert len(set(many.dice.sum(axis=1).tolist())) == 11


@pytest.mark.parametrize(
    "options", [{}, {"missions": "janeite", "trades": "wide", "play_on": True, "limited_bank": False}]
)
@pytest.mark.parametrize("players", [3, 7])
def test_the_truth_and_every_sample_lie_within_the_bounds(players, options):
    g = game(players, **options)
    moves = 0
    for states, _, _ in walk(g, 31):
        moves += 1
        if moves % 11:
            continue
        for observer in range(players):
            views = records.take(states, np.zeros(4, np.int64))
            g.determinize(views, observer, moves)
            least, most = bounds_of(g, states, observer)
            for hands in (states.hand, views.hand):
                assert (hands[:, :players] >= least).all()
                assert (hands[:, :players] <= most).all()
    assert moves > 50


def test_ruling_25_two_players_know_everything_of_the_hands():
    g = game(2)
    for states, _, _ in walk(g, 3):
        least, most = bounds_of(g, states, 0)
        assert least[1].tolist() == most[1].tolist() == states[0].hand[1].tolist()
