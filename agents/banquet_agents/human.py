"""A person at the terminal as a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rich.text import Text

from banquet_envs.core.game import Game

FOLD = 24
"""Choices that are listed at once."""


class Quit(BaseException):
    """The person has left the game: no error, so nobody who handles errors may catch it."""


class Undo(BaseException):
    """The person takes their last choice back: no error either."""


class HumanAgent:
    """Asks a person. It is handed determinised records like any other agent, and shows only what the seat may know.

    Args:
        game: the Game.
        ask: shows a prompt and returns the answer, such as `input`.
        say: shows text, a str or a rich Text.
        hint: words of advice on a record, determinised for the seat to move; without it there are no hints.
        undo: whether choices may be taken back: `act` then raises Undo.
    """

    name = "you"

    def __init__(
        self,
        game: Game,
        ask: Callable[[str], str] = input,
        say: Callable[[Any], Any] = print,
        hint: Callable[[np.ndarray], str] | None = None,
        undo: bool = False,
    ) -> None:
        self.game = game
        self.ask = ask
        self.say = say
        self.hint = hint
        self.undo = undo

    def help(self) -> str:
        """What may be typed, in one line."""
        more = [("hint", "advice")] * (self.hint is not None) + [("undo", "take your last choice back")] * self.undo
        typed = [("number or words", "play that choice"), ("all", "list every choice"), *more]
        return " · ".join(
            f"{what}: {does}" for what, does in [*typed, ("?", "show the position again"), ("q", "leave")]
        )

    def act(self, states: np.ndarray) -> np.ndarray:
        """int64 (n,): the person's choice in each game, one after another.

        Raises:
            Quit, Undo: the person wants that instead.
        """
        masks = self.game.legal_actions(states.view(np.recarray))
        return np.array(
            [self._choose(states[k : k + 1], np.flatnonzero(masks[k])) for k in range(len(states))], np.int64
        )

    def _choose(self, state: np.ndarray, legal: np.ndarray) -> int:
        words = [self.game.action_text(state, int(action)) for action in legal]
        self._show(state, legal, words)
        while True:
            try:
                answer = " ".join(self.ask("your choice (? for help): ").lower().split())
            except EOFError:
                raise Quit from None
            if not self._command(answer, state, legal, words):
                picked = picked_by(answer, words)
                if len(picked) == 1:
                    return int(legal[picked[0]])
                self._refuse(answer, picked, legal, words)

    def _command(self, answer: str, state: np.ndarray, legal: np.ndarray, words: list[str]) -> bool:
        """Whether the answer was a command, which then has been carried out."""
        if answer in ("q", "quit", "exit"):
            raise Quit
        if answer in ("u", "undo") and self.undo:
            raise Undo
        if answer in ("?", "h", "help"):
            self._show(state, legal, words)
            self.say(self.help())
        elif answer == "all":
            self._list(range(len(legal)), legal, words)
        elif answer == "hint" and self.hint is not None:
            self.say(self.hint(state))
        else:
            return False
        return True

    def _refuse(self, answer: str, picked: list[int], legal: np.ndarray, words: list[str]) -> None:
        if picked:
            self.say(f"{answer!r} may be {len(picked)} choices:")
            self._list(picked[:FOLD], legal, words)
        else:
            self.say(f"{answer or 'nothing'!r} is none of the choices 1 to {len(legal)} ({self.help()})")

    def _show(self, state: np.ndarray, legal: np.ndarray, words: list[str]) -> None:
        seat = int(state["player"][0])
        self.say("")
        self.say(self.game.describe(state, seat))
        self.say("")
        self.say(Text(f"You are seat {seat} and to move:", "bold"))
        shown = len(legal) if len(legal) <= FOLD else FOLD - 4
        self._list(range(shown), legal, words)
        if shown < len(legal):
            self.say(f"  ... and {len(legal) - shown} more: type a word of what you look for, or all")

    def _list(self, choices: Any, legal: np.ndarray, words: list[str]) -> None:
        """Choices with their numbers, the actions' own numbers small beside them."""
        for k in choices:
            self.say(Text.assemble((f"{k + 1:4d}", "bold cyan"), f"  {words[k]}", (f"  [action {legal[k]}]", "dim")))


def picked_by(answer: str, words: list[str]) -> list[int]:
    """The choices that an answer may mean: its number counted from 1, its exact words, or some words of it."""
    if answer.isdecimal():
        number = int(answer) if len(answer) < 10 else 0
        return [number - 1] if 1 <= number <= len(words) else []
    lower = [text.lower() for text in words]
    if answer in lower:
        return [lower.index(answer)]
    typed = answer.split()
    return [k for k, text in enumerate(lower) if all(word in text for word in typed)] if typed else []
