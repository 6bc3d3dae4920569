"""The games of this repository; tests register others too."""

from banquet_envs import game_spec, list_games

SHIPPED = [name for name in list_games() if game_spec(name).folder.parent.name == "games"]
