"""The search with a network: the compiled network is torch's, wins are found, nothing hidden is seen, visits halve."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch

from banquet_agents.compiled import RANDOM
from banquet_agents.policy import NetworkShape, save_policy
from banquet_agents.policy_search import PolicySearchAgent, completed, halving
from banquet_agents.registry import make_agent
from banquet_agents.search import GUIDED
from banquet_envs import make_game
from banquet_envs.core import state as records
from banquet_envs.core.errors import OptionError
from banquet_training.actor_critic import ActorCritic, log_probabilities
from tests.agents.guess import guess
from tests.agents.test_search import middle
from tests.shipped import SHIPPED
from tests.training.toy import crumbs

ROOTS = pytest.mark.parametrize("gumbel", [False, True], ids=["puct", "gumbel"])


def model(game, shared=(16,), policy=(), value=(), activation="relu", seed=1):
    """A network of random weights, biases and a lively policy among them."""
    torch.manual_seed(seed)
    made = ActorCritic(NetworkShape(game.observation_size, game.num_actions, shared, policy, value, activation))
    with torch.no_grad():
        for weight in made.parameters():
            weight.add_(torch.randn_like(weight) * 0.2)
    return made


def guided(game, simulations=200, network=None, **settings):
    given = replace(GUIDED, simulations=simulations, **settings)
    return PolicySearchAgent(game, "guided", given, RANDOM, network or model(game).exported())


# ---------------------------------------------------------------- the compiled network


@pytest.mark.parametrize(
    "shape",
    [
        {"shared": (32, 24)},
        {"shared": (24,), "policy": (16, 8), "value": (12,)},
        {"shared": (), "policy": (8,), "value": (8, 8, 8)},
        {"shared": (9, 7), "policy": (5,), "value": (3,), "activation": "tanh"},
    ],
)
def test_the_compiled_network_is_torchs(shape):
    game = crumbs(2)
    check_network(game, model(game, **shape), game.reset(32, seed=4))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "polite_society" else pytest.mark.long) for name in SHIPPED]
)
def test_the_compiled_network_is_torchs_in_every_game(name):
    game = make_game(name, 2)
    check_network(game, model(game, (256, 256), (), (128,)), middle(game, 12, 3, 20))


def check_network(game, made, states):
    """Priors and value at the root against torch: float32 sums in another order, so to 1e-4 of values about 1 to 10."""
    agent = guided(game, 1, made.exported())
    found = agent._found(len(states))
    agent._search(states, found)
    masks = game.legal_actions(states)
    several = masks.sum(axis=1) > 1
    with torch.no_grad():
        features = made.features(torch.from_numpy(game.observe(states)))
        expected = log_probabilities(made.logits(features), torch.from_numpy(masks)).exp().numpy()
        values = made.values(features).numpy()
    assert several.sum() >= 4
    np.testing.assert_allclose(found[2][several], expected[several], atol=1e-4)
    np.testing.assert_allclose(found[3][several], values[several], rtol=1e-4, atol=1e-4)
    assert (found[2][several][~masks[several]] == 0).all()


# ---------------------------------------------------------------- what it finds


@ROOTS
@pytest.mark.parametrize("pile", [2, 3, 5, 6, 7])
def test_a_solved_game_is_solved_whatever_the_network_thinks(gumbel, pile):
    """The Last Crumb: leave a multiple of four."""
    game = crumbs(2, pile=pile)
    agent = guided(game, 800, gumbel=gumbel, explore=3.0, trust=50.0)
    actions, visits, values = agent.search(game.reset(8, 3))
    assert (actions == pile % 4).all()
    assert (values[:, pile % 4] > 0.5).all()
    assert (visits.sum(axis=1) == 800).all()


@ROOTS
def test_with_three_players_everybody_minds_himself(gumbel):
    """From two crumbs the mover wins by taking both; the two others are no team."""
    game = crumbs(3, pile=2)
    assert (guided(game, 200, gumbel=gumbel).act(game.reset(4, 1)) == 2).all()


@pytest.mark.parametrize(("players", "reward"), [(1, "win"), (2, "win"), (2, "place"), (2, "points")])
def test_pay_offs_are_the_rewards_that_the_network_was_trained_for(players, reward):
    """Whoever takes the last of three crumbs has 10 points, a tenth each; whoever leaves one gives them away, or takes them next."""
    game = crumbs(players, pile=3)
    agent = PolicySearchAgent(
        game, "guided", replace(GUIDED, simulations=300, explore=5.0), RANDOM, model(game).exported(), reward
    )
    values = agent.search(game.reset(1, 1))[2][0]
    assert values[3] == pytest.approx(1)
    other = {"win": -1, "place": -1, "points": 0}[reward] if players == 2 else 1
    assert abs(values[2] - other) < 0.35  # a few simulations stopped there and took the network's word


@ROOTS
def test_nobody_peeks_at_the_coin(gumbel):
    """Handed the true record, with its coin, the search guesses as often wrong as right."""
    game = guess()
    states = game.reset(2000, 1)
    states["rng"] = np.random.default_rng(5).integers(2**63, size=2000, dtype=np.uint64)
    level = model(game)
    with torch.no_grad():
        for weight in level.parameters():
            weight.zero_()
    actions = guided(game, 40, level.exported(), gumbel=gumbel, luck=1.0).act(states)
    assert abs((actions == states.coin).mean() - 0.5) < 0.05


# ---------------------------------------------------------------- one search, many uses


@ROOTS
def test_batch_threads_and_copies_do_not_matter(gumbel):
    game = crumbs(3, pile=7)
    states = game.reset(12, 5)
    before = records.raw(states).copy()
    agent = guided(game, 60, gumbel=gumbel, luck=1.0)
    threaded = guided(game, 60, gumbel=gumbel, luck=1.0)
    threaded.threads = 3
    first = agent.search(states)
    assert (records.raw(states) == before).all()
    for other in (agent, threaded):
        assert all((a == b).all() for a, b in zip(other.search(states), first, strict=True))
    one = agent.search(records.take(states, np.array([7])))
    assert (one[1][0] == first[1][7]).all()


def test_it_pickles_with_its_network():
    game = make_game("polite_society", 2)
    agent = guided(game, 4)
    again = pickle.loads(pickle.dumps(agent))
    assert again.settings == agent.settings
    assert (again.packed.weights == agent.packed.weights).all()


def test_a_network_taken_up_counts_at_once():
    game = crumbs(2, pile=7)
    states = game.reset(1, 3)
    agent, other = guided(game, 1), model(game, (64, 8), seed=9).exported()
    before = agent._found(1)
    agent._search(states, before)
    agent.take_up(other)
    after = agent._found(1)
    agent._search(states, after)
    assert after[3][0] == pytest.approx(other.values(game.observe(states))[0], rel=1e-4)
    assert after[3][0] != pytest.approx(before[3][0], rel=1e-2)


def test_by_the_clock_and_with_playouts():
    game = crumbs(2, pile=6)
    states = game.reset(3, 5)
    timed = guided(game, 0, milliseconds=3)
    assert (timed.search(states)[1].sum(axis=1) >= 16).all()
    played = PolicySearchAgent(
        game, "played", replace(GUIDED, simulations=400, playout="random", depth=2), RANDOM, model(game).exported()
    )
    assert (played.act(states) == 2).all()


# ---------------------------------------------------------------- sequential halving


def test_visits_halve():
    table = halving(32, 8)
    assert table[8].tolist() == [0] * 8 + [1] * 4 + [2] * 4 + [3 + k // 2 for k in range(16)]
    assert table[1].tolist() == list(range(32))
    assert (table[3, :3] == 0).all()
    assert (halving(4, 8)[8] == 0).all()  # fewer simulations than actions: one each, as far as they go
    game = crumbs(2, pile=7)
    visits = guided(game, 30, gumbel=True, considered=2).search(game.reset(4, 1))[1]
    assert (np.sort(visits, axis=1)[:, -2:] == 15).all()
    assert (visits.sum(axis=1) == 30).all()


def test_gumbel_noise_draws_from_the_prior():
    """One simulation, no trust in it: the action drawn is distributed as the policy says."""
    game = crumbs(2, pile=7)
    states = records.take(game.reset(1, 3), np.zeros(8000, np.int64))
    states["rng"] = np.random.default_rng(2).integers(2**63, size=8000, dtype=np.uint64)
    agent = guided(game, 1, gumbel=True, luck=1.0, trust=0.0)
    found = agent._found(len(states))
    drawn = np.bincount(agent._search(states, found), minlength=4) / len(states)
    assert drawn == pytest.approx(found[2][0], abs=0.02)
    assert found[2][0].max() < 0.9  # so that this says something


def test_the_improved_policy_is_as_defined():
    visits, values = np.array([[3, 1, 0, 0]]), np.array([[0.5, -0.5, 0.0, 0.0]], np.float32)
    priors, expected = np.array([[0.2, 0.3, 0.5, 0.0]], np.float32), np.array([0.1], np.float32)
    mixed = (0.1 + 4 * (0.2 * 0.5 + 0.3 * -0.5) / 0.5) / 5
    scores = np.log([0.2, 0.3, 0.5]) + 10 * (1 + 3 / 50) * (np.array([0.5, -0.5, mixed]) + 1) / 2
    wanted = np.exp(scores) / np.exp(scores).sum()
    assert completed(visits, values, priors, expected, 10.0, -1.0, 1.0)[0] == pytest.approx([*wanted, 0], abs=1e-6)


def test_the_improved_policy_is_better():
    game = crumbs(2, pile=6)
    agent = guided(game, 64, gumbel=True, trust=20.0)
    states = game.reset(4, 2)
    found = agent._found(4)
    agent._search(states, found)
    _, improved = agent.improved(states)
    assert improved.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (improved[:, 2] > found[2][:, 2] + 0.1).all()


# ---------------------------------------------------------------- names


def test_names_load_policies(tmp_path):
    game = crumbs(2, pile=6)
    save_policy(tmp_path / "p", game, model(game).exported(), {})
    agent = make_agent(game, f"search:300,policy={tmp_path / 'p'},gumbel=true,considered=3")
    assert agent.settings.gumbel
    assert (agent.act(game.reset(2, 1)) == 2).all()
    for rest, words in (
        (f"search:20ms,policy={tmp_path / 'p'},gumbel=true", "needs a number of simulations"),
        (f"search:20,policy={tmp_path / 'nowhere'}", "no policy.json"),
        (f"search:20,policy={tmp_path / 'p'},playout=nobody", "choose one of none, random"),
        (f"search:20,policy={tmp_path / 'p'},gumbel=perhaps", "expected bool"),
        (f"search:20,policy={tmp_path / 'p'},gumbel=true,considered=0", "must be 1 or more"),
    ):
        with pytest.raises(OptionError, match=words):
            make_agent(game, rest)
    with pytest.raises(OptionError, match="was made for players 2"):
        make_agent(crumbs(3), f"search:20,policy={tmp_path / 'p'}")
