"""Means with 95 % intervals over independent deals."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

_Z = 1.959963984540054


class Estimate(NamedTuple):
    """A mean with the bounds of its 95 % interval; the bounds are nan where no interval can be given."""

    mean: float
    low: float
    high: float

    def text(self, percent: bool = False) -> str:
        """`12.3 [11.0, 13.6]`, in per cent if asked."""
        scale, digits = (100.0, 1) if percent else (1.0, 2)
        if math.isnan(self.low):
            return f"{self.mean * scale:.{digits}f} [no interval]"
        return f"{self.mean * scale:.{digits}f} [{self.low * scale:.{digits}f}, {self.high * scale:.{digits}f}]"


def t_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t (Cornish-Fisher expansion; exact for 1 and 2 degrees of freedom)."""
    if freedom == 1:
        return 12.706204736174698
    if freedom == 2:
        return 4.302652729749464
    z, v = _Z, float(freedom)
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def estimate(values: np.ndarray, share: bool = False, refuse: bool = False) -> Estimate:
    """The mean of independent values, nan left out, with Student's interval.

    Args:
        values: one value per deal.
        share: values lie in [0, 1]: the interval is clipped to it, and where all are 0 (or all 1) it is the exact
            binomial one, since an observed variance of zero says nothing.
        refuse: give no interval.
    """
    values = np.asarray(values, np.float64)
    values = values[~np.isnan(values)]
    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    mean = float(values.mean())
    if n < 2 or refuse:
        return Estimate(mean, math.nan, math.nan)
    if share and np.all(values == 0.0):
        return Estimate(mean, 0.0, 1.0 - 0.025 ** (1.0 / n))
    if share and np.all(values == 1.0):
        return Estimate(mean, 0.025 ** (1.0 / n), 1.0)
    half = t_quantile(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    if share:
        return Estimate(mean, max(0.0, mean - half), min(1.0, mean + half))
    return Estimate(mean, mean - half, mean + half)
