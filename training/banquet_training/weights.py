"""Weights in and out: networks of other libraries as `policy:` folders, policies as PyTorch modules and ONNX files."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from banquet_agents.policy import Network, NetworkShape, load_policy
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_training.actor_critic import MASKED, ActorCritic

_ACTIVATIONS = {nn.ReLU: "relu", nn.Tanh: "tanh"}


def network_of(policy: nn.Module, value: nn.Module | None = None) -> Network:
    """A multi-layer perceptron of whatever library as a Network, which `save_policy` writes and every table seats.

    Args:
        policy: Linear layers with ReLU, or Tanh, between them, in the order in which they are applied, from observation (W,) to logits
            (A,); several modules in a row are one `nn.Sequential`. A Q network will do: its best action is the policy's.
        value: the same from observation to one value; without it the values are 0.

    Raises:
        OptionError: layers that a policy folder cannot hold, or that do not follow upon each other.
    """
    stacks = {"policy": _layers(policy), "value": _layers(value) if value is not None else []}
    activations = {
        _ACTIVATIONS[type(m)] for net in (policy, value) if net for m in net.modules() if type(m) in _ACTIVATIONS
    }
    if len(activations) > 1:
        raise OptionError("network: policy and value must have one activation, found relu and tanh")
    first, last = stacks["policy"][0], stacks["policy"][-1]
    hidden = {name: tuple(layer.out_features for layer in layers[:-1]) for name, layers in stacks.items()}
    activation = next(iter(activations), "relu")
    shape = NetworkShape(first.in_features, last.out_features, (), hidden["policy"], hidden["value"], activation)
    weights = {
        "values.weight": np.zeros((1, first.in_features), np.float32),
        "values.bias": np.zeros(1, np.float32),
    }
    for (name, layers), head in zip(stacks.items(), ("logits", "values"), strict=True):
        for k, layer in enumerate(layers):
            key = f"{name}.{k}" if layer is not layers[-1] else head
            weights[f"{key}.weight"] = layer.weight.detach().cpu().numpy().copy()
            bias = layer.bias if layer.bias is not None else torch.zeros(layer.out_features)
            weights[f"{key}.bias"] = bias.detach().cpu().numpy().copy()
    return Network(shape, weights)


def _layers(net: nn.Module) -> list[nn.Linear]:
    """The Linear layers of a stack; refuses what is neither those nor an activation between them."""
    parts = [m for m in net.modules() if not list(m.children()) and not isinstance(m, nn.Identity)]
    linear = [isinstance(m, nn.Linear) for m in parts]
    alternating = linear == [k % 2 == 0 for k in range(len(parts))] and len(parts) % 2 == 1
    if not alternating or any(type(m) not in _ACTIVATIONS for m in parts[1::2]):
        found = ", ".join(type(m).__name__ for m in parts)
        raise OptionError(f"network: a policy folder holds Linear layers with ReLU or Tanh between them, found {found}")
    return [m for m in parts if isinstance(m, nn.Linear)]


class MaskedPolicy(nn.Module):
    """A policy folder's network in PyTorch: `state_dict()`, `forward`, further training.

    Args:
        network: such as `load_policy(game, name).network`.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.net = ActorCritic(network.shape)
        self.net.take_up(network)

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits float32 (n, A), those of illegal actions -1e8, and values float32 (n,), of float32 (n, W) and bool (n, A)."""
        features = self.net.features(observation)
        return self.net.logits(features).masked_fill(~action_mask, MASKED), self.net.values(features)


def torch_policy(game: Game, name: str) -> MaskedPolicy:
    """The policy in a folder, as `load_policy` finds it, as a PyTorch module.

    Raises:
        OptionError: see `load_policy`.
    """
    return MaskedPolicy(load_policy(game, name).network)


def export_onnx(game: Game, name: str, file: Path) -> None:
    """Write a policy as an ONNX file: `observation` float32 (n, W), `action_mask` bool (n, A) to `logits` (n, A), `value` (n,).

    Raises:
        OptionError: see `load_policy`; or the `onnx` extra is not installed.
    """
    if not all(importlib.util.find_spec(package) for package in ("onnx", "onnxscript")):
        raise OptionError('ONNX files need the onnx extra: pip install "banquet-envs[onnx]"')
    example: tuple[Any, ...] = (
        torch.zeros(2, game.observation_size), torch.ones(2, game.num_actions, dtype=torch.bool)
    )  # fmt: skip
    rows = torch.export.Dim("n")
    torch.onnx.export(
        torch_policy(game, name).eval(), example, str(file), dynamo=True, external_data=False, verbose=False,
        input_names=["observation", "action_mask"], output_names=["logits", "value"],
        dynamic_shapes=({0: rows}, {0: rows}),
    )  # fmt: skip
