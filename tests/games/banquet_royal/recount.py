"""The game counted again from what lies where, by slow plain Python: points, and what a seat's view must say.

Neither reads anything that the rules have derived (`reach`, `free`, `slot_value`, `shown_by`); the board comes from the file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.games.banquet_royal.components import CELLS, DISHES, HAND, ITEM_NAMES, PIECES, TOQUE
from banquet_envs.games.banquet_royal.state import CLOSED, Phase, Seen


class Recount:
    """The box as the file gives it."""

    def __init__(self, file: Path, options: dict[str, Any], players: int) -> None:
        data = tomllib.loads(file.read_text())
        board = data["board"]
        places = {tuple(c["at"]): k for k, c in enumerate(board["cells"])}
        steps = [(s * a, s * b) for a, b in board["steps"] for s in (1, -1)]
        self.near = [[places[q + a, r + b] for a, b in steps if (q + a, r + b) in places] for q, r in places]
        middle = tuple(board["bouquet"])
        self.start = [middle in {(q + a, r + b) for a, b in steps} for q, r in places]
        self.lines = [
            [places[q + k * a, r + k * b] for k in range(3)]
            for a, b in board["axes"]
            for q, r in places
            if (q + a, r + b) in places and (q + 2 * a, r + 2 * b) in places
        ]
        cards = data["menus"]["cards"]
        self.menu_points = [c["points"] for c in cards]
        self.menu_items = [[ITEM_NAMES.index(i) for i in c["items"]] for c in cards]
        self.options, self.players = options, players

    def __call__(self, final: Any) -> list[tuple[int, int]]:
        """(points, collected orders) by seat at the end."""
        result = []
        for seat in range(self.players):
            orders = final["collected"][seat].tolist()
            points = sum(p for s, p in zip(final["seen"].tolist(), self.menu_points, strict=False) if s == 2 + seat)
            if self.options.get("all_you_can_eat", "off") != "replace":
                points += sum(orders)
            result.append((points + self.end_points(final, seat), sum(orders)))
        return result

    def end_points(self, state: Any, seat: int) -> int:
        """What the variants bring the seat for the position as it is."""
        points = 0
        if self.options.get("all_you_can_eat", "off") != "off":
            points += (0, 1, 3, 5, 8)[sum(n > 0 for n in state["collected"][seat].tolist())]
        if self.options.get("gourmet"):
            seen, board, owner = state["seen"].tolist(), state["board"].tolist(), state["owner"].tolist()
            for value, bonus in ((1, 3), (2, 2)):
                menus = [
                    sum(s == 2 + p and v == value for s, v in zip(seen, self.menu_points, strict=False))
                    for p in range(self.players)
                ]
                points += bonus * (menus[seat] == max(menus) > 0)
            for x in range(CELLS):
                if owner[x] == seat:
                    points += max([board[y] for y in self.near[x]].count(dish) for dish in range(DISHES))
        return points

    def may_put(self, state: Any, x: int) -> bool:
        """A piece may be put on the space, or the Royal Order there be announced."""
        touches = any(0 <= state["board"][y] <= TOQUE for y in self.near[x])
        if state["order"][x] >= 0:
            return touches
        return bool(state["board"][x] < 0 and (touches or self.start[x]))

    def gain(self, state: Any, seat: int, x: int, piece: int) -> int:
        """Points of the dearest card of the seat that the piece on the space completes; 0 where it may not be put."""
        if not self.may_put(state, x) or (piece == TOQUE and state["order"][x] >= 0):
            return 0
        best = 0
        for line in self.lines:
            row = [piece if y == x else int(state["board"][y]) for y in line]
            if x in line and all(0 <= k <= TOQUE for k in row):
                for card in state["hand"][seat].tolist():
                    if card >= 0 and self.shows(row, card):
                        best = max(best, self.menu_points[card])
        return best

    def shows(self, row: list[int], card: int) -> bool:
        """Whether three pieces in a row are this menu, read from either end."""
        joker = self.options.get("toque") == "joker"
        return any(
            all(k == item or (joker and k == TOQUE) for k, item in zip(order, self.menu_items[card], strict=True))
            for order in (row, row[::-1])
        )

    # ------------------------------------------------------------ what a seat sees

    def view(self, state: Any, seat: int) -> dict[str, np.ndarray]:
        """The slices of the seat's observation, unscaled numbers divided as the layout says."""
        n = self.players
        turn = [(seat + k) % n for k in range(n)]
        over, mover, phase = bool(state["over"]), int(state["player"]), int(state["phase"])
        values = [[self.values_held(state, p).count(v) for v in (1, 2, 3)] for p in turn]
        seen = state["seen"].tolist()
        count = len(self.menu_points)
        of_value = [[c for c in range(count) if self.menu_points[c] == v] for v in (1, 2, 3)]
        lost_value = [0, 0, 0]
        if phase == Phase.DRAW and not over:
            lost_value[int(state["slot_value"][mover][state["hand"][mover].tolist().index(-1)])] = 1
        return {
            "phase": one_hot(7, -1 if over else phase),
            "seat_to_move": one_hot(n, -1 if over else turn.index(mover)),
            "first_seat": one_hot(n, turn.index(int(state["first"]))),
            "free": np.array([(state["board"] == -1).sum() / CELLS]),
            "points": state["points"][turn] / 25,
            "end_points": np.array([0 if over else self.end_points(state, p) for p in turn]) / 10,
            "space": np.array([self.space(state, turn, x) for x in range(CELLS)]),
            "placed": one_hot(CELLS, int(state["placed"])),
            "gain": np.array([[self.gain(state, seat, x, k) for k in range(PIECES)] for x in range(CELLS)]) / 3,
            "hand": np.array([self.card(int(c)) for c in state["hand"][seat]]),
            "hand_values": np.array(values) / 3,
            "draw_value": np.array(lost_value),
            "kitchen": state["kitchen"] / 10,
            "toques": np.array([self.toques_left(state, p) for p in turn]) / 2,
            "collected": state["collected"][turn] / 2,
            "lost": state["lost"] / 2,
            "unrevealed": (2 - state["lost"] - state["collected"].sum(axis=0)) / 2,
            "deck": np.array([(row >= 0).sum() for row in state["deck"]]) / 12,
            "pile": np.array([sum(seen[c] == Seen.ON_PILE for c in cards) for cards in of_value]) / 12,
            "validated": np.array([[sum(seen[c] == Seen.VALIDATED + p for c in cards) for cards in of_value] for p in turn]) / 6,
            "menu": np.array([self.where(state, turn, c) for c in range(count)]),
            "ruled_out": np.array([[self.slots_without(state, p, c) for c in range(count)] for p in turn]) / 8,
            "switches": np.array(self.switches()),
        }  # fmt: skip

    def values_held(self, state: Any, seat: int) -> list[int]:
        return [self.menu_points[c] for c in state["hand"][seat].tolist() if c >= 0]

    def toques_left(self, state: Any, seat: int) -> int:
        return 2 - int((state["owner"] == seat).sum())

    def card(self, card: int) -> list[float]:
        """One slot of the own hand."""
        if card < 0:
            return [0.0] * 18
        items = [float(item == k) for item in self.menu_items[card] for k in range(PIECES)]
        return [*(float(self.menu_points[card] == v) for v in (1, 2, 3)), *items]

    def space(self, state: Any, turn: list[int], x: int) -> list[float]:
        """One space of the board."""
        board, order = int(state["board"][x]), int(state["order"][x])
        shown = self.options.get("recall") == "perfect" or state["phase"] == Phase.MEMORISE
        dish = (order if shown and state["phase"] != Phase.COVER else -1) if order >= 0 else board
        owner = (turn.index(int(state["owner"][x])) + 1) / self.players if board == TOQUE else 0.0
        mark = 1.0 if order >= 0 else -1.0 if board == CLOSED else 0.0
        dishes = [float(dish == k) for k in range(DISHES)]
        return [*dishes, float(order < 0 and board == TOQUE), owner, mark, float(self.may_put(state, x))]

    def where(self, state: Any, turn: list[int], card: int) -> float:
        """The place of a menu."""
        seen = int(state["seen"][card])
        if seen == Seen.HIDDEN:
            deck = [int(c) for c in state["deck"][self.menu_points[card] - 1] if c >= 0]
            return 0.0 if deck and state["epoch"][deck[0]] == state["epoch"][card] else 0.5
        return 1.0 if seen == Seen.ON_PILE else -(turn.index(seen - Seen.VALIDATED) + 1) / self.players

    def slots_without(self, state: Any, seat: int, card: int) -> int:
        """The slots of the seat that everybody knows not to hold the hidden menu, as a sum of 1, 2, 4."""
        if state["seen"][card] != Seen.HIDDEN:
            return 0
        slots = 0
        for s in range(HAND):
            held = int(state["hand"][seat][s])
            if held >= 0 and self.menu_points[held] == self.menu_points[card]:
                other = state["epoch"][held] != state["epoch"][card]
                slots += 2**s * bool(other or int(state["ruled_out"][seat][s]) >> card & 1)
        return slots

    def switches(self) -> list[float]:
        """The options."""
        o = self.options
        eat = o.get("all_you_can_eat", "off")
        on = (
            o.get("gourmet", False), o.get("etiquette", 0) > 0, eat == "add", eat == "replace", o.get("hells_kitchen", False),
            o.get("toque") == "joker", o.get("scoring") == "forced", o.get("exhausted_order") == "closed",
            o.get("recall") == "perfect",
        )  # fmt: skip
        return [float(k) for k in on]


def one_hot(n: int, k: int) -> np.ndarray:
    """All zero for -1."""
    return (np.arange(n) == k).astype(float)
