"""The STATE record of The Great Evening Banquet and the numbers of its actions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.core.types import Rules
from banquet_envs.games.great_evening_banquet.components import KINDS, MAX_VALUE, PHOTOS, SEATS, SPACES, TILES


class Phase(IntEnum):
    """What the seat to move decides. The first two are phases 2 and 3 of the rulebook, the others are phase 5."""

    CHOOSE_CARRIAGE = 0
    PLACE_GUEST = 1
    SALON_TAKE = 2
    SALON_GIVE = 3


class Action(IntEnum):
    """The first action number of each kind (`action_layout`)."""

    TAKE = 0
    REDRAW = 4
    SALON = 6
    GIVE = 10
    PLACE = 34


_h = np.int16
STATE = state_dtype(
    SEATS,
    [
        ("round_number", _h),  # 1 is the first
        ("final", _h),  # 1 in the final round
        ("card", _h),  # value of the Arrival Card beside the deck
        ("cards_left", _h, (MAX_VALUE + 1,)),  # face-down cards by value
        ("phase", _h),  # a Phase
        ("turn", _h),  # index into `order`
        ("order", _h, (SEATS,)),  # seats in turn order this round
        ("bag_size", _h),
        ("bag", _h, (KINDS,)),  # tokens in the bag by kind = (colour * 4 + type) * 2 + toast
        ("box", _h, (KINDS,)),  # tokens out of the game (Solo Mode)
        ("carriages", _h),  # carriages in use this round
        ("carriage", _h, (SEATS, MAX_VALUE)),  # kinds, ascending, -1 empty
        ("taken_by", _h, (SEATS,)),  # seat that took each carriage, -1 nobody
        ("taken", _h, (SEATS,)),  # carriage that each seat took, -1 none
        ("plan", _h, (SEATS, MAX_VALUE)),  # phase 3: space class of each token, not yet shown; -1 not yet placed
        ("planned", _h, (SEATS,)),
        ("chamber", _h, (SEATS, SPACES)),  # kinds, ascending within a space class, -1 empty
        ("letter", _h, (SEATS, TILES)),  # which VIP lies at own tile 0..5
        ("scored", _h, (SEATS, TILES)),  # 1 when flipped
        ("tile_points", _h, (SEATS, TILES)),
        ("photo_points", _h, (SEATS, PHOTOS)),
        ("salon", _h, (4,)),  # kinds, ascending
        ("salon_used", _h, (SEATS,)),
        ("salon_pick", _h),  # slot chosen in SALON_TAKE, -1 none
        ("arrival", _h, (SEATS,)),  # greater: the marker reached its space later and lies on top
        ("arrivals", _h),
        ("rank_key", _h, (SEATS,)),  # at the end: points, then flipped photo tiles
        ("redraws", _h),  # Solo Mode: used so far
    ],
)


def action_layout(rules: Rules) -> Layout:
    """The action numbers. They mean the same in every variant; Expert Rules only add places at the end."""
    layout = Layout(
        [
            Slice("take", (4,), "phase 2: take carriage 0-3 with its guests"),
            Slice("redraw", (2,), "Solo Mode: redraw all guests on carriage 0-1"),
            Slice("salon", (4,), "phase 5: choose the Grand Salon's guest 0-3"),
            Slice("give", (SPACES,), "phase 5: exchange it for the guest in own space 0-23"),
            Slice(
                "place",
                (int(rules.num_classes),),
                "phase 3: seat the next guest at own tile 0-5 (Expert Rules: in a free space of class 0-8)",
            ),
        ]
    )
    assert [part.start for part in layout] == list(Action)
    return layout
