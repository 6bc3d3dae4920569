"""Steps per second of every registered game, masks and observations included.

    python -m benchmarks.throughput [--games NAME ...] [--out benchmarks/results/throughput.md]

A step is one decision: the action applied, a finished game restarted, the next mask and the mover's observation written.
Actions are uniformly random legal ones, drawn outside the timed part for batches and inside it for the AEC environment
(whose users draw them, too). Rates are medians over interleaved repeats, with the range; on a shared machine compare only
figures of one run. `copy` is what copying the same bytes of observations costs, as steps per second: the ceiling that
memory sets. `rules only` applies actions and does no more. `vector environment` is Gymnasium's, the opponents random, per
decision of the learner; `playouts` are random ones from mid-game to the end, `search` the simulations of `search:N`, both
as benchmarks/search_speed.py measures them for two players. `--out` also writes a plot beside the page.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import track

from banquet_envs import list_games, make_game
from banquet_envs.core import state as records
from banquet_envs.core.game import Game
from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.envs.vector import BanquetVector
from banquet_envs.testing import random_actions

BATCHES = (1, 64, 1024, 4096, 8192)
THREADS = (1, 2)
REPEATS = 5
SECONDS = 0.15


def pace(n: int, call: Callable[..., Any], prepare: Callable[[], tuple[Any, ...]] = tuple) -> Callable[[], float]:
    """A measurement of `call`, which does `n` of something: per second, without the time that its arguments take."""

    def measure() -> float:
        spent, done = 0.0, 0
        while spent < SECONDS:
            arguments = prepare()
            start = time.perf_counter()
            call(*arguments)
            spent += time.perf_counter() - start
            done += n
        return done / spent

    return measure


def batch_rate(game: Game, n: int) -> Callable[[], float]:
    """A measurement of `advance_trusted` on n games: steps per second of the compiled call alone."""
    rng = np.random.default_rng(1)
    states, buffers = game.reset(n, 1), game.buffers(n)
    buffers.mask[:] = game.legal_actions(states)
    return pace(n, game.advance_trusted, lambda: (states, random_actions(buffers.mask, rng), buffers))


def rules_rate(game: Game, n: int) -> Callable[[], float]:
    """A measurement of `step_trusted` on n games: actions applied per second, neither masks nor observations."""
    rng = np.random.default_rng(1)
    states, buffers = game.reset(n, 1), game.buffers(n)
    buffers.mask[:] = game.legal_actions(states)

    def prepare() -> tuple[np.ndarray, np.ndarray]:
        actions, copies = random_actions(buffers.mask, rng), records.copy(states)
        game.advance(states, actions, buffers)  # restarts what is over
        return copies, actions

    return pace(n, game.step_trusted, prepare)


def vector_rate(name: str, players: int, n: int = 1024) -> Callable[[], float]:
    """Decisions of the learner per second in the Gymnasium vector environment against random opponents."""
    rng = np.random.default_rng(1)
    env = BanquetVector(name, n, players)
    env.reset(seed=1)
    env.step(random_actions(env.action_masks(), rng))  # compiles what the opponents need
    return pace(n, env.step, lambda: (random_actions(env.action_masks(), rng),))


def copy_rate(game: Game, n: int) -> Callable[[], float]:
    """Rows of observations that NumPy copies per second."""
    source = np.random.default_rng(1).random((n, game.observation_size), np.float32)
    target = np.empty_like(source)
    return pace(n, lambda: np.copyto(target, source))


def aec_rate(env) -> Callable[[], float]:
    """Steps per second through PettingZoo's own loop; actions drawn with NumPy from the mask."""
    rng = np.random.default_rng(1)

    def measure() -> float:
        start, steps, seed = time.perf_counter(), 0, 0
        while time.perf_counter() - start < 2 * SECONDS:
            seed += 1
            env.reset(seed=seed)
            for _ in env.agent_iter():
                view, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = np.flatnonzero(view["action_mask"])
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
        return steps / (time.perf_counter() - start)

    return measure


def operation_rate(game: Game, what: str, n: int = 1024) -> Callable[[], float]:
    """Games per second of masks, observations, copying, saving and determinising records in mid-game."""
    rng = np.random.default_rng(1)
    states = game.reset(n, 1)
    buffers = game.buffers(n)
    buffers.mask[:] = game.legal_actions(states)
    for _ in range(200):  # games are restarted as they end, so all parts of a game are there
        game.advance(states, random_actions(buffers.mask, rng), buffers)
    calls = {
        "masks": lambda: game.legal_actions(states, buffers.mask),
        "observations": lambda: game.observe(states, None, buffers.observation),
        "copy": lambda: records.copy(states),
        "save": lambda: game.save(states),
        "determinize": lambda: game.determinize(states, None, 1),
    }
    return pace(n, calls[what])


_START = (
    "import time; t = time.perf_counter(); import banquet_envs; i = time.perf_counter() - t;"
    "g = banquet_envs.make_game({name!r}); [getattr(g.kernels, k) for k in g.kernels.names()];"
    "print(i, time.perf_counter() - t - i)"
)


def start_times(name: str) -> tuple[float, float, float]:
    """Seconds: importing the package, compiling every kernel of a game in a fresh cache, loading them from it."""
    with tempfile.TemporaryDirectory() as cache:
        times = []
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", _START.format(name=name)],
                env={**os.environ, "BANQUET_CACHE_DIR": cache}, capture_output=True, text=True, check=True,
            )  # fmt: skip
            times.append([float(x) for x in done.stdout.split()])
    return times[1][0], times[0][1], times[1][1]


def machine() -> str:
    """Hardware and versions, for the head of the table."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    versions = ", ".join(
        f"{p} {metadata.version(p)}" for p in ("banquet-envs", "numpy", "numba", "pettingzoo", "gymnasium")
    )
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"{model}, {os.cpu_count()} logical cores, load average {load} at the start; Python {platform.python_version()}, {versions}"


def thousands(rates: list[float]) -> str:
    """Median and range in thousands per second."""
    low, middle, high = np.quantile(rates, [0, 0.5, 1]) / 1000
    digits = 0 if middle >= 100 else 1
    return f"{middle:,.{digits}f} ({low:,.{digits}f}–{high:,.{digits}f})"


def interleaved(measures: dict[str, Callable[[], float]], title: str) -> dict[str, list[float]]:
    """Every measure in turn, REPEATS times: a busy moment hits all of them alike."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in track(range(REPEATS), description=title):
        for name, measure in measures.items():
            found[name].append(measure())
    return found


def measure_game(name: str, players: int) -> dict[str, list[float]]:
    """All rates of one game at one player count."""
    game = make_game(name, players)
    measures: dict[str, Callable[[], float]] = {"aec": aec_rate(BanquetAEC(game))}
    for threads in THREADS:
        for n in BATCHES:
            if threads == 1 or n >= 1024:
                measures[f"{n} games, {threads} threads"] = batch_rate(make_game(name, players, threads=threads), n)
    measures["rules only, 1024 games"] = rules_rate(game, 1024)
    measures["vector environment, 1024 games"] = vector_rate(name, players)
    measures["copy of 4096 observations"] = copy_rate(game, 4096)
    for what in ("masks", "observations", "copy", "save", "determinize"):
        measures[f"records: {what}"] = operation_rate(game, what)
    if players == 2:
        from benchmarks.search_speed import rate  # which uses this module

        measures["playouts"], measures["search"] = rate(game, "playouts"), rate(game, "search")
    from pettingzoo.classic import connect_four_v3  # needs pygame, which whoever borrows from this module may lack

    measures["connect_four_v3"] = aec_rate(connect_four_v3.env())
    return interleaved(measures, f"{name}, {players} players")


def measure_all(names: list[str]) -> dict[tuple[str, int], dict[str, list[float]]]:
    """The rates of every game at two players and at its most."""
    found = {}
    for name in names:
        spec = make_game(name).spec
        for players in sorted({max(2, spec.min_players), spec.max_players}):
            found[name, players] = measure_game(name, players)
    return found


def summary(found: dict[tuple[str, int], dict[str, list[float]]]) -> list[str]:
    """One line for each game and number of players."""
    lines = [
        "| game | players | features | thousands of steps/s, one core, 1,024 games | share of a copy of the observations"
        " | two threads / one, 4,096 games | AEC, thousands of steps/s | AEC / PettingZoo's `connect_four_v3` |",
        "| --- |" + " ---: |" * 7,
    ]
    for (name, players), rates in found.items():
        middle = {what: float(np.median(values)) for what, values in rates.items()}
        one, two = (middle[f"4096 games, {t} threads"] for t in THREADS)
        cells = [
            name, str(players), str(make_game(name, players).observation_size),
            f"{middle['1024 games, 1 threads'] / 1000:,.0f}",
            f"{middle['1024 games, 1 threads'] / middle['copy of 4096 observations']:.0%}", f"{two / one:.2f}",
            f"{middle['aec'] / 1000:,.0f}", f"{middle['aec'] / middle['connect_four_v3']:.1f}",
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def details(found: dict[tuple[str, int], dict[str, list[float]]]) -> list[str]:
    """All rates, and how long a start takes."""
    lines: list[str] = []
    for (name, players), rates in found.items():
        game = make_game(name, players)
        if players == min(p for n, p in found if n == name):
            imported, compiled, loaded = start_times(name)
            lines += ["", f"## {game.spec.title}", "", f"Import {imported:.2f} s; compiling every kernel {compiled:.1f} s"
                      f" once; loading them from the cache {loaded:.2f} s."]  # fmt: skip
        lines += ["", f"{players} players, {game.observation_size} features, {game.num_actions} actions,"
                  f" record of {game.spec.state.itemsize} bytes:", "", "| what | thousands/s |", "| --- | ---: |"]  # fmt: skip
        lines += [f"| {what} | {thousands(values)} |" for what, values in rates.items()]
    return lines


def table(names: list[str]) -> tuple[str, dict[tuple[str, int], dict[str, list[float]]]]:
    """The Markdown page, and the rates."""
    head = [
        "# Throughput",
        "",
        f"Machine: {machine()}.",
        "",
        "Command: `python -m benchmarks.throughput --out benchmarks/results/throughput.md`. Thousands of steps (or records) per"
        f" second: median (range) of {REPEATS} interleaved repeats. What a step includes stands in the script's head.",
        "",
    ]
    found = measure_all(names)
    lines = [*head, *summary(found), "", "![Steps per second by batch](throughput.png)", *details(found)]
    return "\n".join(lines) + "\n", found


def draw(found: dict[tuple[str, int], dict[str, list[float]]], file: Path) -> None:
    """Steps per second on one core against the number of games side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for (name, players), rates in found.items():
        if players == min(p for n, p in found if n == name):
            values = [np.median(rates[f"{n} games, 1 threads"]) for n in BATCHES]
            axes.plot(BATCHES, values, marker="o", label=f"{make_game(name).spec.title}, {players} players")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("games side by side")
    axes.set_ylabel("steps per second, one core")
    axes.grid(which="both", alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(file)


def main(
    games: Annotated[list[str] | None, typer.Option(help="Which games; all when not given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the page here too, and a plot beside it.")] = None,
) -> None:
    """Measure and print the throughput table."""
    page, found = table(games or list_games())
    print(page)
    if out is not None:
        out.write_text(page)
        draw(found, out.with_suffix(".png"))


if __name__ == "__main__":
    typer.run(main)
