"""A very small game, registered through the public interface: take 1 to 3 from a pile, who takes the last wins."""

from pathlib import Path

import numpy as np

from banquet_envs import GameSpec, register_game
from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.random import random_below
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.spec import Entries, Facts, rules_dtype
from banquet_envs.core.state import empty, state_dtype

STATE = state_dtype(2, [("pile", np.int16), ("last", np.int16), ("key", np.int16, (2,))])
RULES = rules_dtype([("pile", np.int32)])
TAKEN = 1


@rule
def setup(state, rules):
    state.pile = rules.pile + random_below(state, 4)


@rule
def legal_actions(state, rules, mask):
    for k in range(3):
        mask[k] = k < state.pile


@rule
def apply(state, rules, action):
    state.pile -= action + TAKEN
    state.last = state.player
    if state.pile == 1:  # the next seat has no choice: the last one is taken for it
        state.pile = 0
        state.last = 1 - state.player
    if state.pile <= 0:
        state.key[:] = 0
        state.key[state.last] = 1
        state.points[state.last] = 1
        rank_by(state, 2, state.key)
        state.over = True
    else:
        state.player = 1 - state.player


@rule
def observe(state, rules, player, out):
    out[0] = state.pile / 16
    out[1] = state.player == player
    for k in range(4):
        out[2 + k] = state.pile % 4 == k


@rule
def determinize(state, rules, player):
    pass


def make_rules(players, options, components):
    rules = empty(1, RULES)
    rules[0].players, rules[0].pile = players, Entries(components, "countdown").integer("pile", 2, 12)
    return rules


def bounds(rules):
    return {"pile": (0, rules.pile + 3), "last": (0, 1), "key": (0, 1)}


def invariants(rules, state):
    if state.over != (state.pile == 0) or state.pile == 1:
        return f"pile: {state.pile} in a game that is{'' if state.over else ' not'} over"
    if list(state.points) != list(state.key) or state.points.sum() != state.over:
        return f"key: {list(state.key)} where the points are {list(state.points)}"
    return ""


SPEC = GameSpec(
    name="countdown",
    title="Countdown",
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
    actions=lambda rules: Layout([Slice("take", (3,), "take 1 to 3")]),
    observation=lambda rules: Layout(
        [Slice("pile", (1,), "pile / 16"), Slice("mine", (1,), "own turn"), Slice("rest", (4,), "pile modulo 4")]
    ),
    facts=lambda rules: Facts(16, 0, 1, 1.0, False, False, False),
    action_text=lambda rules, state, action: f"take {action + 1}",
    describe=lambda rules, state, player: f"Countdown: the pile holds {state.pile}, seat {state.player} is to take",
    draw=lambda rules, state, player: (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40"><text x="9" y="20">{state.pile}</text></svg>'
    ),
    pieces=lambda rules, state: {},
    components=Path(__file__).with_name("countdown.toml"),
    folder=Path(__file__),
    bounds=bounds,
    invariants=invariants,
)

register_game(SPEC, replace=True)
