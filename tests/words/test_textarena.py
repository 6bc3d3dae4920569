"""The games in TextArena's shape, with its own registry and wrapper."""

import pytest

from banquet_envs import make_game
from banquet_envs.words import rules_text
from tests.words.stand_in import reader

ta = pytest.importorskip("textarena")


@pytest.fixture(scope="module")
def name():
    name = "banquet/DinnerParty-v0"
    ta.register(
        name,
        "banquet_agents.words.textarena_env:BanquetTextArena",
        default_wrappers=[ta.wrappers.LLMObservationWrapper],
        game="dinner_party",
    )
    return name


def test_a_game_is_played_by_textarenas_own_loop(name):
    env = ta.make(name)
    env.reset(num_players=3, seed=1)
    rules = rules_text(make_game("dinner_party", 3))
    done, seats = False, set()
    while not done:
        seat, observation = env.get_observation()
        seats.add(seat)
        assert observation.count(rules) == 1, "the rules are told once"
        done, info = env.step(reader(observation))
        assert info == {"answer": "legal"}
    rewards, facts = env.close()
    assert seats == {0, 1, 2}
    assert sorted(rewards.values()) in ([-1, -1, 1], [-1, 0, 0], [0, 0, 0])
    assert all(rewards[seat] >= 0 for seat in rewards if facts[seat]["reason"].startswith("place 1,"))
    assert not any(facts[seat]["invalid_move"] for seat in facts)


def test_refused_answers_get_a_second_chance_and_then_lose(name):
    env = ta.make(name)
    env.reset(num_players=2, seed=1)
    first, asked = env.get_observation()
    assert env.step("I dance.") == (False, {"answer": "unreadable"})
    seat, observation = env.get_observation()
    assert seat == first
    assert observation.startswith(asked)
    assert "# Second chance" in observation
    assert env.step('{"move": "dance"}') == (True, {"answer": "illegal"})
    rewards, facts = env.close()
    assert rewards == {first: -1, 1 - first: 1}
    assert facts[first]["invalid_move"]
    assert not facts[1 - first]["invalid_move"]


def test_a_seed_fixes_the_game(name):
    seen = []
    for seed in (5, 5, 6):
        env = ta.make(name)
        env.reset(num_players=2, seed=seed)
        seen.append(env.get_observation())
    assert seen[0] == seen[1] != seen[2]
