"""Worker processes with one core each, which end with this one, however it ends."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from banquet_envs.core.errors import OptionError
from banquet_envs.core.registry import homes, import_module_here

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Environment of workers: each has one core, its thread pools must not fight for the others."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def worker_processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of fresh processes. Whatever is raised inside ends them at once, unfinished work included.

    Raises:
        OptionError: a worker died.
    """
    others = set(multiprocessing.active_children())
    with environment(ONE_THREAD):
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (homes(),))
        try:
            yield pool
        except BrokenProcessPool as error:
            raise OptionError(
                "a worker process died (out of memory?); what is finished is kept, the same command goes on"
            ) from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _begin(modules: list[str]) -> None:
    """Ctrl-C is for the parent to handle; when it is gone, so is the worker. Games of one's own are registered here too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for module in modules:
        import_module_here(module)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def environment(values: dict[str, str]) -> Iterator[None]:
    """Environment variables for a while."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
