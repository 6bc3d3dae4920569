"""A person at the terminal as a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banquet_envs.core.game import Game

HELP = "number: play that action · ?: show the position again · q: leave the game"


class Quit(BaseException):
    """The person has left the game: no error, so nobody who handles errors may catch it."""


class HumanAgent:
    """Asks a person. It is handed determinised records like any other agent, and shows only what the seat may know.

    Args:
        game: the Game.
        ask: shows a prompt and returns the answer, such as `input`.
        say: shows text.
    """

    name = "you"

    def __init__(self, game: Game, ask: Callable[[str], str] = input, say: Callable[[str], None] = print) -> None:
        self.game = game
        self.ask = ask
        self.say = say

    def act(self, states: np.ndarray) -> np.ndarray:
        """int64 (n,): the person's choice in each game, one after another."""
        masks = self.game.legal_actions(states.view(np.recarray))
        return np.array([self._choose(states[k], np.flatnonzero(masks[k])) for k in range(len(states))], np.int64)

    def _choose(self, record: Any, legal: np.ndarray) -> int:
        self._show(record, legal)
        while True:
            try:
                answer = self.ask("your choice (? for help): ").strip().lower()
            except EOFError:
                raise Quit from None
            if answer in ("q", "quit", "exit"):
                raise Quit
            if answer in ("?", "h", "help"):
                self._show(record, legal)
                self.say(HELP)
            elif answer.isdecimal() and int(answer) in legal:
                return int(answer)
            else:
                self.say(f"{answer or 'nothing'!r} is not one of {', '.join(str(a) for a in legal)} ({HELP})")

    def _show(self, record: Any, legal: np.ndarray) -> None:
        seat = int(record.player)
        self.say("")
        self.say(self.game.describe(record, seat))
        self.say("")
        self.say(f"You are seat {seat} and to move:")
        for action in legal:
            self.say(f"  {action:3d}  {self.game.action_text(record, int(action))}")
