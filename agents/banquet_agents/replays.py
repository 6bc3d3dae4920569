"""Replays: one JSON file a game. A game is its seed and its actions, so the file holds no position; all are played again.

A file is held against its form, its checksum, the game's rules version and components, and then against the rules,
action by action, before anything of it is shown. The checksum finds accidents; who changes a file on purpose and makes a
new one can only write down another legal game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Ge, Le, MaxLen

from banquet_agents.files import write_whole
from banquet_agents.forms import read_json
from banquet_agents.thoughts import Thought
from banquet_envs.core.errors import BanquetError, OptionError, SaveError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec, list_games
from banquet_envs.core.state import take

FORMAT = 1
PERSON = "a person"
"""What a replay calls a seat that a person held."""

_Count = Annotated[int, Ge(0)]


@dataclass(frozen=True)
class Replay:
    """A game as its file tells it.

    Attributes:
        game, version, players, options, components: what the game must be made of to be played again.
        seed: the word that the record was set up from.
        seats: who held each seat: an agent's name, or `PERSON`.
        actions: every decision, in order.
        points, place: the result by seat, place 0 being the best; empty while the game is not over.
        thoughts: what the mover thought, for every action, None where it could not say; or none at all.
        undone: decisions that a person took back.
        format: of this file.
        digest: SHA-256 of all the rest.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}

    game: str
    version: str
    players: Annotated[int, Ge(1), Le(100)]
    options: dict[str, str | int | bool | float]
    components: str
    seed: Annotated[int, Ge(0), Le(2**64 - 1)]
    seats: Annotated[list[str], MaxLen(100)]
    actions: Annotated[list[_Count], MaxLen(1_000_000)]
    points: list[int] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    thoughts: list[Thought | None] = field(default_factory=list)
    undone: _Count = 0
    format: int = FORMAT
    digest: str = ""

    def text(self) -> str:
        """The file's content."""
        whole = replace(self, digest=_digest(self))
        return json.dumps(asdict(whole), separators=(",", ":")) + "\n"


def _digest(replay: Replay) -> str:
    rest = asdict(replace(replay, digest=""))
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def replay_of(
    game: Game,
    seats: Sequence[str],
    end: np.ndarray,
    actions: Sequence[int],
    thoughts: Sequence[Thought | None] = (),
    undone: int = 0,
) -> Replay:
    """What there is to tell of a game.

    Args:
        game: the Game.
        seats: who held each seat.
        end: records (1,), the position after all actions.
        actions: every decision.
        thoughts: one for every action, or none.
        undone: decisions taken back.
    """
    last, n = end[0], game.num_players
    told = any(t is not None for t in thoughts)
    return Replay(
        game=game.name, version=game.spec.version, players=n, options=game.options, components=game.components_hash,
        seed=int(last.seed), seats=list(seats), actions=[int(a) for a in actions],
        points=[int(p) for p in last.points[:n]] if last.over else [],
        place=[int(p) for p in last.place[:n]] if last.over else [],
        thoughts=list(thoughts) if told else [], undone=undone,
    )  # fmt: skip


def write_replay(folder: Path, replay: Replay) -> Path:
    """Write a replay into a folder, under the first name that is free, and tell which."""
    folder.mkdir(parents=True, exist_ok=True)
    stem, k = f"{replay.game}-{replay.players}p-{replay.seed:016x}", 0
    while (file := folder / f"{stem}{f'-{k}' if k else ''}.json").exists():
        k += 1
    write_whole(file, replay.text())
    return file


def parsed_replay(text: str | bytes, where: str) -> Replay:
    """A replay from a file's content; its form and its checksum have been looked at, nothing else.

    Raises:
        SaveError: no replay, or a damaged one.
    """
    try:
        replay = read_json(Replay, text, where)
    except OptionError as error:
        raise SaveError(f"{where} is no replay: {str(error).removeprefix(where + ': ')}") from None
    if replay.format != FORMAT:
        raise SaveError(f"{where}: format {replay.format}, expected {FORMAT}")
    if replay.digest != _digest(replay):
        raise SaveError(f"{where} is damaged: its checksum does not fit")
    return replay


def read_replay(file: Path, components: Path | None = None) -> tuple[Game, Replay, np.recarray]:
    """A replay with its game and all its positions.

    Args:
        file: the replay.
        components: the component data of the game's owner, where it was played with such.

    Returns:
        The Game, the replay, and its positions, records (k + 1,) for k actions.

    Raises:
        SaveError: a damaged file, or one of other rules or components; the reason is told.
    """
    try:
        text = file.read_bytes()
    except OSError as error:
        raise SaveError(f"{file}: {error.strerror}") from error
    replay = parsed_replay(text, str(file))
    game = game_of(replay, str(file), components)
    return game, replay, positions(game, replay, str(file))


def game_named(
    name: str, players: int, options: Mapping[str, str | int | bool | float], components: Path | None = None
) -> Game:
    """A game from names that came from outside: no module is imported for them, nothing but the game's own options is set.

    Raises:
        OptionError: no such game, player count, option or value.
    """
    if name not in list_games():
        raise OptionError(f"no game named {name!r}; there are {', '.join(list_games())}")
    spec = game_spec(name)
    spec.checked_options(players, options)
    return Game(spec, players, "win", components, 1, **options)  # type: ignore[arg-type]


def game_of(replay: Replay, where: str, components: Path | None = None) -> Game:
    """The Game that a replay was played with.

    Raises:
        SaveError: there is no such game here, or its rules or components are others.
    """
    try:
        game = game_named(replay.game, replay.players, replay.options, components)
    except OptionError as error:
        raise SaveError(f"{where}: {error}") from error
    if game.spec.version != replay.version:
        raise SaveError(f"{where} was played by rules {replay.version}, here are rules {game.spec.version}")
    if game.components_hash != replay.components:
        raise SaveError(
            f"{where} was played with components {replay.components[:12]}, these are {game.components_hash[:12]}"
            " (--components names others)"
        )
    return game


def positions(game: Game, replay: Replay, where: str) -> np.recarray:
    """Records (k + 1,): the game before every action, and at its end.

    Raises:
        SaveError: the file's entries do not fit together, an action is not legal, or the result is another.
    """
    if len(replay.seats) != game.num_players or len(replay.thoughts) not in (0, len(replay.actions)):
        raise SaveError(f"{where} is damaged: it has {len(replay.seats)} seats and {len(replay.thoughts)} thoughts")
    states = game.reset(1, 0)
    game.restart(states, np.array([replay.seed], np.uint64))
    found = [states.copy()]
    for ply, action in enumerate(replay.actions):
        try:
            game.step(states, np.array([action]))
        except (BanquetError, OverflowError) as error:
            raise SaveError(f"{where}: decision {ply + 1} does not fit: {error}") from error
        found.append(states.copy())
    told = replay_of(game, replay.seats, states, replay.actions)
    if (told.points, told.place) != (replay.points, replay.place):
        raise SaveError(f"{where}: the result is {told.points} points, the file tells of {replay.points}")
    return take(np.concatenate(found), np.arange(len(found)))
