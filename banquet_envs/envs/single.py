"""A single-agent Gymnasium environment: Solo Mode, or one seat against named opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from banquet_envs.core.errors import GameOverError, ResetNeededError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.core.random import next_seeds
from banquet_envs.envs.arguments import (
    RENDER_MODES,
    checked_reset_options,
    checked_seed,
    checked_settings,
    first_word,
    game_for,
    refuse_move,
    whole_action,
)
from banquet_envs.envs.render import Renderer
from banquet_envs.envs.seats import SeatedGames

_ONE = np.zeros(1, np.int64)


class BanquetSingle(gymnasium.Env[np.ndarray, np.integer[Any]]):
    """One learner's seat of one game; opponents move inside `step`.

    Observation: Box float32 (W,), the learner's view. Action: Discrete(A). The reward is the learner's, gathered up to its next
    decision. Every game ends `terminated`, also by an engine guard, which ranks and pays (`info["capped"]` says so); nothing is
    ever truncated. `info` holds

    * `action_mask`: int8 (A,); `action_masks()` gives it as bool for MaskablePPO;
    * `seat`: the learner's; `points`: int64 (P,), every seat's points;
    * `capped`: bool; and when the game is over `place`: the learner's final rank, 0 is best.

    An unseeded `reset()` continues the stream of the last seed. An environment belongs to one thread.

    Args:
        game: the id, or a Game.
        opponents: an agent's name for all other seats, or a list, in turn order after the learner's seat. An agent that
            answers illegally is an error.
        seat: the learner's seat, or "random" for each game anew.
        illegal: "raise" (IllegalActionError, nothing changes) or "terminate" (the game ends with reward -1), which
            checkers that sample without a mask need. What is no whole number is an ActionTypeError either way.
        render_mode: None, "ansi", "rgb_array" or "human"; shows what the learner's seat may know.
        players, reward, components and the game's options: see `make_game`; only with an id. For one player the reward scheme is
            "points" unless another is given.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (Gymnasium's way)

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int | str = "random",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        checked_settings(illegal, render_mode)
        self.game = seated_game(game, players, options)
        self.illegal = illegal
        self.render_mode = render_mode
        self.observation_space = spaces.Box(-BOUND, BOUND, (self.game.observation_size,), np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._games = SeatedGames(self.game, 1, opponents, seat)
        self._renderer = Renderer(self.game)
        self._begun = self._running = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """A new game, played up to the learner's first decision.

        Raises:
            OptionError: a seed that is none; any `options`: switches are fixed when the environment is made.
        """
        checked_reset_options(options)
        super().reset(seed=None if seed is None else checked_seed(seed))
        if seed is None and self._begun:
            word = next_seeds(self._games.words)
        else:
            word = np.array([first_word(seed)], np.uint64)
        self._games.begin(_ONE, word)
        self._begun = self._running = True
        return self._games.observe()[0], self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner's seat; then the others move.

        Raises:
            ActionTypeError: not a whole number.
            IllegalActionError: with illegal="raise", an action that is not legal; or an opponent's.
            GameOverError: the game is over; call `reset`.
            ResetNeededError: `reset` has never been called.
        """
        if not self._running:
            self._refuse_to_step()
        if type(action) is not int:
            action = whole_action(action)
        games, buffers = self._games, self._games.table.buffers
        if not (0 <= action < self.game.num_actions and buffers.mask[0, action]):
            return self._punish(action)
        reward = games.step_one(action)
        self._running = not games.table.over[0]
        view = buffers.observation[0].copy() if self._running else games.observe()[0]
        if self.render_mode == "human":
            self.render()
        return view, reward, not self._running, False, self._info()

    def action_masks(self) -> np.ndarray:
        """bool (A,): legal actions; all False when the game is over."""
        self._need_reset()
        mask = self._games.table.buffers.mask[0]
        return mask.copy() if self._running else np.zeros_like(mask)

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        self._need_reset()
        return int(self._games.seats[0])

    @property
    def record(self) -> np.recarray:
        """The game in progress, np.recarray (1,)."""
        self._need_reset()
        return self._games.table.states

    def render(self) -> Any:
        """The position as the learner's seat may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; none was given when making the env")
            return None
        return self._renderer.render(self.render_mode, self.record, self.seat)

    def close(self) -> None:
        """Close the window, if one was opened."""
        self._renderer.close()

    def _info(self) -> dict[str, Any]:
        table, seat = self._games.table, int(self._games.seats[0])
        record = table.states.view(np.ndarray)
        info = {
            "action_mask": self.action_masks().view(np.int8),
            "seat": seat,
            "points": record["points"][0, : self.game.num_players].astype(np.int64),
            "capped": bool(record["capped"][0]),
        }
        if table.over[0]:
            info["place"] = int(record["place"][0, seat])
        return info

    def _punish(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """An illegal move: an error, or the end."""
        if self.illegal == "raise":
            refuse_move(self.game, self._games.table.states, 0, action)
        self._running = False
        return self._games.observe()[0], -1.0, True, False, self._info()

    def _refuse_to_step(self) -> None:
        self._need_reset()
        raise GameOverError(f"{self.game.name}: the game is over; call reset() first")

    def _need_reset(self) -> None:
        if not self._begun:
            raise ResetNeededError(f"{self.game.name}: call reset() first")


def seated_game(game: str | Game, players: int | None, options: dict[str, Any], more: Sequence[str] = ()) -> Game:
    """The Game for a seated environment; alone, points are the natural reward."""
    if players == 1:
        options = {"reward": "points", **options}
    return game_for(game, players, options, ("opponents", "seat", "illegal", "render_mode", *more))
