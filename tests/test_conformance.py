"""Every registered game, in every configuration, through the shipped conformance suite."""

import pytest

from banquet_envs import list_games
from banquet_envs.testing import CHECKS, PER_GAME_CHECKS, configurations

ALL = [c for game in list_games() for c in configurations(game)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("configuration", ALL, ids=str)
def test_conformance(configuration, check):
    check(configuration.make())


@pytest.mark.parametrize("check", PER_GAME_CHECKS[:2], ids=lambda c: c.__name__)
@pytest.mark.parametrize("game", list_games())
def test_other_processes(game, check):
    check(game)


@pytest.mark.long
@pytest.mark.parametrize("game", list_games())
def test_bounds_checks(game):
    PER_GAME_CHECKS[2](game)
