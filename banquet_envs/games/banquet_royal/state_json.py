"""The position as plain data: what a seat may know."""

from __future__ import annotations

from typing_extensions import TypedDict

from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.components import CELLS, HAND, TOQUE, VALUES
from banquet_envs.games.banquet_royal.display import (
    PHASE_TEXTS,
    cards_in,
    item_name,
    known_order,
    known_to_all,
    menu_text,
    not_in_deck,
    space_name,
)
from banquet_envs.games.banquet_royal.state import CLOSED, Seen


class Space(TypedDict):
    """What lies on a space: "free", "closed", "cloche", a dish or "toque"; the toque's seat; the cloche's dish if known."""

    holds: str
    owner: int | None
    order: str | None


class Card(TypedDict):
    """A card in a hand: its points, its menu if known to the reader, and what all know about it, "" for nothing."""

    points: int
    menu: str | None
    known_to_all: str


class Deck(TypedDict):
    """A deck of menus, its discards, and menus of its value that must be in hands."""

    points: int
    cards: int
    discards: list[str]
    surely_in_hands: list[str]


class Cook(TypedDict):
    """A seat's own things; an empty slot of the hand is null."""

    toques: int
    collected: dict[str, int]
    validated: list[str]
    hand: list[Card | None]


class Position(TypedDict):
    """Banquet Royal."""

    decision: str
    first_player: int
    free_spaces: int
    played_this_turn: str | None
    spaces: dict[str, Space]
    kitchen: dict[str, int]
    decks: list[Deck]
    orders_called_wrongly: dict[str, int]
    orders_unrevealed: dict[str, int]
    cooks: list[Cook]


def state_json(rules: Rules, state: State, player: int | None) -> Position:
    """What `player` may know (None: everything)."""
    return {
        "decision": "" if state.over else PHASE_TEXTS[state.phase],
        "first_player": int(state.first),
        "free_spaces": int(state.free),
        "played_this_turn": space_name(rules, int(state.placed)) if state.placed >= 0 else None,
        "spaces": {space_name(rules, x): _space(rules, state, x, player) for x in range(CELLS)},
        "kitchen": _counts(state.kitchen),
        "decks": [_deck(rules, state, v) for v in range(VALUES)],
        "orders_called_wrongly": _counts(state.lost),
        "orders_unrevealed": _counts([int(n) + int((state.order == d).sum()) for d, n in enumerate(state.tokens)]),
        "cooks": [_cook(rules, state, seat, player) for seat in range(rules.players)],
    }


def _counts(counts: State) -> dict[str, int]:
    return {item_name(k): int(n) for k, n in enumerate(counts)}


def _space(rules: Rules, state: State, x: int, player: int | None) -> Space:
    here = int(state.board[x])
    if state.order[x] >= 0:
        dish = known_order(rules, state, x, player)
        return {"holds": "cloche", "owner": None, "order": item_name(dish) if dish >= 0 else None}
    holds = "closed" if here == CLOSED else "free" if here < 0 else item_name(here)
    return {"holds": holds, "owner": int(state.owner[x]) if here == TOQUE else None, "order": None}


def _deck(rules: Rules, state: State, v: int) -> Deck:
    discards = [menu_text(rules, c) for c in cards_in(rules, state, Seen.ON_PILE) if rules.value[c] == v + 1]
    away = [menu_text(rules, c) for c in not_in_deck(rules, state, v)]
    return {"points": v + 1, "cards": int(state.deck_size[v]), "discards": discards, "surely_in_hands": away}


def _cook(rules: Rules, state: State, seat: int, player: int | None) -> Cook:
    return {
        "toques": int(state.toques[seat]),
        "collected": _counts(state.collected[seat]),
        "validated": [menu_text(rules, c) for c in cards_in(rules, state, Seen.VALIDATED + seat)],
        "hand": [_card(rules, state, seat, s, player) for s in range(HAND)],
    }


def _card(rules: Rules, state: State, seat: int, s: int, player: int | None) -> Card | None:
    card = int(state.hand[seat, s])
    if card < 0:
        return None
    menu = menu_text(rules, card) if player in (None, seat) else None
    return {"points": int(rules.value[card]), "menu": menu, "known_to_all": known_to_all(rules, state, seat, s)}
