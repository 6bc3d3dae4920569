"""Matches: agents seat by seat; every deal is played with every seat assignment, results with intervals over deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from banquet_agents.arena import tables
from banquet_agents.arena.contests import Contest, deals_for
from banquet_agents.arena.deals import Played, repeated, seat_assignments
from banquet_agents.arena.playing import HERE, Venue, played
from banquet_agents.arena.sources import versions
from banquet_agents.arena.statistics import Estimate, estimate
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.table import Player


@dataclass
class MatchResult:
    """What a match came to. Kinds are the different agents, by name; fair share is 1 / players.

    Attributes:
        game: `game.identity()`, with the reward scheme left out: it plays no part in a match.
        kinds: the agents' names.
        assignments: which kind sits where, one tuple of P kind numbers per seat assignment.
        deals, games, decisions: how much was played; games = deals x assignments.
        seed: of the deals.
        repeated_deals: deals that went exactly like an earlier one; if any, there are no intervals.
        share, points, place: float64 (deals, assignments, P); shares of the win (ties share), points, 1 = first.
        seconds: CPU time of all processes.
        versions: of what the result depends on.
    """

    game: dict[str, Any]
    kinds: list[str]
    assignments: list[tuple[int, ...]]
    deals: int
    games: int
    decisions: int
    seed: int
    repeated_deals: int
    share: np.ndarray
    points: np.ndarray
    place: np.ndarray
    seconds: float
    versions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, contest: Contest, games: Played) -> MatchResult:
        """What the games of a contest came to."""
        return cls(
            game=contest.game.identity(), kinds=list(contest.agents), assignments=list(contest.assignments),
            deals=contest.deals, games=contest.games, decisions=int(games.decisions.sum()), seed=contest.seed,
            repeated_deals=repeated(games.trace), share=games.share, points=games.points.astype(np.float64),
            place=games.place.astype(np.float64), seconds=round(float(games.seconds.sum()), 3), versions=versions(),
        )  # fmt: skip

    def per_deal(self, what: str, kind: int, seat: int | None = None) -> np.ndarray:
        """float64 (deals,): mean `what` ("share", "points", "place") of a kind, over its seats or in one; nan if never."""
        values = getattr(self, what)
        held = np.array(self.assignments) == kind
        if seat is not None:
            held &= np.arange(held.shape[1]) == seat
        if not held.any():
            return np.full(self.deals, np.nan)
        return values[:, held].mean(axis=1)

    def estimate(self, what: str, kind: int, seat: int | None = None) -> Estimate:
        """The mean of `what` for a kind, over all its seats or in one, with its 95 % interval over deals."""
        return estimate(self.per_deal(what, kind, seat), what == "share", self.repeated_deals > 0)

    def rows(self) -> list[dict[str, Any]]:
        """One row per kind over all seats (seat "all"), then one per kind and seat, for tables and CSV."""
        found = []
        for kind, name in enumerate(self.kinds):
            for seat in [None, *range(len(self.assignments[0]))]:
                row: dict[str, Any] = {"agent": name, "seat": "all" if seat is None else seat}
                for what in ("share", "points", "place"):
                    row |= self.estimate(what, kind, seat).named(what)
                found.append(row)
        return found

    def summary(self) -> dict[str, Any]:
        """All but the single games, ready for JSON."""
        return {
            "game": self.game,
            "agents": self.kinds,
            "assignments": [list(a) for a in self.assignments],
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "repeated_deals": self.repeated_deals,
            "results": self.rows(),
            "seconds": self.seconds,
            "versions": self.versions,
        }

    def __str__(self) -> str:
        players = self.game["players"]
        options = ", ".join(f"{k}={v}" for k, v in self.game["options"].items()) or "none"
        lines = [
            f"{self.game['game']} {self.game['version']}, {players} players, options: {options}",
            f"{self.games} games = {self.deals} deals x {len(self.assignments)} seat assignments, seed {self.seed}",
        ]
        width = max(len(name) for name in self.kinds)
        lines.append(f"{'agent':{width}}  seat  {'win share %':24}  {'points':22}  place")
        for kind, name in enumerate(self.kinds):
            for seat in [None, *(range(players) if players > 1 else ())]:
                cells = [self.estimate("share", kind, seat).text(percent=True)]
                cells += [self.estimate(w, kind, seat).text() for w in ("points", "place")]
                label = "all" if seat is None else str(seat)
                lines.append(f"{name:{width}}  {label:4}  {cells[0]:24}  {cells[1]:22}  {cells[2]}")
        if self.repeated_deals:
            lines.append(
                f"no intervals: {self.repeated_deals} of {self.deals} deals repeat an earlier one move by move"
            )
        return "\n".join(lines)


def play_match(
    game: Game, agents: Sequence[str | tuple[str, Player]], games: int = 1000, seed: int = 0, venue: Venue = HERE
) -> MatchResult:
    """Play a seat-balanced match with common seeds.

    Args:
        game: the Game; its reward scheme plays no part.
        agents: one per seat: a name for `make_agent`, or a name with an agent. Equal names are one kind.
        games: about how many games; rounded up to whole deals, two at least.
        seed: of the deals and of the agents' chance.
        venue: where it is played; its folder gets results.json, results.csv and README.md.

    Raises:
        OptionError: not one agent per seat, an unknown agent, a folder that holds something else.
        IllegalActionError: an agent chose an illegal action.
    """
    if len(agents) != game.num_players:
        raise OptionError(f"{game.name} with {game.num_players} players needs as many agents, found {len(agents)}")
    seats = [agent if isinstance(agent, str) else agent[0] for agent in agents]
    given = {agent[0]: agent[1] for agent in agents if not isinstance(agent, str)}
    names = tuple(dict.fromkeys(seats))
    assignments = tuple(seat_assignments([names.index(name) for name in seats]))
    contest = Contest(game, names, assignments, deals_for(games, len(assignments)), seed, given=given)
    request = {"command": "match", "game": game.identity(), "agents": seats, "seed": seed}
    with played([contest], venue, request) as ((found,), journal):
        result = MatchResult.of(contest, found)
        told = result.summary() | {"command": venue.command}
        journal.write(
            {
                "results.json": tables.json_text(told),
                "results.csv": tables.csv_text(result.rows()),
                "README.md": f"```\n{result}\n```\n",
            }
        )
    return result
