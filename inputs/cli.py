"""The command line: `python -m inputs list|get|make|convert|info`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inputs.catalogue import DATA_DIRECTORY, ensure

app = typer.Typer()


@app.callback()
def main() -> None:
    """Prepare graphs."""


@app.command()
def get(names: list[str], directory: Annotated[Path, typer.Option("--dir")] = DATA_DIRECTORY) -> None:
    """Prepare inputs of the catalogue."""
    for name in names:
        print(ensure(name, directory))
