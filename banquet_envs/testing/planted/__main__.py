"""`python -m banquet_envs.testing.planted [WORD | --brief]`: does the suite see what is planted?

Quick with NUMBA_DISABLE_JIT=1, and with `--brief`, which plants one fault for each check.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from banquet_envs.core.registry import register_game
from banquet_envs.testing.planted.faults import FAULTS, Fault
from banquet_envs.testing.play import configurations
from banquet_envs.testing.suite import CHECKS, OVERALL_CHECKS


def finding(fault: Fault) -> str:
    """What the fault's own check says of it; "" when it passes."""
    spec = fault.spec()
    register_game(spec, replace=True)
    everything: tuple[Callable[..., Any], ...] = (*CHECKS, *OVERALL_CHECKS)
    check = next(c for c in everything if c.__name__ == fault.check)
    try:
        for subject in [spec.name] if check in OVERALL_CHECKS else [c.make() for c in configurations(spec.name)]:
            check(subject)
    except AssertionError as error:
        return str(error) or "an assertion without words"
    return ""


if __name__ == "__main__":
    missed = 0
    first = {fault.check: fault for fault in reversed(FAULTS)}
    word = "".join(sys.argv[1:])
    chosen = list(first.values()) if word == "--brief" else [fault for fault in FAULTS if word in fault.what]
    for planted in chosen:
        said = finding(planted)
        seen = bool(said) and planted.says in said
        missed += not seen
        line = said.splitlines()[0] if said else "-"
        print(f"{'seen' if seen else 'MISSED'}: {planted.what} ({planted.check}): {line}", flush=True)
    sys.exit(f"{missed} of {len(chosen)} planted faults were missed" if missed else 0)
