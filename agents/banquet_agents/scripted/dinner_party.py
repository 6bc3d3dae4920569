"""Scripted agents for Dinner Party.

Both roll with the exact odds of the dice (dynamic programming over all positions of three dice, prepared once per dice
set). `greedy` invites the Lobby guest that it is likeliest to get. `expert` values whole positions: points, variety,
arrows, abilities, the risk of losing guests; it weighs every invitation and every charm by odds times value.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banquet_agents.compiled import Script
from banquet_envs.core.compile import rule
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.dinner_party.arrival import may_take_hitler, put_hitler, reseat
from banquet_envs.games.dinner_party.components import (
    DICE,
    HITLER,
    STACKS,
    Ability,
    Drink,
    Kind,
    Roll,
    ScoreCondition,
    Target,
    Who,
)
from banquet_envs.games.dinner_party.odds import MOST_ICON_WORTH, MOST_ROLLS, MOST_TOTAL, WINDOWS, DiceOdds, reach_table
from banquet_envs.games.dinner_party.results import (
    attempts_to_entertain,
    charm_cost,
    drink_worth,
    entertain_need,
    icon_worth,
    invite_need,
    may_give,
    next_window,
    rolls_to_entertain,
    rolls_to_invite,
)
from banquet_envs.games.dinner_party.rules import (
    bar_row,
    host,
    seat_guest,
    seat_to_the_left,
)
from banquet_envs.games.dinner_party.scoring import score_condition
from banquet_envs.games.dinner_party.state import KEEP_ALL, PUTS, Action, End, Phase, Where
from banquet_envs.games.dinner_party.tables import count_occupations, end_guest, get_up, occupations_at, spot_and_drinks

# ---------------------------------------------------------------- the table: weights, positions of the dice, odds

WEIGHTS = {
    "phi1": 1.6, "phi2": 3.2, "phi3": 4.8, "phi4": 6.4, "phi5": 8.0,  # what a number of occupations promises
    "phi_turns": 7.5,  # turns over which the promise fades to what is scored
    "ability": 0.7,  # scale of standing abilities
    "end_best": 0.30, "end_other": 0.08,  # arrows at the better and the other end, per arrow
    "end_turns": 3.0,
    "risk": 0.4,  # scale of expected losses to charming
    "guest": 2.3,  # what losing a guest costs beside its own worth
    "water": 0.40, "wine": 0.75, "more_drinks": 0.8,  # the first Drink in the Stash; factor for each further one
    "envelope": 0.5, "more_envelopes": 0.75,
    "envelope_turns": 4.0,
    "rivalry": 0.5,  # what the opponents' losses are worth, shared among them ...
    "leader": 0.5,  # ... and how much more the leader's
    "promise_end": 0.5, "promise_most": 0.5, "promise_beside": 0.5, "promise_five": 0.5, "promise_drink": 0.4,
    "pace": 0.38,  # cards that one turn takes off the two shortest stacks
    "hurry": 0.15,  # per point of lead, for a card of a stack that is nearly empty
    "host_risk": 0.16,  # scale of expected losses when Drinks are placed
}  # fmt: skip
NAMES = list(WEIGHTS)
(
    PHI1, PHI2, PHI3, PHI4, PHI5, PHI_TURNS, ABILITY_SCALE, END_BEST, END_OTHER, END_TURNS, RISK, GUEST_LOSS, WATER_VALUE,
    WINE_VALUE, MORE_DRINKS, ENVELOPE, MORE_ENVELOPES, ENVELOPE_TURNS, RIVALRY, LEADER, PROMISE_END, PROMISE_MOST,
    PROMISE_BESIDE, PROMISE_FIVE, PROMISE_DRINK, PACE, HURRY,
    HOST_RISK,
) = range(len(WEIGHTS))  # fmt: skip
COUNTS = 40  # positions, keeps, values
VALUE_OF_FACE = 44
POSITION_OF = 56  # values x values x values
FACE_CHOICES = 10
REACH = POSITION_OF + FACE_CHOICES**3
DICE_OF = REACH + (MOST_ICON_WORTH + 1) * WINDOWS * MOST_ROLLS * MOST_TOTAL


def odds_table(rules: Rules, weights: dict[str, float] | None = None) -> np.ndarray:
    """Weights, the positions of the dice and their chances, in one float32 array."""
    odds = DiceOdds([int(f) for f in rules.faces[: rules.num_faces]])
    values, positions = odds.values, odds.positions
    start = np.zeros(DICE_OF, np.float32)
    start[: len(NAMES)] = [{**WEIGHTS, **(weights or {})}[n] for n in NAMES]
    start[COUNTS : COUNTS + 2] = len(positions), len(odds.keeps)
    for k, value in enumerate(values):
        start[VALUE_OF_FACE + value] = k
    index = np.zeros((FACE_CHOICES, FACE_CHOICES, FACE_CHOICES), np.float32)
    for p, dice in enumerate(positions):
        index[tuple(values.index(d) for d in dice)] = p
    start[POSITION_OF:REACH] = index.ravel()
    start[REACH:DICE_OF] = reach_table(odds).ravel()
    dice_of = np.array(positions, np.float32)
    keep_of = np.array(
        [
            [odds.keep_index[tuple(d for k, d in enumerate(p) if m >> k & 1)] for m in range(KEEP_ALL + 1)]
            for p in positions
        ],
        np.float32,
    )
    return np.concatenate([start, dice_of.ravel(), keep_of.ravel(), odds.chances.astype(np.float32).ravel()])


@rule
def positions_in(table: np.ndarray) -> int:
    """How many different positions three dice have."""
    return int(table[COUNTS])


@rule
def keeps_in(table: np.ndarray) -> int:
    """How many different multisets of dice can be kept."""
    return int(table[COUNTS + 1])


@rule
def position_now(state: State, table: np.ndarray) -> int:
    """The number of the position that the dice show."""
    at = 0
    for d in range(DICE):
        at = at * FACE_CHOICES + int(table[VALUE_OF_FACE + state.dice[d]])
    return int(table[POSITION_OF + at])


@rule
def die_of(table: np.ndarray, position: int, d: int) -> int:
    """The d-th die of a position."""
    return int(table[DICE_OF + DICE * position + d])


@rule
def keep_of(table: np.ndarray, position: int, mask: int) -> int:
    """The number of the kept multiset."""
    return int(table[DICE_OF + DICE * positions_in(table) + (KEEP_ALL + 1) * position + mask])


@rule
def reach(table: np.ndarray, need: int, rolls: int, worth: int, windows: int) -> float:
    """The chance to show `need` with that many rolls, prepared."""
    if need <= 0 and worth >= 0:
        return 1.0
    if need >= MOST_TOTAL:
        return 0.0
    w = max(0, min(worth, MOST_ICON_WORTH))
    r = min(rolls, MOST_ROLLS) - 1
    v = min(windows, WINDOWS - 1)
    return float(table[REACH + ((w * WINDOWS + v) * MOST_ROLLS + r) * MOST_TOTAL + max(need, 0)])


# ---------------------------------------------------------------- rolling


@rule
def mean_after(table: np.ndarray, value: np.ndarray, keep: int) -> float:
    """The mean of `value` over what lies there after rolling all dice but the kept ones."""
    n = positions_in(table)
    start = DICE_OF + (DICE + KEEP_ALL + 1) * n + keep * n
    total = 0.0
    for p in range(n):
        total += table[start + p] * value[p]
    return total


@rule
def rerolled(table: np.ndarray, value: np.ndarray, most: int) -> np.ndarray:
    """The values of all positions before a reroll of up to `most` dice."""
    n, keeps = positions_in(table), keeps_in(table)
    mean = np.empty(keeps)
    for k in range(keeps):
        mean[k] = mean_after(table, value, k)
    before = np.empty(n)
    for p in range(n):
        best = -1e9
        for mask in range(KEEP_ALL + 1):
            if rolled_dice(mask) <= most:
                best = max(best, mean[keep_of(table, p, mask)])
        before[p] = best
    return before


@rule
def rolled_dice(mask: int) -> int:
    """How many dice a keep-mask rolls."""
    return DICE - (mask & 1) - (mask >> 1 & 1) - (mask >> 2 & 1)


@rule
def with_windows(
    state: State, rules: Rules, table: np.ndarray, value: np.ndarray, seat: int, roll: int, start: int
) -> np.ndarray:
    """The values before the rerolls after the last roll that `seat` has from its guest `start` on."""
    k = next_window(state, rules, seat, start, roll)
    while k >= 0:
        value = rerolled(table, value, rules.guests[state.table[seat, k]].ability.amount)
        k = next_window(state, rules, seat, k + 1, roll)
    return value


@rule
def best_keep(state: State, rules: Rules, table: np.ndarray, mask: Mask, value: np.ndarray) -> int:
    """The dice to keep, given what every final position is worth."""
    here = position_now(state, table)
    start = 0 if state.phase == Phase.ROLL else state.window + 1
    value = with_windows(state, rules, table, value, state.player, state.entertaining, start)
    best, chosen = value[here] + 1e-7, KEEP_ALL  # to stop is to go on to the next reroll after the last roll
    if state.phase == Phase.ROLL:
        for _ in range(state.rolls_left - 1):
            value = rerolled(table, value, DICE)
    for keep in range(KEEP_ALL):
        if mask[Action.KEEP + keep]:
            found = mean_after(table, value, keep_of(table, here, keep))
            if found > best:
                best, chosen = found, keep
    return Action.KEEP + chosen


@rule
def position_total(table: np.ndarray, position: int, worth: int) -> int:
    """What a position counts, icons at `worth`."""
    total = 0
    for d in range(DICE):
        die = die_of(table, position, d)
        total += die if die > 0 else worth
    return total


@rule
def position_icons(table: np.ndarray, position: int) -> int:
    """Drink icons of a position."""
    icons = 0
    for d in range(DICE):
        icons += die_of(table, position, d) == 0
    return icons


@rule
def success_values(table: np.ndarray, need: int, worth: int) -> np.ndarray:
    """1 for every position that shows `need`, else 0."""
    n = positions_in(table)
    value = np.empty(n)
    for p in range(n):
        value[p] = 1.0 if position_total(table, p, worth) >= need else 0.0
    return value


# ---------------------------------------------------------------- greedy


@rule
def best_drink(state: State, rules: Rules, seat: int) -> int:
    """What the best Drink in the Stash adds."""
    best = 0
    for drink in range(Drink.WATER, Drink.WINE + 1):
        if state.stash[seat, drink] > 0:
            best = max(best, drink_worth(state, rules, seat, drink))
    return best


@rule
def easiest_guest(state: State, rules: Rules, table: np.ndarray) -> int:
    """The action that invites the Lobby guest with the best odds, Drinks counted; Hitler only when he is alone."""
    seat = state.active
    n = rules.num_guests
    rolls = rolls_to_invite(state, rules, seat)
    worth = icon_worth(state, rules, seat)
    best, chosen = -1.0, HITLER
    for back in range(STACKS):
        guest = state.face_up[back]
        if guest >= 0:
            need = min(
                invite_need(state, rules, seat, guest, End.LEFT), invite_need(state, rules, seat, guest, End.RIGHT)
            )
            bare = reach(table, need, rolls, worth, 0)
            chance = reach(table, need - best_drink(state, rules, seat), rolls, worth, 0) + 0.01 * bare
            if chance > best:
                best, chosen = chance, guest
    return Action.BY_GUEST + n + chosen


@rule
def greedy_roll(state: State, rules: Rules, table: np.ndarray, mask: Mask) -> int:
    """Roll for the likeliest success, Drinks counted when inviting."""
    need = min(state.need[End.LEFT], state.need[End.RIGHT])
    if not state.entertaining:
        need -= best_drink(state, rules, state.player)
    return best_keep(state, rules, table, mask, success_values(table, need, state.icon_worth))


@rule
def cheapest_put(state: State, mask: Mask) -> int:
    """The spot that needs the cheapest Drinks."""
    best, chosen = 1000, Action.FAIL
    for option in range(PUTS):
        if mask[Action.PUT + option]:
            _, treat, gift = spot_and_drinks(option)
            cost = treat + 10 * gift
            if cost < best:
                best, chosen = cost, Action.PUT + option
    return chosen


@rule
def most_wine(state: State, rules: Rules) -> int:
    """The Bar's alternative with the most Wine, then the most Water."""
    row = bar_row(state, rules)
    best, chosen = -1, 0
    for k in range(rules.bar_choices[row]):
        count = 10 * rules.bar[row, k, 1] + rules.bar[row, k, 0]
        if count > best:
            best, chosen = count, k + 1
    return Action.TAKE + chosen


@rule
def first_of(mask: Mask, start: int, stop: int) -> int:
    """The first legal action of a range, -1 none."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return -1


@rule
def choose_greedy(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """The likeliest guest of the Lobby, the cheapest Drink; no charm, no hosting, no optional ability."""
    if state.phase == Phase.CHOOSE:
        return easiest_guest(state, rules, table)
    if state.phase == Phase.ROLL or state.phase == Phase.REROLL:
        return greedy_roll(state, rules, table, mask)
    if state.phase == Phase.PLACE:
        return cheapest_put(state, mask)
    if state.phase == Phase.BAR:
        return most_wine(state, rules)
    if state.phase == Phase.HOST:
        return Action.DONE
    if mask[Action.LEAVE] and state.phase != Phase.MOVE_HITLER:
        return Action.LEAVE
    return first_of(mask, 0, mask.shape[0])


# ---------------------------------------------------------------- expert: what a position is worth


@rule
def turns_left(state: State, rules: Rules, table: np.ndarray) -> float:
    """About how many more turns every seat has: the two shortest stacks, at the usual pace."""
    if state.ending:
        return (rules.players - state.turns) / rules.players * 0.5
    first, second = 99, 99
    for back in range(STACKS):
        cards = state.height[back] + (1 if state.face_up[back] >= 0 else 0)
        if cards < first:
            first, second = cards, first
        elif cards < second:
            second = cards
    return 0.5 + (first + second) / (table[PACE] * rules.players)


@rule
def variety(rules: Rules, table: np.ndarray, occupations: int, turns: float) -> float:
    """What the occupations at a Table are worth: what they score, and what they promise while turns are left."""
    count = count_occupations(occupations)
    scored = float(rules.occupation_points[count])
    if count == 0:
        return scored
    fade = min(1.0, turns / table[PHI_TURNS])
    return scored + fade * max(0.0, table[PHI1 + count - 1] - scored)


@rule
def fading(first: float, factor: float, count: int) -> float:
    """`first` for one, each further one worth `factor` times the one before."""
    total, worth = 0.0, float(first)
    for _ in range(count):
        total += worth
        worth *= factor
    return total


@rule
def stash_value(state: State, rules: Rules, table: np.ndarray, seat: int, turns: float) -> float:
    """What Drinks and Envelopes are worth while turns are left."""
    scale = min(1.0, turns / 2.0)
    value = scale * fading(table[WINE_VALUE], table[MORE_DRINKS], state.stash[seat, Drink.WINE])
    value += scale * fading(table[WATER_VALUE], table[MORE_DRINKS], state.stash[seat, Drink.WATER])
    if not state.ending:
        scale = min(1.0, turns / table[ENVELOPE_TURNS])
        value += scale * fading(table[ENVELOPE], table[MORE_ENVELOPES], state.envelopes[seat])
    return value


@rule
def standing_value(state: State, rules: Rules, ability: Ability, seat: int, turns: float) -> float:
    """What an ability brings per turn, times the turns; abilities for charming count Envelopes."""
    charms = 0.0 if state.ending else min(turns, float(state.envelopes[seat]))
    kind = ability.kind
    if kind == Kind.RESULT_MOD:
        return modifier_value(ability, turns, charms)
    if kind == Kind.ROLL_COUNT:
        if ability.who == Who.CHARMED_OPPONENT:
            return -0.35 * ability.amount * charms
        return 0.3 * ability.amount * turns if ability.roll != Roll.ENTERTAIN else 0.1 * ability.amount * turns
    if kind == Kind.REROLL_AFTER_LAST:
        return 0.2 * ability.amount * turns
    if kind == Kind.ICON_VALUE:
        return 0.25 * ability.amount * turns
    if kind == Kind.DRINK_VALUE:
        return 0.06 * ability.amount * turns
    if kind == Kind.GIFT_DRINK or kind == Kind.BAR_BONUS:
        return 0.06 * turns
    if kind == Kind.ENTERTAIN_TWICE:
        return 0.5 * charms
    if kind == Kind.CHARM_COST:
        return 0.0 if state.ending else 0.1 * ability.amount * turns
    return 0.0


@rule
def modifier_value(ability: Ability, turns: float, charms: float) -> float:
    """The same for a change of results; what it does for own entertaining is counted as risk."""
    if ability.who == Who.CHARMED_OPPONENT:
        return -0.2 * ability.amount * charms
    if ability.roll == Roll.ENTERTAIN or (ability.target != Target.OTHERS and ability.target != Target.ALL):
        return 0.0
    often = 1.0
    if ability.occupation >= 0:
        often *= 0.28
    if ability.min_demand > 9:
        often *= 0.15
    if ability.source > 0:
        often *= 0.4
    return 0.2 * ability.amount * often * turns


@rule
def scoring_value(state: State, rules: Rules, table: np.ndarray, seat: int, k: int, turns: float) -> float:
    """A Scoring Ability: what it pays, or what it promises while turns are left."""
    ability = rules.guests[state.table[seat, k]].ability
    pays = score_condition(state, rules, ability, seat, k)
    fade = min(1.0, turns / 3.0)
    promise = table[PROMISE_FIVE]
    if ability.condition == ScoreCondition.AT_END:
        promise = table[PROMISE_END] if pays else 0.0
    elif ability.condition == ScoreCondition.MOST_GUESTS:
        promise = table[PROMISE_MOST]
    elif pays:
        promise = 1.0
    elif ability.condition == ScoreCondition.NEIGHBOUR_OCCUPATION:
        at_end = k == 0 or k == state.seated[seat] - 1
        promise = table[PROMISE_BESIDE] if at_end else 0.0
    elif ability.condition == ScoreCondition.HAS_DRINK:
        promise = table[PROMISE_DRINK]
    now = 1.0 if pays else 0.0
    return ability.amount * (now + fade * (promise - now))


@rule
def ends_value(state: State, rules: Rules, table: np.ndarray, seat: int, turns: float) -> float:
    """Arrows at the ends, where newcomers will sit."""
    if state.seated[seat] == 0:
        return 0.0
    left = rules.guests[end_guest(state, seat, End.LEFT)].arrows
    right = rules.guests[end_guest(state, seat, End.RIGHT)].arrows
    scale = min(1.0, turns / table[END_TURNS])
    return scale * (table[END_BEST] * max(left, right) + table[END_OTHER] * min(left, right))


@rule
def attacks_on(state: State, rules: Rules, seat: int, turns: float) -> float:
    """How often the seat will be charmed, about: the others' Envelopes, spread over their opponents."""
    total = 0.0
    for other in range(rules.players):
        if other != seat:
            total += min(turns, float(state.envelopes[other]))
    return total / (rules.players - 1)


@rule
def expected_loss(state: State, rules: Rules, table: np.ndarray, seat: int, turns: float) -> float:
    """Expected loss to charming: opponents pick guests that are easy to get and worth it."""
    if state.ending:
        return 0.0
    rolls = rules.base_rolls
    worth = icon_worth(state, rules, seat)
    total, squares = 0.0, 0.0
    for k in range(state.seated[seat]):
        guest = state.table[seat, k]
        lost = 1.0 - reach(table, entertain_need(state, rules, guest, -1), rolls, worth, 0)
        if rules.guests[guest].ability.kind == Kind.FAIL_WITHOUT_DRINK and state.drink[guest] == Drink.NONE:
            lost = 1.0
        taken = reach(table, rules.guests[guest].demand - 1, rolls, 0, 0)
        loss = table[GUEST_LOSS] if rules.guests[guest].worth > 0 else 0.0
        threat = lost * taken * loss
        total += threat
        squares += threat * threat
    if total <= 0.0:
        return 0.0
    return attacks_on(state, rules, seat, turns) * squares / total


@rule
def seat_value(state: State, rules: Rules, table: np.ndarray, seat: int, turns: float, care: float) -> float:
    """What a seat may expect in the end, in points; `care` weighs the losses to charming."""
    value = variety(rules, table, occupations_at(state, rules, seat), turns)
    for k in range(state.seated[seat]):
        guest = rules.guests[state.table[seat, k]]
        value += guest.worth
        if guest.ability.kind == Kind.SCORE:
            value += scoring_value(state, rules, table, seat, k, turns)
        else:
            value += table[ABILITY_SCALE] * standing_value(state, rules, guest.ability, seat, turns)
    value += ends_value(state, rules, table, seat, turns) + stash_value(state, rules, table, seat, turns)
    return value - care * expected_loss(state, rules, table, seat, turns)


@rule
def position_value(state: State, rules: Rules, table: np.ndarray, seat: int, turns: float) -> float:
    """Own value, less a share of the opponents', the leader's above all."""
    own, total, best = 0.0, 0.0, -1e9
    for other in range(rules.players):
        value = seat_value(state, rules, table, other, turns, table[RISK])
        if other == seat:
            own = value
        else:
            total += value
            best = max(best, value)
    if rules.players == 2:
        return own - table[RIVALRY] * total
    share = table[RIVALRY] / (rules.players - 1)
    return own - (1.0 - table[LEADER]) * share * total - table[LEADER] * table[RIVALRY] * best


@rule
def lead(state: State, rules: Rules, table: np.ndarray, player: int) -> float:
    """What a seat may expect more than the best other one; for the search, where it stops playing on."""
    turns = turns_left(state, rules, table)
    best = -1e9
    for other in range(rules.players):
        if other != player:
            best = max(best, seat_value(state, rules, table, other, turns, table[RISK]))
    return seat_value(state, rules, table, player, turns, table[RISK]) - best


# ---------------------------------------------------------------- expert: moves tried out on a copy


@rule
def best_hitler(
    state: State, rules: Rules, table: np.ndarray, seat: int, turns: float, spare: np.ndarray
) -> tuple[float, int]:
    """The best place for Hitler and its value; LEAVE when he should, or can only, stay. Outside that phase: as it is."""
    moving = state.phase == Phase.MOVE_HITLER
    best, chosen = -1e9, Action.LEAVE
    for k in range(2 * (rules.players - 1) if moving else 0, -1, -1):
        to, end = seat_to_the_left(state, rules, (k + 1) // 2), (k + 1) % 2
        if k > 0 and not may_take_hitler(state, to, end):
            continue
        if k == 0 and best > -1e8 and not rules.guests[state.target].ability.optional:
            break
        spare[1] = state
        trial = spare[1]
        if k > 0:
            put_hitler(trial, to, end)
        value = position_value(trial, rules, table, seat, turns)
        if value > best:
            best, chosen = value, Action.HITLER_TO + k - 1 if k > 0 else Action.LEAVE
    return best, chosen


@rule
def put_value(
    state: State, rules: Rules, table: np.ndarray, guest: int, option: int, turns: float, spare: np.ndarray
) -> float:
    """What the position is worth once the active seat has the guest in that spot, with that Drink and gift."""
    spare[0] = state
    trial = spare[0]
    trial.target = guest
    trial.spot, trial.treat, trial.gift = spot_and_drinks(option)
    trial.receiver = weakest_opponent(state, rules)
    seat_guest(trial, rules)
    value, _ = best_hitler(trial, rules, table, state.active, turns, spare)
    return value


@rule
def weakest_opponent(state: State, rules: Rules) -> int:
    """The opponent with the fewest points, the furthest from playing on a tie."""
    chosen = -1
    for k in range(1, rules.players):
        seat = seat_to_the_left(state, rules, k)
        if chosen < 0 or state.points[seat] <= state.points[chosen]:
            chosen = seat
    return chosen


@rule
def option_values(
    state: State,
    rules: Rules,
    table: np.ndarray,
    guest: int,
    turns: float,
    base: float,
    spare: np.ndarray,
    values: np.ndarray,
) -> None:
    """The gain from every spot, Drink and gift, -1e9 where the Stash does not allow it."""
    seat = state.active
    giving = may_give(state, rules, seat)
    for option in range(PUTS):
        values[option] = -1e9
        end, treat, gift = spot_and_drinks(option)
        if (end == End.LEFT and state.seated[seat] < 2) or (gift != Drink.NONE and not giving):
            continue
        if (treat > 0 and state.stash[seat, treat] < 1 + (treat == gift)) or (gift > 0 and state.stash[seat, gift] < 1):
            continue
        values[option] = put_value(state, rules, table, guest, option, turns, spare) - base


@rule
def bar_value(state: State, rules: Rules, table: np.ndarray, seat: int, icons: int, turns: float) -> float:
    """What the best alternative at the Bar is worth."""
    row = min(icons, rules.bar_rows - 1)
    scale = min(1.0, turns / 2.0)
    water = scale * table[WATER_VALUE] * table[MORE_DRINKS] ** state.stash[seat, Drink.WATER]
    wine = scale * table[WINE_VALUE] * table[MORE_DRINKS] ** state.stash[seat, Drink.WINE]
    best = 0.0
    for k in range(rules.bar_choices[row]):
        value = fading(water, table[MORE_DRINKS], rules.bar[row, k, 0])
        best = max(best, value + fading(wine, table[MORE_DRINKS], rules.bar[row, k, 1]))
    return best


@rule
def roll_values(
    state: State, rules: Rules, table: np.ndarray, guest: int, turns: float, values: np.ndarray
) -> np.ndarray:
    """What every final position of the dice is worth for inviting the guest: the best choice then, and the Bar."""
    seat = state.active
    n = positions_in(table)
    worth = icon_worth(state, rules, seat)
    needs = invite_need(state, rules, seat, guest, End.LEFT), invite_need(state, rules, seat, guest, End.RIGHT)
    easy = needs[1] if state.seated[seat] < 2 else max(needs[0], needs[1])
    water, wine = drink_worth(state, rules, seat, Drink.WATER), drink_worth(state, rules, seat, Drink.WINE)
    found = np.empty(n)
    for p in range(n):
        total = position_total(table, p, worth)
        best = -1e9 if total >= easy else 0.0
        for option in range(PUTS):
            if values[option] > best:
                end, treat, gift = spot_and_drinks(option)
                help_ = (water if treat == Drink.WATER else 0) + (wine if treat == Drink.WINE else 0)
                help_ += (water if gift == Drink.WATER else 0) + (wine if gift == Drink.WINE else 0)
                if total + help_ >= (needs[0] if end == End.LEFT else needs[1]):
                    best = values[option]
        found[p] = best + bar_value(state, rules, table, seat, position_icons(table, p), turns)
    return found


@rule
def invitation_value(
    state: State, rules: Rules, table: np.ndarray, guest: int, turns: float, base: float, spare: np.ndarray
) -> float:
    """The expected gain from rolling to invite a guest."""
    values = np.empty(PUTS)
    option_values(state, rules, table, guest, turns, base, spare, values)
    value = roll_values(state, rules, table, guest, turns, values)
    value = with_windows(state, rules, table, value, state.active, Roll.INVITE, 0)
    for _ in range(rolls_to_invite(state, rules, state.active) - 1):
        value = rerolled(table, value, DICE)
    return mean_after(table, value, 0)


@rule
def chance_to_keep(state: State, rules: Rules, table: np.ndarray, guest: int, charmer: int) -> float:
    """The chance that the owner entertains the guest."""
    if rules.guests[guest].ability.kind == Kind.FAIL_WITHOUT_DRINK and state.drink[guest] == Drink.NONE:
        return 0.0
    owner = state.where[guest]
    rolls = rolls_to_entertain(state, rules, owner, charmer)
    window = 1 if next_window(state, rules, owner, 0, Roll.ENTERTAIN) >= 0 else 0
    need = entertain_need(state, rules, guest, charmer)
    chance = reach(table, need, rolls, icon_worth(state, rules, owner), window)
    return chance ** attempts_to_entertain(state, rules, charmer)


@rule
def chance_to_get(state: State, rules: Rules, table: np.ndarray, guest: int) -> float:
    """The chance to invite the guest, the best Drink counted."""
    seat = state.active
    need = min(invite_need(state, rules, seat, guest, End.LEFT), invite_need(state, rules, seat, guest, End.RIGHT))
    need -= best_drink(state, rules, seat)
    return reach(table, need, rolls_to_invite(state, rules, seat), icon_worth(state, rules, seat), 0)


@rule
def envelope_price(state: State, table: np.ndarray, seat: int, cost: int, turns: float) -> float:
    """What these Envelopes could still do later."""
    scale = min(1.0, turns / table[ENVELOPE_TURNS])
    price = 0.0
    for k in range(cost):
        price += scale * table[ENVELOPE] * table[MORE_ENVELOPES] ** (state.envelopes[seat] - 1 - k)
    return price


@rule
def hurry(state: State, rules: Rules, table: np.ndarray, guest: int) -> float:
    """A leader likes to take the last cards of a stack, the others do not."""
    if guest == HITLER or state.ending:
        return 0.0
    best = -99
    for other in range(rules.players):
        if other != state.active:
            best = max(best, state.points[other])
    lead = max(-4, min(4, state.points[state.active] - best))
    return table[HURRY] * lead / (1.0 + state.height[rules.guests[guest].back])


@rule
def charm_odds(state: State, rules: Rules, table: np.ndarray, guest: int) -> float:
    """The chance that the owner fails; 0 when charming would hardly ever get the guest."""
    lost = 1.0 - chance_to_keep(state, rules, table, guest, state.active)
    return lost if lost * chance_to_get(state, rules, table, guest) > 0.04 else 0.0


@rule
def choose_guest(
    state: State, rules: Rules, table: np.ndarray, mask: Mask, turns: float, base: float, spare: np.ndarray
) -> int:
    """The best invitation of the Lobby, or a charm that is worth more: after a failed charm the Lobby is still there."""
    n = rules.num_guests
    lobby, gain, chosen = -1e9, 0.0, Action.BY_GUEST + n + HITLER
    for k in range(2 * n):  # first the Lobby, then the other Tables
        guest = k % n
        action = Action.BY_GUEST + guest + (n if k < n else 0)
        if not mask[action]:
            continue
        odds = 1.0 if k < n else charm_odds(state, rules, table, guest)
        if odds <= 0.0:
            continue
        value = invitation_value(state, rules, table, guest, turns, base, spare)
        if k < n:
            value += hurry(state, rules, table, guest)
            if value > lobby:
                lobby, chosen = value, action
        else:
            cost = charm_cost(state, rules, state.where[guest])
            value = odds * (value - lobby) - envelope_price(state, table, state.active, cost, turns)
            if value > gain:
                gain, chosen = value, action
    return chosen


@rule
def expert_roll(
    state: State, rules: Rules, table: np.ndarray, mask: Mask, turns: float, base: float, spare: np.ndarray
) -> int:
    """Roll for the highest expected value."""
    if not state.entertaining:
        values = np.empty(PUTS)
        option_values(state, rules, table, state.target, turns, base, spare, values)
        value = roll_values(state, rules, table, state.target, turns, values)
    else:
        value = success_values(table, state.need[End.LEFT], state.icon_worth)
        if glad_to_lose(state, rules, table, turns, spare):
            for p in range(value.shape[0]):
                value[p] = 1.0 - value[p]
    return best_keep(state, rules, table, mask, value)


@rule
def glad_to_lose(state: State, rules: Rules, table: np.ndarray, turns: float, spare: np.ndarray) -> bool:
    """Whether the owner is better off without the charmed guest."""
    owner = state.where[state.target]
    difference = 0.0
    for without in range(2):
        spare[0] = state
        trial = spare[0]
        if without:
            get_up(trial, state.target)
            trial.where[state.target] = Where.LOBBY
        value = seat_value(trial, rules, table, owner, turns, table[RISK])
        difference += value if without else -value
    return difference > 0.0


@rule
def expert_put(
    state: State, rules: Rules, table: np.ndarray, mask: Mask, turns: float, base: float, spare: np.ndarray
) -> int:
    """The spot, Drink and gift with the best position."""
    best, chosen = base if mask[Action.FAIL] else -1e9, Action.FAIL
    for option in range(PUTS):
        if mask[Action.PUT + option]:
            value = put_value(state, rules, table, state.target, option, turns, spare)
            if value > best:
                best, chosen = value, Action.PUT + option
    return chosen


@rule
def expert_bar(state: State, rules: Rules, table: np.ndarray) -> int:
    """The alternative that is worth most in the Stash."""
    seat = state.active
    row = bar_row(state, rules)
    best, chosen = -1.0, 0
    for k in range(rules.bar_choices[row]):
        water = fading(table[WATER_VALUE], table[MORE_DRINKS], state.stash[seat, Drink.WATER] + rules.bar[row, k, 0])
        wine = fading(table[WINE_VALUE], table[MORE_DRINKS], state.stash[seat, Drink.WINE] + rules.bar[row, k, 1])
        if water + wine > best:
            best, chosen = water + wine, k + 1
    return Action.TAKE + chosen


@rule
def expert_arrange(state: State, rules: Rules, table: np.ndarray, mask: Mask, turns: float, spare: np.ndarray) -> int:
    """Place a Drink, or reseat a guest, where that makes the own Table best; or neither."""
    hosting = state.phase == Phase.HOST
    first = Action.BY_GUEST + (4 if hosting else 2) * rules.num_guests
    care = table[HOST_RISK] if hosting else table[RISK]
    rest = Action.DONE if hosting else Action.LEAVE
    best, chosen = -1e9, rest
    for k in range(-1, 2 * state.seated[state.active]):
        spare[0] = state
        trial = spare[0]
        action = rest
        if k >= 0:
            guest = state.table[state.active, k // 2]
            action = first + 2 * guest + k % 2
            if mask[action] and hosting:
                host(trial, guest, k % 2 + 1)
            elif mask[action]:
                reseat(trial, guest, k % 2)
        if mask[action]:
            value = seat_value(trial, rules, table, state.active, turns, care)
            if value > best + 1e-6:
                best, chosen = value, action
    return chosen


@rule
def leading(state: State, rules: Rules) -> bool:
    """Whether the active seat has more points than all others."""
    for other in range(rules.players):
        if other != state.active and state.points[other] >= state.points[state.active]:
            return False
    return True


@rule
def choose_expert(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """One decision of `expert`."""
    turns = turns_left(state, rules, table)
    if (
        state.phase == Phase.CHOOSE
        or state.phase == Phase.ROLL
        or state.phase == Phase.REROLL
        or state.phase == Phase.PLACE
    ):
        base = position_value(state, rules, table, state.active, turns)
        if state.phase == Phase.CHOOSE:
            return choose_guest(state, rules, table, mask, turns, base, spare)
        if state.phase == Phase.PLACE:
            return expert_put(state, rules, table, mask, turns, base, spare)
        return expert_roll(state, rules, table, mask, turns, base, spare)
    if state.phase == Phase.BAR:
        return expert_bar(state, rules, table)
    if state.phase == Phase.HOST or state.phase == Phase.RESEAT:
        return expert_arrange(state, rules, table, mask, turns, spare)
    if state.phase == Phase.MOVE_HITLER:
        _, action = best_hitler(state, rules, table, state.active, turns, spare)
        return action
    if state.phase == Phase.MAY:  # clear the stack, or send Hitler away: to end the game sooner when leading
        own = state.where[HITLER] == state.active
        return Action.DO if own or leading(state, rules) else Action.LEAVE
    for k in range(1, rules.players):
        if seat_to_the_left(state, rules, k) == weakest_opponent(state, rules):
            return Action.GIVE_TO + k - 1
    return Action.GIVE_TO


AGENTS = {
    "greedy": Script(
        choose_greedy, Path(__file__), odds_table, "the likeliest guest of the Lobby, exact odds, no charm"
    ),
    "expert": Script(
        choose_expert, Path(__file__), odds_table, "odds times value of positions, charming where it pays"
    ),
}
