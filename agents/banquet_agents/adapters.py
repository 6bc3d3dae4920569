"""Agents of users' own, in the shapes that such things come in, as players of a Game.

Whatever the shape, an agent is shown its own view and no more: `act_on`, `predict`, policies and `act(observation)` get
observation and mask of the seat to move, `act(states)` gets determinised records.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from banquet_envs.core.errors import IllegalActionError, OptionError
from banquet_envs.core.game import Game

ACCEPTED = (
    "act(states) for a batch of records",
    "act_on(observations, masks, words) for a batch",
    "predict(observations, action_masks=masks) for a batch, as SB3 and sb3-contrib models have it",
    "a policy(observation, agent) or an act(observation) that answers for one game,"
    " where observation is PettingZoo's dict with 'observation' and 'action_mask'",
)


def adapt(game: Game, thing: Any) -> Any:
    """`thing` as a player of `game`.

    Args:
        game: the Game it will play.
        thing: an object with a batch `act(states)` or `act_on(observations, masks, words)` is returned as it is; one
            with `predict`, one whose `act` has a first parameter named `obs...`, and a plain callable are wrapped.

    Raises:
        OptionError: none of these.
    """
    refusal = OptionError(f"{_name(thing)} is no agent; accepted: {'; '.join(ACCEPTED)}")
    if isinstance(thing, type):
        raise refusal
    if callable(getattr(thing, "act_on", None)):
        return thing
    act = getattr(thing, "act", None)
    if callable(act):
        return PolicyPlayer(game, act, _name(thing)) if _wants_observation(act) else thing
    if callable(getattr(thing, "predict", None)):
        return ModelPlayer(game, thing)
    if callable(thing) and _needed(thing) in (1, 2):
        return PolicyPlayer(game, thing, _name(thing))
    raise refusal


class PolicyPlayer:
    """One call per game: `policy(observation, agent)` or `policy(observation)`.

    `observation` is what the AEC environment gives: a dict of fresh arrays, `observation` float32 (W,) and `action_mask`
    int8 (A,); `agent` is the name of the seat to move, `player_0`, ... The answer is one legal action.

    Args:
        game: the Game.
        policy: the callable.
        name: for messages.
    """

    def __init__(self, game: Game, policy: Callable[..., Any], name: str) -> None:
        self.game = game
        self.policy = policy
        self.name = name
        self._told = _takes_agent(policy)

    def act(self, states: np.recarray) -> np.ndarray:
        """int64 (n,) actions for determinised records, whose movers' views are the true ones."""
        views = self.game.observe(states)
        masks = self.game.legal_actions(states).view(np.int8)
        seats = np.asarray(states["player"]).tolist()
        actions = np.zeros(len(states), np.int64)
        for k, seat in enumerate(seats):
            view = {"observation": views[k].copy(), "action_mask": masks[k].copy()}
            answer = np.asarray(self.policy(view, f"player_{seat}") if self._told else self.policy(view))
            if answer.size != 1 or answer.dtype.kind not in "iu":
                raise IllegalActionError(f"agent {self.name}: expected one whole number as action, found {answer!r}")
            actions[k] = answer.item()
        return actions


class ModelPlayer:
    """A model with Stable-Baselines3's `predict`, asked for a whole batch, playing its best action.

    A model that was trained on dict observations gets the dict, batched. One whose `predict` knows no `action_masks`
    is asked without: if it then answers with an illegal action, the match ends with an error that says so.

    Args:
        game: the Game.
        model: has `predict(observations, ...) -> actions` or `(actions, state)`; memory between calls is not kept.

    Raises:
        OptionError: the model was made for observations of another width.
    """

    def __init__(self, game: Game, model: Any) -> None:
        self.model = model
        self.name = _name(model)
        space = getattr(model, "observation_space", None)
        self._dict = hasattr(space, "spaces")
        shape = getattr(space["observation"] if self._dict else space, "shape", None)  # type: ignore[index]
        if shape is not None and shape != (game.observation_size,):
            raise OptionError(
                f"{self.name}: was made for observations of shape {shape}, {game.name} with {game.num_players} players"
                f" has ({game.observation_size},)"
            )
        known = _parameters(model.predict)
        every = any(p.kind is p.VAR_KEYWORD for p in known)
        names = {p.name for p in known}
        self._masked = every or "action_masks" in names
        self._extra = {"deterministic": True} if every or "deterministic" in names else {}

    def act_on(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        """int64 (n,) actions from float32 (n, W) and bool (n, A)."""
        given: Any = observations
        if self._dict:
            given = {"observation": observations, "action_mask": masks.astype(np.int8)}
        extra = {**self._extra, "action_masks": masks} if self._masked else self._extra
        answer = self.model.predict(given, **extra)
        return np.asarray(answer[0] if isinstance(answer, tuple) else answer)


def _wants_observation(act: Callable[..., Any]) -> bool:
    """Whether the first parameter is named like an observation."""
    return any(p.name.startswith("obs") for p in _parameters(act)[:1])


def _takes_agent(policy: Callable[..., Any]) -> bool:
    """Whether a second argument would be the agent's name, and not a switch with a value of its own."""
    second = [p for p in _parameters(policy) if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][1:2]
    return _needed(policy) == 2 or any(p.name.startswith(("agent", "player")) for p in second)


def _needed(function: Callable[..., Any]) -> int:
    """How many positional arguments a call must give; 2 where Python cannot tell or any number will do."""
    found = _parameters(function)
    if any(p.kind is p.VAR_POSITIONAL for p in found) or not (found or _has_signature(function)):
        return 2
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty for p in found)


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Its parameters, without self; none when Python does not know them."""
    return list(inspect.signature(function).parameters.values()) if _has_signature(function) else []


def _has_signature(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function)
    except (TypeError, ValueError):  # some builtins and extension types
        return False
    return True


def _name(thing: Any) -> str:
    """What to call it in messages."""
    return str(getattr(thing, "name", None) or getattr(thing, "__name__", None) or type(thing).__name__)
