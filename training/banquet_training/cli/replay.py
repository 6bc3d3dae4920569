"""The command that looks at kept games: replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from banquet_training.cli.app import Components, app
from banquet_training.cli.terminal import console


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
    frames: Annotated[int, typer.Option("--frames", min=2, help="Most pictures of the film.")] = 40,
    width: Annotated[int, typer.Option("--width", min=100, max=4000, help="Of the film, in pixels.")] = 720,
) -> None:
    """Look at a kept game: step by step in the terminal, as pictures, as a film.

    A file that is damaged, or of other rules or components, is refused with the reason.

    \b
    Examples:
      banquet replay replays/great_evening_banquet-2p-1f2e3d4c5b6a7988.json
      banquet replay game.json --no-step
      banquet replay game.json --gif game.gif --seat 0
    """
    from banquet_agents.films import write_gif
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
    if gif is not None:
        write_gif(gif, game, states, seat, frames, width)
        typer.echo(f"film: {gif}")
    if pictures is None and gif is None:
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
            answer = input(f"ply {ply} of {last}; Enter: next, b: back, a number: go there, q: leave > ").strip().lower()
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
