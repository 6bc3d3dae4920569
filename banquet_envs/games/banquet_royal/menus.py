"""Menu cards on the move: drawing, leaving a hand, discard piles, reshuffling."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.random import shuffle
from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.components import HAND, VALUES
from banquet_envs.games.banquet_royal.state import EMPTY, Seen


@rule
def fill_decks(state: State, rules: Rules) -> None:
    """Setup, step 3: three shuffled decks by value."""
    state.deck[:, :] = EMPTY
    for c in range(rules.menus):
        add_to_deck(state, rules.value[c] - 1, c)
    for v in range(VALUES):
        shuffle(state, state.deck[v], state.deck_size[v])


@rule
def add_to_deck(state: State, v: int, card: int) -> None:
    """Put a card on top of the deck with index `v`."""
    state.deck[v, state.deck_size[v]] = card
    state.deck_size[v] += 1


@rule
def draw(state: State, rules: Rules, seat: int, s: int, v: int) -> None:
    """Draw the top card of deck `v` into the seat's hand slot `s`; an emptied deck is renewed at once (ruling 16)."""
    state.deck_size[v] -= 1
    state.hand[seat, s] = state.deck[v, state.deck_size[v]]
    state.deck[v, state.deck_size[v]] = EMPTY
    state.slot_value[seat, s] = v
    if state.deck_size[v] == 0:
        reshuffle(state, rules, v)


@rule
def take_out(state: State, seat: int, s: int) -> int:
    """Take the card out of the hand slot; whatever comes next is another card, of which nothing is known."""
    card = state.hand[seat, s]
    state.hand[seat, s] = EMPTY
    state.ruled_out[seat, s] = 0
    return card


@rule
def reshuffle(state: State, rules: Rules, v: int) -> None:
    """Shuffle the discard pile into a new deck."""
    state.epochs[v] += 1
    for c in range(rules.menus):
        if rules.value[c] == v + 1 and state.seen[c] == Seen.ON_PILE:
            state.seen[c] = Seen.HIDDEN
            state.epoch[c] = state.epochs[v]
            add_to_deck(state, v, c)
    shuffle(state, state.deck[v], state.deck_size[v])


@rule
def to_pile(state: State, rules: Rules, card: int) -> None:
    """Put a card face up on the discard pile of its value; where the deck is empty it becomes the deck (ruling 28)."""
    v = rules.value[card] - 1
    state.seen[card] = Seen.ON_PILE
    if state.deck_size[v] == 0:
        reshuffle(state, rules, v)


@rule
def pile_size(state: State, rules: Rules, v: int) -> int:
    """Cards on the discard pile with index `v`."""
    count = 0
    for c in range(rules.menus):
        if rules.value[c] == v + 1 and state.seen[c] == Seen.ON_PILE:
            count += 1
    return count


@rule
def decks_with_cards(state: State) -> int:
    """How many decks can be drawn from."""
    count = 0
    for v in range(VALUES):
        if state.deck_size[v] > 0:
            count += 1
    return count


@rule
def first_short_slot(state: State, seat: int) -> int:
    """The first empty hand slot, -1 if the hand is full."""
    for s in range(HAND):
        if state.hand[seat, s] < 0:
            return s
    return -1


@rule
def menus_validated(state: State, rules: Rules, seat: int) -> int:
    """How many menus lie validated in front of the seat."""
    count = 0
    for c in range(rules.menus):
        if state.seen[c] == Seen.VALIDATED + seat:
            count += 1
    return count
