"""What holds of every record between two decisions: bounds of the fields, then cards, table, stage, running effects.

Written apart from the rules, in plain Python, so that it sees their faults; and strict enough that no rule reads or
writes outside its arrays, or goes on for ever, on a record that is sound.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banquet_envs.core.types import Rules, State
from banquet_envs.games.surrealist_dinner_party.components import (
    COURSES,
    HAND,
    KINDS,
    MAX_APPETITES,
    MAX_COUNT,
    MAX_FAUX_PAS,
    MAX_GUESTS,
    PLAYERS,
    SEATS,
    Ability,
    Icon,
    most_tokens,
)
from banquet_envs.games.surrealist_dinner_party.position import Position, Unsound, need
from banquet_envs.games.surrealist_dinner_party.running import check_running
from banquet_envs.games.surrealist_dinner_party.state import (
    COLUMNS,
    EVENTS,
    TURN_CAP,
    Action,
    Column,
    Effect,
    Face,
    Phase,
    Stage,
    Step,
    Where,
)

Range = tuple[Any, Any]

# ---------------------------------------------------------------- bounds


def bounds(rules: Rules) -> dict[str, Range]:
    """`{field: (low, high)}`, inclusive, for every field of the game's own; entries that are not in use are constant."""
    return {**_bounds_of_cards(rules), **_bounds_of_table(rules), **_bounds_of_flow(rules)}


def _used(shape: tuple[int, ...], counts: tuple[Any, ...], low: Any, high: Any, blank: int) -> Range:
    """(low, high) for the first `counts` entries along each axis, `blank` for all others."""
    inside = np.zeros(shape, bool)
    inside[tuple(slice(int(n)) for n in counts)] = True
    return np.where(inside, low, blank), np.where(inside, high, blank)


def _bounds_of_cards(rules: Rules) -> dict[str, Range]:
    n, size, guests, faux = (int(rules[k]) for k in ("players", "hand_size", "num_guests", "num_faux_pas"))
    used = bool(rules.faux_pas_used)
    points = sum(sorted((int(c.points) for c in rules.faux_pas[:faux]), reverse=True)[: 2 * n])
    return {
        "draft_round": (0 if rules.draft else size, size),
        "pack": _used((PLAYERS, HAND), (n, size), 0, guests - 1, -1),
        "pick": _used((PLAYERS,), (n,), -1, size - 1 if rules.draft else -1, -1),
        "hand": _used((PLAYERS, HAND), (n, size), -1, guests - 1, -1),
        "hand_size": _used((PLAYERS,), (n,), 0, size, 0),
        "faux_pas_dealt": _used((PLAYERS, 2), (n, 2 * used), 0, faux - 1, -1),
        "faux_pas_choice": _used((PLAYERS,), (n,), 0, 3 * used, 0),
        "faux_pas_open": _used((MAX_FAUX_PAS,), (faux,), 0, 2 * used, 0),
        "faux_pas_by": _used((MAX_FAUX_PAS,), (faux,), 0, ((1 << n) - 1) * used, 0),
        "faux_pas_points": _used((PLAYERS,), (n,), 0, points * used, 0),
    }


def _bounds_of_table(rules: Rules) -> dict[str, Range]:
    n, guests, seats = (int(rules[k]) for k in ("players", "num_guests", "seats"))
    kind = np.where(np.arange(MAX_APPETITES) < rules["guests"]["appetites"][:, None], KINDS - 1, -1)
    kind[guests:] = -1
    return {
        "row": _used((PLAYERS, SEATS), (n, seats), -1, guests - 1, -1),
        "seated": _used((PLAYERS,), (n,), 0, seats, 0),
        "where": _used((MAX_GUESTS,), (guests,), Where.HIDDEN, Where.GONE, Where.HIDDEN),
        "owner": _used((MAX_GUESTS,), (guests,), -1, n - 1, -1),
        "token": (-1, kind),
        "stash": _used((PLAYERS, KINDS), (n, KINDS), 0, most_tokens(rules), 0),
        "platter": (0, rules.menu.max(axis=0)),
        "last_taker": (-1, n - 1),
        "last_row": _used((PLAYERS, SEATS), (n, seats), -1, guests - 1, -1),
        "left_last": (0, (1 << guests) - 1),
        "left_content": (0, (1 << guests) - 1),
    }


def _bounds_of_flow(rules: Rules) -> dict[str, Range]:
    n, guests, on = int(rules.players), int(rules.num_guests), bool(rules.abilities)
    everybody = (1 << guests) - 1
    stage, phase = Stage.PLAYING, Phase.MAIN
    if rules.faux_pas_used:
        stage, phase = Stage.CHOOSING_FAUX_PAS, Phase.FAUX_PAS_KEEP
    if rules.draft:
        stage, phase = Stage.DRAFTING, Phase.DRAFT_PICK
    high = np.zeros(COLUMNS, int)
    high[[Column.GUEST, Column.LEFT, Column.RIGHT, Column.A, Column.B]] = guests - 1
    high[[Column.KIND, Column.STEP, Column.USER]] = Effect.HOME, 6, n - 1
    high[[Column.SILENT, Column.TOKEN]] = 1, KINDS - 1
    high[[Column.N, Column.INDEX, Column.X, Column.Y]] = EVENTS - 1, SEATS, MAX_APPETITES - 1, KINDS - 1
    high[Column.V :] = MAX_COUNT
    low = np.zeros(COLUMNS, int)
    low[[Column.LEFT, Column.RIGHT]] = -1
    return {
        "plate_done": (0, everybody * on),
        "waiting": (0, everybody * on),
        "stage": (stage, Stage.FINISHED),
        "step": (0, Step.NEXT_TURN),
        "phase": (phase, len(Phase) - 1),
        "answer": (0, Action.STOP),
        "active": (0, n - 1),
        "turn": (0, TURN_CAP + 1),
        "turns": _used((PLAYERS,), (n,), 0, TURN_CAP + 1, 0),
        "first_half": (0, 2),
        "course": (0, COURSES - 1),
        "plate_used": _used((PLAYERS,), (n,), 0, int(rules.plate_uses) * on, 0),
        "last_seat": (0, n),
        "depth": (0, longest_stack(rules)),
        "frame": (low, high),
        "events": (0, EVENTS * on),
        "event": (0, (KINDS - 1) * on),
    }


def longest_stack(rules: Rules) -> int:
    """Effects on the stack at most: an action and the events that it causes, then for every guest at the table one that
    sends it home and its departure, then one more ability."""
    return 3 + 2 * int(rules.players) * int(rules.seats) if rules.abilities else 2


# ---------------------------------------------------------------- invariants


def invariants(rules: Rules, state: State) -> str:
    """What is wrong with a record whose fields lie within their bounds; "" if nothing is."""
    try:
        pos = Position(rules, state)
        for check in (_check_packs, _check_hands, _check_table, _check_faux_pas, _check_points, _check_stage):
            check(pos)
        need(not any(any(frame) for frame in pos.frame[pos.depth :]), "something is left of an effect that is done")
        check_running(pos)
    except Unsound as fault:
        return str(fault)
    return ""


def _holder(pos: Position, k: int, i: int) -> int:
    """Who took the i-th card of pack k: packs go to the left after every card."""
    return (k + i) % pos.players if pos.box.draft else k


def _check_packs(pos: Position) -> None:
    """Every card was dealt once; what is still in a pack is in order."""
    size, left = pos.box.hand_size, pos.draft_round
    packs = [pack[:size] for pack in pos.pack[: pos.players]]
    cards = [g for pack in packs for g in pack]
    need(len(set(cards)) == len(cards), "a guest was dealt twice")
    need(all(pack[left:] == sorted(pack[left:]) for pack in packs), "a pack is not in order")
    played = {g for g, where in enumerate(pos.where) if where != Where.HIDDEN}
    need(played <= set(cards), "a guest is on the table that was not dealt")


def _check_hands(pos: Position) -> None:
    """A hand is what its player got, ascending, with a gap where a guest has been played."""
    for p in range(pos.players):
        got = [pos.pack[k][i] for k in range(pos.players) for i in range(pos.draft_round) if _holder(pos, k, i) == p]
        held = [g if pos.where[g] == Where.HIDDEN else -1 for g in sorted(got)]
        need(
            pos.hand[p] == held + [-1] * (HAND - len(held)),
            f"the hand of player {p} is not what it got and has not played",
        )
        need(pos.hand_size[p] == sum(g >= 0 for g in held), f"the hand of player {p} is counted wrong")
        owners = [p if pos.where[g] != Where.HIDDEN else -1 for g in got]
        need([pos.owner[g] for g in got] == owners, f"a guest of player {p} has another owner")


def _check_table(pos: Position) -> None:
    """Rows without gaps, tokens on seated guests alone."""
    for p in range(pos.players):
        row = pos.rows[p]
        need(pos.row[p] == row + [-1] * (SEATS - len(row)), f"the row of player {p} has a gap")
        need(len(set(row)) == len(row), f"a guest of player {p} sits twice")
        need(all(g >= 0 and pos.where[g] == Where.SEATED and pos.owner[g] == p for g in row), f"no guest of player {p}")
    need(sum(w == Where.SEATED for w in pos.where) == sum(pos.seated), "a seated guest is in no row")
    for tokens, where, owner in zip(pos.token, pos.where, pos.owner, strict=True):
        need(where == Where.SEATED or max(tokens) < 0, "tokens on a guest that does not sit")
        need(where != Where.HIDDEN or owner < 0, "a hidden guest has an owner")


def _check_faux_pas(pos: Position) -> None:
    """Pairs in order; face up lies what was kept; who has scored what."""
    if not pos.box.faux_pas_used:
        return
    dealt = pos.faux_pas_dealt[: pos.players]
    need(all(a < b for a, b in dealt), "a pair of Faux Pas is not in order")
    need(len({i for pair in dealt for i in pair}) == 2 * pos.players, "a Faux Pas was dealt twice")
    choice = pos.faux_pas_choice
    kept = {
        pair[k] for p, pair in enumerate(dealt) for k in range(2) if choice[p] >> k & 1 and pos.stage >= Stage.PLAYING
    }
    need({i for i, face in enumerate(pos.faux_pas_open) if face} == kept, "other Faux Pas lie face up than were kept")
    for i, face in enumerate(pos.faux_pas_open[: len(pos.box.faux_pas)]):
        by = [p for p in range(pos.players) if pos.faux_pas_by[i] >> p & 1]
        need(face == Face.SCORED or not by, f"Faux Pas {i} was scored and lies open")
        if pos.stage < Stage.FINISHED and face == Face.SCORED:
            need(
                len(by) == 1 and not pos.box.faux_pas[i][1],
                f"Faux Pas {i} was not scored by the first to meet it",
            )
        need(pos.stage < Stage.FINISHED or face != Face.OPEN, f"Faux Pas {i} is open after the end")


def _check_points(pos: Position) -> None:
    """A point for every token, and the Faux Pas."""
    for p in range(pos.players):
        faux = sum(pos.box.faux_pas[i][0] for i, by in enumerate(pos.faux_pas_by) if by >> p & 1)
        need(pos.faux_pas_points[p] == faux, f"the Faux Pas of player {p} are counted wrong")
        need(pos.points[p] == sum(pos.stash[p]) * pos.box.token_points + faux, f"points of player {p}")
    repeats = any(c.kind == Ability.STASH and c.icon != Icon.DOOR for c in pos.cards)
    for p in range(pos.players if not repeats else 0):
        gone = [c for g, c in enumerate(pos.cards) if pos.where[g] == Where.GONE and pos.owner[g] == p]
        most = sum(len(c.appetites) + pos.box.content_bonus + c.count * (c.kind == Ability.STASH) for c in gone)
        need(sum(pos.stash[p]) <= most, f"the stash of player {p} holds more than its guests have left")


# ---------------------------------------------------------------- stages


def _check_stage(pos: Position) -> None:
    """The stage and what goes with it."""
    need(bool(pos.over) == (pos.stage == Stage.FINISHED), "over or not")
    need(pos.over or not pos.capped, "ended by the guard, but not over")
    drafting = pos.stage == Stage.DRAFTING
    size = pos.box.hand_size
    need(pos.draft_round <= size - 2 if drafting else pos.draft_round == size, "a draft that is not over")
    picks = pos.step if drafting else 0
    for p, pick in enumerate(pos.pick):
        need(pick >= 0 if p < picks else pick == -1, "picks in the wrong order")
        need(pick < size - pos.draft_round or not drafting, "the pick of a card that is not there")
    choices = (
        pos.players if pos.stage > Stage.CHOOSING_FAUX_PAS else pos.step if pos.stage == Stage.CHOOSING_FAUX_PAS else 0
    )
    for p in range(pos.players if pos.box.faux_pas_used else 0):
        need((pos.faux_pas_choice[p] > 0) == (p < choices), "Faux Pas chosen in the wrong order")
    _STAGES[pos.stage](pos)


def _check_before(pos: Position) -> None:
    """Draft and choice of Faux Pas: nothing has happened yet."""
    phase = Phase.DRAFT_PICK if pos.stage == Stage.DRAFTING else Phase.FAUX_PAS_KEEP
    need((pos.phase, pos.player) == (phase, pos.step) and pos.step < pos.players, "not the seat that has to choose")
    need(pos.box.draft if pos.stage == Stage.DRAFTING else pos.box.faux_pas_used, "a stage that this mode lacks")
    for name in ("where", "turn", "first_half", "course", "depth", "events", "plate_done", "left_last", "left_content",
                 "last_seat", "answer", "turns", "plate_used", "stash"):  # fmt: skip
        need(not np.any(getattr(pos, name)), f"{name} is set before the first turn")
    need(pos.platter == pos.box.menu[0] and pos.last_taker == -1, "not the platter of the first course")
    _check_no_last_row(pos)


def _check_no_last_row(pos: Position) -> None:
    need(
        np.max(pos.last_row) < 0 and pos.left_last == pos.left_content == pos.last_seat == 0,
        "last departures, too early",
    )


def _check_turns(pos: Position) -> None:
    """Turns, cards played, the platter."""
    need(pos.turn >= 1 and sum(pos.turns) == pos.turn and pos.turns[pos.active] > 0, "turns are counted wrong")
    choosing = pos.depth == 0 and pos.phase == Phase.MAIN and not pos.over
    for p in range(pos.players):
        played = pos.box.hand_size - pos.hand_size[p]
        turns = pos.turns[p] - (p == pos.active and (choosing or bool(pos.capped)))
        need(played <= turns and (played > 0) == (turns > 0), f"player {p} has seated {played} guests in {turns} turns")
    need(all(n <= m for n, m in zip(pos.platter, pos.box.menu[pos.course], strict=True)), "more than the course holds")
    need((sum(pos.platter) == 0) == (pos.last_taker >= 0), "who took the last token, or did not")
    done = [g for g in range(len(pos.cards)) if pos.plate_done >> g & 1]
    need(not done or pos.plate_used[pos.active] > 0, "plate abilities of nobody")
    for g in done:
        need(pos.owner[g] == pos.active and pos.cards[g].icon == Icon.PLATE, f"guest {g} has no plate ability to use")


def _check_playing(pos: Position) -> None:
    """A turn, by its step; what runs is looked at elsewhere."""
    _check_turns(pos)
    _check_no_last_row(pos)
    need(pos.turn <= TURN_CAP, "a turn too many")
    half, plate = pos.first_half > 0, pos.plate_done != 0
    if pos.depth == 0:
        places = {Phase.MAIN: (Step.TURN_CHOICE, False, False), Phase.SECOND_HALF: (Step.HALF_CHOICE, True, False),
                  Phase.PLATE_NEXT: (Step.PLATE_CHOICE, False, True)}  # fmt: skip
        need(places.get(pos.phase) == (pos.step, half, plate), "a question that this step of a turn does not ask")
        need(pos.player == pos.active and pos.events == 0, "not the active player's question")
        need(pos.phase != Phase.MAIN or pos.last_taker < 0, "a turn without a platter")
        return
    steps = {Step.AFTER_FIRST_HALF: [(True, False)], Step.AFTER_PLATE: [(False, True)], Step.NEXT_TURN: [(False, False)],
             Step.TURN_ENDS: [(True, False), (False, False)]}  # fmt: skip
    need((half, plate) in steps.get(pos.step, []), "an effect at a step of a turn that starts none")


def _check_last_departures(pos: Position) -> None:
    """After Dessert: who has left, who is leaving."""
    _check_end(pos)
    p = pos.clockwise(pos.last_taker, 1 + pos.last_seat)
    need(pos.last_seat < pos.players, "nobody is left to send guests home")
    need(pos.stage == Stage.LAST_DEPARTURES or not any(pos.seated), "guests that have not left")
    for k in range(pos.last_seat if pos.stage == Stage.LAST_DEPARTURES else 0):
        need(pos.seated[pos.clockwise(pos.last_taker, 1 + k)] == 0, "guests of somebody whose turn to leave is over")
    gone = {g for row in pos.last_row for g in row if g >= 0 and not pos.sits(g)}
    marked = {g for g in range(len(pos.cards)) if pos.left_last >> g & 1}
    need(gone == marked if pos.stage == Stage.LAST_DEPARTURES else marked <= gone, "who has left last")
    if pos.depth > 0:
        need(pos.step == 0 and pos.events == 0, "a departure that has not begun")
        return
    leaving = pos.stage == Stage.LAST_DEPARTURES
    need(
        (pos.phase, pos.player, pos.step) == (Phase.WHO_LEAVES if leaving else Phase.WHICH_DOOR, p, 1),
        "not the player to leave",
    )
    need(pos.box.abilities and (not leaving or pos.seated[p] > 1), "an order of departures that makes no difference")


def _check_end(pos: Position) -> None:
    """What has been settled once Dessert is eaten."""
    _check_turns(pos)
    need(pos.course == COURSES - 1 and pos.last_taker >= 0, "the end before Dessert is eaten")
    need(pos.first_half == pos.plate_done == 0, "an action that has not ended")
    for p in range(pos.players):
        last = [g for g in pos.last_row[p] if g >= 0]
        need(
            pos.last_row[p] == last + [-1] * (SEATS - len(last)) and len(set(last)) == len(last), "a gap in a last row"
        )
        need(all(pos.owner[g] == p and pos.where[g] != Where.HIDDEN for g in last), "a guest in another's last row")
        need([g for g in last if pos.sits(g)] == pos.rows[p], "a last row in another order")
    gone = {g for row in pos.last_row for g in row if g >= 0 and not pos.sits(g)}
    for bits in (pos.left_last, pos.left_content):
        need({g for g in range(len(pos.cards)) if bits >> g & 1} <= gone, "somebody has left who was not there")


def _check_finished(pos: Position) -> None:
    """The game is over: by Dessert or by the guard."""
    need(pos.depth == pos.events == 0, "something goes on after the end")
    if pos.capped:
        _check_turns(pos)
        _check_no_last_row(pos)
        need(pos.turn == TURN_CAP + 1 and pos.last_taker < 0, "ended by the guard too early")
        return
    _check_end(pos)
    need(not any(pos.seated) and pos.last_seat == pos.players and pos.turn <= TURN_CAP, "ended too early")


_STAGES = {
    Stage.DRAFTING: _check_before,
    Stage.CHOOSING_FAUX_PAS: _check_before,
    Stage.PLAYING: _check_playing,
    Stage.LAST_DEPARTURES: _check_last_departures,
    Stage.LAST_DOORS: _check_last_departures,
    Stage.FINISHED: _check_finished,
}
