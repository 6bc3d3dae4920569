"""The documentation site: `make site` builds it from the pages of the project as they lie, and from docstrings.

The source folder is the project's root, so that a link between two pages works here as it does in a checkout.
"""

import re
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

sys.path.insert(0, str(Path(__file__).parent))
import generate
from banquet_envs import __version__

project = "banquet-envs"
author = "The banquet-envs authors"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "agents/README.md", "docs/**.md", "benchmarks/results/**.md",
    "banquet_envs/games/*/README.md",
]  # fmt: skip
exclude_patterns = ["docs/results/*_*.md"]  # tables without a title, which docs/results/README.md lists
html_theme = "furo"
html_title = f"banquet-envs {release}"
html_copy_source = False
html_show_copyright = False
myst_heading_anchors = 4
default_role = "code"
autodoc_typehints = "none"  # docstrings give shapes and dtypes
napoleon_use_ivar = True  # a property that the class's own text names, too, is one thing
linkcheck_anchors = False

REFERENCE = Path(__file__).parent / "reference"


def write_reference(app: Sphinx) -> None:
    """A page of docstrings for each public module; every object on the page of the first that exports it."""
    REFERENCE.mkdir(exist_ok=True)
    seen: set[int] = set()
    for name in generate.FRONTS:
        _, exported = generate.front(name)
        lines = [f"# {name}", "", "```{eval-rst}", f".. automodule:: {name}", "   :no-members:", ""]
        for key, value in sorted(exported.items()):
            if id(value) not in seen and (kind := generate.kind(value)):
                seen.add(id(value))
                lines += [f".. auto{kind}:: {name}.{key}", "   :members:" if kind == "class" else "", ""]
        _write_if_new(REFERENCE / f"{name}.md", "\n".join([*lines, "```", ""]))


def _write_if_new(file: Path, text: str) -> None:
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """The first page under its usual name; and nothing in the site may be loaded from elsewhere."""
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    (out / "index.html").write_text('<!doctype html><meta http-equiv="refresh" content="0; url=docs/index.html">\n')
    loads = re.compile(
        r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=.?(?:https?:)?//|@import|url\(.?(?:https?:)?//"
    )
    for file in [*out.rglob("*.html"), *out.rglob("*.css")]:
        if found := loads.search(file.read_text()):
            raise SphinxError(f"{file.relative_to(out)} loads from the network: {found.group()}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_reference)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
