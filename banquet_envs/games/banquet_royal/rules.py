"""The rules of Banquet Royal, in the rulebook's order and words.

`apply` goes on until somebody has to decide. Ruling numbers are those of the README.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import seat_after
from banquet_envs.core.spec import Facts, GameSpec, Option, Wording
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.banquet_royal import display, observation, rules_text, state_json
from banquet_envs.games.banquet_royal.board import (
    all_filled,
    hand_mask,
    has_bit,
    has_piece,
    only_main_action,
    open_order,
    open_space,
    put_dish,
    put_toque,
    shown_at,
)
from banquet_envs.games.banquet_royal.components import (
    ALL_YOU_CAN_EAT,
    CELLS,
    DISHES,
    HAND,
    PIECES,
    RULES,
    TOQUE,
    VALUES,
    Eat,
    make_rules,
)
from banquet_envs.games.banquet_royal.invariants import bounds, invariants
from banquet_envs.games.banquet_royal.knowledge import could_hold, only_slot, resample_menus
from banquet_envs.games.banquet_royal.menus import (
    decks_with_cards,
    draw,
    fill_decks,
    first_short_slot,
    menus_validated,
    pile_size,
    take_out,
    to_pile,
)
from banquet_envs.games.banquet_royal.scoring import finish, order_points
from banquet_envs.games.banquet_royal.state import (
    CLOSED,
    EMPTY,
    STATE,
    UNSEEN_TOKEN,
    Action,
    Phase,
    Seen,
    action_layout,
)

# ---------------------------------------------------------------- Setup


@rule
def setup(state: State, rules: Rules) -> None:
    """Setup, steps 1 to 6, and on to the first decision."""
    state.board[:] = EMPTY
    state.owner[:] = -1
    state.order[:] = -1
    state.placed = -1
    state.free = CELLS
    for dish in range(DISHES):
        state.kitchen[dish] = rules.kitchen
        state.tokens[dish] = rules.tokens[dish]
    fill_decks(state, rules)
    state.hand[:, :] = EMPTY
    for seat in range(rules.players):
        state.toques[seat] = rules.toques
        for s in range(HAND):
            draw(state, rules, seat, s, s)
    state.first = random_below(state, rules.players)  # ruling 26
    state.player = state.first
    if rules.etiquette:
        state.phase = Phase.COVER
    else:
        for k in range(rules.orders):
            state.order[rules.order_space[k]] = UNSEEN_TOKEN
        reveal_orders(state)
    go_on(state, rules)


@rule
def reveal_orders(state: State) -> None:
    """Steps 5 and 6: which of the shuffled tokens lie under the cloches; all may look at them."""
    for x in range(CELLS):
        if state.order[x] == UNSEEN_TOKEN:
            state.order[x] = draw_token(state)
    state.phase = Phase.MEMORISE
    state.step = 0


@rule
def draw_token(state: State) -> int:
    """One of the Royal Order tokens that are not on the board, at random."""
    left = 0
    for dish in range(DISHES):
        left += state.tokens[dish]
    pick = random_below(state, left)
    dish = 0
    while pick >= state.tokens[dish]:
        pick -= state.tokens[dish]
        dish += 1
    state.tokens[dish] -= 1
    return dish


@rule
def may_cover(state: State, rules: Rules, x: int) -> bool:
    """Proper Dining Etiquette: an order may be put on any space that does not touch the bouquet (ruling 25)."""
    return state.order[x] < 0 and rules.start[x] == 0


@rule
def cover(state: State, rules: Rules, x: int) -> None:
    """Put a face-down Royal Order on a space; nobody knows yet which."""
    state.order[x] = UNSEEN_TOKEN
    state.step += 1
    state.player = seat_after(rules, state.player, 1)
    if state.step == rules.orders:
        reveal_orders(state)
        state.player = state.first


# ---------------------------------------------------------------- 1/ Take an element, or announce a Royal Order


@rule
def begin_turn(state: State, seat: int) -> None:
    """A new turn of `seat`."""
    state.player = seat
    state.phase = Phase.TAKE
    state.placed = -1
    state.scored = 0


@rule
def place(state: State, rules: Rules, seat: int, x: int, piece: int) -> None:
    """Put a dish from the kitchen, or an own toque, on a space."""
    if piece == TOQUE:
        put_toque(state, rules, x, seat)
    else:
        put_dish(state, rules, x, piece)
    state.phase = Phase.SCORE


@rule
def announce(state: State, rules: Rules, seat: int, x: int, call: int) -> None:
    """Flip the order; its dish takes its place; a correct call collects the token, a wrong one loses it (ruling 11)."""
    dish = state.order[x]
    state.order[x] = -1
    if state.kitchen[dish] > 0:
        put_dish(state, rules, x, dish)
    elif rules.closed:  # ruling 10: the spot stays free, or (option) counts as occupied for good
        state.board[x] = CLOSED
        state.free -= 1
    state.phase = Phase.SCORE
    if call == dish:
        state.collected[seat, dish] += 1
        state.points[seat] += order_points(rules)
    else:
        state.lost[dish] += 1
        if rules.hell:
            state.phase = Phase.GIVE_UP


@rule
def give_up(state: State, rules: Rules, seat: int, card: int) -> None:
    """Hell's Kitchen: a validated menu goes to the discard pile of its value (ruling 24)."""
    state.points[seat] -= rules.value[card]
    to_pile(state, rules, card)
    state.phase = Phase.SCORE


# ---------------------------------------------------------------- 2/ Score a Menu card


@rule
def scorable(state: State, rules: Rules) -> int:
    """The menus, one bit each, that the piece played this turn completes."""
    if state.placed < 0:
        return 0
    return shown_at(state, rules, state.placed, state.board[state.placed])


@rule
def score(state: State, rules: Rules, seat: int, s: int) -> None:
    """Validate the menu in hand slot `s`."""
    card = take_out(state, seat, s)
    state.seen[card] = Seen.VALIDATED + seat
    state.points[seat] += rules.value[card]
    state.scored = 1
    state.phase = Phase.DISCARD


@rule
def score_nothing(state: State, rules: Rules, seat: int) -> None:
    """Validate no menu. Where scoring is forced, this tells everybody what the hand does not hold."""
    if rules.forced:
        menus = scorable(state, rules)
        for s in range(HAND):
            if state.hand[seat, s] >= 0:
                state.ruled_out[seat, s] |= menus
    state.phase = Phase.DISCARD


# ---------------------------------------------------------------- 3/ (Optional) Discard a card


@rule
def may_discard(state: State, rules: Rules, seat: int, s: int) -> bool:
    """Whether the card may go: not while deck and pile of its value are both empty (ruling 14)."""
    v = state.slot_value[seat, s]
    return state.hand[seat, s] >= 0 and (state.deck_size[v] > 0 or pile_size(state, rules, v) > 0)


@rule
def discard(state: State, rules: Rules, seat: int, s: int) -> None:
    """Put the card in slot `s` face up on its pile."""
    to_pile(state, rules, take_out(state, seat, s))
    state.phase = Phase.DRAW


# ---------------------------------------------------------------- 4/ Go back to a hand of 3 cards


@rule
def refill(state: State, rules: Rules, seat: int) -> bool:
    """Draw for each empty slot; True when the player has to choose another deck (rulings 15, 17 and 18)."""
    for s in range(HAND):
        if state.hand[seat, s] < 0:
            v = state.slot_value[seat, s]
            if state.deck_size[v] == 0:
                if decks_with_cards(state) > 1:
                    return True
                v = only_deck(state)
            if v >= 0:
                draw(state, rules, seat, s, v)
    return False


@rule
def only_deck(state: State) -> int:
    """The first deck that has cards, -1 if none has."""
    for v in range(VALUES):
        if state.deck_size[v] > 0:
            return v
    return -1


# ---------------------------------------------------------------- the flow


@rule
def go_on(state: State, rules: Rules) -> None:
    """Go on through everything that nobody decides, until a seat has to."""
    waiting = False
    while not waiting and not state.over:
        if state.phase == Phase.COVER:
            waiting = True
        elif state.phase == Phase.MEMORISE:
            waiting = memorising(state, rules)
        elif state.phase == Phase.TAKE:
            waiting = taking(state, rules)
        elif state.phase == Phase.GIVE_UP:
            waiting = giving_up(state, rules)
        elif state.phase == Phase.SCORE:
            waiting = scoring(state, rules)
        elif state.phase == Phase.DISCARD:
            waiting = discarding(state, rules)
        else:
            waiting = drawing(state, rules)


@rule
def memorising(state: State, rules: Rules) -> bool:
    """Every seat looks at the orders once; with perfect recall there is nothing to memorise."""
    if rules.recall or state.step == rules.players:
        begin_turn(state, state.first)
        return False
    return True


@rule
def taking(state: State, rules: Rules) -> bool:
    """Step 1; True when there is a choice."""
    only = only_main_action(state, rules, state.player)
    if only >= 0:
        place(state, rules, state.player, only // PIECES, only % PIECES)
    return only < 0


@rule
def giving_up(state: State, rules: Rules) -> bool:
    """Hell's Kitchen; True when there is a choice of menus."""
    count = menus_validated(state, rules, state.player)
    if count == 1:
        for c in range(rules.menus):
            if state.seen[c] == Seen.VALIDATED + state.player:
                give_up(state, rules, state.player, c)
                return False
    if count == 0:
        state.phase = Phase.SCORE
    return count > 1


@rule
def scoring(state: State, rules: Rules) -> bool:
    """Step 2; asked whenever, for all that everybody knows, the player may have a choice."""
    menus = scorable(state, rules)
    if menus == 0 or not could_hold(state, rules, state.player, menus):
        state.phase = Phase.DISCARD
        return False
    only = only_slot(state, rules, state.player, menus) if rules.forced else -1
    if only >= 0:
        score(state, rules, state.player, only)
    return only < 0


@rule
def discarding(state: State, rules: Rules) -> bool:
    """The end after the last space was filled, else step 3; True when some card may be discarded."""
    if all_filled(state, rules):
        finish(state, rules)
        return False
    if not state.scored:
        for s in range(HAND):
            if may_discard(state, rules, state.player, s):
                return True
    state.phase = Phase.DRAW
    return False


@rule
def drawing(state: State, rules: Rules) -> bool:
    """Step 4, then the next player's turn; True when another deck has to be chosen."""
    if refill(state, rules, state.player):
        return True
    begin_turn(state, seat_after(rules, state.player, 1))
    return False


@rule
def apply(state: State, rules: Rules, action: int) -> None:
    """Play one legal action of the seat to move, then go on."""
    seat = state.player
    if action < Action.ANNOUNCE:
        place(state, rules, seat, (action - Action.PLACE) // PIECES, (action - Action.PLACE) % PIECES)
    elif action < Action.SCORE:
        announce(state, rules, seat, (action - Action.ANNOUNCE) // DISHES, (action - Action.ANNOUNCE) % DISHES)
    elif action < Action.NO_SCORE:
        score(state, rules, seat, action - Action.SCORE)
    elif action == Action.NO_SCORE:
        score_nothing(state, rules, seat)
    elif action < Action.NO_DISCARD:
        discard(state, rules, seat, action - Action.DISCARD)
    elif action == Action.NO_DISCARD:
        state.phase = Phase.DRAW
    elif action < Action.GIVE_UP:
        draw(state, rules, seat, first_short_slot(state, seat), action - Action.DRAW)
    elif action < Action.MEMORISE:
        give_up(state, rules, seat, action - Action.GIVE_UP)
    elif action == Action.MEMORISE:
        state.step += 1
        state.player = seat_after(rules, seat, 1)
    else:
        cover(state, rules, action - Action.COVER)
    go_on(state, rules)


@rule
def legal_actions(state: State, rules: Rules, mask: Mask) -> None:
    """Mark what the seat to move may do."""
    seat = state.player
    if state.phase == Phase.TAKE:
        mark_main_actions(state, rules, seat, mask)
    elif state.phase == Phase.SCORE:
        menus = scorable(state, rules) & hand_mask(state, seat)
        for s in range(HAND):
            card = state.hand[seat, s]
            mask[Action.SCORE + s] = card >= 0 and has_bit(menus, max(card, 0))
        mask[Action.NO_SCORE] = menus == 0 or not rules.forced
    elif state.phase == Phase.DISCARD:
        for s in range(HAND):
            mask[Action.DISCARD + s] = may_discard(state, rules, seat, s)
        mask[Action.NO_DISCARD] = True
    elif state.phase == Phase.DRAW:
        for v in range(VALUES):
            mask[Action.DRAW + v] = state.deck_size[v] > 0
    elif state.phase == Phase.GIVE_UP:
        for c in range(rules.menus):
            mask[Action.GIVE_UP + c] = state.seen[c] == Seen.VALIDATED + seat
    elif state.phase == Phase.MEMORISE:
        mask[Action.MEMORISE] = True
    else:
        for x in range(CELLS):
            mask[Action.COVER + x] = may_cover(state, rules, x)


@rule
def mark_main_actions(state: State, rules: Rules, seat: int, mask: Mask) -> None:
    """Step 1: pieces on open spaces, calls of accessible orders (any of the four dishes, ruling 9)."""
    for x in range(CELLS):
        if open_space(state, rules, x):
            for piece in range(PIECES):
                mask[Action.PLACE + x * PIECES + piece] = has_piece(state, seat, piece)
        elif open_order(state, x):
            for call in range(DISHES):
                mask[Action.ANNOUNCE + x * DISHES + call] = True


# ---------------------------------------------------------------- what a seat cannot know


@rule
def determinize(state: State, rules: Rules, player: int) -> None:
    """Sample the others' hands and the decks; and, for players without memory, the orders under the cloches."""
    resample_menus(state, rules, player)
    if rules.recall or state.phase == Phase.COVER or state.phase == Phase.MEMORISE:
        return
    for x in range(CELLS):
        if state.order[x] >= 0:
            state.tokens[state.order[x]] += 1
            state.order[x] = UNSEEN_TOKEN
    for x in range(CELLS):
        if state.order[x] == UNSEEN_TOKEN:
            state.order[x] = draw_token(state)


# ---------------------------------------------------------------- the game


def facts(rules: Rules) -> Facts:
    """Bounds: as many turns as spaces, plus one for every order whose dish has run out."""
    players, orders = int(rules.players), int(rules.orders)
    turns = CELLS + orders
    own_turns = -(-turns // players)
    values = np.sort(rules.value[: rules.menus])[::-1]
    most = int(values[:own_turns].sum()) + orders * int(rules.order_points)
    if rules.eat != Eat.OFF:
        most += int(rules.distinct.max())
    if rules.gourmet:
        most += int(rules.most.sum()) + int(rules.toques) * int(rules.degree.max())
    return Facts(
        # setup; then step 1, 2, 3 and a choice of deck per card that leaves a hand; menus given up
        longest_game=(orders if rules.etiquette else 0) + players + 4 * turns + orders,
        points_min=0,
        points_max=most,
        points_scale=(0.04, 0.055, 0.07)[players - 2],
        hidden_information=True,
        chance=True,
        simultaneous=False,
    )


def pieces(rules: Rules, state: State) -> dict[str, np.ndarray]:
    """Dishes, toques by owner, Royal Orders by dish and Menu cards wherever they are: conserved over the game."""
    n = int(rules.players)
    on_board = np.array([(state.board == dish).sum() for dish in range(DISHES)])
    toques = [int(state.toques[p]) + int(((state.board == TOQUE) & (state.owner == p)).sum()) for p in range(n)]
    covered = np.array([(state.order == dish).sum() for dish in range(DISHES)])
    cards = np.zeros(int(rules.menus), int)
    for card in (*state.deck.ravel(), *state.hand[:n].ravel()):
        if card >= 0:
            cards[card] += 1
    cards += (state.seen[: rules.menus] >= Seen.VALIDATED) | (state.seen[: rules.menus] == Seen.ON_PILE)
    return {
        "dishes": state.kitchen + on_board,
        "toques": np.array(toques),
        "royal_orders": state.tokens + covered + state.lost + state.collected.sum(axis=0),
        "menus": cards,
    }


ALL_VARIANTS = {"gourmet": True, "etiquette": 8, "all_you_can_eat": "add", "hells_kitchen": True}

SPEC = GameSpec(
    name="banquet_royal",
    title="Banquet Royal",
    version="v0",
    min_players=2,
    max_players=4,
    state=STATE,
    rules=RULES,
    setup=setup,
    legal_actions=legal_actions,
    apply=apply,
    observe=observation.observe,
    determinize=determinize,
    make_rules=make_rules,
    actions=action_layout,
    observation=observation.observation_layout,
    facts=facts,
    action_text=display.action_text,
    describe=display.describe,
    draw=display.draw,
    place=display.place,
    pieces=pieces,
    components=Path(__file__).with_name("components.toml"),
    folder=Path(__file__).parent,
    options=(
        Option("gourmet", False, (False, True), "Gourmet: majorities of menus, points for toques"),
        Option("etiquette", 0, (0, 6, 8), "Proper Dining Etiquette: players place 6 or 8 Royal Orders; 0 is off"),
        Option(
            "all_you_can_eat",
            "off",
            ALL_YOU_CAN_EAT,
            "All You Can Eat: added to a point per order, or in place of it (ruling 23)",
        ),
        Option("hells_kitchen", False, (False, True), "Hell's Kitchen: a wrong call costs a validated menu"),
        Option("recall", "memory", ("memory", "perfect"), "Royal Orders: seen once at the start, or known throughout"),
        Option("toque", "toque", ("toque", "joker"), "whether a toque may stand for any dish in a menu (ruling 4)"),
        Option("scoring", "optional", ("optional", "forced"), "whether a completed menu must be validated (ruling 13)"),
        Option(
            "exhausted_order",
            "free",
            ("free", "closed"),
            "what becomes of the spot of an order whose dish ran out (ruling 10)",
        ),
    ),
    variants=(
        {},
        {"recall": "perfect"},
        {"gourmet": True},
        {"etiquette": 6},
        {"all_you_can_eat": "add"},
        {"all_you_can_eat": "replace", "hells_kitchen": True},
        {"hells_kitchen": True, "scoring": "forced"},
        {"toque": "joker", "scoring": "forced"},
        {"exhausted_order": "closed", "etiquette": 8},
        ALL_VARIANTS,
        {**ALL_VARIANTS, "recall": "perfect", "toque": "joker", "scoring": "forced", "exhausted_order": "closed"},
    ),
    asked_anyway=("memorise",),
    rare=("hand_values", "draw_value", "draw"),
    bounds=bounds,
    invariants=invariants,
    tests_in_an_agent="spatial planning with shared pieces, denying the next player, memory, counting cards",
    words=Wording(rules_text.rules_text, rules_text.move_forms, state_json.state_json, state_json.Position),
)
