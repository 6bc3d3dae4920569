"""A training run: one call, one folder. Who learns is a learner's business (selfplay_ppo.py, imitation.py,
expert_iteration.py, sb3_learner.py).
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np
import torch
from annotated_types import Ge, Le, Predicate

from banquet_agents.arena.evaluate import markdown, overall, strength
from banquet_agents.arena.processes import cores
from banquet_agents.arena.tables import write_csv
from banquet_agents.files import write_whole
from banquet_agents.forms import read_table
from banquet_agents.policy import Network, PolicyAgent, find_policy, load_policy, save_policy
from banquet_agents.registry import users_module
from banquet_envs.core.errors import DivergedError, OptionError, SaveError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, list_games, make_game, reference
from banquet_training.actor_critic import settings_of, shape_of
from banquet_training.curves import draw_curve, read_curve
from banquet_training.expert_iteration import ExpertIteration
from banquet_training.imitation import Imitation
from banquet_training.pool import OpponentPool
from banquet_training.profile import Profile
from banquet_training.runs import RunFolder, surroundings
from banquet_training.selfplay_ppo import SelfPlayPPO
from banquet_training.settings import GameSettings, Settings, checked
from banquet_training.tuning import Precision, measured_precision, measured_threads

Report = Callable[[str, dict[str, Any]], None]
"""Called with "start", "step", "evaluation" or "end" and facts, for progress bars and logs."""
IMITATION = "imitation"
SEARCH = "search"
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


@dataclass
class Progress:
    """The counters that a checkpoint keeps."""

    steps: Annotated[int, Ge(0)] = 0
    seconds: Annotated[float, Ge(0), Le(1e12)] = 0.0
    cpu_seconds: Annotated[float, Ge(0), Le(1e12)] = 0.0
    evaluations: Annotated[int, Ge(0)] = 0
    freezes: Annotated[int, Ge(0)] = 0
    best: Annotated[float, Ge(-1e9), Le(1e9)] = -1e9
    frozen: tuple[Annotated[str, Predicate(str.isdecimal)], ...] = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


class Clock:
    """Time of a run, by the clock and of the processor, counted on from an earlier part."""

    def __init__(self, seconds: float = 0.0, cpu_seconds: float = 0.0) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        self._before = seconds, cpu_seconds

    @property
    def part(self) -> float:
        """Seconds of this part."""
        return time.perf_counter() - self._wall

    @property
    def seconds(self) -> float:
        """Seconds in all."""
        return self._before[0] + self.part

    @property
    def cpu_seconds(self) -> float:
        """Seconds of the processor in all, all threads together."""
        return self._before[1] + time.process_time() - self._cpu


class RunConductor:
    """Between collections: freeze copies, evaluate, keep checkpoints, watch the clock (see selfplay_ppo.Conductor)."""

    def __init__(self, trainer: Trainer, run: RunFolder) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.trainer, self.folder = trainer, run
        self.clock = Clock(trainer.progress.seconds, trainer.progress.cpu_seconds)
        self.curve = read_curve(run / "curve.csv", trainer.progress.steps)
        self.writer = SummaryWriter(str(run / "tensorboard"))  # type: ignore[no-untyped-call]

    # ------------------------------------------------------------ what learners call

    def collecting(self) -> None:
        """Before a collection: anneal, freeze, evaluate."""
        trainer, limit, done = self.trainer, self.trainer.settings.run, self.fraction()
        trainer.learner.anneal(done)
        if done * limit.freezes >= trainer.progress.freezes:
            self.freeze(trainer.learner.network())
        if done * limit.evaluations >= trainer.progress.evaluations:
            self.evaluate()
            trainer.measure()

    def keep_on(self) -> bool:
        """Within a collection: tell how far it is; False when a limit of time is reached."""
        self.trainer.report("step", {"steps": self.trainer.learner.steps, "fraction": self.fraction()})
        limit = self.trainer.settings.run.minutes
        return not self.cpu_spent() and (not limit or self.clock.part < 60 * limit)

    def note(self, facts: dict[str, float]) -> None:
        """After an update: TensorBoard's figures, and those of the games that ended.

        Raises:
            DivergedError: the update has made weights that are no numbers.
        """
        self._stop_if_diverged()
        shares = defaultdict(list)
        outcomes = self.trainer.learner.outcomes
        for opponents, seat, points, share in outcomes:
            shares["points"].append(points)
            shares[f"share_in_seat_{seat}"].append(share)
            for name in set(opponents):
                kind = "frozen" if name.isdecimal() else name
                shares[f"share_against_{kind}"].append(share)
        outcomes.clear()
        for key, value in {**facts, **{f"selfplay/{k}": float(np.mean(v)) for k, v in shares.items()}}.items():
            self._write(key, value)

    # ------------------------------------------------------------ how far

    def fraction(self) -> float:
        """How much of the run is done, by steps or by time, whichever is further."""
        limit = self.trainer.settings.run
        by_time = self.clock.part / (60 * limit.minutes) if limit.minutes else 0.0
        by_cpu = self.clock.cpu_seconds / (60 * limit.cpu_minutes) if limit.cpu_minutes else 0.0
        return max(self.trainer.learner.steps / limit.steps, by_time, by_cpu)

    def cpu_spent(self) -> bool:
        """Whether the run has used up the processor's time that it was given."""
        limit = self.trainer.settings.run.cpu_minutes
        return limit > 0 and self.clock.cpu_seconds >= 60 * limit

    def _stop_if_diverged(self) -> None:
        parts = [p for name, p in self.trainer.learner.parameters().items() if not name.endswith("optimizer")]
        if all(bool(torch.isfinite(weight).all()) for part in parts for weight in part.values()):
            return
        named = {IMITATION: "imitation.learning_rate", SEARCH: "search.learning_rate"}
        told = named.get(self.trainer.settings.run.learner, "ppo.learning_rate (or ppo.clip_range, ppo.max_grad_norm)")
        raise DivergedError(
            f"{self.folder.path}: training has diverged, weights are not finite after {self.trainer.learner.steps:,} decisions;"
            f" lower {told}. The checkpoint of step {self.trainer.progress.steps:,} and its policies are whole"
        )

    # ------------------------------------------------------------ keeping

    def keep(self) -> None:
        """A checkpoint of this moment, which a second interrupt cannot disturb; no evaluation."""
        trainer, progress = self.trainer, self.trainer.progress
        with undisturbed():
            progress.steps = trainer.learner.steps
            progress.seconds, progress.cpu_seconds = self.clock.seconds, self.clock.cpu_seconds
            self.folder.save_checkpoint(trainer.learner.parameters(), vars(progress))
            save_policy(self.folder / "last", trainer.game, trainer.learner.network(), self.about())
            trainer.profile.save(self.folder / "profile.json")

    def freeze(self, network: Network) -> None:
        """Put a copy into the pool and on disk."""
        trainer = self.trainer
        name = f"{trainer.learner.steps:09d}"
        trainer.pool.freeze(network, name)
        trainer.progress.freezes = int(self.fraction() * trainer.settings.run.freezes) + 1
        trainer.progress.frozen = tuple(holder.name for holder in trainer.pool.frozen)
        save_policy(self.folder / "frozen" / name, trainer.game, network, self.about())

    def about(self) -> dict[str, Any]:
        """What a policy's JSON says of its origin."""
        return {"steps": self.trainer.learner.steps, "seed": self.trainer.seed, **surroundings()}

    def evaluate(self) -> None:
        """Strength now, a point of the curve, `last`, perhaps `best`, a checkpoint."""
        trainer, progress, game = self.trainer, self.trainer.progress, self.trainer.game
        progress.steps = trainer.learner.steps
        progress.evaluations = int(self.fraction() * trainer.settings.run.evaluations) + 1
        network = trainer.learner.network()
        seed = int(np.random.SeedSequence([trainer.seed, 7, progress.evaluations]).generate_state(1)[0])
        agent = PolicyAgent(game, network)
        with trainer.profile.section("evaluation"):
            rows = strength(game, ("trained", agent), None, trainer.settings.run.evaluation_games, seed)
        progress.seconds, progress.cpu_seconds = self.clock.seconds, self.clock.cpu_seconds
        rows = overall(rows)
        self._draw(rows)
        save_policy(self.folder / "last", game, network, self.about())
        found = score(rows, game.num_players)
        if found > progress.best - doubt(rows, game.num_players) or not (self.folder / "best").exists():
            save_policy(self.folder / "best", game, network, self.about())
        progress.best = max(progress.best, found)
        self.folder.save_checkpoint(trainer.learner.parameters(), vars(progress))
        trainer.profile.save(self.folder / "profile.json")
        trainer.report("evaluation", {"steps": progress.steps, "rows": rows, "players": game.num_players})

    def _draw(self, rows: list[dict[str, Any]]) -> None:
        """Add a point to the curve."""
        progress, game = self.trainer.progress, self.trainer.game
        times = {
            "training_seconds": round(progress.seconds, 1),
            "cpu_seconds": round(progress.cpu_seconds, 1),
        }
        self.curve = [row for row in self.curve if row["step"] < progress.steps]  # resumed here: this point comes anew
        for row in rows:
            self.curve.append({"step": progress.steps, **times, **row})
            what = "points" if game.num_players == 1 else "share"
            self._write(f"evaluation/{what}_against_{row['opponent']}", row[what])
        write_csv(self.curve, self.folder / "curve.csv")
        title = f"{game.spec.title}, {game.num_players} players"
        with undisturbed():  # a library whose first import was interrupted cannot be imported again
            draw_curve(self.curve, game.num_players, title, self.folder / "curve.png")

    def _write(self, key: str, value: float) -> None:
        self.writer.add_scalar(key, value, self.trainer.learner.steps)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Finish TensorBoard's file."""
        self.writer.close()  # type: ignore[no-untyped-call]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C and the signals that end a process wait until this is done.

    They are taken and repeated: a mask of this thread alone would leave them to another one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    taken: list[int] = []
    before = {word: signal.getsignal(word) for word in (signal.SIGINT, signal.SIGTERM)}
    before = {word: handler for word, handler in before.items() if handler is not None}  # None: not Python's to restore
    for word in before:
        signal.signal(word, lambda number, frame: taken.append(number))
    try:
        yield
    finally:
        for word, handler in before.items():
            signal.signal(word, handler)
        if taken:
            signal.raise_signal(taken[0])


def score(rows: list[dict[str, Any]], players: int) -> float:
    """What makes a policy the best one: its mean win share over the ladder, then its lead in points."""
    lead = float(np.mean([r["lead"] for r in rows]))
    return lead if players == 1 else float(np.mean([r["share"] for r in rows])) + 1e-3 * lead


def doubt(rows: list[dict[str, Any]], players: int) -> float:
    """One standard error of `score`: within it the later policy is taken for the better one.

    The greatest of many noisy figures flatters its owner, and a learner whose rates fade seldom gets worse.
    """
    what = "lead" if players == 1 else "share"
    widths = np.array([r[f"{what}_high"] - r[f"{what}_low"] for r in rows], np.float64)
    return float(np.sqrt(np.square(np.nan_to_num(widths) / 3.92).sum()) / len(rows))


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
