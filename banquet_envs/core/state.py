"""State records: the fields that every game shares, and copying them as bytes.

A state record is one element of a NumPy structured array without padding, so that equal games have equal bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["Field", "copy", "empty", "packed", "put", "raw", "rows", "state_dtype", "take"]

Field = tuple[Any, ...]
"""A NumPy field description: `(name, dtype)` or `(name, dtype, shape)`."""


def packed(fields: Sequence[Field]) -> np.dtype:
    """A record dtype without padding.

    Args:
        fields: NumPy field descriptions, `(name, dtype)` or `(name, dtype, shape)`.

    Returns:
        A dtype whose items are `np.record`, so `record.field` works in compiled and in plain Python.

    Raises:
        AssertionError: the fields are not ordered so that each lies at a multiple of its own size, or a name is an
            attribute of every NumPy record (`round`, `take`, ...), which would hide the field in plain Python.
    """
    dtype = np.dtype((np.record, list(fields)))
    end = 0
    for name in dtype.names or ():
        item, offset = dtype.fields[name][0], dtype.fields[name][1]  # type: ignore[index]
        assert not hasattr(np.record, name), f"field name {name!r} is taken by NumPy"
        assert offset == end, f"padding before field {name!r}"
        base = item.base
        size = base.alignment if base.names is None else 2
        assert offset % size == 0, f"field {name!r} at byte {offset} is not aligned to {size}: order fields by size"
        end = offset + item.itemsize
    assert end == dtype.itemsize, "padding at the end"
    return dtype


def state_dtype(max_players: int, fields: Sequence[Field]) -> np.dtype:
    """The dtype of a game's state record: the shared fields, then the game's own, then a pad to 8 bytes.

    Args:
        max_players: the largest number of seats; the length of `points` and `place`.
        fields: the game's own fields, larger item sizes first, int16 or int32 or bool.

    Returns:
        A packed record dtype (see `packed`) that begins with

        * `rng` uint64: the random stream (core/random.py);
        * `seed` uint64: the seed word this game was set up from;
        * `ply` int32: decisions taken so far;
        * `player` int16: the seat to decide;
        * `over` bool, `capped` bool: ended; ended by an engine guard and not by the rules;
        * `points` int16 (max_players,);
        * `place` int16 (max_players,): final rank, 0 is best, ties share; -1 before the end.
    """
    shared: list[Field] = [
        ("rng", np.uint64),
        ("seed", np.uint64),
        ("ply", np.int32),
        ("player", np.int16),
        ("over", np.bool_),
        ("capped", np.bool_),
        ("points", np.int16, (max_players,)),
        ("place", np.int16, (max_players,)),
    ]
    own = [*shared, *fields]
    size = np.dtype((np.record, own)).itemsize
    return packed([*own, ("_pad", np.int16, (4 - size % 8 // 2,))])


def raw(states: np.ndarray) -> np.ndarray:
    """The bytes of `states` as a uint8 array of shape (n * itemsize,), sharing memory."""
    return np.ndarray.view(states, np.ndarray).view(np.uint8)  # `states.view` of a recarray is six times slower


def rows(states: np.ndarray) -> np.ndarray:
    """The bytes of `states` as a uint8 array of shape (n, itemsize), sharing memory."""
    return raw(states).reshape(len(states), states.dtype.itemsize)


def empty(n: int, dtype: np.dtype) -> np.recarray:
    """`n` zeroed records."""
    return np.zeros(n * dtype.itemsize, np.uint8).view(dtype).view(np.recarray)


def copy(states: np.ndarray) -> np.recarray:
    """A copy of the records, made as bytes (NumPy copies structured arrays field by field, 40 times slower)."""
    return raw(states).copy().view(states.dtype).view(np.recarray)


def take(states: np.ndarray, index: np.ndarray) -> np.recarray:
    """The records at `index` (integers or a bool mask) as a new array."""
    picked = rows(states)[index]
    return picked.reshape(-1).view(states.dtype).view(np.recarray)


def put(states: np.ndarray, index: np.ndarray, values: np.ndarray) -> None:
    """Write the records `values` over those at `index`, in place."""
    rows(states)[index] = rows(values)
