"""Entry point of `python -m violet`."""

from violet.cli import main

main()
