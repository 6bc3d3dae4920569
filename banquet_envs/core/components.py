"""Reading a game's components file: checked access, errors that name the file and the entry, nothing that goes unread.

A file of one's own takes the shipped one's place. What it holds beyond the entries that the game reads and those that
the shipped file has in the same place is a slip, and refused.
"""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

from banquet_envs.core.arguments import shown
from banquet_envs.core.errors import ComponentsError


class Components(dict[str, Any]):
    """A parsed components file, which knows what it is called and what has been read of it.

    Attributes:
        file: its path.
        opened: the `Entries` over it.
    """

    def __init__(self, data: Mapping[str, Any], file: Path) -> None:
        super().__init__(data)
        self.file = file
        self.opened: Entries | None = None

    def refuse_unknown(self, shipped: Mapping[str, Any]) -> None:
        """Refuse what nobody reads, once the game has read all it wants.

        Args:
            shipped: the game's own file. What it has in the same place is known, though under other options.

        Raises:
            ComponentsError: names the file, the entry, and what it may have been meant to be.
        """
        if self.opened is not None:
            self.opened.refuse_unknown(shipped)


def read_components(file: Path) -> tuple[Components, str]:
    """Read a components file.

    Returns:
        The parsed TOML and a short hash of its bytes.

    Raises:
        ComponentsError: the file is missing or is not TOML.
    """
    try:
        data = file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise ComponentsError(f"{file}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    try:  # some editors put a byte-order mark in front
        return Components(tomllib.loads(data.decode("utf-8-sig")), file), hashlib.sha256(data).hexdigest()[:16]
    except RecursionError as error:
        raise ComponentsError(f"{file}: is nested too deeply") from error
    except ValueError as error:  # of TOML, of the encoding, of numbers with thousands of digits
        raise ComponentsError(f"{file}: is not a TOML file: {error}") from error


class Entries:
    """A components file (or a part of it) with checked access: every error names the file and the entry.

    Args:
        data: a TOML table.
        path: where the table stands, for messages. A file read by `read_components` brings its own name.

    Attributes:
        data: the table; what is asked of it counts as read.
        path: as above.
    """

    def __init__(self, data: Mapping[str, Any], path: str) -> None:
        self.path = path
        if isinstance(data, Components):
            self.path = str(data.file)
            data.opened = self
        self.data = _Noting(data)
        self._parts: dict[str, Entries | list[Entries]] = {}

    def fail(self, key: str, expected: str) -> ComponentsError:
        """The error for entry `key`; raise what this returns."""
        if key in self.data:
            return ComponentsError(f"{self.path}: entry {key!r}: expected {expected}, found {shown(self.data[key])}")
        near = difflib.get_close_matches(key, list(self.data), 1)
        hint = f" (there is {near[0]!r})" if near else ""
        return ComponentsError(f"{self.path}: entry {key!r}: expected {expected}, found nothing{hint}")

    def table(self, key: str) -> Entries:
        """The sub-table `key`."""
        value = self.data.get(key)
        if not isinstance(value, Mapping):
            raise self.fail(key, "a table")
        if key not in self._parts:
            self._parts[key] = Entries(value, f"{self.path}: {key}")
        return self._parts[key]  # type: ignore[return-value]

    def tables(self, key: str, least: int = 0, most: int = 10**6) -> list[Entries]:
        """The array of tables `key`, with a checked length."""
        value = self.data.get(key)
        if not isinstance(value, list) or not all(isinstance(v, Mapping) for v in value):
            raise self.fail(key, "a list of tables")
        if not least <= len(value) <= most:
            raise ComponentsError(f"{self.path}: entry {key!r}: expected {least} to {most} tables, found {len(value)}")
        if key not in self._parts:
            self._parts[key] = [Entries(v, f"{self.path}: {key}[{k}]") for k, v in enumerate(value)]
        return self._parts[key]  # type: ignore[return-value]

    def integer(self, key: str, low: int = -(2**31), high: int = 2**31 - 1) -> int:
        """The whole number `key` within bounds."""
        value = self.data.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.fail(key, f"a whole number from {low} to {high}")
        return value

    def integers(self, key: str, length: int, low: int = -(2**31), high: int = 2**31 - 1) -> list[int]:
        """The list of `length` whole numbers at `key`, all within bounds."""
        value = self.data.get(key)
        if not isinstance(value, list) or len(value) != length or not all(_is_whole(v, low, high) for v in value):
            raise self.fail(key, f"a list of {length} whole numbers from {low} to {high}")
        return value

    def flag(self, key: str) -> bool:
        """The boolean `key`."""
        value = self.data.get(key)
        if not isinstance(value, bool):
            raise self.fail(key, "true or false")
        return value

    def text(self, key: str) -> str:
        """The text `key`."""
        value = self.data.get(key)
        if not isinstance(value, str):
            raise self.fail(key, "a text")
        return value

    def texts(self, key: str) -> list[str]:
        """The list of texts at `key`."""
        value = self.data.get(key)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.fail(key, "a list of texts")
        return value

    def one_of(self, key: str, choices: Sequence[Any]) -> int:
        """The position of entry `key` in `choices`."""
        place = _place(self.data.get(key), choices)
        if place is None:
            raise self.fail(key, f"one of {list(choices)}")
        return place

    def many_of(self, key: str, choices: Sequence[Any], least: int = 0, most: int = 10**6) -> list[int]:
        """The positions of each element of list `key` in `choices`, with a checked length."""
        value = self.data.get(key)
        places = [_place(v, choices) for v in value] if isinstance(value, list) else [None]
        if None in places or not least <= len(places) <= most:
            raise self.fail(key, f"a list of {least} to {most} of {list(choices)}")
        return places  # type: ignore[return-value]

    def refuse_unknown(self, *shipped: Mapping[str, Any]) -> None:
        """See `Components.refuse_unknown`; `shipped` are the tables in the same place of the shipped file."""
        known: dict[str, list[Any]] = {}
        for table in shipped:
            for key, value in table.items():
                known.setdefault(key, []).append(value)
        for key, value in self.data.there.items():
            read = key in self.data.asked
            if not read and key not in known:
                raise self._unknown(key, [*known, *self.data.asked])
            ours = known.get(key, [])
            if not read and not any(_alike(value, one) for one in ours):
                raise self.fail(key, f"something like {shown(ours[0])}")
            below = [part for one in ours for part in _tables(one)]
            for part in self._parts_of(key, value, read):
                part.refuse_unknown(*below)

    def _parts_of(self, key: str, value: Any, read: bool) -> list[Entries]:
        """The tables at `key`: those that were read, or, if this game under these options has not asked, all."""
        parts = self._parts.get(key, [])
        if not parts and not read:
            return [Entries(table, f"{self.path}: {key}") for table in _tables(value)]
        return [parts] if isinstance(parts, Entries) else parts

    def _unknown(self, key: str, known: list[str]) -> ComponentsError:
        near = difflib.get_close_matches(key, known, 1)
        names = sorted(set(known))
        few = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
        hint = f"; did you mean {near[0]!r}?" if near else f"; known here: {few or 'nothing'}"
        return ComponentsError(f"{self.path}: entry {shown(key)} is unknown{hint}")


class _Noting(Mapping[str, Any]):
    """A table that notes which of its keys have been asked for, whether they were there or not."""

    def __init__(self, there: Mapping[str, Any]) -> None:
        self.there, self.asked = there, set[str]()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return self.there[key]

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return key in self.there

    def __iter__(self) -> Iterator[str]:
        return iter(self.there)

    def __len__(self) -> int:
        return len(self.there)


def member_names(vocabulary: type[IntEnum]) -> tuple[str, ...]:
    """The members of a vocabulary as components files write them, in lower case."""
    return tuple(member.name.lower() for member in vocabulary)


def _tables(value: Any) -> list[Mapping[str, Any]]:
    """A table, or those in a list."""
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, Mapping)]


def _alike(value: Any, ours: Any) -> bool:
    """Whether a value is of the kind of another; lists by their elements."""
    if type(value) is not type(ours):
        return False
    return not isinstance(value, list) or not ours or all(any(_alike(v, one) for one in ours) for v in value)


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _place(value: Any, choices: Sequence[Any]) -> int | None:
    """Where a value is among the choices; 1 is neither true nor 1.0."""
    return next((k for k, choice in enumerate(choices) if type(choice) is type(value) and choice == value), None)
