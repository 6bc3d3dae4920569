"""Long random runs reach every ability, every action, every question, and every way a course or Faux Pas ends."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from banquet_agents.registry import make_agent
from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st
from banquet_envs.testing.play import random_actions

from .play import finals
from .table import FAUX, IDS, Table, game


def note(count, states, actions):
    """Count what is asked and answered in a batch of positions."""
    frames = states.frame[np.arange(len(states)), np.maximum(states.depth - 1, 0)]
    kinds = np.where(states.depth > 0, frames[:, st.Column.KIND], -1).tolist()
    guests, rows, last = frames[:, st.Column.GUEST].tolist(), states.row.tolist(), states.last_row.tolist()
    columns = (states[name].tolist() for name in ("phase", "stage", "player", "active"))
    for k, (phase, stage, player, active) in enumerate(zip(*columns, strict=True)):
        a, running, guest = int(actions[k]), kinds[k], IDS[guests[k]]
        count["action", a] += 1
        count["phase", phase] += 1
        if st.Action.PLATE <= a < st.Action.DOOR:
            count["ability", IDS[rows[k][player][a - st.Action.PLATE]]] += 1
        elif st.Action.DOOR <= a < st.Action.STOP:
            count["last door", IDS[last[k][player][a - st.Action.DOOR]]] += 1
        elif phase == st.Phase.WHETHER:
            yes = a == st.Action.WHETHER + 1
            count["whether", running, yes] += 1
            if running in (st.Effect.HOME, st.Effect.ASK, st.Effect.TOKEN):
                count["ability" if yes else "declined", guest] += 1
        if player != active and stage == st.Stage.PLAYING:
            count["out of turn", phase] += 1
        if stage == st.Stage.LAST_DEPARTURES and running == st.Effect.HOME:
            count["while leaving last", phase] += 1


@pytest.fixture(scope="module")
def seen():
    """Counts of what happens in the richest mode: half of the moves by the attentive host, who contents guests."""
    count = Counter()
    rng = np.random.default_rng(1)
    for players, n in ((2, 250), (4, 250)):
        g = game(players, "advanced")
        host = make_agent(g, "greedy")
        for states, actions in mixed(g, host, n, rng):
            note(count, states, actions)
    return count


def mixed(g, host, n, rng):
    """Games in which every second move is the host's and the others are random."""
    states = g.reset(n, 31)
    while not states.over.all():
        states = records.take(states, np.flatnonzero(~states.over))
        actions = random_actions(g.legal_actions(states), rng)
        own = np.flatnonzero(rng.random(len(states)) < 0.5)
        actions[own] = host.act(records.take(states, own))
        yield states, actions
        g.step_trusted(states, actions)


@pytest.mark.parametrize("guest", IDS)
def test_every_ability_is_used(seen, guest):
    assert seen["ability", guest] > 0


def test_every_action_is_played(seen):
    never = {a for a in range(game(4).num_actions) if not seen["action", a]}
    dry = {st.Action.SERVE + 5 * k + kind for k in range(3) for kind in (3, 4)} | {
        st.Action.REMOVE + 3,
        st.Action.REMOVE + 4,
    }
    # only decks of one's own put compliments and drama on the platter; the last doors have built positions below
    assert dry <= never <= dry | {st.Action.DOOR, st.Action.DOOR + 1, st.Action.DOOR + 2}


@pytest.mark.parametrize("place", range(3))
def test_the_last_door_of_each_place_in_the_row(place):
    row = ["agar", "breton"]
    row.insert(place, "dali")
    t = Table([row, []], course=5, platter={"dessert": 1}).put("dali", "drama")
    t.do(("remove", "dessert"))
    assert t.options() == {st.Action.DOOR + place, st.Action.STOP}
    t.do(("door", "dali"))
    assert t.has(0) == {"drama": 4}


def test_a_guest_is_chosen_out_of_turn():
    t = Table([["tanning"], ["varo", "agar", "miller"]], platter={"food": 5})
    t.do(("plate", "tanning"), ("guest", "varo"), ("by", 1, "yes"), ("by", 1, ("guest", "miller")))
    t.do(("by", 1, ("place", "food")), ("by", 1, "no"))
    assert t.on("miller") == [("food", "food")]
    assert t.asks() == (1, st.Phase.MAIN)


def test_every_question_is_asked(seen):
    assert all(seen["phase", phase] for phase in range(len(st.Phase)))


def test_questions_out_of_turn(seen):
    for phase in (st.Phase.WHERE, st.Phase.WHETHER, st.Phase.WHICH_KIND):
        assert seen["out of turn", phase] > 0


def test_yes_and_no_to_everything(seen):
    for running in (st.Effect.TOKEN, st.Effect.ASK, st.Effect.HOME, st.Effect.ABILITY):
        assert seen["whether", running, True] > 0
        assert seen["whether", running, False] > 0


def test_last_departures_with_doors_and_bonus(seen):
    assert seen["while leaving last", st.Phase.WHETHER] > 0
    assert seen["while leaving last", st.Phase.WHICH_KIND] > 0
    assert any(key[0] == "last door" for key in seen)


def test_every_faux_pas_is_scored_and_ties_happen():
    states = finals(game(3, "advanced"), 3000, 5)
    assert [f for i, f in enumerate(FAUX) if not states.faux_pas_by[:, i].any()] == []
    several = (states.faux_pas_by & (states.faux_pas_by - 1)) != 0
    assert several.any()
    nobody = (states.faux_pas_open == 2) & (states.faux_pas_by == 0)
    assert nobody.any()
    assert ((states.place[:, :3] == 0).sum(axis=1) > 1).any()
