"""What of a session may be published."""

import pytest

from analysis.measured.sessions import compiler_in_words, public, without_folders
from runner.checkout import here
from runner.machine.toolchain import read_toolchain


@pytest.mark.parametrize(
    ("private", "published"),
    [
        ("/opt/gcc/bin/g++ -O3 -Igenerated/runtime -I/home/me/include", "g++ -O3 -Igenerated/runtime -Iinclude"),
        ("/usr/local/cuda", "cuda"),
        ("/a/b:/c/d", "b:d"),
        ("--prefix=/home/me", "--prefix=me"),
        ("13.0.88, and/or sm_90", "13.0.88, and/or sm_90"),
        ('g++ -isystem/home/me/x -DX="/home/me/y" (/home/me) ../me/z', 'g++ -isystemx -DX="y" (me) z'),
    ],
)
def test_no_folder_leaves(private: str, published: str) -> None:
    for wrap in (lambda text: text, lambda text: [{"command": text, "version": 3}]):
        assert public({"toolchain": wrap(private)}) == {"toolchain": wrap(published)}


def test_a_path_may_have_blanks() -> None:
    graph = {"name": "acme", "path": "/home/Jane Doe/secret client/acme.egr", "sha256": "a"}
    assert public({"graphs": [graph]}) == {"graphs": [{**graph, "path": "acme.egr"}]}


@pytest.mark.parametrize(
    ("sentence", "public"),
    [
        ("the report is of x on /home/Jane Doe/secret client/acme.egr", "the report is of x on acme.egr"),
        ("/home/me/a.egr: row 3 /home/me/b.egr, ../me/c.egr", "a.egr: row 3 b.egr, c.egr"),
        ("reads and/or writes 3 / 4 of inputs/data/a.egr", "reads and/or writes 3 / 4 of inputs/data/a.egr"),
    ],
)
def test_a_reason_names_no_folder(sentence: str, public: str) -> None:
    assert without_folders(sentence) == public


def test_what_nobody_needs_is_left_out() -> None:
    session = {"id": "s1", "commit": None, "host": "box", "command_line": ["run"], "anything": "new"}
    assert public(session) == {"id": "s1", "commit": None}


@pytest.mark.parametrize(
    "flags", ["-ccbin /usr/bin/g++", "--sysroot=/opt/secret/root", "-L/opt/lib", "-I/work/runtime"]
)
def test_an_export_calls_a_compiler_the_same(flags: str) -> None:
    compiler = {"version": "13.0", "command": f"/usr/local/bin/nvcc -O3 {flags}"}
    exported = public({"toolchain": {"cuda": compiler}})["toolchain"]["cuda"]
    words = compiler_in_words(compiler)
    assert words == compiler_in_words(exported)
    assert words.startswith("nvcc 13.0 -O3")
    assert "/" not in words


def test_what_all_builds_have_makes_no_other_machine() -> None:
    """Else ratios of programs before and after a flag that changes no code would be of two machines."""
    for compiler in read_toolchain(here()).values():
        flags = compiler_in_words(compiler.model_dump()).split()[2:]
        assert not [flag for flag in flags if not flag.startswith(("-O", "-arch="))]
