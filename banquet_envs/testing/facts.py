"""Checks of the declared facts, both ways: what is denied must not happen, what is claimed must be seen to happen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.game import Game, spawn_seeds
from banquet_envs.testing.knowledge import few, others, own_bytes, sampled
from banquet_envs.testing.play import play, random_actions, snapshots, walk

_SLACK = 20
"""A bound may be so many times what random play reaches, the length of a game that a guard ends as often again."""


_TRIES = 8
"""Samples of a position until one looks the same to every seat."""


def check_hidden_information(game: Game, n: int = 16, seed: int = 21) -> None:
    """`hidden_information`: whether some seat may know what another may not."""
    if game.num_players == 1:
        return
    if not game.facts.hidden_information:
        private = [s.name for s in game.layout if not s.public]
        assert not private, f"{private} are declared private, though hidden_information is False"
    moved = False
    for states, mask in snapshots(game, few(n), seed):
        for seat in range(game.num_players):
            view = sampled(game, states, seat, seed)
            differs = (game.legal_actions(view) != mask).any()
            differs |= any((game.observe(view, p) != game.observe(states, p)).any() for p in others(game, seat))
            assert game.facts.hidden_information or not differs, (
                f"about ply {states.ply[0]} seat {seat} does not know what another seat knows, though hidden_information is False"
            )
            moved |= bool(differs)
    assert moved or not game.facts.hidden_information, (
        "hidden_information is True, but no seat's view or choice ever changes when the world is resampled for another"
    )


def check_chance(game: Game, n: int = 16, seed: int = 22) -> None:
    """`chance`: whether anything after setup is decided by the random stream, or by an order that nobody knows."""
    seen = False
    for states, mask in snapshots(game, few(n), seed):
        actions = random_actions(mask, np.random.default_rng(seed))
        one, two = records.copy(states), records.copy(states)
        two.rng[:] = spawn_seeds(len(two), seed)
        for after in (one, two):
            game.step(after, actions)
        differs = (own_bytes(one) != own_bytes(two)).any()
        assert game.facts.chance or not differs, f"about ply {states.ply[0]} chance decides, though chance is False"
        seen |= bool(differs)
        if game.facts.chance and not seen:
            seen = any(_unknown_order(game, states, seed + k) for k in range(_TRIES))
    assert seen or not game.facts.chance, "chance is True, but nothing after setup depended on it in random play"


def _unknown_order(game: Game, states: np.recarray, seed: int) -> bool:
    """Whether something that looks the same to every seat leads to another view within a few moves: a stack, say."""
    rng = np.random.default_rng(seed)
    seats = range(game.num_players)
    one, two = records.copy(states), sampled(game, states, int(states.player[0]), seed)
    same = np.all([(game.observe(one, p) == game.observe(two, p)).all(axis=1) for p in seats], axis=0)
    for _ in range(30):
        same &= ~one.over & ~two.over & (one.player == two.player)
        mask = game.legal_actions(one) & game.legal_actions(two)
        same &= mask.any(axis=1)
        one, two, mask = records.take(one, same), records.take(two, same), mask[same]
        same = np.ones(len(one), bool)
        if not len(one):
            return False
        actions = random_actions(mask, rng)
        for after in (one, two):
            game.step(after, actions)
        if any((game.observe(one, p) != game.observe(two, p)).any() for p in seats):
            return True
    return False


def check_facts_are_not_idle(game: Game, n: int = 64, seed: int = 23) -> None:
    """Bounds that are far from anything that happens say nothing: `longest_game`, `points_min`, `points_max`, `can_be_capped`."""
    facts, least, most = game.facts, 0, 0

    def visit(states: np.recarray, mask: np.ndarray) -> None:
        nonlocal least, most
        points = states.points[:, : game.num_players]
        least, most = min(least, int(points.min())), max(most, int(points.max()))

    ended = play(game, few(n), seed, visit)
    visit(ended, np.zeros(0))
    longest = int(ended.ply.max())
    far = _SLACK * longest * (_SLACK if facts.can_be_capped else 1)
    assert facts.longest_game <= far, f"longest_game is {facts.longest_game}, the longest of {n} took {longest}"
    wide = _SLACK * (most - least + 1)
    for name, bound in (("points_min", facts.points_min), ("points_max", facts.points_max)):
        assert abs(bound) <= wide, f"{name} is {bound}, but points of random games lie in {least}..{most}"
    if facts.can_be_capped and not ended.capped.any():
        assert not _ends_by_itself(game), "can_be_capped is True, but however it is played, the game ends by its rules"


def _ends_by_itself(game: Game, budget: int = 5_000) -> bool:
    """Whether a small game, played in all ways from a few deals, never meets the guard; False when it is too large to say."""
    states = game.reset(2, 0)
    for _ in range(game.facts.longest_game + 1):
        if states.capped.any():
            return False
        states = records.take(states, ~states.over)
        if not len(states):
            return True
        row, action = np.nonzero(game.legal_actions(states))
        if len(row) > budget:
            return False
        states = records.take(states, row)
        game.step(states, action)
        _, first = np.unique(own_bytes(states), axis=0, return_index=True)
        states = records.take(states, first)
    return False


# ---------------------------------------------------------------- simultaneous decisions


def check_simultaneous(game: Game, games: int = 12, seed: int = 24) -> None:
    """`simultaneous`: whether some decisions stay hidden until every seat has made its own."""
    facts = game.facts
    if game.num_players == 1 or not (facts.simultaneous or facts.hidden_information):
        return
    for k in range(games if facts.simultaneous else max(2, games // 4)):
        for run in _hidden_runs(game, seed + k):
            seats = [int(states.player[0]) for states, _ in run]
            if facts.simultaneous and len(set(seats)) > 1:
                return
            everybody = next((i + 1 for i in range(len(run)) if len(set(seats[: i + 1])) == game.num_players), 0)
            kinds = {game.action_layout.find(action)[0].name for _, action in run[:everybody]}
            if not facts.simultaneous and len(kinds) == 1:
                assert not _shown_at_the_end(game, run[:everybody]), (
                    f"the decisions from ply {run[0][0].ply[0]} on stay hidden until every seat has made its own,"
                    " though simultaneous is False"
                )
    assert not facts.simultaneous, (
        f"simultaneous is True, but in {games} games no seat decided before it could see what another had chosen"
    )


def _hidden_runs(game: Game, seed: int, longest: int = 200) -> Iterator[list[tuple[np.recarray, int]]]:
    """Stretches of a random game in which nobody sees what the others decide: (position, action) of each decision.

    A stretch ends with the first decision that is seen, which may be the last seat's: then all is shown.
    """
    run: list[tuple[np.recarray, int]] = []
    for states, mask, action in walk(game, seed, longest):
        hidden = _hidden(game, states, mask, action)
        if hidden or run:
            run.append((records.copy(states), action))
        if run and not hidden:
            yield run
            run = []


def _hidden(game: Game, states: np.recarray, mask: np.ndarray, action: int) -> bool:
    """Whether another action would have looked the same to every other seat."""
    legal = np.flatnonzero(mask)[:12]
    legal = np.append(legal[legal != action], action)
    if len(legal) == 1:
        return False
    mover = int(states.player[0])
    after = records.take(states, np.zeros(len(legal), np.int64))
    game.step(after, legal)
    same = (after.player == after.player[-1]) & (after.over == after.over[-1])
    for p in others(game, mover):
        view = game.observe(after, p)
        same &= (view == view[-1]).all(axis=1)
    return bool(same[:-1].any())


def _shown_at_the_end(game: Game, run: list[tuple[np.recarray, int]]) -> bool:
    """Whether another first choice would have been seen, by seats that did not make it, right after the last one."""
    start, chosen = run[0]
    mover = int(start.player[0])
    ends = []
    for first in [chosen, *(a for a in np.flatnonzero(game.legal_actions(start)[0])[:12] if a != chosen)]:
        states = records.copy(start)
        for action in [int(first), *(a for _, a in run[1:])]:
            if states.over[0] or not game.legal_actions(states)[0, action]:
                break
            game.step(states, [action])
        else:
            ends.append([game.observe(states, p).tobytes() for p in others(game, mover)])
    return any(end != ends[0] for end in ends[1:])
