"""The policies that come with the package."""

import numpy as np
import pytest

from banquet_agents import make_agent
from banquet_agents.arena.matches import play_match
from banquet_agents.policy import WEIGHTS, layout_hash, load_policy, read_card, save_policy
from banquet_agents.reference import has_reference, reference_name, reference_policies
from banquet_envs import OptionError, make_game
from tests.shipped import SHIPPED as GAMES

SHIPPED = reference_policies()


def game_of(folder):
    card, _ = read_card(folder)
    return make_game(card["game"], card["players"], **card["options"])


def test_two_players_of_every_game_have_one():
    assert all(has_reference(make_game(name, 2)) for name in GAMES)


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_it_is_small_named_after_its_game_and_tells_its_strength(folder):
    game, (card, _) = game_of(folder), read_card(folder)
    assert folder.name == reference_name(game)
    assert card["layout"] == layout_hash(game)
    assert (folder / WEIGHTS).stat().st_size < 1_000_000
    assert {row["opponent"] for row in card["strength"]["against"]} >= {"random", "greedy", "expert"}
    assert card["cpu_minutes"] > 0
    assert card["command"]
    assert card["seed"] != card["strength"]["seed"]


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_it_plays_and_is_no_worse_than_its_card_says(folder):
    """Against `greedy` (solo: its points), on deals of another seed, within four standard errors of the card's interval."""
    game, (card, _) = game_of(folder), read_card(folder)
    (told,) = (row for row in card["strength"]["against"] if row["opponent"] == "greedy")
    seats = ["policy:reference", *["greedy"] * (game.num_players - 1)]
    match = play_match(game, seats[: game.num_players], 40 * game.num_players, seed=31)
    what = "points" if game.num_players == 1 else "share"
    found = match.per_deal(what, 0)
    error = found.std(ddof=1) / np.sqrt(len(found))
    assert found.mean() > told[f"{what}_low"] - 4 * error


def test_where_there_is_none_those_that_are_there_are_named():
    game = make_game("polite_society", 5)
    assert not has_reference(game)
    with pytest.raises(OptionError, match=r"there is none for polite_society-5p; there are: .*polite_society-2p"):
        make_agent(game, "policy:reference")


def test_half_precision_plays_nearly_alike(tmp_path):
    game = make_game("polite_society", 2)
    network = make_agent(game, "policy:reference").network
    save_policy(tmp_path, game, network, {}, np.float16)
    states = game.reset(64, 5)
    halved = load_policy(game, str(tmp_path)).network.logits(game.observe(states))
    assert np.abs(halved - network.logits(game.observe(states))).max() < 1e-6  # what is shipped is float16 already
