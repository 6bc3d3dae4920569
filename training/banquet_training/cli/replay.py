"""Commands for games that are kept and games in the browser: replay, serve."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

from banquet_training.cli.app import Components, app
from banquet_training.cli.terminal import console, game_from


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A replay, as --replays writes them.")],
    components: Components = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, help="Show what this seat knew; by default everything.")
    ] = None,
    ply: Annotated[int | None, typer.Option("--ply", min=0, help="Show this position and step on from it.")] = None,
    step: Annotated[
        bool, typer.Option("--step/--no-step", help="Step through with Enter, b and a number; or tell all at once.")
    ] = True,
    pictures: Annotated[Path | None, typer.Option("--pictures", help="Write an SVG of every position here.")] = None,
    gif: Annotated[Path | None, typer.Option("--gif", help="Write the game as a film into this file.")] = None,
    mp4: Annotated[Path | None, typer.Option("--mp4", help="The same as an .mp4; needs the extra mp4.")] = None,
    frames: Annotated[int, typer.Option("--frames", min=2, help="Most pictures of the film.")] = 40,
    width: Annotated[int, typer.Option("--width", min=100, max=4000, help="Of the film, in pixels.")] = 720,
    browser: Annotated[
        bool, typer.Option("--browser", help="Step through it in the browser, see `banquet serve`.")
    ] = False,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="With --browser: where the page is.")] = 8000,
) -> None:
    """Look at a kept game: step by step in the terminal or the browser, as pictures, as a film.

    A file that is damaged, or of other rules or components, is refused with the reason.

    \b
    Examples:
      banquet replay replays/great_evening_banquet-2p-1f2e3d4c5b6a7988.json
      banquet replay game.json --no-step
      banquet replay game.json --gif game.gif --mp4 game.mp4 --seat 0
      banquet replay game.json --browser
    """
    from banquet_agents.films import write_film
    from banquet_agents.replays import read_replay

    game, kept, states = read_replay(file, components)
    if seat is not None and seat >= game.num_players:
        raise typer.BadParameter(f"seat {seat} outside 0..{game.num_players - 1}")
    if ply is not None and ply > len(kept.actions):
        raise typer.BadParameter(f"ply {ply} outside 0..{len(kept.actions)}")
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for k in range(len(states)):
            (pictures / f"{k:04d}.svg").write_text(game.draw(states[k], seat))
        typer.echo(f"{len(states)} pictures: {pictures}")
    films = [film for film in (gif, mp4) if film is not None]
    for film in films:
        write_film(film, game, states, seat, frames, width)
        typer.echo(f"film: {film}")
    if browser:
        _serve("127.0.0.1", port, Path("runs/tables"), 1, frozenset(), True, shown=(game, kept, states))
    elif pictures is None and not films:
        _tell(game, kept, states, seat, ply or 0, step)


def _tell(game: Any, kept: Any, states: Any, seat: int | None, ply: int, step: bool) -> None:
    """The game in words: all of it, or as the person steps through it."""
    say = console().print
    say(f"{game.spec.title}: " + ", ".join(f"seat {k}: {name}" for k, name in enumerate(kept.seats)))
    if not step:
        for k in range(ply, len(kept.actions)):
            say(_decision(game, kept, states, k))
        say(_position(game, states[-1], None))
        return
    last = len(kept.actions)
    while True:
        say(_position(game, states[ply], seat))
        say(_decision(game, kept, states, ply) if ply < last else _result(game, kept, states))
        try:
            answer = (
                input(f"ply {ply} of {last}; Enter: next, b: back, a number: go there, q: leave > ").strip().lower()
            )
        except (EOFError, KeyboardInterrupt):
            return
        if answer in ("q", "quit", "exit"):
            return
        if answer.isdecimal() and len(answer) < 10:
            ply = min(int(answer), last)
        elif answer in ("", "n", "b"):
            ply = max(0, ply - 1) if answer == "b" else min(ply + 1, last)
        else:
            say(f"{answer!r} is none of: Enter, b, a number, q")


def _position(game: Any, record: Any, seat: int | None) -> str:
    return "\n" + game.describe(record, seat) + "\n"


def _decision(game: Any, kept: Any, states: Any, ply: int) -> str:
    """A decision with what its mover thought of it."""
    from banquet_agents.arena.sittings import decision_text, thought_text

    before, action = states[ply : ply + 1], kept.actions[ply]
    words = decision_text(game, before, action, kept.seats[int(before.player[0])])
    return words + thought_text(game, before[0], kept.thoughts[ply] if kept.thoughts else None)


def _result(game: Any, kept: Any, states: Any) -> str:
    from banquet_agents.arena.sittings import result_text

    return result_text(states[-1], kept.seats) if kept.place else "The game was left here."


@app.command()
def serve(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME...]", help="What is on offer; by default all games.")
    ] = None,
    components: Components = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Where the page is.")] = 8000,
    host: Annotated[
        str, typer.Option("--host", help="Another address than this machine's own: other machines can then play, too.")
    ] = "127.0.0.1",
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", "-a", help="Offer this agent, too, such as policy:FOLDER; may be repeated."),
    ] = None,
    tables: Annotated[Path, typer.Option("--tables", help="Where tables are kept.")] = Path("runs/tables"),
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", min=1, help="Processes that agents think in; by default one per core."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in the browser.")] = False,
) -> None:
    """Play and watch in the browser: people and agents at any table, hints, replays. Nothing is fetched from elsewhere.

    Tables are kept and go on after a restart. Ctrl-C ends the server.

    \b
    Examples:
      banquet serve --browser
      banquet serve --port 8080 --agent policy:runs/mine
      banquet serve banquet_royal --components my_menu.toml
    """
    if components is not None and len(games or []) != 1:
        raise typer.BadParameter(f"--components {components}: name the one game that they belong to")
    own = {}
    for name in games or []:
        made = game_from(name, None, [], (), components)  # what is wrong with a name or a file is told now
        if components is not None:
            own[made.name] = components
    _serve(host, port, tables, workers, frozenset(agent or []), browser, games=games, components=own)


def _serve(
    host: str, port: int, tables: Path, workers: int | None, allowed: frozenset[str], browser: bool, **more: Any
) -> None:
    """Run the server until Ctrl-C."""
    from banquet_agents.arena.processes import cores
    from banquet_agents.serve.app import LOCAL, Server
    from banquet_agents.serve.running import run

    server = Server(tables, workers or cores(), allowed, hosts=LOCAL if host in LOCAL else ("*",), **more)
    page = f"http://{host}:{port}/" + (f"t/{server.shown.tokens[-1]}" if server.shown is not None else "")
    typer.echo(f"the page: {page}")
    if browser:
        threading.Timer(1.0, webbrowser.open, [page]).start()
    run(server, host, port)
