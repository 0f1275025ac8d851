"""What the doctor says of several GPUs, from made-up answers of nvidia-smi, nvcc and the probe."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.doctor.check import Check, Level
from runner.doctor.peers import PROBE, check_peers

NAMES = "NVIDIA H200, 143771, 570.86, 9.0, {0}, GPU-{0}\n"
LINKS = "\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n"
Ask = Callable[..., list[Check]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Asks with so many GPUs, and a compiler whose program prints something; none if that is None."""

    def answer(gpus: int, probe: str | None = "", links: str = LINKS) -> list[Check]:
        (tmp_path / "names").write_text("".join(NAMES.format(gpu) for gpu in range(gpus)))
        (tmp_path / "links").write_text(links)
        _script(
            tmp_path / "nvidia-smi", f'[ "$1" = topo ] && exec /bin/cat {tmp_path}/links\n/bin/cat {tmp_path}/names'
        )
        if probe is not None:
            _script(tmp_path / "program", probe)
            _script(tmp_path / "nvcc", f'for out; do :; done\nexec /bin/cp {tmp_path}/program "$out"')
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        return check_peers(["nvcc", "-O3"])

    return answer


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("gpus", [0, 1])
def test_without_several_gpus_there_is_nothing_to_say_of_links(ask: Ask, gpus: int) -> None:
    assert ask(gpus) == []


def test_good_links_are_named_and_measured(ask: Ask) -> None:
    links, access, bandwidth = ask(2, "echo '0 1 1 1 391.2'; echo '1 0 1 1 395.9'")
    assert links == Check(Level.OK, "links between GPUs", "NV18")
    assert access == Check(
        Level.OK, "access between GPUs", "each reaches the memory of all others, with atomic operations"
    )
    assert bandwidth == Check(Level.OK, "bandwidth between GPUs", "391 GB/s (GPU 0 to 1)")


def test_slow_pairs_are_told_apart(ask: Ask) -> None:
    table = "\tGPU0\tGPU1\tGPU2\nGPU0\tX\tNV18\tSYS\nGPU1\tNV18\tX\tSYS\nGPU2\tSYS\tSYS\tX\n"
    links, _, bandwidth = ask(3, "echo '0 1 1 1 391.2'; echo '0 2 1 1 24.9'", table)
    assert links.finding == "NV18 between 1 pairs, SYS between 2 pairs"
    assert bandwidth.finding == "25 GB/s (GPU 0 to 2) to 391 GB/s (GPU 0 to 1)"


def test_missing_access_and_atomics_are_warned_of(ask: Ask) -> None:
    _, access, _ = ask(2, "echo '0 1 0 0 20.1'; echo '1 0 1 1 20.2'")
    assert (access.level, access.finding) == (Level.WARN, "GPU 0 does not reach GPU 1")
    assert "`staged` runs" in access.advice
    _, access, _ = ask(2, "echo '0 1 1 0 20.1'; echo '1 0 1 1 20.2'")
    assert (access.level, access.finding) == (Level.WARN, "atomic operations do not work for GPU 0 in GPU 1")


@pytest.mark.parametrize(
    ("probe", "said"),
    [
        (None, "No such file or directory: 'nvcc'"),
        ("echo 'cannot use a GPU: it is away' >&2; exit 1", "cannot use a GPU: it is away"),
        ("", "CUDA sees fewer than two GPUs"),
        ("echo 0 1 1", "not enough values to unpack"),
    ],
)
def test_what_cannot_be_measured_is_said(ask: Ask, probe: str | None, said: str) -> None:
    links, access = ask(2, probe)
    assert links.level is Level.OK
    assert access.level is Level.WARN
    assert said in access.finding


@pytest.mark.compile
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_the_probe_compiles(tmp_path: Path) -> None:
    command = ["nvcc", "-std=c++20", "-Werror", "all-warnings", "-c", str(PROBE), "-o", str(tmp_path / "probe.o")]
    subprocess.run(command, check=True)
