"""The rules of Dinner Party, in the rulebook's order and words.

A turn is Charm (optional) - Invite - Visit the Bar - Host. `apply` plays one decision and goes on until the next one.
Charming passes the dice to the owner of the charmed guest: that seat decides in the charmer's turn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, shuffle
from banquet_envs.core.spec import GameSpec, Option, Wording
from banquet_envs.games.dinner_party import display, observation, rules_text, state_json
from banquet_envs.games.dinner_party.arrival import (
    arrive,
    may_reseat,
    may_take_hitler,
    put_hitler,
    reseat,
    use_arrival,
)
from banquet_envs.games.dinner_party.components import (
    DICE,
    FAIL_WITHOUT_DRINK,
    HITLER,
    NO_DRINK,
    RULES,
    SEATS,
    STACKS,
    WATER,
    WINE,
    make_rules,
)
from banquet_envs.games.dinner_party.facts import facts
from banquet_envs.games.dinner_party.invariants import bounds, invariants, pieces
from banquet_envs.games.dinner_party.results import (
    attempts_to_entertain,
    bar_icons,
    charm_cost,
    dice_total,
    drink_worth,
    entertain_need,
    icon_worth,
    invite_need,
    may_give,
    next_window,
    rolls_to_entertain,
    rolls_to_invite,
)
from banquet_envs.games.dinner_party.scoring import final_scoring, update_points
from banquet_envs.games.dinner_party.state import (
    BAR,
    BY_GUEST,
    CHOOSE,
    DO,
    DONE,
    END_TURN,
    ENTERTAIN,
    FAIL,
    GIFT,
    GIVE_TO,
    GONE,
    HITLER_TO,
    HOST,
    INVITE,
    KEEP,
    KEEP_ALL,
    LEAVE,
    LEFT,
    LOBBY,
    MAY,
    MOVE_HITLER,
    PLACE,
    PUT,
    REFILL,
    REROLL,
    RESEAT,
    RESULT,
    RIGHT,
    ROLL,
    SEAT,
    STATE,
    TAKE,
    UNSEEN,
    action_layout,
)
from banquet_envs.games.dinner_party.tables import get_up, sit_down

# ---------------------------------------------------------------- Setup


@rule
def setup(state: Any, rules: Any) -> None:
    """Hitler in the Lobby, five stacks with one card revealed each, Envelopes, the start player."""
    state.table[:, :] = -1
    state.hidden[:, :] = -1
    state.face_up[:] = -1
    state.target = -1
    state.where[:] = GONE
    state.where[HITLER] = LOBBY
    state.dice[:] = -1
    for guest in range(1, rules.num_guests):
        back = rules.guests[guest].back
        state.hidden[back, state.unseen[back]] = guest
        state.unseen[back] += 1
        state.where[guest] = UNSEEN
    for back in range(STACKS):
        shuffle(state, state.hidden[back], state.unseen[back])
        state.height[back] = rules.stack_height
    reveal_cards(state)
    for seat in range(rules.players):
        state.envelopes[seat] = rules.envelopes
        state.stash[seat, WATER] = rules.start_drinks
    state.round_number = 1
    state.active = random_below(state, rules.players)
    start_turn(state)
    go_on(state, rules)
    update_points(state, rules)


@rule
def reveal_cards(state: Any) -> None:
    """Reveal the top card of every stack that has no face-up card in front of it."""
    for back in range(STACKS):
        if state.face_up[back] < 0 and state.height[back] > 0:
            state.height[back] -= 1
            state.unseen[back] -= 1
            guest = state.hidden[back, state.unseen[back]]
            state.hidden[back, state.unseen[back]] = -1
            state.face_up[back] = guest
            state.where[guest] = LOBBY


@rule
def start_turn(state: Any) -> None:
    """The turn of the active seat begins."""
    state.phase = CHOOSE
    state.player = state.active
    state.target = -1
    state.invited = 0
    state.failed = 0
    state.charmed[:] = 0


# ---------------------------------------------------------------- Charm Guests, or choose a Guest in the Lobby


@rule
def charming_allowed(state: Any, rules: Any) -> Any:
    """Not in the first round (or not in the start player's first turn), and not once two stacks are empty."""
    if state.ending:
        return False
    if state.round_number > 1:
        return True
    return rules.first_charm == 1 and state.turns > 0


@rule
def may_charm(state: Any, rules: Any, guest: Any) -> Any:
    """Whether the active seat may charm this guest now."""
    owner = state.where[guest]
    if owner >= SEATS or owner == state.active or state.charmed[guest]:
        return False
    if guest == HITLER and not rules.charm_hitler:
        return False
    return charming_allowed(state, rules) and state.envelopes[state.active] >= charm_cost(state, rules, owner)


@rule
def charm(state: Any, rules: Any, guest: Any) -> None:
    """Pay, and pass the dice to the guest's owner."""
    state.envelopes[state.active] -= charm_cost(state, rules, state.where[guest])
    state.charmed[guest] = 1
    state.target = guest
    state.attempts = attempts_to_entertain(state, rules, state.active)
    state.phase = ENTERTAIN


@rule
def entertain(state: Any, rules: Any) -> None:
    """The owner entertains the charmed guest; without a Drink some guests fail outright."""
    kind = rules.guests[state.target].ability.kind
    if kind == FAIL_WITHOUT_DRINK and state.drink[state.target] == NO_DRINK:
        state.phase = INVITE
        return
    owner = state.where[state.target]
    state.player = owner
    state.entertaining = 1
    state.need[:] = entertain_need(state, rules, state.target, state.active)
    first_roll(state, rules, owner, rolls_to_entertain(state, rules, owner, state.active))


@rule
def invite(state: Any, rules: Any) -> None:
    """The active seat rolls to invite the target."""
    state.player = state.active
    state.entertaining = 0
    state.invited = 1
    state.need[LEFT] = invite_need(state, rules, state.active, state.target, LEFT)
    state.need[RIGHT] = invite_need(state, rules, state.active, state.target, RIGHT)
    first_roll(state, rules, state.active, rolls_to_invite(state, rules, state.active))


# ---------------------------------------------------------------- rolling


@rule
def first_roll(state: Any, rules: Any, roller: Any, rolls: Any) -> None:
    """Roll all three dice. What Drinks and icons are worth now holds for the whole attempt."""
    for drink in range(3):
        state.worth[drink] = drink_worth(state, rules, roller, drink)
    state.icon_worth = icon_worth(state, rules, roller)
    state.rolls_left = rolls
    state.window = 0
    state.phase = ROLL
    roll_dice(state, rules, 0)


@rule
def roll_dice(state: Any, rules: Any, keep: Any) -> None:
    """Roll the dice that are not kept, and lay all in ascending order: they are alike."""
    for d in range(DICE):
        if not (keep >> d) & 1:
            state.dice[d] = rules.faces[random_below(state, rules.num_faces)]
    for d in range(1, DICE):
        for e in range(d, 0, -1):
            if state.dice[e] < state.dice[e - 1]:
                held = state.dice[e]
                state.dice[e] = state.dice[e - 1]
                state.dice[e - 1] = held
    state.rolls_left -= state.phase == ROLL


@rule
def dice_cannot_matter(state: Any, rules: Any) -> Any:
    """Entertaining pays nothing at the Bar: when no dice could fail, or none succeed, nobody is asked."""
    if not state.entertaining:
        return False
    low, high = face_worth(state, rules, 0), face_worth(state, rules, 0)
    for f in range(1, rules.num_faces):
        low = min(low, face_worth(state, rules, f))
        high = max(high, face_worth(state, rules, f))
    return DICE * low >= state.need[LEFT] or DICE * high < state.need[LEFT]


@rule
def face_worth(state: Any, rules: Any, f: Any) -> Any:
    """What a face of a die counts for the roller."""
    return int(rules.faces[f]) if rules.faces[f] > 0 else int(state.icon_worth)


@rule
def may_keep(state: Any, rules: Any, keep: Any) -> Any:
    """Whether these dice may be kept. Of equal dice the first are kept; after the last roll only some are rerolled."""
    same = 0  # the dice that equal the one before them
    for d in range(1, DICE):
        same |= int(state.dice[d] == state.dice[d - 1]) << d
    if keep & same & ~(keep << 1) != 0:
        return False
    if state.phase == ROLL:
        return True
    rolled = 0
    for d in range(DICE):
        rolled += 1 - ((keep >> d) & 1)
    return rolled <= rules.guests[state.table[state.player, state.window]].ability.amount


@rule
def keep_dice(state: Any, rules: Any, keep: Any) -> None:
    """Roll the other dice again, or stop; after the last roll, use this guest's reroll or not."""
    if keep != KEEP_ALL:
        roll_dice(state, rules, keep)
    if state.phase == REROLL:
        state.window += 1
    elif keep == KEEP_ALL:
        state.phase = REROLL


@rule
def find_window(state: Any, rules: Any) -> Any:
    """Move to the next guest that allows a reroll after the last roll; False when none is left."""
    if dice_cannot_matter(state, rules):
        return False
    k = next_window(state, rules, state.player, state.window, state.entertaining)
    if k >= 0:
        state.window = k
    return k >= 0


@rule
def see_result(state: Any, rules: Any) -> None:
    """The dice lie as they are. Entertaining: twice if need be; a failure gives the charmer its invitation."""
    if not state.entertaining:
        state.phase = PLACE
    elif dice_total(state) < state.need[LEFT]:
        state.phase = INVITE
    else:
        state.attempts -= 1
        state.phase = ENTERTAIN
        if state.attempts == 0:
            state.phase = CHOOSE
            state.player = state.active
            state.target = -1


# ---------------------------------------------------------------- Invite a Guest: the spot, the Drink, the result


@rule
def has_drinks(state: Any, treat: Any, gift: Any) -> Any:
    """Whether the active seat's Stash holds both tokens."""
    if treat != NO_DRINK and state.stash[state.active, treat] < (2 if treat == gift else 1):
        return False
    return gift == NO_DRINK or state.stash[state.active, gift] > 0


@rule
def may_put(state: Any, option: Any) -> Any:
    """Whether spot, Drink and gift reach the Demand. A single guest's two ends are one spot, the right (ruling Q29)."""
    end, treat, gift = option // 9, option // 3 % 3, option % 3
    if end == LEFT and state.seated[state.active] < 2:
        return False
    if not has_drinks(state, treat, gift):
        return False
    return dice_total(state) + state.worth[treat] + state.worth[gift] >= state.need[end]


@rule
def may_fail(state: Any, rules: Any) -> Any:
    """Failing on purpose (ruling Q28): some spot falls short without Drink and gift, and some choice succeeds."""
    short = dice_total(state) < state.need[RIGHT]
    if state.seated[state.active] >= 2:
        short = short or dice_total(state) < state.need[LEFT]
    if short:
        for i in range(1, candidates(state, rules)):
            if may_put(state, candidate(state, rules, i) - PUT):
                return True
    return False


@rule
def choose_spot(state: Any, option: Any) -> None:
    """Spot, Drink and gift are settled; the gift's receiver comes next."""
    state.spot = option // 9
    state.treat = option // 3 % 3
    state.gift = option % 3
    state.phase = GIFT if state.gift != NO_DRINK else SEAT


@rule
def seat_guest(state: Any, rules: Any) -> None:
    """Place the guest in the chosen spot with its Drink, then its arrival ability."""
    guest, seat = state.target, state.active
    if state.gift != NO_DRINK:
        state.stash[seat, state.gift] -= 1
        state.stash[state.receiver, state.gift] += 1
    owner = state.where[guest]
    if owner < SEATS:  # taken from another Table: its Drink returns to the owner's Stash
        if state.drink[guest] != NO_DRINK:
            state.stash[owner, state.drink[guest]] += 1
        get_up(state, guest)
    elif guest != HITLER:
        state.face_up[rules.guests[guest].back] = -1
    state.drink[guest] = state.treat
    if state.treat != NO_DRINK:
        state.stash[seat, state.treat] -= 1
    sit_down(state, seat, guest, state.spot)
    arrive(state, rules)
    state.treat = NO_DRINK
    state.gift = NO_DRINK


@rule
def refill(state: Any, rules: Any) -> None:
    """Refill the Lobby, then see whether two stacks are empty, without even the face-up card."""
    state.moves = 0
    reveal_cards(state)
    empty = 0
    for back in range(STACKS):
        empty += state.height[back] == 0 and state.face_up[back] < 0
    if empty >= rules.empty_stacks_to_end:
        state.ending = 1
    state.phase = BAR


# ---------------------------------------------------------------- Visit the Bar, Host


@rule
def bar_row(state: Any, rules: Any) -> Any:
    """The line of the Bar's table for the icons that count now; 0 without an invitation."""
    if not state.invited:
        return 0
    return max(0, min(rules.bar_rows - 1, bar_icons(state, rules, state.active)))


@rule
def visit_bar(state: Any, rules: Any, choice: Any) -> None:
    """Take nothing (0) or one of the alternatives."""
    if choice > 0:
        row = bar_row(state, rules)
        state.stash[state.active, WATER] += rules.bar[row, choice - 1, 0]
        state.stash[state.active, WINE] += rules.bar[row, choice - 1, 1]
    state.phase = HOST


@rule
def may_host(state: Any, guest: Any, drink: Any) -> Any:
    """A stashed Drink for an own guest that has none, or Wine in place of its Water (ruling Q12)."""
    if state.where[guest] != state.active or state.stash[state.active, drink] == 0:
        return False
    return state.drink[guest] == NO_DRINK or (state.drink[guest] == WATER and drink == WINE)


@rule
def host(state: Any, guest: Any, drink: Any) -> None:
    """Place the Drink; a Water that it replaces goes back to the Bar."""
    state.drink[guest] = drink
    state.stash[state.active, drink] -= 1


@rule
def end_turn(state: Any, rules: Any) -> None:
    """The next player's turn; after a round, perhaps scoring."""
    state.dice[:] = -1
    state.turns += 1
    if state.turns == rules.players:
        state.turns = 0
        if state.ending or state.round_number >= rules.max_rounds:
            state.capped = not state.ending
            final_scoring(state, rules)
            return
        state.round_number += 1
    state.active = seat_to_the_left(state, rules, 1)
    start_turn(state)


# ---------------------------------------------------------------- the flow


@rule
def seat_to_the_left(state: Any, rules: Any, steps: Any) -> Any:
    """The seat so many steps to the left of the active one."""
    seat = state.active + steps
    return seat if seat < rules.players else seat - rules.players


@rule
def guests_elsewhere(state: Any, rules: Any) -> Any:
    """How many guests sit at the other Tables."""
    count = 0
    for seat in range(rules.players):
        if seat != state.active:
            count += state.seated[seat]
    return count


@rule
def guest_elsewhere(state: Any, rules: Any, i: Any) -> Any:
    """The `i`-th of them."""
    for seat in range(rules.players):
        if seat != state.active:
            if i < state.seated[seat]:
                return state.table[seat, i]
            i -= state.seated[seat]
    return -1


@rule
def candidates(state: Any, rules: Any) -> Any:
    """How many actions the phase has to look at; the guests are those at the Table or in the Lobby, not all."""
    phase = state.phase
    if phase == ROLL or phase == REROLL:
        return PUT - KEEP
    if phase == PLACE:
        return 1 + 6 * (3 if may_give(state, rules, state.active) else 1)
    if phase == GIFT:
        return rules.players - 1
    if phase == MOVE_HITLER:
        return 1 + 2 * (rules.players - 1)
    if phase == MAY:
        return 2
    if phase == BAR:
        return 1 + rules.bar_choices[bar_row(state, rules)]
    if phase == CHOOSE:
        pays = charming_allowed(state, rules) and state.envelopes[state.active] > 0
        return 1 + STACKS + (guests_elsewhere(state, rules) if pays else 0)
    return 1 + 2 * state.seated[state.active]


@rule
def candidate(state: Any, rules: Any, i: Any) -> Any:
    """The number of the `i`-th action to look at, -1 for a stack without an open card."""
    phase = state.phase
    if phase == ROLL or phase == REROLL:
        return KEEP + i
    if phase == PLACE:
        return FAIL if i == 0 else PUT + (i - 1) % 6 * 3 + (i - 1) // 6  # the options without a gift come first
    if phase == GIFT:
        return GIVE_TO + i
    if phase == MOVE_HITLER:
        return LEAVE if i == 0 else HITLER_TO + i - 1
    if phase == MAY:
        return DO + i
    if phase == BAR:
        return TAKE + i
    return candidate_guest(state, rules, i)


@rule
def candidate_guest(state: Any, rules: Any, i: Any) -> Any:
    """The same for actions that are numbered by guest, and for the end of hosting and reseating."""
    n = rules.num_guests
    if state.phase == CHOOSE:
        if i > STACKS:
            return BY_GUEST + guest_elsewhere(state, rules, i - STACKS - 1)
        guest = HITLER if i == 0 else state.face_up[i - 1]
        return BY_GUEST + n + guest if guest >= 0 else -1
    if i == 0:
        return DONE if state.phase == HOST else LEAVE
    guest = state.table[state.active, (i - 1) >> 1]
    return BY_GUEST + (4 * n if state.phase == HOST else 2 * n) + 2 * guest + ((i - 1) & 1)


@rule
def allowed(state: Any, rules: Any, action: Any) -> Any:
    """Whether a candidate is legal."""
    phase = state.phase
    if phase == ROLL or phase == REROLL:
        return may_keep(state, rules, action - KEEP)
    if phase == PLACE:
        return may_fail(state, rules) if action == FAIL else may_put(state, action - PUT)
    if phase == GIFT or phase == MAY or phase == BAR:
        return True
    if action == LEAVE:
        return rules.guests[state.target].ability.optional == 1
    if phase == MOVE_HITLER:
        k = action - HITLER_TO
        return may_take_hitler(state, seat_to_the_left(state, rules, k // 2 + 1), k % 2)
    return allowed_for_guest(state, rules, action)


@rule
def allowed_for_guest(state: Any, rules: Any, action: Any) -> Any:
    """The same for actions that are numbered by guest, and for the end of hosting."""
    n = rules.num_guests
    a = action - BY_GUEST
    if state.phase == CHOOSE:
        if a < n:
            return a >= 0 and may_charm(state, rules, a)
        return state.where[a - n] == LOBBY
    if state.phase == RESEAT:
        return may_reseat(state, (a - 2 * n) // 2, (a - 2 * n) % 2)
    return action == DONE or may_host(state, (a - 4 * n) // 2, (a - 4 * n) % 2 + 1)


@rule
def only_action(state: Any, rules: Any) -> Any:
    """The single legal action; -1 when there is none, -2 when there are several."""
    found = -1
    for i in range(candidates(state, rules)):
        action = candidate(state, rules, i)
        if allowed(state, rules, action):
            if found >= 0:
                return -2
            found = action
    return found


@rule
def play(state: Any, rules: Any, action: Any) -> None:
    """What an action does by itself."""
    if action < PUT:
        keep_dice(state, rules, action - KEEP)
    elif action < FAIL:
        choose_spot(state, action - PUT)
    elif action == FAIL:
        state.failed = 1
        state.phase = BAR
    elif action < HITLER_TO:
        state.receiver = seat_to_the_left(state, rules, action - GIVE_TO + 1)
        state.phase = SEAT
    elif action < DO:
        k = action - HITLER_TO
        put_hitler(state, seat_to_the_left(state, rules, k // 2 + 1), k % 2)
        state.phase = REFILL
    elif action == DO:
        use_arrival(state, rules)
        state.phase = REFILL
    elif action == LEAVE:
        state.phase = REFILL
    elif action < DONE:
        visit_bar(state, rules, action - TAKE)
    elif action == DONE:
        state.phase = END_TURN
    else:
        play_for_guest(state, rules, action - BY_GUEST)


@rule
def play_for_guest(state: Any, rules: Any, a: Any) -> None:
    """Charm, invite, reseat or host the guest that the action number names."""
    n = rules.num_guests
    if a < n:
        charm(state, rules, a)
    elif a < 2 * n:
        state.target = a - n
        state.phase = INVITE
    elif a < 4 * n:
        reseat(state, (a - 2 * n) // 2, (a - 2 * n) % 2)
    else:
        host(state, (a - 4 * n) // 2, (a - 4 * n) % 2 + 1)


@rule
def skip(state: Any) -> None:
    """Nothing can be chosen: go on."""
    if state.phase == CHOOSE:  # the Lobby is empty: no roll and no Bar
        state.phase = HOST
    elif state.phase == PLACE:
        state.failed = 1
        state.phase = BAR
    elif state.phase == MOVE_HITLER or state.phase == RESEAT:
        state.phase = REFILL


@rule
def nothing_to_ask(state: Any, rules: Any) -> Any:
    """Steps that end a phase without a look at its actions."""
    if state.phase == ROLL and (state.rolls_left <= 0 or dice_cannot_matter(state, rules)):
        state.phase = REROLL
        return True
    if state.phase == REROLL and not find_window(state, rules):
        state.phase = RESULT
        return True
    if state.phase == RESEAT and state.moves == 0:
        state.phase = REFILL
        return True
    if state.phase == BAR and bar_row(state, rules) == 0:
        state.phase = HOST
        return True
    return False


@rule
def take_step(state: Any, rules: Any) -> None:
    """The steps that nobody decides."""
    if state.phase == ENTERTAIN:
        entertain(state, rules)
    elif state.phase == INVITE:
        invite(state, rules)
    elif state.phase == RESULT:
        see_result(state, rules)
    elif state.phase == SEAT:
        seat_guest(state, rules)
    elif state.phase == REFILL:
        refill(state, rules)
    else:
        end_turn(state, rules)


@rule
def go_on(state: Any, rules: Any) -> None:
    """Go on through everything that nobody decides, until a seat has to."""
    while not state.over:
        if state.phase >= ENTERTAIN:
            take_step(state, rules)
        elif not nothing_to_ask(state, rules):
            only = only_action(state, rules)
            if only == -2:
                return
            if only >= 0:
                play(state, rules, only)
            else:
                skip(state)


@rule
def apply(state: Any, rules: Any, action: Any) -> None:
    """Play one legal action of the seat to move, then go on."""
    play(state, rules, action)
    go_on(state, rules)
    update_points(state, rules)


@rule
def legal_actions(state: Any, rules: Any, mask: Any) -> None:
    """Mark what the seat to move may do."""
    for i in range(candidates(state, rules)):
        action = candidate(state, rules, i)
        if allowed(state, rules, action):
            mask[action] = True


# ---------------------------------------------------------------- what a seat cannot know


@rule
def determinize(state: Any, rules: Any, player: Any) -> None:
    """Face-down cards and the cards that stayed in the box: the unseen cards of a back are all alike likely."""
    for back in range(STACKS):
        shuffle(state, state.hidden[back], state.unseen[back])


# ---------------------------------------------------------------- the game


SPEC = GameSpec(
    name="dinner_party",
    title="Dinner Party",
    version="v0",
    min_players=2,
    max_players=6,
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
    bounds=bounds,
    invariants=invariants,
    components=Path(__file__).with_name("components.toml"),
    folder=Path(__file__).parent,
    options=(
        Option("charm_hitler", True, (True, False), "Hitler can be charmed away from another Table (ruling Q14)"),
        Option(
            "first_charm",
            "round_2",
            ("round_2", "start_player_waits"),
            "nobody charms in round 1, or only the start player's first turn is barred (ruling Q2)",
        ),
        Option("hitler_in_ties", True, (True, False), "Hitler's Demand counts in the tie-break (ruling Q22)"),
        Option(
            "dice",
            "standard",
            ("standard", "easy", "few_drinks"),
            "faces 1 2 3 4 D D, easy 2 3 4 5 D D, few_drinks 1 2 2 3 5 D (reconstructed)",
        ),
    ),
    variants=(
        {},
        {"first_charm": "start_player_waits", "dice": "few_drinks"},
        {"charm_hitler": False, "first_charm": "start_player_waits", "hitler_in_ties": False, "dice": "easy"},
    ),
    tests_in_an_agent="odds of dice, when to take from others, risk of being taken from, spending scarce resources",
    words=Wording(rules_text.rules_text, rules_text.move_forms, state_json.state_json, state_json.Position),
)
