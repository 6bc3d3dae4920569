"""Declared facts: how long a game can be and how many points a seat can have, for any box."""

from __future__ import annotations

from banquet_envs.core.spec import Facts
from banquet_envs.core.types import Rules
from banquet_envs.games.dinner_party.components import HITLER, STACKS, Kind


def points_range(rules: Rules) -> tuple[int, int]:
    """The fewest and the most points: nobody can have more guests than the stacks hold, and Hitler."""
    guests = rules.guests[: rules.num_guests]
    ability = guests["ability"]
    scores = ability["amount"][ability["kind"] == Kind.SCORE].astype(int)
    worth = max(int(guests["worth"].max()), 0) * (STACKS * int(rules.stack_height) + 1)
    return (
        min(0, int(guests[HITLER]["worth"])) + int(scores[scores < 0].sum()),
        worth + int(rules.occupation_points.max()) + int(scores[scores > 0].sum()),
    )


def longest_game(rules: Rules) -> int:
    """No game takes more decisions than this."""
    ability = rules.guests[: rules.num_guests]["ability"]
    amounts = ability["amount"].astype(int)
    n = int(rules.players)
    turns = int(rules.max_rounds) * n
    envelopes = n * int(rules.envelopes) + turns * int(ability["envelopes"][ability["kind"] == Kind.ARRIVAL_GAIN].sum())
    extra = int(amounts[(ability["kind"] == Kind.ROLL_COUNT) & (amounts > 0)].sum())
    attempt = int(rules.base_rolls) + extra + int((ability["kind"] == Kind.REROLL_AFTER_LAST).sum())
    drinks = turns * (int(rules.bar.sum(axis=2).max()) + int((ability["water"] + ability["wine"]).sum()))
    arrival = 1 + int(amounts[ability["kind"] == Kind.ARRIVAL_RESEAT].sum())
    return turns * (6 + attempt + arrival) + envelopes * (1 + 2 * attempt) + drinks + n * int(rules.start_drinks)


def facts(rules: Rules) -> Facts:
    """The declared facts of a game with these rules."""
    least, most = points_range(rules)
    return Facts(
        longest_game=longest_game(rules),
        points_min=least,
        points_max=most,
        points_scale=0.05,
        hidden_information=False,
        chance=True,
        simultaneous=False,
        can_be_capped=True,
    )
