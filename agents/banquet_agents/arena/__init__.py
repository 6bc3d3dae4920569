"""Agents against each other: matches, evaluation, measures, the benchmark, tournaments."""

from banquet_agents.arena.evaluate import strength
from banquet_agents.arena.matches import MatchResult, play_match
from banquet_agents.arena.measures import measure
from banquet_agents.arena.statistics import Estimate, estimate
from banquet_agents.arena.suite import Suite, load_suite
from banquet_agents.arena.tournament import play_tournament

__all__ = [
    "Estimate",
    "MatchResult",
    "Suite",
    "estimate",
    "load_suite",
    "measure",
    "play_match",
    "play_tournament",
    "strength",
]
