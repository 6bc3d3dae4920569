import math

import numpy as np
import pytest

from banquet_agents.arena import deals
from banquet_agents.arena.deals import seat_assignments
from banquet_agents.arena.matches import play_match
from banquet_envs.core.errors import IllegalActionError, OptionError
from tests.training.toy import Takes, crumbs


def duel(game, games=40, seed=1):
    one, three = Takes(1), Takes(3)
    return play_match(game, [("one", one), ("three", three)], games, seed), one, three


def test_every_seating_once():
    assert seat_assignments([0, 1]) == [(0, 1), (1, 0)]
    assert seat_assignments([0, 1, 1]) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert len(seat_assignments([0, 1, 2, 3])) == 24


def test_a_match_that_can_be_played_by_hand():
    # Four crumbs. "one" first: 1, then 3, "three" wins. "three" first: 3, then 1, "one" wins. So whoever sits second
    # wins, each agent has one game of every deal, and over deals there is nothing left to vary.
    result, _, _ = duel(crumbs(pile=4))
    assert (result.deals, result.games, result.decisions) == (20, 40, 80)
    for kind in (0, 1):
        assert result.estimate("share", kind) == (0.5, 0.5, 0.5)
        assert result.estimate("share", kind, seat=0) == (0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 20)))
        assert result.estimate("share", kind, seat=1) == (1.0, pytest.approx(0.025 ** (1 / 20)), 1.0)
        assert result.estimate("points", kind) == (5.0, 5.0, 5.0)
        assert result.estimate("place", kind, seat=1).mean == 1.0


def test_ties_share_the_win():
    # Passing to the end: nobody has points, both are first.
    result = play_match(crumbs(pile=7, endless=True), [("a", Takes(0)), ("b", Takes(0))], 10)
    assert result.estimate("share", 0).mean == 0.5
    assert result.estimate("place", 0).mean == 1.0


def test_the_games_of_a_deal_begin_alike():
    result, one, three = duel(crumbs(), games=50)
    first = {name: a.seen[0][a.seen[0]["ply"] == 0] for name, a in (("one", one), ("three", three))}
    assert len(first["one"]) == len(first["three"]) == result.deals == 25
    assert (first["one"]["pile"] == first["three"]["pile"]).all()
    assert (first["one"]["secret"][:, 0] == first["three"]["secret"][:, 0]).all()  # its own number is its to see


def test_agents_see_neither_secrets_nor_the_stream():
    game = crumbs(pile=7)
    result, one, _ = duel(game, games=400)
    true = game.reset(result.deals, seed=1)
    handed = one.seen[0]  # first decisions of the games that "one" begins, in order of deals
    assert (handed["secret"][:, 0] == true["secret"][:, 0]).all()
    assert (handed["secret"][:, 1] == true["secret"][:, 1]).mean() < 0.02
    assert not np.isin(handed["rng"], true["rng"]).any()
    assert not np.isin(handed["seed"], true["seed"]).any()


def test_repeated_deals_get_no_interval():
    result, _, _ = duel(crumbs(pile=4, secrets=False))
    assert result.repeated_deals == 19
    assert math.isnan(result.estimate("share", 0).low)
    assert result.estimate("share", 0).mean == 0.5
    assert "no intervals: 19 of 20 deals repeat" in str(result)


def test_result_depends_neither_on_batches_nor_on_the_number_of_games(monkeypatch):
    game = crumbs(players=3)
    agents = ["random", ("three", Takes(3)), "random"]
    whole = play_match(game, agents, 90, seed=4)
    monkeypatch.setattr(deals, "SIDE_BY_SIDE", 12)
    parts = play_match(game, agents, 90, seed=4)
    more = play_match(game, agents, 180, seed=4)
    assert (whole.share == parts.share).all()
    assert (whole.share == more.share[: whole.deals]).all()
    assert not (whole.share == play_match(game, agents, 90, seed=5).share).all()


def test_random_against_itself_is_even_and_three_seats_are_balanced():
    result = play_match(crumbs(players=3), ["random", ("also", Takes(1)), "random"], 3000)
    rows = {(r["agent"], r["seat"]): r for r in result.rows()}
    assert len(rows) == 8
    total = 2 * rows["random", "all"]["share"] + rows["also", "all"]["share"]
    assert total == pytest.approx(1.0)


@pytest.mark.parametrize("answer", [5, -1, 3])
def test_an_illegal_agent_is_named(answer):
    class Wrong:
        name = "wrong"

        def act(self, states):
            return np.full(len(states), answer)

    with pytest.raises(IllegalActionError, match=rf"agent wrong: seat 0 of crumbs may not play {answer}"):
        play_match(crumbs(pile=2), [("wrong", Wrong()), "random"], 4)


def test_an_agent_must_answer_for_every_game():
    class Short:
        def act(self, states):
            return np.zeros(1)

    with pytest.raises(IllegalActionError, match="agent Short: expected 2 whole numbers"):
        play_match(crumbs(pile=2), [("short", Short()), "random"], 4)


def test_seats_must_be_filled():
    with pytest.raises(OptionError, match="needs as many agents, found 1"):
        play_match(crumbs(), ["random"], 4)
    with pytest.raises(OptionError, match="no agent named 'nobody'"):
        play_match(crumbs(), ["random", "nobody"], 4)


def test_the_summary_names_what_was_played():
    text = str(play_match(crumbs(pile=5), ["random", ("three", Takes(3))], 100, seed=9))
    for part in (
        "crumbs v0, 2 players",
        "pile=5",
        "100 games = 50 deals x 2 seat assignments, seed 9",
        "random",
        "three",
    ):
        assert part in text
