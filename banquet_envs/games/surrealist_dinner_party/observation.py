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
    ABILITY_SIZE,
    CARD_SIZE,
    COLOURS,
    COURSES,
    HAND,
    JOKER,
    KINDS,
    MAX_APPETITES,
    PLATE_ICON,
    SEATS,
    SWAP,
)
from banquet_envs.games.surrealist_dinner_party.hidden import (
    can_move,
    first_look,
    holder_of,
    is_unseen,
    pack_at,
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
    SEATED,
    WHICH_TOKEN,
)
from banquet_envs.games.surrealist_dinner_party.table import (
    clockwise,
    faux_pas_value,
    platter_size,
    spot_of,
)

SEATED_SIZE = 2 + COLOURS + 8 + MAX_APPETITES + ABILITY_SIZE
STAGES = 6
THIRD, FIFTH, SIXTH, TENTH = 1 / 3, 1 / 5, 1 / 6, 1 / 10  # products are faster than quotients
THIRTEENTH, TWENTY_FIFTH, THIRTIETH = 1 / 13, 1 / 25, 1 / 30

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
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    at = see_clock(state, rules, player, out)
    at = see_seats(state, rules, player, out, at)
    at = see_faux_pas(state, rules, player, out, at)
    at = see_question(state, rules, player, out, at)
    for k in range(rules.players):
        p = clockwise(rules, player, k)
        for s in range(state.seated[p]):
            seat = at + s * SEATED_SIZE
            see_guest(state, rules, p, wide(state.row[p, s]), out[seat : seat + SEATED_SIZE])
        at += SEATS * SEATED_SIZE
    for j in range(HAND):
        see_card(rules, card_in_hand(state, rules, player, j), out[at : at + CARD_SIZE])
        at += CARD_SIZE
    see_holders(state, rules, player, out, at)


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then clockwise."""
    return seat - player if seat >= player else seat - player + rules.players


@rule
def see_clock(state: Any, rules: Any, player: Any, out: Any) -> Any:
    """From phase to half."""
    n = rules.players
    at = PHASES + STAGES
    if not state.over:
        out[state.phase] = 1
        out[at + relative(rules, player, wide(state.player))] = 1
    out[PHASES + state.stage] = 1
    out[at + n + relative(rules, player, wide(state.active))] = 1
    at += 2 * n
    out[at + state.course] = 1
    at += COURSES
    platter = out[at : at + KINDS]
    to_come = out[at + KINDS + 1 : at + 2 * KINDS + 1]
    for kind in range(KINDS):
        platter[kind] = state.platter[kind] * THIRTEENTH
        to_come[kind] = rules.to_come[state.course, kind] * TWENTY_FIFTH
    out[at + KINDS] = platter_size(state) * THIRTEENTH
    at += 2 * KINDS + 1
    if state.last_taker >= 0:
        out[at + relative(rules, player, wide(state.last_taker))] = 1
    at += n
    if state.first_half > 0:
        out[at + state.first_half - 1] = 1
    return at + 2


@rule
def see_seats(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """From plate_used to lead."""
    n = rules.players
    for k in range(n):
        p = clockwise(rules, player, k)
        out[at + k] = state.plate_used[p]
        out[at + n + k] = state.turns[p] > 0
        out[at + 2 * n + k] = state.hand_size[p] * SIXTH
        stash = out[at + 3 * n + k * KINDS : at + 3 * n + (k + 1) * KINDS]
        for kind in range(KINDS):
            stash[kind] = state.stash[p, kind] / 8
        out[at + 3 * n + n * KINDS + k] = state.points[p] * THIRTIETH
    at += 4 * n + n * KINDS
    for kind in range(KINDS):
        best = 0
        for k in range(1, n):
            best = max(best, wide(state.stash[clockwise(rules, player, k), kind]))
        out[at + kind] = (state.stash[player, kind] - best) * FIFTH
    return at + KINDS


@rule
def see_faux_pas(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """From faux_pas to faux_pas_points."""
    n = rules.players
    lead = at - KINDS
    for i in range(rules.num_faux_pas):
        out[at] = state.faux_pas_open[i] == 1
        out[at + 1] = state.faux_pas_open[i] == 2
        if rules.faux_pas[i].kinds == 1:  # nearly all: the lead in that kind
            out[at + 2] = out[lead + rules.faux_pas[i].token[0]]
        else:
            best = 0
            for k in range(1, n):
                best = max(best, faux_pas_value(state, rules, clockwise(rules, player, k), i))
            out[at + 2] = (faux_pas_value(state, rules, player, i) - best) * FIFTH
        at += 3
    for k in range(2):
        if state.faux_pas_dealt[player, k] >= 0:
            out[at + state.faux_pas_dealt[player, k]] = 1
    at += rules.num_faux_pas
    if state.faux_pas_choice[player] > 0:
        out[at + state.faux_pas_choice[player] - 1] = 1
    at += 3
    for k in range(n):
        out[at + k] = state.faux_pas_points[clockwise(rules, player, k)] * TENTH
    return at + n


@rule
def see_question(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """From asking_kind to last_row: the running effect on top of the stack."""
    n = rules.players
    ability_at = at + KINDS + n * (2 * SEATS + 1)
    if state.depth > 0:
        f = wide(state.depth) - 1
        what = wide(state.frame[f, C_KIND])
        guest = wide(state.frame[f, C_GUEST])
        kind, other, ability = -1, -1, -1
        if what == F_TOKEN:
            kind = wide(state.frame[f, C_TOKEN])
        if what == F_EFFECT or what == F_ASK or what == F_HOME:
            ability = guest
            out[ability_at + ABILITY_SIZE] = state.frame[f, C_N] * THIRD
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
        if kind >= 0:
            out[at + kind] = 1
        see_place(state, rules, player, guest, out, at + KINDS)
        see_place(state, rules, player, other, out, at + KINDS + n * SEATS)
        out[ability_at - n + relative(rules, player, wide(state.frame[f, C_USER]))] = 1
        see_ability(rules, ability, out[ability_at : ability_at + ABILITY_SIZE])
    at = ability_at + ABILITY_SIZE + 1
    for k in range(SEATS):
        out[at + k] = rules.card[state.last_row[player, k], 1]
    return at + SEATS


@rule
def see_place(state: Any, rules: Any, player: Any, g: Any, out: Any, at: Any) -> None:
    """A guest's seat, one-hot; nothing for -1 or a guest that has left."""
    if g >= 0 and state.where[g] == SEATED:
        out[at + relative(rules, player, wide(state.owner[g])) * SEATS + spot_of(state, g)] = 1


@rule
def see_ability(rules: Any, g: Any, out: Any) -> None:
    """What an ability does; zeros for -1 and in casual mode."""
    copy(rules.card[g], CARD_SIZE - ABILITY_SIZE, ABILITY_SIZE, out)


@rule
def copy(card: Any, start: Any, size: Any, out: Any) -> None:
    """Copy features of a card, four at a time (`size` is a multiple): the compiler makes vector instructions of it."""
    for k in range(0, size, 4):
        a, b, c, d = card[start + k], card[start + k + 1], card[start + k + 2], card[start + k + 3]
        out[k], out[k + 1], out[k + 2], out[k + 3] = a, b, c, d


@rule
def see_guest(state: Any, rules: Any, p: Any, g: Any, out: Any) -> None:
    """One entry of guest: `g` in the row of player `p`."""
    at = 2 + COLOURS
    copy(rules.card[g], 0, at, out)
    size = wide(rules.guests[g].appetites)
    filled, matched = 0, 0
    for a in range(MAX_APPETITES):  # without branches, which nobody could predict; beyond the last, all is -1
        colour, kind = rules.guests[g].appetite[a], state.token[g, a]
        here = kind >= 0
        out[2 + colour] -= 0.5 * here
        out[at + 8 + a] = (kind + 1) * FIFTH
        filled += here
        matched += here & ((colour == kind) | (colour == JOKER))
    empty = size - filled
    out[at] = size * SIXTH
    out[at + 1] = empty * SIXTH
    out[at + 2] = matched * SIXTH
    out[at + 3] = (filled - matched) * SIXTH
    out[at + 4] = matched == size
    out[at + 5] = matched == filled
    if rules.abilities:
        out[at + 6] = plate_ready(state, rules, p, g)
        out[at + 7] = state.plate_done >> g & 1
        see_ability(rules, g, out[SEATED_SIZE - ABILITY_SIZE : SEATED_SIZE])


@rule
def plate_ready(state: Any, rules: Any, p: Any, g: Any) -> Any:
    """Whether the guest's plate ability would do something and its owner has a use left in this course."""
    if rules.guests[g].icon != PLATE_ICON or state.plate_done >> g & 1:
        return False
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
def see_card(rules: Any, g: Any, out: Any) -> None:
    """One entry of card; zeros for -1."""
    copy(rules.card[g], 0, CARD_SIZE, out)


@rule
def see_holders(state: Any, rules: Any, player: Any, out: Any, at: Any) -> None:
    """holds, seen, gone."""
    n, guests = rules.players, rules.num_guests
    where = state.where[:guests]
    seen = out[at + n * guests : at + (n + 1) * guests]
    gone = out[at + (n + 1) * guests : at + (n + 2) * guests]
    see_packs(state, rules, player, seen)
    pool = 0
    for g in range(guests):
        gone[g] = where[g] == GONE
        pool += (where[g] == HIDDEN) & (seen[g] == 0)
    for j in range(HAND):
        if state.hand[player, j] >= 0:
            out[at + state.hand[player, j]] = 1
    for r in range(1, n):
        q = clockwise(rules, player, r)
        holds = out[at + r * guests : at + (r + 1) * guests]
        chance = unseen_held(state, rules, player, q) / pool if pool > 0 else 0.0
        for g in range(guests):
            holds[g] = chance if (where[g] == HIDDEN) & (seen[g] == 0) else 0.0
        for k in range(n if rules.draft else 0):
            see_sets(state, rules, player, q, k, holds)


@rule
def see_packs(state: Any, rules: Any, player: Any, seen: Any) -> None:
    """The cards that the player has seen in packs."""
    for k in range(rules.players):
        for i in range(rules.hand_size):
            if not is_unseen(state, rules, player, k, i):
                seen[state.pack[k, i]] = 1


@rule
def unseen_held(state: Any, rules: Any, player: Any, q: Any) -> Any:
    """Hidden cards that `q` holds and `player` has never seen."""
    if not rules.draft:
        return wide(state.hand_size[q])
    count = 0
    for k in range(rules.players):
        for i in range(first_look(rules, q, k), min(wide(state.draft_round), rules.hand_size), rules.players):
            if is_unseen(state, rules, player, k, i) and state.where[state.pack[k, i]] == HIDDEN:
                count += 1
    return count


@rule
def see_sets(state: Any, rules: Any, player: Any, q: Any, k: Any, holds: Any) -> None:
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
        holds[state.pack[k, i]] = held / places
