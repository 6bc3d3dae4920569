"""Positions built by hand, and moves by name, for the tests of Surrealist Dinner Party."""

from __future__ import annotations

import functools
import tomllib

import numpy as np

from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.games.surrealist_dinner_party import state as st
from banquet_envs.games.surrealist_dinner_party.components import RULES
from banquet_envs.games.surrealist_dinner_party.invariants import bounds, invariants

NAME = "surrealist_dinner_party"
KINDS = ("food", "wine", "dessert", "compliment", "drama")
COLOURS = (*KINDS, "joker")
FOOD, WINE, DESSERT, COMPLIMENT, DRAMA, JOKER = range(6)


@functools.cache
def game(players=2, mode="normal", **options):
    return make_game(NAME, players, mode=mode, **options)


def box():
    return tomllib.loads(game().components.read_text())


IDS = [g["id"] for g in box()["guests"]]
FAUX = [f["id"] for f in box()["faux_pas"]]


def appetites(name):
    """The appetites of a guest in the record's order, as words."""
    words = next(g["appetites"] for g in box()["guests"] if g["id"] == name)
    return sorted(words, key=COLOURS.index)


@functools.lru_cache(maxsize=16)
def _limits(data):
    return bounds(np.frombuffer(data, RULES).view(np.recarray)[0])


def fault(rules, s):
    """What is wrong with a record, by the game's bounds and invariants; "" if nothing."""
    limits = _limits(rules.tobytes())
    outside = [n for n, (low, high) in limits.items() if (s[n] < low).any() or (s[n] > high).any()]
    return f"out of bounds: {outside}" if outside else invariants(rules, s)


class Table:
    """A position in the middle of a game: guests by id, everything else by word.

    rows: one list of guest ids per player, left to right. hands: likewise. Guests that fill up the cards of a player
    have gone home. It is `active`'s turn, and not its first one.
    """

    def __init__(self, rows, hands=None, active=0, platter=None, course=3, mode="normal", game_=None, **options):
        players = len(rows)
        self.game = game_ or game(players, mode, **options)
        self.states = self.game.reset(1, 7)
        s = self.s = self.states[0]
        for field in ("row", "owner", "token", "hand", "pack", "pick", "last_row"):
            s[field][...] = -1
        for field in (
            "where",
            "stash",
            "frame",
            "waiting",
            "event",
            "hand_size",
            "plate_used",
            "points",
            "turns",
            "platter",
        ):
            s[field][...] = 0
        s.stage, s.step, s.phase, s.depth, s.events = st.Stage.PLAYING, st.Step.TURN_CHOICE, st.Phase.MAIN, 0, 0
        s.player = s.active = active
        s.turn, s.turns[:players], s.course, s.last_taker = 8 * players, 8, course, -1
        size = int(self.game.rules[0].hand_size)
        s.draft_round = size
        for kind, count in (platter or {"food": 5, "wine": 1}).items():
            s.platter[KINDS.index(kind)] = count
        hands = hands or [[] for _ in rows]
        used = {g for row in [*rows, *hands] for g in row}
        spare = [g for g in IDS if g not in used]
        for p in range(players):
            for k, name in enumerate(rows[p]):
                self.seat(name, p, k)
            s.seated[p] = len(rows[p])
            own = [*rows[p], *hands[p]]
            while len(own) < size:
                own.append(spare.pop())
                s.where[IDS.index(own[-1])], s.owner[IDS.index(own[-1])] = st.Where.GONE, p
            s.pack[p, :size] = sorted(IDS.index(g) for g in own)
            s.hand[p, :size] = [g if s.where[g] == st.Where.HIDDEN else -1 for g in s.pack[p, :size]]
            s.hand_size[p] = len(hands[p])

    def seat(self, name, p, k):
        g = IDS.index(name)
        self.s.row[p, k], self.s.where[g], self.s.owner[g] = g, st.Where.SEATED, p

    # what lies on guests: words per appetite of the sorted appetites; "" is empty

    def put(self, name, *tokens):
        """Place tokens by (colour, kind) pairs or by plain kinds (on their own colour)."""
        g, colours = IDS.index(name), appetites(name)
        for token in tokens:
            colour, kind = token if isinstance(token, tuple) else (token, token)
            free = [a for a, c in enumerate(colours) if c == colour and self.s.token[g, a] < 0]
            self.s.token[g, free[0]] = KINDS.index(kind)
        return self

    def fill(self, name):
        """A matching token on every appetite (compliments on jokers)."""
        return self.put(name, *((c, "compliment" if c == "joker" else c) for c in appetites(name)[self.count(name) :]))

    def stuff(self, name, kind):
        """The same kind on every appetite."""
        self.s.token[IDS.index(name), : len(appetites(name))] = KINDS.index(kind)
        return self

    def count(self, name):
        return int((self.s.token[IDS.index(name)] >= 0).sum())

    def on(self, name):
        """What lies on a guest: sorted (colour, kind) pairs."""
        g = IDS.index(name)
        return sorted((c, KINDS[k]) for c, k in zip(appetites(name), self.s.token[g], strict=False) if k >= 0)

    def faux_pas(self, *names):
        """These lie face up, as many as players or more: the first ones were kept one by each, the others besides."""
        players, spare = self.game.num_players, [i for i in range(len(FAUX)) if FAUX[i] not in names]
        kept = [[] for _ in range(players)]
        for k, name in enumerate(names):
            kept[k % players].append(FAUX.index(name))
            self.s.faux_pas_open[FAUX.index(name)] = 1
        for p, cards in enumerate(kept):
            pair = sorted([*cards, *spare[2 * p : 2 * p + 2 - len(cards)]])
            self.s.faux_pas_dealt[p] = pair
            self.s.faux_pas_choice[p] = sum(1 << k for k in range(2) if pair[k] in cards)
        return self

    def stash(self, p, **counts):
        for kind, count in counts.items():
            self.s.stash[p, KINDS.index(kind)] = count
        self.s.points[p] = self.s.stash[p].sum()
        return self

    def has(self, p):
        """A stash as a dict of its positive counts."""
        return {k: int(n) for k, n in zip(KINDS, self.s.stash[p], strict=True) if n}

    def row(self, p):
        return [IDS[g] for g in self.s.row[p] if g >= 0]

    def platter(self):
        return {k: int(n) for k, n in zip(KINDS, self.s.platter, strict=True) if n}

    def where(self, name):
        return ("hidden", "seated", "gone")[self.s.where[IDS.index(name)]]

    # moves by name, guests by id

    def number(self, move):
        word, *rest = move if isinstance(move, tuple) else (move,)
        s = self.s
        if word == "seat":
            return st.Action.SEAT + 3 * list(s.hand[s.player]).index(IDS.index(rest[0])) + rest[1]
        if word == "home":
            return st.Action.SEND_HOME + self.row(s.player).index(rest[0])
        if word == "social":
            guest, side, kind = rest
            return st.Action.SOCIAL + 4 * self.row(s.player).index(guest) + 2 * (side == "right") + (kind == "drama")
        if word == "serve":
            return st.Action.SERVE + 5 * self.row(s.player).index(rest[0]) + KINDS.index(rest[1])
        if word == "remove":
            return st.Action.REMOVE + KINDS.index(rest[0])
        if word == "plate":
            return st.Action.PLATE + self.row(s.player).index(rest[0])
        if word == "door":
            return st.Action.DOOR + [IDS[g] for g in s.last_row[s.player] if g >= 0].index(rest[0])
        if word == "guest":
            owner = int(s.owner[IDS.index(rest[0])])
            return st.Action.TARGET + 3 * ((owner - s.player) % self.game.num_players) + self.row(owner).index(rest[0])
        if word == "token":
            return st.Action.TOKEN + rest[0]
        plain = {
            "stop": st.Action.STOP,
            "no": st.Action.WHETHER,
            "yes": st.Action.WHETHER + 1,
            "accept": st.Action.WHETHER,
            "refuse": st.Action.WHETHER + 1,
        }
        if word in plain:
            return plain[word]
        if word == "kind":
            return st.Action.KIND + KINDS.index(rest[0])
        if word == "place":
            return st.Action.PLACE + COLOURS.index(rest[0])
        raise KeyError(word)

    def do(self, *moves):
        """Play moves; each may carry the expected seat as ("by", p, move)."""
        for move in moves:
            if isinstance(move, tuple) and move[0] == "by":
                assert self.s.player == move[1], (self.s.player, move)
                move = move[2]
            self.step(self.number(move))
        return self

    def step(self, action):
        """Play an action: from a sound position to a sound one."""
        assert not self.fault(), f"before: {self.fault()}"
        self.game.step(self.states, [action])
        assert not self.fault(), f"after: {self.fault()}"

    def fault(self):
        """What is wrong with the position, "" if nothing; any platter will do."""
        rules = records.copy(self.game.rules)
        rules["menu"][:] = 99
        return fault(rules[0], self.s)

    def may(self, move):
        """Whether the move is legal now."""
        try:
            number = self.number(move)
        except ValueError:
            return False
        return bool(self.game.legal_actions(self.states)[0, number])

    def options(self):
        return set(map(int, np.flatnonzero(self.game.legal_actions(self.states)[0])))

    def asks(self):
        """The seat to move and what it decides."""
        return int(self.s.player), int(self.s.phase)


def actions(block, size):
    return set(range(block, block + size))
