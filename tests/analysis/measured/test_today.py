"""Records are held against the programs and headers of today."""

from __future__ import annotations

import hashlib
import warnings
from typing import TYPE_CHECKING, Any

import pytest

from analysis.errors import RecordWarning
from analysis.measured import records, today
from generator.paths import ROOT
from generator.runtime import included
from tests.texts import text_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.analysis.conftest import Record, Write

NAME = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"
HEADER = ROOT / "templates" / "runtime" / "violet.hpp"


def digits(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.fixture
def of_today() -> dict[str, Any]:
    text = text_of(NAME)
    return {"program": NAME, "source_sha256": digits(text), "includes": " ".join(included(text)), "session": "1"}


def test_the_text_decides(of_today: dict[str, Any]) -> None:
    assert today.has_text_of_today(of_today) is True
    assert today.has_text_of_today(of_today | {"source_sha256": "0" * 16}) is False
    assert today.has_text_of_today(of_today | {"source_sha256": None}) is None
    assert today.has_text_of_today(of_today | {"program": "bfs-openmp-nothing"}) is False


def test_so_do_headers_and_those_that_they_include(of_today: dict[str, Any]) -> None:
    assert "violet.hpp" not in of_today["includes"].split(), "it is included by one that is"
    files = {path.name: digits(path.read_text()) for path in HEADER.parent.glob("*.hpp")}
    made = {path: digits(text) for path, text in today._texts().items()}  # of templates
    assert files.items() <= made.items()
    assert today.has_headers_of_today(of_today, {"headers": made}) is True
    assert today.has_headers_of_today(of_today, {"headers": made | {"violet.hpp": "0" * 16}}) is False
    assert today.has_headers_of_today(of_today, {"headers": made | {"cluster.cuh": "0" * 16}}) is True
    assert today.has_headers_of_today(of_today, {"headers": made | {"algorithms.hpp": "0" * 16}}) is True
    assert today.has_headers_of_today(of_today, {}) is None


def test_records_are_counted(of_today: dict[str, Any]) -> None:
    old = of_today | {"source_sha256": "0" * 16}
    sessions = [{"id": "1", "headers": dict(today._headers_of_today())}]
    unknown = {"program": NAME, "session": "1"}
    found = today.count([of_today, of_today | {"session": "2"}, old, unknown], sessions)
    assert found == {"all": 4, "known": 3, "text": 2, "headers": 1}


def test_stale_jobs_of_the_data_set_drop_out_and_no_others(
    record: Record, write: Write, of_today: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fresh = record(NAME, source_sha256=of_today["source_sha256"] + "0" * 48)
    stale = record(NAME, graph="other", source_sha256="0" * 64)
    file = records.export(write([fresh, stale]), tmp_path / "v1" / "cuda.parquet")
    assert list(records.load(file)["graph"]) == ["grid", "other"]
    monkeypatch.setattr(records, "V1", tmp_path / "v1")
    with pytest.warns(RecordWarning, match="1 of 2 jobs left out"):
        assert list(records.load(file)["graph"]) == ["grid"]
    again = records.export(file, tmp_path / "again.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(records.load(again)) == 2
