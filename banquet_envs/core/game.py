"""Game: a rule set with its options, and every operation on batches of games."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core import kernels, saves, soundness, state
from banquet_envs.core.arguments import (
    actions_of,
    buffer_of,
    rows_of,
    seats_of,
    shown,
    spawn_seeds,
    whole,
    whole_actions,
    words_of,
)  # fmt: skip
from banquet_envs.core.compile import JIT, Kernels, bound, run_chunks
from banquet_envs.core.components import read_components
from banquet_envs.core.errors import ComponentsError, GameOverError, IllegalActionError, OptionError
from banquet_envs.core.layout import Layout
from banquet_envs.core.picture import Picture
from banquet_envs.core.rewards import SCHEMES
from banquet_envs.core.spec import Facts, GameSpec

_BYTES_PER_THREAD = 2**20
"""Records and observations that make a thread worth waking (about 100 microseconds): for small games thousands of rows."""
_MOST = 2**40
"""More games than any memory holds."""
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
        if components is not None and not isinstance(components, str | os.PathLike):
            raise OptionError(f"{spec.name}: components={shown(components)} is not allowed; it must be a file's path")
        self.num_players = int(players)
        self.reward = reward
        self.threads = whole(threads, f"{spec.name}: threads", 1)
        self.components = Path(components) if components is not None else spec.components
        self._custom_components = components is not None
        self.rules, self.components_hash = self._read_rules()
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
        self._all_rows, self._all_movers = np.arange(1), np.full(1, -1)

    def _read_rules(self) -> tuple[np.ndarray, str]:
        """The RULES record, an array of shape (1,), and the hash of the components file that it was read from."""
        data, content = read_components(self.components)
        make = functools.partial(self.spec.make_rules, self.num_players, self.options, data)
        if not self._custom_components:
            return make().reshape(1), content
        try:
            rules = make().reshape(1)
        except ComponentsError:
            raise
        except Exception as error:  # a value that the game's own checks let through
            raise ComponentsError(f"{self.components}: cannot be used ({type(error).__name__}: {error})") from error
        data.refuse_unknown(read_components(self.spec.components)[0])
        return rules, content

    def __repr__(self) -> str:
        options = "".join(f", {k}={v!r}" for k, v in self.options.items())
        return f"make_game({self.name!r}, players={self.num_players}{options}, reward={self.reward!r})"

    def __reduce__(self) -> Any:
        from banquet_envs.core.registry import reference  # the registry builds on this module

        components = str(self.components) if self._custom_components else None
        name = reference(self.name)
        return _rebuild, (name, self.num_players, self.reward, components, self.threads, self.options)

    def __copy__(self) -> Game:
        return self  # rules and options never change

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    # ------------------------------------------------------------ running games

    def reset(self, n: int = 1, seed: int | Sequence[int] | np.ndarray | None = None) -> np.recarray:
        """`n` new games.

        Args:
            n: how many.
            seed: a whole number (n seeds are spawned from it), a list of n (each as a batch of one), None for entropy.

        Returns:
            np.recarray (n,) of the game's state dtype.
        """
        n = whole(n, "n", 0, _MOST)
        try:
            words, states = spawn_seeds(n, seed), state.empty(n, self.spec.state)
        except MemoryError as error:
            raise OptionError(f"n={n} is not allowed: so many records do not fit in memory") from error
        self._run("reset", states, words)
        return states

    def restart(self, states: np.ndarray, words: np.ndarray, rows: np.ndarray | None = None) -> None:
        """Set records up again, in place.

        Args:
            states: records (n,).
            words: seed words uint64 (n,), such as those found in `states.seed`.
            rows: integers (k,), which records, none twice; all when not given.

        Raises:
            OptionError: words or rows of another kind or length, or out of range.
        """
        self._run("reset", states, words_of(words, self._length(states)), rows=rows)

    def legal_actions(self, states: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """bool (n, A): what the seat to move may do; all False when the game is over."""
        out = buffer_of(out, (self._length(states), self.num_actions), np.bool_, f"{self.name}: out")
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
        """Like `step` for actions that come straight from the masks of this moment: that they are legal is trusted.

        An action that is not legal garbles its record, and the rules may then reach outside their arrays.

        Raises:
            OptionError: not n whole numbers, or not action numbers at all.
        """
        self._run("step", states, actions_of(actions, self._length(states), self.num_actions))

    def checked_actions(self, states: np.ndarray, actions: Any) -> np.ndarray:
        """int64 (n,) copies of `actions`, all legal; see `step` for the errors."""
        return self._legal_ones(states, actions, self._rows(self._length(states)))

    def _legal_ones(self, states: np.ndarray, actions: Any, rows: np.ndarray) -> np.ndarray:
        """int64 (n,) copies of `actions`, those of `rows` legal."""
        given = whole_actions(self.name, actions, len(states))
        actions = np.ascontiguousarray(given, np.int64)
        scratch = np.empty(self.num_actions, np.bool_)
        bad = (
            self.kernels.check(self._raw(states), self.rules_raw, rows, actions, scratch, 0, len(rows))
            if len(rows)
            else -1
        )
        if bad >= 0:
            self._refuse(states, int(rows[bad]), int(given[rows[bad]]))
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

        Raises:
            OptionError: no such seat, another number of them, or an `out` that does not fit.
        """
        n = self._length(states)
        out = buffer_of(out, (n, self.observation_size), np.float32, f"{self.name}: out")
        self._run("observe", states, self._seats(players, n), out)
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

        Raises:
            OptionError: no such seat, another number of seats or words, or a seed that is none.
        """
        n = self._length(states)
        words = spawn_seeds(n, seed) if words is None else words_of(words, n)
        self._run("determinize", states, self._seats(players, n), words)

    def rewards(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """float32 (n, P): what the step from `before` to `after` pays each seat under the reward scheme."""
        first, second = self._raw(before), self._raw(after)
        if len(before) != len(after):
            raise OptionError(f"rewards: {len(before)} records before but {len(after)} after")
        out = np.zeros((len(after), self.num_players), np.float32)
        if len(after):
            self.kernels.reward(first, second, self.rules_raw, self.scheme, self.points_scale, out, 0, len(after))
        return out

    def buffers(self, n: int) -> Buffers:
        """Buffers of the right shapes for `advance` on n games; the caller owns them."""
        return Buffers(self, whole(n, "n", 0, _MOST))

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

        Args:
            states: records (n,), changed in place.
            actions: integers (n,).
            buffers: from `buffers(n)`; rows that were played are overwritten, an array set to length 0 is not filled.
            seats: integers (n,), whose view `observation` and `final_observation` are; -1 (default) is the seat to move.
            rows: integers (k,), the games to play, none twice; all when not given.
            restart: begin a new game, from a seed derived from the old one, where a game has finished.

        Raises:
            GameOverError, IllegalActionError: see `step`; nothing has changed.
            OptionError: lengths, kinds or ranges that do not fit, or buffers of another game or size.
        """
        fitting = self._fitting(states, actions, seats, rows)
        self._legal_ones(states, actions, fitting[1])
        self._advance(fitting, buffers, restart)

    def advance_trusted(
        self,
        states: np.ndarray,
        actions: np.ndarray,
        buffers: Buffers,
        seats: np.ndarray | None = None,
        rows: np.ndarray | None = None,
        restart: bool = True,
    ) -> None:
        """Like `advance` for actions that come straight from the masks of the step before: that they are legal is trusted.

        An action that is not legal garbles its record, and the rules may then reach outside their arrays. All else is
        checked. Saves the twentieth part of a step that looking at the rules once more costs.

        Raises:
            OptionError: see `advance`, and actions that are not action numbers at all.
        """
        self._advance(self._fitting(states, actions, seats, rows), buffers, restart)

    def _fitting(self, states: np.ndarray, actions: Any, seats: Any, rows: Any) -> tuple[np.ndarray, ...]:
        """What `advance` was given as kernels take it: the records' bytes, rows, actions, seats."""
        raw, n = self._raw(states), len(states)
        numbers = (
            self._rows(n) if rows is None else rows, actions, self._seats(None, n) if seats is None else seats
        )  # fmt: skip
        if _all_fit(self.kernels, numbers, n, self.num_actions, self.num_players):
            return raw, *numbers
        rows = numbers[0] if rows is None else rows_of(rows, n)
        return raw, rows, actions_of(actions, n, self.num_actions), self._seats(seats, n, -1)

    def _advance(self, fitting: tuple[np.ndarray, ...], buffers: Buffers, restart: bool) -> None:
        raw, rows, actions, seats = fitting
        n = len(raw) // self.spec.state.itemsize
        if not isinstance(buffers, Buffers) or not buffers.are_for(self, n):
            raise OptionError(
                f"{self.name}: buffers: expected those of this game's buffers({n}), found {shown(buffers)}"
            )
        fixed = (
            raw, self.rules_raw, rows, actions, seats, self.scheme, self.points_scale, bool(restart), buffers.rewards,
            buffers.terminated, buffers.capped, buffers.mask, buffers.observation, buffers.final_observation,
        )  # fmt: skip
        kernel = self.kernels.advance
        run_chunks(self.threads, len(rows), lambda lo, hi: kernel(*fixed, lo, hi), self.rows_per_thread)

    # ------------------------------------------------------------ for people

    def action_text(self, record: Any, action: int) -> str:
        """The action in the game's own terms, as the seat to move in `record` would say it."""
        action = whole(action, f"{self.name}: action", 0, self.num_actions - 1)
        return self.spec.action_text(self.rules[0], self._one(record), action)

    def describe(self, record: Any, player: int | None = None) -> str:
        """The position in words: all that `player` may know, or everything for None."""
        return self.spec.describe(self.rules[0], self._one(record), self._seat(player))

    def draw(self, record: Any, player: int | None = None) -> str:
        """The position as an SVG text, as `player` may see it, or everything for None."""
        return self.spec.draw(self.rules[0], self._one(record), self._seat(player))

    def show(self, record: Any, player: int | None = None) -> Picture:
        """The picture of `draw` for a notebook, which shows it where it is a cell's last value."""
        return Picture(self.draw(record, player))

    def place(self, record: Any, action: int) -> str:
        """Where on the mover's picture an action belongs, a `data-place` of its SVG; "" where it has no place."""
        action = whole(action, f"{self.name}: action", 0, self.num_actions - 1)
        return self.spec.place(self.rules[0], self._one(record), action) if self.spec.place is not None else ""

    def _seat(self, player: int | None) -> int | None:
        return None if player is None else whole(player, f"{self.name}: seat", 0, self.num_players - 1)

    def _one(self, record: Any) -> Any:
        """One record, from a record or from a batch of one."""
        if isinstance(record, np.void) and record.dtype is self.spec.state:
            return record
        given = np.asarray(record)
        if given.dtype != self.spec.state:
            raise OptionError(f"{self.name}: expected a record of this game, found {shown(record)}")
        if given.shape not in ((), (1,)):
            raise OptionError(f"{self.name}: expected one game, found a batch of shape {given.shape}")
        return given.reshape(1).view(self.spec.state)[0]

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

    def _run(self, kernel: str, states: np.ndarray, *arrays: np.ndarray, rows: Any = None) -> None:
        raw = self._raw(states)
        rows = self._rows(len(states)) if rows is None else rows_of(rows, len(states))
        call = functools.partial(getattr(self.kernels, kernel), raw, self.rules_raw, rows, *arrays)
        run_chunks(self.threads, len(rows), call, self.rows_per_thread)

    def _length(self, states: np.ndarray) -> int:
        """The number of records in what must be this game's records."""
        self._raw(states)
        return len(states)

    def check_states(self, states: np.ndarray) -> None:
        """Refuse, with OptionError, what is not an array of this game's records that a kernel can work on."""
        self._raw(states)

    def _raw(self, states: np.ndarray) -> np.ndarray:
        """The bytes of `states`; refuses what a kernel would copy, misread or compile anew."""
        if not isinstance(states, np.ndarray):
            raise OptionError(f"{self.name}: expected an array of states, found {shown(states)}")
        plain = np.ndarray.view(states, np.ndarray)  # a recarray is slow to ask
        if plain.dtype is not self.spec.state and plain.dtype != self.spec.state:
            raise OptionError(f"{self.name}: these are not this game's states (dtype differs)")
        flags = plain.flags
        if plain.ndim != 1 or not flags.c_contiguous or not flags.writeable:
            raise OptionError(f"{self.name}: states must be one-dimensional, C-contiguous and writable")
        return plain.view(np.uint8)

    def _rows(self, n: int) -> np.ndarray:
        rows = self._all_rows
        if len(rows) < n:
            rows = self._all_rows = np.arange(n)
        return rows[:n]

    def _seats(self, players: Any, n: int, least: int = 0) -> np.ndarray:
        """int64 (n,): the seats given, or -1 throughout for those to move."""
        if players is not None:
            return seats_of(players, n, self.num_players, least)
        if len(self._all_movers) < n:
            self._all_movers = np.full(n, -1)
        return self._all_movers[:n]


class Buffers:
    """What a training step writes, for n games, P seats, A actions, observations of W.

    Attributes:
        rewards: float32 (n, P), what the last step paid each seat.
        terminated: bool (n,), the last step ended the game.
        capped: bool (n,), and it was an engine guard that ended it, not the rules: it has ranked and paid all the same.
        mask: bool (n, A), legal actions now.
        observation: float32 (n, W), the view now.
        final_observation: float32 (n, W), the view at the end of the game that the last step ended.
        movers: int64 (n,) of -1: seats to move, for kernels.

    An array may be replaced by another of its shape and dtype, or by one of length 0 where `advance` allows that.

    Raises:
        OptionError: an attribute set to an array that does not fit.
    """

    rewards: np.ndarray
    terminated: np.ndarray
    capped: np.ndarray
    mask: np.ndarray
    observation: np.ndarray
    final_observation: np.ndarray
    movers: np.ndarray

    _MAY_BE_LEFT_OUT = ("mask", "observation", "final_observation")

    def __init__(self, game: Game, n: int) -> None:
        seats, actions, width = self._of = game.num_players, game.num_actions, game.observation_size
        self._game, self._n = game.name, n
        self._kinds: dict[str, tuple[tuple[int, ...], Any]] = {}
        for name, shape, dtype in (
            ("rewards", (n, seats), np.float32),
            ("terminated", (n,), np.bool_),
            ("capped", (n,), np.bool_),
            ("mask", (n, actions), np.bool_),
            ("observation", (n, width), np.float32),
            ("final_observation", (n, width), np.float32),
            ("movers", (n,), np.int64),
        ):
            self._kinds[name] = shape, dtype
            setattr(self, name, np.zeros(shape, dtype))
        self.movers[:] = -1

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            if name not in self._kinds:
                raise AttributeError(f"buffers have no {name!r}; they have {', '.join(self._kinds)}")
            shape, dtype = self._kinds[name]
            if name in self._MAY_BE_LEFT_OUT and isinstance(value, np.ndarray) and not len(value):
                shape = (0, *shape[1:])
            buffer_of(value if value is not None else (), shape, dtype, f"buffers.{name}")
        super().__setattr__(name, value)

    def are_for(self, game: Game, n: int) -> bool:
        """Whether these are the buffers of `n` games of this kind."""
        sizes = game.num_players, game.num_actions, game.observation_size
        return self._n == n and self._of == sizes and self._game == game.name


def _all_fit(kernels: Kernels, numbers: tuple[Any, ...], n: int, actions: int, players: int) -> bool:
    """Whether rows, actions and seats are just what `advance` takes, by one quick look; if not, a slow one tells why."""
    if not JIT or any(type(array) is not np.ndarray for array in numbers):
        return False
    try:
        return bool(kernels.fit(*numbers, n, actions, players))
    except TypeError:  # not int64, or not contiguous
        return False


def _rebuild(
    name: str, players: int, reward: str, components: str | None, threads: int, options: Mapping[str, Any]
) -> Game:
    from banquet_envs.core.registry import make_game  # the registry builds on this module

    return make_game(name, players, reward, components, threads, **options)


def _fill_offsets(rules: np.ndarray, layout: Layout) -> None:
    """Tell the rules where the observation's slices begin, where they have a place for it (`rules_dtype`)."""
    if "at" in (rules.dtype.names or ()):
        names = [part.name for part in layout]
        assert rules["at"].dtype.names == tuple(names), "rules_dtype(features=...) and the layout name other slices"
        rules["at"] = tuple(layout[name].start for name in names)
