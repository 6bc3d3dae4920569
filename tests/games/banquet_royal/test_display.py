"""Words and pictures say what is there, and no more than a player may know."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.games.banquet_royal.components import DIAMOND
from banquet_envs.games.banquet_royal.rules import SPEC
from banquet_envs.games.banquet_royal.state import Action
from tests.games.banquet_royal.helpers import Table


def test_actions_in_the_games_own_terms() -> None:
    t = Table()
    t.deal(0, "burger burger salad")
    words = [t.game.action_text(t.state, a) for a in range(t.game.num_actions)]
    assert words[t.place("C3", "burger")] == "place a burger on C3"
    assert words[t.place("G4", "toque")] == "place your toque on G4"
    assert words[t.announce("A1", "fruit_salad")] == "announce the Royal Order on A1 as a fruit salad"
    assert words[Action.DISCARD + 1] == "discard card 2: burger-burger-salad (2 points)"
    assert len(set(words)) == len(words)


def test_describe_shows_the_own_hand_and_hides_the_others() -> None:
    t = Table()
    t.deal(0, "salad fruit_salad pudding")
    mine, theirs, all_of_it = (t.game.describe(t.state, p) for p in (0, 1, None))
    assert "1: salad-fruit salad-pudding (1 point)" in mine
    assert "salad-fruit salad-pudding" not in theirs
    assert "salad-fruit salad-pudding" in all_of_it


def test_hidden_orders_are_described_only_to_those_who_may_know() -> None:
    for recall, known in (("memory", False), ("perfect", True)):
        t = Table(recall=recall)
        assert ("  (??)" not in t.game.describe(t.state, 0).split("closed):")[1]) == known
        assert "(??)" not in t.game.describe(t.state, None).split("closed):")[1]


@pytest.mark.parametrize("components", [None, DIAMOND])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_has_a_picture(players: int, components: object) -> None:
    rng = np.random.default_rng(1)
    game = make_game("banquet_royal", players=players, components=components, **SPEC.variants[-2])
    states = game.reset(1, 1)
    while not states.over[0]:
        if states.ply[0] % 8 == 0:
            for seat in (None, 0):
                ElementTree.fromstring(game.draw(states[0], seat))
        game.step(states, [rng.choice(np.flatnonzero(game.legal_actions(states)[0]))])
    picture = game.draw(states[0], 0)
    ElementTree.fromstring(picture)
    assert "won" in picture
