"""Component files: provenance, refusals that name the entry, a deck of one's own."""

import tomllib

import numpy as np
import pytest

from banquet_envs import ComponentsError, game_spec, make_game
from banquet_envs.testing.play import play
from tests.games.great_evening_banquet.build import NAME

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
        ("trigger_score = 10", 'trigger_score = "ten"', "'trigger_score'"),
    ],
)
def test_a_broken_file_is_refused_with_the_entry(tmp_path, old, new, entry):
    with pytest.raises(ComponentsError, match=entry):
        make_game(NAME, 4, components=edited(tmp_path, (old, new)))


def test_a_missing_table_is_refused(tmp_path):
    with pytest.raises(ComponentsError, match="'purple'"):
        make_game(NAME, 4, components=edited(tmp_path, ("[player.purple]", "[player.green]")))


def test_other_tiles_play_by_their_own_data(tmp_path):
    file = edited(
        tmp_path,
        ("type_complete_set = 5", "type_complete_set = 9"),
        ("trigger_score = 10", "trigger_score = 1"),
        ('B = "blue"', 'B = "peach"'),
    )
    mine, shipped = make_game(NAME, 2, components=file), make_game(NAME, 2)
    assert mine.components_hash != shipped.components_hash
    assert mine.rules[0].need_colour[0, 1] == 4
    a, b = play(mine, 300, 1), play(shipped, 300, 1)
    assert a.points[:, :2].mean() > b.points[:, :2].mean() + 1
    assert (a.salon_used[:, :2] == 1).mean() > 0.99


def test_an_asymmetric_expert_layout_can_be_played(tmp_path):
    """The other arrangement that fits the printed sentence: one shared space in the middle, one on a diagonal."""
    file = edited(
        tmp_path,
        ("own_spaces = { TL = 3, TM = 0, TR = 3, BL = 3, BM = 0, BR = 3 }",
         "own_spaces = { TL = 2, TM = 1, TR = 3, BL = 3, BM = 0, BR = 3 }"),
        ('{ tiles = ["TM", "BM"], spaces = 2 }', '{ tiles = ["TM", "BM"], spaces = 1 },\n  { tiles = ["TL", "BM"], spaces = 1 }'),
    )  # fmt: skip
    game = make_game(NAME, 4, components=file, expert=True)
    ended = play(game, 100, 1)
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
