"""One contract in all three views (AEC, single, vector) and all five games: the same table of cases for each."""

import copy
import operator
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from banquet_envs import (
    ActionTypeError,
    GameOverError,
    IllegalActionError,
    OptionError,
    ResetNeededError,
    list_games,
    make_game,
)
from banquet_envs.envs.aec import BanquetAEC
from banquet_envs.envs.registration import environment_id
from banquet_envs.envs.single import BanquetSingle
from banquet_envs.envs.vector import BanquetVector
from tests.shipped import SHIPPED

VIEWS = ("aec", "single", "vector")
TORCH = pytest.importorskip("torch")


class View:
    """The three environments behind one face: seat 0 of two is the learner, the other plays at random."""

    def __init__(self, kind, game, **more):
        self.kind = kind
        make = {"aec": BanquetAEC, "single": BanquetSingle, "vector": BanquetVector}[kind]
        if kind != "aec":
            more = {"seat": 0, **more}
        if kind == "vector":
            more = {"num_envs": 1, **more}
        self.env = make(game, players=2, **more)

    def reset(self, **how):
        return self.env.reset(**how)

    def mask(self):
        if self.kind == "aec":
            return self.env.last()[0]["action_mask"].astype(bool)
        masks = self.env.action_masks()
        return masks[0] if self.kind == "vector" else masks

    def legal(self):
        return int(np.flatnonzero(self.mask())[0])

    def illegal(self):
        return int(np.flatnonzero(~self.mask())[0])

    def step(self, action):
        """(reward, terminated, truncated, info) of the seat that acted, as this view tells it."""
        if self.kind == "aec":
            mover = self.env.agent_selection
            self.env.step(action)
            env = self.env
            return env.rewards[mover], env.terminations[mover], env.truncations[mover], env.infos[mover]
        if self.kind == "vector":
            given = np.array([action]) if isinstance(action, int) else action
            _, rewards, ended, cut, infos = self.env.step(given)
            final = infos.get("final_info", infos)
            return (
                rewards[0],
                ended[0],
                cut[0],
                {k: v[0] for k, v in final.items() if not k.startswith("_") and k != "final_obs"},
            )
        return self.env.step(action)[1:]

    def record(self):
        return self.env.states if self.kind == "vector" else self.env.record


def in_all_views(test):
    return pytest.mark.parametrize("kind", VIEWS)(pytest.mark.parametrize("game", SHIPPED)(test))


# ---------------------------------------------------------------- actions

SINGLE_FORMS = {
    "int": int, "int64": np.int64, "uint8": np.uint16, "0-d array": np.array, "torch": lambda a: TORCH.tensor(a),
}  # fmt: skip


@in_all_views
@pytest.mark.parametrize("illegal", ["raise", "terminate"])
@pytest.mark.parametrize("form", SINGLE_FORMS)
def test_whatever_is_a_whole_number_is_the_action(kind, game, illegal, form):
    one, other = View(kind, game, illegal=illegal), View(kind, game, illegal=illegal)
    one.reset(seed=3), other.reset(seed=3)
    action = one.legal()
    given = SINGLE_FORMS[form](action)
    assert operator.index(given) == action
    if kind == "vector":
        given = (
            TORCH.tensor([action])
            if form == "torch"
            else [given]
            if form != "0-d array"
            else np.array([action], np.int32)
        )
    one.step(action), other.step(given)
    assert one.record().tobytes() == other.record().tobytes()


NO_ACTIONS = [
    None,
    2.5,
    2.0,
    float("nan"),
    "3",
    b"3",
    [3],
    (3,),
    np.array([3, 4]),
    np.float32(1),
    np.array(2.0),
    {},
    np.bool_(True),
]


@in_all_views
@pytest.mark.parametrize("illegal", ["raise", "terminate"])
def test_a_wrong_type_raises_under_every_setting(kind, game, illegal):
    view = View(kind, game, illegal=illegal)
    view.reset(seed=3)
    before = view.record().tobytes()
    for action in NO_ACTIONS:
        given = [action] if kind == "vector" else action
        with pytest.raises(ActionTypeError):
            view.env.step(given)
        with pytest.raises(TypeError):
            view.env.step(given)
        assert view.record().tobytes() == before
    view.step(view.legal())


@in_all_views
def test_only_a_wrong_move_is_punished(kind, game):
    for wrong in (-1, 1_000_000, 2**40, None):
        view = View(kind, game, illegal="terminate")
        view.reset(seed=3)
        reward, ended, cut, info = view.step(view.illegal() if wrong is None else wrong)
        assert (reward, ended, cut) == (-1.0, True, False)
        if kind == "single":
            assert not info["action_mask"].any()
            assert "place" not in info
            with pytest.raises(GameOverError, match=r"reset\(\)"):
                view.step(0)


@in_all_views
def test_an_illegal_move_is_refused_and_says_what_was_legal(kind, game):
    view = View(kind, game)
    view.reset(seed=3)
    before = view.record().tobytes()
    for wrong in (view.illegal(), -1, 10**6):
        with pytest.raises(IllegalActionError, match="legal:") as error:
            view.step(wrong)
        assert ("action_masks=" in str(error.value)) == (kind != "aec")
        assert view.record().tobytes() == before


# ---------------------------------------------------------------- seeds


def course(view, moves=25):
    """Hashes of the positions along the first legal actions."""
    found = []
    for _ in range(moves):
        found.append(view.record().tobytes())
        if view.step(view.legal())[1]:
            break
    return found


@in_all_views
def test_an_unseeded_reset_continues_the_stream_of_the_last_seed(kind, game):
    def three_games(view):
        games = []
        for seed in (7, None, None):
            view.reset(seed=seed)
            games.append(course(view, 3))
        return games

    one, two = three_games(View(kind, game)), three_games(View(kind, game))
    assert one == two
    assert len({tuple(g) for g in one}) == 3
    fresh = View(kind, game), View(kind, game)
    for view in fresh:
        view.reset()
    assert fresh[0].record().tobytes() != fresh[1].record().tobytes()


@pytest.mark.parametrize("game", SHIPPED)
def test_all_views_deal_the_same_game_for_the_same_seed(game):
    seeds = [int(make_game(game, 2).reset(1, 5)["seed"][0])]
    for kind in VIEWS:
        view = View(kind, game)
        view.reset(seed=5)
        seeds.append(int(view.record()["seed"][0]))
    assert len(set(seeds)) == 1


@in_all_views
@pytest.mark.parametrize("seed", [True, "3", 1.5, -1, np.array([3]), [3, 4]])
def test_what_is_no_seed_is_refused(kind, game, seed):
    more = {"num_envs": 3} if kind == "vector" else {}  # [3] would be a list for one row
    with pytest.raises(OptionError, match="seed"):
        View(kind, game, **more).reset(seed=seed)
    if kind == "vector":
        with pytest.raises(OptionError, match="seed"):
            View(kind, game).reset(seed=[seed])
        with pytest.raises(OptionError, match="seed"):
            View(kind, game, num_envs=2).reset(seed=[1, seed])


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("seat", [0, "random"])
def test_seeds_of_a_list_fix_each_row_by_itself(game, seat):
    vector = BanquetVector(game, 3, players=2, seat=seat, opponents="greedy")
    singles = [BanquetSingle(game, 2, seat=seat, opponents="greedy") for _ in range(3)]
    views, _ = vector.reset(seed=[1, 2, 3])
    for k, env in enumerate(singles):
        view, _ = env.reset(seed=k + 1)
        assert np.array_equal(view, views[k])
    changed = BanquetVector(game, 3, players=2, seat=seat, opponents="greedy")
    assert np.array_equal(changed.reset(seed=[1, 9, 3])[0][[0, 2]], views[[0, 2]])
    assert np.array_equal(changed.reset(seed=1)[0], views)  # Gymnasium's s, s + 1, s + 2
    changed.reset(seed=[1, None, 3])
    with pytest.raises(OptionError):
        changed.reset(seed=[1, 2])
    # and they go on alike, over the ends of games
    rng = np.random.default_rng(0)
    for _ in range(150):
        masks = vector.action_masks()
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        views, rewards, ended, cut, _ = vector.step(actions)
        assert not cut.any()
        for k, env in enumerate(singles):
            view, reward, over, _, _ = env.step(int(actions[k]))
            assert (reward, over) == (rewards[k], ended[k])
            if over:
                view, _ = env.reset()
            assert np.array_equal(view, views[k])


# ---------------------------------------------------------------- before reset and after the end


@in_all_views
def test_before_reset_there_is_one_readable_error(kind, game):
    view = View(kind, game)
    env = view.env
    calls = [lambda: env.step(0) if kind != "vector" else env.step(np.zeros(1, int))]
    if kind == "aec":
        calls += [
            env.last,
            lambda: env.observe("player_0"),
            env.state,
            env.save,
            env.get_state,
            lambda: list(env.agent_iter()),
        ]
        calls += [
            lambda n=n: getattr(env, n) for n in ("rewards", "agent_selection", "terminations", "infos", "game_over")
        ]
    else:
        calls += [env.action_masks, lambda: env.record if kind == "single" else env.states]
    for call in calls:
        with pytest.raises(ResetNeededError, match=r"call reset\(\) first"):
            call()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.reset(seed=1)
    assert view.reset(seed=1) or kind == "aec"


@pytest.mark.parametrize("game", SHIPPED)
def test_last_after_all_dead_steps_is_an_error_too(game):
    env = BanquetAEC(game, 2, illegal="terminate")
    env.reset(seed=1)
    env.step(10**6)
    for _ in range(2):
        env.step(None)
    for call in (env.last, lambda: env.step(None), lambda: env.step(0)):
        with pytest.raises(GameOverError, match=r"call reset\(\) first"):
            call()


# ---------------------------------------------------------------- copies


@in_all_views
@pytest.mark.parametrize("opponents", ["random", "expert"])
def test_copies_go_on_with_the_same_opponents_moves(kind, game, opponents):
    if kind == "aec":
        view = View(kind, game)
    else:
        view = View(kind, game, opponents=opponents)
    view.reset(seed=4)
    course(view, 3)
    twins = [copy.deepcopy(view), pickle.loads(pickle.dumps(view))]
    first = course(view, 12)
    for twin in twins:
        assert course(twin, 12) == first
    if first and kind == "aec":
        return
    for v in (view, *twins):
        v.reset()
    assert len({v.record().tobytes() for v in (view, *twins)}) == 1


@pytest.mark.parametrize("game", SHIPPED)
def test_what_gymnasium_makes_can_be_copied(game):
    env = gymnasium.make(environment_id(game, "v0"), players=2)
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.unwrapped.record.tobytes() == env.unwrapped.record.tobytes()


# ---------------------------------------------------------------- the end


@in_all_views
def test_a_guards_end_is_an_end(kind, game, monkeypatch):
    """Whatever ends a game has ranked and paid: terminated, with `capped` told."""
    view = View(kind, game)
    view.reset(seed=2)
    record = view.record()
    for _ in range(4000):
        record["capped"][0] = False
        _, ended, cut, info = view.step(view.legal())
        assert not cut
        if ended:
            break
    assert info["capped"] in (False, True)
    assert {"place", "points"} <= set(info)


def test_capped_games_are_terminated_in_all_views():
    """Polite Society under play that never buys: the guard ends it."""
    for kind in VIEWS:
        view = View(kind, "polite_society")
        for seed in range(60):
            view.reset(seed=seed)
            rng = np.random.default_rng(seed)
            ended = False
            while not ended:
                _, ended, cut, info = view.step(int(rng.choice(np.flatnonzero(view.mask()))))
                assert not cut
            if info["capped"]:
                break
        assert info["capped"], "no game of 60 was ended by the guard"


# ---------------------------------------------------------------- opponents


class Stubborn:
    def __init__(self, answer):
        self.answer = answer

    def act(self, states):
        return np.full(len(states), self.answer)


@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("answer", [-1, 10**6, 0.5])
def test_an_opponents_illegal_answer_is_an_error(kind, game, answer, monkeypatch):
    monkeypatch.setattr("banquet_envs.envs.seats.make_agent", lambda game, name: Stubborn(answer))
    view = View(kind, game, opponents="stubborn")

    def play():
        view.reset(seed=1)
        course(view, 200)

    with pytest.raises(IllegalActionError, match="Stubborn"):
        play()


class Looker:
    """An agent in SB3's shape: it has `predict` and no `act`."""

    def predict(self, observation, action_masks=None, deterministic=True):
        return action_masks.argmax(axis=1), None


def looker(game):
    return Looker()


@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize("game", SHIPPED)
def test_agents_that_look_at_observation_and_mask_may_be_opponents(kind, game):
    view = View(kind, game, opponents="tests.envs.test_contract:looker")
    view.reset(seed=1)
    assert len(course(view, 10)) > 1


# ---------------------------------------------------------------- the vector environment as Gymnasium has it


def play_rows(env, steps, seed=0, masked=True):
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        masks = env.unwrapped.action_masks()
        yield env.step((rng.random(masks.shape) * masks).argmax(axis=1))


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, "NextStep", "DISABLED"])
def test_autoreset_modes(mode):
    env = BanquetVector("great_evening_banquet", 8, players=2, autoreset_mode=mode)
    env.reset(seed=1)
    ends = 0
    for views, rewards, ended, _, infos in play_rows(env, 120):
        waiting = env.autoreset_mode != AutoresetMode.SAME_STEP
        if not ended.any():
            continue
        ends += int(ended.sum())
        facts = infos if waiting else infos["final_info"]
        for k in np.flatnonzero(ended):
            assert facts["_place"][k]
            assert facts["place"][k] in (0, 1)
            assert not facts["action_mask"][k].any()
            assert rewards[k] in (1.0, -1.0, 0.0)
        assert env.action_masks().any(axis=1)[ended].all() == (not waiting)
        if env.autoreset_mode == AutoresetMode.NEXT_STEP:
            again, paid, over, _, _ = env.step(env.action_masks().argmax(axis=1))
            assert not over[ended].any()
            assert not paid[ended].any()
            assert env.action_masks()[ended].any(axis=1).all()
        if env.autoreset_mode == AutoresetMode.DISABLED:
            with pytest.raises(GameOverError, match="reset_mask"):
                env.step(env.action_masks().argmax(axis=1))
            others = views[~ended]
            again, _ = env.reset(options={"reset_mask": ended})
            assert np.array_equal(again[~ended], others)
            assert not np.array_equal(again[ended], views[ended])
    assert ends > 8


@pytest.mark.parametrize("mask", [None, [True], np.array([1, 0]), np.zeros(2, bool), np.ones(3, bool)])
def test_a_reset_mask_that_is_none(mask):
    env = BanquetVector("great_evening_banquet", 2, players=2)
    env.reset(seed=1)
    with pytest.raises(OptionError, match="reset_mask"):
        env.reset(options={"reset_mask": mask})


def test_same_step_ends_are_those_of_the_single_environment():
    vector, single = (
        BanquetVector("great_evening_banquet", 1, players=2, seat=1),
        BanquetSingle("great_evening_banquet", 2, seat=1),
    )
    vector.reset(seed=3), single.reset(seed=3)
    ended = False
    while not ended:
        action = int(single.action_masks().argmax())
        view, reward, ended, _, info = single.step(action)
        _, rewards, _, _, infos = vector.step([action])
    assert np.array_equal(infos["final_obs"][0], view)
    assert rewards[0] == reward
    for name in ("action_mask", "seat", "points", "capped", "place"):
        assert np.array_equal(infos["final_info"][name][0], info[name])


def test_gymnasiums_own_vector_wrappers_run_over_it():
    env = gymnasium.make_vec(
        "banquet/GreatEveningBanquet-v0",
        num_envs=6,
        vectorization_mode="vector_entry_point",
        players=2,
        autoreset_mode="NextStep",
    )
    env = wrappers.RecordEpisodeStatistics(env)
    env = wrappers.DictInfoToList(wrappers.NormalizeReward(wrappers.NormalizeObservation(env)))
    view, infos = env.reset(seed=1)
    assert len(infos) == 6
    episodes = 0
    for view, _, _, _, infos in play_rows(env, 60):
        assert np.isfinite(view).all()
        episodes += sum("episode" in info.get("final_info", info) or "episode" in info for info in infos)
    assert episodes > 6


def test_rows_may_lose_by_an_illegal_move():
    env = BanquetVector("great_evening_banquet", 3, players=2, illegal="terminate")
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1)
    actions[1] = 10**6
    _, rewards, ended, _, infos = env.step(actions)
    assert rewards.tolist() == [0.0, -1.0, 0.0]
    assert ended.tolist() == [False, True, False]
    assert infos["final_info"]["place"][1] == -1


def test_rows_are_rendered_as_their_learners_may_see_them():
    env = BanquetVector("great_evening_banquet", 2, players=2, render_mode="ansi")
    env.reset(seed=1)
    for k, text in enumerate(env.render()):
        assert text == env.game.describe(env.states[k], int(env.seats[k]))
    with pytest.raises(OptionError, match="human"):
        BanquetVector("great_evening_banquet", 2, players=2, render_mode="human")


# ---------------------------------------------------------------- errors that teach, registries


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("game", SHIPPED)
def test_an_unknown_argument_lists_the_environments_own_too(kind, game):
    make = {"aec": BanquetAEC, "single": BanquetSingle, "vector": BanquetVector}[kind]
    with pytest.raises(OptionError, match="did you mean 'players'") as error:
        make(game, num_players=2)
    for name in ("illegal", "render_mode", "reward", "components", *(["opponents", "seat"] if kind != "aec" else [])):
        assert name in str(error.value)
    with pytest.raises(OptionError, match="make_game"):
        make(make_game(game, 2), reward="place")


@pytest.mark.parametrize("game", list_games())
def test_parallel_env_says_what_to_use(game):
    if game in SHIPPED:
        module = __import__(f"banquet_envs.{game}_v0", fromlist=["parallel_env"])
        with pytest.raises(OptionError, match=r"env\(\)"):
            module.parallel_env(players=2)


@pytest.mark.skipif(not hasattr(pettingzoo, "aec_registry"), reason="PettingZoo has a registry from 1.27 on")
@pytest.mark.parametrize("game", SHIPPED)
def test_pettingzoos_registry_knows_every_game(game):
    env = pettingzoo.make("aec", environment_id(game, "v0"), players=3, illegal="terminate")
    assert isinstance(env, BanquetAEC)
    assert env.game.num_players == 3
    again = env.spec.make()
    assert (again.game.num_players, again.illegal) == (3, "terminate")
    assert env.spec.id == environment_id(game, "v0")


@pytest.mark.parametrize("game", SHIPPED)
def test_the_global_state_lies_in_its_space(game):
    env = BanquetAEC(game, 2)
    env.reset(seed=1)
    assert env.state_space.contains(env.state())
