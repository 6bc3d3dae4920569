"""Everything public can be read back from the observation vector; determinize resamples exactly stacks and box."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs.core.state import copy, take
from banquet_envs.games.dinner_party.state import Action, Phase, Where
from tests.sizes import many

from .play import random_games
from .positions import WATER, WINE, Position, box_of, game_of, sound
from .test_records import PHASES
from .view import check_view

SMALL = Path(__file__).with_name("small_deck.toml")


def number(x: Any, scale: float) -> int:
    value = float(x) * scale
    assert abs(value - round(value)) < 1e-3
    return round(value)


class Decoder:
    """A position as far as it is public, read from one vector with the help of the layout alone."""

    def __init__(self, game: Any, vector: np.ndarray, seat: int) -> None:
        self.n = game.num_players
        self.view = game.layout.split(vector)
        self.seats = [(seat + k) % self.n for k in range(self.n)]  # own first, then to the left
        guests = self.view["guest"]
        self.tables: dict[int, list[int]] = {}
        for k, s in enumerate(self.seats):
            here = np.flatnonzero(guests[:, k] == 1)
            order = sorted((number(guests[g, self.n + 2], 24), int(g)) for g in here)
            assert [place for place, _ in order] == list(range(1, len(order) + 1))
            self.tables[s] = [g for _, g in order]
        self.lobby = set(np.flatnonzero(guests[:, self.n] == 1).tolist())
        self.unseen = set(np.flatnonzero(guests[:, self.n + 1] == 1).tolist())
        self.drinks = [int(g[self.n + 4] + 2 * g[self.n + 5]) for g in guests]
        self.charmed = [int(g[self.n + 6]) for g in guests]
        self.heights = [number(h, 9) for h in self.view["stacks"][:, 0]]
        self.dice = [-1 if not d[0] and not d[1] else 0 if d[1] else number(d[0], 5) for d in self.view["dice"]]

    def by_seat(self, name: str, column: int, scale: float) -> list[int]:
        values = {s: number(self.view[name][k, column], scale) for k, s in enumerate(self.seats)}
        return [values[s] for s in range(self.n)]

    def stock(self, column: int) -> list[int]:
        values = {s: self.view["stock"][k, column] for k, s in enumerate(self.seats)}
        return [number(values[s] / (1 - values[s]), 4) for s in range(self.n)]

    def one_hot(self, name: str) -> int:
        found = np.flatnonzero(self.view[name])
        return self.seats[int(found[0])] if len(found) else -1


def check_decoded(game: Any, r: Any, seat: int) -> None:
    d = Decoder(game, game.observe(take_one(game, r), seat)[0], seat)
    n, g = game.num_players, int(game.rules[0].num_guests)
    assert [d.tables[s] for s in range(n)] == [[int(x) for x in r.table[s, : r.seated[s]]] for s in range(n)]
    assert d.lobby == {k for k in range(g) if r.where[k] == Where.LOBBY}
    assert d.unseen == {k for k in range(g) if r.where[k] == Where.UNSEEN}
    assert d.drinks == [int(x) if r.where[k] < 6 else 0 for k, x in enumerate(r.drink[:g])]
    assert d.charmed == [int(x) for x in r.charmed[:g]]
    assert d.heights == [int(x) for x in r.height]
    assert d.stock(0) == [int(x) for x in r.envelopes[:n]]
    assert d.stock(1) == [int(x) for x in r.stash[:n, 1]]
    assert d.stock(2) == [int(x) for x in r.stash[:n, 2]]
    assert d.by_seat("table", 0, 30) == [int(x) for x in r.points[:n]]
    if not r.over:
        assert d.one_hot("seat_to_move") == r.player
        assert d.one_hot("active") == r.active
        assert np.flatnonzero(d.view["phase"]).tolist() == [r.phase]
        assert d.dice == [int(x) for x in r.dice]
    clock = d.view["clock"]
    assert number(clock[0], 30) == r.round_number
    assert number(clock[1], 1) == r.ending
    assert number(clock[2], n) == n - r.turns
    if not r.over and r.phase == Phase.ROLL:
        roll = d.view["roll"]
        assert number(roll[0], 3) == r.rolls_left
        total = sum(int(x) if x else int(r.icon_worth) for x in r.dice)
        assert [number(roll[3], 12) + total, number(roll[4], 12) + total] == [int(x) for x in r.need]


def take_one(game: Any, r: Any) -> Any:
    states = game.reset(1, 0)
    states[0] = r
    return states


@pytest.mark.parametrize("players", range(2, 7))
def test_the_public_position_can_be_read_back(players: int) -> None:
    game = game_of(players)
    rng = np.random.default_rng(players)

    def visit(states: Any, rows: np.ndarray) -> None:
        if rng.random() < 0.25:
            for r in take(states, rows[:2]):
                check_decoded(game, r, int(rng.integers(players)))

    for r in random_games(game, many(20), seed=3, visit=visit)[:5]:
        check_decoded(game, r, 0)


BUILT: list[tuple[list[list[str]], list[str], dict[str, Any]]] = [
    # arrows, Drinks, standing abilities of all sorts at every Table; Hitler in the middle
    (
        [["lincoln", "hitler", "dante"], ["freud", "capone"], ["frida_kahlo", "churchill", "beethoven"]],
        ["gandhi", "sartre", "fugger"],
        {"drinks": {"freud": WATER, "hitler": WINE, "churchill": WINE}, "stash": {0: (1, 0), 2: (0, 2)}},
    ),
    ([["genghis_khan", "einstein"], ["confucius", "torquemada", "rasputin"], []], ["buddha", "lincoln"], {}),
    ([["tesla", "jesus"], ["hypatia"], ["walt_disney", "joan_of_arc"]], ["torquemada"], {"hitler": "gone"}),
    (
        [["torquemada"], ["mozart", "marie_antoinette"]],
        ["martin_luther"],
        {"drinks": {"marie_antoinette": WATER}, "active": 1, "turns": 1, "round_number": 60},
    ),
]


@pytest.mark.parametrize(("tables", "lobby", "more"), BUILT)
def test_every_feature_of_a_built_position(tables: list[list[str]], lobby: list[str], more: dict[str, Any]) -> None:
    p = sound(tables, lobby, **more)
    check_view(p.game, p.box, p.states)


@pytest.mark.parametrize("position", [f for f, _ in PHASES], ids=lambda f: f.__name__)
def test_every_feature_in_every_phase(position: Any) -> None:
    """In the middle of rolls, choices and arrivals, for every seat: most of them are not to move."""
    p = position()
    check_view(p.game, p.box, p.states)


def test_every_feature_of_the_small_deck() -> None:
    for tables, more in (
        ([["p1", "p2", "a1"], ["p3", "a3", "a4"], ["s3", "r5"]], {"drinks": {"a3": WATER}, "stash": {0: (0, 0)}}),
        ([["r6", "e1"], ["a2", "p4", "r4"], ["s1", "s2", "hitler"]], {"drinks": {"r4": WINE}, "active": 2}),
        ([["p5"], ["a6", "r1", "s5"], ["r2", "r3"]], {"stash": {1: (3, 1)}}),
    ):
        p = sound(tables, components=SMALL, **more)
        check_view(p.game, p.box, p.states)
        for action in sorted(p.legal())[:2]:
            trial = copy(p.states)
            p.game.step(trial, [action])
            check_view(p.game, p.box, trial)


@pytest.mark.parametrize(("players", "components"), [(2, None), (4, None), (6, None), (3, SMALL)])
def test_every_feature_in_random_games(players: int, components: Any) -> None:
    game = game_of(players, components)
    rng = np.random.default_rng(players)
    seen: set[int] = set()

    def visit(states: Any, rows: np.ndarray) -> None:
        rare = [k for k in rows if states.phase[k] not in seen]  # every phase at least once
        for k in rare[:1] or (rng.choice(rows, 1) if rng.random() < 0.03 else []):
            seen.add(int(states.phase[k]))
            check_view(game, box_of(game.components, players), take(states, np.array([k])))

    ended = random_games(game, many(12), seed=5, visit=visit)
    check_view(game, box_of(game.components, players), take(ended, np.array([0])))
    assert len(seen) >= 7


def test_every_feature_is_public() -> None:
    assert all(part.public for part in game_of(3).layout)


def test_views_of_all_seats_are_rotations_of_one_another() -> None:
    game = game_of(3)
    states = game.reset(1, 9)
    for _ in range(150):
        game.step(states, [int(np.flatnonzero(game.legal_actions(states)[0])[-1])])
    views = [game.layout.split(game.observe(states, s)[0])["stock"] for s in range(3)]
    assert (np.roll(views[0], -1, axis=0) == views[1]).all()
    assert (np.roll(views[0], -2, axis=0) == views[2]).all()


def test_determinize_makes_every_order_of_the_unseen_cards_alike_likely() -> None:
    """A chi-square on the top card of one stack of a position with few unseen cards."""
    p = Position([["freud", "darwin"], ["tesla", "newton"]], ["einstein"], heights=[2, 2, 2, 2, 2])
    n = many(6000)
    states = p.game.reset(n, 1)
    for name in states.dtype.names:
        states[name] = p.r[name]
    before = p.game.observe(states, 1)
    p.game.determinize(states, 1, seed=4)
    assert (p.game.observe(states, 1) == before).all()
    unseen = int(p.r.unseen[2])
    assert unseen == 4  # nine Science guests, four at Tables, one open
    tops = states.hidden[:, 2, unseen - 1]
    counts = np.array([(tops == g).sum() for g in p.r.hidden[2, :unseen]])
    assert counts.sum() == n
    assert ((counts - n / 4) ** 2 / (n / 4)).sum() < 16.3  # 3 degrees of freedom, 0.1 %
    lowest = np.array([(states.hidden[:, 2, 0] == g).sum() for g in p.r.hidden[2, :unseen]])
    assert ((lowest - n / 4) ** 2 / (n / 4)).sum() < 16.3  # the box is resampled too


def test_cards_cleared_face_down_may_be_anywhere_among_the_unseen() -> None:
    p = Position([["darwin"], []], ["rockefeller"]).invites("rockefeller", 3, 3, 3).do(Action.DO)
    before = copy(p.states)
    p.game.determinize(p.states, 0, seed=2)
    assert set(p.states[0].hidden[3]) == set(before[0].hidden[3])
    assert p.states[0].height[3] == 0
