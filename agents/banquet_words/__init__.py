"""The games as a `verifiers` environment, by the id its runner looks for: `vf-eval banquet-words`. Needs the extra `verifiers`.

Its plugins are top-level modules, so this one stands beside the package whose work it uses.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

try:
    import verifiers.v1 as vf
except ImportError as error:
    raise ImportError("this needs verifiers: pip install 'banquet-envs[verifiers]'") from error

from banquet_agents.registry import make_agent
from banquet_agents.words.episode import Episode
from banquet_agents.words.prompt import Style
from banquet_envs.core.arguments import spawn_seeds
from banquet_envs.core.registry import make_game

__all__ = ["BanquetEnv", "BanquetTaskset"]


class BanquetConfig(vf.TasksetConfig):
    """Which game is played, and against whom. Two refused answers in a row forfeit a game."""

    game: str = "great_evening_banquet"
    players: int = 2
    opponent: str = "greedy"
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    legal: Literal["listed", "hidden"] = "listed"
    state: Literal["text", "json"] = "text"


class BanquetData(vf.TaskData):
    """A task: one deal of a game from one seat."""

    game: str
    players: int
    opponent: str
    options: dict[str, bool | int | str]
    legal: Literal["listed", "hidden"]
    state: Literal["text", "json"]
    seed: int
    seat: int


class BanquetTask(vf.Task[BanquetData, vf.State, vf.TaskConfig]):
    """A deal; its reward is paid by the environment."""


def begin(data: BanquetData) -> Episode:
    """The game of a task, up to the seat's first question."""
    options: dict[str, Any] = {**data.options}
    game = make_game(data.game, data.players, **options)
    agent = make_agent(game, data.opponent)
    agents = {seat: agent for seat in range(data.players) if seat != data.seat}
    return Episode(game, spawn_seeds(1, data.seed)[0], agents, Style(data.legal, data.state))


class BanquetTaskset(vf.Taskset[BanquetTask, BanquetConfig]):
    """Deal after deal without end, each from every seat."""

    INFINITE = True

    def load(self) -> Iterator[BanquetTask]:
        """The tasks: seeds 0, 1, ..., each seat in turn."""
        config = self.config
        for seed, seat in ((seed, seat) for seed in itertools.count() for seat in range(config.players)):
            name = f"{config.game}-{config.players}p seed {seed} seat {seat} against {config.opponent}"
            data = BanquetData(
                name=name, game=config.game, players=config.players, opponent=config.opponent, options=config.options,
                legal=config.legal, state=config.state, seed=seed, seat=seat,
            )  # fmt: skip
            asked = begin(data).question
            assert asked is not None
            yield BanquetTask(data.model_copy(update={"prompt": asked.prompt}), config.task)


class BanquetEnvConfig(vf.EnvConfig):
    """One role, the player; by default a plain chat without tools, which needs no sandbox."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class BanquetEnv(vf.Env[BanquetEnvConfig]):
    """The game asks, the player answers, until the game is over."""

    async def run(self, task: BanquetTask, agents: vf.Agents) -> None:
        """Play a task; the reward is the seat's share of the win, metrics tell of its points, place and refused answers."""
        episode = begin(task.data)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                episode.answer(segment.last_reply)
                if episode.question is None:
                    break
                segment = await interaction.turn(episode.question.reminder)
        seat, trace = task.data.seat, interaction.trace
        counts = episode.counts[seat]
        trace.record_reward("win_share", episode.shares()[seat] if episode.over else 0.0, 1.0)
        trace.record_metric("finished", float(episode.over))
        trace.record_metric("points", float(episode.points()[seat]))
        for name in ("illegal", "unreadable", "forfeits"):
            trace.record_metric(name, float(getattr(counts, name)))
