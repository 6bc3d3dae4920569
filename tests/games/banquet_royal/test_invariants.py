"""Bounds and invariants of records: what play keeps, and what a record from outside is refused for."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs import SaveError, make_game
from banquet_envs.core import state as records
from banquet_envs.games.banquet_royal.components import DIAMOND, TOQUE
from banquet_envs.games.banquet_royal.rules import SPEC
from banquet_envs.games.banquet_royal.state import EMPTY, Action, Phase, Seen
from banquet_envs.testing import configurations
from banquet_envs.testing.play import walk
from tests.games.banquet_royal.helpers import Table
from tests.games.banquet_royal.strict import NAME

ROOT = Path(__file__).resolve().parents[3]
SHARED = ("rng", "seed", "ply", "player", "over", "capped", "points", "place", "_pad")
EVERYTHING = SPEC.variants[-1]


@pytest.mark.parametrize("configuration", configurations(NAME)[::4], ids=str)
def test_play_keeps_them_and_every_field_has_bounds(configuration: Any) -> None:
    game = configuration.make()
    assert set(game.spec.bounds(game.rules[0])) == set(SPEC.state.names) - set(SHARED)
    for k, (states, _, _) in enumerate(walk(game, 31)):
        if k < 12 or k % 3 == 0:
            game.check_records(states)
    assert states[0].over
    game.check_records(states)


def test_samples_keep_them_too() -> None:
    game = make_game(NAME, players=3, scoring="forced", hells_kitchen=True)
    for k, (states, _, _) in enumerate(walk(game, 5)):
        if k % 8 == 0:
            game.determinize(states, k % 3, k)
            game.check_records(states)


def test_on_the_other_board_too() -> None:
    game = make_game(NAME, players=4, components=DIAMOND, **EVERYTHING)
    for k, (states, _, _) in enumerate(walk(game, 2)):
        if k % 4 == 0:
            game.check_records(states)


def test_the_bounds_of_what_is_not_in_play_hold_nothing() -> None:
    bounds = SPEC.bounds(make_game(NAME, players=2).rules[0])  # type: ignore[misc]
    assert bounds["toques"][1].tolist() == [2, 2, 0, 0]
    assert bounds["hand"][1][:, 0].tolist() == [35, 35, -1, -1]
    assert bounds["seen"][1].tolist() == [3] * 36
    assert bounds["owner"] == (-1, 1)
    assert bounds["phase"] == (Phase.MEMORISE, Phase.DRAW)
    assert bounds["board"] == (EMPTY, TOQUE)
    assert bounds["order"] == (-1, 3)
    assert not np.any(bounds["ruled_out"][1])
    assert bounds["step"] == (0, 2)
    assert bounds["deck_size"][1].tolist() == [12, 12, 12]
    everything = SPEC.bounds(make_game(NAME, players=4, **EVERYTHING).rules[0])  # type: ignore[misc]
    assert everything["phase"] == (Phase.COVER, Phase.DRAW)
    assert everything["order"] == (-1, 4)
    assert everything["board"] == (EMPTY, 5)
    assert (everything["ruled_out"][1] == 2**36 - 1).all()
    assert everything["step"] == (0, 7)


@functools.cache
def position(phase: int, players: int, options: tuple[tuple[str, Any], ...], least: int) -> tuple[Any, np.recarray]:
    """A position of half-random play in a phase, `least` decisions or more after the beginning; -1 is an end without a menu."""
    game = make_game(NAME, players=players, **dict(options))
    for seed in range(40):
        rng = np.random.default_rng(seed)
        states = game.reset(1, seed)
        while not states.over[0]:
            if states.phase[0] == phase and states.ply[0] >= least:
                return game, states
            legal = np.flatnonzero(game.legal_actions(states)[0])
            scoring = legal[(legal >= Action.SCORE) & (legal < Action.NO_SCORE)]
            game.step(states, [rng.choice(scoring if len(scoring) else legal)])
        if phase == -1 and not states.scored[0]:
            return game, states
    raise AssertionError("no such position")


def at(phase: int, players: int = 3, least: int = 0, **options: Any) -> tuple[Any, np.recarray]:
    """A fresh copy of such a position."""
    game, states = position(phase, players, tuple(options.items()), least)
    return game, records.copy(states)


def built_draw() -> tuple[Any, np.recarray]:
    """Seat 0 has validated a menu; deck 0 is empty, the other two are not."""
    t = Table(players=2)
    t.state.order[:], t.state.tokens[:] = -1, 0
    t.state.order[t.rules.order_space[:6]] = [0, 1, 2, 3, 0, 1]
    t.state.tokens[:] = [0, 0, 1, 1]
    card = t.card("salad fruit_salad pudding")
    slot = t.deal(0, "salad fruit_salad pudding")
    t.empty_deck(1, seat=1)
    t.state.points[1] += 10
    t.state.epochs[0] = 1
    t.act(t.lay_all_but_one(card))
    t.act(Action.SCORE + slot)
    assert t.state.phase == Phase.DRAW
    return t.game, t.states


# ---------------------------------------------------------------- damage and what is said about it


def x_of(s: Any, piece: int) -> int:
    return int(np.flatnonzero(s.board == piece)[0])


def wake_empty_slot(s: Any) -> None:
    s.hand[0, 0], s.ruled_out[0, 0] = EMPTY, 1


def drop_card(s: Any) -> None:
    """A hand card lies on the pile: the pieces are right."""
    s.seen[s.hand[1, 0]] = Seen.ON_PILE
    s.hand[1, 0] = EMPTY


def swap_cards_of_two_values(s: Any) -> None:
    s.hand[0, 0], s.hand[0, 1] = int(s.hand[0, 1]), int(s.hand[0, 0])


def swap_two_decks(s: Any) -> None:
    s.deck[0, 0], s.deck[1, 0] = int(s.deck[1, 0]), int(s.deck[0, 0])


def gap_in_a_deck(s: Any) -> None:
    k = int(s.deck_size[2])
    s.deck[2, k], s.deck[2, 0] = int(s.deck[2, 0]), EMPTY


def pile_under_an_empty_deck(s: Any) -> None:
    for card in s.deck[0, : s.deck_size[0]]:
        s.seen[card] = Seen.ON_PILE
    s.deck[0], s.deck_size[0] = EMPTY, 0
    s.epochs[0] += 1


def empty_deck_not_renewed(s: Any) -> None:
    for card in s.deck[0, : s.deck_size[0]]:
        s.seen[card] = Seen.VALIDATED
        s.points[0] += 1
    s.deck[0], s.deck_size[0] = EMPTY, 0


def move_order(s: Any) -> None:
    """A cloche on a space that is not marked."""
    old, new = np.flatnonzero(s.order >= 0)[0], np.flatnonzero((s.order < 0) & (s.board < 0))[-1]
    s.order[new], s.order[old] = int(s.order[old]), -1


def order_beside_the_bouquet(s: Any) -> None:
    old = np.flatnonzero(s.order >= 0)[0]
    s.order[11], s.order[old] = int(s.order[old]), -1


def order_from_the_box(s: Any) -> None:
    """One more cloche: nine orders were used then."""
    dish = int(np.flatnonzero(s.tokens)[0])
    s.tokens[dish] -= 1
    s.lost[dish] += 1


def piece_on_a_cloche(s: Any) -> None:
    x, old = int(np.flatnonzero(s.order >= 0)[0]), int(np.flatnonzero((s.board >= 0) & (s.board < TOQUE))[0])
    s.board[x], s.board[old] = int(s.board[old]), EMPTY


def rob(field: str, index: Any, value: int) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        getattr(s, field)[index] = value

    return change


def put(field: str, value: int) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        setattr(s, field, value)

    return change


def add(field: str, index: Any = None, by: int = 1) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        if index is None:
            setattr(s, field, int(getattr(s, field)) + by)
        else:
            getattr(s, field)[index] += by

    return change


def toque_changes_hands(s: Any) -> None:
    """A toque on the board without its owner; the seat has it in its supply."""
    x = x_of(s, TOQUE)
    s.toques[s.owner[x]] += 1
    s.owner[x] = -1


def own_card_ruled_out(s: Any) -> None:
    s.ruled_out[1, 0] |= 1 << int(s.hand[1, 0])


def dish_for_toque(s: Any) -> None:
    """A dish with an owner."""
    x = int(np.flatnonzero((s.board >= 0) & (s.board < TOQUE))[0])
    s.owner[x] = 1


MID = {"least": 40}
CASES: list[tuple[str, Callable[[], tuple[Any, Any]], Callable[[Any], None], str]] = [
    ("owner of a dish", lambda: at(Phase.TAKE, **MID), dish_for_toque, "owner without a toque"),
    ("toque without an owner", lambda: at(Phase.TAKE, least=60), toque_changes_hands, "toque"),
    ("free", lambda: at(Phase.TAKE, **MID), add("free"), "free is"),
    ("reach on", lambda: at(Phase.TAKE, least=8), lambda s: rob("reach", np.flatnonzero(s.reach == 0)[-1], 1)(s), "reach of"),
    ("reach off", lambda: at(Phase.TAKE, **MID), lambda s: rob("reach", np.flatnonzero(s.reach)[0], 0)(s), "reach of"),
    ("placed on nothing", lambda: at(Phase.DISCARD, least=20), lambda s: put("placed", np.flatnonzero(s.board < 0)[0])(s), "not on its space"),
    ("piece on a cloche", lambda: at(Phase.TAKE, least=20), piece_on_a_cloche, "filled|reach"),
    ("cloche not marked", lambda: at(Phase.TAKE, least=20), move_order, "not marked"),
    ("order at the bouquet", lambda: at(Phase.TAKE, least=3), order_beside_the_bouquet, "bouquet|filled"),
    ("unseen order in play", lambda: at(Phase.TAKE, etiquette=8, least=12), lambda s: rob("order", np.flatnonzero(s.order >= 0)[0], 4)(s), "pieces"),
    ("one order too many", lambda: at(Phase.TAKE, least=20), order_from_the_box, "left over"),
    ("cover counts", lambda: at(Phase.COVER, etiquette=6, least=2), add("step"), "step does not count"),
    ("cover by another seat", lambda: at(Phase.COVER, etiquette=6, least=2), lambda s: put("player", (s.player + 1) % 3)(s), "turn it is"),
    ("cover drawn early", lambda: at(Phase.COVER, etiquette=6, least=2), lambda s: rob("order", np.flatnonzero(s.order == 4), 0)(s), "pieces"),
    ("memorise by another seat", lambda: at(Phase.MEMORISE), lambda s: put("player", (s.player + 1) % 3)(s), "turn it is"),
    ("memorised by more", lambda: at(Phase.MEMORISE), put("step", 3), "turn it is|nobody"),
    ("step in a turn", lambda: at(Phase.TAKE, least=4), put("step", 2), "step is 2"),
    ("gap in a deck", lambda: at(Phase.TAKE, least=4), gap_in_a_deck, "without a gap"),
    ("deck_size", lambda: at(Phase.TAKE, least=4), add("deck_size", 1, -1), "without a gap"),
    ("decks mixed up", lambda: at(Phase.TAKE, least=4), swap_two_decks, "does not belong"),
    ("pile not renewed", lambda: at(Phase.TAKE, least=4), pile_under_an_empty_deck, "its pile is not"),
    ("old card in a deck", lambda: at(Phase.TAKE, least=4), add("epochs", 0), "not there when"),
    ("a time to come", lambda: at(Phase.TAKE, least=4), lambda s: add("epoch", s.hand[0, 2])(s), "still to come"),
    ("deck not made", lambda: at(Phase.TAKE, least=4), empty_deck_not_renewed, "not been made"),
    ("short hand", lambda: at(Phase.TAKE, least=4), drop_card, "empty though"),
    ("value of a slot", lambda: at(Phase.TAKE, least=4), swap_cards_of_two_values, "another value"),
    ("own card ruled out", lambda: at(Phase.TAKE, scoring="forced", least=4), own_card_ruled_out, "ruled out"),
    ("knowledge of nothing", lambda: at(-1, scoring="forced"), wake_empty_slot, "empty|pieces"),
    ("points", lambda: at(Phase.TAKE, **MID), add("points", 1), "its menus and orders say"),
    ("points at the end", lambda: at(-1, gourmet=True), add("points", 1), "say|place"),
    ("rank_key in a game", lambda: at(Phase.TAKE, **MID), add("rank_key", 2), "rank_key"),
    ("rank_key at the end", lambda: at(-1), add("rank_key", 0), "rank_key"),
    ("turn begins in the middle", lambda: at(Phase.DISCARD, least=20), put("phase", Phase.TAKE), "a turn begins"),
    ("scored before the turn", lambda: at(Phase.TAKE, **MID), put("scored", 1), "a turn begins"),
    ("nothing to score", lambda: at(Phase.SCORE), put("placed", -1), "nothing has been played"),
    ("scored twice", lambda: at(Phase.SCORE), put("scored", 1), "one has been"),
    ("score without a menu", lambda: at(Phase.DISCARD), put("phase", Phase.SCORE), "no menu lies"),
    ("discard after a menu", lambda: at(Phase.DISCARD), put("scored", 1), "after a menu"),
    ("draw with a full hand", lambda: at(Phase.DISCARD), put("phase", Phase.DRAW), "hand is full"),
    ("draw without a choice", built_draw, lambda s: rob("slot_value", (0, 0), 1)(s), "no choice of decks"),
    ("give up nothing", lambda: at(Phase.DISCARD, hells_kitchen=True), put("phase", Phase.GIVE_UP), "without a wrong call|no choice"),
    ("give up in the base game", lambda: at(Phase.DISCARD), put("phase", Phase.GIVE_UP), "without a wrong call"),
    ("over too early", lambda: at(Phase.DISCARD, least=20), lambda s: (put("over", 1)(s), rob("place", slice(0, 3), 0)(s)), "place|rank_key|complete"),
    ("stage of an ended game", lambda: at(-1), put("phase", Phase.TAKE), "ended in another step"),
    ("phase beyond", lambda: at(Phase.TAKE), put("phase", 7), "'phase'"),
    ("cover without the variant", lambda: at(Phase.TAKE), put("phase", Phase.COVER), "'phase'"),
    ("memorise with perfect recall", lambda: at(Phase.TAKE, recall="perfect"), put("phase", Phase.MEMORISE), "'phase'"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "damage", "said"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_damaged_position_is_refused(make: Any, damage: Callable[[Any], None], said: str) -> None:
    game, states = make()
    game.check_records(states)
    damage(states[0])
    with pytest.raises(SaveError, match=said):
        game.check_records(states)


FIELDS = [name for name in SPEC.state.names if name not in SHARED]


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_is_held_to_its_bounds(field: str) -> None:
    game, good = at(Phase.TAKE, players=3, least=40, **EVERYTHING)
    low, high = (np.broadcast_to(b, good[field].shape[1:]) for b in game.spec.bounds(game.rules[0])[field])
    for index in {0, low.size - 1}:
        for value in (low.flat[index] - 1, high.flat[index] + 1):
            states = records.copy(good)
            flat = states[field].reshape(1, -1)
            flat[0, index] = value
            with pytest.raises(SaveError, match=f"field '{field}'"):
                game.check_records(states)


@pytest.mark.parametrize("option", ["free", "closed"])
def test_the_table_that_is_complete_is_the_end(option: str) -> None:
    """A turn cannot begin, nor a card be discarded, where nothing can be laid any more."""
    game, states = at(-1, exhausted_order=option)
    states.over[0], states.rank_key[0], states.place[0] = False, 0, -1
    with pytest.raises(SaveError, match="complete, but the game goes on"):
        game.check_records(states)
    states.phase[0], states.placed[0] = Phase.TAKE, -1
    with pytest.raises(SaveError, match="begins, but the table is complete"):
        game.check_records(states)


# ---------------------------------------------------------------- records that pass harm nobody


def watched(seed: int, tries: int, step: int) -> tuple[int, int]:
    """strict.py in a process of its own, as plain Python."""
    paths = [str(ROOT), str(ROOT / "agents"), str(ROOT / "training")]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "tests.games.banquet_royal.strict", str(seed), str(tries), str(step)]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    tried, passed = done.stdout.split()
    return int(tried), int(passed)


def test_no_record_that_passes_makes_a_rule_look_outside_its_arrays() -> None:
    tried, passed = watched(1, 3, 14)
    assert passed > tried / 3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 5))
def test_no_record_that_passes_makes_a_rule_look_outside_its_arrays_in_any_configuration(seed: int) -> None:
    tried, passed = watched(seed, 12, 1)
    assert passed > tried / 3
