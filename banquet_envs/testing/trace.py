"""`python -m banquet_envs.testing.trace GAME [SEED [brief]]`: hashes of one random game per configuration, as JSON.

The suite runs it in other processes: compiled, as plain Python (NUMBA_DISABLE_JIT=1) with every overflow and invalid
operation an error, with bounds checks (NUMBA_BOUNDSCHECK=1). All must print the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from banquet_envs.core.compile import JIT
from banquet_envs.core.registry import game_spec, reference
from banquet_envs.testing.play import configurations, each_variant, trace


def hashes(game: str, seed: int, brief: bool = False) -> dict[str, str]:
    """Configuration -> hash of its random game, in this process; `brief`: every variant at one player count only."""
    chosen = each_variant(game) if brief else configurations(game)
    with np.errstate(**({} if JIT else {"over": "raise", "divide": "raise", "invalid": "raise"})):  # type: ignore[arg-type]
        return {str(c): trace(c, seed) for c in chosen}


def hashes_elsewhere(game: str, seed: int, brief: bool = False, **environment: str) -> dict[str, str]:
    """The same in a new process with these environment variables; the module that registered the game is imported there.

    Raises:
        AssertionError: the process failed; the message holds its errors.
    """
    command = [sys.executable, "-m", "banquet_envs.testing.trace", reference(game), str(seed), *["brief"] * brief]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)} with {environment}:\n{done.stderr[-3000:]}"
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    game_spec(sys.argv[1])
    _, name, *rest = sys.argv
    print(json.dumps(hashes(name.rpartition(":")[2], int(rest[0]) if rest else 0, "brief" in rest)))
