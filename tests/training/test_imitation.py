"""Learning from a teacher, on the toy game: labels, outcomes, and that the teacher is met."""

import numpy as np
import pytest

from banquet_agents.policy import PolicyAgent
from banquet_envs.core.errors import OptionError
from banquet_training.imitation import LEARNER, TEACHER, Imitation, Labels
from banquet_training.runs import RunFolder
from banquet_training.settings import Settings, checked, overlaid
from banquet_training.trainer import imitate, resume, train
from banquet_training.tuning import Precision
from tests.training.test_runs import settings as run_settings
from tests.training.test_selfplay_ppo import Onlooker
from tests.training.toy import crumbs, registered

__all__ = ["registered"]


class Rule:
    """Leaves a multiple of four, if it can; else takes one. Remembers the secrets it was handed."""

    name = "rule"

    def __init__(self):
        self.seen = []

    def act(self, states):
        self.seen.append(np.array(states))
        rest = states["pile"] % 4
        return np.where(rest > 0, rest, 1).astype(np.int64)


def pupil(game, asked=None, **changes):
    small = {
        "run": {"games": 16},
        "network": {"shared": [32], "value": [16]},
        "imitation": {"teacher": "random", "rounds": 4, "batch_size": 64, "passes": 8.0, "held_out": 0.2},
    }
    settings = overlaid(overlaid(Settings(), small, "test"), {"imitation": changes}, "test")
    made = Imitation(game, settings, 1, Precision())
    made.teacher = asked or made.teacher
    return made


def test_the_pupil_learns_the_teachers_choice_and_the_outcome():
    game = crumbs(2)
    made = pupil(game, Rule(), learning_rate=1e-2, learning_rate_end=1e-3)
    seen = Onlooker()
    made.learn(seen, 2000)
    assert made.steps >= 2000
    assert made.accuracy > 0.95
    agent = PolicyAgent(game, made.network())
    values = {}
    for pile in (1, 2, 3, 5, 6, 7):
        states = crumbs(2, pile=pile).reset(1, seed=2)
        assert agent.act(states)[0] == pile % 4
        values[pile] = float(agent.network.values(game.observe(states))[0])
    assert min(values[k] for k in (2, 3, 5, 6, 7)) > 0.3  # whoever leaves a multiple of four wins


def test_first_the_teacher_plays_then_mostly_the_pupil():
    made = pupil(crumbs(2), teacher_share=0.25)
    assert (made.games.holder == TEACHER).all()
    made.steps = 1
    assert (made._seated(5000) == LEARNER).mean() == pytest.approx(0.75, abs=0.02)


def test_the_teacher_is_asked_about_determinised_copies_of_what_the_pupil_meets():
    teacher = Rule()
    made = pupil(crumbs(2), teacher)
    made._collect(200, Onlooker())
    handed = np.concatenate(teacher.seen)
    kept = made.labels.states[: len(made.labels)]
    assert len(handed) == len(kept) >= 200
    assert (handed["pile"] == kept["pile"]).all()
    assert (kept["pile"] > 1).all()  # a forced decision is no decision
    seat, rows = kept["player"], np.arange(len(kept))
    assert (handed["secret"][rows, seat] == kept["secret"][rows, seat]).all()
    assert (handed["secret"][rows, 1 - seat] != kept["secret"][rows, 1 - seat]).mean() > 0.99


def test_outcomes_are_what_the_seat_is_paid_to_the_end():
    game = crumbs(2)
    made = pupil(game, Rule())
    made._collect(400, Onlooker())
    index = np.arange(len(made.labels))
    outcome = made.labels.outcome(index)
    known = ~np.isnan(outcome)
    assert known.sum() > 300
    assert set(outcome[known]) == {-1.0, 1.0}
    piles = made.labels.states["pile"][: len(index)]
    assert (outcome[known & (piles % 4 > 0)] == 1).all()  # both play the rule: whoever can leave four wins
    assert (outcome[known & (piles == 4)] == -1).all()


def test_labels_write_over_the_oldest():
    game = crumbs(2)
    labels = Labels(game, 10, False)
    states = game.reset(6, seed=1)
    for k in range(3):
        labels.add(states, np.full(6, k), np.zeros((6, 0)), np.zeros(6), np.full(6, k))
    assert len(labels) == 10
    assert sorted(labels.action.tolist()) == [1] * 4 + [2] * 6
    labels.ended(np.array([2000]), np.ones((1, 2)))  # more games than there was room for
    assert np.isnan(labels.outcome(np.arange(10))).all()


def test_games_held_out_are_not_learned_from():
    made = pupil(crumbs(2), held_out=0.2)
    made._collect(300, Onlooker())
    drawn = []
    made._improve_on = lambda index: drawn.append(index) or {"policy_loss": 0.0}
    made._improve(300)
    numbers = made.labels.number[np.concatenate(drawn)]
    assert (numbers % 5 != 0).all()
    assert len(np.unique(numbers % 5)) == 4


def test_a_searching_teacher_teaches_its_visits():
    game = crumbs(2)
    made = pupil(game, teacher="search:64,playout=random", learning_rate=5e-3, learning_rate_end=1e-3)
    assert made.soft
    made.learn(Onlooker(), 800)
    visits = made.labels.visits[: len(made.labels)].astype(np.float64)
    assert visits.sum(axis=1) == pytest.approx(1, abs=0.01)
    states = crumbs(2, pile=3).reset(1, seed=2)
    assert PolicyAgent(game, made.network()).act(states)[0] == 3


def test_imitation_writes_a_run_that_goes_on_and_trains_on(registered, tmp_path):
    told = run_settings(imitation={"teacher": "random", "decisions": 1500, "rounds": 3, "batch_size": 64})
    outcome = imitate(registered, told, tmp_path / "taught", seed=2, threads=1)
    assert outcome.finished
    assert outcome.steps >= 1500
    assert "decisions of `random` imitated" in (outcome.folder / "strength.md").read_text()
    assert resume(outcome.folder, steps=2500, threads=1).steps >= 2500
    further = train(registered, run_settings(), tmp_path / "on", threads=1, start=f"policy:{outcome.folder}")
    assert further.finished
    assert (further.folder / "start" / "policy.safetensors").is_file()
    assert RunFolder(further.folder).about()["from"] == f"policy:{outcome.folder}"


@pytest.mark.parametrize("early", [False, True])
def test_a_run_that_begins_with_a_teacher_can_be_ended_at_any_time(registered, tmp_path, early):
    told = run_settings(imitation={"first": True, "teacher": "random", "decisions": 1500, "rounds": 3})

    def interrupt(event, facts):
        if early or (event == "step" and facts["steps"] >= 500):
            raise KeyboardInterrupt

    if early:  # before the first word of the lesson
        with pytest.raises(KeyboardInterrupt):
            train(registered, told, tmp_path / "run", threads=1, report=interrupt)
    else:
        assert not train(registered, told, tmp_path / "run", threads=1, report=interrupt).finished
        _, counters = RunFolder(tmp_path / "run" / "imitation").load_checkpoint()
        assert 500 <= counters["steps"] < 1500
    done = resume(tmp_path / "run", threads=1)
    assert done.finished
    assert done.steps >= 2048
    assert (tmp_path / "run" / "start" / "policy.json").is_file()
    _, counters = RunFolder(tmp_path / "run" / "imitation").load_checkpoint()
    assert counters["steps"] >= 1500


def test_numbers_that_cannot_be_are_refused():
    for entry in ({"decisions": 0}, {"teacher_share": 1.5}, {"held_out": 1.0}, {"passes": 0.0}):
        with pytest.raises(OptionError, match="imitation"):
            checked(overlaid(Settings(), {"imitation": entry}, "test"), "test")
