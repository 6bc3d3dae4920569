"""The position as plain data: what a seat may know."""

from __future__ import annotations

from typing_extensions import TypedDict

from banquet_envs.core.types import Rules, State
from banquet_envs.games.great_evening_banquet.components import LETTERS, PHOTOS, PLAYER_COLOURS, TILES
from banquet_envs.games.great_evening_banquet.display import (
    DECISIONS,
    markers_under,
    need_text,
    own_tokens,
    photo_area,
    photo_text,
    sees_plan,
    token_text,
)
from banquet_envs.games.great_evening_banquet.state import Phase


class Carriage(TypedDict):
    """A carriage with its guests, and the seat that took it."""

    guests: list[str]
    taken_by: int | None


class Vip(TypedDict):
    """A VIP of a chamber with the guests around it; `points` once it is scored."""

    letter: str
    wish: str
    guests: list[str]
    points: int | None


class Photo(TypedDict):
    """A photo: which VIPs' guests it counts, what it pays for, and what it paid once the game is over."""

    vips: list[str]
    pays: str
    points: int | None


class Chamber(TypedDict):
    """A seat's own things; `still_to_seat` is told to the seat alone."""

    colour: str
    salon_used: bool
    marker_on_top_of: list[int]
    still_to_seat: list[str]
    vips: list[Vip]
    photos: list[Photo]


class Position(TypedDict):
    """The Great Evening Banquet. Chambers are in the order of the seats, VIPs as they lie, row by row."""

    round: int
    rounds: int
    final_round: bool
    decision: str
    turn_order: list[int]
    arrival_card: int
    face_down_cards: list[int]
    carriages: list[Carriage]
    grand_salon: list[str]
    chosen_of_salon: int | None
    bag: dict[str, int]
    redraws_used: int
    chambers: list[Chamber]


def state_json(rules: Rules, state: State, player: int | None) -> Position:
    """What `player` may know (None: everything)."""
    seats = range(rules.players)
    return {
        "round": int(state.round_number),
        "rounds": int(rules.rounds),
        "final_round": bool(state.final),
        "decision": "" if state.over else DECISIONS[state.phase],
        "turn_order": [int(state.order[k]) for k in seats],
        "arrival_card": int(state.card),
        "face_down_cards": [v for v, n in enumerate(state.cards_left) for _ in range(n)],
        "carriages": [
            {"guests": _tokens(state.carriage[c]), "taken_by": _or_none(state.taken_by[c])}
            for c in range(state.carriages)
        ],
        "grand_salon": _tokens(state.salon),
        "chosen_of_salon": _or_none(state.salon_pick),
        "bag": {token_text(kind): int(n) for kind, n in enumerate(state.bag) if n},
        "redraws_used": int(state.redraws),
        "chambers": [_chamber(rules, state, seat, player) for seat in seats],
    }


def _tokens(kinds: State) -> list[str]:
    return [token_text(int(k)) for k in kinds if k >= 0]


def _or_none(number: int) -> int | None:
    return int(number) if number >= 0 else None


def _chamber(rules: Rules, state: State, seat: int, player: int | None) -> Chamber:
    shown = sees_plan(seat, player)
    seating = shown and state.phase == Phase.PLACE_GUEST and not state.over and state.taken[seat] >= 0
    vips: list[Vip] = []
    for t in sorted(range(TILES), key=lambda t: rules.position[seat, t]):
        letter = int(state.letter[seat, t])
        points = int(state.tile_points[seat, t]) if state.scored[seat, t] else None
        guests = _tokens(own_tokens(rules, state, seat, t, shown))
        vips.append(
            {"letter": LETTERS[letter], "wish": need_text(rules, seat, letter), "guests": guests, "points": points}
        )
    photos: list[Photo] = []
    for j in range(PHOTOS):
        letters = sorted(LETTERS[state.letter[seat, t]] for t in photo_area(rules, state, seat, j))
        points = int(state.photo_points[seat, j]) if state.over else None
        photos.append({"vips": letters, "pays": photo_text(rules, seat, j), "points": points})
    return {
        "colour": PLAYER_COLOURS[seat],
        "salon_used": bool(state.salon_used[seat]),
        "marker_on_top_of": markers_under(rules, state, seat),
        "still_to_seat": _tokens(state.carriage[state.taken[seat], state.planned[seat] :]) if seating else [],
        "vips": vips,
        "photos": photos,
    }
