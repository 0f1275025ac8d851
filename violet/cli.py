"""The command line: `violet solve|best|choose|run|report|export|graphs|...`.

Each command belongs to the command line of a package, and is loaded when it is called: nobody waits for the others.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

# Before typer is loaded: rich takes longer than most commands to draw boxes around their help.
os.environ.setdefault("TYPER_USE_RICH", "0")

import typer
import typer.main
from typer.core import TyperGroup

from generator.terminal import told_in_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class _Mounted:
    """Where a command is, and what it is for.

    Attributes:
        module: has the command line as `app`.
        name: of the command there; none: all of them, as a group.
        help: one line of `violet --help`.
    """

    module: str
    name: str | None
    help: str


_TOPICS = {
    "Use": {
        "solve": _Mounted("runner.cli", "solve", "Solve a graph with the best program known for it."),
        "best": _Mounted("runner.cli", "best", "Find the fastest program for a graph on this machine."),
        "choose": _Mounted("runner.cli", "choose", "Suggest programs for a graph without running any."),
        "export": _Mounted("generator.__main__", "export", "Write a program as a library for C, C++ and Python."),
        "peers": _Mounted("benchmarks.__main__", "peers", "Compare with scipy, networkx, igraph and more."),
        "graphs": _Mounted("inputs.cli", None, "List, get, make, convert and describe graphs."),
        "doctor": _Mounted("runner.cli", "doctor", "Check that this machine can build and time programs."),
    },
    "Measure": {
        "run": _Mounted("runner.cli", "run", "Build, verify and time programs on graphs."),
        "status": _Mounted("runner.cli", "status", "Show what is measured and what is missing."),
        "report": _Mounted("analysis.cli", "report", "Write a page to explore results, with all tables."),
        "winners": _Mounted("analysis.cli", "best", "List the fastest programs of results."),
        "figure": _Mounted("analysis.cli", "figure", "Draw what each style is worth, or the rounds of traces."),
        "trace": _Mounted("runner.cli", "trace", "Write down what each round of a program does."),
        "findings": _Mounted("analysis.cli", "findings", "Put the claims of the paper to the test."),
        "records": _Mounted("runner.cli", "export", "Write results as one table for other tools."),
        "publish": _Mounted("analysis.cli", "export", "Write results as a file that is fit to be shared."),
    },
    "Look at programs": {
        "list": _Mounted("generator.__main__", "list", "List the programs that a config selects."),
        "explain": _Mounted("generator.__main__", "explain", "Say what the name of a program means."),
        "kernels": _Mounted("runner.cli", "kernels", "Tell registers and occupancy of a program's kernels."),
        "diff": _Mounted("generator.__main__", "diff", "Show what a change of style changes."),
        "generate": _Mounted("generator.__main__", "generate", "Write the programs that a config selects."),
        "trust": _Mounted("trust.__main__", None, "Collect evidence that verification can be trusted."),
    },
}
_COMMANDS = {name: mounted for topic in _TOPICS.values() for name, mounted in topic.items()}


class _Loaded(Mapping[str, Any]):  # of commands, whose type typer hides
    """The commands by their names, each loaded when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        mounted = _COMMANDS[name]
        app = import_module(mounted.module).app
        if mounted.name is None:
            return typer.main.get_group(app)
        named = {info.name or info.callback.__name__: info for info in app.registered_commands}
        return typer.main.get_command_from_info(
            named[mounted.name], pretty_exceptions_short=True, rich_markup_mode=None
        )

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Commands(TyperGroup):
    """Shows commands by topic, and loads none to do so."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Loaded()  # type: ignore[assignment]  # nobody adds to it

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # whose type typer hides
        """Does what typer's own does: completion asks."""
        return list(_COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # whose types typer hides
        """Does what typer's own does."""
        for topic, commands in _TOPICS.items():
            with formatter.section(topic):
                formatter.write_dl([(name, mounted.help) for name, mounted in commands.items()])


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 done, 1 results are wrong, 2 wrong usage, 3 bad graph, 4 file system or memory.",
)


@app.callback()
def violet() -> None:
    """Graph algorithms in hundreds of styles: find the fastest for your graph, use it, and see why it wins."""


def main(words: list[str] | None = None) -> None:
    """Runs the command line.

    Args:
        words: after the program's name; those of the process if None.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # unwinds the stack, so that nothing is left behind
    os.environ["MPLBACKEND"] = "Agg"  # figures are files: no display is touched
    with told_in_one_line():
        app(words, prog_name="violet")
