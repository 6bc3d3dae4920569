"""Commands for looking at games and playing them: list, info, play, watch, warmup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from banquet_training.cli.app import Components, FreshSeed, GameArg, Options, Players, Replays, app
from banquet_training.cli.terminal import console, fresh_seed, game_from, keep_replay, seated


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
    hints: Annotated[
        str | None, typer.Option("--hints", help="The agent that advises; by default the strongest scripted one.")
    ] = None,
    replays: Replays = None,
) -> None:
    """Play a game yourself, in the terminal, against agents. Choices may be taken back, and an agent gives hints.

    \b
    Examples:
      banquet play great_evening_banquet
      banquet play surrealist_dinner_party --hints search:500 --replays replays
      banquet play great_evening_banquet -p 3 --seat 0 --against greedy --against policy:runs/mine
      banquet play great_evening_banquet -p 1 --seed 7 --picture table.svg
    """  # fmt: skip
    from banquet_agents.arena.sittings import play_by_hand

    made = game_from(game, players, option or [], against or [], components)
    seed = fresh_seed(seed)
    seat = seed % made.num_players if seat is None else seat
    if seat >= made.num_players:
        raise typer.BadParameter(f"seat {seat} outside 0..{made.num_players - 1}")
    adviser = seated(made, [hints] if hints else [], 1)[0]
    sitting = play_by_hand(
        made, seated(made, against or [], made.num_players - 1), seat, seed, console().print, picture, adviser=adviser
    )
    typer.echo(f"seed {seed}")
    keep_replay(replays, sitting)


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
    replays: Replays = None,
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
    sitting = watch_game(made, names, seed, typer.echo, positions, pictures, delay)
    typer.echo(f"seed {seed}")
    keep_replay(replays, sitting)


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
