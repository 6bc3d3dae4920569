"""The rules of The Great Evening Banquet, in the rulebook's order and words.

`apply` goes on until somebody has to decide. Own tiles are numbered 0-5 in the seat's own geometry (components.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, shuffle
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.seats import seat_after
from banquet_envs.core.spec import Facts, GameSpec, Option, Wording
from banquet_envs.core.types import Cells, Mask, Rules, State
from banquet_envs.games.great_evening_banquet import display, invariants, observation, rules_text, state_json
from banquet_envs.games.great_evening_banquet.components import KINDS, MAX_VALUE, PHOTOS, RULES, TILES, make_rules
from banquet_envs.games.great_evening_banquet.scoring import (
    around_tile,
    best_photos,
    best_tile,
    guests_of,
    in_area,
    insert_sorted,
    open_spaces,
    photo_count,
    tile_points,
)
from banquet_envs.games.great_evening_banquet.state import STATE, Action, Phase, action_layout

# ---------------------------------------------------------------- Setup


@rule
def setup(state: State, rules: Rules) -> None:
    """Setup, steps 1 to 6, and on to the first decision."""
    for kind in range(KINDS):
        state.bag[kind] = rules.bag[kind]
        state.bag_size += rules.bag[kind]
    for value in range(MAX_VALUE + 1):
        state.cards_left[value] = rules.cards[value]
    state.chamber[:, :] = -1
    state.salon[:] = -1
    state.salon_pick = -1
    place_vip_tiles(state, rules)
    flip_arrival_card(state)
    for _ in range(4):
        insert_sorted(state.salon, 0, 4, draw_token(state))
    first = random_below(state, rules.players)
    set_clockwise_order(state, rules, first)
    for k in range(rules.players):  # ruling 17: markers lie on 0 in turn order, the last player's on top
        arrive(state, state.order[k])
    state.round_number = 1
    prepare_guest_tokens(state, rules)
    go_on(state, rules)


@rule
def place_vip_tiles(state: State, rules: Rules) -> None:
    """Step 2: default placement, or Random VIP placement: the same letter at the same physical position for all."""
    for seat in range(rules.players):
        for t in range(TILES):
            state.letter[seat, t] = rules.letter[seat, t]
    if rules.random_vip:
        shuffle(state, state.letter[0], TILES)
        for seat in range(1, rules.players):
            for t in range(TILES):
                for u in range(TILES):
                    if rules.position[0, u] == rules.position[seat, t]:
                        state.letter[seat, t] = state.letter[0, u]


@rule
def flip_arrival_card(state: State) -> None:
    """Reveal the next Arrival Card. The deck's order is drawn when it is needed; its values are known to all."""
    left = 0
    for value in range(MAX_VALUE + 1):
        left += state.cards_left[value]
    pick = random_below(state, left)
    for value in range(MAX_VALUE + 1):
        if pick < state.cards_left[value]:
            state.card = value
            state.cards_left[value] -= 1
            return
        pick -= state.cards_left[value]


@rule
def draw_token(state: State) -> int:
    """One Guest Token drawn from the bag at random."""
    pick = random_below(state, state.bag_size)
    kind = 0
    while pick >= state.bag[kind]:
        pick -= state.bag[kind]
        kind += 1
    state.bag[kind] -= 1
    state.bag_size -= 1
    return kind


@rule
def set_clockwise_order(state: State, rules: Rules, first: int) -> None:
    """The first player, then clockwise."""
    for k in range(rules.players):
        state.order[k] = seat_after(rules, first, k)


@rule
def arrive(state: State, seat: int) -> None:
    """The seat's Point Marker has just reached its space: it lies on top."""
    state.arrivals += 1
    state.arrival[seat] = state.arrivals


# ---------------------------------------------------------------- Phase 1. Prepare Guest Tokens


@rule
def prepare_guest_tokens(state: State, rules: Rules) -> None:
    """Place tokens from the bag on the carriages, as many on each as the Arrival Card shows."""
    state.carriages = carriages_in_use(state, rules)
    state.carriage[:, :] = -1
    state.taken_by[:] = -1
    state.taken[:] = -1
    state.plan[:, :] = -1
    state.planned[:] = 0
    for c in range(state.carriages):
        load_carriage(state, c)
    state.phase = Phase.CHOOSE_CARRIAGE
    state.turn = 0


@rule
def carriages_in_use(state: State, rules: Rules) -> int:
    """One per player. Solo Mode: two in odd rounds, one in even ones; the final round depends on the score."""
    if rules.players > 1:
        return rules.players
    if state.final:
        return rules.solo_at_or_above if state.points[0] >= rules.solo_threshold else rules.solo_below
    return rules.solo_odd if state.round_number % 2 == 1 else rules.solo_even


@rule
def load_carriage(state: State, c: int) -> None:
    """Fill one carriage to the card's value."""
    for _ in range(state.card):
        insert_sorted(state.carriage[c], 0, MAX_VALUE, draw_token(state))


# ---------------------------------------------------------------- Phase 2. Select and Take a Carriage Tile


@rule
def may_redraw(state: State, rules: Rules) -> bool:
    """Solo Mode: at most twice per game (ruling S5), in any round (S6; option solo_redraw="odd" restricts it)."""
    if rules.players > 1 or state.redraws >= rules.redraws:
        return False
    return state.round_number % 2 == 1 or not rules.redraw_odd_only


@rule
def take_carriage(state: State, seat: int, c: int) -> None:
    """Take the carriage with the tokens on it."""
    state.taken_by[c] = seat
    state.taken[seat] = c
    state.turn += 1


@rule
def redraw(state: State, c: int) -> None:
    """Solo Mode: all tokens of one carriage leave the game, then it is filled again."""
    empty_into_box(state, c)
    load_carriage(state, c)
    state.redraws += 1


@rule
def empty_into_box(state: State, c: int) -> None:
    """The tokens on a carriage leave the game."""
    for k in range(MAX_VALUE):
        if state.carriage[c, k] >= 0:
            state.box[state.carriage[c, k]] += 1
            state.carriage[c, k] = -1


@rule
def only_choice_of_carriage(state: State, rules: Rules) -> int:
    """The carriage that must be taken, or -1 when there is a choice."""
    if may_redraw(state, rules):
        return -1
    free = -1
    for c in range(state.carriages):
        if state.taken_by[c] < 0:
            if free >= 0:
                return -1
            free = c
    return free


# ---------------------------------------------------------------- Phase 3. Place Guest Tokens


@rule
def only_place(state: State, rules: Rules, seat: int) -> int:
    """The only space class with room when that is publicly known, else -1.

    What a seat has placed in this phase is its secret, so with several players only the chamber as everybody sees it
    counts. Two exceptions: alone, there is nobody to keep a secret from; and for the last guest of the final round one
    space is left, wherever the others were seated.
    """
    last = state.final == 1 and state.planned[seat] == state.card - 1
    only = -1
    for c in range(rules.num_classes):
        if open_spaces(state, rules, seat, c, rules.players == 1 or last) > 0:
            if only >= 0:
                return -1
            only = c
    return only


@rule
def plan_guest(state: State, seat: int, c: int) -> None:
    """Seat the next token of the own carriage in class `c`; the others see it when all have placed."""
    state.plan[seat, state.planned[seat]] = c
    state.planned[seat] += 1
    if state.planned[seat] == state.card:
        state.turn += 1


@rule
def show_placements(state: State, rules: Rules) -> None:
    """All have placed: the tokens are in the chambers for everybody to see."""
    for seat in range(rules.players):
        for k in range(state.card):
            c = state.plan[seat, k]
            token = state.carriage[state.taken[seat], k]
            insert_sorted(state.chamber[seat], rules.class_start[seat, c], rules.class_start[seat, c + 1], token)
            state.plan[seat, k] = -1
            state.carriage[state.taken[seat], k] = -1
        state.planned[seat] = 0
    for c in range(state.carriages):  # Solo Mode: the carriage that was not chosen (ruling S3)
        empty_into_box(state, c)


# ---------------------------------------------------------------- Phase 4. Complete VIP Tiles


@rule
def complete_vip_tiles(state: State, rules: Rules) -> None:
    """In turn order, score and flip every completed tile."""
    for k in range(rules.players):
        seat = state.order[k]
        for t in range(TILES):
            counts = around_tile(state, rules, seat, t)
            if not state.scored[seat, t] and guests_of(counts) == 4:
                points = tile_points(rules, seat, state.letter[seat, t], counts)
                state.tile_points[seat, t] = points
                state.scored[seat, t] = 1
                move_marker(state, seat, points)


@rule
def move_marker(state: State, seat: int, points: int) -> None:
    """Advance the marker; it lies on top of those already there. One that does not move keeps its place."""
    if points > 0:
        state.points[seat] += points
        arrive(state, seat)


# ---------------------------------------------------------------- Phase 5. Use the Grand Salon


@rule
def must_use_salon(state: State, rules: Rules, seat: int) -> bool:
    """For the first time at 10 points or more: mandatory, once per game."""
    return state.points[seat] >= rules.salon_trigger and not state.salon_used[seat]


@rule
def same_as_earlier(tokens: Cells, start: int, k: int) -> bool:
    """Whether an identical token stands earlier in the same group: only the first of equals is offered."""
    return k > start and tokens[k - 1] == tokens[k]


@rule
def only_salon_guest(state: State) -> int:
    """The slot to take when all four tokens of the Grand Salon are identical, else -1."""
    return 0 if state.salon[0] == state.salon[3] else -1


@rule
def choose_salon_guest(state: State, slot: int) -> None:
    """Choose one of the Grand Salon's four; an own token is exchanged for it next."""
    state.salon_pick = slot
    state.phase = Phase.SALON_GIVE


@rule
def may_give(state: State, rules: Rules, seat: int, space: int) -> bool:
    """Whether the token in the own `space` is offered for exchange: the first of equals in its space class."""
    start = rules.class_start[seat, rules.space_class[seat, space]]
    return state.chamber[seat, space] >= 0 and not same_as_earlier(state.chamber[seat], start, space)


@rule
def only_own_guest(state: State, rules: Rules, seat: int) -> int:
    """The space to give from when all own tokens are identical and sit together, else -1."""
    only = -1
    for space in range(rules.num_spaces):
        if may_give(state, rules, seat, space):
            if only >= 0:
                return -1
            only = space
    return only


@rule
def exchange(state: State, rules: Rules, seat: int, space: int) -> None:
    """Exchange the chosen token of the Grand Salon for the own token in `space`; both ways (ruling 11)."""
    given = state.chamber[seat, space]
    got = state.salon[state.salon_pick]
    c = rules.space_class[seat, space]
    remove_sorted(state.chamber[seat], space, rules.class_start[seat, c + 1])
    insert_sorted(state.chamber[seat], rules.class_start[seat, c], rules.class_start[seat, c + 1], got)
    remove_sorted(state.salon, state.salon_pick, 4)
    insert_sorted(state.salon, 0, 4, given)
    state.salon_used[seat] = 1
    state.salon_pick = -1
    state.phase = Phase.SALON_TAKE
    state.turn += 1


@rule
def remove_sorted(tokens: Cells, at: int, stop: int) -> None:
    """Take out the token at `at`; those behind it move up."""
    for k in range(at, stop - 1):
        tokens[k] = tokens[k + 1]
    tokens[stop - 1] = -1


# ---------------------------------------------------------------- Phase 6. Prepare the Next Round


@rule
def prepare_next_round(state: State, rules: Rules) -> None:
    """Flip the next card and pass the bag; when the Final Round Card shows, order by score."""
    flip_arrival_card(state)
    state.round_number += 1
    left = 0
    for value in range(MAX_VALUE + 1):
        left += state.cards_left[value]
    if left == 0:  # ruling 1: under the last Arrival Card lies the Final Round Card
        state.final = 1
        set_final_order(state, rules)
    else:
        set_clockwise_order(state, rules, seat_after(rules, state.order[0], 1))
    prepare_guest_tokens(state, rules)


@rule
def set_final_order(state: State, rules: Rules) -> None:
    """Special Rules for the Final Round: from the lowest score; on a tie the marker on top is the lower."""
    for seat in range(rules.players):
        before = 0
        for other in range(rules.players):
            if other != seat and (
                state.points[other] < state.points[seat]
                or (state.points[other] == state.points[seat] and state.arrival[other] > state.arrival[seat])
            ):
                before += 1
        state.order[before] = seat


# ---------------------------------------------------------------- Commemorative Photo Bonus Scoring


@rule
def final_scoring(state: State, rules: Rules) -> None:
    """Photo tiles 1 to 5, Solo Mode's penalty, the winner."""
    for seat in range(rules.players):
        for j in range(PHOTOS):
            count = photo_count(rules, seat, j, in_area(state, rules, seat, j))
            state.photo_points[seat, j] = rules.photo_worth[j, count]
            state.points[seat] += state.photo_points[seat, j]
    if rules.players == 1:
        state.points[0] -= rules.redraw_penalty[state.redraws]
    rank_players(state, rules)
    state.over = True


@rule
def rank_players(state: State, rules: Rules) -> None:
    """Most points, then most flipped photo tiles, then shared."""
    for seat in range(rules.players):
        flipped = 0
        for j in range(PHOTOS):
            if state.photo_points[seat, j] > 0:
                flipped += 1
        state.rank_key[seat] = state.points[seat] * (PHOTOS + 1) + flipped
    rank_by(state, rules.players, state.rank_key)


# ---------------------------------------------------------------- the flow


@rule
def go_on(state: State, rules: Rules) -> None:
    """Go on through everything that nobody decides, until a seat has to."""
    while not state.over:
        if state.phase == Phase.CHOOSE_CARRIAGE:
            if choosing(state, rules):
                return
        elif state.phase == Phase.PLACE_GUEST:
            if placing(state, rules):
                return
        elif visiting_salon(state, rules):
            return


@rule
def choosing(state: State, rules: Rules) -> bool:
    """Phase 2; True when a seat has to decide."""
    if state.turn == rules.players:
        state.phase = Phase.PLACE_GUEST
        state.turn = 0
        return False
    state.player = state.order[state.turn]
    only = only_choice_of_carriage(state, rules)
    if only >= 0:
        take_carriage(state, state.player, only)
    return only < 0


@rule
def placing(state: State, rules: Rules) -> bool:
    """Phase 3, then phase 4; True when a seat has to decide."""
    if state.turn == rules.players:
        show_placements(state, rules)
        complete_vip_tiles(state, rules)
        state.phase = Phase.SALON_TAKE
        state.turn = 0
        return False
    state.player = state.order[state.turn]
    only = only_place(state, rules, state.player)
    if only >= 0:
        plan_guest(state, state.player, only)
    return only < 0


@rule
def visiting_salon(state: State, rules: Rules) -> bool:
    """Phase 5, then phase 6 or the end; True when a seat has to decide."""
    while state.turn < rules.players and not must_use_salon(state, rules, state.order[state.turn]):
        state.turn += 1
    if state.turn == rules.players:
        if state.final:
            final_scoring(state, rules)
        else:
            prepare_next_round(state, rules)
        return False
    state.player = state.order[state.turn]
    if state.phase == Phase.SALON_TAKE and only_salon_guest(state) >= 0:
        choose_salon_guest(state, only_salon_guest(state))
    if state.phase == Phase.SALON_TAKE:
        return True
    only = only_own_guest(state, rules, state.player)
    if only >= 0:
        exchange(state, rules, state.player, only)
    return only < 0


@rule
def apply(state: State, rules: Rules, action: int) -> None:
    """Play one legal action of the seat to move, then go on."""
    seat = state.player
    if action >= Action.PLACE:
        plan_guest(state, seat, action - Action.PLACE)
    elif action >= Action.GIVE:
        exchange(state, rules, seat, action - Action.GIVE)
    elif action >= Action.SALON:
        choose_salon_guest(state, action - Action.SALON)
    elif action >= Action.REDRAW:
        redraw(state, action - Action.REDRAW)
    else:
        take_carriage(state, seat, action - Action.TAKE)
    go_on(state, rules)


@rule
def legal_actions(state: State, rules: Rules, mask: Mask) -> None:
    """Mark what the seat to move may do."""
    seat = state.player
    if state.phase == Phase.CHOOSE_CARRIAGE:
        for c in range(state.carriages):
            mask[Action.TAKE + c] = state.taken_by[c] < 0
            if may_redraw(state, rules):
                mask[Action.REDRAW + c] = True
    elif state.phase == Phase.PLACE_GUEST:
        for c in range(rules.num_classes):
            mask[Action.PLACE + c] = open_spaces(state, rules, seat, c, True) > 0
    elif state.phase == Phase.SALON_TAKE:
        for k in range(4):
            mask[Action.SALON + k] = not same_as_earlier(state.salon, 0, k)
    else:
        for space in range(rules.num_spaces):
            mask[Action.GIVE + space] = may_give(state, rules, seat, space)


# ---------------------------------------------------------------- what a seat cannot know


@rule
def determinize(state: State, rules: Rules, player: int) -> None:
    """Sample the others' placements of a running phase 3, each uniformly over what was legal.

    Bag and deck need nothing: their contents are public by subtraction and they are drawn when needed, from the random
    stream, which has been replaced.
    """
    if state.phase != Phase.PLACE_GUEST:
        return
    for seat in range(rules.players):
        if seat != player and state.planned[seat] > 0:
            count = state.planned[seat]
            state.planned[seat] = 0
            state.plan[seat, :] = -1
            for k in range(count):
                state.plan[seat, k] = random_open_class(state, rules, seat)
                state.planned[seat] += 1


@rule
def random_open_class(state: State, rules: Rules, seat: int) -> int:
    """A uniformly chosen space class with room."""
    count = 0
    for c in range(rules.num_classes):
        if open_spaces(state, rules, seat, c, True) > 0:
            count += 1
    pick = random_below(state, count)
    for c in range(rules.num_classes):
        if open_spaces(state, rules, seat, c, True) > 0:
            if pick == 0:
                return c
            pick -= 1
    return -1


# ---------------------------------------------------------------- the game


def facts(rules: Rules) -> Facts:
    """Bounds: a tile is worth at most 12, photos 2 + 4 + 4 + 6 + 3 (Expert Rules: 2 + 4 + 4 + 5 + 3).

    Decisions: every carriage but a round's last (alone each, and the redraws), every guest but the last, the salon's two.
    """
    n, solo = int(rules.players), rules.players == 1
    photos = int(best_photos(rules)[:n].sum(axis=1).max())
    carriages = int(rules.rounds) * (n - 1) if n > 1 else int(rules.rounds + rules.redraws)
    return Facts(
        longest_game=carriages + n * (int(rules.num_spaces) - 1 + 2),
        points_min=-int(rules.redraw_penalty.max()) if solo else 0,
        points_max=TILES * best_tile(rules) + photos,
        points_scale=0.02,
        hidden_information=n > 1,
        chance=True,
        simultaneous=n > 1,
    )


def pieces(rules: Rules, state: State) -> dict[str, Any]:
    """Guest Tokens by kind wherever they are, and Arrival Cards by value: conserved over the game."""
    tokens = state.bag.astype(int) + state.box
    for where in (state.carriage, state.chamber[: rules.players], state.salon):
        for kind in where.ravel():
            if kind >= 0:
                tokens[kind] += 1
    return {"tokens": tokens, "cards": np.array([state.cards_left.sum() + state.round_number])}


SPEC = GameSpec(
    name="great_evening_banquet",
    title="The Great Evening Banquet",
    version="v0",
    min_players=1,
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
    bounds=invariants.bounds,
    invariants=invariants.invariants,
    components=Path(__file__).with_name("components.toml"),
    folder=Path(__file__).parent,
    options=(
        Option("expert", False, (False, True), "Expert Rules: 7 rounds, six spaces shared by two VIP tiles"),
        Option("random_vip", False, (False, True), "Random VIP Tile placement: letters shuffled, the same for all"),
        Option("solo_redraw", "all", ("all", "odd"), "Solo Mode: rounds in which a redraw is allowed (ruling S6)"),
    ),
    variants=(
        {},
        {"expert": True},
        {"random_vip": True, "solo_redraw": "odd"},
        {"expert": True, "random_vip": True},
    ),
    tests_in_an_agent="drafting under shared chance, counting, long-term set building; solo score play",
    words=Wording(
        rules_text.rules_text, rules_text.move_forms, state_json.state_json, state_json.Position, rules_text.public_text
    ),
)
