"""Positions built by hand: guests by the ids of components.toml, dice laid down, actions by name."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec
from banquet_envs.games.dinner_party.components import HITLER
from banquet_envs.games.dinner_party.state import Action, Phase, Where

from .recount import Box, tables_of

LEFT, RIGHT = 0, 1
NONE, WATER, WINE = 0, 1, 2
STOP = 7
_GAMES: dict[tuple[Any, ...], Game] = {}


def game_of(players: int, components: Path | None = None, **options: Any) -> Game:
    """A Game, made once per set of options."""
    key = (players, components, tuple(sorted(options.items())))
    if key not in _GAMES:
        _GAMES[key] = Game(game_spec("dinner_party"), players, components=components, **options)
    return _GAMES[key]


@functools.cache
def box_of(components: Path, players: int) -> Box:
    """A components file, read once."""
    return Box(components, players)


class Position:
    """A game in the hands of a test.

    Args:
        tables: guest ids from left to right, one list per seat; "hitler" may sit anywhere.
        lobby: ids of guests that lie open (at most one of each back).
        stash: (Water, Wine) per seat; envelopes per seat, 3 when not given.
        drinks: id -> WATER or WINE on that guest.
        heights: face-down cards of each stack, 4 when not given.
        hitler: "lobby" or "gone", unless he sits at a table.
    """

    def __init__(
        self,
        tables: list[list[str]],
        lobby: list[str] = (),  # type: ignore[assignment]
        stash: dict[int, tuple[int, int]] | None = None,
        envelopes: dict[int, int] | None = None,
        drinks: dict[str, int] | None = None,
        heights: list[int] | None = None,
        hitler: str = "lobby",
        active: int = 0,
        round_number: int = 5,
        turns: int = 0,
        ending: int = 0,
        components: Path | None = None,
        **options: Any,
    ) -> None:
        self.game = game_of(len(tables), components, **options)
        self.box = box_of(self.game.components, len(tables))
        self.ids = ["hitler", *(g["id"] for g in self.box.guests[1:])]
        self.rules = self.game.rules[0]
        self.states = self.game.reset(1, seed=7)
        r = self.r = self.states[0]
        r.table[:], r.hidden[:], r.face_up[:] = -1, -1, -1
        r.seated[:], r.unseen[:], r.drink[:], r.charmed[:], r.stash[:] = 0, 0, 0, 0, 0
        r.where[: len(self.ids)] = Where.UNSEEN
        r.where[HITLER] = {"lobby": Where.LOBBY, "gone": Where.GONE}[hitler]
        for seat, names in enumerate(tables):
            for k, name in enumerate(names):
                r.table[seat, k] = self.id(name)
                r.where[self.id(name)] = seat
            r.seated[seat] = len(names)
        for name in lobby:
            r.face_up[self.rules.guests[self.id(name)].back] = self.id(name)
            r.where[self.id(name)] = Where.LOBBY
        for guest in range(1, len(self.ids)):
            if r.where[guest] == Where.UNSEEN:
                back = self.rules.guests[guest].back
                r.hidden[back, r.unseen[back]] = guest
                r.unseen[back] += 1
        for back in range(5):
            r.height[back] = min(4 if heights is None else heights[back], r.unseen[back])
        for name, sort in (drinks or {}).items():
            r.drink[self.id(name)] = sort
        for seat, (water, wine) in (stash or {}).items():
            r.stash[seat, 1:] = water, wine
        r.envelopes[:] = 0
        for seat in range(len(tables)):
            r.envelopes[seat] = (envelopes or {}).get(seat, 3)
        r.active = r.player = active
        r.round_number, r.turns, r.ending = round_number, turns, ending
        r.phase, r.target, r.invited, r.failed, r.dice[:] = Phase.CHOOSE, -1, 0, 0, -1
        for seat in range(len(tables)):
            r.points[seat] = self.box.points(tables_of(r, len(tables)), r.drink, seat)

    # ------------------------------------------------------------ actions

    def id(self, name: str) -> int:
        return self.ids.index(name)

    def charm(self, name: str) -> int:
        return Action.BY_GUEST + self.id(name)

    def invite(self, name: str) -> int:
        return Action.BY_GUEST + len(self.ids) + self.id(name)

    def reseat(self, name: str, end: int) -> int:
        return Action.BY_GUEST + 2 * len(self.ids) + 2 * self.id(name) + end

    def host(self, name: str, drink: int) -> int:
        return Action.BY_GUEST + 4 * len(self.ids) + 2 * self.id(name) + drink - 1

    @staticmethod
    def put(end: int, treat: int = NONE, gift: int = NONE) -> int:
        return Action.PUT + 9 * end + 3 * treat + gift

    @staticmethod
    def hitler_to(seats_to_the_left: int, end: int) -> int:
        return Action.HITLER_TO + 2 * (seats_to_the_left - 1) + end

    def do(self, *actions: int) -> Position:
        """Play actions."""
        for action in actions:
            self.game.step(self.states, [action])
        return self

    def stop_with(self, *dice: int) -> Position:
        """Lay the dice (0 is a Drink icon) and stop rolling."""
        assert self.r.phase == Phase.ROLL
        self.r.dice[:] = sorted(dice)
        return self.do(STOP)

    def invites(self, name: str, *dice: int) -> Position:
        """Invite a guest from the Lobby, or charm it away when its owner fails at once, with these dice."""
        return self.do(self.invite(name)).stop_with(*dice)

    # ------------------------------------------------------------ what is the case

    def legal(self) -> set[int]:
        return set(np.flatnonzero(self.game.legal_actions(self.states)[0]).tolist())

    def table(self, seat: int) -> list[str]:
        return [self.ids[g] for g in self.r.table[seat, : self.r.seated[seat]]]

    def where(self, name: str) -> int:
        return int(self.r.where[self.id(name)])

    def drink_on(self, name: str) -> int:
        return int(self.r.drink[self.id(name)])

    def stash(self, seat: int) -> tuple[int, int]:
        return int(self.r.stash[seat, WATER]), int(self.r.stash[seat, WINE])

    def needs(self) -> tuple[int, int]:
        """What the dice must show at the left and at the right end."""
        return int(self.r.need[0]), int(self.r.need[1])

    def points(self) -> list[int]:
        """Points as they would be scored now; forces a recount through an action that changes nothing."""
        return [int(x) for x in self.r.points[: self.game.num_players]]


def sound(tables: list[list[str]], lobby: list[str] = (), **more: Any) -> Position:  # type: ignore[assignment]
    """A position that play can reach: every stack shows a card and is as high as the guests seen so far leave it."""
    p = Position(tables, lobby, **more)
    r, back_of = p.r, p.rules.guests["back"]
    for back in range(5):
        if r.face_up[back] < 0:
            r.unseen[back] -= 1
            r.face_up[back] = r.hidden[back, r.unseen[back]]
            r.where[r.face_up[back]] = Where.LOBBY
            r.hidden[back, r.unseen[back]] = -1
        seen = sum(back_of[g] == back and r.where[g] != Where.UNSEEN for g in range(1, len(p.ids)))
        r.height[back] = p.rules.stack_height - seen
        assert r.height[back] >= 0
    return p
