"""Asset cards: the bank, the hands, and how cards move between them. What follows of it for all is in account.py."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.random import random_below
from banquet_envs.core.types import Rules, State
from banquet_envs.games.polite_society.account import hand_size, see_change, see_none, see_theft


@rule
def in_bank(state: State, rules: Rules, a: int) -> bool:
    """Whether the bank can give one of asset `a`."""
    return not rules.limited_bank or state.bank[a] > 0


@rule
def move(state: State, seat: int, a: int, change: int) -> None:
    """A hand changes in public."""
    state.hand[seat, a] += change
    see_change(state, seat, a, change)


@rule
def gain(state: State, rules: Rules, seat: int, a: int, count: int) -> None:
    """Take up to `count` of an asset from the bank: what is left of it (ruling 10)."""
    if rules.limited_bank:
        count = min(count, state.bank[a])
    state.bank[a] -= count
    move(state, seat, a, count)


@rule
def pay(state: State, seat: int, a: int, count: int) -> None:
    """Return `count` of an asset to the bank."""
    state.bank[a] += count
    move(state, seat, a, -count)


@rule
def forfeit(state: State, seat: int, a: int, owed: int) -> None:
    """Lose up to `owed` of an asset, as far as held (ruling 9). Paying less shows that none is left."""
    paid = min(owed, state.hand[seat, a])
    pay(state, seat, a, paid)
    if paid < owed:
        see_none(state, seat, a)


@rule
def give(state: State, giver: int, taker: int, a: int, count: int) -> None:
    """Hand over assets in an open trade."""
    move(state, giver, a, -count)
    move(state, taker, a, count)


@rule
def random_card(state: State, seat: int) -> int:
    """The type of a card drawn at random from a hand that is not empty."""
    pick = random_below(state, hand_size(state, seat))
    a = 0
    while pick >= state.hand[seat, a]:
        pick -= state.hand[seat, a]
        a += 1
    return a


@rule
def steal(state: State, rules: Rules, thief: int, victim: int) -> None:
    """Steal an asset: uniform over the victim's cards (ruling 14)."""
    a = random_card(state, victim)
    if rules.players == 2:  # both saw it
        give(state, victim, thief, a, 1)
    else:
        state.hand[victim, a] -= 1
        state.hand[thief, a] += 1
        see_theft(state, thief, victim, a)
