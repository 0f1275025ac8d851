"""`python -m inputs`."""

from inputs.cli import main

main()
