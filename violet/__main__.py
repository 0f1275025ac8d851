"""Entry point of `violet` and `python -m violet`."""

import sys


def main() -> None:
    """Runs the command line; Ctrl-C ends it without a traceback, as early as while modules are loaded."""
    try:
        from violet.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
