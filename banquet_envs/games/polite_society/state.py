"""The STATE record of Polite Society and the numbers of its actions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.state import state_dtype
from banquet_envs.core.types import Rules
from banquet_envs.games.polite_society.components import (
    ASSETS,
    CARDS,
    GUESTS,
    IMPROVEMENTS,
    LIST,
    OFFERS,
    PAIRS,
    PLAYERS,
    SEATS,
    WIDE_MENU,
)


class Phase(IntEnum):
    """What the seat to move decides."""

    DRAFT = 0  # choose one of the face-up guests
    DRAFT_SEAT = 1  # and its seat
    KEEP = 2  # which of two action cards
    MAIN = 3  # the rest of the turn
    BUY_SEAT = 4
    OFFER = 5  # what to offer to the chosen partner
    ANSWER = 6  # the partner accepts or declines
    REMOVE_OWN = 7  # mission games: which own guest leaves
    WILD_ASSET = 8
    REMOVE_PLAYER = 9  # who must remove a guest
    REMOVE_GUEST = 10  # and that player's choice
    STEAL_FROM = 11
    DISCARD = 12  # hand limit
    TOKEN_FROM = 13  # supply, or the player whose token is moved
    TOKEN_FROM_SEAT = 14
    TOKEN_TO = 15
    TOKEN_TO_SEAT = 16
    RESEAT = 17  # rearranging: the next lifted guest's seat
    IMPROVEMENT_FROM = 18
    IMPROVEMENT = 19
    TURN_OVER = 20  # nobody decides: the next turn begins


PHASES = len(Phase) - 1  # in which somebody decides


class Action(IntEnum):
    """The first action number of each kind (`action_layout`)."""

    DRAFT = 0
    SEAT = 14
    KEEP = 22
    BUY = 24
    BANK_TRADE = 28
    PARTNER = 40
    ITEM = 46
    PLAY = 106
    REFRESH = 107
    REMOVE = 108
    END = 109
    PLAYER = 110
    SUPPLY = 117
    ASSET = 118
    THREE_FOR_ONE = 122
    ACCEPT = 123
    DECLINE = 124


class Where(IntEnum):
    """Where a guest card is."""

    PILE = 0
    DISCARDED = 1
    SHOWN = 2
    SEATED = 3
    ABSENT = 4  # no card of the box


THEFTS = 48  # open thefts that the account remembers
PASSED = 8  # turns without a decision that the record still tells of

# `rank_key`: of those who have finished, less their place; at the cap, for each guest, and one for each asset card.
RANK_FINISHED, RANK_GUEST = 1000000, 10000

_h, _i = np.int16, np.int32
STATE = state_dtype(
    PLAYERS,
    [
        ("excluded", _i, (PLAYERS,)),  # missions (bits) that a seat is known not to hold
        ("rank_key", _i, (PLAYERS,)),
        ("phase", _h),  # a Phase
        ("active", _h),  # whose turn it is
        ("first", _h),  # who began the first turn
        ("turns", _h),  # turns begun
        ("begun", _h),  # of these, in the last step
        ("passed", _h),  # turns that began and ended within the last step
        ("passed_seat", _h, (PASSED,)),  # whose, the latest PASSED of them, oldest first; -1 none
        ("passed_dice", _h, (PASSED, 4)),  # the turn's two dice and those of Add a guest
        ("dice", _h, (2,)),  # the turn's roll
        ("add_dice", _h, (2,)),  # the last roll of Add a guest in this turn; 0 before
        ("draft_order", _h, (PLAYERS,)),
        ("draft_step", _h),
        ("draft", _h, (2 * PLAYERS,)),  # face-up guests of the setup, -1 gone
        ("where", _h, (GUESTS,)),  # a Where
        ("list", _h, (LIST,)),  # the invite list, -1 empty
        ("table", _h, (PLAYERS, SEATS)),  # guests, -1 empty
        ("token", _h, (PLAYERS, SEATS)),  # 1: the guest is indisposed
        ("supply", _h),  # tokens not in play
        ("hand", _h, (PLAYERS, ASSETS)),
        ("bank", _h, (ASSETS,)),  # may fall below 0 when it is unlimited
        ("improvement", _h, (PLAYERS, IMPROVEMENTS)),
        ("deck", _h, (CARDS,)),  # action cards by kind; drawn when needed
        ("discard", _h, (CARDS,)),
        ("drawn", _h, (2,)),  # the two action cards, the lower kind first; -1 none
        ("kept", _h),  # the action card in hand, -1 none
        ("dropped", _h),  # the one discarded for it
        ("sure", _h),  # a kind that all know to be among the two drawn (the last of an exhausted pile), -1 none
        ("playing", _h),  # the action card being played, -1 none
        ("offers", _h),  # made in this turn
        ("partner", _h),  # seat, of the offer being made; -1 none
        ("offered", _h),  # of the menu, of the offer being answered; -1 none
        ("refused_by", _h, (OFFERS,)),
        ("refused", _h, (OFFERS,)),  # items
        ("removals", _h),  # self-removals of this turn
        ("filled", _h),  # 1 when the active player has just got an eighth guest
        ("pending", _h),  # the guest waiting for a seat, -1 none
        ("lifted", _h, (SEATS,)),  # rearranging: guests in the order of their old seats, -1 none
        ("lifted_token", _h, (SEATS,)),
        ("from_player", _h),  # the token being moved; -1 supply
        ("from_seat", _h),
        ("target", _h),  # the player chosen by the card being played
        ("mission", _h, (PLAYERS,)),  # -1 none
        ("out", _h, (PLAYERS,)),  # playing on: 1 for those who have finished
        ("finish", _h, (PLAYERS,)),  # their place
        ("finished", _h),  # how many
        # What all can know of the hands (account.py).
        ("known", _h, (PLAYERS, ASSETS)),  # without the open thefts; 0 while thefts are forgotten
        ("low", _h, (PLAYERS, ASSETS)),
        ("high", _h, (PLAYERS, ASSETS)),
        ("blurred", _h),  # 1 while thefts are forgotten
        ("fresh", _h),  # 1 when something was seen that no conclusion has been drawn from
        ("thefts", _h),
        ("thief", _h, (THEFTS,)),
        ("victim", _h, (THEFTS,)),
        ("loot", _h, (THEFTS,)),  # the type, which only those two know
        ("could", _h, (THEFTS,)),  # types (bits) that it may be
        ("seen", _h, (THEFTS, ASSETS)),  # the victim's `known` when it happened
        ("floor", _h, (2 * THEFTS, ASSETS)),  # bounds of what the thefts so far have brought a seat
        ("ceiling", _h, (2 * THEFTS, ASSETS)),
        ("own_low", _h, (PLAYERS, PLAYERS, ASSETS)),  # what each seat knows of it (views.py)
        ("own_high", _h, (PLAYERS, PLAYERS, ASSETS)),
        ("guess", _h, (THEFTS,)),  # scratch of views.py and guesses.py, from here on
        ("best", _h, (THEFTS,)),
        ("flow", _h, (PLAYERS, ASSETS)),
        ("least", _h, (PLAYERS, ASSETS)),
        ("most", _h, (PLAYERS, ASSETS)),
        ("net", _h, (PLAYERS,)),
    ],
)


def action_layout(rules: Rules) -> Layout:
    """The action numbers: the same for every number of players and every option."""
    layout = Layout(
        [
            Slice("draft", (2 * PLAYERS,), "setup: take face-up guest 0-13"),
            Slice("seat", (SEATS,), "place the guest at own seat 0-7, or choose the guest there (on a chosen table)"),
            Slice("keep", (2,), "keep the first or second of the two action cards"),
            Slice("buy", (LIST,), "buy the guest in slot 0-3 of the invite list"),
            Slice("bank_trade", (PAIRS,), "give the bank four (three) of asset a for one b: 3 a + b - (b > a)"),
            Slice("partner", (PLAYERS - 1,), "offer a trade to the player 1-6 seats on"),
            Slice("item", (WIDE_MENU,), "what is offered: 12 pairs 1 for 1, 12 2 for 1, 12 1 for 2 (pairs as in"
                  " bank_trade); wide menu: 12 a + b for c, 12 c for a + b"),
            Slice("play", (1,), "play the kept action card"),
            Slice("refresh", (1,), "mission games: discard the kept card and renew the invite list"),
            Slice("remove", (1,), "mission games: remove an own guest and take its reward"),
            Slice("end", (1,), "end the turn"),
            Slice("player", (PLAYERS,), "choose the player 0-6 seats on, 0 is oneself"),
            Slice("supply", (1,), "take the indisposed token from the supply"),
            Slice("asset", (ASSETS,), "an asset: take it (wild), discard it (hand limit), steal its improvement"),
            Slice("three_for_one", (1,), "steal the improvement that trades three for one"),
            Slice("accept", (1,), "accept the offered trade"),
            Slice("decline", (1,), "decline it"),
        ]
    )  # fmt: skip
    assert [part.start for part in layout] == list(Action)
    return layout
