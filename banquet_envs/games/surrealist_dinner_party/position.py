"""A record as plain Python sees it, for the check of records: what sits where, and whom an ability reaches.

Nothing here is shared with the compiled rules: who is whose neighbour, what has room and whom an ability touches is worked
out once more, in another way.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.components import JOKER, KINDS, RULES, Ability, Condition, Icon, Target
from banquet_envs.games.surrealist_dinner_party.state import Where


class Unsound(Exception):
    """A record that no play could have led to; the message says why."""


def need(holds: object, words: str) -> None:
    """Raise `Unsound` with `words` unless something holds."""
    if not holds:
        raise Unsound(words)


class Card(NamedTuple):
    """A guest of the box."""

    appetites: tuple[int, ...]
    icon: int
    trigger: int
    kind: int
    tokens: tuple[int, ...]
    target: int
    count: int
    condition: int
    condition_tokens: tuple[int, ...]
    trigger_tokens: tuple[int, ...]
    opponent_only: int


class Frame(NamedTuple):
    """A running effect, the columns by name."""

    kind: int
    step: int
    user: int
    guest: int
    silent: int
    left: int
    right: int
    token: int
    n: int
    i: int
    a: int
    b: int
    x: int
    y: int
    v0: int
    v1: int
    v2: int

    @property
    def lifted(self) -> tuple[int, int, int]:
        """An exchange's tokens still to be replaced, by receiver."""
        return self.v0, self.v1, self.v2


class Box(NamedTuple):
    """The RULES record."""

    players: int
    abilities: int
    faux_pas_used: int
    draft: int
    swapper_places: int
    hand_size: int
    seats: int
    token_points: int
    content_bonus: int
    menu: list[list[int]]
    cards: tuple[Card, ...]
    faux_pas: tuple[tuple[int, int], ...]  # points, and whether it is scored at the end


@lru_cache(maxsize=16)
def _box(data: bytes) -> Box:
    """A RULES record, by its bytes."""
    rules = np.frombuffer(data, RULES)[0]
    cards = []
    for guest in rules["guests"][: int(rules["num_guests"])]:
        many = {k: tuple(guest[k].tolist()) for k in ("tokens", "condition_tokens", "trigger_tokens")}
        one = {k: int(guest[k]) for k in ("icon", "trigger", "kind", "target", "count", "condition", "opponent_only")}
        appetites = tuple(guest["appetite"][: int(guest["appetites"])].tolist())
        cards.append(Card(appetites=appetites, **many, **one))  # type: ignore[arg-type]
    numbers = {name: int(rules[name]) for name in Box._fields[:9]}
    faux_pas = tuple((int(c["points"]), int(c["at_end"])) for c in rules["faux_pas"][: int(rules["num_faux_pas"])])
    return Box(**numbers, menu=rules["menu"].tolist(), cards=tuple(cards), faux_pas=faux_pas)


class Position:
    """A record whose fields lie within their bounds, as lists and numbers."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.box = _box(rules.tobytes())
        self.players = self.box.players
        self.cards = self.box.cards
        for name in state.dtype.names:
            setattr(self, name, state[name].tolist())
        self.frames = [Frame(*row) for row in state["frame"][: int(state["depth"])].tolist()]
        self.rows = [row[:k] for row, k in zip(self.row, self.seated, strict=True)]

    def __getattr__(self, name: str) -> Any:
        """The record's fields; here for the type checker alone."""
        raise AttributeError(name)

    # the table

    def clockwise(self, p: int, k: int) -> int:
        """The player `k` places to the left of a player."""
        return (p + k) % self.players

    def sits(self, g: int) -> bool:
        """Whether a guest is at the table."""
        return g >= 0 and self.where[g] == Where.SEATED

    def beside(self, g: int) -> tuple[int, int]:
        """The left and the right neighbour of a guest at the table; -1 for none."""
        ring = [h for row in self.rows for h in reversed(row)]
        k = ring.index(g)
        return (-1, -1) if len(ring) == 1 else (ring[(k + 1) % len(ring)], ring[k - 1])

    def tokens_on(self, g: int) -> int:
        """Tokens on a guest."""
        return sum(t >= 0 for t in self.token[g])

    def room(self, g: int) -> int:
        """Empty appetites of a guest."""
        return len(self.cards[g].appetites) - self.tokens_on(g)

    def matched(self, g: int) -> int:
        """Tokens on a guest that match."""
        appetites = self.cards[g].appetites
        return sum(t >= 0 and c in (t, JOKER) for c, t in zip(appetites, self.token[g], strict=False))

    # abilities

    def reach(self, use: Frame) -> list[int]:
        """The guests that an ability is about, in the order in which they come up; whether it changes them or not."""
        target = self.cards[use.guest].target
        if target == Target.OTHER_NEIGHBOUR:
            return [use.left] if self.sits(use.left) else []
        if target in (Target.EACH_OWN, Target.OWN_SPREAD, Target.ONE_OWN, Target.OWN_OWN):
            return list(self.rows[use.user])
        if target == Target.ONE_ANY:
            return [g for row in self.rows for g in row]
        here = [use.guest] if self.sits(use.guest) else []
        if target == Target.SELF:
            return here
        sides = self.beside(use.guest) if here else (use.left, use.right)
        near = [g for g in dict.fromkeys(sides) if self.sits(g)]
        if target in (Target.SELF_OR_NEIGHBOUR, Target.SELF_NEIGHBOUR):
            return here + near
        assert target in (Target.ONE_NEIGHBOUR, Target.BOTH_NEIGHBOURS, Target.NEIGHBOUR_NEIGHBOUR), target
        return near

    def receivers(self, use: Frame) -> list[int]:
        """The guests that an ability hands something to, once its user has chosen where it may."""
        target = self.cards[use.guest].target
        if target in (Target.ONE_NEIGHBOUR, Target.SELF_OR_NEIGHBOUR, Target.ONE_OWN, Target.ONE_ANY):
            return [use.a]
        return self.reach(use)

    def touched(self, use: Frame) -> list[int]:
        """The guests in reach that the ability would change something with."""
        return [g for g in self.reach(use) if self.changes(use.guest, g)]

    def changes(self, g: int, h: int) -> bool:
        """Whether the ability of `g` would change something with `h` as its target."""
        card = self.cards[g]
        if card.kind == Ability.SEND_HOME or (card.kind == Ability.TAKE_PLATTER and card.icon == Icon.PLATE):
            return True
        if card.kind in (Ability.GIVE, Ability.TAKE_PLATTER):
            return self.room(h) > 0
        return self.tokens_on(h) > 0

    def offers(self, g: int) -> bool:
        """Whether the platter holds what the ability of `g` takes."""
        return any(n > 0 and t for n, t in zip(self.platter, self.cards[g].tokens, strict=True))

    def most(self, p: int, kind: int) -> bool:
        """Whether a player's stash holds strictly the most of a kind."""
        return all(self.stash[q][kind] < self.stash[p][kind] for q in range(self.players) if q != p)

    def allowed(self, use: Frame, content: bool) -> bool:
        """Whether an ability's condition is met."""
        card = self.cards[use.guest]
        if card.condition == Condition.CONTENT:
            return content
        wanted = [k for k in range(KINDS) if card.condition_tokens[k]]
        return card.condition != Condition.MOST or any(self.most(use.user, k) for k in wanted)

    def usable(self, use: Frame) -> bool:
        """Whether an ability would change anything."""
        card = self.cards[use.guest]
        if card.kind == Ability.STASH:
            return True
        touched = self.touched(use)
        if card.kind == Ability.SWAP:
            return len(touched) > 1 and (card.target != Target.SELF_NEIGHBOUR or use.guest in touched)
        return bool(touched) and (card.kind != Ability.TAKE_PLATTER or self.offers(use.guest))
