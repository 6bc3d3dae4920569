"""Which policies a game accepts: names and shapes count, words do not; components and finite weights do."""

import dataclasses

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from banquet_agents.arena.sources import file_hashes
from banquet_agents.policy import (
    REFERENCE,
    WEIGHTS,
    Network,
    NetworkShape,
    layout_hash,
    load_policy,
    policy_of,
    save_policy,
)
from banquet_envs.core import registry
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import Layout, Slice
from banquet_training.cli.terminal import game_from
from tests.training.toy import SPEC, crumbs


def network(game, seed=1):
    shape = NetworkShape(game.observation_size, game.num_actions, (4,))
    rng = np.random.default_rng(seed)
    layers = shape.layers()
    weights = {f"{layer}.weight": rng.random(size, np.float32) for layer, size in layers.items()}
    return Network(
        shape, weights | {f"{layer}.bias": rng.random(size[0], np.float32) for layer, size in layers.items()}
    )


def worded(pile="one-hot", public=False, name="secret"):
    """The toy game with an observation that is told of otherwise."""
    slices = [Slice("pile", (8,), pile), Slice(name, (1,), "own number", public), Slice("seat", (1,), "own seat")]
    return Game(dataclasses.replace(SPEC, observation=lambda rules: Layout(slices)), 2)


def test_other_words_for_a_slice_change_nothing_another_meaning_does(tmp_path):
    save_policy(tmp_path, crumbs(), network(crumbs()), {})
    assert layout_hash(worded(pile="how many are left")) == layout_hash(crumbs())
    load_policy(worded(pile="how many are left"), str(tmp_path))
    for other in (worded(public=True), worded(name="number")):
        with pytest.raises(OptionError, match="was made for layout"):
            load_policy(other, str(tmp_path))


@pytest.mark.parametrize(
    ("agent", "policy"),
    [
        ("policy:runs/one", "runs/one"),
        ("policy:runs/one+sample", "runs/one"),
        ("policy:reference", REFERENCE),
        ("search:32,policy=runs/one,gumbel=true", "runs/one"),
        ("search:5ms,playout=none,policy=reference", REFERENCE),
        ("search:32", None),
        ("expert", None),
        ("package.module:policy", None),
    ],
)
def test_the_policy_that_a_name_speaks_of(agent, policy):
    assert policy_of(agent) == policy


@pytest.mark.parametrize("name", ["policy:{}", "search:8,policy={}"])
def test_results_name_the_weights_that_an_agent_plays_or_searches_with(tmp_path, name):
    agent = name.format(tmp_path / "one")
    found = []
    for seed in (1, 2):
        save_policy(tmp_path / "one", crumbs(), network(crumbs(), seed), {})
        found.append(file_hashes([agent])[agent])
    assert found[0] != found[1]


@pytest.mark.parametrize("name", ["policy:{}", "search:8,policy={}"])
def test_a_command_takes_players_and_options_from_the_policy(monkeypatch, tmp_path, name):
    monkeypatch.setitem(registry._SPECS, SPEC.name, SPEC)
    save_policy(tmp_path, crumbs(players=3), network(crumbs(players=3)), {})
    found = game_from("crumbs", None, [], ["random", name.format(tmp_path)])
    assert found.num_players == 3
    with pytest.raises(OptionError, match="was trained for crumbs, not for dinner_party"):
        game_from("dinner_party", None, [], ["random", name.format(tmp_path)])


def test_other_components_are_refused(tmp_path):
    save_policy(tmp_path / "policy", crumbs(), network(crumbs()), {})
    (tmp_path / "own.toml").write_text("# a box of my own\n")
    with pytest.raises(OptionError, match="was made for components"):
        load_policy(Game(SPEC, 2, components=tmp_path / "own.toml"), str(tmp_path / "policy"))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite_are_refused(tmp_path, value):
    save_policy(tmp_path, crumbs(), network(crumbs()), {})
    weights = load_file(tmp_path / WEIGHTS)
    weights["shared.0.bias"][2] = value
    save_file(weights, tmp_path / WEIGHTS)
    with pytest.raises(OptionError, match=r"policy:.*: network: shared.0.bias holds numbers that are not finite"):
        load_policy(crumbs(), str(tmp_path))
