"""Training by self-play, and the command line."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from banquet_training.pool import OpponentPool
    from banquet_training.selfplay import SelfPlayVecEnv
    from banquet_training.settings import Settings, load_settings, overlaid
    from banquet_training.trainer import Outcome, imitate, resume, train

__all__ = [
    "OpponentPool",
    "Outcome",
    "SelfPlayVecEnv",
    "Settings",
    "imitate",
    "load_settings",
    "overlaid",
    "resume",
    "train",
]

_HOMES = {
    "OpponentPool": "pool",
    "Outcome": "trainer",
    "SelfPlayVecEnv": "selfplay",
    "Settings": "settings",
    "imitate": "trainer",
    "load_settings": "settings",
    "overlaid": "settings",
    "resume": "trainer",
    "train": "trainer",
}


def __getattr__(name: str) -> Any:
    """Imports when first asked for: torch takes seconds, which `banquet info` need not wait for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
