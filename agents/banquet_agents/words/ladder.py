"""Play the ladder's agents against each other and write `ladder.json`: `python -m banquet_agents.words.ladder`.

Whoever changes a game's rules or an agent of the ladder freezes it anew.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from banquet_agents.arena.matches import MatchResult, play_match
from banquet_envs.core.registry import game_spec, list_games, make_game

RUNGS = ("random", "greedy", "expert")
DEALS, SEED = 50, 2026


def frozen(name: str) -> dict[str, Any]:
    """The ladder's results in the game of two with its standard options."""
    game = make_game(name, 2)
    pairs, decisions = [], 0.0
    for one, other in itertools.combinations(RUNGS, 2):
        result = play_match(game, [one, other], 2 * DEALS, SEED)
        pairs.append([one, other, [round(float(x), 4) for x in result.per_deal("share", _kind(result, one))]])
        decisions = result.decisions / result.games / 2  # the last pair is the strongest: those who play on purpose
    return {"version": game.spec.version, "decisions": round(decisions, 1), "pairs": pairs}


def _kind(result: MatchResult, name: str) -> int:
    return result.kinds.index(name)


def main() -> None:
    """Write the file beside this module, after every game: a run that is stopped has frozen the games before."""
    file = Path(__file__).with_name("ladder.json")
    games: dict[str, Any] = {}
    for name in list_games():
        if 2 in game_spec(name).player_counts():
            games[name] = frozen(name)
            text = json.dumps({"rungs": RUNGS, "deals": DEALS, "seed": SEED, "games": games})
            file.write_text(text.replace('], ["', '],\n["').replace('}, "', '},\n"') + "\n")


if __name__ == "__main__":
    main()
