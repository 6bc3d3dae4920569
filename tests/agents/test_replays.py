"""Replays: what is written is read again; what is damaged or of other rules is refused in one line that says why."""

import json
from dataclasses import replace

import numpy as np
import pytest

from banquet_agents import replays
from banquet_agents.arena.sittings import Sitting, watch_game
from banquet_agents.human import picked_by
from banquet_agents.replays import parsed_replay, read_replay, write_replay
from banquet_envs import SaveError, make_game
from banquet_envs.core.state import raw

GAME = "great_evening_banquet"


@pytest.fixture(scope="module")
def watched():
    game = make_game(GAME, 2, expert=True)
    return game, watch_game(game, ["random", "search:8"], 5, lambda line: None)


def test_a_game_is_read_as_it_was_played(watched, tmp_path):
    game, sitting = watched
    file = write_replay(tmp_path, sitting.replay())
    read, kept, states = read_replay(file)
    assert read.identity() == game.identity()
    assert kept.seats == ["random", "search:8"]
    assert len(states) == len(sitting.actions) + 1
    assert (raw(states[-1:]) == raw(sitting.states)).all()
    assert [int(p) for p in states[-1].points[:2]] == kept.points


def test_thoughts_are_those_of_the_searching_seat(watched):
    game, sitting = watched
    for ply, thought in enumerate(sitting.thoughts):
        record = sitting.positions[ply][0]
        legal = np.flatnonzero(game.legal_actions(sitting.positions[ply])[0])
        assert (thought is not None) == (int(record.player) == 1 and len(legal) > 1)
        if thought is not None:
            assert 1 <= len(thought.actions) <= 5
            assert set(thought.actions) <= set(legal)
            assert list(thought.weights) == sorted(thought.weights, reverse=True)
            assert 0 < sum(thought.weights) <= 1.0005
            assert sitting.actions[ply] in thought.actions


def test_two_games_of_one_seed_get_two_files(watched, tmp_path):
    first, second = (write_replay(tmp_path, watched[1].replay()) for _ in range(2))
    assert first != second
    assert first.read_text() == second.read_text()


def _signed(replay):
    return replace(replay, digest="").text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: "", "is no replay"),
        (lambda r: "[1]", "is no replay"),
        (lambda r: r.text()[: len(r.text()) // 2], "is no replay"),
        (lambda r: r.text().replace('"seats"', '"seaats"'), "'seats' is missing"),
        (lambda r: r.text().replace('"players":2', '"players":"2"'), "'players': input should be a valid integer"),
        (lambda r: r.text().replace("random", "expert"), "damaged: its checksum does not fit"),
        (lambda r: _signed(replace(r, version="v99")), "was played by rules v99, here are rules v"),
        (lambda r: _signed(replace(r, components="0" * 64)), "was played with components 000000000000, these are"),
        (lambda r: _signed(replace(r, game="whist")), "no game named 'whist'"),
        (lambda r: _signed(replace(r, game="os:path")), "no game named 'os:path'"),
        (lambda r: _signed(replace(r, options={"components": "x.toml"})), "unknown option 'components'"),
        (lambda r: _signed(replace(r, players=9)), "players=9 is not allowed"),
        (lambda r: _signed(replace(r, actions=[39, *r.actions[1:]])), "decision 1 does not fit"),
        (lambda r: _signed(replace(r, actions=[*r.actions, 0], thoughts=[])), "does not fit: "),
        (lambda r: _signed(replace(r, actions=r.actions[:-1], thoughts=[])), "the result is [] points"),
        (lambda r: _signed(replace(r, points=[1, 2])), "the file tells of [1, 2]"),
        (lambda r: _signed(replace(r, seats=["random"])), "it has 1 seats"),
        (lambda r: _signed(replace(r, thoughts=r.thoughts[1:])), "thoughts"),
        (lambda r: _signed(replace(r, format=2)), "format 2, expected 1"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(watched, tmp_path, change, message):
    file = tmp_path / "game.json"
    file.write_text(change(watched[1].replay()))
    with pytest.raises(SaveError) as refusal:
        read_replay(file)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_every_changed_letter_is_noticed(watched):
    text = watched[1].replay().text()
    rng = np.random.default_rng(1)
    for at in rng.choice(len(text.rstrip()), 300, replace=False):
        other = "7" if text[at] != "7" else "8"
        with pytest.raises(SaveError):
            parsed_replay(text[:at] + other + text[at + 1 :], "game.json")


def test_a_choice_that_is_taken_back_can_be_made_otherwise():
    game = make_game(GAME, 1)
    sitting = Sitting(game, [replays.PERSON], 7)
    assert not sitting.take_back(0)
    before = sitting.states.copy()
    first, *_, last = np.flatnonzero(game.legal_actions(sitting.states)[0])
    sitting.play(int(first))
    assert sitting.take_back(0)
    assert (raw(sitting.states) == raw(before)).all()
    sitting.play(int(last))
    assert sitting.actions == [last]
    assert sitting.replay().undone == 1
    assert json.loads(sitting.replay().text())["points"] == []


@pytest.mark.parametrize("left", [0, 1, 9])
def test_a_kept_game_goes_on_as_if_it_had_never_been_left(watched, tmp_path, left):
    game, whole = watched
    sitting = Sitting(game, whole.seats, whole.replay().seed)
    for action, thought in zip(whole.actions[:left], whole.thoughts[:left], strict=True):
        sitting.play(action, thought)
    again = Sitting.resumed(*read_replay(write_replay(tmp_path, sitting.replay())))
    assert again.replay() == sitting.replay()
    assert (again.table.buffers.mask == game.legal_actions(sitting.states)).all()
    for action in whole.actions[left:]:
        again.play(action)
    assert (raw(again.states) == raw(whole.states)).all()
    seat = int(whole.positions[4].player[0])
    while len(again.actions) > 4:
        assert again.take_back(seat)
    assert again.actions == whole.actions[:4]
    assert (raw(again.states) == raw(whole.positions[4])).all()
    assert (again.table.buffers.mask == game.legal_actions(again.states)).all()


@pytest.mark.parametrize(
    ("answer", "picked"),
    [("1", [0]), ("3", [2]), ("4", []), ("0", []), ("9" * 5000, []), ("", []), ("take", [0, 1]), ("take water", [0]),
     ("wine", [1]), ("end the turn", [2]), ("tea", [])],
)  # fmt: skip
def test_choices_are_picked_by_number_or_words(answer, picked):
    assert picked_by(answer, ["take a Water", "take a Wine", "end the turn"]) == picked
