"""RLlib's PPO, on one machine or on a Ray cluster: self-play against frozen copies, or a policy for every seat.

Run: python training/rllib_ppo.py [game] [--iterations 100] [--env-runners 4] [--address auto] [--per-seat] [--resume]
Needs: pip install "banquet-envs[rllib]" in an environment of its own (docs/ecosystem.md)
"""

import argparse
import random
from pathlib import Path

import ray
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModule, RLModuleSpec
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from torch.nn import Sequential

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import save_policy
from banquet_envs import make_game
from banquet_envs.adapters.rllib import rllib_env
from banquet_training.weights import network_of

LEARNER, FROZEN, FREEZE_EVERY = "learner", ("frozen_0", "frozen_1", "frozen_2", "frozen_3"), 5  # iterations


class Freeze(RLlibCallback):
    """Every few iterations the learner's weights go to the next frozen module; RLlib itself sends only what is trained."""

    def on_train_result(self, *, algorithm: PPO, **_: object) -> None:
        """RLlib's hook after an iteration."""
        if algorithm.iteration % FREEZE_EVERY == 0:
            copy = FROZEN[algorithm.iteration // FREEZE_EVERY % len(FROZEN)]
            weights = {copy: algorithm.learner_group.get_weights([LEARNER])[LEARNER]}
            algorithm.learner_group.set_weights(weights)
            algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_state({"rl_module": weights}))


def configured(args: argparse.Namespace) -> PPOConfig:
    """In self-play one seat of each game is the learner's, each other one the learner's or a frozen copy's."""

    def holder(agent: str, episode: object, **_: object) -> str:
        mine = hash(episode.id_) % args.players == int(agent.removeprefix("player_"))
        return agent if args.per_seat else LEARNER if mine else random.choice((LEARNER, *FROZEN))

    learning = [f"player_{k}" for k in range(args.players)] if args.per_seat else [LEARNER]
    modules = learning if args.per_seat else [LEARNER, *FROZEN]
    layers = DefaultModelConfig(fcnet_hiddens=[128, 128], vf_share_layers=False)
    spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=layers)
    return (
        PPOConfig()
        .environment("banquet", env_config={"game": args.game, "players": args.players})
        .env_runners(num_env_runners=args.env_runners)
        .fault_tolerance(restart_failed_env_runners=True)
        .multi_agent(policies=set(modules), policies_to_train=learning, policy_mapping_fn=holder)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(modules, spec)))
        .training(lr=5e-4, gamma=1.0, num_epochs=4, minibatch_size=256, train_batch_size_per_learner=args.batch)
        .callbacks(RLlibCallback if args.per_seat else Freeze)
    )  # fmt: skip


def exported(args: argparse.Namespace, module: str) -> str:
    """A module of the checkpoint as a `policy:` folder, which plays without Ray; its name."""
    net = RLModule.from_checkpoint(args.folder / "checkpoint" / "learner_group" / "learner" / "rl_module" / module)
    network = network_of(Sequential(net.encoder.actor_encoder, net.pi), Sequential(net.encoder.critic_encoder, net.vf))
    save_policy(args.folder / module, make_game(args.game, args.players), network, {"learner": "RLlib PPO"})
    return f"policy:{args.folder / module}"


def main() -> None:
    """Train, keep a checkpoint, export the policies, and say how strong they are."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=100, help="in all, those before a --resume included")
    parser.add_argument("--batch", type=int, default=8192, help="decisions an iteration")
    parser.add_argument("--env-runners", type=int, default=0, help="processes that play, one core each")
    parser.add_argument("--address", help="of a Ray cluster (auto: this machine's); else Ray starts here")
    parser.add_argument("--per-seat", action="store_true", help="a policy for every seat, in place of self-play")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--folder", type=lambda name: Path(name).absolute(), default="runs/rllib_ppo")
    args = parser.parse_args()
    ray.init(args.address, log_to_driver=False, ignore_reinit_error=True)
    register_env("banquet", lambda config: rllib_env(**config))
    algorithm = PPO.from_checkpoint(args.folder / "checkpoint") if args.resume else configured(args).build_algo()
    while algorithm.iteration < args.iterations:
        played = algorithm.train()["env_runners"]
        print(f"iteration {algorithm.iteration}: {played['num_env_steps_sampled_lifetime']:.0f} decisions", flush=True)
        algorithm.save_to_path(args.folder / "checkpoint")
    algorithm.stop()
    for module in algorithm.config.policies_to_train:
        print(markdown(strength(make_game(args.game, args.players), exported(args, module), games=args.matches)))


if __name__ == "__main__":
    main()
