"""What a seat sees: the observation vector and the layout that explains it.

Guests are described by attributes (what they crave, what lies on them, what their ability does), so that what is learnt
about one guest helps with others; a number identifies the guest all the same. What a seat knows of hands from the draft
is given as chances: exact, if picks are taken as uniform. Each `see_*` function writes its slices in the layout's order
and returns the index after them.
"""

from __future__ import annotations

from typing import Any

from numpy import int64 as wide

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.games.surrealist_dinner_party.abilities import usable_now
from banquet_envs.games.surrealist_dinner_party.components import (
    COLOURS,
    COURSES,
    DOOR_ICON,
    EACH_OWN,
    HAND,
    IF_MOST,
    KINDS,
    MAX_APPETITES,
    ONE_ANY,
    ONE_OWN,
    OWN_OWN,
    OWN_SPREAD,
    OWNER,
    PLATE_ICON,
    SEATS,
    SELF,
    SELF_NEIGHBOUR,
    SELF_OR_NEIGHBOUR,
    SWAP,
)
from banquet_envs.games.surrealist_dinner_party.hidden import (
    can_move,
    holder_of,
    is_unseen,
    pack_at,
    seen_guests,
    segment_of,
)
from banquet_envs.games.surrealist_dinner_party.state import (
    C_A,
    C_B,
    C_GUEST,
    C_KIND,
    C_N,
    C_STEP,
    C_TOKEN,
    C_USER,
    C_X,
    DRAFTING,
    F_ASK,
    F_EFFECT,
    F_HOME,
    F_TOKEN,
    GONE,
    HIDDEN,
    PHASES,
    WHICH_TOKEN,
)
from banquet_envs.games.surrealist_dinner_party.table import (
    faux_pas_value,
    guest_at,
    matches,
    platter_size,
)

ABILITY_SIZE = 20
CARD_SIZE = 2 + COLOURS + ABILITY_SIZE
SEATED_SIZE = 2 + COLOURS + 8 + MAX_APPETITES + ABILITY_SIZE
STAGES = 6

_ABILITY = (
    "ability: plate, door; kind of ability 8; count / 3; kinds it hands out 5; touches itself, own guests, others' guests;"
    " needs the most of a kind in the stash"
)


def observation_layout(rules: Any) -> Layout:
    """The observation's slices. The width depends on the players and on the numbers of guests and Faux Pas in the box."""
    n, guests, faux = int(rules.players), int(rules.num_guests), int(rules.num_faux_pas)
    return Layout(
        [
            Slice("phase", (PHASES,), "one-hot: draft, keep Faux Pas, action, second half of playing a guest, next plate ability,"
                  " whether, which kind, which guest, which token, which appetite, who leaves, which door"),
            Slice("stage", (STAGES,), "one-hot: draft, Faux Pas, play, last departures, last door abilities, over"),
            Slice("seat_to_move", (n,), "one-hot, own seat first, then clockwise"),
            Slice("active", (n,), "whose turn it is, one-hot, own seat first"),
            Slice("course", (COURSES,), "one-hot"),
            Slice("platter", (KINDS + 1,), "tokens on the platter by kind, then in all, / 13"),
            Slice("to_come", (KINDS,), "tokens of the courses to come by kind, / 25"),
            Slice("last_taker", (n,), "who emptied the platter in the running action, one-hot"),
            Slice("half", (2,), "playing a guest: one has been seated; one has been sent home"),
            Slice("plate_used", (n,), "plate abilities used in this course"),
            Slice("began", (n,), "has had a turn"),
            Slice("hand_size", (n,), "cards in hand / 6"),
            Slice("stash", (n, KINDS), "stashes by kind / 8"),
            Slice("points", (n,), "points so far / 30"),
            Slice("lead", (KINDS,), "own stash minus the best other one, by kind, / 5"),
            Slice("faux_pas", (faux, 3), "each Faux Pas: face up and open; scored; own count minus the best other one / 5"),
            Slice("own_faux_pas", (faux,), "Faux Pas dealt to the own seat", False),
            Slice("own_keep", (3,), "the own choice: first, second, both", False),
            Slice("faux_pas_points", (n,), "points from Faux Pas / 10"),
            Slice("asking_kind", (KINDS,), "the token that arrives, set the question off, or is the first of a swap; one-hot"),
            Slice("asking_guest", (n, SEATS), "the guest asked about (receiving, or whose ability it is), one-hot"),
            Slice("asking_other", (n, SEATS), "the guest whose token is being chosen or was chosen first for a swap, one-hot"),
            Slice("asking_user", (n,), "who gives the token or uses the ability, one-hot"),
            Slice("asking_ability", (ABILITY_SIZE + 1,), f"{_ABILITY}; tokens handled so far / 3"),
            Slice("last_row", (SEATS,), "last departures: own guests by their seats, (number + 1) / guests"),
            Slice("guest", (n, SEATS, SEATED_SIZE), "seats from the left: taken, (number + 1) / guests; empty appetites by colour"
                  " (joker last) / 2; size, empty, matched, mismatched, each / 6; perfectly content; may still become so;"
                  " plate ability usable now, used in this action; tokens on appetites 0-5 (sorted by colour), (kind + 1) / 5; "
                  + _ABILITY),
            Slice("card", (HAND, CARD_SIZE), "the own hand by slot, in the draft the own pack: present,"
                  " (number + 1) / guests; appetites by colour / 2; " + _ABILITY, False),
            Slice("holds", (n, guests), "chance that the seat (own first) holds the guest in hand, from all that was seen", False),
            Slice("seen", (guests,), "seen by the own seat in the deal or the draft", False),
            Slice("gone", (guests,), "has gone home"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,)."""
    at = see_clock(state, rules, player, out)
    at = see_seats(state, rules, player, out, at)
    at = see_faux_pas(state, rules, player, out, at)
    at = see_question(state, rules, player, out, at)
    for k in range(rules.players * SEATS):
        at = see_guest(state, rules, guest_at(state, rules, player, k), out, at)
    for j in range(HAND):
        at = see_card(rules, card_in_hand(state, rules, player, j), out, at)
    see_holders(state, rules, player, out, at)


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then clockwise."""
    return (seat - player + rules.players) % rules.players


@rule
def one_hot(out: Any, at: Any, size: Any, index: Any) -> Any:
    """A one-hot run; all zero for an index outside."""
    for k in range(size):
        out[at + k] = k == index
    return at + size


@rule
def see_clock(state: Any, rules: Any, player: Any, out: Any) -> Any:
    """From phase to half."""
    n = rules.players
    at = one_hot(out, 0, PHASES, -1 if state.over else state.phase)
    at = one_hot(out, at, STAGES, state.stage)
    at = one_hot(out, at, n, -1 if state.over else relative(rules, player, wide(state.player)))
    at = one_hot(out, at, n, relative(rules, player, wide(state.active)))
    at = one_hot(out, at, COURSES, state.course)
    for kind in range(KINDS):
        out[at + kind] = state.platter[kind] / 13
        coming = 0
        for c in range(state.course + 1, COURSES):
            coming += rules.menu[c, kind]
        out[at + KINDS + 1 + kind] = coming / 25
    out[at + KINDS] = platter_size(state) / 13
    at += 2 * KINDS + 1
    at = one_hot(out, at, n, -1 if state.last_taker < 0 else relative(rules, player, state.last_taker))
    return one_hot(out, at, 2, state.first_half - 1)


@rule
def see_seats(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """From plate_used to lead."""
    n = rules.players
    for k in range(n):
        p = (player + k) % n
        out[at + k] = state.plate_used[p]
        out[at + n + k] = state.turns[p] > 0
        out[at + 2 * n + k] = state.hand_size[p] / HAND
        for kind in range(KINDS):
            out[at + 3 * n + k * KINDS + kind] = state.stash[p, kind] / 8
        out[at + 3 * n + n * KINDS + k] = state.points[p] / 30
    at += 4 * n + n * KINDS
    for kind in range(KINDS):
        best = 0
        for k in range(1, n):
            best = max(best, wide(state.stash[(player + k) % n, kind]))
        out[at + kind] = (state.stash[player, kind] - best) / 5
    return at + KINDS


@rule
def see_faux_pas(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """From faux_pas to faux_pas_points."""
    n = rules.players
    for i in range(rules.num_faux_pas):
        best = 0
        for k in range(1, n):
            best = max(best, faux_pas_value(state, rules, (player + k) % n, i))
        out[at] = state.faux_pas_open[i] == 1
        out[at + 1] = state.faux_pas_open[i] == 2
        out[at + 2] = (faux_pas_value(state, rules, player, i) - best) / 5
        at += 3
    for i in range(rules.num_faux_pas):
        out[at + i] = state.faux_pas_dealt[player, 0] == i or state.faux_pas_dealt[player, 1] == i
    at = one_hot(out, at + rules.num_faux_pas, 3, state.faux_pas_choice[player] - 1)
    for k in range(n):
        out[at + k] = state.faux_pas_points[(player + k) % n] / 10
    return at + n


@rule
def see_question(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """From asking_kind to last_row: the running effect on top of the stack."""
    n = rules.players
    f = wide(state.depth) - 1
    kind, guest, other, user, ability, count = -1, -1, -1, -1, -1, 0
    if f >= 0:
        what = wide(state.frame[f, C_KIND])
        user = relative(rules, player, wide(state.frame[f, C_USER]))
        guest = wide(state.frame[f, C_GUEST])
        if what == F_TOKEN:
            kind = wide(state.frame[f, C_TOKEN])
        if what == F_EFFECT or what == F_ASK or what == F_HOME:
            ability = guest
            count = wide(state.frame[f, C_N])
        if state.phase == WHICH_TOKEN:
            other = wide(state.frame[f, C_B])
        if (what == F_EFFECT or what == F_ASK) and rules.guests[guest].same:
            kind = wide(state.frame[f, C_TOKEN])
        if what == F_EFFECT and rules.guests[guest].kind == SWAP and wide(state.frame[f, C_STEP]) > 2:
            first = wide(state.frame[f, C_A])  # the first half of a swap has been picked, not yet lifted
            kind = wide(state.token[first, state.frame[f, C_X]])
            if state.phase != WHICH_TOKEN:
                other = first
        if what == F_TOKEN and f > 0 and state.frame[f - 1, C_KIND] == F_EFFECT:
            ability = wide(state.frame[f - 1, C_GUEST])
    at = one_hot(out, at, KINDS, kind)
    at = see_place(state, rules, player, guest, out, at)
    at = see_place(state, rules, player, other, out, at)
    at = one_hot(out, at, n, user)
    at = see_ability(rules, ability, out, at)
    out[at] = count / 3
    at += 1
    for k in range(SEATS):
        out[at + k] = (state.last_row[player, k] + 1) / rules.num_guests
    return at + SEATS


@rule
def see_place(state: Any, rules: Any, player: Any, g: Any, out: Any, at: Any) -> Any:
    """A guest's seat, one-hot; all zero for -1 or a guest that has left."""
    for k in range(rules.players * SEATS):
        out[at + k] = g >= 0 and guest_at(state, rules, player, k) == g
    return at + rules.players * SEATS


@rule
def see_ability(rules: Any, g: Any, out: Any, at: Any) -> Any:
    """What an ability does; zeros for -1 and in casual mode."""
    for k in range(ABILITY_SIZE):
        out[at + k] = 0
    if g >= 0 and rules.abilities:
        guest = rules.guests[g]
        out[at] = guest.icon == PLATE_ICON
        out[at + 1] = guest.icon == DOOR_ICON
        out[at + 2 + guest.kind] = 1
        out[at + 10] = guest.count / 3
        for kind in range(KINDS):
            out[at + 11 + kind] = guest.tokens[kind] != 0
        t = guest.target
        out[at + 16] = t == SELF or t == SELF_OR_NEIGHBOUR or t == SELF_NEIGHBOUR
        out[at + 17] = t == EACH_OWN or t == OWN_SPREAD or t == ONE_OWN or t == OWN_OWN
        out[at + 18] = t == ONE_ANY or (t < SELF_OR_NEIGHBOUR and t != SELF) or t == SELF_OR_NEIGHBOUR or t > OWNER
        out[at + 19] = guest.condition == IF_MOST
    return at + ABILITY_SIZE


@rule
def see_guest(state: Any, rules: Any, g: Any, out: Any, at: Any) -> Any:
    """One entry of guest."""
    if g < 0:
        for k in range(SEATED_SIZE):
            out[at + k] = 0
        return at + SEATED_SIZE
    out[at] = 1
    out[at + 1] = (g + 1) / rules.num_guests
    at += 2
    for c in range(COLOURS):
        out[at + c] = 0
    matched, empty, size = 0, 0, wide(rules.guests[g].appetites)
    code = at + COLOURS + 8
    for a in range(MAX_APPETITES):
        out[code + a] = (state.token[g, a] + 1) / KINDS
        if a < size:
            if state.token[g, a] < 0:
                out[at + rules.guests[g].appetite[a]] += 0.5
                empty += 1
            elif matches(rules.guests[g].appetite[a], state.token[g, a]):
                matched += 1
    at += COLOURS
    out[at] = size / 6
    out[at + 1] = empty / 6
    out[at + 2] = matched / 6
    out[at + 3] = (size - empty - matched) / 6
    out[at + 4] = matched == size
    out[at + 5] = matched + empty == size
    out[at + 6] = plate_ready(state, rules, g)
    out[at + 7] = state.plate_done & (1 << wide(g)) != 0
    return see_ability(rules, g, out, code + MAX_APPETITES)


@rule
def plate_ready(state: Any, rules: Any, g: Any) -> Any:
    """Whether the guest's plate ability would do something and its owner has a use left in this course."""
    if not rules.abilities or rules.guests[g].icon != PLATE_ICON or state.plate_done & (1 << wide(g)) != 0:
        return False
    p = wide(state.owner[g])
    running = p == wide(state.active) and state.plate_done != 0
    return (running or state.plate_used[p] < rules.plate_uses) and usable_now(state, rules, g, p)


@rule
def card_in_hand(state: Any, rules: Any, player: Any, j: Any) -> Any:
    """The guest in hand slot j; in the draft the j-th card of the pack in hand; -1 for none."""
    if state.stage != DRAFTING:
        return wide(state.hand[player, j])
    i = state.draft_round + j
    return wide(state.pack[pack_at(state, rules, player), i]) if i < rules.hand_size else -1


@rule
def see_card(rules: Any, g: Any, out: Any, at: Any) -> Any:
    """One entry of card."""
    out[at] = g >= 0
    out[at + 1] = (g + 1) / rules.num_guests
    at += 2
    for c in range(COLOURS):
        out[at + c] = 0
    if g >= 0:
        for a in range(rules.guests[g].appetites):
            out[at + rules.guests[g].appetite[a]] += 0.5
    return see_ability(rules, g, out, at + COLOURS)


@rule
def see_holders(state: Any, rules: Any, player: Any, out: Any, at: Any) -> None:
    """holds, seen, gone."""
    n = rules.players
    guests = rules.num_guests
    seen = seen_guests(state, rules, player)
    after = at + n * guests
    pool = 0
    for g in range(guests):
        known = seen & (1 << g) != 0
        out[at + g] = 0
        out[after + g] = known
        out[after + guests + g] = state.where[g] == GONE
        if state.where[g] == HIDDEN and not known:
            pool += 1
    for j in range(HAND):
        if state.hand[player, j] >= 0:
            out[at + state.hand[player, j]] = 1
    for r in range(1, n):
        q = (player + r) % n
        unknown = unseen_held(state, rules, player, q)
        for g in range(guests):
            unseen = state.where[g] == HIDDEN and seen & (1 << g) == 0
            out[at + r * guests + g] = unknown / pool if unseen else 0.0
        for k in range(n):
            see_sets(state, rules, player, q, k, out, at + r * guests)


@rule
def unseen_held(state: Any, rules: Any, player: Any, q: Any) -> Any:
    """Hidden cards that `q` holds and `player` has never seen."""
    count = 0
    for k in range(rules.players):
        for i in range(min(wide(state.draft_round), rules.hand_size)):
            if (
                holder_of(rules, k, i) == q
                and is_unseen(state, rules, player, k, i)
                and state.where[state.pack[k, i]] == HIDDEN
            ):
                count += 1
    return count


@rule
def see_sets(state: Any, rules: Any, player: Any, q: Any, k: Any, out: Any, at: Any) -> None:
    """Chances for the cards of pack k that `player` saw: each set is spread evenly over its places."""
    for i in range(rules.hand_size):
        if is_unseen(state, rules, player, k, i) or state.where[state.pack[k, i]] != HIDDEN:
            continue
        segment = segment_of(state, rules, player, k, i)
        if segment < 0:
            continue
        places = 0
        held = 0
        for j in range(rules.hand_size):
            if can_move(state, rules, player, k, j, segment):
                places += 1
                if j < state.draft_round and holder_of(rules, k, j) == q:
                    held += 1
        out[at + state.pack[k, i]] = held / places
