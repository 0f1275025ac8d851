"""Where is noted what a file of tests depends on, see tests/reads.py."""

from __future__ import annotations

import os

from tests.children.sitecustomize import CHILDREN

VARIABLE = "TESTS_READS"
"""Names the file to which all processes of a file of tests add what they read."""


def heard_by_children(**environment: str) -> dict[str, str]:
    """Returns an environment in which children that are Python note what they read.

    Args:
        environment: what it is to have else; what PYTHONPATH names comes first.
    """
    if notes := os.environ.get(VARIABLE):
        folders = [environment.get("PYTHONPATH"), CHILDREN]
        environment |= {VARIABLE: notes, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    return environment
