"""Connect Four in words and as a picture."""

from typing import Any

from connect_four.state import COLUMNS, ROWS

COLOURS = "yellow", "red"
FILL = "#f2c037", "#d1495b"
EMPTY = "#f7f3ea"


def action_text(rules: Any, state: Any, action: int) -> str:
    """An action in words."""
    return f"column {action + 1}"


def owner(state: Any, row: int, column: int) -> int:
    """The seat whose disc lies in a cell, -1 for none."""
    bit = COLUMNS * row + column
    return next((seat for seat in range(2) if state.discs[seat] >> bit & 1), -1)


def headline(state: Any) -> str:
    """Whose turn it is, or how the game ended."""
    if not state.over:
        return f"{COLOURS[state.player]} is to drop a disc, {state.stock} discs are left"
    winners = [COLOURS[seat] for seat in range(2) if state.points[seat]]
    return f"{winners[0]} has four in a line" if winners else "a draw: no discs are left"


def describe(rules: Any, state: Any, player: int | None) -> str:
    """The position as text; everybody sees everything."""
    lines = [f"Connect Four: {headline(state)}"]
    for row in reversed(range(ROWS)):
        lines.append(" ".join(".yr"[owner(state, row, column) + 1] for column in range(COLUMNS)))
    return "\n".join([*lines, " ".join(str(column + 1) for column in range(COLUMNS))])


def draw(rules: Any, state: Any, player: int | None) -> str:
    """The position as an SVG."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 750 720" font-family="DejaVu Sans" font-size="26">',
        '<rect width="750" height="720" fill="#f7f3ea"/><rect x="15" y="55" width="720" height="620" rx="20" fill="#2a6f97"/>',
        f'<text x="25" y="38">{headline(state)}</text>',
    ]
    for column in range(COLUMNS):
        x = 75 + 100 * column
        parts.append(f'<text x="{x}" y="706" text-anchor="middle">{column + 1}</text>')
        for row in range(ROWS):
            fill = (EMPTY, *FILL)[owner(state, row, column) + 1]
            parts.append(f'<circle cx="{x}" cy="{615 - 100 * row}" r="42" fill="{fill}"/>')
    return "".join([*parts, "</svg>"])
