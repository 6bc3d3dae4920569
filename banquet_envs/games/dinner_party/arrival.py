"""Arrival Abilities: what happens when an invited guest has taken its place, before the Lobby is refilled."""

from __future__ import annotations

from typing import Any

from banquet_envs.core.compile import rule
from banquet_envs.games.dinner_party.components import (
    ARRIVAL_CLEAR_STACK,
    ARRIVAL_DISCARD,
    ARRIVAL_GAIN,
    ARRIVAL_HITLER,
    ARRIVAL_RESEAT,
    HITLER,
    REMOVE,
    SEATS,
    TO_LOBBY,
    WATER,
    WINE,
)
from banquet_envs.games.dinner_party.results import drink_worth
from banquet_envs.games.dinner_party.state import GONE, LEFT, LOBBY, MAY, MOVE_HITLER, REFILL, RESEAT, RIGHT
from banquet_envs.games.dinner_party.tables import drink_to_bar, get_up, place_of, sit_down


@rule
def arrive(state: Any, rules: Any) -> None:
    """Resolve the arrival ability of the invited guest, or move to the phase that asks about it."""
    ability = rules.guests[state.target].ability
    state.phase = REFILL
    if ability.kind == ARRIVAL_GAIN:
        state.stash[state.active, WATER] += ability.water
        state.stash[state.active, WINE] += ability.wine
        state.envelopes[state.active] += ability.envelopes
    elif ability.kind == ARRIVAL_DISCARD:
        each_opponent_discards(state, rules, ability.amount)
    elif ability.kind == ARRIVAL_RESEAT:
        state.moves = ability.amount
        state.phase = RESEAT
    elif ability.kind == ARRIVAL_HITLER and ability.deed != REMOVE and ability.deed != TO_LOBBY:
        state.phase = MOVE_HITLER
    elif arrival_has_effect(state, rules):
        if ability.optional:
            state.phase = MAY
        else:
            use_arrival(state, rules)


@rule
def arrival_has_effect(state: Any, rules: Any) -> Any:
    """Whether clearing the stack, or removing Hitler, would change anything."""
    guest = rules.guests[state.target]
    if guest.ability.kind == ARRIVAL_CLEAR_STACK:
        return state.height[guest.back] > 0 or state.face_up[guest.back] >= 0
    if guest.ability.kind == ARRIVAL_HITLER and guest.ability.deed == REMOVE:
        return state.where[HITLER] != GONE
    return guest.ability.kind == ARRIVAL_HITLER and state.where[HITLER] == state.active


@rule
def use_arrival(state: Any, rules: Any) -> None:
    """Clear the guest's own stack, or send Hitler out of the game or back to the Lobby."""
    guest = rules.guests[state.target]
    if guest.ability.kind == ARRIVAL_CLEAR_STACK:
        clear_stack(state, guest.back)
    else:
        lift_hitler(state)
        state.where[HITLER] = GONE if guest.ability.deed == REMOVE else LOBBY


@rule
def clear_stack(state: Any, back: Any) -> None:
    """All cards of a stack leave the game; the face-down ones are not shown (ruling Q37)."""
    state.height[back] = 0
    if state.face_up[back] >= 0:
        state.where[state.face_up[back]] = GONE
        state.face_up[back] = -1


@rule
def each_opponent_discards(state: Any, rules: Any, drinks: Any) -> None:
    """Each opponent discards Drinks from the Stash: the sort worth less to it, Water if equal (ruling Q35)."""
    for seat in range(rules.players):
        if seat != state.active:
            for _ in range(drinks):
                wine_first = drink_worth(state, rules, seat, WINE) < drink_worth(state, rules, seat, WATER)
                discard_one(state, seat, WINE if wine_first else WATER)


@rule
def discard_one(state: Any, seat: Any, drink: Any) -> None:
    """One Drink of that sort, or of the other if there is none."""
    other = WATER + WINE - drink
    if state.stash[seat, drink] > 0:
        state.stash[seat, drink] -= 1
    elif state.stash[seat, other] > 0:
        state.stash[seat, other] -= 1


# ---------------------------------------------------------------- moving Hitler


@rule
def lift_hitler(state: Any) -> None:
    """Hitler gets up, if he sits at a Table; his Drink goes to the Bar."""
    if state.where[HITLER] < SEATS:
        get_up(state, HITLER)
        drink_to_bar(state, HITLER)


@rule
def may_take_hitler(state: Any, seat: Any, end: Any) -> Any:
    """Whether Hitler may go to that end of another Table: he is lifted first, a guest must remain (ruling Q33).

    With one guest there the two ends are mirror images, and only the right one is offered (ruling Q29).
    """
    if seat == state.active or state.where[HITLER] == GONE:
        return False
    others = state.seated[seat] - (1 if state.where[HITLER] == seat else 0)
    return others >= 1 and (end == RIGHT or others >= 2)


@rule
def put_hitler(state: Any, seat: Any, end: Any) -> None:
    """Hitler takes his place at another Table."""
    lift_hitler(state)
    sit_down(state, seat, HITLER, end)


# ---------------------------------------------------------------- reseating


@rule
def may_reseat(state: Any, guest: Any, end: Any) -> Any:
    """Whether moving the guest to that end would change anything; that needs three guests (rulings Q29, Q34)."""
    n = state.seated[state.active]
    if n < 3 or state.where[guest] != state.active:
        return False
    return place_of(state, guest) != (0 if end == LEFT else n - 1)


@rule
def reseat(state: Any, guest: Any, end: Any) -> None:
    """One of the own guests moves to an end, its Drink goes along."""
    get_up(state, guest)
    sit_down(state, state.active, guest, end)
    state.moves -= 1
