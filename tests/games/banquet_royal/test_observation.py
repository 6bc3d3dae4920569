"""What a seat sees and what it cannot know."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from banquet_envs import make_game
from banquet_envs.core.state import copy, take
from banquet_envs.games.banquet_royal.components import CELLS, DIAMOND, DISHES, HAND, ITEM_NAMES, PIECES, TOQUE, VALUES
from banquet_envs.games.banquet_royal.rules import ALL_VARIANTS, SPEC
from banquet_envs.games.banquet_royal.state import COVER, DRAW, MEMORISE, SCORE, TAKE
from tests.games.banquet_royal.helpers import DISCARD_SLOT, NO_DISCARD, NO_SCORE, SCORE_SLOT, Table, play_out

EVERYTHING = SPEC.variants[-1]


def positions(game: Any, games: int = 6, every: int = 6) -> np.recarray:
    """Positions from the whole length of some games."""
    found = []

    def look(before: Any, actions: np.ndarray, after: Any) -> None:
        if len(found) % every == 0:
            found.append(copy(after))
        else:
            found.append(after[:0])

    play_out(game, games, 3, look)
    return np.concatenate([f.view(np.ndarray) for f in found]).view(np.recarray)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, ALL_VARIANTS, EVERYTHING], ids=["base", "all variants", "all options"])
def test_the_public_position_can_be_read_back(players: int, options: dict[str, Any]) -> None:
    game = make_game("banquet_royal", players=players, **options)
    states = positions(game)
    for seat in range(players):
        views = game.observe(states, seat)
        for state, view in zip(states, views, strict=True):
            check_view(game, state, game.layout.split(view.astype(np.float64)), seat)


def check_view(game: Any, state: Any, view: dict[str, np.ndarray], seat: int) -> None:
    n, rules = game.num_players, game.rules[0]
    turn = [(seat + k) % n for k in range(n)]
    if state.over:
        assert not view["phase"].any()
    else:
        assert view["phase"].argmax() == state.phase
        assert turn[view["seat_to_move"].argmax()] == state.player
    assert turn[view["first_seat"].argmax()] == state.first
    assert round(view["free"][0] * CELLS) == state.free
    assert (view["points"] * 25).round().tolist() == state.points[turn].tolist()
    shown = rules.recall or state.phase == MEMORISE
    for x in range(CELLS):
        space = view["space"][x]
        dish = int(space[:DISHES].argmax()) if space[:DISHES].any() else -1
        covered = space[6] == 1
        assert covered == (state.order[x] >= 0)
        if covered:
            assert dish == (state.order[x] if shown and state.order[x] < DISHES else -1)
        else:
            here = TOQUE if space[4] else (5 if space[6] == -1 else dish)
            assert here == state.board[x]
        owner = round(space[5] * n) - 1
        assert (turn[owner] if owner >= 0 else -1) == state.owner[x]
    placed = view["placed"].argmax() if view["placed"].any() else -1
    assert placed == state.placed
    for s in range(HAND):
        card = int(state.hand[seat, s])
        assert view["hand"][s].any() == (card >= 0)
        if card >= 0:
            assert view["hand"][s, :VALUES].argmax() + 1 == rules.value[card]
            assert view["hand"][s, VALUES:].reshape(3, PIECES).argmax(axis=1).tolist() == rules.symbol[card].tolist()
    values = [[sum(c >= 0 and rules.value[c] == v + 1 for c in state.hand[p]) for v in range(VALUES)] for p in turn]
    assert (view["hand_values"] * 3).round().tolist() == values
    assert (view["kitchen"] * 10).round().tolist() == state.kitchen.tolist()
    assert (view["toques"] * 2).round().tolist() == state.toques[turn].tolist()
    assert (view["collected"] * 2).round().tolist() == state.collected[turn].tolist()
    assert (view["lost"] * 2).round().tolist() == state.lost.tolist()
    hidden = [int(state.tokens[d]) + int((state.order == d).sum()) for d in range(DISHES)]
    assert (view["unrevealed"] * 2).round().tolist() == hidden
    assert (view["deck"] * 12).round().tolist() == state.deck_size.tolist()
    piles = [sum(state.seen[c] == 1 and rules.value[c] == v + 1 for c in range(36)) for v in range(VALUES)]
    assert (view["pile"] * 12).round().tolist() == piles
    for c in range(36):
        where = view["menu"][c]
        seen = 0 if where == 0 else (1 if where == 1 else 2 + turn[round(-where * n) - 1])
        assert seen == state.seen[c]
    counts = [
        [sum(state.seen[c] == 2 + p and rules.value[c] == v + 1 for c in range(36)) for v in range(3)] for p in turn
    ]
    assert (view["validated"] * 6).round().tolist() == counts
    assert bool(view["draw_value"].any()) == (state.phase == DRAW and not state.over)


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
    assert states.phase[0] == TAKE
    for seat in range(3):
        assert not game.layout.split(game.observe(states, seat)[0])["space"][:, :DISHES].any()


def test_with_perfect_recall_nothing_is_memorised_and_orders_stay_known() -> None:
    game = make_game("banquet_royal", players=3, recall="perfect")
    states = game.reset(1, 2)
    assert states.phase[0] == TAKE
    assert game.layout.split(game.observe(states, 1)[0])["space"][:, :DISHES].sum() == 6
    copies = take(states, np.zeros(50, np.int64))
    game.determinize(copies, 1, seed=4)
    assert (copies.order == states.order).all()


@pytest.mark.parametrize(
    ("options", "components"),
    [*[(v, None) for v in SPEC.variants], *[(v, DIAMOND) for v in SPEC.variants[-2:]]],
)
def test_determinize_keeps_what_every_seat_knows_at_every_move(
    options: dict[str, Any], components: Path | None
) -> None:
    for players in (2, 3, 4):
        game = make_game("banquet_royal", players=players, components=components, **options)
        rules = game.rules[0]

        def look(before: Any, actions: np.ndarray, after: Any, game: Any = game, rules: Any = rules) -> None:
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

        play_out(game, 4, 6, look)


def samples(t: Table, seat: int, n: int = 6000) -> np.recarray:
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
    expected = [6000 * (1 / 4) * (1 / 7 if a == b else 2 / 7) for a in range(4) for b in range(4)]
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
        assert chisquare(counts, [6000 * k / 7 for k in (2, 2, 2, 1)]).pvalue > 1e-4


def test_determinize_knows_that_a_reshuffled_card_was_not_drawn_before() -> None:
    t = Table(players=3)
    t.empty_deck(1, keep=1)
    thrown = int(t.state.hand[0, 0])
    old = {int(t.state.hand[1, 0]), int(t.state.hand[2, 0])}
    t.act(t.place("D3", "pudding"))
    t.act(DISCARD_SLOT)  # the deck is renewed from this card alone
    copies = samples(t, 0, 500)
    assert (copies.deck[:, 0, 0] == thrown).all()
    assert {tuple(sorted(row)) for row in copies.hand[:, 1:3, 0].tolist()} == {tuple(sorted(old))}
    assert len(Counter(copies.hand[:, 1, 0].tolist())) == 2
    # seat 1 knows its own card, and so the other one's
    view = samples(t, 1, 500)
    assert len(set(view.hand[:, 2, 0].tolist())) == 2  # that of seat 2, or the last card that seat 0 drew
    assert (view.hand[:, 1] == t.state.hand[1]).all()


def test_determinize_knows_what_a_forced_player_did_not_score() -> None:
    t = Table(players=3, scoring="forced")
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.deal(0, "salad burger pudding")
    t.deal(0, "burger burger salad")
    t.deal(0, "toque burger salad")
    t.deal(1, "salad burger fruit_salad")
    t.act(t.place("D3", "pudding"))
    assert t.legal() == {NO_SCORE}
    t.act(NO_SCORE)
    t.act(NO_DISCARD)
    out = t.card("salad fruit_salad pudding")
    copies = samples(t, 1)
    assert out not in copies.hand[:, 0, 0]
    assert out in copies.hand[:, 2, 0]
    unseen = [c for c in t.hidden(1) if c not in (out, int(t.state.hand[1, 0]))]
    counts = Counter(copies.hand[:, 0, 0].tolist())
    assert chisquare([counts[c] for c in unseen]).pvalue > 1e-4
    # the two other places are not alike: uniform over the deals that fit
    assert chisquare([Counter(copies.hand[:, 2, 0].tolist())[c] for c in unseen]).pvalue > 1e-4


def test_a_scoring_step_that_hidden_cards_alone_forbid_is_asked() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    t.deal(0, "salad burger pudding")
    t.act(t.place("D3", "pudding"))
    assert t.state.phase == SCORE
    assert t.legal() == {NO_SCORE}


def test_a_scoring_step_that_nobody_could_use_is_not_asked() -> None:
    t = Table()
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(2, "salad fruit_salad pudding")
    card = t.card("salad fruit_salad pudding")
    t.state.seen[card] = 2 + 2  # it lies validated in front of seat 2
    t.state.hand[2, slot] = -1
    t.act(t.place("D3", "pudding"))
    assert t.state.phase != SCORE
    assert SCORE_SLOT not in t.legal()


def test_etiquette_orders_are_not_fixed_while_they_are_placed() -> None:
    game = make_game("banquet_royal", players=2, etiquette=8)
    states = game.reset(1, 5)
    while states.phase[0] == COVER:
        assert states.tokens[0].sum() == 8
        game.step(states, [np.flatnonzero(game.legal_actions(states)[0])[0]])
    assert states.tokens[0].sum() == 0


def test_with_two_players_a_card_that_both_can_place_is_no_secret() -> None:
    for held in (0, 1):
        t = Table(players=2)
        t.put("D1", "salad")
        t.put("D2", "fruit_salad")
        t.deal(held, "salad fruit_salad pudding")
        t.empty_deck(1)  # the two 1-point menus not validated are in the hands: each knows the other's by its own
        t.act(t.place("D3", "pudding"))
        assert (t.state.phase == SCORE) == (held == 0)
