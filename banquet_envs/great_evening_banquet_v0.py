"""The Great Evening Banquet for PettingZoo: `env(players=..., expert=..., random_vip=..., ...)`."""

import functools

from banquet_envs.envs.aec import BanquetAEC, parallel_env

raw_env = functools.partial(BanquetAEC, "great_evening_banquet")
"""The AEC environment; see `banquet_envs.envs.aec.BanquetAEC` for its arguments and behaviour."""

env = raw_env
"""The same class: it checks its callers itself, so there is no stack of wrappers to add."""

__all__ = ["env", "parallel_env", "raw_env"]
