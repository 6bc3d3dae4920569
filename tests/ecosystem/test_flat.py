"""One flat observation: PettingZoo's and SuperSuit's wrappers, Gymnasium's and SB3's checkers take it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from banquet_envs import great_evening_banquet_v0
from banquet_envs.adapters.flat import FlatAEC, FlatSingle
from banquet_envs.envs.aec import BanquetAEC


def test_aec_shows_view_and_mask_side_by_side():
    env, twin = FlatAEC(great_evening_banquet_v0.env(players=2)), BanquetAEC("great_evening_banquet", 2)
    for each in (env, twin):
        each.reset(seed=1)
    while not twin.game_over:
        for agent in twin.possible_agents:
            seen = twin.observe(agent)
            flat = env.observe(agent)
            assert env.observation_space(agent).contains(flat)
            np.testing.assert_array_equal(flat, np.concatenate([seen["observation"], seen["action_mask"]]))
        action = int(twin.last()[0]["action_mask"].argmax())
        assert env.last()[0][twin.game.observation_size + action] == 1
        for each in (env, twin):
            each.step(action)


def test_pettingzoos_own_test_takes_it():
    api_test(FlatAEC(great_evening_banquet_v0.env(players=2, illegal="terminate")), num_cycles=40)


def single(**how):
    return FlatSingle(gymnasium.make("banquet/GreatEveningBanquet-v0", players=2, illegal="terminate", **how))


def test_single_shows_view_and_mask_side_by_side():
    env = single()
    view, info = env.reset(seed=1)
    over = False
    while not over:
        assert (view[-env.action_space.n :] == info["action_mask"]).all()
        view, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert not view[-env.action_space.n :].any()
    check_env(single(), skip_render_check=True)


def test_plain_sb3_trains_on_it():
    sb3 = pytest.importorskip("stable_baselines3")
    model = sb3.PPO("MlpPolicy", single(), n_steps=64, batch_size=64, n_epochs=1, device="cpu", seed=1).learn(128)
    assert model.num_timesteps == 128


def test_supersuit_takes_it():
    supersuit = pytest.importorskip("supersuit", reason="SuperSuit is not installed: make ecosystem")
    env = supersuit.frame_stack_v1(FlatAEC(great_evening_banquet_v0.env(players=2)), 2)
    env.reset(seed=1)
    assert env.last()[0].shape == (2 * (564 + 40),)
