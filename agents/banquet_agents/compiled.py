"""Agents written as compiled rules: `choose(state, rules, table, mask, spare) -> action`, mapped over a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from banquet_envs.core.compile import Kernels, rule, run_chunks
from banquet_envs.core.game import Game
from banquet_envs.core.random import random_set
from banquet_envs.core.state import raw

if TYPE_CHECKING:  # bound per agent by core/compile.py
    STATE: np.dtype
    RULES: np.dtype
    legal_actions: Any
    choose: Any

SPARE = 8
"""How many scratch records a `choose` may use for looking ahead."""


@dataclass(frozen=True)
class Script:
    """A scripted agent of one game.

    Attributes:
        choose: compiled `choose(state, rules, table, mask, spare) -> action`. It may read the whole record, which has
            been determinised for its seat, and draw from the record's stream; `spare` is an array of SPARE records to
            copy into (`spare[0] = state`) and play on. It must leave the game itself unchanged.
        source: the module's file, for the compilation fingerprint.
        table: `game.rules[0] -> float32 array (k,)` of values worked out once per Game; None for an empty one.
        text: one line on how it plays.
        value: compiled `value(state, rules, table, player) -> float`: by how many points the player may expect to end
            ahead of the best other seat (with one player: its points). The search asks it where a playout is cut off,
            also in the midst of a turn; without it the points of the moment count.
    """

    choose: Callable[..., Any]
    source: Path
    table: Callable[[Any], np.ndarray] | None = None
    text: str = ""
    value: Callable[..., Any] | None = None

    def table_for(self, game: Game) -> np.ndarray:
        """float32 (k,): the table that `choose` is handed in this Game."""
        return np.zeros(0, np.float32) if self.table is None else self.table(game.rules[0])


def _choose(raw_states, rules_raw, table, mask, actions, lo, hi):  # type: ignore[no-untyped-def]
    states = raw_states.view(STATE)
    rules = rules_raw.view(RULES)[0]
    size = raw_states.shape[0] // states.shape[0]
    spare = np.zeros(SPARE * size, np.uint8).view(STATE)
    for i in range(lo, hi):
        mask[i, :] = False
        legal_actions(states[i], rules, mask[i])
        actions[i] = choose(states[i], rules, table, mask[i], spare)


_TEMPLATES = {
    "choose": (
        _choose,
        "void(uint8[::1], uint8[::1], float32[::1], boolean[:, ::1], int64[::1], int64, int64)",
    )
}


@rule
def _choose_random(state: Any, rules: Any, table: Any, mask: Any, spare: Any) -> Any:
    return random_set(state, mask)


RANDOM = Script(_choose_random, Path(__file__), text="uniform over the legal actions")


class CompiledAgent:
    """A `Script` playing a Game. `act` maps it over a batch; `kernel` and `table` let other loops call it compiled."""

    def __init__(self, game: Game, name: str, script: Script) -> None:
        self.game = game
        self.name = name
        self.script = script
        self.table = script.table_for(game)
        self._kernels = script_kernels(game, name, script)

    def __reduce__(self) -> Any:
        return CompiledAgent, (self.game, self.name, self.script)

    def act(self, states: np.ndarray) -> np.ndarray:
        """int64 (n,) actions for records (n,) in which this agent's seat is to move; the records stay as they are.

        Raises:
            OptionError: these are not records of this agent's game.
        """
        self.game.check_states(states)
        n = len(states)
        actions = np.empty(n, np.int64)
        mask = np.empty((n, self.game.num_actions), np.bool_)
        fixed = raw(states), self.game.rules_raw, self.table, mask, actions
        if n:
            kernel = self._kernels.choose
            run_chunks(self.game.threads, n, lambda lo, hi: kernel(*fixed, lo, hi))
        return actions


def _pick(masks, words, actions, lo, hi):  # type: ignore[no-untyped-def]
    """A uniform legal action per row, from the row's word."""
    for i in range(lo, hi):
        legal = 0
        for a in range(masks.shape[1]):
            if masks[i, a]:
                legal += 1
        left = np.int64(((words[i] >> np.uint64(32)) * np.uint64(legal)) >> np.uint64(32))
        for a in range(masks.shape[1]):
            if masks[i, a]:
                if left == 0:
                    actions[i] = a
                    break
                left -= 1


_PICK = Kernels(
    "random", {"pick": (_pick, "void(boolean[:, ::1], uint64[::1], int64[::1], int64, int64)")}, {}, [Path(__file__)]
)


class RandomAgent(CompiledAgent):
    """Plays any legal action, all alike. It needs only the mask, so nobody need resample a record for it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, "random", RANDOM)

    def __reduce__(self) -> Any:
        return RandomAgent, (self.game,)

    def act_on(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        """int64 (n,) actions from bool (n, A) masks and uint64 (n,) words of chance."""
        actions = np.zeros(len(masks), np.int64)
        _PICK.pick(np.ascontiguousarray(masks), words, actions, 0, len(masks))
        return actions


_KERNELS: dict[tuple[int, str], tuple[Any, Kernels]] = {}


def script_kernels(game: Game, name: str, script: Script) -> Kernels:
    """The compiled loop of a script, shared by all Games of the same rules."""
    key = (id(game.spec), name)
    if key not in _KERNELS:
        namespace = game.spec.namespace(choose=script.choose)
        sources = [game.spec.folder, *game.spec.extra_sources, script.source, Path(__file__)]
        _KERNELS[key] = game.spec, Kernels(f"{game.name}.{name}", _TEMPLATES, namespace, sources)
    return _KERNELS[key][1]
