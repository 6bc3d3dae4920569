"""The results of a contest as data and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents.arena.statistics import Estimate, estimate
from banquet_agents.files import write_whole
from banquet_agents.words.contest import Outcome, Plan
from banquet_agents.words.episode import Counts
from banquet_agents.words.rating import Rung, ladder_pairs, rate

RESULTS, PAGE = "results.json", "results.md"


def results(plan: Plan, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Everything that was found, ready for JSON: what it depends on, a row for each game and opponent, the scale."""
    return {**asdict(plan), "rows": [_row(outcome) for outcome in outcomes], "scale": _scale(plan, outcomes)}


def _row(outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"game": outcome.game, "opponent": outcome.opponent, "games": int(outcome.share.size)}
    shares = estimate(outcome.share.mean(axis=1), share=True)
    points = estimate(outcome.points.mean(axis=1))
    row |= {"deals": len(outcome.share), "share": list(shares), "points": list(points)}
    tokens = {f"{name}_tokens": n for name, n in outcome.tokens.items()}
    return row | asdict(outcome.counts) | {"seconds": round(outcome.seconds, 3), **tokens}


def _scale(plan: Plan, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """The ratings over all games; the frozen ladder helps where it knows the very game: two players, standard options."""
    games = []
    for game in plan.games:
        mine = {(plan.player, o.opponent): o.score.mean(axis=1) for o in outcomes if o.game == game["game"]}
        games.append({**(ladder_pairs(game["game"], game["version"]) if _standard(game) else {}), **mine})
    rungs: list[Rung] = rate(games, plan.seed)
    return [asdict(rung) for rung in rungs]


def _standard(identity: dict[str, Any]) -> bool:
    from banquet_envs.core.registry import make_game

    return identity == make_game(identity["game"], 2).identity()


def page(found: dict[str, Any]) -> str:
    """The results as Markdown."""
    head = (
        f"# `{found['player']}` in words\n\n"
        f"Legal moves {found['style']['legal']}, positions as"
        f" {found['style']['state']}, template {found['style']['template']} (`{found['style']['template_hash']}`), two refused"
        f" answers mean {found['on_fault']}, seed {found['seed']}. Every deal is played from every seat. Intervals are 95 %,"
        " over deals."
    )
    return "\n\n".join([head, _strength(found["rows"]), _answers(found["rows"]), _ratings(found)]) + "\n"


def _strength(rows: Sequence[dict[str, Any]]) -> str:
    lines = ["| game | against | games | win share % | points |", "| --- | --- | ---: | --- | --- |"]
    for row in rows:
        share, points = Estimate(*row["share"]).text(percent=True), Estimate(*row["points"]).text()
        lines.append(f"| {row['game']} | `{row['opponent']}` | {row['games']} | {share} | {points} |")
    return "\n".join(lines)


def _answers(rows: Sequence[dict[str, Any]]) -> str:
    names = [*Counts.__dataclass_fields__]
    lines = [
        "| game | " + " | ".join(name.replace("_", " ") for name in names) + " | seconds a call | tokens a call |",
        "| --- |" + " ---: |" * (len(names) + 2),
    ]
    for game in dict.fromkeys(row["game"] for row in rows):
        mine = [row for row in rows if row["game"] == game]
        total = {name: sum(row[name] for row in mine) for name in names}
        calls = max(1, total["calls"])
        tokens = sum(n for row in mine for name, n in row.items() if name.endswith("_tokens"))
        numbers = [*map(str, total.values()), f"{sum(r['seconds'] for r in mine) / calls:.2g}"]
        lines.append(f"| {game} | " + " | ".join([*numbers, f"{tokens / calls:.0f}" if tokens else "-"]) + " |")
    return "\n".join(lines)


def _ratings(found: dict[str, Any]) -> str:
    games = len({row["game"] for row in found["rows"]})
    lines = [
        f"One Bradley-Terry fit over {games} game{'s' * (games > 1)} of equal weight; 400 points are odds of ten to one,"
        " `greedy` stands at 1000.\n",
        "| player | rating |",
        "| --- | --- |",
    ]
    for rung in found["scale"]:
        fixed = rung["low"] == rung["high"]
        bounds = "" if fixed else f" [{rung['low']:.0f}, {rung['high']:.0f}]"
        lines.append(f"| `{rung['player']}` | {rung['rating']:.0f}{bounds} |")
    return "\n".join(lines)


def write_results(folder: Path, found: dict[str, Any]) -> None:
    """Write both files."""
    plain = json.dumps(found, indent=1, default=_number)
    write_whole(folder / RESULTS, plain + "\n")
    write_whole(folder / PAGE, page(found))


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
