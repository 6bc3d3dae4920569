"""The board of Connect Four as bits, the STATE record of a game and the RULES record of the box."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from banquet_envs.core import Entries, empty, rules_dtype, state_dtype

ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS

# A set of cells is one integer. Bit COLUMNS * row + column stands for a cell; row 0 is the bottom one.
COLUMN = sum(1 << COLUMNS * row for row in range(ROWS))  # column 0; column c is COLUMN << c
LEFT = sum(COLUMN << c for c in range(4))  # columns 0-3: a line to the right begins here
RIGHT = LEFT << 3  # columns 3-6: a line to the left begins here
BOARD = LEFT | RIGHT
TOP_ROW = CELLS - COLUMNS  # the first bit of the top row

# The four directions of a line: how many bits to the next cell, and where a line of four may begin.
LINES = (1, LEFT), (COLUMNS, BOARD), (COLUMNS + 1, LEFT), (COLUMNS - 1, RIGHT)

STATE = state_dtype(
    2,
    [
        ("discs", np.int64, (2,)),  # the cells that hold a seat's discs
        ("stock", np.int16),  # discs still in the box
    ],
)
RULES = rules_dtype([("discs", np.int32)])


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """The RULES record of a components file."""
    rules = empty(1, RULES)
    rules[0].players = players
    rules[0].discs = Entries(components, "components.toml").integer("discs", 1, CELLS)
    return rules
