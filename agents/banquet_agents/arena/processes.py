"""Workers with one core each: processes that end with this one, however it ends, or the CPUs of a Ray cluster."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

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
                child.kill()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _begin(modules: list[str]) -> None:
    """Ctrl-C and SIGTERM, which may reach all of a group, are for the parent to handle; when it is gone, so is the worker.

    Games of one's own are registered here too.
    """
    for word in (signal.SIGINT, signal.SIGTERM):
        signal.signal(word, signal.SIG_IGN)
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


# ---------------------------------------------------------------- Ray


class RayCluster(Executor):
    """Calls as tasks of one CPU each on a Ray cluster, whose nodes need this package.

    Attributes:
        cpus: of the cluster.
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._refs: dict[Future[Any], Any] = {}
        self.cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As of any executor."""
        ref = self._ray.remote(num_cpus=1)(fn).remote(*args, **kwargs)
        future: Future[Any] = ref.future()
        self._refs[future] = ref
        future.add_done_callback(lambda done: self._refs.pop(done, None))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Whatever is unfinished is cancelled."""
        for ref in list(self._refs.values()):
            self._ray.cancel(ref, force=True)


@contextmanager
def ray_workers(address: str, workers: int) -> Iterator[RayCluster]:
    """A Ray cluster.

    Args:
        address: "auto" for the cluster at hand (RAY_ADDRESS, or one running on this machine), else a local one;
            "local" for a new local one; or a cluster's address.
        workers: CPUs of a cluster that is started here.

    Raises:
        OptionError: Ray is missing, there is no cluster at the address, or none can be started here.
    """
    need("ray", extra="ray")
    ray: Any = importlib.import_module("ray")
    mine = not ray.is_initialized()
    if mine:
        _connect(ray, address, workers)
    try:
        with RayCluster(ray) as cluster:
            yield cluster
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        raise OptionError(f"ray: {error}; what is finished is kept, the same command goes on") from error
    finally:
        if mine:
            ray.shutdown()


def need(*packages: str, extra: str) -> None:
    """Better now than after hours of play.

    Raises:
        OptionError: a package is missing; says which extra brings it.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise OptionError(f"this needs the package {package!r}: pip install 'banquet-envs[{extra}]'")


def _connect(ray: Any, address: str, workers: int) -> None:
    """Join a cluster, or start one on this machine."""
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address != "local":
        named = os.environ.get("RAY_ADDRESS", "auto") if address == "auto" else address
        if named != "auto":
            _reach(named)
        try:
            ray.init(address=address, **quiet)
            return
        except ConnectionError as error:
            if named != "auto":
                raise OptionError(f"ray: no cluster at {named!r} ({error})") from error
    with environment(ONE_THREAD):
        try:
            ray.init(address="local", num_cpus=workers, include_dashboard=False, **quiet)
        except Exception as error:  # nothing narrower is raised where the node is not up within Ray's 30 seconds
            ray.shutdown()
            raise OptionError(f"ray: could not start here: {error}") from error


def _reach(address: str) -> None:
    """Knock first: Ray itself tries for ten minutes."""
    try:
        place = urllib.parse.urlsplit(address if "://" in address else f"//{address}")
        socket.create_connection((place.hostname, place.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise OptionError(f"ray: no cluster at {address!r} ({error})") from error
