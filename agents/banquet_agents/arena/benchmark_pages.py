"""The benchmark's results on paper: the page of one agent, and one table of several."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banquet_agents.arena.statistics import Estimate, mean_score, read_estimate
from banquet_agents.arena.suite import Suite
from banquet_agents.arena.tables import markdown
from banquet_envs.core.errors import OptionError

FORMAT = 1
RESULTS = "results.json"
READING = (
    "Score: 0 is the fair share of the wins, 100 wins everything, -100 / (players - 1) never wins; the mean over the"
    " opponents, each of whom fills all other seats while the agent has every seat once on every deal. A task played"
    " alone is a duel on the same deals. Intervals are 95 %, over deals."
)


def task_list(suite: Suite) -> str:
    """The tasks of a suite as a Markdown table."""
    rows = [[t.name, t.game, str(t.players), _options(dict(t.options)) or "-"] for t in suite.tasks]
    return markdown(["task", "game", "players", "options"], rows, 4)


def _options(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={str(value).lower()}" for name, value in options.items())


def load_results(place: Path) -> dict[str, Any]:
    """The results in a folder or in a file.

    Raises:
        OptionError: none there, or of another format.
    """
    file = place / RESULTS if place.is_dir() else place
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise OptionError(f"{place}: no benchmark results there ({error})") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise OptionError(f"{place}: no benchmark results of format {FORMAT} there")
    return found


def _text(value: Estimate) -> str:
    """`12.3 [11.0, 13.6]`."""
    return Estimate(*(x / 100 for x in value)).text(percent=True)


def page(results: Mapping[str, Any]) -> str:
    """The Markdown page of one agent."""
    suite, protocol, tasks = results["suite"], results["protocol"], results["tasks"]
    lines = [
        f"# Benchmark of `{results['agent']}`",
        "",
        f"Suite {suite['name']} {suite['version']}, banquet-envs {results['versions']['banquet_envs']}, about"
        f" {protocol['games']} games against each of {', '.join(protocol['opponents'])}, seed {protocol['seed']}.",
    ]
    lines += [f"**Departs from the protocol: {'; '.join(results['deviations'])}.**"] if results["deviations"] else []
    score = _text(read_estimate(results, "score"))
    lines += ["", f"**Score {score}**, the mean of {len(tasks)} of {suite['tasks']} tasks.", ""]
    lines += [_several(tasks, protocol["opponents"]), ""]
    lines += [_alone(tasks, protocol["opponents"]), ""] if any(t["players"] == 1 for t in tasks) else []
    lines += [READING]
    if results["not_played"]:
        lines += ["", "Not played:", ""]
        lines += [f"- {name}: {reason}" for name, reason in results["not_played"].items()]
    lines += ["", "```", results["command"], "```", ""] if results["command"] else [""]
    return "\n".join(lines)


def _several(tasks: Sequence[Mapping[str, Any]], opponents: Sequence[str]) -> str:
    """Scores, and the win share against each opponent."""
    head = [
        "task",
        "score",
        "fair share %",
        *(f"win share % against {o}" for o in opponents),
        "deals",
        "CPU seconds a game",
    ]
    rows = []
    for task in tasks:
        cells = [task["task"], _text(read_estimate(task, "score")), f"{100 * task['fair_share']:.1f}"]
        cells += [read_estimate(row, "share").text(percent=True) for row in task["opponents"]]
        games, seconds = (sum(row[what] for row in task["opponents"]) for what in ("games", "seconds"))
        rows.append([*cells, str(task["opponents"][0]["deals"]), f"{seconds / games:.3f}"])
    return markdown(head, rows)


def _alone(tasks: Sequence[Mapping[str, Any]], opponents: Sequence[str]) -> str:
    """Points in the tasks that are played alone."""
    head = ["played alone", "points", *(f"points of {o}" for o in opponents), "points, random = 0 and expert = 100"]
    rows = []
    for task in tasks:
        if task["players"] == 1:
            relative = _text(read_estimate(task, "relative_points")) if "relative_points" in task else "-"
            mine = read_estimate(task["opponents"][0], "points").text()
            rows.append([task["task"], mine, *(f"{r['opponent_points']:.2f}" for r in task["opponents"]), relative])
    return markdown(head, rows)


def reference_table(found: Sequence[Mapping[str, Any]]) -> str:
    """A Markdown page of several agents' results: tasks by agents.

    An agent may have several results, of different tasks. Scores are shown where all opponents were met; further tables
    show the win shares against each opponent.

    Raises:
        OptionError: results of different suites, or two of the same agent in the same task.
    """
    suites = {(r["suite"]["name"], r["suite"]["version"], r["suite"]["hash"]) for r in found}
    if len(suites) != 1:
        raise OptionError(f"results of different suites cannot share a table: {sorted(suites)}")
    columns = _columns(found)
    tasks = list(dict.fromkeys(name for column in columns.values() for name in column))
    opponents = list(dict.fromkeys(o for r in found for o in r["protocol"]["opponents"]))
    suite = found[0]["suite"]
    lines = [f"# Benchmark: suite {suite['name']} {suite['version']}", "", READING, "", "## Score", ""]
    lines += [_scores(columns, tasks, opponents), ""]
    for opponent in opponents:
        lines += [f"## Win share % against `{opponent}`", "", _shares(columns, tasks, opponent), ""]
    origins = [_origin(r) for r in found]
    head = ["agent", "banquet-envs", "games against each opponent", "departs from the protocol", "command"]
    return "\n".join([*lines, "## Where the results come from", "", markdown(head, origins, 5), ""])


Columns = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Agent -> task's name -> the task's results."""


def _columns(found: Sequence[Mapping[str, Any]]) -> Columns:
    columns: dict[str, dict[str, Mapping[str, Any]]] = {}
    for results in found:
        column = columns.setdefault(results["agent"], {})
        for task in results["tasks"]:
            if task["task"] in column:
                raise OptionError(f"two results are of agent {results['agent']!r} in task {task['task']!r}")
            column[task["task"]] = task
    return columns


def _scores(columns: Columns, tasks: Sequence[str], opponents: Sequence[str]) -> str:
    """Scores over all `opponents`; the last row has the mean of the tasks that every agent shown has played so."""
    scores = {
        agent: {
            name: read_estimate(task, "score")
            for name, task in column.items()
            if {row["opponent"] for row in task["opponents"]} >= set(opponents)
        }
        for agent, column in columns.items()
    }
    scores = {agent: column for agent, column in scores.items() if column}
    rows = [[name, *(_text(s[name]) if name in s else "-" for s in scores.values())] for name in tasks]
    common = [name for name in tasks if all(name in s for s in scores.values())]
    if common:
        means = [_text(mean_score([s[name] for name in common])) for s in scores.values()]
        rows.append([f"**mean of {len(common)} tasks**", *(f"**{text}**" for text in means)])
    return markdown(["task", *(f"`{agent}`" for agent in scores)], rows)


def _shares(columns: Columns, tasks: Sequence[str], opponent: str) -> str:
    """Win shares against one opponent, with the number of games."""
    rows = []
    for name in tasks:
        cells = [name]
        for column in columns.values():
            met = [row for row in column.get(name, {"opponents": []})["opponents"] if row["opponent"] == opponent]
            cells.append(f"{read_estimate(met[0], 'share').text(percent=True)} ({met[0]['games']})" if met else "-")
        rows.append(cells)
    return markdown(["task", *(f"`{agent}` (games)" for agent in columns)], rows)


def _origin(results: Mapping[str, Any]) -> list[str]:
    """Where a column comes from."""
    return [
        f"`{results['agent']}`", results["versions"]["banquet_envs"], str(results["protocol"]["games"]),
        "; ".join(results["deviations"]) or "no", f"`{results['command']}`" if results["command"] else "-",
    ]  # fmt: skip
