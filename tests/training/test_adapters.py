"""Users' own agents, in every shape that is accepted."""

import numpy as np
import pytest

from banquet_agents.adapters import adapt
from banquet_agents.arena.matches import play_match
from banquet_agents.registry import make_agent
from banquet_envs import make_game
from banquet_envs.core.errors import IllegalActionError, OptionError
from banquet_envs.core.game import spawn_seeds
from banquet_envs.core.table import Table
from banquet_envs.envs.aec import BanquetAEC
from tests.training.toy import Takes, crumbs


def lowest(observation, agent):
    return int(np.flatnonzero(observation["action_mask"])[0])


class Recorder:
    """A policy that remembers what it was shown."""

    def __init__(self):
        self.shown = []

    def __call__(self, observation, agent):
        self.shown.append((observation, agent))
        legal = np.flatnonzero(observation["action_mask"])
        return legal[len(self.shown) % len(legal)]


@pytest.mark.parametrize("made", [lambda: crumbs(3, pile=7), lambda: make_game("great_evening_banquet", 3)])
def test_a_policy_is_shown_exactly_what_the_aec_env_shows(made):
    game, policy, rows = made(), Recorder(), np.zeros(1, np.int64)
    env, table, agent = BanquetAEC(game), Table(game, 1, salt=3), adapt(game, policy)
    env.reset(seed=5)
    table.begin(rows, spawn_seeds(1, 5))
    while not table.over[0]:
        action = table.ask(agent, rows)
        shown, name = policy.shown[-1]
        expected = env.last()[0]
        assert name == env.agent_selection
        assert shown.keys() == expected.keys()
        for key, value in expected.items():
            assert type(shown[key]) is np.ndarray
            assert shown[key].dtype == value.dtype
            assert shown[key].flags.owndata
            np.testing.assert_array_equal(shown[key], value)
        env.step(int(action[0]))
        table.play(rows, action)
    assert env.game_over
    assert len(policy.shown) > 2


class ActsOnObservation:
    def act(self, observation):
        return lowest(observation, None)


class ActsOnObservationAndAgent:
    def act(self, obs, agent):
        assert agent in ("player_0", "player_1")
        return np.array([lowest(obs, agent)])


class ActsWithSwitch:
    def act(self, obs, deterministic=True):
        assert deterministic is True
        return lowest(obs, None)


class ActsOn:
    def act_on(self, observations, masks, words):
        assert words.dtype == np.uint64
        return masks.argmax(axis=1)


class Predicts:
    def predict(self, observations, action_masks=None, deterministic=False):
        assert observations.dtype == np.float32
        assert deterministic
        return action_masks.argmax(axis=1), None


class PredictsFreely:
    def predict(self, observations, **more):
        return more["action_masks"].argmax(axis=1)


class PredictsWithoutMasks:
    def predict(self, observations, state=None):
        return np.ones(len(observations), np.int64), state


SHAPES = [
    lowest,
    lambda observation: lowest(observation, None),
    lambda observation, agent="player_9": lowest(observation, None) + (agent == "player_9"),
    ActsOnObservation(),
    ActsOnObservationAndAgent(),
    ActsWithSwitch(),
    ActsOn(),
    Predicts(),
    PredictsFreely(),
    PredictsWithoutMasks(),
    Takes(1),
]


@pytest.mark.parametrize("thing", SHAPES, ids=lambda t: getattr(t, "__name__", type(t).__name__))
def test_every_shape_plays_the_same_game(thing):
    # all of them take one crumb, the lowest legal number
    game = crumbs()
    mine = play_match(game, [("mine", adapt(game, thing)), "random"], 24, seed=2)
    same = play_match(game, [("mine", Takes(1)), "random"], 24, seed=2)
    assert (mine.share == same.share).all()


def test_what_reads_records_is_left_alone():
    game, batch, observing = crumbs(), Takes(1), ActsOn()
    assert adapt(game, batch) is batch
    assert adapt(game, observing) is observing


@pytest.mark.parametrize("thing", [object(), 3, "greedy", Takes, lambda: 0, lambda a, b, c: 0, None])
def test_other_things_are_refused_with_what_is_accepted(thing):
    with pytest.raises(OptionError, match=r"is no agent; accepted: act\(states\).*action_mask"):
        adapt(crumbs(), thing)


@pytest.mark.parametrize("answer", [1.0, None, [1, 2], "1"])
def test_an_answer_that_is_no_action_is_refused_by_name(answer):
    def wrong(observation, agent):
        return answer

    game = crumbs()
    with pytest.raises(IllegalActionError, match="agent wrong: expected one whole number"):
        play_match(game, [("mine", adapt(game, wrong)), "random"], 2)


def test_an_illegal_answer_is_refused_by_name():
    def three(observation, agent):
        return 3

    game = crumbs(pile=1)
    with pytest.raises(IllegalActionError, match="agent three: seat 0 of crumbs may not play 3"):
        play_match(game, [("mine", adapt(game, three)), "random"], 2)


def test_models_of_sb3_contrib_play():
    from sb3_contrib import MaskablePPO

    from banquet_envs.envs.single import BanquetSingle

    game = make_game("great_evening_banquet", 2)
    model = MaskablePPO("MlpPolicy", BanquetSingle(game, opponents="random"), n_steps=8, batch_size=8, seed=1)
    agent = adapt(game, model)
    first, again = (play_match(game, [("model", agent), "random"], 8, seed=3) for _ in range(2))
    assert (first.points == again.points).all()
    with pytest.raises(OptionError, match=r"was made for observations of shape \(\d+,\), great_evening_banquet with 4"):
        adapt(make_game("great_evening_banquet", 4), model)


def test_models_of_dict_observations_get_dicts():
    from gymnasium import spaces

    from banquet_envs.envs.aec import observation_space

    class Model:
        observation_space: spaces.Dict

        def predict(self, observations, deterministic):
            assert observations["action_mask"].dtype == np.int8
            return observations["action_mask"].argmax(axis=1), None

    game, model = crumbs(), Model()
    model.observation_space = observation_space(game)
    play_match(game, [("model", adapt(game, model)), "random"], 8)


MODULE = """
import numpy as np
def policy(observation, agent):
    return int(np.flatnonzero(observation["action_mask"])[0])
def factory(game):
    assert game.num_actions
    return policy
def junk(game):
    return 3
"""


def test_by_name_from_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "my_own_agents.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [p for p in __import__("sys").path if p])
    game = crumbs()
    mine = play_match(game, ["my_own_agents:factory", "random"], 24, seed=2)
    same = play_match(game, [("mine", Takes(1)), "random"], 24, seed=2)
    assert (mine.share == same.share).all()
    with pytest.raises(OptionError, match="must be callable with the game and return an agent"):
        make_agent(game, "my_own_agents:policy")
    with pytest.raises(OptionError, match="int is no agent; accepted"):
        make_agent(game, "my_own_agents:junk")
    with pytest.raises(OptionError, match="no attribute 'nothing'"):
        make_agent(game, "my_own_agents:nothing")
