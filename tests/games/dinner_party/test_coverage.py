"""What random play reaches, by counting: every ability kind thousands of times, and every other branch of the rules.

The default run plays an eighth of the games and asks for an eighth of the counts.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs.core.spec import member_names
from banquet_envs.games.dinner_party import components as c
from banquet_envs.games.dinner_party.state import KEEP_ALL, Action, Phase, Where

from .play import random_games
from .positions import game_of

SMALL = Path(__file__).with_name("small_deck.toml")


class Counts:
    """Counts events between the records before and after every decision of a batch of games."""

    def __init__(self, game: Any) -> None:
        self.rules = game.rules[0]
        self.n = int(self.rules.num_guests)
        self.abilities = self.rules.guests[: self.n]["ability"]
        self.kind = self.abilities["kind"]
        self.seen: Counter[str] = Counter()

    def add(self, name: str, happened: Any) -> None:
        self.seen[name] += int(np.sum(happened))

    def having(self, where: np.ndarray, seats: np.ndarray, kind: int, **fields: int) -> np.ndarray:
        """How many guests with such an ability sit at each game's seat."""
        fits = self.kind == kind
        for name, value in fields.items():
            fits = fits & (self.abilities[name] == value)
        return ((where[:, : self.n] == seats[:, None]) & fits).sum(axis=1)

    def after(self, b: Any, a: Any, rows: np.ndarray, actions: np.ndarray) -> None:
        """`b` before, `a` after the decisions of games `rows`."""
        b, a, act = b[rows], a[rows], actions[rows]
        self.rolls(b, act)
        self.charms(b, a, act)
        self.spots(b, a, act)
        self.arrivals(b, a, act)
        self.ends(b, a, act)

    def rolls(self, b: Any, act: np.ndarray) -> None:
        """Abilities that shape a roll, counted once per decision about its dice."""
        rolling = (b.phase == Phase.ROLL) | (b.phase == Phase.REROLL)
        entertaining = rolling & (b.entertaining == 1)
        inviting = rolling & (b.entertaining == 0)
        roller, where = b.player, b.where
        for who, seats, mask in (("you", roller, rolling), ("charmed_opponent", b.active, entertaining)):
            for kind, name in ((c.Kind.RESULT_MOD, "result_mod"), (c.Kind.ROLL_COUNT, "roll_count")):
                found = self.having(where, seats, kind, who=c.Who[who.upper()])
                self.add(f"{name} {who} at the Table", mask & (found > 0))
        self.add("icon_value", rolling & (b.icon_worth != 0) & (b.dice == 0).any(axis=1))
        self.add("ignore_arrows", rolling & np.isin(self.kind[b.target], [c.Kind.IGNORE_ARROWS]))
        self.add(
            "ignore_arrows all", rolling & (self.having(where, roller, c.Kind.IGNORE_ARROWS, target=c.Target.ALL) > 0)
        )
        self.add("reroll_after_last invite", inviting & (b.phase == Phase.REROLL))
        self.add("reroll_after_last entertain", entertaining & (b.phase == Phase.REROLL))
        self.add("reroll_after_last used", (b.phase == Phase.REROLL) & (act != KEEP_ALL))
        self.add("drink_value treat", inviting & (self.having(where, roller, c.Kind.DRINK_VALUE) > 0))
        drink = np.take_along_axis(b.drink, np.maximum(b.target, 0)[:, None], 1)[:, 0]
        for sort in (c.Drink.WATER, c.Drink.WINE):
            worth = self.having(where, roller, c.Kind.DRINK_VALUE, drink=sort) > 0
            self.add("drink_value entertain", entertaining & worth & (drink == sort))
        self.add(
            "second attempt",
            entertaining & (b.attempts == 1) & (self.having(where, b.active, c.Kind.ENTERTAIN_TWICE) > 0),
        )

    def charms(self, b: Any, a: Any, act: np.ndarray) -> None:
        charm = (b.phase == Phase.CHOOSE) & (act >= Action.BY_GUEST) & (act < Action.BY_GUEST + self.n)
        target = np.where(charm, act - Action.BY_GUEST, 0)
        seats = np.arange(len(b))
        self.add("charm", charm)
        self.add("charm Hitler", charm & (target == 0))
        owner = b.where[seats, target]
        paid = b.envelopes[seats, b.active] - a.envelopes[seats, b.active]
        self.add("charm_cost", charm & (paid > 1) & (self.having(b.where, owner, c.Kind.CHARM_COST) > 0))
        self.add("entertain_twice", charm & (self.having(b.where, b.active, c.Kind.ENTERTAIN_TWICE) > 0))
        without = (self.kind[target] == c.Kind.FAIL_WITHOUT_DRINK) & (b.drink[seats, target] == 0)
        self.add("fail_without_drink", charm & without)
        self.add("owner kept it", charm & ~without & (a.phase == Phase.CHOOSE) & (a.active == b.active))
        self.add("charm again", charm & (b.charmed.sum(axis=1) > 0))

    def spots(self, b: Any, a: Any, act: np.ndarray) -> None:
        put = (b.phase == Phase.PLACE) & (act < Action.FAIL)
        option = act - Action.PUT
        self.add("left end", put & (option // 9 == 0))
        self.add("treat", put & (option // 3 % 3 > 0))
        self.add("gift_drink", put & (option % 3 > 0))
        self.add("gift_drink receiver", b.phase == Phase.GIFT)
        self.add("fail on purpose", (b.phase == Phase.PLACE) & (act == Action.FAIL))
        bar = b.phase == Phase.BAR
        bonus = self.having(b.where, b.active, c.Kind.BAR_BONUS, condition=c.BarCondition.ALWAYS)
        failed = self.having(b.where, b.active, c.Kind.BAR_BONUS, condition=c.BarCondition.INVITE_FAILED) * b.failed
        self.add("bar_bonus", bar & (bonus + failed > 0))
        self.add("four icons", bar & (bonus + failed > 0) & ((b.dice == 0).sum(axis=1) == 3))
        self.add("took nothing", bar & (act == Action.TAKE))
        self.add(
            "Wine for Water",
            (b.phase == Phase.HOST) & (act > Action.DONE) & ((b.drink == 1) & (a.drink == 2)).any(axis=1),
        )
        self.add(
            "host Hitler",
            (b.phase == Phase.HOST) & ((act - Action.BY_GUEST - 4 * self.n) // 2 == 0) & (act > Action.DONE),
        )

    def arrivals(self, b: Any, a: Any, act: np.ndarray) -> None:
        seats = np.arange(len(b))
        at_table = (a.where[:, : self.n] < 6) & (b.where[:, : self.n] != a.where[:, : self.n])
        for guest in range(1, self.n):
            kind = int(self.kind[guest])
            if kind not in range(c.Kind.ARRIVAL_GAIN, c.Kind.ARRIVAL_RESEAT + 1):
                continue
            came = at_table[:, guest]
            self.add(member_names(c.Kind)[kind], came)
            self.add("arrival of a charmed guest", came & (b.where[:, guest] < 6))
            if kind == c.Kind.ARRIVAL_DISCARD:
                lost = (a.stash < b.stash)[:, :, 1:].any(axis=2)
                lost[seats, b.active] = False
                self.add("arrival_discard took a Drink", came & lost.any(axis=1))
        self.add("arrival choices", (b.phase == Phase.MAY) | (b.phase == Phase.MOVE_HITLER) | (b.phase == Phase.RESEAT))
        self.add("stack cleared", ((b.height - a.height) > 1).any(axis=1))
        self.add("open card cleared", ((a.where == Where.GONE) & (b.where == Where.LOBBY))[:, 1 : self.n].any(axis=1))
        self.add("Hitler leaves the game", (a.where[:, 0] == Where.GONE) & (b.where[:, 0] != Where.GONE))
        self.add("Hitler back to the Lobby", (a.where[:, 0] == Where.LOBBY) & (b.where[:, 0] < 6))
        self.add("Hitler passed on", (b.phase == Phase.MOVE_HITLER) & (act < Action.DO))
        self.add("Hitler stays", (b.phase == Phase.MOVE_HITLER) & (act == Action.LEAVE))
        self.add("reseated", (b.phase == Phase.RESEAT) & (act > Action.LEAVE))

    def ends(self, b: Any, a: Any, act: np.ndarray) -> None:
        over = a.over
        self.add("games", over)
        self.add("cut off after the last round", a.capped)
        self.add("shared win", over & ((a.place == 0).sum(axis=1) > 1))
        for k in np.flatnonzero(over):
            for guest in np.flatnonzero((a.where[k, : self.n] < 6) & (self.kind == c.Kind.SCORE)):
                self.seen["score"] += 1
                self.seen[f"score {member_names(c.ScoreCondition)[self.abilities[guest]['condition']]}"] += 1
        self.add("a stack ran out", ((a.height == 0) & (a.face_up < 0)).any(axis=1) & over)
        lobby = ((a.face_up >= 0).any(axis=1)) | (a.where[:, 0] == Where.LOBBY)
        self.add("the whole Lobby ran out", over & ~lobby)


def counted(players: int, components: Path | None, games: int, **options: Any) -> Counter[str]:
    game = game_of(players, components, **options)
    counts = Counts(game)
    random_games(game, games, seed=17, after=counts.after)
    return counts.seen


SHIPPED = [
    "result_mod you at the Table", "result_mod charmed_opponent at the Table", "roll_count you at the Table",
    "roll_count charmed_opponent at the Table", "reroll_after_last invite", "reroll_after_last entertain",
    "reroll_after_last used", "icon_value", "ignore_arrows", "drink_value treat", "drink_value entertain", "gift_drink",
    "gift_drink receiver", "entertain_twice", "second attempt", "charm_cost", "bar_bonus", "arrival_gain",
    "arrival_discard", "arrival_hitler", "arrival_clear_stack", "arrival_reseat", "score", "charm", "owner kept it",
    "fail on purpose", "treat", "left end", "took nothing", "Wine for Water", "arrival choices", "Hitler passed on",
    "reseated",
]  # fmt: skip
RARER = [
    "fail_without_drink", "arrival_discard took a Drink", "charm Hitler", "charm again", "four icons", "host Hitler",
    "arrival of a charmed guest", "stack cleared", "open card cleared", "Hitler leaves the game",
    "Hitler back to the Lobby", "Hitler stays", "a stack ran out", *(f"score {s}" for s in member_names(c.ScoreCondition)),
]  # fmt: skip


def many_envelopes(file: Path, at: Path) -> Path:
    """A copy of a components file with 30 Envelopes each: random players waste three in the first rounds."""
    text = re.sub(r"envelopes_per_player = \d+", "envelopes_per_player = 30", file.read_text())
    assert text.count("envelopes_per_player = 30") == 1
    at.write_text(text)
    return at


@pytest.fixture(scope="module", params=[pytest.param(8, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
def part(request: pytest.FixtureRequest) -> int:
    """Which part of the games is played: one in so many."""
    return int(request.param)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, part: int) -> Counter[str]:
    """The box as it is, and with many Envelopes."""
    file = many_envelopes(game_of(4).components, tmp_path_factory.mktemp("box") / "many.toml")
    return counted(4, None, 700 // part) + counted(3, file, 1200 // part)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, part: int) -> Counter[str]:
    """The small deck as it is, and with many Envelopes."""
    file = many_envelopes(SMALL, tmp_path_factory.mktemp("box") / "many.toml")
    return counted(3, SMALL, 1500 // part) + counted(3, file, 6000 // part)


@pytest.mark.parametrize("event", SHIPPED)
def test_hundreds_of_times_at_least(shipped: Counter[str], event: str, part: int) -> None:
    assert shipped[event] >= 800 / part


@pytest.mark.parametrize("event", RARER)
def test_often(shipped: Counter[str], event: str, part: int) -> None:
    assert shipped[event] >= 30 / part


@pytest.mark.parametrize("kind", member_names(c.Kind)[1:])
def test_every_ability_kind_thousands_of_times(
    shipped: Counter[str], small: Counter[str], kind: str, part: int
) -> None:
    assert sum(count for event, count in (shipped + small).items() if event.startswith(kind)) >= 2000 / part


@pytest.mark.parametrize("kind", member_names(c.Kind)[1:])
def test_every_ability_kind_of_the_small_deck(small: Counter[str], kind: str, part: int) -> None:
    assert sum(count for event, count in small.items() if event.startswith(kind)) >= 800 / part


def test_rare_ends(small: Counter[str], part: int) -> None:
    assert small["shared win"] >= 3
    assert small["ignore_arrows all"] >= 1000 / part
    assert counted(2, None, 300 // part)["cut off after the last round"] >= 10 / part
