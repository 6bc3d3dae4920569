"""The STATE record of Dinner Party and the numbers of its actions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.core.types import Rules
from banquet_envs.games.dinner_party.components import BAR_CHOICES, DICE, DRINKS, GUESTS, PER_BACK, SEATS, STACKS, TABLE


class Where(IntEnum):
    """Where a guest is that sits at no Table; 0-5 is at that seat's."""

    LOBBY = 6
    UNSEEN = 7
    GONE = 8


class Phase(IntEnum):
    """What the seat to move decides (the first ten), and steps that nobody decides."""

    CHOOSE = 0
    ROLL = 1
    REROLL = 2
    PLACE = 3
    GIFT = 4
    MOVE_HITLER = 5
    MAY = 6
    RESEAT = 7
    BAR = 8
    HOST = 9
    ENTERTAIN = 10
    INVITE = 11
    RESULT = 12
    SEAT = 13
    REFILL = 14
    END_TURN = 15


DECISIONS = 10  # phases in which a seat decides


class End(IntEnum):
    """An end of a Table."""

    LEFT = 0
    RIGHT = 1


class Action(IntEnum):
    """The first action number of each kind (`action_layout`); those from BY_GUEST on depend on the guests in the box."""

    KEEP = 0
    PUT = 8
    FAIL = 26
    GIVE_TO = 27
    HITLER_TO = 32
    DO = 42
    LEAVE = 43
    TAKE = 44
    DONE = 49
    BY_GUEST = 50  # numbered by guest, 0 being Hitler: charm, invite, reseat (two ends), host (two Drinks)


PUTS = 2 * DRINKS**2  # ways to seat a guest: end, Drink on it, gift
KEEP_ALL = (1 << DICE) - 1

_h = np.int16
STATE = state_dtype(
    SEATS,
    [
        ("rank_key", np.int32, (SEATS,)),  # at the end: points, then total Demand
        ("round_number", _h),  # 1 is the first
        ("turns", _h),  # turns finished in this round
        ("active", _h),  # whose turn it is
        ("phase", _h),  # a Phase
        ("ending", _h),  # 1 once enough stacks are empty: no charming, this round is the last
        ("envelopes", _h, (SEATS,)),
        ("stash", _h, (SEATS, DRINKS)),  # by sort of Drink; column 0 stays 0
        ("table", _h, (SEATS, TABLE)),  # guests from left to right, -1 empty
        ("seated", _h, (SEATS,)),  # how many
        ("where", _h, (GUESTS,)),  # a seat, or a Where
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
        ("need", _h, (2,)),  # what the dice must show without Drinks, at each End (equal when entertaining)
        ("worth", _h, (DRINKS,)),  # what each sort of Drink adds for the roller
        ("icon_worth", _h),  # what a Drink icon counts for the roller
        # the invitation going on
        ("invited", _h),  # 1: an invitation was rolled for this turn
        ("failed", _h),  # 1: and failed
        ("spot", _h),  # an End
        ("treat", _h),
        ("gift", _h),
        ("receiver", _h),
        ("moves", _h),  # guests that may still be reseated
    ],
)


def action_layout(rules: Rules) -> Layout:
    """The action numbers; how many there are depends on the number of guests in the box and on nothing else."""
    n = int(rules.num_guests)
    layout = Layout(
        [
            Slice("keep", (1 << DICE,), "after a roll: keep these dice (bit set, dice ascending), roll the others; 7 stops"),
            Slice("put", (2, DRINKS, DRINKS), "let the invitation succeed: end left/right, own Drink none/Water/Wine on the guest,"
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
    assert [part.start for part in layout][: len(Action)] == list(Action)
    return layout
