"""Expert iteration: the policy learns from a search in which it is the guide (Anthony, Tian and Barber, NeurIPS 2017).

    play:     all games by turns; wherever the learner holds the seat, the policy's network is searched with (policy_search.py),
              few simulations, sequential halving with Gumbel noise at the root (Danihelka et al., ICLR 2022); the action it
              comes to is played
    learn:    the policy towards the search's improved policy, the value towards what the seat was paid to the end, on the
              newest decisions, each several times; then the next games are searched with the new network

One seat of every game is the learner's; each other one is drawn from the pool, whose slot 0 is the learner itself, as in
selfplay_ppo.py. Every simulation begins with a fresh determinisation, and the search is handed determinised records.
Searches run on threads: compiled code needs no processes to run side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_agents.compiled import RANDOM
from banquet_agents.policy import Network
from banquet_agents.policy_search import PolicySearchAgent
from banquet_agents.search import GUIDED, overlaid
from banquet_envs.core.game import Game
from banquet_training.imitation import Imitation
from banquet_training.pool import LEARNER_SLOT, OpponentPool
from banquet_training.profile import Profile
from banquet_training.selfplay_ppo import Conductor
from banquet_training.settings import Settings
from banquet_training.tuning import Precision


class ExpertIteration(Imitation):
    """The learner whose teacher is its own search. What it keeps, and how it learns from it, is as in imitation.

    Args:
        game: the Game; its reward scheme is what the value learns and the search strives for.
        settings: `network`, `search`.
        pool: who else plays; its slot 0 is the learner itself.
        seed: of games, seats, draws and the network's first weights.
        precision: of learning; the search computes in float32.
        profile: where to note the time taken.
        start: policy to begin from.

    Attributes:
        steps: decisions searched so far.
    """

    def __init__(
        self, game: Game, settings: Settings, pool: OpponentPool, seed: int, precision: Precision,
        profile: Profile | None = None, start: Network | None = None,
    ) -> None:  # fmt: skip
        self.pool = pool
        super().__init__(game, settings, seed, precision, profile)
        if start is not None:
            self.model.take_up(start)

    def _told(self) -> Any:
        return self.settings.search

    def _rows(self) -> int:
        return int(self.told.games)

    def _appoint(self) -> bool:
        told = self.told
        chosen = {"gumbel": True} | {key: getattr(told, key) for key in ("simulations", "considered", "trust", "luck")}
        settings = overlaid(GUIDED, chosen, "settings: search")
        self.teacher = PolicySearchAgent(self.game, "search", settings, RANDOM, self.model.exported(), self.game.reward)
        self.teacher.threads = told.threads
        self.pool.renew(self.teacher.network)  # it is never asked: whoever sits there searches
        return True

    def _seated(self, games: int) -> np.ndarray:
        return self.pool.seated(games, self.rng)

    def _part(self, total: int) -> int:
        return self.told.decisions

    def _collect(self, wanted: int, conductor: Conductor) -> bool:
        self.teacher.take_up(self.network())
        return super()._collect(wanted, conductor)

    def _turn(self) -> None:
        """One decision in every row."""
        games, free = self.games, ~self.games.forced()
        movers, actions = games.movers(), games.table.buffers.mask.argmax(axis=1)
        theirs = np.flatnonzero(free & (movers != LEARNER_SLOT))
        mine = np.flatnonzero(free & (movers == LEARNER_SLOT))
        if len(theirs):
            with self.profile.section("opponents"):
                actions[theirs] = self.pool.ask(games.table, theirs, movers[theirs])
        if len(mine):
            actions[mine] = self._ask(mine)
        self._play(actions)

    def _answers(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        table = self.games.table
        action, improved = self.teacher.improved(table.determinized(rows, table.chance(rows)))
        return action, improved.astype(np.float16)
