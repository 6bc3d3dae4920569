"""Pictures of positions: SVG texts that notebooks show, with places that actions touch."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Picture:
    """A position as a picture; a notebook shows it where it is a cell's last value.

    Attributes:
        svg: the SVG text.
    """

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def spot(content: str, place: str = "", told: str = "") -> str:
    """A part of an SVG that can be pointed at.

    Args:
        content: SVG elements.
        place: what `GameSpec.place` calls it, where actions touch it.
        told: words that show when a pointer rests on it.
    """
    name = f' data-place="{escape(place)}"' if place else ""
    title = f"<title>{escape(told)}</title>" if told else ""
    return f"<g{name}>{title}{content}</g>"
