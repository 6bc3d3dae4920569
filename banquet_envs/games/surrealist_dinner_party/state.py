"""The STATE record of Surrealist Dinner Party, its running effects, and the numbers of its actions."""

from __future__ import annotations

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.games.surrealist_dinner_party.components import (
    COLOURS,
    HAND,
    KINDS,
    MAX_APPETITES,
    MAX_FAUX_PAS,
    MAX_GUESTS,
    PLAYERS,
    SEATS,
)

# The guard: a game that lasts longer is ended.
TURN_CAP = 400

# Stages of the game.
DRAFTING, CHOOSING_FAUX_PAS, PLAYING, LAST_DEPARTURES, LAST_DOORS, FINISHED = range(6)

# Steps of a turn while nothing else is running.
TURN_BEGINS, TURN_CHOICE, AFTER_FIRST_HALF, HALF_CHOICE, AFTER_PLATE, PLATE_CHOICE, TURN_ENDS, NEXT_TURN = range(8)

# What the seat to move decides. (NumPy integers: a function is compiled once for all of them, not once for each.)
(
    DRAFT_PICK, FAUX_PAS_KEEP, MAIN, SECOND_HALF, PLATE_NEXT, WHETHER, WHICH_KIND, WHICH_GUEST, WHICH_TOKEN, WHERE,
    WHO_LEAVES, WHICH_DOOR,
) = (np.int64(k) for k in range(12))  # fmt: skip
PHASES = 12

# Where a guest is.
HIDDEN, SEATED, GONE = range(3)

# Running effects lie on a stack; the one on top goes on until it needs an answer, starts another one, or is done.
DEPTH = 30
F_TOKEN, F_SERVE, F_SOCIAL, F_EVENTS, F_ASK, F_EFFECT, F_HOME = (np.int64(k) for k in range(7))
# The columns of an effect. The letters' meaning is told where each effect is run.
(C_KIND, C_STEP, C_USER, C_GUEST, C_SILENT, C_LEFT, C_RIGHT, C_TOKEN, C_N, C_I, C_A, C_B, C_X, C_Y, C_V) = range(15)
COLUMNS = C_V + 3

# Tokens handed out by one effect, at most: as many as there are appetites on one side of the table.
EVENTS = SEATS * MAX_APPETITES

_h = np.int16
STATE = state_dtype(
    PLAYERS,
    [
        ("plate_done", np.int64),  # guests whose plate ability has been used in the running action, as bits
        ("left_last", np.int64),  # guests that left in the last departures
        ("left_content", np.int64),  # those of them that were perfectly content
        ("waiting", np.int64, (EVENTS,)),  # by event: guests whose ability it sets off and that have not come up yet
        ("stage", _h),
        ("step", _h),
        ("phase", _h),
        ("answer", _h),
        # the deal and the draft: the first `draft_round` cards of a pack have been taken, in this order
        ("draft_round", _h),
        ("pack", _h, (PLAYERS, HAND)),
        ("pick", _h, (PLAYERS,)),  # index among the cards left in the own pack, hidden until all have picked; -1
        ("hand", _h, (PLAYERS, HAND)),  # ascending; -1 where a card has been played or not yet been picked
        ("hand_size", _h, (PLAYERS,)),
        ("faux_pas_dealt", _h, (PLAYERS, 2)),  # -1 in modes without them
        ("faux_pas_choice", _h, (PLAYERS,)),  # 0 not yet chosen, 1 the first, 2 the second, 3 both
        ("faux_pas_open", _h, (MAX_FAUX_PAS,)),  # 1 face up, 2 scored
        ("faux_pas_by", _h, (MAX_FAUX_PAS,)),  # players that scored it, as bits
        ("faux_pas_points", _h, (PLAYERS,)),
        # the table
        ("active", _h),  # whose turn it is
        ("turn", _h),  # turns begun so far
        ("turns", _h, (PLAYERS,)),
        ("first_half", _h),  # in action 1: 1 a guest has been seated, 2 one has been sent home
        ("course", _h),
        ("platter", _h, (KINDS,)),
        ("last_taker", _h),  # who emptied the platter, -1 while it is not empty
        ("plate_used", _h, (PLAYERS,)),
        ("row", _h, (PLAYERS, SEATS)),  # from left to right as their host sees them
        ("seated", _h, (PLAYERS,)),
        ("where", _h, (MAX_GUESTS,)),
        ("owner", _h, (MAX_GUESTS,)),  # whose guest it is or was, -1 while hidden
        ("token", _h, (MAX_GUESTS, MAX_APPETITES)),
        ("stash", _h, (PLAYERS, KINDS)),
        ("last_seat", _h),  # last departures: how many players have finished
        ("last_row", _h, (PLAYERS, SEATS)),  # the guests of the last departures, in their rows' order
        # running effects
        ("depth", _h),
        ("frame", _h, (DEPTH, COLUMNS)),
        ("events", _h),
        ("event", _h, (EVENTS,)),  # the kind of the token that a guest got; 0 for other events
    ],
)

# The action numbers. Each phase uses one block; the block MAIN serves all choices of a turn's actions.
SEAT = 0
HOME = SEAT + HAND * SEATS
SOCIAL = HOME + SEATS
SERVE = SOCIAL + SEATS * 2 * 2
REMOVE = SERVE + SEATS * KINDS
PLATE = REMOVE + KINDS
DOOR = PLATE + SEATS
STOP = DOOR + SEATS
MAIN_SIZE = STOP + 1
YES_NO = MAIN_SIZE
KIND = YES_NO + 2
TARGET = KIND + KINDS
TOKEN = TARGET + PLAYERS * SEATS
PLACE = TOKEN + MAX_APPETITES
DRAFT = PLACE + COLOURS
KEEP = DRAFT + HAND


def action_layout(rules: np.record) -> Layout:
    """The action numbers; they mean the same in every mode and at every number of players."""
    return Layout(
        [
            Slice("seat", (HAND, SEATS), "seat the guest in hand slot 0-5 with 0-2 own guests to its left"),
            Slice("send_home", (SEATS,), "send home own guest 0-2, counted from the left"),
            Slice("social", (SEATS, 2, 2), "own guest 0-2, its left or right neighbour, compliments or drama"),
            Slice("serve", (SEATS, KINDS), "serve own guest 0-2 a token from the platter, by kind"),
            Slice("remove", (KINDS,), "return a token from the platter to the kitchen, by kind"),
            Slice("plate", (SEATS,), "use the plate ability of own guest 0-2"),
            Slice("door", (SEATS,), "after the last departures: use the door ability of the own guest that sat at 0-2"),
            Slice("stop", (1,), "nothing more of the running action"),
            Slice("whether", (2,), "decline (or accept the token); use the ability (or refuse the token)"),
            Slice("kind", (KINDS,), "choose a kind of token"),
            Slice("target", (PLAYERS, SEATS), "choose a guest: player (own first, then clockwise), seat from the left"),
            Slice("token", (MAX_APPETITES,), "choose the token on appetite 0-5 of the guest"),
            Slice("place", (COLOURS,), "put the token on an empty appetite of this colour; joker last"),
            Slice("draft", (HAND,), "keep card 0-5 of the pack"),
            Slice("keep", (3,), "keep the first, the second or both Faux Pas"),
        ]
    )
