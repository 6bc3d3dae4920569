"""The only file, with core/linking.py, that knows Numba: decorators, the cache on disk, threads.

Rules are ordinary module-level functions under `@rule`. Kernels (core/kernels.py) are templates: `Kernels` rebuilds
each one over a game's functions, compiles it for exactly one signature and keeps the machine code on disk (core/cache.py)
in a folder named after a fingerprint of every source that is linked in. So an edited rule is never served from a stale
cache, and a second process compiles nothing. With `NUMBA_DISABLE_JIT=1` everything here is plain Python.

Rules are not compiled to machine code, for only the kernels' is ever run: `rule` makes a `Rule` of core/linking.py. Its
parts of Numba may change, so in a version that nobody has tried it with, rules are ordinary `njit` functions: all works
as before, but compiles two to three times as long.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import os
import pickle
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from banquet_envs.core.cache import Store, say

JIT = not numba.config.DISABLE_JIT
"""Whether rules are compiled: not with `NUMBA_DISABLE_JIT=1`."""

_LOCK = threading.RLock()
_STARTED = time.time()
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

LINKS_RULES = JIT and (0, 65) <= numba.version_info.short < (0, 69)
"""Whether core/linking.py is in use: tried with Numba 0.65 and 0.68; 0.62 lacks a part of it."""

if LINKS_RULES:
    from banquet_envs.core.linking import Rule


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of every rule and helper: compiled on first use, linked into kernels, never cached by itself."""
    if not JIT:
        _plain_members(function)
    return Rule(function, _FLAGS) if LINKS_RULES else numba.njit(**_FLAGS)(function)


def _plain_members(function: Callable[..., Any]) -> None:
    """Let the members of the vocabularies that a rule names be plain ints, which NumPy compares 250 times faster."""
    for name in function.__code__.co_names:
        vocabulary = function.__globals__.get(name)
        if isinstance(vocabulary, type) and issubclass(vocabulary, enum.IntEnum):
            for member in vocabulary:
                type.__setattr__(vocabulary, member.name, int(member))


def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    """Like `rule`, for integer arithmetic that is meant to wrap around (the random stream)."""
    if JIT:
        return rule(function)

    @functools.wraps(function)
    def plain(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return plain


def source_files(places: Iterable[Path]) -> list[Path]:
    """Every Python file named by, or lying under, the given places, sorted."""
    files: set[Path] = set()
    for place in places:
        files.update(place.rglob("*.py") if place.is_dir() else [place])
    return sorted(files)


def _target() -> tuple[str, str]:
    """The processor that machine code is made for, and its features; of this machine unless NUMBA_CPU_NAME says otherwise."""
    if numba.config.CPU_NAME is not None:
        return numba.config.CPU_NAME, numba.config.CPU_FEATURES or ""
    try:
        return llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM does not know this machine
        return "", ""


def fingerprint(places: Iterable[Path]) -> str:
    """A short hash of sources, of the compiler's versions and of the settings that change its output."""
    digest = hashlib.sha256()
    config = numba.config
    settings = (
        numba.__version__, llvmlite.__version__, np.__version__, sys.version_info[:3],
        config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, *_target(),
    )  # fmt: skip
    digest.update(repr(settings).encode())
    for file in source_files([Path(__file__).parent, *places]):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        if (
            file.stat().st_mtime >= _STARTED
        ):  # edited since: perhaps not what this process has imported, so never shared
            digest.update(f"{os.getpid()} {_STARTED}".encode())
    return digest.hexdigest()[:20]


def bound(template: Callable[..., Any], namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """`template` as a rule whose global names stand for a game's dtypes and functions, for kernels to call."""
    assert isinstance(template, types.FunctionType)
    return rule(types.FunctionType(template.__code__, {**template.__globals__, **namespace}, template.__name__))


class Kernels:
    """The kernels of one game (or one scripted agent), compiled one by one when first asked for.

    Args:
        name: a name that is unique among all kernels of the process, such as the game's.
        templates: kernel name -> (template function, Numba signature).
        namespace: what the templates' global names stand for: dtypes and the game's compiled rules.
        sources: files and folders whose code is linked into the kernels (the core's own are always added).

    `kernels.step` gives the compiled function; calling it costs one typed call and no look-up.
    """

    def __init__(
        self,
        name: str,
        templates: Mapping[str, tuple[Callable[..., Any], str]],
        namespace: Mapping[str, Any],
        sources: Iterable[Path],
    ) -> None:
        self._name = name
        self._templates = dict(templates)
        self._namespace = dict(namespace)
        self._sources = [Path(s) for s in sources]

    def __getattr__(self, kernel: str) -> Callable[..., Any]:
        if kernel.startswith("_"):  # also asked of an instance without any attributes, when it is copied
            raise AttributeError(kernel)
        if kernel not in self._templates:
            raise AttributeError(f"{self._name} has no kernel {kernel!r}; it has {sorted(self._templates)}")
        with _LOCK:
            if kernel not in self.__dict__:
                self.__dict__[kernel] = self._build(kernel)
            return self.__dict__[kernel]

    def __copy__(self) -> Kernels:
        return self  # machine code

    def __deepcopy__(self, memo: Any) -> Kernels:
        return self

    def names(self) -> list[str]:
        """The names of all kernels, compiled or not."""
        return list(self._templates)

    @functools.cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._sources)

    @functools.cached_property
    def _store(self) -> Store:
        """Where machine code for exactly these sources lies."""
        return Store(f"{self._name}-{self._fingerprint}")

    def _build(self, kernel: str) -> Callable[..., Any]:
        template, signature = self._templates[kernel]
        function = types.FunctionType(template.__code__, {**template.__globals__, **self._namespace}, template.__name__)
        # Numba keys its cache, and names the machine code, by these two: no two games or versions may share them.
        function.__qualname__ = f"{self._name.replace('.', '_')}__{kernel}__{self._fingerprint}"
        function.__module__ = template.__module__
        if not JIT:
            return function
        kept = _Kept(self._name, self._store, kernel)
        if kept.code is not None:
            return _compile(function, signature, kept)
        # One process compiles, the others wait and load. Several kernels of one game may compile at the same time.
        with self._store.lock(kernel):
            kept = _Kept(self._name, self._store, kernel)
            if kept.code is None:
                announce_compilation(self._name)
            return _compile(function, signature, kept)


class _Kept(NullCache):
    """What Numba asks for a kernel's code before it compiles, and hands what it has compiled; one signature each."""

    def __init__(self, name: str, store: Store, kernel: str) -> None:
        self._name, self._store, self._kernel = name, store, kernel
        self.code = store.read(kernel)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel; None when there is none, or none that this version of Numba makes sense of."""
        if self.code is None:
            return None
        try:
            target_context.refresh()
            return CompileResult._rebuild(target_context, *pickle.loads(self.code))
        except Exception as error:
            self._store.discard(self._kernel, f"cannot be loaded ({type(error).__name__})")
            announce_compilation(self._name)
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep what has been compiled, where it can be kept."""
        if cres.library.has_dynamic_globals or any(not part.can_cache for part in cres.lifted):
            return
        try:
            code = dumps(cres._reduce())
        except (AttributeError, TypeError, pickle.PicklingError) as error:  # a version of Numba that does it otherwise
            say(f"compiled code is not kept: Numba {numba.__version__} does not hand it out ({error})")
            return
        self._store.write(self._kernel, code)


def _compile(function: Callable[..., Any], signature: str, kept: _Kept) -> Callable[..., Any]:
    """Compile for one signature, or take what was `kept`; the dispatcher then accepts nothing else."""
    dispatcher = numba.njit(**_FLAGS)(function)
    dispatcher._cache = kept
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher  # type: ignore[no-any-return]


_ANNOUNCED: set[str] = set()


def announce_compilation(name: str) -> None:
    """Say once per game and process that the first use takes some seconds."""
    if name not in _ANNOUNCED:
        _ANNOUNCED.add(name)
        say(f"compiling rules of {name}, first use only...")
        if not LINKS_RULES:
            say(f"that takes two to three times as long with Numba {numba.__version__} as with 0.65 to 0.68")


# ---------------------------------------------------------------- threads

_POOLS: dict[tuple[int, int], ThreadPoolExecutor] = {}
_MIN_ROWS_PER_THREAD = 128


def _pool(threads: int) -> ThreadPoolExecutor:
    """The pool of this process: after a fork the parent's threads do not exist, so pools are keyed by process id."""
    key = (os.getpid(), threads)
    with _LOCK:
        if key not in _POOLS:
            _POOLS[key] = ThreadPoolExecutor(threads, thread_name_prefix="banquet")
        return _POOLS[key]


def run_chunks(threads: int, n: int, call: Callable[[int, int], Any], least: int = _MIN_ROWS_PER_THREAD) -> list[Any]:
    """Run `call(start, stop)` over range(n), in one piece or in one chunk per thread of `least` rows or more.

    Kernels release the GIL and touch only their own rows, so the result never depends on `threads`.
    """
    if n == 0:
        return []
    if threads <= 1 or n < 2 * least:
        return [call(0, n)]
    parts = min(threads, n // least)
    edges = [n * k // parts for k in range(parts + 1)]
    pool = _pool(threads)
    futures = [pool.submit(call, edges[k], edges[k + 1]) for k in range(parts - 1)]
    last = call(edges[-2], edges[-1])
    return [*(f.result() for f in futures), last]


def _forget_after_fork() -> None:
    """A child must not inherit a lock that another thread of the parent held at the fork."""
    global _LOCK
    _LOCK = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
