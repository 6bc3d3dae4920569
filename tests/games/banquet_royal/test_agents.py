"""The scripted agents: what they are meant to do, and that each beats the one below."""

from __future__ import annotations

import numpy as np
import pytest

from banquet_agents.arena.matches import play_match
from banquet_agents.registry import make_agent
from banquet_envs import make_game
from banquet_envs.core.state import copy
from banquet_envs.games.banquet_royal.state import Action, Phase
from tests.games.banquet_royal.helpers import Table


def choice(t: Table, name: str) -> int:
    return int(make_agent(t.game, name).act(copy(t.states))[0])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("above", "below", "games"), [("greedy", "random", 60), ("expert", "greedy", 900)])
def test_each_beats_the_one_below(players: int, above: str, below: str, games: int) -> None:
    game = make_game("banquet_royal", players=players, recall="perfect")
    match = play_match(game, [above] + [below] * (players - 1), games, seed=2)
    assert match.estimate("share", match.kinds.index(above)).low > 1 / players


@pytest.mark.parametrize(("players", "reference"), [(2, 25.0), (3, 18.2), (4, 14.1)])
def test_greedy_players_among_themselves_make_the_reference_points(players: int, reference: float) -> None:
    """400 games of the reference simulation: its mean has a standard error of about 0.15."""
    game = make_game("banquet_royal", players=players, recall="perfect")
    match = play_match(game, ["greedy"] * players, 600, seed=3)
    assert abs(match.estimate("points", 0).mean - reference) < 0.6


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_completes_the_dearest_menu(name: str) -> None:
    t = Table(recall="perfect")
    t.put("D2", "fruit_salad")
    t.put("D3", "salad")
    t.state.order[t.space("D1")] = -1
    t.deal(0, "toque fruit_salad salad")
    assert choice(t, name) == t.place("D1", "toque")
    t.act(t.place("D1", "toque"))
    assert choice(t, name) == Action.SCORE + 2


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_takes_a_remembered_order(name: str) -> None:
    t = Table(recall="perfect")
    t.order("D1", "burger")
    t.order("A1", "salad")
    t.put("D2", "pudding")
    assert choice(t, name) == t.announce("D1", "burger")


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_without_memory_it_calls_what_is_likeliest_whatever_lies_there(name: str) -> None:
    chosen = set()
    for dish in ("salad", "fruit_salad", "burger"):
        t = Table()
        t.state.tokens[:], t.state.order[:] = 0, -1
        t.state.tokens[3] = 2  # only burgers and one salad are unrevealed
        t.state.order[t.space("D1")] = ("salad", "fruit_salad", "pudding", "burger").index(dish)
        t.put("D2", "pudding")
        chosen.add(choice(t, name))
    assert chosen == {t.announce("D1", "burger")}


def test_greedy_discards_a_hopeless_card_only() -> None:
    t = Table()
    t.act(t.place("D3", "salad"))
    assert Action.DISCARD <= choice(t, "greedy") < Action.NO_DISCARD  # one piece lies there: no card is one piece short


def test_agents_leave_the_game_alone_and_choose_legal_actions() -> None:
    for options in ({}, {"gourmet": True, "etiquette": 8, "all_you_can_eat": "add", "hells_kitchen": True}):
        game = make_game("banquet_royal", players=3, **options)
        for name in ("greedy", "expert"):
            agent = make_agent(game, name)
            states = game.reset(20, 4)
            while not states.over.all():
                live = np.flatnonzero(~states.over)
                for i in live:
                    one = states[i : i + 1]
                    before = copy(one)
                    action = agent.act(one)
                    assert (one.board == before.board).all()
                    assert (one.hand == before.hand).all()
                    assert one.phase[0] == before.phase[0]
                    game.step(one, action)


def test_declining_is_never_an_agents_choice_when_it_can_score() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.act(t.place("D3", "pudding"))
    for name in ("greedy", "expert"):
        assert choice(t, name) == Action.SCORE + slot != Action.NO_SCORE
    assert t.state.phase != Phase.TAKE
