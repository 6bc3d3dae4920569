"""What every record of the game keeps: bounds of its fields, and what must fit together.

Play never breaks any of it, so the conformance suite holds every position of its walks against it. Records from outside
are held against it before a rule sees them: on one that passes, no rule reads or writes outside an array or runs on for
ever. Plain Python, in the order of the state's fields.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import (
    DICE,
    GUESTS,
    HITLER,
    PER_BACK,
    RULES,
    SEATS,
    STACKS,
    Deed,
    Drink,
    Kind,
    Roll,
)
from banquet_envs.games.dinner_party.facts import points_range
from banquet_envs.games.dinner_party.scoring import TIE_BASE
from banquet_envs.games.dinner_party.state import DECISIONS, End, Phase, Where

MOST = int(np.iinfo(np.int16).max)
ARRIVALS = (Phase.MOVE_HITLER, Phase.MAY, Phase.RESEAT)
"""Phases in which the guest sits already and the Lobby has not been refilled."""

Range = tuple[Any, Any]


# ---------------------------------------------------------------- bounds


def bounds(rules: Rules) -> dict[str, Range]:
    """Lowest and highest value of every field of the game's own, inclusive; numbers, or arrays of the field's shape."""
    return {**_clock_bounds(rules), **_place_bounds(rules), **_stack_bounds(rules), **_roll_bounds(rules)}


def _abilities(rules: Rules, kind: int) -> Any:
    """The abilities of that kind in the box."""
    found = rules.guests[: rules.num_guests]["ability"]
    return found[found["kind"] == kind]


def _sums(amounts: Any) -> tuple[int, int]:
    """What such amounts add up to at least and at most, whichever of them count."""
    amounts = np.asarray(amounts, int)
    return int(amounts[amounts < 0].sum()), int(amounts[amounts > 0].sum())


def _at(count: Any, size: int, inside: Any, outside: Any) -> np.ndarray:
    """An array with one value for the seats or guests in play and another for the rest."""
    return np.where(np.arange(size) < count, inside, outside)


def _most_seated(rules: Rules) -> int:
    """All guests of the stacks, and Hitler."""
    return STACKS * int(rules.stack_height) + 1


def _clock_bounds(rules: Rules) -> dict[str, Range]:
    seats, rounds = int(rules.players), int(rules.max_rounds)
    least, most = points_range(rules)
    low, high = _sums(rules.guests[: rules.num_guests]["demand"])
    gain = _abilities(rules, Kind.ARRIVAL_GAIN)
    envelopes = int(rules.envelopes) + rounds * int(gain["envelopes"].max(initial=0))
    gifts = rounds * (seats - 1) * (len(_abilities(rules, Kind.GIFT_DRINK)) > 0)
    stash = np.zeros((SEATS, 3), int)
    for drink, start, gained in ((Drink.WATER, int(rules.start_drinks), gain["water"]), (Drink.WINE, 0, gain["wine"])):
        bar = int(rules.bar[:, :, drink - 1].max())
        stash[:seats, drink] = min(MOST, start + gifts + rounds * (bar + int(gained.max(initial=0))))
    return {
        "rank_key": (
            _at(seats, SEATS, min(0, least * TIE_BASE + low), 0),
            _at(seats, SEATS, max(0, most * TIE_BASE + high), 0),
        ),
        "round_number": (1, rounds),
        "turns": (0, seats - 1),
        "active": (0, seats - 1),
        "phase": (0, Phase.END_TURN),
        "ending": (0, 1),
        "envelopes": (0, _at(seats, SEATS, min(MOST, envelopes), 0)),
        "stash": (0, stash),
    }


def _place_bounds(rules: Rules) -> dict[str, Range]:
    seats, guests = int(rules.players), int(rules.num_guests)
    return {
        "table": (-1, _at(seats, SEATS, guests - 1, -1)[:, None]),
        "seated": (0, _at(seats, SEATS, _most_seated(rules), 0)),
        "where": (_at(guests, GUESTS, 0, Where.GONE), Where.GONE),
        "drink": (0, _at(guests, GUESTS, Drink.WINE, Drink.NONE)),
        "charmed": (0, _at(guests, GUESTS, 1, 0)),
    }


def _stack_bounds(rules: Rules) -> dict[str, Range]:
    """Of each back one card lies open from the start, and no more than the stack's cards are ever revealed."""
    backs = rules.guests[1 : rules.num_guests]["back"]
    count = np.array([(backs == back).sum() for back in range(STACKS)])
    last = np.array([np.flatnonzero(backs == back).max() + 1 for back in range(STACKS)])
    height = int(rules.stack_height)
    return {
        "hidden": (-1, np.where(np.arange(PER_BACK) < count[:, None] - 1, last[:, None], -1)),
        "unseen": (count - height, count - 1),
        "height": (0, height - 1),
        "face_up": (-1, last),
    }


def _roll_bounds(rules: Rules) -> dict[str, Range]:
    more = _sums(_abilities(rules, Kind.ROLL_COUNT)["amount"])[1]
    rolls = max(int(rules.min_rolls), int(rules.base_rolls) + more)
    worth = np.zeros((2, 3), int)
    drinks = _abilities(rules, Kind.DRINK_VALUE)
    for drink in (Drink.WATER, Drink.WINE):
        low, high = _sums(drinks["amount"][drinks["drink"] == drink])
        base = int(rules.drink_worth[drink])
        worth[:, drink] = min(0, base + low), base + high
    demand = rules.guests[: rules.num_guests]["demand"]
    mods = _abilities(rules, Kind.RESULT_MOD)
    times = np.where(mods["per_guest"] == 1, _most_seated(rules), 1)
    low, high = _sums(mods["amount"].astype(int) * times)
    arrows = 2 * int(rules.arrow_bonus)
    return {
        "target": (-1, int(rules.num_guests) - 1),
        "entertaining": (0, 1),
        "attempts": (0, 2 if len(_abilities(rules, Kind.ENTERTAIN_TWICE)) else 1),
        "dice": (-1, int(rules.faces.max())),
        "rolls_left": (0, rolls - 1),
        "window": (0, _most_seated(rules)),
        "need": (
            max(-MOST, min(0, int(demand.min()) - high - arrows - max(0, int(worth.max())))),
            min(MOST, max(0, int(demand.max()) - low + arrows - int(worth.min()))),
        ),
        "worth": (worth[0], worth[1]),
        "icon_worth": _sums(_abilities(rules, Kind.ICON_VALUE)["amount"]),
        "invited": (0, 1),
        "failed": (0, 1),
        "spot": (0, 1),
        "treat": (0, Drink.WINE),
        "gift": (0, Drink.WINE if len(_abilities(rules, Kind.GIFT_DRINK)) else Drink.NONE),
        "receiver": (0, int(rules.players) - 1),
        "moves": (0, int(_abilities(rules, Kind.ARRIVAL_RESEAT)["amount"].max(initial=0))),
    }


# ---------------------------------------------------------------- invariants


def pieces(rules: Rules, state: State) -> dict[str, Any]:
    """How often every guest is somewhere: at a Table, in the Lobby, unseen, or out of the game. Once each, that is."""
    placed = np.concatenate([state.table.ravel(), state.hidden.ravel(), state.face_up])
    count = np.bincount(placed[placed >= 0], minlength=int(rules.num_guests))
    count[: rules.num_guests] += state.where[: rules.num_guests] == Where.GONE
    count[HITLER] += state.where[HITLER] == Where.LOBBY
    return {"guests": count}


def invariants(rules: Rules, state: State) -> str:
    """The first thing that is wrong with a record that lies within its bounds and holds every guest once; "" for none."""
    box = _box(rules.tobytes())
    now = SimpleNamespace(**{name: state[name].tolist() for name in state.dtype.names})
    checks = (
        _tables,
        _unseen_cards,
        _stacks,
        _ending,
        _drinks,
        _charmed,
        _dice,
        _end,
        _mover,
        _invitation,
        _target,
        _phase,
    )
    return next((wrong for check in checks if (wrong := check(box, now))), "")


@functools.lru_cache(maxsize=32)
def _box(data: bytes) -> SimpleNamespace:
    """The rules as lists, which plain Python reads fast."""
    rules = np.frombuffer(data, RULES)[0]
    cards = rules["guests"][: rules["num_guests"]]
    ability = cards["ability"]
    backs = cards["back"].tolist()
    kind = ability["kind"].tolist()
    return SimpleNamespace(
        players=int(rules["players"]),
        guests=range(len(cards)),
        back=backs,
        demand=cards["demand"].tolist(),
        kind=kind,
        amount=ability["amount"].tolist(),
        roll=ability["roll"].tolist(),
        deed=ability["deed"].tolist(),
        optional=ability["optional"].tolist(),
        in_box=[backs[1:].count(back) - int(rules["stack_height"]) for back in range(STACKS)],
        cleared={back for back, k in zip(backs, kind, strict=True) if k == Kind.ARRIVAL_CLEAR_STACK},
        to_end=int(rules["empty_stacks_to_end"]),
        rounds=int(rules["max_rounds"]),
        second_turn_charms=bool(rules["first_charm"]),
        hitler_charmed=bool(rules["charm_hitler"]),
        hitler_in_ties=bool(rules["hitler_in_ties"]),
        faces=set(rules["faces"][: rules["num_faces"]].tolist()),
    )


def _tables(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Guests without gaps from the left, and each knows its Table."""
    for seat, (row, count) in enumerate(zip(now.table, now.seated, strict=True)):
        if any(guest < 0 for guest in row[:count]) or any(guest >= 0 for guest in row[count:]):
            return f"seat {seat}'s Table does not hold {count} guests from the left on"
        if any(now.where[guest] != seat for guest in row[:count]):
            return f"a guest at seat {seat}'s Table is said to be elsewhere"
    return ""


def _unseen_cards(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Face-down cards and the box: of their own back, without gaps; what lies open is in the Lobby."""
    for back, (row, count) in enumerate(zip(now.hidden, now.unseen, strict=True)):
        if any(guest < 0 for guest in row[:count]) or any(guest >= 0 for guest in row[count:]):
            return f"stack {back} does not hold {count} unseen cards"
        for guest, place in (*((guest, Where.UNSEEN) for guest in row[:count]), (now.face_up[back], Where.LOBBY)):
            if guest == HITLER or (guest > 0 and (box.back[guest] != back or now.where[guest] != place)):
                return f"guest {guest} does not belong to stack {back}, or is said to be elsewhere"
    return ""


def _stacks(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """As many cards stayed in the box as the setup leaves there; more only look so once a stack has been cleared."""
    for back in range(STACKS):
        spare = now.unseen[back] - now.height[back] - box.in_box[back]
        if spare != 0 and not (spare > 0 and back in box.cleared and now.height[back] == 0):
            return f"stack {back} has too many or too few cards"
        if now.face_up[back] < 0 and now.height[back] > 0 and not _waits_for_refill(box, now, back):
            return f"stack {back} shows no card"
    return ""


def _waits_for_refill(box: SimpleNamespace, now: SimpleNamespace, back: int) -> bool:
    """Whether the guest that is just arriving came from this stack."""
    target = now.target
    return now.phase in ARRIVALS and target > HITLER and box.back[target] == back and not now.charmed[target]


def _ending(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Whether two stacks are empty was seen at the last refill."""
    empty = sum(
        now.face_up[back] < 0 and now.height[back] == 0 and not _waits_for_refill(box, now, back)
        for back in range(STACKS)
    )
    return "" if now.ending == (empty >= box.to_end) else f"{empty} stacks are empty, but ending is {now.ending}"


def _drinks(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Drinks stand at Tables only."""
    for guest in box.guests:
        if now.drink[guest] and now.where[guest] >= SEATS:
            return f"guest {guest} has a Drink, but sits at no Table"
    return ""


def _charmed(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Charmed guests sit at other Tables, but for the one that was then invited; Hitler may have been moved since."""
    charmed = [guest for guest in box.guests if now.charmed[guest]]
    if not charmed or now.over:
        return ""
    if now.ending and now.phase not in (Phase.BAR, Phase.HOST):
        return "a guest was charmed, though the end has been triggered"
    if now.round_number == 1 and not (box.second_turn_charms and now.turns > 0):
        return "a guest was charmed too early"
    if now.charmed[HITLER] and not box.hitler_charmed:
        return "Hitler was charmed"
    for guest in charmed:
        away = now.where[guest] < SEATS and (now.where[guest] != now.active or guest == now.target)
        if guest != HITLER and not away:
            return f"guest {guest} was charmed, but sits at no other Table"
    return ""


def _dice(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Either no dice or three faces in ascending order; they lie there from the first roll of a turn to its end."""
    rolled = now.dice[0] >= 0
    if rolled and (not box.faces.issuperset(now.dice) or now.dice != sorted(now.dice)):
        return "the dice do not show three faces in ascending order"
    if not rolled and now.dice != [-1] * DICE:
        return "some dice are rolled and some are not"
    expected = (
        any(now.charmed)
        if now.phase == Phase.CHOOSE
        else now.phase < Phase.HOST or (now.phase == Phase.HOST and now.invited)
    )
    return "" if rolled == bool(expected) else "dice lie there at the wrong time, or do not"


def _end(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """A game ends with a round: because stacks are empty, or because it was the last that is allowed."""
    if now.over != (now.phase == Phase.END_TURN) or (now.phase != Phase.END_TURN and now.phase >= DECISIONS):
        return f"phase {now.phase} does not fit a game that is {'over' if now.over else 'going on'}"
    if not now.over:
        return "ranks before the end" if any(now.rank_key) or now.capped else ""
    if now.turns or now.capped == bool(now.ending) or (now.capped and now.round_number != box.rounds):
        return "the game ended in the middle of a round, or without a reason"
    for seat in range(box.players):
        demand = sum(box.demand[g] for g in now.table[seat] if g > HITLER or (g == HITLER and box.hitler_in_ties))
        if now.rank_key[seat] != now.points[seat] * TIE_BASE + demand:
            return f"seat {seat}'s rank does not follow from its points and total Demand"
    return ""


def _mover(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """The active seat decides, but the owner of a charmed guest rolls for it."""
    rolling = now.phase in (Phase.ROLL, Phase.REROLL)
    owner = now.where[now.target] if rolling and now.entertaining and now.target >= 0 else now.active
    if now.player != owner:
        return f"seat {now.player} is to move, not seat {owner}"
    if not rolling and now.entertaining != (now.phase == Phase.CHOOSE and any(now.charmed)) and not now.over:
        return "a guest is entertained outside its rolls"
    return ""


def _invitation(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """One invitation a turn: from its first roll on; whether it failed is known from the Bar on."""
    if now.over:
        return ""
    if now.phase != Phase.HOST and now.invited != (now.phase != Phase.CHOOSE and not now.entertaining):
        return "the invitation does not fit the phase"
    if now.failed and not (now.invited and now.phase in (Phase.BAR, Phase.HOST)):
        return "an invitation has failed before its end"
    if now.invited or now.phase != Phase.HOST:
        return ""
    lobby = max(now.face_up) >= 0 or now.where[HITLER] == Where.LOBBY
    return "a turn went on without an invitation, though guests are in the Lobby" if lobby else ""


def _target(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Where the guest is that is rolled for, or was."""
    if now.over:
        return ""
    if not (now.invited or now.entertaining) or now.phase == Phase.CHOOSE:
        return "a guest is rolled for before any was chosen" if now.target >= 0 else ""
    if now.target < 0:
        return "no guest is rolled for"
    place, came = now.where[now.target], now.phase in (Phase.BAR, Phase.HOST) and not now.failed
    if came or now.phase in ARRIVALS:
        passed_on = came and now.target == HITLER and place < SEATS
        return "" if place == now.active or passed_on else "the invited guest does not sit at the Table"
    charmed = place < SEATS and place != now.active and now.charmed[now.target]
    lobby = place == Where.LOBBY and not now.entertaining
    return "" if charmed or lobby else "the guest cannot be rolled for"


def _phase(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """What a phase needs to be asked."""
    if now.phase != Phase.GIFT and (now.treat or now.gift):
        return "a Drink is chosen outside the choice of the gift"
    if now.phase != Phase.RESEAT and now.moves:
        return "moves are left outside reseating"
    if now.phase in (Phase.ROLL, Phase.REROLL):
        return _rolling(box, now)
    if now.phase == Phase.GIFT:
        return _giving(box, now)
    if now.phase in ARRIVALS:
        return "" if _arriving(box, now) else "the guest has no such arrival ability"
    return ""


def _rolling(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """Rolls and attempts that are left, and the guest whose reroll is offered."""
    if now.phase == Phase.ROLL and now.rolls_left < 1:
        return "no roll is left"
    if now.entertaining:
        twice = any(box.kind[guest] == Kind.ENTERTAIN_TWICE for guest in now.table[now.active] if guest >= 0)
        if not 1 <= now.attempts <= 1 + twice:
            return f"{now.attempts} attempts are left to entertain"
        if now.need[0] != now.need[1]:
            return "entertaining needs one number"
    if now.phase == Phase.REROLL:
        if now.window >= now.seated[now.player]:
            return "nobody offers a reroll"
        guest = now.table[now.player][now.window]
        if box.kind[guest] != Kind.REROLL_AFTER_LAST or box.roll[guest] not in (now.entertaining, Roll.ANY):
            return f"guest {guest} offers no such reroll"
    return ""


def _giving(box: SimpleNamespace, now: SimpleNamespace) -> str:
    """The gift and the guest's own Drink are there, the giver sits at the Table, the spot exists."""
    stash = now.stash[now.active]
    if now.gift == Drink.NONE or stash[now.gift] < 1 + (now.treat == now.gift):
        return "the gift is not in the Stash"
    if now.treat != Drink.NONE and stash[now.treat] < 1:
        return "the Drink is not in the Stash"
    if not any(box.kind[guest] == Kind.GIFT_DRINK for guest in now.table[now.active] if guest >= 0):
        return "nobody at the Table lets a Drink be given away"
    return "there is no such spot" if now.spot == End.LEFT and now.seated[now.active] < 2 else ""


def _arriving(box: SimpleNamespace, now: SimpleNamespace) -> bool:
    """Whether the invited guest's arrival ability asks what the phase asks."""
    kind, deed = box.kind[now.target], box.deed[now.target]
    if now.phase == Phase.MOVE_HITLER:
        return kind == Kind.ARRIVAL_HITLER and deed in (Deed.PASS_ON, Deed.PLACE)
    if now.phase == Phase.RESEAT:
        return kind == Kind.ARRIVAL_RESEAT and 1 <= now.moves <= box.amount[now.target]
    clears = kind == Kind.ARRIVAL_CLEAR_STACK or (kind == Kind.ARRIVAL_HITLER and deed in (Deed.REMOVE, Deed.TO_LOBBY))
    return clears and box.optional[now.target] == 1
