"""Training speed of every game: decisions per second end to end, beside plain Stable-Baselines3, and where the time goes.

    python -m benchmarks.training_speed [--games NAME ...] [--out benchmarks/results/training_speed.md]

Every game's default settings: self-play against the mixed pool, rollouts and updates as in a real run, no evaluations. Two
contestants learn in turn, on environments of their own with the same seed: `ours` is what `banquet train` uses
(`banquet_training.learner`), `stock` is sb3-contrib's MaskablePPO with its own policy and buffer and the same network. Both step the
same environment. One torch thread. A repeat is one rollout with its update; the first, which warms up, does not count.
"""

from __future__ import annotations

import os

# As in training/banquet_training/cli.py; works before NumPy's first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from banquet_envs import list_games
from banquet_training.learner import policy_arguments
from banquet_training.ppo import Trainer, game_of
from banquet_training.settings import load_settings
from benchmarks.throughput import interleaved, machine, thousands

SHARES = {
    "rules and observations": ("rules, masks, observations",),
    "network": ("network: acting", "network: learning"),
    "buffers": ("buffers",),
    "opponents": ("opponents",),
    "SB3's loop": ("rollout loop",),
    "bookkeeping": ("bookkeeping",),
}
"""The columns of the table, by sections of training/banquet_training/profile.py."""


class Renew(BaseCallback):
    """Before each rollout, give the pool the network as it is, as a real run does."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__()
        self.trainer = trainer

    def _on_rollout_start(self) -> None:
        self.trainer.pool.renew(self.trainer.network())

    def _on_step(self) -> bool:
        return True


def stock(trainer: Trainer) -> MaskablePPO:
    """sb3-contrib's learner with the trainer's settings and environment."""
    ppo = trainer.settings.ppo
    return MaskablePPO(
        MaskableActorCriticPolicy, trainer.env, learning_rate=ppo.learning_rate, n_steps=ppo.n_steps,
        batch_size=ppo.batch_size, n_epochs=ppo.n_epochs, gamma=ppo.gamma, gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range, ent_coef=ppo.ent_coef, vf_coef=ppo.vf_coef, max_grad_norm=ppo.max_grad_norm,
        seed=trainer.seed, device="cpu", policy_kwargs=policy_arguments(trainer.settings.network),
    )  # fmt: skip


def rate(trainer: Trainer) -> Callable[[], float]:
    """A measurement: decisions per second of one rollout with its update."""
    trainer.model.set_logger(Logger(None, []))
    trainer.pool.freeze(trainer.network(), "start")
    decisions = trainer.settings.run.games * trainer.settings.ppo.n_steps

    def measure() -> float:
        start = time.perf_counter()
        trainer.model.learn(decisions, Renew(trainer), reset_num_timesteps=False)
        return decisions / (time.perf_counter() - start)

    measure()
    trainer.profile.seconds.clear()
    return measure


def measure_game(name: str) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Decisions per second of both contestants, and shares of the time of `ours` by column."""
    settings = load_settings(name)
    game = game_of(name, settings.game)
    trainers = [Trainer(game, settings, seed=1, threads=1, debug=False, report=None) for _ in range(2)]
    torch.set_num_threads(1)
    trainers[1].model = stock(trainers[1])
    rates = interleaved({"ours": rate(trainers[0]), "stock": rate(trainers[1])}, name)
    seconds = trainers[0].profile.seconds
    total = sum(seconds.values())
    return rates, {column: sum(seconds.get(s, 0.0) for s in names) / total for column, names in SHARES.items()}


def table(names: list[str]) -> str:
    """The Markdown page."""
    lines = [
        "# Training speed", "", f"Machine: {machine()}, torch {torch.__version__}, one thread.", "",
        "Command: `python -m benchmarks.training_speed --out benchmarks/results/training_speed.md`. Thousands of the learner's"
        " decisions per second, rollout and update: median (range). What the contestants are stands in the script's head.", "",
        "| game | players | ours | stock | ours / stock | " + " | ".join(SHARES) + " |",
        "| --- |" + " ---: |" * (4 + len(SHARES)),
    ]  # fmt: skip
    for name in names:
        rates, shares = measure_game(name)
        ratio = np.median(rates["ours"]) / np.median(rates["stock"])
        players = game_of(name, load_settings(name).game).num_players
        cells = [name, str(players), thousands(rates["ours"]), thousands(rates["stock"]), f"{ratio:.2f}"]
        lines.append("| " + " | ".join([*cells, *(f"{s:.1%}" for s in shares.values())]) + " |")
    lines += ["", "Shares are those of `ours`; opponents are the pool's networks (in NumPy) and scripts."]
    return "\n".join(lines) + "\n"


def main(
    games: Annotated[list[str] | None, typer.Option(help="Which games; all when not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the page here too.")] = None,
) -> None:
    """Measure and print the table."""
    page = table(games or list_games())
    print(page)
    if out is not None:
        out.write_text(page)


if __name__ == "__main__":
    typer.run(main)
