"""Points recounted from final positions, and collections from positions just before, by slow plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st
from tests.sizes import many

from .play import CONFIGURATIONS, finals, walk
from .table import COLOURS, IDS, KINDS, box, game

GUESTS, FAUX = box()["guests"], box()["faux_pas"]


def faux_pas_winners(card, stashes):
    """Who scores an end card, from its entry in the components file."""
    if card["kind"] == "most":
        counts = [sum(s[k] for k in card["tokens"]) for s in stashes]
    else:
        counts = [min(s[k] for k in card["tokens"]) for s in stashes]
    return [p for p, c in enumerate(counts) if c == max(counts) and c > 0]


def meets(card, stash):
    """Whether a stash fulfils a card scored during the game."""
    if card["kind"] == "first_to":
        return sum(stash[k] for k in card["tokens"]) >= card["count"]
    return all(stash[k] >= card["count"] for k in card["tokens"])


@pytest.mark.parametrize(("players", "mode"), CONFIGURATIONS)
def test_points_of_many_games(players, mode):
    g = game(players, mode)
    for s in finals(g, many(300), 17):
        stashes = [dict(zip(KINDS, map(int, s.stash[p]), strict=True)) for p in range(players)]
        points = [sum(stash.values()) for stash in stashes]
        for i, card in enumerate(FAUX):
            if not s.faux_pas_open[i]:
                continue
            by = [p for p in range(players) if int(s.faux_pas_by[i]) >> p & 1]
            if card["when"] == "end":
                assert by == faux_pas_winners(card, stashes)
            else:
                assert all(meets(card, stashes[p]) for p in by)
                assert by or not any(meets(card, stash) for stash in stashes)
            for p in by:
                points[p] += card["points"]
        assert list(s.points[:players]) == points
        assert list(s.place[:players]) == [sum(q > p for q in points) for p in points]
        assert not s.capped


@pytest.mark.parametrize(("players", "mode"), [(2, "normal"), (3, "advanced"), (4, "faux_pas")])
def test_collections_and_during_cards_move_by_move(players, mode):
    g = game(players, mode)
    departures = closed = 0
    for _, before, actions in walk(g, many(60, 8), 23):
        after = records.copy(before)
        g.step_trusted(after, actions)
        for old, new, action in zip(before, after, actions, strict=True):
            if old.stage != st.Stage.PLAYING or new.stage != st.Stage.PLAYING:
                continue
            if (
                old.phase in (st.Phase.MAIN, st.Phase.SECOND_HALF)
                and st.Action.SEND_HOME <= action < st.Action.SEND_HOME + 3
            ):
                departures += 1
                check_collected(old, new, int(old.row[old.player, action - st.Action.SEND_HOME]))
            for i, card in enumerate(FAUX):
                if old.faux_pas_open[i] == 1 and card["when"] == "during":
                    who = [p for p in range(players) if meets(card, dict(zip(KINDS, new.stash[p], strict=True)))]
                    closed += bool(who)
                    assert (new.faux_pas_open[i] == 2) == bool(who)
                    assert int(new.faux_pas_by[i]) == sum(1 << p for p in who[:1])
    assert departures > many(100, 10)
    assert closed > many(5, 0) or mode == "normal"


def check_collected(old, new, g):
    """What the owner's stash gains when a guest goes home: its matching tokens, jokers matching everything."""
    owner = int(old.player)
    gain = np.zeros(5, int)
    for colour, kind in zip(sorted(GUESTS[g]["appetites"], key=COLOURS.index), old.token[g], strict=False):
        if kind >= 0 and colour in (KINDS[kind], "joker"):
            gain[kind] += 1
    assert (new.stash[owner] - old.stash[owner]).tolist() == gain.tolist(), IDS[g]
    content = gain.sum() == len(GUESTS[g]["appetites"])
    assert (new.phase == st.Phase.WHICH_KIND and new.player == owner) == content or new.depth > 0
