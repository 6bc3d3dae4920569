"""`python -m training` is the command `banquet`."""

from training.cli import main

main()
