"""What is true of every record that play can reach: bounds of the fields, and how they fit together.

Plain Python, told apart from the rules on purpose: positions are recounted here from what lies where. A record that keeps
all of it, and holds the pieces of the box, makes no kernel read or write outside its arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banquet_envs.core.types import Rules, State
from banquet_envs.games.banquet_royal.components import (
    CELLS,
    DISHES,
    HAND,
    MENUS,
    NEIGHBOURS,
    PIECES,
    SEATS,
    TOKENS,
    TOQUE,
    VALUES,
    Eat,
)
from banquet_envs.games.banquet_royal.state import CLOSED, EMPTY, UNSEEN_TOKEN, Phase, Seen

# ---------------------------------------------------------------- bounds


def bounds(rules: Rules) -> dict[str, tuple[Any, Any]]:
    """Inclusive bounds of every field of the game's own; seats and menus that are not in play have constants."""
    n, menus = int(rules.players), int(rules.menus)
    seat = (np.arange(SEATS) < n).astype(int)
    card = (np.arange(MENUS) < menus).astype(int)
    by_value = np.array([int((rules.value[:menus] == v + 1).sum()) for v in range(VALUES)])
    most_points = MENUS * VALUES + int(rules.tokens.sum()) * int(rules.order_points) + _most_extra(rules)
    # A deck is emptied by a draw, one a turn after the deal, or made anew by a menu that was given up.
    renewals = 1 + CELLS + 2 * int(rules.orders)
    return {
        "ruled_out": (0, seat[:, None] * ((1 << menus) - 1) * int(rules.forced)),
        "phase": (Phase.COVER if rules.etiquette else Phase.TAKE if rules.recall else Phase.MEMORISE, Phase.DRAW),
        "first": (0, n - 1),
        "step": (0, max(int(rules.orders) - 1 if rules.etiquette else 0, 0 if rules.recall else n)),
        "board": (EMPTY, CLOSED if rules.closed else TOQUE),
        "owner": (-1, n - 1),
        "order": (-1, UNSEEN_TOKEN if rules.etiquette else DISHES - 1),
        "reach": (0, 1),
        "free": (0, CELLS),
        "kitchen": (0, int(rules.kitchen)),
        "toques": (0, seat * int(rules.toques)),
        "tokens": (0, rules.tokens.astype(int)),
        "lost": (0, rules.tokens.astype(int)),
        "collected": (0, seat[:, None] * rules.tokens.astype(int)),
        "deck": (EMPTY, menus - 1),
        "deck_size": (0, by_value),
        "hand": (EMPTY, seat[:, None] * menus - 1),
        "slot_value": (0, seat[:, None] * (VALUES - 1)),
        "seen": (Seen.HIDDEN, card * (Seen.VALIDATED + n - 1)),
        "epoch": (0, card * renewals),
        "epochs": (0, renewals),
        "placed": (-1, CELLS - 1),
        "scored": (0, 1),
        "rank_key": (0, seat * ((TOKENS + 1) * most_points + int(rules.tokens.sum()))),
    }


def _most_extra(rules: Rules) -> int:
    """The most that the variants add at the end."""
    extra = 0 if rules.eat == Eat.OFF else int(rules.distinct.max())
    if rules.gourmet:
        extra += int(rules.most.sum()) + int(rules.toques) * int(rules.degree.max())
    return extra


# ---------------------------------------------------------------- how the fields fit together


def invariants(rules: Rules, state: State) -> str:
    """The first thing that is wrong with a record that lies within its bounds and holds the box's pieces; "" if sound."""
    parts = (
        _board,
        _orders,
        _decks,
        _ages,
        _hands,
        _points,
        _setup,
        _over if state.over else _PHASES[int(state.phase)],
    )
    for part in parts:
        wrong = part(rules, state)
        if wrong:
            return wrong
    return ""


def _board(rules: Rules, state: State) -> str:
    """Pieces on the spaces."""
    laid = (state.board >= 0) & (state.board <= TOQUE)
    if ((state.owner >= 0) != (state.board == TOQUE)).any():
        return "a toque without an owner, or an owner without a toque"
    if state.free != (state.board == EMPTY).sum():
        return f"free is {state.free}, but {(state.board == EMPTY).sum()} spaces are to be filled"
    supported = (laid[rules.near] & (np.arange(NEIGHBOURS) < rules.degree[:, None])).any(axis=1)
    if ((state.reach == 1) != supported).any():
        return f"reach of space {(supported != state.reach).argmax()} does not fit its neighbours"
    if state.placed >= 0 and not laid[state.placed]:
        return "the piece played this turn is not on its space"
    return ""


def _orders(rules: Rules, state: State) -> str:
    """Royal Orders under cloches."""
    covered = state.order >= 0
    if (covered & (state.board != EMPTY)).any():
        return "a cloche on a space that is filled"
    if (covered & (rules.start == 1)).any():
        return "a Royal Order beside the bouquet"
    if (state.order == UNSEEN_TOKEN).any() != (state.phase == Phase.COVER and covered.any()):
        return "a Royal Order that has not been drawn, though the cloches have been placed"
    if state.phase == Phase.COVER:
        return "" if state.step == covered.sum() < rules.orders else "step does not count the Royal Orders placed"
    if not rules.etiquette and not set(np.flatnonzero(covered)) <= set(rules.order_space[: rules.orders].tolist()):
        return "a cloche on a space that is not marked"
    if state.tokens.sum() != rules.tokens.sum() - rules.orders:
        return "the unused Royal Orders are not as many as were left over"
    return ""


def _decks(rules: Rules, state: State) -> str:
    """Decks: cards of their value without gaps; never empty while the pile has cards (ruling 16)."""
    for v in range(VALUES):
        size = int(state.deck_size[v])
        cards = state.deck[v, :size]
        if (cards < 0).any() or (state.deck[v, size:] != EMPTY).any():
            return f"deck {v} does not hold {size} cards without a gap"
        if (rules.value[cards] != v + 1).any():
            return f"a card in deck {v} that does not belong there"
        if (state.epoch[cards] != state.epochs[v]).any():
            return f"a card in deck {v} that was not there when it was last renewed"
        if size == 0 and ((state.seen == Seen.ON_PILE) & (rules.value == v + 1)).any():
            return f"deck {v} is empty, its pile is not"
    return ""


def _ages(rules: Rules, state: State) -> str:
    """When cards came into their decks."""
    v = rules.value[: rules.menus] - 1
    age = state.epochs[v] - state.epoch[: rules.menus]
    if (age < 0).any():
        return f"menu {age.argmin()} came into its deck at a time still to come"
    if ((age == 0) & (state.deck_size[v] == 0)).any():
        return "a menu belongs to a deck that has not been made"
    return ""


def _hands(rules: Rules, state: State) -> str:
    """Hands, and what is known about their cards."""
    for seat in range(int(rules.players)):
        for s in range(HAND):
            card, ruled_out = int(state.hand[seat, s]), int(state.ruled_out[seat, s])
            if card < 0:
                if ruled_out:
                    return f"something is known about the empty slot {s} of seat {seat}"
                if not rules.hell and state.deck_size.any() and not _drawing(state, seat):
                    return f"slot {s} of seat {seat} is empty though there are menus to draw"
                continue
            if rules.value[card] != state.slot_value[seat, s] + 1:
                return f"slot {s} of seat {seat} shows another value than its menu {card} has"
            if ruled_out >> card & 1:
                return f"slot {s} of seat {seat} holds the menu {card}, which is ruled out"
    return ""


def _drawing(state: State, seat: int) -> bool:
    """Whether the seat has not drawn yet; who ends the game never does."""
    return bool(state.player == seat and (state.phase == Phase.DRAW or state.over))


def _points(rules: Rules, state: State) -> str:
    """Points are those of menus and orders; at the end the variants' come on top."""
    each = 0 if rules.eat == Eat.REPLACE else int(rules.order_points)
    menus = int(rules.menus)
    for seat in range(int(rules.players)):
        points = int(rules.value[:menus][state.seen[:menus] == Seen.VALIDATED + seat].sum())
        points += each * int(state.collected[seat].sum())
        if state.over:
            points += _extra(rules, state, seat)
        if state.points[seat] != points:
            return f"seat {seat} has {state.points[seat]} points, its menus and orders say {points}"
        key = points * (TOKENS + 1) + int(state.collected[seat].sum()) if state.over else 0
        if state.rank_key[seat] != key:
            return f"rank_key of seat {seat} is {state.rank_key[seat]}, not {key}"
    return ""


def _extra(rules: Rules, state: State, seat: int) -> int:
    """What the variants add at the end."""
    extra = 0
    if rules.eat != Eat.OFF:
        extra += int(rules.distinct[(state.collected[seat] > 0).sum()])
    if rules.gourmet:
        for x in np.flatnonzero(state.owner == seat):
            around = state.board[rules.near[x, : rules.degree[x]]]
            extra += max(int((around == dish).sum()) for dish in range(DISHES))
        for v in range(VALUES):
            counts = [
                int(((state.seen == Seen.VALIDATED + p) & (rules.value == v + 1)).sum()) for p in range(rules.players)
            ]
            extra += int(rules.most[v]) * (counts[seat] == max(counts) > 0)
    return extra


def _setup(rules: Rules, state: State) -> str:
    """How far the opening has come, and that nothing has been played in it."""
    if state.phase > Phase.MEMORISE:
        done = 0 if rules.recall else int(rules.players)
        return "" if state.step == done else f"step is {state.step} in a turn, not {done}"
    if (state.board != EMPTY).any() or (state.seen != Seen.HIDDEN).any() or state.collected.any() or state.lost.any():
        return "something has been played in the opening"
    if (state.hand[: rules.players] < 0).any() or state.ruled_out.any() or state.placed >= 0 or state.scored:
        return "a hand has been played in the opening"
    if state.player != (state.first + state.step) % rules.players:
        return "not the seat whose turn it is in the opening"
    return ""


# ---------------------------------------------------------------- the seat to move has something to decide


def _reachable(rules: Rules, state: State) -> bool:
    """Whether a piece may be put, or an order announced, somewhere."""
    supported = (state.reach == 1) | ((rules.start == 1) & (state.order < 0))
    return bool(((state.board == EMPTY) & supported).any())


def _filled(rules: Rules, state: State) -> bool:
    """Whether the table is complete."""
    return not _reachable(rules, state) if rules.closed else bool(state.free == 0)


def _in_cover(rules: Rules, state: State) -> str:
    return ""  # _orders and _setup say all


def _in_memorise(rules: Rules, state: State) -> str:
    if rules.recall or state.step >= rules.players:
        return "nobody has anything to memorise"
    return ""


def _in_take(rules: Rules, state: State) -> str:
    if state.placed >= 0 or state.scored:
        return "a turn begins, but something has been played"
    return "" if _reachable(rules, state) else "a turn begins, but the table is complete"


def _in_give_up(rules: Rules, state: State) -> str:
    if not rules.hell or state.scored or not state.lost.any():
        return "a menu is to be given up without a wrong call"
    if (state.seen == Seen.VALIDATED + state.player).sum() < 2:
        return "there is no choice of menus to give up"
    return ""


def _in_score(rules: Rules, state: State) -> str:
    if state.scored or state.placed < 0:
        return "a menu is to be validated, but nothing has been played or one has been"
    return "" if _shown(rules, state) else "no menu lies on the table that the piece could validate"


def _shown(rules: Rules, state: State) -> bool:
    """Whether some line through the piece played this turn shows a menu."""
    for k in rules.line_at[state.placed, : rules.lines_at[state.placed]]:
        row = [int(state.board[x]) for x in rules.line[k]]
        if 0 <= min(row) and max(row) < PIECES and rules.shown_by[(row[0] * PIECES + row[1]) * PIECES + row[2]]:
            return True
    return False


def _in_discard(rules: Rules, state: State) -> str:
    if state.scored:
        return "a card may be discarded after a menu was validated"
    if _filled(rules, state):
        return "the table is complete, but the game goes on"
    held = state.slot_value[state.player][state.hand[state.player] >= 0]
    return "" if (state.deck_size[held] > 0).any() else "no card may be discarded"


def _in_draw(rules: Rules, state: State) -> str:
    short = np.flatnonzero(state.hand[state.player] < 0)
    if not len(short):
        return "a card is to be drawn, but the hand is full"
    if state.deck_size[state.slot_value[state.player, short[0]]] > 0 or (state.deck_size > 0).sum() < 2:
        return "there is no choice of decks to draw from"
    return "the table is complete, but the game goes on" if _filled(rules, state) else ""


def _over(rules: Rules, state: State) -> str:
    if state.phase != Phase.DISCARD:
        return "the game ended in another step than after the second"
    return "" if _filled(rules, state) else "the game is over, but the table is not complete"


_PHASES: dict[int, Callable[[Rules, State], str]] = {
    Phase.COVER: _in_cover,
    Phase.MEMORISE: _in_memorise,
    Phase.TAKE: _in_take,
    Phase.GIVE_UP: _in_give_up,
    Phase.SCORE: _in_score,
    Phase.DISCARD: _in_discard,
    Phase.DRAW: _in_draw,
}
