"""Transcripts: a line of JSON for every call, written as soon as it is answered. What is there is never asked again."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from banquet_agents.forms import read_json
from banquet_envs.core.errors import OptionError


@dataclass(frozen=True)
class Line:
    """A call and what came of it.

    Attributes:
        game, opponent, deal, seat: which game was played, and the seat that was asked.
        ply, attempt: which decision of it, and 1 for a second chance.
        prompt: what was asked, with "{rules}" for the game's rules, which stand in a file of their own.
        prompt_hash: of the whole prompt.
        reply: the answer.
        outcome: "legal", "illegal" or "unreadable".
        seconds: how long the answer took.
        tokens: what it cost, where known.
    """

    game: str
    opponent: str
    deal: int
    seat: int
    ply: int
    attempt: int
    prompt: str
    prompt_hash: str
    reply: str
    outcome: str
    seconds: float
    tokens: dict[str, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, int, int, int, int]:
        """What tells calls of a run apart."""
        return self.game, self.opponent, self.deal, self.seat, self.ply, self.attempt


def read_lines(file: Path) -> Iterator[Line]:
    """The lines of a transcript; one that a kill has cut off at the end is left out.

    Raises:
        OptionError: the file cannot be read, or holds something else.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise OptionError(f"{file}: cannot be read ({error.strerror})") from error
    whole = content[: content.rfind(b"\n") + 1]
    for number, text in enumerate(whole.splitlines(), 1):
        yield read_json(Line, text, f"{file}, line {number}")


class Journal:
    """The transcript of a run, to be read back and added to; several games may write to it at once.

    Args:
        file: where it is kept; made if it is missing. A last line that was cut off is taken away.

    Raises:
        OptionError: the file holds something else.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()
        self._known: dict[tuple[str, str, int, int, int, int], Line] = {}
        if file.exists():
            self._known = {line.key: line for line in read_lines(file)}
            content = file.read_bytes()
            if not content.endswith(b"\n"):
                os.truncate(file, content.rfind(b"\n") + 1)
        self._out = file.open("a", encoding="utf-8")

    def known(self, key: tuple[str, str, int, int, int, int]) -> Line | None:
        """A call that was answered before."""
        return self._known.get(key)

    def add(self, line: Line) -> None:
        """Keep a line, for good: it is on the disk when this returns."""
        text = json.dumps(asdict(line), ensure_ascii=False)
        with self._lock:
            self._out.write(text + "\n")
            self._out.flush()
            os.fsync(self._out.fileno())
            self._known[line.key] = line

    def lines(self) -> list[Line]:
        """All lines."""
        return list(self._known.values())

    def close(self) -> None:
        """Close the file."""
        self._out.close()
