"""The planter of `make mutants`: every kind of fault, one at a time, and its list of harmless ones kept up to date."""

import ast
from pathlib import Path

import pytest

from tests.mutants.__main__ import GAMES, ROOT, equivalents
from tests.mutants.faults import chosen, faults_of
from tests.shipped import SHIPPED

RULES = '''
@rule
def seats_left(state, rules, seat):
    """How many of 3 are left."""
    left = 0
    for k in range(2, rules.players):
        if state.table[seat] < k and not state.over:
            left += 1
    state.player = left - state.active
    begin(state)


def plain(state):
    return state.ply + 1
'''
EXPECTED = {
    "left = 0 => left = 1",
    "for k in range(2, rules.players): => for k in range(3, rules.players):",
    "for k in range(2, rules.players): => for k in range(2, rules.players - 1):",
    "if state.table[seat] < k and not state.over: => if state.table[seat] <= k and not state.over:",
    "if state.table[seat] < k and not state.over: => if state.table[seat] < k or not state.over:",
    "if state.table[seat] < k and not state.over: => if state.table[seat] < k and (state.over):",
    "if state.table[seat] < k and not state.over: => if state.table[state.player] < k and not state.over:",
    "if state.table[seat] < k and not state.over: => if not (state.table[seat] < k and not state.over):",
    "left += 1 => left -= 1",
    "left += 1 => left += 2",
    "left += 1 => pass",
    "state.player = left - state.active => state.player = left + state.active",
    "state.player = left - state.active => state.player = left - state.player",
    "state.player = left - state.active => state.player = left - seat",
    "state.player = left - state.active => pass",
    "begin(state) => pass",
}


def test_every_kind_of_fault_once_and_only_in_rules(tmp_path):
    file = tmp_path / "rules.py"
    file.write_text(RULES)
    found = faults_of(file, "rules.py", {"player", "active"})
    assert {f"{f.before} => {f.after}" for f in found} == EXPECTED
    for fault in found:
        before, after = RULES.splitlines(), fault.planted(RULES).splitlines()
        assert [k + 1 for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [fault.line]
        assert fault.function == "seats_left"


@pytest.mark.parametrize("game", SHIPPED)
def test_the_choice_is_fixed_spread_and_valid(game):
    faults = chosen(ROOT / GAMES / game, 2026, 40)
    assert faults == chosen(ROOT / GAMES / game, 2026, 40)
    assert faults != chosen(ROOT / GAMES / game, 77, 40)
    assert len({f.key() for f in faults}) == 40
    assert len({(f.file, f.function) for f in faults}) >= 20
    for fault in faults:
        text = (ROOT / GAMES / game / fault.file).read_text()
        planted = fault.planted(text)
        assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(text))


@pytest.mark.parametrize("game", SHIPPED)
def test_faults_that_are_said_to_be_harmless_can_still_be_planted(game):
    everything = {f.key() for f in chosen(ROOT / GAMES / game, 1, 10**6)}
    everything |= {f.key() for f in chosen(ROOT / GAMES / game, 1, 10**6, ("observation.py",))}
    stale = [key for key in equivalents(game) if key not in everything]
    assert not stale, f"equivalent.toml names lines that are no longer there: {stale}"
    assert all(Path(key[0]).suffix == ".py" and reason for key, reason in equivalents(game).items())
