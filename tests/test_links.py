"""Every link between pages leads to a file that is there, and to a heading that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (".", "analysis/data", "benchmarks/data", "tests/corpus")
PAGES = sorted(
    str(page.relative_to(ROOT))
    for pages in (*((ROOT / folder).glob("*.md") for folder in FOLDERS), (ROOT / "docs").rglob("*.md"))
    for page in pages
)


def without_code(text: str) -> str:
    """Returns a page without its blocks of code, whose brackets and hashes mean something else."""
    return re.sub(r"^(```+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors_of(page: Path) -> set[str]:
    """Returns the anchors of a page's headings, as GitHub and GitLab make them."""
    headings = re.findall(r"^#+ +(.*?) *$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    texts = (re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in texts}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", without_code((ROOT / page).read_text(encoding="utf-8")))
    dead = []
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            dead.append(link)
    assert dead == []
