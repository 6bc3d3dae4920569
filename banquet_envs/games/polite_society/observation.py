"""What a seat sees: the observation vector and the layout that explains it.

Public is all but the types in the hands, the drawn and kept action cards, the missions and the orders of the piles. Of
the other hands a seat is given the bounds that a careful player could keep (hands.py).
Each `see_*` function writes its slices in the layout's order and returns the index after them.
"""

from __future__ import annotations

from typing import Any

from numpy import int64

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.games.polite_society.cards import deck_size
from banquet_envs.games.polite_society.components import ASSETS, CARDS, GUESTS, IMPROVEMENTS, LIST, MISSIONS, SEATS
from banquet_envs.games.polite_society.hands import bounds, hand_size
from banquet_envs.games.polite_society.state import DISCARDED, PHASES, PILE
from banquet_envs.games.polite_society.tables import count_where, guest_set, members, mission_gap

GUEST = 1 + ASSETS  # a guest: number and rewards
PRICED = GUEST + ASSETS  # and its cost
REFUSALS = 3


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
            Slice("draft", (2 * n, GUEST), f"setup: the guests face up; {guest}"),
            Slice("table", (n, SEATS, GUEST + 1), f"tables, own first: {guest}; indisposed"),
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
            Slice("pending", (GUEST,), f"the guest waiting for a seat; {guest}"),
            Slice("lifted", (SEATS, 2), "rearranging, in order: (number + 1) / 62, indisposed"),
            Slice("token_from", (n + SEATS,), "the token being moved: player, seat; one-hot each, 0 for the supply"),
            Slice("target", (n,), "the player chosen by the card being played, one-hot"),
            Slice("removed", (1,), "own guests removed this turn (missions)"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,)."""
    at = see_clock(state, rules, out)
    at = see_seats(state, rules, player, out, at)
    at = see_hands(state, rules, player, out, at)
    at = see_stock(state, rules, out, at)
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
    return (seat - player + rules.players) % rules.players


@rule
def see_one(count: Any, chosen: Any, out: Any, at: Any) -> Any:
    """A one-hot slice; all zero for -1."""
    for k in range(count):
        out[at + k] = k == chosen
    return at + count


@rule
def see_seat(rules: Any, player: Any, seat: Any, out: Any, at: Any) -> Any:
    """A seat, one-hot, own first; all zero for -1."""
    return see_one(int64(rules.players), relative(rules, player, seat) if seat >= 0 else int64(-1), out, at)


@rule
def see_guest(rules: Any, g: Any, out: Any, at: Any) -> Any:
    """A guest's number and rewards."""
    out[at] = (g + 1) / GUESTS
    for a in range(ASSETS):
        out[at + 1 + a] = rules.guest[g].reward[a] / 2 if g >= 0 else 0.0
    return at + GUEST


@rule
def see_clock(state: Any, rules: Any, out: Any) -> Any:
    """phase, clock."""
    at = see_one(int64(PHASES), int64(-1) if state.over else int64(state.phase), out, int64(0))
    out[at] = state.turns / rules.max_turns
    for k in range(2):
        out[at + 1 + k] = state.dice[k] / 6
        out[at + 3 + k] = state.add_dice[k] / 6
    out[at + 5] = state.kept >= 0
    return at + 6


@rule
def see_seats(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """seat_to_move to improvement."""
    n = rules.players
    at = see_seat(rules, player, int64(-1) if state.over else int64(state.player), out, at)
    at = see_seat(rules, player, int64(state.active), out, at)
    at = see_seat(rules, player, int64(state.first), out, at)
    for k in range(n):
        seat = (player + k) % n
        out[at + k] = state.out[seat]
        out[at + n + k] = (state.finish[seat] + 1) / 7
        out[at + 2 * n + k] = state.points[seat] / SEATS
        out[at + 3 * n + k] = min(24, hand_size(state, seat)) / 12
    at += 4 * n
    for k in range(n):
        for a in range(ASSETS):
            out[at + a] = income(state, rules, (player + k) % n, a) / 36
        at += ASSETS
    for k in range(n):
        for a in range(IMPROVEMENTS):
            out[at + a] = min(2, state.improvement[(player + k) % n, a])
        at += IMPROVEMENTS
    return at


@rule
def income(state: Any, rules: Any, seat: Any, a: Any) -> Any:
    """What the well guests of a table bring of an asset in 36 rolls."""
    total = 0
    for s in range(SEATS):
        if state.table[seat, s] >= 0 and not state.token[seat, s]:
            total += rules.chance[s] * rules.guest[state.table[seat, s]].reward[a]
    return total


@rule
def see_hands(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """hand, least, most, bank."""
    for a in range(ASSETS):
        out[at + a] = min(24, state.hand[player, a]) / 12
    at += ASSETS
    others = (rules.players - 1) * ASSETS
    for k in range(1, rules.players):
        for a in range(ASSETS):
            least, most = bounds(state, player, (player + k) % rules.players, a)
            out[at + a] = min(24, least) / 12
            out[at + others + a] = min(24, most) / 12
        at += ASSETS
    at += others
    for a in range(ASSETS):
        out[at + a] = max(-48, min(48, state.bank[a])) / 24
    return at + ASSETS


@rule
def see_stock(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """stock, where."""
    out[at] = count_where(state, rules, PILE) / 60
    out[at + 1] = count_where(state, rules, DISCARDED) / 60
    out[at + 2] = deck_size(state) / 50
    discarded = 0
    for card in range(CARDS):
        discarded += int64(state.discard[card])
    out[at + 3] = discarded / 50
    out[at + 4] = state.supply / 8
    at += 5
    for g in range(GUESTS):
        out[at + g] = (state.where[g] == PILE) + (state.where[g] == DISCARDED) / 2
    return at + GUESTS


@rule
def see_list(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """list, list_own."""
    for k in range(LIST):
        g = int64(state.list[k])
        at = see_guest(rules, g, out, at)
        for a in range(ASSETS):
            out[at + a] = rules.guest[g].cost[a] / 4 if g >= 0 else 0.0
        at += ASSETS
    for k in range(LIST):
        g = int64(state.list[k])
        lacking = 0
        if g >= 0:
            for a in range(ASSETS):
                lacking += max(0, rules.guest[g].cost[a] - state.hand[player, a])
        out[at] = lacking / 9
        out[at + 1] = g >= 0 and lacking == 0
        at += 2
    return at


@rule
def see_draft(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """draft."""
    for k in range(2 * rules.players):
        at = see_guest(rules, int64(state.draft[k]), out, at)
    return at


@rule
def see_tables(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """table."""
    for k in range(rules.players):
        seat = (player + k) % rules.players
        for s in range(SEATS):
            at = see_guest(rules, int64(state.table[seat, s]), out, at)
            out[at] = state.token[seat, s]
            at += 1
    return at


@rule
def see_mission(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """mission to excluded."""
    mine = int64(state.mission[player])
    at = see_one(int64(MISSIONS), mine, out, at)
    cards = 2 * rules.players
    before = 0
    seated = guest_set(state, player)
    for k in range(1 + LIST + cards + SEATS):
        g = -1
        if k > LIST + cards:
            g = int64(state.table[player, k - 1 - LIST - cards])
        elif k > 0:
            g = int64(state.list[k - 1]) if k <= LIST else int64(state.draft[k - 1 - LIST])
        out[at] = 0
        out[at + 1] = k == 0 or g >= 0
        if mine >= 0 and (k == 0 or g >= 0):
            guests = seated if k == 0 else seated ^ (1 << g)  # one more, or one fewer
            gap = min(9, mission_gap(rules, mine, guests))
            if k == 0:
                before = gap
            out[at] = (gap if k == 0 else gap - before) / 8
            out[at + 1] = gap <= SEATS - members(guests)
        at += 2
    for k in range(1, rules.players):
        for m in range(MISSIONS):
            out[at + m] = (int64(state.excluded[(player + k) % rules.players]) >> m) & 1
        at += MISSIONS
    return at


@rule
def see_cards(state: Any, player: Any, out: Any, at: Any) -> Any:
    """drawn, kept, unseen, discard, known, playing."""
    mine = state.active == player
    for card in range(CARDS):
        drawn = int64(state.drawn[0] == card) + int64(state.drawn[1] == card)
        kept = int64(state.kept == card)
        out[at + card] = drawn / 2 if mine else 0.0
        out[at + CARDS + card] = kept if mine else 0
        out[at + 2 * CARDS + card] = (state.deck[card] + (0 if mine else drawn + kept)) / 8
        out[at + 3 * CARDS + card] = state.discard[card] / 8
    at += 4 * CARDS
    out[at] = (state.dropped + 1) / CARDS
    out[at + 1] = (state.sure + 1) / CARDS
    return see_one(int64(CARDS), int64(state.playing), out, at + 2)


@rule
def see_offer(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """partner, offer, refused."""
    at = see_seat(rules, player, int64(state.partner), out, at)
    for a in range(ASSETS):
        out[at + a] = rules.gives[int64(state.offered), a] / 2 if state.offered >= 0 else 0.0
        out[at + ASSETS + a] = rules.wants[int64(state.offered), a] / 2 if state.offered >= 0 else 0.0
    out[at + 2 * ASSETS] = state.offers / REFUSALS
    at += 2 * ASSETS + 1
    for k in range(REFUSALS):
        by = int64(state.refused_by[k])
        out[at] = relative(rules, player, by) / 7 if by >= 0 else 0.0
        out[at + 1] = (state.refused[k] + 1) / 60
        at += 2
    return at


@rule
def see_running(state: Any, rules: Any, player: Any, out: Any, at: Any) -> None:
    """pending, lifted, token_from, target, removed."""
    at = see_guest(rules, int64(state.pending), out, at)
    for k in range(SEATS):
        out[at] = (state.lifted[k] + 1) / GUESTS
        out[at + 1] = state.lifted_token[k]
        at += 2
    at = see_seat(rules, player, int64(state.from_player), out, at)
    at = see_one(int64(SEATS), int64(state.from_seat), out, at)
    at = see_seat(rules, player, int64(state.target), out, at)
    out[at] = state.removals
