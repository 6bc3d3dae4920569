"""What everybody can work out of thefts: one built position for each conclusion, and the exact chances that follow.

Seats 0 to 3 steal from one another; the last seat only looks on. All values by hand.
"""

from collections import Counter

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.games.polite_society import guesses
from banquet_envs.games.polite_society.state import THEFTS, Action, Phase
from tests.games.polite_society.build import (
    LETTERS,
    buy,
    card,
    game,
    item,
    known,
    legal,
    main_phase,
    partner,
    play,
    rolled,
    seat,
    thefts,
    until,
)


def shown(g, states, who, give, to, take):
    """`who` has offered `give`, so all have seen it, and `to` has declined; a copy."""
    states = records.copy(states)
    s = states[0]
    s.phase, s.active, s.player, s.offers = Phase.MAIN, who, who, 0
    play(g, states, partner((to - who) % g.num_players), item(give, take), Action.DECLINE)
    s.refused[:], s.refused_by[:] = -1, -1
    g.check_records(states)
    return states


def sampled(g, states, observer, n=300, seed=5):
    """How often which letters were stolen in the open thefts, in samples of what `observer` knows; all fit the record."""
    many = np.repeat(states, n).view(np.recarray)
    g.determinize(many, observer, seed)
    g.check_records(many[:20])
    return Counter("".join(LETTERS[a] for a in row) for row in many.loot[:, : states[0].thefts])


def assert_shares(counts, shares):
    """Chi-square against the shares; a limit that chance exceeds less than once in 10,000 for up to six classes."""
    n, total = sum(counts.values()), sum(shares.values())
    assert set(counts) == set(shares)
    assert sum((counts[k] - n * share / total) ** 2 / (n * share / total) for k, share in shares.items()) < 26


# ---------------------------------------------------------------- conclusions


def test_what_is_stolen_is_not_there_any_more():
    g = game(4)
    states = thefts(g, main_phase(g, hands=["B", "WWH", "TT", "TT"]), (0, 1, "W"))
    assert known(g, states, 3, 0) == "W0-1 H0-1 B1"
    assert known(g, states, 3, 1) == "W1-2 H0-1"
    assert known(g, states, 0, 1) == "W1 H1"
    assert known(g, states, 1, 0) == "W1 B1"


@pytest.mark.parametrize("loot", "WHBT")
def test_what_the_thief_shows_beyond_its_own_was_stolen(loot):
    g = game(4)
    states = thefts(g, main_phase(g, hands=[loot, "WHBT", "TT", "TT"]), (0, 1, loot))
    other = next(a for a in "WHBT" if a != loot)
    states = shown(g, states, 0, loot, 2, other)
    assert states[0].thefts == 1  # it may be the one it had
    states = shown(g, states, 0, loot * 2, 2, other)
    assert states[0].thefts == 0
    assert known(g, states, 3, 0) == f"{loot}2"


@pytest.mark.parametrize("loot", "WHBT")
def test_what_the_victim_shows_was_not_stolen(loot):
    g = game(4)
    states = thefts(g, main_phase(g, hands=["", "WHBT", "TT", "TT"]), (0, 1, loot))
    left = [a for a in "WHBT" if a != loot]
    for k, letter in enumerate(left):
        assert states[0].thefts == 1
        states = shown(g, states, 1, letter, 2, left[k - 1])
    assert states[0].thefts == 0
    assert known(g, states, 3, 0) == f"{loot}1"


@pytest.mark.parametrize(("name", "letter"), [("Mr. Tom Bertram", "W"), ("Miss Lydia Bennet", "H"),
                                              ("Miss Isabella Thorpe", "B"), ("Mrs. Bennet", "T")])  # fmt: skip
def test_a_loss_not_paid_shows_that_there_is_none(name, letter):
    """Each takes 1 of the letter on a 6."""
    g = game(4)
    loot = "H" if letter == "W" else "W"
    hands = ["", "WHBT", "TT", "TT"]
    states = thefts(g, main_phase(g, hands=hands, tables=[{6: name}, {}, {}, {}]), (0, 1, loot))
    states = until(g, states, Action.END, rolled(6))
    assert known(g, states, 3, 0) == " ".join(f"{a}0-1" for a in "WHBT" if a != letter)
    assert letter + "1" in known(g, states, 3, 1)


def test_a_payment_shows_what_was_held_before():
    """Seat 0 had one wealth and pays two."""
    g = game(4)
    states = main_phase(g, hands=["W", "WHBT", "TT", "TT"], shown=["Mrs. Fanny Dashwood"])
    states = thefts(g, states, (0, 1, "W"))
    s = play(g, states, buy(states, "Mrs. Fanny Dashwood"), seat(4))
    assert s.thefts == 0
    assert known(g, states, 3, 0) == ""
    assert known(g, states, 3, 1) == "H1 B1 T1"


def test_two_thieves_of_one_victim_share_what_it_had():
    """Wealth and heart, one each: neither can have two of a kind, and what one shows the other lacks."""
    g = game(4)
    start = main_phase(g, hands=["", "WH", "", "TT"])
    for first, second in ("WH", "HW"):
        states = thefts(g, start, (0, 1, first), (2, 1, second))
        assert known(g, states, 3, 0) == known(g, states, 3, 2) == "W0-1 H0-1"
        assert known(g, states, 3, 1) == ""
        assert known(g, states, 0, 2) == f"{second}1"  # one's own theft tells the other
        states = shown(g, states, 0, first, 3, "T")
        assert states[0].thefts == 0
        assert known(g, states, 3, 2) == f"{second}1"


def test_one_thief_of_two_cards_has_what_the_victim_had():
    """Both cards of a wealth and a heart: in which order nobody needs to know."""
    g = game(4)
    states = thefts(g, main_phase(g, hands=["B", "WH", "T", "TT"]), (0, 1, "H"), (0, 1, "W"))
    assert known(g, states, 3, 0) == "W1 H1 B1"
    assert states[0].thefts == 0


def test_hands_that_are_certain_again_close_the_account_before():
    """Seat 0 steals from seat 1 and is robbed of its only card by seat 1: all as it was, and the type stays a secret."""
    g = game(4)
    states = thefts(g, main_phase(g, hands=["", "WH", "T", "TT"]), (0, 1, "H"), (1, 0, "H"))
    assert states[0].thefts == 0
    assert known(g, states, 3, 1) == "W1 H1"


def test_other_thefts_stay_open_when_some_hands_are_certain_again():
    g = game(6)
    start = main_phase(g, hands=["", "WH", "", "BT", "", "TT"])
    states = thefts(g, start, (2, 3, "B"), (0, 1, "H"), (1, 0, "H"))
    s = states[0]
    assert s.thefts == 1
    assert (s.thief[0], s.victim[0], s.loot[0]) == (2, 3, 2)
    assert known(g, states, 5, 1) == "W1 H1"
    assert known(g, states, 5, 2) == "B0-1 T0-1"
    g.check_records(states)
    # and a theft after them counts on what is left
    states = thefts(g, states, (4, 1, "W"))
    assert states[0].thefts == 2
    assert known(g, states, 5, 1) == "W0-1 H0-1"


def test_a_theft_whose_type_is_certain_stays_while_it_tells_of_one_before():
    """Seat 0 (W, B) steals from seat 1 (W, W, H), then seat 2 from seat 0, and seat 2 shows wealth.

    The first was wealth 2/3, heart 1/3; of W W B the second is wealth in 2/3 of cases, of W H B in 1/3: together 4 to 1.
    """
    g = game(4)
    states = thefts(g, main_phase(g, hands=["WB", "WWH", "", "TT"]), (0, 1, "W"), (2, 0, "W"))
    states = shown(g, states, 2, "W", 3, "T")
    s = states[0]
    assert s.thefts == 2
    assert s.could[:2].tolist() == [3, 1]
    assert_shares(sampled(g, states, 3), {"WW": 4, "HW": 1})
    states = shown(g, states, 0, "W", 3, "T")  # it still has one: so it had two
    assert states[0].thefts == 0


def test_which_evidence_came_before_which_theft_is_remembered():
    """Seat 0 steals from seats 1 and 2, W or H each, and shows a wealth; then seat 3 steals one of the two cards.

    W W, W H and H W are left, a third each; of these seat 3 takes either card, half each.
    """
    g = game(5)
    start = main_phase(g, hands=["", "WH", "WH", "", "TT"])
    states = shown(g, thefts(g, start, (0, 1, "W"), (0, 2, "H")), 0, "W", 4, "T")
    states = thefts(g, states, (3, 0, "W"))
    assert states[0].thefts == 3
    assert_shares(sampled(g, states, 4), {"WWW": 2, "WHW": 1, "WHH": 1, "HWW": 1, "HWH": 1})


def test_ones_own_theft_is_weighed_and_joined_with_what_all_saw():
    """The same position for those who were part of it."""
    g = game(5)
    start = main_phase(g, hands=["", "WH", "WH", "", "TT"])
    states = shown(g, thefts(g, start, (0, 1, "H"), (0, 2, "W")), 0, "W", 4, "T")
    states = thefts(g, states, (3, 0, "W"))
    # seat 3 took wealth: from W W surely, from W H and H W in half the cases
    assert_shares(sampled(g, states, 3), {"WWW": 2, "WHW": 1, "HWW": 1})
    # seat 1 lost heart to it: so the wealth that was shown came from seat 2; seat 3 took either
    assert_shares(sampled(g, states, 1), {"HWW": 1, "HWH": 1})
    # seat 2 lost wealth: that is the one shown, or there were two
    assert_shares(sampled(g, states, 2), {"WWW": 2, "HWW": 1, "HWH": 1})


def test_a_theft_from_one_who_has_stolen_in_secret():
    """Seat 2 steals from seat 0, which has what it stole and a beauty; what seat 2 then lacks it did not steal."""
    g = game(4)
    start = main_phase(g, hands=["B", "WH", "", "TT"], tables=[{}, {}, {6: "Miss Isabella Thorpe"}, {}])
    states = thefts(g, start, (0, 1, "W"), (2, 0, "W"))
    assert_shares(sampled(g, states, 3), {"WW": 1, "WB": 1, "HH": 1, "HB": 1})
    states = until(g, states, Action.END, rolled(6))  # she takes 1 beauty, and seat 2 has none: it took what was stolen
    assert known(g, states, 3, 0) == "B1"
    assert known(g, states, 3, 2) == "W0-1 H0-1"
    assert set(sampled(g, states, 3, 200)) == {"WW", "HH"}


# ---------------------------------------------------------------- more thefts than the account holds


def robbed(g, n):
    """After `n` open thefts among the first six seats, of all types in turn, from hands that hold plenty of everything."""
    states = main_phase(g, hands=["WHBT" * 12] * 7)
    s = states[0]
    low, high = np.zeros((7, 4), int), np.zeros((7, 4), int)
    for i in range(n):
        thief, victim, a = i % 6, (i + 1 + i // 6 % 5) % 6, i % 4
        s.thief[i], s.victim[i], s.loot[i], s.could[i], s.seen[i] = thief, victim, a, 15, 12
        s.hand[thief, a], s.hand[victim, a] = s.hand[thief, a] + 1, s.hand[victim, a] - 1
        high[thief] += 1
        low[victim] = np.maximum(low[victim] - 1, -12)  # no hand is ever negative
        s.floor[2 * i : 2 * i + 2], s.ceiling[2 * i : 2 * i + 2] = low[[thief, victim]], high[[thief, victim]]
    s.thefts, s.low[:], s.high[:], s.own_low[:], s.own_high[:] = n, s.known + low, s.known + high, low, high
    s.own_low[6] = s.own_high[6] = 0  # it was part of none
    return states


def test_with_more_than_eight_thefts_of_any_type_assignments_are_not_counted_out():
    g = game(7, limited_bank=False)
    eight, nine = (robbed(g, n)[0] for n in (8, 9))
    assert guesses.choices(eight, -1) == guesses.MANY
    assert guesses.choices(nine, 2) == 4**5  # seat 2 saw four of them
    assert guesses.choices(nine, -1) > guesses.MANY


@pytest.mark.parametrize("way", [guesses.guess_by_weight, guesses.guess_roughly, guesses.search])
def test_every_way_of_finding_an_assignment_fits_the_account(way):
    g = game(7, limited_bank=False)
    found = set()
    for word in range(4):
        states = robbed(g, 3)
        s = states[0]
        s.rng = word * 7919 + 1
        assert way(s, 0)
        guesses.take_guesses(s)
        guesses.clear_guesses(s)
        g.check_records(states)
        found.add(tuple(s.loot[:3].tolist()))
    assert len(found) > 1
    assert len({loot[0] for loot in found}) == 1  # the own theft is known


@pytest.fixture(scope="module")
def crowded():
    g = game(7, limited_bank=False)
    return g, robbed(g, THEFTS)


def test_the_account_remembers_so_many_and_samples_fit_it(crowded):
    g, states = crowded
    g.check_records(states)
    for observer in (0, 6):
        many = np.repeat(states, 4).view(np.recarray)
        g.determinize(many, observer, 3)
        g.check_records(many)
        assert len({row.tobytes() for row in many.hand}) == 4


def test_one_theft_more_is_forgotten_and_nothing_is_told(crowded):
    """Of 65 thefts no type becomes public: the bounds are those of a truth in which all types are others."""
    g, states = crowded
    other = records.copy(states)
    g.determinize(other, 6, 8)
    assert (other.loot != states.loot).sum() > 20
    after = [thefts(g, each, (2, 4, "W")) for each in (states, other)]
    for s in (each[0] for each in after):
        assert (s.thefts, s.blurred) == (0, 1)
        assert not s.known.any()
        assert not s.loot.any()
    assert (after[0].low == after[1].low).all()
    assert (after[0].high == after[1].high).all()
    assert (after[0].low < after[0].high)[0, :6].all()
    for each in after:
        g.check_records(each)
    seen = [g.observe(each, 6) for each in after]
    assert (seen[0] == seen[1]).all()


def forgotten(hands, low, high):
    """A position of three players in which thefts have been forgotten, with these bounds for seats 1 and 2."""
    g = game(3)
    states = main_phase(g, hands=hands)
    s = states[0]
    s.blurred, s.known[:] = 1, 0
    s.low[1:3], s.high[1:3] = low, high
    g.check_records(states)
    return g, states


def test_hands_are_dealt_anew_within_their_bounds_every_way_that_fits():
    """Seat 0 knows that W W H B T are out, two cards with seat 1 (at most one heart, no wit) and three with seat 2 (a
    wealth at least): seat 1 holds W H, W B or H B."""
    g, states = forgotten(["TT", "WH", "WBT"], [[0, 0, 0, 0], [1, 0, 0, 0]], [[2, 1, 2, 0], [3, 1, 1, 2]])
    many = np.repeat(states, 60).view(np.recarray)
    g.determinize(many, 0, 4)
    assert {"".join(a * k for a, k in zip(LETTERS, row, strict=True)) for row in many.hand[:, 1].tolist()} == {
        "WH", "WB", "HB",
    }  # fmt: skip
    assert (many.hand[:, 1:3].sum(axis=1) == states[0].hand[1:3].sum(axis=0)).all()
    assert (many.hand[:, 0] == states[0].hand[0]).all()
    g.check_records(many)
    assert known(g, states, 0, 1) == "W0-2 H0-1 B0-2"


def test_the_account_begins_anew_when_every_hand_is_certain():
    """W and H are out, one with seat 1 and one with seat 2: seat 1 shows the wealth."""
    g, states = forgotten(["TT", "W", "H"], [[0] * 4] * 2, [[1, 1, 0, 0]] * 2)
    assert known(g, states, 0, 2) == "W0-1 H0-1"
    states = shown(g, states, 1, "W", 0, "T")
    assert states[0].blurred == 0
    assert known(g, states, 0, 1) == "W1"
    assert known(g, states, 0, 2) == "H1"
    states = thefts(g, states, (2, 0, "T"))
    assert known(g, states, 1, 2) == "H1 T1"


def test_while_thefts_are_forgotten_hands_are_followed_by_their_bounds():
    g, states = forgotten(["TT", "WH", "WBT"], [[0, 0, 0, 0], [1, 0, 0, 0]], [[2, 1, 2, 0], [3, 1, 1, 2]])
    # seat 0 takes W or H or B from seat 1: of those it may have one card less, and seat 0 one more
    states = thefts(g, states, (0, 1, "W"))
    assert known(g, states, 2, 0) == "W0-1 H0-1 B0-1 T2"
    assert known(g, states, 0, 1) == "W0-1 H0-1 B0-1"
    # three wits are out, two with seat 0
    assert known(g, states, 0, 2) == "W1-2 H0-1 B0-1 T1"


# ---------------------------------------------------------------- a turn that passes within a step


def test_the_dice_of_a_turn_that_passes_by_itself_are_told():
    """Nobody holds anything, and of action cards only two of a kind are left: seat 1 has nothing to decide."""
    g = game(3, trades="off")
    states = main_phase(g, hands=["", "", ""], kept="Steal an asset")
    s = states[0]
    s.discard[:] = s.deck
    s.deck[:] = 0
    wild = card("Remove a guest")
    s.deck[wild], s.discard[wild] = 2, s.discard[wild] - 2
    states = until(g, states, Action.END, rolled(4))
    s = states[0]
    assert (s.active, s.phase, s.turns) == (2, Phase.KEEP, 3)
    assert (s.passed, s.begun) == (1, 2)
    assert s.passed_seat.tolist() == [1] + [-1] * 7
    assert s.passed_dice[0, 2:].tolist() == [0, 0]
    assert f"a turn of seat 1 passed, rolled {s.passed_dice[0, :2].sum()}" in g.describe(states, 0)
    assert 1 <= s.passed_dice[0].min(initial=1, where=s.passed_dice[0] > 0) <= 6
    g.check_records(states)
    s = play(g, states, min(legal(g, states)))
    assert (s.passed, s.begun) == (0, 0)
    assert "passed" not in g.describe(states, 0)
