"""Components files with slips in them: every one is refused in one line that names the file and the entry, or can be played.

The tables are made from the shipped files: each entry in turn gets values of wrong kinds, is left out, misspelt or doubled.
No game is played here, so nothing is compiled; `test_what_loads_can_be_played` does that under the marker `long`.
"""

import copy
import json
import re
import tomllib

import numpy as np
import pytest

from banquet_envs import ComponentsError, game_spec, make_game
from banquet_envs.core.components import Components
from banquet_envs.testing.play import play
from tests.shipped import SHIPPED

WRONG = {
    "a text": "nonsense", "an empty text": "", "a number": 10**6, "a negative number": -7, "a huge number": 10**30,
    "a number past int16": 32768, "a fraction": 1.5, "not a number": float("nan"), "infinity": float("inf"), "true": True,
    "an empty list": [], "a list of numbers": [1, 2], "a list of texts": ["x"], "lists in lists": [[1], [[2]]],
    "a list of tables": [{"a": 1}], "a table": {"a": 1}, "an empty table": {}, "a date": tomllib.loads("d = 1979-05-27")["d"],
}  # fmt: skip
SAMPLES = {"quick": 40, "many": 400}
"""Entries of each file, evenly spread, in the default run and in the long one."""
NOTES = ("printed",)
"""Entries that the games do not read, and that hold values of several kinds."""


def toml(value):
    """A value as TOML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, str) else str(value)


def shipped(name):
    return tomllib.loads(game_spec(name).components.read_text())


def options_of(name):
    """The most that a file is read for: the last variant, where possible with the fewest players."""
    spec = game_spec(name)
    return {"players": spec.min_players, **spec.variants[-1]}


def places(tree, path=()):
    """The path of every entry, and of every element of a list."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


class Box:
    """A file in which entries are changed, one at a time."""

    def __init__(self, name, folder):
        self.name, self.file, self.tree = name, folder / "mine.toml", shipped(name)
        self.options = options_of(name)

    def load(self, tree):
        self.file.write_text("".join(f"{json.dumps(k)} = {toml(v)}\n" for k, v in tree.items()))
        return make_game(self.name, components=self.file, **self.options)

    def refusal(self, tree):
        """The words with which a file is refused; None if it is not. Whatever else happens is a failure."""
        try:
            self.load(tree)
        except ComponentsError as error:
            said = str(error)
            assert said.startswith(f"{self.file}: "), said
            assert "\n" not in said
            assert len(said) < 1500
            assert "cannot be used (" not in said, said  # the last net: every case has words of its own
            return said
        return None

    def changed(self, path, value):
        tree = copy.deepcopy(self.tree)
        at(tree, path[:-1])[path[-1]] = value
        return tree


@pytest.fixture
def box(request, tmp_path):
    return Box(request.param, tmp_path)


every_game = pytest.mark.parametrize("box", SHIPPED, indirect=True)
in_long_runs = pytest.mark.parametrize("run", ["quick", pytest.param("many", marks=pytest.mark.long)])


def chosen(paths, run):
    """A fixed part of the entries."""
    paths = list(paths)
    return paths[:: max(1, len(paths) // SAMPLES[run]) | 1]


@every_game
def test_a_copy_of_the_shipped_file_is_the_shipped_file(box):
    mine = box.load(box.tree)
    assert mine.rules.tobytes() == make_game(box.name, **box.options).rules.tobytes()


@every_game
@in_long_runs
def test_values_of_wrong_kinds_are_refused_by_name_or_are_meant(box, run):
    """Every kind at every entry in the long run; in the quick one they take turns."""
    refused, accepted, turns = 0, 0, {"quick": 4, "many": 1}[run]
    for k, path in enumerate(chosen(places(box.tree), run)):
        names = [str(key) for key in path if isinstance(key, str)]
        for how, value in list(WRONG.items())[k % turns :: turns]:
            was = at(box.tree, path)
            said = box.refusal(box.changed(path, value))
            if said is None:
                assert type(value) is type(was) or set(NOTES) & set(path), (
                    f"{path}: {how} is accepted in place of {was!r}"
                )
                accepted += 1
            else:
                refused += 1
                if type(value) is not type(was):
                    assert any(name in said for name in names), f"{path}: {said}"
    assert refused > 5 * accepted


@every_game
@in_long_runs
def test_entries_left_out_are_named_or_not_needed(box, run):
    named = 0
    for path in chosen(places(box.tree), run):
        tree = copy.deepcopy(box.tree)
        del at(tree, path[:-1])[path[-1]]
        said = box.refusal(tree)
        if said is not None and isinstance(path[-1], str):
            assert any(str(key) in said for key in path), f"{path}: {said}"
            named += 1
    assert named > 5


@every_game
@in_long_runs
def test_entries_that_nobody_knows_are_refused_with_the_nearest_name(box, run):
    tables = [(), *(path for path in places(box.tree) if isinstance(at(box.tree, path), dict))]
    for path in chosen(tables, run):
        tree = copy.deepcopy(box.tree)
        at(tree, path)["zzz_unknown"] = (1, {"a": 1}, [[[[1]]]])[len(path) % 3]
        said = box.refusal(tree)
        assert said, path
        assert "'zzz_unknown'" in said or path == ("bar",)  # Dinner Party says which lines it may have
    for path in chosen((p for p in places(box.tree) if isinstance(p[-1], str) and len(p[-1]) > 3), run):
        tree = copy.deepcopy(box.tree)
        at(tree, path[:-1])[path[-1] + "s"] = at(tree, path)  # misspelt beside the right one
        said = box.refusal(tree)
        assert said, path
        assert path[-1] + "s" in said


@every_game
def test_a_misspelt_entry_is_pointed_out(box):
    path = next(
        p for p in places(box.tree) if isinstance(at(box.tree, p), int) and isinstance(p[-1], str) and len(p[-1]) > 4
    )
    tree = copy.deepcopy(box.tree)
    at(tree, path[:-1])[path[-1] + "x"] = at(tree, path[:-1]).pop(path[-1])
    said = box.refusal(tree)
    assert f"{path[-1]!r}" in said
    assert f"{path[-1] + 'x'!r}" in said


TEXTS = {
    "not TOML": ("pile = [", "is not a TOML file"),
    "binary": (b"\x00\xff\xfe\x80", "is not a TOML file"),
    "deeply nested": ("zzz = " + "[" * 5000 + "]" * 5000, "is nested too deeply"),
    "a number of 10,000 digits": ("zzz = " + "9" * 10_000, "is not a TOML file"),
    "twice the same": ("a = 1\na = 2", "is not a TOML file"),
    "UTF-16": ("a = 1".encode("utf-16"), "is not a TOML file"),
    "empty": ("", "entry"),
}


@every_game
@pytest.mark.parametrize("how", TEXTS)
def test_files_that_are_no_components_files(box, how):
    content, words = TEXTS[how]
    box.file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ComponentsError, match=rf"^{re.escape(str(box.file))}: .*{words}"):
        make_game(box.name, components=box.file, **box.options)


@every_game
def test_a_byte_order_mark_does_no_harm(box):
    box.file.write_bytes(b"\xef\xbb\xbf" + game_spec(box.name).components.read_bytes())
    mine = make_game(box.name, components=box.file, **box.options)
    assert mine.rules.tobytes() == make_game(box.name, **box.options).rules.tobytes()


@every_game
def test_entries_for_other_options_may_stay_and_are_looked_at(box):
    """A file serves every option: what only others read is no slip."""
    spec = game_spec(box.name)
    for players in spec.player_counts():
        for variant in spec.variants:
            box.options = {"players": players, **variant}
            try:
                make_game(box.name, **box.options)
            except ValueError:
                continue
            box.load(box.tree)


@pytest.mark.long
@every_game
def test_what_loads_can_be_played(box):
    """Numbers a little off: whatever is accepted plays games to their ends, within the declared facts."""
    rng, played = np.random.default_rng(1), 0
    numbers = [p for p in places(box.tree) if type(at(box.tree, p)) is int]
    while played < 40:
        tree = copy.deepcopy(box.tree)
        for k in rng.integers(len(numbers), size=rng.integers(1, 4)):
            path = numbers[k]
            at(tree, path[:-1])[path[-1]] = max(0, at(tree, path) + int(rng.integers(-2, 4)))
        try:
            game = box.load(tree)
        except ComponentsError:
            continue
        states = play(game, 6, played)
        points = states.points[:, : game.num_players]
        assert game.facts.points_min <= points.min()
        assert points.max() <= game.facts.points_max
        assert states.ply.max() <= game.facts.longest_game
        game.check_records(states)
        played += 1


def test_tables_of_ones_own_reading_count_as_read(tmp_path):
    data = Components({"a": 1, "b": {"c": 2, "d": 3}, "list": [{"x": 1}, {"x": 2, "y": 3}]}, tmp_path / "f.toml")
    from banquet_envs.core.components import Entries

    top = Entries(data, "never shown")
    top.integer("a")
    top.table("b").integer("c")
    assert [entry.integer("x") for entry in top.tables("list")] == [1, 2]
    with pytest.raises(ComponentsError, match=r"f\.toml: b: entry 'd' is unknown; known here: c"):
        data.refuse_unknown({})
    with pytest.raises(ComponentsError, match=r"f\.toml: list\[1\]: entry 'y' is unknown"):
        data.refuse_unknown({"b": {"d": 9}})
    data.refuse_unknown({"b": {"d": 9}, "list": [{"y": 0}]})
