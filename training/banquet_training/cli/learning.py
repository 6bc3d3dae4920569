"""Commands that train: train, imitate, demo, exploit. Only they need torch, and import it inside."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from banquet_training.cli.app import (
    Components,
    GameArg,
    Games,
    Options,
    Players,
    RunDir,
    Seed,
    Sets,
    Threads,
    app,
    command_line,
    program,
)
from banquet_training.cli.terminal import TrainingProgress, game_from, parsed_options

FRESH = [
    "run.evaluations=10",
    "ppo.learning_rate=1e-3",
    "ppo.learning_rate_end=1e-4",
    "ppo.ent_coef=0.01",
    "network.shared=[256, 256]",
]
"""What a learner that nobody has taught is told, beyond the game's settings."""


@app.command()
def train(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's id; not with --resume.")] = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    reward: Annotated[
        str | None, typer.Option("--reward", help="win, place or points; by default as configured.")
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Decisions of the learner in all.")] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0.0, help="Stop after this long.")] = None,
    cpu_minutes: Annotated[
        float | None, typer.Option("--cpu-minutes", min=0.0, help="Stop after so much of the processor's time.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="policy:FOLDER", help="A policy to begin from, and to be held to.")
    ] = None,
    learner: Annotated[
        str | None, typer.Option("--learner", help="selfplay (default); search: expert iteration; sb3: MaskablePPO.")
    ] = None,
    run: RunDir = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with the run in this folder.")] = None,
    seed: Seed = 0,
    threads: Threads = None,
    config: Annotated[Path | None, typer.Option("--config", help="A TOML file in place of the game's own.")] = None,
    set_: Sets = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="Check distributions, actions and observations; slower.")
    ] = False,
    allow_imports: Annotated[
        bool, typer.Option("--allow-imports", help="With --resume: import the modules that the folder names.")
    ] = False,
) -> None:
    """Train an agent by self-play.

    Where the game's settings say so (imitation.first), a teacher comes first; --from takes its place.

    Everything lands in one folder: settings, checkpoints, learning curve, table of strength, TensorBoard events, and
    the policy, which plays as policy:FOLDER.

    \b
    Examples:
      banquet train great_evening_banquet
      banquet train great_evening_banquet -p 3 -o expert=true --minutes 10 --run runs/three --seed 5
      banquet train --resume runs/three --steps 20000000
      banquet train polite_society --from policy:runs/taught --cpu-minutes 30
      banquet train polite_society --from policy:runs/taught --learner search --cpu-minutes 30
      banquet train great_evening_banquet --set ppo.learning_rate=5e-4 --set pool.scripted.greedy=0.3
      tensorboard --logdir runs
    """
    from banquet_training.settings import overlaid
    from banquet_training.trainer import resume as go_on
    from banquet_training.trainer import train as begin

    if (game is None) == (resume is None):
        raise typer.BadParameter("name a GAME, or a run with --resume")
    if resume is not None:
        given = {
            "--players": players,
            "--option": option,
            "--components": components,
            "--reward": reward,
            "--run": run,
            "--config": config,
            "--set": set_,
            "--from": start,
            "--learner": learner,
            "--cpu-minutes": cpu_minutes,
        }
        wrong = [name for name, value in given.items() if value is not None]
        if wrong:
            raise typer.BadParameter(f"{', '.join(wrong)}: a resumed run keeps what it was begun with")
        with TrainingProgress() as report:
            outcome = go_on(resume, steps, minutes, threads, debug, report, allow_imports)
    else:
        settings = _settings(game, False, config, set_, players, option, reward, steps, minutes, components)
        chosen = {k: v for k, v in (("learner", learner), ("cpu_minutes", cpu_minutes)) if v is not None}
        settings = overlaid(settings, {"run": chosen}, "command line")
        folder = run or Path("runs") / f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"
        typer.echo(f"{game}, seed {seed}, into {folder}")
        with TrainingProgress() as report:
            outcome = begin(str(game), settings, folder, seed, threads, debug, report, start)
    _tell(outcome)


@app.command()
def imitate(
    game: GameArg,
    teacher: Annotated[
        str | None, typer.Option("--teacher", help="expert, search:N, policy:FOLDER, ...; by default as configured.")
    ] = None,
    decisions: Annotated[
        int | None, typer.Option("--decisions", min=1, help="How many the teacher is asked for.")
    ] = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    reward: Annotated[
        str | None, typer.Option("--reward", help="What the value head learns: win, place or points.")
    ] = None,
    run: RunDir = None,
    seed: Seed = 0,
    threads: Threads = None,
    config: Annotated[Path | None, typer.Option("--config", help="A TOML file in place of the game's own.")] = None,
    set_: Sets = None,
) -> None:
    """Teach a policy what another agent does, in the positions the policy gets itself into (DAgger).

    The folder is like that of a training run, and goes on with `banquet train --resume`.

    \b
    Examples:
      banquet imitate dinner_party --run runs/taught
      banquet train dinner_party --from policy:runs/taught
      banquet imitate polite_society --teacher search:100 --decisions 200000
    """
    from banquet_training.settings import overlaid
    from banquet_training.trainer import imitate as begin

    settings = _settings(game, False, config, set_, players, option, reward, components=components)
    chosen = {k: v for k, v in (("teacher", teacher), ("decisions", decisions)) if v is not None}
    settings = overlaid(settings, {"imitation": chosen}, "command line")
    folder = run or Path("runs") / f"{game}-taught-{time.strftime('%Y%m%d-%H%M%S')}"
    typer.echo(f"{game}, taught by {settings.imitation.teacher}, seed {seed}, into {folder}")
    with TrainingProgress() as report:
        outcome = begin(game, settings, folder, seed, threads, report)
    _tell(outcome)


@app.command()
def demo(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's id; by default the first one.")] = None,
    run: RunDir = None,
    seed: Seed = 0,
    threads: Threads = None,
    set_: Sets = None,
) -> None:
    """Show how strong the shipped agent is, then train one for a few minutes and show how far that went.

    Training is measured in decisions, not by the clock: what a busy machine makes in more time is the same agent.

    \b
    Examples:
      banquet demo
      banquet demo great_evening_banquet --run runs/demo --seed 3
    """
    from banquet_training.settings import demo_game
    from banquet_training.trainer import game_of
    from banquet_training.trainer import train as begin

    game = game or demo_game()
    settings = _settings(game, True, None, set_)
    _show_reference(game_of(game, settings.game), settings.run.evaluation_games, seed)
    folder = run or Path("runs") / f"demo-{time.strftime('%Y%m%d-%H%M%S')}"
    typer.echo(f"{game}, seed {seed}, into {folder}")
    with TrainingProgress() as report:
        outcome = begin(game, settings, folder, seed, threads, report=report)
    _tell(outcome)


def _show_reference(game: Any, games: int, seed: int) -> None:
    """A table of the shipped policy's strength; nothing where none is shipped."""
    from banquet_agents.arena.evaluate import markdown, overall, strength
    from banquet_agents.reference import has_reference

    if not has_reference(game):
        return
    typer.echo(f"The agent that comes with {game.spec.title} (policy:reference), {games} games against each script:\n")
    rows = strength(game, "policy:reference", None, games, seed)
    typer.echo(markdown(overall(rows), game.num_players == 1) + "\n")


@app.command()
def exploit(
    game: GameArg,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The fixed agent; see `banquet evaluate`.")],
    minutes: Annotated[float, typer.Option("--minutes", "-m", min=0.01, help="How long the learner trains.")] = 10.0,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    games: Games = 1000,
    steps: Annotated[
        int | None,
        typer.Option("--steps", min=1, help="End after so many decisions of the learner, if that is sooner."),
    ] = None,
    run: Annotated[
        Path | None, typer.Option("--run", "-r", help="The folder; by default runs/exploit-GAME-DATE.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    config: Annotated[Path | None, typer.Option("--config", help="A TOML file in place of the game's own.")] = None,
    set_: Sets = None,
) -> None:
    """Train a fresh PPO learner against one fixed agent: a lower bound of what a best response gains.

    \b
    Examples:
      banquet exploit great_evening_banquet greedy --minutes 5
      banquet exploit great_evening_banquet policy:runs/mine --minutes 30 --games 4000
      banquet exploit great_evening_banquet search:100 --set run.games=64 --set run.evaluation_games=40 --games 100
    """
    from banquet_training.exploit import exploit as exploited
    from banquet_training.exploit import page
    from banquet_training.settings import overlaid

    settings = _settings(game, False, config, [*FRESH, *(set_ or [])], components=components)
    made = game_from(game, players or settings.game.players or None, option or [], [agent], components)
    chosen = {"players": made.num_players, "options": made.options}
    settings = overlaid(settings, {"game": chosen, "run": {"minutes": minutes}}, "command line")
    folder = run or Path("runs") / f"exploit-{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    typer.echo(f"{game}, against {agent}, seed {seed}, into {folder}")
    with TrainingProgress() as report:
        found = exploited(game, agent, settings, folder, games, seed, steps, threads, report, command_line())
    typer.echo("\n" + page(found))


def _settings(
    game: str | None, demo: bool, config: Path | None, sets: list[str] | None, players: int | None = None,
    option: list[str] | None = None, reward: str | None = None, steps: int | None = None, minutes: float | None = None,
    components: Path | None = None,
) -> Any:  # fmt: skip
    """Settings from files, then from the command line."""
    from banquet_envs.core.registry import game_spec
    from banquet_training.settings import checked, load_settings, overlaid, setting

    name = game_spec(str(game)).name
    settings = load_settings(name, demo, config)
    for text in sets or []:
        settings = overlaid(settings, setting(text), "--set", merge=True)
    chosen: dict[str, Any] = {k: v for k, v in (("players", players), ("reward", reward)) if v is not None}
    if components is not None:
        chosen["components"] = str(components.resolve())
    if option:
        chosen["options"] = {**settings.game.options, **parsed_options(name, option)}
    length = {k: v for k, v in (("steps", steps), ("minutes", minutes)) if v is not None}
    return checked(overlaid(settings, {"game": chosen, "run": length}, "command line"), "settings")


def _tell(outcome: Any) -> None:
    """The end of a training run, for people."""
    folder = outcome.folder
    typer.echo("")
    if not outcome.strength:
        typer.echo(f"ended while it was taught; go on with: {program()} train --resume {folder}")
        return
    typer.echo((folder / "strength.md").read_text().rstrip())
    typer.echo("")
    if not outcome.finished:
        typer.echo(f"ended early, at {outcome.steps:,} decisions; go on with: {program()} train --resume {folder}")
    typer.echo(f"learning curve  {folder / 'curve.png'}")
    typer.echo(f"where time went {folder / 'profile.md'}")
    typer.echo(f"the agent       policy:{folder}   ({program()} play ... --against policy:{folder})")
