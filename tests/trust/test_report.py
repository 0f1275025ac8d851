from pathlib import Path

import pytest

from generator.errors import UserError
from trust import report

ROWS = """program,sha256,bug,algorithm,model,tool,runs,caught,graphs,finding
a,1,race,tc,cpp,verifier,20,5,karate:3 rmat-10:4,wrong:7
b,2,race,pr,cpp,verifier,20,0,,
a,1,race,tc,cpp,ThreadSanitizer,1,1,,data race
b,2,race,pr,cpp,ThreadSanitizer,1,1,,data race
c,3,guard,cc,cuda,verifier,20,20,karate:20,wrong:20
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report, "PAGE", tmp_path / "trust.md")
    monkeypatch.setattr(report, "FIGURE", tmp_path / "figures" / "detection.png")
    (tmp_path / "rows.csv").write_text(ROWS)
    return tmp_path / "trust.md"


def test_the_page_gets_its_tables_and_the_heat_map(page: Path) -> None:
    page.write_text("before\n<!-- detection: python -m trust report -->\nold\n<!-- end -->\nafter\n")
    for _ in range(2):  # the second time changes nothing
        report.write([page.with_name("rows.csv")])
        text = page.read_text()
        assert text.startswith("before\n")
        assert text.endswith("<!-- end -->\nafter\n")
        assert "old" not in text
        assert "| bug | cpp: verifier | cpp: ThreadSanitizer | cuda: verifier |" in text
        assert "| race | 1/2 | 2/2 | - |" in text
        assert "| guard | - | - | 1/1 |" in text
        assert "| race | cpp | 0 of 20 ... 5 of 20 | rmat-10, karate |" in text
    assert (page.parent / "figures" / "detection.png").stat().st_size > 1000


def test_a_page_without_marks_is_left_alone(page: Path) -> None:
    page.write_text("before\n")
    with pytest.raises(UserError, match="needs the lines"):
        report.write([page.with_name("rows.csv")])
    assert page.read_text() == "before\n"
