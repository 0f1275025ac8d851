"""The document of findings is whole, and what is written to it leaves alone what people wrote."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from analysis.judged.claims import CLAIMS
from analysis.told.document import blocks, details_of, figures_of_claims, write

if TYPE_CHECKING:
    from tests.analysis.conftest import Run

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs" / "findings.md"
DETAILS = details_of(DOCUMENT)


def test_blocks_are_replaced_and_the_rest_stays() -> None:
    before = "# Mine\n\n<!-- begin a -->\nold\n<!-- end a -->\n\nMy words.\n"
    after = write(before, {"a": "new \\1", "b": "more"})
    assert after.startswith("# Mine\n\n<!-- begin a -->\nnew \\1\n<!-- end a -->\n\nMy words.\n")
    assert after.endswith("\n\n<!-- begin b -->\nmore\n<!-- end b -->\n")
    assert write(after, {"a": "new \\1", "b": "more"}) == after


def test_an_empty_document_gets_all_blocks() -> None:
    assert write("", {"a": "x"}) == "<!-- begin a -->\nx\n<!-- end a -->\n"


def test_every_figure_of_the_document_is_there_and_none_is_left_over() -> None:
    shown = set(re.findall(r"\(figures/([\w-]+)\.png\)", DETAILS.read_text(encoding="utf-8")))
    assert shown <= set(figures_of_claims())
    assert {path.stem for path in (ROOT / "docs" / "figures").glob("*.png")} == shown


def test_no_number_of_the_details_is_typed_by_hand() -> None:
    """Outside of blocks, only what the paper says, thresholds, and what things are called have figures."""
    text = re.sub(r"<!-- begin (\S+) -->.*?<!-- end \1 -->", "", DETAILS.read_text(encoding="utf-8"), flags=re.DOTALL)
    known = r'`[^`]*`|\]\([^)]*\)|\bI\d+\b|Indigo2|social-524k|"about 1"|95 %|10 %|10 to 100 times|16 cores'
    assert re.findall(r".*\d.*", re.sub(known, "", text)) == []


def test_the_page_is_read_in_five_minutes() -> None:
    """At 300 words a minute, of what is shown: links lead somewhere, but are not read."""
    shown = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", DOCUMENT.read_text(encoding="utf-8"))
    assert len(shown.split()) < 1500


def test_links_of_the_page_lead_to_headings_of_the_details() -> None:
    heads = re.findall(r"^## (.*)$", DETAILS.read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    linked = set(re.findall(r"findings-details\.md#([\w-]+)", DOCUMENT.read_text(encoding="utf-8")))
    assert len(linked) >= len(CLAIMS)
    assert linked <= anchors


@pytest.mark.turns(8)
def test_findings_are_written_with_their_figures(
    run: Run, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = tmp_path / "docs" / "found.md"
    details = document.with_name("found-details.md")
    document.parent.mkdir()
    details.write_text("Mine.\n\n<!-- begin I5 -->\n<!-- end I5 -->\n\nMy words.\n")
    stale = document.parent / "figures" / "atomic-over-cuda-atomic.png"  # of results with CUDA programs
    stale.parent.mkdir()
    stale.touch()
    told: list[dict[Path, dict[str, str]]] = []

    def once(*arguments: Any) -> dict[Path, dict[str, str]]:
        """What the data says of the same results is the same, and takes a while to find out."""
        told.extend([] if told else [blocks(*arguments)])
        return told[0]

    monkeypatch.setattr("analysis.told.document.blocks", once)
    wanted = ["push-over-pull", stale.stem]  # others take as long
    monkeypatch.setattr("analysis.told.document.figures_of_claims", lambda: wanted)
    code, out, _ = run("findings", results, "--document", document)
    assert (code, out.split()) == (0, [str(document), str(details)])
    text = details.read_text()
    assert text.startswith("Mine.\n\n<!-- begin I5 -->\n## I5. Push or pull")
    assert "My words." in text
    assert "- push over pull, OpenMP: push for BFS and CC " in text  # two algorithms are too few to speak of others
    assert "(figures/push-over-pull.png)" in text
    assert (document.parent / "figures" / "push-over-pull.png").exists()
    assert not stale.exists()
    page = document.read_text()
    assert "- OpenMP, for some algorithms: push for BFS and CC." in page
    assert "- [I5](found-details.md#i5-push-or-pull) Push or pull: 2 of 12 parts hold, 10 are open; " in page
    assert run("findings", results, "--document", document, "--check")[0] == 0
    for path in (details, document):
        before = path.read_text()
        path.write_text(before.replace("push for BFS and CC", "pull for BFS and CC"))
        code, _, err = run("findings", results, "--document", document, "--check")
        assert (code, f"{path.name} is out of date" in err.replace("\n", "")) == (2, True)
        path.write_text(before)
