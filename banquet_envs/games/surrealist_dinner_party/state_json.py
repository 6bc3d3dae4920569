"""The position as plain data: what a seat may know."""

from __future__ import annotations

from typing_extensions import TypedDict

from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.components import COLOUR_NAMES, COURSES, KIND_NAMES
from banquet_envs.games.surrealist_dinner_party.display import (
    ability_text,
    faux_pas_text,
    guest_name,
    known_cards,
    pack_cards,
    question_text,
    word,
)
from banquet_envs.games.surrealist_dinner_party.state import Face, Stage, Where


class Appetite(TypedDict):
    """An appetite and the token on it."""

    craves: str
    token: str | None


class Guest(TypedDict):
    """A guest's card; `ability` is "" in casual mode."""

    name: str
    appetites: list[Appetite]
    ability: str


class FauxPas(TypedDict):
    """A Faux Pas that lies open, and the seats that scored it."""

    card: str
    scored: bool
    scored_by: list[int]


class Host(TypedDict):
    """A seat's own things: guests from left to right; what only the seat itself may know is null for the others."""

    stash: dict[str, int]
    plate_abilities_used: int
    cards_in_hand: int
    row: list[Guest]
    hand: list[Guest] | None
    pack: list[Guest] | None
    faux_pas_dealt: list[str] | None
    faux_pas_choice: str | None
    surely_holds: list[str]
    may_hold: list[str]


class Position(TypedDict):
    """Surrealist Dinner Party. `hosts[k]` is player k + 1 of the texts; `surely_holds` tells what the draft has shown."""

    decision: str
    course: str
    courses_to_come: list[dict[str, int]]
    turn: int
    turn_of: int
    platter: dict[str, int]
    last_guests_leave: bool
    gone_home: list[str]
    used_in_this_action: list[str]
    faux_pas: list[FauxPas]
    hosts: list[Host]


def state_json(rules: Rules, state: State, player: int | None) -> Position:
    """What `player` may know (None: everything)."""
    guests = range(int(rules.num_guests))
    return {
        "decision": question_text(rules, state),
        "course": word(rules.course_name[int(state.course)]),
        "courses_to_come": [_counts(rules.menu[c]) for c in range(int(state.course) + 1, COURSES)],
        "turn": int(state.turn),
        "turn_of": int(state.active),
        "platter": _counts(state.platter),
        "last_guests_leave": state.stage in (Stage.LAST_DEPARTURES, Stage.LAST_DOORS),
        "gone_home": [guest_name(rules, g) for g in guests if state["where"][g] == Where.GONE],
        "used_in_this_action": [guest_name(rules, g) for g in guests if int(state.plate_done) >> g & 1],
        "faux_pas": _faux_pas(rules, state),
        "hosts": [_host(rules, state, p, player) for p in range(rules.players)],
    }


def _counts(counts: State) -> dict[str, int]:
    return {kind: int(n) for kind, n in zip(KIND_NAMES, counts, strict=True)}


def _guest(rules: Rules, state: State, g: int) -> Guest:
    appetites: list[Appetite] = []
    for a in range(int(rules.guests[g].appetites)):
        kind = int(state.token[g, a])
        craves = COLOUR_NAMES[int(rules.guests[g].appetite[a])]
        appetites.append({"craves": craves, "token": KIND_NAMES[kind] if kind >= 0 else None})
    return {
        "name": guest_name(rules, g),
        "appetites": appetites,
        "ability": ability_text(rules, g) if rules.abilities else "",
    }


def _faux_pas(rules: Rules, state: State) -> list[FauxPas]:
    found: list[FauxPas] = []
    for i in range(int(rules.num_faux_pas) if rules.faux_pas_used else 0):
        if state.faux_pas_open[i]:
            by = [p for p in range(rules.players) if int(state.faux_pas_by[i]) >> p & 1]
            found.append(
                {
                    "card": faux_pas_text(rules, i),
                    "scored": bool(state.faux_pas_open[i] == Face.SCORED),
                    "scored_by": by,
                }
            )
    return found


def _host(rules: Rules, state: State, p: int, player: int | None) -> Host:
    shown = player in (None, p)
    dealt, choice = state.faux_pas_dealt[p], int(state.faux_pas_choice[p])
    chosen = ("not chosen yet", "the first", "the second", "both")[choice]
    sure, maybe = known_cards(rules, state, player, p) if player is not None and rules.draft else ([], [])
    pack = pack_cards(rules, state, p) if state.stage == Stage.DRAFTING else []
    return {
        "stash": _counts(state.stash[p]),
        "plate_abilities_used": int(state.plate_used[p]),
        "cards_in_hand": int(state.hand_size[p]),
        "row": [_guest(rules, state, int(g)) for g in state.row[p, : state.seated[p]]],
        "hand": [_guest(rules, state, int(g)) for g in state.hand[p] if g >= 0] if shown else None,
        "pack": [_guest(rules, state, g) for g in pack] if shown else None,
        "faux_pas_dealt": [faux_pas_text(rules, int(i)) for i in dealt if i >= 0] if shown else None,
        "faux_pas_choice": chosen if shown and rules.faux_pas_used else None,
        "surely_holds": sure,
        "may_hold": maybe,
    }
