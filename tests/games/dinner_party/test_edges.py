"""Edges: the first and the last of everything, what is asked beside what is forced, and rare events that meet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banquet_envs.games.dinner_party.state import Action, Phase, Where

from .positions import LEFT, NONE, RIGHT, STOP, WATER, WINE, Position, game_of, sound

SMALL = Path(__file__).with_name("small_deck.toml")
GOLDEN_RATIO = 0x9E3779B97F4A7C15  # the step of the random stream: how many numbers were drawn can be read from it
OF_EACH_BACK = ["lincoln", "dante", "freud", "fugger", "confucius"]
LAST_OF_EACH_BACK = ["gandhi", "mozart", "hypatia", "walt_disney", "torquemada"]


def numbers(stream: int, n: int, below: int) -> list[int]:
    """The next numbers of SplitMix64 in plain Python, as a record at `stream` draws them."""
    found = []
    for _ in range(n):
        stream = (stream + GOLDEN_RATIO) % 2**64
        z = stream
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        found.append(((z ^ z >> 31) >> 32) * below >> 32)
    return found


def small(tables: list[list[str]], lobby: list[str] = (), **more: Any) -> Position:  # type: ignore[assignment]
    return Position(tables, lobby, components=SMALL, **more)


# ---------------------------------------------------------------- the first and the last of everything


@pytest.mark.parametrize("keep", range(8))
@pytest.mark.parametrize("stream", range(1, 6))
def test_every_choice_of_dice(keep: int, stream: int) -> None:
    """The dice that are not kept show what the random stream says; all lie in ascending order."""
    p = Position([["mozart"], []], ["freud"])
    p.do(p.invite("freud"))
    p.r.dice[:] = 1, 2, 3
    p.r.rng = stream
    kept = [d for k, d in enumerate((1, 2, 3)) if keep >> k & 1]
    rolled = [[1, 2, 3, 4, 0, 0][f] for f in numbers(stream, 3 - len(kept), 6)]
    left = int(p.r.rolls_left)
    p.do(keep)
    assert list(p.r.dice) == sorted(kept + rolled)
    assert p.r.rolls_left == left - (keep != STOP)
    assert p.r.phase == (Phase.REROLL if keep == STOP else Phase.ROLL)


@pytest.mark.parametrize("keep", [0b011, 0b101, 0b110])
def test_every_die_after_the_last_roll(keep: int) -> None:
    p = Position([["mozart"], []], ["freud"]).invites("freud", 1, 2, 3)
    p.r.rng = next(stream for stream in range(100) if numbers(stream, 1, 6) == [4])  # a Drink icon
    p.do(keep)
    assert p.r.phase == Phase.BAR
    assert list(p.r.dice) == [0, *(d for k, d in enumerate((1, 2, 3)) if keep >> k & 1)]


def test_the_first_roll_is_of_all_three_dice() -> None:
    p = Position([["mozart"], []], ["freud"])
    p.r.rng = 77
    p.do(p.invite("freud"))
    assert list(p.r.dice) == sorted([1, 2, 3, 4, 0, 0][f] for f in numbers(77, 3, 6))


@pytest.mark.parametrize("faces", [(0, 0, 0), (0, 1, 2), (3, 3, 4), (4, 4, 4)])
def test_every_face_counts_what_it_shows(faces: tuple[int, ...]) -> None:
    p = Position([["dante", "freud"], []], ["sartre"]).invites("sartre", *faces)  # 6, and 1 for each guest
    assert (p.r.phase == Phase.PLACE or p.table(0) == ["dante", "freud", "sartre"]) == (sum(faces) >= 8)


@pytest.mark.parametrize("back", range(5))
@pytest.mark.parametrize("names", [OF_EACH_BACK, LAST_OF_EACH_BACK])
def test_every_stack_is_refilled_by_itself(names: list[str], back: int) -> None:
    p = sound([["van_gogh"], []], names)
    before, top = p.r.face_up.copy(), p.r.hidden[back, p.r.unseen[back] - 1]
    heights, unseen = p.r.height.copy(), p.r.unseen.copy()
    p.r.stash[0, WINE] = 5
    p.invites(names[back], 4, 4, 4)
    if p.r.phase == Phase.PLACE:
        p.do(p.put(RIGHT, WINE) if p.put(RIGHT, WINE) in p.legal() else p.put(RIGHT))
    assert p.where(names[back]) == 0
    assert p.r.face_up[back] == top
    assert p.r.where[top] == Where.LOBBY
    assert p.r.hidden[back, p.r.unseen[back]] == -1
    one = np.arange(5) == back
    assert (heights - p.r.height == one).all()
    assert (unseen - p.r.unseen == one).all()
    assert (p.r.face_up[~one] == before[~one]).all()


@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("second", range(5))
def test_any_two_empty_stacks_end_the_game(first: int, second: int) -> None:
    heights = [3] * 5
    heights[first] = heights[second] = 0
    open_cards = [name for k, name in enumerate(OF_EACH_BACK) if k != second or k == first]
    p = Position([["van_gogh"], []], open_cards, heights=heights, stash={0: (0, 9)})
    p.invites(OF_EACH_BACK[first], 4, 4, 4).do(p.put(RIGHT))
    assert p.where(OF_EACH_BACK[first]) == 0
    assert p.r.ending == (first != second)


@pytest.mark.parametrize(("guest", "points"), list(zip(OF_EACH_BACK, [2, 3, 2, 2, 3], strict=True)))
def test_every_occupation_counts(guest: str, points: int) -> None:
    """Dante is of Art and Religion, Confucius of Religion and Science: two occupations."""
    p = Position([["capone"], [guest]], ["mozart"]).invites("mozart", 1, 1, 1)
    assert p.points()[1] == points


@pytest.mark.parametrize("guest", ["hitler", "lincoln", "torquemada"])
def test_the_first_and_the_last_guest_can_be_charmed_invited_and_hosted(guest: str) -> None:
    p = Position([["dante"], [guest], []], ["freud"])
    assert p.charm(guest) in p.legal()
    p.do(p.charm(guest)).stop_with(0, 0, 0)
    assert p.r.target == p.id(guest)
    assert p.r.charmed[p.id(guest)] == 1
    assert (p.r.phase, p.r.player) == (Phase.ROLL, 0)
    p = Position([["dante"], [], []], [] if guest == "hitler" else [guest], envelopes={1: 0}, hitler="lobby")
    p.r.phase = Phase.HOST
    p.do(Action.DONE)
    if guest == "hitler":  # he alone is in the Lobby: whoever is next must invite him
        assert (p.r.active, p.r.phase, p.r.target) == (1, Phase.ROLL, 0)
    else:
        assert p.legal() == {p.invite(guest), p.invite("hitler")}
    p = Position([["dante", guest], []], ["freud"], stash={0: (1, 1)}, drinks={"dante": WINE}).invites("freud", 0, 0, 1)
    p.do(Action.TAKE)
    assert p.legal() == {Action.DONE, p.host(guest, WATER), p.host(guest, WINE)}
    p.do(p.host(guest, WINE))
    assert p.drink_on(guest) == WINE
    assert p.stash(0) == (1, 0)


@pytest.mark.parametrize("guest", ["hitler", "lincoln", "torquemada"])
@pytest.mark.parametrize("end", [LEFT, RIGHT])
def test_the_first_and_the_last_guest_can_be_reseated(guest: str, end: int) -> None:
    p = Position([["dante", guest, "freud"], []], ["shakespeare"], drinks={guest: WATER}).invites(
        "shakespeare", 4, 4, 4
    )
    p.do(p.put(LEFT), p.reseat(guest, end))
    rest = ["shakespeare", "dante", "freud"]
    assert p.table(0) == ([guest, *rest] if end == LEFT else [*rest, guest])
    assert p.drink_on(guest) == WATER


@pytest.mark.parametrize("active", [0, 3, 5])
@pytest.mark.parametrize("steps", range(1, 6))
def test_a_gift_goes_to_every_seat(active: int, steps: int) -> None:
    tables: list[list[str]] = [[] for _ in range(6)]
    tables[active] = ["eva_peron"]
    p = Position(tables, ["freud"], stash={active: (0, 1)}, active=active).invites("freud", 4, 4, 0)
    p.do(p.put(RIGHT, NONE, WINE))
    assert p.legal() == {Action.GIVE_TO + k for k in range(5)}
    p.do(Action.GIVE_TO + steps - 1)
    expected = [(0, int(s == (active + steps) % 6)) for s in range(6)]
    assert [p.stash(s) for s in range(6)] == expected


@pytest.mark.parametrize("active", [0, 5])
@pytest.mark.parametrize("steps", range(1, 6))
@pytest.mark.parametrize("end", [LEFT, RIGHT])
def test_hitler_goes_to_every_seat_and_end(active: int, steps: int, end: int) -> None:
    pairs = [["dante", "freud"], ["lincoln", "capone"], ["fugger", "darwin"], ["tesla", "newton"], ["marx", "gandhi"]]
    tables = [*pairs, ["hypatia", "galileo"]]
    p = Position(tables, ["mozart"], active=active).invites("hitler", 4, 4, 4)
    p.do(p.put(RIGHT) if p.put(RIGHT) in p.legal() else p.put(LEFT))
    assert p.legal() == {Action.LEAVE} | {p.hitler_to(k, e) for k in range(1, 6) for e in (LEFT, RIGHT)}
    p.do(p.hitler_to(steps, end))
    seat = (active + steps) % 6
    assert p.table(seat) == (["hitler", *tables[seat]] if end == LEFT else [*tables[seat], "hitler"])
    assert p.table(active) == tables[active]


@pytest.mark.parametrize("place", [0, 5, 11])
def test_a_guest_is_taken_from_any_place_of_a_long_table(place: int) -> None:
    table = [
        "dante",
        "freud",
        "lincoln",
        "darwin",
        "fugger",
        "tesla",
        "newton",
        "buddha",
        "marx",
        "jesus",
        "galileo",
        "gandhi",
    ]
    p = Position([["van_gogh"], table, []], ["mozart"], envelopes={0: 9}, stash={0: (0, 9)})
    p.do(p.charm(table[place]))
    if p.r.entertaining:
        p.stop_with(0, 0, 0)
    p.stop_with(4, 4, 4)
    p.do(p.put(RIGHT, WINE) if p.put(RIGHT, WINE) in p.legal() else p.put(RIGHT))
    assert p.table(1) == table[:place] + table[place + 1 :]
    assert p.table(0) == ["van_gogh", table[place]]


@pytest.mark.parametrize(("active", "owner"), [(0, 5), (5, 0), (2, 3)])
def test_any_seat_charms_any_other(active: int, owner: int) -> None:
    tables: list[list[str]] = [[] for _ in range(6)]
    tables[owner], tables[active] = ["dante", "freud"], ["capone"]
    p = Position(tables, ["mozart"], active=active)
    p.do(p.charm("freud"))
    assert (p.r.player, p.r.active, p.r.entertaining) == (owner, active, 1)
    assert p.needs() == (10, 10)
    p.stop_with(0, 0, 0)
    assert (p.r.player, p.r.active, p.r.entertaining) == (active, active, 0)
    assert p.needs() == (12, 12)  # Capone's arrows


def test_turns_and_rounds_are_counted() -> None:
    p = Position(
        [["dante"], [], []], ["jesus"], round_number=3, active=1, turns=0, envelopes=dict.fromkeys(range(3), 0)
    )
    seen = []
    for _ in range(4):
        seen.append((int(p.r.round_number), int(p.r.turns), int(p.r.active), int(p.r.player)))
        p.invites("hitler", 0, 0, 1)
        if p.r.phase == Phase.BAR:
            p.do(Action.TAKE)
    assert seen == [(3, 0, 1, 1), (3, 1, 2, 2), (3, 2, 0, 0), (4, 0, 1, 1)]


# ---------------------------------------------------------------- asked, or forced


@pytest.mark.parametrize(
    ("owner", "guest", "drinks", "asked"),
    [
        (["rasputin", "dante", "hypatia"], "dante", {}, True),  # 7 + 2 - 2
        (["dante"], "dante", {"dante": WINE}, True),  # three are enough, and three icons show 0
        (["rasputin", "freud", "hypatia"], "rasputin", {"rasputin": WATER}, True),  # 7 - 4 - 2: one is enough
        (["lincoln", "rasputin", "freud"], "rasputin", {}, True),  # 7 - 4 - 2: one
        (["lincoln", "rasputin", "mansa_musa"], "rasputin", {}, False),  # 7 - 4 - 4: nothing is needed, nobody can fail
        (["tesla", "rasputin"], "rasputin", {}, False),  # three are needed, and Tesla's icons count one each
        (["gandhi"], "gandhi", {}, True),  # twelve are the most that three dice show
        (["jesus"], "jesus", {}, False),  # thirteen are more
        (["tesla", "jesus"], "jesus", {}, False),  # an icon that counts does not raise the most
        (["churchill", "jesus"], "jesus", {"jesus": WATER}, True),  # 13 - 2 - 2
    ],
)
def test_an_owner_is_asked_only_when_dice_matter(owner: list[str], guest: str, drinks: dict, asked: bool) -> None:
    p = Position([["darwin"], owner], ["mozart"], drinks=drinks, envelopes={0: 9})
    p.do(p.charm(guest))
    assert (p.r.phase == Phase.ROLL and p.r.player == 1) == asked


def with_another_tesla(folder: Path, ability: str) -> Path:
    """The shipped box, in which Tesla's ability is another one."""
    text, old = game_of(2).components.read_text(), 'kind = "icon_value", value = 1'
    assert old in text
    file = folder / "tesla.toml"
    file.write_text(text.replace(old, ability))
    return file


def test_icons_that_count_more_than_the_lowest_face_do_not_raise_the_least(tmp_path: Path) -> None:
    file = with_another_tesla(tmp_path, 'kind = "icon_value", value = 3')
    p = Position(
        [["darwin"], ["tesla", "dante"]], ["mozart"], drinks={"dante": WATER}, envelopes={0: 9}, components=file
    )
    p.do(p.charm("dante"))
    assert p.needs()[0] == 5  # 7 - 2; three ones fall short
    assert (p.r.phase, p.r.player) == (Phase.ROLL, 1)


def test_guests_beside_each_other_allow_their_rerolls_in_turn(tmp_path: Path) -> None:
    file = with_another_tesla(tmp_path, 'kind = "reroll_after_last", roll = "any", dice = 1')
    p = Position([["mozart", "tesla", "freud"], []], ["dante"], components=file).invites("dante", 2, 3, 4)
    for window in range(2):
        assert (p.r.phase, p.r.window) == (Phase.REROLL, window)
        p.do(STOP)
    assert p.r.phase != Phase.REROLL


def test_after_the_last_roll_an_owner_is_asked_only_when_dice_matter() -> None:
    p = Position([["darwin"], ["mozart", "freud"]])
    p.do(p.charm("freud")).stop_with(4, 4, 4)
    assert (p.r.phase, p.r.player) == (Phase.REROLL, 1)  # whoever wishes may throw it away
    p = Position([["darwin"], ["mozart", "jesus"]])
    p.do(p.charm("jesus"))
    assert (p.r.phase, p.r.player) == (Phase.ROLL, 0)  # 13: not asked at all


def test_an_inviter_is_asked_however_hopeless_for_icons_pay() -> None:
    p = Position([["genghis_khan"], []], ["jesus"])
    p.do(p.invite("jesus"))
    assert (p.r.phase, p.r.rolls_left) == (Phase.ROLL, 2)


def test_a_single_open_guest_is_invited_without_a_question() -> None:
    for envelopes, asked in ((1, True), (0, False)):
        p = Position([[], ["dante"]], ["freud"], hitler="gone", envelopes={0: envelopes}, active=1, turns=1)
        p.r.phase = Phase.HOST
        p.do(Action.DONE)
        assert p.r.active == 0
        assert (p.r.phase == Phase.CHOOSE) == asked  # the charm is the other choice
        assert asked or p.r.target == p.id("freud")


@pytest.mark.parametrize(
    ("stash", "drinks", "hosts"),
    [
        ((0, 0), {}, set()),
        ((1, 0), {"dante": WATER, "freud": WINE}, set()),  # Water for nobody
        ((1, 0), {"dante": WINE, "freud": WINE}, set()),
        ((0, 1), {"dante": WINE, "freud": WINE}, set()),
        ((0, 1), {"dante": WINE, "freud": WATER}, {("freud", WINE)}),  # Wine may replace Water
        ((1, 0), {"dante": WINE}, {("freud", WATER)}),
        ((1, 1), {"freud": WATER}, {("dante", WATER), ("dante", WINE), ("freud", WINE)}),
    ],
)
def test_hosting_is_asked_only_when_a_drink_can_be_placed(stash: tuple, drinks: dict, hosts: set) -> None:
    p = Position([["dante", "freud"], []], ["jesus"], stash={0: stash}, drinks=drinks).invites("jesus", 1, 1, 1)
    assert (p.r.phase == Phase.HOST and p.r.active == 0) == bool(hosts)
    if hosts:
        assert p.legal() == {Action.DONE} | {p.host(*h) for h in hosts}


@pytest.mark.parametrize(("icons", "asked"), [(0, False), (1, True), (2, True), (3, True)])
def test_the_bar_is_asked_from_one_icon_on(icons: int, asked: bool) -> None:
    p = Position([["dante"], []], ["jesus"]).invites("jesus", *[0] * icons, *[1] * (3 - icons))
    assert (p.r.phase == Phase.BAR) == asked


@pytest.mark.parametrize("choice", range(4))
def test_every_alternative_of_four_icons(choice: int) -> None:
    p = Position([["adam_smith"], []], ["jesus"]).invites("jesus", 0, 0, 0).do(Action.TAKE + choice)
    assert p.stash(0) == [(0, 0), (4, 0), (2, 1), (0, 2)][choice]
    assert p.r.phase == Phase.HOST or choice == 0


@pytest.mark.parametrize(
    ("hitler", "own", "others", "asked"),
    [
        ("lobby", ["a6"], [["p5"], []], True),  # "may remove" works on Hitler in the Lobby
        ("gone", ["a6"], [["p5"], []], False),
        ("table", ["a6"], [["p5", "hitler"], []], True),
        ("table", ["a6", "hitler"], [["p5"], []], True),
    ],
)
def test_removing_hitler_is_asked_only_when_he_is_there(hitler: str, own: list, others: list, asked: bool) -> None:
    place = hitler if hitler != "table" else "lobby"
    p = small([own, *others], ["e2"], hitler=place, stash=dict.fromkeys(range(3), (0, 0))).invites("e2", 5, 5, 5)
    if p.r.phase == Phase.PLACE:
        p.do(p.put(RIGHT))
    assert (p.r.phase == Phase.MAY) == asked


@pytest.mark.parametrize(
    ("tables", "asked"),
    [([["a6", "hitler"], []], True), ([["a6"], ["hitler", "p5"]], False), ([["a6"], ["p5"]], False)],
)
def test_sending_hitler_to_the_lobby_works_at_the_own_table_only(tables: list, asked: bool) -> None:
    p = small(tables, ["e3"], stash={0: (0, 0), 1: (0, 0)}).invites("e3", 5, 5, 5)
    if p.r.phase == Phase.PLACE:
        p.do(p.put(RIGHT))
    assert (p.r.phase == Phase.MAY) == asked


@pytest.mark.parametrize(
    ("height", "open_card", "asked"), [(3, "capone", True), (0, "capone", True), (3, None, True), (0, None, False)]
)
def test_clearing_a_stack_is_asked_while_anything_of_it_is_left(
    height: int, open_card: str | None, asked: bool
) -> None:
    """Charmed away: his stack may show a card, or be face-down only while it is waiting for nothing."""
    p = Position([["darwin"], ["rockefeller"]], [open_card] if open_card else [], heights=[4, 4, 4, height, 4])
    p.do(p.charm("rockefeller")).stop_with(0, 0, 1).stop_with(3, 3, 3)
    assert (p.r.phase == Phase.MAY) == asked


@pytest.mark.parametrize(
    ("tables", "choices"),
    [
        ([["dante"], [], []], None),  # nobody to send him to
        ([["dante"], ["freud"], []], {(1, RIGHT)}),
        ([["dante"], ["freud", "fugger"], []], {(1, LEFT), (1, RIGHT)}),
        ([["dante"], [], ["freud"]], {(2, RIGHT)}),
        ([["dante"], ["fugger"], ["freud"]], {(1, RIGHT), (2, RIGHT)}),
    ],
)
def test_sending_hitler_on_is_a_free_choice(tables: list, choices: set | None) -> None:
    p = Position(tables, ["lincoln"]).invites("hitler", 4, 4, 4)
    if choices is None:
        assert p.r.player == 1
        assert p.where("hitler") == 0
    else:
        assert p.legal() == {Action.LEAVE} | {p.hitler_to(*c) for c in choices}


def test_placing_hitler_is_no_choice_with_one_place_and_is_one_with_two() -> None:
    p = Position([["dante"], ["freud"], []], ["riefenstahl"]).invites("riefenstahl", 4, 4, 4)
    assert p.table(1) == ["freud", "hitler"]
    p = Position([["dante"], ["freud"], ["fugger"]], ["riefenstahl"]).invites("riefenstahl", 4, 4, 4)
    assert p.legal() == {p.hitler_to(1, RIGHT), p.hitler_to(2, RIGHT)}


def test_a_gift_is_asked_for_its_receiver_with_three_players_and_not_with_two() -> None:
    p = Position([["eva_peron"], []], ["freud"], stash={0: (0, 1)}).invites("freud", 4, 4, 0)
    p.do(p.put(RIGHT, NONE, WINE))
    assert p.table(0) == ["eva_peron", "freud"]
    assert p.stash(1) == (0, 1)
    assert (p.r.treat, p.r.gift) == (0, 0)


@pytest.mark.parametrize("end", [LEFT, RIGHT])
def test_failing_on_purpose_needs_one_end_that_falls_short(end: int) -> None:
    """Capone's red arrows at one end; Dante at the other."""
    table = ["capone", "dante"] if end == LEFT else ["dante", "capone"]
    p = Position([table, []], ["darwin"]).invites("darwin", 2, 3, 4)
    assert p.legal() == {p.put(RIGHT if end == LEFT else LEFT), Action.FAIL}


def test_a_drink_alone_reaches_it_at_one_end_only() -> None:
    p = Position([["capone", "dante"], []], ["freud"], stash={0: (1, 1)}).invites("freud", 4, 4, 0)
    # 8 + 2 at the right; at the left 8 - 2 + 4
    assert p.legal() == {p.put(RIGHT, WATER), p.put(RIGHT, WINE), p.put(LEFT, WINE), Action.FAIL}


# ---------------------------------------------------------------- rare events that meet


def test_ford_napoleon_and_mozart_in_one_charm() -> None:
    """Twice, two rolls each, and a reroll in each attempt; then the second attempt fails."""
    p = Position([["henry_ford", "napoleon"], ["mozart", "freud"]])
    p.do(p.charm("freud"))
    assert (p.r.attempts, p.r.rolls_left) == (2, 1)
    p.stop_with(4, 4, 2)
    assert (p.r.phase, p.r.player, p.r.window) == (Phase.REROLL, 1, 0)
    p.do(STOP)
    assert (p.r.phase, p.r.attempts, p.r.rolls_left, p.r.player) == (Phase.ROLL, 1, 1, 1)
    p.stop_with(1, 1, 1).do(STOP)
    assert (p.r.player, p.r.entertaining, p.r.target) == (0, 0, p.id("freud"))


def test_the_receiver_of_a_gift_may_be_the_guests_former_owner() -> None:
    p = Position([["eva_peron"], ["freud", "dante"], []], ["lincoln"], stash={0: (1, 1)}, drinks={"freud": WATER})
    p.do(p.charm("freud")).stop_with(0, 0, 0).stop_with(4, 4, 0)
    assert p.needs() == (10, 10)
    p.do(p.put(RIGHT, WATER, WINE), Action.GIVE_TO)
    assert p.stash(1) == (1, 1)  # his own Water back, and the Wine
    assert p.stash(0) == (0, 0)
    assert p.drink_on("freud") == WATER
    assert p.table(1) == ["dante"]


def test_hitler_is_charmed_with_a_drink_and_passed_on_with_another() -> None:
    p = Position([["dante"], ["hitler", "freud"], ["fugger"]], ["lincoln"], drinks={"hitler": WATER}, stash={0: (0, 1)})
    p.do(p.charm("hitler")).stop_with(0, 0, 0).stop_with(2, 2, 1)
    p.do(p.put(RIGHT, WINE))  # 5 + 4 against 8
    assert p.stash(1) == (1, 0)  # taken from a Table: the Water is his former host's again
    assert p.drink_on("hitler") == WINE
    p.do(p.hitler_to(2, RIGHT))
    assert p.drink_on("hitler") == NONE  # passed on: the Wine goes to the Bar
    assert [p.stash(s) for s in range(3)] == [(0, 0), (1, 0), (0, 0)]
    assert [p.table(s) for s in range(3)] == [["dante"], ["freud"], ["fugger", "hitler"]]


def test_hitler_stays_with_the_drink_he_was_treated_to() -> None:
    """Ruling Q15: by choice, and because there is no other Table."""
    for other in (["freud"], []):
        p = Position([["dante"], other, []], ["lincoln"], stash={0: (0, 1)}).invites("hitler", 2, 2, 1)
        p.do(p.put(RIGHT, WINE))
        if other:
            p.do(Action.LEAVE)
        assert p.table(0) == ["dante", "hitler"]
        assert p.drink_on("hitler") == WINE


def test_hitler_alone_at_a_table_is_charmed_and_cannot_go_back() -> None:
    p = Position([["dante"], ["hitler"]], ["lincoln"])
    p.do(p.charm("hitler")).stop_with(0, 0, 0).stop_with(4, 4, 0)
    assert p.table(0) == ["dante", "hitler"]  # seat 1's Table is empty now
    assert p.table(1) == []


def test_riefenstahl_is_charmed_away_from_hitlers_table() -> None:
    p = Position([["dante"], ["riefenstahl", "hitler", "freud"]], ["lincoln"], drinks={"hitler": WINE})
    p.do(p.charm("riefenstahl")).stop_with(0, 0, 0).stop_with(4, 4, 0)
    assert p.table(0) == ["dante", "riefenstahl"]
    assert p.table(1) == ["freud", "hitler"]  # the only place: at the end of the Table where he sat
    assert p.drink_on("hitler") == NONE
    assert p.stash(1) == (0, 0)


def test_wu_zetian_removes_hitler_from_between_two_guests_with_his_drink() -> None:
    p = Position([["dante", "hitler", "freud"], []], ["wu_zetian"], drinks={"hitler": WATER}).invites(
        "wu_zetian", 4, 4, 0
    )
    p.do(p.put(LEFT))
    assert p.table(0) == ["wu_zetian", "dante", "freud"]
    assert p.where("hitler") == Where.GONE
    assert p.drink_on("hitler") == NONE
    assert p.stash(0) == (0, 0)


def test_rockefeller_ends_the_game_by_clearing_the_second_stack() -> None:
    open_cards = ["rockefeller", "lincoln", "freud", "buddha"]
    for action, ends in ((Action.DO, 1), (Action.LEAVE, 0)):
        p = Position([["dante"], []], open_cards, heights=[3, 0, 3, 3, 3]).invites("rockefeller", 3, 3, 3)
        assert p.r.ending == 0
        p.do(action)
        assert p.r.ending == ends
        assert (p.r.face_up[3] == -1) == bool(ends)


def test_the_last_turn_of_the_last_round_that_also_empties_a_stack_is_no_guards_end() -> None:
    p = Position([["darwin"], ["dante"]], ["fugger"], heights=[4, 0, 4, 0, 4], turns=1, round_number=60)
    p.invites("fugger", 4, 4, 4)
    assert p.r.over
    assert not p.r.capped
    assert p.r.phase == Phase.END_TURN
    assert p.r.turns == 0


def test_chaplin_sends_hitler_back_and_he_can_be_invited_at_once_by_the_next() -> None:
    p = Position([["dante", "hitler"], ["freud"]], ["chaplin"], drinks={"hitler": WINE}).invites("chaplin", 4, 4, 4)
    p.do(p.put(LEFT))
    assert p.where("hitler") == Where.LOBBY
    assert p.drink_on("hitler") == NONE
    assert p.r.active == 1
    assert p.invite("hitler") in p.legal()
    assert p.charm("hitler") not in p.legal()


def test_a_guest_taken_from_between_two_others_makes_them_neighbours() -> None:
    """Entertaining then counts the arrows of the new neighbour."""
    p = Position([["darwin"], ["lincoln", "dante", "freud"]], ["mozart"])
    p.do(p.charm("dante")).stop_with(0, 0, 0).stop_with(4, 4, 0)
    assert p.table(1) == ["lincoln", "freud"]
    q = Position([["darwin"], ["lincoln", "freud"]], ["mozart"])
    q.do(q.charm("freud"))
    assert q.needs() == (8, 8)


def test_charming_everybody_until_the_envelopes_are_spent() -> None:
    p = Position([["capone"], ["freud", "dante"], ["fugger", "lincoln"]], ["mozart"])
    for guest, owner in (("freud", 1), ("lincoln", 2), ("dante", 1)):
        p.do(p.charm(guest))
        assert p.r.player == owner
        p.stop_with(4, 4, 4)
    assert p.r.envelopes[0] == 0
    assert p.legal() == {p.invite("mozart"), p.invite("hitler")}
    assert [int(p.r.charmed[p.id(g)]) for g in ("freud", "lincoln", "dante", "fugger")] == [1, 1, 1, 0]


def test_a_new_turn_forgets_who_was_charmed_and_what_failed() -> None:
    p = Position([["capone"], ["freud", "dante"], []], ["mozart", "lincoln"])
    p.do(p.charm("freud")).stop_with(4, 4, 4)
    p.invites("mozart", 1, 1, 1)
    assert (p.r.active, p.r.player, p.r.failed, p.r.invited, p.r.target) == (1, 1, 0, 0, -1)
    assert not p.r.charmed.any()
    assert (p.r.dice == -1).all()


def test_marx_takes_from_all_but_his_host_in_any_seat() -> None:
    for active in (0, 2):
        tables: list[list[str]] = [[], [], []]
        tables[active] = ["dante"]
        p = Position(tables, ["marx"], stash=dict.fromkeys(range(3), (1, 1)), active=active).invites("marx", 4, 4, 4)
        p.do(p.put(RIGHT))
        assert [p.stash(s) for s in range(3)] == [(1, 1) if s == active else (0, 1) for s in range(3)]


def test_sartre_counts_hitler_and_not_himself_and_lincoln_compares_with_hitler() -> None:
    p = Position([["hitler"], ["dante"]], ["sartre"])
    assert p.do(p.invite("sartre")).needs() == (9, 9)  # 6 + 1 and Hitler's arrows
    p = Position([["hitler"], ["dante"]], ["lincoln"])
    assert p.do(p.invite("lincoln")).needs() == (10, 10)  # nobody has more; the arrows
