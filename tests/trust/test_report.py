from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from trust import report

if TYPE_CHECKING:
    from pathlib import Path

ROWS = """program,sha256,bug,algorithm,model,tool,runs,caught,graphs,finding
a,0,race,tc,cpp,verifier,20,0,,
a,1,race,tc,cpp,verifier,20,5,karate:3 rmat-10:4,wrong:7
b,2,race,pr,cpp,verifier,20,0,,
a,1,race,tc,cpp,ThreadSanitizer,1,1,,data race
b,2,race,pr,cpp,ThreadSanitizer,1,1,,data race
c,3,guard,cc,cuda,verifier,20,20,karate:20,wrong:20
"""
OTHERS = """program,sha256,bug,algorithm,model,tool,runs,caught,graphs,finding
d,4,overflow,bp,openmp,verifier,20,2,tiny-k5:2,wrong:2
e,5,overflow,product,openmp,verifier,20,0,,
"""
MUTANTS = """what,program,sha256,model,line,before,after,tool,finding
no tie-break between vertices of an independent set,m,1,cpp,7,x,y,verifier,tied wrong
no tie-break between vertices of an independent set,m,1,cpp,7,x,y,UBSan,
plain store for the atomic minimum of labels,n,2,cuda,8,x,y,emulator,
comparison,o,0,cpp,8,a || b,a && b,verifier,
comparison,o,3,cpp,9,a || b,a && b,verifier,
dropped,p,4,cpp,9,f();,;,verifier,wrong
"""
FORGED = """graph,algorithm,element,forgery,bound,verified,refused,near,fault
tiny-edge,bp,f32,zeros,3.8e-06,0,1,0,0
tiny-edge-one-way,hits,f32,zeros,1e-06,3,1,0,0
grid-64-one-way,hits,f32,nothing,1e-05,1,0,0,0
grid-64-one-way,hits,f64,a round too few,2e-14,0,0,1,0
grid-64-one-way,hits,f32,a round too few,2e-05,0,1,0,0
"""
MARKS = "\nold\n".join(
    f"<!-- begin {name} -->\nold\n<!-- end {name} -->" for name in ("detection", "others", "forged", "mutants")
)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report, "PAGE", tmp_path / "trust.md")
    monkeypatch.setattr(report, "FIGURE", tmp_path / "figures" / "detection.png")
    (tmp_path / "bugs-here.csv").write_text(ROWS)
    (tmp_path / "other-bugs-here.csv").write_text(OTHERS)
    (tmp_path / "mutants.csv").write_text(MUTANTS)
    (tmp_path / "forged.csv").write_text(FORGED)
    return tmp_path / "trust.md"


def test_the_page_gets_its_tables_and_the_heat_map(page: Path) -> None:
    page.write_text(f"before\n{MARKS}\nafter\n")
    for _ in range(2):  # the second time changes nothing
        report.write(page.parent)
        text = page.read_text()
        assert text.startswith("before\n")
        assert text.endswith("<!-- end mutants -->\nafter\n")
        assert text.count("old") == 3  # what is between the blocks stays
        assert "| bug | cpp: verifier | cpp: ThreadSanitizer | cuda: verifier |" in text
        assert "| race | 1/2 | 2/2 | - |" in text
        assert "| guard | - | - | 1/1 |" in text
        assert "| bug | openmp: verifier |\n| --- | --- |\n| overflow | 1/2 |" in text
        assert "| overflow | openmp | 0 of 20 ... 2 of 20 | tiny-k5 |" in text
        assert "| race | cpp | 0 of 20 ... 5 of 20 | rmat-10, karate |" in text
        assert "| no tie-break between vertices of an independent set | - | verifier | - |" in text
        assert "| plain store for the atomic minimum of labels | - | - | nobody |" in text
        assert "| verifier | 2 | 1 |" in text
        assert "| `a \\|\\| b` -> `a && b` | `o`, line 9 |" in text
        assert "`f();`" not in text
        assert "| grid-64 | - | 2e-05 / 2e-14 |\n| tiny ones | 4e-06 / - | 1e-06 / - |" in text
        assert "| algorithm | zeros | a round too few |" in text
        assert "| hits | 1 | 1, 1 near |" in text
    assert (page.parent / "figures" / "detection.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("table", "text", "message"),
    [
        ("bugs-here", "", r":1: has other columns than program,sha256,bug"),
        ("bugs-here", MUTANTS, r":1: has other columns than program,sha256,bug"),
        ("other-bugs-here", ROWS.splitlines()[0] + "\n", r":1: has no row behind the first line"),
        ("bugs-here", ROWS + "a,1,race", r":8: has other than 10 columns"),
        ("bugs-here", ROWS.replace("20,5", "x,5"), r":3: has runs that are no numbers"),
        ("bugs-here", ROWS.replace("karate:3", "karate"), r":3: has runs that are no numbers"),
        ("bugs-here", ROWS.replace("guard", "typo"), r":7: has no bug of race, "),
        ("bugs-here", ROWS.replace("ThreadS", "S"), r":5: has no tool of model cpp"),
        ("bugs-here", ROWS.replace("cuda", "multigpu"), r":7: has no model of openmp, cpp, cuda"),
        ("mutants", ROWS, r":1: has other columns than what,program"),
        ("mutants", MUTANTS + 'dropped,"p', r":8: is not CSV: unexpected end of data"),
    ],
)
def test_a_table_that_is_none_is_told(page: Path, table: str, text: str, message: str) -> None:
    page.write_text(MARKS)
    page.with_name(f"{table}.csv").write_text(text)
    with pytest.raises(UserError, match=rf"{table}\.csv{message}"):
        report.write(page.parent)
    assert page.read_text() == MARKS
