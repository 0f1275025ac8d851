"""What a page holds can be read back."""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from analysis.compared.study import read_study
from analysis.told import explorer
from analysis.told.page.encoding import ALIGNMENT, pack, smallest, steps
from analysis.told.page.sources import pack_texts, texts
from generator.render import render
from generator.space import load_space

if TYPE_CHECKING:
    from analysis.compared.study import Study
    from analysis.told.page.encoding import Packed
    from tests.analysis.conftest import Record, Write

TYPES = {"Uint8Array": "<u1", "Uint16Array": "<u2", "Uint32Array": "<u4", "Float32Array": "<f4"}


def unpack(packed: Packed) -> dict[str, np.ndarray]:
    content = zlib.decompress(base64.b64decode(packed.text))
    return {
        name: np.frombuffer(content, TYPES[kind], length, start)
        for name, (kind, start, length) in packed.layout.items()
    }


def test_columns_are_read_back_and_begin_where_typed_arrays_may() -> None:
    columns = {
        "bytes": np.array([1, 2, 3], np.uint8),
        "none": np.array([], np.uint32),
        "reals": np.array([0.5, np.nan], np.float32),
        "numbers": np.array([70_000], np.uint32),
    }
    packed = pack(columns)
    assert all(start % ALIGNMENT == 0 for _, start, _ in packed.layout.values())
    for name, found in unpack(packed).items():
        np.testing.assert_array_equal(found, columns[name])


@pytest.mark.parametrize(
    ("values", "kind"), [([0, 255], "uint8"), ([256], "uint16"), ([65_536], "uint32"), ([], "uint8")]
)
def test_whole_numbers_take_the_smallest_type(values: list[int], kind: str) -> None:
    assert smallest(np.array(values, np.int64)).dtype == kind


def test_steps_add_up_to_numbers_that_fall_as_well() -> None:
    values = np.array([7, 3, 3, 2**32 - 1])
    np.testing.assert_array_equal(np.cumsum(steps(values), dtype=np.uint32), values)


def test_texts_are_read_back_from_their_lines() -> None:
    found = ["a\nb\n", "", "b\nc", "a\nb\n"]
    sources = pack_texts(found)
    lines = zlib.decompress(base64.b64decode(sources.lines)).decode().split("\n")
    columns = unpack(sources.numbers)
    parts = np.split(columns["numbers"], columns["ends"][:-1])
    assert ["\n".join(lines[number] for number in part) for part in parts] == found


def test_programs_that_the_space_no_longer_has_are_without_a_text() -> None:
    name = "bfs-openmp-vertex-topology-push-rw-nondet-default-i32"
    space = load_space()
    assert texts([name, name.replace("default", "none")], 1) == {name: render(space, space.parse(name)).text}


def test_pairs_of_the_page_are_those_of_the_study(study: Study) -> None:
    """Their programs, and the ratio of their seconds, which has to be that of the throughputs."""
    check_pairs(study)


def test_the_page_has_the_ratio_of_the_session_that_measured_both(record: Record, write: Write) -> None:
    names = [f"bfs-openmp-vertex-topology-{way}-rw-nondet-default-i32" for way in ("push", "pull")]
    jobs = [record(name, seconds, session="1") for name, seconds in zip(names, (1e-3, 2e-3), strict=True)]
    study = read_study([write([*jobs, record(names[0], 8e-3, session="2")])])
    columns = check_pairs(study)
    assert (columns["pair.0.earlier"].tolist(), columns["pair.0.ratio"].tolist()) == ([0], [2.0])


def check_pairs(study: Study) -> dict[str, np.ndarray]:
    """Holds the pairs of a page against those of the study; returns the columns of the page."""
    columns, programs = explorer.columns(study), explorer.programs(study)
    for place, comparison in enumerate(explorer.compared(study)):
        first, second = (np.cumsum(columns[f"pair.{place}.{side}"], dtype=np.uint32) for side in ("first", "second"))
        job = columns["job.program"]
        ratios = columns["job.seconds"][second] / columns["job.seconds"][first]
        ratios[columns[f"pair.{place}.earlier"]] = columns[f"pair.{place}.ratio"]
        found = zip(
            (programs[job[each]] for each in first), (programs[job[each]] for each in second), ratios, strict=True
        )
        pairs = study.pairs(comparison)
        expected = zip(pairs["program_first"], pairs["program_second"], pairs["ratio"], strict=True)
        for (*names, ratio), (*others, other) in zip(sorted(found), sorted(expected), strict=True):
            assert names == others
            assert ratio == pytest.approx(other, rel=1e-5)
    return columns
