"""OpenSpiel: every game as a `pyspiel` game, OpenSpiel's bots as agents at our tables, and our agents as its bots.

Dice and draws happen inside a step, so the games are declared SAMPLED_STOCHASTIC: right for MCTS, IS-MCTS (which resamples through
`determinize`), policy gradients and Q-learning. CFR and exact best response walk over every outcome of chance and need a node
for each: not with these games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banquet_envs.adapters import extra
from banquet_envs.core import state as records
from banquet_envs.core.game import Game
from banquet_envs.core.random import mixed_int
from banquet_envs.core.registry import game_spec, list_games, make_agent, make_game
from banquet_envs.core.spec import GameSpec
from banquet_envs.core.table import Table

with extra("openspiel"):
    import pyspiel


def register_openspiel() -> list[str]:
    """Register every game with OpenSpiel, as `banquet_<game>`; their names.

    `pyspiel.load_game("banquet_dinner_party(players=3)")` then makes one. Parameters are `players` (2), the game's own options,
    `seed`, from which the games are dealt one after another (-1: entropy), and `deal`: if it is not -1, every game is that of
    `reset(1, seed=deal)`, dice to come included. Such a game is declared DETERMINISTIC; it is for tests and replays, since whoever
    learns on it learns one deal. Alone, a seat is paid its points, otherwise the scheme is `win`.
    """
    for name in list_games():
        spec = game_spec(name)
        if _short(name) not in pyspiel.registered_names():
            # a class: OpenSpiel lets go of it after Python has ended, which only what is never freed survives
            pyspiel.register_game(_kind(spec), type(f"_{spec.name}", (_OpenSpielGame,), {"spec": spec}))
    return [_short(name) for name in list_games()]


def openspiel_game(game: str, players: int | None = None, **options: Any) -> Any:
    """A game as a `pyspiel.Game`; see `register_openspiel` for the parameters."""
    register_openspiel()
    given = options if players is None else {"players": players, **options}
    return pyspiel.load_game(_short(game), given)


class BotAgent:
    """An OpenSpiel bot as an agent: what it is handed are determinised copies, so one that looks at everything cannot cheat.

    Args:
        game: a game from `openspiel_game`.
        bot: has `step(state) -> action`, such as an MCTSBot of `game`; it must not depend on the moves before.
        name: for messages and tables.
    """

    def __init__(self, game: Any, bot: Any, name: str = "openspiel") -> None:
        self.game, self.bot, self.name = game, bot, name

    def act(self, states: np.recarray) -> np.ndarray:
        """int64 (n,) actions for records in which its seat is to move."""
        rows = (records.take(states, np.array([k])) for k in range(len(states)))
        return np.array([self.bot.step(self.game.state_of(row)) for row in rows], np.int64)


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as an OpenSpiel bot, asked as at every table: with what its seat may know.

    Args:
        game: a game from `openspiel_game`.
        agent: an agent's name, such as "expert" or "policy:runs/x".
    """

    def __init__(self, game: Any, agent: str) -> None:
        super().__init__()
        self._agent = make_agent(game.rules, agent)
        self._table = Table(game.rules, 1)

    def step(self, state: Any) -> int:
        """The agent's action for the seat to move."""
        table, game = self._table, self._table.game
        records.put(table.states, np.zeros(1, np.int64), state.record)
        game.legal_actions(table.states, out=table.buffers.mask)
        game.observe(table.states, out=table.buffers.observation)
        return table.ask_one(self._agent)

    def restart_at(self, state: Any) -> None:
        """Nothing is remembered from one position to the next."""


class _OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A Game with its options, as OpenSpiel asks for it; a subclass per game."""

    spec: GameSpec

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        spec = self.spec
        given = {**_defaults(spec), **(params or {})}
        players, seed, self.deal = (given.pop(name) for name in ("players", "seed", "deal"))
        self.rules: Game = make_game(spec.name, players, reward="win" if players > 1 else "points", **given)
        self.words = np.random.default_rng(None if seed < 0 else seed)
        self.scratch = self.rules.buffers(1)
        facts = self.rules.facts
        scale = facts.points_scale
        low, high = (-1.0, 1.0) if players > 1 else (facts.points_min * scale, facts.points_max * scale)
        zero = {"utility_sum": 0.0} if players > 1 else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_actions, max_chance_outcomes=0, num_players=players, min_utility=low,
            max_utility=high, max_game_length=facts.longest_game, **zero,
        )  # fmt: skip
        super().__init__(_kind(spec, players > 1, self.deal >= 0), info, params or {})

    def __deepcopy__(self, memo: Any) -> _OpenSpielGame:
        return self  # OpenSpiel clones a state by copying all that it holds, its game included

    def __reduce__(self) -> Any:
        return _loaded, (str(self),)

    def new_initial_state(self) -> _State:
        """A new game, from the next seed or from that of `deal`."""
        seed = self.deal if self.deal >= 0 else int(self.words.integers(2**62))
        return self.state_of(self.rules.reset(1, seed=seed))

    def state_of(self, record: np.recarray) -> _State:
        """The state of a record (1,), with no history and nothing paid yet."""
        return _State(self, record, np.zeros(self.rules.num_players))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What a seat may know, as a vector and in words."""
        return _Observer(self.rules)


class _State(pyspiel.State):  # type: ignore[misc]
    """A game in progress: a record of one game, and what the seats have been paid."""

    def __init__(self, game: _OpenSpielGame, record: np.recarray, paid: np.ndarray) -> None:
        super().__init__(game)
        self._game = game
        self.record, self.paid, self._step = record, paid, np.zeros_like(paid)

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.record.player[0])

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self._game.rules.legal_actions(self.record)[0]).tolist()

    def _apply_action(self, action: int) -> None:
        buffers = self._game.scratch
        self._game.rules.advance(self.record, np.array([action]), buffers, restart=False)
        self._step = buffers.rewards[0].astype(np.float64)
        self.paid = self.paid + self._step

    def _action_to_string(self, player: int, action: int) -> str:
        return self._game.rules.action_text(self.record, action)

    def is_terminal(self) -> bool:
        return bool(self.record.over[0])

    def rewards(self) -> list[float]:
        return self._step.tolist()

    def returns(self) -> list[float]:
        return self.paid.tolist()

    def __str__(self) -> str:
        return self._game.rules.describe(self.record)

    def clone(self) -> _State:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: Any) -> _State:
        return _State(self._game, records.copy(self.record), self.paid)

    def resample_from_infostate(self, player: int, probability: Callable[[], float]) -> _State:
        """A copy in which all that `player` cannot know has been drawn anew (IS-MCTS)."""
        other = self.clone()
        word = np.array([mixed_int(int(probability() * 2**53))], np.uint64)
        self._game.rules.determinize(other.record, player, words=word)
        return other


class _Observer:
    """OpenSpiel's observer: `tensor` float32 (W,), and words."""

    def __init__(self, rules: Game) -> None:
        self._rules = rules
        self.tensor = np.zeros(rules.observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = self._rules.observe(state.record, player)[0]

    def string_from(self, state: _State, player: int) -> str:
        return self._rules.describe(state.record, player)


def _loaded(text: str) -> Any:
    register_openspiel()
    return pyspiel.load_game(text)


def _short(name: str) -> str:
    return f"banquet_{name}"


def _defaults(spec: GameSpec) -> dict[str, Any]:
    players = max(spec.min_players, min(2, spec.max_players))
    return {"players": players, "seed": -1, "deal": -1, **{option.name: option.default for option in spec.options}}


def _kind(spec: GameSpec, zero_sum: bool = True, fixed: bool = False) -> Any:
    """OpenSpiel's description of a game; `fixed`: of one whose deal is."""
    chance, utility = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=_short(spec.name),
        long_name=spec.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.DETERMINISTIC if fixed else chance.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=spec.max_players,
        min_num_players=spec.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(spec),
    )
