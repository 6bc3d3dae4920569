"""Deals: games that share their seed word, each played with every seat assignment, all games in lock-step."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from banquet_envs.core.game import Game
from banquet_envs.core.random import mixed
from banquet_envs.core.state import rows as bytes_of
from banquet_envs.core.table import Player, Table

SIDE_BY_SIDE = 8192
"""Most games played at once; results do not depend on it."""


class Played(NamedTuple):
    """Finished games: D deals, each with W seat assignments of P seats.

    Attributes:
        points: int64 (D, W, P).
        place: int64 (D, W, P), 1 = first, ties share.
        decisions: int64 (D, W), in the whole game.
        capped: bool (D, W), ended by an engine guard.
        trace: uint64 (D, W), equal for games that went alike move by move.
        seconds: float64 (D,), CPU time; the deals of a block share it evenly.
        legal: int32 (D, A + 1), how many decisions had so many legal actions; (D, 0) where nobody asked for it.
        moves: int32 (D, W, L), the actions of each game, -1 after its end; (D, W, 0) where nobody asked for them.
    """

    points: np.ndarray
    place: np.ndarray
    decisions: np.ndarray
    capped: np.ndarray
    trace: np.ndarray
    seconds: np.ndarray
    legal: np.ndarray
    moves: np.ndarray

    @property
    def share(self) -> np.ndarray:
        """float64 (D, W, P): shares of the win; ties share it."""
        first = self.place == 1
        return first / first.sum(axis=-1, keepdims=True)

    def between(self, first: int, stop: int) -> Played:
        """The deals `first` to `stop` - 1."""
        return Played(*(values[first:stop] for values in self))

    @classmethod
    def joined(cls, parts: Sequence[Played]) -> Played:
        """Deals one after another."""
        longest = max(part.moves.shape[-1] for part in parts)
        even = [part._replace(moves=_longer(part.moves, longest)) for part in parts]
        return cls(*(np.concatenate(values) for values in zip(*even, strict=True)))


def _longer(moves: np.ndarray, length: int) -> np.ndarray:
    return np.pad(moves, [(0, 0), (0, 0), (0, length - moves.shape[-1])], constant_values=-1)


def repeated(trace: np.ndarray) -> int:
    """How many rows (deals) of uint64 (D, W) went exactly like an earlier one."""
    return len(trace) - len(np.unique(trace, axis=0))


def seat_assignments(kinds: Sequence[int]) -> list[tuple[int, ...]]:
    """Every different way of seating these kinds, in a fixed order."""
    return sorted(set(itertools.permutations(kinds)))


def play_deals(
    game: Game,
    players: Sequence[Player],
    assignments: Sequence[Sequence[int]],
    words: np.ndarray,
    salt: int,
    *,
    legal: bool = False,
    moves: bool = False,
) -> Played:
    """Play some deals to the end of all their games, side by side.

    What a game comes to depends on its own word, on the agents and on `salt`, never on which deals it is played with:
    deals may be cut into any blocks.

    Args:
        game: the Game.
        players: the agents.
        assignments: which of them sits where, one row of P numbers for each seat assignment.
        words: uint64 (D,), the deals' seed words.
        salt: of the agents' chance.
        legal, moves: whether to count legal actions and to keep the actions.

    Raises:
        IllegalActionError: an agent chose an illegal action.
    """
    start = time.process_time()
    deals, ways = len(words), len(assignments)
    n = deals * ways
    table = Table(game, n, salt=salt)
    table.begin(np.arange(n), np.repeat(words, ways))
    seated = np.tile(np.array(assignments, np.int64), (deals, 1))
    trace = np.zeros(n, np.uint64)
    counts = np.zeros((deals, game.num_actions + 1 if legal else 0), np.int32)
    taken = [np.zeros((n, 0), np.int32)]
    rows = np.flatnonzero(~table.over)
    while len(rows):
        if legal:
            np.add.at(counts, (rows // ways, table.buffers.mask[rows].sum(axis=1)), 1)
        holders = seated[rows, table.player[rows]]
        actions = table.ask_all(((agent, holders == kind) for kind, agent in enumerate(players)), rows)
        trace[rows] = mixed(trace[rows] + actions.astype(np.uint64))
        if moves:
            taken.append(np.full((n, 1), -1, np.int32))
            taken[-1][rows, 0] = actions
        table.play(rows, actions)
        rows = rows[~table.over[rows]]
    trace ^= _positions(table)
    plain = table.states.view(np.ndarray)
    return Played(
        points=plain["points"][:, : game.num_players].astype(np.int64).reshape(deals, ways, -1),
        place=plain["place"][:, : game.num_players].astype(np.int64).reshape(deals, ways, -1) + 1,
        decisions=plain["ply"].astype(np.int64).reshape(deals, ways), capped=plain["capped"].reshape(deals, ways).copy(),
        trace=trace.reshape(deals, ways), seconds=np.full(deals, (time.process_time() - start) / max(deals, 1)),
        legal=counts, moves=np.concatenate(taken, axis=1).reshape(deals, ways, len(taken) - 1),
    )  # fmt: skip


def _positions(table: Table) -> np.ndarray:
    """uint64 (n,): a hash of each record without its random stream and seed, which differ between equal games."""
    held = bytes_of(table.states)[:, 16:]  # rng and seed come first in every record
    words = np.ascontiguousarray(held).view(np.uint64)
    found = np.zeros(len(words), np.uint64)
    for column in words.T:
        found = mixed(found ^ column)
    return found
