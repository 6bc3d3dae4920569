"""Who plays in `benchmarks.peers`: Connect Four with uniformly random legal moves, in several libraries.

Each contestant is a function `start(batch, threads)` that makes `batch` games and returns `play()`, which plays a block of
decisions in all of them and returns (decisions, finished games). Every decision includes, for every contestant: drawing a
uniformly random legal action, applying it, a fresh observation of the seat to move, a fresh mask of legal actions, a look
at who has finished, and a new game where one has. What else a loop
does, or does otherwise, stands with its contestant in `CONTESTANTS`.

Libraries are imported inside: a worker process imports one of them only.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import random
from typing import Any

import numpy as np

Play = Callable[[], tuple[int, int]]

BATCHES = (1, 64, 1024, 4096)
ONE_CORE, TWO_CORES, TWO_PROCESSES = "one core", "one process on two cores", "two processes, a core each"
MODES = ONE_CORE, TWO_CORES, TWO_PROCESSES
_BLOCK = 40_000  # decisions per block of the compiled loops, so that looking at the clock costs nothing


@dataclass(frozen=True)
class Contestant:
    """A library and a way to use it.

    Attributes:
        name: in the tables.
        package: the distribution whose version is told.
        start: see the module.
        loop: what is special about its timed loop.
        batches: numbers of games side by side.
        modes: on which cores it is measured.
    """

    name: str
    package: str
    start: Callable[[int, int], Play]
    loop: str
    batches: tuple[int, ...] = BATCHES
    modes: tuple[str, ...] = MODES


# ---------------------------------------------------------------- ours


def our_game(threads: int) -> Any:
    """Connect Four of the tutorial, docs/connect_four, registered by its own package."""
    tutorial = str(Path(__file__).parent.parent / "docs")
    if tutorial not in sys.path:
        sys.path.insert(0, tutorial)
    import connect_four  # noqa: F401  (registers the game)
    from banquet_envs import make_game

    return make_game("connect_four", threads=threads)


def _draw(mask, words, actions, lo, hi):  # type: ignore[no-untyped-def]
    """A uniformly random True entry of every row of `mask`; `words` is a random stream per row."""
    for row in range(lo, hi):
        count = 0
        for action in range(mask.shape[1]):
            count += mask[row, action]
        words[row] = mix(words[row])  # noqa: F821 (bound below)
        pick = np.int64(((words[row] >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
        for action in range(mask.shape[1]):
            if mask[row, action]:
                if pick == 0:
                    actions[row] = action
                    break
                pick -= 1


def _play_on(  # type: ignore[no-untyped-def]
    steps, words, raw, rules, rows, actions, seats, scheme, scale, rewards, terminated, truncated, mask, seen, last_seen
):  # fmt: skip
    """`steps` rounds of drawing and the core's training step; how many games have finished."""
    finished = 0
    for _ in range(steps):
        draw(mask, words, actions, 0, len(rows))  # noqa: F821
        advance(  # noqa: F821
            raw, rules, rows, actions, seats, scheme, scale, True, rewards, terminated, truncated, mask, seen, last_seen,
            0, len(rows),
        )  # fmt: skip
        for row in rows:
            finished += terminated[row]
    return finished


def our_kernels(game: Any) -> Any:
    """The two loops above, compiled and kept like a game's own."""
    from banquet_envs.core.compile import Kernels
    from banquet_envs.core.random import mix

    here = Path(__file__)
    drawing = Kernels("bench_draw", {"draw": (_draw, "void(boolean[:, ::1], uint64[::1], int64[::1], int64, int64)")},
                      {"mix": mix}, [here])  # fmt: skip
    signature = (
        "int64(int64, uint64[::1], uint8[::1], uint8[::1], int64[::1], int64[::1], int64[::1], int64, float64,"
        " float32[:, ::1], boolean[::1], boolean[::1], boolean[:, ::1], float32[:, ::1], float32[:, ::1])"
    )
    names = {"advance": game.kernels.advance, "draw": drawing.draw}
    playing = Kernels("bench_play", {"play_on": (_play_on, signature)}, names, [here, game.spec.folder])
    return drawing.draw, playing


def our_batch(batch: int, threads: int) -> Play:
    """`game.advance`, called from Python step by step."""
    game = our_game(threads)
    draw, _ = our_kernels(game)
    states, buffers, actions = game.reset(batch, 1), game.buffers(batch), np.zeros(batch, np.int64)
    buffers.mask[:] = game.legal_actions(states)
    words = np.random.default_rng(1).integers(0, 2**64, batch, np.uint64)
    steps = max(1, _BLOCK // 10 // batch)

    def play() -> tuple[int, int]:
        finished = 0
        for _ in range(steps):
            draw(buffers.mask, words, actions, 0, batch)
            game.advance_trusted(states, actions, buffers)
            finished += np.count_nonzero(buffers.terminated)
        return steps * batch, finished

    return play


def our_compiled_loop(batch: int, threads: int) -> Play:
    """The same step within one compiled loop, as Pgx's within a scan."""
    from banquet_envs.core.state import raw

    game = our_game(1)
    _, playing = our_kernels(game)
    states, b, actions = game.reset(batch, 1), game.buffers(batch), np.zeros(batch, np.int64)
    b.mask[:] = game.legal_actions(states)
    words = np.random.default_rng(1).integers(0, 2**64, batch, np.uint64)
    steps = max(1, _BLOCK // batch)
    fixed = (
        steps, words, raw(states), game.rules_raw, np.arange(batch), actions, b.movers, game.scheme, game.points_scale,
        b.rewards, b.terminated, b.capped, b.mask, b.observation, b.final_observation,
    )  # fmt: skip
    return lambda: (steps * batch, playing.play_on(*fixed))


# ---------------------------------------------------------------- PettingZoo's AEC interface


def _through_aec(env: Any) -> Play:
    """Whole games through PettingZoo's loop."""
    seeds = itertools.count(1)

    def play() -> tuple[int, int]:
        decisions = 0
        for _ in range(10):
            env.reset(seed=next(seeds))
            for _ in env.agent_iter():
                view, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = view["action_mask"].nonzero()[0]
                env.step(legal[int(random() * len(legal))])
                decisions += 1
        return decisions, 10

    return play


def our_aec(batch: int, threads: int) -> Play:
    """Our PettingZoo environment."""
    from banquet_envs.envs.aec import BanquetAEC

    return _through_aec(BanquetAEC(our_game(threads)))


def pettingzoo_aec(batch: int, threads: int) -> Play:
    """PettingZoo's own, with its wrappers."""
    from pettingzoo.classic import connect_four_v3

    return _through_aec(connect_four_v3.env())


# ---------------------------------------------------------------- OpenSpiel


def open_spiel(batch: int, threads: int) -> Play:
    """A Python loop over C++ states; the observation goes into a NumPy buffer, the quickest way that it offers."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("connect_four")
    view = make_observation(game)
    states = [game.new_initial_state() for _ in range(batch)]
    observations = np.zeros((batch, *view.tensor.shape), np.float32)
    masks = [states[0].legal_actions_mask()] * batch

    def play() -> tuple[int, int]:
        finished = 0
        for _ in range(max(1, 1000 // batch)):
            for k, state in enumerate(states):
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
                if state.is_terminal():
                    state.returns()
                    finished += 1
                    state = states[k] = game.new_initial_state()
                view.set_from(state, state.current_player())
                if batch > 1:  # a single game's view may stay in OpenSpiel's own buffer
                    observations[k] = view.tensor
                masks[k] = state.legal_actions_mask()
        return max(1, 1000 // batch) * batch, finished

    return play


# ---------------------------------------------------------------- Pgx


def _pgx(batch: int, cheap: bool) -> Play:
    """A jitted `lax.scan` over vmapped steps with Pgx's own auto reset; the last state is kept, observation and all."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init), in_axes=(0, 0, None if cheap else 0))
    steps = max(10, _BLOCK // batch)

    def cheap_draw(key: Any, mask: Any) -> Any:
        """One random number per game."""
        count = jnp.cumsum(mask, axis=1)
        return jnp.argmax(count > (jax.random.uniform(key, (batch, 1)) * count[:, -1:]).astype(jnp.int32), axis=1)

    def one(carry: Any, key: Any) -> Any:
        state, finished = carry
        drawing, resetting = jax.random.split(key)
        action = (cheap_draw if cheap else act_randomly)(drawing, state.legal_action_mask)
        state = step(state, action, resetting if cheap else jax.random.split(resetting, batch))
        return (state, finished + state.terminated.sum()), None

    @jax.jit
    def scan(state: Any, key: Any) -> Any:
        key, following = jax.random.split(key)
        (state, finished), _ = jax.lax.scan(one, (state, jnp.int32(0)), jax.random.split(key, steps))
        return state, following, finished

    now = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch)), jax.random.key(1)]

    def play() -> tuple[int, int]:
        state, key, finished = jax.block_until_ready(scan(*now))
        now[:] = state, key
        return steps * batch, int(finished)

    return play


def pgx_documented(batch: int, threads: int) -> Play:
    """Keys per game and Gumbel draws, as in Pgx's documentation."""
    return _pgx(batch, cheap=False)


def pgx_cheap(batch: int, threads: int) -> Play:
    """One random number per game and step, one key for all restarts of a step."""
    return _pgx(batch, cheap=True)


# ---------------------------------------------------------------- EnvPool


def envpool(batch: int, threads: int) -> Play:
    """Synchronous steps through the Gymnasium interface; actions from our compiled draw."""
    import envpool as library

    draw, _ = our_kernels(our_game(1))
    env = library.make("ConnectFour-v1", env_type="gymnasium", num_envs=batch, num_threads=threads, seed=1)
    words = np.random.default_rng(1).integers(0, 2**64, batch, np.uint64)
    actions = np.zeros(batch, np.int64)
    infos = [env.reset()[1]]

    def play() -> tuple[int, int]:
        decisions = finished = 0
        for _ in range(max(1, 2000 // batch)):
            draw(np.ascontiguousarray(infos[0]["legal_action_mask"]), words, actions, 0, batch)
            _, _, terminated, _, infos[0] = env.step(actions.astype(np.int32))
            ended = np.count_nonzero(terminated)
            finished += ended
            decisions += batch - ended  # the step after an end only resets
        return decisions, finished

    return play


CONTESTANTS = (
    Contestant(
        "banquet-envs, compiled loop", "banquet-envs", our_compiled_loop,
        "the draw and the core's training step in one compiled loop over many steps, written in this file (as a scan for Pgx)",
        modes=(ONE_CORE, TWO_PROCESSES),
    ),
    Contestant(
        "banquet-envs, advance", "banquet-envs", our_batch,
        "two calls from Python per step: a compiled draw from the masks, and `game.advance` (`threads=2` on two cores)",
    ),
    Contestant(
        "Pgx, cheap draws", "pgx", pgx_cheap,
        "a jitted `lax.scan` over vmapped `step` with `auto_reset`; one random number per game and step, one key for the"
        " restarts of a step: less randomness than Pgx's documentation spends, because it is faster",
    ),
    Contestant(
        "Pgx, as documented", "pgx", pgx_documented,
        "the same with `act_randomly` and a key per game and step",
    ),
    Contestant(
        "OpenSpiel", "open-spiel", open_spiel,
        "a Python loop over states: `legal_actions`, `apply_action`, observation tensor (3×6×7 float32) written into a NumPy"
        " buffer, `legal_actions_mask`",
        modes=(ONE_CORE, TWO_PROCESSES),
    ),
    Contestant(
        "EnvPool", "envpool", envpool,
        "Gymnasium interface, all games in every step; both seats' observations are written, an array `board` too; a game's"
        " step after its end only resets it and is not counted; our compiled draw",
    ),
    Contestant(
        "banquet-envs, AEC", "banquet-envs", our_aec,
        "PettingZoo's loop: `reset(seed)`, `agent_iter`, `last`, NumPy's `nonzero` on the mask, `step`, dead steps",
        (1,), (ONE_CORE,),
    ),
    Contestant(
        "PettingZoo, AEC", "pettingzoo", pettingzoo_aec,
        "the same loop over `connect_four_v3.env()` with the wrappers it comes with",
        (1,), (ONE_CORE,),
    ),
)  # fmt: skip
