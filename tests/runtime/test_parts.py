"""Graphs in parts, and the threads that solve them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from generator.runtime import write_runtime
from tests.memory import LONG
from tests.runtime.conftest import BUILT, COMPILER, FLAGS, HERE, start

if TYPE_CHECKING:
    from pathlib import Path


def _lower_what_is_worth_a_thread(runtime: Path) -> None:
    """Has several threads make a part of a small graph: sanitizers take ten seconds for one of millions of edges."""
    for name, what, before, after in (
        ("ranges.hpp", "edges_worth_a_thread", 20, 12),
        ("ranges.hpp", "equal_range", 16, 12),
        ("partitions.cpp", "batch", 20, 12),
        ("partitions.cpp", "piece", 12, 8),
    ):
        file = runtime / name
        text = file.read_text()
        assert text.count(f"{what} = 1 << {before};") == 1
        file.write_text(text.replace(f"{what} = 1 << {before};", f"{what} = 1 << {after};"))


@pytest.mark.turns(8)
@pytest.mark.compile
@pytest.mark.skipif(BUILT is not None, reason="mutants are of other files")
@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"] if LONG else [""])
def test_parts_hold_the_graph_and_threads_that_fail_are_heard_of(sanitizer: str, tmp_path: Path) -> None:
    runtime = write_runtime(tmp_path / "runtime")
    _lower_what_is_worth_a_thread(runtime)
    sources = [runtime / f"{name}.cpp" for name in ("parts", "partitions", "part_threads", "host", "graph_file")]
    level = "-O1" if sanitizer == "thread" else "-O0"  # which takes less to compile and to run together
    flags = [*FLAGS, level, *([f"-fsanitize={sanitizer}"] if sanitizer else [])]
    command = [COMPILER, *flags, "-I", runtime, HERE / "parts.cpp", *sources]
    subprocess.run([*command, "-o", tmp_path / "parts"], check=True)
    done = start([tmp_path / "parts"])
    assert (done.code, done.stdout) == (0, "1923 divisions\n"), done
