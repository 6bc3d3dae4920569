"""RLlib's PPO, on one machine or on a Ray cluster: self-play against frozen copies, or a policy of its own for every seat.

Run: python training/rllib_ppo.py [game] [--iterations 100] [--env-runners 4] [--address auto] [--per-seat] [--resume]
Needs: pip install "banquet-envs[rllib]" in an environment of its own (docs/ecosystem.md)
"""

import argparse
import random
from pathlib import Path

import ray
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from torch import nn

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import save_policy
from banquet_envs import make_game
from banquet_envs.adapters.rllib import rllib_env
from banquet_training.weights import network_of

FROZEN = ("frozen_0", "frozen_1", "frozen_2", "frozen_3")
FREEZE_EVERY = 5  # iterations


def one_learns(agent: str, episode, players: int = 2, **_) -> str:
    """One seat of each game is the learner's, each other one is the learner's or a frozen copy's, evenly."""
    draw = random.Random(f"{episode.id_}")
    holders = [random.Random(f"{episode.id_} {seat}").choice(("learner", draw.choice(FROZEN))) for seat in range(players)]
    holders[draw.randrange(players)] = "learner"
    return holders[int(agent.removeprefix("player_"))]


class Freeze(RLlibCallback):
    """Every few iterations the learner's weights go to the next of the frozen modules, and so to all workers."""

    def on_train_result(self, *, algorithm, **_) -> None:
        """RLlib's hook after an iteration."""
        if algorithm.iteration % FREEZE_EVERY == 0:
            copy = FROZEN[algorithm.iteration // FREEZE_EVERY % len(FROZEN)]
            modules = algorithm.learner_group.get_state("learner/rl_module/learner")["learner"]["rl_module"]
            algorithm.set_state({"learner_group": {"learner": {"rl_module": {copy: modules["learner"]}}}})


def config(game: str, players: int, env_runners: int, per_seat: bool, batch: int, seed: int) -> PPOConfig:
    """One module for all seats and frozen copies of it, or one for every seat."""
    seats = [f"player_{k}" for k in range(players)]
    modules = seats if per_seat else ["learner", *FROZEN]
    layers = DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="tanh", vf_share_layers=False)
    spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=layers)
    made = (
        PPOConfig()
        .environment("banquet", env_config={"game": game, "players": players})
        .env_runners(num_env_runners=env_runners, rollout_fragment_length="auto")
        .fault_tolerance(restart_failed_env_runners=True)
        .multi_agent(
            policies=set(modules),
            policies_to_train=seats if per_seat else ["learner"],
            policy_mapping_fn=(lambda agent, episode, **_: agent) if per_seat
            else (lambda agent, episode, **_: one_learns(agent, episode, players)),
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(modules, spec)))
        .training(train_batch_size_per_learner=batch, minibatch_size=min(512, batch), num_epochs=4, lr=5e-4, gamma=1.0,
                  entropy_coeff=0.01)
        .debugging(seed=seed)
    )  # fmt: skip
    return made if per_seat else made.callbacks(Freeze)


def export(checkpoint: Path, module: str, folder: Path, game: str, players: int) -> None:
    """A module of a checkpoint as a `policy:` folder, which plays without Ray."""
    net = RLModule.from_checkpoint(checkpoint / "learner_group" / "learner" / "rl_module" / module)
    encoder = net.encoder
    network = network_of(nn.Sequential(encoder.actor_encoder, net.pi), nn.Sequential(encoder.critic_encoder, net.vf))
    save_policy(folder, make_game(game, players), network, {"learner": "RLlib PPO", "module": module})


def main() -> None:
    """Train, keep a checkpoint, export the policies, and say how strong they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=100, help="in all, those before a --resume included")
    parser.add_argument("--batch", type=int, default=8192, help="decisions an iteration")
    parser.add_argument("--env-runners", type=int, default=0, help="processes that play, wherever the cluster has a core")
    parser.add_argument("--address", help="of a Ray cluster (auto: the one this machine belongs to); else Ray starts here")
    parser.add_argument("--per-seat", action="store_true", help="a policy for every seat, in place of self-play")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("runs/rllib_ppo"))
    args = parser.parse_args()

    ray.init(address=args.address, log_to_driver=False)
    register_env("banquet", lambda config: rllib_env(**config))
    checkpoint = (args.folder / "checkpoint").absolute()
    made = config(args.game, args.players, args.env_runners, args.per_seat, args.batch, args.seed)
    algorithm = PPO.from_checkpoint(checkpoint) if args.resume else made.build_algo()
    while algorithm.iteration < args.iterations:
        played = algorithm.train()["env_runners"]
        print(f"iteration {algorithm.iteration}: {played['num_env_steps_sampled_lifetime']:.0f} decisions", flush=True)
        algorithm.save_to_path(checkpoint)
    algorithm.stop()
    for module in [f"player_{k}" for k in range(args.players)] if args.per_seat else ["learner"]:
        export(checkpoint, module, args.folder / module, args.game, args.players)
        print(markdown(strength(make_game(args.game, args.players), f"policy:{args.folder / module}", games=args.matches)))


if __name__ == "__main__":
    main()
