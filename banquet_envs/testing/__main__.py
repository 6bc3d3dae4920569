"""`python -m banquet_envs.testing GAME ...`: run the conformance suite; a game of your own is `module:name`."""

import sys

from banquet_envs.core.registry import game_spec
from banquet_envs.testing.suite import check_game

if __name__ == "__main__":
    for name in sys.argv[1:]:
        game_spec(name)
        check_game(name.rpartition(":")[2], report=print)
    print("all checks passed" if len(sys.argv) > 1 else "usage: python -m banquet_envs.testing GAME ...")
