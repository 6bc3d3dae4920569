"""Machine code on disk. It is code, so it is read only where nobody else can have put it, and only if it is whole.

A kernel's code is one file: a line that says what it is, the SHA-256 of the rest, the kernel's name with the fingerprint of
all its sources, the code. It is written under another name and renamed, so there are no halves. It lies in
`$BANQUET_CACHE_DIR` or the user's cache folder, or, where that cannot be written or is not to be trusted, in a private
folder under the system's temporary directory. Folders and files count as trusted that belong to this user or to root
and that nobody else may write to; so a folder of root's that cannot be written serves every user of an image.

Nothing here stops a program: a cache that is bad, full, foreign or missing is a cold cache, and one line on stderr says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import filelock
import platformdirs

_MAGIC = b"banquet-envs machine code 1\n"
_DIGEST = hashlib.sha256().digest_size
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_SAID: set[str] = set()


class UntrustedError(OSError):
    """A file or folder that somebody else may have written to."""


def say(line: str) -> None:
    """One line on stderr, once in a process."""
    if line not in _SAID:
        _SAID.add(line)
        with contextlib.suppress(OSError, ValueError):  # nobody listens
            print(f"banquet_envs: {line}", file=sys.stderr, flush=True)


class Store:
    """The kept code of some kernels that were compiled from the same sources.

    Args:
        label: a name with the fingerprint of the sources; the folder's name.
    """

    def __init__(self, label: str) -> None:
        self.label = label

    def read(self, kernel: str) -> bytes | None:
        """A kernel's code; None where there is none that is whole and trusted."""
        for root in _roots(writing=False):
            code = self._read_from(root / self.label, kernel)
            if code is not None:
                return code
        return None

    def write(self, kernel: str, code: bytes) -> None:
        """Keep a kernel's code for later processes, if that is possible anywhere."""
        rest = self._heading(kernel) + code
        whole = _MAGIC + hashlib.sha256(rest).digest() + rest
        reasons = []
        for root in _roots(writing=True):
            try:
                _write_whole(_own_folder(root / self.label) / f"{kernel}.code", whole)
                return
            except OSError as error:
                reasons.append(_reason(error, root))
        say(f"compiled code is not kept: {'; '.join(reasons) or 'no folder can be used'}")

    def discard(self, kernel: str, why: str) -> None:
        """Take a kernel's files away, which are whole but of no use, and say why."""
        for root in _roots(writing=True):
            _take_away(root / self.label / f"{kernel}.code", why)

    @contextlib.contextmanager
    def lock(self, kernel: str) -> Iterator[None]:
        """Held by the process that compiles a kernel, so that others wait for its code; without effect if there is no place."""
        with contextlib.ExitStack() as stack:
            for root in _roots(writing=True):
                try:
                    stack.enter_context(
                        filelock.FileLock(_own_folder(root / self.label) / f"{kernel}.lock", mode=0o644)
                    )
                    break
                except (OSError, NotImplementedError):
                    continue
            yield

    def _heading(self, kernel: str) -> bytes:
        return f"{self.label} {kernel}\n".encode()

    def _read_from(self, folder: Path, kernel: str) -> bytes | None:
        file = folder / f"{kernel}.code"
        try:
            _check_folder(folder)
            data = _read_trusted(file)
        except FileNotFoundError:
            return None
        except UntrustedError as error:
            say(f"{error} and is not used")
            return None
        except OSError as error:
            say(f"{_reason(error, file)}; compiling anew")
            return None
        digest, rest = data[len(_MAGIC) : len(_MAGIC) + _DIGEST], data[len(_MAGIC) + _DIGEST :]
        heading = self._heading(kernel)
        if data.startswith(_MAGIC) and hashlib.sha256(rest).digest() == digest and rest.startswith(heading):
            return rest[len(heading) :]
        _take_away(file, "is damaged")
        return None


# ---------------------------------------------------------------- which folders


def _roots(writing: bool) -> Iterator[Path]:
    """The folders to look in or to write to, the wanted one first; the private one is made only for writing."""
    yield from _wanted_root(os.environ.get("BANQUET_CACHE_DIR") or "")
    with contextlib.suppress(FileNotFoundError):  # no temporary directory, or nothing in it yet
        yield from _private_root(tempfile.gettempdir(), writing)


def _wanted_root(chosen: str) -> list[Path]:
    """`$BANQUET_CACHE_DIR`, else the user's cache folder, if it is there or can be made, and is trusted."""
    try:
        root = Path(chosen or platformdirs.user_cache_dir("banquet-envs"))
        root.mkdir(mode=0o755, parents=True, exist_ok=True)
        _distrust(os.stat(root), root)  # it may be a link
        return [root]
    except UntrustedError as error:
        say(f"{error} and is not used as a cache")
    except (OSError, ValueError, RuntimeError) as error:
        say(f"{_reason(error, chosen or 'the cache folder')} and is not used as a cache")
    return []


def _private_root(temporary: str, writing: bool) -> list[Path]:
    """A folder of this user alone under the system's temporary directory, where anybody may put folders."""
    user = os.geteuid() if hasattr(os, "geteuid") else None
    root = Path(temporary) / f"banquet-envs-{'cache' if user is None else user}"
    try:
        if writing:
            with contextlib.suppress(FileExistsError):
                root.mkdir(mode=0o700)
        status = os.lstat(root)
        private = stat.S_ISDIR(status.st_mode) and status.st_uid == user and not status.st_mode & 0o077
        if user is not None and not private:
            raise UntrustedError(f"{root} is not a private folder of this user")
        return [root]
    except UntrustedError as error:
        say(f"{error} and is not used as a cache")
    except OSError:
        pass
    return []


def _own_folder(folder: Path) -> Path:
    """A trusted folder that this process may write to, made where it is missing."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o755)
    _check_folder(folder)
    return folder


def _check_folder(folder: Path) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise UntrustedError(f"{folder} is not a folder")
    _distrust(status, folder)


def _distrust(status: os.stat_result, what: Path) -> None:
    """Raise UntrustedError unless a file or folder is this user's or root's, and nobody else may write to it."""
    if not hasattr(os, "geteuid"):
        return
    if status.st_uid not in (os.geteuid(), 0):
        raise UntrustedError(f"{what} belongs to another user ({status.st_uid})")
    if status.st_mode & _OTHERS_WRITE:
        raise UntrustedError(
            f"{what} can be written by other users (mode {stat.S_IMODE(status.st_mode):o}; chmod go-w)"
        )


# ---------------------------------------------------------------- whole files


def _read_trusted(file: Path) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(file, flags), "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "is not a file")
        _distrust(status, file)
        return opened.read()


def _take_away(file: Path, why: str) -> None:
    """Remove a file where that can be done; what is written later replaces it in any case."""
    if os.path.lexists(file):
        say(f"{file} {why}; compiling anew")
        with contextlib.suppress(OSError):
            file.unlink()


def _write_whole(file: Path, data: bytes) -> None:
    """Write under another name, bring it to the disk, rename: whoever reads finds all of it or nothing."""
    handle, name = tempfile.mkstemp(prefix=f"{file.name}.", suffix=".part", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        os.chmod(name, 0o644)
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _reason(error: Exception, what: object) -> str:
    if isinstance(error, UntrustedError):
        return str(error)
    return f"{what}: {getattr(error, 'strerror', None) or error}"
