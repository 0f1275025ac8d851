import contextlib
import csv
from collections import Counter
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import FileError, UserError
from generator.space import Match, Space, Style, load_space, matches, name_of
from tests.configs import selected
from tests.generator.conftest import every, pairs, rule_against

# Table 3 of the Indigo2 paper.
TABLE_3 = {
    ("cuda", "cc"): 168, ("cuda", "mis"): 112, ("cuda", "pr"): 54,
    ("cuda", "tc"): 72, ("cuda", "bfs"): 180, ("cuda", "sssp"): 168,
    ("openmp", "cc"): 36, ("openmp", "mis"): 36, ("openmp", "pr"): 18,
    ("openmp", "tc"): 12, ("openmp", "bfs"): 38, ("openmp", "sssp"): 36,
    ("cpp", "cc"): 36, ("cpp", "mis"): 36, ("cpp", "pr"): 18,
    ("cpp", "tc"): 12, ("cpp", "bfs"): 38, ("cpp", "sssp"): 36,
}  # fmt: skip


@pytest.mark.parametrize(("config", "datatypes"), [("paper", {"i32", "f32"}), ("paper64", {"i64", "f64"})])
def test_a_config_selects_exactly_the_programs_of_the_paper(config: str, datatypes: set[str]) -> None:
    with (Path(__file__).parent / "paper_space.csv").open() as file:
        rows = [{axis: value for axis, value in row.items() if value} for row in csv.DictReader(file)]
    expected = {frozenset(row.items()) for row in rows}
    styles = selected(config)
    found = [frozenset((axis, value) for axis, value in style.items() if axis != "datatype") for style in styles]
    assert set(found) == expected
    assert len(found) == len(expected) == 1106
    assert {style["datatype"] for style in styles} == datatypes
    assert Counter((style["model"], style["algorithm"]) for style in styles) == TABLE_3


def test_every_name_parses_back_and_no_two_are_alike(space: Space) -> None:
    styles = pairs(every())
    for style in styles:
        assert space.parse(name_of(style)) == style, name_of(style)
    assert len(set(map(name_of, every()))) == len(every())


def test_no_style_breaks_a_rule(space: Space) -> None:
    for style in pairs(every()):
        rule = space.forbidden_by(style)
        assert not rule, f"{name_of(style)}: breaks the rule {rule}"


def test_every_rule_forbids_something(space: Space) -> None:
    for rule in space.rules:
        assert witness(space, rule.forbid), f"the rule '{rule.id}' forbids no program that there would be without rules"


def witness(space: Space, match: Match) -> Style | None:
    """Returns what makes a style match, with a value on every axis that exists for it, whatever rules say, or None."""
    deciding = {axis.name: set[str]().union(*axis.when, *axis.values_when.values()) for axis in space.axes}
    asked = set(match)  # and whatever decides what there is on these
    while more := set[str]().union(*(deciding[name] for name in asked)) - asked:
        asked |= more
    axes = [axis for axis in space.axes if axis.name in asked]

    def complete(place: int, style: Style) -> Style | None:
        if place == len(axes):
            return style if matches(match, style) else None
        axis = axes[place]
        choices = axis.choices(style)
        if axis.name in match:
            choices = [value for value in choices if value in match[axis.name]]
        ways: list[Style] = [{**style, axis.name: value} for value in choices]
        if axis.name not in match and all(map(axis.is_optional, choices)):
            ways.append(style)
        return next(filter(None, (complete(place + 1, way) for way in ways)), None)

    return complete(0, {})


def test_what_makes_no_sense_is_forbidden_for_its_reason(space: Space) -> None:
    with (Path(__file__).parent / "forbidden.csv").open() as file:
        for row in csv.DictReader(file):
            assert rule_against(space, row["name"]) == row["rule"], row["name"]


def test_a_star_in_a_rule_is_every_value(space: Space) -> None:
    (rule,) = (rule for rule in space.rules if rule.id == "all-vertices-are-no-border")
    assert rule.forbid == {axis: tuple(space.axis(axis).values) for axis in ("duplication", "overlap")}


def test_a_value_means_what_it_says_unless_the_program_is_an_exception(space: Space) -> None:
    count = "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32"
    minimum = "cc-openmp-vertex-topology-push-rmw-nondet-default-i32"
    update = space.axis("update")
    assert update.means(space.parse(minimum)) == update.values["rmw"]
    assert update.means(space.parse(count)) == "the one count is only ever added to; the reduction says how"


def test_no_exception_is_in_vain(space: Space) -> None:
    for axis in filter(attrgetter("meaning"), space.axes):
        said = {axis.means(style) for style in every() if axis.name in style}
        assert {each.text for each in axis.meaning} <= said


def test_axes_exist_where_they_say(space: Space) -> None:
    for style in pairs(space.styles()):
        assert ("worklist" in style) == (style["driver"] == "data")
        assert ("granularity" in style) == (style["model"] == "cuda")
        assert ("schedule" in style) == (style["model"] != "cuda")
        algorithm = space.algorithms[style["algorithm"]]
        assert ("reduction" in style) == algorithm.has("loses", "sum")
        assert style["datatype"].startswith(("f", "e") if algorithm.has("numbers", "reals") else "i")


GOOD = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bfs-openmp-vertx-topology", "'vertx'; did you mean 'vertex'"),
        (GOOD.replace("-push", "-push-pull"), "'push' and 'pull' are both values of flow"),
        (GOOD.replace("-push", ""), "no value for flow; one of push, pull"),
        (GOOD.replace("topology", "topology-nodup"), "no worklist axis here: it needs driver data"),
        (f"{GOOD}-whole", "it needs model multigpu and algorithm .*, or model multigpu and method hook or sampled"),
        (GOOD.replace("default", "cyclic"), "'cyclic' does not exist here: it needs model cpp"),
        (GOOD.replace("bfs-openmp", "openmp-bfs"), f"wrong order; the program is called {GOOD}"),
        ("", "no axis has the value ''"),
    ],
)
def test_a_wrong_name_is_told_what_is_wrong(space: Space, name: str, message: str) -> None:
    with pytest.raises(UserError, match=message.replace("(", r"\(")):
        space.parse(name)


@given(st.lists(st.sampled_from([value for axis in load_space().axes for value in axis.values])))
def test_any_list_of_tokens_parses_to_itself_or_is_refused(tokens: list[str]) -> None:
    name = "-".join(tokens)
    with contextlib.suppress(UserError):
        assert name_of(load_space().parse(name)) == name


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        (
            'flow = "pull", update = "rmw"',
            'flow = "pull", updat = "rmw"',
            "unknown axis 'updat'; did you mean 'update'",
        ),
        ('flow = "pull", update = "rmw"', 'flow = "pll", update = "rmw"', "no value 'pll'; did you mean 'pull'"),
        ('title = "what is computed"', 'titel = "what is computed"', "axis.0.title: is missing"),
        ('value = "rmw"', 'value = "rmv"', "axis update has no value 'rmv'; did you mean 'rmw'"),
        ('block = "all threads', 'push = "all threads', "'push' is a value of both flow and granularity"),
        ("[[rule]]", "[[rule]", "not valid TOML"),
    ],
)
def test_a_mistake_in_the_space_is_named_with_its_line(tmp_path: Path, before: str, after: str, place: str) -> None:
    text = Path("configs/space.toml").read_text()
    assert before in text
    broken = tmp_path / "space.toml"
    broken.write_text(text.replace(before, after, 1))
    with pytest.raises(FileError, match=rf"space\.toml:\d+: .*{place}"):
        load_space(broken)
