"""`python -m tests.games.great_evening_banquet.strict SEED TRIES STEP`, as plain Python (NUMBA_DISABLE_JIT=1).

Records that no play reaches and that pass the game's check go through all rules with arrays that refuse every index outside
them, negative ones too: those read the last entry, in both modes, and no bounds check sees them. Prints how many were tried
and passed.

The game's invariants are so narrow that next to no blind damage passes them. So most records are made on purpose: all tokens
dealt anew, other points, marker orders, letters and placements, only then damaged. STEP 5 takes every fifth configuration.
"""

import sys

import numpy as np

from banquet_envs.core import soundness
from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.games.great_evening_banquet.components import KINDS
from banquet_envs.games.great_evening_banquet.scoring import best_tile
from banquet_envs.testing.outside import Damage
from banquet_envs.testing.play import configurations, walk
from tests.games.great_evening_banquet.build import NAME
from tests.games.watched import Record, Strict


def exercise(g, states, rng, moves):
    """All rules on one record, and some random moves from it."""
    spec, rules = g.spec, Record(g.rules[0])
    states = records.copy(states)
    for _ in range(moves):
        state = Record(states[0])
        for seat in range(g.num_players):
            spec.observe(state, rules, seat, np.zeros(g.observation_size, np.float32).view(Strict))
            spec.determinize(Record(records.copy(states)[0]), rules, seat)
        mask = np.zeros(g.num_actions, np.bool_).view(Strict)
        if state.over:
            return
        spec.legal_actions(state, rules, mask)
        legal = np.flatnonzero(mask)
        assert len(legal), "no legal action"
        spec.apply(state, rules, int(rng.choice(legal)))


# ---------------------------------------------------------------- records that play does not reach


def deal_anew(rules, s, rng):
    """Every token somewhere else: as many in each place as before."""
    held = (s.salon, s.carriage, s.chamber)
    stock = [kind for kinds in (s.bag, s.box) for kind in np.repeat(np.arange(KINDS), kinds)]
    tokens = rng.permutation([*stock, *(k for where in held for k in where.ravel() if k >= 0)])
    boxed, at = int(s.box.sum()), int(s.bag.sum() + s.box.sum())
    s.box[:] = np.bincount(tokens[:boxed], minlength=KINDS)
    s.bag[:] = np.bincount(tokens[boxed:at], minlength=KINDS)
    lists = [s.salon, *s.carriage]
    for seat in range(rules.players):
        start = rules.class_start[seat]
        lists += [s.chamber[seat, start[c] : start[c + 1]] for c in range(rules.num_classes)]
    for where in lists:
        count = int((where >= 0).sum())
        where[:count] = np.sort(tokens[at : at + count])
        at += count


def score_anew(rules, s, rng):
    """Other points for the scored tiles, none or the most among them; markers and the salon's visits as they follow."""
    n = int(rules.players)
    worth = rng.choice([0, best_tile(rules), 5, 3], size=s.tile_points.shape)
    s.tile_points[:] = np.where(s.scored == 1, worth, 0)
    s.points[:] = s.tile_points.sum(axis=1) + s.photo_points.sum(axis=1)
    paid = (s.tile_points[:n] > 0).sum(axis=1)
    s.arrivals = n + paid.sum()
    first, later = list(rng.permutation(np.arange(1, n + 1))), list(rng.permutation(np.arange(n + 1, s.arrivals + 1)))
    last = max((seat for seat in range(n) if paid[seat]), default=-1)
    for seat in range(n):
        s.arrival[seat] = later.pop() if paid[seat] else first.pop()
    if last >= 0:
        s.arrival[last] = s.arrivals
    place = {int(s.order[k]): k for k in range(n)}
    for seat in range(n):
        waits = s.phase >= 2 and place[seat] >= s.turn
        s.salon_used[seat] = s.tile_points[seat].sum() >= rules.salon_trigger and not waits
    if s.final and s.phase == 0:
        s.order[:n] = sorted(range(n), key=lambda seat: (s.points[seat], -s.arrival[seat]))
        s.player = s.order[s.turn]


def place_anew(rules, s, rng):
    """Other letters (Random VIP placement), other placements of the running phase 3, another number of redraws."""
    if rules.random_vip:
        letters = rng.permutation(6)
        for seat in range(rules.players):
            s.letter[seat] = letters[rules.position[seat]]
    for seat in range(rules.players):
        count = int(s.planned[seat])
        start = rules.class_start[seat]
        open_classes = [c for c in range(rules.num_classes) for k in s.chamber[seat, start[c] : start[c + 1]] if k < 0]
        s.plan[seat, :count] = rng.permutation(open_classes)[:count]


def positions(g, seed, games):
    """Positions of play, ends included."""
    found = []
    for k in range(games):
        for states, _, _ in walk(g, seed + k):
            found.append(records.rows(states).copy())
        found.append(records.rows(states).copy())
    return np.concatenate(found).reshape(-1).view(g.spec.state).view(np.recarray)


def unreachable(g, seed, tries):
    """(tried, records that pass the check) among positions of play that were dealt, scored and placed anew."""
    rng, rules = np.random.default_rng(seed), g.rules[0]
    played = positions(g, seed, 1 + tries // 50)
    damage = Damage(g, played, rng)
    states = records.take(played, rng.integers(len(played), size=tries))
    for k, record in enumerate(states):
        if not record.over:
            deal_anew(rules, record, rng)
            score_anew(rules, record, rng)
            place_anew(rules, record, rng)
        if k % 4 == 3:
            damage.some(states[k : k + 1])
    wrong = soundness.faults(g, states)
    return len(states), records.take(states, [k for k in range(len(states)) if k not in wrong])


def main(seed, tries, step):
    assert not JIT, "compiled rules cannot be watched: set NUMBA_DISABLE_JIT=1"
    rng = np.random.default_rng(seed)
    tried = passed = 0
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        for k, configuration in enumerate(configurations(NAME)[::step]):
            g = configuration.make()
            done, found = unreachable(g, seed + k, tries)
            tried, passed = tried + done, passed + len(found)
            for row in range(len(found)):
                exercise(g, records.take(found, [row]), rng, moves=6)
    print(tried, passed)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
