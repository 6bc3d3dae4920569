"""Commands that say how strong agents are and what games are like: evaluate, match, tournament, benchmark, measure."""

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
    Out,
    Players,
    Seed,
    app,
    command_line,
    write_result,
)
from banquet_training.cli.terminal import checked_seed, game_from, progress_bar, seated


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
        write_result(
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
        write_result(out, result.rows(), result.summary(), f"```\n{result}\n```\n")


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
    request = Request(str(agent), tasks, task or [], opponent or [], games, command_line())
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
        write_result(out, rows, {**found, "command": command_line()}, f"{text}\n```\n{command_line()}\n```\n")
