"""Named slices of the observation vector and of the action numbers: what feature 312 is, what action 17 means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

BOUND = 2.0
"""Every feature lies in [-BOUND, BOUND]: the bounds of the observation spaces."""


@dataclass(frozen=True)
class Slice:
    """A named run of consecutive features or actions.

    Attributes:
        name: unique within the layout.
        shape: how the run reads as an array, C order.
        text: what it holds, with scale.
        public: for features: True when every seat could work it out, False when only the observing seat may know it.
        start: the first index; filled in by `Layout`.
    """

    name: str
    shape: tuple[int, ...]
    text: str
    public: bool = True
    start: int = 0

    @property
    def size(self) -> int:
        """How many entries the run has."""
        return math.prod(self.shape)

    @property
    def stop(self) -> int:
        """One past the last index."""
        return self.start + self.size


class Layout(Sequence[Slice]):
    """Slices laid one after another from index 0, without gap or overlap.

    Args:
        slices: the slices in order; their `start` is ignored and set here.
    """

    def __init__(self, slices: Sequence[Slice]) -> None:
        placed, at = [], 0
        for s in slices:
            placed.append(Slice(s.name, s.shape, s.text, s.public, at))
            at += s.size
        self._slices = tuple(placed)
        self._by_name = {s.name: s for s in placed}
        assert len(self._by_name) == len(placed), "two slices share a name"
        self.size = at

    def __getitem__(self, key: int | str) -> Slice:  # type: ignore[override]
        return self._by_name[key] if isinstance(key, str) else self._slices[key]

    def __len__(self) -> int:
        return len(self._slices)

    def __iter__(self) -> Iterator[Slice]:
        return iter(self._slices)

    def __contains__(self, key: object) -> bool:
        return key in self._by_name or key in self._slices

    def split(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """Views of a vector (or of a batch, last axis) by slice name, each in its slice's shape."""
        lead = vector.shape[:-1]
        return {s.name: vector[..., s.start : s.stop].reshape(*lead, *s.shape) for s in self._slices}

    def find(self, index: int) -> tuple[Slice, tuple[int, ...]]:
        """The slice that holds `index`, and the position within its shape.

        Raises:
            IndexError: `index` lies outside the layout.
        """
        for s in self._slices:
            if s.start <= index < s.stop:
                return s, tuple(int(k) for k in np.unravel_index(index - s.start, s.shape))
        raise IndexError(f"index {index} outside 0..{self.size - 1}")

    def private_mask(self) -> np.ndarray:
        """Bool (size,): True where only the observing seat may know the feature."""
        return np.concatenate([np.full(s.size, not s.public) for s in self._slices] or [np.zeros(0, bool)])

    def markdown(self, kind: str = "feature") -> str:
        """The table for a game's README; `kind` is "feature" or "action"."""
        head, rule = ["from", "to", "name", "shape"], ["---:", "---:", "---", "---"]
        if kind == "feature":
            head, rule = [*head, "who"], [*rule, "---"]
        lines = ["| " + " | ".join([*head, "what"]) + " |", "| " + " | ".join([*rule, "---"]) + " |"]
        for s in self._slices:
            shape = "×".join(str(k) for k in s.shape)
            cells = [str(s.start), str(s.stop - 1), f"`{s.name}`", shape]
            if kind == "feature":
                cells.append("public" if s.public else "private")
            lines.append("| " + " | ".join([*cells, s.text]) + " |")
        return "\n".join(lines)
