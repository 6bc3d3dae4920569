"""Checks of what seats can know: observations, determinisation, words and pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from banquet_envs.core import state as records
from banquet_envs.core.game import Game
from banquet_envs.core.layout import BOUND
from banquet_envs.testing.play import play, random_actions, snapshots, walk
from banquet_envs.words import state_json


def check_observations_lie_in_their_space(game: Game, n: int = 16, seed: int = 1) -> None:
    """float32, finite, within the declared bounds, for every seat at every move."""

    def visit(states: np.recarray, mask: np.ndarray) -> None:
        for seat in range(game.num_players):
            seen = game.observe(states, seat)
            worst = int(np.abs(np.nan_to_num(seen, nan=1e9)).max(axis=0).argmax())
            assert np.isfinite(seen).all(), "an observation is not finite"
            assert np.abs(seen).max() <= BOUND, f"feature {worst} ({game.layout.find(worst)[0].name}) beyond {BOUND}"

    visit(play(game, n, seed, visit), np.zeros(0))


def check_observations_keep_to_their_row(game: Game, seed: int = 2) -> None:
    """Whatever the buffer held before, the observation is the same, and nothing beside it is touched."""
    width = game.observation_size
    for states, _, _ in walk(game, seed):
        for seat in range(game.num_players):
            dirty = np.full((1, width), 1.5, np.float32)
            game.observe(states, seat, dirty)
            differs = np.flatnonzero(dirty[0] != game.observe(states, seat)[0])
            assert not len(differs), (
                f"feature {differs[0]} ({game.layout.find(int(differs[0]))[0].name}) depends on what the buffer held"
            )
        if states.ply[0] > 60:
            break
    # The rows of a batch lie side by side: a view that writes past its end spoils its neighbour.
    batch = records.take(states, np.zeros(3, np.int64))
    out = np.full((3, width), np.nan, np.float32)
    game.kernels.observe(records.raw(batch), game.rules_raw, np.array([1]), np.zeros(3, np.int64), out, 0, 1)
    assert np.isnan(out[0]).all() and np.isnan(out[2]).all(), "an observation writes outside its row"


def check_determinize_keeps_what_is_known(game: Game, n: int = 24, seed: int = 3, last: int | None = None) -> None:
    """After determinize for p: p's view, words and picture unchanged, its mask too; the mover still has a move."""
    for moment, (states, mask) in enumerate(snapshots(game, n, seed, last)):
        for seat in range(game.num_players):
            views = records.copy(states)
            game.determinize(views, seat, seed + moment)
            _check_one_seat(game, states, mask, views, seat)
            if seat in (moment % game.num_players, states.player[0]):
                row = np.array([moment % len(states)])
                _check_words(game, records.take(states, row), records.take(views, row), seat)


def _check_one_seat(game: Game, states: np.recarray, mask: np.ndarray, views: np.recarray, seat: int) -> None:
    row, feature = np.nonzero(game.observe(views, seat) != game.observe(states, seat))
    assert not len(row), (
        f"at ply {states.ply[row[0]]}, seat {seat}: determinize changed feature {feature[:1]}"
        f" ({game.layout.find(int(feature[0]))[0].name})"
    )
    masks, own = game.legal_actions(views), states.player == seat
    assert (masks[own] == mask[own]).all(), f"seat {seat}: determinize changed the seat's own mask"
    stuck = states.ply[~masks.any(axis=1)]
    assert not len(stuck), f"at ply {stuck[0]}, seat {seat}: after determinize the mover has no legal action"
    assert (views.rng != states.rng).all() and (views.seed != states.seed).all(), f"seat {seat}: the stream was kept"
    assert (views.player == states.player).all() and not views.over.any(), f"seat {seat}: determinize moved the game on"


def _check_words(game: Game, state: np.recarray, view: np.recarray, seat: int) -> None:
    where = f"at ply {state.ply[0]}, seat {seat}"
    assert game.describe(view, seat) == game.describe(state, seat), f"{where}: describe tells a secret"
    assert game.draw(view, seat) == game.draw(state, seat), f"{where}: draw shows a secret"
    if game.spec.words is not None:
        told, known = (state_json(game, one[0], seat) for one in (state, view))
        assert told == known, f"{where}: state_json tells a secret"
    for action in np.flatnonzero(game.legal_actions(state)[0]) if seat == state.player[0] else ():
        assert game.place(view, int(action)) == game.place(state, int(action)), f"{where}: place tells a secret"


def check_determinized_games_play_on(game: Game, n: int = 12, seed: int = 4) -> None:
    """A determinised game is a game: from positions all over play, seats in turn, it can be played to its end."""
    rng = np.random.default_rng(seed)
    found = []
    for moment, (states, _) in enumerate(snapshots(game, n, seed)):
        game.determinize(states, moment % game.num_players, seed)
        found.append(records.rows(states))
    views = np.concatenate(found).reshape(-1).view(game.spec.state).view(np.recarray)
    buffers = game.buffers(len(views))
    buffers.mask[:] = game.legal_actions(views)
    rows = np.arange(len(views))
    moves = 0
    while len(rows):
        game.advance(views, random_actions(buffers.mask, rng), buffers, rows=rows, restart=False)
        rows = np.flatnonzero(~views.over)
        moves += 1
        assert moves <= game.facts.longest_game + 5, "a determinised game does not end"


def check_words_and_pictures(game: Game, seed: int = 5) -> None:
    """Every legal action has words of its own; describe and draw work for every seat, at every stage."""
    for states, mask, _ in walk(game, seed):
        if states.ply[0] > 300 and states.ply[0] % 7:
            continue  # very long games: every seventh decision from here on
        legal = [int(a) for a in np.flatnonzero(mask)]
        words = [game.action_text(states, a) for a in legal]
        assert all(words), "an action without words"
        twice = {w for w in words if words.count(w) > 1}
        assert not twice, f"two legal actions read the same at ply {states.ply[0]}: {sorted(twice)[:3]}"
        if worth_a_look(int(states.ply[0])):
            _check_places(game, states, legal)
            for action in range(0, game.num_actions, max(1, game.num_actions // 25)):
                assert game.action_text(states, action), f"action {action} has no words"
            _check_picture(game, states)
    _check_picture(game, states)


def _check_places(game: Game, states: np.recarray, legal: list[int]) -> None:
    """Where an action is said to belong on its mover's picture, there is something."""
    root = ElementTree.fromstring(game.draw(states, int(states.player[0])))
    there = {part.get("data-place") for part in root.iter()}
    for place in {game.place(states, action) for action in legal} - {""}:
        assert place in there, f"the picture has no place {place!r} at ply {states.ply[0]}"


def worth_a_look(ply: int) -> bool:
    """Decisions at which words and pictures are checked: they take milliseconds, and games may last a thousand."""
    return ply % 7 == 0 if ply <= 84 else ply % 70 == 0


def _check_picture(game: Game, states: np.recarray) -> None:
    for player in [None, *range(game.num_players)]:
        assert len(game.describe(states, player)) > 40, "describe says nothing"
        root = ElementTree.fromstring(game.draw(states, player))
        assert root.tag.endswith("svg"), "draw gives no SVG"
        assert root.get("viewBox"), "the SVG has no viewBox"


def check_layouts(game: Game) -> None:
    """Slices cover observation and actions without gap or overlap, and explain themselves."""
    for layout, size in ((game.layout, game.observation_size), (game.action_layout, game.num_actions)):
        at = 0
        for part in layout:
            assert part.start == at, f"gap or overlap before {part.name}"
            assert part.text, f"{part.name} is not explained"
            at = part.stop
        assert at == size
    assert game.num_actions < 1000, "more than 1,000 actions"
