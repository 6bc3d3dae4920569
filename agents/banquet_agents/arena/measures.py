"""What a game is like to play, measured on its scripted agents: length, branching, seats, luck against skill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from banquet_agents.arena.evaluate import strength
from banquet_agents.arena.matches import versions
from banquet_agents.arena.scores import read_estimate
from banquet_agents.arena.statistics import Estimate, estimate
from banquet_agents.registry import agent_names, make_agent
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.table import Table

RESAMPLES = 2000
"""Bootstrap samples for the interval of the variance that the deal explains."""


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


def self_play(game: Game, name: str, deals: int, replays: int, seed: int = 0) -> SelfPlay:
    """Let an agent play itself.

    A deal fixes the game's seed word: set-up and the game's own random stream. Replays of a deal differ in the agents'
    chance only: what they choose at random, and how what they cannot know is resampled for them.

    Args:
        game: the Game.
        name: a name for `make_agent`.
        deals, replays: how many.
        seed: of deals and chance.
    """
    agent, words = make_agent(game, name), spawn_seeds(deals, seed)
    legal = np.zeros(game.num_actions + 1, np.int64)
    tables = []
    for salt in np.random.SeedSequence([seed, 11]).generate_state(replays):
        table = Table(game, deals, salt=int(salt))
        rows = np.arange(deals)
        table.begin(rows, words)
        rows = rows[~table.over]
        while len(rows):
            legal += np.bincount(table.buffers.mask[rows].sum(axis=1), minlength=len(legal))
            table.play(rows, table.ask(agent, rows))
            rows = rows[~table.over[rows]]
        tables.append(table)
    length, points, place, capped = (
        np.stack([t.states.view(np.ndarray)[name].copy() for t in tables], axis=1)
        for name in ("ply", "points", "place", "capped")
    )
    first = place[..., : game.num_players] == 0
    return SelfPlay(
        length.astype(np.int64), legal, first / first.sum(axis=-1, keepdims=True),
        points[..., : game.num_players].astype(np.float64), int(capped.sum()),
    )  # fmt: skip


def deal_share(values: np.ndarray, seed: int = 0) -> Estimate:
    """The share of a result's variance that lies between deals: the intraclass correlation ICC(1).

    One-way random-effects analysis of variance over D deals with R replays each: with the mean squares B between and
    W within deals, (B - W) / (B + (R - 1) W). Subtracting W removes what the plain ratio of sums of squares would credit
    to the deals by chance alone. Values below 0, which sampling can give, are 0. The interval is the percentile
    bootstrap over deals.

    Args:
        values: (D, R), a result for each replay of each deal.
        seed: of the bootstrap.

    Returns:
        nan where all values are equal, or with fewer than two deals or replays.
    """
    deals, replays = values.shape
    if deals < 2 or replays < 2 or np.ptp(values) == 0:
        return Estimate(np.nan, np.nan, np.nan)
    means, within = values.mean(axis=1), values.var(axis=1, ddof=1)
    picked = np.random.default_rng(seed).integers(deals, size=(RESAMPLES, deals))
    spread = np.array([_icc(means[k], within[k], replays) for k in picked])
    low, high = np.nanquantile(spread, [0.025, 0.975])
    return Estimate(_icc(means, within, replays), float(low), float(high))


def _icc(means: np.ndarray, within: np.ndarray, replays: int) -> float:
    """ICC(1) from the means and variances of the deals."""
    between, inside = replays * float(means.var(ddof=1)), float(within.mean())
    total = between + (replays - 1) * inside
    return max(0.0, (between - inside) / total) if total > 0 else np.nan


def measure(
    game: Game,
    games: int = 1000,
    replays: int = 4,
    seed: int = 0,
    agents: Sequence[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """All measures of a game, ready for JSON.

    Args:
        game: the Game.
        games: about how many for each agent, and for each pair of agents.
        replays: how often each deal is played, at least 2.
        seed: of deals and chance.
        agents: names, weakest first; all scripted ones when not given.
        progress: called with (steps done, steps in all).
    """
    names = list(agents or agent_names(game.name))
    deals, replays = max(2, -(-games // max(2, replays))), max(2, replays)
    steps = 2 * len(names) - 1
    played, skill = [], []
    for k, name in enumerate(names):
        played.append(_agent_row(game, name, self_play(game, name, deals, replays, seed), seed))
        if progress is not None:
            progress(k + 1, steps)
    for k, name in enumerate(names[:-1]):
        row = strength(game, names[-1], [name], games, seed)[0]
        skill.append({"agent": names[-1], **row})
        if progress is not None:
            progress(len(names) + k + 1, steps)
    return {
        "game": game.identity(),
        "deals": deals,
        "replays": replays,
        "games": games,
        "seed": seed,
        "versions": versions(),
        "self_play": played,
        "skill": skill,
    }


def _agent_row(game: Game, name: str, played: SelfPlay, seed: int) -> dict[str, Any]:
    """The measures of one agent's self-play."""
    points, share = played.points, played.share
    low, middle, high = (float(q) for q in np.quantile(played.length, [0.05, 0.5, 0.95]))
    asked = int(played.legal.sum())
    actions = np.searchsorted(np.cumsum(played.legal), np.array([0.05, 0.5, 0.95]) * asked).tolist()
    seats = [
        {"seat": k} | _named("share", estimate(share[:, :, k].mean(axis=1), game.num_players > 1))
        | _named("points", estimate(points[:, :, k].mean(axis=1)))
        for k in range(game.num_players)
    ]  # fmt: skip
    others = (points.sum(axis=2) - points[:, :, 0]) / max(1, game.num_players - 1)
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
        **_named("deal_of_lead", deal_share(points[:, :, 0] - others, seed)),
        **_named("deal_of_win", deal_share(share[:, :, 0], seed)),
    }


def _named(what: str, value: Estimate) -> dict[str, float]:
    return {what: float(value.mean), f"{what}_low": float(value.low), f"{what}_high": float(value.high)}


# ---------------------------------------------------------------- on paper


def markdown(found: Mapping[str, Any], title: str) -> str:
    """The measures as a Markdown page."""
    solo = found["game"]["players"] == 1
    options = ", ".join(f"{k}={v}" for k, v in found["game"]["options"].items()) or "none"
    lines = [
        f"# {title}, {'played alone' if solo else str(found['game']['players']) + ' players'}",
        "",
        f"Rules {found['game']['version']}, options: {options}. {found['deals']} deals, each played {found['replays']} times"
        f" by each agent against itself, seed {found['seed']}. Intervals are 95 %, over deals.",
        "",
        "## Length and choices",
        "",
        *_length_table(found["self_play"]),
        "",
        "Decisions of all seats together that anybody was asked for; what the public rules force is played, not asked. A forced"
        " decision is one that was asked with a single legal action.",
        "",
        *([] if solo else ["## Seats", "", *_seat_table(found), ""]),
        "## Luck and skill",
        "",
        *_skill_table(found["skill"], solo),
        "",
        *_deal_table(found["self_play"], solo),
        "",
        "The second table tells how much of the variance of the result lies between deals when an agent plays itself and the"
        " same deal is played again with other chance of the agents: ICC(1) of a one-way random-effects analysis of variance,"
        " interval by bootstrap over deals. A deal is the game's seed: the set-up and the game's own random stream, which after"
        " other choices falls on other events. The agents' chance is what they draw themselves and how what they cannot know"
        " is resampled for them. An agent without chance gives 100 %, whatever the game.",
        "",
    ]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]


def _length_table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    head = [
        "agent",
        "decisions a game: median (5-95 %)",
        "mean",
        "legal actions: median (5-95 %)",
        "mean",
        "forced %",
        "capped games",
    ]
    return _table(
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
    table = _table(["agent against itself", *(f"win share % of seat {k}" for k in range(players))], rows)
    return [*table, "", f"The fair share is {100 / players:.1f} %."]


def _skill_table(rows: Sequence[Mapping[str, Any]], solo: bool) -> list[str]:
    head = ["agent", "against", *([] if solo else ["win share %"]), "lead in points"]
    cells = [
        [
            row["agent"], row["opponent"], *([] if solo else [read_estimate(row, "share").text(percent=True)]),
            read_estimate(row, "lead").text(),
        ]
        for row in rows
    ]  # fmt: skip
    return _table(head, cells)


def _deal_table(rows: Sequence[Mapping[str, Any]], solo: bool) -> list[str]:
    head = ["agent against itself", f"variance of seat 0's {'points' if solo else 'lead'} between deals, %"]
    head += [] if solo else ["of its win share, %"]
    whats = ["deal_of_lead"] if solo else ["deal_of_lead", "deal_of_win"]
    return _table(head, [[r["agent"], *(read_estimate(r, w).text(percent=True) for w in whats)] for r in rows])
