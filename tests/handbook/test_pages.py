"""Pages are short enough to be read, and generated ones are in step with the space and the data."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.style_words import in_short, in_words
from analysis.styles import style_of
from generator.manifest import MANIFEST, listed
from handbook import axes, results, today

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TABLES = {"coverage.md", "findings-details.md", "reference/axes.md", "reference/planted-bugs.md"}
"""Generated pages in which one looks something up."""

READ = [page for page in sorted(DOCS.rglob("*.md")) if str(page.relative_to(DOCS)) not in TABLES]
PROGRAM = "cc-cpp-edge-topology-push-rw-nondet-blocked-i32"


def words(page: Path) -> int:
    """Counts what has a letter or a digit, code and numbers among it, but no address of a link and no comment."""
    text = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "how-to" / "configs.md"], ids=lambda page: page.name)
def test_a_page_says_about_how_many_programs_there_are(page: Path) -> None:
    said = re.search(r"some (\d+),000 (standalone )?programs", page.read_text(encoding="utf-8"))
    assert said
    assert abs(int(said[1]) - len(listed(MANIFEST)) / 1000) <= 1


def test_pages_are_read_in_two_hours() -> None:
    assert words(ROOT / "README.md") <= 700
    assert sum(map(words, [ROOT / "README.md", *READ])) <= 30_000


def test_tables_that_are_looked_up_are_generated() -> None:
    for name in TABLES:
        assert re.search("[Ww]ritten by|[Tt]ables that `violet trust report` writes", (DOCS / name).read_text()), name


def test_every_value_is_on_the_page_of_axes() -> None:
    """What it means, and where it exists; the lines that it changes take longer."""
    without = re.sub(r"```diff\n.*?\n```\n\n", "", axes.PAGE.read_text(encoding="utf-8") + "\n", flags=re.DOTALL)
    assert without.rstrip("\n") == axes.page(lines=False).rstrip("\n"), "python -m handbook"


@pytest.mark.long
def test_lines_that_values_change_are_those_of_the_templates() -> None:
    assert axes.PAGE.read_text(encoding="utf-8") == axes.page(), "python -m handbook"


def test_every_algorithm_has_its_page() -> None:
    assert results.index() in (results.FOLDER / "index.md").read_text(encoding="utf-8")
    for name in results.algorithms():
        text = (results.FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert re.search(rf"[`\n]{name}-(cuda|cpp|openmp)-", text), "python -m handbook"


@pytest.mark.daily
def test_the_page_on_measurements_says_how_much_is_of_programs_of_today() -> None:
    text = today.PAGE.read_text(encoding="utf-8")
    assert today.page(text) == text, f"python -m handbook today\n{today.block()}"


@pytest.mark.long
@pytest.mark.parametrize("name", results.algorithms())
def test_advice_and_what_choices_are_worth_are_what_the_data_say(name: str) -> None:
    """The page of the report gives the same advice, since both ask `judged.answers`."""
    text = (results.FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert results.page(name, text) == text, "python -m handbook"


def test_styles_are_said_in_words() -> None:
    program = "bfs-cuda-vertex-data-history-push-rw-nondet-persistent-thread-atomic-i32-single-four"
    assert in_words(style_of(program)) == (
        "push, worklist of vertices, a thread per vertex, rounds in one block, four edges under way, "
        "recent duplicates left out"
    )
    assert in_short(style_of(program)) == ("push, worklist", "rounds in one block")
    assert in_words(style_of(PROGRAM)) == "C++ threads, push, all edges"


@pytest.mark.daily
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stderr
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "images/fastest.png" in home
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?://[^"]+"', home), "works without a network"
