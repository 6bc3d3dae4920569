"""From components.toml to the RULES record: seats, bank, guests, action cards, missions, the menu of trades."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from banquet_envs.core.spec import Entries, rules_dtype
from banquet_envs.core.state import empty, packed
from banquet_envs.core.types import Rules

PLAYERS, SEATS, ASSETS = 7, 8, 4
GUESTS = 62  # capacity: a set of guests is the bits of an int64
GROUPS = 30  # works, couples, families or sets of siblings at most
MISSIONS, CLAUSES = 10, 2
LIST = 4
OFFERS = 3  # in a turn, at most

FACE = 1 + ASSETS  # a guest in observations: (number + 1) / 62, rewards / 2

ASSET_NAMES = ("wealth", "heart", "beauty", "wit")
LEVELS = ("off", "social_butterfly", "janeite")
TRADES = ("off", "standard", "wide")


class Card(IntEnum):
    """The types of action cards, as the components file names them in small letters. Two of them are four kinds of cards."""

    TWO_ASSETS = 0  # of asset 0; of the others 1 to 3
    WILD_ASSET = 4
    ADD_GUEST = 5
    REMOVE_GUEST = 6
    STEAL_ASSET = 7
    HAND_LIMIT = 8
    INDISPOSED = 9
    IMPROVEMENT_SEVEN = 10  # of asset 0; of the others 11 to 13
    IMPROVEMENT_TRADE = 14
    REARRANGE_GUESTS = 15
    STEAL_IMPROVEMENT = 16


CARDS = Card.STEAL_IMPROVEMENT + 1  # kinds

# Table improvements by kind: those that pay an asset on a 7, and the one that trades three for one.
THREE_FOR_ONE = ASSETS
IMPROVEMENTS = ASSETS + 1

CLAUSE_KINDS = ("count", "works", "same_work", "rewards", "couples", "families", "siblings")

# The menu of player trades: pairs (give a, get b) 1 for 1, 2 for 1, 1 for 2; the wide menu adds a + b for c, and c for a + b.
PAIRS = ASSETS * (ASSETS - 1)
TRIPLES = PAIRS // 2 * (ASSETS - 2)
STANDARD_MENU = 3 * PAIRS
WIDE_MENU = STANDARD_MENU + 2 * TRIPLES

SEXES = ("f", "m")
STATUSES = ("single", "married", "widowed")
ROLES = ("heroine", "hero", "rogue", "clergy", "officer")

FEATURES = (
    *(
        "phase",
        "clock",
        "seat_to_move",
        "active",
        "first",
        "out",
        "finish",
        "guests",
        "hand_size",
        "income",
        "improvement",
    ),
    *(
        "hand",
        "least",
        "most",
        "bank",
        "stock",
        "where",
        "list",
        "list_own",
        "draft",
        "table",
        "mission",
        "mission_own",
    ),
    *(
        "gap_list",
        "gap_draft",
        "gap_table",
        "excluded",
        "drawn",
        "kept",
        "unseen",
        "discard",
        "known",
        "playing",
        "partner",
    ),
    *("offer", "refused", "pending", "lifted", "token_from", "target", "removed"),
)
"""The slices of the observation (observation.py)."""

_i = np.int32
GUEST = packed(
    [
        ("cost", _i, (ASSETS,)),
        ("reward", _i, (ASSETS,)),
        ("price", _i),  # sum of the cost
        ("worth", _i),  # sum of the reward
        ("name", np.uint8, (40,)),
    ]
)
CLAUSE = packed(
    [
        ("groups", _i),  # how many groups of guests the clause speaks of
        ("needed", _i),  # so many of them must have
        ("least", _i),  # so many members at the table each
        ("most", _i),  # and none more than this
    ]
)
MISSION = packed([("clauses", _i), ("clause", CLAUSE, (CLAUSES,)), ("text", np.uint8, (64,))])
RULES = rules_dtype(
    [
        ("group", np.int64, (MISSIONS, CLAUSES, GROUPS)),  # the groups of mission clauses: guests as bits
        ("missions", _i),  # 0 off, 1 Social Butterfly, 2 Janeite
        ("menu", _i),  # how many items the menu of trades has; 0 without trades
        ("limited_bank", _i),
        ("mandatory_card", _i),
        ("play_on", _i),
        ("seven_on_add", _i),
        ("removal_losses", _i),
        ("bank", _i, (ASSETS,)),
        ("starting", _i, (ASSETS,)),
        ("ratio", _i),
        ("improved_ratio", _i),
        ("hand_limit", _i),
        ("tokens", _i),
        ("max_offers", _i),
        ("max_removals", _i),
        ("max_turns", _i),
        ("seat_of", _i, (13,)),  # the seat that a roll pays, -1 for 7
        ("chance", _i, (SEATS,)),  # of the seat's numbers, in 36
        ("low", _i, (SEATS,)),  # its first and last number, for display
        ("high", _i, (SEATS,)),
        ("num_guests", _i),
        ("guest", GUEST, (GUESTS,)),
        ("face", np.float32, (GUESTS + 1, FACE)),  # what observations say of guest g - 1; row 0: nobody
        ("cards", _i, (CARDS,)),
        ("mission", MISSION, (MISSIONS,)),
        ("gives", _i, (WIDE_MENU, ASSETS)),  # what the proposer of a trade gives
        ("wants", _i, (WIDE_MENU, ASSETS)),  # and gets
    ],
    FEATURES,
)


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """The RULES record for a player count, the switches and a parsed components file."""
    rules = empty(1, RULES)
    top = Entries(components, "polite_society components")
    one = rules[0]
    one.players = players
    one.missions = LEVELS.index(options["missions"])
    one.menu = (0, STANDARD_MENU, WIDE_MENU)[TRADES.index(options["trades"])]
    one.limited_bank = options["limited_bank"]
    one.mandatory_card = options["mandatory_card"]
    one.play_on = options["play_on"]
    one.seven_on_add = options["seven_on_add"]
    one.removal_losses = options["removal_losses"]
    _read_numbers(one, top)
    _read_seats(one, top)
    _read_guests(one, top)
    _read_cards(one, top)
    if one.missions:
        _read_missions(one, top)
    _fill_menu(one)
    return rules


def _per_asset(table: Entries, low: int, high: int) -> list[int]:
    for key in table.data:
        if key not in (*ASSET_NAMES, "source"):
            raise table.fail(key, f"only {', '.join(ASSET_NAMES)}")
    return [table.integer(name, low, high) for name in ASSET_NAMES]


def _read_numbers(one: Rules, top: Entries) -> None:
    setup, limits = top.table("setup"), top.table("limits")
    for key, value in (
        ("seats_per_table", SEATS), ("initial_guests_per_player", 2), ("faceup_guests_per_player", 2),
        ("invite_list_size", LIST), ("action_cards_drawn_per_turn", 2),
    ):  # fmt: skip
        if setup.integer(key) != value:
            raise setup.fail(key, f"{value}, which the rules here are written for")
    one.bank = _per_asset(top.table("bank"), 0, 1000)
    one.starting = _per_asset(setup.table("starting_assets"), 0, 10)
    for name, start in zip(ASSET_NAMES, one.starting, strict=True):
        if one.limited_bank and int(start) * int(one.players) > one.bank[ASSET_NAMES.index(name)]:
            raise top.table("bank").fail(name, f"at least {int(start) * int(one.players)} for the starting hands")
    one.ratio = setup.integer("bank_trade_ratio", 2, 20)
    one.improved_ratio = setup.integer("improved_bank_trade_ratio", 2, int(one.ratio))
    one.hand_limit = setup.integer("hand_limit_card_size", 0, 100)
    one.tokens = top.table("components").integer("indisposed_tokens", 0, PLAYERS * SEATS)
    one.max_offers = limits.integer("max_trade_offers_per_turn", 0, OFFERS)
    one.max_removals = limits.integer("self_removals_per_turn", 0, 8)
    one.max_turns = limits.integer("max_turns_missions" if one.missions else "max_turns_base", 1, 1000)


def _read_seats(one: Rules, top: Entries) -> None:
    one.seat_of[:] = -1
    for s, seat in enumerate(top.tables("seat", SEATS, SEATS)):
        numbers = seat.many_of("numbers", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12], 1, 3)
        for number in ([2, 3, 4, 5, 6, 8, 9, 10, 11, 12][k] for k in numbers):
            if one.seat_of[number] >= 0:
                raise seat.fail("numbers", f"numbers that no other seat has, but {number} is taken")
            one.seat_of[number] = s
            one.chance[s] += 6 - abs(number - 7)
        one.low[s], one.high[s] = min(seat.data["numbers"]), max(seat.data["numbers"])
        if seat.integer("chance_36") != one.chance[s]:
            raise seat.fail("chance_36", f"{int(one.chance[s])} for these numbers")


def _read_guests(one: Rules, top: Entries) -> None:
    guests = top.tables("guest", 2 * int(one.players), GUESTS)
    one.num_guests = len(guests)
    for g, entry in enumerate(guests):
        guest = one.guest[g]
        if entry.integer("id") != g + 1:
            raise entry.fail("id", f"{g + 1}: guests are numbered from 1 in the file's order")
        _words(guest.name, entry.text("name"))
        guest.cost = _per_asset(entry.table("cost"), 0, 9)
        guest.reward = _per_asset(entry.table("reward"), -4, 4)
        guest.price, guest.worth = guest.cost.sum(), guest.reward.sum()
        one.face[g + 1, 0], one.face[g + 1, 1:] = (g + 1) / GUESTS, guest.reward / 2
        entry.one_of("sex", SEXES)
        entry.one_of("status", STATUSES)
        entry.many_of("roles", ROLES)
        for key in ("work", "style"):
            entry.text(key)
        for key in ("families", "siblings"):
            names = entry.data.get(key)
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise entry.fail(key, "a list of names")


def _read_cards(one: Rules, top: Entries) -> None:
    for entry in top.tables("action", 1, 100):
        kind = list(Card)[entry.one_of("type", [card.name.lower() for card in Card])]
        asset = entry.one_of("asset", ASSET_NAMES) if kind in (Card.TWO_ASSETS, Card.IMPROVEMENT_SEVEN) else 0
        one.cards[kind + asset] += entry.integer("count", 0, 100)


def _read_missions(one: Rules, top: Entries) -> None:
    level = LEVELS[one.missions]
    for m, card in enumerate(top.tables("mission", MISSIONS, MISSIONS)):
        task = card.table(level)
        _words(one.mission[m].text, task.text("text"))
        clauses = task.tables("all", 1, CLAUSES)
        one.mission[m].clauses = len(clauses)
        for k, entry in enumerate(clauses):
            clause = one.mission[m].clause[k]
            clause.most = SEATS
            groups = _read_clause(one, clause, entry, top)
            if not 1 <= len(groups) <= GROUPS:
                raise entry.fail("kind", f"1 to {GROUPS} groups of guests; there are {len(groups)}")
            if clause.needed > len(groups):
                raise entry.fail("groups" if "groups" in entry.data else "min", f"at most {len(groups)}")
            clause.groups = len(groups)
            one.group[m, k, : len(groups)] = [sum(1 << g for g in group) for group in groups]


def _read_clause(one: Rules, clause: Any, entry: Entries, top: Entries) -> list[set[int]]:
    """Every kind of clause as: so many of these groups must have so many members each. Returns the groups."""
    guests: list[Mapping[str, Any]] = top.data["guest"]
    kind = CLAUSE_KINDS[entry.one_of("kind", CLAUSE_KINDS)]
    clause.needed, clause.least = 1, 1
    if kind == "rewards":
        assets = sorted(set(entry.many_of("assets", ASSET_NAMES, 1)))
        clause.needed = len(assets)
        return [{g for g in range(len(guests)) if one.guest[g].reward[a] > 0} for a in assets]
    least = entry.integer("min", 0, SEATS)
    if kind in ("works", "couples"):
        clause.needed = least
    else:
        clause.least = least
    if kind in ("works", "same_work"):
        return _groups([[guest["work"]] for guest in guests])
    if kind in ("families", "siblings"):
        clause.needed = entry.integer("groups", 1, GROUPS)
        return _groups([guest[kind] for guest in guests])
    if kind == "couples":
        clause.least = 2
        couples = top.tables("couple", 1, GROUPS)
        return [{couple.integer(who, 1, len(guests)) - 1 for who in ("lady", "gentleman")} for couple in couples]
    if "max" in entry.data:
        clause.most = entry.integer("max", least, SEATS)
    where = entry.table("where")
    return [{g for g, guest in enumerate(guests) if _fits(one.guest[g], guest, where)}]


def _groups(names: list[list[str]]) -> list[set[int]]:
    """Guests by name of their group, in order of appearance."""
    found: dict[str, set[int]] = {}
    for g, of_guest in enumerate(names):
        for name in of_guest:
            found.setdefault(name, set()).add(g)
    return list(found.values())


def _fits(numbers: Any, guest: Mapping[str, Any], where: Entries) -> bool:
    for key, wanted in where.data.items():
        if key == "sex":
            fits = guest["sex"] == wanted
        elif key == "role":
            fits = wanted in guest["roles"]
        elif key in ("style", "status") and isinstance(wanted, list):
            fits = guest[key] in wanted
        elif key == "reward_sum_max":
            fits = numbers.worth <= where.integer(key)
        elif key == "cost_sum_min":
            fits = numbers.price >= where.integer(key)
        else:
            raise where.fail(key, "one of sex, role, style (a list), status (a list), reward_sum_max, cost_sum_min")
        if not fits:
            return False
    return True


def _fill_menu(one: Rules) -> None:
    """Ordered pairs (give a, take b) 1 for 1, 2 for 1, 1 for 2; then a + b for c, and c for a + b."""
    pairs = [(a, b) for a in range(ASSETS) for b in range(ASSETS) if a != b]
    for k, (a, b) in enumerate(pairs):
        for block, (give, take) in enumerate(((1, 1), (2, 1), (1, 2))):
            one.gives[block * PAIRS + k, a] = give
            one.wants[block * PAIRS + k, b] = take
    triples = [(a, b, c) for a in range(ASSETS) for b in range(a + 1, ASSETS) for c in range(ASSETS) if c not in (a, b)]
    for k, (a, b, c) in enumerate(triples):
        two_for_one, one_for_two = STANDARD_MENU + k, STANDARD_MENU + TRIPLES + k
        one.gives[two_for_one, [a, b]] = 1
        one.wants[two_for_one, c] = 1
        one.gives[one_for_two, c] = 1
        one.wants[one_for_two, [a, b]] = 1


def _words(target: np.ndarray, text: str) -> None:
    """Write a text as UTF-8 bytes, cut to the field's length."""
    data = np.frombuffer(text.encode()[: len(target)], np.uint8)
    target[: len(data)] = data


def words(field: np.ndarray) -> str:
    """The text in a byte field of the RULES record."""
    return bytes(field).rstrip(b"\0").decode(errors="ignore")
