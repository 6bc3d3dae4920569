"""What a seat cannot know: hands, box, draft, rejected Faux Pas; and what it does know."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st
from banquet_envs.testing.play import random_actions
from tests import sizes

from .deck import write_deck
from .play import walk
from .table import KINDS, NAME, Table, game


def samples(g, state, player, n, seed=0):
    """n determinised copies of one state."""
    many = records.take(state, np.zeros(n, int))
    g.determinize(many, player, seed)
    return many


def advance(g, states, moves, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        g.step(states, random_actions(g.legal_actions(states), rng))
    return states


@pytest.mark.parametrize(("players", "mode"), [(2, "normal"), (3, "draft"), (4, "advanced"), (2, "advanced")])
def test_nothing_known_changes_and_masks_stay(players, mode):
    g = game(players, mode)
    for _, now, _ in walk(g, sizes.many(6, 1), 3):
        for p in range(players):
            view = records.copy(now)
            g.determinize(view, p, int(now.ply[0]))
            assert np.array_equal(g.observe(now, p), g.observe(view, p))
            mask, seen = g.legal_actions(now), g.legal_actions(view)
            assert seen.any(axis=1).all()
            mine = now.player == p
            assert np.array_equal(mask[mine], seen[mine])


@pytest.mark.parametrize(
    ("players", "mode", "moves"), [(2, "normal", 12), (3, "draft", 8), (4, "advanced", 60), (3, "draft", 40)]
)
def test_chances_in_the_observation_are_the_frequencies_of_determinize(players, mode, moves):
    g = game(players, mode)
    s = advance(g, g.reset(1, 9), moves, 5)
    n = sizes.many(4000, 200)
    for p in range(players):
        many = samples(g, s, p, n, 2)
        holds = g.layout.split(g.observe(s, p))["holds"][0]
        for k in range(players):
            hands = many.hand[:, (p + k) % players]
            counts = np.bincount(hands[hands >= 0], minlength=30)
            spread = np.sqrt(n * holds[k] * (1 - holds[k])) + 1e-9
            assert (np.abs(counts - n * holds[k]) < 5 * spread + 1e-6 * n).all()


def knowledge(packs, picks, players, size, p):
    """What player p sees in a draft: the packs it looked at, and its picks."""
    left = [list(pack) for pack in packs]
    seen = []
    hands = [[] for _ in range(players)]
    for r in range(size):
        seen.append(tuple(sorted(left[(p - r) % players])))
        for q in range(players):
            card = sorted(left[(q - r) % players])[picks[q][r]]
            left[(q - r) % players].remove(card)
            hands[q].append(card)
    return (tuple(seen), tuple(hands[p])), tuple(tuple(sorted(h)) for h in hands)


def test_hands_after_a_draft_have_the_exact_distribution(tmp_path):
    """Three players, three cards each, nine guests: all deals and picks counted out, against determinize."""
    players, size, p = 3, 3, 1
    g = make_game(NAME, players, mode="draft", components=write_deck(tmp_path, guests=9, hand_size=size))
    s = g.reset(1, 4)
    mine = tuple(int(x) for x in s[0].pack[p, :size])
    first = [s[0].pack[k, :size].copy() for k in range(players)]
    picks = [[], [], []]
    rng = np.random.default_rng(8)
    while s[0].stage == st.Stage.DRAFTING:
        a = int(rng.choice(np.flatnonzero(g.legal_actions(s)[0]))) - st.Action.DRAFT
        picks[int(s[0].player)].append(a)
        g.step(s, [st.Action.DRAFT + a])
    truth, hands = knowledge(first, [[*x, 0] for x in picks], players, size, p)
    assert hands == tuple(tuple(sorted(map(int, s[0].hand[q, :size]))) for q in range(players))
    exact = Counter()
    rest = [c for c in range(9) if c not in mine]
    sequences = [(a, b, 0) for a in range(3) for b in range(2)]
    for one in itertools.combinations(rest, 3):
        packs = [one, mine, tuple(c for c in rest if c not in one)]
        for trial in itertools.product(sequences, repeat=3):
            known, dealt = knowledge(packs, trial, players, size, p)
            if known == truth:
                exact[dealt] += 1
    n = sizes.many(6000, 600)
    many = samples(g, s, p, n, 7)
    found = Counter(tuple(tuple(sorted(map(int, x.hand[q, :size]))) for q in range(players)) for x in many)
    assert set(found) == set(exact)
    total = sum(exact.values())
    observed = [found[k] for k in exact]
    expected = [n * v / total for v in exact.values()]
    assert len(exact) > 2
    assert stats.chisquare(observed, expected).pvalue > 1e-4


def test_hands_without_a_draft_are_uniform():
    g = game(2, "normal")
    s = g.reset(1, 3)
    many = samples(g, s, 0, sizes.many(6000, 400))
    counts = np.bincount(many.hand[:, 1].ravel(), minlength=30)
    own = set(s[0].hand[0].tolist())
    assert all(counts[c] == 0 for c in own)
    others = [counts[c] for c in range(30) if c not in own]
    assert stats.chisquare(others).pvalue > 1e-4


def test_pending_picks_and_faux_pas_are_uniform():
    g = game(3, "advanced")
    s = g.reset(1, 6)
    g.step(s, [st.Action.DRAFT + 2])
    g.step(s, [st.Action.DRAFT + 4])
    many = samples(g, s, 2, sizes.many(3000, 200))
    assert stats.chisquare(np.bincount(many.pick[:, 0], minlength=6)).pvalue > 1e-4
    kept = samples(g, s, 0, 50)
    assert (kept.pick[:, 0] == 2).all()  # the own pick is known
    while s[0].stage != st.Stage.CHOOSING_FAUX_PAS:
        g.step(s, [np.flatnonzero(g.legal_actions(s)[0])[0]])
    g.step(s, [st.Action.KEEP + 1])
    many = samples(g, s, 1, sizes.many(3000, 200))
    assert stats.chisquare(np.bincount(many.faux_pas_choice[:, 0], minlength=4)[1:]).pvalue > 1e-4
    own = set(s[0].faux_pas_dealt[1].tolist())
    counts = np.bincount(many.faux_pas_dealt[:, [0, 2]].ravel(), minlength=10)
    assert all(counts[c] == 0 for c in own)
    assert stats.chisquare([counts[c] for c in range(10) if c not in own]).pvalue > 1e-4


def test_after_the_reveal_only_rejected_faux_pas_vary():
    g = game(3, "faux_pas")
    s = g.reset(1, 2)
    for choice in (0, 2, 1):
        g.step(s, [st.Action.KEEP + choice])
    many = samples(g, s, 1, sizes.many(2000, 200))
    assert (many.faux_pas_open == s.faux_pas_open).all()
    assert (many.faux_pas_dealt[:, 1] == s.faux_pas_dealt[0, 1]).all()
    shown = {int(s[0].faux_pas_dealt[0, 0]), int(s[0].faux_pas_dealt[2, 1])}
    for x in many[:200]:
        assert shown <= set(x.faux_pas_dealt[[0, 2]].ravel().tolist())
    rejected = [next(c for c in x.faux_pas_dealt[0] if c != s[0].faux_pas_dealt[0, 0]) for x in many]
    known = shown | set(s[0].faux_pas_dealt[1].tolist())
    counts = np.bincount(rejected, minlength=10)
    assert all(counts[c] == 0 for c in known)
    assert stats.chisquare([counts[c] for c in range(10) if c not in known]).pvalue > 1e-4


def test_picks_of_a_running_round_are_not_shown():
    g = game(2, "draft")
    s = g.reset(1, 6)
    other = records.copy(s)
    g.step(s, [st.Action.DRAFT])
    g.step(other, [st.Action.DRAFT + 3])
    assert np.array_equal(g.observe(s, 1), g.observe(other, 1))
    assert not np.array_equal(records.raw(s), records.raw(other))


def test_the_first_token_of_a_swap_is_shown():
    t = Table([["toyen", "miro", "agar"], ["miller"]]).put("toyen", "drama").fill("miro").put("agar", "wine")
    t.do(("plate", "toyen"), ("guest", "miro"), ("token", 1))  # Miró's dessert; now the other guest
    see = t.game.layout.split(t.game.observe(t.states, 0)[0])
    assert see["asking_kind"].argmax() == KINDS.index("dessert")
    assert see["asking_other"][0].tolist() == [0, 1, 0]
    t.do(("guest", "toyen"))


def test_the_public_position_is_read_back_from_the_vector():
    g = game(3, "advanced")
    kinds = lambda x: (np.round(x * 5) - 1).astype(int)  # noqa: E731
    for _, now, _ in walk(g, sizes.many(5, 1), 77):
        for p in range(3):
            see = g.layout.split(g.observe(now, p))
            seats = [(p + k) % 3 for k in range(3)]
            assert np.array_equal(np.round(see["stash"] * 8), now.stash[:, seats])
            assert np.array_equal(np.round(see["platter"][:, :5] * 13), now.platter)
            assert np.array_equal(np.round(see["hand_size"] * 6), now.hand_size[:, seats])
            assert np.array_equal(np.round(see["points"] * 30), now.points[:, seats])
            row = np.round(see["guest"][..., 1] * 30).astype(int) - 1
            assert np.array_equal(row, now.row[:, seats])
            taken = row >= 0
            i, k, c = np.nonzero(taken)
            assert np.array_equal(kinds(see["guest"][..., 16:22])[i, k, c], now.token[i, row[i, k, c]])
            play = now.stage >= st.Stage.PLAYING
            card = np.round(see["card"][..., 1] * 30).astype(int) - 1
            assert np.array_equal(card[play], now.hand[play, p])
            assert np.array_equal(see["gone"] > 0, now["where"][:, :30] == st.Where.GONE)
            shown = see["faux_pas"][..., 0] + 2 * see["faux_pas"][..., 1]
            assert np.array_equal(shown, now.faux_pas_open[:, :10])
            course = see["course"].argmax(axis=1)
            assert np.array_equal(course, now.course)
