"""The command `banquet words`."""

import json

import pytest
from typer.testing import CliRunner

from banquet_envs import make_game
from banquet_envs.words import rules_text, state_schema
from banquet_training.cli import app

GAME = "great_evening_banquet"


def banquet(*args):
    """Runs a command line: (exit code, stdout, stderr)."""
    done = CliRunner().invoke(app, ["words", *args])
    return done.exit_code, done.stdout, done.stderr


def test_rules_and_schema_are_printed():
    game = make_game(GAME, 2, expert=True)
    assert banquet(GAME, "--rules", "-o", "expert=true")[:2] == (0, rules_text(game) + "\n")
    code, out, _ = banquet(GAME, "--schema")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(state_schema(game)))


def test_a_stand_in_is_placed_and_a_second_run_repeats_nothing(tmp_path):
    run = (GAME, "--player", "nonsense", "--deals", "2", "-a", "random", "-a", "greedy", "--out", str(tmp_path))
    code, out, _ = banquet(*run)
    assert code == 0
    found = json.loads((tmp_path / "results.json").read_text())
    assert [row["share"][0] for row in found["rows"]] == [0.0, 0.0]
    assert [row["forfeits"] for row in found["rows"]] == [4, 4]
    assert found["scale"][-1]["player"] == "nonsense"
    assert (tmp_path / "results.md").read_text() in out
    transcript = (tmp_path / "transcript.jsonl").read_text()
    assert banquet(*run)[0] == 0
    assert (tmp_path / "transcript.jsonl").read_text() == transcript


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((GAME,), "give --player NAME"),
        ((GAME, "--player", "clever"), "no player named 'clever'"),
        ((GAME, "--player", "nonsense", "--legal", "some"), "--legal some: choose listed or hidden"),
        ((GAME, "--player", "nonsense", "--set", "huge"), "--set huge: choose small or full"),
        (("no_such_game", "--rules"), "no game named"),
        ((GAME, "-p", "1", "--player", "nonsense"), "two players or more"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path, args, words):
    code, _, err = banquet(*args, "--out", str(tmp_path / "run"))
    assert code == 2
    assert words in err
    assert err.count("\n") == 1
