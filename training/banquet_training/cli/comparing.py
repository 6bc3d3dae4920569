"""Commands that say how strong agents are and what games are like: evaluate, match, tournament, benchmark, measure.

Each is a list of contests and a page (see `banquet_agents.arena`). How they are played is said in the same words everywhere:
`--seed`, `--workers`, `--ray`, `--ray-address`, `--out`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banquet_training.cli.app import (
    Components,
    GameArg,
    Games,
    Options,
    Out,
    Players,
    Ray,
    RayAddress,
    Replays,
    Seed,
    Workers,
    app,
    command_line,
)
from banquet_training.cli.terminal import checked_seed, game_from, progress_bar, seated

if TYPE_CHECKING:
    from banquet_agents.arena.playing import Venue


@contextmanager
def _venue(
    out: Path | None, workers: int | None, ray: bool, ray_address: str | None, replays: Path | None = None
) -> Iterator[Venue]:
    """Where a command plays, with a progress bar; says how to go on when it is stopped."""
    from banquet_agents.arena.playing import Venue
    from banquet_agents.arena.sittings import ReplaySample

    sample = ReplaySample(replays) if replays is not None else None
    cluster = ray_address or ("auto" if ray else None)
    try:
        with progress_bar("playing") as progress:
            yield Venue(out, workers, cluster, progress, sample, command_line())
    except KeyboardInterrupt:
        if out is not None:
            typer.echo(f"what is finished is kept in {out}; the same command goes on from here", err=True)
        raise
    if out is not None:
        typer.echo(f"written to {out}", err=True)


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
    replays: Replays = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    out: Out = None,
) -> None:
    """Measure an agent against each opponent, over all seats and per seat, with 95 % intervals.

    Every deal is played from every seat; a policy plays its best action, or draws with policy:FOLDER+sample.

    \b
    Examples:
      banquet evaluate great_evening_banquet policy:runs/mine
      banquet evaluate great_evening_banquet expert -p 4 --against greedy --games 4000 --out runs/expert-4p
    """
    from banquet_agents.arena.evaluate import page, strength

    made = game_from(game, players, option or [], [agent], components)
    with _venue(out, workers, ray, ray_address, replays) as venue:
        rows = strength(made, agent, against, games, seed, venue)
    typer.echo(page(made, agent, seed, rows))


@app.command()
def match(
    game: GameArg,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT...", help="One per seat; the last one is repeated.")],
    games: Games = 1000,
    replays: Replays = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    out: Out = None,
) -> None:
    """Play a match: every deal with every seat assignment, wins, points and places with 95 % intervals.

    \b
    Examples:
      banquet match great_evening_banquet expert greedy --games 2000
      banquet match great_evening_banquet -p 4 expert greedy greedy random --seed 3 --out runs/four
    """
    from banquet_agents.arena.matches import play_match

    made = game_from(
        game, max(2, len(agents)) if players is None and len(agents) > 1 else players, option or [], agents, components
    )
    with _venue(out, workers, ray, ray_address, replays) as venue:
        result = play_match(made, seated(made, agents, made.num_players), games, seed, venue)
    typer.echo(str(result))


@app.command()
def tournament(
    game: GameArg,
    agents: Annotated[
        str | None, typer.Option("--agents", help="Names with commas between; by default the scripted ones.")
    ] = None,
    agent: Annotated[list[str] | None, typer.Option("--agent", "-a", help="One agent; may be repeated.")] = None,
    mode: Annotated[
        str, typer.Option("--mode", help="pairings: one agent against the rest; seatings: all mixtures.")
    ] = "pairings",
    games: Games = 1000,
    replays: Replays = None,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    out: Out = None,
) -> None:
    """Play a tournament: all pairings on the same deals, tables with 95 % intervals, ratings, a heat map, a page.

    About so many games of each pairing, into runs/tournament-GAME-HASH unless --out says otherwise. It can be stopped, even killed,
    at any time: the same command goes on without losing or doubling a game, and gives the same files to the byte.

    \b
    Examples:
      banquet tournament great_evening_banquet --agents random,greedy,expert --games 2000 --out runs/ladder
      banquet tournament dinner_party -p 4 -a expert -a search:200 --mode seatings --ray
    """  # fmt: skip
    from banquet_agents.arena.tournament import agent_list, default_folder, play_tournament
    from banquet_agents.arena.tournament_page import summary
    from banquet_agents.registry import agent_names
    from banquet_envs.core.registry import game_spec

    names = agent_list(agents, agent or []) or agent_names(game_spec(game).name)
    made = game_from(game, players, option or [], names, components)
    folder = out or default_folder(made, names, seed, mode)
    with _venue(folder, workers, ray, ray_address, replays) as venue:
        results = play_tournament(made, names, games, seed, mode, venue)
    typer.echo(f"{results.games:,} games, seed {seed}\n\n{summary(results)}")


@app.command()
def benchmark(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[FOLDER...]", help="With --table: finished benchmarks.")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Who is measured; see `banquet evaluate`.")] = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", "-t", help="A task; may be repeated. By default all, see --list.")
    ] = None,
    opponent: Annotated[
        list[str] | None, typer.Option("--opponent", "-a", help="May be repeated; by default the protocol's.")
    ] = None,
    suite: Annotated[Path | None, typer.Option("--suite", help="A file of tasks in place of the shipped one.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Only put the results in FOLDER... into one table.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Only list the tasks.")] = False,
    games: Annotated[
        int | None,
        typer.Option("--games", "-g", min=1, help="Against each opponent; by default the protocol's number."),
    ] = None,
    components: Components = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", "-s", callback=checked_seed, help="Everything random follows; by default the protocol's."
        ),
    ] = None,
    workers: Workers = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    out: Out = None,
) -> None:
    """Score any agent against the reference agents on the suite of tasks.

    Games, seeds, opponents and seats are fixed; results.json and README.md in runs/benchmark-AGENT, or where --out says,
    name what they depend on and where they depart from the protocol.

    \b
    Examples:
      banquet benchmark --agent expert
      banquet benchmark --agent policy:runs/mine --task great_evening_banquet-2p
      banquet benchmark --agent my_package.my_module:factory --games 60 --out results/mine
      banquet benchmark --table results/mine runs/benchmark-expert > table.md
    """
    from banquet_agents.arena.benchmark import Request, default_folder, run_benchmark
    from banquet_agents.arena.benchmark_pages import load_results, page, reference_table, task_list
    from banquet_agents.arena.suite import load_suite, with_components, with_seed

    if [bool(agent), table, list_].count(True) != 1 or bool(folders) != table:
        raise typer.BadParameter("give --agent NAME, or --table FOLDER..., or --list")
    if list_:
        typer.echo(task_list(load_suite(suite)))
        return
    if table:
        typer.echo(reference_table([load_results(folder) for folder in folders or []]))
        return
    tasks = load_suite(suite)
    if components is not None:
        tasks = with_components(tasks, task or [], components)
    if seed is not None:
        tasks = with_seed(tasks, seed)
    request = Request(str(agent), tasks, task or [], opponent or [], games)
    with _venue(out or default_folder(str(agent)), workers, ray, ray_address) as venue:
        results = run_benchmark(request, venue)
    typer.echo(page(results))


@app.command()
def measure(
    game: GameArg,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", "-a", help="Who plays, weakest first; may be repeated. By default the scripted agents."
        ),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=2, help="How often each deal is played.")] = 4,
    games: Games = 1000,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    workers: Workers = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    out: Out = None,
) -> None:
    """Measure what a game is like: length, branching, forced moves, advantage of seats, luck against skill.

    \b
    Examples:
      banquet measure great_evening_banquet
      banquet measure great_evening_banquet -p 4 -o expert=true --games 4000 --out runs/measures
    """
    from banquet_agents.arena.measures import markdown
    from banquet_agents.arena.measures import measure as measured

    made = game_from(game, players, option or [], agent or [], components)
    with _venue(out, workers, ray, ray_address) as venue:
        found = measured(made, games, repeats, seed, agent, venue)
    typer.echo(markdown(found, made.spec.title))
