"""A trained network as a player. It reads observation and mask only, needs neither torch nor pickle, and is batch first.

A policy is a folder with two files: `policy.safetensors` (the weights) and `policy.json` (shape of the network, the
game it was trained for, hashes of its observation and action layouts, versions).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le, MaxLen
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from banquet_agents.files import write_whole
from banquet_agents.forms import read_json, read_table
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game

FORMAT = 1
WEIGHTS, CARD = "policy.safetensors", "policy.json"
REFERENCE = "reference"
"""In a folder's place: the policy that comes with the package (see reference.py)."""
SAMPLE = "+sample"
"""Ending of a policy's name that makes it draw from its distribution instead of playing its best action."""


Width = Annotated[int, Ge(1), Le(1_000_000)]
Widths = Annotated[tuple[Width, ...], MaxLen(64)]


@dataclass(frozen=True)
class NetworkShape:
    """A multi-layer perceptron with a shared trunk, a policy head and a value head.

    Attributes:
        observation, actions: widths of input and of policy output.
        shared, policy, value: hidden widths of the trunk and of each head.
        activation: "relu" or "tanh", after every hidden layer.
    """

    observation: Width
    actions: Width
    shared: Widths
    policy: Widths = ()
    value: Widths = ()
    activation: str = "relu"

    def layers(self) -> dict[str, tuple[int, int]]:
        """Layer name -> (output, input) in order: `shared.0`, ..., `policy.0`, ..., `logits`, `value.0`, ..., `values`."""
        found: dict[str, tuple[int, int]] = {}
        trunk = self._stack(found, "shared", self.observation, self.shared)
        found["logits"] = self.actions, self._stack(found, "policy", trunk, self.policy)
        found["values"] = 1, self._stack(found, "value", trunk, self.value)
        return found

    @staticmethod
    def _stack(found: dict[str, tuple[int, int]], name: str, width: int, hidden: tuple[int, ...]) -> int:
        for k, size in enumerate(hidden):
            found[f"{name}.{k}"] = size, width
            width = size
        return width


class Network:
    """The forward pass of a `NetworkShape` in NumPy.

    Args:
        shape: the layers.
        weights: `<layer>.weight` float32 (output, input) and `<layer>.bias` (output,) for every layer.

    Raises:
        OptionError: a weight is missing, has another shape or is not finite.
    """

    def __init__(self, shape: NetworkShape, weights: Mapping[str, np.ndarray]) -> None:
        self.shape = shape
        self.weights: dict[str, np.ndarray] = {}
        if shape.activation not in ("relu", "tanh"):
            raise OptionError(f"network: activation {shape.activation!r} is not known; choose relu or tanh")
        for layer, (out, width) in shape.layers().items():
            for key, expected in ((f"{layer}.weight", (out, width)), (f"{layer}.bias", (out,))):
                if key not in weights or weights[key].shape != expected:
                    found = weights[key].shape if key in weights else "nothing"
                    raise OptionError(f"network: expected {key} of shape {expected}, found {found}")
                if not np.isfinite(weights[key]).all():
                    raise OptionError(f"network: {key} holds numbers that are not finite")
                self.weights[key] = np.ascontiguousarray(weights[key], np.float32)

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """float32 (n, actions), not masked."""
        return self._linear("logits", self._hidden("policy", self._hidden("shared", observations)))

    def values(self, observations: np.ndarray) -> np.ndarray:
        """float32 (n,): the return that the observing seat expects."""
        return self._linear("values", self._hidden("value", self._hidden("shared", observations)))[:, 0]

    def _linear(self, layer: str, x: np.ndarray) -> np.ndarray:
        y = x @ self.weights[f"{layer}.weight"].T
        y += self.weights[f"{layer}.bias"]
        return y

    def _hidden(self, stack: str, x: np.ndarray) -> np.ndarray:
        for k in range(len(getattr(self.shape, stack))):
            x = self._linear(f"{stack}.{k}", x)
            if self.shape.activation == "relu":
                np.maximum(x, 0, out=x)
            else:
                np.tanh(x, out=x)
        return x


class PolicyAgent:
    """A network that plays a Game, always with the mask.

    Args:
        game: the Game.
        network: the network.
        sample: draw from the masked distribution instead of taking its best action.
        card: what `policy.json` said.
    """

    def __init__(
        self, game: Game, network: Network, sample: bool = False, card: Mapping[str, Any] | None = None
    ) -> None:
        self.game = game
        self.network = network
        self.sample = sample
        self.card = dict(card or {})

    def act_on(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        """int64 (n,) actions from what the movers see.

        Args:
            observations: float32 (n, W).
            masks: bool (n, A), no row all False.
            words: uint64 (n,) of chance, one per game; not used by a policy that plays its best action.
        """
        logits = self.network.logits(observations)
        logits[~masks] = -np.inf
        if not self.sample:
            return logits.argmax(axis=1)
        logits -= logits.max(axis=1, keepdims=True)
        cumulated = np.exp(logits, dtype=np.float64).cumsum(axis=1)
        unit = (words >> np.uint64(11)).astype(np.float64) / 2.0**53
        return (cumulated <= unit[:, None] * cumulated[:, -1:]).sum(axis=1)

    def act(self, states: np.ndarray) -> np.ndarray:
        """int64 (n,) actions for records in which this agent's seat is to move; reads only observation and mask."""
        words = states["rng"] * np.uint64(0xD1342543DE82EF95) + np.uint64(1)
        return self.act_on(self.game.observe(states), self.game.legal_actions(states), words)


def layout_hash(game: Game) -> str:
    """A short hash of the observation's and the actions' slices: names, shapes, and who knows them; not what is said of them."""
    slices = [(s.name, s.shape, s.public) for layout in (game.layout, game.action_layout) for s in layout]
    return hashlib.sha256(repr(slices).encode()).hexdigest()[:16]


def save_policy(folder: Path, game: Game, network: Network, about: Mapping[str, Any], dtype: Any = np.float32) -> None:
    """Write a policy folder; `about` (versions, steps, seed, ...) is kept in its JSON, weights as `dtype` (float16 or float32)."""
    folder.mkdir(parents=True, exist_ok=True)
    card = {
        "format": FORMAT,
        "game": game.name,
        "rules_version": game.spec.version,
        "players": game.num_players,
        "options": game.options,
        "reward": game.reward,
        "components": game.components_hash,
        "layout": layout_hash(game),
        "network": asdict(network.shape),
        **about,
    }
    write_whole(folder / WEIGHTS, save({name: weight.astype(dtype) for name, weight in network.weights.items()}))
    write_whole(folder / CARD, json.dumps(card, indent=2) + "\n")


def find_policy(folder: Path) -> Path:
    """`folder` itself, or its `best` or `last`, whichever first holds a policy.

    Raises:
        OptionError: none does.
    """
    for place in (folder, folder / "best", folder / "last"):
        if (place / CARD).is_file() and (place / WEIGHTS).is_file():
            return place
    raise OptionError(f"policy:{folder}: no {CARD} with {WEIGHTS} in it, in its best/ or in its last/")


def policy_of(agent: str) -> str | None:
    """The policy that an agent's name speaks of, a folder or `reference`: `policy:FOLDER`, `search:N,policy=FOLDER`."""
    kind, _, rest = agent.partition(":")
    if kind == "policy":
        return rest.removesuffix(SAMPLE)
    if kind == "search":
        named = [part.removeprefix("policy=") for part in rest.split(",") if part.startswith("policy=")]
        return named[-1].removesuffix(SAMPLE) if named else None
    return None


def policy_folder(game: Game, name: str) -> Path:
    """Where the policy of this name lies: see `find_policy`; `reference` is the one that is shipped for the game."""
    if name != REFERENCE:
        return find_policy(Path(name))
    from banquet_agents.reference import find_reference  # which reads cards as this module does

    return find_reference(game)


def load_policy(game: Game, name: str) -> PolicyAgent:
    """The policy in a folder, as a player of `game`.

    Args:
        game: must have the game, rules version, players, components and layouts that the policy was trained with. Options
            may differ where the layouts allow it.
        name: the folder, a run's folder, or `reference`; `+sample` at the end makes it draw its actions.

    Raises:
        OptionError: no policy there, a damaged one, or one for another game.
    """
    folder = policy_folder(game, name.removesuffix(SAMPLE))
    card, shape = read_card(folder)
    _check(game, card, folder)
    try:
        weights = load_file(folder / WEIGHTS)
    except (OSError, ValueError, SafetensorError) as error:
        raise OptionError(f"policy:{folder}: the policy cannot be read ({error})") from error
    if (shape.observation, shape.actions) != (game.observation_size, game.num_actions):
        raise OptionError(
            f"policy:{folder}: its network reads {shape.observation} features and chooses of {shape.actions} actions,"
            f" this game has {game.observation_size} and {game.num_actions}"
        )
    try:
        return PolicyAgent(game, Network(shape, weights), name.endswith(SAMPLE), card)
    except OptionError as error:
        raise OptionError(f"policy:{folder}: {error}") from error


def read_card(folder: Path) -> tuple[dict[str, Any], NetworkShape]:
    """What `policy.json` says, and the network that it describes.

    Raises:
        OptionError: it cannot be read, or says something of another kind.
    """
    where = f"policy:{folder}: the policy cannot be read: {CARD}"
    try:
        told = read_json(dict[str, Any], (folder / CARD).read_bytes(), where)
    except OSError as error:
        raise OptionError(f"{where} ({error.strerror})") from error
    known = {f.name: told[f.name] for f in fields(_Card) if f.name in told}
    return told, read_table(_Card, known, where).network


@dataclass(frozen=True)
class _Card:
    """What `policy.json` must say; more is welcome."""

    format: int
    game: str
    rules_version: str
    players: Annotated[int, Ge(1)]
    options: dict[str, str | int | bool | float]
    components: str
    layout: str
    network: NetworkShape


def _check(game: Game, card: Mapping[str, Any], folder: Path) -> None:
    mine = {
        "format": FORMAT,
        "game": game.name,
        "rules_version": game.spec.version,
        "players": game.num_players,
        "components": game.components_hash,
        "layout": layout_hash(game),
    }
    for key, value in mine.items():
        if card.get(key) != value:
            raise OptionError(f"policy:{folder}: was made for {key} {card.get(key)!r}, this game has {value!r}")
