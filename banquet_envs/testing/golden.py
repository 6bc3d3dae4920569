"""Golden playthroughs: a whole random game as text. A change in rules, masks, observations, rewards or seeding shows."""

from __future__ import annotations

import hashlib

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.registry import game_spec
from banquet_envs.testing.play import Configuration, random_actions

_WORDS_EVERY = 20
_SHOWN = 300  # decisions; a longer game plays on to its end, of which the record's hash tells


def golden_configuration(game: str) -> Configuration:
    """What the playthrough shows: the last variant, which switches everything on, with three players where possible."""
    spec = game_spec(game)
    players = min(max(3, spec.min_players), spec.max_players)
    return Configuration(game, players, dict(spec.variants[-1]))


def _hash(array: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:8]


def playthrough(configuration: Configuration, seed: int = 2026) -> str:
    """The game of `seed` with random actions: decisions with mask, hashes of all views, rewards; words now and then."""
    game = configuration.make(reward="points")
    rng = np.random.default_rng(seed)
    states = game.reset(1, seed)
    lines = [f"{configuration} {game.spec.version} reward=points seed={seed}",
             f"{game.observation_size} features, {game.num_actions} actions"]  # fmt: skip
    while not states.over[0]:
        ply = int(states.ply[0])
        if ply >= _SHOWN:
            game.step(states, random_actions(game.legal_actions(states), rng))
            continue
        if ply % _WORDS_EVERY == 0:
            lines += ["", *("    " + line for line in game.describe(states, None).splitlines()), ""]
        mask = game.legal_actions(states)
        views = [_hash(game.observe(states, seat)) for seat in range(game.num_players)]
        action = int(random_actions(mask, rng)[0])
        legal = " ".join(map(str, np.flatnonzero(mask[0])))
        lines.append(f"{ply}: seat {states.player[0]}, legal {legal}; views {' '.join(views)}")
        lines.append(f"    plays {action}, {game.action_text(states, action)}")
        before = records.copy(states)
        game.step(states, [action])
        rewards = game.rewards(before, states)[0]
        if rewards.any():
            lines.append(f"    rewards {' '.join(f'{x:g}' for x in rewards)}")
    lines += ["", *("    " + line for line in game.describe(states, None).splitlines())]
    places = " ".join(map(str, states.place[0, : game.num_players]))
    lines += ["", f"places {places} after {states.ply[0]} decisions; record {_hash(records.raw(states))}"]
    return "\n".join(lines) + "\n"
