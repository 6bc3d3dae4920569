"""The games as a verifiers environment, run by its own `vf-eval` on a stand-in model behind a server of our own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shipped import SHIPPED
from tests.words.stand_in import chat_server

pytest.importorskip("verifiers.v1")
ROOT = Path(__file__).parents[2]


def test_tasks_are_deals_from_every_seat():
    from banquet_words import BanquetConfig, BanquetTaskset

    tasks = list(BanquetTaskset(BanquetConfig(game="dinner_party", players=3, opponent="random")).take(6))
    assert [(task.data.seed, task.data.seat) for task in tasks] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert all(f"You are seat {task.data.seat} of 3" in task.data.prompt for task in tasks)
    assert len({task.key for task in tasks}) == 6


GAMES = [name if name == "great_evening_banquet" else pytest.param(name, marks=pytest.mark.long) for name in SHIPPED]


@pytest.mark.skipif(shutil.which("uv") is None, reason="verifiers starts its chat program with uv")
@pytest.mark.parametrize("game", GAMES)
def test_its_own_runner_plays_a_game(game, tmp_path):
    with chat_server() as (url, asked):
        command = [
            str(Path(sys.executable).with_name("vf-eval")), "banquet-words", "--env.taskset.game", game,
            "--env.taskset.opponent", "random", "--model", "stand-in", "--client.base-url", url, "-n", "2", "-c", "1",
            "--no-push", "--no-rich", "--output-dir", str(tmp_path), "--run.dir", "run",
        ]  # fmt: skip
        path = os.pathsep.join([str(ROOT), str(ROOT / "agents"), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, check=False
        )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    lines = [json.loads(line) for line in (tmp_path / "run" / "traces.jsonl").read_text().splitlines()]
    traces = [trace for line in lines for trace in line.get("traces", [line])]
    assert len(traces) == 2
    assert all(trace["metrics"]["finished"] == 1.0 and trace["metrics"]["forfeits"] == 0.0 for trace in traces), traces
    assert all(trace["rewards"]["win_share"]["score"] in (0.0, 0.5, 1.0) for trace in traces)
    assert "# Rules" in asked[0]
    assert "As you were told." in asked[1]
