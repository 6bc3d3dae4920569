"""What a seat sees and what it cannot know."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from banquet_envs import make_game
from banquet_envs.core.compile import JIT
from banquet_envs.core.state import copy, take
from banquet_envs.games.banquet_royal.components import DIAMOND, DISHES, HAND, ITEM_NAMES, TOQUE, VALUES
from banquet_envs.games.banquet_royal.rules import ALL_VARIANTS, SPEC
from banquet_envs.games.banquet_royal.state import Action, Phase
from tests.games.banquet_royal.helpers import Table, play_out
from tests.games.banquet_royal.recount import Recount
from tests.sizes import many

EVERYTHING = SPEC.variants[-1]


def positions(game: Any, seed: int = 3) -> np.recarray:
    """Positions from the whole length of random games: of every phase as many as there are, up to four (plain: two)."""
    rng = np.random.default_rng(seed)
    found: dict[int, list[np.recarray]] = {}
    for k in range(many(2, 1)):
        states = game.reset(1, seed + k)
        while not states.over[0]:
            found.setdefault(int(states.phase[0]), []).append(copy(states))
            legal = np.flatnonzero(game.legal_actions(states)[0])
            scoring = legal[(legal >= Action.SCORE) & (legal < Action.NO_SCORE)]
            game.step(states, [rng.choice(scoring if len(scoring) else legal)])
        found.setdefault(-1, []).append(copy(states))
    chosen = [group[k] for group in found.values() for k in rng.permutation(len(group))[: many(4)]]
    return np.concatenate([c.view(np.ndarray) for c in chosen]).view(np.recarray)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, ALL_VARIANTS, EVERYTHING], ids=["base", "all variants", "all options"])
def test_every_feature_says_what_a_recount_of_the_table_says(players: int, options: dict[str, Any]) -> None:
    """For every seat, on the move or not, in every phase, and at the end."""
    game = make_game("banquet_royal", players=players, **options)
    states = positions(game)
    recount = Recount(game.components, options, players)
    for seat in range(players):
        for state, view in zip(states, game.observe(states, seat), strict=True):
            compare(game, recount, state, view, seat)


def compare(game: Any, recount: Recount, state: Any, view: np.ndarray, seat: int) -> None:
    told, wanted = game.layout.split(view), recount.view(state, seat)
    assert set(told) == set(wanted)
    for name, values in wanted.items():
        wrong = np.argwhere(np.abs(told[name] - values) > 1e-6)
        assert not len(wrong), (name, wrong[0], seat, int(state["phase"]))


@pytest.mark.parametrize(
    "option", [{}, {"all_you_can_eat": "replace"}, {"gourmet": True}, {"etiquette": 6}, {"scoring": "forced"}]
)
def test_one_switch_alone_shows_as_itself(option: dict[str, Any]) -> None:
    game = make_game("banquet_royal", players=2, **option)
    states = game.reset(1, 1)
    compare(game, Recount(game.components, option, 2), states[0], game.observe(states, 1)[0], 1)


@pytest.mark.parametrize("slot", range(HAND))
@pytest.mark.parametrize("seat", range(3))
def test_the_value_to_be_drawn_is_seen_by_all(slot: int, seat: int) -> None:
    """Step 4 with a choice of decks, whichever card left the hand of whichever seat."""
    t = Table(players=3)
    t.empty_deck(slot + 1)
    t.turn(seat)
    t.state.hand[seat, slot], t.state.phase = -1, Phase.DRAW
    recount = Recount(t.game.components, {}, 3)
    for viewer in range(3):
        view = t.game.layout.split(t.game.observe(t.states, viewer)[0])
        assert view["draw_value"].tolist() == [v == slot for v in range(3)]
        assert (view["hand_values"][(seat - viewer) % 3] > 0).tolist() == [v != slot for v in range(3)]
        compare(t.game, recount, t.state, t.game.observe(t.states, viewer)[0], viewer)


@pytest.mark.parametrize("viewer", range(4))
@pytest.mark.parametrize("seat", range(4))
def test_what_would_come_at_the_end_is_told_of_every_seat(viewer: int, seat: int) -> None:
    """Gourmet: a toque beside two burgers, and the most 2-point menus; All You Can Eat: three kinds of orders."""
    t = Table(players=4, gourmet=True, all_you_can_eat="add")
    t.put("C2", "toque", seat)
    t.put("C1", "burger")
    t.put("B1", "burger")
    t.put("B2", "salad")
    t.state.collected[seat] = [1, 0, 2, 1]
    t.validated(seat, 2, 2)
    t.validated((seat + 1) % 4, 2)
    t.turn((seat + 2) % 4)
    told = t.game.layout.split(t.game.observe(t.states, viewer)[0])["end_points"] * 10
    assert told.round().tolist() == [2 + 2 + 5 if (viewer + k) % 4 == seat else 0 for k in range(4)]


def test_gain_says_what_the_own_hand_would_score() -> None:
    t = Table(recall="perfect")
    t.put("D2", "fruit_salad")
    t.put("D3", "salad")
    x = t.space("D1")  # the only space that completes a line
    t.state.order[x] = -1
    t.deal(0, "toque fruit_salad salad")  # 3 points for a toque on D1
    t.deal(0, "pudding pudding burger")
    t.deal(0, "salad burger pudding")
    gain = gain_of(t)
    assert gain[x, TOQUE] == 1
    assert np.count_nonzero(gain) == 1
    t.deal(0, "salad fruit_salad pudding")  # 1 point for a pudding
    gain = gain_of(t)
    assert gain[x, 2] == np.float32(1 / 3)
    assert np.count_nonzero(gain) == 2
    t.state.order[x] = 0  # a cloche: no toque comes to light there
    gain = gain_of(t)
    assert gain[x, TOQUE] == 0
    assert gain[x, 2] == np.float32(1 / 3)


def gain_of(t: Table) -> np.ndarray:
    return t.game.layout.split(t.game.observe(t.states, 0)[0])["gain"]


def test_other_seats_do_not_see_the_hand() -> None:
    t = Table()
    before = t.game.observe(t.states, 1)
    others = [c for c in t.hidden(3) if c not in t.state.hand]
    assert len(others) == 9
    for card in others:
        t.deal(0, " ".join(ITEM_NAMES[k] for k in t.rules.symbol[card]))
        assert t.state.hand[0, 2] == card
        assert (t.game.observe(t.states, 1) == before).all()


def test_orders_are_shown_while_memorising_and_then_hidden() -> None:
    game = make_game("banquet_royal", players=3)
    states = game.reset(1, 2)
    at = states.order[0] >= 0
    for _ in range(3):
        for seat in range(3):
            space = game.layout.split(game.observe(states, seat)[0])["space"]
            assert space[at, :DISHES].argmax(axis=1).tolist() == states.order[0][at].tolist()
            assert space[at, :DISHES].sum() == 6
        game.step(states, [game.action_layout["memorise"].start])
    assert states.phase[0] == Phase.TAKE
    for seat in range(3):
        assert not game.layout.split(game.observe(states, seat)[0])["space"][:, :DISHES].any()


def test_with_perfect_recall_nothing_is_memorised_and_orders_stay_known() -> None:
    game = make_game("banquet_royal", players=3, recall="perfect")
    states = game.reset(1, 2)
    assert states.phase[0] == Phase.TAKE
    assert game.layout.split(game.observe(states, 1)[0])["space"][:, :DISHES].sum() == 6
    copies = take(states, np.zeros(50, np.int64))
    game.determinize(copies, 1, seed=4)
    assert (copies.order == states.order).all()


CONFIGURATIONS = [
    *[(n, v, None) for n in (2, 3, 4) for v in SPEC.variants],
    *[(n, v, DIAMOND) for n in (2, 3, 4) for v in SPEC.variants[-2:]],
]


@pytest.mark.parametrize(("players", "options", "components"), CONFIGURATIONS[:: 1 if JIT else 7])
def test_determinize_keeps_what_every_seat_knows_at_every_move(
    players: int, options: dict[str, Any], components: Path | None
) -> None:
    """In plain Python at every eighth move."""
    game = make_game("banquet_royal", players=players, components=components, **options)
    rules = game.rules[0]

    def look(before: Any, actions: np.ndarray, after: Any) -> None:
        if not JIT and before.ply[0] % 8:
            return
        masks = game.legal_actions(before)
        for seat in range(game.num_players):
            sample = copy(before)
            game.determinize(sample, seat, seed=int(before.ply[0]))
            assert (game.observe(sample, seat) == game.observe(before, seat)).all()
            mine = before.player == seat
            new = game.legal_actions(sample)
            assert (new[mine] == masks[mine]).all()
            assert new.any(axis=1).all()
            assert (sample.deck_size == before.deck_size).all()
            assert (sample.tokens.sum(axis=1) == before.tokens.sum(axis=1)).all()
            for k in range(0, len(sample), 7):
                kept, old = game.spec.pieces(rules, sample[k]), game.spec.pieces(rules, before[k])
                assert all((kept[name] == old[name]).all() for name in old)

    play_out(game, many(2, 1), 6, look)


def samples(t: Table, seat: int, n: int = many(3000, 200)) -> np.recarray:
    copies = take(t.states, np.zeros(n, np.int64))
    t.game.determinize(copies, seat, seed=9)
    return copies


def test_determinize_deals_every_unseen_card_equally_often() -> None:
    t = Table(players=3)
    copies = samples(t, 0)
    for v in range(VALUES):
        unseen = [c for c in t.hidden(v + 1) if c != t.state.hand[0, v]]
        assert len(unseen) == 11
        for where in (copies.hand[:, 1, v], copies.hand[:, 2, v], copies.deck[:, v, 8], copies.deck[:, v, 0]):
            counts = Counter(where.tolist())
            assert set(counts) == set(unseen)
            assert chisquare([counts[c] for c in unseen]).pvalue > 1e-4


def test_determinize_shuffles_hidden_and_unused_orders_without_memory() -> None:
    t = Table(players=2)
    copies = samples(t, 1)
    at = np.flatnonzero(t.state.order >= 0)
    assert len(at) == 6
    for x in at:  # eight tokens, two of each dish, none revealed: each dish a quarter of the time
        assert chisquare(np.bincount(copies.order[:, x], minlength=DISHES)).pvalue > 1e-4
    pair = Counter(zip(copies.order[:, at[0]].tolist(), copies.order[:, at[1]].tolist(), strict=True))
    expected = [len(copies) * (1 / 4) * (1 / 7 if a == b else 2 / 7) for a in range(4) for b in range(4)]
    assert chisquare([pair[a, b] for a in range(4) for b in range(4)], expected).pvalue > 1e-4


def test_determinize_knows_which_orders_were_revealed() -> None:
    t = Table(players=2)
    t.order("D1", "burger")
    t.put("D2", "salad")
    t.act(t.announce("D1", "burger"))
    t.turn(0)
    copies = samples(t, 1)
    for x in np.flatnonzero(t.state.order >= 0):  # seven tokens are left, one of them a burger
        counts = np.bincount(copies.order[:, x], minlength=DISHES)
        assert chisquare(counts, [len(copies) * k / 7 for k in (2, 2, 2, 1)]).pvalue > 1e-4


def test_a_scoring_step_that_hidden_cards_alone_forbid_is_asked() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.deal(0, "salad burger pudding")
    t.act(t.place("D3", "pudding"))
    assert t.state.phase == Phase.SCORE
    assert t.legal() == {Action.NO_SCORE}


def test_a_scoring_step_that_nobody_could_use_is_not_asked() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(2, "salad fruit_salad pudding")
    card = t.card("salad fruit_salad pudding")
    t.state.seen[card] = 2 + 2  # it lies validated in front of seat 2
    t.state.hand[2, slot] = -1
    t.act(t.place("D3", "pudding"))
    assert t.state.phase != Phase.SCORE
    assert Action.SCORE not in t.legal()


def test_etiquette_orders_are_not_fixed_while_they_are_placed() -> None:
    game = make_game("banquet_royal", players=2, etiquette=8)
    states = game.reset(1, 5)
    while states.phase[0] == Phase.COVER:
        assert states.tokens[0].sum() == 8
        game.step(states, [np.flatnonzero(game.legal_actions(states)[0])[0]])
    assert states.tokens[0].sum() == 0
