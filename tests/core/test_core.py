"""Records, random stream, layouts, rewards, registry, errors: what no game is needed for."""

import dataclasses

import numpy as np
import pytest

from banquet_envs import ComponentsError, OptionError, SaveError, list_games, make_game, register_game
from banquet_envs.core import random, rewards, state
from banquet_envs.core.layout import Layout, Slice
from banquet_envs.testing import CHECKS
from tests.core import countdown


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
def test_a_users_own_game_passes_the_conformance_suite(check):
    check(make_game("countdown"))


# ---------------------------------------------------------------- records


def test_records_have_no_padding_and_names_that_numpy_leaves_free():
    dtype = state.state_dtype(3, [("a", np.int16), ("b", np.int16, (5,))])
    assert dtype.itemsize % 8 == 0
    with pytest.raises(AssertionError, match="taken by NumPy"):
        state.state_dtype(2, [("round", np.int16)])
    with pytest.raises(AssertionError, match="order fields by size"):
        state.state_dtype(2, [("a", np.int16), ("b", np.int32)])


def test_copy_take_put_work_on_bytes():
    states = make_game("countdown").reset(6, 1)
    other = state.copy(states)
    other.pile[:] = 0
    assert (states.pile > 0).all()
    some = state.take(states, np.array([4, 1]))
    assert [some.seed[0], some.seed[1]] == [states.seed[4], states.seed[1]]
    some.pile[:] = 3
    state.put(states, np.array([4, 1]), some)
    assert list(states.pile[[4, 1]]) == [3, 3]
    assert isinstance(some, np.recarray)


# ---------------------------------------------------------------- random stream


def reference_splitmix64(seed, n):
    """The published generator, in Python integers."""
    words, x = [], seed
    for _ in range(n):
        x = (x + 0x9E3779B97F4A7C15) % 2**64
        z = x
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        words.append(z ^ (z >> 31))
    return words


def test_the_stream_is_splitmix64():
    assert reference_splitmix64(1234567, 2) == [6457827717110365317, 3203168211198807973]  # published test vector
    record = state.empty(1, countdown.STATE)[0]
    record.rng = np.uint64(1234567)
    drawn = [random.random_below(record, 2**31 - 1) for _ in range(5)]
    assert drawn == [((w >> 32) * (2**31 - 1)) >> 32 for w in reference_splitmix64(1234567, 5)]


def test_draws_are_uniform():
    record = state.empty(1, countdown.STATE)[0]
    counts = np.bincount([random.random_below(record, 7) for _ in range(14000)], minlength=7)
    assert ((counts - 2000) ** 2 / 2000).sum() < 32  # 99.998 % quantile of chi-square with 6 degrees
    units = [random.random_unit(record) for _ in range(2000)]
    assert 0 <= min(units) < max(units) < 1
    assert abs(np.mean(units) - 0.5) < 0.03


def test_shuffle_and_random_set():
    record = state.empty(1, countdown.STATE)[0]
    orders = {}
    for _ in range(6000):
        items = np.arange(3)
        random.shuffle(record, items, 3)
        orders[tuple(items)] = orders.get(tuple(items), 0) + 1
    assert len(orders) == 6
    assert max(abs(n - 1000) for n in orders.values()) < 150
    assert random.random_set(record, np.zeros(4, bool)) == -1
    assert random.random_set(record, np.array([False, True, False])) == 1


# ---------------------------------------------------------------- rewards


def paid(scheme, places, points=(0, 0, 0, 0)):
    dtype = state.state_dtype(4, [])
    record = state.empty(1, dtype)[0]
    n = len(places)
    out = np.zeros(n, np.float32)
    rewards.open_rewards(record, n, scheme, 0.1, out)
    record.over, record.place[:n], record.points[:n] = True, places, points[:n]
    rewards.close_rewards(record, n, scheme, 0.1, out)
    return [round(float(x), 5) for x in out]


def test_win_rewards_are_zero_sum_and_shared():
    assert paid(rewards.WIN, [0, 1]) == [1, -1]
    assert paid(rewards.WIN, [1, 0, 2]) == [-0.5, 1, -0.5]
    assert paid(rewards.WIN, [0, 0, 2]) == [0.25, 0.25, -0.5]
    assert paid(rewards.WIN, [0, 0, 0, 0]) == [0, 0, 0, 0]


def test_place_rewards_are_linear_in_rank_and_ties_share_the_mean():
    assert paid(rewards.PLACE, [0, 1, 2]) == [1, 0, -1]
    assert paid(rewards.PLACE, [0, 1, 1]) == [1, -0.5, -0.5]
    assert paid(rewards.PLACE, [0, 0, 2, 3]) == [0.66667, 0.66667, -0.33333, -1]


def test_points_rewards_are_the_change_scaled_and_one_player_is_paid_its_points():
    assert paid(rewards.POINTS, [0, 1], (7, -2)) == [0.7, -0.2]
    assert paid(rewards.WIN, [0], (12,)) == [1.2]


def test_rank_by_shares_places_and_skips():
    record = state.empty(1, state.state_dtype(4, []))[0]
    rewards.rank_by(record, 4, np.array([5, 9, 5, 1], np.int16))
    assert list(record.place) == [1, 0, 1, 3]


# ---------------------------------------------------------------- layout, registry, errors


def test_layout_finds_and_splits():
    layout = Layout([Slice("a", (2, 3), "six"), Slice("b", (2,), "two", False)])
    assert layout.size == 8
    assert layout.find(4)[0].name == "a"
    assert layout.find(4)[1] == (1, 1)
    parts = layout.split(np.arange(16.0).reshape(2, 8))
    assert parts["a"].shape == (2, 2, 3)
    assert list(parts["b"][1]) == [14, 15]
    assert list(layout.private_mask()) == [False] * 6 + [True] * 2
    with pytest.raises(IndexError):
        layout.find(8)


def test_unknown_games_are_refused_with_the_nearest_name():
    with pytest.raises(OptionError, match="did you mean 'great_evening_banquet'"):
        make_game("great_evening_banket")
    assert "great_evening_banquet" in list_games()


def test_a_taken_name_is_refused():
    with pytest.raises(OptionError, match="already registered"):
        register_game(dataclasses.replace(countdown.SPEC, folder=countdown.SPEC.folder.parent))
    register_game(countdown.SPEC)  # the same game may come again: a script that is run, and then imported


def test_a_components_file_is_checked_by_entry(tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text("pile = 99")
    with pytest.raises(ComponentsError, match=r"entry 'pile'.*from 2 to 12.*99"):
        make_game("countdown", components=bad)
    bad.write_text("pile = [")
    with pytest.raises(ComponentsError, match=r"bad\.toml.*TOML"):
        make_game("countdown", components=bad)


def test_saves_of_other_components_are_refused(tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("pile = 5")
    mine = make_game("countdown", components=other)
    data = mine.save(mine.reset(2, 1))
    assert len(mine.load(data)) == 2
    with pytest.raises(SaveError, match="components"):
        make_game("countdown").load(data)


def test_states_of_another_game_or_shape_are_refused():
    game = make_game("countdown")
    with pytest.raises(OptionError, match="not this game's states"):
        game.legal_actions(make_game("great_evening_banquet").reset(2, 1))
    with pytest.raises(OptionError, match="C-contiguous"):
        game.legal_actions(game.reset(4, 1)[::2])
    with pytest.raises(OptionError, match="out must be"):
        game.legal_actions(game.reset(4, 1), out=np.zeros((4, 2), bool))
    with pytest.raises(OptionError, match="seats"):
        game.observe(game.reset(4, 1), 2)
    for seed in (-1, [1, 2], "x"):
        with pytest.raises(OptionError, match="seed"):
            game.reset(3, seed)


def test_game_can_be_pickled():
    import pickle

    game = make_game("great_evening_banquet", players=3, expert=True)
    again = pickle.loads(pickle.dumps(game))
    assert again.identity() == game.identity()
    assert again.reset(2, 5).tobytes() == game.reset(2, 5).tobytes()


def test_mixing_an_array_equals_mixing_each_word():
    words = np.array([0, 1, 2**63, 2**64 - 1, 1234567], np.uint64)
    assert [int(w) for w in random.mixed(words)] == [int(random.mix(w)) for w in words]
