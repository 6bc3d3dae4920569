"""Positions built by hand: tokens in words, chambers by VIP letter."""

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.core.compile import JIT
from banquet_envs.games.great_evening_banquet.components import COLOUR_NAMES, LETTERS, TYPE_NAMES
from banquet_envs.games.great_evening_banquet.state import Action, Phase
from banquet_envs.testing import configurations

NAME = "great_evening_banquet"
SHORT = {"G": "gentleman", "L": "lady", "SG": "senior_gentleman", "SL": "senior_lady"}


ONE_OF_EACH = configurations(NAME)[::5]
"""Every player count with another variant."""

EVERY = configurations(NAME) if JIT else ONE_OF_EACH
"""Every configuration; in plain Python, which is slow, one of each."""

compiled_only = pytest.mark.skipif(not JIT, reason="thousands of games, or plain Python already")


def token(words):
    """ "brown SL*" -> kind; the star is a toast."""
    colour, guest = words.rstrip("*").split()
    return (COLOUR_NAMES.index(colour) * 4 + TYPE_NAMES.index(SHORT[guest])) * 2 + words.endswith("*")


def seated(game, *, chambers, hands=None, order=None, points=None, round_number=2, salon=None):
    """One game in phase 3, everybody about to place `hands` (per seat), the first of `order` to move.

    `chambers`: per seat a dict letter -> tokens in words, default placement. Scored tiles: all full ones.
    """
    states = game.reset(1, 0)
    s = states[0]
    n = game.num_players
    order = list(range(n)) if order is None else order
    hands = [["blue G"]] * n if hands is None else hands
    s.round_number, s.phase, s.turn, s.player = round_number, Phase.PLACE_GUEST, 0, order[0]
    s.order[:n], s.card, s.carriages = order, len(hands[0]), max(n, 1)
    s.carriage[:], s.taken_by[:], s.taken[:], s.plan[:], s.planned[:] = -1, -1, -1, -1, 0
    s.chamber[:] = -1
    for seat in range(n):
        s.carriage[seat, : len(hands[seat])] = sorted(token(w) for w in hands[seat])
        s.taken_by[seat] = s.taken[seat] = seat
        for letter, words in chambers[seat].items():
            t = LETTERS.index(letter)
            spaces = game.rules[0].tile_space[seat, t]
            s.chamber[seat, spaces[: len(words)]] = sorted(token(w) for w in words)
            s.scored[seat, t] = len(words) == 4
    if points is not None:
        s.points[:n] = points
    if salon is not None:
        s.salon[:] = sorted(token(w) for w in salon)
    return states


def place(letter):
    """The action "seat the next guest at this VIP" (standard rules, default placement)."""
    return Action.PLACE + LETTERS.index(letter)


def take_from_salon(states, words):
    return Action.SALON + list(states[0].salon).index(token(words))


def give(game, states, letter, words):
    spaces = game.rules[0].tile_space[states[0].player, LETTERS.index(letter)]
    kinds = [int(states[0].chamber[states[0].player, k]) for k in spaces]
    return Action.GIVE + int(spaces[kinds.index(token(words))])


def play(game, states, *actions):
    for action in actions:
        game.step(states, [action])


def game(players, **options):
    return make_game(NAME, players, **options)


def chi_square(counts, expected):
    """Pearson's statistic; tests compare it with a quantile that a fair sample passes 99.99 times of 100."""
    counts, expected = np.asarray(counts, float), np.asarray(expected, float)
    return float(((counts - expected) ** 2 / expected).sum())
