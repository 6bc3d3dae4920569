"""Play a game of each kind with good agents and write it as a film: `python docs/films.py [GAME...]` (or `make films`)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from banquet_agents.arena.sittings import watch_game
from banquet_agents.films import write_film
from banquet_agents.registry import agent_names
from banquet_envs import list_games, make_game
from banquet_envs.core.state import take

IMAGES = Path(__file__).parent / "images"
SEED = 7


def main(names: list[str]) -> None:
    """Write docs/images/GAME.gif for each game."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or list_games():
        game = make_game(name, 2)
        strongest = agent_names(name)[-1]
        sitting = watch_game(game, [strongest] * 2, SEED, lambda line: None)
        states = np.concatenate(sitting.positions)
        file = IMAGES / f"{name}.gif"
        write_film(file, game, take(states, np.arange(len(states))), frames=28, width=640)
        print(f"{file.name}: {len(states)} positions, {file.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(sys.argv[1:])
