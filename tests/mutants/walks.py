"""The part of the conformance suite that mutants must pass: short random games, with what holds at every move of them.

`tests.mutants` hands this file to pytest; the game is named by the environment.
"""

import os

import pytest

from banquet_envs import game_spec
from banquet_envs.testing import rules
from banquet_envs.testing.play import Configuration

GAME = os.environ["BANQUET_MUTANT"]
SPEC = game_spec(GAME)
FEW = max(2, SPEC.min_players)
CONFIGURATIONS = [
    Configuration(GAME, FEW, dict(SPEC.variants[0])),
    Configuration(GAME, min(FEW + 1, SPEC.max_players), dict(SPEC.variants[-1])),
]


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_random_games(configuration):
    rules.check_random_games(configuration.make(), 2)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_pieces(configuration):
    rules.check_pieces_are_conserved(configuration.make())
