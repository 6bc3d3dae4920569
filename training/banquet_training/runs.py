"""A run's folder: what it was told, how it went, and what it needs to go on. Nothing in it is pickled.

config.toml              every setting
run.json                 seed, command, versions, machine, torch threads, times resumed
checkpoint.*             weights, optimiser and counters to resume from
frozen/<step>/           frozen copies of the learner (policy folders)
best/, last/             policy folders
curve.csv, curve.png     strength against steps
strength.csv, .md        the final table
profile.json, .md        where the time went
tensorboard/             events
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import torch
from annotated_types import Ge, Predicate
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from typing_extensions import TypedDict

from banquet_agents.arena.sources import versions
from banquet_agents.files import DRAFT, write_whole
from banquet_agents.forms import read_json, read_table
from banquet_envs.core.errors import OptionError, SaveError
from banquet_training.settings import Settings, as_toml, checked, overlaid

CONFIG, RUN, CHECKPOINT = "config.toml", "run.json", "checkpoint"


@dataclass(frozen=True)
class RunTold:
    """What `run.json` must say; more is welcome."""

    game: str
    seed: Annotated[int, Ge(0)]
    resumed: Annotated[int, Ge(0)]
    identity: dict[str, Any]


class OptimizerTold(TypedDict):
    """The optimiser's part of a checkpoint."""

    name: str
    groups: list[dict[str, Any]]


class CheckpointTold(TypedDict):
    """What `checkpoint.json` says."""

    counters: dict[str, Any]
    optimizer: OptimizerTold
    weights: Annotated[str, Predicate(lambda name: name == Path(name).name)]


class RunFolder:
    """The folder of one training run.

    Args:
        path: the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def create(self, settings: Settings, about: Mapping[str, Any]) -> None:
        """Begin a new run.

        Raises:
            OptionError: the folder is in use.
        """
        if self.path.exists() and not (self.path.is_dir() and (self.unbegun() or self._empty())):
            raise OptionError(f"{self.path}: is in use; choose another folder, or --resume it")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(f"{self.path}: cannot be made ({error.strerror})") from error
        write_whole(self / CONFIG, as_toml(settings.as_dict()) + "\n")
        self.describe(about)

    def _empty(self) -> bool:
        """Whether nothing is there but what a write that was killed has left."""
        return all(file.name.endswith(DRAFT) for file in self.path.iterdir())

    def unbegun(self) -> bool:
        """Whether a run was made here that was killed before its first checkpoint: it may be begun again."""
        return (self / CONFIG).is_file() and not (self / f"{CHECKPOINT}.json").exists()

    def settings(self) -> Settings:
        """What the run was told.

        Raises:
            OptionError: no run there.
        """
        import tomllib

        try:
            data = tomllib.loads((self / CONFIG).read_text())
        except (OSError, ValueError, RecursionError) as error:
            raise OptionError(f"{self.path}: no training run there ({CONFIG} cannot be read)") from error
        if "run" not in data:
            raise OptionError(f"{self.path}: no training run there ({CONFIG} says nothing of a run)")
        return checked(overlaid(Settings(), data, str(self / CONFIG)), str(self / CONFIG))

    def about(self) -> dict[str, Any]:
        """What `run.json` says.

        Raises:
            OptionError: it cannot be read, or is no run's.
        """
        where = f"{self.path}: no training run there: {RUN}"
        try:
            told = read_json(dict[str, Any], (self / RUN).read_bytes(), where)
        except OSError as error:
            raise OptionError(f"{where} cannot be read ({error.strerror})") from error
        read_table(RunTold, {f.name: told[f.name] for f in fields(RunTold) if f.name in told}, where)
        return told

    def describe(self, about: Mapping[str, Any]) -> None:
        """Write `run.json`."""
        write_whole(self / RUN, json.dumps(about, indent=2) + "\n")

    def save_checkpoint(self, parameters: Mapping[str, Any], counters: Mapping[str, Any]) -> None:
        """Keep SB3's `get_parameters()` and the counters; a crash leaves the checkpoint before."""
        tensors: dict[str, torch.Tensor] = {}
        plain: dict[str, Any] = {"counters": dict(counters), "optimizer": {}}
        for name, held in parameters.items():
            if name.endswith("optimizer"):
                plain["optimizer"] = {"name": name, "groups": held["param_groups"]}
                for k, entry in held["state"].items():
                    tensors |= {f"{name}|{k}|{key}": torch.as_tensor(v).clone() for key, v in entry.items()}
            else:
                tensors |= {f"{name}|{key}": value.clone() for key, value in held.items()}
        where = self / f"{CHECKPOINT}-{counters['steps']}.safetensors"
        write_whole(where, save(tensors))
        plain["weights"] = where.name
        write_whole(self / f"{CHECKPOINT}.json", json.dumps(plain, indent=2) + "\n")
        for old in self.path.glob(f"{CHECKPOINT}-*.safetensors"):
            if old != where:
                old.unlink()

    def load_checkpoint(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The parameters for SB3's `set_parameters`, and the counters.

        Raises:
            SaveError: there is none, or it is damaged.
        """
        try:
            told = read_json(CheckpointTold, (self / f"{CHECKPOINT}.json").read_bytes(), str(self.path))
            tensors = load_file(self / told["weights"])
            optimizer = told["optimizer"]
            state: dict[int, dict[str, Any]] = {}
            parameters: dict[str, Any] = {optimizer["name"]: {"state": state, "param_groups": optimizer["groups"]}}
            for name, tensor in tensors.items():
                owner, *rest = name.split("|")
                if owner == optimizer["name"]:
                    state.setdefault(int(rest[0]), {})[rest[1]] = tensor
                else:
                    parameters.setdefault(owner, {})[rest[0]] = tensor
            return parameters, told["counters"]
        except (OSError, ValueError, KeyError, IndexError, SafetensorError) as error:
            raise SaveError(f"{self.path}: the checkpoint cannot be read ({error})") from error


def surroundings() -> dict[str, Any]:
    """Versions and machine, for `run.json`."""
    import sb3_contrib
    import stable_baselines3

    return {
        "versions": versions()
        | {
            "torch": torch.__version__,
            "stable_baselines3": stable_baselines3.__version__,
            "sb3_contrib": sb3_contrib.__version__,
        },
        "commit": _commit(),
        "machine": {"system": platform.platform(), "processor": _processor(), "cores": os.cpu_count()},
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": " ".join(sys.argv),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def _commit() -> str:
    """The commit of the source tree, with + when it has been changed; empty when it is not in one."""
    command = ["git", "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=10, check=True
        )
        return done.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
