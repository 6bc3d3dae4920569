"""The rules in words for the options and components in play, how moves are worded, and what of them stays hidden."""

from __future__ import annotations

from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.components import COLOUR_NAMES, COURSES, KIND_NAMES
from banquet_envs.games.surrealist_dinner_party.display import (
    ability_text,
    action_text,
    faux_pas_text,
    guest_name,
    tokens_text,
    word,
)
from banquet_envs.games.surrealist_dinner_party.state import Action


def rules_text(rules: Rules) -> str:
    """How the game is played with these options and components."""
    parts = [_table(rules), _turn(rules), _tokens(rules), _courses(rules)]
    parts += [_abilities(rules)] if rules.abilities else []
    parts += [_faux_pas(rules)] if rules.faux_pas_used else []
    return "\n\n".join([*parts, _end(rules), _guests(rules)])


def move_forms(rules: Rules) -> list[str]:
    """How `action_text` words moves."""
    forms = [
        "seat <guest> at place <number> from the left", "send <guest> home", "serve <guest> a <kind>",
        "<guest> and the <left or right> neighbour <guest> exchange compliments",
        "<guest> and the <left or right> neighbour <guest> start drama", "return a <kind> from the platter to the kitchen",
        "put the <kind> on <appetite> of <guest>", "choose <kind>", "nothing more",
    ]  # fmt: skip
    if rules.abilities:
        forms += [
            "use the plate ability of <guest>", "use the door ability of <guest>", "use the ability of <guest>",
            "do not use the ability of <guest>", "refuse the <kind> for <guest>", "accept the <kind> for <guest>",
            "take another token", "take no more", "choose <guest> (seat <number>)",
            "choose the <kind> on <appetite> of <guest>",
        ]  # fmt: skip
    if rules.draft:
        forms.append("keep <guest>")
    return forms + ["keep only <Faux Pas>", "keep both Faux Pas"] * int(rules.faux_pas_used)


def public_text(rules: Rules, state: State, action: int) -> str:
    """What is kept of a pack stays hidden, and which Faux Pas until all have chosen."""
    if action < Action.DRAFT:
        return action_text(rules, state, action)
    return "choose among the cards dealt, in secret"


def _table(rules: Rules) -> str:
    draft = (
        f" In a draft everybody looks at a pack of {int(rules.hand_size)} guests, keeps one and passes the rest to the left,"
        f" until all have kept {int(rules.hand_size)}." if rules.draft else ""
    )  # fmt: skip
    return (
        f"{int(rules.players)} hosts each hold {int(rules.hand_size)} guests in hand, hidden, and have at most"
        f" {int(rules.seats)} of them at the table at a time.{draft} A guest has appetites: {', '.join(COLOUR_NAMES)} (a joker"
        f" is satisfied by anything). Tokens ({', '.join(KIND_NAMES)}) are laid on them, one on each.\n"
        "All guests sit in one ring: clockwise from host to host, each row from right to left as its host sees it, so that the"
        " leftmost guest of a host sits beside the rightmost guest of the next host with guests. Neighbours are the guests"
        " beside one in the ring, whosever they are. Seats are numbered from 0; turns go clockwise in that order, and who begins"
        " is drawn by lot."
    )


def _turn(rules: Rules) -> str:
    plates = (
        f" 4. Use the plate abilities of any of your guests, each once, in any order; {int(rules.plate_uses)} such turn"
        f"{'s' * int(rules.plate_uses != 1)} for each host in a course." if rules.abilities else ""
    )  # fmt: skip
    return (
        "A turn is exactly one action. 1. Seat a guest of your hand anywhere in your row, the others keeping their order, or send"
        " one of your guests home, or both, in either order. 2. One of your guests with an empty appetite and one of its"
        " neighbours get a compliment each, or a drama each. 3. Serve one of your guests a token from the platter, or return one"
        f" from the platter to the kitchen.{plates} Your first turn must seat a guest."
    )


def _tokens(rules: Rules) -> str:
    return (
        "Every token that a guest gets goes on an empty appetite at once, matching or not; the guest's host says on which. For"
        " a guest without an empty appetite it goes back to the kitchen. When a guest goes home, tokens that match their"
        " appetite go to its host's stash, the others to the kitchen. If every appetite held a matching token the guest is"
        f" perfectly content: {int(rules.content_bonus)} more tokens of the host's choice go to the stash. A guest who has gone"
        " home does not come back. Appetites are shown like food[ ] (empty), food[food] (with a matching token) and food[!wine]"
        " (with one that does not match)."
    )


def _courses(rules: Rules) -> str:
    menu = "; ".join(f"{word(rules.course_name[c])}: {tokens_text(rules.menu[c])}" for c in range(COURSES))
    return (
        f"The platter holds the tokens of one course: {menu}. When it is empty, after the running action, the next course is"
        " laid out, plate abilities may be used again, and the player to the left of whoever took the last token goes on."
    )


def _abilities(rules: Rules) -> str:
    placing = "whoever swaps puts both tokens" if rules.swapper_places else "each guest's host puts the new token"
    return (
        "Every guest has an ability, which is optional. 'Plate' abilities are used by action 4, 'Door' ones when the guest goes"
        " home, after collecting, the others at the moment that they name. They are carried out as far as possible. In a swap"
        f" both tokens are lifted, then {placing} on any empty appetite. Tokens that an ability at its own moment hands out set"
        " off no other ability."
    )


def _faux_pas(rules: Rules) -> str:
    cards = "; ".join(faux_pas_text(rules, i) for i in range(rules.num_faux_pas))
    return (
        "Faux Pas: everybody is dealt two cards and keeps one or both, in secret; then all kept ones lie face up and are open to"
        " all, for the points named. 'First to' goes to whoever first has that in the stash, 'most' to whoever has most of it at"
        f" the end; players who tie each score in full. The cards: {cards}."
    )


def _end(rules: Rules) -> str:
    each = f"{int(rules.token_points)} point{'s' * int(rules.token_points != 1)}"
    doors = ", door abilities are used" if rules.abilities else ""
    return (
        "After the action that empties the last course all guests leave, starting with those of the player to the left: hosts"
        f" collect as usual{doors}. A token in the stash is worth {each}. Most points win, ties are shared."
    )


def _guests(rules: Rules) -> str:
    lines = []
    for g in range(int(rules.num_guests)):
        guest = rules.guests[g]
        appetites = ", ".join(COLOUR_NAMES[int(c)] for c in guest.appetite[: guest.appetites])
        lines.append(
            f"- {guest_name(rules, g)}: {appetites}" + (f" | {ability_text(rules, g)}" if rules.abilities else "")
        )
    return "All guests in the box, some of whom are dealt to nobody:\n" + "\n".join(lines)
