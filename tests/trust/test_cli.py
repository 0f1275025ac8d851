import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import UserError
from trust.__main__ import main
from trust.tools import Tool


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clean", "--models", "opnmp"), "--models: no 'opnmp'; did you mean 'openmp'?"),
        (("bugs", "--algorithms", ""), "no algorithm is called ''; there are"),
        (("bugs", "--algorithms", "hits,sc"), "no algorithm is called 'sc'; did you mean"),
        (("bugs", "--models", "cpp,cuda"), "--models: measure programs for a CPU, a GPU and several GPUs one after"),
        (
            ("bugs", "--models", "multigpu,cpu"),
            "--models: measure programs for a CPU, a GPU and several GPUs one after",
        ),
        (("clean", "--config", "papr"), "papr: no such config; did you mean 'paper'?"),
        (("verify", "karate", "--threads", "1,x"), "--threads takes numbers such as 1,2,8, not '1,x'"),
        (("verify", "karate", "--threads", "4,4097"), "--threads 4097: programs take at most 4096"),
        (("clean", "--threads", "4097"), "--threads 4097: programs take at most 4096"),
        (("verify", "karat", "--models", "cpp"), "graph karat: "),
        (("verify", "karate", "--models", "cpp", "--config", "quick", "--out", f"{__file__}/x.csv"), f"{__file__}"),
        (("clean", "--tools", ""), "--tools of these models: no ''"),
        (("clean", "--tools", "UBSn"), "--tools of these models: no 'UBSn'; did you mean 'UBSan'?"),
        (("mutants", "--of", "program"), "--of: no 'program'; did you mean 'programs'?"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["trust", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    *told, said = capsys.readouterr().err.splitlines()
    assert stop.value.code == (4 if message == __file__ else 2)
    assert said.startswith(f"error: {message}")
    assert all(line.startswith(("writing ", "left out: ")) for line in told)  # said before it goes wrong


@pytest.mark.turns(12)
@pytest.mark.parametrize("command", ["verify karate", "bugs", "clean", "determinism", "soak", "exports"])
def test_without_a_gpu_nothing_of_one_is_measured(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def need_gpu(models: tuple[str, ...], _: Tool) -> None:
        raise UserError(f"no GPU for {models[0]}")

    module = importlib.import_module(f"trust.{command.split()[0]}")
    monkeypatch.setattr(module, "need_gpu", need_gpu)
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/true")
    out = () if command == "soak" else ("--out", str(tmp_path / "table.csv"))
    monkeypatch.setattr(sys, "argv", ["trust", *command.split(), "--models", "cuda", *out])
    with pytest.raises(SystemExit) as stop:
        main()
    *before, last = capsys.readouterr().err.splitlines()
    assert (stop.value.code, last) == (2, "error: no GPU for cuda")
    assert [line.split()[0] for line in before] == ["choosing" if command == "exports" else "writing"]


@pytest.mark.parametrize("named", [(), ("--tools", "ThreadSanitizer,UBSan")])
def test_a_tool_that_is_missing_is_left_out_unless_it_is_named(
    named: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda word: None if str(word).startswith("clang++") else "/bin/true")
    arguments = ["clean", *named, "--config", "papr", "--out", str(tmp_path / "table.csv")]
    monkeypatch.setattr(sys, "argv", ["trust", *arguments])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err.splitlines()[0]
    told = "error: ThreadSanitizer cannot be used: " if named else "left out: ThreadSanitizer: "
    assert said.startswith(f"{told}clang++ is missing")


@pytest.mark.parametrize("command", ["forge", "mutants", "report"])
def test_what_needs_the_tests_says_so_where_violet_is_installed_without(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("trust.__main__.ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["trust", command])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith(f"error: {command} needs a clone of Violet")


def test_it_is_a_module_that_runs() -> None:
    command = [sys.executable, "-m", "trust", "mutants", "--of", "program"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_help_shows_defaults_in_brackets() -> None:
    command = [sys.executable, "-m", "trust", "bugs", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "[default: all]" in shown
