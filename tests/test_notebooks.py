"""The example notebooks run from top to bottom, and their pictures are shown inline."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="needs the extra notebook")
nbclient = pytest.importorskip("nbclient", reason="needs the extra notebook")
pytest.importorskip("ipykernel", reason="needs the extra notebook")

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=[file.stem for file in NOTEBOOKS])
def test_notebook_runs(file, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(str(ROOT / part) for part in (".", "agents", "training")))
    notebook = nbformat.read(file, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    done = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = [out for cell in done.cells for out in cell.get("outputs", []) if "image/svg+xml" in out.get("data", {})]
    assert len(shown) == 2
