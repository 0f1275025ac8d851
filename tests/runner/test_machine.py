import pytest

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
