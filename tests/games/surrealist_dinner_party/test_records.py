"""Bounds and invariants: play never breaks them, they see what is wrong with a record, and what passes harms nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st
from banquet_envs.games.surrealist_dinner_party.invariants import longest_stack

from .deck import write_deck
from .play import busy_walk
from .table import IDS, NAME, Table, fault, game


def sound(g, states):
    for s in states:
        assert not fault(g.rules[0], s), (g.options, fault(g.rules[0], s), s.frame[: s.depth].tolist())


@pytest.mark.parametrize(
    ("players", "mode", "places"),
    [
        (2, "casual", "owner"),
        (2, "advanced", "swapper"),
        (3, "draft", "owner"),
        (4, "faux_pas", "swapper"),
        (4, "advanced", "owner"),
    ],
)
def test_positions_of_play_are_sound_for_every_seat(players, mode, places):
    g = game(players, mode, swap_places=places)
    states = busy_walk(g, 2, players)
    sound(g, states[::2])
    for p in range(players):
        view = records.take(states, np.arange(p, len(states), 9))
        g.determinize(view, p, p)
        sound(g, view)


@pytest.mark.parametrize("shuffled", range(6))
def test_positions_of_play_with_boxes_of_ones_own_are_sound(tmp_path, shuffled):
    file = write_deck(
        tmp_path, guests=26 + 2 * shuffled, shuffled=200 + shuffled, seats=3 - shuffled % 3, uses=shuffled % 4
    )
    mode = ("normal", "advanced", "faux_pas", "draft")[shuffled % 4]
    g = make_game(NAME, 2 + shuffled % 3, mode=mode, components=file, swap_places=("owner", "swapper")[shuffled % 2])
    states = busy_walk(g, 3, shuffled)
    sound(g, states[::2])
    assert states.depth.max() <= longest_stack(g.rules[0]) < st.DEPTH


# ---------------------------------------------------------------- planted faults


def plain():
    """Nothing runs: the active player chooses an action."""
    return (
        Table([["agar", "miro"], ["miller"]], hands=[["cahun"], ["dali"]])
        .put("agar", "food")
        .put("miro", "dessert")
        .stash(1, food=2)
    )


def course():
    """A course has just begun: Sun Ra asks."""
    t = Table([["sun_ra", "joans"], ["agar"]], platter={"food": 1}, course=2)
    return t.do(("remove", "food"))


def social():
    """Martins and Agar got drama; Martins asks."""
    t = Table([["martins", "agar"], []])
    return t.do(("social", "martins", "left", "drama"), ("place", "drama"), ("place", "food"))


def arriving():
    """Breton is to take drama from Mansour."""
    return Table([["mansour", "agar"], ["breton"]]).do(("plate", "mansour"), ("guest", "breton"))


def leaving():
    """Dalí's door is asked about."""
    t = Table([["dali", "agar"], ["miller"]]).fill("dali")
    return t.do(("home", "dali"), ("kind", "drama"), ("kind", "drama"))


def bonus():
    """The second token of Miró's bonus."""
    return Table([["miro", "agar"], ["miller"]]).fill("miro").do(("home", "miro"), ("kind", "drama"))


def swapping():
    """Toyen: the second guest's token."""
    t = (
        Table([["toyen", "agar", "miller"], ["lam"]])
        .put("toyen", "drama")
        .put("agar", "food", "wine")
        .put("miller", "wine")
    )
    return t.do(("plate", "toyen"), ("guest", "toyen"), ("guest", "agar"))


def exchanging():
    """Arp: two of three tokens are lifted, from Agar."""
    t = Table([["arp", "agar", "miro"], []]).stash(0, wine=1).put("agar", "food", "wine").put("miro", "food", "dessert")
    return t.do(("home", "arp"), "yes", ("guest", "agar"), ("token", 0), ("guest", "agar"))


def last():
    """Last departures: the order is asked for."""
    return Table([["colquhoun", "agar", "miro"], []], course=5, platter={"dessert": 1}).do(("remove", "dessert"))


def doors():
    """Last doors: Dalí's."""
    t = Table([["dali", "agar"], ["miller"]], course=5, platter={"dessert": 1}).put("dali", "drama")
    return t.do(("remove", "dessert"))


def over():
    """An ended game."""
    return Table([["agar"], ["miller"]], course=5, platter={"dessert": 1}).do(("remove", "dessert"))


def guest(name):
    return IDS.index(name)


def put(field, at, value):
    """A change of one entry."""

    def change(s):
        s[field][at] = value(s[field][at]) if callable(value) else value

    return change


def both(*changes):
    def change(s):
        for one in changes:
            one(s)

    return change


def top(column, value):
    """A change of the effect on top."""

    def change(s):
        s.frame[s.depth - 1, column] = value

    return change


def under(column, value):
    """A change of the effect below the one on top."""

    def change(s):
        s.frame[s.depth - 2, column] = value

    return change


def scalar(field, value):
    def change(s):
        s[field] = value

    return change


def swapped(field, a, b):
    def change(s):
        s[field][a], s[field][b] = s[field][b].copy(), s[field][a].copy()

    return change


FAULTS = [
    (plain, put("row", (0, 2), guest("agar")), "a guest beyond the seated ones"),
    (plain, put("row", (0, 1), guest("agar")), "a guest twice"),
    (plain, put("seated", 0, 1), "a seated guest uncounted"),
    (plain, put("where", guest("agar"), st.Where.GONE), "a guest gone and seated"),
    (plain, put("owner", guest("agar"), 1), "another's guest"),
    (plain, put("where", guest("cahun"), st.Where.SEATED), "a guest in hand and seated"),
    (plain, put("token", (guest("dali"), 0), 1), "a token on a guest in hand"),
    (plain, put("token", (guest("varo"), 0), 1), "a token on a guest elsewhere"),
    (plain, put("hand", (0, 5), 29), "a card too many"),
    (plain, put("hand", (1, slice(None)), -1), "a card too few"),
    (plain, put("hand_size", 0, 2), "hand counted wrong"),
    (plain, put("hand_size", 1, 0), "hand counted as empty"),
    (plain, swapped("hand", 0, 1), "hands exchanged"),
    (plain, put("pack", (0, 0), lambda g: (g + 1) % 30), "another card dealt"),
    (plain, put("pick", 0, 0), "a pick after the draft"),
    (plain, put("points", 1, 3), "a point too many"),
    (plain, put("stash", (1, 0), 1), "a token too few in the stash"),
    (plain, both(put("stash", (0, 0), 48), put("points", 0, 48)), "a stash beyond what has gone home"),
    (plain, put("turns", 0, 9), "turns that do not add up"),
    (plain, both(put("turns", 0, 0), scalar("turn", 8)), "guests without a turn"),
    (plain, both(put("turns", 1, 1), scalar("turn", 9)), "guests without turns enough"),
    (plain, both(put("turns", 0, 5), scalar("turn", 13)), "a guest seated in a turn that has only begun"),
    (plain, scalar("turn", 401), "a turn too many"),
    (plain, scalar("active", 1), "the other player's turn"),
    (plain, scalar("player", 1), "the other player's question"),
    (plain, scalar("phase", st.Phase.SECOND_HALF), "another question"),
    (plain, scalar("phase", st.Phase.WHERE), "the question of an effect"),
    (plain, scalar("step", st.Step.TURN_BEGINS), "another step"),
    (plain, scalar("first_half", 1), "half an action"),
    (plain, scalar("plate_done", 1 << guest("agar")), "a plate ability used"),
    (plain, scalar("last_taker", 0), "the last token taken, and not"),
    (plain, put("platter", slice(None), 0), "an empty platter"),
    (plain, scalar("stage", st.Stage.LAST_DEPARTURES), "a later stage"),
    (plain, scalar("stage", st.Stage.FINISHED), "finished"),
    (plain, scalar("over", True), "over"),
    (plain, scalar("capped", True), "capped"),
    (plain, scalar("depth", 1), "an effect of nothing"),
    (plain, put("frame", (0, st.Column.N), 1), "something left of an effect"),
    (plain, put("last_row", (0, 0), guest("agar")), "a last row"),
    (plain, scalar("left_last", 1), "last departures"),
    (plain, scalar("last_seat", 1), "last departures begun"),
    (plain, both(scalar("events", 1), put("waiting", 0, 1 << guest("joans"))), "an event that nothing hears"),
    (plain, put("waiting", 0, 1 << guest("joans")), "an event beyond their number"),
    (plain, put("event", 0, 3), "an event's token beyond their number"),
    (plain, scalar("draft_round", 5), "a draft not over"),
    (plain, put("faux_pas_points", 0, 1), "points of a Faux Pas that is not there"),
    (course, put("waiting", 0, 1 << guest("agar")), "an event heard by a guest with another ability"),
    (course, put("waiting", 0, 1 << guest("rahon")), "an event heard by a hidden guest"),
    (course, under(st.Column.N, 1), "an event after the last"),
    (course, under(st.Column.KIND, st.Effect.TOKEN), "another effect below"),
    (course, top(st.Column.GUEST, guest("joans")), "another guest asks"),
    (course, top(st.Column.USER, 1), "another's ability"),
    (course, top(st.Column.LEFT, 0), "a neighbour noted for nothing"),
    (course, top(st.Column.RIGHT, 0), "the other neighbour noted for nothing"),
    (course, top(st.Column.TOKEN, 2), "a token noted for nothing"),
    (course, top(st.Column.STEP, 0), "not yet asked"),
    (course, scalar("step", st.Step.TURN_ENDS), "a course begins at another step"),
    (course, scalar("events", 0), "no event"),
    (course, scalar("phase", st.Phase.WHICH_KIND), "another question"),
    (course, scalar("player", 1), "another player's question"),
    (course, put("token", (guest("sun_ra"), slice(None)), 0), "nothing to use"),
    (social, put("frame", (0, st.Column.GUEST), guest("agar")), "action 2 with the other guest"),
    (social, put("frame", (0, st.Column.TOKEN), 0), "action 2 with food"),
    (social, put("frame", (0, st.Column.LEFT), -1), "action 2 without a partner"),
    (social, put("frame", (0, st.Column.STEP), 2), "action 2 still hands out"),
    (social, put("frame", (0, st.Column.STEP), 5), "action 2 has ended"),
    (social, put("frame", (0, st.Column.USER), 1), "action 2 of another player"),
    (social, put("event", 0, 3), "set off by another token"),
    (social, scalar("first_half", 2), "action 2 in a second half"),
    (arriving, top(st.Column.TOKEN, 5), "no kind of token"),
    (arriving, top(st.Column.GUEST, guest("agar")), "a token for another guest"),
    (arriving, top(st.Column.GUEST, guest("dali")), "a token for a guest that does not sit"),
    (arriving, top(st.Column.USER, 1), "a token from another player"),
    (arriving, top(st.Column.SILENT, 1), "a token that sets nothing off"),
    (arriving, top(st.Column.A, 1), "a token moved"),
    (arriving, top(st.Column.A, 2), "neither moved nor not"),
    (arriving, top(st.Column.STEP, 1), "refused by a guest that cannot"),
    (arriving, top(st.Column.B, 1), "a column that is not in use"),
    (arriving, put("token", (guest("breton"), slice(0, 5)), 0), "no room"),
    (arriving, under(st.Column.N, 2), "more handed out than the count"),
    (arriving, under(st.Column.N, 0), "handed out, not counted"),
    (arriving, under(st.Column.INDEX, 1), "a second receiver"),
    (arriving, under(st.Column.A, guest("agar")), "another guest was chosen"),
    (arriving, under(st.Column.STEP, 3), "asks for a kind while it arrives"),
    (arriving, under(st.Column.GUEST, guest("agar")), "another ability"),
    (arriving, under(st.Column.LEFT, 1), "a plate ability with a neighbour of before"),
    (arriving, scalar("plate_done", 1 << guest("agar")), "another guest's mark"),
    (arriving, put("plate_used", 0, 0), "a use that is not counted"),
    (arriving, scalar("step", st.Step.TURN_ENDS), "a plate ability at another step"),
    (leaving, put("where", guest("dali"), st.Where.HIDDEN), "a leaver that never sat"),
    (leaving, top(st.Column.N, 1), "a bonus not taken"),
    (leaving, top(st.Column.A, 0), "a bonus of a guest that was not content"),
    (leaving, top(st.Column.LEFT, guest("dali")), "its own neighbour"),
    (leaving, top(st.Column.LEFT, -1), "one neighbour only"),
    (leaving, top(st.Column.LEFT, guest("lam")), "a neighbour that does not sit"),
    (leaving, top(st.Column.SILENT, 1), "sent home by an ability"),
    (leaving, both(put("stash", (1, 4), 8), put("points", 1, 8)), "the condition is not met"),
    (leaving, top(st.Column.STEP, 5), "the door is over"),
    (leaving, top(st.Column.STEP, 6), "the neighbours have noticed"),
    (leaving, scalar("first_half", 1), "seated, not sent home"),
    (bonus, top(st.Column.N, 2), "a bonus too many"),
    (bonus, top(st.Column.A, 0), "no bonus"),
    (bonus, scalar("player", 1), "the other player's bonus"),
    (swapping, top(st.Column.X, 3), "a token that is not there"),
    (swapping, top(st.Column.B, guest("toyen")), "a swap with itself"),
    (swapping, top(st.Column.B, guest("lam")), "a swap with another's guest"),
    (swapping, top(st.Column.A, guest("lam")), "a swap from another's guest"),
    (swapping, top(st.Column.Y, 1), "lifted too early"),
    (swapping, top(st.Column.STEP, 5), "nothing arrives"),
    (swapping, top(st.Column.N, 1), "a count in a swap"),
    (exchanging, top(st.Column.V, 1), "fewer lifted than counted"),
    (exchanging, both(top(st.Column.V, 0), top(st.Column.V + 2, 2)), "lifted from a guest that is not there"),
    (exchanging, top(st.Column.N, 3), "all are lifted"),
    (exchanging, top(st.Column.INDEX, 1), "replaced before all are lifted"),
    (exchanging, both(top(st.Column.V, 0), top(st.Column.V + 1, 2)), "lifted from a guest without room for it"),
    (exchanging, top(st.Column.GUEST, guest("dali")), "another leaver's door"),
    (exchanging, top(st.Column.SILENT, 1), "a door that sets nothing off"),
    (last, scalar("last_seat", 0), "the other player's turn to leave"),
    (last, scalar("left_last", 1 << guest("agar")), "left and still there"),
    (last, scalar("left_content", 1 << guest("agar")), "content and still there"),
    (last, put("last_row", (0, slice(0, 2)), [guest("agar"), guest("colquhoun")]), "another order"),
    (last, put("last_row", (0, slice(None)), [guest("colquhoun"), -1, guest("agar")]), "a gap in the last row"),
    (last, put("last_row", (1, 0), guest("agar")), "a guest in two last rows"),
    (last, scalar("course", 4), "before Dessert"),
    (last, scalar("last_taker", -1), "nobody took the last token"),
    (last, scalar("step", 0), "not yet asked"),
    (last, scalar("player", 1), "another player's guests"),
    (doors, scalar("left_last", 1 << guest("miro")), "a door of a guest that was not there"),
    (doors, scalar("last_seat", 2), "all doors are over"),
    (doors, scalar("phase", st.Phase.WHO_LEAVES), "nobody is left"),
    (doors, put("last_row", (0, 0), -1), "a gap in the last row"),
    (over, scalar("last_seat", 1), "ended too early"),
    (over, scalar("over", False), "not over"),
    (over, scalar("stage", st.Stage.LAST_DOORS), "the stage before"),
    (over, scalar("capped", True), "ended by the guard, turns unspent"),
    (over, scalar("events", 1), "something goes on"),
]  # fmt: skip


@pytest.mark.parametrize("begin", sorted({f[0] for f in FAULTS}, key=lambda f: f.__name__), ids=lambda f: f.__name__)
def test_the_positions_are_sound(begin):
    assert begin().fault() == ""


@pytest.mark.parametrize(("begin", "change", "name"), FAULTS, ids=[f"{f[0].__name__}: {f[2]}" for f in FAULTS])
def test_a_fault_is_seen(begin, change, name):
    t = begin()
    before = records.raw(t.states).tobytes()
    change(t.s)
    assert records.raw(t.states).tobytes() != before
    assert t.fault()


def advanced(moves):
    """The setup of an advanced game of three after some first options."""
    g = game(3, "advanced")
    s = g.reset(1, 6)
    for _ in range(moves):
        g.step(s, [np.flatnonzero(g.legal_actions(s)[0])[0]])
    return g, s


SETUP_FAULTS = [
    (4, put("pick", 1, 0), "a pick before its turn"),
    (4, put("pick", 0, -1), "a pick that is missing"),
    (4, put("pick", 0, 5), "a pick of a card that is not there"),
    (4, scalar("step", 0), "another seat's turn to pick"),
    (4, scalar("draft_round", 2), "a later round"),
    (4, put("pack", (0, slice(1, 6)), lambda cards: cards[::-1].copy()), "a pack out of order"),
    (4, scalar("stage", st.Stage.CHOOSING_FAUX_PAS), "Faux Pas in the draft"),
    (4, scalar("stage", st.Stage.PLAYING), "play in the draft"),
    (4, put("faux_pas_choice", 0, 1), "a choice in the draft"),
    (4, put("faux_pas_open", 0, 1), "a card face up in the draft"),
    (4, scalar("turn", 1), "a turn in the draft"),
    (4, put("platter", 0, 1), "food at Cocktails"),
    (4, put("row", (0, 0), 3), "a guest seated in the draft"),
    (16, put("faux_pas_choice", 0, 0), "a choice that is missing"),
    (16, put("faux_pas_choice", 2, 1), "a choice before its turn"),
    (16, put("faux_pas_dealt", 0, lambda pair: pair[::-1].copy()), "a pair out of order"),
    (16, put("faux_pas_dealt", (1, 0), lambda i: (i + 1) % 10), "another card"),
    (16, put("faux_pas_open", 0, 1), "a card face up too early"),
    (18, put("faux_pas_open", slice(None), lambda face: 1 - face), "the other cards face up"),
    (18, put("faux_pas_choice", 0, 2), "the other card kept"),
    (18, put("faux_pas_by", 0, 1), "scored and open"),
    (18, put("hand", (0, 0), lambda g: g + 1), "another hand"),
]


@pytest.mark.parametrize(("moves", "change", "name"), SETUP_FAULTS, ids=[f[2] for f in SETUP_FAULTS])
def test_a_fault_of_the_setup_is_seen(moves, change, name):
    g, s = advanced(moves)
    assert fault(g.rules[0], s[0]) == ""
    change(s[0])
    assert fault(g.rules[0], s[0])


def test_the_check_of_records_uses_them():
    t = plain()
    t.s.platter[:] = t.game.rules[0].menu[t.s.course]
    t.game.check_records(t.states)
    t.s.token[guest("dali"), 0] = 1
    with pytest.raises(Exception, match="tokens on a guest that does not sit"):
        t.game.check_records(t.states)


# ---------------------------------------------------------------- what passes harms nobody


def go_astray(seed, tries, *files):
    """The fuzzer of astray.py in a process of its own, in which rules are plain Python."""
    root = Path(__file__).parents[3]
    command = [
        sys.executable,
        "-m",
        "tests.games.surrealist_dinner_party.astray",
        str(seed),
        str(tries),
        *map(str, files),
    ]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False, timeout=3000)
    assert done.returncode == 0, done.stderr[-3000:]
    return sum(int(line.split()[-3]) for line in done.stdout.splitlines())


def test_records_that_pass_lead_no_rule_astray(tmp_path):
    assert go_astray(1, 60, "-", write_deck(tmp_path, shuffled=301)) > 8


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_many_records_that_pass_lead_no_rule_astray(tmp_path, seed):
    decks = [write_deck(tmp_path, shuffled=310 + 10 * seed + k, seats=3 - k % 2, uses=1 + k % 2) for k in range(6)]
    assert go_astray(seed, 800, "-", *decks) > 400
