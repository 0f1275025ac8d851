"""Tutorials do what they say: their commands are run, and print what stands below them.

A block of `console` has commands after `$`, and what they print. A line of dots stands for any lines, dots within one
for any text, and a number for any number. A block of `toml` or `csv` is the file that its first line names.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from inputs.catalogue import ensure
from tests.notes import heard_by_children

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(console|toml|csv)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = r"[\d.,]+(?:e[+-]?\d+)?"
CHEAP = ("explain", "diff", "list", "export", "choose")
"""Commands that build and run nothing."""

NEEDED = ("generator", "templates", "configs", "inputs", "runner", "analysis", "trust", "violet", "benchmarks")


@dataclass(frozen=True)
class Step:
    """A command of a page.

    Attributes:
        words: The command.
        printed: What the page says that it prints.
    """

    words: str
    printed: str

    @property
    def cheap(self) -> bool:
        return self.words.startswith("violet") and self.words.split()[1] in CHEAP


def follow(page: Path, folder: Path) -> list[Step]:
    """Writes the files of a page into a folder; returns its commands in order."""
    steps = []
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language != "console":
            if name := re.match(r"# ([\w.-]+)\n", text):
                (folder / name[1]).write_text(text)
        else:
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                words, _, printed = part.partition("\n")
                steps.append(Step(words, printed))
    return steps


def run(step: Step, folder: Path) -> str:
    """Runs a command in a folder; returns what it prints, errors included, but not that the machine is busy."""
    words = shlex.split(re.sub(r"^violet ", f"{sys.executable} -m violet ", step.words))
    path = {"PYTHONPATH": str(ROOT)} if not (folder / "violet").exists() else {}
    result = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **heard_by_children(**path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return re.sub(r"^runner: warning: this machine is busy.*\n", "", result.stdout, flags=re.MULTILINE)


def pattern(printed: str) -> str:
    """Returns the expression of what a page says that a command prints."""
    lines = []
    for line in printed.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            words = [re.sub(r"\d+(\\\.\d+)?", lambda _: NUMBER, re.escape(word)) for word in line.split()]
            lines.append(r"\s*" + r"\s+".join(words).replace(r"\.\.\.", ".*") + r"\s*\n")
    return "".join(lines)


def check(step: Step, folder: Path) -> None:
    out = run(step, folder)
    assert re.fullmatch(pattern(step.printed), out if out.endswith("\n") else out + "\n"), f"$ {step.words}\n{out}"


def test_dots_and_numbers_stand_for_others() -> None:
    said = "a 1 b\n...\nlast ... 2.5 ms\n"
    assert re.fullmatch(pattern(said), "a 20 b\nx\ny\nlast one of 0.1 ms\n")
    assert re.fullmatch(pattern(said), "a 20 b\nlast one of 0.1 ms\n")
    assert not re.fullmatch(pattern(said), "a 20 c\nlast one of 0.1 ms\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_that_build_nothing_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    steps = follow(page, tmp_path)
    assert steps
    for step in (step for step in steps if step.cheap):
        for graph in re.findall(r"inputs/data/([\w-]+)\.egr", step.words):
            (tmp_path / "inputs" / "data").mkdir(parents=True, exist_ok=True)
            ensure(graph, tmp_path / "inputs" / "data")
        check(step, tmp_path)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all that tutorials need, in which what one has compiled serves the next."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copy(ROOT / ".clang-format", folder)
    for name in NEEDED:
        left_out = ("__pycache__", "data") if name == "inputs" else ("__pycache__",)
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*left_out))
    return folder


@pytest.mark.long
@pytest.mark.compile
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page: Path, checkout: Path) -> None:
    shutil.rmtree(checkout / "mybfs", ignore_errors=True)
    for step in follow(page, checkout):
        check(step, checkout)
    text = page.read_text(encoding="utf-8")
    if said := "".join(re.findall(r"^```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)):
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (checkout / "page.py").write_text("\n".join(blocks))
        check(Step(f"{sys.executable} page.py", said), checkout)
