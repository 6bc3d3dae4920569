"""A game in TextArena's shape: `reset(num_players, seed)`, `get_observation()`, `step(action)`, `close()`.

Every seat reads; the rules are told with the first observation of each. Needs the extra `textarena`.

    textarena.register("banquet/DinnerParty-v0", "banquet_agents.words.textarena_env:BanquetTextArena", game="dinner_party",
                       default_wrappers=[textarena.wrappers.LLMObservationWrapper])
    env = textarena.make("banquet/DinnerParty-v0")
"""

from __future__ import annotations

from typing import Any

try:
    import textarena as ta
except ImportError as error:
    raise ImportError("this needs textarena: pip install 'banquet-envs[textarena]'") from error

from banquet_agents.words.episode import Episode, OnFault
from banquet_agents.words.prompt import Style
from banquet_envs.core.arguments import spawn_seeds
from banquet_envs.core.registry import make_game


class BanquetTextArena(ta.Env):
    """A game for readers alone.

    Args:
        game: a registered id.
        legal, state: as for `Style`.
        on_fault: as for `Episode`; two refused answers in a row forfeit the game.
        **options: the game's own.
    """

    def __init__(
        self, game: str, legal: Any = "listed", state: Any = "text", on_fault: OnFault = "forfeit", **options: Any
    ) -> None:
        self._name, self._options = game, options
        self._style, self._on_fault = Style(legal, state), on_fault

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game; without a seed, one from the system's entropy."""
        game = make_game(self._name, num_players, **self._options)
        self.state = ta.State(num_players)
        self.state.standard_resets(game_state={}, role_mapping={k: f"Seat {k}" for k in range(num_players)})
        self._episode = Episode(game, spawn_seeds(1, seed)[0], {}, self._style, self._on_fault)
        self._told: set[int] = set()
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take the answer of the seat whose turn it is: (whether the game is over, what became of the answer)."""
        seat = self.state.current_player_id
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=seat)
        self._episode.answer(action)
        self.state.step_info = {"answer": self._episode.answer_was}
        self.state.game_info[seat]["turn_count"] += 1
        if self._episode.question is None:
            self._finish()
        else:
            self._ask()
        done, info = self.state.step()
        return bool(done), info

    def _ask(self) -> None:
        asked = self._episode.question
        assert asked is not None
        text, kind = asked.reminder, ta.ObservationType.GAME_BOARD
        if asked.seat not in self._told:
            text, kind = asked.prompt, ta.ObservationType.PROMPT
        self._told.add(asked.seat)
        self.state.current_player_id = asked.seat
        self.state.add_observation(text, kind, to_id=asked.seat)

    def _finish(self) -> None:
        """Rewards as TextArena has them: 1 for the winner, 0 for each of those who share the win, -1 for all others."""
        shares = self._episode.shares()
        self.state.done = True
        self.state.rewards = {seat: 1 if share == 1 else 0 if share else -1 for seat, share in enumerate(shares)}
        for seat, counts in self._episode.counts.items():
            ended = f"place {self._episode.places()[seat]}, {self._episode.points()[seat]} points"
            self.state.game_info[seat] |= {"reason": ended, "invalid_move": counts.forfeits > 0}
