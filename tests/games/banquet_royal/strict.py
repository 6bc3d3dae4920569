"""`python -m tests.games.banquet_royal.strict SEED TRIES STEP`, as plain Python (NUMBA_DISABLE_JIT=1).

Records that no play reaches and that pass the game's check go through all rules with arrays that refuse every index outside
them, negative ones too: those read the last entry, in both modes, and no bounds check sees them. Prints how many were tried
and passed.

Blind damage seldom passes the invariants. So most records are made on purpose: pieces, cards, their ages and what is known
about them anew, only then damaged. STEP 5 takes every fifth configuration.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from banquet_envs.core import soundness
from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, TOQUE, VALUES
from banquet_envs.games.banquet_royal.state import EMPTY, Phase, Seen
from banquet_envs.testing.outside import Damage
from banquet_envs.testing.play import configurations, walk
from tests.games.watched import Record, Strict

NAME = "banquet_royal"


def exercise(game: Any, states: np.recarray, rng: np.random.Generator, moves: int) -> None:
    """All rules on one record, and some random moves from it."""
    spec, rules = game.spec, Record(game.rules[0])
    states = records.copy(states)
    state = Record(states[0])
    for _ in range(moves):
        for seat in range(game.num_players):
            spec.observe(state, rules, seat, np.zeros(game.observation_size, np.float32).view(Strict))
            spec.determinize(Record(records.copy(states)[0]), rules, seat)
        if state.over:
            return
        mask = np.zeros(game.num_actions, np.bool_).view(Strict)
        spec.legal_actions(state, rules, mask)
        legal = np.flatnonzero(mask)
        if not len(legal):
            return  # far from play somebody may be left without a move, which harms nobody
        spec.apply(state, rules, int(rng.choice(legal)))


# ---------------------------------------------------------------- records that play does not reach


def lay_anew(rules: Any, s: Any, rng: np.random.Generator) -> None:
    """The same pieces on other spaces, dishes exchanged for others where the kitchen allows; cloches stay."""
    at = np.flatnonzero(s.order < 0)
    at = at[at != s.placed]
    order = rng.permutation(len(at))
    s.board[at], s.owner[at] = s.board[at][order], s.owner[at][order]
    for x in rng.permutation(CELLS)[: rng.integers(0, 20)]:
        dish = int(rng.integers(DISHES))
        if 0 <= s.board[x] < TOQUE and s.kitchen[dish] > 0:
            s.kitchen[s.board[x]] += 1
            s.kitchen[dish] -= 1
            s.board[x] = dish
    laid = (s.board >= 0) & (s.board <= TOQUE)
    s.reach[:] = [laid[rules.near[x, : rules.degree[x]]].any() for x in range(CELLS)]


def hide_anew(rules: Any, s: Any, rng: np.random.Generator) -> None:
    """Other orders under the cloches."""
    covered = np.flatnonzero((s.order >= 0) & (s.phase != Phase.COVER))
    tokens = rng.permutation([*np.repeat(np.arange(DISHES), s.tokens), *s.order[covered]]).astype(int)
    s.order[covered] = tokens[: len(covered)]
    s.tokens[:] = np.bincount(tokens[len(covered) :], minlength=DISHES) if s.phase != Phase.COVER else s.tokens


def exchange(rules: Any, s: Any, rng: np.random.Generator) -> None:
    """Some hand cards go into their decks, cards of another value come from theirs."""
    for _ in range(rng.integers(0, 6)):
        seat, slot = int(rng.integers(rules.players)), int(rng.integers(HAND))
        card, v = int(s.hand[seat, slot]), int(rng.integers(VALUES))
        old = int(s.slot_value[seat, slot])
        if card >= 0 and s.deck_size[v] > 1 and v != old and s.deck_size[old] > 0:
            s.deck_size[v] -= 1
            s.hand[seat, slot], s.slot_value[seat, slot] = s.deck[v, s.deck_size[v]], v
            s.deck[v, s.deck_size[v]] = EMPTY
            s.deck[old, s.deck_size[old]] = card
            s.deck_size[old] += 1


def age_anew(rules: Any, s: Any, rng: np.random.Generator) -> None:
    """Other times at which cards came into their decks, and other facts about hands."""
    for v in range(VALUES):
        s.epochs[v] += rng.integers(0, 3)
    for c in range(int(rules.menus)):
        v = int(rules.value[c]) - 1
        s.epoch[c] = s.epochs[v] if c in s.deck[v] else rng.integers(0, s.epochs[v] + (s.deck_size[v] > 0))
    s.ruled_out[:] = 0
    if rules.forced:
        for seat in range(int(rules.players)):
            for slot in range(HAND):
                card, bits = int(s.hand[seat, slot]), rng.integers(0, 2, 36) & rng.integers(0, 2, 36)
                if card >= 0:
                    s.ruled_out[seat, slot] = sum(1 << c for c in range(int(rules.menus)) if bits[c] and c != card)


def move_on(rules: Any, s: Any, rng: np.random.Generator) -> None:
    """Another seat's turn."""
    if s.phase == Phase.TAKE:
        s.player = rng.integers(rules.players)
        s.first = rng.integers(rules.players)


def to_piles(rules: Any, s: Any, rng: np.random.Generator) -> None:
    """Some cards from the decks lie on the piles."""
    for v in range(VALUES):
        for _ in range(rng.integers(0, 4)):
            if s.deck_size[v] > 1:
                s.deck_size[v] -= 1
                s.seen[s.deck[v, s.deck_size[v]]] = Seen.ON_PILE
                s.deck[v, s.deck_size[v]] = EMPTY


def one_game(game: Any, seed: int) -> np.recarray:
    """Every second position of a random game."""
    seen = [records.rows(records.copy(states)) for k, (states, _, _) in enumerate(walk(game, seed)) if k % 2 == 0]
    return np.concatenate(seen).reshape(-1).view(game.spec.state).view(np.recarray)


def unreachable(game: Any, seed: int, tries: int) -> tuple[int, np.recarray]:
    """(tried, records that pass the check) among positions of play that were laid, dealt and aged anew."""
    rng, rules = np.random.default_rng(seed), game.rules[0]
    played = one_game(game, seed)
    damage = Damage(game, played, rng)
    states = records.take(played, rng.integers(len(played), size=tries))
    for k, record in enumerate(states):
        if not record.over:
            lay_anew(rules, record, rng)
            hide_anew(rules, record, rng)
            if not (record.seen[: rules.menus] == Seen.HIDDEN).all():
                exchange(rules, record, rng)
                to_piles(rules, record, rng)
            age_anew(rules, record, rng)
            move_on(rules, record, rng)
        if k % 3 == 2:
            damage.some(states[k : k + 1])
    wrong = soundness.faults(game, states)
    return len(states), records.take(states, [k for k in range(len(states)) if k not in wrong])


def main(seed: int, tries: int, step: int) -> None:
    """Every `step`-th configuration."""
    assert not JIT, "compiled rules cannot be watched: set NUMBA_DISABLE_JIT=1"
    rng = np.random.default_rng(seed)
    tried = passed = 0
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        for k, configuration in enumerate(configurations(NAME)[seed % step :: step]):
            game = configuration.make()
            done, found = unreachable(game, seed + k, tries)
            tried, passed = tried + done, passed + len(found)
            for row in range(len(found)):
                exercise(game, records.take(found, [row]), rng, moves=6)
    print(tried, passed)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
