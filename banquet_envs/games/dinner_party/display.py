"""The picture of a position, and where core finds the words."""

from __future__ import annotations

from html import escape

from banquet_envs.core.picture import spot
from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import HITLER, OCCUPATIONS, STACKS, Drink, guest_name
from banquet_envs.games.dinner_party.state import SEATS, Action, Phase, Where
from banquet_envs.games.dinner_party.words import DRINK_WORDS, ability_text, action_text, describe, guest_text, headline

__all__ = ["action_text", "describe", "draw", "place"]

WIDE = 1000
PAPER, INK, PALE, RULE = "#fbf7ef", "#2b2622", "#8b8177", "#d9cfc0"
OCCUPATION_COLOURS = {
    "Politics": "#3f6fb5",
    "Art": "#b5483f",
    "Science": "#3d9a6b",
    "Economy": "#b78a2b",
    "Religion": "#7d56a6",
}
ARROW_COLOURS = {1: "#2f9e44", -1: "#d23b3b"}
DRINK_COLOURS: dict[int, str] = {Drink.WATER: "#3f8fcc", Drink.WINE: "#8c1d40"}
CARD, CARD_HIGH, LOBBY_CARD, LOBBY_HIGH = 80, 108, 155, 118
LEAST_PER_LINE, MOST_PER_LINE = (
    6,
    11,
)  # guests of a Table side by side: cards are as large as the fullest Table lets them be


def text(
    x: float, y: float, words: str, size: float, colour: str = INK, anchor: str = "start", bold: bool = False
) -> str:
    """A line of text."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape(words)}</text>"
    )


def box(x: float, y: float, w: float, h: float, fill: str, line: str = RULE, wide: float = 1.0) -> str:
    """A rounded box."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="6" fill="{fill}"'
        f' stroke="{line}" stroke-width="{wide}"/>'
    )


def short_name(name: str) -> str:
    """A guest's name as people say it: "Al Capone", "da Vinci", "Joan"."""
    words = name.split()
    if len(name) <= 11:
        return name
    if "of" in words:
        return " ".join(words[: words.index("of")])
    first = len(words) - 1
    while first > 0 and words[first - 1][0].islower():
        first -= 1
    return " ".join(words[first:])


def wrap(words: str, width: int, most: int) -> list[str]:
    """Lines of at most `width` letters; the last of `most` lines is cut with an ellipsis."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}…"]
    return lines


def arrows(x: float, y: float, w: float, sign: int) -> str:
    """An arrow out of each side of a card, green or red."""
    if sign == 0:
        return ""
    colour = ARROW_COLOURS[sign]
    left = f"{x - 3:.1f},{y:.1f} {x + 6:.1f},{y - 6:.1f} {x + 6:.1f},{y + 6:.1f}"
    right = f"{x + w + 3:.1f},{y:.1f} {x + w - 6:.1f},{y - 6:.1f} {x + w - 6:.1f},{y + 6:.1f}"
    return f'<polygon points="{left}" fill="{colour}"/><polygon points="{right}" fill="{colour}"/>'


def demand_badge(x: float, y: float, demand: int) -> str:
    """The Demand in a dark circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11" fill="{INK}"/>' + text(
        x, y + 4.5, str(demand), 12.5, "#ffffff", "middle", True
    )


def drink_glass(x: float, y: float, sort: int, words: str) -> str:
    """A Water or a Wine, with what it adds."""
    bowl = f"{x - 7:.1f},{y - 8:.1f} {x + 7:.1f},{y - 8:.1f} {x + 4:.1f},{y + 7:.1f} {x - 4:.1f},{y + 7:.1f}"
    glass = f'<polygon points="{bowl}" fill="{DRINK_COLOURS[sort]}" stroke="{INK}" stroke-width="0.8"/>'
    return spot(
        glass + text(x, y + 2.5, words, 7.5, "#ffffff", "middle", True), told=f"{DRINK_WORDS[sort]} {words}".strip()
    )


def occupation_tags(rules: Rules, guest: int, x: float, y: float) -> str:
    """One coloured tag per occupation, with its first two letters."""
    parts = []
    for k, name in enumerate(o for b, o in enumerate(OCCUPATIONS) if rules.guests[guest].occupations >> b & 1):
        tag = box(x + 23 * k, y, 21, 13, OCCUPATION_COLOURS[name], OCCUPATION_COLOURS[name])
        parts.append(spot(tag + text(x + 23 * k + 10.5, y + 10, name[:2], 9, "#ffffff", "middle", True), told=name))
    return "".join(parts)


def lobby_card(rules: Rules, state: State, guest: int, x: float, y: float) -> str:
    """An open guest of the Lobby, with its ability."""
    target = state.target == guest and state.phase != Phase.CHOOSE and not state.over
    parts = [box(x, y, LOBBY_CARD, LOBBY_HIGH, "#ffffff", "#e08a00" if target else RULE, 3 if target else 1)]
    parts.append(arrows(x, y + 58, LOBBY_CARD, int(rules.guests[guest].arrows)))
    parts.append(demand_badge(x + 17, y + 17, int(rules.guests[guest].demand)))
    for k, line in enumerate(wrap(guest_name(rules, guest), 17, 2)):
        parts.append(text(x + 33, y + 16 + 13 * k, line, 11.5, INK, "start", True))
    parts.append(occupation_tags(rules, guest, x + 12, y + 36))
    for k, line in enumerate(wrap(ability_text(rules, guest), 23, 5)):
        parts.append(text(x + 12, y + 63 + 12 * k, line, 10.5, INK))
    return spot("".join(parts), f"guest-{guest}", guest_text(rules, guest))


def table_card(rules: Rules, state: State, guest: int, x: float, y: float) -> str:
    """A guest at a Table: name, Demand, arrows, occupations, Drink, ability in small print."""
    target = state.target == guest and state.phase != Phase.CHOOSE and not state.over
    fill = "#f3e6e6" if guest == HITLER else "#ffffff"
    line = "#e08a00" if target else "#b9a6c9" if state.charmed[guest] else RULE
    parts = [box(x, y, CARD, CARD_HIGH, fill, line, 3 if target else 1)]
    parts.append(arrows(x, y + 50, CARD, int(rules.guests[guest].arrows)))
    parts.append(demand_badge(x + 14, y + 14, int(rules.guests[guest].demand)))
    if state.drink[guest]:
        sort = int(state.drink[guest])
        parts.append(drink_glass(x + CARD - 14, y + 14, sort, f"+{rules.drink_worth[sort]}"))
    name = short_name(guest_name(rules, guest))
    parts.append(text(x + CARD / 2, y + 38, name, 10.5 if len(name) < 12 else 9, INK, "middle", True))
    parts.append(occupation_tags(rules, guest, x + 11, y + 43))
    for k, words in enumerate(wrap(ability_text(rules, guest), 18, 5)):
        parts.append(text(x + 5, y + 66 + 9 * k, words, 7, INK))
    return spot("".join(parts), f"guest-{guest}", guest_text(rules, guest))


def die(x: float, y: float, shown: int) -> str:
    """A die: a number, or a glass for a Drink icon."""
    parts = [box(x, y, 34, 34, "#ffffff", INK, 1.5)]
    if shown == 0:
        parts.append(drink_glass(x + 17, y + 17, Drink.WATER, ""))
    elif shown > 0:
        parts.append(text(x + 17, y + 25, str(shown), 22, INK, "middle", True))
    return "".join(parts)


def roll_words(rules: Rules, state: State) -> list[str]:
    """What the dice are rolled for, in two short lines."""
    if state.over or state.phase not in (Phase.ROLL, Phase.REROLL, Phase.PLACE) or state.target < 0:
        return []
    name = guest_name(rules, int(state.target))
    if state.entertaining:
        more = f", {state.attempts} successes needed" if state.attempts > 1 else ""
        lines = [f"seat {state.where[state.target]} entertains {name}", f"needs {state.need[0]}{more}"]
    else:
        ends = f"{state.need[1]}"
        if state.seated[state.active] >= 2:
            ends = f"{state.need[0]} at the left end, {state.need[1]} at the right"
        lines = [f"seat {state.active} invites {name}", f"needs {ends}"]
    if state.phase == Phase.ROLL:
        lines[1] += f"; rolls left: {state.rolls_left}"
    return lines


def draw_lobby(rules: Rules, state: State, y: float) -> str:
    """The five stacks with their open guests, and Hitler when he is there."""
    parts = []
    for back in range(STACKS):
        x = 20 + back * (LOBBY_CARD + 8)
        guest = int(state.face_up[back])
        if guest >= 0:
            parts.append(lobby_card(rules, state, guest, x, y))
        else:
            parts.append(box(x, y, LOBBY_CARD, LOBBY_HIGH, "none"))
            empty = "stack empty" if state.height[back] == 0 else "to be refilled"
            parts.append(text(x + LOBBY_CARD / 2, y + 62, empty, 11, PALE, "middle"))
        parts.append(
            text(x + LOBBY_CARD / 2, y + LOBBY_HIGH + 14, f"{state.height[back]} face-down", 10.5, PALE, "middle")
        )
    x = 20 + STACKS * (LOBBY_CARD + 8)
    if state.where[HITLER] == Where.LOBBY:
        parts.append(lobby_card(rules, state, HITLER, x, y))
    else:
        parts.append(box(x, y, LOBBY_CARD, LOBBY_HIGH, "none"))
        where = int(state.where[HITLER])
        words = f"Hitler: seat {where}" if where < SEATS else "Hitler has left"
        parts.append(text(x + LOBBY_CARD / 2, y + 62, words, 11, PALE, "middle"))
    return "".join(parts)


def per_line(state: State) -> int:
    """How many guests of a Table are drawn side by side."""
    return min(max(int(state.seated.max()), LEAST_PER_LINE), MOST_PER_LINE)


def draw_seat(rules: Rules, state: State, seat: int, player: int | None, y: float) -> tuple[str, float]:
    """One seat's Table; returns the picture and its height."""
    across = per_line(state)
    scale = (WIDE - 48) / across / (CARD + 8)
    lines = -(-int(state.seated[seat]) // across)
    high = 30 + (lines * (CARD_HIGH + 8) * scale if lines else 26)
    active = not state.over and state.player == seat
    frame = box(12, y, WIDE - 24, high, "#fff3d6" if active else "#f4eee3", "#e0a93f" if active else RULE)
    parts = [spot(frame, f"table-{seat}")]
    title = f"Seat {seat}" + (" (you)" if seat == player else "")
    notes = []
    if state.over:
        notes.append(f"place {int(state.place[seat]) + 1}")
    else:
        notes += ["whose turn it is"] if state.active == seat else []
        notes += ["to decide"] if state.player == seat else []
    parts.append(text(22, y + 19, title, 14, INK, "start", True))
    parts.append(text(132, y + 19, ", ".join(notes), 11, PALE))
    stock = f"Envelopes {state.envelopes[seat]} · Water {state.stash[seat, Drink.WATER]} · Wine {state.stash[seat, Drink.WINE]}"
    parts.append(text(WIDE - 110, y + 19, stock, 12, INK, "end"))
    parts.append(text(WIDE - 22, y + 19, f"{state.points[seat]} points", 14, INK, "end", True))
    for k in range(int(state.seated[seat])):
        line, column = divmod(k, across)
        card = table_card(rules, state, int(state.table[seat, k]), column * (CARD + 8), line * (CARD_HIGH + 8))
        parts.append(f'<g transform="translate(24 {y + 28:.1f}) scale({scale:.3f})">{card}</g>')
    if state.seated[seat] == 0:
        parts.append(text(24, y + 42, "no guests yet", 12, PALE))
    return "".join(parts), high


def place(rules: Rules, state: State, action: int) -> str:
    """Where on the picture an action of the seat to move belongs; what is decided at the Bar or with yes and no has none."""
    if action < Action.PUT:
        return "dice"
    if action < Action.FAIL:
        return f"table-{int(state.active)}"
    if Action.FAIL < action < Action.DO:
        steps = action - Action.GIVE_TO if action < Action.HITLER_TO else (action - Action.HITLER_TO) // 2
        return f"table-{(int(state.active) + steps + 1) % int(rules.players)}"
    if action < Action.BY_GUEST:
        return ""
    a, n = action - Action.BY_GUEST, int(rules.num_guests)
    return f"guest-{a % n if a < 2 * n else (a - 2 * n) % (2 * n) // 2}"


def draw(rules: Rules, state: State, player: int | None) -> str:
    """The position as an SVG text. Nothing but the stacks is hidden, and their cards are drawn for nobody."""
    parts = [text(20, 30, "Dinner Party", 20, INK, "start", True)]
    for k, line in enumerate(wrap(headline(rules, state, player), 82, 2)):
        parts.append(text(170, 24 + 16 * k, line, 12.5))
    if not state.over and (state.dice[0] >= 0 or state.phase == Phase.ROLL):
        dice = "".join(die(726 + 42 * k, 10, int(state.dice[k])) for k in range(3))
        parts.append(spot(dice, "dice", "the dice"))
    parts.append(draw_lobby(rules, state, 78))
    for k, line in enumerate(roll_words(rules, state)):
        parts.append(text(20 if k == 0 else 400, 66, line, 12, "#9a5b00", "start", True))
    y = 78.0 + LOBBY_HIGH + 26
    n = int(rules.players)
    for k in range(n):
        seat = ((player or 0) + k) % n
        picture, high = draw_seat(rules, state, seat, player, y)
        parts.append(picture)
        y += high + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {y + 4:.0f}" width="{WIDE}" height="{y + 4:.0f}"'
        f' font-family="DejaVu Sans, sans-serif"><rect width="100%" height="100%" fill="{PAPER}"/>{"".join(parts)}</svg>'
    )
