"""Single-agent and vector environments, rendering."""

import copy

import gymnasium
import numpy as np
import pytest

import banquet_envs  # noqa: F401  (registers the ids)
from banquet_envs import OptionError, make_game
from banquet_envs import great_evening_banquet_v0 as geb
from banquet_envs.core import state as records
from banquet_envs.envs.seats import SeatedGames
from banquet_envs.envs.single import BanquetSingle
from banquet_envs.envs.vector import BanquetVector


def first_legal(mask):
    return int(np.flatnonzero(mask)[0])


def test_solo_mode_by_its_gymnasium_id():
    env = gymnasium.make("banquet/GreatEveningBanquetSolo-v0")
    _, info = env.reset(seed=3)
    total, over = 0.0, False
    while not over:
        _, reward, over, cut, info = env.step(first_legal(info["action_mask"]))
        total += reward
        assert not cut
    assert total == pytest.approx(info["points"][0] * 0.02, abs=1e-5)


def test_one_seat_against_named_opponents_by_id():
    env = gymnasium.make("banquet/GreatEveningBanquet-v0", players=3, opponents=["greedy", "random"], seat=1)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert info["seat"] == 1
        _, reward, over, _, info = env.step(first_legal(info["action_mask"]))
    assert reward in (1.0, -0.5, 0.25, 0.0)
    assert (info["place"] == 0) == (reward >= 0)


def test_a_random_seat_visits_every_seat():
    env = BanquetSingle("great_evening_banquet", 3)
    env.reset(seed=0)
    seats = {env.reset()[1]["seat"] for _ in range(40)}
    assert seats == {0, 1, 2}


@pytest.mark.parametrize(
    "bad", [{"opponents": ["greedy"]}, {"seat": 3}, {"seat": "x"}, {"opponents": "nobody"}, {"illegal": "x"}]
)
def test_bad_arguments_are_refused(bad):
    with pytest.raises(OptionError):
        BanquetSingle("great_evening_banquet", 3, **bad)


class Spy:
    """An opponent that keeps what it was handed."""

    def __init__(self, game, log):
        self.game, self.log = game, log

    def act(self, states):
        self.log.append(records.copy(states))
        return self.game.legal_actions(states).argmax(axis=1)


def test_opponents_are_handed_determinised_copies(monkeypatch):
    log = []
    monkeypatch.setattr("banquet_envs.envs.seats.make_agent", lambda game, name: Spy(game, log))
    game = make_game("great_evening_banquet", 2)
    table = SeatedGames(game, 32, "spy", seat=0)
    rows = np.arange(32)
    table.begin(rows, rows.astype(np.uint64))
    truths, states = set(), table.table.states
    for _ in range(30):
        truths |= {int(x) for x in states.rng} | {int(x) for x in states.seed}
        table.step(rows, table.table.buffers.mask.argmax(axis=1))
        table.begin_next(np.flatnonzero(states.over))
    assert log
    for handed in log:
        assert not truths & {int(x) for x in handed.rng}, "an opponent was handed the true random stream"
        assert not truths & {int(x) for x in handed.seed}, "an opponent was handed the true seed"


def test_vector_rewards_are_the_learners():
    env = BanquetVector("great_evening_banquet", 32, players=2, opponents="expert")
    _, infos = env.reset(seed=5)
    rng = np.random.default_rng(0)
    ends = []
    for _ in range(90):
        mask = infos["action_mask"]
        _, rewards, over, _, infos = env.step((rng.random(mask.shape) * mask).argmax(axis=1))
        assert not rewards[~over].any()
        ends += rewards[over].tolist()
    assert len(ends) > 30
    assert np.mean(ends) < -0.95  # a random learner loses to expert, whichever seat it has


def test_gymnasium_make_vec():
    env = gymnasium.make_vec(
        "banquet/GreatEveningBanquet-v0", num_envs=3, vectorization_mode="vector_entry_point", players=2
    )
    view, _ = env.reset(seed=1)
    assert view.shape == (3, env.single_observation_space.shape[0])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_pictures_need_no_display(players, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    env = geb.env(players=players, render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert image.dtype == np.uint8
    assert image.shape[2] == 3
    assert image.std() > 10  # something is drawn


def test_text_and_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = geb.env(players=2, render_mode="ansi")
    env.reset(seed=1)
    assert "Grand Salon" in env.render()
    env = geb.env(players=2, render_mode="human")
    import sys

    assert "pygame" not in sys.modules or not sys.modules["pygame"].display.get_init(), (
        "a window before it was asked for"
    )
    env.reset(seed=1)
    env.step(first_legal(env.last()[0]["action_mask"]))
    env.close()


def test_spaces_belong_to_one_instance():
    a, b = geb.env(players=2), geb.env(players=2)
    assert a.action_space("player_0") is not b.action_space("player_0")
    assert a.action_space("player_0") is a.action_space("player_0")
    assert copy.deepcopy(a).possible_agents == a.possible_agents
