"""Hyperparameters: small TOML files per game, laid over `default.toml`, laid over by the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le, MaxLen

from banquet_agents.forms import read_table
from banquet_envs.core.errors import OptionError

CONFIGS = Path(__file__).with_name("configs")

Count = Annotated[int, Ge(1), Le(10**12)]
Amount = Annotated[int, Ge(0), Le(10**12)]
Games = Annotated[int, Ge(1), Le(10**7)]
Share = Annotated[float, Ge(0), Le(1)]
Minutes = Annotated[float, Ge(0), Le(10**7)]
Weight = Annotated[float, Ge(0), Le(10**6)]
Rate = Annotated[float, Gt(0), Le(1)]
Widths = Annotated[tuple[Annotated[int, Ge(1), Le(65536)], ...], MaxLen(16)]
Name = Annotated[str, MaxLen(1000)]


@dataclass(frozen=True)
class GameSettings:
    """What is played. `players` 0 stands for the game's smallest number above one, or one; `components` names a file of
    component data in place of the shipped one, "" the shipped one.
    """

    players: Annotated[int, Ge(0), Le(1000)] = 0
    reward: str = "win"
    components: str = ""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunSettings:
    """Who learns, how long, how many games side by side, how often copies are frozen, and when it is evaluated.

    `learner`: "selfplay" (selfplay_ppo.py), "search" (expert_iteration.py) or "sb3" (sb3-contrib's MaskablePPO). A run
    ends with its `steps`, `minutes` by the clock or `cpu_minutes` of the process, whichever comes first; 0 is no limit.
    """

    learner: str = "selfplay"
    steps: Count = 4_000_000
    minutes: Minutes = 0.0
    cpu_minutes: Minutes = 0.0
    games: Games = 512
    freezes: Annotated[int, Ge(0), Le(10**6)] = 20
    evaluations: Annotated[int, Ge(1), Le(10**6)] = 20
    evaluation_games: Games = 400
    final_games: Games = 2000


@dataclass(frozen=True)
class NetworkSettings:
    """Hidden widths of trunk, policy head and value head, and the activation.

    `critic`: hidden widths of a critic that sees all while training; none by default. `precision`: "float32", "bfloat16",
    or "auto": what is faster here, float32 where the number of threads is given, so that runs repeat.
    """

    shared: Widths = (256, 256)
    policy: Widths = ()
    value: Widths = ()
    activation: str = "relu"
    critic: Widths = ()
    precision: str = "auto"


@dataclass(frozen=True)
class PPOSettings:
    """PPO's arguments. Learning rate and entropy weight run linearly from the first value to `_end`.

    For a run that begins from a policy: `kl_coef` weighs the divergence from it, fading to nothing at the part `kl_until` of
    the run; for the first `warm_up` decisions the value alone learns; its logits are multiplied by `sharpen`, since a clone
    draws its teacher's mistakes and its own doubts alike, and what is drawn is what improves.
    """

    n_steps: Games = 64
    batch_size: Games = 4096
    n_epochs: Annotated[int, Ge(1), Le(1000)] = 3
    learning_rate: Rate = 1e-3
    learning_rate_end: Share = 1e-4
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip_range: Annotated[float, Gt(0), Le(10)] = 0.2
    ent_coef: Weight = 0.01
    ent_coef_end: Weight = 0.002
    vf_coef: Weight = 0.5
    max_grad_norm: Annotated[float, Gt(0), Le(10**6)] = 0.5
    kl_coef: Weight = 0.1
    kl_until: Share = 0.5
    warm_up: Amount = 100_000
    sharpen: Annotated[float, Gt(0), Le(100)] = 1.0


@dataclass(frozen=True)
class ImitationSettings:
    """Learning from a teacher (imitation.py).

    Attributes:
        first: begin a training run with it, when no policy to begin from is named.
        teacher: an agent's name.
        decisions: how many the teacher is asked for.
        rounds: the policy learns after each of so many parts of them.
        passes: how often each one is learned from.
        teacher_share: part of the seats that the teacher holds from the second round on; the learner holds the others.
        keep: how many of the newest decisions are learned from.
        visits: learn a searching teacher's visits in place of its choice.
        held_out: part of the games that is kept for measuring accuracy.
        batch_size, learning_rate, learning_rate_end, value_weight: of the updates.
    """

    first: bool = False
    teacher: Name = "expert"
    decisions: Count = 600_000
    rounds: Games = 24
    passes: Annotated[float, Gt(0), Le(10**4)] = 6.0
    teacher_share: Share = 0.3
    keep: Count = 1_000_000
    visits: bool = True
    held_out: Annotated[float, Ge(0), Le(0.9)] = 0.05
    batch_size: Games = 1024
    learning_rate: Rate = 1e-3
    learning_rate_end: Share = 5e-5
    value_weight: Weight = 0.5


@dataclass(frozen=True)
class SearchSettings:
    """Learning from the policy's own search (expert_iteration.py).

    Attributes:
        simulations: of each search.
        considered, trust, luck: of its sequential halving (see SearchSettings in agents/banquet_agents/search.py).
        threads: that search side by side.
        games: played side by side.
        decisions: searched before they are learned from.
        passes, keep, held_out, batch_size, learning_rate, learning_rate_end, value_weight: as for imitation.
    """

    simulations: Annotated[int, Ge(2), Le(10**6)] = 32
    considered: Games = 8
    trust: Weight = 5.0
    luck: Weight = 1.0
    threads: Annotated[int, Ge(1), Le(1024)] = 1
    games: Games = 128
    decisions: Count = 8192
    passes: Annotated[float, Gt(0), Le(10**4)] = 2.0
    keep: Count = 200_000
    held_out: Annotated[float, Ge(0), Le(0.9)] = 0.05
    batch_size: Games = 1024
    learning_rate: Rate = 3e-4
    learning_rate_end: Share = 5e-5
    value_weight: Weight = 0.5


@dataclass(frozen=True)
class PoolSettings:
    """Odds of the opponents (see training/banquet_training/pool.py)."""

    newest: Weight = 0.5
    frozen: Weight = 0.3
    keep: Annotated[int, Ge(0), Le(10**4)] = 8
    scripted: dict[Name, Weight] = field(default_factory=lambda: {"random": 0.1, "greedy": 0.1})


@dataclass(frozen=True)
class Settings:
    """Everything a training run is told."""

    game: GameSettings = GameSettings()
    run: RunSettings = RunSettings()
    network: NetworkSettings = NetworkSettings()
    ppo: PPOSettings = PPOSettings()
    pool: PoolSettings = PoolSettings()
    imitation: ImitationSettings = ImitationSettings()
    search: SearchSettings = SearchSettings()

    def as_dict(self) -> dict[str, Any]:
        """Nested plain values."""
        return asdict(self)


def load_settings(game: str, demo: bool = False, file: Path | None = None) -> Settings:
    """The settings for a game.

    Args:
        game: its id; `configs/<game>.toml` is used where there is one.
        demo: lay the files' `[demo]` tables over the rest.
        file: your own TOML file in place of the game's.

    Raises:
        OptionError: a file that cannot be read, an unknown entry, a value of the wrong kind.
    """
    settings, demos = Settings(), []
    own = file or CONFIGS / f"{game}.toml"
    for source in (CONFIGS / "default.toml", own):
        if source == own and file is None and not own.is_file():
            continue
        data = _read(source)
        data.pop("demo_game", None)
        demos.append((data.pop("demo", {}), f"{source.name}: demo"))
        settings = overlaid(settings, data, str(source.name))
    for table, where in demos if demo else []:  # over all games' own settings
        settings = overlaid(settings, table, where)
    return settings


def checked(settings: Settings, where: str) -> Settings:
    """The settings, every one within its range.

    Raises:
        OptionError: names the first that is not, `where` it was found.
    """
    return read_table(Settings, settings.as_dict(), where)


def demo_game() -> str:
    """The game that `banquet demo` trains when none is named."""
    return str(_read(CONFIGS / "default.toml")["demo_game"])


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text())
    except OSError as error:
        raise OptionError(f"{file}: cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{file}: is not a TOML file: {error}") from error


def overlaid(settings: Any, data: Mapping[str, Any], where: str, merge: bool = False) -> Any:
    """`settings` with the values of `data` in place of its own, tables within tables.

    Free tables (`game.options`, `pool.scripted`) are replaced as a whole, or with `merge` entry by entry.

    Raises:
        OptionError: an unknown entry or a value of the wrong kind; names it.
    """
    known = {f.name for f in fields(settings)}
    changes: dict[str, Any] = {}
    for key, value in data.items():
        if key not in known:
            raise OptionError(f"{where}: unknown entry {key!r}; known: {', '.join(sorted(known))}")
        old = getattr(settings, key)
        if is_dataclass(old):
            if not isinstance(value, Mapping):
                raise OptionError(f"{where}: entry {key!r}: expected a table, found {value!r}")
            changes[key] = overlaid(old, value, f"{where}: {key}", merge)
        else:
            value = {**old, **value} if merge and isinstance(old, dict) and isinstance(value, dict) else value
            changes[key] = _converted(old, value, f"{where}: entry {key!r}")
    return replace(settings, **changes)


def _converted(old: Any, value: Any, where: str) -> Any:
    if isinstance(old, tuple):
        if isinstance(value, list | tuple) and all(isinstance(k, int) and k > 0 for k in value):
            return tuple(value)
        raise OptionError(f"{where}: expected a list of whole numbers, found {value!r}")
    if isinstance(old, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(old):
        raise OptionError(f"{where}: expected {type(old).__name__}, found {value!r}")
    return value


def setting(text: str) -> dict[str, Any]:
    """`"ppo.n_epochs=4"` as nested tables; the value is read as TOML.

    Raises:
        OptionError: not of the form TABLE.ENTRY=VALUE.
    """
    name, sign, value = text.partition("=")
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    table, dot, entry = name.strip().partition(".")
    if not (sign and dot and table and entry):
        raise OptionError(f"setting {text!r}: expected TABLE.ENTRY=VALUE, such as ppo.n_epochs=4")
    nested: Any = parsed
    for key in reversed(entry.split(".")):
        nested = {key: nested}
    return {table: nested}


def as_toml(data: Mapping[str, Any], name: str = "") -> str:
    """Nested tables of plain values as TOML text."""
    plain = {k: v for k, v in data.items() if not isinstance(v, Mapping)}
    lines = [f"[{name}]"] if name and plain else []
    lines += [f"{_toml_key(key)} = {_toml_value(value)}" for key, value in plain.items()]
    parts = ["\n".join(lines)] if lines else []
    for key, value in data.items():
        if isinstance(value, Mapping):
            text = as_toml(value, f"{name}.{_toml_key(key)}" if name else _toml_key(key))
            parts += [text] if text else []
    return "\n\n".join(parts)


def _toml_key(key: str) -> str:
    """Agents' names, such as search:100, are no bare keys."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml_value(key)


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml_value(v) for v in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)
