"""Hidden menus: what everybody at the table knows about them, and dealing anew what a seat does not know.

A hidden card shows its value on its back, and everybody saw whether it was drawn before or after its deck was reshuffled:
cards that are alike in both are kin, and nobody can tell them apart from outside. With forced scoring a hand also shows
what it does not hold (`state.ruled_out`). Since no menu exists twice, the hands together may show more: where two cards
have just two menus left to be, no other card is one of these.

A slot is a place in a hand, numbered seat * 3 + place; sets of slots and of menus are bit masks.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, random_unit, shuffle
from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.board import has_bit
from banquet_envs.games.banquet_royal.components import HAND, MENUS, SEATS, VALUES
from banquet_envs.games.banquet_royal.state import Seen

SLOTS = SEATS * HAND
_HAND_SLOTS = (1 << HAND) - 1
_DIGIT = 4  # bits for the block of an element, see `next_partition`


@rule
def size_of(mask: int) -> int:
    """How many bits are set."""
    size = 0
    while mask != 0:
        mask &= mask - 1
        size += 1
    return size


@rule
def kin_of(state: State, rules: Rules, card: int) -> int:
    """The hidden menus that nobody can tell from `card` by its back and the time it was drawn, `card` among them."""
    kin = 0
    for c in range(rules.menus):
        if rules.value[c] == rules.value[card] and state.epoch[c] == state.epoch[card] and state.seen[c] == Seen.HIDDEN:
            kin |= 1 << int(c)
    return kin


@rule
def slots_with(state: State, rules: Rules, menus: int) -> int:
    """The slots whose card is one of these menus."""
    slots = 0
    for seat in range(rules.players):
        for s in range(HAND):
            card = state.hand[seat, s]
            if card >= 0 and has_bit(menus, card):
                slots |= 1 << (seat * HAND + s)
    return slots


@rule
def cards_in(state: State, slots: int) -> int:
    """The menus that these slots hold."""
    cards = 0
    for slot in range(SLOTS):
        if has_bit(slots, slot):
            cards |= 1 << int(state.hand[slot // HAND, slot % HAND])
    return cards


@rule
def not_ruled_out(state: State, pool: int, slots: int) -> int:
    """The menus of the pool that, each slot taken by itself, some of these slots may hold."""
    cards = 0
    for slot in range(SLOTS):
        if has_bit(slots, slot):
            cards |= pool & ~state.ruled_out[slot // HAND, slot % HAND]
    return cards


# ---------------------------------------------------------------- what everybody knows


@rule
def left_for(state: State, pool: int, slots: int, slot: int) -> int:
    """The menus of the pool that `slot` may hold, when every one of `slots` holds another of them.

    Other slots that have only as many menus as they are need them all (Hall's theorem: nothing else can rule one out).
    """
    cards = not_ruled_out(state, pool, 1 << int(slot))
    others = slots & ~(1 << int(slot))
    group = others
    while group != 0:
        needed = not_ruled_out(state, pool, group)
        if size_of(needed) == size_of(group):
            cards &= ~needed
        group = (group - 1) & others
    return cards


@rule
def closed_group(state: State, pool: int, slots: int, slot: int) -> int:
    """The smallest set of slots, `slot` among them, that has only as many menus left as it has slots; 0 if there is none."""
    smallest = 0
    others = slots & ~(1 << int(slot))
    rest = others
    for _ in range(1 << size_of(others)):
        group = rest | 1 << int(slot)
        size = size_of(group)
        if size == size_of(not_ruled_out(state, pool, group)) and (smallest == 0 or size < size_of(smallest)):
            smallest = group
        rest = (rest - 1) & others
    return smallest


@rule
def may_hold(state: State, rules: Rules, seat: int, s: int) -> int:
    """The menus that the card in hand slot `s` may be, for all that everybody at the table knows.

    Two players know more together: where the hands have no menus to spare, each sees its own and so knows the other's.
    """
    pool = kin_of(state, rules, state.hand[seat, s])
    slots = slots_with(state, rules, pool)
    slot = seat * HAND + s
    if rules.players == 2:
        group = closed_group(state, pool, slots, slot)
        if group != 0:
            slots = group & (_HAND_SLOTS << int(seat * HAND))
            pool = cards_in(state, slots)
    return left_for(state, pool, slots, slot) if rules.forced else pool


@rule
def could_hold(state: State, rules: Rules, seat: int, menus: int) -> bool:
    """Whether, for all that everybody knows, the seat may hold one of these menus."""
    for s in range(HAND):
        if state.hand[seat, s] >= 0 and menus & may_hold(state, rules, seat, s) != 0:
            return True
    return False


@rule
def only_slot(state: State, rules: Rules, seat: int, menus: int) -> int:
    """The one slot that holds one of these menus, as everybody knows; -1 where that is not sure."""
    only = -1
    for s in range(HAND):
        if state.hand[seat, s] >= 0:
            cards = may_hold(state, rules, seat, s)
            if cards & menus != 0:
                if only >= 0 or cards & ~menus != 0:
                    return -1
                only = s
    return only


@rule
def in_a_hand(state: State, rules: Rules, card: int) -> bool:
    """Whether a hidden menu is in a hand, as everybody knows: not in its deck, for that was renewed or is empty."""
    v = rules.value[card] - 1
    return state.epoch[card] != state.epochs[v] or state.deck_size[v] == 0


# ---------------------------------------------------------------- what a seat does not know


@rule
def resample_menus(state: State, rules: Rules, player: int) -> None:
    """Deal the cards that `player` cannot see anew, kin among kin, over the others' hands and the decks."""
    for v in range(VALUES):
        for epoch in range(state.epochs[v] + 1):
            resample_kin(state, rules, player, v, epoch)


@rule
def hidden_kin(state: State, rules: Rules, v: int, epoch: int) -> int:
    """The hidden menus with this value that came into their deck with this reshuffle."""
    kin = 0
    for c in range(rules.menus):
        if rules.value[c] == v + 1 and state.epoch[c] == epoch and state.seen[c] == Seen.HIDDEN:
            kin |= 1 << int(c)
    return kin


@rule
def resample_kin(state: State, rules: Rules, player: int, v: int, epoch: int) -> None:
    """Deal the kin of one class anew: every deal that fits what is known about the slots is equally likely.

    Slots about which something is known come first, each card weighted by the deals that it leaves to the other ones.
    """
    pool = hidden_kin(state, rules, v, epoch)
    slots = slots_with(state, rules, pool)
    own = slots & (_HAND_SLOTS << int(player * HAND))
    pool &= ~cards_in(state, own)
    slots &= ~own
    known = slots_known(state, pool, slots)
    free = slots & ~known
    for slot in range(SLOTS):
        if has_bit(known, slot):
            known &= ~(1 << slot)
            pool = deal_to(state, pool, slot, fair_card(state, pool, slot, known))
    for slot in range(SLOTS):
        if has_bit(free, slot):
            pool = deal_to(state, pool, slot, random_bit(state, pool))
    if epoch == state.epochs[v]:
        fill_deck(state, v, pool)


@rule
def slots_known(state: State, pool: int, slots: int) -> int:
    """Those of the slots for which some menu of the pool is ruled out."""
    known = 0
    for slot in range(SLOTS):
        if has_bit(slots, slot) and pool & state.ruled_out[slot // HAND, slot % HAND] != 0:
            known |= 1 << slot
    return known


@rule
def deal_to(state: State, pool: int, slot: int, card: int) -> int:
    """Put a card of the pool into the slot; the pool without it."""
    state.hand[slot // HAND, slot % HAND] = card
    return pool & ~(1 << int(card))


@rule
def fill_deck(state: State, v: int, pool: int) -> None:
    """The deck with index `v`, shuffled, from the cards of the pool."""
    size = 0
    for c in range(MENUS):
        if has_bit(pool, c):
            state.deck[v, size] = c
            size += 1
    shuffle(state, state.deck[v], size)


@rule
def random_bit(state: State, mask: int) -> int:
    """The number of a uniformly chosen set bit; `mask` is not 0."""
    pick = random_below(state, size_of(mask))
    chosen = 0
    for c in range(MENUS):
        if has_bit(mask, c):
            if pick == 0:
                chosen = c
            pick -= 1
    return chosen


@rule
def fair_card(state: State, pool: int, slot: int, others: int) -> int:
    """A random card of the pool for `slot`, each as likely as there are ways to give the other slots theirs then."""
    fitting = not_ruled_out(state, pool, 1 << int(slot))
    total = 0
    for c in range(MENUS):
        if has_bit(fitting, c):
            total += deals(state, pool & ~(1 << c), others)
    pick = random_unit(state) * total
    chosen = 0
    for c in range(MENUS):
        if has_bit(fitting, c) and pick >= 0:
            ways = deals(state, pool & ~(1 << c), others)
            if ways > 0:
                chosen = c
            pick -= ways
    return chosen


@rule
def deals(state: State, pool: int, slots: int) -> int:
    """In how many ways each of the slots can hold another menu of the pool, none that is ruled out for it.

    By inclusion and exclusion over the partitions of the slots (Rota's Möbius function): slots in one block hold the same.
    """
    total = 0
    partition = 0
    while partition >= 0:
        total += alike_in_blocks(state, pool, slots, partition)
        partition = next_partition(partition, size_of(slots))
    return total


@rule
def alike_in_blocks(state: State, pool: int, slots: int, partition: int) -> int:
    """The term of one partition: (-1)^(b - 1) (b - 1)! for each block of b slots, times the menus that all of it may hold."""
    product = 1
    block = 0
    size = 1
    while size > 0 and block < SLOTS:
        size = 0
        common = pool
        k = 0
        for slot in range(SLOTS):
            if has_bit(slots, slot):
                if digit(partition, k) == block:
                    common &= ~state.ruled_out[slot // HAND, slot % HAND]
                    product *= -size if size > 0 else 1
                    size += 1
                k += 1
        if size > 0:
            product *= size_of(common)
        block += 1
    return product


@rule
def digit(partition: int, k: int) -> int:
    """The block of the element `k`."""
    return (partition >> (_DIGIT * k)) & ((1 << _DIGIT) - 1)


@rule
def next_partition(partition: int, n: int) -> int:
    """The partition of `n` elements after this one, -1 after the last.

    `_DIGIT` bits an element give its block; each block's number is at most one above those of the elements before it.
    """
    for k in range(n - 1, 0, -1):
        highest = 0
        for j in range(k):
            highest = max(highest, digit(partition, j))
        if digit(partition, k) <= highest:
            before = partition & ((1 << (_DIGIT * k)) - 1)
            return before + ((digit(partition, k) + 1) << (_DIGIT * k))
    return -1
