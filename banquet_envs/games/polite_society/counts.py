"""Several small counts in one integer: what a hand is asked to hold, by asset; groups of guests, by how many they lack."""

from __future__ import annotations

from banquet_envs.core.compile import rule

BITS = 5  # a count: costs, ratios and the number of groups are below 32
MOST = (1 << BITS) - 1


@rule
def packed(k: int, count: int) -> int:
    """`count` in place `k`, 0 in all others; such integers add up place by place."""
    return int(count) << (BITS * k)


@rule
def count_at(counts: int, k: int) -> int:
    """The count in place `k`."""
    return (counts >> (BITS * k)) & MOST
