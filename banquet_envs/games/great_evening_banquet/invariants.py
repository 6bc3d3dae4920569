"""What holds of every record between two decisions: bounds of the fields, and what has to fit together.

Records from outside (saves, positions that were set) are held against both before a rule sees them: a record that keeps
them cannot make a rule look outside its arrays, draw from an empty bag or loop for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from banquet_envs.core.types import Rules, State
from banquet_envs.games.great_evening_banquet.components import KINDS, MAX_VALUE, PHOTOS, SEATS, SPACES, TILES
from banquet_envs.games.great_evening_banquet.scoring import best_photos, best_tile
from banquet_envs.games.great_evening_banquet.state import Phase

_VALUES = np.arange(MAX_VALUE + 1)

# ---------------------------------------------------------------- bounds


def bounds(rules: Rules) -> Mapping[str, tuple[Any, Any]]:
    """The least and the greatest value of every field of the game's own (see GameSpec)."""
    n, alone = int(rules.players), rules.players == 1
    cards = _VALUES[rules.cards > 0]
    carriages = [rules.solo_odd, rules.solo_even, rules.solo_at_or_above, rules.solo_below] if alone else [n]
    most = int(max(carriages))
    photos = best_photos(rules)
    best = TILES * best_tile(rules) + int(photos[:n].sum(axis=1).max())
    lowest, highest = (0, TILES - 1) if rules.random_vip else (rules.letter, rules.letter)
    markers = n * (1 + TILES)
    return {
        "round_number": (1, rules.rounds),
        "final": (0, 1),
        "card": (cards.min(), cards.max()),
        "cards_left": (0, rules.cards),
        "phase": (Phase.CHOOSE_CARRIAGE, Phase.SALON_GIVE),
        "turn": (0, n),
        "order": _first(n, (SEATS,), 0, n - 1, 0),
        "bag_size": (0, rules.bag.sum()),
        "bag": (0, rules.bag),
        "box": (0, rules.bag * alone),
        "carriages": (min(carriages), most),
        "carriage": _first(most, (SEATS, MAX_VALUE), -1, KINDS - 1, -1),
        "taken_by": _first(most, (SEATS,), -1, n - 1, -1),
        "taken": _first(n, (SEATS,), -1, most - 1, -1),
        "plan": _first(n, (SEATS, MAX_VALUE), -1, rules.num_classes - 1, -1),
        "planned": _first(n, (SEATS,), 0, cards.max(), 0),
        "chamber": (-1, np.where(_mesh(n, rules.num_spaces, (SEATS, SPACES)), KINDS - 1, -1)),
        "letter": _first(n, (SEATS, TILES), lowest, highest, 0),
        "scored": _first(n, (SEATS, TILES), 0, 1, 0),
        "tile_points": _first(n, (SEATS, TILES), 0, best_tile(rules), 0),
        "photo_points": _first(n, (SEATS, PHOTOS), 0, photos, 0),
        "salon": (0, KINDS - 1),
        "salon_used": _first(n, (SEATS,), 0, 1, 0),
        "salon_pick": (-1, 3),
        "arrival": _first(n, (SEATS,), 1, markers, 0),
        "arrivals": (n, markers),
        "rank_key": _first(n, (SEATS,), -(PHOTOS + 1) * rules.redraw_penalty.max(), (PHOTOS + 1) * best + PHOTOS, 0),
        "redraws": (0, rules.redraws * alone),
    }


def _mesh(rows: Any, columns: Any, shape: tuple[int, int]) -> np.ndarray:
    """True in the first `rows` rows and `columns` columns."""
    return np.add.outer(np.arange(shape[0]) >= rows, np.arange(shape[1]) >= columns) == 0


def _first(n: int, shape: tuple[int, ...], low: Any, high: Any, unused: int) -> tuple[np.ndarray, np.ndarray]:
    """Bounds `low` to `high` in the first `n` rows of a field of this shape; the others hold `unused`."""
    used = (np.arange(shape[0]) < n).reshape(-1, *[1] * (len(shape) - 1))
    return (
        np.where(used, np.broadcast_to(low, shape), unused),
        np.where(used, np.broadcast_to(high, shape), unused),
    )


# ---------------------------------------------------------------- what has to fit


def invariants(rules: Rules, state: State) -> str:
    """What is wrong with a record that lies within its bounds and holds the right pieces; "" when it is sound."""
    fixed, record = _Fields(rules), _Fields(state)
    for check in (
        _cards,
        _turn_order,
        _bag_and_box,
        _carriages,
        _who_has_taken,
        _chambers,
        _tiles,
        _placements,
        _salon,
        _visits,
        _points,
        _markers,
        _final_order,
        _ranks,
    ):
        wrong = check(fixed, record)
        if wrong:
            return wrong
    return ""


class _Fields:
    """The fields of a record, each read once: NumPy takes microseconds for every look."""

    def __init__(self, record: State) -> None:
        self._record = record

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._record, name)
        setattr(self, name, value)
        return value


def _shown(state: State) -> bool:
    """Whether this round's guests are in the chambers for all to see."""
    return bool(state.over) or state.phase in (Phase.SALON_TAKE, Phase.SALON_GIVE)


def _seats(rules: Rules) -> range:
    return range(int(rules.players))


def _tokens_wrong(tokens: list[int], count: int) -> str:
    """A kept list: `count` tokens in ascending order, then blanks."""
    held = tokens[:count]
    if tokens[count:] != [-1] * (len(tokens) - count) or -1 in held:
        return f"{count} tokens and then blanks expected, found {tokens}"
    return "" if held == sorted(held) else f"the tokens {held} are not in ascending order"


def _played(rules: Rules, state: State) -> np.ndarray:
    """Arrival Cards flipped so far, by value, the one beside the deck included."""
    return np.asarray(rules.cards - state.cards_left)


def _cards(rules: Rules, state: State) -> str:
    flipped = _played(rules, state)
    if flipped.sum() != state.round_number:
        return f"{flipped.sum()} Arrival Cards have been flipped in round {state.round_number}"
    if flipped[state.card] == 0:
        return f"the card beside the deck shows {state.card}, but no such card has been flipped"
    return "" if state.final == (state.cards_left.sum() == 0) else "the final round is the one of the last card"


def _turn_order(rules: Rules, state: State) -> str:
    n = int(rules.players)
    order = [int(k) for k in state.order[:n]]
    if sorted(order) != list(range(n)):
        return f"the turn order {order} does not name every seat once"
    if not state.final and order != [(order[0] + k) % n for k in range(n)]:
        return f"the turn order {order} is not clockwise"
    if state.over:
        return (
            "" if state.final and state.phase == Phase.SALON_TAKE and state.turn == n else "the game is over too early"
        )
    if state.turn == n or order[state.turn] != state.player:
        return f"seat {state.player} is to decide, but the turn is at {state.turn} of {order}"
    return ""


def _bag_and_box(rules: Rules, state: State) -> str:
    """The bag's size; Solo Mode: the box holds the carriages not taken and those redrawn, so that the bag lasts."""
    if state.bag_size != state.bag.sum():
        return f"the bag holds {state.bag.sum()} tokens, but its size is {state.bag_size}"
    done = int(state.round_number) - (0 if _shown(state) else 1)
    pairs = [(rules.solo_odd if k % 2 else rules.solo_even) == 2 for k in range(1, done + 1)]
    if state.final and done == state.round_number:
        pairs[-1] = state.carriages == 2
    if rules.players > 1:
        return ""
    flipped = np.repeat(_VALUES, _played(rules, state))
    past = list(flipped)
    if not _shown(state):
        past.remove(state.card)
    count, redraws, gone = sum(pairs), int(state.redraws), int(state.box.sum())
    least = sum(past[:count]) + redraws * int(flipped[0])
    most = sum(past[::-1][:count]) + redraws * int(flipped[-1])
    return "" if least <= gone <= most else f"{gone} tokens have left the game, {least} to {most} can have"


def _carriages(rules: Rules, state: State) -> str:
    """As many as the round needs; full until all have placed."""
    if rules.players == 1:
        expected = rules.solo_odd if state.round_number % 2 else rules.solo_even
        if state.final:
            expected = rules.solo_at_or_above if state.points[0] >= rules.solo_threshold else rules.solo_below
        # After phase 4 of the final round the score that decided is no longer known.
        if state.carriages != expected and not (state.final and _shown(state)):
            return f"{state.carriages} carriages in use, {expected} expected"
        if state.carriages not in (expected, rules.solo_at_or_above, rules.solo_below):
            return f"{state.carriages} carriages in use"
    for c in range(SEATS):
        count = 0 if _shown(state) or c >= state.carriages else int(state.card)
        wrong = _tokens_wrong(state.carriage[c].tolist(), count)
        if wrong:
            return f"carriage {c}: {wrong}"
    return ""


def _who_has_taken(rules: Rules, state: State) -> str:
    n = int(rules.players)
    takers = {c: int(state.taken_by[c]) for c in range(SEATS) if state.taken_by[c] >= 0}
    if takers != {int(state.taken[seat]): seat for seat in range(n) if state.taken[seat] >= 0}:
        return f"seats took the carriages {state.taken[:n]}, but carriages were taken by {state.taken_by}"
    if len(takers) != (state.taken[:n] >= 0).sum() or any(c >= state.carriages for c in takers):
        return f"two seats took one carriage, or one that is not in use: {state.taken[:n]}"
    turn = int(state.turn) if state.phase == Phase.CHOOSE_CARRIAGE else n
    if sorted(takers.values()) != sorted(int(k) for k in state.order[:turn]):
        return f"carriages were taken by {state.taken_by}, but the turn is at {turn}"
    return ""


def _groups(rules: Rules, state: State, seat: int) -> list[list[int]]:
    """The seat's chamber by space classes."""
    chamber, start = state.chamber[seat].tolist(), rules.class_start[seat].tolist()
    return [chamber[start[c] : start[c + 1]] for c in range(int(rules.num_classes))]


def _chambers(rules: Rules, state: State) -> str:
    """Every space class in order, and as many guests as the cards have brought."""
    seated = int((_VALUES * _played(rules, state)).sum()) - (0 if _shown(state) else int(state.card))
    for seat in _seats(rules):
        groups = _groups(rules, state, seat)
        guests = sum(len(spaces) - spaces.count(-1) for spaces in groups)
        if guests != seated:
            return f"seat {seat} has {guests} guests, {seated} expected"
        for c, spaces in enumerate(groups):
            wrong = _tokens_wrong(spaces, len(spaces) - spaces.count(-1))
            if wrong:
                return f"seat {seat}, space class {c}: {wrong}"
    return ""


def _tiles(rules: Rules, state: State) -> str:
    """Letters alike for all; exactly the completed tiles are flipped, and only they have points."""
    first = state.letter[0, np.argsort(rules.position[0])].tolist()
    for seat in _seats(rules):
        letters = state.letter[seat, np.argsort(rules.position[seat])].tolist()
        if sorted(letters) != list(range(TILES)) or (rules.random_vip and letters != first):
            return f"seat {seat} has the VIPs {letters}, seat 0 {first}"
        full = (state.chamber[seat][rules.tile_space[seat]] >= 0).all(axis=1)
        if (state.scored[seat] != full).any():
            return f"tiles {np.flatnonzero(full)} of seat {seat} are full, scored says {state.scored[seat]}"
        if state.tile_points[seat, ~full].any():
            return f"an unscored tile of seat {seat} has points: {state.tile_points[seat]}"
    return ""


def _placements(rules: Rules, state: State) -> str:
    """Phase 3: who has placed everything, who is placing, and that all has found room; else nothing is planned."""
    for k in _seats(rules):
        seat = int(state.order[k])
        count, plan = int(state.planned[seat]), state.plan[seat].tolist()
        if -1 in plan[:count] or plan[count:] != [-1] * (MAX_VALUE - count):
            return f"seat {seat} has placed {count} guests, but in {plan}"
        placing = state.phase == Phase.PLACE_GUEST
        if count != (state.card if placing and k < state.turn else 0) and not (placing and k == state.turn):
            return f"seat {seat} has placed {count} guests out of turn"
        if count == state.card and placing and k == state.turn:
            return f"seat {seat} has placed all and is still to place"
        groups = _groups(rules, state, seat) if count else []
        for c in set(plan[:count]):
            if plan.count(c) > groups[c].count(-1):
                return f"seat {seat} has placed {plan.count(c)} guests in space class {c}, which has no room for them"
    return ""


def _salon(rules: Rules, state: State) -> str:
    wrong = _tokens_wrong(state.salon.tolist(), len(state.salon))
    if wrong:
        return f"Grand Salon: {wrong}"
    if (state.salon_pick >= 0) != (state.phase == Phase.SALON_GIVE):
        return f"place {state.salon_pick} of the Grand Salon is chosen in phase {state.phase}"
    if state.salon_pick > 0 and state.salon[state.salon_pick] == state.salon[state.salon_pick - 1]:
        return "of equal tokens in the Grand Salon the first is chosen"
    return ""


def _visits(rules: Rules, state: State) -> str:
    """Phase 5: in turn order whoever has reached the score; before and after it, everybody who has."""
    for k in _seats(rules):
        seat = int(state.order[k])
        reached = int(state.tile_points[seat].sum()) >= rules.salon_trigger
        if state.salon_used[seat] and not reached:
            return f"seat {seat} has used the Grand Salon without having reached its score"
        waits = not state.over and state.phase in (Phase.SALON_TAKE, Phase.SALON_GIVE) and k >= state.turn
        if reached and not state.salon_used[seat] and not waits:
            return f"seat {seat} has reached the Grand Salon's score and not used it"
        if waits and k == state.turn and (state.salon_used[seat] or not reached):
            return f"seat {seat} is in the Grand Salon without having to"
    return ""


def _points(rules: Rules, state: State) -> str:
    """Points are those of the tiles; at the end also of the photos, less Solo Mode's penalty."""
    for seat in _seats(rules):
        points = int(state.tile_points[seat].sum() + state.photo_points[seat].sum())
        if rules.players == 1 and state.over:
            points -= int(rules.redraw_penalty[state.redraws])
        if state.points[seat] != points:
            return f"seat {seat} has {state.points[seat]} points, its tiles say {points}"
        if state.photo_points[seat].any() and not state.over:
            return f"photos of seat {seat} are scored before the end"
    return ""


def _markers(rules: Rules, state: State) -> str:
    """Every tile that paid has moved a marker once, after all had been put on 0 in turn order."""
    n = int(rules.players)
    arrival = [int(a) for a in state.arrival[:n]]
    paid = (state.tile_points[:n] > 0).sum(axis=1)
    if len(set(arrival)) != n or max(arrival) != state.arrivals or state.arrivals != n + paid.sum():
        return f"markers arrived at {arrival}, the last one at {state.arrivals}, after {paid} tiles that paid"
    for seat in _seats(rules):
        if arrival[seat] < paid[seat] + 1 or (paid[seat] == 0) != (arrival[seat] <= n):
            return f"the marker of seat {seat} arrived at {arrival[seat]}, after {paid[seat]} tiles that paid"
    return ""


def _final_order(rules: Rules, state: State) -> str:
    """The final round's order is that of the scores, until they change in phase 4."""
    if not state.final or _shown(state):
        return ""
    order = [int(k) for k in state.order[: rules.players]]
    expected = sorted(order, key=lambda seat: (state.points[seat], -state.arrival[seat]))
    return "" if order == expected else f"the final round's order is {order}, the scores say {expected}"


def _ranks(rules: Rules, state: State) -> str:
    n = int(rules.players)
    if not state.over:
        return "a seat has a place before the end" if state.rank_key.any() or (state.place >= 0).any() else ""
    keys = [int(state.points[p]) * (PHOTOS + 1) + int((state.photo_points[p] > 0).sum()) for p in range(n)]
    if keys != [int(k) for k in state.rank_key[:n]]:
        return f"the seats rank by {state.rank_key[:n]}, their points and photos say {keys}"
    places = [sum(k > mine for k in keys) for mine in keys]
    places += [-1] * (SEATS - n)
    return "" if places == [int(p) for p in state.place] else f"places {state.place}, expected {places}"
