"""Dinner Party (Michael Spitzer, Failure Factory)."""
