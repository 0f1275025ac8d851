"""Entry point of `python -m runner`."""

import sys

try:
    from runner.cli import main

    main()
except KeyboardInterrupt:  # as early as while modules are loaded
    sys.exit(130)
