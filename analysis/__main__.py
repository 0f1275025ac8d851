"""Entry point of `python -m analysis`."""

import sys

try:
    from analysis.cli import main

    main()
except KeyboardInterrupt:  # as early as while modules are loaded
    sys.exit(130)
