"""What one seat can know of the hands: the public account, and the types of the thefts that it saw itself."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules, State
from banquet_envs.games.polite_society.account import conclude, involves, is_known, may_be, sharpen
from banquet_envs.games.polite_society.components import ASSETS, PLAYERS


@rule
def learn(state: State, rules: Rules) -> None:
    """Draw the conclusions from what has been seen, for all and for each seat."""
    if state.blurred:
        sharpen(state)
    elif state.fresh:
        state.fresh = 0
        conclude(state)
        bound_views(state, rules)


@rule
def has_seen(state: State, player: int) -> bool:
    """Whether a player was part of an open theft: else it knows what all know."""
    for i in range(state.thefts):
        if involves(state, i, player):
            return True
    return False


@rule
def bounds(state: State, player: int, seat: int, a: int) -> tuple[int, int]:
    """Least and most of asset `a` in a seat's hand that `player` can rule out neither by public events nor by its own."""
    if seat == player or is_known(state, seat):
        return state.hand[seat, a], state.hand[seat, a]
    if not has_seen(state, player):
        return state.low[seat, a], state.high[seat, a]
    known = state.known[seat, a]
    return known + state.own_low[player, seat, a], known + state.own_high[player, seat, a]


# ---------------------------------------------------------------- bounds of the flow, theft after theft


@rule
def no_flow(state: State) -> None:
    """Before the first theft."""
    for seat in range(PLAYERS):
        for a in range(ASSETS):
            state.flow[seat, a] = 0


@rule
def clear_bounds(state: State) -> None:
    """Nothing of the reckoning stays in the record."""
    no_flow(state)
    for seat in range(PLAYERS):
        state.net[seat] = 0
        for a in range(ASSETS):
            state.least[seat, a] = 0
            state.most[seat, a] = 0


@rule
def bound_views(state: State, rules: Rules) -> None:
    """`own_low` and `own_high`: the bounds of the flow after the last theft for every player who has seen a type; else 0."""
    for player in range(rules.players):
        clear_bounds(state)
        if has_seen(state, player):
            leaves_room(state, player, -1)
            balance(state)
        for seat in range(PLAYERS):
            for a in range(ASSETS):
                state.own_low[player, seat, a] = state.least[seat, a]
                state.own_high[player, seat, a] = state.most[seat, a]
    clear_bounds(state)


@rule
def balance(state: State) -> None:
    """What thefts have brought one seat they took from the others."""
    for a in range(ASSETS):
        low = 0
        high = 0
        for seat in range(PLAYERS):
            low += state.least[seat, a]
            high += state.most[seat, a]
        for seat in range(PLAYERS):  # the others at their most, at their least
            least = max(state.least[seat, a], state.most[seat, a] - high)
            most = min(state.most[seat, a], state.least[seat, a] - low)
            state.least[seat, a] = least
            state.most[seat, a] = most


@rule
def leaves_room(state: State, player: int, i: int) -> bool:
    """Whether the flow after theft `i` may lead on to the last row, as far as bounds of every entry tell."""
    for seat in range(PLAYERS):
        state.net[seat] = 0
        for a in range(ASSETS):
            state.least[seat, a] = state.flow[seat, a]
            state.most[seat, a] = state.flow[seat, a]
            state.net[seat] += state.flow[seat, a]
    for j in range(i + 1, state.thefts):
        types = open_types(state, player, j)
        if types == 0:
            return False
        look_past(state, j, types)
        if not (meets_row(state, 2 * j, state.thief[j]) and meets_row(state, 2 * j + 1, state.victim[j])):
            return False
    return True


@rule
def open_types(state: State, player: int, j: int) -> int:
    """The types (bits) that theft `j` can take when the flow lies within `least` and `most`."""
    types = 0
    for a in range(ASSETS):
        if (
            may_be(state, j, a)
            and state.seen[j, a] + state.most[state.victim[j], a] > 0
            and (not involves(state, j, player) or a == state.loot[j])
        ):
            types |= 1 << a
    return types


@rule
def look_past(state: State, j: int, types: int) -> None:
    """The bounds of the flow after theft `j` of one of these types."""
    thief, victim = state.thief[j], state.victim[j]
    for a in range(ASSETS):
        if (types >> a) & 1:
            state.most[thief, a] += 1
            if types == 1 << a:
                state.least[thief, a] += 1
                state.most[victim, a] -= 1
                state.least[victim, a] = max(state.least[victim, a], 1 - state.seen[j, a]) - 1
            else:
                state.least[victim, a] -= 1
    state.net[thief] += 1
    state.net[victim] -= 1


@rule
def meets_row(state: State, row: int, seat: int) -> bool:
    """Cut the bounds of a seat's flow to a row, and to its known sum; False when nothing is left."""
    low = state.net[seat]
    high = low
    for a in range(ASSETS):
        state.least[seat, a] = max(state.least[seat, a], state.floor[row, a])
        state.most[seat, a] = min(state.most[seat, a], state.ceiling[row, a])
        low -= state.most[seat, a]
        high -= state.least[seat, a]
    for a in range(ASSETS):  # the others at their most, at their least
        least = max(state.least[seat, a], low + state.most[seat, a])
        most = min(state.most[seat, a], high + state.least[seat, a])
        if least > most:
            return False
        state.least[seat, a] = least
        state.most[seat, a] = most
    return True
