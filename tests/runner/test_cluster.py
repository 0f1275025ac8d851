"""Sweeps over real Dask workers, processes of their own on this machine, whose programs are shell scripts.

Most speak TLS, as docs/how-to/clusters.md configures it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import dask
import pytest
from distributed import Client

from runner.errors import RunnerError
from runner.results.records import Status
from runner.sweeps import worker
from runner.sweeps.scheduler import HOST, Offer, Scheduler, connect
from tests.notes import heard_by_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.runner.conftest import Project

REPOSITORY = Path(__file__).parents[2]
pytestmark = pytest.mark.turns(8)

PATIENCE_S = 300  # to start Dask takes seconds, and many times that on a busy machine

NVIDIA_SMI = """#!/bin/sh
case "$1" in --query*) echo "$GPU, 1, 1, 9.0, 0, GPU-1" ;; *) echo "CUDA Version: 13.0" ;; esac
"""


class Cluster:
    """A scheduler, and workers whose machines have whatever GPU a test gives them."""

    def __init__(self, root: Path, protocol: str = "tls") -> None:
        self.root = root
        self.config = root / "config.yaml"
        self.config.write_text(make_certificate(root) if protocol == "tls" else "{}")
        self.processes = ExitStack()
        (root / "nvidia-smi").write_text(NVIDIA_SMI)
        (root / "nvidia-smi").chmod(0o755)
        self.file = root / "scheduler.json"
        self.scheduler = self._start("scheduler", "--protocol", protocol, "--host", "127.0.0.1", "--port", "0")

    def attach(self, project: Project) -> None:
        """Wait until the scheduler is there, and serve this project."""
        project.wait_until(lambda: self.file.exists() and self.file.read_text(), timeout_s=PATIENCE_S)
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
            client.wait_for_workers(count, timeout=PATIENCE_S)

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
            env=os.environ
            | {"DASK_CONFIG": str(self.config)}
            | heard_by_children(**{"PYTHONPATH": str(REPOSITORY)} | environment),
            stdout=subprocess.DEVNULL,
            stderr=self.processes.enter_context((self.root / "log").open("a")),
        )
        self.processes.callback(process.wait)
        self.processes.callback(process.kill)
        return process


def make_certificate(folder: Path) -> str:
    """Make the certificate that the documentation makes, and return its configuration."""
    text = (REPOSITORY / "docs" / "how-to" / "clusters.md").read_text()
    (command,) = re.findall(r"`(openssl .*)`", text)
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    (config,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    return str(config.replace("violet.", f"{folder}/violet."))


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    with cluster.processes:
        yield cluster


@pytest.fixture
def cluster(scheduler: Cluster, project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """The scheduler of all tests, with workers of this test only."""
    scheduler.attach(project)
    monkeypatch.setenv("DASK_CONFIG", str(scheduler.config))
    outlast, scheduler.processes = scheduler.processes, ExitStack()
    config = dask.config.merge(dask.config.config, *dask.config.collect_yaml([str(scheduler.config)]))
    with scheduler.processes, dask.config.set(config):
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
    project.wait_until(lambda: pids.exists() and len(set(pids.read_text().split())) == 2, timeout_s=PATIENCE_S)
    victim = int(pids.read_text().split()[-1])
    workers[victim].kill()
    _, err = runner.communicate(timeout=PATIENCE_S)

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
    monkeypatch.setattr("runner.sweeps.life._PIECE", 16)
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


SLEEP = "echo $$ > {root}/pid.txt; exec sleep 60"


def sleep_in(step: str, project: Project) -> Callable[[], int]:
    """Have workers sleep in a step; return what waits for the process that does, and names it."""
    script = SLEEP.format(root=project.root)
    if step == "build":
        compiler = project.root / "fake-cxx"
        compiler.write_text(
            compiler.read_text().replace("if grep", f"case $source in *bfs-*) {script};; esac\nif grep")
        )
    elif step == "references":
        reference = project.checkout.runtime / "tools" / "reference_main.cpp"
        reference.write_text(reference.read_text() + script)
    project.add("bfs-cpp-a", script if step == "time" else None)
    pid_file = project.root / "pid.txt"

    def pid() -> int:
        project.wait_until(lambda: pid_file.exists() and pid_file.read_text(), timeout_s=PATIENCE_S)
        return int(pid_file.read_text())

    return pid


@pytest.mark.parametrize(
    ("step", "end"),
    [("build", signal.SIGINT), ("references", signal.SIGINT), ("time", signal.SIGINT), ("time", signal.SIGKILL)],
)
def test_a_client_that_ends_leaves_nothing_running(
    project: Project, cluster: Cluster, is_running: Callable[[int], bool], step: str, end: signal.Signals
) -> None:
    asleep = sleep_in(step, project)
    cluster.add_worker("HOST=1")
    runner = project.start(*cluster.command("--graphs", project.graph))
    pid = asleep()
    runner.send_signal(end)
    _, err = runner.communicate(timeout=20)
    assert runner.returncode == (130 if end == signal.SIGINT else -end)
    assert "Traceback" not in err
    project.wait_until(lambda: not is_running(pid))
    assert project.lines() == []


def test_what_is_measured_is_kept_though_its_step_never_ends(project: Project, cluster: Cluster) -> None:
    report = project.echo(project.report("bfs-cpp-a"))
    project.add("bfs-cpp-a", f"for word; do case $word in *b.egr) sleep 60;; *.egr) {report};; esac; done")
    cluster.add_worker("HOST=1")
    runner = project.start(*cluster.command("--graphs", project.graph, project.add_graph("b")))
    project.wait_until(project.lines, timeout_s=PATIENCE_S)
    runner.send_signal(signal.SIGINT)
    runner.communicate(timeout=20)
    assert [(line["graph"], line["status"]) for line in project.lines()] == [("path", Status.VERIFIED)]


def test_programs_take_turns_on_a_host_with_two_names(project: Project, cluster: Cluster) -> None:
    names = [f"bfs-cpp-{i}" for i in range(3)]
    busy = project.root / "busy"
    for name in names:
        project.add(name, f"mkdir {busy} || exit; sleep 1.5; rmdir {busy}; {project.printing(name)}")
    cluster.add_worker("HOST=1", "--host", "127.0.0.1")
    cluster.add_worker("HOST=1", "--host", "127.0.0.2")
    cluster.await_workers(2)
    assert cluster.sweep()[0] == 0


def test_a_bad_graph_ends_the_sweep_before_anything_is_timed(project: Project, cluster: Cluster) -> None:
    project.add("bfs-cpp-a")
    bad = project.add_graph("LOOP")
    cluster.add_worker("HOST=1")
    code, err = cluster.sweep("--graphs", f"/proc/self/cwd/{bad.name}")  # a path that means another one there
    assert code == 3
    assert "graph /proc/self/cwd/LOOP.egr: neighbours[0] of vertex 0 is a self-loop; this mends" in err.splitlines()[-1]
    assert project.lines() == []
    assert project.started() == []


def test_sweeps_that_send_one_graph_at_once_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "get_worker", lambda: SimpleNamespace(local_directory=str(tmp_path)))
    sha256 = hashlib.sha256(b"graph").hexdigest()
    for session in "ab":
        worker.receive(session, sha256, 0, b"gr")
    for session in "ab":
        worker.receive(session, sha256, 2, b"aph")
        worker.accept(session, sha256)
    (staged,) = tmp_path.rglob("graphs/*")
    assert staged.read_bytes() == b"graph"


def test_a_worker_of_another_version_is_one_line(project: Project, cluster: Cluster) -> None:
    project.add("bfs-cpp-a")
    for package in ("generator", "inputs", "runner"):
        shutil.copytree(REPOSITORY / package, project.root / "other" / package)
    changed = project.root / "other" / "runner" / "sweeps" / "worker.py"
    changed.write_text(changed.read_text().replace("def survey(", "def survey(news: str, "))
    cluster.add_worker("HOST=1", PYTHONPATH=str(project.root / "other"))
    code, err = cluster.sweep()
    assert code == 2
    assert "must run in checkouts of the same version of Violet" in err.splitlines()[-1]


def test_a_timeout_of_a_worker_is_its_own(project: Project, cluster: Cluster) -> None:
    (cluster.root / "slow.py").write_text(
        "from runner.sweeps import worker\n"
        "def survey(*_): raise TimeoutError(110, 'Connection timed out', '/scratch')\n"
        "worker.survey = survey\n"
    )
    project.add("bfs-cpp-a")
    cluster.add_worker("HOST=1", "--preload", "slow.py")
    runner = project.start(*cluster.command("--graphs", project.graph))
    _, err = runner.communicate(timeout=PATIENCE_S)
    assert runner.returncode == 2
    assert err.splitlines()[-1].endswith("/scratch: Connection timed out")


def test_a_broken_gpu_costs_its_worker_only(
    project: Project, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.sweeps.cluster._PATIENCE_S", 0.0)
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


def test_a_scheduler_that_ends_is_one_line_and_leaves_nothing_running(
    project: Project, tmp_path_factory: pytest.TempPathFactory, is_running: Callable[[int], bool]
) -> None:
    cluster = Cluster(tmp_path_factory.mktemp("doomed"), "tcp")
    cluster.attach(project)
    with cluster.processes:
        asleep = sleep_in("time", project)
        cluster.add_worker()
        runner = project.start(*cluster.command("--graphs", project.graph))
        pid = asleep()
        cluster.scheduler.kill()
        _, err = runner.communicate(timeout=40)
        assert runner.returncode == 2
        assert "Traceback" not in err
        assert err.splitlines()[-1].endswith("is gone: give the same command to go on")
        project.wait_until(lambda: not is_running(pid))


def test_a_scheduler_that_does_not_answer_is_one_line(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        with connect(cluster.address) as connection:
            for limit in ("_ANSWER_S", "_CLOSE_S", "_CONNECT_S"):
                monkeypatch.setattr(f"runner.sweeps.scheduler.{limit}", 0.5)
            cluster.scheduler.send_signal(signal.SIGSTOP)
            with pytest.raises(RunnerError, match="does not answer any more"):
                connection.offers()
        with pytest.raises(RunnerError, match="no scheduler answers"), connect(cluster.address):
            pass
    finally:
        cluster.scheduler.send_signal(signal.SIGCONT)


def test_a_cluster_that_others_may_reach_is_refused(
    project: Project, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though we reach it by a private address ourselves."""
    public = "tcp://192.0.2.1:8786"
    with monkeypatch.context() as patch:
        patch.setattr(Client, "scheduler_info", lambda *_, **__: {"address": public})
        with pytest.raises(RunnerError, match=f"the scheduler at {public} lets whoever"), connect(cluster.address):
            pass
        with connect(cluster.address, insecure=True):
            pass
    offer = Offer("a life", "a host", frozenset({HOST}))
    monkeypatch.setattr(Scheduler, "offers", lambda _: {public: offer})
    project.add("bfs-cpp-a")
    code, err = cluster.sweep()
    assert code == 2
    assert f"the worker at {public} lets whoever" in err.splitlines()[-1]


def test_a_client_that_cannot_close_hides_nothing(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = Client.close

    def fail(client: Client, timeout: float = 0.0) -> None:
        if client.status != "closed":  # as are clients of other tests that are collected now
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
    [
        (["tcp://127.0.0.1:1"], "no scheduler answers at tcp://127.0.0.1:1"),
        (["tcp://localhost:1"], "no scheduler answers at tcp://localhost:1"),
        (["tls://192.0.2.1:1"], "no scheduler answers at tls://192.0.2.1:1: TLS expects"),
        (["tcp://192.0.2.1:1"], "the scheduler at tcp://192.0.2.1:1 lets whoever reaches it run code as you: use TLS"),
        (["192.0.2.1:1"], "the scheduler at 192.0.2.1:1 lets whoever"),
        (["tcp://0.0.0.0:1"], "the scheduler at tcp://0.0.0.0:1 lets whoever"),
        (["tcp://[::]:1"], "the scheduler at tcp://[::]:1 lets whoever"),
        (["tcp://0.0.0.0:1", "--insecure"], "no scheduler answers at tcp://0.0.0.0:1"),
        (["scheduler.json"], "no scheduler answers at scheduler.json: missing port number"),
        (["x", "--no-build"], "exclude each other"),
    ],
)
def test_what_cannot_start_is_one_line(
    project: Project, monkeypatch: pytest.MonkeyPatch, options: Any, message: str
) -> None:
    monkeypatch.setattr("runner.sweeps.scheduler._CONNECT_S", 0.5)
    project.add("bfs-cpp-a")
    code, _, err = project.command("run", "--graphs", project.graph, "--dask", *options)
    assert code == 2
    assert message in err.splitlines()[-1]
