"""PettingZoo AEC: one class that does its own checks, over an array of one game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from banquet_envs.core import state as records
from banquet_envs.core.errors import GameOverError, OptionError, ResetNeededError, SaveError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.core.random import next_seeds
from banquet_envs.envs.arguments import RENDER_MODES, checked_settings, first_word, game_for, whole_action
from banquet_envs.envs.moment import check_moment
from banquet_envs.envs.registration import pettingzoo_spec
from banquet_envs.envs.render import Renderer

_MOMENT = ("game_over", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")
"""What only a game in progress has."""


def observation_space(game: Game) -> spaces.Dict:
    """The dict space of one seat: `observation` float32 (W,) and `action_mask` int8 (A,)."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-BOUND, BOUND, (game.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


class BanquetAEC(AECEnv):
    """A game as a PettingZoo AEC environment.

    Agents are `player_0` ... `player_{P-1}`; `player_k` is seat k. All seats have equal spaces: the observation is a
    dict of `observation`, float32 (W,), from that seat's point of view, and `action_mask`, int8 (A,), what it may do:
    all zero when it is not the seat to move or the game is over. `layout` of `game` names every feature.

    A seat may decide several times in a row and in another's turn: follow `agent_selection`. Rewards are those of the
    game's reward scheme; at the end every agent is terminated, still gets its last reward, and takes its dead step
    `step(None)`. A game that an engine guard ends has ranked and paid, so it is terminated, too; nothing is ever truncated. At
    the end every agent's info holds `capped` (bool: it was the guard), `points` and `place` (0 is best).

    An unseeded `reset()` continues the stream of the last seed. An environment belongs to one thread.

    Args:
        game: the id, or a Game.
        illegal: "raise" (IllegalActionError, nothing changes) or "terminate": the game ends at once, the offender is
            paid -1 and the others 0, everybody terminated. What is no whole number is an ActionTypeError either way.
        render_mode: None, "ansi" (text), "rgb_array" (uint8 picture) or "human" (a window; opens at the first render).
        players, reward, components, threads and the game's options: see `make_game`; only with an id.

    Attributes:
        game: the Game.
        record: the game in progress, np.recarray (1,), to read; what is written into it is not checked (`game.check_records`).
        game_over: whether the game has ended (rules, guard or illegal action).
        illegal: what happens on an illegal action.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo reads a plain class attribute)
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        *,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        checked_settings(illegal, render_mode)
        self.game = game_for(game, players, options, ("illegal", "render_mode"))
        self.illegal = illegal
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"{self.game.name}_{self.game.spec.version}"}
        self.possible_agents = [f"player_{k}" for k in range(self.game.num_players)]
        self._seat_of = {agent: k for k, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {a: observation_space(self.game) for a in self.possible_agents}
        self.action_spaces = {a: spaces.Discrete(self.game.num_actions) for a in self.possible_agents}
        self.agents: list[str] = []
        shape = (self.game.num_players * self.game.observation_size,)
        self.state_space = spaces.Box(-BOUND, BOUND, shape, np.float32)
        self.spec = pettingzoo_spec(self.game, illegal, render_mode)
        self._renderer = Renderer(self.game)
        self._buffers = self.game.buffers(1)
        self._buffers.final_observation = np.zeros((0, self.game.observation_size), np.float32)
        self._seen = self._buffers.observation[0]
        self._mask = self._buffers.mask[0].view(np.int8)
        self._legal: Any = memoryview(self._buffers.mask[0])  # single entries: a third of an array's cost
        self._seat = np.zeros(1, np.int64)
        self._rows = np.zeros(1, np.int64)
        self.record: np.recarray = records.empty(0, self.game.spec.state)
        self._word = np.zeros(1, np.uint64)  # the seed word of the game in progress
        self._illegal_end = False
        self._pays_always = self.game.reward == "points"  # the other schemes pay at the end only

    def __str__(self) -> str:
        return str(self.metadata["name"])

    # ------------------------------------------------------------ PettingZoo's interface

    def observation_space(self, agent: str) -> gymnasium.Space:
        """The observation space of an agent; one object per agent and environment."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        """The action space of an agent, Discrete(A); `sample(mask)` takes the observation's `action_mask`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. With the same seed it takes the same course for the same actions; without one it follows from the game
        before, which the last seed began.

        `options` is there for PettingZoo's interface and has no effect: switches are fixed when the env is made.
        """
        states = records.empty(1, self.game.spec.state)
        if seed is None and len(self.record):
            word = next_seeds(self._word)
        else:
            word = np.array([first_word(seed)], np.uint64)
        self._word = word
        self.game.kernels.reset(records.raw(states), self.game.rules_raw, self._rows, word, 0, 1)
        self._adopt(states)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self._illegal_end = False
        self.agent_selection = self.possible_agents[self._mover]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; None for a dead step of an agent that has finished.

        Raises:
            ActionTypeError: not a whole number, under every setting; nothing has changed.
            IllegalActionError: with illegal="raise", an action that is not legal; nothing has changed.
            GameOverError: every agent has taken its dead step, or an action in a finished game.
            ResetNeededError: `reset` has never been called.
        """
        if not self.agents:
            self._nobody_left()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise GameOverError(f"{self}: the game is over for {agent}; its step must be None, found {action!r}")
            self._dead_step(agent)
            return
        if type(action) is not int:
            action = whole_action(action)
        if 0 <= action < self.game.num_actions and self._legal[action]:
            self._play(agent, action)
        elif self.illegal == "raise":
            self.game.checked_actions(self.record, [action])
        else:
            self._end_illegally(agent)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now: fresh arrays; `action_mask` is all zero unless it is to move."""
        self._need_reset()
        seat = self._seat_of[agent]
        if seat == self._players[0]:
            return {"observation": self._seen.copy(), "action_mask": self._mask.copy()}
        return {"observation": self._view_of(seat), "action_mask": np.zeros_like(self._mask)}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, its reward since its own last step, terminated, truncated, info."""
        if not self.agents:
            self._nobody_left()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> np.ndarray:
        """PettingZoo's global state: every seat's observation, float32 (P * W,), all that any seat knows; in `state_space`."""
        self._need_reset()
        seats = range(self.game.num_players)
        return np.concatenate([self._view_of(seat) for seat in seats])

    def render(self) -> str | np.ndarray | None:
        """The position with everything open: a text, a uint8 (H, W, 3) picture, or a window."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; none was given when making the env")
            return None
        self._need_reset()
        return self._renderer.render(self.render_mode, self.record)

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """PettingZoo's loop over `agent_selection`, until every agent has taken its dead step."""
        self._need_reset()
        return super().agent_iter(max_iter)

    def close(self) -> None:
        """Close the window, if one was opened."""
        self._renderer.close()

    # ------------------------------------------------------------ copying and keeping

    @property
    def game_over(self) -> bool:
        """Whether the game has ended."""
        self._need_reset()
        return self._illegal_end or bool(self._over)

    def get_state(self) -> dict[str, Any]:
        """Everything that makes up this moment, for `set_state` of an env of an equal game."""
        self._need_reset()
        return {
            "identity": self.game.identity(),
            "record": self.record.tobytes(),
            "word": int(self._word[0]),
            "agents": list(self.agents),
            "selection": self.agent_selection,
            "rewards": dict(self.rewards),
            "cumulative": dict(self._cumulative_rewards),
            "terminations": dict(self.terminations),
            "truncations": dict(self.truncations),
            "infos": {a: dict(i) for a, i in self.infos.items()},
            "illegal_end": self._illegal_end,
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Return to a moment given by `get_state`.

        Raises:
            SaveError: it belongs to another game, option set, rules version or components file, or is not such a moment.
        """
        self._restore(state, check_moment(self.game, self.possible_agents, state))

    def _restore(self, state: dict[str, Any], record: np.recarray | None = None) -> None:
        """Return to a moment that needs no check, or whose `record` has been checked."""
        if record is None:
            record = np.frombuffer(bytearray(state["record"]), np.uint8).view(self.game.spec.state).view(np.recarray)
        self._adopt(record)
        self._word = np.array([state["word"]], np.uint64)
        self.agents = list(state["agents"])
        self.agent_selection = state["selection"]
        self.rewards, self._cumulative_rewards = dict(state["rewards"]), dict(state["cumulative"])
        self.terminations, self.truncations = dict(state["terminations"]), dict(state["truncations"])
        self.infos = {a: dict(i) for a, i in state["infos"].items()}
        self._illegal_end = state["illegal_end"]
        if self._illegal_end:
            self._mask[:] = 0

    def clone(self) -> BanquetAEC:
        """An independent env at the same moment, cumulative rewards included; it has no window."""
        other = type(self)(self.game, illegal=self.illegal, render_mode=self.render_mode)
        if len(self.record):
            other._restore(self.get_state())
        return other

    def save(self) -> bytes:
        """The game in progress as bytes (without rewards that are still to be collected); see `Game.save`."""
        self._need_reset()
        return self.game.save(self.record)

    def load(self, data: bytes) -> None:
        """Continue a game from `save`; agents start with cumulative rewards of zero.

        Raises:
            SaveError: see `Game.load`.
        """
        states = self.game.load(data)
        if len(states) != 1:
            raise SaveError(f"{self}: this env plays one game, the save holds {len(states)}")
        self.reset(0)
        self._adopt(states)
        self._word = np.array(states["seed"], np.uint64)
        self.agent_selection = self.possible_agents[self._mover]
        if self._over:
            self._finish()

    def __deepcopy__(self, memo: Any) -> BanquetAEC:
        return self.clone()

    def __copy__(self) -> BanquetAEC:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        moment = self.get_state() if len(self.record) else None
        return {"game": self.game, "illegal": self.illegal, "render_mode": self.render_mode, "moment": moment}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        BanquetAEC.__init__(self, kept["game"], illegal=kept["illegal"], render_mode=kept["render_mode"])
        if kept["moment"] is not None:
            self._restore(kept["moment"])

    # ------------------------------------------------------------ how it works

    def _adopt(self, states: np.recarray) -> None:
        """Make `states`, one game, the current one."""
        self.record = states
        self._raw = records.raw(states)
        game, buffers, kernels = self.game, self._buffers, self.game.kernels
        self._kernel = kernels.turn
        self._before = self._raw, game.rules_raw
        self._after = game.scheme, game.points_scale, buffers.rewards[0], buffers.mask[0], self._seen
        self._players: Any = memoryview(states["player"])  # type: ignore[arg-type]
        self._overs: Any = memoryview(states["over"])  # type: ignore[arg-type]
        kernels.legal(self._raw, game.rules_raw, self._rows, buffers.mask, 0, 1)
        kernels.observe(self._raw, game.rules_raw, self._rows, buffers.movers, buffers.observation, 0, 1)

    def _view_of(self, seat: int) -> np.ndarray:
        """A seat's observation, a fresh array."""
        seen = np.empty((1, self.game.observation_size), np.float32)
        self._seat[0] = seat
        self.game.kernels.observe(self._raw, self.game.rules_raw, self._rows, self._seat, seen, 0, 1)
        return seen[0]

    @property
    def _mover(self) -> int:
        return self._players[0]

    @property
    def _over(self) -> bool:
        return self._overs[0]

    def __getattr__(self, name: str) -> Any:
        """Asked for what is not there: before the first `reset` that includes whose turn it is."""
        if name in _MOMENT and not len(self.__dict__.get("record", ())):
            raise ResetNeededError(f"{self.__dict__.get('metadata', {}).get('name', 'env')}: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _need_reset(self) -> None:
        if not len(self.record):
            raise ResetNeededError(f"{self}: call reset() first")

    def _nobody_left(self) -> None:
        self._need_reset()
        raise GameOverError(f"{self}: the game is over and every agent has taken its last step; call reset() first")

    def _play(self, agent: str, action: int) -> None:
        self._cumulative_rewards[agent] = 0.0
        self._kernel(*self._before, action, *self._after)
        over = self._overs[0]
        if over or self._pays_always:
            paid = self._buffers.rewards[0].tolist()
            for name, reward in zip(self.possible_agents, paid, strict=True):
                self.rewards[name] = reward
                if reward:
                    self._cumulative_rewards[name] += reward
        if over:
            self._finish()
        self.agent_selection = self.possible_agents[self._players[0]]

    def _finish(self) -> None:
        record, players = self.record.view(np.ndarray)[0], self.game.num_players
        for seat, name in enumerate(self.agents):
            self.terminations[name] = True
            self.infos[name] = {
                "capped": bool(record["capped"]),
                "points": record["points"][:players].tolist(),
                "place": int(record["place"][seat]),
            }

    def _end_illegally(self, agent: str) -> None:
        """PettingZoo's habit: the offender loses at once."""
        self._illegal_end = True
        self._mask[:] = 0
        self._cumulative_rewards[agent] = 0.0
        for name in self.agents:
            self.rewards[name] = -1.0 if name == agent else 0.0
            self._cumulative_rewards[name] += self.rewards[name]
            self.terminations[name] = True

    def _dead_step(self, agent: str) -> None:
        """Take a finished agent out; the next one collects what it has earned."""
        self.agents.remove(agent)
        for kept in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del kept[agent]
        for name in self.agents:
            self.rewards[name] = 0.0
        if self.agents:
            self.agent_selection = self.agents[0]


def parallel_env(*args: Any, **kwargs: Any) -> None:
    """There is none: seats take turns.

    Raises:
        OptionError: always; says what to use.
    """
    raise OptionError(
        "seats take turns in this game, so there is no parallel_env: use env() (AEC); for one learner's seat against"
        " agents gymnasium.make(...), for a batch of them gymnasium.make_vec(...), ids in banquet_envs.envs.registration"
    )
