"""Decisions per second of RLlib's PPO (training/rllib_ppo.py) on a local Ray cluster of two nodes of one core each.

    python -m benchmarks.cluster_speed [--game NAME] [--batch 1024] [--rounds 3] [--out benchmarks/results/cluster_speed.md]

Needs the environment of the extra `rllib`. One env runner, which takes one node, and two, one on each, by turns. `playing` is RLlib's
own call for the parts of a batch, from all runners; `training` is a whole iteration, in which the learner works in the script's
process, outside the nodes. Wall time: nodes, script and whatever else runs share this machine's cores; compare only within a run.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Annotated

import numpy as np
import ray
import typer
from ray.cluster_utils import Cluster
from ray.rllib.algorithms.ppo import PPO
from ray.rllib.execution.rollout_ops import synchronous_parallel_sample

from benchmarks.throughput import machine

sys.path.append(str(Path(__file__).parents[1] / "training"))
import rllib_ppo

RUNNERS = (1, 2)
KINDS = ("playing", "training")


def rates(algorithm: PPO, batch: int) -> dict[str, float]:
    """Decisions per second, playing alone and in a whole iteration."""

    def play() -> None:
        synchronous_parallel_sample(worker_set=algorithm.env_runner_group, max_env_steps=batch, concat=False)

    found = {}
    for kind, call in zip(KINDS, (play, algorithm.train), strict=True):
        start = time.perf_counter()
        call()
        found[kind] = batch / (time.perf_counter() - start)
    return found


def measured(game: str, runners: int, batch: int) -> dict[str, float]:
    """The rates of a fresh algorithm after a first iteration, which compiles and starts everything."""
    settings = argparse.Namespace(game=game, players=2, env_runners=runners, batch=batch, per_seat=False)
    algorithm = rllib_ppo.configured(settings).build_algo()
    nodes = algorithm.env_runner_group.foreach_env_runner(
        lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    assert len(set(nodes)) == runners, "a node was not free"
    algorithm.train()
    found = rates(algorithm, batch)
    algorithm.stop()
    return found


def told(rates: list[float]) -> str:
    """Median and range."""
    low, middle, high = np.quantile(rates, [0, 0.5, 1])
    return f"{middle:,.0f} ({low:,.0f}–{high:,.0f})"


def table(found: dict[int, dict[str, list[float]]], game: str, batch: int) -> str:
    """The Markdown page."""
    lines = [
        "# RLlib on one node and on two", "", f"Machine: {machine()}; ray {ray.__version__}.", "",
        f"Command: `python -m benchmarks.cluster_speed {' '.join(sys.argv[1:])}`. {game}, two players, batches of {batch:,}"
        " decisions; decisions per second, median (range). What is measured stands in the script's head.", "",
        f"| nodes of one core | {' | '.join(KINDS)} |", "| ---: |" + " ---: |" * len(KINDS),
    ]  # fmt: skip
    lines += [f"| {n} | " + " | ".join(told(rows[kind]) for kind in KINDS) + " |" for n, rows in found.items()]
    return "\n".join(lines) + "\n"


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "great_evening_banquet",
    batch: Annotated[int, typer.Option(help="Decisions.")] = 1024,
    rounds: Annotated[int, typer.Option(help="How often each is measured.")] = 3,
    out: Annotated[Path | None, typer.Option(help="Write the page here too.")] = None,
) -> None:
    """Measure and print the table."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(cluster.address, log_to_driver=False)
    rllib_ppo.register_env("banquet", lambda config: rllib_ppo.rllib_env(**config))
    found: dict[int, dict[str, list[float]]] = {n: {kind: [] for kind in KINDS} for n in RUNNERS}
    try:
        for _ in range(rounds):
            for runners in RUNNERS:
                for kind, rate in measured(game, runners, batch).items():
                    found[runners][kind].append(rate)
                    print(runners, kind, f"{rate:.0f} decisions/s", flush=True)
    finally:
        ray.shutdown()
        cluster.shutdown()
    page = table(found, game, batch)
    print(page)
    if out is not None:
        out.write_text(page)


if __name__ == "__main__":
    typer.run(main)
