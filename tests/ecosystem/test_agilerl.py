"""AgileRL: the script trains over a batch of games with masks, and its agent plays at our tables."""

import pytest

pytest.importorskip("agilerl", reason="the agilerl extra is not installed: make ecosystem")


def test_trains_and_plays(run, tmp_path):
    told = run("agilerl_dqn", "--steps", 800, "--games", 16, "--matches", 4, "--folder", tmp_path)
    assert "| greedy | all | 4 |" in told
    assert (tmp_path / "agilerl.pt").is_file()
