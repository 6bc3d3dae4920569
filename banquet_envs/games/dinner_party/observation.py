"""What a seat sees: the observation vector and the layout that explains it.

Nothing is private in this game, so all seats see the same table from their own chair: own seat first, then to the left.
Guests are described one by one, by the same numbers that the actions use: where each is, its Drink, and what the dice
would have to show for it. What never changes during a game (Demand, arrows, occupations, ability) belongs to the number
and is not repeated.
"""

from __future__ import annotations

from typing import Any

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.games.dinner_party.components import (
    DICE,
    HITLER,
    OCCUPATIONS,
    ON_INVITE,
    STACKS,
    WATER,
    WINE,
)
from banquet_envs.games.dinner_party.results import (
    bar_icons,
    bearing,
    beside,
    count_icons,
    dice_total,
    drink_worth,
    need_anywhere,
    need_to_keep,
)
from banquet_envs.games.dinner_party.state import (
    BAR,
    CHOOSE,
    DECISIONS,
    LEFT,
    LOBBY,
    PLACE,
    REROLL,
    RIGHT,
    ROLL,
    UNSEEN,
)
from banquet_envs.games.dinner_party.tables import count_occupations, end_guest, occupations_at

GUEST_EXTRA = 10  # features of a guest after its place: see `see_guests`
THIRD, FIFTH, NINTH, TWENTY_FOURTH = 1 / 3, 1 / 5, 1 / 9, 1 / 24  # products are faster than quotients


def observation_layout(rules: Any) -> Layout:
    """The observation's slices. The width depends on the number of players and on the number of guests in the box."""
    n, g = int(rules.players), int(rules.num_guests)
    return Layout(
        [
            Slice("phase", (DECISIONS,), "one-hot: choose a guest, roll, reroll after the last roll, spot and Drink, gift,"
                  " move Hitler, optional arrival, reseat, Bar, Host"),
            Slice("clock", (3,), "round / 30; 1 in the last round; turns left in this round / players"),
            Slice("seat_to_move", (n,), "one-hot, own seat first, then to the left"),
            Slice("active", (n,), "whose turn it is, one-hot, own first"),
            Slice("stock", (n, 3), "Envelopes, Water and Wine in the Stash of each seat, n as n / (n + 4), own first"),
            Slice("drink_worth", (n, 2), "what a Water and a Wine add for each seat / 6, own first"),
            Slice("table", (n, 4), "each seat, own first: points now / 30, guests / 24, total Demand / 200,"
                  " different occupations / 5"),
            Slice("occupations", (n, len(OCCUPATIONS)), "occupations at each Table, own first"),
            Slice("ends", (n, 2), "arrows at the left and right end of each Table: 1 green, -1 red, own first"),
            Slice("stacks", (STACKS, 2), "face-down cards of each stack / 9; 1 when the stack is empty"),
            Slice("dice", (DICE, 2), "the dice, ascending: number / 5; 1 for a Drink icon"),
            Slice("roll", (8,), "rolls left / 3; icons / 3; what the dice count / 15; still missing at the left and right"
                  " end / 12, below 0 when they show more than enough; entertaining; attempts left / 2; dice that may be"
                  " rerolled after the last roll / 3"),
            Slice("placing", (5,), "own or the active seat's choice so far: left end, treat Water, treat Wine, gift Water,"
                  " gift Wine"),
            Slice("bar", (2,), "icons that count at the Bar now / 4 when choosing there; 1 when the invitation failed"),
            Slice("guest", (g, n + 2 + GUEST_EXTRA), "each guest, Hitler first: at the Table of each seat (own first), open in"
                  " the Lobby, unseen; position from the left + 1, / 24; at an end; Water; Wine; charmed this turn; the"
                  " target; of guests in the Lobby and at other Tables: occupations new to the own Table / 3, what the dice must"
                  " show for the own seat to invite it at the left and right end / 16; of guests at Tables: what its owner's"
                  " dice must show to keep it / 16 (against the own abilities; the own guests against nobody's)"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    at = see_clock(state, rules, player, out)
    at = see_seats(state, rules, player, out, at)
    at = see_stacks(state, out, at)
    at = see_roll(state, rules, out, at)
    at = see_choice(state, rules, out, at)
    see_guests(state, rules, player, out, at)


@rule
def scaled(n: Any, scale: Any) -> Any:
    """`n` over `scale`; what lies beyond twice the scale looks like twice the scale."""
    return min(max(n, -2 * scale), 2 * scale) * (1 / scale)  # a product with a constant is faster than a quotient


@rule
def stocked(n: Any) -> Any:
    """A count without a limit, between 0 and 1."""
    return n / (n + 4)


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then to the left."""
    return seat - player if seat >= player else seat - player + rules.players


@rule
def seat_of(rules: Any, player: Any, k: Any) -> Any:
    """The seat that is number `k` as `player` counts."""
    return player + k if player + k < rules.players else player + k - rules.players


@rule
def see_clock(state: Any, rules: Any, player: Any, out: Any) -> Any:
    """phase, clock, seat_to_move, active."""
    n = rules.players
    at = DECISIONS
    out[at] = scaled(state.round_number, 30)
    out[at + 1] = state.ending
    out[at + 2] = (n - state.turns) / n
    at += 3
    if not state.over:
        out[state.phase] = 1
        out[at + relative(rules, player, state.player)] = 1
        out[at + n + relative(rules, player, state.active)] = 1
    return at + 2 * n


@rule
def see_seats(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """stock, drink_worth, table, occupations, ends."""
    n = rules.players
    for k in range(n):
        seat = seat_of(rules, player, k)
        out[at + 3 * k] = stocked(state.envelopes[seat])
        out[at + 3 * k + 1] = stocked(state.stash[seat, WATER])
        out[at + 3 * k + 2] = stocked(state.stash[seat, WINE])
        worths = at + 3 * n + 2 * k
        out[worths] = scaled(drink_worth(state, rules, seat, WATER), 6)
        out[worths + 1] = scaled(drink_worth(state, rules, seat, WINE), 6)
        found = occupations_at(state, rules, seat)
        table = at + 5 * n + 4 * k
        out[table] = scaled(state.points[seat], 30)
        out[table + 1] = state.seated[seat] * TWENTY_FOURTH
        out[table + 2] = scaled(demand_at(state, rules, seat), 200)
        out[table + 3] = count_occupations(found) * FIFTH
        for o in range(len(OCCUPATIONS)):
            out[at + 9 * n + len(OCCUPATIONS) * k + o] = (found >> o) & 1
        ends = at + (9 + len(OCCUPATIONS)) * n + 2 * k
        if state.seated[seat] > 0:
            out[ends] = rules.guests[end_guest(state, seat, LEFT)].arrows
            out[ends + 1] = rules.guests[end_guest(state, seat, RIGHT)].arrows
    return at + (11 + len(OCCUPATIONS)) * n


@rule
def demand_at(state: Any, rules: Any, seat: Any) -> Any:
    """The total Demand at a Table."""
    total = 0
    for k in range(state.seated[seat]):
        total += rules.guests[state.table[seat, k]].demand
    return total


@rule
def see_stacks(state: Any, out: Any, at: Any) -> Any:
    """Stacks."""
    for back in range(STACKS):
        out[at + 2 * back] = state.height[back] * NINTH
        out[at + 2 * back + 1] = state.height[back] == 0 and state.face_up[back] < 0
    return at + 2 * STACKS


@rule
def see_roll(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """dice, roll: zeros while nothing is being rolled for."""
    for d in range(DICE):
        out[at + 2 * d] = max(int(state.dice[d]), 0) * FIFTH
        out[at + 2 * d + 1] = state.dice[d] == 0
    at += 2 * DICE
    if (state.phase == ROLL or state.phase == REROLL or state.phase == PLACE) and not state.over:
        total = dice_total(state)
        if state.phase == ROLL:
            out[at] = scaled(state.rolls_left, 3)
        out[at + 1] = count_icons(state) * THIRD
        out[at + 2] = scaled(total, 15)
        out[at + 3] = scaled(state.need[LEFT] - total, 12)
        out[at + 4] = scaled(state.need[RIGHT] - total, 12)
        if state.entertaining:
            out[at + 5] = 1
            out[at + 6] = state.attempts / 2
        if state.phase == REROLL:
            out[at + 7] = rules.guests[state.table[state.player, state.window]].ability.amount * THIRD
    return at + 8


@rule
def see_choice(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """placing, bar."""
    out[at] = state.gift > 0 and state.spot == LEFT
    out[at + 1] = state.treat == WATER
    out[at + 2] = state.treat == WINE
    out[at + 3] = state.gift == WATER
    out[at + 4] = state.gift == WINE
    if state.phase == BAR and not state.over:
        out[at + 5] = scaled(bar_icons(state, rules, state.active), 4)
    out[at + 6] = state.failed
    return at + 7


@rule
def see_guests(state: Any, rules: Any, player: Any, out: Any, at: Any) -> None:
    """guest: unseen, target; then all others. Who is charmed sits at a Table, or was Hitler and may have left the game."""
    n = rules.players
    width = n + 2 + GUEST_EXTRA
    for guest in range(rules.num_guests):
        out[at + guest * width + n + 1] = state.where[guest] == UNSEEN
    out[at + HITLER * width + n + 6] = state.charmed[HITLER]
    if state.target >= 0 and state.phase != CHOOSE:
        out[at + state.target * width + n + 7] = 1
    see_tables_and_lobby(state, rules, player, out, at)


@rule
def see_tables_and_lobby(state: Any, rules: Any, player: Any, out: Any, at: Any) -> None:
    """guest: those at a Table, and those who may be invited.

    One loop for all: a call for each guest that hands `out` on would cost as much as what it did.
    """
    n = rules.players
    own, ours = occupations_at(state, rules, player), bearing(state, rules, player)
    left, right = end_guest(state, player, LEFT), end_guest(state, player, RIGHT)
    for k in range(n + 1):  # the Lobby after the seats
        seat = seat_of(rules, player, k) if k < n else LOBBY
        found = bearing(state, rules, seat) if k < n else 0
        size = state.seated[seat] if k < n else STACKS + 1
        for j in range(size):
            guest = state.table[seat, j] if k < n else lobby_guest(state, j)
            if guest < 0:
                continue
            entry = at + guest * (n + 2 + GUEST_EXTRA)
            out[entry + k] = 1
            entry += n + 2
            if k < n:
                out[entry] = (j + 1) * TWENTY_FOURTH
                out[entry + 1] = j == 0 or j == size - 1
                out[entry + 2] = state.drink[guest] == WATER
                out[entry + 3] = state.drink[guest] == WINE
                out[entry + 4] = state.charmed[guest]
                need = need_to_keep(state, rules, seat, found, j, player, ours if k > 0 else 0)
                out[entry + 9] = scaled(need, 16)
            if k > 0:
                out[entry + 6] = count_occupations(rules.guests[guest].occupations & ~own) * THIRD
                need = need_anywhere(state, rules, player, ours, guest)
                out[entry + 7] = scaled(need - beside(state, rules, player, ours, left, guest, ON_INVITE), 16)
                out[entry + 8] = scaled(need - beside(state, rules, player, ours, right, guest, ON_INVITE), 16)


@rule
def lobby_guest(state: Any, k: Any) -> Any:
    """The open card of stack `k`, and Hitler after the stacks; -1 if there is none."""
    if k < STACKS:
        return state.face_up[k]
    return HITLER if state.where[HITLER] == LOBBY else -1
