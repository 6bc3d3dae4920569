"""Checks of hidden information: that it is hidden, that samples vary as they should, and depend on nothing hidden.

`determinize` is held against play in three ways, each of which sees what the others cannot:

* from two positions that a seat cannot tell apart it must give the same samples (any game);
* over many games, what is sampled must go together with what the seat sees as the truth does (any game);
* in a small game, or at the beginning of a larger one, all games that look the same to the seat can be played: the samples
  must be those, in the same proportion.

Numbers of games and samples are a fraction in plain Python (NUMBA_DISABLE_JIT=1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.compile import JIT
from banquet_envs.core.game import Game
from banquet_envs.testing.play import random_actions, snapshots

_FAR = 7.0
"""Standard deviations: by chance not once in 10^11 comparisons."""


def few(n: int) -> int:
    """`n`, or an eighth as plain Python."""
    return n if JIT else max(4, n // 8)


def sampled(game: Game, states: np.recarray, seat: int, seed: int) -> np.recarray:
    """Copies, determinised for a seat; the seed may be that of the games: samples have streams of their own."""
    view = records.copy(states)
    game.determinize(view, seat, seed)
    return view


def own_bytes(states: np.recarray) -> np.ndarray:
    """uint8 (n, k): records without the random stream and the seed."""
    return records.rows(states)[:, 16:]  # the two words come first


def others(game: Game, seat: int) -> list[int]:
    """Every other seat."""
    return [p for p in range(game.num_players) if p != seat]


# ---------------------------------------------------------------- that it varies


def check_what_is_hidden_varies(game: Game, n: int = 16, seed: int = 11) -> None:
    """Where something is hidden, samples differ from the truth somewhere; where nothing is, and no chance, nowhere."""
    facts, varied, positions = game.facts, 0, 0
    for states, _ in snapshots(game, few(n), seed):
        for seat in range(game.num_players):
            differs = (own_bytes(sampled(game, states, seat, seed)) != own_bytes(states)).any(axis=1)
            assert facts.hidden_information or facts.chance or not differs.any(), (
                f"at ply {states.ply[differs.argmax()]} determinize for seat {seat} changes the game, though nothing is hidden in it"
            )
            varied, positions = varied + int(differs.sum()), positions + len(states)
    if facts.hidden_information and game.num_players > 1:
        assert varied, f"information is hidden, but determinize changed nothing in {positions} positions"


def check_public_features_are_public(game: Game, n: int = 16, seed: int = 12) -> None:
    """What every seat could work out does not change when the world is resampled from another seat's knowledge."""
    public = np.flatnonzero(~game.layout.private_mask())
    for states, _ in snapshots(game, few(n), seed):
        truth = [game.observe(states, p)[:, public] for p in range(game.num_players)]
        for seat in range(game.num_players):
            view = sampled(game, states, seat, seed)
            for p in others(game, seat):
                row, column = np.nonzero(game.observe(view, p)[:, public] != truth[p])
                assert not len(column), (
                    f"at ply {states.ply[row[0]]}: {game.layout.find(int(public[column[0]]))[0].name!r} of seat {p} is declared"
                    f" public, but seat {seat} cannot know it: it changes when the world is resampled for seat {seat}"
                )


# ---------------------------------------------------------------- that it does not depend on the truth


def check_samples_do_not_depend_on_the_truth(game: Game, n: int = 4, seed: int = 13) -> None:
    """From two positions that a seat cannot tell apart come the same samples, as far as anybody can see."""
    if not game.facts.hidden_information or game.num_players == 1:
        return
    size = 512 if JIT else 256
    for moment, (states, _) in enumerate(snapshots(game, few(n), seed)):
        row = records.take(states, np.array([moment % len(states)]))
        for seat in {int(row.player[0]), (int(row.player[0]) + 1) % game.num_players}:
            tried = sampled(game, records.take(row, np.zeros(8, np.int64)), seat, seed + 1)
            other = np.flatnonzero((own_bytes(tried) != own_bytes(row)).any(axis=1))
            if len(other):
                twin = records.take(tried, other[:1])
                one, two = (sampled(game, records.take(s, np.zeros(size, np.int64)), seat, seed) for s in (row, twin))
                if (own_bytes(one) != own_bytes(two)).any():  # the same bytes from the same words: nothing to compare
                    what = _unlike(game, seat, (row, twin), (one, two))
                    assert not what, (
                        f"at ply {row.ply[0]}: what determinize samples for seat {seat} depends on what it cannot know: {what}"
                    )


def _unlike(
    game: Game, seat: int, truths: tuple[np.recarray, np.recarray], samples: tuple[np.recarray, np.recarray]
) -> str:
    """In what respect two sets of samples differ beyond chance, as seen by the other seats; "" when in none."""
    for p in others(game, seat):
        seen = [game.observe(s, p) for s in samples]
        varies = np.flatnonzero((seen[0] != seen[0][0]).any(axis=0) | (seen[1] != seen[0][0]).any(axis=0))
        if not len(varies):
            continue
        names = [f"{game.layout.find(int(k))[0].name!r} of seat {p}" for k in varies]
        columns = [s[:, varies].astype(np.float64) for s in seen]
        for k, truth in enumerate(truths):
            view = game.observe(truth, p)[0, varies]
            columns = [np.column_stack([c, (c[:, : len(varies)] == view).all(axis=1)]) for c in columns]
            names.append(f"how often seat {p} has what it has in the {('first', 'second')[k]} of two such positions")
        apart = _apart(*columns)
        if apart.max() > _FAR:
            worst = int(apart.argmax())
            means = [c[:, worst].mean() for c in columns]
            return f"{names[worst]}: {means[0]:.3f} from one, {means[1]:.3f} from the other, in the mean"
    return ""


def _apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """By how many standard deviations the means of the columns of two arrays differ."""
    spread = np.sqrt(a.var(axis=0) / len(a) + b.var(axis=0) / len(b))
    return np.abs(a.mean(axis=0) - b.mean(axis=0)) / np.maximum(spread, 0.5 / len(a))


# ---------------------------------------------------------------- that it goes with what is seen, over many games


def check_samples_agree_with_play(game: Game, n: int = 2048, seed: int = 14) -> None:
    """Over many random games, samples go together with what the seat sees as the truth does.

    Play weighs the truth also by how likely the others' visible actions were; samples need not. So only what is off by much
    counts: `_OFF` of a standard deviation.
    """
    if not game.facts.hidden_information or game.num_players == 1:
        return
    for moment, (states, _) in enumerate(snapshots(game, few(n), seed, last=80)):
        seat = moment % game.num_players
        view = sampled(game, states, seat, seed)
        seen = game.observe(states, seat)
        p = others(game, seat)[moment // game.num_players % (game.num_players - 1)]
        _compare(game, (seat, p), seen, game.observe(states, p) - game.observe(view, p), int(states.ply.min()))


_OFF = 0.25
_SOME = 60
"""Fewest games in which a pair of features must differ before it is looked at."""


def _compare(game: Game, seats: tuple[int, int], seen: np.ndarray, error: np.ndarray, ply: int) -> None:
    """`error` (n, W), truth less sample of another seat's features, must not go with any feature that the seat sees."""
    varies = np.flatnonzero((error != 0).sum(axis=0) >= _SOME)
    if not len(varies):
        return
    x = np.column_stack([np.ones(len(seen)), seen]).astype(np.float64)
    d = error[:, varies].astype(np.float64)
    total, square = x.T @ d, np.sqrt((x**2).T @ d**2)
    enough = ((x != 0).T.astype(np.float32) @ (d != 0).astype(np.float32)) >= _SOME
    spread = np.maximum(square, 1e-9)
    count = (x != 0).sum(axis=0)[:, None]
    # total / square is a number of standard deviations; total / (sqrt(count) square) the size of what is off.
    bad = enough & (np.abs(total) / spread > _FAR) & (np.abs(total) / (np.sqrt(np.maximum(count, 1)) * spread) > _OFF)
    if bad.any():
        i, j = (int(k[0]) for k in np.nonzero(bad))
        mine = "whatever it sees" if i == 0 else f"where {game.layout.find(i - 1)[0].name!r} is not 0"
        raise AssertionError(
            f"from ply {ply} on, seat {seats[0]}, {mine}: samples of {game.layout.find(int(varies[j]))[0].name!r} of seat"
            f" {seats[1]} are off by {-total[i, j] / count[i, 0]:+.3f} in the mean over {int(count[i, 0])} games"
        )


# ---------------------------------------------------------------- exactly, where the game is small


def check_samples_are_fair(game: Game, truths: int = 24 if JIT else 6, seed: int = 15) -> str | None:
    """In a small game: samples are the worlds that look the same to the seat, all of them, in their proportion.

    Worlds come from play: games from other seeds in which the same happens before the seat's eyes, where hidden choices of
    others are drawn from what was legal to them. Looks as deep into the game as enough of them can be found.

    Returns:
        A note when the game is too large for that; None when it was looked at.
    """
    if not game.facts.hidden_information or game.num_players == 1:
        return None
    measured = 0
    for k in range(truths):
        measured += _one_truth(game, seed + k, k % game.num_players, depth=k * 3 % 7)
        if k >= 3 and not measured:
            return "too large for all games that look the same to be played: only compared with play in the mean"
    return None


_WORLDS, _ENOUGH, _SURE = 16384, 300, 6.0


def _one_truth(game: Game, seed: int, seat: int, depth: int) -> bool:
    """Compare the samples of one position with worlds from play; whether enough of those were found."""
    rng = np.random.default_rng(seed)
    truth = game.reset(1, seed)
    size = _WORLDS if JIT else _WORLDS // 8
    worlds = Worlds(game, seat, game.reset(size, seed + 10**6), np.ones(size)).alike(truth)
    for _ in range(depth):
        action = int(random_actions(game.legal_actions(truth), rng)[0])
        after = records.copy(truth)
        game.step(after, [action])
        later = worlds.follow(truth, action, rng).alike(after)
        if after.over[0] or len(later.states) < _ENOUGH:
            break
        truth, worlds = after, later
    if len(worlds.states) < _ENOUGH:
        return False
    samples = sampled(game, records.take(truth, np.zeros(4096 if JIT else 1024, np.int64)), seat, seed)
    _same_worlds(game, samples, worlds, rng)
    return True


@dataclass(frozen=True)
class Worlds:
    """Games that look to a seat as the true one does, and how much each weighs: how likely what was seen is in it."""

    game: Game
    seat: int
    states: np.recarray
    weight: np.ndarray

    def follow(self, truth: np.recarray, action: int, rng: np.random.Generator) -> Worlds:
        """Those in which `action` can be played, after it; what the seat does not see is drawn from what is legal there."""
        states, weight, mask = records.copy(self.states), self.weight, self.game.legal_actions(self.states)
        if truth.player[0] == self.seat or _seen(self.game, truth, action, self.seat):
            can = np.flatnonzero(mask[:, action])
            states, weight = records.take(states, can), weight[can] / mask[can].sum(axis=1)
            actions = np.full(len(states), action)
        else:
            actions = random_actions(mask, rng)
        self.game.step(states, actions)
        return replace(self, states=states, weight=weight)

    def alike(self, truth: np.recarray) -> Worlds:
        """Those that look to the seat as the truth does."""
        game, states = self.game, self.states
        same = (states.player == truth.player[0]) & (states.over == truth.over[0])
        same &= (game.observe(states, self.seat) == game.observe(truth, self.seat)).all(axis=1)
        if truth.player[0] == self.seat:
            same &= (game.legal_actions(states) == game.legal_actions(truth)).all(axis=1)
        return replace(self, states=records.take(states, np.flatnonzero(same)), weight=self.weight[same])


def _seen(game: Game, truth: np.recarray, action: int, seat: int) -> bool:
    """Whether the seat can tell the action from every other that was legal."""
    legal = np.flatnonzero(game.legal_actions(truth)[0])
    after = records.take(truth, np.zeros(len(legal), np.int64))
    game.step(after, legal)
    view = game.observe(after, seat)
    same = (view == view[legal == action]).all(axis=1) & (after.player == after.player[legal == action])
    return int(same.sum()) == 1


def _same_worlds(game: Game, samples: np.recarray, worlds: Worlds, rng: np.random.Generator) -> None:
    """Samples and worlds are distributed alike, as all seats see them: now, and after one and two random moves."""
    where = f"at ply {samples.ply[0]}, seat {worlds.seat}"
    states = worlds.states
    for later in range(3):
        # Samples may be weighed by how likely the others' visible actions were, or not: both are fair.
        told = [_different(game, samples, states, w) for w in (np.ones(len(states)), worlds.weight)]
        assert not all(told), f"{where}{f', {later} random moves later' if later else ''}: {told[0]}"
        for some in (samples, states):
            live = np.flatnonzero(~some.over)
            part = records.take(some, live)
            game.step(part, random_actions(game.legal_actions(part), rng))
            records.put(some, live, part)


def _different(game: Game, samples: np.recarray, worlds: np.recarray, weight: np.ndarray) -> str:
    """How the two differ beyond chance; "" when they do not."""
    views = [np.concatenate([game.observe(s, p) for p in range(game.num_players)], axis=1) for s in (samples, worlds)]
    rows = np.ascontiguousarray(np.concatenate(views))
    _, first, key = np.unique(rows.view(np.dtype((np.void, rows.strides[0]))), return_index=True, return_inverse=True)
    key = key.reshape(-1)
    n = len(samples)
    effective = weight.sum() ** 2 / (weight**2).sum()
    one = np.bincount(key[:n], minlength=len(first)) / n
    two = np.bincount(key[n:], weight, len(first)) / weight.sum()
    both = (one * n + two * effective) / (n + effective)
    apart = np.abs(one - two) / np.sqrt(np.maximum(both * (1 - both), 1e-12) * (1 / n + 1 / effective))
    if apart.max() < _SURE:
        return ""
    apart += 1e6 * ((one == 0) | (two == 0)) * (apart > _SURE)  # what is never, or always, sampled is told first
    worst = int(apart.argmax())
    k = int(first[worst])
    position = game.describe((samples if k < n else worlds)[k % n if k < n else k - n], None)
    how = f"{100 * one[worst]:.1f} % of samples and {100 * two[worst]:.1f} % of the games that look the same are like this"
    if one[worst] == 0:
        how = f"no sample is like this, but {100 * two[worst]:.1f} % of the games that look the same are"
    if two[worst] == 0:
        how = f"{100 * one[worst]:.1f} % of samples are like this, but no game that looks the same is"
    return f"{how}:\n{position}"
