"""Positions as text, as a picture, in a window. Drawing needs no display; a window opens only in mode "human"."""

from __future__ import annotations

import importlib.util
import io
from typing import Any

import numpy as np

from banquet_envs.core.errors import BanquetError
from banquet_envs.core.game import Game

WIDTH = 900


def picture(svg: str, width: int = WIDTH) -> np.ndarray:
    """An SVG text as a uint8 (H, W, 3) array.

    Raises:
        BanquetError: the `render` extra is not installed.
    """
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise BanquetError(f'pictures need the render extra: pip install "banquet-envs[render]" ({error})') from error
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, **_fonts()))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def _fonts() -> dict[str, Any]:
    """The DejaVu fonts that matplotlib ships (part of the render extra): words show on machines without fonts too."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        return {}
    return {"font_dirs": [f"{found.submodule_search_locations[0]}/mpl-data/fonts/ttf"]}


class Renderer:
    """Renders one game in progress.

    Args:
        game: the Game it belongs to.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._window: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Copies have no window."""
        return {"_game": self._game, "_window": None}

    def render(self, mode: str, record: np.recarray, player: int | None = None) -> str | np.ndarray | None:
        """The position as `player` may see it (None: everything) in a render mode."""
        if mode == "ansi":
            return self._game.describe(record, player)
        image = picture(self._game.draw(record, player))
        if mode == "human":
            self._show(image)
            return None
        return image

    def _show(self, image: np.ndarray) -> None:
        try:
            import pygame
        except ImportError as error:
            raise BanquetError(
                f'a window needs the render extra: pip install "banquet-envs[render]" ({error})'
            ) from error
        size = (image.shape[1], image.shape[0])
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption(self._game.spec.title)
            self._window = pygame.display.set_mode(size)
        elif self._window.get_size() != size:
            self._window = pygame.display.set_mode(size)
        self._window.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None
