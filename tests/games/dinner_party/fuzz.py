"""Damaged records against the rules in plain Python: what passes the check must never index outside an array.

`python -m tests.games.dinner_party.fuzz RECORDS SEED [CONFIGURATION ...]`, with NUMBA_DISABLE_JIT=1. A negative index, which plain Python and
compiled code both take in silence, counts as outside.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.game import Game
from banquet_envs.core.soundness import faults
from banquet_envs.core.state import copy, raw
from banquet_envs.testing.play import random_actions
from tests.games.watched import Record, Strict

from .positions import game_of

SMALL = Path(__file__).with_name("small_deck.toml")
GAMES: list[tuple[int, Path | None, dict[str, Any]]] = [
    (2, None, {}),
    (3, None, {"first_charm": "start_player_waits", "dice": "few_drinks"}),
    (4, None, {"charm_hitler": False, "hitler_in_ties": False, "dice": "easy"}),
    (6, None, {}),
    (3, SMALL, {}),
]


class Fuzz:
    """Positions of random games of one configuration, and damage to them.

    Args:
        game: plain Python.
        rng: what is damaged, and how play goes on.
    """

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self.game, self.rng, self.rules = game, rng, game.rules[0]
        self.seen_rules = Record(self.rules)
        n = game.num_players
        facts = game.facts
        self.ranges = {
            **game.spec.bounds(self.rules),
            "player": (0, n - 1),
            "over": (0, 1),
            "capped": (0, 1),
            "points": (facts.points_min, facts.points_max),
            "place": (-1, n - 1),
        }

    def positions(self, games: int, every: int) -> list[Any]:
        """Records of random games, one in `every` of those with a decision, and the ends."""
        found = []
        states = self.game.reset(games, int(self.rng.integers(2**31)))
        while not states.over.all():
            live = np.flatnonzero(~states.over)
            part = states[live].copy().view(np.recarray)
            found += [copy(part[k : k + 1]) for k in range(len(live)) if self.rng.integers(every) == 0]
            actions = random_actions(self.game.legal_actions(part), self.rng)
            self.game.step(part, actions)
            states[live] = part
        return found + [copy(states[k : k + 1]) for k in range(games)]

    # ------------------------------------------------------------ damage

    def damaged(self, states: Any) -> Any:
        """A copy with one to five fields changed at random, or a step of play faked."""
        states = copy(states)
        how = self.rng.integers(6)
        if how == 0:
            self.swap_guests(states[0])
        elif how == 1:
            self.move_guest(states[0])
        elif how == 2:
            self.change(states[0], ["phase", "target", "invited", "failed", "entertaining", "player", "active"], 1.0)
        elif how == 3:
            names = ["phase", "window", "moves", "treat", "gift", "attempts", "rolls_left", "ending", "turns"]
            self.change(states[0], names, 0.4)
        else:
            self.change(
                states[0], list(self.rng.choice(list(self.ranges), self.rng.integers(1, 6), replace=False)), 1.0
            )
        return states

    def change(self, r: Any, names: list[str], share: float) -> None:
        """Set an element of each of these fields, with probability `share`, to anything within its bounds."""
        for name in names:
            if self.rng.random() >= share:
                continue
            value = np.atleast_1d(r[name])
            low, high = (np.broadcast_to(x, value.shape).ravel() for x in self.ranges[name])
            k = int(self.rng.integers(value.size))
            new = int(self.rng.integers(low[k], high[k] + 1))
            if r[name].shape:
                r[name].ravel()[k] = new  # a view: fields are contiguous
            else:
                r[name] = new

    def swap_guests(self, r: Any) -> None:
        """Two guests change places in everything."""
        a, b = (int(g) for g in self.rng.choice(int(self.rules.num_guests), 2, replace=False))
        for name in ("table", "hidden", "face_up"):
            places = r[name]
            at_a, at_b = places == a, places == b
            places[at_a], places[at_b] = b, a
        for name in ("where", "drink", "charmed"):
            r[name][[a, b]] = r[name][[b, a]]

    def move_guest(self, r: Any) -> None:
        """The last guest of one Table sits down at another."""
        a, b = (int(s) for s in self.rng.choice(self.game.num_players, 2, replace=False))
        if r.seated[a]:
            r.seated[a] -= 1
            guest = int(r.table[a, r.seated[a]])
            r.table[a, r.seated[a]] = -1
            r.table[b, r.seated[b]] = guest
            r.seated[b] += 1
            r.where[guest] = b

    def anything(self, states: Any) -> Any:
        """A copy with every field at random within its bounds."""
        states = copy(states)
        for name, (low, high) in self.ranges.items():
            shape = states[name].shape
            states[name] = self.rng.integers(np.broadcast_to(low, shape), np.broadcast_to(high, shape) + 1)
        return states

    # ------------------------------------------------------------ the check, and the rules

    def unsound(self, states: Any) -> str:
        """What a record has that no record may have, "" for nothing."""
        for name, (low, high) in self.ranges.items():
            if (states[name] < low).any() or (states[name] > high).any():
                return f"{name} out of range"
        if (self.game.spec.pieces(self.rules, states[0])["guests"] != 1).any():
            return "guests missing, or there twice"
        return self.game.spec.invariants(self.rules, states[0])

    def run_rules(self, states: Any, moves: int) -> None:
        """Everything that the rules do with a record, and some play from it on; raises on an index outside."""
        spec, n = self.game.spec, self.game.num_players
        for _ in range(moves):
            r = states[0]
            out = np.zeros(self.game.observation_size, np.float32).view(Strict)
            spec.observe(Record(r), self.seen_rules, int(self.rng.integers(n)), out)
            spec.describe(self.rules, r, None)
            spec.draw(self.rules, r, int(self.rng.integers(n)))
            spec.determinize(Record(copy(states)[0]), self.seen_rules, int(self.rng.integers(n)))
            if r.over:
                return
            mask = np.zeros(self.game.num_actions, bool).view(Strict)
            spec.legal_actions(Record(r), self.seen_rules, mask)
            legal = np.flatnonzero(np.asarray(mask))
            if not len(legal):
                return  # far from play: nobody can go on, and nothing is harmed
            action = int(self.rng.choice(legal))
            spec.action_text(self.rules, r, action)
            spec.apply(Record(r), self.seen_rules, action)
            wrong = self.unsound(states)
            assert not wrong, f"a record that passed became one that does not: {wrong}"


def fuzz(records: int, seed: int, games: Any = GAMES) -> dict[str, int]:
    """Damage `records` records of every configuration; counts of those that pass the core's check and those refused."""
    counts = {"passed": 0, "refused": 0}
    for players, components, options in games:
        run = Fuzz(game_of(players, components, **options), np.random.default_rng([seed, players]))
        sound = run.positions(games=1, every=6)
        run.run_rules(copy(sound[-1]), 1)
        tried = []
        for k in range(records):
            before = sound[int(run.rng.integers(len(sound)))]
            tried.append(run.anything(before) if k % 10 == 9 else run.damaged(before))
        found = faults(
            run.game, np.concatenate([raw(one) for one in tried]).view(run.game.spec.state).view(np.recarray)
        )
        for k in set(range(records)) - set(found):
            run.run_rules(tried[k], 3)
        counts["passed"] += records - len(found)
        counts["refused"] += len(found)
    return counts


if __name__ == "__main__":
    some = [GAMES[int(k)] for k in sys.argv[3:]] or GAMES
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        print(fuzz(int(sys.argv[1]), int(sys.argv[2]), some))
