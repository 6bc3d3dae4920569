"""One game at a table: a person against agents, or agents watched move by move."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents.human import HELP, HumanAgent, Quit
from banquet_agents.registry import make_agent
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.table import Player, Table

_ROW = np.arange(1)


def sit_down(game: Game, seed: int) -> Table:
    """One game, set up."""
    table = Table(game, 1, salt=seed)
    table.begin(_ROW, spawn_seeds(1, seed))
    return table


def play_out(
    table: Table, players: Sequence[Player], before: Callable[[int], None], after: Callable[[int, int], None]
) -> None:
    """Play to the end; `before(seat)` and `after(seat, action)` are called around every choice, before it is played."""
    while not table.over[0]:
        seat = int(table.player[0])
        before(seat)
        action = table.ask(players[seat], _ROW)
        after(seat, int(action[0]))
        table.play(_ROW, action)


def play_by_hand(
    game: Game,
    opponents: Sequence[str],
    seat: int,
    seed: int,
    say: Callable[[str], Any],
    picture: Path | None = None,
    ask: Callable[[str], str] = input,
) -> None:
    """A person in `seat`, agents in the seats after it in turn order; what the others do shows in the position."""
    players: list[Player] = [HumanAgent(game, ask, say)] * game.num_players
    for k, name in enumerate(opponents):
        players[(seat + 1 + k) % game.num_players] = make_agent(game, name)
    names = ["you" if k == seat else opponents[(k - seat - 1) % game.num_players] for k in range(game.num_players)]
    table = sit_down(game, seed)
    say(f"{game.spec.title}: " + ", ".join(f"seat {k}: {name}" for k, name in enumerate(names)))
    say(HELP)

    def before(mover: int) -> None:
        if picture is not None and mover == seat:
            picture.write_text(game.draw(table.states[0], seat))

    def after(mover: int, action: int) -> None:
        if mover == seat:
            say(f"> {game.action_text(table.states[0], action)}")

    try:
        play_out(table, players, before, after)
    except (Quit, KeyboardInterrupt):
        say("You leave the table.")
        return
    say("\n" + game.describe(table.states[0], None))
    say("\n" + result_text(table, names))


def watch_game(
    game: Game,
    names: Sequence[str],
    seed: int,
    say: Callable[[str], Any],
    positions: bool = False,
    pictures: Path | None = None,
    delay: float = 0.0,
) -> None:
    """Agents play one game; every decision is told, everything is shown."""
    made = {name: make_agent(game, name) for name in dict.fromkeys(names)}
    table = sit_down(game, seed)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)

    def show() -> None:
        record = table.states[0]
        if positions:
            say("\n" + game.describe(record, None))
        if pictures is not None:
            (pictures / f"{int(record.ply):04d}.svg").write_text(game.draw(record, None))

    def after(mover: int, action: int) -> None:
        points = " ".join(str(int(p)) for p in table.states["points"][0, : game.num_players])
        words = game.action_text(table.states[0], action)
        say(f"{int(table.states['ply'][0]):4d}  seat {mover} ({names[mover]}): {words}  [points {points}]")
        time.sleep(delay)

    play_out(table, [made[name] for name in names], lambda mover: show(), after)
    show()
    say("\n" + result_text(table, names))


def result_text(table: Table, names: Sequence[str]) -> str:
    """Places and points at the end, best first."""
    state = table.states[0]
    order = sorted(range(len(names)), key=lambda k: int(state.place[k]))
    return "\n".join(f"{int(state.place[k]) + 1}. seat {k} ({names[k]}): {int(state.points[k])} points" for k in order)
