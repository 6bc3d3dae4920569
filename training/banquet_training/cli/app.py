"""The command `banquet` itself, and the arguments that mean the same in every command."""

from __future__ import annotations

import os

# One BLAS thread: two thread pools, torch's and NumPy's, would fight for the cores. Works before NumPy's first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import shlex
import signal
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from banquet_training.cli.terminal import OneLineErrors, checked_seed

app = typer.Typer(
    cls=OneLineErrors,
    help="Board games about dinner parties: play them, train agents on them, measure agents.",
    epilog="Start with: banquet demo. Then: banquet list, banquet info GAME, banquet play GAME.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)

GameArg = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, see `banquet list`.")]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help="Number of seats; by default 2, or what a trained agent was trained for."),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
Seed = Annotated[int, typer.Option("--seed", "-s", callback=checked_seed, help="Everything random follows from it.")]
FreshSeed = Annotated[
    int | None,
    typer.Option("--seed", "-s", callback=checked_seed, help="Play a certain deal again; by default a new one."),
]
Games = Annotated[int, typer.Option("--games", "-g", min=1, help="About how many games; rounded up to whole deals.")]
Components = Annotated[
    Path | None, typer.Option("--components", help="Component data of your own in place of the shipped TOML file.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", "-w", min=1, help="Processes; by default one per core, once it takes more than some seconds."
    ),
]
Ray = Annotated[
    bool, typer.Option("--ray", help="Play on the Ray cluster at hand (see RAY_ADDRESS), else on a local one.")
]
RayAddress = Annotated[
    str | None, typer.Option("--ray-address", help="Play on this Ray cluster; local: on a new local one.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="A folder for games and results; stopped, even killed, the same command goes on there."),
]
Replays = Annotated[
    Path | None,
    typer.Option("--replays", help="Keep the game, or the first games of each line-up, in this folder as replays."),
]
RunDir = Annotated[Path | None, typer.Option("--run", "-r", help="The run's folder; by default runs/GAME-DATE.")]
Threads = Annotated[
    int | None, typer.Option("--threads", "-t", min=1, help="torch's threads; by default measured at the start.")
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="TABLE.ENTRY=VALUE", help="A hyperparameter, such as ppo.n_epochs=4; may be repeated."
    ),
]


@app.callback()
def help_when_bare(context: typer.Context) -> None:
    """Board games about dinner parties: play them, train agents on them, measure agents."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def program() -> str:
    """What is typed before a command: `banquet`, or `python -m PACKAGE` of a package that adds games of its own."""
    package = getattr(sys.modules["__main__"].__spec__, "parent", "")
    own = Path(sys.argv[0]).name == "__main__.py" and package != "banquet_training"
    return f"python -m {package}" if own else "banquet"


def command_line() -> str:
    """What was typed."""
    return f"{program()} {shlex.join(sys.argv[1:])}"


def main() -> None:
    """Entry point of `banquet`. What schedulers send to end it counts as Ctrl-C: everything is put in order first."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    app(prog_name=program())
