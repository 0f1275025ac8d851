"""`python -m inputs`."""

import signal
import sys

from inputs.cli import main

# As Ctrl-C does, SIGTERM unwinds the stack, so that temporary files are removed; by itself it ends Python at once.
signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
main()
