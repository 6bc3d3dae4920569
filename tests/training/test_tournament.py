"""Tournaments: plans, tables that are recounted, and that neither kills nor where it is played change anything."""

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import filelock
import numpy as np
import pytest
from banquet_agents.arena.tournament.folder import DRAFT, TournamentFolder, write_whole
from banquet_agents.arena.tournament.plan import agent_list, pairings_of
from banquet_agents.arena.tournament.running import play_unit
from openskill.models import PlackettLuce
from typer.testing import CliRunner

from banquet_agents.arena.evaluate import strength
from banquet_agents.arena.matches import play_match
from banquet_agents.arena.statistics import estimate
from banquet_agents.arena.tournament import Plan, Unit, plan_tournament, play_tournament, running, stored_plan
from banquet_agents.registry import make_agent
from banquet_envs import make_game
from banquet_envs.core.errors import IllegalActionError, OptionError
from banquet_envs.core.game import spawn_seeds
from banquet_training.cli import app
from tests.training.toy import Takes, registered

__all__ = ["registered"]
ROOT = Path(__file__).parents[2]
GAME = "great_evening_banquet"
HERE = "tests.training.test_tournament"
FILES = ("tournament.json", "matches.csv", "agents.csv", "pairs.csv", "heatmap.png", "README.md")

# ---------------------------------------------------------------- agents, found by name in other processes


def one(game):
    return Takes(1)


def three(game):
    return Takes(3)


ONE, THREE = f"{HERE}:one", f"{HERE}:three"


class Marked:
    """Plays like `random`; on request it takes its time, and leaves a file that bears its process or its node."""

    def __init__(self, game):
        self.agent = make_agent(game, "random")

    def act(self, states):
        if marks := os.environ.get("BANQUET_TEST_MARKS"):
            (Path(marks) / str(os.getpid())).touch()
            if "ray" in sys.modules:
                node = sys.modules["ray"].get_runtime_context().get_node_id()
                (Path(marks) / node).touch()
        time.sleep(float(os.environ.get("BANQUET_TEST_DELAY", "0")))
        return self.agent.act(states)


def marked(game):
    return Marked(game)


MARKED = f"{HERE}:marked"


def illegal(game):
    class Illegal:
        name = "illegal"

        def act(self, states):
            return np.full(len(states), -1)

    return Illegal()


def dying(game):
    class Dying:
        def act(self, states):
            if "BANQUET_TEST_DIE" in os.environ:
                os._exit(9)
            return np.full(len(states), -1)

    return Dying()


def toy(names=("random", ONE, THREE), players=2, games=40, seed=1, mode="pairings", block=None, **options):
    return plan_tournament(make_game("crumbs", players, **options), names, games, seed, mode, block)


def rows(file):
    with file.open(newline="") as source:
        return list(csv.DictReader(source))


def until(games):
    """Progress that is interrupted once so many games have been played."""

    def stop(done, total):
        if done >= games:
            raise KeyboardInterrupt

    return stop


def whole(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


# ---------------------------------------------------------------- plans


def test_pairings_of_two_players_are_every_two_agents_in_both_seats():
    found = pairings_of("pairings", 3, 2)
    assert [p.kinds for p in found] == [(0, 1), (0, 2), (1, 2)]
    assert found[1].assignments == ((0, 2), (2, 0))


@pytest.mark.parametrize("players", [3, 4, 6])
def test_pairings_of_more_players_are_one_against_the_rest_both_ways(players):
    (pairing,) = pairings_of("pairings", 2, players)
    assert len(pairing.assignments) == len(set(pairing.assignments)) == 2 * players
    for kind in (0, 1):
        alone = [seats.index(kind) for seats in pairing.assignments if seats.count(kind) == 1]
        assert sorted(alone) == list(range(players))
    assert {seats.count(0) for seats in pairing.assignments} == {1, players - 1}


@pytest.mark.parametrize(("agents", "players"), [(2, 2), (3, 3), (4, 2), (2, 4)])
def test_seatings_are_every_way_to_fill_the_seats(agents, players):
    found = pairings_of("seatings", agents, players)
    every = [seats for p in found for seats in p.assignments]
    assert len(every) == len(set(every)) == agents**players
    assert all(sorted(seats) == list(p.kinds) for p in found for seats in p.assignments)


def test_a_single_player_plays_alone():
    assert pairings_of("pairings", 2, 1) == pairings_of("seatings", 2, 1) == [((0,), ((0,),)), ((1,), ((1,),))]


@pytest.mark.parametrize(
    ("games", "block", "players", "deals"), [(1000, None, 2, 500), (1000, 7, 3, 167), (1, None, 2, 2), (60, 100, 3, 10)]
)
def test_units_cover_every_deal_of_every_pairing_once(registered, games, block, players, deals):
    plan = toy(players=players, games=games, block=block)
    assert plan.deals == deals
    played = Counter((u.pairing, d) for u in plan.units() for d in range(u.first, u.stop))
    assert played == Counter({(k, d): 1 for k in range(3) for d in range(deals)})
    assert sum(map(plan.size, plan.units())) == plan.games == deals * 3 * (2 if players == 2 else 2 * players)
    if block is None:
        assert len(plan.units()) >= 3 * min(20, deals)


def test_a_plan_survives_its_file(registered):
    plan = toy(pile=5)
    assert Plan.read(plan.text()) == plan == plan.as_here()
    assert json.loads(plan.text())["pairings"][0]["seats"] == [["random", ONE], [ONE, "random"]]


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1}', "[" * 5000])
def test_other_files_are_no_plans(text):
    with pytest.raises(OptionError, match="no plan of a tournament"):
        Plan.read(text)
    with pytest.raises(OptionError, match="of format 99"):
        Plan.read('{"format": 99}')


BAD_ENTRIES = [
    ("block", 0), ("block", -1), ("block", "x"), ("block", True), ("block", 2.5), ("deals", 0), ("deals", -5), ("deals", "8"),
    ("mode", "x"), ("mode", 3), ("mode", None), ("agents", [1, 2]), ("agents", []), ("agents", ["random"]), ("agents", "random"),
    ("agents", None), ("seed", None), ("seed", -1), ("seed", 1.0), ("game", []), ("game", None), ("game", {}), ("versions", "x"),
    ("versions", {"numba": 1}), ("files", []), ("code", 5), ("components", 7),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "value"), BAD_ENTRIES)
def test_a_plan_with_an_entry_of_a_wrong_kind_is_refused(registered, entry, value):
    told = json.loads(toy().text()) | {entry: value}
    with pytest.raises(OptionError, match=r"no plan of a tournament: entry|agents or more|mode="):
        Plan.read(json.dumps(told))


@pytest.mark.parametrize(
    ("entry", "value"), [("options", None), ("options", {"x": []}), ("players", 0), ("players", "2")]
)
def test_a_plan_of_a_game_that_is_none_is_refused(registered, entry, value):
    told = json.loads(toy().text())
    told["game"][entry] = value
    with pytest.raises(OptionError, match=f"entry 'game.{entry}"):
        Plan.read(json.dumps(told))


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
        ({"block": 0}, "block=0 is not allowed"),
    ],
)
def test_impossible_plans_are_refused(registered, changes, message):
    with pytest.raises(OptionError, match=message):
        toy(**changes)


# ---------------------------------------------------------------- what is played


def test_units_together_are_the_match_with_the_same_seed(registered, tmp_path):
    plan = toy(names=("random", THREE), games=60, seed=4, block=7)
    (played,) = play_tournament(plan, tmp_path / "t", workers=1).played
    match = play_match(plan.make_game(), ["random", ("three", Takes(3))], 60, seed=4)
    assert plan.pairings[0].assignments == tuple(match.assignments)
    assert (played.points == match.points).all()
    assert (played.share == match.share).all()
    assert (played.place == match.place).all()
    assert played.decisions.sum() == match.decisions


def test_every_game_is_in_the_list_and_can_be_played_again(registered, tmp_path):
    plan = toy(players=3, games=36, seed=3)
    play_tournament(plan, tmp_path / "t", workers=1)
    found = rows(tmp_path / "t" / "matches.csv")
    assert len(found) == plan.games
    seated = Counter((r["deal"], r["agent_0"], r["agent_1"], r["agent_2"]) for r in found)
    assert set(seated.values()) == {1}
    words = [int(r["seed"]) for r in found]
    assert sorted(set(words)) == sorted(spawn_seeds(plan.deals, 3).tolist())
    game = plan.make_game()
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
    plan = toy(names=(f"{HERE}:passing", ONE), games=4, pile=7, endless=True)
    # Whoever never takes a crumb leaves 7 to the other, who takes one at each of its 6 decisions out of 12.
    results = play_tournament(plan, tmp_path / "t", workers=1)
    assert results.capped == 4
    assert "4 games reached the engine's limit" in (tmp_path / "t" / "README.md").read_text()


def passing(game):
    return Takes(0)


def mean_and_bounds(row, name):
    return tuple(float(row[k]) for k in (name, f"{name}_low", f"{name}_high"))


@pytest.mark.parametrize(("players", "mode"), [(2, "pairings"), (3, "pairings"), (2, "seatings"), (3, "seatings")])
def test_tables_are_a_recount_of_the_list(registered, tmp_path, players, mode):
    plan = toy(players=players, games=90, mode=mode)
    play_tournament(plan, tmp_path / "t", workers=1)
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
    plan = toy(names=("random", THREE), players=players, games=120)
    results = play_tournament(plan, tmp_path / "t", workers=1)
    expected = strength(plan.make_game(), "random", [THREE], plan.deals * players, plan.seed)[0]
    row = results.pairs[0]
    assert (row["agent"], row["opponent"], row["deals"]) == ("random", THREE, expected["deals"])
    for name in ("share", "points", "lead"):
        for end in ("", "_low", "_high"):
            assert row[name + end] == pytest.approx(expected[name + end], abs=1e-6)


def test_alone_everybody_plays_the_same_deals(registered, tmp_path):
    plan = toy(players=1, games=30)  # whoever is alone with the crumbs gets 10 points
    results = play_tournament(plan, tmp_path / "t", workers=1)
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
    plan = toy(names=(ONE, THREE), pile=4, secrets=False)
    results = play_tournament(plan, tmp_path / "t", workers=1)
    assert [r["repeated_deals"] for r in results.agents] == [19, 19]
    assert math.isnan(results.pairs[0]["share_low"])
    assert rows(tmp_path / "t" / "pairs.csv")[0]["share_low"] == ""
    assert "50.0 [no interval]" in (tmp_path / "t" / "README.md").read_text()


# ---------------------------------------------------------------- ratings


def test_ratings_are_openskill_fed_in_the_order_of_the_list(registered, tmp_path):
    plan = toy(players=3, games=90)
    results = play_tournament(plan, tmp_path / "t", workers=1)
    model = PlackettLuce(tau=0.0)
    held = {name: model.rating() for name in plan.agents}
    for row in rows(tmp_path / "t" / "matches.csv"):
        places = defaultdict(list)
        for seat in range(3):
            places[row[f"agent_{seat}"]].append(int(row[f"place_{seat}"]))
        names = sorted(places, key=plan.agents.index)
        rated = model.rate([[held[n]] for n in names], ranks=[np.mean(places[n]) for n in names])
        held |= {n: team[0] for n, team in zip(names, rated, strict=True)}
    for row in results.agents:
        rating = held[row["agent"]]
        assert (row["mu"], row["sigma"], row["ordinal"]) == pytest.approx(
            (rating.mu, rating.sigma, rating.ordinal()), abs=1e-5
        )
    assert [r["ordinal"] for r in results.agents] == sorted((r["ordinal"] for r in results.agents), reverse=True)


def test_the_better_agent_is_rated_higher(tmp_path):
    plan = plan_tournament(make_game(GAME, 2), ["random", "greedy"], 100)
    results = play_tournament(plan, tmp_path / "t", workers=1)
    assert [r["agent"] for r in results.agents] == ["greedy", "random"]
    assert results.agents[0]["mu"] > 25 > results.agents[1]["mu"]


# ---------------------------------------------------------------- going on


def test_going_on_plays_what_is_missing_and_gives_the_same_files(registered, tmp_path, monkeypatch):
    plan = toy(players=3, games=60, block=2)
    play_tournament(plan, tmp_path / "whole", workers=1)
    folder = tmp_path / "broken"

    with pytest.raises(KeyboardInterrupt):
        play_tournament(plan, folder, workers=1, progress=until(plan.games / 3))
    kept = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in (folder / "units").iterdir()}
    assert 0 < len(kept) < len(plan.units())
    assert not (folder / "matches.csv").exists()
    (folder / "units" / ("0000-0000000-0000002.npz" + DRAFT)).write_bytes(b"half a unit")
    damaged = next(iter(kept))
    damaged.write_bytes(damaged.read_bytes()[:-40])
    asked = []
    monkeypatch.setattr(running, "play_unit", lambda text, unit: asked.append(unit) or play_unit(text, unit))
    seen = []
    play_tournament(plan, folder, workers=1, progress=lambda done, total: seen.append((done, total)))
    assert len(asked) == len(plan.units()) - len(kept) + 1
    assert seen[0][0] == sum(map(plan.size, plan.units())) - sum(map(plan.size, asked))
    assert seen[-1] == (plan.games, plan.games)
    for path, stamp in kept.items():
        if path != damaged:
            assert (path.stat().st_mtime_ns, path.stat().st_ino) == stamp
    assert sorted(p.name for p in (folder / "units").iterdir()) == sorted(
        p.name for p in (tmp_path / "whole" / "units").iterdir()
    )
    assert whole(folder) == whole(tmp_path / "whole")
    asked.clear()
    with pytest.raises(OptionError, match="--allow-imports"):
        stored_plan(folder)
    play_tournament(stored_plan(folder, allow_imports=True), folder, workers=1)
    assert not asked
    assert len((folder / "sessions.jsonl").read_text().splitlines()) == 2


def test_a_kill_at_the_very_beginning_leaves_a_usable_folder(registered, tmp_path):
    folder = tmp_path / "t"
    (folder / "units").mkdir(parents=True)
    (folder / ".lock").touch()
    (folder / ("tournament.json" + DRAFT)).write_text("{")
    play_tournament(toy(), folder, workers=1)
    assert (folder / "README.md").exists()


def test_files_appear_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "f"
    write_whole(file, "before")

    def full(fd):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        write_whole(file, "after")
    assert file.read_text() == "before"


def test_another_tournament_in_the_folder_is_refused(registered, tmp_path):
    play_tournament(toy(), tmp_path / "t", workers=1)
    before = whole(tmp_path / "t")
    with pytest.raises(OptionError, match=r"holds another tournament: it has deals 20, not 40; seed 1, not 2"):
        play_tournament(toy(games=80, seed=2, block=1), tmp_path / "t", workers=1)
    with pytest.raises(OptionError, match=r"it has agents random, .*one, .*three, not random, .*three"):
        play_tournament(toy(names=("random", THREE)), tmp_path / "t", workers=1)
    with pytest.raises(OptionError, match=r"options pile=0, .* not pile=3"):
        play_tournament(toy(pile=3), tmp_path / "t", workers=1)
    assert whole(tmp_path / "t") == before


def test_changed_rules_agents_or_versions_are_refused(registered, tmp_path):
    plan = toy()
    play_tournament(plan, tmp_path / "t", workers=1)
    file = tmp_path / "t" / "tournament.json"
    assert plan.files.keys() == {ONE, THREE}
    for changed, message in (
        (replace(plan, code="0123"), "code 0123, not "),
        (replace(plan, versions=plan.versions | {"numba": "0.1"}), "numba 0.1, not "),
        (replace(plan, files={}), "files none, not tests.training"),
    ):
        file.write_text(changed.text())
        with pytest.raises(OptionError, match=f"cannot go on, it was begun with {message}"):
            stored_plan(tmp_path / "t", allow_imports=True)
        with pytest.raises(OptionError, match=f"differs: the tournament has {message}"):
            play_unit(changed.text(), Unit(0, 0, 1))


def test_folders_in_use_are_refused(registered, tmp_path):
    (tmp_path / "letters").write_text("dear")
    with pytest.raises(OptionError, match="is in use for something else"):
        play_tournament(toy(), tmp_path, workers=1)
    with pytest.raises(OptionError, match="is in use for something else"):
        play_tournament(toy(), tmp_path / "letters", workers=1)
    assert [p.name for p in tmp_path.iterdir()] == ["letters"]
    with pytest.raises(OptionError, match="no tournament there"):
        stored_plan(tmp_path)
    (tmp_path / "t").mkdir()
    with filelock.FileLock(tmp_path / "t" / ".lock"), pytest.raises(OptionError, match="another process is playing"):
        play_tournament(toy(), tmp_path / "t", workers=1)


# ---------------------------------------------------------------- where it is played


def banquet_plan(**changes):
    told = {"names": ["random", "greedy", MARKED], "games": 24, "seed": 7, "block": 3} | changes
    return plan_tournament(make_game(GAME, 2), **told)


def test_results_depend_neither_on_processes_nor_on_order_nor_on_blocks(tmp_path, monkeypatch):
    plan = banquet_plan()
    play_tournament(plan, tmp_path / "here", workers=1)
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setenv("BANQUET_TEST_MARKS", str(marks))
    play_tournament(plan, tmp_path / "processes", workers=2)
    assert str(os.getpid()) not in {p.name for p in marks.iterdir()}
    assert whole(tmp_path / "processes") == whole(tmp_path / "here")
    monkeypatch.delenv("BANQUET_TEST_MARKS")
    in_order = Plan.units
    monkeypatch.setattr(Plan, "units", lambda self: in_order(self)[::-1])
    with pytest.raises(KeyboardInterrupt):
        play_tournament(plan, tmp_path / "backwards", workers=1, progress=until(60))
    monkeypatch.setattr(Plan, "units", in_order)
    play_tournament(plan, tmp_path / "backwards", workers=1)
    assert whole(tmp_path / "backwards") == whole(tmp_path / "here")
    play_tournament(banquet_plan(block=5), tmp_path / "blocks", workers=1)
    for name in ("matches.csv", "agents.csv", "pairs.csv"):
        assert (tmp_path / "blocks" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_an_agents_mistake_in_another_process_is_told(tmp_path):
    plan = banquet_plan(names=["random", f"{HERE}:illegal"])
    with pytest.raises(IllegalActionError, match=r"agent illegal: seat \d of great_evening_banquet may not play -1"):
        play_tournament(plan, tmp_path / "t", workers=2)


def test_a_worker_that_dies_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("BANQUET_TEST_DIE", "1")
    with pytest.raises(OptionError, match="a worker process died"):
        play_tournament(banquet_plan(names=["random", f"{HERE}:dying"]), tmp_path / "t", workers=2)


def test_missing_libraries_are_told_before_the_first_game(registered, tmp_path, monkeypatch):
    monkeypatch.setattr(running.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"needs the package 'openskill': pip install 'banquet-envs\[tournament\]'"):
        play_tournament(toy(), tmp_path / "t")
    assert not (tmp_path / "t").exists()


def gone(process):
    """Whether a process has ended; one that nobody has waited for counts as ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_kill_minus_nine_and_a_resume_give_the_same_files(tmp_path):
    words = [GAME, "--agents", f"random,greedy,{MARKED}", "--games", "60", "--seed", "5", "--block", "3"]
    command = [sys.executable, "-m", "banquet_training", "tournament", *words, "--workers", "2", "--out"]
    folder, marks = tmp_path / "killed", tmp_path / "marks"
    marks.mkdir()
    slow = {"BANQUET_TEST_DELAY": "0.02", "BANQUET_TEST_MARKS": str(marks)}  # 60 decisions or so of every unit
    run = subprocess.Popen([*command, folder], cwd=ROOT, env={**os.environ, **slow}, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: run.poll() is not None or len(list((folder / "units").glob("*.npz"))) >= 4)
        assert run.poll() is None, "it ended before it could be killed"
    finally:
        run.send_signal(signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL
    if Path("/proc/self/stat").exists():
        workers = [int(p.name) for p in marks.iterdir()]
        assert workers
        wait_until(lambda: all(map(gone, workers)))
    kept = {p: p.stat().st_mtime_ns for p in (folder / "units").glob("*.npz")}
    assert 4 <= len(kept) < 30
    assert not (folder / "matches.csv").exists()
    subprocess.run([*command, folder], cwd=ROOT, check=True, capture_output=True)
    assert {p: p.stat().st_mtime_ns for p in kept} == kept
    sessions = [json.loads(line) for line in (folder / "sessions.jsonl").read_text().splitlines()]
    assert sessions[-1]["units"] == 30 - len(kept)
    subprocess.run([*command, tmp_path / "whole"], cwd=ROOT, check=True, capture_output=True)
    assert whole(folder) == whole(tmp_path / "whole")
    assert len(rows(folder / "matches.csv")) == 180


@pytest.mark.long
def test_a_ray_cluster_of_two_nodes_gives_the_same_files(tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    plan = banquet_plan()
    play_tournament(plan, tmp_path / "here", workers=1)
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setenv("BANQUET_TEST_MARKS", str(marks))
    monkeypatch.setenv("BANQUET_TEST_DELAY", "0.01")
    node = {"num_cpus": 1, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(**node)
        play_tournament(plan, tmp_path / "ray", ray=cluster.address)
        assert not ray.is_initialized()
        ran = {p.name for p in marks.iterdir()}
        assert {n.node_id for n in cluster.list_all_nodes()} <= ran
        assert str(os.getpid()) not in ran
        assert whole(tmp_path / "ray") == whole(tmp_path / "here")
        with pytest.raises(IllegalActionError, match="agent illegal"):
            play_tournament(banquet_plan(names=["random", f"{HERE}:illegal"]), tmp_path / "bad", ray=cluster.address)
    finally:
        cluster.shutdown()


@pytest.mark.long
def test_a_local_ray_cluster_is_started_where_there_is_none(tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    plan = banquet_plan(games=6)
    play_tournament(plan, tmp_path / "here", workers=1)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    play_tournament(plan, tmp_path / "ray", workers=1, ray="auto")
    assert not ray.is_initialized()
    assert whole(tmp_path / "ray") == whole(tmp_path / "here")
    with pytest.raises(OptionError, match=r"ray: no cluster at '127.0.0.1:1'"):
        play_tournament(banquet_plan(seed=8), tmp_path / "no", ray="127.0.0.1:1")


# ---------------------------------------------------------------- the command


def banquet(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def test_the_command_plays_prints_and_goes_on(registered, tmp_path):
    words = ("tournament", registered, "--agents", f"random,{ONE}", "-a", THREE, "-g", 20, "--workers", 1)
    done = banquet(*words, "--out", tmp_path / "t", "-o", "pile=5")
    assert done.exit_code == 0, done.output
    assert "60 games in 30 units, seed 0" in done.stdout
    assert f"| % of the win | `random` | `{ONE}` | `{THREE}` |" in done.stdout
    page = (tmp_path / "t" / "README.md").read_text()
    for part in (
        "The Last Crumb, 2 players",
        "rules v0",
        "pile=5",
        "60 = 10 deals x 6 seat assignments",
        "openskill 6",
    ):
        assert part in page
    assert (tmp_path / "t" / "heatmap.png").read_bytes().startswith(b"\x89PNG")
    again = banquet("tournament", "--resume", tmp_path / "t", "--workers", 1, "--allow-imports")
    assert again.exit_code == 0, again.output
    assert again.stdout == done.stdout
    command = page.split("```sh\n")[1].split("\n```")[0].split()
    assert command[0] == "banquet"
    repeat = banquet(*command[1:], "--out", tmp_path / "t")  # the page's own command is the same tournament
    assert repeat.exit_code == 0, repeat.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name a GAME, or a tournament with --resume"),
        ((GAME, "--resume", "x"), "name a GAME, or a tournament with --resume"),
        (("--resume", "x", "--seed", 0, "--agents", "a"), "--agents, --seed: a resumed tournament keeps"),
        (("--resume", "/nowhere"), "/nowhere: no tournament there"),
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


def test_the_folder_knows_its_units(registered, tmp_path):
    plan = toy()
    folder = TournamentFolder(tmp_path / "t")
    unit = plan.units()[0]
    with folder.opened(plan):
        assert folder.unit(plan, unit) is None
        folder.keep(unit, play_unit(plan.text(), unit))
        assert folder.unit(plan, unit).points.shape == (unit.stop - unit.first, 2, 2)
        with pytest.raises(OptionError, match="another process is playing"), folder.opened(plan):
            pass
