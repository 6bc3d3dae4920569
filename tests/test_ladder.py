"""random < greedy < expert: each beats the one below, seat-balanced, the 95 % interval clear of the fair share."""

from itertools import pairwise

import pytest

from banquet_agents.arena.matches import play_match
from banquet_agents.registry import agent_names
from banquet_envs import game_spec
from banquet_envs.testing import configurations
from tests.shipped import SHIPPED

LADDERS = {name: agent_names(name) for name in SHIPPED}


def beats(game, above, below, games):
    """Whether one `above` among `below` wins clearly more than its share (alone: makes clearly more points)."""
    if game.num_players == 1:
        weak, strong = (play_match(game, [a], games, games).estimate("points", 0) for a in (below, above))
        return strong.low > weak.high, f"{above} makes {strong.text()} points, {below} {weak.text()}"
    match = play_match(game, [above] + [below] * (game.num_players - 1), games, games)
    share = match.estimate("share", match.kinds.index(above))
    return share.low > 1 / game.num_players, f"{above} wins {share.text(True)} % of {games} games against {below}"


def check_ladder(configuration):
    """A short match decides where the difference is large; a longer one, on other deals, where it is small."""
    game = configuration.make()
    for below, above in pairwise(LADDERS[configuration.game]):
        clear, words = beats(game, above, below, 96)
        if not clear:
            clear, words = beats(game, above, below, 1000)
        assert clear, f"{configuration}: {words}"


ENDS = [(name, which) for name in SHIPPED for which in ("fewest", "most")]
SLOW = ("surrealist_dinner_party", "most")
"""Its `expert` thinks longest."""


@pytest.mark.parametrize(("name", "which"), [pytest.param(*e, marks=[pytest.mark.long] * (e == SLOW)) for e in ENDS])
def test_ladder(name, which):
    spec = game_spec(name)
    players = spec.min_players if which == "fewest" else spec.max_players
    plain = next(c for c in configurations(name) if c.players == players)
    check_ladder(plain)


@pytest.mark.nightly
@pytest.mark.parametrize("configuration", [c for name in SHIPPED for c in configurations(name)], ids=str)
def test_ladder_everywhere(configuration):
    check_ladder(configuration)
