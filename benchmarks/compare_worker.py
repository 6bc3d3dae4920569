"""The part of benchmarks/compare.py that runs with either version: CPU seconds of a step, a slice for every line it reads.

A line is a game, a number of players and a kind. Only what both versions have is used: the public interface.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from banquet_envs import make_game
from banquet_envs.core.game import Game
from banquet_envs.envs.aec import BanquetAEC

SLICE = 0.1
"""CPU seconds of a slice, at least."""


def advance(game: Game, n: int = 1024) -> Iterator[float]:
    """The batched training step; actions are drawn outside the timed part."""
    rng, states, buffers = np.random.default_rng(1), game.reset(n, 1), game.buffers(n)
    buffers.mask[:] = game.legal_actions(states)
    step = getattr(game, "advance_trusted", game.advance)  # versions before it did not look whether actions are legal
    while True:
        spent, steps = 0.0, 0
        while spent < SLICE:
            actions = (buffers.mask * rng.random(buffers.mask.shape, np.float32)).argmax(axis=1)
            start = time.process_time()
            step(states, actions, buffers)
            spent, steps = spent + time.process_time() - start, steps + n
        yield spent / steps


def aec(game: Game) -> Iterator[float]:
    """PettingZoo's loop over whole games; actions are drawn inside the timed part."""
    env, rng, seed = BanquetAEC(game), np.random.default_rng(1), 0
    while True:
        start, steps = time.process_time(), 0
        while time.process_time() - start < SLICE:
            seed += 1
            env.reset(seed=seed)
            for _ in env.agent_iter():
                view, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = np.flatnonzero(view["action_mask"])
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
        yield (time.process_time() - start) / steps


KINDS: dict[str, Callable[[Game], Iterator[float]]] = {"advance": advance, "aec": aec}


def main() -> None:
    """Answer every line with the seconds of its next slice."""
    measures: dict[str, Iterator[float]] = {}
    for line in sys.stdin:
        name, players, kind = line.split()
        if line not in measures:
            measures[line] = KINDS[kind](make_game(name, int(players)))
        print(next(measures[line]), flush=True)


if __name__ == "__main__":
    main()
