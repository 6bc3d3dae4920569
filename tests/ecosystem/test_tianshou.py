"""Tianshou: the script trains, and what it saves plays."""

import pytest

pytest.importorskip("tianshou", reason="the tianshou extra is not installed: make ecosystem")


def test_trains_and_saves_what_plays(run, tmp_path):
    told = run("tianshou_dqn", "--epochs", 1, "--steps", 400, "--matches", 4, "--folder", tmp_path)
    assert "gradient steps" in told
    assert "| greedy | all | 4 |" in told
