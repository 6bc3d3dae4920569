"""Players that read and write. A player is anything with `reply(prompt: str) -> str`, a plain function included."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from banquet_agents.registry import make_agent
from banquet_agents.words.episode import Episode
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import import_module_here

KINDS = (
    "chat:MODEL@URL (a server of the chat-completions protocol), local:FOLDER (a model on disk), recording:FILE (a transcript),"
    " agent:NAME (an agent's moves in words), nonsense, package.module:factory"
)
KEY = "BANQUET_CHAT_KEY"
"""The environment variable with the key for a chat server."""


class Reply(str):
    """An answer that knows what it cost.

    Attributes:
        tokens: such as {"prompt": 2100, "completion": 40}; empty when not known.
    """

    tokens: dict[str, int]

    def __new__(cls, text: str, tokens: dict[str, int] | None = None) -> Reply:
        """An answer with its tokens."""
        made = super().__new__(cls, text)
        made.tokens = tokens or {}
        return made


Player = Callable[[str], str]
"""`reply(prompt) -> answer`."""


@runtime_checkable
class SeatedPlayer(Protocol):
    """A stand-in that must know the table it sits at: one `reply` for each game."""

    def sit(self, episode: Episode) -> Player:
        """The player of this game."""
        ...


def make_player(game: Game, name: str) -> Player | SeatedPlayer:
    """The player called `name`.

    Args:
        game: the Game it will play.
        name: one of the kinds above; a factory is called with the game and returns a function of the prompt.

    Raises:
        OptionError: no such player, or something that it needs is missing.
    """
    kind, colon, rest = name.partition(":")
    if name == "nonsense":
        return nonsense
    if kind == "agent" and rest:
        return AgentInWords(make_agent(game, rest))
    if kind == "recording" and rest:
        return Recording(Path(rest))
    if kind == "chat" and "@" in rest:
        from banquet_agents.words.chat import ChatPlayer

        model, _, url = rest.rpartition("@")
        return ChatPlayer(url, model, os.environ.get(KEY))
    if kind == "local" and rest:
        from banquet_agents.words.local import LocalPlayer

        return LocalPlayer(rest)
    if colon and kind not in ("chat", "local", "recording", "agent"):
        return _users_own(game, name)
    raise OptionError(f"no player named {name!r}; choose {KINDS}")


def nonsense(prompt: str) -> str:
    """Answers with prose and no move, whatever is asked."""
    return "What a splendid evening! I should like another glass of wine, and perhaps the pudding."


class AgentInWords:
    """Says in words what an agent does: what reading and writing alone cost, and a measure for players that read.

    Args:
        agent: as `make_agent` gives it. It sees what every agent sees, not the prompt.
    """

    def __init__(self, agent: Any) -> None:
        self._agent = agent

    def sit(self, episode: Episode) -> Player:
        """The player of this game."""
        return lambda prompt: json.dumps({"move": episode.in_words(self._agent)}, ensure_ascii=False)


class Recording:
    """Answers as a transcript did, to the very same prompts.

    Args:
        file: a `transcript.jsonl`.

    Raises:
        OptionError: the file is no transcript.
    """

    def __init__(self, file: Path) -> None:
        from banquet_agents.words.journal import read_lines

        self._file = file
        self._replies = {line.prompt_hash: line.reply for line in read_lines(file)}

    def __call__(self, prompt: str) -> str:
        """The recorded answer.

        Raises:
            OptionError: this was not asked then.
        """
        key = prompt_hash(prompt)
        if key not in self._replies:
            raise OptionError(f"{self._file}: holds no answer to this prompt (hash {key})")
        return self._replies[key]


def prompt_hash(prompt: str) -> str:
    """A short hash of a prompt."""
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]


def _users_own(game: Game, name: str) -> Player | SeatedPlayer:
    module, _, attribute = name.partition(":")
    try:
        player = getattr(import_module_here(module), attribute)(game)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise OptionError(f"player {name!r}: {error}") from error
    if not callable(player) and not isinstance(player, SeatedPlayer):
        raise OptionError(
            f"player {name!r}: the factory must return a function of the prompt, found {type(player).__name__}"
        )
    return player  # type: ignore[no-any-return]
