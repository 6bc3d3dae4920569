"""What PPO is shown: held against independent replays, one game at a time, through the checked interface."""

from collections import defaultdict

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from banquet_envs import make_game
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_training.pool import OpponentPool, Seatholder
from banquet_training.sb3_learner import LeanBuffer, LeanPolicy, TimedPPO, exported, policy_arguments
from banquet_training.selfplay import SelfPlayVecEnv
from banquet_training.settings import NetworkSettings
from tests.training.toy import SECRETS, crumbs

SMALL = NetworkSettings(shared=(16,))


def environment(game, n=16, scripted=None, seed=3, **kwargs):
    pool = OpponentPool(game, scripted or {"random": 1.0}, seed=seed)
    return SelfPlayVecEnv(game, n, pool, seed=seed, **kwargs)


def learner(env, n_steps=48):
    return TimedPPO(
        LeanPolicy, env, n_steps=n_steps, batch_size=256, n_epochs=1, gamma=1.0, seed=1, device="cpu",
        rollout_buffer_class=LeanBuffer, policy_kwargs=policy_arguments(SMALL),
    )  # fmt: skip


class Script:
    """Writes down everything that happens at a table, row by row."""

    def __init__(self, env):
        self.events = defaultdict(list)
        self.env = env
        table = env.table
        begin, play = table.begin, table.play

        def noted_begin(rows, seeds):
            begin(rows, seeds)
            for r in rows.tolist():
                self.events[r].append(("begin", int(seeds[r])))

        def noted_play(rows, actions):
            for r, a in zip(rows.tolist(), np.asarray(actions).tolist(), strict=True):
                self.events[r].append(("play", a, int(env.seat[r])))
            play(rows, actions)

        table.begin, table.play = noted_begin, noted_play


def replayed(game: Game, events):
    """The learner's transitions of one row: (observation, mask, action, reward, done, final observation)."""
    found, current, open_at = [], None, None
    for kind, value, *seat in events:
        if kind == "begin":
            current, open_at = game.reset(1), None
            game.restart(current, np.array([value], np.uint64))
            continue
        if current.player[0] == seat[0]:
            observation = game.observe(current, seat[0])[0]
            found.append([observation, game.legal_actions(current)[0], value, 0.0, False, None])
            open_at = len(found) - 1
        before = np.array(current).view(np.recarray)
        game.step(current, [value])
        if open_at is not None:
            found[open_at][3] += game.rewards(before, current)[0, seat[0]]
            if current.over[0]:
                found[open_at][4:] = True, game.observe(current, seat[0])[0]
    return found


@pytest.mark.parametrize(("players", "reward"), [(1, "points"), (2, "win"), (2, "points"), (4, "place")])
def test_the_rollout_equals_an_independent_replay(players, reward):
    game = make_game("great_evening_banquet", players=players, reward=reward)
    env = environment(game, scripted={"random": 0.5, "greedy": 0.5}, debug=True)
    script = Script(env)
    model = learner(env)
    env.pool.renew(exported(model.policy, SMALL, game.observation_size, game.num_actions))
    ends = defaultdict(list)
    step_wait = env.step_wait

    def noted_step():
        result = step_wait()
        for k, info in enumerate(result[3]):
            if "terminal_observation" in info:
                ends[k].append(info["terminal_observation"])
                assert "TimeLimit.truncated" not in info
        return result

    env.step_wait = noted_step
    model.learn(48 * 16)
    buffer = model.rollout_buffer
    episodes = 0
    for row in range(env.num_envs):
        expected = replayed(game, script.events[row])[:48]
        assert len(expected) == 48
        for t, (observation, mask, action, reward, _, _) in enumerate(expected):
            assert (buffer.observations[t, row] == observation).all()
            assert (buffer.action_masks[t, row] == mask).all()
            assert buffer.actions[t, row, 0] == action
            assert buffer.rewards[t, row] == pytest.approx(reward, abs=1e-6)
            assert buffer.episode_starts[t, row] == (t == 0 or expected[t - 1][4])
        finals = [e[5] for e in expected if e[4]]
        assert len(finals) == len(ends[row])
        assert all((a == b).all() for a, b in zip(finals, ends[row], strict=True))
        episodes += len(finals)
    assert episodes > 10


def test_the_buffer_holds_every_seat_equally_often():
    env = environment(make_game("great_evening_banquet", players=4), n=400)
    env.reset()
    seats = np.bincount(env.seat, minlength=4)
    assert seats.min() > 65  # of 400; the chance of less is below one in a thousand
    # and what the learner sees is its own seat's view
    own = env.table.buffers.observation
    assert (own == env.game.observe(env.table.states, env.seat)).all()


def test_a_new_game_draws_a_new_seat_and_new_opponents():
    env = environment(crumbs(pile=7), n=64, scripted={"random": 1.0}, debug=True)  # every seat decides in every game
    env.pool.scripted.append(Seatholder("again", env.pool.scripted[0].agent))
    env.pool._scripted_weights.append(1.0)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(40):
        step(env, rng)
    names, seats, _, _ = zip(*env.outcomes, strict=True)
    assert len(seats) > 800
    assert np.mean(seats) == pytest.approx(0.5, abs=0.06)
    assert np.mean([n == ("again",) for n in names]) == pytest.approx(0.5, abs=0.06)
    assert ((env.opponent >= 0).sum(axis=1) == 1).all()


def step(env, rng):
    masks = env.action_masks()
    env.step_async((masks * rng.random(masks.shape)).argmax(axis=1))
    return env.step_wait()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_no_mask_is_violated_over_thousands_of_steps(players):
    game = make_game("great_evening_banquet", players=players)
    env = environment(game, n=32, scripted={"random": 1.0}, debug=True)  # debug refuses whatever is not legal
    env.reset()
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(150):
        observations, rewards, dones, infos = step(env, rng)
        ends += dones.sum()
        assert env.action_masks().any(axis=1).all()
        assert not rewards[~dones].any()
        assert len(infos) == 32
        assert observations.dtype == np.float32
    assert env.decisions == 4800
    assert ends > 50


def test_an_observation_survives_the_next_step_and_an_end_survives_for_good():
    env = environment(make_game("great_evening_banquet", players=2), n=8)
    rng = np.random.default_rng(2)
    last = env.reset()
    ends = []
    for _ in range(60):
        kept = last.copy()
        now, _, dones, infos = step(env, rng)
        assert (last == kept).all()
        assert now is not last
        for k in np.flatnonzero(dones):
            ends.append((infos[k]["terminal_observation"], infos[k]["terminal_observation"].copy()))
        last = now
    assert ends
    assert all((a == b).all() for a, b in ends)


def test_opponents_are_handed_neither_secrets_nor_the_stream():
    game = crumbs(pile=7)
    env = environment(game, n=300)
    holder = env.pool.scripted[0]
    act, handed = holder.agent.act, []

    class Spy:
        def act(self, states):
            handed.append((np.array(states), np.array(env.table.states)))
            return act(states)

    env.pool.scripted[0] = Seatholder("spy", Spy())
    env.reset()
    rng = np.random.default_rng(3)
    for _ in range(10):
        step(env, rng)
    learners = total = 0
    for copies, true in handed:
        for copy in copies:
            seat = copy["player"]
            same = np.flatnonzero(true["secret"][:, seat] == copy["secret"][seat])
            assert len(same)  # its own number is its to see
            assert not np.isin(copy["rng"], true["rng"])
            assert not np.isin(copy["seed"], true["seed"])
            learners += (true["secret"][same, 1 - seat] == copy["secret"][1 - seat]).any()
            total += 1
    assert total > 500
    assert learners < total * 0.02 + 300 * 10 / SECRETS


def test_policies_are_handed_observation_and_mask_only():
    game = crumbs()
    env = environment(game, n=50)

    class Spy:
        def __init__(self):
            self.calls = 0

        def act_on(self, observations, masks, words):
            self.calls += 1
            assert observations.shape[1:] == (game.observation_size,)
            assert masks.shape == (len(observations), game.num_actions)
            assert words.dtype == np.uint64
            return masks.argmax(axis=1)

    spy = Spy()
    env.pool.scripted[0] = Seatholder("spy", spy)
    env.reset()
    for _ in range(5):
        step(env, np.random.default_rng(4))
    assert spy.calls


def test_a_capped_end_is_an_end():
    env = environment(crumbs(pile=7, endless=True, reward="place"), n=4)
    passes = Seatholder("passes", type("Passes", (), {"act": lambda self, states: np.zeros(len(states), np.int64)})())
    env.pool.scripted[0] = passes
    env.reset()
    for _ in range(10):
        env.step_async(np.zeros(4, np.int64))
        _, rewards, dones, infos = env.step_wait()
        if dones.any():
            break
    assert dones.all()
    assert not rewards.any()  # everybody shares the place
    assert all("TimeLimit.truncated" not in info and "terminal_observation" in info for info in infos)


def test_solo_return_is_the_final_points():
    game = make_game("great_evening_banquet", players=1, reward="points")
    env = environment(game, n=16)
    env.reset()
    rng = np.random.default_rng(5)
    returns = []
    for _ in range(80):
        _, _, _, infos = step(env, rng)
        returns += [info["episode"]["r"] for info in infos if "episode" in info]
    assert len(returns) > 16
    points = [points for _, _, points, _ in env.outcomes]
    assert np.array(returns) == pytest.approx(np.array(points) * game.points_scale, abs=1e-5)


def test_sb3_finds_the_masks():
    env = environment(crumbs(), n=6)
    env.reset()
    assert is_masking_supported(env)
    assert (get_action_masks(env) == env.action_masks()).all()
    assert len(env.env_method("action_masks", indices=[1, 4])) == 2
    assert env.get_attr("game") == [env.game] * 6
    with pytest.raises(AttributeError, match="no method 'nothing'"):
        env.env_method("nothing")


def test_same_seed_same_course_and_another_seed_another():
    def course(seed):
        env = environment(make_game("great_evening_banquet", players=2), n=8, seed=seed)
        rng = np.random.default_rng(0)
        return np.concatenate([env.reset(), *(step(env, rng)[0].copy() for _ in range(20))])

    assert (course(1) == course(1)).all()
    assert not (course(1) == course(2)).all()


def test_pool_draws_by_its_odds_and_thins_out_old_copies():
    game = crumbs()
    pool = OpponentPool(game, {"random": 0.2, "expert": 0.5}, newest=0.5, frozen_weight=0.3, frozen=2, lenient=True)
    assert pool.odds() == {3: 1.0}  # the toy game has no expert
    with pytest.raises(OptionError, match="no agent named 'exprt'"):
        OpponentPool(game, {"exprt": 0.5}, lenient=True)
    model = learner(environment(game))
    network = exported(model.policy, SMALL, game.observation_size, game.num_actions)
    pool.renew(network)
    for k in range(5):
        pool.freeze(network, f"{k:09d}")
    assert pool.odds() == pytest.approx({0: 0.5, 1: 0.15, 2: 0.15, 3: 0.2})
    drawn = np.bincount(pool.draw((20_000,)), minlength=4) / 20_000
    assert drawn == pytest.approx([0.5, 0.15, 0.15, 0.2], abs=0.02)
    assert {name for name, _ in ((h.name, s) for s, h in pool.holders())} >= {"newest", "random"}
    assert len(pool.frozen) == 2
