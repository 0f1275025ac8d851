"""Control characters of files and programs do not reach a terminal: what prints is one module, which shows them."""

from __future__ import annotations

import ast
import io
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from generator.console import Console
from generator.terminal import plain, say

ROOT = Path(__file__).parents[2]
PACKAGES = ("violet", "generator", "inputs", "runner", "analysis", "trust")
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
HOSTILE = "a\x1b[2J\x1b]0;title\x07\x9b1mb\r\x7f"
SHOWN = r"a\x1b[2J\x1b]0;title\x07\x9b1mb\x0d\x7f"


def test_control_characters_are_shown() -> None:
    assert plain(HOSTILE) == SHOWN
    assert plain("a\tb\nc: \u00e9\u4e2d") == "a\tb\nc: \u00e9\u4e2d"


@pytest.mark.parametrize("error", [False, True])
def test_what_is_said_is_plain(capsys: pytest.CaptureFixture[str], error: bool) -> None:
    say(HOSTILE, error=error)
    assert capsys.readouterr() == (("", f"{SHOWN}\n") if error else (f"{SHOWN}\n", ""))


@pytest.mark.parametrize("kind", ["word", "text", "cell", "title"])
def test_a_terminal_obeys_only_the_console(kind: str) -> None:
    table = Table("head", title=HOSTILE if kind == "title" else None)
    table.add_row(HOSTILE)
    shown = {"word": HOSTILE, "text": Text(HOSTILE, "red"), "cell": table, "title": table}[kind]
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=200)
    console.print(shown, markup=False)
    said = console.file.getvalue()
    for code in ("\x1b[2J", "\x1b]0", "\x07", "\x9b", "\r", "\x7f"):
        assert code not in said
    assert r"\x1b" in said


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_else_prints(path: Path) -> None:
    if path == ROOT / "generator" / "terminal.py":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "rich.console":
            assert "Console" not in {name.name for name in node.names}
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"print", "typer.echo", "typer.secho", "sys.stdout.write", "sys.stderr.write"}
            is_bar = called == "Bar" or (called == "Progress" and "runner.progress" not in imported)
            assert not is_bar or "console" in {word.arg for word in node.keywords}
