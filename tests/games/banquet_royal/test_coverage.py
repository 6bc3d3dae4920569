"""By counting: long half-random runs reach every branch of the rules.

Too rare to count on, and so built by hand in test_rulings.py: no deck has cards left (17), a short hand is filled again
(18), a given-up menu becomes the deck (28), closed spots cut a space off (12).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, MENUS, PIECES, TOQUE, VALUES
from banquet_envs.games.banquet_royal.rules import SPEC
from banquet_envs.games.banquet_royal.state import CLOSED, EMPTY, Action, Phase, Seen
from tests.games.banquet_royal.helpers import play_out

GAMES = 400


class Tally:
    """Counts what happens in every step of many games."""

    def __init__(self, game: Any) -> None:
        self.game, self.rules, self.counts = game, game.rules[0], Counter()

    def add(self, name: str, where: Any) -> None:
        self.counts[name] += int(np.count_nonzero(where))

    def __call__(self, before: Any, actions: np.ndarray, after: Any) -> None:
        mover = before.player
        rows = np.arange(len(actions))
        place = actions < Action.ANNOUNCE
        for piece in range(PIECES):
            self.add(f"place piece {piece}", place & ((actions - Action.PLACE) % PIECES == piece))
        self.add("place on every space", place)
        for x in np.unique((actions[place] - Action.PLACE) // PIECES):
            self.counts[f"piece on space {x}"] += 1
        self._orders(before, actions, after, mover, rows)
        self._cards(before, actions, after, mover, rows)
        self.add("memorise", actions == Action.MEMORISE)
        for x in np.unique(actions[actions >= Action.COVER]) - Action.COVER:
            self.counts[f"order on space {x}"] += 1

    def _orders(self, before: Any, actions: np.ndarray, after: Any, mover: np.ndarray, rows: np.ndarray) -> None:
        calls = (actions >= Action.ANNOUNCE) & (actions < Action.SCORE)
        x = np.where(calls, (actions - Action.ANNOUNCE) // DISHES, 0)
        dish = before.order[rows, x]
        right = calls & ((actions - Action.ANNOUNCE) % DISHES == dish)
        out = calls & (before.kitchen[rows, np.clip(dish, 0, DISHES - 1)] == 0)
        self.add("correct call", right)
        self.add("wrong call", calls & ~right)
        self.add("correct call of an exhausted dish", right & out)
        self.add("wrong call of an exhausted dish", out & ~right)
        self.add("exhausted order leaves the spot free", out & (after.board[rows, x] == EMPTY))
        self.add("exhausted order closes the spot", out & (after.board[rows, x] == CLOSED))
        self.add("order completes a menu", calls & (after.phase == Phase.SCORE))
        for d in range(DISHES):
            self.add(f"order of dish {d}", calls & (dish == d))
        menus = (before.seen == (Seen.VALIDATED + mover)[:, None]).sum(axis=1)
        lost = (after.seen == (Seen.VALIDATED + mover)[:, None]).sum(axis=1) < menus
        self.add("penalty without a menu", calls & ~right & (menus == 0) & bool(self.rules.hell))
        self.add("penalty of the only menu", calls & ~right & (menus == 1) & lost)
        give = (actions >= Action.GIVE_UP) & (actions < Action.MEMORISE)
        for c in np.unique(actions[give]) - Action.GIVE_UP:
            self.counts[f"menu {c} given up"] += 1

    def _cards(self, before: Any, actions: np.ndarray, after: Any, mover: np.ndarray, rows: np.ndarray) -> None:
        score = (actions >= Action.SCORE) & (actions < Action.NO_SCORE)
        cards = before.hand[rows, mover, np.where(score, actions - Action.SCORE, 0)]
        for c in np.unique(cards[score]):
            self.counts[f"menu {c} validated"] += 1
        masks = self.game.legal_actions(before)
        self.add(
            "validation declined", (actions == Action.NO_SCORE) & masks[:, Action.SCORE : Action.NO_SCORE].any(axis=1)
        )
        self.add(
            "nothing to validate, asked",
            (actions == Action.NO_SCORE) & ~masks[:, Action.SCORE : Action.NO_SCORE].any(axis=1),
        )
        self.add("choice of menus", masks[:, Action.SCORE : Action.NO_SCORE].sum(axis=1) > 1)
        discard = (actions >= Action.DISCARD) & (actions < Action.NO_DISCARD)
        for s in range(VALUES):
            self.add(f"discard of slot {s}", discard & (actions == Action.DISCARD + s))
        self.add("nothing discarded", actions == Action.NO_DISCARD)
        self.add(
            "a value may not be discarded",
            masks[:, Action.NO_DISCARD] & (masks[:, Action.DISCARD : Action.NO_DISCARD].sum(axis=1) < 3),
        )
        for v in range(VALUES):
            renewed = after.epochs[:, v] > before.epochs[:, v]
            self.add(f"deck {v} emptied", renewed & (after.deck_size[:, v] == 0))
            self.add(f"deck {v} reshuffled", renewed & (after.deck_size[:, v] > 0))
            self.add(f"another deck chosen: {v}", actions == Action.DRAW + v)
            given = (before.deck_size[:, v] == 0) & (after.deck_size[:, v] > 0)
            self.add("given-up menu becomes a deck", given & (before.seen != Seen.ON_PILE).all(axis=1))
        short = (before.hand[:, : self.rules.players] < 0).any(axis=2)
        left = score | discard
        mine = (after.hand[rows, mover] < 0).any(axis=1) & ~after.over
        self.add("hand stays short", left & mine & (after.player != mover))
        filled = short & (after.hand[:, : self.rules.players] >= 0).all(axis=2)
        self.add("short hand filled again", filled.any(axis=1) & ~left & (actions < Action.DRAW))

    def ends(self, final: Any) -> None:
        n = int(self.rules.players)
        points = final.points[:, :n]
        best = points.max(axis=1, keepdims=True)
        tied = (points == best).sum(axis=1) > 1
        shared = (final.place[:, :n] == 0).sum(axis=1) > 1
        self.add("shared victory", shared)
        self.add("tie broken by orders", tied & ~shared)
        self.add("last piece a toque", final.board[np.arange(len(final)), np.maximum(final.placed, 0)] == TOQUE)
        self.add("ended with unreachable spaces", final.free > 0)
        self.add("ended with a closed spot", (final.board == CLOSED).any(axis=1))
        for k in range(DISHES + 1):
            self.add(f"{k} different orders", ((final.collected[:, :n] > 0).sum(axis=2) == k).any(axis=1))


@pytest.fixture(scope="module")
def counts() -> Counter:
    total: Counter = Counter()
    variants = [{}, {"exhausted_order": "closed", "etiquette": 8}, *SPEC.variants[-2:]]
    for players in (2, 3, 4):
        for options in variants:
            tally = Tally(make_game("banquet_royal", players=players, **options))
            tally.ends(play_out(tally.game, GAMES, players, tally))
            total += tally.counts
    return total


EXPECTED = [
    *[f"place piece {k}" for k in range(PIECES)],
    *[f"piece on space {x}" for x in range(CELLS)],
    *[f"order of dish {d}" for d in range(DISHES)],
    *[f"menu {c} {what}" for c in range(MENUS) for what in ("validated", "given up")],
    *[f"discard of slot {s}" for s in range(VALUES)],
    *[f"deck {v} {what}" for v in range(VALUES) for what in ("emptied", "reshuffled")],
    *[f"another deck chosen: {v}" for v in range(VALUES)],
    *[f"{k} different orders" for k in range(DISHES + 1)],
    "correct call", "wrong call", "correct call of an exhausted dish", "wrong call of an exhausted dish",
    "exhausted order leaves the spot free", "exhausted order closes the spot", "order completes a menu",
    "penalty without a menu", "penalty of the only menu", "validation declined", "nothing to validate, asked",
    "choice of menus", "nothing discarded", "a value may not be discarded", "memorise",
    "shared victory", "tie broken by orders", "last piece a toque", "ended with a closed spot",
]  # fmt: skip


def test_random_play_reaches_every_rule(counts: Counter) -> None:
    missing = [name for name in EXPECTED if counts[name] == 0]
    assert not missing


def test_orders_lie_on_every_space_but_those_around_the_bouquet(counts: Counter) -> None:
    start = make_game("banquet_royal").rules[0].start
    assert [x for x in range(CELLS) if counts[f"order on space {x}"]] == [x for x in range(CELLS) if not start[x]]
