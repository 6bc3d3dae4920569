"""Adapters: `aec` (PettingZoo), `vector` and `single` (Gymnasium). They name no game."""
