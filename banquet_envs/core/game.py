"""Game: a rule set with its options, and every operation on batches of games."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core import kernels, saves, soundness, state
from banquet_envs.core.compile import Kernels, bound, run_chunks
from banquet_envs.core.errors import GameOverError, IllegalActionError, OptionError
from banquet_envs.core.layout import Layout
from banquet_envs.core.rewards import SCHEMES
from banquet_envs.core.spec import Facts, GameSpec, read_components

_BYTES_PER_THREAD = 2**20
"""Records and observations that make a thread worth waking (about 100 microseconds): for small games thousands of rows."""
_KERNELS: dict[int, tuple[GameSpec, Kernels]] = {}


def game_kernels(spec: GameSpec) -> Kernels:
    """The compiled kernels of a game, shared by all Games of the same spec."""
    if id(spec) not in _KERNELS:
        namespace = spec.namespace()
        namespace["begin"] = bound(kernels.BEGIN, namespace)
        namespace["view"] = bound(kernels.VIEW, namespace)
        built = Kernels(spec.name, kernels.TEMPLATES, namespace, [spec.folder, *spec.extra_sources])
        _KERNELS[id(spec)] = spec, built
    return _KERNELS[id(spec)][1]


def spawn_seeds(n: int, seed: int | Sequence[int] | np.ndarray | None) -> np.ndarray:
    """uint64 (n,) seed words: spawned from one seed, or one from each of n seeds as if each were a batch of one.

    Raises:
        OptionError: a negative seed, not a whole number, or a list of another length.
    """
    if seed is None or isinstance(seed, int | np.integer):
        if seed is not None and seed < 0:
            raise OptionError(f"seed={seed} is not allowed; it must be 0 or more")
        return np.random.SeedSequence(None if seed is None else int(seed)).generate_state(n, np.uint64)
    if isinstance(seed, str) or not isinstance(seed, Sequence | np.ndarray) or len(seed) != n:
        raise OptionError(f"seed: expected a whole number or {n} of them, found {seed!r}")
    if n == 0:
        return np.zeros(0, np.uint64)
    return np.concatenate([spawn_seeds(1, int(s)) for s in seed])


class Game:
    """A rule set with its options. All calls are for whole batches of n games, all shapes are (n, ...).

    Made by `make_game`. A Game holds no game in progress: those are records that the caller owns.

    Attributes:
        spec: the rules (`GameSpec`).
        name: the id.
        num_players: number of seats P.
        options: every option, defaults filled in (players, reward and components are separate).
        reward: the reward scheme's name.
        num_actions: size A of the flat action space; an action number always means the same.
        observation_size: length W of an observation.
        layout: named slices of the observation.
        action_layout: named slices of the action numbers.
        facts: declared properties.
        rules: the RULES record, an array of shape (1,); do not change it.
        components: path of the component data in use; `components_hash` its content's hash.
        threads: Python threads over which batches are spread.
        rows_per_thread: fewest games for which another thread is woken; results do not depend on it.
    """

    def __init__(
        self,
        spec: GameSpec,
        players: int,
        reward: str = "win",
        components: str | Path | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.spec = spec
        self.name = spec.name
        self.options = spec.checked_options(players, options)
        if reward not in SCHEMES:
            raise OptionError(f"{spec.name}: reward={reward!r} is not allowed; choose one of {list(SCHEMES)}")
        if not isinstance(threads, int) or threads < 1:
            raise OptionError(f"{spec.name}: threads={threads!r} is not allowed; it must be 1 or more")
        self.num_players = int(players)
        self.reward = reward
        self.threads = threads
        self.components = Path(components) if components is not None else spec.components
        self._custom_components = components is not None
        data, self.components_hash = read_components(self.components)
        self.rules: np.ndarray = spec.make_rules(self.num_players, self.options, data).reshape(1)
        assert self.rules.dtype == spec.rules
        self.layout: Layout = spec.observation(self.rules[0])
        _fill_offsets(self.rules, self.layout)
        self.action_layout: Layout = spec.actions(self.rules[0])
        self.facts: Facts = spec.facts(self.rules[0])
        self.num_actions = self.action_layout.size
        self.observation_size = self.layout.size
        self.scheme = SCHEMES.index(reward)
        self.points_scale = float(self.facts.points_scale)
        self.rules_raw = state.raw(self.rules)
        self.kernels = game_kernels(spec)
        self.rows_per_thread = max(1, _BYTES_PER_THREAD // (spec.state.itemsize + 4 * self.observation_size))
        self._all_rows = np.arange(1)

    def __repr__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"make_game({self.name!r}, players={self.num_players}{options}, reward={self.reward!r})"

    def __reduce__(self) -> Any:
        components = str(self.components) if self._custom_components else None
        return _rebuild, (self.name, self.num_players, self.reward, components, self.threads, self.options)

    # ------------------------------------------------------------ running games

    def reset(self, n: int = 1, seed: int | Sequence[int] | np.ndarray | None = None) -> np.recarray:
        """`n` new games.

        Args:
            n: how many.
            seed: a whole number (n seeds are spawned from it), a list of n (each as a batch of one), None for entropy.

        Returns:
            np.recarray (n,) of the game's state dtype.
        """
        if n < 0:
            raise OptionError(f"n={n} is not allowed; it must be 0 or more")
        states = state.empty(n, self.spec.state)
        self.restart(states, spawn_seeds(n, seed))
        return states

    def restart(self, states: np.ndarray, words: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Set records up again, in place.

        Args:
            states: records (n,).
            words: seed words uint64 (n,), such as those found in `states.seed`.
            rows: int64 (k,), which records; all when not given.
        """
        words = np.ascontiguousarray(words, np.uint64)
        self._run("reset", states, words, rows=rows)

    def legal_actions(self, states: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """bool (n, A): what the seat to move may do; all False when the game is over."""
        out = self._buffer(out, (len(states), self.num_actions), np.bool_)
        self._run("legal", states, out)
        return out

    def step(self, states: np.ndarray, actions: Any) -> None:
        """Play one decision in every game, in place.

        Args:
            states: records (n,), none of them over.
            actions: integers (n,).

        Raises:
            GameOverError: some game has ended.
            IllegalActionError: some action is not legal; names the first. In both cases nothing has changed.
        """
        actions = self.checked_actions(states, actions)
        self._run("step", states, actions)

    def step_trusted(self, states: np.ndarray, actions: np.ndarray) -> None:
        """Like `step` for int64 actions that come straight from the masks: nothing is checked."""
        self._run("step", states, actions)

    def checked_actions(self, states: np.ndarray, actions: Any) -> np.ndarray:
        """int64 (n,) copies of `actions`, all legal; see `step` for the errors."""
        given = np.asarray(actions)
        if given.shape != (len(states),) or (given.dtype.kind not in "iu" and given.size):
            raise IllegalActionError(
                f"{self.name}: expected {len(states)} whole numbers as actions,"
                f" found shape {given.shape} of {given.dtype}"
            )
        actions = np.ascontiguousarray(given, np.int64)
        raw, rows = self._raw(states), self._rows(len(states))
        scratch = np.empty(self.num_actions, np.bool_)
        bad = self.kernels.check(raw, self.rules_raw, rows, actions, scratch, 0, len(rows))
        if bad >= 0:
            self._refuse(states, int(bad), int(given[bad]))
        return actions

    def _refuse(self, states: np.ndarray, index: int, action: int) -> None:
        """Raise the error for a refused action: it names the seat, the action in words and what was legal."""
        record = states[index]
        where = f"{self.name}, game {index} of the batch" if len(states) > 1 else self.name
        if record.over:
            raise GameOverError(f"{where}: the game is over; action {action} came too late")
        legal = np.flatnonzero(self.legal_actions(states[index : index + 1])[0])
        words = self.action_text(record, action) if 0 <= action < self.num_actions else "no such action"
        allowed = ", ".join(f"{a} ({self.action_text(record, int(a))})" for a in legal[:12])
        more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
        raise IllegalActionError(
            f"{where}: seat {record.player} may not play {action} ({words}); legal: {allowed}{more}"
        )

    def observe(
        self, states: np.ndarray, players: int | np.ndarray | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """float32 (n, W): what a seat may know.

        Args:
            states: records (n,).
            players: a seat, or a seat per game; the seat to move when not given.
            out: where to write, C-contiguous.
        """
        out = self._buffer(out, (len(states), self.observation_size), np.float32)
        self._run("observe", states, self._seats(players, len(states)), out)
        return out

    def determinize(
        self,
        states: np.ndarray,
        players: int | np.ndarray | None = None,
        seed: int | Sequence[int] | None = None,
        words: np.ndarray | None = None,
    ) -> None:
        """Replace, in place, all that a seat cannot know by a fair sample consistent with what it knows.

        The random stream and the stored seed are replaced too: nobody can foresee the dice.

        Args:
            states: records (n,).
            players: a seat, or a seat per game; the seat to move when not given.
            seed: as for `reset`.
            words: seed words uint64 (n,) in place of a seed, as for `restart`.
        """
        n = len(states)
        words = spawn_seeds(n, seed) if words is None else np.ascontiguousarray(words, np.uint64)
        self._run("determinize", states, self._seats(players, n), words)

    def rewards(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """float32 (n, P): what the step from `before` to `after` pays each seat under the reward scheme."""
        out = np.zeros((len(after), self.num_players), np.float32)
        first, second = self._raw(before), self._raw(after)
        if len(before) != len(after):
            raise OptionError(f"rewards: {len(before)} records before but {len(after)} after")
        self.kernels.reward(first, second, self.rules_raw, self.scheme, self.points_scale, out, 0, len(after))
        return out

    def buffers(self, n: int) -> Buffers:
        """Buffers of the right shapes for `advance` on n games; the caller owns them."""
        return Buffers(self, n)

    def advance(
        self,
        states: np.ndarray,
        actions: np.ndarray,
        buffers: Buffers,
        seats: np.ndarray | None = None,
        rows: np.ndarray | None = None,
        restart: bool = True,
    ) -> None:
        """The training step: apply, pay, restart what has finished, mask and observe, in one compiled call.

        Trusted: actions must be legal (they come from the masks of the step before).

        Args:
            states: records (n,), changed in place.
            actions: int64 (n,).
            buffers: from `buffers(n)`; rows that were played are overwritten, an array set to length 0 is not filled.
            seats: int64 (n,), whose view `observation` and `final_observation` are; -1 (default) is the seat to move.
            rows: int64 (k,), the games to play; all when not given.
            restart: begin a new game, from a seed derived from the old one, where a game has finished.
        """
        n = len(states)
        raw = self._raw(states)
        rows = self._rows(n) if rows is None else rows
        seats = buffers.movers if seats is None else seats
        fixed = (
            raw, self.rules_raw, rows, actions, seats, self.scheme, self.points_scale, restart, buffers.rewards,
            buffers.terminated, buffers.truncated, buffers.mask, buffers.observation, buffers.final_observation,
        )  # fmt: skip
        kernel = self.kernels.advance
        run_chunks(self.threads, len(rows), lambda lo, hi: kernel(*fixed, lo, hi), self.rows_per_thread)

    # ------------------------------------------------------------ for people

    def action_text(self, record: Any, action: int) -> str:
        """The action in the game's own terms, as the seat to move in `record` would say it."""
        if not 0 <= int(action) < self.num_actions:
            raise OptionError(f"{self.name}: action {action} outside 0..{self.num_actions - 1}")
        return self.spec.action_text(self.rules[0], _one(record), int(action))

    def describe(self, record: Any, player: int | None = None) -> str:
        """The position in words: all that `player` may know, or everything for None."""
        return self.spec.describe(self.rules[0], _one(record), self._seat(player))

    def draw(self, record: Any, player: int | None = None) -> str:
        """The position as an SVG text, as `player` may see it, or everything for None."""
        return self.spec.draw(self.rules[0], _one(record), self._seat(player))

    def _seat(self, player: int | None) -> int | None:
        if player is not None and not 0 <= player < self.num_players:
            raise OptionError(f"{self.name}: seat {player} outside 0..{self.num_players - 1}")
        return player

    # ------------------------------------------------------------ keeping games

    def identity(self) -> dict[str, Any]:
        """What saved games must agree on: game, rules version, options, components, record layout."""
        return {
            "game": self.name,
            "version": self.spec.version,
            "players": self.num_players,
            "options": self.options,
            "components": self.components_hash,
            "record": self.spec.state.itemsize,
        }

    def save(self, states: np.ndarray) -> bytes:
        """The records with what they need to be read again by an equal Game, and a checksum (core/saves.py)."""
        return saves.pack(self, states)

    def load(self, data: bytes) -> np.recarray:
        """Records written by `save`.

        Raises:
            SaveError: not a save, a damaged one, one of another game, version, option set or components file, or one whose
                records are not positions of this game (`check_records`).
        """
        return saves.unpack(self, data)

    def check_records(self, states: np.ndarray) -> None:
        """Hold records that come from outside against what the game declares of them (core/soundness.py).

        No record that passes can make a kernel read or write outside its arrays. Takes about a millisecond a record.

        Args:
            states: records (n,).

        Raises:
            SaveError: names the record, the field and what is wrong.
        """
        soundness.check_records(self, states)

    def replay(self, seed: int, actions: Sequence[int]) -> np.recarray:
        """The game of `reset(1, seed)` after `actions`: a game is its seed and its actions."""
        states = self.reset(1, seed)
        for action in actions:
            self.step(states, [action])
        return states

    # ------------------------------------------------------------ arguments, normalised in one place

    def _run(self, kernel: str, states: np.ndarray, *arrays: np.ndarray, rows: np.ndarray | None = None) -> None:
        raw = self._raw(states)
        if rows is None:
            rows = self._rows(len(states))
        call = functools.partial(getattr(self.kernels, kernel), raw, self.rules_raw, rows, *arrays)
        run_chunks(self.threads, len(rows), call, self.rows_per_thread)

    def check_states(self, states: np.ndarray) -> None:
        """Refuse, with OptionError, what is not an array of this game's records that a kernel can work on."""
        self._raw(states)

    def _raw(self, states: np.ndarray) -> np.ndarray:
        """The bytes of `states`; refuses what a kernel would copy, misread or compile anew."""
        if not isinstance(states, np.ndarray) or (
            states.dtype is not self.spec.state and states.dtype != self.spec.state
        ):
            raise OptionError(f"{self.name}: these are not this game's states (dtype differs)")
        if states.ndim != 1 or not states.flags.c_contiguous or not states.flags.writeable:
            raise OptionError(f"{self.name}: states must be one-dimensional, C-contiguous and writable")
        return state.raw(states)

    def _rows(self, n: int) -> np.ndarray:
        rows = self._all_rows
        if len(rows) < n:
            rows = self._all_rows = np.arange(n)
        return rows[:n]

    def _seats(self, players: Any, n: int) -> np.ndarray:
        seats = np.full(n, -1 if players is None else players, np.int64)
        if players is not None and n and not (0 <= seats.min() and seats.max() < self.num_players):
            raise OptionError(f"{self.name}: seats must lie in 0..{self.num_players - 1}, found {players!r}")
        return seats

    def _buffer(self, out: np.ndarray | None, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        if out is None:
            return np.empty(shape, dtype)
        if out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous or not out.flags.writeable:
            raise OptionError(f"{self.name}: out must be a writable C-contiguous {np.dtype(dtype)} array of {shape}")
        return out


class Buffers:
    """What a training step writes, for n games, P seats, A actions, observations of W.

    Attributes:
        rewards: float32 (n, P), what the last step paid each seat.
        terminated, truncated: bool (n,), the last step ended the game (by the rules; by an engine guard).
        mask: bool (n, A), legal actions now.
        observation: float32 (n, W), the view now.
        final_observation: float32 (n, W), the view at the end of the game that the last step ended.
        movers: int64 (n,) of -1: the default of `seats`.
    """

    def __init__(self, game: Game, n: int) -> None:
        self.rewards = np.zeros((n, game.num_players), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.mask = np.zeros((n, game.num_actions), np.bool_)
        self.observation = np.zeros((n, game.observation_size), np.float32)
        self.final_observation = np.zeros((n, game.observation_size), np.float32)
        self.movers = np.full(n, -1, np.int64)


def _fill_offsets(rules: np.ndarray, layout: Layout) -> None:
    """Tell the rules where the observation's slices begin, where they have a place for it (`rules_dtype`)."""
    if "at" in (rules.dtype.names or ()):
        names = [part.name for part in layout]
        assert rules["at"].dtype.names == tuple(names), "rules_dtype(features=...) and the layout name other slices"
        rules["at"] = tuple(layout[name].start for name in names)


def _one(record: Any) -> Any:
    """One record, from a record or from a batch of one."""
    if isinstance(record, np.ndarray):
        if record.shape not in ((), (1,)):
            raise OptionError(f"expected one game, found a batch of shape {record.shape}")
        return record.reshape(1)[0]
    return record


def _rebuild(
    name: str, players: int, reward: str, components: str | None, threads: int, options: Mapping[str, Any]
) -> Game:
    from banquet_envs.core.registry import make_game  # the registry builds on this module

    return make_game(name, players, reward, components, threads, **options)
