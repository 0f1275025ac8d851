"""What a results folder holds of all that its sweeps were to measure."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from runner.jobs.plan import Job, hash_runtime, plan
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runner.checkout import Checkout
    from runner.jobs.programs import Program
    from runner.results.session import Session


def plan_again(checkout: Checkout, programs: Sequence[Program], sessions: Sequence[Session]) -> list[Job]:
    """Returns what would have to be measured now on every machine that has sessions.

    Each gets the graphs of all sessions and the parameters of its latest one. This host counts as it is now, and other
    machines as they were then.

    Raises:
        RunnerError: the compilers cannot be found out.
    """
    graphs = {graph.name: graph for session in sessions for graph in session.graphs}
    runtime_sha256 = hash_runtime(checkout)
    return [
        job
        for session in _latest(checkout, sessions)
        for job in plan(
            programs,
            graphs.values(),
            session.parameters,
            machine=session.machine,
            toolchain=session.toolchain,
            runtime_sha256=runtime_sha256,
        )
    ]


def _latest(checkout: Checkout, sessions: Sequence[Session]) -> list[Session]:
    """Returns the latest session of each machine, this host's with its present state."""
    here = platform.node()
    elsewhere = {session.machine.fingerprint: session for session in sessions if session.host != here}
    ours = [session for session in sessions if session.host == here][-1:]
    if ours:
        machine = this_machine()
        now = {"machine": machine, "toolchain": read_toolchain(checkout)}
        elsewhere[machine.fingerprint] = ours[0].model_copy(update=now)
    return list(elsewhere.values())
