"""The version stands in one place, and what else names it agrees."""

import re
import tomllib
from pathlib import Path

import yaml

from banquet_envs import __version__

ROOT = Path(__file__).parent.parent.parent


def test_version_changelog_and_citation_agree():
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest
    assert newest.group(1) == __version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == __version__


def test_lower_bounds_are_no_higher_than_what_was_tested():
    """Every direct dependency has a version that was tested with the others."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tested = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        name, _, version = line.partition("==")
        tested[re.sub(r"[-_.]+", "-", name).lower()] = version
    extras = [
        text
        for key, texts in project["optional-dependencies"].items()
        if key in ("render", "train", "tournament", "ray", "docs", "dev")
        for text in texts
    ]
    for text in project["dependencies"] + extras:
        name, _, least = text.partition(">=")
        if not name.startswith("banquet-envs"):
            found = tested[re.sub(r"[-_.]+", "-", name).lower()]
            assert _numbers(found) >= _numbers(least), text


def _numbers(version):
    return [int(k) for k in re.findall(r"\d+", version)[:3]]
