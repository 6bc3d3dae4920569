"""Where the time goes: named sections of a training run, timed with a few calls."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from banquet_agents.files import write_whole
from banquet_agents.forms import read_json
from banquet_envs.core.errors import OptionError


class Profile:
    """Seconds by section. Sections may lie within each other: each keeps only the time that no inner one takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inner: list[float] = []

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Time what runs inside under `name`."""
        start = time.perf_counter()
        self._inner.append(0.0)
        try:
            yield
        finally:
            took = time.perf_counter() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + took - self._inner.pop()
            if self._inner:
                self._inner[-1] += took

    def table(self) -> list[tuple[str, float, float]]:
        """(section, seconds, share of all), the longest first."""
        total = sum(self.seconds.values()) or 1.0
        return sorted(((k, s, s / total) for k, s in self.seconds.items()), key=lambda row: -row[1])

    def markdown(self) -> str:
        """The table in Markdown."""
        lines = ["| where | seconds | share |", "| --- | ---: | ---: |"]
        lines += [f"| {name} | {seconds:.1f} | {share:.1%} |" for name, seconds, share in self.table()]
        return "\n".join(lines)

    def save(self, file: Path) -> None:
        """Write the seconds as JSON, added to those of an earlier part of the run."""
        write_whole(file, json.dumps({k: round(v, 3) for k, v, _ in self.table()}, indent=2) + "\n")

    def load(self, file: Path) -> None:
        """Go on from saved seconds; from none where they cannot be read."""
        with suppress(OSError, OptionError):
            self.seconds = read_json(dict[str, float], file.read_bytes(), str(file))
