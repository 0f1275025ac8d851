"""What a user can mend, such as a file that is not there, ends a benchmark with one line."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pyarrow import ArrowInvalid

from generator.errors import UserError, one_line


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """Exits with 1 and says on stderr what went wrong, in place of a traceback.

    Raises:
        SystemExit: something did.
    """
    try:
        yield
    except (UserError, ArrowInvalid, subprocess.CalledProcessError, OSError) as error:
        is_bare = isinstance(error, FileNotFoundError) and error.errno is None  # pyarrow's, which is the path alone
        sys.exit(f"error: {one_line(error)}{': No such file' if is_bare else ''}")
