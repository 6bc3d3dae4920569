"""Games side by side whose seats are held by different agents: asking the agents in groups, without leaks.

An agent that reads records is handed determinised copies, one that reads only observation and mask (it has `act_on`)
is handed just those. What an agent draws depends on the game's own seed and on how far the game is, never on the batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from banquet_envs.core.arguments import whole_actions
from banquet_envs.core.errors import AgentError, BanquetError, IllegalActionError
from banquet_envs.core.game import Game
from banquet_envs.core.random import mixed, mixed_int
from banquet_envs.core.registry import Agent
from banquet_envs.core.state import empty, raw, take


@runtime_checkable
class ObservingAgent(Protocol):
    """A player that reads only what its seat sees: batch first."""

    def act_on(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        """int64 (n,) legal actions from float32 (n, W), bool (n, A) and uint64 (n,) words of chance."""
        ...


Player = Agent | ObservingAgent


class Table:
    """`n` games of one Game, with the buffers of its training step. Rows are named by int64 arrays.

    Args:
        game: the Game.
        n: how many games.
        salt: chance of the agents, apart from the games' own.

    Attributes:
        states: the records.
        buffers: what the last step of each row wrote: rewards, mask, observation of the seat to move, ends.
        player, over: views of the records' fields.
    """

    def __init__(self, game: Game, n: int, salt: int = 0) -> None:
        self.game = game
        self.buffers = game.buffers(n)
        self.buffers.final_observation = np.zeros((0, game.observation_size), np.float32)
        self._salt = np.uint64(mixed_int(salt % 2**64))
        self._actions = np.zeros(n, np.int64)
        self._adopt(empty(n, game.spec.state))

    def _adopt(self, states: np.recarray) -> None:
        self.states = states
        plain = self.states.view(np.ndarray)  # a recarray's fields are slow to name
        self.player, self.over = plain["player"], plain["over"]
        self._seed, self._ply = plain["seed"], plain["ply"]
        self._raw = raw(self.states)

    def __getstate__(self) -> dict[str, Any]:
        """For copies in mid-game: the fields' views must be made anew, or they would show another table's games."""
        left_out = ("player", "over", "_seed", "_ply", "_raw")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._adopt(kept["states"])

    def begin(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Set the games of `rows` up from `seeds`, uint64 (n,) indexed like the games, and observe them."""
        kernels, fixed = self.game.kernels, (self._raw, self.game.rules_raw, rows)
        kernels.reset(*fixed, seeds, 0, len(rows))
        kernels.legal(*fixed, self.buffers.mask, 0, len(rows))
        kernels.observe(*fixed, self.buffers.movers, self.buffers.observation, 0, len(rows))

    def observe(self, rows: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
        """Write the views of `seats` (n,) in the games of `rows` into the rows of `out`."""
        self.game.kernels.observe(self._raw, self.game.rules_raw, rows, seats, out, 0, len(rows))

    def play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play legal `actions` (k,) in the games of `rows`; `buffers` then tell of them. Nothing is restarted."""
        self._actions[rows] = actions
        self.game.advance_trusted(self.states, self._actions, self.buffers, rows=rows, restart=False)

    def chance(self, rows: np.ndarray) -> np.ndarray:
        """uint64 (k,): a word for this decision of each game, from the game's seed and its number of decisions so far."""
        ply = self._ply[rows].astype(np.uint64) + np.uint64(1)
        return mixed(mixed(self._seed[rows] ^ self._salt) + ply * np.uint64(0xD1342543DE82EF95))

    def determinized(self, rows: np.ndarray, words: np.ndarray) -> np.recarray:
        """Copies of the games of `rows`, in which all that the mover cannot know has been resampled from `words`."""
        copies = take(self.states, rows)
        self.game.determinize(copies, words=words)
        return copies

    def ask(self, agent: Any, rows: np.ndarray) -> np.ndarray:
        """int64 (k,): what `agent`, which is to move in the games of `rows`, wants to do.

        Raises:
            IllegalActionError: it answers with something else than k legal actions.
        """
        return self.ask_all([(agent, np.ones(len(rows), np.bool_))], rows)

    def ask_all(self, groups: Iterable[tuple[Any, np.ndarray]], rows: np.ndarray) -> np.ndarray:
        """int64 (k,): what the movers in the games of `rows` want to do.

        Args:
            groups: agents, each with bool (k,): the games in which it is to move.
            rows: int64 (k,).

        Raises:
            IllegalActionError: an agent answers with something else than legal actions.
            AgentError: an agent raised something.
        """
        groups = list(groups)
        words, masks = self.chance(rows), self.buffers.mask[rows]
        actions = np.full(len(rows), -1, np.int64)
        for agent, mine in groups:
            picked = np.flatnonzero(mine)
            if not len(picked):
                continue
            with _named(agent):
                if hasattr(agent, "act_on"):
                    answer = agent.act_on(self.buffers.observation[rows[picked]], masks[picked], words[picked])
                else:
                    answer = agent.act(self.determinized(rows[picked], words[picked]))
            actions[picked] = whole_actions(f"agent {name_of(agent)}", answer, len(picked))
        self._check_all(groups, rows, actions, masks)
        return actions

    def _check_all(
        self, groups: list[tuple[Any, np.ndarray]], rows: np.ndarray, actions: np.ndarray, masks: np.ndarray
    ) -> None:
        wrong = (actions < 0) | (actions >= self.game.num_actions)
        wrong |= ~masks[np.arange(len(rows)), np.where(wrong, 0, actions)]
        if wrong.any():
            k = int(wrong.argmax())
            agent = next((a for a, mine in groups if mine[k]), None)
            self._refuse(agent, int(rows[k]), int(actions[k]))

    def _refuse(self, agent: Any, row: int, action: int) -> None:
        """Raise the error for an action: it names the agent, the seat and the action."""
        record = self.states[row]
        words = self.game.action_text(record, action) if 0 <= action < self.game.num_actions else "no such action"
        raise IllegalActionError(
            f"agent {name_of(agent)}: seat {record.player} of {self.game.name} may not play {action} ({words})"
        )

    # ------------------------------------------------------------ a table of one game, for environments: few arrays, few calls

    def play_one(self, action: int) -> None:
        """`play` at a table of one game; `buffers` then tell of it, its observation being the next mover's."""
        game, buffers = self.game, self.buffers
        game.kernels.turn(
            self._raw, game.rules_raw, action, game.scheme, game.points_scale,
            buffers.rewards[0], buffers.mask[0], buffers.observation[0],
        )  # fmt: skip

    def ask_one(self, agent: Any) -> int:
        """`ask` at a table of one game: a legal action.

        Raises:
            IllegalActionError: it answers with something else.
        """
        ply = int(self._ply[0]) + 1
        word = mixed_int((mixed_int(int(self._seed[0] ^ self._salt)) + ply * 0xD1342543DE82EF95) % 2**64)
        words = np.array([word], np.uint64)
        mask = self.buffers.mask
        with _named(agent):
            if hasattr(agent, "act_on"):
                answer = agent.act_on(self.buffers.observation.copy(), mask.copy(), words)
            else:
                copy = self._raw.copy()
                kernels, game = self.game.kernels, self.game
                kernels.determinize(copy, game.rules_raw, _FIRST, self.buffers.movers, words, 0, 1)
                answer = agent.act(copy.view(game.spec.state).view(np.recarray))
        action = int(whole_actions(f"agent {name_of(agent)}", answer, 1)[0])
        if not (0 <= action < self.game.num_actions and mask[0, action]):
            self._refuse(agent, 0, action)
        return action


_FIRST = np.zeros(1, np.int64)


class _named:
    """A context in which whatever an agent raises becomes an AgentError with its name. (A generator would cost more than a move.)"""

    def __init__(self, agent: Any) -> None:
        self.agent = agent

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, BanquetError):
            raise AgentError(f"agent {name_of(self.agent)} failed: {type(error).__name__}: {error}") from error


def name_of(agent: Any) -> str:
    """What to call an agent in messages."""
    return str(getattr(agent, "name", type(agent).__name__))
