"""Two scripted agents: `greedy` sees one disc ahead, `expert` two, and knows which cells are worth most."""

from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents import Script
from banquet_envs.core import random_set, rule
from connect_four.rules import four_in_line, landing
from connect_four.state import BOARD, CELLS, COLUMNS, LINES


@rule
def completes(state: Any, seat: Any, cell: Any) -> Any:
    """Whether a disc of `seat` in `cell` would make four in a line."""
    return four_in_line(state.discs[seat] | cell)


@rule
def at_stake(state: Any, mask: Any) -> Any:
    """A column in which the seat to move wins at once; else one in which the other seat would; else -1."""
    blocking = -1
    for column in range(COLUMNS):
        if mask[column]:
            if completes(state, state.player, landing(state, column)):
                return column
            if completes(state, 1 - state.player, landing(state, column)):
                blocking = column
    return blocking


@rule
def choose_greedy(state: Any, rules: Any, table: Any, mask: Any, spare: Any) -> Any:
    """Win, block, or drop anywhere."""
    column = at_stake(state, mask)
    return column if column >= 0 else random_set(state, mask)


@rule
def choose_expert(state: Any, rules: Any, table: Any, mask: Any, spare: Any) -> Any:
    """Win, block, or take the cell on most lines, but never open the cell above it to the other seat's four."""
    best = at_stake(state, mask)
    if best >= 0:
        return best
    most = -1000.0
    for column in range(COLUMNS):
        if mask[column]:
            cell = landing(state, column)
            worth = value(table, cell)
            if completes(state, 1 - state.player, cell << COLUMNS & BOARD):
                worth -= 100
            if worth > most:
                best, most = column, worth
    return best


@rule
def value(table: Any, cell: Any) -> Any:
    """The table's entry for a cell that is given as a bit."""
    k = 0
    while cell >> k != 1:
        k += 1
    return table[k]


def lines_through(rules: Any) -> np.ndarray:
    """float32 (42,): how many lines of four pass through each cell."""
    counts = np.zeros(CELLS, np.float32)
    for step, beginnings in LINES:
        for first in range(CELLS):
            if beginnings >> first & 1 and first + 3 * step < CELLS:
                counts[first : first + 3 * step + 1 : step] += 1
    return counts


AGENTS = {
    "greedy": Script(choose_greedy, Path(__file__), text="wins or blocks at once, else anywhere"),
    "expert": Script(choose_expert, Path(__file__), lines_through, "wins, blocks, opens nothing, prefers the middle"),
}
