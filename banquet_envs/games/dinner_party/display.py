"""Positions and actions in words, and the picture of a position."""

from __future__ import annotations

from typing import Any


def action_text(rules: Any, state: Any, action: int) -> str:
    """The action in words."""
    return str(action)


def describe(rules: Any, state: Any, player: int | None) -> str:
    """The position in words."""
    return ""


def draw(rules: Any, state: Any, player: int | None) -> str:
    """The position as an SVG."""
    return ""
