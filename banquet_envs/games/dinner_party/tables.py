"""Guests and Drinks on the Tables: sitting down, being taken away, counting."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import DRINKS, HITLER, OCCUPATIONS, SEATS, Drink
from banquet_envs.games.dinner_party.state import End


@rule
def place_of(state: State, guest: int) -> int:
    """The guest's position at its Table, counted from the left; -1 for a guest at no Table."""
    seat = state.where[guest]
    if seat < SEATS:
        for k in range(state.seated[seat]):
            if state.table[seat, k] == guest:
                return k
    return -1


@rule
def spot_and_drinks(option: int) -> tuple[int, int, int]:
    """The End, the Drink on the guest and the gift of a way, 0-17, to let an invitation succeed."""
    return option // DRINKS**2, option // DRINKS % DRINKS, option % DRINKS


@rule
def end_guest(state: State, seat: int, end: int) -> int:
    """The guest at that end of a Table, -1 if nobody sits there."""
    if state.seated[seat] == 0:
        return -1
    return state.table[seat, 0 if end == End.LEFT else state.seated[seat] - 1]


@rule
def neighbour(state: State, seat: int, k: int) -> int:
    """The guest at position `k` of a Table, -1 beyond its ends."""
    if k < 0 or k >= state.seated[seat]:
        return -1
    return state.table[seat, k]


@rule
def sit_down(state: State, seat: int, guest: int, end: int) -> None:
    """The guest takes its place at the very left or very right."""
    n = state.seated[seat]
    if end == End.LEFT:
        for k in range(n, 0, -1):
            state.table[seat, k] = state.table[seat, k - 1]
        state.table[seat, 0] = guest
    else:
        state.table[seat, n] = guest
    state.seated[seat] += 1
    state.where[guest] = seat


@rule
def get_up(state: State, guest: int) -> None:
    """The guest leaves its Table and the others close the gap. The caller says where it goes."""
    seat = state.where[guest]
    last = state.seated[seat] - 1
    for k in range(place_of(state, guest), last):
        state.table[seat, k] = state.table[seat, k + 1]
    state.table[seat, last] = -1
    state.seated[seat] = last


@rule
def occupations_at(state: State, rules: Rules, seat: int) -> int:
    """The set of occupations at a Table."""
    found = 0
    for k in range(state.seated[seat]):
        found |= rules.guests[state.table[seat, k]].occupations
    return found


@rule
def count_occupations(occupations: int) -> int:
    """How many occupations a set holds."""
    count = 0
    for o in range(len(OCCUPATIONS)):
        count += (occupations >> o) & 1
    return count


@rule
def guests_without_hitler(state: State, seat: int) -> int:
    """How many guests sit at a Table, Hitler not counted."""
    return state.seated[seat] - (1 if state.where[HITLER] == seat else 0)


@rule
def somebody_has_more(state: State, rules: Rules, seat: int) -> bool:
    """Whether another player has more guests; Hitler is a guest (ruling Q16)."""
    for other in range(rules.players):
        if state.seated[other] > state.seated[seat]:
            return True
    return False


@rule
def stash_is_empty(state: State, seat: int) -> bool:
    """No Drink in the Stash."""
    return state.stash[seat, Drink.WATER] == 0 and state.stash[seat, Drink.WINE] == 0


@rule
def drink_to_bar(state: State, guest: int) -> None:
    """The guest's Drink, if any, goes back to the Bar."""
    state.drink[guest] = Drink.NONE
