"""The command that places language models, and whatever else reads and writes, on the ladder: words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from banquet_training.cli.app import Components, Options, Players, Seed, app
from banquet_training.cli.terminal import game_from, progress_bar


@app.command()
def words(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="Games' ids; all: every game here.")],
    player: Annotated[
        str | None,
        typer.Option(
            "--player", help="chat:MODEL@URL, local:FOLDER, recording:FILE, agent:NAME, nonsense, module:factory."
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            "-a",
            help="An opponent; may be repeated. By default random, greedy, expert, search:300.",
        ),
    ] = None,
    set_: Annotated[
        str, typer.Option("--set", help="small (about 4,000 calls a game) or full (ten times as many).")
    ] = "small",
    deals: Annotated[
        int | None, typer.Option("--deals", min=2, help="Deals against each opponent, in place of a set.")
    ] = None,
    legal: Annotated[str, typer.Option("--legal", help="Legal moves listed or hidden.")] = "listed",
    state: Annotated[str, typer.Option("--state", help="Positions as text or json.")] = "text",
    on_fault: Annotated[
        str, typer.Option("--on-fault", help="What two refused answers mean: forfeit, random or error.")
    ] = "forfeit",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Games at a time.")] = 1,
    players: Players = None,
    option: Options = None,
    components: Components = None,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option("--out", help="The run's folder, by default runs/words-PLAYER.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Only print the rules as players are told them.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Only print the JSON schema of positions.")] = False,
) -> None:
    """Place a player that reads and writes, such as a language model, on the ladder of agents.

    The key of a chat server is read from BANQUET_CHAT_KEY. Stopped, even killed, the same command goes on where it was
    and repeats no call.

    \b
    Examples:
      banquet words great_evening_banquet --rules
      banquet words dinner_party --player agent:greedy --deals 4
      banquet words all --player chat:my-model@http://127.0.0.1:8000/v1 --jobs 8 --out runs/my-model
    """
    made = [game_from(name, players, option or [], (), components) for name in _names(games)]
    if rules or schema:
        _tell(made, schema)
        return
    if player is None:
        raise typer.BadParameter("give --player NAME, or --rules, or --schema")
    from banquet_agents.words.contest import CALLS, Contest, Plan, deals_of
    from banquet_agents.words.players import make_player, prompt_hash
    from banquet_agents.words.prompt import Style
    from banquet_agents.words.rating import frozen_ladder
    from banquet_agents.words.report import page, results, write_results
    from banquet_envs.words import rules_text

    for name, value, allowed in (
        ("--set", set_, tuple(CALLS)), ("--legal", legal, ("listed", "hidden")), ("--state", state, ("text", "json")),
        ("--on-fault", on_fault, ("forfeit", "random", "error")),
    ):  # fmt: skip
        if value not in allowed:
            raise typer.BadParameter(f"{name} {value}: choose {' or '.join(allowed)}")
    opponents = list(dict.fromkeys(against or frozen_ladder()["rungs"]))
    plan = Plan(
        player, [game.identity() for game in made], [prompt_hash(rules_text(game)) for game in made], opponents,
        [deals or deals_of(game, len(opponents), CALLS[set_]) for game in made],
        seed, on_fault, Style(legal, state).identity(),  # type: ignore[arg-type]
    )  # fmt: skip
    folder = out or Path("runs") / f"words-{''.join(c if c.isalnum() else '-' for c in player)}"
    contest = Contest(folder, plan, made)
    try:
        with progress_bar("playing") as progress:
            outcomes = contest.play(lambda game: make_player(game, player), jobs, progress)
    except KeyboardInterrupt:
        typer.echo(f"every answer is kept in {folder}; the same command goes on", err=True)
        raise
    found = results(plan, outcomes)
    write_results(folder, found)
    typer.echo(f"{page(found)}\nwritten to {folder}")


def _names(games: list[str]) -> list[str]:
    """The games' ids, each once."""
    from banquet_envs.core.registry import list_games

    return list(dict.fromkeys(name for game in games for name in (list_games() if game == "all" else [game])))


def _tell(games: list[Any], schema: bool) -> None:
    """Print the rules or the schema of each game."""
    from banquet_envs.words import rules_text, state_schema

    for game in games:
        typer.echo(json.dumps(state_schema(game), indent=2) if schema else rules_text(game))
