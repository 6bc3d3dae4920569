"""Playing the units of a plan: in this process, in several, or on a Ray cluster. The results are the same."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import platform
import socket
import time
import urllib.parse
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from pathlib import Path
from typing import Any

from banquet_agents.arena import matches
from banquet_agents.arena.matches import Played, play_deals
from banquet_agents.arena.processes import ONE_THREAD, cores, environment, worker_processes
from banquet_agents.arena.tournament.folder import TournamentFolder
from banquet_agents.arena.tournament.plan import Plan, Unit
from banquet_agents.arena.tournament.results import Results
from banquet_agents.registry import make_agent
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import spawn_seeds
from banquet_envs.core.registry import homes, import_module_here
from banquet_envs.core.table import Player

AT_ONCE = 1000
"""Most Ray tasks that wait at a time."""

Finished = Generator[tuple[Unit, Played], None, None]
Progress = Callable[[int, int], None]


def play_tournament(
    plan: Plan, path: Path, workers: int | None = None, ray: str | None = None, progress: Progress | None = None
) -> Results:
    """Play what is still to be played of a tournament, and write its results.

    Args:
        plan: from `plan_tournament`, or `stored_plan` to go on.
        path: its folder; a new one, or that of the same plan.
        workers: processes; by default one per core. With 1 all is played in this process. With `ray` they are the CPUs
            of a cluster that is started here.
        ray: play on Ray: "auto" for the cluster that is at hand (RAY_ADDRESS, or one running on this machine), else a
            local one; "local" for a new local one; or a cluster's address.
        progress: called with (games finished, games in all) now and then.

    Returns:
        The results, which lie in the folder too.

    Raises:
        OptionError: the folder holds something else or is being played, a library is missing, a worker died.
        IllegalActionError: an agent chose an illegal action.
    """
    _need("openskill", "matplotlib", extra="tournament")
    if ray is not None:
        _need("ray", extra="ray")
    if workers is not None and workers < 1:
        raise OptionError(f"workers={workers} is not allowed; it must be 1 or more")
    folder = TournamentFolder(path)
    with folder.opened(plan):
        _play(plan, folder, workers, ray, progress)
        results = Results(plan, _whole(plan, folder))
        importlib.import_module("banquet_agents.arena.tournament.report").write(results, path)
    return results


def stored_plan(path: Path, allow_imports: bool = False) -> Plan:
    """The plan of the tournament in a folder, to go on with it here.

    Args:
        path: the folder, perhaps somebody else's.
        allow_imports: import the modules that the plan's agents name, which runs whatever stands in them.

    Raises:
        OptionError: there is none, or rules, code, files or versions are others now, or modules would have to be imported.
    """
    plan = TournamentFolder(path).plan()
    if plan.modules() and not allow_imports:
        raise OptionError(
            f"{path}: its agents need the modules {', '.join(plan.modules())}; whoever trusts them goes on with --allow-imports"
        )
    if different := plan.differences(plan.as_here()):
        raise OptionError(f"{path}: cannot go on, it was begun with {'; '.join(different)}")
    return plan


def _need(*packages: str, extra: str) -> None:
    """Better now than after hours of play."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise OptionError(f"a tournament needs the package {package!r}: pip install 'banquet-envs[{extra}]'")


def _play(
    plan: Plan, folder: TournamentFolder, workers: int | None, ray: str | None, progress: Progress | None
) -> None:
    """Play the units that are missing, and keep each as soon as it is finished."""
    units = plan.units()
    missing = [u for u in units if folder.unit(plan, u) is None]
    done = first = plan.games - sum(map(plan.size, missing))
    if progress is not None:
        progress(done, plan.games)
    if not missing:
        return
    workers = workers or cores()
    started, clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), time.perf_counter()
    finished = 0
    try:
        with closing(_runner(plan.text(), missing, workers, ray)) as runner:
            for unit, played in runner:
                folder.keep(unit, played)
                finished += 1
                done += plan.size(unit)
                if progress is not None:
                    progress(done, plan.games)
    finally:
        facts = {"started": started, "seconds": round(time.perf_counter() - clock, 3)}
        facts |= {"units": finished, "games": done - first}
        facts |= {"processes": workers} if ray is None else {"ray": ray}
        folder.note_session(facts | {"system": platform.platform(), "cores": os.cpu_count()})


def _whole(plan: Plan, folder: TournamentFolder) -> list[Played]:
    """All games of each pairing, from the files."""
    parts: list[list[Played]] = [[] for _ in plan.pairings]
    for unit in plan.units():
        played = folder.unit(plan, unit)
        if played is None:
            raise OptionError(f"{folder.path}: the file of unit {tuple(unit)} cannot be read back")
        parts[unit.pairing].append(played)
    return [Played.joined(p) for p in parts]


# ---------------------------------------------------------------- a unit


class UnitPlayer:
    """Plays units of one plan; game and agents are made once.

    Args:
        text: the plan.

    Raises:
        OptionError: rules, code, files or versions here are not those of the plan.
    """

    def __init__(self, text: str) -> None:
        self.plan = Plan.read(text)
        if different := self.plan.differences(self.plan.as_here()):
            raise OptionError(f"a worker on {platform.node()} differs: the tournament has {'; '.join(different)}")
        self.game = self.plan.make_game()
        self._agents: dict[int, Player] = {}

    def agent(self, kind: int) -> Player:
        """The agent of this number."""
        if kind not in self._agents:
            self._agents[kind] = make_agent(self.game, self.plan.agents[kind])
        return self._agents[kind]

    def play(self, unit: Unit) -> Played:
        """All games of a unit."""
        pairing = self.plan.pairings[unit.pairing]
        kinds = sorted(set(pairing.kinds))
        assignments = [[kinds.index(k) for k in seats] for seats in pairing.assignments]
        players = [self.agent(k) for k in kinds]
        words = spawn_seeds(unit.stop, self.plan.seed)[unit.first :]
        at_once = max(1, matches.SIDE_BY_SIDE // len(assignments))
        return Played.joined(
            [
                play_deals(self.game, players, assignments, words[k : k + at_once], self.plan.seed)
                for k in range(0, len(words), at_once)
            ]
        )


_HERE: dict[str, UnitPlayer] = {}


def play_unit(text: str, unit: Unit) -> Played:
    """Play a unit of the plan `text`, in whatever process."""
    if text not in _HERE:
        _HERE.clear()
        _HERE[text] = UnitPlayer(text)
    return _HERE[text].play(unit)


# ---------------------------------------------------------------- where


def _runner(text: str, units: Sequence[Unit], workers: int, ray: str | None) -> Finished:
    if ray is not None:
        return on_ray(text, units, ray, workers)
    if workers == 1 or len(units) == 1:
        return here(text, units)
    return in_processes(text, units, workers)


def play_unit_knowing(modules: Sequence[str], text: str, unit: Unit) -> Played:
    """`play_unit` where nothing has been imported yet: `modules` register games of one's own."""
    for module in modules:
        import_module_here(module)
    return play_unit(text, unit)


def here(text: str, units: Sequence[Unit]) -> Finished:
    """One after another in this process."""
    try:
        for unit in units:
            yield unit, play_unit(text, unit)
    finally:
        _HERE.clear()


def in_processes(text: str, units: Sequence[Unit], workers: int) -> Finished:
    """In fresh processes, which end with this one, however it ends.

    Raises:
        OptionError: a worker died.
    """
    with worker_processes(min(workers, len(units))) as pool:
        waiting = {pool.submit(play_unit, text, unit): unit for unit in units}
        for future in as_completed(waiting):
            yield waiting.pop(future), future.result()


def on_ray(text: str, units: Sequence[Unit], address: str, workers: int) -> Finished:
    """As tasks of one CPU each on a Ray cluster, which needs this package; see `play_tournament` for `address`."""
    ray: Any = importlib.import_module("ray")
    mine = not ray.is_initialized()
    if mine:
        _connect(ray, address, workers)
    task = ray.remote(num_cpus=1)(play_unit_knowing)
    left = iter(units)
    waiting: dict[Any, Unit] = {}
    try:
        while True:
            while len(waiting) < AT_ONCE and (unit := next(left, None)) is not None:
                waiting[task.remote(homes(), text, unit)] = unit
            if not waiting:
                break
            for ref in ray.wait(list(waiting), num_returns=1)[0]:
                yield waiting.pop(ref), ray.get(ref)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    finally:
        for ref in waiting:
            ray.cancel(ref, force=True)
        if mine:
            ray.shutdown()


def _connect(ray: Any, address: str, workers: int) -> None:
    """Join a cluster, or start one on this machine."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address != "local":
        named = os.environ.get("RAY_ADDRESS", "auto") if address == "auto" else address
        if named != "auto":
            _reach(named)
        try:
            ray.init(address=address, **quiet)
            return
        except ConnectionError as error:
            if named != "auto":
                raise OptionError(f"ray: no cluster at {named!r} ({error})") from error
    with environment(ONE_THREAD):
        ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)


def _reach(address: str) -> None:
    """Knock first: Ray itself tries for ten minutes."""
    try:
        place = urllib.parse.urlsplit(address if "://" in address else f"//{address}")
        socket.create_connection((place.hostname, place.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise OptionError(f"ray: no cluster at {address!r} ({error})") from error
