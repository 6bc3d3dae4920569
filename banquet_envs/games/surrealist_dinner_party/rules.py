"""The rules of Surrealist Dinner Party, in the rulebook's order: setup, the four actions, the courses.

`apply` gives an answer to whatever asked for it (a stage of the game, or the running effect on top of the stack) and
goes on until somebody has to decide. A decision with one option is never asked: everything that options depend on is
public, the number of cards in a hand included.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy import int64 as wide

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.spec import Facts, GameSpec, Option, Wording
from banquet_envs.games.surrealist_dinner_party import display, invariants, observation, rules_text, state_json
from banquet_envs.games.surrealist_dinner_party.abilities import (
    guest_options,
    hand_token,
    kind_options,
    offer,
    run_ask,
    run_effect,
    run_token,
    start_departure,
    start_effect,
    usable_now,
)
from banquet_envs.games.surrealist_dinner_party.components import (
    COMPLIMENT,
    COURSES,
    DRAMA,
    HAND,
    KINDS,
    MODES,
    PLATE_ICON,
    PLAYERS,
    RULES,
    SEATS,
    WHEN_SEATED,
    make_rules,
    most_tokens,
)
from banquet_envs.games.surrealist_dinner_party.departures import (
    begin_last_departures,
    count_up,
    last_door_options,
    note_course,
    offer_social,
    run_events,
    run_home,
    run_last_departures,
    run_last_doors,
)
from banquet_envs.games.surrealist_dinner_party.hidden import (
    deal_faux_pas,
    deal_guests,
    determinize,
    keep_faux_pas,
    pick_card,
)
from banquet_envs.games.surrealist_dinner_party.state import (
    AFTER_FIRST_HALF,
    AFTER_PLATE,
    C_B,
    C_GUEST,
    C_KIND,
    C_LEFT,
    C_STEP,
    C_TOKEN,
    C_USER,
    C_X,
    CHOOSING_FAUX_PAS,
    DOOR,
    DRAFT,
    DRAFT_PICK,
    DRAFTING,
    F_EFFECT,
    F_EVENTS,
    F_HOME,
    F_SERVE,
    F_SOCIAL,
    F_TOKEN,
    FAUX_PAS_KEEP,
    GONE,
    HALF_CHOICE,
    HOME,
    KEEP,
    KIND,
    LAST_DEPARTURES,
    MAIN,
    MAIN_SIZE,
    NEXT_TURN,
    PLACE,
    PLATE,
    PLATE_CHOICE,
    PLATE_NEXT,
    PLAYING,
    REMOVE,
    SEAT,
    SECOND_HALF,
    SERVE,
    SOCIAL,
    STATE,
    STOP,
    TARGET,
    TOKEN,
    TURN_BEGINS,
    TURN_CAP,
    TURN_CHOICE,
    TURN_ENDS,
    WHERE,
    WHETHER,
    WHICH_GUEST,
    WHICH_KIND,
    WHICH_TOKEN,
    WHO_LEAVES,
    YES_NO,
    action_layout,
)
from banquet_envs.games.surrealist_dinner_party.table import (
    ask,
    clockwise,
    empty_colours,
    hear_events,
    left_at,
    left_of,
    platter_size,
    pop,
    push,
    right_at,
    right_of,
    room,
    take_from_platter,
    take_seat,
    token_choices,
)

# ---------------------------------------------------------------- setup


@rule
def setup(state: Any, rules: Any) -> None:
    """Deal guests and Faux Pas, fill the platter for Cocktails, draw the first player."""
    state.pack[:, :] = -1
    state.pick[:] = -1
    state.hand[:, :] = -1
    state.row[:, :] = -1
    state.last_row[:, :] = -1
    state.owner[:] = -1
    state.token[:, :] = -1
    state.last_taker = -1
    state.active = random_below(state, rules.players)
    state.stage = PLAYING
    if rules.faux_pas_used:
        state.stage = CHOOSING_FAUX_PAS
    deal_guests(state, rules)
    deal_faux_pas(state, rules)
    fill_platter(state, rules)
    go_on(state, rules)


@rule
def fill_platter(state: Any, rules: Any) -> None:
    """The running course's tokens, by number of players."""
    for kind in range(KINDS):
        state.platter[kind] = rules.menu[state.course, kind]
    state.last_taker = -1


# ---------------------------------------------------------------- a turn: exactly one of four actions


@rule
def begin_turn(state: Any, rules: Any) -> Any:
    """The active player chooses an action."""
    state.turn += 1
    state.turns[wide(state.active)] += 1
    if state.turn > TURN_CAP:
        state.capped = True
        count_up(state, rules)
        return False
    state.step = TURN_CHOICE
    return ask(state, wide(state.active), MAIN)


@rule
def choose_action(state: Any, rules: Any, a: Any) -> None:
    """Carry out the chosen action, or its first part."""
    state.step = TURN_ENDS
    if a < SOCIAL:
        play_half(state, rules, a)
        state.step = AFTER_FIRST_HALF
    elif a < SERVE:
        start_social(state, rules, a - SOCIAL)
    elif a < REMOVE:
        start_serving(state, a - SERVE)
    elif a < PLATE:
        take_from_platter(state, wide(state.active), a - REMOVE)
    else:
        state.plate_used[wide(state.active)] += 1
        use_plate(state, a - PLATE)


@rule
def play_half(state: Any, rules: Any, a: Any) -> None:
    """Action 1: seat one guest from the hand, or send one seated guest home."""
    p = wide(state.active)
    if a < HOME:
        slot, gap = (a - SEAT) // SEATS, (a - SEAT) % SEATS
        g = wide(state.hand[p, slot])
        state.hand[p, slot] = -1
        state.hand_size[p] -= 1
        take_seat(state, p, g, gap)
        state.first_half = 1
        if rules.abilities and rules.guests[g].trigger == WHEN_SEATED and usable_now(state, rules, g, p):
            offer(state, rules, g, wide(-1), wide(0))
    else:
        state.first_half = 2
        start_departure(state, wide(state.row[p, a - HOME]), wide(0))


@rule
def start_social(state: Any, rules: Any, a: Any) -> None:
    """Action 2: an own guest and a neighbour exchange compliments or start drama."""
    g = wide(state.row[wide(state.active), a // 4])
    f = push(state, F_SOCIAL, wide(state.active))
    state.frame[f, C_GUEST] = g
    state.frame[f, C_X] = a // 2 % 2  # the partner's side
    state.frame[f, C_LEFT] = left_of(state, rules, g) if a // 2 % 2 == 0 else right_of(state, rules, g)
    state.frame[f, C_TOKEN] = COMPLIMENT if a % 2 == 0 else DRAMA


@rule
def run_social(state: Any, rules: Any, f: Any) -> Any:
    """The own guest's token, the neighbour's, abilities that wait for them, the own guest's ability last."""
    step = wide(state.frame[f, C_STEP])
    kind = wide(state.frame[f, C_TOKEN])
    state.frame[f, C_STEP] = step + 1
    if step == 0:
        hand_token(state, wide(state.frame[f, C_GUEST]), kind, wide(state.active), wide(0), wide(0))
    elif step == 1:
        hand_token(state, wide(state.frame[f, C_LEFT]), kind, wide(state.active), wide(0), wide(0))
    elif step == 2:
        hear_events(state, wide(state.active))
    elif step == 3:
        offer_social(state, rules, f)
    else:
        pop(state)
    return False


@rule
def start_serving(state: Any, a: Any) -> None:
    """Action 3: a token from the platter to an own guest."""
    f = push(state, F_SERVE, wide(state.active))
    state.frame[f, C_GUEST] = wide(state.row[wide(state.active), a // KINDS])
    state.frame[f, C_TOKEN] = a % KINDS
    take_from_platter(state, wide(state.active), a % KINDS)


@rule
def run_serving(state: Any, f: Any) -> Any:
    """The guest's token, then abilities that wait for it."""
    step = wide(state.frame[f, C_STEP])
    state.frame[f, C_STEP] = step + 1
    if step == 0:
        hand_token(
            state, wide(state.frame[f, C_GUEST]), wide(state.frame[f, C_TOKEN]), wide(state.active), wide(0), wide(0)
        )
    elif step == 1:
        hear_events(state, wide(state.active))
    else:
        pop(state)
    return False


@rule
def use_plate(state: Any, seat: Any) -> None:
    """Action 4: one guest's plate ability; each guest once, in any order."""
    g = wide(state.row[wide(state.active), seat])
    state.plate_done |= 1 << g
    start_effect(state, g, wide(state.active), wide(0), wide(-1), wide(-1))
    state.step = AFTER_PLATE


@rule
def end_turn(state: Any, rules: Any) -> None:
    """The next player clockwise; or the next course, when the platter is empty."""
    state.first_half = 0
    state.plate_done = 0
    if platter_size(state) == 0:
        end_course(state, rules)
    else:
        state.active = clockwise(rules, wide(state.active), 1)
        state.step = TURN_BEGINS


@rule
def end_course(state: Any, rules: Any) -> None:
    """Refill; plate abilities may be used again; to the left of who took the last token. After Dessert: the end."""
    if state.course == COURSES - 1:
        begin_last_departures(state)
        return
    state.course += 1
    state.active = clockwise(rules, wide(state.last_taker), 1)
    fill_platter(state, rules)
    state.plate_used[:] = 0
    state.step = NEXT_TURN
    note_course(state, rules)
    hear_events(state, wide(state.active))


# ---------------------------------------------------------------- the flow


@rule
def go_on(state: Any, rules: Any) -> None:
    """Go on until somebody has a choice."""
    while not state.over:
        if state.depth > 0:
            asked = run_frame(state, rules, wide(state.depth) - 1)
        else:
            asked = run_stage(state, rules)
        if asked:
            if state.phase == MAIN and has_choice(state):
                return
            bits = options(state, rules)
            if bits & (bits - 1) != 0:
                return
            state.answer = lowest_bit(bits)


@rule
def has_choice(state: Any) -> Any:
    """Whether an action is a choice at first sight (it nearly always is): a guest to send home, a token to take."""
    p = wide(state.active)
    return state.turns[p] > 1 and state.seated[p] > 0 and platter_size(state) > 0


@rule
def lowest_bit(bits: Any) -> Any:
    """The number of the only bit set."""
    k = 0
    while bits & (1 << k) == 0:
        k += 1
    return k


@rule
def run_frame(state: Any, rules: Any, f: Any) -> Any:
    """One step of the running effect; True when somebody is asked."""
    kind = wide(state.frame[f, C_KIND])
    if kind == F_TOKEN:
        return run_token(state, rules, f)
    if kind == F_EFFECT:
        return run_effect(state, rules, f)
    if kind == F_EVENTS:
        return run_events(state, rules, f)
    if kind == F_HOME:
        return run_home(state, rules, f)
    if kind == F_SERVE:
        return run_serving(state, f)
    if kind == F_SOCIAL:
        return run_social(state, rules, f)
    return run_ask(state, rules, f)


@rule
def run_stage(state: Any, rules: Any) -> Any:
    """One step of the game while no effect is running; True when somebody is asked."""
    if state.stage == PLAYING:
        return run_turn(state, rules)
    if state.stage == DRAFTING:
        if state.draft_round < rules.hand_size and rules.hand_size > 1:
            return ask_next(state, DRAFT_PICK)
        return end_draft(state, rules)
    if state.stage == CHOOSING_FAUX_PAS:
        return ask_next(state, FAUX_PAS_KEEP)
    if state.stage == LAST_DEPARTURES:
        return run_last_departures(state, rules)
    return run_last_doors(state, rules)


@rule
def ask_next(state: Any, phase: Any) -> Any:
    """Simultaneous choices are asked seat by seat: `step` counts those made."""
    return ask(state, wide(state.step), phase)


@rule
def end_draft(state: Any, rules: Any) -> Any:
    """On to the Faux Pas, if there are any."""
    state.stage = CHOOSING_FAUX_PAS if rules.faux_pas_used else PLAYING
    state.step = 0
    return False


@rule
def run_turn(state: Any, rules: Any) -> Any:
    """One step of the active player's turn; True when it has to decide."""
    step = state.step
    if step == TURN_BEGINS:
        return begin_turn(state, rules)
    if step == TURN_CHOICE:
        choose_action(state, rules, wide(state.answer))
    elif step == AFTER_FIRST_HALF:
        state.step = HALF_CHOICE
        return ask(state, wide(state.active), SECOND_HALF)
    elif step == HALF_CHOICE:
        state.step = TURN_ENDS
        if wide(state.answer) != STOP:
            play_half(state, rules, wide(state.answer))
    elif step == AFTER_PLATE:
        state.step = PLATE_CHOICE
        return ask(state, wide(state.active), PLATE_NEXT)
    elif step == PLATE_CHOICE:
        state.step = TURN_ENDS
        if wide(state.answer) != STOP:
            use_plate(state, wide(state.answer) - PLATE)
    elif step == TURN_ENDS or platter_size(state) == 0:
        end_turn(state, rules)
    else:
        state.step = TURN_BEGINS
    return False


@rule
def apply(state: Any, rules: Any, action: Any) -> None:
    """Play one legal action of the seat to move, then go on."""
    answer = action - first_action(wide(state.phase))
    if state.phase == DRAFT_PICK:
        pick_card(state, rules, wide(state.player), answer)
    elif state.phase == FAUX_PAS_KEEP:
        keep_faux_pas(state, rules, wide(state.player), answer)
    else:
        state.answer = answer
    go_on(state, rules)


# ---------------------------------------------------------------- legal actions


@rule
def first_action(phase: Any) -> Any:
    """The first action number of a decision's block."""
    if phase == WHETHER:
        return YES_NO
    if phase == WHICH_KIND:
        return KIND
    if phase == WHICH_GUEST:
        return TARGET
    if phase == WHICH_TOKEN:
        return TOKEN
    if phase == WHERE:
        return PLACE
    if phase == DRAFT_PICK:
        return DRAFT
    if phase == FAUX_PAS_KEEP:
        return KEEP
    return 0


@rule
def legal_actions(state: Any, rules: Any, mask: Any) -> None:
    """Mark what the seat to move may do."""
    bits = options(state, rules)
    first = first_action(wide(state.phase))
    for k in range(min(MAIN_SIZE, len(mask) - first)):
        mask[first + k] = bits >> k & 1 != 0


@rule
def options(state: Any, rules: Any) -> Any:
    """What the asked seat may answer, as bits within the decision's block of actions."""
    phase = wide(state.phase)
    if phase == MAIN:
        return main_options(state, rules)
    if phase == SECOND_HALF:
        return half_options(state, rules) | 1 << STOP
    if phase == PLATE_NEXT:
        return plate_options(state, rules) | 1 << STOP
    if phase == WHO_LEAVES:
        return home_options(state, wide(state.player))
    if phase == DRAFT_PICK:
        return (1 << wide(rules.hand_size - state.draft_round)) - 1
    if phase == FAUX_PAS_KEEP:
        return 7
    if phase == WHETHER:
        return 3
    if state.depth == 0:  # WHICH_DOOR
        return wide(last_door_options(state, rules, wide(state.player))) << DOOR | 1 << STOP
    f = wide(state.depth) - 1
    if phase == WHICH_KIND:
        return kind_options(state, rules, f)
    if phase == WHICH_TOKEN:
        return token_choices(state, rules, wide(state.frame[f, C_B]))
    if phase == WHERE:
        return empty_colours(state, rules, wide(state.frame[f, C_GUEST]))
    return seat_bits(state, rules, wide(state.frame[f, C_USER]), guest_options(state, rules, f))


@rule
def seat_bits(state: Any, rules: Any, player: Any, guests: Any) -> Any:
    """A set of guests as seat numbers from a player's point of view."""
    bits = 0
    for k in range(rules.players):
        p = clockwise(rules, player, k)
        for s in range(state.seated[p]):
            bits |= (guests >> wide(state.row[p, s]) & 1) << (SEATS * k + s)
    return bits


@rule
def main_options(state: Any, rules: Any) -> Any:
    """The four actions. The own first turn must seat a guest."""
    p = wide(state.active)
    bits = seat_options(state, rules, p)
    if state.turns[p] == 1:
        return bits
    kinds = platter_options(state)
    bits |= home_options(state, p) | social_options(state, rules, p) | kinds << REMOVE
    for k in range(state.seated[p]):
        if room(state, rules, wide(state.row[p, k])) > 0:
            bits |= kinds << (SERVE + k * KINDS)
    if state.plate_used[p] < rules.plate_uses:
        bits |= plate_options(state, rules)
    return bits


@rule
def platter_options(state: Any) -> Any:
    """The kinds on the platter."""
    kinds = 0
    for kind in range(KINDS):
        kinds |= wide(state.platter[kind] > 0) << kind
    return kinds


@rule
def seat_options(state: Any, rules: Any, p: Any) -> Any:
    """Any card of the hand at any gap of the own row, up to the most guests a side holds."""
    bits = 0
    if state.seated[p] < rules.seats:
        gaps = (2 << wide(state.seated[p])) - 1
        for slot in range(HAND):
            if state.hand[p, slot] >= 0:
                bits |= gaps << (SEAT + slot * SEATS)
    return bits


@rule
def home_options(state: Any, p: Any) -> Any:
    """Any own seated guest."""
    return ((1 << wide(state.seated[p])) - 1) << HOME


@rule
def half_options(state: Any, rules: Any) -> Any:
    """The half of action 1 that has not been done."""
    if state.first_half == 1:
        return home_options(state, wide(state.active))
    return seat_options(state, rules, wide(state.active))


@rule
def social_options(state: Any, rules: Any, p: Any) -> Any:
    """Own guests with an empty appetite and each of their neighbours; one and the same neighbour is offered once."""
    bits = 0
    for k in range(wide(state.seated[p])):
        left = left_at(state, rules, p, k)
        if left >= 0 and room(state, rules, wide(state.row[p, k])) > 0:
            bits |= 3 << (SOCIAL + 4 * k)
            if right_at(state, rules, p, k) != left:
                bits |= 3 << (SOCIAL + 4 * k + 2)
    return bits


@rule
def plate_options(state: Any, rules: Any) -> Any:
    """Own guests whose plate ability would do something and has not been used in this action."""
    bits = 0
    p = wide(state.active)
    for k in range(state.seated[p] if rules.abilities else 0):
        g = wide(state.row[p, k])
        if rules.guests[g].icon == PLATE_ICON and state.plate_done & (1 << g) == 0 and usable_now(state, rules, g, p):
            bits |= 1 << (PLATE + k)
    return bits


# ---------------------------------------------------------------- the game


def facts(rules: Any) -> Facts:
    """Bounds from the cards: the largest guests, every bonus, the best additions to the stash, the best Faux Pas."""
    cards = sorted((int(c.points) for c in rules.faux_pas[: int(rules.num_faux_pas)]), reverse=True)
    extra = sum(cards[: 2 * int(rules.players)]) if rules.faux_pas_used else 0
    return Facts(
        longest_game=TURN_CAP * DECISIONS_PER_TURN,
        points_min=0,
        points_max=min(most_tokens(rules) * int(rules.token_points) + extra, int(np.iinfo(np.int16).max)),
        points_scale=1 / 30,
        hidden_information=True,
        chance=False,
        simultaneous=bool(rules.draft or rules.faux_pas_used),
        can_be_capped=True,
    )


DECISIONS_PER_TURN = 60
"""A generous mean over a whole game: random games take about 1.5 decisions a turn, setup and end included."""


def pieces(rules: Any, state: Any) -> dict[str, Any]:
    """In how many places each guest and each Faux Pas is: packs, hands, the table, gone home, the box."""
    n, size, guests = int(rules.players), int(rules.hand_size), int(rules.num_guests)
    places = np.zeros(guests, int)
    dealt = np.zeros(guests, bool)
    for k in range(n):
        dealt[state.pack[k, :size]] = True
        if state.stage == DRAFTING:
            places[state.pack[k, int(state.draft_round) : size]] += 1
    for where in (state.hand[:n], state.row[:n]):
        for g in where[where >= 0]:
            places[g] += 1
    places += state["where"][:guests] == GONE
    places[~dealt] += 1
    faux = np.zeros(int(rules.num_faux_pas), int)
    for i in state.faux_pas_dealt[:n].ravel():
        if i >= 0:
            faux[i] += 1
    return {"guests": places, "faux pas dealt": np.array([faux.sum(), faux.max(initial=0)])}


SPEC = GameSpec(
    name="surrealist_dinner_party",
    title="Surrealist Dinner Party",
    version="v0",
    min_players=2,
    max_players=PLAYERS,
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
        Option(
            "mode",
            "normal",
            MODES,
            "casual: no abilities; normal; faux_pas or draft: normal with one advanced part; advanced: both",
        ),
        Option("swap_places", "owner", ("owner", "swapper"), "who puts swapped tokens on appetites (ruling K4)"),
    ),
    variants=(*({"mode": mode} for mode in MODES), {"mode": "advanced", "swap_places": "swapper"}),
    rare=("last_row", "door"),
    tests_in_an_agent="timing, spoiling neighbours, choices in others' turns, many small abilities, drafting",
    words=Wording(
        rules_text.rules_text, rules_text.move_forms, state_json.state_json, state_json.Position, rules_text.public_text
    ),
)
