"""What holds of every position that play can reach: bounds of the fields, and how they fit together.

`bounds` and `invariants` are what records from outside are held against, and what random walks are looked at for. Kernels
trust what a record says where something is: so whatever is used as an index is checked here, and all that a later step
builds on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from banquet_envs.core.types import Rules, State
from banquet_envs.games.polite_society.components import (
    ASSETS,
    CARDS,
    GUESTS,
    IMPROVEMENTS,
    MISSIONS,
    OFFERS,
    PLAYERS,
    SEATS,
    Card,
)
from banquet_envs.games.polite_society.state import PASSED, RANK_FINISHED, THEFTS, Phase, Where

SETUP = (Phase.DRAFT, Phase.DRAFT_SEAT)
CARD_OF_PHASE = {
    Phase.WILD_ASSET: Card.WILD_ASSET,
    Phase.REMOVE_PLAYER: Card.REMOVE_GUEST,
    Phase.REMOVE_GUEST: Card.REMOVE_GUEST,
    Phase.STEAL_FROM: Card.STEAL_ASSET,
    Phase.DISCARD: Card.HAND_LIMIT,
    **dict.fromkeys((Phase.TOKEN_FROM, Phase.TOKEN_FROM_SEAT, Phase.TOKEN_TO, Phase.TOKEN_TO_SEAT), Card.INDISPOSED),
    Phase.RESEAT: Card.REARRANGE_GUESTS,
    Phase.IMPROVEMENT_FROM: Card.STEAL_IMPROVEMENT,
    Phase.IMPROVEMENT: Card.STEAL_IMPROVEMENT,
}

Bound = tuple[Any, Any]


# ---------------------------------------------------------------- bounds


def bounds(rules: Rules) -> dict[str, Bound]:
    """Inclusive bounds of every field of the game's own; entries of seats and cards that are not there are constant."""
    return {**_turn_bounds(rules), **_guest_bounds(rules), **_card_bounds(rules), **_hand_bounds(rules), **_scratch()}


def _seated(rules: Rules, low: Any, high: Any, absent: int = 0) -> Bound:
    """Bounds for the seats in use; the others hold `absent`."""
    low, high = np.asarray(low), np.asarray(high)
    size = (PLAYERS, *np.broadcast_shapes(low.shape, high.shape))
    use = (np.arange(PLAYERS) < rules.players).reshape(-1, *[1] * (len(size) - 1))
    return np.where(use, low, absent) * np.ones(size, int), np.where(use, high, absent) * np.ones(size, int)


def _turn_bounds(rules: Rules) -> dict[str, Bound]:
    n = int(rules.players)
    turns = int(rules.max_turns) + n - 1  # the round of the cap is finished
    order, places = np.arange(PLAYERS), np.arange(2 * PLAYERS)
    return {
        "phase": (0, Phase.TURN_OVER),
        "active": (0, n - 1),
        "first": (0, n - 1),
        "turns": (0, turns),
        "begun": (0, turns),
        "passed": (0, turns),
        "passed_seat": (-1, n - 1),
        "passed_dice": (0, 6),
        "dice": (0, 6),
        "add_dice": (0, 6),
        "draft_order": (np.where(order < n, 0, order), np.where(order < n, n - 1, order)),
        "draft_step": (0, 2 * n),
        "draft": (-1, np.where(places < 2 * n, int(rules.num_guests) - 1, -1)),
        "rank_key": _seated(rules, 0, RANK_FINISHED),
        "out": _seated(rules, 0, int(rules.play_on > 0)),
        "finish": _seated(rules, -1, n - 1, -1),
        "finished": (0, n),
        "mission": _seated(rules, 0, MISSIONS - 1, -1) if rules.missions else (-1, -1),
        "excluded": _seated(rules, 0, (1 << MISSIONS) - 1 if rules.missions else 0),
    }


def _guest_bounds(rules: Rules) -> dict[str, Bound]:
    n, last = int(rules.players), int(rules.num_guests) - 1
    exists = np.arange(GUESTS) <= last
    return {
        "where": (np.where(exists, Where.PILE, Where.ABSENT), np.where(exists, Where.SEATED, Where.ABSENT)),
        "list": (-1, last),
        "table": _seated(rules, np.full(SEATS, -1), np.full(SEATS, last), -1),
        "token": _seated(rules, np.zeros(SEATS, int), np.ones(SEATS, int)),
        "supply": (0, int(rules.tokens)),
        "pending": (-1, last),
        "lifted": (-1, last),
        "lifted_token": (0, 1),
        "from_player": (-1, n - 1),
        "from_seat": (-1, SEATS - 1),
        "target": (-1, n - 1),
        "removals": (0, int(rules.max_removals) if rules.missions else 0),
        "filled": (0, 0),
    }


def _card_bounds(rules: Rules) -> dict[str, Bound]:
    n, items = int(rules.players), int(rules.menu) - 1
    kinds = np.asarray(rules.cards)
    card = (-1, CARDS - 1)
    return {
        "deck": (0, kinds),
        "discard": (0, kinds),
        "improvement": _seated(
            rules, np.zeros(IMPROVEMENTS, int), kinds[Card.IMPROVEMENT_SEVEN : Card.IMPROVEMENT_SEVEN + IMPROVEMENTS]
        ),
        **dict.fromkeys(("drawn", "kept", "dropped", "sure", "playing"), card),
        "offers": (0, int(rules.max_offers)),
        "partner": (-1, n - 1),
        "offered": (-1, items),
        "refused_by": (-1, n - 1),
        "refused": (-1, items),
    }


def _hand_bounds(rules: Rules) -> dict[str, Bound]:
    n, thefts = int(rules.players), THEFTS if rules.players > 2 else 0
    bank = np.asarray(rules.bank)
    most = bank if rules.limited_bank else np.full(ASSETS, most_assets(rules))
    size = min(int(most.sum()), 32000)
    return {
        "bank": (0 if rules.limited_bank else np.maximum(bank - n * most, -32000), bank),
        "hand": _seated(rules, np.zeros(ASSETS, int), most),
        "known": _seated(rules, np.full(ASSETS, -thefts), most + thefts),
        "low": _seated(rules, np.zeros(ASSETS, int), most),
        "high": _seated(rules, np.zeros(ASSETS, int), np.full(ASSETS, size)),
        "blurred": (0, int(thefts > 0)),
        "fresh": (0, 0),
        "thefts": (0, thefts),
        "thief": (0, n - 1 if thefts else 0),
        "victim": (0, n - 1 if thefts else 0),
        "loot": (0, ASSETS - 1 if thefts else 0),
        "could": (0, (1 << ASSETS) - 1 if thefts else 0),
        "seen": (-thefts, most + thefts if thefts else 0),
        **dict.fromkeys(("floor", "ceiling", "own_low", "own_high"), (-thefts, thefts)),
    }


def most_assets(rules: Rules) -> int:
    """More of one asset than a hand can hold where the bank has no limit: what every turn can bring at most, all kept."""
    turns = int(rules.max_turns) + int(rules.players) - 1
    reward = int(np.maximum(rules.guest["reward"], 0).max())
    sevens = int(rules.cards[Card.IMPROVEMENT_SEVEN : Card.IMPROVEMENT_SEVEN + ASSETS].max())
    trades = 4 * ASSETS  # with the bank and with others, a turn: hands shrink by them, so that a few are many
    turn = (reward + sevens) * (2 + int(rules.max_removals)) + 2 + trades
    return min(int(rules.starting.max()) + turns * turn, 8000)


def _scratch() -> dict[str, Bound]:
    return dict.fromkeys(("guess", "best", "flow", "least", "most", "net"), (0, 0))


# ---------------------------------------------------------------- invariants


def invariants(rules: Rules, state: State) -> str:
    """The first thing that is wrong with a record within its bounds and with the right pieces; "" when it is sound."""
    s = Position(rules, state)
    for check in (
        _turn,
        _places,
        _passed,
        _tables,
        _guest_cards,
        _action_cards,
        _running_card,
        _offer,
        _missions,
        _hands,
    ):
        for said in check(s):
            return said
    return ""


class Position:
    """A record's fields as plain numbers and lists, with what most checks ask for."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.n = int(rules.players)
        self.over, self.player = bool(state.over), int(state.player)
        for name in state.dtype.names:
            setattr(self, name, state[name].tolist())
        self.seats = range(self.n)
        self.size = [sum(hand) for hand in self.hand]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no field {name!r}")

    def guests(self, seat: int) -> list[int]:
        """The guests at a table."""
        return [g for g in self.table[seat] if g >= 0]

    def has_well_guest(self, seat: int) -> bool:
        """Whether a guest without a token sits there."""
        return any(g >= 0 and not ill for g, ill in zip(self.table[seat], self.token[seat], strict=True))


def _turn(s: Position) -> Iterator[str]:
    """Whose turn it is, who decides, and the dice."""
    order = s.draft_order[: s.n]
    if sorted(order) != list(s.seats) or s.first != order[0]:
        yield "draft_order: not every seat once, beginning with `first`"
    if (s.phase in SETUP) != (s.turns == 0) or (s.turns > 0) != (s.draft_step == 2 * s.n):
        yield "phase: the setup and the turns are mixed"
    if s.phase == Phase.TURN_OVER and not s.over:
        yield "phase: nobody decides"
    if s.turns == 0 and (s.over or s.active != s.first or s.player != (order + order[::-1])[s.draft_step]):
        yield "player: not the one whose pick it is"
    if any((d == 0) != (s.turns == 0) for d in s.dice) or (s.add_dice[0] == 0) != (s.add_dice[1] == 0):
        yield "dice: not two numbers"
    if s.over or s.turns == 0:
        return
    if s.out[s.active] or s.out[s.player]:
        yield "player: has finished"
    if (s.phase == Phase.ANSWER and s.player != s.partner) or (s.phase == Phase.DISCARD and s.player != s.target):
        yield "player: not the one who is asked"
    if s.phase not in (Phase.ANSWER, Phase.DISCARD, Phase.REMOVE_GUEST) and s.player != s.active:
        yield "player: it is another's turn"
    if s.phase == Phase.DISCARD and s.size[s.player] <= s.rules.hand_limit:
        yield "player: need not discard"


def _places(s: Position) -> Iterator[str]:
    """Who has finished, and the ranking of an ended game."""
    finishers = [p for p in s.seats if s.finish[p] >= 0]
    if sorted(s.finish[p] for p in finishers) != list(range(s.finished)):
        yield "finish: not 0, 1, 2, ..."
    if any(len(s.guests(p)) != SEATS for p in finishers):
        yield "finish: a finisher's table is not full"
    if s.rules.play_on and [p for p in s.seats if s.out[p]] != finishers:
        yield "out: not those who have finished"
    if not s.over and s.finished >= (s.n - 1 if s.rules.play_on else 1):
        yield "finished: the game would be over"
    if s.over and not s.capped and s.finished != (s.n - 1 if s.rules.play_on else 1):
        yield "over: though nobody has won"
    if not s.over and any(s.rank_key):
        yield "rank_key: before the end"
    if any(s.out[p] and s.size[p] for p in s.seats):
        yield "hand: of one who has finished"


def _passed(s: Position) -> Iterator[str]:
    """The turns that went by in the last step."""
    told = min(s.passed, PASSED)
    if s.passed > s.begun or (not s.over and s.passed and s.begun != s.passed + 1) or s.begun > s.turns:
        yield "passed: more turns than began"
    if any((seat >= 0) != (k < told) for k, seat in enumerate(s.passed_seat)):
        yield "passed_seat: not as many as passed"
    for k, dice in enumerate(s.passed_dice):
        if (dice[0] > 0) != (k < told) or (dice[0] > 0) != (dice[1] > 0) or (dice[2] > 0) != (dice[3] > 0):
            yield "passed_dice: not as many as passed"
        if k >= told and any(dice):
            yield "passed_dice: of no turn"


def _tables(s: Position) -> Iterator[str]:
    """Guests at the tables, those lifted from one, and tokens."""
    for p in s.seats:
        seated = len(s.guests(p)) + (sum(g >= 0 for g in s.lifted) if p == s.active else 0)
        if s.points[p] != seated:
            yield "points: not the number of guests"
        if any(ill and g < 0 for g, ill in zip(s.table[p], s.token[p], strict=True)):
            yield "token: on an empty seat"
    lifted = [g >= 0 for g in s.lifted]
    if lifted != sorted(lifted, reverse=True) or (lifted[0] and s.phase != Phase.RESEAT):
        yield "lifted: blanks in between, or nobody rearranges"
    if any(ill and g < 0 for g, ill in zip(s.lifted, s.lifted_token, strict=True)):
        yield "lifted_token: without a guest"
    if s.phase == Phase.RESEAT and not s.over and not lifted[0]:
        yield "lifted: nobody to be seated"


def _guest_cards(s: Position) -> Iterator[str]:
    """Where guest cards are: `pieces` has seen that each is in one place."""
    shown = [g for g in (*s.list, *s.draft, s.pending) if g >= 0]
    seated = [g for p in s.seats for g in s.table[p] if g >= 0] + [g for g in s.lifted if g >= 0]
    if any(s.where[g] != Where.SHOWN for g in shown) or any(s.where[g] != Where.SEATED for g in seated):
        yield "where: does not say where a guest is"
    if (s.pending >= 0) != (s.phase in (Phase.DRAFT_SEAT, Phase.BUY_SEAT) and not s.over):
        yield "pending: a guest waits for a seat, or none does"
    face_up = sum(g >= 0 for g in s.draft)
    if face_up != (2 * s.n - s.draft_step - (s.pending >= 0) if s.turns == 0 else 0):
        yield "draft: not the guests that are left"
    if s.turns == 0 and any(g >= 0 for g in s.list):
        yield "list: before the first turn"


def _action_cards(s: Position) -> Iterator[str]:
    """The two cards drawn, the kept one, and what is known of them."""
    two = s.drawn[0] >= 0
    if (s.phase == Phase.KEEP and not s.over) != two or two != (s.drawn[1] >= 0) or s.drawn[0] > s.drawn[1]:
        yield "drawn: not two cards to choose from, the lower kind first"
    if s.kept >= 0 and (two or s.turns == 0 or s.playing >= 0):
        yield "kept: a card that cannot have been kept yet, or has been played"
    if s.dropped >= 0 and (two or s.turns == 0):
        yield "dropped: before a card was kept"
    if s.dropped >= 0 and s.kept >= 0 and not s.over and s.discard[s.dropped] == 0:
        yield "dropped: not among the discards"
    if s.sure >= 0 and (s.sure not in s.drawn if two else s.kept >= 0 and s.sure not in (s.kept, s.dropped)):
        yield "sure: not one of the two cards"
    if s.sure >= 0 and s.turns == 0:
        yield "sure: before the first turn"


def _running_card(s: Position) -> Iterator[str]:
    """The card being played, the seats and the token that it speaks of."""
    if s.playing != (CARD_OF_PHASE.get(s.phase, -1) if not s.over else -1):
        yield "playing: not the card that the phase belongs to"
    if (s.target >= 0) != (s.phase in (Phase.DISCARD, Phase.TOKEN_TO_SEAT, Phase.IMPROVEMENT) and not s.over):
        yield "target: of no card, or missing"
    if s.target >= 0 and s.out[s.target]:
        yield "target: has finished"
    if s.phase == Phase.TOKEN_TO_SEAT and not s.has_well_guest(s.target):
        yield "target: has no guest who is well"
    if s.phase == Phase.IMPROVEMENT and (s.target == s.active or not any(s.improvement[s.target])):
        yield "target: has no improvement to steal"
    if s.phase == Phase.REMOVE_GUEST and not s.guests(s.player):
        yield "player: has no guest to remove"
    if (s.from_seat >= 0) != (s.from_player >= 0 and s.phase in (Phase.TOKEN_TO, Phase.TOKEN_TO_SEAT)):
        yield "from_seat: of no token"
    if s.from_player >= 0 and s.phase not in (Phase.TOKEN_FROM_SEAT, Phase.TOKEN_TO, Phase.TOKEN_TO_SEAT):
        yield "from_player: no token is being moved"
    if s.phase == Phase.TOKEN_FROM_SEAT and (s.from_player < 0 or not any(s.token[s.from_player])):
        yield "from_player: has no token"
    if s.from_seat >= 0 and not s.token[s.from_player][s.from_seat]:
        yield "from_seat: has no token"
    if s.phase in (Phase.TOKEN_TO, Phase.TOKEN_TO_SEAT) and s.from_player < 0 and not s.supply:
        yield "supply: has no token"


def _offer(s: Position) -> Iterator[str]:
    """The offer being made, and those that were refused."""
    if (s.partner >= 0) != (s.phase in (Phase.OFFER, Phase.ANSWER)) or (s.offered >= 0) != (s.phase == Phase.ANSWER):
        yield "partner: of no offer, or missing"
    if s.partner >= 0 and (s.partner == s.active or s.out[s.partner]):
        yield "partner: not another player in the game"
    for k in range(OFFERS):
        if (s.refused_by[k] >= 0) != (s.refused[k] >= 0) or (s.refused[k] >= 0 and k >= s.offers - (s.offered >= 0)):
            yield "refused: an offer that was not made"
    if (s.phase == Phase.OFFER and s.offers >= s.rules.max_offers) or (s.phase == Phase.ANSWER and s.offers < 1):
        yield "offers: too many, or none"
    if s.offered >= 0:
        gives, wants = s.rules.gives[s.offered].tolist(), s.rules.wants[s.offered].tolist()
        if any(held < given for held, given in zip(s.hand[s.active], gives, strict=True)):
            yield "offered: more than the proposer holds"
        if sum(wants) > s.size[s.partner]:
            yield "offered: for more cards than the partner holds"


def _missions(s: Position) -> Iterator[str]:
    """Missions are different, and nobody holds one that a table has ruled out."""
    if s.rules.missions:
        held = s.mission[: s.n]
        if len(set(held)) < s.n:
            yield "mission: one is held twice"
        if any(s.excluded[p] >> held[p] & 1 for p in s.seats):
            yield "excluded: a mission that is held"


def _hands(s: Position) -> Iterator[str]:
    """The public account of the hands (account.py), which the true hands must fit."""
    if s.turns == 0 and any(s.size):
        yield "hand: before the first turn"
    for p in s.seats:
        if any(not low <= held <= high for low, held, high in zip(s.low[p], s.hand[p], s.high[p], strict=True)):
            yield "low, high: do not hold the hand"
    if s.blurred:
        if s.thefts or any(map(any, s.known)) or s.low == s.high:
            yield "blurred: though thefts, or all hands, are known"
    else:
        yield from _account(s)
    for i in range(s.thefts, THEFTS):
        if s.thief[i] or s.victim[i] or s.loot[i] or s.could[i] or any(s.seen[i]):
            yield "thefts: an entry beyond the last"
        if any(map(any, s.floor[2 * i : 2 * i + 2])) or any(map(any, s.ceiling[2 * i : 2 * i + 2])):
            yield "floor, ceiling: a row beyond the last"


def _account(s: Position) -> Iterator[str]:
    """Theft by theft: the true types keep to `could` and to all rows, and the account leads to the hands there are."""
    flow = [[0] * ASSETS for _ in range(PLAYERS)]
    floor, ceiling = [[0] * ASSETS for _ in range(PLAYERS)], [[0] * ASSETS for _ in range(PLAYERS)]
    for i in range(s.thefts):
        thief, victim, a = s.thief[i], s.victim[i], s.loot[i]
        if thief == victim or not s.could[i] >> a & 1:
            yield "thefts: from oneself, or of a type that it cannot be"
        if any(s.seen[i][b] + floor[victim][b] < 0 for b in range(ASSETS)) or s.seen[i][a] + flow[victim][a] < 1:
            yield "seen: the victim did not hold that"
        flow[thief][a] += 1
        flow[victim][a] -= 1
        for k, seat in enumerate((thief, victim)):
            floor[seat], ceiling[seat] = s.floor[2 * i + k], s.ceiling[2 * i + k]
            if any(not floor[seat][b] <= flow[seat][b] <= ceiling[seat][b] for b in range(ASSETS)):
                yield "floor, ceiling: do not hold what was stolen"
    for view, p, b in itertools.product(s.seats, s.seats, range(ASSETS)):
        held = flow[p][b] if view in (*s.thief[: s.thefts], *s.victim[: s.thefts]) else 0
        if not s.own_low[view][p][b] <= held <= s.own_high[view][p][b]:
            yield "own_low, own_high: do not hold what was stolen"
    for p in s.seats:
        for b in range(ASSETS):
            if s.known[p][b] + flow[p][b] != s.hand[p][b]:
                yield "known: with the open thefts, not the hand"
            if s.known[p][b] + floor[p][b] != s.low[p][b] or s.known[p][b] + ceiling[p][b] != s.high[p][b]:
                yield "low, high: not what the last rows say"
