"""The scripts that need the train extra alone: they learn, save what plays, and say how strong it is."""

import numpy as np
import pytest

from banquet_agents.policy import load_policy
from banquet_envs import make_game
from banquet_envs.envs.selfplay import SelfPlayVector
from tests.ecosystem.conftest import script

GAME = "great_evening_banquet"


@pytest.mark.parametrize("name", ["ppo_selfplay", "ppo_single_file"])
def test_a_script_trains_and_its_policy_plays(name, run, tmp_path):
    told = run(name, GAME, "--steps", 2048, "--games", 16, "--matches", 4, "--folder", tmp_path)
    assert "| expert | all | 4 |" in told
    assert load_policy(make_game(GAME, 2), str(tmp_path)).network.values(np.zeros((1, 564), np.float32)).any()


def test_copies_are_frozen_as_the_learner_is_then(monkeypatch, run, tmp_path):
    pools = []
    module = script("ppo_selfplay")
    original = module.Freeze.__init__
    monkeypatch.setattr(
        module.Freeze, "__init__", lambda self, pool, every: (pools.append(pool), original(self, pool, 1))[0]
    )
    monkeypatch.setattr(
        "sys.argv", ["x", "--steps", "3072", "--games", "16", "--matches", "4", "--folder", str(tmp_path)]
    )
    module.main()
    names = [holder.name for holder in pools[0].frozen]
    assert names == ["1024 steps", "2048 steps", "3072 steps"]
    first, last = (pools[0].frozen[k].agent.network.weights["logits.weight"] for k in (0, -1))
    assert (first != last).any()


def test_advantages_follow_each_seat_through_interleaved_turns():
    """Against a slow computation, decision by decision, of what each seat was paid and expected."""
    module = script("ppo_single_file")
    game, steps, n = make_game(GAME, 3, reward="points"), 150, 3
    env, rng = SelfPlayVector(game, n), np.random.default_rng(1)
    batch = {name: [] for name in ("seat", "paid", "value", "finals", "ended")}
    paid, (_, infos) = np.zeros(n), env.reset(seed=1)
    for _ in range(steps):
        batch["seat"].append(infos["seat"])
        batch["paid"].append(paid)
        batch["value"].append(rng.random(n).astype(np.float32))
        mask = infos["action_mask"]
        _, paid, ended, _, infos = env.step((rng.random(mask.shape) * mask).argmax(axis=1))
        batch["finals"].append(infos["final_info"]["rewards"] if ended.any() else np.zeros((n, 3)))
        batch["ended"].append(ended)
    batch = {name: np.stack(rows) for name, rows in batch.items()}
    found, known = module.advantages(batch, 3)
    assert batch["ended"].any()
    for row in range(n):
        for t in range(steps):
            expected = slow_advantage(batch, row, t, module.GAMMA, module.TRACE)
            assert known[t, row] == (expected is not None)
            assert found[t, row] == pytest.approx(expected or 0.0, abs=1e-4)


def slow_advantage(batch, row, t, gamma, trace):
    """Of the decision at `t`, or None if its outcome is not known: sum of discounted surprises up to the end or the last decision."""
    seat, weight, total = batch["seat"][t, row], 1.0, 0.0
    while True:
        later = next((u for u in range(t + 1, len(batch["seat"])) if batch["seat"][u, row] == seat), None)
        end = next((u for u in range(t, len(batch["seat"])) if batch["ended"][u, row]), None)
        value = batch["value"][t, row]
        if end is not None and (later is None or end < later):
            return total + weight * (batch["finals"][end, row, seat] - value)
        if later is None:
            return total if weight < 1.0 else None
        total += weight * (batch["paid"][later, row] + gamma * batch["value"][later, row] - value)
        weight *= gamma * trace
        t = later
