"""The Great Evening Banquet (Saashi & Saashi, 2025), 1 to 4 players."""
