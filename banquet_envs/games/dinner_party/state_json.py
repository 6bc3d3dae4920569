"""The position as plain data: what a seat may know."""

from __future__ import annotations

from typing_extensions import TypedDict

from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import HITLER, STACKS, Drink, guest_name
from banquet_envs.games.dinner_party.state import SEATS, Phase, Where
from banquet_envs.games.dinner_party.words import (
    ARROW_WORDS,
    DECISIONS,
    DRINK_WORDS,
    ability_text,
    die_text,
    occupations_of,
)


class Guest(TypedDict):
    """A guest's card; `ability` is "" for none."""

    name: str
    demand: int
    arrows: str
    occupations: list[str]
    ability: str


class Seated(TypedDict):
    """A guest at a Table with the Drink on it, and whether it has been charmed in this turn."""

    guest: Guest
    drink: str
    charmed_this_turn: bool


class Roll(TypedDict):
    """The roll going on: what the dice must show without a Drink at the two ends, and what a drink icon counts."""

    guest: str
    entertaining: bool
    needed_left: int
    needed_right: int
    icon_counts: int
    rolls_left: int
    successes_needed: int


class Stack(TypedDict):
    """A stack of the Lobby. `unseen` are all that are face down or in the box; `order` is told to nobody but None."""

    open_card: Guest | None
    face_down: int
    unseen: list[str]
    order: list[str] | None


class Host(TypedDict):
    """A seat's own things, guests from left to right."""

    envelopes: int
    water: int
    wine: int
    guests: list[Seated]


class Position(TypedDict):
    """Dinner Party."""

    round: int
    last_round: bool
    turn_of: int
    decision: str
    dice: list[str]
    roll: Roll | None
    hitler_is: str
    stacks: list[Stack]
    hosts: list[Host]


def state_json(rules: Rules, state: State, player: int | None) -> Position:
    """What `player` may know (None: everything)."""
    where = int(state.where[HITLER])
    rolled = not state.over and state.phase != Phase.CHOOSE and state.dice[0] >= 0
    return {
        "round": int(state.round_number),
        "last_round": bool(state.ending),
        "turn_of": int(state.active),
        "decision": "" if state.over else DECISIONS[state.phase],
        "dice": [die_text(int(d)) for d in state.dice] if rolled else [],
        "roll": _roll(rules, state)
        if rolled and state.phase in (Phase.ROLL, Phase.REROLL, Phase.PLACE) and state.target >= 0
        else None,
        "hitler_is": "in the Lobby"
        if where == Where.LOBBY
        else f"at the Table of seat {where}"
        if where < SEATS
        else "gone",
        "stacks": [_stack(rules, state, back, player) for back in range(STACKS)],
        "hosts": [_host(rules, state, seat) for seat in range(rules.players)],
    }


def _guest(rules: Rules, guest: int) -> Guest:
    card = rules.guests[guest]
    return {
        "name": guest_name(rules, guest),
        "demand": int(card.demand),
        "arrows": ARROW_WORDS[int(card.arrows)],
        "occupations": occupations_of(rules, guest),
        "ability": ability_text(rules, guest),
    }


def _roll(rules: Rules, state: State) -> Roll:
    one_spot = not state.entertaining and state.seated[state.active] < 2  # it is the right end
    return {
        "guest": guest_name(rules, int(state.target)),
        "entertaining": bool(state.entertaining),
        "needed_left": int(state.need[1 if one_spot else 0]),
        "needed_right": int(state.need[1]),
        "icon_counts": int(state.icon_worth),
        "rolls_left": int(state.rolls_left) if state.phase == Phase.ROLL else 0,
        "successes_needed": int(state.attempts) if state.entertaining else 1,
    }


def _stack(rules: Rules, state: State, back: int, player: int | None) -> Stack:
    last, height = int(state.unseen[back]), int(state.height[back])
    names = [guest_name(rules, int(g)) for g in state.hidden[back, :last]]
    return {
        "open_card": _guest(rules, int(state.face_up[back])) if state.face_up[back] >= 0 else None,
        "face_down": height,
        "unseen": sorted(names),
        "order": names[last - height :][::-1] if player is None else None,
    }


def _host(rules: Rules, state: State, seat: int) -> Host:
    guests: list[Seated] = []
    for guest in state.table[seat, : state.seated[seat]].tolist():
        drink = DRINK_WORDS[int(state.drink[guest])]
        guests.append({"guest": _guest(rules, guest), "drink": drink, "charmed_this_turn": bool(state.charmed[guest])})
    return {
        "envelopes": int(state.envelopes[seat]),
        "water": int(state.stash[seat, Drink.WATER]),
        "wine": int(state.stash[seat, Drink.WINE]),
        "guests": guests,
    }
