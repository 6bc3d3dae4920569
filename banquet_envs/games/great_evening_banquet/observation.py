"""What a seat sees: the observation vector and the layout that explains it.

Everything on the table is public, except what the others have placed in a running phase 3. Features that a network
would otherwise have to count (what a tile holds and still needs, what the photo areas hold) are given directly.
Each `see_*` function writes the slices that it names; `rules.at` holds where each begins.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.seats import relative, seat_after
from banquet_envs.core.types import Features, Rules, State
from banquet_envs.games.great_evening_banquet.components import (
    COLOURS,
    KINDS,
    MAX_VALUE,
    PHOTOS,
    SEATS,
    SPACES,
    TILES,
    TYPES,
    Need,
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

TOAST = COLOURS + TYPES  # where a token, a tile and a VIP's wish hold toasts, after colours and types
TOKEN = TOAST + 1  # a token: colour, type, toast; all zero for none
TILE = TOAST + 8  # an own tile, see `see_own_tile`
PHOTO, OTHER_TILE = 4, 4  # entries of one photo tile, of one tile of another seat
THIRD, SIXTH, TWELFTH, FORTIETH = 1 / 3, 1 / 6, 1 / 12, 1 / KINDS  # products are faster than quotients


def observation_layout(rules: Rules) -> Layout:
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
            Slice("hand", (MAX_VALUE, TOKEN), f"own tokens still to be placed, the next one first; each {token}"),
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
            Slice("own_need", (TILES, TOKEN), "what own VIPs require: +1 wanted, -1 forbidden; colour 5, type 4, toast"),
            Slice("own_photo", (PHOTOS, PHOTO), "own photo tiles: count / 12, free spaces in the area / 12, points now / 6,"
                  " tokens to the next group / 3 (colours away from exactly three)", False),
            Slice("own_photo_colours", (PHOTOS, COLOURS), "colours present in the area of each photo", False),
            Slice("own_photo_want", (PHOTOS, COLOURS + TYPES), "the colour or type that own photo tiles name, one-hot"),
            Slice("own_space", (SPACES,), "own spaces with placements of this phase: (kind + 1) / 40, 0 empty", False),
            Slice("other_space", (n - 1, SPACES), "the others' spaces as everybody sees them: (kind + 1) / 40, 0 empty"),
            Slice("other_tile", (n - 1, TILES, OTHER_TILE), "the others' tiles: filled / 4, scored, points / 12, letter / 6"),
            Slice("letter", (TILES,), "the letter at own tiles 0-5, (letter + 1) / 6"),
        ]
    )  # fmt: skip


# Offsets are read from the rules before a loop, not in it: the compiler cannot know that writing features leaves them alone.


@rule
def observe(state: State, rules: Rules, player: int, out: Features) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    see_clock(state, rules, player, out)
    see_hand(state, rules, player, out)
    see_carriages(state, rules, player, out)
    see_stock(state, rules, out)
    see_scores(state, rules, player, out)
    see_own_tiles(state, rules, player, out)
    see_photos(state, rules, player, out)
    see_own_spaces(state, rules, player, out)
    see_others(state, rules, player, out)


@rule
def see_token(kind: int, out: Features, start: int) -> None:
    """One token as colour, type and toast; nothing for -1."""
    if kind >= 0:
        out[start + colour_of(kind)] = 1
        out[start + COLOURS + type_of(kind)] = 1
        out[start + TOAST] = toast_of(kind)


@rule
def see_clock(state: State, rules: Rules, player: int, out: Features) -> None:
    """phase, clock, cards_left, seat_to_move, own_colour, turn_order."""
    at = rules.at
    if not state.over:
        out[at.phase + state.phase] = 1
        out[at.seat_to_move + relative(rules, player, state.player)] = 1
    out[at.clock] = state.round_number / rules.rounds
    out[at.clock + 1] = state.final
    out[at.clock + 2] = state.card / MAX_VALUE
    out[at.own_colour + player] = 1
    cards, order = at.cards_left, at.turn_order
    for k in range(MAX_VALUE):
        out[cards + k] = state.cards_left[k + 1] / 4
    for k in range(rules.players):
        out[order + relative(rules, player, state.order[k])] = k / rules.players


@rule
def see_hand(state: State, rules: Rules, player: int, out: Features) -> None:
    """hand: tokens of the own carriage that are still to be placed."""
    c, start = state.taken[player], rules.at.hand
    if c >= 0:
        for k in range(state.planned[player], MAX_VALUE):
            see_token(state.carriage[c, k], out, start)
            start += TOKEN


@rule
def see_carriages(state: State, rules: Rules, player: int, out: Features) -> None:
    """carriage, carriage_taken."""
    start, taken, n = rules.at.carriage, rules.at.carriage_taken, rules.players
    for c in range(max(n, 2)):
        for k in range(MAX_VALUE):
            see_token(state.carriage[c, k], out, start)
            start += TOKEN
        if state.taken_by[c] >= 0:
            out[taken + c * n + relative(rules, player, state.taken_by[c])] = 1


@rule
def see_stock(state: State, rules: Rules, out: Features) -> None:
    """salon, salon_pick, bag."""
    salon, bag = rules.at.salon, out[rules.at.bag : rules.at.bag + KINDS]
    for k in range(4):
        see_token(state.salon[k], out, salon + k * TOKEN)
    if state.salon_pick >= 0:
        out[rules.at.salon_pick + state.salon_pick] = 1
    for kind in range(KINDS):
        bag[kind] = state.bag[kind] * 0.25


@rule
def see_scores(state: State, rules: Rules, player: int, out: Features) -> None:
    """points, on_top, salon_used, redraws."""
    points, on_top, used, n = rules.at.points, rules.at.on_top, rules.at.salon_used, rules.players
    for seat in range(n):
        k = relative(rules, player, seat)
        out[points + k] = state.points[seat] / 50
        out[on_top + k] = markers_under(state, rules, seat) / max(n - 1, 1)
        out[used + k] = state.salon_used[seat]
    out[rules.at.redraws] = state.redraws / 2


@rule
def markers_under(state: State, rules: Rules, seat: int) -> int:
    """How many markers lie under the seat's on its space; after the photos, which nobody stacks, none."""
    under = 0
    if not state.over:
        for other in range(rules.players):
            if state.points[other] == state.points[seat] and state.arrival[other] < state.arrival[seat]:
                under += 1
    return under


@rule
def see_own_tiles(state: State, rules: Rules, player: int, out: Features) -> None:
    """own_tile, own_need, letter."""
    tile, need, letters = rules.at.own_tile, rules.at.own_need, rules.at.letter
    for t in range(TILES):
        letter = state.letter[player, t]
        see_own_tile(state, rules, player, t, out[tile : tile + TILE])
        see_need(rules, player, letter, out, need)
        out[letters + t] = (letter + 1) * SIXTH
        tile += TILE
        need += TOKEN


@rule
def see_own_tile(state: State, rules: Rules, player: int, t: int, tile: Features) -> None:
    """One entry of own_tile, written into `tile`."""
    counts = around_tile(state, rules, player, t) + planned_around_tile(state, rules, player, t)
    for k in range(COLOURS):
        tile[k] = colours_of(counts, k) * 0.25
    for k in range(TYPES):
        tile[COLOURS + k] = types_of(counts, k) * 0.25
    letter = state.letter[player, t]
    missing = still_needed(rules, player, letter, counts)
    filled = guests_of(counts)
    tile[TOAST] = toasts_of(counts) * 0.25
    tile[TOAST + 1] = (4 - filled) * 0.25
    tile[TOAST + 2] = state.scored[player, t]
    if state.scored[player, t]:
        tile[TOAST + 3] = state.tile_points[player, t] * TWELFTH
    elif filled == 4:
        tile[TOAST + 3] = tile_points(rules, player, letter, counts) * TWELFTH
    tile[TOAST + 4] = missing == 0
    tile[TOAST + 5] = min(missing, 2) / 2
    tile[TOAST + 6] = missing > 4 - filled
    tile[TOAST + 7] = colours_present(counts) * 0.25


@rule
def see_need(rules: Rules, player: int, letter: int, out: Features, start: int) -> None:
    """One entry of own_need."""
    kind = rules.need_kind[player, letter]
    sign = -1 if kind == Need.FORBID_COLOUR or kind == Need.FORBID_TYPE else 1
    if kind == Need.MIN_TOAST:
        out[start + TOAST] = 1
    elif kind == Need.FORBID_COLOUR or kind == Need.MIN_COLOUR:
        out[start + rules.need_colour[player, letter]] = sign
    else:
        out[start + COLOURS + rules.need_type[player, letter, 0]] = sign
        if kind == Need.EACH_OF_TWO_TYPES:
            out[start + COLOURS + rules.need_type[player, letter, 1]] = sign


@rule
def see_photos(state: State, rules: Rules, player: int, out: Features) -> None:
    """own_photo, own_photo_colours, own_photo_want."""
    photo, shown, want = rules.at.own_photo, rules.at.own_photo_colours, rules.at.own_photo_want
    for j in range(PHOTOS):
        counts = in_area(state, rules, player, j) + planned_in_area(state, rules, player, j)
        count = photo_count(rules, player, j, counts)
        out[photo] = count * TWELFTH
        out[photo + 1] = (rules.line_size[player, rules.photo_line[player, j]] - guests_of(counts)) * TWELFTH
        out[photo + 2] = rules.photo_worth[j, count] * SIXTH
        out[photo + 3] = min(rules.photo_away[j, count], 3) * THIRD
        for k in range(COLOURS):
            out[shown + k] = colours_of(counts, k) > 0
        if rules.photo_colour[player, j] >= 0:
            out[want + rules.photo_colour[player, j]] = 1
        if rules.photo_type[player, j] >= 0:
            out[want + COLOURS + rules.photo_type[player, j]] = 1
        photo += PHOTO
        shown += COLOURS
        want += COLOURS + TYPES


@rule
def see_own_spaces(state: State, rules: Rules, player: int, out: Features) -> None:
    """own_space: the chamber, with placements of this phase in the free spaces of their class."""
    own = out[rules.at.own_space : rules.at.own_space + SPACES]
    see_spaces(state, player, own)
    for k in range(state.planned[player]):
        space = rules.class_start[player, state.plan[player, k]]
        while own[space] > 0:
            space += 1
        own[space] = state.carriage[state.taken[player], k] * FORTIETH + FORTIETH


@rule
def see_spaces(state: State, seat: int, spaces: Features) -> None:
    """A chamber as everybody sees it: (kind + 1) / 40."""
    for space in range(SPACES):
        spaces[space] = state.chamber[seat, space] * FORTIETH + FORTIETH


@rule
def see_others(state: State, rules: Rules, player: int, out: Features) -> None:
    """other_space, other_tile."""
    spaces, tile = rules.at.other_space, rules.at.other_tile
    for k in range(1, rules.players):
        seat = seat_after(rules, player, k)
        see_spaces(state, seat, out[spaces : spaces + SPACES])
        spaces += SPACES
        for t in range(TILES):
            out[tile] = guests_of(around_tile(state, rules, seat, t)) * 0.25
            out[tile + 1] = state.scored[seat, t]
            out[tile + 2] = state.tile_points[seat, t] * TWELFTH
            out[tile + 3] = (state.letter[seat, t] + 1) * SIXTH
            tile += OTHER_TILE
