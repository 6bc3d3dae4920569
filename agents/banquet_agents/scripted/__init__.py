"""Scripted agents, one module per game, named like the game; each has a dict AGENTS of name -> Script."""
