"""Reward schemes: what a step pays each seat. Compiled, shared by all games.

* `win`: zero-sum, paid at the end. k winners of n get (1 - (k-1)/(n-1)) / k each, the others -1/(n-1).
* `place`: zero-sum, paid at the end, linear in the final rank from 1 (best) to -1 (last); ties share the mean.
* `points`: at every step the change in the seat's own points, scaled.

With one player `win` and `place` pay the final points, scaled, at the end. A capped game pays its final reward too.
"""

from __future__ import annotations

from typing import Any

from banquet_envs.core.compile import rule

SCHEMES = ("win", "place", "points")
WIN, PLACE, POINTS = range(3)


@rule
def open_rewards(state: Any, players: Any, scheme: Any, scale: Any, out: Any) -> None:
    """Before the action: remember in `out` what the points scheme must subtract."""
    for p in range(players):
        out[p] = -state.points[p] * scale if scheme == POINTS else 0.0


@rule
def close_rewards(state: Any, players: Any, scheme: Any, scale: Any, out: Any) -> None:
    """After the action: turn `out`, shape (players,), into the rewards of the step."""
    if scheme == POINTS:
        for p in range(players):
            out[p] += state.points[p] * scale
    elif state.over:
        if players == 1:
            out[0] = state.points[0] * scale
        elif scheme == WIN:
            _pay_winners(state, players, out)
        else:
            _pay_places(state, players, out)


@rule
def _pay_winners(state: Any, players: Any, out: Any) -> None:
    winners = 0
    for p in range(players):
        if state.place[p] == 0:
            winners += 1
    for p in range(players):
        if state.place[p] == 0:
            out[p] = (1.0 - (winners - 1) / (players - 1)) / winners
        else:
            out[p] = -1.0 / (players - 1)


@rule
def _pay_places(state: Any, players: Any, out: Any) -> None:
    for p in range(players):
        tied = 0
        for q in range(players):
            if state.place[q] == state.place[p]:
                tied += 1
        out[p] = 1.0 - 2.0 * (state.place[p] + (tied - 1) / 2.0) / (players - 1)


@rule
def rank_by(state: Any, players: Any, key: Any) -> None:
    """Write `state.place` from an integer key per seat, greater is better, equal keys share a place."""
    for p in range(players):
        better = 0
        for q in range(players):
            if key[q] > key[p]:
                better += 1
        state.place[p] = better
