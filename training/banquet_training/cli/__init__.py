"""The command `banquet`: `commands` has what it can do, `terminal` what the commands share."""

from banquet_training.cli.commands import app, main

__all__ = ["app", "main"]
