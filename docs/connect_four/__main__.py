"""`python -m connect_four` is the command `banquet` with this game added."""

from banquet_training.cli import main

main()
