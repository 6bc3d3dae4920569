"""Matches: every deal is played with every seat assignment, all games in lock-step, results with intervals over deals.

The games of one deal share their seed words, so they are not independent: intervals are taken over deals. A match
whose deals repeat each other (a game without chance between agents without chance) gets no intervals.
"""

from __future__ import annotations

import importlib.metadata
import itertools
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from banquet_agents.arena.statistics import Estimate, estimate
from banquet_agents.registry import make_agent
from banquet_envs import __version__
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.random import mixed
from banquet_envs.core.state import rows as bytes_of
from banquet_envs.core.table import Player, Table

SIDE_BY_SIDE = 8192
"""Most games played at once; results do not depend on it."""


class Played(NamedTuple):
    """Finished games: D deals, each with W seat assignments of P seats.

    Attributes:
        points: int64 (D, W, P).
        place: int64 (D, W, P), 1 = first, ties share.
        decisions: int64 (D, W), in the whole game.
        capped: bool (D, W), ended by an engine guard.
        trace: uint64 (D, W), equal for games that went alike move by move.
    """

    points: np.ndarray
    place: np.ndarray
    decisions: np.ndarray
    capped: np.ndarray
    trace: np.ndarray

    @property
    def share(self) -> np.ndarray:
        """float64 (D, W, P): shares of the win; ties share it."""
        first = self.place == 1
        return first / first.sum(axis=-1, keepdims=True)

    @classmethod
    def joined(cls, parts: Sequence[Played]) -> Played:
        """Deals one after another."""
        return cls(*(np.concatenate(field) for field in zip(*parts, strict=True)))


def repeated(trace: np.ndarray) -> int:
    """How many rows (deals) of uint64 (D, W) went exactly like an earlier one."""
    return len(trace) - len(np.unique(trace, axis=0))


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
        seconds: wall-clock time.
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
                    value = self.estimate(what, kind, seat)
                    row |= {what: value.mean, f"{what}_low": value.low, f"{what}_high": value.high}
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


def versions() -> dict[str, str]:
    """Versions of what a match depends on."""
    return {
        "banquet_envs": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": importlib.metadata.version("numba"),
    }


def seat_assignments(kinds: Sequence[int]) -> list[tuple[int, ...]]:
    """Every different way of seating these kinds, in a fixed order."""
    return sorted(set(itertools.permutations(kinds)))


def play_match(
    game: Game,
    agents: Sequence[str | tuple[str, Player]],
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> MatchResult:
    """Play a seat-balanced match with common seeds.

    Args:
        game: the Game; its reward scheme plays no part.
        agents: one per seat: a name for `make_agent`, or a name with an agent. Equal names are one kind.
        games: about how many games; rounded up to whole deals, two at least.
        seed: of the deals and of the agents' chance.
        progress: called with (games finished, games in all) now and then.

    Raises:
        OptionError: not one agent per seat, an unknown agent.
        IllegalActionError: an agent chose an illegal action.
    """
    kinds, players = named(game, agents)
    if games < 1:
        raise OptionError(f"games={games} is not allowed; it must be 1 or more")
    names = list(players)
    assignments = seat_assignments([names.index(k) for k in kinds])
    deals = max(2, -(-games // len(assignments)))
    words = spawn_seeds(deals, seed)
    start = time.perf_counter()
    parts = []
    at_once = max(1, SIDE_BY_SIDE // len(assignments))
    for first in range(0, deals, at_once):
        parts.append(play_deals(game, list(players.values()), assignments, words[first : first + at_once], seed))
        if progress is not None:
            progress(min(deals, first + at_once) * len(assignments), deals * len(assignments))
    played = Played.joined(parts)
    return MatchResult(
        game=game.identity(), kinds=names, assignments=assignments, deals=deals, games=deals * len(assignments),
        decisions=int(played.decisions.sum()), seed=seed, repeated_deals=repeated(played.trace), share=played.share,
        points=played.points.astype(np.float64), place=played.place.astype(np.float64),
        seconds=time.perf_counter() - start, versions=versions(),
    )  # fmt: skip


def named(game: Game, agents: Sequence[str | tuple[str, Player]]) -> tuple[list[str], dict[str, Player]]:
    """The kind of each seat, and the different agents by name, made where only a name is given.

    Raises:
        OptionError: not one agent per seat, an unknown agent.
    """
    if len(agents) != game.num_players:
        raise OptionError(f"{game.name} with {game.num_players} players needs as many agents, found {len(agents)}")
    kinds: list[str] = []
    players: dict[str, Player] = {}
    for agent in agents:
        name = agent if isinstance(agent, str) else agent[0]
        kinds.append(name)
        if name not in players:
            players[name] = make_agent(game, name) if isinstance(agent, str) else agent[1]
    return kinds, players


def play_deals(
    game: Game, players: Sequence[Player], assignments: Sequence[Sequence[int]], words: np.ndarray, seed: int
) -> Played:
    """Play some deals to the end of all their games, side by side.

    What a game comes to depends on its own word, on the agents and on `seed`, never on which deals it is played with: a
    match may be cut into any blocks of deals.

    Args:
        game: the Game.
        players: the agents.
        assignments: which of them sits where, one row of P numbers for each seat assignment.
        words: uint64 (D,), the deals' seed words.
        seed: of the agents' chance.

    Raises:
        IllegalActionError: an agent chose an illegal action.
    """
    deals, ways = len(words), len(assignments)
    n = deals * ways
    table = Table(game, n, salt=seed)
    table.begin(np.arange(n), np.repeat(words, ways))
    seated = np.tile(np.array(assignments, np.int64), (deals, 1))
    trace = np.zeros(n, np.uint64)
    rows = np.flatnonzero(~table.over)
    while len(rows):
        holders = seated[rows, table.player[rows]]
        actions = table.ask_all(((agent, holders == kind) for kind, agent in enumerate(players)), rows)
        trace[rows] = mixed(trace[rows] + actions.astype(np.uint64))
        table.play(rows, actions)
        rows = rows[~table.over[rows]]
    trace ^= _positions(table)
    plain = table.states.view(np.ndarray)
    shape = (deals, ways, game.num_players)
    return Played(
        points=plain["points"][:, : game.num_players].astype(np.int64).reshape(shape),
        place=plain["place"][:, : game.num_players].astype(np.int64).reshape(shape) + 1,
        decisions=plain["ply"].astype(np.int64).reshape(deals, ways), capped=plain["capped"].reshape(deals, ways).copy(),
        trace=trace.reshape(deals, ways),
    )  # fmt: skip


def _positions(table: Table) -> np.ndarray:
    """uint64 (n,): a hash of each record without its random stream and seed, which differ between equal games."""
    held = bytes_of(table.states)[:, 16:]  # rng and seed come first in every record
    words = np.ascontiguousarray(held).view(np.uint64)
    found = np.zeros(len(words), np.uint64)
    for column in words.T:
        found = mixed(found ^ column)
    return found
