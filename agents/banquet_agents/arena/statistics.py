"""Means with 95 % intervals over independent deals; what the games of contests come to, deal by deal.

The games of one deal share their seed word, so they are not independent: they are averaged first, and the deal is the unit of chance
everywhere. Where deals repeat each other (a game without chance between agents without chance) there are no intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from banquet_agents.arena.contests import Contest
from banquet_agents.arena.deals import Played, repeated

_Z = 1.959963984540054


class Estimate(NamedTuple):
    """A mean with the bounds of its 95 % interval; the bounds are nan where no interval can be given."""

    mean: float
    low: float
    high: float

    def named(self, what: str) -> dict[str, float]:
        """As entries of a row: `what`, `what_low`, `what_high`."""
        return {what: float(self.mean), f"{what}_low": float(self.low), f"{what}_high": float(self.high)}

    def text(self, percent: bool = False) -> str:
        """`12.3 [11.0, 13.6]`, in per cent if asked."""
        scale, digits = (100.0, 1) if percent else (1.0, 2)
        if math.isnan(self.low):
            return f"{self.mean * scale:.{digits}f} [no interval]"
        return f"{self.mean * scale:.{digits}f} [{self.low * scale:.{digits}f}, {self.high * scale:.{digits}f}]"


def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t (Cornish-Fisher expansion; exact for 1 and 2 degrees of freedom)."""
    if freedom == 1:
        return 12.706204736174698
    if freedom == 2:
        return 4.302652729749464
    z, v = _Z, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def estimate(values: np.ndarray, share: bool = False, refuse: bool = False) -> Estimate:
    """The mean of independent values, nan left out, with Student's interval.

    Args:
        values: one value per deal.
        share: values lie in [0, 1]: the interval is clipped to it, and where all are 0 (or all 1) it is the exact
            binomial one, since an observed variance of zero says nothing.
        refuse: give no interval.
    """
    values = np.asarray(values, np.float64)
    values = values[~np.isnan(values)]
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    mean = float(values.mean())
    if n < 2 or refuse:
        return Estimate(mean, math.nan, math.nan)
    if share and np.all(values == 0.0):
        return Estimate(mean, 0.0, 1.0 - 0.025 ** (1.0 / n))
    if share and np.all(values == 1.0):
        return Estimate(mean, 0.025 ** (1.0 / n), 1.0)
    half = t_quantile(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    if share:
        return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))
    return Estimate(mean, mean - half, mean + half)


def read_estimate(row: Mapping[str, Any], what: str) -> Estimate:
    """The estimate that a row of results holds under `what`; None, JSON's word for nan, included."""
    values = (row.get(key) for key in (what, f"{what}_low", f"{what}_high"))
    return Estimate(*(math.nan if x is None else float(x) for x in values))


# ---------------------------------------------------------------- an agent's games

SHARES = ("share", "ahead")
"""Values that lie in [0, 1]."""


@dataclass
class Sample:
    """An agent's games, averaged for each of D deals.

    Attributes:
        games: how many.
        repeats: deals that went exactly like an earlier one; if any, there are no intervals.
        values: float64 (D,) by name: `share` of the win, `points`, `place`; against an opponent `ahead` (how often it finishes
            before the opponent, ties half), `opponent_points` and `lead`. Where the opponent has several seats, their mean counts.
    """

    games: int
    repeats: int
    values: dict[str, np.ndarray]

    def estimate(self, name: str) -> Estimate:
        """Mean and interval of a value; nan where there is none."""
        if name not in self.values:
            return Estimate(math.nan, math.nan, math.nan)
        return estimate(self.values[name], name in SHARES, self.repeats > 0)

    def entries(self, *names: str) -> dict[str, float]:
        """The estimates of these values as entries of a row."""
        row: dict[str, float] = {}
        for name in names:
            row |= self.estimate(name).named(name)
        return row


def sample(
    games: Iterable[tuple[Contest, Played]],
    agent: str | int,
    opponent: str | int | None = None,
    seat: int | None = None,
) -> Sample:
    """The games in which an agent holds a single seat (of those that it shares with itself it cannot win all).

    Args:
        games: contests on the same deals, with their games.
        agent, opponent: names, or numbers in the contests; with an opponent only games in which it sits, too.
        seat: only games in which the agent sits there.
    """
    sums: dict[str, np.ndarray] = {}
    traces = []
    for contest, played in games:
        share, me, other = played.share, _number(contest, agent), _number(contest, opponent)
        for way, seats in enumerate(contest.assignments):
            theirs = [s for s, held in enumerate(seats) if held == other]
            if seats.count(me) != 1 or seat not in (None, seats.index(me)) or (opponent is not None and not theirs):
                continue
            at, points, place = seats.index(me), played.points[:, way], played.place[:, way]
            values = {"share": share[:, way, at], "points": points[:, at], "place": place[:, at]}
            if theirs:
                rest = points[:, theirs].mean(axis=1)
                values |= {"opponent_points": rest, "lead": points[:, at] - rest}
                values["ahead"] = _before(place[:, [at]], place[:, theirs]).mean(axis=1)
            for name, value in values.items():
                sums[name] = sums.get(name, 0.0) + value
            traces.append(played.trace[:, way])
    values = {name: value / len(traces) for name, value in sums.items()}
    return Sample(len(traces) * len(traces[0]), repeated(np.stack(traces, axis=1)), values)


def side_by_side(mine: Played, theirs: Played) -> Sample:
    """Two who played the same deals, each alone, as if they had met: more points win, equal points share."""
    points, others = mine.points[:, 0, 0], theirs.points[:, 0, 0]
    ahead = _before(-points, -others)
    values = {"ahead": ahead, "share": ahead, "points": points, "opponent_points": others, "lead": points - others}
    trace = np.concatenate([mine.trace, theirs.trace], axis=1)
    return Sample(len(points), repeated(trace), {name: value.astype(np.float64) for name, value in values.items()})


def _number(contest: Contest, agent: str | int | None) -> int | None:
    if isinstance(agent, str):
        return contest.agents.index(agent) if agent in contest.agents else None
    return agent


def _before(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """1 where `mine` is the smaller number, 1/2 where they are equal."""
    return (mine < theirs) + 0.5 * (mine == theirs)


# ---------------------------------------------------------------- scores of the benchmark


def normalised(share: Any, fair: float) -> Any:
    """Win shares as scores: 0 is fair, 100 is everything; linear, 100 times the mean reward of the scheme `win`."""
    return 100.0 * (share - fair) / (1.0 - fair)


def score(samples: Sequence[Sample], fair: float) -> Estimate:
    """The mean over opponents, taken deal by deal, since they are met on the same deals.

    Args:
        samples: against each opponent, on the same deals.
        fair: the fair share of the win.
    """
    refuse = any(s.repeats for s in samples)
    values = np.mean([normalised(s.values["share"], fair) for s in samples], axis=0)
    found = estimate(values, refuse=refuse)
    if not refuse and np.ptp(values) < 1e-9:  # every deal gave the same: the opponents' own bounds are all there is
        bounds = [normalised(np.array(s.estimate("share")[1:]), fair) for s in samples]
        found = Estimate(found.mean, *np.mean(bounds, axis=0).tolist())
    low, high = (float(normalised(bound, fair)) for bound in (0.0, 1.0))
    return Estimate(found.mean, float(np.clip(found.low, low, high)), float(np.clip(found.high, low, high)))


def mean_score(scores: Sequence[Estimate]) -> Estimate:
    """The mean over tasks, whose deals are independent: half-widths combine as the root of their squares' sum."""
    means, lows, highs = (np.array(x, np.float64) for x in zip(*scores, strict=True))
    mean, count = float(means.mean()), len(scores)
    down, up = (float(np.sqrt(np.square(side).sum())) / count for side in (means - lows, highs - means))
    return Estimate(mean, mean - down, mean + up)


def relative_points(mine: np.ndarray, low: np.ndarray, high: np.ndarray) -> Estimate:
    """Points (D,) on a scale where `low`'s mean is 0 and `high`'s is 100, on common deals (delta method over deals)."""
    width = float((high - low).mean())
    if width == 0.0:
        return Estimate(math.nan, math.nan, math.nan)
    ratio = float((mine - low).mean()) / width
    errors = ((mine - low) - ratio * (high - low)) / width
    half = t_quantile(len(mine) - 1) * float(errors.std(ddof=1)) / math.sqrt(len(mine))
    return Estimate(100 * ratio, 100 * (ratio - half), 100 * (ratio + half))


# ---------------------------------------------------------------- luck

RESAMPLES = 2000
"""Bootstrap samples for the interval of the variance that the deal explains."""


def deal_share(values: np.ndarray, seed: int = 0) -> Estimate:
    """The share of a result's variance that lies between deals: the intraclass correlation ICC(1).

    One-way random-effects analysis of variance over D deals with R replays each: with the mean squares B between and
    W within deals, (B - W) / (B + (R - 1) W). Subtracting W removes what the plain ratio of sums of squares would credit
    to the deals by chance alone. Values below 0, which sampling can give, are 0. The interval is the percentile
    bootstrap over deals.

    Args:
        values: (D, R), a result for each replay of each deal.
        seed: of the bootstrap.

    Returns:
        nan where all values are equal, or with fewer than two deals or replays.
    """
    deals, replays = values.shape
    if deals < 2 or replays < 2 or np.ptp(values) == 0:
        return Estimate(np.nan, np.nan, np.nan)
    means, within = values.mean(axis=1), values.var(axis=1, ddof=1)
    picked = np.random.default_rng(seed).integers(deals, size=(RESAMPLES, deals))
    spread = np.array([_icc(means[k], within[k], replays) for k in picked])
    low, high = np.nanquantile(spread, [0.025, 0.975])
    return Estimate(_icc(means, within, replays), float(low), float(high))


def _icc(means: np.ndarray, within: np.ndarray, replays: int) -> float:
    """ICC(1) from the means and variances of the deals."""
    between, inside = replays * float(means.var(ddof=1)), float(within.mean())
    total = between + (replays - 1) * inside
    return max(0.0, (between - inside) / total) if total > 0 else np.nan
