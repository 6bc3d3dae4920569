"""The benchmark: suite, scores, what results name, pages."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from banquet_agents.arena.benchmark import Request, run_benchmark
from banquet_agents.arena.benchmark_pages import load_results, page, reference_table, task_list
from banquet_agents.arena.deals import play_deals
from banquet_agents.arena.evaluate import strength
from banquet_agents.arena.playing import Venue
from banquet_agents.arena.statistics import (
    Estimate,
    Sample,
    mean_score,
    normalised,
    relative_points,
    score,
    side_by_side,
)
from banquet_agents.arena.suite import SUITE, load_suite, task_seed, with_seed
from banquet_agents.registry import agent_names
from banquet_envs import game_spec
from banquet_envs.core.errors import IllegalActionError, OptionError
from banquet_training.cli import app
from tests.shipped import SHIPPED
from tests.training.toy import Takes, crumbs, registered

__all__ = ["registered"]
ONE, THREE = (f"{__name__}:{name}" for name in ("one", "three"))


def one(game):
    return Takes(1)


def three(game):
    return Takes(3)


def only_two(game):
    if game.num_players != 2:
        raise OptionError(f"only for 2 players, found {game.num_players}")
    return Takes(1)


def wrong(game):
    return lambda observation, agent: 0


TOY = f"""
name = "toy"
version = "1"
seed = 5
games = 60
opponents = ["random", "{THREE}"]
[[task]]
name = "two"
game = "crumbs"
players = 2
[[task]]
name = "three"
game = "crumbs"
players = 3
options = {{ pile = 7 }}
[[task]]
name = "alone"
game = "crumbs"
players = 1
"""


@pytest.fixture
def toy(registered, tmp_path):
    file = tmp_path / "toy.toml"
    file.write_text(TOY)
    return load_suite(file)


def run(suite, folder, agent=ONE, command="", **more):
    return run_benchmark(Request(agent, suite, **more), Venue(folder, command=command))


# ---------------------------------------------------------------- the shipped suite


def test_the_shipped_suite_covers_every_game_at_few_and_many_players():
    suite = load_suite()
    assert 20 <= len(suite.tasks) <= 30
    for game in SHIPPED:
        spec = game_spec(game)
        counts = {t.players for t in suite.tasks if t.game == game}
        assert {spec.min_players, spec.max_players} <= counts
        assert set(suite.opponents) <= set(agent_names(game))
        assert any(t.options for t in suite.tasks if t.game == game), f"{game} has no variant"
    for task in suite.tasks:
        assert task.make().num_players == task.players
        assert task.name.startswith(f"{task.game}-{'solo' if task.solo else f'{task.players}p'}")


def test_the_shipped_suite_changes_only_with_its_version():
    suite = load_suite()
    assert {suite.version: suite.hash} == {"1": "8073cb75cbbea84d"}, (
        "raise the suite's version, note it in CHANGELOG.md, renew this"
    )


def test_a_tasks_seed_depends_on_its_name_alone():
    assert task_seed(5, "two") == task_seed(5, "two") != task_seed(5, "three")
    assert task_seed(6, "two") != task_seed(5, "two")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('version = "1"', "", "entry 'version' is missing"),
        ('version = "1"', "version = 1", "entry 'version': input should be a valid string; found 1"),
        ("players = 2", "player = 2", "unknown entry 'task.0.player'|'task.0.players' is missing"),
        ('name = "three"', 'name = "two"', "two tasks are named 'two'"),
        ("games = 60", "games = 0", "entry 'games': input should be greater than or equal to 1"),
        ("[[task]]", "[task", "is not a TOML file"),
        ("seed = ", "seed = nan #", "entry 'seed'"),
        ("[[task]]", '[[task]]\noptions = "x"', "entry 'task.0.options'"),
        ("[[task]]", "[[task]]\noptions = {a = 1979-05-27}", "a date"),
    ],
)
def test_suites_with_mistakes_are_refused(tmp_path, old, new, message):
    file = tmp_path / "toy.toml"
    file.write_text(TOY.replace(old, new, 1))
    with pytest.raises(OptionError, match=message):
        load_suite(file)


# ---------------------------------------------------------------- scores


def met(share, repeats=0):
    """Samples of an agent's games: shares of the win in each deal and seat."""
    return Sample(np.size(share), repeats, {"share": np.mean(np.array(share, np.float64), axis=1)})


@pytest.mark.parametrize("players", [2, 3])
def test_the_score_is_the_mean_win_reward(players):
    game = crumbs(players)
    for winners in range(1, game.num_players + 1):
        after = game.reset(1, 1)
        before = after.copy()
        after["over"] = True
        after["place"][0, : game.num_players] = [0] * winners + [winners] * (game.num_players - winners)
        paid = game.rewards(before, after)[0]
        share = np.array([1 / winners] * winners + [0] * (game.num_players - winners))
        assert normalised(share, 1 / game.num_players) / 100 == pytest.approx(paid, abs=1e-6)


def test_a_tasks_score_is_the_mean_over_opponents_deal_by_deal():
    weak, strong = met([[1, 1], [1, 0], [1, 1]]), met([[0, 0], [0, 1], [0, 0]])
    found = score([weak, strong], 0.5)
    assert found.mean == pytest.approx(0.0)  # 83.3 % and 16.7 %
    # on every deal what it lost against one it won against the other: nothing varies, so the opponents' bounds are used
    lows = [100 * (2 * sample.estimate("share").low - 1) for sample in (weak, strong)]
    assert found.low == pytest.approx(np.mean(lows))
    assert found.low < 0 < found.high
    alone = score([weak], 0.5)
    half = 4.302652729749464 * np.std([100, 0, 100], ddof=1) / math.sqrt(3)
    assert alone.low == pytest.approx(200 / 3 - half, abs=0.5)  # the quantile is an approximation
    assert alone.high == 100.0


def test_repeated_deals_give_no_interval():
    assert math.isnan(score([met([[1, 0], [1, 1], [0, 1]]), met([[1, 1], [1, 1]] * 2, repeats=1)][1:], 0.5).low)
    assert math.isnan(met([[1, 0], [1, 1]], repeats=1).estimate("share").high)


def test_alone_the_same_deals_make_a_duel():
    games = play_deals(crumbs(1), [Takes(1)], [[0]], np.arange(3, dtype=np.uint64), 0)
    mine, theirs = (games._replace(points=np.array(points).reshape(3, 1, 1)) for points in ([9, 5, 2], [3, 5, 4]))
    found = side_by_side(mine, theirs)
    assert found.values["share"].tolist() == [1.0, 0.5, 0.0]
    assert found.values["lead"].tolist() == [6, 0, -2]


def test_relative_points():
    rng = np.random.default_rng(1)
    low = rng.normal(10, 2, 400)
    high = low + rng.normal(20, 3, 400)
    assert relative_points(low + 0.3 * (high - low), low, high) == pytest.approx((30, 30, 30))
    noisy = low + 0.3 * (high - low) + rng.normal(0, 4, 400)
    found = relative_points(noisy, low, high)
    ratios = []  # the interval is as wide as resampled deals say
    for _ in range(2000):
        k = rng.integers(400, size=400)
        ratios.append(100 * (noisy - low)[k].mean() / (high - low)[k].mean())
    assert found.high - found.low == pytest.approx(np.ptp(np.quantile(ratios, [0.025, 0.975])), rel=0.1)
    assert math.isnan(relative_points(low, high, high).mean)


def test_mean_of_tasks():
    found = mean_score([Estimate(10, 7, 13), Estimate(20, 16, 24)])
    assert found == pytest.approx((15, 12.5, 17.5))


# ---------------------------------------------------------------- running


def test_results_are_those_of_a_match_on_the_same_deals(toy, tmp_path):
    results = run(toy, tmp_path / "a")
    for found, task in zip(results["tasks"], toy.tasks, strict=True):
        if task.solo:
            continue
        expected = strength(task.make(), ("mine", one(None)), toy.opponents, toy.games, task.seed)
        assert found["seed"] == task.seed
        for row in found["opponents"]:
            mine = [r for r in expected if r["opponent"] == row["opponent"]]
            for key in ("share", "share_low", "share_high", "points", "lead", "lead_low", "opponent_points", "games"):
                assert row[key] == pytest.approx(mine[0][key])
            assert [s["share"] for s in row["seats"]] == pytest.approx([r["share"] for r in mine[1:]])
    assert results["tasks"][2]["opponents"][0]["share"] == 0.5  # alone everybody makes 10 points


def test_deviations_and_provenance_are_told(toy, tmp_path):
    whole = run(toy, tmp_path / "a", command="banquet benchmark ...")
    assert whole["deviations"] == []
    assert whole["protocol"] == {"games": 60, "opponents": ["random", THREE], "seed": 5}
    part = run(toy, tmp_path / "b", tasks=["two"], games=20, opponents=["random"])
    assert part["deviations"] == ["60 games -> 20 games", f"opponents random, {THREE} -> random", "3 tasks -> 1 tasks"]
    other = run(with_seed(toy, 6), tmp_path / "c", tasks=["two"])
    assert other["deviations"] == ["seed 5 -> seed 6", "3 tasks -> 1 tasks"]
    assert other["tasks"][0]["seed"] == task_seed(6, "two")
    text = (tmp_path / "b" / "README.md").read_text()
    assert "Departs from the protocol: 60 games -> 20 games; " in text
    for key in ("rules_version", "components", "code", "seed", "options", "players"):
        assert whole["tasks"][0][key] is not None
    assert list(whole["agent_files"]) == [ONE]
    assert whole["suite"]["version"] == "1"
    told = json.loads((tmp_path / "a" / "results.json").read_text())
    assert told["command"] == "banquet benchmark ..."
    assert page(told) == (tmp_path / "a" / "README.md").read_text()


def test_a_folder_holds_one_agent_on_the_same_deals(toy, tmp_path):
    run(toy, tmp_path / "a", tasks=["two"], games=4)
    run(toy, tmp_path / "a", tasks=["three"], games=4)
    for suite, agent in ((toy, "random"), (with_seed(toy, 6), ONE)):
        with pytest.raises(OptionError, match=r"was begun for something else: (agent|seed) .*, not "):
            run(suite, tmp_path / "a", agent=agent, tasks=["two"], games=4)


def test_tasks_that_an_agent_cannot_play_are_left_out_and_named(toy, tmp_path):
    name = f"{__name__}:only_two"
    results = run(toy, tmp_path / "a", agent=name)
    assert [t["task"] for t in results["tasks"]] == ["two"]
    assert results["not_played"] == {k: f"only for 2 players, found {n}" for k, n in (("three", 3), ("alone", 1))}
    assert "3 tasks -> 1 tasks" in results["deviations"]
    assert "- three: only for 2 players, found 3" in (tmp_path / "a" / "README.md").read_text()
    with pytest.raises(OptionError, match="only for 2 players"):
        run(toy, tmp_path / "b", agent=name, tasks=["three"])
    with pytest.raises(OptionError, match="no agent named 'nobody'"):
        run(toy, tmp_path / "b", agent="nobody")
    assert not (tmp_path / "b").exists()


def test_an_illegal_agent_stops_the_benchmark(toy, tmp_path):
    with pytest.raises(IllegalActionError, match="seat 0 of crumbs may not play 0"):
        run(toy, tmp_path / "a", agent=f"{__name__}:wrong", tasks=["two"])


def test_a_task_alone_has_a_scale_of_points():
    request = Request("greedy", load_suite(), ["great_evening_banquet-solo"], games=8)
    (task,) = run_benchmark(request)["tasks"]
    assert 0 < task["relative_points"] < 100
    weak, itself, strong = (row["share"] for row in task["opponents"])
    assert weak > itself == 0.5 > strong


# ---------------------------------------------------------------- tables, command


def test_results_merge_into_one_table(toy, tmp_path):
    results = [run(toy, tmp_path / "one"), run(toy, tmp_path / "random", agent="random", tasks=["two", "three"])]
    text = reference_table([load_results(tmp_path / "one"), load_results(tmp_path / "random" / "results.json")])
    assert f"| task | `{ONE}` | `random` |" in text
    row = next(line for line in text.splitlines() if line.startswith("| two |"))
    assert all(f"{r['tasks'][0]['score']:.1f} [" in row for r in results)
    assert next(line for line in text.splitlines() if line.startswith("| alone |")).endswith("| - |")
    mean = np.mean([t["score"] for t in results[0]["tasks"][:2]])
    assert f"| **mean of 2 tasks** | **{mean:.1f} [" in text
    with pytest.raises(OptionError, match="two results are of agent 'random' in task 'two'"):
        reference_table([results[1], results[1]])
    other = {**results[1], "suite": {**results[1]["suite"], "version": "2"}}
    with pytest.raises(OptionError, match="different suites"):
        reference_table([results[0], other])
    with pytest.raises(OptionError, match="no benchmark results"):
        load_results(tmp_path)


def test_results_of_one_agent_share_a_column(toy, tmp_path):
    parts = [run(toy, tmp_path / name, agent="random", tasks=[name]) for name in ("two", "three")]
    whole = run(toy, tmp_path / "both", agent="random", tasks=["two", "three"])
    tables = [reference_table(found).split("## Where")[0] for found in (parts, [whole])]
    assert tables[0] == tables[1]
    assert "| task | `random` |" in tables[0]


def test_a_score_needs_all_opponents(toy, tmp_path):
    met = whole, part = (
        run(toy, tmp_path / "one", tasks=["two"]),
        run(toy, tmp_path / "random", agent="random", tasks=["two"], opponents=["random"]),
    )
    scores, first, *_ = reference_table(met).split("\n## ")[1:]
    assert "`random`" not in scores
    share = part["tasks"][0]["opponents"][0]["share"]
    assert first.startswith("Win share % against `random`")
    assert f"{100 * share:.1f} [" in next(line for line in first.splitlines() if line.startswith("| two |"))
    assert len(whole["tasks"][0]["opponents"]) > 1


def banquet(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def test_the_command(toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("benchmark", "--suite", "toy.toml", "--task", "two", "-g", 8, "-w", 1)
    done = banquet(*words, "--agent", "random", "--out", "r")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "r" / "README.md").read_text().strip() in done.stdout
    done = banquet(*words, "--agent", ONE)
    assert done.exit_code == 0, done.output
    folders = [str(p.parent) for p in sorted((tmp_path / "runs").glob("*/results.json"))]
    assert len(folders) == 1
    done = banquet("benchmark", "--table", "r", *folders)
    assert done.exit_code == 0, done.output
    assert f"| task | `random` | `{ONE}` |" in done.stdout
    assert (
        "| great_evening_banquet-solo-expert | great_evening_banquet | 1 | expert=true |"
        in banquet("benchmark", "--list").stdout
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give --agent NAME, or --table FOLDER..., or --list"),
        (("--table",), "give --agent NAME"),
        (("--agent", "random", "--list"), "give --agent NAME"),
        (("--agent", "random", "--task", "great_evening_banquet-2"), "did you mean 'great_evening_banquet-2p'?"),
        (("--agent", "random", "--suite", "nothing.toml"), "nothing.toml: cannot be read"),
        (("--table", "nowhere"), "no benchmark results there"),
    ],
)
def test_mistakes_end_in_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = banquet("benchmark", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_the_docs_list_the_tasks():
    text = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text()
    listed = text.split("<!-- tasks -->")[1].split("<!-- /tasks -->")[0].strip()
    assert listed == task_list(load_suite())
    assert f"{load_suite().games} games against each opponent" in text


def test_the_shipped_file_is_package_data():
    assert SUITE.name == "suite.toml"
    assert SUITE.is_file()
