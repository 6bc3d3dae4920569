"""Tournaments: every pairing or seating of some agents, means with intervals over deals, ratings, a heat map."""

from __future__ import annotations

import functools
import importlib
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents.arena.contests import Contest, deals_for, key_of, plain
from banquet_agents.arena.deals import Played, seat_assignments
from banquet_agents.arena.playing import HERE, Venue, played
from banquet_agents.arena.processes import need
from banquet_agents.arena.statistics import Sample, sample, side_by_side
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game

MODES = {
    "pairings": "every two agents, one of them in one seat and the other in all the rest, both ways",
    "seatings": "every choice of agents for the seats, an agent in several seats included",
}
DIGITS = 6
"""Decimals in tables on disk."""


def play_tournament(
    game: Game, names: Sequence[str], games: int = 1000, seed: int = 0, mode: str = "pairings", venue: Venue = HERE
) -> Results:
    """Play a tournament. All its pairings play the same deals.

    Args:
        game: the Game; its reward scheme plays no part.
        names: the agents, as `banquet_agents.registry.make_agent` knows them.
        games: about how many for each pairing (in mode "seatings" for those with the most seat assignments); rounded
            up to whole deals, two at least.
        seed: of the deals and of the agents' chance.
        mode: one of MODES.
        venue: where; its folder gets README.md, matches.csv, agents.csv, pairs.csv and heatmap.png.

    Raises:
        OptionError: a value that is not allowed, an unknown agent, a missing library, a folder that holds something else.
        IllegalActionError: an agent chose an illegal action.
    """
    need("openskill", "matplotlib", extra="tournament")
    contests = contests_of(game, names, games, seed, mode)
    with played(contests, venue, request_of(game, names, seed, mode)) as (found, journal):
        results = Results(mode, names, contests, found)
        if journal.folder is not None:
            page = importlib.import_module("banquet_agents.arena.tournament_page")
            journal.write(page.files(results, venue.command))
    return results


def request_of(game: Game, names: Sequence[str], seed: int, mode: str) -> dict[str, Any]:
    """What a tournament's folder is for."""
    return {"command": "tournament", "game": game.identity(), "agents": list(names), "mode": mode, "seed": seed}


def default_folder(game: Game, names: Sequence[str], seed: int, mode: str) -> Path:
    """Where a tournament goes when nothing else is said; the same every time, so that a second call goes on."""
    return Path("runs") / f"tournament-{game.name}-{key_of(plain(request_of(game, names, seed, mode)))[:8]}"


def contests_of(game: Game, names: Sequence[str], games: int, seed: int, mode: str) -> list[Contest]:
    """Who meets whom; with one player everybody plays alone.

    Raises:
        OptionError: a value that is not allowed.
    """
    least = 1 if game.num_players == 1 else 2
    if len(names) < least:
        raise OptionError(
            f"a tournament with {game.num_players} players needs {least} agents or more, found {len(names)}"
        )
    for name in names:
        if list(names).count(name) > 1:
            raise OptionError(f"agent {name!r} is named twice; every agent of a tournament must be another")
    if mode not in MODES:
        raise OptionError(f"mode={mode!r} is not allowed; choose one of {', '.join(MODES)}")
    met = pairings_of(mode, len(names), game.num_players)
    deals = deals_for(games, max(len(assignments) for _, assignments in met))
    return [Contest(game, tuple(names[k] for k in kinds), assignments, deals, seed) for kinds, assignments in met]


def pairings_of(mode: str, count: int, players: int) -> list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    """In a fixed order: numbers of the agents that meet, and for each seat assignment which of these sits where."""
    if players == 1:
        return [((k,), ((0,),)) for k in range(count)]
    if mode == "seatings":
        found = []
        for chosen in itertools.combinations_with_replacement(range(count), players):
            kinds = tuple(dict.fromkeys(chosen))
            found.append((kinds, tuple(seat_assignments([kinds.index(k) for k in chosen]))))
        return found
    ways = [seat_assignments([one, *[rest] * (players - 1)]) for one, rest in ((0, 1), (1, 0))]
    both = tuple(dict.fromkeys(ways[0] + ways[1]))  # with two players both ways are the same
    return [(pair, both) for pair in itertools.combinations(range(count), 2)]


def agent_list(listed: str | None, single: Iterable[str] = ()) -> list[str]:
    """Names from `--agents a,b,c` and from any number of `--agent NAME`.

    A comma before `setting=` belongs to the name: "search:100,explore=2,greedy" are two agents.
    """
    names = re.split(r",(?!\s*\w+=)", listed) if listed else []
    return [name.strip() for name in [*names, *single] if name.strip()]


class Results:
    """The results of a tournament.

    Args:
        mode: one of MODES.
        names: the agents.
        contests: who met whom.
        found: all games of each.

    Attributes:
        game, deals, seed: of all contests.
    """

    def __init__(self, mode: str, names: Sequence[str], contests: Sequence[Contest], found: Sequence[Played]) -> None:
        self.mode, self.names, self.contests, self.played = mode, list(names), list(contests), list(found)
        self.game, self.deals, self.seed = contests[0].game, contests[0].deals, contests[0].seed

    @property
    def solo(self) -> bool:
        """Whether everybody plays alone."""
        return self.game.num_players == 1

    @property
    def shown(self) -> str:
        """What tables and heat map show of a pair."""
        return "ahead" if self.solo else "share"

    @property
    def fair(self) -> float:
        """The value of `shown` between equals."""
        return 1 / max(self.game.num_players, 2)

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(contest.games for contest in self.contests)

    @property
    def capped(self) -> int:
        """Games that an engine guard ended."""
        return sum(int(p.capped.sum()) for p in self.played)

    @property
    def decisions(self) -> int:
        """Decisions in all games."""
        return sum(int(p.decisions.sum()) for p in self.played)

    def listed(self) -> Iterator[tuple[int, int, int]]:
        """(deal, contest, seat assignment) of every game, in the order of `matches.csv` and of the ratings."""
        for deal in range(self.deals):
            for k, contest in enumerate(self.contests):
                for way in range(len(contest.assignments)):
                    yield deal, k, way

    @functools.cached_property
    def agents(self) -> list[dict[str, Any]]:
        """A row for each agent, the highest rating first.

        Win share, points and place are means over the games in which the agent holds one seat; the fair share is
        1 / players. With one player there are points only.
        """
        ratings = rate(self)
        rows = []
        for agent, name in enumerate(self.names):
            of = sample(zip(self.contests, self.played, strict=True), name)
            if self.solo:
                of.values = {"points": of.values["points"]}
            row: dict[str, Any] = {"agent": name, "games": of.games, "repeated_deals": of.repeats}
            rows.append(row | _rounded(of.entries("share", "points", "place") | ratings[agent]))
        return sorted(rows, key=lambda r: (-r["ordinal"], r["agent"]))

    @functools.cached_property
    def pairs(self) -> list[dict[str, Any]]:
        """A row for each agent against each other one, in the order of the names.

        Of the games in which the agent holds one seat and the opponent all others (mode "pairings"), or at least one
        other (mode "seatings"); see `Sample`. With one player both play the same deals, and there is no share.
        """
        rows = []
        for agent, opponent in itertools.permutations(range(len(self.names)), 2):
            of = self._against(agent, opponent)
            row: dict[str, Any] = {"agent": self.names[agent], "opponent": self.names[opponent], "games": of.games}
            row |= {"deals": self.deals, "repeated_deals": of.repeats}
            rows.append(row | _rounded(of.entries("share", "ahead", "points", "opponent_points", "lead")))
        return rows

    def _against(self, agent: int, opponent: int) -> Sample:
        if not self.solo:
            return sample(zip(self.contests, self.played, strict=True), self.names[agent], self.names[opponent])
        found = side_by_side(self.played[agent], self.played[opponent])
        del found.values["share"]
        return found


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
    ratings = {name: model.rating(name=name) for name in results.names}
    for entered, ranks in rankings(results):
        if len(entered) > 1:
            rated = model.rate([[ratings[name]] for name in entered], ranks=ranks)
            for name, (rating,) in zip(entered, rated, strict=True):
                ratings[name] = rating
    return [{"mu": r.mu, "sigma": r.sigma, "ordinal": r.ordinal()} for r in ratings.values()]


def rankings(results: Results) -> Iterable[tuple[list[str], list[float]]]:
    """For each game, or with one player for each deal: the agents in it, and their ranks, the lowest best."""
    if results.solo:
        for row in np.stack([-p.points[:, 0, 0] for p in results.played], axis=1).astype(float).tolist():
            yield results.names, row
        return
    seated = [[_holdings(contest, seats) for seats in contest.assignments] for contest in results.contests]
    places = [p.place.tolist() for p in results.played]
    for deal, k, way in results.listed():
        held, place = seated[k][way], places[k][deal][way]
        yield list(held), [sum(place[s] for s in seats) / len(seats) for seats in held.values()]


def _holdings(contest: Contest, seats: Sequence[int]) -> dict[str, list[int]]:
    """Agent -> its seats, in the order of the agents' numbers."""
    return {contest.agents[a]: [s for s, held in enumerate(seats) if held == a] for a in sorted(set(seats))}
