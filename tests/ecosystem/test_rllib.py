"""RLlib: training, resuming, exporting; a cluster of two nodes, and a worker that dies."""

import argparse
import os
import signal
import threading
import time

import numpy as np
import pytest

from banquet_agents.policy import load_policy
from banquet_envs import make_game
from tests.ecosystem.conftest import script

ray = pytest.importorskip("ray")
pytest.importorskip(
    "ray.rllib.algorithms.ppo", reason="the rllib extra is not installed: make ecosystem", exc_type=ImportError
)
GAME = "great_evening_banquet"


@pytest.fixture
def settings(tmp_path):
    return argparse.Namespace(game=GAME, players=2, env_runners=0, batch=256, per_seat=False, folder=tmp_path)


@pytest.fixture(scope="module")
def local_ray():
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


def test_trains_resumes_and_exports_what_plays_without_ray(run, tmp_path, local_ray):
    arguments = GAME, "--batch", 256, "--matches", 4, "--folder", tmp_path
    assert "iteration 1: " in run("rllib_ppo", *arguments, "--iterations", 1)
    first = load_policy(make_game(GAME, 2), str(tmp_path / "learner")).network.weights
    told = run("rllib_ppo", *arguments, "--iterations", 2, "--resume")
    assert "iteration 1: " not in told
    assert "iteration 2: " in told
    assert "| greedy |" in told
    second = load_policy(make_game(GAME, 2), str(tmp_path / "learner")).network.weights
    assert any((first[key] != second[key]).any() for key in first)


def test_exported_weights_are_the_modules(settings, local_ray):
    import torch
    from ray.rllib.core.columns import Columns

    module = script("rllib_ppo")
    algorithm = built(module, settings)
    algorithm.save_to_path(settings.folder / "checkpoint")
    game = make_game(GAME, 2)
    agent = load_policy(game, module.exported(settings, module.LEARNER).removeprefix("policy:"))
    views = game.observe(game.reset(3, seed=1))
    masks = torch.ones(3, game.num_actions)
    batch = {Columns.OBS: {"observations": torch.from_numpy(views), "action_mask": masks}}
    logits = algorithm.get_module(module.LEARNER).forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
    np.testing.assert_allclose(agent.network.logits(views), logits.detach().numpy(), atol=1e-5)
    algorithm.stop()


def test_frozen_copies_are_the_learner_of_then(settings, local_ray):
    module = script("rllib_ppo")
    module.FREEZE_EVERY = 1
    algorithm = built(module, settings)
    before = algorithm.get_module(module.LEARNER).get_state()
    algorithm.train()
    states = {name: algorithm.get_module(name).get_state() for name in (module.LEARNER, *module.FROZEN)}
    key = next(iter(before))
    assert (states[module.LEARNER][key] != before[key]).any()
    assert (states["frozen_1"][key] == states[module.LEARNER][key]).all()
    assert (states["frozen_2"][key] != states[module.LEARNER][key]).any()
    algorithm.stop()


def test_a_policy_for_every_seat(settings, local_ray):
    module = script("rllib_ppo")
    settings.per_seat = True
    algorithm = built(module, settings)
    result = algorithm.train()
    assert {"player_0", "player_1"} <= set(result["learners"])
    algorithm.stop()


@pytest.mark.long
def test_two_nodes_and_a_worker_that_dies_lose_nothing_but_time(settings):
    from ray.cluster_utils import Cluster

    ray.shutdown()
    module = script("rllib_ppo")
    settings.env_runners, settings.batch = 2, 256
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        cluster.add_node(num_cpus=1)
        ray.init(cluster.address, log_to_driver=False)
        algorithm = built(module, settings)
        where = places(algorithm)
        assert len({node for node, _ in where}) == 2
        algorithm.train()
        threading.Timer(0.3, os.kill, (where[1][1], signal.SIGKILL)).start()
        while algorithm.iteration < 4:
            played = algorithm.train()["env_runners"]
        assert played["num_env_steps_sampled_lifetime"] >= 4 * 256
        latest = time.monotonic() + 120
        while algorithm.env_runner_group.num_healthy_remote_workers() < 2 and time.monotonic() < latest:
            time.sleep(1)
            algorithm.env_runner_group.probe_unhealthy_env_runners()
        workers = [process for _, process in places(algorithm)]
        assert len(workers) == 2
        assert where[1][1] not in workers
        algorithm.stop()
    finally:
        ray.shutdown()
        cluster.shutdown()


def places(algorithm):
    """Node and process of every worker."""
    return algorithm.env_runner_group.foreach_env_runner(
        lambda runner: (ray.get_runtime_context().get_node_id(), os.getpid()), local_env_runner=False
    )


def built(module, settings):
    """The algorithm of the script, for these settings."""
    module.register_env("banquet", lambda config: module.rllib_env(**config))
    return module.configured(settings).build_algo()
