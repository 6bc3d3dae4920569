"""Records from outside: what is not a position of the game is refused, by name; what passes harms nothing."""

from dataclasses import replace

import numpy as np
import pytest

from banquet_envs import OptionError, SaveError, game_spec, make_game
from banquet_envs.core import soundness
from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.core.game import Game
from banquet_envs.testing.outside import check_records_from_outside, positions
from tests.core.countdown import SPEC
from tests.reliability import astray  # noqa: F401 (registers games)
from tests.shipped import SHIPPED


def damaged(field, value, at=(), row=2):
    """Four new games of Countdown, one of them changed; flags take bytes."""
    states = make_game("countdown").reset(4, 1)
    dict(soundness.leaves(states))[field][(row, *at)] = value
    return states


@pytest.mark.parametrize(
    ("field", "at", "value", "words"),
    [
        ("player", (), 2, r"2 is not in 0\.\.1"),
        ("player", (), -1, r"-1 is not in 0\.\.1"),
        ("over", (), 2, r"2 is not in 0\.\.1"),
        ("over", (), 1, "would fit"),
        ("capped", (), 1, r"1 is not in 0\.\.0"),
        ("ply", (), 17, r"17 is not in 0\.\.16"),
        ("points", (1,), 2, r"entry \[1\]: 2 is not in 0\.\.1"),
        ("place", (0,), 0, "would fit"),
        ("_pad", (0,), 1, r"1 is not in 0\.\.0"),
        ("pile", (), 99, r"99 is not in 0\.\."),
        ("last", (), -1, r"-1 is not in 0\.\.1"),
        ("key", (1,), 2, r"entry \[1\]: 2 is not in 0\.\.1"),
        ("key", (1,), 1, "where the points are"),
        ("pile", (), 1, "in a game that is not over"),
    ],
)
def test_a_record_that_cannot_be_is_refused_by_row_and_field(field, at, value, words):
    with pytest.raises(
        SaveError, match=rf"countdown: record 2 of 4 .*{field.replace('over', '(over|place)')}.*{words}"
    ):
        make_game("countdown").check_records(damaged(field, value, at))


def test_capped_games_are_over():
    spec = replace(SPEC, facts=lambda rules: replace(SPEC.facts(rules), can_be_capped=True))
    with pytest.raises(SaveError, match="'capped': set in a game that is not over"):
        Game(spec, 2).check_records(damaged("capped", 1))


def test_the_first_of_several_is_named_and_a_single_record_is_not_numbered():
    game = make_game("countdown")
    states = game.reset(5, 1)
    states.player[[3, 1]] = 7
    with pytest.raises(SaveError, match="record 1 of 5"):
        game.check_records(states)
    with pytest.raises(SaveError, match="the record is not"):
        game.check_records(states[1:2])
    assert soundness.faults(game, states).keys() == {1, 3}


def test_what_is_no_record_of_the_game_is_refused():
    game = make_game("countdown")
    for wrong in (game.reset(4, 1)[::2], make_game("polite_society").reset(1, 1), np.zeros(3), [1, 2], None):
        with pytest.raises(OptionError):
            game.check_records(wrong)


@pytest.mark.parametrize("hook", ["pieces", "invariants"])
def test_errors_in_a_games_own_hooks_are_refusals(hook):
    def raising(rules, state):
        raise {"pieces": IndexError, "invariants": RecursionError}[hook]("too far")

    ordinary = Game(SPEC, 2)
    states = ordinary.reset(1, 1)
    ordinary.check_records(states)
    calls = iter([lambda rules, state: {}]) if hook == "pieces" else iter([])  # the fresh game's come first
    spec = replace(SPEC, **{hook: lambda rules, state: next(calls, raising)(rules, state)})
    with pytest.raises(SaveError, match=rf"{hook} cannot be worked out \(.*too far"):
        Game(spec, 2).check_records(states)


def test_other_pieces_and_games_without_a_move_are_refused():
    spec = replace(SPEC, pieces=lambda rules, state: {"stones": np.array([state.last])})
    with pytest.raises(SaveError, match=r"pieces: stones are \[1\], in a new game \[0\]"):
        Game(spec, 2).check_records(damaged("last", 1))
    spec = replace(SPEC, invariants=None)
    with pytest.raises(SaveError, match="without a legal action"):
        Game(spec, 2).check_records(damaged("pile", 0))


def test_without_bounds_only_the_shared_fields_are_looked_at():
    game = Game(replace(SPEC, bounds=None), 2)
    game.check_records(damaged("pile", 99))
    with pytest.raises(SaveError, match="player"):
        game.check_records(damaged("player", 2))


@pytest.mark.parametrize("name", ["countdown", *SHIPPED])
def test_every_position_of_play_passes(name):
    spec = game_spec(name)
    for players in (spec.min_players, spec.max_players):
        game = make_game(name, players, **spec.variants[-1 if players == spec.max_players else 0])
        states = positions(game, 5, 60)
        game.check_records(states)
        views = records.take(states, np.flatnonzero(~states.over))
        game.determinize(views, np.arange(len(views)) % players, 5)
        game.check_records(views)


@pytest.mark.skipif(not JIT, reason="compares the compiled with the plain mode")
class TestFuzzer:
    def test_sound_declarations_hold(self):
        found = check_records_from_outside("countdown", tries=500)
        assert found["tried"] >= 350
        assert found["refused"] > found["passed"] > 20

    def test_an_index_that_a_wide_bound_lets_through_is_found(self):
        with pytest.raises(AssertionError, match=r"index_astray.*last 0 -> [2-9](.|\n)*IndexError"):
            check_records_from_outside("index_astray", tries=500, again=150)

    def test_the_death_of_a_process_is_told_with_the_record(self):
        with pytest.raises(AssertionError, match=r"died \(-6\) at process_astray.*last . -> [2-9].*words and pictures"):
            check_records_from_outside("process_astray", tries=500)


@pytest.mark.long
@pytest.mark.parametrize("game", SHIPPED)
def test_a_longer_fuzz_finds_nothing(game):
    check_records_from_outside(game, seed=2, tries=12000, again=150, patience=1800)


@pytest.mark.nightly
@pytest.mark.parametrize("game", SHIPPED)
def test_a_longer_fuzz_with_bounds_checks_finds_nothing(game):
    check_records_from_outside(game, seed=3, tries=12000, again=1000, bounds=True, patience=3600)
