"""What people who join are told to write is what tools take: fragments of the changelog, forms, the workflow."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FRAGMENTS = sorted(path for path in (ROOT / "changes").iterdir() if path.name != "README.md")
KINDS = [
    kind["directory"] for kind in tomllib.loads((ROOT / "towncrier.toml").read_text())["tool"]["towncrier"]["type"]
]


def test_the_page_about_changes_has_the_kinds_that_the_tool_knows() -> None:
    page = (ROOT / "changes" / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == KINDS


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda path: path.name)
def test_a_fragment_becomes_a_line_of_the_changelog(fragment: Path) -> None:
    text = fragment.read_text(encoding="utf-8")
    assert re.fullmatch(rf"(\+[a-z0-9-]+|\d+)\.({'|'.join(KINDS)})\.md", fragment.name), "see changes/README.md"
    assert text.strip(), "it is empty"
    links = [link for link in re.findall(r"\]\(([^)\s#]+)", text) if "://" not in link]
    dead = [link for link in links if not (ROOT / link).exists()]
    assert dead == [], "links start at the root of the checkout"
