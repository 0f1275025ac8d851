"""What a profiler prints, as its documentation tells, and what a counter of energy says, are read as they are meant."""

from __future__ import annotations

import pytest

from benchmarks.counters import METRICS, counted, mean_power
from generator.errors import UserError

KERNEL = '"123","bfs","127.0.0.1","relax(State)","1","7","(256, 1, 1)","(132, 1, 1)","0","9.0"'
ABOUT = (
    '"Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC"'
)
PRINTED = f"""==PROF== Connected to process 123 (/build/cuda/bfs/bfs)
"ID",{ABOUT},{",".join(f'"{metric}"' for metric in METRICS)}
"",{",".join(['""'] * 10)},"ns","inst","inst","byte","sector","%"
"0",{KERNEL},"1,000","3,200","100","4,096","200","50.0"
"1",{KERNEL},"3,000","1,600","200","1,024","100","90.0"
==PROF== Disconnected from process 123
{{"program": "bfs", "verified": true}}
"""
"""The raw page as CSV: a row of names, one of units, and one for each launch; then what the program says."""


def test_counters_of_all_launches_come_together() -> None:
    assert counted(PRINTED) == {
        "launches": 2,
        "warp_efficiency": 0.5,  # 4,800 of 32 * 300
        "dram_bytes": 5120,
        "l2_sectors": 300,
        "occupancy": pytest.approx(0.8),  # by time
    }


def test_who_may_not_count_is_told_so_in_one_line() -> None:
    refused = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"
    with pytest.raises(UserError, match=r"^ncu: ERR_NVGPUCTRPERM - The user [^\n]*$"):
        counted(f"==PROF== Connected to process 123\n{refused}\n==PROF== Disconnected from process 123\n")
    with pytest.raises(UserError, match=r"dram__bytes.sum: .*n/a"):
        counted(PRINTED.replace("1,024", "n/a"))
    with pytest.raises(UserError, match="it has counted nothing"):
        counted("")


def test_power_is_between_two_moves_of_the_counter_while_a_program_solves() -> None:
    seen = [(0.0, 100.0), (1.05, 2_000.0), (1.15, 62_000.0), (2.05, 602_000.0), (2.3, 603_000.0)]
    assert mean_power(seen, 1.0, 2.1) == pytest.approx(600)
    assert mean_power(seen, 1.1, 2.0) is None
