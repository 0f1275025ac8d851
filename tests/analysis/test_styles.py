"""Names spell styles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.styles import axes, style_of


def test_a_name_spells_one_value_an_axis() -> None:
    style = style_of("bfs-openmp-vertex-topology-push-rmw-nondet-default-i32")
    assert style["flow"] == "push"
    assert "worklist" not in style
    assert list(style) == [axis for axis in axes() if axis in style]


@given(st.data())
def test_every_choice_of_values_reads_back(data: st.DataObject) -> None:
    optional = {axis: data.draw(st.none() | st.sampled_from(values)) for axis, values in axes().items()}
    style = {axis: value for axis, value in optional.items() if value} | {"algorithm": "cc", "model": "cpp"}
    ordered = {axis: style[axis] for axis in axes() if axis in style}
    assert dict(style_of("-".join(ordered.values()))) == ordered


@given(st.text(alphabet="abcfps-", max_size=30))
def test_anything_else_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a program name"):
        style_of(name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("bfs-cpp-push-vertex", "out of order"),
        ("bfs-cpp-vertex-vertex", "repeated"),
        ("bfs-vertex", "no model"),
        ("bfs-cpp-sideways", "'sideways'"),
    ],
)
def test_the_reason_names_the_fault(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        style_of(name)
