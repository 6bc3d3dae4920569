"""Saves and states from outside: what was damaged, forged or is another game's is refused in one line; the rest is the same game."""

import copy
import hashlib
import json
import pickle

import numpy as np
import pytest

from banquet_envs import SaveError, make_game
from banquet_envs.core import state as records
from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.testing.outside import positions
from tests.core import countdown
from tests.shipped import SHIPPED

MAGIC = b"BANQUET2\n"
HEAD_AT = len(MAGIC) + 32 + 4


def refused(game, data):
    """The error of `load`, which must be one line."""
    with pytest.raises(SaveError) as caught:
        game.load(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def forged(head, body):
    """A save with a fitting checksum."""
    head = head if isinstance(head, bytes) else json.dumps(head).encode()
    rest = len(head).to_bytes(4, "little") + head + body
    return MAGIC + hashlib.sha256(rest).digest() + rest


def parts(data):
    size = int.from_bytes(data[HEAD_AT - 4 : HEAD_AT], "little")
    return json.loads(data[HEAD_AT : HEAD_AT + size]), data[HEAD_AT + size :]


@pytest.mark.parametrize("name", SHIPPED)
def test_damaged_saves_are_refused(name):
    """Each byte of the head, 400 bytes of the body, 100 lengths, 100 bodies of random bytes."""
    game, rng = make_game(name), np.random.default_rng(1)
    states = game.reset(3, 1)
    data = game.save(states)
    assert game.load(data).tobytes() == states.tobytes()
    body = len(data) - states.nbytes
    for at in (*range(body), *rng.integers(body, len(data), 400)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << rng.integers(8)
        refused(game, damaged)
    for length in rng.integers(len(data), size=100):
        refused(game, data[:length])
    for _ in range(100):
        refused(game, data[:body] + rng.bytes(states.nbytes))
    refused(game, data + b"\0")


def test_forged_saves_are_held_against_the_rules():
    game = make_game("countdown")
    head, body = parts(game.save(game.reset(2, 1)))
    assert len(game.load(forged(head, body))) == 2
    for field, value in (("player", 5), ("over", 2), ("pile", 99), ("place", 0)):
        states = records.copy(np.frombuffer(bytearray(body), np.uint8).view(countdown.STATE).view(np.recarray))
        states.view(np.ndarray)[field].view(np.uint8 if field == "over" else np.int16)[1] = value
        assert "record 1 of 2" in refused(game, forged(head, states.tobytes()))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n": 1}, "length"),
        ({"n": 3}, "length"),
        ({"n": -2}, "number of its records"),
        ({"n": 2.0}, "number of its records"),
        ({"n": True}, "number of its records"),
        ({"n": None}, "number of its records"),
        ({"n": [2]}, "number of its records"),
        ({"n": 10**30}, "length"),
        ({"game": "chess"}, "has game 'chess'"),
        ({"game": ["countdown"] * 1000}, "has game"),
        ({"players": 2.0}, "has players 2.0"),
        ({"options": None}, "has options None"),
        ({"options": {"players": 3}}, "has options"),
        ({"version": "v9"}, "has version 'v9'"),
        ({"components": 0}, "has components 0"),
        ({"record": True}, "has record True"),
    ],
)
def test_heads_that_say_something_else_are_refused(changes, words):
    game = make_game("countdown")
    head, body = parts(game.save(game.reset(2, 1)))
    assert words in refused(game, forged({**head, **changes}, body))


@pytest.mark.parametrize("key", ["game", "version", "players", "options", "components", "record", "n"])
def test_heads_without_an_entry_are_refused(key):
    game = make_game("countdown")
    head, body = parts(game.save(game.reset(2, 1)))
    del head[key]
    assert key in refused(game, forged(head, body))


@pytest.mark.parametrize(
    "head", [b"[]", b"null", b"1", b'"x"', b"", b"{", b"\xff", b"[" * 100_000, b'{"n": 1' + b"0" * 5000 + b"}", b"NaN"]
)
def test_heads_of_a_wrong_kind_are_refused(head):
    game = make_game("countdown")
    refused(game, forged(head, game.reset(2, 1).tobytes()))


@pytest.mark.parametrize(
    "data", [None, "BANQUET2\n", 5, [1], np.zeros(4), b"", b"BANQUET1\n{}", MAGIC, MAGIC + b"x" * 32]
)
def test_what_is_no_save_is_refused(data):
    refused(make_game("countdown"), data)


def test_saves_are_taken_from_any_kind_of_bytes():
    game = make_game("countdown")
    data = game.save(game.reset(2, 1))
    for kind in (bytes, bytearray, memoryview):
        assert game.save(game.load(kind(data))) == data


# ---------------------------------------------------------------- PettingZoo's environment


def in_mid_game(seed=3, moves=2):
    env = BanquetAEC("countdown")
    env.reset(seed)
    for _ in range(moves):
        env.step(0)
    return env


@pytest.mark.parametrize("n", [0, 2, 5])
def test_the_environment_plays_one_game(n):
    env = in_mid_game()
    before = env.get_state()
    with pytest.raises(SaveError, match=f"one game, the save holds {n}"):
        env.load(env.game.save(env.game.reset(n, 1)))
    assert env.get_state() == before


AGENTS = ["player_0", "player_1"]
FOREIGN = [
    ("identity", {}),
    ("identity", None),
    ("record", b""),
    ("record", "twice"),
    ("record", "text"),
    ("record", b"\xff" * countdown.STATE.itemsize),
    ("agents", ["player_0"]),
    ("agents", ["player_1", "player_0"]),
    ("agents", ["player_0", "player_0"]),
    ("agents", ["player_0", "player_9"]),
    ("agents", [*AGENTS, "player_2"]),
    ("agents", "player_0"),
    ("agents", [0, 1]),
    ("agents", None),
    ("selection", "player_9"),
    ("selection", "another"),
    ("selection", 0),
    ("selection", None),
    ("rewards", {}),
    ("rewards", {"player_0": 0.0}),
    ("rewards", dict.fromkeys(AGENTS, "x")),
    ("rewards", dict.fromkeys(AGENTS, float("nan"))),
    ("rewards", dict.fromkeys(AGENTS, True)),
    ("cumulative", dict.fromkeys(AGENTS)),
    ("cumulative", dict.fromkeys(AGENTS, float("inf"))),
    ("terminations", dict.fromkeys(AGENTS, True)),
    ("terminations", dict.fromkeys(AGENTS, 0)),
    ("truncations", {"player_0": True, "player_1": False}),
    ("truncations", [False, False]),
    ("infos", dict.fromkeys(AGENTS, 1)),
    ("infos", []),
    ("illegal_end", 1),
    ("illegal_end", True),
]


@pytest.mark.parametrize(("entry", "value"), FOREIGN)
def test_foreign_states_are_refused_and_change_nothing(entry, value):
    env = in_mid_game()
    before = env.get_state()
    other = env.agents[1 - env.agents.index(env.agent_selection)]
    value = {"twice": before["record"] * 2, "another": other, "text": before["record"].decode("latin1")}.get(
        value if isinstance(value, str) else "", value
    )
    with pytest.raises(SaveError):
        env.set_state({**before, entry: value})
    with pytest.raises(SaveError):
        env.set_state({k: v for k, v in before.items() if k != entry})
    assert env.get_state() == before


@pytest.mark.parametrize("state", [None, [], "state", b"", 0])
def test_what_is_no_state_is_refused(state):
    with pytest.raises(SaveError, match="not a dict"):
        in_mid_game().set_state(state)


def test_every_moment_of_a_game_can_be_kept():
    """Also the dead steps after its end, after an illegal move too."""
    for illegal in (False, True):
        env = BanquetAEC("countdown", illegal="terminate")
        env.reset(5)
        while env.agents:
            fresh = BanquetAEC("countdown", illegal="terminate")
            fresh.set_state(env.get_state())
            for other in (fresh, env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
                assert other.get_state() == env.get_state()
            ended = env.terminations[env.agent_selection]
            env.step(None if ended else 3 if illegal and env.record.ply[0] else 0)
        fresh.set_state(env.get_state())
        assert fresh.agents == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_position_of_play_can_be_saved(name):
    game = make_game(name)
    states = positions(game, 6, 80)
    assert game.load(game.save(states)).tobytes() == states.tobytes()
