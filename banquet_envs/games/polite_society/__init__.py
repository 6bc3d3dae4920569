"""Polite Society (Veldi Games), 2 to 7 players."""
