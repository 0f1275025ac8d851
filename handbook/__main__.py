"""Command line: python -m handbook writes the pages, and the picture, that data and the style space decide."""

from __future__ import annotations

from generator.files import replace_text
from handbook import axes, picture, results

if __name__ == "__main__":
    replace_text(axes.PAGE, axes.page())
    picture.draw()
    results.write_all()
