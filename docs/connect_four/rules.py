"""Connect Four: drop discs in turn; four of your own in a line win, a full board is a draw."""

from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core import Facts, GameSpec, Layout, Slice, rank_by, rule
from connect_four import display
from connect_four.observation import observation_layout, observe
from connect_four.state import BOARD, COLUMN, COLUMNS, LINES, RULES, STATE, TOP_ROW, make_rules


@rule
def setup(state: Any, rules: Any) -> None:
    """The board is empty, every disc is in the box, seat 0 begins."""
    state.stock = rules.discs


@rule
def legal_actions(state: Any, rules: Any, mask: Any) -> None:
    """A column takes discs until its top cell is filled."""
    top_row = (state.discs[0] | state.discs[1]) >> TOP_ROW
    for column in range(COLUMNS):
        mask[column] = top_row >> column & 1 == 0


@rule
def landing(state: Any, column: Any) -> Any:
    """The cell in which a disc comes to rest: the lowest bit of the column that is not filled."""
    free = (COLUMN << column) & ~(state.discs[0] | state.discs[1])
    return free & -free


@rule
def four_in_line(discs: Any) -> Any:
    """Whether some four of these discs lie in a line."""
    for step, beginnings in LINES:
        pairs = discs & (discs >> step)
        if pairs & (pairs >> 2 * step) & beginnings:
            return True
    return False


@rule
def apply(state: Any, rules: Any, action: Any) -> None:
    """Drop a disc into column `action`; then it is the other seat's turn, or the game is over."""
    seat = state.player
    state.discs[seat] |= landing(state, action)
    state.stock -= 1
    if four_in_line(state.discs[seat]):
        state.points[seat] = 1
        state.over = True
    elif state.stock == 0:
        state.over = True
    if state.over:
        rank_by(state, 2, state.points)
    state.player = 1 - seat


@rule
def determinize(state: Any, rules: Any, player: Any) -> None:
    """Nothing is hidden."""


def action_layout(rules: Any) -> Layout:
    """The slices of the action numbers."""
    return Layout([Slice("column", (COLUMNS,), "drop a disc into column 0-6, counted from the left")])


def facts(rules: Any) -> Facts:
    """What holds for every game; the conformance suite tests it."""
    return Facts(
        longest_game=int(rules.discs),
        points_min=0,
        points_max=1,
        points_scale=1.0,
        hidden_information=False,
        chance=False,
        simultaneous=False,
    )


def pieces(rules: Any, state: Any) -> dict[str, np.ndarray]:
    """Discs on the board and in the box: always as many."""
    on_board = sum(int(discs).bit_count() for discs in state.discs)
    return {"discs": np.array([on_board + state.stock])}


def bounds(rules: Any) -> dict[str, tuple[Any, Any]]:
    """What the game's own fields can hold."""
    return {"discs": (0, BOARD), "stock": (0, rules.discs)}


def invariants(rules: Any, state: Any) -> str:
    """What is wrong with a record within its bounds; nothing is, in play."""
    first, second = (int(discs) for discs in state.discs)
    if first & second:
        return "discs: two in one cell"
    taken, bottom = first | second, (1 << COLUMNS) - 1
    if taken & ~(taken << COLUMNS | bottom):
        return "discs: one hangs in the air"
    return ""


SPEC = GameSpec(
    name="connect_four",
    title="Connect Four",
    version="v0",
    min_players=2,
    max_players=2,
    state=STATE,
    rules=RULES,
    setup=setup,
    legal_actions=legal_actions,
    apply=apply,
    observe=observe,
    determinize=determinize,
    make_rules=make_rules,
    actions=action_layout,
    observation=observation_layout,
    facts=facts,
    action_text=display.action_text,
    describe=display.describe,
    draw=display.draw,
    pieces=pieces,
    bounds=bounds,
    invariants=invariants,
    components=Path(__file__).with_name("components.toml"),
    folder=Path(__file__).parent,
    tests_in_an_agent="looking ahead with nothing hidden",
    asked_anyway=("column",),  # as at the table: the last open column is played, too
)
