"""From components.toml to the RULES record: guests with their abilities, dice, the Bar's prices."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np

from banquet_envs.core.errors import ComponentsError
from banquet_envs.core.spec import Entries, member_names, rules_dtype
from banquet_envs.core.state import empty, packed
from banquet_envs.core.types import Rules

SEATS, STACKS, DICE, FACES = 6, 5, 3, 12
NUMBERS = range(2, SEATS + 1)  # of players
PER_BACK, STACK, NAME = 16, 9, 40
GUESTS = STACKS * PER_BACK + 1
"""Capacity of the guest list: Hitler, who is guest 0, and up to 16 guests of each back."""
TABLE = STACKS * STACK + 1
"""No Table can hold more guests than the stacks do, and Hitler."""
BAR_ROWS, BAR_CHOICES = 7, 4
HITLER = 0

OCCUPATIONS = ("Politics", "Art", "Science", "Economy", "Religion")
ARROWS = ("red", "none", "green")


# Vocabularies, as the components file writes them in small letters.


class Kind(IntEnum):
    """Kinds of abilities."""

    NONE = 0
    RESULT_MOD = 1
    ROLL_COUNT = 2
    REROLL_AFTER_LAST = 3
    ICON_VALUE = 4
    IGNORE_ARROWS = 5
    DRINK_VALUE = 6
    GIFT_DRINK = 7
    ENTERTAIN_TWICE = 8
    FAIL_WITHOUT_DRINK = 9
    CHARM_COST = 10
    BAR_BONUS = 11
    ARRIVAL_GAIN = 12
    ARRIVAL_DISCARD = 13
    ARRIVAL_HITLER = 14
    ARRIVAL_CLEAR_STACK = 15
    ARRIVAL_RESEAT = 16
    SCORE = 17


class Roll(IntEnum):
    """What is rolled for."""

    INVITE = 0
    ENTERTAIN = 1
    ANY = 2


class Who(IntEnum):
    """Whose rolls an ability changes."""

    YOU = 0
    CHARMED_OPPONENT = 1


class Target(IntEnum):
    """For which guests, as seen from the one with the ability."""

    SELF = 0
    OTHERS = 1
    NEIGHBOURS = 2
    ALL = 3


class Source(IntEnum):
    """Where that guest comes from."""

    ANYWHERE = 0
    LOBBY = 1
    TABLE = 2


class Condition(IntEnum):
    """When a result_mod counts."""

    NONE = 0
    ANOTHER_PLAYER_HAS_MORE_GUESTS = 1
    STASH_EMPTY = 2


class ScoreCondition(IntEnum):
    """When a Scoring Ability pays."""

    ALWAYS = 0
    ALL_OCCUPATIONS = 1
    NEIGHBOUR_OCCUPATION = 2
    MOST_GUESTS = 3
    AT_END = 4
    HAS_DRINK = 5


class BarCondition(IntEnum):
    """When a bar_bonus counts."""

    ALWAYS = 0
    INVITE_FAILED = 1


class Deed(IntEnum):
    """What an arriving guest does with Hitler."""

    PASS_ON = 0
    REMOVE = 1
    PLACE = 2
    TO_LOBBY = 3


class Drink(IntEnum):
    """Sorts of Drinks."""

    NONE = 0
    WATER = 1
    WINE = 2


DRINKS = len(Drink)


FEATURES = (
    *(
        "phase",
        "clock",
        "seat_to_move",
        "active",
        "stock",
        "drink_worth",
        "table",
        "occupations",
        "ends",
        "stacks",
        "dice",
    ),
    *("roll", "placing", "bar", "guest"),
)
"""The slices of the observation (observation.py)."""

_h = np.int16
ABILITY = packed(
    [
        ("kind", _h),  # a Kind
        ("amount", _h),  # the kind's number: points, dice, rolls, icons, Envelopes ...
        ("roll", _h),  # a Roll
        ("who", _h),  # a Who
        ("target", _h),  # a Target
        ("occupation", _h),  # one of OCCUPATIONS, -1 any
        ("min_demand", _h),
        ("source", _h),  # a Source
        ("condition", _h),  # a Condition, ScoreCondition or BarCondition
        ("per_guest", _h),  # 1: amount times the guests at the Table
        ("drink", _h),  # a Drink
        ("water", _h),
        ("wine", _h),
        ("envelopes", _h),
        ("deed", _h),  # a Deed
        ("optional", _h),
    ]
)
GUEST = packed(
    [
        ("demand", _h),
        ("arrows", _h),  # 1 green, -1 red
        ("back", _h),  # which stack
        ("occupations", _h),  # bit set
        ("worth", _h),  # points for having the guest
        ("ability", ABILITY),
        ("name", _h, (NAME,)),  # code points, 0 at the end
    ]
)
RULES = rules_dtype(
    [
        # options
        ("charm_hitler", np.int32),
        ("first_charm", np.int32),  # 0: from round 2 on; 1: only the start player's first turn is barred
        ("hitler_in_ties", np.int32),
        # dice: a face is its number, 0 is a Drink icon
        ("faces", np.int32, (FACES,)),
        ("num_faces", np.int32),
        ("arrow_bonus", np.int32),
        ("drink_worth", np.int32, (DRINKS,)),
        ("base_rolls", np.int32),
        ("min_rolls", np.int32),
        ("occupation_points", np.int32, (len(OCCUPATIONS) + 1,)),
        ("empty_stacks_to_end", np.int32),
        ("max_rounds", np.int32),
        ("stack_height", np.int32),
        ("envelopes", np.int32),
        ("start_drinks", np.int32),  # Water for everybody
        # the Bar: [icons, choice] -> Water and Wine
        ("bar", np.int32, (BAR_ROWS, BAR_CHOICES, 2)),
        ("bar_choices", np.int32, (BAR_ROWS,)),
        ("bar_rows", np.int32),
        ("num_guests", np.int32),  # Hitler included
        ("guests", GUEST, (GUESTS,)),
    ],
    FEATURES,
)

Ability: TypeAlias = Any
"""A record of ABILITY."""
Guest: TypeAlias = Any
"""A record of GUEST."""


_INT = (-20, 20)
_COUNT = (0, 9)
_PARAMS: dict[str, dict[str, Any]] = {
    "result_mod": {
        "roll": member_names(Roll), "who": member_names(Who), "target": member_names(Target), "amount": _INT,
        "occupation?": OCCUPATIONS, "min_demand?": (0, 40), "source?": ("lobby", "table"),
        "condition?": member_names(Condition)[1:], "per?": ("guest_at_table",),
    },
    "roll_count": {"roll": member_names(Roll), "who": member_names(Who), "delta": (-9, 9)},
    "reroll_after_last": {"roll": member_names(Roll), "dice": (1, DICE)},
    "icon_value": {"value": (-9, 9)},
    "ignore_arrows": {"target": ("self", "all")},
    "drink_value": {"drink": member_names(Drink)[1:], "bonus": _INT},
    "gift_drink": {},
    "entertain_twice": {},
    "fail_without_drink": {},
    "charm_cost": {"extra": _COUNT},
    "bar_bonus": {"icons": _COUNT, "condition": member_names(BarCondition)},
    "arrival_gain": {"water": _COUNT, "wine": _COUNT, "envelopes": _COUNT},
    "arrival_discard": {"who": ("each_opponent",), "drinks": _COUNT},
    "arrival_hitler": {"action": member_names(Deed), "optional": bool},
    "arrival_clear_stack": {"optional": bool},
    "arrival_reseat": {"count": (1, 9), "optional": bool},
    "score": {"points": _INT, "condition": member_names(ScoreCondition), "occupation?": OCCUPATIONS},
}  # fmt: skip
_FIELD = {
    "delta": "amount", "dice": "amount", "value": "amount", "bonus": "amount", "extra": "amount", "icons": "amount",
    "drinks": "amount", "count": "amount", "points": "amount", "per": "per_guest", "action": "deed",
}  # fmt: skip


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """The RULES record for a player count, the options and a parsed components file."""
    rules = empty(1, RULES)
    one = rules[0]
    top = Entries(components, "dinner_party components")
    one.players = players
    one.charm_hitler = options["charm_hitler"]
    one.first_charm = options["first_charm"] == "start_player_waits"
    one.hitler_in_ties = options["hitler_in_ties"]
    _read_setup(one, top.table("setup"))
    _read_values(one, top.table("rules"))
    _read_dice(one, top.table("dice"), options["dice"])
    _read_bar(one, top.table("bar"))
    _read_hitler(one, top.table("hitler"))
    _read_guests(one, top)
    return rules


def guest_name(rules: Rules, guest: int) -> str:
    """The name on a guest's card."""
    return "".join(chr(c) for c in rules.guests[guest].name if c)


def _read_setup(one: Rules, setup: Entries) -> None:
    if setup.integer("stacks") != STACKS:
        raise setup.fail("stacks", f"{STACKS}, one for each back")
    plus = setup.integer("stack_size_per_player_plus", 1 - int(one.players), STACK)
    one.stack_height = int(one.players) + plus
    if one.stack_height > STACK:
        raise setup.fail("stack_size_per_player_plus", f"stacks of at most {STACK} cards with {one.players} players")
    one.envelopes = setup.integer("envelopes_per_player", 0, 30)
    one.start_drinks = setup.integer("start_drinks", 0, 9)


def _read_values(one: Rules, values: Entries) -> None:
    for barred in ("charm_in_first_round", "hitler_can_be_charmed", "hitler_counts_for_tiebreak"):
        if barred in values.data:
            raise values.fail(
                barred, "nothing: this is an option of make_game (first_charm, charm_hitler, hitler_in_ties)"
            )
    one.arrow_bonus = values.integer("arrow_bonus", 0, 9)
    one.drink_worth[Drink.WATER] = values.integer("water_value", 0, 20)
    one.drink_worth[Drink.WINE] = values.integer("wine_value", 0, 20)
    one.min_rolls = values.integer("min_rolls", 1, 9)
    one.base_rolls = values.integer("base_rolls", int(one.min_rolls), 9)
    points = values.data.get("occupation_points")
    if not isinstance(points, list) or len(points) != len(one.occupation_points) or not all(map(_whole, points)):
        raise values.fail("occupation_points", "six whole numbers: for 0 to 5 different occupations")
    one.occupation_points = points
    one.guests["worth"] = values.integer("points_per_guest", 0, 9)
    one.empty_stacks_to_end = values.integer("empty_stacks_to_end", 1, STACKS)
    one.max_rounds = values.integer("max_rounds", 1, 500)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 99


def _read_dice(one: Rules, dice: Entries, wanted: str) -> None:
    """The faces of the chosen dice set."""
    if dice.integer("count") != DICE:
        raise dice.fail("count", f"{DICE}")
    chosen = dice
    if wanted != "standard":
        found = [d for d in dice.tables("alternatives") if d.text("id") == wanted]
        if not found:
            raise dice.fail("alternatives", f"a table with id {wanted!r}, because the option dice={wanted!r} is chosen")
        chosen = found[0]
    names = [*"123456789", "drink"]
    faces = chosen.many_of("faces", names, 2, FACES)
    one.num_faces = len(faces)
    one.faces[: len(faces)] = [0 if names[f] == "drink" else f + 1 for f in faces]


def _read_bar(one: Rules, bar: Entries) -> None:
    """One line of alternatives for every number of icons, without gaps."""
    count = sum(f"icons_{k}" in bar.data for k in range(BAR_ROWS))
    if not DICE < count or len(bar.data) != count or any(f"icons_{k}" not in bar.data for k in range(count)):
        raise ComponentsError(f"{bar.path}: expected lines icons_0 to icons_3 or further, up to icons_{BAR_ROWS - 1}")
    one.bar_rows = count
    for k in range(count):
        line = bar.data[f"icons_{k}"]
        pairs = isinstance(line, list) and all(
            isinstance(pair, list) and len(pair) == 2 and all(map(_whole, pair)) for pair in line
        )
        if not pairs or not 1 <= len(line) <= BAR_CHOICES:
            raise bar.fail(f"icons_{k}", f"1 to {BAR_CHOICES} pairs [Water, Wine]")
        if k == 0 and line != [[0, 0]]:
            raise bar.fail("icons_0", "[[0, 0]], for without icons nothing can be taken")
        one.bar_choices[k] = len(line)
        one.bar[k, : len(line)] = line


def _read_hitler(one: Rules, entry: Entries) -> None:
    """Guest 0. The side of his card depends on the number of players."""
    guest = one.guests[HITLER]
    _read_name(guest, entry)
    guest.arrows = entry.one_of("arrows", ARROWS) - 1
    guest.worth = entry.integer("points", -20, 20)
    guest.back = -1
    if entry.data.get("occupations") != []:
        raise entry.fail("occupations", "an empty list")
    found = 0
    for side in entry.tables("sides"):
        demand = side.integer("demand", -20, 40)
        if int(one.players) in (NUMBERS[k] for k in side.many_of("players", NUMBERS, 1)):
            guest.demand = demand
            found += 1
    if found != 1:
        raise entry.fail("sides", f"exactly one side for {one.players} players")
    _read_ability(guest, entry)
    if guest.ability.kind != Kind.ARRIVAL_HITLER or guest.ability.deed != Deed.PASS_ON:
        raise entry.table("ability").fail("action", "'pass_on', of kind 'arrival_hitler'")


def _read_guests(one: Rules, top: Entries) -> None:
    backs = [b.text("id") for b in top.tables("backs", STACKS, STACKS)]
    guests = top.tables("guests", 1, GUESTS - 1)
    one.num_guests = len(guests) + 1
    for k, entry in enumerate(guests):
        guest = one.guests[k + 1]
        _read_name(guest, entry)
        guest.demand = entry.integer("demand", -20, 40)
        guest.arrows = entry.one_of("arrows", ARROWS) - 1
        guest.back = entry.one_of("back", backs)
        for occupation in entry.many_of("occupations", OCCUPATIONS, 0, len(OCCUPATIONS)):
            guest.occupations |= 1 << occupation
        if "ability" in entry.data:
            _read_ability(guest, entry)
            if guest.ability.kind == Kind.ARRIVAL_HITLER and guest.ability.deed == Deed.PASS_ON:
                raise entry.table("ability").fail("action", "'remove', 'place' or 'to_lobby' for a guest")
    _check_deck(one, top, backs)


def _check_deck(one: Rules, top: Entries, backs: list[str]) -> None:
    """Enough cards of every back, not too many, and one giver of Drinks at most."""
    present = one.guests[1 : one.num_guests]
    for k, name in enumerate(backs):
        count = int((present["back"] == k).sum())
        if not one.stack_height <= count <= PER_BACK:
            raise ComponentsError(
                f"{top.path}: entry 'guests': expected {one.stack_height} to {PER_BACK} guests of back {name!r}"
                f" with {one.players} players, found {count}"
            )
    givers = int((present["ability"]["kind"] == Kind.GIFT_DRINK).sum())
    if givers > 1:
        raise ComponentsError(f"{top.path}: entry 'guests': expected at most one gift_drink ability, found {givers}")


def _read_name(guest: Guest, entry: Entries) -> None:
    name = entry.text("name")
    if not 0 < len(name) <= NAME or max(map(ord, name)) > 0x7FFF or min(map(ord, name)) < 32:
        raise entry.fail("name", f"1 to {NAME} printable characters")
    guest.name[: len(name)] = [ord(c) for c in name]


def _read_ability(guest: Guest, entry: Entries) -> None:
    """The kind, and every parameter that the kind knows; anything else is refused."""
    data = entry.table("ability")
    kinds, ability = member_names(Kind)[1:], guest.ability
    ability.kind = data.one_of("kind", kinds) + 1
    kind = kinds[ability.kind - 1]
    ability.occupation = -1
    params = _PARAMS[kind]
    known = {name.rstrip("?") for name in params}
    for name in data.data:
        if name != "kind" and name not in known:
            raise data.fail(name, f"only the parameters of {kind}: {', '.join(sorted(known)) or 'none'}")
    for name, allowed in params.items():
        if not name.endswith("?") or name.rstrip("?") in data.data:
            key = name.rstrip("?")
            ability[_FIELD.get(key, key)] = _parameter(data, kind, key, allowed)
    _check_ability(ability, data)


def _parameter(data: Entries, kind: str, key: str, allowed: Any) -> int:
    """One parameter as the number that the RULES record holds."""
    if allowed is bool:
        return int(data.flag(key))
    if isinstance(allowed[0], int):
        return data.integer(key, *allowed)
    place = data.one_of(key, allowed)
    if key in ("source", "per", "drink") or (key, kind) == ("condition", "result_mod"):
        return place + 1  # 0 stands for none
    if (key, kind) == ("target", "ignore_arrows"):
        return (Target.SELF, Target.ALL)[place]
    return place


def _check_ability(ability: Ability, data: Entries) -> None:
    if (
        ability.kind in (Kind.RESULT_MOD, Kind.ROLL_COUNT)
        and ability.who == Who.CHARMED_OPPONENT
        and ability.roll == Roll.INVITE
    ):
        raise data.fail("roll", "'entertain' or 'any', for a charmed opponent does not invite")
    if (
        ability.kind == Kind.RESULT_MOD
        and ability.who == Who.CHARMED_OPPONENT
        and ability.target not in (Target.OTHERS, Target.ALL)
    ):
        raise data.fail("target", "'others' or 'all' with who = 'charmed_opponent'")
    if ability.kind == Kind.SCORE and (ability.occupation >= 0) != (
        ability.condition == ScoreCondition.NEIGHBOUR_OCCUPATION
    ):
        raise data.fail("occupation", "an occupation exactly when the condition is 'neighbour_occupation'")
