"""The box as data: printed numbers, and errors that name the entry."""

import pytest

from banquet_envs import make_game
from banquet_envs.core.errors import ComponentsError, OptionError
from tests.games.polite_society.build import game, guest


def test_printed_counts():
    rules = game(7).rules[0]
    assert rules.num_guests == 60
    assert rules.cards.sum() == 50
    assert rules.bank.tolist() == [24] * 4
    assert rules.tokens == 8
    assert rules.starting.tolist() == [1] * 4
    assert (rules.ratio, rules.improved_ratio, rules.hand_limit) == (4, 3, 5)


def test_printed_cards():
    rules = game(2).rules[0]
    lydia, bennet, darcy = (
        rules.guest[guest(n)] for n in ("Miss Lydia Bennet", "Mrs. Bennet", "Mr. Fitzwilliam Darcy")
    )
    assert (lydia.cost.tolist(), lydia.reward.tolist()) == ([1, 0, 2, 0], [0, -1, 0, 0])
    assert bennet.reward.tolist() == [0, 0, 0, -1]
    assert darcy.cost[0] == 3
    assert 2 in darcy.cost.tolist()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("wealth = 24", "wealth = 1", "wealth"),
        ("bank_trade_ratio = 4", "bank_trade_ratio = 1", "bank_trade_ratio"),
        ("id = 2\n", "id = 3\n", "guest[1]"),
        ("chance_36 = 4", "chance_36 = 5", "chance_36"),
        ("numbers = [4]", "numbers = [3]", "numbers"),
        ('type = "wild_asset"', 'type = "tame_asset"', "tame_asset"),
        ('sex = "f"', 'sex = "x"', "sex"),
        ("max_turns_base = 240", "max_turns_base = 0", "max_turns_base"),
        ("seats_per_table = 8", "seats_per_table = 9", "seats_per_table"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path, old, new, words):
    text = game(2).components.read_text()
    assert old in text
    file = tmp_path / "box.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(ComponentsError) as error:
        make_game("polite_society", players=2, components=file)
    assert words in str(error.value)


@pytest.mark.parametrize("level", ["social_butterfly", "janeite"])
def test_a_wrong_mission_is_named(tmp_path, level):
    text = game(2).components.read_text()
    for old, new in (
        ('where = { sex = "f" }', 'where = { hat = "f" }'),
        ('where = { role = "heroine" }', 'where = { hat = "f" }'),
    ):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "box.toml"
    file.write_text(text)
    with pytest.raises(ComponentsError, match="hat"):
        make_game("polite_society", players=2, components=file, missions=level)


@pytest.mark.parametrize(
    "options", [{"players": 1}, {"players": 8}, {"missions": "hard"}, {"trades": True}, {"limited_bank": 1}]
)
def test_bad_options(options):
    with pytest.raises(OptionError):
        make_game("polite_society", **{"players": 2, **options})
