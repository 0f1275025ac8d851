"""What one family alone needs of an axis is in that family's room, not in files that all families share."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from jinja2 import nodes

from generator.lines import hook_of, owner
from generator.space import Space
from tests.generator.conftest import every
from tests.generator.test_templates import BY_GENERATOR, FILES, tree

TOOLS = {
    "atomics": "max",
    "communication": "after_giving",
    "exchange": "after_giving",
    "granularity": "lane_of_all member_advance member_offset rows_per_block team_advance team_offset",
    "reduction": "add_of_threads of_item of_value",
    "schedule": "later",
    "update": "set_bit",
}
"""Hooks about threads, memory and messages that any family may ask for, though one does today."""


class Hook(NamedTuple):
    """A hook as one file defines it."""

    file: str
    owner: str
    name: str
    """Empty for what is in no hook, as skeletons are."""


@cache
def definitions() -> dict[Hook, set[tuple[str, str]]]:
    """Returns all hooks with those that they name, as owner and hook."""
    found: dict[Hook, set[tuple[str, str]]] = {}
    for file in FILES:
        if not file.startswith(("export/", "runtime/")):
            for part in tree(file).body:
                found.setdefault(Hook(file, owner(file), hook_of(part)), set()).update(named(file, part))
    return found


def named(file: str, part: nodes.Node) -> Iterator[tuple[str, str]]:
    """Yields what a part of a file names: hooks of others, of its own file, of files it imports, and in strings."""
    imported = {"overridden": owner(file)}
    for each in tree(file).find_all(nodes.Import):
        if isinstance(each.template, nodes.Const):
            imported[each.target] = owner(each.template.value)
    for asked in part.find_all(nodes.Getattr):
        if isinstance(asked.node, nodes.Name):
            yield imported.get(asked.node.name, asked.node.name), asked.attr
    for name in part.find_all(nodes.Name):
        yield owner(file), name.name
    for text in part.find_all(nodes.Const):
        if isinstance(text.value, str) and "." in text.value:
            whose, _, hook = text.value.partition(".")
            yield whose, hook


def reached(space: Space, family: str) -> set[tuple[str, str]]:
    """Returns the hooks that programs of a family may ask for, by the names in all templates that may serve them."""
    rooms = [f"families/{family}/"]
    rooms += [f"algorithms/{name}/" for name, algorithm in space.algorithms.items() if algorithm.family == family]
    bases = {
        each.node.value.rpartition("/")[0] + "/"
        for room in rooms
        for each in tree(f"{room}hooks.jinja").find_all(nodes.Assign)
        if hook_of(each) == "base"
    }
    of_others = [hook for hook in definitions() if hook.file.startswith(("families/", "algorithms/"))]
    away = {hook for hook in of_others if not hook.file.startswith((*rooms, *bases))}
    serving: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for hook, names in definitions().items():
        if hook not in away:
            serving[hook.owner, hook.name] |= names
    asked = [key for key in serving if key[1] in BY_GENERATOR | {"more_fields", ""}]
    found: set[tuple[str, str]] = set()
    while asked:
        key = asked.pop()
        if key not in found:
            found.add(key)
            asked += serving.get(key, ())
    return found


def test_what_one_family_needs_is_in_its_room(space: Space) -> None:
    asked = {family: reached(space, family) for family in {each.family for each in space.algorithms.values()}}
    having = defaultdict(set)  # families with programs of an axis, and of its values
    for style in every():
        for axis, value in style.items():
            having[axis].add(space.algorithms[style["algorithm"]].family)
            having[f"{axis}/{value}"].add(space.algorithms[style["algorithm"]].family)
    tools = {(whose, hook) for whose, names in TOOLS.items() for hook in names.split()}
    alone = {}
    for hook in definitions():
        of = hook.file.removesuffix(".jinja").split("/")[1:3]
        if hook.name and hook.file.startswith("axes/") and of[0] != "bug" and len(having["/".join(of)]) > 1:
            families = [family for family in asked if (hook.owner, hook.name) in asked[family]]
            if len(families) == 1:
                alone[hook] = families[0]
    wrong = [
        f"{hook.name} of templates/{hook.file}: {alone[hook]} alone asks" for hook in alone if hook[1:] not in tools
    ]
    assert not wrong, "\n".join(["in templates/families/FAMILY/axes is room for", *wrong])
    unknown = tools - {hook[1:] for hook in alone}
    assert not unknown, f"several families ask for these tools, or nobody does: {sorted(unknown)}"
