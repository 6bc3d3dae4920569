"""Rulings that only a box of one's own can bring about: abilities that the shipped guests lack."""

from __future__ import annotations

import itertools
import random

import pytest

from banquet_envs import make_game
from banquet_envs.games.surrealist_dinner_party import state as st

from .deck import ability, write_deck
from .table import IDS, KINDS, NAME, Table, appetites, box

SEND_AWAY = {"kind": "send_home", "count": 1}
TAKE = {"kind": "take_platter", "tokens": ["food", "wine"], "count": 1}


@pytest.fixture
def own(tmp_path):
    """A Table of a game in which some guests have other abilities: `own(abilities, rows, ...)`."""

    def make(abilities, rows, mode="normal", **more):
        full = {g: {"count": 1, **a} for g, a in abilities.items()}
        g = make_game(NAME, len(rows), mode=mode, components=write_deck(tmp_path, abilities=full))
        return Table(rows, game_=g, **more)

    return make


# ---------------------------------------------------------------- K15: who is asked is settled when it happens


def heard(kinds, **what):
    """An ability that waits for a neighbour's token."""
    return {"trigger": "neighbour_receives", "trigger_tokens": kinds, **what}


def test_k15_a_guest_that_becomes_a_neighbour_is_not_asked(own):
    # the ring: Joans, Tanguy, Breton, Agar. Agar's compliment sets off Joans, Breton's sets off Tanguy. Joans sends Agar
    # home and then sits beside Breton, but did not when Breton got his.
    t = own(
        {
            "joans": heard(["compliment"], **SEND_AWAY, target="one_neighbour"),
            "tanguy": heard(["compliment"], kind="give", tokens=["food"], target="self"),
        },
        [["joans", "agar"], ["breton", "tanguy"]],
    )
    t.do(("social", "agar", "right", "compliment"), ("place", "food"), ("by", 1, ("place", "food")))
    t.do(("by", 0, "yes"), ("guest", "agar"))
    assert t.row(0) == ["joans"]
    t.do(("by", 1, "yes"), ("place", "food"))
    assert t.on("tanguy") == [("food", "food")]
    assert t.asks() == (1, st.Phase.MAIN)


def test_k15_a_neighbour_is_asked_though_the_receiver_has_left_since(own):
    # Césaire's compliments set off Joans (beside Agar) and Tanguy (beside Breton); Joans sends Breton home
    t = own(
        {
            "joans": heard(["compliment"], **SEND_AWAY, target="one_any"),
            "tanguy": heard(["compliment"], kind="give", tokens=["food"], target="self"),
        },
        [["joans", "agar", "cesaire"], ["breton", "tanguy"]],
    )
    t.do(("plate", "cesaire"), ("place", "food"), ("by", 1, ("place", "food")), ("by", 0, "yes"), ("guest", "breton"))
    assert t.asks() == (1, st.Phase.WHETHER)
    t.do("yes", ("place", "food"))
    assert t.on("tanguy") == [("food", "food")]


def test_k15_a_guest_that_has_left_since_is_not_asked(own):
    t = own(
        {
            "joans": heard(["compliment"], **SEND_AWAY, target="one_any"),
            "tanguy": heard(["compliment"], kind="give", tokens=["food"], target="self"),
        },
        [["joans", "agar", "cesaire"], ["breton", "tanguy"]],
    )
    t.do(("plate", "cesaire"), ("place", "food"), ("by", 1, ("place", "food")), ("by", 0, "yes"), ("guest", "tanguy"))
    assert t.asks() == (0, st.Phase.PLATE_NEXT)


def test_k15_who_had_no_room_when_its_turn_came_is_not_asked_later(own):
    # Agar's compliment sets off both her neighbours. Joans, first in the row, is full; Breton then clears him.
    t = own(
        {"breton": heard(["compliment"], kind="clear", target="one_any")},
        [["joans", "agar", "breton"], ["miller"]],
    ).fill("joans")
    t.do(("social", "agar", "right", "compliment"), ("place", "food"), ("place", "food"), "yes", ("guest", "joans"))
    t.do(("token", 0))
    assert t.count("joans") == len(appetites("joans")) - 1
    assert t.asks() == (1, st.Phase.MAIN)


def test_k15_the_order_is_that_of_the_causes_not_of_the_rows(own):
    # Césaire's left neighbour gets the first compliment: Breton beside it is asked before Joans, who sits further left
    listener = heard(["compliment"], kind="give", tokens=["food"], target="self")
    t = own(
        {"joans": listener, "breton": listener},
        [["joans", "miller", "cesaire"], ["agar", "breton"]],
    )
    # the ring: Césaire, Miller, Joans, Breton, Agar: left of Césaire sits Miller (beside Joans), right Agar (beside Breton)
    t.do(("plate", "cesaire"), ("place", "wine"), ("by", 1, ("place", "food")))
    t.do(("by", 0, "yes"), ("place", "food"), ("by", 1, "yes"), ("place", "food"))
    assert t.on("joans") == t.on("breton") == [("food", "food")]
    assert t.asks() == (0, st.Phase.PLATE_NEXT)


def test_k15_clockwise_from_the_active_player_rows_from_the_left(own):
    listener = {"trigger": "course_start", "kind": "give", "tokens": ["food"], "target": "self"}
    names = ["agar", "breton", "miller", "lam", "dali"]
    t = own(
        dict.fromkeys(names, listener),
        [["agar", "breton"], ["miller"], ["lam", "dali"]],
        active=0,
        platter={"food": 1},
        course=2,
    )
    t.do(("remove", "food"))  # player 1 begins the next course
    order = []
    while t.s.phase == st.Phase.WHETHER:
        order.append(IDS[t.s.frame[t.s.depth - 1, st.Column.GUEST]])
        t.do("no")
    assert order == ["miller", "lam", "dali", "agar", "breton"]


def test_e6_who_sat_when_the_course_began(own):
    # Lam sends Agar home, who would have come next; Breton, full when her turn came, is not asked although Dalí clears her
    t = own(
        {
            "lam": {"trigger": "course_start", **SEND_AWAY, "target": "one_any"},
            "agar": {"trigger": "course_start", "kind": "give", "tokens": ["food"], "target": "self"},
            "breton": {"trigger": "course_start", "kind": "give", "tokens": ["food"], "target": "self"},
            "dali": {"trigger": "course_start", "kind": "clear", "target": "one_any"},
        },
        [["miller"], ["lam", "agar"], ["breton", "dali"]],
        active=0,
        platter={"food": 1},
        course=2,
    ).fill("breton")
    t.do(("remove", "food"), ("by", 1, "yes"), ("guest", "agar"), ("by", 2, "yes"), ("token", 0))
    assert t.count("breton") == len(appetites("breton")) - 1
    assert t.asks() == (1, st.Phase.MAIN)


@pytest.mark.parametrize("full_first", [True, False])
def test_k15_neighbours_of_a_leaver_come_up_once(own, full_first):
    # Agar leaves between Joans and Breton, who both notice; one is full, the other can clear a token
    leaves = {"trigger": "neighbour_leaves"}
    first, second = ("joans", "breton") if full_first else ("breton", "joans")
    t = own(
        {
            first: {**leaves, "kind": "give", "tokens": ["food"], "target": "self"},
            second: {**leaves, "kind": "clear", "target": "one_any"},
        },
        [["joans", "agar", "breton"], ["miller"]],
    ).fill(first)
    t.do(("home", "agar"))
    t.do("yes", ("token", 0))  # only the full guest has tokens
    if full_first:  # its turn was over
        assert t.asks() == (1, st.Phase.MAIN)
    else:  # Breton comes after Joans, who has made room
        t.do("yes")
        assert t.count("breton") == len(appetites("breton"))


def test_k17_the_other_neighbour_is_the_one_on_the_other_side(own):
    # the ring: Miller, Zürn, Agar, Joans, Breton. Joans sends Agar home, who was Zürn's partner on her left.
    t = own(
        {"joans": heard(["drama"], **SEND_AWAY, target="one_any")},
        [["agar", "zurn", "miller"], ["breton", "joans"]],
    )
    t.do(("social", "zurn", "left", "drama"), ("place", "drama"), ("place", "food"))
    t.do(("by", 1, "yes"), ("guest", "agar"), ("by", 0, "yes"))
    t.do(("place", "drama"))
    assert t.on("miller") == [("drama", "drama")]
    assert t.count("joans") == 0


# ---------------------------------------------------------------- T12: taking from the platter for full guests


@pytest.mark.parametrize("trigger", ["door", "seated", "course_start"])
def test_t12_only_plate_abilities_take_for_a_full_guest(own, trigger):
    rows = [["horna", "miro"], ["agar"]]
    if trigger == "seated":
        rows[0].remove("horna")
    t = own(
        {"horna": {"trigger": trigger, **TAKE, "target": "one_neighbour"}},
        rows,
        hands=[["horna"] if trigger == "seated" else [], []],
        platter={"food": 1} if trigger == "course_start" else {"food": 3},
        course=0,
    ).fill("miro")
    t.fill("agar")
    t.do({"door": ("home", "horna"), "seated": ("seat", "horna", 0), "course_start": ("remove", "food")}[trigger])
    if trigger == "seated":
        assert t.asks() == (0, st.Phase.SECOND_HALF)
    else:
        assert t.asks() == (1, st.Phase.MAIN)


def test_t12_each_full_guest_in_reach_takes_its_count(own):
    t = own(
        {"horna": {"trigger": "plate", **TAKE, "target": "both_neighbours", "count": 2}},
        [["miro", "horna", "agar"], []],
        hands=[[], ["lam"]],
        platter={"food": 5},
    ).fill("miro")
    t.fill("agar")
    t.do(("plate", "horna"))
    assert t.platter() == {"food": 1}


def test_t12_nobody_in_reach_is_nobody_to_take_for(own):
    t = own({"horna": {"trigger": "plate", **TAKE, "target": "one_neighbour"}}, [["horna"], []])
    assert not t.may(("plate", "horna"))


def test_t12_as_many_as_one_likes_for_full_guests(own):
    t = own(
        {"horna": {"trigger": "plate", **TAKE, "target": "own_spread", "count": 3}},
        [["horna", "miro"], ["agar"]],
        platter={"food": 5},
    ).fill("miro")
    t.do(("plate", "horna"), ("guest", "miro"), "yes", ("guest", "horna"), ("place", "food"), "no")
    assert t.platter() == {"food": 3}
    assert t.count("miro") == 3
    assert t.on("horna") == [("food", "food")]


# ---------------------------------------------------------------- neighbours of a guest that has left


@pytest.mark.parametrize(
    ("target", "gives"),
    [("both_neighbours", {"left": "right", "right": "left"}), ("one_neighbour", {"left": "right", "right": "left"})],
)
@pytest.mark.parametrize("gone", ["left", "right"])
def test_a_door_reaches_the_neighbour_that_is_still_there(own, target, gives, gone):
    # the neighbour on one side has left before Breton does
    names = {"left": "agar", "right": "miller"}
    t = own(
        {
            "breton": {"trigger": "door", "kind": "give", "tokens": ["food"], "target": target},
            "joans": {"trigger": "door", **SEND_AWAY, "target": "one_any"},
        },
        [["agar", "breton", "miller"], []],
        course=5,
        platter={"dessert": 1},
    )
    t.do(("remove", "dessert"), ("home", names[gone]))
    # what is left is the neighbour on the other side, alone
    t.do(("home", "breton"), "yes", ("place", "food"))
    assert t.has(0) == {"food": 1}


@pytest.mark.parametrize("side", ["left", "right"])
def test_neighbours_of_a_guest_sent_home_by_a_leaver_are_those_that_sit_then(own, side):
    names = {"left": "agar", "right": "miller"}
    other = {"left": "miller", "right": "agar"}
    t = own(
        {
            "tanning": {"trigger": "plate", **SEND_AWAY, "target": "one_any"},
            names[side]: {"trigger": "door", **SEND_AWAY, "target": "one_any"},
            "breton": {"trigger": "door", "kind": "give", "tokens": ["food"], "target": "both_neighbours"},
        },
        [["agar", "breton", "miller"], ["tanning", "lam"]],
        active=1,
    )
    # Tanning sends one neighbour of Breton home, whose door sends Breton home: his neighbours are read just before, when
    # that one has left already
    t.do(("plate", "tanning"), ("guest", names[side]), ("by", 0, "yes"), ("guest", "breton"), ("by", 0, "yes"))
    fed = [other[side], {"left": "lam", "right": "tanning"}[side]]
    t.do(("place", "food"), ("place", "food"))
    assert [t.on(g) for g in fed] == [[("food", "food")]] * 2


# ---------------------------------------------------------------- E4: the order of the last departures, counted out


def door_used_in_some_order(t, p, deck):
    """Whether a door that touches guests could be used in some order of the departures of player p, bonus as one likes."""
    for order in itertools.permutations(t.row(p)):
        rows = [t.row(q) for q in range(t.game.num_players)]
        stash, any_kind = [int(x) for x in t.s.stash[p]], 0
        for g in order:
            ring = [h for row in rows for h in reversed(row)]
            k = ring.index(g)
            left, right = ring[(k + 1) % len(ring)], ring[k - 1]
            matched = [kind for colour, kind in t.on(g) if colour in (kind, "joker")]
            for kind in matched:
                stash[KINDS.index(kind)] += 1
            content = len(matched) == len(appetites(g))
            any_kind += 2 * content
            rows[p].remove(g)
            beside = [h for h in dict.fromkeys((left, right)) if h != g]
            if works(t, deck[g], p, rows, beside, stash, any_kind, content):
                return True
    return False


def works(t, one, p, rows, beside, stash, any_kind, content):
    if one["trigger"] != "door" or one["kind"] in ("stash", "take_platter"):
        return False
    condition = one.get("condition", {"kind": "always"})
    if condition["kind"] == "content" and not content:
        return False
    if condition["kind"] == "most":
        rivals = [t.s.stash[q] for q in range(t.game.num_players) if q != p]
        kinds = [KINDS.index(k) for k in condition["any_of"]]
        if not any(all(stash[k] + any_kind > r[k] for r in rivals) for k in kinds):
            return False
    everybody = [h for row in rows for h in row]
    reach = {
        "one_any": everybody, "each_own": rows[p], "one_own": rows[p], "own_own": rows[p], "self": [],
        "self_neighbour": [],  # the guest itself has left, so it has no token to swap
    }.get(one["target"], beside)  # fmt: skip
    if one["kind"] == "send_home":
        return bool(reach)
    if one["kind"] == "give":
        return any(t.count(h) < len(appetites(h)) for h in reach)
    return sum(t.count(h) > 0 for h in reach) > (one["kind"] == "swap")


def door_ability(rng):
    """A door ability drawn at random."""
    while True:
        one = ability(rng)
        if one["trigger"] == "door":
            return one


@pytest.mark.parametrize("seed", range(6))
def test_e4_the_order_is_asked_exactly_if_some_order_uses_a_door(tmp_path, seed):
    rng = random.Random(seed)
    doors = {g: door_ability(rng) for g in rng.sample(IDS, 18)}
    players = 2 + seed % 3
    g = make_game(NAME, players, components=write_deck(tmp_path, abilities=doors))
    deck = {g["id"]: doors.get(g["id"], g["ability"]) for g in box()["guests"]}
    asked = 0
    for _ in range(8):
        names = rng.sample(IDS, 3 * players)
        rows = [names[3 * p : 3 * p + rng.choice((2, 3))] for p in range(players)]
        t = Table(rows, game_=g, course=5, platter={"dessert": 1}, active=players - 1)
        for name in (h for row in rows for h in row):
            for a in range(len(appetites(name))):
                if rng.random() < 0.6:
                    colour = appetites(name)[a]
                    kind = colour if rng.random() < 0.8 and colour != "joker" else rng.choice(KINDS)
                    t.s.token[IDS.index(name), a] = KINDS.index(kind)
        for p in range(players):
            t.stash(p, **{k: rng.randint(0, 2) for k in KINDS})
        expected = door_used_in_some_order(t, 0, deck)
        t.do(("remove", "dessert"))
        if not t.s.over and t.s.player == 0 and t.s.stage == st.Stage.LAST_DEPARTURES:
            assert (t.s.phase == st.Phase.WHO_LEAVES) == (expected and len(t.row(0)) > 1)
        else:
            assert not expected
        asked += expected
    assert 0 < asked < 8
