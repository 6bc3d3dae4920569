"""The benchmark: an agent against every opponent in every task of a suite; one score per task, and the mean of the tasks.

Against one opponent the score is the mean reward of the scheme `win`, in per cent: 0 is the fair share, 100 wins
everything, -100 / (P - 1) never wins. A task played alone is a duel on the same deals: more points win, equal points share, the fair
share is 1/2.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banquet_agents.arena.benchmark_pages import FORMAT, RESULTS, page
from banquet_agents.arena.contests import Contest, deals_for
from banquet_agents.arena.deals import Played
from banquet_agents.arena.evaluate import bouts, samples
from banquet_agents.arena.playing import HERE, Venue, played
from banquet_agents.arena.sources import code_hash, file_hashes, versions
from banquet_agents.arena.statistics import Estimate, mean_score, normalised, read_estimate, relative_points, score
from banquet_agents.arena.suite import Suite, Task
from banquet_agents.arena.tables import json_text
from banquet_agents.registry import make_agent
from banquet_envs.core.errors import OptionError


def default_folder(agent: str) -> Path:
    """Where an agent's results go when nothing else is said; the same every time, so that a second call goes on."""
    return Path("runs") / f"benchmark-{re.sub(r'[^A-Za-z0-9._+-]+', '-', agent).strip('-')}"


@dataclass
class Request:
    """What is asked of the benchmark.

    Attributes:
        agent: a name for `make_agent`.
        suite: the suite.
        tasks: names; all that the agent can play when none is given.
        opponents: names; the suite's when none is given.
        games: against each opponent; the suite's number when None.
        skipped: tasks that the agent cannot play, with the reason.
    """

    agent: str
    suite: Suite
    tasks: Sequence[str] = ()
    opponents: Sequence[str] = ()
    games: int | None = None
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def met(self) -> tuple[str, ...]:
        """Who is met."""
        return tuple(dict.fromkeys(self.opponents)) or self.suite.opponents

    def deviations(self, played: Sequence[Task]) -> list[str]:
        """In what this departs from the protocol, in words."""
        suite, found = self.suite, []
        if suite.seed != suite.own_seed:
            found.append(f"seed {suite.own_seed} -> seed {suite.seed}")
        if self.games is not None and self.games != suite.games:
            found.append(f"{suite.games} games -> {self.games} games")
        if self.met != suite.opponents:
            found.append(f"opponents {', '.join(suite.opponents)} -> {', '.join(self.met)}")
        if any(task.components for task in played):
            found.append("own components")
        if len(played) != len(suite.tasks):
            found.append(f"{len(suite.tasks)} tasks -> {len(played)} tasks")
        return found


def run_benchmark(request: Request, venue: Venue = HERE) -> dict[str, Any]:
    """Play what is missing of a benchmark.

    Args:
        request: what to play.
        venue: where; its folder, one for each agent, gets results.json and README.md.

    Returns:
        The results, as in results.json.

    Raises:
        OptionError: an unknown task or agent, a folder that is in use or another agent's.
        IllegalActionError: an agent chose an illegal action.
    """
    if request.games is not None and request.games < 1:
        raise OptionError(f"games={request.games} is not allowed; it must be 1 or more")
    listed = {task: _bouts(task, request) for task in _playable(request)}
    contests = [contest for each in listed.values() for contest in each]
    asked = {"command": "benchmark", "agent": request.agent, "suite": request.suite.name, "hash": request.suite.hash}
    with played(contests, venue, asked | {"seed": request.suite.seed}) as (found, journal):
        games = iter(found)
        tasks = [_task_results(t, request, each, [next(games) for _ in each]) for t, each in listed.items()]
        results = _results(request, list(listed), tasks, venue.command)
        journal.write({RESULTS: json_text(results), "README.md": page(results)})
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


def _bouts(task: Task, request: Request) -> list[Contest]:
    """What is played in a task."""
    game, opponents = task.make(), list(request.met)
    deals = deals_for(request.games or request.suite.games, game.num_players)
    return bouts(game, request.agent, opponents, deals, task.seed)


def _results(request: Request, done: Sequence[Task], tasks: list[dict[str, Any]], command: str) -> dict[str, Any]:
    """All results, ready for JSON."""
    suite = request.suite
    return {
        "format": FORMAT,
        "agent": request.agent,
        "agent_files": file_hashes([request.agent]),
        "suite": {"name": suite.name, "version": suite.version, "hash": suite.hash, "tasks": len(suite.tasks)},
        "protocol": {"games": request.games or suite.games, "opponents": list(request.met), "seed": suite.seed},
        "deviations": request.deviations(done),
        "not_played": request.skipped,
        "command": command,
        "versions": versions(),
        "machine": {"system": platform.platform(), "cores": os.cpu_count()},
        **mean_score([read_estimate(t, "score") for t in tasks]).named("score"),
        "tasks": tasks,
    }


def _task_results(task: Task, request: Request, contests: Sequence[Contest], found: Sequence[Played]) -> dict[str, Any]:
    """The score of a task and the rows of its opponents."""
    game, identity = task.make(), task.make().identity()
    fair = 0.5 if task.solo else 1 / task.players
    met = samples(contests, found)
    about = {
        "task": task.name, "game": game.name, "players": task.players, "options": game.options,
        "rules_version": identity["version"], "components": identity["components"], "code": code_hash(game),
        "seed": task.seed, "fair_share": fair, **score(met, fair).named("score"),
        "opponents": _rows(request.met, contests, found, fair),
    }  # fmt: skip
    points = {"": found[0], **dict(zip(request.met, found[1:], strict=False))} if task.solo else {}
    if {"random", "expert"} <= points.keys():
        means = (points[name].points[:, 0, 0] for name in ("", "random", "expert"))
        about |= relative_points(*means).named("relative_points")
    return about


def _rows(
    opponents: Sequence[str], contests: Sequence[Contest], found: Sequence[Played], fair: float
) -> list[dict[str, Any]]:
    """Each opponent, over all seats, with the win share per seat."""
    solo = contests[0].game.num_players == 1
    by_seat = [samples(contests, found, seat) for seat in range(contests[0].game.num_players)]
    rows = []
    for k, (opponent, met) in enumerate(zip(opponents, samples(contests, found), strict=True)):
        games = found[0] if solo else found[k]
        share = met.estimate("share")
        rows.append({
            "opponent": opponent, "deals": contests[k].deals, "games": met.games, "repeated_deals": met.repeats,
            **Estimate(*(float(normalised(x, fair)) for x in share)).named("score"),
            **met.entries("share", "points", "lead"), "opponent_points": met.estimate("opponent_points").mean,
            "seats": [{"seat": seat, **each[k].entries("share")} for seat, each in enumerate(by_seat)],
            "decisions": float(games.decisions.mean()), "capped": int(games.capped.sum()),
            "seconds": round(float(games.seconds.sum()), 2),
        })  # fmt: skip
    return rows
