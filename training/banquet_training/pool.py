"""Who the learner plays against: scripted agents, its newest copy, and frozen earlier copies, with stated odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from banquet_agents.policy import Network, PolicyAgent
from banquet_agents.registry import agent_names, make_agent
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.table import Player, Table

NEWEST = "newest"
LEARNER_SLOT = 0
"""The newest copy's slot; for a learner all of whose seats learn (selfplay_ppo.py), its own."""
FROZEN = "frozen"
GENERIC = ("random", "greedy", "expert")


@dataclass
class Seatholder:
    """An opponent in the pool: a name for the statistics, and who plays."""

    name: str
    agent: Player


class OpponentPool:
    """Opponents in numbered slots; games remember slots.

    Slot 0 holds the newest copy of the learner, the next `frozen` slots frozen copies, the others scripted agents.
    An opponent is drawn anew for every seat of every game: a group by its odds, then a frozen copy uniformly. While
    there are no copies yet, their odds go to the others. When all frozen slots are taken, a new copy takes the place of
    a random one, so old ones thin out with age. A game in progress goes on with its slot's new holder.

    Args:
        game: the Game.
        scripted: agent's name -> weight; a name the game does not have is an error unless `lenient`.
        newest: weight of the newest copy.
        frozen_weight: weight of all frozen copies together.
        frozen: how many frozen copies are kept.
        seed: of the draws.
        lenient: leave out `random`, `greedy`, `expert` where the game has none (generic settings serve every game).
    """

    def __init__(
        self,
        game: Game,
        scripted: Mapping[str, float],
        newest: float = 0.5,
        frozen_weight: float = 0.3,
        frozen: int = 8,
        seed: int | np.random.SeedSequence = 0,
        lenient: bool = False,
    ) -> None:
        self.game = game
        self.rng = np.random.default_rng(seed)
        self.newest: Seatholder | None = None
        self.frozen: list[Seatholder] = []
        self.room = frozen
        if lenient:
            known = agent_names(game.name)
            scripted = {name: w for name, w in scripted.items() if name in known or name not in GENERIC}
        weights = {NEWEST: newest, FROZEN: frozen_weight, **scripted}
        if any(w < 0 for w in weights.values()) or sum(weights.values()) <= 0:
            raise OptionError(f"opponent pool: weights must not be negative nor all zero, found {weights}")
        self.scripted = [Seatholder(name, make_agent(game, name)) for name, w in scripted.items() if w > 0]
        self._scripted_weights = [w for w in scripted.values() if w > 0]
        self._weights = newest, frozen_weight

    def renew(self, network: Network) -> None:
        """Make `network` the newest copy. It draws its actions, as the learner does."""
        self.newest = Seatholder(NEWEST, PolicyAgent(self.game, network, sample=True))

    def freeze(self, network: Network, name: str) -> None:
        """Keep `network` as a frozen copy."""
        holder = Seatholder(name, PolicyAgent(self.game, network, sample=True))
        if len(self.frozen) < self.room:
            self.frozen.append(holder)
        elif self.room:
            self.frozen[self.rng.integers(self.room)] = holder

    def holders(self) -> list[tuple[int, Seatholder]]:
        """Every slot in use with its holder."""
        found = [] if self.newest is None else [(0, self.newest)]
        found += [(1 + k, holder) for k, holder in enumerate(self.frozen)]
        return found + [(1 + self.room + k, holder) for k, holder in enumerate(self.scripted)]

    def odds(self) -> dict[int, float]:
        """Slot -> probability with which it is drawn now."""
        newest, frozen = self._weights
        weights = {0: newest} if self.newest is not None else {}
        weights |= {1 + k: frozen / len(self.frozen) for k in range(len(self.frozen))}
        weights |= {1 + self.room + k: w for k, w in enumerate(self._scripted_weights)}
        total = sum(weights.values())
        if total <= 0:
            raise OptionError("opponent pool: nobody to play against yet; give a scripted agent a weight or a copy")
        return {slot: w / total for slot, w in weights.items()}

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        """int64 slots of the given shape."""
        odds = self.odds()
        slots = np.fromiter(odds, np.int64)
        return slots[np.searchsorted(np.cumsum(list(odds.values()))[:-1], self.rng.random(shape), side="right")]

    def seated(self, games: int, rng: np.random.Generator) -> np.ndarray:
        """Who holds the seats of new games where the learner is slot 0, int64 (games, P): one seat of each is its own."""
        players = self.game.num_players
        holders = self.draw((games, players)) if players > 1 else np.zeros((games, 1), np.int64)
        holders[np.arange(games), rng.integers(players, size=games)] = LEARNER_SLOT
        return holders

    def ask(self, table: Table, rows: np.ndarray, slots: np.ndarray) -> np.ndarray:
        """int64 (k,): what the holders of `slots` (k,), none of them the learner's, do in the games of `rows`."""
        asked = ((h.agent, slots == slot) for slot, h in self.holders() if slot != LEARNER_SLOT)
        return table.ask_all(asked, rows)
