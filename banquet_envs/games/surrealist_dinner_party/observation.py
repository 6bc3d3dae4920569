"""What a seat sees: the observation vector and the layout that explains it.

Guests are described by attributes (what they crave, what lies on them, what their ability does), so that what is learnt
about one guest helps with others; a number identifies the guest all the same. What a seat knows of hands from the draft
is given as chances: exact, if picks are taken as uniform. Each `see_*` function writes the slices that it names;
`rules.at` holds where each begins.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.seats import relative, seat_after
from banquet_envs.core.types import Features, Rules, State
from banquet_envs.games.surrealist_dinner_party.abilities import usable_now
from banquet_envs.games.surrealist_dinner_party.components import (
    ABILITY_SIZE,
    CARD_ABILITY,
    CARD_APPETITES,
    CARD_SIZE,
    COURSES,
    HAND,
    JOKER,
    KINDS,
    MAX_APPETITES,
    SEATS,
    Ability,
    Icon,
)
from banquet_envs.games.surrealist_dinner_party.hidden import (
    can_move,
    first_look,
    holder_of,
    is_unseen,
    pack_at,
    segment_of,
)
from banquet_envs.games.surrealist_dinner_party.state import Column, Effect, Face, Phase, Stage, Where
from banquet_envs.games.surrealist_dinner_party.table import (
    faux_pas_value,
    platter_size,
    spot_of,
)

# What follows the card's number and its appetites, here the empty ones, in an entry of guest.
GUEST_TOKENS = CARD_ABILITY + 8
GUEST_ABILITY = GUEST_TOKENS + MAX_APPETITES
SEATED_SIZE = GUEST_ABILITY + ABILITY_SIZE
FAUX_PAS = 3  # features of a Faux Pas
THIRD, FIFTH, SIXTH, TENTH = 1 / 3, 1 / 5, 1 / 6, 1 / 10  # products are faster than quotients
THIRTEENTH, TWENTY_FIFTH, THIRTIETH = 1 / 13, 1 / 25, 1 / 30

_ABILITY = (
    "ability: plate, door; kind of ability 8; count / 3; kinds it hands out 5; touches itself, own guests, others' guests;"
    " needs the most of a kind in the stash"
)


def observation_layout(rules: Rules) -> Layout:
    """The observation's slices. The width depends on the players and on the numbers of guests and Faux Pas in the box."""
    n, guests, faux = int(rules.players), int(rules.num_guests), int(rules.num_faux_pas)
    return Layout(
        [
            Slice("phase", (len(Phase),), "one-hot: draft, keep Faux Pas, action, second half of playing a guest, next plate ability,"
                  " whether, which kind, which guest, which token, which appetite, who leaves, which door"),
            Slice("stage", (len(Stage),), "one-hot: draft, Faux Pas, play, last departures, last door abilities, over"),
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
            Slice("faux_pas", (faux, FAUX_PAS), "each Faux Pas: face up and open; scored; own count minus the best other one / 5"),
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


# Offsets are read from the rules before a loop, not in it: the compiler cannot know that writing features leaves them alone.


@rule
def observe(state: State, rules: Rules, player: int, out: Features) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    see_clock(state, rules, player, out)
    see_platter(state, rules, out)
    see_seats(state, rules, player, out)
    see_lead(state, rules, player, out)
    see_faux_pas(state, rules, player, out)
    see_own_faux_pas(state, rules, player, out)
    if state.depth > 0:
        see_question(state, rules, player, out, state.depth - 1)
    see_last_row(state, rules, player, out)
    see_rows(state, rules, player, out)
    see_hand(state, rules, player, out)
    see_holders(state, rules, player, out)


@rule
def see_clock(state: State, rules: Rules, player: int, out: Features) -> None:
    """phase, stage, seat_to_move, active, course, last_taker, half."""
    at = rules.at
    if not state.over:
        out[at.phase + state.phase] = 1
        out[at.seat_to_move + relative(rules, player, state.player)] = 1
    out[at.stage + state.stage] = 1
    out[at.active + relative(rules, player, state.active)] = 1
    out[at.course + state.course] = 1
    if state.last_taker >= 0:
        out[at.last_taker + relative(rules, player, state.last_taker)] = 1
    if state.first_half > 0:
        out[at.half + state.first_half - 1] = 1


@rule
def see_platter(state: State, rules: Rules, out: Features) -> None:
    """platter, to_come."""
    platter = out[rules.at.platter : rules.at.platter + KINDS + 1]
    to_come = out[rules.at.to_come : rules.at.to_come + KINDS]
    for kind in range(KINDS):
        platter[kind] = state.platter[kind] * THIRTEENTH
        to_come[kind] = rules.to_come[state.course, kind] * TWENTY_FIFTH
    platter[KINDS] = platter_size(state) * THIRTEENTH


@rule
def see_seats(state: State, rules: Rules, player: int, out: Features) -> None:
    """plate_used, began, hand_size, stash, points, faux_pas_points."""
    used, began, cards = rules.at.plate_used, rules.at.began, rules.at.hand_size
    stashes, points, faux_pas = rules.at.stash, rules.at.points, rules.at.faux_pas_points
    for k in range(rules.players):
        p = seat_after(rules, player, k)
        out[used + k] = state.plate_used[p]
        out[began + k] = state.turns[p] > 0
        out[cards + k] = state.hand_size[p] * SIXTH
        stash = out[stashes + k * KINDS : stashes + (k + 1) * KINDS]
        for kind in range(KINDS):
            stash[kind] = state.stash[p, kind] / 8
        out[points + k] = state.points[p] * THIRTIETH
        out[faux_pas + k] = state.faux_pas_points[p] * TENTH


@rule
def see_lead(state: State, rules: Rules, player: int, out: Features) -> None:
    """lead."""
    lead = rules.at.lead
    for kind in range(KINDS):
        best = 0
        for k in range(1, rules.players):
            best = max(best, state.stash[seat_after(rules, player, k), kind])
        out[lead + kind] = (state.stash[player, kind] - best) * FIFTH


@rule
def see_faux_pas(state: State, rules: Rules, player: int, out: Features) -> None:
    """faux_pas, by the lead of each kind where that is all it asks for, as in nearly all."""
    at, lead = rules.at.faux_pas, rules.at.lead
    for i in range(rules.num_faux_pas):
        out[at] = state.faux_pas_open[i] == Face.OPEN
        out[at + 1] = state.faux_pas_open[i] == Face.SCORED
        if rules.faux_pas[i].kinds == 1:
            out[at + 2] = out[lead + rules.faux_pas[i].token[0]]
        else:
            best = 0
            for k in range(1, rules.players):
                best = max(best, faux_pas_value(state, rules, seat_after(rules, player, k), i))
            out[at + 2] = (faux_pas_value(state, rules, player, i) - best) * FIFTH
        at += FAUX_PAS


@rule
def see_own_faux_pas(state: State, rules: Rules, player: int, out: Features) -> None:
    """own_faux_pas, own_keep."""
    own = rules.at.own_faux_pas
    for k in range(2):
        if state.faux_pas_dealt[player, k] >= 0:
            out[own + state.faux_pas_dealt[player, k]] = 1
    if state.faux_pas_choice[player] > 0:
        out[rules.at.own_keep + state.faux_pas_choice[player] - 1] = 1


@rule
def see_question(state: State, rules: Rules, player: int, out: Features, f: int) -> None:
    """From asking_kind to asking_ability: the running effect on top of the stack."""
    at = rules.at
    what = state.frame[f, Column.KIND]
    guest = state.frame[f, Column.GUEST]
    kind, other, ability = -1, -1, -1
    if what == Effect.TOKEN:
        kind = state.frame[f, Column.TOKEN]
    if what == Effect.ABILITY or what == Effect.ASK or what == Effect.HOME:
        ability = guest
        out[at.asking_ability + ABILITY_SIZE] = state.frame[f, Column.N] * THIRD
    if state.phase == Phase.WHICH_TOKEN:
        other = state.frame[f, Column.B]
    if (what == Effect.ABILITY or what == Effect.ASK) and rules.guests[guest].same:
        kind = state.frame[f, Column.TOKEN]
    if what == Effect.ABILITY and rules.guests[guest].kind == Ability.SWAP and state.frame[f, Column.STEP] > 2:
        first = state.frame[f, Column.A]  # the first half of a swap has been picked, not yet lifted
        kind = state.token[first, state.frame[f, Column.X]]
        if state.phase != Phase.WHICH_TOKEN:
            other = first
    if what == Effect.TOKEN and f > 0 and state.frame[f - 1, Column.KIND] == Effect.ABILITY:
        ability = state.frame[f - 1, Column.GUEST]
    if kind >= 0:
        out[at.asking_kind + kind] = 1
    see_place(state, rules, player, guest, out, at.asking_guest)
    see_place(state, rules, player, other, out, at.asking_other)
    out[at.asking_user + relative(rules, player, state.frame[f, Column.USER])] = 1
    see_ability(rules, ability, out[at.asking_ability : at.asking_ability + ABILITY_SIZE])


@rule
def see_last_row(state: State, rules: Rules, player: int, out: Features) -> None:
    """last_row."""
    at = rules.at.last_row
    for k in range(SEATS):
        out[at + k] = rules.card[state.last_row[player, k], 1]


@rule
def see_rows(state: State, rules: Rules, player: int, out: Features) -> None:
    """guest."""
    at = rules.at.guest
    for k in range(rules.players):
        p = seat_after(rules, player, k)
        for s in range(state.seated[p]):
            seat = at + s * SEATED_SIZE
            see_guest(state, rules, p, state.row[p, s], out[seat : seat + SEATED_SIZE])
        at += SEATS * SEATED_SIZE


@rule
def see_hand(state: State, rules: Rules, player: int, out: Features) -> None:
    """card; zeros where there is none."""
    at = rules.at.card
    for j in range(HAND):
        copy(rules.card[card_in_hand(state, rules, player, j)], 0, CARD_SIZE, out[at : at + CARD_SIZE])
        at += CARD_SIZE


@rule
def see_place(state: State, rules: Rules, player: int, g: int, out: Features, start: int) -> None:
    """A guest's seat, one-hot; nothing for -1 or a guest that has left."""
    if g >= 0 and state.where[g] == Where.SEATED:
        out[start + relative(rules, player, state.owner[g]) * SEATS + spot_of(state, g)] = 1


@rule
def see_ability(rules: Rules, g: int, out: Features) -> None:
    """What an ability does; zeros for -1 and in casual mode."""
    copy(rules.card[g], CARD_ABILITY, ABILITY_SIZE, out)


@rule
def copy(card: Features, start: int, size: int, out: Features) -> None:
    """Copy features of a card, four at a time (`size` is a multiple): the compiler makes vector instructions of it."""
    for k in range(0, size, 4):
        a, b, c, d = card[start + k], card[start + k + 1], card[start + k + 2], card[start + k + 3]
        out[k], out[k + 1], out[k + 2], out[k + 3] = a, b, c, d


@rule
def see_guest(state: State, rules: Rules, p: int, g: int, out: Features) -> None:
    """One entry of guest: `g` in the row of player `p`."""
    copy(rules.card[g], 0, CARD_ABILITY, out)
    size = rules.guests[g].appetites
    filled, matched = 0, 0
    for a in range(MAX_APPETITES):  # without branches, which nobody could predict; beyond the last, all is -1
        colour, kind = rules.guests[g].appetite[a], state.token[g, a]
        here = kind >= 0
        out[CARD_APPETITES + colour] -= 0.5 * here
        out[GUEST_TOKENS + a] = (kind + 1) * FIFTH
        filled += here
        matched += here & ((colour == kind) | (colour == JOKER))
    at = CARD_ABILITY
    out[at] = size * SIXTH
    out[at + 1] = (size - filled) * SIXTH
    out[at + 2] = matched * SIXTH
    out[at + 3] = (filled - matched) * SIXTH
    out[at + 4] = matched == size
    out[at + 5] = matched == filled
    if rules.abilities:
        out[at + 6] = plate_ready(state, rules, p, g)
        out[at + 7] = state.plate_done >> g & 1
        see_ability(rules, g, out[GUEST_ABILITY:SEATED_SIZE])


@rule
def plate_ready(state: State, rules: Rules, p: int, g: int) -> bool:
    """Whether the guest's plate ability would do something and its owner has a use left in this course."""
    if rules.guests[g].icon != Icon.PLATE or state.plate_done >> g & 1:
        return False
    running = p == state.active and state.plate_done != 0
    return (running or state.plate_used[p] < rules.plate_uses) and usable_now(state, rules, g, p)


@rule
def card_in_hand(state: State, rules: Rules, player: int, j: int) -> int:
    """The guest in hand slot j; in the draft the j-th card of the pack in hand; -1 for none."""
    if state.stage != Stage.DRAFTING:
        return state.hand[player, j]
    i = state.draft_round + j
    return state.pack[pack_at(state, rules, player), i] if i < rules.hand_size else -1


@rule
def see_holders(state: State, rules: Rules, player: int, out: Features) -> None:
    """holds, seen, gone."""
    n, guests, at = rules.players, rules.num_guests, rules.at.holds
    where = state.where[:guests]
    seen = out[rules.at.seen : rules.at.seen + guests]
    gone = out[rules.at.gone : rules.at.gone + guests]
    see_packs(state, rules, player, seen)
    pool = 0
    for g in range(guests):
        gone[g] = where[g] == Where.GONE
        pool += (where[g] == Where.HIDDEN) & (seen[g] == 0)
    for j in range(HAND):
        if state.hand[player, j] >= 0:
            out[at + state.hand[player, j]] = 1
    for r in range(1, n):
        q = seat_after(rules, player, r)
        at += guests
        holds = out[at : at + guests]
        chance = unseen_held(state, rules, player, q) / pool if pool > 0 else 0.0
        for g in range(guests):
            holds[g] = chance if (where[g] == Where.HIDDEN) & (seen[g] == 0) else 0.0
        for k in range(n if rules.draft else 0):
            see_sets(state, rules, player, q, k, holds)


@rule
def see_packs(state: State, rules: Rules, player: int, seen: Features) -> None:
    """The cards that the player has seen in packs."""
    for k in range(rules.players):
        for i in range(rules.hand_size):
            if not is_unseen(state, rules, player, k, i):
                seen[state.pack[k, i]] = 1


@rule
def unseen_held(state: State, rules: Rules, player: int, q: int) -> int:
    """Hidden cards that `q` holds and `player` has never seen."""
    if not rules.draft:
        return state.hand_size[q]
    count = 0
    for k in range(rules.players):
        for i in range(first_look(rules, q, k), min(state.draft_round, rules.hand_size), rules.players):
            if is_unseen(state, rules, player, k, i) and state.where[state.pack[k, i]] == Where.HIDDEN:
                count += 1
    return count


@rule
def see_sets(state: State, rules: Rules, player: int, q: int, k: int, holds: Features) -> None:
    """Chances for the cards of pack k that `player` saw: each set is spread evenly over its places."""
    for i in range(rules.hand_size):
        if is_unseen(state, rules, player, k, i) or state.where[state.pack[k, i]] != Where.HIDDEN:
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
