"""Dangerous calls in forked children: the death of one is a result and not the end of the tests."""

import os
import pickle
import select
import struct
import time

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="runs dangerous calls in forked processes")


def in_child(call, patience=60.0):
    """What `call()` comes to: see `in_children`."""
    return in_children({"": call}, patience)[""]


def in_children(calls, patience=60.0):
    """What each call comes to in a child: `("returned", value)`, `("raised", the type's names, text)`, `("died", signal)`, `("hangs",)`.

    One child makes one call after another; only where it dies or hangs does a new one go on behind that call.
    """
    found, left = {}, dict(calls)
    while left:
        for name, result in _until_death(left, patience):
            found[name] = result
        for name in found.keys() & left.keys():
            del left[name]
    return found


def _until_death(calls, patience):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            for call in calls.values():
                message = pickle.dumps(_outcome(call))
                os.write(write, struct.pack("<i", len(message)))
                os.write(write, message)
        finally:
            os._exit(0)
    os.close(write)
    try:
        for name in calls:
            message = _message(read, time.monotonic() + patience)
            if message is None:
                os.kill(child, 9)  # if it has not died by itself
                status = os.waitpid(child, 0)[1]
                signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
                yield name, ("hangs",) if signal == 9 else ("died", signal)
                return
            yield name, pickle.loads(message)
        os.waitpid(child, 0)
    finally:
        os.close(read)


def _outcome(call):
    try:
        return "returned", call()
    except Exception as error:
        return "raised", [kind.__name__ for kind in type(error).__mro__], str(error)


def _message(read, until):
    """The next message of a child; None when it has died or the time is up."""
    size = _bytes(read, 4, until)
    return None if size is None else _bytes(read, struct.unpack("<i", size)[0], until)


def _bytes(read, number, until):
    said = b""
    while len(said) < number:
        if not select.select([read], [], [], max(0.0, until - time.monotonic()))[0]:
            return None
        part = os.read(read, number - len(said))
        if not part:
            time.sleep(0.05)  # for the child to be gone before it is killed
            return None
        said += part
    return said
