"""The STATE record of Banquet Royal and the numbers of its actions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.core.types import Rules
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, MENUS, PIECES, SEATS, VALUES


class Phase(IntEnum):
    """What the seat to move decides. The first two belong to the setup, the others are the steps of a turn."""

    COVER = 0
    MEMORISE = 1
    TAKE = 2
    GIVE_UP = 3
    SCORE = 4
    DISCARD = 5
    DRAW = 6


class Action(IntEnum):
    """The first action number of each kind (`action_layout`)."""

    PLACE = 0
    ANNOUNCE = 180
    SCORE = 324
    NO_SCORE = 327
    DISCARD = 328
    NO_DISCARD = 331
    DRAW = 332
    GIVE_UP = 335
    MEMORISE = 371
    COVER = 372


class Seen(IntEnum):
    """Where a menu is, as everybody sees."""

    HIDDEN = 0  # in its deck or a hand
    ON_PILE = 1
    VALIDATED = 2  # and more: VALIDATED + seat


EMPTY = -1  # a space without a piece; a hand slot without a card
CLOSED = 5  # a spot that stays empty for good (option exhausted_order="closed")
UNSEEN_TOKEN = 4  # a face-down order whose dish has not been drawn yet (while orders are being placed)

_h = np.int16
STATE = state_dtype(
    SEATS,
    [
        ("ruled_out", np.int64, (SEATS, HAND)),  # cards, one bit each, that everybody knows a slot not to hold
        ("phase", _h),  # a Phase
        ("first", _h),  # the first player
        ("step", _h),  # setup: orders placed; then seats that have memorised
        ("board", _h, (CELLS,)),  # EMPTY, dish 0-3, TOQUE, CLOSED
        ("owner", _h, (CELLS,)),  # seat of the toque there, -1 none
        ("order", _h, (CELLS,)),  # dish under the cloche there, -1 no cloche
        ("reach", _h, (CELLS,)),  # 1 where a dish or toque lies on a neighbour
        ("free", _h),  # spaces still to be filled
        ("kitchen", _h, (DISHES,)),
        ("toques", _h, (SEATS,)),
        ("tokens", _h, (DISHES,)),  # Royal Orders that are not on the board and never were
        ("lost", _h, (DISHES,)),  # Royal Orders that somebody called wrongly
        ("collected", _h, (SEATS, DISHES)),
        ("deck", _h, (VALUES, MENUS)),  # cards by value, the top one last, -1 behind it
        ("deck_size", _h, (VALUES,)),
        ("hand", _h, (SEATS, HAND)),
        ("slot_value", _h, (SEATS, HAND)),  # 0-2: the value of the slot's card, or of the card that left it last
        ("seen", _h, (MENUS,)),  # a Seen, VALIDATED + seat
        ("epoch", _h, (MENUS,)),  # how often the card's deck had been reshuffled when it last went into it
        ("epochs", _h, (VALUES,)),
        ("placed", _h),  # space of the dish or toque played this turn, -1 none
        ("scored", _h),  # 1 when a menu has been validated this turn
        ("rank_key", _h, (SEATS,)),  # at the end: points, then collected orders
    ],
)


def action_layout(rules: Rules) -> Layout:
    """The action numbers; they mean the same in every variant and on every board of 36 spaces."""
    layout = Layout(
        [
            Slice(
                "place", (CELLS, PIECES), "step 1: put salad, fruit salad, pudding, burger or own toque on the space"
            ),
            Slice("announce", (CELLS, DISHES), "step 1: announce the Royal Order on the space as that dish"),
            Slice("score", (HAND,), "step 2: validate the menu in hand slot 0-2"),
            Slice("no_score", (1,), "step 2: validate nothing"),
            Slice("discard", (HAND,), "step 3: discard the menu in hand slot 0-2"),
            Slice("no_discard", (1,), "step 3: discard nothing"),
            Slice("draw", (VALUES,), "step 4, own value exhausted: draw from the deck of 1, 2 or 3 points"),
            Slice("give_up", (MENUS,), "Hell's Kitchen: discard the validated menu with this number"),
            Slice("memorise", (1,), "opening: the Royal Orders have been looked at"),
            Slice("cover", (CELLS,), "Proper Dining Etiquette: put a face-down Royal Order on the space"),
        ]
    )
    assert [part.start for part in layout] == list(Action)
    return layout
