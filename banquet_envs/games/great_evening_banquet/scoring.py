"""Scoring of VIP tiles and photo tiles, and the small reads of a chamber that scoring and rules share."""

from __future__ import annotations

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.great_evening_banquet.components import COLOURS, TYPES, Need, Photo


@rule
def colour_of(kind: int) -> int:
    """Guest colour 0-4 of a token kind."""
    return kind >> 3


@rule
def type_of(kind: int) -> int:
    """Guest type 0-3 of a token kind."""
    return (kind >> 1) & 3


@rule
def toast_of(kind: int) -> int:
    """1 when the token has a toast icon."""
    return kind & 1


@rule
def insert_sorted(tokens: Cells, start: int, stop: int, kind: int) -> None:
    """Put a token among the ascending ones in tokens[start:stop]; -1 fills the end."""
    k = stop - 1
    while k > start and (tokens[k - 1] < 0 or tokens[k - 1] > kind):
        tokens[k] = tokens[k - 1]
        k -= 1
    tokens[k] = kind


@rule
def open_spaces(state: State, rules: Rules, seat: int, c: int, with_plan: bool) -> int:
    """Free spaces of a class, as shown to all, or after the seat's own placements of this phase too."""
    free = 0
    for space in range(rules.class_start[seat, c], rules.class_start[seat, c + 1]):
        if state.chamber[seat, space] < 0:
            free += 1
    if with_plan:
        for k in range(state.planned[seat]):
            if state.plan[seat, k] == c:
                free -= 1
    return free


# Guests are counted into one packed integer: four bits a count, so at most 15 of anything; an area holds 12 guests.
# From the lowest bits: 5 colours, 4 types, toasts, guests. `rules.counted` holds them for one guest of each kind.

_TYPES_AT, _TOASTS_AT, _GUESTS_AT = 4 * COLOURS, 4 * (COLOURS + TYPES), 4 * (COLOURS + TYPES + 1)


@rule
def colours_of(counts: int, k: int) -> int:
    """Guests of colour `k`."""
    return (counts >> (4 * int(k))) & 15


@rule
def types_of(counts: int, k: int) -> int:
    """Guests of type `k`."""
    return (counts >> (_TYPES_AT + 4 * int(k))) & 15


@rule
def toasts_of(counts: int) -> int:
    """Toast icons."""
    return (counts >> _TOASTS_AT) & 15


@rule
def guests_of(counts: int) -> int:
    """Guests in all."""
    return (counts >> _GUESTS_AT) & 15


@rule
def around_tile(state: State, rules: Rules, seat: int, t: int) -> int:
    """Packed counts of the guests around tile `t`, as everybody sees them."""
    counts = 0
    for k in range(4):
        counts += rules.counted[state.chamber[seat, rules.tile_space[seat, t, k]] + 1]
    return counts


@rule
def in_area(state: State, rules: Rules, seat: int, j: int) -> int:
    """Packed counts of the guests in the area of photo tile `j` (0-4); a shared space counts once."""
    counts = 0
    line = rules.photo_line[seat, j]
    for k in range(rules.line_size[seat, line]):
        counts += rules.counted[state.chamber[seat, rules.line_space[seat, line, k]] + 1]
    return counts


@rule
def type_pattern_points(rules: Rules, counts: int) -> int:
    """1. Guest Types: one pair, two pairs, three of a kind, four of a kind, complete set (of four guests)."""
    most = 0
    pairs = 0
    for k in range(TYPES):
        n = types_of(counts, k)
        most = max(most, n)
        if n == 2:
            pairs += 1
    if most == 1:
        return rules.type_points[4]
    if most == 2:
        return rules.type_points[pairs - 1]
    return rules.type_points[most - 1]


@rule
def colours_present(counts: int) -> int:
    """2. Number of Colors: how many different ones there are. A bit for each count that is not 0, then their sum."""
    some = counts & 0xFFFFF
    some |= some >> 2
    some = (some | (some >> 1)) & 0x11111
    return ((some * 0x11111) >> 16) & 15


@rule
def still_needed(rules: Rules, seat: int, letter: int, counts: int) -> int:
    """VIP Tile Requirements A to F: guests that the VIP still needs, 0 when content, 9 beside a forbidden one."""
    kind = rules.need_kind[seat, letter]
    count = rules.need_count[seat, letter]
    if kind == Need.MIN_TOAST:
        return max(0, count - toasts_of(counts))
    if kind == Need.FORBID_COLOUR:
        return 9 if colours_of(counts, rules.need_colour[seat, letter]) > 0 else 0
    if kind == Need.MIN_TYPE:
        return max(0, count - types_of(counts, rules.need_type[seat, letter, 0]))
    if kind == Need.FORBID_TYPE:
        return 9 if types_of(counts, rules.need_type[seat, letter, 0]) > 0 else 0
    if kind == Need.EACH_OF_TWO_TYPES:
        first = max(0, count - types_of(counts, rules.need_type[seat, letter, 0]))
        return first + max(0, count - types_of(counts, rules.need_type[seat, letter, 1]))
    return max(0, count - colours_of(counts, rules.need_colour[seat, letter]))


@rule
def tile_points(rules: Rules, seat: int, letter: int, counts: int) -> int:
    """VIP Tile Scoring: three criteria of four guests, halved (rounded down, once) when the VIP is not content."""
    total = (
        type_pattern_points(rules, counts)
        + rules.colour_points[colours_present(counts)]
        + rules.toast_points[toasts_of(counts)]
    )
    if still_needed(rules, seat, letter, counts) == 0:
        return total
    return total // 2


@rule
def photo_count(rules: Rules, seat: int, j: int, counts: int) -> int:
    """What photo tile `j` counts among the guests of its area: colours, or guests of its colour or type."""
    if rules.photo_kind[j] == Photo.EXACTLY_3_COLOURS:
        return colours_present(counts)
    if rules.photo_kind[j] == Photo.PER_GROUP_COLOUR:
        return colours_of(counts, rules.photo_colour[seat, j])
    return types_of(counts, rules.photo_type[seat, j])


@rule
def touches(rules: Rules, seat: int, c: int, t: int) -> bool:
    """Whether a guest in space class `c` sits beside tile `t`."""
    return rules.class_tile[seat, c, 0] == t or rules.class_tile[seat, c, 1] == t


@rule
def in_line(rules: Rules, seat: int, c: int, line: int) -> bool:
    """Whether a space class belongs to a photo area: column 0-2 or row 3-4; a shared space belongs through either."""
    for k in range(2):
        t = rules.class_tile[seat, c, k]
        if t >= 0 and (t % 3 == line if line < 3 else t // 3 == line - 3):
            return True
    return False


@rule
def planned_around_tile(state: State, rules: Rules, seat: int, t: int) -> int:
    """Packed counts of the guests that the seat has placed beside tile `t` in this phase 3, not yet shown."""
    counts = 0
    for k in range(state.planned[seat]):
        if touches(rules, seat, state.plan[seat, k], t):
            counts += rules.counted[state.carriage[state.taken[seat], k] + 1]
    return counts


@rule
def planned_in_area(state: State, rules: Rules, seat: int, j: int) -> int:
    """The same for the area of photo tile `j`."""
    counts = 0
    for k in range(state.planned[seat]):
        if in_line(rules, seat, state.plan[seat, k], rules.photo_line[seat, j]):
            counts += rules.counted[state.carriage[state.taken[seat], k] + 1]
    return counts


# ---------------------------------------------------------------- bounds, for the game's declared facts


def best_tile(rules: Rules) -> int:
    """What a VIP tile is worth at most."""
    return int(rules.type_points.max() + rules.colour_points.max() + rules.toast_points.max())


def best_photos(rules: Rules) -> np.ndarray:
    """What each photo tile is worth at most, (SEATS, PHOTOS): its area may be smaller than twelve guests."""
    best = np.zeros(rules.photo_line.shape, int)
    for seat, lines in enumerate(rules.photo_line):
        for j, line in enumerate(lines):
            best[seat, j] = rules.photo_worth[j, : rules.line_size[seat, line] + 1].max()
    return best
