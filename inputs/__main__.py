"""`python -m inputs`."""

from inputs.cli import app

app(prog_name="python -m inputs")
