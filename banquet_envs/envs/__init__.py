"""Environments over any registered game: PettingZoo's AEC, Gymnasium's single and vector ones. They name no game."""

from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.envs.registration import environment_id, register_all
from banquet_envs.envs.single import BanquetSingle
from banquet_envs.envs.vector import BanquetVector

__all__ = ["BanquetAEC", "BanquetSingle", "BanquetVector", "environment_id", "register_all"]
