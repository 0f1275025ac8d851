"""Lays out rendered C++: indentation from the braces, blank lines where they help.

Templates nest macros and so cannot indent what they emit. This pass makes the text what clang-format (with the
repository's style) would leave alone; a test holds it to that. It is two orders of magnitude faster than starting
clang-format for every program.
"""

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache

WIDTH = 120
STRINGS_AND_COMMENTS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*')


def lay_out(text: str) -> str:
    """Returns C++ text with two spaces an open brace (namespaces do not indent) and no stray blank lines.

    Comments are wrapped at the last column: who writes a template cannot know how far its text will be indented.
    """
    pieces = []
    depth = 0
    for part in paragraphs(text):
        laid, after = _laid_part(part, depth)
        if laid:
            pieces += [laid, "\n\n" if after == 0 else "\n"]
        depth = after
    return "".join(pieces[:-1]) + "\n"


def paragraphs(text: str) -> list[str]:
    """Returns the parts of a text between empty lines: programs share most, so what is found in one is remembered."""
    return text.split("\n\n")


@lru_cache(maxsize=1 << 17)
def _laid_part(text: str, depth: int) -> tuple[str, int]:
    """Returns a part of a program, at a depth of open braces, without blank lines around it, and the depth after it."""
    lines, after = laid_lines(text, depth)
    return "\n".join([line for line, _, _ in lines]).strip("\n"), after


def laid_lines(text: str, depth: int = 0) -> tuple[list[tuple[str, int, int]], int]:
    """Lays out lines at a depth of open braces.

    Returns:
        The lines, each with the first and the last of those that it is made of, and the depth of what comes next.
    """
    lines: list[tuple[str, int, int]] = []
    spilled = ""  # the end of a comment that was too long: the next line begins with it
    for number, raw in enumerate([*text.splitlines(), ""]):
        line = raw
        first = number
        if spilled and raw.lstrip().startswith("// "):
            line = f"{spilled} {raw.strip().removeprefix('// ')}"
            first -= 1
        elif spilled:
            lines.append(("  " * depth + spilled, number - 1, number - 1))
        laid, spilled, after = _laid_out(line, depth)
        for each in laid:
            lines.append((each, first, number))  # noqa: PERF401  (a list each time takes twice as long)
        if not laid and depth == 0 and not spilled and lines and lines[-1][0]:
            lines.append(("", number, number))
        depth = after
    return lines, depth


@lru_cache(maxsize=1 << 18)
def _laid_out(raw: str, depth: int) -> tuple[list[str], str, int]:
    """Returns a line at a depth of open braces as lines, what is left of a comment, and the depth of the next line.

    Nothing is left of a blank line. Programs have most lines in common, so the lines are remembered.
    """
    line = raw.strip()
    code = STRINGS_AND_COMMENTS.sub("", line)
    if "namespace" in code or (depth == 0 and code.startswith("}") and "namespace" in line):
        return [line], "", depth
    if not line:
        return [], "", depth
    depth -= code.count("}") if code.startswith("}") else 0
    lines = _fitted(line if line.startswith("#") else "  " * depth + line)
    spilled = lines.pop().strip() if len(lines) > 1 and line.startswith("//") else ""
    return lines, spilled, depth + code.count("{") - (0 if code.startswith("}") else code.count("}"))


def _fitted(line: str) -> list[str]:
    """Returns a line, broken if it is too long.

    A comment breaks anywhere, a call before its arguments, a loop or condition between its parts, an assignment before
    what is assigned. What is said behind a statement then comes before it.
    """
    if len(line) <= WIDTH or line.lstrip("/ ").find(" ") < 0:
        return [line]
    if line.lstrip().startswith("//"):
        indent = line[: line.index("//")]
        return textwrap.wrap(line, WIDTH, subsequent_indent=f"{indent}// ", break_long_words=False)
    indent = line[: len(line) - len(line.lstrip())]
    statement, explains, text = line.partition(";  // ")
    if explains:
        return [f"{indent}// {text[0].upper()}{text[1:]}.", *_fitted(f"{statement};")]
    for begin, end in (("for (", "; "), ("if (", " && ")):
        if line.startswith(indent + begin):
            return _filled(line.split(end), end, indent + " " * len(begin))
    call, calls, arguments = line.partition(">(")
    if calls:
        return [f"{call}>(", f"{indent}    {arguments}"]
    target, assigns, value = line.partition(" = ")
    return [target + " =", f"{indent}    {value}"] if assigns else [line]


def _filled(parts: list[str], separator: str, indent: str) -> list[str]:
    """Returns parts with a separator between any two as lines, as many on each as fit."""
    lines = parts[:1]
    for part in parts[1:]:
        whole = lines[-1] + separator + part
        if len(whole + separator.rstrip()) <= WIDTH:
            lines[-1] = whole
        else:
            lines[-1] += separator.rstrip()
            lines.append(indent + part)
    return lines


def comment(text: str, width: int = WIDTH) -> str:
    """Returns text as // comment lines of at most `width` columns."""
    return "\n".join(_wrapped(text, width, "// ", "// "))


@lru_cache(maxsize=1 << 14)
def _wrapped(text: str, width: int, first: str, others: str) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=others)


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
        lines += _wrapped(text, width, head, " " * indent)
    return lines
