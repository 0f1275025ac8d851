"""The command line, `python -m inputs`: `list`, `get`, `make`, `convert` and `info`.

Commands import what they need themselves, so that nobody who asks for help waits for it.
"""

from __future__ import annotations

import json
import logging
import math
import sys
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from generator.errors import UserError
from generator.terminal import say, told_in_one_line
from inputs.defaults import DATA_DIRECTORY, GRAPH500, GTGRAPH, Duplicates
from inputs.progress import working

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from inputs.graph import Graph
    from inputs.properties import FileProperties
    from inputs.published import Published


class Preset(StrEnum):
    """Well-known quadrants of R-MAT."""

    GRAPH500 = "graph500"
    GTGRAPH = "gtgraph"


_GRAPH = "A file in any known format, a name of `list`, or - for stdin."
PRESETS = {Preset.GRAPH500: GRAPH500, Preset.GTGRAPH: GTGRAPH}


class UsageError(UserError):
    """A command that cannot be meant as it stands; `str()` of it is one line for a person."""


app = typer.Typer(
    help="""Prepare graphs for Violet's programs.

    Programs read `.egr` files: graphs in compressed sparse rows, undirected unless you ask for `--directed`. Get one by
    name from the catalogue (`get`), make one with parameters of your own (`make`), or convert a file you have
    (`convert`).
    """,
    epilog="Exit codes: 0 done, 2 wrong usage, 3 bad graph file, 4 file system or memory.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
)
make_app = typer.Typer(help="Make a synthetic graph with parameters of your own.", no_args_is_help=True)
app.add_typer(make_app, name="make")


@app.callback()
def _set_up() -> None:
    logging.basicConfig(handlers=[_Warnings()])


Directory = Annotated[Path, typer.Option("--dir", help="Where named inputs are kept.", file_okay=False)]
Output = Annotated[Path, typer.Option("--out", "-o", help="The `.egr` file to write.", dir_okay=False)]
Seed = Annotated[int, typer.Option(help="Same seed, same graph, on every machine.")]
Gpu = Annotated[bool, typer.Option("--gpu", help="Generate on a GPU, with cupy: the same bytes.")]
Directed = Annotated[bool, typer.Option("--directed", help="Edges keep their directions.")]
Kept = Annotated[Duplicates, typer.Option(help="The weight of an edge that is there several times.")]
Vertices = Annotated[int, typer.Option(help="Number of vertices.", min=1)]
Edges = Annotated[int, typer.Option(help="Edges to draw; loops and duplicates vanish.", min=0)]
Sides = Annotated[str, typer.Option(help="Vertices along each dimension, separated by commas.")]
Width = Annotated[int, typer.Option(help="Vertices in a row.", min=1)]
Height = Annotated[int, typer.Option(help="Number of rows.", min=1)]


def main(arguments: list[str] | None = None) -> None:
    """Runs one command and exits.

    Args:
        arguments: words after the program's name; those of the process if None.

    Raises:
        SystemExit: always; 0, or the exit code of an error.
    """
    with told_in_one_line():
        app(arguments, prog_name="python -m inputs")


@app.command("list")
def list_inputs(directory: Directory = DATA_DIRECTORY) -> None:
    """Shows the catalogue: every named input, its size once made or as published, and where it comes from."""
    from inputs.catalogue import CATALOGUE, path_of
    from inputs.formats import egr
    from inputs.published import PUBLISHED

    width = max(map(len, CATALOGUE))
    columns = get_terminal_size().columns if sys.stdout.isatty() else 10_000  # for other tools, a line each
    for name, entry in CATALOGUE.items():
        path, published, known = path_of(name, directory), PUBLISHED.get(name), [entry.description]
        if path.exists():
            known.append("{:,} vertices, {:,} directed edges".format(*egr.read_counts(path)))
        elif published and published.url:
            known.append(f"{published.vertices:,} vertices, {published.arcs:,} edges listed")
        if published:
            known.append(_origin(published))
        say(fill(f"{name:<{width}}  {'; '.join(known)}", columns, subsequent_indent=" " * (width + 2)))


def _origin(published: Published) -> str:
    """Says where a published input comes from, and under which licence."""
    return f"{urlsplit(published.url).netloc}: {published.licence}" if published.url else "only a stand-in"


def complete_name(incomplete: str) -> list[str]:
    """Returns the names of the catalogue that begin so."""
    from inputs.catalogue import CATALOGUE

    return [name for name in CATALOGUE if name.startswith(incomplete)]


@app.command()
def get(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Names from `list`.", show_default=False, autocompletion=complete_name),
    ],
    directory: Directory = DATA_DIRECTORY,
) -> None:
    """Makes or downloads named inputs unless they are there, and prints the paths of their files.

    For example, `violet graphs get karate soc-LiveJournal1`. With `-shuffled` after it, vertices have random numbers;
    with `-one-way` or `-half-both` before that, edges get random directions, all one or half of them both.
    A published input that cannot be downloaded for want of a network is replaced by a generated graph of its kind and
    size, `NAME-stand-in.egr`.
    """
    with working("looking into the catalogue"):
        from inputs.catalogue import ensure, path_of

        for name in names:
            path_of(name, directory)  # all names are checked before the first is made
    for name in names:
        with working(f"getting {name}"):
            path = ensure(name, directory)
        say(path)


@make_app.command("grid")
def make_grid(out: Output, sides: Sides = "1024,1024") -> None:
    """A grid of any dimension: every vertex is joined to the next and the previous one along each side."""
    with _making(out) as generators:
        _save(generators.lattice(_numbers(sides)), out)


@make_app.command("torus")
def make_torus(out: Output, sides: Sides = "1024,1024") -> None:
    """A grid whose opposite ends are joined."""
    with _making(out) as generators:
        _save(generators.lattice(_numbers(sides), torus=True), out)


@make_app.command("rmat")
def make_rmat(
    out: Output,
    scale: Annotated[int, typer.Option(help="The graph has 2^scale vertices.", min=0, max=30)] = 16,
    edge_factor: Annotated[
        int, typer.Option(help="Edges drawn for each vertex; loops and duplicates vanish.", min=0)
    ] = 8,
    quadrants: Annotated[
        tuple[float, float, float, float], typer.Option(help="Probabilities of the quadrants.")
    ] = GRAPH500,
    preset: Annotated[
        Preset | None, typer.Option(help="Quadrants of Graph500 (.57 .19 .19 .05) or GTgraph (.45 .15 .15 .25).")
    ] = None,
    seed: Seed = 1,
    gpu: Gpu = False,
    directed: Directed = False,
) -> None:
    """An R-MAT (Kronecker) graph: a few vertices have very many neighbours, and every vertex is near every other."""
    with _making(out) as generators:
        chosen = PRESETS[preset] if preset else quadrants
        if gpu or directed:
            xp = _array_module(gpu)
            _save(generators.rmat(scale, edge_factor << scale, chosen, seed=seed, xp=xp, directed=directed), out)
        else:
            from inputs.external import write_graph

            write_graph(generators.rmat_batches(scale, edge_factor << scale, chosen, seed=seed), out)
            say(out)


@make_app.command("uniform")
def make_uniform(
    out: Output, vertices: Vertices = 2**16, edges: Edges = 2**19, seed: Seed = 1, gpu: Gpu = False
) -> None:
    """A uniformly random graph."""
    with _making(out) as generators:
        _save(generators.uniform(vertices, edges, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("geometric")
def make_geometric(
    out: Output,
    vertices: Vertices = 2**16,
    radius: Annotated[float, typer.Option(help="Points of the unit square that are nearer are joined.")] = 0.009,
    seed: Seed = 1,
    gpu: Gpu = False,
) -> None:
    """A random geometric graph: random points, joined where near; a mesh of large diameter."""
    with _making(out) as generators:
        _save(generators.geometric(vertices, radius, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("smallworld")
def make_small_world(
    out: Output,
    vertices: Vertices = 2**16,
    neighbours: Annotated[int, typer.Option(help="Degree on the ring, even.")] = 10,
    rewired: Annotated[float, typer.Option(help="Share of edges with a random far end.")] = 0.1,
    seed: Seed = 1,
    gpu: Gpu = False,
) -> None:
    """A small world: a ring with shortcuts."""
    with _making(out) as generators:
        _save(generators.small_world(vertices, neighbours, rewired, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("preferential")
def make_preferential(
    out: Output,
    vertices: Vertices = 2**16,
    edges_each: Annotated[int, typer.Option(help="Edges that each new vertex draws.")] = 8,
    seed: Seed = 1,
    gpu: Gpu = False,
    directed: Directed = False,
) -> None:
    """A scale-free graph by preferential attachment."""
    with _making(out) as generators:
        xp = _array_module(gpu)
        _save(generators.preferential(vertices, edges_each, seed=seed, xp=xp, directed=directed), out)


@make_app.command("coauthors")
def make_coauthors(
    out: Output,
    vertices: Vertices = 2**16,
    papers: Annotated[float, typer.Option(help="Papers for each vertex; 0.62 makes an average degree of 56.")] = 0.62,
    seed: Seed = 1,
    gpu: Gpu = False,
) -> None:
    """A co-authorship graph: overlapping cliques."""
    with _making(out) as generators:
        _save(generators.coauthors(vertices, papers, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("kmax")
def make_k_max_degree(
    out: Output,
    vertices: Vertices = 2**16,
    k: Annotated[int, typer.Option(help="The largest degree.")] = 8,
    seed: Seed = 1,
    gpu: Gpu = False,
) -> None:
    """A random graph in which nobody has more than k neighbours."""
    with _making(out) as generators:
        _save(generators.k_max_degree(vertices, k, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("web")
def make_web(
    out: Output,
    vertices: Vertices = 2**16,
    links: Annotated[int, typer.Option(help="Links that each page draws.", min=0)] = 10,
    seed: Seed = 1,
    gpu: Gpu = False,
) -> None:
    """A web-like graph: pages of hosts, most of whose links stay on the host."""
    with _making(out) as generators:
        _save(generators.web(vertices, links, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("chains")
def make_chains(out: Output, vertices: Vertices = 2**16, seed: Seed = 1, gpu: Gpu = False) -> None:
    """Long paths that seldom branch, as the k-mers of a genome."""
    with _making(out) as generators:
        _save(generators.chains(vertices, seed=seed, xp=_array_module(gpu)), out)


@make_app.command("mesh")
def make_mesh(out: Output, vertices: Vertices = 2**16, seed: Seed = 1) -> None:
    """A mesh of triangles between random points."""
    with _making(out) as generators:
        _save(generators.mesh(vertices, seed=seed), out)


@make_app.command("road")
def make_road(out: Output, width: Width = 514, height: Height = 514, seed: Seed = 1) -> None:
    """A road-like network: average degree 2.7, no shortcuts, a large diameter."""
    with _making(out) as generators:
        _save(generators.road(width, height, seed=seed), out)


@make_app.command("star")
def make_star(out: Output, vertices: Vertices = 2**16) -> None:
    """A star: one vertex is joined to all others."""
    with _making(out) as generators:
        _save(generators.star(vertices), out)


@make_app.command("path")
def make_path(out: Output, vertices: Vertices = 2**16) -> None:
    """A path: every vertex is joined to the next."""
    with _making(out) as generators:
        _save(generators.path(vertices), out)


@make_app.command("forest")
def make_forest(
    out: Output,
    vertices: Vertices = 2**16,
    trees: Annotated[int, typer.Option(help="Number of trees; 1 makes a binary tree.")] = 1,
) -> None:
    """Complete binary trees."""
    with _making(out) as generators:
        _save(generators.binary_forest(vertices, trees), out)


@make_app.command("all")
def make_all(
    directory: Annotated[Path, typer.Option("--dir", help="The folder for the files.", file_okay=False)],
    vertices: Annotated[int, typer.Option(help="1 to 4 vertices have 1, 2, 8 or 64 graphs.", min=1, max=4)] = 4,
    directed: Directed = False,
) -> None:
    """Every graph of a few vertices, a file each; of directed ones, there are 1, 4, 64 or 4,096."""
    from inputs import generators

    for number, graph in enumerate(generators.all_graphs(vertices, directed=directed)):
        _save(graph, directory / f"all-{vertices}-{number:02}.egr")


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help=_GRAPH, show_default=False)],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.", show_default=False)],
    compact: Annotated[
        bool, typer.Option("--compact", help="Leave out ids without edges; OUT.names.parquet keeps those that stay.")
    ] = False,
    shuffle: Annotated[
        int | None,
        typer.Option(
            metavar="SEED", help="Give vertices random numbers; the same for the same seed.", show_default=False
        ),
    ] = None,
    directed: Directed = False,
    scale_weights: Annotated[
        float | None,
        typer.Option(help="Multiply weights by this, and round them: programs take whole ones.", show_default=False),
    ] = None,
    drop_weights: Annotated[bool, typer.Option("--drop-weights", help="Leave weights out, whatever they are.")] = False,
    real_weights: Annotated[
        bool, typer.Option("--real-weights", help="Keep weights that are real numbers, for programs of r32 and r64.")
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(help="Lines `vertex label`: vertices get numbers by which `match` tells.", show_default=False),
    ] = None,
    duplicates: Kept = "smallest",
) -> None:
    """Converts a graph file: undirected or `--directed`, no loops, no duplicates, sorted.

    Formats, by suffix: `.egr`; edge lists `.txt` `.el` `.wel` `.tsv` `.csv`; DIMACS `.col`, DIMACS or Galois `.gr`,
    Galois `.sgr`; MatrixMarket `.mtx`; GAPBS `.sg` `.wsg`; METIS `.graph`; Ligra `.adj`; `.graph500`; by networkx
    `.graphml` `.gml` `.gexf` `.net` `.adjlist`; IN also packed (`.gz`, `.zip`, ...). Vertices may be words;
    OUT.names.parquet keeps them.
    `docs/reference/formats.md` describes them.
    """
    from inputs.formats.registry import FORMATS
    from inputs.weights import WeightRule

    _require_suffix(out, *(suffix for graph_format in FORMATS for suffix in graph_format.suffixes))
    if scale_weights is not None and not (math.isfinite(scale_weights) and scale_weights > 0):
        raise UsageError(f"--scale-weights {scale_weights:g}: give a positive number, such as 1000")
    if scale_weights is not None and drop_weights:
        raise UsageError("--scale-weights and --drop-weights exclude each other; drop one")
    if real_weights and drop_weights:
        raise UsageError("--real-weights and --drop-weights exclude each other; drop one")
    if labels is not None and (compact or shuffle is not None):
        raise UsageError("--labels decides about the numbers of vertices: drop --compact or --shuffle")
    with working(f"converting {source.name}"):
        from inputs import conversion

        graph = _found(source)
        if out.exists() and any(each.exists() and out.samefile(each) for each in (graph, labels) if each):
            raise UsageError(f"{out}: would be lost, as it is what is converted; name another file to write")
        weights = WeightRule(scale_weights, drop_weights, real_weights)
        conversion.convert(
            graph,
            out,
            compact=compact,
            shuffle=shuffle,
            directed=directed,
            weights=weights,
            duplicates=duplicates,
            labels=labels,
        )
    if labels is not None:
        from inputs.labels import letters, told

        found = letters(labels)
        say(f"{told(found)}; programs take --labels {len(found)}", error=True)
    say(out)


@app.command()
def info(
    files: Annotated[list[Path], typer.Argument(metavar="GRAPH...", help=_GRAPH, show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a file.")] = False,
    directed: Directed = False,
) -> None:
    """Describes graph files: what is stored, and the shape of the graph that programs would run on.

    A directed `.egr` file is described as the directed graph that it is; others are if you ask for it.
    """
    for file in files:
        with working(f"measuring {file.name}"):
            from inputs.properties import inspect

            properties = inspect(_found(file), directed=directed)
        say(json.dumps(asdict(properties)) if as_json else _describe(properties))


def _describe(properties: FileProperties) -> str:
    """Lays out the properties of a file for a person."""
    storage, shape = properties.storage, properties.shape
    edges = f"{shape.undirected_edges:,} undirected, {shape.directed_edges:,} directed"
    degree = f"average {shape.average_degree:.2f}, maximum {shape.maximum_degree:,}"
    if shape.directed:
        edges = f"{shape.directed_edges:,} directed"
        degree += f" out and {shape.maximum_in_degree:,} in"
    rows = {
        "format": properties.format,
        "sha256": properties.sha256,
        "stored": f"{storage.arcs:,} arcs, {storage.loops:,} loops, {storage.duplicates:,} duplicates",
        "order": f"{'sorted' if storage.sorted else 'not sorted'}, {'' if storage.symmetric else 'not '}symmetric",
        "weights": "yes" if storage.weighted else "no",
        "vertices": f"{shape.vertices:,} ({shape.isolated:,} isolated)",
        "edges": edges,
        "degree": degree,
        "degree >= 32": f"{shape.share_degree_32:.2%} of vertices",
        "degree >= 512": f"{shape.share_degree_512:.2%} of vertices",
        "components": f"{shape.components:,}",
        **({"strong": f"{shape.strong_components:,} strongly connected components"} if shape.directed else {}),
        "diameter": f"at least {shape.pseudo_diameter:,}",
        "clustering": f"{shape.clustering:.2f}",
    }
    return "\n".join([properties.path, *(f"  {name:<14}{value}" for name, value in rows.items())])


def _found(word: Path) -> Path:
    """Returns the file of a graph: one that is there, that of a name of the catalogue, or what stdin holds."""
    if str(word) == "-":
        from inputs.standard import save

        return save(DATA_DIRECTORY / "converted")
    if word.suffix or word.exists() or word.parent.name:
        return word
    from inputs.catalogue import ensure

    return ensure(str(word))


@contextmanager
def _making(out: Path) -> Iterator[ModuleType]:
    """Yields the generators; turns the complaint of one about its parameters into a usage error."""
    _require_suffix(out, ".egr")
    try:
        with working(f"making {out.name}"):
            from inputs import generators, names

            yield generators
            names.forget(out)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _numbers(words: str) -> list[int]:
    """Reads numbers separated by commas."""
    try:
        return [int(word) for word in words.split(",")]
    except ValueError:
        raise UsageError(f"'{words}' is not a list of numbers separated by commas") from None


def _array_module(gpu: bool) -> ModuleType:
    if gpu:
        from inputs.generators.gpu import array_module

        return array_module()
    import numpy as np

    return np


def _save(graph: Graph, out: Path) -> None:
    from inputs.formats import egr

    egr.write(graph, out)
    say(out)


def _require_suffix(out: Path, *suffixes: str) -> None:
    if out.suffix not in suffixes:
        raise UsageError(f"'{out}' must end in {' or '.join(suffixes)}")


class _Warnings(logging.Handler):
    """Says on stderr what is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Says one."""
        say(f"warning: {record.getMessage()}", error=True)
