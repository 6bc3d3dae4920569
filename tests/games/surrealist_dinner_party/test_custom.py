"""Components of one's own: other numbers, any mixture of abilities, and files that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from banquet_envs import ComponentsError, make_game
from banquet_envs.games.surrealist_dinner_party import state as st

from .deck import write_deck
from .play import finals, walk
from .table import KINDS, NAME, Table, box


def test_other_numbers_are_the_ones_played(tmp_path):
    menu = {0: {"drama": 2, "food": 1}, 5: {"wine": 1}}
    file = write_deck(tmp_path, hand_size=2, seats=1, bonus=3, points=2, uses=2, menu=menu)
    g = make_game(NAME, 2, components=file)
    s = g.reset(1, 1)
    assert (s[0].hand[:2, :2] >= 0).all()
    assert s[0].hand[:2, 2:].max() == -1
    assert s[0].platter.tolist() == [1, 0, 0, 0, 2]
    t = Table([["fini"], ["agar"]], game_=g).put("fini", "compliment", "wine", ("joker", "food"))
    t.do(("home", "fini"), ("kind", "food"), ("kind", "food"), ("kind", "food"))
    assert t.s.points[0] == 12  # three matched and three of the bonus, two points each
    t = Table([["miller"], ["agar"]], hands=[["breton"], []], game_=g)
    assert not t.options() & set(range(18))  # one seat a player: no room for Breton
    t.do(("plate", "miller"), ("place", "wine"))
    t.s.player = t.s.active = 0
    t.s.step, t.s.phase = st.Step.TURN_CHOICE, st.Phase.MAIN
    assert t.may(("plate", "miller"))  # two uses in a course
    t = Table([["miller"], ["agar"]], platter={"drama": 2}, game_=g)
    t.do(("serve", "miller", "drama"), ("place", "drama"))
    assert t.on("miller") == [("drama", "drama")]


@pytest.mark.parametrize("shuffled", range(8))
def test_any_mixture_of_abilities_plays_to_the_end(tmp_path, shuffled):
    players = 2 + shuffled % 3
    mode = ("normal", "advanced", "faux_pas", "draft")[shuffled % 4]
    g = make_game(NAME, players, mode=mode, components=write_deck(tmp_path, shuffled=shuffled))
    for _, now, _ in walk(g, 40, shuffled):
        assert (now.depth <= st.DEPTH - 3).all()
        assert (now.events < st.EVENTS).all()
    states = finals(g, 40, shuffled)
    assert (states.depth == 0).all()
    assert not states.capped.any()
    assert (states.points.max(axis=1) <= g.facts.points_max).all()


def broken(tmp_path, old, new):
    """The shipped file with one text replaced."""
    text = make_game(NAME, 2).components.read_text()
    assert old in text
    file = tmp_path / "broken.toml"
    file.write_text(text.replace(old, new, 1))
    return file


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hand_size = 6 ", "hand_size = 9 ", "hand_size"),
        ('["compliment", "drama", "food", "wine"]', '["compliment", "drama", "soup"]', "appetites"),
        ('icon = "plate"', 'icon = "door"', "trigger"),
        ('target = "each_own" }', 'target = "owner" }', "target"),
        ('id = "arp"', 'id = "alvarez_bravo"', "alvarez_bravo"),
        ("order = 2", "order = 3", "order"),
        ("players_2 = { wine = 3 }", "players_2 = { soup = 3 }", "soup"),
        ('when = "end"', 'when = "during"', "when"),
        ("count = 3, target", "count = 0, target", "count"),
        ('kinds = ["food", "wine"', 'kinds = ["wine", "food"', "kinds"),
    ],
)
def test_a_broken_file_is_refused_with_the_entry(tmp_path, old, new, says):
    with pytest.raises(ComponentsError, match=says):
        make_game(NAME, 2, components=broken(tmp_path, old, new))


def test_too_few_guests_are_refused(tmp_path):
    file = write_deck(tmp_path, guests=20)
    make_game(NAME, 3, components=file)
    with pytest.raises(ComponentsError, match="24 to 40"):
        make_game(NAME, 4, components=file)


def test_the_shipped_box():
    data = box()
    assert len(data["guests"]) == 30
    assert len(data["faux_pas"]) == 10
    counts = {k: sum(g["appetites"].count(k) for g in data["guests"]) for k in (*KINDS, "joker")}
    assert counts == {"food": 36, "wine": 27, "dessert": 19, "compliment": 26, "drama": 24, "joker": 7}
    assert np.unique([len(g["appetites"]) for g in data["guests"]]).tolist() == [3, 4, 5, 6]
