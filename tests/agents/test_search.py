"""The search finds forced wins in every game, never looks at what is hidden, and gains by more simulations."""

import functools
import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from banquet_agents.arena.matches import play_match
from banquet_agents.registry import make_agent, playouts_of, scripts_of
from banquet_agents.search import SearchAgent, SearchSettings, overlaid, parsed, settings_for
from banquet_envs import game_spec, make_game
from banquet_envs.core import state as records
from banquet_envs.core.errors import OptionError
from banquet_envs.testing import random_actions
from tests.agents.guess import guess
from tests.shipped import SHIPPED
from tests.training.toy import crumbs

SAMPLES = 40


def searching(game, simulations=200, **settings):
    """A search with random playouts: quick to compile, and the same in every game."""
    given = overlaid(SearchSettings(simulations=simulations), settings, "test")
    return SearchAgent(game, "search", given, scripts_of(game.name)[given.playout])


def middle(game, n, seed, decisions):
    """Records in mid-game, none of them over, determinised for the mover."""
    rng = np.random.default_rng(seed)
    states = game.reset(4 * n, seed)
    for _ in range(decisions):
        live = np.flatnonzero(~states.over)
        states = records.take(states, live)
        game.step_trusted(states, random_actions(game.legal_actions(states), rng))
    states = records.take(states, np.flatnonzero(~states.over)[:n])
    game.determinize(states, None, seed)
    return states


# ---------------------------------------------------------------- names


def test_names_give_budgets_and_settings():
    assert parsed("great_evening_banquet", "search:500").simulations == 500
    assert parsed("great_evening_banquet", "search:20ms").milliseconds == 20
    assert not parsed("great_evening_banquet", "flat:500").tree
    given = parsed("great_evening_banquet", "search:7,playout=random,depth=3,explore=0.5")
    assert (given.playout, given.depth, given.explore) == ("random", 3, 0.5)
    assert settings_for("a game without measured settings") == SearchSettings()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("search:", "expected search:N"),
        ("search:0", "expected search:N"),
        ("search:many", "expected search:N"),
        ("search:5,fast", "setting=value"),
        ("search:5,speed=2", "unknown setting 'speed'"),
        ("search:5,depth=deep", "expected int"),
        ("search:5,explore=-1", "must not be negative"),
        ("search:5,playout=nobody", "choose one of random"),
        ("search:5,milliseconds=5", "either simulations or milliseconds"),
    ],
)
def test_wrong_names_are_refused_with_a_reason(name, words):
    with pytest.raises(OptionError, match=words):
        make_agent(make_game("great_evening_banquet", 2), name)


@pytest.mark.parametrize("game", SHIPPED)
def test_measured_settings_can_be_played(game):
    assert settings_for(game).playout in playouts_of(game)


# ---------------------------------------------------------------- finding wins


@functools.cache
def forced_wins(name, seed, wanted=4):
    """End-games of two players in which some action always wins alone, whatever is hidden and however random play goes on, and others often lose.

    Returns records (wanted,) or a few more, and bool (wanted, A): the actions that always win.
    """
    game, rng = make_game(name, 2), np.random.default_rng(seed)
    found, wins = [], []
    states = game.reset(1024, seed)
    while len(found) < wanted:
        live = np.flatnonzero(~states.over)
        if not len(live):
            seed += 1
            assert seed < 30, "random play gives too few such end-games"
            states = game.reset(1024, seed)
            continue
        states = records.take(states, live)
        masks = game.legal_actions(states)
        after = records.copy(states)
        game.step_trusted(after, random_actions(masks, rng))
        for k in np.flatnonzero(after.over & (after.place[np.arange(len(after)), states.player] == 0)):
            chances = winning_chances(game, states[k : k + 1], masks[k], rng)
            if (chances == 1).any() and (chances[masks[k]] < 0.85).any():
                found.append(records.raw(states[k : k + 1]).copy())
                wins.append(chances == 1)
        states = after
    return np.concatenate(found).view(game.spec.state).view(np.recarray), np.array(wins)


def winning_chances(game, state, mask, rng):
    """float (A,): how often the mover alone wins after each action, over determinisations and random play; nan if illegal."""
    chances = np.full(len(mask), np.nan)
    for a in np.flatnonzero(mask):
        many = records.take(state, np.zeros(SAMPLES, np.int64))
        game.determinize(many, None, int(rng.integers(2**31)))
        game.step_trusted(many, np.full(SAMPLES, a))
        won = np.zeros(SAMPLES, bool)
        rows = np.arange(SAMPLES)
        while len(rows):
            ended = np.flatnonzero(many.over)
            others = np.delete(many.place[ended, : game.num_players], int(state.player[0]), axis=1)
            won[rows[ended]] = (others > 0).all(axis=1)
            going = np.flatnonzero(~many.over)
            many, rows = records.take(many, going), rows[going]
            if len(rows):
                game.step_trusted(many, random_actions(game.legal_actions(many), rng))
        chances[a] = won.mean()
    return chances


@pytest.mark.parametrize("kind", ["tree", "flat"])
@pytest.mark.parametrize("name", SHIPPED)
def test_forced_wins_are_found(name, kind):
    game, (found, wins) = make_game(name, 2), forced_wins(name, 11)
    states = records.copy(found)
    game.determinize(states, None, 5)
    actions, _, values = searching(game, 400, tree=kind == "tree", lead=0).search(states)
    assert wins[np.arange(len(states)), actions].all()
    assert (values[np.arange(len(states)), actions] > 0.99).all()


@pytest.mark.parametrize("pile", [2, 3, 5, 6, 7])
def test_a_solved_game_is_solved(pile):
    """The Last Crumb: leave a multiple of four; from 4 every move loses."""
    game = crumbs(2, pile=pile)
    states = game.reset(8, 3)
    actions, _, values = searching(game, 2000, lead=0, reduction=0).search(states)
    assert (actions == pile % 4).all()
    assert (values[:, pile % 4] > 0.8).all()


def test_with_three_players_everybody_minds_himself():
    """From two crumbs the mover wins by taking both; the two others are no team."""
    game = crumbs(3, pile=2)
    assert (searching(game, 200).act(game.reset(4, 1)) == 2).all()


# ---------------------------------------------------------------- hidden information


def test_nobody_peeks_at_the_coin():
    """Handed the true record, with its coin, the search guesses as often wrong as right."""
    game = guess()
    states = game.reset(2000, 1)
    actions = searching(game, 40).act(states)
    right = (actions == states.coin).mean()
    assert abs(right - 0.5) < 0.05


@pytest.mark.parametrize("name", [n for n in SHIPPED if game_spec(n).facts(make_game(n).rules[0]).hidden_information])
def test_choices_are_unchanged_under_determinize(name):
    """The same question with other hidden cards is answered alike: equal distributions over many searches."""
    game = make_game(name, 2)
    agent = searching(game, 30, depth=40)
    for k, state in enumerate(records.take(middle(game, 3, 21, 24), np.array([i]))[:1] for i in range(3)):
        truth = records.take(state, np.zeros(300, np.int64))
        truth["rng"] = np.random.default_rng(k).integers(2**63, size=300, dtype=np.uint64)
        other = records.take(state, np.zeros(300, np.int64))
        game.determinize(other, None, 100 + k)
        counts = np.array([np.bincount(agent.act(s), minlength=game.num_actions) for s in (truth, other)])
        used = counts[:, counts.sum(axis=0) > 0]
        if used.shape[1] > 1:
            assert chi2_contingency(used).pvalue > 1e-4


# ---------------------------------------------------------------- one search, many uses


def test_batch_threads_and_repetition_do_not_matter():
    game, threaded = make_game("great_evening_banquet", 3), make_game("great_evening_banquet", 3, threads=3)
    states = middle(game, 10, 5, 12)
    before = records.raw(states).copy()
    agent = searching(game, 100)
    actions, visits, values = agent.search(states)
    assert (records.raw(states) == before).all()
    for other in (agent, searching(threaded, 100)):
        again = other.search(states)
        assert all((a == b).all() for a, b in zip(again, (actions, visits, values), strict=True))
    for k in range(len(states)):
        one = agent.search(records.take(states, np.array([k])))
        assert one[0][0] == actions[k]
        assert (one[1][0] == visits[k]).all()


def test_budgets_are_kept():
    game = make_game("great_evening_banquet", 2)
    states = middle(game, 6, 5, 12)
    several = game.legal_actions(states).sum(axis=1) > 1
    visits = searching(game, 150).search(states)[1].sum(axis=1)
    assert (visits[several] == 150).all()
    assert (visits[~several] == 0).all()
    timed = SearchAgent(game, "timed", SearchSettings(milliseconds=3), scripts_of(game.name)["random"])
    assert (timed.search(states)[1].sum(axis=1)[several] >= 16).all()


def test_a_small_path_or_pool_only_bounds_the_tree():
    game = make_game("great_evening_banquet", 2)
    states = middle(game, 4, 9, 10)
    agent = searching(game, 300, longest=2)
    legal = game.legal_actions(states)
    assert legal[np.arange(len(states)), agent.act(states)].all()
    assert agent._idle[0].counts[3] <= 2


def test_played_alone_points_count():
    game = make_game("great_evening_banquet", 1)
    weak, strong = (play_match(game, [f"search:{n},playout=random"], 40, 2).estimate("points", 0) for n in (4, 150))
    assert strong.low > weak.high


_PLAIN = """
from tests.agents.test_search import middle, searching
from banquet_envs import make_game
game = make_game("great_evening_banquet", 2)
print(searching(game, 25).search(middle(game, 2, 4, 20))[1].tolist())
"""


def test_plain_python_searches_alike():
    outputs = [
        subprocess.run(
            [sys.executable, "-c", _PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": jit},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for jit in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
    assert "[[" in outputs[0]


# ---------------------------------------------------------------- strength


def check_budgets(name, budgets, games, options=""):
    """Each budget against the one before, and the largest against the smallest: none is clearly weaker. The last match."""
    game = make_game(name, 2)
    for small, large in dict.fromkeys((*itertools.pairwise(budgets), (budgets[0], budgets[-1]))):
        match = play_match(game, [f"search:{large}{options}", f"search:{small}{options}"], games, 8)
        assert match.estimate("share", 0).high > 0.5, f"search:{large} loses to search:{small}\n{match}"
    return match


@pytest.mark.parametrize("budgets", [(10, 100), pytest.param((10, 60, 360), marks=pytest.mark.long)], ids=str)
def test_more_simulations_do_not_weaken(budgets):
    match = check_budgets("great_evening_banquet", budgets, 100, ",playout=random")
    assert match.estimate("share", 0).low > 0.5


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in SHIPPED if n != "great_evening_banquet"])
def test_more_simulations_do_not_weaken_elsewhere(name):
    """With good scripts in the playouts, eight simulations play well already: a clear win would take thousands of games."""
    check_budgets(name, (8, 40, 200), 60)
