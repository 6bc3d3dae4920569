"""Every feature of the observation worked out again, slowly, from the component file and the position."""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_envs.games.dinner_party.state import Phase, Where

from .recount import Box, tables_of

STEP = {"green": 1, "none": 0, "red": -1}
OCCUPATIONS = ("Politics", "Art", "Science", "Economy", "Religion")
ROLLING = (Phase.ROLL, Phase.REROLL, Phase.PLACE)


def share(n: float, scale: float) -> float:
    """What the README calls "n / scale": no more than twice the scale shows."""
    return float(np.clip(n / scale, -2, 2))


class View:
    """What `seat` sees in the record `r`, slice by slice, as the layout's words tell it."""

    def __init__(self, box: Box, r: Any, seat: int) -> None:
        self.box, self.r, self.seat, self.n = box, r, seat, box.players
        self.seats = [(seat + k) % self.n for k in range(self.n)]
        self.tables = tables_of(r, self.n)
        self.stash = r.stash[:, 1:]
        self.live = not r.over

    def slices(self) -> dict[str, Any]:
        r, box, one_hot = self.r, self.box, self.one_hot
        occupations = [{o for g in t for o in box.guests[g]["occupations"]} for t in self.tables]
        return {
            "phase": [float(self.live and r.phase == k) for k in range(10)],
            "clock": [share(r.round_number, 30), r.ending, (self.n - r.turns) / self.n],
            "seat_to_move": one_hot(r.player),
            "active": one_hot(r.active),
            "stock": [[x / (x + 4) for x in (r.envelopes[s], *self.stash[s])] for s in self.seats],
            "drink_worth": [[share(box.drink_worth(self.tables[s], d), 6) for d in (1, 2)] for s in self.seats],
            "table": [
                [
                    share(box.points(self.tables, r.drink, s), 30),
                    len(self.tables[s]) / 24,
                    share(box.demand(self.tables[s], True), 200),
                    len(occupations[s]) / 5,
                ]
                for s in self.seats
            ],
            "occupations": [[float(o in occupations[s]) for o in OCCUPATIONS] for s in self.seats],
            "ends": [
                [STEP[box.guests[self.tables[s][e]]["arrows"]] if self.tables[s] else 0 for e in (0, -1)]
                for s in self.seats
            ],
            "stacks": [[h / 9, float(h == 0 and up < 0)] for h, up in zip(r.height, r.face_up, strict=True)],
            "dice": [[max(d, 0) / 5, float(d == 0)] for d in r.dice],
            "roll": self.roll(),
            "placing": self.placing(),
            "bar": [share(self.bar_icons(), 4) if self.live and r.phase == Phase.BAR else 0, r.failed],
            "guest": [self.guest(g, occupations[self.seat]) for g in range(len(box.guests))],
        }

    def one_hot(self, seat: int) -> list[float]:
        return [float(self.live and s == seat) for s in self.seats]

    def need(self, kind: str, seat: int, guest: int, end: int | None, charmer: int) -> int:
        at_table = int(self.r.where[guest]) < 6
        mods = self.box.mods(self.tables, self.stash, kind, seat, guest, end, charmer, at_table, self.r.drink)
        return self.box.guests[guest]["demand"] - sum(mods.values())

    def roll(self) -> list[float]:
        r, box = self.r, self.box
        if not self.live or r.phase not in ROLLING:
            return [0.0] * 8
        guest = int(r.target)
        roller = int(r.where[guest]) if r.entertaining else int(r.active)
        icon = sum(box.ability(g)["value"] for g in self.tables[roller] if box.ability(g)["kind"] == "icon_value")
        total = sum(int(d) or icon for d in r.dice)
        if r.entertaining:
            needs = [self.need("entertain", roller, guest, None, int(r.active))] * 2
        else:
            needs = [self.need("invite", roller, guest, end, -1) for end in (0, 1)]
        offers = box.ability(self.tables[roller][r.window])["dice"] if r.phase == Phase.REROLL else 0
        return [
            share(r.rolls_left, 3) if r.phase == Phase.ROLL else 0,
            sum(d == 0 for d in r.dice) / 3,
            share(total, 15),
            *(share(need - total, 12) for need in needs),
            float(r.entertaining),
            r.attempts / 2 if r.entertaining else 0,
            offers / 3,
        ]

    def placing(self) -> list[float]:
        r = self.r
        if r.phase != Phase.GIFT:
            return [0.0] * 5
        return [float(x) for x in (r.spot == 0, r.treat == 1, r.treat == 2, r.gift == 1, r.gift == 2)]

    def bar_icons(self) -> int:
        icons = int(sum(d == 0 for d in self.r.dice))
        for g in self.tables[self.r.active]:
            ability = self.box.ability(g)
            if ability["kind"] == "bar_bonus" and (ability["condition"] == "always" or self.r.failed):
                icons += ability["icons"]
        return icons

    def guest(self, g: int, own: set[str]) -> list[float]:
        r, where = self.r, int(self.r.where[g])
        at = where < 6
        k = self.tables[where].index(g) if at else -1
        row = [float(where == s) for s in (*self.seats, Where.LOBBY, Where.UNSEEN)]
        row += [(k + 1) / 24, float(at and k in (0, len(self.tables[where]) - 1))]
        row += [float(at and r.drink[g] == d) for d in (1, 2)]
        row += [float(r.charmed[g]), float(r.target == g and r.phase != Phase.CHOOSE)]
        if where == Where.LOBBY or (at and where != self.seat):
            row.append(len(set(self.box.guests[g]["occupations"]) - own) / 3)
            row += [share(self.need("invite", self.seat, g, end, -1), 16) for end in (0, 1)]
        else:
            row += [0.0] * 3
        charmer = self.seat if where != self.seat else -1
        row.append(share(self.need("entertain", where, g, None, charmer), 16) if at else 0.0)
        return row


def check_view(game: Any, box: Box, states: Any) -> None:
    """Every seat's view of a batch of one, feature by feature."""
    for seat in range(game.num_players):
        seen = game.layout.split(game.observe(states, seat)[0])
        for name, expected in View(box, states[0], seat).slices().items():
            differ = np.argwhere(~np.isclose(seen[name], np.array(expected, float), atol=1e-5))
            assert not len(differ), (name, seat, differ.tolist(), states[0].phase)
        assert set(seen) == set(View(box, states[0], seat).slices())
