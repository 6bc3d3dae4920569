"""Self-play PPO in one file, with PyTorch alone, over a batch of games in which every seat learns.

Run: python training/ppo_single_file.py [game] [--steps 500000] [--folder runs/ppo_single_file]
Needs: pip install "banquet-envs[train]"

Each row of the environment shows the seat to move. A decision's outcome is known when the same seat is to move again, or when the
game ends: advantages run seat by seat, backwards through the interleaved turns.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.policy import save_policy
from banquet_envs.envs.selfplay import SelfPlayVector
from banquet_training.weights import network_of

GAMMA, TRACE, CLIP, EPOCHS, BATCH, ENTROPY, RATE = 1.0, 0.95, 0.2, 3, 1024, 0.01, 5e-4


class ActorCritic(nn.Module):
    """Two perceptrons: logits of the actions, and the return that the observing seat expects."""

    def __init__(self, width: int, actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.policy, self.value = (
            nn.Sequential(
                nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, out)
            )
            for out in (actions, 1)
        )  # fmt: skip

    def forward(
        self, observation: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """The distribution over legal actions, and values (n,), of float32 (n, W) and bool (n, A)."""
        logits = self.policy(observation).masked_fill(~mask, -1e8)
        return torch.distributions.Categorical(logits=logits), self.value(observation).squeeze(-1)


def collect(env: SelfPlayVector, net: ActorCritic, view: tuple, steps: int) -> tuple[dict[str, np.ndarray], tuple]:
    """`steps` decisions in every game: arrays (steps, n, ...), and the view to go on from: observation, reward, infos.

    `paid` is what the mover was paid since its own last decision, `finals` (steps, n, P) what each seat was when the decision ended
    the game, `ended`.
    """
    rows: list[tuple] = []
    for _ in range(steps):
        observation, paid, infos = view
        mask = infos["action_mask"].astype(bool)
        with torch.no_grad():
            chances, value = net(torch.from_numpy(observation), torch.from_numpy(mask))
            action = chances.sample()
        after, next_paid, ended, _, infos_after = env.step(action.numpy())
        finals = infos_after["final_info"]["rewards"] if ended.any() else np.zeros((env.num_envs, env.game.num_players))
        rows.append((observation, mask, infos["seat"], paid, action, chances.log_prob(action), value, finals, ended))
        view = after, next_paid, infos_after
    names = ("observation", "mask", "seat", "paid", "action", "log_p", "value", "finals", "ended")
    return {name: np.stack([np.asarray(row[k]) for row in rows]) for k, name in enumerate(names)}, view


def advantages(batch: dict[str, np.ndarray], players: int) -> tuple[np.ndarray, np.ndarray]:
    """GAE of each decision by the seat that took it, float32 (steps, n); and bool (steps, n), whether its outcome is known."""
    steps, n = batch["value"].shape
    every = np.arange(n)
    paid, value, better = (np.zeros((n, players), np.float32) for _ in range(3))  # at each seat's next decision
    settled = np.zeros((n, players), np.bool_)
    found, known = np.zeros((steps, n), np.float32), np.zeros((steps, n), np.bool_)
    for t in reversed(range(steps)):
        ended, seat = batch["ended"][t], batch["seat"][t]
        paid[ended], value[ended], better[ended], settled[ended] = batch["finals"][t][ended], 0.0, 0.0, True
        at = every, seat
        surprise = paid[at] + GAMMA * value[at] - batch["value"][t]
        known[t] = settled[at]
        found[t] = np.where(known[t], surprise + GAMMA * TRACE * better[at], 0.0)
        paid[at], value[at], better[at], settled[at] = batch["paid"][t], batch["value"][t], found[t], True
    return found, known


def improve(net: ActorCritic, optimizer: torch.optim.Optimizer, batch: dict[str, np.ndarray], players: int) -> float:
    """A few epochs of clipped PPO over the decisions whose outcome is known; the entropy of the policy at the end."""
    found, known = advantages(batch, players)
    picked = {name: torch.from_numpy(array[known]) for name, array in batch.items() if name != "finals"}
    advantage = torch.from_numpy(found[known])
    target = advantage + picked["value"]
    for _ in range(EPOCHS):
        for part in torch.randperm(len(advantage)).split(BATCH):
            chances, value = net(picked["observation"][part], picked["mask"][part])
            better = (advantage[part] - advantage[part].mean()) / (advantage[part].std(correction=0) + 1e-8)
            ratio = (chances.log_prob(picked["action"][part]) - picked["log_p"][part]).exp()
            gain = torch.minimum(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better)
            loss = 0.5 * (value - target[part]).square().mean() - gain.mean() - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
    return chances.entropy().mean().item()


def main() -> None:
    """Train, save, and say how strong the policy is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="great_evening_banquet")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=500_000, help="decisions of all seats")
    parser.add_argument("--games", type=int, default=128, help="side by side")
    parser.add_argument("--matches", type=int, default=400, help="games against each scripted agent at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("runs/ppo_single_file"))
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    env = SelfPlayVector(args.game, args.games, players=args.players)
    game = env.game
    net = ActorCritic(game.observation_size, game.num_actions)
    optimizer = torch.optim.Adam(net.parameters(), RATE, eps=1e-5)
    observation, infos = env.reset(seed=args.seed)
    view, steps, rollout = (observation, np.zeros(args.games), infos), 0, 64
    while steps < args.steps:
        batch, view = collect(env, net, view, rollout)
        entropy = improve(net, optimizer, batch, game.num_players)
        steps += rollout * args.games
        print(
            f"{steps} decisions, {batch['ended'].sum()} games ended in the last rollout, entropy {entropy:.2f}",
            flush=True,
        )

    save_policy(args.folder, game, network_of(net.policy, net.value), {"learner": "ppo_single_file", "steps": steps})
    print(markdown(strength(game, f"policy:{args.folder}", games=args.matches, seed=args.seed)))
    print(f"saved: banquet play {args.game} --players {args.players} --against policy:{args.folder}")


if __name__ == "__main__":
    main()
