"""A game as an OpenEnv environment: one reading seat against an agent, served over HTTP and WebSocket. Needs the extra `openenv`.

    uvicorn --factory banquet_agents.words.openenv_server:app

The environment variables BANQUET_GAME, BANQUET_PLAYERS and BANQUET_OPPONENT choose the game.
"""

from __future__ import annotations

import os
import uuid
from typing import Any

try:
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
except ImportError as error:
    raise ImportError("this needs openenv: pip install 'banquet-envs[openenv]'") from error

from banquet_agents.registry import make_agent
from banquet_agents.words.episode import Episode, OnFault
from banquet_agents.words.prompt import Style
from banquet_envs.core.arguments import spawn_seeds
from banquet_envs.core.errors import OptionError
from banquet_envs.core.registry import make_game


class Answer(Action):
    """What the player says: prose as it likes, and at its end the JSON object with its move."""

    text: str


class Asked(Observation):
    """What the player is asked next, "" at the end; `answer_was` tells of the last answer: legal, illegal or unreadable."""

    prompt: str
    seat: int
    answer_was: str = ""


class BanquetEnvironment(Environment[Answer, Asked, State]):
    """One seat reads, an agent holds all others. The reward is the share of the win, paid at the end.

    Args:
        game: a registered id.
        players: seats.
        opponent: who holds the other seats.
        legal, state: as for `Style`.
        on_fault: as for `Episode`.
        **options: the game's own.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str = "great_evening_banquet",
        players: int = 2,
        opponent: str = "greedy",
        legal: Any = "listed",
        state: Any = "text",
        on_fault: OnFault = "forfeit",
        **options: Any,
    ) -> None:
        super().__init__()
        self._game = make_game(game, players, **options)
        self._opponent, self._style, self._on_fault = opponent, Style(legal, state), on_fault
        self._episode: Episode | None = None
        self._seat = 0
        self._state = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, seat: int = 0, **_: Any) -> Asked:
        """Begin a game; `seat` is the reading one. The first prompt tells the rules."""
        agent = make_agent(self._game, self._opponent)
        agents = {other: agent for other in range(self._game.num_players) if other != seat}
        self._seat = seat
        self._episode = Episode(self._game, spawn_seeds(1, seed)[0], agents, self._style, self._on_fault)
        self._state = State(episode_id=episode_id or str(uuid.uuid4()), step_count=0)
        return self._observation(first=True)

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Asked:
        """Take an answer; the next question comes without the rules, which were told."""
        if self._episode is None:
            raise OptionError("call reset() first")
        self._episode.answer(action.text)
        self._state.step_count += 1
        return self._observation()

    def _observation(self, first: bool = False) -> Asked:
        assert self._episode is not None
        asked = self._episode.question
        if asked is None:
            reward = self._episode.shares()[self._seat]
            return Asked(prompt="", seat=self._seat, answer_was=self._episode.answer_was, done=True, reward=reward)
        text = asked.prompt if first else asked.reminder
        return Asked(prompt=text, seat=self._seat, answer_was=self._episode.answer_was, done=False, reward=0.0)

    @property
    def state(self) -> State:
        """The episode's id and how many answers were given."""
        return self._state


def app() -> Any:
    """The server of the game that the environment variables name, for uvicorn."""
    name = os.environ.get("BANQUET_GAME", "great_evening_banquet")
    players, opponent = int(os.environ.get("BANQUET_PLAYERS", "2")), os.environ.get("BANQUET_OPPONENT", "greedy")
    return create_app(lambda: BanquetEnvironment(name, players, opponent), Answer, Asked, env_name="banquet")
