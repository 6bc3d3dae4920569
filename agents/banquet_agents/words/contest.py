"""Place a reading player on the ladder: paired deals over all seat assignments against each opponent, kept call by call."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from banquet_agents.files import write_whole
from banquet_agents.forms import read_json
from banquet_agents.registry import make_agent
from banquet_agents.words.episode import Counts, Episode, OnFault
from banquet_agents.words.journal import Journal, Line
from banquet_agents.words.players import Player, SeatedPlayer, prompt_hash
from banquet_agents.words.prompt import Style
from banquet_agents.words.rating import frozen_ladder
from banquet_envs.core.arguments import spawn_seeds
from banquet_envs.core.errors import AgentError, BanquetError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.words import rules_text

CALLS = {"small": 4_000, "full": 40_000}
"""About how many calls a game each set takes."""
_DECISIONS = 50.0
"""Of a seat in a game, where the frozen ladder does not know the game."""
PLAN, TRANSCRIPT, LOCK = "plan.json", "transcript.jsonl", ".lock"


@dataclass(frozen=True)
class Plan:
    """Everything that a run's results follow from, but the player's answers.

    Attributes:
        player: its name.
        games: `Game.identity()` of each game.
        rules: a hash of each game's rules as they are told.
        opponents: agents, each of whom holds all other seats.
        deals: of each game against each opponent; every deal is played from every seat.
        seed: of the deals and of the agents' chance.
        on_fault: what two refused answers mean (`Episode`).
        style: `Style.identity()`.
    """

    player: str
    games: list[dict[str, Any]]
    rules: list[str]
    opponents: list[str]
    deals: list[int]
    seed: int
    on_fault: OnFault
    style: dict[str, str]


@dataclass
class Outcome:
    """The games of the player in one game against one opponent.

    Attributes:
        game, opponent: names.
        share: float64 (deals, seats), the player's share of the win.
        score: float64 (deals, seats), its mean score against each other seat: 1 for a better place, 0.5 for the same one.
        points: float64 (deals, seats).
        counts: what became of its answers.
        seconds: of all its calls.
        tokens: of all its calls, where known.
    """

    game: str
    opponent: str
    share: np.ndarray
    score: np.ndarray
    points: np.ndarray
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    tokens: dict[str, int] = field(default_factory=dict)


def deals_of(game: Game, opponents: int, calls: int) -> int:
    """How many deals against each opponent take about `calls` calls, two at least."""
    known = frozen_ladder()["games"].get(game.name, {}) if game.num_players == 2 else {}
    return max(2, round(calls / (opponents * game.num_players * known.get("decisions", _DECISIONS))))


class Contest:
    """A run in a folder: the plan, the rules as they were told, the transcript. Killed at any time, it goes on from there.

    Args:
        folder: where it is kept.
        plan: what is played.
        games: the Games of the plan.

    Raises:
        OptionError: a game for one player alone: there is nobody to be compared with.
    """

    def __init__(self, folder: Path, plan: Plan, games: Sequence[Game]) -> None:
        for game in games:
            if game.num_players < 2:
                raise OptionError(f"{game.name}: a reading player is placed against others; choose two players or more")
        self.folder, self.plan, self.games = folder, plan, list(games)
        self._style = Style(plan.style["legal"], plan.style["state"])  # type: ignore[arg-type]
        self._failure: BaseException | None = None

    def play(
        self,
        player_for: Callable[[Game], Player | SeatedPlayer],
        jobs: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Outcome]:
        """Play what has not been played.

        Args:
            player_for: makes the player of a game.
            jobs: games at a time, each in a thread of its own: the player must bear that.
            progress: called with (games finished, games in all).

        Raises:
            AgentError: the player failed; what it has answered is kept.
            OptionError: the folder is in use, or holds another run.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self._failure = None
        try:
            with filelock.FileLock(self.folder / LOCK, timeout=0):
                self._begin()
                journal = Journal(self.folder / TRANSCRIPT)
                try:
                    return self._play(journal, player_for, jobs, progress)
                finally:
                    journal.close()
        except filelock.Timeout as error:
            raise OptionError(f"{self.folder}: another process is playing this run") from error

    def _begin(self) -> None:
        file = self.folder / PLAN
        if file.exists():
            there = read_json(Plan, file.read_text(), str(file))
            wanted = read_json(Plan, json.dumps(asdict(self.plan)), "the plan")
            if different := [name for name, value in asdict(there).items() if value != getattr(wanted, name)]:
                raise OptionError(
                    f"{self.folder}: holds another run: {', '.join(different)} differ; choose another folder"
                )
        elif (self.folder / TRANSCRIPT).exists():
            raise OptionError(f"{self.folder}: is in use for something else; choose another folder")
        else:
            write_whole(file, json.dumps(asdict(self.plan), indent=2) + "\n")
        for game in self.games:
            write_whole(self.folder / f"rules-{game.name}.txt", rules_text(game) + "\n")

    def _play(
        self,
        journal: Journal,
        player_for: Callable[[Game], Player | SeatedPlayer],
        jobs: int,
        progress: Callable[[int, int], None] | None,
    ) -> list[Outcome]:
        players = {game.name: player_for(game) for game in self.games}
        sittings = list(self._sittings())
        outcomes = {}
        for game, deals in zip(self.games, self.plan.deals, strict=True):
            for opponent in self.plan.opponents:
                shape = (deals, game.num_players)
                outcomes[game.name, opponent] = Outcome(
                    game.name, opponent, np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, np.nan)
                )
        with ThreadPoolExecutor(jobs) as pool:
            played = [pool.submit(self._sit, sitting, players[sitting.game.name], journal) for sitting in sittings]
            try:
                for k, (sitting, done) in enumerate(zip(sittings, played, strict=True)):
                    _enter(outcomes[sitting.game.name, sitting.opponent], sitting, done.result())
                    if progress is not None:
                        progress(k + 1, len(sittings))
            except BaseException as error:
                self._failure = self._failure or error
                pool.shutdown(cancel_futures=True)
                raise self._failure from None
        for line in journal.lines():
            outcome = outcomes[line.game, line.opponent]
            outcome.seconds += line.seconds
            for name, n in line.tokens.items():
                outcome.tokens[name] = outcome.tokens.get(name, 0) + n
        return list(outcomes.values())

    def _sittings(self) -> Iterator[Sitting]:
        for game, deals in zip(self.games, self.plan.deals, strict=True):
            words = spawn_seeds(deals, self.plan.seed)  # one opponent meets the same deals as the other
            for opponent in self.plan.opponents:
                for deal in range(deals):
                    for seat in range(game.num_players):
                        yield Sitting(game, opponent, deal, seat, int(words[deal]))

    def _sit(self, sitting: Sitting, player: Player | SeatedPlayer, journal: Journal) -> Episode:
        """Play a game; the first failure stops all games before their next call: calls cost money."""
        try:
            return self._played(sitting, player, journal)
        except BaseException as error:
            self._failure = self._failure or error
            raise

    def _played(self, sitting: Sitting, player: Player | SeatedPlayer, journal: Journal) -> Episode:
        game, seats = sitting.game, range(sitting.game.num_players)
        agent = make_agent(game, sitting.opponent)  # of this thread alone
        agents = {seat: agent for seat in seats if seat != sitting.seat}
        episode = Episode(game, sitting.word, agents, self._style, self.plan.on_fault, self.plan.seed)
        reply = player.sit(episode) if isinstance(player, SeatedPlayer) else player
        while (asked := episode.question) is not None:
            key = (game.name, sitting.opponent, sitting.deal, asked.seat, asked.ply, asked.attempt)
            hashed = prompt_hash(asked.prompt)
            known = journal.known(key)
            if known is not None:
                if known.prompt_hash != hashed:
                    raise OptionError(
                        f"{self.folder}: the transcript was written by another version: prompts differ at {key}"
                    )
                episode.answer(known.reply)
                continue
            if self._failure is not None:
                raise self._failure
            start = time.perf_counter()
            try:
                text = reply(asked.prompt)
            except BanquetError:
                raise
            except Exception as error:
                raise AgentError(f"player {self.plan.player} failed: {type(error).__name__}: {error}") from error
            seconds = round(time.perf_counter() - start, 6)
            try:
                episode.answer(str(text))
            finally:  # also when a refused answer ends the run: it has been paid for
                shown, tokens = asked.prompt.replace(episode.rules, "{rules}"), dict(getattr(text, "tokens", {}))
                journal.add(Line(*key, shown, hashed, str(text), episode.answer_was, seconds, tokens))
        return episode


@dataclass(frozen=True)
class Sitting:
    """One game: the player in one seat, an opponent in all others, on one deal."""

    game: Game
    opponent: str
    deal: int
    seat: int
    word: int


def _enter(outcome: Outcome, sitting: Sitting, episode: Episode) -> None:
    """Enter a finished game."""
    at = sitting.deal, sitting.seat
    places = episode.places()
    mine = places[sitting.seat]
    others = [place for seat, place in enumerate(places) if seat != sitting.seat]
    outcome.share[at] = episode.shares()[sitting.seat]
    outcome.points[at] = episode.points()[sitting.seat]
    outcome.score[at] = sum((mine < place) + 0.5 * (mine == place) for place in others) / len(others)
    outcome.counts.add(episode.counts[sitting.seat])
