"""A game in words, for players who read and write: language models above all.

Everything here is plain Python beside the rules. What a seat is told is what it may know, no more: texts and JSON stay the
same, bit for bit, when everything else is resampled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from banquet_envs.core.errors import IllegalActionError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.spec import Wording

__all__ = [
    "History",
    "action_texts",
    "history_text",
    "parse_action",
    "rules_text",
    "state_json",
    "state_schema",
    "state_text",
]


def rules_text(game: Game) -> str:
    """How the game is played with its very options and components, and how moves are worded.

    Raises:
        OptionError: the game has no rules in words (`GameSpec.words`).
    """
    wording = _wording(game)
    rules = game.rules[0]
    forms = "\n".join(f"- {form}" for form in wording.move_forms(rules))
    return (
        f"{game.spec.title}, {game.num_players} player{'s' * (game.num_players > 1)}.\n\n{wording.rules_text(rules)}\n\n"
        f"Moves are worded like this (what stands in <angle brackets> varies):\n{forms}"
    )


def state_text(game: Game, record: Any, seat: int | None) -> str:
    """The position in words: all that `seat` may know (None: everything)."""
    return game.describe(record, seat)


def action_texts(game: Game, record: Any) -> dict[str, int]:
    """The legal actions of a position by their words, in the order of their numbers; no two read the same.

    Where a box of one's own has names that differ in case or space only, the later ones are numbered.
    """
    found: dict[str, int] = {}
    taken: set[str] = set()
    for action in np.flatnonzero(game.legal_actions(np.asarray(record).reshape(1))[0]).tolist():
        words = text = game.action_text(record, action)
        again = 1
        while _plain(text) in taken:
            again += 1
            text = f"{words} #{again}"
        taken.add(_plain(text))
        found[text] = action
    return found


def parse_action(game: Game, record: Any, text: str) -> int:
    """The legal action that reads like `text`; case and space do not matter, everything else does.

    Raises:
        IllegalActionError: no legal action reads so.
    """
    wanted = _plain(text)
    for words, action in action_texts(game, record).items():
        if _plain(words) == wanted:
            return action
    raise IllegalActionError(f"{game.name}: no legal move reads {text!r}")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


class History:
    """The moves of a game as everybody sees them.

    Args:
        game: the Game.

    Attributes:
        moves: (seat, words) of every move so far; what a seat decides in secret is worded so.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._public = game.spec.words.public_text if game.spec.words is not None else None
        self.moves: list[tuple[int, str]] = []

    def note(self, record: Any, action: int) -> None:
        """Add the action that the seat to move in `record` is about to take."""
        game = self._game
        words = self._public(game.rules[0], record, action) if self._public else game.action_text(record, action)
        self.moves.append((int(record.player), words))


def history_text(history: History, seat: int) -> str:
    """The others' moves since the last one of `seat`, a line each; "" when there are none."""
    moves = history.moves
    own = [k for k, (mover, _) in enumerate(moves) if mover == seat]
    return "\n".join(f"seat {mover}: {words}" for mover, words in moves[own[-1] + 1 if own else 0 :])


# ---------------------------------------------------------------- as JSON


def state_json(game: Game, record: Any, seat: int | None) -> dict[str, Any]:
    """The position as plain data that JSON can hold: all that `seat` may know (None: everything). See `state_schema`.

    Raises:
        OptionError: the game has no position as data (`GameSpec.words`).
    """
    wording = _wording(game)
    players = range(game.num_players)
    return {
        "game": game.name,
        "version": game.spec.version,
        "players": game.num_players,
        "options": dict(game.options),
        "you": seat,
        "to_move": None if record.over else int(record.player),
        "over": bool(record.over),
        "points": [int(record.points[p]) for p in players],
        "places": [int(record.place[p]) + 1 for p in players] if record.over else None,
        "position": wording.state_json(game.rules[0], record, seat),
    }


def state_schema(game: Game) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what `state_json` gives for this game.

    Raises:
        OptionError: the game has no position as data (`GameSpec.words`).
    """
    from pydantic import TypeAdapter

    position = TypeAdapter(_wording(game).state_type).json_schema()
    defs = position.pop("$defs", {})
    seat = {"type": "integer", "minimum": 0}
    whole = {"type": "integer"}
    properties = {
        "game": {"const": game.name},
        "version": {"const": game.spec.version},
        "players": {"type": "integer", "minimum": game.spec.min_players, "maximum": game.spec.max_players},
        "options": _options_schema(game),
        "you": {"anyOf": [seat, {"type": "null"}], "description": "the seat whose knowledge this is"},
        "to_move": {"anyOf": [seat, {"type": "null"}]},
        "over": {"type": "boolean"},
        "points": {"type": "array", "items": whole, "description": "by seat"},
        "places": {
            "anyOf": [{"type": "array", "items": whole}, {"type": "null"}],
            "description": "by seat, 1 is best; null before the end",
        },
        "position": position,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{game.spec.title} {game.spec.version}: what a seat may know",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "$defs": defs,
    }


def _options_schema(game: Game) -> Mapping[str, Any]:
    options = {o.name: {"enum": list(o.choices), "description": o.text} for o in game.spec.options}
    return {"type": "object", "properties": options, "required": list(options), "additionalProperties": False}


def _wording(game: Game) -> Wording:
    if game.spec.words is None:
        raise OptionError(f"{game.name}: has no rules in words; its GameSpec says none (words=)")
    return game.spec.words
