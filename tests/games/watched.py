"""Records whose arrays refuse every index outside them, negative ones too: those read the last entry in both modes, and no bounds
check sees them. For fuzzers that play records which the game's check has passed, as plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Strict(np.ndarray):
    """An array without negative indices and without slices that are cut off."""

    def _refuse(self, at: Any) -> None:
        for one, length in zip(at if isinstance(at, tuple) else (at,), self.shape, strict=False):
            if isinstance(one, slice):
                inside = 0 <= (one.start or 0) <= (length if one.stop is None else one.stop) <= length
            else:
                inside = 0 <= one < length
            if not inside:
                raise IndexError(f"index {one} outside an array of {length}")

    def __getitem__(self, at: Any) -> Any:
        self._refuse(at)
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        self._refuse(at)
        super().__setitem__(at, value)


class Record:
    """A record whose arrays are strict, except for the fields named in `but`."""

    def __init__(self, record: Any, but: tuple[str, ...] = ()) -> None:
        object.__setattr__(self, "_record", record)
        object.__setattr__(self, "_but", but)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._record, name)
        return value.view(Strict) if isinstance(value, np.ndarray) and name not in self._but else value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)
