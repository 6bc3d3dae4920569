"""Connect Four on the core of banquet_envs: importing this package makes the game and its agents known."""

from banquet_agents import register_scripts
from banquet_envs import register_game
from banquet_envs.envs import register_all
from connect_four.agents import AGENTS
from connect_four.rules import SPEC

register_game(SPEC)
register_scripts("connect_four", AGENTS)
register_all()  # Gymnasium's id, banquet/ConnectFour-v0
