import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from generator.config import CONFIGS, covering
from generator.space import Space, Style, load_space, name_of
from tests.configs import chosen, selected, united
from tests.memory import LONG
from tests.texts import text_of

OUTDATED = "run python -m generator manifest and look at what changed"


@pytest.fixture(scope="session")
def space() -> Space:
    return load_space()


def every() -> list[Style]:
    """Returns the programs of all configs, planted bugs included, each once."""

    def of_all_configs() -> list[Style]:
        return united(*(selected(path.stem) for path in sorted(CONFIGS.glob("*.toml")) if path.stem != "space"))

    return chosen("every", of_all_configs)


def pairs(styles: Iterable[Style]) -> list[Style]:
    """Returns few of some styles, in which every two values meet that meet at all; all of them in `make test-all`."""
    return list(styles) if LONG else covering(styles, 2)


def cover(values: int) -> list[Style]:
    """Returns some of them in which so many values meet if they meet in any."""
    return chosen(f"cover {values}", lambda: covering(every(), values))


def clang_format(folder: Path, texts: dict[str, str]) -> str:
    """Returns what clang-format would change of files."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    names = folder / "names"
    names.write_text("\n".join(str(folder / name) for name in texts))
    command = [Path(sys.executable).parent / "clang-format", f"--style=file:{Path('.clang-format').resolve()}"]
    result = subprocess.run(
        [*command, "--dry-run", "-Werror", f"--files={names}"], capture_output=True, text=True, check=False
    )
    return result.stderr[:2000] if result.returncode else ""


def rule_against(space: Space, name: str) -> str | None:
    """Returns the id of the rule that forbids a program, if any does."""
    rule = space.forbidden_by(space.parse(name))
    return rule.id if rule else None


def code(program: Style | str) -> str:
    """Returns the text of a program, by its style or name, without its head."""
    name = program if isinstance(program, str) else name_of(program)
    return text_of(name).partition("#include")[2]


def function(text: str, name: str) -> str:
    """Returns a function of a program, from its head to its end."""
    found = re.search(rf"^[^/\n]*\b{name}\([^;\n]*(?:\{{[^\n]*\}}$|\{{$.*?^\}}$)", text, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[0]


@pytest.fixture(scope="session")
def everything() -> list[Style]:
    """Every meaningful style."""
    return selected("all")
