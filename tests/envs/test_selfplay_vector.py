"""SelfPlayVector, held row by row against PettingZoo's view of the same games."""

import copy

import numpy as np
import pytest

from banquet_envs import ActionTypeError, IllegalActionError, OptionError, ResetNeededError
from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.envs.selfplay import SelfPlayVector

ROWS = 4


def picked(mask, rng):
    return (rng.random(mask.shape) * mask).argmax(axis=-1)


@pytest.mark.parametrize(("players", "reward"), [(2, "win"), (3, "points"), (1, "points")])
def test_every_row_is_what_an_aec_env_shows_and_pays(players, reward):
    env = SelfPlayVector("great_evening_banquet", ROWS, players=players, reward=reward)
    alone = [BanquetAEC("great_evening_banquet", players, reward=reward) for _ in range(ROWS)]
    view, infos = env.reset(seed=5)
    for k, aec in enumerate(alone):
        aec.reset(seed=5 + k)
    rng, paid, ends = np.random.default_rng(1), np.zeros(ROWS), 0
    for _ in range(240):
        for k, aec in enumerate(alone):
            seen, reward, *_ = aec.last()
            assert infos["seat"][k] == aec.possible_agents.index(aec.agent_selection)
            np.testing.assert_array_equal(view[k], seen["observation"])
            np.testing.assert_array_equal(infos["action_mask"][k], seen["action_mask"])
            assert paid[k] == pytest.approx(reward)
        actions = picked(infos["action_mask"], rng)
        view, paid, ended, cut, infos = env.step(actions)
        assert not cut.any()
        for k, aec in enumerate(alone):
            aec.step(int(actions[k]))
            assert aec.game_over == ended[k]
            if ended[k]:
                check_the_end(aec, {name: value[k] for name, value in infos["final_info"].items()})
                aec.reset()
        ends += ended.sum()
        assert ("final_info" in infos) == ended.any()
    assert ends > ROWS


def check_the_end(aec, final):
    assert final["_rewards"]
    for seat, agent in enumerate(aec.possible_agents):
        assert final["rewards"][seat] == pytest.approx(aec._cumulative_rewards[agent])
        assert final["place"][seat] == aec.infos[agent]["place"]
        assert final["points"][seat] == aec.infos[agent]["points"][seat]
    assert final["capped"] == aec.infos["player_0"]["capped"]


def test_a_refused_batch_changes_nothing():
    env = SelfPlayVector("great_evening_banquet", ROWS, players=2)
    for call in (env.action_masks, lambda: env.step(np.zeros(ROWS, int))):
        with pytest.raises(ResetNeededError):
            call()
    _, infos = env.reset(seed=1)
    before = env.table.states.tobytes()
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = infos["action_mask"][2].argmin()
    for wrong, error in (
        (actions, IllegalActionError),
        (actions.astype(float), ActionTypeError),
        ([0], ActionTypeError),
    ):
        with pytest.raises(error):
            env.step(wrong)
    assert env.table.states.tobytes() == before
    with pytest.raises(OptionError, match="num_envs"):
        SelfPlayVector("great_evening_banquet", 2, opponents="greedy")


def test_what_was_handed_out_stays_and_copies_go_on_alike():
    env = SelfPlayVector("great_evening_banquet", ROWS, players=2)
    view, infos = env.reset(seed=[3, 3, None, 4])
    assert (view[0] == view[1]).all()
    kept, mask = view.copy(), infos["action_mask"].copy()
    other, rng = copy.deepcopy(env), np.random.default_rng(2)
    for _ in range(60):
        actions = picked(env.action_masks(), rng)
        mine, same = env.step(actions), other.step(actions)
        for a, b in zip(mine[:4], same[:4], strict=True):
            np.testing.assert_array_equal(a, b)
    assert (view == kept).all()
    assert (infos["action_mask"] == mask).all()
    assert not np.array_equal(env.reset()[0], SelfPlayVector(env.game, ROWS).reset(seed=3)[0])
