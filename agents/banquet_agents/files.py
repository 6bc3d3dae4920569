"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

DRAFT = ".draft"


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or not at all, even after a kill or a power cut.

    It is written beside its place, forced to the disk and then renamed.
    """
    draft = file.with_name(file.name + DRAFT)
    with draft.open("wb") as out:
        out.write(content.encode() if isinstance(content, str) else content)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    if os.name == "posix":  # the new name, too, is only safe once the folder has been written
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
