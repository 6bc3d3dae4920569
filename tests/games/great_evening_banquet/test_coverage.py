"""Long random runs reach every branch of the rules: what happened is counted."""

from collections import Counter

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.games.great_evening_banquet.state import Action
from banquet_envs.testing import random_actions
from tests.games.great_evening_banquet.build import compiled_only, game

pytestmark = compiled_only


def happenings(g, n, seed):
    """What happened, counted over `n` random games."""
    found = Counter()
    rng = np.random.default_rng(seed)
    states = g.reset(n, seed)
    players = g.num_players
    buffers = g.buffers(n)
    buffers.mask[:] = g.legal_actions(states)
    rows = np.arange(n)
    while len(rows):
        actions = random_actions(buffers.mask, rng)
        for name, low, high in (("take", 0, Action.REDRAW), ("redraw", Action.REDRAW, Action.SALON), ("salon", Action.SALON, Action.GIVE),
                                ("give", Action.GIVE, Action.PLACE), ("place", Action.PLACE, 999)):  # fmt: skip
            found[name] += int(((actions[rows] >= low) & (actions[rows] < high)).sum())
        before = records.copy(states)
        g.advance(states, actions, buffers, rows=rows, restart=False)
        found["salon in the final round"] += int(
            ((actions[rows] >= Action.GIVE) & (actions[rows] < Action.PLACE) & (before.final[rows] == 1)).sum()
        )
        began = rows[(states.final[rows] == 1) & (before.final[rows] == 0)]
        for r in began:
            points = list(states.points[r, :players])
            found["tie at the reveal"] += len(set(points)) < players
            found[f"final round with {states.carriages[r]} carriages"] += 1
        both = states.scored[rows].sum(axis=(1, 2)) - before.scored[rows].sum(axis=(1, 2))
        found["two tiles completed at once"] += int((both >= 2).sum())
        rows = np.flatnonzero(~states.over)
    found["shared victory"] += int(((states.place[:, :players] == 0).sum(axis=1) > 1).sum())
    best = states.points[:, :players].max(axis=1, keepdims=True)
    tied = (states.points[:, :players] == best).sum(axis=1) > 1
    found["tie broken by photos"] += int((tied & ((states.place[:, :players] == 0).sum(axis=1) == 1)).sum())
    found["salon never used"] += int((states.salon_used[:, :players] == 0).sum())
    for j in range(5):
        found[f"photo {j + 1} scored"] += int((states.photo_points[:, :players, j] > 0).sum())
        found[f"photo {j + 1} empty"] += int((states.photo_points[:, :players, j] == 0).sum())
    for points in range(10):
        found[f"tile of {points}"] += int((states.tile_points[:, :players] == points).sum())
    if players == 1:
        for k in range(3):
            found[f"{k} redraws"] += int((states.redraws == k).sum())
    return found


@pytest.mark.parametrize("expert", [False, True])
def test_every_rule_happens_with_several_players(expert):
    found = happenings(game(3, expert=expert), 2000, 5)
    del found["redraw"], found["final round with 3 carriages"]
    assert not [name for name, count in found.items() if count == 0], found


@pytest.mark.parametrize("expert", [False, True])
def test_every_rule_happens_alone(expert):
    found = happenings(game(1, expert=expert), 4000, 6)
    for name in ("tie at the reveal", "shared victory", "tie broken by photos"):
        del found[name]
    assert found["final round with 2 carriages"] > 0
    # Random play seldom has 20 points before the last round; the built position in test_rulings covers it too.
    assert not [name for name, count in found.items() if count == 0], found


def test_ruling_18_ties_at_the_reveal_are_as_frequent_as_simulated():
    # The notes' bots: 6-7 % (2 players), about 19 % (3), 35-38 % (4). Random scores lie closer together: only the order
    # of magnitude and the growth with players can be compared.
    shares = [happenings(game(n), 1500, 7)["tie at the reveal"] / 1500 for n in (2, 3, 4)]
    assert 0.03 < shares[0] < shares[1] < shares[2] < 0.7
