"""A training run: one call, one folder. Who learns is a learner's business (selfplay_ppo.py, imitation.py,
expert_iteration.py, sb3_learner.py).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from banquet_agents.arena.evaluate import markdown, strength
from banquet_agents.arena.processes import cores
from banquet_agents.arena.tables import write_csv
from banquet_agents.files import write_whole
from banquet_agents.forms import read_table
from banquet_agents.policy import Network, find_policy, load_policy, save_policy
from banquet_agents.registry import users_module
from banquet_envs.core.errors import OptionError, SaveError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, list_games, make_game, reference
from banquet_training.actor_critic import settings_of, shape_of
from banquet_training.conductor import IMITATION, SEARCH, Progress, Report, RunConductor
from banquet_training.expert_iteration import ExpertIteration
from banquet_training.imitation import Imitation
from banquet_training.pool import OpponentPool
from banquet_training.profile import Profile
from banquet_training.runs import RunFolder, surroundings
from banquet_training.selfplay_ppo import SelfPlayPPO
from banquet_training.settings import GameSettings, Settings, checked
from banquet_training.tuning import Precision, measured_precision, measured_threads

LEARNERS = ("selfplay", SEARCH, "sb3", IMITATION)
START = "start"
"""The folder, within the run's, of the policy that the run began from."""


class Learner(Protocol):
    """What a run asks of whoever learns."""

    @property
    def steps(self) -> int:
        """Decisions learned from so far."""

    @property
    def outcomes(self) -> list[Any]:
        """(opponents' names, seat, points, share of the win) of games since it was last emptied."""

    def learn(self, conductor: Any, total: int) -> None:
        """Go on to `total` steps, or until the conductor ends it (see selfplay_ppo.Conductor)."""

    def anneal(self, done: float) -> None:
        """Set rates and weights for this part of the way, from 0 to 1."""

    def network(self) -> Network:
        """A frozen copy of the policy."""

    def parameters(self) -> dict[str, Any]:
        """For a checkpoint: module -> state_dict, "...optimizer" -> the optimiser's."""

    def restore(self, parameters: dict[str, Any], steps: int, seed: int) -> None:
        """Take up a checkpoint, with new games from `seed`."""


@dataclass
class Outcome:
    """What a run came to.

    Attributes:
        folder: the run's folder.
        steps: decisions learned from in all.
        finished: False when a time limit or the user ended it early.
        strength: the final table's rows (see agents/banquet_agents/arena/evaluate.py).
        profile: where the time went.
        seconds, cpu_seconds: of training, evaluations included, the time before a resumption too.
    """

    folder: Path
    steps: int
    finished: bool
    strength: list[dict[str, Any]]
    profile: Profile
    seconds: float
    cpu_seconds: float = 0.0


def game_of(name: str, settings: GameSettings) -> Game:
    """The Game that is trained: with no number of players given, the smallest above one."""
    spec = game_spec(name)
    players = settings.players or max(spec.min_players, min(2, spec.max_players))
    return make_game(name, players, settings.reward, settings.components or None, **settings.options)


def train(
    name: str,
    settings: Settings,
    folder: Path,
    seed: int = 0,
    threads: int | None = None,
    debug: bool = False,
    report: Report | None = None,
    start: str | None = None,
) -> Outcome:
    """Train from scratch, from a policy, or, with `imitation.first`, from a teacher.

    Args:
        name: the game's id.
        settings: see training/banquet_training/settings.py.
        folder: for everything the run writes; must be new or empty.
        seed: of games, seats, opponents, network and evaluations.
        threads: torch's threads; measured at the start, and again at every evaluation, when not given.
        debug: check distributions, actions and observations (slower).
        report: told how it goes.
        start: `policy:FOLDER` to begin from; the network's shape is then that policy's.

    Raises:
        OptionError: a setting that is not allowed, a folder in use, no such policy.
    """
    checked_run(settings)
    game = game_of(name, settings.game)
    if "players" not in settings.game.options:
        settings = replace(settings, game=replace(settings.game, players=game.num_players))
    policy = None if start is None else load_policy(game, start.removeprefix("policy:")).network
    if policy is not None:
        settings = replace(settings, network=replace(settings.network, **settings_of(policy.shape)))
    run = RunFolder(Path(folder))
    about = {"game": reference(game.name), "identity": game.identity(), "seed": seed, "resumed": 0, "debug": debug}
    about |= surroundings()
    if start is not None:
        about["from"] = start
    run.create(settings, about)
    if policy is not None:
        save_policy(run / START, game, policy, {"from": start})
    elif settings.imitation.first and settings.run.learner != IMITATION:
        policy = _taught(game, settings, run, seed, threads, report)
        if policy is None:
            return Outcome(run.path, 0, False, [], Profile(), 0.0)
    trainer = Trainer(game, settings, seed, threads, debug, report, policy)
    return trainer.run(run, about)


def imitate(
    name: str,
    settings: Settings,
    folder: Path,
    seed: int = 0,
    threads: int | None = None,
    report: Report | None = None,
) -> Outcome:
    """Learn from `settings.imitation.teacher`; arguments and errors as for `train`."""
    run = replace(settings.run, learner=IMITATION, steps=settings.imitation.decisions)
    return train(name, replace(settings, run=run), folder, seed, threads, report=report)


def _taught(
    game: Game, settings: Settings, run: RunFolder, seed: int, threads: int | None, report: Report | None,
    allow_imports: bool = False,
) -> Network | None:  # fmt: skip
    """The policy that the run begins from, taught within its folder (or taken from there); None if that was ended."""
    lesson = run / IMITATION
    limits = replace(settings.run, minutes=0.0, cpu_minutes=0.0)
    if not (lesson / "config.toml").is_file():
        imitate(game.name, replace(settings, run=limits), lesson, seed, threads, report)
    elif not _learnt(lesson, settings.imitation.decisions):
        resume(lesson, threads=threads, report=report, allow_imports=allow_imports)
    if not _learnt(lesson, settings.imitation.decisions):
        return None
    policy = load_policy(game, str(lesson)).network
    save_policy(run / START, game, policy, {"from": IMITATION})
    return policy


def _learnt(folder: Path, steps: int) -> bool:
    """Whether the run there has taken all of its steps."""
    run = RunFolder(folder)
    return not run.unbegun() and run.load_checkpoint()[1]["steps"] >= steps


def resume(
    folder: Path,
    steps: int | None = None,
    minutes: float | None = None,
    threads: int | None = None,
    debug: bool = False,
    report: Report | None = None,
    allow_imports: bool = False,
) -> Outcome:
    """Go on with a run from its checkpoint: same network, optimiser, counters and frozen copies; new games.

    A run that was killed before its first checkpoint begins again.

    Args:
        folder: the run's folder.
        steps: a new total of decisions, to go on beyond the first.
        minutes: a new time limit for this part.
        threads, debug, report: as for `train`.
        allow_imports: import the modules that the folder names, perhaps somebody else's: that of a game, and of agents.

    Raises:
        OptionError: no run there, one that is complete, of other rules or components, or one that would import modules.
        SaveError: a damaged checkpoint.
    """
    run = RunFolder(Path(folder))
    settings, about = run.settings(), run.about()
    _refuse_imports(run, settings, about, allow_imports)
    changes: dict[str, Any] = {"steps": steps or settings.run.steps}
    if minutes is not None:
        changes["minutes"] = minutes
    settings = replace(settings, run=replace(settings.run, **changes))
    checked_run(settings)
    game = game_of(about["game"], settings.game)
    _refuse_others(run, game, about)
    started = (run / START).is_dir()
    if settings.imitation.first and settings.run.learner != IMITATION and not started:  # ended while it was taught
        policy = _taught(game, settings, run, about["seed"], threads, report, allow_imports)
        if policy is None:
            return Outcome(run.path, 0, False, [], Profile(), 0.0)
        return Trainer(game, settings, about["seed"], threads, debug, report, policy).run(run, about)
    if run.unbegun():
        policy = load_policy(game, str(run / START)).network if started else None
        return Trainer(game, settings, about["seed"], threads, debug, report, policy).run(run, about)
    parameters, counters = run.load_checkpoint()
    counters = vars(read_table(Progress, counters, f"{run.path}: the checkpoint"))
    if counters["steps"] >= settings.run.steps:
        raise OptionError(
            f"{folder}: has taken {counters['steps']:,} of {settings.run.steps:,} steps; give more --steps"
        )
    about["resumed"] += 1
    policy = load_policy(game, str(run / START)).network if started else None
    trainer = Trainer(game, settings, about["seed"], threads, debug, report, policy)
    trainer.restore(run, parameters, counters, about["resumed"])
    return trainer.run(run, about)


def _refuse_imports(run: RunFolder, settings: Settings, about: dict[str, Any], allowed: bool) -> None:
    """A folder may be somebody else's: what it names is imported only by those who say that they trust it."""
    agents = [*settings.pool.scripted]
    if settings.imitation.first or settings.run.learner == IMITATION:
        agents.append(settings.imitation.teacher)
    kinds = {module for name in agents if (module := users_module(name))}
    home, _, name = str(about["game"]).rpartition(":")
    if home and name not in list_games():
        kinds.add(home)
    if kinds and not allowed:
        raise OptionError(
            f"{run.path}: needs the modules {', '.join(sorted(kinds))}; whoever trusts them goes on with --allow-imports"
        )


def _refuse_others(run: RunFolder, game: Game, about: dict[str, Any]) -> None:
    """A run goes on with the rules and components that it began with."""
    for key, value in json.loads(json.dumps(game.identity())).items():
        if about["identity"].get(key) != value:
            raise OptionError(f"{run.path}: was begun with {key} {about['identity'].get(key)!r}, this is {value!r}")


class Trainer:
    """The parts of a run: pool, learner, and what ties them together.

    Args:
        game: the Game.
        settings: everything the run is told.
        seed: of everything random.
        threads: torch's; measured when None.
        debug: check more, more slowly.
        report: told how it goes.
        start: the policy to begin from.
    """

    def __init__(
        self, game: Game, settings: Settings, seed: int, threads: int | None, debug: bool, report: Report | None,
        start: Network | None = None,
    ) -> None:  # fmt: skip
        self.game, self.settings, self.seed = game, settings, seed
        self.threads = threads
        self.report: Report = report or (lambda event, facts: None)
        self.profile = Profile()
        if threads is not None and threads < 1:
            raise OptionError(f"threads={threads} is not allowed; it must be 1 or more")
        checked_run(settings)
        torch.distributions.Distribution.set_default_validate_args(debug)
        pool, games = np.random.SeedSequence(seed).spawn(2)
        self.precision = Precision(settings.network.precision == "bfloat16")
        self.pool = OpponentPool(
            game, settings.pool.scripted, settings.pool.newest, settings.pool.frozen, settings.pool.keep, pool, True
        )
        self.learner = self._learner(int(games.generate_state(1)[0]), debug, start)
        self.progress = Progress()

    def _learner(self, seed: int, debug: bool, start: Network | None) -> Learner:
        game, settings = self.game, self.settings
        if settings.run.learner == IMITATION:
            return Imitation(game, settings, seed, self.precision, self.profile)
        if settings.run.learner == SEARCH:
            return ExpertIteration(game, settings, self.pool, seed, self.precision, self.profile, start)
        if settings.run.learner == "sb3":
            from banquet_training.sb3_learner import SB3Learner  # needs stable_baselines3, which nothing else does

            return SB3Learner(game, settings, self.pool, seed, self.seed, debug, self.profile, start)
        return SelfPlayPPO(game, settings, self.pool, seed, self.precision, self.profile, start)

    def restore(self, run: RunFolder, parameters: dict[str, Any], counters: dict[str, Any], resumed: int) -> None:
        """Take up a checkpoint."""
        self.progress = Progress(**counters)
        games = int(np.random.SeedSequence([self.seed, resumed]).generate_state(1)[0])
        try:
            self.learner.restore(parameters, self.progress.steps, games)
        except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SaveError(
                f"{run.path}: the checkpoint is not of this network ({' '.join(str(error).split())[:200]})"
            ) from error
        for step in self.progress.frozen:
            with suppress(OptionError):  # a copy that cannot be read is one opponent less
                self.pool.freeze(load_policy(self.game, str(run / "frozen" / step)).network, step)
        self.profile.load(run / "profile.json")

    def measure(self) -> dict[str, Any]:
        """Choose torch's threads and precision by timing a pass of the network; what was measured."""
        work = self._pass()
        if self.threads is not None:
            torch.set_num_threads(self.threads)
            return {}
        if self.settings.run.learner == "sb3" or self.settings.network.precision != "auto":
            speeds: dict[str, float] = {}
        else:
            torch.set_num_threads(1)
            speeds = measured_precision(work, self.precision)
        most = cores()
        threads = measured_threads(work, sorted({1, *(2**k for k in range(1, 5) if 2**k <= most), most}))
        return {"measured": threads, "precisions": speeds}

    def _pass(self) -> Callable[[], None]:
        """A pass of a network of the learner's shape over a minibatch, for timing."""
        from banquet_training.actor_critic import ActorCritic

        model = ActorCritic(shape_of(self.game, self.settings.network))
        observations = torch.zeros(min(self.settings.ppo.batch_size, 4096), self.game.observation_size)

        def work() -> None:
            with self.precision.context():
                features = model.features(observations)
                loss = model.logits(features).mean() + model.values(features).mean()
            loss.backward()
            model.zero_grad()

        return work

    def run(self, run: RunFolder, about: dict[str, Any]) -> Outcome:
        """Train to the end (or a limit, or the user's interrupt), evaluate, write everything down."""
        found = self.measure()
        threads, speeds = torch.get_num_threads(), found.get("measured", {})
        about["threads"] = {"torch": threads, "measured": {str(k): round(v, 2) for k, v in speeds.items()}}
        about["precision"] = {"used": self.precision.name, "measured": found.get("precisions", {})}
        run.describe(about)
        conductor = RunConductor(self, run)
        facts = {"steps": self.settings.run.steps, "done": self.progress.steps, "precision": self.precision.name}
        self.report("start", {**facts, **about["threads"], "learner": self.settings.run.learner})
        interrupted = False
        if run.unbegun():
            conductor.keep()
        try:
            self.learner.learn(conductor, self.settings.run.steps)
        except KeyboardInterrupt:  # first what may not be lost, then what can be made again
            interrupted = True
            conductor.keep()
        conductor.evaluate()
        conductor.close()
        about["ended"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        run.describe(about)
        finished = not interrupted and (self.progress.steps >= self.settings.run.steps or conductor.cpu_spent())
        rows = self.final_table(run)
        progress = self.progress
        outcome = Outcome(
            run.path, progress.steps, finished, rows, self.profile, progress.seconds, progress.cpu_seconds
        )
        self.write_summary(run, outcome)
        self.report("end", {"outcome": outcome})
        return outcome

    def final_table(self, run: RunFolder) -> list[dict[str, Any]]:
        """The best policy against every scripted agent, on deals that no evaluation before has used."""
        seed = int(np.random.SeedSequence([self.seed, 1_000_003]).generate_state(1)[0])
        try:
            agent = load_policy(self.game, str(find_policy(run / "best")))
        except OptionError:  # torn by whoever wrote it: the newest one is as good as can be had
            agent = load_policy(self.game, str(find_policy(run / "last")))
        with self.profile.section("evaluation"):
            rows = strength(self.game, ("trained", agent), None, self.settings.run.final_games, seed)
        write_csv(rows, run / "strength.csv")
        return rows

    def write_summary(self, run: RunFolder, outcome: Outcome) -> None:
        """strength.md and profile.*; for the SB3 learner also a zip for those who go on in SB3."""
        game, solo = self.game, self.game.num_players == 1
        options = ", ".join(f"{k}={v}" for k, v in game.options.items()) or "none"
        how = f"{outcome.steps:,} decisions learned from"
        if type(self.learner) is Imitation:  # expert iteration is one, too, but has no other teacher
            how = (
                f"{outcome.steps:,} decisions of `{self.settings.imitation.teacher}` imitated, its choice met in"
                f" {self.learner.accuracy:.1%} of other games' decisions,"
            )
        head = (
            f"{game.spec.title}, {game.num_players} players, options: {options}, reward {game.reward}."
            f" {how} in {outcome.seconds / 60:.1f} minutes, {outcome.cpu_seconds / 60:.1f} of CPU time, seed {self.seed}."
            f" The best policy of the run, playing its best action; 95 % intervals over deals."
        )
        write_whole(run / "strength.md", f"{head}\n\n{markdown(outcome.strength, solo)}\n")
        self.profile.save(run / "profile.json")
        write_whole(run / "profile.md", self.profile.markdown() + "\n")
        if hasattr(self.learner, "save_zip"):
            self.learner.save_zip(run / "sb3_model.zip")


def checked_run(settings: Settings) -> None:
    """Refuse numbers that cannot be.

    Raises:
        OptionError: names the first.
    """
    checked(settings, "settings")
    choices = {
        "network.activation": (settings.network.activation, ("relu", "tanh")),
        "network.precision": (settings.network.precision, ("auto", "float32", "bfloat16")),
        "run.learner": (settings.run.learner, LEARNERS),
    }
    for name, (value, allowed) in choices.items():
        if value not in allowed:
            raise OptionError(f"{name}={value!r} is not allowed; choose {', '.join(allowed[:-1])} or {allowed[-1]}")
