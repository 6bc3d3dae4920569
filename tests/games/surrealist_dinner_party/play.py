"""Random play with a look at every move."""

from __future__ import annotations

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.testing.play import random_actions

CONFIGURATIONS = [
    (players, mode) for players in (2, 3, 4) for mode in ("casual", "normal", "faux_pas", "draft", "advanced")
]


def walk(game, n, seed):
    """Play n games at random; yields (rows, states before the move, actions) and returns the final states."""
    rng = np.random.default_rng(seed)
    states = game.reset(n, seed)
    while True:
        live = np.flatnonzero(~states.over)
        if not len(live):
            return states
        now = records.take(states, live)
        actions = random_actions(game.legal_actions(now), rng)
        yield live, now, actions
        after = records.copy(now)
        game.step_trusted(after, actions)
        records.put(states, live, after)


def finals(game, n, seed):
    """The final states of n random games."""
    steps = walk(game, n, seed)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
