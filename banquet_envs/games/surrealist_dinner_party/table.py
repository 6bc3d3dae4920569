"""The table: the ring of neighbours, the tokens on the guests, the platter, the stashes, and answers to be given."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.seats import seat_after
from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.components import JOKER, KINDS, MAX_APPETITES, SEATS, FauxPas
from banquet_envs.games.surrealist_dinner_party.state import COLUMNS, EVENTS, Column, Effect, Face, Stage, Where

# ---------------------------------------------------------------- the ring


@rule
def spot_of(state: State, g: int) -> int:
    """The place of a seated guest in its row, 0 is leftmost."""
    p = state.owner[g]
    for k in range(state.seated[p]):
        if state.row[p, k] == g:
            return k
    return -1


@rule
def left_of(state: State, rules: Rules, g: int) -> int:
    """The guest to the left: in the own row, else the rightmost of the next player clockwise; -1 if alone."""
    return left_at(state, rules, state.owner[g], spot_of(state, g))


@rule
def left_at(state: State, rules: Rules, p: int, spot: int) -> int:
    """The guest to the left of the one at a place of a row."""
    if spot > 0:
        return state.row[p, spot - 1]
    for k in range(1, rules.players + 1):
        q = seat_after(rules, p, k)
        if state.seated[q] > 0:
            other = state.row[q, state.seated[q] - 1]
            return -1 if other == state.row[p, spot] else other
    return -1


@rule
def right_of(state: State, rules: Rules, g: int) -> int:
    """The guest to the right: in the own row, else the leftmost of the next player counter-clockwise; -1 if alone."""
    return right_at(state, rules, state.owner[g], spot_of(state, g))


@rule
def right_at(state: State, rules: Rules, p: int, spot: int) -> int:
    """The guest to the right of the one at a place of a row."""
    if spot < state.seated[p] - 1:
        return state.row[p, spot + 1]
    for k in range(rules.players - 1, -1, -1):
        q = seat_after(rules, p, k)
        if state.seated[q] > 0:
            other = state.row[q, 0]
            return -1 if other == state.row[p, spot] else other
    return -1


@rule
def take_seat(state: State, p: int, g: int, gap: int) -> None:
    """Seat a guest with `gap` own guests to its left; those to its right move up, the order of the others is kept."""
    for k in range(state.seated[p], gap, -1):
        state.row[p, k] = state.row[p, k - 1]
    state.row[p, gap] = g
    state.seated[p] += 1
    state.where[g] = Where.SEATED
    state.owner[g] = p


@rule
def leave_seat(state: State, g: int) -> None:
    """The guest is gone and its row closes up."""
    p = state.owner[g]
    for k in range(spot_of(state, g), state.seated[p] - 1):
        state.row[p, k] = state.row[p, k + 1]
    state.seated[p] -= 1
    state.row[p, state.seated[p]] = -1
    state.where[g] = Where.GONE


# ---------------------------------------------------------------- tokens on guests


@rule
def matches(colour: int, kind: int) -> bool:
    """Whether a token counts on an appetite of this colour; the joker takes any."""
    return kind >= 0 and (colour == JOKER or colour == kind)


@rule
def tokens_on(state: State, g: int) -> int:
    """Tokens that lie on a guest; beyond its appetites there are none."""
    count = 0
    for a in range(MAX_APPETITES):
        count += state.token[g, a] >= 0
    return count


@rule
def room(state: State, rules: Rules, g: int) -> int:
    """Empty appetites of a guest."""
    return rules.guests[g].appetites - tokens_on(state, g)


@rule
def matched_on(state: State, rules: Rules, g: int) -> int:
    """Tokens on a guest that match their appetite."""
    count = 0
    for a in range(rules.guests[g].appetites):
        if matches(rules.guests[g].appetite[a], state.token[g, a]):
            count += 1
    return count


@rule
def matched_of(state: State, rules: Rules, g: int, kind: int) -> int:
    """Tokens of one kind on a guest that match their appetite."""
    count = 0
    for a in range(rules.guests[g].appetites):
        if state.token[g, a] == kind and matches(rules.guests[g].appetite[a], kind):
            count += 1
    return count


@rule
def is_content(state: State, rules: Rules, g: int) -> bool:
    """Whether every appetite of a guest is matched: it is perfectly content."""
    return matched_on(state, rules, g) == rules.guests[g].appetites


@rule
def first_empty(state: State, rules: Rules, g: int, colour: int) -> int:
    """The first empty appetite of a colour; -1 if there is none."""
    for a in range(rules.guests[g].appetites):
        if state.token[g, a] < 0 and rules.guests[g].appetite[a] == colour:
            return a
    return -1


@rule
def empty_colours(state: State, rules: Rules, g: int) -> int:
    """The colours of a guest's empty appetites, as bits."""
    bits = 0
    for a in range(rules.guests[g].appetites):
        if state.token[g, a] < 0:
            bits |= 1 << int(rules.guests[g].appetite[a])
    return bits


@rule
def token_choices(state: State, rules: Rules, g: int) -> int:
    """The appetites with a token, as bits; of equal tokens on equal colours only the first."""
    bits = 0
    for a in range(rules.guests[g].appetites):
        if state.token[g, a] >= 0:
            new = True
            for b in range(a):
                if (
                    state.token[g, b] == state.token[g, a]
                    and rules.guests[g].appetite[b] == rules.guests[g].appetite[a]
                ):
                    new = False
            if new:
                bits |= 1 << a
    return bits


# ---------------------------------------------------------------- platter and stashes


@rule
def platter_size(state: State) -> int:
    """Tokens on the platter."""
    total = 0
    for k in range(KINDS):
        total += state.platter[k]
    return total


@rule
def take_from_platter(state: State, p: int, kind: int) -> None:
    """A token leaves the platter; whoever takes the last one is remembered."""
    state.platter[kind] -= 1
    if platter_size(state) == 0:
        state.last_taker = p


@rule
def stash_size(state: State, p: int) -> int:
    """Tokens in a stash."""
    total = 0
    for k in range(KINDS):
        total += state.stash[p, k]
    return total


@rule
def update_points(state: State, rules: Rules, p: int) -> None:
    """Points so far: the stash and the Faux Pas scored."""
    state.points[p] = stash_size(state, p) * rules.token_points + state.faux_pas_points[p]


@rule
def add_to_stash(state: State, rules: Rules, p: int, kind: int) -> None:
    """One token into the stash, and a look at the Faux Pas that are scored during the game."""
    state.stash[p, kind] += 1
    stash_changed(state, rules, p)


@rule
def stash_changed(state: State, rules: Rules, p: int) -> None:
    """The first player to meet an open `during` card scores it; the last departures are looked at as one step."""
    if state.stage == Stage.PLAYING:
        for i in range(rules.num_faux_pas):
            if state.faux_pas_open[i] == Face.OPEN and not rules.faux_pas[i].at_end and meets(state, rules, p, i):
                score_faux_pas(state, rules, p, i)
                state.faux_pas_open[i] = Face.SCORED
    update_points(state, rules, p)


@rule
def faux_pas_value(state: State, rules: Rules, p: int, i: int) -> int:
    """What a Faux Pas counts in a stash: tokens of its kinds (most, first_to), or sets of them (sets, first_set)."""
    total = 0
    least = 10000
    for j in range(rules.faux_pas[i].kinds):
        held = state.stash[p, rules.faux_pas[i].token[j]]
        total += held
        least = min(least, held)
    kind = rules.faux_pas[i].kind
    return total if kind == FauxPas.MOST or kind == FauxPas.FIRST_TO else least


@rule
def meets(state: State, rules: Rules, p: int, i: int) -> bool:
    """Whether a stash meets a `during` card."""
    return faux_pas_value(state, rules, p, i) >= rules.faux_pas[i].count


@rule
def score_faux_pas(state: State, rules: Rules, p: int, i: int) -> None:
    """The player gets the card's points in full."""
    state.faux_pas_points[p] += rules.faux_pas[i].points
    state.faux_pas_by[i] |= 1 << int(p)


@rule
def most_of(state: State, rules: Rules, p: int, kind: int) -> bool:
    """Whether the stash holds strictly more of a kind than that of each opponent."""
    for q in range(rules.players):
        if q != p and state.stash[q, kind] >= state.stash[p, kind]:
            return False
    return True


# ---------------------------------------------------------------- running effects and answers


@rule
def push(state: State, kind: int, user: int) -> int:
    """Start an effect on top of the stack; its row, for the caller to fill in."""
    f = state.depth
    for c in range(COLUMNS):
        state.frame[f, c] = 0
    state.frame[f, Column.KIND] = kind
    state.frame[f, Column.USER] = user
    state.depth += 1
    return f


@rule
def pop(state: State) -> None:
    """The effect on top is done; its row is blank again, so that equal positions have equal bytes."""
    f = state.depth - 1
    for c in range(COLUMNS):
        state.frame[f, c] = 0
    state.depth = f


@rule
def ask(state: State, p: int, phase: int) -> bool:
    """A player has to decide something."""
    state.player = p
    state.phase = phase
    return True


@rule
def note_event(state: State, guests: int, kind: int) -> None:
    """Something that sets off the abilities of some guests (bits); they come up when the running effect is done."""
    if guests != 0 and state.events < EVENTS:
        state.waiting[state.events] = guests
        state.event[state.events] = kind
        state.events += 1


@rule
def clear_events(state: State) -> None:
    """All events have been dealt with."""
    for k in range(state.events):
        state.waiting[k] = 0
        state.event[k] = 0
    state.events = 0


@rule
def hear_events(state: State, user: int) -> None:
    """Now the guests come up whose abilities wait for what has been noted."""
    if state.events > 0:
        push(state, Effect.EVENTS, user)


@rule
def guest_at(state: State, rules: Rules, player: int, seat: int) -> int:
    """The guest at seat number 0-11 as `player` counts (own row first, then clockwise); -1 if the seat is empty."""
    p = seat_after(rules, player, seat // SEATS)
    k = seat % SEATS
    return state.row[p, k] if k < state.seated[p] else -1
