"""Measuring in many processes: none of them outlives the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from generator.errors import UserError
from trust.pool import for_each

COMMAND = """
import os, sys, time
from pathlib import Path
from runner.process.execute import execute
from trust import __main__ as command
from trust.pool import for_each

folder = Path(sys.argv.pop())

def work(task):
    (folder / f"worker{task}").write_text(str(os.getpid()))
    file = folder / f"program{task}"
    execute(["sh", "-c", f"echo $$ >{file}.new; mv {file}.new {file}; sleep 300 & wait"], 300)

@command.app.command()
def measure():
    for_each(range(4), work, print, jobs=2, title="tasks")

command.main()
"""


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_command(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", COMMAND, "measure", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as main:
        deadline = time.monotonic() + 60
        while len([*tmp_path.glob("program?")]) < 2:
            assert main.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        pids = [int(file.read_text()) for pattern in ("program?", "worker?") for file in tmp_path.glob(pattern)]
        assert len(pids) == 4
        os.kill(main.pid, number)
        assert main.stderr is not None
        said = main.stderr.read()
        main.wait(60)
    while any(map(is_alive, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert "Traceback" not in said
    assert main.returncode == (-9 if number == signal.SIGKILL else 130)
    assert len([*tmp_path.glob("worker?")]) == 2  # and none has begun with another task


def kill_two(task: int) -> int:
    if task == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_process_that_is_killed_is_one_line_and_loses_nothing() -> None:
    stored: list[int] = []

    def store(task: int) -> None:
        time.sleep(0.2)  # so that the process is killed meanwhile
        stored.append(task)

    with pytest.raises(UserError, match=r"tasks: a process was killed, .* fewer --jobs than 1 need less"):
        for_each(range(4), kill_two, store, jobs=1, title="tasks")
    assert sorted(stored) == [0, 1]
