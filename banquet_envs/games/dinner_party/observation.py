"""What a seat sees: the observation vector and the layout that explains it.

Nothing is private in this game, so all seats see the same table from their own chair: own seat first, then to the left.
Guests are described one by one, by the same numbers that the actions use: where each is, its Drink, and what the dice
would have to show for it. What never changes during a game (Demand, arrows, occupations, ability) belongs to the number
and is not repeated.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.seats import relative, seat_after
from banquet_envs.core.types import Features, Rules, State
from banquet_envs.games.dinner_party.components import DICE, HITLER, OCCUPATIONS, STACKS, Drink, Roll
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
from banquet_envs.games.dinner_party.state import DECISIONS, End, Phase, Where
from banquet_envs.games.dinner_party.tables import count_occupations, end_guest, occupations_at

# Entries of the slices `stock` and `table` for a seat; of `guest` where it is beside the seats' Tables, and what follows.
STOCK, TABLE_FEATURES, PLACES, GUEST_EXTRA = 3, 4, 2, 10
POSITION, AT_END, WATER, WINE, CHARMED, TARGET, NEW, LEFT_NEED, RIGHT_NEED, KEEP_NEED = range(GUEST_EXTRA)
THIRD, FIFTH, NINTH, TWENTY_FOURTH = 1 / 3, 1 / 5, 1 / 9, 1 / 24  # products are faster than quotients


def observation_layout(rules: Rules) -> Layout:
    """The observation's slices. The width depends on the number of players and on the number of guests in the box."""
    n, g = int(rules.players), int(rules.num_guests)
    return Layout(
        [
            Slice("phase", (DECISIONS,), "one-hot: choose a guest, roll, reroll after the last roll, spot and Drink, gift,"
                  " move Hitler, optional arrival, reseat, Bar, Host"),
            Slice("clock", (3,), "round / 30; 1 in the last round; turns left in this round / players"),
            Slice("seat_to_move", (n,), "one-hot, own seat first, then to the left"),
            Slice("active", (n,), "whose turn it is, one-hot, own first"),
            Slice("stock", (n, STOCK), "Envelopes, Water and Wine in the Stash of each seat, n as n / (n + 4), own first"),
            Slice("drink_worth", (n, 2), "what a Water and a Wine add for each seat / 6, own first"),
            Slice("table", (n, TABLE_FEATURES), "each seat, own first: points now / 30, guests / 24, total Demand / 200,"
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
            Slice("guest", (g, n + PLACES + GUEST_EXTRA), "each guest, Hitler first: at the Table of each seat (own first), open in"
                  " the Lobby, unseen; position from the left + 1, / 24; at an end; Water; Wine; charmed this turn; the"
                  " target; of guests in the Lobby and at other Tables: occupations new to the own Table / 3, what the dice must"
                  " show for the own seat to invite it at the left and right end / 16; of guests at Tables: what its owner's"
                  " dice must show to keep it / 16 (against the own abilities; the own guests against nobody's)"),
        ]
    )  # fmt: skip


# Offsets are read from the rules before a loop, not in it: the compiler cannot know that writing features leaves them alone.


@rule
def observe(state: State, rules: Rules, player: int, out: Features) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    see_clock(state, rules, player, out)
    see_seats(state, rules, player, out)
    see_stacks(state, rules, out)
    see_roll(state, rules, out)
    see_choice(state, rules, out)
    see_guests(state, rules, player, out)


@rule
def scaled(n: int, scale: int) -> float:
    """`n` over `scale`; what lies beyond twice the scale looks like twice the scale."""
    return min(max(n, -2 * scale), 2 * scale) * (1 / scale)  # a product with a constant is faster than a quotient


@rule
def stocked(n: int) -> float:
    """A count without a limit, between 0 and 1."""
    return n / (n + 4)


@rule
def see_clock(state: State, rules: Rules, player: int, out: Features) -> None:
    """phase, clock, seat_to_move, active."""
    at, n = rules.at, rules.players
    out[at.clock] = scaled(state.round_number, 30)
    out[at.clock + 1] = state.ending
    out[at.clock + 2] = (n - state.turns) / n
    if not state.over:
        out[at.phase + state.phase] = 1
        out[at.seat_to_move + relative(rules, player, state.player)] = 1
        out[at.active + relative(rules, player, state.active)] = 1


@rule
def see_seats(state: State, rules: Rules, player: int, out: Features) -> None:
    """stock, drink_worth, table, occupations, ends."""
    at = rules.at
    stock, worth, table, occupations, ends = at.stock, at.drink_worth, at.table, at.occupations, at.ends
    for k in range(rules.players):
        seat = seat_after(rules, player, k)
        out[stock] = stocked(state.envelopes[seat])
        out[stock + 1] = stocked(state.stash[seat, Drink.WATER])
        out[stock + 2] = stocked(state.stash[seat, Drink.WINE])
        out[worth] = scaled(drink_worth(state, rules, seat, Drink.WATER), 6)
        out[worth + 1] = scaled(drink_worth(state, rules, seat, Drink.WINE), 6)
        found = occupations_at(state, rules, seat)
        out[table] = scaled(state.points[seat], 30)
        out[table + 1] = state.seated[seat] * TWENTY_FOURTH
        out[table + 2] = scaled(demand_at(state, rules, seat), 200)
        out[table + 3] = count_occupations(found) * FIFTH
        for o in range(len(OCCUPATIONS)):
            out[occupations + o] = (found >> o) & 1
        if state.seated[seat] > 0:
            out[ends] = rules.guests[end_guest(state, seat, End.LEFT)].arrows
            out[ends + 1] = rules.guests[end_guest(state, seat, End.RIGHT)].arrows
        stock += STOCK
        worth += 2
        table += TABLE_FEATURES
        occupations += len(OCCUPATIONS)
        ends += 2


@rule
def demand_at(state: State, rules: Rules, seat: int) -> int:
    """The total Demand at a Table."""
    total = 0
    for k in range(state.seated[seat]):
        total += rules.guests[state.table[seat, k]].demand
    return total


@rule
def see_stacks(state: State, rules: Rules, out: Features) -> None:
    """Stacks."""
    stack = rules.at.stacks
    for back in range(STACKS):
        out[stack] = state.height[back] * NINTH
        out[stack + 1] = state.height[back] == 0 and state.face_up[back] < 0
        stack += 2


@rule
def see_roll(state: State, rules: Rules, out: Features) -> None:
    """dice, roll: zeros while nothing is being rolled for."""
    dice, roll = rules.at.dice, rules.at.roll
    for d in range(DICE):
        out[dice] = max(int(state.dice[d]), 0) * FIFTH
        out[dice + 1] = state.dice[d] == 0
        dice += 2
    if (state.phase == Phase.ROLL or state.phase == Phase.REROLL or state.phase == Phase.PLACE) and not state.over:
        total = dice_total(state)
        if state.phase == Phase.ROLL:
            out[roll] = scaled(state.rolls_left, 3)
        out[roll + 1] = count_icons(state) * THIRD
        out[roll + 2] = scaled(total, 15)
        out[roll + 3] = scaled(state.need[End.LEFT] - total, 12)
        out[roll + 4] = scaled(state.need[End.RIGHT] - total, 12)
        if state.entertaining:
            out[roll + 5] = 1
            out[roll + 6] = state.attempts / 2
        if state.phase == Phase.REROLL:
            out[roll + 7] = rules.guests[state.table[state.player, state.window]].ability.amount * THIRD


@rule
def see_choice(state: State, rules: Rules, out: Features) -> None:
    """placing, bar."""
    placing, bar = rules.at.placing, rules.at.bar
    out[placing] = state.gift > 0 and state.spot == End.LEFT
    out[placing + 1] = state.treat == Drink.WATER
    out[placing + 2] = state.treat == Drink.WINE
    out[placing + 3] = state.gift == Drink.WATER
    out[placing + 4] = state.gift == Drink.WINE
    if state.phase == Phase.BAR and not state.over:
        out[bar] = scaled(bar_icons(state, rules, state.active), 4)
    out[bar + 1] = state.failed


@rule
def see_guests(state: State, rules: Rules, player: int, out: Features) -> None:
    """guest: unseen, target; then all others. Who is charmed sits at a Table, or was Hitler and may have left the game."""
    start, n = rules.at.guest, rules.players
    width = n + PLACES + GUEST_EXTRA
    for guest in range(rules.num_guests):
        out[start + guest * width + n + 1] = state.where[guest] == Where.UNSEEN
    out[start + HITLER * width + n + PLACES + CHARMED] = state.charmed[HITLER]
    if state.target >= 0 and state.phase != Phase.CHOOSE:
        out[start + state.target * width + n + PLACES + TARGET] = 1
    see_tables_and_lobby(state, rules, player, out, start)


@rule
def see_tables_and_lobby(state: State, rules: Rules, player: int, out: Features, start: int) -> None:
    """guest: those at a Table, and those who may be invited.

    One loop for all: a call for each guest that hands `out` on would cost as much as what it did.
    """
    n = rules.players
    own, ours = occupations_at(state, rules, player), bearing(state, rules, player)
    left, right = end_guest(state, player, End.LEFT), end_guest(state, player, End.RIGHT)
    for k in range(n + 1):  # the Lobby after the seats
        seat = seat_after(rules, player, k) if k < n else Where.LOBBY
        found = bearing(state, rules, seat) if k < n else 0
        size = state.seated[seat] if k < n else STACKS + 1
        for j in range(size):
            guest = state.table[seat, j] if k < n else lobby_guest(state, j)
            if guest < 0:
                continue
            entry = start + guest * (n + PLACES + GUEST_EXTRA)
            out[entry + k] = 1
            entry += n + PLACES
            if k < n:
                out[entry + POSITION] = (j + 1) * TWENTY_FOURTH
                out[entry + AT_END] = j == 0 or j == size - 1
                out[entry + WATER] = state.drink[guest] == Drink.WATER
                out[entry + WINE] = state.drink[guest] == Drink.WINE
                out[entry + CHARMED] = state.charmed[guest]
                need = need_to_keep(state, rules, seat, found, j, player, ours if k > 0 else 0)
                out[entry + KEEP_NEED] = scaled(need, 16)
            if k > 0:
                out[entry + NEW] = count_occupations(rules.guests[guest].occupations & ~own) * THIRD
                need = need_anywhere(state, rules, player, ours, guest)
                beside_left = beside(state, rules, player, ours, left, guest, Roll.INVITE)
                beside_right = beside(state, rules, player, ours, right, guest, Roll.INVITE)
                out[entry + LEFT_NEED] = scaled(need - beside_left, 16)
                out[entry + RIGHT_NEED] = scaled(need - beside_right, 16)


@rule
def lobby_guest(state: State, k: int) -> int:
    """The open card of stack `k`, and Hitler after the stacks; -1 if there is none."""
    if k < STACKS:
        return state.face_up[k]
    return HITLER if state.where[HITLER] == Where.LOBBY else -1
