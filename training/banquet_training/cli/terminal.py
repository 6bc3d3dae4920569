"""What the commands share: options of games from text, one-line errors, progress bars."""

from __future__ import annotations

import errno
import importlib.metadata
import os
import re
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from banquet_envs.core.errors import BanquetError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from banquet_agents.arena.sittings import Sitting
    from banquet_envs.core.game import Game

# Typer brings its own copy of click from some version on; this finds whichever it uses.
_USAGE: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


STOPPED = 130
"""What a command ends with after Ctrl-C."""


def extra_with(module: str | None) -> str:
    """The extra that brings a module, as the installed distribution says; "train", the largest, where it says nothing."""
    with suppress(importlib.metadata.PackageNotFoundError):  # a checkout on the path alone
        for text in importlib.metadata.requires("banquet-envs") or []:
            found = re.match(r"([\w.-]+).*extra == [\"'](\w+)", text)
            if found and found[1].replace("-", "_") == (module or "").partition(".")[0]:
                return found[2]
    return "train"


class OneLineErrors(TyperGroup):
    """Commands whose users' mistakes end in one line on stderr and exit code 2, without traceback."""

    def main(self, args: Any = None, prog_name: str | None = None, *_: Any, **extra: Any) -> Any:  # type: ignore[override]
        """Run a command line."""
        extra.pop("standalone_mode", None)
        try:
            code = super().main(args=args, prog_name=prog_name or "banquet", standalone_mode=False, **extra)
            sys.stdout.flush()
        except _USAGE as error:
            self._fail(error.format_message(), getattr(error, "ctx", None))  # type: ignore[attr-defined]
        except BanquetError as error:
            self._fail(str(error))
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] in ("banquet_training", "banquet_agents", "banquet_envs"):
                raise
            self._fail(f"this needs the package {error.name!r}: pip install 'banquet-envs[{extra_with(error.name)}]'")
        except OSError as error:
            self._fail_to_write(error)
        except (typer.Abort, KeyboardInterrupt):
            code = STOPPED
        if code == STOPPED:
            print("banquet: stopped", file=sys.stderr)
        sys.exit(code if isinstance(code, int) else 0)

    @classmethod
    def _fail_to_write(cls, error: OSError) -> None:
        """A file that cannot be had, or a standard output that takes no more."""
        if error.filename is not None:
            cls._fail(f"{error.filename}: {error.strerror}")
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            raise error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its end
        cls._fail(f"cannot write: {error.strerror}")

    @staticmethod
    def _fail(message: str, context: Any = None) -> None:
        path = context.command_path if context is not None else "banquet"
        hint = f" (see {path} --help)" if context is not None else ""
        print(f"banquet: {' '.join(message.split())}{hint}", file=sys.stderr)
        sys.exit(2)


def parsed_options(game: str, given: Sequence[str]) -> dict[str, Any]:
    """`["expert=true"]` as the game's options, each value as one of its choices.

    Raises:
        OptionError: not of the form NAME=VALUE, an unknown name, or a value that is none of the choices.
    """
    from banquet_envs.core.registry import game_spec

    known = {o.name: o for o in game_spec(game).options}
    found = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise OptionError(f"option {text!r}: expected NAME=VALUE, such as -o {next(iter(known), 'name')}=true")
        if name not in known:
            raise OptionError(f"{game}: unknown option {name!r}; it has {', '.join(sorted(known)) or 'none'}")
        spelled = {str(c).lower(): c for c in known[name].choices}
        if value.lower() not in spelled:
            raise OptionError(f"{game}: {name}={value} is not allowed; choose one of {', '.join(spelled)}")
        found[name] = spelled[value.lower()]
    return found


def game_from(
    name: str,
    players: int | None,
    options: Sequence[str],
    agents: Sequence[str] = (),
    components: Path | None = None,
) -> Game:
    """The game a command names; a trained agent's own players and options are the defaults."""
    from banquet_envs.core.registry import game_spec, make_game

    spec = game_spec(name)
    cards = {agent: policy_card(agent) for agent in agents}
    for agent, card in cards.items():
        if card.get("game", name) != name:
            raise OptionError(f"{agent}: was trained for {card['game']}, not for {name}")
    card = next(filter(None, cards.values()), {})
    if players is None:
        players = card.get("players") or max(spec.min_players, min(2, spec.max_players))
    chosen = {**card.get("options", {}), **parsed_options(name, options)}
    return make_game(name, players, "win", components, **chosen)


def policy_card(agent: str) -> dict[str, Any]:
    """What the JSON of the policy says that an agent plays or searches with; nothing without one, nor of
    `policy:reference`, which is there for many games.
    """
    from banquet_agents.policy import REFERENCE, find_policy, policy_of, read_card

    policy = policy_of(agent)
    return {} if policy in (None, REFERENCE) else read_card(find_policy(Path(policy)))[0]


def seated(game: Game, others: Sequence[str], count: int) -> list[str]:
    """`count` agents' names: those given, the last one repeated; the strongest scripted agent when none is given.

    Raises:
        OptionError: more names than seats.
    """
    from banquet_agents.registry import agent_names

    if len(others) > count:
        raise OptionError(
            f"{game.name} with {game.num_players} players has {count} other seats, found {len(others)} agents"
        )
    names = list(others) or [agent_names(game.name)[-1]]
    return names + [names[-1]] * (count - len(names))


def console() -> Console:
    """Standard output in colour where it is a terminal, words as they are."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def keep_replay(folder: Path | None, sitting: Sitting) -> None:
    """Write what was played into a folder, where one is named, and say so."""
    if folder is not None:
        from banquet_agents.replays import write_replay

        typer.echo(f"replay: {write_replay(folder, sitting.replay())}")


def fresh_seed(seed: int | None) -> int:
    """`seed`, or one from the system's entropy."""
    return secrets.randbelow(2**31) if seed is None else seed


def checked_seed(seed: int | None) -> int | None:
    """Typer callback: refuse negative seeds."""
    if seed is not None and seed < 0:
        raise typer.BadParameter("must be 0 or more")
    return seed


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while something long runs; the value is called with (done, total)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class TrainingProgress:
    """The progress bar of a training run on stderr, with a line for every evaluation."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self.console = Console(stderr=True, highlight=False)
        self.bar = Progress(
            TextColumn("training"), BarColumn(), TextColumn("{task.percentage:3.0f} %  {task.fields[rate]}"),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self.console, disable=not self.console.is_terminal,
        )  # fmt: skip
        self.task = self.bar.add_task("training", total=1.0, rate="")
        self.first: tuple[float, int] | None = None

    def __enter__(self) -> TrainingProgress:
        self.bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.bar.stop()

    def __call__(self, event: str, facts: dict[str, Any]) -> None:
        """A report of training/banquet_training/conductor.py."""
        import time

        if event == "start":
            speeds = ", ".join(f"{k}: {v:.1f}" for k, v in facts["measured"].items())
            self.console.print(
                f"{facts['learner']}: torch uses {facts['torch']} thread(s), {facts['precision']}"
                + (f" (passes a second by threads: {speeds})" if speeds else "")
            )
            self.first = None
        elif event == "step":
            now = time.perf_counter()
            if self.first is None:
                self.first = now, facts["steps"]
            rate = (facts["steps"] - self.first[1]) / max(now - self.first[0], 1e-9)
            self.bar.update(self.task, completed=min(facts["fraction"], 1.0), rate=f"{rate:,.0f} decisions/s")
        elif event == "evaluation":
            words = evaluation_text(facts["rows"], facts["players"])
            self.console.print(f"{facts['steps']:>11,} decisions: {words}", soft_wrap=True)


def evaluation_text(rows: Sequence[dict[str, Any]], players: int) -> str:
    """One line on an evaluation."""
    if players == 1:
        points = rows[0]["points"]
        others = ", ".join(f"{r['opponent']} {r['opponent_points']:.1f}" for r in rows)
        return f"{points:.1f} points ({others})"
    shares = ", ".join(f"{r['opponent']} {r['share']:.1%}" for r in rows)
    return f"share of wins against {shares}; {rows[-1]['points']:.1f} points"
