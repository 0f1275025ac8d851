"""The compilers and flags of each model, as the build rules choose them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from runner.checkout import BUILD_RULES
from runner.errors import RunnerError

if TYPE_CHECKING:
    from runner.checkout import Checkout


class Compiler(BaseModel):
    """How the programs of one model are compiled."""

    model_config = ConfigDict(frozen=True)

    version: str
    command: str


Toolchain = dict[str, Compiler]
"""The compiler of each model; a model without one cannot be built here."""


def make_command(*arguments: str) -> list[str]:
    """Returns the command that applies the build rules; it must run in the root of the checkout."""
    return ["make", "--no-print-directory", "-f", str(BUILD_RULES), *arguments]


def read_toolchain(checkout: Checkout, *variables: str) -> Toolchain:
    """Asks the build rules for their compilers.

    Args:
        checkout: where.
        variables: settings of the rules, such as BUILD=FOLDER.

    Raises:
        RunnerError: make is missing or refuses its own rules.
    """
    command = make_command("-s", "toolchain", *variables)
    try:
        done = subprocess.run(command, cwd=checkout.root, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise RunnerError("make is missing: install GNU make") from None
    except subprocess.CalledProcessError as error:
        raise RunnerError(f"the build rules fail: {error.stderr.strip()}") from None
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {model: Compiler(version=version, command=command) for model, version, command in lines}
