from pathlib import Path

import pytest

from runner.machine.links import read_links
from runner.machine.machine import Machine, this_machine

SMI = {
    "--query-gpu": "NVIDIA H200, 143771, 570.86, 9.0, 0, GPU-a\nNVIDIA L4, 23034, 570.86, 8.9, 1, GPU-b\n",
    "": "| NVIDIA-SMI 570.86   Driver Version: 570.86   CUDA Version: 13.0 |",
}


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(*arguments: str) -> str:
        return SMI[arguments[0].partition("=")[0] if arguments else ""]

    monkeypatch.setattr("runner.machine.machine._nvidia_smi", answer)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)


@pytest.mark.usefixtures("two_gpus")
def test_gpus_are_read_from_nvidia_smi() -> None:
    machine = this_machine()
    assert [gpu.name for gpu in machine.gpus] == ["NVIDIA H200", "NVIDIA L4"]
    assert (machine.gpus[0].driver, machine.gpus[0].compute_capability) == ("570.86", "9.0")
    assert machine.cuda == "13.0"


@pytest.mark.usefixtures("two_gpus")
@pytest.mark.parametrize(
    ("visible", "names"),
    [("1", ["NVIDIA L4"]), ("GPU-a", ["NVIDIA H200"]), ("1,0", ["NVIDIA H200", "NVIDIA L4"]), ("MIG-x", [..., ...])],
)
def test_gpus_that_programs_cannot_see_do_not_count(
    monkeypatch: pytest.MonkeyPatch, visible: str | None, names: list[object]
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    found = [gpu.name for gpu in this_machine().gpus]
    assert len(found) == len(names)
    assert ... in names or found == names


def test_without_nvidia_smi_there_are_no_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    machine = this_machine()
    assert (machine.gpus, machine.cuda) == ((), None)
    assert machine.cpu
    assert 1 <= machine.cores <= machine.cpu_threads


def test_the_fingerprint_names_the_kind_of_machine() -> None:
    machine = Machine(cpu="a", cores=1, cpu_threads=2, memory_gib=3, gpus=(), cuda=None)
    again = Machine.model_validate_json(machine.model_dump_json())
    assert machine.fingerprint == again.fingerprint
    assert machine.fingerprint != Machine(cpu="b", cores=1, cpu_threads=2, memory_gib=3, gpus=(), cuda=None).fingerprint


TOPOLOGY = """
\t\x1b[4mGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m
GPU0\t X \tNV18\tSYS\tPXB\t0-31\t0
GPU1\tNV18\t X \tPIX\tSYS\t0-31\t0
GPU2\tSYS\tPIX\t X \tSYS\t32-63\t1
NIC0\tPXB\tSYS\tSYS\t X

Legend:

  X    = Self
  NV#  = Connection traversing a bonded set of # NVLinks
"""


@pytest.mark.parametrize(
    ("table", "links"),
    [
        (TOPOLOGY, {"0-1": "NV18", "0-2": "SYS", "1-2": "PIX"}),
        ("\tGPU0\nGPU0\t X \n", {}),
        ("", {}),
        ("No devices", {}),
    ],
)
def test_links_are_read_from_nvidia_smi(
    table: str, links: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table").write_text(table)
    smi = tmp_path / "nvidia-smi"
    smi.write_text(f"#!/bin/sh\n[ \"$*\" = 'topo -m' ] && exec /bin/cat {tmp_path}/table\nexit 1\n")
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_links() == links
