"""What is found out by timing at the start of a run, and values that run from one to another along it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import torch

GAIN = 1.15
"""A second thread, or bfloat16, must gain so much to be chosen: what is measured on a quiet machine falls when it gets busy."""


class Annealed:
    """A value that runs linearly from `first` to `last` as `done`, set from outside, goes from 0 to `until`."""

    def __init__(self, first: float, last: float, until: float = 1.0) -> None:
        self.first, self.last, self.until, self.done = first, last, until, 0.0

    def __call__(self, progress_remaining: float = 1.0) -> float:
        """The value now; SB3's own measure of progress, which knows no time limit, is not used."""
        way = min(1.0, self.done / self.until) if self.until > 0 else 1.0
        return self.first + (self.last - self.first) * way


@dataclass
class Precision:
    """Whether the network's products are computed in bfloat16. Weights, softmax, losses and Adam stay float32."""

    bfloat16: bool = False

    def context(self) -> AbstractContextManager[Any]:
        """Compute within this."""
        return torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16)

    @property
    def name(self) -> str:
        """float32 or bfloat16."""
        return "bfloat16" if self.bfloat16 else "float32"


def speed(work: Callable[[], Any], seconds: float = 0.25) -> float:
    """Repetitions of `work` per second."""
    work()
    start, repeats = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        work()
        repeats += 1
    return repeats / (time.perf_counter() - start)


def measured_threads(work: Callable[[], Any], candidates: Iterable[int], seconds: float = 0.25) -> dict[int, float]:
    """Repetitions of `work` per second with each number of torch threads; leaves the best set."""
    speeds: dict[int, float] = {}
    for count in candidates:
        torch.set_num_threads(count)
        speeds[count] = speed(work, seconds)
    best = max(speeds, key=lambda count: speeds[count] / (1.0 if count == 1 else GAIN))
    torch.set_num_threads(best)
    return speeds


def measured_precision(work: Callable[[], Any], precision: Precision, seconds: float = 0.25) -> dict[str, float]:
    """Repetitions of `work` per second in either precision; leaves the better one set."""
    speeds: dict[str, float] = {}
    for bfloat16 in (False, True):
        precision.bfloat16 = bfloat16
        speeds[precision.name] = speed(work, seconds)
    precision.bfloat16 = speeds["bfloat16"] > GAIN * speeds["float32"]
    return speeds
