"""Points and derived features counted again in slow plain Python that shares nothing with the rules but the geometry."""

import tomllib
from collections import Counter

from banquet_envs import game_spec
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


# ---------------------------------------------------------------- what a seat is shown of its own chamber


def guests_by_class(game, record, seat):
    """Own guests (kinds) by space class: those in the chamber, then those placed in a running phase 3."""
    rules = game.rules[0]
    found = []
    for c in range(rules.num_classes):
        spaces = range(rules.class_start[seat, c], rules.class_start[seat, c + 1])
        kinds = [int(record.chamber[seat, k]) for k in spaces if record.chamber[seat, k] >= 0]
        placed = [k for k in range(record.planned[seat]) if record.plan[seat, k] == c]
        found.append(kinds + [int(record.carriage[record.taken[seat], k]) for k in placed])
    return found


def guests_at(game, groups, seat, tiles):
    """The guests beside any of these own tiles, each once."""
    classes = game.rules[0].class_tile[seat]
    return [guest(kind) for c, kinds in enumerate(groups) if set(classes[c]) & set(tiles) for kind in kinds]


def missing(letter, wants, guests):
    """Guests that the VIP still needs; None when a forbidden one sits there."""
    types, colours = Counter(g[1] for g in guests), Counter(g[0] for g in guests)
    return {
        "A": lambda: max(0, 2 - sum(g[2] for g in guests)),
        "B": lambda: None if colours[wants["B"]] else 0,
        "C": lambda: max(0, 2 - types[wants["C"]]),
        "D": lambda: None if types[wants["D"]] else 0,
        "E": lambda: sum(types[t] == 0 for t in wants["E"]),
        "F": lambda: max(0, 2 - colours[wants["F"]]),
    }[letter]()


def own_tile(record, seat, t, guests):
    """The entry of `own_tile` for these guests."""
    wants, letter = DATA["player"][SEATS[seat]]["vip"], "ABCDEF"[record.letter[seat, t]]
    needed, free = missing(letter, wants, guests), 4 - len(guests)
    points = tile_points(letter, wants, guests) if free == 0 else 0
    return [
        *(sum(g[0] == x for g in guests) / 4 for x in COLOURS),
        *(sum(g[1] == x for g in guests) / 4 for x in TYPES),
        sum(g[2] for g in guests) / 4,
        free / 4,
        record.scored[seat, t],
        (record.tile_points[seat, t] if record.scored[seat, t] else points) / 12,
        needed == 0,
        1 if needed is None else min(needed, 2) / 2,
        needed is None or needed > free,
        len({g[0] for g in guests}) / 4,
    ]


def own_need(letter, seat):
    """The entry of `own_need` for a VIP of the seat."""
    wants = DATA["player"][SEATS[seat]]["vip"].get(letter)
    named = [wants] if isinstance(wants, str) else wants or []
    sign = -1 if letter in "BD" else 1
    return [*(sign * (x in named) for x in COLOURS + TYPES), letter == "A"]


def photo_tiles(game, seat, number):
    """The own tiles in the area of a photo, from the file's columns and rows."""
    player = DATA["player"][SEATS[seat]]
    position = [int(k) for k in game.rules[0].position[seat]]
    if number <= 3:
        return [t for t in range(6) if position[t] % 3 == player["photo_columns"].index(number)]
    return [t for t in range(6) if position[t] // 3 == player["photo_rows"].index(number)]


def own_photo(seat, number, guests, spaces):
    """The entries of `own_photo`, `own_photo_colours` and `own_photo_want`."""
    named = DATA["player"][SEATS[seat]]["photo"].get(str(number))
    colours = {g[0] for g in guests}
    count = len(colours) if named is None else sum(named in g for g in guests)
    group, points = {1: (None, 2), 2: (3, 2), 3: (2, 1), 4: (2, 1), 5: (None, 3)}[number]
    worth = points * (count == 3) if group is None else count // group * points
    away = abs(count - 3) if group is None else group - count % group
    numbers = [count / 12, (spaces - len(guests)) / 12, worth / 6, min(away, 3) / 3]
    return numbers, [x in colours for x in COLOURS], [x == named for x in COLOURS + TYPES]
