"""The odds of three dice with optimal rerolls, exact by dynamic programming; worked out once per dice set.

All three dice are alike, so what lies on the table is a multiset of three faces, and what is kept a multiset of up to
three. `DiceOdds` lists both and holds, for every kept multiset, the distribution of what lies there after rolling the
others. The value of a position with rolls left is the best, over what may be kept, of the mean value after the roll.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np

DICE = 3


class DiceOdds:
    """Positions of three equal dice and their chances.

    Args:
        faces: the faces of one die, 0 for a Drink icon.

    Attributes:
        values: the different faces, ascending.
        positions: every multiset of three values, as ascending tuples.
        keeps: every multiset of up to three values; the empty one comes first.
        chances: float64 (keeps, positions), what lies there after rolling the dice that are not kept.
    """

    def __init__(self, faces: Sequence[int]) -> None:
        self.values = sorted(set(faces))
        weight = {v: list(faces).count(v) / len(faces) for v in self.values}
        self.positions = list(combinations_with_replacement(self.values, DICE))
        self.keeps = [k for n in range(DICE + 1) for k in combinations_with_replacement(self.values, n)]
        index = {p: i for i, p in enumerate(self.positions)}
        self.keep_index = {k: i for i, k in enumerate(self.keeps)}
        self.chances = np.zeros((len(self.keeps), len(self.positions)))
        for kept, k in self.keep_index.items():
            outcomes: dict[tuple[int, ...], float] = {(): 1.0}
            for _ in range(DICE - len(kept)):
                following: dict[tuple[int, ...], float] = {}
                for rolled, chance in outcomes.items():
                    for value in self.values:
                        key = tuple(sorted((*rolled, value)))
                        following[key] = following.get(key, 0.0) + chance * weight[value]
                outcomes = following
            for rolled, chance in outcomes.items():
                self.chances[k, index[tuple(sorted(kept + rolled))]] += chance
        self.choices = [
            sorted({self.keep_index[c] for n in range(DICE + 1) for c in combinations(p, n)}) for p in self.positions
        ]

    def reroll(self, after: np.ndarray, most: int = DICE) -> np.ndarray:
        """The value of every position before a reroll of up to `most` dice, from the values after it."""
        mean = self.chances @ after
        return np.array([
            max(mean[k] for k in ks if DICE - len(self.keeps[k]) <= most) for ks in self.choices
        ])  # fmt: skip

    def first_roll(self, after: np.ndarray) -> float:
        """The value before the first roll of all dice."""
        return float(self.chances[0] @ after)

    def totals(self, icon_worth: int = 0) -> np.ndarray:
        """What every position counts."""
        return np.array([sum(v if v else icon_worth for v in p) for p in self.positions])

    def reach(self, need: int, rolls: int, icon_worth: int = 0, windows: int = 0) -> float:
        """The chance of showing at least `need`.

        Args:
            need: what the dice must show.
            rolls: how often the dice may be rolled, the first time included.
            icon_worth: what a Drink icon counts.
            windows: rerolls of one die after the last roll.
        """
        value = (self.totals(icon_worth) >= need).astype(float)
        for _ in range(windows):
            value = self.reroll(value, 1)
        for _ in range(rolls - 1):
            value = self.reroll(value)
        return self.first_roll(value)


MOST_ROLLS, MOST_ICON_WORTH, MOST_TOTAL, WINDOWS = 6, 3, 31, 2


def reach_table(odds: DiceOdds) -> np.ndarray:
    """Chances of reaching a total: float64 (icon worth 0-3, windows 0-1, rolls 1-6, need 0-30)."""
    table = np.zeros((MOST_ICON_WORTH + 1, WINDOWS, MOST_ROLLS, MOST_TOTAL))
    for worth in range(MOST_ICON_WORTH + 1):
        totals = odds.totals(worth)
        for windows in range(WINDOWS):
            for need in range(MOST_TOTAL):
                value = (totals >= need).astype(float)
                if windows:
                    value = odds.reroll(value, 1)
                for rolls in range(MOST_ROLLS):
                    table[worth, windows, rolls, need] = odds.first_roll(value)
                    value = odds.reroll(value)
    return table
