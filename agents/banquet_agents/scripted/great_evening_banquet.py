"""Scripted agents for The Great Evening Banquet.

Both look at every carriage on offer and every way to seat its guests. `greedy` counts the points of this round.
`expert` adds what unfinished tiles and photo areas are worth on average, from tables worked out once per Game.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from banquet_agents.compiled import Script
from banquet_envs.core.compile import Kernels, rule
from banquet_envs.core.random import random_below
from banquet_envs.core.state import raw
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.great_evening_banquet.components import (
    COLOURS,
    KINDS,
    MAX_VALUE,
    PHOTOS,
    SEATS,
    TILES,
    TYPES,
    Photo,
)
from banquet_envs.games.great_evening_banquet.rules import SPEC, load_carriage, may_redraw
from banquet_envs.games.great_evening_banquet.scoring import (
    around_tile,
    colour_of,
    colours_of,
    guests_of,
    in_area,
    photo_count,
    planned_around_tile,
    planned_in_area,
    tile_points,
    toast_of,
    toasts_of,
    type_of,
    types_of,
)
from banquet_envs.games.great_evening_banquet.state import Action, Phase

# ---------------------------------------------------------------- tables
# A partial tile is worth what it becomes when the best of CHOICE random tokens is added until it is full.

CHOICE = 3
COLOUR_CHANCE, TYPE_CHANCE = 0.3, 0.33  # of a photo's colour or type in an open space, as a planner fills it
FOURTH_COLOUR = 0.5  # a planner avoids a fourth colour half of the time
SAMPLED_REDRAWS, REDRAW_GAIN = 24, 1.5

_TYPE_CODES = 5**TYPES
_COLOUR_CODES = 5**COLOURS
_TYPE_SETS, _COLOUR_SETS, _TOASTS = 70, 126, 5
_SETS = _TYPE_CODES + _COLOUR_CODES  # the table begins with two look-ups: base-5 code -> number of the multiset
_TILE = _TYPE_SETS * _COLOUR_SETS * _TOASTS
_PHOTOS_AT = _SETS + SEATS * TILES * _TILE
_AREA = 13  # an area holds at most 12 guests
TABLE_SIZE = _PHOTOS_AT + PHOTOS * _AREA * _AREA


def _multiset_numbers(kinds: int) -> np.ndarray:
    """Base-5 code of counts -> number among all multisets of at most four; -1 for larger ones."""
    numbers = np.full(5**kinds, -1, np.float32)
    sets = [c for c in product(range(5), repeat=kinds) if sum(c) <= 4]
    for number, counts in enumerate(sorted(sets, key=lambda c: (sum(c), c))):
        numbers[sum(n * 5**k for k, n in enumerate(counts))] = number
    return numbers


def _photo_values(rules: Rules) -> np.ndarray:
    """Expected points (PHOTOS, free spaces, count now) of each photo tile."""
    values = np.zeros((PHOTOS, _AREA, _AREA))
    for j in range(PHOTOS):
        kind = rules.photo_kind[j]
        values[j, 0] = rules.photo_worth[j]
        for free, count in product(range(1, _AREA), range(_AREA - 1)):
            if kind == Photo.EXACTLY_3_COLOURS:
                grow = max(0, COLOURS - count) / COLOURS * (FOURTH_COLOUR if count == 3 else 1.0)
            else:
                grow = COLOUR_CHANCE if kind == Photo.PER_GROUP_COLOUR else TYPE_CHANCE
            values[j, free, count] = grow * values[j, free - 1, count + 1] + (1 - grow) * values[j, free - 1, count]
    return values


if TYPE_CHECKING:
    RULES: np.dtype


def _fill(rules_raw, table, weights, lo, hi):  # type: ignore[no-untyped-def]
    """Value of every partial tile of seats lo..hi-1, from full ones backwards."""
    rules = rules_raw.view(RULES)[0]
    best = np.empty(KINDS)
    for tokens in range(4, -1, -1):
        for types in range(_TYPE_CODES):
            for colours in range(_COLOUR_CODES):
                if digits(types) == tokens and digits(colours) == tokens:
                    for toasts in range(tokens + 1):
                        for who in range(lo * TILES, hi * TILES):
                            value = fill_one(rules, table, weights, best, who, types, colours, toasts, tokens)
                            table[tile_entry(table, who, types, colours, toasts)] = value


@rule
def digits(code: int) -> int:
    """Digit sum of a base-5 code: how many tokens it holds."""
    total = 0
    while code > 0:
        total += code % 5
        code //= 5
    return total


@rule
def counts_of_codes(types: int, colours: int, toasts: int) -> int:
    """Base-5 codes and toasts as the packed counts of scoring.py."""
    counts = 0
    for k in range(COLOURS):
        counts += (colours % 5) << (4 * k)
        colours //= 5
    for k in range(TYPES):
        counts += (types % 5) << (4 * (COLOURS + k))
        types //= 5
    return counts + (toasts << (4 * (COLOURS + TYPES))) + (4 << (4 * (COLOURS + TYPES + 1)))


@rule
def tile_entry(table: np.ndarray, who: int, types: int, colours: int, toasts: int) -> int:
    """Index of a partial tile; `who` is seat * 6 + letter, types and colours are base-5 codes."""
    return (
        _SETS
        + int(who) * _TILE
        + (int(table[types]) * _COLOUR_SETS + int(table[_TYPE_CODES + colours])) * _TOASTS
        + toasts
    )


@rule
def fill_one(
    rules: Rules,
    table: np.ndarray,
    weights: np.ndarray,
    best: np.ndarray,
    who: int,
    types: int,
    colours: int,
    toasts: int,
    tokens: int,
) -> float:
    """A full tile's points, or the expected value after the best of CHOICE random tokens."""
    if tokens == 4:
        return float(tile_points(rules, who // TILES, who % TILES, counts_of_codes(types, colours, toasts)))
    for kind in range(KINDS):
        t = types + 5 ** type_of(kind)
        c = colours + 5 ** colour_of(kind)
        best[kind] = table[tile_entry(table, who, t, c, toasts + toast_of(kind))]
    below = 0.0
    value = 0.0
    order = np.argsort(best)
    for k in range(KINDS):
        chance = below + weights[order[k]]
        value += best[order[k]] * (chance**CHOICE - below**CHOICE)
        below = chance
    return value


_TABLES: dict[bytes, np.ndarray] = {}


def expert_table(rules: Rules) -> np.ndarray:
    """The expert's values, float32 (TABLE_SIZE,): multiset numbers, partial tiles, photo areas."""
    key = rules.tobytes()
    if key not in _TABLES:
        table = np.zeros(TABLE_SIZE, np.float32)
        table[:_TYPE_CODES] = _multiset_numbers(TYPES)
        table[_TYPE_CODES:_SETS] = _multiset_numbers(COLOURS)
        table[_PHOTOS_AT:] = _photo_values(rules).ravel()
        kernels = Kernels(
            f"{SPEC.name}.table",
            {"fill": (_fill, "void(uint8[::1], float32[::1], float64[::1], int64, int64)")},
            {"RULES": SPEC.rules},
            [SPEC.folder, Path(__file__)],
        )
        one = np.array([rules], dtype=SPEC.rules)
        kernels.fill(raw(one), table, rules.bag / rules.bag.sum(), 0, int(rules.players))
        _TABLES[key] = table
    return _TABLES[key]


# ---------------------------------------------------------------- values


@rule
def tile_value(state: State, rules: Rules, table: np.ndarray, seat: int, t: int, counts: int) -> float:
    """Points of a tile that is full, else its table value; a scored tile has been paid. Without table: points only."""
    if state.scored[seat, t] or guests_of(counts) > 4:
        return 0.0
    letter = state.letter[seat, t]
    if table.shape[0] == 0:
        return float(tile_points(rules, seat, letter, counts)) if guests_of(counts) == 4 else 0.0
    types = 0
    for k in range(TYPES - 1, -1, -1):
        types = types * 5 + types_of(counts, k)
    colours = 0
    for k in range(COLOURS - 1, -1, -1):
        colours = colours * 5 + colours_of(counts, k)
    return float(table[tile_entry(table, seat * TILES + letter, types, colours, toasts_of(counts))])


@rule
def photo_value(rules: Rules, table: np.ndarray, seat: int, j: int, counts: int) -> float:
    """Expected points of photo tile `j` for an area holding these guests; 0 without table."""
    free = rules.line_size[seat, rules.photo_line[seat, j]] - guests_of(counts)
    if table.shape[0] == 0 or free < 0:
        return 0.0
    return float(table[_PHOTOS_AT + (j * _AREA + free) * _AREA + photo_count(rules, seat, j, counts)])


@rule
def chamber_value(state: State, rules: Rules, table: np.ndarray, seat: int) -> float:
    """What a chamber is worth: unscored tiles and photos."""
    value = 0.0
    for t in range(TILES):
        value += tile_value(state, rules, table, seat, t, around_tile(state, rules, seat, t))
    for j in range(PHOTOS):
        value += photo_value(rules, table, seat, j, in_area(state, rules, seat, j))
    return value


# ---------------------------------------------------------------- all placements of a carriage
# A tile's (or photo area's) worth depends only on which of the at most four tokens come to it: 16 subsets each,
# worked out first; every placement is then a sum of look-ups.


@rule
def subset_counts(state: State, rules: Rules, c: int, start: int, subset: int) -> int:
    """Packed counts of a subset of carriage c's tokens from `start` on."""
    counts = 0
    for k in range(state.card - start):
        if (subset >> k) & 1:
            counts += rules.counted[state.carriage[c, start + k] + 1]
    return counts


@rule
def weigh_subsets(
    state: State,
    rules: Rules,
    table: np.ndarray,
    seat: int,
    c: int,
    start: int,
    tile_worth: np.ndarray,
    photo_worth: np.ndarray,
) -> None:
    """tile_worth[t, s], photo_worth[j, s]: values when the subset s of carriage c's tokens comes to them."""
    subsets = 1 << int(state.card - start)
    for t in range(TILES):
        counts = around_tile(state, rules, seat, t) + planned_around_tile(state, rules, seat, t)
        for s in range(subsets):
            tile_worth[t, s] = tile_value(
                state, rules, table, seat, t, counts + subset_counts(state, rules, c, start, s)
            )
    for j in range(PHOTOS):
        counts = in_area(state, rules, seat, j) + planned_in_area(state, rules, seat, j)
        for s in range(subsets):
            photo_worth[j, s] = photo_value(rules, table, seat, j, counts + subset_counts(state, rules, c, start, s))


@rule
def class_rooms(state: State, rules: Rules, seat: int, rooms: np.ndarray) -> None:
    """rooms[c] = free spaces of class c, own placements of this phase included."""
    for c in range(rules.num_classes):
        rooms[c] = 0
        for space in range(rules.class_start[seat, c], rules.class_start[seat, c + 1]):
            if state.chamber[seat, space] < 0:
                rooms[c] += 1
    for k in range(state.planned[seat]):
        rooms[state.plan[seat, k]] -= 1


@rule
def seat_subsets(rules: Rules, code: int, count: int, rooms: np.ndarray, subsets: np.ndarray) -> bool:
    """Read a placement number as class per token; subsets[c] = tokens in class c. False when a class overflows."""
    n = rules.num_classes
    for c in range(n):
        subsets[c] = 0
    for k in range(count):
        c = code % n
        code //= n
        subsets[c] |= 1 << k
    for c in range(n):
        s = subsets[c]
        if (s & 1) + ((s >> 1) & 1) + ((s >> 2) & 1) + ((s >> 3) & 1) > rooms[c]:
            return False
    return True


@rule
def best_placement(state: State, rules: Rules, table: np.ndarray, seat: int, c: int, start: int) -> tuple[float, int]:
    """The best total over all ways to seat carriage c's tokens from `start` on, and the class of the first.

    Equal totals are decided by the record's stream.
    """
    tile_worth = np.empty((TILES, 16))
    photo_worth = np.empty((PHOTOS, 16))
    rooms = np.zeros(12, np.int64)
    subsets = np.zeros(12, np.int64)
    weigh_subsets(state, rules, table, seat, c, start, tile_worth, photo_worth)
    class_rooms(state, rules, seat, rooms)
    count = state.card - start
    best = -1e9
    first = -1
    equals = 0
    for code in range(rules.num_classes**count):
        if seat_subsets(rules, code, count, rooms, subsets):
            value = placement_value(rules, seat, subsets, tile_worth, photo_worth)
            if value > best + 1e-9:
                best, first, equals = value, code % rules.num_classes, 1
            elif value > best - 1e-9:
                equals += 1
                if random_below(state, equals) == 0:
                    first = code % rules.num_classes
    return best, first


@rule
def placement_value(
    rules: Rules, seat: int, subsets: np.ndarray, tile_worth: np.ndarray, photo_worth: np.ndarray
) -> float:
    """Sum of the tiles' and the photos' worth when class c receives subsets[c]."""
    around = np.zeros(TILES, np.int64)
    for c in range(rules.num_classes):
        around[rules.class_tile[seat, c, 0]] |= subsets[c]
        if rules.class_tile[seat, c, 1] >= 0:
            around[rules.class_tile[seat, c, 1]] |= subsets[c]
    value = 0.0
    for t in range(TILES):
        value += tile_worth[t, around[t]]
    for j in range(PHOTOS):
        line = rules.photo_line[seat, j]
        if line < 3:
            value += photo_worth[j, around[line] | around[line + 3]]
        else:
            row = 3 * (line - 3)
            value += photo_worth[j, around[row] | around[row + 1] | around[row + 2]]
    return value


# ---------------------------------------------------------------- decisions


@rule
def choose_carriage(state: State, rules: Rules, table: np.ndarray, spare: np.ndarray) -> int:
    """The carriage whose guests can be seated best; alone, perhaps a redraw."""
    seat = state.player
    best, worst = -1e9, 1e9
    best_c, worst_c = -1, -1
    for c in range(state.carriages):
        if state.taken_by[c] < 0:
            value, _ = best_placement(state, rules, table, seat, c, 0)
            if value > best:
                best, best_c = value, c
            if value < worst:
                worst, worst_c = value, c
    if table.shape[0] > 0 and may_redraw(state, rules):
        if redraw_gain(state, rules, table, spare, worst_c, best) >= REDRAW_GAIN:
            return Action.REDRAW + worst_c
    return Action.TAKE + best_c


@rule
def redraw_gain(state: State, rules: Rules, table: np.ndarray, spare: np.ndarray, c: int, best: float) -> float:
    """Mean gain, over sampled refills, from redrawing carriage c when `best` can be had now."""
    kept = best
    if state.carriages == 1:
        kept = -1e9
    gain = 0.0
    for _ in range(SAMPLED_REDRAWS):
        trial = spare[0]
        spare[0] = state
        trial.rng = state.rng
        for k in range(MAX_VALUE):
            trial.carriage[c, k] = -1
        load_carriage(trial, c)
        value, _ = best_placement(trial, rules, table, state.player, c, 0)
        gain += max(value, kept) - best
        random_below(state, 2)  # the next sample differs
    return gain / SAMPLED_REDRAWS


@rule
def swapped_value(state: State, rules: Rules, table: np.ndarray, seat: int, slot: int, space: int) -> float:
    """The chamber's worth after exchanging `space` for the Grand Salon's `slot`; nothing is changed."""
    held = state.chamber[seat, space]
    state.chamber[seat, space] = state.salon[slot]
    value = chamber_value(state, rules, table, seat)
    state.chamber[seat, space] = held
    return value


@rule
def best_swap(state: State, rules: Rules, table: np.ndarray, slot: int) -> tuple[float, int]:
    """The best total for a slot of the Grand Salon, and the own space to give."""
    best = -1e9
    best_space = -1
    equals = 0
    for space in range(rules.num_spaces):
        if state.chamber[state.player, space] >= 0:
            value = swapped_value(state, rules, table, state.player, slot, space)
            if value > best + 1e-9:
                best, best_space, equals = value, space, 1
            elif value > best - 1e-9:
                equals += 1
                if random_below(state, equals) == 0:
                    best_space = space
    return best, best_space


@rule
def first_equal(state: State, rules: Rules, seat: int, space: int) -> int:
    """The first space of the same class with an identical token: only that one is offered."""
    while space > rules.class_start[seat, rules.space_class[seat, space]]:
        if state.chamber[seat, space - 1] != state.chamber[seat, space]:
            break
        space -= 1
    return space


@rule
def choose_salon_guest(state: State, rules: Rules, table: np.ndarray) -> int:
    """The Grand Salon's guest with the best exchange; the first of equal tokens."""
    best = -1e9
    best_slot = 0
    for slot in range(4):
        if slot == 0 or state.salon[slot] != state.salon[slot - 1]:
            value, _ = best_swap(state, rules, table, slot)
            if value > best + 1e-9:
                best, best_slot = value, slot
    return Action.SALON + best_slot


@rule
def choose(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """One decision; an empty table plays `greedy`."""
    seat = state.player
    if state.phase == Phase.CHOOSE_CARRIAGE:
        return choose_carriage(state, rules, table, spare)
    if state.phase == Phase.PLACE_GUEST:
        _, c = best_placement(state, rules, table, seat, state.taken[seat], state.planned[seat])
        return Action.PLACE + c
    if state.phase == Phase.SALON_TAKE:
        return choose_salon_guest(state, rules, table)
    _, space = best_swap(state, rules, table, state.salon_pick)
    return Action.GIVE + first_equal(state, rules, seat, space)


AGENTS = {
    "greedy": Script(choose, Path(__file__), None, "the most points this round, everything else at random"),
    "expert": Script(
        choose,
        Path(__file__),
        expert_table,
        "expected value of unfinished tiles and photo areas, exact for each carriage",
    ),
}
