"""The box: both boards, the menus, and what is refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from banquet_envs import make_game
from banquet_envs.core.errors import ComponentsError, OptionError
from banquet_envs.games.banquet_royal.components import CELLS, DIAMOND, DISHES, TOQUE
from banquet_envs.games.banquet_royal.display import space_name
from banquet_envs.games.banquet_royal.rules import SPEC
from tests.games.banquet_royal.helpers import Table


def degrees(rules: np.record) -> list[int]:
    return sorted(int(d) for d in rules.degree)


def test_hexagon_degrees_and_lines() -> None:
    """6 corners (3 neighbours, 3 lines), 12 edges (4, 4), middle ring 12 (6; 5 or 7), inner ring 6 (5, 7 lines)."""
    rules = make_game("banquet_royal").rules[0]
    assert rules.lines == 60
    kinds = [(int(rules.degree[x]), int(rules.lines_at[x]), int(rules.start[x])) for x in range(CELLS)]
    assert {k: kinds.count(k) for k in set(kinds)} == {
        (3, 3, 0): 6, (4, 4, 0): 12, (6, 5, 0): 6, (6, 7, 0): 6, (5, 7, 1): 6,
    }  # fmt: skip


def test_diamond_has_36_spaces_and_40_lines() -> None:
    rules = make_game("banquet_royal", components=DIAMOND).rules[0]
    assert rules.lines == 40
    assert rules.start.sum() == 4
    assert min(rules.lines_at) >= 1
    # inner four: 3 neighbours and the bouquet; six spaces beside one tip's row end have 2 or 3
    assert degrees(rules) == sorted([3] * 4 + [len_of(x, y) for x, y in diamond_spaces() if abs(x) + abs(y) > 1])


def diamond_spaces() -> list[tuple[int, int]]:
    cells = itertools.product(range(-4, 5), repeat=2)
    return [(x, y) for x, y in cells if 0 < abs(x) + abs(y) <= 4 and max(abs(x), abs(y)) < 4]


def len_of(x: int, y: int) -> int:
    return sum((x + a, y + b) in diamond_spaces() for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)))


def test_diamond_with_diagonal_lines_has_72(tmp_path: Path) -> None:
    file = tmp_path / "diagonal.toml"
    file.write_text(DIAMOND.read_text().replace("axes = [[1, 0], [0, 1]]", "axes = [[1, 0], [0, 1], [1, 1], [1, -1]]"))
    assert make_game("banquet_royal", components=file).rules[0].lines == 72


def test_a_menu_on_the_diamond() -> None:
    t = Table(components=DIAMOND)
    t.put("D1", "salad")
    t.put("D2", "fruit_salad")
    slot = t.deal(0, "salad fruit_salad pudding")
    assert t.can_place("D3")
    assert not t.can_place("C3")  # touches neither the bouquet nor a piece: only D3, D5, C4, E4 touch the bouquet
    t.act(t.place("D3", "pudding"))
    assert t.scorable() == [slot]


@pytest.mark.parametrize("components", [None, DIAMOND])
def test_every_space_is_named_once_and_neighbours_are_mutual(components: Path | None) -> None:
    rules = make_game("banquet_royal", components=components).rules[0]
    assert len({space_name(rules, x) for x in range(CELLS)}) == CELLS
    for x in range(CELLS):
        for y in rules.near[x, : rules.degree[x]]:
            assert x in rules.near[y, : rules.degree[y]]
    for line in rules.line[: rules.lines]:
        assert line[1] in rules.near[line[0], : rules.degree[line[0]]]
        assert line[2] in rules.near[line[1], : rules.degree[line[1]]]
    assert not rules.start[rules.order_space[:6]].any()


def test_menus_are_those_of_the_notes() -> None:
    """Twelve of each value, no two alike even from behind, dishes 9 / 9 / 6 times each, a toque on 3-point menus only."""
    rules = make_game("banquet_royal").rules[0]
    cards = [(int(rules.value[c]), tuple(int(k) for k in rules.symbol[c])) for c in range(rules.menus)]
    for value, times in ((1, 9), (2, 9), (3, 6)):
        faces = [items for v, items in cards if v == value]
        assert len(faces) == 12
        assert len({min(f, f[::-1]) for f in faces}) == 12
        assert all(sum(f.count(d) for f in faces) == times for d in range(DISHES))
        assert sum(f.count(TOQUE) for f in faces) == (12 if value == 3 else 0)
    assert all(len(set(items)) == 3 for v, items in cards if v == 1)
    assert all(len(set(items)) == 2 for v, items in cards if v == 2)


SHIPPED = SPEC.components.read_text()
BROKEN = [
    ('name = "A1", at = [0, -3]', 'name = "A2", at = [0, -3]', "name"),
    ('name = "A1", at = [0, -3]', 'name = "A1", at = [0, 0]', "at"),
    ('name = "A1", at = [0, -3]', 'name = "A1", at = [9, 9]', "connected"),
    ('    { name = "A1", at = [0, -3] },\n', "", "cells"),
    ("steps = [[1, 0], [0, 1], [1, -1]]", "steps = 3", "steps"),
    ("axes = [[1, 0], [0, 1], [1, -1]]", "axes = [[7, 0]]", "axes"),
    ('order_spaces = ["A1"', 'order_spaces = ["C3"', "order_spaces"),
    ('order_spaces = ["A1"', 'order_spaces = ["Z9"', "order_spaces"),
    ("kitchen_per_dish = 10", "kitchen_per_dish = 8", "kitchen_per_dish"),
    ('"burger", "burger",\n]', '"burger", "toque",\n]', "tokens"),
    ("points = 3, items", "points = 2, items", "cards"),
    ('items = ["fruit_salad", "salad", "pudding"]', 'items = ["fruit_salad", "salad"]', "items"),
    (
        "points_by_distinct_dishes = [0, 1, 3, 5, 8]",
        "points_by_distinct_dishes = [0, 1, 3]",
        "points_by_distinct_dishes",
    ),
    ("most_menus = [3, 2, 0]", 'most_menus = ["a"]', "most_menus"),
]


@pytest.mark.parametrize(("old", "new", "entry"), BROKEN, ids=[f"{e}-{k}" for k, (_, _, e) in enumerate(BROKEN)])
def test_a_broken_entry_is_named(tmp_path: Path, old: str, new: str, entry: str) -> None:
    assert old in SHIPPED
    file = tmp_path / "broken.toml"
    file.write_text(SHIPPED.replace(old, new))
    with pytest.raises(ComponentsError, match=entry):
        make_game("banquet_royal", components=file)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1}, {"players": 5}, {"etiquette": 7}, {"etiquette": True}, {"all_you_can_eat": True},
        {"recall": "always"}, {"gourmet": 1}, {"jokers": True},
    ],
)  # fmt: skip
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        make_game("banquet_royal", **options)  # type: ignore[arg-type]
