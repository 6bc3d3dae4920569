"""From components.toml to the RULES record: the menu, the guests with their appetites and abilities, the Faux Pas."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from banquet_envs.core.errors import ComponentsError
from banquet_envs.core.spec import Entries, member_names, rules_dtype
from banquet_envs.core.state import empty, packed
from banquet_envs.core.types import Cells, Rules

PLAYERS, SEATS, HAND, KINDS, COURSES = 4, 3, 6, 5, 6
MAX_GUESTS, MAX_APPETITES, MAX_FAUX_PAS, MAX_COUNT = 40, 6, 16, 6
NAME = 28


class Kind(IntEnum):
    """The kinds of tokens, as the components file names them in small letters."""

    FOOD = 0
    WINE = 1
    DESSERT = 2
    COMPLIMENT = 3
    DRAMA = 4


class Icon(IntEnum):
    """When an ability is used by an action or on leaving, likewise."""

    NONE = 0
    PLATE = 1
    DOOR = 2


class Trigger(IntEnum):
    """What sets an ability off, likewise."""

    PLATE = 0
    DOOR = 1
    SEATED = 2
    RECEIVES = 3
    NEIGHBOUR_RECEIVES = 4
    WOULD_RECEIVE = 5
    SOCIAL = 6
    COURSE_START = 7
    NEIGHBOUR_LEAVES = 8


class Ability(IntEnum):
    """What an ability does, likewise."""

    GIVE = 0
    TAKE_PLATTER = 1
    SWAP = 2
    EXCHANGE = 3
    CLEAR = 4
    SEND_HOME = 5
    STASH = 6
    REFUSE = 7


class Target(IntEnum):
    """Whom it touches, likewise."""

    SELF = 0
    ONE_NEIGHBOUR = 1
    BOTH_NEIGHBOURS = 2
    OTHER_NEIGHBOUR = 3
    SELF_OR_NEIGHBOUR = 4
    EACH_OWN = 5
    OWN_SPREAD = 6
    ONE_OWN = 7
    ONE_ANY = 8
    OWNER = 9
    SELF_NEIGHBOUR = 10
    OWN_OWN = 11
    NEIGHBOUR_NEIGHBOUR = 12


class Condition(IntEnum):
    """When it may be used at all, likewise."""

    ALWAYS = 0
    MOST = 1
    CONTENT = 2


class FauxPas(IntEnum):
    """What a Faux Pas scores for, likewise."""

    MOST = 0
    SETS = 1
    FIRST_TO = 2
    FIRST_SET = 3


KIND_NAMES = member_names(Kind)
COLOUR_NAMES = (*KIND_NAMES, "joker")
COLOURS, JOKER = KINDS + 1, KINDS

# A guest's card in observations: present, number, appetites by colour, then the ability: plate, door, what it does,
# count, kinds of tokens, whom it touches, whether it needs the most of a kind.
CARD_APPETITES = 2
CARD_ABILITY = CARD_APPETITES + COLOURS
SHOWN_KIND = 2
SHOWN_COUNT = SHOWN_KIND + len(Ability)
SHOWN_TOKENS = SHOWN_COUNT + 1
SHOWN_TARGET = SHOWN_TOKENS + KINDS
ABILITY_SIZE = SHOWN_TARGET + 4
CARD_SIZE = CARD_ABILITY + ABILITY_SIZE

_SINGLE = (Target.SELF, Target.ONE_NEIGHBOUR, Target.SELF_OR_NEIGHBOUR, Target.ONE_OWN, Target.ONE_ANY)
_MANY = (Target.BOTH_NEIGHBOURS, Target.EACH_OWN)
ALLOWED_TARGETS = {
    Ability.GIVE: (*_SINGLE, *_MANY, Target.OTHER_NEIGHBOUR),
    Ability.TAKE_PLATTER: (*_SINGLE, *_MANY, Target.OWN_SPREAD),
    Ability.SWAP: (Target.SELF_NEIGHBOUR, Target.OWN_OWN, Target.NEIGHBOUR_NEIGHBOUR),
    Ability.EXCHANGE: (*_SINGLE, *_MANY),
    Ability.CLEAR: _SINGLE,
    Ability.SEND_HOME: _SINGLE,
    Ability.STASH: (Target.OWNER,),
    Ability.REFUSE: (Target.SELF,),
}
NEEDS_TOKENS = (Ability.GIVE, Ability.TAKE_PLATTER, Ability.EXCHANGE, Ability.STASH)

FEATURES = (
    *(
        "phase",
        "stage",
        "seat_to_move",
        "active",
        "course",
        "platter",
        "to_come",
        "last_taker",
        "half",
        "plate_used",
        "began",
    ),
    *("hand_size", "stash", "points", "lead", "faux_pas", "own_faux_pas", "own_keep", "faux_pas_points", "asking_kind"),
    *(
        "asking_guest",
        "asking_other",
        "asking_user",
        "asking_ability",
        "last_row",
        "guest",
        "card",
        "holds",
        "seen",
        "gone",
    ),
)
"""The slices of the observation (observation.py)."""

MODES = ("casual", "normal", "faux_pas", "draft", "advanced")

_i = np.int32
_f = np.float32
GUEST = packed(
    [
        ("appetite", _i, (MAX_APPETITES,)),  # colours, 5 is the joker, -1 beyond `appetites`
        ("appetites", _i),
        ("icon", _i),  # an Icon
        ("trigger", _i),  # a Trigger
        ("kind", _i),  # an Ability
        ("tokens", _i, (KINDS,)),  # 1: this kind may be given, taken or added
        ("same", _i),  # 1: the kind of the action that set it off
        ("count", _i),
        ("target", _i),  # a Target
        ("trigger_tokens", _i, (KINDS,)),
        ("opponent_only", _i),
        ("condition", _i),  # a Condition
        ("condition_tokens", _i, (KINDS,)),
        ("name", _i, (NAME,)),  # code points, 0 beyond the end
    ]
)
FAUX_PAS = packed(
    [
        ("at_end", _i),
        ("kind", _i),  # a FauxPas
        ("kinds", _i),  # how many kinds it looks at
        ("token", _i, (KINDS,)),  # which ones, ascending; -1 beyond
        ("count", _i),
        ("points", _i),
        ("name", _i, (NAME,)),
    ]
)
RULES = rules_dtype(
    [
        ("abilities", _i),  # 0: casual mode
        ("faux_pas_used", _i),
        ("draft", _i),
        ("swapper_places", _i),
        ("hand_size", _i),
        ("seats", _i),
        ("token_points", _i),
        ("content_bonus", _i),
        ("plate_uses", _i),
        ("menu", _i, (COURSES, KINDS)),
        ("to_come", _i, (COURSES, KINDS)),  # tokens of all later courses
        ("course_name", _i, (COURSES, NAME)),
        ("num_guests", _i),
        ("guests", GUEST, (MAX_GUESTS,)),
        ("card", _f, (MAX_GUESTS + 1, CARD_SIZE)),  # the guests as observations show them; the last, or -1, is blank
        ("num_faux_pas", _i),
        ("faux_pas", FAUX_PAS, (MAX_FAUX_PAS,)),
    ],
    FEATURES,
)


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """The RULES record for a player count, the switches and a parsed components file."""
    rules = empty(1, RULES)
    one = rules[0]
    top = Entries(components, "surrealist_dinner_party components")
    mode = options["mode"]
    one.players = players
    one.abilities = mode != "casual"
    one.faux_pas_used = mode in ("faux_pas", "advanced")
    one.draft = mode in ("draft", "advanced")
    one.swapper_places = options["swap_places"] == "swapper"
    _read_numbers(one, top)
    one.draft = one.draft and one.hand_size > 1
    _read_menu(one, top)
    _read_guests(one, top)
    _read_faux_pas(one, top)
    return rules


def _read_numbers(one: Rules, top: Entries) -> None:
    tokens = top.table("tokens")
    if tokens.data.get("kinds") != list(KIND_NAMES):
        raise tokens.fail("kinds", f"the five kinds {list(KIND_NAMES)}")
    numbers = top.table("rules")
    one.hand_size = numbers.integer("hand_size", 1, HAND)
    one.seats = numbers.integer("seats_per_player", 1, SEATS)
    one.token_points = numbers.integer("points_per_token", 1, 10)
    one.content_bonus = numbers.integer("perfectly_content_bonus", 0, 6)
    one.plate_uses = numbers.integer("plate_uses_per_course", 0, 3)
    for key, value in (("faux_pas_dealt", 2), ("faux_pas_kept_min", 1), ("faux_pas_kept_max", 2)):
        numbers.integer(key, value, value)


def _read_menu(one: Rules, top: Entries) -> None:
    courses = top.tables("courses", COURSES, COURSES)
    for k, course in enumerate(courses):
        course.integer("order", k + 1, k + 1)
        _write_name(one.course_name[k], course)
        for players in range(2, PLAYERS + 1):
            mine = players == int(one.players)
            if mine or f"players_{players}" in course.data:  # the others are only looked at
                _read_courses_tokens(
                    one.menu[k] if mine else np.zeros(KINDS, np.int64), course.table(f"players_{players}")
                )
        if not 1 <= one.menu[k].sum() <= 40:
            raise course.fail(f"players_{one.players}", "1 to 40 tokens in all")
    for k in range(COURSES):
        one.to_come[k] = one.menu[k + 1 :].sum(axis=0)


def _read_courses_tokens(menu: Cells, counts: Entries) -> None:
    """Write how many tokens of each kind a course has."""
    for kind in counts.data:
        if kind not in KIND_NAMES:
            raise counts.fail(kind, f"kinds among {list(KIND_NAMES)}")
        menu[KIND_NAMES.index(kind)] = counts.integer(kind, 0, 40)


def _write_name(target: Cells, entry: Entries) -> None:
    name = entry.text("name")
    if not 1 <= len(name) <= NAME:
        raise entry.fail("name", f"1 to {NAME} characters")
    target[:] = 0
    target[: len(name)] = [ord(c) for c in name]


def _read_guests(one: Rules, top: Entries) -> None:
    least = int(one.players) * int(one.hand_size)
    entries = top.tables("guests", least, MAX_GUESTS)
    _check_ids(top, "guests", entries)
    one.num_guests = len(entries)
    for g, entry in enumerate(entries):
        guest = one.guests[g]
        _write_name(guest.name, entry)
        appetites = entry.many_of("appetites", COLOUR_NAMES, 1, MAX_APPETITES)
        guest.appetite[:] = -1
        guest.appetites = len(appetites)
        guest.appetite[: guest.appetites] = sorted(appetites)
        guest.icon = entry.one_of("icon", member_names(Icon))
        _read_ability(guest, entry)
        _show_card(one, g)


def _check_ids(top: Entries, key: str, entries: list[Entries]) -> None:
    ids = [e.text("id") for e in entries]
    for k, name in enumerate(ids):
        if name in ids[:k]:
            raise ComponentsError(f"{top.path}: entry '{key}': the id {name!r} occurs twice")


def _read_ability(guest: Rules, entry: Entries) -> None:
    """One ability, with every combination refused that could not mean anything."""
    ability = entry.table("ability")
    trigger, kind = ability.one_of("trigger", member_names(Trigger)), ability.one_of("kind", member_names(Ability))
    guest.trigger, guest.kind = trigger, kind
    icon = Icon.PLATE if trigger == Trigger.PLATE else Icon.DOOR if trigger == Trigger.DOOR else Icon.NONE
    if guest.icon != icon:
        raise ability.fail("trigger", f"one that goes with the icon {member_names(Icon)[guest.icon]!r}")
    if (kind == Ability.REFUSE) != (trigger == Trigger.WOULD_RECEIVE):
        raise ability.fail("kind", "'refuse' with the trigger 'would_receive', and only there")
    guest.target = ability.one_of("target", member_names(Target))
    allowed = ALLOWED_TARGETS[Ability(kind)]
    if guest.target not in allowed:
        raise ability.fail(
            "target", f"one of {[member_names(Target)[k] for k in allowed]} for {member_names(Ability)[kind]!r}"
        )
    if guest.target == Target.OTHER_NEIGHBOUR and trigger != Trigger.SOCIAL:
        raise ability.fail("target", "'other_neighbour' only with the trigger 'social'")
    guest.count = ability.integer(
        "count", 1, 1 if kind in (Ability.SWAP, Ability.SEND_HOME, Ability.REFUSE) else MAX_COUNT
    )
    if kind in NEEDS_TOKENS:
        _read_tokens(guest, ability, trigger, kind)
    if trigger in (Trigger.RECEIVES, Trigger.NEIGHBOUR_RECEIVES, Trigger.WOULD_RECEIVE):
        for k in ability.many_of("trigger_tokens", KIND_NAMES, 1, KINDS):
            guest.trigger_tokens[k] = 1
    if "source" in ability.data:
        ability.one_of("source", ("opponent",))
        guest.opponent_only = 1
    if "condition" in ability.data:
        condition = ability.table("condition")
        guest.condition = condition.one_of("kind", member_names(Condition))
        if guest.condition == Condition.MOST:
            for k in condition.many_of("any_of", KIND_NAMES, 1, KINDS):
                guest.condition_tokens[k] = 1
        if guest.condition == Condition.CONTENT and trigger != Trigger.DOOR:
            raise condition.fail("kind", "'content' only with the trigger 'door'")


def _read_tokens(guest: Rules, ability: Entries, trigger: int, kind: int) -> None:
    if ability.data.get("tokens") == ["same"]:
        if trigger != Trigger.SOCIAL or kind != Ability.GIVE:
            raise ability.fail("tokens", "'same' only to give with the trigger 'social'")
        guest.same = 1
        return
    for k in ability.many_of("tokens", KIND_NAMES, 1, KINDS):
        guest.tokens[k] = 1


def most_tokens(rules: Rules) -> int:
    """Tokens in a stash, at most: of the largest guests, with every bonus and the best additions.

    What a guest adds time and again (no door, and not on being seated) has no bound but that of the field.
    """
    guests = rules.guests[: int(rules.num_guests)]
    hand = int(rules.hand_size)
    adds = [int(g.count) for g in guests if g.kind == Ability.STASH and rules.abilities]
    if any(g.kind == Ability.STASH and g.trigger not in (Trigger.DOOR, Trigger.SEATED) for g in guests) and adds:
        return int(np.iinfo(np.int16).max) // int(rules.token_points)
    sizes = sorted((int(g.appetites) for g in guests), reverse=True)
    return sum(sizes[:hand]) + hand * int(rules.content_bonus) + sum(sorted(adds, reverse=True)[:hand])


def _show_card(one: Rules, g: int) -> None:
    """The observation's features of a guest, worked out once: present, number, appetites, and the ability if in use."""
    guest, card = one.guests[g], one.card[g]
    card[0] = 1
    card[1] = (g + 1) / one.num_guests
    for colour in guest.appetite[: guest.appetites]:
        card[CARD_APPETITES + colour] += 0.5
    if one.abilities:
        _show_ability(guest, card[CARD_ABILITY:])


def _show_ability(guest: Rules, ability: np.ndarray) -> None:
    shown, target = ability[SHOWN_TARGET:], guest.target
    own = (Target.EACH_OWN, Target.OWN_SPREAD, Target.ONE_OWN, Target.OWN_OWN)
    ability[0], ability[1] = guest.icon == Icon.PLATE, guest.icon == Icon.DOOR
    ability[SHOWN_KIND + guest.kind] = 1
    ability[SHOWN_COUNT] = guest.count / 3
    ability[SHOWN_TOKENS:SHOWN_TARGET] = guest.tokens
    shown[0] = target in (Target.SELF, Target.SELF_OR_NEIGHBOUR, Target.SELF_NEIGHBOUR)
    shown[1] = target in own
    shown[2] = target not in (Target.SELF, *own, Target.OWNER)
    shown[3] = guest.condition == Condition.MOST


def _read_faux_pas(one: Rules, top: Entries) -> None:
    entries = top.tables("faux_pas", 2 * int(one.players) if one.faux_pas_used else 0, MAX_FAUX_PAS)
    _check_ids(top, "faux_pas", entries)
    one.num_faux_pas = len(entries)
    for k, entry in enumerate(entries):
        card = one.faux_pas[k]
        _write_name(card.name, entry)
        card.at_end = entry.one_of("when", ("during", "end"))
        card.kind = entry.one_of("kind", member_names(FauxPas))
        if card.at_end != (card.kind in (FauxPas.MOST, FauxPas.SETS)):
            raise entry.fail("when", "'end' for most and sets, 'during' for first_to and first_set")
        kinds = sorted(set(entry.many_of("tokens", KIND_NAMES, 1, KINDS)))
        card.kinds = len(kinds)
        card.token[:] = -1
        card.token[: card.kinds] = kinds
        card.count = entry.integer("count", 1, 20) if not card.at_end else 0
        card.points = entry.integer("points", 0, 20)
