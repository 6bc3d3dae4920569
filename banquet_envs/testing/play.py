"""Configurations of a game, and seeded random play over them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, make_game


@dataclass(frozen=True)
class Configuration:
    """A game with a number of players and options."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    def make(self, **more: Any) -> Game:
        """The Game."""
        return make_game(self.game, self.players, **self.options, **more)

    def __str__(self) -> str:
        options = "".join(f"-{k}={v}" for k, v in self.options.items())
        return f"{self.game}-{self.players}p{options}"


def configurations(game: str) -> list[Configuration]:
    """Every player count with every variant that it allows."""
    spec = game_spec(game)
    found = []
    for players in spec.player_counts():
        for variant in spec.variants:
            one = Configuration(game, players, dict(variant))
            try:
                one.make()
            except OptionError:
                continue  # a variant that is not for this number of players
            found.append(one)
    assert found, f"{game} has no configuration"
    return found


def each_variant(game: str) -> list[Configuration]:
    """Every variant once; the player counts take turns."""
    found: dict[str, list[Configuration]] = {}
    for one in configurations(game):
        found.setdefault(repr(one.options), []).append(one)
    return [alike[k % len(alike)] for k, alike in enumerate(found.values())]


def random_actions(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64 (n,): a uniformly chosen True entry in every row of `mask`; 0 where there is none."""
    keys = rng.random(mask.shape, np.float32) * mask
    return keys.argmax(axis=1).astype(np.int64)


def play(game: Game, n: int, seed: int, visit: Callable[[np.recarray, np.ndarray], None] | None = None) -> np.recarray:
    """Play `n` games at random to their ends; `visit(states, mask)` is called before every round of moves."""
    rng = np.random.default_rng(seed)
    states = game.reset(n, seed)
    rows = np.arange(n)
    buffers = game.buffers(n)
    buffers.observation = buffers.observation[:0]
    buffers.final_observation = buffers.final_observation[:0]
    buffers.mask[:] = game.legal_actions(states)
    while len(rows):
        if visit is not None:
            visit(states, buffers.mask)
        actions = random_actions(buffers.mask, rng)
        game.advance(states, actions, buffers, rows=rows, restart=False)
        rows = np.flatnonzero(~states.over)
    return states


def walk(game: Game, seed: int, last: int | None = None) -> Iterator[tuple[np.recarray, np.ndarray, int]]:
    """One random game, up to ply `last`: yields (states, mask (A,), action) before each decision, and applies it after."""
    rng = np.random.default_rng(seed)
    states = game.reset(1, seed)
    while not states.over[0] and (last is None or states.ply[0] <= last):
        mask = game.legal_actions(states)
        action = int(random_actions(mask, rng)[0])
        yield states, mask[0], action
        game.step(states, [action])


def snapshots(game: Game, n: int, seed: int, last: int | None = None) -> Iterator[tuple[np.recarray, np.ndarray]]:
    """Positions of `n` random games in lock-step: every move at first, then ever fewer, up to about ply `last`.

    Games are up to three moves apart, and gaps vary: in many games every so-manieth decision is of the same kind.

    Yields:
        The games that are not over, as records of their own, and their masks (n, A).
    """
    rng = np.random.default_rng(seed)
    states = game.reset(n, seed)
    for behind in range(1, 4):
        ahead = np.flatnonzero((np.arange(n) % 4 >= behind) & ~states.over)
        part = records.take(states, ahead)
        game.step_trusted(part, random_actions(game.legal_actions(part), rng))
        records.put(states, ahead, part)
    following, move = 0, 0
    while (states := records.take(states, ~states.over)).size and (last is None or move <= last):
        mask = game.legal_actions(states)
        if move == following:
            yield records.copy(states), mask
            following += 1 + int(rng.integers(0, 1 + move // 2))
        game.step_trusted(states, random_actions(mask, rng))
        move += 1


TRACED = 120
"""Decisions of a game that `trace` follows: whole games of most kinds, the beginning of very long ones."""


def trace(configuration: Configuration, seed: int) -> str:
    """A hash over a random game: records, masks, every seat's observations, rewards, samples."""
    game = configuration.make()
    digest = hashlib.sha256()
    states = game.reset(1, seed)
    rng = np.random.default_rng(seed)
    while not states.over[0] and states.ply[0] < TRACED:
        mask = game.legal_actions(states)
        digest.update(states.tobytes() + mask.tobytes())
        seats = range(game.num_players) if states.ply[0] % 8 == 0 else [int(states.player[0])]
        for seat in seats:
            digest.update(game.observe(states, seat).tobytes())
        before = records.copy(states)
        game.step(states, random_actions(mask, rng))
        digest.update(game.rewards(before, states).tobytes())
        view = records.copy(states)
        game.determinize(view, int(rng.integers(game.num_players)), int(rng.integers(1000)))
        digest.update(view.tobytes())
    return digest.hexdigest()
