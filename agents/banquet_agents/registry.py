"""Agents by name: `random`, a game's scripted agents, `search:N`, `search:N,policy=FOLDER`, `flat:N`, `policy:FOLDER`,
`package.module:factory`.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from typing import Any

from banquet_agents.adapters import adapt
from banquet_agents.compiled import RANDOM, CompiledAgent, RandomAgent, Script
from banquet_agents.policy import load_policy
from banquet_agents.policy_search import PolicySearchAgent
from banquet_agents.search import NO_PLAYOUT, SearchAgent, parsed
from banquet_envs.core.errors import AgentError, BanquetError, OptionError
from banquet_envs.core.game import Game
from banquet_envs.core.registry import Agent, import_module_here

_SCRIPTS: dict[str, dict[str, Script]] = {}


def register_scripts(game: str, scripts: dict[str, Script]) -> None:
    """Add scripted agents for a game, for instance one of your own."""
    _SCRIPTS.setdefault(game, {}).update(scripts)


def scripts_of(game: str) -> dict[str, Script]:
    """The scripted agents of a game by name, weakest first; `random` is always there."""
    module = _module(game)
    shipped: dict[str, Script] = {} if module is None else module.AGENTS
    return {"random": RANDOM} | shipped | _SCRIPTS.get(game, {})


def playouts_of(game: str) -> dict[str, Script]:
    """The scripts that a search may play out with: the game's agents, and what its module keeps as PLAYOUTS."""
    return scripts_of(game) | getattr(_module(game), "PLAYOUTS", {})


def _module(game: str) -> Any:
    """The module of a game's scripted agents, or None."""
    name = f"banquet_agents.scripted.{game}"
    return None if importlib.util.find_spec(name) is None else importlib.import_module(name)


def agent_names(game: str) -> list[str]:
    """Names of the agents that need nothing but the game, weakest first."""
    return list(scripts_of(game))


def make_agent(game: Game, name: str) -> Agent:
    """The agent called `name` for `game`.

    Args:
        game: the Game it will play.
        name: `random`, `greedy`, `expert`, ...; `search:N`, `search:Nms`, `flat:N` (agents/banquet_agents/search.py); `policy:FOLDER`
            of a training run; `package.module:factory`, called with the game.

    Raises:
        OptionError: no such agent; the message lists what there is.
    """
    scripts = scripts_of(game.name)
    if name == "random":
        return RandomAgent(game)
    if name in scripts:
        return CompiledAgent(game, name, scripts[name])
    if name.startswith(("search:", "flat:")):
        return _search(game, name)
    if name.startswith("policy:"):
        return load_policy(game, name.removeprefix("policy:"))
    if ":" in name:
        return _users_own(game, name)
    raise OptionError(
        f"no agent named {name!r} for {game.name}; choose one of {', '.join(scripts)},"
        " search:N, flat:N, policy:FOLDER or package.module:factory"
    )


def _search(game: Game, name: str) -> Agent:
    """A search agent, whose playouts use one of the game's scripts."""
    settings, scripts = parsed(game.name, name), playouts_of(game.name)
    if settings.policy:
        scripts = {NO_PLAYOUT: RANDOM} | scripts
    if settings.playout not in scripts:
        raise OptionError(f"agent {name!r}: playout={settings.playout!r}; choose one of {', '.join(scripts)}")
    if not settings.policy:
        return SearchAgent(game, name, settings, scripts[settings.playout])
    policy = load_policy(game, settings.policy)
    reward = policy.card.get("reward", "win")
    return PolicySearchAgent(game, name, settings, scripts[settings.playout], policy.network, reward)


def users_module(name: str) -> str | None:
    """The module that making an agent of this name imports, where it is a user's own: "package.module:factory"."""
    kind, colon, _ = name.partition(":")
    return kind if colon and kind not in ("search", "flat", "policy") else None


def _users_own(game: Game, name: str) -> Agent:
    """What `package.module:factory` makes for the game, in any of the shapes that agents/banquet_agents/adapters.py knows."""
    module, _, attribute = name.partition(":")
    try:
        factory = getattr(import_module_here(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise OptionError(f"agent {name!r}: {error}") from error
    try:
        inspect.signature(factory).bind(game)
    except TypeError as error:
        raise OptionError(f"agent {name!r}: must be callable with the game and return an agent ({error})") from error
    except ValueError:  # Python does not know its signature
        pass
    try:
        made = factory(game)
    except BanquetError:
        raise
    except Exception as error:
        raise AgentError(f"agent {name!r} cannot be made: {type(error).__name__}: {error}") from error
    return adapt(game, made)
