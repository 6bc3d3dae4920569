"""The part of the conformance suite that mutants must pass: short random games, with what holds at every move of them.

`tests.mutants` hands this file to pytest; the game is named by the environment.
"""

import os

import pytest

from banquet_envs import game_spec
from banquet_envs.testing import information, rules
from banquet_envs.testing.play import Configuration

GAME = os.environ["BANQUET_MUTANT"]
SPEC = game_spec(GAME)
FEW = max(2, SPEC.min_players)
CONFIGURATIONS = [
    Configuration(GAME, FEW, dict(SPEC.variants[0])),
    Configuration(GAME, min(FEW + 1, SPEC.max_players), dict(SPEC.variants[-1])),
]
both = pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)


@both
def test_random_games(configuration):
    rules.check_random_games(configuration.make(), 2)


@both
@pytest.mark.parametrize(("seed", "last"), [(1, 40), (2, 150), (3, None)])
def test_every_record_is_sound(configuration, seed, last):
    rules.check_records_are_sound(configuration.make(), seed, last)


@both
@pytest.mark.parametrize(("games", "last"), [(4, 12), (8, 60), (8, None)])
def test_what_is_known_is_kept(configuration, games, last):
    information.check_determinize_keeps_what_is_known(configuration.make(), games, 4, last)


@both
@pytest.mark.parametrize("last", [40, 150])
def test_what_is_forced_is_not_asked(configuration, last):
    rules.check_forced_decisions_are_not_asked(configuration.make(), 5, last)
