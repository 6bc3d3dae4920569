"""Training speed of every game: decisions learned from per second of the processor, and where the time goes.

    python -m benchmarks.training_speed [--games NAME ...] [--out benchmarks/results/training_speed.md]

Every game's default settings: rollouts and updates as in a real run, no evaluations. Contestants learn in turn, on games of
their own with the same seed, with the same network and pool: `selfplay` is what `banquet train` uses
(`banquet_training.selfplay_ppo`), in float32 and with bfloat16 products; `sb3` is `--learner sb3`, and `stock` sb3-contrib's
MaskablePPO with its own policy and buffer, both in the shape of an update that they have always had (`SB3`). What counts for
`selfplay` are the decisions of all seats that learn, for the others those of the learner's one seat. One torch thread. A repeat
is one rollout with its update; the first, which warms up, does not count.
"""

from __future__ import annotations

import os

# As in training/banquet_training/cli.py; works before NumPy's first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import torch
import typer
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from banquet_envs import list_games
from banquet_training.sb3_learner import SB3Learner, policy_arguments
from banquet_training.selfplay_ppo import SelfPlayPPO
from banquet_training.settings import Settings, load_settings, overlaid
from banquet_training.trainer import Trainer, game_of
from benchmarks.throughput import interleaved, machine, thousands

SB3 = {"ppo": {"n_steps": 64, "batch_size": 4096, "n_epochs": 3, "clip_range": 0.2}}
"""The update that sb3's learner is given, as before there was another."""
SHARES = {
    "rules and observations": ("rules, masks, observations",),
    "acting": ("network: acting",),
    "learning": ("network: learning",),
    "opponents": ("opponents",),
}
"""The columns of the table, by sections of training/banquet_training/profile.py."""


class Renew(BaseCallback):
    """Before each rollout, give the pool the network as it is, as a real run does."""

    def __init__(self, trainer: Trainer) -> None:
        super().__init__()
        self.trainer = trainer

    def _on_rollout_start(self) -> None:
        self.trainer.pool.renew(self.trainer.learner.network())

    def _on_step(self) -> bool:
        return True


class Still:
    """A conductor (selfplay_ppo.Conductor) that does nothing."""

    def collecting(self) -> None:
        """No evaluation."""

    def keep_on(self) -> bool:
        """To the end."""
        return True

    def note(self, facts: dict[str, float]) -> None:
        """No figures."""


def trainer_of(name: str, learner: str, bfloat16: bool = False) -> Trainer:
    """A trainer with the game's default settings, and an opponent in the frozen copies' place."""
    settings: Settings = load_settings(name)
    if learner == "sb3":
        settings = overlaid(settings, SB3, "benchmark")
    settings = replace(settings, run=replace(settings.run, learner=learner))
    trainer = Trainer(game_of(name, settings.game), settings, seed=1, threads=1, debug=False, report=None)
    trainer.precision.bfloat16 = bfloat16
    trainer.pool.freeze(trainer.learner.network(), "start")
    return trainer


def stock(trainer: Trainer) -> MaskablePPO:
    """sb3-contrib's learner with the trainer's settings and environment."""
    ppo, learner = trainer.settings.ppo, trainer.learner
    assert isinstance(learner, SB3Learner)
    return MaskablePPO(
        MaskableActorCriticPolicy, learner.env, learning_rate=ppo.learning_rate, n_steps=ppo.n_steps,
        batch_size=ppo.batch_size, n_epochs=ppo.n_epochs, gamma=ppo.gamma, gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range, ent_coef=ppo.ent_coef, vf_coef=ppo.vf_coef, max_grad_norm=ppo.max_grad_norm,
        seed=trainer.seed, device="cpu", policy_kwargs=policy_arguments(trainer.settings.network),
    )  # fmt: skip


def timed(trainer: Trainer, learn: Callable[[], int]) -> Callable[[], float]:
    """A measurement: decisions per CPU second of one rollout with its update; `learn` tells how many there were."""

    def measure() -> float:
        start = time.process_time()
        decisions = learn()
        return decisions / (time.process_time() - start)

    measure()
    trainer.profile.seconds.clear()
    return measure


def selfplay_rate(trainer: Trainer) -> Callable[[], float]:
    """The rate of our own learner."""
    learner = trainer.learner
    assert isinstance(learner, SelfPlayPPO)

    def learn() -> int:
        before = learner.steps
        learner.learn(Still(), before + 1)
        return learner.steps - before

    return timed(trainer, learn)


def sb3_rate(trainer: Trainer, model: MaskablePPO) -> Callable[[], float]:
    """The rate of SB3's loop with this model."""
    decisions = trainer.settings.run.games * trainer.settings.ppo.n_steps
    model.set_logger(Logger(None, []))

    def learn() -> int:
        model.learn(decisions, Renew(trainer), reset_num_timesteps=False)
        return decisions

    return timed(trainer, learn)


def measure_game(name: str) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Decisions per second of all contestants, and shares of the time of `selfplay` in float32 by column."""
    torch.set_num_threads(1)
    plain, half = trainer_of(name, "selfplay"), trainer_of(name, "selfplay", bfloat16=True)
    lean, other = trainer_of(name, "sb3"), trainer_of(name, "sb3")
    assert isinstance(lean.learner, SB3Learner)
    rates = interleaved(
        {
            "selfplay": selfplay_rate(plain),
            "bfloat16": selfplay_rate(half),
            "sb3": sb3_rate(lean, lean.learner.model),
            "stock": sb3_rate(other, stock(other)),
        },
        name,
    )
    total = sum(plain.profile.seconds.values())
    return rates, {
        column: sum(plain.profile.seconds.get(s, 0.0) for s in names) / total for column, names in SHARES.items()
    }


def table(names: list[str]) -> str:
    """The Markdown page."""
    head = ["game", "players", "selfplay", "with bfloat16", "sb3", "stock", "selfplay / sb3", "bfloat16 / sb3", *SHARES]
    lines = [
        "# Training speed", "", f"Machine: {machine()}, torch {torch.__version__}, one thread.", "",
        "Command: `python -m benchmarks.training_speed --out benchmarks/results/training_speed.md`. Thousands of decisions learned"
        " from per CPU second, rollout and update: median (range). What the contestants are stands in the script's head.", "",
        "| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1),
    ]  # fmt: skip
    for name in names:
        rates, shares = measure_game(name)
        middle = {key: sorted(values)[len(values) // 2] for key, values in rates.items()}
        ratios = [f"{middle[key] / middle['sb3']:.2f}" for key in ("selfplay", "bfloat16")]
        players = game_of(name, load_settings(name).game).num_players
        cells = [name, str(players), *(thousands(values) for values in rates.values()), *ratios]
        lines.append("| " + " | ".join([*cells, *(f"{s:.1%}" for s in shares.values())]) + " |")
    lines += [
        "",
        "Shares are those of `selfplay` in float32; opponents are the pool's networks (in NumPy) and scripts.",
    ]
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
