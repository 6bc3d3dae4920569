"""Compiled parts of the search: node pools, selection, pay-offs, and the loop of simulations.

Information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse, IEEE TCIAIG 2012): every
simulation begins with a fresh determinisation of the root for the searching seat. Chance happens inside `apply`, so a
node stands for what the searching seat has observed on the way to it, not for a stored state: its key hashes its
parent's key, that seat's observation and whose turn it is. Hidden moves of others that look alike share a node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from banquet_envs.core.compile import rule, wrapping
from banquet_envs.core.random import mix, random_set, random_unit, seed_stream
from banquet_envs.core.state import packed

if TYPE_CHECKING:  # bound per game and playout by core/compile.py
    STATE: np.dtype
    RULES: np.dtype
    legal_actions: Any
    apply: Any
    view: Any
    resample: Any
    choose: Any
    value: Any
    descend: Any
    play_out: Any
    pay_off: Any

NODE = packed([("key", np.uint64), ("first", np.int32), ("visits", np.int32), ("hint", np.int32), ("_pad", np.int32)])
"""A node: key; its first edge or -1; visits; the action that the playout's script prefers here, or -1."""

EDGE = packed([
    ("value", np.float64), ("square", np.float64),
    ("action", np.int32), ("following", np.int32), ("visits", np.int32), ("available", np.int32),
])  # fmt: skip
"""An action at a node: sum of its mover's pay-offs, and of their squares; the node's next edge or -1; visits; how often
it was legal."""

NODES, EDGES, DONE, DEPTH = range(4)
"""Entries of `counts`: nodes and edges in use, simulations done, deepest path so far."""

TREE, LIMIT, WIDTH = range(3)
"""Entries of `limits`: grow a tree (1) or only the root's edges (0); most decisions of a playout (0: to the end);
features of an observation."""

EXPLORE, PRIOR, REDUCTION, NOISE, LEAD, SLOPE, DOUBT, SCALE = range(8)
"""Entries of `weights`, see `SearchSettings`; SCALE is the game's points scale."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@wrapping
def observed_key(key: Any, view: Any, player: Any) -> Any:
    """The key of the node that follows `key` when the searching seat sees `view`, uint64 words, and `player` moves."""
    h = mix(key + np.uint64(player))
    for k in range(view.shape[0]):
        h = (h ^ view[k]) * _FACTOR
        h ^= h >> np.uint64(32)
    return mix(h)


@wrapping
def simulation_word(word: Any, number: Any) -> Any:
    """The seed word of a search's simulation `number`."""
    return mix(word ^ mix(np.uint64(number)))


@rule
def new_node(nodes: Any, counts: Any, key: Any) -> Any:
    """The number of a new node."""
    n = counts[NODES]
    counts[NODES] += 1
    nodes[n].key = key
    nodes[n].first = -1
    nodes[n].visits = 0
    nodes[n].hint = -1
    return n


@rule
def find(nodes: Any, counts: Any, slots: Any, key: Any) -> Any:
    """The slot of the node with this key, or the empty slot where it belongs; the table is never full."""
    last = slots.shape[0] - 1
    at = np.int64(key & np.uint64(last))
    while slots[at] >= 0 and nodes[slots[at]].key != key:
        at = (at + 1) & last
    return at


@rule
def add_edge(nodes: Any, edges: Any, counts: Any, node: Any, action: Any) -> Any:
    """A new edge of `node`, which has been legal once; -1 when the pool is full."""
    e = counts[EDGES]
    if e >= edges.shape[0]:
        return -1
    counts[EDGES] += 1
    edges[e].value = 0.0
    edges[e].square = 0.0
    edges[e].action = action
    edges[e].visits = 0
    edges[e].available = 1
    edges[e].following = nodes[node].first
    nodes[node].first = e
    return e


@rule
def prior_of(action: Any, hint: Any, legal: Any, weight: Any) -> Any:
    """The prior probability of an action: `weight` for the hint, the rest shared equally by all legal actions."""
    if hint < 0:
        return 1.0 / legal
    if action == hint:
        return weight + (1.0 - weight) / legal
    return (1.0 - weight) / legal


@rule
def select(
    nodes: Any, edges: Any, counts: Any, node: Any, mask: Any, tried: Any, state: Any, weights: Any, bounds: Any
) -> Any:
    """The edge to follow from `node`, newly made where an untried action promises most; marks availability.

    Score: mean pay-off, scaled to [0, 1] between the least and the greatest seen, plus
    EXPLORE * prior * sqrt(times legal) / (1 + visits) (the PUCT rule of Silver et al., Science 2018, with the
    availability counts of the information-set search). An untried action counts as the node's mean less REDUCTION.
    """
    legal = 0
    for a in range(mask.shape[0]):
        tried[a] = False
        if mask[a]:
            legal += 1
    hint = nodes[node].hint
    if hint >= 0 and not mask[hint]:
        hint = -1
    span = max(bounds[1] - bounds[0], 1e-9)
    best, best_score, known, total, visits = -1, -1e18, 0, 0.0, 0
    e = nodes[node].first
    while e >= 0:
        a = edges[e].action
        if mask[a]:
            tried[a] = True
            known += 1
            edges[e].available += 1
            n = edges[e].visits
            total += edges[e].value
            visits += n
            mean = (edges[e].value / n - bounds[0]) / span if n > 0 else 0.5
            bonus = prior_of(a, hint, legal, weights[PRIOR]) * np.sqrt(float(edges[e].available)) / (1 + n)
            score = mean + weights[EXPLORE] * bonus
            if score > best_score:
                best, best_score = e, score
        e = edges[e].following
    if known == legal:
        return best
    fresh = hint
    if fresh < 0 or tried[fresh]:
        fresh = pick_untried(state, mask, tried, legal - known)
    mean = (total / visits - bounds[0]) / span if visits > 0 else 0.5
    bonus = prior_of(fresh, hint, legal, weights[PRIOR]) * np.sqrt(nodes[node].visits + 1.0)
    if best >= 0 and mean - weights[REDUCTION] + weights[EXPLORE] * bonus <= best_score:
        return best
    added = add_edge(nodes, edges, counts, node, fresh)
    return best if added < 0 else added


@rule
def pick_untried(state: Any, mask: Any, tried: Any, left: Any) -> Any:
    """A uniformly random legal action among the `left` that have no edge yet."""
    for a in range(mask.shape[0]):
        tried[a] = mask[a] and not tried[a]
    return random_set(state, tried)


@rule
def points_ahead(state: Any, rules: Any, table: Any, player: Any) -> Any:
    """Points of a seat less those of the best other one; with one player just its points."""
    if rules.players == 1:
        return float(state.points[player])
    others = -32768
    for q in range(rules.players):
        if q != player:
            others = max(others, int(state.points[q]))
    return float(int(state.points[player]) - others)


@rule
def back_up(nodes: Any, edges: Any, path: Any, depth: Any, paid: Any, bounds: Any) -> None:
    """Credit every edge of the path with its own mover's pay-off. `path` rows: node, edge, mover."""
    for k in range(depth):
        value = paid[path[k, 2]]
        nodes[path[k, 0]].visits += 1
        edges[path[k, 1]].visits += 1
        edges[path[k, 1]].value += value
        edges[path[k, 1]].square += value * value
        bounds[0] = min(bounds[0], value)
        bounds[1] = max(bounds[1], value)


@rule
def error_of(edge: Any) -> Any:
    """The squared standard error of an edge's mean pay-off."""
    n = edge.visits
    mean = edge.value / n
    return max(edge.square / n - mean * mean, 0.0) / max(n - 1, 1)


@rule
def most_visited(nodes: Any, edges: Any) -> Any:
    """The root's most visited edge, the better one of equals."""
    best = nodes[0].first
    e = edges[best].following
    while e >= 0:
        n, most = edges[e].visits, edges[best].visits
        if n > most or (n == most and edges[e].value > edges[best].value):
            best = e
        e = edges[e].following
    return best


@rule
def preferred(nodes: Any, edges: Any, doubt: Any) -> Any:
    """The root's most visited edge; that of the hint, where it does not look better by `doubt` standard errors.

    Most decisions of a long game matter less than the simulations' noise: without doubt, search would trade a good
    script's choices for lucky ones.
    """
    best, own = most_visited(nodes, edges), nodes[0].first
    while own >= 0 and edges[own].action != nodes[0].hint:
        own = edges[own].following
    if own < 0 or own == best or edges[own].visits == 0:
        return best
    gain = edges[best].value / edges[best].visits - edges[own].value / edges[own].visits
    return best if gain > doubt * np.sqrt(error_of(edges[best]) + error_of(edges[own])) else own


@rule
def report(nodes: Any, edges: Any, weights: Any, visits: Any, values: Any) -> Any:
    """Write visits and mean pay-offs of the root's actions; the action to play."""
    visits[:] = 0
    values[:] = 0.0
    e = nodes[0].first
    while e >= 0:
        n = edges[e].visits
        visits[edges[e].action] = n
        if n > 0:
            values[edges[e].action] = edges[e].value / n
        e = edges[e].following
    if weights[PRIOR] > 0.0:
        return edges[preferred(nodes, edges, weights[DOUBT])].action
    return edges[most_visited(nodes, edges)].action


def _descend(  # type: ignore[no-untyped-def]
    state, rules, seat, edge, nodes, edges, slots, counts, limits, weights, bounds, path, masks, seen, words
):  # fmt: skip
    """From the root by `edge` along the tree, playing on `state`; the path's length and the new node at its end, or -1."""
    node, depth = 0, 0
    while edge >= 0:  # -1: the pool is full
        path[depth, 0], path[depth, 1], path[depth, 2] = node, edge, state.player
        depth += 1
        state.ply += 1
        apply(state, rules, edges[edge].action)
        if state.over or depth == path.shape[0] or limits[TREE] == 0:
            break
        view(state, rules, seat, seen)
        key = observed_key(nodes[node].key, words, state.player)
        at = find(nodes, counts, slots, key)
        if slots[at] < 0:
            if counts[NODES] == nodes.shape[0]:
                break
            slots[at] = new_node(nodes, counts, key)
            return depth, slots[at]
        node = slots[at]
        masks[0][:] = False
        legal_actions(state, rules, masks[0])
        edge = select(nodes, edges, counts, node, masks[0], masks[1], state, weights, bounds)
    return depth, -1


def _play_out(state, rules, table, limits, weights, mask, spare):  # type: ignore[no-untyped-def]
    """Play on with the script, now and then at random, to the end or the limit; the script's first choice or -1."""
    hint, steps = -1, 0
    while not state.over and (limits[LIMIT] == 0 or steps < limits[LIMIT]):
        mask[:] = False
        legal_actions(state, rules, mask)
        if weights[NOISE] > 0.0 and random_unit(state) < weights[NOISE]:
            action = random_set(state, mask)
        else:
            action = choose(state, rules, table, mask, spare)
            if steps == 0:
                hint = action
        state.ply += 1
        apply(state, rules, action)
        steps += 1
    return hint


def _pay_off(state, rules, table, weights, out):  # type: ignore[no-untyped-def]
    """What the simulation's last position is worth to each seat.

    At the end: the seat's share of the win plus LEAD times its lead in points, scaled and clipped to [-1, 1]. In a
    playout that was cut off the lead is what the script's value says, and the share is estimated from it:
    1/P + SLOPE * lead, clipped to [0, 1]. With one player: the points, scaled.
    """
    players = rules.players
    winners = 0
    for p in range(players):
        if state.over and state.place[p] == 0:
            winners += 1
    for p in range(players):
        if state.over:
            lead = points_ahead(state, rules, table, p) * weights[SCALE]
        else:
            lead = value(state, rules, table, p) * weights[SCALE]
        if players == 1:
            out[p] = lead
            continue
        lead = min(1.0, max(-1.0, lead))
        if not state.over:
            share = min(1.0, max(0.0, 1.0 / players + weights[SLOPE] * lead))
        elif state.place[p] == 0:
            share = 1.0 / winners
        else:
            share = 0.0
        out[p] = share + weights[LEAD] * lead


def _grow(  # type: ignore[no-untyped-def]
    raw, rules_raw, row, table, simulations, limits, weights, nodes_raw, edges_raw, slots, counts, path, paid, bounds,
    masks, view, scratch, visits, values,
):  # fmt: skip
    """Run `simulations` more for the seat to move in record `row`; the action that is best so far.

    The pool belongs to this search alone until `counts` is set to zero. `scratch` is a few spare records, `view` an
    observation with an even number of entries, whose last one stays as it is where the width is odd.
    """
    states, rules = raw.view(STATE), rules_raw.view(RULES)[0]
    nodes, edges = nodes_raw.view(NODE), edges_raw.view(EDGE)
    size = raw.shape[0] // states.shape[0]
    root, records = states[row], scratch.view(STATE)
    state, spare = records[0], records[1:]
    seen, words = view[: limits[WIDTH]], view.view(np.uint64)
    for _ in range(simulations):
        scratch[:size] = raw[row * size : (row + 1) * size]
        seed_stream(state, simulation_word(root.rng, counts[DONE]))
        resample(state, rules, root.player)
        masks[0][:] = False
        legal_actions(state, rules, masks[0])
        if counts[NODES] == 0:
            slots[:] = -1
            nodes[new_node(nodes, counts, np.uint64(0))].hint = choose(state, rules, table, masks[0], spare)
        edge = select(nodes, edges, counts, 0, masks[0], masks[1], state, weights, bounds)
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
            weights,
            bounds,
            path,
            masks,
            seen,
            words,
        )
        hint = play_out(state, rules, table, limits, weights, masks[0], spare)
        if fresh >= 0:
            nodes[fresh].hint = hint
        pay_off(state, rules, table, weights, paid)
        back_up(nodes, edges, path, depth, paid, bounds)
        counts[DONE] += 1
        counts[DEPTH] = max(counts[DEPTH], depth)
    return report(nodes, edges, weights, visits[row], values[row])


DESCEND, PLAY_OUT, PAY_OFF = _descend, _play_out, _pay_off
TEMPLATES = {
    "grow": (
        _grow,
        "int64(uint8[::1], uint8[::1], int64, float32[::1], int64, int64[::1], float64[::1],"
        " uint8[::1], uint8[::1], int32[::1], int64[::1], int64[:, ::1], float64[::1], float64[::1], boolean[:, ::1],"
        " float32[::1], uint8[::1], int32[:, ::1], float32[:, ::1])",
    )
}
