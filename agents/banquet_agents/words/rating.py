"""One scale for all games: a Bradley-Terry fit over paired deals, every game with the same weight, intervals over deals."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from banquet_envs.core.errors import OptionError

ANCHOR, ANCHOR_RATING = "greedy", 1000.0
_SCALE = 400.0 / math.log(10.0)
"""Points of rating in one unit of log-odds: 400 points are odds of ten to one, as in chess."""
_PRIOR = 0.1
"""A tenth of a deal won and a tenth lost between any two players: who never loses is still on the scale."""
_RESAMPLES = 400

Pairs = Mapping[tuple[str, str], np.ndarray]
"""By (player, opponent): float64 (deals,), the player's mean score of each deal, 1 a win, 0.5 shared, 0 a loss."""


@dataclass(frozen=True)
class Rung:
    """A player's place on the scale, with its 95 % interval; the anchor has none."""

    player: str
    rating: float
    low: float
    high: float


def frozen_ladder() -> dict[str, Any]:
    """The results of the ladder's agents among themselves, by game, played once (`python -m banquet_agents.words.ladder`).

    `rungs`: the agents, the weakest first. For each of the `games`: `version` of its rules, `decisions` of a seat in a game
    of two, `search`: the settings of the search, `pairs` of (player, opponent, scores by deal).
    """
    found: dict[str, Any] = json.loads((files("banquet_agents.words") / "ladder.json").read_text())
    return found


def ladder_pairs(game: str, version: str) -> dict[tuple[str, str], np.ndarray]:
    """What the frozen ladder knows of a game: nothing for games that are not in it, or under other rules."""
    known = frozen_ladder()["games"].get(game)
    if known is None or known["version"] != version:
        return {}
    return {(one, other): np.array(scores, np.float64) for one, other, scores in known["pairs"]}


def rate(games: Sequence[Pairs], seed: int = 0) -> list[Rung]:
    """Fit all games at once, the best first.

    A game's scores are scaled so that all games weigh the same. The anchor is put at 1000; without it the mean is.

    Args:
        games: the pairs of each game.
        seed: of the resampling of deals, within each pair of each game.

    Raises:
        OptionError: choix is not installed, or there is nothing to fit.
    """
    names = sorted({name for pairs in games for pair in pairs for name in pair})
    if not names:
        raise OptionError("nothing to rate: no deals were played between different players")
    rng = np.random.default_rng(seed)
    fitted = _fit(names, games)
    resampled = np.array(
        [
            _fit(names, [{pair: rng.choice(scores, len(scores)) for pair, scores in pairs.items()} for pairs in games])
            for _ in range(_RESAMPLES)
        ]
    )
    low, high = np.percentile(resampled, (2.5, 97.5), axis=0)
    rungs = [Rung(name, *map(float, bounds)) for name, *bounds in zip(names, fitted, low, high, strict=True)]
    return sorted(rungs, key=lambda rung: -rung.rating)


def _fit(names: Sequence[str], games: Sequence[Pairs]) -> np.ndarray:
    """float64 (players,): ratings."""
    try:
        choix: Any = importlib.import_module("choix")
    except ImportError as error:
        raise OptionError("ratings need choix: pip install 'banquet-envs[words]'") from error
    wins = np.zeros((len(names), len(names)))
    mean = sum(len(scores) for pairs in games for scores in pairs.values()) / len(games)
    for pairs in games:
        weight = mean / max(1, sum(len(scores) for scores in pairs.values()))
        for (one, other), scores in pairs.items():
            a, b = names.index(one), names.index(other)
            wins[a, b] += weight * scores.sum()
            wins[b, a] += weight * (1.0 - scores).sum()
    ratings: np.ndarray = _SCALE * choix.ilsr_pairwise_dense(wins, alpha=_PRIOR)
    return ratings - (ratings[names.index(ANCHOR)] if ANCHOR in names else ratings.mean()) + ANCHOR_RATING
