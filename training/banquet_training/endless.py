"""Games that are played on for ever, all rows at once: where one ends, the next begins with seats drawn anew."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.random import mixed
from banquet_envs.core.table import Table
from banquet_training.profile import Profile

RULES = "rules, masks, observations"
"""The profile's section for them."""


class EndlessGames:
    """`n` games side by side; every seat is somebody's, by number.

    Args:
        game: the Game.
        n: how many rows.
        draw: holders int64 (k, P) for k new games.
        seed: of the games and of the agents' chance.
        profile: where to note the time taken.

    Attributes:
        table: the games, with masks and observations of the seats to move.
        holder: int64 (n, P), who holds each seat.
        paid: float32 (n, P), what each seat has been paid in its game so far.
        number: int64 (n,), of the game in each row, counted from 0 through all games begun.
        begun: how many that are.
    """

    def __init__(
        self, game: Game, n: int, draw: Callable[[int], np.ndarray], seed: int, profile: Profile | None = None
    ) -> None:
        self.game, self.draw = game, draw
        self.profile = profile or Profile()
        self.table = Table(game, n, salt=seed)
        self.every = np.arange(n)
        self.holder = np.zeros((n, game.num_players), np.int64)
        self.paid = np.zeros((n, game.num_players), np.float32)
        self.number = np.zeros(n, np.int64)
        self.begun = 0
        self._words = spawn_seeds(n, seed)
        self.begin(self.every)

    def begin(self, rows: np.ndarray) -> None:
        """New games in these rows."""
        with self.profile.section(RULES):
            self._words[rows] = mixed(self._words[rows])
            self.table.begin(rows, self._words)
        self.holder[rows] = self.draw(len(rows))
        self.paid[rows] = 0
        self.number[rows] = self.begun + np.arange(len(rows))
        self.begun += len(rows)

    def play(self, actions: np.ndarray) -> np.ndarray:
        """Play legal `actions` int64 (n,); the rows whose games have ended, to be begun anew by whoever has looked."""
        with self.profile.section(RULES):
            self.table.play(self.every, actions)
        self.paid += self.table.buffers.rewards
        return np.flatnonzero(self.table.over)

    def movers(self) -> np.ndarray:
        """int64 (n,): who holds the seat to move."""
        return self.holder[self.every, self.table.player]

    def forced(self) -> np.ndarray:
        """bool (n,): a single action is allowed."""
        return self.table.buffers.mask.view(np.uint8).sum(axis=1, dtype=np.uint16) == 1
