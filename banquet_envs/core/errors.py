"""Errors that users of the library can meet. All of them are ValueErrors with one readable message."""

from __future__ import annotations


class BanquetError(ValueError):
    """Base of every error that the library raises for a caller's mistake."""


class OptionError(BanquetError):
    """An option, player count, reward scheme or name that the library does not know."""


class ComponentsError(OptionError):
    """A components file that cannot be used; the message names the file and the entry."""


class IllegalActionError(BanquetError):
    """An action that the rules do not allow now; nothing has been changed."""


class ActionTypeError(IllegalActionError, TypeError):
    """An action that is no whole number, or a batch that is not one whole number per game: refused under every setting."""


class ResetNeededError(BanquetError, AttributeError):
    """An environment was used before its first `reset()`."""


class GameOverError(IllegalActionError):
    """An action in a game that has already ended; nothing has been changed."""


class AgentError(BanquetError):
    """An agent that failed: it raised while it was made or while it was asked; what it raised is the cause."""


class DivergedError(BanquetError):
    """Training has made weights that are no numbers any more."""


class SaveError(BanquetError):
    """Saved bytes that belong to another game, option set, rules version or components file."""
