"""`search:N,policy=FOLDER`: the tree search of search.py with a network's policy and value in it, all compiled.

The network's policy is every node's prior, its value what a position is worth where a simulation stops. Pay-offs are
the rewards that it was trained for. At the root PUCT chooses, or, with `gumbel=true`, sequential halving.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_agents import policy_tree
from banquet_agents.compiled import Script
from banquet_agents.mlp import packed_network
from banquet_agents.policy import Network
from banquet_agents.search import NO_PLAYOUT, Pool, SearchAgent, SearchSettings, search_kernels
from banquet_envs.core.errors import OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.rewards import SCHEMES

BRANCHING = 48
"""Edges in the pool for each simulation. A tree that runs out of them grows no further; its edges are visited on."""


class PolicySearchAgent(SearchAgent):
    """Searches with a network.

    Args:
        game: the Game it plays.
        name: what to call it.
        settings: budget and manners; `policy` is not read here.
        script: what plays on before the network is asked for a value, where `settings.playout` names one.
        network: policy and value.
        reward: the scheme of rewards that the value is about.

    Raises:
        OptionError: no budget, one that does not suit, or unknown rewards.
    """

    def __init__(
        self, game: Game, name: str, settings: SearchSettings, script: Script, network: Network, reward: str = "win"
    ) -> None:
        super().__init__(game, name, settings, script)
        if settings.gumbel and not settings.simulations:
            raise OptionError(f"agent {name!r}: sequential halving needs a number of simulations, not milliseconds")
        if settings.gumbel and settings.considered < 1:
            raise OptionError(f"agent {name!r}: considered={settings.considered} is not allowed; it must be 1 or more")
        if reward not in SCHEMES:
            raise OptionError(f"agent {name!r}: the policy was trained for the rewards {reward!r}, which are not known")
        self.reward = reward
        self.kernels = search_kernels(
            game, f"policy.{settings.playout}", script, policy_tree.PARTS, policy_tree.TEMPLATES, ("policy_tree", "mlp")
        )
        self.limits = np.array([
            settings.tree, -1 if settings.playout == NO_PLAYOUT else settings.depth, game.observation_size,
            SCHEMES.index(reward), settings.considered if settings.gumbel else 0,
        ])  # fmt: skip
        self.weights = np.append(self.weights, [settings.trust, settings.luck])
        self.schedule = halving(settings.simulations, settings.considered if settings.gumbel else 0)
        self.take_up(network)

    def __reduce__(self) -> Any:
        return PolicySearchAgent, (self.game, self.name, self.settings, self.script, self.network, self.reward)

    def take_up(self, network: Network) -> None:
        """Go on with this network in place of the one before."""
        self.network = network
        self.packed = packed_network(network.shape.layers(), network.weights, network.shape.activation)
        self._idle.clear()  # their scratch may be too narrow

    def improved(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What the search has found, as a policy to learn from.

        Args:
            states: records (n,), none of them over.

        Returns:
            Actions int64 (n,); probabilities float32 (n, A): the network's, raised where the search found a pay-off
            above what was expected, lowered where it found one below (the completed values of Danihelka et al., ICLR
            2022). Where a single action is allowed it has all.
        """
        found = self._found(len(states))
        actions = self._search(states, found)
        visits, values, priors, expected = found
        priors[np.arange(len(states)), actions] += visits.sum(axis=1) == 0
        return actions, completed(visits, values, priors, expected, self.settings.trust, *self._bounds())

    def _bounds(self) -> tuple[float, float]:
        """Between which pay-offs lie; infinities where nobody knows."""
        known = self.game.num_players > 1 and self.reward != "points"
        return (-1.0, 1.0) if known else (np.inf, -np.inf)

    def _found(self, n: int) -> tuple[np.ndarray, ...]:
        """Visits, mean pay-offs, priors, and what the network expects at the root."""
        return *super()._found(n), np.zeros((n, self.game.num_actions), np.float32), np.zeros(n, np.float32)

    def _pool(self) -> Pool:
        pool = Pool(self.game, self._most(), self.settings.longest, policy_tree.EDGE, BRANCHING)
        pool.network = *self.packed.scratch(), np.zeros(self.game.num_actions, np.float32)
        return pool

    def _one(self, states: np.ndarray, row: int, pool: Pool, found: tuple[np.ndarray, ...]) -> int:
        """Search one record until the budget is spent."""
        pool.clear(*self._bounds())
        packed, fixed = self.packed, (*pool.arguments(), *pool.network, *found)

        def grow(simulations: int) -> int:
            return self.kernels.grow(
                states, self.game.rules_raw, row, self.table, packed.plan, packed.ends, packed.weights, self.schedule,
                simulations, self.limits, self.weights, *fixed,
            )  # fmt: skip

        return self._until_spent(grow)


def halving(simulations: int, most: int) -> np.ndarray:
    """The order of visits in sequential halving.

    Args:
        simulations: in all.
        most: actions that are considered at most.

    Returns:
        int64 (most + 1, simulations): with m actions considered, entry [m, k] is how many visits the action has that
        simulation k goes to. All considered ones get as many, then the better half of them, and so on to the last two.
    """
    table = np.zeros((most + 1, simulations), np.int64)
    for m in range(1, most + 1):
        order: list[int] = []
        left, done, rounds = m, 0, max(1, int(np.ceil(np.log2(m))))
        while len(order) < simulations:
            each = max(1, simulations // (rounds * left))
            for k in range(each):
                order += [done + k] * left
            done += each
            left = max(2, left // 2) if m > 1 else 1
        table[m] = order[:simulations]
    return table


def completed(
    visits: np.ndarray, values: np.ndarray, priors: np.ndarray, expected: np.ndarray, trust: float, least: float,
    greatest: float,
) -> np.ndarray:  # fmt: skip
    """The improved policy of a search: softmax of log prior plus weighed pay-off.

    An action without a visit is taken to be worth what the network and the visited ones, weighed by their priors, say of
    the root.

    Args:
        visits, values, priors: (n, A) of the root's actions; prior 0 where not allowed.
        expected: float32 (n,), the network's value of the root.
        trust: see `SearchSettings`.
        least, greatest: of pay-offs; where they are infinite, those of each root's own actions.

    Returns:
        float32 (n, A), rows summing to one.
    """
    seen, total = visits > 0, visits.sum(axis=1, keepdims=True)
    weight = np.where(seen, priors, 0)
    mean = (weight * values).sum(axis=1, keepdims=True) / np.maximum(weight.sum(axis=1, keepdims=True), 1e-30)
    mixed = (expected[:, None] + total * mean) / (1 + total)
    known = np.where(seen, values, mixed)
    low = np.minimum(least, known.min(axis=1, keepdims=True))
    high = np.maximum(greatest, known.max(axis=1, keepdims=True))
    scaled = (known - low) / np.maximum(high - low, 1e-9)
    scores = np.log(np.maximum(priors, 1e-30)) + trust * (1 + visits.max(axis=1, keepdims=True) / 50) * scaled
    scores = np.where(priors > 0, scores, -np.inf)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (p / p.sum(axis=1, keepdims=True)).astype(np.float32)
