"""The rulebook's worked examples and printed tables."""

from __future__ import annotations

import pytest

from banquet_envs.games.surrealist_dinner_party import state as st

from .table import Table, game

MENU = {  # rulebook, menu table: tokens by course, for 2, 3 and 4 players
    2: (3, 4, 3, 7, (2, 2, 2), 3),
    3: (4, 6, 4, 10, (3, 3, 3), 4),
    4: (6, 8, 6, 13, (4, 4, 4), 5),
}
TOTAL = {2: 26, 3: 37, 4: 50}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_menu_table(players):
    menu = game(players).rules[0].menu
    food, wine, dessert = 0, 1, 2
    c1, c2, c3, c4, c5, c6 = MENU[players]
    assert menu[0].tolist() == [0, c1, 0, 0, 0]
    assert menu[1].tolist() == [c2, 0, 0, 0, 0]
    assert menu[2].tolist() == [0, c3, 0, 0, 0]
    assert menu[3].tolist() == [c4, 0, 0, 0, 0]
    assert (menu[4][food], menu[4][wine], menu[4][dessert]) == c5
    assert menu[5].tolist() == [0, 0, c6, 0, 0]
    assert menu.sum() == TOTAL[players]
    assert not menu[:, 3:].any()  # compliments and drama never start on the platter


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_platter_follows_the_menu_course_by_course(players):
    t = Table([["agar"], ["breton"], ["miller"], ["lam"]][:players], platter={"wine": 2}, course=0)
    for course in range(1, 6):
        while t.s.course < course:
            kind = next(k for k in t.platter())
            t.do(("remove", kind))
        assert t.s.platter.tolist() == t.game.rules[0].menu[course].tolist()


def test_maar_and_klee():
    """Maar gives Klee a dessert from the kitchen; then Klee takes two tokens from the platter; once per course."""
    t = Table([["maar", "klee"], ["agar"]], platter={"food": 3, "wine": 1})
    t.do(("plate", "maar"), ("guest", "klee"), ("place", "dessert"))
    assert t.platter() == {"food": 3, "wine": 1}
    assert t.asks() == (0, st.Phase.PLATE_NEXT)
    t.do(("plate", "klee"), ("kind", "food"), ("place", "food"), ("kind", "wine"), ("place", "wine"))
    assert t.on("klee") == [("dessert", "dessert"), ("food", "food"), ("wine", "wine")]
    assert t.platter() == {"food": 2}
    assert t.asks()[0] == 1
    t.do(("remove", "food"))
    assert t.asks() == (0, st.Phase.MAIN)
    assert not t.may(("plate", "maar"))
    t.do(("remove", "food"))  # the next course begins
    assert t.s.course == 4
    t.do(("remove", "food"))
    assert t.may(("plate", "maar"))


def test_arp_as_the_faq_has_it():
    """Either more wine or more dessert than each opponent will do; each guest gets as many tokens as it gave up."""
    t = Table([["arp", "agar"], ["miller"], []]).stash(0, dessert=2).stash(1, wine=3).stash(2, dessert=1)
    t.put("agar", ("food", "drama"), ("food", "wine"), ("wine", "drama"), ("dessert", "drama"))
    t.do(("home", "arp"), "yes", ("token", 0), ("token", 1), ("token", 2))
    for kind in ("food", "food", "wine"):
        t.do(("kind", kind), ("place", kind))
    assert t.on("agar") == [("dessert", "drama"), ("food", "food"), ("food", "food"), ("wine", "wine")]


def test_alvarez_bravo_as_the_faq_has_it():
    """Each own seated guest, herself included, gets a compliment or a drama: the kind is chosen guest by guest."""
    t = Table([["sage", "alvarez_bravo", "mansour"], ["agar"]])
    t.do(("plate", "alvarez_bravo"), ("kind", "compliment"), ("place", "compliment"))
    t.do(("kind", "compliment"), ("place", "compliment"), ("kind", "drama"), ("place", "drama"))
    assert t.on("sage") == [("compliment", "compliment")] == t.on("alvarez_bravo")
    assert t.on("mansour") == [("drama", "drama")]
    assert t.count("agar") == 0


def test_a_table_of_two_one_and_none_never_stalls():
    """With two guests, one guest and empty hands somebody can always move until the last dessert is gone."""
    for rows in ([["agar"], ["breton"]], [["agar"], []], [[], []]):
        t = Table(rows, platter={"food": 1, "wine": 1}, course=0)
        while not t.s.over:
            assert t.options()
            t.game.step(t.states, [max(t.options() - {st.Action.STOP} or {st.Action.STOP})])
        assert not t.s.capped
