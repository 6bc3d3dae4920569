"""The rules of Surrealist Dinner Party, in the rulebook's order: setup, the four actions, the courses.

`apply` gives an answer to whatever asked for it (a stage of the game, or the running effect on top of the stack) and
goes on until somebody has to decide. A decision with one option is never asked: everything that options depend on is
public, the number of cards in a hand included.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.seats import seat_after
from banquet_envs.core.spec import Facts, GameSpec, Option, Wording
from banquet_envs.core.types import Mask, Rules, State
from banquet_envs.games.surrealist_dinner_party import (
    abilities,
    departures,
    display,
    hidden,
    invariants,
    observation,
    rules_text,
    state_json,
)
from banquet_envs.games.surrealist_dinner_party.components import (
    COURSES,
    HAND,
    KINDS,
    MODES,
    PLAYERS,
    RULES,
    SEATS,
    Icon,
    Kind,
    Trigger,
    make_rules,
    most_tokens,
)
from banquet_envs.games.surrealist_dinner_party.state import (
    MAIN_SIZE,
    STATE,
    TURN_CAP,
    WAYS,
    Action,
    Column,
    Effect,
    Phase,
    Stage,
    Step,
    Where,
    action_layout,
)
from banquet_envs.games.surrealist_dinner_party.table import (
    ask,
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
def setup(state: State, rules: Rules) -> None:
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
    state.stage = Stage.PLAYING
    if rules.faux_pas_used:
        state.stage = Stage.CHOOSING_FAUX_PAS
    hidden.deal_guests(state, rules)
    hidden.deal_faux_pas(state, rules)
    fill_platter(state, rules)
    go_on(state, rules)


@rule
def fill_platter(state: State, rules: Rules) -> None:
    """The running course's tokens, by number of players."""
    for kind in range(KINDS):
        state.platter[kind] = rules.menu[state.course, kind]
    state.last_taker = -1


# ---------------------------------------------------------------- a turn: exactly one of four actions


@rule
def begin_turn(state: State, rules: Rules) -> bool:
    """The active player chooses an action."""
    state.turn += 1
    state.turns[state.active] += 1
    if state.turn > TURN_CAP:
        state.capped = True
        departures.count_up(state, rules)
        return False
    state.step = Step.TURN_CHOICE
    return ask(state, state.active, Phase.MAIN)


@rule
def choose_action(state: State, rules: Rules, a: int) -> None:
    """Carry out the chosen action, or its first part."""
    state.step = Step.TURN_ENDS
    if a < Action.SOCIAL:
        play_half(state, rules, a)
        state.step = Step.AFTER_FIRST_HALF
    elif a < Action.SERVE:
        start_social(state, rules, a - Action.SOCIAL)
    elif a < Action.REMOVE:
        start_serving(state, a - Action.SERVE)
    elif a < Action.PLATE:
        take_from_platter(state, state.active, a - Action.REMOVE)
    else:
        state.plate_used[state.active] += 1
        use_plate(state, a - Action.PLATE)


@rule
def play_half(state: State, rules: Rules, a: int) -> None:
    """Action 1: seat one guest from the hand, or send one seated guest home."""
    p = state.active
    if a < Action.SEND_HOME:
        slot, gap = (a - Action.SEAT) // SEATS, (a - Action.SEAT) % SEATS
        g = state.hand[p, slot]
        state.hand[p, slot] = -1
        state.hand_size[p] -= 1
        take_seat(state, p, g, gap)
        state.first_half = 1
        if rules.abilities and rules.guests[g].trigger == Trigger.SEATED and abilities.usable_now(state, rules, g, p):
            abilities.offer(state, rules, g, -1, 0)
    else:
        state.first_half = 2
        abilities.start_departure(state, state.row[p, a - Action.SEND_HOME], 0)


@rule
def start_social(state: State, rules: Rules, a: int) -> None:
    """Action 2: an own guest and a neighbour exchange compliments or start drama."""
    g = state.row[state.active, a // WAYS]
    f = push(state, Effect.SOCIAL, state.active)
    state.frame[f, Column.GUEST] = g
    state.frame[f, Column.X] = a // 2 % 2  # the partner's side
    state.frame[f, Column.LEFT] = left_of(state, rules, g) if a // 2 % 2 == 0 else right_of(state, rules, g)
    state.frame[f, Column.TOKEN] = Kind.COMPLIMENT if a % 2 == 0 else Kind.DRAMA


@rule
def run_social(state: State, rules: Rules, f: int) -> bool:
    """The own guest's token, the neighbour's, abilities that wait for them, the own guest's ability last."""
    step = state.frame[f, Column.STEP]
    kind = state.frame[f, Column.TOKEN]
    state.frame[f, Column.STEP] = step + 1
    if step == 0:
        abilities.hand_token(state, state.frame[f, Column.GUEST], kind, state.active, 0, 0)
    elif step == 1:
        abilities.hand_token(state, state.frame[f, Column.LEFT], kind, state.active, 0, 0)
    elif step == 2:
        hear_events(state, state.active)
    elif step == 3:
        departures.offer_social(state, rules, f)
    else:
        pop(state)
    return False


@rule
def start_serving(state: State, a: int) -> None:
    """Action 3: a token from the platter to an own guest."""
    f = push(state, Effect.SERVE, state.active)
    state.frame[f, Column.GUEST] = state.row[state.active, a // KINDS]
    state.frame[f, Column.TOKEN] = a % KINDS
    take_from_platter(state, state.active, a % KINDS)


@rule
def run_serving(state: State, f: int) -> bool:
    """The guest's token, then abilities that wait for it."""
    step = state.frame[f, Column.STEP]
    state.frame[f, Column.STEP] = step + 1
    if step == 0:
        abilities.hand_token(state, state.frame[f, Column.GUEST], state.frame[f, Column.TOKEN], state.active, 0, 0)
    elif step == 1:
        hear_events(state, state.active)
    else:
        pop(state)
    return False


@rule
def use_plate(state: State, seat: int) -> None:
    """Action 4: one guest's plate ability; each guest once, in any order."""
    g = state.row[state.active, seat]
    state.plate_done |= 1 << int(g)
    abilities.start_effect(state, g, state.active, 0, -1, -1)
    state.step = Step.AFTER_PLATE


@rule
def end_turn(state: State, rules: Rules) -> None:
    """The next player clockwise; or the next course, when the platter is empty."""
    state.first_half = 0
    state.plate_done = 0
    if platter_size(state) == 0:
        end_course(state, rules)
    else:
        state.active = seat_after(rules, state.active, 1)
        state.step = Step.TURN_BEGINS


@rule
def end_course(state: State, rules: Rules) -> None:
    """Refill; plate abilities may be used again; to the left of who took the last token. After Dessert: the end."""
    if state.course == COURSES - 1:
        departures.begin_last_departures(state)
        return
    state.course += 1
    state.active = seat_after(rules, state.last_taker, 1)
    fill_platter(state, rules)
    state.plate_used[:] = 0
    state.step = Step.NEXT_TURN
    departures.note_course(state, rules)
    hear_events(state, state.active)


# ---------------------------------------------------------------- the flow


@rule
def go_on(state: State, rules: Rules) -> None:
    """Go on until somebody has a choice."""
    while not state.over:
        if state.depth > 0:
            asked = run_frame(state, rules, state.depth - 1)
        else:
            asked = run_stage(state, rules)
        if asked:
            if state.phase == Phase.MAIN and has_choice(state):
                return
            bits = options(state, rules)
            if bits & (bits - 1) != 0:
                return
            state.answer = lowest_bit(bits)


@rule
def has_choice(state: State) -> bool:
    """Whether an action is a choice at first sight (it nearly always is): a guest to send home, a token to take."""
    p = state.active
    return state.turns[p] > 1 and state.seated[p] > 0 and platter_size(state) > 0


@rule
def lowest_bit(bits: int) -> int:
    """The number of the only bit set."""
    k = 0
    while bits & (1 << k) == 0:
        k += 1
    return k


@rule
def run_frame(state: State, rules: Rules, f: int) -> bool:
    """One step of the running effect; True when somebody is asked."""
    kind = state.frame[f, Column.KIND]
    if kind == Effect.TOKEN:
        return abilities.run_token(state, rules, f)
    if kind == Effect.ABILITY:
        return abilities.run_effect(state, rules, f)
    if kind == Effect.EVENTS:
        return departures.run_events(state, rules, f)
    if kind == Effect.HOME:
        return departures.run_home(state, rules, f)
    if kind == Effect.SERVE:
        return run_serving(state, f)
    if kind == Effect.SOCIAL:
        return run_social(state, rules, f)
    return abilities.run_ask(state, rules, f)


@rule
def run_stage(state: State, rules: Rules) -> bool:
    """One step of the game while no effect is running; True when somebody is asked."""
    if state.stage == Stage.PLAYING:
        return run_turn(state, rules)
    if state.stage == Stage.DRAFTING:
        if state.draft_round < rules.hand_size and rules.hand_size > 1:
            return ask_next(state, Phase.DRAFT_PICK)
        return end_draft(state, rules)
    if state.stage == Stage.CHOOSING_FAUX_PAS:
        return ask_next(state, Phase.FAUX_PAS_KEEP)
    if state.stage == Stage.LAST_DEPARTURES:
        return departures.run_last_departures(state, rules)
    return departures.run_last_doors(state, rules)


@rule
def ask_next(state: State, phase: int) -> bool:
    """Simultaneous choices are asked seat by seat: `step` counts those made."""
    return ask(state, state.step, phase)


@rule
def end_draft(state: State, rules: Rules) -> bool:
    """On to the Faux Pas, if there are any."""
    state.stage = Stage.CHOOSING_FAUX_PAS if rules.faux_pas_used else Stage.PLAYING
    state.step = 0
    return False


@rule
def run_turn(state: State, rules: Rules) -> bool:
    """One step of the active player's turn; True when it has to decide."""
    step = state.step
    if step == Step.TURN_BEGINS:
        return begin_turn(state, rules)
    if step == Step.TURN_CHOICE:
        choose_action(state, rules, state.answer)
    elif step == Step.AFTER_FIRST_HALF:
        state.step = Step.HALF_CHOICE
        return ask(state, state.active, Phase.SECOND_HALF)
    elif step == Step.HALF_CHOICE:
        state.step = Step.TURN_ENDS
        if state.answer != Action.STOP:
            play_half(state, rules, state.answer)
    elif step == Step.AFTER_PLATE:
        state.step = Step.PLATE_CHOICE
        return ask(state, state.active, Phase.PLATE_NEXT)
    elif step == Step.PLATE_CHOICE:
        state.step = Step.TURN_ENDS
        if state.answer != Action.STOP:
            use_plate(state, state.answer - Action.PLATE)
    elif step == Step.TURN_ENDS or platter_size(state) == 0:
        end_turn(state, rules)
    else:
        state.step = Step.TURN_BEGINS
    return False


@rule
def apply(state: State, rules: Rules, action: int) -> None:
    """Play one legal action of the seat to move, then go on."""
    answer = action - first_action(state.phase)
    if state.phase == Phase.DRAFT_PICK:
        hidden.pick_card(state, rules, state.player, answer)
    elif state.phase == Phase.FAUX_PAS_KEEP:
        hidden.keep_faux_pas(state, rules, state.player, answer)
    else:
        state.answer = answer
    go_on(state, rules)


# ---------------------------------------------------------------- legal actions


@rule
def first_action(phase: int) -> int:
    """The first action number of a decision's block."""
    if phase == Phase.WHETHER:
        return Action.WHETHER
    if phase == Phase.WHICH_KIND:
        return Action.KIND
    if phase == Phase.WHICH_GUEST:
        return Action.TARGET
    if phase == Phase.WHICH_TOKEN:
        return Action.TOKEN
    if phase == Phase.WHERE:
        return Action.PLACE
    if phase == Phase.DRAFT_PICK:
        return Action.DRAFT
    if phase == Phase.FAUX_PAS_KEEP:
        return Action.KEEP
    return 0


@rule
def legal_actions(state: State, rules: Rules, mask: Mask) -> None:
    """Mark what the seat to move may do."""
    bits = options(state, rules)
    first = first_action(state.phase)
    for k in range(min(MAIN_SIZE, len(mask) - first)):
        mask[first + k] = bits >> k & 1 != 0


@rule
def options(state: State, rules: Rules) -> int:
    """What the asked seat may answer, as bits within the decision's block of actions."""
    phase = state.phase
    if phase == Phase.MAIN:
        return main_options(state, rules)
    if phase == Phase.SECOND_HALF:
        return half_options(state, rules) | 1 << Action.STOP
    if phase == Phase.PLATE_NEXT:
        return plate_options(state, rules) | 1 << Action.STOP
    if phase == Phase.WHO_LEAVES:
        return home_options(state, state.player)
    if phase == Phase.DRAFT_PICK:
        return (1 << int(rules.hand_size - state.draft_round)) - 1
    if phase == Phase.FAUX_PAS_KEEP:
        return 0b111  # the first, the second, both
    if phase == Phase.WHETHER:
        return 0b11  # no, yes
    if state.depth == 0:  # WHICH_DOOR
        return departures.last_door_options(state, rules, state.player) << Action.DOOR | 1 << Action.STOP
    f = state.depth - 1
    if phase == Phase.WHICH_KIND:
        return abilities.kind_options(state, rules, f)
    if phase == Phase.WHICH_TOKEN:
        return token_choices(state, rules, state.frame[f, Column.B])
    if phase == Phase.WHERE:
        return empty_colours(state, rules, state.frame[f, Column.GUEST])
    return seat_bits(state, rules, state.frame[f, Column.USER], abilities.guest_options(state, rules, f))


@rule
def seat_bits(state: State, rules: Rules, player: int, guests: int) -> int:
    """A set of guests as seat numbers from a player's point of view."""
    bits = 0
    for k in range(rules.players):
        p = seat_after(rules, player, k)
        for s in range(state.seated[p]):
            bits |= (guests >> int(state.row[p, s]) & 1) << (SEATS * k + s)
    return bits


@rule
def main_options(state: State, rules: Rules) -> int:
    """The four actions. The own first turn must seat a guest."""
    p = state.active
    bits = seat_options(state, rules, p)
    if state.turns[p] == 1:
        return bits
    kinds = platter_options(state)
    bits |= home_options(state, p) | social_options(state, rules, p) | kinds << Action.REMOVE
    for k in range(state.seated[p]):
        if room(state, rules, state.row[p, k]) > 0:
            bits |= kinds << (Action.SERVE + k * KINDS)
    if state.plate_used[p] < rules.plate_uses:
        bits |= plate_options(state, rules)
    return bits


@rule
def platter_options(state: State) -> int:
    """The kinds on the platter."""
    kinds = 0
    for kind in range(KINDS):
        kinds |= int(state.platter[kind] > 0) << kind
    return kinds


@rule
def seat_options(state: State, rules: Rules, p: int) -> int:
    """Any card of the hand at any gap of the own row, up to the most guests a side holds."""
    bits = 0
    if state.seated[p] < rules.seats:
        gaps = (2 << int(state.seated[p])) - 1
        for slot in range(HAND):
            if state.hand[p, slot] >= 0:
                bits |= gaps << (Action.SEAT + slot * SEATS)
    return bits


@rule
def home_options(state: State, p: int) -> int:
    """Any own seated guest."""
    return ((1 << int(state.seated[p])) - 1) << Action.SEND_HOME


@rule
def half_options(state: State, rules: Rules) -> int:
    """The half of action 1 that has not been done."""
    if state.first_half == 1:
        return home_options(state, state.active)
    return seat_options(state, rules, state.active)


@rule
def social_options(state: State, rules: Rules, p: int) -> int:
    """Own guests with an empty appetite and each of their neighbours; one and the same neighbour is offered once."""
    bits = 0
    for k in range(state.seated[p]):
        left = left_at(state, rules, p, k)
        if left >= 0 and room(state, rules, state.row[p, k]) > 0:
            bits |= 3 << (Action.SOCIAL + WAYS * k)
            if right_at(state, rules, p, k) != left:
                bits |= 3 << (Action.SOCIAL + WAYS * k + 2)
    return bits


@rule
def plate_options(state: State, rules: Rules) -> int:
    """Own guests whose plate ability would do something and has not been used in this action."""
    bits = 0
    p = state.active
    for k in range(state.seated[p] if rules.abilities else 0):
        g = state.row[p, k]
        if (
            rules.guests[g].icon == Icon.PLATE
            and state.plate_done & (1 << int(g)) == 0
            and abilities.usable_now(state, rules, g, p)
        ):
            bits |= 1 << (Action.PLATE + k)
    return bits


# ---------------------------------------------------------------- the game


def facts(rules: Rules) -> Facts:
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


def pieces(rules: Rules, state: State) -> dict[str, Any]:
    """In how many places each guest and each Faux Pas is: packs, hands, the table, gone home, the box."""
    n, size, guests = int(rules.players), int(rules.hand_size), int(rules.num_guests)
    places = np.zeros(guests, int)
    dealt = np.zeros(guests, bool)
    for k in range(n):
        dealt[state.pack[k, :size]] = True
        if state.stage == Stage.DRAFTING:
            places[state.pack[k, int(state.draft_round) : size]] += 1
    for where in (state.hand[:n], state.row[:n]):
        for g in where[where >= 0]:
            places[g] += 1
    places += state["where"][:guests] == Where.GONE
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
    determinize=hidden.determinize,
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
