"""Records from outside: what must hold of a record before any kernel sees it.

Kernels trust what they are given: an index in a field is used as it stands. Whatever takes records that this process has
not made itself (`Game.load`, `BanquetAEC.set_state`, ...) holds them against the shared fields' meaning, the game's
declared bounds, its pieces and its invariants, in that order: each stage relies on those before it. A game that declares
no bounds is checked for its shared fields only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.errors import SaveError

if TYPE_CHECKING:
    from banquet_envs.core.game import Game

_SHARED = ("rng", "seed", "ply", "player", "over", "capped", "points", "place", "_pad")

Text = Callable[[int], str]


def check_records(game: Game, states: np.ndarray) -> None:
    """Raise for the first record that is not sound.

    Args:
        game: whose records they must be.
        states: records (n,).

    Raises:
        SaveError: names the game, the record, the field and what is wrong.
        OptionError: `states` are not this game's records at all.
    """
    found = faults(game, states)
    if found:
        row = min(found)
        where = f"record {row} of {len(states)}" if len(states) > 1 else "the record"
        raise SaveError(f"{game.name}: {where} is not a position of this game: {found[row]}")


def faults(game: Game, states: np.ndarray) -> dict[int, str]:
    """What is wrong with each record that is not sound, by its number; `check_records` tells what is looked at."""
    game.check_states(states)
    found: dict[int, str] = {}
    for field, bad, text in _out_of_range(game, states):
        for row in np.flatnonzero(bad.any(axis=tuple(range(1, bad.ndim)))).tolist():
            found.setdefault(row, f"field {field!r}: {text(row)}")
    if game.spec.bounds is None:
        return found
    first = _pieces(game, game.reset(1, 0)[0])
    for row in range(len(states)):
        if row not in found:
            said = _own_fault(game, states[row], first)
            if said:
                found[row] = said
    return found | _stuck(game, states, np.array([row for row in range(len(states)) if row not in found], np.int64))


# ---------------------------------------------------------------- fields, for all records at once


def _out_of_range(game: Game, states: np.ndarray) -> Iterator[tuple[str, np.ndarray, Text]]:
    """Field by field: where its values cannot be, and the words for one record."""
    fields = dict(leaves(states))
    for name, values in fields.items():
        if values.dtype == np.uint8:
            yield _between(name, values, 0, 1)
    yield from _wrong_shared_fields(game, fields)
    if game.spec.bounds is not None:
        bounds = game.spec.bounds(game.rules[0])
        for name, values in fields.items():
            if name not in _SHARED and (name in bounds or values.dtype != np.uint8):
                yield _between(name, values, *bounds[name])


def leaves(states: np.ndarray, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Every field (n, ...) by name; a field of records by its own fields, `outer.inner`. Booleans as their bytes."""
    for name in states.dtype.names or ():
        values = states.view(np.ndarray)[name]
        if values.dtype.names is not None:
            yield from leaves(values, f"{path}{name}.")
        else:
            yield path + name, values.view(np.uint8) if values.dtype == np.bool_ else values


def _between(name: str, values: np.ndarray, low: Any, high: Any) -> tuple[str, np.ndarray, Text]:
    """The part of `_out_of_range` for a field with inclusive bounds, numbers or arrays."""
    low, high = np.broadcast_to(low, values.shape[1:]), np.broadcast_to(high, values.shape[1:])
    bad = ~((values >= low) & (values <= high))

    def text(row: int) -> str:
        at = tuple(int(k) for k in np.argwhere(bad[row])[0])
        entry = f"entry {list(at)}: " if at else ""
        return f"{entry}{values[(row, *at)]} is not in {low[at]}..{high[at]}"

    return name, bad, text


def _wrong_shared_fields(game: Game, fields: dict[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray, Text]]:
    """What core/state.py and the facts say of the shared fields."""
    facts, players = game.facts, game.num_players
    over, points, place = fields["over"], fields["points"], fields["place"]
    yield _between("capped", fields["capped"], 0, int(facts.can_be_capped))
    yield "capped", (fields["capped"] == 1) & (over == 0), lambda row: "set in a game that is not over"
    yield _between("ply", fields["ply"], 0, facts.longest_game)
    yield _between("player", fields["player"], 0, players - 1)
    seated = np.arange(points.shape[1]) < players
    yield _between("points", points, np.where(seated, facts.points_min, 0), np.where(seated, facts.points_max, 0))
    seats = place[:, :players]
    rank = (seats[:, :, None] > seats[:, None, :]).sum(axis=2)  # better seats: ties share, then skip
    expected = np.where(seated & (over == 1)[:, None], np.pad(rank, ((0, 0), (0, len(seated) - players))), -1)
    yield "place", place != expected, lambda row: f"{place[row].tolist()} where {expected[row].tolist()} would fit"
    yield _between("_pad", fields["_pad"], 0, 0)


# ---------------------------------------------------------------- the game's own word, record by record


def _pieces(game: Game, record: Any) -> dict[str, np.ndarray]:
    return {kind: np.asarray(count) for kind, count in game.spec.pieces(game.rules[0], record).items()}


def _own_fault(game: Game, record: Any, first: dict[str, np.ndarray]) -> str:
    """Pieces that differ from those of a new game, or what the game's invariants say; errors on the way are faults."""
    stage = "pieces"
    try:
        with np.errstate(all="raise"):
            for kind, count in _pieces(game, record).items():
                if not np.array_equal(count, first[kind]):
                    return f"pieces: {kind} are {count.tolist()}, in a new game {first[kind].tolist()}"
            stage = "invariants"
            return game.spec.invariants(game.rules[0], record) if game.spec.invariants is not None else ""
    except Exception as error:  # plain Python on a record that nobody has vouched for yet
        return f"{stage} cannot be worked out ({type(error).__name__}: {error})"


def _stuck(game: Game, states: np.ndarray, rows: np.ndarray) -> dict[int, str]:
    """Games in progress without a legal action, among the `rows`, whose records are sound otherwise."""
    live = rows[~states["over"][rows]]
    legal = game.legal_actions(records.take(states, live)).any(axis=1)
    return {int(row): "a game in progress without a legal action" for row in live[~legal]}
