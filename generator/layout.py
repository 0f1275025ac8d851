"""Lays out rendered C++: indentation from the braces, blank lines where they help.

Templates nest macros and so cannot indent what they emit. This pass makes the text what clang-format (with the
repository's style) would leave alone; a test holds it to that. It is two orders of magnitude faster than starting
clang-format for every program.
"""

import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 120
_STRINGS_AND_COMMENTS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*')


def lay_out(text: str) -> str:
    """Returns C++ text with two spaces an open brace (namespaces do not indent) and no stray blank lines."""
    lines: list[str] = []
    depth = 0
    for raw in text.splitlines():
        line = raw.strip()
        code = _STRINGS_AND_COMMENTS.sub("", line)
        if "namespace" in code or (depth == 0 and code.startswith("}") and "namespace" in line):
            lines.append(line)
            continue
        if not line:
            if depth == 0 and lines and lines[-1]:
                lines.append("")
            continue
        depth -= code.count("}") if code.startswith("}") else 0
        lines += _fitted(line if line.startswith("#") else "  " * depth + line)
        depth += code.count("{") - (0 if code.startswith("}") else code.count("}"))
    return "\n".join(lines).strip() + "\n"


def _fitted(line: str) -> list[str]:
    """Returns a line, in two if it assigns a text (such as the program's name) that goes beyond the last column."""
    target, assigns, text = line.partition(' = "')
    return [target + " =", f'    "{text}'] if assigns and len(line) > WIDTH else [line]


def comment(text: str, width: int = WIDTH) -> str:
    """Returns text as // comment lines of at most `width` columns."""
    return "\n".join(textwrap.wrap(text, width, initial_indent="// ", subsequent_indent="// "))


def columns(rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns declarations with their comments in one column."""
    rows = [(f"{code};", text) for code, text, *_ in rows]
    widest = max(len(code) for code, _ in rows)
    return [f"{code:<{widest}}  // {text}" for code, text in rows]


def table(rows: Sequence[Sequence[str]], width: int = WIDTH - len("// ")) -> list[str]:
    """Returns rows of cells as lines of at most `width` columns: aligned, and the last cell wrapped below itself."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    indent = sum(widths) + 2 * len(widths)
    lines = []
    for *cells, text in rows:
        head = "".join(f"{cell:<{size}}  " for cell, size in zip(cells, widths, strict=True))
        lines += textwrap.wrap(text, width, initial_indent=head, subsequent_indent=" " * indent)
    return lines
