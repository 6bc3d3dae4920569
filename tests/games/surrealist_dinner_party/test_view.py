"""Every feature of the observation against a recount, for every seat, in all stages and in the midst of effects."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st

from .deck import write_deck
from .play import busy_walk
from .table import IDS, NAME, Table, game
from .view import NAMES, View


def compare(g, states, box):
    """Hold every slice of every seat's view of every state against the recount."""
    for seat in range(g.num_players):
        found = g.layout.split(g.observe(states, seat))
        assert tuple(found) == NAMES
        for row, s in enumerate(states):
            expected = View(box, g.rules[0], s, seat).slices()
            for name in NAMES:
                same = np.allclose(found[name][row], expected[name], atol=1e-6)
                assert same, (name, seat, found[name][row] - expected[name])


def some(states, n, seed=0):
    """n of the states, all stages among them as far as they come, those in the midst of effects rather than others."""
    rng = np.random.default_rng(seed)
    weight = 1.0 + 2 * (states.depth > 1) + 4 * (states.stage != st.Stage.PLAYING)
    index = rng.choice(len(states), min(n, len(states)), replace=False, p=weight / weight.sum())
    return records.take(states, np.sort(index))


@pytest.mark.parametrize(
    ("players", "mode"),
    [(2, "casual"), (2, "normal"), (3, "draft"), (3, "faux_pas"), (4, "advanced"), (2, "advanced"), (4, "normal")],
)
def test_every_feature_in_the_shipped_box(players, mode):
    g = game(players, mode)
    states = some(busy_walk(g, 4, players), 24)
    compare(g, states, tomllib.loads(g.components.read_text()))


@pytest.mark.parametrize("shuffled", range(4))
def test_every_feature_in_boxes_of_ones_own(tmp_path, shuffled):
    file = write_deck(tmp_path, guests=32, shuffled=70 + shuffled, seats=3 - shuffled % 2, uses=1 + shuffled % 2)
    mode = ("normal", "advanced", "faux_pas", "draft")[shuffled]
    g = make_game(NAME, 2 + shuffled % 3, mode=mode, components=file)
    compare(g, some(busy_walk(g, 4, shuffled), 18), tomllib.loads(file.read_text()))


def test_every_feature_of_an_ended_game():
    g = game(3, "advanced")
    states = busy_walk(g, 2, 9)
    compare(g, records.take(states, states.over), tomllib.loads(g.components.read_text()))


def positions():
    """Positions built by hand in which something rare is asked."""
    yield Table([["toyen", "miro", "agar"], ["miller"]]).put("toyen", "drama").fill("miro").put("agar", "wine"), [
        ("plate", "toyen"), ("guest", "miro"), ("token", 1), ("guest", "toyen"), ("place", "joker"),
    ]  # fmt: skip
    yield Table([["cahun"], ["agar"]]).put("cahun", ("compliment", "drama"), ("joker", "food")).put("agar", "food", "wine"), [
        ("plate", "cahun"), ("token", 2), ("token", 0), ("place", "drama"), ("place", "dessert"),
    ]  # fmt: skip
    yield Table([["agar", "zurn", "miller"], []]), [
        ("social", "zurn", "left", "drama"), ("place", "drama"), ("place", "food"), "yes", ("place", "drama"),
    ]  # fmt: skip
    yield Table([["arp", "agar", "miro"], []]).stash(0, wine=1).put("agar", "food", "wine").put("miro", "dessert"), [
        ("home", "arp"), "yes", ("guest", "agar"), ("token", 0), ("guest", "agar"), ("kind", "wine"),
    ]  # fmt: skip
    yield Table([["dali", "miro"], ["agar"]], course=5, platter={"dessert": 1}).fill("miro").put("dali", "drama"), [
        ("remove", "dessert"), ("kind", "food"), ("kind", "food"), ("door", "miro"), ("kind", "drama"), ("kind", "drama"),
    ]  # fmt: skip
    yield Table([["tanning"], ["varo", "agar"]], platter={"food": 2}).fill("varo"), [
        ("plate", "tanning"), ("guest", "varo"), ("kind", "wine"), ("kind", "wine"), "yes", ("place", "food"), "yes",
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(6))
def test_every_feature_in_the_midst_of_an_effect(number):
    t, moves = list(positions())[number]
    box = tomllib.loads(t.game.components.read_text())
    for move in moves:
        t.do(move)
        compare(t.game, t.states, box)


@pytest.mark.parametrize("place", range(3))
def test_the_last_row_is_seen_by_its_owner(place):
    row = ["agar", "breton"]
    row.insert(place, "dali")
    t = Table([row, []], course=5, platter={"dessert": 1}).put("dali", "drama")
    t.do(("remove", "dessert"))
    seen = [t.game.layout.split(t.game.observe(t.states, seat)[0])["last_row"] for seat in range(2)]
    assert np.rint(seen[0] * len(IDS)).tolist() == [IDS.index(g) + 1 for g in row]
    assert not seen[1].any()
