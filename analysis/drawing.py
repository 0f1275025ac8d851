"""Many figures drawn at the same time: files, and SVG for a page."""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup
from matplotlib.figure import Figure

from analysis import canvas
from analysis.errors import AnalysisError
from analysis.page import inline


@dataclass(frozen=True)
class Drawing:
    """A figure that is still to be drawn.

    Attributes:
        name: Of its files.
        caption: What it shows.
        draw: Draws it; raises `AnalysisError` if the results do not hold what it takes.
        wide: Whether it spans two columns.
    """

    name: str
    caption: str
    draw: Callable[[], Figure]
    wide: bool = False


@dataclass(frozen=True)
class Studio:
    """Where figures are drawn.

    Attributes:
        drawings: The figures.
        folder: Where the files go.
        suffixes: Their formats.
    """

    drawings: Sequence[Drawing]
    folder: Path
    suffixes: Sequence[canvas.Suffix]

    def draw(self, jobs: int) -> dict[str, Markup]:
        """Draws them all.

        Args:
            jobs: How many processes draw at the same time.

        Returns:
            For every figure that the results have something for, its name and its SVG, ready for a page; the latter is
            empty unless SVG is among the formats.
        """
        numbers = range(len(self.drawings))
        if jobs > 1 and "fork" in multiprocessing.get_all_start_methods():  # forked processes have the data already
            fork = multiprocessing.get_context("fork")
            with ProcessPoolExecutor(jobs, fork, initializer=_open, initargs=(self,)) as pool:
                drawn = list(pool.map(_draw, numbers))
        else:
            drawn = [self.draw_one(number) for number in numbers]
        return {drawing.name: svg for drawing, svg in zip(self.drawings, drawn, strict=True) if svg is not None}

    def draw_one(self, number: int) -> Markup | None:
        """Draws one figure and returns its SVG; nothing if the results have nothing for it."""
        drawing = self.drawings[number]
        try:
            figure = drawing.draw()
        except AnalysisError:
            return None
        paths = canvas.save(figure, self.folder, drawing.name, self.suffixes)
        svg = [path.read_text(encoding="utf-8") for path in paths if path.suffix == ".svg"]
        return inline(svg[0], drawing.name, canvas.hover_texts(figure)) if svg else Markup()


_studio: Studio | None = None


def _open(studio: Studio) -> None:
    global _studio  # one a process, set when it starts
    _studio = studio


def _draw(number: int) -> Markup | None:
    assert _studio is not None  # noqa: S101  # set by _open
    return _studio.draw_one(number)
