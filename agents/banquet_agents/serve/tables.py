"""Tables that outlive the server: one file each, rewritten after every move. A table is its moves and its links' tokens."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import MaxLen

from banquet_agents.arena.sittings import Sitting
from banquet_agents.files import write_whole
from banquet_agents.forms import read_json
from banquet_agents.replays import PERSON, Replay, game_of, parsed_replay, positions
from banquet_agents.serve.thinking import Question
from banquet_agents.thoughts import Thought
from banquet_envs.core.errors import OptionError, SaveError
from banquet_envs.core.game import Game

_TOKEN = re.compile(r"([A-Za-z0-9_-]{8,32})\.[A-Za-z0-9_-]{16,64}")


class NoTableError(LookupError):
    """No table has this token."""


@dataclass(frozen=True)
class Hint:
    """What an agent advises a seat at one moment."""

    ply: int
    agent: str
    action: int
    thought: Thought | None


@dataclass(frozen=True)
class _Kept:
    """What a table's file says.

    Attributes:
        replay: the game, as `Replay.text` writes it.
        tokens: one for each seat, "" where an agent sits; the last one is for watching, "" at a table with people.
        digest: SHA-256 of the rest.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}

    replay: str
    tokens: Annotated[list[str], MaxLen(101)]
    digest: str = ""


class ServedTable:
    """A table with all that the server needs to know of it.

    Args:
        name: of its file, and the first part of its tokens.
        sitting: the game.
        tokens: see `_Kept`.

    Attributes:
        version: grows with everything that a page may show; who waits for it waits on `changed`.
        turn: grows with every change of the position.
        lock: held while the position changes or is looked at.
        thinking: whether an agent is being asked.
        trouble: why the table does not go on, "" when it does.
        hints: the last one of each seat.
        log: (seat, words for itself and after the end, words for the others) of every move.
    """

    def __init__(self, name: str, sitting: Sitting, tokens: Sequence[str]) -> None:
        self.name = name
        self.sitting = sitting
        self.tokens = list(tokens)
        self.version = self.turn = 0
        self.lock = asyncio.Lock()
        self.changed = asyncio.Condition()
        self.thinking = False
        self.trouble = ""
        self.hints: dict[int, Hint] = {}
        self.log: list[tuple[int, str, str]] = []
        self.catch_up()

    @property
    def game(self) -> Game:
        """The Game played here."""
        return self.sitting.game

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.sitting.seats) if name == PERSON]

    def seat_of(self, token: str) -> int | None:
        """The seat that a token opens, None for watching.

        Raises:
            NoTableError: it is no token of this table.
        """
        for seat, mine in enumerate(self.tokens):
            if mine and secrets.compare_digest(mine.encode(), token.encode()):
                return seat if seat < self.game.num_players else None
        raise NoTableError(token)

    def catch_up(self) -> None:
        """Bring the log in line with the moves."""
        sitting, game = self.sitting, self.game
        public = game.spec.words.public_text if game.spec.words is not None else None
        del self.log[len(sitting.actions) :]
        for ply in range(len(self.log), len(sitting.actions)):
            record, action = sitting.positions[ply][0], sitting.actions[ply]
            words = game.action_text(record, action)
            self.log.append((int(record.player), words, public(game.rules[0], record, action) if public else words))

    def play(self, action: int, thought: Thought | None = None) -> None:
        """Play an action of the seat to move.

        Raises:
            IllegalActionError: it may not; nothing has changed.
        """
        self.game.checked_actions(self.sitting.states, [action])
        self.sitting.play(action, thought)
        self.turn += 1
        self.catch_up()

    def take_back(self, seat: int) -> bool:
        """Undo up to the last choice of the only person here."""
        done = self.sitting.take_back(seat)
        self.turn += done
        self.catch_up()
        return done

    async def tell(self) -> None:
        """Wake every page that waits."""
        async with self.changed:
            self.version += 1
            self.changed.notify_all()

    def agent_to_move(self) -> str | None:
        """The name of the agent to be asked, None when a person is to move or the game is over."""
        name = self.sitting.seats[self.sitting.mover]
        return None if self.sitting.over or name == PERSON else name

    def question(self, agent: str) -> Question:
        """The decision of this moment; the agent is handed a resampled copy of the position, as in all other games."""
        table = self.sitting.table
        row = np.arange(1)
        word = table.chance(row)
        return Question(self.game, table.determinized(row, word).tobytes(), int(word[0]), agent)

    def file_text(self) -> str:
        """The content of the table's file."""
        kept = _Kept(self.sitting.replay().text(), self.tokens)
        return json.dumps(asdict(replace(kept, digest=_digest(kept)))) + "\n"


def _digest(kept: _Kept) -> str:
    return hashlib.sha256(json.dumps([kept.replay, kept.tokens]).encode()).hexdigest()


class Tables:
    """All tables of a server, in memory where they are in use, in a folder for good.

    Args:
        folder: where the files are; made when the first table is.
        components: files of component data in place of the shipped ones, by game.
    """

    def __init__(self, folder: Path, components: Mapping[str, Path]) -> None:
        self.folder = folder
        self.components = components
        self.open: dict[str, ServedTable] = {}

    def found(self, game: Game, seats: Sequence[str]) -> ServedTable:
        """A new table, kept."""
        name = secrets.token_urlsafe(8)
        watched = PERSON not in seats
        tokens = [_token(name) if seat == PERSON else "" for seat in seats]
        tokens.append(_token(name) if watched else "")
        return self._kept(ServedTable(name, Sitting(game, seats, secrets.randbits(64)), tokens))

    def adopt(self, game: Game, replay: Replay, positions: np.recarray) -> ServedTable:
        """A table that shows a replay, see `replays.read_replay`; it is not kept."""
        name = secrets.token_urlsafe(8)
        tokens = [""] * game.num_players + [_token(name)]
        table = ServedTable(name, Sitting.resumed(game, replay, positions), tokens)
        table.trouble = "" if table.sitting.over else "The game was left here."
        self.open[name] = table
        return table

    def _kept(self, table: ServedTable) -> ServedTable:
        self.open[table.name] = table
        self.keep(table)
        return table

    def keep(self, table: ServedTable) -> None:
        """Write a table's file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / f"{table.name}.json", table.file_text())

    def table(self, token: str) -> ServedTable:
        """The table that a token belongs to, from memory or from its file.

        Raises:
            NoTableError: no table has this token.
            SaveError: the table's file is damaged, or of other rules.
        """
        named = _TOKEN.fullmatch(token)
        if named is None:
            raise NoTableError(token)
        name = named[1]
        if name not in self.open:
            self.open[name] = self._read(name)
        self.open[name].seat_of(token)
        return self.open[name]

    def _read(self, name: str) -> ServedTable:
        file = self.folder / f"{name}.json"
        if not file.is_file():
            raise NoTableError(name)
        where = "this table's file"
        try:
            kept = read_json(_Kept, file.read_bytes(), where)
        except OptionError as error:
            raise SaveError(f"{error}") from None
        if kept.digest != _digest(kept):
            raise SaveError(f"{where} is damaged: its checksum does not fit")
        replay = parsed_replay(kept.replay, where)
        game = game_of(replay, where, self.components.get(replay.game))
        states = positions(game, replay, where)  # refuses what the rules refuse
        if len(kept.tokens) != game.num_players + 1:
            raise SaveError(f"{where} is damaged: it has {len(kept.tokens)} tokens")
        return ServedTable(name, Sitting.resumed(game, replay, states), kept.tokens)


def _token(name: str) -> str:
    """A new link's token at the table of this name, see `_TOKEN`."""
    return f"{name}.{secrets.token_urlsafe(18)}"
