"""Tournaments: who meets whom, tables and ratings that are recounted from the list of games, the command."""

import csv
import math
import sys
from collections import Counter, defaultdict

import numpy as np
import pytest
from openskill.models import PlackettLuce
from typer.testing import CliRunner

from banquet_agents.arena import processes
from banquet_agents.arena.evaluate import strength
from banquet_agents.arena.matches import play_match
from banquet_agents.arena.playing import Venue
from banquet_agents.arena.statistics import estimate
from banquet_agents.arena.tournament import agent_list, contests_of, pairings_of, play_tournament
from banquet_envs import make_game
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import spawn_seeds
from banquet_training.cli import app
from tests.training.toy import Takes, crumbs, registered

__all__ = ["registered"]
GAME = "great_evening_banquet"
HERE = "tests.training.test_tournament"

# ---------------------------------------------------------------- agents, found by name in other processes


def one(game):
    return Takes(1)


def three(game):
    return Takes(3)


ONE, THREE = f"{HERE}:one", f"{HERE}:three"


def toy(names=("random", ONE, THREE), players=2, games=40, seed=1, mode="pairings", folder=None, **options):
    return play_tournament(make_game("crumbs", players, **options), names, games, seed, mode, Venue(folder))


def rows(file):
    with file.open(newline="") as source:
        return list(csv.DictReader(source))


# ---------------------------------------------------------------- who meets whom


def seatings(mode, count, players):
    """Who sits where, by numbers of the agents, for every pairing."""
    return [
        (kinds, [tuple(kinds[k] for k in seats) for seats in assignments])
        for kinds, assignments in pairings_of(mode, count, players)
    ]


def test_pairings_of_two_players_are_every_two_agents_in_both_seats():
    found = seatings("pairings", 3, 2)
    assert [kinds for kinds, _ in found] == [(0, 1), (0, 2), (1, 2)]
    assert found[1][1] == [(0, 2), (2, 0)]


@pytest.mark.parametrize("players", [3, 4, 6])
def test_pairings_of_more_players_are_one_against_the_rest_both_ways(players):
    ((_, assignments),) = seatings("pairings", 2, players)
    assert len(assignments) == len(set(assignments)) == 2 * players
    for kind in (0, 1):
        alone = [seats.index(kind) for seats in assignments if seats.count(kind) == 1]
        assert sorted(alone) == list(range(players))
    assert {seats.count(0) for seats in assignments} == {1, players - 1}


@pytest.mark.parametrize(("agents", "players"), [(2, 2), (3, 3), (4, 2), (2, 4)])
def test_seatings_are_every_way_to_fill_the_seats(agents, players):
    found = seatings("seatings", agents, players)
    every = [seats for _, assignments in found for seats in assignments]
    assert len(every) == len(set(every)) == agents**players
    assert all(set(seats) == set(kinds) for kinds, assignments in found for seats in assignments)


def test_a_single_player_plays_alone():
    assert seatings("pairings", 2, 1) == seatings("seatings", 2, 1) == [((0,), [(0,)]), ((1,), [(1,)])]


@pytest.mark.parametrize(("games", "players", "deals"), [(1000, 2, 500), (1000, 3, 167), (1, 2, 2), (60, 3, 10)])
def test_about_so_many_games_of_each_pairing(games, players, deals):
    found = contests_of(crumbs(players), ["a", "b", "c"], games, 1, "pairings")
    assert {contest.deals for contest in found} == {deals}
    assert [contest.games for contest in found] == [deals * (2 if players == 2 else 2 * players)] * 3


def test_lists_of_agents():
    assert agent_list("a,b, c") == ["a", "b", "c"]
    assert agent_list("search:100,explore=2, prior=1,greedy") == ["search:100,explore=2, prior=1", "greedy"]
    assert agent_list("a,", ["b", "c,d=1"]) == ["a", "b", "c,d=1"]
    assert agent_list(None, []) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"names": ["random"]}, "needs 2 agents or more, found 1"),
        ({"names": ["random", ONE, "random"]}, "agent 'random' is named twice"),
        ({"names": ["random", "nobody"]}, "no agent named 'nobody'"),
        ({"mode": "swiss"}, "mode='swiss' is not allowed; choose one of pairings, seatings"),
        ({"games": 0}, "games=0 is not allowed"),
    ],
)
def test_impossible_tournaments_are_refused(registered, changes, message):
    with pytest.raises(OptionError, match=message):
        toy(**changes)


# ---------------------------------------------------------------- what is played


def test_a_pairing_is_the_match_with_the_same_seed(registered):
    results = toy(names=("random", THREE), games=60, seed=4)
    (played,) = results.played
    match = play_match(results.game, ["random", ("three", Takes(3))], 60, seed=4)
    assert results.contests[0].assignments == tuple(match.assignments)
    assert (played.points == match.points).all()
    assert (played.share == match.share).all()
    assert (played.place == match.place).all()
    assert played.decisions.sum() == match.decisions


def test_every_game_is_in_the_list_and_can_be_played_again(registered, tmp_path):
    results = toy(players=3, games=36, seed=3, folder=tmp_path / "t")
    found = rows(tmp_path / "t" / "matches.csv")
    assert len(found) == results.games
    seated = Counter((r["deal"], r["agent_0"], r["agent_1"], r["agent_2"]) for r in found)
    assert set(seated.values()) == {1}
    words = [int(r["seed"]) for r in found]
    assert sorted(set(words)) == sorted(spawn_seeds(results.deals, 3).tolist())
    game = results.game
    for row in found[
        :30
    ]:  # crumbs taken in turn: the secret numbers play no part, the first pile follows from the word
        if "random" in (names := [row[f"agent_{s}"] for s in range(3)]):
            continue
        states = game.reset(1)
        game.restart(states, np.array([row["seed"]], np.uint64))
        while not states.over[0]:
            most = {ONE: 1, THREE: 3}[names[states.player[0]]]
            game.step(states, [min(most, int(states.pile[0]))])
        assert [int(row[f"points_{s}"]) for s in range(3)] == states.points[0].tolist()
        assert [int(row[f"place_{s}"]) - 1 for s in range(3)] == states.place[0].tolist()
        assert int(row["decisions"]) == states.ply[0]


def test_capped_games_are_told(registered, tmp_path):
    # Whoever never takes a crumb leaves 7 to the other, who takes one at each of its 6 decisions out of 12.
    results = toy(names=(f"{HERE}:passing", ONE), games=4, folder=tmp_path / "t", pile=7, endless=True)
    assert results.capped == 4
    assert "4 games reached the engine's limit" in (tmp_path / "t" / "README.md").read_text()


def passing(game):
    return Takes(0)


def mean_and_bounds(row, name):
    return tuple(float(row[k]) for k in (name, f"{name}_low", f"{name}_high"))


@pytest.mark.parametrize(("players", "mode"), [(2, "pairings"), (3, "pairings"), (2, "seatings"), (3, "seatings")])
def test_tables_are_a_recount_of_the_list(registered, tmp_path, players, mode):
    toy(players=players, games=90, mode=mode, folder=tmp_path / "t")
    of_pair, of_agent = defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list))
    for row in rows(tmp_path / "t" / "matches.csv"):
        names = [row[f"agent_{s}"] for s in range(players)]
        points, places = ([int(row[f"{w}_{s}"]) for s in range(players)] for w in ("points", "place"))
        for seat, name in enumerate(names):
            if names.count(name) > 1:
                continue
            share = (places[seat] == 1) / places.count(1)
            of_agent[name][row["deal"]].append((share, points[seat], places[seat]))
            for other in set(names) - {name}:
                theirs = [s for s in range(players) if names[s] == other]
                ahead = [(places[seat] < places[s]) + (places[seat] == places[s]) / 2 for s in theirs]
                lead = points[seat] - sum(points[s] for s in theirs) / len(theirs)
                of_pair[name, other][row["deal"]].append((share, sum(ahead) / len(theirs), lead))
    for table, found, names in (
        (rows(tmp_path / "t" / "pairs.csv"), of_pair, ("share", "ahead", "lead")),
        (rows(tmp_path / "t" / "agents.csv"), of_agent, ("share", "points", "place")),
    ):
        assert len(table) == len(found)
        for row in table:
            deals = found[(row["agent"], row["opponent"]) if "opponent" in row else row["agent"]]
            assert int(row["games"]) == sum(map(len, deals.values()))
            means = np.array([np.mean(games, axis=0) for games in deals.values()])
            for k, name in enumerate(names):
                expected = estimate(means[:, k], name in ("share", "ahead"))
                assert mean_and_bounds(row, name) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("players", [2, 3])
def test_pairs_agree_with_evaluate(registered, tmp_path, players):
    results = toy(names=("random", THREE), players=players, games=120, folder=tmp_path / "t")
    expected = strength(results.game, "random", [THREE], results.deals * players, results.seed)[0]
    row = results.pairs[0]
    assert (row["agent"], row["opponent"], row["deals"]) == ("random", THREE, expected["deals"])
    for name in ("share", "points", "lead"):
        for end in ("", "_low", "_high"):
            assert row[name + end] == pytest.approx(expected[name + end], abs=1e-6)


def test_alone_everybody_plays_the_same_deals(registered, tmp_path):
    results = toy(players=1, games=30, folder=tmp_path / "t")  # whoever is alone with the crumbs gets 10 points
    found = rows(tmp_path / "t" / "matches.csv")
    assert len(found) == 90
    assert all(len({r["seed"] for r in found if r["deal"] == d}) == 1 for d in {r["deal"] for r in found})
    assert {r["points"] for r in results.agents} == {10.0}
    assert {r["ahead"] for r in results.pairs} == {0.5}
    assert all(math.isnan(r["share"]) for r in results.pairs)
    assert len({r["mu"] for r in results.agents}) == 1
    text = (tmp_path / "t" / "README.md").read_text()
    assert "win share" not in text.lower()
    assert "% ahead" in text


def test_repeated_deals_get_no_interval(registered, tmp_path):
    results = toy(names=(ONE, THREE), pile=4, secrets=False, folder=tmp_path / "t")
    assert [r["repeated_deals"] for r in results.agents] == [19, 19]
    assert math.isnan(results.pairs[0]["share_low"])
    assert rows(tmp_path / "t" / "pairs.csv")[0]["share_low"] == ""
    assert "50.0 [no interval]" in (tmp_path / "t" / "README.md").read_text()


# ---------------------------------------------------------------- ratings


def test_ratings_are_openskill_fed_in_the_order_of_the_list(registered, tmp_path):
    results = toy(players=3, games=90, folder=tmp_path / "t")
    model = PlackettLuce(tau=0.0)
    held = {name: model.rating() for name in results.names}
    for row in rows(tmp_path / "t" / "matches.csv"):
        places = defaultdict(list)
        for seat in range(3):
            places[row[f"agent_{seat}"]].append(int(row[f"place_{seat}"]))
        names = sorted(places, key=results.names.index)
        rated = model.rate([[held[n]] for n in names], ranks=[np.mean(places[n]) for n in names])
        held |= {n: team[0] for n, team in zip(names, rated, strict=True)}
    for row in results.agents:
        rating = held[row["agent"]]
        assert (row["mu"], row["sigma"], row["ordinal"]) == pytest.approx(
            (rating.mu, rating.sigma, rating.ordinal()), abs=1e-5
        )
    assert [r["ordinal"] for r in results.agents] == sorted((r["ordinal"] for r in results.agents), reverse=True)


def test_the_better_agent_is_rated_higher():
    results = play_tournament(make_game(GAME, 2), ["random", "greedy"], 100)
    assert [r["agent"] for r in results.agents] == ["greedy", "random"]
    assert results.agents[0]["mu"] > 25 > results.agents[1]["mu"]


def test_missing_libraries_are_told_before_the_first_game(registered, tmp_path, monkeypatch):
    monkeypatch.setattr(processes.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"needs the package 'openskill': pip install 'banquet-envs\[tournament\]'"):
        toy(folder=tmp_path / "t")
    assert not (tmp_path / "t").exists()


# ---------------------------------------------------------------- the command


def banquet(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def test_the_command_plays_prints_and_goes_on(registered, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = (
        "tournament",
        registered,
        "--agents",
        f"random,{ONE}",
        "-a",
        THREE,
        "-g",
        20,
        "--workers",
        1,
        "-o",
        "pile=5",
    )
    monkeypatch.setattr(sys, "argv", ["banquet", *map(str, words)])
    done = banquet(*words)
    assert done.exit_code == 0, done.output
    assert "60 games, seed 0" in done.stdout
    assert f"| % of the win | `random` | `{ONE}` | `{THREE}` |" in done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    page = (folder / "README.md").read_text()
    for part in (
        "The Last Crumb, 2 players",
        "rules v0",
        "pile=5",
        "60 = 10 deals x 6 seat assignments",
        "openskill 6",
    ):
        assert part in page
    assert (folder / "heatmap.png").read_bytes().startswith(b"\x89PNG")
    kept = {p: p.stat().st_mtime_ns for p in (folder / "blocks").iterdir()}
    command = page.split("```sh\n")[1].split("\n```")[0].split()
    assert command == ["banquet", *map(str, words)]
    again = banquet(*command[1:])  # the page's own command goes on in the same folder: there is nothing left to play
    assert again.exit_code == 0, again.output
    assert again.stdout == done.stdout
    assert {p: p.stat().st_mtime_ns for p in (folder / "blocks").iterdir()} == kept
    assert list((tmp_path / "runs").iterdir()) == [folder]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument 'GAME'"),
        ((GAME, "--games", 0), "Invalid value for '--games'"),
        (("nothing",), "no game named 'nothing'"),
        ((GAME, "--agents", "random,nobody"), "no agent named 'nobody'"),
        ((GAME, "--agents", "random,greedy", "--mode", "swiss"), "choose one of pairings, seatings"),
        ((GAME, "--agents", "random,greedy", "--workers", 0), "Invalid value for '--workers'"),
        ((GAME, "--agents", "random,greedy", "--out", "/proc/nothing"), "/proc/nothing: cannot be made"),
    ],
)
def test_mistakes_end_in_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = banquet("tournament", *words)
    assert done.exit_code == 2
    lines = [line for line in done.stderr.splitlines() if not line.startswith("banquet_envs: compiling")]
    assert len(lines) == 1, done.stderr
    assert message in lines[0]
    assert not list(tmp_path.iterdir())
