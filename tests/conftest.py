"""Which tests run, which share a worker and come first, how OpenMP waits, Ctrl-C, and what Python keeps."""

import gc
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from generator.paths import ROOT
from tests.children.sitecustomize import CHILDREN
from tests.costs import turns_of
from tests.memory import FRESH, LONG, WORK, forget_old
from tests.reads import Reads, remember, remembered, seconds
from tests.selection import is_due

_ONE_BUILD = "tests/runtime/"  # its files share a build that takes most of a minute

# Threads that wait for others shall not keep the core from them: tests run two programs at a time, most with as many
# threads as there are cores. The programs are the same.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# OpenBLAS has a thread a core, which wait for each other by spinning.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What is compiled runs for milliseconds, and optimising it takes longer. `make test-all` has what users have.
if not LONG:
    os.environ.setdefault("CXXFLAGS", "-O1")

# In containers Python often keeps nothing of what it compiles. Tests start hundreds of processes that import pandas and
# others, each of which would compile them anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# In the background of a shell, interrupts are ignored, which everything that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


_LEFT_OUT = "TESTS_LEFT_OUT"
"""Names what the first process found that need not run, so that all leave out the same."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--remember", action="store_true", help="leave out files of tests that nothing has changed for")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--remember"):
        return
    if not hasattr(config, "workerinput"):
        for folder in ("binaries", "runtimes", "results"):
            forget_old(WORK / folder)
        all_of_them = config.args_source is pytest.Config.ArgsSource.TESTPATHS  # who names a file wants it to run
        os.environ[_LEFT_OUT] = json.dumps(remembered() if all_of_them and not FRESH else {})
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [CHILDREN, os.environ.get("PYTHONPATH")]))
    config.pluginmanager.register(_Memory(config), "memory")


class _Memory:
    """Leaves out what has passed before, and notes what passes now with what it depends on."""

    def __init__(self, config: pytest.Config) -> None:
        self._left_out: dict[str, int] = json.loads(os.environ[_LEFT_OUT])
        self._runs = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
        self._reads = Reads() if self._runs else None
        self._whole = not config.option.keyword and not config.option.markexpr and "::" not in str(config.args)
        self._tests: Counter[Path] = Counter()
        self._passed: Counter[Path] = Counter()
        self._failed: set[str] = set()
        self._running: Path | None = None
        self._began = 0.0
        self._later: set[Path] = set()

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        files = collection_path.rglob("test_*.py") if collection_path.is_dir() else [collection_path]
        return True if all(str(file.relative_to(ROOT)) in self._left_out for file in files) else None

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._later |= {item.path for item in items}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._tests = Counter(item.path for item in session.items)
        if self._runs and self._whole and os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":  # all find the same
            for file in self._later - self._tests.keys():
                remember(file, 0, 0.0)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, bool, bool]:
        assert self._reads
        file = item.path
        if file != self._running:
            self._running = file
            self._began = time.monotonic()
            self._reads.begin(file)
        result = yield
        if nextitem is None or nextitem.path != file:
            self._reads.end()
            if self._whole and self._passed[file] == self._tests[file]:
                remember(file, self._tests[file], time.monotonic() - self._began)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)
        if self._runs and report.when == "teardown":
            file = ROOT / report.nodeid.partition("::")[0]
            self._passed[file] += report.nodeid not in self._failed

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._left_out and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._left_out:
            terminalreporter.write_line(
                f"{sum(self._left_out.values())} tests of {len(self._left_out)} files have passed before, and nothing"
                " that they depend on has changed since: `make test FRESH=1` runs them again"
            )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Has what is said of a failure begin with the command that runs the test alone."""
    report = yield
    if report.failed:
        tier = "TESTS_LONG=1 " if LONG else ""
        report.longrepr = f"{tier}.venv/bin/python -m pytest -n0 '{item.nodeid}'\n\n{report.longreprtext}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the collector of garbage from modules and tests: they stay, and it took a third of collecting."""
    gc.disable()
    try:
        with _first_alone():
            return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], 100)  # ten times as seldom a look at all that has stayed since
        gc.enable()


def pytest_unconfigure() -> None:
    """Spares the collector of garbage a last look at all that there is: it took more than a second of each worker."""
    gc.freeze()


@contextmanager
def _first_alone() -> Iterator[None]:
    """Has the first worker of a fresh clone collect alone: it compiles modules and selects programs for the others."""
    done = WORK / "collected"
    if "PYTEST_XDIST_WORKER" not in os.environ or done.exists():
        yield
        return
    WORK.mkdir(parents=True, exist_ok=True)
    with FileLock(done.with_suffix(".lock")) as lock:
        if done.exists():
            lock.release()
        yield
        done.touch()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves tests for `make test-all`, and puts first what takes long: who works on the last of all works alone.

    These are files that compile, and what took long the last time.
    """
    turns = config.getoption("--remember")  # who names a test wants it to run
    later = [] if LONG else [item for item in items if _is_for_later(item, turns=turns)]
    if later:
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if item not in {*later}]
    compiling = {item.path for item in items if item.get_closest_marker("compile")}
    took = seconds()
    items.sort(key=lambda item: (item.path not in compiling, -took.get(item.path, 0.0)))


def _is_for_later(item: pytest.Item, *, turns: bool) -> bool:
    """Whether a test is for `make test-all`, or, if tests take turns, for `make test` on another day."""
    if item.get_closest_marker("long") is not None:
        return True
    if not turns or item.get_closest_marker("daily") is not None:
        return False
    mark = item.get_closest_marker("turns")
    return not is_due(item.nodeid, *(mark.args if mark else [turns_of(item.nodeid)]))


class _Together(LoadFileScheduling):
    """Keeps the tests of a file together, as fixtures are a file's, and those of a folder that shares a build."""

    def _split_scope(self, nodeid: str) -> str:
        return _ONE_BUILD if nodeid.startswith(_ONE_BUILD) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)  # for runs without pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling:
    return _Together(config, log)
