"""The STATE record of Dinner Party and the numbers of its actions."""

from __future__ import annotations

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.games.dinner_party.components import BAR_CHOICES, DICE, GUESTS, PER_BACK, SEATS, STACKS, TABLE

# Where a guest is: 0-5 at that seat's Table, or
LOBBY, UNSEEN, GONE = 6, 7, 8

# What the seat to move decides (the first ten), and steps that nobody decides.
CHOOSE, ROLL, REROLL, PLACE, GIFT, MOVE_HITLER, MAY, RESEAT, BAR, HOST = range(10)
ENTERTAIN, INVITE, RESULT, SEAT, REFILL, END_TURN = range(10, 16)
DECISIONS = 10

LEFT, RIGHT = 0, 1
KEEP_ALL = (1 << DICE) - 1

_h = np.int16
STATE = state_dtype(
    SEATS,
    [
        ("rank_key", np.int32, (SEATS,)),  # at the end: points, then total Demand
        ("round_number", _h),  # 1 is the first
        ("turns", _h),  # turns finished in this round
        ("active", _h),  # whose turn it is
        ("phase", _h),
        ("ending", _h),  # 1 once enough stacks are empty: no charming, this round is the last
        ("envelopes", _h, (SEATS,)),
        ("stash", _h, (SEATS, 3)),  # by sort of Drink; column 0 stays 0
        ("table", _h, (SEATS, TABLE)),  # guests from left to right, -1 empty
        ("seated", _h, (SEATS,)),  # how many
        ("where", _h, (GUESTS,)),
        ("drink", _h, (GUESTS,)),  # the Drink on each guest
        ("charmed", _h, (GUESTS,)),  # 1: charmed this turn
        # stacks: the last card of `hidden` is the top; the lowest unseen - height cards stayed in the box
        ("hidden", _h, (STACKS, PER_BACK)),
        ("unseen", _h, (STACKS,)),
        ("height", _h, (STACKS,)),
        ("face_up", _h, (STACKS,)),
        # the roll going on
        ("target", _h),  # the guest to be entertained or invited, -1 none
        ("entertaining", _h),
        ("attempts", _h),  # entertaining: attempts still to succeed, this one included
        ("dice", _h, (DICE,)),  # ascending; 0 is a Drink icon, -1 not rolled
        ("rolls_left", _h),
        ("window", _h),  # after the last roll: the roller's guest from which on abilities are still to be used
        (
            "need",
            _h,
            (2,),
        ),  # what the dice must show without Drinks, at the left and right end (equal when entertaining)
        ("worth", _h, (3,)),  # what each sort of Drink adds for the roller
        ("icon_worth", _h),  # what a Drink icon counts for the roller
        # the invitation going on
        ("invited", _h),  # 1: an invitation was rolled for this turn
        ("failed", _h),  # 1: and failed
        ("spot", _h),
        ("treat", _h),
        ("gift", _h),
        ("receiver", _h),
        ("moves", _h),  # guests that may still be reseated
    ],
)

KEEP = 0
PUT = KEEP + (1 << DICE)
FAIL = PUT + 18
GIVE_TO = FAIL + 1
HITLER_TO = GIVE_TO + SEATS - 1
DO = HITLER_TO + 2 * (SEATS - 1)
LEAVE = DO + 1
TAKE = LEAVE + 1
DONE = TAKE + BAR_CHOICES + 1
BY_GUEST = DONE + 1
"""From here on actions are numbered by guest, 0 being Hitler: charm, invite, reseat, host."""


def action_layout(rules: np.record) -> Layout:
    """The action numbers; how many there are depends on the number of guests in the box and on nothing else."""
    n = int(rules.num_guests)
    return Layout(
        [
            Slice("keep", (1 << DICE,), "after a roll: keep these dice (bit set, dice ascending), roll the others; 7 stops"),
            Slice("put", (2, 3, 3), "let the invitation succeed: end left/right, own Drink none/Water/Wine on the guest,"
                  " gift none/Water/Wine to an opponent"),
            Slice("fail", (1,), "let the invitation fail"),
            Slice("give_to", (SEATS - 1,), "the gift goes to the 1st-5th seat to the left"),
            Slice("hitler_to", (SEATS - 1, 2), "put Hitler at the left/right end of the Table of the 1st-5th seat to the left"),
            Slice("do", (1,), "use an optional arrival ability"),
            Slice("leave", (1,), "do not use it (any further)"),
            Slice("take", (BAR_CHOICES + 1,), "Bar: nothing, or the 1st-4th alternative"),
            Slice("done", (1,), "Host: end the turn"),
            Slice("charm", (n,), "charm guest 0-: pay, its owner must entertain it"),
            Slice("invite", (n,), "invite guest 0- from the Lobby"),
            Slice("reseat", (n, 2), "move own guest 0- to the left/right end"),
            Slice("host", (n, 2), "Host: Water/Wine on own guest 0-"),
        ]
    )  # fmt: skip
