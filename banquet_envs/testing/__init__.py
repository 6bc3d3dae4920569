"""The conformance suite: run it on any registered game, also one of your own.

    from banquet_envs.testing import check_game
    check_game("my_game")

or `python -m banquet_envs.testing my_module:my_game`. Every check is a function `check_*(game, ...)` that raises AssertionError
with a message that says what went wrong where; `CHECKS` lists them. `banquet_envs.testing.planted` is a small game with
faults, each of which a check must see.
"""

from banquet_envs.testing.play import Configuration, configurations, random_actions
from banquet_envs.testing.suite import CHECKS, OVERALL_CHECKS, PER_GAME_CHECKS, check_game

__all__ = [
    "CHECKS",
    "OVERALL_CHECKS",
    "PER_GAME_CHECKS",
    "Configuration",
    "check_game",
    "configurations",
    "random_actions",
]
