"""Random play with a look at every move."""

from __future__ import annotations

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st
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


def busy_walk(game, n, seed, share=0.6):
    """The positions of n games in which abilities are used more often than at random."""
    rng = np.random.default_rng(seed)
    states, seen = game.reset(n, seed), []
    while len(states):
        seen.append(records.rows(states).copy())
        mask = game.legal_actions(states)
        busy = mask.copy()
        busy[:, [*range(st.Action.SERVE, st.Action.PLATE), st.Action.STOP, st.Action.WHETHER]] = False
        often = busy.any(axis=1) & (rng.random(len(states)) < share)
        states = records.copy(states)
        game.step_trusted(states, random_actions(np.where(often[:, None], busy, mask), rng))
        over = records.take(states, states.over)
        seen.append(records.rows(over).copy())
        states = records.take(states, ~states.over)
    return np.concatenate(seen).reshape(-1).view(game.spec.state).view(np.recarray)
