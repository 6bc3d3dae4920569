"""The guests' abilities: whom one may touch, whether it can be used, and how each of the eight kinds is carried out.

Abilities are data: no rule here names a guest. `left` and `right` are the neighbours that a guest had when it left
(door abilities); `left` is the other neighbour for abilities of the trigger `social`.
"""

from __future__ import annotations

from typing import Any

from numpy import int64 as wide

from banquet_envs.core.compile import rule
from banquet_envs.games.surrealist_dinner_party.components import (
    BOTH_NEIGHBOURS,
    CLEAR,
    EACH_OWN,
    EXCHANGE,
    GIVE,
    IF_CONTENT,
    IF_MOST,
    KINDS,
    NEIGHBOUR_NEIGHBOUR,
    ONE_ANY,
    ONE_NEIGHBOUR,
    ONE_OWN,
    OTHER_NEIGHBOUR,
    OWN_OWN,
    OWN_SPREAD,
    PLATE_ICON,
    SELF,
    SELF_NEIGHBOUR,
    SELF_OR_NEIGHBOUR,
    SEND_HOME,
    STASH,
    SWAP,
    TAKE_PLATTER,
    WHEN_NEIGHBOUR_RECEIVES,
    WHEN_RECEIVES,
    WHEN_WOULD_RECEIVE,
)
from banquet_envs.games.surrealist_dinner_party.state import (
    C_A,
    C_B,
    C_GUEST,
    C_I,
    C_KIND,
    C_LEFT,
    C_N,
    C_RIGHT,
    C_SILENT,
    C_STEP,
    C_TOKEN,
    C_USER,
    C_V,
    C_X,
    C_Y,
    F_ASK,
    F_EFFECT,
    F_HOME,
    F_TOKEN,
    PLAYING,
    SEATED,
    WHERE,
    WHETHER,
    WHICH_GUEST,
    WHICH_KIND,
    WHICH_TOKEN,
)
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
def left_for(state: Any, rules: Any, g: Any, left: Any) -> Any:
    """The left neighbour for an ability: of a seated guest now, of one that has left the one of just before."""
    return left_of(state, rules, g) if state.where[g] == SEATED else left


@rule
def right_for(state: Any, rules: Any, g: Any, right: Any) -> Any:
    """The right neighbour for an ability, likewise."""
    return right_of(state, rules, g) if state.where[g] == SEATED else right


@rule
def can_be_touched(state: Any, rules: Any, g: Any, h: Any) -> Any:
    """Whether the ability of `g` would change something with guest `h` as its target.

    A plate ability that takes from the platter does so even if the guest is full: the tokens go to the kitchen.
    """
    kind = rules.guests[g].kind
    if kind == SEND_HOME or (kind == TAKE_PLATTER and rules.guests[g].icon == PLATE_ICON):
        return True
    if kind == GIVE or kind == TAKE_PLATTER:
        return room(state, rules, h) > 0
    return tokens_on(state, h) > 0


@rule
def touch(state: Any, rules: Any, g: Any, h: Any) -> Any:
    """The bit of guest `h` if it is seated and the ability of `g` would change something with it; none for -1."""
    return 1 << h if h >= 0 and state.where[h] == SEATED and can_be_touched(state, rules, g, h) else 0


@rule
def touch_row(state: Any, rules: Any, g: Any, p: Any) -> Any:
    """The same for all guests of a player."""
    bits = 0
    for k in range(state.seated[p]):
        bits |= touch(state, rules, g, wide(state.row[p, k]))
    return bits


@rule
def touchable(state: Any, rules: Any, g: Any, user: Any, left: Any, right: Any) -> Any:
    """The guests that the ability of `g` could touch with effect, as bits."""
    target = rules.guests[g].target
    if target == OTHER_NEIGHBOUR:
        return touch(state, rules, g, left)
    if target == EACH_OWN or target == OWN_SPREAD or target == ONE_OWN or target == OWN_OWN:
        return touch_row(state, rules, g, user)
    bits = 0
    if target == ONE_ANY:
        for p in range(rules.players):
            bits |= touch_row(state, rules, g, p)
        return bits
    if target == SELF or target == SELF_OR_NEIGHBOUR or target == SELF_NEIGHBOUR:
        bits |= touch(state, rules, g, g)
    if target != SELF:
        bits |= touch(state, rules, g, left_for(state, rules, g, left))
        bits |= touch(state, rules, g, right_for(state, rules, g, right))
    return bits


@rule
def condition_met(state: Any, rules: Any, g: Any, user: Any, content: Any) -> Any:
    """The ability's condition: most of one of the named kinds in the stash, or left perfectly content."""
    condition = rules.guests[g].condition
    if condition == IF_CONTENT:
        return content != 0
    if condition == IF_MOST:
        for kind in range(KINDS):
            if rules.guests[g].condition_tokens[kind] and most_of(state, rules, user, kind):
                return True
        return False
    return True


@rule
def platter_offers(state: Any, rules: Any, g: Any) -> Any:
    """Whether the platter holds a token that the ability may take."""
    for kind in range(KINDS):
        if state.platter[kind] > 0 and rules.guests[g].tokens[kind]:
            return True
    return False


@rule
def usable(state: Any, rules: Any, g: Any, user: Any, left: Any, right: Any, content: Any) -> Any:
    """Whether the ability may be used: its condition is met and it would do something."""
    return condition_met(state, rules, g, user, content) and has_effect(state, rules, g, user, left, right)


@rule
def has_effect(state: Any, rules: Any, g: Any, user: Any, left: Any, right: Any) -> Any:
    """Whether a token would find room, move, go back or leave the platter, or a guest go home."""
    kind = rules.guests[g].kind
    if kind == STASH:
        return True
    if kind == TAKE_PLATTER and not platter_offers(state, rules, g):
        return False
    bits = touchable(state, rules, g, user, left, right)
    if kind == SWAP:  # two guests need a token, for Cahun's sort one of them is the guest itself
        if rules.guests[g].target == SELF_NEIGHBOUR and bits & (1 << wide(g)) == 0:
            return False
        return bits & (bits - 1) != 0
    return bits != 0


@rule
def usable_now(state: Any, rules: Any, g: Any, user: Any) -> Any:
    """`usable` for a guest that is seated (or whose ability asks for no neighbour)."""
    none = wide(-1)
    return usable(state, rules, g, user, none, none, wide(1))


@rule
def receiver(state: Any, rules: Any, f: Any, i: Any) -> Any:
    """The i-th guest that an effect reaches: the chosen one, or left then right, or the own row in order; -1 after."""
    g = wide(state.frame[f, C_GUEST])
    target = rules.guests[g].target
    if target == EACH_OWN:
        user = wide(state.frame[f, C_USER])
        return wide(state.row[user, i]) if i < state.seated[user] else -1
    if target == BOTH_NEIGHBOURS:
        left = left_for(state, rules, g, wide(state.frame[f, C_LEFT]))
        right = right_for(state, rules, g, wide(state.frame[f, C_RIGHT]))
        if i == 0:
            return left if left >= 0 else right
        return right if i == 1 and left >= 0 and right != left else -1
    if i > 0:
        return -1
    if target == SELF:
        return wide(g) if state.where[g] == SEATED else -1
    if target == OTHER_NEIGHBOUR:
        return wide(state.frame[f, C_LEFT])
    return wide(state.frame[f, C_A])


@rule
def chooses_one(target: Any) -> Any:
    """Whether the user picks one guest first."""
    return target == ONE_NEIGHBOUR or target == SELF_OR_NEIGHBOUR or target == ONE_OWN or target == ONE_ANY


# ---------------------------------------------------------------- a token arrives


@rule
def hand_token(state: Any, g: Any, kind: Any, giver: Any, silent: Any, moved: Any) -> None:
    """Start the arrival of a token at a guest."""
    f = push(state, F_TOKEN, giver)
    state.frame[f, C_GUEST] = g
    state.frame[f, C_TOKEN] = kind
    state.frame[f, C_SILENT] = silent
    state.frame[f, C_A] = moved


@rule
def may_refuse(state: Any, rules: Any, g: Any, kind: Any, giver: Any) -> Any:
    """Whether the guest's ability lets its owner send this token back."""
    if not rules.abilities or state.stage != PLAYING or rules.guests[g].trigger != WHEN_WOULD_RECEIVE:
        return False
    if rules.guests[g].opponent_only and giver == wide(state.owner[g]):
        return False
    return rules.guests[g].trigger_tokens[kind] != 0


@rule
def run_token(state: Any, rules: Any, f: Any) -> Any:
    """A token for C_GUEST: back to the kitchen without room or when refused, else the owner picks the appetite."""
    g = wide(state.frame[f, C_GUEST])
    kind = wide(state.frame[f, C_TOKEN])
    giver = wide(state.frame[f, C_USER])
    moved = wide(state.frame[f, C_A])
    step = wide(state.frame[f, C_STEP])
    if step == 0:
        if room(state, rules, g) == 0:
            pop(state)
            return False
        if not moved and may_refuse(state, rules, g, kind, giver):
            state.frame[f, C_STEP] = 1
            return ask(state, wide(state.owner[g]), WHETHER)
    if step == 1 and wide(state.answer) == 1:
        pop(state)
        return False
    if step <= 1:
        state.frame[f, C_STEP] = 2
        return ask(state, giver if moved and rules.swapper_places else wide(state.owner[g]), WHERE)
    state.token[g, first_empty(state, rules, g, wide(state.answer))] = kind
    if rules.abilities and state.stage == PLAYING and not moved and not wide(state.frame[f, C_SILENT]):
        note_event(state, listeners(state, rules, g, kind, giver), kind)
    pop(state)
    return False


@rule
def listeners(state: Any, rules: Any, g: Any, kind: Any, giver: Any) -> Any:
    """The guests whose abilities wait for the token that `g` gets: itself and its neighbours of this moment, as bits."""
    left, right = left_of(state, rules, g), right_of(state, rules, g)
    bits = 0
    if listens(state, rules, g, WHEN_RECEIVES, kind, giver):
        bits |= 1 << g
    if left >= 0 and listens(state, rules, left, WHEN_NEIGHBOUR_RECEIVES, kind, giver):
        bits |= 1 << left
    if right >= 0 and listens(state, rules, right, WHEN_NEIGHBOUR_RECEIVES, kind, giver):
        bits |= 1 << right
    return bits


@rule
def listens(state: Any, rules: Any, h: Any, trigger: Any, kind: Any, giver: Any) -> Any:
    """Whether a token of this kind and giver sets off the ability of guest `h`."""
    if rules.guests[h].trigger != trigger or rules.guests[h].trigger_tokens[kind] == 0:
        return False
    return not rules.guests[h].opponent_only or giver != wide(state.owner[h])


# ---------------------------------------------------------------- using an ability


@rule
def offer(state: Any, rules: Any, g: Any, left: Any, kind: Any) -> None:
    """Ask the owner whether to use a no-icon ability."""
    f = push(state, F_ASK, wide(state.owner[g]))
    state.frame[f, C_GUEST] = g
    state.frame[f, C_LEFT] = left
    state.frame[f, C_RIGHT] = -1
    state.frame[f, C_TOKEN] = kind


@rule
def run_ask(state: Any, rules: Any, f: Any) -> Any:
    """A no-icon ability is optional; what it hands out sets off no further one."""
    if wide(state.frame[f, C_STEP]) == 0:
        state.frame[f, C_STEP] = 1
        return ask(state, wide(state.frame[f, C_USER]), WHETHER)
    if wide(state.answer) == 1:
        state.frame[f, C_KIND] = F_EFFECT
        state.frame[f, C_STEP] = 0
        state.frame[f, C_SILENT] = 1
    else:
        pop(state)
    return False


@rule
def start_effect(state: Any, g: Any, user: Any, silent: Any, left: Any, right: Any) -> None:
    """Use the ability of a guest."""
    f = push(state, F_EFFECT, user)
    state.frame[f, C_GUEST] = g
    state.frame[f, C_SILENT] = silent
    state.frame[f, C_LEFT] = left
    state.frame[f, C_RIGHT] = right


@rule
def finish_effect(state: Any, f: Any) -> Any:
    """All tokens are handed out: now the abilities that wait for them."""
    silent = wide(state.frame[f, C_SILENT])
    user = wide(state.frame[f, C_USER])
    pop(state)
    if not silent:
        hear_events(state, user)
    return False


@rule
def run_effect(state: Any, rules: Any, f: Any) -> Any:
    """One step of an ability; True when somebody has to decide."""
    g = wide(state.frame[f, C_GUEST])
    kind = rules.guests[g].kind
    if kind == STASH:
        return run_stash(state, rules, f)
    if kind == SWAP:
        return run_swap(state, rules, f)
    if rules.guests[g].target == OWN_SPREAD:
        return run_spread(state, rules, f)
    step = wide(state.frame[f, C_STEP])
    if step == 0:  # steps 0 and 1 of all other kinds: choose one guest where the ability says so
        if chooses_one(rules.guests[g].target):
            state.frame[f, C_STEP] = 1
            return ask(state, wide(state.frame[f, C_USER]), WHICH_GUEST)
        state.frame[f, C_STEP] = 2
        return False
    if step == 1:
        state.frame[f, C_A] = guest_at(state, rules, wide(state.frame[f, C_USER]), wide(state.answer))
        state.frame[f, C_STEP] = 2
        return False
    if kind == EXCHANGE:
        return run_exchange(state, rules, f)
    if kind == CLEAR:
        return run_clear(state, rules, f)
    if kind == SEND_HOME:
        return run_send_home(state, rules, f)
    return run_hand_out(state, rules, f)


@rule
def run_hand_out(state: Any, rules: Any, f: Any) -> Any:
    """give and take_platter: `count` tokens to each receiver. C_I: which receiver, C_N: tokens it was handed.

    From the kitchen a full guest gets nothing; from the platter the tokens are taken all the same and go back.
    """
    g = wide(state.frame[f, C_GUEST])
    user = wide(state.frame[f, C_USER])
    taking = rules.guests[g].kind == TAKE_PLATTER
    r = receiver(state, rules, f, wide(state.frame[f, C_I]))
    if wide(state.frame[f, C_STEP]) == 3:
        if taking:
            take_from_platter(state, user, wide(state.answer))
        state.frame[f, C_N] += 1
        state.frame[f, C_STEP] = 2
        hand_token(state, r, wide(state.answer), user, wide(state.frame[f, C_SILENT]), wide(0))
        return False
    if r < 0 or (taking and not platter_offers(state, rules, g)):
        return finish_effect(state, f)
    if wide(state.frame[f, C_N]) == rules.guests[g].count or (not taking and room(state, rules, r) == 0):
        state.frame[f, C_I] += 1
        state.frame[f, C_N] = 0
        return False
    state.frame[f, C_STEP] = 3
    return ask(state, user, WHICH_KIND)


@rule
def run_spread(state: Any, rules: Any, f: Any) -> Any:
    """take_platter, up to `count` tokens among own guests with room: again and again whether, whom, and which kind."""
    g = wide(state.frame[f, C_GUEST])
    user = wide(state.frame[f, C_USER])
    step = wide(state.frame[f, C_STEP])
    if step == 0:
        if wide(state.frame[f, C_N]) == rules.guests[g].count or not usable_now(state, rules, g, user):
            return finish_effect(state, f)
        state.frame[f, C_STEP] = 1
        if wide(state.frame[f, C_N]) > 0:
            return ask(state, user, WHETHER)
        state.answer = 1
        return False
    if step == 1:
        if wide(state.answer) == 0:
            return finish_effect(state, f)
        state.frame[f, C_STEP] = 2
        return ask(state, user, WHICH_GUEST)
    if step == 2:
        state.frame[f, C_A] = guest_at(state, rules, user, wide(state.answer))
        state.frame[f, C_STEP] = 3
        return ask(state, user, WHICH_KIND)
    take_from_platter(state, user, wide(state.answer))
    state.frame[f, C_N] += 1
    state.frame[f, C_STEP] = 0
    hand_token(state, wide(state.frame[f, C_A]), wide(state.answer), user, wide(state.frame[f, C_SILENT]), wide(0))
    return False


@rule
def run_swap(state: Any, rules: Any, f: Any) -> Any:
    """swap: both tokens are picked and lifted, then each lands on an empty appetite of the other guest.

    C_A and C_B: the guests; C_X and C_Y: the tokens.
    """
    user = wide(state.frame[f, C_USER])
    step = wide(state.frame[f, C_STEP])
    if step == 0:
        state.frame[f, C_STEP] = 1
        return choose_first_of_pair(state, rules, f)
    if step == 1:
        state.frame[f, C_A] = guest_at(state, rules, user, wide(state.answer))
        state.frame[f, C_B] = wide(state.frame[f, C_A])
        state.frame[f, C_STEP] = 2
        return ask(state, user, WHICH_TOKEN)
    if step == 2:
        state.frame[f, C_X] = wide(state.answer)
        state.frame[f, C_STEP] = 3
        return ask(state, user, WHICH_GUEST)
    if step == 3:
        state.frame[f, C_B] = guest_at(state, rules, user, wide(state.answer))
        state.frame[f, C_STEP] = 4
        return ask(state, user, WHICH_TOKEN)
    a = wide(state.frame[f, C_A])
    b = wide(state.frame[f, C_B])
    if step == 4:
        from_a = wide(state.token[a, wide(state.frame[f, C_X])])
        from_b = wide(state.token[b, wide(state.answer)])
        state.token[a, wide(state.frame[f, C_X])] = -1
        state.token[b, wide(state.answer)] = -1
        state.frame[f, C_Y] = from_a
        state.frame[f, C_STEP] = 5
        hand_token(state, a, from_b, user, wide(1), wide(1))
        return False
    if step == 5:
        state.frame[f, C_STEP] = 6
        hand_token(state, b, wide(state.frame[f, C_Y]), user, wide(1), wide(1))
        return False
    return finish_effect(state, f)


@rule
def choose_first_of_pair(state: Any, rules: Any, f: Any) -> Any:
    """The first guest of a swap: the guest itself, its left neighbour, or one of the own guests by choice."""
    g = wide(state.frame[f, C_GUEST])
    user = wide(state.frame[f, C_USER])
    target = rules.guests[g].target
    if target == OWN_OWN:
        return ask(state, user, WHICH_GUEST)
    first = wide(g)
    if target == NEIGHBOUR_NEIGHBOUR:
        first = left_for(state, rules, g, wide(state.frame[f, C_LEFT]))
    state.answer = seat_number(state, rules, user, first)
    return False


@rule
def seat_number(state: Any, rules: Any, player: Any, g: Any) -> Any:
    """The seat number of a seated guest as `player` counts, see `guest_at`."""
    for k in range(3 * rules.players):
        if guest_at(state, rules, player, k) == g:
            return k
    return 0


@rule
def run_exchange(state: Any, rules: Any, f: Any) -> Any:
    """exchange: lift `count` tokens in all, then a new one for each, guest by guest. C_V + i: lifted from the i-th."""
    g = wide(state.frame[f, C_GUEST])
    user = wide(state.frame[f, C_USER])
    step = wide(state.frame[f, C_STEP])
    if step == 2:
        if wide(state.frame[f, C_N]) < rules.guests[g].count and exchangeable(state, rules, f) != 0:
            state.frame[f, C_STEP] = 3
            return ask(state, user, WHICH_GUEST)
        state.frame[f, C_STEP] = 5
        return False
    if step == 3:
        state.frame[f, C_B] = guest_at(state, rules, user, wide(state.answer))
        state.frame[f, C_STEP] = 4
        return ask(state, user, WHICH_TOKEN)
    if step == 4:
        lift_for_exchange(state, rules, f)
        state.frame[f, C_STEP] = 2
        return False
    return run_replacements(state, rules, f)


@rule
def exchangeable(state: Any, rules: Any, f: Any) -> Any:
    """The guests that an exchange may still take tokens from, as bits."""
    bits = 0
    for i in range(3):
        r = receiver(state, rules, f, i)
        if r >= 0 and tokens_on(state, r) > 0:
            bits |= 1 << wide(r)
    return bits


@rule
def lift_for_exchange(state: Any, rules: Any, f: Any) -> None:
    """One token goes back to the kitchen."""
    b = wide(state.frame[f, C_B])
    state.token[b, wide(state.answer)] = -1
    state.frame[f, C_N] += 1
    for i in range(3):
        if receiver(state, rules, f, i) == b:
            state.frame[f, C_V + i] += 1


@rule
def run_replacements(state: Any, rules: Any, f: Any) -> Any:
    """The second half of an exchange. C_I: which guest."""
    user = wide(state.frame[f, C_USER])
    i = wide(state.frame[f, C_I])
    if i == 3:
        return finish_effect(state, f)
    if wide(state.frame[f, C_STEP]) == 6:
        state.frame[f, C_V + i] -= 1
        state.frame[f, C_STEP] = 5
        hand_token(
            state, receiver(state, rules, f, i), wide(state.answer), user, wide(state.frame[f, C_SILENT]), wide(0)
        )
        return False
    if wide(state.frame[f, C_V + i]) == 0:
        state.frame[f, C_I] += 1
        return False
    state.frame[f, C_STEP] = 6
    return ask(state, user, WHICH_KIND)


@rule
def run_clear(state: Any, rules: Any, f: Any) -> Any:
    """clear: the user picks `count` tokens of the guest; they go back to the kitchen."""
    g = wide(state.frame[f, C_GUEST])
    h = receiver(state, rules, f, wide(0))
    if wide(state.frame[f, C_STEP]) == 3:
        state.token[h, wide(state.answer)] = -1
        state.frame[f, C_N] += 1
        state.frame[f, C_STEP] = 2
    if h < 0 or wide(state.frame[f, C_N]) == rules.guests[g].count or tokens_on(state, h) == 0:
        return finish_effect(state, f)
    state.frame[f, C_B] = h
    state.frame[f, C_STEP] = 3
    return ask(state, wide(state.frame[f, C_USER]), WHICH_TOKEN)


@rule
def run_send_home(state: Any, rules: Any, f: Any) -> Any:
    """send_home: the guest leaves as usual, its owner collects."""
    if wide(state.frame[f, C_STEP]) == 2:
        state.frame[f, C_STEP] = 3
        start_departure(state, receiver(state, rules, f, wide(0)), wide(state.frame[f, C_SILENT]))
        return False
    return finish_effect(state, f)


@rule
def start_departure(state: Any, g: Any, silent: Any) -> None:
    """A guest goes home."""
    f = push(state, F_HOME, wide(state.owner[g]))
    state.frame[f, C_GUEST] = g
    state.frame[f, C_SILENT] = silent


@rule
def run_stash(state: Any, rules: Any, f: Any) -> Any:
    """stash: `count` tokens from the kitchen into the own stash."""
    g = wide(state.frame[f, C_GUEST])
    user = wide(state.frame[f, C_USER])
    if wide(state.frame[f, C_STEP]) == 1:
        add_to_stash(state, rules, user, wide(state.answer))
        state.frame[f, C_N] += 1
        state.frame[f, C_STEP] = 0
    if wide(state.frame[f, C_N]) == rules.guests[g].count:
        return finish_effect(state, f)
    state.frame[f, C_STEP] = 1
    return ask(state, user, WHICH_KIND)


# ---------------------------------------------------------------- what may be answered


@rule
def kind_options(state: Any, rules: Any, f: Any) -> Any:
    """The kinds that the running effect offers, as bits."""
    if wide(state.frame[f, C_KIND]) == F_HOME:
        return (1 << KINDS) - 1
    g = wide(state.frame[f, C_GUEST])
    if rules.guests[g].same:
        return 1 << wide(state.frame[f, C_TOKEN])
    bits = 0
    for kind in range(KINDS):
        if rules.guests[g].tokens[kind] and (rules.guests[g].kind != TAKE_PLATTER or state.platter[kind] > 0):
            bits |= 1 << kind
    return bits


@rule
def guest_options(state: Any, rules: Any, f: Any) -> Any:
    """The guests that the running effect lets its user choose from, as bits."""
    g = wide(state.frame[f, C_GUEST])
    if rules.guests[g].kind == EXCHANGE and wide(state.frame[f, C_STEP]) == 3:
        return exchangeable(state, rules, f)
    bits = touchable(
        state, rules, g, wide(state.frame[f, C_USER]), wide(state.frame[f, C_LEFT]), wide(state.frame[f, C_RIGHT])
    )
    if rules.guests[g].kind == SWAP and wide(state.frame[f, C_STEP]) == 3:
        bits &= ~(1 << wide(state.frame[f, C_A]))
    return bits
