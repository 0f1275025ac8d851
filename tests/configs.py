"""Which programs configs select, worked out once: it costs seconds, which every process of pytest would spend."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

from generator.config import CONFIGS, find_config, select_styles
from generator.manifest import what_selects
from generator.paths import ROOT
from generator.space import Style, load_space, name_of
from generator.tables import read_toml
from tests.memory import LONG, content_of, key_of, worked_out_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_KNOWN: dict[Path, list[Style]] = {}
_CHOSEN: dict[str, list[Style]] = {}
"""What this process has read, by its key."""


def selected(name: str) -> list[Style]:
    """Returns the styles that a config selects."""

    def choose() -> list[Style]:
        path = find_config(name)
        base = read_toml(path)[1].get("base")
        if base:  # which another process may have selected
            _KNOWN[CONFIGS / f"{base}.toml"] = selected(base)
        return select_styles(load_space(), path, _KNOWN)

    return chosen(f"config {name}", choose)


def chosen(name: str, choose: Callable[[], Sequence[Style]]) -> list[Style]:
    """Returns the styles that a function chooses; its result is kept under a name for other processes and runs.

    Args:
        name: of the choice, of its own within the file that calls this.
        choose: may depend on configs, algorithms, how they are read, and the file that it is written in.
    """
    caller = Path(inspect.getfile(choose))
    key = key_of("styles", what_selects(), content_of(caller), str(caller.relative_to(ROOT)), name, LONG)
    if key not in _CHOSEN:
        _CHOSEN[key] = worked_out_once(key, lambda: list(choose()))
    return [*_CHOSEN[key]]


def united(*lists: Iterable[Style]) -> list[Style]:
    """Returns the styles of some lists, each once."""
    return list({name_of(style): style for styles in lists for style in styles}.values())
