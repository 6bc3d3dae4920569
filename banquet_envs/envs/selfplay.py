"""A Gymnasium VectorEnv over a batch of games in which every seat learns: each row shows the seat to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from banquet_envs.core.arguments import whole
from banquet_envs.core.errors import ResetNeededError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.core.random import next_seeds
from banquet_envs.core.table import Table
from banquet_envs.envs.arguments import checked_reset_options, game_for, row_words
from banquet_envs.envs.vector import marked


class SelfPlayVector(VectorEnv):
    """`num_envs` games in lock-step, one decision in each per step; observation, mask and reward are those of the seat to move.

    The seat changes from step to step, so a row is not one agent's trajectory: the next observation of the seat that has acted is
    that of its next turn (`infos["seat"]`), and the reward that comes with it is all that the seat was paid since its last
    one, as PettingZoo's `last()` has it. When a game ends, every seat has an open account, not just the one that moved: `final_info`
    settles them all, and the row shows the first decision of a new game (SAME_STEP autoreset), whose reward is 0. What is paid
    before a seat's first decision of a game is nobody's doing; whoever learns leaves it out.

    Every array that is returned is the caller's to keep. `infos` holds arrays over all rows, each with a mask `_name`:

    * `action_mask`: int8 (num_envs, A); `seat`: int64 (num_envs,), the seat to move;
    * when some game has ended: `final_info`, a dict with its rows marked in `_final_info`: `rewards` float64 (num_envs, P), what
      each seat was paid since its own last decision, `place` int64 (num_envs, P), 0 is best, `points` int64 (num_envs, P) and
      `capped` bool (num_envs,).

    Gymnasium's wrappers that keep accounts per row (RecordEpisodeStatistics, NormalizeReward) would mix the seats up.

    Args:
        game: the id, or a Game.
        num_envs: how many games.
        players, reward, components, threads, **options: see `make_game`; only with an id.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium's way)

    def __init__(self, game: str | Game, num_envs: int = 1, players: int | None = None, **options: Any) -> None:
        self.num_envs = n = whole(num_envs, "num_envs", 1)
        self.game = game_for(game, players, options, ("num_envs",))
        self.single_observation_space = spaces.Box(-BOUND, BOUND, (self.game.observation_size,), np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self.table = Table(self.game, n)
        self._every = np.arange(n)
        self._words: np.ndarray | None = None  # the seed words of the games in progress
        self._earned = np.zeros((n, self.game.num_players))  # since each seat's last decision

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New games in all rows.

        Args:
            seed: as for `BanquetVector.reset`.
            options: none are known.

        Raises:
            OptionError: seeds that are none, or any options.
        """
        checked_reset_options(options)
        if seed is None and self._words is not None:
            self._words = next_seeds(self._words)
        else:
            self._words = row_words(seed, self.num_envs)
        self.table.begin(self._every, self._words)
        self._earned[:] = 0.0
        return self.table.buffers.observation.copy(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play an action of the seat to move in every game.

        Returns:
            observation float32 (num_envs, W) and reward float64 (num_envs,) of the seats to move now, terminated bool
            (num_envs,): this step ended the row's game, truncated (never), and infos.

        Raises:
            ActionTypeError: not one whole number per row.
            IllegalActionError: an action that is not legal; nothing has changed in any game.
            ResetNeededError: `reset` has never been called.
        """
        self._need_reset()
        table = self.table
        given = self.game.checked_actions(table.states, actions)
        self._earned[self._every, table.player] = 0.0
        table.play(self._every, given)
        self._earned += table.buffers.rewards
        ended = table.over.copy()
        infos = self._finals(ended) if ended.any() else {}
        rewards = np.where(ended, 0.0, self._earned[self._every, table.player])
        self._begin_anew(np.flatnonzero(ended))
        cut = np.zeros(self.num_envs, np.bool_)
        return table.buffers.observation.copy(), rewards, ended, cut, {**self._infos(), **infos}

    def action_masks(self) -> np.ndarray:
        """bool (num_envs, A): legal actions of the seats to move."""
        self._need_reset()
        return self.table.buffers.mask.copy()

    def _begin_anew(self, rows: np.ndarray) -> None:
        if len(rows):
            assert self._words is not None
            self._words[rows] = next_seeds(self._words[rows])
            self.table.begin(rows, self._words)
            self._earned[rows] = 0.0

    def _finals(self, ended: np.ndarray) -> dict[str, Any]:
        """`final_info` of the games that the step has ended."""
        plain, players = self.table.states.view(np.ndarray), self.game.num_players
        facts = {
            "rewards": self._earned.copy(),
            "place": plain["place"][:, :players].astype(np.int64),
            "points": plain["points"][:, :players].astype(np.int64),
            "capped": plain["capped"].copy(),
        }
        return marked({"final_info": marked(facts, ended)}, ended)

    def _infos(self) -> dict[str, Any]:
        facts = {"action_mask": self.action_masks().view(np.int8), "seat": self.table.player.astype(np.int64)}
        return marked(facts, np.ones(self.num_envs, np.bool_))

    def _need_reset(self) -> None:
        if self._words is None:
            raise ResetNeededError(f"{self.game.name}: call reset() first")
