"""A tournament on disk: its plan, and a file for each finished unit. Whatever is there is whole.

Every file is written beside its place, forced to the disk and then renamed: a process that is killed leaves either the
whole file or a draft that nobody reads. One process writes, whoever plays.

tournament.json     the plan
units/              a file for each finished unit
sessions.jsonl      when, how long and on what machine it was played; nothing else depends on it
matches.csv, ...    the results (report.py)
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from banquet_agents.arena.matches import Played
from banquet_agents.arena.tournament.plan import Plan, Unit
from banquet_agents.files import DRAFT, write_whole
from banquet_envs.core.errors import OptionError

PLAN, UNITS, SESSIONS, LOCK = "tournament.json", "units", "sessions.jsonl", ".lock"


class TournamentFolder:
    """The folder of one tournament.

    Args:
        path: the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def plan(self) -> Plan:
        """The plan of the tournament in this folder.

        Raises:
            OptionError: there is none.
        """
        try:
            return Plan.read((self.path / PLAN).read_text())
        except OSError as error:
            raise OptionError(f"{self.path}: no tournament there ({PLAN} cannot be read)") from error
        except OptionError as error:
            raise OptionError(f"{self.path / PLAN}: {error}") from error

    @contextmanager
    def opened(self, plan: Plan) -> Iterator[None]:
        """Begin or go on with `plan` here, alone.

        Raises:
            OptionError: another tournament or something else is there, or another process is playing.
        """
        known = (self.path / PLAN).is_file()
        if known:
            self._compare(plan)
        elif self.path.exists() and not self._is_free():
            raise OptionError(f"{self.path}: is in use for something else; choose another folder")
        try:
            (self.path / UNITS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(f"{self.path}: cannot be made ({error.strerror})") from error
        lock = filelock.FileLock(self.path / LOCK, timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise OptionError(f"{self.path}: another process is playing this tournament") from error
        try:
            if (self.path / PLAN).is_file():  # again: another process may have begun and ended meanwhile
                self._compare(plan)
            else:
                write_whole(self.path / PLAN, plan.text())
            for draft in (self.path / UNITS).glob("*" + DRAFT):
                draft.unlink()
            yield
        finally:
            lock.release()

    def _is_free(self) -> bool:
        """Nothing there but what a tournament killed at its very beginning leaves."""
        if not self.path.is_dir():
            return False
        left = {p.name for p in self.path.iterdir()} - {LOCK, PLAN + DRAFT, UNITS}
        units = self.path / UNITS
        return not left and not (units.exists() and (not units.is_dir() or any(units.iterdir())))

    def _compare(self, plan: Plan) -> None:
        found = self.plan()
        if different := found.differences(plan):
            raise OptionError(
                f"{self.path}: holds another tournament: it has {'; '.join(different)}; choose another folder"
            )

    # ------------------------------------------------------------ units

    def _file(self, unit: Unit) -> Path:
        return self.path / UNITS / f"{unit.pairing:04d}-{unit.first:07d}-{unit.stop:07d}.npz"

    def keep(self, unit: Unit, played: Played) -> None:
        """Keep a finished unit."""
        packed = io.BytesIO()
        np.savez_compressed(packed, **played._asdict())
        write_whole(self._file(unit), packed.getvalue())

    def unit(self, plan: Plan, unit: Unit) -> Played | None:
        """A finished unit; None when it has not been played, or its file is damaged."""
        ways = len(plan.pairings[unit.pairing].assignments)
        games = unit.stop - unit.first, ways
        seats = *games, plan.players
        try:
            with np.load(self._file(unit), allow_pickle=False) as held:
                played = Played(**{name: held[name] for name in Played._fields})
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            return None
        shapes = {"points": seats, "place": seats, "decisions": games, "capped": games, "trace": games}
        return played if all(getattr(played, name).shape == s for name, s in shapes.items()) else None

    def note_session(self, facts: Mapping[str, Any]) -> None:
        """Add a line to `sessions.jsonl`."""
        with (self.path / SESSIONS).open("a") as out:
            out.write(json.dumps(facts) + "\n")
