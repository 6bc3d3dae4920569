"""Component files: provenance, refusals that name the entry, a deck of one's own."""

import tomllib

import numpy as np
import pytest

from banquet_envs import ComponentsError, game_spec, make_game
from banquet_envs.games.great_evening_banquet.state import Phase
from banquet_envs.testing.play import play
from tests.games.great_evening_banquet.build import NAME, place, seated
from tests.games.great_evening_banquet.build import play as step
from tests.sizes import many

TEXT = game_spec(NAME).components.read_text()


def edited(tmp_path, *changes):
    text = TEXT
    for old, new in changes:
        assert old in text, f"{old!r} is not in the shipped file"
        text = text.replace(old, new, 1)
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("old", "new", "entry"),
    [
        ('B = "blue"', 'B = "mauve"', "'B'"),
        ('C = "senior_lady"', "C = 3", "'C'"),
        ('E = ["lady", "senior_gentleman"]', 'E = ["lady"]', "'E'"),
        ("photo_columns = [1, 2, 3]", "photo_columns = [1, 2, 2]", "'photo_columns'"),
        ('grid = [["A", "B", "C"], ["D", "E", "F"]]', 'grid = [["A", "B", "C"], ["D", "E", "E"]]', "'grid'"),
        ("copies_per_colour_type = 5", "copies_per_colour_type = 3", "'tokens'"),
        ('value_counts = { "4" = 1, "3" = 4, "2" = 4 }', 'value_counts = { "3" = 4, "2" = 4 }', "'arrival_cards'"),
        ('value_counts = { "4" = 1, "3" = 4, "2" = 4 }', 'value_counts = { "5" = 4, "2" = 2 }', "'5'"),
        ("TL = 4, TM = 4", "TL = 3, TM = 4", "'TL'"),
        ("redraw_penalty = [0, 1, 2]", "redraw_penalty = [0, 1]", "'redraw_penalty'"),
        ("redraw_penalty = [0, 1, 2]", "redraw_penalty = [0, true, 2]", "'redraw_penalty'"),
        ("redraw_penalty = [0, 1, 2]", "redraw_penalty = [0, 1, 99999999999]", "'redraw_penalty'"),
        ("photo_columns = [1, 2, 3]", 'photo_columns = [1, "two", 3]', "'photo_columns'"),
        ("photo_rows = [4, 5]", "photo_rows = 4", "'photo_rows'"),
        ('grid = [["A", "B", "C"], ["D", "E", "F"]]', "grid = [1, 2]", "'grid'"),
        ("trigger_score = 10", 'trigger_score = "ten"', "'trigger_score'"),
    ],
)
def test_a_broken_file_is_refused_with_the_entry(tmp_path, old, new, entry):
    with pytest.raises(ComponentsError, match=entry):
        make_game(NAME, 4, components=edited(tmp_path, (old, new)))


def test_a_space_cannot_be_shared_by_a_tile_with_itself(tmp_path):
    with pytest.raises(ComponentsError, match="'tiles'"):
        make_game(NAME, 4, components=edited(tmp_path, ('["TL", "TM"]', '["TL", "TL"]')), expert=True)


def test_a_missing_table_is_refused(tmp_path):
    with pytest.raises(ComponentsError, match="'purple'"):
        make_game(NAME, 4, components=edited(tmp_path, ("[player.purple]", "[player.green]")))


def test_other_tiles_play_by_their_own_data(tmp_path):
    file = edited(
        tmp_path,
        ("type_complete_set = 5", "type_complete_set = 9"),
        ("max_tile = 12", "max_tile = 16"),
        ("trigger_score = 10", "trigger_score = 1"),
        ('B = "blue"', 'B = "peach"'),
    )
    mine, shipped = make_game(NAME, 2, components=file), make_game(NAME, 2)
    assert mine.components_hash != shipped.components_hash
    assert mine.rules[0].need_colour[0, 1] == 4
    tile = [
        "blue G",
        "blue L",
        "green SG",
        "green SL",
    ]  # a complete set in two colours at B, with the blue that red's B forbids
    points = {}
    for g in (mine, shipped):
        states = seated(g, chambers=[{"B": tile[:3]}, {}], hands=[tile[3:], ["blue G"]])
        step(g, states, place("B"), place("A"))
        points[g] = int(states[0].points[0])
        assert (states[0].phase == Phase.SALON_TAKE) == (g is mine)
    assert points == {mine: 11, shipped: 3}  # 9 + 2; 5 + 2 halved
    ended = play(mine, many(300), 1)
    assert ended.salon_used[:, :2].mean() > 0.9


@pytest.mark.parametrize(
    ("old", "new", "entry"),
    [
        ("total = 100", "total = 99", "'total'"),
        ("tokens = 4\n", "tokens = 5\n", "'tokens'"),
        ("uses_per_player = 1", "uses_per_player = 2", "'uses_per_player'"),
        ("mandatory = true", "mandatory = false", "'mandatory'"),
        ("rounds = 9", "rounds = 8", "'rounds'"),
        ("max_tile = 12", "max_tile = 13", "'max_tile'"),
        ('redraw_rounds = "all"', 'redraw_rounds = "odd"', "'redraw_rounds'"),
        ('area = "column", kind = "per_group_type"', 'area = "row", kind = "per_group_type"', "'area'"),
        ("column_middle = 8", "column_middle = 9", "'column_middle'"),
        ('guest_colours = ["blue", "green"', 'guest_colours = ["green", "blue"', "'guest_colours'"),
    ],
)
def test_what_the_rules_do_not_read_must_say_what_they_do(tmp_path, old, new, entry):
    with pytest.raises(ComponentsError, match=entry):
        make_game(NAME, 4, components=edited(tmp_path, (old, new)))


def test_alone_the_bag_must_last_for_every_second_carriage_and_redraw(tmp_path):
    # Expert Rules, 40 tokens: salon 4, seated 18, the second carriages of rounds 1, 3, 5 and 7 at most 4 * 3, redraws 2 * 3
    fewer = (("copies_per_colour_type = 5", "copies_per_colour_type = 2"), ("total = 100", "total = 40"))
    game = make_game(NAME, 1, components=edited(tmp_path, *fewer), expert=True)
    assert play(game, many(100), 1).over.all()
    # with a second carriage in every round 18 guests may leave the game in place of 12
    more = edited(tmp_path, *fewer, ("carriages_even_round = 1", "carriages_even_round = 2"))
    with pytest.raises(ComponentsError, match="may need 46 tokens, it holds 40"):
        make_game(NAME, 1, components=more, expert=True)


def test_an_asymmetric_expert_layout_can_be_played(tmp_path):
    """The other arrangement that fits the printed sentence: one shared space in the middle, one on a diagonal."""
    file = edited(
        tmp_path,
        ("own_spaces = { TL = 3, TM = 0, TR = 3, BL = 3, BM = 0, BR = 3 }",
         "own_spaces = { TL = 2, TM = 1, TR = 3, BL = 3, BM = 0, BR = 3 }"),
        ('{ tiles = ["TM", "BM"], spaces = 2 }', '{ tiles = ["TM", "BM"], spaces = 1 },\n  { tiles = ["TL", "BM"], spaces = 1 }'),
        ("column_middle = 6", "column_middle = 7"),
    )  # fmt: skip
    game = make_game(NAME, 4, components=file, expert=True)
    ended = play(game, many(100), 1)
    assert ended.over.all()
    assert ((ended.chamber >= 0).sum(axis=2) == 18).all()
    assert ended.scored.all()


def test_every_value_of_a_player_colour_is_marked_printed_or_reconstructed():
    data = tomllib.loads(TEXT)
    for colour in data["game"]["player_colours"]:
        provenance = data["player"][colour]["provenance"]
        assert provenance["other"] == "reconstructed"


def test_seats_are_exact_relabellings_so_that_none_is_stronger():
    rules = make_game(NAME, 4).rules[0]
    for seat in range(1, 4):
        for field in ("need_colour", "photo_colour"):
            base, mine = getattr(rules, field)[0], getattr(rules, field)[seat]
            assert np.array_equal(mine[base >= 0], (base[base >= 0] + seat) % 5)
        for field in ("photo_type",):
            base, mine = getattr(rules, field)[0], getattr(rules, field)[seat]
            assert np.array_equal(mine[base >= 0], (base[base >= 0] + seat) % 4)
