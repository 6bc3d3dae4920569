"""What callers hand to batch calls, checked in one place: kinds, lengths and ranges, before any kernel sees them.

Nothing is rounded or cut to fit. Every refusal is an OptionError of one line that names the argument.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from banquet_envs.core.errors import ActionTypeError, OptionError

_WORD = 2**64


def whole(value: Any, what: str, low: int = 0, high: int | None = None) -> int:
    """A whole number within bounds (`high` inclusive); texts, floats, booleans and arrays are none.

    Raises:
        OptionError: something else; the message begins with `what`.
    """
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        span = f"{low} or more" if high is None else f"{low} to {high}"
        raise OptionError(f"{what}={shown(value)} is not allowed; it must be a whole number, {span}")
    return number


def spawn_seeds(n: int, seed: Any) -> np.ndarray:
    """uint64 (n,) seed words: spawned from one seed, or one from each of n seeds as if each were a batch of one.

    Raises:
        OptionError: a negative seed, not a whole number, or a list of another length.
    """
    listed = isinstance(seed, Sequence) and not isinstance(seed, str | bytes | bytearray)
    if listed or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != n:
            raise OptionError(f"seed: expected a whole number or {n} of them, found {len(seed)}")
        return np.concatenate([np.zeros(0, np.uint64), *(spawn_seeds(1, whole(s, "seed")) for s in seed)])
    entropy = None if seed is None else whole(seed, "seed")
    return np.random.SeedSequence(entropy).generate_state(n, np.uint64)


def words_of(words: Any, n: int) -> np.ndarray:
    """uint64 (n,), C-contiguous: one seed word for each of n games."""
    given = _whole_numbers(words, (n,), "words")
    if given.dtype.kind == "i" and n and np.minimum.reduce(given) < 0:
        raise OptionError(f"words: expected numbers from 0 to {_WORD - 1}, found {np.minimum.reduce(given)}")
    return np.ascontiguousarray(given, np.uint64)


def seats_of(seats: Any, n: int, players: int, least: int = 0) -> np.ndarray:
    """int64 (n,), C-contiguous: a seat for each of n games, from one for all or from n of them."""
    given = array_of(seats, "seats")
    if given.ndim == 0:
        return np.full(n, whole(seats, "seats", least, players - 1), np.int64)
    return _within(_whole_numbers(given, (n,), "seats"), least, players, "seats")


def rows_of(rows: Any, n: int) -> np.ndarray:
    """int64 (k,), C-contiguous: numbers of different games among n."""
    given = array_of(rows, "rows")
    given = _within(_whole_numbers(given, (given.size,), "rows"), 0, n, "rows")
    ascending = len(given) < 2 or np.logical_and.reduce(given[1:] > given[:-1])
    if not ascending and len(np.unique(given)) != len(given):
        raise OptionError("rows: a game is named twice")
    return given


def whole_actions(who: str, actions: Any, n: int) -> np.ndarray:
    """One whole number for each of n games, in whatever integer type they came, legal or not.

    Raises:
        ActionTypeError: anything else; the message begins with `who`.
    """
    try:
        given = np.asarray(actions)
    except (ValueError, TypeError) as error:  # lists of unequal lists
        raise ActionTypeError(f"{who}: actions: expected whole numbers, found {shown(actions)}") from error
    if given.shape != (n,) or (given.dtype.kind not in "iu" and given.size):
        raise ActionTypeError(
            f"{who}: expected {n} whole numbers as actions, found shape {given.shape} of {given.dtype}"
        )
    return given


def actions_of(actions: Any, n: int, num_actions: int) -> np.ndarray:
    """int64 (n,), C-contiguous: numbers of actions, legal or not."""
    return _within(_whole_numbers(actions, (n,), "actions"), 0, num_actions, "actions")


def buffer_of(out: Any, shape: tuple[int, ...], dtype: Any, what: str = "out") -> np.ndarray:
    """An array that a kernel can write to: of this shape and dtype, C-contiguous and writable; a new one for None."""
    if out is None:
        return np.empty(shape, dtype)
    fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == dtype
    if not fits or not out.flags.c_contiguous or not out.flags.writeable:
        raise OptionError(f"{what} must be a writable C-contiguous {np.dtype(dtype)} array of {shape}")
    return out


def array_of(given: Any, what: str) -> np.ndarray:
    """`np.asarray`, which raises ValueErrors of its own for lists of unequal lists."""
    if isinstance(given, np.ndarray):
        return given
    try:
        return np.asarray(given)
    except (ValueError, TypeError) as error:
        raise OptionError(f"{what}: expected whole numbers, found {shown(given)}") from error


def shown(value: Any) -> str:
    """`repr`, cut where it would fill the screen."""
    text = repr(value)
    return text if len(text) <= 80 else text[:80] + "..."


def _whole_numbers(given: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    given = array_of(given, what)
    if given.shape != shape or (given.dtype.kind not in "iu" and given.size):
        size = " x ".join(map(str, shape))
        raise OptionError(f"{what}: expected {size} whole numbers, found shape {given.shape} of {given.dtype}")
    return given


def _within(given: np.ndarray, low: int, stop: int, what: str) -> np.ndarray:
    """int64, C-contiguous, all in low..stop-1."""
    if given.size:
        least, most = np.minimum.reduce(given), np.maximum.reduce(given)
        if least < low or most >= stop:
            raise OptionError(f"{what}: {least if least < low else most} is outside {low}..{stop - 1}")
    return np.ascontiguousarray(given, np.int64)
