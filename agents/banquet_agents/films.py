"""A game as a film: its pictures one after another, small enough for a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.envs.render import picture

COLOURS = 48
"""Of a film's palette; the games' pictures have few, and a GIF grows with them."""


def chosen_plies(count: int, frames: int) -> list[int]:
    """Which of `count` positions to show in at most `frames` pictures, evenly spread, the first and the last among them."""
    return sorted({int(k) for k in np.linspace(0, count - 1, min(frames, count)).round()})


def write_gif(
    file: Path, game: Game, states: np.recarray, seat: int | None = None, frames: int = 40, width: int = 720,
    milliseconds: int = 700,
) -> None:  # fmt: skip
    """A film of a game as an animated GIF; the last picture stays longer.

    Args:
        file: where to.
        game: the Game.
        states: records (k,), the positions in order.
        seat: as this seat may see them; None shows everything.
        frames: most pictures.
        width: of the film, in pixels; its height is that of the highest picture.
        milliseconds: for each picture.

    Raises:
        BanquetError: the `render` extra is not installed.
    """
    if file.suffix != ".gif":
        raise OptionError(f"{file}: the name must end in .gif")
    shown = [picture(game.draw(states[k], seat), width) for k in chosen_plies(len(states), frames)]
    from PIL import Image  # `picture` has said what to install if it is not there

    height = max(len(image) for image in shown)
    images: list[Any] = [Image.fromarray(_padded(image, height)) for image in shown]
    palette = images[-1].quantize(COLOURS)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    pauses = [milliseconds] * (len(flat) - 1) + [4 * milliseconds]
    flat[0].save(file, save_all=True, append_images=flat[1:], duration=pauses, loop=0, optimize=True)


def _padded(image: np.ndarray, height: int) -> np.ndarray:
    """The picture on paper of its own colour, `height` pixels high."""
    below = np.broadcast_to(image[-1, 0], (height - len(image), image.shape[1], 3))
    return np.concatenate([image, below])
