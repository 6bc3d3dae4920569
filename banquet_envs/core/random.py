"""The random stream inside a record: SplitMix64, a counter-based generator (Steele, Lea and Flood, OOPSLA 2014).

A game's course depends only on its own stream: never on batch size, neighbours, threads or platform. This is the only
file that works with uint64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_envs.core.compile import rule, wrapping

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_FULL = 2**64 - 1
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)


@wrapping
def mix(word: Any) -> Any:
    """The SplitMix64 finaliser of `word + golden ratio`: a bijection of 64-bit words."""
    z = np.uint64(word) + _GOLDEN
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@wrapping
def _advance(state: Any) -> Any:
    state.rng = state.rng + _GOLDEN
    z = state.rng
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@wrapping
def seed_stream(state: Any, seed: Any) -> None:
    """Begin the record's stream at the word `seed`."""
    state.seed = np.uint64(seed)
    state.rng = mix(np.uint64(seed))


@wrapping
def next_seed(seed: Any) -> Any:
    """The seed word of the game that follows, in the same row, a game with this seed."""
    return mix(np.uint64(seed) ^ _MIX1)


def next_seeds(words: np.ndarray) -> np.ndarray:
    """`next_seed` of every word of a uint64 array; for callers in NumPy."""
    return mixed(words ^ _MIX1)


def mixed_int(word: int) -> int:
    """`mix` of one word as a Python int; for callers that handle a single game, where an array costs more than the sum."""
    z = (word + 0x9E3779B97F4A7C15) & _FULL
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _FULL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _FULL
    return z ^ (z >> 31)


@wrapping
def sample_seed(seed: Any) -> Any:
    """The seed word of a sample that is drawn with the word `seed`: another than that of a game set up with it.

    Else whoever uses one seed for everything would have the very deal sampled that is hidden.
    """
    return mix(np.uint64(seed) ^ _MIX2)


def mixed(words: np.ndarray) -> np.ndarray:
    """`mix` of every word of a uint64 array; for callers in NumPy."""
    z = words + _GOLDEN
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@rule
def random_below(state: Any, n: Any) -> Any:
    """A uniform integer in [0, n) from the record's stream, n < 2**31; multiply-shift, no division.

    The bias is below n / 2**32.
    """
    word = _advance(state)
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)


@rule
def random_unit(state: Any) -> Any:
    """A uniform float64 in [0, 1) with 53 random bits, from the record's stream."""
    return float(_advance(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@rule
def shuffle(state: Any, items: Any, n: Any) -> None:
    """Shuffle the first `n` entries of a one-dimensional array, in place (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = random_below(state, i + 1)
        held = items[i]
        items[i] = items[j]
        items[j] = held


@rule
def random_set(state: Any, mask: Any) -> Any:
    """The index of a uniformly chosen True entry of `mask`, or -1 when there is none."""
    count = 0
    for i in range(mask.shape[0]):
        if mask[i]:
            count += 1
    if count == 0:
        return -1
    pick = random_below(state, count)
    for i in range(mask.shape[0]):
        if mask[i]:
            if pick == 0:
                return i
            pick -= 1
    return -1
