"""The learning curve of a run: strength against each scripted agent over the learner's decisions."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from banquet_agents.files import write_whole

COLOURS = ("#4477aa", "#cc6677", "#228833", "#aa3377", "#ccbb44", "#66ccee")


def read_curve(file: Path, steps: int) -> list[dict[str, Any]]:
    """The rows of a curve.csv up to a checkpoint's `steps`: what was learned after it is lost, and so are its points.

    Empty when there is no file, or one that cannot be read: a figure is no reason not to go on.
    """
    try:
        with file.open(newline="") as source:
            rows: list[dict[str, Any]] = [
                {k: v if k in ("opponent", "seat") else float(v or "nan") for k, v in row.items()}
                for row in csv.DictReader(source, strict=True)
            ]
        return [row for row in rows if row["step"] <= steps]
    except (OSError, ValueError, TypeError, KeyError, csv.Error):
        return []


def draw_curve(rows: list[dict[str, Any]], players: int, title: str, file: Path) -> None:
    """A PNG of win share (with one player: points) against each opponent, with 95 % intervals."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    what, scale = ("points", 1.0) if players == 1 else ("share", 100.0)
    opponents = list(dict.fromkeys(r["opponent"] for r in rows))
    steps: list[float] = []
    for k, opponent in enumerate(opponents):
        mine = [r for r in rows if r["opponent"] == opponent]
        colour = COLOURS[k % len(COLOURS)]
        steps = [r["step"] / 1e6 for r in mine]
        if players == 1:
            axes.plot(steps, [r["opponent_points"] for r in mine], color=colour, linestyle="--", label=opponent)
            if k:
                continue
            colour = "black"
        low, high = ([r[f"{what}_{end}"] * scale for r in mine] for end in ("low", "high"))
        axes.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
        label = "trained" if players == 1 else f"against {opponent}"
        axes.plot(steps, [r[what] * scale for r in mine], color=colour, marker=".", label=label)
    if players > 1:
        axes.axhline(100 / players, color="grey", linestyle=":", label="fair share")
        axes.set_ylim(-2, 102)
    axes.set_xlabel("million decisions of the learner")
    axes.set_ylabel("points" if players == 1 else "share of wins, %")
    axes.set_title(title)
    axes.grid(alpha=0.3)
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    write_whole(file, picture.getvalue())
