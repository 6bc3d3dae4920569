"""Training by self-play, matches between agents, and the command line. Only here are torch and matplotlib used."""
