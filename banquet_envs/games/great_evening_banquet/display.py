"""Actions and positions in words, and the picture of a position."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from banquet_envs.core.picture import spot
from banquet_envs.core.types import Rules, State
from banquet_envs.games.great_evening_banquet.components import (
    COLOUR_NAMES,
    LETTERS,
    PHOTOS,
    PLAYER_COLOURS,
    TILES,
    Need,
    Photo,
)
from banquet_envs.games.great_evening_banquet.state import Action, Phase

# ---------------------------------------------------------------- words

TYPE_WORDS = ("Gentleman", "Lady", "Senior Gentleman", "Senior Lady")
_RANKS = (
    "Legendary Diplomat",
    "Best Diplomat in the Country",
    "Outstanding Diplomat Candidate",
    "Veteran Diplomat",
    "Promising Diplomat",
    "Apprentice Diplomat",
)
DECISIONS = ("choose a carriage", "seat a guest", "choose a guest of the Grand Salon", "exchange an own guest")


def token_text(kind: int) -> str:
    """A guest token in words, such as "green Lady with toast"."""
    toast = " with toast" if kind & 1 else ""
    return f"{COLOUR_NAMES[kind >> 3]} {TYPE_WORDS[(kind >> 1) & 3]}{toast}"


def tokens_text(kinds: Iterable[int]) -> str:
    """Several tokens, or "nobody"."""
    return ", ".join(token_text(int(k)) for k in kinds if k >= 0) or "nobody"


def class_text(rules: Rules, state: State, seat: int, c: int) -> str:
    """A space class as the VIPs it lies at: "VIP C" or "VIPs A and B"."""
    letters = [LETTERS[state.letter[seat, t]] for t in rules.class_tile[seat, c] if t >= 0]
    return f"VIP {letters[0]}" if len(letters) == 1 else f"VIPs {' and '.join(sorted(letters))}"


def need_text(rules: Rules, seat: int, letter: int) -> str:
    """What a VIP requires."""
    kind, count = rules.need_kind[seat, letter], rules.need_count[seat, letter]
    colour, types = rules.need_colour[seat, letter], rules.need_type[seat, letter]
    if kind == Need.MIN_TOAST:
        return f"{count}+ toasts"
    if kind in (Need.FORBID_COLOUR, Need.MIN_COLOUR):
        return f"no {COLOUR_NAMES[colour]}" if kind == Need.FORBID_COLOUR else f"{count}+ {COLOUR_NAMES[colour]}"
    if kind == Need.FORBID_TYPE:
        return f"no {TYPE_WORDS[types[0]]}"
    if kind == Need.MIN_TYPE:
        return f"{count}+ {TYPE_WORDS[types[0]]}"
    assert kind == Need.EACH_OF_TWO_TYPES
    return f"{count}+ {TYPE_WORDS[types[0]]} and {count}+ {TYPE_WORDS[types[1]]}"


def photo_text(rules: Rules, seat: int, j: int) -> str:
    """What photo tile `j` (0-4) pays for."""
    group = int(rules.photo_group[j])
    points = rules.photo_worth[j, 3 if rules.photo_kind[j] == Photo.EXACTLY_3_COLOURS else group]
    if rules.photo_kind[j] == Photo.EXACTLY_3_COLOURS:
        return f"{points} for exactly 3 colours"
    if rules.photo_kind[j] == Photo.PER_GROUP_COLOUR:
        return f"{points} per {group} {COLOUR_NAMES[rules.photo_colour[seat, j]]}"
    return f"{points} per {group} {TYPE_WORDS[rules.photo_type[seat, j]]}"


def photo_area(rules: Rules, state: State, seat: int, j: int) -> list[int]:
    """The own tiles whose guests photo tile `j` counts."""
    line = int(rules.photo_line[seat, j])
    return [t for t in range(TILES) if (t % 3 == line if line < 3 else t // 3 == line - 3)]


def rank_title(rules: Rules, points: int) -> str:
    """Solo Mode: the diplomat's rank for a final score."""
    for k, least in enumerate(rules.rank_score):
        if points >= least:
            return _RANKS[k]
    return _RANKS[-1]


def next_guest(state: State, seat: int) -> int:
    """The token that the seat places next, -1 when it has none."""
    c, k = state.taken[seat], state.planned[seat]
    return int(state.carriage[c, k]) if c >= 0 and k < state.carriage.shape[1] else -1


def action_text(rules: Rules, state: State, action: int) -> str:
    """An action of the seat to move, in the game's terms."""
    seat = int(state.player)
    if action >= Action.PLACE:
        kind = next_guest(state, seat)
        who = f"the {token_text(kind)}" if kind >= 0 else "a guest"
        return f"seat {who} at {class_text(rules, state, seat, action - Action.PLACE)}"
    if action >= Action.GIVE:
        space = action - Action.GIVE
        kind = int(state.chamber[seat, space])
        where = (
            class_text(rules, state, seat, int(rules.space_class[seat, space]))
            if space < rules.num_spaces
            else "no VIP"
        )
        return f"give the {token_text(kind)} from {where}" if kind >= 0 else f"give the guest in empty space {space}"
    if action >= Action.SALON:
        kind = int(state.salon[action - Action.SALON])
        return f"take the {token_text(kind)} from the Grand Salon (place {action - Action.SALON + 1})"
    if action >= Action.REDRAW:
        return f"redraw carriage {action - Action.REDRAW + 1}"
    return f"take carriage {action + 1}: {tokens_text(state.carriage[action])}"


def own_tokens(rules: Rules, state: State, seat: int, t: int, with_plan: bool) -> list[int]:
    """Tokens around tile `t`; with the seat's hidden placements of a running phase 3 on request."""
    tokens = [int(state.chamber[seat, s]) for s in rules.tile_space[seat, t] if state.chamber[seat, s] >= 0]
    for k in range(int(state.planned[seat]) if with_plan else 0):
        if t in rules.class_tile[seat, state.plan[seat, k]]:
            tokens.append(int(state.carriage[state.taken[seat], k]))
    return tokens


def sees_plan(seat: int, player: int | None) -> bool:
    """Whether `player` may see what `seat` has placed in a running phase 3; None sees everything."""
    return player is None or player == seat


def describe(rules: Rules, state: State, player: int | None) -> str:
    """The position in words: everything on the table, hidden placements only of `player`'s own (None: all)."""
    lines = [_headline(rules, state)]
    cards = [f"{n}x{v}" for v, n in enumerate(state.cards_left) if n]
    lines.append(f"Arrival Card {state.card}; face down: {', '.join(cards) or 'none'}")
    for c in range(state.carriages):
        taker = state.taken_by[c]
        owner = f" (taken by seat {taker}, {PLAYER_COLOURS[taker]})" if taker >= 0 else ""
        lines.append(f"Carriage {c + 1}{owner}: {tokens_text(state.carriage[c])}")
    pick = f"; chosen: place {state.salon_pick + 1}" if state.salon_pick >= 0 else ""
    lines.append(f"Grand Salon: {tokens_text(state.salon)}{pick}")
    lines.append(f"Bag: {_bag_text(state)}")
    for seat in range(rules.players):
        lines += _describe_seat(rules, state, seat, player)
    return "\n".join(lines)


def _headline(rules: Rules, state: State) -> str:
    if state.over:
        if rules.players == 1:
            return f"Game over: {state.points[0]} points, {rank_title(rules, int(state.points[0]))}"
        winners = [f"seat {p} ({PLAYER_COLOURS[p]})" for p in range(rules.players) if state.place[p] == 0]
        return f"Game over. Won by {' and '.join(winners)}"
    final = " (final round)" if state.final else ""
    order = ", ".join(PLAYER_COLOURS[state.order[k]] for k in range(rules.players))
    turn = f"seat {state.player} ({PLAYER_COLOURS[state.player]}) to {DECISIONS[state.phase]}"
    return f"Round {state.round_number} of {rules.rounds}{final}, order {order}: {turn}"


def _bag_text(state: State) -> str:
    parts = []
    for pair in range(20):
        plain, toast = int(state.bag[2 * pair]), int(state.bag[2 * pair + 1])
        if plain + toast:
            parts.append(f"{plain + toast}{'*' if toast else ''} {token_text(2 * pair)}")
    return f"{state.bag_size} guests (* one with toast): {', '.join(parts) or 'none'}"


def markers_under(rules: Rules, state: State, seat: int) -> list[int]:
    """Seats whose markers lie under this one's on its space: on a tie the topmost is first in the final round."""
    same = [p for p in range(rules.players) if state.points[p] == state.points[seat] and not state.over]
    return sorted((p for p in same if state.arrival[p] < state.arrival[seat]), key=lambda p: state.arrival[p])


def _marker_text(rules: Rules, state: State, seat: int) -> str:
    """ "marker on top of blue and tan", or nothing when no other lies under it."""
    under = " and ".join(PLAYER_COLOURS[p] for p in markers_under(rules, state, seat))
    return f"marker on top of {under}" if under else ""


def _describe_seat(rules: Rules, state: State, seat: int, player: int | None) -> list[str]:
    salon = "used" if state.salon_used[seat] else "not used"
    solo = f", redraws {state.redraws}" if rules.players == 1 else ""
    you = ", you" if player == seat else ""
    under = _marker_text(rules, state, seat)
    points = f"{state.points[seat]} points" + (f" ({under})" if under else "")
    lines = [f"Seat {seat} ({PLAYER_COLOURS[seat]}{you}): {points}, Grand Salon {salon}{solo}"]
    if state.phase == Phase.PLACE_GUEST and not state.over and sees_plan(seat, player) and next_guest(state, seat) >= 0:
        rest = state.carriage[state.taken[seat], state.planned[seat] :]
        lines.append(f"  still to seat: {tokens_text(rest)}")
    by_position = sorted(range(TILES), key=lambda t: rules.position[seat, t])
    for t in by_position:
        letter = int(state.letter[seat, t])
        scored = f" scored {state.tile_points[seat, t]}" if state.scored[seat, t] else ""
        guests = tokens_text(own_tokens(rules, state, seat, t, sees_plan(seat, player)))
        lines.append(f"  VIP {LETTERS[letter]} ({need_text(rules, seat, letter)}){scored}: {guests}")
    for j in range(PHOTOS):
        letters = sorted(LETTERS[state.letter[seat, t]] for t in photo_area(rules, state, seat, j))
        got = f" = {state.photo_points[seat, j]}" if state.over else ""
        lines.append(f"  Photo {j + 1} ({'+'.join(letters)}): {photo_text(rules, seat, j)}{got}")
    return lines


# ---------------------------------------------------------------- picture

_FILL = {"blue": "#5b8fd6", "green": "#63b36b", "yellow": "#f2cf4a", "brown": "#a9754a", "peach": "#f6b291"}
_SEAT_FILL = {"red": "#b3423a", "blue": "#2f5f9e", "purple": "#7a4b93", "tan": "#b08d57"}
_TYPE_SHORT = ("G", "L", "SG", "SL")
_CELL, _BOARD_W, _BOARD_H, _HEAD_H = 150, 490, 470, 235


def place(rules: Rules, state: State, action: int) -> str:
    """Where on the picture an action of the seat to move belongs."""
    if action >= Action.PLACE:
        return f"class-{int(state.player)}-{action - Action.PLACE}"
    if action >= Action.GIVE:
        return f"space-{int(state.player)}-{action - Action.GIVE}"
    if action >= Action.SALON:
        return f"salon-{action - Action.SALON}"
    return f"carriage-{action - (Action.REDRAW if action >= Action.REDRAW else Action.TAKE)}"


def draw(rules: Rules, state: State, player: int | None) -> str:
    """The position as one SVG: carriages, Grand Salon and cards on top, a chamber per seat below."""
    columns = int(rules.players) if rules.players <= 3 else 2
    rows = (int(rules.players) + columns - 1) // columns
    width, height = max(columns * _BOARD_W + 20, 780), _HEAD_H + rows * _BOARD_H + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="DejaVu Sans, sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#f7f3ea"/>',
        _text(14, 26, _headline(rules, state), 15, "bold"),
    ]
    parts += _draw_table(state)
    for seat in range(rules.players):
        x = 10 + seat % columns * _BOARD_W if columns > 1 else (width - _BOARD_W) // 2
        parts += _draw_chamber(rules, state, seat, player, x, _HEAD_H + seat // columns * _BOARD_H)
    parts += _draw_legend(height - 22)
    return "".join([*parts, "</svg>"])


def _text(x: float, y: float, words: str, size: int = 13, weight: str = "normal", anchor: str = "start",
          fill: str = "#2b2b2b") -> str:  # fmt: skip
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'


def _box(x: float, y: float, w: float, h: float, fill: str, stroke: str = "#8a8172", wide: float = 1) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="8" fill="{fill}" stroke="{stroke}" stroke-width="{wide}"/>'
    )


def _draw_token(x: float, y: float, kind: int, hidden: bool = False, r: int = 19) -> str:
    """A guest: colour of the disc, type in letters, a small cup for the toast; an empty space for -1."""
    if kind < 0:
        return f'<circle cx="{x}" cy="{y}" r="{r}" fill="#ffffff" fill-opacity="0" stroke="#b8ad98" stroke-dasharray="3 3"/>'
    ring = ' stroke="#c0392b" stroke-width="3"' if hidden else ' stroke="#4a4a4a"'
    out = f'<circle cx="{x}" cy="{y}" r="{r}" fill="{_FILL[COLOUR_NAMES[kind >> 3]]}"{ring}/>'
    out += _text(x, y + 5, _TYPE_SHORT[(kind >> 1) & 3], 14, "bold", "middle")
    if kind & 1:
        out += f'<circle cx="{x + r - 4}" cy="{y - r + 5}" r="8" fill="#fff" stroke="#4a4a4a"/>'
        out += _text(x + r - 4, y - r + 9, "T", 11, "bold", "middle", "#b3423a")
    return spot(out, told=token_text(kind))


def _draw_table(state: State) -> list[str]:
    parts = []
    for c in range(state.carriages):
        x = 14 + c * 190
        taker = int(state.taken_by[c])
        stroke = _SEAT_FILL[PLAYER_COLOURS[taker]] if taker >= 0 else "#8a8172"
        carriage = [_box(x, 42, 182, 76, "#efe6d2", stroke, 4 if taker >= 0 else 1)]
        carriage.append(
            _text(x + 8, 58, f"Carriage {c + 1}" + (f": {PLAYER_COLOURS[taker]}" if taker >= 0 else ""), 12)
        )
        carriage += [_draw_token(x + 25 + 44 * k, 90, int(kind)) for k, kind in enumerate(state.carriage[c])]
        parts.append(spot("".join(carriage), f"carriage-{c}"))
    parts.append(_box(14, 128, 182, 76, "#e2ddf0"))
    parts.append(_text(22, 144, "Grand Salon", 12))
    for k, kind in enumerate(state.salon):
        parts.append(spot(_draw_token(39 + 44 * k, 176, int(kind), hidden=k == state.salon_pick), f"salon-{k}"))
    cards = ", ".join(f"{n} of value {v}" for v, n in enumerate(state.cards_left) if n) or "none"
    parts.append(_text(212, 150, f"Arrival Card {state.card}; face down: {cards}"))
    parts.append(_text(212, 172, f"{state.bag_size} guests in the bag, {int(state.box.sum())} out of the game"))
    if state.redraws:
        parts.append(_text(212, 194, f"Redraws used: {state.redraws}"))
    return parts


def _draw_chamber(rules: Rules, state: State, seat: int, player: int | None, x: float, y: float) -> list[str]:
    colour = _SEAT_FILL[PLAYER_COLOURS[seat]]
    turn = state.player == seat and not state.over
    salon = "salon used" if state.salon_used[seat] else "salon open"
    you = ", you" if player == seat else ""
    place = f", place {state.place[seat] + 1}" if state.over else ""
    head = f"Seat {seat} {PLAYER_COLOURS[seat]}{you}: {state.points[seat]} points{place}, {salon}"
    parts = [_box(x, y, _BOARD_W - 10, _BOARD_H - 12, "#fffdf7", colour, 5 if turn else 2)]
    parts.append(_text(x + 12, y + 24, head, 14, "bold", fill=colour))
    for t in range(TILES):
        row, column = divmod(int(rules.position[seat, t]), 3)
        left, top = x + 12 + column * (_CELL + 6), y + 36 + row * (_CELL + 8)
        own = [c for c in range(int(rules.num_classes)) if list(rules.class_tile[seat, c]) == [t, -1]]
        parts.append(
            spot("".join(_draw_tile(rules, state, seat, t, left, top)), f"class-{seat}-{own[0]}" if own else "")
        )
    parts += _draw_guests(rules, state, seat, sees_plan(seat, player), x + 12, y + 36)
    for j in range(PHOTOS):
        letters = "+".join(sorted(LETTERS[state.letter[seat, t]] for t in photo_area(rules, state, seat, j)))
        got = f"  → {state.photo_points[seat, j]}" if state.over else ""
        words = f"Photo {j + 1} ({letters}): {_short(photo_text(rules, seat, j))}{got}"
        parts.append(_text(x + 14 + (j % 2) * 238, y + 376 + (j // 2) * 26, words, 12))
    parts.append(_text(x + 252, y + 428, _marker_text(rules, state, seat), 12))
    return parts


def _draw_tile(rules: Rules, state: State, seat: int, t: int, x: float, y: float) -> list[str]:
    """A VIP: letter in the middle (with its points when scored), requirement below."""
    letter = int(state.letter[seat, t])
    scored = bool(state.scored[seat, t])
    middle = x + _CELL / 2
    head = f"{LETTERS[letter]} = {state.tile_points[seat, t]}" if scored else LETTERS[letter]
    return [
        _box(x, y, _CELL, _CELL, "#ded8c8" if scored else "#f4efe2"),
        _text(middle, y + _CELL / 2 - 2, head, 20, "bold", "middle"),
        _text(middle, y + _CELL / 2 + 15, _short(need_text(rules, seat, letter)), 12, "normal", "middle"),
    ]


def _short(words: str) -> str:
    """Guest types as the letters on the discs."""
    for long, short in zip(reversed(TYPE_WORDS), reversed(_TYPE_SHORT), strict=True):
        words = words.replace(long, short)
    return words.replace(" and ", ", ").replace("for exactly", "if just")


def _draw_guests(rules: Rules, state: State, seat: int, with_plan: bool, x: float, y: float) -> list[str]:
    """Every space: own ones at a tile's corners, shared ones between the two tiles."""
    parts, used = [], [0] * TILES
    for c in range(int(rules.num_classes)):
        spaces = range(int(rules.class_start[seat, c]), int(rules.class_start[seat, c + 1]))
        kinds = [(int(state.chamber[seat, s]), False) for s in spaces]
        free = [k for k, (kind, _) in enumerate(kinds) if kind < 0]
        planned = [k for k in range(int(state.planned[seat])) if state.plan[seat, k] == c] if with_plan else []
        for slot, k in zip(free, planned, strict=False):
            kinds[slot] = int(state.carriage[state.taken[seat], k]), True
        tokens = []
        for n, (kind, hidden) in enumerate(kinds):
            px, py = _space_at(rules, seat, c, n, len(kinds), used)
            tokens.append(spot(_draw_token(x + px, y + py, kind, hidden), f"space-{seat}-{spaces[n]}"))
        parts.append(spot("".join(tokens), f"class-{seat}-{c}"))
    return parts


def _space_at(rules: Rules, seat: int, c: int, n: int, count: int, used: list[int]) -> tuple[float, float]:
    """Centre of the n-th space of a class, relative to the grid's corner."""
    tiles = [int(t) for t in rules.class_tile[seat, c] if t >= 0]
    at = []
    for t in tiles:
        row, column = divmod(int(rules.position[seat, t]), 3)
        at.append((column * (_CELL + 6) + _CELL / 2, row * (_CELL + 8) + _CELL / 2))
    if len(tiles) == 1:
        corner = used[tiles[0]]
        used[tiles[0]] += 1
        return at[0][0] + (-46, 46, -46, 46)[corner], at[0][1] + (-42, -42, 42, 42)[corner]
    x, y = (at[0][0] + at[1][0]) / 2, (at[0][1] + at[1][1]) / 2
    spread = (n - (count - 1) / 2) * 60
    return (x + spread, y) if at[0][0] == at[1][0] else (x, y + spread)


def _draw_legend(y: float) -> list[str]:
    parts = [_text(14, y + 5, "G Gentleman, L Lady, S Senior, T toast; red ring: not yet shown or chosen", 12)]
    for k, name in enumerate(COLOUR_NAMES):
        parts.append(f'<circle cx="{500 + 56 * k}" cy="{y}" r="9" fill="{_FILL[name]}" stroke="#4a4a4a"/>')
        parts.append(_text(512 + 56 * k, y + 4, name, 10))
    return parts
