"""Random games of a batch, with a look at every position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banquet_envs.testing.play import random_actions


def random_games(game: Any, n: int, seed: int, visit: Callable[[Any, np.ndarray], None] | None = None,
                 after: Callable[[Any, Any, np.ndarray, np.ndarray], None] | None = None) -> Any:  # fmt: skip
    """`n` games at random to their ends.

    `visit(states, rows)` sees the records before every round of moves, `after(before, states, rows, actions)` after it;
    `rows` are the games still going on.
    """
    rng = np.random.default_rng(seed)
    states = game.reset(n, seed)
    buffers = game.buffers(n)
    buffers.observation, buffers.final_observation = buffers.observation[:0], buffers.final_observation[:0]
    buffers.mask[:] = game.legal_actions(states)
    rows = np.arange(n)
    while len(rows):
        if visit is not None:
            visit(states, rows)
        actions = random_actions(buffers.mask, rng)
        before = states.copy() if after is not None else None
        game.advance(states, actions, buffers, rows=rows, restart=False)
        if after is not None:
            after(before, states, rows, actions)
        rows = np.flatnonzero(~states.over)
    return states
