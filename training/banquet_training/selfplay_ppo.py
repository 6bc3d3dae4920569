"""Self-play PPO in one file: every seat that the current policy holds learns.

    collect:  all games by turns; the policy draws for its seats, pool agents play theirs, forced moves are just played
    judge:    advantages per seat, over interleaved turns (advantages.py)
    improve:  clipped PPO with entropy, a KL term that holds the policy to its start and fades, and value losses

One seat of every game is the learner's; each other one is drawn from the pool, whose slot 0 is the learner itself. A
decision is complete when its seat decides again or the game ends; the last one of each seat lends its value to the one
before and waits for the next collection. A capped end is an end. What a seat is paid before its first decision of a game
is nobody's doing and counts nowhere.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from banquet_agents.policy import Network
from banquet_envs.core.game import Game
from banquet_training.actor_critic import ActorCritic, Kept, log_probabilities, shape_of, step
from banquet_training.advantages import advantages
from banquet_training.endless import RULES, EndlessGames
from banquet_training.pool import LEARNER_SLOT, OpponentPool
from banquet_training.profile import Profile
from banquet_training.settings import Settings
from banquet_training.tuning import Annealed, Precision


class Conductor(Protocol):
    """What a learner tells of its way, and who says how far it is to go."""

    def collecting(self) -> None:
        """Between updates: anneal, freeze, evaluate, keep."""

    def keep_on(self) -> bool:
        """Asked now and then within a collection; False ends the run."""

    def note(self, facts: dict[str, float]) -> None:
        """Figures of an update, and of the games that ended."""


@dataclass
class Batch:
    """Decisions in the order of time; the first `count` entries are in use.

    Attributes:
        observation, mask, action, log_p, value: what the seat saw, might do, did; how likely, and what it expected.
        everything: what the critic saw; width 0 without one.
        reward, done, seat: see `advantages`; `seat` is row times players plus seat.
        steps: ranges of decisions that were taken at once.
        last: int64 (n * P,), each seat's latest decision of its game, or -1.
    """

    observation: np.ndarray
    everything: np.ndarray
    mask: np.ndarray
    action: np.ndarray
    log_p: np.ndarray
    value: np.ndarray
    reward: np.ndarray
    done: np.ndarray
    seat: np.ndarray
    steps: list[tuple[int, int]]
    last: np.ndarray
    count: int = 0

    @classmethod
    def empty(cls, room: int, game: Game, games: int, everything: int) -> Batch:
        """Room for so many decisions."""
        width, actions, seats = game.observation_size, game.num_actions, games * game.num_players
        return cls(
            np.zeros((room, width), np.float32), np.zeros((room, everything), np.float32),
            np.zeros((room, actions), np.bool_), np.zeros(room, np.int64), np.zeros(room, np.float32),
            np.zeros(room, np.float32), np.zeros(room, np.float32), np.zeros(room, np.bool_), np.zeros(room, np.int64),
            [], np.full(seats, -1),
        )  # fmt: skip

    def columns(self) -> tuple[np.ndarray, ...]:
        """All arrays with an entry for each decision."""
        return (
            self.observation, self.everything, self.mask, self.action, self.log_p, self.value, self.reward, self.done,
            self.seat,
        )  # fmt: skip

    def waiting(self) -> np.ndarray:
        """bool (count,): the outcome is not known yet."""
        found = np.zeros(self.count, np.bool_)
        found[self.last[self.last >= 0]] = True
        return found

    def keep_waiting(self) -> None:
        """Move what waits to the front and forget the rest."""
        kept = np.flatnonzero(self.waiting())
        for column in self.columns():
            column[: len(kept)] = column[kept]
        self.count, self.steps = len(kept), [(0, len(kept))]
        self.last[self.seat[: len(kept)]] = np.arange(len(kept))


class SelfPlayPPO(Kept):
    """The learner: games, network and optimiser.

    Args:
        game: the Game; its reward scheme is what seats are paid.
        settings: `run.games`, `network`, `ppo`.
        pool: who else plays; its slot 0 is the learner itself.
        seed: of games, seats, draws and the network's first weights.
        precision: float32 or bfloat16, see tuning.py.
        profile: where to note the time taken.
        start: policy to begin from, and to be held to.

    Attributes:
        model: the network.
        steps: decisions learned from so far, by all of the learner's seats.
        outcomes: (opponents' names, seat, points, share of the win) of the learner's seats; empty it when read.
    """

    def __init__(
        self, game: Game, settings: Settings, pool: OpponentPool, seed: int, precision: Precision,
        profile: Profile | None = None, start: Network | None = None,
    ) -> None:  # fmt: skip
        self.game, self.settings, self.pool, self.precision = game, settings, pool, precision
        self.profile = profile or Profile()
        draws, games, weights = (int(k) for k in np.random.SeedSequence(seed).generate_state(3))
        torch.manual_seed(weights)
        shape = shape_of(game, settings.network)
        private = np.flatnonzero(game.layout.private_mask())
        self.private = private if settings.network.critic else private[:0]
        self.seen = len(self.private) * (game.num_players - 1)
        self.model = ActorCritic(shape, self.seen, tuple(settings.network.critic))
        self.anchor = None if start is None else ActorCritic(shape)
        if start is not None:
            self.model.take_up(start, settings.ppo.sharpen)
            self.anchor.take_up(start, settings.ppo.sharpen)  # type: ignore[union-attr]
        ppo = settings.ppo
        self.optimizer = torch.optim.Adam(self.model.parameters(), ppo.learning_rate, eps=1e-5, fused=True)
        self.learning_rate = Annealed(ppo.learning_rate, ppo.learning_rate_end)
        self.entropy_weight = Annealed(ppo.ent_coef, ppo.ent_coef_end)
        self.anchor_weight = Annealed(ppo.kl_coef, 0.0, ppo.kl_until)
        self.chance = torch.Generator().manual_seed(draws)
        self.rng = np.random.default_rng(draws)
        self.steps = 0
        self.outcomes: list[tuple[tuple[str, ...], int, float, float]] = []
        pool.renew(self.network())  # it is never asked: whoever sits there learns
        self.deal(games)

    def deal(self, seed: int) -> None:
        """Begin with new games in all rows."""
        count, ppo = self.settings.run.games, self.settings.ppo
        self.games = EndlessGames(self.game, count, self._seated, seed, self.profile)
        self.pending = np.zeros((count, self.game.num_players), np.float32)
        everything = self.game.observation_size + self.seen if self.settings.network.critic else 0
        room = count * (ppo.n_steps + 1 + self.game.num_players)
        self.batch = Batch.empty(room, self.game, count, everything)
        self._scratch = np.zeros((count, self.game.observation_size), np.float32)

    def _seated(self, games: int) -> np.ndarray:
        """Who holds the seats of new games, int64 (games, P)."""
        return self.pool.seated(games, self.rng)

    # ------------------------------------------------------------ the loop

    def learn(self, conductor: Conductor, total: int) -> None:
        """Collect and improve until `total` decisions have been learned from or the conductor ends it."""
        while self.steps < total:
            conductor.collecting()
            before = time.process_time()
            if not self.collect(conductor):
                return
            with self.profile.section("network: learning"):
                facts = self.improve()
            self.steps += facts.pop("decisions")
            conductor.note({f"train/{k}": v for k, v in facts.items()} | {"time/cpu": time.process_time() - before})

    def anneal(self, done: float) -> None:
        """Set rates and weights for this part of the way, from 0 to 1."""
        for value in (self.learning_rate, self.entropy_weight, self.anchor_weight):
            value.done = done
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate()

    # ------------------------------------------------------------ collecting

    def collect(self, conductor: Conductor) -> bool:
        """Play until there are enough new decisions; False when the conductor has ended it."""
        self.batch.keep_waiting()
        target = self.batch.count + self.settings.run.games * self.settings.ppo.n_steps
        turns = 0
        while self.batch.count < target:
            self._turn()
            turns += 1
            if turns % 16 == 0 and not conductor.keep_on():
                return False
        return True

    def _turn(self) -> None:
        """One decision in every row."""
        games = self.games
        mask = games.table.buffers.mask
        movers, forced = games.movers(), games.forced()
        actions = mask.argmax(axis=1)
        mine = np.flatnonzero((movers == LEARNER_SLOT) & ~forced)
        theirs = np.flatnonzero((movers != LEARNER_SLOT) & ~forced)
        if len(theirs):
            with self.profile.section("opponents"):
                actions[theirs] = self.pool.ask(games.table, theirs, movers[theirs])
        if len(mine):
            actions[mine] = self._decide(mine)
        over = games.play(actions)
        self.pending += games.table.buffers.rewards
        if len(over):
            self._finish(over)
            games.begin(over)

    def _decide(self, rows: np.ndarray) -> np.ndarray:
        """Draw the learner's actions in these rows and remember all about them."""
        batch, buffers, count = self.batch, self.games.table.buffers, len(rows)
        part = slice(batch.count, batch.count + count)
        seat = rows * self.game.num_players + self.games.table.player[rows]
        self._credit(seat, self.pending.ravel()[seat], False)
        self.pending.ravel()[seat] = 0
        np.take(buffers.observation, rows, axis=0, out=batch.observation[part])
        np.take(buffers.mask, rows, axis=0, out=batch.mask[part])
        if self.settings.network.critic:
            self._see_all(rows, batch.everything[part], batch.observation[part])
        with self.profile.section("network: acting"):
            action, log_p, value = self._drawn(part)
        batch.action[part], batch.log_p[part], batch.value[part] = action, log_p, value
        batch.reward[part], batch.done[part], batch.seat[part] = 0, False, seat
        batch.last[seat] = np.arange(part.start, part.stop)
        batch.steps.append((part.start, part.stop))
        batch.count = part.stop
        return action

    @torch.no_grad()
    def _drawn(self, part: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions, their log probabilities, and values of the decisions in `part`."""
        batch = self.batch
        with self.precision.context():
            features = self.model.features(torch.from_numpy(batch.observation[part]))
            logits = self.model.logits(features)
            if self.settings.network.critic:
                values = self.model.judged(torch.from_numpy(batch.everything[part]))
            else:
                values = self.model.values(features)
        log_p = log_probabilities(logits, torch.from_numpy(batch.mask[part]))
        drawn = torch.empty_like(log_p).exponential_(generator=self.chance)
        action = (log_p.exp() / drawn).argmax(dim=1)
        return action.numpy(), log_p.gather(1, action[:, None])[:, 0].numpy(), values.numpy()

    def _see_all(self, rows: np.ndarray, out: np.ndarray, own: np.ndarray) -> None:
        """What the critic reads: the own observation, then the private features of each seat after it in turn order."""
        players, width = self.game.num_players, self.game.observation_size
        out[:, :width] = own
        for k in range(1, players):
            first = width + (k - 1) * len(self.private)
            with self.profile.section(RULES):
                others = (self.games.table.player.astype(np.int64) + k) % players
                self.games.table.observe(rows, others, self._scratch)
            out[:, first : first + len(self.private)] = self._scratch[np.ix_(rows, self.private)]

    def _credit(self, seats: np.ndarray, paid: np.ndarray, done: bool) -> None:
        """What was paid since belongs to the seats' latest decisions; without one it is nobody's doing."""
        latest = self.batch.last[seats]
        known = latest >= 0
        self.batch.reward[latest[known]] = paid[known]
        self.batch.done[latest[known]] = done

    def _finish(self, rows: np.ndarray) -> None:
        """Games have ended: every seat's latest decision has its outcome."""
        players = self.game.num_players
        seats = (rows[:, None] * players + np.arange(players)).ravel()
        self._credit(seats, self.pending[rows].ravel(), True)
        self.batch.last[seats] = -1
        self.pending[rows] = 0
        plain = self.games.table.states.view(np.ndarray)
        first = plain["place"][rows, :players] == 0
        share = first / first.sum(axis=1, keepdims=True)
        names = {slot: holder.name for slot, holder in self.pool.holders()}
        for k, row in enumerate(rows.tolist()):
            holders = self.games.holder[row]
            against = tuple(names.get(s, "?") for s in holders.tolist() if s != LEARNER_SLOT)
            for seat in np.flatnonzero(holders == LEARNER_SLOT).tolist():
                self.outcomes.append((against, seat, float(plain["points"][row, seat]), float(share[k, seat])))

    # ------------------------------------------------------------ improving

    def improve(self) -> dict[str, Any]:
        """Learn from the complete decisions of the batch; their number and the losses."""
        batch, ppo = self.batch, self.settings.ppo
        count, waiting = batch.count, batch.waiting()
        found = advantages(
            batch.reward[:count], batch.value[:count], batch.done[:count], waiting, batch.seat[:count], batch.steps,
            ppo.gamma, ppo.gae_lambda,
        )  # fmt: skip
        complete = np.flatnonzero(~waiting)
        if not len(complete):
            return {"decisions": 0}
        advantage, target = torch.from_numpy(found), torch.from_numpy(found + batch.value[:count])
        warm = self.anchor is not None and self.steps < ppo.warm_up
        losses = []
        for _ in range(ppo.n_epochs):
            order = self.rng.permutation(complete)
            pieces = max(1, round(len(order) / ppo.batch_size))
            for part in np.array_split(order, pieces):
                losses.append(self._improve_on(torch.from_numpy(part), advantage, target, warm))
        means = {key: float(np.mean([x[key] for x in losses])) for key in losses[0]}
        spread = np.var(target.numpy()[complete])
        explained = 1 - np.var(found[complete]) / spread if spread > 0 else 0.0
        return {"decisions": len(complete), "explained_variance": float(explained), **means}

    def _improve_on(
        self, part: torch.Tensor, advantage: torch.Tensor, target: torch.Tensor, warm: bool
    ) -> dict[str, float]:
        """One step on a minibatch; while the value warms up, on the value alone."""
        batch, ppo = self.batch, self.settings.ppo
        observation, mask, action, old = (
            torch.from_numpy(x)[part] for x in (batch.observation, batch.mask, batch.action, batch.log_p)
        )
        aim = target[part]
        with self.precision.context():
            features = self.model.features(observation)
            logits = self.model.logits(features)
            values = self.model.values(features.detach() if warm else features)
            if self.settings.network.critic:
                judged = self.model.judged(torch.from_numpy(batch.everything)[part])
        value_loss = (values - aim).square().mean()
        if self.settings.network.critic:
            value_loss = value_loss + (judged - aim).square().mean()
        facts = {"value_loss": value_loss}
        loss = ppo.vf_coef * value_loss
        if not warm:
            log_p = log_probabilities(logits, mask)
            better = advantage[part]
            better = (better - better.mean()) / (better.std(correction=0) + 1e-8)
            moved = log_p.gather(1, action[:, None])[:, 0] - old
            ratio = moved.exp()
            clipped = ratio.clamp(1 - ppo.clip_range, 1 + ppo.clip_range)
            policy_loss = -torch.minimum(better * ratio, better * clipped).mean()
            p = log_p.exp()
            entropy = -(p * log_p).sum(dim=1).mean()
            loss = loss + policy_loss - self.entropy_weight() * entropy
            facts |= {"policy_loss": policy_loss, "entropy": entropy, "step_kl": (ratio - 1 - moved).mean()}
            if self.anchor is not None and self.anchor_weight() > 0:
                away = (p * (log_p - self._anchored(observation, mask))).sum(dim=1).mean()
                loss = loss + self.anchor_weight() * away
                facts["anchor_kl"] = away
        step(self.model, self.optimizer, loss, ppo.max_grad_norm)
        return {key: value.item() for key, value in facts.items()}

    @torch.no_grad()
    def _anchored(self, observation: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Log probabilities of the policy that the run began from."""
        assert self.anchor is not None
        with self.precision.context():
            logits = self.anchor.logits(self.anchor.features(observation))
        return log_probabilities(logits, mask)
