"""What a page receives. While a game goes on it is made from a copy of the position in which all that the seat cannot know has
been resampled, like the copies that agents are handed: what is hidden is not there to be sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banquet_agents.reference import reference_policies
from banquet_agents.registry import scripts_of
from banquet_agents.replays import PERSON
from banquet_agents.serve.tables import ServedTable
from banquet_agents.serve.thinking import SHIPPED_POLICY
from banquet_agents.thoughts import Thought
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec
from banquet_envs.core.state import copy
from banquet_envs.words import rules_text


def page_of(table: ServedTable, holder: int | None, view: int | None, ply: int | None) -> dict[str, Any]:
    """A table as a page shows it.

    Args:
        table: the table.
        holder: the seat whose link it is, None for a link to watch.
        view: the seat through whose eyes to look, None for everything.
        ply: the position, counted in decisions; the latest when None.

    Raises:
        OptionError: no such ply, or a view that this link does not open yet.
    """
    sitting, game = table.sitting, table.game
    last = len(sitting.actions)
    ply = last if ply is None else ply
    if not 0 <= ply <= last:
        raise OptionError(f"ply {ply} outside 0..{last}")
    bare = holder is None or sitting.over
    if view != holder and not bare:
        raise OptionError("what others see is shown when the game is over")
    if view is not None and not 0 <= view < game.num_players:
        raise OptionError(f"seat {view} outside 0..{game.num_players - 1}")
    states = _shown(table, view, ply, bare)
    record = states[0]
    hint = table.hints.get(holder) if holder is not None else None
    return {
        "version": table.version,
        "game": game.name,
        "title": game.spec.title,
        "holder": holder,
        "view": view,
        "bare": bare,
        "ply": ply,
        "last": last,
        "over": sitting.over,
        "mover": None if record.over else int(record.player),
        "seats": [{"name": name, "person": name == PERSON} for name in sitting.seats],
        "points": [int(p) for p in record.points[: game.num_players]],
        "places": [int(p) + 1 for p in record.place[: game.num_players]] if record.over else None,
        "thinking": table.thinking,
        "trouble": table.trouble,
        "picture": game.draw(record, view),
        "words": game.describe(record, view),
        "legal": _legal(game, states) if ply == last and holder is not None and holder == record.player else [],
        "log": [[seat, own if bare or seat == holder else public] for seat, own, public in table.log],
        "undo": holder is not None and table.people == [holder] and holder in (seat for seat, *_ in table.log),
        "thought": _thought_of(table, ply) if bare else None,
        "values": _values(table) if bare else [],
        "hint": _hint(game, states, hint) if hint is not None and hint.ply == ply == last else None,
    }


def _shown(table: ServedTable, view: int | None, ply: int, bare: bool) -> np.recarray:
    """Records (1,): the position, without what the seat may not know."""
    states = table.sitting.positions[ply]
    if bare:
        return states
    states = copy(states)
    table.game.determinize(states, view, words=np.array([ply], np.uint64))
    return states


def _legal(game: Game, states: np.recarray) -> list[dict[str, Any]]:
    """The legal actions, each with its words, what kind it is, and its place on the picture."""
    if states.over[0]:
        return []
    return [
        {
            "action": int(action),
            "text": game.action_text(states, int(action)),
            "place": game.place(states, int(action)),
            "kind": game.action_layout.find(int(action))[0].text,
        }
        for action in np.flatnonzero(game.legal_actions(states)[0])
    ]


def _bars(game: Game, states: np.recarray, thought: Thought) -> dict[str, Any]:
    """A thought in words: its best actions, as bars."""
    values = thought.values or (None,) * len(thought.actions)
    best = [
        {
            "text": game.action_text(states, action),
            "place": game.place(states, action),
            "weight": weight,
            "value": value,
        }
        for action, weight, value in zip(thought.actions, thought.weights, values, strict=True)
    ]
    return {"unit": thought.unit, "value": thought.value, "best": best}


def _thought_of(table: ServedTable, ply: int) -> dict[str, Any] | None:
    """What the mover thought of the decision at `ply`."""
    sitting = table.sitting
    thought = sitting.thoughts[ply] if ply < len(sitting.thoughts) else None
    if thought is None:
        return None
    states = sitting.positions[ply]
    seat = int(states.player[0])
    played = table.game.action_text(states, sitting.actions[ply])
    return {"seat": seat, "agent": sitting.seats[seat], "played": played, **_bars(table.game, states, thought)}


def _values(table: ServedTable) -> list[list[float]]:
    """[ply, seat, value] wherever a mover could say what it expects."""
    sitting = table.sitting
    return [
        [ply, int(sitting.positions[ply].player[0]), thought.value]
        for ply, thought in enumerate(sitting.thoughts)
        if thought is not None
    ]


def _hint(game: Game, states: np.recarray, hint: Any) -> dict[str, Any]:
    told = {
        "agent": hint.agent,
        "action": hint.action,
        "text": game.action_text(states, hint.action),
        "place": game.place(states, hint.action),
    }
    return told | (_bars(game, states, hint.thought) if hint.thought is not None else {})


def rules_of(game: Game) -> dict[str, Any]:
    """The rules in short, of the options chosen."""
    chosen = ", ".join(f"{name}: {str(value).lower()}" for name, value in game.options.items()) or "none"
    return {
        "title": game.spec.title,
        "options": chosen,
        "text": rules_text(game) if game.spec.words is not None else "",
    }


def agents_of(game: str, allowed: frozenset[str]) -> list[dict[str, str]]:
    """The agents that a page offers for a game: the scripted ones, weakest first, then the others."""
    found = {name: script.text for name, script in scripts_of(game).items()}
    found |= {f"search:{n}": f"tree search of {n} simulations a decision" for n in (100, 1000)}
    if policies := reference_policies(game):
        found[SHIPPED_POLICY] = f"trained, comes along as {', '.join(folder.name for folder in policies)}"
    found |= dict.fromkeys(sorted(allowed), "named on the command line")
    return [{"name": name, "text": text} for name, text in found.items()]


def games_page(games: Sequence[str], allowed: frozenset[str]) -> list[dict[str, Any]]:
    """The games on offer with what may be chosen for them."""
    found = []
    for name in games:
        spec = game_spec(name)
        options = [
            {"name": o.name, "text": o.text, "default": o.default, "choices": list(o.choices)} for o in spec.options
        ]
        agents = agents_of(name, allowed)
        found.append({
            "name": name, "title": spec.title, "players": list(spec.player_counts()), "options": options, "agents": agents,
            "about": spec.tests_in_an_agent,
        })  # fmt: skip
    return found
