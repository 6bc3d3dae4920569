"""A single-agent Gymnasium environment: Solo Mode, or one seat against named opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from banquet_envs.core.errors import GameOverError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.core.registry import make_game
from banquet_envs.envs.aec import ILLEGAL, RENDER_MODES
from banquet_envs.envs.render import Renderer
from banquet_envs.envs.seats import SeatedGames


class BanquetSingle(gymnasium.Env[np.ndarray, np.integer[Any]]):
    """One learner's seat of one game; opponents move inside `step`.

    Observation: Box float32 (W,), the learner's view. Action: Discrete(A). `info["action_mask"]` is int8 (A,), and
    `action_masks()` gives it as bool for MaskablePPO. The reward is the learner's, gathered up to its next decision. A
    game that ends by an engine guard is truncated, any other terminated.

    Args:
        game: the id, or a Game.
        opponents: an agent's name for all other seats, or a list, in turn order after the learner's seat.
        seat: the learner's seat, or "random" for each game anew.
        illegal: "raise" (IllegalActionError, nothing changes) or "terminate" (the game ends with reward -1), which
            checkers that sample without a mask need.
        render_mode: None, "ansi", "rgb_array" or "human"; shows what the learner's seat may know.
        players, reward, components, **options: see `make_game`; only with an id. For one player the reward scheme is
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
        if illegal not in ILLEGAL:
            raise OptionError(f"illegal={illegal!r} is not allowed; choose one of {list(ILLEGAL)}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError(f"render_mode={render_mode!r} is not allowed; choose one of {list(RENDER_MODES)} or None")
        self.game = seated_game(game, players, options)
        self.illegal = illegal
        self.render_mode = render_mode
        self.observation_space = spaces.Box(-BOUND, BOUND, (self.game.observation_size,), np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._table = SeatedGames(self.game, 1, opponents, seat)
        self._renderer = Renderer(self.game)
        self._mask = np.zeros(self.game.num_actions, np.bool_)
        self._running = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """A new game, played up to the learner's first decision.

        Raises:
            OptionError: any `options`: switches are fixed when the environment is made.
        """
        super().reset(seed=seed)
        if options:
            raise OptionError(f"reset options {sorted(options)} are unknown: switches are given when making the env")
        self._table.reset(self.np_random)
        self._running = True
        return self._look()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner's seat; then the others move.

        Raises:
            IllegalActionError: with illegal="raise", an action that is not legal.
            GameOverError: the game is over; call `reset`.
        """
        if not self._running:
            raise GameOverError(f"{self.game.name}: no game in progress; call reset()")
        if self.illegal == "terminate" and not self._mask[action]:
            self._running = False
            view, info = self._look()
            return view, -1.0, True, False, info
        self._table.step(self.game.checked_actions(self._table.states, np.reshape(action, 1)), autoreset=False)
        ended, cut = bool(self._table.terminated[0]), bool(self._table.truncated[0])
        self._running = not (ended or cut)
        view, info = self._look()
        if self.render_mode == "human":
            self.render()
        return view, float(self._table.rewards[0]), ended, cut, info

    def action_masks(self) -> np.ndarray:
        """bool (A,): legal actions; all False when the game is over."""
        return self._mask.copy()

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self._table.seats[0])

    @property
    def record(self) -> np.recarray:
        """The game in progress, np.recarray (1,)."""
        return self._table.states

    def render(self) -> Any:
        """The position as the learner's seat may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; none was given when making the env")
            return None
        return self._renderer.render(self.render_mode, self._table.states, self.seat)

    def close(self) -> None:
        """Close the window, if one was opened."""
        self._renderer.close()

    def _look(self) -> tuple[np.ndarray, dict[str, Any]]:
        self._mask = self._table.masks()[0] & self._running
        points = self._table.states.points[0, : self.game.num_players]
        info = {"action_mask": self._mask.astype(np.int8), "seat": self.seat, "points": points.astype(np.int64)}
        if self._table.states.over[0]:
            info["place"] = int(self._table.states.place[0, self.seat])
        return self._table.observe()[0], info


def seated_game(game: str | Game, players: int | None, options: dict[str, Any]) -> Game:
    """The Game for a seated environment; alone, points are the natural reward."""
    if isinstance(game, Game):
        return game
    if players == 1:
        options = {"reward": "points", **options}
    return make_game(game, players, **options)
