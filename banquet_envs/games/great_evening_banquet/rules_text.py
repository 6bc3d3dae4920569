"""The rules in words for the options and components in play, how moves are worded, and what of them stays hidden."""

from __future__ import annotations

from banquet_envs.core.types import Rules, State
from banquet_envs.games.great_evening_banquet.components import COLOUR_NAMES, COLOURS, PLAYER_COLOURS, TYPES
from banquet_envs.games.great_evening_banquet.display import TYPE_WORDS, action_text
from banquet_envs.games.great_evening_banquet.state import Action

_MOST_OR_LAST = "Most points win; ties go to the player with more photos that paid, then victory is shared."


def rules_text(rules: Rules) -> str:
    """How the game is played with these options and components."""
    parts = [_aim(rules), _round(rules), _tile(rules), _salon(rules), _photos(rules)]
    if rules.players == 1:
        parts.append(_solo(rules))
    return "\n\n".join(parts)


def move_forms(rules: Rules) -> list[str]:
    """How `action_text` words moves."""
    at = "VIP <letter>"
    forms = ["take carriage <number>: <its guests>", "take the <guest> from the Grand Salon (place <number>)"]
    forms += [f"give the <guest> from {at}", f"seat the <guest> at {at}"]
    if rules.expert:
        forms += [form.replace(at, "VIPs <letter> and <letter>") for form in forms[-2:]]
    return forms + ["redraw carriage <number>"] * int(rules.players == 1)


def public_text(rules: Rules, state: State, action: int) -> str:
    """Guests are seated out of the others' sight."""
    return "seat a guest out of sight" if action >= Action.PLACE else action_text(rules, state, action)


def _aim(rules: Rules) -> str:
    seats = ", ".join(f"seat {p} {PLAYER_COLOURS[p]}" for p in range(rules.players))
    tokens = int(rules.bag.sum())
    return (
        f"Every player ({seats}) has a chamber with six VIPs, A to F, in two rows of three, and seats guests around them."
        f" A guest has a colour ({', '.join(COLOUR_NAMES)}), a type ({', '.join(TYPE_WORDS)}) and sometimes a toast."
        f" The bag begins with {tokens} guests ({tokens / (COLOURS * TYPES):g} for each colour and type on average),"
        f" {int(rules.bag[1::2].sum())} of them with a toast; four of them are drawn for the Grand Salon."
        f" A chamber has {int(rules.num_spaces)} spaces. {_spaces(rules)}"
        + (" Which letter lies where was drawn by lot, alike for all." if rules.random_vip else "")
        + ("" if rules.players == 1 else f" {_MOST_OR_LAST}")
    )


def _spaces(rules: Rules) -> str:
    if rules.expert:
        return "Some spaces lie between two VIPs: a guest there is a neighbour of both. Every VIP has four spaces around it."
    return "Every VIP has four spaces of its own."


def _round(rules: Rules) -> str:
    cards = ", ".join(f"{int(n)} of value {value}" for value, n in enumerate(rules.cards) if n)
    n = int(rules.players)
    take = (
        "You take one of the carriages on offer."
        if n == 1
        else f"There are {n} carriages. In turn order everybody takes one."
    )
    turns = "E" if n == 1 else "In turn order, e"
    hidden = "" if n == 1 else " This is done at the same time: nobody sees the others' placements until all are done."
    order = "" if n == 1 else (
        " Who is first is drawn by lot and passes to the next seat each round; in the final round the order runs from the lowest"
        " score to the highest (on a tie whoever came to that score later is earlier)."
    )  # fmt: skip
    return (
        f"There are {int(rules.rounds)} rounds. An Arrival Card ({cards}) says how many guests ride in each carriage this round;"
        f" they are drawn from the bag. A round: 1. {take} 2. All guests of the own carriage are seated, one by one in a fixed"
        f" order, wherever the own chamber has room.{hidden} 3. {turns}very VIP with four guests is scored, once."
        f" 4. The Grand Salon (see below){', in turn order' * (n > 1)}.{order}"
    )


def _tile(rules: Rules) -> str:
    one, two, three, four, whole = (int(x) for x in rules.type_points)
    colours = ", ".join(f"{k} colour{'s' * (k > 1)} {int(rules.colour_points[k])}" for k in range(1, 5))
    toasts = ", ".join(f"{k} toast{'s' * (k > 1)} {int(rules.toast_points[k])}" for k in range(1, 5))
    return (
        "A VIP with its four guests pays the sum of three things. Types: one pair"
        f" {one}, two pairs {two}, three alike {three}, four alike {four}, all four different {whole}. Colours: {colours}."
        f" Toasts: {toasts}. If the VIP's own wish (written beside it; '2+' means at least two) is not met, only half of the"
        " sum is paid, rounded down."
    )


def _salon(rules: Rules) -> str:
    return (
        f"The Grand Salon holds four guests. Once in the game, after the VIPs of the round in which a player first has"
        f" {int(rules.salon_trigger)} points or more, that player must take one of them and give an own seated guest for it: the"
        " new guest takes its space, and the given one stays in the Grand Salon. Points of a VIP that is already scored stay as"
        " they are."
    )


def _photos(rules: Rules) -> str:
    return (
        "At the end five photos of each player look at all guests then seated in a column or a row of VIPs (given with each"
        " photo) and pay what is written beside them: 'for exactly 3 colours' pays once, 'per 2' or 'per 3' for every full"
        " group. A guest at a shared space counts once in a photo."
    )


def _solo(rules: Rules) -> str:
    titles = ", ".join(str(int(x)) for x in rules.rank_score)
    when = " in odd rounds" if rules.redraw_odd_only else ""
    return (
        f"You play alone. Odd rounds offer {int(rules.solo_odd)} carriages, even rounds {int(rules.solo_even)}; the last round"
        f" offers {int(rules.solo_at_or_above)} if you have {int(rules.solo_threshold)} points or more, else"
        f" {int(rules.solo_below)}. The guests of a carriage not taken leave the game. {int(rules.redraws)} times in the game"
        f" you may replace all guests of one carriage{when} by new ones from the bag before you take one; those replaced leave"
        " the game. At the end this costs"
        f" {' or '.join(str(int(x)) for x in rules.redraw_penalty[1:])} points for one or two redraws. The final points give a"
        f" title; the steps are at {titles} points."
    )
