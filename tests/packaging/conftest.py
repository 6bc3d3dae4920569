"""An environment with the wheel in it, built from what git tracks; the libraries it needs are those of the tests."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SITE = Path(sysconfig.get_path("purelib"))
BLOCKER = """
import importlib.metadata, os, sys

class Blocker:
    '''With ONLY_REQUIRED set, whatever an installation without extras would lack cannot be imported.'''
    lacking = set(os.environ.get("ONLY_REQUIRED", "").split())
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.lacking:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""


@dataclass
class Installed:
    """A virtual environment with the wheel."""

    source: Path
    """What git tracks, and `dist/`."""
    bin: Path
    packages: Path

    def run(self, *words, cwd, bare=True, **environment):
        """A command of the environment, with plain Python rules: nothing here is about speed."""
        kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
        kept |= {"NUMBA_DISABLE_JIT": "1", "ONLY_REQUIRED": " ".join(not_required()) if bare else ""} | environment
        command = [str(self.bin / words[0]), *map(str, words[1:])]
        return subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packaging")
    source = folder / "source"
    for name in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    # the source distribution first, and the wheel from it: what one lacks the other lacks, too
    subprocess.run([sys.executable, "-m", "build", "--no-isolation"], cwd=source, check=True, capture_output=True)
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    (wheel,) = (source / "dist").glob("*.whl")
    install = ["install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *install], check=True, capture_output=True)
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.strip())
    (packages / "sitecustomize.py").write_text(BLOCKER)
    (packages / "libraries.pth").write_text(f"{SITE}\n")
    return Installed(source, python.parent, packages)


def not_required() -> set[str]:
    """The importable names of all that is installed here and that banquet-envs, without extras, does not bring along."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed, waiting = {"banquet-envs"}, [_name(text) for text in project["dependencies"]]
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        try:
            asked = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:  # for another platform
            continue
        waiting += [_name(text) for text in asked if "extra ==" not in text]
    found = importlib.metadata.packages_distributions()
    return {module for module, owners in found.items() if not {_name(o) for o in owners} & needed}


def _name(requirement: str) -> str:
    """The distribution that a requirement is about, as every index spells it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[ ;<>=!~\[(]", requirement)[0]).lower()
