"""Search agents: `search:N`, a Monte Carlo tree search over information sets, and `flat:N`, its sibling without a tree.

One search for all games: it needs nothing but a game's rules (agents/banquet_agents/search_tree.py has the compiled part). What it
assumes of each game - how to play out, how far - was measured and stands in search.toml.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents import search_tree as tree
from banquet_agents.compiled import SPARE, Script
from banquet_envs.core.compile import Kernels, bound, run_chunks
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.kernels import VIEW
from banquet_envs.core.state import raw

MEASURED = Path(__file__).with_name("search.toml")
SLICE = 16
"""Simulations between two looks at the clock."""


@dataclass(frozen=True)
class SearchSettings:
    """How a search searches.

    Attributes:
        simulations: budget for each decision; 0 when there is a time budget.
        milliseconds: time budget for each decision in place of `simulations`; results then depend on the machine.
        tree: grow a tree; without it, only the root's actions are compared (flat Monte Carlo).
        playout: the script that plays a simulation on, "random" or one of the game's own.
        depth: most decisions of a playout, 0 for playing to the end of the game.
        noise: probability of a random action in place of the script's.
        explore: weight of the exploration term.
        prior: prior probability given to the action that the playout's script prefers (0 for "random" playouts).
        reduction: by how much an untried action is thought worse than its node, of the range of pay-offs.
        lead: weight of the lead in points beside the share of the win.
        slope: share of the win that a lead of one (scaled by the game's points scale) is worth in a playout that was
            cut off; the lead is the script's own estimate (`Script.value`), or that of the moment.
        doubt: by how many standard errors the most visited action must look better than the script's to be played in
            its place; where there is no prior it always is.
        longest: most decisions of a path inside the tree.
    """

    simulations: int = 0
    milliseconds: float = 0.0
    tree: bool = True
    playout: str = "random"
    depth: int = 0
    noise: float = 0.0
    explore: float = 1.5
    prior: float = 0.5
    reduction: float = 0.1
    lead: float = 0.25
    slope: float = 1.0
    doubt: float = 1.0
    longest: int = 200


def settings_for(game: str) -> SearchSettings:
    """The measured settings of a game, without a budget; generic ones for a game that search.toml does not name."""
    found = tomllib.loads(MEASURED.read_text()).get(game, {})
    return overlaid(SearchSettings(), found, f"{MEASURED.name}: {game}")


def overlaid(settings: SearchSettings, given: Mapping[str, Any], where: str) -> SearchSettings:
    """`settings` with the values of `given` in place of its own.

    Raises:
        OptionError: an unknown entry, or a value of the wrong kind or out of bounds.
    """
    known = {f.name: type(getattr(settings, f.name)) for f in fields(settings)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"{where}: unknown setting {name!r}; known: {', '.join(known)}")
        try:
            values[name] = known[name](value)
        except ValueError as error:
            raise OptionError(f"{where}: {name}={value!r} is not allowed: expected {known[name].__name__}") from error
        if not isinstance(values[name], str) and not (name == "reduction" or values[name] >= 0):
            raise OptionError(f"{where}: {name}={value!r} is not allowed; it must not be negative")
    return replace(settings, **values)


def parsed(game: str, name: str) -> SearchSettings:
    """The settings that an agent's name stands for.

    Args:
        game: the game's id.
        name: "search:N" (simulations) or "search:Nms" (milliseconds), "flat:" likewise, followed by any
            ",setting=value" of `SearchSettings`.

    Raises:
        OptionError: not such a name.
    """
    kind, _, rest = name.partition(":")
    budget, *others = rest.split(",")
    number = budget.removesuffix("ms")
    if kind not in ("search", "flat") or not number.isdigit() or int(number) < 1:
        raise OptionError(
            f"agent {name!r}: expected search:N or search:Nms (or flat:), N at least 1, such as search:500"
        )
    given: dict[str, Any] = {"milliseconds" if budget.endswith("ms") else "simulations": number}
    for text in others:
        key, sign, value = text.partition("=")
        if not sign:
            raise OptionError(f"agent {name!r}: {text!r} is not of the form setting=value")
        given[key] = value
    settings = replace(settings_for(game), tree=kind == "search")
    return overlaid(settings, given, f"agent {name!r}")


class Pool:
    """Everything one search writes to: node and edge pools, and scratch. Reused from decision to decision."""

    def __init__(self, game: Game, simulations: int, longest: int) -> None:
        nodes = simulations + 1
        edges = 4 * simulations + 64
        slots = 1 << (2 * nodes).bit_length()
        width = game.observation_size + game.observation_size % 2  # read as 64-bit words
        self.nodes = np.zeros(nodes * tree.NODE.itemsize, np.uint8)
        self.edges = np.zeros(edges * tree.EDGE.itemsize, np.uint8)
        self.slots = np.empty(slots, np.int32)
        self.counts = np.zeros(4, np.int64)
        self.path = np.zeros((longest, 3), np.int64)
        self.paid = np.zeros(game.num_players)
        self.bounds = np.zeros(2)
        self.masks = np.zeros((2, game.num_actions), np.bool_)
        self.view = np.zeros(width, np.float32)
        self.scratch = np.zeros((1 + SPARE) * game.spec.state.itemsize, np.uint8)

    def clear(self) -> None:
        """Forget the search before; the pools themselves need no zeroing."""
        self.counts[:] = 0
        self.bounds[:] = np.inf, -np.inf

    def arguments(self) -> tuple[np.ndarray, ...]:
        """In the order of the kernel's parameters."""
        return (
            self.nodes, self.edges, self.slots, self.counts, self.path, self.paid, self.bounds, self.masks, self.view,
            self.scratch,
        )  # fmt: skip


class SearchAgent:
    """Searches every decision anew, many games at a time, one tree per game and thread.

    Its chance comes from the handed records' random streams, which whoever hands them has replaced; so equal records
    get equal answers, in any batch and on any number of threads (unless the budget is a time).

    Args:
        game: the Game it plays.
        name: what to call it.
        settings: budget and manners.
        script: what plays the simulations on.

    Raises:
        OptionError: no budget.
    """

    def __init__(self, game: Game, name: str, settings: SearchSettings, script: Script) -> None:
        if (settings.simulations > 0) == (settings.milliseconds > 0):
            raise OptionError(f"agent {name!r}: give a budget, either simulations or milliseconds")
        self.game = game
        self.name = name
        self.settings = settings
        self.script = script
        self.table = script.table_for(game)
        self.kernels = search_kernels(game, settings.playout, script)
        self.limits = np.array([settings.tree, settings.depth, game.observation_size], np.int64)
        prior = 0.0 if settings.playout == "random" else min(settings.prior, 1.0)
        self.weights = np.array([
            settings.explore, prior, settings.reduction, settings.noise, settings.lead, settings.slope, settings.doubt,
            game.points_scale,
        ])  # fmt: skip
        self._idle: list[Pool] = []

    def __reduce__(self) -> Any:
        return SearchAgent, (self.game, self.name, self.settings, self.script)

    def act(self, states: np.ndarray) -> np.ndarray:
        """int64 (n,) actions for records (n,) in which this agent's seat is to move; the records stay as they are."""
        return self.search(states)[0]

    def search(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Search each record.

        Args:
            states: records (n,), none of them over; searched for the seat to move.

        Returns:
            Actions int64 (n,), visits of every action int32 (n, A), their mean pay-offs float32 (n, A), 0 if unvisited.
        """
        n, actions = len(states), np.empty(len(states), np.int64)
        visits = np.zeros((n, self.game.num_actions), np.int32)
        values = np.zeros((n, self.game.num_actions), np.float32)
        legal = self.game.legal_actions(states)
        single = np.flatnonzero(legal.sum(axis=1) == 1)
        actions[single] = legal[single].argmax(axis=1)
        rows = np.setdiff1d(np.arange(n), single)

        def some(first: int, last: int) -> None:
            pool = self._idle.pop() if self._idle else self._pool()
            for row in rows[first:last]:
                actions[row] = self._one(raw(states), int(row), pool, visits, values)
            self._idle.append(pool)

        if len(rows):
            run_chunks(self.game.threads, len(rows), some, least=1)
        return actions, visits, values

    def _pool(self) -> Pool:
        most = self.settings.simulations or max(1024, int(self.settings.milliseconds * 50))
        return Pool(self.game, most, self.settings.longest)

    def _one(self, states: np.ndarray, row: int, pool: Pool, visits: np.ndarray, values: np.ndarray) -> int:
        """Search one record until the budget is spent."""
        pool.clear()
        fixed = pool.arguments()

        def grow(simulations: int) -> int:
            return self.kernels.grow(
                states, self.game.rules_raw, row, self.table, simulations, self.limits, self.weights, *fixed, visits, values
            )  # fmt: skip

        if self.settings.simulations:
            return grow(self.settings.simulations)
        end = time.perf_counter() + self.settings.milliseconds / 1000
        best = grow(SLICE)
        while time.perf_counter() < end:
            best = grow(SLICE)
        return best


_KERNELS: dict[tuple[int, str], tuple[Any, Kernels]] = {}


def search_kernels(game: Game, playout: str, script: Script) -> Kernels:
    """The compiled search of a game with this script in its playouts, shared by all Games of the same rules."""
    key = (id(game.spec), playout)
    if key not in _KERNELS:
        spec = game.spec
        namespace = spec.namespace(choose=script.choose, value=script.value or tree.points_ahead)
        namespace["view"] = bound(VIEW, namespace)
        namespace["descend"] = bound(tree.DESCEND, namespace)
        namespace["play_out"] = bound(tree.PLAY_OUT, namespace)
        namespace["pay_off"] = bound(tree.PAY_OFF, namespace)
        sources = [
            spec.folder,
            *spec.extra_sources,
            script.source,
            Path(tree.__file__),
            Path(__file__).with_name("compiled.py"),
        ]
        _KERNELS[key] = spec, Kernels(f"{game.name}.search.{playout}", tree.TEMPLATES, namespace, sources)
    return _KERNELS[key][1]
