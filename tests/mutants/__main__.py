"""`python -m tests.mutants GAME [--seed 2026] [-n 40]`: are broken rules noticed by the game's own tests?

Plants one fault after another in a copy of the tree and runs, in plain Python, the tests under `tests/games/<game>` and a
few short random games of the conformance suite (`walks.py`). Golden playthroughs are left out: they say that something
changed, not that a rule is wrong. Prints the faults that nothing noticed. `equivalent.toml` lists faults that change
nothing, with the reason; they do not count.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

import platformdirs

from tests.mutants.faults import Fault, chosen

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("banquet_envs", "agents", "training", "docs", "tests")
GAMES = Path("banquet_envs/games")
LONGEST = 4.0
"""CPU seconds: a test that takes longer in plain Python is left out; `tests.sizes.many` makes it smaller there."""
NO_RULES = ("test_agents.py", "test_display.py", "test_aec.py")
"""Test files that say nothing of the rules."""


class Copy:
    """A copy of the tree, and the process that runs tests in it."""

    def __init__(self, place: Path, game: str, tests: list[str]) -> None:
        self.root = place
        self.game = game
        self.tests = tests
        for name in PACKAGES:
            junk = shutil.ignore_patterns("__pycache__", "results", "*.svg", "*.png")
            shutil.copytree(ROOT / name, place / name, ignore=junk)
        shutil.copy(ROOT / "pyproject.toml", place)
        paths = [str(place), *(str(place / p) for p in ("agents", "training", "docs"))]
        env = {
            **os.environ, "NUMBA_DISABLE_JIT": "1", "BANQUET_MUTANT": game, "PYTHONPATH": os.pathsep.join(paths),
            "BANQUET_CACHE_DIR": str(place / "cache"),
        }  # fmt: skip
        command = [sys.executable, "-m", "tests.mutants.trial"]
        self.trials = subprocess.Popen(
            command, cwd=place, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, **task: object) -> dict:
        """What became of the tests."""
        full = {"costs": None, "kills": {}, "skip": [], "limit": LONGEST, "tests": self.tests, "cpu": 3600, **task}
        print(json.dumps(full), file=self.trials.stdin, flush=True)
        answer = self.trials.stdout.readline()  # type: ignore[union-attr]
        assert answer, "the process that runs the tests has died"
        return json.loads(answer)

    def with_fault(self, fault: Fault, costs: dict[str, float], kills: dict[str, int]) -> dict:
        """The same with one file changed; proves that the changed file is the one that was run."""
        file = self.root / GAMES / self.game / fault.file
        kept = file.read_text()
        try:
            self._write(file, fault.planted(kept))
            module = f"banquet_envs.games.{self.game}.{file.stem}"
            answer = self.run(costs=costs, kills=kills, module=module, file=str(file), function=fault.function)
        finally:
            self._write(file, kept)
        assert answer.get("imported", "yes") == "yes", answer["imported"]
        return answer

    @staticmethod
    def _write(file: Path, text: str) -> None:
        """Write a source, and drop what Python has kept of it: mutants may agree in size and second."""
        file.write_text(text)
        for stale in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            stale.unlink()


def usable(copy: Copy) -> dict[str, float]:
    """CPU seconds of each test that passes without a fault; says which are left out.

    Those that were found too long are remembered from run to run, as long as their files are the same.
    """
    memory = Path(platformdirs.user_cache_dir("banquet-envs")) / f"mutants-{copy.game}.json"
    folder = ROOT / "tests" / "games" / copy.game
    shared = b"".join(f.read_bytes() for f in sorted(folder.glob("*.py")) if not f.name.startswith("test_"))
    known = json.loads(memory.read_text()) if memory.exists() else {}

    def key(test: str) -> str:
        return hashlib.sha256(shared + (ROOT / test.split("::")[0]).read_bytes() + test.encode()).hexdigest()[:16]

    too_long = [test for test, mark in known.items() if (ROOT / test.split("::")[0]).exists() and key(test) == mark]
    found = copy.run(skip=too_long)
    assert found["code"] in (0, 1), f"pytest ended with {found['code']}: {found['failed']}"
    too_long += [test for test, why in found["failed"].items() if "Hangs" in why]
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory.write_text(json.dumps({test: key(test) for test in too_long}))
    for test in sorted({*too_long, *found["failed"]}):
        print(f"left out: {test} ({'too long' if test in too_long else found['failed'][test]})")
    passed = {name: s for name, s in found["seconds"].items() if name not in found["failed"]}
    print(f"{len(passed)} tests, {sum(passed.values()):.0f} CPU seconds without a fault", flush=True)
    assert passed, "no test passes without a fault"
    return passed


def equivalents(game: str) -> dict[tuple[str, str, str, str], str]:
    """Known faults that change nothing -> why."""
    entries = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text()).get(game, [])
    return {(e["file"], e["function"], e["before"], e["after"]): e["reason"] for e in entries}


def told(fault: Fault) -> str:
    """The fault, as an entry of `equivalent.toml` would name it."""
    return f"{fault.file}:{fault.line} {fault.function}\n    before = {json.dumps(fault.before)}\n    after = {json.dumps(fault.after)}"


def main() -> None:
    """Plant, run, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("-n", type=int, default=40, help="how many faults")
    parser.add_argument("--files", nargs="*", default=(), help="files to plant in, such as observation.py")
    parser.add_argument("--only", default="", help="try only these faults again, such as hands.py:471")
    parser.add_argument("--tests", nargs="*", default=(), help="run only these test files")
    given = parser.parse_args()
    faults = chosen(ROOT / GAMES / given.game, given.seed, given.n, tuple(given.files))
    faults = [f for f in faults if not given.only or f"{f.file}:{f.line}" in given.only.split(",")]
    same = equivalents(given.game)
    folder = ROOT / "tests" / "games" / given.game
    files = [str(f.relative_to(ROOT)) for f in sorted(folder.glob("test_*.py")) if f.name not in NO_RULES]
    tests = list(given.tests) or ["tests/mutants/walks.py", *files]
    with tempfile.TemporaryDirectory(prefix="mutants") as place:
        copy = Copy(Path(place), given.game, tests)
        survivors = [f for f in faults if f.key() not in same and _survives(copy, f)]
        copy.trials.stdin.close()  # type: ignore[union-attr]
        copy.trials.wait()
    skipped = sum(f.key() in same for f in faults)
    tried = len(faults) - skipped
    print(f"\n{given.game}, seed {given.seed}: {len(faults)} faults, {skipped} known to change nothing")
    print(f"killed {tried - len(survivors)} of {tried}: {100 * (1 - len(survivors) / max(1, tried)):.1f} %")
    for fault in survivors:
        print(f"survives: {told(fault)}")


_COSTS: dict[str, float] = {}
_KILLS: Counter[str] = Counter()


def _survives(copy: Copy, fault: Fault) -> bool:
    if not _COSTS:
        _COSTS.update(usable(copy))
    answer = copy.with_fault(fault, _COSTS, _KILLS)
    seen = next(iter(answer["failed"].items()), None)
    if seen:
        _KILLS[seen[0]] += 1
    print(f"{'killed by ' + seen[0] if seen else 'SURVIVES'} in {answer['cpu']:.1f} s: {told(fault)}", flush=True)
    return seen is None


if __name__ == "__main__":
    main()
