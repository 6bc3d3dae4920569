"""`python -m banquet_envs.testing GAME ...`: run the conformance suite."""

import importlib
import os
import sys

from banquet_envs.testing.suite import check_game

if __name__ == "__main__":
    for module in filter(None, os.environ.get("BANQUET_TESTING_IMPORT", "").split(",")):
        importlib.import_module(module)
    for name in sys.argv[1:]:
        check_game(name, report=print)
    print("all checks passed" if len(sys.argv) > 1 else "usage: python -m banquet_envs.testing GAME ...")
