"""What a tournament came to: means with 95 % intervals over deals, and ratings.

All pairings share their deals, so a deal is the unit of chance everywhere: the games of one deal are averaged first.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from banquet_agents.arena.matches import Played, repeated
from banquet_agents.arena.statistics import Estimate, estimate
from banquet_agents.arena.tournament.plan import Plan

DIGITS = 6
"""Decimals in tables on disk."""


class Sample(NamedTuple):
    """Some agent's games, averaged for each deal.

    Attributes:
        games: how many.
        repeats: deals that went exactly like an earlier one; if any, there are no intervals.
        values: float64 (deals,) by name.
    """

    games: int
    repeats: int
    values: dict[str, np.ndarray]

    def entries(self, *names: str) -> dict[str, float]:
        """Mean and bounds of each value, as `name`, `name_low`, `name_high`; nan where there is none."""
        row: dict[str, float] = {}
        for name in names:
            value = Estimate(math.nan, math.nan, math.nan)
            if name in self.values:
                value = estimate(self.values[name], name in ("share", "ahead"), self.repeats > 0)
            row |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
        return row


class Results:
    """The results of a tournament.

    Args:
        plan: what was played.
        played: all games of each pairing.
    """

    def __init__(self, plan: Plan, played: Sequence[Played]) -> None:
        self.plan = plan
        self.played = list(played)
        self._shares = [p.share for p in self.played]

    # ------------------------------------------------------------ games

    def games(self) -> Iterator[tuple[int, int, int]]:
        """(deal, pairing, seat assignment) of every game, in the order of `matches.csv` and of the ratings."""
        for deal in range(self.plan.deals):
            for k, pairing in enumerate(self.plan.pairings):
                for way in range(len(pairing.assignments)):
                    yield deal, k, way

    @property
    def capped(self) -> int:
        """Games that an engine guard ended."""
        return sum(int(p.capped.sum()) for p in self.played)

    @property
    def decisions(self) -> int:
        """Decisions in all games."""
        return sum(int(p.decisions.sum()) for p in self.played)

    # ------------------------------------------------------------ tables

    @functools.cached_property
    def agents(self) -> list[dict[str, Any]]:
        """A row for each agent, the highest rating first.

        Win share, points and place are means over the games in which the agent holds one seat (it cannot win all of
        those that it shares with itself); the fair share is 1 / players. With one player there are points only.
        """
        ratings = rate(self)
        rows = []
        for agent, name in enumerate(self.plan.agents):
            sample = self._all_of(agent)
            means = sample.entries("share", "points", "place")
            row: dict[str, Any] = {"agent": name, "games": sample.games, "repeated_deals": sample.repeats}
            rows.append(row | _rounded(means | ratings[agent]))
        return sorted(rows, key=lambda r: (-r["ordinal"], r["agent"]))

    @functools.cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """A row for each agent against each other one, in the plan's order.

        Of the games in which the agent holds one seat and the opponent all others (mode "pairings"), or at least one
        other (mode "seatings"). `share`: of the win. `ahead`: how often the agent finishes before the opponent, ties
        half. `lead`: own points less the opponent's. Where the opponent has several seats, their mean counts. With one
        player both play the same deals, and there is no share.
        """
        rows = []
        names = self.plan.agents
        for agent, name in enumerate(names):
            for opponent, other in enumerate(names):
                if agent != opponent:
                    sample = self._against(agent, opponent)
                    row: dict[str, Any] = {"agent": name, "opponent": other, "games": sample.games}
                    row |= {"deals": self.plan.deals, "repeated_deals": sample.repeats}
                    means = sample.entries("share", "ahead", "points", "opponent_points", "lead")
                    rows.append(row | _rounded(means))
        return rows

    def _all_of(self, agent: int) -> Sample:
        """What an agent did where it held one seat."""
        gather = _Gather(self.plan.deals)
        for k, way, seat, _ in self._alone(agent):
            played = self.played[k]
            values = {"points": played.points[:, way, seat]}
            if self.plan.players > 1:
                values |= {"share": self._shares[k][:, way, seat], "place": played.place[:, way, seat]}
            gather.add(values, played.trace[:, way])
        return gather.sample()

    def _against(self, agent: int, opponent: int) -> Sample:
        """What an agent did where the opponent played, too."""
        if self.plan.players == 1:
            return self._side_by_side(agent, opponent)
        gather = _Gather(self.plan.deals)
        for k, way, seat, seats in self._alone(agent):
            theirs = np.flatnonzero(seats == opponent)
            if len(theirs):
                points, place = self.played[k].points[:, way], self.played[k].place[:, way]
                other = points[:, theirs].mean(axis=1)
                values = {"share": self._shares[k][:, way, seat], "points": points[:, seat], "opponent_points": other}
                values["ahead"] = _before(place[:, [seat]], place[:, theirs]).mean(axis=1)
                values["lead"] = points[:, seat] - other
                gather.add(values, self.played[k].trace[:, way])
        return gather.sample()

    def _side_by_side(self, agent: int, opponent: int) -> Sample:
        """Two agents that play the same deals, each alone."""
        mine, theirs = self.played[agent].points[:, 0, 0], self.played[opponent].points[:, 0, 0]
        gather = _Gather(self.plan.deals)
        values = {"ahead": _before(-mine, -theirs), "points": mine, "opponent_points": theirs, "lead": mine - theirs}
        gather.add(values, np.stack([self.played[agent].trace[:, 0], self.played[opponent].trace[:, 0]], axis=1))
        return gather.sample()

    def _alone(self, agent: int) -> Iterator[tuple[int, int, int, np.ndarray]]:
        """(pairing, seat assignment, its seat, who sits where) of all in which an agent holds one seat."""
        for k, pairing in enumerate(self.plan.pairings):
            for way, seats in enumerate(pairing.assignments):
                if seats.count(agent) == 1:
                    yield k, way, seats.index(agent), np.array(seats)


class _Gather:
    """Sums values over the games of each deal."""

    def __init__(self, deals: int) -> None:
        self.deals, self.ways = deals, 0
        self.sums: dict[str, np.ndarray] = {}
        self.traces: list[np.ndarray] = []

    def add(self, values: dict[str, np.ndarray], trace: np.ndarray) -> None:
        """One game of every deal: values (deals,), trace (deals,) or (deals, k)."""
        for name, v in values.items():
            self.sums[name] = self.sums.get(name, np.zeros(self.deals)) + v
        self.ways += 1
        self.traces.append(trace.reshape(self.deals, -1))

    def sample(self) -> Sample:
        """Means for each deal."""
        repeats = repeated(np.concatenate(self.traces, axis=1))
        return Sample(self.ways * self.deals, repeats, {name: v / self.ways for name, v in self.sums.items()})


def _before(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """1 where `mine` is the smaller number, 1/2 where they are equal."""
    return (mine < theirs) + 0.5 * (mine == theirs)


def _rounded(row: dict[str, float]) -> dict[str, float]:
    return {name: round(float(value), DIGITS) for name, value in row.items()}


# ---------------------------------------------------------------- ratings


def rate(results: Results) -> list[dict[str, float]]:
    """OpenSkill's Plackett-Luce ratings, an entry for each agent: mu, sigma and ordinal = mu - 3 sigma.

    Every game is a contest of the agents that sit in it; an agent that holds several seats enters once, with the mean
    of its places. With one player every deal is a contest of all agents, by points. Agents do not change while they
    play, so skill does not drift between games (tau is 0). Games come deal by deal, in a fixed order, on which
    ratings depend a little.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    ratings = [model.rating(name=name) for name in results.plan.agents]
    for entered, ranks in contests(results):
        if len(entered) > 1:
            rated = model.rate([[ratings[k]] for k in entered], ranks=ranks)
            for k, (rating,) in zip(entered, rated, strict=True):
                ratings[k] = rating
    return [{"mu": r.mu, "sigma": r.sigma, "ordinal": r.ordinal()} for r in ratings]


def contests(results: Results) -> Iterable[tuple[list[int], list[float]]]:
    """For each game, or with one player for each deal: the agents in it, and their ranks, the lowest best."""
    plan, played = results.plan, results.played
    if plan.players == 1:
        agents = list(range(len(plan.agents)))
        for row in np.stack([-p.points[:, 0, 0] for p in played], axis=1).astype(float).tolist():
            yield agents, row
        return
    seated = [[_holdings(seats) for seats in p.assignments] for p in plan.pairings]
    places = [p.place.tolist() for p in played]
    for deal, k, way in results.games():
        held, place = seated[k][way], places[k][deal][way]
        yield list(held), [sum(place[s] for s in seats) / len(seats) for seats in held.values()]


def _holdings(seats: Sequence[int]) -> dict[int, list[int]]:
    """Agent -> its seats, in the order of the agents' numbers."""
    return {a: [s for s, held in enumerate(seats) if held == a] for a in sorted(set(seats))}
