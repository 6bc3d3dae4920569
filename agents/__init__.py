"""Players: random, scripted, trained and human, behind one batch-first interface."""
