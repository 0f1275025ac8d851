"""How a machine is called in figures, tables and what is printed."""

import re
from collections.abc import Mapping
from typing import Any

SHOWN = 6
"""So many letters of a fingerprint tell machines apart that differ in a driver only."""


def machine_in_words(machine: Mapping[str, Any]) -> str:
    """Returns the words for a machine, as a session describes it; they end in the start of its fingerprint.

    Raises:
        KeyError: it is described in another way.
        TypeError: so it is.
    """
    cards = [gpu["name"] for gpu in machine["gpus"]]
    cpu = f"{machine['cpu']} with {machine['cores']} cores ({machine['fingerprint'][:SHOWN]})"
    return equals_counted(", ".join([*cards, cpu]))


def equals_counted(machine: str) -> str:
    """Returns the words for a machine with equal GPUs counted, as in "8 x NVIDIA H200": files may name each of them."""
    return re.sub(r"^([^,]+)((?:, \1)+)(?=,)", lambda found: f"{found[2].count(',') + 1} x {found[1]}", machine)
