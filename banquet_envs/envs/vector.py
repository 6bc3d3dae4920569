"""A Gymnasium VectorEnv over a batch of games: one learner's seat in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.envs.seats import SeatedGames
from banquet_envs.envs.single import seated_game


class BanquetVector(VectorEnv):
    """`num_envs` games in lock-step, one compiled call per round of moves.

    Autoreset happens in the same step (`AutoresetMode.SAME_STEP`): where a game has ended, the observation returned is the
    new game's first, and `infos["final_obs"]` holds the ended one's last. `infos["action_mask"]` is int8
    (num_envs, A). Rewards, float64 (num_envs,), are those of the learner's seat, gathered up to its next decision.
    Every array that is returned is the caller's to keep.

    Args:
        game: the id, or a Game.
        num_envs: how many games.
        players, opponents, seat, reward, components, **options: as for `BanquetSingle`.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium's way)

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int | str = "random",
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise OptionError(f"num_envs={num_envs} is not allowed; it must be 1 or more")
        self.game = seated_game(game, players, options)
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(-BOUND, BOUND, (self.game.observation_size,), np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._table = SeatedGames(self.game, num_envs, opponents, seat)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New games. One seed, or a list that is taken together, fixes them all.

        Raises:
            OptionError: any `options`: switches are fixed when the environment is made.
        """
        if options:
            raise OptionError(f"reset options {sorted(options)} are unknown: switches are given when making the env")
        if seed is not None:
            self._np_random = np.random.default_rng(seed)  # type: ignore[arg-type]
        self._table.reset(self.np_random)
        return self._table.observe(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learner's action in every game.

        Raises:
            IllegalActionError: an action that is not legal; nothing has changed in any game.
        """
        table = self._table
        table.step(self.game.checked_actions(table.states, actions), autoreset=True)
        infos = self._infos()
        over = table.terminated | table.truncated
        if over.any():
            final = np.full(self.num_envs, None, dtype=object)
            for k in np.flatnonzero(over):
                final[k] = table.final_observation[k].copy()
            infos |= {"final_obs": final, "_final_obs": over.copy()}
        rewards = table.rewards.astype(np.float64)
        return table.observe(), rewards, table.terminated.copy(), table.truncated.copy(), infos

    def action_masks(self) -> np.ndarray:
        """bool (num_envs, A): legal actions of the learner's seats."""
        return self._table.masks()

    @property
    def seats(self) -> np.ndarray:
        """int64 (num_envs,): the learner's seat in each game."""
        return self._table.seats.copy()

    @property
    def states(self) -> np.recarray:
        """The games in progress, np.recarray (num_envs,)."""
        return self._table.states

    def _infos(self) -> dict[str, Any]:
        always = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._table.masks().view(np.int8),
            "_action_mask": always,
            "seat": self._table.seats.copy(),
            "_seat": always.copy(),
        }
