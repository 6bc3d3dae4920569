"""Polite Society in words and pictures. Both show what a player may know, and everything for None."""

from __future__ import annotations

from html import escape

from banquet_envs.core.picture import spot
from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.polite_society.account import hand_size
from banquet_envs.games.polite_society.cards import deck_size
from banquet_envs.games.polite_society.components import (
    ASSET_NAMES,
    ASSETS,
    CARDS,
    IMPROVEMENTS,
    LEVELS,
    LIST,
    MISSIONS,
    OFFERS,
    SEATS,
    Card,
    words,
)
from banquet_envs.games.polite_society.state import PASSED, Action, Phase, Where
from banquet_envs.games.polite_society.tables import count_where
from banquet_envs.games.polite_society.turn import bank_ratio, trade_pair
from banquet_envs.games.polite_society.views import bounds

CARD_NAMES = (
    *(f"Two {name}" for name in ASSET_NAMES),
    "Wild asset",
    "Add a guest",
    "Remove a guest",
    "Steal an asset",
    "Hand limit",
    "Indisposed",
    *(f"Improvement: {name} on a 7" for name in ASSET_NAMES),
    "Improvement: three for one",
    "Rearrange guests",
    "Steal an improvement",
)
PHASE_NAMES = (
    "draft a guest", "seat the drafted guest", "keep one of two action cards", "main phase", "seat the bought guest",
    "make an offer", "answer an offer", "remove an own guest", "choose an asset", "choose who removes a guest",
    "remove a guest", "choose whom to steal from", "discard down to the hand limit", "choose a token",
    "choose which token to move", "choose whose guest falls ill", "choose the guest who falls ill",
    "reseat the guests", "choose whose improvement to steal", "choose the improvement",
)  # fmt: skip


# ---------------------------------------------------------------- words


def guest_name(rules: Rules, g: int) -> str:
    """A guest's name; "nobody" for -1."""
    return words(rules.guest[g].name) if g >= 0 else "nobody"


def amounts(counts: Cells) -> str:
    """Assets with their numbers, such as "2 wealth, 1 wit"."""
    parts = [f"{int(n)} {name}" for n, name in zip(counts, ASSET_NAMES, strict=True) if n]
    return ", ".join(parts) or "nothing"


def seat_number(rules: Rules, s: int) -> str:
    """The number(s) printed at a seat."""
    low, high = int(rules.low[s]), int(rules.high[s])
    return str(low) if low == high else f"{low}/{high}"


def action_text(rules: Rules, state: State, action: int) -> str:
    """The action in the game's own terms."""
    me = int(state.player)
    if action < Action.SEAT:
        return f"take {guest_name(rules, int(state.draft[action]))} (card {action + 1})"
    if action < Action.KEEP:
        return _seat_text(rules, state, action - Action.SEAT)
    if action < Action.BUY:
        card = int(state.drawn[action - Action.KEEP])
        return f"keep {CARD_NAMES[card] if card >= 0 else 'a card'} ({'first' if action == Action.KEEP else 'second'})"
    if action < Action.BANK_TRADE:
        g = int(state.list[action - Action.BUY])
        cost = f" for {amounts(rules.guest[g].cost)}" if g >= 0 else ""
        return f"buy {guest_name(rules, g)}{cost} (slot {action - Action.BUY + 1})"
    if action < Action.PARTNER:
        a, b = trade_pair(action - Action.BANK_TRADE)
        return f"give the bank {int(bank_ratio(state, rules, me))} {ASSET_NAMES[a]} for 1 {ASSET_NAMES[b]}"
    if action < Action.ITEM:
        steps = action - Action.PARTNER + 1
        return f"offer seat {(me + steps) % int(rules.players)} a trade ({steps} on)"
    if action < Action.PLAY:
        item = action - Action.ITEM
        return f"offer {amounts(rules.gives[item])} for {amounts(rules.wants[item])}"
    if Action.PLAYER <= action <= Action.SUPPLY:
        return _player_text(rules, state, action)
    if Action.ASSET <= action < Action.ACCEPT:
        return _asset_text(rules, state, action - Action.ASSET)
    kept = CARD_NAMES[int(state.kept)] if state.kept >= 0 else "the action card"
    texts = {
        Action.PLAY: f"play {kept}",
        Action.REFRESH: f"discard {kept} and renew the invite list",
        Action.REMOVE: "remove one of your own guests",
        Action.END: "end the turn",
        Action.ACCEPT: f"accept: {_offer_text(rules, state)}",
        Action.DECLINE: f"decline: {_offer_text(rules, state)}",
    }
    return texts[Action(action)]


def _offer_text(rules: Rules, state: State) -> str:
    if state.offered < 0:
        return "the offer"
    item = int(state.offered)
    return f"{amounts(rules.gives[item])} from seat {int(state.active)} for {amounts(rules.wants[item])}"


def _seat_text(rules: Rules, state: State, s: int) -> str:
    phase, number, me = state.phase, seat_number(rules, s), int(state.player)
    if phase in (Phase.DRAFT_SEAT, Phase.BUY_SEAT):
        return f"seat {guest_name(rules, int(state.pending))} at {number}"
    if phase == Phase.RESEAT:
        return f"seat {guest_name(rules, int(state.lifted[0]))} at {number}"
    if phase in (Phase.REMOVE_GUEST, Phase.REMOVE_OWN):
        return f"remove {guest_name(rules, int(state.table[me, s]))} from {number}"
    if phase == Phase.TOKEN_FROM_SEAT:
        return f"take the token off {guest_name(rules, int(state.table[state.from_player, s]))} at {number}"
    if phase == Phase.TOKEN_TO_SEAT:
        return f"make {guest_name(rules, int(state.table[state.target, s]))} at {number} indisposed"
    return f"seat number {number}"


def _player_text(rules: Rules, state: State, action: int) -> str:
    if action == Action.SUPPLY:
        return "take a token from the supply"
    steps = action - Action.PLAYER
    who = f"seat {(int(state.player) + steps) % int(rules.players)} ({steps} on)"
    if state.phase == Phase.TOKEN_FROM:
        return f"move a token of {who}"
    if state.phase == Phase.TOKEN_TO:
        return f"a guest of {who} falls ill"
    return f"choose {who}"


def _asset_text(rules: Rules, state: State, a: int) -> str:
    if a + Action.ASSET == Action.THREE_FOR_ONE:
        return "steal Improvement: three for one"
    if state.phase == Phase.WILD_ASSET:
        return f"take 1 {ASSET_NAMES[a]} from the bank"
    if state.phase == Phase.DISCARD:
        return f"discard 1 {ASSET_NAMES[a]}"
    return f"steal Improvement: {ASSET_NAMES[a]} on a 7"


def rewards(rules: Rules, g: int) -> str:
    """A guest's rewards, such as "+1 wealth, -1 wit"."""
    parts = [f"{int(n):+d} {name}" for n, name in zip(rules.guest[g].reward, ASSET_NAMES, strict=True) if n]
    return ", ".join(parts) or "no reward"


def hand_text(rules: Rules, state: State, player: int | None, seat: int) -> str:
    """A hand as far as `player` knows it: exact, or bounds."""
    if player is None or player == seat:
        return amounts(state.hand[seat])
    parts = []
    for a, name in enumerate(ASSET_NAMES):
        least, most = bounds(state, player, seat, a)
        if most:
            parts.append(f"{least} {name}" if least == most else f"{least}-{most} {name}")
    return f"{hand_size(state, seat)} cards ({', '.join(parts) or 'none'})"


def mission_text(rules: Rules, state: State, player: int | None, seat: int) -> str:
    """A mission as far as `player` knows it."""
    m = int(state.mission[seat])
    if m < 0:
        return ""
    if player in (None, seat) or state.out[seat] or (state.over and state.finish[seat] >= 0):
        return words(rules.mission[m].text)
    bits = int(state.excluded[seat])
    missed = [words(rules.mission[k].text) for k in range(MISSIONS) if bits >> k & 1]
    return "secret" + (f", not: {'; '.join(missed)}" if missed else "")


def status(rules: Rules, state: State) -> str:
    """One line: turn, dice, and who decides what."""
    if state.over:
        places = [seat for seat in range(int(rules.players)) if state.place[seat] == 0]
        return f"{'Cap reached' if state.capped else 'Game over'}; first: {', '.join(f'seat {p}' for p in places)}"
    if state.turns == 0:
        return f"Setup; seat {int(state.player)} to {PHASE_NAMES[state.phase]}"
    text = f"Turn {int(state.turns)} of seat {int(state.active)}, rolled {int(state.dice[0] + state.dice[1])}"
    return f"{text}; seat {int(state.player)}: {PHASE_NAMES[state.phase]}"


def passed(state: State) -> list[str]:
    """The turns that went by within the last step, since nobody had anything to decide."""
    untold = int(state.passed) - PASSED
    lines = [f"{untold} turns more passed before"] if untold > 0 else []
    for k, dice in enumerate(state.passed_dice[: min(int(state.passed), PASSED)].tolist()):
        added = f", Add a guest {dice[2] + dice[3]}" if dice[2] else ""
        lines.append(f"a turn of seat {int(state.passed_seat[k])} passed, rolled {dice[0] + dice[1]}{added}")
    return lines


def news(rules: Rules, state: State, player: int | None) -> list[str]:
    """What is going on in this turn, as far as `player` may know it."""
    lines = passed(state)
    if state.add_dice[0]:
        lines.append(f"Add a guest rolled {int(state.add_dice[0] + state.add_dice[1])}")
    if state.playing >= 0:
        lines.append(f"playing {CARD_NAMES[state.playing]}")
    if state.pending >= 0:
        lines.append(f"waiting for a seat: {guest_name(rules, int(state.pending))}")
    if state.lifted[0] >= 0:
        lines.append("to be reseated: " + ", ".join(guest_name(rules, int(g)) for g in state.lifted if g >= 0))
    if state.partner >= 0 and state.offered < 0:
        lines.append(f"about to make seat {int(state.partner)} an offer")
    if state.offered >= 0:
        lines.append(f"offer to seat {int(state.partner)}: {_offer_text(rules, state)}")
    for k in range(OFFERS):
        if state.refused[k] >= 0:
            item = int(state.refused[k])
            offer = f"{amounts(rules.gives[item])} for {amounts(rules.wants[item])}"
            lines.append(f"seat {int(state.refused_by[k])} refused {offer}")
    if state.dropped >= 0:
        lines.append(f"discarded {CARD_NAMES[state.dropped]} of the two action cards")
    if player in (None, state.active):
        drawn = [CARD_NAMES[c] for c in state.drawn if c >= 0]
        if drawn:
            lines.append("drawn: " + " and ".join(drawn))
        if state.kept >= 0:
            lines.append(f"in hand: {CARD_NAMES[state.kept]}")
    elif state.kept >= 0:
        lines.append("the kept action card is not yet played")
    return lines


def describe(rules: Rules, state: State, player: int | None) -> str:
    """The position in words."""
    lines = [f"Polite Society, {int(rules.players)} players. {status(rules, state)}."]
    lines += [f"  {line}" for line in news(rules, state, player)]
    lines.append(f"Bank: {amounts(state.bank)}. Tokens in supply: {int(state.supply)}.")
    discards = int(state.discard.sum())
    lines.append(
        f"Guest pile {count_where(state, rules, Where.PILE)}, discarded {count_where(state, rules, Where.DISCARDED)};"
        f" action pile {deck_size(state)}, discarded {discards}."
    )
    shown = [CARD_NAMES[c] + (f" x{int(state.discard[c])}" if state.discard[c] > 1 else "") for c in range(CARDS)
             if state.discard[c]]  # fmt: skip
    if shown:
        lines.append("Action discards: " + ", ".join(shown) + ".")
    if any(g >= 0 for g in state.draft):
        lines.append("Face up:")
        lines += [f"  {guest_name(rules, int(g))}: {rewards(rules, int(g))}" for g in state.draft if g >= 0]
    if state.turns:
        lines.append("Invite list:")
        for k, g in enumerate(state.list):
            if g >= 0:
                cost = amounts(rules.guest[g].cost)
                lines.append(f"  {k + 1}. {guest_name(rules, int(g))}: costs {cost}; {rewards(rules, int(g))}")
    for seat in range(int(rules.players)):
        lines += _describe_seat(rules, state, player, seat)
    return "\n".join(lines)


def _describe_seat(rules: Rules, state: State, player: int | None, seat: int) -> list[str]:
    you = " (you)" if seat == player else ""
    lines = [f"Seat {seat}{you}: {int(state.points[seat])} guests; {hand_text(rules, state, player, seat)}"]
    if state.out[seat]:
        lines[0] += f"; finished, place {int(state.finish[seat]) + 1}"
    owned = [
        CARD_NAMES[Card.IMPROVEMENT_SEVEN + k]
        for k in range(IMPROVEMENTS)
        for _ in range(int(state.improvement[seat, k]))
    ]
    if owned:
        lines.append("  " + ", ".join(owned))
    mission = mission_text(rules, state, player, seat)
    if mission:
        lines.append(f"  mission ({LEVELS[rules.missions].replace('_', ' ')}): {mission}")
    for s in range(SEATS):
        g = int(state.table[seat, s])
        if g >= 0:
            ill = ", indisposed" if state.token[seat, s] else ""
            lines.append(f"  {seat_number(rules, s):>5}  {guest_name(rules, g)}: {rewards(rules, g)}{ill}")
    return lines


# ---------------------------------------------------------------- picture

COLOURS = ("#c99a1a", "#c8475a", "#8b5fbf", "#2f7fb5")  # wealth, heart, beauty, wit
LETTERS = "WHBT"
INK, PAPER, CLOTH, LINE = "#2b2620", "#fbf7ef", "#ffffff", "#d8cdb8"


def _text(x: float, y: float, text: str, size: float = 13, more: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" {more}>{escape(text)}</text>'


def _box(x: float, y: float, w: float, h: float, fill: str = CLOTH, stroke: str = LINE, width: float = 1) -> str:
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}" rx="6" fill="{fill}" stroke="{stroke}"'
        f' stroke-width="{width}"/>'
    )


def _chip(x: float, y: float, a: int, label: str, wide: float = 27) -> str:
    """A coloured round with a number and the asset's letter."""
    chip = (
        f'<rect x="{x:.0f}" y="{y - 12:.0f}" width="{wide}" height="16" rx="8" fill="{COLOURS[a]}"/>'
        f'<text x="{x + wide / 2:.1f}" y="{y:.0f}" font-size="11" fill="#fff" text-anchor="middle">'
        f"{escape(label)}{LETTERS[a]}</text>"
    )
    return spot(chip, told=f"{label} {ASSET_NAMES[a]}")


def _chips(x: float, y: float, counts: Cells, sign: bool = False) -> str:
    shown = [(a, int(n)) for a, n in enumerate(counts) if n]
    wide = 30 if sign else 27
    return "".join(
        _chip(x + (wide + 2) * k, y, a, f"{n:+d}" if sign else str(n), wide) for k, (a, n) in enumerate(shown)
    )


def _name_lines(name: str, width: int) -> list[str]:
    """A name on at most two lines."""
    lines = [""]
    for word in name.split():
        if len(lines[-1]) + len(word) >= width and lines[-1] and len(lines) < 2:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line if len(line) <= width + 4 else line[: width + 3] + "…" for line in lines]


def _guest_card(rules: Rules, x: float, y: float, g: int, label: str) -> str:
    """A guest of the list or of the draft, 136 wide and 86 high."""
    parts = [_box(x, y, 136, 86), _text(x + 6, y + 14, label, 10, 'fill="#8a7f6d"')]
    if g >= 0:
        for k, line in enumerate(_name_lines(guest_name(rules, g), 17)):
            parts.append(_text(x + 6, y + 29 + 13 * k, line, 11.5, 'font-weight="bold"'))
        parts.append(_chips(x + 6, y + 60, rules.guest[g].cost))
        parts.append(_text(x + 6, y + 79, "brings", 9.5, 'fill="#8a7f6d"'))
        parts.append(_chips(x + 42, y + 80, rules.guest[g].reward, True))
        if not rules.guest[g].reward.any():
            parts.append(_text(x + 42, y + 79, "nothing", 9.5, 'fill="#8a7f6d"'))
    return "".join(parts)


def _place(rules: Rules, state: State, seat: int, s: int, x: float, y: float) -> str:
    """A seat of a table, 118 wide and 66 high."""
    g = int(state.table[seat, s])
    ill = bool(state.token[seat, s])
    parts = [_box(x, y, 118, 66, "#f1e4e6" if ill else CLOTH if g >= 0 else "none")]
    parts.append(_text(x + 6, y + 14, seat_number(rules, s), 11, 'font-weight="bold" fill="#8a7f6d"'))
    if g >= 0:
        for k, line in enumerate(_name_lines(guest_name(rules, g), 17)):
            parts.append(_text(x + 6, y + 28 + 12 * k, line, 10))
        parts.append(_chips(x + 6, y + 59, rules.guest[g].reward, True))
        if ill:
            parts.append(_text(x + 112, y + 14, "indisposed", 9.5, 'text-anchor="end" fill="#b0203a"'))
    told = f"{guest_name(rules, g)}: {rewards(rules, g)}" if g >= 0 else f"free seat {seat_number(rules, s)}"
    return spot("".join(parts), f"seat-{seat}-{s}", told)


def _table(rules: Rules, state: State, player: int | None, seat: int, y: float) -> str:
    """A player's block, 118 high."""
    on_move = not state.over and seat == state.player
    title = f"Seat {seat}" + (" (you)" if seat == player else "") + (" ▸ to decide" if on_move else "")
    if state.over and state.place[seat] >= 0:
        title += f" · place {int(state.place[seat]) + 1}"
    elif state.out[seat]:
        title += f" · finished, place {int(state.finish[seat]) + 1}"
    back = "#fff6d9" if on_move else "#f3ecdf"
    frame = "#b08a2e" if state.turns and seat == state.active else LINE
    parts = [spot(_box(10, y, 980, 112, back, frame, 2), f"table-{seat}")]
    parts.append(_text(20, y + 20, title, 14, 'font-weight="bold"'))
    parts.append(_text(215, y + 20, f"{int(state.points[seat])}/{SEATS} guests", 13))
    parts.append(_hand(state, player, seat, 310, y + 20))
    owned = [f"{ASSET_NAMES[k]} on 7" if k < ASSETS else "3 for 1" for k in range(IMPROVEMENTS)
             for _ in range(int(state.improvement[seat, k]))]  # fmt: skip
    notes = ", ".join(owned)
    mission = mission_text(rules, state, player, seat)
    if mission:
        notes = f"{notes + ' · ' if notes else ''}mission: {mission}"
    room = 52
    parts.append(_text(982, y + 20, notes if len(notes) <= room else notes[: room - 1] + "…", 11, 'text-anchor="end"'))
    for s in range(SEATS):
        parts.append(_place(rules, state, seat, s, 18 + 121 * s, y + 38))
    return "".join(parts)


def _hand(state: State, player: int | None, seat: int, x: float, y: float) -> str:
    """Chips for a known hand; bounds for what cannot be known."""
    size = hand_size(state, seat)
    parts = [_text(x, y, f"{size} assets", 13)]
    x += 75
    for a in range(ASSETS):
        least, most = (int(state.hand[seat, a]),) * 2 if player is None else bounds(state, player, seat, a)
        if most > 0:
            label = str(least) if least == most else f"{least}-{most}"
            wide = 27 if least == most else 44
            parts.append(_chip(x, y, a, label, wide))
            x += wide + 3
    return "".join(parts)


def place(rules: Rules, state: State, action: int) -> str:
    """Where on the picture an action of the seat to move belongs; action cards and answers have no place."""
    if action < Action.SEAT:
        return f"draft-{action}"
    if action < Action.KEEP:
        whose = state.player
        if state.phase == Phase.TOKEN_FROM_SEAT:
            whose = state.from_player
        elif state.phase == Phase.TOKEN_TO_SEAT:
            whose = state.target
        return f"seat-{int(whose)}-{action - Action.SEAT}"
    if Action.BUY <= action < Action.BANK_TRADE:
        return f"list-{action - Action.BUY}"
    if Action.BANK_TRADE <= action < Action.PARTNER:
        return "bank"
    if Action.PARTNER <= action < Action.ITEM:
        return f"table-{(int(state.player) + action - Action.PARTNER + 1) % int(rules.players)}"
    if Action.PLAYER <= action < Action.SUPPLY:
        return f"table-{(int(state.player) + action - Action.PLAYER) % int(rules.players)}"
    return ""


def draw(rules: Rules, state: State, player: int | None) -> str:
    """The position as an SVG: what is going on, the list (or the draft), the bank, every table."""
    n = int(rules.players)
    drafting = state.turns == 0
    cards = [(k, int(g)) for k, g in enumerate(state.draft if drafting else state.list) if g >= 0 or not drafting]
    rows = max(1, (len(cards) + 6) // 7) if drafting else 1
    top = 66 + 94 * rows
    height = top + 118 * n + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {height}" width="1000" height="{height}"'
        f' font-family="DejaVu Sans, sans-serif" fill="{INK}">',
        f'<rect width="1000" height="{height}" fill="{PAPER}"/>',
        _text(12, 26, "Polite Society", 20, 'font-weight="bold"'),
        _text(180, 26, status(rules, state), 14),
    ]
    line = " · ".join(news(rules, state, player))
    parts.append(_text(12, 48, line if len(line) <= 145 else line[:144] + "…", 11.5))
    for k, (at, g) in enumerate(cards):
        label = "face up" if drafting else f"invite list {at + 1}"
        card = _guest_card(rules, 10 + 140 * (k % 7), 60 + 94 * (k // 7), g, label)
        parts.append(spot(card, f"{'draft' if drafting else 'list'}-{at}"))
    if not drafting:
        parts.append(_stock(rules, state, 10 + 140 * LIST, 60))
    order = [seat if player is None else (player + seat) % n for seat in range(n)]
    for k, seat in enumerate(order):
        parts.append(_table(rules, state, player, seat, top + 118 * k))
    key = "   ".join(f"{letter} {name}" for letter, name in zip(LETTERS, ASSET_NAMES, strict=True))
    parts.append(_text(12, height - 10, f"{key}   ·   gold frame: whose turn it is", 11, 'fill="#8a7f6d"'))
    parts.append("</svg>")
    return "".join(parts)


def _stock(rules: Rules, state: State, x: float, y: float) -> str:
    """The bank and the piles."""
    parts = [_box(x, y, 416, 86, "#f3ecdf"), _text(x + 8, y + 18, "Bank", 12, 'font-weight="bold"')]
    for a in range(ASSETS):
        parts.append(_chip(x + 60 + 45 * a, y + 18, a, str(int(state.bank[a]))))
    discarded = int(state.discard.sum())
    piles = (
        f"guests {count_where(state, rules, Where.PILE)} (+{count_where(state, rules, Where.DISCARDED)} discarded)",
        f"action cards {deck_size(state)} (+{discarded} discarded), tokens in supply {int(state.supply)}",
    )
    for k, text in enumerate(piles):
        parts.append(_text(x + 8, y + 44 + 20 * k, text, 12))
    return spot("".join(parts), "bank")
