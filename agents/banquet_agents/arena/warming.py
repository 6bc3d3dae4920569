"""Compiling in advance all that a game's environments, scripted agents and search run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed

from banquet_agents.arena.processes import worker_processes
from banquet_agents.compiled import script_kernels
from banquet_agents.registry import playouts_of, scripts_of
from banquet_agents.search import search_kernels, settings_for
from banquet_envs.core.compile import Kernels
from banquet_envs.core.registry import make_game


def kernels_of(name: str) -> Iterator[Kernels]:
    """Everything compiled of a game: its rules, its scripts, and the search with the measured playout."""
    game = make_game(name)
    yield game.kernels
    for agent, script in scripts_of(name).items():
        script.table_for(game)  # a script may have kernels of its own for this
        yield script_kernels(game, agent, script)
    playout = settings_for(name).playout
    yield search_kernels(game, playout, playouts_of(name)[playout])


def warm(name: str) -> float:
    """Compile, or load what is compiled; seconds taken."""
    start = time.perf_counter()
    for kernels in kernels_of(name):
        for kernel in kernels.names():
            getattr(kernels, kernel)
    return time.perf_counter() - start


def warm_all(names: Sequence[str], workers: int) -> Iterator[tuple[str, float]]:
    """Warm games up, one in each process at a time; (game, seconds) as they finish."""
    with worker_processes(min(workers, len(names))) as pool:
        games = {pool.submit(warm, name): name for name in names}
        for done in as_completed(games):
            yield games[done], done.result()
