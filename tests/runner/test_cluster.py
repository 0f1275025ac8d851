"""Sweeps over real Dask workers, processes of their own on this machine, whose programs are shell scripts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from distributed import Client

from runner.cluster.scheduler import connect
from runner.errors import RunnerError
from runner.results.records import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.runner.conftest import Project

REPOSITORY = Path(__file__).parents[2]

NVIDIA_SMI = """#!/bin/sh
case "$1" in --query*) echo "$GPU, 1, 1, 9.0, 0, GPU-1" ;; *) echo "CUDA Version: 13.0" ;; esac
"""


class Cluster:
    """A scheduler, and workers whose machines have whatever GPU a test gives them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.processes = ExitStack()
        (root / "nvidia-smi").write_text(NVIDIA_SMI)
        (root / "nvidia-smi").chmod(0o755)
        self.file = root / "scheduler.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")

    def attach(self, project: Project) -> None:
        """Wait until the scheduler is there, and serve this project."""
        project.wait_until(lambda: self.file.exists() and self.file.read_text(), timeout_s=60)
        self.address = json.loads(self.file.read_text())["address"]
        self.project = project

    def add_worker(self, resources: str = "GPU=1 HOST=1", *options: str, **environment: str) -> subprocess.Popen[bytes]:
        compiler = str(self.project.root / "fake-cxx")
        ours = {"CXX": compiler, "NVCC": compiler, "PATH": f"{self.root}:{os.environ['PATH']}", "GPU": "a GPU"}
        offer = ["--resources", resources] if resources else []
        always = ["--no-nanny", "--nthreads=1", "--local-directory", str(self.root)]
        return self._start("worker", *always, *offer, *options, **ours | environment)

    def await_workers(self, count: int) -> None:
        """Wait until the scheduler knows the workers of this test, so that they start together."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)

    def command(self, *options: object) -> list[object]:
        return ["run", "--dask", self.address, *options]

    def sweep(self, *options: object) -> tuple[int, str]:
        """Run a sweep in this process; return its exit code and what it said."""
        code, _, err = self.project.command(*self.command("--graphs", self.project.graph, *options))
        return code, err

    def _start(self, what: str, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", what, "--scheduler-file", str(self.file), "--no-dashboard", *options],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)} | environment,
            stdout=subprocess.DEVNULL,
            stderr=self.processes.enter_context((self.root / "log").open("a")),
        )
        self.processes.callback(process.wait)
        self.processes.callback(process.kill)
        return process


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    with cluster.processes:
        yield cluster


@pytest.fixture
def cluster(scheduler: Cluster, project: Project) -> Iterator[Cluster]:
    """The scheduler of all tests, with workers of this test only."""
    scheduler.attach(project)
    outlast, scheduler.processes = scheduler.processes, ExitStack()
    with scheduler.processes:
        yield scheduler
    scheduler.processes = outlast


def slow(project: Project, name: str) -> str:
    """Return the script of a program that takes a while for each graph and says who runs it."""
    report = project.echo(project.report(name))
    started = project.root / "pids.txt"
    return f"echo $PPID >> {started}; for word; do case $word in *.egr) sleep 0.1; {report};; esac; done"


def test_a_worker_killed_in_mid_sweep_costs_nothing(project: Project, cluster: Cluster) -> None:
    names = [*(f"bfs-cuda-{i}" for i in range(12)), *(f"bfs-cpp-{i}" for i in range(3))]
    for name in names:
        project.add(name, slow(project, name))
    workers = {worker.pid: worker for worker in (cluster.add_worker(), cluster.add_worker())}
    cluster.await_workers(2)
    runner = project.start(*cluster.command("--graphs", project.graph, project.add_graph("b")))
    pids = project.root / "pids.txt"
    project.wait_until(lambda: pids.exists() and len(set(pids.read_text().split())) == 2, timeout_s=60)
    victim = int(pids.read_text().split()[-1])
    workers[victim].kill()
    _, err = runner.communicate(timeout=60)

    assert runner.returncode == 0
    assert "is gone" in err
    records = Counter((line["program"], line["graph"]) for line in project.lines())
    assert records == {(name, graph): 1 for name in names for graph in ("path", "b")}
    assert set(workers) == {int(pid) for pid in pids.read_text().split()}
    assert cluster.sweep("--graphs", project.root / "b.egr")[0] == 0
    assert len(project.lines()) == len(records)


def test_each_kind_of_machine_does_the_whole_sweep(project: Project, cluster: Cluster) -> None:
    project.add("bfs-cuda-a")
    project.add("bfs-openmp-a")
    project.add("bfs-cpp-broken", "SYNTAX")
    cluster.add_worker(GPU="a GPU")
    cluster.add_worker("GPU=1", GPU="another GPU")
    cluster.await_workers(2)
    code, _ = cluster.sweep("--seed", 3)

    assert code == 1
    by_program = {line["program"]: line for line in project.lines()}
    assert by_program["bfs-cpp-broken"]["status"] == Status.COMPILE_ERROR
    assert "error: SYNTAX" in by_program["bfs-cpp-broken"]["error"]
    machines = [line["machine"] for line in project.lines() if line["program"] == "bfs-cuda-a"]
    assert len(set(machines)) == len(machines) == 2
    assert len(project.lines()) == 4
    sessions = [json.loads(file.read_text()) for file in (project.results / "sessions").iterdir()]
    described = {session["id"]: session["machine"]["fingerprint"] for session in sessions}
    assert all(described[line["session"]] == line["machine"] for line in project.lines())
    assert {line["parameters"]["threads"] for line in project.lines()} == {None, len(os.sched_getaffinity(0))}
    assert sessions[0]["seed"] == 3
    assert "jobs, 0 to do" in cluster.sweep()[1]


def test_graphs_go_where_they_are_not(project: Project, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.cluster.life._PIECE", 16)
    project.add("bfs-cpp-a")
    cluster.add_worker("HOST=1")
    only_ours = "/proc/self/cwd/path.egr"
    code, err = cluster.sweep("--graphs", only_ours)
    assert code == 0
    assert "sending path" in err
    (line,) = project.lines()
    assert (line["graph"], line["status"]) == ("path", Status.VERIFIED)
    (staged,) = cluster.root.rglob("graphs/*")
    assert staged.read_bytes() == project.graph.read_bytes()


def test_an_interrupt_ends_what_workers_are_timing(
    project: Project, cluster: Cluster, is_running: Callable[[int], bool]
) -> None:
    project.add("bfs-cpp-a", f"echo $$ > {project.root}/pid.txt; exec sleep 60")
    cluster.add_worker()
    runner = project.start(*cluster.command("--graphs", project.graph))
    pid_file = project.root / "pid.txt"
    project.wait_until(lambda: pid_file.exists() and pid_file.read_text(), timeout_s=60)
    runner.send_signal(signal.SIGINT)
    _, err = runner.communicate(timeout=20)
    assert runner.returncode == 130
    assert "Traceback" not in err
    project.wait_until(lambda: not is_running(int(pid_file.read_text())))
    assert project.lines() == []


def test_a_broken_gpu_costs_its_worker_only(
    project: Project, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cluster.cluster._PATIENCE_S", 0.0)
    check = project.checkout.runtime / "tools" / "gpu_check.cu"
    check.write_text("#!/bin/sh\nexit 4\n")
    project.add("bfs-cuda-a", "exit 4")
    project.add("bfs-cuda-b", "exit 4")
    (cluster.root / "hurry.py").write_text("from runner.timing import device; device._PAUSES_S = (0.0, 0.0, 0.0)")
    cluster.add_worker("GPU=1", "--preload", "hurry.py")
    code, err = cluster.sweep()
    assert code == 2
    assert "no worker is left for 1 jobs" in err.splitlines()[-1]
    assert "the GPU does not compute any more" in err.splitlines()[-1]
    assert [line["status"] for line in project.lines()] == [Status.SKIPPED]


def test_a_scheduler_that_ends_is_one_line(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    cluster = Cluster(tmp_path_factory.mktemp("doomed"))
    cluster.attach(project)
    with cluster.processes:
        project.add("bfs-cpp-a", f"touch {project.root}/started; sleep 60")
        cluster.add_worker()
        runner = project.start(*cluster.command("--graphs", project.graph))
        project.wait_until((project.root / "started").exists, timeout_s=60)
        cluster.scheduler.kill()
        _, err = runner.communicate(timeout=40)
        assert runner.returncode == 2
        assert "Traceback" not in err
        assert err.splitlines()[-1].endswith("is gone: give the same command to go on")


def test_a_client_that_cannot_close_hides_nothing(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = Client.close

    def fail(client: Client, timeout: float) -> None:
        closed(client, timeout)
        raise RuntimeError("Cannot change state of expiring Timeout")  # what a lost client said once

    monkeypatch.setattr(Client, "close", fail)
    with pytest.raises(RunnerError, match="the reason"), connect(cluster.address):
        raise RunnerError("the reason")


@pytest.mark.parametrize(
    ("resources", "message"),
    [("", "offers neither HOST nor GPU"), ("GPU=1", "1 programs are left out: no worker offers HOST")],
)
def test_workers_that_do_not_help_are_one_line(
    project: Project, cluster: Cluster, resources: str, message: str
) -> None:
    project.add("bfs-cpp-a")
    cluster.add_worker(resources)
    code, err = cluster.sweep()
    assert code == 2
    assert message in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [(["tcp://127.0.0.1:1"], "no scheduler answers at tcp://127.0.0.1:1"), (["x", "--no-build"], "exclude each other")],
)
def test_what_cannot_start_is_one_line(
    project: Project, monkeypatch: pytest.MonkeyPatch, options: Any, message: str
) -> None:
    monkeypatch.setattr("runner.cluster.scheduler._CONNECT_S", 0.5)
    project.add("bfs-cpp-a")
    code, _, err = project.command("run", "--graphs", project.graph, "--dask", *options)
    assert code == 2
    assert message in err.splitlines()[-1]
