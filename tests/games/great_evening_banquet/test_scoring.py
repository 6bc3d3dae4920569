"""VIP tiles and photo tiles: the rulebook's tables and worked examples."""

import pytest

from tests.games.great_evening_banquet.build import game, place, play, seated

EMPTY = {}


def score_of(tile, letter="A", players=2, seat=0):
    """Points that seat 0 gets when it completes VIP `letter` with these four guests, the last one placed now."""
    g = game(players)
    chambers = [{letter: tile[:3]} if k == seat else EMPTY for k in range(players)]
    hands = [[tile[3]] if k == seat else ["blue G"] for k in range(players)]
    states = seated(g, chambers=chambers, hands=hands)
    for k in range(players):
        play(g, states, place(letter if k == seat else "A"))
    return int(states[0].points[seat])


# A wants two toasts; four colours give 1 point and the toasts 2, so what is left is the types' points.
@pytest.mark.parametrize(
    ("types", "points"),
    [
        (("G", "G", "L", "SG"), 1),
        (("G", "G", "L", "L"), 2),
        (("SL", "SL", "SL", "L"), 3),
        (("SL", "SL", "SL", "SL"), 4),
        (("G", "L", "SG", "SL"), 5),
    ],
)
def test_guest_types_pay_1_2_3_4_5(types, points):
    colours = ("blue", "green", "yellow", "brown")
    tile = [f"{c} {t}{'*' if k < 2 else ''}" for k, (c, t) in enumerate(zip(colours, types, strict=True))]
    assert score_of(tile) == points + 1 + 2


@pytest.mark.parametrize(
    ("colours", "points"),
    [
        (("blue", "green", "yellow", "brown"), 1),
        (("blue", "blue", "yellow", "brown"), 0),
        (("blue", "blue", "yellow", "yellow"), 2),
        (("peach", "peach", "peach", "yellow"), 2),
        (("peach", "peach", "peach", "peach"), 3),
    ],
)
def test_number_of_colours_pays_1_0_2_3(colours, points):
    tile = [
        f"{c} {t}{'*' if k < 2 else ''}" for k, (c, t) in enumerate(zip(colours, ("G", "L", "SG", "SL"), strict=True))
    ]
    assert score_of(tile) == 5 + points + 2


@pytest.mark.parametrize(("toasts", "points"), [(2, 2), (3, 2), (4, 4)])
def test_toasts_pay_2_2_4(toasts, points):
    tile = [f"{c} {t}{'*' if k < toasts else ''}" for k, (c, t) in enumerate(zip(
        ("blue", "blue", "green", "green"), ("G", "L", "SG", "SL"), strict=True))]  # fmt: skip
    assert score_of(tile) == 5 + 2 + points


def test_best_tile_is_12():
    assert score_of(["peach G*", "peach L*", "peach SG*", "peach SL*"]) == 12


def test_ruling_8_one_toast_at_vip_a_halves_the_sum_rounding_down():
    # complete set 5 + two colours 2 + one toast 0 = 7, unmet: 3
    assert score_of(["blue G*", "blue L", "green SG", "green SL"]) == 3


def test_rulebook_example_tile_c_9_is_halved_to_4():
    # 5 + 2 + 2 = 9, but red's C wants two Senior Ladies
    assert score_of(["blue G*", "blue L*", "green SG", "green SL"], "C") == 4


def test_rulebook_example_tile_f_5():
    # three of a kind 3 + two colours 2, red's F wants two green and has them
    assert score_of(["green G", "green G", "brown G", "brown SL"], "F") == 5


def test_outside_review_example_complete_set_in_two_colours_at_unmet_c_makes_3():
    # blue player's C wants two Gentlemen: 5 + 2 = 7, halved to 3
    assert score_of(["green G", "green L", "brown SG", "brown SL"], "C", seat=1) == 3


@pytest.mark.parametrize(
    ("letter", "met", "unmet"),
    [
        # red: B no blue, C two Senior Ladies, D no Gentleman, E a Lady and a Senior Gentleman, F two green
        ("B", ["green G", "green G", "peach L", "peach L"], ["green G", "green G", "blue L", "blue L"]),
        ("C", ["green SL", "green SL", "peach L", "peach L"], ["green SL", "green SG", "peach L", "peach L"]),
        ("D", ["green SL", "green SL", "peach L", "peach L"], ["green SL", "green SL", "peach G", "peach G"]),
        ("E", ["green SG", "green SG", "peach L", "peach L"], ["green SG", "green SG", "peach G", "peach G"]),
        ("F", ["green G", "green G", "peach L", "peach L"], ["green G", "peach G", "peach L", "peach L"]),
    ],
)
def test_requirements_b_to_f_of_the_red_player(letter, met, unmet):
    # two pairs 2 + two colours 2 = 4 when met, 2 when not; the unmet C has a pair only: 1 + 2 = 3, halved to 1
    assert score_of(met, letter) == 4
    assert score_of(unmet, letter) == (1 if letter == "C" else 2)


def final_points(tiles, hand_letter="F"):
    """Photo points of the red player: a solo game whose last guest is placed now, all other tiles given."""
    g = game(1)
    chambers = dict(tiles.items())
    last = chambers[hand_letter][3]
    chambers[hand_letter] = chambers[hand_letter][:3]
    states = seated(g, chambers=[chambers], hands=[[last]], round_number=9)
    states[0].final, states[0].cards_left[:], states[0].salon_used[0] = 1, 0, 1
    states[0].phase, states[0].taken[0], states[0].taken_by[0] = 0, -1, -1
    play(g, states, 0)  # take the only carriage; the only free space is filled without asking
    assert states[0].over
    return [int(x) for x in states[0].photo_points[0]]


def test_rulebook_photo_example_2_2_2_1_0():
    # red in default placement: photo 1 = A+D, 2 = B+E brown, 3 = C+F Senior Lady, 4 = A+B+C peach, 5 = D+E+F
    tiles = {
        "A": ["blue G", "blue L", "green G", "green L"],
        "D": ["yellow G", "yellow L", "blue L", "green L"],  # A+D: exactly three colours
        "B": ["brown G", "brown L", "peach L", "green L"],
        "E": ["brown SG", "brown SL", "peach G", "green G"],  # B+E: four brown
        "C": ["blue SL", "green SL", "peach SL", "blue G"],  # A+B+C: two peach
        "F": ["blue SL", "yellow SL", "blue G", "green G"],  # C+F: five Senior Ladies
    }
    assert final_points(tiles) == [2, 2, 2, 1, 0]


def test_photos_pay_per_full_group_only():
    tiles = {
        "A": ["peach G", "peach L", "peach SG", "peach SL"],
        "B": ["peach G", "brown L", "brown SG", "brown SL"],
        "C": ["blue SL", "blue G", "blue L", "blue SG"],
        "D": ["blue L", "blue L", "blue L", "blue L"],
        "E": ["brown L", "brown SG", "brown SL", "blue L"],
        "F": ["green L", "green L", "green L", "green L"],
    }
    # A+D: peach, blue = two colours: 0. B+E: 6 brown: 4. C+F: 1 Senior Lady: 0. A+B+C: 5 peach: 2.
    # D+E+F: blue, brown, green = three colours: 3.
    assert final_points(tiles) == [0, 4, 0, 2, 3]
