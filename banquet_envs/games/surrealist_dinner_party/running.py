"""What the stack of running effects may look like while somebody has to answer: part of the check of records.

An effect is on top and asks, or waits at a certain step for the one above it, which must then be what it has started. So
what runs on after an answer finds the guests, tokens and counts that it needs.
"""

from __future__ import annotations

from collections.abc import Callable

from banquet_envs.games.surrealist_dinner_party.components import Ability, Icon, Kind, Target, Trigger
from banquet_envs.games.surrealist_dinner_party.position import Frame, Position, Unsound, need
from banquet_envs.games.surrealist_dinner_party.state import Effect, Phase, Stage, Step, Where

Above = Frame | None
_CHOOSING = (Target.ONE_NEIGHBOUR, Target.SELF_OR_NEIGHBOUR, Target.ONE_OWN, Target.ONE_ANY)


def check_running(pos: Position) -> None:
    """Raise `Unsound` unless the running effects fit each other, the table and the question."""
    frames = pos.frames
    for f, frame in enumerate(frames):
        below = frames[f - 1] if f > 0 else None
        above = frames[f + 1] if f + 1 < len(frames) else None
        need(frame.guest < len(pos.cards), "an effect of no guest")
        _KINDS[frame.kind](pos, frame, below, above)
    _check_departures(pos)
    _check_events(pos)


def _asks(pos: Position, frame: Frame, above: Above, phase: int, player: int) -> None:
    need(above is None, "something runs on top of an effect that asks")
    need((pos.phase, pos.player) == (phase, player), "not the question, or not the player, of the effect on top")


def _blank(frame: Frame, *used: str) -> None:
    for name, value in zip(frame._fields, frame, strict=True):
        if value != 0 and name not in used:
            raise Unsound(f"{name} is set in {frame}")


def _waits(above: Above, *kinds: int) -> None:
    need(above is not None and above.kind in kinds, "an effect waits for another than lies on top of it")


def _check_departures(pos: Position) -> None:
    leaving = [f.guest for f in pos.frames if f.kind == Effect.HOME]
    need(len(set(leaving)) == len(leaving), "a guest goes home twice")
    for p in range(pos.players):
        own = sum(pos.owner[g] == p for g in leaving)
        need(own + pos.seated[p] <= pos.box.seats, "more guests are going home than had seats")


def _check_events(pos: Position) -> None:
    kinds = [f.kind for f in pos.frames]
    need(kinds.count(Effect.EVENTS) <= 1, "two effects run through the events")
    need(not any(pos.waiting[pos.events :]) and not any(pos.event[pos.events :]), "events beyond their number")
    if not pos.events:
        return
    f = kinds.index(Effect.EVENTS) if Effect.EVENTS in kinds else -1
    if f < 0:
        top = pos.frames[-1] if pos.frames else None
        effect = pos.frames[-2] if top is not None and top.kind == Effect.TOKEN and len(pos.frames) > 1 else top
        need(effect is not None and effect.kind in (Effect.SOCIAL, Effect.ABILITY), "events that nothing will hear")
        need(effect is not None and not effect.silent, "events of an effect that sets nothing off")
    for e in range(pos.events):
        for g in range(len(pos.cards)):
            if pos.waiting[e] >> g & 1:
                need(pos.where[g] > 0, "a guest waits that never sat")
                _check_trigger(pos, g, e, pos.frames[f - 1] if f > 0 else None)
    if f >= 0:
        _check_trigger(pos, pos.frames[f + 1].guest, pos.frames[f].n, pos.frames[f - 1] if f > 0 else None)


def _check_trigger(pos: Position, g: int, e: int, below: Above) -> None:
    """Whether the ability of `g` waits for the e-th event, given the effect that has caused it."""
    card = pos.cards[g]
    if below is None and pos.step == Step.NEXT_TURN:
        need(card.trigger == Trigger.COURSE_START and pos.event[e] == 0, "an ability that no course sets off")
    elif below is not None and (below.kind, below.step) == (Effect.HOME, 6):
        need(
            card.trigger == Trigger.NEIGHBOUR_LEAVES and g in (below.left, below.right), "somebody who saw nobody leave"
        )
        need(pos.event[e] == 0, "a departure is no token")
    else:
        need(card.trigger in (Trigger.RECEIVES, Trigger.NEIGHBOUR_RECEIVES), "an ability that no token sets off")
        need(card.trigger_tokens[pos.event[e]], "an ability that waits for another token")


# ---------------------------------------------------------------- the eight kinds, but for abilities


def _check_token(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """A token arrives: refused or not, then where it goes."""
    _blank(frame, "kind", "step", "user", "guest", "silent", "token", "a")
    g = frame.guest
    need(pos.sits(g) and pos.room(g) > 0, "a token for a guest without room")
    need(frame.a < 2, "a token is moved or not")
    need(below is not None and below.kind in (Effect.SERVE, Effect.SOCIAL, Effect.ABILITY), "a token from nowhere")
    moved_by_user = frame.a and pos.box.swapper_places
    if frame.step == 2:
        _asks(pos, frame, above, Phase.WHERE, frame.user if moved_by_user else pos.owner[g])
        return
    card = pos.cards[g]
    need(
        frame.step == 1 and not frame.a and pos.box.abilities and pos.stage == Stage.PLAYING,
        "no question about a token",
    )
    need(card.trigger == Trigger.WOULD_RECEIVE and card.trigger_tokens[frame.token], "a token that cannot be refused")
    need(not card.opponent_only or frame.user != pos.owner[g], "an own token cannot be refused")
    _asks(pos, frame, above, Phase.WHETHER, pos.owner[g])


def _hands(frame: Frame, above: Above, guest: int, silent: int = 0, moved: int = 0) -> None:
    _waits(above, Effect.TOKEN)
    if above is not None:
        handed = (above.guest, above.user, above.silent, above.a)
        need(handed == (guest, frame.user, silent, moved), "another token arrives than an effect hands out")


def _check_serve(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """Action 3."""
    _blank(frame, "kind", "step", "user", "guest", "token")
    need(
        below is None and pos.stage == Stage.PLAYING and pos.step == Step.TURN_ENDS and not pos.first_half,
        "serving, out of turn",
    )
    need(frame.user == pos.active == pos.owner[frame.guest], "somebody serves another's guest")
    if frame.step == 1:
        _hands(frame, above, frame.guest)
        need(above is not None and above.token == frame.token, "another token is served")
    else:
        need(frame.step == 2, "serving has no such step")
        _waits(above, Effect.EVENTS)


def _check_social(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """Action 2."""
    _blank(frame, "kind", "step", "user", "guest", "left", "token", "x")
    need(
        below is None and pos.stage == Stage.PLAYING and pos.step == Step.TURN_ENDS and not pos.first_half,
        "action 2, out of turn",
    )
    g, partner = frame.guest, frame.left
    need(frame.user == pos.active == pos.owner[g], "action 2 with another's guest")
    need(partner >= 0 and partner != g and pos.where[partner] > 0, "action 2 without a partner")
    need(frame.token in (Kind.COMPLIMENT, Kind.DRAMA) and frame.x < 2, "neither compliments nor drama")
    if frame.step in (1, 2):
        need(pos.sits(g) and pos.beside(g)[frame.x] == partner, "action 2 with somebody who is no neighbour")
        _hands(frame, above, g if frame.step == 1 else partner)
        need(above is not None and above.token == frame.token, "another token than that of action 2")
    elif frame.step == 3:
        _waits(above, Effect.EVENTS)
    else:
        need(frame.step == 4, "action 2 has no such step")
        _waits(above, Effect.ASK, Effect.ABILITY)


def _check_hearing(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """Abilities without an icon that wait for what has happened."""
    _blank(frame, "kind", "user", "n")
    need(pos.box.abilities and pos.stage == Stage.PLAYING and frame.n < pos.events, "no event to run through")
    if below is None:
        need(pos.step in (Step.AFTER_PLATE, Step.NEXT_TURN), "events of nothing")
    else:
        places = ((Effect.SERVE, 2), (Effect.SOCIAL, 3), (Effect.HOME, 5), (Effect.HOME, 6))
        need((below.kind, below.step) in places and not below.silent, "an effect that does not wait for events")
    _waits(above, Effect.ASK, Effect.ABILITY)


def _check_ask(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """Whether an ability without an icon is used."""
    _blank(frame, "kind", "step", "user", "guest", "left", "right", "token")
    need(frame.step == 1 and pos.sits(frame.guest), "the ability of a guest that is not there")
    _check_unasked(pos, frame, below)
    need(pos.usable(frame) and pos.allowed(frame, True), "an ability that does nothing")
    _asks(pos, frame, above, Phase.WHETHER, frame.user)


def _check_unasked(pos: Position, frame: Frame, below: Above) -> None:
    """An ability without an icon, asked about or in use: what has set it off."""
    card = pos.cards[frame.guest]
    need(pos.box.abilities and pos.stage == Stage.PLAYING, "an ability without an icon, not in play")
    need(card.icon == Icon.NONE and frame.user == pos.owner[frame.guest] and frame.right == -1, "another's ability")
    if below is None:
        need(card.trigger == Trigger.SEATED, "an ability that nothing has set off")
        need(pos.step in (Step.AFTER_FIRST_HALF, Step.TURN_ENDS) and pos.first_half == 1, "nobody has just been seated")
        need(frame.user == pos.active and frame.left == -1 and frame.token == 0, "another's ability when seated")
    elif below.kind == Effect.EVENTS:
        need(frame.left == -1 and frame.token == pos.event[below.n], "an event with another token")
    else:
        need(
            (below.kind, below.step, card.trigger) == (Effect.SOCIAL, 4, Trigger.SOCIAL),
            "an ability set off by nothing",
        )
        need((frame.guest, frame.token) == (below.guest, below.token), "an ability of somebody not picked for action 2")


def _check_home(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """A guest that has collected: the bonus, the door, the neighbours."""
    _blank(frame, "kind", "step", "user", "guest", "silent", "left", "right", "n", "a")
    g = frame.guest
    need(pos.where[g] == Where.GONE and frame.user == pos.owner[g], "somebody is going home who is not")
    need((frame.left >= 0) == (frame.right >= 0) and g not in (frame.left, frame.right), "neighbours that cannot be")
    effect = above is not None and above.kind == Effect.ABILITY
    sent = effect and above is not None and above.step == 3 and pos.cards[above.guest].kind == Ability.SEND_HOME
    still = frame.step < 5 or (effect and not sent)  # until then nobody else leaves
    for h in (frame.left, frame.right):
        need(h < 0 or (pos.sits(h) if still else pos.where[h] > 0), "neighbours that do not sit there")
    if below is not None:
        need(below.kind == Effect.ABILITY and frame.silent == below.silent, "a guest sent home by nothing")
    elif pos.stage == Stage.PLAYING:
        need(pos.step in (Step.AFTER_FIRST_HALF, Step.TURN_ENDS) and pos.first_half == 2, "nobody has been sent home")
        need(frame.user == pos.active and not frame.silent, "a guest sent home by another player")
    else:
        need(pos.stage == Stage.LAST_DEPARTURES and not frame.silent, "a departure in no stage for it")
    bonus = pos.box.content_bonus if frame.a else 0
    need(frame.a < 2 and frame.n <= bonus, "too much of a bonus")
    if frame.step == 2:
        need(frame.n < bonus, "a bonus that has been taken")
        _asks(pos, frame, above, Phase.WHICH_KIND, frame.user)
        return
    need(frame.n == bonus, "a bonus that has not been taken")
    if frame.step == 4:
        _check_door(pos, frame)
        need(pos.usable(frame) and pos.allowed(frame, bool(frame.a)), "a door ability that does nothing")
        _asks(pos, frame, above, Phase.WHETHER, frame.user)
        return
    need(frame.step in (5, 6), "going home has no such step")
    _waits(above, Effect.EVENTS, *((Effect.ABILITY,) if frame.step == 5 else ()))


def _check_door(pos: Position, frame: Frame) -> None:
    card = pos.cards[frame.guest]
    need(pos.box.abilities and card.icon == Icon.DOOR, "a door ability of a guest without")
    need(pos.stage == Stage.PLAYING or card.kind != Ability.STASH, "stash doors come last")


# ---------------------------------------------------------------- abilities


def _check_effect(pos: Position, frame: Frame, below: Above, above: Above) -> None:
    """An ability in use: who may use it here, then its own steps."""
    card = pos.cards[frame.guest]
    need(pos.box.abilities and frame.user == pos.owner[frame.guest], "somebody uses another's ability")
    if card.icon == Icon.NONE:
        _check_unasked(pos, frame, below)
        need(frame.silent == 1, "an ability without an icon sets off another")
    elif card.icon == Icon.DOOR and below is not None:
        need((below.kind, below.step, below.guest) == (Effect.HOME, 5, frame.guest), "a door ability of nobody")
        same = (frame.silent, frame.left, frame.right, frame.token) == (below.silent, below.left, below.right, 0)
        need(same, "a door ability of another departure")
        _check_door(pos, frame)
    else:
        _check_first(pos, frame, below)
    used = ("kind", "step", "user", "guest", "silent", "left", "right", "token")
    scratch, check = _ABILITIES[card.kind] if card.target != Target.OWN_SPREAD else (("n", "a"), _check_spread)
    _blank(frame, *used, *scratch)
    check(pos, frame, above)


def _check_first(pos: Position, frame: Frame, below: Above) -> None:
    """A plate ability, or one of the last doors: nothing lies below."""
    plain = (frame.silent, frame.left, frame.right, frame.token) == (0, -1, -1, 0)
    need(below is None and plain, "an ability that begins no action")
    if pos.stage == Stage.LAST_DOORS:
        card = pos.cards[frame.guest]
        need(
            card.icon == Icon.DOOR and card.kind == Ability.STASH and pos.where[frame.guest] == Where.GONE,
            "no last door",
        )
    else:
        need(pos.cards[frame.guest].icon == Icon.PLATE and pos.stage == Stage.PLAYING, "a plate ability, not in play")
        need(pos.step == Step.AFTER_PLATE and frame.user == pos.active, "a plate ability out of turn")
        need(pos.plate_done >> frame.guest & 1, "a plate ability that is not marked as used")


def _choose_guest(pos: Position, frame: Frame, above: Above) -> None:
    need(pos.cards[frame.guest].target in _CHOOSING and pos.usable(frame), "no guest to choose")
    _asks(pos, frame, above, Phase.WHICH_GUEST, frame.user)


def _receiver(pos: Position, frame: Frame, i: int) -> int:
    """The i-th receiver, who must be there."""
    found = pos.receivers(frame)
    need(i < len(found), "an ability that reaches nobody")
    need(pos.sits(found[i]) and found[i] in pos.reach(frame), "an ability that does not reach so far")
    return found[i]


def _check_hand_out(pos: Position, frame: Frame, above: Above) -> None:
    """give, take_platter."""
    card = pos.cards[frame.guest]
    if frame.step == 1:
        need(frame.n == frame.i == frame.a == 0, "tokens before there is a guest")
        _choose_guest(pos, frame, above)
        return
    r = _receiver(pos, frame, frame.i)
    if frame.step == 3:
        need(frame.n < card.count, "more tokens than the ability hands out")
        need(pos.room(r) > 0 if card.kind == Ability.GIVE else pos.offers(frame.guest), "a token that cannot be had")
        _asks(pos, frame, above, Phase.WHICH_KIND, frame.user)
    else:
        need(frame.step == 2 and 1 <= frame.n <= card.count, "a count that does not fit the tokens handed out")
        _hands(frame, above, r, frame.silent)


def _check_spread(pos: Position, frame: Frame, above: Above) -> None:
    """take_platter among own guests, as many as one likes."""
    count = pos.cards[frame.guest].count
    own = pos.rows[frame.user]
    if frame.step == 0:
        need(1 <= frame.n <= count and frame.a in own, "a token for another's guest")
        _hands(frame, above, frame.a, frame.silent)
        return
    need(frame.n < count and pos.usable(frame), "no more tokens to take")
    need(frame.a in own if frame.n or frame.step == 3 else frame.a == 0, "tokens were taken for nobody")
    need(frame.step != 1 or frame.n > 0, "the first token is not asked for")
    need(1 <= frame.step <= 3, "taking has no such step")
    need(frame.step != 3 or pos.changes(frame.guest, frame.a), "a token for a full guest")
    _asks(pos, frame, above, (Phase.WHETHER, Phase.WHICH_GUEST, Phase.WHICH_KIND)[frame.step - 1], frame.user)


def _check_swap(pos: Position, frame: Frame, above: Above) -> None:
    """swap: two guests, a token of each, then both arrive."""
    if frame.step in (5, 6):
        need(pos.sits(frame.a) and pos.sits(frame.b) and frame.a != frame.b, "a swap with nobody")
        _hands(frame, above, frame.a if frame.step == 5 else frame.b, 1, 1)
        return
    need(pos.usable(frame) and frame.y == 0, "nothing to swap")
    target = pos.cards[frame.guest].target
    touched = pos.touched(frame)
    if frame.step == 1:
        need(target == Target.OWN_OWN and frame.a == frame.b == frame.x == 0, "the first guest of a swap is no choice")
        _asks(pos, frame, above, Phase.WHICH_GUEST, frame.user)
        return
    need(2 <= frame.step <= 4 and frame.a in touched and frame.b in touched, "a swap with somebody who has no token")
    need(target != Target.SELF_NEIGHBOUR or frame.a == frame.guest, "a swap without the guest itself")
    need(target != Target.NEIGHBOUR_NEIGHBOUR or frame.a == touched[0], "a swap begins on the left")
    need((frame.a == frame.b) == (frame.step < 4), "a swap between one guest")
    need(frame.x == 0 if frame.step == 2 else pos.token[frame.a][frame.x] >= 0, "a token that is not there")
    _asks(pos, frame, above, Phase.WHICH_GUEST if frame.step == 3 else Phase.WHICH_TOKEN, frame.user)


def _check_exchange(pos: Position, frame: Frame, above: Above) -> None:
    """exchange: tokens are lifted, then replaced guest by guest."""
    if frame.step == 1:
        need(frame.n == frame.i == frame.a == frame.b == sum(frame.lifted) == 0, "lifted before there is a guest")
        _choose_guest(pos, frame, above)
        return
    count = pos.cards[frame.guest].count
    for i, lifted in enumerate(frame.lifted):
        need(lifted == 0 or lifted <= pos.room(_receiver(pos, frame, i)), "tokens lifted from nobody")
    need(sum(frame.lifted) <= frame.n <= count, "more tokens than were lifted")
    if frame.step in (3, 4):
        there = [g for k, g in enumerate(pos.receivers(frame)) if _receiver(pos, frame, k) == g and pos.tokens_on(g)]
        need(sum(frame.lifted) == frame.n < count and frame.i == 0 and there, "no more tokens to lift")
        need(frame.step == 3 or frame.b in there, "a token of somebody out of reach")
        _asks(pos, frame, above, Phase.WHICH_GUEST if frame.step == 3 else Phase.WHICH_TOKEN, frame.user)
        return
    need(frame.step in (5, 6) and frame.i < 3 and not any(frame.lifted[: frame.i]), "tokens were not replaced")
    if frame.step == 6:
        need(frame.lifted[frame.i] > 0, "a token that was not lifted")
        _asks(pos, frame, above, Phase.WHICH_KIND, frame.user)
    else:
        _hands(frame, above, _receiver(pos, frame, frame.i), frame.silent)


def _check_clear(pos: Position, frame: Frame, above: Above) -> None:
    """clear: tokens of one guest go back."""
    if frame.step == 1:
        need(frame.n == frame.a == frame.b == 0, "cleared before there is a guest")
        _choose_guest(pos, frame, above)
        return
    h = _receiver(pos, frame, 0)
    need(
        frame.step == 3 and frame.b == h and pos.tokens_on(h) and frame.n < pos.cards[frame.guest].count,
        "no token to clear",
    )
    _asks(pos, frame, above, Phase.WHICH_TOKEN, frame.user)


def _check_send_home(pos: Position, frame: Frame, above: Above) -> None:
    """send_home: the guest is on its way."""
    if frame.step == 1:
        need(frame.a == 0, "sent home before there is a guest")
        _choose_guest(pos, frame, above)
        return
    need(frame.step == 3, "sending home has no such step")
    _waits(above, Effect.HOME)
    guest = frame.a if pos.cards[frame.guest].target in _CHOOSING else frame.guest
    need(above is not None and above.guest == guest, "somebody else was sent home")


def _check_stash(pos: Position, frame: Frame, above: Above) -> None:
    """stash: tokens from the kitchen."""
    need(frame.step == 1 and frame.n < pos.cards[frame.guest].count, "no more tokens for the stash")
    _asks(pos, frame, above, Phase.WHICH_KIND, frame.user)


_KINDS: dict[int, Callable[[Position, Frame, Above, Above], None]] = {
    int(Effect.TOKEN): _check_token,
    int(Effect.SERVE): _check_serve,
    int(Effect.SOCIAL): _check_social,
    int(Effect.EVENTS): _check_hearing,
    int(Effect.ASK): _check_ask,
    int(Effect.ABILITY): _check_effect,
    int(Effect.HOME): _check_home,
}
_ABILITIES: dict[int, tuple[tuple[str, ...], Callable[[Position, Frame, Above], None]]] = {
    Ability.GIVE: (("n", "i", "a"), _check_hand_out),
    Ability.TAKE_PLATTER: (("n", "i", "a"), _check_hand_out),
    Ability.SWAP: (("a", "b", "x", "y"), _check_swap),
    Ability.EXCHANGE: (("n", "i", "a", "b", "v0", "v1", "v2"), _check_exchange),
    Ability.CLEAR: (("n", "a", "b"), _check_clear),
    Ability.SEND_HOME: (("a",), _check_send_home),
    Ability.STASH: (("n",), _check_stash),
}
