"""Training runs that are killed, torn, misled and diverging: nothing is lost, nothing goes on silently."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from banquet_agents.files import DRAFT
from banquet_agents.policy import CARD, WEIGHTS, load_policy
from banquet_envs import BanquetError, DivergedError, OptionError, SaveError
from banquet_training.conductor import RunConductor, undisturbed
from banquet_training.curves import read_curve
from banquet_training.runs import RunFolder
from banquet_training.settings import Settings, checked, overlaid, setting
from banquet_training.trainer import Trainer, imitate, resume, train
from tests.training.test_runs import settings
from tests.training.toy import crumbs, registered

__all__ = ["registered"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def one_torch_thread():
    torch.set_num_threads(1)


def curve_of(folder):
    return [row["step"] for row in read_curve(folder / "curve.csv", 10**9) if row["opponent"] == "random"]


# ---------------------------------------------------------------- kills

POINTS = [1, 22]
"""Times of forcing something to the disk at which the run is killed: an odd one before a file gets its name, an even one after."""


def run_apart(folder, *words):
    """Train in a process that ends itself; how it ended."""
    command = [sys.executable, "-m", "tests.reliability.killed_run", str(folder), *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stderr


def goes_on_after_a_kill(registered, folder, point):
    code, told = run_apart(folder, point)
    assert code in (-signal.SIGKILL, 0), told
    kept = RunFolder(folder)
    if not (folder / "run.json").exists():  # killed before it was written down what to train: the same command begins
        outcome = train(registered, settings(), folder, seed=3, threads=1)
    elif kept.unbegun() or kept.load_checkpoint()[1]["steps"] < 2048:
        outcome = resume(folder, threads=1)
    else:
        return code  # complete, or killed while it was summed up
    assert outcome.finished
    steps = curve_of(folder)
    assert steps == sorted(set(steps)), "the curve goes backwards"
    assert steps[-1] >= 2048
    load_policy(crumbs(), str(folder))
    return code


@pytest.mark.parametrize("point", POINTS)
def test_a_run_that_was_killed_goes_on(registered, tmp_path, point):
    assert goes_on_after_a_kill(registered, tmp_path / "run", point) == -signal.SIGKILL


@pytest.mark.long
@pytest.mark.parametrize("point", [p for p in range(1, 70) if p not in POINTS])
def test_a_run_that_was_killed_anywhere_goes_on(registered, tmp_path, point):
    goes_on_after_a_kill(registered, tmp_path / "run", point)


def test_a_run_killed_before_its_first_checkpoint_may_be_begun_again(registered, tmp_path):
    folder = RunFolder(tmp_path / "run")
    about = {"game": "crumbs", "seed": 3, "resumed": 0, "identity": json.loads(json.dumps(crumbs().identity()))}
    folder.create(settings(), about)
    assert folder.unbegun()
    assert train(registered, settings(), folder.path, seed=3, threads=1).finished
    with pytest.raises(OptionError, match="is in use"):
        train(registered, settings(), folder.path, seed=3, threads=1)


# ---------------------------------------------------------------- signals


def test_an_interrupt_saves_first(registered, tmp_path):
    """A second interrupt, in the midst of the evaluation that follows the first, loses nothing."""
    seen = []

    def report(event, facts):
        seen.append(event)
        if event == "step" and facts["steps"] >= 512:
            raise KeyboardInterrupt
        if event == "evaluation" and facts["steps"] >= 512:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(registered, settings(run={"evaluations": 1}), tmp_path / "run", seed=3, threads=1, report=report)
    _, counters = RunFolder(tmp_path / "run").load_checkpoint()
    assert counters["steps"] >= 512
    assert resume(tmp_path / "run", threads=1).finished
    steps = curve_of(tmp_path / "run")
    assert steps == sorted(set(steps))


def test_signals_wait_whichever_thread_they_reach():
    """With threads beside it, the mask of the one that works would not hold them off."""
    done, free = [], threading.Event()
    beside = threading.Thread(target=free.wait)

    def work():
        with undisturbed():
            signal.pthread_kill(beside.ident, signal.SIGINT)
            time.sleep(0.05)
            done.append(True)

    beside.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        free.set()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_run_in_order(tmp_path, word):
    """SIGTERM is what schedulers send; the command takes it for Ctrl-C."""
    folder = tmp_path / "run"
    assert run_apart(folder, int(word), "signal")[0] == 0
    _, counters = RunFolder(folder).load_checkpoint()
    assert counters["steps"] > 0
    assert (folder / "strength.md").is_file()


# ---------------------------------------------------------------- torn files

SIDE = [
    "curve.csv",
    "curve.png",
    "profile.json",
    f"best/{CARD}",
    f"best/{WEIGHTS}",
    f"last/{CARD}",
    f"last/{WEIGHTS}",
    "frozen",
]
TEARS = {"emptied": lambda b: b"", "halved": lambda b: b[: len(b) // 2], "garbage": lambda b: os.urandom(64)}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of the toy game."""
    from banquet_envs.core import registry
    from tests.training.toy import SPEC

    registry._SPECS["crumbs"] = SPEC
    folder = tmp_path_factory.mktemp("runs") / "run"
    train("crumbs", settings(), folder, seed=3, threads=1)
    yield folder
    del registry._SPECS["crumbs"]


def copy_of(folder, tmp_path):
    import shutil

    shutil.copytree(folder, tmp_path / "run")
    return tmp_path / "run"


def torn():
    """Every file with every tear; in the default run each file once, the tears in turn."""
    for k, name in enumerate(SIDE):
        for m, tear in enumerate(TEARS):
            yield pytest.param(name, tear, marks=() if m == k % len(TEARS) else pytest.mark.long)


@pytest.mark.parametrize(("name", "tear"), list(torn()))
def test_a_torn_side_file_never_blocks_a_resume(finished, registered, tmp_path, name, tear):
    folder = copy_of(finished, tmp_path)
    for file in (folder / name).rglob("*") if (folder / name).is_dir() else [folder / name]:
        if file.is_file():
            file.write_bytes(TEARS[tear](file.read_bytes()))
    (folder / f"curve.csv{DRAFT}").write_text("half a draft that nobody reads")
    assert resume(folder, steps=4096, threads=1).finished


@pytest.mark.parametrize("name", ["checkpoint.json", "run.json", "config.toml"])
@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "null",
        "{}",
        "7",
        '"x"',
        '{"a": ' * 3000,
        '{"counters": 5}',
        '{"game": 5, "seed": 1}',
        "[run]\nsteps = nan",
        "\x00",
    ],
)
def test_what_a_run_cannot_do_without_is_refused_in_a_line(finished, registered, tmp_path, name, content):
    folder = copy_of(finished, tmp_path)
    (folder / name).write_text(content)
    with pytest.raises(BanquetError) as error:
        resume(folder, steps=4096, threads=1)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda told: told["counters"].update(steps=-1), "steps"),
        (lambda told: told["counters"].update(steps="x"), "steps"),
        (lambda told: told["counters"].update(more=1), "more"),
        (lambda told: told["counters"].update(frozen=["../x"]), "frozen"),
        (lambda told: told.update(weights="../x.safetensors"), "weights"),
        (lambda told: told.update(optimizer=[]), "optimizer"),
        (lambda told: told["optimizer"].update(groups=[{"lr": 1}]), "not of this network"),
    ],
)
def test_a_checkpoint_of_another_kind_is_refused(finished, registered, tmp_path, change, why):
    folder = copy_of(finished, tmp_path)
    told = json.loads((folder / "checkpoint.json").read_text())
    change(told)
    (folder / "checkpoint.json").write_text(json.dumps(told))
    with pytest.raises((SaveError, OptionError), match=why):
        resume(folder, steps=4096, threads=1)


def test_a_run_of_other_components_or_rules_is_refused(finished, registered, tmp_path):
    folder = copy_of(finished, tmp_path)
    told = json.loads((folder / "run.json").read_text())
    told["identity"]["components"] = "another"
    (folder / "run.json").write_text(json.dumps(told))
    with pytest.raises(OptionError, match="begun with components 'another'"):
        resume(folder, steps=4096, threads=1)


@pytest.mark.parametrize(
    "entry", ['[pool.scripted]\n"some.module:agent" = 0.5', '[imitation]\nfirst = true\nteacher = "a.b:c"']
)
def test_a_foreign_folder_imports_nothing_unasked(finished, registered, tmp_path, entry):
    folder = copy_of(finished, tmp_path)
    table = entry.split("\n")[0]
    kept, skip = [], False
    for line in (folder / "config.toml").read_text().splitlines():
        skip = line == table or (skip and not line.startswith("["))
        if not skip:
            kept.append(line)
    (folder / "config.toml").write_text("\n".join(kept) + f"\n{entry}\n")
    with pytest.raises(OptionError, match="--allow-imports"):
        resume(folder, steps=4096, threads=1)
    with pytest.raises(OptionError, match=r"some\.module|a\.b"):  # asked to, it tries
        resume(folder, steps=4096, threads=1, allow_imports=True)


def test_a_foreign_lesson_imports_its_teacher_only_when_asked(registered, tmp_path):
    told = settings(imitation={"teacher": "random", "decisions": 512, "rounds": 2})
    imitate(registered, told, tmp_path / "run", seed=3, threads=1)
    config = tmp_path / "run" / "config.toml"
    config.write_text(config.read_text().replace('teacher = "random"', 'teacher = "some.module:teacher"'))
    with pytest.raises(OptionError, match="--allow-imports"):
        resume(tmp_path / "run", steps=4096, threads=1)
    with pytest.raises(OptionError, match=r"some\.module"):
        resume(tmp_path / "run", steps=4096, threads=1, allow_imports=True)


def test_weights_that_an_update_has_spoilt_are_noticed_whoever_learns(registered, tmp_path):
    for learner in ("selfplay", "sb3"):
        told = settings(learner=learner)
        folder = RunFolder(tmp_path / learner)
        folder.create(told, {"game": "crumbs", "seed": 3, "resumed": 0, "identity": crumbs().identity()})
        trainer = Trainer(crumbs(), told, 3, 1, False, None)
        conductor = RunConductor(trainer, folder)
        conductor.note({})
        model = trainer.learner.model
        with torch.no_grad():
            next((model.policy if learner == "sb3" else model).parameters()).fill_(float("nan"))
        with pytest.raises(DivergedError, match=r"lower ppo\.learning_rate"):
            conductor.note({})


# ---------------------------------------------------------------- numbers that are none


def test_training_that_diverges_stops_at_the_update(registered, tmp_path):
    wild = settings(ppo={"learning_rate": 1.0, "max_grad_norm": 1e6, "vf_coef": 1e6}, network={"shared": [16]})
    seen = []

    def poison(event, facts):
        seen.append(facts.get("steps", 0))
        if event == "step" and facts["steps"] >= 512 and poison.model is not None:
            with torch.no_grad():
                next(poison.model.parameters())[:] = float("nan")

    class Watched(Trainer):
        def _learner(self, *args):
            learner = super()._learner(*args)
            poison.model = learner.model
            return learner

    folder = RunFolder(tmp_path / "run")
    about = {"game": "crumbs", "seed": 3, "resumed": 0, "identity": crumbs().identity()}
    folder.create(wild, about)
    with pytest.raises(DivergedError, match=r"lower (ppo|the learning rate)"):
        Watched(crumbs(), wild, 3, 1, False, poison).run(folder, about)
    parameters, _ = folder.load_checkpoint()
    assert all(torch.isfinite(t).all() for t in parameters["network"].values())
    assert np.isfinite(
        load_policy(crumbs(), str(tmp_path / "run")).network.logits(
            np.zeros((1, crumbs().observation_size), np.float32)
        )
    ).all()


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_policy_that_is_no_numbers_is_refused(finished, registered, tmp_path, bad):
    from safetensors.numpy import load_file, save_file

    folder = copy_of(finished, tmp_path)
    weights = load_file(folder / "best" / WEIGHTS)
    next(iter(weights.values()))[0] = bad
    save_file(weights, folder / "best" / WEIGHTS)
    with pytest.raises(OptionError, match="finite"):
        load_policy(crumbs(), str(folder))


CARDS = [
    {"options": []}, {"options": None}, {"options": {"players": []}}, {"network": None}, {"network": {}}, {"players": 0},
    {"network": {"observation": 10**9, "actions": 1, "shared": [1]}}, {"network": {"observation": 3, "actions": -1, "shared": []}},
    {"format": "1"}, {"game": 5}, {"components": None},
]  # fmt: skip


@pytest.mark.parametrize("change", CARDS, ids=str)
def test_cards_of_another_kind_are_refused(finished, registered, tmp_path, change):
    folder = copy_of(finished, tmp_path)
    card = json.loads((folder / "best" / CARD).read_text()) | change
    (folder / "best" / CARD).write_text(json.dumps(card))
    with pytest.raises(OptionError, match=r"entry|network|format"):
        load_policy(crumbs(), str(folder / "best"))


# ---------------------------------------------------------------- settings

NONSENSE = [
    "ppo.gamma=7.0", "ppo.gamma=nan", "ppo.clip_range=nan", "ppo.ent_coef=nan", "ppo.vf_coef=nan", "ppo.max_grad_norm=nan",
    "ppo.clip_range=-1.0", "ppo.gae_lambda=-3.0", "ppo.gae_lambda=inf", "run.minutes=nan", "run.minutes=-3.0", "run.minutes=inf",
    "pool.newest=nan", "pool.newest=inf", "pool.newest=-1.0", "pool.scripted.greedy=nan", "pool.scripted.greedy=x", "pool.keep=-1",
    "run.freezes=-5", "run.evaluations=-5", "run.evaluations=0", "ppo.learning_rate=nan", "ppo.learning_rate=-1.0",
    "ppo.learning_rate=0.0", "ppo.learning_rate=1e30", "ppo.learning_rate_end=nan", "network.shared=[true]", "network.shared=[0]",
    "network.shared=[1.5]", "network.shared=8", "run.games=10**11", "run.games=100000000000", "run.games=0", "run.steps=0",
    "run.steps=-1", "run.steps=1.5", "run.evaluation_games=0", "run.final_games=0", "ppo.n_epochs=0", "ppo.batch_size=0",
    "ppo.n_steps=0", "ppo.kl_until=2.0", "ppo.warm_up=-1", "imitation.held_out=1.0", "imitation.passes=0.0", "game.players=-1",
    "game.options=5", "game.components=7", "imitation.first=1",
]  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_settings_that_cannot_be_meant_are_refused(text):
    with pytest.raises(OptionError, match=text.partition("=")[0].split(".")[1]):
        checked(overlaid(Settings(), setting(text), "--set", merge=True), "--set")


def test_every_setting_has_a_range():
    """A float that is no number passes nowhere, and no whole number below -1."""
    from dataclasses import fields

    for table in fields(Settings):
        for entry in fields(table.default):
            held = getattr(table.default, entry.name)
            bad = (
                float("nan")
                if isinstance(held, float)
                else -7
                if isinstance(held, int) and not isinstance(held, bool)
                else None
            )
            if bad is not None:
                with pytest.raises(OptionError, match=entry.name):
                    checked(overlaid(Settings(), {table.name: {entry.name: bad}}, "test"), "test")


def test_the_command_says_it_in_a_line(registered, tmp_path, capsys):
    from banquet_training.cli import app

    with pytest.raises(SystemExit) as end:
        app(["train", registered, "--set", "ppo.gamma=nan", "--run", str(tmp_path / "r")])
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("banquet: settings: entry 'ppo.gamma'")
    assert told.count("\n") == 1
