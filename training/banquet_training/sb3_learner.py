"""Training with sb3-contrib's MaskablePPO, for those who know it: `banquet train --learner sb3`.

The same policy and buffer as sb3-contrib's, with fewer copies, and timed.

`LeanPolicy` computes the masked distribution once with one log-softmax instead of building `MaskableCategorical`
several times; `LeanBuffer` keeps masks as bool, stores without intermediate copies and samples from reshaped views.
Both are handed to MaskablePPO through its public arguments; a test holds them against the originals.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.nn import functional

from banquet_agents.policy import Network, NetworkShape
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_training.pool import OpponentPool
from banquet_training.profile import Profile
from banquet_training.selfplay import SelfPlayVecEnv
from banquet_training.selfplay_ppo import Conductor
from banquet_training.settings import NetworkSettings, Settings
from banquet_training.tuning import Annealed

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
_MASKED = -1e8


class Trunk(BaseFeaturesExtractor):
    """The hidden layers that policy and value share."""

    def __init__(self, observation_space: spaces.Box, widths: tuple[int, ...], activation: type[nn.Module]) -> None:
        width = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=widths[-1] if widths else width)
        layers: list[nn.Module] = []
        for size in widths:
            layers += [nn.Linear(width, size), activation()]
            width = size
        self.layers = nn.Sequential(*layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features (n, features_dim)."""
        return self.layers(observations)


class LeanPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's masked actor-critic, with one log-softmax per pass."""

    profile: Profile | None = None

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1) and log probabilities (n,) for observations, within the masks."""
        with (self.profile or Profile()).section("network: acting"):
            log_p, values = self._log_probabilities(obs, action_masks)
            if deterministic:
                actions = log_p.argmax(dim=1)
            else:
                actions = (log_p.exp() / torch.empty_like(log_p).exponential_()).argmax(dim=1)
            return actions, values, log_p.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values (n, 1), log probabilities and entropies (n,) of given actions."""
        log_p, values = self._log_probabilities(obs, action_masks)
        entropy = -(log_p.exp() * log_p).sum(dim=1)  # masked entries: 0 times -1e8
        return values, log_p.gather(1, actions[:, None])[:, 0], entropy

    def _log_probabilities(self, obs: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.extract_features(obs)
        latent_policy, latent_value = self.mlp_extractor(features)
        logits = self.action_net(latent_policy)
        if masks is not None:
            allowed = torch.as_tensor(masks, dtype=torch.bool).reshape(logits.shape)
            logits = logits.masked_fill(~allowed, _MASKED)
        return functional.log_softmax(logits, dim=1), self.value_net(latent_value)


class LeanBuffer(MaskableRolloutBuffer):
    """sb3-contrib's rollout buffer with bool masks, one copy in and one copy out."""

    def __init__(self, *args: Any, profile: Profile | None = None, **kwargs: Any) -> None:
        self.profile = profile or Profile()
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty the buffer; its arrays are kept."""
        if "action_masks" not in self.__dict__:
            super().reset()
            self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.bool_)
        self.pos, self.full, self.generator_ready = 0, False, False

    def add(  # type: ignore[override]
        self, obs: np.ndarray, action: np.ndarray, reward: np.ndarray, episode_start: np.ndarray,
        value: torch.Tensor, log_prob: torch.Tensor, action_masks: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Store one step of all games."""
        with self.profile.section("buffers"):
            k = self.pos
            self.observations[k] = obs
            self.actions[k] = action.reshape(self.n_envs, -1)
            self.rewards[k] = reward
            self.episode_starts[k] = episode_start
            self.values[k] = value.detach().numpy().ravel()
            self.log_probs[k] = log_prob.detach().numpy()
            if action_masks is not None:
                self.action_masks[k] = action_masks.reshape(self.n_envs, -1)
            self.pos += 1
            self.full = self.pos == self.buffer_size

    def get(  # type: ignore[override]
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Random minibatches of the whole buffer."""
        n = self.buffer_size * self.n_envs
        order = torch.from_numpy(np.random.permutation(n))  # noqa: NPY002  (the stream that SB3 seeds)
        flat = [
            torch.from_numpy(a).reshape(n, *a.shape[2:])
            for a in (self.observations, self.actions, self.values, self.log_probs, self.advantages, self.returns,
                      self.action_masks)
        ]  # fmt: skip
        for start in range(0, n, batch_size or n):
            with self.profile.section("buffers"):
                picked = order[start : start + (batch_size or n)]
                sample = MaskableRolloutBufferSamples(*(a[picked] for a in flat))
            yield sample


class TimedPPO(MaskablePPO):
    """MaskablePPO that notes where its time goes."""

    profile: Profile | None = None

    def collect_rollouts(self, *args: Any, **kwargs: Any) -> bool:
        """See MaskablePPO."""
        with (self.profile or Profile()).section("rollout loop"):
            return super().collect_rollouts(*args, **kwargs)

    def train(self) -> None:
        """See MaskablePPO."""
        with (self.profile or Profile()).section("network: learning"):
            super().train()


def policy_arguments(network: NetworkSettings) -> dict[str, Any]:
    """`policy_kwargs` for MaskablePPO with `LeanPolicy`."""
    activation = ACTIVATIONS[network.activation]
    return {
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": activation,
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": tuple(network.shared), "activation": activation},
    }


def exported(policy: nn.Module, settings: NetworkSettings, observation: int, actions: int) -> Network:
    """A frozen NumPy copy of the policy's network as it is now."""
    shape = NetworkShape(
        observation, actions, tuple(settings.shared), tuple(settings.policy), tuple(settings.value), settings.activation
    )
    stacks = {
        "shared": "features_extractor.layers",
        "policy": "mlp_extractor.policy_net",
        "value": "mlp_extractor.value_net",
    }
    held = policy.state_dict()
    weights = {}
    for layer in shape.layers():
        stack, _, k = layer.partition(".")
        source = f"{stacks[stack]}.{2 * int(k)}" if k else {"logits": "action_net", "values": "value_net"}[layer]
        for part in ("weight", "bias"):
            weights[f"{layer}.{part}"] = held[f"{source}.{part}"].detach().cpu().numpy().copy()
    return Network(shape, weights)


class SB3Learner:
    """MaskablePPO over SelfPlayVecEnv: the learner holds one seat of each game, the pool the others.

    Args:
        game, settings, pool, profile: as for selfplay_ppo.SelfPlayPPO.
        seed: of games, seats and opponents.
        model_seed: of the network.
        debug: check every action and observation.
        start: must be None.

    Attributes:
        env, model: SB3's two halves.
    """

    def __init__(
        self, game: Game, settings: Settings, pool: OpponentPool, seed: int, model_seed: int, debug: bool,
        profile: Profile, start: Network | None = None,
    ) -> None:  # fmt: skip
        if start is not None:
            raise OptionError("the learner sb3 cannot begin from a policy; choose selfplay")
        self.game, self.settings, self.pool = game, settings, pool
        ppo = settings.ppo
        self.learning_rate = Annealed(ppo.learning_rate, ppo.learning_rate_end)
        self.entropy_weight = Annealed(ppo.ent_coef, ppo.ent_coef_end)
        self.env = SelfPlayVecEnv(game, settings.run.games, pool, seed, debug, profile)
        self.model = TimedPPO(
            LeanPolicy, self.env, learning_rate=self.learning_rate, n_steps=ppo.n_steps, batch_size=ppo.batch_size,
            n_epochs=ppo.n_epochs, gamma=ppo.gamma, gae_lambda=ppo.gae_lambda, clip_range=ppo.clip_range,
            ent_coef=ppo.ent_coef, vf_coef=ppo.vf_coef, max_grad_norm=ppo.max_grad_norm, seed=model_seed, device="cpu",
            rollout_buffer_class=LeanBuffer, rollout_buffer_kwargs={"profile": profile},
            policy_kwargs=policy_arguments(settings.network),
        )  # fmt: skip
        self.model.profile = self.model.policy.profile = profile  # type: ignore[assignment]

    @property
    def steps(self) -> int:
        """Decisions of the learner so far."""
        return int(self.model.num_timesteps)

    @property
    def outcomes(self) -> list[Any]:
        """Of the environment."""
        return self.env.outcomes

    def learn(self, conductor: Conductor, total: int) -> None:
        """See selfplay_ppo.SelfPlayPPO."""
        self.model.set_logger(Logger(None, [_Relay(conductor)]))
        fresh = self.steps == 0
        self.model.learn(total - self.steps, _Between(self, conductor), log_interval=1, reset_num_timesteps=fresh)

    def anneal(self, done: float) -> None:
        """Set learning rate and entropy weight; the newest copy is renewed by the way."""
        self.learning_rate.done = self.entropy_weight.done = done
        self.model.ent_coef = self.entropy_weight()
        self.pool.renew(self.network())

    def network(self) -> Network:
        """A frozen copy of the policy."""
        return exported(self.model.policy, self.settings.network, self.game.observation_size, self.game.num_actions)

    def parameters(self) -> dict[str, Any]:
        """SB3's own, for a checkpoint."""
        return self.model.get_parameters()

    def restore(self, parameters: dict[str, Any], steps: int, seed: int) -> None:
        """Take up a checkpoint, with new games."""
        self.model.set_parameters(parameters, exact_match=True, device="cpu")
        self.model.num_timesteps = steps
        self.env.seed(seed)

    def save_zip(self, file: Path) -> None:
        """SB3's own file, for those who go on there."""
        self.model.save(file, exclude=["rollout_buffer_kwargs", "lr_schedule", "learning_rate", "profile"])


class _Between(BaseCallback):
    """Tells the conductor of SB3's rollouts."""

    def __init__(self, learner: SB3Learner, conductor: Conductor) -> None:
        super().__init__()
        self.learner, self.conductor = learner, conductor

    def _on_rollout_start(self) -> None:
        self.conductor.collecting()

    def _on_step(self) -> bool:
        return self.n_calls % 8 != 0 or self.conductor.keep_on()


class _Relay(KVWriter):
    """Hands SB3's figures to the conductor."""

    def __init__(self, conductor: Conductor) -> None:
        self.conductor = conductor

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0) -> None:
        """Numbers only."""
        self.conductor.note({k: float(v) for k, v in key_values.items() if isinstance(v, int | float | np.number)})

    def close(self) -> None:
        """Nothing to close."""
