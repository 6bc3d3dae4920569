"""The scripted hosts: each beats the one below, seat-balanced."""

from __future__ import annotations

import numpy as np
import pytest

from banquet_agents.registry import agent_names, make_agent
from banquet_envs.core import state as records

from .table import NAME, game


def shares(g, name, against, n, seed):
    """The share of wins of one `name` against all others, per deal, meaned over its seats."""
    one, other = make_agent(g, name), make_agent(g, against)
    won = np.zeros((g.num_players, n))
    for seat in range(g.num_players):
        states = g.reset(n, seed)
        turn = 0
        while not states.over.all():
            turn += 1
            for p in range(g.num_players):
                rows = np.flatnonzero((states.player == p) & ~states.over)
                now = records.take(states, rows)
                view = records.copy(now)
                g.determinize(view, p, turn)
                g.step(now, (one if p == seat else other).act(view))
                records.put(states, rows, now)
        best = states.place[:, : g.num_players] == 0
        won[seat] = best[:, seat] / best.sum(axis=1)
    return won.mean(axis=0)


def clearly_above(values, fair):
    """Whether a 95 % interval lies above the fair share."""
    return values.mean() - 1.96 * values.std(ddof=1) / np.sqrt(len(values)) > fair


def test_the_ladder():
    assert agent_names(NAME) == ["random", "greedy", "expert"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_beats_random(players):
    assert clearly_above(shares(game(players), "greedy", "random", 12, 1), 1 / players + 0.2)


def test_expert_beats_greedy_with_two_players():
    assert clearly_above(shares(game(2), "expert", "greedy", 24, 2), 0.5)


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4])
def test_expert_beats_greedy_with_more_players(players):
    assert clearly_above(shares(game(players), "expert", "greedy", 30, 2), 1 / players)


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_hosts_leave_the_game_as_it_is_and_play_legally(name):
    g = game(3, "advanced")
    states = g.reset(8, 5)
    agent = make_agent(g, name)
    for _ in range(40):
        before = records.copy(states)
        actions = agent.act(states)
        states.rng[:] = before.rng  # they may draw from the stream
        assert records.raw(states).tobytes() == records.raw(before).tobytes()
        g.step(states, actions)
