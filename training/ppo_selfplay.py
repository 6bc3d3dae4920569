"""Self-play with sb3-contrib's MaskablePPO as it is, against scripted agents and frozen copies of itself.

Run: python training/ppo_selfplay.py [game] [--steps 500000] [--folder runs/ppo_selfplay]
Needs: pip install "banquet-envs[train]"

The learner holds one seat of every game, changing from game to game. Whoever holds the others is drawn from the pool for each
game. All of them move inside `step`, so what PPO sees is an ordinary environment with action masks.
"""

import argparse
from pathlib import Path

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import Network, save_policy
from banquet_envs import make_game
from banquet_training.pool import OpponentPool
from banquet_training.selfplay import SelfPlayVecEnv
from banquet_training.weights import network_of


def network(model: MaskablePPO) -> Network:
    """A frozen copy of the model's policy, which plays without SB3 and without torch."""
    policy = model.policy
    return network_of(
        nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net),
        nn.Sequential(policy.mlp_extractor.value_net, policy.value_net),
    )


class Freeze(BaseCallback):
    """Puts a copy of the learner into the pool every `every` rollouts."""

    def __init__(self, pool: OpponentPool, every: int) -> None:
        super().__init__()
        self.pool, self.every, self.rollouts = pool, every, 0

    def _on_rollout_end(self) -> None:
        self.rollouts += 1
        if self.rollouts % self.every == 0:
            self.pool.freeze(network(self.model), f"{self.num_timesteps} steps")

    def _on_step(self) -> bool:
        return True


def main() -> None:
    """Train, save, and say how strong the policy is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=500_000, help="decisions of the learner")
    parser.add_argument("--games", type=int, default=128, help="side by side")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("runs/ppo_selfplay"))
    args = parser.parse_args()

    game = make_game(args.game, players=args.players)
    odds = {"random": 0.2, "greedy": 0.3}
    pool = OpponentPool(game, odds, newest=0.0, frozen_weight=0.5, frozen=8, seed=args.seed, lenient=True)
    env = SelfPlayVecEnv(game, args.games, pool, seed=args.seed)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=64, batch_size=1024, n_epochs=4, gamma=1.0, learning_rate=5e-4, ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]}, device="cpu", seed=args.seed, verbose=1,
    )  # fmt: skip
    model.learn(args.steps, Freeze(pool, every=5), log_interval=5)

    save_policy(args.folder, game, network(model), {"learner": "sb3-contrib MaskablePPO", "steps": model.num_timesteps})
    model.save(args.folder / "sb3_model.zip")
    print(markdown(strength(game, f"policy:{args.folder}", games=args.matches, seed=args.seed)))
    print(f"saved: banquet play {args.game} --players {args.players} --against policy:{args.folder}")


if __name__ == "__main__":
    main()
