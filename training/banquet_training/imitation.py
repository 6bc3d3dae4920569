"""Learning from a teacher: DAgger, with a policy head and a value head.

In the first round the teacher holds all seats, then the learner most of them: it is the positions that the learner gets
itself into that need labels (Ross, Gordon and Bagnell, AISTATS 2011). Whoever moves, the teacher says what it would have
done, from a determinised copy as in any match, its own chance included. The value head learns what the deciding seat was
paid to the end of the game. Records are kept, not observations: they are no larger, and a look at one is cheap.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch

from banquet_agents.registry import make_agent
from banquet_agents.search import SearchAgent
from banquet_envs.core.game import Game
from banquet_envs.core.state import empty, put, take
from banquet_training.actor_critic import ActorCritic, Kept, log_probabilities, shape_of, step
from banquet_training.endless import RULES, EndlessGames
from banquet_training.profile import Profile
from banquet_training.selfplay_ppo import Conductor
from banquet_training.settings import Settings
from banquet_training.tuning import Annealed, Precision

LEARNER, TEACHER = range(2)


class Labels:
    """The newest decisions with what the teacher said of them; the oldest are written over.

    Args:
        game: the Game.
        room: how many.
        visits: keep a distribution over the actions for each.
    """

    def __init__(self, game: Game, room: int, visits: bool) -> None:
        self.game, self.room = game, room
        self.states = empty(room, game.spec.state)
        self.action = np.zeros(room, np.int64)
        self.visits = np.zeros((room, game.num_actions if visits else 0), np.float16)
        self.seat = np.zeros(room, np.int64)
        self.before = np.zeros(room, np.float32)
        self.number = np.zeros(room, np.int64)
        self.totals = np.full((1024, game.num_players), np.nan, np.float32)
        self.count = 0

    def __len__(self) -> int:
        return min(self.count, self.room)

    def add(
        self, states: np.recarray, action: np.ndarray, visits: np.ndarray, before: np.ndarray, number: np.ndarray
    ) -> None:
        """Remember decisions.

        Args:
            states: records (k,).
            action: int64 (k,), the teacher's.
            visits: (k, A) or (k, 0), summing to one.
            before: float32 (k,), what the deciding seat has been paid so far.
            number: int64 (k,), of the game.
        """
        at = (self.count + np.arange(len(states))) % self.room
        put(self.states, at, states)
        self.action[at], self.visits[at], self.before[at], self.number[at] = action, visits, before, number
        self.seat[at] = states.view(np.ndarray)["player"]
        self.count += len(states)

    def ended(self, number: np.ndarray, paid: np.ndarray) -> None:
        """Games have come to their end: what each seat was paid in all, float32 (k, P)."""
        while len(number) and number.max() >= len(self.totals):
            self.totals = np.concatenate([self.totals, np.full_like(self.totals, np.nan)])
        self.totals[number] = paid

    def outcome(self, index: np.ndarray) -> np.ndarray:
        """float32 (k,): paid from the decision to the end; nan where the game goes on."""
        number = np.minimum(self.number[index], len(self.totals) - 1)
        found = self.totals[number, self.seat[index]] - self.before[index]
        return np.where(self.number[index] < len(self.totals), found, np.nan).astype(np.float32)


class Imitation(Kept):
    """The learner that asks a teacher.

    Args:
        game: the Game; the value head learns its rewards.
        settings: `run.games`, `network`, `imitation`.
        seed: of games, seats, draws and the network's first weights.
        precision: see tuning.py.
        profile: where to note the time taken.

    Attributes:
        model: the network.
        steps: decisions that the teacher has labelled.
        accuracy: how often the policy's best action is the teacher's, on games not learned from.
    """

    def __init__(
        self, game: Game, settings: Settings, seed: int, precision: Precision, profile: Profile | None = None
    ) -> None:
        self.game, self.settings, self.precision = game, settings, precision
        self.told = told = self._told()
        self.profile = profile or Profile()
        draws, games, weights = (int(k) for k in np.random.SeedSequence(seed).generate_state(3))
        torch.manual_seed(weights)
        self.model = ActorCritic(shape_of(game, settings.network))
        self.teacher: Any = None
        self.soft = self._appoint()
        self.optimizer = torch.optim.Adam(self.model.parameters(), told.learning_rate, eps=1e-5, fused=True)
        self.learning_rate = Annealed(told.learning_rate, told.learning_rate_end)
        self.chance = torch.Generator().manual_seed(draws)
        self.rng = np.random.default_rng(draws)
        self.held_out = 0 if told.held_out <= 0 else max(2, round(1 / told.held_out))
        self.steps, self.accuracy = 0, float("nan")
        self.outcomes: list[Any] = []
        self.deal(games)

    def _told(self) -> Any:
        """The settings of this way of learning."""
        return self.settings.imitation

    def _rows(self) -> int:
        """How many games are played side by side."""
        return int(self.settings.run.games)

    def _appoint(self) -> bool:
        """Make the teacher; whether it answers with a distribution."""
        self.teacher = make_agent(self.game, self.told.teacher)
        return self.told.visits and isinstance(self.teacher, SearchAgent)

    def deal(self, seed: int) -> None:
        """Begin with new games and no labels."""
        self.labels = Labels(self.game, self.told.keep, self.soft)
        self.games = EndlessGames(self.game, self._rows(), self._seated, seed, self.profile)

    def _seated(self, games: int) -> np.ndarray:
        """Who holds the seats of new games."""
        shape = games, self.game.num_players
        if self.steps == 0:
            return np.full(shape, TEACHER)
        return (self.rng.random(shape) < self.told.teacher_share).astype(np.int64)

    def learn(self, conductor: Conductor, total: int) -> None:
        """Ask and learn by turns, until the teacher has answered `total` times or the conductor ends it."""
        part = self._part(total)
        while self.steps < total:
            conductor.collecting()
            before, asked = time.process_time(), self.labels.count
            going_on = self._collect(min(part, total - self.steps), conductor)
            fresh = self.labels.count - asked
            with self.profile.section("network: learning"):
                facts = self._improve(fresh)
            self.steps += fresh
            self.accuracy = facts.get("accuracy", self.accuracy)
            conductor.note({f"imitation/{k}": v for k, v in facts.items()} | {"time/cpu": time.process_time() - before})
            if not going_on:
                return

    def _part(self, total: int) -> int:
        """How many answers are asked for before they are learned from."""
        return -(-total // self.told.rounds)

    def anneal(self, done: float) -> None:
        """Set the learning rate for this part of the way, from 0 to 1."""
        self.learning_rate.done = done
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate()

    # ------------------------------------------------------------ asking

    def _collect(self, wanted: int, conductor: Conductor) -> bool:
        """Play until the teacher has been asked so often; False when the conductor has ended it."""
        end, turns = self.labels.count + wanted, 0
        while self.labels.count < end:
            self._turn()
            turns += 1
            if turns % 16 == 0 and not conductor.keep_on():
                return False
        return True

    def _turn(self) -> None:
        """One decision in every row; the teacher is asked about those that are not forced."""
        games = self.games
        mask = games.table.buffers.mask
        movers, rows = games.movers(), np.flatnonzero(~games.forced())
        actions = mask.argmax(axis=1)
        if len(rows):
            actions[rows] = self._ask(rows)
            mine = rows[movers[rows] == LEARNER]
            if len(mine):
                with self.profile.section("network: acting"):
                    actions[mine] = self._drawn(games.table.buffers.observation[mine], mask[mine])
        self._play(actions)

    def _play(self, actions: np.ndarray) -> None:
        """Play in every row, and note what seats were paid where games end."""
        games = self.games
        over = games.play(actions)
        if len(over):
            self.labels.ended(games.number[over], games.paid[over])
            games.begin(over)

    def _ask(self, rows: np.ndarray) -> np.ndarray:
        """The teacher's actions in these rows, remembered."""
        games, table = self.games, self.games.table
        with self.profile.section("teacher"):
            action, distribution = self._answers(rows)
        seats = table.player[rows]
        self.labels.add(take(table.states, rows), action, distribution, games.paid[rows, seats], games.number[rows])
        return action

    def _answers(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The teacher's actions, and its distributions float16 (k, A), or (k, 0) if it has none."""
        table = self.games.table
        if not self.soft:
            return table.ask(self.teacher, rows), np.zeros((len(rows), 0), np.float16)
        action, counts, _ = self.teacher.search(table.determinized(rows, table.chance(rows)))
        counts[np.arange(len(rows)), action] += counts.sum(axis=1) == 0
        return action, (counts / counts.sum(axis=1, keepdims=True)).astype(np.float16)

    @torch.no_grad()
    def _drawn(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The learner's own actions."""
        with self.precision.context():
            logits = self.model.logits(self.model.features(torch.from_numpy(observations)))
        log_p = log_probabilities(logits, torch.from_numpy(masks))
        drawn = torch.empty_like(log_p).exponential_(generator=self.chance)
        return (log_p.exp() / drawn).argmax(dim=1).numpy()

    # ------------------------------------------------------------ learning

    def _improve(self, fresh: int) -> dict[str, float]:
        """Learn from a random part of what is kept, each fresh label `passes` times on average; the losses."""
        told, labels = self.told, self.labels
        kept = np.arange(len(labels))
        aside = self._aside(kept)
        learned = kept[~aside]
        if not len(learned) or not fresh:
            return {}
        updates = max(1, round(fresh * told.passes / told.batch_size))
        losses = [self._improve_on(self.rng.choice(learned, told.batch_size)) for _ in range(updates)]
        facts = {key: float(np.mean([x[key] for x in losses])) for key in losses[0]}
        newest = kept[aside]
        if len(newest):
            picked = self.rng.choice(newest, min(len(newest), 8192), replace=False)
            facts["accuracy"] = self._agreement(picked)
        return facts

    def _aside(self, index: np.ndarray) -> np.ndarray:
        """Bool: decisions of games that are not learned from."""
        if not self.held_out:
            return np.zeros(len(index), np.bool_)
        return self.labels.number[index] % self.held_out == 0

    def _seen(self, index: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Observations and masks of these decisions."""
        with self.profile.section(RULES):
            states = take(self.labels.states, index)
            return torch.from_numpy(self.game.observe(states)), torch.from_numpy(self.game.legal_actions(states))

    def _improve_on(self, index: np.ndarray) -> dict[str, float]:
        """One step on a minibatch."""
        labels, told = self.labels, self.told
        observation, mask = self._seen(index)
        aim = torch.from_numpy(labels.outcome(index))
        known = ~aim.isnan()
        with self.precision.context():
            features = self.model.features(observation)
            logits, values = self.model.logits(features), self.model.values(features)
        log_p = log_probabilities(logits, mask)
        if self.soft:
            policy_loss = -(torch.from_numpy(labels.visits[index]).float() * log_p).sum(dim=1).mean()
        else:
            policy_loss = -log_p.gather(1, torch.from_numpy(labels.action[index])[:, None]).mean()
        value_loss = torch.where(known, values - aim.nan_to_num(), 0).square().sum() / known.sum().clamp(min=1)
        loss = policy_loss + told.value_weight * value_loss
        step(self.model, self.optimizer, loss, 1.0)
        return {"policy_loss": policy_loss.item(), "value_loss": value_loss.item()}

    @torch.no_grad()
    def _agreement(self, index: np.ndarray) -> float:
        """How often the best action is the teacher's."""
        observation, mask = self._seen(index)
        with self.precision.context():
            logits = self.model.logits(self.model.features(observation))
        best = log_probabilities(logits, mask).argmax(dim=1).numpy()
        return float((best == self.labels.action[index]).mean())
