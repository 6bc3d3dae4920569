"""What the self-play learner learns from: held against independent replays and a slow, plain reference."""

import time
from collections import defaultdict

import numpy as np
import pytest
import torch

from banquet_envs import make_game
from banquet_training import tuning
from banquet_training.actor_critic import ActorCritic, log_probabilities, shape_of
from banquet_training.advantages import advantages
from banquet_training.pool import LEARNER_SLOT, OpponentPool
from banquet_training.selfplay_ppo import SelfPlayPPO
from banquet_training.settings import NetworkSettings, Settings, overlaid
from banquet_training.tuning import Precision, measured_precision, measured_threads
from tests.training.toy import crumbs


class Onlooker:
    """A conductor that only counts."""

    def __init__(self, most=10**9):
        self.asked, self.most, self.facts = 0, most, []

    def collecting(self):
        pass

    def keep_on(self):
        self.asked += 1
        return self.asked < self.most

    def note(self, facts):
        self.facts.append(facts)


def made(game, scripted=None, start=None, **changes):
    small = {"run": {"games": 8}, "network": {"shared": [16]}, "ppo": {"n_steps": 24, "batch_size": 64, "n_epochs": 1}}
    settings = overlaid(Settings(), small, "test")
    settings = overlaid(settings, changes, "test")
    pool = OpponentPool(game, scripted or {"random": 0.5}, 0.5, 0.0, 1, seed=3)
    return SelfPlayPPO(game, settings, pool, 3, Precision(), start=start)


class Witness:
    """Writes down everything that happens at the learner's table, row by row."""

    def __init__(self, learner):
        self.events = defaultdict(list)
        games, table = learner.games, learner.games.table
        begin, play = table.begin, table.play
        for row in games.every.tolist():
            self.events[row].append(("begin", int(table.states["seed"][row]), games.holder[row].copy()))

        def noted_begin(rows, seeds):
            begin(rows, seeds)
            for row in rows.tolist():
                self.events[row].append(["begin", int(seeds[row]), None])

        def noted_play(rows, actions):
            for row, action in zip(rows.tolist(), np.asarray(actions).tolist(), strict=True):
                if self.events[row][-1][0] == "begin":
                    self.events[row][-1] = ("begin", self.events[row][-1][1], games.holder[row].copy())
                self.events[row].append(("play", action, None))
            play(rows, actions)

        table.begin, table.play = noted_begin, noted_play


def replayed(game, events):
    """Decisions of the learner's seats in one row: [seat, observation, mask, action, reward, done, next decision]."""
    found, current, holders, latest = [], None, None, {}
    for kind, value, who in events:
        if kind == "begin":
            current, holders, latest = game.reset(1), who, {}
            game.restart(current, np.array([value], np.uint64))
            continue
        seat = int(current.player[0])
        mask = game.legal_actions(current)[0]
        if holders[seat] == LEARNER_SLOT and mask.sum() > 1:
            found.append([seat, game.observe(current, seat)[0], mask, value, 0.0, False, None])
            if seat in latest:
                found[latest[seat]][6] = len(found) - 1
            latest[seat] = len(found) - 1
        before = np.array(current).view(np.recarray)
        game.step(current, [value])
        for p, k in latest.items():
            found[k][4] += game.rewards(before, current)[0, p]
            found[k][5] = bool(current.over[0])
    return found


@pytest.mark.parametrize(
    ("name", "players", "reward"),
    [("crumbs", 1, "points"), ("crumbs", 2, "win"), ("crumbs", 3, "place"), ("great_evening_banquet", 3, "points")],
)
def test_every_seat_of_the_learner_learns_from_what_a_replay_says(name, players, reward):
    game = crumbs(players, reward=reward) if name == "crumbs" else make_game(name, players, reward)
    learner = made(game, {"random": 0.7})
    witness = Witness(learner)
    seen = defaultdict(list)
    for _ in range(3):
        assert learner.collect(Onlooker())
        batch = learner.batch
        waiting = batch.waiting()
        for k in np.flatnonzero(~waiting).tolist():
            row, seat = divmod(int(batch.seat[k]), players)
            seen[row, seat].append([
                batch.observation[k].copy(), batch.mask[k].copy(), batch.action[k], batch.reward[k], batch.done[k],
            ])  # fmt: skip
    total, ended, forced = 0, 0, 0
    for row, events in witness.events.items():
        for seat in range(players):
            expected = [e for e in replayed(game, events) if e[0] == seat]
            got = seen[row, seat]
            assert len(expected) - len(got) in (0, 1)  # the last one may still be waiting
            for mine, theirs in zip(got, expected, strict=False):
                assert (mine[0] == theirs[1]).all()
                assert (mine[1] == theirs[2]).all()
                assert mine[2] == theirs[3]
                assert mine[3] == pytest.approx(theirs[4], abs=1e-5)
                assert mine[4] == theirs[5]
            total, ended = total + len(got), ended + sum(e[4] for e in got)
        forced += sum(e[0] == "play" for e in events)
    assert total >= 3 * 24 * 8 - 3 * 8 * players
    assert ended > 10
    assert forced > total  # others' and forced moves were played, too


def plain_advantages(decisions, gamma, trace):
    """One seat of one row: the definition, decision by decision, as (reward, value, done) with the last one waiting."""
    found = [0.0] * len(decisions)
    for k in range(len(decisions) - 1):
        weight, total = 1.0, 0.0
        for j in range(k, len(decisions) - 1):
            reward, value, done = decisions[j]
            following = 0.0 if done else decisions[j + 1][1]
            total += weight * (reward + gamma * following - value)
            if done:
                break
            weight *= gamma * trace
        found[k] = total
    return found


@pytest.mark.parametrize(("gamma", "trace"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0)])
def test_advantages_equal_the_definition_seat_by_seat(gamma, trace):
    learner = made(crumbs(2), {"random": 0.3})
    learner.collect(Onlooker())
    learner.batch.keep_waiting()
    learner.collect(Onlooker())  # begins with decisions that had been waiting
    batch = learner.batch
    count, waiting = batch.count, batch.waiting()
    assert 0 < waiting.sum() < count
    assert batch.steps[0][1] > 0
    batch.value[:count] = np.random.default_rng(1).random(count)
    got = advantages(
        batch.reward[:count], batch.value[:count], batch.done[:count], waiting, batch.seat[:count], batch.steps, gamma, trace
    )  # fmt: skip
    for seat in np.unique(batch.seat[:count]):
        mine = np.flatnonzero(batch.seat[:count] == seat)
        told = [(batch.reward[k], batch.value[k], bool(batch.done[k])) for k in mine]
        if not waiting[mine[-1]]:  # its game is over: nothing follows
            assert told[-1][2]
            told.append((0.0, 0.0, False))
        expected = plain_advantages(told, gamma, trace)
        assert got[mine] == pytest.approx(expected[: len(mine)], abs=1e-5)


def test_seats_are_held_as_the_pool_says():
    learner = made(crumbs(3), {"random": 0.5})
    drawn = learner._seated(20_000)
    assert (drawn == LEARNER_SLOT).any(axis=1).all()
    # one seat is the learner's, each of the others with one half
    assert (drawn == LEARNER_SLOT).mean() == pytest.approx(1 / 3 + 2 / 3 * 0.5, abs=0.01)
    for seat in range(3):
        assert (drawn[:, seat] == LEARNER_SLOT).mean() == pytest.approx(2 / 3, abs=0.015)


def test_a_capped_end_is_an_end():
    learner = made(crumbs(2, endless=True), {"random": 0.5})
    learner.games.table.states["ply"] = 10  # two decisions from the cap
    learner.collect(Onlooker())
    batch = learner.batch
    drawn = batch.done[: batch.count] & (batch.reward[: batch.count] == 0)
    assert drawn.any()  # nobody took the last crumb: a tie, paid nothing, nothing bootstrapped


def test_the_critic_reads_what_every_seat_sees_and_is_not_exported():
    game = crumbs(3)
    learner = made(game, {"random": 0.5}, network={"critic": [8]})
    width = game.observation_size
    assert learner.batch.everything.shape[1] == width + 2  # the others' secrets
    table = learner.games.table
    secrets = table.states["secret"].copy()
    player = table.player.copy()
    mine = np.flatnonzero((learner.games.movers() == LEARNER_SLOT) & ~learner.games.forced())
    learner._turn()
    everything = learner.batch.everything[: len(mine)]
    assert (everything[:, :width] == learner.batch.observation[: len(mine)]).all()
    for k, row in enumerate(mine.tolist()):
        for after in (1, 2):
            secret = secrets[row, (player[row] + after) % 3]
            assert everything[k, width + after - 1] == pytest.approx(secret / 1_000_000)
    before = [p.clone() for p in learner.model.critic.parameters()]
    learner.collect(Onlooker())
    learner.improve()
    assert any(not torch.equal(a, b) for a, b in zip(before, learner.model.critic.parameters(), strict=True))
    assert set(learner.network().weights) == set(made(game).network().weights)


def test_the_exported_network_is_the_model():
    game = make_game("great_evening_banquet", 2)
    told = NetworkSettings(shared=(24, 20), policy=(16,), value=(12, 8), activation="tanh")
    torch.manual_seed(1)
    model = ActorCritic(shape_of(game, told))
    network = model.exported()
    observations = game.observe(game.reset(30, seed=1))
    with torch.no_grad():
        features = model.features(torch.from_numpy(observations))
        assert network.logits(observations) == pytest.approx(model.logits(features).numpy(), abs=1e-5)
        assert network.values(observations) == pytest.approx(model.values(features).numpy(), abs=1e-5)
    torch.manual_seed(2)
    other = ActorCritic(shape_of(game, told))
    other.take_up(network)
    for a, b in zip(model.parameters(), other.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_start_may_be_sharpened_and_is_held_to_that():
    game = crumbs(2)
    start = made(game).network()
    learner = made(game, start=start, ppo={"sharpen": 3.0})
    observations = game.observe(game.reset(30, seed=1))
    expected = pytest.approx(3 * start.logits(observations), abs=1e-5)
    assert learner.network().logits(observations) == expected
    assert learner.anchor.exported().logits(observations) == expected
    assert learner.network().values(observations) == pytest.approx(start.values(observations), abs=1e-6)


def test_drawn_actions_follow_the_probabilities_within_the_mask():
    learner = made(crumbs(2, pile=3), run={"games": 4000})
    with torch.no_grad():
        learner.model.layers["layer_logits"].weight.zero_()
        learner.model.layers["layer_logits"].bias.copy_(torch.log(torch.tensor([0.9, 0.2, 0.3, 0.5])))
    learner._turn()
    batch = learner.batch
    actions = batch.action[: batch.count]
    assert np.bincount(actions, minlength=4) / len(actions) == pytest.approx([0, 0.2, 0.3, 0.5], abs=0.03)
    assert batch.log_p[: batch.count] == pytest.approx(np.log([1, 0.2, 0.3, 0.5])[actions], abs=1e-5)


def test_while_the_value_warms_up_the_policy_stays_and_then_is_held():
    game = crumbs(2)
    start = made(game).network()
    learner = made(game, start=start, ppo={"warm_up": 150, "kl_coef": 0.5, "kl_until": 0.5, "n_steps": 12})
    observations = game.observe(game.reset(50, seed=4))
    learner.learn(Onlooker(), 1)
    assert learner.steps < 150
    assert (learner.network().logits(observations) == start.logits(observations)).all()
    assert (learner.network().values(observations) != start.values(observations)).any()
    seen = Onlooker()
    learner.learn(seen, 400)
    assert (learner.network().logits(observations) != start.logits(observations)).any()
    assert seen.facts[-1]["train/anchor_kl"] >= 0
    learner.anneal(0.25)
    assert learner.anchor_weight() == pytest.approx(0.25)
    learner.anneal(0.75)
    assert learner.anchor_weight() == 0
    seen = Onlooker()
    learner.learn(seen, learner.steps + 1)
    assert "train/anchor_kl" not in seen.facts[-1]


def test_the_anchor_holds_the_policy_to_its_start():
    game = crumbs(2)
    start = made(game).network()
    apart = {}
    for weight in (0.0, 100.0):
        rates = {"learning_rate": 1e-2, "learning_rate_end": 1e-2}
        learner = made(game, start=start, ppo={"warm_up": 0, "kl_coef": weight, "kl_until": 1.0, **rates})
        learner.learn(Onlooker(), 1500)
        observations, masks = (torch.from_numpy(a) for a in (learner.batch.observation, learner.batch.mask))
        with torch.no_grad():
            now = log_probabilities(learner.model.logits(learner.model.features(observations)), masks)
            apart[weight] = float((now.exp() * (now - learner._anchored(observations, masks))).sum(dim=1).mean())
    assert apart[100.0] < 0.1 * apart[0.0]


def test_short_collections_with_many_seats_and_tiny_batches_learn_too():
    learner = made(crumbs(3), {"random": 0.01}, run={"games": 4}, ppo={"n_steps": 1, "batch_size": 1})
    learner.learn(Onlooker(most=500), 60)
    assert 60 <= learner.steps < 100
    assert all(torch.isfinite(p).all() for p in learner.model.parameters())


def test_the_conductor_ends_a_collection():
    learner = made(crumbs(2), ppo={"n_steps": 500})
    learner.learn(Onlooker(most=2), 10**9)
    assert learner.steps == 0


def test_a_second_thread_and_bfloat16_must_gain_enough(monkeypatch):
    before = torch.get_num_threads()
    rates = {(1, False): 100.0}
    precision = Precision()
    monkeypatch.setattr(tuning, "speed", lambda work, seconds: rates[torch.get_num_threads(), precision.bfloat16])
    try:
        for two, chosen in ((110.0, 1), (120.0, 2)):
            rates[2, False] = two
            assert set(measured_threads(int, (1, 2))) == {1, 2}
            assert torch.get_num_threads() == chosen
        torch.set_num_threads(1)
        for half, taken in ((110.0, False), (120.0, True)):
            rates[1, True] = half
            assert measured_precision(int, precision) == {"float32": 100.0, "bfloat16": half}
            assert precision.bfloat16 is taken
    finally:
        torch.set_num_threads(before)


def test_speed_counts_repetitions():
    assert 20 < tuning.speed(lambda: time.sleep(0.002), 0.1) <= 500


def test_bfloat16_is_for_products_only():
    model = ActorCritic(shape_of(crumbs(), NetworkSettings(shared=(8,))))
    with Precision(True).context():
        features = model.features(torch.zeros(2, 10))
        assert features.dtype == torch.bfloat16
        assert model.logits(features).dtype == model.values(features).dtype == torch.float32
