"""Files that are either there and complete, or not there at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from generator.errors import naming


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Opens a temporary file that takes the place of `path` once all has been written to it.

    Args:
        path: the file to make or replace; its folder is made if needed.

    Yields:
        The temporary file, open for writing; if the block raises, it is removed and `path` is untouched.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with naming(path), os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)  # mkstemp makes private files
        temporary.replace(path)
    except BaseException:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise


def write_array(file: IO[bytes], values: NDArray[np.generic], dtype: DTypeLike) -> None:
    """Writes numbers as `dtype`.

    Raises:
        OSError: they cannot be written; unlike that of `tofile`, it says why.
    """
    file.write(np.ascontiguousarray(values, dtype).data)
