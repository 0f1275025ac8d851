"""Checks of what GPUs are to each other: links, access to each other's memory, bandwidth."""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from runner.doctor.check import Check, Level
from runner.machine.links import read_links
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from collections.abc import Sequence

PROBE = Path(__file__).with_name("peers.cu")
"""A program that asks GPUs about each other, and copies between them."""


@dataclass(frozen=True)
class _Peer:
    """What one GPU is to another: a line of the probe."""

    here: int
    there: int
    access: bool
    atomics: bool
    gb_per_s: float


def check_peers(compiler: Sequence[str]) -> list[Check]:
    """Checks everything; compiles a small CUDA program with a command, and runs it, if there are several GPUs."""
    if len(this_machine().gpus) < 2:
        return []
    kinds = Counter(read_links().values())
    named = ", ".join(f"{kind} between {count} pairs" if len(kinds) > 1 else kind for kind, count in kinds.items())
    links = Check(Level.OK, "links between GPUs", named or "nvidia-smi does not say")
    try:
        peers = _measure(compiler)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        said = str(getattr(error, "stderr", None) or error).strip().splitlines()
        finding = f"not known: {(said or ['no answer'])[-1]}"
        return [links, Check(Level.WARN, "access between GPUs", finding, "check `nvcc` and `nvidia-smi`")]
    return [links, _access(peers), _bandwidth(peers)]


def _access(peers: list[_Peer]) -> Check:
    closed = [f"GPU {peer.here} does not reach GPU {peer.there}" for peer in peers if not peer.access]
    if closed:
        advice = "programs with exchange `store` and communication `direct` or `load` will be skipped; `staged` runs"
        return Check(Level.WARN, "access between GPUs", ", ".join(closed), advice)
    weak = [f"GPU {peer.here} in GPU {peer.there}" for peer in peers if not peer.atomics]
    if weak:
        finding = f"atomic operations do not work for {', '.join(weak)}"
        return Check(Level.WARN, "access between GPUs", finding, "programs with communication `direct` may be wrong")
    return Check(Level.OK, "access between GPUs", "each reaches the memory of all others, with atomic operations")


def _bandwidth(peers: list[_Peer]) -> Check:
    least, most = (choose(peers, key=lambda peer: peer.gb_per_s) for choose in (min, max))
    finding = f"{least.gb_per_s:.0f} GB/s (GPU {least.here} to {least.there})"
    if most.gb_per_s > 1.1 * least.gb_per_s:
        finding += f" to {most.gb_per_s:.0f} GB/s (GPU {most.here} to {most.there})"
    return Check(Level.OK, "bandwidth between GPUs", finding)


def _measure(compiler: Sequence[str]) -> list[_Peer]:
    """Runs the probe.

    Raises:
        OSError: there is no nvcc.
        ValueError: the probe says something else than expected.
        subprocess.SubprocessError: the probe does not compile, or fails.
    """
    with TemporaryDirectory() as folder:
        binary = Path(folder, "peers")
        for command in ([*compiler, str(PROBE), "-o", str(binary)], [str(binary)]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    peers = []
    for line in done.stdout.splitlines():
        here, there, access, atomics, speed = line.split()
        peers.append(_Peer(int(here), int(there), access == "1", atomics == "1", float(speed)))
    if not peers:
        raise ValueError("CUDA sees fewer than two GPUs")
    return peers
