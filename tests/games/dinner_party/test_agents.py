"""random < greedy < expert, seat-balanced, and how the agents choose in built positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banquet_agents.registry import make_agent
from banquet_envs.core.state import put, take
from banquet_envs.games.dinner_party.state import Action

from .positions import RIGHT, STOP, WATER, Position, game_of


def shares(game: Any, first: Any, others: Any, deals: int, seed: int) -> np.ndarray:
    """`first` in every seat once per deal, `others` in all other seats: its share of the win, a mean per deal."""
    total = np.zeros(deals)
    for seat in range(game.num_players):
        states = game.reset(deals, seed)
        step = 0
        while not states.over.all():
            live = np.flatnonzero(~states.over)
            part = take(states, live)
            actions = np.zeros(len(live), np.int64)
            for agent, rows in ((first, part.player == seat), (others, part.player != seat)):
                rows = np.flatnonzero(rows)
                if len(rows):
                    seen = take(part, rows)
                    game.determinize(seen, seed=1000 * seed + step)
                    actions[rows] = agent.act(seen)
            game.step(part, actions)
            put(states, live, part)
            step += 1
        won = states.place[:, : game.num_players] == 0
        total += won[:, seat] / won.sum(axis=1)
    return total / game.num_players


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("better", "worse", "deals"), [("greedy", "random", 40), ("expert", "greedy", 60)])
def test_each_agent_beats_the_one_below(players: int, better: str, worse: str, deals: int) -> None:
    game = game_of(players)
    share = shares(game, make_agent(game, better), make_agent(game, worse), deals, seed=3)
    margin = 1.96 * share.std() / np.sqrt(deals)
    assert share.mean() - margin > 1 / players


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_agents_leave_the_records_alone_and_choose_legally(name: str) -> None:
    game = game_of(3)
    agent = make_agent(game, name)
    states = game.reset(30, 2)
    for _ in range(60):
        live = np.flatnonzero(~states.over)
        part = take(states, live)
        before = part.copy()
        actions = agent.act(part)
        for field in part.dtype.names:
            if field != "rng":
                assert (part[field] == before[field]).all(), field
        game.step(part, actions)  # raises for an illegal action
        put(states, live, part)


def act(p: Position, name: str) -> int:
    return int(make_agent(p.game, name).act(take(p.states, np.array([0])))[0])


def test_greedy_invites_the_likeliest_guest_and_never_charms() -> None:
    p = Position([["lincoln"], ["marie_antoinette"]], ["gandhi", "mozart", "galileo"])
    assert act(p, "greedy") == p.invite("galileo")  # Demand 6, and green arrows


def test_greedy_rolls_by_the_odds() -> None:
    p = Position([[], []], ["freud"])
    p.do(p.invite("freud"))
    p.r.dice[:] = 0, 2, 4
    assert act(p, "greedy") == 0b100  # keep the four
    p.r.dice[:] = 3, 3, 4
    assert act(p, "greedy") == STOP  # 10 is enough


def test_greedy_serves_the_cheapest_drink() -> None:
    p = Position([["dante"], []], ["freud"], stash={0: (1, 1)}).invites("freud", 4, 4, 0)
    assert act(p, "greedy") == p.put(RIGHT, WATER)


def test_expert_takes_a_guest_that_cannot_be_defended() -> None:
    p = Position([["dante", "freud"], ["capone", "marie_antoinette"]], ["gandhi"], heights=[2, 2, 2, 2, 2])
    assert act(p, "expert") == p.charm("marie_antoinette")  # a fourth occupation, certain to be given up


def test_expert_prefers_a_new_occupation() -> None:
    p = Position([["freud", "hypatia"], []], ["darwin", "cleopatra"], round_number=1)
    assert act(p, "expert") == p.invite("cleopatra")  # Demand 8 as well, and Science is there already


def test_expert_takes_drinks_from_the_bar() -> None:
    p = Position([["dante"], []], ["freud"]).invites("freud", 0, 1, 1)
    assert act(p, "expert") == Action.TAKE + 1
