"""The results of a tournament as files: matches, tables, heat map and a page. Nothing in them depends on the clock."""

from __future__ import annotations

import csv
import importlib.metadata
import io
import math
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from banquet_agents.arena.statistics import Estimate
from banquet_agents.arena.tournament.plan import MODES, Plan
from banquet_agents.arena.tournament.results import Results
from banquet_agents.files import write_whole
from banquet_envs.core.game import spawn_seeds
from banquet_envs.core.registry import game_spec

MATCHES, AGENTS, PAIRS, HEAT_MAP, PAGE = "matches.csv", "agents.csv", "pairs.csv", "heatmap.png", "README.md"


def write(results: Results, folder: Path) -> None:
    """Write everything; each file is replaced whole."""
    write_whole(folder / MATCHES, _csv(match_rows(results)))
    write_whole(folder / AGENTS, _csv(_table(results.agents)))
    if results.pairs:
        from banquet_agents.arena.tournament.heatmap import heat_map

        write_whole(folder / PAIRS, _csv(_table(results.pairs)))
        write_whole(folder / HEAT_MAP, heat_map(results.plan, results.pairs))
    write_whole(folder / PAGE, page(results))


def _csv(rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _table(rows: Sequence[dict[str, Any]]) -> Iterable[list[Any]]:
    """Header and values; what is not a number is left empty."""
    yield list(rows[0])
    for row in rows:
        yield ["" if isinstance(v, float) and math.isnan(v) else v for v in row.values()]


def match_rows(results: Results) -> Iterable[Sequence[Any]]:
    """Header, then every game: pairing, deal, seed word, who sat where, points, places, decisions, capped."""
    plan = results.plan
    seats = range(plan.players)
    yield [
        "pairing", "deal", "seed", *(f"agent_{s}" for s in seats), *(f"points_{s}" for s in seats),
        *(f"place_{s}" for s in seats), "decisions", "capped",
    ]  # fmt: skip
    words = spawn_seeds(plan.deals, plan.seed).tolist()
    fields = [[getattr(p, f).tolist() for f in ("points", "place", "decisions", "capped")] for p in results.played]
    names = [[[plan.agents[a] for a in seated] for seated in p.assignments] for p in plan.pairings]
    for deal, k, way in results.games():
        points, place, decisions, capped = (f[deal][way] for f in fields[k])
        yield [k, deal, words[deal], *names[k][way], *points, *place, decisions, int(capped)]


# ---------------------------------------------------------------- the page


def command(plan: Plan) -> str:
    """The command that plays this tournament."""
    words = ["banquet", "tournament", plan.game["game"], "--players", str(plan.players)]
    for name, value in plan.game["options"].items():
        words += ["--option", f"{name}={str(value).lower()}"]
    if plan.components is not None:
        words += ["--components", plan.components]
    for agent in plan.agents:
        words += ["--agent", agent]
    games = plan.deals * max(len(p.assignments) for p in plan.pairings)
    words += ["--mode", plan.mode, "--games", str(games), "--seed", str(plan.seed), "--block", str(plan.block)]
    return shlex.join(words)


def page(results: Results) -> str:
    """The page, in Markdown."""
    plan, pairs = results.plan, results.pairs
    parts = [heading(plan), facts(results), "## Agents", agents_table(plan, results.agents)]
    if pairs:
        parts += ["## One against the other", pair_matrix(plan, pairs), f"![Heat map]({HEAT_MAP})"]
        parts += ["In detail:", pair_table(plan, pairs)]
    parts += ["## How to read it", reading(plan, results.agents), "## Files", files(bool(pairs))]
    return "\n\n".join(parts) + "\n"


def summary(results: Results) -> str:
    """The main tables, for the terminal."""
    parts = [agents_table(results.plan, results.agents)]
    if results.pairs:
        parts.append(pair_matrix(results.plan, results.pairs))
    return "\n\n".join(parts)


def heading(plan: Plan) -> str:
    """The title."""
    seats = "1 player" if plan.players == 1 else f"{plan.players} players"
    return f"# Tournament: {game_spec(plan.game['game']).title}, {seats}"


def facts(results: Results) -> str:
    """What was played, and with what."""
    plan, game = results.plan, results.plan.game
    options = ", ".join(f"{k}={str(v).lower()}" for k, v in game["options"].items()) or "none"
    used = plan.versions | {"openskill": importlib.metadata.version("openskill")}
    mode = "every agent alone" if plan.players == 1 else f"{plan.mode} ({MODES[plan.mode]})"
    assignments = sum(len(p.assignments) for p in plan.pairings)
    times = f"{assignments:,} {'agents' if plan.players == 1 else 'seat assignments'}"
    lines = [
        ("game", f"`{game['game']}`, rules {game['version']}, options: {options}"),
        ("components", f"`{game['components']}`" + (f" ({plan.components})" if plan.components else "")),
        ("agents", ", ".join(f"`{a}`" for a in plan.agents)),
        ("mode", mode),
        ("games", f"{plan.games:,} = {plan.deals:,} deals x {times}"),
        ("decisions", f"{results.decisions:,}, {results.decisions / plan.games:.1f} a game"),
        ("seed", str(plan.seed)),
        (
            "sources",
            f"`{plan.code}` (hash of rules, agents and matches)"
            + "".join(f", `{k}`: `{v}`" for k, v in plan.files.items()),
        ),
        ("versions", ", ".join(f"{k} {v}" for k, v in used.items())),
    ]
    if results.capped:
        lines.append(("cut short", f"{results.capped:,} games reached the engine's limit of decisions"))
    told = "\n".join(f"- {name}: {value}" for name, value in lines)
    return f"{told}\n\n```sh\n{command(plan)}\n```"


def agents_table(plan: Plan, rows: Sequence[dict[str, Any]]) -> str:
    """The agents, best rating first."""
    solo = plan.players == 1
    head = ["agent", "games", *([] if solo else ["win share %"]), "points", *([] if solo else ["place"])]
    lines = [[*head, "rating", "mu", "sigma"]]
    for row in rows:
        cells = [f"`{row['agent']}`", f"{row['games']:,}"]
        cells += [] if solo else [_text(row, "share", True)]
        cells += [_text(row, "points")] + ([] if solo else [_text(row, "place")])
        lines.append([*cells, *(f"{row[name]:.2f}" for name in ("ordinal", "mu", "sigma"))])
    return markdown(lines)


def pair_matrix(plan: Plan, pairs: Sequence[dict[str, Any]]) -> str:
    """Win shares (with one player: how often ahead) in per cent, row against column."""
    what = measure(plan)
    cells = {(r["agent"], r["opponent"]): _text(r, what, True) for r in pairs}
    lines = [[f"{meaning(plan)}", *(f"`{a}`" for a in plan.agents)]]
    for a in plan.agents:
        lines.append([f"`{a}`", *(cells.get((a, b), "–") for b in plan.agents)])
    return markdown(lines)


def pair_table(plan: Plan, pairs: Sequence[dict[str, Any]]) -> str:
    """All measures of every pair."""
    shown = ["share"] if plan.players == 2 else ["share", "ahead"] if plan.players > 2 else ["ahead"]
    names = {"share": "win share %", "ahead": "ahead %"}
    lines = [
        ["agent", "opponent", "games", *(names[s] for s in shown), "points", "opponent's points", "lead in points"]
    ]
    for row in pairs:
        cells = [f"`{row['agent']}`", f"`{row['opponent']}`", f"{row['games']:,}"]
        cells += [_text(row, s, True) for s in shown]
        lines.append([*cells, f"{row['points']:.2f}", f"{row['opponent_points']:.2f}", _text(row, "lead")])
    return markdown(lines, words=2)


def measure(plan: Plan) -> str:
    """What matrix and heat map show."""
    return "ahead" if plan.players == 1 else "share"


def meaning(plan: Plan) -> str:
    """The same in words."""
    return "% ahead" if plan.players == 1 else "% of the win"


def fair(plan: Plan) -> float:
    """The value of `measure` between equals."""
    return 1 / max(plan.players, 2)


def reading(plan: Plan, agents: Sequence[dict[str, Any]]) -> str:
    """How to read the tables."""
    if plan.players == 1:
        lines = [
            "Everybody plays the same deals alone. *Ahead*: on how many deals the row's agent has more points, ties half."
        ]
    else:
        lines = [
            f"*Win share*: ties share the win; the fair share is {100 / plan.players:.1f} %.",
            "All pairings play the same deals, each with every seat assignment.",
            "Row against column: the row's agent holds one seat, the column's agent the other.",
        ]
    if plan.players > 2:
        others = "all others" if plan.mode == "pairings" else "at least one other"
        lines[-1:] = [
            "The first table is of the games in which the agent holds one seat, whoever holds the others.",
            f"Row against column: the row's agent holds one seat, the column's agent {others}.",
            "*Ahead*: how often the row's agent finishes before a seat of the column's agent, ties half.",
        ]
    lines.append("Brackets are 95 % intervals over deals, since the games of one deal are not independent.")
    if any(r["repeated_deals"] for r in agents):
        lines.append("*no interval*: some deals went exactly like others, so that their number says nothing.")
    lines.append(
        "*Rating*: OpenSkill (Plackett-Luce), mu - 3 sigma; a new agent starts with mu 25 and sigma 8.33. Only differences"
        " within this tournament mean anything."
    )
    return "\n".join(f"- {line}" for line in lines)


def files(pairs: bool) -> str:
    """What lies beside the page."""
    lines = [f"- `{MATCHES}`: every game, with its seed word", f"- `{AGENTS}`: the first table"]
    if pairs:
        lines.append(f"- `{PAIRS}`, `{HEAT_MAP}`: the others")
    lines += [
        "- `tournament.json`: the plan; `units/`: finished parts; `sessions.jsonl`: when and how long it was played"
    ]
    return "\n".join(lines)


def markdown(lines: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table: header first; all but the first columns, which hold words, stand to the right."""
    rule = ["---" if k < words else "---:" for k in range(len(lines[0]))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [lines[0], rule, *lines[1:]])


def _text(row: dict[str, Any], name: str, percent: bool = False) -> str:
    return Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"]).text(percent)
