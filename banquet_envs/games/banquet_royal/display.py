"""Actions and positions of Banquet Royal in words; the picture of a position."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from html import escape

from banquet_envs.core.picture import spot
from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, ITEM_NAMES, PIECES, TOQUE, VALUES, Eat
from banquet_envs.games.banquet_royal.state import CLOSED, UNSEEN_TOKEN, Action, Phase, Seen

SEAT_COLOURS = ("orange", "pink", "blue", "green")
PHASE_TEXTS = (
    "place a Royal Order",
    "memorise the Royal Orders",
    "step 1: place a piece or announce a Royal Order",
    "Hell's Kitchen: give up a validated menu",
    "step 2: validate a menu",
    "step 3: discard a card",
    "step 4: draw from another deck",
)
_CODES = ("Sa", "Fr", "Pu", "Bu")


# ---------------------------------------------------------------- words


def item_name(item: int) -> str:
    """A dish or the toque in words."""
    return ITEM_NAMES[item].replace("_", " ")


def space_name(rules: Rules, x: int) -> str:
    """The name of a space, such as C3."""
    return f"{chr(ord('A') + int(rules.row[x]))}{int(rules.column[x])}"


def menu_text(rules: Rules, card: int) -> str:
    """A Menu card in words."""
    points = int(rules.value[card])
    items = "-".join(item_name(int(k)) for k in rules.symbol[card])
    return f"{items} ({points} point{'s' if points > 1 else ''})"


def seat_name(seat: int) -> str:
    """A seat with its colour."""
    return f"seat {seat} ({SEAT_COLOURS[seat]})"


def action_text(rules: Rules, state: State, action: int) -> str:
    """The action in the game's own terms."""
    if action < Action.ANNOUNCE:
        x, piece = divmod(action - Action.PLACE, PIECES)
        thing = "your toque" if piece == TOQUE else f"a {item_name(piece)}"
        return f"place {thing} on {space_name(rules, x)}"
    if action < Action.SCORE:
        x, dish = divmod(action - Action.ANNOUNCE, DISHES)
        return f"announce the Royal Order on {space_name(rules, x)} as a {item_name(dish)}"
    if action == Action.NO_SCORE:
        return "validate no menu"
    if action == Action.NO_DISCARD:
        return "discard nothing"
    if action < Action.NO_DISCARD:
        verb, slot = (
            ("validate", action - Action.SCORE) if action < Action.NO_SCORE else ("discard", action - Action.DISCARD)
        )
        card = int(state.hand[state.player, slot])
        return f"{verb} card {slot + 1}: " + (menu_text(rules, card) if card >= 0 else "none there")
    if action < Action.GIVE_UP:
        return f"draw from the {action - Action.DRAW + 1}-point deck"
    if action < Action.MEMORISE:
        card = action - Action.GIVE_UP
        text = menu_text(rules, card) if card < rules.menus else "not in the box"
        return f"give up validated menu {card + 1}: {text}"
    if action == Action.MEMORISE:
        return "have memorised the Royal Orders"
    return f"put a face-down Royal Order on {space_name(rules, action - Action.COVER)}"


def known_order(rules: Rules, state: State, x: int, player: int | None) -> int:
    """The dish under the cloche on `x` as `player` may know it (None: everything); -1 if it may not."""
    dish = int(state.order[x])
    shown = player is None or rules.recall or state.phase == Phase.MEMORISE
    return dish if shown and 0 <= dish < UNSEEN_TOKEN else -1


def _space_code(rules: Rules, state: State, x: int, player: int | None) -> str:
    """Two characters and brackets: what lies on a space."""
    here = int(state.board[x])
    if state.order[x] >= 0:
        dish = known_order(rules, state, x, player)
        return f"({_CODES[dish] if dish >= 0 else '??'})"
    if here == TOQUE:
        return f" T{int(state.owner[x])} "
    return " ## " if here == CLOSED else f" {_CODES[here] if here >= 0 else '..'} "


def _board_lines(rules: Rules, state: State, player: int | None) -> list[str]:
    """The board as rows of text, each space at its place, the names of the first and the last in front."""
    half = min(abs(int(a) - int(b)) for a in rules.x for b in rules.x if a != b)
    left = int(rules.x.min())
    rows: dict[int, list[tuple[int, str]]] = {}
    names: dict[int, list[str]] = {}
    for x in range(CELLS):
        names.setdefault(int(rules.y[x]), []).append(space_name(rules, x))
        rows.setdefault(int(rules.y[x]), []).append((int(rules.x[x]), _space_code(rules, state, x, player)))
    rows.setdefault(0, []).append((0, " ** "))
    width = 3 if half < 1000 else 6
    lines = []
    for y in sorted(rows):
        line = ""
        spaces = f"{names[y][0]}-{names[y][-1]}" if y in names else ""
        for at, code in sorted(rows[y]):
            line = line.ljust((at - left) // half * width) + code
        lines.append(f"  {spaces:7} {line.rstrip()}")
    return lines


def _switches(rules: Rules) -> str:
    """The variants in play."""
    named = {
        "Gourmet": rules.gourmet,
        f"Proper Dining Etiquette ({int(rules.orders)} orders)": rules.etiquette,
        "All You Can Eat": rules.eat == Eat.ADD,
        "All You Can Eat instead of order points": rules.eat == Eat.REPLACE,
        "Hell's Kitchen": rules.hell,
        "toques are jokers": rules.joker,
        "scoring is forced": rules.forced,
        "exhausted spots stay empty": rules.closed,
        "perfect recall": rules.recall,
    }
    return ", ".join(name for name, on in named.items() if on) or "base game"


def _status(rules: Rules, state: State) -> str:
    """Who has to do what, or the result."""
    if state.over:
        winners = " and ".join(seat_name(s) for s in range(int(rules.players)) if state.place[s] == 0)
        return f"The game is over: {winners} won."
    return f"{seat_name(int(state.player)).capitalize()} to move: {PHASE_TEXTS[int(state.phase)]}."


def _counts(counts: Iterable[int]) -> str:
    """Dishes with their numbers."""
    return ", ".join(f"{int(n)} {item_name(k)}" for k, n in enumerate(counts) if n) or "none"


def describe(rules: Rules, state: State, player: int | None) -> str:
    """Everything that `player` may know (None: all), for a terminal."""
    lines = [f"Banquet Royal: {_switches(rules)}.", _status(rules, state)]
    lines.append(f"Free spaces: {int(state.free)}. First player: {seat_name(int(state.first))}.")
    lines.append("Board (Sa salad, Fr fruit salad, Pu pudding, Bu burger, T0 toque of seat 0, ** bouquet, .. free,")
    lines.append("(??) Royal Order, (Sa) Royal Order known to be a salad, ## closed):")
    lines += _board_lines(rules, state, player)
    if state.placed >= 0:
        lines.append(f"Played this turn: {item_name(int(state.board[state.placed]))} on"
                     f" {space_name(rules, int(state.placed))}.")  # fmt: skip
    lines.append(f"Kitchen: {_counts(state.kitchen)}.")
    for v in range(VALUES):
        pile = [menu_text(rules, c) for c in cards_in(rules, state, Seen.ON_PILE) if rules.value[c] == v + 1]
        lines.append(f"Deck of {v + 1}-point menus: {int(state.deck_size[v])} cards; discards: {_listed(pile)}.")
        away = [menu_text(rules, c) for c in not_in_deck(rules, state, v)]
        if away:
            lines.append(f"  in hands, as all know: {_listed(away)}.")
    if state.lost.any():
        lines.append(f"Royal Orders called wrongly: {_counts(state.lost)}.")
    unrevealed = [int(state.tokens[d]) + int((state.order == d).sum()) for d in range(DISHES)]
    lines.append(f"Royal Orders unrevealed or unused: {_counts(unrevealed)}.")
    for seat in range(int(rules.players)):
        lines += _seat_lines(rules, state, seat, player)
    return "\n".join(lines)


def _listed(texts: list[str]) -> str:
    return "; ".join(texts) or "none"


def cards_in(rules: Rules, state: State, where: int) -> list[int]:
    """The menus that lie in a public place."""
    return [c for c in range(int(rules.menus)) if state.seen[c] == where]


def _hidden(rules: Rules, state: State, v: int) -> list[int]:
    """The hidden menus of a value (0 to 2)."""
    return [c for c in cards_in(rules, state, Seen.HIDDEN) if rules.value[c] == v + 1]


def not_in_deck(rules: Rules, state: State, v: int) -> list[int]:
    """Hidden menus of a value that cannot be in their deck: it was renewed without them, or is empty."""
    return [c for c in _hidden(rules, state, v) if state.deck_size[v] == 0 or state.epoch[c] != state.epochs[v]]


def known_to_all(rules: Rules, state: State, seat: int, s: int) -> str:
    """What everybody knows of a card in a hand besides its value: what it is not or, if that is shorter, what it may be."""
    age, ruled_out = int(state.epoch[state.hand[seat, s]]), int(state.ruled_out[seat, s])
    hidden = _hidden(rules, state, int(state.slot_value[seat, s]))
    left = [c for c in hidden if state.epoch[c] == age and not ruled_out >> c & 1]
    if len(left) == len(hidden):
        return ""
    out = [c for c in hidden if c not in left]
    few = out if len(out) < len(left) else left
    return f"{'not ' * (few is out)}{' or '.join(menu_text(rules, c) for c in few)}"


def _seat_lines(rules: Rules, state: State, seat: int, player: int | None) -> list[str]:
    """A seat's points, toques, orders, menus and hand."""
    name = seat_name(seat).capitalize() + (", you" if seat == player else "")
    lines = [
        f"{name}: {int(state.points[seat])} points, {int(state.toques[seat])} toques left,"
        f" Royal Orders: {_counts(state.collected[seat])}"
    ]
    validated = [menu_text(rules, c) for c in cards_in(rules, state, Seen.VALIDATED + seat)]
    lines.append(f"  validated: {_listed(validated)}")
    hand = []
    for s in range(HAND):
        card = int(state.hand[seat, s])
        if card < 0:
            hand.append(f"{s + 1}: empty")
            continue
        face = player is None or seat == player
        text = menu_text(rules, card) if face else f"a {int(rules.value[card])}-point menu"
        known = known_to_all(rules, state, seat, s)
        hand.append(f"{s + 1}: {text}" + (f" [all know: {known}]" if known else ""))
    lines.append("  hand: " + "; ".join(hand))
    return lines


# ---------------------------------------------------------------- the picture

_INK, _PAPER, _LINE = "#3b2f2f", "#fbf6ec", "#c9b99b"
_FILL = ("#6cae4f", "#e0679b", "#f0c64b", "#c98f5a", "#ffffff")
_SEAT_FILL = ("#ef8a2b", "#e569a8", "#3f7fd0", "#3f9e57")
_SHORT = ("Salad", "Fruit", "Pudd.", "Burger", "Toque")
_BOARD_X, _BOARD_Y, _PITCH = 310, 351, 82


def _text(
    x: float, y: float, text: str, size: int = 14, anchor: str = "start", fill: str = _INK, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}"{weight}>'
        f"{escape(text)}</text>"
    )


def _disc(x: float, y: float, r: float, fill: str, stroke: str = _INK, width: float = 1.5) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'


def _toque(x: float, y: float, fill: str, scale: float = 1.0) -> str:
    """A cook's hat in the owner's colour."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({scale})"><path d="M-13 16 V4 A10 10 0 0 1 -15 -13'
        f' A11 11 0 0 1 0 -19 A11 11 0 0 1 15 -13 A10 10 0 0 1 13 4 V16 Z" fill="#ffffff"'
        f' stroke="{_INK}" stroke-width="1.5"/>'
        f'<rect x="-13" y="7" width="26" height="9" fill="{fill}" stroke="{_INK}" stroke-width="1"/></g>'
    )


def _cloche(x: float, y: float, label: str, fill: str) -> str:
    """A covered Royal Order; coloured with its dish where that is known."""
    return (
        f'<path d="M{x - 26:.1f} {y + 14:.1f} A26 26 0 0 1 {x + 26:.1f} {y + 14:.1f} Z" fill="{fill}" stroke="{_INK}"'
        f' stroke-width="1.5"/><rect x="{x - 30:.1f}" y="{y + 14:.1f}" width="60" height="5" rx="2" fill="{_INK}"/>'
        f"{_disc(x, y - 15, 4, _INK)}{_text(x, y + 9, label, 11, 'middle', _INK, True)}"
    )


def _outline(hexagons: bool, x: float, y: float, fill: str, stroke: str, width: float) -> str:
    """The outline of a space."""
    if hexagons:
        r = _PITCH * 0.56
        points = [(0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5)]
        path = " ".join(f"{x + r * a:.1f},{y + r * b:.1f}" for a, b in points)
        return f'<polygon points="{path}" fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'
    half = _PITCH * 0.48
    return (
        f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" rx="6"'
        f' fill="{fill}" stroke="{stroke}" stroke-width="{width}"/>'
    )


def place(rules: Rules, state: State, action: int) -> str:
    """Where on the picture an action of the seat to move belongs; a menu that is given up and doing nothing have no place."""
    if action < Action.SCORE:
        return f"space-{action // PIECES if action < Action.ANNOUNCE else (action - Action.ANNOUNCE) // DISHES}"
    if action >= Action.COVER:
        return f"space-{action - Action.COVER}"
    if Action.DRAW <= action < Action.GIVE_UP:
        return f"deck-{action - Action.DRAW}"
    if action < Action.NO_DISCARD and action != Action.NO_SCORE:
        return f"card-{int(state.player)}-{action - (Action.SCORE if action < Action.NO_SCORE else Action.DISCARD)}"
    return ""


def _draw_space(rules: Rules, state: State, x: int, player: int | None) -> str:
    """One space with what lies on it; the piece of this turn has a heavy outline."""
    cx = _BOARD_X + int(rules.x[x]) * _PITCH / 1000
    cy = _BOARD_Y + int(rules.y[x]) * _PITCH / 1000
    new = state.placed == x
    parts = [_outline(bool(rules.hexagons), cx, cy, "#fffdf7", "#d03030" if new else _LINE, 4 if new else 1.5)]
    here = int(state.board[x])
    if state.order[x] >= 0:
        dish = known_order(rules, state, x, player)
        parts.append(_cloche(cx, cy, _SHORT[dish] if dish >= 0 else "?", _FILL[dish] if dish >= 0 else "#c8ccd2"))
    elif here == CLOSED:
        parts.append(_text(cx, cy + 6, "closed", 12, "middle", "#888888"))
    elif here == TOQUE:
        parts.append(_toque(cx, cy, _SEAT_FILL[int(state.owner[x])], 1.3))
    elif here >= 0:
        parts += [_disc(cx, cy, 29, _FILL[here]), _text(cx, cy + 5, _SHORT[here], 12, "middle", _INK, True)]
    else:
        parts.append(_text(cx, cy + 5, space_name(rules, x), 13, "middle", "#b7a98d"))
    return spot("".join(parts), f"space-{x}", f"{space_name(rules, x)}: {_lying_text(rules, state, x, player)}")


def _lying_text(rules: Rules, state: State, x: int, player: int | None) -> str:
    """What lies on a space, as `player` may know it."""
    here = int(state.board[x])
    if state.order[x] >= 0:
        dish = known_order(rules, state, x, player)
        return f"a Royal Order{f', {item_name(dish)}' if dish >= 0 else ''}"
    if here == TOQUE:
        return f"the toque of {seat_name(int(state.owner[x]))}"
    return "closed" if here == CLOSED else item_name(here) if here >= 0 else "free"


def _draw_bouquet() -> str:
    petals = "".join(_disc(_BOARD_X + 15 * a, _BOARD_Y + 15 * b, 10, "#d65d7a", "#ffffff", 1) for a, b in
                     ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87)))  # fmt: skip
    return petals + _disc(_BOARD_X, _BOARD_Y, 10, "#f4d35e", "#ffffff", 1)


def _draw_card(rules: Rules, x: float, y: float, card: int, face: bool) -> str:
    """A Menu card: its three items and points, or its back with crowns."""
    box = f'<rect x="{x:.1f}" y="{y:.1f}" width="112" height="40" rx="6" stroke="{_INK}" stroke-width="1.2" fill="'
    if card < 0:
        return box + f'none" stroke-dasharray="4 4"/>{_text(x + 56, y + 25, "no card", 12, "middle", "#999999")}'
    points = int(rules.value[card])
    if not face:
        return box + f'#7a3e48"/>{_text(x + 56, y + 27, "♛" * points, 20, "middle", "#f4d35e")}'
    parts = [box + '#fffdf7"/>', _text(x + 101, y + 26, str(points), 18, "middle", _INK, True)]
    for i, item in enumerate(int(k) for k in rules.symbol[card]):
        cx = x + 18 + 30 * i
        if item == TOQUE:
            parts.append(_toque(cx, y + 20, "#dddddd", 0.7))
        else:
            parts.append(_disc(cx, y + 20, 13, _FILL[item]))
            parts.append(_text(cx, y + 25, _CODES[item], 12, "middle", _INK, True))
    return "".join(parts)


def _draw_seat(rules: Rules, state: State, seat: int, player: int | None, y: float) -> str:
    """A seat's panel: points, hand, validated menus, orders, toques."""
    turn = not state.over and state.player == seat
    parts = [
        f'<rect x="620" y="{y:.1f}" width="370" height="146" rx="8" fill="#ffffff" stroke="'
        + ('#d03030" stroke-width="3"/>' if turn else f'{_LINE}" stroke-width="1.5"/>'),
        _disc(642, y + 22, 10, _SEAT_FILL[seat]),
        _text(660, y + 28, f"Seat {seat}" + (" (you)" if seat == player else ""), 17, bold=True),
        _text(978, y + 28, f"{int(state.points[seat])} points", 17, "end", bold=True),
    ]
    if state.over:
        parts.append(_text(880, y + 28, f"place {int(state.place[seat]) + 1}", 15, "end"))
    for s in range(HAND):
        card = int(state.hand[seat, s])
        face = player is None or seat == player
        told = menu_text(rules, card) if card >= 0 and face else "a menu" if card >= 0 else "no card"
        parts.append(spot(_draw_card(rules, 632 + 119 * s, y + 40, card, face), f"card-{seat}-{s}", told))
    counts = [
        sum(rules.value[c] == v + 1 for c in cards_in(rules, state, Seen.VALIDATED + seat)) for v in range(VALUES)
    ]
    shown = " · ".join(f"{counts[v]} × {v + 1} pt" for v in range(VALUES))
    parts.append(_text(632, y + 104, f"Validated: {shown}", 14))
    parts.append(_text(632, y + 132, "Royal Orders:", 14))
    x = 742
    for dish in range(DISHES):
        for _ in range(int(state.collected[seat, dish])):
            parts += [_disc(x, y + 127, 11, _FILL[dish]), _text(x, y + 131, _CODES[dish], 11, "middle")]
            x += 26
    for k in range(int(state.toques[seat])):
        parts.append(_toque(968 - 30 * k, y + 126, _SEAT_FILL[seat], 0.7))
    return "".join(parts)


def _draw_stock(rules: Rules, state: State) -> str:
    """Kitchen, decks, discard piles below the board."""
    parts = [_text(20, 668, "Kitchen", 15, bold=True)]
    for dish in range(DISHES):
        x = 118 + 122 * dish
        parts += [_disc(x, 663, 15, _FILL[dish]), _text(x, 668, _CODES[dish], 12, "middle", _INK, True)]
        parts.append(_text(x + 22, 669, f"{_SHORT[dish]} {int(state.kitchen[dish])}", 14))
    parts.append(_text(20, 712, "Menus", 15, bold=True))
    for v in range(VALUES):
        pile = sum(rules.value[c] == v + 1 for c in cards_in(rules, state, Seen.ON_PILE))
        words = f"{'♛' * (v + 1)}  deck {int(state.deck_size[v])}, discards {pile}"
        parts.append(spot(_text((100, 260, 432)[v], 712, words, 13), f"deck-{v}", f"menus of {v + 1} points"))
    return "".join(parts)


def draw(rules: Rules, state: State, player: int | None) -> str:
    """The position as an SVG, as `player` may see it (None: everything)."""
    seats = int(rules.players)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 730" font-family="DejaVu Sans, sans-serif">',
        f'<rect width="1000" height="730" fill="{_PAPER}"/>',
        _text(20, 30, "Banquet Royal", 20, bold=True),
        _text(20, 54, _status(rules, state), 14),
    ]
    parts += [_draw_space(rules, state, x, player) for x in range(CELLS)]
    parts.append(_draw_bouquet())
    order = range(seats) if player is None else [(player + k) % seats for k in range(seats)]
    parts += [_draw_seat(rules, state, seat, player, 66 + 156 * k) for k, seat in enumerate(order)]
    for k, line in enumerate(textwrap.wrap(f"Variants: {_switches(rules)}", 110)):
        parts.append(_text(200, 22 + 15 * k, line, 11))
    parts.append(_draw_stock(rules, state))
    return "".join(parts) + "</svg>"
