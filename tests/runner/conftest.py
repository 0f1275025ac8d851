"""What the tests of the runner share: a checkout in miniature whose "programs" are shell scripts.

The compiler is a shell script too: it copies a source to where the binary belongs, so that a build takes milliseconds.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest import mock

import psutil
import pytest
from rich.console import Console

from runner.best import searches
from runner.checkout import Checkout
from runner.cli import main
from runner.jobs.plan import Parameters
from runner.process import execute
from runner.progress import Progress
from runner.results.records import Record, Status
from runner.sweeps.here import run_sweep
from runner.sweeps.request import Request
from tests.notes import heard_by_children

REPOSITORY = Path(__file__).parents[2]
VERTICES, EDGES = 3, 4
MakeRecord = Callable[..., Record]

COMPILER = """#!/bin/sh
case "$1" in -dumpfullversion) echo 1.2.3; exit;; --version) echo "release 12.0, V12.0.1"; exit;; esac
for word; do
  case "$previous" in -o) output=$word;; -MF) echo "" > $word;; esac
  case "$word" in *.cpp|*.cu|*.begin.hpp) source=$word;; esac
  previous=$word
done
echo "$output" >> compiled.txt
united=$(sed -n 's|#include "\\(.*cpp\\)"|generated/runtime/\\1|p' $source)
if grep -q SYNTAX $source $united; then echo "$source:1: error: SYNTAX" >&2; exit 1; fi
cp $source $output && chmod +x $output
"""

REFERENCE = """#!/bin/sh
if [ $# = 2 ]; then
  if echo "$2" | cat - "$2" | grep -q LOOP; then
    echo "violet-reference: error: $2: neighbours[0] of vertex 0 is a self-loop" >&2; exit 3
  fi
  exit
fi
echo "$@" >> references.txt
cp $2 $3
"""


class Project:
    """A checkout with a fake compiler, one graph, and whatever programs a test adds."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.checkout = Checkout(root)
        self.results = root / "results"
        self.output = StringIO()
        tools = self.checkout.runtime / "tools"
        tools.mkdir(parents=True)
        (self.checkout.runtime / "harness.cpp").write_text("")
        self._write_script(tools / "reference_main.cpp", REFERENCE)
        self._write_script(root / "fake-cxx", COMPILER)
        self.checkout.manifest.write_text("name,model,algorithm,reference,path,sha256,direction,iteration\n")
        self.graph = self.add_graph("path")

    def add_graph(self, name: str, vertices: int = VERTICES) -> Path:
        file = self.root / f"{name}.egr"
        file.write_bytes(struct.pack("<9i", vertices, EDGES, 0, 1, 3, 4, 1, 0, 2) + name.encode())
        return file

    def add_plain_graph(self, name: str) -> Path:
        """Adds a graph of the right size for one without weights."""
        file = self.root / f"{name}.egr"
        file.write_bytes(struct.pack("<10i", VERTICES, EDGES, 0, 1, 3, 4, 1, 0, 2, 1))
        return file

    def add_directed_graph(self, name: str) -> Path:
        """Arcs from 0 to 1 and 2, from 1 to 2 and from 2 to 0, and the rows of those that come in."""
        rows = [*(0, 2, 3, 4), *(1, 2, 2, 0)]
        in_rows = [*(0, 1, 2, 4), *(2, 0, 0, 1), *(3, 0, 1, 2)]
        file = self.root / f"{name}.egr"
        header = struct.pack("<4sIqqII", b"EGR\xff", 3, VERTICES, EDGES, 0, 0)
        file.write_bytes(header + struct.pack("<20i", *rows, *in_rows))
        return file

    def add(self, name: str, script: str | None = None, reference: str | None = None) -> Path:
        """Add a program; by default it reports a verified run, and its algorithm's name is that of the serial one."""
        algorithm, model, *_ = name.split("-")
        path = Path(model, algorithm, f"{name}.{'cu' if model in ('cuda', 'multigpu') else 'cpp'}")
        with self.checkout.manifest.open("a") as manifest:
            direction = "directed" if name.endswith("-directed") else ""
            iteration = "edge" if "-edge" in name else "vertex"
            manifest.write(f"{name},{model},{algorithm},{reference or algorithm},{path},0,{direction},{iteration}\n")
        return self.write(self.checkout.generated / path, name, script)

    def write(self, source: Path, name: str, script: str | None = None) -> Path:
        source.parent.mkdir(parents=True, exist_ok=True)
        script = script or self.printing(name)
        self._write_script(source, f'#!/bin/sh\necho "{name} $@" >> started.txt\n{script}\n')
        return source

    def report(self, name: str, **changes: object) -> dict[str, object]:
        """Return what a program says about a run on the graph of the moment."""
        return {
            "program": name,
            "graph": "GRAPH",
            "vertices": VERTICES,
            "edges": EDGES,
            "rounds": 2,
            "samples_s": [0.25, 0.125],
            "verified": True,
            "checksum": "00ff",
            "phases_s": {"load": 0.5},
        } | changes

    def echo(self, report: dict[str, object]) -> str:
        """Return the shell command that prints a report of the graph $word."""
        return "echo '" + json.dumps(report).replace("GRAPH", "'$word'") + "'"

    def printing(self, name: str, exit_code: int = 0, **changes: object) -> str:
        """Return the script of a program that prints a report of every graph it is given."""
        report = self.report(name, verified=exit_code == 0) | changes
        return f"for word; do case $word in *.egr) {self.echo(report)};; esac; done; exit {exit_code}"

    def request(self, **changes: object) -> Request:
        options: dict[str, object] = {
            "programs": ("*",),
            "graphs": (str(self.graph),),
            "parameters": Parameters(threads=2, reps=3),
            "results": self.results,
            "timeout_s": 20.0,
            "seed": 1,
        }
        return Request(**(options | changes))

    def sweep(self, **changes: object) -> list[Record]:
        progress = Progress(Console(file=self.output, width=200))
        return run_sweep(self.checkout, self.request(**changes), progress).records

    def start(self, *arguments: object, preexec_fn: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        """Start `python -m runner` here."""
        return subprocess.Popen(
            [sys.executable, "-m", "runner", *map(str, arguments)],
            cwd=self.root,
            env=os.environ | heard_by_children(PYTHONPATH=str(REPOSITORY)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=preexec_fn,
        )

    def command(self, *arguments: object) -> tuple[int, str, str]:
        """Run what `python -m runner` runs, here and in this process: to start another takes a second."""
        out, err = StringIO(), StringIO()
        handler = signal.getsignal(signal.SIGTERM)
        words = ["runner", *map(str, arguments)]
        if words[1] in ("best", "solve"):  # programs of a test are none that Violet can write
            words.append("--generated")
        try:
            with redirect_stdout(out), redirect_stderr(err), mock.patch.object(sys, "argv", words):
                main()
        except SystemExit as end:
            code = end.code
        finally:
            signal.signal(signal.SIGTERM, handler)
        return int(code or 0), out.getvalue(), err.getvalue()

    def wait_until(self, condition: Callable[[], object], timeout_s: float = 20.0) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            assert time.monotonic() < deadline, "waited too long"
            time.sleep(0.01)

    def started(self) -> list[str]:
        """Name the programs that ran, in order."""
        return [line.split()[0] for line in self._lines("started.txt")]

    def compiled(self) -> list[str]:
        """Name what was compiled but for headers, in order, and forget it."""
        names = [Path(line).name.removesuffix(".tmp") for line in self._lines("compiled.txt")]
        (self.root / "compiled.txt").unlink(missing_ok=True)
        return [name for name in names if not name.endswith(".gch")]

    def lines(self) -> list[dict[str, object]]:
        """Return all records as plain JSON."""
        return [json.loads(line) for file in sorted(self.results.glob("*.jsonl")) for line in file.open()]

    def lines_that_are_whole(self) -> list[dict[str, object]]:
        """Return the records without what a kill has torn."""
        texts = [file.read_text() for file in sorted(self.results.glob("*.jsonl"))]
        return [json.loads(line) for text in texts for line in text.split("\n")[:-1]]

    def _lines(self, name: str) -> list[str]:
        file = self.root / name
        return file.read_text().splitlines() if file.exists() else []

    def _write_script(self, path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A miniature checkout, the current folder, without CUDA."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CXX", "./fake-cxx")
    monkeypatch.setenv("NVCC", "no-nvcc")
    monkeypatch.delenv("MAKEFLAGS", raising=False)
    monkeypatch.setattr(execute, "_GRACE_S", 0.2)
    monkeypatch.setattr(searches, "MEASUREMENTS", tmp_path / "none")  # it takes two seconds to read them
    monkeypatch.setattr(psutil, "getloadavg", lambda: (0.0, 0.0, 0.0))  # or all commands warn of what tests do
    return Project(tmp_path)


@pytest.fixture
def is_running() -> Callable[[int], bool]:
    """Tell whether a process runs; one that nobody has waited for yet does not."""

    def check(pid: int) -> bool:
        try:
            return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    return check


@pytest.fixture
def record() -> MakeRecord:
    """Make a record; its fields can be chosen."""

    def make(**changes: object) -> Record:
        fields: dict[str, object] = {
            "key": "k",
            "program": "bfs-cpp-a",
            "algorithm": "bfs",
            "model": "cpp",
            "graph": "g",
            "status": Status.CRASHED,
            "vertices": 3,
            "edges": 4,
            "session": "s",
            "source_sha256": "",
            "graph_sha256": "",
            "machine": "m",
            "parameters": Parameters(),
            "samples_s": [0.5] if changes.get("status") is Status.VERIFIED else [],
        }
        return Record(**(fields | changes))

    return make
