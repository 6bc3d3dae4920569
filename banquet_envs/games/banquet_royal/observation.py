"""What a seat sees: the observation vector and the layout that explains it.

The table is public but for the faces of hands and decks and, without perfect recall, for the Royal Orders after the
opening. What all know about hidden menus stands in `menu` and `ruled_out`, so that one view tells what the table has
seen. Features that a network would otherwise have to work out from 60 lines are given directly: `gain` says what the
own hand would score for each piece on each space. Each `see_*` function writes the slices that it names; `rules.at` holds
where each begins.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.core.seats import relative, seat_after
from banquet_envs.core.types import Features, Rules, State
from banquet_envs.games.banquet_royal.board import hand_mask, has_bit, open_order, open_space, unrevealed
from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, ITEMS, MENUS, PIECES, TOQUE, VALUES, Eat
from banquet_envs.games.banquet_royal.knowledge import in_a_hand
from banquet_envs.games.banquet_royal.menus import first_short_slot, pile_size
from banquet_envs.games.banquet_royal.scoring import end_points
from banquet_envs.games.banquet_royal.state import CLOSED, UNSEEN_TOKEN, Phase, Seen

SPACE = DISHES + 4  # features of a space: dish, toque, its owner, cloche, whether it is open
CARD = VALUES + ITEMS * PIECES  # features of an own card
SWITCHES = 9


def observation_layout(rules: Rules) -> Layout:
    """The observation's slices. The width depends on the number of players and on nothing else."""
    n = int(rules.players)
    return Layout(
        [
            Slice("phase", (len(Phase),), "one-hot: cover, memorise, take or announce, give up, score, discard, draw"),
            Slice("seat_to_move", (n,), "one-hot, own seat first, then in turn order"),
            Slice("first_seat", (n,), "the first player, one-hot, own seat first"),
            Slice("free", (1,), "spaces still to be filled / 36"),
            Slice("points", (n,), "points of each seat so far, own first, / 25"),
            Slice("end_points", (n,), "what the variants would add if the game ended now, own first, / 10"),
            Slice("space", (CELLS, SPACE), "per space: dish 4 (lying there, or known to lie under the cloche); toque;"
                  " its owner (k + 1) / players, k counted from the own seat; 1 for a cloche, -1 if closed for good;"
                  " 1 where a piece may be put or the order announced"),
            Slice("placed", (CELLS,), "the piece played this turn, one-hot"),
            Slice("gain", (CELLS, PIECES), "points / 3 of the best own card that the piece on that space completes"
                  " (the order's space: if that dish comes to light)", False),
            Slice("hand", (HAND, CARD), "own cards by slot: points one-hot 3; three items, each one-hot 5", False),
            Slice("hand_values", (n, VALUES), "cards of 1, 2, 3 points in each hand, own first, / 3"),
            Slice("draw_value", (VALUES,), "step 4: the value of the card that left the hand, one-hot"),
            Slice("kitchen", (DISHES,), "dishes left, / 10"),
            Slice("toques", (n,), "toques left, own first, / 2"),
            Slice("collected", (n, DISHES), "collected Royal Orders by dish, own first, / 2"),
            Slice("lost", (DISHES,), "Royal Orders called wrongly, by dish, / 2"),
            Slice("unrevealed", (DISHES,), "tokens under cloches or unused, by dish, / 2"),
            Slice("deck", (VALUES,), "cards in each deck / 12"),
            Slice("pile", (VALUES,), "cards on each discard pile / 12"),
            Slice("validated", (n, VALUES), "validated menus of 1, 2, 3 points, own first, / 6"),
            Slice("menu", (MENUS,), "where each menu is: 0 hidden; 0.5 hidden, but not in its deck, which was renewed without"
                  " it or is empty; 1 discard pile; -(k + 1) / players validated by seat k counted from the own one"),
            Slice("ruled_out", (n, MENUS), "cards in each hand, own first, that have this hidden menu's value and, as all"
                  " know, are not it (drawn before or after it was reshuffled; forced scoring): 1 for slot 0, 2 for slot 1,"
                  " 4 for slot 2, summed, / 8"),
            Slice("switches", (SWITCHES,), "Gourmet, Etiquette, All You Can Eat added, replacing, Hell's Kitchen, joker,"
                  " forced scoring, exhausted spots closed, perfect recall"),
        ]
    )  # fmt: skip


# Offsets are read from the rules before a loop, not in it: the compiler cannot know that writing features leaves them alone.


@rule
def observe(state: State, rules: Rules, player: int, out: Features) -> None:
    """Write the view of `player` into `out`, float32 (W,), which arrives all zero."""
    see_turn(state, rules, player, out)
    see_spaces(state, rules, player, out)
    see_gain(state, rules, player, out)
    see_hands(state, rules, player, out)
    see_stock(state, rules, player, out)
    see_decks(state, rules, out)
    see_menus(state, rules, player, out)
    see_ruled_out(state, rules, player, out)
    see_switches(rules, out)


@rule
def orders_shown(state: State, rules: Rules) -> bool:
    """Whether everybody knows what is under the cloches now."""
    return rules.recall == 1 or state.phase == Phase.MEMORISE


@rule
def see_turn(state: State, rules: Rules, player: int, out: Features) -> None:
    """phase, seat_to_move, first_seat, free, points, end_points, placed."""
    at = rules.at
    if not state.over:
        out[at.phase + state.phase] = 1
        out[at.seat_to_move + relative(rules, player, state.player)] = 1
    out[at.first_seat + relative(rules, player, state.first)] = 1
    out[at.free] = state.free / CELLS
    if state.placed >= 0:
        out[at.placed + state.placed] = 1
    points, more = at.points, at.end_points
    for seat in range(rules.players):
        k = relative(rules, player, seat)
        out[points + k] = state.points[seat] / 25
        if not state.over:
            out[more + k] = end_points(state, rules, seat) / 10


@rule
def see_spaces(state: State, rules: Rules, player: int, out: Features) -> None:
    """space."""
    shown, at = orders_shown(state, rules), rules.at.space
    for x in range(CELLS):
        space = out[at : at + SPACE]
        dish = state.board[x]
        if state.order[x] >= 0:
            dish = state.order[x] if shown else UNSEEN_TOKEN
            space[DISHES + 2] = 1
        elif dish == CLOSED:
            space[DISHES + 2] = -1
        elif dish == TOQUE:
            space[DISHES] = 1
            space[DISHES + 1] = (relative(rules, player, state.owner[x]) + 1) / rules.players
        if 0 <= dish < DISHES:
            space[dish] = 1
        space[DISHES + 3] = open_space(state, rules, x) | open_order(state, x)
        at += SPACE


@rule
def see_gain(state: State, rules: Rules, player: int, out: Features) -> None:
    """gain: lines with one space missing that an own card fits."""
    gain = out[rules.at.gain : rules.at.gain + CELLS * PIECES]
    held = hand_mask(state, player)
    twos, threes = held_worth(state, rules, player, 2), held_worth(state, rules, player, 3)
    for k in range(rules.lines):
        place, code = only_gap(state, rules, k)
        x = rules.line[k, max(place, 0)]
        if (place >= 0) & (open_space(state, rules, x) | open_order(state, x)):  # at once: neither can be predicted
            weight = 1 if place == 2 else (PIECES if place == 1 else PIECES * PIECES)
            for piece in range(DISHES if state.order[x] >= 0 else PIECES):
                menus = rules.shown_by[code + piece * weight] & held
                if menus != 0:
                    best = 1 + int(menus & twos != 0) + int(menus & threes != 0)
                    gain[x * PIECES + piece] = max(gain[x * PIECES + piece], best / 3)


@rule
def held_worth(state: State, rules: Rules, seat: int, least: int) -> int:
    """The seat's cards of at least so many points as a set, one bit each."""
    held = 0
    for s in range(HAND):
        card = state.hand[seat, s]
        if card >= 0 and rules.value[card] >= least:
            held |= 1 << int(card)
    return held


@rule
def only_gap(state: State, rules: Rules, k: int) -> tuple[int, int]:
    """The place in line `k` of its only space without a piece, -1 if there is another number of them; its code but for that.

    The code is the line's index in `shown_by`. Without branches, for nothing here can be predicted.
    """
    gaps, place, code = 0, 0, 0
    for i in range(ITEMS):
        piece = state.board[rules.line[k, i]]
        gap = int(piece < 0)
        gaps += gap + 4 * int(piece == CLOSED)
        place += gap * i
        code = code * PIECES + (1 - gap) * piece
    return (place if gaps == 1 else -1), code


@rule
def see_hands(state: State, rules: Rules, player: int, out: Features) -> None:
    """hand, hand_values, draw_value."""
    own, values, draw = rules.at.hand, rules.at.hand_values, rules.at.draw_value
    for s in range(HAND):
        see_card(rules, state.hand[player, s], out, own)
        own += CARD
    for k in range(rules.players):
        seat = seat_after(rules, player, k)
        for v in range(VALUES):
            count = 0
            for s in range(HAND):
                count += int(state.hand[seat, s] >= 0 and state.slot_value[seat, s] == v)
            out[values + v] = count / 3
        values += VALUES
    if state.phase == Phase.DRAW and not state.over:
        out[draw + state.slot_value[state.player, first_short_slot(state, state.player)]] = 1


@rule
def see_card(rules: Rules, card: int, out: Features, start: int) -> None:
    """One entry of hand; zeros for an empty slot."""
    if card >= 0:
        out[start + rules.value[card] - 1] = 1
        for i in range(ITEMS):
            out[start + VALUES + i * PIECES + rules.symbol[card, i]] = 1


@rule
def see_stock(state: State, rules: Rules, player: int, out: Features) -> None:
    """kitchen, toques, collected, lost, unrevealed."""
    kitchen, toques, collected = rules.at.kitchen, rules.at.toques, rules.at.collected
    lost, hidden = rules.at.lost, rules.at.unrevealed
    for k in range(rules.players):
        seat = seat_after(rules, player, k)
        out[toques + k] = state.toques[seat] / 2
        for dish in range(DISHES):
            out[collected + k * DISHES + dish] = state.collected[seat, dish] / 2
    for dish in range(DISHES):
        out[kitchen + dish] = state.kitchen[dish] / 10
        out[lost + dish] = state.lost[dish] / 2
        out[hidden + dish] = unrevealed(state, dish) / 2


@rule
def see_decks(state: State, rules: Rules, out: Features) -> None:
    """deck, pile."""
    deck, pile = rules.at.deck, rules.at.pile
    for v in range(VALUES):
        out[deck + v] = state.deck_size[v] / 12
        out[pile + v] = pile_size(state, rules, v) / 12


@rule
def see_menus(state: State, rules: Rules, player: int, out: Features) -> None:
    """validated, menu."""
    validated, menu, n = rules.at.validated, rules.at.menu, rules.players
    for c in range(rules.menus):
        if state.seen[c] == Seen.ON_PILE:
            out[menu + c] = 1
        elif state.seen[c] == Seen.HIDDEN and in_a_hand(state, rules, c):
            out[menu + c] = 0.5
        elif state.seen[c] >= Seen.VALIDATED:
            k = relative(rules, player, state.seen[c] - Seen.VALIDATED)
            out[menu + c] = -(k + 1) / n
            out[validated + k * VALUES + rules.value[c] - 1] += 1 / 6


@rule
def see_ruled_out(state: State, rules: Rules, player: int, out: Features) -> None:
    """ruled_out; all zero until a deck is renewed, but for forced scoring."""
    at = rules.at.ruled_out
    for k in range(rules.players):
        seat = seat_after(rules, player, k)
        for s in range(HAND):
            known = state.ruled_out[seat, s] != 0 or state.epochs[state.slot_value[seat, s]] > 0
            if known and state.hand[seat, s] >= 0:
                see_slot(state, rules, seat, s, out[at : at + MENUS])
        at += MENUS


@rule
def see_slot(state: State, rules: Rules, seat: int, s: int, out: Features) -> None:
    """The part of one hand slot in ruled_out; eighths, so that sums are exact."""
    age = state.epoch[state.hand[seat, s]]
    ruled_out = state.ruled_out[seat, s]
    weight = (1 << s) / 8
    for c in range(rules.menus):  # no branches: who can be told from whom is beyond prediction
        hidden = (state.seen[c] == Seen.HIDDEN) & (rules.value[c] == state.slot_value[seat, s] + 1)
        out[c] += int(hidden & ((state.epoch[c] != age) | has_bit(ruled_out, c))) * weight


@rule
def see_switches(rules: Rules, out: Features) -> None:
    """switches."""
    at = rules.at.switches
    out[at] = rules.gourmet
    out[at + 1] = rules.etiquette
    out[at + 2] = rules.eat == Eat.ADD
    out[at + 3] = rules.eat == Eat.REPLACE
    out[at + 4] = rules.hell
    out[at + 5] = rules.joker
    out[at + 6] = rules.forced
    out[at + 7] = rules.closed
    out[at + 8] = rules.recall
