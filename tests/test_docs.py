"""Docs that cannot drift: generated parts are fresh, snippets run, every game has a golden playthrough."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
import typer

import generate
from banquet_envs import game_spec
from banquet_envs.testing.golden import golden_configuration, playthrough
from banquet_training.cli import app
from tests.shipped import SHIPPED

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(game_spec(name).folder / "README.md" for name in SHIPPED),
]
BLOCK = re.compile(r"^```([\w{}-]*)(?: (\S+))?\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""Language, the name of the file that it is, if any, and the text."""
WITH_PYTHON = [page for page in PAGES if "```python\n" in page.read_text()]
COMMAND = re.compile(r"^(?:banquet|python -m connect_four) (\w.*?)(?: +#.*)?$", re.MULTILINE)


def test_generated_parts_are_fresh():
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_snippets_run(page, tmp_path, monkeypatch):
    """A page's blocks from top to bottom in one folder, as a reader would: those that bear a file's name are written there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for language, file, code in BLOCK.findall(page.read_text()):
        if file and "/" not in file:
            Path(file).write_text(code)
        elif language == "python" and not file:
            exec(compile(code, f"{page.name}: {code[:60]!r}", "exec"), {"__name__": "snippet"})


@pytest.mark.parametrize(
    "page", ["README", "docs/first_agent", "docs/own_components", "docs/experiment", "docs/add_a_game"]
)
def test_beginners_need_public_names_only(page):
    used = re.findall(r"^from (banquet_[\w.]+) import", (ROOT / f"{page}.md").read_text(), re.MULTILINE)
    assert used
    assert set(used) <= {*generate.FRONTS, "banquet_training.cli"}


def test_commands_of_the_pages_are_commands(tmp_path, monkeypatch):
    """Names, options and the kinds of their values, parsed and not carried out."""
    monkeypatch.chdir(tmp_path)
    root = typer.main.get_command(app)
    seen = 0
    for page in PAGES:
        for language, _, text in BLOCK.findall(page.read_text()):
            for words in COMMAND.findall(text) if language in ("", "sh", "text") else ():
                name, *rest = shlex.split(words)
                assert name in root.commands, f"{page.name}: banquet {words}"
                try:
                    root.commands[name].make_context(name, rest)
                except click.ClickException as error:
                    raise AssertionError(f"{page.name}: banquet {words}: {error.format_message()}") from error
                seen += 1
    assert seen > 15


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
