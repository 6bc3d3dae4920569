"""The wheel in an environment of its own: complete, light, and at home in other people's folders."""

import shutil
import tarfile
import zipfile

import pytest

pytestmark = pytest.mark.long

ENTRANCES = ("banquet_envs", "banquet_agents", "banquet_training")

SCRIPT = """
import gymnasium
import banquet_envs
env = gymnasium.make("banquet/PoliteSociety-v0", players=3, opponents="greedy")
observation, info = env.reset(seed=1)
for _ in range(5):
    observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
print(banquet_envs.__file__)
"""


def test_the_wheel_and_the_source_distribution_are_complete(installed):
    (wheel,) = (installed.source / "dist").glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in (installed.source, installed.source / "agents", installed.source / "training"):
        for entrance in ENTRANCES:
            for file in (folder / entrance).rglob("*"):
                if file.is_file() and file.suffix in {".py", ".toml", ".typed", ".ttf"}:
                    assert str(file.relative_to(folder)) in names
    assert {f"{entrance}/py.typed" for entrance in ENTRANCES} <= names
    assert not {name for name in names if name.split("/")[0] in ("tests", "docs", "benchmarks", "agents", "training")}
    (archive,) = (installed.source / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        kept = {name.partition("/")[2] for name in opened.getnames()}
    assert {"Makefile", "constraints.txt", "CITATION.cff", "tests/conftest.py", "docs/conf.py"} <= kept


def test_without_extras_it_plays_and_says_what_more_needs(installed, tmp_path):
    told = installed.run("python", "-c", SCRIPT, cwd=tmp_path)
    assert told.stdout.strip().startswith(str(installed.packages)), told.stderr
    fronts = (
        "import sys, banquet_envs.testing, banquet_agents.arena, banquet_training.cli; print('torch' in sys.modules)"
    )
    assert installed.run("python", "-c", fronts, cwd=tmp_path).stdout == "False\n"
    assert "polite_society" in installed.run("banquet", "list", cwd=tmp_path).stdout
    played = installed.run("banquet", "match", "polite_society", "greedy", "random", "--games", "4", cwd=tmp_path)
    assert "greedy" in played.stdout, played.stderr
    tournament = (
        "tournament",
        "polite_society",
        "--agents",
        "random,greedy",
        "--games",
        "4",
        "--workers",
        "1",
        "--out",
        "t",
    )
    for words, extra in ((("train", "polite_society", "--steps", "64"), "train"), (tournament, "tournament")):
        refused = installed.run("banquet", *words, cwd=tmp_path)
        assert refused.returncode == 2
        assert f"pip install 'banquet-envs[{extra}]'" in refused.stderr


@pytest.fixture
def crowded(installed, tmp_path):
    """A user's folder with `agents` and `training` of its own, and a distribution whose import name is `agents`."""
    for name in ("agents", "training", "envs", "games", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise RuntimeError('somebody else\\'s {name}')\n")
    other = installed.packages / "agents"
    other.mkdir()
    (other / "__init__.py").write_text("from __future__ import annotations\nOWNER = 'other-agents'\n")
    (installed.packages / "other_agents-1.0.dist-info").mkdir()
    (installed.packages / "other_agents-1.0.dist-info" / "METADATA").write_text("Name: other-agents\nVersion: 1.0\n")
    yield tmp_path
    shutil.rmtree(other)
    shutil.rmtree(installed.packages / "other_agents-1.0.dist-info")


def test_it_gets_along_with_folders_and_distributions_of_the_same_names(installed, crowded):
    (crowded / "script.py").write_text(SCRIPT)
    told = installed.run("python", "script.py", cwd=crowded)
    assert told.stdout.strip().startswith(str(installed.packages)), told.stderr
    for words in (
        ("info", "polite_society"),
        ("list",),
        ("match", "polite_society", "greedy", "random", "--games", "4"),
        ("tournament", "polite_society", "--agents", "random,greedy", "--games", "4", "--workers", "2", "--out", "t"),
    ):
        done = installed.run("banquet", *words, cwd=crowded, bare=False)
        assert done.returncode == 0, done.stderr
        module = installed.run("python", "-m", "banquet_training", *words[:2], "--help", cwd=crowded)
        assert module.returncode == 0, module.stderr


USERS_SCRIPT = '''
"""What a user may write, with types."""

import numpy as np

from banquet_agents import adapt, make_agent
from banquet_agents.arena import Estimate, play_match
from banquet_envs import Game, list_games, make_game
from banquet_envs.envs import BanquetAEC, BanquetVector
from banquet_training import Settings, load_settings


def highest(observation: dict[str, np.ndarray], agent: str) -> int:
    return int(np.flatnonzero(observation["action_mask"])[-1])


def main() -> None:
    game: Game = make_game(list_games()[0], players=2)
    states = game.reset(8, seed=1)
    actions = make_agent(game, "greedy").act(states)
    game.step(states, actions)
    share: Estimate = play_match(game, [("highest", adapt(game, highest)), "greedy"], games=8).estimate("share", 0)
    settings: Settings = load_settings(game.name)
    env, envs = BanquetAEC(game), BanquetVector(game, num_envs=4)
    print(share.text(percent=True), settings.ppo.n_steps, env.game_over, envs.num_envs)
'''


def test_a_users_script_passes_strict_type_checks(installed, tmp_path):
    (tmp_path / "script.py").write_text(USERS_SCRIPT)
    options = ["--strict", "--python-executable", str(installed.bin / "python"), "--cache-dir", str(tmp_path / "cache")]
    checked = installed.run("python", "-m", "mypy", *options, "script.py", cwd=tmp_path, bare=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    (tmp_path / "script.py").write_text(USERS_SCRIPT.replace("seed=1)", 'seed="one")'))
    checked = installed.run("python", "-m", "mypy", *options, "script.py", cwd=tmp_path, bare=False)
    assert 'has incompatible type "str"' in checked.stdout


def test_the_tests_pass_on_what_is_installed(installed, tmp_path):
    """A part of them: that they pass in the checkout is asked elsewhere; here files that the wheel lacks would show."""
    for name in ("tests", "docs", "benchmarks", "pyproject.toml"):
        where = installed.source / name
        (shutil.copytree if where.is_dir() else shutil.copy)(where, tmp_path / name)
    parts = ["tests/core/test_core.py", "tests/envs", "tests/agents", "tests/test_ladder.py"]
    words = ["-n2", "-q", "-p", "no:cacheprovider", *parts]
    done = installed.run("python", "-m", "pytest", *words, cwd=tmp_path, bare=False, NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
