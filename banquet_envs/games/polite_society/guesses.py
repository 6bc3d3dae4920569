"""Assignments of types to the open thefts: sampling what a seat does not know, and what a hand may be for all that is public.

An assignment is legal when every victim held the card and every row of the account (account.py) holds: such assignments,
and no others, agree with all that was seen. Each is as likely as the product, over all thefts, of how many cards of the
type the victim held then. `resample_hands` draws one in exactly that proportion

* by guessing the thefts in order, each in proportion to the victim's cards, and throwing away what does not fit: the first
  guess that fits is a fair one;
* when `TRIES` guesses have failed, by weighing all legal assignments, as long as no more than `MANY` are to be tried: so
  always with up to eight thefts that the seat did not see, and with more when some of their types are ruled out.

With more than that it draws one of `PATHS` assignments in proportion to what makes up for how they were found: theft by
theft, among the types that leave the rest possible as far as bounds tell. They agree with all that was seen, and are in
proportion roughly. Nothing here looks at a type, or at a hand, that the seat does not know.
"""

from __future__ import annotations

from numpy import int64

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, random_unit
from banquet_envs.core.types import Rules, State
from banquet_envs.games.polite_society.account import forget, hand_size, involves, is_known, last_row, may_be
from banquet_envs.games.polite_society.components import ASSETS
from banquet_envs.games.polite_society.counts import count_at
from banquet_envs.games.polite_society.views import bound_views, clear_bounds, leaves_room, no_flow

TRIES = 200
MANY = 65536
PATHS = 32
STEPS = 100000  # of the search for any legal assignment at all

# ---------------------------------------------------------------- one theft after another


@rule
def shift(state: State, i: int, a: int, cards: int) -> None:
    """Theft `i` moves a card of `a`, or (-1) does not after all."""
    state.flow[state.thief[i], a] += cards
    state.flow[state.victim[i], a] -= cards


@rule
def held(state: State, i: int, a: int) -> int:
    """How many of `a` the victim of theft `i` held, by the flow of the thefts before it."""
    return state.seen[i, a] + state.flow[state.victim[i], a]


@rule
def rows_hold(state: State, i: int) -> bool:
    """Whether the flow after theft `i` lies within its two rows."""
    for victim in range(2):
        seat = state.victim[i] if victim else state.thief[i]
        for a in range(ASSETS):
            flow = state.flow[seat, a]
            if flow < state.floor[2 * i + victim, a] or flow > state.ceiling[2 * i + victim, a]:
                return False
    return True


@rule
def guess(state: State, player: int, i: int, a: int) -> int:
    """Let theft `i` have taken `a`: how many of it the victim held, or 0 (and nothing changed) if it cannot be."""
    count = held(state, i, a)
    if count < 1 or not may_be(state, i, a) or (involves(state, i, player) and a != state.loot[i]):
        return 0
    shift(state, i, a, 1)
    if not rows_hold(state, i):
        shift(state, i, a, -1)
        return 0
    state.guess[i] = a
    return count


@rule
def guess_ahead(state: State, player: int, i: int, a: int) -> int:
    """As `guess`, but 0 too when the thefts that follow leave no room for it."""
    count = guess(state, player, i, a)
    if count > 0 and not leaves_room(state, player, i):
        undo(state, i)
        return 0
    return count


@rule
def undo(state: State, i: int) -> int:
    """Take back the guess for theft `i`; what `guess` returned for it."""
    a = state.guess[i]
    shift(state, i, a, -1)
    return held(state, i, a)


@rule
def clear_guesses(state: State) -> None:
    """Nothing of the search stays in the record."""
    no_flow(state)
    for i in range(state.guess.shape[0]):
        state.guess[i] = 0
        state.best[i] = 0
    clear_bounds(state)


# ---------------------------------------------------------------- all assignments


@rule
def choices(state: State, player: int) -> int:
    """How many assignments are to be tried for the thefts that `player` did not see (-1: all), or more than MANY."""
    product = 1
    for i in range(state.thefts):
        if not involves(state, i, player) and product <= MANY:
            product *= may_be(state, i, 0) + may_be(state, i, 1) + may_be(state, i, 2) + may_be(state, i, 3)
    return product


@rule
def weigh(state: State, player: int, stop: float, seat: int, needs: int) -> float:
    """The weights of all legal assignments in which `seat` holds at least `needs`, added up until they exceed `stop`.

    Depth first; the assignment that went beyond `stop` is left in `guess`. Types that `player` saw are fixed.
    """
    no_flow(state)
    total = 0.0
    weight = 1.0
    i = 0
    a = 0
    while i >= 0:
        if i == state.thefts:
            if covers(state, seat, needs):
                total += weight
                if total > stop:
                    return total
            a = ASSETS
        count = 0
        while a < ASSETS and count == 0:
            count = guess_ahead(state, player, i, a)
            a += 1
        if count > 0:
            weight *= count
            i += 1
            a = 0
        else:
            i -= 1
            if i >= 0:
                weight /= undo(state, i)
                a = state.guess[i] + 1
    return total


@rule
def covers(state: State, seat: int, needs: int) -> bool:
    """Whether a hand is at least `needs` (packed, by asset) by the flow of all thefts."""
    for a in range(ASSETS):
        if state.known[seat, a] + state.flow[seat, a] < count_at(needs, a):
            return False
    return True


# ---------------------------------------------------------------- what a hand may be, for all that is public


@rule
def may_hold(state: State, seat: int, needs: int) -> bool:
    """Whether a hand can be, for all that everybody knows, at least `needs` (packed, by asset: counts.py).

    Exact as long as no more than MANY assignments of types are to be tried; with more, only the bounds are asked.
    """
    spare = hand_size(state, seat)
    for a in range(ASSETS):
        need = count_at(needs, a)
        if state.high[seat, a] < need:
            return False
        spare -= max(state.low[seat, a], need)
    if spare < 0:
        return False
    if state.blurred or is_known(state, seat) or choices(state, -1) > MANY:
        return True
    found = weigh(state, -1, 0.0, seat, needs) > 0
    clear_guesses(state)
    return found


# ---------------------------------------------------------------- sampling the hands


@rule
def resample_hands(state: State, rules: Rules, player: int) -> None:
    """Sample the types of the open thefts that `player` did not see; or the hands, when thefts are forgotten."""
    if state.thefts > 0:
        if guess_in_order(state, player) or guess_by_weight(state, player) or guess_roughly(state, player):
            take_guesses(state)
            bound_views(state, rules)
        else:
            forget(state)  # it has never come to this; if it does, then not the truth either
    if state.blurred:
        deal_hands(state, rules, player)
    clear_guesses(state)


@rule
def take_guesses(state: State) -> None:
    """Let the thefts have taken what was guessed, and the hands follow."""
    for i in range(state.thefts):
        thief, victim = state.thief[i], state.victim[i]
        old, new = state.loot[i], state.guess[i]
        state.hand[thief, old] -= 1
        state.hand[victim, old] += 1
        state.hand[thief, new] += 1
        state.hand[victim, new] -= 1
        state.loot[i] = new


@rule
def guess_in_order(state: State, player: int) -> bool:
    """Guess all thefts from the first to the last until that fits; False when it never did."""
    for _ in range(TRIES):
        no_flow(state)
        i = 0
        while i < state.thefts and guess_next(state, player, i):
            i += 1
        if i == state.thefts:
            return True
    return False


@rule
def guess_next(state: State, player: int, i: int) -> bool:
    """A card of the victim's at random; a theft of the player's own is kept as often as it was likely."""
    if state.victim[i] == player:  # that it was so likely is nothing new
        return guess(state, player, i, state.loot[i]) > 0
    if state.thief[i] == player:
        a = state.loot[i]
        return random_below(state, most_held(state, i, a)) < held(state, i, a) and guess(state, player, i, a) > 0
    size = 0
    for b in range(ASSETS):
        size += held(state, i, b)
    pick = random_below(state, size)
    a = 0
    while pick >= held(state, i, a):
        pick -= held(state, i, a)
        a += 1
    return guess(state, player, i, a) > 0


@rule
def most_held(state: State, i: int, a: int) -> int:
    """How many of `a` the victim of theft `i` held at most, for all that is public."""
    row = last_row(state, state.victim[i], i)
    return state.seen[i, a] + (state.ceiling[row, a] if row >= 0 else 0)


@rule
def guess_by_weight(state: State, player: int) -> bool:
    """One of all legal assignments in proportion to its weight; False when there are too many to try."""
    if choices(state, player) > MANY:
        return False
    total = weigh(state, player, 1e300, 0, 0)
    return total > 0 and weigh(state, player, random_unit(state) * total, 0, 0) > 0


# ---------------------------------------------------------------- when there are too many assignments


@rule
def guess_roughly(state: State, player: int) -> bool:
    """One of some legal assignments, by its likelihood against the chance that it was found with; False if there is none."""
    total = 0.0
    for _ in range(PATHS):
        weight = find_path(state, player)
        total += weight
        if weight > 0 and random_unit(state) * total < weight:
            for i in range(state.thefts):
                state.best[i] = state.guess[i]
    if total > 0:
        for i in range(state.thefts):
            state.guess[i] = state.best[i]
        return True
    return search(state, player)


@rule
def find_path(state: State, player: int) -> float:
    """Guess theft after theft by the victim's cards, among the types that leave room: what makes up for that, or 0."""
    no_flow(state)
    weight = 1.0
    for i in range(state.thefts):
        size = 0
        possible = 0
        chosen = -1
        for a in range(ASSETS):
            size += held(state, i, a)
        for a in range(ASSETS):
            count = guess_ahead(state, player, i, a)
            if count > 0:
                undo(state, i)
                possible += count
                if random_below(state, possible) < count:
                    chosen = a
        if chosen < 0:
            return 0.0
        guess(state, player, i, chosen)
        weight *= possible / size
    return weight


@rule
def search(state: State, player: int) -> bool:
    """Any legal assignment: depth first, each theft beginning with a type drawn at random; False when none is found."""
    no_flow(state)
    i = 0
    steps = 0
    state.best[0] = random_below(state, ASSETS)
    tried = 0  # types of theft `i` that have been
    while i >= 0 and i < state.thefts and steps < STEPS:
        count = 0
        while tried < ASSETS and count == 0:
            count = guess_ahead(state, player, i, (state.best[i] + tried) % ASSETS)
            tried += 1
        if count > 0:
            i += 1
            tried = 0
            if i < state.thefts:
                state.best[i] = random_below(state, ASSETS)
        else:
            i -= 1
            if i >= 0:
                undo(state, i)
                tried = (state.guess[i] - state.best[i]) % ASSETS + 1
        steps += 1
    return i == state.thefts


# ---------------------------------------------------------------- when thefts are forgotten


@rule
def deal_hands(state: State, rules: Rules, player: int) -> None:
    """Deal the others' cards anew, within the bounds and by the known sizes: cell by cell what leaves the rest possible.

    Until its turn comes, a cell of `flow` is unused.
    """
    for seat in range(rules.players):
        for a in range(ASSETS):
            if seat == player:
                state.flow[seat, a] = state.hand[seat, a]
            else:
                deal_cell(state, rules, player, seat, a)
    for seat in range(rules.players):
        for a in range(ASSETS):
            state.hand[seat, a] = state.flow[seat, a]


@rule
def deal_cell(state: State, rules: Rules, player: int, seat: int, a: int) -> None:
    """A number of asset `a` for a seat, uniform over those that leave the rest possible."""
    found = 0
    chosen = state.low[seat, a]
    for count in range(state.low[seat, a], state.high[seat, a] + 1):
        state.flow[seat, a] = count
        if can_deal(state, rules, player, seat, a):
            found += 1
            if random_below(state, found) == 0:
                chosen = count
    state.flow[seat, a] = chosen


@rule
def can_deal(state: State, rules: Rules, player: int, seat: int, a: int) -> bool:
    """Whether hands of the known sizes and totals remain, with the cells dealt up to (seat, a).

    They do if, and only if, for every set of assets all hands together can take as many as there are: the hands that one
    seat's bounds allow are the bases of a polymatroid, and such sets add up to one.
    """
    for group in range(1 << ASSETS):
        room = int64(0)
        for other in range(rules.players):
            if other != player:
                room += most_in(state, other, group, seat, a)
        for b in range(ASSETS):
            if (group >> b) & 1:
                for other in range(rules.players):
                    if other != player:
                        room -= state.hand[other, b]  # their sum is public: what neither bank nor player holds
        if room < 0:
            return False
    return True


@rule
def most_in(state: State, seat: int, group: int, last_seat: int, last_asset: int) -> int:
    """How many cards of a set of assets a hand can hold at most, by its size, its bounds and the cells dealt."""
    most = int64(0)
    rest = hand_size(state, seat)
    for b in range(ASSETS):
        dealt = seat < last_seat or (seat == last_seat and b <= last_asset)
        if (group >> b) & 1:
            most += state.flow[seat, b] if dealt else state.high[seat, b]
        else:
            rest -= state.flow[seat, b] if dealt else state.low[seat, b]
    return min(most, rest)
