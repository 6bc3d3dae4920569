"""The position as plain data: what a seat may know."""

from __future__ import annotations

from typing_extensions import TypedDict

from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.polite_society.account import hand_size
from banquet_envs.games.polite_society.cards import deck_size
from banquet_envs.games.polite_society.components import ASSET_NAMES, CARDS, IMPROVEMENTS, SEATS, Card
from banquet_envs.games.polite_society.display import (
    CARD_NAMES,
    PHASE_NAMES,
    guest_name,
    mission_text,
    news,
    seat_number,
)
from banquet_envs.games.polite_society.state import Where
from banquet_envs.games.polite_society.tables import count_where
from banquet_envs.games.polite_society.views import bounds


class Guest(TypedDict):
    """A guest's card: cost and reward by asset."""

    name: str
    cost: dict[str, int]
    reward: dict[str, int]


class Seated(TypedDict):
    """A guest at the seat with this number."""

    number: str
    guest: Guest
    indisposed: bool


class Range(TypedDict):
    """The least and the most that the reader knows a hand to hold; equal for one's own."""

    least: int
    most: int


class Host(TypedDict):
    """A seat's own things; `mission` is "" without missions, "secret" if unknown."""

    hand_size: int
    hand: dict[str, Range]
    improvements: list[str]
    mission: str
    finished: bool
    table: list[Seated]


class Position(TypedDict):
    """Polite Society. `news` tells what is going on in this turn."""

    turn: int
    turn_of: int
    dice: list[int]
    decision: str
    news: list[str]
    bank: dict[str, int]
    tokens_in_supply: int
    guest_pile: int
    guest_discards: int
    action_pile: int
    action_discards: dict[str, int]
    face_up: list[Guest | None]
    invite_list: list[Guest | None]
    hosts: list[Host]


def state_json(rules: Rules, state: State, player: int | None) -> Position:
    """What `player` may know (None: everything)."""
    return {
        "turn": int(state.turns),
        "turn_of": int(state.active),
        "dice": [int(d) for d in state.dice] if state.turns else [],
        "decision": PHASE_NAMES[state.phase] if not state.over else "",
        "news": news(rules, state, player),
        "bank": _assets(state.bank),
        "tokens_in_supply": int(state.supply),
        "guest_pile": int(count_where(state, rules, Where.PILE)),
        "guest_discards": int(count_where(state, rules, Where.DISCARDED)),
        "action_pile": int(deck_size(state)),
        "action_discards": {CARD_NAMES[c]: int(state.discard[c]) for c in range(CARDS) if state.discard[c]},
        "face_up": [_guest(rules, int(g)) for g in state.draft[: 2 * int(rules.players)]] if not state.turns else [],
        "invite_list": [_guest(rules, int(g)) for g in state.list] if state.turns else [],
        "hosts": [_host(rules, state, seat, player) for seat in range(rules.players)],
    }


def _assets(counts: Cells) -> dict[str, int]:
    return {name: int(n) for name, n in zip(ASSET_NAMES, counts, strict=True)}


def _guest(rules: Rules, g: int) -> Guest | None:
    if g < 0:
        return None
    card = rules.guest[g]
    return {"name": guest_name(rules, g), "cost": _assets(card.cost), "reward": _assets(card.reward)}


def _hand(state: State, player: int | None, seat: int) -> dict[str, Range]:
    hand: dict[str, Range] = {}
    for a, name in enumerate(ASSET_NAMES):
        held = int(state.hand[seat, a])
        least, most = (held, held) if player in (None, seat) else bounds(state, player, seat, a)
        hand[name] = {"least": int(least), "most": int(most)}
    return hand


def _host(rules: Rules, state: State, seat: int, player: int | None) -> Host:
    table: list[Seated] = []
    for s in range(SEATS):
        guest = _guest(rules, int(state.table[seat, s]))
        if guest is not None:
            ill = bool(state.token[seat, s])
            table.append({"number": seat_number(rules, s), "guest": guest, "indisposed": ill})
    owned = state.improvement[seat]
    return {
        "hand_size": int(hand_size(state, seat)),
        "hand": _hand(state, player, seat),
        "improvements": [
            CARD_NAMES[Card.IMPROVEMENT_SEVEN + k] for k in range(IMPROVEMENTS) for _ in range(int(owned[k]))
        ],
        "mission": mission_text(rules, state, player, seat),
        "finished": bool(state.out[seat]),
        "table": table,
    }
