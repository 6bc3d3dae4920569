"""Guests going home, the abilities without an icon, and the end of the game."""

from __future__ import annotations

from typing import Any

from numpy import int64 as wide

from banquet_envs.core.compile import rule
from banquet_envs.core.rewards import rank_by
from banquet_envs.games.surrealist_dinner_party.abilities import (
    condition_met,
    has_effect,
    offer,
    start_departure,
    start_effect,
    usable,
    usable_now,
)
from banquet_envs.games.surrealist_dinner_party.components import (
    AT_COURSE_START,
    DOOR_ICON,
    IF_CONTENT,
    IF_MOST,
    KINDS,
    STASH,
    WHEN_NEIGHBOUR_LEAVES,
    WHEN_SOCIAL,
)
from banquet_envs.games.surrealist_dinner_party.state import (
    C_A,
    C_GUEST,
    C_LEFT,
    C_N,
    C_RIGHT,
    C_SILENT,
    C_STEP,
    C_TOKEN,
    C_USER,
    C_X,
    DOOR,
    FINISHED,
    GONE,
    HOME,
    LAST_DEPARTURES,
    LAST_DOORS,
    PLAYING,
    SEATED,
    STOP,
    WHETHER,
    WHICH_DOOR,
    WHICH_KIND,
    WHO_LEAVES,
)
from banquet_envs.games.surrealist_dinner_party.table import (
    add_to_stash,
    ask,
    clear_events,
    clockwise,
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
def run_home(state: Any, rules: Any, f: Any) -> Any:
    """Collect, the bonus of a perfectly content guest, the door ability, then neighbours that notice."""
    g = wide(state.frame[f, C_GUEST])
    owner = wide(state.frame[f, C_USER])
    step = wide(state.frame[f, C_STEP])
    if step == 0:
        collect(state, rules, f)
        state.frame[f, C_STEP] = 1
        return False
    if step == 2:
        add_to_stash(state, rules, owner, wide(state.answer))
        state.frame[f, C_N] += 1
        step = 1
    if step == 1:
        if wide(state.frame[f, C_A]) and wide(state.frame[f, C_N]) < rules.content_bonus:
            state.frame[f, C_STEP] = 2
            return ask(state, owner, WHICH_KIND)
        state.frame[f, C_STEP] = 3
        return False
    if step == 3:
        state.frame[f, C_STEP] = 5
        if door_works(state, rules, f):
            state.frame[f, C_STEP] = 4
            return ask(state, owner, WHETHER)
        return False
    if step == 4:
        state.frame[f, C_STEP] = 5
        if wide(state.answer) == 1:
            start_effect(
                state,
                g,
                owner,
                wide(state.frame[f, C_SILENT]),
                wide(state.frame[f, C_LEFT]),
                wide(state.frame[f, C_RIGHT]),
            )
        return False
    if step == 5:
        state.frame[f, C_STEP] = 6
        if rules.abilities and state.stage == PLAYING and not wide(state.frame[f, C_SILENT]):
            note_departure(state, rules, wide(state.frame[f, C_LEFT]), wide(state.frame[f, C_RIGHT]))
            hear_events(state, owner)
        return False
    pop(state)
    return False


@rule
def collect(state: Any, rules: Any, f: Any) -> None:
    """Matching tokens go to the stash, the others to the kitchen. Neighbours are read just before."""
    g = wide(state.frame[f, C_GUEST])
    owner = wide(state.frame[f, C_USER])
    state.frame[f, C_LEFT] = left_of(state, rules, g)
    state.frame[f, C_RIGHT] = right_of(state, rules, g)
    content = is_content(state, rules, g)
    state.frame[f, C_A] = 1 if content else 0
    leave_seat(state, g)
    for a in range(rules.guests[g].appetites):
        kind = state.token[g, a]
        if matches(rules.guests[g].appetite[a], kind):
            state.stash[owner, kind] += 1
        state.token[g, a] = -1
    if state.stage == LAST_DEPARTURES:
        state.left_last |= 1 << wide(g)
        if content:
            state.left_content |= 1 << wide(g)
    stash_changed(state, rules, owner)


@rule
def door_works(state: Any, rules: Any, f: Any) -> Any:
    """Whether the leaver's door ability can be used now; at the end of the game those for the stash come later."""
    g = wide(state.frame[f, C_GUEST])
    if not rules.abilities or rules.guests[g].icon != DOOR_ICON:
        return False
    if state.stage == LAST_DEPARTURES and rules.guests[g].kind == STASH:
        return False
    left, right = wide(state.frame[f, C_LEFT]), wide(state.frame[f, C_RIGHT])
    return usable(state, rules, g, wide(state.frame[f, C_USER]), left, right, wide(state.frame[f, C_A]))


# ---------------------------------------------------------------- abilities without an icon


@rule
def note_departure(state: Any, rules: Any, left: Any, right: Any) -> None:
    """A guest has gone home: its neighbours of before may wait for that."""
    bits = 0
    if left >= 0 and rules.guests[left].trigger == WHEN_NEIGHBOUR_LEAVES:
        bits |= 1 << left
    if right >= 0 and rules.guests[right].trigger == WHEN_NEIGHBOUR_LEAVES:
        bits |= 1 << right
    note_event(state, bits, wide(0))


@rule
def note_course(state: Any, rules: Any) -> None:
    """A course begins: guests seated now may wait for that."""
    bits = 0
    for p in range(rules.players if rules.abilities else 0):
        for s in range(state.seated[p]):
            h = wide(state.row[p, s])
            if rules.guests[h].trigger == AT_COURSE_START:
                bits |= 1 << h
    note_event(state, bits, wide(0))


@rule
def run_events(state: Any, rules: Any, f: Any) -> Any:
    """The guests that wait for what has happened: by order of cause, then as they sit. C_N: which event.

    Who waits was settled when it happened; each comes up once, and is asked if it still sits and its ability is usable.
    """
    while wide(state.frame[f, C_N]) < state.events:
        e = wide(state.frame[f, C_N])
        h = first_waiting(state, rules, wide(state.waiting[e]))
        if h < 0:
            state.frame[f, C_N] += 1
        else:
            state.waiting[e] &= ~(1 << h)
            if usable_now(state, rules, h, wide(state.owner[h])):
                offer(state, rules, h, wide(-1), wide(state.event[e]))
                return False
    clear_events(state)
    pop(state)
    return False


@rule
def first_waiting(state: Any, rules: Any, guests: Any) -> Any:
    """The first of some guests (bits) that sits, from the active player clockwise, rows from the left; -1 for none."""
    for k in range(rules.players if guests != 0 else 0):
        p = clockwise(rules, wide(state.active), k)
        for s in range(state.seated[p]):
            h = wide(state.row[p, s])
            if guests & (1 << h):
                return h
    return -1


@rule
def offer_social(state: Any, rules: Any, f: Any) -> None:
    """The picked guest's own ability may pass the token on to the neighbour on the partner's other side, if there is one."""
    g = wide(state.frame[f, C_GUEST])
    if not rules.abilities or state.where[g] != SEATED or rules.guests[g].trigger != WHEN_SOCIAL:
        return
    other = right_of(state, rules, g) if wide(state.frame[f, C_X]) == 0 else left_of(state, rules, g)
    if other == wide(state.frame[f, C_LEFT]):
        other = -1
    if usable(state, rules, g, wide(state.owner[g]), other, wide(-1), wide(0)):
        offer(state, rules, g, other, wide(state.frame[f, C_TOKEN]))


# ---------------------------------------------------------------- the end of the game


@rule
def begin_last_departures(state: Any) -> None:
    """Dessert has been eaten: everybody sends the remaining guests home, from the left of the finisher."""
    state.stage = LAST_DEPARTURES
    state.step = 0
    state.last_seat = 0
    for p in range(len(state.row)):
        for k in range(len(state.row[p])):
            state.last_row[p, k] = state.row[p, k]


@rule
def run_last_departures(state: Any, rules: Any) -> Any:
    """(a) One guest at a time, in an order of the owner's choice where that may make a difference."""
    p = clockwise(rules, wide(state.last_taker), 1 + state.last_seat)
    if state.step == 1:
        state.step = 0
        start_departure(state, wide(state.row[p, wide(state.answer) - HOME]), wide(0))
        return False
    if order_matters(state, rules, p):
        state.step = 1
        return ask(state, p, WHO_LEAVES)
    if state.seated[p] > 0:
        start_departure(state, wide(state.row[p, 0]), wide(0))
        return False
    state.last_seat += 1
    if state.last_seat == rules.players:
        state.stage = LAST_DOORS
        state.last_seat = 0
    return False


@rule
def order_matters(state: Any, rules: Any, p: Any) -> Any:
    """Whether, in some order of a player's departures, a door ability that touches guests could be used.

    Until the first one is used guests only collect, so it depends on nothing but who has left before.
    """
    n = wide(state.seated[p])
    for k in range(n if rules.abilities and n > 1 else 0):
        g = wide(state.row[p, k])
        if rules.guests[g].icon == DOOR_ICON and rules.guests[g].kind != STASH:
            for leavers in range(1 << n):
                if leavers >> k & 1 and door_could_work(state, rules, p, g, leavers):
                    return True
    return False


@rule
def door_could_work(state: Any, rules: Any, p: Any, g: Any, leavers: Any) -> Any:
    """Whether the door ability of `g` could be used, if it were the last to leave of some places of its row (bits)."""
    if not condition_in_reach(state, rules, p, g, leavers):
        return False
    let_sit(state, p, leavers, GONE)
    left, right = left_of(state, rules, g), right_of(state, rules, g)
    while left != g and left >= 0 and state.where[left] != SEATED:
        left = left_of(state, rules, left)
    while right != g and right >= 0 and state.where[right] != SEATED:
        right = right_of(state, rules, right)
    works = has_effect(state, rules, g, p, left, right)
    let_sit(state, p, leavers, SEATED)
    return works


@rule
def let_sit(state: Any, p: Any, places: Any, where: Any) -> None:
    """Guests at some places of a row (bits) count as gone, for a look ahead, or as seated again."""
    for k in range(state.seated[p]):
        if places >> k & 1:
            state.where[state.row[p, k]] = where


@rule
def condition_in_reach(state: Any, rules: Any, p: Any, g: Any, leavers: Any) -> Any:
    """Whether the condition of `g`'s ability could be met once the guests at some places of the row have left."""
    if rules.guests[g].condition == IF_CONTENT:
        return is_content(state, rules, g)
    if rules.guests[g].condition == IF_MOST:
        for kind in range(KINDS):
            if rules.guests[g].condition_tokens[kind] and most_in_reach(state, rules, p, kind, leavers):
                return True
        return False
    return True


@rule
def most_in_reach(state: Any, rules: Any, p: Any, kind: Any, leavers: Any) -> Any:
    """Whether a player could hold strictly the most of a kind after some departures, every bonus being of this kind."""
    most = wide(state.stash[p, kind])
    for k in range(state.seated[p]):
        if leavers >> k & 1:
            g = wide(state.row[p, k])
            most += matched_of(state, rules, g, kind)
            if is_content(state, rules, g):
                most += rules.content_bonus
    for q in range(rules.players):
        if q != p and state.stash[q, kind] >= most:
            return False
    return True


@rule
def run_last_doors(state: Any, rules: Any) -> Any:
    """(b) Door abilities for the stash, in the same order of players, each ordering its own."""
    p = clockwise(rules, wide(state.last_taker), 1 + state.last_seat)
    if state.step == 1:
        state.step = 0
        if wide(state.answer) == STOP:
            state.last_seat += 1
        else:
            g = wide(state.last_row[p, wide(state.answer) - DOOR])
            state.left_last &= ~(1 << g)
            start_effect(state, g, p, wide(0), wide(-1), wide(-1))
            return False
    elif last_door_options(state, rules, p) != 0:
        state.step = 1
        return ask(state, p, WHICH_DOOR)
    else:
        state.last_seat += 1
    if state.last_seat == rules.players:
        count_up(state, rules)
    return False


@rule
def last_door_options(state: Any, rules: Any, p: Any) -> Any:
    """The door abilities for the stash that a player may still use, by the seats of the last row, as bits."""
    bits = 0
    for k in range(3 if rules.abilities else 0):
        g = wide(state.last_row[p, k])
        if g >= 0 and state.left_last & (1 << g) != 0 and rules.guests[g].kind == STASH:
            if rules.guests[g].icon == DOOR_ICON and condition_met(state, rules, g, p, state.left_content & (1 << g)):
                bits |= 1 << k
    return bits


@rule
def count_up(state: Any, rules: Any) -> None:
    """(c) The Faux Pas still open, the points, the places; tied players share."""
    for i in range(wide(rules.num_faux_pas)):
        if state.faux_pas_open[i] == 1:
            close_faux_pas(state, rules, i)
    for p in range(wide(rules.players)):
        update_points(state, rules, p)
    rank_by(state, rules.players, state.points)
    state.stage = FINISHED
    state.over = True


@rule
def close_faux_pas(state: Any, rules: Any, i: Any) -> None:
    """All who meet a `during` card, or all with the best positive count of an `end` card, score in full."""
    best = 1
    for p in range(wide(rules.players)):
        best = max(best, faux_pas_value(state, rules, p, i))
    for p in range(wide(rules.players)):
        if rules.faux_pas[i].at_end:
            if faux_pas_value(state, rules, p, i) == best:
                score_faux_pas(state, rules, p, i)
        elif meets(state, rules, p, i):
            score_faux_pas(state, rules, p, i)
    state.faux_pas_open[i] = 2
