"""Scripted agents for Banquet Royal.

`greedy` plays for the points of this turn. `expert` also weighs what a move prepares for its own next turns and what it
lays out for the next player. Without perfect recall both know only how many tokens of each dish are still unrevealed,
and announce the likeliest one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banquet_agents.compiled import Script
from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, random_set
from banquet_envs.core.types import Cells, Mask, Rules, State
from banquet_envs.games.banquet_royal.board import (
    best_value,
    hand_mask,
    has_bit,
    has_piece,
    missing_space,
    put_dish,
    put_toque,
    shown_at,
    shown_with,
    unrevealed,
)
from banquet_envs.games.banquet_royal.components import DISHES, HAND, MENUS, PIECES, TOQUE, VALUES, Eat
from banquet_envs.games.banquet_royal.scoring import menus_of, order_points, toque_points
from banquet_envs.games.banquet_royal.state import Action, Phase, Seen

# Weights of `expert`, in points.
PREPARED, CHANCE, THREAT, TOQUE_COST, TOQUE_SCORING, RIVAL_TOQUES, MAJORITY = range(7)
WEIGHTS = np.array([0.25, 1.3, 0.3, 0.9, 0.27, 0.5, 0.25], np.float32)


LINE_BITS = 10  # for the number of lines prepared for one slot
MANY_LINES = 20  # beyond so many a card is as good as certain
OUT_OF_THE_QUESTION, WORST = -1000.0, -1e9


def weights(rules: Rules) -> np.ndarray:
    """The table of `expert`. The more rivals, the less a preparation or a single rival counts.

    Where toques score by themselves, they wait for a better place.
    """
    table = WEIGHTS.copy()
    table[PREPARED] = (0.25, 0.2, 0.15)[rules.players - 2]
    table[RIVAL_TOQUES] /= rules.players - 1
    if rules.gourmet:
        table[TOQUE_COST], table[TOQUE_SCORING] = 2.0, 1.0
    return table


# ---------------------------------------------------------------- Royal Orders


@rule
def call_of(state: State, rules: Rules, x: int) -> int:
    """The dish to announce: the remembered one, or without recall the likeliest."""
    if rules.recall:
        return state.order[x]
    best = 0
    for dish in range(DISHES):
        if unrevealed(state, dish) > unrevealed(state, best):
            best = dish
    return best


@rule
def chance_of(state: State, rules: Rules, x: int, dish: int) -> float:
    """How likely the order on `x` shows this dish, for all that the agent knows."""
    if rules.recall:
        return 1.0 if state.order[x] == dish else 0.0
    total = 0
    for d in range(DISHES):
        total += unrevealed(state, d)
    return unrevealed(state, dish) / total


@rule
def order_worth(state: State, rules: Rules, seat: int, dish: int) -> float:
    """Points for collecting a token of this dish, with what All You Can Eat adds."""
    worth = order_points(rules) * 1.0
    if rules.eat != Eat.OFF and state.collected[seat, dish] == 0:
        distinct = 0
        for d in range(DISHES):
            distinct += int(state.collected[seat, d] > 0)
        worth += rules.distinct[distinct + 1] - rules.distinct[distinct]
    return worth


@rule
def penalty(state: State, rules: Rules, seat: int) -> int:
    """Hell's Kitchen: the points of the cheapest validated menu, which a wrong call costs."""
    if rules.hell:
        for v in range(VALUES):
            if menus_of(state, rules, seat, v + 1) > 0:
                return v + 1
    return 0


# ---------------------------------------------------------------- step 1


@rule
def gain_now(state: State, rules: Rules, seat: int, x: int, piece: int) -> float:
    """Points of the dearest own menu that the piece completes on space `x`."""
    return best_value(state, rules, seat, shown_at(state, rules, x, piece)) * 1.0


@rule
def greedy_place(state: State, rules: Rules, seat: int, x: int, piece: int) -> float:
    """Points now; a toque only if it completes a menu."""
    gain = gain_now(state, rules, seat, x, piece)
    return -1.0 if piece == TOQUE and gain == 0 else gain


@rule
def can_put(state: State, rules: Rules, seat: int, x: int, piece: int) -> bool:
    """Whether the seat may hope to bring this piece to the space: its own toque, a dish, or a remembered order."""
    if state.order[x] >= 0:
        return rules.recall == 1 and state.order[x] == piece and state.kitchen[state.order[x]] > 0
    return has_piece(state, seat, piece)


@rule
def prepared(after: State, rules: Rules, seat: int, held: int) -> int:
    """For each own card in `held`, how many lines lack one obtainable piece of it; packed, see `lines_for`."""
    counts = 0
    for k in range(rules.lines):
        x = missing_space(after, rules, k)
        if x >= 0:
            menus = 0
            for piece in range(PIECES):
                if can_put(after, rules, seat, x, piece):
                    menus |= shown_with(after, rules, k, x, piece)
            menus &= held
            if menus != 0:
                for s in range(HAND):
                    card = after.hand[seat, s]
                    if card >= 0 and has_bit(menus, card):
                        counts += 1 << (LINE_BITS * s)
    return counts


@rule
def lines_for(counts: int, s: int) -> int:
    """How many lines are prepared for the card in slot `s`."""
    return (counts >> (LINE_BITS * s)) & ((1 << LINE_BITS) - 1)


@rule
def laid_out(after: State, rules: Rules, seat: int) -> int:
    """The menus, one bit each, that `seat` could complete on its turn (a space next to two pieces can be reached)."""
    menus = 0
    for k in range(rules.lines):
        x = missing_space(after, rules, k)
        if x >= 0:
            for piece in range(PIECES):
                if can_put(after, rules, seat, x, piece):
                    menus |= shown_with(after, rules, k, x, piece)
    return menus


@rule
def threat(after: State, rules: Rules, seat: int) -> float:
    """Expected points of the menu that the next player can validate, by the share of unseen cards it could complete."""
    following = (seat + 1) % rules.players
    menus = laid_out(after, rules, following)
    own = hand_mask(after, seat)
    expected = 0.0
    for v in range(VALUES):  # the dearest menu counts, so from the cheapest upwards
        unseen = 0
        hits = 0
        for c in range(rules.menus):
            if rules.value[c] == v + 1 and after.seen[c] == Seen.HIDDEN and not has_bit(own, c):
                unseen += 1
                hits += int(has_bit(menus, c))
        if unseen > 0:
            for s in range(HAND):
                if after.hand[following, s] >= 0 and after.slot_value[following, s] == v:
                    expected += (v + 1 - expected) * hits / unseen
    return expected


@rule
def worth(rules: Rules, table: np.ndarray, points: int) -> float:
    """A menu of so many points; in Gourmet with a share of what the most menus of its value bring."""
    if rules.gourmet and points > 0:
        return points + table[MAJORITY] * rules.most[points - 1]
    return points * 1.0


@rule
def hand_worth(after: State, rules: Rules, table: np.ndarray, seat: int, held: int) -> float:
    """What the own cards in `held` promise: more with every line prepared for them."""
    counts = prepared(after, rules, seat, held)
    total = 0.0
    for s in range(HAND):
        card = after.hand[seat, s]
        if card >= 0 and has_bit(held, card):
            total += worth(rules, table, rules.value[card]) * table[CHANCE] * promise(lines_for(counts, s))
    return total * table[PREPARED]


@rule
def rival_toques(after: State, rules: Rules, table: np.ndarray, seat: int) -> float:
    """Gourmet: own toques' points, less a share of the others'."""
    total = toque_points(after, rules, seat) * 1.0
    for other in range(rules.players):
        if other != seat:
            total -= table[RIVAL_TOQUES] * toque_points(after, rules, other)
    return total


@rule
def without_best(state: State, rules: Rules, seat: int, menus: int) -> int:
    """The own hand as a set, less the dearest card among `menus`."""
    held = hand_mask(state, seat)
    best = -1
    for s in range(HAND):
        card = state.hand[seat, s]
        if card >= 0 and has_bit(menus, card) and (best < 0 or rules.value[card] > rules.value[best]):
            best = card
    return held & ~(1 << int(best)) if best >= 0 else held


@rule
def outlook(after: State, rules: Rules, table: np.ndarray, seat: int, x: int) -> float:
    """Points of this turn, own prospects, the next player's; `x` is where the piece lies, -1 nowhere."""
    menus = shown_at(after, rules, x, after.board[x]) if x >= 0 else 0
    value = worth(rules, table, best_value(after, rules, seat, menus))
    if x >= 0 and after.board[x] == TOQUE and after.free >= rules.players:
        value -= table[TOQUE_SCORING] if value > 0 else table[TOQUE_COST]
    if after.free >= rules.players:  # there will be another turn
        value += hand_worth(after, rules, table, seat, without_best(after, rules, seat, menus))
    if after.free > 0:
        value -= table[THREAT] * threat(after, rules, seat)
    if rules.gourmet:
        value += rival_toques(after, rules, table, seat)
    return value


@rule
def expert_place(
    state: State, rules: Rules, table: np.ndarray, seat: int, x: int, piece: int, spare: np.ndarray
) -> float:
    """The outlook after a piece was put on a space."""
    spare[0] = state
    after = spare[0]
    if piece == TOQUE:
        put_toque(after, rules, x, seat)
    else:
        put_dish(after, rules, x, piece)
    return outlook(after, rules, table, seat, x)


@rule
def expert_reveal(
    state: State, rules: Rules, table: np.ndarray, seat: int, x: int, dish: int, spare: np.ndarray
) -> float:
    """The outlook after this dish came to light on a space."""
    spare[0] = state
    after = spare[0]
    after.order[x] = -1
    if after.kitchen[dish] > 0:
        put_dish(after, rules, x, dish)
        return outlook(after, rules, table, seat, x)
    return outlook(after, rules, table, seat, -1)


@rule
def announce_value(
    state: State, rules: Rules, table: np.ndarray, seat: int, x: int, spare: np.ndarray, plan: bool
) -> float:
    """Expected value of announcing the order on `x` with the best call."""
    call = call_of(state, rules, x)
    sure = chance_of(state, rules, x, call)
    value = sure * order_worth(state, rules, seat, call) - (1 - sure) * penalty(state, rules, seat)
    for dish in range(DISHES):
        chance = chance_of(state, rules, x, dish)
        if chance > 0:
            if plan:
                value += chance * expert_reveal(state, rules, table, seat, x, dish, spare)
            elif state.kitchen[dish] > 0:
                value += chance * gain_now(state, rules, seat, x, dish)
    return value


@rule
def main_value(
    state: State, rules: Rules, table: np.ndarray, seat: int, action: int, spare: np.ndarray, plan: bool
) -> float:
    """Value of a legal action of step 1; calls other than the best are out of the question."""
    if action >= Action.ANNOUNCE:
        x = (action - Action.ANNOUNCE) // DISHES
        if (action - Action.ANNOUNCE) % DISHES != call_of(state, rules, x):
            return OUT_OF_THE_QUESTION
        return announce_value(state, rules, table, seat, x, spare, plan)
    x = (action - Action.PLACE) // PIECES
    piece = (action - Action.PLACE) % PIECES
    if plan:
        return expert_place(state, rules, table, seat, x, piece, spare)
    return greedy_place(state, rules, seat, x, piece)


@rule
def choose_main(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray, plan: bool) -> int:
    """The legal action of step 1 with the highest value, at random among equals."""
    seat = state.player
    best = WORST
    pick = -1
    equals = 0
    for action in range(Action.SCORE):
        if mask[action]:
            value = main_value(state, rules, table, seat, action, spare, plan)
            if value > best:
                best = value
                pick = action
                equals = 1
            elif value == best:
                equals += 1
                if random_below(state, equals) == 0:
                    pick = action
    return pick


# ---------------------------------------------------------------- the other steps


@rule
def choose_score(state: State, rules: Rules, mask: Mask) -> int:
    """Validate the dearest menu."""
    pick = Action.NO_SCORE
    best = 0
    for s in range(HAND):
        if mask[Action.SCORE + s] and rules.value[state.hand[state.player, s]] > best:
            best = rules.value[state.hand[state.player, s]]
            pick = Action.SCORE + s
    return pick


@rule
def choose_discard(state: State, rules: Rules, mask: Mask) -> int:
    """Discard a hopeless card, one that no line is prepared for; the dearest of several."""
    seat = state.player
    counts = prepared(state, rules, seat, hand_mask(state, seat))
    pick = Action.NO_DISCARD
    best = 0
    for s in range(HAND):
        if mask[Action.DISCARD + s] and lines_for(counts, s) == 0:
            if rules.value[state.hand[seat, s]] > best:
                best = rules.value[state.hand[seat, s]]
                pick = Action.DISCARD + s
    return pick


@rule
def count_lines(state: State, rules: Rules, seat: int, counts: Cells) -> None:
    """For every menu, how many lines lack one piece of it that `seat` can obtain, into an array by card."""
    counts[:] = 0
    for k in range(rules.lines):
        x = missing_space(state, rules, k)
        if x >= 0:
            menus = 0
            for piece in range(PIECES):
                if can_put(state, rules, seat, x, piece):
                    menus |= shown_with(state, rules, k, x, piece)
            if menus != 0:
                for c in range(rules.menus):
                    counts[c] += int(has_bit(menus, c))


@rule
def promise(lines: int) -> float:
    """How near to certain a card with so many lines prepared is, 0 to 1."""
    return 1.0 - 1.0 / (1 << min(int(lines), MANY_LINES))


@rule
def promise_of_draw(state: State, rules: Rules, seat: int, v: int, counts: Cells) -> float:
    """Mean promise of the cards that could come from deck `v`."""
    own = hand_mask(state, seat)
    total = 0.0
    unseen = 0
    for c in range(rules.menus):
        if rules.value[c] == v + 1 and state.seen[c] == Seen.HIDDEN and not has_bit(own, c):
            total += promise(counts[c])
            unseen += 1
    return total / max(unseen, 1)


@rule
def exchange_card(state: State, rules: Rules, mask: Mask, counts: Cells) -> int:
    """Discard the card for which a new one of its value promises most, if any does."""
    seat = state.player
    count_lines(state, rules, seat, counts)
    pick = Action.NO_DISCARD
    best = 0.0
    for s in range(HAND):
        if mask[Action.DISCARD + s]:
            fresh = promise_of_draw(state, rules, seat, state.slot_value[seat, s], counts)
            gain = (fresh - promise(counts[state.hand[seat, s]])) * rules.value[state.hand[seat, s]]
            if gain > best:
                best = gain
                pick = Action.DISCARD + s
    return pick


@rule
def choose_deck(mask: Mask) -> int:
    """The dearest deck that has cards."""
    for v in range(VALUES - 1, 0, -1):
        if mask[Action.DRAW + v]:
            return Action.DRAW + v
    return Action.DRAW


@rule
def choose_loss(rules: Rules, mask: Mask) -> int:
    """Hell's Kitchen: give up the cheapest menu."""
    pick = -1
    for c in range(MENUS):
        if mask[Action.GIVE_UP + c] and (pick < 0 or rules.value[c] < rules.value[pick]):
            pick = c
    return Action.GIVE_UP + pick


@rule
def choose_step(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray, plan: bool) -> int:
    """The decision at hand."""
    if state.phase == Phase.TAKE:
        return choose_main(state, rules, table, mask, spare, plan)
    if state.phase == Phase.SCORE:
        return choose_score(state, rules, mask)
    if state.phase == Phase.DISCARD:
        if plan:  # a field of a spare record serves as an array by card
            return exchange_card(state, rules, mask, spare[1].epoch)
        return choose_discard(state, rules, mask)
    if state.phase == Phase.DRAW:
        return choose_deck(mask)
    if state.phase == Phase.GIVE_UP:
        return choose_loss(rules, mask)
    return random_set(state, mask)


@rule
def greedy(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """The points of this turn."""
    return choose_step(state, rules, table, mask, spare, False)


@rule
def expert(state: State, rules: Rules, table: np.ndarray, mask: Mask, spare: np.ndarray) -> int:
    """Points now, own prospects, the next player's chances."""
    return choose_step(state, rules, table, mask, spare, True)


AGENTS = {
    "greedy": Script(greedy, Path(__file__), None, "completes the dearest menu it can, takes remembered orders"),
    "expert": Script(expert, Path(__file__), weights, "also prepares its own menus and guards against the next player"),
}
