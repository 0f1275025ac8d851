"""The texts of programs for a page: the lines that they share once, and of each program the numbers of its lines.

Programs of one suite share most of their lines, so this takes less than a hundredth of their size: 0.7 MB for
12,000 programs. Two programs are compared by
the numbers of their lines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from analysis.told.page.encoding import Packed, deflate, pack, smallest
from generator.errors import UserError
from generator.output import render_all
from generator.space import load_space


@dataclass(frozen=True)
class Sources:
    """Texts ready for a page.

    Attributes:
        lines: All different lines, one below the other: deflated, in base64.
        numbers: `ends`, how many lines all texts up to each one have, and `numbers`, those of the lines.
    """

    lines: str
    numbers: Packed


def texts(programs: Sequence[str], jobs: int) -> Mapping[str, str]:
    """Returns the text of every program of the given names that this version of Violet still writes.

    Args:
        programs: Names.
        jobs: Processes that render at the same time.
    """
    space = load_space()
    styles = []
    for name in programs:
        try:
            styles.append(space.parse(name))
        except UserError:  # measured before the space changed
            continue
    return {program.name: program.text for program in render_all(space, styles, jobs)}


def pack_texts(found: Sequence[str]) -> Sources:
    """Packs texts, in their order; a program without a text has an empty one."""
    texts = [text.split("\n") if text else [] for text in found]
    numbers = {line: number for number, line in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
    coded = np.fromiter((numbers[line] for text in texts for line in text), np.uint32)
    ends = np.cumsum([len(text) for text in texts], dtype=np.uint32)
    return Sources(deflate("\n".join(numbers).encode()), pack({"ends": ends, "numbers": smallest(coded)}))
