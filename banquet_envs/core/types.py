"""Names for what rules are handed, so that a signature says what it takes.

At run time they are NumPy records and arrays, or their compiled likes, whose fields only the game's own dtype knows: to a type
checker they are `Any`. Whole numbers are `int`, flags `bool`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

State: TypeAlias = Any
"""One game in progress, a record of the game's STATE dtype; rules change it in place."""

Rules: TypeAlias = Any
"""What stays fixed during a game, a record of the game's RULES dtype; never changed."""

Mask: TypeAlias = Any
"""bool (A,): which actions are legal."""

Features: TypeAlias = Any
"""float32 (W,): an observation, or a part of it."""

Cells: TypeAlias = Any
"""int16 or int32 (n,): a list of small numbers in a record, such as a row of seats or a hand."""
