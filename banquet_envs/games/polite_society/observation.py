"""What a seat sees: the observation vector and the layout that explains it.

Public is all but the types in the hands, the drawn and kept action cards, the missions and the orders of the piles. Of
the other hands a seat is given the bounds that a careful player could keep (views.py).
Each `see_*` function writes, of the slices that it names, what is not zero; `rules.at` holds where each begins.
In loops over small slices of `out` the compiler knows that no index is negative, which makes them fast.
"""

from __future__ import annotations

from numpy import float32

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.seats import relative, seat_after
from banquet_envs.core.types import Cells, Features, Rules, State
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
    OFFERS,
    SEATS,
)
from banquet_envs.games.polite_society.state import PHASES, Where
from banquet_envs.games.polite_society.tables import guest_set, members, mission_gap
from banquet_envs.games.polite_society.views import bounds

PRICED = FACE + ASSETS  # a guest with its cost
SEATED = FACE + 1  # and with its token
MOST = 24  # assets in a hand: more look alike
FAR = 9  # from a mission: farther looks alike
SIXTH, TWELFTH, EIGHTEENTH = 1 / 6, 1 / 12, 1 / 18  # products are faster than quotients
ZERO = float32(0)


def observation_layout(rules: Rules) -> Layout:
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
            Slice("table", (n, SEATS, SEATED), f"tables, own first: {guest}; indisposed"),
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
            Slice("refused", (OFFERS, 2), "offers refused this turn: seats on from oneself / 7, (item + 1) / 60"),
            Slice("pending", (FACE,), f"the guest waiting for a seat; {guest}"),
            Slice("lifted", (SEATS, 2), "rearranging, in order: (number + 1) / 62, indisposed"),
            Slice("token_from", (n + SEATS,), "the token being moved: player, seat; one-hot each, 0 for the supply"),
            Slice("target", (n,), "the player chosen by the card being played, one-hot"),
            Slice("removed", (1,), "own guests removed this turn (missions)"),
        ]
    )  # fmt: skip


# Offsets are read from the rules before a loop, not in it: the compiler cannot know that writing features leaves them alone.


@rule
def observe(state: State, rules: Rules, player: int, out: Features) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    see_clock(state, rules, out)
    see_seats(state, rules, player, out)
    see_hands(state, rules, player, out)
    see_stock(state, rules, out)
    see_list(state, rules, player, out)
    see_draft(state, rules, out)
    see_tables(state, rules, player, out)
    see_mission(state, rules, player, out)
    see_cards(state, rules, player, out)
    see_offer(state, rules, player, out)
    see_running(state, rules, player, out)


@rule
def see_seat(rules: Rules, player: int, seat: int, out: Features, start: int) -> None:
    """A seat, one-hot, own first; nothing for -1."""
    if seat >= 0:
        out[start + relative(rules, player, seat)] = 1


@rule
def see_guest(rules: Rules, g: int, out: Features, start: int) -> None:
    """A guest's number and rewards; all zero for -1."""
    face = rules.face[g + 1]
    number, wealth, heart, beauty, wit = face[0], face[1], face[2], face[3], face[4]  # all read, then all written: fast
    out[start] = number
    out[start + 1] = wealth
    out[start + 2] = heart
    out[start + 3] = beauty
    out[start + 4] = wit


@rule
def see_clock(state: State, rules: Rules, out: Features) -> None:
    """phase, clock."""
    if not state.over:
        out[rules.at.phase + state.phase] = 1
    clock = rules.at.clock
    out[clock] = state.turns / rules.max_turns
    for k in range(2):
        out[clock + 1 + k] = state.dice[k] * SIXTH
        out[clock + 3 + k] = state.add_dice[k] * SIXTH
    out[clock + 5] = state.kept >= 0


@rule
def see_seats(state: State, rules: Rules, player: int, out: Features) -> None:
    """seat_to_move, active, first, out, finish, guests, hand_size, income, improvement."""
    at, n = rules.at, rules.players
    if not state.over:
        see_seat(rules, player, state.player, out, at.seat_to_move)
    see_seat(rules, player, state.active, out, at.active)
    see_seat(rules, player, state.first, out, at.first)
    gone, finish, guests, size = at.out, at.finish, at.guests, at.hand_size
    income, improvement = at.income, at.improvement
    for k in range(n):
        seat = seat_after(rules, player, k)
        if state.finish[seat] >= 0:
            out[gone + k] = state.out[seat]
            out[finish + k] = (state.finish[seat] + 1) / 7
        out[guests + k] = state.points[seat] / SEATS
        out[size + k] = min(MOST, hand_size(state, seat)) * TWELFTH
        see_income(state, rules, seat, out[income : income + ASSETS])
        income += ASSETS
        owned = out[improvement : improvement + IMPROVEMENTS]
        for kind in range(IMPROVEMENTS):
            owned[kind] = min(2, state.improvement[seat, kind])
        improvement += IMPROVEMENTS


@rule
def see_income(state: State, rules: Rules, seat: int, income: Features) -> None:
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
def see_hands(state: State, rules: Rules, player: int, out: Features) -> None:
    """hand, least, most, bank."""
    hand, bank, least, most = rules.at.hand, rules.at.bank, rules.at.least, rules.at.most
    for a in range(ASSETS):
        out[hand + a] = min(MOST, state.hand[player, a]) * TWELFTH
        out[bank + a] = max(-48, min(48, state.bank[a])) / 24
    for k in range(1, rules.players):
        seat = seat_after(rules, player, k)
        if not is_known(state, seat):
            for a in range(ASSETS):
                low, high = bounds(state, player, seat, a)
                out[least + a] = min(MOST, low) * TWELFTH
                out[most + a] = min(MOST, high) * TWELFTH
        else:  # both are the hand
            for a in range(ASSETS):
                count = min(MOST, state.hand[seat, a]) * TWELFTH
                out[least + a] = count
                out[most + a] = count
        least += ASSETS
        most += ASSETS


@rule
def see_stock(state: State, rules: Rules, out: Features) -> None:
    """stock, where."""
    stock, where = rules.at.stock, out[rules.at.where : rules.at.where + GUESTS]
    piled = 0
    discarded = 0
    for g in range(GUESTS):
        in_pile = state.where[g] == Where.PILE
        in_discards = state.where[g] == Where.DISCARDED
        where[g] = in_pile + in_discards * 0.5
        piled += in_pile
        discarded += in_discards
    out[stock] = piled / 60
    out[stock + 1] = discarded / 60
    out[stock + 2] = cards_in(state.deck) / 50
    out[stock + 3] = cards_in(state.discard) / 50
    out[stock + 4] = state.supply / 8


@rule
def see_list(state: State, rules: Rules, player: int, out: Features) -> None:
    """list, list_own."""
    slot, own = rules.at.list, rules.at.list_own
    for k in range(LIST):
        g = state.list[k]
        see_guest(rules, g, out, slot)
        if g >= 0:
            lacking = 0
            for a in range(ASSETS):
                cost = rules.guest[g].cost[a]
                out[slot + FACE + a] = cost * 0.25
                lacking += max(0, cost - state.hand[player, a])
            out[own] = lacking / 9
            out[own + 1] = lacking == 0
        slot += PRICED
        own += 2


@rule
def see_draft(state: State, rules: Rules, out: Features) -> None:
    """draft."""
    start = rules.at.draft
    for k in range(2 * rules.players):
        see_guest(rules, state.draft[k], out, start)
        start += FACE


@rule
def see_tables(state: State, rules: Rules, player: int, out: Features) -> None:
    """table."""
    start = rules.at.table
    for k in range(rules.players):
        see_table(state, rules, seat_after(rules, player, k), out[start : start + SEATS * SEATED])
        start += SEATS * SEATED


@rule
def see_table(state: State, rules: Rules, seat: int, table: Features) -> None:
    """One entry of table."""
    start = 0
    for s in range(SEATS):
        see_guest(rules, state.table[seat, s], table, start)
        table[start + FACE] = state.token[seat, s]
        start += SEATED


@rule
def see_mission(state: State, rules: Rules, player: int, out: Features) -> None:
    """mission, mission_own, gap_list, gap_draft, gap_table, excluded."""
    mine, excluded = state.mission[player], rules.at.excluded
    if mine >= 0:
        out[rules.at.mission + mine] = 1
        see_gaps(state, rules, player, mine, out)
    else:
        see_reachable(state, rules, player, out)
    for k in range(1, rules.players):
        missions = state.excluded[seat_after(rules, player, k)]
        if missions:
            for m in range(MISSIONS):
                out[excluded + m] = (missions >> m) & 1
        excluded += MISSIONS


@rule
def see_reachable(state: State, rules: Rules, player: int, out: Features) -> None:
    """mission_own to gap_table without a mission: nothing is lacking, all is reachable with the guests there are."""
    at = rules.at
    out[at.mission_own + 1] = 1
    listed = out[at.gap_list : at.gap_list + 2 * LIST]
    for k in range(LIST):
        listed[2 * k + 1] = state.list[k] >= 0
    face_up = out[at.gap_draft : at.gap_draft + 4 * rules.players]
    for k in range(2 * rules.players):
        face_up[2 * k + 1] = state.draft[k] >= 0
    seated = out[at.gap_table : at.gap_table + 2 * SEATS]
    for s in range(SEATS):
        seated[2 * s + 1] = state.table[player, s] >= 0


@rule
def see_gaps(state: State, rules: Rules, player: int, mine: int, out: Features) -> None:
    """mission_own to gap_table for mission `mine`: now, and with one guest more, or fewer."""
    at, seated = rules.at, guest_set(state, player)
    gap = min(FAR, mission_gap(rules, mine, seated))
    out[at.mission_own] = gap / 8
    out[at.mission_own + 1] = gap <= SEATS - members(seated)
    listed, face_up, own = at.gap_list, at.gap_draft, at.gap_table
    for k in range(LIST):
        see_gap(rules, mine, seated, gap, state.list[k], out, listed + 2 * k)
    for k in range(2 * rules.players):
        see_gap(rules, mine, seated, gap, state.draft[k], out, face_up + 2 * k)
    for s in range(SEATS):
        see_gap(rules, mine, seated, gap, state.table[player, s], out, own + 2 * s)


@rule
def see_gap(rules: Rules, mine: int, seated: int, before: int, g: int, out: Features, start: int) -> None:
    """How the gap of mission `mine` changes when guest `g` comes or leaves, and whether it can be closed; nothing for -1."""
    if g >= 0:
        guests = seated ^ (1 << int(g))
        gap = min(FAR, mission_gap(rules, mine, guests))
        out[start] = (gap - before) / 8
        out[start + 1] = gap <= SEATS - members(guests)


@rule
def see_cards(state: State, rules: Rules, player: int, out: Features) -> None:
    """drawn, kept, unseen, discard, known, playing: cards that only another sees are among the unseen."""
    at, mine = rules.at, state.active == player
    see_pile(state.deck, out[at.unseen : at.unseen + CARDS])
    see_pile(state.discard, out[at.discard : at.discard + CARDS])
    drawn = at.drawn if mine else at.unseen
    for k in range(2):
        if state.drawn[k] >= 0:
            out[drawn + state.drawn[k]] += 0.5 if mine else 0.125
    if state.kept >= 0:
        out[(at.kept if mine else at.unseen) + state.kept] += 1 if mine else 0.125
    out[at.known] = (state.dropped + 1) / CARDS
    out[at.known + 1] = (state.sure + 1) / CARDS
    if state.playing >= 0:
        out[at.playing + state.playing] = 1


@rule
def see_pile(pile: Cells, out: Features) -> None:
    """The action cards of a pile by kind, / 8."""
    for card in range(CARDS):
        out[card] = pile[card] * 0.125


@rule
def see_offer(state: State, rules: Rules, player: int, out: Features) -> None:
    """partner, offer, refused."""
    offer, refused = rules.at.offer, rules.at.refused
    see_seat(rules, player, state.partner, out, rules.at.partner)
    if state.offered >= 0:
        for a in range(ASSETS):
            out[offer + a] = rules.gives[state.offered, a] * 0.5
            out[offer + ASSETS + a] = rules.wants[state.offered, a] * 0.5
    out[offer + 2 * ASSETS] = state.offers / OFFERS
    for k in range(OFFERS):
        if state.refused_by[k] >= 0:
            out[refused] = relative(rules, player, state.refused_by[k]) / 7
            out[refused + 1] = (state.refused[k] + 1) / 60
        refused += 2


@rule
def see_running(state: State, rules: Rules, player: int, out: Features) -> None:
    """pending, lifted, token_from, target, removed."""
    at, lifted = rules.at, rules.at.lifted
    see_guest(rules, state.pending, out, at.pending)
    k = 0
    while k < SEATS and state.lifted[k] >= 0:
        out[lifted + 2 * k] = rules.face[state.lifted[k] + 1, 0]
        out[lifted + 2 * k + 1] = state.lifted_token[k]
        k += 1
    see_seat(rules, player, state.from_player, out, at.token_from)
    if state.from_seat >= 0:
        out[at.token_from + rules.players + state.from_seat] = 1
    see_seat(rules, player, state.target, out, at.target)
    out[at.removed] = state.removals
