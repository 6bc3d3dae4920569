"""A training run of the toy game in a process of its own that kills itself at a chosen moment.

python -m tests.reliability.killed_run FOLDER POINT      kill -9 at the POINT-th time something is forced to the disk
python -m tests.reliability.killed_run FOLDER SIGNAL 0   a long run that sends itself the signal when it is under way
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import torch

from banquet_envs import register_game
from banquet_training.trainer import train
from tests.training.test_runs import settings
from tests.training.toy import SPEC


def die_at(point):
    calls, real = [0], os.fsync

    def fsync(descriptor):
        calls[0] += 1
        if calls[0] == point:
            os.kill(os.getpid(), signal.SIGKILL)
        real(descriptor)

    os.fsync = fsync


def send(word, folder):
    for _ in range(2000):
        if (folder / "checkpoint.json").exists():
            break
        time.sleep(0.05)
    time.sleep(3.0)
    os.kill(os.getpid(), word)


def main(folder, number, signalled):
    torch.set_num_threads(1)
    register_game(SPEC)
    told = settings()
    if signalled:
        for word in (signal.SIGINT, signal.SIGTERM):  # the first may be ignored where tests run in the background
            signal.signal(word, signal.default_int_handler)  # as the command has it
        threading.Thread(target=send, args=(number, folder), daemon=True).start()
        told = settings(run={"steps": 10**9})
    else:
        die_at(number)
    train("crumbs", told, folder, seed=3, threads=1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), len(sys.argv) > 3)
