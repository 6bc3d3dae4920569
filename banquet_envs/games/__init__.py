"""The games: every folder here that has rules is registered under its own name, and imported when first made."""

from pathlib import Path

from banquet_envs.core.registry import register_game

for _folder in sorted(Path(__file__).parent.iterdir()):
    if (_folder / "rules.py").exists():
        register_game(f"{__name__}.{_folder.name}.rules:SPEC", _folder.name)
