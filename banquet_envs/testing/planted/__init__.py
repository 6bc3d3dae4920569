"""A small game with secrets and chance, Leduc poker, and the faults that the suite must see in it."""
