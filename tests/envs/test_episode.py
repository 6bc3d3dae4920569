"""The life of an episode: what `last()` gives for a win, a tie and an illegal move, as the docs print it."""

import re
from pathlib import Path

import numpy as np
import pytest

from banquet_envs.envs.aec import BanquetAEC
from tests.games.great_evening_banquet.build import game, seated

DOC = Path(__file__).parents[2] / "docs" / "episode.md"


def last_round(tiles):
    """The final round of two players: one place is free in each chamber; the first carriage is to be chosen."""
    g = game(2)
    full = [{x: ["yellow L"] * 4 for x in "ABCDE"} | {"F": words} for words in tiles]
    states = seated(g, chambers=full, hands=[["yellow L"]] * 2, points=[20, 20], round_number=9)
    s = states[0]
    s.final, s.cards_left[:], s.salon_used[:2], s.phase = 1, 0, 1, 0
    s.taken[:], s.taken_by[:], s.place[:] = -1, -1, -1
    return g, states


def trace(env, actions):
    lines = []
    actions = iter(actions)
    while env.agents:
        agent = env.agent_selection
        view, reward, terminated, truncated, _ = env.last()
        action = None if terminated or truncated else next(actions)
        legal = int(view["action_mask"].sum())
        lines.append(
            f"{agent}: last() -> reward {reward:g}, terminated {terminated}, truncated {truncated},"
            f" {legal} legal; step({action})"
        )
        env.step(action)
    return lines


def episode(name):
    if name == "illegal":
        env = BanquetAEC(game(2), illegal="terminate")
        env.reset(seed=3)
        first = int(np.flatnonzero(env.last()[0]["action_mask"])[0])
        return trace(env, [first, 0])  # the answer to a seating question is a carriage: not legal
    tiles = {"win": (["green L", "green G", "green SG"], ["green L", "brown G", "peach SG"]),
             "tie": (["brown L"] * 3, ["brown L"] * 3)}[name]  # fmt: skip
    g, states = last_round(tiles)
    return trace(at(g, states), [0])


def at(g, states):
    """An environment at a position that was set up by hand, which is no save: it need not be one that play can reach."""
    env = BanquetAEC(g)
    env.reset(0)
    env._adopt(states)
    env.agent_selection = env.possible_agents[states.player[0]]
    return env


@pytest.mark.parametrize("name", ["win", "tie", "illegal"])
def test_the_docs_print_what_happens(name):
    block = re.search(rf"<!-- {name} -->\n```text\n(.*?)```", DOC.read_text(), re.DOTALL)
    assert block, f"docs/episode.md has no trace named {name}"
    assert block.group(1).splitlines() == episode(name)


def test_win_pays_plus_and_minus_one_and_tie_pays_nothing():
    assert [line.split(",")[0].split()[-1] for line in episode("win")[1:]] in (["1", "-1"], ["-1", "1"])
    assert all("reward 0," in line for line in episode("tie"))


def test_cumulative_rewards_survive_several_moves_of_another_seat():
    env = BanquetAEC(game(2, reward="points"))
    env.reset(seed=11)
    rng = np.random.default_rng(1)
    waiting = dict.fromkeys(env.possible_agents, 0.0)
    while not env.game_over:
        agent = env.agent_selection
        view, reward, *_ = env.last()
        assert reward == pytest.approx(waiting[agent])
        waiting[agent] = 0.0
        env.step(int(rng.choice(np.flatnonzero(view["action_mask"]))))
        for a in env.possible_agents:
            waiting[a] += env.rewards[a]
    points = env.record.points[0, :2]
    assert points.sum() > 0


def test_observing_any_seat_at_any_time():
    env = BanquetAEC(game(3))
    env.reset(seed=1)
    for agent in env.possible_agents:
        view = env.observe(agent)
        assert env.observation_space(agent).contains(view)
        assert view["action_mask"].any() == (agent == env.agent_selection)
    assert env.state().shape == (3 * env.game.observation_size,)
