"""Self-play as a Stable-Baselines3 vector environment: the learner holds one seat per game, opponents move inside `step`.

What PPO sees is single-seat: observation, reward, end and next observation all belong to the learner's seat.

    learner decides ──> step: opponents decide, decide, ... ──> learner decides again
    observation_t       reward_t = all that its seat was paid in between     observation_t+1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from banquet_envs.core.errors import IllegalActionError
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.random import mixed
from banquet_envs.core.table import Table
from banquet_training.pool import OpponentPool
from banquet_training.profile import Profile


class SelfPlayVecEnv(VecEnv):
    """`n` games side by side; environment k of SB3 is row k.

    Each new game draws the learner's seat uniformly and an opponent from the pool for every other seat. Opponents are
    moved in batches; those that read records get determinised copies, policies get observation and mask. A capped end
    is an end like any other. What a seat is paid before the learner's first decision of a game is nobody's doing and
    counts nowhere. Observations alternate between two buffers, since SB3 stores the last one after the next step;
    terminal observations are copies.

    Args:
        game: the Game; its reward scheme is what the learner is paid.
        n: how many games.
        pool: the opponents; not used with one player.
        seed: of the games, the seats and the opponents' chance.
        debug: check every action and every observation.
        profile: where to note the time taken.

    Attributes:
        table: the games.
        seat: int64 (n,), the learner's seat.
        opponent: int64 (n, P), the pool's slot at each seat (-1 at the learner's).
        decisions: learner's decisions in all.
        outcomes: list of (opponents' names, seat, points, share of the win) of finished games; empty it when read.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        pool: OpponentPool,
        seed: int = 0,
        debug: bool = False,
        profile: Profile | None = None,
    ) -> None:
        self.game = game
        self.pool = pool
        self.debug = debug
        self.profile = profile or Profile()
        self.render_mode = None
        self.table = Table(game, n, salt=seed)
        self.seat = np.zeros(n, np.int64)
        self.opponent = np.full((n, game.num_players), -1, np.int64)
        self.decisions = 0
        self.outcomes: list[tuple[tuple[str, ...], int, float, float]] = []
        self._every = np.arange(n)
        self._observations = [np.zeros((n, game.observation_size), np.float32) for _ in range(2)]
        self._turn = 0
        self._ends = np.zeros((n, game.observation_size), np.float32)
        self._fresh = np.ones(n, np.bool_)
        self._length = np.zeros(n, np.int64)
        self._return = np.zeros(n, np.float64)
        self._actions = np.zeros(n, np.int64)
        self._seed(seed)
        box = spaces.Box(-np.inf, np.inf, (game.observation_size,), np.float32)
        super().__init__(n, box, spaces.Discrete(game.num_actions))

    # ------------------------------------------------------------ stepping

    def reset(self) -> np.ndarray:
        """Begin a new game in every row; float32 (n, W), what the learner sees at its first decisions."""
        self._next_observations()
        with self.profile.section("rules, masks, observations"):
            self._begin(self._every)
        self._until_learner(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_), {})
        return self.table.buffers.observation

    def step_async(self, actions: np.ndarray) -> None:
        """Remember the learner's actions, int (n,)."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions, then the opponents until the learner is to move everywhere."""
        if self.debug:
            self._check(self._actions)
        n = self.num_envs
        rewards, dones = np.zeros(n, np.float32), np.zeros(n, np.bool_)
        infos: dict[int, dict[str, Any]] = {}
        self._next_observations()
        self._fresh[:] = False
        self._length += 1
        self.decisions += n
        self._play(self._every, self._actions, rewards)
        self._until_learner(rewards, dones, infos)
        self._return[~dones] += rewards[~dones]
        empty: dict[str, Any] = {}
        return self.table.buffers.observation, rewards, dones, [infos.get(k, empty) for k in range(n)]

    def _until_learner(self, rewards: np.ndarray, dones: np.ndarray, infos: dict[int, dict[str, Any]]) -> None:
        """Finish, restart and move opponents until the learner is to move in every row."""
        table, rows = self.table, self._every
        while len(rows):
            over = rows[table.over[rows]]
            if len(over):
                with self.profile.section("bookkeeping"):
                    self._finish(over, rewards, dones, infos)
                with self.profile.section("rules, masks, observations"):
                    self._begin(over)
            rows = rows[table.player[rows] != self.seat[rows]]
            if len(rows):
                self._play(rows, self._ask_opponents(rows), rewards)

    def _play(self, rows: np.ndarray, actions: np.ndarray, rewards: np.ndarray) -> None:
        with self.profile.section("rules, masks, observations"):
            self.table.play(rows, actions)
            paid = self.table.buffers.rewards[rows, self.seat[rows]]
            rewards[rows] += np.where(self._fresh[rows], np.float32(0), paid)

    def _ask_opponents(self, rows: np.ndarray) -> np.ndarray:
        slots = self.opponent[rows, self.table.player[rows]]
        with self.profile.section("opponents"):
            return self.table.ask_all(((h.agent, slots == slot) for slot, h in self.pool.holders()), rows)

    def _finish(
        self, rows: np.ndarray, rewards: np.ndarray, dones: np.ndarray, infos: dict[int, dict[str, Any]]
    ) -> None:
        """Note the ends of games in which the learner has decided; one that ended before that is no episode."""
        rows = rows[~self._fresh[rows]]
        dones[rows] = True
        self.table.observe(rows, self.seat, self._ends)
        self._return[rows] += rewards[rows]
        names = {slot: holder.name for slot, holder in self.pool.holders()}
        states = self.table.states
        for k in rows.tolist():
            seat, place = int(self.seat[k]), states["place"][k, : self.game.num_players]
            infos[k] = {
                "terminal_observation": self._ends[k].copy(),
                "episode": {"r": float(self._return[k]), "l": int(self._length[k]), "t": 0.0},
            }
            against = tuple(names.get(s, "?") for s in self.opponent[k].tolist() if s >= 0)
            share = float(place[seat] == 0) / int((place == 0).sum())
            self.outcomes.append((against, seat, float(states["points"][k, seat]), share))

    # ------------------------------------------------------------ new games

    def _begin(self, rows: np.ndarray) -> None:
        """New games with new seats and opponents."""
        k, players = len(rows), self.game.num_players
        self._words[rows] = mixed(self._words[rows])
        self.table.begin(rows, self._words)
        self._fresh[rows] = True
        self._length[rows] = 0
        self._return[rows] = 0.0
        self.seat[rows] = self._rng.integers(players, size=k)
        if players > 1:
            self.opponent[rows] = self.pool.draw((k, players))
        self.opponent[rows, self.seat[rows]] = -1

    def _seed(self, seed: int) -> None:
        games, seats = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        self._words = spawn_seeds(len(self.seat), int(games))
        self._rng = np.random.default_rng(int(seats))

    def _next_observations(self) -> None:
        self._turn = 1 - self._turn
        self.table.buffers.observation = self._observations[self._turn]

    # ------------------------------------------------------------ masks and the rest of VecEnv

    def action_masks(self) -> np.ndarray:
        """bool (n, A): what the learner may do now; overwritten by the next step."""
        return self.table.buffers.mask

    def _check(self, actions: np.ndarray) -> None:
        self.game.checked_actions(self.table.states, actions)
        if (self.table.player != self.seat).any():
            raise IllegalActionError(f"{self.game.name}: the learner is not to move everywhere; call reset first")
        if not np.isfinite(self.table.buffers.observation).all():
            raise FloatingPointError(f"{self.game.name}: an observation is not finite")

    def close(self) -> None:
        """Nothing to close."""

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed games and seats; takes effect for games begun from now on, so call `reset` next."""
        if seed is not None:
            self._seed(seed)
        return [seed] * self.num_envs

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of this environment, once per row."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of this environment, which all rows share."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """`action_masks`: the mask of each row, which is what MaskablePPO asks for; there are no other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"SelfPlayVecEnv: rows have no method {method_name!r}; they have action_masks")
        masks = self.table.buffers.mask
        return list(masks if indices is None else masks[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Rows are not wrapped, but `episode` infos are given as Monitor gives them."""
        name = getattr(wrapper_class, "__name__", "")
        return [name == "Monitor"] * len(list(self._get_indices(indices)))
