"""The array library of a GPU."""

from importlib import import_module
from types import ModuleType


def array_module() -> ModuleType:
    """Imports cupy, for the parameter `xp` of the generators.

    Raises:
        ValueError: it is not installed, or finds no GPU.
    """
    try:
        cupy = import_module("cupy")
        cupy.zeros(1)
    except ImportError as error:
        raise ValueError(f"generating on a GPU needs cupy ({error}); uv sync --extra cuda12 installs it") from error
    except Exception as error:  # cupy has many kinds of errors for a machine without a GPU
        raise ValueError(f"cupy finds no GPU: {error}") from error
    return cupy
