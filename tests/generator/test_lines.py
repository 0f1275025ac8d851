"""What wrote the lines of a program."""

import re
from functools import cache

import pytest
from typer.testing import CliRunner

from generator.__main__ import app
from generator.errors import UserError
from generator.lines import Line, lines
from generator.paths import TEMPLATES
from generator.render import render
from generator.space import Space, load_space, name_of
from tests.generator.conftest import cover

BFS = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"


def written(space: Space, name: str, code: str) -> Line:
    """Returns the one line of a program that has this code."""
    (line,) = (line for line in lines(space, space.parse(name)) if code in line.text)
    return line


@cache
def template(file: str) -> list[str]:
    return (TEMPLATES / file).read_text().splitlines()


def condensed(text: str) -> str:
    """Returns text without what the layout changes, and without what fields become that are constants of `prepare`."""
    return re.sub(r"\s|//|\bs\.", "", text)


def fragments(line: str) -> list[str]:
    """Returns what a line of a template says word for word: what is between its tags, or its strings."""
    line = re.sub(r"{#.*?#}|^.*?-?#}", "", line)
    said = re.split(r"\0", re.sub(r"({{|{%).*|^.*?(}}|%})", "\0", re.sub(r"{{.*?}}|{%.*?%}", "\0", line)))
    if len(said) == 1 or not any(map(str.strip, said)):
        said += re.findall(r'"((?:[^"\\]|\\.)*)"', line.replace("\\n", " "))
    return [each for each in map(condensed, said) if each]


@cache
def hooks_at(file: str) -> list[str]:
    """Returns for each line of a template the hook that it belongs to: that which began last, not within another."""
    hooks, current, depth = [], "", 0
    for line in template(file):
        for kind, name in re.findall(r"{%-? (macro|set|endmacro)\b *(\w*)", line):
            current = name if depth == 0 and name else current
            depth += {"macro": 1, "endmacro": -1}.get(kind, 0)
        hooks.append(current)
    return hooks


def misattributed(found: list[Line]) -> list[str]:
    """Returns what lines of a program name as a source that says nothing of what is there, or in another hook."""
    wrong = []
    for place, line in enumerate(found):
        reach = 4 if "//" in line.text else 1  # the layout breaks lines and wraps comments anew
        around = found[max(place - reach, 0) : place + reach + 1]
        text = condensed("".join(each.text for each in around))
        for source in line.sources:
            said = fragments(template(source.file)[source.number - 1])
            if said and not any(each in text for each in said):
                wrong.append(f"{source} did not write: {line.text.strip()}")
            if source.hook and source.hook.split(".")[1] != hooks_at(source.file)[source.number - 1]:
                wrong.append(f"{source} is in the hook {hooks_at(source.file)[source.number - 1]}")
    return wrong


def test_lines_add_up_to_the_program_and_each_has_a_source(space: Space) -> None:
    last = (TEMPLATES / "program.jinja").read_text().count("\n")
    for style in cover(1):
        found = lines(space, style)
        assert "".join(line.text + "\n" for line in found) == render(space, style).text, name_of(style)
        sourceless = [line.text for line in found if bool(line.sources) != bool(line.text)]
        assert not sourceless, f"{name_of(style)}: nobody wrote {sourceless[0]!r}"
        assert found[-1].sources[0] == ("program.jinja", last, "")
        wrong = misattributed(found)
        assert not wrong, f"{name_of(style)}: {wrong[0]}; see python -m generator explain --lines {name_of(style)}"


@pytest.mark.parametrize(
    ("name", "code", "hook", "file"),
    [
        (BFS, "if (candidate < atomic_min(", "update.settle", "axes/update/rmw.jinja"),
        (BFS.replace("rmw", "rw"), "if (candidate < atomic_load(", "update.settle", "axes/update/rw.jinja"),
        (BFS, "const level_t candidate", "flow.visit", "families/relaxation/axes/flow/push.jinja"),
        (BFS, "int source;", "algorithm.fields", "families/relaxation/hooks.jinja"),
        (BFS, "s.round++;", "", "families/relaxation/skeleton.jinja"),
        (
            "bfs-openmp-vertex-data-nodup-push-rmw-nondet-default-i32-race",
            "s.level[v] = candidate;",
            "update.minimum",
            "axes/bug/race/update.jinja",
        ),
    ],
)
def test_a_line_is_of_the_hook_that_wrote_it(space: Space, name: str, code: str, hook: str, file: str) -> None:
    source = written(space, name, code).sources[0]
    assert (source.hook, source.file) == (hook, file)


def test_who_has_a_part_in_a_line_is_named_too(space: Space) -> None:
    sources = written(space, BFS, "if (candidate < atomic_min(").sources
    assert [source.hook for source in sources] == ["update.settle", "atomics.min", "determinism.target"]


def test_a_line_knows_the_hooks_that_led_to_it(space: Space) -> None:
    chain = [source.hook for source in written(space, BFS, "if (candidate < atomic_min(").chain]
    assert chain[:2] == ["model.kernel", "granularity.visit_edges"]
    assert chain[-2:] == ["flow.along", "update.settle"]
    assert written(space, BFS, "struct State").chain[-1].hook == "state.declare"
    assert not written(space, BFS, "int main(").chain


def test_explain_prints_the_hooks_that_led_to_a_line() -> None:
    result = CliRunner().invoke(app, ["explain", BFS, "--line", "1"])
    assert result.stdout.split() == ["1", "program.jinja:2", "//", BFS]
    result = CliRunner().invoke(app, ["explain", BFS, "--line", "1000"])
    assert isinstance(result.exception, UserError)
    assert re.fullmatch(r"there is no line 1000; the program has \d+", str(result.exception))


def test_explain_prints_each_line_after_its_hook() -> None:
    result = CliRunner().invoke(app, ["explain", BFS, "--lines"])
    assert result.exit_code == 0
    relaxing = r"^ *\d+  update\.settle +axes/update/rmw\.jinja:\d+ +if \(candidate < atomic_min\("
    assert re.search(relaxing, result.stdout, re.MULTILINE)
    text = render(load_space(), load_space().parse(BFS)).text
    numbers = re.findall(r"^ *(\d+)(?:  .*)?$", result.stdout, re.MULTILINE)
    assert numbers == [str(count) for count in range(1, text.count("\n") + 1)]
