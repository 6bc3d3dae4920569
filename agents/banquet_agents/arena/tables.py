"""Results as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from banquet_agents.files import write_whole


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> str:
    """A Markdown table; all but the first `words` columns, which hold words, stand to the right."""
    rule = ["---" if k < words else "---:" for k in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *rows))


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV, header first; what is not a number is left empty."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    for k, row in enumerate(rows):
        if k == 0:
            writer.writerow(row)
        writer.writerow("" if isinstance(v, float) and math.isnan(v) else v for v in row.values())
    return out.getvalue()


def write_csv(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Write rows as CSV, the file whole or not at all."""
    write_whole(file, csv_text(rows))


def json_text(told: Any) -> str:
    """Values as JSON, which knows no nan: null in its place."""
    return json.dumps(_without_nan(told), indent=2) + "\n"


def _without_nan(value: Any) -> Any:
    """`value` for JSON, which knows no nan: None in its place."""
    if isinstance(value, Mapping):
        return {k: _without_nan(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(v) for v in value]
    return None if isinstance(value, float) and math.isnan(value) else value
