"""The course of a run: when it evaluates, freezes copies, keeps checkpoints and ends."""

from __future__ import annotations

import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
import torch
from annotated_types import Ge, Le, Predicate

from banquet_agents.arena.evaluate import overall, strength
from banquet_agents.arena.tables import write_csv
from banquet_agents.policy import Network, PolicyAgent, save_policy
from banquet_envs.core.errors import DivergedError
from banquet_training.curves import draw_curve, read_curve
from banquet_training.runs import RunFolder, surroundings

if TYPE_CHECKING:
    from banquet_training.trainer import Trainer

Report = Callable[[str, dict[str, Any]], None]
"""Called with "start", "step", "evaluation" or "end" and facts, for progress bars and logs."""
IMITATION = "imitation"
SEARCH = "search"


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
