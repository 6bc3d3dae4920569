"""RLlib, new API stack: a game as one of Ray's multi-agent environments, with the keys that its masking module reads."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from pettingzoo.utils import BaseWrapper

from banquet_envs.adapters import extra
from banquet_envs.core.game import Game
from banquet_envs.envs.aec import BanquetAEC

with extra("rllib"):
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv


def rllib_env(game: str | Game, players: int | None = None, **options: Any) -> PettingZooEnv:
    """A game for `ray.tune.register_env`: agents `player_0` ... are asked by turns, each is paid for its own decisions.

    Observations are dicts of `observations`, float32 (W,), and `action_mask`, int8 (A,), which is what RLlib's
    ActionMaskingTorchRLModule takes.

    Args:
        game: the id, or a Game.
        players, **options: as for `BanquetAEC`. `illegal` is "terminate" unless given, since RLlib tries an environment out with
            unmasked actions before it trains; a masked policy never comes to feel it.
    """
    return PettingZooEnv(_Renamed(BanquetAEC(game, players, **{"illegal": "terminate", **options})))


class _Renamed(BaseWrapper):
    """`observation` becomes `observations`."""

    def __init__(self, env: BanquetAEC) -> None:
        super().__init__(env)
        self._spaces = {agent: spaces.Dict(_renamed(env.observation_space(agent))) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        return _renamed(self.env.observe(agent))


def _renamed(named: Any) -> dict[str, Any]:
    return {"observations": named["observation"], "action_mask": named["action_mask"]}
