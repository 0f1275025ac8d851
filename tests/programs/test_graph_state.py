"""What the kernels of a CUDA graph take from their arguments does not change, see templates/axes/fusion/graph.jinja."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from generator.config import first_of_each
from generator.paths import ROOT
from generator.render import render
from generator.space import Style, load_space, name_of
from tests.configs import chosen
from tests.emulator.translate import translate
from tests.programs.store import header_folder
from tests.programs.test_cuda_emulated import emulated
from tests.selection import todays

pytestmark = pytest.mark.turns(6, 0)


SPACE = load_space()
GRAPHS = todays(
    chosen(
        "graphs",
        lambda: first_of_each(
            [style for config in ("all", "directed") for style in emulated(config) if style.get("fusion") == "graph"],
            ["algorithm", "driver", "flow", "worklist", "method"],
        ),
    )
)
ASSIGNED = "  State& operator=(const State& other);\n"
"""A State with members that are const may still be replaced as a whole, by one that is reported or was changed."""

WRITE = """
template <typename T>
T& write(const T& member) {
  return const_cast<T&>(member);
}

"""


def with_const_members(text: str, but_for: set[str]) -> str:
    """Returns a program whose State has members that only `prepare` may write."""
    head, _, rest = text.partition("struct State {\n")
    members, _, rest = rest.partition("};\n")
    rest, _, prepare = rest.partition("State prepare(")
    for name in set(re.findall(r"(\w+); +//", members)) - but_for:
        members = re.sub(rf"\b{name};", f"const {name} = {{}};", members)
    prepare = re.sub(r"^  s\.(\w+) = ", r"  write(s.\1) = ", prepare, flags=re.MULTILINE)
    return f"{head}{WRITE}struct State {{\n{members}{ASSIGNED}}};\n{rest}State prepare({prepare}"


def complaints(text: str) -> str:
    """Returns what the compiler has to say."""
    runtime = header_folder()
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-w", "-fsyntax-only", "-D__CUDACC__", "-x", "c++", "-"]
    command += ["-Itests/emulator", f"-I{runtime}"]
    return subprocess.run(command, input=translate(text), cwd=ROOT, capture_output=True, text=True, check=False).stderr


@pytest.mark.compile
@pytest.mark.parametrize("style", GRAPHS, ids=name_of)
def test_what_a_kernel_takes_from_its_arguments_is_const(style: Style) -> None:
    text = render(SPACE, style).text
    changing = set(re.findall(r"^  s\.(\w+) = s\.live->\1;$", text, re.MULTILINE))
    assert complaints(with_const_members(text, changing)) == ""
    counted = changing & {"round", "iterations", "size"}
    found = complaints(with_const_members(text, changing - counted))
    assert counted
    assert all(f"State::{field}" in found for field in counted)
