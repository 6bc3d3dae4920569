"""The heat map of a tournament: who wins how much against whom."""

from __future__ import annotations

import importlib.metadata
import io
from typing import Any

import numpy as np

from banquet_agents.arena.tournament import Results

WIDEST = 28
"""Longest label in characters before it is broken."""


def heat_map(results: Results) -> bytes:
    """A PNG: rows against columns, in per cent, with intervals; white is the fair share."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.figure import Figure

    what, fair, count = results.shown, results.fair, len(results.names)
    values = np.full((count, count), np.nan)
    labels = [_label(a) for a in results.names]
    longest = max(len(part) for label in labels for part in label.split("\n"))
    side = max(3.0, 1.05 * count)
    figure = Figure(
        figsize=(side + 0.09 * longest + 2.0, side * 0.85 + 0.06 * longest + 1.4), dpi=150, layout="constrained"
    )
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for row in results.pairs:
        at = results.names.index(row["agent"]), results.names.index(row["opponent"])
        values[at] = 100 * row[what]
        _write_cell(axes, at, row, what, fair)
    image = axes.imshow(values, cmap="RdBu", norm=TwoSlopeNorm(100 * fair, 0, 100), aspect="auto")
    axes.set_facecolor("#e8e8e8")
    axes.set_xticks(
        range(count), labels, rotation=0 if longest <= 10 else 35, ha="center" if longest <= 10 else "right"
    )
    axes.set_yticks(range(count), labels)
    axes.set_xticks(np.arange(count + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(count + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.set_xlabel("opponent")
    axes.set_ylabel("agent")
    axes.set_title(_title(results), fontsize=11)
    told = "deals on which it is ahead, %" if results.solo else "share of the win, %"
    bar = figure.colorbar(image, ax=axes, label=told)
    bar.set_ticks(sorted({0, 100 * fair, 50, 100}))
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": f"matplotlib {importlib.metadata.version('matplotlib')}"})
    return out.getvalue()


def _write_cell(axes: Any, at: tuple[int, int], row: dict[str, Any], what: str, fair: float) -> None:
    """The value, its interval below, dark on light and light on dark."""
    value, low, high = (100 * row[name] for name in (what, f"{what}_low", f"{what}_high"))
    away = (value / 100 - fair) / (fair if value / 100 < fair else 1 - fair)
    colour = "white" if abs(away) > 0.6 else "black"
    has = low == low
    y = at[0] - (0.12 if has else 0.0)
    axes.text(at[1], y, f"{value:.1f}", ha="center", va="center", color=colour, fontsize=11)
    if has:
        axes.text(at[1], at[0] + 0.2, f"{low:.1f}–{high:.1f}", ha="center", va="center", color=colour, fontsize=7)


def _title(results: Results) -> str:
    seats = "1 player" if results.solo else f"{results.game.num_players} players"
    return f"{results.game.spec.title}, {seats}\n{results.deals:,} deals, seed {results.seed}"


def _label(name: str) -> str:
    """A long name in two lines, or with its middle left out."""
    if len(name) <= WIDEST // 2:
        return name
    shown = name if len(name) <= 2 * WIDEST else f"{name[: WIDEST - 1]}…{name[-WIDEST:]}"
    cut = max((shown.rfind(c, 0, 1 + len(shown) * 2 // 3) for c in ":/,"), default=-1)
    cut = cut + 1 if cut > 2 else len(shown) // 2
    return f"{shown[:cut]}\n{shown[cut:]}"
