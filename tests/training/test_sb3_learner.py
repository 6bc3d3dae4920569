"""The lean policy and buffer against sb3-contrib's own; the exported network against the model it came from."""

import json
import subprocess
import sys

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from banquet_agents.policy import (
    CARD,
    WEIGHTS,
    Network,
    NetworkShape,
    PolicyAgent,
    find_policy,
    load_policy,
    save_policy,
)
from banquet_agents.registry import make_agent
from banquet_envs import make_game
from banquet_envs.core.errors import OptionError
from banquet_training.sb3_learner import LeanBuffer, LeanPolicy, exported
from banquet_training.settings import NetworkSettings
from tests.training.test_selfplay import environment, learner, step
from tests.training.toy import crumbs

SMALL = NetworkSettings(shared=(16,))


def positions(game, n=40, steps=60):
    """Observations and masks the learner meets in random play."""
    env = environment(game, n=n)
    rng = np.random.default_rng(7)
    observations, masks = [env.reset().copy()], [env.action_masks().copy()]
    for _ in range(steps):
        observations.append(step(env, rng)[0].copy())
        masks.append(env.action_masks().copy())
    return np.concatenate(observations), np.concatenate(masks)


def test_lean_policy_is_sb3_contribs_policy():
    env = environment(make_game("great_evening_banquet", players=2))
    policy = learner(env).policy
    observations, masks = (torch.as_tensor(a) for a in positions(env.game, steps=10))
    with torch.no_grad():
        policy.action_net.weight.mul_(100)  # make it peaked
        torch.manual_seed(1)
        actions, values, log_p = policy(observations, action_masks=masks)
        assert masks[torch.arange(len(actions)), actions].all()
        for method in (LeanPolicy.evaluate_actions, MaskableActorCriticPolicy.evaluate_actions):
            again, theirs, entropy = method(policy, observations, actions, action_masks=masks)
            assert torch.allclose(again, values, atol=1e-5)
            assert torch.allclose(theirs, log_p, atol=1e-4)
            if method is LeanPolicy.evaluate_actions:
                kept = entropy
        assert torch.allclose(kept, entropy, atol=1e-4)
        best = MaskableActorCriticPolicy.forward(policy, observations, deterministic=True, action_masks=masks)[0]
        assert (policy(observations, deterministic=True, action_masks=masks)[0] == best).all()


def test_lean_policy_draws_by_its_probabilities():
    env = environment(crumbs(pile=3))
    policy = learner(env).policy
    with torch.no_grad():
        policy.action_net.weight.zero_()
        policy.action_net.bias.copy_(torch.log(torch.tensor([0.9, 0.2, 0.3, 0.5])))
        masks = torch.tensor([[False, True, True, True]]).expand(20_000, 4)
        actions = policy(torch.zeros(20_000, env.game.observation_size), action_masks=masks)[0]
    assert np.bincount(actions, minlength=4) / 20_000 == pytest.approx([0, 0.2, 0.3, 0.5], abs=0.015)


def test_lean_buffer_gives_what_sb3_contribs_gives():
    env = environment(crumbs())
    rng = np.random.default_rng(0)
    made = [
        cls(5, env.observation_space, env.action_space, "cpu", 0.9, 0.99, n_envs=16)
        for cls in (LeanBuffer, MaskableRolloutBuffer)
    ]
    for _ in range(2):  # twice: reset must not leave anything behind
        for buffer in made:
            buffer.reset()
        for _ in range(5):
            entry = (
                rng.random((16, env.game.observation_size), np.float32), rng.integers(4, size=(16, 1)),
                rng.random(16).astype(np.float32), rng.random(16) < 0.2, torch.rand(16, 1), -torch.rand(16),
            )  # fmt: skip
            masks = rng.random((16, 4)) < 0.7
            for buffer in made:
                buffer.add(*entry, action_masks=masks)
        for buffer in made:
            buffer.compute_returns_and_advantage(torch.ones(16, 1), np.zeros(16, bool))
        rows = []
        for buffer in made:
            assert buffer.full
            sample = [torch.cat(parts).reshape(80, -1).float() for parts in zip(*buffer.get(32), strict=True)]
            table = torch.cat(sample, dim=1)
            rows.append(table[table[:, 0].argsort()])
        assert torch.allclose(rows[0], rows[1])


@pytest.fixture(scope="module")
def trained():
    """A model whose actions depend on what it sees, in a game, with positions."""
    game = make_game("great_evening_banquet", players=2)
    env = environment(game)
    settings = NetworkSettings(shared=(32, 24), policy=(20,), value=(16, 8), activation="tanh")
    from banquet_training.sb3_learner import TimedPPO, policy_arguments

    model = TimedPPO(LeanPolicy, env, n_steps=8, policy_kwargs=policy_arguments(settings), seed=4, device="cpu")
    with torch.no_grad():
        model.policy.action_net.weight.mul_(100)
    network = exported(model.policy, settings, game.observation_size, game.num_actions)
    return game, model, network, *positions(game)


def test_a_loaded_policy_acts_as_the_model(trained, tmp_path):
    game, model, network, observations, masks = trained
    save_policy(tmp_path / "best", game, network, {"steps": 5})
    agent = make_agent(game, f"policy:{tmp_path}")
    assert isinstance(agent, PolicyAgent)
    assert agent.card["steps"] == 5
    mine = agent.act_on(observations, masks, np.zeros(len(observations), np.uint64))
    theirs, _ = model.predict(observations, deterministic=True, action_masks=masks)
    assert len(mine) > 2000
    assert len(np.unique(mine)) > 10
    logits = np.sort(np.where(masks, network.logits(observations), -np.inf), axis=1)
    close = logits[:, -1] - logits[:, -2] < 1e-4  # rounding may decide there
    assert close.mean() < 0.01
    assert (mine == theirs)[~close].all()
    values = model.policy.predict_values(torch.as_tensor(observations)).detach().numpy()[:, 0]
    assert agent.network.values(observations) == pytest.approx(values, abs=1e-5)


def test_a_policy_plays_records_and_keeps_to_the_mask(trained):
    game, _, network, _, _ = trained
    for agent in (PolicyAgent(game, network), PolicyAgent(game, network, sample=True)):
        states = game.reset(50, seed=1)
        while not states.over.all():
            live = game.reset(int((~states.over).sum()), seed=0)
            live.view(np.ndarray).view(np.uint8)[:] = states[~states.over].view(np.ndarray).view(np.uint8)
            game.step(live, agent.act(live))
            states = live


def test_a_sampling_policy_draws_by_its_probabilities():
    game = crumbs(pile=3)
    shape = NetworkShape(game.observation_size, 4, ())
    weights = {f"{layer}.weight": np.zeros(size, np.float32) for layer, size in shape.layers().items()}
    weights |= {f"{layer}.bias": np.zeros(size[0], np.float32) for layer, size in shape.layers().items()}
    weights["logits.bias"][:] = np.log([0.9, 0.2, 0.3, 0.5])
    agent = PolicyAgent(game, Network(shape, weights), sample=True)
    words = np.random.default_rng(1).integers(2**64, size=20_000, dtype=np.uint64)
    masks = np.tile([False, True, True, True], (20_000, 1))
    actions = agent.act_on(np.zeros((20_000, game.observation_size), np.float32), masks, words)
    assert np.bincount(actions, minlength=4) / 20_000 == pytest.approx([0, 0.2, 0.3, 0.5], abs=0.015)
    extremes = np.array([0, 2**64 - 1], np.uint64)
    assert agent.act_on(np.zeros((2, game.observation_size), np.float32), masks[:2], extremes).tolist() == [1, 3]


def test_loading_a_policy_needs_neither_torch_nor_pickle(trained, tmp_path):
    game, _, network, _, _ = trained
    save_policy(tmp_path, game, network, {})
    code = f"""
import pickle, sys
sys.modules["torch"] = None
def refuse(*a, **k): raise AssertionError("unpickled")
from banquet_envs import make_game
from banquet_agents.registry import make_agent
game = make_game("great_evening_banquet", players=2)
pickle.load = pickle.loads = pickle.Unpickler = refuse
from banquet_agents.policy import load_policy
agent = load_policy(game, {str(tmp_path)!r})
print(agent.network.shape.shared)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(32, 24)"


def test_unfit_policies_are_refused_with_a_reason(trained, tmp_path):
    game, _, network, _, _ = trained
    with pytest.raises(OptionError, match=r"no policy.json with policy.safetensors"):
        load_policy(game, str(tmp_path))
    save_policy(tmp_path, game, network, {})
    assert find_policy(tmp_path) == tmp_path
    with pytest.raises(OptionError, match="was made for players 2, this game has 3"):
        load_policy(make_game("great_evening_banquet", players=3), str(tmp_path))
    with pytest.raises(OptionError, match="was made for game 'great_evening_banquet', this game has 'crumbs'"):
        load_policy(crumbs(), str(tmp_path))
    card = json.loads((tmp_path / CARD).read_text())
    (tmp_path / CARD).write_text(json.dumps({**card, "layout": "0"}))
    with pytest.raises(OptionError, match="was made for layout '0'"):
        load_policy(game, str(tmp_path))
    (tmp_path / CARD).write_text(json.dumps({**card, "network": {**card["network"], "shared": [7]}}))
    with pytest.raises(OptionError, match=r"expected shared.0.weight of shape \(7, "):
        load_policy(game, str(tmp_path))
    (tmp_path / CARD).write_text("{")
    with pytest.raises(OptionError, match="cannot be read"):
        load_policy(game, str(tmp_path))
    (tmp_path / CARD).write_text(json.dumps(card))
    (tmp_path / WEIGHTS).write_bytes((tmp_path / WEIGHTS).read_bytes()[:100])
    with pytest.raises(OptionError, match="cannot be read"):
        load_policy(game, str(tmp_path))
