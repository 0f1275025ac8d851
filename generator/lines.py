"""Tells which lines of which templates wrote the lines of a program.

The templates are compiled a second time, with a mark before every piece of text that says where it is from. So programs
are rendered as fast as ever unless somebody asks.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from jinja2 import nodes
from jinja2.compiler import CodeGenerator

from generator.errors import UserError
from generator.hooks import HookEnvironment
from generator.layout import comment, laid_lines
from generator.paths import TEMPLATES
from generator.render import LINE, MARK, PRIVATE, UndeclaredFieldError, composed, new_environment, render
from generator.space import Space, Style, name_of

# Characters that Unicode leaves to private use, each before a piece of text:
_FIRST_MARK = 0xF0000  # plus the number of its source
_FIRST_BEGIN = 0x100000  # plus the number of the hook that begins here
_END = 0x10FFFD  # the innermost hook ends here


class Source(NamedTuple):
    """A line of a template."""

    file: str
    """Its path below templates/."""
    number: int
    """The first line being 1."""
    hook: str
    """The hook that it belongs to, such as `flow.along`; empty outside of any, as in skeletons."""

    def shown(self) -> tuple[str, str]:
        """Returns the hook and the place for people."""
        return self.hook, f"{self.file}:{self.number}"


class Line(NamedTuple):
    """A line of a program."""

    text: str
    sources: list[Source]
    """What wrote pieces of it, each once: first who ended the line, which is who wrote it, then the others in order."""
    chain: list[Source]
    """The hooks of several lines that it stands in, by where they begin, from the skeleton inwards."""


def lines(space: Space, style: Style) -> list[Line]:
    """Returns the lines of the program of a style that no rule forbids, and what wrote them; none for blank lines.

    Raises:
        UserError: a template goes by the text of a hook, which is another one with marks.
    """
    program = render(space, style)
    text, _ = composed(space, style, _environment())
    written = list(_written(text))
    result = []
    for line, first, last in laid_lines(PRIVATE.sub("", text))[0]:
        if line.strip() != MARK:
            found = [source for sources, _ in written[first : last + 1] for source in sources]
            chain = written[last][1] if line else []
            shown = line.replace(MARK, "").replace(LINE, str(program.bug_line))
            result.append(Line(shown, list(dict.fromkeys(found)) if line else [], chain))
    while not result[-1].text:
        result.pop()
    if "".join(f"{line.text}\n" for line in result) != program.text:
        reason = "is another program when its text is marked; a template goes by the text of a hook"
        raise UserError(f"{program.name}: {reason}; give the hook's owner a constant that says what it needs to know")
    return result


def place_of(error: UndeclaredFieldError, space: Space, style: Style) -> str:
    """Returns the file and the line of the template that uses a field which the State of a program does not have."""
    try:
        composed(space, style, _environment())
    except UndeclaredFieldError as marked:
        sources, _ = list(_written(marked.text))[marked.line]
        for source in sources:
            file = TEMPLATES / source.file
            if f"s.{error.field}" in file.read_text(encoding="utf-8").splitlines()[source.number - 1]:
                return f"{file}:{source.number}"
    return name_of(style)


def _written(text: str) -> Iterator[tuple[list[Source], list[Source]]]:
    """Yields the sources of the pieces of each line of a marked text, and the hooks that the line stands in.

    A line without a mark continues the comment before.
    """
    hooks: list[Source] = []
    sources: list[Source] = []
    chain: list[Source] = []
    for line in text.splitlines():
        found = []
        for mark in PRIVATE.findall(line):
            number = ord(mark)
            if number == _END:
                hooks.pop()
            elif number >= _FIRST_BEGIN:
                hooks.append(_sources()[number - _FIRST_BEGIN])
            else:
                found.append(_sources()[number - _FIRST_MARK])
                chain = [*hooks]
        if PRIVATE.sub("", line).strip():
            sources = list(dict.fromkeys(found[-1:] + found)) or sources
            yield sources, chain
        else:
            yield [], []
    yield [], []


def _comment(text: str) -> str:
    """Returns marked text as comment lines, which are wrapped as without marks; those come first."""
    return "".join(PRIVATE.findall(text)) + comment(PRIVATE.sub("", text))


@cache
def _sources() -> list[Source]:
    """Returns the sources of all marks so far."""
    return []


@cache
def _environment() -> HookEnvironment:
    env = new_environment()
    env.code_generator_class = _Marking
    env.bytecode_cache = None  # these templates are for nobody else, and marks are numbers of this process
    env.globals["comment"] = _comment
    return env


class _Marking(CodeGenerator):
    """Compiles a template with marks: before every line of its text and every comment, and in every field.

    Hooks whose text has several lines have marks around them. Others are part of expressions, which templates compare.
    """

    def visit_Template(self, node: nodes.Template, frame: Any = None) -> None:  # noqa: N802 (the name is Jinja's)
        hooks = {inner: hook_of(part) for part in node.body for inner in part.find_all(nodes.Node)}

        def mark(inner: nodes.Node, further: int = 0) -> str:
            return self._mark(_FIRST_MARK, inner.lineno + further, hooks.get(inner, ""))

        for text in list(node.find_all(nodes.TemplateData)):
            pieces = enumerate(text.data.split("\n"))
            text.data = "\n".join(mark(text, further) + piece if piece.strip() else piece for further, piece in pieces)
        for output in list(node.find_all(nodes.Output)):
            for child in list(output.nodes):
                if (
                    isinstance(child, nodes.Call)
                    and isinstance(child.node, nodes.Name)
                    and child.node.name == "comment"
                ):
                    output.nodes.insert(output.nodes.index(child), nodes.TemplateData(mark(child)))
        for field in list(node.find_all(nodes.Tuple)):
            if len(field.items) == 3 and field.ctx == "load":
                value = field.items[2]
                start = nodes.Const(mark(field))
                field.items[1] = nodes.Concat([field.items[1], start])
                if isinstance(value, nodes.Concat) or (isinstance(value, nodes.Const) and value.value):
                    field.items[2] = nodes.Concat([start, value])
        for macro in node.body:
            if isinstance(macro, nodes.Macro) and any("\n" in text.data for text in macro.find_all(nodes.TemplateData)):
                begin = self._mark(_FIRST_BEGIN, macro.lineno, macro.name)
                around = [nodes.Output([nodes.TemplateData(edge)]) for edge in (begin, chr(_END))]
                macro.body = [around[0], *macro.body, around[1]]
        super().visit_Template(node, frame)

    def _mark(self, first: int, number: int, hook: str) -> str:
        file = self.name or ""
        _sources().append(Source(file, number, f"{owner(file)}.{hook}" if hook else ""))
        return chr(first + len(_sources()) - 1)


def hook_of(part: nodes.Node) -> str:
    """Returns the name of the hook that a part of a template defines, empty if it is none."""
    if isinstance(part, nodes.Macro):
        return part.name
    return part.target.name if isinstance(part, nodes.Assign) and isinstance(part.target, nodes.Name) else ""


_OWNERS = {"algorithms": "algorithm", "families": "algorithm", "graphs": "graph", "models": "model"}
"""Who has the hooks in a folder of that name, or in a file, where it is not called as that is."""


def owner(file: str) -> str:
    """Returns the name by which templates know the hooks of a file, such as `flow`, `model` or `state`."""
    first, *rest = file.removesuffix(".jinja").split("/")
    if first == "families" and len(rest) > 2:  # in a family's room, at the path of what it comes before
        first, *rest = rest[1:]
    if first == "models" and len(rest) == 2:
        return rest[-1]  # what a model overrides
    if first == "families" and rest and rest[-1] != "hooks":
        return "skeleton"
    if first != "axes":
        return _OWNERS.get(first, first)
    return rest[-1] if len(rest) == 3 else rest[0]  # what a value overrides is in a folder of its own
