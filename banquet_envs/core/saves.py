"""Saved games as bytes: a head that says what they are, the records, and a checksum over both.

A save is `BANQUET2`, a line feed, the SHA-256 of all that follows, the length of the head (4 bytes, little endian), the
head as JSON (`Game.identity` and the number of records `n`), the records. The checksum finds accidents; whoever changes
a save on purpose can make a new one, so the records are held against the rules as well (core/soundness.py).
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from banquet_envs.core import soundness, state
from banquet_envs.core.errors import SaveError

if TYPE_CHECKING:
    from banquet_envs.core.game import Game

_MAGIC, _OLD = b"BANQUET2\n", b"BANQUET1\n"
_DIGEST = hashlib.sha256().digest_size


def pack(game: Game, states: np.ndarray) -> bytes:
    """The bytes of `Game.save`."""
    game.check_states(states)
    head = json.dumps({**game.identity(), "n": len(states)}, sort_keys=True).encode()
    rest = len(head).to_bytes(4, "little") + head + state.raw(states).tobytes()
    return _MAGIC + hashlib.sha256(rest).digest() + rest


def unpack(game: Game, data: Any) -> np.recarray:
    """The records of `Game.load`.

    Raises:
        SaveError: see `Game.load`.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise SaveError(f"{game.name}: a saved game is bytes, found {type(data).__name__}")
    data = bytes(data)
    if data.startswith(_OLD):
        raise SaveError(f"{game.name}: this save is of an older version, before saves had checksums")
    if not data.startswith(_MAGIC):
        raise SaveError(f"{game.name}: these bytes are not a saved banquet game")
    digest, rest = data[len(_MAGIC) : len(_MAGIC) + _DIGEST], data[len(_MAGIC) + _DIGEST :]
    if hashlib.sha256(rest).digest() != digest:
        raise SaveError(f"{game.name}: the save is damaged: its checksum does not fit")
    size = int.from_bytes(rest[:4], "little")
    n = _read_head(game, rest[4 : 4 + size])
    return unpack_records(game, rest[4 + size :], n)


def unpack_records(game: Game, data: Any, n: int) -> np.recarray:
    """`n` records from their bytes alone, as in `BanquetAEC.get_state`; checked like those of a save.

    Raises:
        SaveError: not bytes, not `n` records, or not positions of this game.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise SaveError(f"{game.name}: records are bytes, found {type(data).__name__}")
    data = bytearray(data)
    if len(data) != n * game.spec.state.itemsize:
        expected = f"{n} record{'s' * (n != 1)} of {game.spec.state.itemsize} bytes"
        raise SaveError(f"{game.name}: the length does not fit: expected {expected}, found {len(data)} bytes")
    states = np.frombuffer(data, np.uint8).view(game.spec.state).view(np.recarray)
    soundness.check_records(game, states)
    return states


def _read_head(game: Game, data: bytes) -> int:
    """The number of records, of a head that agrees with the game in everything else."""
    try:
        head = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{game.name}: the save's head cannot be read") from error
    if not isinstance(head, dict):
        raise SaveError(f"{game.name}: the save's head is {_short(head)}, not an object with what it was saved from")
    for key, mine in game.identity().items():
        if key not in head:
            raise SaveError(f"{game.name}: the save's head does not say its {key}")
        theirs = head[key]
        if json.dumps(mine, sort_keys=True) != json.dumps(theirs, sort_keys=True):  # so that 1, 1.0 and true differ
            raise SaveError(f"{game.name}: the save has {key} {_short(theirs)}, this game has {mine!r}")
    n = head.get("n")
    if type(n) is not int or n < 0:
        raise SaveError(f"{game.name}: the save's head has n {_short(n)}; it must be the number of its records")
    return n


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."
