"""Where things are: what Violet is made of, and where it works."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout, or the folder of installed packages."""

_IS_CHECKOUT = (ROOT / "templates").is_dir()
SHARE = ROOT if _IS_CHECKOUT else ROOT / "violet" / "share"
"""What is no Python: an installed Violet has it in its package."""

TEMPLATES = SHARE / "templates"
ALGORITHMS = TEMPLATES / "algorithms"
CONFIGS = SHARE / "configs"


def workspace() -> Path:
    """Returns the folder for all that is written, built and downloaded.

    That is VIOLET_HOME, if it is set; else the checkout, or, for an installed Violet, the user's cache.
    """
    if home := os.environ.get("VIOLET_HOME"):
        return Path(home).expanduser().absolute()
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return ROOT if _IS_CHECKOUT else caches / "violet"


GENERATED = workspace() / "generated"
