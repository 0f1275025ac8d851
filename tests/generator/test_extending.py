"""Does what docs/extending.md says, in a copy of the checkout: applies each block, runs each command."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.space import name_of
from inputs.catalogue import CATALOGUE, ensure
from inputs.formats.registry import load
from tests.configs import selected
from tests.emulator.translate import translate_all
from tests.selection import todays

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "extending.md"
GRAPHS = ROOT / "build" / "tests" / "graphs"
BLOCK = re.compile(
    r"^(?:\*\*`(?P<file>[^`]+)`\*\*\n\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
EMULATED = [
    "minimax-cuda-vertex-data-nodup-push-rmw-nondet-persistent-warp-atomic-i32",
    "minimax-cuda-vertex-topology-pull-rw-nondet-nonpersistent-thread-atomic-i32",
    "twohop-cuda-vertex-topology-pull-rmw-det-persistent-warp-atomic-i32",
]


def run(checkout: Path, command: list[str]) -> str:
    """Runs a command in the root of a copy; returns what it prints."""
    result = subprocess.run(command, cwd=checkout, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, f"{shlex.join(command)}\n{result.stdout}{result.stderr}"
    return result.stdout


def generator(checkout: Path, *arguments: str) -> list[str]:
    """Returns the lines that a command of the copy's generator prints."""
    return run(checkout, [sys.executable, "-m", "generator", *arguments]).splitlines()


def change(path: Path, diff: str) -> None:
    """Replaces the one place in a file that has a diff's old lines."""
    lines = diff.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in (sign, " ")) for sign in "-+")
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} does not have these lines once:\n{old}"
    path.write_text(text.replace(old, new))


def follow(checkout: Path, section: str) -> list[list[str]]:
    """Applies the files and changes of a section of the document to a copy; returns the commands."""
    document = DOCUMENT.read_text()
    blocks = list(BLOCK.finditer(document.partition(f"\n## {section}\n")[2].partition("\n## ")[0]))
    assert blocks
    file, commands = "", []
    for block in blocks:
        file = block["file"] or file
        if block["language"] == "sh":
            commands += [shlex.split(line) for line in block["text"].splitlines()]
        elif block["language"] == "diff":
            change(checkout / file, block["text"])
        else:
            assert not (checkout / file).exists()
            (checkout / file).parent.mkdir(parents=True, exist_ok=True)
            (checkout / file).write_text(block["text"])
    return [[sys.executable if word == ".venv/bin/python" else word for word in command] for command in commands]


def copy(to: Path) -> Path:
    """Returns a copy of all that the examples need."""
    for folder in ("generator", "templates", "configs", "inputs", "runner", "tests/emulator", "tests/inputs"):
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__", "data"))
    return to


def paper() -> list[str]:
    """Returns the names of the paper's programs, before anything is added."""
    return [name_of(style) for style in selected("paper")]


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    """A copy with an algorithm of a known family and one of a new family, and the commands to build some programs."""
    checkout = copy(tmp_path_factory.mktemp("extended"))
    return checkout, follow(checkout, "An algorithm of a known family") + follow(checkout, "A new family")


def test_an_axis_value_is_a_file_and_its_line(tmp_path: Path) -> None:
    checkout = copy(tmp_path)
    before = {path: path.read_text() for path in checkout.rglob("*.*") if path.suffix in (".jinja", ".toml", ".py")}
    commands = follow(checkout, "An axis value")
    changed = {path.name for path, text in before.items() if path.read_text() != text}
    assert changed == {"space.toml"}
    lines, difference = (run(checkout, command) for command in commands)
    assert "axes/schedule/wide.jinja" in lines
    assert [line for line in difference.splitlines() if "next_chunk" in line and line.endswith("256);) {")]
    assert generator(checkout, "list", "paper") == paper()


def test_an_algorithm_is_one_folder(extended: tuple[Path, list[list[str]]]) -> None:
    checkout, _ = extended
    assert generator(checkout, "list", "paper") == paper()
    assert {name.split("-")[1] for name in generator(checkout, "list", "minimax")} == {"cuda", "openmp", "cpp"}


MINIMAX = "templates/algorithms/minimax"
RULE = '[[rule]]\nid = "mine"\nsource = "an example"\n'
MISTAKES = [
    (f"{MINIMAX}/hooks.jinja", "macro candidate", "macro candidat", "push.jinja:\\d+: no hook 'candidate' in "),
    (f"{MINIMAX}/hooks.jinja", "graph.weight", "graph.wight", "hooks.jinja:7: no hook 'wight' .* mean 'weight'"),
    (f"{MINIMAX}/hooks.jinja", "graph.weight", "grph.weight", "hooks.jinja:7: 'grph' is undefined"),
    (f"{MINIMAX}/hooks.jinja", "endmacro", "endmcro", "hooks.jinja:7: Encountered unknown tag 'endmcro'"),
    (f"{MINIMAX}/hooks.jinja", ', edge, way="out"', "", "push.jinja:\\d+: macro 'candidate' takes not more than 1"),
    (
        f"{MINIMAX}/hooks.jinja",
        'runtime = ["larger.hpp"]',
        'fields = ["graph.fields_"]',
        "no hook 'fields_' in graph.jinja",
    ),
    (f"{MINIMAX}/hooks.jinja", "set array", "set arry", "no hook 'array' in .* mean 'arry'"),
    (f"{MINIMAX}/algorithm.toml", '"peak"', '"peek"', "no array .* is called 'peek', .* mean 'peak'"),
    (f"{MINIMAX}/algorithm.toml", "[[result]]", "[[aid]]", "algorithm.toml: result: is missing"),
    (f"{MINIMAX}/reference.cpp", "serial_minimax", "serial_minmax", "no function 'serial_minimax', .*'serial_minmax'"),
    (f"{MINIMAX}/larger.hpp", None, None, "minimax-.*: includes larger.hpp, which is not in .*algorithms/minimax"),
    ("templates/axes/schedule/dynamic.jinja", None, None, "axes/schedule/dynamic.jinja: no such file"),
    (f"{MINIMAX}/hooks.jinja", "{{ from }}", "s.peek", "hooks.jinja:7: s.peek: the State has no .* mean 'peak'"),
    (f"{MINIMAX}/hooks.jinja", "{{ from }}", "{{ 1 // 0 }}", "hooks.jinja:7: integer division or modulo by zero"),
    (f"{MINIMAX}/hooks.jinja", "larger({{ from", "{{ candidate(from, edge) }}({{ from", "hooks.jinja:7: maximum recur"),
    (
        f"{MINIMAX}/hooks.jinja",
        "{% set type",
        '{% set base = "algorithms/minimax/hooks.jinja" %}{% set type',
        "hooks.jinja: `base` is the path of another template",
    ),
    (f"{MINIMAX}/hooks.jinja", "{% set type", "{% set base = 3 %}{% set type", "`base` is the path .*, not 3"),
    (f"{MINIMAX}/hooks.jinja", "{% set type", '{% set base = "../x" %}{% set type', "x: no such file among the temp"),
    *(
        (
            "configs/space.toml",
            '[[rule]]\nid = "edge-has-no-owner"',
            f'{RULE}{rest}\n\n[[rule]]\nid = "edge-has-no-owner"',
            message,
        )
        for rest, message in (
            ('forbid = {}\nwhy = "so"', "space.toml:[0-9]+: rule 'mine' forbids every program"),
            ('forbid = { driver = [] }\nwhy = "so"', "space.toml:[0-9]+: rule 'mine' forbids nothing: driver"),
            (
                'forbid = { driver = "data", schedule = "scaled" }\nwhy = ""',
                "space.toml:[0-9]+: rule 'mine' has no reason",
            ),
        )
    ),
]


MINIMAX_PROGRAM = "minimax-cpp-vertex-topology-push-rmw-nondet-dynamic-i32"


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with another algorithm, in which one file after the other gets a mistake."""
    checkout = copy(tmp_path_factory.mktemp("mistaken"))
    follow(checkout, "An algorithm of a known family")
    return checkout


@pytest.mark.parametrize(("file", "old", "new", "message"), todays(MISTAKES, 4))
def test_a_mistake_in_an_extension_is_one_line(
    file: str, old: str | None, new: str, message: str, mistaken: Path
) -> None:
    text = (mistaken / file).read_text()
    command = [sys.executable, "-m", "generator", "diff", MINIMAX_PROGRAM, MINIMAX_PROGRAM]
    if old is None:
        (mistaken / file).unlink()
        (mistaken / "few.toml").write_text(f'names = ["{MINIMAX_PROGRAM}"]\n')
        command[3:] = ["generate", "few.toml"]  # which looks at headers, too
    else:
        assert old in text
        (mistaken / file).write_text(text.replace(old, new))
    result = subprocess.run(command, cwd=mistaken, capture_output=True, text=True, check=False)
    (mistaken / file).write_text(text)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr
    assert re.search(f"error: .*{message}", result.stderr), result.stderr


def test_an_algorithm_adds_a_query_to_what_its_family_has(mistaken: Path) -> None:
    hooks = mistaken / MINIMAX / "hooks.jinja"
    text = hooks.read_text()
    added = """
{% set more_fields = [("int widest", "no edge may weigh more", none)] %}
{% macro begin_solve() %}s.widest = query.widest;{% endmacro %}
"""
    hooks.write_text(text.replace("{{ from }}", "s.widest") + added)
    lines = [line.strip() for line in generator(mistaken, "explain", MINIMAX_PROGRAM, "--lines")]
    hooks.write_text(text)
    assert any(line.endswith("s.source = query.source;") for line in lines)
    assert any(line.endswith("s.widest = query.widest;") for line in lines)


ROOM = "templates/families/local"


def test_a_family_brings_values_of_its_own(extended: tuple[Path, list[list[str]]], tmp_path: Path) -> None:
    """A flow and a driver that no other family has are in its folder, and no template of another one changes."""
    checkout = shutil.copytree(extended[0], tmp_path / "checkout")
    before = {path: path.read_text() for path in (checkout / "templates").rglob("*.jinja")}
    space = checkout / "configs" / "space.toml"
    for old, new in (
        ('optional = ["hybrid", ', 'optional = ["reap", "hybrid", '),
        ('push = "a vertex updates its neigh', 'reap = "as pull"\npush = "a vertex updates its neigh'),
        ('binned = { family = "ranking", ', 'reap = { family = "local" }\nbinned = { family = "ranking", '),
        ('optional = ["residual", ', 'optional = ["once", "residual", '),
        ('topology = "every round vis', 'once = "there is one round"\ntopology = "every round vis'),
        ('residual = { family = ["r', 'once = { family = "local" }\nresidual = { family = ["r'),
    ):
        assert space.read_text().count(old) == 1, old
        space.write_text(space.read_text().replace(old, new))
    for value, base, hook in (
        ("flow/reap", "pull", 'verb = "Gathers"'),
        ("driver/once", "topology", 'scope = ", once"'),
    ):
        file = checkout / ROOM / f"axes/{value}.jinja"
        file.parent.mkdir(parents=True)
        file.write_text(f'{{% set base = "axes/{value.split("/")[0]}/{base}.jinja" %}}\n{{% set {hook} %}}\n')
    skeleton = checkout / ROOM / "skeleton.jinja"
    words = "Adds up over {{ iteration.noun }}"
    assert words in skeleton.read_text()
    skeleton.write_text(
        skeleton.read_text().replace(words, "{{ flow.verb }} over {{ iteration.noun }}{{ driver.scope }}")
    )
    name = "twohop-cpp-vertex-once-reap-rmw-det-dynamic-i32"
    assert any(
        "// Gathers over the edges of every vertex, once." in line
        for line in generator(checkout, "explain", name, "--lines")
    )
    changed = [path for path, text in before.items() if path.read_text() != text]
    assert changed == [skeleton]


def test_a_family_has_the_styles_that_its_rules_leave(extended: tuple[Path, list[list[str]]]) -> None:
    checkout, _ = extended
    (checkout / "local.toml").write_text('[select]\nalgorithm = "twohop"\n')
    names = generator(checkout, "list", "local.toml")
    assert {name.split("-")[1] for name in names} == {"cuda", "openmp", "cpp"}
    assert all("-vertex-topology-pull-rmw-det-" in name for name in names)


def assert_verified(binary: Path) -> None:
    graphs = [ensure(name, GRAPHS) for name in CATALOGUE if name.startswith("tiny-") or name == "karate"]
    report = run(binary.parent, [str(binary), *map(str, graphs), "--reps", "2", "--warmup", "0"])
    assert report.count('"verified": true') == len(graphs) > 10, report


def make(*arguments: str) -> list[str]:
    return ["make", *arguments, f"-j{os.cpu_count()}", "CXXFLAGS=-O0"]


@pytest.fixture(scope="module")
def library(extended: tuple[Path, list[list[str]]]) -> str:
    """What all programs share, with the references of the new algorithms, for CPUs and for the emulator."""
    checkout, _ = extended
    generator(checkout, "generate", "minimax")
    run(checkout, make("-f", "runner/build.mk", "runtime"))
    return "build/runtime/libviolet.a"


@pytest.mark.turns(8)
@pytest.mark.compile
def test_programs_verify(extended: tuple[Path, list[list[str]]], library: str) -> None:
    checkout, commands = extended
    for command in commands:
        run(checkout, make(*command[1:]) if command[0] == "make" else command)
    binaries = list(checkout.glob("build/*/*/*-i32"))
    assert {path.parent.name for path in binaries} == {"minimax", "twohop"}
    for binary in binaries:
        assert_verified(binary)
    (checkout / "emulated.toml").write_text(f"names = {list(EMULATED)}\n")
    generator(checkout, "generate", "emulated.toml", "--out", "generated-emulated")
    translate_all(checkout / "generated-emulated", checkout / "emulated")
    run(checkout, make("-f", "tests/emulator/build.mk", "DIR=emulated", f"LIBRARY={library}"))
    for name in EMULATED:
        assert_verified(checkout / "emulated" / "bin" / name)


def test_a_graph_format_is_a_module_and_its_line(tmp_path: Path) -> None:
    checkout = copy(tmp_path)
    get, *converted = follow(checkout, "A graph format")
    run(checkout, get)
    first = load(checkout / "inputs" / "data" / "karate.egr")
    for command in converted:
        run(checkout, command)
    again = load(checkout / "karate.egr")
    assert again.row_offsets.tolist() == first.row_offsets.tolist()
    assert again.neighbours.tolist() == first.neighbours.tolist()
    (checkout / "broken.arcs").write_bytes((checkout / "karate.arcs").read_bytes()[:-1])
    command = [sys.executable, "-m", "inputs", "info", "broken.arcs"]
    result = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert "the file ends within an edge" in result.stderr
    assert result.returncode > 0
