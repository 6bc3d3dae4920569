"""Generalised advantage estimation when several seats of many games decide by turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def advantages(
    rewards: np.ndarray, values: np.ndarray, done: np.ndarray, waiting: np.ndarray, seats: np.ndarray,
    steps: Sequence[tuple[int, int]], gamma: float, trace: float,
) -> np.ndarray:  # fmt: skip
    """How much better than expected each decision turned out, by the seat that took it (GAE, arXiv 1506.02438).

    Decisions lie in the order of time. The next decision of the same seat of the same game follows in a later step;
    what it is paid in between is its reward.

    Args:
        rewards: float32 (k,), paid to the deciding seat until its next decision or the end.
        values: float32 (k,), expected at the decision.
        done: bool (k,), the game ended before the seat decided again.
        waiting: bool (k,), the seat's last decision so far, its outcome not known yet: it only lends its value.
        seats: int64 (k,), a number for each seat of each game.
        steps: ranges (first, past) that make up 0..k in order; within one every seat occurs once at most.
        gamma: discount from one decision of a seat to its next.
        trace: lambda.

    Returns:
        float32 (k,); 0 where waiting.
    """
    found = np.zeros(len(values), np.float32)
    size = int(seats.max()) + 1 if len(seats) else 0
    next_value, next_found = np.zeros(size, np.float32), np.zeros(size, np.float32)
    for first, past in reversed(steps):
        part = slice(first, past)
        seat, going_on = seats[part], ~done[part]
        surprise = rewards[part] + gamma * next_value[seat] * going_on - values[part]
        found[part] = np.where(waiting[part], 0, surprise + gamma * trace * next_found[seat] * going_on)
        next_value[seat], next_found[seat] = values[part], found[part]
    return found
