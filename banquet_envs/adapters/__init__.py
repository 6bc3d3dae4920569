"""The games in the shapes that other libraries want, a module for each; only these modules import them.

`flat` needs nothing, `rllib`, `openspiel` and `pufferlib` need the extra of that name. docs/ecosystem.md shows how each is used, and
the libraries that need no adapter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from banquet_envs.core.errors import BanquetError


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports of an optional library; one that fails says which extra to install.

    Raises:
        BanquetError: the library is not installed, or cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise BanquetError(
            f'this adapter needs the {name} extra: pip install "banquet-envs[{name}]" ({error})'
        ) from error
