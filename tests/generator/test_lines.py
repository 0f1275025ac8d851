"""What wrote the lines of a program."""

import re

import pytest
from typer.testing import CliRunner

from generator.__main__ import app
from generator.errors import UserError
from generator.lines import Line, lines
from generator.paths import TEMPLATES
from generator.render import render
from generator.space import Space, Style, load_space
from tests.selection import selected

BFS = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"


def written(space: Space, name: str, code: str) -> Line:
    """Returns the one line of a program that has this code."""
    (line,) = (line for line in lines(space, space.parse(name)) if code in line.text)
    return line


def test_lines_add_up_to_the_program_and_each_has_a_source(space: Space, everything: list[Style]) -> None:
    for style in everything[::500] + selected("bugs")[::5]:
        found = lines(space, style)
        assert "".join(line.text + "\n" for line in found) == render(space, style).text
        for line in found:
            assert bool(line.sources) == bool(line.text), line.text
        last = (TEMPLATES / "program.jinja").read_text().count("\n")
        assert found[-1].sources[0] == ("program.jinja", last, "")


def test_a_source_is_a_line_of_its_template(space: Space) -> None:
    for line in lines(space, space.parse(BFS)):
        for file, number, hook in line.sources:
            text = (TEMPLATES / file).read_text().splitlines()
            assert 0 < number <= len(text)
            if hook:
                above = "\n".join(text[:number])
                assert re.search(rf"{{% (macro|set) {hook.split('.')[1]}\b", above), (line, file, number, hook)


@pytest.mark.parametrize(
    ("name", "code", "hook", "file"),
    [
        (BFS, "if (candidate < atomic_min(", "update.settle", "axes/update/rmw.jinja"),
        (BFS.replace("rmw", "rw"), "if (candidate < atomic_load(", "update.settle", "axes/update/rw.jinja"),
        (BFS, "const level_t candidate", "flow.along", "axes/flow/push.jinja"),
        (BFS, "int source;", "algorithm.fields", "families/relaxation.jinja"),
        (BFS, "s.round++;", "", "skeletons/relaxation.jinja"),
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
    assert chain[2] == "granularity.visit_edges"
    assert chain[-3:] == ["flow.along", "update.minimum", "update.settle"]
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
