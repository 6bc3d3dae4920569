"""Running the benchmark: every task against every opponent on all cores, block by block, resumable.

A folder holds deals.jsonl, one line for each finished block of deals, and the results that follow from it. What a game
comes to depends on its deal, its agents and the task's seed only, so any blocks, played in any order, in any number of
runs, give the same results.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from banquet_agents.arena.benchmark_pages import FORMAT, PAGE, RESULTS, page
from banquet_agents.arena.matches import SIDE_BY_SIDE, play_deals, versions
from banquet_agents.arena.processes import cores, worker_processes
from banquet_agents.arena.scores import (
    Tally,
    duel,
    mean_score,
    read_estimate,
    relative_points,
    task_result,
    without_nan,
)
from banquet_agents.arena.sources import code_hash, file_hashes
from banquet_agents.arena.suite import LEAST_DEALS, Suite, Task
from banquet_agents.files import write_whole
from banquet_agents.registry import make_agent
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import spawn_seeds
from banquet_envs.core.table import Table

JOURNAL = "deals.jsonl"
BLOCK_SECONDS = 20.0
"""About how long a block of deals should take; results do not depend on it."""


@dataclass(frozen=True)
class Contest:
    """An agent in every seat of a task, with one opponent in all others; alone where there are no others."""

    task: Task
    agent: str
    opponent: str | None

    def key(self) -> str:
        """A hash of all that its games depend on: rules, components, options, seed, agents, code."""
        names = [name for name in (self.agent, self.opponent) if name is not None]
        told = {
            "task": self.task.name,
            "game": self.task.make().identity(),
            "seed": self.task.seed,
            "agents": names,
            "files": file_hashes(names),
            "code": _code(self.task),
            "package": versions()["banquet_envs"],
        }
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:20]


@lru_cache(maxsize=64)
def _code(task: Task) -> str:
    return code_hash(task.make())


def contests(task: Task, agent: str, opponents: Sequence[str]) -> list[Contest]:
    """What is played in a task; with one player everybody plays the deals alone."""
    if task.solo:
        return [Contest(task, name, None) for name in dict.fromkeys([agent, *opponents])]
    return [Contest(task, agent, opponent) for opponent in opponents]


@lru_cache(maxsize=16)
def _player(task: Task, agent: str, role: int) -> Any:
    """An agent of a task, kept by each process; an agent that meets itself is made twice."""
    return make_agent(task.make(), agent)


def _warm_up(task: Task, names: Sequence[str]) -> None:
    """Compile or load what will play, so that it counts as nobody's time; users' own agents are left alone."""
    game, rows = task.make(), np.zeros(1, np.int64)
    for name in names:
        compiled = ":" not in name or name.startswith(("search:", "flat:"))
        if compiled and (task.game, name) not in _WARM:
            table = Table(game, 1)
            table.begin(rows, spawn_seeds(1, 0))
            table.play(rows, table.ask(make_agent(game, name), rows))
            _WARM.add((task.game, name))


_WARM: set[tuple[str, str]] = set()


def play_block(contest: Contest, first: int, stop: int) -> dict[str, Any]:
    """Play the deals `first` to `stop` - 1; plain values for the journal, a list entry per deal, within it per seat."""
    task = contest.task
    game = task.make()
    names = [contest.agent] if contest.opponent is None else [contest.agent, contest.opponent]
    players = [_player(task, name, role) for role, name in enumerate(names)]
    _warm_up(task, names)
    start = time.process_time()
    played = play_deals(game, players, task.assignments, spawn_seeds(stop, task.seed)[first:stop], task.seed)
    seconds = time.process_time() - start
    seat_of = [a.index(0) for a in task.assignments]
    order = np.argsort(seat_of)  # from seat assignments to the agent's seats
    at = np.arange(task.players)
    points = played.points[:, order, at]
    rest = (played.points.sum(axis=2)[:, order] - points) / max(1, task.players - 1)
    return {
        "first": first,
        "stop": stop,
        "share": played.share[:, order, at].tolist(),
        "points": points.tolist(),
        "others": rest.tolist(),
        "decisions": played.decisions[:, order].tolist(),
        "capped": played.capped[:, order].tolist(),
        "trace": played.trace[:, order].tolist(),
        "seconds": round(seconds, 3),
    }


# ---------------------------------------------------------------- what has been played


class Journal:
    """The finished blocks in a folder. One process writes; a line that a kill has torn is ignored.

    Args:
        folder: the folder, made when needed.
        agent: whose results it holds.

    Raises:
        OptionError: it holds another agent's.
    """

    def __init__(self, folder: Path, agent: str) -> None:
        self.file = folder / JOURNAL
        self.lines = list(self._read())
        if self.file.exists() and not self.file.read_bytes().endswith(b"\n"):
            self.file.open("a").write("\n")
        if not self.lines:
            self.append({"agent": agent, "format": FORMAT})
        head = self.lines[0]
        if (head.get("agent"), head.get("format")) != (agent, FORMAT):
            raise OptionError(f"{folder}: holds results of agent {head.get('agent')!r}; choose another folder")

    def _read(self) -> Iterator[dict[str, Any]]:
        if not self.file.exists():
            return
        for line in self.file.read_text().splitlines():
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(told, dict):
                yield told

    def append(self, line: dict[str, Any]) -> None:
        """Keep a line, on disk when this returns."""
        with self.file.open("a") as out:
            out.write(json.dumps(line) + "\n")
            out.flush()
            os.fsync(out.fileno())
        self.lines.append(line)

    def blocks(self, key: str) -> list[dict[str, Any]]:
        """The finished blocks of a contest."""
        return [line for line in self.lines if line.get("key") == key]


@dataclass
class Progress:
    """How far a contest is.

    Attributes:
        contest, key: which one.
        todo: bool (D,), deals that are neither played nor under way.
        pace: seconds a deal took in the last block; None while nobody knows.
        running: blocks under way.
    """

    contest: Contest
    key: str
    todo: np.ndarray
    pace: float | None = None
    running: int = 0

    def next_block(self) -> tuple[int, int] | None:
        """The next deals to play, about BLOCK_SECONDS' worth; None when none is left or the pace is being found out."""
        left = np.flatnonzero(self.todo)
        if not len(left) or (self.pace is None and self.running):
            return None
        size = LEAST_DEALS if self.pace is None else int(BLOCK_SECONDS / max(self.pace, 1e-6))
        size = max(1, min(size, SIDE_BY_SIDE // self.contest.task.players))
        first = int(left[0])
        gaps = np.flatnonzero(~self.todo[first : first + size])
        stop = first + (int(gaps[0]) if len(gaps) else min(size, len(self.todo) - first))
        self.todo[first:stop] = False
        self.running += 1
        return first, stop


def progress_of(contest: Contest, deals: int, journal: Journal) -> Progress:
    """What is left of a contest, by the journal."""
    found = Progress(contest, contest.key(), np.ones(deals, np.bool_))
    for block in journal.blocks(found.key):
        found.todo[block["first"] : block["stop"]] = False
        found.pace = block["seconds"] / (block["stop"] - block["first"])
    return found


def tally_of(progress: Progress, journal: Journal) -> Tally:
    """The games of a finished contest."""
    deals, seats = len(progress.todo), progress.contest.task.players
    kinds = {
        "share": float,
        "points": float,
        "others": float,
        "decisions": np.int64,
        "capped": bool,
        "trace": np.uint64,
    }
    arrays = {name: np.zeros((deals, seats), kind) for name, kind in kinds.items()}
    seconds = 0.0
    for block in journal.blocks(progress.key):
        if block["first"] >= deals:
            continue
        stop = min(block["stop"], deals)
        for name, array in arrays.items():
            array[block["first"] : stop] = np.array(block[name], kinds[name])[: stop - block["first"]]
        seconds += block["seconds"] * (stop - block["first"]) / (block["stop"] - block["first"])
    return Tally(**arrays, seconds=seconds)


# ---------------------------------------------------------------- playing


def _pool(workers: int) -> AbstractContextManager[Executor]:
    """Processes, or with one worker a thread of this one, which debuggers prefer; raises OptionError if one dies."""
    return ThreadPoolExecutor(1) if workers == 1 else worker_processes(workers)


def play_all(
    jobs: Sequence[Progress], journal: Journal, workers: int, report: Callable[[int, int], None] | None = None
) -> None:
    """Play what is left of all contests, in their order, with a few blocks waiting for a free process."""
    total = sum(len(job.todo) * job.contest.task.players for job in jobs)
    done = sum(int((~job.todo).sum()) * job.contest.task.players for job in jobs)
    under_way: dict[Future[dict[str, Any]], Progress] = {}
    with _pool(workers) as pool:
        while True:
            for job in jobs:
                while len(under_way) < 2 * workers and (block := job.next_block()) is not None:
                    under_way[pool.submit(play_block, job.contest, *block)] = job
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                job = under_way.pop(future)
                block_found = future.result()
                journal.append({"key": job.key, **_about(job.contest), **block_found})
                played = block_found["stop"] - block_found["first"]
                job.pace, job.running = block_found["seconds"] / played, job.running - 1
                done += played * job.contest.task.players
                if report is not None:
                    report(done, total)


def _about(contest: Contest) -> dict[str, Any]:
    return {"task": contest.task.name, "agent": contest.agent, "opponent": contest.opponent}


def default_folder(agent: str) -> Path:
    """Where an agent's results go when nothing else is said; the same every time, so that a second call goes on."""
    return Path("runs") / f"benchmark-{re.sub(r'[^A-Za-z0-9._+-]+', '-', agent).strip('-')}"


# ---------------------------------------------------------------- the whole


@dataclass
class Request:
    """What is asked of the benchmark.

    Attributes:
        agent: a name for `make_agent`.
        suite: the suite.
        tasks: names; all that the agent can play when none is given.
        opponents: names; the suite's when none is given.
        games: against each opponent; the suite's number when None.
        command: what to name in the results as the way to them.
    """

    agent: str
    suite: Suite
    tasks: Sequence[str] = ()
    opponents: Sequence[str] = ()
    games: int | None = None
    command: str = ""
    skipped: dict[str, str] = field(default_factory=dict)

    def deviations(self, played: Sequence[Task]) -> list[str]:
        """In what this departs from the protocol, in words."""
        suite, found = self.suite, []
        if self.games is not None and self.games != suite.games:
            found.append(f"{suite.games} games -> {self.games} games")
        if self.opponents and tuple(self.opponents) != suite.opponents:
            found.append(f"opponents {', '.join(suite.opponents)} -> {', '.join(self.opponents)}")
        if any(task.components for task in played):
            found.append("own components")
        if len(played) != len(suite.tasks):
            found.append(f"{len(suite.tasks)} tasks -> {len(played)} tasks")
        return found


def run_benchmark(
    request: Request, folder: Path, workers: int | None = None, report: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Play what the folder does not hold yet, then write results.json and results.md.

    Args:
        request: what to play.
        folder: for everything that is written; a run that was stopped goes on where it was.
        workers: processes; as many as there are cores when None. With 1, everything happens in this process.
        report: called with (games finished, games in all) now and then.

    Returns:
        The results, as in results.json.

    Raises:
        OptionError: an unknown task or agent, a folder that is in use or another agent's.
        IllegalActionError: an agent chose an illegal action.
    """
    if request.games is not None and request.games < 1:
        raise OptionError(f"games={request.games} is not allowed; it must be 1 or more")
    tasks = _playable(request)
    opponents = tuple(dict.fromkeys(request.opponents)) or request.suite.opponents
    games = request.games or request.suite.games
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder / ".lock", timeout=0):
            journal = Journal(folder, request.agent)
            jobs = {
                t: [progress_of(c, t.deals(games), journal) for c in contests(t, request.agent, opponents)]
                for t in tasks
            }
            play_all([job for each in jobs.values() for job in each], journal, workers or cores(), report)
            results = _results(request, jobs, opponents, journal)
            write_whole(folder / RESULTS, json.dumps(without_nan(results), indent=1) + "\n")
            write_whole(folder / PAGE, page(results))
    except Timeout as error:
        raise OptionError(f"{folder}: another benchmark is running there") from error
    return results


def _playable(request: Request) -> list[Task]:
    """The tasks that were named; with none named, those that the agent can play, the others noted with the reason."""
    found: list[Task] = []
    first: OptionError | None = None
    for task in request.suite.chosen(request.tasks):
        for opponent in request.opponents:
            make_agent(task.make(), opponent)
        try:
            make_agent(task.make(), request.agent)
            found.append(task)
        except OptionError as error:
            if request.tasks:
                raise
            first = first or error
            request.skipped[task.name] = str(error)
    if not found and first is not None:
        raise first
    return found


def _results(
    request: Request, jobs: dict[Task, list[Progress]], opponents: Sequence[str], journal: Journal
) -> dict[str, Any]:
    """All results, ready for JSON."""
    suite = request.suite
    tasks = [_task_results(task, request.agent, opponents, each, journal) for task, each in jobs.items()]
    overall = mean_score([read_estimate(t, "score") for t in tasks])
    return {
        "format": FORMAT,
        "agent": request.agent,
        "agent_files": file_hashes([request.agent]),
        "suite": {"name": suite.name, "version": suite.version, "hash": suite.hash, "tasks": len(suite.tasks)},
        "protocol": {"games": request.games or suite.games, "opponents": list(opponents), "seed": suite.seed},
        "deviations": request.deviations(list(jobs)),
        "not_played": request.skipped,
        "command": request.command,
        "versions": versions(),
        "machine": {"system": platform.platform(), "cores": os.cpu_count()},
        "score": overall.mean,
        "score_low": overall.low,
        "score_high": overall.high,
        "tasks": tasks,
    }


def _task_results(
    task: Task, agent: str, opponents: Sequence[str], jobs: Sequence[Progress], journal: Journal
) -> dict[str, Any]:
    game = task.make()
    tallies = {job.contest.agent if task.solo else job.contest.opponent: tally_of(job, journal) for job in jobs}
    extra: dict[str, Any] = {}
    if task.solo:
        if {"random", "expert"} <= tallies.keys():
            value = relative_points(tallies[agent], tallies["random"], tallies["expert"])
            extra = {
                "relative_points": value.mean,
                "relative_points_low": value.low,
                "relative_points_high": value.high,
            }
        tallies = {name: duel(tallies[agent], tallies[name]) for name in opponents}
    fair = 0.5 if task.solo else 1 / task.players
    identity = game.identity()
    about = {
        "task": task.name,
        "game": game.name,
        "players": task.players,
        "options": game.options,
        "rules_version": identity["version"],
        "components": identity["components"],
        "code": _code(task),
        "seed": task.seed,
        "fair_share": fair,
    }
    return about | task_result({str(k): v for k, v in tallies.items()}, fair) | extra
