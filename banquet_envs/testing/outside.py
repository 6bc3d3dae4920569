"""`check_records_from_outside`: records that pass `Game.check_records` cannot lead any kernel astray.

A small fuzzer. It begins with positions of random play and damages them again and again: values within, at and beyond the
declared bounds, entries swapped or moved from one place to another (so that sums of pieces stay), fields of other
positions, whole records drawn within the bounds, plain garbage. What still passes goes back into the pool, so that the
pool drifts away from what play can reach, as far as the game's bounds, pieces and invariants let it. Every record that has
passed is then put through all kernels, the words and the picture, and played on.

All of it runs in processes of its own: compiled (a crash or a hang shows), and as plain Python with every overflow an
error or with bounds checks compiled in (an index outside its array shows). The test suite runs it for seconds, and for
longer under the marker `long`; `python -m banquet_envs.testing.outside fuzz GAME SEED TRIES FILE` is one such process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core import soundness
from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, reference
from banquet_envs.testing.play import Configuration, configurations, play, random_actions

_POOL, _BATCH = 256, 64
_WHERE = "BANQUET_TESTING_WHERE"
"""Names the file in which a process notes what it is doing, for those who find it dead."""


def check_records_from_outside(
    game: str, seed: int = 1, tries: int = 600, again: int = 8, bounds: bool = False, patience: float = 600.0
) -> dict[str, int]:
    """Fuzz a game's records; what passes the check goes through all kernels, compiled and in a mode that sees indices.

    Args:
        game: a registered game. One that declares no bounds is not checked: nothing is promised of it.
        seed: of the damage.
        tries: damaged records for each configuration at the edges (see `edges`).
        again: how many of those that pass, for each configuration, are put through the second mode.
        bounds: the second mode is NUMBA_BOUNDSCHECK=1, which compiles anew, in place of plain Python, which is slow.
        patience: seconds after which a process is taken to hang.

    Returns:
        How many records were `tried`, `refused` and `passed`.

    Raises:
        AssertionError: a crash, a hang, or an error on a record that had passed; says which and how it came about.
    """
    if game_spec(game).bounds is None:
        return {"tried": 0, "refused": 0, "passed": 0}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "passed.npz"
        _elsewhere(["fuzz", reference(game), str(seed), str(tries), str(file)], {}, patience)
        with np.load(file) as kept:
            tried, passed = int(kept["tried"]), int(kept["passed"])
        second = {"NUMBA_BOUNDSCHECK": "1"} if bounds else {"NUMBA_DISABLE_JIT": "1"}
        _elsewhere(["exercise", reference(game), str(seed), str(again), str(file)], second, patience)
    return {"tried": tried, "refused": tried - passed, "passed": passed}


def edges(game: str) -> list[Configuration]:
    """The first and the last variant at the fewest and the most players."""
    spec = game_spec(game)
    ends = (spec.min_players, spec.max_players)
    found = [c for c in configurations(game) if c.players in ends]
    return [c for c in found if c.options in (dict(spec.variants[0]), dict(spec.variants[-1]))] or found[:1]


def _elsewhere(arguments: list[str], environment: dict[str, str], patience: float) -> None:
    """Run this module in a new process; its death, its errors and its silence are failures."""
    command = [sys.executable, "-m", "banquet_envs.testing.outside", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "where"
        where.write_text("starting")
        env = {**os.environ, **environment, _WHERE: str(where)}
        try:
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=patience)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"{environment}: hangs at {where.read_text().rstrip()}") from error
        last = done.stderr[-3000:]
        assert done.returncode == 0, f"{environment}: died ({done.returncode}) at {where.read_text().rstrip()}\n{last}"


# ---------------------------------------------------------------- damage


class Damage:
    """Damages records of one game, in place.

    Args:
        game: whose records.
        played: records (k,) of play, to borrow fields from.
        rng: where chance comes from.
    """

    def __init__(self, game: Game, played: np.recarray, rng: np.random.Generator) -> None:
        self.game, self.rng = game, rng
        self.played = dict(soundness.leaves(played))
        self.bounds = self._all_bounds(game.spec.bounds(game.rules[0]) if game.spec.bounds is not None else {})
        self.names = [name for name in self.played if name not in ("rng", "seed", "_pad")]
        self.ways: tuple[Callable[[dict[str, np.ndarray], int], None], ...] = (
            self._set, self._set, self._swap, self._swap, self._move, self._move, self._borrow, self._byte,
        )  # fmt: skip

    def some(self, states: np.recarray) -> None:
        """Between one and four changes in every record."""
        fields = dict(soundness.leaves(states))
        for row in range(len(states)):
            for _ in range(self.rng.integers(1, 5)):
                self.ways[self.rng.integers(len(self.ways))](fields, row)

    def whole(self, states: np.recarray) -> None:
        """Every own field of every record drawn within its bounds, the shared fields such as a game in progress has."""
        for name, values in soundness.leaves(states):
            if name in ("place", "over", "capped", "_pad"):
                values[:] = -1 if name == "place" else 0
            elif name in self.bounds:
                low, high = (np.broadcast_to(b, values.shape) for b in self.bounds[name])
                values[:] = self.rng.integers(low, high, endpoint=True)

    def _all_bounds(self, own: Any) -> dict[str, tuple[Any, Any]]:
        facts, seats = self.game.facts, np.arange(self.game.spec.max_players) < self.game.num_players
        shared = {
            "ply": (0, facts.longest_game),
            "player": (0, self.game.num_players - 1),
            "points": (np.where(seats, facts.points_min, 0), np.where(seats, facts.points_max, 0)),
            "place": (-1, self.game.num_players - 1),
        }
        flags = {name: (0, 1) for name, values in self.played.items() if values.dtype == np.uint8}
        return {**flags, **shared, **own}

    def _cell(self) -> tuple[str, tuple[int, ...]]:
        """A field, each as likely as another, and an entry of it."""
        name = self.names[self.rng.integers(len(self.names))]
        return name, tuple(int(self.rng.integers(size)) for size in self.played[name].shape[1:])

    def _put(self, values: np.ndarray, at: tuple[int, ...], value: int) -> None:
        info = np.iinfo(values.dtype)
        values[at] = min(max(value, info.min), info.max)

    def _set(self, fields: dict[str, np.ndarray], row: int) -> None:
        name, at = self._cell()
        low, high = (int(np.broadcast_to(b, fields[name].shape[1:])[at]) for b in self.bounds[name])
        info = np.iinfo(fields[name].dtype)
        near = int(fields[name][(row, *at)]) + int(self.rng.integers(-2, 3))
        inside = int(self.rng.integers(low, high, endpoint=True))
        choices = [inside, inside, near, near, low, high, low - 1, high + 1, info.min, info.max]
        self._put(fields[name], (row, *at), choices[self.rng.integers(len(choices))])

    def _swap(self, fields: dict[str, np.ndarray], row: int) -> None:
        """Two entries of a field, or (one time in four) of two fields, change places."""
        one, a = self._cell()
        other, b = self._cell()
        if self.rng.random() < 0.75:
            other, b = one, tuple(int(self.rng.integers(size)) for size in self.played[one].shape[1:])
        first, second = int(fields[one][(row, *a)]), int(fields[other][(row, *b)])
        self._put(fields[one], (row, *a), second)
        self._put(fields[other], (row, *b), first)

    def _move(self, fields: dict[str, np.ndarray], row: int) -> None:
        """Some units from one entry to another."""
        one, a = self._cell()
        other, b = self._cell()
        units = int(self.rng.integers(1, 4))
        self._put(fields[one], (row, *a), int(fields[one][(row, *a)]) - units)
        self._put(fields[other], (row, *b), int(fields[other][(row, *b)]) + units)

    def _borrow(self, fields: dict[str, np.ndarray], row: int) -> None:
        """A few fields as some position of play had them."""
        lender = self.rng.integers(len(next(iter(self.played.values()))))
        for _ in range(self.rng.integers(1, 5)):
            name = self.names[self.rng.integers(len(self.names))]
            fields[name][row] = self.played[name][lender]

    def _byte(self, fields: dict[str, np.ndarray], row: int) -> None:
        """One byte of one entry."""
        name, at = self._cell()
        values = fields[name]
        data = bytearray(np.asarray(values[(row, *at)]).tobytes())
        data[self.rng.integers(len(data))] = self.rng.integers(256)
        values[(row, *at)] = np.frombuffer(data, values.dtype)[0]


def positions(game: Game, seed: int, n: int = 96) -> np.recarray:
    """About `n` positions of random play, ends included."""
    seen: list[np.recarray] = []
    ended = play(game, 6, seed, lambda states, mask: seen.append(records.copy(states)))
    every = max(1, 6 * len(seen) // n)
    raw = np.concatenate([records.rows(states) for states in (*seen, ended)])
    return records.take(raw.reshape(-1).view(game.spec.state), np.arange(0, len(raw), every))


def fuzz(game: Game, seed: int, tries: int, note: Callable[[str], None]) -> tuple[np.recarray, np.recarray, int]:
    """Damage records `tries` times.

    Returns:
        The records that passed the check; for each the position of play that it goes back to; how many were tried.
        Damage that changes nothing (two equal entries swapped) counts in neither.
    """
    rng = np.random.default_rng(seed)
    played = positions(game, seed)
    damage = Damage(game, played, rng)
    pool, origin = records.copy(played), np.arange(len(played))
    passed, roots, tried = [], [], 0
    for batch in range(max(1, tries // _BATCH)):
        note(f"damaging and checking batch {batch}")
        chosen = rng.integers(len(pool), size=_BATCH)
        before = records.take(pool, chosen)
        trial = records.copy(before)
        damage.some(trial)
        if batch % 8 == 7:
            damage.whole(trial)
        if batch % 16 == 15:
            records.rows(trial)[:] = rng.integers(256, size=(_BATCH, trial.dtype.itemsize), dtype=np.uint8)
        changed = np.flatnonzero((records.rows(trial) != records.rows(before)).any(axis=1))
        tried += len(changed)
        wrong = soundness.faults(game, trial)
        good = np.array([row for row in changed if row not in wrong], np.int64)
        if len(good):
            passed.append(records.rows(trial)[good])
            roots.append(origin[chosen[good]])
            pool = records.take(
                np.concatenate([records.raw(pool), passed[-1].ravel()]).view(trial.dtype),
                slots := rng.permutation(len(pool) + len(good))[:_POOL],
            )
            origin = np.concatenate([origin, roots[-1]])[slots]
    raw = np.concatenate(passed) if passed else np.zeros((0, game.spec.state.itemsize), np.uint8)
    states = raw.reshape(-1).view(game.spec.state).view(np.recarray)
    return states, records.take(played, np.concatenate([*roots, np.zeros(0, np.int64)])), tried


# ---------------------------------------------------------------- what passed


def exercise(game: Game, one: np.recarray, seed: int, note: Callable[[str], None], moves: int) -> None:
    """Put a record, a batch of one, through all kernels, the words and the picture; play it on for some random moves."""
    rng = np.random.default_rng(seed)
    note("legal_actions")
    mask = game.legal_actions(one)
    for seat in range(game.num_players):
        note(f"observe for seat {seat}")
        game.observe(one, seat)
        note(f"determinize for seat {seat}")
        view = records.copy(one)
        game.determinize(view, seat, int(rng.integers(2**31)))
        note(f"the view of seat {seat}")
        game.legal_actions(view)
        game.observe(view, seat)
    note("words and pictures")
    for player in (None, int(one.player[0])):
        game.describe(one, player)
        game.draw(one, player)
    for action in np.flatnonzero(mask[0])[:30]:
        game.action_text(one, int(action))
    _play_on(game, one, rng, note, moves)


def _play_on(game: Game, start: np.recarray, rng: np.random.Generator, note: Callable[[str], None], moves: int) -> None:
    """Random moves from a record; a position far from play may end up without a legal move, which harms nobody."""
    one, buffers = records.copy(start), game.buffers(1)
    mask = game.legal_actions(one)
    for move in range(moves):
        if not mask.any():
            return
        action = random_actions(mask, rng)
        where = f"move {move}, action {action[0]}"
        note(where)
        before = records.copy(one)
        game.step(one, action)
        game.rewards(before, one)
        note(f"{where}, as a training step")
        game.advance(before, action, buffers)
        mask = game.legal_actions(one)
        note(f"{where}, determinize after it")
        view = records.copy(one)
        game.determinize(view, int(rng.integers(game.num_players)), move)


def difference(one: np.ndarray, other: np.ndarray) -> str:
    """The fields in which a record differs from another: `phase 1 -> 3, bag[2] 0 -> 1`."""
    found = []
    for (name, mine), (_, theirs) in zip(soundness.leaves(one), soundness.leaves(other), strict=True):
        for at in np.argwhere(np.atleast_1d(mine[0] != theirs[0])):
            place = (0, *at[: mine.ndim - 1])
            entry = f"[{', '.join(map(str, at))}]" if mine.ndim > 1 else ""
            found.append(f"{name}{entry} {theirs[place]} -> {mine[place]}")
    return ", ".join(found[:30]) + (f" and {len(found) - 30} more" if len(found) > 30 else "")


# ---------------------------------------------------------------- a process of its own


def _noting(prefix: str) -> Callable[[str], None]:
    """A function that writes down what is being done, so that it is known after a crash."""
    file = open(os.environ[_WHERE], "r+b", buffering=0) if _WHERE in os.environ else None  # noqa: SIM115 (kept open)

    def note(what: str) -> None:
        if file is not None:
            file.seek(0)
            file.write(f"{prefix}{what}".encode().ljust(400)[:400])

    return note


def _fuzz_all(game: str, seed: int, tries: int, file: Path) -> None:
    kept: dict[str, Any] = {}
    tried = passed = 0
    for k, configuration in enumerate(edges(game)):
        one = configuration.make()
        states, roots, done = fuzz(one, seed + k, tries, _noting(f"{configuration}: "))
        tried, passed = tried + done, passed + len(states)
        kept |= {f"states{k}": records.rows(states), f"roots{k}": records.rows(roots)}
        _exercise_all(configuration, states, roots, seed, moves=60)
    np.savez(file, tried=tried, passed=passed, **kept)


def _exercise_again(game: str, seed: int, limit: int, file: Path) -> None:
    """As many as `limit` for each configuration, evenly spread: the later one passed, the further it is from play."""
    with np.load(file) as kept:
        for k, configuration in enumerate(edges(game)):
            dtype, number = game_spec(game).state, len(kept[f"states{k}"])
            some = np.unique(np.linspace(0, number - 1, min(limit, number)).astype(np.int64))
            states, roots = (
                kept[f"{name}{k}"][some].reshape(-1).view(dtype).view(np.recarray) for name in ("states", "roots")
            )
            _exercise_all(configuration, states, roots, seed, moves=10)


def _exercise_all(configuration: Configuration, states: np.recarray, roots: np.recarray, seed: int, moves: int) -> None:
    """`exercise` for every record, with the words for what went wrong."""
    game = configuration.make()
    checks: dict[str, Any] = {} if JIT else {"over": "raise", "divide": "raise", "invalid": "raise"}
    said = [""]
    note = _noting("")

    def say(what: str) -> None:
        said[0] = what
        note(f"{trail}{what}")

    for row in range(len(states)):
        one = records.take(states, np.array([row]))
        trail = f"{configuration}, seed {seed}, {difference(one, roots[row : row + 1])}: "
        try:
            with np.errstate(**checks):
                exercise(game, one, seed, say, moves)
        except Exception as error:
            raise AssertionError(f"{trail}{said[0]}") from error


def _main(arguments: list[str]) -> None:
    what, game, seed, number, file = arguments
    game_spec(game)
    {"fuzz": _fuzz_all, "exercise": _exercise_again}[what](game.rpartition(":")[2], int(seed), int(number), Path(file))


if __name__ == "__main__":
    _main(sys.argv[1:])
