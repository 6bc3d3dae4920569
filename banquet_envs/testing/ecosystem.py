"""Checks of the adapters with the tests that PettingZoo, Gymnasium and Stable-Baselines3 ship."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import warnings

import numpy as np
from gymnasium.utils.env_checker import check_env

from banquet_envs.core.errors import IllegalActionError
from banquet_envs.core.game import Game
from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.envs.single import BanquetSingle
from banquet_envs.envs.vector import BanquetVector


def check_pettingzoo(game: Game) -> None:
    """PettingZoo's api_test and seed_test; only the two warnings that every dict observation gets."""
    from pettingzoo.test import api_test, seed_test  # imports pytest, which the suite's other processes do not need

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(BanquetAEC(game, illegal="terminate"), num_cycles=60)
    expected = ("Observation space for each agent probably should be", "Observation is not a NumPy array")
    others = [str(w.message) for w in caught if not str(w.message).startswith(expected)]
    assert not others, f"api_test warns: {others}"
    seed_test(lambda: BanquetAEC(game), num_cycles=40)


def check_gymnasium(game: Game) -> None:
    """Gymnasium's and SB3's check_env on one seat against random opponents."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*render.*")
        check_env(BanquetSingle(game, illegal="terminate"), skip_render_check=True)
        if importlib.util.find_spec("stable_baselines3") is not None:
            from stable_baselines3.common.env_checker import check_env as sb3_check_env

            sb3_check_env(BanquetSingle(game, illegal="terminate"))


def check_whole_games_by_sampling(game: Game, seed: int = 1) -> None:
    """`action_space.sample(mask)` plays whole games; rewards collected by `last` are the game's."""
    env = BanquetAEC(game)
    env.reset(seed)
    earned = dict.fromkeys(env.possible_agents, 0.0)
    paid = np.zeros(game.num_players)
    for agent in env.agent_iter():
        view, reward, terminated, truncated, _ = env.last()
        earned[agent] += reward
        if terminated or truncated:
            assert not view["action_mask"].any(), "a mask after the end"
            env.step(None)
            continue
        env.action_space(agent).seed(int(env.record.ply[0]))
        action = env.action_space(agent).sample(view["action_mask"])
        assert view["action_mask"][action] == 1
        env.step(int(action))
        paid += [env.rewards[a] for a in env.possible_agents]
    assert np.allclose(list(earned.values()), paid, atol=1e-6), "last() and rewards disagree"
    assert env.game_over


def check_copies_in_mid_game(game: Game, seed: int = 2) -> None:
    """clone, deepcopy, pickle, get_state: the same game, rewards still to be collected included."""
    env = BanquetAEC(game)
    env.reset(seed)
    rng = np.random.default_rng(seed)
    for _ in range(12):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        if env.game_over:
            break
    fresh = BanquetAEC(game)
    fresh.reset(0)
    fresh.set_state(env.get_state())
    copies = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env)), fresh]
    while env.agents:
        view, reward, ended, cut, _ = env.last()
        action = None if ended or cut else int(rng.choice(np.flatnonzero(view["action_mask"])))
        for other in copies:
            same, paid, done, gone, _ = other.last()
            assert other.agent_selection == env.agent_selection and (paid, done, gone) == (reward, ended, cut)
            assert np.array_equal(same["observation"], view["observation"])
            assert np.array_equal(same["action_mask"], view["action_mask"])
            other.step(action)
        env.step(action)


def check_illegal_actions_in_aec(game: Game) -> None:
    """illegal="raise" changes nothing; "terminate" ends the game; a reset after it plays a full game."""
    env = BanquetAEC(game)
    env.reset(3)
    before = env.get_state()
    bad = next(iter(np.flatnonzero(env.last()[0]["action_mask"] == 0).tolist()), game.num_actions)
    for action in (bad, -1, game.num_actions, 0.5, "x"):
        try:
            env.step(action)  # type: ignore[arg-type]
        except IllegalActionError:
            assert env.get_state() == before, "a refused action changed the env"
        else:
            raise AssertionError(f"action {action!r} was accepted")
    env = BanquetAEC(game, illegal="terminate")
    env.reset(3)
    agent = env.agent_selection
    env.step(bad)
    assert env.game_over and env.rewards[agent] == -1 and all(env.terminations.values())
    while env.agents:
        env.step(None)
    env.reset(3)
    steps = 0
    while not env.game_over:
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        steps += 1
        assert steps <= game.facts.longest_game


def check_the_vector_env(game: Game, n: int = 6, seed: int = 4) -> None:
    """Gymnasium's vector interface: same-step autoreset, final observations, arrays that are the caller's."""
    env = BanquetVector(game, n)
    view, infos = env.reset(seed=seed)
    again, _ = BanquetVector(game, n).reset(seed=seed)
    assert np.array_equal(view, again), "the seed does not fix the games"
    rng = np.random.default_rng(seed)
    ended = 0
    for _ in range(2 * game.facts.longest_game):
        mask = infos["action_mask"]
        assert np.array_equal(mask.astype(bool), env.action_masks()) and mask.any(axis=1).all()
        kept = view.copy()
        after, rewards, over, cut, infos = env.step((rng.random(mask.shape) * mask).argmax(axis=1))
        assert np.array_equal(kept, view), "an observation that was handed out has changed"
        assert rewards.shape == over.shape == cut.shape == (n,)
        done = over | cut
        assert done.any() == ("final_obs" in infos)
        if done.any():
            assert np.array_equal(infos["_final_obs"], done)
            ended += int(done.sum())
        view = after
        if ended > n:
            return
    raise AssertionError("games do not end in the vector env")
