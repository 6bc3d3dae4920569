"""Guests, abilities, actions and positions in words. Abilities are worded from their data, not from a list of guests."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import (
    DICE,
    HITLER,
    OCCUPATIONS,
    STACKS,
    Ability,
    BarCondition,
    Deed,
    Drink,
    Kind,
    ScoreCondition,
    Source,
    Target,
    Who,
    guest_name,
)
from banquet_envs.games.dinner_party.state import KEEP_ALL, SEATS, Action, Phase, Where
from banquet_envs.games.dinner_party.tables import spot_and_drinks

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


def ability_text(rules: Rules, guest: int) -> str:
    """The ability of a guest, "" for none."""
    ability = rules.guests[guest].ability
    return _WORDS[Kind(ability.kind)](ability) if ability.kind != Kind.NONE else ""


def _result_mod(a: Ability) -> str:
    if a.who == Who.CHARMED_OPPONENT:
        to = "for opponents you charm"
    else:
        verb = ("to invite", "to entertain", "on rolls for")[a.roll]
        whom = ("this guest", "other guests", "its neighbours", "guests")[a.target]
        to = f"{verb} {whom}"
    if a.occupation >= 0:
        to += f" of {OCCUPATIONS[a.occupation]}"
    if a.min_demand > 0:
        to += f" of Demand {a.min_demand} or more"
    if a.source != Source.ANYWHERE:
        to += ("", " from the Lobby", " from other Tables")[a.source]
    per = " per guest at the Table" if a.per_guest else ""
    when = ("", " while another player has more guests", " while the Stash is empty")[a.condition]
    return f"{a.amount:+d}{per} {to}{when}"


def _roll_count(a: Ability) -> str:
    who = "opponents you charm: " if a.who == Who.CHARMED_OPPONENT else ""
    when = (" to invite", " to entertain", "")[a.roll] if not who else ""
    return f"{who}{a.amount:+d} roll{'' if abs(a.amount) == 1 else 's'}{when}"


def _hitler(a: Ability) -> str:
    deed = (
        "to an end of another Table with guests",
        "out of the game",
        "to an end of another Table with guests",
        "from your Table back to the Lobby",
    )[a.deed]
    return f"Arrival: {'may put' if a.optional else 'put'} Hitler {deed}"


def _gain(a: Ability) -> str:
    got = [(a.water, "Water"), (a.wine, "Wine"), (a.envelopes, "Envelope")]
    return "Arrival: " + (", ".join(amount(int(n), thing) for n, thing in got if n) or "nothing")


_WORDS: dict[Kind, Callable[[Ability], str]] = {
    Kind.RESULT_MOD: _result_mod,
    Kind.ROLL_COUNT: _roll_count,
    Kind.REROLL_AFTER_LAST: lambda a: "after the last roll"
    f"{(' to invite', ' to entertain', '')[a.roll]} may reroll {amount(int(a.amount), 'die').replace('dies', 'dice')}",
    Kind.ICON_VALUE: lambda a: f"each Drink icon counts {a.amount}",
    Kind.IGNORE_ARROWS: lambda a: f"arrows do not change rolls {'for this guest' if a.target == Target.SELF else 'at this Table'}",
    Kind.DRINK_VALUE: lambda a: f"your {('', 'Water', 'Wine')[a.drink]} counts {a.amount:+d}",
    Kind.GIFT_DRINK: lambda a: "when inviting, may give an opponent a Drink and add its value",
    Kind.ENTERTAIN_TWICE: lambda a: "opponents you charm must entertain twice",
    Kind.FAIL_WITHOUT_DRINK: lambda a: "without a Drink, entertaining this guest fails",
    Kind.CHARM_COST: lambda a: f"charming at this Table costs {amount(int(a.amount), 'Envelope')} more",
    Kind.BAR_BONUS: lambda a: f"{a.amount:+d} icon{'' if a.amount == 1 else 's'} at the Bar"
    f"{' after a failed invitation' if a.condition == BarCondition.INVITE_FAILED else ''}",
    Kind.ARRIVAL_GAIN: _gain,
    Kind.ARRIVAL_DISCARD: lambda a: f"Arrival: each opponent discards {amount(int(a.amount), 'Drink')}",
    Kind.ARRIVAL_HITLER: _hitler,
    Kind.ARRIVAL_CLEAR_STACK: lambda a: f"Arrival: {'may remove' if a.optional else 'remove'} the rest of the own stack",
    Kind.ARRIVAL_RESEAT: lambda a: f"Arrival: {'may move' if a.optional else 'move'} {amount(int(a.amount), 'guest')} to an end",
    Kind.SCORE: lambda a: f"{a.amount:+d} point{'' if abs(a.amount) == 1 else 's'}"
    + SCORE_WORDS[a.condition].format(OCCUPATIONS[a.occupation] if a.condition == ScoreCondition.NEIGHBOUR_OCCUPATION else ""),
}  # fmt: skip


def occupations_of(rules: Rules, guest: int) -> list[str]:
    """The occupations of a guest."""
    return [o for k, o in enumerate(OCCUPATIONS) if rules.guests[guest].occupations >> k & 1]


def guest_text(rules: Rules, guest: int) -> str:
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


def action_text(rules: Rules, state: State, action: int) -> str:
    """An action in the game's own terms."""
    if action < Action.PUT:
        return _keep_text(state, action)
    if action < Action.FAIL:
        return _put_text(rules, state, action - Action.PUT)
    if action < Action.GIVE_TO:
        return "let the invitation fail"
    if action < Action.DO:
        to_hitler = action >= Action.HITLER_TO
        steps = (action - Action.HITLER_TO) // 2 + 1 if to_hitler else action - Action.GIVE_TO + 1
        seat = (int(state.active) + steps) % int(rules.players)
        there = f"{amount(steps, 'place')} to the left"
        if to_hitler:
            return f"put Hitler at the {ENDS[(action - Action.HITLER_TO) % 2]} end of seat {seat}'s Table, {there}"
        return f"give the Drink to seat {seat}, {there}"
    if action < Action.DONE:
        return _choice_text(rules, state, action)
    if action == Action.DONE:
        return "place no more Drinks and end the turn"
    return _guest_action_text(rules, action - Action.BY_GUEST)


def _keep_text(state: State, keep: int) -> str:
    rolled = any(d >= 0 for d in state.dice)
    kept = [k for k in range(DICE) if keep >> k & 1]
    named = ", ".join(die_text(int(state.dice[k])) if rolled else f"die {k + 1}" for k in kept)
    after = state.phase == Phase.REROLL
    if keep == KEEP_ALL:
        return f"leave the dice at {named}" if after else f"stop rolling at {named}"
    return (
        (f"keep {named} and " if kept else "")
        + f"{'reroll' if after else 'roll'} {('the other ' if kept else '')}"
        + ({3: "all three dice", 2: "two dice", 1: "die"}[DICE - len(kept)])
    )


def _put_text(rules: Rules, state: State, option: int) -> str:
    end, treat, gift = spot_and_drinks(option)
    who = guest_name(rules, int(state.target)) if state.target >= 0 else "the guest"
    text = f"seat {who} at the {ENDS[end]} end with {DRINK_WORDS[treat]}"
    return text + (f", giving {DRINK_WORDS[gift]} to an opponent" if gift else "")


def _choice_text(rules: Rules, state: State, action: int) -> str:
    if action in (Action.DO, Action.LEAVE):
        yes = action == Action.DO
        ability = rules.guests[max(int(state.target), 0)].ability
        if state.phase == Phase.MAY:
            kind = Kind(ability.kind)
            what = "the rest of the stack" if kind == Kind.ARRIVAL_CLEAR_STACK else "Hitler"
            how = (
                "back to the Lobby"
                if kind == Kind.ARRIVAL_HITLER and ability.deed == Deed.TO_LOBBY
                else "from the game"
            )
            return f"remove {what} {how}" if yes else f"do not remove {what}"
        return "use the arrival ability" if yes else "leave everybody where they are"
    choice = action - Action.TAKE
    if choice == 0:
        return "take nothing from the Bar"
    row = bar_row_now(rules, state)
    if choice <= rules.bar_choices[row]:
        return f"take {bar_text(rules, row, choice - 1)} (alternative {choice})"
    return f"take alternative {choice} of the Bar"


def bar_text(rules: Rules, row: int, choice: int) -> str:
    """The Drinks of an alternative in a line of the Bar's table."""
    water, wine = (int(x) for x in rules.bar[row, choice])
    return " and ".join(amount(n, thing) for n, thing in ((water, "Water"), (wine, "Wine")) if n) or "nothing"


def bar_row_now(rules: Rules, state: State) -> int:
    """The line of the Bar's table that holds now, worked out in plain Python; 0 outside the Bar."""
    if state.phase != Phase.BAR:
        return 0
    icons = sum(int(d) == 0 for d in state.dice)
    for guest in state.table[state.active, : state.seated[state.active]]:
        ability = rules.guests[guest].ability
        if ability.kind == Kind.BAR_BONUS and (ability.condition != BarCondition.INVITE_FAILED or state.failed):
            icons += int(ability.amount)
    return max(0, min(int(rules.bar_rows) - 1, icons))


def _guest_action_text(rules: Rules, a: int) -> str:
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


def describe(rules: Rules, state: State, player: int | None) -> str:
    """All that `player` may know: everything but the face-down cards' order, and which of them are in the box."""
    lines = [headline(rules, state, player), *_roll_lines(rules, state), "", "Lobby:"]
    for back in range(STACKS):
        lines.append(f"  stack {back + 1}: {_stack_text(rules, state, back)}")
    where = int(state.where[HITLER])
    place = (
        "in the Lobby" if where == Where.LOBBY else f"at seat {where}'s Table" if where < SEATS else "out of the game"
    )
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


def headline(rules: Rules, state: State, player: int | None) -> str:
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


def _roll_lines(rules: Rules, state: State) -> list[str]:
    if state.over or state.phase == Phase.CHOOSE or state.dice[0] < 0:
        return []
    lines = [f"Dice: {dice_text(state.dice)}."]
    if state.phase not in (Phase.ROLL, Phase.REROLL, Phase.PLACE) or state.target < 0:
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
    left = f"; rolls left: {state.rolls_left}" if state.phase == Phase.ROLL else ""
    return [*lines, what + icon + left + "."]


def _stack_text(rules: Rules, state: State, back: int) -> str:
    open_card = int(state.face_up[back])
    shown = guest_text(rules, open_card) if open_card >= 0 else "no open card"
    return f"{shown}; {state.height[back]} face-down"


def _seat_lines(rules: Rules, state: State, seat: int, player: int | None) -> list[str]:
    stash = f"{state.stash[seat, Drink.WATER]} Water and {state.stash[seat, Drink.WINE]} Wine in the Stash"
    head = _seats([seat], player)
    head = f"{head[0].upper() + head[1:]}: {amount(int(state.points[seat]), 'point')},"
    lines = [f"{head} {amount(int(state.envelopes[seat]), 'Envelope')}, {stash}; guests from left to right:"]
    for k in range(int(state.seated[seat])):
        guest = int(state.table[seat, k])
        drink = f" with {DRINK_WORDS[state.drink[guest]]}" if state.drink[guest] else ""
        charmed = ", charmed this turn" if state.charmed[guest] else ""
        lines.append(f"  {k + 1}. {guest_text(rules, guest)}{drink}{charmed}")
    return lines if len(lines) > 1 else [*lines, "  nobody"]
