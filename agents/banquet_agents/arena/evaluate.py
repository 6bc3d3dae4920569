"""How strong an agent is: against each opponent, over all seats and per seat, with 95 % intervals over deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from banquet_agents.arena import tables
from banquet_agents.arena.contests import Contest, against, deals_for
from banquet_agents.arena.deals import Played
from banquet_agents.arena.playing import HERE, Venue, played
from banquet_agents.arena.statistics import Sample, read_estimate, sample, side_by_side
from banquet_agents.registry import agent_names
from banquet_envs.core.game import Game
from banquet_envs.core.table import Player


def strength(
    game: Game,
    agent: str | tuple[str, Player],
    opponents: Sequence[str] | None = None,
    games: int = 1000,
    seed: int = 0,
    venue: Venue = HERE,
) -> list[dict[str, Any]]:
    """The agent in one seat, the opponent in all others, seat-balanced.

    With one player both play the same deals, and the lead is the paired difference in points, the share how often it is ahead.

    Args:
        game: the Game.
        agent: a name, or a name with an agent.
        opponents: names; every scripted agent of the game when not given.
        games: about how many against each opponent.
        seed: of the deals.
        venue: where it is played; its folder gets results.json, results.csv and README.md.

    Returns:
        Rows for each opponent, seat "all" first: win share, points, lead in points, each with its interval.
    """
    name, given = (agent, {}) if isinstance(agent, str) else (agent[0], dict([agent]))
    names = list(opponents or agent_names(game.name))
    contests = bouts(game, name, names, deals_for(games, game.num_players), seed, given)
    request = {"command": "evaluate", "game": game.identity(), "agent": name, "opponents": names, "seed": seed}
    with played(contests, venue, request) as (found, journal):
        rows = strength_rows(names, contests, found)
        told = {"agent": name, "game": game.identity(), "seed": seed, "results": rows, "command": venue.command}
        journal.write(
            {
                "results.json": tables.json_text(told),
                "results.csv": tables.csv_text(rows),
                "README.md": page(game, name, seed, rows) + "\n",
            }
        )
    return rows


def bouts(
    game: Game, agent: str, opponents: Sequence[str], deals: int, seed: int, given: dict[str, Player] | None = None
) -> list[Contest]:
    """An agent against each of its opponents; with one player everybody alone, the agent first."""
    if game.num_players == 1:
        return [against(game, [name], deals, seed, given) for name in (agent, *opponents)]
    return [against(game, [agent, opponent], deals, seed, given) for opponent in opponents]


def samples(contests: Sequence[Contest], found: Sequence[Played], seat: int | None = None) -> list[Sample]:
    """The agent's games against each opponent, in all seats or in one, from what `bouts` listed."""
    if contests[0].game.num_players == 1:
        return [side_by_side(found[0], theirs) for theirs in found[1:]]
    return [sample([part], 0, 1, seat) for part in zip(contests, found, strict=True)]


def strength_rows(
    opponents: Sequence[str], contests: Sequence[Contest], found: Sequence[Played]
) -> list[dict[str, Any]]:
    """The rows of `strength`."""
    players, deals = contests[0].game.num_players, contests[0].deals
    seats = [None, *(range(players) if players > 1 else ())]
    by_seat = [samples(contests, found, seat) for seat in seats]
    rows = []
    for k, opponent in enumerate(opponents):
        for seat, each in zip(seats, by_seat, strict=True):
            row: dict[str, Any] = {"opponent": opponent, "seat": "all" if seat is None else seat}
            row |= {"games": each[k].games, "deals": deals, "seed": contests[0].seed}
            row |= each[k].entries("share", "points", "lead")
            rows.append(row | {"opponent_points": each[k].estimate("opponent_points").mean})
    return rows


def page(game: Game, agent: str, seed: int, rows: Sequence[dict[str, Any]]) -> str:
    """The rows with what they are of."""
    options = ", ".join(f"{k}={v}" for k, v in game.options.items()) or "none"
    head = (
        f"{agent} in {game.spec.title} {game.spec.version}, {game.num_players} players, options: {options}, seed {seed}"
    )
    return f"{head}\n\n{markdown(rows, game.num_players == 1)}"


def overall(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows over all seats, without those of single seats."""
    return [row for row in rows if row["seat"] == "all"]


def markdown(rows: Sequence[dict[str, Any]], solo: bool = False) -> str:
    """The rows as a table; the fair share of the win is 1 / players."""
    head = [
        "opponent",
        "seat",
        "games",
        *([] if solo else ["win share %"]),
        "points",
        "opponent's points",
        "lead in points",
    ]
    lines = []
    for row in rows:
        cells = [str(row["opponent"]), str(row["seat"]), str(row["games"])]
        cells += [] if solo else [read_estimate(row, "share").text(percent=True)]
        cells += [read_estimate(row, "points").text(), f"{row['opponent_points']:.2f}"]
        lines.append([*cells, read_estimate(row, "lead").text()])
    return tables.markdown(head, lines, words=2)
