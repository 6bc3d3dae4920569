"""banquet-envs: board games about dinner parties as reinforcement-learning environments.

`make_game` gives the batch interface to a game; the modules `<game>_v0` give PettingZoo environments. Importing this
package compiles nothing and imports neither torch nor matplotlib nor pygame.
"""

import banquet_envs.games  # noqa: F401  (registers the shipped games)
from banquet_envs._version import __version__
from banquet_envs.core.errors import (
    ActionTypeError,
    AgentError,
    BanquetError,
    ComponentsError,
    DivergedError,
    GameOverError,
    IllegalActionError,
    OptionError,
    ResetNeededError,
    SaveError,
)
from banquet_envs.core.game import Buffers, Game
from banquet_envs.core.registry import (
    Agent,
    game_spec,
    list_games,
    make_agent,
    make_game,
    register_game,
    set_agent_resolver,
)
from banquet_envs.core.spec import GameSpec
from banquet_envs.envs.registration import register_all

register_all()

__all__ = [
    "ActionTypeError",
    "Agent",
    "AgentError",
    "BanquetError",
    "Buffers",
    "ComponentsError",
    "DivergedError",
    "Game",
    "GameOverError",
    "GameSpec",
    "IllegalActionError",
    "OptionError",
    "ResetNeededError",
    "SaveError",
    "__version__",
    "game_spec",
    "list_games",
    "make_agent",
    "make_game",
    "register_game",
    "set_agent_resolver",
]
