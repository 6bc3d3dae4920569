"""The results of a tournament as files: matches, tables, heat map and a page. Nothing in them depends on the clock."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from typing import Any

from banquet_agents.arena.heatmap import heat_map
from banquet_agents.arena.sources import code_hash, file_hashes, versions
from banquet_agents.arena.statistics import read_estimate
from banquet_agents.arena.tables import csv_text, markdown
from banquet_agents.arena.tournament import MODES, Results
from banquet_envs.core.game import spawn_seeds

MATCHES, AGENTS, PAIRS, HEAT_MAP, PAGE = "matches.csv", "agents.csv", "pairs.csv", "heatmap.png", "README.md"


def files(results: Results, command: str) -> dict[str, str | bytes]:
    """Everything, by file name."""
    found: dict[str, str | bytes] = {MATCHES: csv_text(match_rows(results)), AGENTS: csv_text(results.agents)}
    if results.pairs:
        found |= {PAIRS: csv_text(results.pairs), HEAT_MAP: heat_map(results)}
    return found | {PAGE: page(results, command)}


def match_rows(results: Results) -> Iterator[dict[str, Any]]:
    """Every game: number of its pairing, deal, seed word, who sat where, points, places, decisions, capped."""
    words = spawn_seeds(results.deals, results.seed).tolist()
    for deal, k, way in results.listed():
        contest, played = results.contests[k], results.played[k]
        row: dict[str, Any] = {"pairing": k, "deal": deal, "seed": words[deal]}
        row |= {f"agent_{s}": contest.agents[a] for s, a in enumerate(contest.assignments[way])}
        row |= {f"points_{s}": v for s, v in enumerate(played.points[deal, way].tolist())}
        row |= {f"place_{s}": v for s, v in enumerate(played.place[deal, way].tolist())}
        yield row | {"decisions": int(played.decisions[deal, way]), "capped": int(played.capped[deal, way])}


# ---------------------------------------------------------------- the page


def page(results: Results, command: str) -> str:
    """The page, in Markdown."""
    parts = [
        heading(results),
        facts(results),
        f"```sh\n{command}\n```" if command else "",
        "## Agents",
        agents_table(results),
    ]
    if results.pairs:
        parts += ["## One against the other", pair_matrix(results), f"![Heat map]({HEAT_MAP})"]
        parts += ["In detail:", pair_table(results)]
    parts += ["## How to read it", reading(results), "## Files", listing(bool(results.pairs))]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary(results: Results) -> str:
    """The main tables, for the terminal."""
    return "\n\n".join([agents_table(results), *([pair_matrix(results)] if results.pairs else [])])


def heading(results: Results) -> str:
    """The title."""
    seats = "1 player" if results.solo else f"{results.game.num_players} players"
    return f"# Tournament: {results.game.spec.title}, {seats}"


def facts(results: Results) -> str:
    """What was played, and with what."""
    game, own = results.game, ""
    if game.components != game.spec.components:
        own = f" ({game.components})"
    options = ", ".join(f"{k}={str(v).lower()}" for k, v in game.options.items()) or "none"
    used = versions() | {"openskill": importlib.metadata.version("openskill")}
    mode = "every agent alone" if results.solo else f"{results.mode} ({MODES[results.mode]})"
    assignments = sum(len(contest.assignments) for contest in results.contests)
    times = f"{assignments:,} {'agents' if results.solo else 'seat assignments'}"
    hashes = "".join(f", `{k}`: `{v}`" for k, v in file_hashes(results.names).items())
    lines = [
        ("game", f"`{game.name}`, rules {game.spec.version}, options: {options}"),
        ("components", f"`{game.components_hash}`{own}"),
        ("agents", ", ".join(f"`{a}`" for a in results.names)),
        ("mode", mode),
        ("games", f"{results.games:,} = {results.deals:,} deals x {times}"),
        ("decisions", f"{results.decisions:,}, {results.decisions / results.games:.1f} a game"),
        ("seed", str(results.seed)),
        ("sources", f"`{code_hash(game)}` (hash of rules, agents and matches){hashes}"),
        ("versions", ", ".join(f"{k} {v}" for k, v in used.items())),
    ]
    if results.capped:
        lines.append(("cut short", f"{results.capped:,} games reached the engine's limit of decisions"))
    return "\n".join(f"- {name}: {value}" for name, value in lines)


def agents_table(results: Results) -> str:
    """The agents, best rating first."""
    shown = ["points"] if results.solo else ["share", "points", "place"]
    names = {"share": "win share %", "points": "points", "place": "place"}
    head = ["agent", "games", *(names[s] for s in shown), "rating", "mu", "sigma"]
    lines = []
    for row in results.agents:
        cells = [f"`{row['agent']}`", f"{row['games']:,}", *(read_estimate(row, s).text(s == "share") for s in shown)]
        lines.append([*cells, *(f"{row[name]:.2f}" for name in ("ordinal", "mu", "sigma"))])
    return markdown(head, lines)


def pair_matrix(results: Results) -> str:
    """Win shares (with one player: how often ahead) in per cent, row against column."""
    what = results.shown
    cells = {(r["agent"], r["opponent"]): read_estimate(r, what).text(True) for r in results.pairs}
    head = ["% ahead" if results.solo else "% of the win", *(f"`{a}`" for a in results.names)]
    return markdown(head, [[f"`{a}`", *(cells.get((a, b), "–") for b in results.names)] for a in results.names])


def pair_table(results: Results) -> str:
    """All measures of every pair."""
    players = results.game.num_players
    shown = ["share"] if players == 2 else ["share", "ahead"] if players > 2 else ["ahead"]
    names = {"share": "win share %", "ahead": "ahead %"}
    head = ["agent", "opponent", "games", *(names[s] for s in shown), "points", "opponent's points", "lead in points"]
    lines = []
    for row in results.pairs:
        cells = [f"`{row['agent']}`", f"`{row['opponent']}`", f"{row['games']:,}"]
        cells += [read_estimate(row, s).text(True) for s in shown]
        cells += [f"{row['points']:.2f}", f"{row['opponent_points']:.2f}", read_estimate(row, "lead").text()]
        lines.append(cells)
    return markdown(head, lines, words=2)


def reading(results: Results) -> str:
    """How to read the tables."""
    if results.solo:
        lines = [
            "Everybody plays the same deals alone. *Ahead*: on how many deals the row's agent has more points, ties half."
        ]
    else:
        lines = [
            f"*Win share*: ties share the win; the fair share is {100 / results.game.num_players:.1f} %.",
            "All pairings play the same deals, each with every seat assignment.",
            "Row against column: the row's agent holds one seat, the column's agent the other.",
        ]
    if results.game.num_players > 2:
        others = "all others" if results.mode == "pairings" else "at least one other"
        lines[-1:] = [
            "The first table is of the games in which the agent holds one seat, whoever holds the others.",
            f"Row against column: the row's agent holds one seat, the column's agent {others}.",
            "*Ahead*: how often the row's agent finishes before a seat of the column's agent, ties half.",
        ]
    lines.append("Brackets are 95 % intervals over deals, since the games of one deal are not independent.")
    if any(r["repeated_deals"] for r in results.agents):
        lines.append("*no interval*: some deals went exactly like others, so that their number says nothing.")
    lines.append(
        "*Rating*: OpenSkill (Plackett-Luce), mu - 3 sigma; a new agent starts with mu 25 and sigma 8.33. Only differences"
        " within this tournament mean anything."
    )
    return "\n".join(f"- {line}" for line in lines)


def listing(pairs: bool) -> str:
    """What lies beside the page."""
    lines = [f"- `{MATCHES}`: every game, with its seed word", f"- `{AGENTS}`: the first table"]
    if pairs:
        lines.append(f"- `{PAIRS}`, `{HEAT_MAP}`: the others")
    lines += ["- `plan.json`: what the folder was begun for; `blocks/`: finished parts"]
    return "\n".join(lines)
