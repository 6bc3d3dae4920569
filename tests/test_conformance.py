"""Every registered game, in every configuration, through the shipped conformance suite.

The default run takes the first and the last variant (nothing and everything switched on) at the fewest and the most players, and the
first at every other count; the long run takes all the rest. In other processes the default run plays every variant at one player count.
"""

import pytest

from banquet_envs import game_spec
from banquet_envs.testing import CHECKS, OVERALL_CHECKS, PER_GAME_CHECKS, configurations
from banquet_envs.testing.suite import check_bounds
from tests.shipped import SHIPPED


def is_quick(configuration):
    spec = game_spec(configuration.game)
    edge = configuration.players in (spec.min_players, spec.max_players)
    quick = (spec.variants[0], spec.variants[-1]) if edge else (spec.variants[0],)
    return any(configuration.options == dict(v) for v in quick)


ALL = [
    pytest.param(c, id=str(c), marks=() if is_quick(c) else pytest.mark.long)
    for game in SHIPPED
    for c in configurations(game)
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("configuration", ALL)
def test_conformance(configuration, check):
    check(configuration.make())


@pytest.mark.parametrize("check", OVERALL_CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("game", SHIPPED)
def test_over_all_configurations(game, check):
    check(game)


@pytest.mark.parametrize("check", [c for c in PER_GAME_CHECKS if c is not check_bounds], ids=lambda c: c.__name__)
@pytest.mark.parametrize("game", SHIPPED)
def test_other_processes_in_brief(game, check):
    check(game, brief=True)


@pytest.mark.long
@pytest.mark.parametrize("check", PER_GAME_CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("game", SHIPPED)
def test_other_processes(game, check):
    check(game)


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_games_declare_bounds_and_invariants(game):
    spec = game_spec(game)
    assert spec.bounds is not None
    assert spec.invariants is not None
