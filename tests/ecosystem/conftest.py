"""Scripts under training/ as modules; their libraries are optional, and tests without theirs are skipped."""

import importlib.util
import sys
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "training"


def script(name):
    """The module training/<name>.py."""
    spec = importlib.util.spec_from_file_location(name, TRAINING / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run(monkeypatch, capsys):
    """run(name, *arguments): what training/<name>.py prints, called as from the command line."""

    def called(name, *arguments):
        monkeypatch.setattr(sys, "argv", [f"{name}.py", *map(str, arguments)])
        script(name).main()
        return capsys.readouterr().out

    return called


@pytest.fixture(autouse=True)
def one_torch_thread():
    """Small networks, and neighbours that test, too."""
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
