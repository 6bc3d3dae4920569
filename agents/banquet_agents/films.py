"""A game as a film: its pictures one after another, small enough for a page."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from banquet_envs.core.errors import BanquetError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.envs.render import picture

COLOURS = 48
"""Of a film's palette; the games' pictures have few, and a GIF grows with them."""

MP4_RATE = 10
"""Pictures a second: a picture is shown several times, as not every player knows slower films."""


def chosen_plies(count: int, frames: int) -> list[int]:
    """Which of `count` positions to show in at most `frames` pictures, evenly spread, the first and the last among them."""
    return sorted({int(k) for k in np.linspace(0, count - 1, min(frames, count)).round()})


def write_film(
    file: Path, game: Game, states: np.recarray, seat: int | None = None, frames: int = 40, width: int = 720,
    milliseconds: int = 700,
) -> None:  # fmt: skip
    """A film of a game; its last picture stays longer.

    Args:
        file: where to; its ending says what kind of film: .gif (animated) or .mp4.
        game: the Game.
        states: records (k,), the positions in order.
        seat: as this seat may see them; None shows everything.
        frames: most pictures.
        width: of the film, in pixels (an .mp4 takes the next even number); its height is that of the highest picture.
        milliseconds: for each picture.

    Raises:
        OptionError: another ending.
        BanquetError: the `render` extra is not installed, or for an .mp4 the `mp4` extra.
    """
    if file.suffix not in WRITERS:
        raise OptionError(f"{file}: the name must end in {' or '.join(WRITERS)}")
    shown = [picture(game.draw(states[k], seat), width) for k in chosen_plies(len(states), frames)]
    height = max(len(image) for image in shown)
    pauses = [milliseconds] * (len(shown) - 1) + [4 * milliseconds]
    WRITERS[file.suffix](file, [_padded(image, height, image.shape[1]) for image in shown], pauses)


def _padded(image: np.ndarray, height: int, width: int) -> np.ndarray:
    """The picture on paper of its own colour, of this size, uint8 (H, W, 3)."""
    paper = np.broadcast_to(image[-1, 0], (height, width, 3)).copy()
    paper[: len(image), : image.shape[1]] = image
    return paper


def _write_gif(file: Path, shown: list[np.ndarray], pauses: list[int]) -> None:
    from PIL import Image  # `picture` has said what to install if it is not there

    images: list[Any] = [Image.fromarray(image) for image in shown]
    palette = images[-1].quantize(COLOURS)
    flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    flat[0].save(file, save_all=True, append_images=flat[1:], duration=pauses, loop=0, optimize=True)


def _write_mp4(file: Path, shown: list[np.ndarray], pauses: list[int]) -> None:
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise BanquetError(f'an .mp4 needs the mp4 extra: pip install "banquet-envs[mp4]" ({error})') from error
    height, width = (size + size % 2 for size in shown[0].shape[:2])  # the format takes no odd sizes
    writing = imageio_ffmpeg.write_frames(str(file), (width, height), fps=MP4_RATE, macro_block_size=2)
    with closing(writing) as film:  # a generator that takes pictures
        film.send(None)
        for image, pause in zip(shown, pauses, strict=True):
            for _ in range(max(1, pause * MP4_RATE // 1000)):
                film.send(_padded(image, height, width))


WRITERS = {".gif": _write_gif, ".mp4": _write_mp4}
