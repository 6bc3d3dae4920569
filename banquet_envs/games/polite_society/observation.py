"""What a seat sees: the observation vector and the layout that explains it.

Public is all but the types in the hands, the drawn and kept action cards, the missions and the orders of the piles. Of
the other hands a seat is given the bounds that a careful player could keep (views.py).
Each `see_*` function writes, of its slices in the layout's order, what is not zero, and returns the index after them.
In loops over small slices of `out` the compiler knows that no index is negative, which makes them fast.
"""

from __future__ import annotations

from typing import Any

from numpy import float32, int64

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.games.polite_society.account import hand_size, is_known
from banquet_envs.games.polite_society.cards import cards_in
from banquet_envs.games.polite_society.components import (
    ASSETS,
    CARDS,
    FACE,
    GUESTS,
    IMPROVEMENTS,
    LIST,
    MISSIONS,
    SEATS,
)
from banquet_envs.games.polite_society.state import DISCARDED, PHASES, PILE
from banquet_envs.games.polite_society.tables import guest_set, members, mission_gap, seat_after
from banquet_envs.games.polite_society.views import bounds

PRICED = FACE + ASSETS  # a guest with its cost
REFUSALS = 3
SIXTH, TWELFTH, EIGHTEENTH = 1 / 6, 1 / 12, 1 / 18  # products are faster than quotients
ZERO = float32(0)


def observation_layout(rules: Any) -> Layout:
    """The observation's slices. The width depends on the number of players and on nothing else."""
    n = int(rules.players)
    guest = "(number + 1) / 62, rewards / 2; 0 none"
    return Layout(
        [
            Slice("phase", (PHASES,), "one-hot, in the order of the phases in state.py"),
            Slice("clock", (6,), "turns / cap, the turn's two dice / 6, those of Add a guest / 6, has-a-card-in-hand flag"),
            Slice("seat_to_move", (n,), "one-hot, own seat first, then in turn order"),
            Slice("active", (n,), "whose turn it is, one-hot"),
            Slice("first", (n,), "who had the first turn, one-hot"),
            Slice("out", (n,), "has finished (playing on)"),
            Slice("finish", (n,), "(place + 1) / 7 of those who have finished"),
            Slice("guests", (n,), "guests seated / 8"),
            Slice("hand_size", (n,), "asset cards in hand, at most 24, / 12"),
            Slice("income", (n, ASSETS), "mean reward of a roll by the well guests of each table"),
            Slice("improvement", (n, IMPROVEMENTS), "table improvements: per asset on a 7, three for one"),
            Slice("hand", (ASSETS,), "own assets, at most 24, / 12", False),
            Slice("least", (n - 1, ASSETS), "the others' assets: no fewer than this, / 12", False),
            Slice("most", (n - 1, ASSETS), "no more than this, / 12", False),
            Slice("bank", (ASSETS,), "the bank's piles / 24 (without limit below 0 too, to -2)"),
            Slice("stock", (5,), "guest pile / 60, its discards / 60, action pile / 50, its discards / 50, token supply / 8"),
            Slice("where", (GUESTS,), "each guest card: 1 in the pile, 0.5 discarded, 0 elsewhere"),
            Slice("list", (LIST, PRICED), "the invite list: (number + 1) / 62, rewards / 2, cost / 4"),
            Slice("list_own", (LIST, 2), "assets that the own hand lacks for each / 9, affordable", False),
            Slice("draft", (2 * n, FACE), f"setup: the guests face up; {guest}"),
            Slice("table", (n, SEATS, FACE + 1), f"tables, own first: {guest}; indisposed"),
            Slice("mission", (MISSIONS,), "own mission, one-hot", False),
            Slice("mission_own", (2,), "guests lacking for the own mission / 8; reachable with the free seats", False),
            Slice("gap_list", (LIST, 2), "with each guest of the list: change of that gap / 8; reachable then", False),
            Slice("gap_draft", (2 * n, 2), "with each guest of the draft", False),
            Slice("gap_table", (SEATS, 2), "without the guest at each own seat", False),
            Slice("excluded", (n - 1, MISSIONS), "missions that the others are known not to hold"),
            Slice("drawn", (CARDS,), "the two action cards before the choice, / 2", False),
            Slice("kept", (CARDS,), "own action card, one-hot", False),
            Slice("unseen", (CARDS,), "action cards not seen (pile and another's hand) / 8", False),
            Slice("discard", (CARDS,), "discarded action cards / 8"),
            Slice("known", (2,), "(kind + 1) / 17 of the card discarded for the kept one; of one that all know was drawn"),
            Slice("playing", (CARDS,), "the action card being played, one-hot"),
            Slice("partner", (n,), "who is offered a trade, one-hot"),
            Slice("offer", (2 * ASSETS + 1,), "what the proposer gives / 2 and gets / 2; offers of this turn / 3"),
            Slice("refused", (REFUSALS, 2), "offers refused this turn: seats on from oneself / 7, (item + 1) / 60"),
            Slice("pending", (FACE,), f"the guest waiting for a seat; {guest}"),
            Slice("lifted", (SEATS, 2), "rearranging, in order: (number + 1) / 62, indisposed"),
            Slice("token_from", (n + SEATS,), "the token being moved: player, seat; one-hot each, 0 for the supply"),
            Slice("target", (n,), "the player chosen by the card being played, one-hot"),
            Slice("removed", (1,), "own guests removed this turn (missions)"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    at = see_clock(state, rules, out)
    at = see_seats(state, rules, player, out, at)
    at = see_hands(state, rules, player, out, at)
    at = see_stock(state, out, at)
    at = see_list(state, rules, player, out, at)
    at = see_draft(state, rules, out, at)
    at = see_tables(state, rules, player, out, at)
    at = see_mission(state, rules, player, out, at)
    at = see_cards(state, player, out, at)
    at = see_offer(state, rules, player, out, at)
    see_running(state, rules, player, out, at)


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then in turn order."""
    return seat - player if seat >= player else seat - player + rules.players


@rule
def see_seat(rules: Any, player: Any, seat: Any, out: Any, at: Any) -> Any:
    """A seat, one-hot, own first; all zero for -1."""
    if seat >= 0:
        out[at + relative(rules, player, seat)] = 1
    return at + rules.players


@rule
def see_guest(rules: Any, g: Any, out: Any, at: Any) -> Any:
    """A guest's number and rewards; all zero for -1."""
    face = rules.face[g + 1]
    number, wealth, heart, beauty, wit = face[0], face[1], face[2], face[3], face[4]  # all read, then all written: fast
    out[at] = number
    out[at + 1] = wealth
    out[at + 2] = heart
    out[at + 3] = beauty
    out[at + 4] = wit
    return at + FACE


@rule
def see_clock(state: Any, rules: Any, out: Any) -> Any:
    """phase, clock."""
    if not state.over:
        out[state.phase] = 1
    at = PHASES
    out[at] = state.turns / rules.max_turns
    for k in range(2):
        out[at + 1 + k] = state.dice[k] * SIXTH
        out[at + 3 + k] = state.add_dice[k] * SIXTH
    out[at + 5] = state.kept >= 0
    return at + 6


@rule
def see_seats(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """seat_to_move to improvement."""
    n = rules.players
    if not state.over:
        see_seat(rules, player, state.player, out, at)
    at = see_seat(rules, player, state.active, out, at + n)
    at = see_seat(rules, player, state.first, out, at)
    income = at + 4 * n
    improvement = income + n * ASSETS
    for k in range(n):
        seat = seat_after(rules, player, k)
        if state.finish[seat] >= 0:
            out[at + k] = state.out[seat]
            out[at + n + k] = (state.finish[seat] + 1) / 7
        out[at + 2 * n + k] = state.points[seat] / SEATS
        out[at + 3 * n + k] = min(24, hand_size(state, seat)) * TWELFTH
        see_income(state, rules, seat, out[income : income + ASSETS])
        income += ASSETS
        owned = out[improvement : improvement + IMPROVEMENTS]
        for a in range(IMPROVEMENTS):
            owned[a] = min(2, state.improvement[seat, a])
        improvement += IMPROVEMENTS
    return improvement


@rule
def see_income(state: Any, rules: Any, seat: Any, income: Any) -> None:
    """What the well guests of a table bring in 36 rolls, / 36. All four assets at once, with no branch: this is fast."""
    wealth = heart = beauty = wit = ZERO
    for s in range(SEATS):
        g = state.table[seat, s]
        chance = float32(rules.chance[s] * (1 - state.token[seat, s]))
        wealth += chance * rules.face[g + 1, 1]
        heart += chance * rules.face[g + 1, 2]
        beauty += chance * rules.face[g + 1, 3]
        wit += chance * rules.face[g + 1, 4]
    income[0] = wealth * EIGHTEENTH
    income[1] = heart * EIGHTEENTH
    income[2] = beauty * EIGHTEENTH
    income[3] = wit * EIGHTEENTH


@rule
def see_hands(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """hand, least, most, bank."""
    for a in range(ASSETS):
        out[at + a] = min(24, state.hand[player, a]) * TWELFTH
    at += ASSETS
    others = (rules.players - 1) * ASSETS
    for k in range(1, rules.players):
        seat = seat_after(rules, player, k)
        if not is_known(state, seat):
            for a in range(ASSETS):
                least, most = bounds(state, player, seat, a)
                out[at + a] = min(24, least) * TWELFTH
                out[at + others + a] = min(24, most) * TWELFTH
        else:  # both are the hand
            for a in range(ASSETS):
                count = min(24, state.hand[seat, a]) * TWELFTH
                out[at + a] = count
                out[at + others + a] = count
        at += ASSETS
    at += others
    for a in range(ASSETS):
        out[at + a] = max(-48, min(48, state.bank[a])) / 24
    return at + ASSETS


@rule
def see_stock(state: Any, out: Any, at: Any) -> Any:
    """stock, where."""
    where = out[at + 5 : at + 5 + GUESTS]
    piled = 0
    discarded = 0
    for g in range(GUESTS):
        in_pile = state.where[g] == PILE
        in_discards = state.where[g] == DISCARDED
        where[g] = in_pile + in_discards * 0.5
        piled += in_pile
        discarded += in_discards
    out[at] = piled / 60
    out[at + 1] = discarded / 60
    out[at + 2] = cards_in(state.deck) / 50
    out[at + 3] = cards_in(state.discard) / 50
    out[at + 4] = state.supply / 8
    return at + 5 + GUESTS


@rule
def see_list(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """list, list_own."""
    own = at + LIST * PRICED
    for k in range(LIST):
        g = state.list[k]
        see_guest(rules, g, out, at)
        if g >= 0:
            lacking = 0
            for a in range(ASSETS):
                cost = rules.guest[g].cost[a]
                out[at + FACE + a] = cost * 0.25
                lacking += max(0, cost - state.hand[player, a])
            out[own] = lacking / 9
            out[own + 1] = lacking == 0
        at += PRICED
        own += 2
    return own


@rule
def see_draft(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """draft."""
    for k in range(2 * rules.players):
        at = see_guest(rules, state.draft[k], out, at)
    return at


@rule
def see_tables(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """table."""
    for k in range(rules.players):
        see_table(state, rules, seat_after(rules, player, k), out[at : at + SEATS * (FACE + 1)])
        at += SEATS * (FACE + 1)
    return at


@rule
def see_table(state: Any, rules: Any, seat: Any, table: Any) -> None:
    """One entry of table."""
    at = 0
    for s in range(SEATS):
        at = see_guest(rules, state.table[seat, s], table, at)
        table[at] = state.token[seat, s]
        at += 1


@rule
def see_mission(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """mission to excluded."""
    mine = int64(state.mission[player])
    if mine >= 0:
        out[at + mine] = 1
    at += MISSIONS
    slots = 1 + LIST + 2 * rules.players + SEATS
    see_reachable(state, rules, player, out[at : at + 2 * slots])
    if mine >= 0:
        see_gaps(state, rules, player, mine, out[at : at + 2 * slots])
    at += 2 * slots
    for k in range(1, rules.players):
        excluded = state.excluded[seat_after(rules, player, k)]
        if excluded:
            for m in range(MISSIONS):
                out[at + m] = (excluded >> m) & 1
        at += MISSIONS
    return at


@rule
def see_reachable(state: Any, rules: Any, player: Any, out: Any) -> None:
    """mission_own to gap_table without a mission: nothing is lacking, all is reachable with the guests there are."""
    out[1] = 1
    at = 3
    for k in range(LIST):
        out[at + 2 * k] = state.list[k] >= 0
    at += 2 * LIST
    for k in range(2 * rules.players):
        out[at + 2 * k] = state.draft[k] >= 0
    at += 4 * rules.players
    for s in range(SEATS):
        out[at + 2 * s] = state.table[player, s] >= 0


@rule
def see_gaps(state: Any, rules: Any, player: Any, mine: Any, out: Any) -> None:
    """mission_own to gap_table for mission `mine`: now, and with one guest more, or fewer."""
    drafts = 1 + LIST
    seats = drafts + 2 * rules.players
    seated = guest_set(state, player)
    before = min(9, mission_gap(rules, mine, seated))
    out[0] = before / 8
    out[1] = before <= SEATS - members(seated)
    for k in range(1, seats + SEATS):
        if k < drafts:
            g = state.list[k - 1]
        else:
            g = state.draft[k - drafts] if k < seats else state.table[player, k - seats]
        if g >= 0:
            guests = seated ^ (1 << int64(g))
            gap = min(9, mission_gap(rules, mine, guests))
            out[2 * k] = (gap - before) / 8
            out[2 * k + 1] = gap <= SEATS - members(guests)


@rule
def see_cards(state: Any, player: Any, out: Any, at: Any) -> Any:
    """drawn, kept, unseen, discard, known, playing."""
    kept = at + CARDS
    unseen = kept + CARDS
    see_pile(state.deck, out[unseen : unseen + CARDS])
    see_pile(state.discard, out[unseen + CARDS : unseen + 2 * CARDS])
    mine = state.active == player
    for k in range(2):
        if state.drawn[k] >= 0:
            out[(at if mine else unseen) + state.drawn[k]] += 0.5 if mine else 0.125
    if state.kept >= 0:
        out[(kept if mine else unseen) + state.kept] += 1 if mine else 0.125
    at = unseen + 2 * CARDS
    out[at] = (state.dropped + 1) / CARDS
    out[at + 1] = (state.sure + 1) / CARDS
    at += 2
    if state.playing >= 0:
        out[at + state.playing] = 1
    return at + CARDS


@rule
def see_pile(pile: Any, out: Any) -> None:
    """The action cards of a pile by kind, / 8."""
    for card in range(CARDS):
        out[card] = pile[card] * 0.125


@rule
def see_offer(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """partner, offer, refused."""
    at = see_seat(rules, player, state.partner, out, at)
    if state.offered >= 0:
        for a in range(ASSETS):
            out[at + a] = rules.gives[state.offered, a] * 0.5
            out[at + ASSETS + a] = rules.wants[state.offered, a] * 0.5
    at += 2 * ASSETS
    out[at] = state.offers / REFUSALS
    at += 1
    for k in range(REFUSALS):
        if state.refused_by[k] >= 0:
            out[at] = relative(rules, player, state.refused_by[k]) / 7
            out[at + 1] = (state.refused[k] + 1) / 60
        at += 2
    return at


@rule
def see_running(state: Any, rules: Any, player: Any, out: Any, at: Any) -> None:
    """pending, lifted, token_from, target, removed."""
    at = see_guest(rules, state.pending, out, at)
    k = 0
    while k < SEATS and state.lifted[k] >= 0:
        out[at + 2 * k] = rules.face[state.lifted[k] + 1, 0]
        out[at + 2 * k + 1] = state.lifted_token[k]
        k += 1
    at += 2 * SEATS
    at = see_seat(rules, player, state.from_player, out, at)
    if state.from_seat >= 0:
        out[at + state.from_seat] = 1
    at = see_seat(rules, player, state.target, out, at + SEATS)
    out[at] = state.removals
