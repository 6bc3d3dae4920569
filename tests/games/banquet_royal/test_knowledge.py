"""Who can know which menu is where: what everybody knows, and fair samples of the rest, against enumeration of all deals."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from banquet_envs.core.state import copy, take
from banquet_envs.games.banquet_royal.components import HAND
from banquet_envs.games.banquet_royal.knowledge import deals
from banquet_envs.games.banquet_royal.state import EMPTY, Action, Phase, Seen
from tests.games.banquet_royal.helpers import Table
from tests.sizes import many

Slot = tuple[int, int]  # seat, place in the hand
Deal = dict[Slot, int]


class Hidden:
    """A table at which some menus of one point are hidden, in given slots and in the deck; the other menus lie open.

    Args:
        t: the table; it is changed.
        hands: the menu of each slot.
        deck: the menus in the deck, none: it is empty.
        ruled_out: slot -> menus that everybody knows not to be there.
    """

    def __init__(self, t: Table, hands: Deal, deck: list[int], ruled_out: dict[Slot, set[int]]) -> None:
        self.t, self.truth, self.deck, self.ruled_out = t, hands, deck, ruled_out
        state = t.state
        state.hand[:], state.deck[:], state.deck_size[:] = EMPTY, EMPTY, 0
        state.seen[:] = Seen.VALIDATED + 1
        state.epochs[:] = 1 if not deck else 0
        for (seat, s), card in hands.items():
            state.hand[seat, s], state.slot_value[seat, s], state.seen[card] = card, 0, 0
            state.ruled_out[seat, s] = sum(1 << c for c in ruled_out.get((seat, s), ()))
        for k, card in enumerate(deck):
            state.deck[0, k], state.seen[card] = card, 0
        state.deck_size[0] = len(deck)
        self.pool = sorted([*hands.values(), *deck])

    @functools.cached_property
    def deals(self) -> list[Deal]:
        """Every deal that fits the public facts."""
        slots = list(self.truth)
        found = []
        for cards in itertools.permutations(self.pool, len(slots)):
            if all(card not in self.ruled_out.get(slot, ()) for slot, card in zip(slots, cards, strict=True)):
                found.append(dict(zip(slots, cards, strict=True)))
        return found

    def view(self, deal: Deal, seat: int) -> tuple[int, ...]:
        """What the seat sees of a deal."""
        return tuple(card for (owner, _), card in deal.items() if owner == seat)

    def commonly_possible(self) -> list[Deal]:
        """The deals that nobody can rule out by reasoning about what the others see: reached by steps that leave a view alone."""
        alike: dict[tuple[int, tuple[int, ...]], list[Deal]] = {}
        for deal in self.deals:
            for seat in range(self.t.game.num_players):
                alike.setdefault((seat, self.view(deal, seat)), []).append(deal)
        reached, frontier = {tuple(self.truth.values()): self.truth}, [self.truth]
        while frontier:
            now = frontier.pop()
            for seat in range(self.t.game.num_players):
                for deal in alike.pop((seat, self.view(now, seat)), []):
                    if tuple(deal.values()) not in reached:
                        reached[tuple(deal.values())] = deal
                        frontier.append(deal)
        return list(reached.values())

    def fitting(self, seat: int) -> list[Deal]:
        """The deals that the seat cannot rule out."""
        return [d for d in self.deals if self.view(d, seat) == self.view(self.truth, seat)]

    def asked(self, card: int) -> str:
        """What happens when seat 0 completes the menu `card`: "asked", "passed over" or "validated" without a question."""
        before = self.t.states.copy()
        self.t.act(self.t.lay_all_but_one(card))
        state = self.t.state
        what = (
            "asked"
            if state.phase == Phase.SCORE
            else "validated"
            if state.points[0] > before.points[0, 0]
            else "passed over"
        )
        self.t.states[:] = before
        return what


def expected(deals_left: list[Deal], card: int, forced: bool) -> str:
    """The same by enumeration."""
    held = [{s for (seat, s), c in d.items() if seat == 0 and c == card} for d in deals_left]
    if not any(held):
        return "passed over"
    return "validated" if forced and set.intersection(*held) else "asked"


def random_case(t: Table, rng: np.random.Generator, most: int = 4, forced: bool = True) -> Hidden:
    """Random slots, cards and facts; the truth always fits."""
    n = t.game.num_players
    slots = [(0, 0), *((seat, 0) for seat in range(1, n) if rng.random() < 0.85)]
    more = [(seat, s) for seat in range(n) for s in (1, 2)]
    slots += [more[k] for k in rng.permutation(len(more))[: rng.integers(0, 3)]]
    slots = sorted(slots[:most])
    spare = int(rng.choice([0, 0, 1, 2]))
    cards = [int(c) for c in rng.permutation(12)[: len(slots) + spare]]
    hands = dict(zip(slots, cards, strict=False))
    facts = {}
    if forced:
        density = rng.choice([0.2, 0.5, 0.7])
        for slot, card in hands.items():
            facts[slot] = {c for c in cards if c != card and rng.random() < density}
    return Hidden(t, hands, cards[len(slots) :], facts)


@pytest.mark.parametrize("scoring", ["forced", "optional"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_step_2_is_asked_where_the_table_leaves_a_choice(players: int, scoring: str) -> None:
    """With two players to the point where each reasons about what the other sees; with more, by public facts alone."""
    rng = np.random.default_rng(players)
    t = Table(players=players, scoring=scoring)
    start = t.states.copy()
    seen: Counter[str] = Counter()
    for _ in range(40):
        t.states[:] = start
        case = random_case(t, rng, forced=scoring == "forced")
        left = case.commonly_possible() if players == 2 else case.deals
        for card in case.pool:
            what = expected(left, card, scoring == "forced")
            seen[what] += 1
            assert case.asked(card) == what, (case.truth, case.deck, case.ruled_out, card)
    assert seen["asked"]
    assert seen["passed over"] or (players > 2 and scoring == "optional")
    assert bool(seen["validated"]) == (scoring == "forced")


def test_with_more_players_reasoning_about_views_settles_almost_nothing_more() -> None:
    """Public facts leave open what only chains of private reasoning could close, in few positions (README)."""
    rng = np.random.default_rng(7)
    t = Table(players=3, scoring="forced")
    cases = 0
    for _ in range(60):
        case = random_case(t, rng, most=4)
        cases += len(case.commonly_possible()) < len(case.deals)
    assert cases <= 2


# ---------------------------------------------------------------- one position for each fact


def two_seats(ruled_out: dict[Slot, set[int]], deck: list[int], players: int = 3) -> Hidden:
    """Seat 0 holds menu 0, seat 1 menu 1."""
    return Hidden(Table(players=players, scoring="forced"), {(0, 0): 0, (1, 0): 1}, deck, ruled_out)


@pytest.mark.parametrize("card", [1, 2, 3])
def test_what_a_slot_was_seen_not_to_hold_is_not_asked_for(card: int) -> None:
    case = two_seats({(0, 0): {card}}, deck=[2, 3])
    assert [case.asked(c) for c in (1, 2, 3)] == ["passed over" if c == card else "asked" for c in (1, 2, 3)]


def test_two_cards_with_two_menus_left_take_them_from_all_others() -> None:
    """Seats 1 and 2 hold the menus 1 and 2, nobody can tell which: so seat 0 holds neither."""
    hands = {(0, 0): 0, (1, 0): 1, (2, 0): 2}
    t = Table(players=3, scoring="forced")
    case = Hidden(t, hands, [3, 4], {(1, 0): {0, 3, 4}, (2, 0): {0, 3, 4}})
    assert [case.asked(c) for c in range(5)] == ["asked", "passed over", "passed over", "asked", "asked"]
    loose = Hidden(t, hands, [3, 4], {(1, 0): {0, 3, 4}, (2, 0): {0, 3}})  # three menus for two cards
    assert [loose.asked(c) for c in range(5)] == ["asked"] * 5


def test_a_menu_that_all_know_to_be_there_is_validated_unasked() -> None:
    case = two_seats({(0, 0): {1, 2}}, deck=[2])
    assert [case.asked(c) for c in range(3)] == ["validated", "passed over", "passed over"]
    points = int(case.t.state.points[0])
    case.t.act(case.t.lay_all_but_one(0))
    assert case.t.state.points[0] == points + 1
    assert case.t.state.seen[0] == Seen.VALIDATED
    assert (case.t.state.phase, case.t.state.player) == (Phase.TAKE, 1)


def test_a_menu_that_one_of_two_slots_holds_is_asked_for() -> None:
    """All know that seat 0 holds the menus 0 and 1, not in which slot: the answer is sure, the slot is not."""
    case = Hidden(Table(players=3, scoring="forced"), {(0, 0): 0, (0, 1): 1, (1, 0): 2}, [], {(1, 0): {0, 1}})
    assert [case.asked(c) for c in range(3)] == ["asked", "asked", "passed over"]
    sure = Hidden(case.t, {(0, 0): 0, (0, 1): 1, (1, 0): 2}, [], {(1, 0): {0, 1}, (0, 0): {1}})
    assert [sure.asked(c) for c in range(3)] == ["validated", "validated", "passed over"]


def test_two_menus_that_could_both_be_validated_leave_a_choice() -> None:
    """All know both cards of seat 0, and the piece completes both menus: which one is the player's choice."""
    t = Table(players=3, scoring="forced")
    one, two = t.card("salad fruit_salad pudding"), t.card("salad fruit_salad burger")
    Hidden(t, {(0, 0): one, (0, 1): two}, [], {(0, 0): {two}, (0, 1): {one}})
    for name, piece in (("D2", "fruit_salad"), ("D3", "pudding"), ("B1", "burger"), ("C1", "fruit_salad")):
        t.put(name, piece)
    t.state.order[t.space("D1")] = EMPTY
    t.act(t.place("D1", "salad"))  # along D1 D2 D3 and along D1 C1 B1
    assert t.scorable() == [0, 1]


def test_two_players_know_each_others_cards_when_the_deck_is_empty() -> None:
    case = two_seats({}, deck=[], players=2)
    assert [case.asked(c) for c in (0, 1)] == ["validated", "passed over"]
    three = two_seats({}, deck=[], players=3)  # seat 2 holds none of the two and cannot tell
    assert [three.asked(c) for c in (0, 1)] == ["asked", "asked"]


def test_two_players_know_each_others_cards_when_the_deck_cannot_hold_them() -> None:
    case = two_seats({(0, 0): {2}, (1, 0): {2}}, deck=[2], players=2)
    assert [case.asked(c) for c in (0, 1, 2)] == ["validated", "passed over", "passed over"]
    half = two_seats({(0, 0): {2}}, deck=[2], players=2)
    assert [half.asked(c) for c in (0, 1, 2)] == ["asked", "asked", "passed over"]


def test_cards_drawn_before_and_after_a_reshuffle_are_told_apart() -> None:
    """Menu 3 went back into the deck after the hands were drawn: only who drew since can hold it."""
    for drawn_since in (False, True):
        t = Table(players=3)
        Hidden(t, {(0, 0): 0, (1, 0): 1, (2, 0): 2}, [3, 4], {})
        t.state.epochs[0] = 1
        t.state.epoch[[3, 4]] = 1
        t.state.epoch[0] = drawn_since
        t.act(t.lay_all_but_one(3))
        assert (t.state.phase == Phase.SCORE) == drawn_since


def test_a_forced_player_who_validates_nothing_shows_what_the_hand_lacks() -> None:
    t = Table(players=3, scoring="forced")
    case = Hidden(t, {(0, 0): 0, (1, 0): 1, (0, 2): 4}, [2, 3], {})
    assert case.asked(2) == "asked"
    t.act(t.lay_all_but_one(2))
    assert t.legal() == {Action.NO_SCORE}
    t.act(Action.NO_SCORE)
    assert t.state.ruled_out[0].tolist() == [1 << 2, 0, 1 << 2]  # of an empty slot nothing is known
    assert not t.state.ruled_out[1:].any()
    t.act(Action.DISCARD)
    assert t.state.ruled_out[0].tolist() == [0, 0, 1 << 2]  # a new card came into slot 0


def test_where_scoring_is_optional_a_hand_shows_nothing() -> None:
    t = Table(players=3)
    Hidden(t, {(0, 0): 0, (1, 0): 1}, [2, 3], {})
    t.act(t.lay_all_but_one(2))
    t.act(Action.NO_SCORE)
    assert not t.state.ruled_out.any()


# ---------------------------------------------------------------- samples


def samples(case: Hidden, seat: int, n: int) -> list[Deal]:
    """What `determinize` deals, as the seat may believe it."""
    copies = take(case.t.states, np.zeros(n, np.int64))
    case.t.game.determinize(copies, seat, seed=n)
    decks = [sorted(row[: len(case.deck)].tolist()) for row in copies.deck[:, 0]]
    found = [{slot: int(hand[slot]) for slot in case.truth} for hand in copies.hand]
    for deal, deck in zip(found, decks, strict=True):
        assert sorted([*deal.values(), *deck]) == case.pool  # the deck holds the rest
    return found


def key(deal: Deal) -> tuple[int, ...]:
    return tuple(deal.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_samples_fit_what_the_seat_knows(players: int) -> None:
    rng = np.random.default_rng(players)
    t = Table(players=players, scoring="forced")
    for _ in range(many(20, 8)):
        case = random_case(t, rng)
        for seat in range(players):
            fitting = {key(d) for d in case.fitting(seat)}
            assert {key(d) for d in samples(case, seat, 12)} <= fitting


FAIR = [
    # hands by (seat, slot), deck, ruled out: many weights, a chain, a free slot beside two known ones
    ({(0, 0): 0, (1, 0): 1, (2, 0): 2}, [3, 4], {(1, 0): {2, 3}, (2, 0): {4}}),
    ({(0, 0): 0, (1, 0): 1, (1, 1): 2, (2, 0): 3}, [11], {(1, 0): {2}, (1, 1): {3}, (2, 0): {1, 11}}),
    ({(0, 0): 0, (1, 0): 5, (1, 2): 6, (2, 0): 7}, [8, 9], {(1, 0): {6, 7}, (2, 0): {8}}),
]


@pytest.mark.parametrize("case", FAIR, ids=["weights", "chain", "free slot"])
def test_every_deal_that_fits_is_equally_likely(case: tuple[Any, Any, Any]) -> None:
    hidden = Hidden(Table(players=3, scoring="forced"), *case)
    fitting = [key(d) for d in hidden.fitting(0)]
    assert len(fitting) > 3
    counts = Counter(key(d) for d in samples(hidden, 0, many(60, 15) * len(fitting)))
    assert set(counts) == set(fitting)
    assert chisquare([counts[d] for d in fitting]).pvalue > 1e-3


def test_a_sample_does_not_depend_on_the_truth() -> None:
    """Two deals that a seat cannot tell apart give it the same samples from the same stream."""
    hands, deck, facts = FAIR[0]
    one = Hidden(Table(players=3, scoring="forced"), hands, deck, facts)
    deals_of_one = [key(d) for d in samples(one, 0, 60)]
    for other in one.fitting(0):
        rest = [c for c in one.pool if c not in other.values()]
        again = Hidden(Table(players=3, scoring="forced"), other, rest, facts)
        assert [key(d) for d in samples(again, 0, 60)] == deals_of_one


def test_deals_are_counted_right() -> None:
    """Inclusion and exclusion against plain counting, up to five slots."""
    rng = np.random.default_rng(3)
    t = Table(players=4, scoring="forced")
    for _ in range(60):
        case = random_case(t, rng)
        slots = sum(1 << (seat * HAND + s) for seat, s in case.truth)
        assert deals(t.state, sum(1 << c for c in case.pool), slots) == len(case.deals)


def test_nine_slots_of_which_much_is_known_are_dealt_in_one_way() -> None:
    """As many slots as can be, each with two menus left but the first with one: 9 can only be 9, and so on."""
    t = Table(players=4, scoring="forced")
    slots = [(seat, s) for seat in (1, 2, 3) for s in range(HAND)]
    hands = dict(zip(slots, range(9), strict=True))
    facts = {slot: set(range(12)) - {card, max(card - 1, 0)} for slot, card in hands.items()}
    case = Hidden(t, hands, [9, 10, 11], facts)
    assert all(d == hands for d in samples(case, 0, 2))


def test_a_reshuffled_card_was_not_drawn_before() -> None:
    t = Table(players=3)
    t.empty_deck(1, keep=1)
    thrown = int(t.state.hand[0, 0])
    old = {int(t.state.hand[1, 0]), int(t.state.hand[2, 0])}
    t.act(t.place("D3", "pudding"))
    t.act(Action.DISCARD)  # the deck is renewed from this card alone
    copies = take(t.states, np.zeros(many(300, 60), np.int64))
    t.game.determinize(copies, 0, seed=9)
    assert (copies.deck[:, 0, 0] == thrown).all()
    assert {tuple(sorted(row)) for row in copies.hand[:, 1:3, 0].tolist()} == {tuple(sorted(old))}
    assert len(Counter(copies.hand[:, 1, 0].tolist())) == 2
    view = take(t.states, np.zeros(many(300, 60), np.int64))
    t.game.determinize(view, 1, seed=9)
    assert len(set(view.hand[:, 2, 0].tolist())) == 2  # that of seat 2, or the last card that seat 0 drew
    assert (view.hand[:, 1] == t.state.hand[1]).all()


# ---------------------------------------------------------------- the same facts in one view and in words


def seen_by(t: Table, seat: int) -> dict[str, np.ndarray]:
    return t.game.layout.split(t.game.observe(t.states, seat)[0].astype(np.float64))


def slots_told(t: Table, viewer: int) -> dict[tuple[int, int], list[int]]:
    """(seat, menu) -> the slots of the seat that the view of `viewer` says not to hold the menu; empty lists left out."""
    n = t.game.num_players
    bits = (seen_by(t, viewer)["ruled_out"] * 8).round().astype(int)
    told = {((viewer + k) % n, int(c)): int(bits[k, c]) for k, c in np.argwhere(bits)}
    return {place: [s for s in range(HAND) if slots >> s & 1] for place, slots in told.items()}


@pytest.mark.parametrize(("seat", "s"), [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)])
def test_a_view_tells_what_forced_scoring_has_shown(seat: int, s: int) -> None:
    hands = {(p, k): 3 * p + k for p in range(3) for k in range(3)}
    for out in {0, 11} - {hands[seat, s]}:
        case = Hidden(Table(players=3, scoring="forced"), hands, [9, 10, 11], {(seat, s): {out}})
        for viewer in range(3):
            assert slots_told(case.t, viewer) == {(seat, out): [s]}


def test_a_view_tells_which_cards_were_drawn_before_a_reshuffle() -> None:
    t = Table(players=3)
    Hidden(t, {(0, 0): 0, (1, 0): 1, (2, 0): 2}, [3, 4], {})
    t.state.epochs[0] = 1
    t.state.epoch[[2, 3, 4]] = 1  # seat 2 has drawn since
    for viewer in range(3):
        old = {(p, c): [0] for p in (0, 1) for c in (2, 3, 4)}
        assert slots_told(t, viewer) == {**old, (2, 0): [0], (2, 1): [0]}
        assert seen_by(t, viewer)["menu"][:5].tolist() == [0.5, 0.5, 0, 0, 0]


def test_a_view_tells_that_an_empty_deck_holds_nothing() -> None:
    t = Table(players=3)
    Hidden(t, {(0, 0): 0, (1, 0): 11}, [], {})
    menu = seen_by(t, 2)["menu"]
    assert [c for c in range(36) if menu[c] == 0.5] == [0, 11]
    assert not seen_by(t, 2)["ruled_out"].any()


def test_an_open_menu_is_ruled_out_nowhere() -> None:
    """Where a menu lies on a pile or before a seat stands in `menu`; `ruled_out` is about hidden ones."""
    t = Table(players=3, scoring="forced")
    Hidden(t, {(0, 0): 0, (1, 0): 1}, [2, 3], {(0, 0): {2, 5}})
    t.state.seen[2], t.state.deck_size[0] = Seen.ON_PILE, 1
    assert not seen_by(t, 1)["ruled_out"].any()


def test_words_tell_the_same() -> None:
    t = Table(players=3, scoring="forced")
    Hidden(t, {(0, 0): 0, (1, 0): 1, (2, 0): 2}, [3, 4, 5], {(1, 0): {0}, (2, 0): {0, 1, 3, 4}})
    names = [t.game.action_text(t.state, 335 + c).split(": ")[1] for c in range(6)]
    for viewer in (0, 1, 2, None):
        text = t.game.describe(t.state, viewer)
        lines = [line for line in text.splitlines() if "hand:" in line]
        assert "[" not in lines[0]
        assert f"[all know: not {names[0]}]" in lines[1]
        assert f"[all know: {names[2]} or {names[5]}]" in lines[2]
        assert "in hands, as all know" not in text
    t.state.epochs[0] = 1
    t.state.epoch[[3, 4, 5]] = 1
    text = t.game.describe(t.state, 0)
    assert f"in hands, as all know: {names[0]}; {names[1]}; {names[2]}." in text
    assert f"1: {names[0]} [all know: {names[0]} or {names[1]} or {names[2]}]" in text


def test_nobody_learns_from_the_question_alone() -> None:
    """Whether step 2 is asked is the same in all positions that somebody cannot tell apart."""
    rng = np.random.default_rng(5)
    t = Table(players=2, scoring="forced")
    start = t.states.copy()
    for _ in range(12):
        t.states[:] = start
        case = random_case(t, rng, most=4)
        before = copy(t.states)
        for card in case.pool:
            told = set()
            for deal in case.commonly_possible():
                rest = [c for c in case.pool if c not in deal.values()]
                told.add(Hidden(t, deal, rest, case.ruled_out).asked(card))
                t.states[:] = before
            assert len(told) == 1


def test_after_the_question_the_turn_goes_on() -> None:
    t = Table(players=3, scoring="forced")
    case = Hidden(t, {(0, 0): 0, (1, 0): 1}, [2], {(0, 0): {1, 2}})
    t.act(t.lay_all_but_one(1))  # passed over
    assert case.truth[0, 0] == t.state.hand[0, 0]
    assert t.state.phase == Phase.DISCARD
    t.act(Action.NO_DISCARD)
    assert (t.state.phase, t.state.player) == (Phase.TAKE, 1)
