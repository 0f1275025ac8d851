"""Which tests share a worker of pytest-xdist, which come first, how OpenMP waits, and that Ctrl-C arrives."""

import os
import signal

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

_ONE_BUILD = "tests/runtime/"  # its files share a build that takes most of a minute

# Threads that wait for others shall not keep the core from them: tests run two programs at a time, most with as many
# threads as there are cores. The programs are the same.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# In the background of a shell, interrupts are ignored, which everything that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts files that compile first, as they take long: who works on the last of all works alone."""
    compiling = {item.path for item in items if item.get_closest_marker("compile")}
    items.sort(key=lambda item: item.path not in compiling)


class _Together(LoadFileScheduling):
    """Keeps the tests of a file together, as fixtures are a file's, and those of a folder that shares a build."""

    def _split_scope(self, nodeid: str) -> str:
        return _ONE_BUILD if nodeid.startswith(_ONE_BUILD) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)  # for runs without pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling:
    return _Together(config, log)
