"""The helper that the other tests rely on tells a death, a hang, an error and a value apart."""

import os
import time

from tests.reliability.child import in_children, needs_fork


@needs_fork
def test_outcomes_are_told_apart_and_the_calls_behind_a_death_are_made():
    def raising():
        raise KeyError("x")

    calls = {
        "fine": lambda: 1,
        "abort": os.abort,
        "error": raising,
        "hang": lambda: time.sleep(60),
        "leaves": lambda: os._exit(0),
        "last": lambda: "z" * 100_000,
    }
    found = in_children(calls, patience=1.0)
    assert list(found) == list(calls)
    assert found["fine"] == ("returned", 1)
    assert found["abort"] == ("died", 6)
    assert found["error"] == ("raised", ["KeyError", "LookupError", "Exception", "BaseException", "object"], "'x'")
    assert found["hang"] == ("hangs",)
    assert found["leaves"] == ("died", 0)
    assert found["last"] == ("returned", "z" * 100_000)
