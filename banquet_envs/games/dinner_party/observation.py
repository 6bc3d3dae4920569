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
    OCCUPATIONS,
    SEATS,
    STACKS,
    WATER,
    WINE,
)
from banquet_envs.games.dinner_party.results import (
    bar_icons,
    count_icons,
    dice_total,
    drink_worth,
    entertain_need,
    invite_need,
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
from banquet_envs.games.dinner_party.tables import count_occupations, end_guest, occupations_at, place_of

GUEST_EXTRA = 10  # features of a guest after its place: see `see_guest`


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
                  " end / 12; entertaining; attempts left / 2; dice that may be rerolled after the last roll / 3"),
            Slice("placing", (5,), "own or the active seat's choice so far: left end, treat Water, treat Wine, gift Water,"
                  " gift Wine"),
            Slice("bar", (2,), "icons that count at the Bar now / 4 when choosing there; 1 when the invitation failed"),
            Slice("guest", (g, n + 2 + GUEST_EXTRA), "each guest, Hitler first: at the Table of each seat (own first), open in"
                  " the Lobby, unseen; position from the left + 1, / 24; at an end; Water; Wine; charmed this turn; the"
                  " target; occupations new to the own Table / 3; what the dice must show for the own seat to invite it"
                  " at the left and right end / 16 (0 when it is not to be had); what its owner's dice must show to keep"
                  " it / 16 (against the own abilities; the own guests against nobody's)"),
        ]
    )  # fmt: skip


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (W,)."""
    at = see_clock(state, rules, player, out)
    at = see_seats(state, rules, player, out, at)
    at = see_stacks(state, out, at)
    at = see_roll(state, rules, out, at)
    at = see_choice(state, rules, out, at)
    own = occupations_at(state, rules, player)
    for guest in range(rules.num_guests):
        at = see_guest(state, rules, player, guest, own, out, at)


@rule
def scaled(n: Any, scale: Any) -> Any:
    """`n` over `scale`; what lies beyond twice the scale looks like twice the scale."""
    return min(max(n, -2 * scale), 2 * scale) / scale


@rule
def stocked(n: Any) -> Any:
    """A count without a limit, between 0 and 1."""
    return n / (n + 4)


@rule
def relative(rules: Any, player: Any, seat: Any) -> Any:
    """The seat's number as `player` counts: 0 is itself, then to the left."""
    return (seat - player + rules.players) % rules.players


@rule
def see_clock(state: Any, rules: Any, player: Any, out: Any) -> Any:
    """phase, clock, seat_to_move, active."""
    n = rules.players
    for k in range(DECISIONS):
        out[k] = not state.over and state.phase == k
    at = DECISIONS
    out[at] = scaled(state.round_number, 30)
    out[at + 1] = state.ending
    out[at + 2] = (n - state.turns) / n
    at += 3
    for k in range(n):
        out[at + k] = not state.over and relative(rules, player, state.player) == k
        out[at + n + k] = not state.over and relative(rules, player, state.active) == k
    return at + 2 * n


@rule
def see_seats(state: Any, rules: Any, player: Any, out: Any, at: Any) -> Any:
    """stock, drink_worth, table, occupations, ends."""
    n = rules.players
    for k in range(n):
        seat = (player + k) % n
        out[at + 3 * k] = stocked(state.envelopes[seat])
        out[at + 3 * k + 1] = stocked(state.stash[seat, WATER])
        out[at + 3 * k + 2] = stocked(state.stash[seat, WINE])
        worths = at + 3 * n + 2 * k
        out[worths] = scaled(drink_worth(state, rules, seat, WATER), 6)
        out[worths + 1] = scaled(drink_worth(state, rules, seat, WINE), 6)
        see_table(state, rules, seat, out, at + 5 * n + 4 * k)
        occupations = occupations_at(state, rules, seat)
        for o in range(len(OCCUPATIONS)):
            out[at + 9 * n + len(OCCUPATIONS) * k + o] = (occupations >> o) & 1
        ends = at + (9 + len(OCCUPATIONS)) * n + 2 * k
        for end in range(2):
            guest = end_guest(state, seat, end)
            out[ends + end] = rules.guests[guest].arrows if guest >= 0 else 0
    return at + (11 + len(OCCUPATIONS)) * n


@rule
def see_table(state: Any, rules: Any, seat: Any, out: Any, at: Any) -> None:
    """One entry of table."""
    demand = 0
    for k in range(state.seated[seat]):
        demand += rules.guests[state.table[seat, k]].demand
    out[at] = scaled(state.points[seat], 30)
    out[at + 1] = state.seated[seat] / 24
    out[at + 2] = scaled(demand, 200)
    out[at + 3] = count_occupations(occupations_at(state, rules, seat)) / 5


@rule
def see_stacks(state: Any, out: Any, at: Any) -> Any:
    """Stacks."""
    for back in range(STACKS):
        out[at + 2 * back] = state.height[back] / 9
        out[at + 2 * back + 1] = state.height[back] == 0 and state.face_up[back] < 0
    return at + 2 * STACKS


@rule
def see_roll(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """dice, roll: zeros while nothing is being rolled for."""
    rolling = state.phase == ROLL or state.phase == REROLL or state.phase == PLACE
    for d in range(DICE):
        out[at + 2 * d] = max(int(state.dice[d]), 0) / 5
        out[at + 2 * d + 1] = state.dice[d] == 0
    at += 2 * DICE
    for k in range(8):
        out[at + k] = 0
    if rolling and not state.over:
        total = dice_total(state)
        out[at] = scaled(state.rolls_left, 3) if state.phase == ROLL else 0.0
        out[at + 1] = count_icons(state) / 3
        out[at + 2] = scaled(total, 15)
        out[at + 3] = scaled(state.need[LEFT] - total, 12)
        out[at + 4] = scaled(state.need[RIGHT] - total, 12)
        out[at + 5] = state.entertaining
        out[at + 6] = state.attempts / 2 if state.entertaining else 0.0
        if state.phase == REROLL:
            out[at + 7] = rules.guests[state.table[state.player, state.window]].ability.amount / 3
    return at + 8


@rule
def see_choice(state: Any, rules: Any, out: Any, at: Any) -> Any:
    """placing, bar."""
    out[at] = state.gift > 0 and state.spot == LEFT
    out[at + 1] = state.treat == WATER
    out[at + 2] = state.treat == WINE
    out[at + 3] = state.gift == WATER
    out[at + 4] = state.gift == WINE
    out[at + 5] = scaled(bar_icons_shown(state, rules), 4)
    out[at + 6] = state.failed
    return at + 7


@rule
def bar_icons_shown(state: Any, rules: Any) -> Any:
    """The icons that count at the Bar while a seat chooses there, else 0."""
    if state.over or state.phase != BAR:
        return 0
    return bar_icons(state, rules, state.active)


@rule
def see_guest(state: Any, rules: Any, player: Any, guest: Any, own: Any, out: Any, at: Any) -> Any:
    """One entry of guest."""
    n = rules.players
    seat = state.where[guest]
    for k in range(n + 2 + GUEST_EXTRA):
        out[at + k] = 0
    if seat == LOBBY:
        out[at + n] = 1
    elif seat == UNSEEN:
        out[at + n + 1] = 1
    elif seat < SEATS:
        out[at + relative(rules, player, seat)] = 1
        k = place_of(state, guest)
        out[at + n + 2] = (k + 1) / 24
        out[at + n + 3] = k == 0 or k == state.seated[seat] - 1
        out[at + n + 4] = state.drink[guest] == WATER
        out[at + n + 5] = state.drink[guest] == WINE
    out[at + n + 6] = state.charmed[guest]
    out[at + n + 7] = state.target == guest and state.phase != CHOOSE
    at += n + 8
    if seat == LOBBY or (seat < SEATS and seat != player):
        new = rules.guests[guest].occupations & ~own
        out[at] = count_occupations(new) / 3
        out[at + 1] = scaled(invite_need(state, rules, player, guest, LEFT), 16)
        out[at + 2] = scaled(invite_need(state, rules, player, guest, RIGHT), 16)
    if seat < SEATS:
        out[at + 3] = scaled(entertain_need(state, rules, guest, -1 if seat == player else player), 16)
    return at + 4
