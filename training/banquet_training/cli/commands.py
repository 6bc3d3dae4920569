"""The command `banquet`. Only commands that need torch import it, inside."""

from __future__ import annotations

import os

# One BLAS thread: two thread pools, torch's and NumPy's, would fight for the cores. Works before NumPy's first import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import shlex
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from banquet_training.cli.terminal import (
    OneLineErrors,
    TrainingProgress,
    checked_out,
    checked_seed,
    fresh_seed,
    game_from,
    parsed_options,
    progress_bar,
    seated,
)

app = typer.Typer(
    cls=OneLineErrors,
    help="Board games about dinner parties: play them, train agents on them, measure agents.",
    epilog="Start with: banquet demo. Then: banquet list, banquet info GAME, banquet play GAME.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)

GameArg = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, see `banquet list`.")]
Players = Annotated[
    int | None,
    typer.Option("--players", "-p", help="Number of seats; by default 2, or what a trained agent was trained for."),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
Seed = Annotated[int, typer.Option("--seed", "-s", callback=checked_seed, help="Everything random follows from it.")]
FreshSeed = Annotated[
    int | None,
    typer.Option("--seed", "-s", callback=checked_seed, help="Play a certain deal again; by default a new one."),
]
Games = Annotated[int, typer.Option("--games", "-g", min=1, help="About how many games; rounded up to whole deals.")]
Components = Annotated[
    Path | None, typer.Option("--components", help="Component data of your own in place of the shipped TOML file.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", callback=checked_out, help="Also write the result here: .json, .csv or .md."),
]
RunDir = Annotated[Path | None, typer.Option("--run", "-r", help="The run's folder; by default runs/GAME-DATE.")]
Threads = Annotated[
    int | None, typer.Option("--threads", "-t", min=1, help="torch's threads; by default measured at the start.")
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="TABLE.ENTRY=VALUE", help="A hyperparameter, such as ppo.n_epochs=4; may be repeated."
    ),
]

FRESH = [
    "run.evaluations=10",
    "ppo.learning_rate=1e-3",
    "ppo.learning_rate_end=1e-4",
    "ppo.ent_coef=0.01",
    "network.shared=[256, 256]",
]
"""What a learner that nobody has taught is told, beyond the game's settings."""


@app.callback()
def help_when_bare(context: typer.Context) -> None:
    """Board games about dinner parties: play them, train agents on them, measure agents."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list")
def list_command() -> None:
    """Name the games.

    Example: banquet list
    """
    from banquet_envs.core.registry import game_spec, list_games

    for name in list_games():
        spec = game_spec(name)
        seats = f"{spec.min_players}-{spec.max_players} players" if spec.max_players > 1 else "1 player"
        typer.echo(f"{name:26} {seats:12} {spec.tests_in_an_agent}")


@app.command()
def info(
    game: GameArg,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    layout: Annotated[bool, typer.Option("--layout", help="Also list every slice of observation and actions.")] = False,
) -> None:
    """Tell what a game is: options, sizes, facts, agents.

    \b
    Examples:
      banquet info great_evening_banquet
      banquet info great_evening_banquet -p 4 -o expert=true --layout
    """
    from banquet_agents.registry import scripts_of
    from banquet_training.settings import load_settings

    made = game_from(game, players, option or [], (), components)
    spec, facts = made.spec, made.facts
    typer.echo(f"{spec.title} ({game}, rules {spec.version}), {spec.min_players} to {spec.max_players} players")
    typer.echo(f"state of completion: {spec.state_of_completion}")
    typer.echo("\noptions (-o NAME=VALUE):")
    for o in spec.options:
        choices = ", ".join(str(c).lower() for c in o.choices)
        typer.echo(f"  {o.name}: {choices} (default {str(o.default).lower()}): {o.text}")
    chosen = ", ".join(f"{k}={str(v).lower()}" for k, v in made.options.items()) or "none"
    typer.echo(f"\nwith {made.num_players} players and {chosen}:")
    typer.echo(f"  {made.num_actions} actions, {made.observation_size} features")
    typer.echo(f"  at most {facts.longest_game} decisions; points from {facts.points_min} to {facts.points_max}")
    typer.echo(
        f"  hidden information: {_yes(facts.hidden_information)}, chance: {_yes(facts.chance)},"
        f" simultaneous decisions: {_yes(facts.simultaneous)}"
    )
    typer.echo("\nagents, weakest first:")
    for name, script in scripts_of(game).items():
        typer.echo(f"  {name}: {script.text}")
    run = load_settings(game).run
    length = f"{run.cpu_minutes:.0f} minutes of CPU time" if run.cpu_minutes else f"{run.steps:,} decisions"
    typer.echo(f"\nbanquet train {game}: {length} by default")
    if layout:
        typer.echo("\n" + made.action_layout.markdown("action") + "\n\n" + made.layout.markdown("feature"))


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


@app.command()
def play(
    game: GameArg,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            "-a",
            help="An agent for the other seats, in turn order after yours; the last one is"
            " repeated. By default the strongest scripted agent.",
        ),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, help="Your seat; by default drawn from the seed.")
    ] = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: FreshSeed = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Keep an SVG of what you may see in this file.")
    ] = None,
) -> None:
    """Play a game yourself, in the terminal, against agents.

    \b
    Examples:
      banquet play great_evening_banquet
      banquet play great_evening_banquet -p 3 --seat 0 --against greedy --against policy:runs/mine
      banquet play great_evening_banquet -p 1 --seed 7 --picture table.svg
    """  # fmt: skip
    from banquet_agents.arena.sittings import play_by_hand

    made = game_from(game, players, option or [], against or [], components)
    seed = fresh_seed(seed)
    seat = seed % made.num_players if seat is None else seat
    if seat >= made.num_players:
        raise typer.BadParameter(f"seat {seat} outside 0..{made.num_players - 1}")
    play_by_hand(made, seated(made, against or [], made.num_players - 1), seat, seed, typer.echo, picture)
    typer.echo(f"seed {seed}")


@app.command()
def watch(
    game: GameArg,
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT...]", help="One per seat; the last is repeated.")
    ] = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: FreshSeed = None,
    positions: Annotated[
        bool, typer.Option("--positions", help="Describe the position before every decision.")
    ] = False,
    pictures: Annotated[Path | None, typer.Option("--pictures", help="Write an SVG of every position here.")] = None,
    delay: Annotated[float, typer.Option("--delay", min=0.0, help="Seconds between decisions.")] = 0.0,
) -> None:
    """Watch agents play one game, move by move, with nothing hidden.

    \b
    Examples:
      banquet watch great_evening_banquet expert greedy --seed 7
      banquet watch great_evening_banquet -p 4 expert --positions --delay 1
    """
    from banquet_agents.arena.sittings import watch_game

    made = game_from(game, players, option or [], agents or [], components)
    seed = fresh_seed(seed)
    names = seated(made, agents or [], made.num_players)
    watch_game(made, names, seed, typer.echo, positions, pictures, delay)
    typer.echo(f"seed {seed}")


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
        str | None, typer.Option("--learner", help="selfplay (default), or sb3: sb3-contrib's MaskablePPO.")
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
      banquet train great_evening_banquet --set ppo.learning_rate=5e-4 --set pool.scripted.greedy=0.3
      tensorboard --logdir runs
    """
    from banquet_training.ppo import resume as go_on
    from banquet_training.ppo import train as begin
    from banquet_training.settings import overlaid

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
    from banquet_training.ppo import imitate as begin
    from banquet_training.settings import overlaid

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
    """Train for at most about three minutes and show how strong that made the agent.

    \b
    Examples:
      banquet demo
      banquet demo great_evening_banquet --run runs/demo --seed 3
    """
    from banquet_training.ppo import train as begin
    from banquet_training.settings import demo_game

    game = game or demo_game()
    settings = _settings(game, True, None, set_)
    folder = run or Path("runs") / f"demo-{time.strftime('%Y%m%d-%H%M%S')}"
    typer.echo(f"{game}, seed {seed}, into {folder}")
    with TrainingProgress() as report:
        outcome = begin(game, settings, folder, seed, threads, report=report)
    _tell(outcome)


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
        typer.echo(f"ended while it was taught; go on with: banquet train --resume {folder}")
        return
    typer.echo((folder / "strength.md").read_text().rstrip())
    typer.echo("")
    if not outcome.finished:
        typer.echo(f"ended early, at {outcome.steps:,} decisions; go on with: banquet train --resume {folder}")
    typer.echo(f"learning curve  {folder / 'curve.png'}")
    typer.echo(f"where time went {folder / 'profile.md'}")
    typer.echo(f"the agent       policy:{folder}   (banquet play ... --against policy:{folder})")


@app.command()
def evaluate(
    game: GameArg,
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help="random, greedy, expert, ..., policy:FOLDER, module:factory.")
    ],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", "-a", help="An opponent; may be repeated. By default every scripted one."),
    ] = None,
    games: Games = 1000,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    out: Out = None,
) -> None:
    """Measure an agent against each opponent, over all seats and per seat, with 95 % intervals.

    Every deal is played from every seat; a policy plays its best action, or draws with policy:FOLDER+sample.

    \b
    Examples:
      banquet evaluate great_evening_banquet policy:runs/mine
      banquet evaluate great_evening_banquet expert -p 4 --against greedy --games 4000 --out table.csv
    """
    from banquet_agents.arena.evaluate import markdown, strength

    made = game_from(game, players, option or [], [agent], components)
    with progress_bar("playing") as progress:
        rows = strength(made, agent, against, games, seed, progress)
    options = ", ".join(f"{k}={v}" for k, v in made.options.items()) or "none"
    head = (
        f"{agent} in {made.spec.title} {made.spec.version}, {made.num_players} players, options: {options}, seed {seed}"
    )
    table = markdown(rows, made.num_players == 1)
    typer.echo(f"{head}\n\n{table}")
    if out is not None:
        _write(
            out, rows, {"agent": agent, "game": made.identity(), "seed": seed, "results": rows}, f"{head}\n\n{table}\n"
        )


@app.command()
def match(
    game: GameArg,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="One per seat; the last one is repeated.")],
    games: Games = 1000,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    out: Out = None,
) -> None:
    """Play a match: every deal with every seat assignment, wins, points and places with 95 % intervals.

    \b
    Examples:
      banquet match great_evening_banquet expert greedy --games 2000
      banquet match great_evening_banquet -p 4 expert greedy greedy random --seed 3 --out match.json
    """
    from banquet_agents.arena.matches import play_match

    made = game_from(
        game, max(2, len(agents)) if players is None and len(agents) > 1 else players, option or [], agents, components
    )
    with progress_bar("playing") as progress:
        result = play_match(made, seated(made, agents, made.num_players), games, seed, progress)
    typer.echo(str(result))
    if out is not None:
        _write(out, result.rows(), result.summary(), f"```\n{result}\n```\n")


def _write(out: Path, rows: list[dict[str, Any]], summary: dict[str, Any], words: str) -> None:
    """A result as the file's ending asks for."""
    from banquet_agents.arena.evaluate import write_csv
    from banquet_agents.arena.scores import without_nan

    if out.suffix == ".csv":
        write_csv(rows, out)
    elif out.suffix == ".json":
        out.write_text(json.dumps(without_nan(summary), indent=2) + "\n")
    else:
        out.write_text(words)
    typer.echo(f"written to {out}")


@app.command()
def tournament(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game's id; not with --resume.")] = None,
    agents: Annotated[
        str | None, typer.Option("--agents", help="Names with commas between; by default the scripted ones.")
    ] = None,
    agent: Annotated[list[str] | None, typer.Option("--agent", "-a", help="One agent; may be repeated.")] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-g", min=1, help="About how many games of each pairing; by default 1000.")
    ] = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", "-s", callback=checked_seed, help="Everything random follows from it; by default 0."),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option("--mode", help="pairings (default): one agent against the rest; seatings: all mixtures."),
    ] = None,
    block: Annotated[
        int | None, typer.Option("--block", min=1, help="Deals of a unit of work; by default a 20th of them or less.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", min=1, help="Processes; by default one per core.")
    ] = None,
    ray: Annotated[
        bool, typer.Option("--ray", help="Play on the Ray cluster at hand (see RAY_ADDRESS), else on a local one.")
    ] = False,
    ray_address: Annotated[
        str | None, typer.Option("--ray-address", help="Play on this Ray cluster; local: on a new local one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The tournament's folder; by default runs/tournament-GAME-DATE.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with the tournament in this folder.")] = None,
    allow_imports: Annotated[
        bool, typer.Option("--allow-imports", help="With --resume: import the modules that the plan's agents name.")
    ] = False,
) -> None:
    """Play a tournament: all pairings on the same deals, tables with 95 % intervals, ratings, a heat map, a page.

    It can be stopped, even killed, at any time: the same command, or --resume, goes on without losing or doubling a
    game, and gives the same files to the byte.

    \b
    Examples:
      banquet tournament great_evening_banquet --agents random,greedy,expert --games 2000 --out runs/ladder
      banquet tournament --resume runs/ladder
      banquet tournament dinner_party -p 4 -a expert -a search:200 --mode seatings --ray
    """  # fmt: skip
    from banquet_agents.arena.tournament.report import summary
    from banquet_agents.arena.tournament.running import play_tournament, stored_plan

    if (game is None) == (resume is None):
        raise typer.BadParameter("name a GAME, or a tournament with --resume")
    if resume is not None:
        given = {
            "--agents": agents, "--agent": agent, "--games": games, "--players": players, "--option": option,
            "--components": components, "--seed": seed, "--mode": mode, "--block": block, "--out": out,
        }  # fmt: skip
        if wrong := [name for name, value in given.items() if value is not None]:
            raise typer.BadParameter(f"{', '.join(wrong)}: a resumed tournament keeps what it was begun with")
        plan, folder = stored_plan(resume, allow_imports), resume
    else:
        plan = _tournament_plan(str(game), agents, agent, games, players, option, components, seed, mode, block)
        folder = out or Path("runs") / f"tournament-{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    trust = " --allow-imports" if plan.modules() else ""
    typer.echo(f"{plan.games:,} games in {len(plan.units()):,} units, seed {plan.seed}, into {folder}")
    try:
        with progress_bar("playing") as progress:
            results = play_tournament(plan, folder, workers, ray_address or ("auto" if ray else None), progress)
    except KeyboardInterrupt:
        typer.echo(f"finished units are kept; go on with: banquet tournament --resume {folder}{trust}", err=True)
        raise
    typer.echo(f"\n{summary(results)}\n\nthe page: {folder / 'README.md'}")


def _tournament_plan(
    game: str, agents: str | None, agent: list[str] | None, games: int | None, players: int | None,
    option: list[str] | None, components: Path | None, seed: int | None, mode: str | None, block: int | None,
) -> Any:  # fmt: skip
    """The plan that the command line asks for."""
    from banquet_agents.arena.tournament.plan import agent_list, plan_tournament
    from banquet_agents.registry import agent_names
    from banquet_envs.core.registry import game_spec

    names = agent_list(agents, agent or []) or agent_names(game_spec(game).name)
    made = game_from(game, players, option or [], names, components)
    return plan_tournament(made, names, games or 1000, seed or 0, mode or "pairings", block)


@app.command()
def benchmark(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[FOLDER...]", help="With --table: finished benchmarks.")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Who is measured; see `banquet evaluate`.")] = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", "-t", help="A task; may be repeated. By default all, see --list.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-g", min=1, help="Against each opponent; by default the protocol's number."),
    ] = None,
    opponent: Annotated[
        list[str] | None, typer.Option("--opponent", "-a", help="May be repeated; by default the protocol's.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", min=1, help="Processes; by default one per core.")
    ] = None,
    suite: Annotated[Path | None, typer.Option("--suite", help="A file of tasks in place of the shipped one.")] = None,
    components: Components = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder, by default runs/benchmark-AGENT; with --table a file.")
    ] = None,
    table: Annotated[bool, typer.Option("--table", help="Only put the results in FOLDER... into one table.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Only list the tasks.")] = False,
) -> None:
    """Score any agent against the reference agents on the suite of tasks.

    Games, seeds, opponents and seats are fixed; results.json and results.md name what they depend on and where they
    depart from the protocol. Stopped, even killed, it goes on where it was with the same command.

    \b
    Examples:
      banquet benchmark --agent expert
      banquet benchmark --agent policy:runs/mine --task great_evening_banquet-2p
      banquet benchmark --agent my_package.my_module:factory --games 60 --out results/mine
      banquet benchmark --table results/mine runs/benchmark-expert --out table.md
    """
    from banquet_agents.arena.benchmark import Request, default_folder, run_benchmark
    from banquet_agents.arena.benchmark_pages import load_results, page, reference_table, task_list
    from banquet_agents.arena.suite import load_suite, with_components

    if [bool(agent), table, list_].count(True) != 1 or bool(folders) != table:
        raise typer.BadParameter("give --agent NAME, or --table FOLDER..., or --list")
    if list_:
        typer.echo(task_list(load_suite(suite)))
        return
    if table:
        text = reference_table([load_results(folder) for folder in folders or []])
        typer.echo(text)
        if out is not None:
            out.write_text(text)
            typer.echo(f"written to {out}")
        return
    tasks = load_suite(suite)
    if components is not None:
        tasks = with_components(tasks, task or [], components)
    request = Request(str(agent), tasks, task or [], opponent or [], games, _command_line())
    folder = out or default_folder(str(agent))
    typer.echo(f"{agent}, suite {request.suite.name} {request.suite.version}, into {folder}")
    try:
        with progress_bar("playing") as progress:
            results = run_benchmark(request, folder, workers, progress)
    except KeyboardInterrupt:
        typer.echo("finished blocks are kept; the same command goes on from here", err=True)
        raise
    typer.echo("\n" + page(results))


@app.command()
def measure(
    game: GameArg,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", help="Who plays, weakest first; may be repeated. By default the scripted agents."),
    ] = None,
    games: Games = 1000,
    replays: Annotated[int, typer.Option("--replays", min=2, help="How often each deal is played.")] = 4,
    seed: Seed = 0,
    out: Out = None,
) -> None:
    """Measure what a game is like: length, branching, forced moves, advantage of seats, luck against skill.

    \b
    Examples:
      banquet measure great_evening_banquet
      banquet measure great_evening_banquet -p 4 -o expert=true --games 4000 --out measures.md
    """
    from banquet_agents.arena.measures import markdown
    from banquet_agents.arena.measures import measure as measured

    made = game_from(game, players, option or [], agent or [], components)
    with progress_bar("playing") as progress:
        found = measured(made, games, replays, seed, agent, progress)
    text = markdown(found, made.spec.title)
    typer.echo(text)
    if out is not None:
        rows = [{k: v for k, v in row.items() if k != "seats"} for row in found["self_play"]]
        _write(out, rows, {**found, "command": _command_line()}, f"{text}\n```\n{_command_line()}\n```\n")


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
        found = exploited(game, agent, settings, folder, games, seed, steps, threads, report, _command_line())
    typer.echo("\n" + page(found))


def _command_line() -> str:
    """What was typed."""
    return shlex.join(["banquet", *sys.argv[1:]])


@app.command()
def warmup(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME...]", help="Which games; by default all.")] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", min=1, help="Processes; by default one per core.")
    ] = None,
) -> None:
    """Compile rules, scripted agents and the search now, so that nothing later has to wait for it.

    \b
    Examples:
      banquet warmup
      BANQUET_CACHE_DIR=/opt/banquet NUMBA_CPU_NAME=generic banquet warmup
    """
    from banquet_agents.arena.processes import cores
    from banquet_agents.arena.warming import warm_all
    from banquet_envs.core.registry import game_spec, list_games

    names = games or list_games()
    for name in names:
        game_spec(name)
    for name, seconds in warm_all(names, workers or cores()):
        typer.echo(f"{name}: ready after {seconds:.1f} s")


def main() -> None:
    """Entry point of `banquet`. What schedulers send to end it counts as Ctrl-C: everything is put in order first."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    app()


if __name__ == "__main__":
    main()
