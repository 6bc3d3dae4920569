"""What all games share; names no game. From here a game of one's own takes what its rules are made of (docs/add_a_game.md)."""

from banquet_envs.core.compile import JIT, rule
from banquet_envs.core.game import Buffers, Game
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.random import random_below, random_set, random_unit, shuffle
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.seats import relative, seat_after
from banquet_envs.core.spec import Entries, Facts, GameSpec, Option, rules_dtype
from banquet_envs.core.state import empty, state_dtype
from banquet_envs.core.table import Table
from banquet_envs.core.types import Cells, Features, Mask, Rules, State

__all__ = [
    "JIT",
    "Buffers",
    "Cells",
    "Entries",
    "Facts",
    "Features",
    "Game",
    "GameSpec",
    "Layout",
    "Mask",
    "Option",
    "Rules",
    "Slice",
    "State",
    "Table",
    "empty",
    "random_below",
    "random_set",
    "random_unit",
    "rank_by",
    "relative",
    "rule",
    "rules_dtype",
    "seat_after",
    "shuffle",
    "state_dtype",
]
