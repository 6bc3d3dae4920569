"""Playing contests: neither kills nor where it is played change anything, and a folder holds what it says."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import filelock
import numpy as np
import pytest

from banquet_agents.arena import contests, playing
from banquet_agents.arena.benchmark import Request, run_benchmark
from banquet_agents.arena.contests import against, differences, play_block
from banquet_agents.arena.deals import Played
from banquet_agents.arena.evaluate import strength
from banquet_agents.arena.journal import BLOCKS, LOCK, PLAN, Journal, opened
from banquet_agents.arena.matches import play_match
from banquet_agents.arena.measures import measure
from banquet_agents.arena.playing import Venue
from banquet_agents.arena.suite import load_suite
from banquet_agents.arena.tournament import play_tournament
from banquet_agents.files import DRAFT, write_whole
from banquet_agents.registry import make_agent
from banquet_envs import make_game
from banquet_envs.core.errors import IllegalActionError, OptionError
from tests.training.toy import Takes, crumbs, registered

__all__ = ["registered"]
ROOT = Path(__file__).parents[2]
GAME = "great_evening_banquet"
HERE = "tests.training.test_arena"

# ---------------------------------------------------------------- agents, found by name in other processes


class Counted(Takes):
    """Counts first moves over all games."""

    begun = 0

    def act(self, states):
        Counted.begun += int((states["ply"] == 0).sum())
        return super().act(states)


def one(game):
    return Counted(1)


def three(game):
    return Takes(3)


ONE, THREE = f"{HERE}:one", f"{HERE}:three"


class Marked:
    """Plays like `random`; on request it takes its time, and leaves a file that bears its process or its node."""

    def __init__(self, game):
        self.agent = make_agent(game, "random")

    def act(self, states):
        if marks := os.environ.get("BANQUET_TEST_MARKS"):
            (Path(marks) / str(os.getpid())).touch()
            if "ray" in sys.modules:
                node = sys.modules["ray"].get_runtime_context().get_node_id()
                (Path(marks) / node).touch()
        time.sleep(float(os.environ.get("BANQUET_TEST_DELAY", "0")))
        return self.agent.act(states)


def marked(game):
    return Marked(game)


MARKED = f"{HERE}:marked"


def illegal(game):
    class Illegal:
        name = "illegal"

        def act(self, states):
            return np.full(len(states), -1)

    return Illegal()


def dying(game):
    class Dying:
        def act(self, states):
            os._exit(9)

    return Dying()


def whole(folder):
    """The results in a folder."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and p.name not in (LOCK, PLAN)}


def blocks(folder):
    return sorted((folder / BLOCKS).iterdir())


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(playing, "BLOCK_SECONDS", 1e-6)


# ---------------------------------------------------------------- five commands, one way to play


def match_(game, games, venue):
    return play_match(game, [ONE, *["random"] * (game.num_players - 1)], games, 4, venue).rows()


def evaluate_(game, games, venue):
    return strength(game, ONE, ["random", THREE], games, 4, venue)


def measure_(game, games, venue):
    return measure(game, games, 2, 4, ["random", ONE], venue)


def tournament_(game, games, venue):
    return play_tournament(game, [ONE, "random", THREE], games, 4, venue=venue).pairs


def benchmark_(game, games, venue):
    suite = load_suite(Path(__file__).with_name("toy_suite.toml"))
    return run_benchmark(Request(ONE, suite, ["two"], games=games), venue)


ALL = pytest.mark.parametrize("command", [match_, evaluate_, measure_, tournament_, benchmark_])


class Stop(Exception):
    pass


def until(games):
    """Progress that is interrupted once so many games have been played."""

    def stop(done, total):
        if done >= games:
            raise Stop

    return stop


def timeless(folder):
    """The results in a folder without what a clock said."""
    lines = [line for name in sorted(whole(folder)) for line in (folder / name).read_bytes().splitlines()]
    return [line for line in lines if b'"seconds"' not in line and b"| two |" not in line]


@ALL
def test_what_was_stopped_goes_on_and_gives_the_same_files(registered, tmp_path, small_blocks, command):
    game = crumbs()
    Counted.begun = 0
    found = command(game, 40, Venue(tmp_path / "whole"))
    in_one_go, Counted.begun = Counted.begun, 0
    folder = tmp_path / "cut"
    for games in (10, 30):
        with pytest.raises(Stop):
            command(game, 40, Venue(folder, progress=until(games)))
    assert set(whole(folder)) == set()
    kept = {p: p.stat().st_mtime_ns for p in blocks(folder)}
    assert kept
    (folder / BLOCKS / ("half" + DRAFT)).write_bytes(b"half a block")
    again = command(game, 40, Venue(folder))
    assert {p: p.stat().st_mtime_ns for p in kept} == kept
    assert not list((folder / BLOCKS).glob("*" + DRAFT))
    assert Counted.begun == in_one_go  # nothing lost, nothing doubled
    assert str(again).replace("nan", "-") == str(found).replace("nan", "-") or command is benchmark_
    assert timeless(folder) == timeless(tmp_path / "whole")
    Counted.begun = 0
    command(game, 40, Venue(folder))
    assert Counted.begun == 0


@ALL
def test_more_games_are_added_to_those_there_are(registered, tmp_path, command):
    game = crumbs()
    command(game, 20, Venue(tmp_path / "a"))
    Counted.begun = 0
    command(game, 40, Venue(tmp_path / "a"))
    added, Counted.begun = Counted.begun, 0
    command(game, 40, Venue(tmp_path / "b"))
    assert 0 < added < Counted.begun
    assert timeless(tmp_path / "a") == timeless(tmp_path / "b")
    Counted.begun = 0
    command(game, 20, Venue(tmp_path / "a"))
    assert Counted.begun == 0


@ALL
def test_a_folder_holds_one_thing(registered, tmp_path, command):
    command(crumbs(), 4, Venue(tmp_path / "a"))
    before = whole(tmp_path / "a")
    other = (lambda: play_match(crumbs(pile=3), ["random", ONE], 4, venue=Venue(tmp_path / "a"))) if command is match_ else (
        lambda: match_(crumbs(pile=3), 4, Venue(tmp_path / "a")))  # fmt: skip
    with pytest.raises(OptionError, match=r"was begun for something else: .*, not .*; choose another folder"):
        other()
    assert whole(tmp_path / "a") == before


def test_what_has_changed_is_played_again(registered, tmp_path, monkeypatch):
    game = crumbs()
    match_(game, 20, Venue(tmp_path / "a"))
    Counted.begun = 0
    monkeypatch.setattr(contests, "code_hash", lambda game: "edited")
    match_(game, 20, Venue(tmp_path / "a"))
    assert Counted.begun > 0


# ---------------------------------------------------------------- the folder


def begun(folder, request=None):
    return opened(folder, {"command": "match", "seed": 1} if request is None else request)


def test_a_damaged_block_is_played_again(registered, tmp_path, small_blocks):
    folder = tmp_path / "a"
    match_(crumbs(), 40, Venue(folder))
    before, files = whole(folder), blocks(folder)
    for k, damage in enumerate((lambda b: b[:-40], lambda b: b"", lambda b: b[:60] + b"x" + b[61:], lambda b: b"PK")):
        files[k].write_bytes(damage(files[k].read_bytes()))
    files[5].rename(files[5].with_name(files[5].name.replace("-", "-9", 1)))  # other deals than it says
    Counted.begun = 0
    match_(crumbs(), 40, Venue(folder))
    assert Counted.begun > 0
    assert {k: v for k, v in whole(folder).items() if k != "results.json"} == {
        k: v for k, v in before.items() if k != "results.json"
    }


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": 99}', '{"format": 1}', '{"format": 1, "request": []}', "[" * 5000, "\xff"]
)
def test_a_damaged_plan_is_refused_in_a_line(tmp_path, text):
    (tmp_path / PLAN).write_bytes(text.encode("latin-1"))
    with pytest.raises(OptionError, match=PLAN) as caught, begun(tmp_path):
        pass
    assert "\n" not in str(caught.value)


def test_folders_in_use_are_refused(tmp_path):
    (tmp_path / "letters").write_text("dear")
    for folder in (tmp_path, tmp_path / "letters"):
        with pytest.raises(OptionError, match="is in use for something else"), begun(folder):
            pass
    assert [p.name for p in tmp_path.iterdir()] == ["letters"]
    (tmp_path / "t").mkdir()
    locked = filelock.FileLock(tmp_path / "t" / LOCK)
    with locked, pytest.raises(OptionError, match="another process is playing"), begun(tmp_path / "t"):
        pass


def test_a_kill_at_the_very_beginning_leaves_a_usable_folder(tmp_path):
    folder = tmp_path / "t"
    (folder / BLOCKS).mkdir(parents=True)
    (folder / LOCK).touch()
    (folder / (PLAN + DRAFT)).write_text("{")
    with begun(folder) as journal:
        assert journal.folder == folder
    with pytest.raises(OptionError, match="seed 1, not 2"), begun(folder, {"command": "match", "seed": 2}):
        pass


def test_differences_are_told_in_words():
    mine = {"seed": 1, "game": {"players": 2, "options": {}}, "agents": ["a", "b"]}
    theirs = {"seed": 2, "game": {"players": 3, "options": {"x": 1}}, "agents": ["a"]}
    assert differences(mine, mine) == []
    assert differences(mine, theirs) == [
        "seed 1, not 2",
        "players 2, not 3",
        "options none, not x=1",
        "agents a, b, not a",
    ]


def test_files_appear_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "f"
    write_whole(file, "before")

    def full(fd):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        write_whole(file, "after")
    assert file.read_text() == "before"


def test_blocks_that_overlap_count_once(registered):
    contest = against(crumbs(), [THREE, "random"], 10, 3)
    seated, journal = contests.Seated(contest), Journal()
    for first, stop in ((0, 2), (1, 6), (0, 4), (6, 12)):  # the last one of a longer contest
        journal.keep("key", first, seated.play(first, stop))
    for found, expected in zip(journal.whole("key", contest), seated.play(0, 10), strict=True):
        assert found.shape == expected.shape
        assert found.dtype.kind == "f" or (found == expected).all()


# ---------------------------------------------------------------- what was played


def test_every_game_is_handed_out_and_can_be_played_again(registered, tmp_path, small_blocks):
    found = []
    game = crumbs(players=3)
    result = play_match(game, ["random", THREE, "random"], 36, 3, Venue(tmp_path / "t", replay=found.append))
    assert len(found) == result.games
    assert {record.seats for record in found} == {tuple(result.kinds[k] for k in seats) for seats in result.assignments}
    for record in found:
        states = record.game.reset(1)
        record.game.restart(states, np.array([record.word], np.uint64))
        for action in record.actions:
            assert not states.over[0]
            record.game.step(states, [action])
        assert states.over[0]
        assert states.points[0].tolist() == record.points.tolist()
        assert (states.place[0] + 1).tolist() == record.place.tolist()
    assert (np.mean([r.points for r in found], axis=0) == result.points.mean(axis=(0, 1))).all()


# ---------------------------------------------------------------- where it is played


def banquet(venue, agents=("greedy", MARKED), games=24):
    result = play_match(make_game(GAME, 2), agents, games, 7, venue)
    return result.points, result.share, result.place


def same(found, expected):
    return all((a == b).all() for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("workers", [2, None])
def test_results_do_not_depend_on_processes_or_on_blocks(tmp_path, monkeypatch, workers):
    expected = banquet(Venue())
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setenv("BANQUET_TEST_MARKS", str(marks))
    monkeypatch.setattr(playing, "BLOCK_SECONDS", 1e-3)
    monkeypatch.setattr(playing, "PATIENCE", 0.0)
    monkeypatch.setattr(playing, "cores", lambda: 2)
    assert same(banquet(Venue(tmp_path / "t", workers)), expected)
    assert str(os.getpid()) not in {p.name for p in marks.iterdir()}
    assert len(blocks(tmp_path / "t")) > 3


def test_what_takes_long_goes_on_in_processes_by_itself(tmp_path, monkeypatch):
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setenv("BANQUET_TEST_MARKS", str(marks))
    monkeypatch.setattr(playing, "PATIENCE", 1e-3)
    monkeypatch.setattr(playing, "cores", lambda: 2)
    banquet(Venue(None, None))
    ran = {p.name for p in marks.iterdir()}
    assert str(os.getpid()) in ran
    assert len(ran) > 1


def test_an_agents_mistake_in_another_process_is_told():
    with pytest.raises(IllegalActionError, match=r"agent illegal: seat \d of great_evening_banquet may not play -1"):
        banquet(Venue(workers=2), ("random", f"{HERE}:illegal"))


def test_a_worker_that_dies_is_told():
    with pytest.raises(OptionError, match="a worker process died"):
        banquet(Venue(workers=2), ("random", f"{HERE}:dying"))


def test_a_worker_with_other_sources_is_refused(registered):
    contest = against(crumbs(), [THREE, "random"], 4, 1)
    told = contest.told()
    assert isinstance(play_block(told, contest, 0, 2), Played)
    for changed, message in (
        ({"code": "0123"}, "code 0123, not "),
        ({"versions": told["versions"] | {"numba": "0.1"}}, "numba 0.1, not "),
        ({"files": {}}, "files none, not tests.training"),
    ):
        with pytest.raises(OptionError, match=f"differs: it was asked for {message}"):
            play_block(told | changed, contest, 0, 2)


def test_agents_of_this_process_stay_in_it(registered, tmp_path):
    mine = [("mine", Takes(1)), "random"]
    expected = play_match(crumbs(), mine, 20, venue=Venue(workers=None)).points
    assert (play_match(crumbs(), [ONE, "random"], 20).points == expected).all()
    for venue in (Venue(tmp_path / "t"), Venue(workers=2)):
        with pytest.raises(OptionError, match="agent 'mine' exists in this process only"):
            play_match(crumbs(), mine, 20, venue=venue)
    assert not (tmp_path / "t").exists()


def test_an_unknown_agent_leaves_no_folder(registered, tmp_path):
    with pytest.raises(OptionError, match="no agent named 'nobody'"):
        play_match(crumbs(), ["random", "nobody"], 20, venue=Venue(tmp_path / "t"))
    with pytest.raises(OptionError, match="workers=0 is not allowed"):
        play_match(crumbs(), ["random", "random"], 20, venue=Venue(tmp_path / "t", workers=0))
    assert not (tmp_path / "t").exists()


# ---------------------------------------------------------------- kills


def gone(process):
    """Whether a process has ended; one that nobody has waited for counts as ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.mark.parametrize("word", [signal.SIGKILL, signal.SIGTERM])
def test_a_kill_and_the_same_command_give_the_same_files(tmp_path, word):
    words = [GAME, "--agents", f"random,greedy,{MARKED}", "--games", "60", "--seed", "5"]
    command = [sys.executable, "-m", "banquet_training", "tournament", *words, "--workers", "2", "--out"]
    folder, marks, told = tmp_path / "killed", tmp_path / "marks", tmp_path / "told"
    marks.mkdir()
    slow = {"BANQUET_TEST_DELAY": "0.1", "BANQUET_TEST_MARKS": str(marks)}  # a block has 60 decisions or so
    with told.open("w") as err:
        run = subprocess.Popen([*command, folder], cwd=ROOT, env={**os.environ, **slow}, stdout=err, stderr=err)
    try:
        wait_until(lambda: run.poll() is not None or len(list((folder / BLOCKS).glob("*.npz"))) >= 3)
        assert run.poll() is None, "it ended before it could be killed"
    finally:
        run.send_signal(word)
        assert run.wait() == (-word if word == signal.SIGKILL else 130)
    workers = [int(p.name) for p in marks.iterdir()]
    assert workers
    if Path("/proc/self/stat").exists():
        wait_until(lambda: all(map(gone, workers)))
    if word == signal.SIGTERM:
        lines = [line for line in told.read_text().splitlines() if "compiling" not in line]
        assert lines == [
            f"what is finished is kept in {folder}; the same command goes on from here",
            "banquet: stopped",
        ]
    kept = {p: p.stat().st_mtime_ns for p in blocks(folder) if p.suffix == ".npz"}
    assert len(kept) >= 3
    assert not (folder / "matches.csv").exists()
    subprocess.run([*command, folder], cwd=ROOT, check=True, capture_output=True)
    assert {p: p.stat().st_mtime_ns for p in kept} == kept
    names = (f"random,greedy,{MARKED}").split(",")
    play_tournament(make_game(GAME, 2), names, 60, 5, venue=Venue(tmp_path / "whole"))
    for name in ("matches.csv", "agents.csv", "pairs.csv", "heatmap.png"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert json.loads((folder / PLAN).read_text())["command"].startswith("banquet tournament")


# ---------------------------------------------------------------- Ray


def test_a_local_ray_that_cannot_start_says_so_in_one_line(monkeypatch):
    ray = pytest.importorskip("ray")

    def init(**_):
        raise Exception("the node timed out during startup")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)  # by another test of this process
    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "shutdown", lambda: None)
    with pytest.raises(OptionError, match="ray: could not start here: the node timed out"):
        banquet(Venue(workers=1, ray="local"))


@pytest.mark.long
def test_a_ray_cluster_of_two_nodes_gives_the_same_games(tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    expected = banquet(Venue())
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setenv("BANQUET_TEST_MARKS", str(marks))
    monkeypatch.setenv("BANQUET_TEST_DELAY", "0.01")
    monkeypatch.setattr(playing, "BLOCK_SECONDS", 1e-3)
    node = {"num_cpus": 1, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    try:
        cluster.add_node(**node)
        assert same(banquet(Venue(tmp_path / "t", ray=cluster.address)), expected)
        assert not ray.is_initialized()
        ran = {p.name for p in marks.iterdir()}
        assert {n.node_id for n in cluster.list_all_nodes()} <= ran
        assert str(os.getpid()) not in ran
        with pytest.raises(IllegalActionError, match="agent illegal"):
            banquet(Venue(ray=cluster.address), ("random", f"{HERE}:illegal"))
    finally:
        cluster.shutdown()


@pytest.mark.long
def test_a_local_ray_cluster_is_started_where_there_is_none(monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert same(banquet(Venue(workers=1, ray="auto"), games=6), banquet(Venue(), games=6))
    assert not ray.is_initialized()
    with pytest.raises(OptionError, match=r"ray: no cluster at '127.0.0.1:1'"):
        banquet(Venue(ray="127.0.0.1:1"))
