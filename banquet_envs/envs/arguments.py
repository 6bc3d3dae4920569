"""What the three environments are given: games, seeds, actions, settings. One contract, checked in one place."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from banquet_envs.core.arguments import spawn_seeds, whole
from banquet_envs.core.errors import ActionTypeError, IllegalActionError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, make_game

RENDER_MODES = ("ansi", "rgb_array", "human")
ILLEGAL = ("raise", "terminate")
_OF_GAMES = ("players", "reward", "components", "threads")
_ELSEWHERE = {
    "num_players": "players", "n_players": "players", "num_agents": "players", "n_agents": "players",
    "num_opponents": "opponents", "opponent": "opponents", "agent_seat": "seat", "learner_seat": "seat",
    "reward_scheme": "reward", "reward_type": "reward", "n_envs": "num_envs", "n_threads": "threads",
}  # fmt: skip
"""What other libraries call an argument of ours."""


def game_for(game: str | Game, players: int | None, options: Mapping[str, Any], own: Sequence[str]) -> Game:
    """The Game that an environment plays.

    Args:
        game: an id, or a Game, which takes no options.
        players: number of seats; the most that the game allows when not given.
        options: of `make_game` and of the game.
        own: names of the environment's own arguments, for the message about an unknown one.

    Raises:
        OptionError: an unknown option, with all that there are; options beside a Game.
    """
    if isinstance(game, Game):
        given = [*options, *(["players"] if players is not None else [])]
        if given:
            raise OptionError(f"{game.name}: {', '.join(given)} belong to make_game; this environment was given a Game")
        return game
    spec = game_spec(game)
    switches = [o.name for o in spec.options]
    known = [*own, *_OF_GAMES, *switches]
    for name in options:
        if name not in known:
            near = _ELSEWHERE.get(name) if _ELSEWHERE.get(name) in known else None
            near = near or next(iter(difflib.get_close_matches(name, known, 1)), None)
            hint = f"; did you mean {near!r}?" if near else ";"
            raise OptionError(
                f"{spec.name}: unknown argument {name!r}{hint} The environment takes {', '.join([*own, *_OF_GAMES])};"
                f" the game's own options are {', '.join(switches) or 'none'}"
            )
    return make_game(game, players, **options)


def checked_settings(illegal: str, render_mode: str | None) -> None:
    """Refuse unknown values of the settings that all environments share.

    Raises:
        OptionError: see there.
    """
    if illegal not in ILLEGAL:
        raise OptionError(f"illegal={illegal!r} is not allowed; choose one of {list(ILLEGAL)}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise OptionError(f"render_mode={render_mode!r} is not allowed; choose one of {list(RENDER_MODES)} or None")


def checked_reset_options(options: Mapping[str, Any] | None, known: Sequence[str] = ()) -> None:
    """Refuse options of `reset` that mean nothing here.

    Raises:
        OptionError: see there.
    """
    unknown = sorted(set(options or ()) - set(known))
    if unknown:
        raise OptionError(f"reset options {unknown} are unknown: switches are given when making the environment")


def checked_seed(seed: Any) -> int:
    """A seed as an int.

    Raises:
        OptionError: not a whole number of 0 or more; a bool or a list is none.
    """
    if isinstance(seed, np.ndarray):
        raise OptionError(f"seed={seed!r} is not allowed; it must be a whole number or None")
    return whole(seed, "seed")


def first_word(seed: int | None) -> int:
    """The seed word of the first game after `reset(seed)`, the same in every view; of entropy for None."""
    return int(spawn_seeds(1, None if seed is None else checked_seed(seed))[0])


def row_words(seed: Any, n: int) -> np.ndarray:
    """uint64 (n,): the seed words of the first games of n rows.

    Args:
        seed: a seed s for the first row, s + 1 for the second and so on, as Gymnasium has it; or a list with a seed per row, which
            fixes that row whatever the others get; None, for all or for a row, is entropy.

    Raises:
        OptionError: seeds that are none, or another number of them.
    """
    listed = isinstance(seed, Sequence) and not isinstance(seed, str | bytes)
    if listed or (isinstance(seed, np.ndarray) and seed.ndim):
        if len(seed) != n:
            raise OptionError(f"seed: expected a whole number or {n} of them, found {seed!r}")
        return np.array([first_word(s) for s in seed], np.uint64)
    first = None if seed is None else checked_seed(seed)
    return np.array([first_word(None if first is None else first + k) for k in range(n)], np.uint64)


def whole_action(action: Any) -> int:
    """An action as an int: whatever `operator.index` takes, such as NumPy's integers and 0-d arrays or a torch scalar.

    Raises:
        ActionTypeError: anything else, under every setting: only a wrong move is a move.
    """
    try:
        return operator.index(action)
    except TypeError:
        raise ActionTypeError(f"an action must be a whole number, found {action!r}") from None


def refuse_move(game: Game, states: np.ndarray, row: int, action: int) -> None:
    """Raise for a learner's illegal action in one row: what was legal, and what a model with masks forgot.

    Raises:
        IllegalActionError: always.
    """
    try:
        game.checked_actions(states[row : row + 1], [action])
    except IllegalActionError as error:
        where = f"row {row}: " if len(states) > 1 else ""
        raise IllegalActionError(f"{where}{error}{_MASKS_HINT}") from None


_MASKS_HINT = "; a model that was trained with masks needs them when it plays: predict(observation, action_masks=env.action_masks())"
