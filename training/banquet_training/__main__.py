"""`python -m banquet_training` is the command `banquet`."""

from banquet_training.cli import main

main()
