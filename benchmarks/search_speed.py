"""Simulations per second of the search in every game, beside plain random playouts.

    python -m benchmarks.search_speed [--games NAME ...] [--kinds KIND ...] [--out benchmarks/results/search_speed.md]

Two players, one core, positions of mid-game (random play). `playouts` is flat Monte Carlo: determinise, one action, random
play to the end. `tree` grows the information-set tree with the same random playouts; `search` is the agent `search:N` with
the game's measured settings (agents/banquet_agents/search.toml). `network` is `search:N,policy=FOLDER` with a network of the
shape that `banquet train` makes for the game, and of random weights, which cost as much as trained ones. Medians (range) over
interleaved repeats; seconds are the processor's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from banquet_agents.compiled import RANDOM
from banquet_agents.policy_search import PolicySearchAgent
from banquet_agents.registry import playouts_of
from banquet_agents.search import GUIDED, SearchAgent, SearchSettings, settings_for
from banquet_envs import list_games, make_game
from banquet_envs.core import state as records
from banquet_envs.core.game import Game
from banquet_envs.testing import random_actions
from benchmarks.throughput import interleaved, machine, thousands

SIMULATIONS = 400
POSITIONS = 24
KINDS = ("playouts", "tree", "search", "network")


def positions(game: Game) -> np.recarray:
    """POSITIONS records after as many random decisions each; those with a choice."""
    rng, found = np.random.default_rng(1), []
    states = game.reset(8 * POSITIONS, 1)
    for _ in range(POSITIONS):
        states = records.take(states, np.flatnonzero(~states.over))
        masks = game.legal_actions(states)
        choices = np.flatnonzero(masks.sum(axis=1) > 1)
        found.append(records.raw(records.take(states, choices[:1])))
        game.step_trusted(states, random_actions(masks, rng))
    return np.concatenate(found).view(game.spec.state).view(np.recarray)


def searcher(game: Game, kind: str) -> SearchAgent:
    """The agent that is measured."""
    if kind == "network":
        from banquet_training.actor_critic import ActorCritic, shape_of
        from banquet_training.settings import load_settings

        network = ActorCritic(shape_of(game, load_settings(game.name).network)).exported()
        return PolicySearchAgent(game, kind, replace(GUIDED, simulations=SIMULATIONS), RANDOM, network)
    settings = settings_for(game.name) if kind == "search" else SearchSettings()
    settings = replace(settings, simulations=SIMULATIONS, tree=kind != "playouts")
    return SearchAgent(game, kind, settings, playouts_of(game.name)[settings.playout])


def rate(game: Game, kind: str) -> Callable[[], float]:
    """A measurement: simulations per second."""
    agent, states = searcher(game, kind), positions(game)
    agent.search(records.take(states, np.arange(1)))

    def measure() -> float:
        start = time.process_time()
        done = agent.search(states)[1].sum()
        return float(done / (time.process_time() - start))

    return measure


def draw(rates: dict[str, dict[str, list[float]]], file: Path) -> None:
    """Bars on a logarithmic scale."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    at = np.arange(len(rates))
    kinds = list(next(iter(rates.values())))
    for k, kind in enumerate(kinds):
        values = [np.median(r[kind]) for r in rates.values()]
        bars = axes.bar(at + 0.84 / len(kinds) * (k - (len(kinds) - 1) / 2), values, 0.8 / len(kinds), label=kind)
        axes.bar_label(bars, [f"{v / 1000:,.1f}k" for v in values], fontsize=7)
    axes.set_yscale("log")
    axes.set_xticks(at, [name.replace("_", " ") for name in rates], fontsize=8)
    axes.set_ylabel("simulations per second, one core")
    axes.legend(fontsize=8)
    figure.savefig(file)


def table(rates: dict[str, dict[str, list[float]]]) -> str:
    """The Markdown page."""
    kinds = list(next(iter(rates.values())))
    lines = [
        "# Simulations per second", "", f"Machine: {machine()}.", "",
        f"Command: `python -m benchmarks.search_speed {' '.join(sys.argv[1:])}`. Thousands per second: median (range)."
        " What the kinds are stands in the script's head.", "",
        f"| game | settings of `search` | {' | '.join(kinds)} |", "| --- | --- |" + " ---: |" * len(kinds),
    ]  # fmt: skip
    for name, found in rates.items():
        s = settings_for(name)
        how = f"{s.playout}, {s.depth} decisions" if s.depth else f"{s.playout}, to the end"
        lines.append(f"| {name} | {how} | " + " | ".join(thousands(found[kind]) for kind in kinds) + " |")
    return "\n".join([*lines, "", "![Simulations per second](search_speed.png)"]) + "\n"


def main(
    games: Annotated[list[str] | None, typer.Option(help="Which games; all when not given.")] = None,
    kinds: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(KINDS)}; all when not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the page here too, and a plot beside it.")] = None,
) -> None:
    """Measure and print the table."""
    rates = {}
    for name in games or list_games():
        game = make_game(name, 2)
        rates[name] = interleaved({kind: rate(game, kind) for kind in kinds or KINDS}, name)
    page = table(rates)
    print(page)
    if out is not None:
        out.write_text(page)
        draw(rates, out.with_suffix(".png"))


if __name__ == "__main__":
    typer.run(main)
