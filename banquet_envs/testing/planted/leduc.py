"""Leduc poker: two seats, six cards, two rounds of betting; small, with secrets and chance, so that faults can be planted.

Each seat antes and is dealt a card. A round of betting, a card turned up for both, another round. Whoever pairs the card
that lies open wins, else the higher card. (Southey et al., Bayes' Bluff, 2005.) With `ante="sealed"` each seat first chooses,
hidden, an ante of one or two chips; both are shown together, and the higher one must be matched.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.random import random_below
from banquet_envs.core.registry import register_game
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.spec import Entries, Facts, GameSpec, Option, rules_dtype
from banquet_envs.core.state import empty, state_dtype
from banquet_envs.core.types import Features, Mask, Rules, State

RANKS, MOST_RAISES = 3, 2
BIG = 2
"""A raise in the first round, in chips; twice as much in the second."""
FOLD, CALL, RAISE, ANTE = 0, 1, 2, 3
SEALED, FIRST, SECOND = 0, 1, 2
NAMES = "jack", "queen", "king"

STATE = state_dtype(
    2,
    [
        ("card", np.int16, (2,)),
        ("board", np.int16),  # the rank that lies open, -1 before
        ("deck", np.int16, (RANKS,)),  # cards that are left, by rank
        ("stake", np.int16, (2,)),  # chips in the pot
        ("raises", np.int16),  # in this round
        ("spoken", np.int16),  # decisions in this round
        ("stage", np.int16),
    ],
)
RULES = rules_dtype([("copies", np.int32), ("raises", np.int32), ("sealed", np.int32)])


@rule
def draw(state: State, rules: Rules) -> int:
    """A card from the deck, each as likely as any other."""
    pick = random_below(state, state.deck[0] + state.deck[1] + state.deck[2])
    for rank in range(RANKS):
        if pick < state.deck[rank]:
            state.deck[rank] -= 1
            return rank
        pick -= state.deck[rank]
    return -1


@rule
def setup(state: State, rules: Rules) -> None:
    """A card for each, one chip as the ante unless that is chosen."""
    state.deck[:] = rules.copies
    for seat in range(2):
        state.card[seat] = draw(state, rules)
    state.board = -1
    state.stage = SEALED if rules.sealed else FIRST
    state.stake[:] = 0 if rules.sealed else 1


@rule
def legal_actions(state: State, rules: Rules, mask: Mask) -> None:
    """Fold what must be matched; call or check; raise while raises are left."""
    if state.stage == SEALED:
        mask[ANTE : ANTE + 2] = True
    else:
        mask[FOLD] = state.stake[state.player] < state.stake[1 - state.player]
        mask[CALL] = True
        mask[RAISE] = state.raises < rules.raises


@rule
def apply(state: State, rules: Rules, action: int) -> None:
    """One word at the table; then the round may be over."""
    me = state.player
    other = 1 - me
    state.player = other
    state.spoken += 1
    if action >= ANTE:
        state.stake[me] = 1 + action - ANTE
        if state.spoken == 2:
            state.stake[:] = max(state.stake[0], state.stake[1])
            next_round(state, rules)
    elif action == FOLD:
        settle(state, other, state.stake[me])
    else:
        state.stake[me] = state.stake[other]
        if action == RAISE:
            state.stake[me] += BIG * state.stage
            state.raises += 1
        elif state.spoken > 1:
            next_round(state, rules)


@rule
def next_round(state: State, rules: Rules) -> None:
    """The first round, the second with an open card, or the comparison of hands."""
    if state.stage == SECOND:
        settle(state, winner(state), state.stake[0])
    else:
        state.stage += 1
        state.player = 0
        state.raises = 0
        state.spoken = 0
        if state.stage == SECOND:
            state.board = draw(state, rules)


@rule
def winner(state: State) -> int:
    """The seat with a pair, else with the higher card; -1 for equal ones."""
    for seat in range(2):
        if state.card[seat] == state.board and state.card[1 - seat] != state.board:
            return seat
    if state.card[0] == state.card[1]:
        return -1
    return 0 if state.card[0] > state.card[1] else 1


@rule
def settle(state: State, seat: int, chips: int) -> None:
    """The end: `seat` wins that many chips from the other, -1: nobody does."""
    state.over = True
    if seat >= 0:
        state.points[seat] = chips
        state.points[1 - seat] = -chips
    rank_by(state, 2, state.points)


@rule
def observe(state: State, rules: Rules, player: int, out: Features) -> None:
    """See `observation`."""
    out[state.card[player]] = 1
    if state.board >= 0:
        out[3 + state.board] = 1
    out[6] = state.stake[player] / 14
    if state.stage > SEALED:
        out[7] = state.stake[1 - player] / 14
    out[8] = state.raises / MOST_RAISES
    out[9 + state.stage] = 1
    out[12] = player == state.player


@rule
def determinize(state: State, rules: Rules, player: int) -> None:
    """The other's card is any of those that `player` has not seen, the other's sealed ante any."""
    other = 1 - player
    state.deck[state.card[other]] += 1
    state.card[other] = draw(state, rules)
    if state.stage == SEALED and state.stake[other] > 0:
        state.stake[other] = 1 + random_below(state, 2)


def make_rules(players: int, options: Mapping[str, Any], components: Mapping[str, Any]) -> np.ndarray:
    """RULES of the deck and the options."""
    rules = empty(1, RULES)
    rules[0].players = players
    rules[0].copies = Entries(components, "leduc").integer("copies", 2, 4)
    rules[0].raises = options["raises"]
    rules[0].sealed = options["ante"] == "sealed"
    return rules


def actions(rules: Rules) -> Layout:
    """The slices of the action numbers."""
    return Layout(
        [
            Slice("fold", (1,), "give up"),
            Slice("call", (1,), "match the other's stake, or check"),
            Slice("raise", (1,), "raise by 2 chips, by 4 in the second round"),
            Slice("ante", (2,), "a sealed ante of one or two chips"),
        ]
    )


def observation(rules: Rules) -> Layout:
    """The slices of the observation."""
    return Layout(
        [
            Slice("card", (RANKS,), "own card by rank", public=False),
            Slice("board", (RANKS,), "the open card by rank"),
            Slice(
                "own_stake", (1,), "own chips in the pot / 14; the seat's secret while antes are sealed", public=False
            ),
            Slice("other_stake", (1,), "the other's / 14, once it is shown"),
            Slice("raises", (1,), "raises in this round / 2"),
            Slice("stage", (3,), "antes, first round, second round"),
            Slice("to_move", (1,), "1 when the seat is to move"),
        ]
    )


def most_chips(rules: Rules) -> int:
    """The most that a seat can lose."""
    return int((2 if rules.sealed else 1) + BIG * rules.raises + 2 * BIG * rules.raises)


def facts(rules: Rules) -> Facts:
    """What holds for every game."""
    return Facts(
        longest_game=int(2 * rules.sealed + 2 * (2 + rules.raises)),
        points_min=-most_chips(rules),
        points_max=most_chips(rules),
        points_scale=1 / 13,
        hidden_information=True,
        chance=True,
        simultaneous=bool(rules.sealed),
    )


def action_text(rules: Rules, state: State, action: int) -> str:
    """An action in words."""
    return ("fold", "call", "raise", "ante one chip", "ante two chips")[action]


def describe(rules: Rules, state: State, player: int | None) -> str:
    """The position as `player` may know it."""
    cards = [NAMES[state.card[s]] if player in (None, s) or state.over else "hidden" for s in range(2)]
    board = NAMES[state.board] if state.board >= 0 else "face down"
    stakes = [int(state.stake[s]) if state.stage or player in (None, s) else "sealed" for s in range(2)]
    return (
        f"Leduc poker, stage {state.stage}: cards {cards}, board {board}, stakes {stakes}, seat {state.player} to speak"
    )


def draw_table(rules: Rules, state: State, player: int | None) -> str:
    """The same as a picture."""
    text = describe(rules, state, player).replace("'", "")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 40"><text x="9" y="25">{text}</text></svg>'


def pieces(rules: Rules, state: State) -> dict[str, np.ndarray]:
    """Cards by rank, wherever they are."""
    count = state.deck.astype(int)
    for rank in (*state.card, state.board):
        if rank >= 0:
            count[rank] += 1
    return {"cards": count}


def bounds(rules: Rules) -> dict[str, tuple[Any, Any]]:
    """What the game's own fields can hold."""
    return {
        "card": (0, RANKS - 1),
        "board": (-1, RANKS - 1),
        "deck": (0, rules.copies),
        "stake": (0, most_chips(rules)),
        "raises": (0, rules.raises),
        "spoken": (0, 2 + rules.raises),
        "stage": (SEALED if rules.sealed else FIRST, SECOND),
    }


def invariants(rules: Rules, state: State) -> str:
    """What is wrong with a record within its bounds."""
    if (state.board >= 0) != (state.stage == SECOND):
        return "board: open exactly in the second round"
    if state.stage > SEALED and min(state.stake) < 1:
        return "stake: a seat without an ante"
    return ""


SPEC = GameSpec(
    name="leduc",
    title="Leduc poker",
    version="v0",
    min_players=2,
    max_players=2,
    state=STATE,
    rules=RULES,
    setup=setup,
    legal_actions=legal_actions,
    apply=apply,
    observe=observe,
    determinize=determinize,
    make_rules=make_rules,
    actions=actions,
    observation=observation,
    facts=facts,
    action_text=action_text,
    describe=describe,
    draw=draw_table,
    pieces=pieces,
    components=Path(__file__).with_name("leduc.toml"),
    folder=Path(__file__),
    options=(
        Option("raises", 2, (1, 2), "raises in a round"),
        Option("ante", "one", ("one", "sealed"), "an ante of one chip, or of one or two, chosen together"),
    ),
    variants=({}, {"raises": 1}, {"ante": "sealed"}),
    bounds=bounds,
    invariants=invariants,
)

register_game(SPEC, replace=True)
