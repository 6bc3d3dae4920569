"""Social missions: every requirement on built tables and against a plain reading of the data; rulings 27-30, 35, 36."""

import itertools
import tomllib
from collections import Counter

import numpy as np
import pytest

from banquet_envs.games.polite_society.components import LEVELS
from banquet_envs.games.polite_society.state import Action, Phase, Where
from banquet_envs.games.polite_society.tables import mission_gap
from tests.games.polite_society.build import (
    buy,
    card,
    game,
    guest,
    legal,
    letters,
    main_phase,
    names,
    play,
    seat,
    until,
)

DATA = tomllib.loads(game(2).components.read_text())
GUESTS = DATA["guest"]
COUPLES = [{c["lady"], c["gentleman"]} for c in DATA["couple"]]


def met(level, m, table):
    """A plain reading of the data: do these guests (numbers) meet card `m` (from 1)?"""
    seated = [GUESTS[g] for g in table]
    return all(clause_met(clause, seated) for clause in DATA["mission"][m - 1][level]["all"])


def clause_met(clause, seated):
    kind = clause["kind"]
    if kind == "count":
        count = sum(fits(guest, clause["where"]) for guest in seated)
        return clause["min"] <= count <= clause.get("max", 99)
    if kind == "works":
        return len({guest["work"] for guest in seated}) >= clause["min"]
    if kind == "same_work":
        return max(Counter(guest["work"] for guest in seated).values(), default=0) >= clause["min"]
    if kind == "rewards":
        return all(any(guest["reward"][a] > 0 for guest in seated) for a in clause["assets"])
    if kind == "couples":
        ids = {guest["id"] for guest in seated}
        return sum(couple <= ids for couple in COUPLES) >= clause["min"]
    groups = Counter(name for guest in seated for name in guest[kind])
    return sum(n >= clause["min"] for n in groups.values()) >= clause["groups"]


def fits(guest, where):
    tests = {
        "sex": lambda x: guest["sex"] == x,
        "style": lambda x: guest["style"] in x,
        "status": lambda x: guest["status"] in x,
        "role": lambda x: x in guest["roles"],
        "reward_sum_max": lambda x: sum(guest["reward"].values()) <= x,
        "cost_sum_min": lambda x: sum(guest["cost"].values()) >= x,
    }
    return all(tests[key](value) for key, value in where.items())


@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize("m", range(1, 11))
def test_ruling_28_missions_agree_with_a_plain_reading_on_random_tables(level, m):
    rules = game(2, missions=level).rules[0]
    rng = np.random.default_rng(m)
    results = Counter()
    for size in (8, 8, 8, 5):
        for _ in range(100):
            table = rng.choice(60, size, replace=False).tolist()
            gap = int(mission_gap(rules, m - 1, sum(1 << g for g in table)))
            assert (gap == 0) == met(level, m, table)
            results[gap == 0] += 1
    assert results[False] > 0


BUILT = {  # level, card: a table that just meets it, and one guest exchanged for another that spoils it
    ("social_butterfly", 1): (  # six ladies
        "Mrs. Bennet,Miss Bates,Mrs. Weston,Mrs. Norris,Lady Bertram,Mrs. Jennings,Mr. Bennet,Mr. Elton",
        ("Mrs. Weston", "Mr. Woodhouse"),
    ),
    ("social_butterfly", 2): (  # five gentlemen
        "Mr. Bennet,Mr. Elton,Mr. Woodhouse,Sir James Martin,Admiral Croft,Mrs. Bennet,Miss Bates,Mrs. Weston",
        ("Admiral Croft", "Mrs. Norris"),
    ),
    ("social_butterfly", 3): (  # four and four
        "Mr. Bennet,Mr. Elton,Mr. Woodhouse,Sir James Martin,Mrs. Bennet,Miss Bates,Mrs. Weston,Mrs. Norris",
        ("Mrs. Norris", "Admiral Croft"),
    ),
    ("social_butterfly", 4): (  # six works
        "Mr. Bennet,Mrs. Jennings,Mr. Elton,Mrs. Norris,Admiral Croft,General Tilney,Miss Bates,Mrs. Weston",
        ("General Tilney", "Mr. Woodhouse"),
    ),
    ("social_butterfly", 5): (  # three of one work
        "Mr. Bennet,Mrs. Bennet,Miss Jane Bennet,Mr. Elton,Mrs. Norris,Admiral Croft,General Tilney,Miss Bates",
        ("Miss Jane Bennet", "Mrs. Jennings"),
    ),
    ("social_butterfly", 6): (  # five styled Miss
        "Miss Bates,Miss Jane Bennet,Miss Fanny Price,Miss Lucy Steele,Miss Anne Elliot,Mr. Elton,Mrs. Norris,Mr. Bennet",
        ("Miss Lucy Steele", "Mrs. Bennet"),
    ),
    ("social_butterfly", 7): (  # two styled Sir or Lady
        "Sir James Martin,Lady Bertram,Mr. Elton,Mr. Bennet,Mrs. Bennet,Miss Bates,Mrs. Weston,Mrs. Norris",
        ("Lady Bertram", "Mr. Woodhouse"),
    ),
    ("social_butterfly", 8): (  # all four rewards: wealth, heart, beauty, wit
        "Admiral Croft,Mrs. Weston,Miss Harriet Smith,Mr. Bennet,Mr. Elton,Miss Bates,Mr. Woodhouse,Mrs. Norris",
        ("Mr. Bennet", "Mrs. Bennet"),
    ),
    ("social_butterfly", 9): (  # five without a positive sum of rewards
        "Mr. Elton,Miss Bates,Mr. Woodhouse,Mrs. Norris,Mrs. Bennet,Mr. Bennet,Mrs. Weston,Admiral Croft",
        ("Mrs. Bennet", "Miss Harriet Smith"),
    ),
    ("social_butterfly", 10): (  # three costing seven or more
        "Miss Emma Woodhouse,Mr. George Knightley,Miss Jane Bennet,Mr. Elton,Miss Bates,Mrs. Norris,Mr. Bennet,Mrs. Weston",
        ("Miss Jane Bennet", "Mrs. Bennet"),
    ),
    ("janeite", 1): (  # two heroines
        "Miss Elizabeth Bennet,Miss Fanny Price,Mr. Elton,Miss Bates,Mrs. Norris,Mr. Bennet,Mrs. Weston,Mr. Woodhouse",
        ("Miss Fanny Price", "Miss Jane Fairfax"),
    ),
    ("janeite", 2): (  # two heroes
        "Mr. Fitzwilliam Darcy,Colonel Brandon,Mr. Elton,Miss Bates,Mrs. Norris,Mr. Bennet,Mrs. Weston,Mr. Woodhouse",
        ("Colonel Brandon", "Mr. Charles Bingley"),
    ),
    ("janeite", 3): (  # a couple
        "Miss Jane Fairfax,Mr. Frank Churchill,Mr. Elton,Miss Bates,Mrs. Norris,Mr. Bennet,Mrs. Weston,Mr. Woodhouse",
        ("Mr. Frank Churchill", "Mr. Charles Bingley"),
    ),
    ("janeite", 4): (  # two of each of two families
        "Miss Isabella Thorpe,Mr. John Thorpe,General Tilney,Miss Eleanor Tilney,Mr. Elton,Miss Bates,Mr. Bennet,Mrs. Norris",
        ("Miss Eleanor Tilney", "Mrs. Jennings"),
    ),
    ("janeite", 5): (  # two siblings
        "Mr. Henry Crawford,Miss Mary Crawford,Mr. Elton,Miss Bates,Mrs. Norris,Mr. Bennet,Mr. Woodhouse,Mrs. Jennings",
        ("Miss Mary Crawford", "General Tilney"),
    ),
    ("janeite", 6): (  # two clergymen
        "Mr. Elton,Mr. William Collins,Miss Bates,Mrs. Norris,Mr. Bennet,Mr. Woodhouse,Mrs. Jennings,Mrs. Weston",
        ("Mr. William Collins", "Mrs. Bennet"),
    ),
    ("janeite", 7): (  # two officers
        "Admiral Croft,General Tilney,Miss Bates,Mrs. Norris,Mr. Bennet,Mr. Woodhouse,Mrs. Jennings,Mrs. Weston",
        ("General Tilney", "Mrs. Bennet"),
    ),
    ("janeite", 8): (  # two rogues
        "Mr. John Willoughby,Lady Susan Vernon,Miss Bates,Mrs. Norris,Mr. Bennet,Mr. Woodhouse,Mrs. Jennings,Mrs. Weston",
        ("Lady Susan Vernon", "Mrs. Bennet"),
    ),
    ("janeite", 9): (  # five married or widowed
        "Mrs. Bennet,Mr. Bennet,Mrs. Weston,Mr. Woodhouse,Mrs. Jennings,Miss Bates,Mr. Elton,Miss Jane Bennet",
        ("Mrs. Jennings", "Miss Lucy Steele"),
    ),
    ("janeite", 10): (  # a heroine and a rogue
        "Miss Emma Woodhouse,Mr. John Thorpe,Miss Bates,Mrs. Norris,Mr. Bennet,Mr. Woodhouse,Mrs. Jennings,Mrs. Weston",
        ("Mr. John Thorpe", "Miss Jane Fairfax"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("level", "m"), list(BUILT), ids=lambda x: str(x))
def test_ruling_28_each_requirement_on_built_tables_wins_or_not(level, m):
    """The eighth guest is bought: the game ends when the mission holds, and goes on when it does not."""
    table, (out, instead) = BUILT[level, m]
    good = table.split(",")
    assert len(set(good)) == 8
    bad = [instead if name == out else name for name in good]
    g = game(2, missions=level)
    for people, wins in ((good, True), (bad, False)):
        last = people[0]
        states = main_phase(
            g,
            hands=["WWWWHHHHBBBBTTTT", ""],
            tables=[dict(zip((2, 4, 5, 6, 8, 9, 10), people[1:], strict=True)), {}],
            shown=[last],
            missions=(m, m % 10 + 1),
            kept="Wild asset",
        )
        s = play(g, states, buy(states, last))
        assert s.points[0] == 8
        assert bool(s.over) == wins
        assert met(level, m, [guest(name) for name in people]) == wins


def test_ruling_27_each_card_has_a_requirement_of_each_level_so_seven_can_play():
    assert all(set(LEVELS[1:]) <= set(mission) for mission in DATA["mission"])
    for level in LEVELS[1:]:
        states = game(7, missions=level).reset(50, 1)
        assert all(len(set(row.tolist())) == 7 for row in states.mission)


def test_ruling_28_tokens_do_not_matter_and_the_winner_reveals():
    level, m = "janeite", 6
    people = BUILT[level, m][0].split(",")
    g = game(2, missions=level)
    states = main_phase(
        g,
        hands=["WWWWHHHHBBBBTTTT", ""],
        tables=[dict(zip((2, 4, 5, 6, 8, 9, 10), people[1:], strict=True)), {}],
        tokens=[(0, 2), (0, 4)],
        shown=[people[0]],
        missions=(m, 1),
        kept="Wild asset",
    )
    assert "two clergymen" not in g.describe(states[0], 1)
    s = play(g, states, buy(states, people[0]))
    assert s.over
    assert "two clergymen" in g.describe(states[0], 1)


@pytest.mark.parametrize(
    ("name", "token", "hand", "left"),
    [
        ("Mr. Fitzwilliam Darcy", False, "T", "WWHT"),  # its gain
        ("Mrs. Norris", False, "HHHT", "HT"),  # its loss
        ("Mrs. Norris", False, "HT", "T"),  # as far as held
        ("Mr. Fitzwilliam Darcy", True, "T", "T"),  # indisposed: nothing
    ],
)
def test_ruling_29_self_removal(name, token, hand, left):
    g = game(2, missions="janeite")
    states = main_phase(
        g,
        hands=[hand, "W"],
        tables=[{6: name, 8: "Miss Bates"}, {}],
        tokens=[(0, 6)] if token else [],
        missions=(1, 2),
        kept="Wild asset",
    )
    s = play(g, states, Action.REMOVE, seat(6))
    assert letters(s.hand[0]) == left
    assert s.where[guest(name)] == Where.DISCARDED
    assert s.supply == 8
    assert not s.token.any()
    assert s.points[0] == 1
    assert Action.REMOVE not in legal(g, states)  # one a turn


def test_ruling_29_switch_losses_are_not_paid():
    g = game(2, missions="janeite", removal_losses=False)
    states = main_phase(
        g, hands=["HHT", "W"], tables=[{6: "Mrs. Norris", 8: "Miss Bates"}, {}], missions=(1, 2), kept="Wild asset"
    )
    assert letters(play(g, states, Action.REMOVE, seat(6)).hand[0]) == "HHT"


def test_ruling_30_refresh_in_place_of_the_kept_card():
    g = game(2, missions="janeite")
    states = main_phase(
        g, hands=["WHBT", "W"], shown=["Miss Bates", "Mr. Elton"], missions=(1, 2), kept="Wild asset"
    )  # two slots are empty, as after purchases
    s = play(g, states, Action.REFRESH)
    assert s.kept == -1
    assert s.discard[card("Wild asset")] == 1
    assert (s.list >= 0).all()  # refilled too
    assert s.where[[guest("Miss Bates"), guest("Mr. Elton")]].tolist() == [Where.DISCARDED, Where.DISCARDED]
    assert not {Action.REFRESH, Action.PLAY} & legal(g, states)


@pytest.mark.parametrize("name", [names()[0], names()[-1]])
def test_ruling_30_whoever_is_shown_is_discarded(name):
    g = game(2, missions="janeite")
    states = main_phase(g, hands=["WHBT", "W"], shown=[name], missions=(1, 2), kept="Wild asset")
    s = play(g, states, Action.REFRESH)
    assert s.where[guest(name)] == Where.DISCARDED
    assert guest(name) not in s.list


def test_ruling_30_refresh_meets_the_duty_of_a_mandatory_card():
    g = game(2, missions="janeite", mandatory_card=True)
    states = main_phase(g, hands=["WHBT", "W"], missions=(1, 2), kept="Wild asset")
    assert Action.END not in legal(g, states)
    play(g, states, Action.REFRESH)
    assert Action.END in legal(g, states)


def test_ruling_35_no_mission_rules_without_missions_and_cards_before_the_draft():
    g = game(2)
    states = main_phase(g, hands=["WHBT", "W"], tables=[{6: "Miss Bates"}, {}], kept="Wild asset")
    assert not {Action.REFRESH, Action.REMOVE} & legal(g, states)
    start = game(3, missions="janeite").reset(1, 1)[0]
    assert (start.mission[:3] >= 0).all()
    assert start.draft_step == 0


def full_without_winning():
    level, m = "janeite", 6
    people = [("Mrs. Bennet" if name == "Mr. William Collins" else name) for name in BUILT[level, m][0].split(",")]
    g = game(2, missions=level)
    states = main_phase(
        g,
        hands=["WWWWWWWWHHHHBBBBTTTT", "W"],
        tables=[dict(zip((2, 4, 5, 6, 8, 9, 10), people[1:], strict=True)), {}],
        shown=[people[0], "Mr. William Collins"],
        missions=(m, 1),
        kept="Wild asset",
    )
    play(g, states, buy(states, people[0]))
    return g, states, people


def test_ruling_36_a_full_table_goes_on_and_may_free_a_seat():
    g, states, people = full_without_winning()
    assert not states[0].over
    assert buy(states, "Mr. William Collins") not in legal(g, states)
    at = states[0].table[0].tolist().index(guest("Mrs. Bennet"))
    play(g, states, Action.REMOVE, 14 + at)
    s = play(g, states, buy(states, "Mr. William Collins"))  # a removal and a purchase in one turn
    assert s.over
    assert s.place[:2].tolist() == [0, 1]
    assert guest(people[0]) in s.table[0]


def test_ruling_36_missions_that_the_full_table_met_are_known_not_to_be_held():
    g, states, people = full_without_winning()
    table = [guest(name) for name in people]
    expected = {m for m in range(1, 11) if met("janeite", m, table)}
    assert {m + 1 for m in range(10) if states[0].excluded[0] >> m & 1} == expected
    assert expected  # five married or widowed sit there
    many = np.repeat(states, 600).view(np.recarray)
    g.determinize(many, 1, 3)
    held = set((many.mission[:, 0] + 1).tolist())
    assert held == set(range(1, 11)) - expected - {1}  # 1 is the observer's own


def test_ruling_36_a_removal_or_a_rearrangement_never_wins():
    """The test is made only when a table has just been filled."""
    g, states, _ = full_without_winning()
    s = states[0]
    s.mission[0] = 8  # as if the mission were met: nothing tests it until a guest is bought or added
    s.kept = card("Rearrange guests")
    play(g, states, Action.PLAY)
    while states[0].phase != Phase.MAIN:
        play(g, states, min(legal(g, states)))
    assert not states[0].over


def test_names_are_unique():
    assert len(set(names())) == 60
    assert all(a != b for a, b in itertools.combinations(names(), 2))


def test_add_a_guest_tests_the_mission_too():
    g = game(2, missions="janeite")
    people = BUILT["janeite", 6][0].split(",")
    states = main_phase(
        g,
        hands=["W", "W"],
        tables=[dict(zip((2, 4, 5, 8, 9, 10, 11), people[1:], strict=True)), {}],
        missions=(6, 1),
        kept="Add a guest",
    )
    s = states[0]
    s.where[: len(GUESTS)][s.where[: len(GUESTS)] == Where.PILE] = (
        Where.SEATED
    )  # the only card left is the second clergyman
    s.where[guest("Mr. Elton")] = Where.PILE
    after = until(g, states, Action.PLAY, lambda s: s.add_dice.sum() == 6)[0]
    assert after.over
