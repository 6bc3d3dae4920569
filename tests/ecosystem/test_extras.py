"""Without its library an adapter says which extra to install."""

import importlib
import sys

import pytest

from banquet_envs import BanquetError


@pytest.mark.parametrize(
    ("adapter", "library"), [("rllib", "ray"), ("openspiel", "pyspiel"), ("pufferlib", "pufferlib")]
)
def test_a_missing_library_is_named_with_its_extra(adapter, library, monkeypatch):
    for name in [m for m in sys.modules if m.split(".")[0] == library or m == f"banquet_envs.adapters.{adapter}"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BanquetError, match=rf'needs the {adapter} extra: pip install "banquet-envs\[{adapter}\]"'):
        importlib.import_module(f"banquet_envs.adapters.{adapter}")
