"""The benchmark's results on paper: the page of one agent, and one table of several."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banquet_envs.core.errors import OptionError
from training.scores import mean_score, read_estimate
from training.statistics import Estimate
from training.suite import Suite

FORMAT = 1
RESULTS, PAGE = "results.json", "results.md"
READING = (
    "Score: 0 is the fair share of the wins, 100 wins everything, -100 / (players - 1) never wins; the mean over the"
    " opponents, each of whom fills all other seats while the agent has every seat once on every deal. A task played"
    " alone is a duel on the same deals. Intervals are 95 %, over deals."
)


def task_list(suite: Suite) -> str:
    """The tasks of a suite as a Markdown table."""
    rows = [[t.name, t.game, str(t.players), _options(dict(t.options)) or "-"] for t in suite.tasks]
    return _table(["task", "game", "players", "options"], rows, 4)


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


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A Markdown table whose first `left` columns are words."""
    align = ["---" if k < left else "---:" for k in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, align, *rows))


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
        "seconds a game",
    ]
    rows = []
    for task in tasks:
        cells = [task["task"], _text(read_estimate(task, "score")), f"{100 * task['fair_share']:.1f}"]
        cells += [read_estimate(row, "share").text(percent=True) for row in task["opponents"]]
        games, seconds = (sum(row[what] for row in task["opponents"]) for what in ("games", "seconds"))
        rows.append([*cells, str(task["opponents"][0]["deals"]), f"{seconds / games:.3f}"])
    return _table(head, rows)


def _alone(tasks: Sequence[Mapping[str, Any]], opponents: Sequence[str]) -> str:
    """Points in the tasks that are played alone."""
    head = ["played alone", "points", *(f"points of {o}" for o in opponents), "points, random = 0 and expert = 100"]
    rows = []
    for task in tasks:
        if task["players"] == 1:
            relative = _text(read_estimate(task, "relative_points")) if "relative_points" in task else "-"
            mine = read_estimate(task["opponents"][0], "points").text()
            rows.append([task["task"], mine, *(f"{r['opponent_points']:.2f}" for r in task["opponents"]), relative])
    return _table(head, rows)


def reference_table(found: Sequence[Mapping[str, Any]]) -> str:
    """A Markdown page of several agents' results: tasks by agents.

    Raises:
        OptionError: results of different suites, or two of the same agent.
    """
    suites = {(r["suite"]["name"], r["suite"]["version"], r["suite"]["hash"]) for r in found}
    if len(suites) != 1:
        raise OptionError(f"results of different suites cannot share a table: {sorted(suites)}")
    agents = [r["agent"] for r in found]
    for agent in agents:
        if agents.count(agent) > 1:
            raise OptionError(f"two results are of agent {agent!r}")
    suite = found[0]["suite"]
    scores = [{t["task"]: read_estimate(t, "score") for t in r["tasks"]} for r in found]
    names = list(dict.fromkeys(t["task"] for r in found for t in r["tasks"]))
    common = [name for name in names if all(name in s for s in scores)]
    rows = [[name, *(_text(s[name]) if name in s else "-" for s in scores)] for name in names]
    if common:
        means = [_text(mean_score([s[name] for name in common])) for s in scores]
        rows.append([f"**mean of {len(common)} tasks**", *(f"**{text}**" for text in means)])
    lines = [
        f"# Benchmark: suite {suite['name']} {suite['version']}",
        "",
        READING,
        "",
        _table(["task", *(f"`{agent}`" for agent in agents)], rows),
        "",
        _table(["agent", "banquet-envs", "games against each opponent", "departs from the protocol", "command"],
               [_origin(r) for r in found], 5),
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def _origin(results: Mapping[str, Any]) -> list[str]:
    """Where a column comes from."""
    return [
        f"`{results['agent']}`", results["versions"]["banquet_envs"], str(results["protocol"]["games"]),
        "; ".join(results["deviations"]) or "no", f"`{results['command']}`" if results["command"] else "-",
    ]  # fmt: skip
