from __future__ import annotations

import subprocess
import sys
import time
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from runner.process.execute import MAX_STDERR, MAX_STDOUT, Ended, Outcome, Stop, execute, execute_all
from runner.process.job import children
from runner.process.limits import MAX_FILE_BYTES, Limits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def shell(script: str, timeout_s: float = 10.0) -> Outcome:
    return execute(["sh", "-c", script], timeout_s)


def test_output_and_exit_code_are_kept() -> None:
    outcome = shell("echo out; echo err >&2; exit 5")
    assert (outcome.exit_code, outcome.stopped, outcome.stdout, outcome.stderr) == (5, None, b"out\n", b"err\n")
    assert 0 < outcome.wall_s < 5


def test_the_end_of_a_short_program_is_noticed_at_once() -> None:
    assert min(shell("exit 0").wall_s for _ in range(5)) < 0.1


def test_a_signal_is_a_negative_exit_code() -> None:
    assert shell("kill -9 $$").exit_code == -9


def test_a_program_is_stopped_at_its_time_limit() -> None:
    start = time.monotonic()
    outcome = shell("echo begun; sleep 60", timeout_s=0.2)
    assert time.monotonic() - start < 5
    assert (outcome.stopped, outcome.stdout) == (Stop.TIMEOUT, b"begun\n")


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupt_while_a_program_is_started_is_not_lost(number: str) -> None:
    script = f"""
import os, signal
from runner.process.execute import execute
signal.signal(signal.{number}, signal.default_int_handler)
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.{number}))
try:
    execute(["sleep", "60"], 60)
except KeyboardInterrupt:
    print("interrupted", signal.getsignal(signal.{number}) is signal.default_int_handler)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=50, check=True)
    assert (ended.stdout, ended.stderr) == ("interrupted True\n", "")


def test_a_program_can_be_interrupted() -> None:
    assert execute(["grep", "SigBlk", "/proc/self/status"], 10).stdout == b"SigBlk:\t0000000000000000\n"


def test_a_program_that_closes_its_output_still_has_a_time_limit() -> None:
    assert shell("exec >&- 2>&-; sleep 60", timeout_s=0.2).stopped is Stop.TIMEOUT


def test_a_flood_is_stopped_and_bounded() -> None:
    outcome = shell("yes")
    assert outcome.stopped is Stop.FLOOD
    assert len(outcome.stdout) < 2 * MAX_STDOUT


def test_only_the_end_of_stderr_is_kept() -> None:
    outcome = execute([sys.executable, "-c", "import sys; sys.stderr.write('x' * 10**6 + 'end')"], 10)
    assert outcome.exit_code == 0
    assert len(outcome.stderr) == MAX_STDERR
    assert outcome.stderr.endswith(b"xend")


def test_everything_printed_just_before_the_end_arrives() -> None:
    for _ in range(20):
        assert len(shell("head -c 50000 /dev/zero").stdout) == 50_000


def test_children_that_are_left_behind_do_not_outlive_the_job(
    tmp_path: Path, is_running: Callable[[int], bool]
) -> None:
    pid_file = tmp_path / "pid"
    outcome = shell(f"sleep 60 & echo $! > {pid_file}; echo done")
    assert (outcome.exit_code, outcome.stdout) == (0, b"done\n")
    assert outcome.wall_s < 5
    deadline = time.monotonic() + 5
    while is_running(int(pid_file.read_text())):
        assert time.monotonic() < deadline


def test_a_missing_program_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        execute(["/nonexistent"], 1)


def test_not_even_children_in_sessions_of_their_own_outlive_the_job(
    tmp_path: Path, is_running: Callable[[int], bool]
) -> None:
    pid_file = tmp_path / "pids"
    child = f"sh -c 'echo $$ >> {pid_file}; sleep 60 & wait'"
    script = f"for i in $(seq 20); do setsid {child} & setsid env -i {child} & done; wait"
    assert shell(script, timeout_s=1.0).stopped is Stop.TIMEOUT
    pids = [int(pid) for pid in pid_file.read_text().split()]
    assert len(pids) > 10
    assert not any(is_running(pid) for pid in pids)


def test_a_job_ends_only_what_is_its_own(tmp_path: Path) -> None:
    other, done = tmp_path / "other", tmp_path / "done"
    stray = f"setsid env -i sh -c 'until [ -e {other} ]; do sleep 0.01; done; sleep 0.1; touch {done}'"
    commands = [f"({stray} &); until [ -e {done} ]; do sleep 0.01; done", f"(setsid sleep 60 &); touch {other}"]
    assert all(
        each.complaint is None for each in execute_all([["sh", "-c", each] for each in commands], 10, parallel=2)
    )


def test_a_job_ends_beside_a_child_that_is_no_job() -> None:
    with subprocess.Popen(["/bin/sh", "-c", "exec sleep 60"]) as child:
        assert shell("(setsid sleep 60 &)").wall_s < 5
        assert child.poll() is None
        child.kill()


def test_a_job_within_a_job_ends_with_it(tmp_path: Path, is_running: Callable[[int], bool]) -> None:
    """One that is killed can't end its own."""
    pid_file = tmp_path / "pid"
    inner = f"setsid env -i sh -c 'echo $$ > {pid_file}; exec sleep 60' & wait"
    outer = f"from runner.process.execute import execute; execute(['sh', '-c', {inner!r}], 60)"
    ended = execute(["sh", "-c", f'{sys.executable} -c "$0" & until [ -s {pid_file} ]; do sleep 0.01; done', outer], 60)
    assert ended.exit_code == 0
    assert not is_running(int(pid_file.read_text()))


@pytest.mark.turns(8)
def test_children_of_one_that_takes_long_to_end_do_not_outlive_the_job(
    tmp_path: Path, is_running: Callable[[int], bool]
) -> None:
    """While its memory is given back it has no environment any more, and its children are not ours yet."""
    pid_file = tmp_path / "pid"
    hoarder = f"""
import subprocess
hoard = b"." * (1 << 29)
child = subprocess.Popen(["sleep", "60"], start_new_session=True)
open({str(pid_file)!r}, "w").write(str(child.pid))
child.wait()
"""
    (tmp_path / "hoarder.py").write_text(hoarder)
    shell(f"setsid {sys.executable} {tmp_path / 'hoarder.py'} & until [ -s {pid_file} ]; do sleep 0.01; done", 60)
    assert not is_running(int(pid_file.read_text()))


def test_memory_is_limited() -> None:
    hoard = [sys.executable, "-c", "x = bytearray(1 << 30)"]
    assert execute(hoard, 10, limits=Limits(memory_bytes=1 << 28)).exit_code == 1
    assert execute([sys.executable, "-c", ""], 10, limits=Limits(memory_bytes=1 << 28)).exit_code == 0


def test_files_are_limited_and_cores_not_written(tmp_path: Path) -> None:
    outcome = shell(f"head -c 100000000 /dev/zero > {tmp_path / 'big'}; ulimit -c")
    assert outcome.stdout == b"0\n"
    assert (tmp_path / "big").stat().st_size == MAX_FILE_BYTES


def test_references_may_be_large(tmp_path: Path) -> None:
    script = f"head -c 100000000 /dev/zero > {tmp_path / 'big'}"
    assert list(execute_all([["sh", "-c", script]], 10, parallel=1)) == [Ended(0, None)]


def test_commands_run_in_parallel_and_failures_are_told() -> None:
    telling = ["sh", "-c", "echo; echo no such vertex >&2; echo more >&2; exit 3"]
    commands = [["sleep", "0.3"], ["false"], ["sleep", "0.3"], ["/nonexistent"], ["sleep", "60"], telling]
    start = time.monotonic()
    ended = {each.index: each.complaint for each in execute_all(commands, 0.6, parallel=6)}
    assert [ended[index] for index in range(6)] == [
        None,
        "exit code 1",
        None,
        "it cannot be started: No such file or directory",
        "not done after 0.6 s",
        "no such vertex",
    ]
    assert time.monotonic() - start < 2


@pytest.mark.turns(8)
def test_children_are_known_while_threads_end() -> None:
    """Each ending thread hands its children to another one; a job of which none were seen was taken to be over."""
    done = Event()

    def start_threads() -> None:
        while not done.is_set():
            thread = Thread(target=lambda: None)
            thread.start()
            thread.join()

    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as child:
        busy = [Thread(target=start_threads) for _ in range(2)]
        for thread in busy:
            thread.start()
        seen = [child.pid in children() for _ in range(3000)]
        done.set()
        for thread in busy:
            thread.join()
        child.kill()
    assert all(seen)
