"""Guests going home, the abilities without an icon, and the end of the game."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.seats import seat_after
from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.abilities import (
    condition_met,
    has_effect,
    offer,
    start_departure,
    start_effect,
    usable,
    usable_now,
)
from banquet_envs.games.surrealist_dinner_party.components import KINDS, SEATS, Ability, Condition, Icon, Trigger
from banquet_envs.games.surrealist_dinner_party.state import Action, Column, Face, Phase, Stage, Where
from banquet_envs.games.surrealist_dinner_party.table import (
    add_to_stash,
    ask,
    clear_events,
    faux_pas_value,
    hear_events,
    is_content,
    leave_seat,
    left_of,
    matched_of,
    matches,
    meets,
    note_event,
    pop,
    right_of,
    score_faux_pas,
    stash_changed,
    update_points,
)

# ---------------------------------------------------------------- a guest goes home


@rule
def run_home(state: State, rules: Rules, f: int) -> bool:
    """Collect, the bonus of a perfectly content guest, the door ability, then neighbours that notice."""
    g = state.frame[f, Column.GUEST]
    owner = state.frame[f, Column.USER]
    step = state.frame[f, Column.STEP]
    if step == 0:
        collect(state, rules, f)
        state.frame[f, Column.STEP] = 1
        return False
    if step == 2:
        add_to_stash(state, rules, owner, state.answer)
        state.frame[f, Column.N] += 1
        step = 1
    if step == 1:
        if state.frame[f, Column.A] and state.frame[f, Column.N] < rules.content_bonus:
            state.frame[f, Column.STEP] = 2
            return ask(state, owner, Phase.WHICH_KIND)
        state.frame[f, Column.STEP] = 3
        return False
    if step == 3:
        state.frame[f, Column.STEP] = 5
        if door_works(state, rules, f):
            state.frame[f, Column.STEP] = 4
            return ask(state, owner, Phase.WHETHER)
        return False
    if step == 4:
        state.frame[f, Column.STEP] = 5
        if state.answer == 1:
            start_effect(
                state,
                g,
                owner,
                state.frame[f, Column.SILENT],
                state.frame[f, Column.LEFT],
                state.frame[f, Column.RIGHT],
            )
        return False
    if step == 5:
        state.frame[f, Column.STEP] = 6
        if rules.abilities and state.stage == Stage.PLAYING and not state.frame[f, Column.SILENT]:
            note_departure(state, rules, state.frame[f, Column.LEFT], state.frame[f, Column.RIGHT])
            hear_events(state, owner)
        return False
    pop(state)
    return False


@rule
def collect(state: State, rules: Rules, f: int) -> None:
    """Matching tokens go to the stash, the others to the kitchen. Neighbours are read just before."""
    g = state.frame[f, Column.GUEST]
    owner = state.frame[f, Column.USER]
    state.frame[f, Column.LEFT] = left_of(state, rules, g)
    state.frame[f, Column.RIGHT] = right_of(state, rules, g)
    content = is_content(state, rules, g)
    state.frame[f, Column.A] = 1 if content else 0
    leave_seat(state, g)
    for a in range(rules.guests[g].appetites):
        kind = state.token[g, a]
        if matches(rules.guests[g].appetite[a], kind):
            state.stash[owner, kind] += 1
        state.token[g, a] = -1
    if state.stage == Stage.LAST_DEPARTURES:
        state.left_last |= 1 << int(g)
        if content:
            state.left_content |= 1 << int(g)
    stash_changed(state, rules, owner)


@rule
def door_works(state: State, rules: Rules, f: int) -> bool:
    """Whether the leaver's door ability can be used now; at the end of the game those for the stash come later."""
    g = state.frame[f, Column.GUEST]
    if not rules.abilities or rules.guests[g].icon != Icon.DOOR:
        return False
    if state.stage == Stage.LAST_DEPARTURES and rules.guests[g].kind == Ability.STASH:
        return False
    left, right = state.frame[f, Column.LEFT], state.frame[f, Column.RIGHT]
    return usable(state, rules, g, state.frame[f, Column.USER], left, right, state.frame[f, Column.A])


# ---------------------------------------------------------------- abilities without an icon


@rule
def note_departure(state: State, rules: Rules, left: int, right: int) -> None:
    """A guest has gone home: its neighbours of before may wait for that."""
    bits = 0
    if left >= 0 and rules.guests[left].trigger == Trigger.NEIGHBOUR_LEAVES:
        bits |= 1 << int(left)
    if right >= 0 and rules.guests[right].trigger == Trigger.NEIGHBOUR_LEAVES:
        bits |= 1 << int(right)
    note_event(state, bits, 0)


@rule
def note_course(state: State, rules: Rules) -> None:
    """A course begins: guests seated now may wait for that."""
    bits = 0
    for p in range(rules.players if rules.abilities else 0):
        for s in range(state.seated[p]):
            h = state.row[p, s]
            if rules.guests[h].trigger == Trigger.COURSE_START:
                bits |= 1 << int(h)
    note_event(state, bits, 0)


@rule
def run_events(state: State, rules: Rules, f: int) -> bool:
    """The guests that wait for what has happened: by order of cause, then as they sit. N: which event.

    Who waits was settled when it happened; each comes up once, and is asked if it still sits and its ability is usable.
    """
    while state.frame[f, Column.N] < state.events:
        e = state.frame[f, Column.N]
        h = first_waiting(state, rules, state.waiting[e])
        if h < 0:
            state.frame[f, Column.N] += 1
        else:
            state.waiting[e] &= ~(1 << int(h))
            if usable_now(state, rules, h, state.owner[h]):
                offer(state, rules, h, -1, state.event[e])
                return False
    clear_events(state)
    pop(state)
    return False


@rule
def first_waiting(state: State, rules: Rules, guests: int) -> int:
    """The first of some guests (bits) that sits, from the active player clockwise, rows from the left; -1 for none."""
    for k in range(rules.players if guests != 0 else 0):
        p = seat_after(rules, state.active, k)
        for s in range(state.seated[p]):
            h = state.row[p, s]
            if guests & (1 << int(h)):
                return h
    return -1


@rule
def offer_social(state: State, rules: Rules, f: int) -> None:
    """The picked guest's own ability may pass the token on to the neighbour on the partner's other side, if there is one."""
    g = state.frame[f, Column.GUEST]
    if not rules.abilities or state.where[g] != Where.SEATED or rules.guests[g].trigger != Trigger.SOCIAL:
        return
    other = right_of(state, rules, g) if state.frame[f, Column.X] == 0 else left_of(state, rules, g)
    if other == state.frame[f, Column.LEFT]:
        other = -1
    if usable(state, rules, g, state.owner[g], other, -1, 0):
        offer(state, rules, g, other, state.frame[f, Column.TOKEN])


# ---------------------------------------------------------------- the end of the game


@rule
def begin_last_departures(state: State) -> None:
    """Dessert has been eaten: everybody sends the remaining guests home, from the left of the finisher."""
    state.stage = Stage.LAST_DEPARTURES
    state.step = 0
    state.last_seat = 0
    for p in range(len(state.row)):
        for k in range(len(state.row[p])):
            state.last_row[p, k] = state.row[p, k]


@rule
def run_last_departures(state: State, rules: Rules) -> bool:
    """(a) One guest at a time, in an order of the owner's choice where that may make a difference."""
    p = seat_after(rules, state.last_taker, 1 + state.last_seat)
    if state.step == 1:
        state.step = 0
        start_departure(state, state.row[p, state.answer - Action.SEND_HOME], 0)
        return False
    if order_matters(state, rules, p):
        state.step = 1
        return ask(state, p, Phase.WHO_LEAVES)
    if state.seated[p] > 0:
        start_departure(state, state.row[p, 0], 0)
        return False
    state.last_seat += 1
    if state.last_seat == rules.players:
        state.stage = Stage.LAST_DOORS
        state.last_seat = 0
    return False


@rule
def order_matters(state: State, rules: Rules, p: int) -> bool:
    """Whether, in some order of a player's departures, a door ability that touches guests could be used.

    Until the first one is used guests only collect, so it depends on nothing but who has left before.
    """
    n = state.seated[p]
    for k in range(n if rules.abilities and n > 1 else 0):
        g = state.row[p, k]
        if rules.guests[g].icon == Icon.DOOR and rules.guests[g].kind != Ability.STASH:
            for leavers in range(1 << int(n)):
                if leavers >> k & 1 and door_could_work(state, rules, p, g, leavers):
                    return True
    return False


@rule
def door_could_work(state: State, rules: Rules, p: int, g: int, leavers: int) -> bool:
    """Whether the door ability of `g` could be used, if it were the last to leave of some places of its row (bits)."""
    if not condition_in_reach(state, rules, p, g, leavers):
        return False
    let_sit(state, p, leavers, Where.GONE)
    left, right = left_of(state, rules, g), right_of(state, rules, g)
    while left != g and left >= 0 and state.where[left] != Where.SEATED:
        left = left_of(state, rules, left)
    while right != g and right >= 0 and state.where[right] != Where.SEATED:
        right = right_of(state, rules, right)
    works = has_effect(state, rules, g, p, left, right)
    let_sit(state, p, leavers, Where.SEATED)
    return works


@rule
def let_sit(state: State, p: int, places: int, where: int) -> None:
    """Guests at some places of a row (bits) count as gone, for a look ahead, or as seated again."""
    for k in range(state.seated[p]):
        if places >> k & 1:
            state.where[state.row[p, k]] = where


@rule
def condition_in_reach(state: State, rules: Rules, p: int, g: int, leavers: int) -> bool:
    """Whether the condition of `g`'s ability could be met once the guests at some places of the row have left."""
    if rules.guests[g].condition == Condition.CONTENT:
        return is_content(state, rules, g)
    if rules.guests[g].condition == Condition.MOST:
        for kind in range(KINDS):
            if rules.guests[g].condition_tokens[kind] and most_in_reach(state, rules, p, kind, leavers):
                return True
        return False
    return True


@rule
def most_in_reach(state: State, rules: Rules, p: int, kind: int, leavers: int) -> bool:
    """Whether a player could hold strictly the most of a kind after some departures, every bonus being of this kind."""
    most = state.stash[p, kind]
    for k in range(state.seated[p]):
        if leavers >> k & 1:
            g = state.row[p, k]
            most += matched_of(state, rules, g, kind)
            if is_content(state, rules, g):
                most += rules.content_bonus
    for q in range(rules.players):
        if q != p and state.stash[q, kind] >= most:
            return False
    return True


@rule
def run_last_doors(state: State, rules: Rules) -> bool:
    """(b) Door abilities for the stash, in the same order of players, each ordering its own."""
    p = seat_after(rules, state.last_taker, 1 + state.last_seat)
    if state.step == 1:
        state.step = 0
        if state.answer == Action.STOP:
            state.last_seat += 1
        else:
            g = state.last_row[p, state.answer - Action.DOOR]
            state.left_last &= ~(1 << int(g))
            start_effect(state, g, p, 0, -1, -1)
            return False
    elif last_door_options(state, rules, p) != 0:
        state.step = 1
        return ask(state, p, Phase.WHICH_DOOR)
    else:
        state.last_seat += 1
    if state.last_seat == rules.players:
        count_up(state, rules)
    return False


@rule
def last_door_options(state: State, rules: Rules, p: int) -> int:
    """The door abilities for the stash that a player may still use, by the seats of the last row, as bits."""
    bits = 0
    for k in range(SEATS if rules.abilities else 0):
        g = state.last_row[p, k]
        if g >= 0 and state.left_last & (1 << int(g)) != 0 and rules.guests[g].kind == Ability.STASH:
            if rules.guests[g].icon == Icon.DOOR and condition_met(
                state, rules, g, p, state.left_content & (1 << int(g))
            ):
                bits |= 1 << k
    return bits


@rule
def count_up(state: State, rules: Rules) -> None:
    """(c) The Faux Pas still open, the points, the places; tied players share."""
    for i in range(rules.num_faux_pas):
        if state.faux_pas_open[i] == Face.OPEN:
            close_faux_pas(state, rules, i)
    for p in range(rules.players):
        update_points(state, rules, p)
    rank_by(state, rules.players, state.points)
    state.stage = Stage.FINISHED
    state.over = True


@rule
def close_faux_pas(state: State, rules: Rules, i: int) -> None:
    """All who meet a `during` card, or all with the best positive count of an `end` card, score in full."""
    best = 1
    for p in range(rules.players):
        best = max(best, faux_pas_value(state, rules, p, i))
    for p in range(rules.players):
        if rules.faux_pas[i].at_end:
            if faux_pas_value(state, rules, p, i) == best:
                score_faux_pas(state, rules, p, i)
        elif meets(state, rules, p, i):
            score_faux_pas(state, rules, p, i)
    state.faux_pas_open[i] = Face.SCORED
