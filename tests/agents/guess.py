"""A toy game for tests of the search: seat 0 guesses a hidden coin three times; whoever could look would always win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.game import Game
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.random import random_below
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.spec import Facts, GameSpec, rules_dtype
from banquet_envs.core.state import state_dtype

STATE = state_dtype(2, [("coin", np.int32), ("guesses", np.int32)])
RULES = rules_dtype([])


@rule
def setup(state: Any, rules: Any) -> None:
    state.coin = random_below(state, 2)


@rule
def legal_actions(state: Any, rules: Any, mask: Any) -> None:
    mask[0] = True
    mask[1] = True


@rule
def apply(state: Any, rules: Any, action: Any) -> None:
    """Three guesses in a row at the same coin; two right ones win."""
    if action == state.coin:
        state.points[0] += 1
    else:
        state.points[1] += 1
    state.guesses += 1
    if state.guesses == 3:
        state.over = True
        rank_by(state, rules.players, state.points)


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    out[0] = state.guesses / 3
    out[1] = state.over
    out[2] = player


@rule
def determinize(state: Any, rules: Any, player: Any) -> None:
    """Points are hidden too: they would show the coin."""
    if not state.over:
        before = state.coin
        state.coin = random_below(state, 2)
        if state.coin != before:
            held = state.points[0]
            state.points[0] = state.points[1]
            state.points[1] = held


def make_rules(players: int, options: Any, components: Any) -> np.ndarray:
    rules = np.zeros((), RULES)
    rules["players"] = players
    return rules


SPEC = GameSpec(
    name="guess",
    title="Guess the Coin",
    version="v0",
    min_players=2,
    max_players=2,
    state=STATE,
    rules=RULES,
    setup=setup,
    legal_actions=legal_actions,
    apply=apply,
    observe=observe,
    determinize=determinize,
    make_rules=make_rules,
    actions=lambda rules: Layout([Slice("guess", (2,), "the coin")]),
    observation=lambda rules: Layout([Slice("all", (3,), "guesses made, over, seat")]),
    facts=lambda rules: Facts(3, 0, 3, 0.3, True, True, False, True),
    action_text=lambda rules, state, action: f"guess {action}",
    describe=lambda rules, state, player: f"{state.guesses} guesses made",
    draw=lambda rules, state, player: "<svg/>",
    pieces=lambda rules, state: {},
    components=Path(__file__).with_name("guess.toml"),
    folder=Path(__file__).parent,
)


def guess() -> Game:
    """The toy game."""
    return Game(SPEC, 2)
