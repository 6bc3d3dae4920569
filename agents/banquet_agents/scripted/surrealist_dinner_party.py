"""Scripted hosts of Surrealist Dinner Party.

Both try every option on a copy of the game, let what it sets off be decided by whoever must (each for its own good, one
step ahead), and compare what the table is then worth. `greedy` is the attentive host: it looks at its own guests only.
`expert` is the spoiling host with lookahead: rivals' worth counts against it, and the best few actions are played on
for some turns with rivals' hands dealt anew.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banquet_agents.compiled import Script
from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import seat_after
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.surrealist_dinner_party.components import COLOURS, COURSES, JOKER, KINDS, Icon, Kind
from banquet_envs.games.surrealist_dinner_party.hidden import determinize, pack_at
from banquet_envs.games.surrealist_dinner_party.rules import apply, first_action, options
from banquet_envs.games.surrealist_dinner_party.state import MAIN_SIZE, Action, Column, Effect, Face, Phase
from banquet_envs.games.surrealist_dinner_party.table import empty_colours, faux_pas_value, matches

# What the agents' table holds: weights of `worth`, and for `expert` how far it looks ahead.
TEMPO = 0  # tokens that a turn brings
JOKERS, SOCIAL, PLATTER = 1, 2, 3  # chances of appetites: for anything, for compliments or drama, for the rest
SPARE = 4  # supply beside a player's share of the platter
IN_HAND, SEATING = 5, 6  # a guest in hand, the turns that it needs
PLATES = 7  # an unused plate ability
RIVALS = 8  # how much their worth counts against it
DOORS = 9  # a door ability
NEAR, DEALS, ROUNDS = 10, 11, 12  # options this near the best are looked at; deals; rounds played on
WEIGHTS = (3.0, 0.95, 0.8, 0.67, 0.33, 1.6, 3.1, 0.2, 0.0, 0.5)
WANTED_BITS = 8  # for the number of empty appetites of one colour, see `wanted`
WORST = -1.0e9

# ---------------------------------------------------------------- what a table is worth


@rule
def tokens_left(state: State, rules: Rules, kind: int) -> int:
    """Tokens of a kind on the platter and in the courses to come."""
    left = state.platter[kind]
    for c in range(state.course + 1, COURSES):
        left += rules.menu[c, kind]
    return left


@rule
def turns_left(state: State, rules: Rules) -> float:
    """Own turns still to come: about one turn in two takes a token from the platter."""
    left = 0
    for kind in range(KINDS):
        left += tokens_left(state, rules, kind)
    return 0.5 + 1.9 * left / rules.players


@rule
def wanted(state: State, rules: Rules, p: int) -> int:
    """Empty appetites of a player's seated guests by colour, `WANTED_BITS` each, the total on top."""
    counts = 0
    for k in range(state.seated[p]):
        g = state.row[p, k]
        for a in range(rules.guests[g].appetites):
            if state.token[g, a] < 0:
                counts += 1 << (WANTED_BITS * int(rules.guests[g].appetite[a]))
                counts += 1 << (WANTED_BITS * COLOURS)
    return counts


@rule
def chance(state: State, rules: Rules, table: np.ndarray, colour: int, counts: int, turns: int) -> float:
    """The chance that an empty appetite of a colour will be filled with a match while its guest sits there."""
    total = counts >> (WANTED_BITS * COLOURS)
    tempo = min(1.0, turns * table[TEMPO] / (total + 1.0))
    if colour == JOKER:
        return table[JOKERS] * tempo
    if colour == Kind.COMPLIMENT or colour == Kind.DRAMA:
        return table[SOCIAL] * tempo
    demand = (counts >> (WANTED_BITS * int(colour))) & ((1 << WANTED_BITS) - 1)
    supply = tokens_left(state, rules, colour) / rules.players
    return table[PLATTER] * tempo * min(1.0, (supply + table[SPARE]) / (demand + 0.5))


@rule
def worth_of_guest(state: State, rules: Rules, table: np.ndarray, g: int, counts: int, turns: int) -> float:
    """Matched tokens, chances of the empty appetites, and twice the chance of perfect contentment."""
    worth = 0.0
    content = 1.0
    for a in range(rules.guests[g].appetites):
        kind = state.token[g, a]
        if kind < 0:
            q = chance(state, rules, table, rules.guests[g].appetite[a], counts, turns)
            worth += q
            content *= q
        elif matches(rules.guests[g].appetite[a], kind):
            worth += 1.0
        else:
            content = 0.0
    if rules.abilities and rules.guests[g].icon == Icon.DOOR:
        worth += table[DOORS]
    return worth + content * rules.content_bonus


@rule
def worth_of_hand(state: State, rules: Rules, table: np.ndarray, p: int, turns: int) -> float:
    """Guests still in hand, as far as there is time to seat and serve them."""
    count = state.hand_size[p]
    if count == 0:
        return 0.0
    return table[IN_HAND] * count * min(1.0, turns / (table[SEATING] * (count + 1)))


@rule
def worth_of_faux_pas(state: State, rules: Rules, p: int) -> float:
    """Open Faux Pas by the lead over the best rival."""
    worth = 0.0
    for i in range(rules.num_faux_pas if rules.faux_pas_used else 0):
        if state.faux_pas_open[i] == Face.OPEN:
            own = faux_pas_value(state, rules, p, i)
            best = 0
            for q in range(rules.players):
                if q != p:
                    best = max(best, faux_pas_value(state, rules, q, i))
            lead = min(2, max(-2, own - best))
            worth += rules.faux_pas[i].points * (0.2 + 0.1 * lead)
    return worth


@rule
def worth_of_token(state: State, rules: Rules, table: np.ndarray, p: int, counts: int, turns: int) -> float:
    """A token on its way to an own guest: what the best appetite for it gains."""
    if state.depth == 0:
        return 0.0
    f = state.depth - 1
    g = state.frame[f, Column.GUEST]
    if state.frame[f, Column.KIND] != Effect.TOKEN or state.owner[g] != p:
        return 0.0
    kind = state.frame[f, Column.TOKEN]
    colours = empty_colours(state, rules, g)
    if colours & (1 << int(kind)):
        return 1.0 - chance(state, rules, table, kind, counts, turns)
    if colours & (1 << JOKER):
        return 1.0 - chance(state, rules, table, JOKER, counts, turns)
    least = 1.0
    for c in range(KINDS):
        if colours & (1 << c):
            least = min(least, chance(state, rules, table, c, counts, turns))
    return -least - 0.5 if colours != 0 else 0.0


@rule
def worth(state: State, rules: Rules, table: np.ndarray, p: int) -> float:
    """What the position is worth to a player, in points."""
    total = state.points[p] * 1.0
    if state.over:
        return total
    turns = turns_left(state, rules)
    counts = wanted(state, rules, p)
    ready = 0
    for k in range(state.seated[p]):
        g = state.row[p, k]
        total += worth_of_guest(state, rules, table, g, counts, turns) * rules.token_points
        if rules.guests[g].icon == Icon.PLATE:
            ready += 1
    total += worth_of_hand(state, rules, table, p, turns)
    total += worth_of_token(state, rules, table, p, counts, turns)
    if state.plate_used[p] < rules.plate_uses and rules.abilities:
        total += table[PLATES] * ready * min(1.0, turns / 4.0)
    return total + worth_of_faux_pas(state, rules, p)


@rule
def margin(state: State, rules: Rules, table: np.ndarray, p: int) -> float:
    """Own worth less that of the rivals, as much as they count."""
    total = worth(state, rules, table, p)
    if table[RIVALS] > 0.0:
        for k in range(1, rules.players):
            total -= table[RIVALS] / (rules.players - 1) * worth(state, rules, table, seat_after(rules, p, k))
    return total


@rule
def lead(state: State, rules: Rules, table: np.ndarray, p: int) -> float:
    """Own worth less that of the best rival."""
    best = WORST
    for k in range(1, rules.players):
        best = max(best, worth(state, rules, table, seat_after(rules, p, k)))
    return worth(state, rules, table, p) - best


# ---------------------------------------------------------------- choosing


@rule
def settle(rules: Rules, table: np.ndarray, spare: np.ndarray, i: int) -> None:
    """Play spare[i] on to the next turn: each question goes to whoever must answer, one step ahead on spare[i + 1]."""
    while not spare[i].over and spare[i].phase != Phase.MAIN:
        a = best_step(rules, table, spare, i)
        spare[i].ply += 1
        apply(spare[i], rules, a)


@rule
def best_step(rules: Rules, table: np.ndarray, spare: np.ndarray, i: int) -> int:
    """The best answer in spare[i], looking one step ahead."""
    p = spare[i].player
    bits = options(spare[i], rules)
    first = first_action(spare[i].phase)
    best = WORST
    chosen = 0
    for k in range(MAIN_SIZE):
        if bits & (1 << k):
            spare[i + 1] = spare[i]
            apply(spare[i + 1], rules, first + k)
            value = margin(spare[i + 1], rules, table, p)
            if value > best:
                best = value
                chosen = first + k
    return chosen


@rule
def draft_worth(rules: Rules, g: int) -> float:
    """A guest's worth in the draft: easy appetites, few of them, and an ability that helps."""
    total = 0.0
    for a in range(rules.guests[g].appetites):
        c = rules.guests[g].appetite[a]
        total += 0.9 if c == JOKER else 0.7 if c < Kind.COMPLIMENT else 0.75
    total += 3.0 / rules.guests[g].appetites
    if rules.abilities and rules.guests[g].icon == Icon.PLATE:
        total += 0.6
    return total


@rule
def draft(state: State, rules: Rules) -> int:
    """The best card of the pack in hand."""
    k = pack_at(state, rules, state.player)
    best = -1.0
    chosen = 0
    for i in range(state.draft_round, rules.hand_size):
        value = draft_worth(rules, state.pack[k, i])
        if value > best:
            best = value
            chosen = i - state.draft_round
    return Action.DRAFT + chosen


@rule
def try_option(state: State, rules: Rules, table: np.ndarray, spare: np.ndarray, action: int) -> float:
    """What an option is worth once the turn is over; the position then stands in spare[0]."""
    p = state.player
    spare[0] = state
    apply(spare[0], rules, action)
    settle(rules, table, spare, 0)
    return margin(spare[0], rules, table, p)


@rule
def choose_by_worth(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """The option after which the position is worth most."""
    if state.phase == Phase.DRAFT_PICK:
        return draft(state, rules)
    if state.phase == Phase.FAUX_PAS_KEEP:
        return Action.KEEP + 2
    best = WORST
    chosen = 0
    for a in range(mask.shape[0]):
        if mask[a]:
            value = try_option(state, rules, table, spare, a)
            if value > best:
                best = value
                chosen = a
    return chosen


# ---------------------------------------------------------------- looking ahead


@rule
def play_turns(rules: Rules, table: np.ndarray, spare: np.ndarray, i: int, turns: int) -> None:
    """Let everybody play `turns` turns in spare[i], each choosing by worth; spare[i + 1] and spare[i + 2] are scratch."""
    for _ in range(turns):
        if spare[i].over:
            return
        p = spare[i].player
        bits = options(spare[i], rules)
        best = WORST
        chosen = 0
        for a in range(MAIN_SIZE):
            if bits & (1 << a):
                spare[i + 1] = spare[i]
                apply(spare[i + 1], rules, a)
                settle(rules, table, spare, i + 1)
                value = margin(spare[i + 1], rules, table, p)
                if value > best:
                    best = value
                    chosen = a
        apply(spare[i], rules, chosen)
        settle(rules, table, spare, i)


@rule
def choose_by_lookahead(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """Options that look nearly best are played on for some turns, in several deals of what is hidden."""
    if state.phase > Phase.PLATE_NEXT or state.phase < Phase.MAIN:
        return choose_by_worth(state, rules, table, mask, spare)
    p = state.player
    values = np.full(mask.shape[0], WORST)
    best = WORST
    for a in range(mask.shape[0]):
        if mask[a]:
            values[a] = try_option(state, rules, table, spare, a)
            best = max(best, values[a])
    for a in range(mask.shape[0]):
        values[a] = 0.0 if values[a] >= best - table[NEAR] else WORST
    for _ in range(int(table[DEALS])):
        random_below(state, 2)  # another deal each time
        spare[4] = state
        determinize(spare[4], rules, p)
        for a in range(mask.shape[0]):
            if values[a] > WORST:
                spare[0] = spare[4]
                apply(spare[0], rules, a)
                settle(rules, table, spare, 0)
                play_turns(rules, table, spare, 0, int(table[ROUNDS]) * rules.players)
                values[a] += margin(spare[0], rules, table, p)
    return values.argmax()


def attentive(rules: Rules) -> np.ndarray:
    """The table of the attentive host."""
    return np.array(WEIGHTS, np.float32)


def spoiling(rules: Rules) -> np.ndarray:
    """The table of the spoiling host.

    With more than two players harm to one rival helps the others too: less spoiling, more looking ahead.
    """
    rivals, deals, rounds = (0.5, 3, 1) if rules.players == 2 else (0.3, 3, 2)
    return np.array([*WEIGHTS[:RIVALS], rivals, *WEIGHTS[DOORS:], 0.8, deals, rounds], np.float32)


_SOURCE = Path(__file__)
AGENTS = {
    "greedy": Script(
        choose_by_worth, _SOURCE, attentive, "attentive host: the best for its own guests, one turn ahead", lead
    ),
    "expert": Script(choose_by_lookahead, _SOURCE, spoiling, "spoiling host that plays the best few actions on", lead),
}

PLAYOUTS = {
    "spoiler": Script(
        choose_by_worth, _SOURCE, spoiling, "attentive, and minds its rivals: `expert` without playing on", lead
    )
}
"""Scripts for the search's playouts only."""
