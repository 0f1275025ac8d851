"""The architecture of the templates, held by their syntax trees."""

import tomllib
from functools import cache
from pathlib import Path

from jinja2 import DictLoader, Environment, nodes

from generator.hooks import Compiled
from generator.lines import hook_of, owner
from generator.paths import TEMPLATES
from generator.render import environment
from generator.space import SPACE_FILE, Space

FILES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.jinja"))
ROOMS = {file: file.split("/", 2)[2] for file in FILES if file.startswith("families/") and "/axes/" in file}
"""What families have for themselves, and the templates that it comes before, or stands for."""
OVERRIDES = [
    file
    for file in FILES
    if (ROOMS.get(file, file).startswith("axes/") and ROOMS.get(file, file).count("/") == 3)
    or (file.startswith("models/") and file.count("/") == 2)
]


@cache
def hooks(file: str) -> set[str]:
    """Returns the names of the macros and constants that a file defines."""
    return {hook_of(part) for part in tree(file).body} - {""}


@cache  # as all files are looked through for most of them
def tree(file: str) -> nodes.Template:
    return environment().parse((TEMPLATES / file).read_text())


@cache
def calls(file: str) -> set[str]:
    """Returns the hooks that a file names, such as `flow.along`: as an expression or, for fields, in a string."""
    named = {each.value for each in tree(file).find_all(nodes.Const) if isinstance(each.value, str)}
    for each in tree(file).find_all(nodes.Getattr):
        if isinstance(each.node, nodes.Name):
            named.add(f"{each.node.name}.{each.attr}")
    return named


@cache
def names(file: str) -> set[str]:
    """Returns the names that a file uses by themselves, its own hooks among them."""
    return {name.name for name in tree(file).find_all(nodes.Name) if name.ctx == "load"}


def test_every_axis_value_has_a_template_of_its_own_and_nothing_else_does(space: Space) -> None:
    expected = {f"axes/{axis.name}/{value}.jinja" for axis in space.axes[2:] for value in axis.values}
    expected |= {f"algorithms/{name}/hooks.jinja" for name in space.algorithms}
    expected |= {f"models/{value}.jinja" for value in space.axis("model").values}
    kinds = ("axes/", "algorithms/", "models/")
    found = {ROOMS.get(file, file) for file in FILES if file not in OVERRIDES}
    found = {file for file in found if file.startswith(kinds) and Path(file).parent.name != "axes"}
    assert found == expected
    defaults = {Path(file).stem for file in ROOMS.values() if Path(file).parent.name == "axes"}
    assert defaults <= {axis.name for axis in space.axes}


def test_a_value_overrides_hooks_that_their_owner_has(space: Space) -> None:
    for file in OVERRIDES:
        *folder, value, _ = ROOMS.get(file, file).split("/")
        assert value in space.axis("model" if folder == ["models"] else folder[-1]).values, file
        others = [other for other in FILES if other not in OVERRIDES and owner(other) == owner(file)]
        known = {hook for other in others for hook in hooks(other)}
        if owner(file) == "algorithm":
            known |= {"reference", "results", "skeleton", "summary"}  # from the manifest
        unknown = hooks(file) - {"base"} - known
        assert not unknown, f"templates/{file}: {owner(file)} has no {', '.join(unknown)}"


def test_what_is_overridden_is_called_by_the_name_of_its_owner() -> None:
    """A file that calls its own hook without that gets its own, whoever overrides it."""
    called = {call for file in FILES for call in calls(file)}
    for file in OVERRIDES:
        uncalled = {f"{owner(file)}.{hook}" for hook in hooks(file) - {"base", "fields"}} - called
        assert not uncalled, f"templates/{file}: nobody calls {', '.join(uncalled)}"


BY_GENERATOR = {"base", "fields", "runtime", "header", "about_n"}
"""Hooks that generator/render.py asks for."""


def test_a_hook_is_one_that_somebody_calls() -> None:
    """A name that nobody calls is most likely a typing mistake, and the default is taken in its place."""
    called = {call for file in FILES for call in calls(file)}
    for file in (file for file in FILES if file.count("/") == 2 or file in ROOMS):
        others = hooks(file) - names(file) - BY_GENERATOR
        unknown = {hook for hook in others if not called & {f"{owner(file)}.{hook}", f"overridden.{hook}"}}
        assert not unknown, f"templates/{file}: nobody calls {', '.join(unknown)}"


def test_right_code_does_not_mention_bugs() -> None:
    for file in (file for file in FILES if not file.startswith("axes/bug")):
        mentioned = {name.name for name in tree(file).find_all(nodes.Name)} & {"bug", "mark"}
        assert not mentioned, f"templates/{file}: mentions {', '.join(mentioned)}"


def texts(file: str) -> set[str]:
    """Returns the variables of a template that hold what a hook says, or part of it."""
    sets = [node for node in tree(file).find_all(nodes.Assign) if list(node.node.find_all(nodes.Call))]
    sets += tree(file).find_all(nodes.AssignBlock)
    return {name.name for node in sets for name in node.find_all(nodes.Name) if name.ctx == "store"}


def test_no_template_goes_by_the_text_of_a_hook() -> None:
    """With marks it is another one (generator/lines.py), and the wording of one hook would decide what another says."""
    for file in (file for file in FILES if not file.startswith(("export/", "runtime/"))):
        for comparison in tree(file).find_all(nodes.Compare):
            constants = [each for each in comparison.find_all(nodes.Const) if isinstance(each.value, str)]
            calls = list(comparison.find_all(nodes.Call))
            variables = {name.name for name in comparison.find_all(nodes.Name)} & texts(file)
            place = f"templates/{file}:{comparison.lineno}"
            assert not [*constants, *calls, *variables], f"{place}: compares text; ask a constant of its owner instead"


def test_only_its_own_folder_names_an_algorithm(space: Space) -> None:
    for file in (file for file in FILES if not file.startswith("algorithms/")):
        for constant in tree(file).find_all(nodes.Const):
            assert constant.value not in space.algorithms, f"templates/{file}:{constant.lineno}"


def test_no_rule_names_an_algorithm() -> None:
    space = tomllib.loads(SPACE_FILE.read_text())
    tables = [rule["forbid"] for rule in space["rule"]]
    for when in (axis.get("when", {}) for axis in space["axis"]):
        tables += when if isinstance(when, list) else [when]
    tables += [match for axis in space["axis"] for match in axis.get("values_when", {}).values()]
    assert not [table for table in tables if "algorithm" in table]


def test_no_template_sees_the_style() -> None:
    for file in FILES:
        seen = {name.name for name in tree(file).find_all(nodes.Name)} & {"style", "styles", "space", "value_of"}
        assert not seen, f"templates/{file}: {', '.join(seen)}"


def test_a_skeleton_only_composes() -> None:
    for file in (file for file in FILES if owner(file) == "skeleton"):
        found = list(tree(file).find_all((nodes.If, nodes.CondExpr, nodes.For, nodes.Compare)))
        assert not found, f"templates/{file}:{found[0].lineno}: a condition, a loop or a comparison"


def test_an_axis_documents_its_hooks() -> None:
    for axis in {Path(file).parts[1].removesuffix(".jinja") for file in FILES if file.startswith("axes/")}:
        text = (TEMPLATES / f"axes/{axis}.jinja").read_text()
        assert text.startswith("{#-"), f"templates/axes/{axis}.jinja: says what the axis means to templates first"


def test_compiled_templates_are_kept_while_they_are_what_the_source_says(tmp_path: Path) -> None:
    folder = tmp_path / "kept"

    def said(source: str) -> str:
        loader, kept = DictLoader({"one": source}), Compiled(str(folder))
        return Environment(loader=loader, bytecode_cache=kept, autoescape=True).get_template("one").render()

    assert said("{{ 1 + 1 }}") == "2"
    (file,) = folder.iterdir()
    before = file.read_bytes()
    assert said("{{ 1 + 1 }}") == "2"
    assert file.read_bytes() == before
    assert said("{{ 1 + 2 }}") == "3"
    for damaged in (b"", before[:-9], b"\0" * 99, before[:-300] + b"\0" * 300, before[:20] + b"?" + before[21:]):
        file.write_bytes(damaged)
        assert said("{{ 1 + 1 }}") == "2"
    file.unlink()
    folder.rmdir()
    folder.write_text("no folder")
    assert said("{{ 1 + 1 }}") == "2"
