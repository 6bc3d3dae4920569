"""Compiled parts of the search with a network: its policy as prior of every node, its value where a simulation stops.

The tree is that of search_tree.py. A new node gets an edge for each allowed action at once, with the probability that
the network gives it from the view of the seat to move. Where another determinisation allows that seat more, the network
is asked again, and what is new joins with the probability it has there; priors count relative to what is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from banquet_agents import search_tree
from banquet_agents.mlp import INPUTS, policy_head, soften, trunk, value_head
from banquet_agents.search_tree import (
    DEPTH,
    DONE,
    EDGES,
    EXPLORE,
    LIMIT,
    NODE,
    NODES,
    REDUCTION,
    SCALE,
    WIDTH,
    add_edge,
    back_up,
    most_visited,
    new_node,
    report,
    simulation_word,
)
from banquet_envs.core.compile import rule, wrapping
from banquet_envs.core.random import seed_stream
from banquet_envs.core.rewards import POINTS, close_rewards
from banquet_envs.core.state import packed

if TYPE_CHECKING:  # bound per game and playout by core/compile.py
    STATE: np.dtype
    RULES: np.dtype
    legal_actions: Any
    resample: Any
    view: Any
    descend: Any
    play_out: Any
    ask: Any
    think: Any
    select: Any
    worth: Any
    begin: Any
    finish: Any

EDGE = packed([
    ("prior", np.float32), ("_pad", np.int32), *((name, search_tree.EDGE[name]) for name in search_tree.EDGE.names or ()),
])  # fmt: skip
"""An edge of search_tree.py with its prior probability; put first, or Numba would take it for a kind of the other."""

SCHEME, CONSIDERED = 3, 4
"""Entries of `limits` beyond those of search_tree.py, whose LIMIT may be -1 here for no playout: the rewards that the
network expects; actions that sequential halving begins with, 0 for PUCT at the root."""

TRUST, GUMBEL = 8, 9
"""Entries of `weights` beyond those of search_tree.py: see `SearchSettings`."""

_LUCK = np.uint64(0xA0761D6478BD642F)


@wrapping
def gumbel(word: Any, number: Any) -> Any:
    """A draw from the standard Gumbel distribution: that of `number` among those of a word."""
    unit = (float(simulation_word(word ^ _LUCK, number) >> np.uint64(11)) + 0.5) * (1.0 / 9007199254740992.0)
    return -np.log(-np.log(unit))


@rule
def expand(nodes: Any, edges: Any, counts: Any, node: Any, mask: Any, tried: Any, prior: Any) -> None:
    """Edges for what is allowed and has none yet, as far as there is room."""
    for a in range(mask.shape[0]):
        if mask[a] and not tried[a]:
            e = add_edge(nodes, edges, counts, node, a)
            if e >= 0:
                edges[e].prior = prior[a]


@rule
def edges_of(nodes: Any, edges: Any, node: Any) -> Any:
    """How many edges a node has."""
    count = 0
    e = nodes[node].first
    while e >= 0:
        count += 1
        e = edges[e].following
    return count


@rule
def mark(nodes: Any, edges: Any, node: Any, mask: Any, tried: Any) -> Any:
    """Note in `tried` which actions have an edge; how many of the allowed ones have none."""
    missing = 0
    for a in range(mask.shape[0]):
        tried[a] = False
        missing += int(mask[a])
    e = nodes[node].first
    while e >= 0:
        tried[edges[e].action] = True
        missing -= int(mask[edges[e].action])
        e = edges[e].following
    return missing


@rule
def best_by_puct(nodes: Any, edges: Any, node: Any, mask: Any, weights: Any, bounds: Any) -> Any:
    """The allowed edge with the greatest mean pay-off plus exploration, see `search_tree.select`; marks availability."""
    prior, total, visits = 1e-9, 0.0, 0
    e = nodes[node].first
    while e >= 0:
        if mask[edges[e].action]:
            edges[e].available += 1
            prior += edges[e].prior
            total += edges[e].value
            visits += edges[e].visits
        e = edges[e].following
    span = max(bounds[1] - bounds[0], 1e-9)
    untried = ((total / visits - bounds[0]) / span if visits > 0 else 0.5) - weights[REDUCTION]
    best, best_score = -1, -1e18
    e = nodes[node].first
    while e >= 0:
        if mask[edges[e].action]:
            n = edges[e].visits
            mean = (edges[e].value / n - bounds[0]) / span if n > 0 else untried
            score = mean + weights[EXPLORE] * edges[e].prior / prior * np.sqrt(float(edges[e].available)) / (1 + n)
            if score > best_score:
                best, best_score = e, score
        e = edges[e].following
    return best


@rule
def best_by_gumbel(nodes: Any, edges: Any, wanted: Any, seed: Any, weights: Any, bounds: Any) -> Any:
    """Among the root's edges with `wanted` visits the one with the greatest sum of luck, log prior and weighed pay-off.

    With a fitting sequence of `wanted` this is sequential halving (Danihelka et al., ICLR 2022): first the actions that
    promise most get a visit each, then only the better half of them gets more.
    """
    top = edges[most_visited(nodes, edges)].visits
    span = max(bounds[1] - bounds[0], 1e-9)
    best, best_score = -1, -1e18
    e = nodes[0].first
    while e >= 0:
        n = edges[e].visits
        if n == wanted:
            score = np.log(max(edges[e].prior, np.float32(1e-30))) + weights[GUMBEL] * gumbel(seed, edges[e].action)
            if n > 0:
                score += weights[TRUST] * (1.0 + top / 50.0) * (edges[e].value / n - bounds[0]) / span
            if score > best_score:
                best, best_score = e, score
        e = edges[e].following
    return best


def _ask(state, rules, player, network):  # type: ignore[no-untyped-def]
    """The value that `player`, or for -1 the seat to move, expects from its own view.

    `network` is plan, ends, weights and scratch of mlp.py.
    """
    plan, ends, weights, hidden, used = network
    view(state, rules, player, hidden[0, : plan[0, INPUTS]])
    return value_head(trunk(plan, ends, weights, hidden, used), plan, ends, weights, hidden, used)


def _think(state, rules, mask, prior, network):  # type: ignore[no-untyped-def]
    """Ask the network for the seat to move: fills `prior`; the value that the seat expects."""
    plan, ends, weights, hidden, used = network
    view(state, rules, -1, hidden[0, : plan[0, INPUTS]])
    row = trunk(plan, ends, weights, hidden, used)
    soften(hidden[policy_head(row, plan, ends, weights, hidden, used)], mask, prior)
    return value_head(row, plan, ends, weights, hidden, used)


def _select(nodes, edges, counts, node, mask, tried, state, guide, bounds):  # type: ignore[no-untyped-def]
    """The edge to follow from `node`, or -1; what is allowed for the first time here is added.

    `guide`, which `search_tree._descend` hands on where its own `select` takes weights: weights, rules, room for
    priors, and the network.
    """
    weights, rules_raw, prior, network = guide
    if mark(nodes, edges, node, mask, tried) > 0 and counts[EDGES] < edges.shape[0]:
        think(state, rules_raw.view(RULES)[0], mask, prior, network)
        expand(nodes, edges, counts, node, mask, tried, prior)
    return best_by_puct(nodes, edges, node, mask, weights, bounds)


def _worth(state, rules, network, scheme, scale, own, out):  # type: ignore[no-untyped-def]
    """What the position is worth to each seat, in rewards since the game began; `own` is what the seat to move expects.

    Of two players the other one expects the opposite. Of more each is asked from its own view, and where rewards sum to
    zero what they expect is shifted so that it does: they cannot all be ahead.
    """
    players = rules.players
    zero_sum = players > 1 and scheme != POINTS
    out[:] = 0.0
    close_rewards(state, players, scheme, scale, out)
    if state.over:
        return
    total = 0.0
    for p in range(players):
        if p == state.player:
            value = own
        elif zero_sum and players == 2:
            value = -own
        else:
            value = float(ask(state, rules, p, network))
        out[p] += min(1.0, max(-1.0, value)) if zero_sum else value
        total += out[p]
    if zero_sum:
        for p in range(players):
            out[p] -= total / players


def _begin(root, rules, network, nodes, edges, counts, slots, masks, prior):  # type: ignore[no-untyped-def]
    """The root's node with an edge for each action; the value that its seat expects."""
    slots[:] = -1
    masks[:] = False
    legal_actions(root, rules, masks[0])
    new_node(nodes, counts, np.uint64(0))
    value = think(root, rules, masks[0], prior, network)
    expand(nodes, edges, counts, 0, masks[0], masks[1], prior)
    return value


def _finish(  # type: ignore[no-untyped-def]
    state, rules, table, network, fresh, nodes, edges, counts, limits, weights, masks, prior, spare
):  # fmt: skip
    """From where the path ends: edges for the `fresh` node, a playout if there is one; what the seat then to move expects."""
    if state.over:
        return 0.0
    masks[:] = False
    legal_actions(state, rules, masks[0])
    value = float(think(state, rules, masks[0], prior, network))
    if fresh >= 0:
        expand(nodes, edges, counts, fresh, masks[0], masks[1], prior)
    if limits[LIMIT] >= 0:
        play_out(state, rules, table, limits, weights, masks[0], spare)
        if not state.over:
            value = float(ask(state, rules, -1, network))
    return value


def _grow(  # type: ignore[no-untyped-def]
    raw, rules_raw, row, table, plan, ends, parameters, schedule, simulations, limits, weights, nodes_raw, edges_raw,
    slots, counts, path, paid, bounds, masks, view, scratch, hidden, used, prior, visits, values, priors, expected,
):  # fmt: skip
    """Run `simulations` more for the seat to move in record `row`; the action that is best so far.

    See `search_tree._grow`. `schedule` says, for each number of considered actions, how many visits the action has that
    is to be visited next: column k for simulation k. `priors` and `expected` are told what the network makes of the root.
    """
    states, rules = raw.view(STATE), rules_raw.view(RULES)[0]
    nodes, edges = nodes_raw.view(NODE), edges_raw.view(EDGE)
    size = raw.shape[0] // states.shape[0]
    root, records = states[row], scratch.view(STATE)
    state, spare = records[0], records[1:]
    seen, words = view[: limits[WIDTH]], view.view(np.uint64)
    network = plan, ends, parameters, hidden, used
    guide = weights, rules_raw, prior, network
    if counts[NODES] == 0:
        expected[row] = begin(root, rules, network, nodes, edges, counts, slots, masks, prior)
        priors[row, :] = prior
    considered = min(limits[CONSIDERED], edges_of(nodes, edges, 0))
    for _ in range(simulations):
        deal, edge = counts[DONE], -1
        if considered > 0:  # all that compete for a visit meet the same deals
            edge = best_by_gumbel(nodes, edges, schedule[considered, counts[DONE]], root.rng, weights, bounds)
            deal = edges[edge].visits
        scratch[:size] = raw[row * size : (row + 1) * size]
        seed_stream(state, simulation_word(root.rng, deal))
        resample(state, rules, root.player)
        if considered == 0:
            masks[0][:] = False
            legal_actions(state, rules, masks[0])
            edge = select(nodes, edges, counts, 0, masks[0], masks[1], state, guide, bounds)
        depth, fresh = descend(
            state,
            rules,
            root.player,
            edge,
            nodes,
            edges,
            slots,
            counts,
            limits,
            guide,
            bounds,
            path,
            masks,
            seen,
            words,
        )
        own = finish(state, rules, table, network, fresh, nodes, edges, counts, limits, weights, masks, prior, spare)
        worth(state, rules, network, limits[SCHEME], weights[SCALE], own, paid)
        back_up(nodes, edges, path, depth, paid, bounds)
        counts[DONE] += 1
        counts[DEPTH] = max(counts[DEPTH], depth)
    best = report(nodes, edges, weights, visits[row], values[row])
    if considered > 0:
        most = visits[row, best]
        best = edges[best_by_gumbel(nodes, edges, most, root.rng, weights, bounds)].action
    return best


PARTS = {
    "ask": _ask, "think": _think, "select": _select, "descend": search_tree.DESCEND, "play_out": search_tree.PLAY_OUT,
    "worth": _worth, "begin": _begin, "finish": _finish,
}  # fmt: skip
"""To be bound to a game in this order, for the kernel to call."""

TEMPLATES = {
    "grow": (
        _grow,
        "int64(uint8[::1], uint8[::1], int64, float32[::1], int64[:, ::1], int64[::1], float32[::1], int64[:, ::1],"
        " int64, int64[::1], float64[::1], uint8[::1], uint8[::1], int32[::1], int64[::1], int64[:, ::1], float64[::1],"
        " float64[::1], boolean[:, ::1], float32[::1], uint8[::1], float32[:, ::1], int64[::1], float32[::1],"
        " int32[:, ::1], float32[:, ::1], float32[:, ::1], float32[::1])",
    )
}
