"""Points, needs and rolls worked out again, slowly, from the component file and the position alone."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

WORTH = {1: "water_value", 2: "wine_value"}
SORT = {1: "water", 2: "wine"}


class Box:
    """A components file as plain dictionaries; guest 0 is Hitler."""

    def __init__(self, file: Path, players: int) -> None:
        with open(file, "rb") as f:
            self.data = tomllib.load(f)
        self.rules = self.data["rules"]
        hitler = dict(self.data["hitler"])
        hitler["demand"] = next(s["demand"] for s in hitler["sides"] if players in s["players"])
        self.guests: list[dict[str, Any]] = [hitler, *self.data["guests"]]
        self.players = players

    def ability(self, guest: int) -> dict[str, Any]:
        return self.guests[guest].get("ability", {"kind": "none"})

    # ------------------------------------------------------------ scoring

    def points(self, tables: list[list[int]], drinks: Any, seat: int) -> int:
        table = tables[seat]
        occupations = {o for g in table for o in self.guests[g]["occupations"]}
        total = self.rules["occupation_points"][len(occupations)]
        total += self.rules["points_per_guest"] * sum(g != 0 for g in table)
        total += sum(self.guests[0]["points"] for g in table if g == 0)
        for k, guest in enumerate(table):
            ability = self.ability(guest)
            if ability["kind"] == "score":
                total += ability["points"] * self.pays(ability, tables, drinks, seat, k, occupations)
        return total

    def pays(self, ability: dict, tables: list[list[int]], drinks: Any, seat: int, k: int, occupations: set) -> bool:
        table = tables[seat]
        beside = table[max(k - 1, 0) : k] + table[k + 1 : k + 2]
        return {
            "always": True,
            "all_occupations": len(occupations) == 5,
            "neighbour_occupation": any(ability.get("occupation") in self.guests[g]["occupations"] for g in beside),
            "most_guests": all(len(set(t) - {0}) <= len(set(table) - {0}) for t in tables),
            "at_end": k in (0, len(table) - 1),
            "has_drink": drinks[table[k]] > 0,
        }[ability["condition"]]

    def demand(self, table: list[int], hitler: bool) -> int:
        return sum(self.guests[g]["demand"] for g in table if g or hitler)

    # ------------------------------------------------------------ rolls

    def drink_worth(self, table: list[int], sort: int) -> int:
        if sort == 0:
            return 0
        extra = [self.ability(g)["bonus"] for g in table if self.ability(g).get("drink") == SORT[sort]]
        return self.rules[WORTH[sort]] + sum(extra)

    def mods(self, tables: list[list[int]], stash: Any, roll: str, seat: int, guest: int, end: int | None, charmer: int,
             at_table: bool, drinks: Any) -> dict[str, int]:  # fmt: skip
        """What changes a roll for `guest`, by where it comes from; `end` None when it is entertained."""
        table = tables[seat]
        found = {"result_mod": 0, "arrows": 0, "drink": 0, "charmer": 0}
        if end is None:
            k = table.index(guest)
            beside = table[max(k - 1, 0) : k] + table[k + 1 : k + 2]
            found["drink"] = self.drink_worth(table, drinks[guest])
        else:
            beside = [table[0 if end == 0 else -1]] if table else []
        ignored = self.ability(guest) == {"kind": "ignore_arrows", "target": "self"} or any(
            self.ability(g) == {"kind": "ignore_arrows", "target": "all"} for g in table
        )
        if not ignored:
            step = {"green": 1, "none": 0, "red": -1}
            found["arrows"] = sum(self.rules["arrow_bonus"] * step[self.guests[g]["arrows"]] for g in beside)
        own = table if end is None else [*table, guest]
        for owner, members in ((seat, own), (charmer, tables[charmer] if charmer >= 0 else [])):
            for other in members:
                ability = self.ability(other)
                if ability["kind"] != "result_mod" or ability["roll"] not in (roll, "any"):
                    continue
                if (ability["who"] == "you") != (owner == seat):
                    continue
                invited_itself = end is not None and other == guest
                fits = {
                    "self": other == guest,
                    "others": other != guest,
                    "neighbours": other in beside,
                    "all": not invited_itself,
                }[ability["target"]]
                if fits and self.holds(ability, tables, stash, owner, guest, at_table):
                    times = len(tables[owner]) if ability.get("per") else 1
                    found["result_mod" if owner == seat else "charmer"] += ability["amount"] * times
        return found

    def holds(self, ability: dict, tables: list[list[int]], stash: Any, owner: int, guest: int, at_table: bool) -> bool:
        if "occupation" in ability and ability["occupation"] not in self.guests[guest]["occupations"]:
            return False
        if self.guests[guest]["demand"] < ability.get("min_demand", -99):
            return False
        if "source" in ability and (ability["source"] == "table") != at_table:
            return False
        if ability.get("condition") == "stash_empty":
            return not any(stash[owner])
        if ability.get("condition") == "another_player_has_more_guests":
            return any(len(t) > len(tables[owner]) for t in tables)
        return True

    def rolls(self, tables: list[list[int]], roll: str, seat: int, charmer: int) -> int:
        total = self.rules["base_rolls"]
        for who, owner in (("you", seat), ("charmed_opponent", charmer)):
            for g in tables[owner] if owner >= 0 else []:
                ability = self.ability(g)
                if ability["kind"] == "roll_count" and ability["roll"] in (roll, "any") and ability["who"] == who:
                    total += ability["delta"]
        return max(total, self.rules["min_rolls"])


def tables_of(record: Any, players: int) -> list[list[int]]:
    """The Tables of a record as lists of guest numbers."""
    return [[int(g) for g in record.table[s, : record.seated[s]]] for s in range(players)]
