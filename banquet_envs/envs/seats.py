"""A batch of games in which one seat of each is a learner's: the others move inside the step.

So next observation, reward and end always belong to the seat that acted. Opponents are handed determinised copies:
they cannot see what their seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import Agent, make_agent


class SeatedGames:
    """`n` games with a learner's seat each.

    Args:
        game: the rules.
        n: how many games.
        opponents: one agent's name for all other seats, or a name per other seat in turn order after the learner's.
        seat: the learner's seat, or "random": drawn anew for each game.

    Attributes:
        states: records (n,).
        seats: int64 (n,), the learner's seat in each game.
        rewards: float32 (n,), what the last step paid the learner, up to its next decision.
        terminated, truncated: bool (n,), how the last step ended the game, if it did.
        final_observation: float32 (n, W), the learner's last view where a game ended.
    """

    def __init__(self, game: Game, n: int, opponents: str | Sequence[str] = "random", seat: int | str = "random"):
        others = game.num_players - 1
        names = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(names) != others:
            raise OptionError(f"{game.name}: {others} other seats need {others} opponents, found {len(names)}")
        if seat != "random" and (isinstance(seat, str) or not 0 <= seat < game.num_players):
            raise OptionError(f'seat={seat!r} is not allowed; choose 0 to {game.num_players - 1} or "random"')
        self.game = game
        self.n = n
        self._fixed_seat = seat
        self._agents: list[Agent] = [make_agent(game, name) for name in names]
        self.states = records.empty(n, game.spec.state)
        self.seats = np.zeros(n, np.int64)
        self.rewards = np.zeros(n, np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_observation = np.zeros((n, game.observation_size), np.float32)
        self._buffers = game.buffers(n)
        for unused in ("mask", "observation", "final_observation"):  # not needed while opponents move
            setattr(self._buffers, unused, getattr(self._buffers, unused)[:0])
        self._actions = np.zeros(n, np.int64)
        self._rng = np.random.default_rng()

    def reset(self, rng: np.random.Generator, rows: np.ndarray | None = None) -> None:
        """New games, all or those in `rows`, played up to the learner's first decision."""
        self._rng = rng
        rows = np.arange(self.n) if rows is None else rows
        while len(rows):
            words = np.zeros(self.n, np.uint64)
            words[rows] = rng.integers(0, 2**64, len(rows), np.uint64)
            if self._fixed_seat == "random":
                self.seats[rows] = rng.integers(0, self.game.num_players, len(rows))
            else:
                self.seats[rows] = int(self._fixed_seat)
            self.game.restart(self.states, words, rows)
            self._play_others(rows)
            rows = rows[self.states.over[rows]]  # a game that never asked the learner

    def step(self, actions: np.ndarray, autoreset: bool) -> None:
        """Play the learner's legal actions int64 (n,), then everybody else up to the learner's next decision.

        With `autoreset` finished games are restarted at once, after `final_observation` has been filled.
        """
        rows = np.arange(self.n)
        self.rewards[:] = 0.0
        self._play(rows, np.ascontiguousarray(actions, np.int64))
        self._play_others(rows)
        self.terminated[:] = self.states.over & ~self.states.capped
        self.truncated[:] = self.states.capped
        over = np.flatnonzero(self.states.over)
        if len(over):
            self.final_observation[over] = self.game.observe(records.take(self.states, over), self.seats[over])
            if autoreset:
                kept = self.rewards.copy()
                self.reset(self._rng, over)
                self.rewards[:] = kept

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """float32 (n, W): the learner's views."""
        return self.game.observe(self.states, self.seats, out)

    def masks(self) -> np.ndarray:
        """bool (n, A): what the learner may do; all False where its game is over."""
        return self.game.legal_actions(self.states)

    def _play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        self.game.advance(self.states, actions, self._buffers, rows=rows, restart=False)
        self.rewards[rows] += self._buffers.rewards[rows, self.seats[rows]]

    def _play_others(self, rows: np.ndarray) -> None:
        """Everybody but the learner moves until it is the learner's turn or the game is over."""
        while True:
            waiting = (self.states.player[rows] != self.seats[rows]) & ~self.states.over[rows]
            rows = rows[waiting]
            if not len(rows):
                return
            turn = (self.states.player[rows] - self.seats[rows] - 1) % self.game.num_players
            for k, agent in enumerate(self._agents):
                mine = rows[turn == k]
                if len(mine):
                    view = records.take(self.states, mine)
                    self.game.determinize(view, None, int(self._rng.integers(2**62)))
                    self._actions[mine] = agent.act(view)
            self._play(rows, self._actions)
