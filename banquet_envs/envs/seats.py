"""A batch of games in which one seat of each is a learner's: the others move inside the step.

So next observation, reward and end always belong to the seat that acted. Opponents sit at a `Table` of the core: they are
handed determinised copies or their own view, and an illegal answer of theirs is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.random import mixed, next_seeds
from banquet_envs.core.registry import make_agent
from banquet_envs.core.state import take
from banquet_envs.core.table import Player, Table

_SEAT = np.uint64(0x5EA7)
_S32 = np.uint64(32)


class SeatedGames:
    """`n` games with a learner's seat each.

    A game follows from its seed word alone: the deal, the learner's seat where that is drawn, the opponents' chance. The game
    that comes after it in its row follows from it, too.

    Args:
        game: the rules.
        n: how many games.
        opponents: one agent's name for all other seats, or a name per other seat in turn order after the learner's.
        seat: the learner's seat, or "random": drawn anew for each game.

    Attributes:
        table: the games; `buffers.mask` and `buffers.observation` are the learner's between steps, but for an ended game's.
        seats: int64 (n,), the learner's seat in each game.
        words: uint64 (n,), the seed word of each row's game.
        rewards: float32 (n,), what the last step paid the learner, up to its next decision.
    """

    def __init__(self, game: Game, n: int, opponents: str | Sequence[str] = "random", seat: int | str = "random"):
        others = game.num_players - 1
        names = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(names) != others:
            raise OptionError(f"{game.name}: {others} other seats need {others} opponents, found {len(names)}")
        whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat != "random" and not (whole and 0 <= int(seat) < game.num_players):
            raise OptionError(f'seat={seat!r} is not allowed; choose 0 to {game.num_players - 1} or "random"')
        self.game = game
        self.n = n
        self._fixed_seat = seat
        made: dict[str, Player] = {name: make_agent(game, name) for name in dict.fromkeys(names)}
        self._agents = [made[name] for name in names]
        self.table = Table(game, n)
        self.seats = np.zeros(n, np.int64)
        self.words = np.zeros(n, np.uint64)
        self.rewards = np.zeros(n, np.float32)

    # ------------------------------------------------------------ any number of games

    def begin(self, rows: np.ndarray, words: np.ndarray) -> None:
        """New games in `rows` from `words`, uint64 (k,), played up to the learner's first decision.

        A game that ends before the learner was asked is followed by the next one. What is paid before the learner's first decision
        is nobody's doing: `rewards` stay those of the last step.
        """
        kept = self.rewards.copy()
        while len(rows):
            self.words[rows] = words
            if self._fixed_seat == "random":
                drawn = (mixed(words ^ _SEAT) >> _S32) * np.uint64(self.game.num_players) >> _S32
                self.seats[rows] = drawn.astype(np.int64)
            else:
                self.seats[rows] = int(self._fixed_seat)
            self.table.begin(rows, self.words)
            self._others_move(rows)
            rows = rows[self.table.over[rows]]
            words = next_seeds(self.words[rows])
        self.rewards[:] = kept

    def begin_next(self, rows: np.ndarray) -> None:
        """New games in `rows`, whose seeds follow from those of the games before."""
        self.begin(rows, next_seeds(self.words[rows]))

    def step(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play the learner's legal actions, int64 (k,), in `rows`, then everybody else up to the learner's next decision."""
        self.rewards[:] = 0.0
        self._play(rows, actions)
        self._others_move(rows)

    def observe(self) -> np.ndarray:
        """float32 (n, W): the learner's views, a fresh array. Those of games that go on have been written by the last move."""
        views = self.table.buffers.observation.copy()
        over = np.flatnonzero(self.table.over)
        if len(over):
            views[over] = self.game.observe(take(self.table.states, over), self.seats[over])
        return views

    def _play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        self.table.play(rows, actions)
        self.rewards[rows] += self.table.buffers.rewards[rows, self.seats[rows]]

    def _others_move(self, rows: np.ndarray) -> None:
        """Everybody but the learner moves until it is the learner's turn or the game is over."""
        table = self.table
        while True:
            rows = rows[(table.player[rows] != self.seats[rows]) & ~table.over[rows]]
            if not len(rows):
                return
            turn = (table.player[rows] - self.seats[rows] - 1) % self.game.num_players
            self._play(rows, table.ask_all(self._holders(turn), rows))

    def _holders(self, turn: np.ndarray) -> list[tuple[Any, np.ndarray]]:
        """Each different agent with the games in which it is to move; `turn` counts on from the learner's seat."""
        found: list[tuple[Any, np.ndarray]] = []
        for k, agent in enumerate(self._agents):
            for j, (known, mine) in enumerate(found):
                if known is agent:
                    found[j] = known, mine | (turn == k)
                    break
            else:
                found.append((agent, turn == k))
        return found

    # ------------------------------------------------------------ one game

    def step_one(self, action: int) -> float:
        """`step` for a single game; what it paid the learner."""
        table, seat = self.table, int(self.seats[0])
        paid, player, over, players = table.buffers.rewards, table.player, table.over, self.game.num_players
        table.play_one(action)
        total = float(paid[0, seat])
        while not over[0] and player[0] != seat:
            agent = self._agents[(int(player[0]) - seat - 1) % players]
            table.play_one(table.ask_one(agent))
            total += float(paid[0, seat])
        return total
