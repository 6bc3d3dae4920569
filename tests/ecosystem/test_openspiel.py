"""OpenSpiel: its own test of games, its searches, its environment; bots and agents across the bridge."""

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="the openspiel extra is not installed: make ecosystem")
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts

from banquet_envs.adapters.openspiel import AgentBot, BotAgent, openspiel_game, register_openspiel
from tests.shipped import SHIPPED


def evaluator(seed=1):
    return mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))


@pytest.mark.parametrize("players", [2, 3])
def test_openspiels_own_test_of_games(players):
    pyspiel.random_sim_test(openspiel_game("great_evening_banquet", players, deal=players), 1, True, False)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_openspiels_own_test_of_all_games(name):
    pyspiel.random_sim_test(
        openspiel_game(name, deal=1), 1, False, False
    )  # every save would replay the game from its start


def test_parameters_are_options_and_solo_pays_points():
    register_openspiel()
    game = pyspiel.load_game("banquet_great_evening_banquet(players=3,expert=True)")
    assert game.num_players() == 3
    assert game.rules.options["expert"] is True
    assert game.utility_sum() == 0
    alone = openspiel_game("great_evening_banquet", players=1, seed=2)
    state = played(alone.new_initial_state())
    points = float(state.record.points[0, 0])
    assert points > 0
    assert state.returns() == pytest.approx([points * alone.rules.points_scale])
    assert state.returns()[0] <= alone.max_utility()


def played(state, seed=3):
    """The state at the end of a random game."""
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def test_deals_follow_each_other_from_a_seed_and_stay_for_a_deal():
    def deals(**how):
        game = openspiel_game("great_evening_banquet", **how)
        return [str(game.new_initial_state()) for _ in range(2)]

    assert deals(seed=4) == deals(seed=4)
    assert len({*deals(seed=4), *deals(seed=5)}) == 4
    assert len(set(deals(deal=4))) == 1
    assert openspiel_game("great_evening_banquet", deal=4).get_type().chance_mode.name == "DETERMINISTIC"


def test_a_clone_goes_its_own_way_and_a_sample_keeps_what_its_seat_knows():
    game = openspiel_game("banquet_royal", seed=1)
    state = game.new_initial_state()
    for _ in range(20):
        state.apply_action(state.legal_actions()[-1])
    player, before = state.current_player(), str(state)
    played(state.clone())
    assert str(state) == before
    words = np.random.default_rng(1)
    samples = [state.resample_from_infostate(player, words.random) for _ in range(8)]
    assert {s.information_state_string(player) for s in samples} == {state.information_state_string(player)}
    assert {tuple(s.observation_tensor(player)) for s in samples} == {tuple(state.observation_tensor(player))}
    assert len({str(s) for s in samples}) > 1


def test_an_illegal_action_is_refused():
    state = openspiel_game("great_evening_banquet", deal=1).new_initial_state()
    wrong = next(a for a in range(state.num_distinct_actions()) if a not in state.legal_actions())
    with pytest.raises(Exception, match="may not play"):
        state.apply_action(wrong)


def perfect(game):
    return mcts.MCTSBot(game, 2.0, 4, evaluator(), random_state=np.random.RandomState(1))


def informed(game):
    return ismcts.ISMCTSBot(game, evaluator(), 2.0, 4, random_state=np.random.RandomState(1))


@pytest.mark.parametrize("made", [perfect, informed])
def test_searches_play_here_and_there(made):
    game = openspiel_game("great_evening_banquet", seed=6)
    bot = made(game)
    states = game.rules.reset(3, seed=1)
    actions = BotAgent(game, bot).act(states)
    assert game.rules.legal_actions(states)[np.arange(3), actions].all()
    state, bots = game.new_initial_state(), [AgentBot(game, "expert"), bot]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns() == [1.0, -1.0]


def test_an_agent_as_a_bot_is_shown_the_moment():
    game = openspiel_game("great_evening_banquet", seed=7)
    for _ in range(3):
        bots = [AgentBot(game, "greedy"), AgentBot(game, "expert")]
        assert evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random) == [-1.0, 1.0]


def test_the_rl_environment_shows_view_mask_and_reward():
    game = openspiel_game("great_evening_banquet", seed=8)
    env = rl_environment.Environment(game)
    step = env.reset()
    while not step.last():
        mover = step.observations["current_player"]
        assert len(step.observations["info_state"][mover]) == game.rules.observation_size
        step = env.step([step.observations["legal_actions"][mover][0]])
    assert sum(step.rewards) == pytest.approx(0)
    assert any(step.rewards)


def test_the_script_trains_and_its_policy_plays(run, tmp_path):
    pytest.importorskip("tree", reason="OpenSpiel's learners need dm-tree, which the openspiel extra brings")
    told = run("openspiel_dqn", "--episodes", 60, "--matches", 4, "--folder", tmp_path)
    assert "60 episodes, mean returns" in told
    assert "| greedy | all | 4 |" in told
