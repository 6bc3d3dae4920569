"""Tianshou: its PettingZooEnv, a DQN with masks in one seat, a masked random policy in the others.

Run: python training/tianshou_dqn.py [game] [--epochs 50] [--folder runs/tianshou_dqn]
Needs: pip install "banquet-envs[tianshou]" in an environment of its own (docs/ecosystem.md)
"""

import argparse
from pathlib import Path

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import save_policy
from banquet_envs import make_game
from banquet_envs.envs.aec import BanquetAEC
from banquet_training.weights import network_of


class QNetwork(nn.Module):
    """Values of all actions; Tianshou hands over views, or its batch of `obs`, `mask` and `agent_id`, and masks by itself."""

    def __init__(self, width: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 128), nn.ReLU(), nn.Linear(128, actions))

    def forward(self, batch, state=None, info=None):
        """float32 (n, A), and the state as it came."""
        return self.layers(torch.as_tensor(getattr(batch, "obs", batch), dtype=torch.float32)), state


def main() -> None:
    """Train, save, and say how strong the policy is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--steps", type=int, default=5000, help="decisions an epoch")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--folder", type=Path, default=Path("runs/tianshou_dqn"))
    args = parser.parse_args()

    torch.manual_seed(1)
    game = make_game(args.game, args.players)
    train, test = (DummyVectorEnv([lambda: PettingZooEnv(BanquetAEC(game))] * n) for n in (8, 2))
    actions = PettingZooEnv(BanquetAEC(game)).action_space
    network = QNetwork(game.observation_size, game.num_actions)
    policy = DiscreteQLearningPolicy(model=network, action_space=actions, eps_training=0.1)
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200)
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions) for _ in range(args.players - 1)]
    seated = MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=PettingZooEnv(BanquetAEC(game)))
    buffer = VectorReplayBuffer(50_000, 8)
    result = seated.run_training(
        OffPolicyTrainerParams(
            training_collector=Collector[CollectStats](seated, train, buffer, exploration_noise=True),
            test_collector=Collector[CollectStats](seated, test),
            max_epochs=args.epochs, epoch_num_steps=args.steps, collection_step_num_env_steps=args.steps // 10,
            test_step_num_episodes=4, batch_size=128, update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
        )
    )  # fmt: skip
    print(f"{result.update_step} gradient steps, best mean return {result.best_reward:.2f}")

    save_policy(args.folder, game, network_of(network), {"learner": "Tianshou DQN"})
    print(markdown(strength(game, f"policy:{args.folder}", games=args.matches)))


if __name__ == "__main__":
    main()
