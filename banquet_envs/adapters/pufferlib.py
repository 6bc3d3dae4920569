"""PufferLib: a native environment over the games in lock-step, without emulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_envs.adapters import extra
from banquet_envs.adapters.flat import flat_space
from banquet_envs.envs.selfplay import SelfPlayVector
from banquet_envs.envs.vector import BanquetVector

with extra("pufferlib"):
    import pufferlib


class PufferBanquet(pufferlib.PufferEnv):  # type: ignore[misc]
    """A batch of games as one PufferEnv: each game is a row, whose observation holds view and mask (`adapters.flat`).

    Over a `BanquetVector` a row is the learner's seat, which is what PufferLib's own trainer takes a row for. Over a `SelfPlayVector`
    it is the seat to move, which changes from step to step: for a learner that keeps accounts by `infos[0]["seat"]`.

    Args:
        env: the games; with autoreset SAME_STEP.
        buf: PufferLib's shared memory, handed in by its vectorization.
        seed: of the first `reset` that names none.
    """

    def __init__(self, env: BanquetVector | SelfPlayVector, buf: Any = None, seed: int | None = None) -> None:
        self.env = env
        self.single_observation_space = flat_space(env.game)
        self.single_action_space = env.single_action_space
        self.num_agents = env.num_envs
        self._seed = seed
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """New games in all rows: float32 (n, W + A), the buffer that later steps write to, and [infos]."""
        view, infos = self.env.reset(seed=self._seed if seed is None else seed)
        self._show(view, infos)
        return self.observations, [infos]

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play an action in every row; the buffers, and [infos]."""
        view, self.rewards[:], self.terminals[:], self.truncations[:], infos = self.env.step(np.asarray(actions))
        self._show(view, infos)
        return self.observations, self.rewards, self.terminals, self.truncations, [infos]

    def close(self) -> None:
        """Nothing to close."""

    def _show(self, view: np.ndarray, infos: dict[str, Any]) -> None:
        width = view.shape[1]
        self.observations[:, :width] = view
        self.observations[:, width:] = infos["action_mask"]
