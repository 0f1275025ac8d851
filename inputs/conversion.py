"""Any format to any other, in bounded memory."""

import tempfile
from pathlib import Path

from inputs import external
from inputs.formats import egr
from inputs.formats.registry import format_named, stream


def convert(source: Path, out: Path) -> None:
    """Clean a graph file and write it in the format that the name of `out` promises.

    Args:
        source: a graph in any known format.
        out: the file to make or replace. Other formats than `.egr` are written from a temporary `.egr` file beside it.

    Raises:
        GraphFormatError: the source is not a graph, or a format is unknown.
        OSError: a file cannot be written; nothing is left behind.
    """
    graph_format = format_named(out)
    if out.suffix == ".egr":
        external.write_graph(stream(source), out)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as folder:
        between = Path(folder) / "graph.egr"
        external.write_graph(stream(source), between)
        graph_format.write(egr.read(between), out)
