"""What every record keeps: bounds and invariants, broken one by one, and a fuzz of what passes."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from banquet_envs.core.errors import SaveError
from banquet_envs.games.dinner_party.invariants import bounds, invariants, pieces
from banquet_envs.games.dinner_party.state import KEEP_ALL, Action, Phase, Where
from tests.games.watched import Record

from .fuzz import GAMES, Fuzz
from .positions import LEFT, RIGHT, STOP, WATER, WINE, Position, game_of, sound

# ---------------------------------------------------------------- positions of every phase, as play reaches them


def choosing() -> Position:
    return sound(
        [["dante", "freud"], ["lincoln", "capone"], []], ["fugger"], drinks={"lincoln": WATER}, stash={0: (1, 1)}
    )


def choosing_again() -> Position:
    p = choosing()
    return p.do(p.charm("capone")).stop_with(4, 4, 4)


def entertaining() -> Position:
    p = choosing()
    return p.do(p.charm("lincoln"))


def rolling() -> Position:
    p = choosing()
    return p.do(p.invite("fugger"))


def rerolling() -> Position:
    return sound([["dante", "mozart"], ["lincoln"], []], ["fugger"]).invites("fugger", 2, 3, 4)


def placing() -> Position:
    return choosing().invites("fugger", 0, 4, 4)


def giving() -> Position:
    p = sound([["eva_peron", "dante"], ["lincoln"], []], ["fugger"], stash={0: (2, 0)}).invites("fugger", 1, 3, 4)
    return p.do(p.put(LEFT, WATER, WATER))


def passing_hitler() -> Position:
    return sound([["dante"], ["freud", "capone"], []], ["fugger"]).invites("hitler", 4, 4, 0)


def asked_whether() -> Position:
    return sound([["dante"], ["freud"], []], ["rockefeller"]).invites("rockefeller", 3, 3, 3)


def reseating() -> Position:
    p = sound([["dante", "freud"], ["lincoln"], []], ["shakespeare"]).invites("shakespeare", 4, 4, 2)
    return p.do(p.put(RIGHT))


def at_the_bar() -> Position:
    return sound([["dante"], ["lincoln"], []], ["fugger"]).invites("fugger", 0, 4, 2)


def hosting() -> Position:
    p = sound([["dante"], ["lincoln"], []], ["fugger"], stash={0: (1, 0)}).invites("fugger", 1, 1, 1)
    assert p.r.failed
    return p


def over() -> Position:
    p = sound([["dante", "hitler"], ["lincoln"]], ["mozart"], round_number=60, turns=1)
    return p.invites("mozart", 1, 1, 1)


PHASES: list[tuple[Callable[[], Position], int]] = [
    (choosing, Phase.CHOOSE), (choosing_again, Phase.CHOOSE), (entertaining, Phase.ROLL), (rolling, Phase.ROLL),
    (rerolling, Phase.REROLL), (placing, Phase.PLACE), (giving, Phase.GIFT), (passing_hitler, Phase.MOVE_HITLER),
    (asked_whether, Phase.MAY), (reseating, Phase.RESEAT), (at_the_bar, Phase.BAR), (hosting, Phase.HOST), (over, Phase.END_TURN),
]  # fmt: skip


@pytest.mark.parametrize(("position", "phase"), PHASES, ids=[f.__name__ for f, _ in PHASES])
def test_a_position_of_every_phase_is_sound(position: Callable[[], Position], phase: int) -> None:
    p = position()
    assert p.r.phase == phase
    p.game.check_records(p.states)
    assert p.r.over or len(p.legal()) > 1


def moved(r: Any, seat: int, other: int) -> None:
    """The last guest of a Table sits at another, though it does not know."""
    r.seated[seat] -= 1
    guest = r.table[seat, r.seated[seat]]
    r.table[seat, r.seated[seat]] = -1
    r.table[other, r.seated[other]] = guest
    r.seated[other] += 1


def gap(r: Any) -> None:
    r.table[0, :3] = r.table[0, 0], -1, r.table[0, 1]


def unseen_gap(r: Any) -> None:
    r.hidden[1, :2] = -1, r.hidden[1, 0]


def hidden_face(r: Any) -> None:
    """The open card of the last stack is said to be face-down."""
    r.where[r.face_up[4]] = Where.UNSEEN


def exchanged(r: Any) -> None:
    """The top cards of two stacks."""
    a, b = r.unseen[0] - 1, r.unseen[1] - 1
    r.hidden[0, a], r.hidden[1, b] = r.hidden[1, b], r.hidden[0, a]


def put(name: str, value: Any, at: Any = None) -> Callable[[Any], None]:
    """Damage that sets a field, or an entry of it."""

    def damage(r: Any) -> None:
        if at is None:
            r[name] = value
        else:
            r[name][at] = value

    damage.__name__ = f"{name}{'' if at is None else at}={value}"
    return damage


def several(**fields: Any) -> Callable[[Any], None]:
    """Damage that sets several fields."""

    def damage(r: Any) -> None:
        for name, value in fields.items():
            r[name] = value

    damage.__name__ = ",".join(f"{name}={value}" for name, value in fields.items())
    return damage


DAMAGE: list[tuple[Callable[[], Position], Callable[[Any], None], str]] = [
    (choosing, gap, "from the left on"),
    (choosing, put("seated", 1, 0), "from the left on"),
    (choosing, put("seated", 3, 0), "from the left on"),
    (choosing, lambda r: moved(r, 0, 2), "said to be elsewhere"),
    (choosing, hidden_face, "said to be elsewhere"),
    (choosing, unseen_gap, "unseen cards"),
    (choosing, put("unseen", 3, 2), "unseen cards"),
    (choosing, exchanged, "does not belong to stack"),
    (choosing, put("hidden", 0, (0, 0)), "does not belong to stack"),
    (choosing, put("face_up", 0, 3), "does not belong to stack"),
    (choosing, put("height", 5, 0), "too many or too few"),
    (choosing, put("height", 0, 0), "too many or too few"),
    (choosing, put("face_up", -1, 3), "shows no card"),
    (reseating, lambda r: (r.charmed.__setitem__(15, 1),), "shows no card"),  # as if Shakespeare had been charmed away
    (choosing, put("ending", 1), "but ending is"),
    (choosing, put("drink", WINE, 44), "sits at no Table"),
    (choosing_again, put("ending", 1), "but ending is"),
    (choosing_again, put("round_number", 1), "too early"),
    (choosing_again, put("charmed", 1, 11), "at no other Table"),  # Dante, an own guest
    (choosing_again, put("charmed", 1, 1), ""),  # Lincoln as well: that may be
    (choosing_again, put("dice", [2, 1, 3]), "ascending"),
    (choosing_again, put("dice", [1, 2, 5]), "ascending"),
    (choosing_again, put("dice", [-1, 2, 2]), "some dice"),
    (choosing_again, put("dice", [-1, -1, -1]), "wrong time"),
    (choosing, put("dice", [1, 1, 1]), "wrong time"),
    (rolling, put("dice", [-1, -1, -1]), "wrong time"),
    (choosing, put("phase", Phase.ENTERTAIN), "does not fit a game"),
    (choosing, put("phase", Phase.END_TURN), "does not fit a game"),
    (choosing, put("rank_key", 5, 1), "ranks before the end"),
    (over, put("phase", Phase.CHOOSE), "does not fit a game"),
    (over, put("turns", 1), "middle of a round"),
    (over, put("capped", False), "middle of a round"),
    (over, put("round_number", 59), "middle of a round"),
    (over, put("rank_key", 4, 0), "rank does not follow"),
    (over, put("points", 4, 0), "rank does not follow"),
    (choosing, put("player", 1), "is to move"),
    (entertaining, put("player", 0), "is to move"),
    (choosing, put("entertaining", 1), "outside its rolls"),
    (hosting, put("entertaining", 1), "outside its rolls"),
    (choosing, put("invited", 1), "does not fit the phase"),
    (entertaining, put("invited", 1), "does not fit the phase"),
    (placing, put("invited", 0), "does not fit the phase"),
    (placing, put("failed", 1), "before its end"),
    (hosting, several(invited=0, failed=0, target=-1, dice=-1), "though guests are in the Lobby"),
    (choosing, put("target", 11), "before any was chosen"),
    (rolling, put("target", -1), "no guest is rolled for"),
    (rolling, put("target", 11), "cannot be rolled for"),  # an own guest
    (rolling, put("target", 1), "cannot be rolled for"),  # not charmed
    (rolling, put("target", 2), "cannot be rolled for"),  # face-down
    (entertaining, put("charmed", 0, 1), "wrong time|cannot be rolled for"),
    (reseating, put("target", 11), "no such arrival|shows no card"),
    (hosting, put("failed", 0), "does not sit at the Table"),
    (rolling, put("treat", WATER), "outside the choice of the gift"),
    (rolling, put("gift", WINE), "outside the choice of the gift"),
    (rolling, put("moves", 1), "outside reseating"),
    (rolling, put("rolls_left", 0), "no roll is left"),
    (entertaining, put("attempts", 0), "attempts are left"),
    (entertaining, put("attempts", 2), "attempts are left"),
    (entertaining, put("need", [3, 4]), "one number"),
    (rerolling, put("window", 0), "no such reroll"),
    (rerolling, put("window", 2), "nobody offers"),
    (rolling, several(phase=Phase.REROLL, window=0), "no such reroll"),
    (giving, put("gift", 0), "not in the Stash"),
    (giving, put("gift", WINE), "not in the Stash"),
    (giving, put("treat", WINE), "not in the Stash"),
    (giving, put("stash", 1, (0, WATER)), "not in the Stash"),
    (placing, several(phase=Phase.GIFT, gift=WINE, spot=RIGHT), "lets a Drink be given away"),
    (passing_hitler, put("phase", Phase.RESEAT), "no such arrival"),
    (passing_hitler, put("phase", Phase.MAY), "no such arrival"),
    (asked_whether, put("phase", Phase.MOVE_HITLER), "no such arrival"),
    (asked_whether, put("phase", Phase.RESEAT), "no such arrival"),
    (reseating, put("moves", 0), "no such arrival"),
    (reseating, put("phase", Phase.MAY), "outside reseating"),
]


@pytest.mark.parametrize(("position", "damage", "words"), DAMAGE, ids=lambda x: getattr(x, "__name__", str(x)))
def test_what_is_broken_is_named(position: Callable[[], Position], damage: Any, words: str) -> None:
    p = position()
    damage(p.r)
    said = invariants(p.rules, p.r)
    assert any(word in said for word in words.split("|")) if words else not said, said
    if words:
        with pytest.raises(SaveError):
            p.game.check_records(p.states)


def test_a_gift_to_the_left_of_a_lone_guest_is_refused() -> None:
    p = sound([["eva_peron"], ["lincoln"], []], ["fugger"], stash={0: (1, 0)}).invites("fugger", 1, 3, 4)
    p.do(p.put(RIGHT, 0, WATER))
    assert p.r.phase == Phase.GIFT
    assert invariants(p.rules, p.r) == ""
    p.r.spot = LEFT
    assert invariants(p.rules, p.r) == "there is no such spot"


def test_charming_hitler_is_refused_where_the_option_forbids_it() -> None:
    for allowed in (True, False):
        p = sound([["dante"], ["freud", "hitler"]], ["fugger"], charm_hitler=allowed)
        p.do(p.charm("freud")).stop_with(4, 4, 4)
        p.r.charmed[0] = 1
        assert invariants(p.rules, p.r) == ("" if allowed else "Hitler was charmed")


def test_a_stack_may_look_too_low_only_after_it_was_cleared() -> None:
    p = sound([["dante"], ["freud"], []], ["rockefeller"]).invites("rockefeller", 3, 3, 3).do(Action.DO)
    assert invariants(p.rules, p.r) == ""
    assert p.r.unseen[3] - p.r.height[3] > 9 - 6  # face-down cards have left, and count as unseen
    p = sound([["dante"], ["freud"], []], ["lincoln"])
    p.r.height[4] = 0
    assert "too many or too few" in invariants(p.rules, p.r)  # nobody clears a stack of Religion


def test_pieces_count_every_guest_once() -> None:
    p = choosing()
    assert (pieces(p.rules, p.r)["guests"] == 1).all()
    assert len(pieces(p.rules, p.r)["guests"]) == 46
    p.r.where[0] = Where.UNSEEN
    assert pieces(p.rules, p.r)["guests"][0] == 0
    p.r.where[0] = Where.GONE
    assert pieces(p.rules, p.r)["guests"][0] == 1
    p.r.where[45] = Where.GONE  # Torquemada, the last of the file: face-down as well
    assert pieces(p.rules, p.r)["guests"][45] == 2


@pytest.mark.parametrize("players", [2, 6])
def test_bounds_by_hand(players: int) -> None:
    own = bounds(game_of(players).rules[0])
    size = players + 3
    assert own["height"] == (0, size - 1)
    assert [list(own["unseen"][k]) if k == 0 else own["unseen"][k].tolist() for k in (0, 1)] == [
        [9 - size] * 5,
        [8] * 5,
    ]
    assert own["face_up"][1].tolist() == [9, 18, 27, 36, 45]
    assert own["seated"][1].tolist() == [5 * size + 1] * players + [0] * (6 - players)
    assert own["turns"] == own["active"] == own["receiver"] == (0, players - 1)
    assert own["envelopes"][1].tolist() == [63] * players + [0] * (6 - players)  # 3, and one in each of 60 rounds
    # a turn brings 4 Water at the Bar and 2 from Mansa Musa, 2 Wine and 2 from Capone; Perón's gifts, one of each opponent
    assert own["stash"][1][0].tolist() == [0, 60 * (6 + players - 1), 60 * (4 + players - 1)]
    assert own["worth"][0].tolist() == [0, 0, 0]
    assert own["worth"][1].tolist() == [0, 2 + 2, 4 + 1]
    assert own["rolls_left"] == (0, 3)  # da Vinci's fourth roll
    assert own["attempts"] == (0, 2)
    assert own["dice"] == (-1, 4)
    assert own["icon_worth"] == (0, 1)
    assert own["moves"] == (0, 1)
    assert own["round_number"] == (1, 60)
    names = list(game_of(players).spec.state.names)
    assert list(own) == names[names.index("place") + 1 : -1]  # all but the shared fields and the pad


@pytest.mark.parametrize(("players", "components", "options"), GAMES)
def test_positions_of_random_play_are_sound(players: int, components: Any, options: Any) -> None:
    game = game_of(players, components, **options)
    run = Fuzz(game, np.random.default_rng(players))
    found = run.positions(games=1, every=8)
    assert len(found) > 10
    for states in found:
        assert run.unsound(states) == ""


# ---------------------------------------------------------------- the fuzz


def fuzz_in_plain_python(*arguments: int) -> dict[str, int]:
    command = [sys.executable, "-m", "tests.games.dinner_party.fuzz", *map(str, arguments)]
    done = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(ast.literal_eval(done.stdout))


def test_no_record_that_passes_makes_a_rule_index_outside_an_array() -> None:
    counts = fuzz_in_plain_python(60, 1, 1, 4)
    assert min(counts.values()) > 20


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_no_record_of_thousands_does(seed: int) -> None:
    counts = fuzz_in_plain_python(1500, seed)
    assert min(counts.values()) > 1000


def test_the_watch_sees_indices_outside() -> None:
    p = reseating()
    watched = Record(p.r)
    with pytest.raises(IndexError, match="outside"):
        watched.where[p.r.face_up[1]]  # -1: the guest has just left the Lobby
    with pytest.raises(IndexError):
        watched.table[0, 46]
    with pytest.raises(IndexError, match="outside"):
        Record(p.rules).guests[np.int16(-1)]
    with pytest.raises(IndexError, match="outside"):
        watched.charmed[-1] = 1
    watched.moves = 0
    assert p.r.moves == 0
    assert STOP == KEEP_ALL
