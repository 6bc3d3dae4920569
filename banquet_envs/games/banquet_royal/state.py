"""The STATE record of Banquet Royal and the numbers of its actions."""

from __future__ import annotations

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, MENUS, PIECES, SEATS, VALUES

# What the seat to move decides. The first two belong to the setup, the others are the steps of a turn.
COVER, MEMORISE, TAKE, GIVE_UP, SCORE, DISCARD, DRAW = range(7)
PHASES = 7

EMPTY = -1  # a space without a piece; a hand slot without a card
CLOSED = 5  # a spot that stays empty for good (option exhausted_order="closed")
UNSEEN_TOKEN = 4  # a face-down order whose dish has not been drawn yet (while orders are being placed)
HIDDEN, ON_PILE, VALIDATED = 0, 1, 2  # where a card is: deck or hand; discard pile; VALIDATED + seat

_h = np.int16
STATE = state_dtype(
    SEATS,
    [
        ("ruled_out", np.int64, (SEATS, HAND)),  # cards, one bit each, that everybody knows a slot not to hold
        ("phase", _h),
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
        ("seen", _h, (MENUS,)),  # HIDDEN, ON_PILE, VALIDATED + seat
        ("epoch", _h, (MENUS,)),  # how often the card's deck had been reshuffled when it last went into it
        ("epochs", _h, (VALUES,)),
        ("placed", _h),  # space of the dish or toque played this turn, -1 none
        ("scored", _h),  # 1 when a menu has been validated this turn
        ("rank_key", _h, (SEATS,)),  # at the end: points, then collected orders
    ],
)

PLACE = 0
ANNOUNCE = PLACE + CELLS * PIECES
SCORE_SLOT = ANNOUNCE + CELLS * DISHES
NO_SCORE = SCORE_SLOT + HAND
DISCARD_SLOT = NO_SCORE + 1
NO_DISCARD = DISCARD_SLOT + HAND
DRAW_FROM = NO_DISCARD + 1
GIVE_UP_MENU = DRAW_FROM + VALUES
SEEN_ORDERS = GIVE_UP_MENU + MENUS
COVER_SPACE = SEEN_ORDERS + 1


def action_layout(rules: np.record) -> Layout:
    """The action numbers; they mean the same in every variant and on every board of 36 spaces."""
    return Layout(
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
