from __future__ import annotations

import hashlib
import json
import multiprocessing
import random
import resource
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from runner.errors import RunnerError
from runner.hashing import hash_file
from runner.jobs.build import build
from runner.jobs.plan import Parameters
from runner.jobs.programs import read_programs
from runner.machine.machine import Gpu
from runner.machine.pinning import Places, ProcBind
from runner.results.records import Status
from runner.results.session import read_sessions
from tests.memory import LONG

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from runner.results.records import Record
    from tests.runner.conftest import Project

KILLS = 50 if LONG else 12
FAULTS = {
    "fine": (None, Status.VERIFIED, None),
    "wrong": ("REPORT 1", Status.WRONG, "wrong result"),
    "usage": ("echo what >&2; exit 2", Status.CRASHED, "it does not accept its command line"),
    "graph": ("exit 3", Status.REFUSED, "it does not accept the graph"),
    "memory": ("exit 4", Status.SKIPPED, "too little memory, or no working device"),
    "odd": ("exit 77", Status.CRASHED, "exit code 77"),
    "segfault": ("kill -SEGV $$", Status.CRASHED, "killed by SIGSEGV"),
    "hang": ("sleep 60", Status.TIMEOUT, "not done after 1 s"),
    "stubborn": ("trap '' TERM; while :; do sleep 0.05; done", Status.TIMEOUT, "not done after 1 s"),
    "flood": ("yes | tr -d '\\n'", Status.CRASHED, "it printed without end"),
    "chatter": ("yes", Status.CRASHED, "it printed no report: Invalid JSON: expected value"),
    "silent": ("exit 0", Status.CRASHED, "it printed no report"),
    "garbage": ("echo hello", Status.CRASHED, "it printed no report: Invalid JSON: expected value"),
    "partial": ("""printf '{"program": "bfs'""", Status.CRASHED, "it printed no report"),
    "missing": ("""echo '{"program": "bfs-cpp-missing"}'""", Status.CRASHED, "it printed no report: graph Field"),
    "other": ("REPORT 0", Status.CRASHED, "the report is of bfs-cpp-else"),
    "syntax": ("SYNTAX", Status.COMPILE_ERROR, "it does not compile"),
}


def test_every_way_to_fail_costs_its_own_job_only(project: Project) -> None:
    for fault, (script, _, _) in FAULTS.items():
        name = f"bfs-cpp-{fault}"
        if script == "REPORT 1":
            script = project.printing(name, exit_code=1)
        elif script == "REPORT 0":
            script = project.printing("bfs-cpp-else")
        project.add(name, script)

    records = {record.program.removeprefix("bfs-cpp-"): record for record in project.sweep(timeout_s=1.0)}

    assert {fault: record.status for fault, record in records.items()} == {
        fault: status for fault, (_, status, _) in FAULTS.items()
    }
    for fault, (_, _, reason) in FAULTS.items():
        assert (records[fault].reason or "").startswith(reason or ""), fault
    assert records["usage"].error == "what"
    assert "error: SYNTAX" in records["syntax"].error
    assert records["segfault"].exit_code == -signal.SIGSEGV
    assert records["stubborn"].exit_code is None


def test_a_program_that_is_not_there_any_more_is_not_to_blame(project: Project) -> None:
    for name in ("bfs-cpp-a", "bfs-cpp-b"):
        project.add(name, f"rm -r build/cpp; {project.printing(name)}")
    with pytest.raises(RunnerError, match=r"bfs-cpp-[ab] is gone: give the same command again"):
        project.sweep()
    assert [line["status"] for line in project.lines()] == [Status.VERIFIED]


def test_a_record_says_what_readers_rely_on(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    (record,) = project.lines()
    (session,) = (file.stem for file in (project.results / "sessions").glob("*.json"))
    expected = {
        "program": "bfs-cpp-a",
        "graph": "path",
        "algorithm": "bfs",
        "model": "cpp",
        "status": "verified",
        "samples_s": [0.25, 0.125],
        "rounds": 2,
        "vertices": 3,
        "edges": 4,
        "session": session,
        "phases_s": {"load": 0.5},
        "checksum": "00ff",
        "parameters": {"threads": 2, "reps": 3, "warmup": 1, "source": None, "query": {}} | dict.fromkeys(UNSET),
        "exit_code": 0,
        "reason": None,
    }
    assert expected.items() <= record.items()
    assert record["wall_s"] > 0
    assert record["spread"] == pytest.approx(1 / 3)
    assert record["noisy"] is True
    assert record["conditions"]["load_average"] >= 0


def test_a_record_is_tied_to_what_was_built(project: Project) -> None:
    header = project.checkout.runtime / "violet.hpp"
    header.parent.mkdir(exist_ok=True)
    header.write_text("// one\n")
    source = project.add("bfs-cpp-a", script='#include "violet.hpp"\n' + project.printing("bfs-cpp-a"))
    project.sweep()
    (record,) = project.lines()
    assert record["source_sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert record["includes"] == ["violet.hpp"]
    (session,) = read_sessions(project.results)
    assert session.headers["violet.hpp"] == hashlib.sha256(b"// one\n").hexdigest()[:16]
    header.write_text("// two\n")
    project.sweep()
    first, second = project.lines()
    assert len(first["build_sha256"]) == 64
    assert first["build_sha256"] != second["build_sha256"]


def test_programs_get_the_parameters_and_the_reference(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-cpp-b")
    project.sweep(parameters=Parameters(threads=5, reps=7, warmup=2, source=1))
    (reference,) = project.checkout.references.glob("*.ref")
    for line in (project.root / "started.txt").read_text().splitlines():
        assert line.endswith(f"{project.graph} --threads 5 --reps 7 --warmup 2 --source 1 --reference {reference}")
    assert len((project.root / "references.txt").read_text().splitlines()) == 1


@pytest.mark.turns(8)
@pytest.mark.parametrize("damage", [lambda content: content[:-8], lambda content: b"damaged!" + content[8:]])
def test_a_damaged_reference_is_made_again(project: Project, damage: Callable[[bytes], bytes]) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    (reference,) = project.checkout.references.glob("*.ref")
    content = reference.read_bytes()
    reference.write_bytes(damage(content))
    project.add("bfs-cpp-b")
    project.sweep()
    assert reference.read_bytes() == content
    project.add("bfs-cpp-c")
    project.sweep()
    assert len((project.root / "references.txt").read_text().splitlines()) == 2


def test_a_damaged_reference_that_cannot_be_made_again_is_not_used(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    (reference,) = project.checkout.references.glob("*.ref")
    reference.write_bytes(b"damaged")
    project.checkout.reference_program.write_text("#!/bin/sh\nexit 1\n")
    project.add("bfs-cpp-b")
    project.sweep()
    assert "no reference of bfs on path" in project.output.getvalue()
    assert "--reference" not in (project.root / "started.txt").read_text().splitlines()[-1]


@pytest.mark.parametrize(("algorithm", "computed"), [("bfs", 0), ("cc", 1)])
def test_a_large_graph_needs_no_reference_where_there_is_a_certificate(
    project: Project, algorithm: str, computed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.jobs.references._LARGE", 4)  # directed edges, as the graph has
    project.add(f"{algorithm}-cpp-a")
    (record,) = project.sweep()
    assert record.status is Status.VERIFIED
    assert len(list(project.checkout.references.glob("*.ref"))) == computed
    assert ("--reference" in (project.root / "started.txt").read_text()) == bool(computed)
    assert "no reference" not in project.output.getvalue()


def test_a_reference_that_is_there_is_used_on_a_large_graph(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    monkeypatch.setattr("runner.jobs.references._LARGE", 4)  # directed edges, as the graph has
    project.add("bfs-cpp-b")
    project.sweep()
    (reference,) = project.checkout.references.glob("*.ref")
    assert f"--reference {reference}" in (project.root / "started.txt").read_text().splitlines()[-1]
    reference.write_bytes(b"damaged")
    project.add("bfs-cpp-c")
    project.sweep()
    assert "--reference" not in (project.root / "started.txt").read_text().splitlines()[-1]


@pytest.mark.turns(8)
def test_an_interrupt_keeps_the_references_that_are_done(project: Project) -> None:
    def count() -> int:
        return len(list(project.checkout.references.glob("*.ref")))

    project.add("bfs-cpp-a")
    project.sweep()
    before = count()
    quick, slow = project.add_graph("quick"), project.add_graph("slow")
    program = project.checkout.reference_program
    program.write_text('#!/bin/sh\n[ "$3" ] || exit 0\ncase "$2" in *slow*) exec sleep 60;; esac\ncp "$2" "$3"\n')
    process = project.start("run", "--graphs", quick, slow)
    project.wait_until(lambda: count() > before)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert count() == before + 1


def test_independent_sets_by_another_order_have_a_reference_of_their_own(project: Project) -> None:
    project.add("mis-cpp-a")
    project.add("mis-cpp-b", reference="mis-degree")
    project.sweep()
    references = {path.name for path in project.checkout.references.glob("*.ref")}
    started = (project.root / "started.txt").read_text().splitlines()
    used = {line.split()[0]: line.split("/")[-1] for line in started}
    assert set(used.values()) == references
    computed = (project.root / "references.txt").read_text().splitlines()
    assert sorted(line.split()[0] for line in computed) == ["mis", "mis-degree"]


def test_a_program_gets_all_its_graphs_in_one_process(project: Project) -> None:
    graphs = [str(project.graph), str(project.add_graph("b")), str(project.add_graph("c"))]
    project.add("bfs-cpp-a")
    project.sweep(graphs=graphs[:1])
    project.sweep(graphs=graphs)
    _, second = (project.root / "started.txt").read_text().splitlines()
    assert second.startswith(f"bfs-cpp-a {graphs[1]} {graphs[2]} --threads 2")
    assert second.count("--reference") == 2
    assert [line["graph"] for line in project.lines()] == ["path", "b", "c"]


UNSET = ("tuning", "weights", "budget", "proc_bind", "places", "gpus", "latency", "partition")
SHARED_FAULTS = {
    "crash": ("kill -SEGV $$", Status.CRASHED, "killed by SIGSEGV"),
    "hang": ("sleep 60", Status.TIMEOUT, "not done after 1 s"),
    "device": ("exit 4", Status.SKIPPED, "too little memory, or no working device"),
    "silence": ("exit 0", Status.CRASHED, "it printed no report"),
    "garbage": ("echo garbage", Status.CRASHED, "it printed no report: Invalid JSON"),
    "refusal": ("REFUSAL", Status.REFUSED, "it does not accept the graph"),
}


@pytest.mark.turns(8)
@pytest.mark.parametrize("fault", SHARED_FAULTS)
def test_a_fault_on_one_graph_costs_that_graph_only(project: Project, fault: str) -> None:
    script, status, reason = SHARED_FAULTS[fault]
    refusal = {"program": "bfs-cpp-a", "graph": "GRAPH", "verified": None, "exit_code": 3, "error": "bad"}
    report = project.report("bfs-cpp-a")
    on_b = script if script != "REFUSAL" else f"{project.echo(refusal)}; code=3; continue"
    project.add(
        "bfs-cpp-a",
        f"for word; do case $word in *b.egr) {on_b};; *.egr) {project.echo(report)};; esac; done; exit $code",
    )
    graphs = [project.add_graph(name) for name in "abcd"]
    records = project.sweep(graphs=[str(graph) for graph in graphs], timeout_s=1.0)
    assert [record.graph for record in records] == list("abcd")
    assert [record.status for record in records] == [Status.VERIFIED, status, Status.VERIFIED, Status.VERIFIED]
    assert (records[1].reason or "").startswith(reason)
    assert len(project.started()) == (1 if fault == "refusal" else 2)


def test_each_graph_has_the_whole_time_limit(project: Project) -> None:
    project.add(
        "bfs-cpp-a",
        f"for word; do case $word in *.egr) sleep 0.5; {project.echo(project.report('bfs-cpp-a'))};; esac; done",
    )
    graphs = [str(project.add_graph(name)) for name in "abc"]
    records = project.sweep(graphs=graphs, timeout_s=1.2)
    assert {record.status for record in records} == {Status.VERIFIED}
    assert all(0.4 < record.wall_s < 1.2 for record in records)


def test_a_record_is_on_disk_before_its_process_ends(project: Project) -> None:
    project.add(
        "bfs-cpp-a",
        f"for word; do case $word in *.egr) {project.echo(project.report('bfs-cpp-a'))}; sleep 9;; esac; done",
    )
    process = project.start("run", "--graphs", project.graph, project.add_graph("b"), "--reps", 3)
    project.wait_until(lambda: len(project.lines()) == 1)
    process.kill()
    process.communicate()


@pytest.mark.turns(8)
@pytest.mark.parametrize(
    ("ending", "status", "reason"),
    [
        ("kill -SEGV $$", Status.CRASHED, "after its report: killed by SIGSEGV"),
        ("exit 1", Status.WRONG, "its exit code and its report disagree"),
        ("sleep 60", Status.TIMEOUT, "after its report: not done after 1 s"),
        ("yes", Status.VERIFIED, None),
    ],
)
def test_the_end_of_a_process_must_confirm_its_last_report(
    project: Project, ending: str, status: Status, reason: str | None
) -> None:
    report = project.echo(project.report("bfs-cpp-a"))
    project.add("bfs-cpp-a", f"for word; do case $word in *.egr) {report};; esac; done; {ending}")
    records = project.sweep(graphs=[str(project.graph), str(project.add_graph("b"))], timeout_s=1.0)
    assert [(record.status, record.reason) for record in records] == [(Status.VERIFIED, None), (status, reason)]


def test_the_parameters_alone_pin_threads(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_SCHEDULE", "dynamic")
    monkeypatch.setenv("OMP_PLACES", "sockets")
    monkeypatch.setenv("VIOLET_PLACES", "7")
    monkeypatch.setattr("runner.machine.pinning.os.sched_getaffinity", lambda _: {0, 1, 2, 3})
    monkeypatch.setattr("runner.machine.pinning._TOPOLOGY", project.root)
    for name in ("bfs-openmp-a", "bfs-cpp-a"):
        project.add(name, "echo $OMP_PROC_BIND,$OMP_PLACES,$OMP_SCHEDULE,$VIOLET_PLACES >&2; " + project.printing(name))
    pinned = Parameters(threads=2, proc_bind=ProcBind.SPREAD, places=Places.THREADS)
    for record in project.sweep(parameters=pinned):
        assert record.error == "spread,threads,,0;2"
        assert record.parameters == pinned
    free = pinned.model_copy(update={"proc_bind": ProcBind.FALSE})
    assert [record.error for record in project.sweep(parameters=free)] == ["false,threads,,"] * 2


def test_programs_have_a_memory_limit(project: Project) -> None:
    project.add("bfs-cpp-a", "ulimit -d >&2; " + project.printing("bfs-cpp-a"))
    (record,) = project.sweep(memory_bytes=1 << 30)
    assert record.error == str(1 << 20)  # KiB


def test_a_retry_repeats_only_what_ended_so(project: Project) -> None:
    source = project.add("bfs-cpp-a", "exit 77")
    project.add("bfs-cpp-b", project.printing("bfs-cpp-b", exit_code=1))
    project.add("bfs-cpp-c")
    project.sweep()
    project.add("bfs-cpp-d")
    (project.root / "started.txt").unlink()
    records = project.sweep(retry=frozenset({Status.CRASHED, Status.TIMEOUT}))
    assert project.started() == ["bfs-cpp-a"]
    assert [record.program for record in records] == ["bfs-cpp-a", "bfs-cpp-b", "bfs-cpp-c"]
    assert source.exists()


HOLD = 'if [ "$1" = --hold ]; then echo open | tee -a held.txt; cat; echo closed >> held.txt; exit; fi'


@pytest.fixture
def gpu(project: Project, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A machine with nvcc and two GPUs, whose health is a shell script."""
    monkeypatch.setenv("NVCC", "./fake-cxx")
    monkeypatch.setenv("CUDA_ARCH", "sm_90")
    card = Gpu(name="a GPU", memory_mib="1", driver="1", compute_capability="9.0")
    monkeypatch.setattr("runner.machine.machine._gpus", lambda: (card, card))
    monkeypatch.setattr("runner.timing.device._PAUSES_S", (0.0, 0.01, 0.01))

    def set_health(script: str) -> None:
        check = project.checkout.runtime / "tools" / "gpu_check.cu"
        check.write_text(f"#!/bin/sh\n{HOLD}\necho >> checks.txt\n{script}\n")
        check.chmod(0o755)

    return set_health


def test_a_partition_is_that_of_its_content(project: Project, gpu: Callable[[str], None]) -> None:
    gpu("exit 0")
    for name in ("bfs-multigpu-a", "tc-multigpu-edge-a", "bfs-cpp-a"):
        project.add(name)
    owners = project.root / "owners.part"
    two = Parameters(threads=2, reps=3, gpus=2)

    def sweep() -> tuple[list[str], dict[str, Record]]:
        before = len(project.started())
        records = project.sweep(parameters=two, partition=owners if owners.exists() else None)
        return sorted(project.started()[before:]), {record.program: record for record in records}

    assert sweep()[0] == ["bfs-cpp-a", "bfs-multigpu-a", "tc-multigpu-edge-a"]
    owners.write_text("0\n1\n1\n")
    started, records = sweep()
    assert started == ["bfs-multigpu-a"]
    named = records["bfs-multigpu-a"].parameters.partition
    assert named is not None
    assert (named.name, named.sha256) == ("owners.part", hash_file(owners))
    assert named.graph_sha256 == hash_file(project.graph)
    assert f"--gpus 2 --partition {owners}" in (project.root / "started.txt").read_text().splitlines()[-1]
    assert records["bfs-cpp-a"].parameters.partition is None
    left_out = records["tc-multigpu-edge-a"]
    assert (left_out.status, left_out.reason) == (
        Status.SKIPPED,
        "a partition is about vertices, and these programs share out edges",
    )
    assert "1 jobs skipped: a partition is about vertices" in project.output.getvalue()
    assert str(project.root) not in max(project.results.glob("*.jsonl")).read_text()

    owners.rename(project.root / "renamed")
    owners = project.root / "renamed"
    assert sweep()[0] == []
    owners.write_text("1\n1\n0")
    assert sweep()[0] == ["bfs-multigpu-a"]
    (jobs,) = {line["jobs"] for line in json.loads(project.command("status", "--json")[1]) if line["algorithm"] == "tc"}
    assert jobs == 1


@pytest.mark.turns(8)
@pytest.mark.parametrize("name", ["owners", "path.egr"])
def test_no_record_is_of_a_file_that_has_changed(project: Project, gpu: Callable[[str], None], name: str) -> None:
    gpu("exit 0")
    owners = project.root / "owners"
    owners.write_text("0\n1\n1\n")
    path = project.root / name
    content = path.read_bytes()
    two = Parameters(threads=2, reps=3, gpus=2)
    for end in "abc":  # the second that runs finds another file
        program = f"bfs-multigpu-{end}"
        change = f"[ $(wc -l < started.txt) = 2 ] && printf 0 >> {path}"
        project.add(program, f"{change}; {project.printing(program)}")
    with pytest.raises(RunnerError, match=f"{path} has changed"):
        project.sweep(parameters=two, partition=owners)
    assert (len(project.started()), len(project.lines())) == (2, 1)
    path.write_bytes(content)
    assert len(project.sweep(parameters=two, partition=owners)) == 3
    assert len(project.started()) == 4


def test_no_reference_is_of_a_graph_that_has_changed(project: Project) -> None:
    project.add("bfs-cpp-a")
    reference = project.checkout.runtime / "tools" / "reference_main.cpp"
    script = reference.read_text()
    reference.write_text(f"{script}printf 0 >> $2\n")
    with pytest.raises(RunnerError, match="has changed"):
        project.sweep()
    assert not list(project.checkout.references.glob("*.ref"))


def test_a_graph_that_no_file_divides_is_as_it_was(project: Project, gpu: Callable[[str], None]) -> None:
    """What was measured of other graphs is not stale because the latest sweep had a partition."""
    gpu("exit 0")
    project.add("bfs-multigpu-a")
    two = Parameters(threads=2, reps=3, gpus=2)
    project.sweep(parameters=two, graphs=[str(project.add_graph("other"))])
    owners = project.root / "owners"
    owners.write_text("0\n1\n1\n")
    project.sweep(parameters=two, partition=owners)
    (row,) = json.loads(project.command("status", "--json")[1])
    assert (row["state"], row["jobs"]) == ("done", 2)


def test_the_gpu_is_kept_open_while_programs_run(project: Project, gpu: Callable[[str], None]) -> None:
    gpu("exit 0")
    for name in ("bfs-cuda-a", "bfs-cuda-b"):
        project.add(name, f"cat held.txt >> seen.txt; {project.printing(name)}")
    assert len(project.sweep()) == 2
    assert (project.root / "seen.txt").read_text() == "open\nopen\n"
    assert (project.root / "held.txt").read_text() == "open\nclosed\n"


def test_programs_run_even_if_the_gpu_cannot_be_kept_open(project: Project, gpu: Callable[[str], None]) -> None:
    gpu("exit 0")
    check = project.checkout.runtime / "tools" / "gpu_check.cu"
    check.write_text("#!/bin/sh\nexit 4\n")
    project.add("bfs-cuda-a")
    assert [record.status for record in project.sweep()] == [Status.VERIFIED]


@pytest.mark.turns(8)
@pytest.mark.parametrize("fault", ["exit 4", "kill -SEGV $$", "sleep 60"])
def test_a_failure_on_a_gpu_that_works_is_the_programs_own(
    project: Project, gpu: Callable[[str], None], fault: str
) -> None:
    gpu("exit 0")
    project.add("bfs-cuda-a", fault)
    project.add("bfs-cuda-b")
    assert len(project.sweep(timeout_s=0.5)) == 2
    assert (project.root / "checks.txt").read_text() == "\n"


def test_a_gpu_that_stays_broken_stops_the_sweep(project: Project, gpu: Callable[[str], None]) -> None:
    gpu("exit 4")
    for name in "abc":
        project.add(f"bfs-cuda-{name}", "exit 4")
    with pytest.raises(RunnerError, match=r"does not compute any more since bfs-cuda-.: 3 checks in a row failed"):
        project.sweep()
    assert len(project.started()) == 1
    assert len(project.lines()) == 1


def test_a_gpu_that_recovers_lets_the_sweep_go_on(project: Project, gpu: Callable[[str], None]) -> None:
    gpu("test $(wc -l < checks.txt) -ge 3")
    project.add("bfs-cuda-a", "exit 4")
    project.add("bfs-cuda-b")
    assert len(project.sweep()) == 2


def test_a_reference_may_take_longer_than_a_job(project: Project) -> None:
    tools = project.checkout.runtime / "tools"
    (tools / "reference_main.cpp").write_text("#!/bin/sh\nsleep 1\ncp $2 $3\n")
    project.add("bfs-cpp-a")
    project.sweep(timeout_s=0.5)
    assert "--reference" in (project.root / "started.txt").read_text()


def test_without_a_reference_programs_run_all_the_same(project: Project) -> None:
    (project.checkout.runtime / "tools" / "reference_main.cpp").write_text("#!/bin/sh\nexit 2\n")
    project.add("bfs-cpp-a")
    (record,) = project.sweep()
    assert record.status is Status.VERIFIED
    assert "no reference of bfs on path" in project.output.getvalue()
    assert "--reference" not in (project.root / "started.txt").read_text()


def test_a_second_run_does_only_what_is_missing(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-cpp-b", "exit 77")
    project.sweep()
    project.add("bfs-cpp-c")
    assert len(project.sweep()) == 3
    assert Counter(project.started()) == {"bfs-cpp-a": 1, "bfs-cpp-b": 1, "bfs-cpp-c": 1}
    assert len(project.sweep()) == 3
    assert len(project.lines()) == 3
    assert len(list((project.results / "sessions").iterdir())) == 2


def test_what_changes_is_measured_again(project: Project) -> None:
    source = project.add("bfs-cpp-a")
    project.add("bfs-cpp-b")

    def started() -> list[str]:
        before = len(project.started())
        project.sweep(parameters=parameters)
        return sorted(project.started()[before:])

    parameters = Parameters(reps=3)
    assert started() == ["bfs-cpp-a", "bfs-cpp-b"]
    project.write(source, "bfs-cpp-a", project.printing("bfs-cpp-a", rounds=9))
    assert started() == ["bfs-cpp-a"]
    project.graph.write_bytes(project.graph.read_bytes() + b"1234")
    assert started() == ["bfs-cpp-a", "bfs-cpp-b"]
    (project.checkout.runtime / "harness.cpp").write_text("int changed;")
    assert started() == ["bfs-cpp-a", "bfs-cpp-b"]
    parameters = Parameters(reps=4)
    assert started() == ["bfs-cpp-a", "bfs-cpp-b"]
    assert started() == []


def test_another_machine_or_compiler_makes_another_job(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    monkeypatch.setenv("CXXFLAGS", "-O2")
    project.sweep()
    monkeypatch.setattr("runner.machine.machine._cpu_name", lambda: "another CPU")
    project.sweep()
    assert len(project.started()) == 3
    assert len({line["machine"] for line in project.lines()}) == 2


def test_cuda_is_skipped_with_the_reason(project: Project) -> None:
    project.add("bfs-cuda-a")
    project.add("bfs-cpp-a")
    cuda, cpp = project.sweep()
    assert (cuda.status, cuda.reason) == (Status.SKIPPED, "no nvcc")
    assert cpp.status is Status.VERIFIED
    assert "1 jobs skipped: no nvcc" in project.output.getvalue()


def test_the_order_is_shuffled_by_the_recorded_seed(project: Project) -> None:
    names = [f"bfs-cpp-{letter}" for letter in "abcdef"]
    for name in names:
        project.add(name)
    project.sweep(seed=42)
    random.Random(42).shuffle(names)
    assert project.started() == names
    assert '"seed": 42' in next((project.results / "sessions").iterdir()).read_text()


def test_no_build_leaves_out_what_is_out_of_date(project: Project) -> None:
    project.add("bfs-cpp-a")
    source = project.add("bfs-cpp-b")
    project.sweep()
    project.compiled()
    project.add("bfs-cpp-c")
    project.write(source, "bfs-cpp-b", project.printing("bfs-cpp-b", rounds=9))
    records = project.sweep(build=False, parameters=Parameters(reps=1))
    assert [record.program for record in records] == ["bfs-cpp-a"]
    assert project.compiled() == []
    assert "2 jobs left out" in project.output.getvalue()


def test_a_second_runner_is_refused(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.results.mkdir()
    with FileLock(project.results / ".lock"), pytest.raises(RunnerError, match="another runner is writing"):
        project.sweep()
    assert len(project.sweep()) == 1


@pytest.fixture
def killed_at_random(project: Project) -> Callable[..., int]:
    """Start sweeps, as processes of their own, and kill -9 each; return how many were killed.

    That happens after a random number of records, and a while. None comes to its end: programs wait at a gate, which
    lets a few more pass each time.
    """

    def run(times: int, most: int, gate: Path, **changes: object) -> int:
        killed = 0
        chance = random.Random(5)
        for number in range(times):
            gate.write_text(f"{(number + 1) * most}\n")
            options = changes | {"build": chance.random() < 0.3}
            enough = len(project.lines_that_are_whole()) + chance.randint(0, most // 2)
            process = multiprocessing.get_context("fork").Process(target=project.sweep, kwargs=options)
            process.start()
            project.wait_until(lambda enough=enough: len(project.lines_that_are_whole()) >= enough, timeout_s=200)
            time.sleep(chance.uniform(0, 0.3))
            process.kill()
            process.join()
            killed += process.exitcode == -signal.SIGKILL
        return killed

    return run


@pytest.mark.turns(8)
def test_kills_at_random_moments_lose_and_double_nothing(
    project: Project, killed_at_random: Callable[..., int]
) -> None:
    names = [f"bfs-cpp-{i}" for i in range(40)]
    gate, ran = project.root / "gate.txt", project.root / "ran.txt"
    ran.touch()
    wait = f"until read most < {gate} && [ $(wc -l < {ran}) -lt $most ]; do sleep 0.02; done; echo >> {ran}"
    for name in names:
        report = project.echo(project.report(name))
        project.add(name, f"for word; do case $word in *.egr) {wait}; {report};; esac; done")
    graphs = [str(project.add_graph(name)) for name in "abc"]
    build(project.checkout, read_programs(project.checkout, ["*"]))
    killed = killed_at_random(KILLS, most=100 // KILLS, gate=gate, graphs=graphs)
    before = project.lines_that_are_whole()
    with max(project.results.glob("*.jsonl")).open("a") as file:
        file.write('{"key": "torn')
    gate.write_text("1000\n")
    project.sweep(graphs=graphs)

    assert killed == KILLS
    assert 1 < len(before) < 120
    after = Counter((line["program"], line["graph"]) for line in project.lines())
    assert after == {(name, graph): 1 for name in names for graph in "abc"}
    assert before == project.lines()[: len(before)]


@pytest.mark.turns(8)
def test_a_full_disk_stops_the_sweep_with_one_line_and_the_next_run_goes_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python keeps the first bytes of what it has no room for
    names = [f"bfs-cpp-{i}" for i in range(60)]
    for name in names:
        project.add(name)
    room = 20_000  # bytes a file: schemas and the session fit, the records of 60 jobs do not
    arguments = ("run", "--graphs", project.graph)
    process = project.start(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "error: " in err.splitlines()[-1]
    assert "no space left" in err.splitlines()[-1]
    assert 0 < len(project.lines()) < 60
    assert project.command(*arguments)[0] == 0
    assert Counter(line["program"] for line in project.lines()) == dict.fromkeys(names, 1)


@pytest.fixture
def hanging(project: Project) -> tuple[subprocess.Popen[str], int]:
    """A runner whose second job hangs; and the process of that job."""
    project.add("bfs-cpp-a")
    project.add("bfs-cpp-b", "echo $$ > pid.txt; exec sleep 60")
    process = project.start("run", "--graphs", project.graph, "--seed", 0)
    pid_file = project.root / "pid.txt"
    project.wait_until(lambda: pid_file.exists() and pid_file.read_text())
    return process, int(pid_file.read_text())


def test_a_program_dies_with_its_runner(
    project: Project, hanging: tuple[subprocess.Popen[str], int], is_running: Callable[[int], bool]
) -> None:
    runner, job = hanging
    runner.kill()
    runner.communicate()
    project.wait_until(lambda: not is_running(job))


@pytest.mark.turns(8)
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done(
    project: Project,
    hanging: tuple[subprocess.Popen[str], int],
    is_running: Callable[[int], bool],
    signal_number: signal.Signals,
) -> None:
    runner, job = hanging
    runner.send_signal(signal_number)
    _, err = runner.communicate(timeout=20)
    assert runner.returncode == 130
    assert err.endswith("interrupted; results keeps what is done: give the same command to go on\n")
    assert not is_running(job)
    assert [line["program"] for line in project.lines()] == ["bfs-cpp-a"]


def test_a_compiler_ends_with_the_build(project: Project, is_running: Callable[[int], bool]) -> None:
    compiler = project.root / "fake-cxx"
    hang = "case $source in *bfs-*) echo $$ > pid.txt; exec sleep 60;; esac"
    compiler.write_text(compiler.read_text().replace("if grep", f"{hang}\nif grep"))
    project.add("bfs-cpp-a")
    runner = project.start("run", "--graphs", project.graph)
    pid_file = project.root / "pid.txt"
    project.wait_until(lambda: pid_file.exists() and pid_file.read_text())
    runner.terminate()
    runner.communicate(timeout=20)
    assert runner.returncode == 130
    assert not is_running(int(pid_file.read_text()))


def test_ctrl_c_twice_leaves_nothing_behind(project: Project, is_running: Callable[[int], bool]) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-cpp-b", "trap '' TERM; echo $$ > pid.txt; while :; do sleep 0.05; done")
    runner = project.start("run", "--graphs", project.graph, "--seed", 0)
    pid_file = project.root / "pid.txt"
    project.wait_until(lambda: pid_file.exists() and pid_file.read_text())
    runner.send_signal(signal.SIGINT)
    time.sleep(0.3)  # it now waits for the program to end by itself
    start = time.monotonic()
    runner.send_signal(signal.SIGINT)
    _, err = runner.communicate(timeout=20)
    assert time.monotonic() - start < 1.9
    assert runner.returncode == 130
    assert "Traceback" not in err
    assert not is_running(int(pid_file.read_text()))
    assert [line["program"] for line in project.lines()] == ["bfs-cpp-a"]


def started(project: Project) -> list[str]:
    return [line.split()[0] for line in (project.root / "started.txt").read_text().splitlines()]


def test_turns_alternate_programs_and_add_up_their_samples(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-cpp-b")
    records = project.sweep(turns=3)
    turns = [sorted(started(project)[i : i + 2]) for i in (0, 2, 4)]
    assert turns == [["bfs-cpp-a", "bfs-cpp-b"]] * 3
    assert [record.turns for record in records] == [[2, 2, 2]] * 2
    assert records[0].samples_s == [0.25, 0.125] * 3
    assert records[0].spread == pytest.approx(0.125 / 0.1875)
    assert "6 of 6 jobs done" in project.output.getvalue()
    project.sweep(turns=3)
    assert len(started(project)) == 6


def test_turns_go_on_where_they_were_stopped(project: Project) -> None:
    project.add("bfs-cpp-a")
    (once,) = project.sweep()
    assert once.turns == []
    project.add("bfs-cpp-b")
    first, second = project.sweep(turns=2)
    assert (first.turns, second.turns) == ([2, 2], [2, 2])
    assert started(project).count("bfs-cpp-a") == 2


def test_a_turn_that_fails_is_the_last(project: Project) -> None:
    counting = "echo x >> turns.txt; test $(wc -l < turns.txt) -lt 2 || exit 1"
    project.add("bfs-cpp-a", f"{counting}; {project.printing('bfs-cpp-a')}")
    (record,) = project.sweep(turns=3)
    assert (record.status, record.turns) == (Status.CRASHED, [])
    assert len(started(project)) == 2
    (again,) = project.sweep(turns=2, retry=frozenset({Status.CRASHED}))
    assert again.status == Status.CRASHED
    assert len(started(project)) == 3
