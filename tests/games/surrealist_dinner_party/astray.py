"""A process of its own, as plain Python: records that pass the check are played with arrays that refuse negative indices.

`python -m tests.games.surrealist_dinner_party.astray SEED TRIES FILE...`: FILEs are components, `-` is the shipped box.
The general fuzzer (banquet_envs/testing/outside.py) damages records anyhow; this one knows the game: most of its damage is
done to running effects, and what then asks, and whom, is looked for until the record fits again.
"""

from __future__ import annotations

import itertools
import sys

import numpy as np

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.games.surrealist_dinner_party import hidden, observation, rules
from banquet_envs.games.surrealist_dinner_party import state as st
from banquet_envs.testing.outside import Damage
from tests.games.watched import Record, Strict

from .play import busy_walk
from .table import NAME, fault

MODES = ("normal", "advanced", "faux_pas", "draft")


def play_carefully(game, states, rng, moves):
    """All rules on one record, and on what some random moves make of it."""
    box, one = Record(game.rules[0], ("card",)), states[0]  # the last card is the blank one, on purpose
    for _ in range(moves):
        for p in range(game.num_players):
            observation.observe(Record(one), box, p, np.zeros(game.observation_size, np.float32).view(Strict))
        view = records.copy(states)
        hidden.determinize(Record(view[0]), box, int(rng.integers(game.num_players)))
        if one.over:
            return
        mask = np.zeros(game.num_actions, bool).view(Strict)
        rules.legal_actions(Record(one), box, mask)
        legal = np.flatnonzero(mask)
        assert len(legal), "no legal action"
        rules.apply(Record(one), box, int(rng.choice(legal)))


def damage_table(game, s, rng):
    """A token laid or taken away; the platter, a stash, turns, marks or waiting guests changed."""
    n = game.num_players
    what = int(rng.integers(6))
    if what <= 1:
        seated = [int(g) for row in s.row[:n] for g in row if g >= 0]
        for g in seated[: 1 + 5 * what]:
            a = int(rng.integers(game.rules[0].guests[g].appetites))
            s.token[g, a] = rng.integers(-1, 5)
    elif what == 2:
        s.platter[rng.integers(5)] += rng.integers(-1, 2)
        s.last_taker = -1 if s.platter.any() else rng.integers(n)
    elif what == 3:
        p = int(rng.integers(n))
        s.stash[p, rng.integers(5)] += rng.integers(-1, 3)
        s.points[p] = s.stash[p].sum() * game.rules[0].token_points + s.faux_pas_points[p]
    elif what == 4:
        p, more = int(rng.integers(n)), rng.integers(1, 60)
        s.turn += more
        s.turns[p] += more
    else:
        s.plate_done ^= 1 << int(rng.integers(game.rules[0].num_guests))
        s.waiting[rng.integers(max(1, s.events))] ^= 1 << int(rng.integers(game.rules[0].num_guests))


def damage_effects(s, played, rng):
    """An entry of a running effect anew, an effect as some other position has it, or one more or less."""
    f = int(rng.integers(max(1, s.depth)))
    what = rng.random()
    if what < 0.1:
        other = played[int(rng.integers(len(played)))]
        s.frame[f] = other.frame[int(rng.integers(max(1, other.depth)))]
    elif what < 0.2:
        s.depth = max(0, s.depth + rng.integers(-1, 2))
        s.frame[s.depth :] = 0
    elif what < 0.3:
        s.step = rng.integers(8)
    else:
        c = int(rng.integers(1, st.COLUMNS))
        s.frame[f, c] = s.frame[f, c] + rng.integers(-2, 3) if rng.random() < 0.6 else rng.integers(-1, 30)


def fitted(game, states):
    """The record with a question and a seat that fit what runs, if there are any; its fault."""
    s = states[0]
    was = (int(s.phase), int(s.player))
    for s.phase, s.player in [was, *itertools.product(range(st.Phase.MAIN, len(st.Phase)), range(game.num_players))]:
        found = fault(game.rules[0], s)
        if not found:
            break
    return found


def fuzz(game, seed, tries):
    """How many damaged records passed the check; each was played on."""
    rng = np.random.default_rng(seed)
    played = busy_walk(game, 3, seed)
    damage, pool, passed = (
        Damage(game, played, rng),
        [records.take(played, np.array([k])) for k in range(len(played))],
        0,
    )
    for _ in range(tries):
        one = records.copy(pool[int(rng.integers(len(pool)))])
        before = records.raw(one).tobytes()
        how = rng.random()
        if how < 0.1:
            damage.some(one)
        elif how < 0.4:
            damage_table(game, one[0], rng)
        else:
            damage_effects(one[0], played, rng)
        found = fitted(game, one) if how > 0.4 else fault(game.rules[0], one[0])
        if found or records.raw(one).tobytes() == before:
            continue
        passed += 1
        pool[int(rng.integers(len(pool)))] = records.copy(one)
        trail = records.raw(one).tobytes().hex()
        try:
            play_carefully(game, one, rng, 6)
        except Exception as error:
            raise AssertionError(f"{game.options} {seed}: {trail}") from error
    return passed


def main(seed, tries, *files):
    assert not JIT
    for k, file in enumerate(files):
        players, mode = 2 + (k + seed) % 3, MODES[(k + seed) % 4]
        more = {} if file == "-" else {"components": file}
        game = make_game(NAME, players, mode=mode, swap_places=("owner", "swapper")[k % 2], **more)
        print(file, game.options, fuzz(game, seed + k, tries), "of", tries)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
