"""Weights for others: what other libraries trained plays here, and what was trained here opens elsewhere."""

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from banquet_agents.policy import WEIGHTS, Network, NetworkShape, PolicyAgent, load_policy, save_policy
from banquet_envs import make_game
from banquet_envs.core.errors import OptionError
from banquet_training.weights import MaskedPolicy, export_onnx, network_of, torch_policy

GAME = make_game("great_evening_banquet", 2)


def position():
    """Views float32 (8, W) and masks bool (8, A) of eight games under way."""
    states = GAME.reset(8, seed=1)
    for _ in range(9):
        GAME.step(states, GAME.legal_actions(states).argmax(axis=1))
    return GAME.observe(states), GAME.legal_actions(states)


def kept(folder, activation="tanh"):
    """A policy folder with a network of random weights: its policy's name."""
    shape = NetworkShape(GAME.observation_size, GAME.num_actions, (16,), (8,), (4,), activation)
    rng = np.random.default_rng(2)
    weights = {}
    for layer, size in shape.layers().items():
        weights[f"{layer}.weight"] = rng.normal(size=size).astype(np.float32)
        weights[f"{layer}.bias"] = rng.normal(size=size[:1]).astype(np.float32)
    save_policy(folder, GAME, Network(shape, weights), {})
    return str(folder)


@pytest.mark.parametrize("activation", [nn.ReLU, nn.Tanh])
def test_a_network_of_another_library_says_the_same_here(activation):
    trunk = nn.Sequential(nn.Linear(GAME.observation_size, 12), activation())
    policy = nn.Sequential(
        trunk, nn.Sequential(nn.Linear(12, 6, bias=False), activation()), nn.Linear(6, GAME.num_actions)
    )
    value = nn.Sequential(trunk, nn.Linear(12, 1))
    views, _ = position()
    network = network_of(policy, value)
    with torch.no_grad():
        np.testing.assert_allclose(network.logits(views), policy(torch.from_numpy(views)), atol=1e-5)
        np.testing.assert_allclose(network.values(views), value(torch.from_numpy(views))[:, 0], atol=1e-5)
    assert not network_of(policy).values(views).any()


@pytest.mark.parametrize(
    "net",
    [
        nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.Linear(4, 2)),
        nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.ReLU(), nn.Linear(4, 2)),
        nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2)),
        nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2), nn.ReLU()),
        nn.Sequential(),
    ],
)
def test_layers_that_a_folder_cannot_hold_are_refused(net):
    with pytest.raises(OptionError, match="Linear layers with ReLU or Tanh between them"):
        network_of(net)


def test_two_activations_are_refused():
    nets = [nn.Sequential(nn.Linear(4, 4), kind(), nn.Linear(4, 1)) for kind in (nn.ReLU, nn.Tanh)]
    with pytest.raises(OptionError, match="found relu and tanh"):
        network_of(*nets)


def test_a_policy_opens_in_pytorch_and_comes_back(tmp_path):
    name = kept(tmp_path / "first")
    views, masks = position()
    policy, agent = torch_policy(GAME, name), load_policy(GAME, name)
    with torch.no_grad():
        logits, values = policy(torch.from_numpy(views), torch.from_numpy(masks))
    assert (logits.argmax(1).numpy() == agent.act_on(views, masks, np.zeros(8, np.uint64))).all()
    np.testing.assert_allclose(values, agent.network.values(views), atol=1e-5)
    assert load_file(tmp_path / "first" / WEIGHTS)["logits.weight"].equal(
        policy.state_dict()["net.layers.layer_logits.weight"]
    )
    fresh = MaskedPolicy(Network(agent.network.shape, {k: 0 * w for k, w in agent.network.weights.items()}))
    fresh.load_state_dict(policy.state_dict())
    back = PolicyAgent(GAME, fresh.net.exported())
    assert (back.network.logits(views) == agent.network.logits(views)).all()


def test_an_onnx_file_says_the_same_for_any_number_of_rows(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")
    name, file = kept(tmp_path), tmp_path / "policy.onnx"
    export_onnx(GAME, name, file)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    views, masks = position()
    network = load_policy(GAME, name).network
    for n in (1, 8):
        logits, values = session.run(["logits", "value"], {"observation": views[:n], "action_mask": masks[:n]})
        assert (logits[~masks[:n]] < -1e7).all()
        np.testing.assert_allclose(logits[masks[:n]], network.logits(views[:n])[masks[:n]], atol=1e-4)
        np.testing.assert_allclose(values, network.values(views[:n]), atol=1e-4)
