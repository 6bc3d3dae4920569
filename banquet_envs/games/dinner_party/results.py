"""Modifiers: what the dice must show, with arrows, Drinks and abilities; how often they may be rolled.

Every ability is applied from its data. An ability counts only at its own Table, and all abilities add up (rulings Q8,
Q9, Q32).
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import (
    DICE,
    SEATS,
    Ability,
    BarCondition,
    Condition,
    Drink,
    Kind,
    Roll,
    Source,
    Target,
    Who,
)
from banquet_envs.games.dinner_party.tables import end_guest, neighbour, place_of, somebody_has_more, stash_is_empty

# ---------------------------------------------------------------- abilities of kind result_mod

ROLLS = len(Roll)
CALM = 1 << len(Target) * ROLLS
CHARMING = CALM << 1
"""In the set that `bearing` finds: arrows do not change rolls at the Table; a result_mod for charmed opponents."""


@rule
def bearing(state: State, rules: Rules, seat: int) -> int:
    """What the abilities at a Table bear on, as a set: one look at all its guests that spares many later ones."""
    found = 0
    for k in range(state.seated[seat]):
        ability = rules.guests[state.table[seat, k]].ability
        if ability.kind == Kind.RESULT_MOD:
            found |= CHARMING if ability.who == Who.CHARMED_OPPONENT else bit_of(ability.target, ability.roll)
        elif ability.kind == Kind.IGNORE_ARROWS and ability.target == Target.ALL:
            found |= CALM
    return found


@rule
def bit_of(target: int, roll: int) -> int:
    """The bit of the roller's own result_mods for such guests and such rolls."""
    return 1 << (target * ROLLS + roll)


@rule
def bears_on(found: int, target: int, roll: int) -> bool:
    """Whether such a result_mod is in the set."""
    return found & (bit_of(target, roll) | bit_of(target, Roll.ANY)) != 0


@rule
def applies_to(state: State, rules: Rules, ability: Ability, guest: int) -> bool:
    """Whether the rolled-for guest has the occupation, the Demand and the origin that the ability names."""
    if ability.occupation >= 0 and not (rules.guests[guest].occupations >> ability.occupation) & 1:
        return False
    if rules.guests[guest].demand < ability.min_demand:
        return False
    at_table = state.where[guest] < SEATS
    return not (at_table and ability.source == Source.LOBBY) and not (not at_table and ability.source == Source.TABLE)


@rule
def amount_for(state: State, rules: Rules, ability: Ability, seat: int, guest: int) -> int:
    """What a result_mod ability of `seat` adds to a roll for `guest`; 0 when its condition does not hold."""
    if not applies_to(state, rules, ability, guest):
        return 0
    if ability.condition == Condition.ANOTHER_PLAYER_HAS_MORE_GUESTS and not somebody_has_more(state, rules, seat):
        return 0
    if ability.condition == Condition.STASH_EMPTY and not stash_is_empty(state, seat):
        return 0
    return ability.amount * (state.seated[seat] if ability.per_guest else 1)


@rule
def counts_for(ability: Ability, kind: int, who: int, roll: int) -> bool:
    """Whether an ability is of that kind, meant for that roller and for that sort of roll."""
    return (ability.kind == kind) & (ability.who == who) & ((ability.roll == roll) | (ability.roll == Roll.ANY))


@rule
def table_mods(state: State, rules: Rules, seat: int, guest: int, roll: int) -> int:
    """What the roller's guests add to rolls for all or for all others."""
    total = 0
    for k in range(state.seated[seat]):
        other = state.table[seat, k]
        ability = rules.guests[other].ability
        if counts_for(ability, Kind.RESULT_MOD, Who.YOU, roll):
            if ability.target == Target.ALL or (ability.target == Target.OTHERS and other != guest):
                total += amount_for(state, rules, ability, seat, guest)
    return total


@rule
def own_mod(state: State, rules: Rules, seat: int, guest: int, roll: int) -> int:
    """What the guest's own ability adds: only one that names itself as the target."""
    ability = rules.guests[guest].ability
    if counts_for(ability, Kind.RESULT_MOD, Who.YOU, roll) and ability.target == Target.SELF:
        return amount_for(state, rules, ability, seat, guest)
    return 0


@rule
def charmer_mods(state: State, rules: Rules, charmer: int, guest: int) -> int:
    """What the charmer's guests add to a charmed opponent's result."""
    total = 0
    for k in range(state.seated[charmer]):
        ability = rules.guests[state.table[charmer, k]].ability
        if counts_for(ability, Kind.RESULT_MOD, Who.CHARMED_OPPONENT, Roll.ENTERTAIN):
            total += amount_for(state, rules, ability, charmer, guest)
    return total


# ---------------------------------------------------------------- arrows and neighbours


@rule
def arrows_ignored(rules: Rules, guest: int, found: int) -> bool:
    """Whether arrows leave the roll for this guest alone at a Table with the abilities `found`."""
    ability = rules.guests[guest].ability
    return (found & CALM != 0) | ((ability.kind == Kind.IGNORE_ARROWS) & (ability.target == Target.SELF))


@rule
def beside(state: State, rules: Rules, seat: int, found: int, other: int, guest: int, roll: int) -> int:
    """What sitting beside `other` adds to a roll for `guest`: its arrows and abilities for neighbours."""
    if other < 0:
        return 0
    total = 0
    if not arrows_ignored(rules, guest, found):
        total += rules.guests[other].arrows * rules.arrow_bonus
    if bears_on(found, Target.NEIGHBOURS, roll):
        ability = rules.guests[other].ability
        if counts_for(ability, Kind.RESULT_MOD, Who.YOU, roll) and ability.target == Target.NEIGHBOURS:
            total += amount_for(state, rules, ability, seat, guest)
    return total


# ---------------------------------------------------------------- Drinks and icons


@rule
def drink_worth(state: State, rules: Rules, seat: int, drink: int) -> int:
    """What a Drink adds for this player."""
    if drink == Drink.NONE:
        return 0
    worth = rules.drink_worth[drink]
    for k in range(state.seated[seat]):
        ability = rules.guests[state.table[seat, k]].ability
        if ability.kind == Kind.DRINK_VALUE and ability.drink == drink:
            worth += ability.amount
    return worth


@rule
def icon_worth(state: State, rules: Rules, seat: int) -> int:
    """What each Drink icon counts in this player's results."""
    return sum_of_kind(state, rules, seat, Kind.ICON_VALUE)


@rule
def dice_total(state: State) -> int:
    """The sum of the dice, Drink icons at what they count for the roller."""
    total = 0
    for d in range(DICE):
        total += state.dice[d] if state.dice[d] > 0 else state.icon_worth
    return total


@rule
def count_icons(state: State) -> int:
    """Drink icons that the dice show now."""
    icons = 0
    for d in range(DICE):
        icons += state.dice[d] == 0
    return icons


# ---------------------------------------------------------------- what the dice must show


@rule
def invite_need(state: State, rules: Rules, seat: int, guest: int, end: int) -> int:
    """What the dice must show, without a Drink, for `seat` to invite `guest` to that end of its Table."""
    found = bearing(state, rules, seat)
    other = end_guest(state, seat, end)
    return need_anywhere(state, rules, seat, found, guest) - beside(
        state, rules, seat, found, other, guest, Roll.INVITE
    )


@rule
def need_anywhere(state: State, rules: Rules, seat: int, found: int, guest: int) -> int:
    """The same without what the new neighbour adds; `found` is the Table's `bearing`."""
    need = rules.guests[guest].demand - own_mod(state, rules, seat, guest, Roll.INVITE)
    if bears_on(found, Target.OTHERS, Roll.INVITE) or bears_on(found, Target.ALL, Roll.INVITE):
        need -= table_mods(state, rules, seat, guest, Roll.INVITE)
    return need


@rule
def entertain_need(state: State, rules: Rules, guest: int, charmer: int) -> int:
    """What its owner's dice must show to keep `guest`; `charmer` -1 leaves the charmer's abilities out."""
    owner = state.where[guest]
    theirs = bearing(state, rules, charmer) if charmer >= 0 else 0
    return need_to_keep(state, rules, owner, bearing(state, rules, owner), place_of(state, guest), charmer, theirs)


@rule
def need_to_keep(state: State, rules: Rules, owner: int, found: int, k: int, charmer: int, theirs: int) -> int:
    """The same at position `k`; `found` is the `bearing` of the owner's Table, `theirs` of the charmer's, 0 for none."""
    guest = state.table[owner, k]
    mods = beside(state, rules, owner, found, neighbour(state, owner, k - 1), guest, Roll.ENTERTAIN)
    mods += beside(state, rules, owner, found, neighbour(state, owner, k + 1), guest, Roll.ENTERTAIN)
    mods += drink_worth(state, rules, owner, state.drink[guest])
    if bears_on(found, Target.SELF, Roll.ENTERTAIN):
        mods += own_mod(state, rules, owner, guest, Roll.ENTERTAIN)
    if bears_on(found, Target.OTHERS, Roll.ENTERTAIN) or bears_on(found, Target.ALL, Roll.ENTERTAIN):
        mods += table_mods(state, rules, owner, guest, Roll.ENTERTAIN)
    if theirs & CHARMING != 0:
        mods += charmer_mods(state, rules, charmer, guest)
    return rules.guests[guest].demand - mods


# ---------------------------------------------------------------- rolls


@rule
def roll_changes(state: State, rules: Rules, seat: int, who: int, roll: int) -> int:
    """The sum of roll_count abilities at a Table that are meant for `who`."""
    total = 0
    for k in range(state.seated[seat]):
        ability = rules.guests[state.table[seat, k]].ability
        if counts_for(ability, Kind.ROLL_COUNT, who, roll):
            total += ability.amount
    return total


@rule
def rolls_to_invite(state: State, rules: Rules, seat: int) -> int:
    """How often `seat` may roll to invite."""
    return max(rules.min_rolls, rules.base_rolls + roll_changes(state, rules, seat, Who.YOU, Roll.INVITE))


@rule
def rolls_to_entertain(state: State, rules: Rules, owner: int, charmer: int) -> int:
    """How often `owner` may roll to entertain: all changes are summed, then raised to the minimum (ruling Q32)."""
    changes = roll_changes(state, rules, owner, Who.YOU, Roll.ENTERTAIN)
    changes += roll_changes(state, rules, charmer, Who.CHARMED_OPPONENT, Roll.ENTERTAIN)
    return max(rules.min_rolls, rules.base_rolls + changes)


@rule
def next_window(state: State, rules: Rules, seat: int, start: int, roll: int) -> int:
    """The position, from `start` on, of the next guest that allows a reroll after the last roll; -1 none."""
    for k in range(start, state.seated[seat]):
        ability = rules.guests[state.table[seat, k]].ability
        if ability.kind == Kind.REROLL_AFTER_LAST and (ability.roll == roll or ability.roll == Roll.ANY):
            return k
    return -1


# ---------------------------------------------------------------- other standing abilities


@rule
def sum_of_kind(state: State, rules: Rules, seat: int, kind: int) -> int:
    """The sum of the amounts of all abilities of a kind at a Table."""
    total = 0
    for k in range(state.seated[seat]):
        ability = rules.guests[state.table[seat, k]].ability
        if ability.kind == kind:
            total += ability.amount
    return total


@rule
def has_kind(state: State, rules: Rules, seat: int, kind: int) -> bool:
    """Whether a guest with an ability of that kind sits at the Table."""
    for k in range(state.seated[seat]):
        if rules.guests[state.table[seat, k]].ability.kind == kind:
            return True
    return False


@rule
def charm_cost(state: State, rules: Rules, owner: int) -> int:
    """Envelopes for charming a guest at this Table."""
    return 1 + sum_of_kind(state, rules, owner, Kind.CHARM_COST)


@rule
def attempts_to_entertain(state: State, rules: Rules, charmer: int) -> int:
    """Two with such a guest at the charmer's Table; several do not stack."""
    return 2 if has_kind(state, rules, charmer, Kind.ENTERTAIN_TWICE) else 1


@rule
def may_give(state: State, rules: Rules, seat: int) -> bool:
    """Whether the inviter may hand a Drink to an opponent."""
    return has_kind(state, rules, seat, Kind.GIFT_DRINK)


@rule
def bar_icons(state: State, rules: Rules, seat: int) -> int:
    """Icons at the Bar: those on the dice and those that abilities add."""
    icons = count_icons(state)
    for k in range(state.seated[seat]):
        ability = rules.guests[state.table[seat, k]].ability
        if ability.kind == Kind.BAR_BONUS and (ability.condition == BarCondition.ALWAYS or state.failed):
            icons += ability.amount
    return icons
