"""Docs that cannot drift: generated parts are fresh, snippets run, every game has a golden playthrough."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from banquet_envs import game_spec
from banquet_envs.testing.golden import golden_configuration, playthrough
from tests.shipped import SHIPPED

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SNIPPETS = [
    (page, k, code)
    for page in PAGES
    for k, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


def test_generated_parts_are_fresh():
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("page", "number", "code"), SNIPPETS, ids=[f"{p.stem}-{k}" for p, k, _ in SNIPPETS])
def test_snippets_run(page, number, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, f"{page.name}, snippet {number}", "exec"), {"__name__": "snippet"})


@pytest.mark.parametrize("game", SHIPPED)
def test_golden_playthrough(game):
    kept = ROOT / "tests" / "golden" / f"{game}.txt"
    assert kept.exists(), f"{game} has no golden playthrough: run `make docs`"
    assert playthrough(golden_configuration(game)) == kept.read_text(), (
        "the game plays otherwise than recorded: if that is meant, bump its version, note it in CHANGELOG.md, run `make docs`"
    )


@pytest.mark.parametrize("game", SHIPPED)
def test_readmes_name_every_option(game):
    spec = game_spec(game)
    text = (spec.folder / "README.md").read_text()
    for option in spec.options:
        assert f"`{option.name}`" in text, f"{game}'s README does not explain {option.name}"


def test_no_machine_paths_in_the_project():
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in files:
        file = ROOT / name
        if file.suffix in {".py", ".md", ".toml", ".txt", ".cff", ""} and file.exists() and file.is_file():
            assert not re.search(r"(/home|/root|/work|/tmp)/\w", file.read_text(errors="ignore")), name


def test_links_within_the_project_lead_somewhere():
    files = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    broken = []
    for name in files:
        for target in re.findall(r"\]\(([^)#\s]+)", (ROOT / name).read_text()):
            if "://" not in target and not (ROOT / name).parent.joinpath(target).exists():
                broken.append(f"{name}: {target}")
    assert files
    assert not broken
