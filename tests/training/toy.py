"""A game small enough to know by heart: take 1 to 3 crumbs in turn, whoever takes the last one wins 10 points.

Every seat holds a secret number that plays no part. Options: `pile` fixes the crumbs (0: 1 to 7 by chance), `secrets`
switches the numbers off, `endless` allows passing (action 0) and caps the game after 12 decisions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs.core import registry
from banquet_envs.core.compile import rule
from banquet_envs.core.game import Game
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.random import random_below
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.spec import Facts, GameSpec, Option, rules_dtype
from banquet_envs.core.state import state_dtype

STATE = state_dtype(3, [("secret", np.int32, (3,)), ("pile", np.int32)])
RULES = rules_dtype([("pile", np.int32), ("secrets", np.int32), ("endless", np.int32)])
SECRETS = 1_000_000


@rule
def setup(state: Any, rules: Any) -> None:
    state.pile = rules.pile if rules.pile > 0 else 1 + random_below(state, 7)
    if rules.secrets:
        for p in range(rules.players):
            state.secret[p] = random_below(state, SECRETS)


@rule
def legal_actions(state: Any, rules: Any, mask: Any) -> None:
    mask[0] = rules.endless == 1
    for k in range(1, 4):
        mask[k] = k <= state.pile


@rule
def apply(state: Any, rules: Any, action: Any) -> None:
    state.pile -= action
    if state.pile == 0:
        state.points[state.player] = 10
        state.over = True
    elif rules.endless and state.ply >= 12:
        state.over = True
        state.capped = True
    if state.over:
        rank_by(state, rules.players, state.points)
    else:
        state.player = (state.player + 1) % rules.players


@rule
def observe(state: Any, rules: Any, player: Any, out: Any) -> None:
    for k in range(8):
        out[k] = state.pile == k
    out[8] = state.secret[player] / 1_000_000
    out[9] = player


@rule
def determinize(state: Any, rules: Any, player: Any) -> None:
    if rules.secrets:
        for p in range(rules.players):
            if p != player:
                state.secret[p] = random_below(state, SECRETS)


def make_rules(players: int, options: Any, components: Any) -> np.ndarray:
    rules = np.zeros((), RULES)
    rules["players"] = players
    for name in ("pile", "secrets", "endless"):
        rules[name] = int(options[name])
    return rules


SPEC = GameSpec(
    name="crumbs",
    title="The Last Crumb",
    version="v0",
    min_players=1,
    max_players=3,
    state=STATE,
    rules=RULES,
    setup=setup,
    legal_actions=legal_actions,
    apply=apply,
    observe=observe,
    determinize=determinize,
    make_rules=make_rules,
    actions=lambda rules: Layout([Slice("take", (4,), "crumbs to take")]),
    observation=lambda rules: Layout(
        [Slice("pile", (8,), "one-hot"), Slice("secret", (1,), "own number", False), Slice("seat", (1,), "own seat")]
    ),
    facts=lambda rules: Facts(12, 0, 10, 0.1, True, True, False, True),
    action_text=lambda rules, state, action: f"take {action}",
    describe=lambda rules, state, player: (
        f"{state.pile} crumbs"
        + "".join(f", seat {p} has {state.secret[p]}" for p in range(int(rules["players"])) if player in (None, p))
    ),
    draw=lambda rules, state, player: "<svg/>",
    pieces=lambda rules, state: {},
    components=Path(__file__).with_name("toy.toml"),
    folder=Path(__file__).parent,
    options=(
        Option("pile", 0, (0, 1, 2, 3, 4, 5, 6, 7), "crumbs"),
        Option("secrets", True, (False, True), "numbers"),
        Option("endless", False, (False, True), "passing"),
    ),
)


def crumbs(players: int = 2, **options: Any) -> Game:
    """The toy game."""
    return Game(SPEC, players, **options)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> str:
    """The toy game under its name, for one test."""
    monkeypatch.setitem(registry._SPECS, "crumbs", SPEC)
    return "crumbs"


class Takes:
    """Takes as many crumbs as it may, up to `most`; remembers what it was handed."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.seen: list[np.ndarray] = []

    def act(self, states: np.recarray) -> np.ndarray:
        self.seen.append(np.array(states))
        return np.minimum(self.most, states["pile"]).astype(np.int64)
