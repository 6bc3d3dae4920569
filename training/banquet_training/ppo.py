"""Training a masked PPO agent by self-play: one call, one folder."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from banquet_agents.arena.evaluate import markdown, strength, write_csv
from banquet_agents.arena.processes import cores
from banquet_agents.policy import Network, PolicyAgent, find_policy, load_policy, save_policy
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, make_game
from banquet_training.curves import draw_curve, read_curve
from banquet_training.learner import (
    Annealed,
    LeanBuffer,
    LeanPolicy,
    TimedPPO,
    exported,
    measured_threads,
    policy_arguments,
)
from banquet_training.pool import OpponentPool
from banquet_training.profile import Profile
from banquet_training.runs import RunFolder, surroundings
from banquet_training.selfplay import SelfPlayVecEnv
from banquet_training.settings import GameSettings, Settings

Report = Callable[[str, dict[str, Any]], None]
"""Called with "start", "step", "evaluation" or "end" and facts, for progress bars and logs."""


@dataclass
class Outcome:
    """What a run came to.

    Attributes:
        folder: the run's folder.
        steps: learner's decisions in all.
        finished: False when a time limit or the user ended it early.
        strength: the final table's rows (see agents/banquet_agents/arena/evaluate.py).
        profile: where the time went.
        seconds: of training, evaluations included, the time before a resumption too.
    """

    folder: Path
    steps: int
    finished: bool
    strength: list[dict[str, Any]]
    profile: Profile
    seconds: float


def game_of(name: str, settings: GameSettings) -> Game:
    """The Game that is trained: with no number of players given, the smallest above one."""
    spec = game_spec(name)
    players = settings.players or max(spec.min_players, min(2, spec.max_players))
    return make_game(name, players, settings.reward, **settings.options)


def train(
    name: str,
    settings: Settings,
    folder: Path,
    seed: int = 0,
    threads: int | None = None,
    debug: bool = False,
    report: Report | None = None,
) -> Outcome:
    """Train from scratch.

    Args:
        name: the game's id.
        settings: see training/banquet_training/settings.py.
        folder: for everything the run writes; must be new or empty.
        seed: of games, seats, opponents, network and evaluations.
        threads: torch's threads; measured at the start, and again at every evaluation, when not given.
        debug: check distributions, actions and observations (slower).
        report: told how it goes.

    Raises:
        OptionError: a setting that is not allowed, or a folder in use.
    """
    game = game_of(name, settings.game)
    if "players" not in settings.game.options:
        settings = replace(settings, game=replace(settings.game, players=game.num_players))
    run = RunFolder(Path(folder))
    about = {"game": name, "seed": seed, "resumed": 0, "debug": debug, **surroundings()}
    trainer = Trainer(game, settings, seed, threads, debug, report)
    run.create(settings, about)
    return trainer.run(run, about)


def resume(
    folder: Path,
    steps: int | None = None,
    minutes: float | None = None,
    threads: int | None = None,
    debug: bool = False,
    report: Report | None = None,
) -> Outcome:
    """Go on with a run from its checkpoint: same network, optimiser, counters and frozen copies; new games.

    Args:
        folder: the run's folder.
        steps: a new total of learner's decisions, to go on beyond the first.
        minutes: a new time limit for this part.
        threads, debug, report: as for `train`.

    Raises:
        OptionError: no run there, or one that is complete.
        SaveError: a damaged checkpoint.
    """
    run = RunFolder(Path(folder))
    settings, about = run.settings(), run.about()
    parameters, counters = run.load_checkpoint()
    changes: dict[str, Any] = {"steps": steps or settings.run.steps}
    if minutes is not None:
        changes["minutes"] = minutes
    settings = replace(settings, run=replace(settings.run, **changes))
    if counters["steps"] >= settings.run.steps:
        raise OptionError(
            f"{folder}: has taken {counters['steps']:,} of {settings.run.steps:,} steps; give more --steps"
        )
    about["resumed"] += 1
    trainer = Trainer(game_of(about["game"], settings.game), settings, about["seed"], threads, debug, report)
    trainer.restore(run, parameters, counters, about["resumed"])
    return trainer.run(run, about)


class Trainer:
    """The parts of a run: pool, environment, learner, and the callback that ties them together."""

    def __init__(
        self, game: Game, settings: Settings, seed: int, threads: int | None, debug: bool, report: Report | None
    ) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.threads = threads
        self.report: Report = report or (lambda event, facts: None)
        self.profile = Profile()
        if threads is not None and threads < 1:
            raise OptionError(f"threads={threads} is not allowed; it must be 1 or more")
        checked_run(settings)
        torch.distributions.Distribution.set_default_validate_args(debug)
        pool, games = np.random.SeedSequence(seed).spawn(2)
        self.pool = OpponentPool(
            game, settings.pool.scripted, settings.pool.newest, settings.pool.frozen, settings.pool.keep, pool, True
        )
        ppo = settings.ppo
        self.learning_rate = Annealed(ppo.learning_rate, ppo.learning_rate_end)
        self.entropy_weight = Annealed(ppo.ent_coef, ppo.ent_coef_end)
        self.env = SelfPlayVecEnv(
            game, settings.run.games, self.pool, int(games.generate_state(1)[0]), debug, self.profile
        )
        self.model = TimedPPO(
            LeanPolicy, self.env, learning_rate=self.learning_rate, n_steps=ppo.n_steps, batch_size=ppo.batch_size,
            n_epochs=ppo.n_epochs, gamma=ppo.gamma, gae_lambda=ppo.gae_lambda, clip_range=ppo.clip_range,
            ent_coef=ppo.ent_coef, vf_coef=ppo.vf_coef, max_grad_norm=ppo.max_grad_norm, seed=seed, device="cpu",
            rollout_buffer_class=LeanBuffer, rollout_buffer_kwargs={"profile": self.profile},
            policy_kwargs=policy_arguments(settings.network),
        )  # fmt: skip
        self.model.profile = self.model.policy.profile = self.profile  # type: ignore[assignment]
        self.progress = Progress()

    def network(self) -> Network:
        """A frozen copy of the learner's network."""
        return exported(self.model.policy, self.settings.network, self.game.observation_size, self.game.num_actions)

    def restore(self, run: RunFolder, parameters: dict[str, Any], counters: dict[str, Any], resumed: int) -> None:
        """Take up a checkpoint."""
        self.model.set_parameters(parameters, exact_match=True, device="cpu")
        self.model.num_timesteps = counters["steps"]
        self.progress = Progress(**counters)
        for step in self.progress.frozen:
            kept = run / "frozen" / step
            self.pool.freeze(load_policy(self.game, str(kept)).network, step)
        self.env.seed(int(np.random.SeedSequence([self.seed, resumed]).generate_state(1)[0]))
        self.profile.load(run / "profile.json")

    def measure_threads(self) -> dict[int, float]:
        """Choose torch's threads by timing the learner's passes; nothing when they were given."""
        if self.threads is not None:
            torch.set_num_threads(self.threads)
            return {}
        rows = min(self.settings.ppo.batch_size, 4096)
        observations = torch.zeros(rows, self.game.observation_size)
        masks = torch.ones(rows, self.game.num_actions, dtype=torch.bool)
        actions = torch.zeros(rows, dtype=torch.int64)

        def work() -> None:
            values, log_p, _ = self.model.policy.evaluate_actions(observations, actions, masks)
            (values.mean() + log_p.mean()).backward()
            self.model.policy.optimizer.zero_grad()

        most = cores()
        return measured_threads(work, sorted({1, *(2**k for k in range(1, 5) if 2**k <= most), most}))

    def run(self, run: RunFolder, about: dict[str, Any]) -> Outcome:
        """Train to the end (or the time limit, or the user's interrupt), evaluate, write everything down."""
        self.model.set_logger(configure(str(run / "tensorboard"), ["tensorboard"]))
        speeds = self.measure_threads()
        about["threads"] = {
            "torch": torch.get_num_threads(),
            "measured": {str(k): round(v, 2) for k, v in speeds.items()},
        }
        run.describe(about)
        callback = Conductor(self, run)
        self.report("start", {"steps": self.settings.run.steps, "done": self.progress.steps, **about["threads"]})
        interrupted = False
        remaining = self.settings.run.steps - self.progress.steps
        fresh = self.progress.steps == 0
        try:
            self.model.learn(remaining, callback, log_interval=1, reset_num_timesteps=fresh)
        except KeyboardInterrupt:
            interrupted = True
        callback.evaluate()
        about["ended"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        run.describe(about)
        finished = self.progress.steps >= self.settings.run.steps and not interrupted
        rows = self.final_table(run)
        outcome = Outcome(run.path, self.progress.steps, finished, rows, self.profile, self.progress.seconds)
        self.write_summary(run, outcome)
        self.report("end", {"outcome": outcome})
        return outcome

    def final_table(self, run: RunFolder) -> list[dict[str, Any]]:
        """The best policy against every scripted agent, on deals that no evaluation before has used."""
        seed = int(np.random.SeedSequence([self.seed, 1_000_003]).generate_state(1)[0])
        agent = load_policy(self.game, str(find_policy(run / "best")))
        with self.profile.section("evaluation"):
            rows = strength(self.game, ("trained", agent), None, self.settings.run.final_games, seed)
        write_csv(rows, run / "strength.csv")
        return rows

    def write_summary(self, run: RunFolder, outcome: Outcome) -> None:
        """strength.md, profile.*, and an SB3 zip for those who go on in SB3."""
        game, solo = self.game, self.game.num_players == 1
        options = ", ".join(f"{k}={v}" for k, v in game.options.items()) or "none"
        head = (
            f"{game.spec.title}, {game.num_players} players, options: {options}, reward {game.reward}."
            f" {outcome.steps:,} decisions of the learner in {outcome.seconds / 60:.1f} minutes, seed {self.seed}."
            f" The best policy of the run, playing its best action; 95 % intervals over deals."
        )
        (run / "strength.md").write_text(f"{head}\n\n{markdown(outcome.strength, solo)}\n")
        self.profile.save(run / "profile.json")
        (run / "profile.md").write_text(self.profile.markdown() + "\n")
        self.model.save(
            run / "sb3_model.zip", exclude=["rollout_buffer_kwargs", "lr_schedule", "learning_rate", "profile"]
        )


@dataclass
class Progress:
    """The counters that a checkpoint keeps."""

    steps: int = 0
    seconds: float = 0.0
    evaluations: int = 0
    freezes: int = 0
    best: float = -1e9
    frozen: tuple[str, ...] = ()


class Conductor(BaseCallback):
    """Between rollouts: renew and freeze copies, evaluate, keep checkpoints, watch the clock."""

    def __init__(self, trainer: Trainer, run: RunFolder) -> None:
        super().__init__()
        self.trainer, self.run = trainer, run
        self.start = time.perf_counter()
        self.before = trainer.progress.seconds
        self.curve = read_curve(run / "curve.csv")

    def fraction(self) -> float:
        """How much of the run is done, by steps or by time, whichever is further."""
        limit = self.trainer.settings.run
        by_time = (time.perf_counter() - self.start) / (60 * limit.minutes) if limit.minutes else 0.0
        return max(self.num_timesteps / limit.steps, by_time)

    def _on_rollout_start(self) -> None:
        trainer, limit, done = self.trainer, self.trainer.settings.run, self.fraction()
        trainer.progress.steps = self.model.num_timesteps
        trainer.progress.seconds = self.before + time.perf_counter() - self.start
        trainer.learning_rate.done = trainer.entropy_weight.done = done
        trainer.model.ent_coef = trainer.entropy_weight()
        network = trainer.network()
        trainer.pool.renew(network)
        if done * limit.freezes >= trainer.progress.freezes:
            self.freeze(network)
        if done * limit.evaluations >= trainer.progress.evaluations:
            self.evaluate()
            trainer.measure_threads()

    def _on_step(self) -> bool:
        if self.n_calls % 8 == 0:
            self.trainer.report("step", {"steps": self.num_timesteps, "fraction": self.fraction()})
        limit = self.trainer.settings.run.minutes
        return not limit or time.perf_counter() - self.start < 60 * limit

    def _on_rollout_end(self) -> None:
        shares = defaultdict(list)
        env = self.trainer.env
        for opponents, seat, points, share in env.outcomes:
            shares["points"].append(points)
            shares[f"share_in_seat_{seat}"].append(share)
            for name in set(opponents):
                kind = "frozen" if name.isdecimal() else name
                shares[f"share_against_{kind}"].append(share)
        env.outcomes.clear()
        for key, values in shares.items():
            self.logger.record(f"selfplay/{key}", float(np.mean(values)))

    def freeze(self, network: Network) -> None:
        """Put a copy into the pool and on disk."""
        trainer = self.trainer
        name = f"{self.model.num_timesteps:09d}"
        trainer.pool.freeze(network, name)
        trainer.progress.freezes = int(self.fraction() * trainer.settings.run.freezes) + 1
        trainer.progress.frozen = tuple(holder.name for holder in trainer.pool.frozen)
        save_policy(self.run / "frozen" / name, trainer.game, network, self.about())

    def about(self) -> dict[str, Any]:
        """What a policy's JSON says of its origin."""
        return {"steps": self.model.num_timesteps, "seed": self.trainer.seed, **surroundings()}

    def evaluate(self) -> None:
        """Strength now, a point of the curve, `last`, perhaps `best`, a checkpoint."""
        trainer, progress, game = self.trainer, self.trainer.progress, self.trainer.game
        progress.steps = self.model.num_timesteps
        progress.evaluations = int(self.fraction() * trainer.settings.run.evaluations) + 1
        network = trainer.network()
        seed = int(np.random.SeedSequence([trainer.seed, 7, progress.evaluations]).generate_state(1)[0])
        agent = PolicyAgent(game, network)
        with trainer.profile.section("evaluation"):
            rows = strength(game, ("trained", agent), None, trainer.settings.run.evaluation_games, seed)
        progress.seconds = self.before + time.perf_counter() - self.start
        rows = [r for r in rows if r["seat"] == "all"]
        for row in rows:
            self.curve.append({"step": progress.steps, "training_seconds": round(progress.seconds, 1), **row})
            what = "points" if game.num_players == 1 else "share"
            self.logger.record(f"evaluation/{what}_against_{row['opponent']}", row[what])
        write_csv(self.curve, self.run / "curve.csv")
        draw_curve(
            self.curve, game.num_players, f"{game.spec.title}, {game.num_players} players", self.run / "curve.png"
        )
        save_policy(self.run / "last", game, network, self.about())
        if score(rows, game.num_players) > progress.best or not (self.run / "best").exists():
            progress.best = score(rows, game.num_players)
            save_policy(self.run / "best", game, network, self.about())
        self.run.save_checkpoint(trainer.model.get_parameters(), vars(progress))
        trainer.profile.save(self.run / "profile.json")
        trainer.report("evaluation", {"steps": progress.steps, "rows": rows, "players": game.num_players})


def score(rows: list[dict[str, Any]], players: int) -> float:
    """What makes a policy the best one: its mean win share over the ladder, then its lead in points."""
    lead = float(np.mean([r["lead"] for r in rows]))
    return lead if players == 1 else float(np.mean([r["share"] for r in rows])) + 1e-3 * lead


def checked_run(settings: Settings) -> None:
    """Refuse numbers that cannot be.

    Raises:
        OptionError: names the first.
    """
    for table in ("run", "ppo"):
        for key in ("steps", "games", "n_steps", "batch_size", "n_epochs", "evaluation_games", "final_games"):
            value = getattr(getattr(settings, table), key, 1)
            if value < 1:
                raise OptionError(f"{table}.{key}={value} is not allowed; it must be 1 or more")
    if settings.network.activation not in ("relu", "tanh"):
        raise OptionError(f"network.activation={settings.network.activation!r} is not allowed; choose relu or tanh")
