"""Banquet Royal (Alain Rivollet, Bankiiiz Editions 2018), 2 to 4 players."""
