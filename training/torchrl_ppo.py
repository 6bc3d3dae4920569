"""TorchRL: PettingZooWrapper, a masked policy that plays every seat, Collector, ClipPPOLoss.

Run: python training/torchrl_ppo.py [game] [--steps 200000] [--folder runs/torchrl_ppo]
Needs: pip install "banquet-envs[torchrl]"

All seats are one group: a row of a batch has an entry for each seat, and `mask` says which one has acted. Only those are decisions,
and what such a decision is worth is all that its seat is paid up to the end of the game.
"""

import argparse
from pathlib import Path

import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value.functional import reward2go

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import save_policy
from banquet_envs import make_game
from banquet_envs.envs.aec import BanquetAEC
from banquet_training.weights import network_of

EPOCHS, MINIBATCH = 4, 256


def actor(net: nn.Module, *group: str) -> ProbabilisticActor:
    """The policy over the entries of a group, or over single decisions."""
    logits = TensorDictModule(net, [(*group, "observation", "observation")], [(*group, "logits")])
    return ProbabilisticActor(
        logits, in_keys={"logits": (*group, "logits"), "mask": (*group, "action_mask")}, out_keys=[(*group, "action")],
        distribution_class=MaskedCategorical, return_log_prob=True,
    )  # fmt: skip


def decisions(data: TensorDictBase, group: str) -> TensorDictBase:
    """The decisions of a batch whose games have ended in it, flat, with `value_target`."""
    paid, done = data["next", group, "reward"], data["next", "done"]
    ended = done.flip(0).cumsum(0).flip(0) > 0
    worth = reward2go(paid, done.unsqueeze(1).expand_as(paid), gamma=1.0, time_dim=0)
    rows = data[group].exclude("reward").set("value_target", worth)
    return rows[data[group, "mask"] & ended]


def main() -> None:
    """Train, save, and say how strong the policy is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200_000, help="decisions of all seats")
    parser.add_argument("--batch", type=int, default=4096, help="decisions an iteration")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--folder", type=Path, default=Path("runs/torchrl_ppo"))
    args = parser.parse_args()

    torch.manual_seed(1)
    game = make_game(args.game, args.players)
    whole = MarlGroupMapType.ALL_IN_ONE_GROUP
    env = PettingZooWrapper(BanquetAEC(game), use_mask=True, group_map=whole, seed=1)
    (group,) = env.group_map
    sizes = {"in_features": game.observation_size, "num_cells": [128, 128], "activation_class": nn.Tanh}
    net, judge = MLP(out_features=game.num_actions, **sizes), MLP(out_features=1, **sizes)
    critic = ValueOperator(judge, in_keys=[("observation", "observation")])
    loss = ClipPPOLoss(actor(net), critic, entropy_coeff=0.01)
    loss.set_keys(sample_log_prob="action_log_prob")
    optimizer = torch.optim.Adam(loss.parameters(), 5e-4)
    steps = 0
    for data in Collector(env, actor(net, group), frames_per_batch=args.batch, total_frames=args.steps):
        batch = decisions(data, group)
        with torch.no_grad():
            batch["advantage"] = batch["value_target"] - critic(batch.copy())["state_value"]
        for _ in range(EPOCHS):
            for part in torch.randperm(len(batch)).split(MINIBATCH):
                losses = loss(batch[part])
                optimizer.zero_grad()
                sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
                optimizer.step()
        steps += args.batch
        print(f"{steps} decisions, {int(data['next', 'done'].sum())} games ended", flush=True)

    save_policy(args.folder, game, network_of(net, judge), {"learner": "TorchRL ClipPPOLoss", "steps": steps})
    print(markdown(strength(game, f"policy:{args.folder}", games=args.matches)))


if __name__ == "__main__":
    main()
