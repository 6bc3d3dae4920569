"""Measures of games on games that can be counted by hand, and the exploiting learner."""

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from banquet_agents.arena.measures import SelfPlay, markdown, measure
from banquet_agents.arena.measures import self_play as contests_of
from banquet_agents.arena.playing import HERE, Venue, played
from banquet_agents.arena.statistics import deal_share
from banquet_agents.registry import make_agent
from banquet_envs.core.errors import OptionError
from banquet_training.cli import app
from tests.training.toy import Takes, crumbs, registered

__all__ = ["registered"]
ONE, THREE = (f"{__name__}:{name}" for name in ("one", "three"))


def one(game):
    return Takes(1)


def three(game):
    return Takes(3)


def self_play(game, name, deals, repeats, seed=0):
    with played(contests_of(game, name, deals, repeats, seed), HERE, {}) as (found, _):
        return SelfPlay.of(found)


def test_a_game_counted_by_hand():
    # seven crumbs, one at a time: 3 legal actions at 7, 6, 5, 4, 3 crumbs, 2 at two, 1 at the last one
    played = self_play(crumbs(pile=7), ONE, deals=5, repeats=3)
    assert played.length.tolist() == [[7, 7, 7]] * 5
    assert played.legal.tolist() == [0, 15, 15, 75, 0]
    assert (played.share == [1, 0]).all()  # seat 0 takes the first, third, ..., seventh
    assert (played.points == [10, 0]).all()
    row = measure(crumbs(pile=7), 15, 3, agents=[ONE, THREE])["self_play"][0]
    assert (row["decisions"], row["decisions_5"], row["decisions_95"]) == (7, 7, 7)
    assert row["legal_mean"] == pytest.approx(18 / 7)
    assert (row["legal_5"], row["legal"], row["legal_95"]) == (1, 3, 3)
    assert row["forced"] == pytest.approx(1 / 7)
    assert [s["share"] for s in row["seats"]] == [1, 0]
    assert math.isnan(row["deal_of_win"])  # nothing varies


def test_games_that_a_guard_ends_are_counted():
    played = self_play(crumbs(pile=7, endless=True), f"{__name__}:passes", deals=2, repeats=2)
    assert played.capped == 4
    assert (played.share == 0.5).all()


def passes(game):
    return Takes(0)


def test_repeats_differ_in_the_agents_chance_only():
    game = crumbs()
    deals = self_play(game, "random", deals=300, repeats=4, seed=2)
    assert (deals.share[:, 0] != deals.share[:, 1]).any()
    fixed = self_play(game, ONE, deals=300, repeats=4, seed=2)
    assert (fixed.share == fixed.share[:, :1]).all()
    # without chance of the agents the pile, which the deal fixes, decides everything
    assert deal_share(fixed.share[:, :, 0]) == pytest.approx((1, 1, 1))
    assert 0.0 < deal_share(deals.share[:, :, 0]).mean < 0.9


@pytest.mark.parametrize("true", [0.0, 0.3, 0.8])
def test_the_deals_share_of_variance_is_found_without_bias(true):
    rng = np.random.default_rng(3)
    found, plain, covered = [], [], 0
    for k in range(60):
        deals = rng.normal(0, math.sqrt(true), (120, 1))
        values = deals + rng.normal(0, math.sqrt(1 - true), (120, 4))
        estimate = deal_share(values, k)
        found.append(estimate.mean)
        covered += estimate.low <= true <= estimate.high
        plain.append(values.mean(axis=1).var() / values.var())
    assert np.mean(found) == pytest.approx(true, abs=0.03)
    assert covered >= 50
    assert np.mean(plain) > true + 0.03  # what the correction is for


def test_too_little_to_tell():
    for values in (np.ones((5, 3)), np.ones((1, 3)), np.arange(5.0)[:, None]):
        assert math.isnan(deal_share(values).mean)


def test_skill_is_the_strongest_against_the_others():
    found = measure(crumbs(pile=2), 40, 2, agents=["random", ONE, THREE])
    assert [(r["agent"], r["opponent"]) for r in found["skill"]] == [(THREE, "random"), (THREE, ONE)]
    assert found["skill"][1]["share"] == 1.0  # takes both, or the last one
    assert 0.5 < found["skill"][0]["share"] < 1.0
    calls = []
    measure(crumbs(pile=2), 4, 2, 0, ["random", ONE], Venue(progress=lambda done, total: calls.append((done, total))))
    assert calls[0] == (0, 12)
    assert calls[-1] == (12, 12)


def test_alone_there_are_neither_seats_nor_shares():
    text = markdown(measure(crumbs(1), 20, 2, agents=["random", ONE]), "The Last Crumb")
    assert "played alone" in text
    assert "## Seats" not in text
    assert "win share" not in text


def banquet(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


def test_measure_command(registered, tmp_path):
    words = ("measure", registered, "-o", "pile=7", "-g", 20, "--agent", "random", "--agent", ONE)
    done = banquet(*words, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert f"| {ONE} | 7 (7-7) | 7.0 | 3 (1-3) | 2.6 | 14.3 | 0 |" in done.stdout
    assert "| random | " in (tmp_path / "README.md").read_text()
    told = json.loads((tmp_path / "results.json").read_text())
    assert told["self_play"][1]["deal_of_win"] is None
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 3
    assert banquet("measure", registered, "--repeats", 1).exit_code == 2


# ---------------------------------------------------------------- exploiting

SMALL = [w for s in ("run.games=32", "run.evaluations=3", "run.evaluation_games=40", "ppo.n_steps=16", "ppo.batch_size=128",
                     "network.shared=[32]") for w in ("--set", s)]  # fmt: skip


def test_a_learner_finds_the_hole(registered, tmp_path):
    # with two crumbs whoever begins can take both, and "one" never does: the best response wins every game
    words = (
        "exploit",
        registered,
        ONE,
        "-o",
        "pile=2",
        "-m",
        10,
        "--steps",
        8192,
        "-t",
        1,
        "-g",
        40,
        "--seed",
        1,
        *SMALL,
    )
    done = banquet(*words, "--run", tmp_path / "x")
    assert done.exit_code == 0, done.output
    told = json.loads((tmp_path / "x" / "exploit.json").read_text())
    assert told["agent"] == ONE
    assert told["fair_share"] == 0.5
    assert told["results"][0]["share"] == 1.0
    assert (told["gain"], told["score"]) == (0.5, 100.0)
    assert 0.3 < told["gain_low"] < told["gain"]
    assert told["settings"]["pool"] == {"newest": 0.0, "frozen": 0.0, "keep": 0, "scripted": {ONE: 1.0}}
    assert 8192 <= told["decisions"] < 8192 + 512  # whole collections
    curve = told["curve"]
    assert [r["step"] for r in curve] == sorted(r["step"] for r in curve)
    assert curve[0]["step"] == 0 < curve[-1]["step"]
    assert {r["opponent"] for r in curve} == {ONE}
    assert len({r["seed"] for r in curve} | {told["deals_seed"]}) == len(curve) + 1  # all on deals of their own
    assert "a lower bound of the agent's best-response gap" in done.stdout
    assert "100.0 [" in done.stdout
    assert (tmp_path / "x" / "curve.png").stat().st_size > 1000
    player = make_agent(crumbs(pile=2), f"policy:{tmp_path / 'x' / 'policy'}")
    assert player.card["exploits"] == ONE
    again = banquet(*words, "--run", tmp_path / "y")
    assert again.exit_code == 0
    other = json.loads((tmp_path / "y" / "exploit.json").read_text())
    assert [r["share"] for r in other["curve"]] == [r["share"] for r in curve]
    assert banquet(*words, "--run", tmp_path / "x").exit_code == 2  # in use


def test_time_ends_it(registered, tmp_path):
    done = banquet("exploit", registered, "random", "-m", 0.02, "-t", 1, "-g", 8, "--run", tmp_path / "x", *SMALL)
    assert done.exit_code == 0, done.output
    told = json.loads((tmp_path / "x" / "exploit.json").read_text())
    assert told["decisions"] > 0
    assert len(told["curve"]) >= 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("crumbs", "random", "-p", 1), "there is nobody to exploit"),
        (("crumbs", "nobody"), "no agent named 'nobody'"),
        (("crumbs", "random", "-m", 0), "Invalid value for '--minutes'"),
    ],
)
def test_mistakes(registered, tmp_path, words, message):
    done = banquet("exploit", *words, "--run", tmp_path / "x")
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (tmp_path / "x").exists()


def test_nothing_to_exploit_without_time(registered, tmp_path):
    from banquet_training.exploit import exploit
    from banquet_training.settings import load_settings

    with pytest.raises(OptionError, match=r"minutes=0\.0 is not allowed"):
        exploit(registered, "random", load_settings(registered), tmp_path / "x")
