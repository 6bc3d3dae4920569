"""Scoring of VIP tiles and photo tiles, and the small reads of a chamber that scoring and rules share."""

from __future__ import annotations

from typing import Any

from banquet_envs.core.compile import rule
from banquet_envs.games.great_evening_banquet.components import (
    COLOURS,
    EACH_OF_TWO_TYPES,
    EXACTLY_3_COLOURS,
    FORBID_COLOUR,
    FORBID_TYPE,
    MIN_TOAST,
    MIN_TYPE,
    PER_GROUP_COLOUR,
    TILES,
    TYPES,
)


@rule
def colour_of(kind: Any) -> Any:
    """Guest colour 0-4 of a token kind."""
    return kind >> 3


@rule
def type_of(kind: Any) -> Any:
    """Guest type 0-3 of a token kind."""
    return (kind >> 1) & 3


@rule
def toast_of(kind: Any) -> Any:
    """1 when the token has a toast icon."""
    return kind & 1


@rule
def insert_sorted(tokens: Any, start: Any, stop: Any, kind: Any) -> None:
    """Put a token among the ascending ones in tokens[start:stop]; -1 fills the end."""
    k = stop - 1
    while k > start and (tokens[k - 1] < 0 or tokens[k - 1] > kind):
        tokens[k] = tokens[k - 1]
        k -= 1
    tokens[k] = kind


@rule
def open_spaces(state: Any, rules: Any, seat: Any, c: Any, with_plan: Any) -> Any:
    """Free spaces of a class, as shown to all, or after the seat's own placements of this phase too."""
    free = 0
    for space in range(rules.class_start[c], rules.class_start[c + 1]):
        if state.chamber[seat, space] < 0:
            free += 1
    if with_plan:
        for k in range(state.planned[seat]):
            if state.plan[seat, k] == c:
                free -= 1
    return free


@rule
def tile_full(state: Any, rules: Any, seat: Any, t: Any) -> Any:
    """Whether a token lies in each of the tile's four spaces."""
    for k in range(4):
        if state.chamber[seat, rules.tile_space[seat, t, k]] < 0:
            return False
    return True


# Tokens around a tile are counted into three small integers, four bits a count: fast, and nothing is allocated.


@rule
def count_colours(state: Any, rules: Any, seat: Any, t: Any) -> Any:
    """Tokens around a tile by colour, four bits each."""
    counts = 0
    for k in range(4):
        kind = state.chamber[seat, rules.tile_space[seat, t, k]]
        if kind >= 0:
            counts += 1 << (4 * int(colour_of(kind)))
    return counts


@rule
def count_types(state: Any, rules: Any, seat: Any, t: Any) -> Any:
    """Tokens around a tile by type, four bits each."""
    counts = 0
    for k in range(4):
        kind = state.chamber[seat, rules.tile_space[seat, t, k]]
        if kind >= 0:
            counts += 1 << (4 * int(type_of(kind)))
    return counts


@rule
def count_toasts(state: Any, rules: Any, seat: Any, t: Any) -> Any:
    """Toast icons around a tile."""
    toasts = 0
    for k in range(4):
        kind = state.chamber[seat, rules.tile_space[seat, t, k]]
        if kind >= 0:
            toasts += int(toast_of(kind))
    return toasts


@rule
def nibble(counts: Any, k: Any) -> Any:
    """The k-th count of a packed integer."""
    return (counts >> (4 * int(k))) & 15


@rule
def type_pattern_points(rules: Any, types: Any) -> Any:
    """1. Guest Types: one pair, two pairs, three of a kind, four of a kind, complete set (of four tokens)."""
    most = 0
    pairs = 0
    for k in range(TYPES):
        n = nibble(types, k)
        most = max(most, n)
        if n == 2:
            pairs += 1
    if most == 1:
        return rules.type_points[4]
    if most == 2:
        return rules.type_points[pairs - 1]
    return rules.type_points[most - 1]


@rule
def colours_present(colours: Any) -> Any:
    """How many different colours a packed count holds."""
    present = 0
    for k in range(COLOURS):
        if nibble(colours, k) > 0:
            present += 1
    return present


@rule
def requirement_met(rules: Any, seat: Any, letter: Any, colours: Any, types: Any, toasts: Any) -> Any:
    """VIP Tile Requirements A to F on packed counts."""
    kind = rules.need_kind[seat, letter]
    count = rules.need_count[seat, letter]
    if kind == MIN_TOAST:
        return toasts >= count
    if kind == FORBID_COLOUR:
        return nibble(colours, rules.need_colour[seat, letter]) == 0
    if kind == MIN_TYPE:
        return nibble(types, rules.need_type[seat, letter, 0]) >= count
    if kind == FORBID_TYPE:
        return nibble(types, rules.need_type[seat, letter, 0]) == 0
    if kind == EACH_OF_TWO_TYPES:
        return (
            nibble(types, rules.need_type[seat, letter, 0]) >= count
            and nibble(types, rules.need_type[seat, letter, 1]) >= count
        )
    return nibble(colours, rules.need_colour[seat, letter]) >= count


@rule
def counts_score(rules: Any, seat: Any, letter: Any, colours: Any, types: Any, toasts: Any) -> Any:
    """The points of four tokens around a VIP: three criteria, halved (rounded down, once) when it is not content."""
    total = (
        type_pattern_points(rules, types) + rules.colour_points[colours_present(colours)] + rules.toast_points[toasts]
    )
    if requirement_met(rules, seat, letter, colours, types, toasts):
        return total
    return total // 2


@rule
def tile_score(state: Any, rules: Any, seat: Any, t: Any) -> Any:
    """VIP Tile Scoring of a completed tile."""
    return counts_score(
        rules,
        seat,
        state.letter[seat, t],
        count_colours(state, rules, seat, t),
        count_types(state, rules, seat, t),
        count_toasts(state, rules, seat, t),
    )


@rule
def in_line(rules: Any, seat: Any, c: Any, line: Any) -> Any:
    """Whether a space class belongs to a photo area: column 0-2 or row 3-4; a shared space belongs through either."""
    for k in range(2):
        t = rules.class_tile[seat, c, k]
        if t >= 0 and (t % 3 == line if line < 3 else t // 3 == line - 3):
            return True
    return False


@rule
def photo_count(state: Any, rules: Any, seat: Any, j: Any) -> Any:
    """What photo tile `j` (0-4) counts in its area: different colours, or tokens of its colour or type."""
    seen = 0
    matching = 0
    for c in range(rules.num_classes):
        if in_line(rules, seat, c, rules.photo_line[seat, j]):
            for space in range(rules.class_start[c], rules.class_start[c + 1]):
                kind = state.chamber[seat, space]
                if kind >= 0:
                    seen |= 1 << int(colour_of(kind))
                    if rules.photo_kind[j] == PER_GROUP_COLOUR:
                        matching += int(colour_of(kind) == rules.photo_colour[seat, j])
                    else:
                        matching += int(type_of(kind) == rules.photo_type[seat, j])
    if rules.photo_kind[j] != EXACTLY_3_COLOURS:
        return matching
    distinct = 0
    for k in range(COLOURS):
        distinct += (seen >> k) & 1
    return distinct


@rule
def photo_points_of(rules: Any, j: Any, count: Any) -> Any:
    """The points of photo tile `j` for what it counts."""
    if rules.photo_kind[j] == EXACTLY_3_COLOURS:
        return rules.photo_points[j] if count == 3 else 0
    return count // rules.photo_group[j] * rules.photo_points[j]


@rule
def photo_score(state: Any, rules: Any, seat: Any, j: Any) -> Any:
    """Commemorative Photo Bonus of tile `j`, 0-4, on the tokens now in its area."""
    return photo_points_of(rules, j, photo_count(state, rules, seat, j))


@rule
def requirement_of_tile(state: Any, seat: Any, t: Any) -> Any:
    """The letter 0-5 of the VIP at own tile `t`."""
    return state.letter[seat, t % TILES]
