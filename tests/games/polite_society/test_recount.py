"""Points and places counted again from the final position alone, in plain Python that shares nothing with the rules."""

import numpy as np
import pytest

from banquet_envs.testing.play import play
from tests.games.polite_society.build import game
from tests.games.polite_society.test_missions import met

OPTIONS = [
    {},
    {"trades": "off", "limited_bank": False},
    {"missions": "social_butterfly", "mandatory_card": True},
    {"missions": "janeite", "trades": "off", "play_on": True, "removal_losses": False, "seven_on_add": True},
]


def recount(g, s):
    n = g.num_players
    tables = [[int(guest) for guest in s.table[p] if guest >= 0] for p in range(n)]
    seated = [guest for table in tables for guest in table]
    assert len(set(seated)) == len(seated)
    points = [len(table) for table in tables]
    finished = sorted((int(s.finish[p]), p) for p in range(n) if s.finish[p] >= 0)
    assert [place for place, _ in finished] == list(range(len(finished)))
    for _, p in finished:
        assert points[p] == 8
        if g.options["missions"] != "off":
            assert met(g.options["missions"], int(s.mission[p]) + 1, tables[p])
    order = [p for _, p in finished]
    if s.capped:
        rest = {p: (points[p], int(s.hand[p].sum())) for p in range(n) if p not in order}
        places = [order.index(p) if p in order else len(order) + sum(rest[q] > rest[p] for q in rest) for p in range(n)]
        assert s.turns >= g.rules[0].max_turns
    else:
        places = [order.index(p) if p in order else len(order) for p in range(n)]
        assert len(order) == (n - 1 if g.options["play_on"] else 1)
    return points, places


def check(players, options, games):
    g = game(players, **options)
    states = play(g, games, 17)
    assert states.over.all()
    for s in states:
        points, places = recount(g, s)
        assert s.points[:players].tolist() == points
        assert s.place[:players].tolist() == places
    assert (np.asarray(states.place)[:, players:] == -1).all()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 4, 7])
def test_recount(players, options):
    check(players, options, 60)


@pytest.mark.long
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", range(2, 8))
def test_recount_of_a_thousand_games(players, options):
    check(players, options, 1000)
