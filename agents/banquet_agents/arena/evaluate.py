"""How strong an agent is: against each opponent, over all seats and per seat, with 95 % intervals over deals."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from banquet_agents.arena.matches import MatchResult, play_match
from banquet_agents.arena.statistics import Estimate, estimate
from banquet_agents.files import write_whole
from banquet_agents.registry import agent_names, make_agent
from banquet_envs.core.game import Game
from banquet_envs.core.table import Player

COLUMNS = (
    "opponent", "seat", "games", "deals", "seed", "share", "share_low", "share_high", "points", "points_low",
    "points_high", "opponent_points", "lead", "lead_low", "lead_high",
)  # fmt: skip


def strength(
    game: Game,
    agent: str | tuple[str, Player],
    opponents: Sequence[str] | None = None,
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[dict[str, Any]]:
    """The agent in one seat, the opponent in all others, seat-balanced.

    With one player both play the same deals, and the lead is the paired difference in points.

    Args:
        game: the Game.
        agent: a name, or a name with an agent.
        opponents: names; every scripted agent of the game when not given.
        games: about how many against each opponent.
        seed: of the deals.
        progress: called with (games finished, games in all) now and then.

    Returns:
        Rows for each opponent, seat "all" first: win share, points, lead in points, each with its interval.
    """
    found: list[dict[str, Any]] = []
    names = list(agent_names(game.name) if opponents is None else opponents)
    for k, opponent in enumerate(names):

        def report(done: int, total: int, k: int = k) -> None:
            if progress is not None:
                progress(k * total + done, len(names) * total)

        # the opponent's kind gets another name, so that an agent can be measured against itself
        named = (f"agent {agent}", make_agent(game, agent)) if isinstance(agent, str) else agent
        if game.num_players == 1:
            mine = play_match(game, [named], games, seed, report)
            theirs = play_match(game, [opponent], games, seed)
            found.append(_row(opponent, None, mine, mine.per_deal("points", 0), theirs.per_deal("points", 0)))
            continue
        match = play_match(game, [named, *[opponent] * (game.num_players - 1)], games, seed, report)
        for seat in (None, *range(game.num_players)):
            found.append(_match_row(match, opponent, seat))
    return found


def _match_row(match: MatchResult, opponent: str, seat: int | None) -> dict[str, Any]:
    """The agent in one seat (or all) against those who held the other seats in the same games."""
    held = [k for k, a in enumerate(match.assignments) if seat is None or a[seat] == 0]
    mine, theirs = [], []
    for k in held:
        at = match.assignments[k].index(0)
        points = match.points[:, k, :]
        mine.append(points[:, at])
        theirs.append((points.sum(axis=1) - points[:, at]) / (points.shape[1] - 1))
    return _row(opponent, seat, match, sum(mine) / len(mine), sum(theirs) / len(theirs))


def _row(opponent: str, seat: int | None, match: MatchResult, mine: Any, theirs: Any) -> dict[str, Any]:
    refuse = match.repeated_deals > 0
    row: dict[str, Any] = {"opponent": opponent, "seat": "all" if seat is None else seat}
    row |= {"games": match.games if seat is None else match.deals, "deals": match.deals, "seed": match.seed}
    values = {
        "share": match.estimate("share", 0, seat),
        "points": estimate(mine, refuse=refuse),
        "lead": estimate(mine - theirs, refuse=refuse),
    }
    for name, value in values.items():
        row |= {name: value.mean, f"{name}_low": value.low, f"{name}_high": value.high}
    row["opponent_points"] = float(theirs.mean())
    return row


def markdown(rows: Sequence[dict[str, Any]], solo: bool = False) -> str:
    """The rows as a table; the fair share of the win is 1 / players."""
    head = ["opponent", "seat", "games", "win share %", "points", "opponent's points", "lead in points"]
    align = ["---", "---", "---:", "---", "---", "---:", "---"]
    if solo:
        del head[3], align[3]
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(align) + " |"]
    for row in rows:
        cells = [str(row["opponent"]), str(row["seat"]), str(row["games"])]
        if not solo:
            cells.append(_estimate(row, "share").text(percent=True))
        cells += [_estimate(row, "points").text(), f"{row['opponent_points']:.2f}", _estimate(row, "lead").text()]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    return Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"])


def write_csv(rows: Sequence[dict[str, Any]], file: Path) -> None:
    """The rows as CSV."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]) if rows else list(COLUMNS))
    writer.writeheader()
    writer.writerows(rows)
    write_whole(file, out.getvalue())
