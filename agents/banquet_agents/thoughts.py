"""What agents think of a decision, for those that can say it: probabilities of a policy, visits and pay-offs of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, MaxLen

MOST = 5
"""Actions of a thought."""


@dataclass(frozen=True)
class Thought:
    """What an agent thought of one decision.

    Attributes:
        actions: the actions it thought best of, best first, `MOST` at most.
        weights: for each, its probability, or its share of the search's visits.
        values: for each, the mean pay-off that the search found; empty for a policy.
        value: the pay-off that the agent expects for its seat.
        unit: what the weights are, "probability" or "visits".
    """

    actions: Annotated[tuple[Annotated[int, Ge(0)], ...], MaxLen(MOST)]
    weights: Annotated[tuple[float, ...], MaxLen(MOST)]
    values: Annotated[tuple[float, ...], MaxLen(MOST)]
    value: float
    unit: str


class Aloud:
    """An agent that keeps what it thought of its last decision; it decides as it would without.

    Args:
        agent: any Player.

    Attributes:
        can_say: whether the agent has anything to say of its decisions.
        thought: of the last decision, or None: the agent cannot say, or there was nothing to think of.
    """

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.name = getattr(agent, "name", type(agent).__name__)
        self.can_say = hasattr(agent, "search") or hasattr(agent, "network")
        self.thought: Thought | None = None
        if hasattr(agent, "act_on"):  # whoever asks an agent looks whether it has this
            self.act_on = self._act_on

    def act(self, states: np.ndarray) -> np.ndarray:
        """int64 (n,) actions for records in which the agent's seat is to move; the thought is of the first."""
        if not hasattr(self.agent, "search"):
            self.thought = None
            return self.agent.act(states)
        actions, visits, values = self.agent.search(states)
        self.thought = _of_search(visits[0], values[0])
        return actions

    def _act_on(self, observations: np.ndarray, masks: np.ndarray, words: np.ndarray) -> np.ndarray:
        network = getattr(self.agent, "network", None)
        self.thought = None if network is None else _of_network(network, observations[:1], masks[0])
        return self.agent.act_on(observations, masks, words)

    def decide(self, game: Any, states: np.recarray, words: np.ndarray) -> int:
        """The action for one record, determinised for the seat to move, with a uint64 (1,) word of chance."""
        if hasattr(self, "act_on"):
            return int(self.act_on(game.observe(states), game.legal_actions(states), words)[0])
        return int(self.act(states)[0])


def _of_search(visits: np.ndarray, values: np.ndarray) -> Thought | None:
    total = int(visits.sum())
    if total == 0:  # a single legal action is not searched
        return None
    value = float((visits * values.astype(np.float64)).sum() / total)
    return _thought(visits / total, values, value, "visits")


def _of_network(network: Any, observation: np.ndarray, mask: np.ndarray) -> Thought:
    logits = network.logits(observation)[0].astype(np.float64)
    weights = np.where(mask, np.exp(logits - logits[mask].max()), 0.0)
    return _thought(weights / weights.sum(), None, float(network.values(observation)[0]), "probability")


def _thought(weights: np.ndarray, values: np.ndarray | None, value: float, unit: str) -> Thought:
    """The best actions; figures rounded as far as anybody looks at them."""
    best = [int(a) for a in np.argsort(-weights, kind="stable")[:MOST] if weights[a] > 0]
    return Thought(
        tuple(best), tuple(round(float(weights[a]), 4) for a in best),
        () if values is None else tuple(round(float(values[a]), 4) for a in best), round(value, 4), unit,
    )  # fmt: skip
