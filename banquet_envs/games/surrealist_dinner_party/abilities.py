"""The guests' abilities: whom one may touch, whether it can be used, and how each of the eight kinds is carried out.

Abilities are data: no rule here names a guest. `left` and `right` are the neighbours that a guest had when it left
(door abilities); `left` is the other neighbour for abilities of the trigger `social`.
"""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.components import (
    KINDS,
    SEATS,
    Ability,
    Condition,
    Icon,
    Target,
    Trigger,
)
from banquet_envs.games.surrealist_dinner_party.state import Column, Effect, Phase, Stage, Where
from banquet_envs.games.surrealist_dinner_party.table import (
    add_to_stash,
    ask,
    first_empty,
    guest_at,
    hear_events,
    left_of,
    most_of,
    note_event,
    pop,
    push,
    right_of,
    room,
    take_from_platter,
    tokens_on,
)

# ---------------------------------------------------------------- whom an ability may touch


@rule
def left_for(state: State, rules: Rules, g: int, left: int) -> int:
    """The left neighbour for an ability: of a seated guest now, of one that has left the one of just before."""
    return left_of(state, rules, g) if state.where[g] == Where.SEATED else left


@rule
def right_for(state: State, rules: Rules, g: int, right: int) -> int:
    """The right neighbour for an ability, likewise."""
    return right_of(state, rules, g) if state.where[g] == Where.SEATED else right


@rule
def can_be_touched(state: State, rules: Rules, g: int, h: int) -> bool:
    """Whether the ability of `g` would change something with guest `h` as its target.

    A plate ability that takes from the platter does so even if the guest is full: the tokens go to the kitchen.
    """
    kind = rules.guests[g].kind
    if kind == Ability.SEND_HOME or (kind == Ability.TAKE_PLATTER and rules.guests[g].icon == Icon.PLATE):
        return True
    if kind == Ability.GIVE or kind == Ability.TAKE_PLATTER:
        return room(state, rules, h) > 0
    return tokens_on(state, h) > 0


@rule
def touch(state: State, rules: Rules, g: int, h: int) -> int:
    """The bit of guest `h` if it is seated and the ability of `g` would change something with it; none for -1."""
    return 1 << int(h) if h >= 0 and state.where[h] == Where.SEATED and can_be_touched(state, rules, g, h) else 0


@rule
def touch_row(state: State, rules: Rules, g: int, p: int) -> int:
    """The same for all guests of a player."""
    bits = 0
    for k in range(state.seated[p]):
        bits |= touch(state, rules, g, state.row[p, k])
    return bits


@rule
def touchable(state: State, rules: Rules, g: int, user: int, left: int, right: int) -> int:
    """The guests that the ability of `g` could touch with effect, as bits."""
    target = rules.guests[g].target
    if target == Target.OTHER_NEIGHBOUR:
        return touch(state, rules, g, left)
    if target == Target.EACH_OWN or target == Target.OWN_SPREAD or target == Target.ONE_OWN or target == Target.OWN_OWN:
        return touch_row(state, rules, g, user)
    bits = 0
    if target == Target.ONE_ANY:
        for p in range(rules.players):
            bits |= touch_row(state, rules, g, p)
        return bits
    if target == Target.SELF or target == Target.SELF_OR_NEIGHBOUR or target == Target.SELF_NEIGHBOUR:
        bits |= touch(state, rules, g, g)
    if target != Target.SELF:
        bits |= touch(state, rules, g, left_for(state, rules, g, left))
        bits |= touch(state, rules, g, right_for(state, rules, g, right))
    return bits


@rule
def condition_met(state: State, rules: Rules, g: int, user: int, content: int) -> bool:
    """The ability's condition: most of one of the named kinds in the stash, or left perfectly content."""
    condition = rules.guests[g].condition
    if condition == Condition.CONTENT:
        return content != 0
    if condition == Condition.MOST:
        for kind in range(KINDS):
            if rules.guests[g].condition_tokens[kind] and most_of(state, rules, user, kind):
                return True
        return False
    return True


@rule
def platter_offers(state: State, rules: Rules, g: int) -> bool:
    """Whether the platter holds a token that the ability may take."""
    for kind in range(KINDS):
        if state.platter[kind] > 0 and rules.guests[g].tokens[kind]:
            return True
    return False


@rule
def usable(state: State, rules: Rules, g: int, user: int, left: int, right: int, content: int) -> bool:
    """Whether the ability may be used: its condition is met and it would do something."""
    return condition_met(state, rules, g, user, content) and has_effect(state, rules, g, user, left, right)


@rule
def has_effect(state: State, rules: Rules, g: int, user: int, left: int, right: int) -> bool:
    """Whether a token would find room, move, go back or leave the platter, or a guest go home."""
    kind = rules.guests[g].kind
    if kind == Ability.STASH:
        return True
    if kind == Ability.TAKE_PLATTER and not platter_offers(state, rules, g):
        return False
    bits = touchable(state, rules, g, user, left, right)
    if kind == Ability.SWAP:  # two guests need a token, for Cahun's sort one of them is the guest itself
        if rules.guests[g].target == Target.SELF_NEIGHBOUR and bits & (1 << int(g)) == 0:
            return False
        return bits & (bits - 1) != 0
    return bits != 0


@rule
def usable_now(state: State, rules: Rules, g: int, user: int) -> bool:
    """`usable` for a guest that is seated (or whose ability asks for no neighbour)."""
    return usable(state, rules, g, user, -1, -1, 1)


@rule
def receiver(state: State, rules: Rules, f: int, i: int) -> int:
    """The i-th guest that an effect reaches: the chosen one, or left then right, or the own row in order; -1 after."""
    g = state.frame[f, Column.GUEST]
    target = rules.guests[g].target
    if target == Target.EACH_OWN:
        user = state.frame[f, Column.USER]
        return state.row[user, i] if i < state.seated[user] else -1
    if target == Target.BOTH_NEIGHBOURS:
        left = left_for(state, rules, g, state.frame[f, Column.LEFT])
        right = right_for(state, rules, g, state.frame[f, Column.RIGHT])
        if i == 0:
            return left if left >= 0 else right
        return right if i == 1 and left >= 0 and right != left else -1
    if i > 0:
        return -1
    if target == Target.SELF:
        return g if state.where[g] == Where.SEATED else -1
    if target == Target.OTHER_NEIGHBOUR:
        return state.frame[f, Column.LEFT]
    return state.frame[f, Column.A]


@rule
def chooses_one(target: int) -> bool:
    """Whether the user picks one guest first."""
    return (
        target == Target.ONE_NEIGHBOUR
        or target == Target.SELF_OR_NEIGHBOUR
        or target == Target.ONE_OWN
        or target == Target.ONE_ANY
    )


# ---------------------------------------------------------------- a token arrives


@rule
def hand_token(state: State, g: int, kind: int, giver: int, silent: int, moved: int) -> None:
    """Start the arrival of a token at a guest."""
    f = push(state, Effect.TOKEN, giver)
    state.frame[f, Column.GUEST] = g
    state.frame[f, Column.TOKEN] = kind
    state.frame[f, Column.SILENT] = silent
    state.frame[f, Column.A] = moved


@rule
def may_refuse(state: State, rules: Rules, g: int, kind: int, giver: int) -> bool:
    """Whether the guest's ability lets its owner send this token back."""
    if not rules.abilities or state.stage != Stage.PLAYING or rules.guests[g].trigger != Trigger.WOULD_RECEIVE:
        return False
    if rules.guests[g].opponent_only and giver == state.owner[g]:
        return False
    return rules.guests[g].trigger_tokens[kind] != 0


@rule
def run_token(state: State, rules: Rules, f: int) -> bool:
    """A token for GUEST: back to the kitchen without room or when refused, else the owner picks the appetite."""
    g = state.frame[f, Column.GUEST]
    kind = state.frame[f, Column.TOKEN]
    giver = state.frame[f, Column.USER]
    moved = state.frame[f, Column.A]
    step = state.frame[f, Column.STEP]
    if step == 0:
        if room(state, rules, g) == 0:
            pop(state)
            return False
        if not moved and may_refuse(state, rules, g, kind, giver):
            state.frame[f, Column.STEP] = 1
            return ask(state, state.owner[g], Phase.WHETHER)
    if step == 1 and state.answer == 1:
        pop(state)
        return False
    if step <= 1:
        state.frame[f, Column.STEP] = 2
        return ask(state, giver if moved and rules.swapper_places else state.owner[g], Phase.WHERE)
    state.token[g, first_empty(state, rules, g, state.answer)] = kind
    if rules.abilities and state.stage == Stage.PLAYING and not moved and not state.frame[f, Column.SILENT]:
        note_event(state, listeners(state, rules, g, kind, giver), kind)
    pop(state)
    return False


@rule
def listeners(state: State, rules: Rules, g: int, kind: int, giver: int) -> int:
    """The guests whose abilities wait for the token that `g` gets: itself and its neighbours of this moment, as bits."""
    left, right = left_of(state, rules, g), right_of(state, rules, g)
    bits = 0
    if listens(state, rules, g, Trigger.RECEIVES, kind, giver):
        bits |= 1 << int(g)
    if left >= 0 and listens(state, rules, left, Trigger.NEIGHBOUR_RECEIVES, kind, giver):
        bits |= 1 << int(left)
    if right >= 0 and listens(state, rules, right, Trigger.NEIGHBOUR_RECEIVES, kind, giver):
        bits |= 1 << int(right)
    return bits


@rule
def listens(state: State, rules: Rules, h: int, trigger: int, kind: int, giver: int) -> bool:
    """Whether a token of this kind and giver sets off the ability of guest `h`."""
    if rules.guests[h].trigger != trigger or rules.guests[h].trigger_tokens[kind] == 0:
        return False
    return not rules.guests[h].opponent_only or giver != state.owner[h]


# ---------------------------------------------------------------- using an ability


@rule
def offer(state: State, rules: Rules, g: int, left: int, kind: int) -> None:
    """Ask the owner whether to use a no-icon ability."""
    f = push(state, Effect.ASK, state.owner[g])
    state.frame[f, Column.GUEST] = g
    state.frame[f, Column.LEFT] = left
    state.frame[f, Column.RIGHT] = -1
    state.frame[f, Column.TOKEN] = kind


@rule
def run_ask(state: State, rules: Rules, f: int) -> bool:
    """A no-icon ability is optional; what it hands out sets off no further one."""
    if state.frame[f, Column.STEP] == 0:
        state.frame[f, Column.STEP] = 1
        return ask(state, state.frame[f, Column.USER], Phase.WHETHER)
    if state.answer == 1:
        state.frame[f, Column.KIND] = Effect.ABILITY
        state.frame[f, Column.STEP] = 0
        state.frame[f, Column.SILENT] = 1
    else:
        pop(state)
    return False


@rule
def start_effect(state: State, g: int, user: int, silent: int, left: int, right: int) -> None:
    """Use the ability of a guest."""
    f = push(state, Effect.ABILITY, user)
    state.frame[f, Column.GUEST] = g
    state.frame[f, Column.SILENT] = silent
    state.frame[f, Column.LEFT] = left
    state.frame[f, Column.RIGHT] = right


@rule
def finish_effect(state: State, f: int) -> bool:
    """All tokens are handed out: now the abilities that wait for them."""
    silent = state.frame[f, Column.SILENT]
    user = state.frame[f, Column.USER]
    pop(state)
    if not silent:
        hear_events(state, user)
    return False


@rule
def run_effect(state: State, rules: Rules, f: int) -> bool:
    """One step of an ability; True when somebody has to decide."""
    g = state.frame[f, Column.GUEST]
    kind = rules.guests[g].kind
    if kind == Ability.STASH:
        return run_stash(state, rules, f)
    if kind == Ability.SWAP:
        return run_swap(state, rules, f)
    if rules.guests[g].target == Target.OWN_SPREAD:
        return run_spread(state, rules, f)
    step = state.frame[f, Column.STEP]
    if step == 0:  # steps 0 and 1 of all other kinds: choose one guest where the ability says so
        if chooses_one(rules.guests[g].target):
            state.frame[f, Column.STEP] = 1
            return ask(state, state.frame[f, Column.USER], Phase.WHICH_GUEST)
        state.frame[f, Column.STEP] = 2
        return False
    if step == 1:
        state.frame[f, Column.A] = guest_at(state, rules, state.frame[f, Column.USER], state.answer)
        state.frame[f, Column.STEP] = 2
        return False
    if kind == Ability.EXCHANGE:
        return run_exchange(state, rules, f)
    if kind == Ability.CLEAR:
        return run_clear(state, rules, f)
    if kind == Ability.SEND_HOME:
        return run_send_home(state, rules, f)
    return run_hand_out(state, rules, f)


@rule
def run_hand_out(state: State, rules: Rules, f: int) -> bool:
    """give and take_platter: `count` tokens to each receiver. INDEX: which receiver, N: tokens it was handed.

    From the kitchen a full guest gets nothing; from the platter the tokens are taken all the same and go back.
    """
    g = state.frame[f, Column.GUEST]
    user = state.frame[f, Column.USER]
    taking = rules.guests[g].kind == Ability.TAKE_PLATTER
    r = receiver(state, rules, f, state.frame[f, Column.INDEX])
    if state.frame[f, Column.STEP] == 3:
        if taking:
            take_from_platter(state, user, state.answer)
        state.frame[f, Column.N] += 1
        state.frame[f, Column.STEP] = 2
        hand_token(state, r, state.answer, user, state.frame[f, Column.SILENT], 0)
        return False
    if r < 0 or (taking and not platter_offers(state, rules, g)):
        return finish_effect(state, f)
    if state.frame[f, Column.N] == rules.guests[g].count or (not taking and room(state, rules, r) == 0):
        state.frame[f, Column.INDEX] += 1
        state.frame[f, Column.N] = 0
        return False
    state.frame[f, Column.STEP] = 3
    return ask(state, user, Phase.WHICH_KIND)


@rule
def run_spread(state: State, rules: Rules, f: int) -> bool:
    """take_platter, up to `count` tokens among own guests with room: again and again whether, whom, and which kind."""
    g = state.frame[f, Column.GUEST]
    user = state.frame[f, Column.USER]
    step = state.frame[f, Column.STEP]
    if step == 0:
        if state.frame[f, Column.N] == rules.guests[g].count or not usable_now(state, rules, g, user):
            return finish_effect(state, f)
        state.frame[f, Column.STEP] = 1
        if state.frame[f, Column.N] > 0:
            return ask(state, user, Phase.WHETHER)
        state.answer = 1
        return False
    if step == 1:
        if state.answer == 0:
            return finish_effect(state, f)
        state.frame[f, Column.STEP] = 2
        return ask(state, user, Phase.WHICH_GUEST)
    if step == 2:
        state.frame[f, Column.A] = guest_at(state, rules, user, state.answer)
        state.frame[f, Column.STEP] = 3
        return ask(state, user, Phase.WHICH_KIND)
    take_from_platter(state, user, state.answer)
    state.frame[f, Column.N] += 1
    state.frame[f, Column.STEP] = 0
    hand_token(state, state.frame[f, Column.A], state.answer, user, state.frame[f, Column.SILENT], 0)
    return False


@rule
def run_swap(state: State, rules: Rules, f: int) -> bool:
    """swap: both tokens are picked and lifted, then each lands on an empty appetite of the other guest.

    A and B: the guests; X and Y: the tokens.
    """
    user = state.frame[f, Column.USER]
    step = state.frame[f, Column.STEP]
    if step == 0:
        state.frame[f, Column.STEP] = 1
        return choose_first_of_pair(state, rules, f)
    if step == 1:
        state.frame[f, Column.A] = guest_at(state, rules, user, state.answer)
        state.frame[f, Column.B] = state.frame[f, Column.A]
        state.frame[f, Column.STEP] = 2
        return ask(state, user, Phase.WHICH_TOKEN)
    if step == 2:
        state.frame[f, Column.X] = state.answer
        state.frame[f, Column.STEP] = 3
        return ask(state, user, Phase.WHICH_GUEST)
    if step == 3:
        state.frame[f, Column.B] = guest_at(state, rules, user, state.answer)
        state.frame[f, Column.STEP] = 4
        return ask(state, user, Phase.WHICH_TOKEN)
    a = state.frame[f, Column.A]
    b = state.frame[f, Column.B]
    if step == 4:
        from_a = state.token[a, state.frame[f, Column.X]]
        from_b = state.token[b, state.answer]
        state.token[a, state.frame[f, Column.X]] = -1
        state.token[b, state.answer] = -1
        state.frame[f, Column.Y] = from_a
        state.frame[f, Column.STEP] = 5
        hand_token(state, a, from_b, user, 1, 1)
        return False
    if step == 5:
        state.frame[f, Column.STEP] = 6
        hand_token(state, b, state.frame[f, Column.Y], user, 1, 1)
        return False
    return finish_effect(state, f)


@rule
def choose_first_of_pair(state: State, rules: Rules, f: int) -> bool:
    """The first guest of a swap: the guest itself, its left neighbour, or one of the own guests by choice."""
    g = state.frame[f, Column.GUEST]
    user = state.frame[f, Column.USER]
    target = rules.guests[g].target
    if target == Target.OWN_OWN:
        return ask(state, user, Phase.WHICH_GUEST)
    first = g
    if target == Target.NEIGHBOUR_NEIGHBOUR:
        first = left_for(state, rules, g, state.frame[f, Column.LEFT])
    state.answer = seat_number(state, rules, user, first)
    return False


@rule
def seat_number(state: State, rules: Rules, player: int, g: int) -> int:
    """The seat number of a seated guest as `player` counts, see `guest_at`."""
    for k in range(SEATS * rules.players):
        if guest_at(state, rules, player, k) == g:
            return k
    return 0


@rule
def run_exchange(state: State, rules: Rules, f: int) -> bool:
    """exchange: lift `count` tokens in all, then a new one for each, guest by guest. V + i: lifted from the i-th."""
    g = state.frame[f, Column.GUEST]
    user = state.frame[f, Column.USER]
    step = state.frame[f, Column.STEP]
    if step == 2:
        if state.frame[f, Column.N] < rules.guests[g].count and exchangeable(state, rules, f) != 0:
            state.frame[f, Column.STEP] = 3
            return ask(state, user, Phase.WHICH_GUEST)
        state.frame[f, Column.STEP] = 5
        return False
    if step == 3:
        state.frame[f, Column.B] = guest_at(state, rules, user, state.answer)
        state.frame[f, Column.STEP] = 4
        return ask(state, user, Phase.WHICH_TOKEN)
    if step == 4:
        lift_for_exchange(state, rules, f)
        state.frame[f, Column.STEP] = 2
        return False
    return run_replacements(state, rules, f)


@rule
def exchangeable(state: State, rules: Rules, f: int) -> int:
    """The guests that an exchange may still take tokens from, as bits."""
    bits = 0
    for i in range(SEATS):
        r = receiver(state, rules, f, i)
        if r >= 0 and tokens_on(state, r) > 0:
            bits |= 1 << int(r)
    return bits


@rule
def lift_for_exchange(state: State, rules: Rules, f: int) -> None:
    """One token goes back to the kitchen."""
    b = state.frame[f, Column.B]
    state.token[b, state.answer] = -1
    state.frame[f, Column.N] += 1
    for i in range(SEATS):
        if receiver(state, rules, f, i) == b:
            state.frame[f, Column.V + i] += 1


@rule
def run_replacements(state: State, rules: Rules, f: int) -> bool:
    """The second half of an exchange. INDEX: which guest."""
    user = state.frame[f, Column.USER]
    i = state.frame[f, Column.INDEX]
    if i == SEATS:
        return finish_effect(state, f)
    if state.frame[f, Column.STEP] == 6:
        state.frame[f, Column.V + i] -= 1
        state.frame[f, Column.STEP] = 5
        hand_token(state, receiver(state, rules, f, i), state.answer, user, state.frame[f, Column.SILENT], 0)
        return False
    if state.frame[f, Column.V + i] == 0:
        state.frame[f, Column.INDEX] += 1
        return False
    state.frame[f, Column.STEP] = 6
    return ask(state, user, Phase.WHICH_KIND)


@rule
def run_clear(state: State, rules: Rules, f: int) -> bool:
    """clear: the user picks `count` tokens of the guest; they go back to the kitchen."""
    g = state.frame[f, Column.GUEST]
    h = receiver(state, rules, f, 0)
    if state.frame[f, Column.STEP] == 3:
        state.token[h, state.answer] = -1
        state.frame[f, Column.N] += 1
        state.frame[f, Column.STEP] = 2
    if h < 0 or state.frame[f, Column.N] == rules.guests[g].count or tokens_on(state, h) == 0:
        return finish_effect(state, f)
    state.frame[f, Column.B] = h
    state.frame[f, Column.STEP] = 3
    return ask(state, state.frame[f, Column.USER], Phase.WHICH_TOKEN)


@rule
def run_send_home(state: State, rules: Rules, f: int) -> bool:
    """send_home: the guest leaves as usual, its owner collects."""
    if state.frame[f, Column.STEP] == 2:
        state.frame[f, Column.STEP] = 3
        start_departure(state, receiver(state, rules, f, 0), state.frame[f, Column.SILENT])
        return False
    return finish_effect(state, f)


@rule
def start_departure(state: State, g: int, silent: int) -> None:
    """A guest goes home."""
    f = push(state, Effect.HOME, state.owner[g])
    state.frame[f, Column.GUEST] = g
    state.frame[f, Column.SILENT] = silent


@rule
def run_stash(state: State, rules: Rules, f: int) -> bool:
    """stash: `count` tokens from the kitchen into the own stash."""
    g = state.frame[f, Column.GUEST]
    user = state.frame[f, Column.USER]
    if state.frame[f, Column.STEP] == 1:
        add_to_stash(state, rules, user, state.answer)
        state.frame[f, Column.N] += 1
        state.frame[f, Column.STEP] = 0
    if state.frame[f, Column.N] == rules.guests[g].count:
        return finish_effect(state, f)
    state.frame[f, Column.STEP] = 1
    return ask(state, user, Phase.WHICH_KIND)


# ---------------------------------------------------------------- what may be answered


@rule
def kind_options(state: State, rules: Rules, f: int) -> int:
    """The kinds that the running effect offers, as bits."""
    if state.frame[f, Column.KIND] == Effect.HOME:
        return (1 << KINDS) - 1
    g = state.frame[f, Column.GUEST]
    if rules.guests[g].same:
        return 1 << int(state.frame[f, Column.TOKEN])
    bits = 0
    for kind in range(KINDS):
        if rules.guests[g].tokens[kind] and (rules.guests[g].kind != Ability.TAKE_PLATTER or state.platter[kind] > 0):
            bits |= 1 << kind
    return bits


@rule
def guest_options(state: State, rules: Rules, f: int) -> int:
    """The guests that the running effect lets its user choose from, as bits."""
    g = state.frame[f, Column.GUEST]
    if rules.guests[g].kind == Ability.EXCHANGE and state.frame[f, Column.STEP] == 3:
        return exchangeable(state, rules, f)
    bits = touchable(
        state, rules, g, state.frame[f, Column.USER], state.frame[f, Column.LEFT], state.frame[f, Column.RIGHT]
    )
    if rules.guests[g].kind == Ability.SWAP and state.frame[f, Column.STEP] == 3:
        bits &= ~(1 << int(state.frame[f, Column.A]))
    return bits
