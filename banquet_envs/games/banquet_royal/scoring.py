"""Points at the end of the game, and what the variants add."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, TOKENS, TOQUE, VALUES, Eat
from banquet_envs.games.banquet_royal.state import Seen


@rule
def menus_of(state: State, rules: Rules, seat: int, value: int) -> int:
    """How many menus of `value` points the seat has validated."""
    count = 0
    for c in range(rules.menus):
        if state.seen[c] == Seen.VALIDATED + seat and rules.value[c] == value:
            count += 1
    return count


@rule
def orders_of(state: State, seat: int) -> int:
    """How many Royal Orders the seat has collected."""
    count = 0
    for dish in range(DISHES):
        count += state.collected[seat, dish]
    return count


@rule
def order_points(rules: Rules) -> int:
    """What a collected order is worth at once; nothing where All You Can Eat replaces it (ruling 23)."""
    return 0 if rules.eat == Eat.REPLACE else rules.order_points


@rule
def distinct_points(state: State, rules: Rules, seat: int) -> int:
    """All You Can Eat: 1, 3, 5 or 8 points for 1 to 4 different dishes among the collected orders."""
    if rules.eat == Eat.OFF:
        return 0
    distinct = 0
    for dish in range(DISHES):
        if state.collected[seat, dish] > 0:
            distinct += 1
    return rules.distinct[distinct]


@rule
def toque_value(state: State, rules: Rules, x: int) -> int:
    """Gourmet: the largest number of identical dishes around the toque on `x` (ruling 22)."""
    best = 0
    for dish in range(DISHES):
        count = 0
        for k in range(rules.degree[x]):
            if state.board[rules.near[x, k]] == dish:
                count += 1
        best = max(best, count)
    return best


@rule
def toque_points(state: State, rules: Rules, seat: int) -> int:
    """Gourmet: the values of the seat's toques on the board."""
    total = 0
    for x in range(CELLS):
        if state.board[x] == TOQUE and state.owner[x] == seat:
            total += toque_value(state, rules, x)
    return total


@rule
def majority_points(state: State, rules: Rules, seat: int) -> int:
    """Gourmet: 3 points for the most 1-point menus, 2 for the most 2-point menus; ties all gain, none with zero."""
    total = 0
    for v in range(VALUES):
        mine = menus_of(state, rules, seat, v + 1)
        most = mine > 0
        for other in range(rules.players):
            if menus_of(state, rules, other, v + 1) > mine:
                most = False
        if most:
            total += rules.most[v]
    return total


@rule
def end_points(state: State, rules: Rules, seat: int) -> int:
    """What the variants would add for the seat if the game ended now."""
    total = distinct_points(state, rules, seat)
    if rules.gourmet:
        total += toque_points(state, rules, seat) + majority_points(state, rules, seat)
    return total


@rule
def finish(state: State, rules: Rules) -> None:
    """Endgame: most points, then most collected Royal Orders, then shared victory (ruling 20)."""
    for seat in range(rules.players):
        state.points[seat] += end_points(state, rules, seat)
        state.rank_key[seat] = state.points[seat] * (TOKENS + 1) + orders_of(state, seat)
    rank_by(state, rules.players, state.rank_key)
    state.over = True
