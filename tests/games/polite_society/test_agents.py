"""random < greedy < expert at every player count, seat-balanced, the 95 % interval clear of the fair share."""

import numpy as np
import pytest

from banquet_agents.arena.evaluate import strength
from banquet_agents.registry import agent_names, make_agent
from banquet_envs.core import state as records
from tests.games.polite_society.build import game


def test_names():
    assert agent_names("polite_society") == ["random", "greedy", "expert"]


@pytest.mark.parametrize("missions", ["off", "social_butterfly", "janeite"])
@pytest.mark.parametrize("players", range(2, 8))
def test_expert_beats_greedy_and_greedy_beats_random(players, missions):
    g = game(players, missions=missions)
    for agent, opponent, games in (("expert", "greedy", 280), ("greedy", "random", 70)):
        row = strength(g, agent, [opponent], games=games, seed=3)[0]
        assert row["share_low"] > 1 / players, (agent, row)


@pytest.mark.parametrize("name", ["greedy", "expert"])
@pytest.mark.parametrize("players", [2, 5])
def test_choices_do_not_depend_on_what_the_seat_cannot_know(players, name):
    """Two samples of the same view that differ only in what is hidden are both legal games to choose in."""
    g = game(players, missions="janeite", trades="wide", play_on=True, mandatory_card=True)
    agent = make_agent(g, name)
    states = g.reset(40, 8)
    for _ in range(400):
        if not len(states):
            break
        views = records.copy(states)
        g.determinize(views, None, int(states.ply.max()))
        actions = agent.act(views)
        assert g.legal_actions(states)[np.arange(len(states)), actions].all()
        g.step(states, actions)
        states = records.take(states, ~states.over)
