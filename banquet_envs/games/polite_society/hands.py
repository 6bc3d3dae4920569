"""Asset cards: the bank, the hands, and what everybody can know of the hands.

Every movement between bank and hands is public, so a seat's hand is known to all but for thefts: only thief and victim
see the type that a Steal an asset card takes. The record keeps, for all seats alike,

* `known`: each hand as it would be without the thefts that are still open;
* the open thefts, in order: thief, victim, `could` (the types that public events leave possible), `seen` (the victim's
  `known` at that moment), and `loot`, the true type;
* `into` and `outof`: per seat and asset, how many open thefts could have brought or taken it;
* `low` and `high`: bounds of each hand that follow its public movements, for no hand was ever negative.

So hand = known + thefts into it - thefts out of it, for the true types and for every other assignment of types that
nobody could tell from the truth. What one seat can know (`bounds`) adds the types of its own thefts.
"""

from __future__ import annotations

from typing import Any

from numpy import int64

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, random_unit
from banquet_envs.games.polite_society.components import ASSETS
from banquet_envs.games.polite_society.state import THEFTS

# ---------------------------------------------------------------- bank and hands


@rule
def hand_size(state: Any, seat: Any) -> Any:
    """How many asset cards a seat holds: public."""
    size = 0
    for a in range(ASSETS):
        size += int64(state.hand[seat, a])
    return size


@rule
def in_bank(state: Any, rules: Any, a: Any) -> Any:
    """Whether the bank can give one of asset `a`."""
    return not rules.limited_bank or state.bank[a] > 0


@rule
def move(state: Any, seat: Any, a: Any, change: Any) -> None:
    """A hand changes in public."""
    state.hand[seat, a] += change
    state.known[seat, a] += change
    state.low[seat, a] = max(0, state.low[seat, a] + change)
    state.high[seat, a] += change


@rule
def gain(state: Any, rules: Any, seat: Any, a: Any, count: Any) -> None:
    """Take up to `count` of an asset from the bank: what is left of it (ruling 10)."""
    count = min(count, int64(state.bank[a])) if rules.limited_bank else int64(count)
    state.bank[a] -= count
    move(state, seat, a, count)


@rule
def pay(state: Any, seat: Any, a: Any, count: Any) -> None:
    """Return `count` of an asset to the bank."""
    state.bank[a] += count
    move(state, seat, a, -count)


@rule
def forfeit(state: Any, seat: Any, a: Any, owed: Any) -> None:
    """Lose up to `owed` of an asset, as far as held (ruling 9). Paying less shows that none is left."""
    paid = min(owed, int64(state.hand[seat, a]))
    pay(state, seat, a, paid)
    if paid < owed:
        state.high[seat, a] = 0


@rule
def give(state: Any, giver: Any, taker: Any, a: Any, count: Any) -> None:
    """Hand over assets in an open trade."""
    move(state, giver, a, -count)
    move(state, taker, a, count)


@rule
def random_card(state: Any, seat: Any) -> Any:
    """The type of a card drawn at random from a hand that is not empty."""
    pick = random_below(state, hand_size(state, seat))
    a = 0
    while pick >= state.hand[seat, a]:
        pick -= state.hand[seat, a]
        a += 1
    return a


@rule
def steal(state: Any, rules: Any, thief: Any, victim: Any) -> None:
    """Steal an asset: uniform over the victim's cards (ruling 14)."""
    a = random_card(state, victim)
    if rules.players == 2:  # both saw it
        give(state, victim, thief, a, int64(1))
    else:
        state.hand[victim, a] -= 1
        state.hand[thief, a] += 1
        open_theft(state, thief, victim, a)


# ---------------------------------------------------------------- what all can know


@rule
def open_theft(state: Any, thief: Any, victim: Any, a: Any) -> None:
    """Note a theft whose type the others do not know."""
    if state.thefts == THEFTS:  # the memory is full: the oldest is told to all
        settle(state, int64(state.thefts) - THEFTS, int64(state.loot[0]))
    i = int64(state.thefts)
    state.thefts += 1
    state.thief[i] = thief
    state.victim[i] = victim
    state.loot[i] = a
    state.could[i] = 0
    for b in range(ASSETS):
        state.seen[i, b] = state.known[victim, b]
        if most_of(state, victim, b) > 0:
            state.could[i] |= 1 << b
            state.low[victim, b] = max(0, state.low[victim, b] - 1)
            state.high[thief, b] += 1
    count_thefts(state)


@rule
def count_thefts(state: Any) -> None:
    """`into` and `outof` of the open thefts."""
    for seat in range(state.into.shape[0]):
        for b in range(ASSETS):
            state.into[seat, b] = 0
            state.outof[seat, b] = 0
    for i in range(state.thefts):
        for b in range(ASSETS):
            if (int64(state.could[i]) >> b) & 1:
                state.into[state.thief[i], b] += 1
                state.outof[state.victim[i], b] += 1


@rule
def settle(state: Any, i: Any, a: Any) -> None:
    """All know that theft `i` took `a`: it becomes part of `known` and leaves the list."""
    thief = int64(state.thief[i])
    victim = int64(state.victim[i])
    state.known[thief, a] += 1
    state.known[victim, a] -= 1
    state.thefts -= 1
    for j in range(i, state.thefts):
        state.thief[j] = state.thief[j + 1]
        state.victim[j] = state.victim[j + 1]
        state.loot[j] = state.loot[j + 1]
        state.could[j] = state.could[j + 1]
        for b in range(ASSETS):
            state.seen[j, b] = state.seen[j + 1, b]
        if state.victim[j] == thief:
            state.seen[j, a] += 1
        elif state.victim[j] == victim:
            state.seen[j, a] -= 1
    clear_theft(state, int64(state.thefts))
    count_thefts(state)


@rule
def clear_theft(state: Any, i: Any) -> None:
    """Blank an unused entry, so that equal games have equal records."""
    state.thief[i] = 0
    state.victim[i] = 0
    state.loot[i] = 0
    state.could[i] = 0
    for b in range(ASSETS):
        state.seen[i, b] = 0


@rule
def most_of(state: Any, seat: Any, a: Any) -> Any:
    """No more than this of an asset, for all that is public."""
    return min(int64(state.known[seat, a]) + inflow(state, seat, a), int64(state.high[seat, a]))


@rule
def inflow(state: Any, seat: Any, a: Any) -> Any:
    """How many of an asset open thefts can have brought: from each victim no more than it can have lost."""
    total = int64(0)
    if state.into[seat, a] > 0:
        for victim in range(int64(state.into.shape[0])):
            if state.outof[victim, a] == 0:
                continue
            count = int64(0)
            for i in range(state.thefts):
                if state.thief[i] == seat and state.victim[i] == victim:
                    count += (int64(state.could[i]) >> a) & 1
            if count > 0:
                lost = int64(state.known[victim, a]) + int64(state.into[victim, a]) - int64(state.low[victim, a])
                total += min(count, max(0, lost))
    return total


@rule
def least_of(state: Any, seat: Any, a: Any) -> Any:
    """No less than this."""
    return max(int64(state.known[seat, a]) - int64(state.outof[seat, a]), int64(state.low[seat, a]))


@rule
def narrowest(state: Any, seat: Any, a: Any) -> Any:
    """Both, with what the hand's size says of the other assets."""
    least = hand_size(state, seat)
    most = least
    for b in range(ASSETS):
        if b != a:
            least -= most_of(state, seat, b)
            most -= least_of(state, seat, b)
    return max(least, least_of(state, seat, a)), min(most, most_of(state, seat, a))


@rule
def learn(state: Any) -> None:
    """Draw the public conclusions about the open thefts."""
    changed = state.thefts > 0
    while changed:
        changed = False
        i = int64(0)
        while i < state.thefts:
            before = int64(state.could[i])
            narrow(state, i)
            changed = changed or state.could[i] != before
            only = single(int64(state.could[i]))
            if only >= 0:
                settle(state, i, only)
                changed = True
            else:
                i += 1


@rule
def single(bits: Any) -> Any:
    """The number of the only bit set, or -1."""
    for b in range(ASSETS):
        if bits == 1 << b:
            return b
    return -1


@rule
def narrow(state: Any, i: Any) -> None:
    """Take types that have become impossible from theft `i`, the others being whatever suits best."""
    thief = int64(state.thief[i])
    victim = int64(state.victim[i])
    could = int64(state.could[i])
    for b in range(ASSETS):
        if (could >> b) & 1:
            thief_least, thief_most = narrowest(state, thief, b)
            victim_least, victim_most = narrowest(state, victim, b)
            if (
                int64(state.known[victim, b]) + int64(state.into[victim, b]) - 1 < victim_least
                or int64(state.known[thief, b]) - int64(state.outof[thief, b]) + 1 > thief_most
            ):
                could &= ~(1 << b)
            elif (
                int64(state.known[thief, b]) + int64(state.into[thief, b]) - 1 < thief_least
                or int64(state.known[victim, b]) - int64(state.outof[victim, b]) + 1 > victim_most
            ):
                could = 1 << b
    if could != state.could[i]:
        state.could[i] = could
        count_thefts(state)


# ---------------------------------------------------------------- what one seat can know


@rule
def involves(state: Any, i: Any, player: Any) -> Any:
    """Whether the player saw the type of theft `i`."""
    return state.thief[i] == player or state.victim[i] == player


@rule
def touched(state: Any, seat: Any) -> Any:
    """Whether an open theft has touched a hand: else all know it."""
    for i in range(state.thefts):
        if involves(state, i, seat):
            return True
    return False


@rule
def own_view(state: Any, player: Any, seat: Any, a: Any) -> Any:
    """Least and most of one asset in a hand, from public events and the player's own thefts."""
    base = int64(state.known[seat, a])
    into = int64(state.into[seat, a])
    outof = int64(state.outof[seat, a])
    for i in range(state.thefts):
        if involves(state, i, player):
            took = 1 if state.loot[i] == a else 0
            counted = (int64(state.could[i]) >> a) & 1
            if state.thief[i] == seat:
                base += took
                into -= counted
            elif state.victim[i] == seat:
                base -= took
                outof -= counted
    return max(base - outof, int64(state.low[seat, a])), min(base + into, int64(state.high[seat, a]))


@rule
def bounds(state: Any, player: Any, seat: Any, a: Any) -> Any:
    """Least and most of asset `a` in a seat's hand, as far as `player` can know."""
    if seat == player or not touched(state, seat):
        return int64(state.hand[seat, a]), int64(state.hand[seat, a])
    least, most = own_view(state, player, seat, a)
    size = hand_size(state, seat)
    other_least = 0
    other_most = 0
    for b in range(ASSETS):
        if b != a:
            low, high = own_view(state, player, seat, b)
            other_least += low
            other_most += high
    return max(least, size - other_most), min(most, size - other_least)


# ---------------------------------------------------------------- sampling the hands


@rule
def resample_hands(state: Any, rules: Any, player: Any) -> None:
    """Sample the types of the open thefts that `player` did not see, each in proportion to the victim's cards then.

    Samples that contradict what is public are thrown away. When fifty have been, a walk through assignments that do fit
    replaces them; it starts from the true one and stays in proportion (a Metropolis walk).
    """
    fits = False
    tries = 0
    while not fits and tries < 50:
        fits = guess_thefts(state, player) and hands_fit(state, rules)
        tries += 1
    if not fits:
        for i in range(state.thefts):
            state.guess[i] = state.loot[i]
        for _ in range(30 * state.thefts):
            walk(state, rules, player)
    for i in range(state.thefts):
        change_loot(state, i, int64(state.guess[i]))
        state.guess[i] = 0


@rule
def victims_hand(state: Any, i: Any, a: Any) -> Any:
    """How many of `a` the victim of theft `i` held, by the guesses for the thefts before it."""
    count = int64(state.seen[i, a])
    for j in range(i):
        if state.guess[j] == a:
            if state.thief[j] == state.victim[i]:
                count += 1
            elif state.victim[j] == state.victim[i]:
                count -= 1
    return count


@rule
def guess_thefts(state: Any, player: Any) -> Any:
    """Guess every theft in order; False when one has nothing to take."""
    for i in range(state.thefts):
        state.guess[i] = state.loot[i]
        if not involves(state, i, player):
            state.guess[i] = guess_theft(state, i)
        if state.guess[i] < 0 or victims_hand(state, i, int64(state.guess[i])) < 1:
            return False
    return True


@rule
def guess_theft(state: Any, i: Any) -> Any:
    """A type for theft `i`, in proportion to the victim's cards at that time; -1 when there is none."""
    total = 0
    for a in range(ASSETS):
        if (int64(state.could[i]) >> a) & 1:
            total += max(0, victims_hand(state, i, a))
    if total == 0:
        return -1
    pick = random_below(state, total)
    for a in range(ASSETS):
        if (int64(state.could[i]) >> a) & 1:
            pick -= max(0, victims_hand(state, i, a))
            if pick < 0:
                return a
    return -1


@rule
def guessed_hand(state: Any, seat: Any, a: Any) -> Any:
    """What a seat holds now by the guesses."""
    count = int64(state.known[seat, a])
    for i in range(state.thefts):
        if state.guess[i] == a:
            if state.thief[i] == seat:
                count += 1
            elif state.victim[i] == seat:
                count -= 1
    return count


@rule
def hands_fit(state: Any, rules: Any) -> Any:
    """Whether the guesses leave every hand within its public bounds."""
    for seat in range(int64(rules.players)):
        for a in range(ASSETS):
            held = guessed_hand(state, seat, a)
            if held < state.low[seat, a] or held > state.high[seat, a]:
                return False
    return True


# ---------------------------------------------------------------- what a hand may be, for all that is public


@rule
def may_hold(state: Any, rules: Any, seat: Any, needs: Any) -> Any:
    """Whether a hand can be, for all that everybody knows, at least `needs`: four counts, five bits each.

    With up to five open thefts every assignment of types is tried; with more, only the bounds are asked.
    """
    if not touched(state, seat):
        return holds(state, seat, needs)
    for a in range(ASSETS):
        _, most = narrowest(state, seat, a)
        if most < (needs >> (5 * a)) & 31:
            return False
    if state.thefts > 5:
        return True
    found = False
    for code in range(1 << (2 * int64(state.thefts))):
        if not found:
            for i in range(state.thefts):
                state.guess[i] = (code >> (2 * i)) & 3
            found = covers(state, seat, needs) and guesses_fit(state, rules)
    for i in range(state.thefts):
        state.guess[i] = 0
    return found


@rule
def holds(state: Any, seat: Any, needs: Any) -> Any:
    """Whether a hand is at least `needs`."""
    for a in range(ASSETS):
        if state.hand[seat, a] < (needs >> (5 * a)) & 31:
            return False
    return True


@rule
def covers(state: Any, seat: Any, needs: Any) -> Any:
    """Whether the guessed hand is at least `needs`."""
    for a in range(ASSETS):
        if guessed_hand(state, seat, a) < (needs >> (5 * a)) & 31:
            return False
    return True


@rule
def guesses_fit(state: Any, rules: Any) -> Any:
    """Whether every guess was possible in its turn, and the hands are now."""
    for i in range(state.thefts):
        a = int64(state.guess[i])
        if not (int64(state.could[i]) >> a) & 1 or victims_hand(state, i, a) < 1:
            return False
    return hands_fit(state, rules)


@rule
def weight_after(state: Any, i: Any) -> Any:
    """The product of the victims' cards of the guessed types, over the thefts from `i` on; 0 when one is impossible."""
    weight = 1.0
    for j in range(i, state.thefts):
        weight *= max(0, victims_hand(state, j, int64(state.guess[j])))
    return weight


@rule
def walk(state: Any, rules: Any, player: Any) -> None:
    """One step: another type for a random theft, or two thefts exchange theirs; kept in proportion."""
    i = random_below(state, state.thefts)
    j = random_below(state, state.thefts)
    if involves(state, i, player) or involves(state, j, player):
        return
    old_i = int64(state.guess[i])
    old_j = int64(state.guess[j])
    before = weight_after(state, min(i, j))
    if i == j:
        state.guess[i] = random_below(state, ASSETS)
    else:
        state.guess[i] = old_j
        state.guess[j] = old_i
    allowed = (int64(state.could[i]) >> int64(state.guess[i])) & (int64(state.could[j]) >> int64(state.guess[j])) & 1
    after = weight_after(state, min(i, j)) if allowed == 1 and hands_fit(state, rules) else 0.0
    if random_unit(state) * before >= after:
        state.guess[i] = old_i
        state.guess[j] = old_j


@rule
def change_loot(state: Any, i: Any, a: Any) -> None:
    """Let theft `i` have taken `a`, and the hands follow."""
    old = int64(state.loot[i])
    state.hand[state.thief[i], old] -= 1
    state.hand[state.victim[i], old] += 1
    state.hand[state.thief[i], a] += 1
    state.hand[state.victim[i], a] -= 1
    state.loot[i] = a
