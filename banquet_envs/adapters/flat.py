"""One flat observation, view and mask side by side in one Box, for libraries that know no dict observations and no masks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from pettingzoo.utils import BaseWrapper

from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.envs.single import BanquetSingle


def flat_space(game: Game) -> spaces.Box:
    """Box float32 (W + A,): the view, then 1.0 for each legal action and 0.0 for the others."""
    return spaces.Box(-BOUND, BOUND, (game.observation_size + game.num_actions,), np.float32)


def flattened(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """float32 (..., W + A) from float32 (..., W) and a mask (..., A) of 0 and 1 or of bool."""
    return np.concatenate([observation, mask.astype(np.float32)], axis=-1)


class FlatAEC(BaseWrapper):
    """A `BanquetAEC` with flat observations; PettingZoo's and SuperSuit's wrappers take it.

    Args:
        env: what `<game>_v0.env(...)` gives.
    """

    def __init__(self, env: BanquetAEC) -> None:
        super().__init__(env)
        self._spaces = {agent: flat_space(env.game) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> spaces.Box:
        """Box float32 (W + A,), see `flat_space`."""
        return self._spaces[agent]

    def observe(self, agent: str) -> np.ndarray:
        """float32 (W + A,): what an agent sees, and what it may do: nothing unless it is to move."""
        seen = self.env.observe(agent)
        return flattened(seen["observation"], seen["action_mask"])


class FlatSingle(gymnasium.ObservationWrapper, RecordConstructorArgs):
    """What `gymnasium.make("banquet/...")` gives, with flat observations.

    A learner that knows no masks needs `illegal="terminate"`: it then learns from the observation's tail what is legal.

    Args:
        env: a `BanquetSingle`, wrapped or not.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)  # so that Gymnasium can make it again from its spec
        super().__init__(env)
        bare = env.unwrapped
        assert isinstance(bare, BanquetSingle)
        self._bare = bare
        self.observation_space = flat_space(bare.game)

    def observation(self, observation: np.ndarray) -> np.ndarray:
        """float32 (W + A,) of float32 (W,)."""
        return flattened(observation, self._bare.action_masks())
