"""Expert iteration on the toy game: what is searched and learned from, whose moves they are, and that it learns."""

import numpy as np
import pytest

from banquet_agents.policy import PolicyAgent, load_policy
from banquet_training.expert_iteration import ExpertIteration
from banquet_training.pool import LEARNER_SLOT, OpponentPool
from banquet_training.settings import Settings, overlaid
from banquet_training.trainer import resume, train
from banquet_training.tuning import Precision
from tests.training.test_runs import settings as run_settings
from tests.training.test_selfplay_ppo import Onlooker
from tests.training.toy import crumbs, registered

__all__ = ["registered"]

SMALL = {"simulations": 16, "games": 16, "decisions": 256, "batch_size": 64, "passes": 4.0, "threads": 2}


def learner(game, start=None, newest=1.0, scripted=None, **changes):
    told = overlaid(Settings(), {"network": {"shared": [32], "value": [16]}, "search": SMALL}, "test")
    told = overlaid(told, {"search": changes}, "test")
    pool = OpponentPool(game, scripted or {"random": 1e-9}, newest, 0.0, 1, seed=3)
    return ExpertIteration(game, told, pool, 3, Precision(), start=start)


def test_it_learns_to_play_and_to_judge():
    game = crumbs(2)
    made = learner(game, learning_rate=5e-3, learning_rate_end=1e-3)
    made.learn(Onlooker(), 3000)
    assert made.steps >= 3000
    agent = PolicyAgent(game, made.network())
    values = {}
    for pile in (2, 3, 5, 6, 7):
        states = crumbs(2, pile=pile).reset(1, seed=2)
        assert agent.act(states)[0] == pile % 4
        values[pile] = float(agent.network.values(game.observe(states))[0])
    assert min(values.values()) > 0.3  # whoever leaves a multiple of four wins


def test_only_the_learners_decisions_are_searched_and_kept():
    game = crumbs(3)
    made = learner(game, newest=0.0, scripted={"random": 1.0})
    searched, improved = [], made.teacher.improved

    def noted(states):
        searched.append(np.array(states))
        return improved(states)

    made.teacher.improved = noted
    made._collect(300, Onlooker())
    kept = made.labels.states[: len(made.labels)]
    handed = np.concatenate(searched)
    assert len(kept) == len(handed) >= 300
    assert ((made.games.holder == LEARNER_SLOT).sum(axis=1) == 1).all()
    assert (kept["pile"] > 1).all()  # a forced decision is no decision
    seat, rows = kept["player"], np.arange(len(kept))
    others = (seat + 1) % 3
    assert (handed["secret"][rows, seat] == kept["secret"][rows, seat]).all()
    assert (handed["secret"][rows, others] != kept["secret"][rows, others]).mean() > 0.99


def test_targets_are_the_improved_policy_and_the_outcome():
    made = learner(crumbs(2), simulations=64, trust=20.0)
    made._collect(400, Onlooker())
    index = np.arange(len(made.labels))
    target = made.labels.visits[index].astype(np.float64)
    assert target.sum(axis=1) == pytest.approx(1, abs=0.01)
    piles = made.labels.states["pile"][index]
    assert (target[piles == 2, 3] == 0).all()  # not allowed
    assert target[piles == 3, 3].mean() > 0.9  # wins at once
    outcome = made.labels.outcome(index)
    assert set(outcome[~np.isnan(outcome)]) == {-1.0, 1.0}


def test_every_round_is_searched_with_the_newest_network():
    made = learner(crumbs(2))
    before = made.teacher.packed.weights.copy()
    made.learn(Onlooker(), 300)
    assert (made.teacher.packed.weights != before).any()
    states = crumbs(2, pile=7).reset(1, seed=2)
    made._collect(1, Onlooker())
    found = made.teacher._found(1)
    made.teacher._search(states, found)
    assert found[3][0] == pytest.approx(made.network().values(crumbs(2).observe(states))[0], abs=1e-4)


def test_it_begins_from_a_policy():
    taught = learner(crumbs(2))
    taught.learn(Onlooker(), 300)
    network = taught.network()
    made = learner(crumbs(2), start=network)
    assert all((made.network().weights[key] == weight).all() for key, weight in network.weights.items())


def test_a_run_writes_its_folder_and_goes_on(registered, tmp_path):
    told = run_settings(learner="search", run={"steps": 1024}, search=SMALL)
    outcome = train(registered, told, tmp_path / "run", seed=2, threads=1)
    assert outcome.finished
    assert outcome.steps >= 1024
    assert "decisions learned from" in (outcome.folder / "strength.md").read_text()
    assert load_policy(crumbs(2), str(outcome.folder)).card["steps"] > 0
    assert resume(outcome.folder, steps=2048, threads=1).steps >= 2048
