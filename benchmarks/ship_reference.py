"""Make a training run's policy a shipped one: float16, measured on new deals, with its card (agents/banquet_agents/reference).

    python -m benchmarks.ship_reference runs/mine [--games 4000] [--seed 2026]

The strength in the card is that of the shipped file, over deals of a seed that no run has used for training or choice.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from banquet_agents.arena.evaluate import markdown, overall, strength
from banquet_agents.policy import load_policy, save_policy
from banquet_agents.reference import SHIPPED, reference_name
from banquet_training.conductor import IMITATION
from banquet_training.runs import RunFolder
from banquet_training.trainer import game_of

KEPT = ("opponent", "games", *(f"{what}{end}" for what in ("share", "points", "lead") for end in ("", "_low", "_high")))


def ship(run: RunFolder, games: int, seed: int) -> Path:
    """Write the folder of the run's best policy and what it is worth."""
    about = run.about()
    game = game_of(about["game"], run.settings().game)
    if about["seed"] == seed:
        raise typer.BadParameter(f"the run's own seed is {seed}: measure with another")
    folder = SHIPPED / reference_name(game)
    policy = load_policy(game, str(run / "best"))
    told = {key: policy.card[key] for key in ("steps", "seed", "versions")}
    parts = course(run)
    told["command"] = " && ".join(anywhere(part.about()["command"]) for part in parts)
    told["cpu_minutes"] = round(sum(map(cpu_seconds, parts)) / 60, 1)
    save_policy(folder, game, policy.network, told, np.float16)
    rows = overall(strength(game, ("reference", load_policy(game, str(folder))), None, games, seed))
    save_policy(folder, game, policy.network, told | {"strength": measured(rows, seed)}, np.float16)
    typer.echo(f"{markdown(rows, game.num_players == 1)}\n{folder}")
    return folder


def course(run: RunFolder) -> list[RunFolder]:
    """The runs that led here, each begun from the policy of the one before."""
    kind, _, start = str(run.about().get("from", "")).partition(":")
    return [*(course(RunFolder(Path(start))) if kind == "policy" else []), run]


def anywhere(command: str) -> str:
    """A command without the places of the machine it was typed on."""
    _, *words = shlex.split(command)
    return shlex.join(["banquet", *(re.sub(r"(^|:)/.*/", r"\1runs/", word) for word in words)])


def cpu_seconds(run: RunFolder) -> float:
    """Of the run and of the lesson before it."""
    seconds = float(run.load_checkpoint()[1]["cpu_seconds"])
    lesson = run / IMITATION
    return seconds + (cpu_seconds(RunFolder(lesson)) if lesson.is_dir() else 0.0)


def measured(rows: list[dict[str, Any]], seed: int) -> dict[str, Any]:
    """What the card says of strength: shares of the win and points with 95 % intervals over deals."""
    return {"seed": seed, "against": [{key: _short(row[key]) for key in KEPT} for row in rows]}


def _short(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def main(
    run: Annotated[Path, typer.Argument(help="A training run's folder.")],
    games: Annotated[int, typer.Option(help="Against each scripted agent.")] = 4000,
    seed: Annotated[int, typer.Option(help="Of the deals; not the run's own.")] = 2026,
) -> None:
    """Ship the best policy of a run."""
    ship(RunFolder(run), games, seed)


if __name__ == "__main__":
    typer.run(main)
