"""Positions built by hand: hands as letters (W H B T), tables by seat number and guest name."""

import functools

import numpy as np

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.games.polite_society.components import ASSETS, Card, words
from banquet_envs.games.polite_society.display import CARD_NAMES
from banquet_envs.games.polite_society.state import Action, Phase, Where

NAME = "polite_society"
LETTERS = "WHBT"
NUMBERS = {2: 0, 3: 0, 4: 1, 5: 2, 6: 3, 8: 4, 9: 5, 10: 6, 11: 7, 12: 7}


@functools.cache
def game(players=2, **options):
    return make_game(NAME, players=players, **options)


@functools.cache
def names():
    rules = game(2).rules[0]
    return [words(rules.guest[g].name) for g in range(int(rules.num_guests))]


def guest(name):
    """The number of the guest whose name ends so."""
    found = [g for g, full in enumerate(names()) if full == name or full.endswith(" " + name)]
    assert len(found) == 1, (name, found)
    return found[0]


def hand(letters):
    return [letters.count(letter) for letter in LETTERS]


def card(name):
    return CARD_NAMES.index(name)


def main_phase(g, hands=(), tables=(), kept=None, shown=(), tokens=(), improvements=(), missions=(), active=0):
    """One game in the main phase of seat `active`; everything not named is in its pile."""
    states = g.reset(1, 0)
    s, rules, n = states[0], g.rules[0], g.num_players
    s.turns, s.phase, s.active, s.player, s.first = 1, Phase.MAIN, active, active, 0
    s.draft_order[:], s.draft[:], s.list[:], s.draft_step, s.dice[:] = range(7), -1, -1, 2 * n, (3, 3)
    s.where[: int(rules.num_guests)] = Where.PILE
    for seat, table in enumerate(tables):
        for number, name in table.items():
            s.table[seat, NUMBERS[number]] = guest(name)
            s.where[guest(name)] = Where.SEATED
    for k, name in enumerate(shown):
        s.list[k] = guest(name)
        s.where[guest(name)] = Where.SHOWN
    for seat, letters in enumerate(hands):
        s.hand[seat] = hand(letters)
    s.bank[:] = rules.bank - s.hand.sum(axis=0)
    s.known[:], s.low[:], s.high[:] = s.hand, s.hand, s.hand
    for seat, number in tokens:
        s.token[seat, NUMBERS[number]] = 1
        s.supply -= 1
    s.deck[:] = rules.cards
    for seat, name in improvements:
        s.improvement[seat, card(name) - card("Improvement: wealth on a 7")] += 1
        s.deck[card(name)] -= 1
    if kept is not None:
        s.kept = card(kept)
        s.deck[card(kept)] -= 1
    for seat, m in enumerate(missions):
        s.mission[seat] = m - 1
    s.points[:n] = (s.table[:n] >= 0).sum(axis=1)
    return states


def legal(g, states):
    return {int(a) for a in np.flatnonzero(g.legal_actions(states)[0])}


def play(g, states, *actions):
    """Step through actions, each checked."""
    for action in actions:
        g.step(states, [action])
    return states[0]


def until(g, states, action, wanted):
    """A copy after `action`, with the dice and cards such that `wanted(record)`; fails after 20,000 tries."""
    for word in range(20000):
        tried = records.copy(states)
        tried.rng[0] = word * 7919 + 1
        g.step(tried, [action])
        if wanted(tried[0]):
            return tried
    raise AssertionError("this cannot happen")


def rolled(total):
    return lambda s: int(s.dice.sum()) == total


def seat(number):
    return Action.SEAT + NUMBERS[number]


def buy(states, name):
    return Action.BUY + list(states[0].list).index(guest(name))


def pair(give, take):
    a, b = LETTERS.index(give), LETTERS.index(take)
    return 3 * a + b - (b > a)


def bank(give, take):
    return Action.BANK_TRADE + pair(give, take)


def partner(steps):
    return Action.PARTNER + steps - 1


def item(give, take):
    """Menu item: "B" for "H", "BB" for "H", "B" for "HH"."""
    block = 0 if len(give) == len(take) else 1 if len(give) == 2 else 2
    return Action.ITEM + 12 * block + pair(give[0], take[0])


def player(steps):
    return Action.PLAYER + steps


def asset(letter):
    return Action.ASSET + LETTERS.index(letter)


def letters(counts):
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counts, strict=True))


def bounds_of(g, states, observer):
    """Least and most (players, 4) of every hand, as `observer` reads them in its own view: exact for itself; at most 24."""
    seen = g.layout.split(g.observe(states, observer)[0])
    order = [(observer + k) % g.num_players for k in range(g.num_players)]
    least, most = (np.zeros((g.num_players, ASSETS), int) for _ in range(2))
    for bound, name in ((least, "least"), (most, "most")):
        bound[order] = np.rint(12 * np.vstack([seen["hand"], seen[name]]))
    return least, most


def known(g, states, observer, holder):
    """Bounds as text, such as "W1 H0-2"; nothing for assets that are surely not there."""
    parts = []
    for letter, least, most in zip(LETTERS, *(bound[holder] for bound in bounds_of(g, states, observer)), strict=True):
        if most:
            parts.append(f"{letter}{least}" if least == most else f"{letter}{least}-{most}")
    return " ".join(parts)


def theft(g, states, thief, victim, loot):
    """A copy in which `thief`, in its own main phase, has just stolen a card of this letter."""
    states = records.copy(states)
    s = states[0]
    if s.kept >= 0:
        s.deck[s.kept] += 1
    (s.deck if s.deck[Card.STEAL_ASSET] else s.discard)[Card.STEAL_ASSET] -= 1
    s.phase, s.active, s.player, s.kept, s.offers = Phase.MAIN, thief, thief, Card.STEAL_ASSET, 0
    a = LETTERS.index(loot)
    held = int(s.hand[thief, a])
    if [p for p in range(g.num_players) if p != thief and s.hand[p].sum()] == [victim]:  # then nobody is asked whom
        return until(g, states, Action.PLAY, lambda s: s.hand[thief, a] == held + 1)
    play(g, states, Action.PLAY)
    return until(g, states, player((victim - thief) % g.num_players), lambda s: s.hand[thief, a] == held + 1)


def thefts(g, states, *those):
    """One `theft` (thief, victim, letter) after another."""
    for thief, victim, loot in those:
        states = theft(g, states, thief, victim, loot)
    return states
