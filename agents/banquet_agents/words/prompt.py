"""What a reading player is asked, and how its answer is read. A change to any text here raises VERSION."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from banquet_envs.core.game import Game
from banquet_envs.words import History, action_texts, history_text, state_json, state_text

VERSION = "1"

_PROMPT = """\
You play a board game. You are seat {seat} of {players} (seats are numbered from 0). You want to win.

# Rules

{rules}

# What the others have done since your last move

{history}

# The position as you may know it

{state}

# Your move

{moves}
Think as long as you like. Then end your answer with one JSON object that holds your move, worded exactly as a legal move:
{{"move": "..."}}
"""
_LISTED = "The legal moves:\n\n{moves}\n"
_HIDDEN = "The legal moves are not listed: word one as the rules say.\n"
_NOTHING = "Nothing."
_TOLD = "As you were told."
_AGAIN = """\

# Second chance

Your last answer was refused: {why} This is your last try for this move.
"""
_WHY = {
    "unreadable": 'it held no JSON object {"move": "..."} with your move as text.',
    "illegal": "no legal move reads {move}.",
}
_SHOWN = 200
"""Characters of a refused move that are quoted back."""

Fault = Literal["unreadable", "illegal"]


@dataclass(frozen=True)
class Style:
    """How positions and moves are put to the player.

    Attributes:
        legal: "listed", or "hidden": the player words a legal move itself.
        state: "text", or "json" (`banquet_envs.words.state_json`).
    """

    legal: Literal["listed", "hidden"] = "listed"
    state: Literal["text", "json"] = "text"

    def identity(self) -> dict[str, str]:
        """What a result must name: the style, the template's version and a hash of all its texts."""
        texts = [_PROMPT, _LISTED, _HIDDEN, _NOTHING, _TOLD, _AGAIN, *_WHY.values(), str(_SHOWN)]
        content = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
        return {**asdict(self), "template": VERSION, "template_hash": content}


def prompt(game: Game, record: Any, history: History, style: Style, rules: str) -> str:
    """What the seat to move in `record` is asked: rules, what has happened, its position, its moves."""
    seat = int(record.player)
    if style.state == "json":
        state = json.dumps(state_json(game, record, seat), ensure_ascii=False)
    else:
        state = state_text(game, record, seat)
    listed = "\n".join(f"- {text}" for text in action_texts(game, record))
    return _PROMPT.format(
        seat=seat,
        players=game.num_players,
        rules=rules,
        history=history_text(history, seat) or _NOTHING,
        state=state,
        moves=_LISTED.format(moves=listed) if style.legal == "listed" else _HIDDEN,
    )


def without_rules(asked: str, rules: str) -> str:
    """A prompt for somebody who remembers the rules."""
    return asked.replace(rules, _TOLD, 1)


def again(asked: str, fault: Fault, move: str | None) -> str:
    """The prompt of the second chance: the first one, and what was wrong."""
    why = _WHY[fault]
    if fault == "illegal":
        why = why.format(move=json.dumps(str(move)[:_SHOWN], ensure_ascii=False))
    return asked + _AGAIN.format(why=why)


def read_move(reply: str) -> str | None:
    """The move of the last JSON object in a reply that has one, as text; None when there is none. Nothing is guessed."""
    decoder = json.JSONDecoder()
    found, at = None, reply.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if "move" in value:
                found = value["move"]
        at = reply.find("{", end)
    return found if isinstance(found, str) else None
