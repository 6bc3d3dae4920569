"""Connect Four here and elsewhere: decisions per second of random play in one run, and how long a start takes.

    pip install -e ".[bench]"
    python -m benchmarks.peers [--out benchmarks/results/peers.md]

What a decision includes, and how each library is used, stands in `benchmarks/contestants.py`. Every contestant lives in
worker processes of its own, pinned to one core or to two before its library is imported; they are measured one at a
time, in turn, several times over, so that a busy moment of the machine hits all of them alike. `--out` also writes a plot
beside the page.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.progress import track

from benchmarks.contestants import BATCHES, CONTESTANTS, MODES, ONE_CORE, TWO_CORES, TWO_PROCESSES, Contestant, Play
from benchmarks.throughput import machine, thousands

ROOT = Path(__file__).parent.parent
START_BATCH = 1024
STARTS = 3

# ---------------------------------------------------------------- in a worker process

_GAMES: dict[tuple[str, int], Play] = {}


def pin(cores: list[int]) -> None:
    """Keep this process on some cores; called before any contestant's library is imported."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    if len(cores) == 1:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"


def prepare(contestant: Contestant, batch: int, threads: int) -> float:
    """Make the games and play a first block, so that everything is compiled.

    Returns:
        The mean length of 2,000 random games: the same in every library, if all play one game. nan for the large batches,
        where so few games would be mostly the quick ones.
    """
    play = _GAMES[contestant.name, batch] = contestant.start(batch, threads)
    play()
    decisions = finished = 0
    while batch <= 64 and finished < 2000:
        more, ended = play()
        decisions, finished = decisions + more, finished + ended
    return decisions / finished if finished else float("nan")


def rate(name: str, batch: int, seconds: float) -> float:
    """Decisions per second."""
    play = _GAMES[name, batch]
    start, decisions = time.perf_counter(), 0
    while (spent := time.perf_counter() - start) < seconds:
        decisions += play()[0]
    return decisions / spent


# ---------------------------------------------------------------- one contestant on certain cores


@dataclass
class Entry:
    """A contestant in one mode: its workers and what has been measured.

    Attributes:
        contestant, mode: who, and on which cores.
        workers: one, or two that are measured at the same moment and added up.
        threads: within a worker.
        rates: batch -> decisions per second, one for each repeat.
        length: batch -> mean length of a game.
        failure: why there is nothing to measure.
    """

    contestant: Contestant
    mode: str
    workers: Sequence[Executor]
    threads: int
    rates: dict[int, list[float]] = field(default_factory=dict)
    length: dict[int, float] = field(default_factory=dict)
    failure: str = ""

    def prepare(self) -> None:
        """Everything up to the first measurement."""
        try:
            for batch in self.contestant.batches:
                waiting = [w.submit(prepare, self.contestant, batch, self.threads) for w in self.workers]
                self.length[batch] = float(np.mean([w.result() for w in waiting]))
                self.rates[batch] = []
        except Exception as error:  # whatever a foreign library does: the page says what
            self.failure = f"{type(error).__name__}: {error}"
            self.rates.clear()

    def measure(self, batch: int, seconds: float) -> None:
        """One more rate."""
        waiting = [w.submit(rate, self.contestant.name, batch, seconds) for w in self.workers]
        self.rates[batch].append(sum(w.result() for w in waiting))

    def best(self) -> tuple[int, float]:
        """The batch with the highest median, and that median."""
        return max(((batch, float(np.median(r))) for batch, r in self.rates.items()), key=lambda found: found[1])


def entries(contestants: list[Contestant], stack: ExitStack) -> Iterator[Entry]:
    """All contestants in all modes that the machine has cores for; their workers end with `stack`."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    places = {ONE_CORE: [cores[:1]], TWO_CORES: [cores[:2]], TWO_PROCESSES: [cores[:1], cores[1:2]]}
    for contestant in contestants:
        for mode in contestant.modes:
            if mode == ONE_CORE or len(cores) > 1:
                workers = [
                    stack.enter_context(ProcessPoolExecutor(1, get_context("spawn"), pin, (place,)))
                    for place in places[mode]
                ]
                yield Entry(contestant, mode, workers, 2 if mode == TWO_CORES else 1)


def measured(contestants: list[Contestant], repeats: int, seconds: float) -> list[Entry]:
    """Every entry, batch after batch, in turn, `repeats` times."""
    with ExitStack() as stack:
        found = list(entries(contestants, stack))
        for entry in track(found, description="starting"):
            entry.prepare()
        jobs = [(entry, batch) for _ in range(repeats) for entry in found for batch in entry.rates]
        for entry, batch in track(jobs, description="measuring"):
            entry.measure(batch, seconds)
        return found


# ---------------------------------------------------------------- how long a start takes


def first_block(name: str) -> None:
    """What a new process does up to its first decisions."""
    contestant = next(c for c in CONTESTANTS if c.name == name)
    contestant.start(START_BATCH if START_BATCH in contestant.batches else 1, 1)()


def start_times(contestant: Contestant) -> tuple[list[float], list[float]]:
    """Seconds from a new interpreter to the end of its first block: caches empty, and caches filled by that start."""
    times: tuple[list[float], list[float]] = [], []
    command = [sys.executable, "-c", f"from benchmarks.peers import first_block; first_block({contestant.name!r})"]
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as cache:
            env = {
                **os.environ,
                "BANQUET_CACHE_DIR": cache,
                "JAX_COMPILATION_CACHE_DIR": cache,
                "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
                "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
            }
            for kind in times:
                start = time.perf_counter()
                subprocess.run(command, env=env, cwd=ROOT, capture_output=True, check=True)
                kind.append(time.perf_counter() - start)
    return times


# ---------------------------------------------------------------- the page


def versions(contestants: list[Contestant]) -> str:
    """Installed versions of what is compared, to go on with the list in `machine`."""
    names = {"jax", "jaxlib", *(c.package for c in contestants)} - {"banquet-envs", "pettingzoo"}  # told by `machine`
    return "".join(f", {n} {metadata.version(n)}" for n in sorted(names) if any(metadata.distributions(name=n)))


def rates_table(found: list[Entry]) -> list[str]:
    """Thousands of decisions per second by batch."""
    batches = sorted({b for e in found for b in e.rates})
    lines = [
        "| contestant | cores | " + " | ".join(_games(b) for b in batches) + " |",
        "| --- | --- |" + " ---: |" * len(batches),
    ]
    for e in found:
        if e.rates:
            cells = [thousands(e.rates[b]) if b in e.rates else "" for b in batches]
            lines.append(f"| {e.contestant.name} | {e.mode} | " + " | ".join(cells) + " |")
    return lines


def _games(batch: int) -> str:
    return "1 game" if batch == 1 else f"{batch:,} games"


def best_of(found: list[Entry], words: str, mode: str | None = None) -> tuple[float, str] | None:
    """The highest median of the contestants whose name begins so, with where it was reached; AEC counts apart."""
    able = [
        (e.best(), e) for e in found if e.rates and e.contestant.name.startswith(words) and mode in (None, e.mode)
        and e.contestant.name.endswith("AEC") == words.endswith("AEC")
    ]  # fmt: skip
    if not able:
        return None
    (batch, value), entry = max(able, key=lambda pair: pair[0][1])
    return value, f"{entry.contestant.name}, {entry.mode}, {_games(batch)}"


def ratios(found: list[Entry]) -> list[str]:
    """Ours over theirs, each at its best."""
    lines = []
    for mode in (None, ONE_CORE):
        ours = best_of(found, "banquet-envs", mode)
        for peer in ("Pgx", "OpenSpiel", "EnvPool"):
            theirs = best_of(found, peer, mode)
            if ours and theirs:
                where = "each at its best" if mode is None else "each at its best on one core"
                lines.append(f"- {ours[0] / theirs[0]:.1f} × {peer}, {where}: {ours[1]} over {theirs[1]}")
    ours, theirs = best_of(found, "banquet-envs, AEC"), best_of(found, "PettingZoo, AEC")
    if ours and theirs:
        lines.append(f"- {ours[0] / theirs[0]:.1f} × PettingZoo through the AEC interface, one core")
    return lines


START_WORDS = (
    f"From a new interpreter to the end of its first block of decisions, {START_BATCH:,} games side by side (AEC: one), on all"
    f" cores: median (range) of {STARTS} starts with empty caches, and of as many that find them filled (ours: machine code on"
    " disk; JAX: its persistent compilation cache, switched on)."
)


def starts_table(contestants: list[Contestant]) -> list[str]:
    """Seconds of first and later starts."""
    lines = ["| contestant | first start, s | later start, s |", "| --- | ---: | ---: |"]
    for contestant in track(contestants, description="starts"):
        first, later = (f"{np.median(t):.1f} ({min(t):.1f}–{max(t):.1f})" for t in start_times(contestant))
        lines.append(f"| {contestant.name} | {first} | {later} |")
    return lines


def lengths(found: list[Entry]) -> str:
    """Every contestant's mean length of a random game."""
    told = []
    for contestant in {e.contestant.name: e.contestant for e in found}.values():
        values = [v for e in found if e.contestant is contestant for v in e.length.values() if v == v]
        if values:
            told.append(f"{contestant.name} {np.mean(values):.1f}")
    return "; ".join(told)


def page(found: list[Entry], starts: list[str], head: str, repeats: int, seconds: float, picture: str) -> str:
    """The Markdown page."""
    contestants = list({e.contestant.name: e.contestant for e in found}.values())
    compared = ratios(found)
    failures = {f"- {e.contestant.name}: {e.failure}" for e in found if e.failure}
    lines = [
        "# Connect Four side by side", "",
        f"Machine: {head}{versions(contestants)}.", "",
        "Command: `python -m benchmarks.peers --out benchmarks/results/peers.md`. Thousands of decisions per second of"
        f" uniformly random legal play: median (range) of {repeats} interleaved repeats of {seconds:g} s. The draw, the move,"
        " the next observation and mask, the look at who has finished and the restarts are all inside the timed part. Our"
        " game is the tutorial's, `docs/connect_four`.", "",
        *rates_table(found), "",
        f"![Decisions per second]({picture})", "",
        *(["Medians compared:", "", *compared, ""] if compared else []),
        "What is special about each loop (`benchmarks/contestants.py`):", "",
        *(f"- {c.name}: {c.loop}" for c in contestants), "",
        f"Mean length of a random game, which shows that all play the same one: {lengths(found)}.",
    ]  # fmt: skip
    if starts:
        lines += ["", "## Starts", "", START_WORDS, "", *starts]
    if failures:
        lines += ["", "Not measured:", "", *sorted(failures)]
    return "\n".join(lines) + "\n"


def plot(found: list[Entry], file: Path) -> None:
    """Decisions per second over the number of games, both axes logarithmic; a panel per mode."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    modes = [mode for mode in MODES if any(e.rates for e in found if e.mode == mode)]
    figure, panels = plt.subplots(
        1, len(modes), figsize=(3.6 * len(modes), 5.2), sharey=True, squeeze=False, layout="constrained"
    )
    lines = {}
    for mode, axes in zip(modes, panels[0], strict=True):
        for entry in (e for e in found if e.mode == mode and e.rates):
            batches, name = list(entry.rates), entry.contestant.name
            low, middle, high = np.array([np.quantile(entry.rates[b], [0, 0.5, 1]) for b in batches]).T
            lines[name] = axes.errorbar(
                batches, middle, [middle - low, high - middle], color=f"C{CONTESTANTS.index(entry.contestant)}",
                marker="o" if len(batches) > 1 else "D", markersize=5, capsize=3,
            )  # fmt: skip
        axes.set(xscale="log", yscale="log", title=mode, xlabel="games side by side")
        axes.set_xticks(BATCHES, [f"{b:,}" for b in BATCHES])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    panels[0, 0].set_ylabel("decisions per second, median and range")
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=min(4, len(lines)), fontsize=9)
    figure.savefig(file, dpi=120)
    plt.close(figure)


def main(
    only: Annotated[list[str] | None, typer.Option(help="Contestants whose name begins so; all by default.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Interleaved repeats.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.01, help="Length of one measurement.")] = 0.4,
    starts: Annotated[bool, typer.Option(help="Measure how long starts take, too.")] = True,
    out: Annotated[Path | None, typer.Option(help="Write the page here, and the plot beside it.")] = None,
) -> None:
    """Measure Connect Four here and in other libraries.

    \b
    Examples:
      python -m benchmarks.peers --out benchmarks/results/peers.md
      python -m benchmarks.peers --only Pgx --only "banquet-envs, advance" --repeats 2 --no-starts
    """
    chosen = [c for c in CONTESTANTS if only is None or c.name.startswith(tuple(only))]
    if not chosen:
        raise typer.BadParameter(f"--only {only}: choose from {', '.join(c.name for c in CONTESTANTS)}")
    head = machine()
    found = measured(chosen, repeats, seconds)
    able = [c for c in chosen if any(e.contestant is c and e.rates for e in found)]
    picture = out.with_suffix(".png") if out is not None else Path("peers.png")
    text = page(found, starts_table(able) if starts else [], head, repeats, seconds, picture.name)
    print(text)
    if out is not None:
        out.write_text(text)
        plot(found, picture)


if __name__ == "__main__":
    typer.run(main)
