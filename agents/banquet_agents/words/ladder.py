"""Play the ladder's agents against each other and write `ladder.json`: `python -m banquet_agents.words.ladder`.

What the file holds is not played again. Whoever changes a game's rules or an agent of the ladder takes its results out of
the file first; for the search, its settings are kept beside them.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from banquet_agents.arena.matches import MatchResult, play_match
from banquet_agents.search import parsed
from banquet_agents.words.rating import ladder_pairs, rate
from banquet_envs.core.registry import game_spec, list_games, make_game

SEARCH = "search:300"
RUNGS = ("random", "greedy", "expert", SEARCH)
DEALS, SEED = 50, 2026
SEARCH_DEALS = 8
"""The search takes seconds a game, so it plays less, and against the rung below it alone."""
PAIRS = [*itertools.combinations(RUNGS[:-1], 2), RUNGS[-2:]]


def frozen(name: str, known: dict[str, Any]) -> dict[str, Any]:
    """The ladder's results in the game of two with its standard options; `known` are those that need not be played."""
    game = make_game(name, 2)
    played = {(one, other): scores for one, other, scores in known.get("pairs", [])}
    decisions = known.get("decisions", 0.0)
    for one, other in PAIRS:
        if (one, other) in played:
            continue
        result = play_match(game, [one, other], 2 * (SEARCH_DEALS if other == SEARCH else DEALS), SEED)
        played[one, other] = [round(float(x), 4) for x in result.per_deal("share", _kind(result, one))]
        if (one, other) == ("greedy", "expert"):  # of those who play on purpose
            decisions = round(result.decisions / result.games / 2, 1)
    pairs = [[one, other, scores] for (one, other), scores in played.items()]
    settings = asdict(parsed(name, SEARCH))
    return {"version": game.spec.version, "decisions": decisions, "search": settings, "pairs": pairs}


def _kind(result: MatchResult, name: str) -> int:
    return result.kinds.index(name)


def main() -> None:
    """Write the file beside this module and print its scale. A run that is stopped has frozen the games before."""
    file = Path(__file__).with_name("ladder.json")
    games: dict[str, Any] = json.loads(file.read_text())["games"] if file.exists() else {}
    for name in list_games():
        if 2 in game_spec(name).player_counts():
            games[name] = frozen(name, games.get(name, {}))
            text = json.dumps(
                {"rungs": RUNGS, "deals": DEALS, "search_deals": SEARCH_DEALS, "seed": SEED, "games": games}
            )
            file.write_text(text.replace('], ["', '],\n["').replace('}, "', '},\n"') + "\n")
    for rung in rate([ladder_pairs(name, game["version"]) for name, game in games.items()]):
        print(f"{rung.player:12} {rung.rating:5.0f} [{rung.low:.0f}, {rung.high:.0f}]")


if __name__ == "__main__":
    main()
