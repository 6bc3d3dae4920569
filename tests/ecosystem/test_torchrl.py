"""TorchRL: what counts as a decision, what it is worth, and that the saved policy is the trained one."""

import pytest
import torch
from safetensors.torch import load_file

pytest.importorskip("torchrl", reason="the torchrl extra is not installed: make ecosystem")
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType

from banquet_agents.policy import WEIGHTS
from banquet_envs.envs.aec import BanquetAEC
from tests.ecosystem.conftest import script

GAME = "great_evening_banquet"


def test_trains_and_saves_what_it_has_trained(run, tmp_path):
    arguments = GAME, "--batch", 192, "--matches", 4
    for folder, steps in (("once", 192), ("twice", 384)):
        assert "| expert | all | 4 |" in run("torchrl_ppo", *arguments, "--steps", steps, "--folder", tmp_path / folder)
    once, twice = (load_file(tmp_path / folder / WEIGHTS) for folder in ("once", "twice"))
    assert (once["logits.weight"] != twice["logits.weight"]).any()
    assert (once["values.weight"] != twice["values.weight"]).any()


def test_decisions_are_the_movers_and_worth_their_games_result():
    module, whole = script("torchrl_ppo"), MarlGroupMapType.ALL_IN_ONE_GROUP
    env = PettingZooWrapper(BanquetAEC(GAME, 2), use_mask=True, group_map=whole, seed=1)
    (group,) = env.group_map
    net = torch.nn.Linear(env.game.observation_size, env.game.num_actions)
    with torch.no_grad():
        data = env.rollout(150, module.actor(net, group), break_when_any_done=False)
    batch = module.decisions(data, group)
    ends = data["next", "done"].flatten().nonzero().flatten().tolist()
    expected, start = [], 0
    for end in ends:
        result = data["next", group, "reward"][end].flatten()
        expected += [result[int(mover)] for mover in data[group, "mask"][start : end + 1].int().argmax(1)]
        start = end + 1
    assert len(ends) > 1
    assert batch["value_target"].flatten().tolist() == pytest.approx([float(value) for value in expected])
    assert set(batch["value_target"].flatten().tolist()) >= {-1.0, 1.0}
    assert batch["action_mask"].gather(1, batch["action"][:, None]).all()
