"""The public account of the hands: what everybody can work out about thefts whose type only thief and victim saw.

Every movement between bank and hands is public, so a hand is known to all but for these thefts. The record keeps, for all
seats alike and from public events alone,

* `known`: each hand as it would be without the open thefts;
* the open thefts, oldest first: `thief`, `victim`, `could` (the types it may have been, as bits) and `seen` (the victim's
  `known` at that moment); beside them `loot`, the true type;
* `floor` and `ceiling`, two rows for each theft, 2 i for its thief and 2 i + 1 for its victim: bounds of the *flow*, what
  thefts 0 to i have brought that seat of each asset less what they took, by all that was seen until the seat's next theft;
* `low` and `high`: the bounds of each hand that follow.

So hand = known + flow, for the true types and for every other assignment of types that nobody could tell from the truth:
the assignments of `could` that keep to all rows. What is seen (a payment, an offer, a loss not paid) bounds a row; `conclude`
draws the conclusions. A theft leaves the account when its type is certain, and so is how many of that type the victim held:
until then, how likely it was says something of the thefts before it.

When one theft more is open than the account can hold, it forgets them all: then `blurred` is set, only `low` and `high` are
kept, and `known` is 0, until every hand is certain again.
"""

from __future__ import annotations

from numpy import int64

from banquet_envs.core.compile import rule
from banquet_envs.core.types import State
from banquet_envs.games.polite_society.components import ASSETS, PLAYERS
from banquet_envs.games.polite_society.state import THEFTS


@rule
def hand_size(state: State, seat: int) -> int:
    """How many asset cards a seat holds: public."""
    size = int64(0)  # as plain Python's sums of hands need not fit the record's int16
    for a in range(ASSETS):
        size += state.hand[seat, a]
    return size


@rule
def involves(state: State, i: int, player: int) -> bool:
    """Whether the player saw the type of theft `i`."""
    return state.thief[i] == player or state.victim[i] == player


@rule
def last_row(state: State, seat: int, before: int) -> int:
    """The row of the last theft among the first `before` that touched a seat's hand; -1 if none did."""
    for k in range(before):
        i = before - 1 - k
        if state.thief[i] == seat:
            return 2 * i
        if state.victim[i] == seat:
            return 2 * i + 1
    return -1


@rule
def may_be(state: State, i: int, a: int) -> int:
    """1 if theft `i` may have taken asset `a`."""
    return (int(state.could[i]) >> a) & 1


@rule
def must_be(state: State, i: int, a: int) -> int:
    """1 if theft `i` can have taken nothing else."""
    return 1 if state.could[i] == 1 << a else 0


# ---------------------------------------------------------------- what is seen


@rule
def see_change(state: State, seat: int, a: int, change: int) -> None:
    """A hand has changed in public. It was never negative: so a payment bounds what thefts have brought."""
    state.low[seat, a] = max(0, state.low[seat, a] + change)
    state.high[seat, a] += change
    if not state.blurred:
        state.known[seat, a] += change
        if change < 0:
            see_at_least(state, seat, a, 0)


@rule
def see_at_least(state: State, seat: int, a: int, count: int) -> None:
    """All see that a hand holds so many of an asset."""
    state.low[seat, a] = max(state.low[seat, a], count)
    row = last_row(state, seat, state.thefts)
    flow = count - state.known[seat, a]
    if row >= 0 and state.floor[row, a] < flow:
        state.floor[row, a] = flow
        state.fresh = 1


@rule
def see_none(state: State, seat: int, a: int) -> None:
    """All see that a hand holds none of an asset."""
    state.low[seat, a] = 0
    state.high[seat, a] = 0
    row = last_row(state, seat, state.thefts)
    flow = -state.known[seat, a]
    if row >= 0 and state.ceiling[row, a] > flow:
        state.ceiling[row, a] = flow
        state.fresh = 1


@rule
def see_theft(state: State, thief: int, victim: int, a: int) -> None:
    """A card has changed hands whose type, `a`, only thief and victim know."""
    could = 0
    for b in range(ASSETS):
        if state.high[victim, b] > 0:
            could |= 1 << b
    if state.thefts == THEFTS:
        forget(state)
    if state.blurred:
        blur_theft(state, thief, victim, could)
        return
    i = state.thefts
    state.thief[i] = thief
    state.victim[i] = victim
    state.loot[i] = a
    state.could[i] = could
    open_row(state, i, thief, 0)
    open_row(state, i, victim, 1)
    for b in range(ASSETS):
        state.seen[i, b] = state.known[victim, b]
    state.thefts += 1
    state.fresh = 1


@rule
def open_row(state: State, i: int, seat: int, victim: int) -> None:
    """The bounds of the flow after theft `i` for its thief (0) or victim (1): those before, one card more or less."""
    row = last_row(state, seat, i)
    for b in range(ASSETS):
        low = state.floor[row, b] if row >= 0 else 0
        high = state.ceiling[row, b] if row >= 0 else 0
        if victim:
            low = max(low - may_be(state, i, b), -state.known[seat, b])
        else:
            high += may_be(state, i, b)
        state.floor[2 * i + victim, b] = low
        state.ceiling[2 * i + victim, b] = high


# ---------------------------------------------------------------- what follows


@rule
def conclude(state: State) -> None:
    """Draw the public conclusions from what has been seen."""
    while narrow(state):
        pass
    settle_certain(state)
    settle_hands(state)
    bound_hands(state)


@rule
def narrow(state: State) -> bool:
    """Bring rows and types closer together; False when there is nothing left to do."""
    changed = False
    for seat in range(PLAYERS):
        if last_row(state, seat, state.thefts) >= 0:
            changed = narrow_forward(state, seat) or changed
            changed = narrow_backward(state, seat) or changed
    for i in range(state.thefts):
        changed = narrow_theft(state, i) or changed
        changed = narrow_columns(state, i + 1) or changed
    return changed


@rule
def tighten(state: State, row: int, a: int, low: int, high: int) -> bool:
    """Bound an entry of a row; whether that says more than was known."""
    changed = False
    if state.floor[row, a] < low:
        state.floor[row, a] = low
        changed = True
    if state.ceiling[row, a] > high:
        state.ceiling[row, a] = high
        changed = True
    return changed


@rule
def narrow_forward(state: State, seat: int) -> bool:
    """From each row of a seat to its next; every theft moves one card, so the assets of a row have a known sum."""
    changed = False
    before = -1
    total = 0
    for i in range(state.thefts):
        if involves(state, i, seat):
            victim = int(state.victim[i] == seat)
            row = 2 * i + victim
            total += 1 - 2 * victim
            for b in range(ASSETS):
                low = state.floor[before, b] if before >= 0 else 0
                high = state.ceiling[before, b] if before >= 0 else 0
                if victim:
                    low -= may_be(state, i, b)
                    high -= must_be(state, i, b)
                else:
                    low += must_be(state, i, b)
                    high += may_be(state, i, b)
                changed = tighten(state, row, b, low, high) or changed
            changed = narrow_sum(state, row, total) or changed
            before = row
    return changed


@rule
def narrow_sum(state: State, row: int, total: int) -> bool:
    """What the sum of a row's assets says of each."""
    changed = False
    for b in range(ASSETS):
        low = total
        high = total
        for c in range(ASSETS):
            if c != b:
                low -= state.ceiling[row, c]
                high -= state.floor[row, c]
        changed = tighten(state, row, b, low, high) or changed
    return changed


@rule
def narrow_columns(state: State, thefts: int) -> bool:
    """What so many thefts have brought one seat they took from the others: the flows of an asset add up to 0."""
    changed = False
    for b in range(ASSETS):
        low = 0
        high = 0
        for seat in range(PLAYERS):
            row = last_row(state, seat, thefts)
            if row >= 0:
                low += state.floor[row, b]
                high += state.ceiling[row, b]
        for seat in range(PLAYERS):
            row = last_row(state, seat, thefts)
            if row >= 0:  # the others at their most, at their least
                least = state.ceiling[row, b] - high
                most = state.floor[row, b] - low
                changed = tighten(state, row, b, least, most) or changed
    return changed


@rule
def narrow_backward(state: State, seat: int) -> bool:
    """From each row of a seat to the one before."""
    changed = False
    after = -1
    for k in range(state.thefts):
        i = state.thefts - 1 - k
        if involves(state, i, seat):
            row = 2 * i + int(state.victim[i] == seat)
            if after >= 0:
                for b in range(ASSETS):
                    low = state.floor[after, b]
                    high = state.ceiling[after, b]
                    if after % 2:
                        low += must_be(state, after // 2, b)
                        high += may_be(state, after // 2, b)
                    else:
                        low -= may_be(state, after // 2, b)
                        high -= must_be(state, after // 2, b)
                    changed = tighten(state, row, b, low, high) or changed
            after = row
    return changed


@rule
def narrow_theft(state: State, i: int) -> bool:
    """Take types that do not fit the rows from theft `i`; keep only one that the rows demand."""
    could = state.could[i]
    for b in range(ASSETS):
        if (could >> b) & 1:
            if not rows_allow(state, i, b, 1):
                could &= ~(1 << b)
            elif not rows_allow(state, i, b, 0):
                could = 1 << b
    if could == state.could[i]:
        return False
    state.could[i] = could
    return True


@rule
def rows_allow(state: State, i: int, b: int, taken: int) -> bool:
    """Whether the rows before and after theft `i` leave room for it to have taken `b` (1) or not (0)."""
    for victim in range(2):
        seat = state.victim[i] if victim else state.thief[i]
        row = last_row(state, seat, i)
        low = state.floor[row, b] if row >= 0 else 0
        high = state.ceiling[row, b] if row >= 0 else 0
        step = -taken if victim else taken
        if max(low + step, state.floor[2 * i + victim, b]) > min(high + step, state.ceiling[2 * i + victim, b]):
            return False
    return True


@rule
def is_known(state: State, seat: int) -> bool:
    """Whether everybody knows a hand."""
    for a in range(ASSETS):
        if state.low[seat, a] != state.high[seat, a]:
            return False
    return True


@rule
def bound_hands(state: State) -> None:
    """`low` and `high` by the last row of every seat; a hand that no open theft has touched is known."""
    for seat in range(PLAYERS):
        row = last_row(state, seat, state.thefts)
        for b in range(ASSETS):
            state.low[seat, b] = state.known[seat, b] + (state.floor[row, b] if row >= 0 else 0)
            state.high[seat, b] = state.known[seat, b] + (state.ceiling[row, b] if row >= 0 else 0)


# ---------------------------------------------------------------- thefts that are open no longer


@rule
def single(bits: int) -> int:
    """The number of the only bit set, or -1."""
    for b in range(ASSETS):
        if bits == 1 << b:
            return b
    return -1


@rule
def settle_certain(state: State) -> None:
    """Settle the thefts whose type is certain and whose likelihood says nothing."""
    i = 0
    while i < state.thefts:
        a = single(state.could[i])
        row = last_row(state, state.victim[i], i)
        if a >= 0 and (row < 0 or state.floor[row, a] == state.ceiling[row, a]):
            settle(state, i, a)
            i = 0
        else:
            i += 1


@rule
def settle(state: State, i: int, a: int) -> None:
    """Theft `i` took `a`, as all know: it becomes part of `known` and leaves the list."""
    thief = state.thief[i]
    victim = state.victim[i]
    drop_theft(state, i)
    rebase(state, thief, a, 1, i)
    rebase(state, victim, a, -1, i)


@rule
def rebase(state: State, seat: int, a: int, cards: int, first: int) -> None:
    """A flow of `cards` into a hand becomes part of `known`: for the thefts from `first` on, it has come before."""
    state.known[seat, a] += cards
    for j in range(first, state.thefts):
        if state.thief[j] == seat:
            state.floor[2 * j, a] -= cards
            state.ceiling[2 * j, a] -= cards
        elif state.victim[j] == seat:
            state.floor[2 * j + 1, a] -= cards
            state.ceiling[2 * j + 1, a] -= cards
            state.seen[j, a] += cards


@rule
def drop_theft(state: State, i: int) -> None:
    """Take theft `i` off the list."""
    state.thefts -= 1
    for j in range(i, state.thefts):
        copy_theft(state, j + 1, j)
    clear_theft(state, state.thefts)


@rule
def settle_hands(state: State) -> None:
    """Where the hands of all who have stolen from one another were certain at some time, the thefts before are history."""
    k = state.thefts - 1
    while k >= 0:
        seats = tied_to(state, k)
        if certain_after(state, k, seats):
            for seat in range(PLAYERS):
                row = last_row(state, seat, k + 1)
                if (seats >> seat) & 1:
                    for a in range(ASSETS):
                        rebase(state, seat, a, state.floor[row, a], k + 1)
            for j in range(k, -1, -1):
                if (seats >> state.thief[j]) & 1:
                    drop_theft(state, j)
            k = state.thefts
        k -= 1


@rule
def tied_to(state: State, k: int) -> int:
    """The seats (bits) that thefts 0 to `k` tie to those of theft `k`."""
    seats = 0
    more = (1 << state.thief[k]) | (1 << state.victim[k])
    while seats != more:
        seats = more
        for j in range(k):
            pair = (1 << state.thief[j]) | (1 << state.victim[j])
            if seats & pair:
                more |= pair
    return seats


@rule
def certain_after(state: State, k: int, seats: int) -> bool:
    """Whether all know what these seats held after theft `k`."""
    for seat in range(PLAYERS):
        if (seats >> seat) & 1:
            row = last_row(state, seat, k + 1)
            for a in range(ASSETS):
                if state.floor[row, a] != state.ceiling[row, a]:
                    return False
    return True


@rule
def copy_theft(state: State, i: int, to: int) -> None:
    """Copy an entry of the list."""
    state.thief[to] = state.thief[i]
    state.victim[to] = state.victim[i]
    state.loot[to] = state.loot[i]
    state.could[to] = state.could[i]
    for b in range(ASSETS):
        state.seen[to, b] = state.seen[i, b]
        for k in range(2):
            state.floor[2 * to + k, b] = state.floor[2 * i + k, b]
            state.ceiling[2 * to + k, b] = state.ceiling[2 * i + k, b]


@rule
def clear_theft(state: State, i: int) -> None:
    """Blank an unused entry, so that equal games have equal records."""
    state.thief[i] = 0
    state.victim[i] = 0
    state.loot[i] = 0
    state.could[i] = 0
    for b in range(ASSETS):
        state.seen[i, b] = 0
        for k in range(2):
            state.floor[2 * i + k, b] = 0
            state.ceiling[2 * i + k, b] = 0


# ---------------------------------------------------------------- more thefts than can be remembered


@rule
def forget(state: State) -> None:
    """Forget the open thefts: of every hand only the bounds stay."""
    for i in range(state.thefts):
        clear_theft(state, i)
    state.thefts = 0
    state.blurred = 1
    for seat in range(PLAYERS):
        for b in range(ASSETS):
            state.known[seat, b] = 0
            for player in range(PLAYERS):
                state.own_low[player, seat, b] = 0
                state.own_high[player, seat, b] = 0


@rule
def blur_theft(state: State, thief: int, victim: int, could: int) -> None:
    """A theft while thefts are forgotten: the bounds of both hands give way, or move if there is only one type."""
    sure = single(could)
    for b in range(ASSETS):
        if (could >> b) & 1:
            state.low[victim, b] = max(0, state.low[victim, b] - 1)
            state.high[thief, b] += 1
            if b == sure:
                state.high[victim, b] -= 1
                state.low[thief, b] += 1


@rule
def sharpen(state: State) -> None:
    """What the hands' sizes, and how many cards of an asset are out, say of their bounds; certain hands are `known` anew."""
    certain = True
    for seat in range(PLAYERS):
        for b in range(ASSETS):
            low = hand_size(state, seat)
            high = low
            for c in range(ASSETS):
                if c != b:
                    low -= state.high[seat, c]
                    high -= state.low[seat, c]
            out_low = int64(0)
            out_high = int64(0)
            for other in range(PLAYERS):
                out_low += state.hand[other, b]
                out_high += state.hand[other, b]
                if other != seat:
                    out_low -= state.high[other, b]
                    out_high -= state.low[other, b]
            state.low[seat, b] = max(state.low[seat, b], low, out_low)
            state.high[seat, b] = min(state.high[seat, b], high, out_high)
            certain = certain and state.low[seat, b] == state.high[seat, b]
    if certain:
        state.blurred = 0
        for seat in range(PLAYERS):
            for b in range(ASSETS):
                state.known[seat, b] = state.low[seat, b]
