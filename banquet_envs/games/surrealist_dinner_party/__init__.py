"""Surrealist Dinner Party (Resonym, 2020/21), 2 to 4 players."""
