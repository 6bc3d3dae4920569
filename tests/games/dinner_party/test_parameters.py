"""Every value of every parameter of an ability, the first and the last included, on one guest of the small deck.

A6 is given the ability. What follows for all guests and seats is worked out by `recount.py` and `view.py`.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from banquet_envs.games.dinner_party.state import Action, Phase

from .positions import LEFT, RIGHT, WATER, WINE, Position, sound
from .view import OCCUPATIONS, check_view

SMALL = Path(__file__).with_name("small_deck.toml")
A6 = 'id = "a6"\nname = "A6"\nback = "A"\ndemand = 9\narrows = "green"\noccupations = ["Art"]\n'


def mod(roll: str = "any", who: str = "you", target: str = "all", **more: Any) -> dict[str, Any]:
    return {"kind": "result_mod", "roll": roll, "who": who, "target": target, "amount": 2, **more}


ABILITIES: list[dict[str, Any]] = [
    *(mod(roll, "you", target) for roll, target in product(("invite", "entertain", "any"), ("self", "others", "neighbours", "all"))),
    *(mod(roll, "charmed_opponent", target) for roll, target in product(("entertain", "any"), ("others", "all"))),
    *(mod(occupation=occupation) for occupation in OCCUPATIONS),
    *(mod(min_demand=least) for least in (5, 6)),
    *(mod(source=source) for source in ("lobby", "table")),
    *(mod(target=target, condition=condition)
      for target, condition in product(("self", "all"), ("another_player_has_more_guests", "stash_empty"))),
    mod("entertain", "charmed_opponent", "all", condition="stash_empty"),
    mod(target="neighbours", per="guest_at_table"),
    mod("entertain", "charmed_opponent", "others", amount=-20, per="guest_at_table"),
    *({"kind": "roll_count", "roll": roll, "who": "you", "delta": delta}
      for roll, delta in product(("invite", "entertain", "any"), (-1, 2))),
    *({"kind": "roll_count", "roll": roll, "who": "charmed_opponent", "delta": -1} for roll in ("entertain", "any")),
    *({"kind": "icon_value", "value": value} for value in (-2, 1)),
    *({"kind": "ignore_arrows", "target": target} for target in ("self", "all")),
    *({"kind": "drink_value", "drink": drink, "bonus": bonus} for drink, bonus in product(("water", "wine"), (-1, 3))),
    {"kind": "bar_bonus", "icons": 1, "condition": "invite_failed"},
    {"kind": "bar_bonus", "icons": 1, "condition": "always"},
    *({"kind": "score", "points": 3, "condition": condition}
      for condition in ("always", "all_occupations", "most_guests", "at_end", "has_drink")),
    *({"kind": "score", "points": -3, "condition": "neighbour_occupation", "occupation": o} for o in OCCUPATIONS),
]  # fmt: skip


def toml(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def deck_with(folder: Path, *changes: tuple[str, str]) -> Path:
    """The small deck with other lines."""
    text = SMALL.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = folder / "deck.toml"
    file.write_text(text)
    return file


def check_roll(p: Position, kind: str, roller: int, charmer: int) -> None:
    """In the first roll: how many rolls are left, and all that every seat sees."""
    if p.r.phase == Phase.ROLL and p.r.entertaining == (kind == "entertain"):
        assert p.r.player == roller
        tables = [[int(g) for g in p.r.table[s, : p.r.seated[s]]] for s in range(3)]
        assert p.r.rolls_left == p.box.rolls(tables, kind, roller, charmer) - 1
    check_view(p.game, p.box, p.states)


@pytest.mark.parametrize("ability", ABILITIES, ids=lambda a: "-".join(str(v) for v in a.values()))
def test_every_value_of_every_parameter(ability: dict[str, Any], tmp_path: Path) -> None:
    words = ", ".join(f"{name} = {toml(value)}" for name, value in ability.items())
    deck = deck_with(tmp_path, (A6, f"{A6}ability = {{ {words} }}\n"))
    tables = [["s3", "a6", "p2"], ["p4", "a3", "hitler"], ["r5"]]
    more: dict[str, Any] = {"components": deck, "drinks": {"a6": WATER, "a3": WINE}, "stash": {0: (1, 0), 1: (0, 1)}}
    p = sound(tables, ["e1"], **more)
    check_view(p.game, p.box, p.states)
    for guest, owner in (("a3", 1), ("r5", 2)):  # their owners roll against A6's host
        p = sound(tables, ["e1"], **more)
        check_roll(p.do(p.charm(guest)), "entertain", owner, 0)
    p = sound(tables, ["e1"], **{**more, "stash": {}})  # inviting with A6 at the Table, and what the Bar then pays
    check_roll(p.do(p.invite("e1")), "invite", 0, -1)
    if p.r.phase == Phase.ROLL:  # there is more than one roll
        p.stop_with(0, 1, 0)
    check_view(p.game, p.box, p.states)
    for guest in ("a6", "p2"):  # his host rolls for him, and for his neighbour
        p = sound(tables, ["e1"], active=1, turns=1, **more)
        check_roll(p.do(p.charm(guest)), "entertain", 0, 1)
    p = sound([["s3", "r1"], ["p4"], ["r5"]], ["a6"], components=deck)  # he himself is invited
    check_roll(p.do(p.invite("a6")), "invite", 0, -1)


@pytest.mark.parametrize("roll", ["invite", "entertain", "any"])
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_every_reroll_after_the_last_roll(roll: str, dice: int, tmp_path: Path) -> None:
    deck = deck_with(
        tmp_path, (A6, f'{A6}ability = {{ kind = "reroll_after_last", roll = "{roll}", dice = {dice} }}\n')
    )
    keeps = {keep for keep in range(8) if 3 - keep.bit_count() <= dice}
    p = sound([["s3", "a6", "p2"], ["s1"], []], ["p5"], components=deck, stash={0: (0, 0)}).invites("p5", 1, 3, 5)
    assert (p.r.phase == Phase.REROLL) == (roll != "entertain")
    if roll != "entertain":
        assert p.legal() == keeps
        check_view(p.game, p.box, p.states)
    p = sound([["s1"], ["s3", "a6", "p2"], []], ["p5"], components=deck)
    p.do(p.charm("a6")).stop_with(1, 3, 5)
    assert (p.r.phase == Phase.REROLL) == (roll != "invite")
    if roll != "invite":
        assert (p.r.player, p.r.window) == (1, 1)
        assert p.legal() == keeps


def test_two_rerolls_after_the_last_roll_come_in_turn(tmp_path: Path) -> None:
    """A6's of one die, then A2's of two, from left to right; each may be used or not."""
    deck = deck_with(tmp_path, (A6, f'{A6}ability = {{ kind = "reroll_after_last", roll = "any", dice = 1 }}\n'))
    p = sound([["s3", "a6", "a2"], [], []], ["p5"], components=deck).invites("p5", 1, 3, 5)
    assert (p.r.phase, p.r.window) == (Phase.REROLL, 1)
    assert p.legal() == {0b111, 0b110, 0b101, 0b011}
    p.do(0b111)
    assert (p.r.phase, p.r.window) == (Phase.REROLL, 2)
    assert p.legal() == set(range(1, 8))
    p.do(0b111)
    assert p.r.phase != Phase.REROLL


@pytest.mark.parametrize(
    ("need", "asked"), [(6, False), (7, True), (12, True), (13, False)]
)  # three dice of 2, 3 and 4, and not an icon among the faces: they show 6 to 12
def test_dice_without_an_icon_matter_where_they_can(need: int, asked: bool, tmp_path: Path) -> None:
    faces = ('faces = ["1", "3", "5", "drink"]', 'faces = ["2", "3", "4"]')
    deck = deck_with(tmp_path, faces, (A6, A6.replace("demand = 9", f"demand = {need}")))
    p = sound([["s3"], ["a6"]], ["p5"], components=deck)
    p.do(p.charm("a6"))
    assert (p.r.phase == Phase.ROLL and p.r.player == 1) == asked


def test_icons_that_count_less_than_nothing(tmp_path: Path) -> None:
    """With icons at -2 three dice show -6 to 15: all that lies between must be asked."""
    for need, asked in ((-6, False), (-5, True), (15, True), (16, False)):
        ability = f'{A6.replace("demand = 9", f"demand = {need}")}ability = {{ kind = "icon_value", value = -2 }}\n'
        deck = deck_with(tmp_path, (A6, ability))
        (tmp_path / f"{need}.toml").write_text(deck.read_text())
        p = sound([["s3"], ["a6"]], ["p5"], components=tmp_path / f"{need}.toml")
        p.do(p.charm("a6"))
        assert (p.r.phase == Phase.ROLL and p.r.player == 1) == asked


def test_more_icons_than_a_long_bar_knows_and_fewer_than_none(tmp_path: Path) -> None:
    lines = "icons_3 = [[2, 1], [0, 2], [4, 0]]"
    bonus = f'{A6}ability = {{ kind = "bar_bonus", icons = 9, condition = "always" }}\n'
    deck = deck_with(
        tmp_path, (lines, f"{lines}\nicons_4 = [[7, 0]]\nicons_5 = [[8, 0]]\nicons_6 = [[9, 0]]"), (A6, bonus)
    )
    p = sound([["a6"], []], ["p5"], components=deck, stash={0: (0, 0)}).invites("p5", 0, 0, 1).do(Action.TAKE + 1)
    assert p.stash(0) == (9, 0)


def test_spots_of_the_small_deck_follow_its_own_arrow_bonus() -> None:
    p = sound([["a2", "s1"], []], ["p5"], components=SMALL)
    assert p.do(p.invite("p5")).needs() == (6, 7)
    assert (LEFT, RIGHT) == (0, 1)
