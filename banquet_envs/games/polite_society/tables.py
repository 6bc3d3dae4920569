"""Guests: the pile, the invite list, the dining tables, indisposed tokens, and social missions."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.types import Rules, State
from banquet_envs.games.polite_society.components import LIST, MISSIONS, SEATS
from banquet_envs.games.polite_society.counts import count_at, packed
from banquet_envs.games.polite_society.state import Where

TOO_MANY = 100  # what a guest too many adds to a mission's gap: it cannot be closed

# ---------------------------------------------------------------- the pile and the list


@rule
def count_where(state: State, rules: Rules, place: int) -> int:
    """How many guest cards are in a place."""
    count = 0
    for g in range(rules.num_guests):
        if state.where[g] == place:
            count += 1
    return count


@rule
def draw_guest(state: State, rules: Rules) -> int:
    """The top card of the pile; an empty pile is made anew from the discards (ruling 22); -1 when there is none.

    The pile's order is drawn when it is needed: which cards are in it is known to all.
    """
    left = count_where(state, rules, Where.PILE)
    if left == 0:
        for g in range(rules.num_guests):
            if state.where[g] == Where.DISCARDED:
                state.where[g] = Where.PILE
                left += 1
    if left == 0:
        return -1
    pick = random_below(state, left)
    for g in range(rules.num_guests):
        if state.where[g] == Where.PILE:
            if pick == 0:
                state.where[g] = Where.SHOWN
                return g
            pick -= 1
    return -1


@rule
def replenish(state: State, rules: Rules) -> None:
    """Fill the invite list to four guests."""
    for k in range(LIST):
        if state.list[k] < 0:
            state.list[k] = draw_guest(state, rules)


@rule
def renew_list(state: State, rules: Rules) -> None:
    """Discard the invite list and deal four new guests."""
    for k in range(LIST):
        if state.list[k] >= 0:
            state.where[state.list[k]] = Where.DISCARDED
            state.list[k] = -1
    replenish(state, rules)


@rule
def absent_guests(state: State, rules: Rules) -> None:
    """Numbers that the components file does not use."""
    for g in range(rules.num_guests, state.where.shape[0]):
        state.where[g] = Where.ABSENT


# ---------------------------------------------------------------- dining tables


@rule
def guests_at(state: State, seat: int) -> int:
    """How many guests sit at a table."""
    count = 0
    for s in range(SEATS):
        if state.table[seat, s] >= 0:
            count += 1
    return count


@rule
def has_token(state: State, seat: int) -> bool:
    """Whether an indisposed guest sits at a table."""
    for s in range(SEATS):
        if state.token[seat, s]:
            return True
    return False


@rule
def has_well_guest(state: State, seat: int) -> bool:
    """Whether a guest without a token sits at a table."""
    for s in range(SEATS):
        if state.table[seat, s] >= 0 and not state.token[seat, s]:
            return True
    return False


@rule
def seat_guest(state: State, seat: int, s: int, g: int) -> None:
    """Place a guest at an empty seat."""
    state.table[seat, s] = g
    state.where[g] = Where.SEATED
    state.points[seat] = guests_at(state, seat)


@rule
def unseat_guest(state: State, seat: int, s: int) -> None:
    """A guest leaves for the discard pile, its token for the supply (ruling 13)."""
    state.where[state.table[seat, s]] = Where.DISCARDED
    state.table[seat, s] = -1
    state.supply += state.token[seat, s]
    state.token[seat, s] = 0
    state.points[seat] = guests_at(state, seat)


# ---------------------------------------------------------------- social missions


@rule
def guest_set(state: State, seat: int) -> int:
    """The guests of a table as bits."""
    bits = 0
    for s in range(SEATS):
        if state.table[seat, s] >= 0:
            bits |= 1 << int(state.table[seat, s])
    return bits


@rule
def members(bits: int) -> int:
    """How many guests are in a set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rule
def mission_gap(rules: Rules, m: int, guests: int) -> int:
    """Guests that a set still lacks for mission `m`; TOO_MANY more for each that is too many. 0: the mission is met.

    Every clause says: so many of these groups (of those that fit, or works, couples, families, siblings, bringers of an
    asset) must have so many members each. The gap counts the members missing from the groups nearest to that.
    """
    gap = 0
    for k in range(rules.mission[m].clauses):
        least = int(rules.mission[m].clause[k].least)
        most = rules.mission[m].clause[k].most
        needed = rules.mission[m].clause[k].needed
        lacking = 0  # how many groups lack 0, 1, 2, ... members
        for f in range(rules.mission[m].clause[k].groups):
            present = members(rules.group[m, k, f] & guests)
            lacking += packed(max(0, least - present), 1)
            gap += TOO_MANY * max(0, present - most)
        for lack in range(least + 1):
            ready = min(needed, count_at(lacking, lack))
            gap += lack * ready
            needed -= ready
    return gap


@rule
def exclude_missions(state: State, rules: Rules, seat: int) -> None:
    """Ruling 36: a full table that did not win shows which missions its owner does not hold."""
    guests = guest_set(state, seat)
    for m in range(MISSIONS):
        if mission_gap(rules, m, guests) == 0:
            state.excluded[seat] |= 1 << m
