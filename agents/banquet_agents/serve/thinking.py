"""Agents that think in worker processes, so that a page is answered while they do."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from banquet_agents.arena.processes import worker_processes
from banquet_agents.policy import REFERENCE
from banquet_agents.reference import find_reference
from banquet_agents.registry import agent_names, make_agent
from banquet_agents.thoughts import Aloud, Thought
from banquet_envs.core.errors import AgentError, OptionError
from banquet_envs.core.game import Game


class Question(NamedTuple):
    """A decision to be made.

    Attributes:
        game: the Game.
        record: the bytes of the position, in which all that the seat to move cannot know has been resampled.
        word: of chance.
        agent: who is asked.
    """

    game: Game
    record: bytes
    word: int
    agent: str


class Thinkers:
    """Worker processes that agents think in. Used inside `with`.

    Args:
        workers: how many.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Thinkers:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):  # whoever still thinks need not finish
                process.kill()
        self._stack.close()

    async def decide(self, question: Question) -> tuple[int, Thought | None]:
        """The agent's action and what it thought.

        Raises:
            BanquetError: there is no such agent, or it failed.
        """
        if self._pool is None:
            self._pool = self._stack.enter_context(worker_processes(self.workers))
        pool = self._pool
        try:
            return await asyncio.wrap_future(self.submitted(pool, question))
        except BrokenProcessPool as error:
            if self._pool is pool:  # the next question gets new processes
                self._pool, self._stack = None, ExitStack()
            raise AgentError(f"agent {question.agent!r}: its process died") from error

    def submitted(self, pool: ProcessPoolExecutor, question: Question) -> Future[tuple[int, Thought | None]]:
        """The question on its way to a worker."""
        return pool.submit(_decide, *question)


def _decide(game: Game, record: bytes, word: int, name: str) -> tuple[int, Thought | None]:
    """In a worker: ask the agent."""
    agent = _agent(json.dumps(game.identity()), name, game)
    states = np.frombuffer(bytearray(record), np.uint8).view(game.spec.state).view(np.recarray)
    try:
        action = agent.decide(game, states, np.array([word], np.uint64))
    except Exception as error:  # the agent's own mistake, told without what a pickle cannot hold
        raise AgentError(f"agent {name!r}: {type(error).__name__}: {error}") from None
    return action, agent.thought


_AGENTS: dict[tuple[str, str], Aloud] = {}


def _agent(identity: str, name: str, game: Game) -> Aloud:
    """The agent, made once in a worker for all tables of the same game."""
    if (identity, name) not in _AGENTS:
        _AGENTS[identity, name] = Aloud(make_agent(game, name))
    return _AGENTS[identity, name]


SHIPPED_POLICY = f"policy:{REFERENCE}"
MOST_SIMULATIONS = 20_000
MOST_MILLISECONDS = 20_000


def check_agent(game: Game, name: str, allowed: frozenset[str]) -> None:
    """Refuse agents that a page may not name: a module would be imported, and endless thought would block everybody.

    Raises:
        OptionError: none of the scripted or allowed agents, no search within bounds, or no such policy for this game.
    """
    kind, _, budget = name.partition(":")
    number = budget.removesuffix("ms")
    most = MOST_MILLISECONDS if budget.endswith("ms") else MOST_SIMULATIONS
    searches = kind in ("search", "flat") and number.isascii() and number.isdigit() and len(number) < 7
    scripted = agent_names(game.name)
    if name in allowed or name in scripted or (searches and 1 <= int(number) <= most):
        return
    if name == SHIPPED_POLICY:
        find_reference(game)
        return
    raise OptionError(
        f"agent {name!r} is not to be had here; choose one of {', '.join([*scripted, *sorted(allowed)])},"
        f" or search:N with N from 1 to {MOST_SIMULATIONS}"
    )
