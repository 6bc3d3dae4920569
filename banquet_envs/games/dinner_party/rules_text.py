"""The rules in words for the options and components in play, and how moves are worded. Nothing in a move is hidden."""

from __future__ import annotations

from banquet_envs.core.types import Rules
from banquet_envs.games.dinner_party.components import DICE, HITLER, OCCUPATIONS, STACKS, Deed, Drink, Kind
from banquet_envs.games.dinner_party.words import amount, bar_text, die_text, guest_text


def rules_text(rules: Rules) -> str:
    """How the game is played with these options and components."""
    return "\n\n".join([_setup(rules), _turn(rules), _result(rules), _end(rules), _abilities(), _guests(rules)])


def move_forms(rules: Rules) -> list[str]:
    """How `action_text` words moves; those that only an ability allows stand there if a guest of the box has it."""
    abilities = rules.guests[1 : rules.num_guests]["ability"]
    kinds = set(abilities["kind"].tolist())
    seated = "seat <guest> at the <left or right> end with <no Drink, a Water or a Wine>"
    forms = [
        "invite <guest> from the Lobby", "charm <guest>", "roll all three dice", "keep <dice> and roll the other <die or dice>",
        "stop rolling at <dice>", seated, "let the invitation fail", "take nothing from the Bar",
        "take <Drinks> (alternative <number>)", "place <a Water or a Wine> on <guest>", "place no more Drinks and end the turn",
        "put Hitler at the <left or right> end of seat <number>'s Table, <number of places> to the left",
    ]  # fmt: skip
    if Kind.REROLL_AFTER_LAST in kinds:
        forms += ["leave the dice at <dice>", "keep <dice> and reroll the other <die or dice>", "reroll all three dice"]
    if Kind.GIFT_DRINK in kinds:
        forms += [f"{seated}, giving <a Water or a Wine> to an opponent"]
        forms += ["give the Drink to seat <number>, <number of places> to the left"]
    may = [a for a in abilities if a.optional]
    if any(a.kind == Kind.ARRIVAL_CLEAR_STACK for a in may):
        forms += ["remove the rest of the stack from the game", "do not remove the rest of the stack"]
    if any(a.kind == Kind.ARRIVAL_HITLER for a in may) or rules.guests[HITLER].ability.optional:
        back = any(a.kind == Kind.ARRIVAL_HITLER and a.deed == Deed.TO_LOBBY for a in may)
        forms += [f"remove Hitler {'back to the Lobby' if back else 'from the game'}", "do not remove Hitler"]
        forms += ["use the arrival ability", "leave everybody where they are"]
    if Kind.ARRIVAL_RESEAT in kinds:
        forms += ["move <guest> to the <left or right> end"]
    return forms


def _setup(rules: Rules) -> str:
    drinks = f"{int(rules.start_drinks)} Water" if rules.start_drinks else "no Drinks"
    return (
        f"{int(rules.players)} hosts invite historical guests to their Tables. Guests come in {STACKS} stacks of"
        f" {int(rules.stack_height)} cards; the top card of each lies open, those below face down. The rest of the cards is in the"
        " box, unseen. The open cards, the stacks and Hitler are the Lobby. Everybody begins with"
        f" {amount(int(rules.envelopes), 'Envelope')} and {drinks} in the Stash. Who begins is drawn by lot; play goes"
        " clockwise, from seat to seat."
    )


def _turn(rules: Rules) -> str:
    barred = "in round 1" if rules.first_charm == 0 else "in the very first turn"
    hitler = "" if rules.charm_hitler else " Hitler cannot be charmed."
    bar = "; ".join(f"{amount(k, 'icon')}: {_prices(rules, k)}" for k in range(1, int(rules.bar_rows)))
    return (
        f"A turn has four steps. 1. Charm (optional; not {barred}, nor in the last round): pay an Envelope and name a guest at"
        " another Table. Its owner rolls to entertain it. If the result reaches the guest's Demand it stays, and you may charm"
        f" another one; if not, you must go on to invite that guest.{hitler} Each guest can be charmed once a turn. 2. Invite:"
        " name an open guest of the Lobby (if you did not charm one away) and roll. Then choose an end of your Table, left or"
        " right (with fewer than two guests it is called the right), and, if you like, one Drink of your Stash for the guest, so"
        " that the result reaches the guest's Demand: the guest sits down there and its Arrival ability happens. If nothing"
        " reaches it the invitation fails; you may also let it fail where an end without a Drink falls short. Afterwards stacks"
        " without an open card reveal one. 3. Bar: Drink icons on the dice of your invitation, won or lost, buy Drinks:"
        f" {bar}. 4. Host: put Drinks of your Stash on own guests that have none, or Wine in place of a Water, which is lost.\n"
        f"A roll: {int(rules.base_rolls)} rolls of {DICE} dice at most; after each you stop, or keep any and roll the others"
        f" again. A die shows one of {', '.join(die_text(int(f)) for f in rules.faces[: rules.num_faces])}.\n"
        "A guest that is taken leaves its Drink in its former owner's Stash, and the others close the gap."
    )


def _prices(rules: Rules, icons: int) -> str:
    return " or ".join(bar_text(rules, icons, k) for k in range(int(rules.bar_choices[icons])))


def _result(rules: Rules) -> str:
    arrows, water, wine = (
        int(rules.arrow_bonus),
        int(rules.drink_worth[Drink.WATER]),
        int(rules.drink_worth[Drink.WINE]),
    )
    return (
        "The result is the sum of the dice (a drink icon counts 0) and of all that changes it: each direct neighbour with green"
        f" arrows {arrows:+d}, with red ones {-arrows:+d}; one Drink, when inviting the one you treat the guest to, when"
        f" entertaining the one on the guest (Water {water:+d}, Wine {wine:+d}); abilities."
    )


def _end(rules: Rules) -> str:
    kinds = ", ".join(f"{int(n)} for {k}" for k, n in enumerate(rules.occupation_points) if k)
    ties = "Hitler included" if rules.hitler_in_ties else "Hitler left out"
    return (
        f"When {int(rules.empty_stacks_to_end)} stacks are empty, their open card included, charming stops and the round is"
        f" finished (after round {int(rules.max_rounds)} at the latest). Points: {_worth(rules)} for each guest; by the number"
        f" of different occupations ({', '.join(OCCUPATIONS)}) at the Table {kinds}; what abilities say. Most points win; ties go"
        f" to the highest total Demand of the guests, {ties}, then victory is shared."
    )


def _worth(rules: Rules) -> str:
    return f"{int(rules.guests[1].worth)} (Hitler {int(rules.guests[HITLER].worth)})"


def _abilities() -> str:
    return (
        "Abilities work for the host at whose Table the guest sits, all of them at once. 'to invite' is about your own"
        " invitations, 'to entertain' about rolls that keep your guests; 'opponents you charm' about the owners' rolls. 'may' is"
        " optional, all else happens by itself as far as it can. Hitler is invited like any other guest; he may then be put at"
        " an end of another Table that has a guest, and a Drink he was treated to is lost."
    )


def _guests(rules: Rules) -> str:
    lines = [f"- {guest_text(rules, HITLER)}, in the Lobby from the start"]
    lines += [
        f"- {guest_text(rules, g)}: stack {int(rules.guests[g].back) + 1}" for g in range(1, int(rules.num_guests))
    ]
    return "All guests in the box, and the stack each may be in:\n" + "\n".join(lines)
