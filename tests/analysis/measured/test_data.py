"""The measurements in the repository load as they are, and tell nothing about whose machine it was."""

import json
import warnings
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from analysis.measured import records
from analysis.measured.records import load
from analysis.measured.sessions import public
from generator.space import load_space

pytestmark = pytest.mark.turns(8, 2)


DATA = Path(__file__).resolve().parents[3] / "analysis" / "data"


FILES = sorted(DATA.rglob("*.parquet"))


@pytest.fixture(autouse=True)
def _all_of_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files are read as they are, whatever has become of their programs."""
    monkeypatch.setattr(records, "V1", tmp_path)


@cache
def loaded(file: Path) -> pd.DataFrame:
    """Returns the jobs of a file of which nothing is to be warned."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return load(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_line_is_a_record_of_a_known_session(file: Path) -> None:
    frame = loaded(file)
    sessions = json.loads(file.with_suffix(".sessions.json").read_text(encoding="utf-8"))
    assert set(frame["session"]) <= {session["id"] for session in sessions}
    assert sessions == [public(session) for session in sessions]
    assert frame["throughput"].notna().sum() > 0


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_program_can_be_generated(file: Path) -> None:
    space = load_space()
    for name in pd.read_parquet(file, columns=["program"])["program"].unique():
        rule = space.forbidden_by(space.parse(name))
        assert rule is None, f"{name}: {rule}"


def test_the_page_counts_them_right() -> None:
    status = pd.concat([loaded(file)["status"] for file in FILES]).value_counts()
    page = (DATA.parents[1] / "docs" / "measurements.md").read_text(encoding="utf-8").replace("\n", " ")
    said = f"{status['verified']:,} of the {status.sum():,} jobs are verified, in every repetition. "
    said += f"{status['refused']} refused the graph, {status['timeout']} were cut off"
    assert said in page
    assert set(status.index) == {"verified", "refused", "timeout"}
