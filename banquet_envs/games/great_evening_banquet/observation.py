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
    EXACTLY_3_COLOURS,
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
    colour_of,
    colours_present,
    count_colours,
    count_toasts,
    count_types,
    counts_score,
    in_line,
    nibble,
    photo_points_of,
    toast_of,
    type_of,
)

TOKEN = COLOURS + TYPES + 1  # a token: colour, type, toast; all zero for none
TILE = COLOURS + TYPES + 8  # an own tile, see `see_own_tile`


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
            Slice("on_top", (n,), "1 where an equal-scored marker of another seat lies under this one's, own first"),
            Slice("salon_used", (n,), "has used the Grand Salon, own first"),
            Slice("redraws", (1,), "Solo Mode: redraws used / 2"),
            Slice("own_tile", (TILES, TILE), "own tiles, placements of this phase included: colours 5 and types 4 / 4, toasts / 4,"
                  " free spaces / 4, scored, points if it were scored as it is (full tiles) / 12, requirement met,"
                  " tokens still needed for it / 2, requirement can no longer be met, different colours / 4", False),
            Slice("own_need", (TILES, COLOURS + TYPES + 1), "what own VIPs require: +1 wanted, -1 forbidden; colour 5, type 4, toast"),
            Slice("own_photo", (PHOTOS, 4), "own photo tiles: count / 12, free spaces in the area / 12, points now / 6,"
                  " tokens to the next group / 3 (colours away from exactly three)", False),
            Slice("own_photo_colours", (2, COLOURS), "colours present in the areas of photos 1 and 5", False),
            Slice("own_photo_want", (PHOTOS, COLOURS + TYPES), "the colour or type that own photo tiles name, one-hot"),
            Slice("own_space", (SPACES,), "own spaces with placements of this phase: (kind + 1) / 40, 0 empty", False),
            Slice("other_space", (n - 1, SPACES), "the others' spaces as everybody sees them: (kind + 1) / 40, 0 empty"),
            Slice("other_tile", (n - 1, TILES, 4), "the others' tiles: filled / 4, scored, points / 12, letter / 6"),
            Slice("letter", (TILES,), "the letter at own tiles 0-5, (letter + 1) / 6"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,)."""
    at = see_clock(state, rules, player, out)
    at = see_hand(state, player, out, at)
    at = see_carriages(state, rules, player, out, at)
    at = see_stock(state, out, at)
    at = see_scores(state, rules, player, out, at)
    for t in range(TILES):
        at = see_own_tile(state, rules, player, t, out, at)
    for t in range(TILES):
        at = see_need(rules, player, state.letter[player, t], out, at)
    at = see_photos(state, rules, player, out, at)
    at = see_own_spaces(state, rules, player, out, at)
    at = see_others(state, rules, player, out, at)
    for t in range(TILES):
        out[at + t] = (state.letter[player, t] + 1) / 6


@rule
def see_token(kind: Any, out: Any, at: Any) -> Any:
    """One token as colour, type and toast; zeros for -1."""
    for k in range(TOKEN):
        out[at + k] = 0
    if kind >= 0:
        out[at + colour_of(kind)] = 1
        out[at + COLOURS + type_of(kind)] = 1
        out[at + COLOURS + TYPES] = toast_of(kind)
    return at + TOKEN


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then in turn order."""
    return (seat - player + rules.players) % rules.players


@rule
def see_clock(state: Any, rules: Any, player: Any, out: Any) -> Any:
    """phase, clock, cards_left, seat_to_move, own_colour, turn_order."""
    n = rules.players
    for k in range(4):
        out[k] = not state.over and state.phase == k
    out[4] = state.round_number / rules.rounds
    out[5] = state.final
    out[6] = state.card / 4
    for k in range(MAX_VALUE):
        out[7 + k] = state.cards_left[k + 1] / 4
    at = 11
    for k in range(n):
        out[at + k] = not state.over and relative(rules, player, state.player) == k
    at += n
    for k in range(SEATS):
        out[at + k] = k == player
    at += SEATS
    for k in range(n):
        out[at + relative(rules, player, state.order[k])] = k / n
    return at + n


@rule
def see_hand(state: Any, player: Any, out: Any, at: Any) -> Any:
    """hand: tokens of the own carriage that are still to be placed."""
    c = state.taken[player]
    for k in range(MAX_VALUE):
        index = state.planned[player] + k
        kind = -1
        if c >= 0 and index < MAX_VALUE:
            kind = state.carriage[c, index]
        at = see_token(kind, out, at)
    return at


@rule
def see_carriages(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """carriage, carriage_taken."""
    carriages = max(rules.players, 2)
    for c in range(carriages):
        for k in range(MAX_VALUE):
            at = see_token(state.carriage[c, k], out, at)
    for c in range(carriages):
        for k in range(rules.players):
            out[at + k] = 0
        if state.taken_by[c] >= 0:
            out[at + relative(rules, player, state.taken_by[c])] = 1
        at += rules.players
    return at


@rule
def see_stock(state: Any, out: Any, at: Any) -> Any:
    """salon, salon_pick, bag."""
    for k in range(4):
        at = see_token(state.salon[k], out, at)
    for k in range(4):
        out[at + k] = state.salon_pick == k
    at += 4
    for kind in range(KINDS):
        out[at + kind] = state.bag[kind] / 4
    return at + KINDS


@rule
def see_scores(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """points, on_top, salon_used, redraws."""
    n = rules.players
    for seat in range(n):
        k = at + relative(rules, player, seat)
        out[k] = state.points[seat] / 50
        out[k + n] = lies_on_another(state, rules, seat)
        out[k + 2 * n] = state.salon_used[seat]
    at += 3 * n
    out[at] = state.redraws / 2
    return at + 1


@rule
def lies_on_another(state: Any, rules: Any, seat: Any) -> Any:
    """1 when the seat's marker lies on top of another one."""
    for other in range(rules.players):
        if other != seat and state.points[other] == state.points[seat] and state.arrival[other] < state.arrival[seat]:
            return 1
    return 0


@rule
def planned_counts(state: Any, rules: Any, player: Any, t: Any) -> Any:
    """Packed colours, types and toasts that the own plan adds around tile `t`."""
    colours = 0
    types = 0
    toasts = 0
    for k in range(state.planned[player]):
        c = state.plan[player, k]
        if rules.class_tile[player, c, 0] == t or rules.class_tile[player, c, 1] == t:
            kind = state.carriage[state.taken[player], k]
            colours += 1 << (4 * int(colour_of(kind)))
            types += 1 << (4 * int(type_of(kind)))
            toasts += int(toast_of(kind))
    return colours, types, toasts


@rule
def see_own_tile(state: Any, rules: Any, player: Any, t: Any, out: Any, at: Any) -> Any:
    """One entry of own_tile."""
    colours, types, toasts = planned_counts(state, rules, player, t)
    colours += count_colours(state, rules, player, t)
    types += count_types(state, rules, player, t)
    toasts += count_toasts(state, rules, player, t)
    filled = 0
    for k in range(COLOURS):
        n = nibble(colours, k)
        out[at + k] = n / 4
        filled += n
    at += COLOURS
    for k in range(TYPES):
        out[at + k] = nibble(types, k) / 4
    at += TYPES
    letter = state.letter[player, t]
    missing = still_needed(rules, player, letter, colours, types, toasts)
    impossible = missing > 4 - filled
    out[at] = toasts / 4
    out[at + 1] = (4 - filled) / 4
    out[at + 2] = state.scored[player, t]
    out[at + 3] = counts_score(rules, player, letter, colours, types, toasts) / 12 if filled == 4 else 0.0
    out[at + 4] = missing == 0
    out[at + 5] = min(missing, 2) / 2
    out[at + 6] = impossible
    out[at + 7] = colours_present(colours) / 4
    return at + 8


@rule
def still_needed(rules: Any, seat: Any, letter: Any, colours: Any, types: Any, toasts: Any) -> Any:
    """Tokens that a VIP still needs for its requirement; 9 when a forbidden one is seated."""
    kind = rules.need_kind[seat, letter]
    count = rules.need_count[seat, letter]
    if kind == FORBID_COLOUR:
        return 9 if nibble(colours, rules.need_colour[seat, letter]) > 0 else 0
    if kind == FORBID_TYPE:
        return 9 if nibble(types, rules.need_type[seat, letter, 0]) > 0 else 0
    if kind == MIN_TOAST:
        return max(0, count - toasts)
    if kind == MIN_COLOUR:
        return max(0, count - nibble(colours, rules.need_colour[seat, letter]))
    missing = max(0, count - nibble(types, rules.need_type[seat, letter, 0]))
    if kind == EACH_OF_TWO_TYPES:
        missing += max(0, count - nibble(types, rules.need_type[seat, letter, 1]))
    return missing


@rule
def see_need(rules: Any, player: Any, letter: Any, out: Any, at: Any) -> Any:
    """One entry of own_need."""
    for k in range(COLOURS + TYPES + 1):
        out[at + k] = 0
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
def area_counts(state: Any, rules: Any, player: Any, j: Any) -> Any:
    """Packed colours and types in the area of photo `j`, own placements of this phase included; and its free spaces."""
    line = rules.photo_line[player, j]
    colours = 0
    types = 0
    free = 0
    for c in range(rules.num_classes):
        if in_line(rules, player, c, line):
            for space in range(rules.class_start[c], rules.class_start[c + 1]):
                kind = state.chamber[player, space]
                if kind >= 0:
                    colours += 1 << (4 * int(colour_of(kind)))
                    types += 1 << (4 * int(type_of(kind)))
                else:
                    free += 1
    for k in range(state.planned[player]):
        if in_line(rules, player, state.plan[player, k], line):
            kind = state.carriage[state.taken[player], k]
            colours += 1 << (4 * int(colour_of(kind)))
            types += 1 << (4 * int(type_of(kind)))
            free -= 1
    return colours, types, free


@rule
def see_photos(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """own_photo, own_photo_colours, own_photo_want."""
    shown = at + 4 * PHOTOS
    want = shown + 2 * COLOURS
    for j in range(PHOTOS):
        colours, types, free = area_counts(state, rules, player, j)
        for k in range(COLOURS + TYPES):
            out[want + k] = 0
        if rules.photo_kind[j] == EXACTLY_3_COLOURS:
            count = colours_present(colours)
            away = abs(count - 3)
            if shown < at + 4 * PHOTOS + 2 * COLOURS:
                for k in range(COLOURS):
                    out[shown + k] = nibble(colours, k) > 0
                shown += COLOURS
        else:
            if rules.photo_colour[player, j] >= 0:
                count = nibble(colours, rules.photo_colour[player, j])
                out[want + rules.photo_colour[player, j]] = 1
            else:
                count = nibble(types, rules.photo_type[player, j])
                out[want + COLOURS + rules.photo_type[player, j]] = 1
            away = rules.photo_group[j] - count % rules.photo_group[j]
        out[at + 4 * j] = count / 12
        out[at + 4 * j + 1] = free / 12
        out[at + 4 * j + 2] = photo_points_of(rules, j, count) / 6
        out[at + 4 * j + 3] = away / 3
        want += COLOURS + TYPES
    return want


@rule
def see_own_spaces(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """own_space: the chamber, with placements of this phase in the free spaces of their class."""
    for space in range(SPACES):
        out[at + space] = (state.chamber[player, space] + 1) / KINDS
    for k in range(state.planned[player]):
        space = rules.class_start[state.plan[player, k]]
        while state.chamber[player, space] >= 0 or out[at + space] > 0:
            space += 1
        out[at + space] = (state.carriage[state.taken[player], k] + 1) / KINDS
    return at + SPACES


@rule
def see_others(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """other_space, other_tile."""
    n = rules.players
    tiles = at + (n - 1) * SPACES
    for k in range(1, n):
        seat = (player + k) % n
        for space in range(SPACES):
            out[at + space] = (state.chamber[seat, space] + 1) / KINDS
        at += SPACES
        for t in range(TILES):
            filled = 0
            for i in range(4):
                if state.chamber[seat, rules.tile_space[seat, t, i]] >= 0:
                    filled += 1
            out[tiles] = filled / 4
            out[tiles + 1] = state.scored[seat, t]
            out[tiles + 2] = state.tile_points[seat, t] / 12
            out[tiles + 3] = (state.letter[seat, t] + 1) / 6
            tiles += 4
    return tiles
