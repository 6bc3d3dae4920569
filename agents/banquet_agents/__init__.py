"""Players: random, scripted, searching, trained and human, behind one batch-first interface; `arena` has matches and more."""
