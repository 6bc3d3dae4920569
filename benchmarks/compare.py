"""Is this version slower than another? Both run the same work in turn, and the ratios are reported.

    python -m benchmarks.compare [--base REVISION] [--games NAME ...] [--rounds N] [--out FILE]

For a pull request: REVISION is its base. The base's packages are unpacked from Git into a temporary folder; one process
for each version then plays the same games (random legal actions from one seed), a slice at a time and by turns, so a busy moment hits
both. Counted is CPU time, not wall time. `advance` is the batched training step of 1,024 games, `aec` PettingZoo's loop over
one. The command reports and never fails because of a figure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.progress import track

ROOT = Path(__file__).parents[1]
CLEAR = 0.03
"""A change within this share of 1 is not called one."""

WORKER = Path(__file__).with_name("compare_worker.py")


@dataclass(frozen=True)
class Work:
    """A game and what is done with it."""

    game: str
    players: int
    kind: str


@contextmanager
def version(place: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that measures the packages in `place`."""
    environment = {**os.environ, "PYTHONPATH": str(place)}
    process = subprocess.Popen(
        [sys.executable, str(WORKER)], env=environment, cwd=place, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def seconds(process: subprocess.Popen[str], work: Work) -> float:
    """CPU seconds of a step, of one slice of the work.

    Raises:
        RuntimeError: the process has ended.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{work.game} {work.players} {work.kind}\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError(f"{work.game}: one of the versions cannot play it (its error stands above)")
    return float(answer)


def unpack(revision: str, place: Path) -> None:
    """Put the packages of a revision into a folder.

    Raises:
        typer.BadParameter: no such revision.
    """
    done = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise typer.BadParameter(f"revision {revision!r}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(place, filter="data")


def players_of(games: list[str]) -> list[Work]:
    """What is measured: the fewest (above one) and the most players."""
    from banquet_envs.core.registry import game_spec

    found = []
    for name in games:
        spec = game_spec(name)
        for players in sorted({max(2, spec.min_players), spec.max_players}):
            found += [Work(name, players, "advance")]
        found += [Work(name, max(2, spec.min_players), "aec")]
    return found


def row(work: Work, base: np.ndarray, head: np.ndarray) -> str:
    """A line of the table: medians in microseconds and the ratio's median and quartiles over the rounds."""
    low, ratio, high = np.quantile(head / base, [0.25, 0.5, 0.75])
    verdict = "slower" if low > 1 + CLEAR else "faster" if high < 1 - CLEAR else "-"
    before, after = 1e6 * np.median(base), 1e6 * np.median(head)
    cells = [work.game, str(work.players), work.kind, f"{before:.2f}", f"{after:.2f}"]
    return "| " + " | ".join([*cells, f"{ratio:.3f} ({low:.3f}–{high:.3f})", verdict]) + " |"


def main(
    base: Annotated[str, typer.Option(help="The revision to compare with.")] = "HEAD~1",
    games: Annotated[list[str] | None, typer.Option(help="Which games; all when not given.")] = None,
    rounds: Annotated[int, typer.Option(min=3, help="Slices of every work.")] = 15,
    out: Annotated[Path | None, typer.Option(help="Write the page here too.")] = None,
) -> None:
    """Measure and print the table."""
    from banquet_envs import list_games

    lines = [
        f"CPU microseconds a step, here beside {base}: medians of {rounds} rounds by turns; the ratio with its quartiles.", "",
        "| game | players | what | base | here | here / base | |", "| --- | ---: | --- | ---: | ---: | ---: | --- |",
    ]  # fmt: skip
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        unpack(base, place)
        pair = [stack.enter_context(version(p)) for p in (place, ROOT)]
        for work in track(players_of(games or list_games()), description="comparing"):
            for process in pair:
                seconds(process, work)  # compiles, and warms up
            found = np.array([[seconds(process, work) for process in pair] for _ in range(rounds)])
            lines.append(row(work, found[:, 0], found[:, 1]))
    page = "\n".join(lines)
    print(page)
    if out is not None:
        out.write_text(page + "\n")


if __name__ == "__main__":
    typer.run(main)
