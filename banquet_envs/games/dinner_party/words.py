"""Guests, abilities, actions and positions in words. Abilities are worded from their data, not from a list of guests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from banquet_envs.games.dinner_party.components import (
    ALL,
    ANYWHERE,
    BAR_INVITE_FAILED,
    CHARMED_OPPONENT,
    DICE,
    HITLER,
    KINDS,
    OCCUPATIONS,
    OTHERS,
    SELF,
    STACKS,
    TO_LOBBY,
    WATER,
    WINE,
    guest_name,
)
from banquet_envs.games.dinner_party.components import (
    NEIGHBOUR_OCCUPATION as BESIDE,
)
from banquet_envs.games.dinner_party.state import (
    BAR,
    BY_GUEST,
    CHOOSE,
    DO,
    DONE,
    FAIL,
    GIVE_TO,
    HITLER_TO,
    KEEP_ALL,
    LEAVE,
    LOBBY,
    MAY,
    PLACE,
    PUT,
    REROLL,
    ROLL,
    SEATS,
    TAKE,
)

DRINK_WORDS = ("no Drink", "a Water", "a Wine")
ARROW_WORDS = {1: "green", 0: "no", -1: "red"}
ENDS = ("left", "right")
DECISIONS = (
    "choose a guest to charm or to invite",
    "roll again or stop",
    "reroll after the last roll",
    "choose spot and Drink, or let it fail",
    "choose who gets the gift",
    "place Hitler",
    "use the arrival ability or not",
    "move a guest to an end",
    "choose at the Bar",
    "place Drinks or end the turn",
)
SCORE_WORDS = (
    "",
    " with all five occupations",
    " next to a {} guest",
    " if nobody has more guests",
    " at an end of the Table",
    " with a Drink",
)


def amount(n: int, thing: str) -> str:
    """A number with its noun: "1 Water", "2 rolls"."""
    return f"{n} {thing}" if abs(n) == 1 or thing in ("Water", "Wine") else f"{n} {thing}s"


def ability_text(rules: Any, guest: int) -> str:
    """The ability of a guest, "" for none."""
    ability = rules.guests[guest].ability
    kind = KINDS[ability.kind]
    return _WORDS[kind](ability) if kind != "none" else ""


def _result_mod(a: Any) -> str:
    if a.who == CHARMED_OPPONENT:
        to = "for opponents you charm"
    else:
        verb = ("to invite", "to entertain", "on rolls for")[a.roll]
        whom = {SELF: "this guest", OTHERS: "other guests", ALL: "guests"}.get(int(a.target), "its neighbours")
        to = f"{verb} {whom}"
    if a.occupation >= 0:
        to += f" of {OCCUPATIONS[a.occupation]}"
    if a.min_demand > 0:
        to += f" of Demand {a.min_demand} or more"
    if a.source != ANYWHERE:
        to += ("", " from the Lobby", " from other Tables")[a.source]
    per = " per guest at the Table" if a.per_guest else ""
    when = ("", " while another player has more guests", " while the Stash is empty")[a.condition]
    return f"{a.amount:+d}{per} {to}{when}"


def _roll_count(a: Any) -> str:
    who = "opponents you charm: " if a.who == CHARMED_OPPONENT else ""
    when = (" to invite", " to entertain", "")[a.roll] if not who else ""
    return f"{who}{a.amount:+d} roll{'' if abs(a.amount) == 1 else 's'}{when}"


def _hitler(a: Any) -> str:
    deed = (
        "to an end of another Table with guests",
        "out of the game",
        "to an end of another Table with guests",
        "from your Table back to the Lobby",
    )[a.deed]
    return f"Arrival: {'may put' if a.optional else 'put'} Hitler {deed}"


def _gain(a: Any) -> str:
    got = [(a.water, "Water"), (a.wine, "Wine"), (a.envelopes, "Envelope")]
    return "Arrival: " + (", ".join(amount(int(n), thing) for n, thing in got if n) or "nothing")


_WORDS: dict[str, Any] = {
    "result_mod": _result_mod,
    "roll_count": _roll_count,
    "reroll_after_last": lambda a: "after the last roll"
    f"{(' to invite', ' to entertain', '')[a.roll]} may reroll {amount(int(a.amount), 'die').replace('dies', 'dice')}",
    "icon_value": lambda a: f"each Drink icon counts {a.amount}",
    "ignore_arrows": lambda a: f"arrows do not change rolls {'for this guest' if a.target == SELF else 'at this Table'}",
    "drink_value": lambda a: f"your {('', 'Water', 'Wine')[a.drink]} counts {a.amount:+d}",
    "gift_drink": lambda a: "when inviting, may give an opponent a Drink and add its value",
    "entertain_twice": lambda a: "opponents you charm must entertain twice",
    "fail_without_drink": lambda a: "without a Drink, entertaining this guest fails",
    "charm_cost": lambda a: f"charming at this Table costs {amount(int(a.amount), 'Envelope')} more",
    "bar_bonus": lambda a: f"{a.amount:+d} icon{'' if a.amount == 1 else 's'} at the Bar"
    f"{' after a failed invitation' if a.condition == BAR_INVITE_FAILED else ''}",
    "arrival_gain": _gain,
    "arrival_discard": lambda a: f"Arrival: each opponent discards {amount(int(a.amount), 'Drink')}",
    "arrival_hitler": _hitler,
    "arrival_clear_stack": lambda a: f"Arrival: {'may remove' if a.optional else 'remove'} the rest of the own stack",
    "arrival_reseat": lambda a: f"Arrival: {'may move' if a.optional else 'move'} {amount(int(a.amount), 'guest')} to an end",
    "score": lambda a: f"{a.amount:+d} point{'' if abs(a.amount) == 1 else 's'}"
    + SCORE_WORDS[a.condition].format(OCCUPATIONS[a.occupation] if a.condition == BESIDE else ""),
}  # fmt: skip


def occupations_of(rules: Any, guest: int) -> list[str]:
    """The occupations of a guest."""
    return [o for k, o in enumerate(OCCUPATIONS) if rules.guests[guest].occupations >> k & 1]


def guest_text(rules: Any, guest: int) -> str:
    """A guest's card in words."""
    card = rules.guests[guest]
    parts = [f"Demand {card.demand}", f"{ARROW_WORDS[int(card.arrows)]} arrows", *occupations_of(rules, guest)]
    ability = ability_text(rules, guest)
    return f"{guest_name(rules, guest)} ({', '.join(parts)}{'; ' + ability if ability else ''})"


def die_text(die: int) -> str:
    """One die."""
    return "drink" if die == 0 else str(die)


def dice_text(dice: Iterable[int]) -> str:
    """Dice as they lie: "drink, 2, 4"."""
    return ", ".join(die_text(int(d)) for d in dice)


# ---------------------------------------------------------------- actions


def action_text(rules: Any, state: Any, action: int) -> str:
    """An action in the game's own terms."""
    if action < PUT:
        return _keep_text(state, action)
    if action < FAIL:
        return _put_text(rules, state, action - PUT)
    if action < GIVE_TO:
        return "let the invitation fail"
    if action < DO:
        first = GIVE_TO if action < HITLER_TO else HITLER_TO
        steps = action - GIVE_TO + 1 if first == GIVE_TO else (action - HITLER_TO) // 2 + 1
        seat = (int(state.active) + steps) % int(rules.players)
        if first == GIVE_TO:
            return f"give the Drink to seat {seat}, {amount(steps, 'place')} to the left"
        return f"put Hitler at the {ENDS[(action - HITLER_TO) % 2]} end of seat {seat}'s Table, {amount(steps, 'place')} to the left"
    if action < DONE:
        return _choice_text(rules, state, action)
    if action == DONE:
        return "place no more Drinks and end the turn"
    return _guest_action_text(rules, action - BY_GUEST)


def _keep_text(state: Any, keep: int) -> str:
    rolled = any(d >= 0 for d in state.dice)
    kept = [k for k in range(DICE) if keep >> k & 1]
    named = ", ".join(die_text(int(state.dice[k])) if rolled else f"die {k + 1}" for k in kept)
    after = state.phase == REROLL
    if keep == KEEP_ALL:
        return f"leave the dice at {named}" if after else f"stop rolling at {named}"
    return (
        (f"keep {named} and " if kept else "")
        + f"{'reroll' if after else 'roll'} {('the other ' if kept else '')}"
        + ({3: "all three dice", 2: "two dice", 1: "die"}[DICE - len(kept)])
    )


def _put_text(rules: Any, state: Any, option: int) -> str:
    end, treat, gift = option // 9, option // 3 % 3, option % 3
    who = guest_name(rules, int(state.target)) if state.target >= 0 else "the guest"
    text = f"seat {who} at the {ENDS[end]} end with {DRINK_WORDS[treat]}"
    return text + (f", giving {DRINK_WORDS[gift]} to an opponent" if gift else "")


def _choice_text(rules: Any, state: Any, action: int) -> str:
    if action in (DO, LEAVE):
        yes = action == DO
        ability = rules.guests[max(int(state.target), 0)].ability
        if state.phase == MAY:
            kind = KINDS[ability.kind]
            what = "the rest of the stack" if kind == "arrival_clear_stack" else "Hitler"
            how = "back to the Lobby" if kind == "arrival_hitler" and ability.deed == TO_LOBBY else "from the game"
            return f"remove {what} {how}" if yes else f"do not remove {what}"
        return "use the arrival ability" if yes else "leave everybody where they are"
    choice = action - TAKE
    if choice == 0:
        return "take nothing from the Bar"
    row = bar_row_now(rules, state)
    if choice <= rules.bar_choices[row]:
        return f"take {bar_text(rules, row, choice - 1)} (alternative {choice})"
    return f"take alternative {choice} of the Bar"


def bar_text(rules: Any, row: int, choice: int) -> str:
    """The Drinks of an alternative in a line of the Bar's table."""
    water, wine = (int(x) for x in rules.bar[row, choice])
    return " and ".join(amount(n, thing) for n, thing in ((water, "Water"), (wine, "Wine")) if n) or "nothing"


def bar_row_now(rules: Any, state: Any) -> int:
    """The line of the Bar's table that holds now, worked out in plain Python; 0 outside the Bar."""
    if state.phase != BAR:
        return 0
    icons = sum(int(d) == 0 for d in state.dice)
    for guest in state.table[state.active, : state.seated[state.active]]:
        ability = rules.guests[guest].ability
        if KINDS[ability.kind] == "bar_bonus" and (ability.condition != BAR_INVITE_FAILED or state.failed):
            icons += int(ability.amount)
    return max(0, min(int(rules.bar_rows) - 1, icons))


def _guest_action_text(rules: Any, a: int) -> str:
    n = int(rules.num_guests)
    if a < n:
        return f"charm {guest_name(rules, a)}"
    if a < 2 * n:
        return f"invite {guest_name(rules, a - n)} from the Lobby"
    if a < 4 * n:
        a -= 2 * n
        return f"move {guest_name(rules, a // 2)} to the {ENDS[a % 2]} end"
    a -= 4 * n
    return f"place {DRINK_WORDS[a % 2 + 1]} on {guest_name(rules, a // 2)}"


# ---------------------------------------------------------------- positions


def describe(rules: Any, state: Any, player: int | None) -> str:
    """All that `player` may know: everything but the face-down cards' order, and which of them are in the box."""
    lines = [headline(rules, state, player), *_roll_lines(rules, state), "", "Lobby:"]
    for back in range(STACKS):
        lines.append(f"  stack {back + 1}: {_stack_text(rules, state, back)}")
    where = int(state.where[HITLER])
    place = "in the Lobby" if where == LOBBY else f"at seat {where}'s Table" if where < SEATS else "out of the game"
    lines.append(f"  {guest_text(rules, HITLER)}: {place}")
    for k in range(int(rules.players)):
        lines += ["", *_seat_lines(rules, state, ((player or 0) + k) % int(rules.players), player)]
    lines += ["", "Unseen (face-down or in the box):"]
    for back in range(STACKS):
        unseen = sorted(guest_name(rules, int(g)) for g in state.hidden[back, : state.unseen[back]])
        lines.append(f"  stack {back + 1}: {', '.join(unseen) or 'none'}")
    if player is None:
        lines += ["", "Face-down cards, top first:"]
        for back in range(STACKS):
            last, height = int(state.unseen[back]), int(state.height[back])
            cards = [guest_name(rules, int(g)) for g in state.hidden[back, last - height : last][::-1]]
            lines.append(f"  stack {back + 1}: {', '.join(cards) or 'none'}")
    return "\n".join(lines)


def headline(rules: Any, state: Any, player: int | None) -> str:
    """Round, turn and who decides what."""
    if state.over:
        winners = [s for s in range(int(rules.players)) if state.place[s] == 0]
        how = "cut off after the last round" if state.capped else "over"
        return f"The game is {how}. {'Winner' if len(winners) == 1 else 'Winners'}: {_seats(winners, player)}."
    last = " (the last round: no charming)" if state.ending else ""
    who = _seats([int(state.player)], player)
    text = f"Round {state.round_number}{last}, turn of {_seats([int(state.active)], player)}."
    return f"{text} {who[0].upper() + who[1:]} to decide: {DECISIONS[state.phase]}."


def _seats(seats: list[int], player: int | None) -> str:
    return " and ".join(f"seat {s}" + (" (you)" if s == player else "") for s in seats)


def _roll_lines(rules: Any, state: Any) -> list[str]:
    if state.over or state.phase == CHOOSE or state.dice[0] < 0:
        return []
    lines = [f"Dice: {dice_text(state.dice)}."]
    if state.phase not in (ROLL, REROLL, PLACE) or state.target < 0:
        return lines
    name = guest_name(rules, int(state.target))
    if state.entertaining:
        twice = f", {amount(int(state.attempts), 'success').replace('successs', 'successes')} still needed"
        what = f"Entertaining {name}: the dice must show {state.need[0]}{twice if state.attempts > 1 else ''}"
    elif state.seated[state.active] < 2:
        what = f"Inviting {name}: the dice must show {state.need[1]} without a Drink"
    else:
        what = f"Inviting {name}: the dice must show {state.need[0]} at the left end, {state.need[1]} at the right, without a Drink"
    icon = f"; an icon counts {state.icon_worth}" if state.icon_worth else ""
    left = f"; rolls left: {state.rolls_left}" if state.phase == ROLL else ""
    return [*lines, what + icon + left + "."]


def _stack_text(rules: Any, state: Any, back: int) -> str:
    open_card = int(state.face_up[back])
    shown = guest_text(rules, open_card) if open_card >= 0 else "no open card"
    return f"{shown}; {state.height[back]} face-down"


def _seat_lines(rules: Any, state: Any, seat: int, player: int | None) -> list[str]:
    stash = f"{state.stash[seat, WATER]} Water and {state.stash[seat, WINE]} Wine in the Stash"
    head = _seats([seat], player)
    head = f"{head[0].upper() + head[1:]}: {amount(int(state.points[seat]), 'point')},"
    lines = [f"{head} {amount(int(state.envelopes[seat]), 'Envelope')}, {stash}; guests from left to right:"]
    for k in range(int(state.seated[seat])):
        guest = int(state.table[seat, k])
        drink = f" with {DRINK_WORDS[state.drink[guest]]}" if state.drink[guest] else ""
        charmed = ", charmed this turn" if state.charmed[guest] else ""
        lines.append(f"  {k + 1}. {guest_text(rules, guest)}{drink}{charmed}")
    return lines if len(lines) > 1 else [*lines, "  nobody"]
