"""Indents templates by their blocks and by the braces of their C++; programs are laid out anew and stay as they are.

python -m generator.indentation [--check]
"""

import re
import sys
from collections.abc import Iterator

from generator.layout import STRINGS_AND_COMMENTS
from generator.paths import TEMPLATES
from generator.terminal import say

_NOT_LAID_OUT = ("export", "runtime")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_BLOCK = re.compile(
    r"\{%[-+]?\s*(?:(?P<opens>macro|call|if|for|set\s+\w+\s*[-+]?%)|(?P<turns>elif|else)|(?P<closes>end))"
)


def indented(text: str) -> str:
    """Returns a template with two spaces for each block and each brace that is open."""
    blocks: list[tuple[bool, int]] = []  # those open: whether it is a macro, and how many braces were open before it
    braces = 0
    lines = []
    for line in _whole_lines(text):
        code = line.strip()
        depth = len(blocks) + braces
        leads = True  # nothing but what closes has come yet
        for piece in _pieces(code):
            place = len(blocks) + braces
            if piece == "}":
                braces -= 1
                place -= 1
            elif piece == "{":
                braces += 1
            elif piece == "closes":
                macro, before = blocks.pop()
                braces = before if macro else braces
                place = len(blocks) + before
            elif piece == "turns":
                _, braces = blocks[-1]
                place = len(blocks) - 1 + braces
            elif piece == "opens":
                blocks.append((code.startswith("{% macro"), braces))
            leads = leads and piece in ("}", "closes", "turns")
            depth = place if leads else depth
        first = "  " * max(depth, 0)
        shift = len(first) - (len(line) - len(line.lstrip()))
        lines += [
            _shifted(each, shift) if number else first + each.strip() for number, each in enumerate(line.split("\n"))
        ]
    return "\n".join(line.rstrip() for line in lines)


def _shifted(line: str, by: int) -> str:
    """Returns a line of a tag of several, which go where the first one goes."""
    return " " * max(len(line) - len(line.lstrip()) + by, 0) + line.lstrip()


def _whole_lines(text: str) -> Iterator[str]:
    """Yields the lines of a template, those that a tag joins as one."""
    start = 0
    joined = [range(tag.start(), tag.end()) for tag in _TAG.finditer(text) if "\n" in tag[0]]
    for end in (match.start() for match in re.finditer(r"\n|\Z", text)):
        if joined and end in joined[0]:
            continue
        while joined and joined[0].stop <= end:
            joined.pop(0)
        yield text[start:end]
        start = end + 1


def _pieces(line: str) -> Iterator[str]:
    """Yields what opens and closes something, in order; `text` for anything else before, between and behind."""
    end = 0
    for tag in [*_TAG.finditer(line), None]:
        code = STRINGS_AND_COMMENTS.sub("/", line[end : tag.start() if tag else None])
        if "namespace" not in line:
            for letter in code.replace(" ", ""):
                yield letter if letter in "{}" else "text"
        if tag:
            end = tag.end()
            block = _BLOCK.match(tag[0])
            yield (block.lastgroup or "text") if block else "text"


def main(arguments: list[str]) -> int:
    """Indents all templates, or with `--check` says which are not; returns the exit status."""
    wrong = []
    for path in sorted(TEMPLATES.rglob("*.jinja")):
        text = path.read_text(encoding="utf-8")
        if path.relative_to(TEMPLATES).parts[0] in _NOT_LAID_OUT or indented(text) == text:
            continue
        wrong.append(path)
        if arguments != ["--check"]:
            path.write_text(indented(text), encoding="utf-8")
    if arguments == ["--check"] and wrong:
        for path in wrong:
            say(f"{path}: is not indented; run make format", error=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
