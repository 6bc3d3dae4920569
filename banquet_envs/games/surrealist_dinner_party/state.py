"""The STATE record of Surrealist Dinner Party, its running effects, and the numbers of its actions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.core.types import Rules
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

TURN_CAP = 400  # the guard: a game that lasts longer is ended
DEPTH = 30  # running effects on the stack, at most


class Stage(IntEnum):
    """How far the game has come."""

    DRAFTING = 0
    CHOOSING_FAUX_PAS = 1
    PLAYING = 2
    LAST_DEPARTURES = 3
    LAST_DOORS = 4
    FINISHED = 5


class Step(IntEnum):
    """Steps of a turn while nothing else is running."""

    TURN_BEGINS = 0
    TURN_CHOICE = 1
    AFTER_FIRST_HALF = 2
    HALF_CHOICE = 3
    AFTER_PLATE = 4
    PLATE_CHOICE = 5
    TURN_ENDS = 6
    NEXT_TURN = 7


class Phase(IntEnum):
    """What the seat to move decides."""

    DRAFT_PICK = 0
    FAUX_PAS_KEEP = 1
    MAIN = 2
    SECOND_HALF = 3
    PLATE_NEXT = 4
    WHETHER = 5
    WHICH_KIND = 6
    WHICH_GUEST = 7
    WHICH_TOKEN = 8
    WHERE = 9
    WHO_LEAVES = 10
    WHICH_DOOR = 11


class Where(IntEnum):
    """Where a guest is."""

    HIDDEN = 0
    SEATED = 1
    GONE = 2


class Face(IntEnum):
    """A Faux Pas on the table; 0 while it is nobody's or still hidden."""

    OPEN = 1
    SCORED = 2


class Effect(IntEnum):
    """Running effects. They lie on a stack; the one on top goes on until it needs an answer, starts another one, or is done."""

    TOKEN = 0  # arrives at a guest
    SERVE = 1  # action 3
    SOCIAL = 2  # action 2
    EVENTS = 3  # abilities that wait for what has happened
    ASK = 4  # whether an ability is used
    ABILITY = 5  # in use
    HOME = 6  # a guest goes home


class Column(IntEnum):
    """What is kept of a running effect. The letters' meaning is told where each effect is run."""

    KIND = 0
    STEP = 1
    USER = 2
    GUEST = 3
    SILENT = 4
    LEFT = 5
    RIGHT = 6
    TOKEN = 7
    N = 8
    INDEX = 9
    A = 10
    B = 11
    X = 12
    Y = 13
    V = 14  # and the two columns behind it


class Action(IntEnum):
    """The first action number of each kind (`action_layout`). Each phase uses one block."""

    SEAT = 0
    SEND_HOME = 18
    SOCIAL = 21
    SERVE = 33
    REMOVE = 48
    PLATE = 53
    DOOR = 56
    STOP = 59
    WHETHER = 60
    KIND = 62
    TARGET = 67
    TOKEN = 79
    PLACE = 85
    DRAFT = 91
    KEEP = 97


MAIN_SIZE = int(Action.WHETHER)  # the first block serves all choices of a turn's actions
WAYS = 4  # of action 2 for one guest: two neighbours, compliments or drama
COLUMNS = Column.V + SEATS

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
        ("stage", _h),  # a Stage
        ("step", _h),  # a Step; before the turns, how many have chosen; at the end, 1 while somebody is asked
        ("phase", _h),  # a Phase
        ("answer", _h),
        # the deal and the draft: the first `draft_round` cards of a pack have been taken, in this order
        ("draft_round", _h),
        ("pack", _h, (PLAYERS, HAND)),
        ("pick", _h, (PLAYERS,)),  # index among the cards left in the own pack, hidden until all have picked; -1
        ("hand", _h, (PLAYERS, HAND)),  # ascending; -1 where a card has been played or not yet been picked
        ("hand_size", _h, (PLAYERS,)),
        ("faux_pas_dealt", _h, (PLAYERS, 2)),  # -1 in modes without them
        ("faux_pas_choice", _h, (PLAYERS,)),  # 0 not yet chosen, 1 the first, 2 the second, 3 both
        ("faux_pas_open", _h, (MAX_FAUX_PAS,)),  # a Face
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
        ("where", _h, (MAX_GUESTS,)),  # a Where
        ("owner", _h, (MAX_GUESTS,)),  # whose guest it is or was, -1 while hidden
        ("token", _h, (MAX_GUESTS, MAX_APPETITES)),
        ("stash", _h, (PLAYERS, KINDS)),
        ("last_seat", _h),  # last departures: how many players have finished
        ("last_row", _h, (PLAYERS, SEATS)),  # the guests of the last departures, in their rows' order
        # running effects
        ("depth", _h),
        ("frame", _h, (DEPTH, COLUMNS)),  # by Column
        ("events", _h),
        ("event", _h, (EVENTS,)),  # the kind of the token that a guest got; 0 for other events
    ],
)


def action_layout(rules: Rules) -> Layout:
    """The action numbers; they mean the same in every mode and at every number of players."""
    layout = Layout(
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
    assert [part.start for part in layout] == list(Action)
    return layout
