"""Batch calls with arguments that do not fit: one readable line, nothing rounded, nothing changed, no memory touched.

Every call runs in a forked child. 17 of those that were tried first ended the process or wrote to foreign memory.
"""

import functools

import numpy as np
import pytest

from banquet_agents.registry import make_agent
from banquet_envs import OptionError, make_game
from banquet_envs.core import state as records
from banquet_envs.testing import random_actions
from tests.core import countdown  # noqa: F401 (registers the game)
from tests.reliability.child import in_children, needs_fork

N = 8


class Play:
    """A game in progress and what calls need beside it."""

    def __init__(self, name):
        self.game = make_game(name)
        self.states = self.game.reset(N, 1)
        self.buffers = self.game.buffers(N)
        self.buffers.mask[:] = self.game.legal_actions(self.states)
        self.actions = random_actions(self.buffers.mask, np.random.default_rng(1))
        self.other = make_game("great_evening_banquet" if name == "countdown" else "countdown")
        self.words = np.arange(N, dtype=np.uint64)
        self.seats = np.zeros(N, np.int64)

    def advance(self, **changes):
        given = {"states": self.states, "actions": self.actions, "buffers": self.buffers, **changes}
        self.game.advance(**given)

    def advance_trusted(self, **changes):
        given = {"states": self.states, "actions": self.actions, "buffers": self.buffers, **changes}
        self.game.advance_trusted(**given)


BAD_ROWS = {
    "huge": np.array([10**9]), "negative": np.array([-1]), "very negative": np.array([-(10**6)]), "one past": np.array([N]),
    "last of many": np.array([0, 1, 2, N]), "twice": np.array([3, 3]), "twice apart": np.array([3, 1, 3]),
    "floats": np.array([0.0, 1.0]), "bools": np.ones(N, bool), "2-d": np.zeros((2, 2), int), "a text": "0", "a number": 0,
    "unequal lists": [[1], [2, 3]], "nothing in it": [None], "objects": np.array([1, 2], object),
    "unsigned": np.array([2**63 + 1], np.uint64),
}  # fmt: skip
BAD_WORDS = {
    "none": np.zeros(0, np.uint64), "short": np.zeros(N - 1, np.uint64), "long": np.zeros(N + 1, np.uint64),
    "floats": np.full(N, 1.5), "negative": np.full(N, -1), "2-d": np.zeros((N, 1), np.uint64), "a number": 3,
    "a text": "seeds", "too large": [2**64] * N, "bools": np.ones(N, bool), "nothing": [None] * N,
}  # fmt: skip
BAD_SEATS = {
    "99": np.full(N, 99), "none": np.zeros(0, np.int64), "short": np.zeros(2, np.int64), "floats": np.full(N, 0.7),
    "very negative": np.full(N, -2), "one of them": np.array([0] * (N - 1) + [7]), "a float": 0.7, "a text": "0",
    "a bool": True, "too large": 99, "bools": np.zeros(N, bool), "nan": float("nan"), "2-d": np.zeros((N, 1), int),
    "unequal lists": [[0], [0, 1]],
}  # fmt: skip
BAD_ACTIONS = {
    "short": np.zeros(2, np.int64), "none": np.zeros(0, np.int64), "long": np.zeros(N + 1, np.int64),
    "huge": np.full(N, 10**6), "negative": np.full(N, -5), "floats": np.zeros(N), "bools": np.zeros(N, bool),
    "a number": 0, "a text": "0", "2-d": np.zeros((N, 1), int), "nan": np.full(N, np.nan), "unequal lists": [[0], [0, 1]],
    "huge in uint64": np.full(N, 2**64 - 1, np.uint64), "nothing": None,
}  # fmt: skip
BAD_SEEDS = {
    "a float": 1.5, "a text": "3", "negative": -1, "floats": [1.5] * N, "negative ones": [-1] * N, "too few": [1, 2],
    "nothing among them": [None] * N, "lists": [[1]] * N, "a bool": True, "bytes": b"12345678", "nan": float("nan"),
    "an array of floats": np.zeros(N), "a set": {1},
}  # fmt: skip
BAD_STATES = {
    "another game's": lambda p: p.other.reset(N, 1),
    "every second one": lambda p: p.game.reset(2 * N, 1)[::2],
    "backwards": lambda p: p.states[::-1],
    "2-d": lambda p: p.states.reshape(2, 4),
    "one record": lambda p: p.states[0],
    "bytes": lambda p: records.raw(p.states),
    "a list": lambda p: list(p.states),
    "nothing": lambda p: None,
}
BAD_BUFFERS = {
    "smaller": lambda p: p.game.buffers(4),
    "larger": lambda p: p.game.buffers(N + 1),
    "another game's": lambda p: p.other.buffers(N),
    "of fewer seats": lambda p: make_game("polite_society", 2).buffers(N),
    "a dict": lambda p: vars(p.buffers),
    "nothing": lambda p: None,
}
BAD_ARRAYS = {
    "short": lambda a: a[:4].copy(),
    "backwards": lambda a: a[::-1],
    "another kind": lambda a: a.astype(np.float64),
    "a list": lambda a: a.tolist(),
    "nothing": lambda a: None,
    "flat": lambda a: np.zeros(0, a.dtype) if a.ndim > 1 else np.zeros((0, 3), a.dtype),
}


def frozen(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def replaced(buffers, name, value):
    setattr(buffers, name, value)


def _rows_and_words():
    for how, rows in BAD_ROWS.items():
        yield ("restart rows", how, lambda p, rows=rows: p.game.restart(p.states, p.words, rows))
        yield ("advance rows", how, lambda p, rows=rows: p.advance(rows=rows))
        yield ("advance_trusted rows", how, lambda p, rows=rows: p.advance_trusted(rows=rows))
    for how, words in BAD_WORDS.items():
        yield ("restart words", how, lambda p, words=words: p.game.restart(p.states, words))
        yield ("determinize words", how, lambda p, words=words: p.game.determinize(p.states, 0, words=words))
    yield ("restart words", "nothing at all", lambda p: p.game.restart(p.states, None))


def _seats():
    for how, seats in BAD_SEATS.items():
        yield ("observe", how, lambda p, seats=seats: p.game.observe(p.states, seats))
        yield ("determinize", how, lambda p, seats=seats: p.game.determinize(p.states, seats))
        yield ("advance seats", how, lambda p, seats=seats: p.advance(seats=seats))
        yield ("advance_trusted seats", how, lambda p, seats=seats: p.advance_trusted(seats=seats))


def _actions():
    for how, actions in BAD_ACTIONS.items():
        yield ("step", how, lambda p, actions=actions: p.game.step(p.states, actions))
        yield ("step_trusted", how, lambda p, actions=actions: p.game.step_trusted(p.states, actions))
        yield ("advance actions", how, lambda p, actions=actions: p.advance(actions=actions))
        yield ("advance_trusted actions", how, lambda p, actions=actions: p.advance_trusted(actions=actions))
        yield ("checked_actions", how, lambda p, actions=actions: p.game.checked_actions(p.states, actions))


def _seeds_and_sizes():
    for how, seed in BAD_SEEDS.items():
        yield ("reset seed", how, lambda p, seed=seed: p.game.reset(N, seed))
        yield ("determinize seed", how, lambda p, seed=seed: p.game.determinize(p.states, 0, seed))
    for n in (-1, 1.5, "3", None, True, [2], float("nan"), 10**17, 10**30):
        yield ("reset n", repr(n), lambda p, n=n: p.game.reset(n, 1))
    for n in (-1, 1.5, "3", None, True):
        yield ("buffers n", repr(n), lambda p, n=n: p.game.buffers(n))


def _states():
    for how, make in BAD_STATES.items():
        yield ("legal_actions", how, lambda p, make=make: p.game.legal_actions(make(p)))
        yield ("observe states", how, lambda p, make=make: p.game.observe(make(p), 0))
        yield ("restart states", how, lambda p, make=make: p.game.restart(make(p), p.words))
        yield ("step states", how, lambda p, make=make: p.game.step(make(p), p.actions))
        yield ("step_trusted states", how, lambda p, make=make: p.game.step_trusted(make(p), p.actions))
        yield ("determinize states", how, lambda p, make=make: p.game.determinize(make(p), 0, 1))
        yield ("rewards before", how, lambda p, make=make: p.game.rewards(make(p), p.states))
        yield ("rewards after", how, lambda p, make=make: p.game.rewards(p.states, make(p)))
        yield ("advance states", how, lambda p, make=make: p.advance(states=make(p)))
        yield ("save", how, lambda p, make=make: p.game.save(make(p)))
        yield ("check_records", how, lambda p, make=make: p.game.check_records(make(p)))
    yield ("rewards", "another number", lambda p: p.game.rewards(p.states[:4], p.states))


def _buffers():
    for how, make in BAD_BUFFERS.items():
        yield ("advance buffers", how, lambda p, make=make: p.advance(buffers=make(p)))
        yield ("advance_trusted buffers", how, lambda p, make=make: p.advance_trusted(buffers=make(p)))
    for name in ("rewards", "terminated", "mask", "observation", "final_observation", "movers"):
        for how, damage in BAD_ARRAYS.items():
            yield (f"buffers.{name}", how, lambda p, a=name, d=damage: replaced(p.buffers, a, d(getattr(p.buffers, a))))
        yield (f"buffers.{name}", "read-only", lambda p, a=name: replaced(p.buffers, a, frozen(getattr(p.buffers, a))))
    for how, damage in BAD_ARRAYS.items():
        if how != "nothing":
            yield ("legal_actions out", how, lambda p, d=damage: p.game.legal_actions(p.states, d(p.buffers.mask)))
            yield ("observe out", how, lambda p, d=damage: p.game.observe(p.states, 0, d(p.buffers.observation)))


def _words_and_pictures():
    for action in (-1, 10**6, 0.5, "0", None, float("nan"), True, [0]):
        yield ("action_text", repr(action), lambda p, action=action: p.game.action_text(p.states[0], action))
    for seat in (-1, 7, 0.5, "0", float("nan"), True, [0]):
        yield ("describe", repr(seat), lambda p, seat=seat: p.game.describe(p.states[0], seat))
        yield ("draw", repr(seat), lambda p, seat=seat: p.game.draw(p.states[0], seat))
    for how, make in {
        "another game's": lambda p: p.other.reset(1, 1)[0],
        "a batch": lambda p: p.states,
        "nothing": lambda p: None,
        "a number": lambda p: 3,
    }.items():
        yield ("describe record", how, lambda p, make=make: p.game.describe(make(p)))
        yield ("draw record", how, lambda p, make=make: p.game.draw(make(p)))
        yield ("action_text record", how, lambda p, make=make: p.game.action_text(make(p), 0))


def _games():
    for threads in (0, -1, 1.5, "2", True, None):
        yield ("threads", repr(threads), lambda p, threads=threads: make_game(p.game.name, threads=threads))
    for components in (5, ["x"], "a\0b", b"x", "", ".", 1.5):
        yield ("components", repr(components), lambda p, c=components: make_game(p.game.name, components=c))
    for players in (0, 99, 2.0, "2", True, [2]):
        yield ("players", repr(players), lambda p, players=players: make_game(p.game.name, players))


PARTS = (_rows_and_words, _seats, _actions, _seeds_and_sizes, _states, _buffers, _words_and_pictures, _games)
CALLS = {f"{kind}: {how}": call for part in PARTS for kind, how, call in part()}
"""name -> call(play): all of them must be refused."""


@needs_fork
@pytest.mark.parametrize("name", ["countdown", "great_evening_banquet"])
def test_calls_that_do_not_fit_are_refused_and_change_nothing(name):
    play = Play(name)
    play.advance()  # everything is compiled before the children begin
    play.game.determinize(play.states, 0, 1)
    play.game.rewards(play.states, play.states)
    play.game.observe(play.states)
    play.buffers.mask[:] = play.game.legal_actions(play.states)
    play.actions = random_actions(play.buffers.mask, np.random.default_rng(1))
    play.game.step(records.copy(play.states), play.actions)
    play.game.step_trusted(records.copy(play.states), play.actions)
    before = play.states.tobytes()

    def attempt(call):
        try:
            call(play)
        finally:
            if play.states.tobytes() != before:
                raise RuntimeError("something was changed")

    expected = {"OptionError", "IllegalActionError", "SaveError"}
    found = in_children({what: functools.partial(attempt, call) for what, call in CALLS.items()})
    unexpected = {
        what: result
        for what, result in found.items()
        if result[0] != "raised" or not expected & set(result[1]) or "\n" in result[2] or len(result[2]) > 1000
    }
    assert not unexpected
    assert len(found) == len(CALLS)


def test_there_are_more_such_calls_than_in_the_first_attack():
    assert len(CALLS) > 400


def test_what_fits_is_taken_in_any_form():
    """Lists, ranges, other integer types, NumPy scalars, records of either kind, arrays left out."""
    play = Play("countdown")
    game, states = play.game, play.states
    for seed in (5, np.int32(5), np.array(5)):
        assert game.reset(3, seed).tobytes() == game.reset(np.int64(3), 5).tobytes()
    for seeds in ([1, 2, 3], (1, 2, 3), range(1, 4), np.array([1, 2, 3], np.int16)):
        assert game.reset(3, seeds).tobytes() == game.reset(3, [1, 2, 3]).tobytes()
    for rows in ([5, 2], np.array([5, 2], np.int32), np.array([2, 5], np.uint8), range(5, 1, -3)):
        some = records.copy(states)
        game.restart(some, np.arange(N), rows)
        assert np.flatnonzero(some.seed != states.seed).tolist() == [2, 5]
        some, buffers = records.copy(states), game.buffers(N)
        game.advance(some, play.actions.astype(np.int8), buffers, seats=[0] * N, rows=rows)
        assert np.flatnonzero(some.ply).tolist() == [2, 5]
    assert np.array_equal(game.observe(states, np.int8(1)), game.observe(states, [1] * N))
    for record in (states[0], states[:1], states.view(np.ndarray)[0], states[0].copy()):
        assert game.describe(record, np.int64(0)) == game.describe(states[0], 0)
        assert game.action_text(record, np.int64(1)) == "take 2"
    for name in ("mask", "observation", "final_observation"):
        setattr(play.buffers, name, getattr(play.buffers, name)[:0])
    play.advance()
    assert (states.ply == 1).all()


@pytest.mark.parametrize("name", ["greedy", "expert", "random"])
def test_a_scripted_agent_is_handed_records_of_its_own_game_only(name):
    """Its loop is compiled: another game's records would be read as if they were its own."""
    agent = make_agent(make_game("great_evening_banquet", 2), name)
    for wrong in (make_game("dinner_party", 2).reset(2, 1), np.zeros(3), np.zeros(64, np.uint8)):
        with pytest.raises(OptionError, match="not this game's states"):
            agent.act(wrong)


def test_empty_batches_are_batches():
    play = Play("countdown")
    game, none = play.game, play.game.reset(0, 1)
    game.restart(none, [])
    game.step(none, [])
    game.determinize(none, 0, 1)
    game.advance(none, [], game.buffers(0))
    game.advance(play.states, play.actions, play.buffers, rows=[])
    assert game.legal_actions(none).shape == (0, 3)
    assert game.observe(none, []).shape == (0, 6)
    assert game.rewards(none, none).shape == (0, 2)
    assert len(game.load(game.save(none))) == 0
    assert (play.states.ply == 0).all()


def test_advance_refuses_what_step_refuses_whole():
    play = Play("countdown")
    before = play.states.tobytes()
    play.states.pile[:] = 2
    for bad in ([0] * 7 + [2], [2] + [0] * 7):  # take 3 of 2
        with pytest.raises(ValueError, match=r"game [07] of the batch: seat 0 may not play 2 \(take 3\)"):
            play.advance(actions=bad)
    play.states.pile[:] = np.frombuffer(before, play.states.dtype)["pile"]
    assert play.states.tobytes() == before
    play.states.over[3] = True
    with pytest.raises(ValueError, match="game 3 of the batch: the game is over"):
        play.advance()
    play.advance(rows=[0, 1, 2, 4, 5, 6, 7])  # only the rows that are played are looked at
    assert play.states.ply.tolist() == [1, 1, 1, 0, 1, 1, 1, 1]
