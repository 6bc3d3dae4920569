"""PufferLib's native environment shows and pays what the batch under it does."""

import numpy as np
import pytest

pytest.importorskip("pufferlib", reason="the pufferlib extra is not installed: make ecosystem")
from banquet_envs.adapters.pufferlib import PufferBanquet
from banquet_envs.envs.selfplay import SelfPlayVector
from banquet_envs.envs.vector import BanquetVector


@pytest.mark.parametrize("kind", [BanquetVector, SelfPlayVector])
def test_rows_are_those_of_the_batch(kind):
    puffer, twin = (
        PufferBanquet(kind("great_evening_banquet", 8, players=2), seed=3),
        kind("great_evening_banquet", 8, players=2),
    )
    seen, _ = puffer.reset()
    view, infos = twin.reset(seed=3)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(120):
        np.testing.assert_array_equal(seen, np.concatenate([view, infos["action_mask"]], axis=1))
        assert seen is puffer.observations
        actions = (rng.random(infos["action_mask"].shape) * infos["action_mask"]).argmax(axis=1)
        seen, paid, over, cut, told = puffer.step(actions)
        view, rewards, ended, _, infos = twin.step(actions)
        np.testing.assert_allclose(paid, rewards)
        assert (over == ended).all()
        assert not cut.any()
        assert (told[0]["seat"] == infos["seat"]).all()
        ends += ended.sum()
    assert ends > 8
    assert puffer.single_observation_space.contains(seen[0])
