"""The deal, the simultaneous draft, the choice of Faux Pas, and what a seat cannot know of them.

A pack keeps its history: the cards taken from it, in order, then those still in it. Pack k starts at player k and is at
player k + r (clockwise) in round r, so player p sees pack k in the rounds p - k, p - k + P, ... What p saw there stays
known as a set: who took which card between two looks is not.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import relative
from banquet_envs.core.types import Cells, Rules, State
from banquet_envs.games.surrealist_dinner_party.state import Face, Stage, Where

# ---------------------------------------------------------------- the deal


@rule
def deal_guests(state: State, rules: Rules) -> None:
    """Six guests to each player; the rest goes to the box unseen."""
    for p in range(rules.players):
        for k in range(rules.hand_size):
            g = random_guest(state, rules)
            state.where[g] = -1  # dealt
            insert_card(state.pack[p], 0, k, g)
    for g in range(rules.num_guests):
        state.where[g] = Where.HIDDEN
    if rules.draft:
        state.stage = Stage.DRAFTING
    else:
        state.draft_round = rules.hand_size
        for p in range(rules.players):
            state.hand[p, :] = state.pack[p]
            state.hand_size[p] = rules.hand_size


@rule
def random_guest(state: State, rules: Rules) -> int:
    """A guest not yet dealt."""
    left = 0
    for g in range(rules.num_guests):
        if state.where[g] == Where.HIDDEN:
            left += 1
    pick = random_below(state, left)
    for g in range(rules.num_guests):
        if state.where[g] == Where.HIDDEN:
            if pick == 0:
                return g
            pick -= 1
    return -1


@rule
def insert_card(cards: Cells, start: int, stop: int, card: int) -> None:
    """Put a card among the ascending ones in cards[start:stop]; cards[stop] is free."""
    k = stop
    while k > start and cards[k - 1] > card:
        cards[k] = cards[k - 1]
        k -= 1
    cards[k] = card


@rule
def deal_faux_pas(state: State, rules: Rules) -> None:
    """Two Faux Pas to each player."""
    state.faux_pas_dealt[:, :] = -1
    if rules.faux_pas_used:
        for p in range(rules.players):
            for k in range(2):
                state.faux_pas_dealt[p, k] = random_faux_pas(state, rules)
            sort_pair(state.faux_pas_dealt[p])


@rule
def random_faux_pas(state: State, rules: Rules) -> int:
    """A Faux Pas that nobody holds and that does not lie face up."""
    taken = 0
    for p in range(rules.players):
        for k in range(2):
            if state.faux_pas_dealt[p, k] >= 0:
                taken |= 1 << int(state.faux_pas_dealt[p, k])
    left = 0
    for i in range(rules.num_faux_pas):
        if taken & (1 << i) == 0:
            left += 1
    pick = random_below(state, left)
    for i in range(rules.num_faux_pas):
        if taken & (1 << i) == 0:
            if pick == 0:
                return i
            pick -= 1
    return -1


@rule
def sort_pair(pair: Cells) -> None:
    """Ascending order."""
    if pair[0] > pair[1]:
        held = pair[0]
        pair[0] = pair[1]
        pair[1] = held


# ---------------------------------------------------------------- the draft


@rule
def pack_at(state: State, rules: Rules, p: int) -> int:
    """The pack in a player's hands."""
    return (p - state.draft_round % rules.players + rules.players) % rules.players


@rule
def holder_of(rules: Rules, k: int, i: int) -> int:
    """Who got the i-th card taken from pack k."""
    return (k + i) % rules.players if rules.draft else k


@rule
def pick_card(state: State, rules: Rules, p: int, index: int) -> None:
    """Choose a card to keep; when all have chosen, the cards are taken and the packs go to the left."""
    state.pick[p] = index
    state.step += 1
    if state.step == rules.players:
        finish_draft_round(state, rules)
        if state.draft_round == rules.hand_size - 1:  # the sixth card is automatic
            for q in range(rules.players):
                state.pick[q] = 0
            finish_draft_round(state, rules)


@rule
def finish_draft_round(state: State, rules: Rules) -> None:
    """Every player takes the chosen card out of the pack in hand."""
    r = state.draft_round
    for p in range(rules.players):
        k = pack_at(state, rules, p)
        chosen = r + state.pick[p]
        card = state.pack[k, chosen]
        for i in range(chosen, r, -1):
            state.pack[k, i] = state.pack[k, i - 1]
        state.pack[k, r] = card
        insert_card(state.hand[p], 0, r, card)
        state.pick[p] = -1
        state.hand_size[p] += 1
    state.draft_round += 1
    state.step = 0


# ---------------------------------------------------------------- Faux Pas


@rule
def keep_faux_pas(state: State, rules: Rules, p: int, choice: int) -> None:
    """Keep the first, the second or both; when all have chosen, the cards kept are turned face up."""
    state.faux_pas_choice[p] = choice + 1
    state.step += 1
    if state.step == rules.players:
        for q in range(rules.players):
            for k in range(2):
                if state.faux_pas_choice[q] & (1 << k):
                    state.faux_pas_open[state.faux_pas_dealt[q, k]] = Face.OPEN
        state.step = 0
        state.stage = Stage.PLAYING


# ---------------------------------------------------------------- what a player has seen


@rule
def last_round_seen(state: State, rules: Rules) -> int:
    """The draft round up to which players have looked at packs."""
    return min(state.draft_round, rules.hand_size - 1)


@rule
def first_look(rules: Rules, p: int, k: int) -> int:
    """The draft round in which a player first sees pack k."""
    return relative(rules, k, p)


@rule
def is_unseen(state: State, rules: Rules, p: int, k: int, i: int) -> bool:
    """Whether the player has never seen the card at position i of pack k among the cards of a pack."""
    if not rules.draft:
        return k != p
    first = first_look(rules, p, k)
    return first > last_round_seen(state, rules) or i < first


@rule
def segment_of(state: State, rules: Rules, p: int, k: int, i: int) -> int:
    """For a card that was seen: -1 if its position is known exactly, else the number of the look it was last seen in.

    Cards with the same number are one set to the player: they went to different others, or are still in the pack.
    """
    if not rules.draft:
        return -1
    now = last_round_seen(state, rules)
    first = first_look(rules, p, k)
    looks = (now - first) // rules.players
    last = first + looks * rules.players
    if i > last:
        return -1 if state.draft_round == last else looks  # the pack in hand is known
    if (i - first) % rules.players == 0:
        return -1
    return (i - first) // rules.players


@rule
def seen_guests(state: State, rules: Rules, p: int) -> int:
    """The guests that a player has seen in packs, as bits."""
    bits = 0
    for k in range(rules.players):
        for i in range(rules.hand_size):
            if not is_unseen(state, rules, p, k, i):
                bits |= 1 << int(state.pack[k, i])
    return bits


# ---------------------------------------------------------------- determinize


@rule
def determinize(state: State, rules: Rules, player: int) -> None:
    """Deal anew what the player cannot know: hands, the box, picks under way, Faux Pas not shown.

    Picks are taken as uniform over what could be picked, so each set that the player saw is spread uniformly over those
    who took from it, apart from cards that have been played since.
    """
    redeal_unseen(state, rules, player)
    for k in range(rules.players):
        permute_seen(state, rules, player, k)
    for k in range(rules.players):
        sort_rest(state, rules, k)
    for q in range(rules.players):
        if q != player:
            rebuild_hand(state, rules, q)
            if state.pick[q] >= 0:
                state.pick[q] = random_below(state, rules.hand_size - state.draft_round)
    if rules.faux_pas_used:
        redeal_faux_pas(state, rules, player)


@rule
def redeal_unseen(state: State, rules: Rules, player: int) -> None:
    """Cards never seen and not yet played come from all guests that the player has not seen."""
    pool = 0
    seen = seen_guests(state, rules, player)
    for g in range(rules.num_guests):
        if state.where[g] == Where.HIDDEN and seen & (1 << g) == 0:
            pool |= 1 << g
    for k in range(rules.players):
        for i in range(rules.hand_size):
            if is_unseen(state, rules, player, k, i) and state.where[state.pack[k, i]] == Where.HIDDEN:
                g = random_bit(state, rules, pool)
                pool &= ~(1 << int(g))
                state.pack[k, i] = g
    for k in range(rules.players):
        for i in range(rules.hand_size):
            if is_unseen(state, rules, player, k, i):
                exchange_unseen(state, rules, player, k, i)


@rule
def random_bit(state: State, rules: Rules, bits: int) -> int:
    """A uniformly chosen guest out of a set."""
    count = 0
    for g in range(rules.num_guests):
        if bits & (1 << g):
            count += 1
    pick = random_below(state, count)
    for g in range(rules.num_guests):
        if bits & (1 << g):
            if pick == 0:
                return g
            pick -= 1
    return -1


@rule
def exchange_unseen(state: State, rules: Rules, player: int, k: int, i: int) -> None:
    """One step of a shuffle among the unseen cards of one holder: which pack they came from is not known either."""
    holder = holder_of(rules, k, i)
    places = rules.players * rules.hand_size
    here = k * rules.hand_size + i
    count = 0
    for other in range(here, places):
        j, m = other // rules.hand_size, other % rules.hand_size
        if holder_of(rules, j, m) == holder and is_unseen(state, rules, player, j, m):
            count += 1
    pick = random_below(state, count)
    for other in range(here, places):
        j, m = other // rules.hand_size, other % rules.hand_size
        if holder_of(rules, j, m) == holder and is_unseen(state, rules, player, j, m):
            if pick == 0:
                held = state.pack[k, i]
                state.pack[k, i] = state.pack[j, m]
                state.pack[j, m] = held
                return
            pick -= 1


@rule
def can_move(state: State, rules: Rules, player: int, k: int, i: int, segment: int) -> bool:
    """Whether the card at position i belongs to the set `segment` of pack k and is still hidden."""
    return (
        state.where[state.pack[k, i]] == Where.HIDDEN
        and not is_unseen(state, rules, player, k, i)
        and segment_of(state, rules, player, k, i) == segment
    )


@rule
def permute_seen(state: State, rules: Rules, player: int, k: int) -> None:
    """Shuffle every set that the player saw in pack k over the positions it may have gone to."""
    for i in range(rules.hand_size):
        if is_unseen(state, rules, player, k, i):
            continue
        segment = segment_of(state, rules, player, k, i)
        if segment < 0 or not can_move(state, rules, player, k, i, segment):
            continue
        count = 0
        for j in range(i, rules.hand_size):
            if can_move(state, rules, player, k, j, segment):
                count += 1
        pick = random_below(state, count)
        for j in range(i, rules.hand_size):
            if can_move(state, rules, player, k, j, segment):
                if pick == 0:
                    held = state.pack[k, i]
                    state.pack[k, i] = state.pack[k, j]
                    state.pack[k, j] = held
                    break
                pick -= 1


@rule
def sort_rest(state: State, rules: Rules, k: int) -> None:
    """Cards still in a pack lie in ascending order."""
    for i in range(state.draft_round + 1, rules.hand_size):
        insert_card(state.pack[k], state.draft_round, i, state.pack[k, i])


@rule
def rebuild_hand(state: State, rules: Rules, q: int) -> None:
    """A hand is what its player got out of the packs, in ascending order, less what has been played."""
    count = 0
    for k in range(rules.players):
        for i in range(rules.hand_size):
            if i < state.draft_round and holder_of(rules, k, i) == q:
                insert_card(state.hand[q], 0, count, state.pack[k, i])
                count += 1
    for j in range(count):
        if state.where[state.hand[q, j]] != Where.HIDDEN:
            state.hand[q, j] = -1


@rule
def redeal_faux_pas(state: State, rules: Rules, player: int) -> None:
    """Others' Faux Pas that are not face up, and, before they are shown, which of them they keep."""
    shown = state.stage > Stage.CHOOSING_FAUX_PAS
    for q in range(rules.players):
        if q != player:
            for k in range(2):
                if not shown or state.faux_pas_choice[q] & (1 << k) == 0:
                    state.faux_pas_dealt[q, k] = -1
    for q in range(rules.players):
        if q != player:
            for k in range(2):
                if state.faux_pas_dealt[q, k] < 0:
                    state.faux_pas_dealt[q, k] = random_faux_pas(state, rules)
            if not shown:
                sort_pair(state.faux_pas_dealt[q])
                if state.faux_pas_choice[q] > 0:
                    state.faux_pas_choice[q] = 1 + random_below(state, 3)
            else:
                sort_kept(state, q)


@rule
def sort_kept(state: State, q: int) -> None:
    """Ascending order, the choice following its card."""
    if state.faux_pas_dealt[q, 0] > state.faux_pas_dealt[q, 1]:
        sort_pair(state.faux_pas_dealt[q])
        if state.faux_pas_choice[q] < 3:
            state.faux_pas_choice[q] = 3 - state.faux_pas_choice[q]
