"""The command `banquet`: `app` is the frame and what all commands share, each other module a family of commands."""

from banquet_training.cli import comparing, learning, replay, table, words  # each puts its commands into the app
from banquet_training.cli.app import app, main

__all__ = ["app", "comparing", "learning", "main", "replay", "table", "words"]
