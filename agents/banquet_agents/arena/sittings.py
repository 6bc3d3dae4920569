"""One game at a table: a person against agents, or agents watched move by move; what was played can be taken back and kept."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from banquet_agents.arena.contests import GameRecord
from banquet_agents.human import HumanAgent, Quit, Undo
from banquet_agents.registry import make_agent
from banquet_agents.replays import PERSON, Replay, replay_of, write_replay
from banquet_agents.thoughts import Aloud, Thought
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.core.state import put, take
from banquet_envs.core.table import Table


class Sitting:
    """One game with all that was played in it.

    Args:
        game: the Game.
        seats: who holds each seat, for replays and results.
        word: the word that the record is set up from.
        salt: chance of the agents, see `Table`.

    Attributes:
        table: with the position.
        positions: records (1,), before every action and after the last.
        actions, thoughts: of every decision so far; None where nobody said what they thought.
        undone: decisions taken back.
    """

    def __init__(self, game: Game, seats: Sequence[str], word: int, salt: int = 0) -> None:
        self.game = game
        self.seats = list(seats)
        self.table = Table(game, 1, salt)
        self._word = np.array([word], np.uint64)
        self.undone = 0
        self.table.begin(np.arange(1), self._word)
        self.positions: list[np.recarray] = [self.states.copy()]
        self.actions: list[int] = []
        self.thoughts: list[Thought | None] = []

    @classmethod
    def resumed(cls, game: Game, replay: Replay, positions: np.recarray) -> Sitting:
        """A kept game, to go on with.

        Args:
            game, replay, positions: of one game, see `replays.read_replay`.
        """
        sitting = cls(game, replay.seats, replay.seed)
        sitting.positions = [take(positions, np.array([k])) for k in range(len(positions))]
        sitting.actions = list(replay.actions)
        sitting.thoughts = list(replay.thoughts) or [None] * len(replay.actions)
        sitting.undone = replay.undone
        sitting._stand_at(len(replay.actions))
        return sitting

    def _stand_at(self, ply: int) -> None:
        """Forget what came after a position, and bring the table there."""
        if ply == 0:
            self.table.begin(np.arange(1), self._word)
        else:  # by its last action, so that the table's buffers tell of it, too
            put(self.states, np.arange(1), self.positions[ply - 1])
            self.table.play_one(self.actions[ply - 1])
        del self.positions[ply + 1 :], self.actions[ply:], self.thoughts[ply:]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.table.over[0])

    @property
    def mover(self) -> int:
        """The seat to move."""
        return int(self.table.player[0])

    @property
    def states(self) -> np.recarray:
        """Records (1,): the position."""
        return self.table.states

    def play(self, action: int, thought: Thought | None = None) -> None:
        """Play a legal action."""
        self.table.play_one(action)
        self.positions.append(self.states.copy())
        self.actions.append(action)
        self.thoughts.append(thought)

    def take_back(self, seat: int) -> bool:
        """Go back to the last choice of `seat` before this moment; False when there is none."""
        before = [ply for ply in range(len(self.actions)) if int(self.positions[ply].player[0]) == seat]
        if not before:
            return False
        self.undone += len(self.actions) - before[-1]
        self._stand_at(before[-1])
        return True

    def replay(self) -> Replay:
        """The game so far, to be kept."""
        return replay_of(self.game, self.seats, self.states, self.actions, self.thoughts, self.undone)


SAMPLE = 20
"""Games of each line-up that are kept of a match or a tournament."""


class ReplaySample:
    """Keeps the first games of every line-up: deals are drawn by chance, so the first ones are as good a sample as any.

    Agents that can say what they think are asked again for it, with the same chance: so nothing has to be kept of the many
    games outside the sample. Where one then chooses otherwise, as a search by the clock may, its thought is left out.

    Args:
        folder: where replays are written.
        most: games of each line-up.
    """

    def __init__(self, folder: Path, most: int = SAMPLE) -> None:
        self.folder = folder
        self.most = most
        self._kept: Counter[tuple[str, ...]] = Counter()
        self._agents: dict[tuple[Game, str], Aloud] = {}

    def __call__(self, played: GameRecord) -> None:
        """Look at a game; it is kept or not."""
        lineup = (played.game.name, *sorted(played.seats))
        if self._kept[lineup] < self.most:
            self._kept[lineup] += 1
            write_replay(self.folder, self._sitting(played).replay())

    def _sitting(self, played: GameRecord) -> Sitting:
        sitting = Sitting(played.game, played.seats, played.word, played.salt)
        for action in played.actions.tolist():
            agent = self._agent(played, played.seats[sitting.mover])
            same = agent.can_say and sitting.table.ask_one(agent) == action
            sitting.play(action, agent.thought if same else None)
        return sitting

    def _agent(self, played: GameRecord, name: str) -> Aloud:
        key = played.game, name
        if key not in self._agents:
            made = played.given[name] if name in played.given else make_agent(played.game, name)
            self._agents[key] = Aloud(made)
        return self._agents[key]


def play_by_hand(
    game: Game,
    opponents: Sequence[str],
    seat: int,
    seed: int,
    say: Callable[[Any], Any],
    picture: Path | None = None,
    ask: Callable[[str], str] = input,
    adviser: str | None = None,
) -> Sitting:
    """A person in `seat`, agents in the seats after it in turn order; what the others do shows in the position.

    Args:
        opponents: agents' names, one for each other seat.
        say, ask: see `HumanAgent`.
        picture: keep an SVG of what the person may see in this file.
        adviser: the agent that gives hints.

    Returns:
        The sitting, over or left.
    """
    others = {(seat + 1 + k) % game.num_players: name for k, name in enumerate(opponents)}
    made = {name: Aloud(make_agent(game, name)) for name in dict.fromkeys(opponents)}
    hint = None if adviser is None else _adviser(game, adviser)
    person = HumanAgent(game, ask, say, hint, undo=True)
    sitting = Sitting(
        game, [others.get(k, PERSON) for k in range(game.num_players)], int(spawn_seeds(1, seed)[0]), seed
    )
    say(f"{game.spec.title}: " + ", ".join(f"seat {k}: {others.get(k, 'you')}" for k in range(game.num_players)))
    say(person.help())
    try:
        while not sitting.over:
            if sitting.mover == seat:
                _ask_person(sitting, person, say, picture)
            else:
                _ask_agent(sitting, made[others[sitting.mover]])
    except (Quit, KeyboardInterrupt):
        say("You leave the table.")
        return sitting
    say("\n" + game.describe(sitting.states[0], None))
    say("\n" + result_text(sitting.states[0], sitting.seats))
    return sitting


def _ask_person(sitting: Sitting, person: HumanAgent, say: Callable[[Any], Any], picture: Path | None) -> None:
    seat, record = sitting.mover, sitting.states[0]
    if picture is not None:
        picture.write_text(sitting.game.draw(record, seat))
    try:
        action = sitting.table.ask_one(person)
    except Undo:
        say("Your last choice is taken back." if sitting.take_back(seat) else "There is nothing to take back.")
        return
    say(f"> {sitting.game.action_text(record, action)}")
    sitting.play(action)


def _ask_agent(sitting: Sitting, agent: Aloud) -> int:
    action = sitting.table.ask_one(agent)
    sitting.play(action, agent.thought)
    return action


def _adviser(game: Game, name: str) -> Callable[[np.ndarray], str]:
    """Hints of an agent in words."""
    agent = Aloud(make_agent(game, name))

    def hint(states: np.ndarray) -> str:
        records = states.view(np.recarray)
        action = agent.decide(game, records, records["rng"])
        return f"{name} would {game.action_text(records[0], action)}" + thought_text(game, records[0], agent.thought)

    return hint


def thought_text(game: Game, record: Any, thought: Thought | None) -> str:
    """What an agent thought, in words that follow its action; nothing where it did not say."""
    if thought is None:
        return ""
    best = "; ".join(
        f"{weight:.0%} {game.action_text(record, action)}"
        for action, weight in zip(thought.actions, thought.weights, strict=True)
    )
    return f"  ({thought.unit}: {best}; expects {thought.value:+.2f})"


def watch_game(
    game: Game,
    names: Sequence[str],
    seed: int,
    say: Callable[[Any], Any],
    positions: bool = False,
    pictures: Path | None = None,
    delay: float = 0.0,
) -> Sitting:
    """Agents play one game; every decision is told, everything is shown."""
    made = {name: Aloud(make_agent(game, name)) for name in dict.fromkeys(names)}
    sitting = Sitting(game, names, int(spawn_seeds(1, seed)[0]), seed)
    while not sitting.over:
        show(game, sitting.states[0], say, positions, pictures)
        before, mover = sitting.states.copy(), sitting.mover
        action = _ask_agent(sitting, made[names[mover]])
        say(decision_text(game, before, action, names[mover]))
        time.sleep(delay)
    show(game, sitting.states[0], say, positions, pictures)
    say("\n" + result_text(sitting.states[0], sitting.seats))
    return sitting


def show(game: Game, record: Any, say: Callable[[Any], Any], words: bool, pictures: Path | None) -> None:
    """A position with nothing hidden, as words, and as a picture in a folder."""
    if words:
        say("\n" + game.describe(record, None))
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        (pictures / f"{int(record.ply):04d}.svg").write_text(game.draw(record, None))


def decision_text(game: Game, states: np.recarray, action: int, name: str) -> str:
    """One line on a decision, from the records (1,) before it."""
    record = states[0]
    points = " ".join(str(int(p)) for p in record.points[: game.num_players])
    words = game.action_text(record, action)
    return f"{int(record.ply):4d}  seat {int(record.player)} ({name}): {words}  [points {points}]"


def result_text(state: Any, names: Sequence[str]) -> str:
    """Places and points at the end, best first."""
    order = sorted(range(len(names)), key=lambda k: int(state.place[k]))
    return "\n".join(f"{int(state.place[k]) + 1}. seat {k} ({names[k]}): {int(state.points[k])} points" for k in order)
