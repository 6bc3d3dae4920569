"""The web application: pages, and what they ask for as JSON. It is bound to this machine and reaches for no other."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
from annotated_types import Ge, Le, MaxLen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from banquet_agents.forms import read_json
from banquet_agents.replays import PERSON, Replay, game_named
from banquet_agents.serve.pages import agents_of, games_page, page_of, rules_of
from banquet_agents.serve.tables import Hint, NoTableError, ServedTable, Tables
from banquet_agents.serve.thinking import Question, Thinkers, check_agent
from banquet_agents.thoughts import Thought
from banquet_envs.core.errors import BanquetError, IllegalActionError, OptionError, SaveError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import list_games

STATIC = Path(__file__).with_name("static")
LOCAL = ("127.0.0.1", "localhost", "[::1]")
MOST_BYTES = 64 * 1024
"""Of what a page may send."""
PATIENCE = 20.0
"""Seconds that a page is left waiting for news before it has to ask again."""
NOTICED = 0.1
"""Seconds after which the page says that an agent is thinking."""
PACE = 0.6
"""Seconds between the moves of agents at a table without people, so that one can follow."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",  # links carry tokens
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}

STRICT: dict[str, Any] = {"extra": "forbid"}
Form = TypeVar("Form")
_Whole = Annotated[int, Ge(0), Le(10_000_000)]
_Name = Annotated[str, MaxLen(300)]


@dataclass(frozen=True)
class NewTable:
    """What a page says to have a table: the game, its options, and who sits where."""

    __pydantic_config__ = STRICT

    game: _Name
    options: dict[str, str | int | bool | float]
    seats: Annotated[list[_Name], MaxLen(20)]


@dataclass(frozen=True)
class Move:
    """An action at the position that the page showed."""

    __pydantic_config__ = STRICT

    ply: _Whole
    action: _Whole


@dataclass(frozen=True)
class Undo:
    """The only person at a table takes their last choice back."""

    __pydantic_config__ = STRICT

    ply: _Whole


@dataclass(frozen=True)
class HintWanted:
    """Advice of an agent on the position that the page showed."""

    __pydantic_config__ = STRICT

    ply: _Whole
    agent: _Name


class Server:
    """The tables with those who think for them, and the routes to them.

    Args:
        folder: where tables are kept.
        workers: processes that agents think in.
        allowed: agents' names that pages may use beside the scripted ones and searches.
        shown: a game to be looked at: the Game, its replay, its positions.
        games: what is on offer; all when None.
        components: files of component data in place of the shipped ones, by game.
        hosts: names under which the server may be asked.
        pace: seconds between the moves of agents at a table without people.
    """

    def __init__(
        self,
        folder: Path,
        workers: int,
        allowed: frozenset[str] = frozenset(),
        shown: tuple[Game, Replay, np.recarray] | None = None,
        games: Sequence[str] | None = None,
        components: Mapping[str, Path] | None = None,
        hosts: tuple[str, ...] = LOCAL,
        pace: float = PACE,
    ) -> None:
        self.offered = list(games or list_games())
        self.tables = Tables(folder, components or {})
        self.thinkers = Thinkers(workers)
        self.allowed = allowed
        self.pace = pace
        self.hosts = hosts
        self._advisers = {name: [agent["name"] for agent in agents_of(name, allowed)] for name in list_games()}
        self.shown = self.tables.adopt(*shown) if shown is not None else None
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def app(self) -> Starlette:
        """The ASGI application."""
        routes = [
            Route("/", _file("index.html")),
            Route("/t/{token}", _file("table.html")),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/games", self.games),
            Route("/api/tables", self.new_table, methods=["POST"]),
            Route("/api/table/{token}", self.look),
            Route("/api/table/{token}/rules", self.rules),
            Route("/api/table/{token}/replay", self.replay),
            Route("/api/table/{token}/play", self.play, methods=["POST"]),
            Route("/api/table/{token}/undo", self.undo, methods=["POST"]),
            Route("/api/table/{token}/hint", self.hint, methods=["POST"]),
            Route("/api/table/{token}/go-on", self.go_on, methods=["POST"]),
        ]
        handlers: dict[Any, Any] = {
            HTTPException: _refusal, BanquetError: _mistake, NoTableError: _no_table, Exception: _failure,
        }  # fmt: skip
        middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(self.hosts)), Middleware(_Guarded)]
        return Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=self._life)

    @contextlib.asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        with self.thinkers:
            yield
            for task in self._tasks.values():
                task.cancel()

    async def answer_all(self) -> None:
        """Answer every page that waits for news."""
        for table in list(self.tables.open.values()):
            await table.tell()

    # ------------------------------------------------------------ what pages ask for

    async def games(self, request: Request) -> Response:
        """The games with what may be chosen."""
        return JSONResponse(await run_in_threadpool(games_page, self.offered, self.allowed))

    async def new_table(self, request: Request) -> Response:
        """A table; answers with the token of each person's seat, or that for watching."""
        wanted = await _sent(request, NewTable)
        if wanted.game not in self.offered:
            raise OptionError(f"no game named {wanted.game!r} here; there are {', '.join(self.offered)}")
        components = self.tables.components.get(wanted.game)
        game = await run_in_threadpool(game_named, wanted.game, len(wanted.seats), wanted.options, components)
        for name in wanted.seats:
            if name != PERSON:
                check_agent(game, name, self.allowed)
        table = await run_in_threadpool(self.tables.found, game, wanted.seats)  # compiles the game's rules on first use
        self._wake(table)
        *seats, watch = table.tokens
        return JSONResponse({"seats": seats, "watch": watch})

    async def look(self, request: Request) -> Response:
        """The table as this link may see it; with `since`, once there is something new, or after a while."""
        table, holder = await self._opened(request)
        since, ply = _number(request, "since"), _number(request, "ply")
        if since is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE), table.changed:
                    await table.changed.wait_for(lambda: table.version != since)
        view = holder if "view" not in request.query_params else _number(request, "view")
        async with table.lock:
            shown = await run_in_threadpool(page_of, table, holder, view, ply)
        return JSONResponse(shown | {"advisers": self._advisers[table.game.name]})

    async def rules(self, request: Request) -> Response:
        """The rules in short."""
        table, _ = await self._opened(request)
        return JSONResponse(rules_of(table.game))

    async def replay(self, request: Request) -> Response:
        """The game as a replay file, once it hides nothing."""
        table, holder = await self._opened(request)
        if holder is not None and not table.sitting.over:
            raise OptionError("the replay can be had when the game is over")
        name = f"{table.game.name}-{table.name}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(table.sitting.replay().text(), media_type="application/json", headers=headers)

    async def play(self, request: Request) -> Response:
        """A person's move."""
        table, holder = await self._opened(request)
        move = await _sent(request, Move)
        async with table.lock:
            _check_now(table, move.ply)
            if table.sitting.over:
                raise IllegalActionError("the game is over")
            if holder is None or table.sitting.mover != holder:
                raise IllegalActionError(f"seat {table.sitting.mover} is to move, and this link is not its own")
            table.play(move.action)
            await run_in_threadpool(self.tables.keep, table)
        return await self._changed(table)

    async def undo(self, request: Request) -> Response:
        """The last choice of the only person is taken back."""
        table, holder = await self._opened(request)
        undo = await _sent(request, Undo)
        if holder is None or table.people != [holder]:
            raise OptionError("choices can be taken back where one person plays alone or against agents")
        async with table.lock:
            _check_now(table, undo.ply)
            if not table.take_back(holder):
                raise OptionError("there is nothing to take back")
            table.hints.clear()
            await run_in_threadpool(self.tables.keep, table)
        return await self._changed(table)

    async def hint(self, request: Request) -> Response:
        """An agent's advice; it sees what the seat sees."""
        table, holder = await self._opened(request)
        wanted = await _sent(request, HintWanted)
        check_agent(table.game, wanted.agent, self.allowed)
        async with table.lock:
            _check_now(table, wanted.ply)
            if holder is None or table.sitting.over or table.sitting.mover != holder:
                raise OptionError("hints are for the seat to move")
            question = table.question(wanted.agent)
        action, thought = await self.thinkers.decide(question)
        table.hints[holder] = Hint(wanted.ply, wanted.agent, action, thought)
        await table.tell()
        return JSONResponse({})

    async def go_on(self, request: Request) -> Response:
        """Ask the agent again that has failed."""
        table, _ = await self._opened(request)
        return await self._changed(table)

    # ------------------------------------------------------------ tables going on

    async def _opened(self, request: Request) -> tuple[ServedTable, int | None]:
        """The table of the request's token, and its seat. A table that the server had forgotten goes on."""
        token = request.path_params["token"]
        table = await run_in_threadpool(self.tables.table, token)
        if table is not self.shown:
            self._wake(table)
        return table, table.seat_of(token)

    async def _changed(self, table: ServedTable) -> Response:
        table.trouble = ""
        await table.tell()
        self._wake(table)
        return JSONResponse({})

    def _wake(self, table: ServedTable) -> None:
        """See to it that agents move at this table when it is their turn."""
        running = self._tasks.get(table.name)
        if table.agent_to_move() and not table.trouble and (running is None or running.done()):
            self._tasks[table.name] = asyncio.create_task(self._agents_move(table))

    async def _agents_move(self, table: ServedTable) -> None:
        while (name := table.agent_to_move()) is not None:
            async with table.lock:
                turn, question = table.turn, table.question(name)
            try:
                action, thought = await self._asked(table, question)
                async with table.lock:
                    if table.turn == turn:  # else a person has taken a choice back
                        table.play(action, thought)
                        table.thinking = False  # here, so that one position is never shown in two ways
                        await run_in_threadpool(self.tables.keep, table)
            except (BanquetError, OSError) as error:
                table.trouble = str(error)
                return
            finally:
                table.thinking = False
                await table.tell()
            if not table.people:
                await asyncio.sleep(self.pace)

    async def _asked(self, table: ServedTable, question: Question) -> tuple[int, Thought | None]:
        """An agent's decision; who looks at the table is told that it thinks, once that has taken a while."""
        decision = asyncio.ensure_future(self.thinkers.decide(question))
        try:
            await asyncio.wait([decision], timeout=NOTICED)
            if not decision.done():
                table.thinking = True
                await table.tell()
            return await decision
        finally:
            decision.cancel()  # where this was cancelled itself; nothing else otherwise


def _check_now(table: ServedTable, ply: int) -> None:
    if ply != len(table.sitting.actions):
        raise OptionError(f"the game has gone on: it is at decision {len(table.sitting.actions)}, not {ply}")


async def _sent(request: Request, form: type[Form]) -> Form:
    """What a page has sent, held against its form."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise HTTPException(415, "expected JSON")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"at most {MOST_BYTES} bytes")
    return read_json(form, body, "what was sent")


def _number(request: Request, name: str) -> int | None:
    """A whole number of the query; None where it is not given, or given as "all"."""
    text = request.query_params.get(name)
    if text is None or text == "all":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise OptionError(f"{name}={text[:40]!r}: expected a whole number")
    return int(text)


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        return FileResponse(STATIC / name)

    return serve


# ------------------------------------------------------------ whatever goes wrong is told in one line


class _Guarded:
    """Every answer has the headers; a page of another origin may change nothing."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", []))
                message["headers"] = given + [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
            await send(message)

        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            headers = dict(scope["headers"])
            origin, host = headers.get(b"origin"), headers.get(b"host", b"")
            if origin is not None and origin.partition(b"://")[2] != host:
                await _told(403, "another site's page may not do that")(scope, receive, with_headers)
                return
        await self.app(scope, receive, with_headers)


def _told(status: int, message: str) -> Response:
    return JSONResponse({"error": " ".join(message.split())}, status)


async def _refusal(request: Request, error: HTTPException) -> Response:
    return _told(error.status_code, error.detail)


async def _mistake(request: Request, error: BanquetError) -> Response:
    return _told(409 if isinstance(error, SaveError | IllegalActionError) else 400, str(error))


async def _no_table(request: Request, error: NoTableError) -> Response:
    return _told(404, "there is no such table")


async def _failure(request: Request, error: Exception) -> Response:
    return _told(500, "the server has failed at this")
