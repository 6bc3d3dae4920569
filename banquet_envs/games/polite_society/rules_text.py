"""The rules in words for the options and components in play, how moves are worded, and what of them stays hidden."""

from __future__ import annotations

from banquet_envs.core.types import Rules, State
from banquet_envs.games.polite_society.components import (
    ASSET_NAMES,
    CARDS,
    CLAUSES,
    GUESTS,
    LEVELS,
    MISSIONS,
    SEATS,
    STANDARD_MENU,
    words,
)
from banquet_envs.games.polite_society.display import (
    CARD_NAMES,
    action_text,
    amounts,
    guest_name,
    rewards,
    seat_number,
)
from banquet_envs.games.polite_society.state import Action


def rules_text(rules: Rules) -> str:
    """How the game is played with these options and components."""
    parts = [_aim(rules), _turn(rules), _main_phase(rules), _cards(rules)]
    parts += [_missions(rules)] if rules.missions else []
    return "\n\n".join([*parts, _end(rules), _guests(rules)])


def move_forms(rules: Rules) -> list[str]:
    """How `action_text` words moves; those of action cards name their card where there is more than one."""
    at = "<seat's number>"
    forms = [
        "take <guest> (card <number>)", f"seat <guest> at {at}", "keep <action card> (<first or second>)",
        "buy <guest> for <cost> (slot <number>)", "give the bank <number> <asset> for 1 <asset>", "play <action card>",
        "end the turn", "take 1 <asset> from the bank", "discard 1 <asset>", "choose seat <number> (<places> on)",
        f"remove <guest> from {at}", "take a token from the supply", "move a token of seat <number> (<places> on)",
        f"take the token off <guest> at {at}", "a guest of seat <number> (<places> on) falls ill",
        f"make <guest> at {at} indisposed", "steal Improvement: <asset> on a 7", "steal Improvement: three for one",
    ]  # fmt: skip
    if rules.menu:
        forms += [
            "offer seat <number> a trade (<places> on)", "offer <assets> for <assets>",
            "accept: <assets> from seat <number> for <assets>", "decline: <assets> from seat <number> for <assets>",
        ]  # fmt: skip
    if rules.missions:
        forms += ["remove one of your own guests", "discard <action card> and renew the invite list"]
    return forms


def public_text(rules: Rules, state: State, action: int) -> str:
    """Which action card is kept stays hidden; that the other is discarded is seen."""
    return "keep one of two action cards" if Action.KEEP <= action < Action.BUY else action_text(rules, state, action)


def _aim(rules: Rules) -> str:
    numbers = ", ".join(seat_number(rules, s) for s in range(SEATS))
    return (
        f"{int(rules.players)} players each want a table of {SEATS} guests. Its seats bear the numbers {numbers}; 2/3 and 11/12"
        f" are single seats with two numbers. A guest costs assets ({', '.join(ASSET_NAMES)}) and has a reward, which is gained,"
        " or lost where it is negative, whenever the number of its seat is rolled, by whomever.\n"
        f"Setup: {2 * int(rules.players)} guests lie face up. In an order drawn by lot everybody takes one, then everybody once"
        " more in the opposite order, and puts it on any free seat of the own table, free of charge. Everybody gets"
        f" {amounts(rules.starting)}. Turns go from seat to seat, beginning with whoever took a guest first."
    )


def _turn(rules: Rules) -> str:
    bank = (
        "Piles can run out: losses are paid first, then gains, from the player whose turn it is on. The bank begins with"
        f" {amounts(rules.bank)} before the starting hands are dealt"
        if rules.limited_bank
        else "The bank never runs out"
    )
    return (
        "A turn: 1. The invite list, face up, is filled up to four guests. 2. Two dice are rolled. On a 7 the list is discarded"
        " and dealt anew, and table improvements that name an asset pay their owners one each. On any other number each guest"
        " on that seat at any table pays its reward to its host; what cannot be paid is not owed."
        f" {bank}. 3. You draw two action cards, keep one in secret and discard the other. 4. The main phase; then the next"
        " player's turn. Hands are hidden, but all that goes into them and out of them is seen, save which asset is stolen. A pile"
        " of cards that is used up is made anew from its discards."
    )


def _main_phase(rules: Rules) -> str:
    must = (
        " then it must be played before the turn ends"
        if rules.mandatory_card
        else " an unplayed card is discarded at the end"
    )
    trades = ""
    if rules.menu:
        kinds = "1 for 1, 2 of a kind for 1, 1 for 2 of a kind" + (
            ", or two kinds for one and one for two kinds" if rules.menu > STANDARD_MENU else ""
        )
        trades = (
            f" Offer another player a trade ({kinds}; at most {int(rules.max_offers)} offers a turn; the partner accepts, or"
            " declines, as it must without the assets; a declined offer is not made to that partner again in this turn)."
        )
    return (
        "The main phase, in any order and number: Buy guests from the invite list: pay the cost to the bank and choose a free"
        f" seat. Trade with the bank, {int(rules.ratio)} of one asset for one of another ({int(rules.improved_ratio)} with the"
        f" improvement three for one).{trades} Play the kept action card, once, if it can do something;{must}. End the turn."
        " What is begun is finished before anything else."
    )


def _cards(rules: Rules) -> str:
    counts = ", ".join(f"{CARD_NAMES[c]} {int(rules.cards[c])}" for c in range(CARDS) if rules.cards[c])
    seven = "pays improvements, as in step 2" if rules.seven_on_add else "does nothing"
    return (
        f"Action cards, with how many there are: {counts}. Two of an asset: take two from the bank. Wild asset: take one of"
        " choice. Add a guest: roll two dice; if your seat with that number is free, the top guest of the pile sits down there"
        f" for nothing (a 7 {seven}). Remove a guest: a player of your choice, perhaps you, gives up an own guest of"
        " that player's choice. Steal an asset: a random card from another player's hand. Hand limit: everybody discards down"
        f" to {int(rules.hand_limit)} assets. Indisposed: put a token ({int(rules.tokens)} in all, from the supply or from a"
        " guest) on any guest without one: that guest pays and loses nothing. Improvement: <asset> on a 7: stays before you and"
        " pays one of that asset on every 7 rolled. Improvement: three for one: stays, and makes trades with the bank cheaper."
        " Rearrange guests: lift all of your guests and seat them anew. Steal an improvement: take one from another player."
    )


def _missions(rules: Rules) -> str:
    losses = "reward, or loss," if rules.removal_losses else "reward (no loss)"
    lines = [f"- {_mission(rules, m)}" for m in range(MISSIONS)]
    return (
        f"Missions ({LEVELS[rules.missions].replace('_', ' ')}): everybody holds a secret one, all different, and only a full"
        " table that meets it wins, which is looked at when a purchase or Add a guest fills the table; otherwise play goes on."
        f" Besides, in the main phase you may remove one of your own guests, {int(rules.max_removals)} a turn, and take its"
        f" {losses} once, and may discard the kept action card to renew the invite list. The missions, with the groups of guests"
        " that they count:\n" + "\n".join(lines)
    )


def _mission(rules: Rules, m: int) -> str:
    mission = rules.mission[m]
    clauses = [_clause(rules, m, k) for k in range(min(CLAUSES, int(mission.clauses)))]
    return f"{words(mission.text)}: {'; and '.join(clauses)}"


def _clause(rules: Rules, m: int, k: int) -> str:
    """A clause by its groups: so many of them need so many members at the table."""
    clause = rules.mission[m].clause[k]
    groups = [
        [guest_name(rules, g) for g in range(GUESTS) if int(bits) >> g & 1]
        for bits in rules.group[m, k, : int(clause.groups)]
    ]
    counted = [names for names in groups if len(names) >= clause.least]
    most = f", at most {int(clause.most)}" if clause.most < SEATS else ""
    which = "" if len(groups) == 1 else f"each of {int(clause.needed)} of these groups: "
    return f"at least {int(clause.least)}{most} of {which}{' / '.join(', '.join(names) for names in counted)}"


def _end(rules: Rules) -> str:
    met = " that meets the own mission" if rules.missions else ""
    on = (
        " The others play on for the next places, until one is left; whoever has finished takes no more part: the hand goes to"
        " the bank, the guests stay, and tokens may only be taken off them."
        if rules.play_on
        else " All others lose alike."
    )
    return (
        f"Whoever first has {SEATS} guests at the table{met}, by a purchase or Add a guest, wins at once.{on} After turn"
        f" {int(rules.max_turns)} the round is finished and places go by guests, then by assets in hand."
    )


def _guests(rules: Rules) -> str:
    lines = [
        f"- {guest_name(rules, g)}: costs {amounts(rules.guest[g].cost)}; {rewards(rules, g)}"
        for g in range(int(rules.num_guests))
    ]
    return "All guests in the box:\n" + "\n".join(lines)
