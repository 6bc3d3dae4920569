"""Training by self-play, and the command line."""
