"""Files that are either there and complete, or not there at all."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from generator.errors import naming


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Opens a temporary file that takes the place of `path` once all has been written to it.

    Args:
        path: the file to make or replace, or a link to it; its folder is made if needed.

    Yields:
        The temporary file, open for writing; if the block raises, it is removed and `path` is untouched.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    target = target_of(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with naming(path):
            with temporary.open("xb") as file:
                if target.exists():  # who may read it stays as it was
                    os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def target_of(path: Path) -> Path:
    """Returns the file that is made or replaced where `path` is written: where it leads if it is a link.

    Raises:
        OSError: it is a folder, a pipe or a device.
    """
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        raise FileExistsError(errno.EEXIST, "not a file but a pipe or a device", str(path))
    return target


def write_array(file: IO[bytes], values: NDArray[np.generic], dtype: DTypeLike) -> None:
    """Writes numbers as `dtype`.

    Raises:
        OSError: they cannot be written; unlike that of `tofile`, it says why.
    """
    file.write(np.ascontiguousarray(values, dtype).data)
