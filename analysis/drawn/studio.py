"""Many figures drawn at the same time, as files."""

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from analysis.defaults import Suffix
from analysis.drawn import canvas
from analysis.errors import AnalysisError


@dataclass(frozen=True)
class Drawing:
    """A figure that is still to be drawn.

    Attributes:
        name: Of its files.
        caption: What it shows.
        draw: Draws it; raises `AnalysisError` if the results do not hold what it takes.
    """

    name: str
    caption: str
    draw: Callable[[], Figure]


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
    suffixes: Sequence[Suffix]

    def draw(self, jobs: int) -> list[str]:
        """Draws them all.

        Args:
            jobs: How many processes draw at the same time.

        Returns:
            The names of those that the results have something for.
        """
        numbers = range(len(self.drawings))
        if jobs > 1 and "fork" in multiprocessing.get_all_start_methods():  # forked processes have the data already
            fork = multiprocessing.get_context("fork")
            with ProcessPoolExecutor(jobs, fork, initializer=_open, initargs=(self,)) as pool:
                drawn = list(pool.map(_draw, numbers))
        else:
            drawn = [self.draw_one(number) for number in numbers]
        return [drawing.name for drawing, done in zip(self.drawings, drawn, strict=True) if done]

    def draw_one(self, number: int) -> bool:
        """Draws one figure; returns whether the results have something for it."""
        drawing = self.drawings[number]
        try:
            figure = drawing.draw()
        except AnalysisError:
            return False
        canvas.save(figure, self.folder, drawing.name, self.suffixes)
        return True


_studio: Studio | None = None


def _open(studio: Studio) -> None:
    global _studio  # one a process, set when it starts
    _studio = studio


def _draw(number: int) -> bool:
    assert _studio is not None  # noqa: S101  # set by _open
    return _studio.draw_one(number)
