"""What a benchmark's games come to: one score per task with its interval over deals, and the mean of the tasks.

Against one opponent the score is the mean reward of the scheme `win`, in per cent: 0 is the fair share, 100 wins
everything, -100 / (P - 1) never wins. It is linear in the win share s: 100 (s - 1/P) / (1 - 1/P). A task played alone is a
duel on the same deals: more points win, equal points share, the fair share is 1/2. A task's score is the mean over the
opponents, taken deal by deal, since they are met on the same deals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from banquet_agents.arena.matches import repeated
from banquet_agents.arena.statistics import Estimate, estimate, t_quantile


@dataclass
class Tally:
    """The agent's games against one opponent, or alone: D deals, P seats.

    Attributes:
        share: float64 (D, P), the agent's share of the win in each seat.
        points: float64 (D, P), its points.
        others: float64 (D, P), the mean of the others' points in the same games; nan when it plays alone.
        decisions: int64 (D, P), of everybody in the game.
        capped: bool (D, P), ended by an engine guard.
        trace: uint64 (D, P), equal for games that went alike.
        seconds: of CPU time, all processes together.
    """

    share: np.ndarray
    points: np.ndarray
    others: np.ndarray
    decisions: np.ndarray
    capped: np.ndarray
    trace: np.ndarray
    seconds: float


def duel(mine: Tally, theirs: Tally) -> Tally:
    """Two who played the same deals alone, as if they had met."""
    won = (mine.points > theirs.points) + 0.5 * (mine.points == theirs.points)
    trace = np.concatenate([mine.trace, theirs.trace], axis=1)
    return Tally(won, mine.points, theirs.points, mine.decisions, mine.capped, trace, mine.seconds)


def normalised(share: Any, fair: float) -> Any:
    """Win shares as scores: 0 is fair, 100 is everything."""
    return 100.0 * (share - fair) / (1.0 - fair)


def task_result(tallies: Mapping[str, Tally], fair: float) -> dict[str, Any]:
    """The score of a task and the rows of its opponents, ready for JSON.

    Args:
        tallies: by opponent; all of the same deals.
        fair: the fair share of the win.
    """
    rows = [_row(opponent, tally, fair) for opponent, tally in tallies.items()]
    each = [normalised(tally.share.mean(axis=1), fair) for tally in tallies.values()]
    refuse = any(row["repeated_deals"] for row in rows)
    values = np.mean(each, axis=0)
    found = estimate(values, refuse=refuse)
    if not refuse and np.ptp(values) < 1e-9:  # every deal gave the same: the opponents' own bounds are all there is
        found = Estimate(found.mean, *(float(np.mean([r[f"score_{e}"] for r in rows])) for e in ("low", "high")))
    low, high = (float(normalised(bound, fair)) for bound in (0.0, 1.0))
    found = Estimate(found.mean, float(np.clip(found.low, low, high)), float(np.clip(found.high, low, high)))
    return {**_named("score", found), "opponents": rows}


def _row(opponent: str, tally: Tally, fair: float) -> dict[str, Any]:
    """One opponent, over all seats, with the win share per seat."""
    deals, seats = tally.share.shape
    again = repeated(tally.trace)
    share = estimate(tally.share.mean(axis=1), True, again > 0)
    lead = estimate((tally.points - tally.others).mean(axis=1), refuse=again > 0)
    in_seats = [estimate(tally.share[:, seat], True, again > 0) for seat in range(seats)]
    return {
        "opponent": opponent,
        "deals": deals,
        "games": deals * seats,
        "repeated_deals": again,
        **_named("score", Estimate(*(float(normalised(x, fair)) for x in share))),
        **_named("share", share),
        **_named("points", estimate(tally.points.mean(axis=1), refuse=again > 0)),
        "opponent_points": float(tally.others.mean()),
        **_named("lead", lead),
        "seats": [{"seat": k, **_named("share", value)} for k, value in enumerate(in_seats)],
        "decisions": float(tally.decisions.mean()),
        "capped": int(tally.capped.sum()),
        "seconds": round(tally.seconds, 2),
    }


def relative_points(mine: Tally, low: Tally, high: Tally) -> Estimate:
    """Points on a scale where `low`'s mean is 0 and `high`'s is 100, on common deals (delta method over deals)."""
    a, b, c = (t.points.mean(axis=1) for t in (mine, low, high))
    width = float((c - b).mean())
    if width == 0.0:
        return Estimate(math.nan, math.nan, math.nan)
    ratio = float((a - b).mean()) / width
    errors = ((a - b) - ratio * (c - b)) / width
    half = t_quantile(len(a) - 1) * float(errors.std(ddof=1)) / math.sqrt(len(a))
    return Estimate(100 * ratio, 100 * (ratio - half), 100 * (ratio + half))


def mean_score(scores: Sequence[Estimate]) -> Estimate:
    """The mean over tasks, whose deals are independent: half-widths combine as the root of their squares' sum."""
    means, lows, highs = (np.array(x, np.float64) for x in zip(*scores, strict=True))
    mean, count = float(means.mean()), len(scores)
    down, up = (float(np.sqrt(np.square(side).sum())) / count for side in (means - lows, highs - means))
    return Estimate(mean, mean - down, mean + up)


def _named(what: str, value: Estimate) -> dict[str, float]:
    return {what: value.mean, f"{what}_low": value.low, f"{what}_high": value.high}


def read_estimate(row: Mapping[str, Any], what: str) -> Estimate:
    """The estimate that a row of results holds under `what`; None, JSON's word for nan, included."""
    values = (row.get(key) for key in (what, f"{what}_low", f"{what}_high"))
    return Estimate(*(math.nan if x is None else float(x) for x in values))


def without_nan(value: Any) -> Any:
    """`value` for JSON, which knows no nan: None in its place."""
    if isinstance(value, Mapping):
        return {k: without_nan(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(v) for v in value]
    return None if isinstance(value, float) and math.isnan(value) else value
