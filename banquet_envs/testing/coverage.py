"""Checks over all configurations of a game: whatever is declared is used somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec
from banquet_envs.testing.knowledge import few, others, sampled
from banquet_envs.testing.play import configurations, snapshots


def check_every_option_stands_in_a_variant(name: str) -> None:
    """Every value of every option is played by the suite: it stands in a variant, or is the default."""
    spec = game_spec(name)
    for option in spec.options:
        played = [variant.get(option.name, option.default) for variant in spec.variants]
        idle = [c for c in option.choices if not any(type(c) is type(p) and c == p for p in played)]
        assert not idle, f"{name}: no variant has {option.name}={idle[0]!r}, so the suite never plays it"


@dataclass
class Use:
    """What random games of all configurations made of the layouts: for each slice by name, its entries in C order."""

    lowest: dict[str, np.ndarray] = field(default_factory=dict)
    highest: dict[str, np.ndarray] = field(default_factory=dict)
    resampled: set[str] = field(default_factory=set)
    offered: dict[str, np.ndarray] = field(default_factory=dict)

    def idle(self, name: str) -> bool:
        """Whether a slice of the observation never changed."""
        return bool((self.lowest[name] == self.highest[name]).all())


def _widest(kept: dict[str, np.ndarray], name: str, new: np.ndarray, join: np.ufunc) -> None:
    """Join what is known of a slice with what was seen in another configuration, where it may have another size."""
    old = kept.get(name, new)
    wide = old if len(old) > len(new) else new
    common = min(len(old), len(new))
    kept[name] = np.append(join(old[:common], new[:common]), wide[common:])


def _look(game: Game, use: Use, n: int, seed: int) -> None:
    """Random games of one configuration."""
    for moment, (states, mask) in enumerate(snapshots(game, n, seed)):
        for part in game.action_layout:
            _widest(use.offered, part.name, mask[:, part.start : part.stop].max(axis=0), np.maximum)
        truth = [game.observe(states, p) for p in range(game.num_players)]
        seen = np.concatenate(truth)
        for part in game.layout:
            run = slice(part.start, part.stop)
            _widest(use.lowest, part.name, seen[:, run].min(axis=0), np.minimum)
            _widest(use.highest, part.name, seen[:, run].max(axis=0), np.maximum)
        for seat, p in _pairs(game, moment):
            changed = (game.observe(sampled(game, states, seat, seed), p) != truth[p]).any(axis=0)
            use.resampled.update(s.name for s in game.layout if changed[s.start : s.stop].any())


def _pairs(game: Game, moment: int) -> Iterator[tuple[int, int]]:
    """For some seat, each other one."""
    seat = moment % game.num_players
    for p in others(game, seat):
        yield seat, p


def check_layouts_are_used(name: str, n: int = 24, seed: int = 31) -> str | None:
    """Every slice of the observation changes, every private one is resampled for others, every action is offered sometime.

    What the game names as `rare` is left to its own tests.

    Returns:
        A note on single entries that never change or are never offered: rare ones, or forgotten ones.
    """
    use, games = Use(), [c.make() for c in configurations(name)]
    for k, game in enumerate(games):
        _look(game, use, few(n), seed + k)
    rare = set(game_spec(name).rare)
    unknown = sorted(rare - set(use.lowest) - set(use.offered))
    assert not unknown, f"{name}: rare: neither features nor actions are called {unknown}"
    idle = [s for s in use.lowest if use.idle(s) and s not in rare]
    assert not idle, f"{name}: features {idle} never changed in random games of all configurations"
    never = [s for s, found in use.offered.items() if not found.any() and s not in rare]
    assert not never, f"{name}: actions {never} were never legal in random games of all configurations"
    secretive = [g for g in games if g.facts.hidden_information and g.num_players > 1]
    known = sorted({s.name for g in secretive for s in g.layout if not s.public} - use.resampled - rare)
    assert not known, (
        f"{name}: features {known} are declared private, but never change when the world is resampled for another seat:"
        " either every seat could work them out, or determinize keeps a secret"
    )
    features = sum(int((use.lowest[s] == use.highest[s]).sum()) for s in use.lowest)
    actions = sum(int((~found).sum()) for found in use.offered.values())
    if features + actions == 0:
        return None
    return f"{features} single features never changed, {actions} single actions were never legal: rare, or forgotten?"
