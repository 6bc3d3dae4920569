"""Menu cards on the move: drawing, discard piles, reshuffling, and what a seat cannot know about them."""

from __future__ import annotations

from typing import Any

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, shuffle
from banquet_envs.games.banquet_royal.board import has_bit
from banquet_envs.games.banquet_royal.components import HAND, MENUS, VALUES
from banquet_envs.games.banquet_royal.state import EMPTY, HIDDEN, ON_PILE, VALIDATED


@rule
def fill_decks(state: Any, rules: Any) -> None:
    """Setup, step 3: three shuffled decks by value."""
    state.deck[:, :] = EMPTY
    for c in range(rules.menus):
        add_to_deck(state, rules.value[c] - 1, c)
    for v in range(VALUES):
        shuffle(state, state.deck[v], state.deck_size[v])


@rule
def add_to_deck(state: Any, v: Any, card: Any) -> None:
    """Put a card on top of the deck with index `v`."""
    state.deck[v, state.deck_size[v]] = card
    state.deck_size[v] += 1


@rule
def draw(state: Any, rules: Any, seat: Any, s: Any, v: Any) -> None:
    """Draw the top card of deck `v` into the seat's hand slot `s`; an emptied deck is renewed at once (ruling 16)."""
    state.deck_size[v] -= 1
    state.hand[seat, s] = state.deck[v, state.deck_size[v]]
    state.deck[v, state.deck_size[v]] = EMPTY
    state.slot_value[seat, s] = v
    state.ruled_out[seat, s] = 0
    if state.deck_size[v] == 0:
        reshuffle(state, rules, v)


@rule
def reshuffle(state: Any, rules: Any, v: Any) -> None:
    """Shuffle the discard pile into a new deck."""
    state.epochs[v] += 1
    for c in range(rules.menus):
        if rules.value[c] == v + 1 and state.seen[c] == ON_PILE:
            state.seen[c] = HIDDEN
            state.epoch[c] = state.epochs[v]
            add_to_deck(state, v, c)
    shuffle(state, state.deck[v], state.deck_size[v])


@rule
def to_pile(state: Any, rules: Any, card: Any) -> None:
    """Put a card face up on the discard pile of its value; where the deck is empty it becomes the deck (ruling 28)."""
    v = rules.value[card] - 1
    state.seen[card] = ON_PILE
    if state.deck_size[v] == 0:
        reshuffle(state, rules, v)


@rule
def pile_size(state: Any, rules: Any, v: Any) -> Any:
    """Cards on the discard pile with index `v`."""
    count = 0
    for c in range(rules.menus):
        if rules.value[c] == v + 1 and state.seen[c] == ON_PILE:
            count += 1
    return count


@rule
def decks_with_cards(state: Any) -> Any:
    """How many decks can be drawn from."""
    count = 0
    for v in range(VALUES):
        if state.deck_size[v] > 0:
            count += 1
    return count


@rule
def first_short_slot(state: Any, seat: Any) -> Any:
    """The first empty hand slot, -1 if the hand is full."""
    for s in range(HAND):
        if state.hand[seat, s] < 0:
            return s
    return -1


@rule
def menus_validated(state: Any, rules: Any, seat: Any) -> Any:
    """How many menus lie validated in front of the seat."""
    count = 0
    for c in range(rules.menus):
        if state.seen[c] == VALIDATED + seat:
            count += 1
    return count


# ---------------------------------------------------------------- what a seat cannot know


@rule
def resample_menus(state: Any, rules: Any, player: Any) -> None:
    """Deal the cards that `player` cannot see anew, over the others' hands and the decks.

    Cards are exchanged only among those that everybody could mistake for each other: same value, and in their deck
    since the same reshuffle.
    """
    for v in range(VALUES):
        for epoch in range(state.epochs[v] + 1):
            resample_class(state, rules, player, v, epoch)


@rule
def in_class(state: Any, rules: Any, card: Any, v: Any, epoch: Any) -> Any:
    """Whether a card (not -1) has this value and went into its deck with this reshuffle."""
    return card >= 0 and rules.value[card] == v + 1 and state.epoch[card] == epoch


@rule
def resample_class(state: Any, rules: Any, player: Any, v: Any, epoch: Any) -> None:
    """Deal one class of cards anew; uniform over the deals that fit what is known about each slot."""
    pool = 0
    for seat in range(rules.players):
        for s in range(HAND):
            if seat != player and in_class(state, rules, state.hand[seat, s], v, epoch):
                pool |= 1 << int(state.hand[seat, s])
    for k in range(state.deck_size[v]):
        if in_class(state, rules, state.deck[v, k], v, epoch):
            pool |= 1 << int(state.deck[v, k])
    if pool == 0:
        return
    picks = 0
    for _ in range(2000):  # the true deal fits, so a fitting one is found; were it not, the cards would stay
        picks = try_deal(state, rules, player, v, epoch, pool)
        if picks >= 0:
            break
    if picks >= 0:
        deal_picks(state, rules, player, v, epoch, pool, picks)


@rule
def try_deal(state: Any, rules: Any, player: Any, v: Any, epoch: Any, pool: Any) -> Any:
    """A card for each of the others' slots of the class, six bits each; -1 when two slots got the same.

    A slot that something is known about draws from all cards it may be, so that every fitting deal is equally likely.
    """
    free = any_ruled_out(state, rules, player, v, epoch, pool)
    left = pool
    picks = 0
    shift = 0
    for seat in range(rules.players):
        for s in range(HAND):
            if seat != player and in_class(state, rules, state.hand[seat, s], v, epoch):
                card = random_bit(state, pool & ~state.ruled_out[seat, s] if free else left)
                if not has_bit(left, card):
                    return -1
                left &= ~(1 << int(card))
                picks |= int(card) << shift
                shift += 6
    return picks


@rule
def any_ruled_out(state: Any, rules: Any, player: Any, v: Any, epoch: Any, pool: Any) -> Any:
    """Whether some card of the pool is ruled out for some slot of the class."""
    for seat in range(rules.players):
        for s in range(HAND):
            if seat != player and in_class(state, rules, state.hand[seat, s], v, epoch):
                if pool & state.ruled_out[seat, s] != 0:
                    return True
    return False


@rule
def random_bit(state: Any, mask: Any) -> Any:
    """The number of a uniformly chosen set bit; `mask` is not 0."""
    count = 0
    for c in range(MENUS):
        if has_bit(mask, c):
            count += 1
    pick = random_below(state, count)
    for c in range(MENUS):
        if has_bit(mask, c):
            if pick == 0:
                return c
            pick -= 1
    return -1


@rule
def deal_picks(state: Any, rules: Any, player: Any, v: Any, epoch: Any, pool: Any, picks: Any) -> None:
    """Put the picked cards into the slots, the others of the class into the deck, shuffled."""
    left = pool
    shift = 0
    for seat in range(rules.players):
        for s in range(HAND):
            if seat != player and in_class(state, rules, state.hand[seat, s], v, epoch):
                card = (picks >> shift) & 63
                shift += 6
                state.hand[seat, s] = card
                left &= ~(1 << int(card))
    size = 0
    for c in range(MENUS):
        if has_bit(left, c):
            state.deck[v, size] = c
            size += 1
    shuffle(state, state.deck[v], size)
