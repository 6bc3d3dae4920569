"""The journal: finished blocks of deals, in memory or in a folder. Whatever is in the folder is whole.

A block's file is named after a hash of all that its games depend on (rules, components, options, seed, agents, code, versions)
and is written beside its place, forced to the disk and then renamed. So a process that is killed loses the blocks in hand,
what has changed is played again, and more games are added to those there are. One process writes, whoever plays.

plan.json       what the folder was begun for
blocks/         a file for each finished block
README.md, ...  the results
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from banquet_agents.arena.contests import Contest, differences, plain
from banquet_agents.arena.deals import Played
from banquet_agents.files import DRAFT, write_whole
from banquet_agents.forms import read_json
from banquet_envs.core.errors import OptionError

PLAN, BLOCKS, LOCK = "plan.json", "blocks", ".lock"
FORMAT = 1


class Journal:
    """Finished blocks of contests.

    Args:
        folder: where they are kept; in memory only when None. See `opened`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._held: dict[str, list[tuple[int, Played]]] = defaultdict(list)
        self._files: dict[str, list[Path]] = defaultdict(list)
        if folder is not None:
            for file in sorted((folder / BLOCKS).iterdir()):
                self._files[file.name.partition("-")[0]].append(file)

    def keep(self, key: str, first: int, played: Played) -> None:
        """Keep a finished block of the contest with this key; on disk, if there is a folder, when this returns."""
        self._held[key].append((first, played))
        if self.folder is not None:
            packed = io.BytesIO()
            np.savez_compressed(packed, **played._asdict())
            stop = first + len(played.seconds)
            write_whole(self.folder / BLOCKS / f"{key}-{first:09d}-{stop:09d}.npz", packed.getvalue())

    def blocks(self, key: str, contest: Contest) -> list[tuple[int, Played]]:
        """(first deal, games) of every finished block of a contest, in order; damaged files are removed."""
        for file in self._files.pop(key, []):
            if (block := _read(file, contest)) is None:
                file.unlink()
            else:
                self._held[key].append(block)
        return sorted(self._held[key], key=lambda block: block[0])

    def whole(self, key: str, contest: Contest) -> Played:
        """All deals of a contest, once they have been played."""
        parts, reached = [], 0
        for first, played in self.blocks(key, contest):
            stop = min(first + len(played.seconds), contest.deals)
            if first <= reached < stop:
                parts.append(played.between(reached - first, stop - first))
                reached = stop
        assert reached == contest.deals
        return Played.joined(parts)

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write results into the folder, if there is one; each file is replaced whole."""
        if self.folder is not None:
            for name, content in files.items():
                write_whole(self.folder / name, content)


def _read(file: Path, contest: Contest) -> tuple[int, Played] | None:
    """(first deal, games) of a block's file; None when it is damaged."""
    ways, seats = len(contest.assignments), contest.game.num_players
    try:
        first, stop = map(int, file.stem.split("-")[1:])
        with np.load(file, allow_pickle=False) as held:
            played = Played(**{name: held[name] for name in Played._fields})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
    n = stop - first
    counts = contest.game.num_actions + 1 if contest.legal else 0
    longest = played.moves.shape[-1] if contest.moves and played.moves.ndim else 0
    shapes: dict[str, tuple[int, ...]] = {"points": (n, ways, seats), "place": (n, ways, seats), "seconds": (n,)}
    shapes |= {"legal": (n, counts), "moves": (n, ways, longest)}
    fits = all(getattr(played, name).shape == shapes.get(name, (n, ways)) for name in Played._fields)
    return (first, played) if fits and all(values.dtype.kind in "iufb" for values in played) else None


@contextmanager
def opened(folder: Path | None, request: Mapping[str, Any], command: str = "") -> Iterator[Journal]:
    """The journal of a folder, alone; without a folder one in memory.

    Args:
        folder: a new one, or one that was begun for the same request.
        request: what is asked for; more games of it may be asked for later.
        command: the command that asks, for readers of the folder.

    Raises:
        OptionError: the folder holds something else, or another process is playing there.
    """
    if folder is None:
        yield Journal()
        return
    request = plain(request)
    _refuse_another(folder, request)
    try:
        (folder / BLOCKS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{folder}: cannot be made ({error.strerror})") from error
    lock = filelock.FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise OptionError(f"{folder}: another process is playing there") from error
    try:
        _refuse_another(folder, request)  # again: another process may have begun and ended meanwhile
        if not (folder / PLAN).is_file():
            told = {"format": FORMAT, "command": command, "request": request}
            write_whole(folder / PLAN, json.dumps(told, indent=2) + "\n")
        for draft in (folder / BLOCKS).glob("*" + DRAFT):
            draft.unlink()
        yield Journal(folder)
    finally:
        lock.release()


def _refuse_another(folder: Path, request: Mapping[str, Any]) -> None:
    """Raise OptionError where anything but this request was begun."""
    if not (folder / PLAN).is_file():
        if folder.exists() and not _is_free(folder):
            raise OptionError(f"{folder}: is in use for something else; choose another folder")
        return
    try:
        told = read_json(dict[str, Any], (folder / PLAN).read_text(), str(folder / PLAN))
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{folder / PLAN}: cannot be read ({error})") from error
    found = told.get("request")
    if told.get("format") != FORMAT or not isinstance(found, dict):
        raise OptionError(f"{folder / PLAN}: not of format {FORMAT}, which this version reads")
    if different := differences(found, request):
        raise OptionError(f"{folder}: was begun for something else: {'; '.join(different)}; choose another folder")


def _is_free(folder: Path) -> bool:
    """Nothing there but what a kill at the very beginning leaves."""
    if not folder.is_dir() or {p.name for p in folder.iterdir()} - {LOCK, PLAN + DRAFT, BLOCKS}:
        return False
    blocks = folder / BLOCKS
    return not blocks.exists() or (blocks.is_dir() and not any(blocks.iterdir()))
