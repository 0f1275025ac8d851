"""The inputs of the papers and other published graphs, as `published.toml` lists them."""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from inputs import generators
from inputs.graph import Graph

_LIST = Path(__file__).parent / "published.toml"


class StandIn(BaseModel):
    """A call of a generator that makes a graph of the same kind and size as one that cannot be had.

    Attributes:
        kind: the name of a function of `inputs.generators`; other keys are its arguments.
    """

    model_config = ConfigDict(extra="allow", frozen=True)
    kind: str

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in (self.model_extra or {}).items())
        return f"{self.kind}({arguments})"

    def make(self) -> Graph:
        """Makes the graph; may take minutes."""
        graph: Graph = getattr(generators, self.kind)(**(self.model_extra or {}))
        return graph


class Published(BaseModel):
    """An input of a paper, or another one; the comment at the top of `published.toml` explains the keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    description: str
    stand_in: StandIn
    papers: Annotated[str, Field(pattern=r"^[GIMS]( [GIMS])*$")] | None = None
    directed: bool = False
    url: str | None = None
    licence: str = ""
    vertices: int = 0
    arcs: int = 0


PUBLISHED = {name: Published(**entry) for name, entry in tomllib.loads(_LIST.read_text(encoding="utf-8")).items()}
