"""Agents against each other: matches, evaluation, measures, the benchmark, tournaments."""
