import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from generator import hooks, manifest
from generator.config import differ_once
from generator.hooks import Templates
from generator.layout import WIDTH
from generator.render import Program, composed, deciding, laid_out, new_environment, render
from generator.runtime import runtime_files
from generator.space import Space, Style, name_of
from tests.configs import chosen, selected
from tests.generator.conftest import OUTDATED, clang_format, cover, every
from tests.memory import LONG


@pytest.fixture(scope="module")
def programs(space: Space) -> list[Program]:
    """Programs in which every two values meet that meet at all; in `make test-all`, every program of every config."""
    return [render(space, style) for style in (every() if LONG else cover(2))]


@pytest.fixture(scope="module")
def some(space: Space) -> list[Program]:
    """Programs in which every value occurs, for what takes longer than rendering."""
    return [render(space, style) for style in cover(2 if LONG else 1)]


def body(program: Program) -> str:
    """Returns what a program does: its code without comments, name and white space."""
    code = re.sub(r"//.*", "", program.text).replace(program.name, "")
    return re.sub(r"\s+", "", code)


def test_no_two_bodies_are_alike(space: Space, programs: list[Program]) -> None:
    """Of values that change nothing, two programs that differ in one of them alone are alike: all around a few."""
    few = programs if LONG else [*programs, *(render(space, style) for style in around())]
    bodies: dict[str, str] = {}
    for program in few:
        other = bodies.setdefault(hashlib.sha256(body(program).encode()).hexdigest(), program.name)
        assert other == program.name, f"{program.name}: does what {other} does; see generator diff of both"


def test_a_program_is_the_same_whatever_was_rendered_before(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    """Templates ask each other in whatever order; what one says must not need that another one was asked before.

    They ask no template either that is not known to decide about the program.
    """
    env = new_environment()
    taken: set[str] = set()
    load = env._load_template

    def loading(name: str, *arguments: Any) -> Any:
        taken.add(name)
        return load(name, *arguments)

    monkeypatch.setattr(env, "_load_template", loading)
    for style in cover(2 if LONG else 1):
        env.hooks = Templates(env)
        hooks.template.cache_clear()
        taken.clear()
        alone = laid_out(style, *composed(space, style, env))
        assert alone.text == render(space, style).text
        unknown = taken.difference(*deciding(space, style))
        assert not unknown, alone.name


def around() -> list[Style]:
    """Returns the programs that differ in one value from one of those in which every value occurs."""

    def chosen_around() -> list[Style]:
        middles = cover(1)
        return [style for style in every() if any(differ_once(style, middle) for middle in middles)]

    return chosen("around", chosen_around)


def test_the_manifest_in_the_repository_is_what_the_templates_say(programs: list[Program]) -> None:
    listed = manifest.listed(manifest.MANIFEST)
    rendered = {program.name: program.sha256[: manifest.DIGITS] for program in programs}
    changed = manifest.differences({name: listed[name] for name in listed.keys() & rendered.keys()}, rendered)
    assert not changed, "\n".join([OUTDATED, *changed])


def test_the_manifest_lists_every_program_of_every_config_and_no_other() -> None:
    listed, wanted = manifest.listed(manifest.MANIFEST), dict.fromkeys(map(name_of, every()), "")
    changed = manifest.differences(dict.fromkeys(listed, ""), wanted)
    assert not changed, "\n".join([OUTDATED, *changed])


def test_programs_and_their_runtime_are_formatted_as_clang_format_would(some: list[Program], tmp_path: Path) -> None:
    texts = {f"{program.name}{Path(program.path).suffix}": program.text for program in some}
    texts |= {path.name: text for path, text in runtime_files().items() if path.suffix in {".cpp", ".cuh", ".hpp"}}
    assert clang_format(tmp_path, texts) == ""


def test_a_program_has_no_trace_of_its_making(programs: list[Program]) -> None:
    for program in programs:
        assert not re.search(r"\{\{|\{%|\bNone\b|\bundefined\b|[ \t]$|\n\n\n|\{\s*\}\s*\n", program.text), program.name


def test_what_only_the_preparation_uses_is_no_field_and_values_come_in_order(programs: list[Program]) -> None:
    for program in programs:
        struct = re.search(r"struct State \{\n(.*?)\n\};", program.text, re.DOTALL)
        prepare = re.search(r"State prepare\(.*?\n\}\n", program.text, re.DOTALL)
        assert struct
        assert prepare
        fields = re.findall(r"(\w+); +//", struct[1])
        assert len(fields) == len(set(fields)) == struct[1].count("\n") + 1
        code = re.sub(r"//.*", "", program.text.replace(prepare[0], ""))
        unused = [field for field in fields if not re.search(rf"\b(s|before)\.{field}\b|State::{field}\b", code)]
        assert not unused, program.name
        known: set[str] = set()
        for target, value in re.findall(r"^  (?:s\.|const \w+ )(\w+) = (.*);$", prepare[0], re.MULTILINE):
            assert set(re.findall(r"\bs\.(\w+)", value)) <= known, f"{program.name}: {value} comes too early"
            known.add(target)
        for constant in re.findall(r"const \w+ (\w+) =", prepare[0]):
            assert len(re.findall(rf"(?<!\.)\b{constant}\b", prepare[0])) > 1, program.name


def region(code: str, start: int) -> str:
    """Returns the block in braces that begins first after a place in code."""
    begin = code.index("{", start)
    depth = 0
    for brace in re.finditer(r"[{}]", code[begin:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return code[begin : begin + brace.end()]
    raise AssertionError(code[start:])


def nested_teams(code: str) -> list[str]:
    """Returns what a program runs within a team of threads, calls of functions included, and that makes another team.

    A team is an OpenMP `parallel` construct, or what `parallel(kernel, ...)` runs on C++ threads.
    """
    code = re.sub(r"//.*", "", code)
    functions = {match[1]: region(code, match.start()) for match in re.finditer(r"^\w[\w &*]* (\w+)\(.*{$", code, re.M)}
    waiting = [region(code, match.end()) for match in re.finditer(r"#pragma omp parallel", code)]
    waiting += [functions[kernel] for kernel in set(re.findall(r"\bparallel\((\w+),", code))]
    nested, reached = [], set[str]()
    while waiting:
        within = waiting.pop()
        nested += re.findall(r"#pragma omp parallel.*|\bparallel\(.*", within)
        called = set(re.findall(r"(\w+)\(", within)) & functions.keys() - reached
        waiting += [functions[name] for name in called]
        reached |= called
    return nested


def test_no_team_of_threads_is_within_another(programs: list[Program]) -> None:
    for program in programs:
        if program.style["model"] in ("openmp", "cpp"):
            assert nested_teams(program.text) == [], program.name
            loops = program.text.count("#pragma omp for")
            regions = re.finditer(r"#pragma omp parallel firstprivate\(s\)\n", program.text)
            within = sum(region(program.text, match.end()).count("#pragma omp for") for match in regions)
            assert loops == within, f"{program.name}: a loop that no team shares"


LOOP = "#pragma omp parallel for\nfor (;;) {\n%s\n}"


@pytest.mark.parametrize(
    "code",
    [
        f"void f() {{\n#pragma omp parallel\n{{\n{LOOP % ';'}\n}}\n}}\n",
        f"void g() {{\n{LOOP % ';'}\n}}\nvoid f() {{\ng();\n}}\nvoid e() {{\n{LOOP % 'f();'}\n}}\n",
        "void g(int) {\n}\nvoid f(int) {\nparallel(g, s);\n}\nint solve() {\nparallel(f, s);\n}\n",
    ],
)
def test_a_team_within_another_is_noticed(code: str) -> None:
    assert len(nested_teams(code)) == 1


def test_the_header_names_the_program_its_axes_and_how_to_build_it(space: Space) -> None:
    for style in selected("quick"):
        program = render(space, style)
        head = program.text[: program.text.index("#include")]
        assert head.startswith(f"// {program.name}\n")
        for axis in space.axes[2:]:
            if axis.name in style:
                assert re.search(rf"^// {axis.name} +{style[axis.name]} ", head, re.MULTILINE)
        suffix = Path(program.path).suffix
        build = rf"^//   name={program.name}\n//   (g\+\+|nvcc) .* \$name\{suffix} .* -o \$name$"
        assert re.search(build, head, re.MULTILINE)


def test_lines_end_at_column_120(programs: list[Program]) -> None:
    for program in programs:
        long = [line for line in program.text.splitlines() if len(line) > WIDTH and program.name not in line]
        assert not long, f"{program.name}: {long[0]}"


def test_what_the_host_launches_is_a_kernel(programs: list[Program]) -> None:
    """The emulator would launch a function of the device as well."""
    for program in programs:
        launched = set(re.findall(r"\b(\w+)(?:<\w+>)?<<<", program.text))
        assert launched <= set(re.findall(r"__global__ void (?:__launch_bounds__\(.*?\) )?(\w+)\(", program.text)), (
            program.name
        )


def test_a_function_fits_on_a_screen(programs: list[Program]) -> None:
    """Only a kernel whose threads never meet, and which has all there is to do, is longer."""
    for program in programs:
        functions = re.findall(r"^(?!namespace|struct)(\S.*\{\n(?:(?:[ #].*)?\n)*\}\n)", program.text, re.MULTILINE)
        assert functions, program.name
        longest = max(functions, key=lambda function: function.count("\n"))
        apart = program.style.get("fusion") == "apart"
        assert longest.count("\n") <= (115 if apart else 70), f"{program.name}: {longest.partition('(')[0]}"
