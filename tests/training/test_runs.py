"""Whole runs on the toy game: what they write, that they resume, and that they learn with the right sign."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from banquet_agents.arena.matches import play_match
from banquet_agents.policy import PolicyAgent, load_policy
from banquet_envs import make_game
from banquet_envs.core.errors import DivergedError, OptionError, SaveError
from banquet_training.advantages import advantages
from banquet_training.curves import read_curve
from banquet_training.profile import Profile
from banquet_training.runs import RunFolder
from banquet_training.settings import Settings, load_settings, overlaid, setting
from banquet_training.trainer import Trainer, resume, train
from tests.training.toy import crumbs, registered

__all__ = ["registered"]


BOTH = pytest.mark.parametrize("learner", ["selfplay", "sb3"])


def settings(**changes) -> Settings:
    small = {
        "game": {"players": 2},
        "run": {"learner": changes.pop("learner", "selfplay"), "steps": 2048, "games": 32, "freezes": 4, "evaluations": 2, "evaluation_games": 20,
                "final_games": 40},
        "network": {"shared": [16]},
        "ppo": {"n_steps": 16, "batch_size": 256, "n_epochs": 2},
        "pool": {"scripted": {"random": 0.5}},
    }  # fmt: skip
    for name, table in changes.items():
        small[name] = {**small.get(name, {}), **table}
    return overlaid(Settings(), small, "test")


@BOTH
def test_a_run_writes_its_folder(registered, tmp_path, learner):
    events, told = [], settings(learner=learner)
    outcome = train(registered, told, tmp_path / "run", seed=3, threads=1, report=lambda e, f: events.append(e))
    folder = outcome.folder
    assert outcome.finished
    assert 2048 <= outcome.steps < 2048 + 600  # a collection more at most
    assert {"start", "step", "evaluation", "end"} <= set(events)
    for name in ("config.toml", "run.json", "curve.csv", "curve.png", "strength.csv", "strength.md", "profile.md",
                 "profile.json", "best/policy.safetensors", "last/policy.json", "checkpoint.json"):  # fmt: skip
        assert (folder / name).stat().st_size > 0, name
    assert list((folder / "tensorboard").glob("events.*"))
    about = json.loads((folder / "run.json").read_text())
    assert about["seed"] == 3
    assert about["threads"]["torch"] == 1
    assert {"torch", "numpy", "sb3_contrib", "banquet_envs"} <= set(about["versions"])
    assert about["precision"]["used"] == "float32"
    assert RunFolder(folder).settings() == told
    rows = list(csv.DictReader((folder / "strength.csv").open()))
    assert [(r["opponent"], r["seat"]) for r in rows] == [("random", "all"), ("random", "0"), ("random", "1")]
    assert int(rows[0]["games"]) == 40
    curve = read_curve(folder / "curve.csv", outcome.steps)
    assert [r["step"] // 1024 for r in curve] == [0, 1, 2]
    assert curve[-1]["step"] == outcome.steps
    assert curve[0]["cpu_seconds"] < curve[-1]["cpu_seconds"] <= outcome.cpu_seconds + 0.1  # rounded
    assert len(list((folder / "frozen").iterdir())) == 4
    assert {"network: learning", "rules, masks, observations", "evaluation"} <= set(outcome.profile.seconds)
    assert "| random | all | 40 |" in (folder / "strength.md").read_text()
    policy = load_policy(make_game(registered, 2), str(folder))
    assert policy.card["seed"] == 3
    assert (folder / "sb3_model.zip").exists() is (learner == "sb3")
    if learner == "selfplay":
        return
    model = MaskablePPO.load(folder / "sb3_model.zip", device="cpu")  # for those who go on in SB3
    last = load_policy(make_game(registered, 2), str(folder / "last"))
    states = crumbs().reset(200, seed=1)
    theirs, _ = model.predict(crumbs().observe(states), action_masks=crumbs().legal_actions(states), deterministic=True)
    assert (theirs == last.act(states)).mean() > 0.99


@BOTH
def test_a_run_resumes_where_it_was(registered, tmp_path, learner):
    told = settings(learner=learner)
    first = train(registered, told, tmp_path / "run", seed=3, threads=1)
    run = RunFolder(tmp_path / "run")
    parameters, counters = run.load_checkpoint()
    with pytest.raises(OptionError, match=f"has taken {first.steps:,} of 2,048 steps"):
        resume(run.path)

    trainer = Trainer(crumbs(), told, 3, 1, False, None)
    name = next(k for k in parameters if not k.endswith("optimizer"))
    fresh = {k: v.clone() for k, v in trainer.learner.parameters()[name].items()}
    trainer.restore(run, parameters, counters, 1)
    held = trainer.learner.parameters()
    for key, tensor in parameters[name].items():
        assert torch.equal(held[name][key], tensor)
    assert any(not torch.equal(fresh[key], tensor) for key, tensor in held[name].items())
    moments = [s["exp_avg"] for s in held[f"{name}.optimizer"]["state"].values()]
    theirs = [s["exp_avg"] for s in parameters[f"{name}.optimizer"]["state"].values()]
    assert len(moments) == 6
    assert all(torch.equal(a, b) for a, b in zip(moments, theirs, strict=True))
    assert [h.name for h in trainer.pool.frozen] == list(counters["frozen"])
    assert trainer.learner.steps == first.steps

    outcome = resume(run.path, steps=3072, threads=1)
    assert 3072 <= outcome.steps < 3072 + 600
    steps = [r["step"] for r in read_curve(run / "curve.csv", 10**9)]
    assert steps[2] == first.steps
    assert steps[-1] == outcome.steps
    assert json.loads((run / "run.json").read_text())["resumed"] == 1
    after, _ = run.load_checkpoint()
    assert any(not torch.equal(after[name][key], tensor) for key, tensor in parameters[name].items())


@BOTH
def test_an_interrupted_run_is_kept_and_goes_on(registered, tmp_path, learner):
    def interrupt(event, facts):
        if event == "step" and facts["steps"] >= 1024:
            raise KeyboardInterrupt

    outcome = train(registered, settings(learner=learner), tmp_path / "run", threads=1, report=interrupt)
    assert not outcome.finished
    assert 1024 <= outcome.steps < 2048
    assert (tmp_path / "run" / "strength.md").exists()
    assert resume(tmp_path / "run", threads=1).finished


@BOTH
def test_a_time_limit_ends_a_run_early(registered, tmp_path, learner):
    told = settings(learner=learner, run={"steps": 10**9, "minutes": 0.1})
    outcome = train(registered, told, tmp_path / "run", threads=1)
    assert not outcome.finished
    assert 0 < outcome.steps < 10**6


def test_a_network_that_diverges_ends_the_run_and_leaves_its_checkpoint(registered, tmp_path, monkeypatch):
    def judged(*args):
        found = advantages(*args)
        if len(list((tmp_path / "run").glob("checkpoint-1*"))):
            found[:] = np.nan
        return found

    monkeypatch.setattr("banquet_training.selfplay_ppo.advantages", judged)
    with pytest.raises(DivergedError, match=r"diverged.*lower the learning rate"):
        train(registered, settings(), tmp_path / "run", threads=1)
    parameters, counters = RunFolder(tmp_path / "run").load_checkpoint()
    assert 1024 <= counters["steps"] < 2048
    assert all(torch.isfinite(w).all() for w in parameters["network"].values())
    load_policy(crumbs(), str(tmp_path / "run"))


def test_the_processors_time_that_was_given_ends_a_run_as_planned(registered, tmp_path):
    told = settings(run={"steps": 10**9, "cpu_minutes": 0.02})
    outcome = train(registered, told, tmp_path / "run", threads=1)
    assert outcome.finished
    assert 0 < outcome.steps < 10**6
    assert 1.2 <= outcome.cpu_seconds < 20


def test_a_folder_in_use_or_without_a_run_is_refused(registered, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OptionError, match="is in use"):
        train(registered, settings(), tmp_path)
    assert [f.name for f in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(OptionError, match="no training run there"):
        resume(tmp_path)


def test_a_damaged_checkpoint_is_refused(registered, tmp_path):
    train(registered, settings(run={"steps": 512}), tmp_path / "run", threads=1)
    weights = next((tmp_path / "run").glob("checkpoint-*.safetensors"))
    weights.write_bytes(weights.read_bytes()[:50])
    with pytest.raises(SaveError, match="the checkpoint cannot be read"):
        resume(tmp_path / "run", steps=1024)


@BOTH
def test_the_same_seed_trains_the_same_agent(registered, tmp_path, learner):
    made = []
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        told = settings(learner=learner, run={"steps": 1024})
        train(registered, told, tmp_path / name, seed=seed, threads=1)
        made.append((tmp_path / name / "last" / "policy.safetensors").read_bytes())
    assert made[0] == made[1]
    assert made[0] != made[2]


def test_solo_runs_too(registered, tmp_path):
    outcome = train(registered, settings(game={"players": 1, "reward": "points"}), tmp_path / "run", threads=1)
    assert [r["seat"] for r in outcome.strength] == ["all"]
    assert outcome.strength[0]["points"] == 10.0


@pytest.mark.parametrize(("learner", "reward"), [("selfplay", "win"), ("selfplay", "points"), ("sb3", "win")])
def test_the_sign_on_a_forced_win(registered, tmp_path, learner, reward):
    """1 to 3 crumbs are a win for whoever is to move, 4 a loss: in both seats, in actions and in values.

    The self-play learner is not asked to take the last crumb, and so has no opinion on it.
    """
    told = settings(
        learner=learner,
        game={"reward": reward},
        run={"steps": 40_000, "games": 64, "evaluations": 1, "freezes": 1},
        network={"shared": [32]},
        ppo={"n_steps": 32, "batch_size": 512, "n_epochs": 4, "learning_rate": 5e-3, "learning_rate_end": 1e-3},
        pool={"newest": 0.7, "frozen": 0.0, "scripted": {"random": 0.3}},
    )
    outcome = train(registered, told, tmp_path / "run", seed=1, threads=1)
    agent = load_policy(crumbs(), str(outcome.folder / "last"))
    for seat in (0, 1):
        values = {}
        for pile in (1, 2, 3, 4):
            states = crumbs(pile=pile).reset(1, seed=7)
            states["player"] = seat
            values[pile] = float(agent.network.values(crumbs().observe(states))[0])
            if pile < 4:
                assert agent.act(states)[0] == pile, f"seat {seat} does not take the last of {pile}"
        lost = 0.0 if reward == "points" else -1.0
        decided = (1, 2, 3) if learner == "sb3" else (2, 3)
        for pile in decided:
            assert values[pile] == pytest.approx(1.0, abs=0.3)
        assert values[4] == pytest.approx(lost, abs=0.5)
        assert values[4] < min(values[k] for k in decided) - 0.5
    match = play_match(crumbs(), [("trained", agent), "random"], 1000)
    for seat in (0, 1):
        assert match.estimate("share", 0, seat).mean > {0: 0.85, 1: 0.6}[seat]  # random itself: 0.56 and 0.44


def test_profile_sections_keep_only_their_own_time(monkeypatch):
    clock = iter([0.0, 1.0, 4.0, 9.0])  # outer begins, inner begins, inner ends, outer ends
    monkeypatch.setattr("banquet_training.profile.time.perf_counter", lambda: next(clock))
    profile = Profile()
    with profile.section("outer"), profile.section("inner"):
        pass
    assert profile.seconds == {"inner": 3.0, "outer": 6.0}
    assert profile.table() == [("outer", 6.0, 2 / 3), ("inner", 3.0, 1 / 3)]


def test_settings_are_laid_over_each_other(tmp_path):
    plain = load_settings("great_evening_banquet")
    demo = load_settings("great_evening_banquet", demo=True)
    assert demo.run.steps < plain.run.steps
    assert demo.ppo.gae_lambda == plain.ppo.gae_lambda
    assert demo.imitation.first
    assert demo.imitation.decisions < plain.imitation.decisions
    assert not demo.run.minutes
    assert not demo.run.cpu_minutes
    assert load_settings("no_file_of_its_own").network.shared == (256, 256)
    own = tmp_path / "own.toml"
    own.write_text("[ppo]\nn_epochs = 7\n[pool.scripted]\nrandom = 1\n")
    mine = load_settings("great_evening_banquet", file=own)
    assert mine.ppo.n_epochs == 7
    assert mine.pool.scripted == {"random": 1}


def test_a_single_setting_leaves_its_neighbours():
    plain = load_settings("great_evening_banquet")
    mine = overlaid(plain, setting("pool.scripted.random=0.7"), "--set", merge=True)
    assert mine.pool.scripted == {**plain.pool.scripted, "random": 0.7}
    assert setting("ppo.n_epochs=4") == {"ppo": {"n_epochs": 4}}
    assert setting("game.reward=win") == {"game": {"reward": "win"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ppo]\nepochs = 3", "ppo: unknown entry 'epochs'"),
        ("[ppo]\nn_epochs = 2.5", "entry 'n_epochs': expected int, found 2.5"),
        ("ppo = 3", "entry 'ppo': expected a table"),
        ("[network]\nshared = [1.5]", "expected a list of whole numbers"),
        ("[ppo", "is not a TOML file"),
    ],
)
def test_wrong_settings_are_named(tmp_path, text, message):
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(OptionError, match=message):
        load_settings("great_evening_banquet", file=own)


def test_impossible_settings_are_refused_before_anything_is_written(registered, tmp_path):
    for table, entry in (("run", {"games": 0}), ("network", {"activation": "cube"}), ("run", {"learner": "tabular"})):
        with pytest.raises(OptionError):
            train(registered, settings(**{table: entry}), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_every_shipped_file_of_settings_reads():
    import banquet_training.settings as source

    for file in sorted(Path(source.CONFIGS).glob("*.toml")):
        for demo in (False, True):
            load_settings(file.stem, demo)


@pytest.mark.long
def test_minutes_of_self_play_beat_random_by_a_margin(tmp_path):
    told = overlaid(
        load_settings("great_evening_banquet"),
        {
            "run": {"steps": 200_000, "evaluations": 1, "final_games": 400},
            "imitation": {"first": False},
            "pool": {"newest": 0.5, "scripted": {"random": 0.5}},
        },
        "test",
    )
    outcome = train("great_evening_banquet", told, tmp_path / "run", seed=1)
    row = outcome.strength[0]
    assert row["opponent"] == "random"
    assert row["share_low"] > 0.7
    agent = load_policy(make_game("great_evening_banquet", 2), str(tmp_path / "run"))
    assert isinstance(agent, PolicyAgent)
    assert np.isfinite(agent.network.weights["logits.weight"]).all()
