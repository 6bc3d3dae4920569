"""What a seat sees: the observation vector and the layout that explains it.

Everything on the table is public, except what the others have placed in a running phase 3. Features that a network
would otherwise have to count (what a tile holds and still needs, what the photo areas hold) are given directly.
Each `see_*` function writes its slices in the layout's order and returns the index after them.
"""

from __future__ import annotations

from typing import Any

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.games.great_evening_banquet.components import (
    COLOURS,
    EACH_OF_TWO_TYPES,
    FORBID_COLOUR,
    FORBID_TYPE,
    KINDS,
    MAX_VALUE,
    MIN_COLOUR,
    MIN_TOAST,
    PHOTOS,
    SEATS,
    SPACES,
    TILES,
    TYPES,
)
from banquet_envs.games.great_evening_banquet.scoring import (
    around_tile,
    colour_of,
    colours_of,
    colours_present,
    guests_of,
    in_area,
    photo_count,
    planned_around_tile,
    planned_in_area,
    still_needed,
    tile_points,
    toast_of,
    toasts_of,
    type_of,
    types_of,
)

TOKEN = COLOURS + TYPES + 1  # a token: colour, type, toast; all zero for none
TILE = COLOURS + TYPES + 8  # an own tile, see `see_own_tile`
THIRD, SIXTH, TWELFTH, FORTIETH = 1 / 3, 1 / 6, 1 / 12, 1 / KINDS  # products are faster than quotients


def observation_layout(rules: Any) -> Layout:
    """The observation's slices. The width depends on the number of players and on nothing else."""
    n = int(rules.players)
    carriages = max(n, 2)
    token = "colour 5, type 4, toast"
    return Layout(
        [
            Slice("phase", (4,), "one-hot: choose a carriage, place a guest, take from the salon, give to it"),
            Slice("clock", (3,), "round / rounds; 1 in the final round; the Arrival Card's value / 4"),
            Slice("cards_left", (MAX_VALUE,), "face-down Arrival Cards of value 1-4, / 4"),
            Slice("seat_to_move", (n,), "one-hot, own seat first, then in turn order"),
            Slice("own_colour", (SEATS,), "own player colour, one-hot"),
            Slice("turn_order", (n,), "place of each seat (own first) in this round's order, / players"),
            Slice("hand", (MAX_VALUE, TOKEN), f"own tokens still to be placed, the next one first; each {token}", False),
            Slice("carriage", (carriages, MAX_VALUE, TOKEN), f"tokens on each carriage as loaded, until all have placed; {token}"),
            Slice("carriage_taken", (carriages, n), "who has taken it, one-hot, own seat first"),
            Slice("salon", (4, TOKEN), f"the Grand Salon; {token}"),
            Slice("salon_pick", (4,), "the salon's guest chosen for exchange, one-hot"),
            Slice("bag", (KINDS,), "tokens in the bag by kind (colour, type, toast), / 4"),
            Slice("points", (n,), "points of each seat, own first, / 50"),
            Slice("on_top", (n,), "markers of other seats that lie under this one on its space, / (players - 1), own first"),
            Slice("salon_used", (n,), "has used the Grand Salon, own first"),
            Slice("redraws", (1,), "Solo Mode: redraws used / 2"),
            Slice("own_tile", (TILES, TILE), "own tiles, placements of this phase included: colours 5 and types 4 / 4, toasts / 4,"
                  " free spaces / 4, scored, points scored, or that it will score (full tiles) / 12, requirement met,"
                  " tokens still needed for it / 2 (at most 1; 1 beside a forbidden guest), requirement can no longer be met,"
                  " different colours / 4", False),
            Slice("own_need", (TILES, COLOURS + TYPES + 1), "what own VIPs require: +1 wanted, -1 forbidden; colour 5, type 4, toast"),
            Slice("own_photo", (PHOTOS, 4), "own photo tiles: count / 12, free spaces in the area / 12, points now / 6,"
                  " tokens to the next group / 3 (colours away from exactly three)", False),
            Slice("own_photo_colours", (PHOTOS, COLOURS), "colours present in the area of each photo", False),
            Slice("own_photo_want", (PHOTOS, COLOURS + TYPES), "the colour or type that own photo tiles name, one-hot"),
            Slice("own_space", (SPACES,), "own spaces with placements of this phase: (kind + 1) / 40, 0 empty", False),
            Slice("other_space", (n - 1, SPACES), "the others' spaces as everybody sees them: (kind + 1) / 40, 0 empty"),
            Slice("other_tile", (n - 1, TILES, 4), "the others' tiles: filled / 4, scored, points / 12, letter / 6"),
            Slice("letter", (TILES,), "the letter at own tiles 0-5, (letter + 1) / 6"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    at = see_clock(state, rules, player, out)
    at = see_hand(state, player, out, at)
    at = see_carriages(state, rules, player, out, at)
    at = see_stock(state, out, at)
    at = see_scores(state, rules, player, out, at)
    for t in range(TILES):
        at = see_own_tile(state, rules, player, t, out[at : at + TILE], at)
    for t in range(TILES):
        at = see_need(rules, player, state.letter[player, t], out, at)
    at = see_photos(state, rules, player, out, at)
    at = see_own_spaces(state, rules, player, out, at)
    at = see_others(state, rules, player, out, at)
    for t in range(TILES):
        out[at + t] = (state.letter[player, t] + 1) * SIXTH


@rule
def see_token(kind: Any, out: Any, at: Any) -> Any:
    """One token as colour, type and toast; nothing for -1."""
    if kind >= 0:
        out[at + colour_of(kind)] = 1
        out[at + COLOURS + type_of(kind)] = 1
        out[at + COLOURS + TYPES] = toast_of(kind)
    return at + TOKEN


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then in turn order."""
    return seat - player if seat >= player else seat - player + rules.players


@rule
def see_clock(state: Any, rules: Any, player: Any, out: Any) -> Any:
    """phase, clock, cards_left, seat_to_move, own_colour, turn_order."""
    n = rules.players
    if not state.over:
        out[state.phase] = 1
        out[11 + relative(rules, player, state.player)] = 1
    out[4] = state.round_number / rules.rounds
    out[5] = state.final
    out[6] = state.card / 4
    for k in range(MAX_VALUE):
        out[7 + k] = state.cards_left[k + 1] / 4
    at = 11 + n
    out[at + player] = 1
    at += SEATS
    for k in range(n):
        out[at + relative(rules, player, state.order[k])] = k / n
    return at + n


@rule
def see_hand(state: Any, player: Any, out: Any, at: Any) -> Any:
    """hand: tokens of the own carriage that are still to be placed."""
    c = state.taken[player]
    if c >= 0:
        for k in range(state.planned[player], MAX_VALUE):
            see_token(state.carriage[c, k], out, at + (k - state.planned[player]) * TOKEN)
    return at + MAX_VALUE * TOKEN


@rule
def see_carriages(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """carriage, carriage_taken."""
    carriages = max(rules.players, 2)
    for c in range(carriages):
        for k in range(MAX_VALUE):
            at = see_token(state.carriage[c, k], out, at)
    for c in range(carriages):
        if state.taken_by[c] >= 0:
            out[at + relative(rules, player, state.taken_by[c])] = 1
        at += rules.players
    return at


@rule
def see_stock(state: Any, out: Any, at: Any) -> Any:
    """salon, salon_pick, bag."""
    for k in range(4):
        at = see_token(state.salon[k], out, at)
    if state.salon_pick >= 0:
        out[at + state.salon_pick] = 1
    at += 4
    bag = out[at : at + KINDS]
    for kind in range(KINDS):
        bag[kind] = state.bag[kind] * 0.25
    return at + KINDS


@rule
def see_scores(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """points, on_top, salon_used, redraws."""
    n = rules.players
    for seat in range(n):
        k = at + relative(rules, player, seat)
        out[k] = state.points[seat] / 50
        out[k + n] = markers_under(state, rules, seat) / max(n - 1, 1)
        out[k + 2 * n] = state.salon_used[seat]
    at += 3 * n
    out[at] = state.redraws / 2
    return at + 1


@rule
def markers_under(state: Any, rules: Any, seat: Any) -> Any:
    """How many markers lie under the seat's on its space; after the photos, which nobody stacks, none."""
    under = 0
    if not state.over:
        for other in range(rules.players):
            if state.points[other] == state.points[seat] and state.arrival[other] < state.arrival[seat]:
                under += 1
    return under


@rule
def see_own_tile(state: Any, rules: Any, player: Any, t: Any, tile: Any, at: Any) -> Any:
    """One entry of own_tile, written into `tile`."""
    counts = around_tile(state, rules, player, t) + planned_around_tile(state, rules, player, t)
    for k in range(COLOURS):
        tile[k] = colours_of(counts, k) * 0.25
    for k in range(TYPES):
        tile[COLOURS + k] = types_of(counts, k) * 0.25
    letter = state.letter[player, t]
    missing = still_needed(rules, player, letter, counts)
    filled = guests_of(counts)
    k = COLOURS + TYPES
    tile[k] = toasts_of(counts) * 0.25
    tile[k + 1] = (4 - filled) * 0.25
    tile[k + 2] = state.scored[player, t]
    if state.scored[player, t]:
        tile[k + 3] = state.tile_points[player, t] * TWELFTH
    elif filled == 4:
        tile[k + 3] = tile_points(rules, player, letter, counts) * TWELFTH
    tile[k + 4] = missing == 0
    tile[k + 5] = min(missing, 2) / 2
    tile[k + 6] = missing > 4 - filled
    tile[k + 7] = colours_present(counts) * 0.25
    return at + TILE


@rule
def see_need(rules: Any, player: Any, letter: Any, out: Any, at: Any) -> Any:
    """One entry of own_need."""
    kind = rules.need_kind[player, letter]
    sign = -1 if kind == FORBID_COLOUR or kind == FORBID_TYPE else 1
    if kind == MIN_TOAST:
        out[at + COLOURS + TYPES] = 1
    elif kind == FORBID_COLOUR or kind == MIN_COLOUR:
        out[at + rules.need_colour[player, letter]] = sign
    else:
        out[at + COLOURS + rules.need_type[player, letter, 0]] = sign
        if kind == EACH_OF_TWO_TYPES:
            out[at + COLOURS + rules.need_type[player, letter, 1]] = sign
    return at + COLOURS + TYPES + 1


@rule
def see_photos(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """own_photo, own_photo_colours, own_photo_want."""
    shown = at + 4 * PHOTOS
    want = shown + PHOTOS * COLOURS
    for j in range(PHOTOS):
        counts = in_area(state, rules, player, j) + planned_in_area(state, rules, player, j)
        count = photo_count(rules, player, j, counts)
        free = rules.line_size[player, rules.photo_line[player, j]] - guests_of(counts)
        out[at + 4 * j] = count * TWELFTH
        out[at + 4 * j + 1] = free * TWELFTH
        out[at + 4 * j + 2] = rules.photo_worth[j, count] * SIXTH
        out[at + 4 * j + 3] = min(rules.photo_away[j, count], 3) * THIRD
        for k in range(COLOURS):
            out[shown + k] = colours_of(counts, k) > 0
        shown += COLOURS
        if rules.photo_colour[player, j] >= 0:
            out[want + rules.photo_colour[player, j]] = 1
        if rules.photo_type[player, j] >= 0:
            out[want + COLOURS + rules.photo_type[player, j]] = 1
        want += COLOURS + TYPES
    return want


@rule
def see_own_spaces(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """own_space: the chamber, with placements of this phase in the free spaces of their class."""
    see_spaces(state, player, out[at : at + SPACES])
    for k in range(state.planned[player]):
        space = rules.class_start[player, state.plan[player, k]]
        while out[at + space] > 0:
            space += 1
        out[at + space] = state.carriage[state.taken[player], k] * FORTIETH + FORTIETH
    return at + SPACES


@rule
def see_spaces(state: Any, seat: Any, spaces: Any) -> None:
    """A chamber as everybody sees it: (kind + 1) / 40."""
    for space in range(SPACES):
        spaces[space] = state.chamber[seat, space] * FORTIETH + FORTIETH


@rule
def see_others(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """other_space, other_tile."""
    n = rules.players
    tiles = at + (n - 1) * SPACES
    for k in range(1, n):
        seat = player + k if player + k < n else player + k - n
        see_spaces(state, seat, out[at : at + SPACES])
        at += SPACES
        for t in range(TILES):
            out[tiles] = guests_of(around_tile(state, rules, seat, t)) * 0.25
            out[tiles + 1] = state.scored[seat, t]
            out[tiles + 2] = state.tile_points[seat, t] * TWELFTH
            out[tiles + 3] = (state.letter[seat, t] + 1) * SIXTH
            tiles += 4
    return tiles
