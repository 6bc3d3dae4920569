"""Players that read and write: questions, answers, second chances, faults, contests that survive a kill, ratings, results."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from banquet_agents.registry import make_agent
from banquet_agents.search import parsed
from banquet_agents.words.contest import Contest, Plan, deals_of
from banquet_agents.words.episode import Episode
from banquet_agents.words.journal import read_lines
from banquet_agents.words.ladder import SEARCH
from banquet_agents.words.players import AgentInWords, Recording, Reply, make_player, nonsense, prompt_hash
from banquet_agents.words.prompt import VERSION, Style, read_move
from banquet_agents.words.rating import ANCHOR_RATING, frozen_ladder, ladder_pairs, rate
from banquet_agents.words.report import page, results, write_results
from banquet_envs import AgentError, OptionError, list_games, make_game
from banquet_envs.core.arguments import spawn_seeds
from banquet_envs.words import action_texts, rules_text
from tests.shipped import SHIPPED
from tests.words.stand_in import LISTED, reader

GAME = "great_evening_banquet"


@pytest.fixture(scope="module")
def game():
    return make_game(GAME, 2)


def episode(game, seed=3, agents=(1,), **more):
    return Episode(game, spawn_seeds(1, seed)[0], {seat: make_agent(game, "random") for seat in agents}, **more)


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ('{"move": "end the turn"}', "end the turn"),
        ('I would say {"move": "a"}, but no: {"move": "b"} it is.', "b"),
        ('```json\n{"why": {"move": "inner"}, "move": "outer"}\n```', "outer"),
        ('{"move": "a"} and {"other": 1}', "a"),
        ('{broken {"move": "a"}', "a"),
        ('{"move": "Gr\\u00fc\\u00dfe {x}"}', "Grüße {x}"),
        ("end the turn", None),
        ('{"move": 3}', None),
        ('{"move": "a"} then {"move": null}', None),
        ('{"moves": "a"}', None),
        ('["move"] {"x": ["move"]}', None),
        ("{" * 5000, None),
        ('{"a":' * 5000, None),
        ("", None),
    ],
)
def test_the_move_is_that_of_the_last_object_and_nothing_is_guessed(reply, move):
    assert read_move(reply) == move


def test_a_game_is_played_to_its_end_in_words(game):
    table = episode(game)
    while table.question is not None:
        asked = table.question
        assert asked.seat == 0
        assert rules_text(game) in asked.prompt
        assert all(text in asked.prompt for text in action_texts(game, table.record))
        table.answer(reader(asked.prompt).upper().replace('"MOVE"', '"move"'))
        assert table.answer_was == "legal"
    assert table.over
    assert bool(table.record.over)
    counts = table.counts[0]
    assert counts.calls == counts.moves > 10
    assert sum(table.shares()) == 1.0
    with pytest.raises(OptionError, match="nothing was asked"):
        table.answer("{}")


def test_a_second_chance_says_what_was_wrong(game):
    table = episode(game)
    asked = table.question
    table.answer('{"move": "dance"}')
    assert table.answer_was == "illegal"
    assert table.question.prompt.startswith(asked.prompt)
    assert 'no legal move reads "dance"' in table.question.prompt
    assert table.question.attempt == 1
    table.answer(reader(asked.prompt))
    assert table.question.ply > asked.ply
    table.answer("hm")
    assert "it held no JSON object" in table.question.prompt
    counts = table.counts[0]
    assert (counts.calls, counts.moves, counts.illegal, counts.unreadable) == (3, 1, 1, 1)
    table.answer(reader(table.question.prompt))
    assert table.counts[0].second_chances == 2


def test_two_refused_answers_forfeit_the_game(game):
    table = episode(game)
    table.answer("hm")
    table.answer("hm")
    assert table.over
    assert table.question is None
    assert table.places() == [2, 1]
    assert table.shares() == [0.0, 1.0]
    assert table.counts[0].forfeits == 1


def test_two_refused_answers_are_left_to_chance_the_same_every_time(game):
    played = []
    for _ in range(2):
        table = episode(game, on_fault="random")
        while table.question is not None:
            table.answer(nonsense(table.question.prompt))
        played.append(table.history.moves)
        counts = table.counts[0]
        assert counts.random > 10
        assert counts.unreadable == counts.calls == 2 * counts.random
        assert counts.moves == counts.forfeits == 0
    assert played[0] == played[1]


def test_two_refused_answers_are_an_error_if_so_told(game):
    table = episode(game, on_fault="error")
    table.answer("hm")
    with pytest.raises(AgentError, match="two answers in a row were refused, the last illegal"):
        table.answer('{"move": "dance"}')


def test_all_seats_may_read(game):
    table, asked = episode(game, agents=()), set()
    while table.question is not None:
        asked.add(table.question.seat)
        table.answer(reader(table.question.prompt))
    assert asked == {0, 1}
    assert set(table.counts) == {0, 1}


def test_hidden_moves_are_not_listed_and_json_is_the_position(game):
    listed = episode(game).question.prompt
    hidden = episode(game, style=Style("hidden")).question.prompt
    assert LISTED in listed
    assert LISTED not in hidden
    assert not any(text in hidden for text in action_texts(game, episode(game).record))
    asked = episode(game, style=Style(state="json")).question.prompt
    data = json.loads(next(line for line in asked.splitlines() if line.startswith('{"game"')))
    assert data["you"] == 0


def test_a_changed_template_has_a_new_version():
    """Results name both; whoever changes a text raises VERSION and enters its hash here."""
    known = {"1": "a2b29c85e48589c6"}
    assert Style().identity()["template_hash"] == known[VERSION]
    assert Style("hidden").identity()["legal"] == "hidden"


@pytest.mark.parametrize("more", [{"on_fault": "sulk"}, {"agents": (2,)}])
def test_wrong_tables_are_refused(game, more):
    with pytest.raises(OptionError):
        episode(game, **more)


# ---------------------------------------------------------------- contests


def plan(game, player="reader", deals=2, on_fault="forfeit", opponents=("random",)):
    rules = prompt_hash(rules_text(game))
    return Plan(player, [game.identity()], [rules], list(opponents), [deals], 7, on_fault, Style().identity())


def numbers(outcomes):
    return [(o.game, o.opponent, o.share.tolist(), o.score.tolist(), o.points.tolist(), o.counts) for o in outcomes]


class Killed(BaseException):
    pass


def test_a_killed_run_goes_on_and_repeats_no_call(game, tmp_path):
    calls = []

    def player(asked):
        calls.append(asked)
        return Reply(reader(asked), {"prompt": 10, "completion": 2})

    whole = Contest(tmp_path / "whole", plan(game), [game]).play(lambda game: player)
    wanted, asked_in_all = numbers(whole), list(calls)
    assert whole[0].tokens == {"prompt": 10 * len(calls), "completion": 2 * len(calls)}
    calls.clear()

    def mortal(asked):
        if len(calls) in (5, 41):
            calls.append("")
            raise Killed
        return player(asked)

    folder = tmp_path / "killed"
    for _ in range(2):
        with pytest.raises(Killed):
            Contest(folder, plan(game), [game]).play(lambda game: mortal)
    with (folder / "transcript.jsonl").open("a") as torn:
        torn.write('{"game": "great_eve')
    resumed = Contest(folder, plan(game), [game]).play(lambda game: mortal)
    assert [asked for asked in calls if asked] == asked_in_all
    assert numbers(resumed) == wanted
    assert len(list(read_lines(folder / "transcript.jsonl"))) == len(asked_in_all)
    again = Contest(folder, plan(game), [game]).play(lambda game: mortal)
    assert numbers(again) == wanted
    assert len([asked for asked in calls if asked]) == len(asked_in_all)


def test_games_side_by_side_come_to_the_same(game, tmp_path):
    one = Contest(tmp_path / "one", plan(game), [game]).play(lambda game: reader)
    three = Contest(tmp_path / "three", plan(game), [game]).play(lambda game: reader, jobs=3)
    assert numbers(one) == numbers(three)


def test_a_recording_replays_a_run(game, tmp_path):
    first = Contest(tmp_path / "first", plan(game), [game]).play(lambda game: reader)
    recording = make_player(game, f"recording:{tmp_path / 'first' / 'transcript.jsonl'}")
    second = Contest(tmp_path / "second", plan(game), [game]).play(lambda game: recording)
    assert numbers(first) == numbers(second)
    with pytest.raises(OptionError, match="holds no answer to this prompt"):
        recording("What else?")
    with pytest.raises(OptionError, match="cannot be read"):
        Recording(tmp_path / "nowhere.jsonl")


def test_an_answer_that_ends_the_run_is_kept(game, tmp_path):
    contest = Contest(tmp_path, plan(game, on_fault="error"), [game])
    with pytest.raises(AgentError):
        contest.play(lambda game: nonsense)
    lines = list(read_lines(tmp_path / "transcript.jsonl"))
    assert [line.outcome for line in lines] == ["unreadable", "unreadable"]
    assert "{rules}" in lines[0].prompt
    assert rules_text(game) not in lines[0].prompt
    assert (tmp_path / f"rules-{GAME}.txt").read_text().strip() == rules_text(game).strip()


def test_a_player_that_raises_is_named(game, tmp_path):
    def broken(asked):
        raise KeyError("oops")

    with pytest.raises(AgentError, match="player reader failed: KeyError: 'oops'"):
        Contest(tmp_path, plan(game), [game]).play(lambda game: broken)
    assert not list(read_lines(tmp_path / "transcript.jsonl"))


def test_another_run_or_a_foreign_folder_is_refused(game, tmp_path):
    contest = Contest(tmp_path / "run", plan(game), [game])
    contest.play(lambda game: reader)
    with pytest.raises(OptionError, match="holds another run: player differ"):
        Contest(tmp_path / "run", plan(game, player="other"), [game]).play(lambda game: reader)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "transcript.jsonl").write_text("{}\n")
    with pytest.raises(OptionError, match="in use for something else"):
        Contest(tmp_path / "foreign", plan(game), [game]).play(lambda game: reader)
    transcript = tmp_path / "run" / "transcript.jsonl"
    transcript.write_text(transcript.read_text().replace('"ply": 0', '"ply": "none"'))
    with pytest.raises(OptionError, match=r"transcript.jsonl, line [0-9]+: entry 'ply'"):
        contest.play(lambda game: reader)
    alone = make_game(GAME, 1)
    with pytest.raises(OptionError, match="two players or more"):
        Contest(tmp_path / "solo", plan(alone), [alone])


def test_an_agent_in_words_plays_as_the_agent_itself(game, tmp_path):
    """Saying moves in words changes nothing: greedy in words plays greedy's game."""
    table = episode(game, agents=(1,))
    speaker = AgentInWords(make_agent(game, "greedy")).sit(table)
    while table.question is not None:
        table.answer(speaker(table.question.prompt))
    silent = Episode(game, spawn_seeds(1, 3)[0], {0: make_agent(game, "greedy"), 1: make_agent(game, "random")})
    assert silent.question is None
    assert table.history.moves == silent.history.moves
    assert table.counts[0].calls == table.counts[0].moves


@pytest.mark.parametrize(
    "name", ["", "agent:", "chat:model", "local:", "smart", "agent:nobody", "no_module:x", "json:loads"]
)
def test_players_that_there_are_not_are_refused(game, name):
    with pytest.raises(OptionError, match=r"player|agent"):
        make_player(game, name)


# ---------------------------------------------------------------- figures


def test_ratings_follow_the_odds():
    """Three wins of four against the anchor are 400 log10(3) points above it; the prior matters little in 2,000 deals."""
    scores = np.tile([1.0, 1.0, 1.0, 0.0], 500)
    best, anchor = rate([{("reader", "greedy"): scores}])
    assert (best.player, anchor.player) == ("reader", "greedy")
    assert anchor.rating == anchor.low == anchor.high == ANCHOR_RATING
    assert best.rating - ANCHOR_RATING == pytest.approx(400 * np.log10(3), abs=2)
    assert best.low < best.rating < best.high


def test_every_game_weighs_the_same():
    """Ten times the deals in one game do not outweigh the other: wins here and losses there cancel."""
    rungs = rate([{("reader", "greedy"): np.ones(1000)}, {("reader", "greedy"): np.zeros(100)}])
    assert [rung.rating for rung in rungs] == pytest.approx([ANCHOR_RATING, ANCHOR_RATING], abs=0.5)


def test_who_never_loses_is_still_on_the_scale():
    best, _ = rate([{("reader", "greedy"): np.ones(20)}])
    assert 1300 < best.rating < 2500


def test_nothing_cannot_be_rated():
    with pytest.raises(OptionError, match="nothing to rate"):
        rate([{}])


def test_the_ladder_is_frozen_for_every_game_and_in_order():
    known = frozen_ladder()
    assert set(known["games"]) == set(SHIPPED)
    for name in SHIPPED:
        pairs = ladder_pairs(name, make_game(name, 2).spec.version)
        for (_, other), scores in pairs.items():
            assert len(scores) == known["search_deals" if other == SEARCH else "deals"]
        scripts = [rung.player for rung in rate([pairs]) if rung.player != SEARCH]
        assert scripts == ["expert", "greedy", "random"]
        assert known["games"][name]["search"] == asdict(parsed(name, SEARCH)), "search.toml has changed: freeze it anew"
        assert not ladder_pairs(name, "v99")
    assert not ladder_pairs("no_such_game", "v0")


def test_the_rungs_of_the_ladder_stand_in_their_order():
    known = frozen_ladder()
    rungs = rate([ladder_pairs(name, game["version"]) for name, game in known["games"].items()])
    assert known["rungs"] == ["random", "greedy", "expert", SEARCH]
    assert [rung.player for rung in reversed(rungs)] == known["rungs"][: len(rungs)]


def test_a_set_is_about_so_many_calls(game):
    deals = deals_of(game, 3, 4000)
    assert 0.9 < deals * 3 * 2 * frozen_ladder()["games"][GAME]["decisions"] / 4000 < 1.1
    assert deals_of(game, 3, 1) == 2


def test_results_say_what_they_depend_on(game, tmp_path):
    made = plan(game, "agent:greedy", opponents=("random", "greedy"))
    contest = Contest(tmp_path, made, [game])
    found = results(made, contest.play(lambda game: make_player(game, "agent:greedy")))
    write_results(tmp_path, found)
    kept = json.loads((tmp_path / "results.json").read_text())
    assert kept["style"] == Style().identity()
    assert kept["games"] == [game.identity()]
    assert kept["rules"] == [prompt_hash(rules_text(game))]
    assert [(row["opponent"], row["games"]) for row in kept["rows"]] == [("random", 4), ("greedy", 4)]
    assert all(row["calls"] == row["moves"] > 0 for row in kept["rows"])
    rungs = {name for pair in ladder_pairs(GAME, game.spec.version) for name in pair}
    assert {rung["player"] for rung in kept["scale"]} == {"agent:greedy", *rungs}
    text = (tmp_path / "results.md").read_text()
    assert text == page(found)
    assert Style().identity()["template_hash"] in text


def test_more_players_are_scored_by_pairs(tmp_path):
    three = make_game("dinner_party", 3)
    made = plan(three, "nonsense")
    outcome = Contest(tmp_path, made, [three]).play(lambda game: nonsense)[0]
    assert outcome.share.shape == (2, 3)
    assert outcome.score.tolist() == outcome.share.tolist() == np.zeros((2, 3)).tolist()
    assert outcome.counts.forfeits == 6
    scale = results(made, [outcome])["scale"]
    assert {rung["player"] for rung in scale} == {"nonsense", "random"}, "the frozen ladder is for two players"


def test_every_shipped_game_can_be_asked():
    assert set(SHIPPED) <= set(list_games())
    for name in SHIPPED:
        made = make_game(name, 2)
        table = Episode(made, spawn_seeds(1, 1)[0], {1: make_agent(made, "random")})
        for _ in range(8):
            table.answer(reader(table.question.prompt))
        assert table.counts[0].moves == 8
