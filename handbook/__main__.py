"""Command line: python -m handbook [axes|picture|results|today ...] writes the pages that space and data decide."""

from __future__ import annotations

import argparse

from generator.files import replace_text
from handbook import axes, picture, results, today

PARTS = {
    "axes": lambda: replace_text(axes.PAGE, axes.page()),
    "picture": picture.draw,
    "results": results.write_all,
    "today": today.write_page,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m handbook", description="Writes pages of the documentation anew.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them if none is named")
    asked = parser.parse_args().parts
    if wrong := [part for part in asked if part not in PARTS]:
        parser.error(f"there is no part '{wrong[0]}': {', '.join(PARTS)}")
    for part in asked or PARTS:
        PARTS[part]()
