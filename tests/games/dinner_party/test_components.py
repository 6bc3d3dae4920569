"""The component file: what the shipped one holds, what is refused, and options."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from banquet_envs.core.errors import ComponentsError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import game_spec
from banquet_envs.core.spec import member_names
from banquet_envs.games.dinner_party.components import Kind, guest_name

from .positions import game_of
from .recount import Box

SMALL = Path(__file__).with_name("small_deck.toml")


def test_the_box_holds_what_the_notes_list() -> None:
    box = Box(game_of(4).components, 4)
    guests = box.guests[1:]
    assert len(guests) == 45
    assert Counter(g["back"] for g in guests) == dict.fromkeys("PASER", 9)
    assert round(sum(g["demand"] for g in guests) / 45, 1) == 8.6
    assert sum(g["demand"] >= 12 for g in guests) == 5
    assert Counter(g["arrows"] for g in guests) == {"green": 12, "red": 9, "none": 24}
    assert all(12 <= n <= 14 for n in Counter(o for g in guests for o in g["occupations"]).values())
    kinds = Counter(g["ability"]["kind"] for g in guests)
    assert kinds == {
        "result_mod": 15, "score": 6, "arrival_gain": 5, "arrival_hitler": 3, "roll_count": 2, "drink_value": 2,
        "entertain_twice": 2, "fail_without_drink": 1, "gift_drink": 1, "charm_cost": 1, "ignore_arrows": 1,
        "reroll_after_last": 1, "icon_value": 1, "bar_bonus": 1, "arrival_discard": 1, "arrival_clear_stack": 1,
        "arrival_reseat": 1,
    }  # fmt: skip
    assert len(kinds) == 17
    assert set(kinds) == set(member_names(Kind)[1:])


def test_stacks_and_envelopes_of_the_setup() -> None:
    for players in range(2, 7):
        r = game_of(players).reset(1, 5)[0]
        assert (r.height == players + 2).all()  # players + 3 cards, one of them open
        assert (r.face_up >= 0).all()
        assert (r.envelopes[:players] == 3).all()
        assert (r.stash == 0).all()
        assert (r.unseen == 8).all()


def test_drinks_at_the_start_are_water() -> None:
    """The small deck has one for everybody."""
    for players in (2, 4):
        r = game_of(players, SMALL).reset(1, 5)[0]
        assert r.stash.tolist() == [[0, 1, 0]] * players + [[0, 0, 0]] * (6 - players)


def test_the_small_deck_uses_every_kind() -> None:
    kinds = {g["ability"]["kind"] for g in Box(SMALL, 3).guests[1:] if "ability" in g}
    assert kinds == set(member_names(Kind)[1:])


def test_names_come_from_the_file() -> None:
    assert guest_name(game_of(2, SMALL).rules[0], 1) == "P1"
    assert guest_name(game_of(2).rules[0], 4) == "Eva Perón"


WRONG = [
    ("stacks = 5", "stacks = 4", "stacks"),
    ("demand = 8", 'demand = "eight"', "demand"),
    ('back = "P"', 'back = "Q"', "back"),
    ('back = "P"', 'back = "A"', "guests"),  # eight Politics guests are too few for six players
    ('arrows = "green"', 'arrows = "blue"', "arrows"),
    ('"Politics", "Religion"', '"Politics", "Cooking"', "occupations"),
    ('kind = "charm_cost", extra = 1', 'kind = "charm_price", extra = 1', "kind"),
    ('kind = "charm_cost", extra = 1', 'kind = "charm_cost", more = 1', "more"),
    ('kind = "charm_cost", extra = 1', 'kind = "charm_cost"', "extra"),
    ('kind = "charm_cost", extra = 1', 'kind = "gift_drink"', "guests"),  # a second one
    ('kind = "charm_cost", extra = 1', 'kind = "arrival_hitler", action = "pass_on", optional = true', "action"),
    ('roll = "entertain", who = "charmed_opponent", delta', 'roll = "invite", who = "charmed_opponent", delta', "roll"),
    ('who = "charmed_opponent", target = "all"', 'who = "charmed_opponent", target = "self"', "target"),
    ('condition = "neighbour_occupation", occupation = "Science"', 'condition = "neighbour_occupation"', "occupation"),
    ("count = 3", "count = 4", "count"),
    ('faces = ["1", "2", "3", "4", "drink", "drink"]', 'faces = ["0", "2"]', "faces"),
    ("icons_2 = [[2, 0], [0, 1]]", "icons_2 = [[2, 0], [0]]", "icons_2"),
    ("icons_2 = [[2, 0], [0, 1]]", "", "bar"),
    ("icons_0 = [[0, 0]]", "icons_0 = [[1, 0]]", "icons_0"),  # it would never be looked at
    ("icons_0 = [[0, 0]]", "icons_0 = [[0, 0], [0, 1]]", "icons_0"),
    ("icons_0 = [[0, 0]]", "icons_0 = []", "icons_0"),
    ("occupation_points = [0, 1, 2, 3, 5, 8]", "occupation_points = [0, 1, 2]", "occupation_points"),
    ("players = [4, 5, 6]", "players = [4, 5]", "sides"),
    ('action = "pass_on"', 'action = "remove"', "action"),
    ("max_rounds = 60", "max_rounds = 60\nhitler_can_be_charmed = false", "hitler_can_be_charmed"),
    ('name = "Wu Zetian"', 'name = ""', "name"),
]


@pytest.mark.parametrize(("old", "new", "entry"), WRONG)
def test_a_wrong_file_is_refused_by_file_and_entry(tmp_path: Path, old: str, new: str, entry: str) -> None:
    text = game_of(2).components.read_text()
    assert old in text
    file = tmp_path / "cards.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(ComponentsError, match=entry) as error:
        Game(game_spec("dinner_party"), 6, components=file)
    assert str(error.value).startswith(f"{file}: ")


def test_a_dice_set_that_the_file_lacks_is_refused() -> None:
    with pytest.raises(ComponentsError, match="few_drinks"):
        Game(game_spec("dinner_party"), 3, components=SMALL, dice="few_drinks")
    assert Game(game_spec("dinner_party"), 3, components=SMALL, dice="easy").rules[0].num_faces == 3


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (1, {}),
        (7, {}),
        (3, {"dice": "loaded"}),
        (3, {"charm_hitler": 1}),
        (3, {"first_charm": True}),
        (3, {"duel": True}),
    ],
)
def test_bad_options_are_refused(players: int, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Game(game_spec("dinner_party"), players, **options)


def test_dice_sets() -> None:
    faces = {name: list(game_of(2, dice=name).rules[0].faces[:6]) for name in ("standard", "easy", "few_drinks")}
    assert faces == {"standard": [1, 2, 3, 4, 0, 0], "easy": [2, 3, 4, 5, 0, 0], "few_drinks": [1, 2, 2, 3, 5, 0]}


def test_no_rule_names_a_guest() -> None:
    """The rules work from data: no source of the game holds the name or the id of a guest beside Hitler."""
    box = Box(game_of(2).components, 2)
    folder = game_of(2).spec.folder
    for file in folder.glob("*.py"):
        words = set(re.findall(r"\w+", re.sub(r'""".*?"""|#.*', "", file.read_text(), flags=re.S).lower()))
        for guest in box.guests[1:]:
            assert guest["id"] not in words, (file.name, guest["id"])
