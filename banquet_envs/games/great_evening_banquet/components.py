"""From components.toml to the RULES record: tokens, cards, VIP and photo tiles, both layouts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from banquet_envs.core.errors import ComponentsError
from banquet_envs.core.spec import Entries, member_names, rules_dtype
from banquet_envs.core.state import empty
from banquet_envs.core.types import Rules

SEATS, TILES, SPACES, CLASSES, PHOTOS = 4, 6, 24, 12, 5
AREA = 12  # guests in the largest photo area
COLOURS, TYPES = 5, 4
KINDS = COLOURS * TYPES * 2
MAX_VALUE = 4

COLOUR_NAMES = ("blue", "green", "yellow", "brown", "peach")
TYPE_NAMES = ("gentleman", "lady", "senior_gentleman", "senior_lady")
PLAYER_COLOURS = ("red", "blue", "purple", "tan")
LETTERS = "ABCDEF"
POSITIONS = ("TL", "TM", "TR", "BL", "BM", "BR")


class Need(IntEnum):
    """What a VIP requires, as the components file names it in small letters."""

    MIN_TOAST = 0
    FORBID_COLOUR = 1
    MIN_TYPE = 2
    FORBID_TYPE = 3
    EACH_OF_TWO_TYPES = 4
    MIN_COLOUR = 5


class Photo(IntEnum):
    """What a photo tile pays for, likewise."""

    EXACTLY_3_COLOURS = 0
    PER_GROUP_COLOUR = 1
    PER_GROUP_TYPE = 2


FEATURES = (
    *("phase", "clock", "cards_left", "seat_to_move", "own_colour", "turn_order", "hand", "carriage", "carriage_taken"),
    *("salon", "salon_pick", "bag", "points", "on_top", "salon_used", "redraws", "own_tile", "own_need", "own_photo"),
    *("own_photo_colours", "own_photo_want", "own_space", "other_space", "other_tile", "letter"),
)
"""The slices of the observation (observation.py)."""

_i = np.int32
RULES = rules_dtype(
    [
        ("expert", _i),
        ("random_vip", _i),
        ("counted", np.int64, (KINDS + 1,)),  # by kind + 1: one guest as packed counts (scoring.py); 0 for nobody
        ("redraw_odd_only", _i),
        ("rounds", _i),
        ("cards", _i, (MAX_VALUE + 1,)),  # how many Arrival Cards have each value
        ("bag", _i, (KINDS,)),  # tokens of each kind, kind = (colour * 4 + type) * 2 + toast
        ("salon_trigger", _i),
        # scoring of a VIP tile
        ("type_points", _i, (5,)),  # one pair, two pairs, three, four of a kind, complete set
        ("colour_points", _i, (5,)),  # by number of colours
        ("toast_points", _i, (5,)),  # by number of toasts
        # by seat and letter: what the VIP requires
        ("need_kind", _i, (SEATS, TILES)),
        ("need_colour", _i, (SEATS, TILES)),
        ("need_type", _i, (SEATS, TILES, 2)),
        ("need_count", _i, (SEATS, TILES)),
        # photo tiles: kind, points, group size; by seat: the named colour or type and the line that is the area
        ("photo_kind", _i, (PHOTOS,)),
        ("photo_group", _i, (PHOTOS,)),
        ("photo_worth", _i, (PHOTOS, AREA + 1)),  # points for what the tile counts
        ("photo_away", _i, (PHOTOS, AREA + 1)),  # guests to the next group, or colours away from exactly three
        ("photo_colour", _i, (SEATS, PHOTOS)),
        ("photo_type", _i, (SEATS, PHOTOS)),
        ("photo_line", _i, (SEATS, PHOTOS)),  # 0-2 columns, 3-4 rows, in the seat's own (mirrored) geometry
        # geometry: own tile t of a seat lies at physical position `position[seat, t]`
        ("position", _i, (SEATS, TILES)),
        ("letter", _i, (SEATS, TILES)),  # the letter printed there in the default placement
        ("num_classes", _i),
        ("class_tile", _i, (SEATS, CLASSES, 2)),  # the tile(s) that a space class belongs to; -1: no second one
        ("class_start", _i, (SEATS, CLASSES + 1)),  # its spaces are class_start[c] .. class_start[c + 1] - 1
        ("space_class", _i, (SEATS, SPACES)),
        ("num_spaces", _i),
        ("tile_space", _i, (SEATS, TILES, 4)),  # the four spaces around a tile
        ("line_size", _i, (SEATS, 5)),  # spaces of each column 0-2 and row 3-4, a shared space once
        ("line_space", _i, (SEATS, 5, AREA)),
        # Solo Mode
        ("solo_threshold", _i),
        ("solo_at_or_above", _i),
        ("solo_below", _i),
        ("solo_odd", _i),
        ("solo_even", _i),
        ("redraws", _i),
        ("redraw_penalty", _i, (3,)),
        ("rank_score", _i, (6,)),
    ],
    FEATURES,
)


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """The RULES record for a player count, the switches and a parsed components file."""
    rules = empty(1, RULES)
    top = Entries(components, "great_evening_banquet components")
    one = rules[0]
    one.players, one.expert, one.random_vip = players, options["expert"], options["random_vip"]
    one.redraw_odd_only = options["solo_redraw"] == "odd"
    _read_tokens(one, top)
    _read_scoring(one, top)
    _read_geometry(one, top)
    for seat, name in enumerate(PLAYER_COLOURS):
        _read_player(one, top, top.table("player").table(name), seat)
    _read_classes(one, top)
    _read_solo(one, top.table("solo"))
    _check_supply(one, top)
    for entry, value in _restated(one).items():
        _check_restated(top, entry.split("."), value)
    return rules


def _read_tokens(one: Rules, top: Entries) -> None:
    for kind in range(KINDS):
        colour, guest_type, toast = kind >> 3, (kind >> 1) & 3, kind & 1
        fields = (colour, COLOURS + guest_type, COLOURS + TYPES + 1)
        one.counted[kind + 1] = sum(1 << (4 * k) for k in fields) + (toast << (4 * (COLOURS + TYPES)))
    tokens = top.table("tokens")
    copies = tokens.integer("copies_per_colour_type", 1, 50)
    toasts = tokens.integer("toast_copies_per_colour_type", 0, copies)
    one.bag[0::2], one.bag[1::2] = copies - toasts, toasts
    one.salon_trigger = top.table("grand_salon").integer("trigger_score", 0, 1000)
    cards = top.table("arrival_cards").table("expert" if one.expert else "standard")
    counts = cards.table("value_counts")
    for key in counts.data:
        if key not in ("1", "2", "3", "4"):
            raise counts.fail(key, "card values from 1 to 4 only")
        one.cards[int(key)] = counts.integer(key, 0, 24)
    one.rounds = int(one.cards.sum())
    if one.rounds < 2:
        raise counts.fail("2", "at least two cards in all")


def _read_scoring(one: Rules, top: Entries) -> None:
    vip = top.table("scoring").table("vip")
    for k, pattern in enumerate(("one_pair", "two_pairs", "three_of_a_kind", "four_of_a_kind", "complete_set")):
        one.type_points[k] = vip.integer(f"type_{pattern}", 0, 20)
    for k in range(1, 5):
        one.colour_points[k] = vip.integer(f"colours_{k}", 0, 20)
    one.toast_points[0:2] = vip.integer("toast_0_or_1", 0, 20)
    one.toast_points[2:4] = vip.integer("toast_2_or_3", 0, 20)
    one.toast_points[4] = vip.integer("toast_4", 0, 20)
    for j in range(PHOTOS):
        _read_photo_kind(one, top.table("photo_kinds").table(str(j + 1)), j)


def _read_photo_kind(one: Rules, photo: Entries, j: int) -> None:
    """Commemorative Photo Bonus Tiles: points by what the tile counts in its area."""
    kind, points = photo.one_of("kind", member_names(Photo)), photo.integer("points", 0, 20)
    group = 1 if kind == Photo.EXACTLY_3_COLOURS else photo.integer("group", 1, AREA)
    one.photo_kind[j], one.photo_group[j] = kind, group
    for count in range(AREA + 1):
        if kind == Photo.EXACTLY_3_COLOURS:
            one.photo_worth[j, count] = points if count == 3 else 0
            one.photo_away[j, count] = abs(count - 3)
        else:
            one.photo_worth[j, count] = count // group * points
            one.photo_away[j, count] = group - count % group


def _read_geometry(one: Rules, top: Entries) -> None:
    """Each seat's own geometry: mirrored so that photo columns and rows ascend. Same strategy, same numbers."""
    for seat, name in enumerate(PLAYER_COLOURS):
        player = top.table("player").table(name)
        columns, rows = player.integers("photo_columns", 3, 1, 3), player.integers("photo_rows", 2, 4, 5)
        if sorted(columns) != [1, 2, 3]:
            raise player.fail("photo_columns", "the numbers 1, 2 and 3 in some order")
        if sorted(rows) != [4, 5]:
            raise player.fail("photo_rows", "the numbers 4 and 5 in some order")
        grid = player.data.get("grid")
        rows_of_three = isinstance(grid, list) and all(isinstance(row, list) and len(row) == 3 for row in grid)
        flat = [x for row in grid for x in row] if isinstance(grid, list) and rows_of_three else []
        if sorted(map(str, flat)) != list(LETTERS):
            raise player.fail("grid", "two rows of three letters, A to F once each")
        flip_columns, flip_rows = columns[0] > columns[2], rows[0] > rows[1]
        for t in range(TILES):
            row, column = (1 - t // 3 if flip_rows else t // 3), (2 - t % 3 if flip_columns else t % 3)
            one.position[seat, t] = row * 3 + column
            one.letter[seat, t] = LETTERS.index(flat[row * 3 + column])
        for line, photo in enumerate((columns[::-1] if flip_columns else columns) + sorted(rows)):
            one.photo_line[seat, photo - 1] = line


def _read_player(one: Rules, top: Entries, player: Entries, seat: int) -> None:
    """What each of the seat's VIPs requires, and what its photo tiles name."""
    vip, photo = player.table("vip"), player.table("photo")
    kinds = top.table("vip_requirement_kinds")
    one.need_colour[seat], one.need_type[seat] = -1, -1
    for v, letter in enumerate(LETTERS):
        kind = kinds.table(letter).one_of("kind", member_names(Need))
        one.need_kind[seat, v] = kind
        if kind in (Need.MIN_TOAST, Need.MIN_TYPE, Need.MIN_COLOUR, Need.EACH_OF_TWO_TYPES):
            one.need_count[seat, v] = kinds.table(letter).integer("count", 1, 4)
        if kind in (Need.FORBID_COLOUR, Need.MIN_COLOUR):
            one.need_colour[seat, v] = vip.one_of(letter, COLOUR_NAMES)
        elif kind in (Need.MIN_TYPE, Need.FORBID_TYPE):
            one.need_type[seat, v, 0] = vip.one_of(letter, TYPE_NAMES)
        elif kind == Need.EACH_OF_TWO_TYPES:
            one.need_type[seat, v] = vip.many_of(letter, TYPE_NAMES, 2, 2)
    one.photo_colour[seat], one.photo_type[seat] = -1, -1
    for j in range(PHOTOS):
        if one.photo_kind[j] == Photo.PER_GROUP_COLOUR:
            one.photo_colour[seat, j] = photo.one_of(str(j + 1), COLOUR_NAMES)
        elif one.photo_kind[j] == Photo.PER_GROUP_TYPE:
            one.photo_type[seat, j] = photo.one_of(str(j + 1), TYPE_NAMES)


def _read_classes(one: Rules, top: Entries) -> None:
    """Space classes: interchangeable spaces, that is the own spaces of a tile, or those shared by the same two."""
    layout = top.table("layout").table("expert" if one.expert else "standard")
    own = layout.table("own_spaces")
    physical: list[tuple[tuple[int, ...], int]] = [((k,), own.integer(name, 0, 4)) for k, name in enumerate(POSITIONS)]
    for pair in layout.tables("shared", 0, 6) if one.expert else []:
        a, b = sorted(pair.many_of("tiles", POSITIONS, 2, 2))
        if a == b:
            raise pair.fail("tiles", "two different tiles")
        physical.append(((a, b), pair.integer("spaces", 1, 4)))
    physical = [(tiles, spaces) for tiles, spaces in physical if spaces]
    for k, name in enumerate(POSITIONS):
        if sum(spaces for tiles, spaces in physical if k in tiles) != 4:
            raise own.fail(name, "own and shared spaces of the tile to be 4 together")
    one.class_tile[:] = -1
    one.num_classes = len(physical)
    if one.num_classes > CLASSES:
        raise layout.fail("shared", f"at most {CLASSES} groups of spaces")
    for seat in range(SEATS):
        here = list(one.position[seat])
        mine = sorted((len(tiles), sorted(here.index(k) for k in tiles), spaces) for tiles, spaces in physical)
        start = 0
        filled = [0] * TILES
        for c, (_, tiles, spaces) in enumerate(mine):
            one.class_tile[seat, c, : len(tiles)] = tiles
            one.class_start[seat, c] = start
            for space in range(start, start + spaces):
                one.space_class[seat, space] = c
                for t in tiles:
                    one.tile_space[seat, t, filled[t]] = space
                    filled[t] += 1
            start += spaces
        one.class_start[seat, one.num_classes :] = start
        one.num_spaces = start
        _list_lines(one, seat)


def _list_lines(one: Rules, seat: int) -> None:
    """The spaces of every column and row: the photo areas."""
    for line in range(5):
        tiles = [t for t in range(TILES) if (t % 3 == line if line < 3 else t // 3 == line - 3)]
        spaces = sorted({int(s) for t in tiles for s in one.tile_space[seat, t]})
        one.line_size[seat, line] = len(spaces)
        one.line_space[seat, line, : len(spaces)] = spaces


def _read_solo(one: Rules, solo: Entries) -> None:
    one.solo_threshold = solo.integer("final_round_threshold", 0, 1000)
    one.solo_at_or_above = solo.integer("final_round_carriages_at_or_above", 1, 2)
    one.solo_below = solo.integer("final_round_carriages_below", 1, 2)
    one.solo_odd = solo.integer("carriages_odd_round", 1, 2)
    one.solo_even = solo.integer("carriages_even_round", 1, 2)
    one.redraws = solo.integer("redraw_max_per_game", 0, 2)
    penalty = solo.data.get("redraw_penalty")
    if (
        not isinstance(penalty, list)
        or len(penalty) != 3
        or not all(type(x) is int and 0 <= x <= 1000 for x in penalty)
    ):
        raise solo.fail("redraw_penalty", "three whole numbers from 0 to 1000")
    one.redraw_penalty = penalty
    for k, rank in enumerate(solo.tables("ranking", 6, 6)):
        one.rank_score[k] = rank.integer("expert" if one.expert else "standard", 0, 1000)


def rounds_with_two(rules: Rules) -> int:
    """Solo Mode: rounds in which a second carriage may be loaded, whose guests leave the game."""
    parity = [rules.solo_odd if k % 2 else rules.solo_even for k in range(1, int(rules.rounds))]
    return parity.count(2) + (max(rules.solo_at_or_above, rules.solo_below) == 2)


def _check_supply(one: Rules, top: Entries) -> None:
    """Every space must be filled exactly, and the bag must last."""
    seated = int((one.cards * np.arange(MAX_VALUE + 1)).sum())
    if seated != one.num_spaces:
        raise ComponentsError(
            f"{top.path}: entry 'arrival_cards': the cards bring {seated} guests a player,"
            f" but there are {int(one.num_spaces)} spaces"
        )
    needed = 4 + int(one.players) * seated
    if one.players == 1:  # the largest cards may fall on the rounds with two carriages, and the redraws too
        values = np.repeat(np.arange(MAX_VALUE + 1), one.cards)[::-1]
        needed = 4 + seated + int(values[: rounds_with_two(one)].sum()) + int(one.redraws) * int(values[0])
    if needed > int(one.bag.sum()):
        raise ComponentsError(f"{top.path}: entry 'tokens': the bag may need {needed} tokens, it holds {one.bag.sum()}")


# What the rules know in one way only: a file may say so, it may not say otherwise.
_FIXED = {
    "game.guest_colours": list(COLOUR_NAMES),
    "game.guest_types": list(TYPE_NAMES),
    "game.player_colours": list(PLAYER_COLOURS),
    "grand_salon.tokens": 4,
    "grand_salon.uses_per_player": 1,
    "grand_salon.mandatory": True,
    "scoring.vip.unmet_requirement": "floor_half_of_total",
    "random_vip.letters_shuffled_over_positions": True,
    "random_vip.same_letter_positions_for_all_players": True,
    "random_vip.photo_tiles_stay": True,
    "final_round.order": "ascending_score_at_reveal",
    "final_round.tie": "later_arrival_on_space_goes_first",
    "final_round.order_fixed_for_all_phases": True,
    "final_round.initial_stack": "round_1_turn_order_last_on_top",
    "winner.tie_break": "most_photo_tiles_that_scored",
    "winner.still_tied": "shared_victory",
    "solo.redraw_scope": "one_carriage_all_its_tokens",
    "solo.redraw_rounds": "all",
    "solo.redraw_tokens_go_to": "out_of_game",
    "solo.unchosen_carriage_tokens_go_to": "out_of_game",
    **{f"photo_kinds.{j}.area": "column" if j < 4 else "row" for j in range(1, PHOTOS + 1)},
}


def _restated(one: Rules) -> dict[str, Any]:
    """Entries that the rules do not read, with the only value that they may have: fixed ones, and sums of others."""
    kind = "expert" if one.expert else "standard"
    return {
        **_FIXED,
        "tokens.total": int(one.bag.sum()),
        "tokens.toast_total": int(one.bag[1::2].sum()),
        f"arrival_cards.{kind}.rounds": int(one.rounds),
        f"arrival_cards.{kind}.tokens_per_player": int(one.num_spaces),
        "scoring.vip.max_tile": int(one.type_points.max() + one.colour_points.max() + one.toast_points.max()),
        f"layout.{kind}.distinct_spaces": int(one.num_spaces),
        f"layout.{kind}.shared_spaces": 4 * TILES - int(one.num_spaces),
        **{f"layout.{kind}.area_tokens.{name}": size for name, size in _areas(one).items()},
    }


def _areas(one: Rules) -> dict[str, int]:
    """Spaces of every column and row as they lie on the table."""
    columns = ("column_left", "column_middle", "column_right")
    rows = ("row_top", "row_bottom")
    sizes = {columns[one.position[0, k] % 3]: int(one.line_size[0, k]) for k in range(3)}
    return sizes | {rows[one.position[0, 3 * k] // 3]: int(one.line_size[0, 3 + k]) for k in range(2)}


def _check_restated(table: Entries, names: list[str], value: int) -> None:
    """Refuse another value of an entry that the rules do not read; it may be left out."""
    for name in names[:-1]:
        if name not in table.data:
            return
        table = table.table(name)
    found = table.data.get(names[-1], value)
    if type(found) is not type(value) or found != value:
        raise table.fail(names[-1], f"{value!r} (nothing else is possible here)")
