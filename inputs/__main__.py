"""Entry point of `python -m inputs`."""

import signal
import sys


def _end(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # a second one would interrupt what the first has begun
    sys.exit(128 + number)


# As Ctrl-C does, SIGTERM unwinds the stack, so that temporary files are removed; by itself it ends Python at once.
signal.signal(signal.SIGTERM, _end)
try:
    from inputs.cli import main

    main()
except KeyboardInterrupt:  # as early as while modules are loaded
    sys.exit(130)
