"""The tutorial's Connect Four: its text is its folder, its rules are Connect Four's, and the core takes it as a game.

Referees are a slow board of lists, PettingZoo's own environment and published counts of positions.
"""

import json
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.classic import connect_four_v3

import connect_four
from banquet_agents.arena.matches import play_match
from banquet_envs import ComponentsError, make_game
from banquet_envs.core import state as records
from banquet_envs.core.registry import make_agent
from banquet_envs.testing import CHECKS, OVERALL_CHECKS, PER_GAME_CHECKS
from banquet_envs.testing.play import play, walk
from benchmarks import peers
from benchmarks.contestants import Contestant, our_aec, our_batch, our_compiled_loop, our_kernels
from connect_four.agents import lines_through
from connect_four.rules import four_in_line
from connect_four.state import CELLS, COLUMNS, ROWS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "add_a_game.md").read_text()
FOLDER = Path(connect_four.__file__).parent
DIRECTIONS = {"across": (0, 1), "up": (1, 0), "rising right": (1, 1), "rising left": (1, -1)}
ALL_LINES = [
    [(row + k * up, column + k * right) for k in range(4)]
    for up, right in DIRECTIONS.values()
    for row in range(ROWS)
    for column in range(COLUMNS)
    if row + 3 * up < ROWS and 0 <= column + 3 * right < COLUMNS
]


@pytest.fixture
def game():
    return make_game("connect_four")


@pytest.fixture
def other_processes(monkeypatch):
    """New processes find the tutorial's package."""
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent) + os.pathsep + os.environ.get("PYTHONPATH", ""))


# ---------------------------------------------------------------- the page


def test_the_blocks_of_the_page_are_the_files_of_the_folder():
    parts = re.findall(r"```(?:python|toml) connect_four/(\S+)\n(.*?)```", PAGE, re.DOTALL)
    told = {name: "" for name, _ in parts}
    for name, text in parts:
        told[name] += text
    kept = {f.name: f.read_text() for f in FOLDER.iterdir() if f.is_file()}

    def lines(texts):
        return {name: [line for line in text.splitlines() if line] for name, text in texts.items()}

    assert lines(told) == lines(kept)
    listed = re.search(r"```text\nconnect_four/\n(.*?)```", PAGE, re.DOTALL).group(1)
    assert {line.split()[0] for line in listed.splitlines()} == set(kept)


# ---------------------------------------------------------------- conformance


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
def test_conformance(game, check):
    check(game)


@pytest.mark.parametrize("check", OVERALL_CHECKS, ids=lambda c: c.__name__)
def test_conformance_over_all_configurations(check):
    check("connect_four")


@pytest.mark.parametrize("check", PER_GAME_CHECKS, ids=lambda c: c.__name__)
def test_conformance_in_other_processes(other_processes, check):
    check("connect_four")


# ---------------------------------------------------------------- the rules


class SlowBoard:
    """Connect Four on lists, without a thought about speed."""

    def __init__(self):
        self.columns = [[] for _ in range(COLUMNS)]
        self.mover = 0

    def at(self, row, column):
        return self.columns[column][row] if row < len(self.columns[column]) else None

    def legal(self):
        return [] if self.winner() is not None else [c for c in range(COLUMNS) if len(self.columns[c]) < ROWS]

    def drop(self, column):
        self.columns[column].append(self.mover)
        self.mover = 1 - self.mover

    def undo(self, column):
        self.columns[column].pop()
        self.mover = 1 - self.mover

    def winner(self):
        for line in ALL_LINES:
            owners = {self.at(*cell) for cell in line}
            if len(owners) == 1 and None not in owners:
                return owners.pop()
        return None

    def count(self, depth):
        """How many sequences of `depth` legal moves there are."""
        if depth == 0:
            return 1
        total = 0
        for column in self.legal():
            self.drop(column)
            total += self.count(depth - 1)
            self.undo(column)
        return total


def bits(cells):
    return sum(1 << COLUMNS * row + column for row, column in cells)


def test_there_are_69_lines_and_each_is_four_in_a_line():
    assert len(ALL_LINES) == 69
    assert all(four_in_line(bits(line)) for line in ALL_LINES)
    assert not any(four_in_line(bits(line[:k] + line[k + 1 :])) for line in ALL_LINES for k in range(4))


def test_no_other_cells_are_four_in_a_line():
    rng = np.random.default_rng(1)
    seen = set()
    for share in np.repeat([0.3, 0.5, 0.6], 1000):
        cells = {(int(k) // COLUMNS, int(k) % COLUMNS) for k in np.flatnonzero(rng.random(CELLS) < share)}
        expected = any(cells.issuperset(line) for line in ALL_LINES)
        assert four_in_line(bits(cells)) == expected
        seen.add(expected)
    assert seen == {False, True}


WINS = {
    "across": [0, 0, 1, 1, 2, 2, 3],
    "across, closed in the middle": [0, 0, 1, 1, 3, 3, 2],
    "up": [6, 0, 6, 1, 6, 2, 6],
    "rising right": [0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3],
    "rising left": [6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3],
    "by seat 1": [0, 3, 0, 3, 1, 3, 1, 3],
}


@pytest.mark.parametrize("moves", WINS.values(), ids=WINS)
def test_four_in_a_line_wins_and_nothing_before_does(game, moves):
    states = game.reset(1, 1)
    for move in moves:
        assert not states.over[0]
        game.step(states, [move])
    winner = 1 - len(moves) % 2
    assert states.over[0]
    assert list(states.place[0]) == [winner, 1 - winner]
    assert list(states.points[0]) == [1 - winner, winner]


def test_a_full_column_takes_no_disc(game):
    states = game.reset(1, 1)
    for k in range(ROWS):
        assert game.legal_actions(states).all()
        game.step(states, [2])
        assert states.stock[0] == CELLS - k - 1
    assert list(np.flatnonzero(~game.legal_actions(states)[0])) == [2]
    with pytest.raises(ValueError, match=r"seat 0 may not play 2 \(column 3\)"):
        game.step(states, [2])


def test_a_full_board_without_a_line_is_a_draw(game):
    order = [0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0]  # two columns, two by two: never three of a colour above each other
    moves = [c + 2 * pair for pair in range(3) for c in order] + [6] * ROWS
    states = game.replay(1, moves)
    assert states.ply[0] == CELLS
    assert states.over[0]
    assert list(states.place[0]) == [0, 0]
    assert list(states.points[0]) == [0, 0]


def test_fewer_discs_make_an_earlier_draw(tmp_path):
    (tmp_path / "box.toml").write_text("discs = 3")
    short = make_game("connect_four", components=tmp_path / "box.toml")
    states = short.replay(1, [0, 1, 2])
    assert states.over[0]
    assert list(states.place[0]) == [0, 0]
    assert short.facts.longest_game == 3
    (tmp_path / "box.toml").write_text("discs = 43")
    with pytest.raises(ComponentsError, match="'discs': expected a whole number from 1 to 42, found 43"):
        make_game("connect_four", components=tmp_path / "box.toml")


def test_ends_of_random_games_are_those_of_the_slow_board(game):
    ended = play(game, 8000, 5)
    board, ways, draws = SlowBoard(), set(), 0
    for record in ended:
        discs = [int(x) for x in record.discs]
        owners = [next((s for s in range(2) if discs[s] >> k & 1), None) for k in range(CELLS)]
        board.columns = [[o for o in owners[c::COLUMNS] if o is not None] for c in range(COLUMNS)]
        assert record.ply == sum(map(len, board.columns))
        winner = board.winner()
        assert [int(p) for p in record.place] == ([0, 0] if winner is None else [winner, 1 - winner])
        if winner is None:
            assert record.ply == CELLS
            draws += 1
        else:
            ways.update(k for k, line in enumerate(ALL_LINES) if all(board.at(*cell) == winner for cell in line))
    assert draws >= 3
    assert len(ways) == len(ALL_LINES)  # every line was somebody's win


# ---------------------------------------------------------------- counts


def after_one_more_move(game, states):
    """Every position that one more move can lead to."""
    row, action = np.nonzero(game.legal_actions(states))
    states = records.take(states, row)
    game.step(states, action)
    return states


def test_sequences_are_as_many_as_on_the_slow_board(game):
    states = game.reset(1, 1)
    counts = []
    for _ in range(5):
        states = after_one_more_move(game, states)
        counts.append(len(states))
    assert counts == [SlowBoard().count(depth) for depth in range(1, 6)]


def late_position(game, moves):
    states = game.reset(1, 3)
    board = SlowBoard()
    for move in moves:
        game.step(states, [move])
        board.drop(move)
    return states, board


@pytest.mark.parametrize("seed", [169, 367])  # long games
def test_sequences_late_in_a_game_are_as_many_as_on_the_slow_board(game, seed):
    moves = [action for _, _, action in walk(game, seed)][:-6]
    states, board = late_position(game, moves)
    counts = []
    for _ in range(6):
        states = after_one_more_move(game, states)
        counts.append(len(states))
    assert counts == [board.count(depth) for depth in range(1, 7)]
    assert counts[-1] < counts[0] ** 6  # columns fill, games end


# Positions after n moves, finished games included; published by J. Tromp as A212693 in the On-Line Encyclopedia.
POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683]


@pytest.mark.parametrize("depth", [8, pytest.param(11, marks=pytest.mark.long)])
def test_positions_are_as_many_as_published(game, depth):
    states = game.reset(1, 1)
    counts = [1]
    for _ in range(depth):
        states = after_one_more_move(game, records.take(states, ~states.over))
        order = np.lexsort(states.discs.T)
        discs = states.discs[order]
        differs = np.append(True, (discs[1:] != discs[:-1]).any(axis=1))
        states = records.take(states, order[differs])
        counts.append(len(states))
    assert counts == POSITIONS[: depth + 1]


# ---------------------------------------------------------------- beside PettingZoo's own


def test_it_is_pettingzoos_game_move_by_move(game):
    other = connect_four_v3.env()
    for seed in range(25):
        other.reset()
        moves = []
        for states, mask, action in walk(game, seed):
            view, _, terminated, truncated, _ = other.last()
            assert (terminated, truncated) == (False, False)
            assert other.agent_selection == f"player_{states.player[0]}"
            assert np.array_equal(view["action_mask"], mask)
            seen = game.layout.split(game.observe(states)[0])
            planes = np.stack([seen["own"], seen["other"]], axis=2)[::-1]  # PettingZoo's first row is the top one
            assert np.array_equal(view["observation"], planes)
            assert seen["to_move"] == 1
            other.step(action)
            moves.append(action)
        assert all(other.terminations.values())
        paid = game.rewards(game.replay(seed, moves[:-1]), game.replay(seed, moves))[0]
        assert list(paid) == [other._cumulative_rewards[agent] for agent in other.possible_agents]


def test_any_seat_may_look_at_any_time(game):
    states = game.replay(1, [3, 3, 0])
    for seat in range(2):
        seen = game.layout.split(game.observe(states, seat)[0])
        mine, theirs = (seen["own"], seen["other"]) if seat == 0 else (seen["other"], seen["own"])
        assert {tuple(c) for c in np.argwhere(mine).tolist()} == {(0, 3), (0, 0)}
        assert np.argwhere(theirs).tolist() == [[1, 3]]
        assert seen["to_move"] == (seat == 1)


# ---------------------------------------------------------------- agents


def test_agents_win_and_block_at_once(game):
    wins, threat = game.replay(1, [0, 6, 0, 6, 0, 6]), game.replay(1, [0, 6, 0, 6, 0])
    for name in ("greedy", "expert"):
        agent = make_agent(game, name)
        assert agent.act(wins)[0] == 0  # rather than block in column 6
        assert agent.act(threat)[0] == 0


def test_expert_does_not_open_the_cell_above_to_a_four(game):
    # Seat 1 holds three in the second row; under the cell that completes them, column 3, nobody should drop a disc.
    states = game.replay(1, [0, 0, 1, 1, 6, 2, 4, 2, 6, 5])
    assert make_agent(game, "expert").act(states)[0] != 3


def test_lines_through_every_cell_add_up(game):
    table = lines_through(game.rules[0])
    assert table.sum() == 4 * 69
    assert list(table[:COLUMNS]) == [sum((0, c) in line for line in ALL_LINES) for c in range(COLUMNS)]


def test_the_ladder(game):
    for stronger, weaker in (("greedy", "random"), ("expert", "greedy")):
        rows = play_match(game, [stronger, weaker], 200, 1).rows()
        assert rows[0]["share"] > 0.8, f"{stronger} against {weaker}: {rows[0]}"


# ---------------------------------------------------------------- the command line


def test_the_commands_of_the_page_work(other_processes, tmp_path):
    def command(*words):
        done = subprocess.run(
            [sys.executable, "-m", "connect_four", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "connect_four" in command("list")
    assert "expert" in command("match", "connect_four", "expert", "greedy", "--games", "20")
    short = ["run.games=16", "run.evaluations=1", "run.evaluation_games=10", "run.final_games=10", "ppo.n_steps=8"]
    sets = [word for setting in short for word in ("--set", setting)]
    command("train", "connect_four", "--steps", "256", "--run", "run", "-t", "1", *sets)
    assert "policy:run" in command("evaluate", "connect_four", "policy:run", "-a", "random", "-g", "10")


def test_worker_processes_know_the_game(other_processes, tmp_path):
    """They import the module that registers it, whether a plan names it or a Game is unpickled."""
    words = [
        "tournament",
        "connect_four",
        "--agents",
        "random,greedy",
        "--games",
        "40",
        "--workers",
        "2",
    ]
    command = [sys.executable, "-m", "connect_four", *words, "--out", str(tmp_path / "t")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    typed = json.loads((tmp_path / "t" / "plan.json").read_text())["command"]  # the one that goes on after a kill
    assert typed.startswith("python -m connect_four tournament connect_four ")
    kept = tmp_path / "game.pickle"
    kept.write_bytes(pickle.dumps(make_game("connect_four", reward="place")))
    code = f"import pickle; print(pickle.load(open({str(kept)!r}, 'rb')))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "connect_four" in told.stdout, told.stderr
    asked = "from banquet_envs import make_game; print(make_game('connect_four:connect_four').num_actions)"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "7\n"


# ---------------------------------------------------------------- the benchmark's loops over it


@pytest.mark.parametrize("start", [our_batch, our_compiled_loop, our_aec], ids=lambda f: f.__name__)
def test_the_benchmarks_loops_play_random_games_of_it(start):
    play_block = start(1 if start is our_aec else 64, 1)
    decisions = finished = 0
    while finished < 4000:
        more, ended = play_block()
        decisions, finished = decisions + more, finished + ended
    assert decisions / finished == pytest.approx(play(make_game("connect_four"), 4000, 3).ply.mean(), abs=0.8)


def test_the_benchmarks_draw_is_uniform_over_the_mask(game):
    draw, _ = our_kernels(game)
    mask = np.tile([False, True, True, False, True, False, False], (30000, 1))
    words, actions = np.arange(30000, dtype=np.uint64), np.full(30000, -1)
    draw(mask, words, actions, 0, 30000)
    counts = np.bincount(actions, minlength=7)
    assert counts[[0, 3, 5, 6]].sum() == 0
    assert counts[[1, 2, 4]] / 30000 == pytest.approx(1 / 3, abs=0.015)


def test_the_benchmark_names_who_cannot_be_measured():
    def not_installed(batch, threads):
        raise ModuleNotFoundError("No module named 'absent'")

    found = []
    with ThreadPoolExecutor(1) as worker:
        for name, start in (("Absent", not_installed), ("Present", our_compiled_loop)):
            entry = peers.Entry(Contestant(name, name, start, "", (64,)), "one core", [worker], 1)
            entry.prepare()
            found.append(entry)
        for _ in range(3):
            found[1].measure(64, 0.01)
    text = peers.page(found, [], "a machine", 3, 0.01, "peers.png")
    assert "- Absent: ModuleNotFoundError: No module named 'absent'" in text
    assert re.search(r"^\| Present \| one core \| [\d,.]+ \([\d,.]+–[\d,.]+\) \|$", text, re.MULTILINE)
    assert not re.search(r"^\| Absent", text, re.MULTILINE)
