"""The rules of Dinner Party, in the rulebook's order and words.

A turn is Charm (optional) - Invite - Visit the Bar - Host. `apply` plays one decision and goes on until the next one.
Charming passes the dice to the owner of the charmed guest: that seat decides in the charmer's turn.
"""

from __future__ import annotations

from pathlib import Path

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below, shuffle
from banquet_envs.core.seats import seat_after
from banquet_envs.core.spec import GameSpec, Option, Wording
from banquet_envs.core.types import Mask, Rules, State
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
    DRINKS,
    HITLER,
    RULES,
    SEATS,
    STACKS,
    Drink,
    Kind,
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
from banquet_envs.games.dinner_party.state import KEEP_ALL, STATE, Action, End, Phase, Where, action_layout
from banquet_envs.games.dinner_party.tables import get_up, sit_down, spot_and_drinks

SPOTS = 2 * DRINKS  # ways to place a guest without a gift: end and Drink
NONE, SEVERAL = -1, -2  # of `only_action`

# ---------------------------------------------------------------- Setup


@rule
def setup(state: State, rules: Rules) -> None:
    """Hitler in the Lobby, five stacks with one card revealed each, Envelopes, the start player."""
    state.table[:, :] = -1
    state.hidden[:, :] = -1
    state.face_up[:] = -1
    state.target = -1
    state.where[:] = Where.GONE
    state.where[HITLER] = Where.LOBBY
    state.dice[:] = -1
    for guest in range(1, rules.num_guests):
        back = rules.guests[guest].back
        state.hidden[back, state.unseen[back]] = guest
        state.unseen[back] += 1
        state.where[guest] = Where.UNSEEN
    for back in range(STACKS):
        shuffle(state, state.hidden[back], state.unseen[back])
        state.height[back] = rules.stack_height
    reveal_cards(state)
    for seat in range(rules.players):
        state.envelopes[seat] = rules.envelopes
        state.stash[seat, Drink.WATER] = rules.start_drinks
    state.round_number = 1
    state.active = random_below(state, rules.players)
    start_turn(state)
    go_on(state, rules)
    update_points(state, rules)


@rule
def reveal_cards(state: State) -> None:
    """Reveal the top card of every stack that has no face-up card in front of it."""
    for back in range(STACKS):
        if state.face_up[back] < 0 and state.height[back] > 0:
            state.height[back] -= 1
            state.unseen[back] -= 1
            guest = state.hidden[back, state.unseen[back]]
            state.hidden[back, state.unseen[back]] = -1
            state.face_up[back] = guest
            state.where[guest] = Where.LOBBY


@rule
def start_turn(state: State) -> None:
    """The turn of the active seat begins."""
    state.phase = Phase.CHOOSE
    state.player = state.active
    state.target = -1
    state.invited = 0
    state.failed = 0
    state.charmed[:] = 0


# ---------------------------------------------------------------- Charm Guests, or choose a Guest in the Lobby


@rule
def charming_allowed(state: State, rules: Rules) -> bool:
    """Not in the first round (or not in the start player's first turn), and not once two stacks are empty."""
    if state.ending:
        return False
    if state.round_number > 1:
        return True
    return rules.first_charm == 1 and state.turns > 0


@rule
def may_charm(state: State, rules: Rules, guest: int) -> bool:
    """Whether the active seat may charm this guest now."""
    owner = state.where[guest]
    if owner >= SEATS or owner == state.active or state.charmed[guest]:
        return False
    if guest == HITLER and not rules.charm_hitler:
        return False
    return charming_allowed(state, rules) and state.envelopes[state.active] >= charm_cost(state, rules, owner)


@rule
def charm(state: State, rules: Rules, guest: int) -> None:
    """Pay, and pass the dice to the guest's owner."""
    state.envelopes[state.active] -= charm_cost(state, rules, state.where[guest])
    state.charmed[guest] = 1
    state.target = guest
    state.attempts = attempts_to_entertain(state, rules, state.active)
    state.phase = Phase.ENTERTAIN


@rule
def entertain(state: State, rules: Rules) -> None:
    """The owner entertains the charmed guest; without a Drink some guests fail outright."""
    kind = rules.guests[state.target].ability.kind
    if kind == Kind.FAIL_WITHOUT_DRINK and state.drink[state.target] == Drink.NONE:
        state.phase = Phase.INVITE
        return
    owner = state.where[state.target]
    state.player = owner
    state.entertaining = 1
    state.need[:] = entertain_need(state, rules, state.target, state.active)
    first_roll(state, rules, owner, rolls_to_entertain(state, rules, owner, state.active))


@rule
def invite(state: State, rules: Rules) -> None:
    """The active seat rolls to invite the target."""
    state.player = state.active
    state.entertaining = 0
    state.invited = 1
    state.need[End.LEFT] = invite_need(state, rules, state.active, state.target, End.LEFT)
    state.need[End.RIGHT] = invite_need(state, rules, state.active, state.target, End.RIGHT)
    first_roll(state, rules, state.active, rolls_to_invite(state, rules, state.active))


# ---------------------------------------------------------------- rolling


@rule
def first_roll(state: State, rules: Rules, roller: int, rolls: int) -> None:
    """Roll all three dice. What Drinks and icons are worth now holds for the whole attempt."""
    for drink in range(DRINKS):
        state.worth[drink] = drink_worth(state, rules, roller, drink)
    state.icon_worth = icon_worth(state, rules, roller)
    state.rolls_left = rolls
    state.window = 0
    state.phase = Phase.ROLL
    roll_dice(state, rules, 0)


@rule
def roll_dice(state: State, rules: Rules, keep: int) -> None:
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
    state.rolls_left -= state.phase == Phase.ROLL


@rule
def dice_cannot_matter(state: State, rules: Rules) -> bool:
    """Entertaining pays nothing at the Bar: when no dice could fail, or none succeed, nobody is asked."""
    if not state.entertaining:
        return False
    low, high = face_worth(state, rules, 0), face_worth(state, rules, 0)
    for f in range(1, rules.num_faces):
        low = min(low, face_worth(state, rules, f))
        high = max(high, face_worth(state, rules, f))
    return DICE * low >= state.need[End.LEFT] or DICE * high < state.need[End.LEFT]


@rule
def face_worth(state: State, rules: Rules, f: int) -> int:
    """What a face of a die counts for the roller."""
    return int(rules.faces[f]) if rules.faces[f] > 0 else int(state.icon_worth)


@rule
def may_keep(state: State, rules: Rules, keep: int) -> bool:
    """Whether these dice may be kept. Of equal dice the first are kept; after the last roll only some are rerolled."""
    same = 0  # the dice that equal the one before them
    for d in range(1, DICE):
        same |= int(state.dice[d] == state.dice[d - 1]) << d
    if keep & same & ~(keep << 1) != 0:
        return False
    if state.phase == Phase.ROLL:
        return True
    rolled = 0
    for d in range(DICE):
        rolled += 1 - ((keep >> d) & 1)
    return rolled <= rules.guests[state.table[state.player, state.window]].ability.amount


@rule
def keep_dice(state: State, rules: Rules, keep: int) -> None:
    """Roll the other dice again, or stop; after the last roll, use this guest's reroll or not."""
    if keep != KEEP_ALL:
        roll_dice(state, rules, keep)
    if state.phase == Phase.REROLL:
        state.window += 1
    elif keep == KEEP_ALL:
        state.phase = Phase.REROLL


@rule
def find_window(state: State, rules: Rules) -> bool:
    """Move to the next guest that allows a reroll after the last roll; False when none is left."""
    if dice_cannot_matter(state, rules):
        return False
    k = next_window(state, rules, state.player, state.window, state.entertaining)
    if k >= 0:
        state.window = k
    return k >= 0


@rule
def see_result(state: State, rules: Rules) -> None:
    """The dice lie as they are. Entertaining: twice if need be; a failure gives the charmer its invitation."""
    if not state.entertaining:
        state.phase = Phase.PLACE
    elif dice_total(state) < state.need[End.LEFT]:
        state.phase = Phase.INVITE
    else:
        state.attempts -= 1
        state.phase = Phase.ENTERTAIN
        if state.attempts == 0:
            state.phase = Phase.CHOOSE
            state.player = state.active
            state.target = -1


# ---------------------------------------------------------------- Invite a Guest: the spot, the Drink, the result


@rule
def has_drinks(state: State, treat: int, gift: int) -> bool:
    """Whether the active seat's Stash holds both tokens."""
    if treat != Drink.NONE and state.stash[state.active, treat] < (2 if treat == gift else 1):
        return False
    return gift == Drink.NONE or state.stash[state.active, gift] > 0


@rule
def may_put(state: State, option: int) -> bool:
    """Whether spot, Drink and gift reach the Demand. A single guest's two ends are one spot, the right (ruling Q29)."""
    end, treat, gift = spot_and_drinks(option)
    if end == End.LEFT and state.seated[state.active] < 2:
        return False
    if not has_drinks(state, treat, gift):
        return False
    return dice_total(state) + state.worth[treat] + state.worth[gift] >= state.need[end]


@rule
def may_fail(state: State, rules: Rules) -> bool:
    """Failing on purpose (ruling Q28): some spot falls short without Drink and gift, and some choice succeeds."""
    short = dice_total(state) < state.need[End.RIGHT]
    if state.seated[state.active] >= 2:
        short = short or dice_total(state) < state.need[End.LEFT]
    if short:
        for i in range(1, candidates(state, rules)):
            if may_put(state, candidate(state, rules, i) - Action.PUT):
                return True
    return False


@rule
def choose_spot(state: State, option: int) -> None:
    """Spot, Drink and gift are settled; the gift's receiver comes next."""
    state.spot, state.treat, state.gift = spot_and_drinks(option)
    state.phase = Phase.GIFT if state.gift != Drink.NONE else Phase.SEAT


@rule
def seat_guest(state: State, rules: Rules) -> None:
    """Place the guest in the chosen spot with its Drink, then its arrival ability."""
    guest, seat = state.target, state.active
    if state.gift != Drink.NONE:
        state.stash[seat, state.gift] -= 1
        state.stash[state.receiver, state.gift] += 1
    owner = state.where[guest]
    if owner < SEATS:  # taken from another Table: its Drink returns to the owner's Stash
        if state.drink[guest] != Drink.NONE:
            state.stash[owner, state.drink[guest]] += 1
        get_up(state, guest)
    elif guest != HITLER:
        state.face_up[rules.guests[guest].back] = -1
    state.drink[guest] = state.treat
    if state.treat != Drink.NONE:
        state.stash[seat, state.treat] -= 1
    sit_down(state, seat, guest, state.spot)
    arrive(state, rules)
    state.treat = Drink.NONE
    state.gift = Drink.NONE


@rule
def refill(state: State, rules: Rules) -> None:
    """Refill the Lobby, then see whether two stacks are empty, without even the face-up card."""
    state.moves = 0
    reveal_cards(state)
    empty = 0
    for back in range(STACKS):
        empty += state.height[back] == 0 and state.face_up[back] < 0
    if empty >= rules.empty_stacks_to_end:
        state.ending = 1
    state.phase = Phase.BAR


# ---------------------------------------------------------------- Visit the Bar, Host


@rule
def bar_row(state: State, rules: Rules) -> int:
    """The line of the Bar's table for the icons that count now; 0 without an invitation."""
    if not state.invited:
        return 0
    return max(0, min(rules.bar_rows - 1, bar_icons(state, rules, state.active)))


@rule
def visit_bar(state: State, rules: Rules, choice: int) -> None:
    """Take nothing (0) or one of the alternatives."""
    if choice > 0:
        row = bar_row(state, rules)
        state.stash[state.active, Drink.WATER] += rules.bar[row, choice - 1, 0]
        state.stash[state.active, Drink.WINE] += rules.bar[row, choice - 1, 1]
    state.phase = Phase.HOST


@rule
def may_host(state: State, guest: int, drink: int) -> bool:
    """A stashed Drink for an own guest that has none, or Wine in place of its Water (ruling Q12)."""
    if state.where[guest] != state.active or state.stash[state.active, drink] == 0:
        return False
    return state.drink[guest] == Drink.NONE or (state.drink[guest] == Drink.WATER and drink == Drink.WINE)


@rule
def host(state: State, guest: int, drink: int) -> None:
    """Place the Drink; a Water that it replaces goes back to the Bar."""
    state.drink[guest] = drink
    state.stash[state.active, drink] -= 1


@rule
def end_turn(state: State, rules: Rules) -> None:
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
def seat_to_the_left(state: State, rules: Rules, steps: int) -> int:
    """The seat so many steps to the left of the active one."""
    return seat_after(rules, state.active, steps)


@rule
def guests_elsewhere(state: State, rules: Rules) -> int:
    """How many guests sit at the other Tables."""
    count = 0
    for seat in range(rules.players):
        if seat != state.active:
            count += state.seated[seat]
    return count


@rule
def guest_elsewhere(state: State, rules: Rules, i: int) -> int:
    """The `i`-th of them."""
    for seat in range(rules.players):
        if seat != state.active:
            if i < state.seated[seat]:
                return state.table[seat, i]
            i -= state.seated[seat]
    return -1


@rule
def candidates(state: State, rules: Rules) -> int:
    """How many actions the phase has to look at; the guests are those at the Table or in the Lobby, not all."""
    phase = state.phase
    if phase == Phase.ROLL or phase == Phase.REROLL:
        return Action.PUT - Action.KEEP
    if phase == Phase.PLACE:
        return 1 + SPOTS * (DRINKS if may_give(state, rules, state.active) else 1)
    if phase == Phase.GIFT:
        return rules.players - 1
    if phase == Phase.MOVE_HITLER:
        return 1 + 2 * (rules.players - 1)
    if phase == Phase.MAY:
        return 2
    if phase == Phase.BAR:
        return 1 + rules.bar_choices[bar_row(state, rules)]
    if phase == Phase.CHOOSE:
        pays = charming_allowed(state, rules) and state.envelopes[state.active] > 0
        return 1 + STACKS + (guests_elsewhere(state, rules) if pays else 0)
    return 1 + 2 * state.seated[state.active]


@rule
def candidate(state: State, rules: Rules, i: int) -> int:
    """The number of the `i`-th action to look at, -1 for a stack without an open card."""
    phase = state.phase
    if phase == Phase.ROLL or phase == Phase.REROLL:
        return Action.KEEP + i
    if phase == Phase.PLACE:
        if i == 0:
            return Action.FAIL
        return Action.PUT + (i - 1) % SPOTS * DRINKS + (i - 1) // SPOTS  # those without a gift come first
    if phase == Phase.GIFT:
        return Action.GIVE_TO + i
    if phase == Phase.MOVE_HITLER:
        return Action.LEAVE if i == 0 else Action.HITLER_TO + i - 1
    if phase == Phase.MAY:
        return Action.DO + i
    if phase == Phase.BAR:
        return Action.TAKE + i
    return candidate_guest(state, rules, i)


@rule
def candidate_guest(state: State, rules: Rules, i: int) -> int:
    """The same for actions that are numbered by guest, and for the end of hosting and reseating."""
    n = rules.num_guests
    if state.phase == Phase.CHOOSE:
        if i > STACKS:
            return Action.BY_GUEST + guest_elsewhere(state, rules, i - STACKS - 1)
        guest = HITLER if i == 0 else state.face_up[i - 1]
        return Action.BY_GUEST + n + guest if guest >= 0 else -1
    if i == 0:
        return Action.DONE if state.phase == Phase.HOST else Action.LEAVE
    guest = state.table[state.active, (i - 1) >> 1]
    return Action.BY_GUEST + (4 * n if state.phase == Phase.HOST else 2 * n) + 2 * guest + ((i - 1) & 1)


@rule
def allowed(state: State, rules: Rules, action: int) -> bool:
    """Whether a candidate is legal."""
    phase = state.phase
    if phase == Phase.ROLL or phase == Phase.REROLL:
        return may_keep(state, rules, action - Action.KEEP)
    if phase == Phase.PLACE:
        return may_fail(state, rules) if action == Action.FAIL else may_put(state, action - Action.PUT)
    if phase == Phase.GIFT or phase == Phase.MAY or phase == Phase.BAR:
        return True
    if action == Action.LEAVE:
        return rules.guests[state.target].ability.optional == 1
    if phase == Phase.MOVE_HITLER:
        k = action - Action.HITLER_TO
        return may_take_hitler(state, seat_to_the_left(state, rules, k // 2 + 1), k % 2)
    return allowed_for_guest(state, rules, action)


@rule
def allowed_for_guest(state: State, rules: Rules, action: int) -> bool:
    """The same for actions that are numbered by guest, and for the end of hosting."""
    n = rules.num_guests
    a = action - Action.BY_GUEST
    if state.phase == Phase.CHOOSE:
        if a < n:
            return a >= 0 and may_charm(state, rules, a)
        return state.where[a - n] == Where.LOBBY
    if state.phase == Phase.RESEAT:
        return may_reseat(state, (a - 2 * n) // 2, (a - 2 * n) % 2)
    return action == Action.DONE or may_host(state, (a - 4 * n) // 2, (a - 4 * n) % 2 + 1)


@rule
def only_action(state: State, rules: Rules) -> int:
    """The single legal action, NONE or SEVERAL."""
    found = NONE
    for i in range(candidates(state, rules)):
        action = candidate(state, rules, i)
        if allowed(state, rules, action):
            if found != NONE:
                return SEVERAL
            found = action
    return found


@rule
def play(state: State, rules: Rules, action: int) -> None:
    """What an action does by itself."""
    if action < Action.PUT:
        keep_dice(state, rules, action - Action.KEEP)
    elif action < Action.FAIL:
        choose_spot(state, action - Action.PUT)
    elif action == Action.FAIL:
        state.failed = 1
        state.phase = Phase.BAR
    elif action < Action.HITLER_TO:
        state.receiver = seat_to_the_left(state, rules, action - Action.GIVE_TO + 1)
        state.phase = Phase.SEAT
    elif action < Action.DO:
        k = action - Action.HITLER_TO
        put_hitler(state, seat_to_the_left(state, rules, k // 2 + 1), k % 2)
        state.phase = Phase.REFILL
    elif action == Action.DO:
        use_arrival(state, rules)
        state.phase = Phase.REFILL
    elif action == Action.LEAVE:
        state.phase = Phase.REFILL
    elif action < Action.DONE:
        visit_bar(state, rules, action - Action.TAKE)
    elif action == Action.DONE:
        state.phase = Phase.END_TURN
    else:
        play_for_guest(state, rules, action - Action.BY_GUEST)


@rule
def play_for_guest(state: State, rules: Rules, a: int) -> None:
    """Charm, invite, reseat or host the guest that the action number names."""
    n = rules.num_guests
    if a < n:
        charm(state, rules, a)
    elif a < 2 * n:
        state.target = a - n
        state.phase = Phase.INVITE
    elif a < 4 * n:
        reseat(state, (a - 2 * n) // 2, (a - 2 * n) % 2)
    else:
        host(state, (a - 4 * n) // 2, (a - 4 * n) % 2 + 1)


@rule
def skip(state: State) -> None:
    """Nothing can be chosen: go on."""
    if state.phase == Phase.CHOOSE:  # the Lobby is empty: no roll and no Bar
        state.phase = Phase.HOST
    elif state.phase == Phase.PLACE:
        state.failed = 1
        state.phase = Phase.BAR
    elif state.phase == Phase.MOVE_HITLER or state.phase == Phase.RESEAT:
        state.phase = Phase.REFILL


@rule
def nothing_to_ask(state: State, rules: Rules) -> bool:
    """Steps that end a phase without a look at its actions."""
    if state.phase == Phase.ROLL and (state.rolls_left <= 0 or dice_cannot_matter(state, rules)):
        state.phase = Phase.REROLL
        return True
    if state.phase == Phase.REROLL and not find_window(state, rules):
        state.phase = Phase.RESULT
        return True
    if state.phase == Phase.RESEAT and state.moves == 0:
        state.phase = Phase.REFILL
        return True
    if state.phase == Phase.BAR and bar_row(state, rules) == 0:
        state.phase = Phase.HOST
        return True
    return False


@rule
def take_step(state: State, rules: Rules) -> None:
    """The steps that nobody decides."""
    if state.phase == Phase.ENTERTAIN:
        entertain(state, rules)
    elif state.phase == Phase.INVITE:
        invite(state, rules)
    elif state.phase == Phase.RESULT:
        see_result(state, rules)
    elif state.phase == Phase.SEAT:
        seat_guest(state, rules)
    elif state.phase == Phase.REFILL:
        refill(state, rules)
    else:
        end_turn(state, rules)


@rule
def go_on(state: State, rules: Rules) -> None:
    """Go on through everything that nobody decides, until a seat has to."""
    while not state.over:
        if state.phase >= Phase.ENTERTAIN:
            take_step(state, rules)
        elif not nothing_to_ask(state, rules):
            only = only_action(state, rules)
            if only == SEVERAL:
                return
            if only != NONE:
                play(state, rules, only)
            else:
                skip(state)


@rule
def apply(state: State, rules: Rules, action: int) -> None:
    """Play one legal action of the seat to move, then go on."""
    play(state, rules, action)
    go_on(state, rules)
    update_points(state, rules)


@rule
def legal_actions(state: State, rules: Rules, mask: Mask) -> None:
    """Mark what the seat to move may do."""
    for i in range(candidates(state, rules)):
        action = candidate(state, rules, i)
        if allowed(state, rules, action):
            mask[action] = True


# ---------------------------------------------------------------- what a seat cannot know


@rule
def determinize(state: State, rules: Rules, player: int) -> None:
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
