"""Scoring: guests, occupations, Scoring Abilities, and ties."""

from __future__ import annotations

from banquet_envs.core.compile import rule
from banquet_envs.core.rewards import rank_by
from banquet_envs.core.types import Rules, State
from banquet_envs.games.dinner_party.components import HITLER, OCCUPATIONS, Ability, Drink, Kind, ScoreCondition
from banquet_envs.games.dinner_party.tables import (
    count_occupations,
    guests_without_hitler,
    neighbour,
    occupations_at,
)

TIE_BASE = 4096


@rule
def table_points(state: State, rules: Rules, seat: int) -> int:
    """What a Table would score now."""
    points = rules.occupation_points[count_occupations(occupations_at(state, rules, seat))]
    for k in range(state.seated[seat]):
        guest = state.table[seat, k]
        points += rules.guests[guest].worth
        ability = rules.guests[guest].ability
        if ability.kind == Kind.SCORE and score_condition(state, rules, ability, seat, k):
            points += ability.amount
    return points


@rule
def score_condition(state: State, rules: Rules, ability: Ability, seat: int, k: int) -> bool:
    """Whether the Scoring Ability of the guest at position `k` pays; once, not per neighbour (ruling Q38)."""
    if ability.condition == ScoreCondition.ALWAYS:
        return True
    if ability.condition == ScoreCondition.ALL_OCCUPATIONS:
        return count_occupations(occupations_at(state, rules, seat)) == len(OCCUPATIONS)
    if ability.condition == ScoreCondition.NEIGHBOUR_OCCUPATION:
        left = has_occupation(rules, neighbour(state, seat, k - 1), ability.occupation)
        return left or has_occupation(rules, neighbour(state, seat, k + 1), ability.occupation)
    if ability.condition == ScoreCondition.MOST_GUESTS:
        return nobody_has_more(state, rules, seat)
    if ability.condition == ScoreCondition.AT_END:
        return k == 0 or k == state.seated[seat] - 1
    return state.drink[state.table[seat, k]] != Drink.NONE


@rule
def has_occupation(rules: Rules, guest: int, occupation: int) -> bool:
    """Whether the guest, if there is one, has the occupation."""
    return guest >= 0 and (rules.guests[guest].occupations >> occupation) & 1 == 1


@rule
def nobody_has_more(state: State, rules: Rules, seat: int) -> bool:
    """Whether no other player has more guests, Hitler not counted."""
    for other in range(rules.players):
        if guests_without_hitler(state, other) > guests_without_hitler(state, seat):
            return False
    return True


@rule
def update_points(state: State, rules: Rules) -> None:
    """Points are what scoring would give if it came now."""
    for seat in range(rules.players):
        state.points[seat] = table_points(state, rules, seat)


@rule
def total_demand(state: State, rules: Rules, seat: int) -> int:
    """The tie-break: the Demand of all guests at the Table, Hitler's too by default (ruling Q22)."""
    total = 0
    for k in range(state.seated[seat]):
        guest = state.table[seat, k]
        if guest != HITLER or rules.hitler_in_ties:
            total += rules.guests[guest].demand
    return total


@rule
def final_scoring(state: State, rules: Rules) -> None:
    """Dinner is served: most points, then highest total Demand, then shared."""
    update_points(state, rules)
    for seat in range(rules.players):
        state.rank_key[seat] = int(state.points[seat]) * TIE_BASE + int(total_demand(state, rules, seat))
    rank_by(state, rules.players, state.rank_key)
    state.over = True
