"""Search agents: `search:N`, a Monte Carlo tree search over information sets, and `flat:N`, its sibling without a tree.

With `policy=FOLDER` a network guides it (policy_search.py). One search for all games: it needs nothing but a game's rules
(agents/banquet_agents/search_tree.py has the compiled part). What it assumes of each game - how to play out, how far - was
measured and stands in search.toml.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Mapping
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
        policy: the folder of a policy; its network then gives the priors in place of the script's choice, and the value
            of positions where a simulation stops in place of `lead` and `slope`.
        gumbel: with a policy, choose at the root by sequential halving in place of PUCT.
        considered: how many actions sequential halving begins with.
        trust: log prior that the whole range of pay-offs is worth in it, growing with the visits.
        luck: scale of the Gumbel noise that sequential halving adds to log priors, for learning from the search.
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
    policy: str = ""
    gumbel: bool = False
    considered: int = 8
    trust: float = 5.0
    luck: float = 0.0


NO_PLAYOUT = "none"
"""The `playout` of a search that asks its network at once."""

GUIDED = SearchSettings(playout=NO_PLAYOUT)
"""What is measured for a search with a network, in every game."""


def settings_for(game: str) -> SearchSettings:
    """The measured settings of a game, without a budget; generic ones for a game that search.toml does not name."""
    found = tomllib.loads(MEASURED.read_text()).get(game, {})
    return overlaid(SearchSettings(), found, f"{MEASURED.name}: {game}")


_BOOLS = {"true": True, "1": True, "false": False, "0": False}


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
            values[name] = _BOOLS[str(value).lower()] if known[name] is bool else known[name](value)
        except (KeyError, ValueError) as error:
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
    settings = replace(GUIDED if given.get("policy") else settings_for(game), tree=kind == "search")
    return overlaid(settings, given, f"agent {name!r}")


class Pool:
    """Everything one search writes to: node and edge pools, and scratch. Reused from decision to decision."""

    def __init__(
        self, game: Game, simulations: int, longest: int, edge: np.dtype = tree.EDGE, branching: int = 4
    ) -> None:
        nodes = simulations + 1
        edges = branching * simulations + game.num_actions
        slots = 1 << (2 * nodes).bit_length()
        width = game.observation_size + game.observation_size % 2  # read as 64-bit words
        self.nodes = np.zeros(nodes * tree.NODE.itemsize, np.uint8)
        self.edges = np.zeros(edges * edge.itemsize, np.uint8)
        self.slots = np.empty(slots, np.int32)
        self.counts = np.zeros(4, np.int64)
        self.path = np.zeros((longest, 3), np.int64)
        self.paid = np.zeros(game.num_players)
        self.bounds = np.zeros(2)
        self.masks = np.zeros((2, game.num_actions), np.bool_)
        self.view = np.zeros(width, np.float32)
        self.network: tuple[np.ndarray, ...] = ()
        self.scratch = np.zeros((1 + SPARE) * game.spec.state.itemsize, np.uint8)

    def clear(self, least: float = np.inf, greatest: float = -np.inf) -> None:
        """Forget the search before; the pools themselves need no zeroing. Pay-offs reach at least so far, if that is known."""
        self.counts[:] = 0
        self.bounds[:] = least, greatest

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
        self.threads = game.threads
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
        found = self._found(len(states))
        return self._search(states, found), found[0], found[1]

    def _found(self, n: int) -> tuple[np.ndarray, ...]:
        """What a search of n records fills."""
        return np.zeros((n, self.game.num_actions), np.int32), np.zeros((n, self.game.num_actions), np.float32)

    def _search(self, states: np.ndarray, found: tuple[np.ndarray, ...]) -> np.ndarray:
        """Search what is to be decided; the actions."""
        legal = self.game.legal_actions(states)
        actions = legal.argmax(axis=1)
        rows = np.flatnonzero(legal.sum(axis=1) > 1)

        def some(first: int, last: int) -> None:
            pool = self._idle.pop() if self._idle else self._pool()
            for row in rows[first:last]:
                actions[row] = self._one(raw(states), int(row), pool, found)
            self._idle.append(pool)

        if len(rows):
            run_chunks(self.threads, len(rows), some, least=1)
        return actions

    def _most(self) -> int:
        """More simulations than a budget allows."""
        return self.settings.simulations or max(1024, int(self.settings.milliseconds * 50))

    def _pool(self) -> Pool:
        return Pool(self.game, self._most(), self.settings.longest)

    def _one(self, states: np.ndarray, row: int, pool: Pool, found: tuple[np.ndarray, ...]) -> int:
        """Search one record until the budget is spent."""
        pool.clear()
        fixed = pool.arguments()

        def grow(simulations: int) -> int:
            return self.kernels.grow(
                states, self.game.rules_raw, row, self.table, simulations, self.limits, self.weights, *fixed, *found
            )  # fmt: skip

        return self._until_spent(grow)

    def _until_spent(self, grow: Callable[[int], int]) -> int:
        """Call `grow` for the simulations of the budget; its last answer."""
        if self.settings.simulations:
            return grow(self.settings.simulations)
        end = time.perf_counter() + self.settings.milliseconds / 1000
        best = grow(SLICE)
        while time.perf_counter() < end:
            best = grow(SLICE)
        return best


_KERNELS: dict[tuple[int, str], tuple[Any, Kernels]] = {}
_PARTS = {"descend": tree.DESCEND, "play_out": tree.PLAY_OUT, "pay_off": tree.PAY_OFF}


def search_kernels(
    game: Game, name: str, script: Script, parts: Mapping[str, Any] = _PARTS, templates: Any = tree.TEMPLATES,
    modules: tuple[str, ...] = (),
) -> Kernels:  # fmt: skip
    """The compiled search of a game with this script in its playouts, shared by all Games of the same rules.

    Args:
        game: the Game.
        name: of this script with these parts.
        script: for the playouts.
        parts: what the kernels call beside rules and script, to be bound to the game in this order.
        templates: the kernels.
        modules: the modules of this package whose code is linked in, beyond the tree search's own.
    """
    key = (id(game.spec), name)
    if key not in _KERNELS:
        spec = game.spec
        namespace = spec.namespace(choose=script.choose, value=script.value or tree.points_ahead)
        for part, template in {"view": VIEW, **parts}.items():
            namespace[part] = bound(template, namespace)
        linked = [Path(__file__).with_name(f"{module}.py") for module in ("search_tree", "compiled", *modules)]
        sources = [spec.folder, *spec.extra_sources, script.source, *linked]
        _KERNELS[key] = spec, Kernels(f"{game.name}.search.{name}", templates, namespace, sources)
    return _KERNELS[key][1]
