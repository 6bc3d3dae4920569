"""`get_state` of a PettingZoo environment that comes from outside: checked before the environment takes it over."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from banquet_envs.core.errors import SaveError
from banquet_envs.core.game import Game
from banquet_envs.core.saves import unpack_records

_KINDS: dict[str, type] = {
    "record": bytes,
    "word": int,
    "agents": list,
    "selection": str,
    "rewards": dict,
    "cumulative": dict,
    "terminations": dict,
    "truncations": dict,
    "infos": dict,
    "illegal_end": bool,
}
_VALUES: dict[str, type | tuple[type, ...]] = {
    "rewards": (int, float),
    "cumulative": (int, float),
    "terminations": bool,
    "truncations": bool,
    "infos": dict,
}


def check_moment(game: Game, possible: list[str], state: Any) -> np.recarray:
    """Refuse a moment that `get_state` of an env of this game cannot have given.

    Args:
        game: what the env plays.
        possible: its agents, in the order of seats.
        state: the moment.

    Returns:
        The moment's record, np.recarray (1,).

    Raises:
        SaveError: another game's, an entry that is missing or of a wrong kind, a record that is no position of the
            game, agents, selection or ends that do not fit the record.
    """
    if not isinstance(state, Mapping):
        raise _error(game, f"it is a {type(state).__name__}, not a dict")
    if state.get("identity") != game.identity():
        raise SaveError(f"the state is of {state.get('identity')}, this env plays {game.identity()}")
    for name, kind in _KINDS.items():
        if not isinstance(state.get(name), kind):
            raise _error(game, f"entry {name!r}: expected {kind.__name__}, found {state.get(name, 'nothing')!r}")
    if isinstance(state["word"], bool) or not 0 <= state["word"] < 2**64:
        raise _error(game, f"entry 'word': expected a seed word, found {state['word']!r}")
    record = unpack_records(game, state["record"], 1)
    agents, selection = state["agents"], state["selection"]
    if agents != [name for name in possible if name in agents]:
        raise _error(game, f"entry 'agents': expected some of {possible}, in this order, found {agents!r}")
    for name, kinds in _VALUES.items():
        _check_by_agent(game, name, state[name], agents, kinds)
    if record["over"][0] or state["illegal_end"]:
        ended = [state["terminations"][a] or state["truncations"][a] for a in agents]
        fits = all(ended) and selection in (agents or possible)
    else:
        ended = [*state["terminations"].values(), *state["truncations"].values()]
        fits = agents == possible and not any(ended) and selection == possible[record["player"][0]]
    if not fits:
        raise _error(game, "agents, selection, terminations and truncations do not fit the record")
    return record


def _check_by_agent(game: Game, name: str, values: dict[str, Any], agents: list[str], kinds: Any) -> None:
    if set(values) != set(agents):
        raise _error(game, f"entry {name!r}: expected one for each of {agents}, found {list(values)!r}")
    for agent, value in values.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not isinstance(value, kinds) or (kinds is not bool and isinstance(value, bool)):
            raise _error(game, f"entry {name!r}: {agent} has {value!r}")
        if number and not math.isfinite(value):
            raise _error(game, f"entry {name!r}: {agent} has {value!r}")


def _error(game: Game, what: str) -> SaveError:
    return SaveError(f"{game.name}: this is not a state of get_state(): {what}")
