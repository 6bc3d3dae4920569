"""Playing contests: here, in processes, on Ray, with one loop; block by block, so that it can be stopped and gone on with.

What a game comes to depends on its contest only, so any blocks, played in any order, anywhere, in any number of runs, give
the same results.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents.arena import deals
from banquet_agents.arena.contests import Contest, GameRecord, Seated, key_of, play_block, records
from banquet_agents.arena.deals import Played
from banquet_agents.arena.journal import Journal, opened
from banquet_agents.arena.processes import cores, need, ray_workers, worker_processes
from banquet_agents.registry import make_agent
from banquet_envs.core.errors import OptionError

BLOCK_SECONDS = 10.0
"""About how long a block should take; results do not depend on it."""
PATIENCE = 5.0
"""Seconds after which what is left is worth the start of processes, where their number is left open."""


@dataclass(frozen=True)
class Venue:
    """Where contests are played and kept.

    Attributes:
        folder: for games and results, to go on after an interruption; None keeps them in memory only.
        workers: processes; with 1 all is played in this one. None: one per core, once it takes more than some seconds.
            With `ray`, the CPUs of a cluster that is started here.
        ray: the cluster to play on, see `ray_workers`.
        progress: called with (games finished, games in all) now and then.
        replay: called with every game, in the order of contests and deals, once all are finished.
        command: the command that asks for it, for readers of the results.
    """

    folder: Path | None = None
    workers: int | None = 1
    ray: str | None = None
    progress: Callable[[int, int], None] | None = None
    replay: Callable[[GameRecord], None] | None = None
    command: str = ""


HERE = Venue()
"""In this process, in memory."""


@contextmanager
def played(
    contests: Sequence[Contest], venue: Venue, request: Mapping[str, Any]
) -> Iterator[tuple[list[Played], Journal]]:
    """Play what is missing of some contests; the value is the games of each, and the journal to write results to.

    Args:
        contests: what to play.
        venue: where.
        request: what the venue's folder is for.

    Raises:
        OptionError: an unknown agent, a folder that holds something else or is in use, a missing library, a dead worker.
        IllegalActionError: an agent chose an illegal action.
    """
    if venue.workers is not None and venue.workers < 1:
        raise OptionError(f"workers={venue.workers} is not allowed; it must be 1 or more")
    if venue.ray is not None:
        need("ray", extra="ray")
    given = any(contest.given for contest in contests)
    if given and venue.workers is None and venue.ray is None:
        venue = replace(venue, workers=1)
    if venue.replay is not None:
        contests = [replace(contest, moves=True) for contest in contests]
    if venue.folder is not None:  # an unknown agent is found before anything is written
        for game, name in {(c.game, name): None for c in contests for name in c.agents if name not in c.given}:
            make_agent(game, name)
    here_only = venue.folder is None and venue.workers == 1 and venue.ray is None
    told = [{"contest": k} if here_only else contest.told() for k, contest in enumerate(contests)]
    with opened(venue.folder, request, venue.command) as journal:
        jobs = [Job(contest, facts, journal) for contest, facts in zip(contests, told, strict=True)]
        _play(jobs, journal, venue)
        found = [journal.whole(job.key, job.contest) for job in jobs]
        if venue.replay is not None:
            for contest, games in zip(contests, found, strict=True):
                for record in records(contest, games):
                    venue.replay(record)
        yield found, journal


class Job:
    """How far a contest is.

    Args:
        contest: which one.
        told: what tells it from others.
        journal: what has been played.

    Attributes:
        key: of its blocks in the journal.
        todo: bool (D,), deals that are neither played nor under way.
        pace: seconds a deal took in the last block; None while nobody knows.
        running: blocks under way.
    """

    def __init__(self, contest: Contest, told: Mapping[str, Any], journal: Journal) -> None:
        self.contest, self.told, self.key = contest, told, key_of(told)
        self.todo = np.ones(contest.deals, np.bool_)
        self.pace: float | None = None
        self.running = 0
        self._seated: Seated | None = None
        for first, block in journal.blocks(self.key, contest):
            self.todo[first : first + len(block.seconds)] = False
            self.pace = float(block.seconds.mean())

    @property
    def left(self) -> float:
        """The share of its deals that is to be played; 0, too, while the pace is being found out."""
        return 0.0 if self.pace is None and self.running else float(self.todo.mean())

    def next_block(self, seconds: float, workers: int) -> tuple[int, int]:
        """The next deals to play: about so many seconds' worth, less towards the end, so that every worker has some."""
        size = deals.SIDE_BY_SIDE // len(self.contest.assignments)
        if seconds < np.inf:
            fair = -(-int(self.todo.sum()) // workers)
            size = min(size, 2 if self.pace is None else min(fair, int(seconds / max(self.pace, 1e-9))))
        first = int(self.todo.argmax())
        stop = first + max(1, size)
        gaps = np.flatnonzero(~self.todo[first:stop])
        stop = first + int(gaps[0]) if len(gaps) else min(stop, len(self.todo))
        self.todo[first:stop] = False
        self.running += 1
        return first, stop

    def play_here(self, first: int, stop: int) -> Played:
        """Play a block in this process."""
        self._seated = self._seated or Seated(self.contest)
        return self._seated.play(first, stop)

    def finish(self, first: int, block: Played, journal: Journal) -> None:
        """Keep a block."""
        self.running -= 1
        self.pace = float(block.seconds.mean())
        if not self.todo.any():
            self._seated = None  # a searching agent holds much
        journal.keep(self.key, first, block)


@dataclass
class _Report:
    """Tells how many games are finished."""

    jobs: Sequence[Job]
    tell: Callable[[int, int], None] | None
    total: int = field(init=False)
    done: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = sum(job.contest.games for job in self.jobs)
        self.done = self.total - sum(int(job.todo.sum()) * len(job.contest.assignments) for job in self.jobs)
        self.more(0)

    def more(self, games: int) -> None:
        self.done += games
        if self.tell is not None:
            self.tell(self.done, self.total)


def _play(jobs: Sequence[Job], journal: Journal, venue: Venue) -> None:
    """Play what is left, the contest of which most is left first, so that what is stopped has about as much of each."""
    report = _Report(jobs, venue.progress)
    workers = venue.workers or cores()

    def finish(job: Job, first: int, block: Played) -> None:
        job.finish(first, block, journal)
        report.more(block.decisions.size)

    if venue.ray is None and (workers == 1 or venue.workers is None):
        patience = np.inf if workers == 1 else PATIENCE
        seconds = np.inf if workers == 1 and journal.folder is None else BLOCK_SECONDS
        begun = time.perf_counter()
        while time.perf_counter() - begun < patience:
            job = max(jobs, key=lambda job: job.left)
            if not job.left:
                return
            first, stop = job.next_block(seconds, 1)
            finish(job, first, job.play_here(first, stop))
    if any(job.left for job in jobs):
        with _pool(workers, venue.ray) as pool:
            _play_in(pool, getattr(pool, "cpus", workers), jobs, finish)


def _pool(workers: int, ray: str | None) -> AbstractContextManager[Executor]:
    return worker_processes(workers) if ray is None else ray_workers(ray, workers)


def _play_in(pool: Executor, workers: int, jobs: Sequence[Job], finish: Callable[[Job, int, Played], None]) -> None:
    """Play blocks in a pool, with one more for each worker waiting."""
    under_way: dict[Future[Played], tuple[Job, int]] = {}
    while True:
        while len(under_way) < 2 * workers and (job := max(jobs, key=lambda job: job.left)).left:
            first, stop = job.next_block(BLOCK_SECONDS, workers)
            under_way[pool.submit(play_block, job.told, job.contest, first, stop)] = job, first
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            job, first = under_way.pop(future)
            finish(job, first, future.result())
