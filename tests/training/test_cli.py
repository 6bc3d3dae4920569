"""The command line through typer's runner."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from banquet_agents.replays import Replay, read_replay
from banquet_envs import list_games
from banquet_training.cli import app
from tests.training.toy import registered

__all__ = ["registered"]
GAME = "great_evening_banquet"


def banquet(*words, answers=None):
    return CliRunner().invoke(app, [str(w) for w in words], input=answers)


def good(*words, answers=None):
    done = banquet(*words, answers=answers)
    assert done.exit_code == 0, done.output
    return done.stdout


def bad(*words):
    done = banquet(*words)
    assert done.exit_code == 2, done.output
    return done.stderr


def test_list_names_every_game():
    lines = good("list").splitlines()
    assert [line.split()[0] for line in lines] == list_games()


def test_bare_command_and_every_help_teach():
    bare = good()
    commands = re.findall(r"^  (\w+) ", bare.split("Commands:")[1].split("\n\n")[0], re.MULTILINE)
    assert set(commands) == {
        "list",
        "info",
        "play",
        "watch",
        "train",
        "imitate",
        "evaluate",
        "match",
        "demo",
        "warmup",
        "benchmark",
        "tournament",
        "measure",
        "exploit",
        "words",
        "replay",
        "serve",
    }
    for command in commands:
        text = good(command, "--help")
        assert f"banquet {command}" in text.split("Options:")[0], f"{command} has no example"


def test_info_tells_options_and_agents():
    text = good("info", GAME, "-p", 4, "-o", "expert=true", "--layout")
    for part in ("with 4 players and expert=true", "actions", "features", "greedy", "expert", "| 0 |"):
        assert part in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("info", "great_evening_banque"), "did you mean 'great_evening_banquet'?"),
        (("info", GAME, "-p", 9), "players=9 is not allowed; choose 1 to 4"),
        (("info", GAME, "-o", "expert"), "expected NAME=VALUE"),
        (("info", GAME, "-o", "expert=perhaps"), "expert=perhaps is not allowed; choose one of false, true"),
        (("info", GAME, "-o", "experts=true"), "unknown option 'experts'"),
        (("match", GAME, "nobody"), "no agent named 'nobody'"),
        (("match", GAME, "random", "--games", "0"), "Invalid value for '--games'"),
        (("match", GAME, "random", "--seed", "-1"), "must be 0 or more"),
        (("match", GAME, "-p", "2", "random", "random", "random"), "has 2 other seats, found 3 agents"),
        (("evaluate", GAME, "policy:/nowhere"), "no policy.json"),
        (("evaluate", GAME, "nomodule:f"), "No module named 'nomodule'"),
        (("evaluate", GAME, "random", "--components", "/nowhere.toml"), "/nowhere.toml"),
        (("play", GAME, "--seat", "5"), "seat 5 outside 0..1"),
        (("train",), "name a GAME, or a run with --resume"),
        (("train", GAME, "--resume", "x"), "name a GAME, or a run with --resume"),
        (("train", "--resume", "/nowhere"), "no training run there"),
        (("train", "--resume", "/nowhere", "--reward", "win"), "--reward: a resumed run keeps"),
        (("train", GAME, "--reward", "fame"), "reward='fame' is not allowed"),
        (("train", GAME, "--set", "n_epochs=4"), "expected TABLE.ENTRY=VALUE"),
        (("train", GAME, "--set", "ppo.epochs=4"), "unknown entry 'epochs'"),
        (("train", GAME, "--config", "/nowhere.toml"), "/nowhere.toml: cannot be read"),
        (("warmup", "nothing"), "no game named 'nothing'"),
        (("trian",), "No such command 'trian'"),
        (("match", GAME, "--nonsense"), "No such option"),
        (("match",), "Missing argument 'GAME'"),
    ],
)
def test_mistakes_end_in_one_line_and_code_2(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = banquet(*words)
    assert done.exit_code == 2
    lines = [line for line in done.stderr.splitlines() if not line.startswith("banquet_envs: compiling")]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("banquet: ")
    assert message in lines[0]
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_match_prints_its_seed_and_writes_files(tmp_path):
    words = ("match", GAME, "greedy", "random", "--games", 40, "--seed", 5)
    text = good(*words, "--out", tmp_path / "m")
    assert "40 games = 20 deals x 2 seat assignments, seed 5" in text
    assert good(*words).strip() in text
    told = json.loads((tmp_path / "m" / "results.json").read_text())
    assert told["seed"] == 5
    assert told["agents"] == ["greedy", "random"]
    assert told["results"][0]["share"] > 0.5
    assert (tmp_path / "m" / "README.md").read_text() == f"```\n{text.strip()}\n```\n"
    assert len((tmp_path / "m" / "results.csv").read_text().splitlines()) == 7


def test_evaluate_prints_the_ladder(tmp_path):
    text = good("evaluate", GAME, "greedy", "--against", "random", "--games", 40, "--out", tmp_path)
    assert "seed 0" in text
    assert len(re.findall(r"^\| random \|", text, re.MULTILINE)) == 3
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 4


def test_evaluate_solo_compares_points():
    text = good("evaluate", GAME, "greedy", "-p", 1, "-a", "random", "-g", 20)
    assert "win share" not in text
    assert "lead in points" in text


def test_watch_tells_every_decision_and_repeats_with_its_seed(tmp_path):
    text = good("watch", GAME, "greedy", "random", "--seed", 3, "--pictures", tmp_path / "p", "--positions")
    moves = [line for line in text.splitlines() if re.match(r" +\d+  seat \d", line)]
    assert len(moves) > 20
    assert "seed 3" in text
    assert "1. seat" in text
    assert text == good("watch", GAME, "greedy", "random", "--seed", 3, "--positions")
    assert len(list((tmp_path / "p").glob("*.svg"))) == len(moves) + 1
    assert good("watch", GAME, "random", "--seed", 4) != good("watch", GAME, "random")


def test_a_person_plays_a_whole_game(registered, tmp_path):
    # seven crumbs; the person tries nonsense, asks for help, and takes three whenever it may
    answers = "abc\n?\n0\n" + "3\n2\n1\n" * 6
    text = good("play", registered, "-o", "pile=7", "--against", "random", "--seat", 0, "--seed", 2,
                "--picture", tmp_path / "x.svg", answers=answers)  # fmt: skip
    assert "'abc' is none of the choices 1 to 3" in text
    assert "'0' is none of" in text
    assert "q: leave" in text
    assert "[action 2]" in text
    assert "> take 3" in text
    assert re.search(r"1\. seat \d \((you|random)\): 10 points", text)
    assert "seed 2" in text
    assert (tmp_path / "x.svg").exists()


def test_a_person_takes_back_asks_for_a_hint_and_types_words(registered, tmp_path):
    answers = "hint\nundo\ntake 1\nundo\ntake 3\n" + "3\n2\n1\n" * 6
    text = good("play", registered, "-o", "pile=7", "-a", "random", "--seat", 0, "--seed", 2, "--hints", "random",
                "--replays", tmp_path, answers=answers)  # fmt: skip
    assert "random would take " in text
    assert "There is nothing to take back." in text or "Your last choice is taken back." in text
    assert "> take 1" in text
    assert "> take 3" in text
    (file,) = tmp_path.glob("*.json")
    assert json.loads(file.read_text())["undone"] >= 1
    assert json.loads(file.read_text())["seats"] == ["a person", "random"]


def test_a_watched_game_is_kept_and_looked_at_again(tmp_path):
    text = good("watch", GAME, "greedy", "random", "--seed", 3, "--replays", tmp_path)
    (file,) = tmp_path.glob("*.json")
    assert f"replay: {file}" in text
    moves = [line for line in text.splitlines() if re.match(r" +\d+  seat \d", line)]
    again = good("replay", file, "--no-step")
    assert [line for line in again.splitlines() if re.match(r" +\d+  seat \d", line)] == moves
    stepped = good("replay", file, "--seat", 0, answers="\nb\nx\n999\nq\n")
    assert [re.search(r"ply (\d+) of", line)[1] for line in stepped.splitlines() if "Enter: next" in line] == [
        "0", "1", "0", "0", str(len(moves))
    ]  # fmt: skip
    assert "1. seat" in stepped
    good("replay", file, "--gif", tmp_path / "game.gif", "--frames", 3, "--width", 300)
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF89a")
    assert "must end in .gif or .mp4" in bad("replay", file, "--gif", tmp_path / "game.png")
    good("replay", file, "--pictures", tmp_path / "svg")
    assert len(list((tmp_path / "svg").glob("*.svg"))) == len(moves) + 1
    file.write_text(file.read_text().replace('"greedy"', '"expert"'))
    assert "is damaged: its checksum does not fit" in bad("replay", file)
    assert "seat 2 outside 0..1" in bad("replay", write_again(file), "--seat", 2)


def test_an_mp4_has_every_picture_for_its_time(tmp_path):
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="needs the extra mp4")
    good("watch", GAME, "greedy", "random", "--seed", 3, "--replays", tmp_path)
    (file,) = tmp_path.glob("*.json")
    good("replay", file, "--mp4", tmp_path / "game.mp4", "--frames", 3, "--width", 301)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "game.mp4"))
    assert (frames, seconds) == (2 * 7 + 28, 4.2)
    size = next(imageio_ffmpeg.read_frames(str(tmp_path / "game.mp4")))["size"]
    assert size[0] == 302
    assert size[1] % 2 == 0


def test_without_its_library_an_mp4_says_which_extra_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    good("watch", GAME, "greedy", "random", "--seed", 3, "--replays", tmp_path)
    (file,) = tmp_path.glob("*.json")
    told = bad("replay", file, "--mp4", tmp_path / "game.mp4", "--frames", 2, "--width", 100)
    assert 'needs the mp4 extra: pip install "banquet-envs[mp4]"' in told


def test_a_match_keeps_what_agents_thought_that_can_say_it(tmp_path):
    good("match", GAME, "search:6", "random", "--games", 4, "--seed", 5, "--workers", 1, "--replays", tmp_path)
    for file in tmp_path.glob("*.json"):
        game, kept, states = read_replay(file)
        asked = 0
        for k, thought in enumerate(kept.thoughts):
            legal = int(game.legal_actions(states[k : k + 1]).sum())
            searched = kept.seats[int(states.player[k])] == "search:6" and legal > 1
            asked += searched
            assert (thought is not None) == searched
            if thought is not None:
                assert (thought.unit, len(thought.values)) == ("visits", len(thought.actions))
                assert kept.actions[k] in thought.actions
        assert asked


def test_a_match_keeps_a_sample_of_its_games(tmp_path):
    good("match", GAME, "greedy", "random", "--games", 60, "--seed", 5, "--replays", tmp_path)
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == 20
    told = good("replay", files[0], "--no-step")
    assert "seat 0: " in told
    assert "1. seat" not in told.splitlines()[0]
    assert {tuple(json.loads(file.read_text())["seats"]) for file in files} == {
        ("greedy", "random"),
        ("random", "greedy"),
    }


def write_again(file):
    """The replay with its right checksum."""
    kept = json.loads(file.read_text())
    file.write_text(Replay(**kept | {"digest": ""}).text())
    return file


def test_what_cannot_be_served_is_refused_before_anything_starts(tmp_path):
    assert "name the one game that they belong to" in bad("serve", "--components", tmp_path / "x.toml")
    assert "name the one game" in bad("serve", GAME, "dinner_party", "--components", tmp_path / "x.toml")
    assert str(tmp_path / "x.toml") in bad("serve", GAME, "--components", tmp_path / "x.toml")
    assert "whist" in bad("serve", "whist")


def test_a_person_sees_only_its_own_secret(registered):
    shown = good("play", registered, "-o", "pile=7", "--seat", 1, "--seed", 2, answers="q\n")
    assert "You leave" in shown
    assert "seat 1 has" in shown
    assert "seat 0 has" not in shown


@pytest.mark.parametrize("answers", ["q\n", ""])
def test_a_person_may_leave(answers):
    assert "You leave the table." in good("play", GAME, "--seed", 1, answers=answers)


def test_train_then_everything_that_takes_a_policy(registered, tmp_path):
    run = tmp_path / "run"
    sets = [w for s in ("run.games=16", "run.evaluations=1", "run.evaluation_games=10", "run.final_games=10", "ppo.n_steps=8",
                        "network.shared=[8]") for w in ("--set", s)]  # fmt: skip
    text = good("train", registered, "--steps", 256, "--run", run, "--seed", 4, "-t", 1, "-o", "pile=5", *sets)
    assert "seed 4" in text
    assert f"policy:{run}" in text
    assert "curve.png" in text
    assert "| random | all |" in text
    text = good("evaluate", registered, f"policy:{run}", "-g", 10)
    assert "pile=5" in text  # the policy's own options are the default
    good("match", registered, f"policy:{run}", f"policy:{run}+sample", "-g", 10)
    good("play", registered, "-a", f"policy:{run}", "--seat", 0, answers="1\n1\n1\n1\n")
    text = good("train", "--resume", run, "--steps", 1024, "-t", 1)
    assert int(re.search(r"([\d,]+) decisions learned from", text)[1].replace(",", "")) >= 1024
    taught = tmp_path / "taught"
    text = good("imitate", registered, "--teacher", "random", "--decisions", 200, "--run", taught, "-t", 1, *sets)
    assert "taught by random" in text
    assert "decisions of `random` imitated" in text
    further = tmp_path / "further"
    text = good("train", registered, "--from", f"policy:{taught}", "--steps", 100, "--run", further, "-t", 1, *sets)
    assert f"policy:{further}" in text
    assert banquet("train", registered, "--from", f"policy:{taught}", "--learner", "sb3", *sets).exit_code == 2
    assert banquet("evaluate", GAME, f"policy:{run}").exit_code == 2
    assert banquet("train", registered, "--run", run).exit_code == 2


def test_commands_that_need_no_torch_do_not_load_it():
    code = (
        "import sys; sys.argv = ['banquet', 'match', 'great_evening_banquet', 'random', '-g', '4']\n"
        "from banquet_training.cli import main\n"
        "try: main()\nexcept SystemExit as e: assert not e.code\n"
        "assert not {'torch', 'matplotlib', 'stable_baselines3', 'pygame'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_python_m_training_is_banquet():
    done = subprocess.run(
        [sys.executable, "-m", "banquet_training", "list"], capture_output=True, text=True, check=True
    )
    assert GAME in done.stdout


def run(*words, **more):
    return subprocess.run(
        [sys.executable, "-m", "banquet_training", *map(str, words)], stderr=subprocess.PIPE, text=True, **more
    )


def test_a_full_disk_behind_the_output_is_one_line():
    with open("/dev/full", "w") as full:
        done = run("list", stdout=full)
    assert (done.returncode, done.stderr) == (2, "banquet: cannot write: No space left on device\n")


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_what_ends_a_command_early_is_told_in_a_word(word, tmp_path):
    words = ["match", GAME, "random", "random", "-g", "1000000", "--workers", "1", "--out", tmp_path / "m"]
    command = [sys.executable, "-m", "banquet_training", *words]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while not list(tmp_path.glob("m/blocks/*.npz")):
        assert time.monotonic() < end, "it never began"
        time.sleep(0.05)
    running.send_signal(word)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert told.endswith(f"kept in {tmp_path / 'm'}; the same command goes on from here\nbanquet: stopped\n")
    assert "Traceback" not in told


COMPARING = {
    "match": (GAME, "random", "random"),
    "evaluate": (GAME, "random"),
    "measure": (GAME,),
    "tournament": (GAME,),
    "benchmark": ("--agent", "random"),
}


@pytest.mark.parametrize("command", COMPARING)
@pytest.mark.parametrize(("out", "why"), [("file", "is in use"), ("full", "is in use"), ("file/x", "Not a directory")])
def test_where_the_result_goes_is_tried_before_the_games(command, out, why, tmp_path):
    (tmp_path / "file").write_text("dear")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("dear")
    text = bad(command, *COMPARING[command], "--games", 10**6, "--out", tmp_path / out)
    assert why in text


def test_what_says_how_to_play_stands_in_the_same_place_in_every_command():
    for command in COMPARING:
        listed = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", good(command, "--help"), re.MULTILINE)
        assert listed[-7:] == ["--components", "--seed", "--workers", "--ray", "--ray-address", "--out", "--help"]


def raising(game):
    raise RuntimeError("no such luck")


class Raises:
    name = "raises"

    def act(self, states):
        raise RuntimeError("no such luck")


def raises(game):
    return Raises()


@pytest.mark.parametrize("agent", ["raising", "raises"])
def test_an_agent_that_raises_is_one_line(agent):
    text = bad("match", GAME, f"{__name__}:{agent}", "random", "--games", 4)
    assert "RuntimeError: no such luck" in text
    assert text.count("\n") <= 1


def test_components_of_ones_own_through_info_and_benchmark(tmp_path):
    from banquet_envs import game_spec, make_game

    mine = tmp_path / "mine.toml"
    mine.write_text(game_spec(GAME).components.read_text() + "\n# mine\n")
    assert "564 features" in good("info", GAME, "--components", mine)
    words = ("benchmark", "--agent", "random", "--games", 4, "-a", "random", "--workers", 1)
    good(*words, "--task", f"{GAME}-2p", "--components", mine, "--out", tmp_path / "b")
    found = json.loads((tmp_path / "b" / "results.json").read_text())
    assert found["tasks"][0]["components"] == make_game(GAME, 2, components=mine).components_hash
    assert "own components" in found["deviations"]
    assert "name tasks of the one game" in bad(*words, "--components", mine)
