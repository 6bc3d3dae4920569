"""Dangerous calls, each in a forked child: its death is a result and not the end of the tests."""

import os
import pickle
import select
import time

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="runs dangerous calls in forked processes")


def in_child(call, patience=60.0):
    """What `call()` comes to in a child: `("returned", value)`, `("raised", type's names, text)`, `("died", signal)` or `("hangs",)`."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            try:
                result = "returned", call()
            except Exception as error:
                result = "raised", [kind.__name__ for kind in type(error).__mro__], str(error)
            os.write(write, pickle.dumps(result))
        finally:
            os._exit(0)
    os.close(write)
    try:
        return _result(read, child, time.monotonic() + patience)
    finally:
        os.close(read)


def _result(read, child, until):
    said = b""
    while True:
        ready, _, _ = select.select([read], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            os.kill(child, 9)
            os.waitpid(child, 0)
            return ("hangs",)
        part = os.read(read, 65536)
        if not part:
            status = os.waitpid(child, 0)[1]
            return ("died", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else pickle.loads(said)
        said += part
