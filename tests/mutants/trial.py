"""The process that tries mutants, inside the copy of the tree: a child is forked for each, with the libraries loaded.

Reads one JSON line for each trial from standard input, answers with one on standard output.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
import time
import types
from pathlib import Path

import gymnasium  # noqa: F401  loaded here, once, for all children
import numba  # noqa: F401
import numpy  # noqa: F401
import pettingzoo  # noqa: F401
import pytest
import scipy.stats  # noqa: F401

SPARE = 5.0
"""CPU seconds that a test may take beyond five times what it took without a fault; then it hangs."""


class Hangs(BaseException):
    """A test ran far longer than without a fault."""


class Plugin:
    """Runs the tests in the order that is asked for, with a limit of CPU time for each, and notes what happened.

    Args:
        costs: CPU seconds of the tests to run; None for all but those in `skip`.
        kills: how many faults each test has seen so far. What sees much for little goes first.
        skip: tests to leave out.
        limit: CPU seconds for each test, where `costs` is None.
    """

    def __init__(self, costs: dict[str, float] | None, kills: dict[str, int], skip: list[str], limit: float) -> None:
        self.costs = costs
        self.kills = kills
        self.skip = set(skip)
        self.limit = limit
        self.limits: dict[str, float] = {}
        self.seconds: dict[str, float] = {}
        self.failed: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose and order; tests that share a fixture stay together, or it would be set up again and again."""
        known = self.costs
        if known is None:
            items[:] = [i for i in items if i.nodeid not in self.skip]
            return
        groups: dict[str, list[pytest.Item]] = {}
        for item in items:
            if item.nodeid in known:
                groups.setdefault(item.path.name if _shares(item) else item.nodeid, []).append(item)

        def price(group: list[pytest.Item]) -> float:
            seen = sum(self.kills.get(i.nodeid, 0) for i in group)
            return (0.02 + sum(known[i.nodeid] for i in group)) / (1 + 10 * seen)

        items[:] = [item for group in sorted(groups.values(), key=price) for item in group]
        for group in groups.values():
            for item in group:
                self.limits[item.nodeid] = SPARE + 5 * sum(known[i.nodeid] for i in group)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Time the test, and stop it where it hangs."""
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, self.limits.get(item.nodeid, self.limit))
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.seconds[item.nodeid] = time.process_time() - start

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure in a line."""
        if report.failed:
            self.failed.setdefault(report.nodeid, str(report.longrepr).strip()[-160:])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot even be imported."""
        if report.failed:
            self.failed.setdefault(report.nodeid, str(report.longrepr).strip()[-160:])


def _shares(item: pytest.Item) -> bool:
    """Whether the test uses a fixture that lasts longer than one test."""
    fixtures = item._fixtureinfo.name2fixturedefs.values()  # type: ignore[attr-defined]
    return any(f.scope != "function" and f.baseid != "" for found in fixtures for f in found)


def functions(code: types.CodeType, name: str) -> list[types.CodeType]:
    """The code of every top-level function of that name in a compiled module."""
    return [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name]


def assert_imported(module: str, file: Path, function: str) -> None:
    """The function that Python runs is the one that stands in the file."""
    loaded = importlib.import_module(module)
    assert Path(loaded.__file__ or "").resolve() == file.resolve(), f"{loaded.__file__} was imported, not {file}"
    expected = functions(compile(file.read_text(), str(file), "exec"), function)
    assert getattr(loaded, function).__code__ in expected, f"{function} of {file} is not the mutant"


def run(task: dict) -> dict:
    """Run pytest as the task says; in the child."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115

    def stop(*_: object) -> None:
        raise Hangs("hangs")

    signal.signal(signal.SIGPROF, stop)
    plugin = Plugin(task["costs"], task["kills"], task["skip"], task["limit"])
    # Assertions are not rewritten when tests are only to fail or not: files are read at a tenth of the time.
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", "-m", "not long and not nightly", "--no-header"]
    options += ["--assert=plain", "--tb=line", *(["-x"] if task["costs"] is not None else [])]
    code = pytest.main([*options, *task["tests"]], plugins=[plugin])
    answer = {"code": int(code), "seconds": plugin.seconds, "failed": plugin.failed}
    if task.get("module"):
        try:
            assert_imported(task["module"], Path(task["file"]), task["function"])
            answer["imported"] = "yes"
        except AssertionError as error:
            answer["imported"] = str(error)
        except Exception as error:  # the mutant breaks the import: the tests have seen that
            answer["imported"] = "yes" if answer["failed"] else repr(error)
    return answer


def in_a_child(task: dict) -> dict:
    """Fork, run, and read the answer; a child that dies or never ends has no answer of its own."""
    read, write = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_CPU, (int(task["cpu"]), int(task["cpu"]) + 5))
        with os.fdopen(write, "w") as pipe:
            json.dump(run(task), pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        told = pipe.read()
    _, status, used = os.wait4(child, 0)
    answer = json.loads(told) if told else {"code": -1, "seconds": {}, "failed": {"": f"the process died ({status})"}}
    return {**answer, "wall": time.monotonic() - start, "cpu": used.ru_utime + used.ru_stime}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(in_a_child(json.loads(line))), flush=True)
