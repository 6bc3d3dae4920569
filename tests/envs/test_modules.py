"""Every shipped game has its PettingZoo module, its Gymnasium ids and its agents."""

import importlib

import gymnasium
import pytest

from banquet_agents.registry import agent_names
from banquet_envs import game_spec
from banquet_envs.envs.registration import environment_id
from tests.shipped import SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_module(name):
    module = importlib.import_module(f"banquet_envs.{name}_v0")
    spec = game_spec(name)
    env = module.env(players=spec.max_players)
    assert str(env) == f"{name}_{spec.version}"
    assert len(env.possible_agents) == spec.max_players
    assert module.raw_env(players=spec.min_players).max_num_agents == spec.min_players


@pytest.mark.parametrize("name", SHIPPED)
def test_gymnasium_ids(name):
    spec = game_spec(name)
    assert environment_id(name, spec.version) in gymnasium.registry
    assert (environment_id(name, spec.version, solo=True) in gymnasium.registry) == (spec.min_players == 1)


@pytest.mark.parametrize("name", SHIPPED)
def test_agents(name):
    assert agent_names(name)[:3] == ["random", "greedy", "expert"]
