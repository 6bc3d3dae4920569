"""The network that learns: torch's twin of `banquet_agents.policy.Network`, with a critic that sees all beside it.

The policy's part, trunk, policy head and value head, is what is exported and played. The critic reads what nobody at the
table could: the observation of the seat that decides and every private slice of all other seats. It only serves to judge
moves while training (as in PerfectDou, arXiv 2203.16406) and is never exported.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from banquet_agents.policy import Network, NetworkShape
from banquet_envs.core.errors import DivergedError
from banquet_envs.core.game import Game
from banquet_training.settings import NetworkSettings

MASKED = -1e8
"""The logit of what is not allowed."""


class ActorCritic(nn.Module):
    """Policy, value and, if `critic` is not empty, the critic that sees all.

    Args:
        shape: trunk and heads, as in the exported policy.
        seen: features that the critic reads beyond the observation.
        critic: the critic's hidden widths; with none the value head judges.
    """

    def __init__(self, shape: NetworkShape, seen: int = 0, critic: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.shape = shape
        self.activation = functional.relu if shape.activation == "relu" else torch.tanh
        self.layers = nn.ModuleDict(
            {_key(name): nn.Linear(width, out) for name, (out, width) in shape.layers().items()}
        )
        widths = [shape.observation + seen, *critic, 1] if critic else []
        self.critic = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(widths))
        for name in shape.layers():
            _begin(self.layers[_key(name)], {"logits": 0.01, "values": 1.0}.get(name, math.sqrt(2)))
        for layer in self.critic:
            _begin(layer, 1.0 if layer is self.critic[-1] else math.sqrt(2))

    def features(self, observations: torch.Tensor) -> torch.Tensor:
        """What trunk makes of observations (n, W)."""
        return self._hidden("shared", observations)

    def logits(self, features: torch.Tensor) -> torch.Tensor:
        """float32 (n, A), not masked."""
        return self.layers[_key("logits")](self._hidden("policy", features)).float()

    def values(self, features: torch.Tensor) -> torch.Tensor:
        """float32 (n,), of the exported value head."""
        return self.layers[_key("values")](self._hidden("value", features)).float()[:, 0]

    def judged(self, everything: torch.Tensor) -> torch.Tensor:
        """float32 (n,), of the critic that sees all: observation and the others' private features side by side."""
        x = everything
        for layer in self.critic[:-1]:
            x = self.activation(layer(x))
        return self.critic[-1](x).float()[:, 0]

    def exported(self) -> Network:
        """A frozen NumPy copy of the policy's part."""
        weights: dict[str, np.ndarray] = {}
        for name in self.shape.layers():
            layer: Any = self.layers[_key(name)]
            weights[f"{name}.weight"] = layer.weight.detach().numpy().copy()
            weights[f"{name}.bias"] = layer.bias.detach().numpy().copy()
        return Network(self.shape, weights)

    def take_up(self, network: Network, sharpen: float = 1.0) -> None:
        """Begin from the weights of an exported policy of the same shape, its logits times `sharpen`.

        The critic stays as it is.
        """
        assert network.shape == self.shape
        with torch.no_grad():
            for name in self.shape.layers():
                layer: Any = self.layers[_key(name)]
                layer.weight.copy_(torch.from_numpy(network.weights[f"{name}.weight"]))
                layer.bias.copy_(torch.from_numpy(network.weights[f"{name}.bias"]))
            for part in self.layers[_key("logits")].parameters():
                part.mul_(sharpen)

    def _hidden(self, stack: str, x: torch.Tensor) -> torch.Tensor:
        for k in range(len(getattr(self.shape, stack))):
            x = self.activation(self.layers[_key(f"{stack}.{k}")](x))
        return x


def _key(layer: str) -> str:
    """torch's names of modules have no dots, nor may they be those of a dict's methods."""
    return f"layer_{layer.replace('.', '_')}"


def _begin(layer: Any, gain: float) -> None:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)


def shape_of(game: Game, network: NetworkSettings) -> NetworkShape:
    """The network that the settings ask for, for this game."""
    return NetworkShape(
        game.observation_size, game.num_actions, tuple(network.shared), tuple(network.policy), tuple(network.value),
        network.activation,
    )  # fmt: skip


def log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """float32 (n, A): of the allowed actions; about MASKED for the others."""
    return functional.log_softmax(logits.masked_fill(~masks, MASKED), dim=1)


def step(model: nn.Module, optimizer: torch.optim.Optimizer, loss: torch.Tensor, max_norm: float) -> None:
    """One step down the gradient of `loss`, clipped.

    Raises:
        DivergedError: the loss or the gradient is not finite; the weights are as they were.
    """
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    if not torch.isfinite(loss + norm):
        raise DivergedError(
            "the network diverged: its loss is no finite number; lower the learning rate (ppo.learning_rate,"
            " imitation.learning_rate). The last checkpoint is kept"
        )
    optimizer.step()


class Kept:
    """What a learner with one network and one optimiser keeps, and takes up again; `deal` begins with new games."""

    model: ActorCritic
    optimizer: torch.optim.Optimizer
    steps: int

    def deal(self, seed: int) -> None:
        """Begin with new games in all rows."""
        raise NotImplementedError

    def network(self) -> Network:
        """A frozen copy of the policy."""
        return self.model.exported()

    def parameters(self) -> dict[str, Any]:
        """Network and optimiser, for a checkpoint."""
        return {"network": self.model.state_dict(), "network.optimizer": self.optimizer.state_dict()}

    def restore(self, parameters: dict[str, Any], steps: int, seed: int) -> None:
        """Take up a checkpoint, with new games."""
        self.model.load_state_dict(parameters["network"])
        self.optimizer.load_state_dict(parameters["network.optimizer"])
        self.steps = steps
        self.deal(seed)


def settings_of(shape: NetworkShape) -> Mapping[str, Any]:
    """The entries of NetworkSettings that make this shape."""
    return {
        "shared": shape.shared, "policy": shape.policy, "value": shape.value, "activation": shape.activation,
    }  # fmt: skip
