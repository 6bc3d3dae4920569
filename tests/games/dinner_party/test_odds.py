"""The table of chances in the game's notes, and an exhaustive check on a tiny case."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from banquet_envs.games.dinner_party.odds import DiceOdds, reach_table

BASE = [1, 2, 3, 4, 0, 0]
NOTES = {  # rows of the reference table: dice, rolls -> per cent for totals 5 to 14
    (tuple(BASE), 1): [56, 42, 29, 18, 9, 5, 2, 0.5, 0, 0],
    (tuple(BASE), 2): [86, 75, 61, 45, 30, 18, 9, 3, 0, 0],
    (tuple(BASE), 3): [96, 90, 81, 67, 52, 35, 19, 7.5, 0, 0],
    (tuple(BASE), 4): [99, 96, 91, 82, 68, 51, 31, 14, 0, 0],
    ((1, 2, 2, 3, 5, 0), 3): [99, 97, 92, 83, 70, 58, 41, 30, 19, 7.5],
    ((2, 3, 4, 5, 0, 0), 3): [99, 98, 96, 92, 86, 77, 65, 52, 35, 19],
    ((1, 2, 3, 4, 5, 0), 3): [100, 99, 98, 95, 89, 79, 67, 52, 35, 19],
}


@pytest.mark.parametrize(("dice", "rolls"), list(NOTES))
def test_chances_of_the_reference_table(dice: tuple[int, ...], rolls: int) -> None:
    odds = DiceOdds(dice)
    found = [100 * odds.reach(need, rolls) for need in range(5, 15)]
    assert np.allclose(found, NOTES[dice, rolls], atol=0.6), [round(x, 1) for x in found]


def test_one_roll_by_counting() -> None:
    for need in range(13):
        count = sum(sum(dice) >= need for dice in product(BASE, repeat=3))
        assert DiceOdds(BASE).reach(need, 1) == pytest.approx(count / 216)


def test_two_rolls_by_trying_every_choice_for_every_throw() -> None:
    need = 8
    total = 0.0
    for dice in product(BASE, repeat=3):
        total += max(
            np.mean([
                sum(d if keep >> k & 1 else new[k] for k, d in enumerate(dice)) >= need
                for new in product(BASE, repeat=3)
            ])
            for keep in range(8)
        )  # fmt: skip
    assert DiceOdds(BASE).reach(need, 2) == pytest.approx(total / 216)


def test_a_reroll_of_one_die_lies_between_no_and_a_whole_roll() -> None:
    odds = DiceOdds(BASE)
    for need in range(5, 13):
        assert odds.reach(need, 3) < odds.reach(need, 3, windows=1) < odds.reach(need, 4)


def test_icons_that_count_help() -> None:
    odds = DiceOdds(BASE)
    assert odds.reach(3, 1, icon_worth=1) == pytest.approx(1.0)
    assert odds.reach(8, 3, icon_worth=1) > odds.reach(8, 3)


def test_the_table_holds_the_same_numbers() -> None:
    odds = DiceOdds([1, 2, 2, 3, 5, 0])
    table = reach_table(odds)
    for worth, windows, rolls, need in [(0, 0, 3, 9), (1, 0, 2, 7), (2, 1, 4, 12), (3, 1, 1, 5), (0, 0, 6, 15)]:
        assert table[worth, windows, rolls - 1, need] == pytest.approx(odds.reach(need, rolls, worth, windows))
