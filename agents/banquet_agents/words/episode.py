"""One game in which some seats read and write and the others are agents, as a dialogue: a question, an answer, the next question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from banquet_agents.words.prompt import Fault, Style, again, prompt, read_move, without_rules
from banquet_envs.core.errors import AgentError, IllegalActionError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.table import Table
from banquet_envs.words import History, action_texts, parse_action, rules_text

OnFault = Literal["forfeit", "random", "error"]
_ROW = np.zeros(1, np.int64)


@dataclass
class Counts:
    """What became of a seat's answers.

    Attributes:
        calls: questions asked, second chances included.
        moves: decisions that were the seat's own.
        unreadable, illegal: answers refused, by reason.
        second_chances: decisions that needed one.
        random: decisions left to chance after two refused answers.
        forfeits: games given up after two refused answers.
    """

    calls: int = 0
    moves: int = 0
    unreadable: int = 0
    illegal: int = 0
    second_chances: int = 0
    random: int = 0
    forfeits: int = 0

    def add(self, other: Counts) -> None:
        """Add another's numbers."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


@dataclass(frozen=True)
class Question:
    """What a seat is asked.

    Attributes:
        seat: who is asked.
        ply: decisions taken so far in the game.
        attempt: 0, or 1 for the second chance.
        prompt: the text, complete in itself.
        reminder: the same without the rules, for players who remember that they were told them.
    """

    seat: int
    ply: int
    attempt: int
    prompt: str
    reminder: str


class Episode:
    """A game between readers and agents. The agents' moves are played as soon as it is their turn.

    Args:
        game: the Game.
        word: the game's seed word (`spawn_seeds`).
        agents: by seat, those who are not asked in words; every other seat reads.
        style: how questions are put.
        on_fault: what two refused answers in a row mean: "forfeit" ends the game, the seat is last and the others share
            the win; "random" plays a legal action by lot; "error" raises AgentError.
        salt: chance of the agents and of "random", apart from the game's own.

    Attributes:
        question: what is to be answered next; None when the game is over.
        rules: the game's rules as they are told.
        history: the moves so far.
        counts: by reading seat.
        answer_was: what became of the last answer: "legal", "illegal" or "unreadable".

    Raises:
        OptionError: an unknown `on_fault`, or no such seat.
    """

    def __init__(
        self,
        game: Game,
        word: int | np.integer,
        agents: Mapping[int, Any],
        style: Style = Style(),  # noqa: B008  (frozen)
        on_fault: OnFault = "forfeit",
        salt: int = 0,
    ) -> None:
        if on_fault not in ("forfeit", "random", "error"):
            raise OptionError(f"on_fault={on_fault!r} is not allowed; choose forfeit, random or error")
        if strangers := set(agents) - set(range(game.num_players)):
            raise OptionError(f"{game.name} with {game.num_players} players has no seat {min(strangers)}")
        self.game, self.style, self.on_fault = game, style, on_fault
        self.rules = rules_text(game)
        self.history = History(game)
        self.counts = {seat: Counts() for seat in range(game.num_players) if seat not in agents}
        self.answer_was = ""
        self.question: Question | None = None
        self._agents = agents
        self._given_up: int | None = None
        self._table = Table(game, 1, salt)
        self._table.begin(_ROW, np.array([word], np.uint64))
        self._go_on()

    @property
    def record(self) -> Any:
        """The position; not for the players' eyes."""
        return self._table.states[0]

    @property
    def over(self) -> bool:
        """Whether the game has ended, by the rules or by forfeit."""
        return self._given_up is not None or bool(self._table.over[0])

    def answer(self, reply: str) -> None:
        """Take the answer to `question`; the next question is then there, or none.

        Raises:
            AgentError: the second refused answer in a row with `on_fault="error"`.
            OptionError: nothing was asked.
        """
        asked = self.question
        if asked is None:
            raise OptionError(f"{self.game.name}: nothing was asked: the game is over")
        counts, move = self.counts[asked.seat], read_move(reply)
        counts.calls += 1
        counts.second_chances += asked.attempt
        fault: Fault = "unreadable"
        if move is not None:
            try:
                action = parse_action(self.game, self.record, move)
            except IllegalActionError:
                fault = "illegal"
            else:
                self.answer_was = "legal"
                counts.moves += 1
                self._play(action)
                self._go_on()
                return
        self.answer_was = fault
        setattr(counts, fault, getattr(counts, fault) + 1)
        if asked.attempt == 0:
            both = (again(text, fault, move) for text in (asked.prompt, asked.reminder))
            self.question = Question(asked.seat, asked.ply, 1, *both)
        else:
            self._fault(asked.seat, fault, move)

    def _fault(self, seat: int, fault: Fault, move: str | None) -> None:
        if self.on_fault == "error":
            raise AgentError(
                f"seat {seat} of {self.game.name}: two answers in a row were refused, the last {fault} ({move!r})"
            )
        if self.on_fault == "forfeit":
            self.counts[seat].forfeits += 1
            self._given_up, self.question = seat, None
            return
        self.counts[seat].random += 1
        legal = np.flatnonzero(self._table.buffers.mask[0])
        self._play(int(legal[int(self._table.chance(_ROW)[0]) % len(legal)]))
        self._go_on()

    def in_words(self, agent: Any) -> str:
        """What an agent would do in the seat that is asked, in words: a stand-in for a player who writes."""
        action = self._table.ask_one(agent)
        return next(text for text, number in action_texts(self.game, self.record).items() if number == action)

    def _play(self, action: int) -> None:
        self.history.note(self.record, action)
        self._table.play_one(action)

    def _go_on(self) -> None:
        """Play the agents' moves up to the next question or the end."""
        while not self._table.over[0]:
            seat = int(self._table.player[0])
            if seat not in self._agents:
                text = prompt(self.game, self.record, self.history, self.style, self.rules)
                self.question = Question(seat, int(self.record.ply), 0, text, without_rules(text, self.rules))
                return
            self._play(self._table.ask_one(self._agents[seat]))
        self.question = None

    def places(self) -> list[int]:
        """By seat, 1 is best, ties share; after a forfeit the seat is last and the others are first.

        Raises:
            OptionError: the game is not over.
        """
        if not self.over:
            raise OptionError(f"{self.game.name}: the game is not over")
        seats = range(self.game.num_players)
        if self._given_up is not None:
            return [self.game.num_players if seat == self._given_up else 1 for seat in seats]
        return [int(self.record.place[seat]) + 1 for seat in seats]

    def shares(self) -> list[float]:
        """By seat, the share of the win."""
        places = self.places()
        return [(place == 1) / places.count(1) for place in places]

    def points(self) -> list[int]:
        """By seat, the points so far."""
        return [int(self.record.points[seat]) for seat in range(self.game.num_players)]
