"""What lies where: putting pieces on the board, and which menus they validate."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, ITEMS, PIECES, TOQUE
from banquet_envs.games.banquet_royal.state import EMPTY


@rule
def open_space(state: State, rules: Rules, x: int) -> bool:
    """Whether a dish or toque may be put there: free, no cloche, touching the bouquet, a dish or a toque."""
    # No branches here and below: nobody can predict them.
    return (state.board[x] == EMPTY) & (state.order[x] < 0) & ((state.reach[x] == 1) | (rules.start[x] == 1))


@rule
def open_order(state: State, x: int) -> bool:
    """Whether the Royal Order there may be announced: it touches a dish or a toque (ruling 8)."""
    return (state.order[x] >= 0) & (state.reach[x] == 1)


@rule
def occupy(state: State, rules: Rules, x: int, piece: int) -> None:
    """Put a dish or toque on a space."""
    state.board[x] = piece
    state.free -= 1
    state.placed = x
    for k in range(rules.degree[x]):
        state.reach[rules.near[x, k]] = 1


@rule
def put_dish(state: State, rules: Rules, x: int, dish: int) -> None:
    """Take a dish from the kitchen and put it on a space."""
    state.kitchen[dish] -= 1
    occupy(state, rules, x, dish)


@rule
def put_toque(state: State, rules: Rules, x: int, seat: int) -> None:
    """Put one of the seat's toques on a space."""
    state.toques[seat] -= 1
    state.owner[x] = seat
    occupy(state, rules, x, TOQUE)


@rule
def missing_space(state: State, rules: Rules, k: int) -> int:
    """The only space of line `k` without a piece, -1 if there are none or several."""
    gaps, missing = 0, 0
    for i in range(ITEMS):  # no branches: which spaces are free is beyond prediction
        x = rules.line[k, i]
        gap = int(state.board[x] < 0)
        gaps += gap
        missing += gap * x
    return missing if gaps == 1 else -1


@rule
def shown_with(state: State, rules: Rules, k: int, x: int, piece: int) -> int:
    """The menus (one bit each) that line `k` validates when `piece` lies on space `x`; none if it is not full."""
    code = 0
    for i in range(ITEMS):
        y = rules.line[k, i]
        here = piece if y == x else state.board[y]
        if here < 0 or here >= PIECES:
            return 0
        code = code * PIECES + here
    return rules.shown_by[code]


@rule
def shown_at(state: State, rules: Rules, x: int, piece: int) -> int:
    """The menus that some line through space `x` validates when `piece` lies there (rulings 1 to 3)."""
    found = 0
    for j in range(rules.lines_at[x]):
        found |= shown_with(state, rules, rules.line_at[x, j], x, piece)
    return found


@rule
def has_bit(mask: int, k: int) -> bool:
    """Whether bit `k` of a set of menus is set."""
    return (mask >> int(k)) & 1 == 1


@rule
def hand_mask(state: State, seat: int) -> int:
    """The seat's cards as a set, one bit each."""
    held = 0
    for s in range(HAND):
        if state.hand[seat, s] >= 0:
            held |= 1 << int(state.hand[seat, s])
    return held


@rule
def all_filled(state: State, rules: Rules) -> bool:
    """Whether the table is complete: no space is free (ruling 19), or spots closed for good cut off what is (ruling 12)."""
    if rules.closed:
        for x in range(CELLS):
            if open_space(state, rules, x) or open_order(state, x):
                return False
        return True
    return state.free == 0


@rule
def only_main_action(state: State, rules: Rules, seat: int) -> int:
    """The only way to play step 1 when there is just one: space * 5 + piece; -1 if there are several."""
    only = -1
    for x in range(CELLS):
        if open_order(state, x):
            return -1
        if open_space(state, rules, x):
            for piece in range(PIECES):
                if has_piece(state, seat, piece):
                    if only >= 0:
                        return -1
                    only = x * PIECES + piece
    return only


@rule
def has_piece(state: State, seat: int, piece: int) -> bool:
    """Whether the dish is in the kitchen, or the toque in the seat's own supply."""
    return state.toques[seat] > 0 if piece == TOQUE else state.kitchen[piece % DISHES] > 0


@rule
def unrevealed(state: State, dish: int) -> int:
    """Tokens of the dish that are unused or lie under a cloche; public by subtraction."""
    count = state.tokens[dish]
    for x in range(CELLS):
        if state.order[x] == dish:
            count += 1
    return count


@rule
def best_value(state: State, rules: Rules, seat: int, menus: int) -> int:
    """The points of the seat's dearest card among `menus`."""
    best = 0
    for s in range(HAND):
        card = state.hand[seat, s]
        if card >= 0 and has_bit(menus, card):
            best = max(best, rules.value[card])
    return best
