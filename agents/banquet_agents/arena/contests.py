"""Contests: some agents, the deals they play and who sits where. All that the arena does is a list of contests and a page."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from banquet_agents.arena.deals import Played, play_deals, seat_assignments
from banquet_agents.arena.sources import code_hash, file_hashes, versions
from banquet_agents.registry import make_agent
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.table import Player, Table


@dataclass(frozen=True)
class Contest:
    """Agents that meet on D deals; every deal is played with every seat assignment.

    Attributes:
        game: the Game; its reward scheme plays no part.
        agents: names for `make_agent`.
        assignments: who sits where, P numbers of agents for each seat assignment.
        deals: how many.
        seed: of the deals.
        salt: of the agents' chance; the seed when None.
        legal, moves: whether to count legal actions and to keep the actions, see `Played`.
        given: agents by name that exist in this process only.
    """

    game: Game
    agents: tuple[str, ...]
    assignments: tuple[tuple[int, ...], ...]
    deals: int
    seed: int
    salt: int | None = None
    legal: bool = False
    moves: bool = False
    given: Mapping[str, Player] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games in all."""
        return self.deals * len(self.assignments)

    @property
    def agents_salt(self) -> int:
        """Salt of the agents' chance."""
        return self.seed if self.salt is None else self.salt

    def told(self) -> dict[str, Any]:
        """All that its games depend on, as JSON gives it back; not how many they are.

        Raises:
            OptionError: an agent exists in this process only.
        """
        if self.given:
            raise OptionError(
                f"agent {next(iter(self.given))!r} exists in this process only: neither other processes can play it, nor can"
                " its games be kept; name it as policy:FOLDER or package.module:factory"
            )
        told = {
            "game": self.game.identity(), "agents": self.agents, "seats": self.assignments, "seed": self.seed,
            "salt": self.salt, "legal": self.legal, "moves": self.moves, "code": code_hash(self.game),
            "files": file_hashes(self.agents), "versions": versions(),
        }  # fmt: skip
        return plain(told)


def against(
    game: Game, agents: Sequence[str], deals: int, seed: int, given: Mapping[str, Player] | None = None
) -> Contest:
    """The first agent in one seat, the second in all others, every seat once; a single agent plays alone."""
    kinds = [0, *[1] * (game.num_players - 1)]
    return Contest(game, tuple(agents), tuple(seat_assignments(kinds)), deals, seed, given=given or {})


def deals_for(games: int, ways: int) -> int:
    """How many deals of so many seat assignments make about `games` games; two at least, below which there is no interval.

    Raises:
        OptionError: no games.
    """
    if games < 1:
        raise OptionError(f"games={games} is not allowed; it must be 1 or more")
    return max(2, -(-games // ways))


def plain(told: Any) -> Any:
    """`told` as JSON gives it back."""
    return json.loads(json.dumps(told))


def key_of(told: Mapping[str, Any]) -> str:
    """A short hash of what was told."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:20]


def differences(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """In which entries two tellings differ: "seed 1, not 2"."""
    found = []
    for key in dict.fromkeys([*mine, *theirs]):
        one, other = mine.get(key), theirs.get(key)
        if isinstance(one, dict) and isinstance(other, dict) and one and other:
            found += differences(one, other)
        elif one != other:
            found.append(f"{key} {_shown(one)}, not {_shown(other)}")
    return found


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{k}={v}" for k, v in value.items()) or "none"
    return str(value)


# ---------------------------------------------------------------- a contest with its agents


class Seated:
    """A contest whose agents have been made.

    Raises:
        OptionError: an agent is unknown.
    """

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        given, game = contest.given, contest.game
        self.players = [given[name] if name in given else make_agent(game, name) for name in contest.agents]
        self._warm_up()

    def _warm_up(self) -> None:
        """Compile or load what will play, so that it counts as nobody's time; users' own agents are left alone."""
        for name, player in zip(self.contest.agents, self.players, strict=True):
            if name not in self.contest.given and (":" not in name or name.startswith(("search:", "flat:"))):
                table, rows = Table(self.contest.game, 1), np.zeros(1, np.int64)
                table.begin(rows, spawn_seeds(1, 0))
                table.play(rows, table.ask(player, rows))

    def play(self, first: int, stop: int) -> Played:
        """The deals `first` to `stop` - 1."""
        contest = self.contest
        words = spawn_seeds(stop, contest.seed)[first:]
        return play_deals(
            contest.game, self.players, contest.assignments, words, contest.agents_salt,
            legal=contest.legal, moves=contest.moves,
        )  # fmt: skip


_SEATED: dict[str, Seated] = {}
KEPT = 16
"""Most contests whose agents a worker keeps."""


def play_block(told: Mapping[str, Any], contest: Contest, first: int, stop: int) -> Played:
    """Play a block of deals in whatever process.

    Args:
        told: what `contest.told()` said where it was asked for.
        contest, first, stop: see `Seated.play`.

    Raises:
        OptionError: rules, agents, files or versions here are others.
    """
    key = key_of(told)
    if key not in _SEATED:
        if different := differences(told, contest.told()):
            raise OptionError(f"a worker on {platform.node()} differs: it was asked for {'; '.join(different)}")
        if len(_SEATED) >= KEPT:
            _SEATED.clear()
        _SEATED[key] = Seated(contest)
    return _SEATED[key].play(first, stop)


# ---------------------------------------------------------------- what was played


class GameRecord(NamedTuple):
    """A finished game: all that it takes to play it again.

    Attributes:
        game: the Game.
        word: its seed word, for `Game.restart`.
        salt: of the agents' chance.
        seats: the agents' names, seat by seat.
        actions: int32 (decisions,).
        points, place: int64 (P,), 1 = first.
        given: agents by name that exist in this process only.
    """

    game: Game
    word: int
    salt: int
    seats: tuple[str, ...]
    actions: np.ndarray
    points: np.ndarray
    place: np.ndarray
    given: Mapping[str, Player]


def records(contest: Contest, played: Played) -> Iterator[GameRecord]:
    """The games of a contest with `moves`, deal by deal."""
    words = spawn_seeds(contest.deals, contest.seed).tolist()
    for deal, word in enumerate(words):
        for way, seats in enumerate(contest.assignments):
            actions = played.moves[deal, way, : played.decisions[deal, way]]
            names = tuple(contest.agents[k] for k in seats)
            points, place = played.points[deal, way], played.place[deal, way]
            yield GameRecord(contest.game, word, contest.agents_salt, names, actions, points, place, contest.given)
