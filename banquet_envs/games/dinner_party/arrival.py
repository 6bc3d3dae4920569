"""Arrival Abilities: what happens when an invited guest has taken its place, before the Lobby is refilled."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import HITLER, SEATS, Deed, Drink, Kind
from banquet_envs.games.dinner_party.results import drink_worth
from banquet_envs.games.dinner_party.state import End, Phase, Where
from banquet_envs.games.dinner_party.tables import drink_to_bar, get_up, place_of, sit_down


@rule
def arrive(state: State, rules: Rules) -> None:
    """Resolve the arrival ability of the invited guest, or move to the phase that asks about it."""
    ability = rules.guests[state.target].ability
    state.phase = Phase.REFILL
    if ability.kind == Kind.ARRIVAL_GAIN:
        state.stash[state.active, Drink.WATER] += ability.water
        state.stash[state.active, Drink.WINE] += ability.wine
        state.envelopes[state.active] += ability.envelopes
    elif ability.kind == Kind.ARRIVAL_DISCARD:
        each_opponent_discards(state, rules, ability.amount)
    elif ability.kind == Kind.ARRIVAL_RESEAT:
        state.moves = ability.amount
        state.phase = Phase.RESEAT
    elif ability.kind == Kind.ARRIVAL_HITLER and ability.deed != Deed.REMOVE and ability.deed != Deed.TO_LOBBY:
        state.phase = Phase.MOVE_HITLER
    elif arrival_has_effect(state, rules):
        if ability.optional:
            state.phase = Phase.MAY
        else:
            use_arrival(state, rules)


@rule
def arrival_has_effect(state: State, rules: Rules) -> bool:
    """Whether clearing the stack, or removing Hitler, would change anything."""
    guest = rules.guests[state.target]
    if guest.ability.kind == Kind.ARRIVAL_CLEAR_STACK:
        return state.height[guest.back] > 0 or state.face_up[guest.back] >= 0
    if guest.ability.kind == Kind.ARRIVAL_HITLER and guest.ability.deed == Deed.REMOVE:
        return state.where[HITLER] != Where.GONE
    return guest.ability.kind == Kind.ARRIVAL_HITLER and state.where[HITLER] == state.active


@rule
def use_arrival(state: State, rules: Rules) -> None:
    """Clear the guest's own stack, or send Hitler out of the game or back to the Lobby."""
    guest = rules.guests[state.target]
    if guest.ability.kind == Kind.ARRIVAL_CLEAR_STACK:
        clear_stack(state, guest.back)
    else:
        lift_hitler(state)
        state.where[HITLER] = Where.GONE if guest.ability.deed == Deed.REMOVE else Where.LOBBY


@rule
def clear_stack(state: State, back: int) -> None:
    """All cards of a stack leave the game; the face-down ones are not shown (ruling Q37)."""
    state.height[back] = 0
    if state.face_up[back] >= 0:
        state.where[state.face_up[back]] = Where.GONE
        state.face_up[back] = -1


@rule
def each_opponent_discards(state: State, rules: Rules, drinks: int) -> None:
    """Each opponent discards Drinks from the Stash: the sort worth less to it, Water if equal (ruling Q35)."""
    for seat in range(rules.players):
        if seat != state.active:
            for _ in range(drinks):
                wine_first = drink_worth(state, rules, seat, Drink.WINE) < drink_worth(state, rules, seat, Drink.WATER)
                discard_one(state, seat, Drink.WINE if wine_first else Drink.WATER)


@rule
def discard_one(state: State, seat: int, drink: int) -> None:
    """One Drink of that sort, or of the other if there is none."""
    other = Drink.WATER + Drink.WINE - drink
    if state.stash[seat, drink] > 0:
        state.stash[seat, drink] -= 1
    elif state.stash[seat, other] > 0:
        state.stash[seat, other] -= 1


# ---------------------------------------------------------------- moving Hitler


@rule
def lift_hitler(state: State) -> None:
    """Hitler gets up, if he sits at a Table; his Drink goes to the Bar."""
    if state.where[HITLER] < SEATS:
        get_up(state, HITLER)
        drink_to_bar(state, HITLER)


@rule
def may_take_hitler(state: State, seat: int, end: int) -> bool:
    """Whether Hitler may go to that end of another Table: he is lifted first, a guest must remain (ruling Q33).

    With one guest there the two ends are mirror images, and only the right one is offered (ruling Q29).
    """
    if seat == state.active or state.where[HITLER] == Where.GONE:
        return False
    others = state.seated[seat] - (1 if state.where[HITLER] == seat else 0)
    return others >= 1 and (end == End.RIGHT or others >= 2)


@rule
def put_hitler(state: State, seat: int, end: int) -> None:
    """Hitler takes his place at another Table."""
    lift_hitler(state)
    sit_down(state, seat, HITLER, end)


# ---------------------------------------------------------------- reseating


@rule
def may_reseat(state: State, guest: int, end: int) -> bool:
    """Whether moving the guest to that end would change anything; that needs three guests (rulings Q29, Q34)."""
    n = state.seated[state.active]
    if n < 3 or state.where[guest] != state.active:
        return False
    return place_of(state, guest) != (0 if end == End.LEFT else n - 1)


@rule
def reseat(state: State, guest: int, end: int) -> None:
    """One of the own guests moves to an end, its Drink goes along."""
    get_up(state, guest)
    sit_down(state, state.active, guest, end)
    state.moves -= 1
