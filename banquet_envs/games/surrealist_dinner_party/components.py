"""From components.toml to the RULES record: the menu, the guests with their appetites and abilities, the Faux Pas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from banquet_envs.core.errors import ComponentsError
from banquet_envs.core.spec import Entries, rules_dtype
from banquet_envs.core.state import empty, packed

PLAYERS, SEATS, HAND, KINDS, COURSES = 4, 3, 6, 5, 6
MAX_GUESTS, MAX_APPETITES, MAX_FAUX_PAS, MAX_COUNT = 40, 6, 16, 6
NAME = 28

KIND_NAMES = ("food", "wine", "dessert", "compliment", "drama")
FOOD, WINE, DESSERT, COMPLIMENT, DRAMA = range(KINDS)
COLOUR_NAMES = (*KIND_NAMES, "joker")
COLOURS, JOKER = KINDS + 1, KINDS
ABILITY_SIZE = 20
CARD_SIZE = 2 + COLOURS + ABILITY_SIZE

ICONS = ("none", "plate", "door")
NO_ICON, PLATE_ICON, DOOR_ICON = range(3)
TRIGGERS = (
    "plate", "door", "seated", "receives", "neighbour_receives", "would_receive", "social", "course_start",
    "neighbour_leaves",
)  # fmt: skip
(
    AT_PLATE, AT_DOOR, WHEN_SEATED, WHEN_RECEIVES, WHEN_NEIGHBOUR_RECEIVES, WHEN_WOULD_RECEIVE, WHEN_SOCIAL,
    AT_COURSE_START, WHEN_NEIGHBOUR_LEAVES,
) = range(9)  # fmt: skip
ABILITIES = ("give", "take_platter", "swap", "exchange", "clear", "send_home", "stash", "refuse")
GIVE, TAKE_PLATTER, SWAP, EXCHANGE, CLEAR, SEND_HOME, STASH, REFUSE = range(8)
TARGETS = (
    "self", "one_neighbour", "both_neighbours", "other_neighbour", "self_or_neighbour", "each_own", "own_spread",
    "one_own", "one_any", "owner", "self_neighbour", "own_own", "neighbour_neighbour",
)  # fmt: skip
(
    SELF, ONE_NEIGHBOUR, BOTH_NEIGHBOURS, OTHER_NEIGHBOUR, SELF_OR_NEIGHBOUR, EACH_OWN, OWN_SPREAD,
    ONE_OWN, ONE_ANY, OWNER, SELF_NEIGHBOUR, OWN_OWN, NEIGHBOUR_NEIGHBOUR,
) = range(13)  # fmt: skip
CONDITIONS = ("always", "most", "content")
ALWAYS, IF_MOST, IF_CONTENT = range(3)

_SINGLE = ("self", "one_neighbour", "self_or_neighbour", "one_own", "one_any")
_MANY = ("both_neighbours", "each_own")
ALLOWED_TARGETS = {
    "give": (*_SINGLE, *_MANY, "other_neighbour"),
    "take_platter": (*_SINGLE, *_MANY, "own_spread"),
    "swap": ("self_neighbour", "own_own", "neighbour_neighbour"),
    "exchange": (*_SINGLE, *_MANY),
    "clear": _SINGLE,
    "send_home": _SINGLE,
    "stash": ("owner",),
    "refuse": ("self",),
}
NEEDS_TOKENS = ("give", "take_platter", "exchange", "stash")

FAUX_PAS_KINDS = ("most", "sets", "first_to", "first_set")
MOST, SETS, FIRST_TO, FIRST_SET = range(4)

MODES = ("casual", "normal", "faux_pas", "draft", "advanced")

_i = np.int32
_f = np.float32
GUEST = packed(
    [
        ("appetite", _i, (MAX_APPETITES,)),  # colours, 5 is the joker, -1 beyond `appetites`
        ("appetites", _i),
        ("icon", _i),
        ("trigger", _i),
        ("kind", _i),
        ("tokens", _i, (KINDS,)),  # 1: this kind may be given, taken or added
        ("same", _i),  # 1: the kind of the action that set it off
        ("count", _i),
        ("target", _i),
        ("trigger_tokens", _i, (KINDS,)),
        ("opponent_only", _i),
        ("condition", _i),
        ("condition_tokens", _i, (KINDS,)),
        ("name", _i, (NAME,)),  # code points, 0 beyond the end
    ]
)
FAUX_PAS = packed(
    [
        ("at_end", _i),
        ("kind", _i),
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
    ]
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


def _read_numbers(one: Any, top: Entries) -> None:
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


def _read_menu(one: Any, top: Entries) -> None:
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


def _read_courses_tokens(menu: Any, counts: Entries) -> None:
    """Write how many tokens of each kind a course has."""
    for kind in counts.data:
        if kind not in KIND_NAMES:
            raise counts.fail(kind, f"kinds among {list(KIND_NAMES)}")
        menu[KIND_NAMES.index(kind)] = counts.integer(kind, 0, 40)


def _write_name(target: Any, entry: Entries) -> None:
    name = entry.text("name")
    if not 1 <= len(name) <= NAME:
        raise entry.fail("name", f"1 to {NAME} characters")
    target[:] = 0
    target[: len(name)] = [ord(c) for c in name]


def _read_guests(one: Any, top: Entries) -> None:
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
        guest.icon = entry.one_of("icon", ICONS)
        _read_ability(guest, entry)
        _show_card(one, g)


def _check_ids(top: Entries, key: str, entries: list[Entries]) -> None:
    ids = [e.text("id") for e in entries]
    for k, name in enumerate(ids):
        if name in ids[:k]:
            raise ComponentsError(f"{top.path}: entry '{key}': the id {name!r} occurs twice")


def _read_ability(guest: Any, entry: Entries) -> None:
    """One ability, with every combination refused that could not mean anything."""
    ability = entry.table("ability")
    trigger, kind = ability.one_of("trigger", TRIGGERS), ability.one_of("kind", ABILITIES)
    name = ABILITIES[kind]
    guest.trigger, guest.kind = trigger, kind
    icon = PLATE_ICON if trigger == AT_PLATE else DOOR_ICON if trigger == AT_DOOR else NO_ICON
    if guest.icon != icon:
        raise ability.fail("trigger", f"one that goes with the icon {ICONS[guest.icon]!r}")
    if (kind == REFUSE) != (trigger == WHEN_WOULD_RECEIVE):
        raise ability.fail("kind", "'refuse' with the trigger 'would_receive', and only there")
    guest.target = ability.one_of("target", TARGETS)
    if TARGETS[guest.target] not in ALLOWED_TARGETS[name]:
        raise ability.fail("target", f"one of {list(ALLOWED_TARGETS[name])} for {name!r}")
    if guest.target == OTHER_NEIGHBOUR and trigger != WHEN_SOCIAL:
        raise ability.fail("target", "'other_neighbour' only with the trigger 'social'")
    guest.count = ability.integer("count", 1, 1 if kind in (SWAP, SEND_HOME, REFUSE) else MAX_COUNT)
    if name in NEEDS_TOKENS:
        _read_tokens(guest, ability, trigger, kind)
    if trigger in (WHEN_RECEIVES, WHEN_NEIGHBOUR_RECEIVES, WHEN_WOULD_RECEIVE):
        for k in ability.many_of("trigger_tokens", KIND_NAMES, 1, KINDS):
            guest.trigger_tokens[k] = 1
    if "source" in ability.data:
        ability.one_of("source", ("opponent",))
        guest.opponent_only = 1
    if "condition" in ability.data:
        condition = ability.table("condition")
        guest.condition = condition.one_of("kind", CONDITIONS)
        if guest.condition == IF_MOST:
            for k in condition.many_of("any_of", KIND_NAMES, 1, KINDS):
                guest.condition_tokens[k] = 1
        if guest.condition == IF_CONTENT and trigger != AT_DOOR:
            raise condition.fail("kind", "'content' only with the trigger 'door'")


def _read_tokens(guest: Any, ability: Entries, trigger: int, kind: int) -> None:
    if ability.data.get("tokens") == ["same"]:
        if trigger != WHEN_SOCIAL or kind != GIVE:
            raise ability.fail("tokens", "'same' only to give with the trigger 'social'")
        guest.same = 1
        return
    for k in ability.many_of("tokens", KIND_NAMES, 1, KINDS):
        guest.tokens[k] = 1


def most_tokens(rules: Any) -> int:
    """Tokens in a stash, at most: of the largest guests, with every bonus and the best additions.

    What a guest adds time and again (no door, and not on being seated) has no bound but that of the field.
    """
    guests = rules.guests[: int(rules.num_guests)]
    hand = int(rules.hand_size)
    adds = [int(g.count) for g in guests if g.kind == STASH and rules.abilities]
    if any(g.kind == STASH and g.trigger not in (AT_DOOR, WHEN_SEATED) for g in guests) and adds:
        return int(np.iinfo(np.int16).max) // int(rules.token_points)
    sizes = sorted((int(g.appetites) for g in guests), reverse=True)
    return sum(sizes[:hand]) + hand * int(rules.content_bonus) + sum(sorted(adds, reverse=True)[:hand])


def _show_card(one: Any, g: int) -> None:
    """The observation's features of a guest, worked out once: present, number, appetites, and the ability if in use."""
    guest, card = one.guests[g], one.card[g]
    card[0] = 1
    card[1] = (g + 1) / one.num_guests
    for colour in guest.appetite[: guest.appetites]:
        card[2 + colour] += 0.5
    if one.abilities:
        _show_ability(guest, card[CARD_SIZE - ABILITY_SIZE :])


def _show_ability(guest: Any, ability: np.ndarray) -> None:
    target = guest.target
    ability[0] = guest.icon == PLATE_ICON
    ability[1] = guest.icon == DOOR_ICON
    ability[2 + guest.kind] = 1
    ability[10] = guest.count / 3
    ability[11:16] = guest.tokens
    ability[16] = target in (SELF, SELF_OR_NEIGHBOUR, SELF_NEIGHBOUR)
    ability[17] = target in (EACH_OWN, OWN_SPREAD, ONE_OWN, OWN_OWN)
    ability[18] = target not in (SELF, EACH_OWN, OWN_SPREAD, ONE_OWN, OWN_OWN, OWNER)
    ability[19] = guest.condition == IF_MOST


def _read_faux_pas(one: Any, top: Entries) -> None:
    entries = top.tables("faux_pas", 2 * int(one.players) if one.faux_pas_used else 0, MAX_FAUX_PAS)
    _check_ids(top, "faux_pas", entries)
    one.num_faux_pas = len(entries)
    for k, entry in enumerate(entries):
        card = one.faux_pas[k]
        _write_name(card.name, entry)
        card.at_end = entry.one_of("when", ("during", "end"))
        card.kind = entry.one_of("kind", FAUX_PAS_KINDS)
        if card.at_end != (card.kind in (MOST, SETS)):
            raise entry.fail("when", "'end' for most and sets, 'during' for first_to and first_set")
        kinds = sorted(set(entry.many_of("tokens", KIND_NAMES, 1, KINDS)))
        card.kinds = len(kinds)
        card.token[:] = -1
        card.token[: card.kinds] = kinds
        card.count = entry.integer("count", 1, 20) if not card.at_end else 0
        card.points = entry.integer("points", 0, 20)
