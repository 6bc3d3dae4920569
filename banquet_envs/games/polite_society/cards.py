"""Action cards: the deck, what each card does, step by step."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import seat_after
from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.polite_society.account import hand_size
from banquet_envs.games.polite_society.components import ASSETS, CARDS, IMPROVEMENTS, SEATS, Card
from banquet_envs.games.polite_society.hands import gain, in_bank
from banquet_envs.games.polite_society.state import Phase
from banquet_envs.games.polite_society.tables import draw_guest, guests_at, has_well_guest, seat_guest

# ---------------------------------------------------------------- the deck


@rule
def cards_in(pile: Cells) -> int:
    """How many action cards a pile holds, counted by kind."""
    count = 0
    for card in range(CARDS):
        count += pile[card]
    return count


@rule
def deck_size(state: State) -> int:
    """Action cards in the pile."""
    return cards_in(state.deck)


@rule
def draw_card(state: State) -> int:
    """The top action card; an empty pile is made anew from the discards; -1 when there is none."""
    left = deck_size(state)
    if left == 0:
        for card in range(CARDS):
            state.deck[card] += state.discard[card]
            left += state.discard[card]
            state.discard[card] = 0
    if left == 0:
        return -1
    return take_card(state, random_below(state, left))


@rule
def take_card(state: State, pick: int) -> int:
    """The `pick`-th card of the pile, counted by kind."""
    for card in range(CARDS):
        if pick < state.deck[card]:
            state.deck[card] -= 1
            return card
        pick -= state.deck[card]
    return -1


@rule
def draw_two(state: State) -> None:
    """Draw two action cards. A pile of one card is known to all, and so is then one of the two."""
    lone = deck_size(state) == 1
    first = draw_card(state)
    second = draw_card(state)
    state.sure = first if lone else -1
    state.drawn[0] = min(first, second) if second >= 0 else first
    state.drawn[1] = max(first, second) if second >= 0 else -1


@rule
def keep_card(state: State, k: int) -> None:
    """Keep one of the two; the other goes to the discard pile at once (ruling 5)."""
    state.kept = state.drawn[k]
    state.dropped = state.drawn[1 - k]
    if state.dropped >= 0:
        state.discard[state.dropped] += 1
    state.drawn[0] = -1
    state.drawn[1] = -1


@rule
def discard_kept(state: State) -> None:
    """An unplayed card is discarded, improvements too (ruling 6)."""
    if state.kept >= 0:
        state.discard[state.kept] += 1
        state.kept = -1


# ---------------------------------------------------------------- which cards can be played (ruling 33)


@rule
def playable(state: State, rules: Rules, card: int) -> bool:
    """Whether the card can do something in the hand of the active player."""
    if card < Card.WILD_ASSET:
        return in_bank(state, rules, card)
    if card == Card.WILD_ASSET:
        for a in range(ASSETS):
            if in_bank(state, rules, a):
                return True
        return False
    if card == Card.ADD_GUEST:
        return guests_at(state, state.active) < SEATS
    if Card.IMPROVEMENT_SEVEN <= card <= Card.IMPROVEMENT_TRADE:
        return True
    if card == Card.REARRANGE_GUESTS:
        return guests_at(state, state.active) > 0
    for seat in range(rules.players):
        if not state.out[seat] and has_target(state, rules, card, seat):
            return True
    return False


@rule
def has_target(state: State, rules: Rules, card: int, seat: int) -> bool:
    """Whether a card that needs somebody to act on can act on this seat."""
    if card == Card.REMOVE_GUEST:
        return guests_at(state, seat) > 0
    if card == Card.HAND_LIMIT:
        return hand_size(state, seat) > rules.hand_limit
    if card == Card.INDISPOSED:
        return has_well_guest(state, seat) and rules.tokens > 0
    if seat == state.active:
        return False
    if card == Card.STEAL_ASSET:
        return hand_size(state, seat) > 0
    return improvements_of(state, seat) > 0  # Card.STEAL_IMPROVEMENT


@rule
def improvements_of(state: State, seat: int) -> int:
    """How many table improvements a seat owns."""
    count = 0
    for k in range(IMPROVEMENTS):
        count += state.improvement[seat, k]
    return count


# ---------------------------------------------------------------- playing a card


@rule
def play_card(state: State, rules: Rules) -> None:
    """Show the kept card and begin its effect; all but improvements go to the discard pile."""
    card = state.kept
    state.kept = -1
    state.sure = -1
    if Card.IMPROVEMENT_SEVEN <= card <= Card.IMPROVEMENT_TRADE:
        state.improvement[state.active, card - Card.IMPROVEMENT_SEVEN] += 1
        return
    state.discard[card] += 1
    if card < Card.WILD_ASSET:
        gain(state, rules, state.active, card - Card.TWO_ASSETS, 2)
    elif card == Card.ADD_GUEST:
        add_guest(state, rules)
    elif card == Card.HAND_LIMIT:
        state.playing = card
        state.target = state.active
        next_discard(state, rules)
    elif card == Card.REARRANGE_GUESTS:
        state.playing = card
        lift_guests(state)
    else:
        state.playing = card
        state.phase = first_step(card)


@rule
def first_step(card: int) -> int:
    """What the active player decides first."""
    if card == Card.WILD_ASSET:
        return Phase.WILD_ASSET
    if card == Card.REMOVE_GUEST:
        return Phase.REMOVE_PLAYER
    if card == Card.STEAL_ASSET:
        return Phase.STEAL_FROM
    if card == Card.STEAL_IMPROVEMENT:
        return Phase.IMPROVEMENT_FROM
    return Phase.TOKEN_FROM  # Card.INDISPOSED


@rule
def card_done(state: State) -> None:
    """Back to the main phase."""
    state.playing = -1
    state.target = -1
    state.player = state.active
    state.phase = Phase.MAIN


@rule
def roll(state: State, dice: Cells) -> int:
    """Roll both dice; their total."""
    dice[0] = 1 + random_below(state, 6)
    dice[1] = 1 + random_below(state, 6)
    return dice[0] + dice[1]


@rule
def pay_improvements(state: State, rules: Rules) -> None:
    """A 7: one asset for each improvement that says so, from the active player clockwise."""
    for k in range(rules.players):
        seat = seat_after(rules, state.active, k)
        if not state.out[seat]:
            for a in range(ASSETS):
                gain(state, rules, seat, a, state.improvement[seat, a])


@rule
def add_guest(state: State, rules: Rules) -> None:
    """Add a guest: a roll of its own, which pays nobody (ruling 12); an empty seat gets the top guest for nothing."""
    total = roll(state, state.add_dice)
    s = rules.seat_of[total]
    if s < 0:
        if rules.seven_on_add:
            pay_improvements(state, rules)
    elif state.table[state.active, s] < 0:
        g = draw_guest(state, rules)
        if g >= 0:
            seat_guest(state, state.active, s, g)
            state.filled = state.points[state.active] == SEATS


@rule
def next_discard(state: State, rules: Rules) -> None:
    """Hand limit: from the active player clockwise, whoever holds too many discards one card at a time (ruling 15)."""
    while hand_size(state, state.target) <= rules.hand_limit or state.out[state.target]:
        state.target = (state.target + 1) % rules.players
        if state.target == state.active:
            card_done(state)
            return
    state.player = state.target
    state.phase = Phase.DISCARD


@rule
def lift_guests(state: State) -> None:
    """Rearrange: all guests leave their seats, tokens with them, to be reseated in the order of their old seats."""
    count = 0
    me = state.active
    for s in range(SEATS):
        if state.table[me, s] >= 0:
            state.lifted[count] = state.table[me, s]
            state.lifted_token[count] = state.token[me, s]
            count += 1
            state.table[me, s] = -1
            state.token[me, s] = 0
    state.phase = Phase.RESEAT


@rule
def reseat(state: State, s: int) -> None:
    """The next lifted guest sits down."""
    me = state.active
    state.table[me, s] = state.lifted[0]
    state.token[me, s] = state.lifted_token[0]
    for k in range(SEATS - 1):
        state.lifted[k] = state.lifted[k + 1]
        state.lifted_token[k] = state.lifted_token[k + 1]
    state.lifted[SEATS - 1] = -1
    state.lifted_token[SEATS - 1] = 0
    if state.lifted[0] < 0:
        card_done(state)


@rule
def place_token(state: State, seat: int, s: int) -> None:
    """Indisposed: the token from the supply, or from the guest it leaves, onto a guest without one (ruling 16)."""
    if state.from_player < 0:
        state.supply -= 1
    else:
        state.token[state.from_player, state.from_seat] = 0
    state.token[seat, s] = 1
    state.from_player = -1
    state.from_seat = -1
    card_done(state)


@rule
def take_improvement(state: State, k: int) -> None:
    """Steal an improvement: it is usable at once (ruling 19)."""
    state.improvement[state.target, k] -= 1
    state.improvement[state.active, k] += 1
    card_done(state)
