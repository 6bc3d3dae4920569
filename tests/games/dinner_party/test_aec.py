"""In PettingZoo, control passes to the charmed guest's owner in the middle of the charmer's turn, and back."""

from __future__ import annotations

import numpy as np

from banquet_envs import dinner_party_v0
from banquet_envs.games.dinner_party.state import Action, Phase


def test_agent_selection_shows_who_rolls_for_a_charmed_guest() -> None:
    env = dinner_party_v0.env(players=3)
    env.reset(seed=11)
    rng = np.random.default_rng(4)
    seen = set()
    while not env.game_over:
        record = env.record.reshape(1)[0]
        active, phase = int(record.active), int(record.phase)
        mover = env.possible_agents.index(env.agent_selection)
        if phase == Phase.ROLL and record.entertaining:
            assert mover == record.where[record.target]
            assert mover != active
            seen.add("owner")
        elif phase not in (Phase.ROLL, Phase.REROLL):
            assert mover == active
            seen.add("charmer")
        mask = np.asarray(env.observe(env.agent_selection)["action_mask"])
        legal = np.flatnonzero(mask)
        charms = legal[(legal >= Action.BY_GUEST) & (legal < Action.BY_GUEST + 46)]
        env.step(int(rng.choice(charms if len(charms) else legal)))
    assert seen == {"owner", "charmer"}
