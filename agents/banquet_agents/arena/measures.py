"""What a game is like to play, measured on its scripted agents: length, branching, seats, luck against skill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from banquet_agents.arena import tables
from banquet_agents.arena.contests import Contest, deals_for
from banquet_agents.arena.deals import Played
from banquet_agents.arena.evaluate import bouts, overall, strength_rows
from banquet_agents.arena.playing import HERE, Venue, played
from banquet_agents.arena.sources import versions
from banquet_agents.arena.statistics import deal_share, estimate, read_estimate
from banquet_agents.registry import agent_names
from banquet_envs.core.game import Game


@dataclass
class SelfPlay:
    """One agent in every seat: D deals, each played R times with other chance of the agents, P seats.

    Attributes:
        length: int64 (D, R), decisions asked of anybody.
        legal: int64 (A + 1,), how many decisions had so many legal actions.
        share: float64 (D, R, P), shares of the win.
        points: float64 (D, R, P).
        capped: games that an engine guard ended.
    """

    length: np.ndarray
    legal: np.ndarray
    share: np.ndarray
    points: np.ndarray
    capped: int

    @classmethod
    def of(cls, repeats: Sequence[Played]) -> SelfPlay:
        """From the repeats of the same deals."""
        length, share, points = (
            np.concatenate([getattr(p, name) for p in repeats], axis=1) for name in ("decisions", "share", "points")
        )
        legal = sum(p.legal.sum(axis=0, dtype=np.int64) for p in repeats)
        return cls(
            length, np.asarray(legal), share, points.astype(np.float64), sum(int(p.capped.sum()) for p in repeats)
        )


def self_play(game: Game, name: str, deals: int, repeats: int, seed: int = 0) -> list[Contest]:
    """Contests in which an agent plays itself.

    A deal fixes the game's seed word: set-up and the game's own random stream. Repeats of a deal differ in the agents'
    chance only: what they choose at random, and how what they cannot know is resampled for them.

    Args:
        game: the Game.
        name: a name for `make_agent`.
        deals, repeats: how many.
        seed: of deals and chance.
    """
    salts = np.random.SeedSequence([seed, 11]).generate_state(repeats)
    seats = ((0,) * game.num_players,)
    return [Contest(game, (name,), seats, deals, seed, int(salt), legal=True) for salt in salts]


def measure(
    game: Game,
    games: int = 1000,
    repeats: int = 4,
    seed: int = 0,
    agents: Sequence[str] | None = None,
    venue: Venue = HERE,
) -> dict[str, Any]:
    """All measures of a game, ready for JSON.

    Args:
        game: the Game.
        games: about how many for each agent, and for each pair of agents.
        repeats: how often each deal is played, at least 2.
        seed: of deals and chance.
        agents: names, weakest first; all scripted ones when not given.
        venue: where it is played; its folder gets results.json, results.csv and README.md.
    """
    names = list(agents or agent_names(game.name))
    repeats = max(2, repeats)
    deals = deals_for(games, repeats)
    contests = [c for name in names for c in self_play(game, name, deals, repeats, seed)]
    best, others = names[-1], names[:-1]
    contests += (skill := bouts(game, best, others, deals_for(games, game.num_players), seed) if others else [])
    request = {"command": "measure", "game": game.identity(), "agents": names, "repeats": repeats, "seed": seed}
    with played(contests, venue, request) as (each, journal):
        groups = [each[k * repeats : (k + 1) * repeats] for k in range(len(names))]
        selves = [_agent_row(name, SelfPlay.of(g), seed) for name, g in zip(names, groups, strict=True)]
        rows = strength_rows(others, skill, each[len(names) * repeats :]) if others else []
        found = {
            "game": game.identity(),
            "deals": deals,
            "repeats": repeats,
            "games": games,
            "seed": seed,
            "versions": versions(),
            "self_play": selves,
            "skill": [{"agent": best, **row} for row in overall(rows)],
            "command": venue.command,
        }
        journal.write(
            {
                "results.json": tables.json_text(found),
                "results.csv": tables.csv_text({k: v for k, v in r.items() if k != "seats"} for r in selves),
                "README.md": f"{markdown(found, game.spec.title)}\n```\n{venue.command}\n```\n",
            }
        )
    return found


def _agent_row(name: str, played: SelfPlay, seed: int) -> dict[str, Any]:
    """The measures of one agent's self-play."""
    points, share, players = played.points, played.share, played.points.shape[-1]
    low, middle, high = (float(q) for q in np.quantile(played.length, [0.05, 0.5, 0.95]))
    asked = int(played.legal.sum())
    actions = np.searchsorted(np.cumsum(played.legal), np.array([0.05, 0.5, 0.95]) * asked).tolist()
    seats = [
        {"seat": k} | estimate(share[:, :, k].mean(axis=1), players > 1).named("share")
        | estimate(points[:, :, k].mean(axis=1)).named("points")
        for k in range(players)
    ]  # fmt: skip
    others = (points.sum(axis=2) - points[:, :, 0]) / max(1, players - 1)
    return {
        "agent": name,
        "games": int(played.length.size),
        "capped": played.capped,
        "decisions": middle,
        "decisions_5": low,
        "decisions_95": high,
        "decisions_mean": float(played.length.mean()),
        "legal_mean": float((played.legal * np.arange(len(played.legal))).sum() / asked),
        "legal": actions[1],
        "legal_5": actions[0],
        "legal_95": actions[2],
        "forced": float(played.legal[1] / asked),
        "seats": seats,
        **deal_share(points[:, :, 0] - others, seed).named("deal_of_lead"),
        **deal_share(share[:, :, 0], seed).named("deal_of_win"),
    }


# ---------------------------------------------------------------- on paper


def markdown(found: Mapping[str, Any], title: str) -> str:
    """The measures as a Markdown page."""
    solo = found["game"]["players"] == 1
    options = ", ".join(f"{k}={v}" for k, v in found["game"]["options"].items()) or "none"
    lines = [
        f"# {title}, {'played alone' if solo else str(found['game']['players']) + ' players'}",
        "",
        f"Rules {found['game']['version']}, options: {options}. {found['deals']} deals, each played {found['repeats']} times"
        f" by each agent against itself, seed {found['seed']}. Intervals are 95 %, over deals.",
        "",
        "## Length and choices",
        "",
        _length_table(found["self_play"]),
        "",
        "Decisions of all seats together that anybody was asked for; what the public rules force is played, not asked. A forced"
        " decision is one that was asked with a single legal action.",
        "",
        *([] if solo else ["## Seats", "", *_seat_table(found), ""]),
        "## Luck and skill",
        "",
        _skill_table(found["skill"], solo),
        "",
        _deal_table(found["self_play"], solo),
        "",
        "The second table tells how much of the variance of the result lies between deals when an agent plays itself and the"
        " same deal is played again with other chance of the agents: ICC(1) of a one-way random-effects analysis of variance,"
        " interval by bootstrap over deals. A deal is the game's seed: the set-up and the game's own random stream, which after"
        " other choices falls on other events. The agents' chance is what they draw themselves and how what they cannot know"
        " is resampled for them. An agent without chance gives 100 %, whatever the game.",
        "",
    ]
    return "\n".join(lines)


def _length_table(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [
        "agent",
        "decisions a game: median (5-95 %)",
        "mean",
        "legal actions: median (5-95 %)",
        "mean",
        "forced %",
        "capped games",
    ]
    return tables.markdown(
        head,
        [
            [
                row["agent"], f"{row['decisions']:.0f} ({row['decisions_5']:.0f}-{row['decisions_95']:.0f})",
                f"{row['decisions_mean']:.1f}", f"{row['legal']} ({row['legal_5']}-{row['legal_95']})",
                f"{row['legal_mean']:.1f}", f"{100 * row['forced']:.1f}", str(row["capped"]),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _seat_table(found: Mapping[str, Any]) -> list[str]:
    players = found["game"]["players"]
    rows = [
        [row["agent"], *(read_estimate(seat, "share").text(percent=True) for seat in row["seats"])]
        for row in found["self_play"]
    ]
    table = tables.markdown(["agent against itself", *(f"win share % of seat {k}" for k in range(players))], rows)
    return [*table, "", f"The fair share is {100 / players:.1f} %."]


def _skill_table(rows: Sequence[Mapping[str, Any]], solo: bool) -> str:
    head = ["agent", "against", *([] if solo else ["win share %"]), "lead in points"]
    cells = [
        [
            row["agent"], row["opponent"], *([] if solo else [read_estimate(row, "share").text(percent=True)]),
            read_estimate(row, "lead").text(),
        ]
        for row in rows
    ]  # fmt: skip
    return tables.markdown(head, cells)


def _deal_table(rows: Sequence[Mapping[str, Any]], solo: bool) -> str:
    head = ["agent against itself", f"variance of seat 0's {'points' if solo else 'lead'} between deals, %"]
    head += [] if solo else ["of its win share, %"]
    whats = ["deal_of_lead"] if solo else ["deal_of_lead", "deal_of_win"]
    return tables.markdown(head, [[r["agent"], *(read_estimate(r, w).text(percent=True) for w in whats)] for r in rows])
