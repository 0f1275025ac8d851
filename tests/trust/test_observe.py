"""Watching programs that die, hang or are wrong, and tools that say something: shell scripts stand in for both."""

import re
from pathlib import Path

import pytest

from generator.errors import UserError
from trust.observe import Observation, Report, observe
from trust.tools import TOOLS, Tool

PLAIN = Tool("verifier", "plain", ("cpp",))
SCRIPT = """#!/bin/sh
for graph in "$@"; do
  case "$graph" in
    *good.egr) echo '{"graph": "'$graph'", "rounds": 3, "verified": true, "checksum": "ab"}';;
    *wrong.egr) echo '{"graph": "'$graph'", "rounds": 4, "verified": false, "error": "vertex 1", "checksum": "cd"}';;
    *failed.egr) echo '{"graph": "'$graph'", "verified": null, "exit_code": 4, "error": "no memory"}';;
    *crash.egr) echo 'something broke' >&2; kill -SEGV $$;;
    *hang*.egr) sleep 60;;
    *memory.egr) echo 'program: error: out of memory' >&2; exit 4;;
    *fault.egr) echo 'program: error: cannot wait: an illegal memory access was encountered' >&2; exit 4;;
    *usage.egr) echo 'program: error: --threads takes a number' >&2; exit 2;;
  esac
done
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return path


def paths(*names: str) -> list[Path]:
    return [Path(f"{name}.egr") for name in names]


def test_a_program_goes_on_with_the_next_graph_whatever_happens_on_one(program: Path) -> None:
    inputs = paths("good", "crash", "wrong", "hang", "failed", "good")
    report = observe(program, inputs, (), PLAIN, timeout_s=0.5)
    assert [each.status for each in report.observations] == [
        "verified", "crashed", "wrong", "timeout", "failed", "verified",
    ]  # fmt: skip
    good, crash, wrong, hang, failed, _ = report.observations
    assert good == Observation("good", "verified", "", 3, "ab")
    assert crash.detail == "exit code -11: something broke"
    assert (wrong.detail, wrong.checksum) == ("vertex 1", "cd")
    assert hang.detail == "no result in 0.5 s"
    assert failed.detail == "no memory"
    assert report.finding(PLAIN) is None


def test_a_program_that_gives_up_has_not_crashed(program: Path) -> None:
    report = observe(program, paths("memory", "fault", "good"), (), PLAIN, timeout_s=5)
    assert [each.status for each in report.observations] == ["failed", "crashed", "verified"]
    assert report.observations[0].detail == "exit code 4: program: error: out of memory"


def test_options_that_a_program_does_not_take_are_an_error(program: Path) -> None:
    with pytest.raises(UserError, match="program: program: error: --threads takes a number"):
        observe(program, paths("good", "usage"), (), PLAIN, timeout_s=5)


def test_patience_ends(program: Path) -> None:
    report = observe(program, paths("hang1", "hang2", "good"), (), PLAIN, timeout_s=0.2, patience=2)
    assert [each.graph for each in report.observations] == ["hang1", "hang2"]


@pytest.mark.parametrize("where", [">&2", "> $LOG"])
def test_a_tool_is_heard_on_stderr_and_in_its_log(program: Path, tmp_path: Path, where: str) -> None:
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f'#!/bin/sh\nLOG=$1; shift\necho "FOUND: a $KIND race" {where}\nexec "$@"\n')
    wrapper.chmod(0o755)
    finding = re.compile(r"FOUND: a ([a-z ]+)")
    tool = Tool("tool", "plain", ("cpp",), {}, (str(wrapper), "{log}"), {"KIND": "data"}, finding)
    report = observe(program, paths("crash", "good"), (), tool, timeout_s=5)
    assert report.finding(tool) == "data race"
    assert [each.status for each in report.observations] == ["crashed", "verified"]


RACE = "Error: Race reported between Write access at sum(int *)+0x90 in a.cu:13"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((RACE, "    and Read access at sum(int *)+0xa0 in a.cu:14 [8 hazards]"), RACE.removeprefix("Error: ")),
        (("Error: No track of a launch", "RACECHECK SUMMARY: 1 hazard displayed"), "No track of a launch"),
        (("RACECHECK SUMMARY: 1 hazard displayed",), "RACECHECK SUMMARY: 1 hazard displayed"),
        (("Error: process didn't terminate successfully", "RACECHECK SUMMARY: 0 hazards displayed"), None),
        (("RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)",), None),
    ],
)
def test_racecheck_is_quoted_with_the_place(lines: tuple[str, ...], said: str | None) -> None:
    clean = ("COMPUTE-SANITIZER", "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)")
    words = "".join(f"========= {line}\n" for line in (*clean, "COMPUTE-SANITIZER", *lines))
    racecheck = next(tool for tool in TOOLS if tool.name == "racecheck")
    assert Report([], words).finding(racecheck) == said
    noisy = "========= Warning: nothing that matters\n" + "=========     at a.cu:13\n" * 200_000  # read in linear time
    assert Report([], noisy + words).finding(racecheck) == said
