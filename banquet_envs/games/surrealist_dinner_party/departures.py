"""Guests going home, the abilities without an icon, and the end of the game."""

from __future__ import annotations

from typing import Any

from numpy import int64 as wide

from banquet_envs.core.compile import rule
from banquet_envs.core.rewards import rank_by
from banquet_envs.games.surrealist_dinner_party.abilities import (
    condition_met,
    offer,
    start_departure,
    start_effect,
    usable,
    usable_now,
)
from banquet_envs.games.surrealist_dinner_party.components import (
    AT_COURSE_START,
    DOOR_ICON,
    STASH,
    WHEN_NEIGHBOUR_LEAVES,
    WHEN_NEIGHBOUR_RECEIVES,
    WHEN_RECEIVES,
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
    C_USER,
    C_X,
    DOOR,
    FINISHED,
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
    is_neighbour,
    leave_seat,
    left_of,
    matched_on,
    matches,
    meets,
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
    return neighbours_notice(state, rules, f)


@rule
def collect(state: Any, rules: Any, f: Any) -> None:
    """Matching tokens go to the stash, the others to the kitchen. Neighbours are read just before."""
    g = wide(state.frame[f, C_GUEST])
    owner = wide(state.frame[f, C_USER])
    state.frame[f, C_LEFT] = left_of(state, rules, g)
    state.frame[f, C_RIGHT] = right_of(state, rules, g)
    content = matched_on(state, rules, g) == rules.guests[g].appetites
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


@rule
def neighbours_notice(state: Any, rules: Any, f: Any) -> Any:
    """No-icon abilities of the leaver's neighbours, from the active player clockwise. C_X: who has been asked."""
    if rules.abilities and state.stage == PLAYING and not wide(state.frame[f, C_SILENT]):
        for k in range(rules.players):
            p = clockwise(rules, wide(state.active), k)
            for s in range(state.seated[p]):
                h = wide(state.row[p, s])
                side = 1 if h == wide(state.frame[f, C_LEFT]) else 2 if h == wide(state.frame[f, C_RIGHT]) else 0
                if (
                    side != 0
                    and wide(state.frame[f, C_X]) & side == 0
                    and rules.guests[h].trigger == WHEN_NEIGHBOUR_LEAVES
                    and usable_now(state, rules, h, p)
                ):
                    state.frame[f, C_X] |= side
                    offer(state, rules, h, wide(-1), wide(0))
                    return False
    pop(state)
    return False


# ---------------------------------------------------------------- abilities without an icon


@rule
def run_events(state: Any, rules: Any, f: Any) -> Any:
    """Who waits for the tokens just handed out: by order of cause, then from the active player. C_N: which event."""
    while wide(state.frame[f, C_N]) < state.events:
        h = next_listener(state, rules, wide(state.frame[f, C_N]))
        if h >= 0:
            state.asked |= 1 << h
            offer(state, rules, h, wide(-1), wide(state.event[wide(state.frame[f, C_N]), 1]))
            return False
        state.frame[f, C_N] += 1
        state.asked = 0
    clear_events(state)
    pop(state)
    return False


@rule
def next_listener(state: Any, rules: Any, e: Any) -> Any:
    """The next seated guest whose ability the event sets off and that was not yet asked; -1 if there is none."""
    for k in range(rules.players):
        p = clockwise(rules, wide(state.active), k)
        for s in range(state.seated[p]):
            h = wide(state.row[p, s])
            if state.asked & (1 << h) == 0 and listens(state, rules, h, e) and usable_now(state, rules, h, p):
                return h
    return -1


@rule
def listens(state: Any, rules: Any, h: Any, e: Any) -> Any:
    """Whether a token handed out sets off the ability of guest `h`."""
    receiver = wide(state.event[e, 0])
    kind = wide(state.event[e, 1])
    if rules.guests[h].opponent_only and wide(state.event[e, 2]) == wide(state.owner[h]):
        return False
    trigger = rules.guests[h].trigger
    if trigger == WHEN_RECEIVES:
        return receiver == h and rules.guests[h].trigger_tokens[kind] != 0
    if trigger == WHEN_NEIGHBOUR_RECEIVES:
        return (
            receiver != h
            and rules.guests[h].trigger_tokens[kind] != 0
            and state.where[receiver] == SEATED
            and is_neighbour(state, rules, h, receiver)
        )
    return False


@rule
def run_course(state: Any, rules: Any, f: Any) -> Any:
    """Abilities at the start of a course, from the player about to move, clockwise."""
    for k in range(rules.players if rules.abilities else 0):
        p = clockwise(rules, wide(state.frame[f, C_USER]), k)
        for s in range(state.seated[p]):
            h = wide(state.row[p, s])
            if (
                state.asked & (1 << h) == 0
                and rules.guests[h].trigger == AT_COURSE_START
                and usable_now(state, rules, h, p)
            ):
                state.asked |= 1 << h
                offer(state, rules, h, wide(-1), wide(0))
                return False
    state.asked = 0
    pop(state)
    return False


@rule
def offer_social(state: Any, rules: Any, g: Any, partner: Any, kind: Any) -> None:
    """The picked guest's own ability may pass the token on to its other neighbour; idle with two guests in all."""
    if not rules.abilities or state.where[g] != SEATED or rules.guests[g].trigger != WHEN_SOCIAL:
        return
    left = left_of(state, rules, g)
    right = right_of(state, rules, g)
    other = right if left == partner else left
    if left == right:
        other = -1
    if usable(state, rules, g, wide(state.owner[g]), other, wide(-1), wide(0)):
        offer(state, rules, g, other, kind)


# ---------------------------------------------------------------- the end of the game


@rule
def begin_last_departures(state: Any) -> None:
    """Dessert has been eaten: everybody sends the remaining guests home, from the left of the finisher."""
    state.stage = LAST_DEPARTURES
    state.step = 0
    state.last_seat = 0
    state.last_row[:, :] = state.row


@rule
def run_last_departures(state: Any, rules: Any) -> Any:
    """(a) One guest at a time, in an order of the owner's choice."""
    p = clockwise(rules, wide(state.last_taker), 1 + state.last_seat)
    if state.step == 1:
        state.step = 0
        start_departure(state, wide(state.row[p, wide(state.answer) - HOME]), wide(0))
        return False
    if state.seated[p] > 0:
        state.step = 1
        return ask(state, p, WHO_LEAVES)
    state.last_seat += 1
    if state.last_seat == rules.players:
        state.stage = LAST_DOORS
        state.last_seat = 0
    return False


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
