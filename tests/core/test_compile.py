"""Compilation: cached, never stale, never twice; threads and processes."""

import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from banquet_envs import game_spec, make_game
from banquet_envs.core.compile import JIT, LINKS_RULES, Kernels, rule
from banquet_envs.testing import random_actions
from tests.shipped import SHIPPED

HERE = Path(__file__).parent
needs_jit = pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")

# Plays a step with the game in a folder; prints kernels compiled anew, and what the step did.
PROBE = """
import sys; sys.path.insert(0, sys.argv[1])
import countdown
from banquet_envs import make_game
game = make_game("countdown")
states = game.reset(1, 3)
before = int(states.pile[0])
game.step(states, [0])
used = [vars(game.kernels)[k] for k in game.kernels.names() if k in vars(game.kernels)]
print(sum(sum(k.stats.cache_misses.values()) for k in used), before - int(states.pile[0]))
"""


def probe(folder, cache, code=PROBE):
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env={**os.environ, "BANQUET_CACHE_DIR": str(cache)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    compiled, taken = map(int, done.stdout.split())
    return compiled, taken, done.stderr


@pytest.fixture
def game_folder(tmp_path):
    """A game outside the package, in a folder of its own."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("countdown.py", "countdown.toml"):
        shutil.copy(HERE / name, folder)
    return folder


@needs_jit
def test_a_second_process_compiles_nothing_and_an_edited_rule_is_never_stale(game_folder, tmp_path):
    cache = tmp_path / "cache"
    compiled, taken, said = probe(game_folder, cache)
    assert compiled > 0
    assert taken == 1
    assert said.count("compiling rules of countdown, first use only") == 1
    assert probe(game_folder, cache) == (0, 1, "")

    source = game_folder / "countdown.py"
    old = source.read_text()
    source.write_text(old.replace("TAKEN = 1", "TAKEN = 2"))
    compiled, taken, _ = probe(game_folder, cache)
    assert compiled > 0
    assert taken == 2
    assert probe(game_folder, cache)[:2] == (0, 2)

    source.write_text(old)  # back again: still warm
    assert probe(game_folder, cache) == (0, 1, "")


@needs_jit
def test_an_edited_helper_module_is_noticed_too(game_folder, tmp_path):
    """The fingerprint covers every source that can be linked in, not the kernel's own file alone."""
    (game_folder / "helper.py").write_text(
        "from banquet_envs.core.compile import rule\n@rule\ndef extra():\n    return 0\n"
    )
    source = game_folder / "countdown.py"
    text = source.read_text().replace("import numpy as np", "import numpy as np\n\nimport helper", 1)
    text = text.replace("action + TAKEN", "action + TAKEN + helper.extra()").replace(
        "folder=Path(__file__)", "folder=Path(__file__).parent"
    )
    source.write_text(text)
    cache = tmp_path / "cache"
    assert probe(game_folder, cache)[1] == 1
    helper = game_folder / "helper.py"
    helper.write_text(helper.read_text().replace("return 0", "return 1"))
    assert probe(game_folder, cache)[1] == 2


@needs_jit
def test_processes_that_start_together_compile_once_and_agree(game_folder, tmp_path):
    cache = tmp_path / "cache"
    results = []
    threads = [threading.Thread(target=lambda: results.append(probe(game_folder, cache))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [taken for _, taken, _ in results] == [1, 1, 1]
    compiled = sorted(compiled for compiled, _, _ in results)
    used = 4  # reset, check, step and what they need; each compiled in exactly one of the processes
    assert sum(compiled) <= used
    assert probe(game_folder, cache)[0] == 0


@rule
def factorial(n, scale=1):
    return scale if n < 2 else n * factorial(n - 1, scale)


@rule
def announced(n):
    if n > 9:
        raise ValueError("too much")
    print("announcing", n)
    return factorial(n, scale=2)


@rule
def doubled(n):
    return 2 * n


@rule
def needless(n):
    return doubled(n) if n * 0 == 1 else n  # LLVM sees through this, Numba does not


@rule
def plainly(n):
    return doubled(n)


@rule
def tripled(n):
    return needless(n) + plainly(n)


@rule
def past_the_end(numbers):
    return numbers[numbers.shape[0]]


@rule
def even(n):
    return True if n == 0 else odd(n - 1)


@rule
def odd(n):
    return False if n == 0 else even(n - 1)


def _announced(numbers):
    return announced(numbers[0])


def _tripled(numbers):
    return tripled(numbers[0])


@rule
def half(numbers, k):
    part = numbers[k:]
    return part[0] if len(part) == 1 else half_of(part) + len(part)


@rule
def half_of(numbers):
    return numbers[len(numbers) // 2]


@rule
def rest(numbers):
    return numbers[1:]


@rule
def second(numbers):
    return rest(numbers)[0] + len(rest(rest(numbers)))


@rule
def squares(numbers):
    made = np.zeros(len(numbers), np.int64)
    for k in range(len(numbers)):
        made[k] = numbers[k] * numbers[k]
    return made.sum() + half_of(made)


def _handed_on(numbers):
    return half(numbers, 1) - len(numbers) + half_of(numbers) + len(numbers) - 3


def _made(numbers):
    return squares(numbers)


def _returned(numbers):
    return second(numbers) + len(rest(numbers)) + rest(numbers)[0]


def _past_the_end(numbers):
    return past_the_end(numbers)


def _even(numbers):
    return even(numbers[0])


@pytest.fixture
def odd_kernels(tmp_path, monkeypatch):
    monkeypatch.setenv("BANQUET_CACHE_DIR", str(tmp_path))
    templates = {
        f.__name__[1:]: (f, "int64(int32[::1])") for f in (_announced, _tripled, _even, _handed_on, _made, _returned)
    }
    rules = {f.__name__: f for f in (announced, tripled, even, half, half_of, rest, second, squares)}
    return Kernels("odd", templates, rules, [Path(__file__)])


def test_a_rule_that_prints_raises_and_calls_itself_works_in_kernels_and_when_called(odd_kernels, capfd):
    for call in (odd_kernels.announced, lambda numbers: announced(numbers[0])):
        assert call(np.array([4], np.int32)) == 48
        assert capfd.readouterr().out == "announcing 4\n"
        with pytest.raises(ValueError, match="too much"):
            call(np.array([10], np.int32))
    assert factorial(n=3) == 6
    assert not JIT or factorial.py_func(3) == 6


@needs_jit
@pytest.mark.parametrize("kernel", ["handed_on", "made", "returned"])
def test_rules_may_hand_arrays_on_make_and_return_them(odd_kernels, kernel):
    """Rules that only hand arrays on count no references (core/linking.py); what others count must come out even."""
    numbers = np.arange(5, dtype=np.int32)
    call = getattr(odd_kernels, kernel)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(1000):
        assert call(numbers) == {"handed_on": 6, "made": 34, "returned": 9}[kernel]
    after = rtsys.get_allocation_stats()
    assert after.mi_alloc - before.mi_alloc >= 1000
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
    assert after.alloc - before.alloc == after.free - before.free
    assert numbers.tolist() == [0, 1, 2, 3, 4]


def uncounted(function, *arguments):
    """Whether each rule that a call of `function` would need, itself included, is known to need no counting; by name."""
    function.compile(arguments)
    library = function.overloads[arguments].library
    libraries = [library, *(part for part in library._below({}) if hasattr(part, "returns"))]
    return {part.name: part._counts_even() for part in libraries}


needs_linking = pytest.mark.skipif(not LINKS_RULES, reason="rules are ordinary functions, all of which count")


@needs_linking
@pytest.mark.parametrize(
    ("function", "even"),
    [(half_of, True), (rest, False), (second, False), (squares, False)],
    ids=["half_of", "rest", "second", "squares"],
)
def test_only_rules_that_neither_make_nor_return_arrays_are_left_uncounted(function, even):
    found = uncounted(function, numba.int32[::1])
    assert all(found.values()) == even, found


@needs_linking
@pytest.mark.parametrize("name", [pytest.param(g, marks=pytest.mark.long) if k else g for k, g in enumerate(SHIPPED)])
def test_no_rule_of_a_shipped_game_makes_or_returns_an_array(name):
    """One that did would still be right, but it and all that call it would count references again, atomically."""
    spec = game_spec(name)
    state, rules = numba.from_dtype(spec.state), numba.from_dtype(spec.rules)
    for function, last in ((spec.apply, numba.int64), (spec.legal_actions, numba.boolean[::1])):
        found = uncounted(function, state, rules, last)
        assert len(found) >= 5, list(found)
        assert all(found.values()), [rule for rule, even in found.items() if not even]


def test_a_rule_is_linked_though_the_first_call_of_it_is_optimised_away(odd_kernels):
    assert odd_kernels.tripled(np.array([7], np.int32)) == 21


@pytest.mark.skipif(not LINKS_RULES, reason="crashes when loaded from the cache")
def test_rules_that_call_each_other_in_a_circle_are_refused(odd_kernels):
    with pytest.raises(TypeError, match="in a circle"):
        _ = odd_kernels.even


@needs_jit
@pytest.mark.parametrize("way", ["kernel", "call"])
def test_bounds_mode_finds_a_wrong_index_inside_a_rule(tmp_path, way):
    code = (
        "import numpy as np, tests.core.test_compile as t; from pathlib import Path;"
        "k = t.Kernels('odd', {'p': (t._past_the_end, 'int64(int32[::1])')}, {'past_the_end': t.past_the_end}, []);"
        f"({{'kernel': lambda n: k.p(n), 'call': t.past_the_end}}[{way!r}])(np.zeros(3, np.int32))"
    )
    for checks, error in (("1", "IndexError"), ("0", "")):
        env = {**os.environ, "BANQUET_CACHE_DIR": str(tmp_path), "NUMBA_BOUNDSCHECK": checks}
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
        assert error in done.stderr
        assert (done.returncode != 0) == (checks == "1"), done.stderr


@needs_jit
def test_machine_code_for_another_processor_is_kept_apart(game_folder, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    for processor, again in (("generic", False), ("", False), ("generic", True), ("", True)):
        monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
        if processor:
            monkeypatch.setenv("NUMBA_CPU_NAME", processor)
        compiled, taken, said = probe(game_folder, cache)
        assert taken == 1
        assert (compiled == 0) == again
        assert ("compiling rules" in said) != again


@needs_jit
def test_rules_of_an_untried_numba_are_ordinary_functions(game_folder, tmp_path):
    newer = numba.version_info.short >= (0, 65)
    assert LINKS_RULES or not newer, (
        "try core/linking.py with this version of Numba, then raise the bound in core/compile.py"
    )
    untried = "import numba; numba.version_info = numba.version_info._replace(short=(9, 0))\n"
    check = "\nassert type(countdown.SPEC.apply).__name__ == 'CPUDispatcher'"
    compiled, taken, said = probe(game_folder, tmp_path / "cache", untried + PROBE + check)
    assert compiled > 0
    assert said.count("two to three times as long with Numba") == 1
    assert taken == 1


def play_out(game, seed, out):
    rng = np.random.default_rng(seed)
    states = game.reset(300, seed)
    while not states.over.all():
        mask = game.legal_actions(states)
        live = np.flatnonzero(mask.any(axis=1))
        part = states[live].copy().view(np.recarray)
        game.step(part, random_actions(mask[live], rng))
        for k, r in enumerate(live):
            states[r] = part[k]
    out[seed] = states.tobytes()


def test_two_threads_stepping_two_games_do_not_disturb_each_other():
    import tests.core.countdown  # noqa: F401

    alone, together = {}, {}
    for seed in (1, 2):
        play_out(make_game("countdown"), seed, alone)
    games = [make_game("countdown", threads=2) for _ in range(2)]
    for game in games:
        game.rows_per_thread = 16
    threads = [threading.Thread(target=play_out, args=(g, s, together)) for s, g in enumerate(games, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def _in_child(queue):
    import tests.core.countdown  # noqa: F401

    out = {}
    play_out(make_game("countdown", threads=2), 1, out)
    queue.put(out[1])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_new_process_after_first_use_works(method):
    import tests.core.countdown  # noqa: F401

    out = {}
    play_out(make_game("countdown", threads=2), 1, out)  # the parent's threads exist now
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=120) == out[1]
    child.join(timeout=60)
    assert child.exitcode == 0


def test_import_is_light():
    """Under a second on a quiet machine; what a test can hold for sure is that nothing heavy is imported."""
    code = (
        "import sys, banquet_envs, banquet_envs.envs.aec;"
        "print(sorted({'torch', 'matplotlib', 'pygame', 'stable_baselines3', 'agents', 'training'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


def test_plain_python_compares_with_ints_where_rules_name_a_vocabulary():
    """NumPy takes 18 microseconds to compare one of its numbers with a member of an IntEnum, and 0.07 with an int."""
    look = (
        "from banquet_envs.games.banquet_royal.rules import SPEC\n"
        "from banquet_envs.games.banquet_royal.state import Phase\n"
        "assert SPEC and type(Phase.COVER) is int and Phase.COVER == Phase['COVER'] == 0\n"
        "assert [member.name for member in Phase][0] == Phase(0).name == 'COVER'\n"
    )
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", look], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
