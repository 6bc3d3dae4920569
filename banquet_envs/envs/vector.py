"""A Gymnasium VectorEnv over a batch of games: one learner's seat in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from banquet_envs.core.arguments import whole, whole_actions
from banquet_envs.core.errors import GameOverError, OptionError, ResetNeededError
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.core.random import next_seeds
from banquet_envs.envs.arguments import (
    RENDER_MODES,
    checked_reset_options,
    checked_settings,
    refuse_move,
    row_words,
)
from banquet_envs.envs.render import Renderer
from banquet_envs.envs.seats import SeatedGames
from banquet_envs.envs.single import seated_game


class BanquetVector(VectorEnv):
    """`num_envs` games in lock-step, one compiled call per round of moves.

    Row k is what `BanquetSingle` with the same arguments would be: the same games from the same seed, the same rewards
    (float64 (num_envs,), the learner's, gathered up to its next decision), every end `terminated`. Every array that is returned
    is the caller's to keep. `infos` holds arrays over all rows, each with a mask `_name` as Gymnasium has it:

    * `action_mask`: int8 (num_envs, A), all zero in a row whose game is over (see below);
    * `seat`: int64 (num_envs,); `points`: int64 (num_envs, P); `capped`: bool (num_envs,);
    * `place`: int64 (num_envs,), final ranks where a game has just ended, 0 is best (-1 elsewhere, and for an illegal end);
    * with SAME_STEP, when some game has ended: `final_obs`, an object array with its last observations, and `final_info`, a dict
      of the entries above as they were at its end, with its rows marked in `_final_info`.

    What follows a game's end is `autoreset_mode`'s to say. SAME_STEP (default): the observation returned is the new game's
    first. NEXT_STEP: it is the ended one's last; the next step ignores the row's action, pays nothing and returns the new game's
    first. DISABLED: the row waits for `reset(options={"reset_mask": rows})`. A row that waits has a mask of all zeros: a library
    that fills illegal logits with -inf should look at such a row as if everything were legal
    (`mask | ~mask.any(-1, keepdims=True)`), since its action is never played.

    Args:
        game: the id, or a Game.
        num_envs: how many games.
        autoreset_mode: a `gymnasium.vector.AutoresetMode`, or its value as text.
        players, opponents, seat, illegal, render_mode, reward, components and the game's options: as for `BanquetSingle`.
            `render()` gives a tuple with a text or a picture per row; there is no window.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (Gymnasium's way)
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        players: int | None = None,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int | str = "random",
        illegal: str = "raise",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        **options: Any,
    ) -> None:
        self.num_envs = n = whole(num_envs, "num_envs", 1)
        checked_settings(illegal, render_mode)
        if render_mode == "human":
            raise OptionError('render_mode="human" is not for several games; choose "ansi" or "rgb_array"')
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.game = seated_game(game, players, options, ("num_envs", "autoreset_mode"))
        self.illegal = illegal
        self.render_mode = render_mode
        self.single_observation_space = spaces.Box(-BOUND, BOUND, (self.game.observation_size,), np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._games = SeatedGames(self.game, n, opponents, seat)
        self._renderer = Renderer(self.game)
        self._every = np.arange(n)
        self._ended = np.zeros(n, np.bool_)  # the row's game is over, by the rules or by an illegal action
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New games.

        Args:
            seed: a seed s for the first row, s + 1 for the second and so on, as Gymnasium has it; or a list with a seed per
                row, which fixes that row whatever the others get (None: entropy); None continues each row's stream.
            options: `reset_mask`, bool (num_envs,): only these rows.

        Raises:
            OptionError: seeds that are none, a mask of another shape, other options.
        """
        checked_reset_options(options, ("reset_mask",))
        rows = self._rows_to_reset(options)
        words = self._words(seed)[rows]
        self._games.begin(rows, words)
        self._ended[rows] = False
        self._begun = True
        return self._games.observe(), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learner's action in every game.

        Raises:
            ActionTypeError: not one whole number per row.
            IllegalActionError: with illegal="raise", an action that is not legal; nothing has changed in any game. Or an
                opponent's.
            GameOverError: with autoreset DISABLED, a row whose game is over.
            ResetNeededError: `reset` has never been called.
        """
        self._need_reset()
        given = self._whole(actions)
        waiting = self._ended.copy()
        if waiting.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise GameOverError(
                f"{self.game.name}: the games of rows {np.flatnonzero(waiting).tolist()} are over;"
                ' call reset(options={"reset_mask": ...}) first'
            )
        wrong = ~waiting & ~self._legal(given)
        if wrong.any() and self.illegal == "raise":
            row = int(wrong.argmax())
            refuse_move(self.game, self.states, row, int(given[row]))
        games = self._games
        games.step(np.flatnonzero(~waiting & ~wrong), given[~waiting & ~wrong])
        rewards = games.rewards.astype(np.float64)
        rewards[wrong] = -1.0
        self._begin_anew(np.flatnonzero(waiting))
        ended = ~waiting & (wrong | games.table.over)
        self._ended[ended] = True
        infos = {}
        if ended.any() and self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._finals(ended)
            self._begin_anew(np.flatnonzero(ended))
        return games.observe(), rewards, ended, np.zeros(self.num_envs, np.bool_), {**self._infos(), **infos}

    def action_masks(self) -> np.ndarray:
        """bool (num_envs, A): legal actions of the learner's seats; all False where a game is over."""
        self._need_reset()
        return self._games.table.buffers.mask & ~self._ended[:, None]

    @property
    def seats(self) -> np.ndarray:
        """int64 (num_envs,): the learner's seat in each game."""
        self._need_reset()
        return self._games.seats.copy()

    @property
    def states(self) -> np.recarray:
        """The games in progress, np.recarray (num_envs,)."""
        self._need_reset()
        return self._games.table.states

    def render(self) -> tuple[Any, ...] | None:
        """Every row as its learner may see it: texts or uint8 (H, W, 3) pictures."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; none was given when making the env")
            return None
        mode, states = self.render_mode, self.states
        one = [states[k : k + 1].view(np.recarray) for k in range(self.num_envs)]
        return tuple(self._renderer.render(mode, one[k], int(seat)) for k, seat in enumerate(self.seats))

    # ------------------------------------------------------------ how it works

    def _rows_to_reset(self, options: dict[str, Any] | None) -> np.ndarray:
        if not options:
            return self._every
        mask = options["reset_mask"]
        if (
            not isinstance(mask, np.ndarray)
            or mask.shape != (self.num_envs,)
            or mask.dtype != np.bool_
            or not mask.any()
        ):
            raise OptionError(f"reset_mask: expected a bool array of ({self.num_envs},), not all False; found {mask!r}")
        if not self._begun and not mask.all():
            raise ResetNeededError(f"{self.game.name}: call reset() first, for all rows")
        return np.flatnonzero(mask)

    def _words(self, seed: Any) -> np.ndarray:
        """uint64 (num_envs,): the seed words of the games to begin."""
        if seed is None and self._begun:
            return next_seeds(self._games.words)
        words = row_words(seed, self.num_envs)
        if isinstance(seed, int | np.integer):
            self._np_random, self._np_random_seed = seeding.np_random(int(seed))
        return words

    def _whole(self, actions: Any) -> np.ndarray:
        """int64 (num_envs,) actions, legal or not."""
        given = whole_actions(self.game.name, actions, self.num_envs)
        if given.dtype == np.uint64:  # what int64 cannot hold is no action
            given = np.minimum(given, np.uint64(2**62))
        return given.astype(np.int64)

    def _legal(self, actions: np.ndarray) -> np.ndarray:
        """bool (num_envs,): whether each row's action is legal."""
        inside = (actions >= 0) & (actions < self.game.num_actions)
        return inside & self._games.table.buffers.mask[self._every, np.where(inside, actions, 0)]

    def _begin_anew(self, rows: np.ndarray) -> None:
        if len(rows):
            self._games.begin_next(rows)
            self._ended[rows] = False

    def _finals(self, ended: np.ndarray) -> dict[str, Any]:
        """`final_obs` and `final_info` of the games that the step has ended."""
        views = self._games.observe()
        final = np.full(self.num_envs, None, dtype=object)
        for k in np.flatnonzero(ended):
            final[k] = views[k]
        return marked({"final_obs": final, "final_info": marked(self._facts(), ended)}, ended)

    def _facts(self) -> dict[str, Any]:
        plain, seats = self._games.table.states.view(np.ndarray), self._games.seats
        return {
            "action_mask": self.action_masks().view(np.int8),
            "seat": seats.copy(),
            "points": plain["points"][:, : self.game.num_players].astype(np.int64),
            "capped": plain["capped"].copy(),
            "place": plain["place"][self._every, seats].astype(np.int64),
        }

    def _infos(self) -> dict[str, Any]:
        infos = marked(self._facts(), np.ones(self.num_envs, np.bool_))
        infos["_place"] = self._games.table.over.copy()
        return infos

    def _need_reset(self) -> None:
        if not self._begun:
            raise ResetNeededError(f"{self.game.name}: call reset() first")


def marked(facts: dict[str, Any], rows: np.ndarray) -> dict[str, Any]:
    """Each entry with Gymnasium's mask beside it: the rows of which it tells."""
    return {**facts, **{f"_{name}": rows.copy() for name in facts}}


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode) if not isinstance(mode, str) or mode in _VALUES else AutoresetMode[mode]
    except (KeyError, ValueError):
        raise OptionError(f"autoreset_mode={mode!r} is not allowed; choose one of {list(AutoresetMode)}") from None


_VALUES = [mode.value for mode in AutoresetMode]
