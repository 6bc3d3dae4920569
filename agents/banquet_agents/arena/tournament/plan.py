"""What a tournament will play, fixed before the first game: pairings, deals, units of work."""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Annotated, Any, NamedTuple

from annotated_types import Ge, MinLen
from typing_extensions import TypedDict

from banquet_agents.arena import matches
from banquet_agents.arena.matches import seat_assignments, versions
from banquet_agents.arena.sources import code_hash, file_hashes
from banquet_agents.forms import read_json, read_table
from banquet_agents.registry import make_agent, users_module
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import make_game

FORMAT = 1
MODES = {
    "pairings": "every two agents, one of them in one seat and the other in all the rest, both ways",
    "seatings": "every choice of agents for the seats, an agent in several seats included",
}
UNITS_PER_PAIRING = 20
"""Least number of units that a pairing is cut into by default, where it has so many deals."""


class Pairing(NamedTuple):
    """Agents that meet; every deal is played with every seat assignment.

    Attributes:
        kinds: numbers of the agents; with one player a single one, who plays alone.
        assignments: who sits where, one tuple of P agents' numbers for each seat assignment.
    """

    kinds: tuple[int, ...]
    assignments: tuple[tuple[int, ...], ...]


class Unit(NamedTuple):
    """A unit of work: the deals `first` to `stop` - 1 of a pairing."""

    pairing: int
    first: int
    stop: int


class GameTold(TypedDict):
    """`game.identity()` as JSON gives it back."""

    game: str
    version: str
    players: Annotated[int, Ge(1)]
    options: dict[str, str | int | bool | float]
    components: str
    record: int


@dataclass(frozen=True)
class Plan:
    """All that the results of a tournament depend on.

    Attributes:
        game: `game.identity()`: game, rules version, players, options, hash of the components.
        agents: names, all different.
        mode: one of MODES.
        deals: how many; the same ones for every pairing.
        seed: of the deals and of the agents' chance.
        block: deals of a unit; results do not depend on it.
        code: hash of the sources of rules, agents and matches.
        files: hash of what an agent's name refers to outside of those: a policy's folder, a module.
        versions: of the libraries that results may depend on.
        components: file of component data in place of the shipped one; only its content counts.
    """

    game: GameTold
    agents: Annotated[tuple[str, ...], MinLen(1)]
    mode: str
    deals: Annotated[int, Ge(2)]
    seed: Annotated[int, Ge(0)]
    block: Annotated[int, Ge(1)]
    code: str
    files: dict[str, str]
    versions: dict[str, str]
    components: str | None = None

    @functools.cached_property
    def pairings(self) -> list[Pairing]:
        """In a fixed order."""
        return pairings_of(self.mode, len(self.agents), self.players)

    @property
    def players(self) -> int:
        """Seats P."""
        return int(self.game["players"])

    @property
    def games(self) -> int:
        """Games in all."""
        return self.deals * sum(len(p.assignments) for p in self.pairings)

    def units(self) -> list[Unit]:
        """All units, block by block, so that an unfinished tournament has played about as much of every pairing."""
        return [
            Unit(k, first, min(first + self.block, self.deals))
            for first in range(0, self.deals, self.block)
            for k in range(len(self.pairings))
        ]

    def size(self, unit: Unit) -> int:
        """Games of a unit."""
        return (unit.stop - unit.first) * len(self.pairings[unit.pairing].assignments)

    def title(self, pairing: int) -> str:
        """A pairing in words."""
        names = [self.agents[k] for k in self.pairings[pairing].kinds]
        return (" vs " if self.mode == "pairings" else " + ").join(names)

    def modules(self) -> list[str]:
        """What importing the agents would import: modules of users' own."""
        return sorted({module for name in self.agents if (module := users_module(name))})

    def make_game(self) -> Game:
        """The Game."""
        options: Any = self.game["options"]
        return make_game(self.game["game"], self.players, components=self.components, **options)

    def as_here(self) -> Plan:
        """The same plan with rules, code, files and versions as this process finds them.

        Raises:
            OptionError: a file, game or agent that it names is missing here.
        """
        game = self.make_game()
        return replace(
            self, game=_plain(game), code=code_hash(game), files=file_hashes(self.agents), versions=versions()
        )

    def text(self) -> str:
        """The plan as JSON: what `tournament.json` holds."""
        listed = [
            {"agents": self.title(k), "seats": [[self.agents[a] for a in seats] for seats in p.assignments]}
            for k, p in enumerate(self.pairings)
        ]
        told = {"format": FORMAT, **asdict(self), "games": self.games}
        if len(json.dumps(listed)) < 1 << 20:  # for readers only; it follows from the rest
            told["pairings"] = listed
        return json.dumps(told, indent=2) + "\n"

    @classmethod
    def read(cls, text: str) -> Plan:
        """The plan that `text()` gave.

        Raises:
            OptionError: it is none.
        """
        where = "no plan of a tournament"
        told = read_json(dict[str, Any], text, where)
        if told.get("format") != FORMAT:
            raise OptionError(f"a tournament of format {told.get('format')!r}; this version reads format {FORMAT}")
        plan = read_table(cls, {f.name: told.get(f.name) for f in fields(cls) if f.name in told}, where)
        _check(plan.game["players"], plan.agents, plan.deals, plan.mode, plan.block)
        return plan

    def differences(self, other: Plan) -> list[str]:
        """In which ways `other` is another tournament: "seed 1, not 2"."""
        mine, theirs = self._flat(), other._flat()
        return [
            f"{key} {_shown(mine.get(key))}, not {_shown(theirs.get(key))}"
            for key in dict.fromkeys([*mine, *theirs])
            if mine.get(key) != theirs.get(key)
        ]

    def _flat(self) -> dict[str, Any]:
        told = asdict(self)
        del told["components"]  # its content's hash is in `game`
        return told.pop("game") | told.pop("versions") | told


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{k}={v}" for k, v in value.items()) or "none"
    return str(value)


def plan_tournament(
    game: Game, names: Sequence[str], games: int = 1000, seed: int = 0, mode: str = "pairings", block: int | None = None
) -> Plan:
    """Plan a tournament.

    Args:
        game: the Game; its reward scheme plays no part.
        names: the agents, as `banquet_agents.registry.make_agent` knows them.
        games: about how many for each pairing (in mode "seatings" for those with the most seat assignments); rounded
            up to whole deals, two at least.
        seed: of the deals and of the agents' chance.
        mode: one of MODES.
        block: deals of a unit of work; by default so that every pairing has 20 units or more.

    Raises:
        OptionError: a value that is not allowed, an unknown agent.
    """
    _check(game.num_players, names, games, mode, block)
    for name in names:
        make_agent(game, name)  # an unknown one is found now, and what it needs is compiled once
    ways = max(len(p.assignments) for p in pairings_of(mode, len(names), game.num_players))
    deals = max(2, -(-games // ways))
    block = block or max(1, min(deals // UNITS_PER_PAIRING, matches.SIDE_BY_SIDE // ways))
    own = None if game.components == game.spec.components else str(game.components)
    return Plan(
        game=_plain(game), agents=tuple(names), mode=mode, deals=deals, seed=int(seed),
        block=block, code=code_hash(game), files=file_hashes(names), versions=versions(), components=own,
    )  # fmt: skip


def _plain(game: Game) -> GameTold:
    """The game's identity as JSON gives it back."""
    return json.loads(json.dumps(game.identity()))


def _check(players: int, names: Sequence[str], games: int, mode: str, block: int | None) -> None:
    least = 1 if players == 1 else 2
    if len(names) < least:
        raise OptionError(f"a tournament with {players} players needs {least} agents or more, found {len(names)}")
    for name in names:
        if list(names).count(name) > 1:
            raise OptionError(f"agent {name!r} is named twice; every agent of a tournament must be another")
    if games < 1:
        raise OptionError(f"games={games} is not allowed; it must be 1 or more")
    if block is not None and block < 1:
        raise OptionError(f"block={block} is not allowed; it must be 1 or more")
    if mode not in MODES:
        raise OptionError(f"mode={mode!r} is not allowed; choose one of {', '.join(MODES)}")


def pairings_of(mode: str, count: int, players: int) -> list[Pairing]:
    """Who meets whom, by agents' numbers 0 to count - 1, in a fixed order."""
    if players == 1:
        return [Pairing((k,), ((k,),)) for k in range(count)]
    if mode == "seatings":
        chosen = itertools.combinations_with_replacement(range(count), players)
        return [Pairing(kinds, tuple(seat_assignments(kinds))) for kinds in chosen]
    found = []
    for pair in itertools.combinations(range(count), 2):
        ways = [seat_assignments([one, *[rest] * (players - 1)]) for one, rest in (pair, pair[::-1])]
        found.append(Pairing(pair, tuple(dict.fromkeys(ways[0] + ways[1]))))  # with two players both ways are the same
    return found


def agent_list(listed: str | None, single: Iterable[str] = ()) -> list[str]:
    """Names from `--agents a,b,c` and from any number of `--agent NAME`.

    A comma before `setting=` belongs to the name: "search:100,explore=2,greedy" are two agents.
    """
    names = re.split(r",(?!\s*\w+=)", listed) if listed else []
    return [name.strip() for name in [*names, *single] if name.strip()]
