"""A policy's network in compiled code: one observation at a time, for loops that cannot wait for Python.

Observations, and what ReLU leaves of a layer, are mostly zeros: a layer adds up the rows of its weights that belong to
inputs other than zero, four at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from banquet_envs.core.compile import rule

INPUTS, OUTPUTS, AT, ACTIVATION = range(4)
"""Columns of a plan, one row for each layer: widths; where its weights begin; what follows it."""

NONE, RELU, TANH = range(3)

TRUNK, POLICY, VALUE = range(3)
"""Entries of `ends`: the layer after the trunk's last, the policy head's, the value head's."""

ROWS = 4
"""Rows of scratch: two by turns for the trunk, the first of them its input; two for a head."""


@dataclass(frozen=True)
class PackedNetwork:
    """What compiled code reads of a network.

    Attributes:
        plan: int64 (L, 4), see the columns above; trunk, then policy head, then value head.
        ends: int64 (3,).
        weights: float32 (k,): for every layer its bias, then a row of weights for each input.
    """

    plan: np.ndarray
    ends: np.ndarray
    weights: np.ndarray

    def scratch(self) -> tuple[np.ndarray, np.ndarray]:
        """float32 (ROWS, widest layer) and int64 (widest layer,) to write to, for one thread."""
        widest = int(self.plan[:, : OUTPUTS + 1].max())
        return np.zeros((ROWS, widest), np.float32), np.zeros(widest, np.int64)


def packed_network(
    layers: Mapping[str, tuple[int, int]], weights: Mapping[str, np.ndarray], activation: str
) -> PackedNetwork:
    """Pack a network.

    Args:
        layers: name -> (outputs, inputs), in order, as of `policy.NetworkShape.layers`.
        weights: `<layer>.weight` float32 (outputs, inputs) and `<layer>.bias` (outputs,).
        activation: "relu" or "tanh", after every layer but `logits` and `values`.
    """
    plan, blocks, at = [], [], 0
    for name, (outputs, inputs) in layers.items():
        after = NONE if name in ("logits", "values") else RELU if activation == "relu" else TANH
        plan.append((inputs, outputs, at, after))
        blocks += [weights[f"{name}.bias"], weights[f"{name}.weight"].T.ravel()]
        at += outputs * (1 + inputs)
    trunk = sum(name.startswith("shared") for name in layers)
    ends = trunk, list(layers).index("logits") + 1, len(plan)
    return PackedNetwork(np.array(plan), np.array(ends), np.concatenate(blocks, dtype=np.float32))


@rule
def _row(weights: Any, k: Any, width: Any) -> Any:
    """The weights of input k."""
    return weights[(k + 1) * width : (k + 2) * width]


@rule
def _linear(x: Any, weights: Any, y: Any, used: Any) -> None:
    """y = bias + weights x, where `weights` holds the bias and then a row of y's width for each entry of x."""
    width, count = y.shape[0], 0
    for k in range(x.shape[0]):
        used[count] = k  # no branch: nobody can predict which features are there
        count += int(x[k] != 0)
    y[:] = weights[:width]
    whole = count - count % 4
    for k in range(0, whole, 4):  # four rows at a time: y is read and written a quarter as often
        a, b, c, d = used[k], used[k + 1], used[k + 2], used[k + 3]
        xa, xb, xc, xd = x[a], x[b], x[c], x[d]
        wa, wb, wc, wd = (
            _row(weights, a, width),
            _row(weights, b, width),
            _row(weights, c, width),
            _row(weights, d, width),
        )
        for j in range(width):
            y[j] += (xa * wa[j] + xb * wb[j]) + (xc * wc[j] + xd * wd[j])
    for k in range(whole, count):
        xa, wa = x[used[k]], _row(weights, used[k], width)
        for j in range(width):
            y[j] += xa * wa[j]


@rule
def _activate(y: Any, activation: Any) -> None:
    if activation == RELU:
        for j in range(y.shape[0]):
            y[j] = max(y[j], np.float32(0.0))
    elif activation == TANH:
        for j in range(y.shape[0]):
            y[j] = np.tanh(y[j])


@rule
def _through(first: Any, end: Any, source: Any, pair: Any, plan: Any, weights: Any, hidden: Any, used: Any) -> Any:
    """Layers `first` to `end - 1`, from row `source` of `hidden`, by turns into rows `pair` and `pair + 1`; the last row."""
    for k in range(first, end):
        target = pair + int(source == pair)
        inputs, outputs, at = plan[k, INPUTS], plan[k, OUTPUTS], plan[k, AT]
        y = hidden[target, :outputs]
        _linear(hidden[source, :inputs], weights[at : at + outputs * (1 + inputs)], y, used)
        _activate(y, plan[k, ACTIVATION])
        source = target
    return source


@rule
def trunk(plan: Any, ends: Any, weights: Any, hidden: Any, used: Any) -> Any:
    """What the trunk makes of the observation in hidden[0], which is written over; the row where it stands."""
    return _through(0, ends[TRUNK], 0, 0, plan, weights, hidden, used)


@rule
def policy_head(source: Any, plan: Any, ends: Any, weights: Any, hidden: Any, used: Any) -> Any:
    """Logits from the trunk's row; the row where they stand."""
    return _through(ends[TRUNK], ends[POLICY], source, 2, plan, weights, hidden, used)


@rule
def value_head(source: Any, plan: Any, ends: Any, weights: Any, hidden: Any, used: Any) -> Any:
    """The value that the observing seat expects, from the trunk's row."""
    return hidden[_through(ends[POLICY], ends[VALUE], source, 2, plan, weights, hidden, used), 0]


@rule
def soften(logits: Any, mask: Any, out: Any) -> None:
    """Probabilities of the allowed actions, 0 for the others; the mask has at least one."""
    top = -np.inf
    for a in range(mask.shape[0]):
        if mask[a]:
            top = max(top, logits[a])
    total = 0.0
    for a in range(mask.shape[0]):
        out[a] = np.exp(logits[a] - top) if mask[a] else 0.0
        total += out[a]
    for a in range(mask.shape[0]):
        out[a] /= total
