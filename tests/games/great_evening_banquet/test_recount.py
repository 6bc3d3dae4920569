"""Points counted again from the final position alone, in slow plain Python that shares nothing with the rules."""

import tomllib
from collections import Counter

import numpy as np
import pytest

from banquet_envs import game_spec
from banquet_envs.testing import configurations
from banquet_envs.testing.play import play
from tests.games.great_evening_banquet.build import NAME

DATA = tomllib.loads(game_spec(NAME).components.read_text())
COLOURS, TYPES = DATA["game"]["guest_colours"], DATA["game"]["guest_types"]
SEATS = DATA["game"]["player_colours"]
POSITIONS = ["TL", "TM", "TR", "BL", "BM", "BR"]
TYPE_POINTS = {(2, 1, 1): 1, (2, 2): 2, (3, 1): 3, (4,): 4, (1, 1, 1, 1): 5}
COLOUR_POINTS = {4: 1, 3: 0, 2: 2, 1: 3}


def guest(kind):
    return COLOURS[kind // 8], TYPES[kind // 2 % 4], kind % 2


def tile_points(letter, wants, guests):
    types = Counter(g[1] for g in guests)
    colours = Counter(g[0] for g in guests)
    toasts = sum(g[2] for g in guests)
    total = TYPE_POINTS[tuple(sorted(types.values(), reverse=True))] + COLOUR_POINTS[len(colours)]
    total += 4 if toasts == 4 else 2 if toasts >= 2 else 0
    met = {
        "A": lambda: toasts >= 2,
        "B": lambda: colours[wants["B"]] == 0,
        "C": lambda: types[wants["C"]] >= 2,
        "D": lambda: types[wants["D"]] == 0,
        "E": lambda: all(types[t] >= 1 for t in wants["E"]),
        "F": lambda: colours[wants["F"]] >= 2,
    }[letter]()
    return total if met else total // 2


def photo_points(player, areas):
    total = []
    for number in range(1, 6):
        guests = areas[number]
        colours, types = Counter(g[0] for g in guests), Counter(g[1] for g in guests)
        total.append(
            {
                1: lambda: 2 if len(colours) == 3 else 0,
                2: lambda: colours[player["photo"]["2"]] // 3 * 2,
                3: lambda: types[player["photo"]["3"]] // 2,
                4: lambda: colours[player["photo"]["4"]] // 2,
                5: lambda: 3 if len(colours) == 3 else 0,
            }[number]()
        )
    return total


def recount(game, record, seat):
    """Tile points (None where a swap came after scoring) and photo points of a seat."""
    player = DATA["player"][SEATS[seat]]
    rules = game.rules[0]
    physical = [int(k) for k in rules.position[seat]]
    spaces = {POSITIONS[physical[t]]: [int(k) for k in rules.tile_space[seat, t]] for t in range(6)}
    letters = {POSITIONS[physical[t]]: "ABCDEF"[record.letter[seat, t]] for t in range(6)}
    if not game.options["random_vip"]:
        flat = [x for row in player["grid"] for x in row]
        assert [letters[p] for p in POSITIONS] == flat
    tiles = {
        letters[p]: tile_points(letters[p], player["vip"], [guest(int(record.chamber[seat, s])) for s in spaces[p]])
        for p in POSITIONS
    }
    lines = {photo: [POSITIONS[c], POSITIONS[c + 3]] for c, photo in enumerate(player["photo_columns"])}
    lines |= {photo: POSITIONS[3 * r : 3 * r + 3] for r, photo in enumerate(player["photo_rows"])}
    areas = {
        photo: [guest(int(record.chamber[seat, s])) for s in sorted({s for p in line for s in spaces[p]})]
        for photo, line in lines.items()
    }
    return tiles, photo_points(player, areas)


@pytest.mark.parametrize("configuration", configurations(NAME), ids=str)
def test_points_equal_an_independent_recount(configuration):
    game = configuration.make()
    n = 1000
    ended = play(game, n, 17)
    swapped = 0
    for record in ended:
        for seat in range(game.num_players):
            tiles, photos = recount(game, record, seat)
            assert photos == [int(x) for x in record.photo_points[seat]]
            scored = {"ABCDEF"[record.letter[seat, t]]: int(record.tile_points[seat, t]) for t in range(6)}
            differing = [x for x in tiles if tiles[x] != scored[x]]
            # A swap on a scored tile keeps its points: at most the one or two tiles of one space may differ.
            assert len(differing) <= (2 if game.options["expert"] else 1), (tiles, scored)
            assert not differing or record.salon_used[seat]
            swapped += bool(differing)
            penalty = int(record.redraws) if game.num_players == 1 else 0
            assert record.points[seat] == sum(scored.values()) + sum(photos) - penalty
        expected = sorted(
            range(game.num_players), key=lambda p: (record.points[p], (record.photo_points[p] > 0).sum()), reverse=True
        )
        assert record.place[expected[0]] == 0
        keys = [(int(record.points[p]), int((record.photo_points[p] > 0).sum())) for p in range(game.num_players)]
        assert [int(x) for x in record.place[: game.num_players]] == [sum(k > mine for k in keys) for mine in keys]
    assert swapped, "no game swapped on a scored tile"


def test_carriages_and_salon_account_for_every_token():
    game = configurations(NAME)[-1].make()
    for record in play(game, 50, 3):
        pieces = game.spec.pieces(game.rules[0], record)["tokens"]
        assert pieces.sum() == 100
        assert np.array_equal(pieces[0::2], [4] * 20)
        assert np.array_equal(pieces[1::2], [1] * 20)
