"""random < greedy < expert: each beats the one below, seat-balanced, the 95 % interval clear of the fair share."""

from itertools import pairwise

import pytest

from agents.registry import agent_names
from banquet_envs import game_spec, list_games
from banquet_envs.testing import configurations
from training.matches import play_match

LADDERS = {name: agent_names(name) for name in list_games()}


def check_ladder(configuration, games):
    game = configuration.make()
    ladder = LADDERS[configuration.game]
    for below, above in pairwise(ladder):
        if game.num_players == 1:
            weak, strong = (play_match(game, [a], games, 1).estimate("points", 0) for a in (below, above))
            assert strong.low > weak.high, f"{above} makes {strong.text()}, {below} {weak.text()}"
            continue
        match = play_match(game, [above] + [below] * (game.num_players - 1), games, 1)
        share = match.estimate("share", match.kinds.index(above))
        assert share.low > 1 / game.num_players, f"{above} wins {share.text(True)} of its games against {below}"


@pytest.mark.parametrize("name", list_games())
@pytest.mark.parametrize("which", ["fewest", "most"])
def test_ladder(name, which):
    spec = game_spec(name)
    players = spec.min_players if which == "fewest" else spec.max_players
    plain = next(c for c in configurations(name) if c.players == players)
    check_ladder(plain, 600)


@pytest.mark.long
@pytest.mark.parametrize("configuration", [c for name in list_games() for c in configurations(name)], ids=str)
def test_ladder_everywhere(configuration):
    check_ladder(configuration, 600)
