"""What a seat sees: its own discs, the other seat's, and whose turn it is."""

from typing import Any

from banquet_envs.core import Layout, Slice, rule
from connect_four.state import CELLS, COLUMNS, ROWS


def observation_layout(rules: Any) -> Layout:
    """The slices of the observation vector."""
    return Layout(
        [
            Slice("own", (ROWS, COLUMNS), "1 where the seat has a disc; row 0 is the bottom row"),
            Slice("other", (ROWS, COLUMNS), "1 where the other seat has a disc"),
            Slice("to_move", (1,), "1 when the seat is to move"),
        ]
    )


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    """Write the view of `player` into `out`, float32 (85,)."""
    own, other = state.discs[player], state.discs[1 - player]
    for cell in range(CELLS):
        out[cell] = own >> cell & 1
        out[CELLS + cell] = other >> cell & 1
    out[2 * CELLS] = player == state.player
