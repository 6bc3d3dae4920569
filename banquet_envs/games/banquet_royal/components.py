"""From components.toml to the RULES record: the board as a graph with its lines, menus, dishes, Royal Orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.errors import ComponentsError
from banquet_envs.core.spec import Entries, member_names, rules_dtype
from banquet_envs.core.state import empty
from banquet_envs.core.types import Rules

SEATS, HAND, VALUES = 4, 3, 3
CELLS = 36  # spaces of the board
DISHES = 4
TOQUE = 4  # the symbol, and the piece, after the four dishes
PIECES = 5  # kinds of pieces: the dishes and the toque
MENUS, TOKENS = 36, 8
ITEMS = 3  # of a menu; as many spaces make a line
NEIGHBOURS, LINES, LINES_AT = 8, 96, 12

DISH_NAMES = ("salad", "fruit_salad", "pudding", "burger")
ITEM_NAMES = (*DISH_NAMES, "toque")
DIAMOND = Path(__file__).with_name("components_diamond.toml")
"""The rival board, for `make_game("banquet_royal", components=DIAMOND)`."""


class Eat(IntEnum):
    """What All You Can Eat does to the point per order, as the option names it in small letters."""

    OFF = 0
    ADD = 1
    REPLACE = 2


ALL_YOU_CAN_EAT = member_names(Eat)

FEATURES = (
    *(
        "phase",
        "seat_to_move",
        "first_seat",
        "free",
        "points",
        "end_points",
        "space",
        "placed",
        "gain",
        "hand",
        "hand_values",
    ),
    *(
        "draw_value",
        "kitchen",
        "toques",
        "collected",
        "lost",
        "unrevealed",
        "deck",
        "pile",
        "validated",
        "menu",
        "ruled_out",
    ),
    "switches",
)
"""The slices of the observation (observation.py)."""

_i = np.int32
RULES = rules_dtype(
    [
        ("shown_by", np.int64, (PIECES**ITEMS,)),  # the menus, one bit each, that three pieces in a row validate
        ("etiquette", _i),  # Proper Dining Etiquette
        ("orders", _i),  # Royal Orders on the board
        ("gourmet", _i),
        ("eat", _i),  # All You Can Eat: an Eat
        ("hell", _i),  # Hell's Kitchen
        ("joker", _i),
        ("forced", _i),  # a menu that can be validated must be
        ("closed", _i),  # the spot of an order whose dish has run out stays empty for good
        ("recall", _i),  # hidden orders stay known to everybody
        # the board
        ("degree", _i, (CELLS,)),
        ("near", _i, (CELLS, NEIGHBOURS)),
        ("start", _i, (CELLS,)),  # 1 where the space touches the bouquet
        ("lines", _i),
        ("line", _i, (LINES, ITEMS)),
        ("lines_at", _i, (CELLS,)),
        ("line_at", _i, (CELLS, LINES_AT)),  # the lines through a space
        ("order_space", _i, (TOKENS,)),
        ("x", _i, (CELLS,)),  # where to draw a space, thousandths of a step from the bouquet
        ("y", _i, (CELLS,)),
        ("hexagons", _i),
        ("row", _i, (CELLS,)),  # the name of a space: letter and number
        ("column", _i, (CELLS,)),
        # the box
        ("kitchen", _i),  # of each dish
        ("toques", _i),  # of each player
        ("tokens", _i, (DISHES,)),
        ("menus", _i),
        ("value", _i, (MENUS,)),  # points of a menu
        ("symbol", _i, (MENUS, ITEMS)),
        ("order_points", _i),
        ("most", _i, (VALUES,)),  # Gourmet: for the most menus of 1, 2, 3 points
        ("distinct", _i, (DISHES + 1,)),  # All You Can Eat: by number of distinct dishes
    ],
    FEATURES,
)


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """The RULES record for a player count, the switches and a parsed components file."""
    rules = empty(1, RULES)
    top = Entries(components, "banquet_royal components")
    one = rules[0]
    one.players = players
    one.etiquette = options["etiquette"] > 0
    one.gourmet, one.hell = options["gourmet"], options["hells_kitchen"]
    one.eat = ALL_YOU_CAN_EAT.index(options["all_you_can_eat"])
    one.joker = options["toque"] == "joker"
    one.forced = options["scoring"] == "forced"
    one.closed = options["exhausted_order"] == "closed"
    one.recall = options["recall"] == "perfect"
    _read_orders(one, top.table("royal_orders"), options["etiquette"])
    _read_board(one, top.table("board"))
    _read_pieces(one, top)
    _read_menus(one, top.table("menus"))
    return rules


def _numbers(entry: Entries, key: str, length: int, low: int = 0, high: int = 100) -> list[int]:
    """The list of `length` whole numbers at `key`."""
    value = entry.data.get(key)
    whole = isinstance(value, list) and all(isinstance(k, int) and not isinstance(k, bool) for k in value)
    if not whole or len(value) != length or not all(low <= k <= high for k in value):  # type: ignore[arg-type, union-attr]
        raise entry.fail(key, f"a list of {length} whole numbers from {low} to {high}")
    return value  # type: ignore[return-value]


def _points(entry: Entries, key: str) -> list[tuple[int, int]]:
    """The list of coordinate pairs at `key`."""
    value = entry.data.get(key)
    if not isinstance(value, list) or not value:
        raise entry.fail(key, "a list of coordinate pairs")
    return [tuple(_numbers(Entries({key: v}, entry.path), key, 2, -50, 50)) for v in value]  # type: ignore[misc]


def _read_orders(one: Rules, orders: Entries, etiquette: int) -> None:
    for dish in orders.many_of("tokens", DISH_NAMES, TOKENS, TOKENS):
        one.tokens[dish] += 1
    one.orders = etiquette or orders.integer("used", 1, TOKENS)
    one.order_points = orders.integer("points_each", 0, 10)


def _read_pieces(one: Rules, top: Entries) -> None:
    pieces = top.table("pieces")
    one.kitchen = pieces.integer("kitchen_per_dish", 1, CELLS)
    if int(one.kitchen) * DISHES < CELLS:
        raise pieces.fail("kitchen_per_dish", f"enough dishes for {CELLS} spaces, that is {CELLS // DISHES} or more")
    one.toques = pieces.integer("toques_per_player", 0, CELLS // SEATS)
    one.most = _numbers(top.table("gourmet"), "most_menus", VALUES)
    one.distinct = _numbers(top.table("all_you_can_eat"), "points_by_distinct_dishes", DISHES + 1)


def _read_board(one: Rules, board: Entries) -> None:
    """Spaces by coordinates; neighbours and lines are worked out."""
    cells = board.tables("cells", CELLS, CELLS)
    where: dict[tuple[int, int], int] = {}
    names: dict[str, int] = {}
    bouquet = tuple(_numbers(board, "bouquet", 2, -50, 50))
    one.hexagons = 1 - board.one_of("picture", ("hexagons", "squares"))
    for x, cell in enumerate(cells):
        name, at = cell.text("name"), tuple(_numbers(cell, "at", 2, -50, 50))
        if not re.fullmatch("[A-Z][1-9][0-9]?", name) or name in names:
            raise cell.fail("name", "a letter and a number that no other space bears")
        if at in where or at == bouquet:
            raise cell.fail("at", "coordinates of its own, not those of the bouquet")
        names[name], where[at] = x, x  # type: ignore[index]
        one.row[x], one.column[x] = ord(name[0]) - ord("A"), int(name[1:])
        one.x[x], one.y[x] = _picture_place(bool(one.hexagons), at[0] - bouquet[0], at[1] - bouquet[1])
    _find_neighbours(one, board, where, bouquet)  # type: ignore[arg-type]
    _find_lines(one, board, where)
    if not one.etiquette:
        places = board.many_of("order_spaces", list(names), int(one.orders), int(one.orders))
        if len(set(places)) < len(places) or any(one.start[list(names.values())[k]] for k in places):
            raise board.fail("order_spaces", "different spaces that do not touch the bouquet")
        one.order_space[: len(places)] = places


def _picture_place(hexagons: bool, q: int, r: int) -> tuple[int, int]:
    """Where to draw a space, in thousandths of the distance between neighbours."""
    return (1000 * q + 500 * r, round(866.025 * r)) if hexagons else (1000 * q, 1000 * r)


def _find_neighbours(one: Rules, board: Entries, where: dict[tuple[int, int], int], bouquet: tuple[int, int]) -> None:
    steps = _points(board, "steps")
    steps = list(dict.fromkeys([*steps, *[(-a, -b) for a, b in steps]]))
    if len(steps) > NEIGHBOURS:
        raise board.fail("steps", f"at most {NEIGHBOURS // 2} directions")
    for (a, b), x in where.items():
        for da, db in steps:
            other = (a + da, b + db)
            if other == bouquet:
                one.start[x] = 1
            elif other in where:
                one.near[x, one.degree[x]] = where[other]
                one.degree[x] += 1
    reached = {x for x in range(CELLS) if one.start[x]}
    frontier = list(reached)
    for x in frontier:
        new = {int(y) for y in one.near[x, : one.degree[x]]} - reached
        reached |= new
        frontier.extend(new)
    if len(reached) < CELLS:
        raise board.fail("steps", "every space to be connected with the bouquet")


def _find_lines(one: Rules, board: Entries, where: dict[tuple[int, int], int]) -> None:
    """All straight triples of touching spaces; a line does not run over the bouquet or a gap."""
    found = []
    for da, db in dict.fromkeys(_points(board, "axes")):
        for a, b in where:
            triple = [where.get((a + k * da, b + k * db), -1) for k in range(ITEMS)]
            if min(triple) >= 0:
                found.append(triple)
    if not 0 < len(found) <= LINES or len({tuple(sorted(t)) for t in found}) < len(found):
        raise board.fail("axes", f"different directions that give 1 to {LINES} lines of three spaces")
    one.lines = len(found)
    for k, triple in enumerate(found):
        one.line[k] = triple
        for x in triple:
            if one.lines_at[x] == LINES_AT:
                raise board.fail("axes", f"at most {LINES_AT} lines through a space")
            one.line_at[x, one.lines_at[x]] = k
            one.lines_at[x] += 1


def _read_menus(one: Rules, menus: Entries) -> None:
    """The Menu cards, and which of them three pieces in a row validate, read in either direction (ruling 1)."""
    cards = menus.tables("cards", 1, MENUS)
    one.menus = len(cards)
    for c, card in enumerate(cards):
        one.value[c] = card.integer("points", 1, VALUES)
        one.symbol[c] = card.many_of("items", ITEM_NAMES, ITEMS, ITEMS)
    for value in range(1, VALUES + 1):
        if (one.value[: len(cards)] == value).sum() < one.players:
            raise ComponentsError(
                f"{menus.path}: entry 'cards': expected a card of {value} points for each of {one.players} players,"
                f" found {(one.value[: len(cards)] == value).sum()}"
            )
    joker, symbols = bool(one.joker), [[int(k) for k in one.symbol[c]] for c in range(len(cards))]
    for code in range(PIECES**ITEMS):
        row = (code // PIECES**2, code // PIECES % PIECES, code % PIECES)
        for c, items in enumerate(symbols):
            if _fits(row, items, joker) or _fits(row, items[::-1], joker):
                one.shown_by[code] |= np.int64(1 << c)


def _fits(row: tuple[int, ...], items: list[int], joker: bool) -> bool:
    """Ruling 4: a toque stands for a toque only; under the option it may stand for any dish too."""
    return all(piece == item or (joker and piece == TOQUE) for piece, item in zip(row, items, strict=True))
