"""Points, needs and numbers of rolls of random games, worked out again in plain Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs.core.compile import JIT
from banquet_envs.core.state import take
from banquet_envs.games.dinner_party.state import Phase
from tests.sizes import many

from .play import random_games
from .positions import game_of
from .recount import Box, tables_of

SMALL = Path(__file__).with_name("small_deck.toml")


def check_points(game: Any, box: Box, states: Any, hitler: bool) -> None:
    for r in states:
        tables = tables_of(r, game.num_players)
        points = [box.points(tables, r.drink, s) for s in range(game.num_players)]
        assert points == [int(x) for x in r.points[: game.num_players]]
        if r.over:
            keys = [(p, box.demand(t, hitler)) for p, t in zip(points, tables, strict=True)]
            assert [int(x) for x in r.place[: game.num_players]] == [sum(o > k for o in keys) for k in keys]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("hitler", [True, pytest.param(False, marks=pytest.mark.long)])
def test_points_and_places_of_a_thousand_games(players: int, hitler: bool) -> None:
    """Of the options only the tie-break touches scoring; the other three are varied with it."""
    more = {} if hitler else {"charm_hitler": False, "first_charm": "start_player_waits", "dice": "few_drinks"}
    game = game_of(players, hitler_in_ties=hitler, **more)
    check_points(game, Box(game.components, players), random_games(game, many(1000), seed=players), hitler)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_points_of_the_small_deck(players: int) -> None:
    game = game_of(players, SMALL)
    check_points(game, Box(SMALL, players), random_games(game, many(1000), seed=players), True)


def check_rolls(game: Any, box: Box, states: Any) -> int:
    """Every roll of these records: what the dice must show, how many rolls, what Drinks and icons count."""
    checked = 0
    for r in states:
        if r.phase != Phase.ROLL:
            continue
        tables = tables_of(r, game.num_players)
        stash = r.stash[:, 1:]
        guest, at_table = int(r.target), r.where[r.target] < 6
        kind, seat = ("entertain", int(r.where[guest])) if r.entertaining else ("invite", int(r.active))
        charmer = int(r.active) if r.entertaining else -1
        for end in (0, 1):
            mods = box.mods(
                tables, stash, kind, seat, guest, None if r.entertaining else end, charmer, at_table, r.drink
            )
            assert r.need[end] == box.guests[guest]["demand"] - sum(mods.values())
        assert r.rolls_left < box.rolls(tables, kind, seat, charmer)
        assert [int(w) for w in r.worth] == [box.drink_worth(tables[seat], d) for d in range(3)]
        icons = sum(box.ability(g)["value"] for g in tables[seat] if box.ability(g)["kind"] == "icon_value")
        assert r.icon_worth == icons
        checked += 1
    return checked


@pytest.mark.parametrize(("players", "components"), [(2, None), (4, None), (6, None), (2, SMALL), (3, SMALL)])
def test_needs_and_rolls_in_random_games(players: int, components: Path | None) -> None:
    game = game_of(players, components)
    box = Box(game.components, players)
    rng = np.random.default_rng(players)
    checked, sample = 0, 40 if components else 8

    def visit(states: Any, rows: np.ndarray) -> None:
        nonlocal checked
        if len(rows):
            checked += check_rolls(game, box, take(states, rng.choice(rows, min(sample, len(rows)), replace=False)))
            check_points(game, box, take(states, rows[:1]), True)

    random_games(game, many(300), seed=11, visit=visit)
    assert checked > 500 or not JIT
    assert checked > 100
