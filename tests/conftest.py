"""`--budget SECONDS`: once a run has lasted so long, the tests that are left are skipped and say so."""

import os
import time

import pytest

# Before NumPy is imported, here and in child processes: the workers' pools of BLAS threads would fight for the cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser):
    parser.addoption("--budget", type=float, default=None, help="seconds after which remaining tests are skipped")


def pytest_configure(config):
    config.stash[_STARTED] = time.monotonic()


def pytest_runtest_setup(item):
    budget = item.config.getoption("--budget")
    if budget is not None and time.monotonic() - item.config.stash[_STARTED] > budget:
        pytest.skip(f"the run's budget of {budget:g} s is spent")


_STARTED = pytest.StashKey[float]()
