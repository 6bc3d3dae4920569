"""Countdown with declarations that are too wide, for tests that the fuzzer finds what they let through."""

import os
from dataclasses import replace

from banquet_envs import register_game
from banquet_envs.core.compile import rule
from tests.core import countdown
from tests.core.countdown import SPEC


@rule
def legal_actions(state, rules, mask):
    """Reads `key` at `last`: outside it where `last` is not a seat."""
    for k in range(3):
        mask[k] = k < state.pile and state.key[state.last] >= 0


def wide(rules):
    return {**countdown.bounds(rules), "last": (0, 9)}


def describe(rules, state, player):
    if state.last > 1:
        os.abort()
    return "all is well"


register_game(replace(SPEC, name="index_astray", legal_actions=legal_actions, bounds=wide), replace=True)
register_game(replace(SPEC, name="process_astray", describe=describe, bounds=wide), replace=True)
