import math

import numpy as np
import pytest

from banquet_agents.arena.statistics import estimate, t_quantile


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (2, 4.303), (3, 3.182), (9, 2.262), (30, 2.042), (500, 1.965)]
)
def test_t_quantile_is_that_of_the_printed_tables(freedom, value):
    assert t_quantile(freedom) == pytest.approx(value, rel=5e-3)


def test_interval_of_four_deals_by_hand():
    # mean 3/4, sample deviation 1/2, so 3.182 * 0.5 / 2 on either side
    found = estimate(np.array([1.0, 0.0, 1.0, 1.0]))
    assert found.mean == 0.75
    assert found.high - found.mean == pytest.approx(0.7955, rel=5e-3)
    assert found.mean - found.low == pytest.approx(0.7955, rel=5e-3)


def test_shares_stay_within_0_and_1():
    found = estimate(np.array([1.0, 0.0, 1.0, 1.0]), share=True)
    assert found.high == 1.0
    assert found.low == 0.0


def test_a_clean_sweep_is_not_certainty():
    # exact binomial: 0.025 ** (1 / 10)
    assert estimate(np.ones(10), share=True) == (1.0, pytest.approx(0.6915, abs=1e-4), 1.0)
    assert estimate(np.zeros(10), share=True) == (0.0, 0.0, pytest.approx(0.3085, abs=1e-4))


def test_no_interval_from_one_value_or_when_refused():
    assert math.isnan(estimate(np.array([1.0])).low)
    assert math.isnan(estimate(np.array([1.0, 0.0]), refuse=True).high)
    assert math.isnan(estimate(np.array([])).mean)


def test_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(2000):
        found = estimate(rng.normal(3.0, 1.0, size=6))
        hits += found.low <= 3.0 <= found.high
    assert 0.935 < hits / 2000 < 0.965
