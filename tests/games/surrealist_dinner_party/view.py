"""What a seat should see, worked out from the record and the components file in plain Python, slice by slice.

Nothing is shared with the observation's code: guests come from the TOML file, abilities from its words, chances from looks at
packs round by round.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from banquet_envs.games.surrealist_dinner_party import state as st
from banquet_envs.games.surrealist_dinner_party.position import Frame, Position

KINDS = ("food", "wine", "dessert", "compliment", "drama")
COLOURS = (*KINDS, "joker")
ABILITIES = ("give", "take_platter", "swap", "exchange", "clear", "send_home", "stash", "refuse")
ITSELF = ("self", "self_or_neighbour", "self_neighbour")
OWN = ("each_own", "own_spread", "one_own", "own_own")
OTHERS = ("one_neighbour", "both_neighbours", "other_neighbour", "self_or_neighbour", "one_any", "self_neighbour",
          "neighbour_neighbour")  # fmt: skip


class View:
    """One record through one seat's eyes."""

    def __init__(self, box, rules, record, seat):
        self.box, self.pos, self.seat = box, Position(rules, record), seat
        self.players, self.on = int(rules.players), bool(rules.abilities)
        self.guests = box["guests"]
        self.uses, self.size, self.draft = int(rules.plate_uses), int(rules.hand_size), bool(rules.draft)
        self.seats = [(seat + k) % self.players for k in range(self.players)]
        self.top = self.pos.frames[-1] if self.pos.frames else None

    def slices(self):
        """name -> values, for every slice of the layout."""
        return {name: np.array(getattr(self, name)(), float) for name in NAMES}

    # helpers

    def hot(self, size, *which):
        return [float(k in which) for k in range(size)]

    def by_seat(self, values):
        return [values[p] for p in self.seats]

    def appetites(self, g):
        return sorted(self.guests[g]["appetites"], key=COLOURS.index)

    def matched(self, g):
        pairs = zip(self.appetites(g), self.pos.token[g], strict=False)
        return sum(k >= 0 and c in (KINDS[k], "joker") for c, k in pairs)

    def place_of(self, g):
        """The guest's place as this seat counts, as a table."""
        return [[float(g >= 0 and self.pos.row[p][k] == g) for k in range(3)] for p in self.seats]

    def ability(self, g):
        if g < 0 or not self.on:
            return [0.0] * 20
        one, icon = self.guests[g]["ability"], self.guests[g]["icon"]
        tokens = [float(k in one.get("tokens", ())) for k in KINDS]
        target = one["target"]
        return [
            float(icon == "plate"), float(icon == "door"), *self.hot(8, ABILITIES.index(one["kind"])), one["count"] / 3, *tokens,
            float(target in ITSELF), float(target in OWN), float(target in OTHERS),
            float(one.get("condition", {}).get("kind") == "most"),
        ]  # fmt: skip

    def card_of(self, g):
        if g < 0:
            return [0.0] * 28
        colours = [self.guests[g]["appetites"].count(c) / 2 for c in COLOURS]
        return [1.0, (g + 1) / len(self.guests), *colours, *self.ability(g)]

    # slices

    def phase(self):
        return self.hot(12, -1 if self.pos.over else self.pos.phase)

    def stage(self):
        return self.hot(6, self.pos.stage)

    def seat_to_move(self):
        return [float(p == self.pos.player and not self.pos.over) for p in self.seats]

    def active(self):
        return [float(p == self.pos.active) for p in self.seats]

    def course(self):
        return self.hot(6, self.pos.course)

    def platter(self):
        return [n / 13 for n in (*self.pos.platter, sum(self.pos.platter))]

    def to_come(self):
        later = self.box["courses"][self.pos.course + 1 :]
        return [sum(c[f"players_{self.players}"].get(k, 0) for c in later) / 25 for k in KINDS]

    def last_taker(self):
        return [float(p == self.pos.last_taker) for p in self.seats]

    def half(self):
        return [float(self.pos.first_half == 1), float(self.pos.first_half == 2)]

    def plate_used(self):
        return self.by_seat(self.pos.plate_used)

    def began(self):
        return [float(n > 0) for n in self.by_seat(self.pos.turns)]

    def hand_size(self):
        return [sum(g >= 0 for g in self.pos.hand[p]) / 6 for p in self.seats]

    def stash(self):
        return [[n / 8 for n in self.pos.stash[p]] for p in self.seats]

    def points(self):
        return [n / 30 for n in self.by_seat(self.pos.points)]

    def lead(self):
        mine, *others = (self.pos.stash[p] for p in self.seats)
        return [(mine[k] - max(o[k] for o in others)) / 5 for k in range(5)]

    def faux_pas(self):
        rows = []
        for card, face in zip(self.box["faux_pas"], self.pos.faux_pas_open, strict=False):
            counts = [[self.pos.stash[p][KINDS.index(k)] for k in card["tokens"]] for p in self.seats]
            mine, *others = (sum(c) if card["kind"] in ("most", "first_to") else min(c) for c in counts)
            rows.append([float(face == 1), float(face == 2), (mine - max(others)) / 5])
        return rows

    def own_faux_pas(self):
        return self.hot(len(self.box["faux_pas"]), *self.pos.faux_pas_dealt[self.seat])

    def own_keep(self):
        return self.hot(3, self.pos.faux_pas_choice[self.seat] - 1)

    def faux_pas_points(self):
        return [n / 10 for n in self.by_seat(self.pos.faux_pas_points)]

    def asking_kind(self):
        top = self.top
        if top is None:
            return self.hot(5)
        one = self.guests[top.guest]["ability"]
        if top.kind == st.Effect.TOKEN:
            return self.hot(5, top.token)
        if top.kind in (st.Effect.ABILITY, st.Effect.ASK) and one.get("tokens") == ["same"]:
            return self.hot(5, top.token)
        if top.kind == st.Effect.ABILITY and one["kind"] == "swap" and top.step > 2:
            return self.hot(5, self.pos.token[top.a][top.x])
        return self.hot(5)

    def asking_guest(self):
        return self.place_of(self.top.guest if self.top else -1)

    def asking_other(self):
        top = self.top
        swap = top is not None and top.kind == st.Effect.ABILITY and self.guests[top.guest]["ability"]["kind"] == "swap"
        if top is not None and self.pos.phase == st.Phase.WHICH_TOKEN:
            return self.place_of(top.b)
        return self.place_of(top.a if swap and top.step > 2 else -1)

    def asking_user(self):
        return [float(self.top is not None and p == self.top.user) for p in self.seats]

    def asking_ability(self):
        top = self.top
        if top is None:
            return [*self.ability(-1), 0.0]
        if top.kind == st.Effect.TOKEN:
            below = self.pos.frames[-2]
            return [*self.ability(below.guest if below.kind == st.Effect.ABILITY else -1), 0.0]
        return [*self.ability(top.guest), top.n / 3]

    def last_row(self):
        return [(g + 1) / len(self.guests) for g in self.pos.last_row[self.seat]]

    def guest(self):
        return [[self.seated(p, self.pos.row[p][k]) for k in range(3)] for p in self.seats]

    def seated(self, p, g):
        if g < 0:
            return [0.0] * 42
        colours = self.appetites(g)
        tokens = self.pos.token[g]
        empty = [c for c, k in zip(colours, tokens, strict=False) if k < 0]
        filled, matched = len(colours) - len(empty), self.matched(g)
        ready, used = (self.ready(p, g), self.pos.plate_done >> g & 1) if self.on else (0, 0)
        numbers = [len(colours) / 6, len(empty) / 6, matched / 6, (filled - matched) / 6]
        flags = [matched == len(colours), matched == filled, ready, used]
        return [
            1.0, (g + 1) / len(self.guests), *(empty.count(c) / 2 for c in COLOURS), *numbers, *map(float, flags),
            *((k + 1) / 5 for k in tokens), *self.ability(g),
        ]  # fmt: skip

    def ready(self, p, g):
        if self.guests[g]["icon"] != "plate" or self.pos.plate_done >> g & 1:
            return False
        free = self.pos.plate_used[p] < self.uses or (p == self.pos.active and self.pos.plate_done != 0)
        use = Frame(*[0] * 17)._replace(user=p, guest=g, left=-1, right=-1)
        return free and self.pos.usable(use) and self.pos.allowed(use, True)

    def card(self):
        if self.pos.stage == st.Stage.DRAFTING:
            r = self.pos.draft_round
            held = self.pos.pack[(self.seat - r) % self.players][r : self.size]
            return [self.card_of(g) for g in (*held, *[-1] * (6 - len(held)))]
        return [self.card_of(g) for g in self.pos.hand[self.seat]]

    # knowledge

    def looks(self):
        """Every look of this seat at a pack: (pack, round)."""
        if not self.draft:
            return [(self.seat, 0)]
        last = min(self.pos.draft_round, self.size - 1)
        return [((self.seat - r) % self.players, r) for r in range(last + 1)]

    def saw(self):
        return {g for k, r in self.looks() for g in self.pos.pack[k][r : self.size]}

    def hidden(self, g):
        return self.pos.where[g] == st.Where.HIDDEN

    def taker(self, k, i):
        """Who took the i-th card of pack k; None while it is in the pack."""
        if not self.draft:
            return k
        return (k + i) % self.players if i < self.pos.draft_round else None

    def holds(self):
        table = [[Fraction(0)] * len(self.guests) for _ in range(self.players)]
        for g in self.pos.hand[self.seat]:
            if g >= 0:
                table[0][g] = Fraction(1)
        saw = self.saw()
        unseen = [g for g in range(len(self.guests)) if self.hidden(g) and g not in saw]
        for j, q in enumerate(self.seats[1:], 1):
            held = [
                self.pos.pack[k][i]
                for k in range(self.players)
                for i in range(self.size)
                if self.taker(k, i) == q and self.hidden(self.pos.pack[k][i]) and self.pos.pack[k][i] not in saw
            ]
            for g in unseen:
                table[j][g] = Fraction(len(held), len(unseen))
        for k, group in self.sets():
            there = [i for i in group if self.hidden(self.pos.pack[k][i])]
            for j, q in enumerate(self.seats[1:], 1):
                share = sum(self.taker(k, i) == q for i in there)
                for i in there:
                    table[j][self.pos.pack[k][i]] = Fraction(share, len(there))
        return table

    def sets(self):
        """Places of a pack between two looks, whose cards this seat saw and cannot tell apart: who took which of them."""
        for k in range(self.players if self.draft else 0):
            rounds = sorted(r for pack, r in self.looks() if pack == k)
            for r, later in zip(rounds, [*rounds[1:], None], strict=False):
                if later is not None:
                    yield k, range(r + 1, later)
                elif self.pos.draft_round > r:  # the own pick of this look is made
                    yield k, range(r + 1, self.size)

    def seen(self):
        return self.hot(len(self.guests), *self.saw())

    def gone(self):
        return [float(w == st.Where.GONE) for w in self.pos.where[: len(self.guests)]]


NAMES = (
    "phase", "stage", "seat_to_move", "active", "course", "platter", "to_come", "last_taker", "half", "plate_used", "began",
    "hand_size", "stash", "points", "lead", "faux_pas", "own_faux_pas", "own_keep", "faux_pas_points", "asking_kind",
    "asking_guest", "asking_other", "asking_user", "asking_ability", "last_row", "guest", "card", "holds", "seen", "gone",
)  # fmt: skip
