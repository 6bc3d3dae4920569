"""Actions and positions in words, and the picture of a position."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from banquet_envs.core.picture import spot
from banquet_envs.core.spec import member_names
from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.surrealist_dinner_party.components import (
    COLOUR_NAMES,
    COURSES,
    HAND,
    JOKER,
    KIND_NAMES,
    KINDS,
    SEATS,
    Ability,
    Condition,
    FauxPas,
    Icon,
    Target,
    Trigger,
)
from banquet_envs.games.surrealist_dinner_party.hidden import can_move, holder_of, is_unseen, pack_at, segment_of
from banquet_envs.games.surrealist_dinner_party.state import WAYS, Action, Column, Effect, Face, Stage, Where
from banquet_envs.games.surrealist_dinner_party.table import guest_at, left_of, matches, right_of

# ---------------------------------------------------------------- words for components

_WHEN = {
    Trigger.PLATE: "Plate",
    Trigger.DOOR: "Door",
    Trigger.SEATED: "When seated",
    Trigger.RECEIVES: "On getting {0}",
    Trigger.NEIGHBOUR_RECEIVES: "When a neighbour gets {0}",
    Trigger.WOULD_RECEIVE: "When about to get {0}",
    Trigger.SOCIAL: "When picked to start compliments or drama",
    Trigger.COURSE_START: "At the start of a course",
    Trigger.NEIGHBOUR_LEAVES: "When a neighbour goes home",
}
_WHOM = {
    Target.SELF: "this guest",
    Target.ONE_NEIGHBOUR: "one neighbour",
    Target.BOTH_NEIGHBOURS: "each neighbour",
    Target.OTHER_NEIGHBOUR: "the other neighbour",
    Target.SELF_OR_NEIGHBOUR: "this guest or a neighbour",
    Target.EACH_OWN: "each of your guests",
    Target.OWN_SPREAD: "your guests",
    Target.ONE_OWN: "one of your guests",
    Target.ONE_ANY: "any one guest",
    Target.OWNER: "you",
    Target.SELF_NEIGHBOUR: "this guest and a neighbour",
    Target.OWN_OWN: "two of your guests",
    Target.NEIGHBOUR_NEIGHBOUR: "the two neighbours",
}


def word(codes: Iterable[int]) -> str:
    """A name kept as code points."""
    return "".join(chr(int(c)) for c in codes if c)


def guest_name(rules: Rules, g: int) -> str:
    """The guest's name."""
    return word(rules.guests[int(g)].name) if g >= 0 else "nobody"


def kinds_text(flags: Cells) -> str:
    """A choice of kinds, such as "compliment or drama"."""
    names = [n for n, f in zip(KIND_NAMES, flags, strict=True) if f]
    return "any kind" if len(names) == KINDS else " or ".join(names)


def ability_text(rules: Rules, g: int) -> str:
    """What a guest can do, built from the data."""
    guest = rules.guests[int(g)]
    when = _WHEN[guest.trigger].format(kinds_text(guest.trigger_tokens))
    if guest.opponent_only:
        when += " from another player"
    if guest.condition == Condition.MOST:
        when += f", if your stash has strictly the most {kinds_text(guest.condition_tokens)}"
    elif guest.condition == Condition.CONTENT:
        when += ", if perfectly content"
    return f"{when}: {_effect_text(guest)}."


def _effect_text(guest: Rules) -> str:
    whom, n = _WHOM[guest.target], int(guest["count"])
    what = "the same token" if guest.same else f"{n} token{'s' * (n > 1)} ({kinds_text(guest.tokens)})"
    if guest.kind == Ability.GIVE:
        return f"{what} from the kitchen to {whom}"
    if guest.kind == Ability.TAKE_PLATTER:
        return f"{'up to ' if guest.target == Target.OWN_SPREAD else ''}{what} from the platter to {whom}"
    if guest.kind == Ability.SWAP:
        return f"swap a token between {whom}"
    if guest.kind == Ability.EXCHANGE:
        lifted = f"return {n} token{'s' * (n > 1)} of {whom.replace('each of ', '')} in all"
        return f"{lifted}; new ones ({kinds_text(guest.tokens)}) instead"
    if guest.kind == Ability.STASH:
        return f"{what} into your stash"
    if guest.kind == Ability.REFUSE:
        return "send it back to the kitchen"
    return f"return {n} token{'s' * (n > 1)} of {whom}" if guest.kind == Ability.CLEAR else f"send {whom} home"


def faux_pas_text(rules: Rules, i: int) -> str:
    """A Faux Pas with what it scores for."""
    card = rules.faux_pas[int(i)]
    kinds, count = " + ".join(KIND_NAMES[k] for k in card.token[: card.kinds]), int(card["count"])
    how = {
        FauxPas.MOST: f"most {kinds}",
        FauxPas.SETS: f"most sets of {kinds}",
        FauxPas.FIRST_TO: f"first to {count} {kinds}",
        FauxPas.FIRST_SET: f"first to {count} each of {kinds}",
    }[card.kind]
    return f"{word(card.name)} ({how}: {card.points})"


def appetites_text(rules: Rules, state: State, g: int) -> str:
    """What a guest craves and what lies there, such as "food[food] wine[!drama] joker[ ]"."""
    parts = []
    for a in range(rules.guests[g].appetites):
        colour, kind = int(rules.guests[g].appetite[a]), int(state.token[g, a])
        mark = " " if kind < 0 else ("" if matches(colour, kind) else "!") + KIND_NAMES[kind]
        parts.append(f"{COLOUR_NAMES[colour]}[{mark}]")
    return " ".join(parts)


def tokens_text(counts: Cells) -> str:
    """Tokens by kind, such as "3 food, 1 wine"."""
    return ", ".join(f"{int(n)} {k}" for k, n in zip(KIND_NAMES, counts, strict=True) if n) or "nothing"


# ---------------------------------------------------------------- actions in words


def action_text(rules: Rules, state: State, action: int) -> str:
    """The action as the seat to move would say it."""
    if action < Action.SOCIAL:
        return _play_text(rules, state, action)
    if action < Action.PLATE:
        return _feed_text(rules, state, action)
    if action < Action.WHETHER:
        if action == Action.STOP:
            return "nothing more"
        if action < Action.DOOR:
            return f"use the plate ability of {_own(rules, state, action - Action.PLATE)}"
        g = int(state.last_row[state.player, action - Action.DOOR])
        return f"use the door ability of {guest_name(rules, g) if g >= 0 else f'last guest {action - Action.DOOR + 1}'}"
    if action < Action.KIND:
        return _whether_text(rules, state, action - Action.WHETHER)
    if action < Action.TARGET:
        return f"choose {KIND_NAMES[action - Action.KIND]}"
    if action < Action.TOKEN:
        return _target_text(rules, state, action - Action.TARGET)
    if action < Action.PLACE:
        return _token_text(rules, state, action - Action.TOKEN)
    if action < Action.DRAFT:
        return f"put the {_arriving(state)} on {COLOUR_NAMES[action - Action.PLACE]}{_on_whom(rules, state)}"
    if action < Action.KEEP:
        return _draft_text(rules, state, action - Action.DRAFT)
    return _keep_text(rules, state, action - Action.KEEP)


def _own(rules: Rules, state: State, k: int) -> str:
    g = int(state.row[state.player, k])
    return guest_name(rules, g) if g >= 0 else f"own guest {k + 1}"


def _play_text(rules: Rules, state: State, action: int) -> str:
    if action >= Action.SEND_HOME:
        return f"send {_own(rules, state, action - Action.SEND_HOME)} home"
    slot, gap = divmod(action - Action.SEAT, SEATS)
    g = int(state.hand[state.player, slot])
    who = guest_name(rules, g) if g >= 0 else f"the guest in hand slot {slot + 1}"
    return f"seat {who} at place {gap + 1} from the left"


def _feed_text(rules: Rules, state: State, action: int) -> str:
    if action >= Action.REMOVE:
        return f"return a {KIND_NAMES[action - Action.REMOVE]} from the platter to the kitchen"
    if action >= Action.SERVE:
        k, kind = divmod(action - Action.SERVE, KINDS)
        return f"serve {_own(rules, state, k)} a {KIND_NAMES[kind]}"
    k, rest = divmod(action - Action.SOCIAL, WAYS)
    g = int(state.row[state.player, k])
    side = "left" if rest < 2 else "right"
    whom = ""
    if g >= 0:
        other = int(left_of(state, rules, g) if rest < 2 else right_of(state, rules, g))
        whom = f" {guest_name(rules, other)}" if other >= 0 else ""
    what = "exchange compliments" if rest % 2 == 0 else "start drama"
    return f"{_own(rules, state, k)} and the {side} neighbour{whom} {what}"


def _top(state: State) -> Cells | None:
    return state.frame[int(state.depth) - 1] if state.depth > 0 else None


def _whether_text(rules: Rules, state: State, yes: int) -> str:
    top = _top(state)
    if top is None:
        return "yes" if yes else "no"
    name = guest_name(rules, int(top[Column.GUEST]))
    if top[Column.KIND] == Effect.TOKEN:
        return f"{'refuse' if yes else 'accept'} the {KIND_NAMES[int(top[Column.TOKEN])]} for {name}"
    if top[Column.KIND] == Effect.ABILITY:
        return "take another token" if yes else "take no more"
    return f"use the ability of {name}" if yes else f"do not use the ability of {name}"


def _target_text(rules: Rules, state: State, k: int) -> str:
    g = int(guest_at(state, rules, int(state.player), k)) if k < SEATS * rules.players else -1
    if g < 0:
        return f"choose guest {k % SEATS + 1} from the left of the seat {k // SEATS} to the left"
    return f"choose {guest_name(rules, g)} (seat {int(state.owner[g])})"


def _token_text(rules: Rules, state: State, a: int) -> str:
    top = _top(state)
    if top is not None and top[Column.KIND] == Effect.ABILITY:
        g = int(top[Column.B])
        if a < rules.guests[g].appetites and state.token[g, a] >= 0:
            kind, colour = KIND_NAMES[state.token[g, a]], COLOUR_NAMES[rules.guests[g].appetite[a]]
            return f"choose the {kind} on {colour} of {guest_name(rules, g)}"
    return f"choose the token on appetite {a + 1}"


def _arriving(state: State) -> str:
    top = _top(state)
    return KIND_NAMES[int(top[Column.TOKEN])] if top is not None and top[Column.KIND] == Effect.TOKEN else "token"


def _on_whom(rules: Rules, state: State) -> str:
    top = _top(state)
    return (
        f" of {guest_name(rules, int(top[Column.GUEST]))}"
        if top is not None and top[Column.KIND] == Effect.TOKEN
        else ""
    )


def _draft_text(rules: Rules, state: State, k: int) -> str:
    i = int(state.draft_round) + k
    if state.stage == Stage.DRAFTING and i < rules.hand_size:
        return f"keep {guest_name(rules, int(state.pack[int(pack_at(state, rules, int(state.player))), i]))}"
    return f"keep card {k + 1} of the pack"


def _keep_text(rules: Rules, state: State, k: int) -> str:
    cards = [word(rules.faux_pas[int(i)].name) for i in state.faux_pas_dealt[state.player] if i >= 0]
    if k == 2:
        return "keep both Faux Pas"
    return f"keep only {cards[k]}" if cards else f"keep only Faux Pas {k + 1}"


# ---------------------------------------------------------------- the position in words

_QUESTIONS = (
    "keep a card of the pack", "keep one or two Faux Pas", "choose an action", "seat or send home another guest, or stop",
    "use another plate ability, or stop", "decide whether", "choose a kind", "choose a guest", "choose a token",
    "choose an appetite", "send home the next guest", "use a door ability, or stop",
)  # fmt: skip


def question_text(rules: Rules, state: State) -> str:
    """Who decides what."""
    if state.over:
        return "The game is over."
    top = _top(state)
    about = ""
    if top is not None and top[Column.KIND] in (Effect.TOKEN, Effect.ASK, Effect.ABILITY, Effect.HOME):
        about = f" ({guest_name(rules, int(top[Column.GUEST]))}"
        about += f", {KIND_NAMES[int(top[Column.TOKEN])]} arriving)" if top[Column.KIND] == Effect.TOKEN else ")"
    return f"Seat {int(state.player)} has to {_QUESTIONS[int(state.phase)]}{about}."


def describe(rules: Rules, state: State, player: int | None) -> str:
    """Everything that the player may know, or everything there is for None."""
    lines = [
        f"Surrealist Dinner Party, {int(rules.players)} players. {question_text(rules, state)}",
        f"Course {int(state.course) + 1}, {word(rules.course_name[int(state.course)])}; turn {int(state.turn)} of seat"
        f" {int(state.active)}. On the platter: {tokens_text(state.platter)}.",
    ]
    coming = [tokens_text(rules.menu[c]) for c in range(int(state.course) + 1, COURSES)]
    lines.append(f"To come: {'; '.join(coming) or 'nothing'}.")
    if state.stage in (Stage.LAST_DEPARTURES, Stage.LAST_DOORS):
        lines.append("The last guests are leaving.")
    for p in range(rules.players):
        lines += _describe_seat(rules, state, p, player)
    lines += _describe_faux_pas(rules, state, player)
    if player is not None and rules.draft:
        lines += _describe_knowledge(rules, state, player)
    gone = [guest_name(rules, g) for g in range(rules.num_guests) if state["where"][g] == Where.GONE]
    lines.append(f"Gone home: {', '.join(gone) or 'nobody'}.")
    return "\n".join(lines)


def _describe_seat(rules: Rules, state: State, p: int, player: int | None) -> list[str]:
    you = " (you)" if p == player else ""
    used = "used" if state.plate_used[p] else "not used"
    lines = [
        f"Seat {p}{you}: {int(state.points[p])} points; stash {tokens_text(state.stash[p])};"
        f" {int(state.hand_size[p])} cards in hand; plate abilities {used} in this course."
    ]
    for k in range(state.seated[p]):
        g = int(state.row[p, k])
        mark = ", used in this action" if int(state.plate_done) & (1 << g) else ""
        lines.append(f"  {k + 1} from the left: {_guest_line(rules, state, g)}{mark}")
    if player is None or p == player:
        lines += [f"  in hand: {_guest_line(rules, state, int(g))}" for g in state.hand[p] if g >= 0]
        if state.stage == Stage.DRAFTING:
            lines += [f"  in the pack: {_guest_line(rules, state, g)}" for g in pack_cards(rules, state, p)]
            if state.pick[p] >= 0:
                lines.append(f"  keeps card {int(state.pick[p]) + 1} of the pack")
    return lines


def _describe_knowledge(rules: Rules, state: State, player: int) -> list[str]:
    """What the player knows from the draft of the cards that others hold."""
    lines = []
    for q in range(rules.players):
        if q != player:
            sure, maybe = known_cards(rules, state, player, q)
            known = f"holds {', '.join(sure) or 'no card you know'}"
            lines.append(f"Seat {q} {known}; may hold {', '.join(maybe) or 'no other that you saw'}.")
    return lines


def known_cards(rules: Rules, state: State, player: int, other: int) -> tuple[list[str], list[str]]:
    """Cards that `player` saw in the draft and that `other` holds for sure, and those it may hold; none of one's own."""
    sure: list[str] = []
    maybe: list[str] = []
    for k in range(rules.players if player != other else 0):
        for i in range(rules.hand_size):
            if not is_unseen(state, rules, player, k, i) and state["where"][state.pack[k, i]] == Where.HIDDEN:
                segment = segment_of(state, rules, player, k, i)
                places = [j for j in range(rules.hand_size) if can_move(state, rules, player, k, j, segment)]
                held = [j for j in places if j < state.draft_round and holder_of(rules, k, j) == other]
                if segment >= 0 and held:
                    (sure if len(places) == len(held) else maybe).append(guest_name(rules, int(state.pack[k, i])))
    return sorted(sure), sorted(maybe)


def pack_cards(rules: Rules, state: State, p: int) -> list[int]:
    """The cards left in the pack that a player looks at."""
    k = int(pack_at(state, rules, p))
    return [int(state.pack[k, i]) for i in range(int(state.draft_round), int(rules.hand_size))]


def _guest_line(rules: Rules, state: State, g: int) -> str:
    ability = f" | {ability_text(rules, g)}" if rules.abilities else ""
    return f"{guest_name(rules, g)}: {appetites_text(rules, state, g)}{ability}"


def _describe_faux_pas(rules: Rules, state: State, player: int | None) -> list[str]:
    if not rules.faux_pas_used:
        return []
    lines = []
    for i in range(rules.num_faux_pas):
        if state.faux_pas_open[i]:
            by = [f"seat {p}" for p in range(rules.players) if int(state.faux_pas_by[i]) & (1 << p)]
            scored = "open" if state.faux_pas_open[i] == Face.OPEN else f"scored by {', '.join(by) or 'nobody'}"
            lines.append(f"Faux Pas: {faux_pas_text(rules, i)}, {scored}.")
    for p in range(rules.players):
        if player is None or p == player:
            cards = "; ".join(faux_pas_text(rules, int(i)) for i in state.faux_pas_dealt[p])
            kept = ("not chosen yet", "keeps the first", "keeps the second", "keeps both")[
                int(state.faux_pas_choice[p])
            ]
            lines.append(f"Seat {p} was dealt: {cards}; {kept}.")
    return lines


# ---------------------------------------------------------------- the picture

_FILL = ("#d9534f", "#7b3fa0", "#f0b429", "#3a9d5d", "#3b6fb6", "#ffffff")
_SIGN = ("F", "W", "D", "C", "X", "J")
_LINE = 128


def _text(x: float, y: float, words: str, size: int = 13, weight: str = "normal", fill: str = "#2b2b2b") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{fill}">{escape(words)}</text>'


def _box(x: float, y: float, w: float, h: float, fill: str, stroke: str = "#b9ab94", wide: float = 1) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="8" fill="{fill}" stroke="{stroke}"'
        f' stroke-width="{wide:g}"/>'
    )


def _disc(x: float, y: float, r: float, kind: int, sign: str, stroke: str = "#444") -> str:
    ink = "#2b2b2b" if kind in (2, JOKER) else "#ffffff"
    disc = (
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{_FILL[kind]}" stroke="{stroke}" stroke-width="1.5"/>'
        f'<text x="{x:g}" y="{y + r * 0.4:g}" font-size="{r * 1.1:g}" font-weight="bold" fill="{ink}"'
        f' text-anchor="middle">{sign}</text>'
    )
    return spot(disc, told=COLOUR_NAMES[kind])


def _fit(words: str, width: int) -> list[str]:
    """Words broken into lines of at most `width` characters."""
    lines = [""]
    for w in words.split():
        if len(lines[-1]) + len(w) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {w}".strip()
    return lines


def place(rules: Rules, state: State, action: int) -> str:
    """Where on the picture an action of the seat to move belongs; kinds, yes and no, and the end of an action have no place."""
    g = -1
    if action < Action.SEND_HOME:
        g = int(state.hand[state.player, (action - Action.SEAT) // SEATS])
    elif action < Action.REMOVE:
        k = (
            action - Action.SEND_HOME
            if action < Action.SOCIAL
            else (action - Action.SOCIAL) // WAYS
            if action < Action.SERVE
            else (action - Action.SERVE) // KINDS
        )
        g = int(state.row[state.player, k])
    elif action < Action.PLATE:
        return "platter"
    elif action < Action.DOOR:
        g = int(state.row[state.player, action - Action.PLATE])
    elif Action.TARGET <= action < Action.TOKEN:
        k = action - Action.TARGET
        g = int(guest_at(state, rules, int(state.player), k)) if k < SEATS * rules.players else -1
    elif Action.TOKEN <= action < Action.DRAFT:
        g = _running_guest(state, action)
        if g >= 0 and action < Action.PLACE:
            return f"token-{g}-{action - Action.TOKEN}"
    elif Action.DRAFT <= action < Action.KEEP and state.stage == Stage.DRAFTING:
        left = pack_cards(rules, state, int(state.player))
        g = left[action - Action.DRAFT] if action - Action.DRAFT < len(left) else -1
    return f"guest-{g}" if g >= 0 else ""


def _running_guest(state: State, action: int) -> int:
    """The guest on which the running effect puts a token, or whose token it chooses; -1 for none."""
    top = _top(state)
    if top is None:
        return -1
    if action < Action.PLACE:
        return int(top[Column.B]) if top[Column.KIND] == Effect.ABILITY else -1
    return int(top[Column.GUEST]) if top[Column.KIND] == Effect.TOKEN else -1


def draw(rules: Rules, state: State, player: int | None) -> str:
    """The position as one SVG: the platter on top, a strip for every player, the own hand, the Faux Pas."""
    parts = _draw_head(rules, state)
    y = 108
    first = 0 if player is None else player
    for k in range(rules.players):
        seat = (first + k) % int(rules.players)
        parts += _draw_seat(rules, state, seat, player, y)
        y += 44 + (_LINE if state.seated[seat] else 0)  # an empty table takes no room
    for p in range(rules.players):
        if player is None or p == player:
            more, y = _draw_hand(rules, state, p, y)
            parts += more
    more, y = _draw_faux_pas(rules, state, player, y)
    parts += more
    y = _draw_legend(parts, y)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {y:g}" font-family="DejaVu Sans, sans-serif">'
        f'<rect width="1000" height="{y:g}" fill="#f6f0e4"/>{"".join(parts)}</svg>'
    )


def _draw_head(rules: Rules, state: State) -> list[str]:
    parts = [_text(20, 30, "Surrealist Dinner Party", 20, "bold")]
    parts.append(_text(300, 30, question_text(rules, state), 14, fill="#8a2f2f"))
    for c in range(COURSES):
        now = c == state.course
        x = 20 + 162 * c
        dish = [_box(x, 44, 154, 52, "#fff8e8" if now else "#ece4d4", "#8a2f2f" if now else "#b9ab94", 2 if now else 1)]
        dish.append(_text(x + 8, 61, f"{c + 1} {word(rules.course_name[c])}", 12, "bold" if now else "normal"))
        counts = state.platter if now else rules.menu[c]
        if c >= state.course:
            dish += _chips(x + 16, 80, counts, 9)
        else:
            dish.append(_text(x + 8, 84, "eaten", 12, fill="#8b8172"))
        told = "the platter of this course" if now else ""
        parts.append(spot("".join(dish), "platter" if now else "", told))
    return parts


def _chips(x: float, y: float, counts: Cells, r: float) -> list[str]:
    """A disc with a number for every kind that is there."""
    parts = []
    for kind in range(KINDS):
        if counts[kind]:
            parts.append(_disc(x, y, r, kind, _SIGN[kind]))
            parts.append(_text(x + r + 3, y + 5, str(int(counts[kind])), 13, "bold"))
            x += 2 * r + 26
    return parts


def _draw_seat(rules: Rules, state: State, p: int, player: int | None, y: float) -> list[str]:
    active = p == state.active and not state.over
    high = 36 + (_LINE if state.seated[p] else 0)
    parts = [_box(14, y, 972, high, "#efe5d0", "#8a2f2f" if active else "#b9ab94", 2.5 if active else 1)]
    name = f"Seat {p}{' (you)' if p == player else ''}"
    place = f", place {int(state.place[p]) + 1}" if state.over else ""
    parts.append(_text(26, y + 23, f"{name}: {int(state.points[p])} points{place}", 15, "bold"))
    parts.append(_text(330, y + 23, "stash", 12, fill="#6b6152"))
    if not state.stash[p].any():
        parts.append(_text(382, y + 23, "empty", 12, fill="#6b6152"))
    parts += _chips(382, y + 18, state.stash[p], 10)
    used = "" if not rules.abilities else ", plate used" if state.plate_used[p] else ", plate free"
    parts.append(_text(690, y + 23, f"{int(state.hand_size[p])} in hand{used}", 13, fill="#6b6152"))
    for k in range(state.seated[p]):
        parts += _draw_guest(rules, state, int(state.row[p, k]), 24 + 320 * k, y + 34, 312, _LINE - 6)
    return parts


def _draw_guest(rules: Rules, state: State, g: int, x: float, y: float, w: float, h: float) -> list[str]:
    top = _top(state)
    asked = top is not None and int(top[Column.GUEST]) == g and not state.over
    parts = [_box(x, y, w, h, "#fffdf7", "#c77800" if asked else "#b9ab94", 3 if asked else 1)]
    parts.append(_text(x + 10, y + 19, guest_name(rules, g), 14, "bold"))
    if rules.abilities and rules.guests[g].icon != Icon.NONE:
        done = int(state.plate_done) & (1 << g)
        parts.append(
            _text(
                x + w - 52, y + 19, "(used)" if done else member_names(Icon)[rules.guests[g].icon], 12, fill="#8a2f2f"
            )
        )
    for a in range(rules.guests[g].appetites):
        cx, cy = x + 24 + 46 * a, y + 46
        colour, kind = int(rules.guests[g].appetite[a]), int(state.token[g, a])
        parts.append(spot(_draw_appetite(cx, cy, colour, kind), f"token-{g}-{a}", _appetite_text(colour, kind)))
    if rules.abilities:
        for n, line in enumerate(_fit(ability_text(rules, g), int(w / 6.6))[:3]):
            parts.append(_text(x + 10, y + 82 + 14 * n, line, 11, fill="#4a4336"))
    return [spot("".join(parts), f"guest-{g}")]


def _appetite_text(colour: int, kind: int) -> str:
    return f"craves {COLOUR_NAMES[colour]}" + (f", has {KIND_NAMES[kind]}" if kind >= 0 else "")


def _draw_appetite(cx: float, cy: float, colour: int, kind: int) -> str:
    """What a guest craves, and the token there, crossed where it does not match; none for -1."""
    parts = [_box(cx - 19, cy - 19, 38, 38, _FILL[colour], "#444")]
    if kind < 0:
        ink = "#2b2b2b" if colour in (2, JOKER) else "#ffffff"
        parts.append(
            f'<text x="{cx:g}" y="{cy + 6:g}" font-size="16" fill="{ink}" text-anchor="middle">{_SIGN[colour]}</text>'
        )
    else:
        fits = matches(colour, kind)
        if not fits:
            cross = (
                f"M{cx - 18:g} {cy - 18:g} L{cx + 18:g} {cy + 18:g} M{cx - 18:g} {cy + 18:g} L{cx + 18:g} {cy - 18:g}"
            )
            parts.append(f'<path d="{cross}" stroke="#000" stroke-width="3"/>')
        parts.append(_disc(cx, cy, 14, kind, _SIGN[kind], "#ffffff" if fits else "#000000"))
    return "".join(parts)


def _draw_hand(rules: Rules, state: State, p: int, y: float) -> tuple[list[str], float]:
    cards = [int(g) for g in state.hand[p] if g >= 0]
    title = f"Hand of seat {p}"
    parts: list[str] = []
    if state.stage == Stage.DRAFTING:
        more, y = _draw_cards(rules, state, f"Pack at seat {p}", pack_cards(rules, state, p), y)
        parts += more
        title = f"Kept by seat {p}"
    if cards:
        more, y = _draw_cards(rules, state, title, cards, y)
        parts += more
    return parts, y


def _draw_cards(rules: Rules, state: State, title: str, cards: list[int], y: float) -> tuple[list[str], float]:
    parts = [_text(24, y + 14, title, 13, "bold")]
    for k, g in enumerate(cards[:HAND]):
        parts += _draw_guest(rules, state, g, 24 + 320 * (k % 3), y + 22 + _LINE * (k // 3), 312, _LINE - 6)
    return parts, y + 30 + _LINE * ((len(cards) + 2) // 3)


def _draw_faux_pas(rules: Rules, state: State, player: int | None, y: float) -> tuple[list[str], float]:
    parts: list[str] = []
    lines = [
        line
        for line in _describe_faux_pas(rules, state, player)
        if state.stage <= Stage.CHOOSING_FAUX_PAS or "dealt" not in line
    ]
    for line in lines:
        for part in _fit(line, 125):
            parts.append(_text(24, y + 14, part, 12))
            y += 18
    return parts, y + (8 if lines else 0)


def _draw_legend(parts: list[str], y: float) -> float:
    x = 24.0
    for kind, name in enumerate(COLOUR_NAMES):
        parts.append(_disc(x + 8, y + 12, 9, kind, _SIGN[kind]))
        parts.append(_text(x + 22, y + 17, name, 12))
        x += 40 + 8.2 * len(name)
    parts.append(_text(x + 10, y + 17, "square: appetite; disc: token; crossed: it does not match", 12, fill="#6b6152"))
    return y + 32
