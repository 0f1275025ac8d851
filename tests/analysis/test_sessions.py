"""What of a session may be published."""

import pytest

from analysis.sessions import compiler_in_words, public


@pytest.mark.parametrize(
    ("private", "published"),
    [
        ("/opt/gcc/bin/g++ -O3 -Igenerated/runtime -I/home/me/include", "g++ -O3 -Igenerated/runtime -Iinclude"),
        ("/usr/local/cuda", "cuda"),
        ("/a/b:/c/d", "b:d"),
        ("--prefix=/home/me", "--prefix=me"),
        ("13.0.88, and/or sm_90", "13.0.88, and/or sm_90"),
    ],
)
def test_no_folder_leaves(private: str, published: str) -> None:
    for wrap in (lambda text: text, lambda text: [{"command": text, "version": 3}]):
        assert public({"toolchain": wrap(private)}) == {"toolchain": wrap(published)}


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
