"""Kernel templates: loops that map a game's rules over an array of records.

Each takes the records as bytes (a struct array as an argument costs 20 microseconds of type look-up, bytes cost under
one). `rows` names the records to work on; every other per-game array is indexed by the same row numbers. An output
buffer without rows is not filled. The capitalised and game-specific names are bound per game by `Kernels`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from banquet_envs.core.random import next_seed, sample_seed, seed_stream
from banquet_envs.core.rewards import close_rewards, open_rewards

if TYPE_CHECKING:  # bound per game by core/compile.py
    STATE: np.dtype
    RULES: np.dtype
    setup: Any
    legal_actions: Any
    apply: Any
    observe_into: Any
    resample: Any
    begin: Any
    view: Any

_BYTES = "uint8[::1], uint8[::1], int64[::1]"
_RANGE = "int64, int64"


def _begin(raw, row, size, state, rules, seed):  # type: ignore[no-untyped-def]
    """Set a record up from scratch: whatever it held before does not matter."""
    raw[row * size : (row + 1) * size] = 0
    seed_stream(state, seed)
    state.place[:] = -1
    setup(state, rules)


def _view(state, rules, player, out):  # type: ignore[no-untyped-def]
    """The view of `player` or, for -1, of the seat to move. One sweep of zeros costs far less than storing each."""
    out[:] = 0
    observe_into(state, rules, player if player >= 0 else state.player, out)


def _reset(raw, rules_raw, rows, seeds, lo, hi):  # type: ignore[no-untyped-def]
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    size = raw.shape[0] // states.shape[0]
    for i in range(lo, hi):
        r = rows[i]
        begin(raw, r, size, states[r], rules, seeds[r])


def _legal(raw, rules_raw, rows, mask, lo, hi):  # type: ignore[no-untyped-def]
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    for i in range(lo, hi):
        r = rows[i]
        mask[r, :] = False
        if not states[r].over:
            legal_actions(states[r], rules, mask[r])


def _check(raw, rules_raw, rows, actions, mask, lo, hi):  # type: ignore[no-untyped-def]
    """The first position in `rows` whose action is not legal, or -1. `mask` is scratch, one row."""
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    for i in range(lo, hi):
        r = rows[i]
        a = actions[r]
        if states[r].over or a < 0 or a >= mask.shape[0]:
            return i
        mask[:] = False
        legal_actions(states[r], rules, mask)
        if not mask[a]:
            return i
    return -1


def _fit(rows, actions, seats, n, num_actions, players):  # type: ignore[no-untyped-def]
    """Whether `rows` ascend within n games, and there are n action numbers and n seats, -1 for those to move."""
    if actions.shape[0] != n or seats.shape[0] != n:
        return False
    wrong = (
        0  # negative once anything that must not be negative was: without branches, so that it costs next to nothing
    )
    for i in range(rows.shape[0]):
        wrong |= rows[i] | (n - 1 - rows[i])
    for i in range(1, rows.shape[0]):
        wrong |= rows[i] - rows[i - 1] - 1
    for i in range(n):
        wrong |= actions[i] | (num_actions - 1 - actions[i]) | (seats[i] + 1) | (players - 1 - seats[i])
    return wrong >= 0


def _step(raw, rules_raw, rows, actions, lo, hi):  # type: ignore[no-untyped-def]
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    for i in range(lo, hi):
        r = rows[i]
        states[r].ply += 1
        apply(states[r], rules, actions[r])


def _observe(raw, rules_raw, rows, players, out, lo, hi):  # type: ignore[no-untyped-def]
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    for i in range(lo, hi):
        r = rows[i]
        view(states[r], rules, players[r], out[r])


def _determinize(raw, rules_raw, rows, players, seeds, lo, hi):  # type: ignore[no-untyped-def]
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    for i in range(lo, hi):
        r = rows[i]
        seed_stream(
            states[r], sample_seed(seeds[r])
        )  # nobody knows the stream, nor the seed that would replay the game
        resample(states[r], rules, players[r] if players[r] >= 0 else states[r].player)


def _reward(before_raw, after_raw, rules_raw, scheme, scale, out, lo, hi):  # type: ignore[no-untyped-def]
    before = before_raw.view(STATE)
    after = after_raw.view(STATE)
    players = rules_raw.view(RULES)[0].players
    for r in range(lo, hi):
        open_rewards(before[r], players, scheme, scale, out[r])
        if not before[r].over:
            close_rewards(after[r], players, scheme, scale, out[r])
        else:
            out[r, :] = 0.0


def _advance(  # type: ignore[no-untyped-def]
    raw, rules_raw, rows, actions, seats, scheme, scale, restart, rewards, terminated, capped, mask, obs, final_obs, lo, hi
):  # fmt: skip
    """One training step: apply, pay, note the end and its observation, restart, mask, observe."""
    states = raw.view(STATE)
    rules = rules_raw.view(RULES)[0]
    size = raw.shape[0] // states.shape[0]
    for i in range(lo, hi):
        r = rows[i]
        state = states[r]
        open_rewards(state, rules.players, scheme, scale, rewards[r])
        state.ply += 1
        apply(state, rules, actions[r])
        close_rewards(state, rules.players, scheme, scale, rewards[r])
        terminated[r] = state.over
        capped[r] = state.capped
        if state.over:
            if final_obs.shape[0] > 0:
                view(state, rules, seats[r], final_obs[r])
            if restart:
                begin(raw, r, size, state, rules, next_seed(state.seed))
        if mask.shape[0] > 0:
            mask[r, :] = False
            if not state.over:
                legal_actions(state, rules, mask[r])
        if obs.shape[0] > 0:
            view(state, rules, seats[r], obs[r])


def _turn(raw, rules_raw, action, scheme, scale, paid, mask, seen):  # type: ignore[no-untyped-def]
    """One step of one game, for callers that play a single one: few arguments, since each costs as much as a move."""
    state = raw.view(STATE)[0]
    rules = rules_raw.view(RULES)[0]
    open_rewards(state, rules.players, scheme, scale, paid)
    state.ply += 1
    apply(state, rules, action)
    close_rewards(state, rules.players, scheme, scale, paid)
    mask[:] = False
    if not state.over:
        legal_actions(state, rules, mask)
    view(state, rules, -1, seen)


BEGIN, VIEW = _begin, _view
TEMPLATES: dict[str, tuple[Callable[..., Any], str]] = {
    "reset": (_reset, f"void({_BYTES}, uint64[::1], {_RANGE})"),
    "legal": (_legal, f"void({_BYTES}, boolean[:, ::1], {_RANGE})"),
    "check": (_check, f"int64({_BYTES}, int64[::1], boolean[::1], {_RANGE})"),
    "fit": (_fit, "boolean(int64[::1], int64[::1], int64[::1], int64, int64, int64)"),
    "step": (_step, f"void({_BYTES}, int64[::1], {_RANGE})"),
    "observe": (_observe, f"void({_BYTES}, int64[::1], float32[:, ::1], {_RANGE})"),
    "determinize": (_determinize, f"void({_BYTES}, int64[::1], uint64[::1], {_RANGE})"),
    "reward": (
        _reward,
        f"void(uint8[::1], uint8[::1], uint8[::1], int64, float64, float32[:, ::1], {_RANGE})",
    ),
    "turn": (
        _turn,
        "void(uint8[::1], uint8[::1], int64, int64, float64, float32[::1], boolean[::1], float32[::1])",
    ),
    "advance": (
        _advance,
        f"void({_BYTES}, int64[::1], int64[::1], int64, float64, boolean, float32[:, ::1], boolean[::1], boolean[::1],"
        f" boolean[:, ::1], float32[:, ::1], float32[:, ::1], {_RANGE})",
    ),
}
