"""Seats in turn order, around a table of `rules.players`."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules


@rule
def seat_after(rules: Rules, seat: int, k: int) -> int:
    """The seat `k` places on in turn order, 0 <= k <= players."""
    on = seat + k
    return on - rules.players if on >= rules.players else on


@rule
def relative(rules: Rules, player: int, seat: int) -> int:
    """The seat's number as `player` counts: 0 is itself, then in turn order."""
    return seat - player if seat >= player else seat - player + rules.players
