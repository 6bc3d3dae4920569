"""The kept machine code: damaged, foreign, full or missing, it is a cold cache, with one line; nobody else's code is run.

Most cases use a small kernel in this process, as a new process would use it (`start`): it must give the right sum, whatever was done
to the cache. What concerns other users, other checkouts or a whole start is tried in a new process (`run_elsewhere`).
"""

import contextlib
import hashlib
import os
import pickle
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from banquet_envs.core import cache
from banquet_envs.core.compile import _ANNOUNCED, JIT, Kernels
from tests.reliability.child import in_child, needs_fork

pytestmark = [
    pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT=1"),
    pytest.mark.skipif(not hasattr(os, "geteuid"), reason="about owners and modes of files"),
]
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files to another user")
NOBODY = 65534
HERE = Path(__file__).parents[2]

RUN = """
import numpy as np
from tests.reliability.test_cache import kernels
call = kernels().total
print(int(call(np.arange(5))), sum(call.stats.cache_misses.values()))
"""
COMPILING = "banquet_envs: compiling rules of sums, first use only..."


def _total(numbers):
    found = 0
    for k in range(numbers.shape[0]):
        found += numbers[k]
    return found


def _most(numbers):
    return numbers.max()


def kernels():
    signature = "int64(int64[::1])"
    return Kernels("sums", {"total": (_total, signature), "most": (_most, signature)}, {}, [])


@pytest.fixture
def start(tmp_path, monkeypatch, capfd):
    """`start(root)`: (compiled, the lines said on stderr) of a first use, as in a new process, with a cache and a temporary folder."""

    def start(root, temporary=tmp_path / "tmp"):
        for known in (cache._SAID, _ANNOUNCED):
            known.clear()
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        monkeypatch.setenv("BANQUET_CACHE_DIR", str(root))
        capfd.readouterr()
        call = kernels().total
        assert call(np.arange(5)) == 10
        return bool(sum(call.stats.cache_misses.values())), capfd.readouterr().err.splitlines()

    return start


def run_elsewhere(root, code=RUN, user=None, **environment):
    """The same of a new process."""
    env = {**os.environ, "BANQUET_CACHE_DIR": str(root), "PYTHONPATH": str(HERE), **environment}
    env = {name: value for name, value in env.items() if value is not None}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=HERE, capture_output=True, text=True, check=False, user=user
    )
    assert done.returncode == 0, done.stderr
    total, compiled = map(int, done.stdout.split())
    assert total == 10
    return bool(compiled), done.stderr.splitlines()


@pytest.fixture
def places(tmp_path, start):
    """A warm cache beside an empty folder for temporary files; both can be reached by other users."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & stat.S_IXOTH:
            folder.chmod(0o755)  # pytest's own are private, and an xdist worker's lies one deeper
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    root = tmp_path / "cache"
    assert start(root) == (True, [COMPILING])
    assert start(root) == (False, [])
    return root


def code_file(root):
    (file,) = root.glob("*/total.code")
    return file


def fallback(root):
    return root.parent / "tmp" / f"banquet-envs-{os.geteuid()}"


# ---------------------------------------------------------------- damage


def flipped(data, k):
    """One bit of one byte, spread over the file."""
    at = k * (len(data) - 1) // 23
    return data[:at] + bytes([data[at] ^ 1 << k % 8]) + data[at + 1 :]


DAMAGE = {
    "emptied": lambda data: b"",
    "cut in half": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "one byte longer": lambda data: data + b"\0",
    "garbage": lambda data: np.random.default_rng(1).bytes(len(data)),
    "zeros": lambda data: bytes(len(data)),
    "only its first line": lambda data: data.splitlines(keepends=True)[0],
    **{f"flipped {k}": lambda data, k=k: flipped(data, k) for k in range(0, 24, 6)},
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_said_removed_and_compiled_anew(start, places, how):
    file = code_file(places)
    file.write_bytes(DAMAGE[how](file.read_bytes()))
    compiled, said = start(places)
    assert compiled
    assert said == [f"banquet_envs: {file} is damaged; compiling anew", COMPILING]
    assert start(places) == (False, [])


def test_every_flipped_byte_is_noticed(tmp_path, monkeypatch):
    """In this process: reading never hands out anything but what was written."""
    monkeypatch.setenv("BANQUET_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    store, code = cache.Store("label"), bytes(range(200))
    store.write("kernel", code)
    (file,) = tmp_path.glob("cache/label/kernel.code")
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        assert store.read("kernel") is None
        assert not file.exists()
    store.write("kernel", code)
    assert store.read("kernel") == code


def test_another_kernels_or_versions_file_is_not_taken(start, places):
    assert kernels().most(np.arange(5)) == 4
    total, most = code_file(places), code_file(places).with_name("most.code")
    total.write_bytes(most.read_bytes())
    assert start(places)[0]
    assert start(places) == (False, [])
    elsewhere = places / "sums-00000000000000000000"
    total.parent.rename(elsewhere)
    total.parent.mkdir()
    total.write_bytes((elsewhere / "total.code").read_bytes().replace(b"sums-", b"summ-"))
    assert start(places)[0]


def test_whole_files_that_numba_cannot_load_are_compiled_anew(start, places):
    """As after a change in Numba that its version does not tell."""
    file = code_file(places)
    magic, digest = b"banquet-envs machine code 1\n", hashlib.sha256().digest_size
    rest = file.read_bytes()[len(magic) + digest :]
    rest = rest.splitlines(keepends=True)[0] + pickle.dumps(("not", "a", "kernel"))
    file.write_bytes(magic + hashlib.sha256(rest).digest() + rest)
    compiled, said = start(places)
    assert compiled
    assert "cannot be loaded" in said[0]
    assert start(places) == (False, [])


def put_folder(file):
    file.unlink()
    file.mkdir()


def put_link(file):
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def put_pipe(file):
    file.unlink()
    os.mkfifo(file)


def lock_folder(file):
    file.unlink()
    file.with_name("total.lock").unlink(missing_ok=True)
    file.with_name("total.lock").mkdir()


def file_for_folder(file):
    for other in file.parent.iterdir():
        other.unlink()
    file.parent.rmdir()
    file.parent.write_text("")


@pytest.mark.parametrize(
    "change", [put_folder, put_link, put_pipe, lock_folder, file_for_folder], ids=lambda f: f.__name__
)
def test_things_that_are_no_files_do_no_harm(start, places, change):
    change(code_file(places))
    compiled, said = start(places)
    assert compiled
    assert said[-1] == COMPILING
    assert not start(places)[0]  # kept there, or in the private folder


# ---------------------------------------------------------------- whose it is


def open_to_group(file):
    file.chmod(0o664)


def open_folder(file):
    file.parent.chmod(0o777)


def open_root(file):
    file.parent.parent.chmod(0o777)


def give_file(file):
    os.chown(file, NOBODY, NOBODY)


def give_folder(file):
    os.chown(file.parent, NOBODY, NOBODY)


def give_root(file):
    os.chown(file.parent.parent, NOBODY, NOBODY)


def link_folder(file):
    os.rename(file.parent, file.parents[2] / "elsewhere")
    file.parent.symlink_to(file.parents[2] / "elsewhere")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (open_to_group, "can be written by other users (mode 664; chmod go-w)"),
        (open_folder, "can be written by other users (mode 777; chmod go-w)"),
        (open_root, "can be written by other users (mode 777; chmod go-w)"),
        (link_folder, "is not a folder"),
        pytest.param(give_file, "belongs to another user (65534)", marks=as_root),
        pytest.param(give_folder, "belongs to another user (65534)", marks=as_root),
        pytest.param(give_root, "belongs to another user (65534)", marks=as_root),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_others_can_have_written_is_not_run_and_the_reason_is_said(start, places, change, reason):
    """The code there would run, were it trusted: it is whole."""
    change(code_file(places))
    compiled, said = start(places)
    assert compiled
    assert reason in said[0]
    assert len(said) == 2
    replaced = change in (open_to_group, give_file)  # the folder is trusted: there is a new file now
    assert start(places) == (False, [] if replaced else said[:1])  # else it is kept in the private folder


@as_root
def test_a_folder_that_somebody_else_has_put_under_the_temporary_directory_is_not_used(start, places, tmp_path):
    """The attack: any user may make it beforehand, under the name that another user's processes will look for."""
    planted = fallback(places)
    file = code_file(places)
    planted.mkdir(exist_ok=True)
    (planted / file.parent.name).mkdir(exist_ok=True)
    victim = planted / file.parent.name / file.name
    marker = tmp_path / "was here"
    heading = f"{file.parent.name} total\n".encode()
    rest = heading + pickle.dumps(_Planted(str(marker)))
    victim.write_bytes(cache._MAGIC + hashlib.sha256(rest).digest() + rest)
    for owned in (victim, victim.parent, planted):
        os.chown(owned, NOBODY, NOBODY)
    for mode in (0o700, 0o755, 0o777):
        planted.chmod(mode)
        compiled, said = start("/proc/none")
        assert compiled
        assert not marker.exists()
        assert any("is not a private folder of this user and is not used as a cache" in line for line in said)
        assert any("compiled code is not kept" in line for line in said)
    for owned in (planted, victim.parent, victim):  # the same files, once they are one's own, would have been run
        os.chown(owned, 0, 0)
    planted.chmod(0o700)
    start("/proc/none")
    assert marker.exists()


class _Planted:
    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (self.marker,)


@pytest.mark.parametrize("what", ["link", "file", "open folder"])
def test_the_private_folder_is_private_or_not_used(start, places, what, tmp_path):
    private = fallback(places)
    (tmp_path / "elsewhere").mkdir()
    {
        "link": lambda: private.symlink_to(tmp_path / "elsewhere"),
        "file": lambda: private.write_text(""),
        "open folder": lambda: private.mkdir(mode=0o755),
    }[what]()
    compiled, said = start("/proc/none")
    assert compiled
    assert any("is not a private folder" in line for line in said)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_private_folder_is_made_private_and_serves_later_processes(start, places):
    compiled, said = start("/proc/none")
    assert compiled
    assert "is not used as a cache" in said[0]
    assert fallback(places).stat().st_mode & 0o777 == 0o700
    compiled, said = start("/proc/none")
    assert not compiled
    assert len(said) == 1


@as_root
@needs_fork
def test_roots_read_only_cache_serves_other_users(start, places):
    """An image: built by root, run by anybody. They read it, and what is missing they compile for themselves."""
    for path in (places, *places.rglob("*")):
        assert path.stat().st_mode & 0o022 == 0

    def as_nobody():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return start(places)

    assert in_child(as_nobody) == ("returned", (False, []))
    code_file(places).unlink()
    assert in_child(as_nobody) == ("returned", (True, [COMPILING]))
    assert in_child(as_nobody) == ("returned", (False, []))
    (private,) = (places.parent / "tmp").iterdir()
    assert (private.stat().st_uid, private.stat().st_mode & 0o777) == (NOBODY, 0o700)


# ---------------------------------------------------------------- full, read-only, nowhere


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 16 kB, without room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("needs the right to mount")
    try:
        with contextlib.suppress(OSError), open(disk / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(bytes(512))
        yield disk
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_is_no_reason_to_stop(start, places, small_disk):
    root = small_disk / "cache"
    compiled, said = start(root, small_disk)
    assert compiled
    assert any("is not kept" in line and "No space left" in line for line in said)
    assert list(root.rglob("*.part")) == []
    assert start(root)[0]  # now with another temporary directory, where it is kept
    assert not start(root)[0]


def no_private_folder(tmp_path, monkeypatch):
    """A temporary directory in which the private folder cannot be made."""
    folder = tmp_path / "taken"
    folder.mkdir()
    (folder / f"banquet-envs-{os.geteuid()}").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_writes_that_fail_are_not_kept(tmp_path, monkeypatch, capfd):
    """Wherever in a write it happens, nothing is left behind, and the next process compiles."""
    monkeypatch.setenv("BANQUET_CACHE_DIR", str(tmp_path / "cache"))
    no_private_folder(tmp_path, monkeypatch)
    cache._SAID.clear()
    for name in ("fsync", "replace", "chmod"):

        def failing(*args, **more):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, name, failing)
            cache.Store("label").write("kernel", b"code")
        assert list(tmp_path.rglob("*.code*")) == []
    assert "compiled code is not kept" in capfd.readouterr().err
    assert cache.Store("label").read("kernel") is None


ROOTS = ["/proc/none", "/dev/null", "/dev/null/below", "x" * 300, "a\0b"]


@pytest.mark.parametrize("root", ROOTS)
def test_roots_that_cannot_be_are_said_and_done_without(tmp_path, monkeypatch, root):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "environ", {**os.environ, "BANQUET_CACHE_DIR": root})
    store = cache.Store("label")
    store.write("kernel", b"code")
    assert store.read("kernel") == b"code"
    assert (tmp_path / f"banquet-envs-{os.geteuid()}" / "label" / "kernel.code").exists()


def test_without_any_place_everything_is_compiled_and_works(start, tmp_path, monkeypatch):
    nowhere = "import tempfile\ntempfile.tempdir = '/proc/none'\n"
    compiled, said = run_elsewhere("/proc/none", nowhere + RUN, HOME=None, XDG_CACHE_HOME=None)
    assert compiled
    assert "/proc/none" in said[0]
    compiled, said = start("/proc/none", no_private_folder(tmp_path, monkeypatch))
    assert compiled
    assert any("compiled code is not kept" in line for line in said)


def test_odd_names_work(start, places):
    for name in ("with a space", "ünïcode", "-dash", "a'quote"):
        assert start(places / name)[0]
        assert start(places / name) == (False, [])


def test_another_checkout_with_the_same_sources_is_warm(start, places, tmp_path):
    """Where the sources lie does not matter, only what they say."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("banquet_envs", "tests/reliability", "tests/core"):
        subprocess.run(["cp", "-r", "--parents", name, f"{copy}/"], cwd=HERE, check=True)
    (copy / "tests" / "__init__.py").write_text("")
    code = (
        f"import os; os.chdir({str(copy)!r}); import banquet_envs; assert {str(copy)!r} in banquet_envs.__file__\n{RUN}"
    )
    subprocess.run(["touch", "-d", "2020-01-01", *map(str, copy.rglob("*.py"))], check=True)
    compiled, said = run_elsewhere(places, code, PYTHONPATH=str(copy))
    assert (compiled, said) == (False, [])
