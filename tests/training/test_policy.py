"""Which policies a game accepts: names and shapes count, words do not; components and finite weights do."""

import dataclasses

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from banquet_agents.policy import WEIGHTS, Network, NetworkShape, layout_hash, load_policy, save_policy
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import Layout, Slice
from tests.training.toy import SPEC, crumbs


def network(game):
    shape = NetworkShape(game.observation_size, game.num_actions, (4,))
    rng = np.random.default_rng(1)
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
